//! `tuner regret`: what sets of values choose, compared on recorded positions.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use command_line::{self, WrongUse, count};
use command_line::{say_line, say_text};
use matches::GameOption;
use matches::game::MoveLimits;
use matches::player::{Contestant, Source};
use playable::Numbers;
use positions::FoundOn;
use serde::Serialize;
use statistics::CONFIDENCE;
use system::tell;
use tunables::{self, TunedEngine};

use super::ELO_PER_WORTH;
use super::bench::Bench;
use super::command::BenchArguments;
use super::design::Space;
use super::measure::Scores;
use super::places::Places;

/// Compare margins on recorded positions, without a game: what do the moves lose that they choose?
///
/// The regret is what the moves that are chosen are worth less than the best moves known, in expected
/// score, as a judge with many more nodes sees them. For each change its gain, the fall in regret
/// against the start, is given with its error, and an estimate in Elo. A change of nothing (margins
/// moved by so little that only the tree differs) shows what is chance.
///
/// Positions come from the games that `tuner margins` never tunes on: three in ten of each file,
/// whatever the seed. So a tuned file is measured on games that did not choose it. The comparison at
/// the end of `tuner margins` uses the same games: to choose the best of many tuned files by them, and
/// to believe its figure here, would overstate it again.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct RegretArguments {
    /// The game that is played.
    #[command(flatten)]
    pub game: GameOption,
    /// Recorded positions: stores (.kgames), CSV or EPD files.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub positions: Vec<PathBuf>,
    /// Values that are compared with.
    #[arg(long, value_name = "FILE", value_parser = command_line::parameter_file)]
    #[arg(help = command_line::values_help("Values that are compared with"))]
    pub start: PathBuf,
    /// A change to measure: NAME=VALUE, several joined by commas, or a parameter file. May be
    /// repeated.
    #[arg(long, value_name = "CHANGE", required = true)]
    pub change: Vec<String>,
    /// What all choosing shares.
    #[command(flatten)]
    pub bench: BenchArguments,
    /// Searches a position and a set of values.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = count(2, 1000))]
    pub replicates: usize,
    /// Write the figures as CSV instead of a table.
    #[arg(long)]
    pub csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  Two changes of the default values:
    tuner regret --positions data/positions/champion.kgames --start default \\
      --judgements judged.csv --change futility.margin=60 --change null_move.enabled=0
  A file that `tuner margins` has tuned, on games of the same file that did not choose it:
    tuner regret --positions data/positions/champion.kgames --start default --change tuned.toml";

/// A line of the result.
#[derive(Serialize)]
struct Row<'a> {
    change: &'a str,
    /// In 10⁻⁴ a move, as the error.
    gain: f64,
    error: f64,
    elo: f64,
    elo_error: f64,
}

