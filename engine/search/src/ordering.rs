//! The order in which a node tries its moves: likely refutations first, each group made only when
//! it is needed.

use std::marker::PhantomData;

use parameters::group;

use super::Search;
use super::audit::Auditor;
use super::game::{Game, GameMove, MoveClass};
use super::memory::history::Rows;

group! {
    /// Order of noisy moves (Kornilov pp. 61-65).
    Ordering, sound {
        /// Weight of a centipawn of gain against a point of capture history (points).
        gain_weight: i32 = 24 in 1..=100 step 4,
        /// Loss by exchanges that still counts as a good move (centipawns).
        exchange_margin: i32 = 20 in 0..=200 step 10,
    }
}

/// A generated move with its points. One number holds both, and the move's place in the list: the
/// greatest number is the best move, the first among equals.
#[derive(Clone, Copy)]
pub(super) struct Scored<M> {
    /// From the highest bit down: points in 32 bits; sixteen that fall as the place rises; the move
    /// in sixteen.
    rank: i64,
    kind: PhantomData<M>,
}

impl<M: GameMove> Scored<M> {
    fn new(mv: M, points: i32, place: usize) -> Scored<M> {
        let low = LAST_PLACE - place as i64;
        let rank = i64::from(points) << POINTS_AT | low << PLACE_AT | i64::from(mv.bits());
        Scored { rank, kind: PhantomData }
    }

    pub(super) fn mv(self) -> M {
        M::from_bits(self.rank as u16)
    }

    fn place(self) -> usize {
        (LAST_PLACE - (self.rank >> PLACE_AT & LAST_PLACE)) as usize
    }

    /// The same at another place.
    fn moved_to(self, place: usize) -> Scored<M> {
        let low = LAST_PLACE - place as i64;
        let rank = self.rank & !(LAST_PLACE << PLACE_AT) | low << PLACE_AT;
        Scored { rank, ..self }
    }

    fn add(&mut self, points: i32) {
        self.rank += i64::from(points) << POINTS_AT;
    }
}

const PLACE_AT: u32 = 16;
const POINTS_AT: u32 = 32;
/// More moves than the nodes of one line can have.
const LAST_PLACE: i64 = u16::MAX as i64;

/// Of answers to a check noisy ones come first: beyond all points of quiet moves.
const NOISY_FIRST: i32 = 1 << 26;

/// Appends a move to the list.
pub(super) fn append<M: GameMove>(moves: &mut Vec<Scored<M>>, mv: M, points: i32) {
    moves.push(Scored::new(mv, points, moves.len()));
}

/// What a picker has next.
pub(super) enum Pick<M> {
    /// This move.
    Move(M),
    /// No move yet: quiet ones are about to be generated, and may still be dropped.
    QuietsNext,
    /// Nothing: that was all.
    End,
}

/// Which quiet moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quiets {
    None,
    Checks,
    All,
}

/// Hands out the moves of one node, one by one.
///
/// All nodes share one stack of moves; a picker owns what lies above the place where it began, and
/// whoever made the picker cuts the stack back to where it was.
pub(super) trait Picker<G: Game>: Clone {
    /// The next move. That quiet moves come next is said once, if at all.
    fn next<A: Auditor<G>>(&mut self, search: &mut Search<G, A>) -> Pick<G::Move>;

    /// Whether the last move was one of the generated quiet ones, and others are wanted that give no
    /// check.
    fn is_among_quiets(&self) -> bool {
        false
    }

    /// From now on no quiet moves are wanted but these. Where all moves must be tried, nothing
    /// changes.
    fn keep_quiets<A: Auditor<G>>(&mut self, _kept: Quiets, _search: &mut Search<G, A>) {}
}

/// The moves of the root in the order of the last iteration, from the variation now searched on.
#[derive(Clone)]
pub(super) struct RootPicker {
    index: usize,
    end: usize,
}

impl RootPicker {
    pub(super) fn new<G: Game, A: Auditor<G>>(search: &mut Search<G, A>) -> RootPicker {
        let index = search.variation_index;
        RootPicker { index, end: index + search.root_moves_of_variation().len() }
    }
}

