//! The options of the session: what is offered, and what has been set.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::chess::parameters::Parameters;
use crate::parameters::NameError;
use crate::search::Margins;
use crate::uci::{OptionDeclaration, OptionKind};

/// Megabytes of the transposition table unless set.
pub const DEFAULT_HASH: usize = 16;

/// What has been set.
pub struct Options {
    /// The numbers the engine plays with.
    pub parameters: Arc<Parameters>,
    /// Megabytes of the transposition table.
    pub hash: usize,
    /// How many lines to show.
    pub multi_pv: usize,
    /// Time lost per move between engine and clock.
    pub move_overhead: Duration,
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Scores come with chances of win, draw and loss.
    pub show_chances: bool,
    /// Folders of endgame tables, separated as the system separates paths; empty for none.
    pub syzygy_path: String,
    /// Plies that must be left to search for a position to be looked up in tables.
    pub syzygy_probe_depth: u32,
    /// Wins in tables that take longer than the fifty-move rule allows are draws.
    pub syzygy_fifty_move_rule: bool,
    /// Moves of the opening book are played without a search.
    pub own_book: bool,
    /// The opening book, in Polyglot's format; empty for none.
    pub book_file: String,
    /// What the choice among a book's moves is a function of, with the position; 0 for chance.
    pub book_seed: u32,
}

/// What the engine must be told at once after an option was set; the rest it hears with the next
/// search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineUpdate {
    /// Nothing: the next search reads the option here.
    Nothing,
    /// To replace the transposition table by one of the new size.
    Hash,
    /// To forget what was found so far.
    Clear,
    /// To use the endgame tables of the new folders.
    Tables,
    /// Nothing, but there is another book to read.
    Book,
}

impl Options {
    /// Options nobody has set yet.
    pub fn new(parameters: Arc<Parameters>) -> Options {
        Options {
            parameters,
            hash: DEFAULT_HASH,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            chess960: false,
            show_chances: false,
            syzygy_path: String::new(),
            syzygy_probe_depth: 1,
            syzygy_fifty_move_rule: true,
            own_book: false,
            book_file: String::new(),
            book_seed: 0,
        }
    }

    /// What the `uci` command lists. The weights are not listed, being many; their names are
    /// accepted all the same.
    pub fn declarations(&self) -> Vec<OptionDeclaration> {
        let spin = |default, low, high| OptionKind::Spin { default, low, high };
        let off = OptionKind::Check { default: false };
        let fixed = [
            ("Hash", spin(DEFAULT_HASH as i64, 1, 65_536)),
            ("Clear Hash", OptionKind::Button),
            // One thread searches: whoever plans processors by the largest value must not reserve more.
            ("Threads", spin(1, 1, 1)),
            ("MultiPV", spin(1, 1, 256)),
            ("Move Overhead", spin(10, 0, 10_000)),
            ("Ponder", off.clone()),
            ("UCI_Chess960", off.clone()),
            ("UCI_ShowWDL", off.clone()),
            ("SyzygyPath", OptionKind::Text { default: String::new() }),
            ("SyzygyProbeDepth", spin(1, 1, 100)),
            ("Syzygy50MoveRule", OptionKind::Check { default: true }),
            ("OwnBook", off.clone()),
            ("BookFile", OptionKind::Text { default: String::new() }),
            ("BookSeed", spin(0, 0, i32::MAX.into())),
            ("ParametersFile", OptionKind::Text { default: String::new() }),
        ];
        let margins = Margins::numbers().map(|number| {
            let (low, high) = number.range();
            let default = number.value(&self.parameters);
            (number.name(), spin(default.into(), low.into(), high.into()))
        });
        let fixed = fixed.into_iter().map(|(name, kind)| (name.to_string(), kind));
        fixed.chain(margins).map(|(name, kind)| OptionDeclaration { name, kind }).collect()
    }

    /// Sets an option; its name's case does not matter. Returns what the engine must be told.
    /// Errors: unknown name, or a value that does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<EngineUpdate, String> {
        let declarations = self.declarations();
        let known = declarations.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Some(option) = known else { return self.set_number(name, value) };
        option.check(value)?;
        let text = value.unwrap_or_default();
        let number = || text.parse::<u32>().unwrap_or_default();
        let truth = text.eq_ignore_ascii_case("true");
        match option.name.as_str() {
            "Hash" => {
                check_memory(number() as usize)?;
                self.hash = number() as usize;
                return Ok(EngineUpdate::Hash);
            }
            "Clear Hash" => return Ok(EngineUpdate::Clear),
            // There is one thread to choose from, and pondering is up to the user interface.
            "Threads" | "Ponder" => {}
            "MultiPV" => self.multi_pv = number() as usize,
            "Move Overhead" => self.move_overhead = Duration::from_millis(number().into()),
            "UCI_Chess960" => self.chess960 = truth,
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
                self.parameters = match text {
                    "" | "<empty>" => Arc::clone(Parameters::embedded()),
                    path => Arc::new(Parameters::load(Path::new(path)).map_err(|e| e.to_string())?),
                };
            }
            margin => return self.set_number(margin, value),
        }
        Ok(EngineUpdate::Nothing)
    }

    /// Sets a margin or a number of a weight by its name.
    fn set_number(&mut self, name: &str, value: Option<&str>) -> Result<EngineUpdate, String> {
        let number = Parameters::find(name).map_err(|error| match error {
            NameError::Unknown { suggestion, .. } => format!("unknown option `{name}`{suggestion}"),
            other => other.to_string(),
        })?;
        let (low, high) = number.range();
        let value = value
            .and_then(|value| value.parse().ok())
            .ok_or_else(|| format!("option {name} takes an integer from {low} to {high}"))?;
        let mut parameters = Parameters::clone(&self.parameters);
        number.set(&mut parameters, value).map_err(|error| error.to_string())?;
        self.parameters = Arc::new(parameters);
        Ok(EngineUpdate::Nothing)
    }
}

/// Whether the system may have this many megabytes to give; a larger table would end the process.
/// Errors: it says that it has not.
pub fn check_memory(megabytes: usize) -> Result<(), String> {
    let reserved = Vec::<u8>::new().try_reserve_exact(megabytes << 20);
    reserved.map_err(|_| format!("the system has no {megabytes} megabytes for the table"))
}
