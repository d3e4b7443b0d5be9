//! Several threads at one root: helpers search what the main thread searches, each with a game and
//! histories of its own, and all share what they find through the table alone. The main thread
//! reports, looks at the clock and ends the search; then all say what they would play.
//!
//! Helpers are started for one search: that takes 50 to 80 µs of processor time each, as much as a
//! hundred nodes, and then nobody waits for work or must be told to end. What they have learned
//! stays in their [`Helper`].
//!
//! With one thread the count of nodes is exact. `sprt` and `tuner` search with one thread, so that
//! their runs can be repeated.
//!
//! CITE: Daniel Homan and Martin Sedlak, "Lazy SMP" (talkchess.com, 2013).

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use parameters::Source;

use crate::audit::Unaudited;
use crate::root::iterate::wait_until_asked;
use crate::value::{MATE_IN_MAX, Value};
use crate::{
    CHECK_INTERVAL, Control, Game, GameMove, Limits, Margins, Memory, Outcome, Progress, Search,
    Table,
};

/// Most threads of a search.
pub const THREADS_MAX: usize = 512;
/// Stack of a thread that searches, in bytes: the search is recursive.
pub const STACK: usize = 32 << 20;

/// A thread beside the main one: the game it plays on, and what it has learned.
pub struct Helper<G> {
    /// The position to search; the caller sets it as the main thread's.
    pub game: G,
    memory: Memory<G>,
}

/// What a thread would answer, and its last report, which is of this answer.
struct Ballot<M> {
    outcome: Outcome<M>,
    report: Option<Progress<M>>,
}

/// Searches as [`crate::search()`] does, with helpers; without any it is the same. A limit of nodes
/// is one of their sum, which `on_info` and the outcome tell. Where the system has no more threads
/// to give, fewer search.
///
/// # Panics
/// If a helper has panicked; all threads have ended then.
pub fn search_together<G>(
    game: &mut G,
    margins: &Margins,
    memory: &mut Memory<G>,
    helpers: &mut [Helper<G>],
    limits: &Limits<G::Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<G::Move>),
) -> Outcome<G::Move>
where
    G: Game + Send,
    G::Move: Send + Sync,
{
    if helpers.is_empty() {
        return crate::search(game, margins, memory, limits, control, on_info);
    }
    let all_are_built = helpers.iter().all(|helper| helper.game.built_margins(margins).is_some());
    let outcome = match game.built_margins(margins).filter(|_| all_are_built) {
        Some(built) => vote(game, built, memory, helpers, limits, control, on_info),
        None => vote(game, margins, memory, helpers, limits, control, on_info),
    };
    wait_until_asked(limits, control);
    outcome
}

