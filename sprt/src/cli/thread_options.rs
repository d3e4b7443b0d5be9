//! Options for threads and cores.

use std::num::NonZeroUsize;

use clap::Args;
use matches::player::Contestant;
use matches::run::Workers;
use system::paint;
use system::processes::{REPORTS_STALLS, available_cores, memory_megabytes};

use super::bounds;
use super::cores::parse_cores;
use super::statuses::WrongUse;

/// How many games are played at once, and where.
#[derive(Args, Clone, Debug)]
pub struct ThreadOptions {
    /// Games at once, 1 to 1024, each with engines of its own; the result does not depend on it
    /// unless time does [default: one for each core, fewer if engines have an option Threads]
    #[arg(long, alias = "concurrency", value_name = "N", value_parser = bounds::threads)]
    threads: Option<NonZeroUsize>,
    /// Pin each game and its engines to cores of their own: all there are, or those listed, as in
    /// 0-3,8
    #[arg(long, value_name = "CORES", num_args = 0..=1, require_equals = true,
          default_missing_value = "all")]
    affinity: Option<String>,
}

impl ThreadOptions {
    /// Threads of a run of these contestants; tells on stderr where the machine has too few cores.
    pub fn workers(&self, contestants: &[Contestant]) -> Result<Workers, WrongUse> {
        let each = contestants.iter().map(Contestant::threads).max().unwrap_or(1);
        let available = available_cores();
        let cores = match self.affinity.as_deref() {
            None | Some("all") => available.clone(),
            Some(list) => parse_cores(list, &available)
                .map_err(|reason| WrongUse(format!("--affinity {list}: {reason}")))?,
        };
        let fitting = (cores.len() / each).max(1);
        let threads = self.threads.map_or(fitting, NonZeroUsize::get);
        if threads * each > cores.len() {
            paint::tell_warning(format_args!(
                "{threads} games at once need {} cores, and there are {}: engines will wait for each \
                 other",
                threads * each,
                cores.len()
            ));
            if self.affinity.is_some() {
                return Err(WrongUse("--affinity needs a core for each thread".to_owned()));
            }
        }
        if !REPORTS_STALLS && contestants.iter().any(|player| player.limits.is_timed()) {
            paint::tell_warning(
                "this system does not tell how long players waited for a processor: what other \
                 programs delay counts as their own time",
            );
        }
        check_memory(contestants, threads, memory_megabytes())?;
        let pinned = self.affinity.is_some();
        let places =
            if pinned { cores.chunks(each).map(<[usize]>::to_vec).collect() } else { vec![] };
        Ok(Workers { places, ..Workers::from(threads) })
    }
}

/// Refuses transposition tables that do not fit into this machine: some would be given, and the run
/// would end by the hand of the system.
fn check_memory(
    contestants: &[Contestant],
    threads: usize,
    memory: Option<u64>,
) -> Result<(), WrongUse> {
    let table = |contestant: &Contestant| contestant.table_megabytes().unwrap_or(0) as u64;
    let each = Workers::most_megabytes(contestants.iter().map(table).collect());
    let needed = each.saturating_mul(threads as u64);
    match memory {
        Some(memory) if needed > memory => Err(WrongUse(format!(
            "{threads} games at once need {needed} MB for transposition tables, and this machine \
             has {memory} MB: give less by --hash or --threads"
        ))),
        _ => Ok(()),
    }
}

/// Threads for work that is divided without regard to engines.
#[derive(Args, Clone, Copy, Debug)]
pub struct CoreOptions {
    /// Threads, 1 to 1024; the result does not depend on it [default: cores]
    #[arg(long, value_name = "N", value_parser = bounds::threads)]
    threads: Option<NonZeroUsize>,
}

impl CoreOptions {
    /// Threads to use: the given number, or all cores.
    pub fn count(self) -> usize {
        let cores = || std::thread::available_parallelism().ok();
        self.threads.or_else(cores).map_or(1, NonZeroUsize::get)
    }
}

#[cfg(test)]
mod tests {
    use matches::game::MoveLimits;

    use super::*;

    #[test]
    fn tables_must_fit_into_memory() {
        let player = |words: &[&str], hash| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            Contestant::parse(&words, MoveLimits::nodes(1), hash).expect("a player")
        };
        let players = [player(&["embedded"], Some(65_536)), player(&["random"], None)];
        assert!(check_memory(&players, 1, Some(65_535)).is_err());
        assert!(check_memory(&players, 1, Some(65_536)).is_ok());
        let error = check_memory(&players, 2, Some(100_000)).expect_err("two games");
        assert!(error.0.contains("2 games at once need 131072 MB"), "{}", error.0);
        assert!(check_memory(&players, 2, None).is_ok());
        // A player in this process has a table in any case.
        let players = [player(&["embedded"], None), player(&["embedded"], None)];
        assert!(check_memory(&players, 1024, Some(8191)).is_err());
        assert!(check_memory(&players, 1024, Some(8192)).is_ok());
        // Of six, two play, and of the others small tables are kept: 2 times 128 MB, or 6 times 4.
        let six = |hash| vec![player(&["embedded"], Some(hash)); 6];
        assert!(check_memory(&six(128), 1, Some(255)).is_err());
        assert!(check_memory(&six(128), 1, Some(256)).is_ok());
        assert!(check_memory(&six(4), 10, Some(239)).is_err());
        assert!(check_memory(&six(4), 10, Some(240)).is_ok());
        // An option says the same as hash=.
        let players = [player(&["cmd=x", "option.hash=100"], None), player(&["random"], None)];
        assert!(check_memory(&players, 1, Some(99)).is_err());
    }
}
