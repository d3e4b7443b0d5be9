//! Settings that decide the path of a run, as its folder remembers them.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use command_line::{self, WrongUse, within};
use matches::game::{MoveLimits, TimeControl};
use matches::games;
use matches::openings::{Book, OpeningSettings};
use matches::player::{Contestant, EngineIdentity, Source};
use playable::Game;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use system::files::{self, EMBEDDED, OutputError};
use tunables::{self, SubjectArguments, Tunable, TunedEngine};
use work::Card;

use super::path::Gains;

/// Names within a run's folder.
const START: &str = "start.toml";
/// Name without ending of what comes out.
pub const TUNED: &str = "tuned";
/// Pairs that an extended run shall have.
const GOAL: &str = "goal.json";
/// File of the numbers' values along the path.
pub const PATH: &str = "path.csv";
/// File of the page.
pub const PAGE: &str = "report.html";
const SETTINGS: &str = "settings.json";
/// Iterations played at once unless the user says otherwise.
const WINDOW: u64 = 16;

/// The options that decide a run's path. With --resume those that are given must be as they were.
#[derive(Args, Clone, Debug)]
pub struct Choices {
    /// Who is tuned.
    #[command(flatten)]
    pub subject: SubjectArguments,
    /// Nodes a move; runs by nodes can be repeated to the byte.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: Option<u64>,
    /// Clock of each game: [MOVES/]TIME[+INCREMENT] in seconds, as 8+0.08. An engine's words may
    /// give other limits, as depth=6.
    #[arg(long, value_name = "T", conflicts_with = "nodes")]
    pub tc: Option<TimeControl>,
    /// Transposition table of each player in megabytes, 1 to 65536 [default: 4 for Kamerton, else
    /// the engine's own].
    #[arg(long, value_name = "MB", value_parser = command_line::count(1, 65_536))]
    pub hash: Option<usize>,
    /// Pairs of games that the run is planned for, whose end the gains belong to. With --resume, as
    /// many as it shall have: beyond the plan they go on by the same formulas.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: Option<u64>,
    /// Pairs of an iteration: all of them play the same two sets of values [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub batch: Option<u64>,
    /// Iterations that are played at once: each is drawn from the values after the one so many
    /// before, however many threads there are. More threads than this times --batch have nothing
    /// to do [default: 16].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub window: Option<u64>,
    /// How much the first steps are held back: A in units of the iterations [default: 0.1].
    #[arg(long, value_name = "RATIO", value_parser = within(0.0, 10.0))]
    pub a_ratio: Option<f64>,
    /// How fast steps shrink [default: 0.602].
    #[arg(long, value_name = "EXPONENT", value_parser = within(0.0, 2.0))]
    pub alpha: Option<f64>,
    /// How fast perturbations shrink [default: 0.101].
    #[arg(long, value_name = "EXPONENT", value_parser = within(0.0, 1.0))]
    pub gamma: Option<f64>,
    /// r_end of all numbers, in place of the file's: how far a number moves for a game won at the end
    /// of the run, in steps [default of Kamerton's numbers: what suits the pairs that are planned,
    /// 0.002 for a hundred thousand, 0.01 for four thousand, at most 0.012].
    #[arg(long, value_name = "RATE", value_parser = within(1e-9, 10.0))]
    pub rate: Option<f64>,
    /// Multiplies the steps, c_end, of all numbers: where few nodes are searched, a change shows
    /// only if it is large [default of Kamerton's numbers: what suits the pairs that are planned, 1
    /// for a hundred thousand, 2 for six thousand and fewer; else 1].
    #[arg(long, value_name = "FACTOR", value_parser = within(1e-3, 1e3))]
    pub steps: Option<f64>,
    /// Opening file, EPD or PGN [default: the openings inside this program].
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Seed of all randomness [default: 1].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// Everything that decides a run's path; settings.json in its folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game that is played; chess if missing.
    #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
    pub game: Game,
    /// The command line that began it, without what decides none of the path.
    pub begun_by: String,
    /// Who is tuned, with its limits; the file of our own engine is a copy in the run's folder.
    contestant: Contestant,
    /// Fingerprint of its numbers or of its program.
    fingerprint: String,
    /// Its identity; runs of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<EngineIdentity>,
    /// The numbers that are tuned, from where, in which steps.
    tunables: Vec<Tunable>,
    /// How perturbations and steps shrink.
    pub gains: Gains,
    /// The rate of all numbers, if the user gave one.
    rate: Option<f64>,
    /// The factor of all steps, if the user gave one.
    steps: Option<f64>,
    /// Pairs of games of an iteration.
    pub batch: u64,
    /// Iterations that may be in play at once.
    pub window: u64,
    /// SHA-256 of the openings, of which the run's folder has a copy.
    openings: String,
    /// Seed of all randomness.
    pub seed: u64,
}

