//! The options of the session: what is offered, and what has been set.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use chess::games;
use clap::ValueEnum;
use parameters::{Declaration, NameError};
use playable::{Game, Numbers};
use search::Table;
use system::files::open_file;
use uci::{OptionDeclaration, OptionKind, whole_number};

/// Megabytes of the transposition table unless set.
pub const DEFAULT_HASH: usize = 16;

/// The values of all options.
pub struct Options {
    /// The numbers the engine plays with.
    pub numbers: Numbers,
    /// The numbers at the start, to which their game returns where no file is named.
    first_numbers: Numbers,
    pub listing: Listing,
    /// Megabytes of the transposition table.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many lines to show.
    pub multi_pv: usize,
    /// Time lost per move between engine and clock.
    pub move_overhead: Duration,
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// The dialect in which moves are read and written, see [`playable::Playable::dialects`]: in
    /// xiangqi the number of the first rank.
    pub first_rank: usize,
    /// Scores come with chances of win, draw and loss.
    pub show_chances: bool,
    /// The user analyses: no move comes from a book, and a draw is worth nothing to either side.
    pub analyses: bool,
    /// By how many centipawns a draw is worse than equality.
    pub contempt: i32,
    /// Folders of endgame tables, separated as the system separates paths; empty for none.
    pub syzygy_path: String,
    /// Plies that must be left to search for a position to be looked up in tables.
    pub syzygy_probe_depth: u32,
    /// Wins in tables that take longer than the fifty-move rule allows are draws.
    pub syzygy_fifty_move_rule: bool,
    /// Moves of the opening book or library are played without a search.
    pub own_book: bool,
    /// The opening book in Polyglot's format, or the opening library; empty for none.
    pub book_file: String,
    /// Seed of the choice among moves of the book, together with the position; 0 for chance.
    pub book_seed: u32,
    /// Rating to play no better than, the least of the game where nobody named one.
    pub rating: Option<i32>,
    pub is_limited: bool,
    /// The numbers of the build are constants of the search, see [`playable::Engine::set_constants`].
    /// Not where numbers are listed, since whoever asks for them compares sets of them.
    pub constants: bool,
}

/// The options that the `uci` command lists. All are accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Listing {
    /// What users of chess programs choose
    #[default]
    Ordinary,
    /// The search's margins and the evaluation's weights too, for programs that tune them
    All,
}

/// A change that the engine must hear at once; it hears the others with the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineUpdate {
    /// Nothing: the next search reads the option here.
    Nothing,
    /// To replace the transposition table by one of the new size.
    Hash,
    /// To search with the new number of threads.
    Threads,
    /// To forget what was found so far.
    Clear,
    /// To use the endgame tables of the new folders.
    Tables,
    /// Nothing, but there is another book to read.
    Book,
    /// To give way to an engine of another game.
    Game,
}

impl Options {
    /// Options nobody has set yet.
    pub fn new(numbers: Numbers, listing: Listing) -> Options {
        Options {
            first_numbers: numbers.clone(),
            numbers,
            listing,
            hash: DEFAULT_HASH,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            chess960: false,
            first_rank: 0,
            show_chances: false,
            analyses: false,
            contempt: 0,
            syzygy_path: String::new(),
            syzygy_probe_depth: 1,
            syzygy_fifty_move_rule: true,
            own_book: false,
            book_file: String::new(),
            book_seed: 0,
            rating: None,
            is_limited: false,
            constants: listing == Listing::Ordinary,
        }
    }

    /// The options that the `uci` command lists: those that users choose, and the numbers for
    /// tuners only if these are asked for. Names of numbers are accepted all the same.
    pub fn declarations(&self) -> Vec<OptionDeclaration> {
        let mut declarations = self.ordinary();
        if self.listing == Listing::All {
            let tables = [self.numbers.search_table(), parameters::Table::Weights];
            let numbers = tables.into_iter().flat_map(|table| self.numbers.declarations(table));
            let numbers = numbers.flat_map(Declaration::numbers);
            declarations.extend(numbers.map(|number| {
                let (low, high) = number.range();
                let kind = spin(self.numbers.value(&number), low, high);
                OptionDeclaration { name: number.name(), kind }
            }));
        }
        declarations
    }

    fn ordinary(&self) -> Vec<OptionDeclaration> {
        let names = games::all().map(|game| game.variant().to_owned());
        let first = self.first_numbers.game().variant().to_owned();
        let variants = OptionKind::Combo { default: first, choices: names.collect() };
        ordinary_options(self.listing, self.numbers.game(), variants)
    }

    /// The nodes of each search with which the engine plays no better than it may; `None` if it may play
    /// as well as it can.
    pub fn nodes_of_strength(&self) -> Option<u64> {
        let ladder = self.numbers.game().features().ratings;
        let is_limited = self.is_limited && !self.analyses && !ladder.is_empty();
        is_limited.then(|| ladder.nodes(self.rating.unwrap_or_default()))
    }