impl<G: Game> Picker<G> for RootPicker {
    fn next<A: Auditor<G>>(&mut self, search: &mut Search<G, A>) -> Pick<G::Move> {
        if self.index == self.end {
            return Pick::End;
        }
        self.index += 1;
        Pick::Move(search.root_moves[self.index - 1].mv)
    }
}

/// Where a [`TacticalPicker`] stands.
#[derive(Clone, Copy)]
enum TacticalStep {
    Table,
    Generate,
    Others,
}

/// The moves of a node that tries one class of moves only: noisy ones in quiescence and for ProbCut,
/// and the answers to a check anywhere.
#[derive(Clone)]
pub(super) struct TacticalPicker<M> {
    step: TacticalStep,
    class: MoveClass,
    table_move: M,
    ply: usize,
    rows: Rows,
    cursor: usize,
}

impl<M: GameMove> TacticalPicker<M> {
    /// Moves of the class that suits the node, the table's move first, which must be one of them.
    pub(super) fn new<G: Game<Move = M>, A: Auditor<G>>(
        search: &Search<G, A>,
        ply: usize,
        table_move: M,
        in_check: bool,
    ) -> TacticalPicker<M> {
        let known = table_move != M::NONE;
        TacticalPicker {
            step: if known { TacticalStep::Table } else { TacticalStep::Generate },
            class: if in_check { MoveClass::Evasions } else { MoveClass::Noisy },
            table_move,
            ply,
            rows: search.rows(ply),
            cursor: search.moves.len(),
        }
    }

    /// The next move, or none after the last.
    pub(super) fn next_move<G: Game<Move = M>, A: Auditor<G>>(
        &mut self,
        search: &mut Search<G, A>,
    ) -> Option<M> {
        if matches!(self.step, TacticalStep::Table) {
            self.step = TacticalStep::Generate;
            return Some(self.table_move);
        }
        if matches!(self.step, TacticalStep::Generate) {
            self.step = TacticalStep::Others;
            match self.class {
                MoveClass::Evasions => search.generate_evasions(self.rows, self.ply),
                _ => search.generate_noisy(),
            }
        }
        loop {
            let mv = next_best(&mut search.moves, &mut self.cursor)?;
            if mv != self.table_move {
                return Some(mv);
            }
        }
    }
}

impl<G: Game> Picker<G> for TacticalPicker<G::Move> {
    fn next<A: Auditor<G>>(&mut self, search: &mut Search<G, A>) -> Pick<G::Move> {
        self.next_move(search).map_or(Pick::End, Pick::Move)
    }
}

/// Where a [`MainPicker`] stands.
#[derive(Clone, Copy)]
enum MainStep {
    Table,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    Counter,
    BeforeQuiet,
    GenerateQuiet,
    Quiet,
    LosingNoisy,
}

/// All moves of a node of the main search that is neither the root nor in check.
#[derive(Clone)]
pub(super) struct MainPicker<M> {
    step: MainStep,
    table_move: M,
    killers: [M; 2],
    counter: M,
    /// Noisy moves that lose material, put off to the end, lie in `start..losing_end`.
    start: usize,
    losing_end: usize,
    cursor: usize,
    ply: usize,
    rows: Rows,
    quiets: Quiets,
    /// Where the present list of quiet moves begins; before it, from `losing_end` on, lie those that an
    /// earlier one had handed out.
    list_from: usize,
}

impl<M: GameMove> MainPicker<M> {
    /// The table's move must be playable.
    pub(super) fn new<G: Game<Move = M>, A: Auditor<G>>(
        search: &Search<G, A>,
        ply: usize,
        table_move: M,
    ) -> MainPicker<M> {
        let rows = search.rows(ply);
        // CITE: Selim G. Akl and Monroe M. Newborn, "The Principal Continuation and the Killer
        // Heuristic" (1977).
        let killers = search.frame(ply).killers;
        // CITE: Jos W. H. M. Uiterwijk, "The Countermove Heuristic" (1992).
        let counter = search.memory.histories.counter(rows.last());
        let start = search.moves.len();
        let known = table_move != M::NONE;
        MainPicker {
            step: if known { MainStep::Table } else { MainStep::GenerateNoisy },
            table_move,
            killers,
            counter: if killers.contains(&counter) { M::NONE } else { counter },
            start,
            losing_end: start,
            cursor: start,
            ply,
            rows,
            quiets: Quiets::All,
            list_from: start,
        }
    }

