//! Whose command line it is: what cutechess-cli and c-chess-cli spell otherwise than fastchess, and
//! what they mean by what is not said.

use std::path::Path;

use statistics::Model;

use super::outputs::Style;
use super::words::{Group, Refused};

/// The runner whose command line it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// fastchess, whose spelling is that of all readers here.
    Fastchess,
    /// cutechess-cli.
    Cutechess,
    /// c-chess-cli.
    CChess,
}

/// Keys that have another name in fastchess: of c-chess-cli's option, theirs, that of fastchess.
const KEYS: [(&str, &str, &str); 5] = [
    ("-engine", "movetime", "st"),
    ("-each", "movetime", "st"),
    ("-resign", "count", "movecount"),
    ("-draw", "count", "movecount"),
    ("-draw", "number", "movenumber"),
];

/// The keys of what c-chess-cli also takes by its place, between commas or blanks: `-resign 3,700`.
const PLACES: [(&str, &[&str]); 3] = [
    ("-resign", &["movecount", "score"]),
    ("-draw", &["movecount", "score"]),
    ("-sprt", &["elo0", "elo1", "alpha", "beta"]),
];

/// Where all lines of the engines go by c-chess-cli's `-log`.
const LOG: &str = "c-chess-cli.log";

impl Program {
    /// The runner of this name, if it is one of them; `fastchess-ob` is one, too.
    pub fn called(name: &str) -> Option<Program> {
        let beginnings = [
            ("fastchess", Program::Fastchess),
            ("cutechess", Program::Cutechess),
            ("c-chess-cli", Program::CChess),
        ];
        beginnings.into_iter().find(|(beginning, _)| name.starts_with(beginning)).map(|it| it.1)
    }

    /// How results are shown unless `-output` says otherwise.
    pub fn style(self) -> Style {
        match self {
            Program::Fastchess => Style::Fastchess,
            Program::Cutechess | Program::CChess => Style::Cutechess,
        }
    }

    /// The unit of a test's Elo unless it is said, and the higher hypothesis.
    pub fn test(self) -> (Model, f64) {
        match self {
            Program::Fastchess => (Model::Normalized, 0.0),
            Program::Cutechess => (Model::Logistic, 0.0),
            Program::CChess => (Model::Logistic, 4.0),
        }
    }

