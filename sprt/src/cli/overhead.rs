//! `sprt overhead`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use matches::game::MoveLimits;
use matches::player::{Contestant, Source, UciEngine};
use matches::playing::{Adjudication, GameSettings};
use matches::run::{NoObserver, PlayRules};
use matches::sequential_test::{self, Rules, TestSettings};
use statistics::{Design, Hypotheses};
use system::files::EMBEDDED;
use system::processes::{ProcessorTime, processor_time, processor_time_of_ended};

use super::Status;
use super::printing::answer;

/// Arguments of `sprt overhead`.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Two players that draw their moves play whole tests: rules of chess, journal, games.pgn and
statistics included, thinking excluded. What remains is what the runner itself costs.

CPU is user and system time. Over pipes the players are processes (`sprt fake-engine`); the runner's
own time is told apart from theirs, which holds what any engine spends on reading and writing the
protocol. A time for each ply matters where searches are short: at 100 µs a ply of overhead, a
search of 1 ms is slowed down by a tenth.

On a busy machine the wall time says little; the CPU time says more.")]
pub struct OverheadArguments {
    /// Pairs of games inside this process, 1 to 10000000
    #[arg(long, value_name = "N", default_value_t = 2000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pairs: u64,
    /// Pairs of games over pipes, up to 1000000; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pipe_pairs: u64,
}

impl OverheadArguments {
    pub fn execute(self) -> Result<Status> {
        let program = std::env::current_exe().context("cannot find this program")?;
        // The measurement matters more than the removal of the folder, whose errors are ignored.
        let folder = tempfile::Builder::new().prefix("sprt-overhead-").tempdir();
        let folder = folder.context("cannot make a folder for the games")?;
        self.measure(&program, folder.path())?;
        Ok(Status::Success)
    }

    fn measure(&self, program: &Path, folder: &Path) -> Result<()> {
        let player = |name: &str, source: Source| Contestant {
            name: name.to_owned(),
            source,
            limits: MoveLimits::nodes(1),
            hash: None,
        };
        let cost = Cost::of_test(
            [player("a", Source::Random), player("b", Source::Random)],
            self.pairs,
            &folder.join("in-process"),
        )?;
        answer(format_args!("In process  {cost}"))?;
        if self.pipe_pairs > 0 {
            let mut engine = UciEngine::new(program);
            engine.arguments.push("fake-engine".to_owned());
            let engine = Source::Uci(engine);
            let players = [player("a", engine.clone()), player("b", engine)];
            let cost = Cost::of_test(players, self.pipe_pairs, &folder.join("pipes"))?;
            answer(format_args!("Over pipes  {cost}"))?;
        }
        Ok(())
    }
}

/// The cost of a test without thinking.
struct Cost {
    games: u64,
    plies: u64,
    wall: Duration,
    /// CPU time of this process and of its children.
    cpu: [Duration; 2],
}

impl Cost {
    fn of_test(players: [Contestant; 2], pairs: u64, folder: &Path) -> Result<Cost> {
        let [candidate, baseline] = players;
        let settings = TestSettings {
            candidate,
            baseline,
            openings: PathBuf::from(EMBEDDED),
            syzygy: Vec::new(),
            rules: Rules {
                play: PlayRules {
                    game: GameSettings {
                        adjudication: Adjudication::NEVER,
                        max_plies: 10_000,
                        ..GameSettings::default()
                    },
                    ..PlayRules::with_seed(1)
                },
                pairs,
                early_stop: false,
                hypotheses: Hypotheses::default(),
                design: Design::default(),
            },
        };
        let before = cpu_times()?;
        let started = Instant::now();
        let summary = sequential_test::run(&settings, 1, folder, &NoObserver)?;
        let wall = started.elapsed();
        let after = cpu_times()?;
        let cpu = [after[0] - before[0], after[1] - before[1]];
        Ok(Cost { games: 2 * summary.tally.pairs, plies: summary.tally.plies, wall, cpu })
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let a_ply = |time: Duration| time.as_secs_f64() * 1e6 / self.plies as f64;
        let [runner, engines] = self.cpu;
        write!(
            f,
            "{} games of {} plies on average: {:.2} µs CPU a ply ({:.0} games a second of one core)",
            self.games,
            self.plies / self.games,
            a_ply(runner),
            self.games as f64 / runner.as_secs_f64()
        )?;
        if engines > Duration::ZERO {
            write!(f, ", the players {:.2} µs", a_ply(engines))?;
        }
        write!(f, ", {:.2} µs wall", a_ply(self.wall))
    }
}

/// CPU time of this process and of those of its children that have ended.
fn cpu_times() -> Result<[Duration; 2]> {
    let used = |time: std::io::Result<ProcessorTime>| {
        time.map(ProcessorTime::total).context("cannot read CPU times")
    };
    Ok([used(processor_time())?, used(processor_time_of_ended())?])
}
