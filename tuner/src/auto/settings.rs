//! Settings that decide the course of a run of the loop, as its folder remembers them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Parser};
use evaluation_tuning::fit::FitSettings;
use matches::games;
use matches::player::EngineIdentity;
use playable::Game;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use system::files;

use super::files::SETTINGS;

/// Version of the files of a run: those of another are not gone on with.
pub(super) const VERSION: u32 = 2;
/// File of the repository's sample.
const SAMPLE: &str = "sample.kgames";

/// The options that decide a run's course.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// Seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Nodes a move in the games of the test.
    #[arg(long, default_value_t = 3000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Pairs of games after which a test without a verdict ends: the champion stays.
    #[arg(long, default_value_t = 2000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: u64,
    /// Nodes a move in recorded games.
    #[arg(long, default_value_t = 3000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub record_nodes: u64,
    /// Games that each generation from the second on adds to the positions.
    #[arg(skip)]
    pub record_games: u32,
    /// Positions of each game that fits use at most, drawn at random; 0 means all.
    #[arg(skip)]
    #[serde(default)]
    pub per_game: usize,
    /// Whether the position after them stands for one where captures are pending, which fits leave out
    /// otherwise.
    #[arg(skip)]
    #[serde(default = "resolved")]
    pub resolve: bool,
    /// Fit to what became of positions within so many plies in place of their own scores, which only
    /// repeat what a tuned evaluation believes (as in `tuner fit`); 0: to their own scores.
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    #[serde(default)]
    pub lookahead: u16,
    /// Positions on which margins are fitted after each accepted evaluation; 0 leaves them as they are.
    #[arg(skip)]
    pub margin_positions: usize,
    /// Rounds of that at most, each of which searches every position twice.
    #[arg(skip)]
    pub margin_rounds: usize,
    /// Do not look for a part of a candidate that games accept where they did not accept all of it.
    #[arg(long)]
    pub whole: bool,
    /// How candidates are fitted.
    #[command(flatten)]
    pub fit: FitSettings,
}

/// Runs of versions that did not say so resolved.
fn resolved() -> bool {
    true
}

/// Everything that decides a run's course; settings.json in its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Version of the files of the run.
    pub version: u32,
    /// The game whose numbers are tuned.
    #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
    pub game: Game,
    /// Fingerprint of the values the loop starts from.
    pub start: String,
    /// SHA-256 of their file, of which the run keeps a copy.
    pub start_sha256: String,
    /// Identity of the engine that plays; runs of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineIdentity>,
    /// Positions of the first generation; none if it records its own.
    pub sample: Option<Sample>,
    /// Generations it was begun for; none without a number given. It decides where the run ends,
    /// not its course, so that a later call may give another.
    pub generations: Option<u32>,
    /// Nodes a move in the check of an accepted candidate; 0 if there is none.
    pub check_nodes: u64,
    /// Positions of each game of the sample that the first generation fits to; 0 if it does as all do.
    pub first_per_game: usize,
    /// Nodes a move in the games of each champion against the start.
    pub show_nodes: u64,
    /// The options that decide its course.
    pub choices: Choices,
}

/// A file of positions that a run begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// Path of the file.
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl Sample {
    /// The file at a path.
    pub fn load(path: &Path) -> anyhow::Result<Sample> {
        let path =
            path.canonicalize().with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Sample { sha256: sha256_of(&path)?, path })
    }
}

impl Settings {
    /// Reads the settings of the run in `folder`; none if there is no run.
    ///
    /// # Errors
    /// When the file is there, but unreadable, not settings, or of another version.
    pub fn load(folder: &Path) -> anyhow::Result<Option<Settings>> {
        let path = folder.join(SETTINGS);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_text(&path)?;
        let no_settings = || format!("{} holds no settings of a run", path.display());
        let settings: Value = serde_json::from_str(&text).with_context(no_settings)?;
        let version = settings.get("version").and_then(Value::as_u64);
        if settings.is_object() && version != Some(u64::from(VERSION)) {
            bail!(
                "{} was begun by another version of this program: go on with it by that one, or begin \
                 another run with --output",
                folder.display()
            );
        }
        Ok(Some(serde_json::from_value(settings).with_context(no_settings)?))
    }

    /// Checks that these settings lead to the same run as `earlier` ones; the error names the first
    /// difference.
    pub fn check_same(&self, earlier: &Settings, folder: &Path) -> anyhow::Result<()> {
        if let Some(difference) = self.difference(earlier)? {
            bail!(
                "{} holds a run with other settings ({difference}): go on with it by --resume, or \
                 name another folder with --output",
                folder.display()
            );
        }
        Ok(())
    }

    /// The first setting that differs from those of an earlier process, but for the generations and
    /// the engine.
    pub fn difference(&self, earlier: &Settings) -> anyhow::Result<Option<String>> {
        let (generations, engine) = (self.generations, self.engine.clone());
        let earlier = Settings { generations, engine, ..earlier.clone() };
        Ok(difference(&serde_json::to_value(self)?, &serde_json::to_value(earlier)?))
    }