    /// Writes options as fastchess has them. A note tells of each option that is done otherwise
    /// than asked for.
    ///
    /// # Errors
    /// A word that makes no sense where it stands.
    pub fn translate(
        self,
        mut groups: Vec<Group>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Group>, Refused> {
        match self {
            Program::Fastchess => {}
            Program::Cutechess => {
                for group in &mut groups {
                    match group.name.as_str() {
                        "-pgnout" => {
                            group.mark("min", "min");
                            // All games that are written have ended.
                            group.take_this("fi");
                        }
                        "-engine" | "-each" => cutechess_engine(group),
                        _ => {}
                    }
                }
            }
            Program::CChess => {
                order_at_random(&mut groups)?;
                for group in &mut groups {
                    translate(group, notes)?;
                }
            }
        }
        Ok(groups)
    }

    /// How many pairs of games each two engines play. `repeat` says that an opening is played twice,
    /// `book` that there are several.
    ///
    /// # Errors
    /// Pairs are not what is asked for.
    pub fn pairs(
        self,
        [rounds, games]: [Option<u64>; 2],
        repeat: bool,
        book: bool,
    ) -> Result<u64, Refused> {
        if self == Program::Fastchess {
            return match games {
                None | Some(2) => Ok(rounds.unwrap_or(2)),
                Some(games) => Err(Refused(format!(
                    "-games {games}: a round is an opening with both colors, which is two games; \
                     say -games 2, and by -rounds how many openings"
                ))),
            };
        }
        // There a round has as many games as it is told, each with an opening of its own, but for
        // -repeat.
        if book && !repeat {
            return Err(Refused(
                "each opening is played with both colors: say -repeat, without which every game \
                 had an opening of its own"
                    .to_owned(),
            ));
        }
        let (rounds, games) = (rounds.unwrap_or(1), games.unwrap_or(1));
        let all = rounds.saturating_mul(games);
        if all % 2 == 1 {
            return Err(Refused(format!(
                "-rounds {rounds} -games {games}: each opening is played with both colors, so that \
                 the number of games must be even"
            )));
        }
        Ok(all / 2)
    }
}

fn cutechess_engine(group: &mut Group) {
    group.mark("ponder", "ponder");
    // Results are judged by the rules in any case.
    group.take_this("trust");
}

/// `-random`, which is of the openings.
fn order_at_random(groups: &mut Vec<Group>) -> Result<(), Refused> {
    let Some(random) = groups.iter().position(|group| group.name == "-random") else {
        return Ok(());
    };
    groups.remove(random).end()?;
    let openings = groups.iter_mut().find(|group| group.name == "-openings");
    let openings = openings.ok_or_else(|| Refused("-random: -openings is missing".to_owned()))?;
    openings.give("order", "random");
    Ok(())
}

/// An option of c-chess-cli as fastchess has it.
fn translate(group: &mut Group, notes: &mut Vec<String>) -> Result<(), Refused> {
    match group.name.as_str() {
        "-engine" => command(group),
        "-gauntlet" => rename(group, "-tournament", "gauntlet"),
        "-pgn" => games(group, notes)?,
        "-log" => {
            rename(group, "-log", "");
            group.give("file", LOG);
            group.give("engine", "true");
            notes.push(format!("-log: the lines of all engines go to {LOG}"));
        }
        "-resign" => {
            // From the first move on is what happens anyway.
            if let Some(number) = group.take("number").filter(|number| number != "0") {
                let reason = "a lost game is ended whenever it is seen, which is number=0";
                return Err(group.wrong(&format!("number={number}"), reason));
            }
        }
        _ => {}
    }
    let name = group.name.clone();
    for (_, theirs, ours) in KEYS.iter().filter(|(option, ..)| *option == name) {
        group.rename(theirs, ours);
    }
    for (_, keys) in PLACES.iter().filter(|(option, _)| *option == name) {
        place(group, keys)?;
    }
    Ok(())
}

/// Another name for an option, with a first word unless it is empty.
fn rename(group: &mut Group, name: &str, word: &str) {
    group.name = name.to_owned();
    if !word.is_empty() {
        group.give_word(word);
    }
}

/// Words by their places get their keys.
fn place(group: &mut Group, keys: &[&str]) -> Result<(), Refused> {
    let words: Vec<String> = std::iter::from_fn(|| group.take_word()).collect();
    let values: Vec<&str> = words.iter().flat_map(|word| word.split(',')).collect();
    if values.len() > keys.len() {
        return Err(group.wrong(&words.join(" "), &format!("{} are expected", keys.join(","))));
    }
    keys.iter().zip(values).for_each(|(key, value)| group.give(key, value));
    Ok(())
}

/// A command has its arguments behind it, and runs in the folder of its program.
fn command(group: &mut Group) {
    let Some(command) = group.take("cmd") else { return };
    let mut words = command.split_whitespace();
    let program = Path::new(words.next().unwrap_or_default());
    let arguments: Vec<&str> = words.collect();
    let folder = program.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (folder, program.file_name()) {
        (Some(folder), Some(name)) => {
            let name = name.to_string_lossy();
            group.give("dir", &folder.to_string_lossy());
            group.give("cmd", &format!("./{name}"));
            group.give_missing("name", &name);
        }
        _ => group.give("cmd", &program.to_string_lossy()),
    }
    if !arguments.is_empty() {
        group.give("args", &arguments.join(" "));
    }
}

/// `-pgn FILE [0..3]`, which says how much is written.
fn games(group: &mut Group, notes: &mut Vec<String>) -> Result<(), Refused> {
    let file = group.need("file")?;
    let detail = group.take_word();
    let minimal = match detail.as_deref() {
        None | Some("3") => "false",
        Some("2") => {
            notes.push("-pgn 2: games are written with times, too".to_owned());
            "false"
        }
        Some("1") => "true",
        Some("0") => {
            notes.push("-pgn 0: games are written with their moves".to_owned());
            "true"
        }
        Some(other) => return Err(group.wrong(other, "a number from 0 to 3 is expected")),
    };
    group.name = "-pgnout".to_owned();
    group.give("file", &file);
    group.give("min", minimal);
    Ok(())
}

#[cfg(test)]
mod tests {
    use matches::playing::DrawRule;

