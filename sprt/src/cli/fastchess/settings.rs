//! What a command line of fastchess asks for, in our terms.

use std::path::{Path, PathBuf};

use sprt::files::{OutputError, check_outputs};
use sprt::openings::{OpeningOrder, OpeningSettings};
use sprt::player::Contestant;
use sprt::playing::{Adjudication, DrawRule, GameSettings, MemorySpan, ResignRule, TablebaseRule};
use sprt::run::PlayRules;
use sprt::statistics::{Hypotheses, Model};
use sprt::tournament::Format;

use super::dialect::Program;
use super::engines::{Waits, engine};
use super::names::{KNOWN, REFUSED};
use super::words::{Group, Refused, groups};
use crate::cli::bounds;

/// How results are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A block of results now and then.
    Fastchess,
    /// The score after each game.
    Cutechess,
}

/// Where games go.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnSettings {
    /// The file.
    pub file: PathBuf,
    /// Behind what is there, rather than instead of it.
    pub append: bool,
    /// Moves alone, without what engines said of them.
    pub minimal: bool,
}

/// Where the run's course is written down.
#[derive(Clone, PartialEq, Debug)]
pub struct LogSettings {
    /// The file.
    pub file: PathBuf,
    /// Behind what is there, rather than instead of it.
    pub append: bool,
    /// Not the lines of each game, but what went wrong alone.
    pub only_troubles: bool,
    /// All lines of the engines, too.
    pub engine_lines: bool,
}

/// What a command line asks for.
#[derive(Debug)]
pub struct Match {
    /// Who plays.
    pub engines: Vec<Contestant>,
    /// Who plays whom, where there are more than two.
    pub format: Format,
    /// Pairs of each pairing.
    pub rounds: u64,
    /// Games at once.
    pub threads: usize,
    /// The file of openings; none if all games begin at the start.
    pub openings: Option<PathBuf>,
    /// How games are played.
    pub play: PlayRules,
    /// Folders of endgame tables.
    pub syzygy: Vec<PathBuf>,
    /// When a test ends the match, if one does.
    pub hypotheses: Option<Hypotheses>,
    /// How results are shown.
    pub style: Style,
    /// Games between two blocks of results, and between two lines of the score.
    pub intervals: [u64; 2],
    /// Where games go, if anywhere.
    pub pgn: Option<PgnSettings>,
    /// Where the run's course is written down, if anywhere.
    pub log: Option<LogSettings>,
    /// Tag Event of the games.
    pub event: String,
    /// Tag Site of the games.
    pub site: String,
    /// What was asked for and is not done, as the user is told.
    pub notes: Vec<String>,
}

/// Most plies of a game without `-maxmoves`, and with it.
const MOST_PLIES: u32 = 10_000;

impl Match {
    /// Checks that what is written is none of the files that are read.
    ///
    /// # Errors
    /// It is one of them, or cannot lie where it is to.
    pub fn check_outputs(&self) -> Result<(), OutputError> {
        let pgn = self.pgn.iter().map(|pgn| &*pgn.file);
        let outputs: Vec<&Path> = pgn.chain(self.log.iter().map(|log| &*log.file)).collect();
        let programs = self.engines.iter().filter_map(Contestant::file);
        check_outputs(&outputs, programs.chain(self.openings.as_deref()))
    }

    /// Reads a command line of this program.
    ///
    /// # Errors
    /// The first option or word that is unknown, refused or makes no sense.
    pub fn parse(words: &[String], program: Program) -> Result<Match, Refused> {
        let mut reader = Reader::new(program);
        for group in program.translate(groups(words)?, &mut reader.found.notes)? {
            reader.read(group)?;
        }
        reader.finish()
    }
}

/// A command line that is being read.
struct Reader {
    program: Program,
    found: Match,
    engines: Vec<Group>,
    each: Option<Group>,
    waits: Waits,
    seeds: usize,
    /// `-rounds` and `-games`.
    lengths: [Option<u64>; 2],
    repeat: bool,
    srand: Option<u64>,
    tables: TablebaseRule,
    /// Options that were read, which may not come twice.
    seen: Vec<String>,
}

