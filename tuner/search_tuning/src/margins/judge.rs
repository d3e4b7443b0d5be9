//! The worth of moves as a far longer search than the one that chose them sees it; and the file
//! that remembers it, so that a set of positions pays once for all numbers ever tried on it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use matches::game::MoveLimits;
use matches::player::{
    ALLOW_CHANGED_ENGINE, Contestant, EngineIdentity, GameStart, Loaded, Player, Source, Turn,
};
use playable::{Game, GameResult, MATE, Move, Position};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use system::paint;
use system::tell;
use tunables::check_limits;
use work::journal::checksum;

use super::lines::LineFile;

/// Transposition table of a judging search (megabytes): new for each.
const HASH_MEGABYTES: usize = 4;

/// An engine that says what a move is worth by a search of the position after it.
pub(super) struct Judge {
    player: Box<dyn Player>,
    limits: MoveLimits,
}

/// Who judges: any player, and its nodes.
#[derive(Clone, Debug)]
pub struct JudgeSettings {
    game: Game,
    contestant: Contestant,
    loaded: Loaded,
}

impl JudgeSettings {
    /// A judge that searches so many nodes after each move.
    ///
    /// # Errors
    /// If its file or program is not there or wrong.
    pub fn new(
        game: Game,
        mut contestant: Contestant,
        nodes: u64,
    ) -> anyhow::Result<JudgeSettings> {
        contestant.limits = MoveLimits::nodes(nodes);
        contestant.hash = contestant.hash.or(Some(HASH_MEGABYTES));
        let loaded = contestant.load(game)?;
        Ok(JudgeSettings { game, contestant, loaded })
    }

    /// Has it search once, so that a run does not wait for a judge that never answers. Returns which
    /// engine it is.
    ///
    /// # Errors
    /// It does not start, or does not keep its limit.
    pub fn check(&self) -> anyhow::Result<Option<EngineIdentity>> {
        let name = "the judge";
        let files = self.loaded.named_files();
        let mut player = self.loaded.player();
        if let Err(fault) = player.new_game(&GameStart::fresh(&self.game.start())) {
            bail!("{name} cannot play: {fault}");
        }
        check_limits(name, player.as_mut(), &self.contestant.limits)?;
        Ok(self.loaded.engine(player, &files))
    }

    /// The name under which its judgements are remembered, with all that they depend on.
    pub fn name(&self) -> String {
        let nodes = self.contestant.limits.nodes.unwrap_or(0);
        let fingerprint = &self.loaded.identity.fingerprint;
        format!("{}@{nodes}", identity_with_options(fingerprint, &self.contestant))
    }
}

/// The fingerprint of a player, with what its words change: options, arguments, folder and table.
pub(super) fn identity_with_options(fingerprint: &str, contestant: &Contestant) -> String {
    let mut words = String::new();
    if let Source::Uci(engine) = &contestant.source {
        if !engine.options.is_empty() {
            words += &format!("{:?}", engine.options);
        }
        if !engine.arguments.is_empty() {
            words += &format!("{:?}", engine.arguments);
        }
        // Networks and settings may be read from there.
        if let Some(folder) = &engine.folder {
            words += &format!("in {folder:?}");
        }
    }
    if let Some(hash) = contestant.hash.filter(|&hash| hash != HASH_MEGABYTES) {
        words += &format!("hash {hash}");
    }
    match words.is_empty() {
        true => fingerprint.to_string(),
        false => format!("{fingerprint}+{}", hex::encode(&Sha256::digest(words)[..4])),
    }
}

impl Judge {
    /// A judge with a memory of its own.
    pub fn new(settings: &JudgeSettings) -> Judge {
        Judge { player: settings.loaded.player(), limits: settings.contestant.limits }
    }

    /// The worth of a legal move, in centipawns from the view of who plays it.
    ///
    /// # Errors
    /// If a judge over pipes does not answer as it should.
    pub fn worth(&mut self, position: &Position, mv: Move) -> anyhow::Result<i32> {
        let mut after = position.clone();
        after.play(mv);
        match after.outcome() {
            Some((GameResult::Draw, _)) => return Ok(0),
            Some((won, _)) if won == GameResult::win_of(position.side_to_move()) => {
                return Ok(MATE - 1);
            }
            Some(_) => return Ok(-MATE),
            None => {}
        }
        // It is told the move alone: what stood before cannot come back in its search.
        after.forget_past();
        let choice = self
            .player
            .new_game(&GameStart::fresh(&after))
            .and_then(|()| self.player.choose(&Turn::first(&after, &self.limits)));
        let fen = || after.to_fen();
        let choice = choice.map_err(|fault| anyhow!("the judge failed in {}: {fault}", fen()))?;
        let score = choice.score;
        Ok(-score.with_context(|| format!("the judge gave no score in {}", fen()))?)
    }
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    judge: String,
    fen: String,
    #[serde(rename = "move")]
    mv: String,
    centipawns: i32,
}

