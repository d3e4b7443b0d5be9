//! Options for threads and cores.

use std::num::NonZeroUsize;

use clap::Args;

use sprt::player::Contestant;
use sprt::run::{Workers, available_cores};

use super::WrongUse;

/// How many games are played at once, and where.
#[derive(Args, Clone, Debug)]
pub struct ThreadOptions {
    /// Games at once, each with engines of its own; the result does not depend on it unless time
    /// does [default: one for each core, fewer if engines have an option Threads]
    #[arg(long, value_name = "N")]
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
            Some(list) => parse_cores(list, &available)?,
        };
        let fitting = (cores.len() / each).max(1);
        let threads = self.threads.map_or(fitting, NonZeroUsize::get);
        if threads * each > cores.len() {
            eprintln!(
                "warning: {threads} games at once need {} cores, and there are {}: engines will wait \
                 for each other",
                threads * each,
                cores.len()
            );
            if self.affinity.is_some() {
                return Err(WrongUse("--affinity needs a core for each thread".to_owned()));
            }
        }
        let pinned = self.affinity.is_some();
        let places =
            if pinned { cores.chunks(each).map(<[usize]>::to_vec).collect() } else { vec![] };
        Ok(Workers { threads, places })
    }
}

/// Reads `0-3,8`.
fn parse_cores(list: &str, available: &[usize]) -> Result<Vec<usize>, WrongUse> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.trim().parse(), last.trim().parse::<usize>()) else {
            return Err(WrongUse(format!("--affinity {list}: cores are listed as in 0-3,8")));
        };
        if let Some(missing) = (first..=last).find(|core| !available.contains(core)) {
            return Err(WrongUse(format!("--affinity {list}: there is no core {missing} to use")));
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_listed() {
        let available: Vec<usize> = (0..9).collect();
        let read = |list| parse_cores(list, &available).map_err(|error| error.0);
        assert_eq!(read("0-3,8"), Ok(vec![0, 1, 2, 3, 8]));
        assert_eq!(read("2,1-2"), Ok(vec![1, 2]));
        for (list, message) in [("9", "no core 9"), ("x", "as in 0-3,8"), ("", "as in 0-3,8")] {
            assert!(read(list).expect_err("wrong").contains(message));
        }
    }
}