    use super::super::settings::Match;
    use super::*;

    fn read(program: Program, line: &str) -> Result<Match, String> {
        let words = shlex::split(line).expect("quoted well");
        Match::parse(&words, program).map_err(|error| error.0)
    }

    const ENGINES: &str = "-engine cmd=a nodes=1 -engine cmd=b nodes=1 ";

    #[test]
    fn a_command_line_of_c_chess_cli_is_read() {
        let found = read(
            Program::CChess,
            "-each tc=4+0.04 option.Hash=8 -engine cmd=demolito 'option.Time Buffer=80' nodes=200000 \
             -engine 'cmd=../Engines/critter -uci x' depth=11 timeout=2.5 -games 1920 -concurrency 8 \
             -openings file=test/chess960.epd order=random srand=7 -repeat -sprt elo0=1 elo1=5 \
             -resign count=3 score=700 -draw number=40 count=8 score=10 -pgn out.pgn 2 -log",
        )
        .expect("it is one of theirs");
        assert_eq!((found.rounds, found.threads, found.play.seed), (960, 8, 7));
        assert_eq!(found.style, Style::Cutechess);
        let resign = found.play.game.adjudication.resign.expect("asked for");
        assert_eq!((resign.moves, resign.score, resign.two_sided), (3, 700, false));
        let draw = DrawRule { after_moves: 40, moves: 8, score: 10 };
        assert_eq!(found.play.game.adjudication.draw, Some(draw));
        let test = found.hypotheses.expect("asked for");
        assert_eq!(
            (test.model, test.elo0, test.elo1, test.alpha),
            (Model::Logistic, 1.0, 5.0, 0.05)
        );
        let pgn = found.pgn.expect("asked for");
        assert_eq!((pgn.file.to_str(), pgn.minimal), (Some("out.pgn"), false));
        let log = found.log.expect("asked for");
        assert!(log.engine_lines && log.file == Path::new(LOG));
        assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
        let [one, other] = [&found.engines[0], &found.engines[1]];
        assert_eq!([&*one.name, &*other.name], ["demolito", "critter"]);
        assert_eq!((one.limits.nodes, other.limits.depth), (Some(200_000), Some(11)));
        let matches::player::Source::Uci(engine) = &other.source else { panic!("a program") };
        assert_eq!(engine.arguments, ["-uci", "x"]);
        assert_eq!(engine.folder.as_deref(), Some(Path::new("../Engines")));
        assert_eq!((engine.start_timeout, engine.reply_timeout), (2_500, 2_500));
    }

    #[test]
    fn values_have_their_places() {
        let line = "-games 2 -resign 3,700 -draw 8 10 -sprt 0,5,0.1 -pgn out.pgn 1 -gauntlet \
                    -openings book.epd -random -repeat";
        let found =
            read(Program::CChess, &format!("{ENGINES}{line}")).expect("older ones of theirs");
        let adjudication = found.play.game.adjudication;
        assert_eq!(adjudication.resign.map(|rule| (rule.moves, rule.score)), Some((3, 700)));
        assert_eq!(adjudication.draw.map(|rule| (rule.moves, rule.score)), Some((8, 10)));
        let test = found.hypotheses.expect("asked for");
        assert_eq!((test.elo0, test.elo1, test.alpha, test.beta), (0.0, 5.0, 0.1, 0.05));
        assert!(found.pgn.is_some_and(|pgn| pgn.minimal));
        assert_eq!(found.openings.as_deref(), Some(Path::new("book.epd")));
        assert_eq!(found.play.openings.order, matches::openings::OpeningOrder::Random);
        // Elo of the hypotheses that are not said are theirs.
        let found = read(Program::CChess, &format!("{ENGINES}-games 2 -sprt")).expect("as there");
        assert_eq!(found.hypotheses.map(|test| (test.elo0, test.elo1)), Some((0.0, 4.0)));
    }