/// All that one judge ever said, and the file it is kept in.
#[derive(Debug)]
pub(super) struct Judgements {
    file: LineFile,
    /// Its lines end with a checksum.
    has_checksums: bool,
    /// The judge's name with the digest of its engine.
    judge: String,
    known: HashMap<String, HashMap<String, i32>>,
    /// Judgements of this judge in the file.
    count: usize,
}

/// The fault of a line that is not as it was written.
const DAMAGED: &str = "the checksum does not match: take the line out, and the rest can be used";

/// Between the name of a judge and the digest of its engine. Earlier versions wrote the name alone.
const ENGINE_MARK: char = '#';

/// Judgements that are not known to be of the engine that judges now.
#[derive(Default)]
struct Doubtful {
    /// Of a judge of this name, by an earlier version that did not say which engine it was.
    unmarked: Vec<Line>,
    /// Of a judge of this name that is another engine.
    others: Vec<Line>,
}

const HEADER: &str = "judge,fen,move,centipawns,checksum\n";
/// As earlier versions began the file, whose lines had no checksum.
const HEADER_WITHOUT: &str = "judge,fen,move,centipawns\n";

impl Judgements {
    /// Opens the file, or begins it. `judge` names whoever judges, with all that its answers depend
    /// on, and `engine` is a digest of which engine it is; what others said stays in the file and is
    /// not used, unless it is the same judge as another engine, and that is allowed. A line that a kill
    /// cut off is removed. Files of earlier versions go on without checksums.
    ///
    /// # Errors
    /// If the file cannot be read or written, is used by another process, or has a line that is no
    /// judgement or not what was written.
    pub fn open(
        path: &Path,
        judge: &str,
        engine: &str,
        allows_changes: bool,
    ) -> anyhow::Result<Judgements> {
        let shown = path.display();
        let (file, text) = LineFile::open(path, HEADER.to_owned(), "judgements")?;
        let mut judgements = Judgements {
            file,
            has_checksums: !text.starts_with(HEADER_WITHOUT),
            judge: format!("{judge}{ENGINE_MARK}{engine}"),
            known: HashMap::new(),
            count: 0,
        };
        let Doubtful { unmarked, others } = judgements.read(&text, judge)?;
        judgements.file.go_on()?;
        if !judgements.has_checksums {
            paint::tell_warning(format_args!(
                "{shown}: its lines have no checksums, as of an earlier version: damage may not show"
            ));
        }
        let number = others.len();
        if number > 0 && !allows_changes {
            tell(format_args!(
                "note: {shown}: {number} judgements of this judge as another engine are not used \
                 ({ALLOW_CHANGED_ENGINE} uses them)"
            ));
        } else if number > 0 {
            paint::tell_warning(format_args!("{shown}: {number} judgements are of another engine"));
            judgements.add_doubtful(others);
        }
        if !unmarked.is_empty() {
            paint::tell_warning(format_args!(
                "{shown}: {} judgements do not say of which build of the judge they are",
                unmarked.len()
            ));
            judgements.add_doubtful(unmarked);
        }
        Ok(judgements)
    }

    /// Takes in what is known of no move otherwise.
    fn add_doubtful(&mut self, lines: Vec<Line>) {
        for Line { fen, mv, centipawns, .. } in lines {
            if let Entry::Vacant(free) = self.known.entry(fen).or_default().entry(mv) {
                free.insert(centipawns);
                self.count += 1;
            }
        }
    }

    /// Reads a file's text; what is not known to be of this engine is returned.
    fn read(&mut self, text: &str, name: &str) -> anyhow::Result<Doubtful> {
        let shown = self.file.path().display().to_string();
        let mut doubtful = Doubtful::default();
        if text.is_empty() {
            return Ok(doubtful);
        }
        let header = if self.has_checksums { HEADER } else { HEADER_WITHOUT };
        if !text.starts_with(header) {
            bail!("{shown}:1: this is no file of judgements, which begin with {HEADER:?}");
        }
        if self.has_checksums {
            for (index, line) in text.lines().enumerate().skip(1) {
                let sound = line
                    .rsplit_once(',')
                    .is_some_and(|(said, sum)| sum == checksum(said.as_bytes()));
                ensure!(sound, "{shown}:{}: {DAMAGED}", index + 1);
            }
        }
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for (index, line) in reader.deserialize().enumerate() {
            let line: Line = line.map_err(|error| anyhow!("{shown}:{}: {error}", index + 2))?;
            let centipawns = line.centipawns;
            ensure!(centipawns.abs() <= MATE, "{shown}:{}: {centipawns} is no score", index + 2);
            if line.judge == name {
                doubtful.unmarked.push(line);
            } else if line.judge == self.judge {
                let Line { fen, mv, .. } = line;
                let of_position = self.known.entry(fen).or_default();
                if let Some(other) =
                    of_position.insert(mv, centipawns).filter(|it| *it != centipawns)
                {
                    bail!(
                        "{shown}:{}: the same judge said {other} of this move before, not \
                         {centipawns}: one of these lines is damaged",
                        index + 2
                    );
                }
                self.count += 1;
            } else if line.judge.rsplit_once(ENGINE_MARK).is_some_and(|(other, _)| other == name) {
                doubtful.others.push(line);
            }
        }
        Ok(doubtful)
    }

