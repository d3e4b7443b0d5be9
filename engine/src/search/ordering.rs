//! The order in which a node tries its moves: likely refutations first, each group made only when
//! it is needed.

use super::Search;
use super::history::{Histories, Rows};
use super::position::{GameMove, Position, Stage};

/// A generated move and its place in the order.
#[derive(Clone, Copy)]
pub(super) struct Scored<M> {
    pub(super) mv: M,
    pub(super) points: i32,
}

/// Where a [`Picker`] stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Step {
    Table,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    Counter,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    GenerateEvasions,
    Evasions,
    Root,
    Done,
}

/// Hands out the moves of one node, one by one.
///
/// All nodes share one stack of moves; a picker owns what lies above `start`, and whoever made the
/// picker cuts the stack back to where it was.
pub(super) struct Picker<M> {
    step: Step,
    table_move: M,
    killers: [M; 2],
    counter: M,
    /// Captures that lose material, put off to the end, lie in `start..bad_end`.
    start: usize,
    bad_end: usize,
    cursor: usize,
    rows: Rows,
    /// Quiet moves are wanted too.
    quiet_too: bool,
    /// Noisy moves that lose material are put off to the end.
    losses_last: bool,
}

impl<M: GameMove> Picker<M> {
    /// All moves of a node of the main search.
    pub(super) fn new<P>(search: &Search<P>, ply: usize, table_move: M, in_check: bool) -> Picker<M>
    where
        P: Position<Move = M>,
    {
        let rows = search.rows(ply);
        let usable = |mv: M| {
            let quiet = |mv| !search.position.is_noisy(mv);
            if mv != table_move && search.position.is_plausible(mv) && quiet(mv) {
                mv
            } else {
                M::NONE
            }
        };
        let mut picker = Picker::bare(search, table_move, rows, in_check);
        if !in_check {
            picker.killers = search.frame(ply).killers.map(usable);
            let counter = usable(search.memory.histories.counter(rows[0]));
            if !picker.killers.contains(&counter) {
                picker.counter = counter;
            }
        }
        picker
    }

    /// The moves of a quiescence node: noisy ones, or all that answer a check.
    pub(super) fn noisy<P>(
        search: &Search<P>,
        ply: usize,
        table_move: M,
        in_check: bool,
    ) -> Picker<M>
    where
        P: Position<Move = M>,
    {
        let mut picker = Picker::bare(search, table_move, search.rows(ply), in_check);
        picker.quiet_too = in_check;
        picker.losses_last = false;
        picker
    }

    /// The moves of the root in the order of the last iteration, from the line now searched on.
    pub(super) fn root<P>(search: &Search<P>) -> Picker<M>
    where
        P: Position<Move = M>,
    {
        let mut picker = Picker::bare(search, M::NONE, [Histories::<P>::NO_ROW; 3], false);
        picker.step = Step::Root;
        picker.cursor = search.line_index;
        picker
    }

    fn bare<P>(search: &Search<P>, table_move: M, rows: Rows, in_check: bool) -> Picker<M>
    where
        P: Position<Move = M>,
    {
        let known = table_move != M::NONE;
        let start = search.moves.len();
        Picker {
            step: match (known, in_check) {
                (true, _) => Step::Table,
                (false, true) => Step::GenerateEvasions,
                (false, false) => Step::GenerateNoisy,
            },
            table_move,
            killers: [M::NONE; 2],
            counter: M::NONE,
            start,
            bad_end: start,
            cursor: start,
            rows,
            quiet_too: true,
            losses_last: true,
        }
    }

    /// From now on quiet moves are not wanted.
    pub(super) fn skip_quiets(&mut self) {
        self.quiet_too = false;
    }