/// A run's settings with what they name.
pub struct Loaded {
    /// The settings as the folder has them.
    pub settings: Settings,
    /// SHA-256 of their file.
    pub digest: String,
    /// The engine or file that is tuned.
    pub subject: TunedEngine,
    /// The book of openings.
    pub book: Book,
    /// Where the run keeps them.
    pub openings: PathBuf,
}

impl Settings {
    /// The settings that the choices ask for, for a run that is not begun, and its openings.
    ///
    /// # Errors
    /// [`WrongUse`] for choices that are missing; files that are wrong; an engine that does not
    /// start or lacks an option.
    pub fn of_choices(choices: &Choices) -> anyhow::Result<(Settings, Book)> {
        let Some(pairs) = choices.pairs else {
            return Err(WrongUse("say how long to tune: --pairs N".to_string()).into());
        };
        let subject = choices.subject.subject()?;
        let limits = choices.limits(subject.base())?;
        subject.check(&limits)?;
        let batch = choices.batch.unwrap_or(1);
        let mut contestant = Contestant { limits, ..subject.base().clone() };
        contestant.hash = choices.hash.or(contestant.hash);
        let game = subject.game();
        let loaded = contestant.load(game)?;
        match &mut contestant.source {
            Source::Parameters { file, .. } => *file = START.into(),
            // The run may be resumed from elsewhere.
            Source::Uci(engine) => {
                engine.command = loaded.command().unwrap_or(&engine.command).to_path_buf();
            }
            Source::Random => {}
        }
        let fingerprint = loaded.identity.fingerprint;
        let openings = choices.openings.clone().unwrap_or_else(|| EMBEDDED.into());
        let book = Book::load(&openings, &OpeningSettings::of(game))?;
        let usual = Gains::usual(pairs.div_ceil(batch));
        let settings = Settings {
            game,
            begun_by: command_line::deciding_invocation(),
            contestant,
            fingerprint,
            engine: subject.engine()?,
            tunables: choices.scaled(subject.tunables(), batch * pairs.div_ceil(batch)),
            rate: choices.rate,
            steps: choices.steps,
            gains: Gains {
                a_ratio: choices.a_ratio.unwrap_or(usual.a_ratio),
                alpha: choices.alpha.unwrap_or(usual.alpha),
                gamma: choices.gamma.unwrap_or(usual.gamma),
                ..usual
            },
            batch,
            window: choices.window.unwrap_or(WINDOW),
            openings: sha256(book.bytes()),
            seed: choices.seed.unwrap_or(1),
        };
        Ok((settings, book))
    }

    /// Writes a new run into its folder: copies of the files it depends on, then the settings.
    ///
    /// # Errors
    /// A file cannot be written, or one of somebody else would be overwritten, now or at the end.
    pub fn store(&self, folder: &Path, choices: &Choices, book: &Book) -> anyhow::Result<()> {
        let openings = openings_in(folder);
        let own = folder.join("openings").with_extension(book.format().extension());
        let other = openings.into_iter().filter(|path| *path != own);
        let tuned = ["toml", "txt", "json"].map(|ending| folder.join(TUNED).with_extension(ending));
        let written = [GOAL, PATH, PAGE].map(|name| folder.join(name));
        if let Some(path) = other.chain(tuned).chain(written).find(|path| path.exists()) {
            return Err(OutputError::Occupied(path).into());
        }
        if let Some(start) = &choices.subject.start {
            files::write_beside_others(
                &folder.join(START),
                self.game.open_numbers(start)?.1.as_bytes(),
            )?;
        }
        files::write_beside_others(&own, book.bytes())?;
        let text = serde_json::to_string_pretty(self)? + "\n";
        write(&folder.join(SETTINGS), text.as_bytes())
    }