impl Reader {
    fn new(program: Program) -> Reader {
        let openings =
            OpeningSettings { order: OpeningOrder::Sequential, ..OpeningSettings::default() };
        let game = GameSettings {
            adjudication: Adjudication::NEVER,
            max_plies: MOST_PLIES,
            memory: MemorySpan::Game,
            audit: 0,
        };
        let play = PlayRules {
            game,
            openings,
            most_faults: 0,
            most_fault_share: 0.0,
            ..PlayRules::with_seed(0)
        };
        Reader {
            program,
            found: Match {
                engines: Vec::new(),
                format: Format::RoundRobin,
                rounds: 2,
                threads: 1,
                openings: None,
                play,
                syzygy: Vec::new(),
                hypotheses: None,
                style: program.style(),
                intervals: [10, 1],
                pgn: None,
                log: None,
                event: "Fastchess Tournament".to_owned(),
                site: "?".to_owned(),
                notes: Vec::new(),
            },
            engines: Vec::new(),
            each: None,
            waits: Waits { start: 10_000, reply: 60_000 },
            seeds: 1,
            lengths: [None; 2],
            repeat: false,
            srand: None,
            tables: TablebaseRule { pieces: 7, ignore_fifty_moves: false },
            seen: Vec::new(),
        }
    }

    fn read(&mut self, mut group: Group) -> Result<(), Refused> {
        if matches!(group.name.as_str(), "-engine" | "-each") {
            group.unite("depth", "plies")?;
        }
        if group.name != "-engine" {
            if self.seen.contains(&group.name) {
                return Err(Refused(format!("{} is given twice", group.name)));
            }
            self.seen.push(group.name.clone());
        }
        let found = &mut self.found;
        match group.name.as_str() {
            "-engine" => {
                self.engines.push(group);
                return Ok(());
            }
            "-each" => {
                self.each = Some(group);
                return Ok(());
            }
            "-concurrency" => found.threads = group.value(1..=1024)?,
            "-force-concurrency" | "-testEnv" => {}
            "-rounds" => self.lengths[0] = Some(group.value(bounds::PAIRS)?),
            "-games" => self.lengths[1] = Some(group.value(bounds::PAIRS)?),
            "-repeat" => self.repeat = is_repeated(&mut group)?,
            "-tournament" => found.format = format(&mut group)?,
            "-seeds" => self.seeds = group.value(1..=1000)?,
            "-openings" => {
                openings(&mut group, found)?;
                // c-chess-cli has the seed here, where 0 is another one each time.
                let seed = group.number("srand", 0..=u64::MAX)?.filter(|&seed| seed > 0);
                self.srand = self.srand.or(seed);
            }
            "-srand" => self.srand = Some(group.value(0..=u64::MAX)?),
            "-sprt" => found.hypotheses = Some(hypotheses(&mut group, self.program)?),
            "-resign" => found.play.game.adjudication.resign = Some(resign(&mut group)?),
            "-draw" => found.play.game.adjudication.draw = Some(draw(&mut group)?),
            "-maxmoves" => found.play.game.max_plies = 2 * group.value(1..=MOST_PLIES / 2)?,
            "-tb" => found.syzygy = std::env::split_paths(&group.need_word()?).collect(),
            "-tbpieces" => self.tables.pieces = group.value(3..=7)?,
            "-tbignore50" => self.tables.ignore_fifty_moves = true,
            "-tbadjudicate" => adjudicate(&mut group)?,
            "-variant" => found.play.openings.chess960 = is_chess960(&mut group)?,
            "-pgnout" => found.pgn = Some(pgn(&mut group, &mut found.notes)?),
            "-event" => found.event = rest(&mut group),
            "-site" => found.site = rest(&mut group),
            "-ratinginterval" => found.intervals[0] = group.value(0..=u64::MAX)?,
            "-scoreinterval" => found.intervals[1] = group.value(0..=u64::MAX)?,
            "-report" => report(&mut group)?,
            "-output" => found.style = style(&mut group)?,
            "-config" => config(&mut group)?,
            "-recover" => found.play.most_faults = *bounds::TROUBLES.end(),
            "-log" => found.log = Some(log(&mut group)?),
            "-startup-ms" => self.waits.start = group.value(1..=3_600_000)?,
            "-ucinewgame-ms" | "-ping-ms" => self.waits.reply = group.value(1..=3_600_000)?,
            name => return Err(unknown(name)),
        }
        group.end()
    }

