//! The game as the search may know it. Nothing else of it exists for the search.

use parameters::Source;

use super::Margins;
use super::value::{DRAW, Value};

/// A move of the game, small enough for sixteen bits of the transposition table.
pub trait GameMove: Copy + Eq + std::fmt::Debug {
    /// No move; its bits are zero.
    const NONE: Self;

    /// The move in sixteen bits, different for different moves of one position.
    fn bits(self) -> u16;

    /// The move of these bits; any bits are accepted, see [`Game::is_plausible`].
    fn from_bits(bits: u16) -> Self;
}

/// Which moves to generate. The classes of one position are disjoint, but for quiet checks, which are
/// quiet moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveClass {
    /// Moves that change the balance at once, when the mover is not in check. Leaves are searched on
    /// with these alone, so they must be few, and soon exhausted.
    Noisy,
    /// All others, when the mover is not in check.
    Quiet,
    /// Those quiet moves that give check, when the mover is not in check; rare ones may be missing.
    QuietChecks,
    /// All moves, when the mover is in check.
    Evasions,
}

/// What the rules say about a position before anyone has looked further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// Nothing: the game goes on.
    Open,
    /// The game is over, or as good as over, with this value.
    Exact(Value),
    /// The mover is sure of this value.
    AtLeast(Value),
    /// The mover cannot have more than this value.
    AtMost(Value),
}

/// Where the histories keep a move, as three indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryIndex {
    /// Who moves where to: below [`Game::PIECE_TO_COUNT`].
    pub piece_to: usize,
    /// From where to where, by side, and whether under threat: below [`Game::ROUTE_COUNT`].
    pub route: usize,
    /// What kind of thing the move wins: below [`Game::PRIZE_COUNT`].
    pub prize: usize,
}

/// A position of a two-player game in which players take turns and one's gain is the other's loss.
pub trait Game {
    /// A move of the game.
    type Move: GameMove;
    /// What the opponent threatens, as far as it tells moves of the same route apart; its default is
    /// nothing.
    type Threats: Copy + Default;
    /// The margins of the build as constants; for a game that has none, `&'static Margins`.
    type BuiltMargins: Source<Margins>;
    /// Exclusive bound of [`HistoryIndex::piece_to`].
    const PIECE_TO_COUNT: usize;
    /// Exclusive bound of [`HistoryIndex::route`].
    const ROUTE_COUNT: usize;
    /// Exclusive bound of [`HistoryIndex::prize`].
    const PRIZE_COUNT: usize;
    /// Number of keys by which evaluation errors are remembered; none where they are not.
    const CORRECTION_KEYS: usize = 0;

    /// Whose turn it is: 0 or 1.
    fn mover(&self) -> usize;

    /// The number of the move about to be played, from 1; games that do not count say 1.
    fn move_number(&self) -> u32 {
        1
    }

    /// A key for the transposition table, which differs for positions that differ in what they are worth: by
    /// a counter near its limit, or by what stood on the board before, too.
    fn table_key(&self) -> u64;

    /// The most likely [`Game::table_key`] after the move: a wrong guess costs time alone.
    fn likely_table_key_after(&self, mv: Self::Move) -> u64;

    /// As [`Game::likely_table_key_after`], of a pass.
    fn likely_table_key_after_pass(&self) -> u64;

    /// Plays a move that was generated here or is plausible.
    fn play(&mut self, mv: Self::Move);

    /// Gives the turn to the other side; only where [`Game::may_pass`] allows, and never in check.
    fn pass(&mut self);

    /// Takes back the last [`Game::play`] or [`Game::pass`].
    fn undo(&mut self);

    /// True where "some move is at least as good as passing" can be relied on, but for a check:
    /// there a null move tells something.
    fn may_pass(&self) -> bool;

    /// True where moves may be skipped unsearched in the trust that another will do. Without it the
    /// search is nearly of full width, so that zugzwang must be the rule for a no.
    fn may_skip(&self) -> bool {
        self.may_pass()
    }

    /// True if the mover must answer a threat to lose at once.
    fn in_check(&self) -> bool;

    /// Hands all legal moves of a class to `emit`.
    fn generate(&self, class: MoveClass, emit: impl FnMut(Self::Move));

    /// True if the move, which may come from another position, can be played here.
    fn is_plausible(&self, mv: Self::Move) -> bool;

    /// True if the move is one of [`MoveClass::Noisy`]. The move must be playable here.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// True if the move leaves the opponent in check; rare cases may be missed. The move must be
    /// playable here.
    fn gives_check(&self, mv: Self::Move) -> bool;

    /// What the move wins at once, in centipawns, before any answer.
    fn gain(&self, mv: Self::Move) -> Value;

    /// True if the sequence of exchanges that the move begins nets the mover `threshold` centipawns
    /// or more.
    fn exchange_at_least(&self, mv: Self::Move, threshold: Value) -> bool;

    /// The same, where it is known what the opponent threatens ([`Game::threats`]): most moves go where
    /// nobody can answer them.
    fn exchange_under_threats(
        &self,
        mv: Self::Move,
        threshold: Value,
        _threats: Self::Threats,
    ) -> bool {
        self.exchange_at_least(mv, threshold)
    }

    /// What the opponent threatens.
    fn threats(&self) -> Self::Threats;

    /// Where the histories keep the move under these threats. The move must be playable here.
    fn history_index(&self, mv: Self::Move, threats: Self::Threats) -> HistoryIndex;

    /// A key of what changes slowly in the position: moves that are good in one structure often
    /// are in positions of the same.
    fn structure_key(&self) -> u64;

    /// Keys of those features of the position (and of whose turn it is) by which evaluation errors
    /// are remembered, [`Game::CORRECTION_KEYS`] of them; that of slow changes first, if there is one.
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> + use<Self> {
        []
    }

    /// The evaluation in centipawns from the mover's view, well clear of mate scores.
    fn evaluate(&mut self) -> Value;

    /// The margins of the build, if these are equal to them and all else that the game is played with is
    /// the build's, too: a search that has them as constants is then the same, but faster.
    fn built_margins(&self, _margins: &Margins) -> Option<Self::BuiltMargins> {
        None
    }

    /// As [`Game::evaluate`], of a game that is played with the numbers of the build.
    fn evaluate_as_built(&mut self) -> Value {
        self.evaluate()
    }

    /// What the rules say, `ply` plies below the position that was asked about. Where `depth` plies
    /// are still to be searched, more than none, what takes time to look up may be looked up.
    fn ruling(&mut self, ply: usize, depth: i32) -> Ruling;

    /// How many positions were looked up where their outcome is known, and found, for this search.
    fn look_ups(&self) -> u64 {
        0
    }

    /// What a draw is worth to the mover.
    fn draw(&self) -> Value {
        DRAW
    }

    /// The value that the mover is sure of if he can repeat a position of the last `ply` plies, which
    /// began with the position that was asked about. Values that would not raise `alpha` may be missed,
    /// and others, too.
    fn upcoming_repetition(&self, _alpha: Value, _ply: usize) -> Ruling {
        Ruling::Open
    }

    /// The value when the mover has no legal move, `ply` plies below the position that was asked
    /// about.
    fn stuck(&self, ply: usize) -> Value;

    /// All legal moves, for callers to whom speed is nothing.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        if self.in_check() {
            self.generate(MoveClass::Evasions, |mv| moves.push(mv));
        } else {
            self.generate(MoveClass::Noisy, |mv| moves.push(mv));
            self.generate(MoveClass::Quiet, |mv| moves.push(mv));
        }
        moves
    }
}