    /// Reads the settings of the run in a folder, and what they name.
    ///
    /// # Errors
    /// A file is missing, damaged, or not what the run was begun with.
    pub fn load(folder: &Path) -> anyhow::Result<Loaded> {
        let path = folder.join(SETTINGS);
        let text = files::read_text(&path)?;
        let settings: Settings = serde_json::from_str(&text)
            .with_context(|| format!("{} holds no settings of a run", path.display()))?;
        let mut contestant = settings.contestant.clone();
        if let Source::Parameters { file, .. } = &mut contestant.source {
            *file = folder.join(&file);
        }
        let found = contestant.load(settings.game)?.identity.fingerprint;
        // A program is looked at as a whole, where the settings say which one it was.
        let is_looked_at = settings.engine.is_some() && settings.is_program();
        ensure!(
            is_looked_at || found == settings.fingerprint,
            "{} is not what the run was begun with (fingerprint {found}, not {}): put it back, or \
             begin another run",
            program_of(&contestant).display(),
            settings.fingerprint
        );
        let openings = openings_in(folder);
        let openings = openings.iter().find(|path| path.exists()).unwrap_or(&openings[0]).clone();
        let book = Book::load(&openings, &OpeningSettings::of(settings.game))?;
        ensure!(
            sha256(book.bytes()) == settings.openings,
            "{} was changed after the run had begun with it: put it back, or begin another run",
            openings.display()
        );
        let subject = TunedEngine::new(settings.game, contestant, settings.tunables.clone())
            .with_context(|| format!("{} cannot be used", path.display()))?;
        Ok(Loaded { digest: sha256(text.as_bytes()), settings, subject, book, openings })
    }

    fn is_program(&self) -> bool {
        matches!(self.contestant.source, Source::Uci(_))
    }

    /// Fingerprint of the numbers or of the program that is tuned.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Pairs that the run was planned for.
    pub fn pairs(&self) -> u64 {
        self.gains.iterations * self.batch
    }

    /// Pairs that the run in a folder, which has so many, shall have: what is asked for now, or was
    /// when it was extended last, or what it was planned for. Remembers an extension.
    ///
    /// # Errors
    /// Fewer are asked for than were played; the file that remembers cannot be read or written.
    pub fn goal(&self, folder: &Path, played: u64, asked: Option<u64>) -> anyhow::Result<u64> {
        let path = folder.join(GOAL);
        if let Some(pairs) = asked {
            if pairs.div_ceil(self.batch) * self.batch < played {
                let message = format!(
                    "--pairs {pairs}: {played} pairs were played already; leave it out, or say more, \
                     which extends the run"
                );
                return Err(WrongUse(message).into());
            }
            if pairs > played.max(self.pairs()) {
                write(&path, format!("{pairs}\n").as_bytes())?;
            }
            return Ok(pairs);
        }
        if !path.exists() {
            return Ok(self.pairs());
        }
        let text = files::read_text(&path)?;
        let goal = serde_json::from_str(&text);
        goal.with_context(|| format!("{} holds no number of pairs", path.display()))
    }

    /// The card of the pairs: all that decides the path but where files lie.
    pub fn card(&self) -> Card {
        let Settings {
            fingerprint, engine, tunables, gains, batch, window, openings, seed, ..
        } = self;
        let Contestant { limits, hash, .. } = &self.contestant;
        let engine = (fingerprint, engine, limits, hash);
        Card::new("pairs of a tuning", &(engine, tunables, gains, batch, window, openings, seed))
    }