    fn finish(self) -> Result<Match, Refused> {
        let has_book = self.found.openings.is_some();
        let rounds = self.program.pairs(self.lengths, self.repeat, has_book)?;
        let Reader { mut found, engines, each, waits, seeds, srand, tables, .. } = self;
        found.rounds = rounds;
        if engines.len() < 2 {
            return Err(Refused("two engines are needed: -engine cmd=… -engine cmd=…".to_owned()));
        }
        for mut group in engines {
            if let Some(each) = &each {
                group.complete(each);
            }
            found.engines.push(engine(group, waits)?);
        }
        if found.engines.len() > 2 && found.hypotheses.is_some() {
            return Err(Refused("-sprt is for two engines".to_owned()));
        }
        if let Format::Gauntlet { .. } = found.format {
            found.format = Format::Gauntlet { seeds };
        }
        if !found.syzygy.is_empty() {
            found.play.game.adjudication.tablebase = Some(tables);
        }
        found.play.seed = srand.unwrap_or_else(|| {
            // Another order each time, but one that can be asked for again.
            let seed = u64::from(rand::random::<u32>());
            if found.play.openings.order == OpeningOrder::Random {
                found.notes.push(format!("the order of the openings is that of -srand {seed}"));
            }
            seed
        });
        Ok(found)
    }
}

/// Why an option is not taken.
fn unknown(name: &str) -> Refused {
    // With two dashes as with one.
    let plain = format!("-{}", name.trim_start_matches('-'));
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == plain) {
        return Refused(format!("{name} is not taken: {instead}"));
    }
    let near = |known: &&&str| strsim::normalized_damerau_levenshtein(known, &plain) > 0.6;
    let meant = KNOWN.iter().find(near).map(|known| format!(", did you mean {known}?"));
    Refused(format!("there is no option {name}{}", meant.unwrap_or_default()))
}

/// `-repeat`, `-repeat 2`.
fn is_repeated(group: &mut Group) -> Result<bool, Refused> {
    match group.take_word() {
        None => Ok(true),
        Some(word) if word == "2" => Ok(true),
        Some(word) => {
            Err(group.wrong(&word, "a round is an opening with both colors, which is two games"))
        }
    }
}

fn format(group: &mut Group) -> Result<Format, Refused> {
    match group.need_word()?.as_str() {
        "roundrobin" | "round-robin" => Ok(Format::RoundRobin),
        "gauntlet" => Ok(Format::Gauntlet { seeds: 1 }),
        other => Err(group.wrong(other, "roundrobin or gauntlet is expected")),
    }
}

fn openings(group: &mut Group, found: &mut Match) -> Result<(), Refused> {
    found.openings = Some(group.need("file")?.into());
    // Books are told apart by their contents.
    if let Some(other) = group.take("format").filter(|it| !matches!(it.as_str(), "epd" | "pgn")) {
        return Err(group.wrong(&format!("format={other}"), "epd or pgn is expected"));
    }
    let settings = &mut found.play.openings;
    settings.order = match group.take("order").as_deref() {
        None | Some("sequential") => OpeningOrder::Sequential,
        Some("random") => OpeningOrder::Random,
        Some(other) => {
            return Err(group.wrong(&format!("order={other}"), "sequential or random is expected"));
        }
    };
    settings.plies = group.number("plies", 0..=10_000)?;
    // Of two engines these three are alike.
    let is_usual = |policy: &str| matches!(policy, "round" | "default" | "encounter");
    if let Some(other) = group.take("policy").filter(|policy| !is_usual(policy)) {
        let reason = "a round has an opening of its own, which is policy=round";
        return Err(group.wrong(&format!("policy={other}"), reason));
    }
    settings.start = group.number("start", 1..=1_000_000_000_000)?.unwrap_or(1);
    Ok(())
}