    /// The next move, or none after the last.
    pub(super) fn next<P>(&mut self, search: &mut Search<P>) -> Option<M>
    where
        P: Position<Move = M>,
    {
        loop {
            match self.step {
                Step::Table => {
                    let in_check = search.position.in_check();
                    self.step = if in_check { Step::GenerateEvasions } else { Step::GenerateNoisy };
                    return Some(self.table_move);
                }
                Step::GenerateNoisy => {
                    self.generate_noisy(search);
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.next_good_noisy(search) {
                    Some(mv) => return Some(mv),
                    None => self.step = Step::FirstKiller,
                },
                Step::FirstKiller => {
                    self.step = Step::SecondKiller;
                    if let Some(mv) = self.wanted_quiet(self.killers[0]) {
                        return Some(mv);
                    }
                }
                Step::SecondKiller => {
                    self.step = Step::Counter;
                    if let Some(mv) = self.wanted_quiet(self.killers[1]) {
                        return Some(mv);
                    }
                }
                Step::Counter => {
                    self.step = Step::GenerateQuiet;
                    if let Some(mv) = self.wanted_quiet(self.counter) {
                        return Some(mv);
                    }
                }
                Step::GenerateQuiet => {
                    search.moves.truncate(self.bad_end);
                    self.cursor = self.bad_end;
                    if self.quiet_too {
                        self.generate_quiet(search);
                    }
                    self.step = Step::Quiet;
                }
                Step::Quiet => {
                    let next = if self.quiet_too { self.next_best(search) } else { None };
                    match next {
                        Some(mv) if self.was_tried(mv) => {}
                        Some(mv) => return Some(mv),
                        None => {
                            self.cursor = self.start;
                            self.step = Step::BadNoisy;
                        }
                    }
                }
                Step::BadNoisy => {
                    if self.cursor == self.bad_end {
                        self.step = Step::Done;
                    } else {
                        self.cursor += 1;
                        return Some(search.moves[self.cursor - 1].mv);
                    }
                }
                Step::GenerateEvasions => {
                    self.generate_evasions(search);
                    self.step = Step::Evasions;
                }
                Step::Evasions => match self.next_best(search) {
                    Some(mv) if mv == self.table_move => {}
                    Some(mv) => return Some(mv),
                    None => self.step = Step::Done,
                },
                Step::Root => {
                    let mv = search.root_moves.get(self.cursor)?.mv;
                    self.cursor += 1;
                    return Some(mv);
                }
                Step::Done => return None,
            }
        }
    }

    fn was_tried(&self, mv: M) -> bool {
        mv == self.table_move || self.killers.contains(&mv) || mv == self.counter
    }

    fn wanted_quiet(&self, mv: M) -> Option<M> {
        (mv != M::NONE && self.quiet_too).then_some(mv)
    }

    /// Noisy moves: the greater the gain the better, then what history says.
    fn generate_noisy<P: Position<Move = M>>(&self, search: &mut Search<P>) {
        let Search { position, memory, moves, margins, .. } = search;
        position.generate(Stage::Noisy, |mv| {
            let history = memory.histories.noisy(position.cells(mv));
            let points = position.gain(mv) * margins.ordering.gain_weight + history;
            moves.push(Scored { mv, points });
        });
    }

    fn generate_quiet<P: Position<Move = M>>(&self, search: &mut Search<P>) {
        let Search { position, memory, moves, .. } = search;
        position.generate(Stage::Quiet, |mv| {
            let points = memory.histories.quiet(position.cells(mv), self.rows);
            moves.push(Scored { mv, points });
        });
    }

    /// Answers to a check: captures by gain, before the others by history.
    fn generate_evasions<P: Position<Move = M>>(&self, search: &mut Search<P>) {
        const NOISY_FIRST: i32 = 1 << 20;
        let Search { position, memory, moves, margins, .. } = search;
        position.generate(Stage::Evasions, |mv| {
            let points = if position.is_noisy(mv) {
                NOISY_FIRST + position.gain(mv) * margins.ordering.gain_weight
            } else {
                memory.histories.quiet(position.cells(mv), self.rows)
            };
            moves.push(Scored { mv, points });
        });
    }

    /// The next noisy move that does not lose material; those that do are put off.
    fn next_good_noisy<P: Position<Move = M>>(&mut self, search: &mut Search<P>) -> Option<M> {
        while let Some(mv) = self.next_best(search) {
            if mv == self.table_move {
                continue;
            }
            if !self.losses_last
                || search.position.exchange_at_least(mv, -search.margins.ordering.exchange_margin)
            {
                return Some(mv);
            }
            search.moves[self.bad_end].mv = mv;
            self.bad_end += 1;
        }
        None
    }

    /// Brings the best of the remaining moves to the front: cheaper than sorting when a cutoff
    /// comes early.
    fn next_best<P: Position<Move = M>>(&mut self, search: &mut Search<P>) -> Option<M> {
        let rest = &mut search.moves[self.cursor..];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].points > rest[best].points {
                best = index;
            }
        }
        let found = *rest.get(best)?;
        rest.swap(0, best);
        self.cursor += 1;
        Some(found.mv)
    }
}