    /// Whether the quiet move that was just taken from the list had its turn before.
    fn was_tried<G: Game<Move = M>, A: Auditor<G>>(&self, search: &Search<G, A>, mv: M) -> bool {
        let earlier = &search.moves[self.losing_end..self.list_from];
        mv == self.table_move
            || self.killers.contains(&mv)
            || mv == self.counter
            || earlier.iter().any(|tried| tried.mv() == mv)
    }

    fn generate_quiet<G: Game<Move = M>, A: Auditor<G>>(&self, search: &mut Search<G, A>) {
        match self.quiets {
            Quiets::All => search.generate_quiet(MoveClass::Quiet, self.rows, self.ply),
            Quiets::Checks => search.generate_quiet(MoveClass::QuietChecks, self.rows, self.ply),
            Quiets::None => {}
        }
    }

    /// A quiet move of other nodes, if it is wanted and one here too. Most nodes are cut before they
    /// come to ask: as a part of its caller, what it needs would be made ready before it is known
    /// whether it is asked at all.
    #[inline(never)]
    fn wanted_quiet<G: Game<Move = M>, A: Auditor<G>>(
        &self,
        search: &Search<G, A>,
        mv: M,
    ) -> Option<M> {
        let usable = self.quiets != Quiets::None
            && mv != M::NONE
            && mv != self.table_move
            && search.game.is_plausible(mv)
            && !search.game.is_noisy(mv);
        usable.then_some(mv)
    }

    /// What comes after the table's move. One step after the other, and no loop over steps: before a loop
    /// everything would be made ready that any of them needs.
    #[inline(never)]
    fn next_after_table<G: Game<Move = M>, A: Auditor<G>>(
        &mut self,
        search: &mut Search<G, A>,
    ) -> Pick<M> {
        if matches!(self.step, MainStep::GenerateNoisy) {
            search.generate_noisy();
            self.step = MainStep::GoodNoisy;
        }
        if matches!(self.step, MainStep::GoodNoisy) {
            if let Some(mv) = self.next_good_noisy(search) {
                return Pick::Move(mv);
            }
            self.step = MainStep::FirstKiller;
        }
        if matches!(self.step, MainStep::FirstKiller) {
            self.step = MainStep::SecondKiller;
            if let Some(mv) = self.wanted_quiet(search, self.killers[0]) {
                return Pick::Move(mv);
            }
        }
        if matches!(self.step, MainStep::SecondKiller) {
            self.step = MainStep::Counter;
            if let Some(mv) = self.wanted_quiet(search, self.killers[1]) {
                return Pick::Move(mv);
            }
        }
        if matches!(self.step, MainStep::Counter) {
            self.step = MainStep::BeforeQuiet;
            if let Some(mv) = self.wanted_quiet(search, self.counter) {
                return Pick::Move(mv);
            }
        }
        if matches!(self.step, MainStep::BeforeQuiet) {
            self.step = MainStep::GenerateQuiet;
            if self.quiets == Quiets::All {
                return Pick::QuietsNext;
            }
        }
        if matches!(self.step, MainStep::GenerateQuiet) {
            search.moves.truncate(self.losing_end);
            self.cursor = self.losing_end;
            self.list_from = self.losing_end;
            self.step = MainStep::Quiet;
            self.generate_quiet(search);
        }
        if matches!(self.step, MainStep::Quiet) {
            while let Some(mv) = next_best(&mut search.moves, &mut self.cursor) {
                if !self.was_tried(search, mv) {
                    return Pick::Move(mv);
                }
            }
            self.cursor = self.start;
            self.step = MainStep::LosingNoisy;
        }
        if self.cursor == self.losing_end {
            return Pick::End;
        }
        self.cursor += 1;
        Pick::Move(search.moves[self.cursor - 1].mv())
    }