    /// The name of the set that the run began with, or its fingerprint where it has none.
    pub fn start_name(&self) -> &str {
        let is_start = |name: &&str| {
            let known = self.game.open_numbers(name.as_ref());
            known.is_ok_and(|(values, _)| values.fingerprint() == self.start)
        };
        self.game.number_files().into_iter().find(is_start).unwrap_or(&self.start)
    }

    /// A seed for one step of one generation. All champions are shown with the same openings.
    pub fn seed_of(&self, generation: u32, step: Step) -> u64 {
        let generation = if matches!(step, Step::Showcase) { 0 } else { generation };
        let index = u64::from(generation) * 16 + step.index();
        // Small enough to be exact wherever a number passes through JSON.
        random::stream(self.choices.seed, index).random::<u64>() >> 11
    }
}

/// A step that needs a seed of its own.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Recording the games of a generation.
    Record,
    /// Testing its candidate against the champion.
    Test,
    /// Checking an accepted one with more nodes.
    Check,
    /// Testing a part of one that was not accepted, from 1.
    Part(u32),
    /// Showing a champion against the start.
    Showcase,
}

impl Step {
    fn index(self) -> u64 {
        match self {
            Step::Record => 0,
            Step::Test => 1,
            Step::Check => 2,
            Step::Part(part) => 2 + u64::from(part),
            Step::Showcase => 15,
        }
    }

    /// The step among the hours, and the folder of its games in that of the generation.
    pub fn name(self) -> String {
        match self {
            Step::Record => "record".to_string(),
            Step::Test => "test".to_string(),
            Step::Check => "check".to_string(),
            Step::Part(part) => format!("part-{part}"),
            Step::Showcase => "showcase".to_string(),
        }
    }
}

impl Choices {
    /// The options that were given, and the others at their default as the run was `begun`.
    pub fn or_as_begun(&self, begun: &Choices) -> anyhow::Result<Choices> {
        #[derive(Parser)]
        struct Usual {
            #[command(flatten)]
            choices: Choices,
        }
        let usual = serde_json::to_value(Usual::parse_from(["auto"]).choices)?;
        let (asked, begun) = (serde_json::to_value(self)?, serde_json::to_value(begun)?);
        Ok(serde_json::from_value(merged(&asked, &usual, &begun))?)
    }
}

/// Each value that is asked for, or where that is the usual one, the one that was begun with.
fn merged(asked: &Value, usual: &Value, begun: &Value) -> Value {
    match (asked, begun) {
        (Value::Object(asked), Value::Object(begun)) => {
            let value = |(name, asked): (&String, &Value)| {
                let of = |values: &Value| values.get(name).cloned().unwrap_or(Value::Null);
                (name.clone(), merged(asked, &of(usual), begun.get(name).unwrap_or(&Value::Null)))
            };
            asked.iter().map(value).collect()
        }
        _ => if asked == usual { begun } else { asked }.clone(),
    }
}

/// The first setting that differs, as `name: now, not then`.
fn difference(now: &Value, then: &Value) -> Option<String> {
    use Value::Object;
    match (now, then) {
        (Object(now), Object(then)) => now.iter().find_map(|(name, value)| {
            let inner = difference(value, then.get(name).unwrap_or(&Value::Null))?;
            let nested = value.is_object();
            Some(if nested { inner } else { format!("{name}: {inner}") })
        }),
        _ => (now != then).then(|| format!("{now}, not {then}")),
    }
}

/// The repository's sample of recorded positions, where it lies: in the sources that this program
/// was built from, or beside the program. It is of chess.
pub(super) fn own_sample(game: Game) -> Option<PathBuf> {
    if !games::is_usual(&game) {
        return None;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/positions").join(SAMPLE);
    let program = std::env::current_exe().ok();
    let beside = program.map(|program| program.with_file_name(SAMPLE));
    [Some(sources), beside].into_iter().flatten().find(|path| path.is_file())
}

/// SHA-256 of a file, in hexadecimal.
pub(super) fn sha256_of(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(sha256(&bytes))
}

/// SHA-256 of the bytes, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let now = serde_json::json!({"start": "a", "choices": {"seed": 1, "nodes": 5}});
        let then = serde_json::json!({"start": "a", "choices": {"seed": 1, "nodes": 6}});
        assert_eq!(difference(&now, &now), None);
        assert_eq!(difference(&now, &then).as_deref(), Some("nodes: 5, not 6"));
        let usual = serde_json::json!({"start": "a", "choices": {"seed": 2, "nodes": 5}});
        let merged = merged(&now, &usual, &then);
        assert_eq!(merged, serde_json::json!({"start": "a", "choices": {"seed": 1, "nodes": 6}}));
    }
}
