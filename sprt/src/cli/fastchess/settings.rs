//! The match of a command line of fastchess, in our terms.

use std::path::{Path, PathBuf};

use matches::openings::{OpeningOrder, OpeningSettings};
use matches::player::Contestant;
use matches::playing::{Adjudication, GameSettings, MemorySpan, TablebaseRule};
use matches::run::PlayRules;
use matches::tournament::Format;
use statistics::Hypotheses;
use system::files::{OutputError, check_outputs};

use super::dialect::Program;
use super::engines::{Waits, engine};
use super::names::UNDONE;
use super::options::{
    adjudicate, draw, folders, format, hypotheses, is_chess960, is_repeated, openings, resign,
    rest, threads, unknown,
};
use super::outputs::{
    EpdSettings, LogSettings, PgnSettings, Style, check_config, check_report, epd, log, pgn, style,
};
use super::words::{Group, Refused, groups};
use crate::cli::{bounds, cores};

/// The match that a command line asks for.
#[derive(Debug)]
pub struct Match {
    pub engines: Vec<Contestant>,
    /// Who plays whom, where there are more than two.
    pub format: Format,
    /// Pairs of each pairing.
    pub rounds: u64,
    /// Games at a time.
    pub threads: usize,
    /// The cores of each of them; empty if the system chooses.
    pub places: Vec<Vec<usize>>,
    /// The file of openings; none if all games begin at the start.
    pub openings: Option<PathBuf>,
    pub play: PlayRules,
    /// Folders of endgame tables.
    pub syzygy: Vec<PathBuf>,
    /// When a test ends the match, if one does.
    pub hypotheses: Option<Hypotheses>,
    pub style: Style,
    /// Games between two blocks of results, and between two lines of the score.
    pub intervals: [u64; 2],
    /// Where games go, if anywhere.
    pub pgn: Option<PgnSettings>,
    /// Where the last positions of games go, if anywhere.
    pub epd: Option<EpdSettings>,
    /// Where the run's course is written down, if anywhere.
    pub log: Option<LogSettings>,
    /// Tag Event of the games.
    pub event: String,
    /// Tag Site of the games.
    pub site: String,
    /// Options that are read and have no effect, as the user is told.
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
        let epd = self.epd.iter().map(|epd| &*epd.file);
        let log = self.log.iter().map(|log| &*log.file);
        let outputs: Vec<&Path> = pgn.chain(epd).chain(log).collect();
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
    /// The numbers of `-rounds` and `-games`.
    lengths: [Option<u64>; 2],
    repeat: bool,
    /// The list of `-use-affinity`, if there is one.
    affinity: Option<Option<String>>,
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
                places: Vec::new(),
                openings: None,
                play,
                syzygy: Vec::new(),
                hypotheses: None,
                style: program.style(),
                intervals: [10, 1],
                pgn: None,
                epd: None,
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
            affinity: None,
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
            "-concurrency" => found.threads = threads(&mut group)?,
            "-use-affinity" => self.affinity = Some(group.take_word()),
            "-force-concurrency" | "-testEnv" => {}
            "-rounds" => self.lengths[0] = Some(group.value(bounds::PAIRS)?),
            "-games" => self.lengths[1] = Some(group.value(bounds::PAIRS)?),
            "-repeat" => self.repeat = is_repeated(&mut group)?,
            "-tournament" => found.format = format(&mut group)?,
            "-seeds" => self.seeds = group.value(0..=1000)?.max(1),
            "-openings" => {
                found.openings = Some(openings(&mut group, &mut found.play.openings)?);
                // c-chess-cli has the seed here, where 0 is another one each time.
                let seed = group.number("srand", 0..=u64::MAX)?.filter(|&seed| seed > 0);
                self.srand = self.srand.or(seed);
            }
            "-srand" => self.srand = Some(group.value(0..=u64::MAX)?),
            "-sprt" => found.hypotheses = Some(hypotheses(&mut group, self.program)?),
            "-resign" => found.play.game.adjudication.resign = Some(resign(&mut group)?),
            "-draw" => found.play.game.adjudication.draw = Some(draw(&mut group)?),
            // No number of moves is what is not said.
            "-maxmoves" => match group.value(0..=MOST_PLIES / 2)? {
                0 => {}
                moves => found.play.game.max_plies = 2 * moves,
            },
            "-tb" => found.syzygy = folders(&group.need_word()?),
            "-tbpieces" => self.tables.pieces = group.value(3..=7)?,
            "-tbignore50" => self.tables.ignore_fifty_moves = true,
            "-tbadjudicate" => adjudicate(&mut group)?,
            "-variant" => found.play.openings.chess960 = is_chess960(&mut group)?,
            "-pgnout" => found.pgn = Some(pgn(&mut group, &mut found.notes)?),
            "-epdout" => found.epd = Some(epd(&mut group)?),
            "-event" => found.event = rest(&mut group),
            "-site" => found.site = rest(&mut group),
            "-ratinginterval" => found.intervals[0] = group.value(0..=u64::MAX)?,
            "-scoreinterval" => found.intervals[1] = group.value(0..=u64::MAX)?,
            "-report" => check_report(&mut group, &mut found.notes)?,
            "-output" => found.style = style(&mut group)?,
            "-config" => check_config(&mut group)?,
            "-recover" => found.play.most_faults = *bounds::TROUBLES.end(),
            "-log" => found.log = Some(log(&mut group, &mut found.notes)?),
            "-startup-ms" => self.waits.start = group.value(1..=3_600_000)?,
            "-ucinewgame-ms" | "-ping-ms" => self.waits.reply = group.value(1..=3_600_000)?,
            name => {
                let undone = UNDONE.iter().find(|(undone, _)| *undone == name);
                let (_, instead) = undone.ok_or_else(|| unknown(name))?;
                found.notes.push(format!("{name} changes nothing: {instead}"));
                group.take_rest();
            }
        }
        group.end()
    }

    fn finish(self) -> Result<Match, Refused> {
        let has_book = self.found.openings.is_some();
        let rounds = self.program.pairs(self.lengths, self.repeat, has_book)?;
        let Reader { mut found, engines, each, waits, seeds, affinity, srand, tables, .. } = self;
        found.rounds = rounds;
        if engines.len() < 2 {
            return Err(Refused("two engines are needed: -engine cmd=… -engine cmd=…".to_owned()));
        }
        for mut group in engines {
            if let Some(each) = &each {
                group.complete(each);
            }
            found.engines.push(engine(group, waits, &mut found.notes)?);
        }
        if let Some(list) = affinity {
            let most = found.engines.iter().map(Contestant::threads).max().unwrap_or(1);
            match cores::places(list.as_deref(), most, found.threads) {
                Ok(places) => found.places = places,
                Err(reason) => {
                    found.notes.push(format!("-use-affinity binds no game to a core: {reason}"));
                }
            }
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

#[cfg(test)]
mod tests {
    use super::super::names::{KNOWN, REFUSED};
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
            ("-output format=html", "format=html: fastchess or cutechess"),
            ("-pgnout file=x notation=iccf", "notation=iccf: san, lan or uci is expected"),
            ("-epdout append=true", "-epdout file= is missing"),
            ("-pgnout file=x eval=true", "-pgnout eval=true: this is not known here"),
            ("-tbadjudicate DRAW", "tables end won and drawn games alike"),
            ("-variant atomic", "standard or fischerandom"),
            ("-rounds 0", "-rounds 0: a number from 1 to 1000000000"),
            ("-rounds 2 -rounds 3", "-rounds is given twice"),
            ("-engine cmd=c proto=xboard", "proto=xboard: engines are spoken to by UCI"),
            ("-engine cmd=c restart=often nodes=1", "restart=often: on, off or auto is expected"),
            ("-engine cmd=c tc=1x", "tc=1x: time control"),
            ("-engine cmd=c tc=inf/1ms", "tc=inf/1ms: time control"),
            ("-engine cmd=c tc=hg10", "tc=hg10: time control"),
            ("-engine cmd=c tc=inf", "c: how long may it think?"),
            (
                "-engine cmd=c nodes=1 initstr=x",
                "-engine initstr=x: an engine is set up by option.",
            ),
            ("-engine cmd=c nodes=1 book=x.bin", "-engine book=x.bin: openings come from"),
            ("-engine cmd=c nodes=1 whitepov", "-engine whitepov: scores are read from"),
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

    /// As scripts for the other runners have them: games are the same without these words.
    #[test]
    fn what_changes_no_game_is_taken_and_told() {
        for (words, note) in [
            ("-reverse", "-reverse changes nothing: each opening is played with both colors"),
            ("-wait 500", "-wait changes nothing: "),
            ("-show-latency", "-show-latency changes nothing: "),
            ("-autosaveinterval 0", "-autosaveinterval changes nothing: "),
            ("-crc32 pgn=true", "-crc32 changes nothing: "),
            ("-check-mate-pvs", "-check-mate-pvs changes nothing: "),
            ("-debug all", "-debug changes nothing: -log file="),
            ("-bookmode disk", "-bookmode changes nothing: "),
            ("-outcomeinterval 20", "-outcomeinterval changes nothing: "),
            ("-resultformat wide2", "-resultformat changes nothing: "),
            ("-report penta=false", "-report penta=false: pairs are the unit"),
            ("-log file=x compress=true", "-log compress=true: the file is written as plain"),
            ("-pgnout file=x notation=lan", "notation=lan: moves are written as san"),
            ("-pgnout file=x match_line=a match_line=b", "match_line=b: games are written"),
            ("-engine cmd=c nodes=1 stderr=errors.txt", "c: stderr=errors.txt: not written"),
            (
                "-use-affinity 99999",
                "-use-affinity binds no game to a core: there is no core 99999",
            ),
            ("-use-affinity x", "-use-affinity binds no game to a core: cores are listed as"),
        ] {
            let found = read(&format!("{ENGINES}{words}")).expect(words);
            let is_told = found.notes.iter().any(|told| told.contains(note));
            assert!(is_told, "{words}: {:?}", found.notes);
        }
        // These are done, or say nothing.
        for words in [
            "-maxmoves 0",
            "-seeds 0",
            "-config outname=x.json",
            "-engine cmd=c nodes=1 restart=auto",
            "-pgnout file=x seldepth=true nodes=true",
            "-epdout file=x.epd append=false",
        ] {
            let found = read(&format!("{ENGINES}{words}")).expect(words);
            assert!(found.notes.is_empty(), "{words}: {:?}", found.notes);
        }
        let found = read(&format!("{ENGINES}-maxmoves 0 -epdout last.epd -concurrency 0"));
        let found = found.expect("as there");
        assert_eq!(found.play.game.max_plies, MOST_PLIES);
        assert!(found.epd.is_some_and(|epd| epd.append && epd.file == Path::new("last.epd")));
        assert!(found.threads >= 1);
        let found = read(&format!("{ENGINES}-concurrency -1000 -tb 'a;b' -use-affinity 0"));
        let found = found.expect("as there");
        assert_eq!((found.threads, found.syzygy.len()), (1, 2));
        let ours = system::processes::available_cores().contains(&0);
        assert_eq!(found.places, if ours { vec![vec![0]] } else { vec![] });
        let found = read("-engine cmd=a restart=on -engine cmd=b -each nodes=1").expect("two");
        let restarts = |engine: &Contestant| match &engine.source {
            matches::player::Source::Uci(engine) => engine.restart,
            _ => false,
        };
        assert_eq!([restarts(&found.engines[0]), restarts(&found.engines[1])], [true, false]);
    }

    /// The whole game in so many seconds, whatever says so; and times with their unit.
    #[test]
    fn times_are_read_as_other_runners_write_them() {
        for (text, time, increment) in [
            ("tc=inf/10+0.1", 10_000, 100),
            ("tc=infinite/1:30", 90_000, 0),
            ("tc=0/10+0.1", 10_000, 100),
            ("tc=2+0.02s", 2_000, 20),
            ("tc=10s", 10_000, 0),
            ("tc=10s+0.1s", 10_000, 100),
        ] {
            let found = read(&format!("-engine cmd=a -engine cmd=b -each {text}")).expect(text);
            let clock = found.engines[0].limits.clock.expect("a clock");
            assert_eq!(
                (clock.moves, clock.time, clock.increment),
                (None, time, increment),
                "{text}"
            );
        }
        let found = read("-engine cmd=a -engine cmd=b -each st=0.5s tc=inf").expect("a time");
        assert_eq!(found.engines[0].limits.move_time, Some(500));
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