/// Searches with all threads and elects the answer.
fn vote<G, M: Source<Margins>>(
    game: &mut G,
    margins: M,
    memory: &mut Memory<G>,
    helpers: &mut [Helper<G>],
    limits: &Limits<G::Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<G::Move>),
) -> Outcome<G::Move>
where
    G: Game + Send,
    G::Move: Send + Sync,
{
    let started = limits.asked.unwrap_or_else(Instant::now);
    memory.table.grow_older();
    let team = Team::new(1 + helpers.len(), limits.nodes);
    let ballots = thread::scope(|scope| {
        // Whatever ends the main thread ends the others.
        let halt = HaltWhenDropped { team: &team, always: true };
        let mut search = Search::new(game, margins, memory, limits, control, Unaudited::new());
        search.join(team.seat(0));
        let threads: Vec<_> = (1..)
            .zip(helpers)
            .map_while(|(number, helper)| {
                let seat = team.seat(number);
                let work = move || helper.search(margins, limits, control, seat);
                let thread = thread::Builder::new().name("helper".to_string()).stack_size(STACK);
                thread.spawn_scoped(scope, work).ok()
            })
            .collect();
        search.collect_root_moves(limits);
        let outcome = search.deepen(limits, on_info);
        search.report();
        drop(halt);
        let mut ballots = vec![Ballot { outcome, report: None }];
        for thread in threads {
            ballots.push(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        ballots
    });
    let [nodes, look_ups] = team.totals(|_| true);
    let elected = elect(&ballots, limits);
    let Ballot { outcome, report } = ballots.into_iter().nth(elected).expect("one was elected");
    if let Some(report) = report {
        let (time, hash_full) = (started.elapsed(), memory.table.permille_full());
        on_info(&Progress { nodes, look_ups, time, hash_full, ..report });
    }
    Outcome { nodes, ..outcome }
}

impl<G: Game> Helper<G> {
    /// A helper that knows nothing, but for what is in the table.
    pub fn new(game: G, table: Arc<Table>) -> Helper<G> {
        Helper { game, memory: Memory::sharing(table) }
    }

    /// Forgets what it has learned itself; the table stays as it is.
    pub fn forget(&mut self) {
        self.memory.histories.clear();
    }

    /// Looks up and stores results in this table from now on.
    pub fn share(&mut self, table: Arc<Table>) {
        self.memory.table = table;
    }

    fn search(
        &mut self,
        margins: impl Source<Margins>,
        limits: &Limits<G::Move>,
        control: &Control,
        seat: Seat<'_>,
    ) -> Ballot<G::Move> {
        let _halt = HaltWhenDropped { team: seat.team, always: false };
        // The time is the main thread's business.
        let own = Limits { move_time: None, clock: [None; 2], ..limits.clone() };
        let (game, memory) = (&mut self.game, &mut self.memory);
        let mut search = Search::new(game, margins, memory, &own, control, Unaudited::new());
        search.join(seat);
        search.collect_root_moves(&own);
        let mut report = None;
        let outcome = search.deepen(&own, &mut |found| report = Some(found.clone()));
        search.report();
        if limits.is_answered_by(outcome.score) {
            seat.team.halt();
        }
        Ballot { outcome, report }
    }
}

/// By how much an answer may be below the best one before its vote counts little (centipawns).
const VOTE_SPREAD: Value = 100;

/// Which answer to give: one that is asked for or the shortest win, where there is one; else that
/// of most votes, which weigh more the deeper and better the answer. The main thread's, where
/// several moves are shown, since it has shown them.
fn elect<M: GameMove>(ballots: &[Ballot<M>], limits: &Limits<M>) -> usize {
    if limits.multi_pv > 1 {
        return 0;
    }
    let outcomes = || ballots.iter().map(|ballot| &ballot.outcome);
    if let Some(asked) = outcomes().position(|outcome| limits.is_answered_by(outcome.score)) {
        return asked;
    }
    let finished = outcomes().filter(|outcome| outcome.depth > 0);
    let Some(best) = finished.map(|outcome| outcome.score).max() else { return 0 };
    if best >= MATE_IN_MAX {
        return outcomes().position(|outcome| outcome.score == best).unwrap_or(0);
    }
    let weight = |outcome: &Outcome<M>| {
        let credit = (outcome.score - best + VOTE_SPREAD).clamp(VOTE_SPREAD / 10, VOTE_SPREAD);
        u64::from(outcome.depth) * credit as u64
    };
    let votes = |mv: M| outcomes().filter(|outcome| outcome.best == mv).map(weight).sum::<u64>();
    let rank = |&index: &usize| {
        let outcome = &ballots[index].outcome;
        (votes(outcome.best), weight(outcome))
    };
    // Of equals the first, to which the main thread belongs.
    (0..ballots.len()).rev().max_by_key(rank).unwrap_or(0)
}

/// What the threads of a search tell each other.
pub(crate) struct Team {
    halted: AtomicBool,
    counts: Box<[Counts]>,
    /// Nodes that no thread has been allowed yet, if they are limited.
    reserve: Option<AtomicU64>,
    /// Most nodes allowed at once.
    portion: u64,
}

/// Nodes of a thread and positions it found in endgame tables, on a cache line of their own.
#[derive(Default)]
#[repr(align(64))]
struct Counts([AtomicU64; 2]);

impl Team {
    fn new(threads: usize, node_limit: Option<u64>) -> Team {
        let portion = node_limit.map_or(CHECK_INTERVAL, |limit| limit / (8 * threads as u64));
        Team {
            halted: AtomicBool::new(false),
            counts: (0..threads).map(|_| Counts::default()).collect(),
            reserve: node_limit.map(AtomicU64::new),
            portion: portion.clamp(1, CHECK_INTERVAL),
        }
    }

    fn seat(&self, number: usize) -> Seat<'_> {
        Seat { team: self, number }
    }

    /// Nodes and look-ups of these threads together, as they last told.
    fn totals(&self, counts: impl Fn(usize) -> bool) -> [u64; 2] {
        let counted = || (0..self.counts.len()).filter(|&number| counts(number));
        let total = |what: usize| counted().map(|it| self.counts[it].0[what].load(Relaxed)).sum();
        [total(0), total(1)]
    }

    /// Ends the search of all threads soon.
    fn halt(&self) {
        self.halted.store(true, Relaxed);
    }
}

/// The place of a thread in its team.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'a> {
    team: &'a Team,
    number: usize,
}