    /// How many there are of this judge.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The judgement of a move, in centipawns.
    pub fn of(&self, fen: &str, mv: &str) -> Option<i32> {
        self.known.get(fen)?.get(mv).copied()
    }

    /// The best that was said about any move of a position.
    pub fn best(&self, fen: &str) -> Option<i32> {
        self.known.get(fen)?.values().copied().max()
    }

    /// Takes in new judgements, in this order: position, move, centipawns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, new: Vec<(String, String, i32)>) -> anyhow::Result<()> {
        let mut text = String::new();
        for (fen, mv, centipawns) in &new {
            let said = format!("{},{fen},{mv},{centipawns}", self.judge);
            text += &match self.has_checksums {
                true => format!("{said},{}\n", checksum(said.as_bytes())),
                false => said + "\n",
            };
        }
        self.file.append(&text)?;
        self.count += new.len();
        for (fen, mv, centipawns) in new {
            self.known.entry(fen).or_default().insert(mv, centipawns);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chess::GAME;

    use super::*;

    fn open(path: &Path) -> anyhow::Result<Judgements> {
        Judgements::open(path, "a@100", "1", false)
    }

    #[test]
    fn judgements_are_remembered_whatever_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judgements.csv");
        let said = |fen: &str, mv: &str, score| (fen.to_string(), mv.to_string(), score);
        let mut first = open(&path).expect("new");
        first.add(vec![said("p w", "e2e4", 31), said("p w", "d2d4", -7)]).expect("written");
        assert!(open(&path).is_err_and(|error| error.to_string().contains("another process")));
        drop(first);
        let whole = std::fs::read(&path).expect("there");
        for end in 0..=whole.len() {
            std::fs::write(&path, &whole[..end]).expect("written");
            let lines = whole[..end].iter().filter(|&&byte| byte == b'\n').count();
            let mut again = open(&path).expect("whatever was cut off");
            assert_eq!(again.count(), lines.saturating_sub(1), "after {end} bytes");
            assert_eq!(again.of("p w", "e2e4"), (lines > 1).then_some(31));
            assert_eq!(again.best("p w"), (lines > 1).then_some(31));
            again.add(vec![said("q w", "a2a3", 1)]).expect("written");
            drop(again);
            assert_eq!(open(&path).expect("whole").of("q w", "a2a3"), Some(1));
        }
        let other = Judgements::open(&path, "b@100", "1", true).expect("whole");
        assert_eq!((other.count(), other.of("p w", "e2e4")), (0, None));
    }

