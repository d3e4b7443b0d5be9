//! How fast a machine searches, and what the work of fitting margins takes by that.

use std::time::{Duration, Instant};

use playable::{Control, Limits, Numbers};

/// Plies of a game, about.
const GAME_PLIES: f64 = 90.0;
/// Nodes of the judge for each node of a choice.
pub(super) const JUDGE_SHARE: u64 = 12;
/// Searches a position to compare margins found with those before.
pub(super) const REPLICATES: usize = 2;
/// Searches for each that counts, of which a quarter only fill the memory.
const FILLING: f64 = 1.25;
/// Judgements of a position in the first round, in all of them, and to compare two sets of values.
const JUDGEMENTS: [f64; 3] = [1.5, 3.0, 2.5];
/// Games from which on they say how fast the machine is; in fewer of them processors wait for the last.
const TELLING_GAMES: u64 = 50;
/// How long the pace is measured.
const MEASURED: Duration = Duration::from_millis(300);

/// How fast this machine is.
#[derive(Clone, Copy, Default)]
pub(super) struct Pace {
    /// Time for one node of one thread in the games of the test or of recording, times moves: the
    /// time a game takes for each node a move.
    game_per_node: Duration,
}

impl Pace {
    /// Measures how fast values are searched with, where no game was played yet.
    pub fn measured(values: &Numbers, nodes: u64, threads: usize) -> Pace {
        let mut engine = values.engine(1);
        let (started, mut searched) = (Instant::now(), 0u32);
        for (_, position) in values.game().bench_positions().iter().cycle() {
            engine.search(position, &Limits::nodes(nodes), &Control::new(), &mut |_| {});
            searched += 1;
            if started.elapsed() >= MEASURED {
                break;
            }
        }
        let nodes = f64::from(searched.max(1)) * nodes.max(1) as f64 * threads.max(1) as f64;
        Pace { game_per_node: started.elapsed().mul_f64(GAME_PLIES / nodes) }
    }

    /// The pace at which so many games took so long; none where they are too few to say.
    pub fn of_games(time: Duration, games: u64, nodes: u64) -> Option<Pace> {
        let nodes = games as f64 * nodes as f64;
        let tells = games >= TELLING_GAMES && nodes > 0.0;
        tells.then(|| Pace { game_per_node: time.div_f64(nodes) })
    }

    /// Time for a game at so many nodes a move, with all threads at work on others.
    pub fn of_game(self, nodes: u64) -> Duration {
        self.game_per_node.mul_f64(nodes as f64)
    }

    /// Time in which so many nodes are searched, with all threads at work.
    pub fn of_nodes(self, nodes: f64) -> Duration {
        self.game_per_node.mul_f64(nodes / GAME_PLIES)
    }
}

/// The work of a fit of margins, in nodes.
#[derive(Clone, Copy)]
pub(super) struct MarginsWork {
    pub positions: usize,
    /// Nodes of a search that chooses.
    pub nodes: u64,
}

impl MarginsWork {
    /// A round after so many others.
    pub fn round(self, earlier: usize) -> f64 {
        let [first, all, _] = JUDGEMENTS;
        // Moves that were judged before cost nothing, and each round has fewer others.
        let judged = if earlier == 0 { first } else { (all - first) / earlier as f64 / 2.0 };
        let shares = 2.0 * FILLING + judged * JUDGE_SHARE as f64;
        self.positions as f64 * self.nodes as f64 * shares
    }

    /// So many rounds, of which the journal has the first.
    pub fn rounds(self, done: usize, rounds: usize) -> f64 {
        (done..rounds).map(|earlier| self.round(earlier)).sum()
    }

    /// The comparison of what was found with what was before.
    pub fn comparison(self) -> f64 {
        let shares = 2.0 * FILLING * REPLICATES as f64 + JUDGEMENTS[2] * JUDGE_SHARE as f64;
        (self.positions / 2) as f64 * self.nodes as f64 * shares
    }
}

/// Until when margins are fitted and compared, so that there is time to test them.
#[derive(Clone, Copy)]
pub(super) struct Deadline {
    pub end: Option<Instant>,
    pub work: MarginsWork,
    pub pace: Pace,
}

impl Deadline {
    /// Whether another round fits before the end, after so many.
    pub fn allows_round(&self, earlier: usize) -> bool {
        self.allows(self.work.round(earlier) + self.work.comparison())
    }

    /// Whether no time is left but for the comparison.
    pub fn is_near(&self) -> bool {
        !self.allows(self.work.comparison())
    }

    /// Learns the pace from the searches made in some time.
    pub fn learn(&mut self, searches: usize, judgements: usize, time: Duration) {
        let nodes = self.work.nodes as f64
            * (searches as f64 * FILLING + judgements as f64 * JUDGE_SHARE as f64);
        if nodes > 0.0 {
            self.pace.game_per_node = time.mul_f64(GAME_PLIES / nodes);
        }
    }

    fn allows(&self, nodes: f64) -> bool {
        let needed = self.pace.of_nodes(nodes);
        self.end.is_none_or(|end| Instant::now() + needed <= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: MarginsWork = MarginsWork { positions: 2000, nodes: 3000 };

    fn deadline(end: Option<Duration>, nanoseconds: u64) -> Deadline {
        let pace = Pace { game_per_node: Duration::from_nanos(nanoseconds) };
        Deadline { end: end.map(|left| Instant::now() + left), work: WORK, pace }
    }

    #[test]
    fn rounds_that_the_journal_has_cost_nothing() {
        let all = WORK.rounds(0, 8);
        assert!(WORK.rounds(3, 8) < all - 3.0 * WORK.round(7));
        assert_eq!(WORK.rounds(8, 8), 0.0);
        // 8 rounds took 29,488 searches and 5,418 judgements.
        let measured = 3000.0 * (29_488.0 * FILLING + 5418.0 * JUDGE_SHARE as f64);
        assert!((0.7..1.4).contains(&(all / measured)), "{all} for {measured}");
    }

    #[test]
    fn a_round_begins_where_it_and_the_comparison_fit_before_the_test() {
        let never = deadline(None, 1_000_000);
        assert!(never.allows_round(0) && never.allows_round(100) && !never.is_near());
        let pace = Pace { game_per_node: Duration::from_micros(22) };
        let needed = pace.of_nodes(WORK.round(3) + WORK.comparison());
        let slack = Duration::from_secs(1);
        let enough = deadline(Some(needed + slack), 22_000);
        assert!(enough.allows_round(3) && !enough.is_near());
        let short = deadline(Some(needed - slack), 22_000);
        assert!(!short.allows_round(3) && !short.is_near());
        let over = deadline(Some(pace.of_nodes(WORK.comparison()) - slack), 22_000);
        assert!(over.is_near());
        // On a machine that turns out four times slower the same time is too short.
        let mut slower = enough;
        let round = pace.of_nodes(WORK.nodes as f64 * 1000.0 * FILLING);
        slower.learn(1000, 0, 4 * round);
        assert!(!slower.allows_round(3));
    }
}