    /// The next noisy move that does not lose material; those that do are put off.
    fn next_good_noisy<G: Game<Move = M>, A: Auditor<G>>(
        &mut self,
        search: &mut Search<G, A>,
    ) -> Option<M> {
        while let Some(mv) = next_best(&mut search.moves, &mut self.cursor) {
            if mv == self.table_move {
                continue;
            }
            let threshold = -search.margins.ordering.exchange_margin;
            if search.game.exchange_under_threats(mv, threshold, search.threats[self.ply]) {
                return Some(mv);
            }
            search.moves[self.losing_end] = Scored::new(mv, 0, self.losing_end);
            self.losing_end += 1;
        }
        None
    }
}

impl<G: Game> Picker<G> for MainPicker<G::Move> {
    #[inline(always)]
    fn next<A: Auditor<G>>(&mut self, search: &mut Search<G, A>) -> Pick<G::Move> {
        if matches!(self.step, MainStep::Table) {
            self.step = MainStep::GenerateNoisy;
            return Pick::Move(self.table_move);
        }
        self.next_after_table(search)
    }

    fn is_among_quiets(&self) -> bool {
        matches!(self.step, MainStep::Quiet) && self.quiets == Quiets::All
    }

    fn keep_quiets<A: Auditor<G>>(&mut self, kept: Quiets, search: &mut Search<G, A>) {
        if kept >= self.quiets {
            return;
        }
        self.quiets = kept;
        // Those in the list, if there are any yet, make room for those that are wanted.
        if matches!(self.step, MainStep::Quiet) {
            self.list_from = self.cursor;
            search.moves.truncate(self.cursor);
            self.generate_quiet(search);
        }
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Noisy moves: the greater the gain the better, then what history says.
    #[inline(never)]
    fn generate_noisy(&mut self) {
        let floor = self.moves.len();
        let Search { game, memory, moves, margins, .. } = self;
        let game = &**game;
        game.generate(MoveClass::Noisy, |mv| append(moves, mv, 0));
        for scored in &mut moves[floor..] {
            let mv = scored.mv();
            let index = game.history_index(mv, G::Threats::default());
            let history = memory.histories.noisy(index);
            scored.add(game.gain(mv) * margins.ordering.gain_weight + history);
        }
    }

    /// Quiet moves of this class, by history alone. Not a part of its caller for the reason that
    /// [`MainPicker::wanted_quiet`] has.
    #[inline(never)]
    fn generate_quiet(&mut self, class: MoveClass, rows: Rows, ply: usize) {
        let floor = self.moves.len();
        let threats = self.threats_of_histories(ply);
        let Search { game, memory, moves, margins, .. } = self;
        let game = &**game;
        game.generate(class, |mv| append(moves, mv, 0));
        let points = memory.histories.quiet_points(margins, rows);
        for scored in &mut moves[floor..] {
            let index = game.history_index(scored.mv(), threats);
            debug_assert_eq!(points.of(index), memory.histories.quiet(margins, index, rows));
            scored.add(points.of(index));
        }
    }

    /// Answers to a check: captures by gain, before the others by history.
    #[inline(never)]
    fn generate_evasions(&mut self, rows: Rows, ply: usize) {
        let floor = self.moves.len();
        let threats = self.threats_of_histories(ply);
        let Search { game, memory, moves, margins, .. } = self;
        game.generate(MoveClass::Evasions, |mv| append(moves, mv, 0));
        for scored in &mut moves[floor..] {
            let mv = scored.mv();
            let points = if game.is_noisy(mv) {
                NOISY_FIRST + game.gain(mv) * margins.ordering.gain_weight
            } else {
                memory.histories.quiet(margins, game.history_index(mv, threats), rows)
            };
            scored.add(points);
        }
    }
}

/// Brings the best of the moves from the cursor on, the first among equals, to its place, and the
/// cursor behind it: cheaper than sorting when a cutoff comes early.
fn next_best<M: GameMove>(moves: &mut [Scored<M>], cursor: &mut usize) -> Option<M> {
    let rest = moves.get(*cursor..).filter(|rest| !rest.is_empty())?;
    // As a fold it becomes instructions on several moves at once.
    let rank = rest.iter().fold(i64::MIN, |rank, scored| rank.max(scored.rank));
    let best = Scored { rank, kind: PhantomData };
    moves[best.place()] = moves[*cursor].moved_to(best.place());
    moves[*cursor] = best;
    *cursor += 1;
    Some(best.mv())
}

#[cfg(test)]
mod tests {
    use super::super::Memory;
    use super::super::audit::Unaudited;
    use super::super::limits::{Control, Limits};
    use super::*;
    use crate::made_up::{MadeUp, Numbered, What, margins};