fn hypotheses(group: &mut Group, program: Program) -> Result<Hypotheses, Refused> {
    let elo = -Hypotheses::MOST_ELO..=Hypotheses::MOST_ELO;
    let error = Hypotheses::LEAST_ERROR..=Hypotheses::MOST_ERRORS;
    let (usual_model, usual_elo1) = program.test();
    let model = match group.take("model").as_deref() {
        None => usual_model,
        Some("normalized") => Model::Normalized,
        Some("logistic") => Model::Logistic,
        Some("bayesian") => Model::Bayes,
        Some(other) => {
            let expected = "normalized, logistic or bayesian is expected";
            return Err(group.wrong(&format!("model={other}"), expected));
        }
    };
    let usual = Hypotheses::default();
    let hypotheses = Hypotheses {
        model,
        elo0: group.number("elo0", elo.clone())?.unwrap_or(0.0),
        elo1: group.number("elo1", elo)?.unwrap_or(usual_elo1),
        alpha: group.number("alpha", error.clone())?.unwrap_or(usual.alpha),
        beta: group.number("beta", error)?.unwrap_or(usual.beta),
    };
    hypotheses.validate().map_err(|error| Refused(format!("-sprt: {error}")))?;
    Ok(hypotheses)
}

fn resign(group: &mut Group) -> Result<ResignRule, Refused> {
    Ok(ResignRule {
        moves: group.number("movecount", 1..=100_000)?.unwrap_or(1),
        score: group.number("score", 1..=100_000)?.ok_or_else(|| missing(group, "score"))?,
        two_sided: group.flag("twosided")?,
    })
}

fn draw(group: &mut Group) -> Result<DrawRule, Refused> {
    Ok(DrawRule {
        after_moves: group.number("movenumber", 0..=100_000)?.unwrap_or(0),
        moves: group.number("movecount", 1..=100_000)?.unwrap_or(1),
        score: group.number("score", 0..=100_000)?.unwrap_or(0),
    })
}

fn missing(group: &Group, key: &str) -> Refused {
    Refused(format!("{} {key}= is missing", group.name))
}

fn adjudicate(group: &mut Group) -> Result<(), Refused> {
    match group.need_word()?.as_str() {
        "BOTH" => Ok(()),
        other => Err(group.wrong(other, "tables end won and drawn games alike: BOTH")),
    }
}

fn is_chess960(group: &mut Group) -> Result<bool, Refused> {
    match group.need_word()?.as_str() {
        "standard" => Ok(false),
        "fischerandom" => Ok(true),
        other => Err(group.wrong(other, "standard or fischerandom is expected")),
    }
}

fn pgn(group: &mut Group, notes: &mut Vec<String>) -> Result<PgnSettings, Refused> {
    let file = group.need("file")?.into();
    if let Some(other) = group.take("notation").filter(|notation| notation != "san") {
        return Err(group.wrong(&format!("notation={other}"), "moves are written as san"));
    }
    let append = group.take("append");
    let append = match append.as_deref() {
        None | Some("true") => true,
        Some("false") => false,
        Some(other) => return Err(group.wrong(other, "append=true or append=false is expected")),
    };
    let minimal = group.flag("min")?;
    // These are written in any case, or follow from what is.
    group.flag("nodes")?;
    for missing in ["seldepth", "nps", "hashfull", "tbhits", "pv", "timeleft", "latency"] {
        if group.flag(missing)? {
            notes.push(format!("-pgnout {missing}=true: games are written without it"));
        }
    }
    if let Some(pattern) = group.take("match_line") {
        notes.push(format!("-pgnout match_line={pattern}: games are written without such lines"));
    }
    Ok(PgnSettings { file, append, minimal })
}