/// Runs `tuner regret`.
///
/// # Errors
/// If a file is unusable, a change is wrong, or too few positions are found.
pub fn run(arguments: &RegretArguments) -> anyhow::Result<()> {
    let settings = &arguments.bench;
    let threads = command_line::useful_threads(settings.threads);
    let game = arguments.game.game;
    let (start, _) = game.open_numbers(&arguments.start)?;
    let changed = arguments
        .change
        .iter()
        .map(|change| of_change(&start, change))
        .collect::<Result<Vec<_>, _>>()?;
    // The numbers that each search sets: all in which any of the sets differs, and the margins, by
    // whose null changes chance is measured where what differs can have none, as switches.
    let margins: HashSet<String> =
        tunables::margins(&start).into_iter().map(|it| it.name).collect();
    let tunables: Vec<_> = tunables::all(&start)
        .into_iter()
        .filter(|tunable| {
            let name = &tunable.name;
            margins.contains(name) || changed.iter().any(|it| it.get(name) != start.get(name))
        })
        .collect();
    let values = |numbers: &Numbers| -> Vec<f64> {
        let value = |name: &str| f64::from(numbers.get(name).expect("a name of the list"));
        tunables.iter().map(|tunable| value(&tunable.name)).collect()
    };
    let sets: Vec<Vec<f64>> =
        std::iter::once(values(&start)).chain(changed.iter().map(values)).collect();
    let remarks = arguments.remarks()?;
    command_line::say_repeat(arguments.positions.iter().map(PathBuf::as_path), settings.seed)?;
    remarks.iter().for_each(|remark| tell(format_args!("note: {remark}")));
    let mut places =
        Places::draw(game, &arguments.positions, [0, settings.count], settings.seed, threads)?;
    places.k = settings.k.unwrap_or(places.k);
    let source = Source::Parameters { file: arguments.start.clone(), changes: Vec::new() };
    let limits = MoveLimits::default();
    let contestant = Contestant { name: "start".to_string(), source, limits, hash: None };
    let judge = settings.judge(game, &contestant)?;
    let judgements = settings.judgements(&PathBuf::from("regret"));
    let space = Space::new(&tunables);
    let subject = Arc::new(TunedEngine::new(game, contestant, tunables)?);
    let judgements = (judgements.as_path(), settings.allow_changed_engine);
    let total = sets.len() * arguments.replicates * settings.count;
    let mut done = 0;
    let mut compared = |searches| {
        done += searches;
        tell(format_args!("{done} of {total} searches"));
    };
    let measure = |bench: &mut Bench<'_>| {
        let (replicates, seed) = (arguments.replicates, settings.seed);
        let held_out = &places.held_out;
        let scores =
            Scores::measure(bench, held_out, &space, &sets, replicates, seed, &mut compared)?;
        let regret = scores.regret(0, bench, held_out);
        Ok((scores, regret))
    };
    let (scores, regret) =
        Bench::scope(&subject, settings.nodes, &judge, judgements, places.k, threads, measure)?;
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut row = |change, estimate: super::Estimate| {
        rows.push(Row {
            change,
            gain: 1e4 * estimate.mean,
            error: 1e4 * estimate.error,
            elo: ELO_PER_WORTH * estimate.mean,
            elo_error: ELO_PER_WORTH * estimate.error,
        });
    };
    if let Some(estimate) = scores.null_gain(0) {
        row("nothing", estimate);
    }
    for (index, change) in arguments.change.iter().enumerate() {
        row(change, scores.gain(index + 1, 0));
    }
    if arguments.csv {
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.iter().try_for_each(|row| writer.serialize(row))?;
        say_text!(String::from_utf8(writer.into_inner()?)?);
        return Ok(());
    }
    say_line!("start: regret {:.1} (10^-4 of the expected score a move)", 1e4 * regret.mean,);
    say_line!("{:>8} {:>7} {:>8} {:>6}  change", "gain", "+-", "Elo", "+-");
    for Row { change, gain, error, elo, elo_error } in rows {
        say_line!(
            "{gain:>+8.2} {:>7.2} {elo:>+8.1} {:>6.1}  {change}",
            CONFIDENCE * error,
            CONFIDENCE * elo_error
        );
    }
    Ok(())
}

impl RegretArguments {
    /// Remarks on the files that are compared: what they were found on.
    fn remarks(&self) -> anyhow::Result<Vec<String>> {
        let measured = FoundOn::of(&self.positions)?;
        let changes = self.change.iter().filter(|change| !change.contains('='));
        let files = std::iter::once(self.start.clone()).chain(changes.map(PathBuf::from));
        let mut remarks = Vec::new();
        for file in files {
            let name = file.display().to_string();
            remarks.extend(FoundOn::remark(
                &name,
                &self.game.game.open_numbers(&file)?.1,
                &measured,
            ));
        }
        Ok(remarks)
    }
}

/// The parameters that a change describes.
fn of_change(start: &Numbers, change: &str) -> anyhow::Result<Numbers> {
    if !change.contains('=') {
        let file = command_line::parameter_file(change).map_err(WrongUse)?;
        return Ok(start.game().open_numbers(&file)?.0);
    }
    let mut numbers = start.clone();
    let mut named = HashSet::new();
    for word in change.split(',') {
        let (name, value) = word
            .split_once('=')
            .ok_or_else(|| WrongUse(format!("--change {change}: {word:?} is not NAME=VALUE")))?;
        if !named.insert(name) {
            return Err(WrongUse(format!("--change {change}: {name} is named twice")).into());
        }
        let value = value
            .parse()
            .map_err(|_| WrongUse(format!("--change {change}: {value:?} is no whole number")))?;
        let number = numbers.find(name).map_err(|error| WrongUse(error.to_string()))?;
        numbers
            .set_number(&number, value)
            .map_err(|error| WrongUse(error.to_string()))
            .with_context(|| format!("--change {change}"))?;
    }
    Ok(numbers)
}