    /// Captures that gain and lose, and quiet moves of which two give check.
    fn game() -> MadeUp {
        let (quiet, check) = (What::Quiet, What::QuietCheck);
        let moves = vec![
            quiet,
            What::Noisy(500, 300),
            check,
            quiet,
            What::Noisy(100, -400),
            quiet,
            What::Noisy(900, 900),
            check,
            quiet,
            What::Noisy(100, -800),
            quiet,
        ];
        MadeUp { moves, lead: 0, played: Vec::new() }
    }

    /// The moves that a picker hands out with this killer, of which futile ones are skipped after so many
    /// quiet ones, if at all: 0 is before their generation.
    fn picked(killer: Numbered, skipped_after: Option<usize>) -> Vec<Numbered> {
        let (mut game, margins) = (game(), margins());
        let mut memory = Memory::new(1);
        let (limits, control) = (Limits::default(), Control::new());
        let mut search =
            Search::new(&mut game, &margins, &mut memory, &limits, &control, Unaudited::new());
        search.frame_mut(0).killers[0] = killer;
        let mut picker = MainPicker::new(&search, 0, Numbered::NONE);
        let (mut moves, mut quiets) = (Vec::new(), 0);
        loop {
            match picker.next(&mut search) {
                Pick::Move(mv) => {
                    moves.push(mv);
                    let is_quiet = Picker::<MadeUp>::is_among_quiets(&picker);
                    quiets += usize::from(is_quiet);
                    if is_quiet && Some(quiets) == skipped_after {
                        picker.keep_quiets(Quiets::Checks, &mut search);
                    }
                }
                Pick::QuietsNext if skipped_after == Some(0) => {
                    picker.keep_quiets(Quiets::Checks, &mut search)
                }
                Pick::QuietsNext => {}
                Pick::End => return moves,
            }
        }
    }

    #[test]
    fn captures_that_gain_come_first_and_those_that_lose_last() {
        let killer = Numbered(4);
        let moves = picked(killer, None);
        assert_eq!(moves[..3], [Numbered(7), Numbered(2), killer]);
        assert_eq!(moves[9..], [Numbered(5), Numbered(10)]);
    }

    #[test]
    fn checks_and_captures_are_left_when_futile_moves_are_skipped() {
        let game = game();
        for killer in [Numbered(3), Numbered(4)] {
            let all = picked(killer, None);
            assert_eq!(all.len(), game.moves.len());
            for quiets in 0..all.len() {
                let some = picked(killer, Some(quiets));
                let mut once = some.clone();
                once.sort();
                once.dedup();
                assert_eq!(once.len(), some.len(), "after {quiets}: a move twice");
                let is_kept = |mv: &&Numbered| {
                    game.is_noisy(**mv) || **mv == killer || game.gives_check(**mv)
                };
                let left: Vec<_> = all.iter().filter(is_kept).collect();
                assert!(left.iter().all(|mv| some.contains(mv)), "after {quiets}: one is missing");
                let others = some.iter().filter(|mv| !left.contains(mv)).count();
                assert!(others <= quiets, "{others} others after {quiets}");
            }
        }
    }
}