    /// By how many centipawns the next search holds a draw to be worse than equality.
    pub fn contempt_in_play(&self) -> i32 {
        if self.analyses { 0 } else { self.contempt }
    }

    /// Sets an option; its name's case does not matter. Returns what the engine must be told.
    /// Errors: unknown name, or a value that does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<EngineUpdate, String> {
        let declarations = self.ordinary();
        let known = declarations.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Some(option) = known else { return self.set_number(name, value) };
        let accepted = option.accept(value)?;
        let text = accepted.as_deref().unwrap_or_default();
        let number = || text.parse::<u32>().unwrap_or_default();
        let truth = text == "true";
        match option.name.as_str() {
            "Hash" => {
                check_memory(number() as usize, self.hash)?;
                self.hash = number() as usize;
                return Ok(EngineUpdate::Hash);
            }
            "Clear Hash" => return Ok(EngineUpdate::Clear),
            "Threads" => {
                self.threads = number() as usize;
                return Ok(EngineUpdate::Threads);
            }
            // Pondering is up to the user interface.
            "Ponder" => {}
            "MultiPV" => self.multi_pv = number() as usize,
            "Move Overhead" => self.move_overhead = Duration::from_millis(number().into()),
            "UCI_Chess960" => self.chess960 = truth,
            "XQ_Ranks" => self.first_rank = number() as usize,
            "UCI_ShowWDL" => self.show_chances = truth,
            "SyzygyPath" => {
                self.syzygy_path = if text == "<empty>" { "" } else { text }.to_string();
                return Ok(EngineUpdate::Tables);
            }
            "OwnBook" => self.own_book = truth,
            "BookFile" => {
                self.book_file = if text == "<empty>" { "" } else { text }.to_string();
                return Ok(EngineUpdate::Book);
            }
            "BookSeed" => self.book_seed = number(),
            "SyzygyProbeDepth" => self.syzygy_probe_depth = number(),
            "Syzygy50MoveRule" => self.syzygy_fifty_move_rule = truth,
            "ParametersFile" => {
                self.numbers = match text {
                    "" | "<empty>" => self.numbers_of(self.numbers.game())?,
                    path => {
                        let (file, game) = (Path::new(path), self.numbers.game());
                        if !game.number_files().contains(&path) {
                            open_file(file).map_err(|error| format!("{path}: {error}"))?;
                        }
                        game.open_numbers(file).map_err(|error| error.to_string())?.0
                    }
                };
            }
            "UCI_Variant" => {
                let chosen = games::all().find(|game| game.variant() == text);
                return self.choose_game(chosen.expect("a choice of the option"));
            }
            "Constants" => self.constants = truth,
            "ListTuningOptions" => {
                self.listing = if truth { Listing::All } else { Listing::Ordinary };
                self.constants = !truth;
            }
            "UCI_LimitStrength" => self.is_limited = truth,
            "UCI_Elo" => self.rating = Some(number() as i32),
            "UCI_AnalyseMode" => self.analyses = truth,
            "Contempt" => self.contempt = text.parse().unwrap_or_default(),
            other => unreachable!("{other} is declared, but nothing sets it"),
        }
        Ok(EngineUpdate::Nothing)
    }

    /// Chooses a game. Numbers become those that its sessions begin with; all other options stay.
    pub fn choose_game(&mut self, game: Game) -> Result<EngineUpdate, String> {
        if game == self.numbers.game() {
            return Ok(EngineUpdate::Nothing);
        }
        self.numbers = self.numbers_of(game)?;
        Ok(EngineUpdate::Game)
    }

    /// The numbers of a game that nobody has changed: those of the start, or else the embedded ones.
    fn numbers_of(&self, game: Game) -> Result<Numbers, String> {
        if game == self.first_numbers.game() {
            return Ok(self.first_numbers.clone());
        }
        game.try_embedded().map_err(|error| error.to_string())
    }

    /// Sets a margin or a number of a weight by its name.
    fn set_number(&mut self, name: &str, value: Option<&str>) -> Result<EngineUpdate, String> {
        // All of them are declared in small letters.
        let found = self.numbers.find(&name.to_ascii_lowercase());
        let number = found.map_err(|error| match error {
            NameError::Unknown { suggestion, .. } => format!("unknown option `{name}`{suggestion}"),
            other => other.to_string(),
        })?;
        let (low, high) = number.range();
        let value = value
            .and_then(whole_number)
            .ok_or_else(|| format!("option {name} takes an integer from {low} to {high}"))?;
        self.numbers.set_number(&number, value).map_err(|error| error.to_string())?;
        Ok(EngineUpdate::Nothing)
    }
}