/// The words of a name.
fn rest(group: &mut Group) -> String {
    std::iter::from_fn(|| group.take_word()).collect::<Vec<_>>().join(" ")
}

fn report(group: &mut Group) -> Result<(), Refused> {
    match group.flag("penta")? {
        true => Ok(()),
        false => Err(group.wrong("penta=false", "pairs are the unit of all figures")),
    }
}

fn style(group: &mut Group) -> Result<Style, Refused> {
    match group.need("format")?.as_str() {
        "fastchess" => Ok(Style::Fastchess),
        "cutechess" => Ok(Style::Cutechess),
        other => Err(group.wrong(&format!("format={other}"), "fastchess or cutechess is expected")),
    }
}

/// Where a match could be gone on with: nowhere, which has to be asked for.
fn config(group: &mut Group) -> Result<(), Refused> {
    let is_discarded = group.flag("discard")?;
    group.take("outname");
    match is_discarded {
        true => Ok(()),
        false => {
            let reason = "what can be resumed is `sprt run`; here it is -config discard=true";
            Err(Refused(format!("{}: {reason}", group.name)))
        }
    }
}

fn log(group: &mut Group) -> Result<LogSettings, Refused> {
    let file = group.need("file")?.into();
    let only_troubles = match group.take("level").as_deref() {
        None | Some("warn" | "err" | "fatal") => true,
        Some("info" | "trace") => false,
        Some(other) => {
            let reason = "trace, info, warn, err or fatal is expected";
            return Err(group.wrong(&format!("level={other}"), reason));
        }
    };
    let engine_lines = group.flag("engine")?;
    if group.flag("compress")? {
        return Err(group.wrong("compress=true", "this is not done"));
    }
    // Lines are written at once in any case.
    group.take("realtime");
    Ok(LogSettings { file, append: group.flag("append")?, only_troubles, engine_lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Match, String> {
        let words = shlex::split(line).expect("quoted well");
        Match::parse(&words, Program::Fastchess).map_err(|error| error.0)
    }

    const ENGINES: &str = "-engine cmd=a nodes=1 -engine cmd=b nodes=1 -srand 1 ";

    #[test]
    fn nothing_unknown_is_swallowed() {
        for (line, reason) in [
            ("-concurency 2", "there is no option -concurency, did you mean -concurrency?"),
            ("-wibble", "there is no option -wibble"),
            ("-noswap", "-noswap is not taken: each opening is played with both colors"),
            ("--compliance x", "--compliance is not taken"),
            ("-games 1", "-games 1: a round is an opening with both colors"),
            ("-repeat 3", "-repeat 3: a round is an opening with both colors"),
            ("-openings file=x policy=keep", "-openings policy=keep: a round has an opening"),
            ("-openings file=x order=up", "order=up: sequential or random"),
            ("-openings order=random", "-openings file= is missing"),
            ("-sprt elo0=0 elo1=5 gamma=1", "-sprt gamma=1: this is not known here"),
            ("-sprt elo0=5 elo1=0", "elo0 must be below elo1"),
            ("-resign movecount=3", "-resign score= is missing"),
            ("-draw movenumber=-1", "-draw movenumber=-1: a number from 0 to 100000"),
            ("-config file=old.json", "what can be resumed is `sprt run`"),
            ("-log file=x level=all", "level=all: trace, info, warn, err or fatal"),
            ("-log file=x compress=true", "compress=true: this is not done"),
            ("-report penta=false", "penta=false: pairs are the unit"),
            ("-output format=html", "format=html: fastchess or cutechess"),
            ("-pgnout file=x notation=uci", "notation=uci: moves are written as san"),
            ("-pgnout file=x eval=true", "-pgnout eval=true: this is not known here"),
            ("-tbadjudicate DRAW", "tables end won and drawn games alike"),
            ("-variant atomic", "standard or fischerandom"),
            ("-rounds 0", "-rounds 0: a number from 1 to 1000000000"),
            ("-rounds 2 -rounds 3", "-rounds is given twice"),
            ("-engine cmd=c proto=xboard", "proto=xboard: engines are spoken to by UCI"),
            ("-engine cmd=c restart=on nodes=1", "restart=on: a process plays all games"),
            ("-engine cmd=c tc=1x", "tc=1x: time control"),
            ("-engine cmd=c tc=inf", "c: how long may it think?"),
            ("-engine cmd=c nodes=1 initstr=x", "-engine initstr=x: this is not known here"),
            ("-engine name=c nodes=1", "-engine cmd= is missing"),
            ("-engine cmd=c plies=4 depth=5", "-engine depth=5: plies= says the same"),
            ("-engine cmd=c nodes=1 args='\"x'", "a quote is not closed"),
        ] {
            let error = read(&format!("{ENGINES}{line}")).expect_err(line);
            assert!(error.contains(reason), "{line}: {error}");
        }
        assert!(read("-engine cmd=a nodes=1").expect_err("alone").contains("two engines"));
        let three = "-engine cmd=c nodes=1 -sprt elo0=0 elo1=5";
        assert_eq!(
            read(&format!("{ENGINES}{three}")).expect_err("three"),
            "-sprt is for two engines"
        );
    }

    #[test]
    fn what_is_not_said_is_as_there() {
        let found = read(ENGINES).expect("two engines");
        assert_eq!((found.rounds, found.threads, found.play.most_faults), (2, 1, 0));
        assert_eq!(found.play.game.adjudication, Adjudication::NEVER);
        assert_eq!(found.engines[0].limits.margin, 0);
        assert!(found.openings.is_none() && found.pgn.is_none() && found.notes.is_empty());
        let found = read("-engine cmd=a -engine cmd=b -each tc=1:30+1").expect("two engines");
        assert!(found.notes.is_empty());
        let clock = found.engines[1].limits.clock.expect("of all");
        assert_eq!((clock.time, clock.increment), (90_000, 1000));
        // Without a seed one is drawn, and told where it says something.
        let line = "-engine cmd=a -engine cmd=b -each nodes=9 -openings file=x.epd order=random";
        let found = read(line).expect("two engines");
        assert_eq!(
            found.notes,
            [format!("the order of the openings is that of -srand {}", found.play.seed)]
        );
    }

    /// Every option of the lists is told apart from an unknown one.
    /// As the client of OpenBench sends them.
    #[test]
    fn tables_and_margins_are_read() {
        let line = "-engine cmd=a -engine cmd=b -each tc=1 timemargin=250 -tb x -tbpieces 5";
        let found = read(line).expect("two engines");
        assert_eq!(found.syzygy, [PathBuf::from("x")]);
        let rule = found.play.game.adjudication.tablebase.expect("tables end games");
        assert_eq!((rule.pieces, rule.ignore_fifty_moves), (5, false));
        assert!(found.engines.iter().all(|engine| engine.limits.margin == 250));
        let found = read(&format!("{line} -tbignore50")).expect("two engines");
        assert!(found.play.game.adjudication.tablebase.expect("tables").ignore_fifty_moves);
        let depth = read("-engine cmd=a plies=7 -engine cmd=b depth=7").expect("two engines");
        assert!(depth.engines.iter().all(|engine| engine.limits.depth == Some(7)));
    }

    #[test]
    fn known_options_are_read() {
        for name in KNOWN {
            let error = read(&format!("{name} odd=1")).expect_err("odd");
            assert!(!error.contains("there is no option"), "{name}: {error}");
        }
        for (name, _) in REFUSED {
            assert!(read(name).expect_err("refused").contains("is not taken"), "{name}");
        }
    }
}