    /// Rounds and games of a round are counted as the runner does whose words they are.
    #[test]
    fn as_many_games_are_played_as_there() {
        let pairs = |program, line: &str| {
            read(program, &format!("{ENGINES}{line}")).map(|found| found.rounds)
        };
        let book = "-openings file=x ";
        for (program, line, expected) in [
            (Program::Fastchess, "-rounds 8", 8),
            (Program::Fastchess, "-rounds 8 -games 2 -repeat -openings file=x", 8),
            (Program::Cutechess, "-rounds 8 -games 2 -repeat 2 -openings file=x", 8),
            (Program::Cutechess, "-rounds 8 -repeat -openings file=x", 4),
            (Program::Cutechess, "-games 6", 3),
            (Program::CChess, "-games 10 -rounds 3 -repeat -openings file=x", 15),
        ] {
            assert_eq!(pairs(program, line), Ok(expected), "{program:?} {line}");
        }
        for (program, line, reason) in [
            (Program::Fastchess, "-games 1", "-games 1: a round is an opening with both colors"),
            (Program::Fastchess, "-games 4", "say -games 2, and by -rounds how many openings"),
            (Program::Cutechess, "-games 2", "say -repeat, without which every game"),
            (Program::Cutechess, "-rounds 3 -repeat", "-rounds 3 -games 1: "),
            (Program::CChess, "-games 7 -repeat", "the number of games must be even"),
        ] {
            let error = pairs(program, &format!("{book}{line}")).expect_err(line);
            assert!(error.contains(reason), "{line}: {error}");
        }
    }

    #[test]
    fn what_c_chess_cli_has_and_is_not_done_is_refused_by_name() {
        for (line, reason) in [
            ("-sample freq=0.5 file=x.csv", "-sample is not taken: `tuner import` takes positions"),
            ("-resign number=40 count=3 score=700", "-resign number=40: a lost game is ended"),
            ("-resign 3,700,1", "-resign 3,700,1: movecount,score are expected"),
            ("-draw 8,x", "-draw score=x: a number from 0 to 100000"),
            ("-pgn x 4", "-pgn 4: a number from 0 to 3"),
            ("-random", "-random: -openings is missing"),
            ("-log extra", "-log extra: this is not known here"),
            ("-engine cmd=c nodes=1 timeout=soon", "timeout=soon: "),
        ] {
            let error = read(Program::CChess, &format!("{ENGINES}-games 2 {line}")).map(drop);
            let error = error.expect_err(line);
            assert!(error.contains(reason), "{line}: {error}");
        }
        // Their words are theirs alone.
        let error = read(Program::Fastchess, &format!("{ENGINES}-pgn x")).expect_err("another's");
        assert!(error.contains("there is no option -pgn"), "{error}");
        let line = format!("{ENGINES}-each ponder -games 2 -pgnout x min");
        let found = read(Program::Cutechess, &line).expect("theirs");
        assert!(found.pgn.is_some_and(|pgn| pgn.minimal));
        for engine in found.engines {
            assert!(matches!(engine.source, matches::player::Source::Uci(it) if it.ponder));
        }
        let line = "-engine cmd=python3 arg=a.py 'arg=--x=two words' nodes=1 trust -engine cmd=b \
                    nodes=1 -games 2 -pgnout x fi min -openings file=y policy=default -repeat \
                    -each arg=-q";
        let found = read(Program::Cutechess, line).expect("theirs");
        assert!(found.pgn.is_some_and(|pgn| pgn.minimal));
        let matches::player::Source::Uci(engine) = &found.engines[0].source else {
            panic!("a program")
        };
        assert_eq!(engine.arguments, ["a.py", "--x=two words", "-q"]);
        let error = read(Program::Cutechess, "-engine conf=sf -engine cmd=b nodes=1 -games 2");
        let error = error.map(drop).expect_err("no file");
        assert_eq!(
            error,
            "-engine conf=sf: there is no file of engines here: say cmd= and the rest"
        );
    }
}