impl Seat<'_> {
    /// Whether the search is over for all threads.
    pub(crate) fn is_halted(&self) -> bool {
        self.team.halted.load(Relaxed)
    }

    /// Tells the others how many nodes this thread has visited, and how many positions it has found
    /// in endgame tables.
    pub(crate) fn report(&self, nodes: u64, look_ups: u64) {
        let [told_nodes, told_look_ups] = &self.team.counts[self.number].0;
        told_nodes.store(nodes, Relaxed);
        told_look_ups.store(look_ups, Relaxed);
    }

    /// Nodes and look-ups of the other threads, as they last told.
    pub(crate) fn counts_of_others(&self) -> [u64; 2] {
        self.team.totals(|number| number != self.number)
    }

    /// More nodes that this thread may visit; none when all are given away.
    pub(crate) fn further_nodes(&self) -> u64 {
        let Some(reserve) = &self.team.reserve else { return u64::MAX };
        let portion = self.team.portion;
        let take = |left: u64| Some(left.saturating_sub(portion));
        let (Ok(left) | Err(left)) = reserve.fetch_update(Relaxed, Relaxed, take);
        left.min(portion)
    }

    /// Whether this thread leaves out the iteration of this depth, so that others are ahead of the
    /// main thread or look at the same depth at other times.
    ///
    /// A helper searches and leaves out some depths in turn; of each length of these runs there are
    /// as many helpers as ways to shift them.
    pub(crate) fn skips(&self, depth: u32) -> bool {
        if self.number == 0 {
            return false;
        }
        let (mut shift, mut run) = ((self.number - 1) as u32 % HELPER_KINDS, 1);
        while shift >= 2 * run {
            shift -= 2 * run;
            run += 1;
        }
        (depth + shift) / run % 2 == 1
    }
}

/// Helpers with different runs of depths: 2 + 4 + 6 + 8.
const HELPER_KINDS: u32 = 20;

/// Ends the search of all threads when it is dropped: always, or only in a panic.
struct HaltWhenDropped<'a> {
    team: &'a Team,
    always: bool,
}

