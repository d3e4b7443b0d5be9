//! A game for tests: all positions have the same moves, and White is always ahead by as much.

use parameters::{Named, ParameterSet, numbers};

use crate::value::{DRAW, Value};
use crate::{Game, GameMove, HistoryIndex, Margins, MoveClass, Ruling};

numbers! {
    /// A made-up evaluation.
    table Weights;

    /// A made-up group.
    group lead: Lead {
        /// How far White is ahead (centipawns).
        value: i32 in -5000..=5000,
    }
}

impl Named for Weights {
    const GAME_NAME: &'static str = "chess";
    const NAMED: &'static [(&'static str, &'static str)] = &[];
}

/// A set with the made-up evaluation.
pub(crate) type Set = ParameterSet<Weights, Margins>;

/// The margins of `data/parameters/default.toml`.
pub(crate) fn margins() -> Margins {
    let text = include_str!("../../../data/parameters/default.toml");
    let margins = &text[text.find("[margins.").expect("a table of margins")..];
    Set::from_toml(margins, "default.toml").expect("a correct set").margins
}

/// A move by its number in [`MadeUp::moves`], from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Numbered(pub u16);

impl GameMove for Numbered {
    const NONE: Numbered = Numbered(0);

    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Numbered {
        Numbered(bits)
    }
}

/// A kind of move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Noisy, with what it gains at once and in the end (centipawns).
    Noisy(Value, Value),
    Quiet,
    QuietCheck,
}

pub(crate) struct MadeUp {
    pub moves: Vec<What>,
    /// How far White is ahead (centipawns).
    pub lead: Value,
    pub played: Vec<Numbered>,
}

impl MadeUp {
    fn what(&self, mv: Numbered) -> What {
        self.moves[usize::from(mv.0) - 1]
    }
}

impl Game for MadeUp {
    type Move = Numbered;
    type Threats = ();
    type BuiltMargins = &'static Margins;
    const PIECE_TO_COUNT: usize = 32;
    const ROUTE_COUNT: usize = 32;
    const PRIZE_COUNT: usize = 1;

    fn mover(&self) -> usize {
        self.played.len() % 2
    }

    fn table_key(&self) -> u64 {
        self.played
            .iter()
            .fold(1, |key, mv| (key + u64::from(mv.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn likely_table_key_after(&self, _mv: Numbered) -> u64 {
        0
    }

    fn likely_table_key_after_pass(&self) -> u64 {
        0
    }

    fn play(&mut self, mv: Numbered) {
        self.played.push(mv);
    }

    fn pass(&mut self) {
        self.played.push(Numbered::NONE);
    }

    fn undo(&mut self) {
        self.played.pop();
    }

    fn may_pass(&self) -> bool {
        true
    }

    fn in_check(&self) -> bool {
        false
    }

    fn generate(&self, class: MoveClass, mut emit: impl FnMut(Numbered)) {
        for mv in (1..).map(Numbered).take(self.moves.len()) {
            let belongs = match class {
                MoveClass::Noisy => self.is_noisy(mv),
                MoveClass::Quiet => !self.is_noisy(mv),
                MoveClass::QuietChecks => self.gives_check(mv),
                MoveClass::Evasions => false,
            };
            if belongs {
                emit(mv);
            }
        }
    }

    fn is_plausible(&self, mv: Numbered) -> bool {
        (1..=self.moves.len()).contains(&usize::from(mv.0))
    }

    fn is_noisy(&self, mv: Numbered) -> bool {
        matches!(self.what(mv), What::Noisy(..))
    }

    fn gives_check(&self, mv: Numbered) -> bool {
        self.what(mv) == What::QuietCheck
    }

    fn gain(&self, mv: Numbered) -> Value {
        if let What::Noisy(gain, _) = self.what(mv) { gain } else { 0 }
    }

    fn exchange_at_least(&self, mv: Numbered, threshold: Value) -> bool {
        let net = if let What::Noisy(_, net) = self.what(mv) { net } else { 0 };
        net >= threshold
    }

    fn threats(&self) {}

    fn history_index(&self, mv: Numbered, _threats: ()) -> HistoryIndex {
        HistoryIndex { piece_to: usize::from(mv.0), route: usize::from(mv.0), prize: 0 }
    }

    fn structure_key(&self) -> u64 {
        0
    }

    fn evaluate(&mut self) -> Value {
        if self.mover() == 0 { self.lead } else { -self.lead }
    }

    fn ruling(&mut self, _ply: usize, _depth: i32) -> Ruling {
        Ruling::Open
    }

    fn stuck(&self, _ply: usize) -> Value {
        DRAW
    }
}