    #[test]
    fn another_engine_is_another_judge_unless_that_is_allowed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judgements.csv");
        let said = |mv: &str, score| ("p w".to_string(), mv.to_string(), score);
        open(&path).expect("new").add(vec![said("e2e4", 31), said("d2d4", 7)]).expect("written");
        let rebuilt = |allows| Judgements::open(&path, "a@100", "2", allows).expect("whole");
        let known = |allows| {
            let judgements = rebuilt(allows);
            (judgements.count(), judgements.of("p w", "e2e4"))
        };
        assert_eq!(known(false), (0, None));
        assert_eq!(known(true), (2, Some(31)));
        rebuilt(false).add(vec![said("e2e4", 40)]).expect("written");
        // Its own word counts, where there is one.
        assert_eq!((known(false), known(true)), ((1, Some(40)), (2, Some(40))));
        assert_eq!(open(&path).expect("whole").of("p w", "e2e4"), Some(31));
        // Earlier versions did not say which engine it was.
        std::fs::write(&path, format!("{HEADER_WITHOUT}a@100,p w,e2e4,5\n")).expect("written");
        assert_eq!(open(&path).expect("whole").of("p w", "e2e4"), Some(5));
    }

    #[test]
    fn every_flipped_bit_is_refused_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judgements.csv");
        let said = |mv: &str, score| ("p w".to_string(), mv.to_string(), score);
        open(&path).expect("new").add(vec![said("e2e4", 31), said("d2d4", -7)]).expect("written");
        let whole = std::fs::read(&path).expect("there");
        let mut line = 1;
        // Without the end of the last line, which a kill may have cut off.
        for place in 0..whole.len() - 1 {
            for bit in 0..8 {
                let mut flipped = whole.clone();
                flipped[place] ^= 1 << bit;
                std::fs::write(&path, &flipped).expect("written");
                let error = open(&path).expect_err("damaged").to_string();
                assert!(error.contains(&format!("judgements.csv:{line}: ")), "{place}: {error}");
                assert!(std::fs::read(&path).expect("there") == flipped, "left as it is");
            }
            line += usize::from(whole[place] == b'\n');
        }
    }

    #[test]
    fn files_of_earlier_versions_go_on_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judgements.csv");
        let text = format!("{HEADER_WITHOUT}a@100#1,p w,e2e4,5\n");
        std::fs::write(&path, &text).expect("written");
        let mut judgements = open(&path).expect("whole");
        judgements.add(vec![("p w".to_string(), "d2d4".to_string(), 3)]).expect("written");
        drop(judgements);
        let found = std::fs::read_to_string(&path).expect("there");
        assert_eq!(found, text + "a@100#1,p w,d2d4,3\n");
        assert_eq!(open(&path).expect("whole").count(), 2);
    }

    /// As a crash of the system leaves them.
    #[test]
    fn zeros_behind_the_last_line_are_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judgements.csv");
        let said = vec![("p w".to_string(), "e2e4".to_string(), 31)];
        open(&path).expect("new").add(said).expect("written");
        let whole = std::fs::read(&path).expect("there");
        for end in [whole.len(), whole.len() - 9, HEADER.len() - 3, 0] {
            std::fs::write(&path, [&whole[..end], &[0; 100]].concat()).expect("written");
            assert_eq!(open(&path).expect("whole").count(), usize::from(end == whole.len()));
        }
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judgements.csv");
        for (text, place) in [
            ("[weights]\n", ":1: this is no file of judgements"),
            ("[weights]\nand no end", ":1: this is no file of judgements"),
            ("something else", "holds no judgements"),
            ("judge,fen,move,centipawns\na@100,p w,e2e4\n", ":2: "),
            ("judge,fen,move,centipawns\na@100,p w,e2e4,much\n", ":2: "),
            ("judge,fen,move,centipawns\na@100,p,e2e4,1\na@100,p,e2e4,99999999\n", ":3: "),
            ("judge,fen,move,centipawns\na@100,p,e2e4,1,2\n", ":2: "),
            (
                "judge,fen,move,centipawns\na@100#1,p,e2e4,1\na@100#1,p,e2e4,2\n",
                ":3: the same judge",
            ),
        ] {
            std::fs::write(&path, text).expect("written");
            let error = open(&path).expect_err(text).to_string();
            assert!(error.contains(place) && error.contains("judgements.csv"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text, "left as it is");
        }
    }

    /// A program with other options is another judge.
    #[test]
    fn judges_that_are_told_other_things_have_other_names() {
        let name = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            let contestant =
                Contestant::parse(&words, MoveLimits::default(), None).expect("a contestant");
            identity_with_options("f", &contestant)
        };
        let program = std::env::current_exe().expect("this one");
        let program = program.to_str().expect("a text");
        let more: &[&[&str]] = &[&[], &["arg=a"], &["arg=b"], &["option.A=1"], &["hash=64"]];
        let mut names: Vec<String> =
            more.iter().map(|more| name(&[&[program], *more].concat())).collect();
        assert_eq!(names[0], "f");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), more.len(), "{names:?}");
        assert!(name(&["default", "hash=64"]) != name(&["default"]));
    }

    /// Mates and draws by rule need no search.
    #[test]
    fn ended_games_have_their_worth() {
        let contestant =
            Contestant::parse(&["embedded".to_string()], MoveLimits::default(), None).expect("one");
        let settings = JudgeSettings::new(GAME, contestant, 200).expect("it is there");
        assert!(settings.name().ends_with("@200"), "{}", settings.name());
        let mut judge = Judge::new(&settings);
        let worth = |judge: &mut Judge, fen: &str, mv: &str| {
            let position = GAME.position(fen).expect("correct");
            let mv = position.parse_uci(mv).expect("legal");
            judge.worth(&position, mv).expect("a judgement")
        };
        assert_eq!(worth(&mut judge, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8"), MATE - 1);
        assert_eq!(worth(&mut judge, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"), 0);
        assert!(worth(&mut judge, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f2") > 500);
    }
}