/// The options that users choose in a game, one of these variants.
fn ordinary_options(listing: Listing, game: Game, variants: OptionKind) -> Vec<OptionDeclaration> {
    let (features, dialects) = (game.features(), game.dialects() as i32);
    let ladder = features.ratings;
    let off = || OptionKind::Check { default: false };
    let text = || OptionKind::Text { default: String::new() };
    let options = [
        ("Hash", spin(DEFAULT_HASH as i32, 1, largest_hash())),
        ("Clear Hash", OptionKind::Button),
        ("Threads", spin(1, 1, features.threads_max as i32)),
        ("MultiPV", spin(1, 1, 256)),
        ("Move Overhead", spin(10, 0, 10_000)),
        ("Ponder", off()),
        ("Contempt", spin(0, -100, 100)),
        ("UCI_AnalyseMode", off()),
        ("UCI_Variant", variants),
        ("UCI_Chess960", off()),
        ("XQ_Ranks", spin(0, 0, dialects - 1)),
        ("UCI_ShowWDL", off()),
        ("SyzygyPath", text()),
        ("SyzygyProbeDepth", spin(1, 1, 100)),
        ("Syzygy50MoveRule", OptionKind::Check { default: true }),
        ("OwnBook", off()),
        ("BookFile", text()),
        ("BookSeed", spin(0, 0, i32::MAX)),
        ("UCI_LimitStrength", off()),
        ("UCI_Elo", spin(ladder.least(), ladder.least(), ladder.greatest())),
        ("ParametersFile", text()),
        ("Constants", OptionKind::Check { default: listing == Listing::Ordinary }),
        ("ListTuningOptions", off()),
    ];
    let is_offered = |name: &str| match name {
        "Contempt" => features.draws,
        "UCI_Variant" => games::all().count() > 1,
        "UCI_Chess960" => features.chess960,
        "XQ_Ranks" => dialects > 1,
        "SyzygyPath" | "SyzygyProbeDepth" | "Syzygy50MoveRule" => features.tables,
        "OwnBook" | "BookFile" | "BookSeed" => features.books,
        "UCI_LimitStrength" | "UCI_Elo" => !ladder.is_empty(),
        _ => true,
    };
    let declare = |(name, kind): (&str, _)| OptionDeclaration { name: name.to_owned(), kind };
    options.into_iter().filter(|(name, _)| is_offered(name)).map(declare).collect()
}

fn spin(default: i32, low: i32, high: i32) -> OptionKind {
    OptionKind::Spin { default: default.into(), low: low.into(), high: high.into() }
}

/// Most megabytes of the transposition table: what memory the machine has, where it tells that, but
/// no less than the default; 64 gigabytes elsewhere.
fn largest_hash() -> i32 {
    static LARGEST: LazyLock<i32> = LazyLock::new(|| {
        memory_of("MemTotal").map_or(65_536, |megabytes| {
            i32::try_from(megabytes).unwrap_or(i32::MAX).max(DEFAULT_HASH as i32)
        })
    });
    *LARGEST
}

/// Megabytes of memory, of the kind that Linux calls so; none where the system does not tell.
fn memory_of(kind: &str) -> Option<u64> {
    megabytes_of(&std::fs::read_to_string("/proc/meminfo").ok()?, kind)
}

/// The megabytes of a kind that a text like Linux's /proc/meminfo tells.
fn megabytes_of(told: &str, kind: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(':'))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes >> 10)
}

/// Whether the system has this many megabytes to give when those of the table before are given back; a
/// larger table would end the process, at once or when it is filled. Errors: it has not.
pub fn check_memory(megabytes: usize, before: usize) -> Result<(), String> {
    match memory_of("MemAvailable") {
        Some(free) if free < megabytes.saturating_sub(before) as u64 => {
            let room = free + before as u64;
            Err(format!("the system has {room} megabytes, not {megabytes} for the table"))
        }
        _ if Table::is_granted(megabytes) => Ok(()),
        _ => Err(format!("the system has no {megabytes} megabytes for the table")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_default() {
        // Begun with other numbers than the program carries, as by --parameters.
        let mut first = chess::GAME.embedded();
        first.set("futility.margin", 77).expect("a margin");
        let mut options = Options::new(first.clone(), Listing::All);
        for option in options.declarations() {
            let value = match &option.kind {
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::Combo { default, .. } | OptionKind::Text { default } => {
                    Some(default.clone())
                }
                OptionKind::Button | OptionKind::Other { .. } => None,
            };
            assert!(options.set(&option.name, value.as_deref()).is_ok(), "{option}");
        }
        assert_eq!(options.listing, Listing::Ordinary);
        assert_eq!(options.numbers.fingerprint(), first.fingerprint());
    }

    #[test]
    fn memory_is_told_in_kilobytes() {
        let told = "MemFree:  1 kB\nMemTotal:       16384 kB\nCached: 5 kB\n";
        assert_eq!(megabytes_of(told, "MemTotal"), Some(16));
        assert_eq!(megabytes_of("MemFree: 1 kB\n", "MemTotal"), None);
        assert!(largest_hash() >= DEFAULT_HASH as i32);
    }
}