impl Drop for HaltWhenDropped<'_> {
    fn drop(&mut self) {
        if self.always || thread::panicking() {
            self.team.halt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::MATE;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct PlainMove(u16);

    impl GameMove for PlainMove {
        const NONE: PlainMove = PlainMove(0);
        fn bits(self) -> u16 {
            self.0
        }
        fn from_bits(bits: u16) -> PlainMove {
            PlainMove(bits)
        }
    }

    /// Who is elected of threads with these moves, scores and depths.
    fn elected(answers: &[(u16, Value, u32)], limits: &Limits<PlainMove>) -> usize {
        let ballot = |&(mv, score, depth): &(u16, Value, u32)| {
            let (best, ponder) = (PlainMove(mv), PlainMove::NONE);
            let outcome = Outcome { best, ponder, score, depth, nodes: 1, pv: vec![best] };
            Ballot { outcome, report: None }
        };
        elect(&answers.iter().map(ballot).collect::<Vec<_>>(), limits)
    }

    #[test]
    fn most_votes_decide_and_weigh_by_depth_and_score() {
        let limits = Limits::default();
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 10), (2, 15, 10)], &limits), 1);
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 10), (1, 15, 10)], &limits), 0);
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 12)], &limits), 1);
        assert_eq!(elected(&[(1, 20, 12), (2, 60, 11)], &limits), 1);
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 10)], &limits), 0, "the main thread");
        assert_eq!(elected(&[(1, 0, 0), (2, -300, 1)], &limits), 1, "the first has no answer yet");
        assert_eq!(elected(&[(1, 0, 0), (2, 50, 0)], &limits), 0, "nobody has an answer yet");
        let several = Limits { multi_pv: 2, ..Limits::default() };
        assert_eq!(elected(&[(1, 20, 10), (2, 20, 12)], &several), 0);
    }

    #[test]
    fn the_shortest_win_needs_no_votes_and_a_loss_gets_few() {
        let limits = Limits::default();
        assert_eq!(elected(&[(1, 900, 20), (1, MATE - 9, 12), (3, MATE - 5, 9)], &limits), 2);
        assert_eq!(elected(&[(1, 6 - MATE, 10), (2, -400, 10)], &limits), 1);
        assert_eq!(elected(&[(1, 6 - MATE, 10), (2, 16 - MATE, 10)], &limits), 1);
        let mate = Limits { mate: Some(3), ..Limits::default() };
        assert_eq!(elected(&[(1, 0, 9), (2, 6 - MATE, 7), (3, MATE - 5, 9)], &mate), 1);
    }

    #[test]
    fn helpers_differ_and_search_every_other_depth_on_average() {
        let team = Team::new(THREADS_MAX, None);
        let searched = |number: usize| -> Vec<u32> {
            (1..=120).filter(|&depth| !team.seat(number).skips(depth)).collect()
        };
        assert_eq!(searched(0).len(), 120, "the main thread leaves out nothing");
        let kinds: Vec<_> = (1..=HELPER_KINDS as usize).map(searched).collect();
        for (index, kind) in kinds.iter().enumerate() {
            assert!((55..=65).contains(&kind.len()), "{kind:?}");
            assert!(!kinds[..index].contains(kind), "helper {index} is like another");
        }
        assert_eq!(searched(THREADS_MAX - 1).len(), 60);
    }

    #[test]
    fn a_helper_that_panics_ends_the_search_and_one_that_is_done_does_not() {
        let team = Team::new(2, None);
        drop(HaltWhenDropped { team: &team, always: false });
        assert!(!team.seat(0).is_halted());
        let panicked = std::panic::catch_unwind(|| {
            let _halt = HaltWhenDropped { team: &team, always: false };
            panic!("a broken invariant");
        });
        assert!(panicked.is_err() && team.seat(0).is_halted());
    }

    #[test]
    fn what_the_threads_tell_is_added_up() {
        let team = Team::new(3, None);
        for (number, told) in [(0, [100, 7]), (1, [20, 0]), (2, [3, 5]), (1, [40, 1])] {
            team.seat(number).report(told[0], told[1]);
        }
        assert_eq!(team.totals(|_| true), [143, 13]);
        assert_eq!(
            [0, 1, 2].map(|it| team.seat(it).counts_of_others()),
            [[43, 6], [103, 12], [140, 8]]
        );
    }

    #[test]
    fn threads_are_allowed_as_many_nodes_as_there_are() {
        for (limit, threads) in [(1, 4), (100, 3), (100_000, 2), (1_000_000, 512)] {
            let team = Team::new(threads, Some(limit));
            let mut sum = 0;
            for number in (0..threads).cycle() {
                let more = team.seat(number).further_nodes();
                assert!(more <= CHECK_INTERVAL);
                sum += more;
                if more == 0 {
                    break;
                }
            }
            assert_eq!(sum, limit);
        }
        assert_eq!(Team::new(2, None).seat(1).further_nodes(), u64::MAX);
    }
}