    /// A seed for one purpose.
    pub fn seed_of(&self, purpose: Purpose) -> u64 {
        // Beside the streams that pairs and shuffles draw from; small enough to be exact in JSON.
        let index = (1 << 62) + purpose as u64;
        random::stream(self.seed, index).random::<u64>() >> 11
    }

    /// Checks that the engine is the one that the run was begun with, if it may not be another, and
    /// that what was chosen now is as it was, where it was chosen at all.
    ///
    /// # Errors
    /// [`WrongUse`] that names the first difference; another engine; one that does not start.
    pub fn check_same(
        &self,
        choices: &Choices,
        loaded: &Loaded,
        allows_changes: bool,
    ) -> anyhow::Result<()> {
        let engine = loaded.subject.engine()?;
        let name = &self.contestant.name;
        command_line::check_engine(name, engine.as_ref(), self.engine.as_ref(), allows_changes)?;
        let differs = |option: &str, now: &Value, then: &Value| {
            let then = if then.is_null() { "none".to_string() } else { then.to_string() };
            let message = format!(
                "{option}: {now}, but the run was begun with {then}: leave it out, or begin \
                 another run"
            );
            anyhow::Error::from(WrongUse(message))
        };
        let Gains { a_ratio, alpha, gamma, .. } = self.gains;
        let limits = &self.contestant.limits;
        for (option, now, then) in [
            ("--nodes", json!(choices.nodes), json!(limits.nodes)),
            ("--tc", json!(choices.tc), json!(limits.clock)),
            ("--hash", json!(choices.hash), json!(self.contestant.hash)),
            ("--batch", json!(choices.batch), json!(self.batch)),
            ("--window", json!(choices.window), json!(self.window)),
            ("--a-ratio", json!(choices.a_ratio), json!(a_ratio)),
            ("--alpha", json!(choices.alpha), json!(alpha)),
            ("--gamma", json!(choices.gamma), json!(gamma)),
            ("--rate", json!(choices.rate), json!(self.rate)),
            ("--steps", json!(choices.steps), json!(self.steps)),
            ("--seed", json!(choices.seed), json!(self.seed)),
        ] {
            if !now.is_null() && now != then {
                return Err(differs(option, &now, &then));
            }
        }
        if let Some(path) = &choices.openings {
            let book = Book::load(path, &OpeningSettings::of(self.game))?;
            if book.bytes() != loaded.book.bytes() {
                return Err(differs("--openings", &json!(path), &json!("another file")));
            }
        }
        let says_who = choices.subject.start.is_some() || !choices.subject.engine.is_empty();
        if !says_who && !choices.subject.is_empty() {
            let message = "--only and --freeze: the run goes on with the numbers that it was begun \
                           with: leave them out, or begin another run";
            return Err(WrongUse(message.to_string()).into());
        }
        if says_who {
            let subject = choices.subject.subject()?;
            let found = subject.base().load(self.game)?.identity.fingerprint;
            if found != self.fingerprint && !(allows_changes && self.is_program()) {
                let option = if choices.subject.start.is_some() { "--start" } else { "--engine" };
                return Err(differs(option, &json!(found), &json!(self.fingerprint)));
            }
            let (now, then) = (subject.base(), &self.contestant);
            if let (Source::Uci(now), Source::Uci(then)) = (&now.source, &then.source) {
                for (now, then) in [
                    (json!(now.options), json!(then.options)),
                    (json!(now.arguments), json!(then.arguments)),
                ] {
                    if now != then {
                        return Err(differs("--engine", &now, &then));
                    }
                }
            }
            if !now.limits.is_unlimited() && now.limits != then.limits {
                return Err(differs("--engine", &json!(now.limits), &json!(then.limits)));
            }
            let then = Choices { rate: self.rate, steps: self.steps, ..choices.clone() };
            let tunables = then.scaled(subject.tunables(), self.pairs());
            let names = |tunables: &[Tunable]| -> Vec<String> {
                tunables.iter().map(|tunable| tunable.name.clone()).collect()
            };
            let (now, then) = (names(&tunables), names(&self.tunables));
            let foreign = |these: &[String], those: &[String]| -> Vec<String> {
                these.iter().filter(|&name| !those.contains(name)).cloned().collect()
            };
            if now != then {
                let (now, then) = (foreign(&now, &then), foreign(&then, &now));
                return Err(differs("numbers to tune", &json!(now), &json!(then)));
            }
            let different = tunables.iter().zip(&self.tunables).find(|(now, then)| now != then);
            if let Some((now, then)) = different {
                return Err(differs(&now.name, &json!(now), &json!(then)));
            }
        }
        Ok(())
    }
}

/// A purpose for which a run needs a seed of its own.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The directions in which numbers are moved.
    Perturbations,
    /// The games by which they are measured.
    Games,
    /// The test of the result.
    Test,
}

impl Choices {
    /// The numbers with the rate and the steps of the user's choice, for a plan of so many pairs.
    fn scaled(&self, tunables: &[Tunable], pairs: u64) -> Vec<Tunable> {
        // A file states rates of its own, for the run that its author had in mind.
        let usual =
            self.subject.start.as_ref().map(|_| (rate_of_plan(pairs), steps_of_plan(pairs)));
        let (rate, steps) = usual.unzip();
        let scaled = |tunable: &Tunable| Tunable {
            rate: self.rate.or(rate).unwrap_or(tunable.rate),
            step: tunable.step * self.steps.or(steps).unwrap_or(1.0),
            ..tunable.clone()
        };
        tunables.iter().map(scaled).collect()
    }

    /// How long a move may take: by these choices, or by the words of the engine.
    fn limits(&self, contestant: &Contestant) -> anyhow::Result<MoveLimits> {
        let own = contestant.limits;
        let limits = match (self.nodes, self.tc) {
            (None, None) => own,
            (nodes, clock) => MoveLimits { nodes, clock, depth: None, move_time: None, ..own },
        };
        if limits.is_unlimited() {
            let message = "say how long a move may take: --nodes N or --tc T";
            return Err(WrongUse(message.to_string()).into());
        }
        if limits != own && !own.is_unlimited() {
            let message = format!("--engine: {own} and {limits} are two limits: give one");
            return Err(WrongUse(message).into());
        }
        Ok(limits)
    }
}

/// The rate that suits a plan of so many pairs: what fishtest proposes for its long runs, more for
/// shorter ones, which else would end where they began.
///
/// In simulations of sixty numbers (each some 20 % off, which costs an Elo, and moved by 13 %) the
/// best rates were near .01 for 1,000 and 4,000 pairs and .006 for 16,000, and gained 13, 41 and 67 %
/// of what was to be had, .002 gained 4, 19 and 50 %, and .03 nothing.
fn rate_of_plan(pairs: u64) -> f64 {
    /// A greater rate follows chance.
    const MOST: f64 = 0.012;
    (tunables::RATE * (LONG_PLAN / pairs as f64).sqrt()).min(MOST)
}

/// By how many declared steps numbers are moved in a plan of so many pairs: one in a long run, in
/// which small changes show, and two in one of some thousand pairs.
///
/// In simulations (docs/lab/margins.md) two to three steps gained half as much again as one in 1,500 to
/// 4,000 pairs.
fn steps_of_plan(pairs: u64) -> f64 {
    (LONG_PLAN / pairs as f64).powf(0.25).clamp(1.0, 2.0)
}

/// Pairs of the runs that fishtest's rate and the declared steps are for.
const LONG_PLAN: f64 = 1e5;

/// The file that a contestant plays from.
fn program_of(contestant: &Contestant) -> PathBuf {
    match &contestant.source {
        Source::Parameters { file, .. } => file.clone(),
        Source::Uci(engine) => engine.command.clone(),
        Source::Random => PathBuf::new(),
    }
}

/// Where the copy of the openings may be.
fn openings_in(folder: &Path) -> [PathBuf; 2] {
    ["epd", "pgn"].map(|ending| folder.join("openings").with_extension(ending))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::write_atomically(path, |file| std::io::Write::write_all(file, bytes))?;
    Ok(())
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
