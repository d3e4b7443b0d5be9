//! Elo over revisions: each of a range against the base or against the one before.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use maud::html;
use report::html::chart::{self, Area, Frame};
use revisions::{Bench, Builder, Built, Control, GitError, Halt, Repository, Revision};
use serde::{Deserialize, Serialize};
use system::budget::Budget;
use system::files::{
    OutputError, check_free, claim_outputs, create_folder, read_text, write_atomically,
};
use system::shell;

use super::games::Match;
use super::{RegressError, Settings, Watcher, games, ignore_in_git};

/// The rows, and a picture of them.
const TABLE: &str = "history.csv";
const PICTURE: &str = "history.svg";

/// The revisions to compare, and with which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistorySettings {
    /// `FROM..TO` along first parents, or a number: so many up to HEAD.
    pub range: String,
    /// With what each is compared.
    pub against: Against,
    /// Pairs that each plays, unless its bench shows that it plays as another one.
    pub pairs: u64,
}

/// With what each revision of a history is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Against {
    /// The base: errors do not add up, but great gains are measured badly.
    Base,
    /// The revision before: each step is measured well, and the errors of the sum grow.
    Previous,
}

/// How a row of a history came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowStatus {
    /// Its strength was measured by games.
    Played,
    /// It plays as its opponent or as a revision that was measured, by its bench.
    Equal,
    /// It does not build or bench.
    Failed,
    /// The budget ended before its turn.
    Unreached,
}

/// A revision of a history.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HistoryRow {
    /// Hash of the commit, in hexadecimal.
    pub revision: String,
    /// When it was committed (ISO 8601).
    pub date: String,
    /// First line of the commit's message.
    pub subject: String,
    /// How the row came about.
    pub status: RowStatus,
    /// Nodes of its bench; `None` if it has none.
    pub bench: Option<u64>,
    /// Nodes per second of one bench: what it shows at a glance, not a measurement.
    pub nodes_per_second: Option<u64>,
    /// The commit it is compared with.
    pub opponent: String,
    /// Games played against the opponent.
    pub games: u64,
    /// Logistic Elo against the opponent.
    pub elo: Option<f64>,
    /// Half-width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// Logistic Elo against the base: the sum of the steps, if each is against the one before.
    pub total_elo: Option<f64>,
    /// Half-width of its 95 % interval.
    pub total_error: Option<f64>,
}

/// The result of a history.
#[derive(Clone, PartialEq, Debug)]
pub struct History {
    /// The commit everything is compared with in the end.
    pub base: Revision,
    /// The revisions, the oldest first.
    pub rows: Vec<HistoryRow>,
    /// Where history.csv and history.svg are.
    pub folder: PathBuf,
}

/// Measures the Elo of the revisions of a range. The files are written anew after each revision;
/// the same settings go on where it ended.
///
/// # Errors
/// See [`RegressError`]. A revision that does not build is a row, no error.
pub fn history(
    settings: &Settings,
    history: &HistorySettings,
    watcher: &dyn Watcher,
) -> Result<History, RegressError> {
    let is_interrupted = || watcher.is_interrupted();
    let patient = Control { budget: Budget::starting_now(None), is_interrupted: &is_interrupted };
    let control = Control { budget: Budget::starting_now(settings.budget), ..patient };
    let repository = Repository::open(&settings.repository, patient)?;
    let mut revisions = repository.first_parents(&history.range)?;
    let base = match &settings.base {
        Some(name) => repository.resolve(name)?,
        None => match repository.parent(&revisions[0])? {
            Some(parent) => parent,
            // The first commit of all has nothing before it, and is the base itself.
            None if revisions.len() > 1 => revisions.remove(0),
            None => return Err(GitError::NoParent { name: revisions.remove(0).name }.into()),
        },
    };
    ignore_in_git(&settings.cache)?;
    let builder = Builder::new(&repository, &settings.recipe, &settings.cache, control)?;
    let name = format!("history-{}", history.range.replace(['/', '\\'], "-"));
    let folder = settings.output.clone().unwrap_or_else(|| Path::new("regress").join(name));
    ignore_in_git(&folder)?;
    let _claims = claim_outputs([&*folder.join(TABLE)])?;
    check_own_table(&folder)?;
    let mut walk = Walk { settings, history, watcher, control, builder: &builder, folder: &folder };
    let mut found = History { base: base.clone(), rows: Vec::new(), folder: folder.clone() };
    let ended = walk.all(&base, &revisions, &mut found);
    if let Err(error) = ended {
        if error.halt() != Some(Halt::BudgetOver) {
            return Err(error);
        }
        let unreached = &revisions[found.rows.len()..];
        let rows = unreached.iter().map(|it| row(it, RowStatus::Unreached, String::new()));
        found.rows.extend(rows);
    }
    found.write()?;
    Ok(found)
}

/// A history on its way.
struct Walk<'a> {
    settings: &'a Settings,
    history: &'a HistorySettings,
    watcher: &'a dyn Watcher,
    control: Control<'a>,
    builder: &'a Builder<'a>,
    folder: &'a Path,
}

/// A build with what is known of its strength.
struct RatedBuild {
    built: Built,
    commit: String,
    bench: Option<u64>,
    standing: Standing,
}

/// How much stronger a build is than the base, in logistic Elo, and by which matches that is known.
#[derive(Clone, Default)]
struct Standing {
    elo: f64,
    /// Errors of these matches, by number.
    steps: BTreeMap<usize, f64>,
}

impl Standing {
    /// After another match against a build that stands here.
    fn after(&self, number: usize, step: &Step) -> Standing {
        let mut steps = self.steps.clone();
        steps.insert(number, step.error);
        Standing { elo: self.elo + step.elo, steps }
    }

    /// Error of the difference to another: matches that both are known by cancel.
    fn error_against(&self, other: &Standing) -> f64 {
        let only = |one: &Standing, two: &Standing| -> f64 {
            let alone = one.steps.iter().filter(|(number, _)| !two.steps.contains_key(number));
            // Of no numbers the sum is -0.
            alone.map(|(_, error)| error * error).fold(0.0, |sum, square| sum + square)
        };
        (only(self, other) + only(other, self)).sqrt()
    }
}

impl Walk<'_> {
    fn all(
        &mut self,
        base: &Revision,
        revisions: &[Revision],
        found: &mut History,
    ) -> Result<(), RegressError> {
        let (built, bench) = self.build(base)?;
        let start = RatedBuild {
            built,
            commit: base.commit.clone(),
            bench: bench.map(|it| it.0),
            standing: Standing::default(),
        };
        let mut rated = vec![start];
        for revision in revisions {
            let row = match self.build(revision) {
                Ok((built, bench)) => self.measure(revision, built, bench, &mut rated)?,
                Err(error) if error.halt().is_some() => return Err(error),
                Err(error) => {
                    self.watcher.note(&error.to_string());
                    row(revision, RowStatus::Failed, String::new())
                }
            };
            if let Some(total) = row.total_elo {
                self.watcher
                    .note(&format!("{:.10} {total:+.1} Elo: {}", row.revision, row.subject));
            }
            found.rows.push(row);
            found.write()?;
        }
        Ok(())
    }

    /// A revision's build, and nodes and speed of its bench.
    fn build(&self, revision: &Revision) -> Result<(Built, Option<(u64, u64)>), RegressError> {
        let mut built = self.builder.build(revision, &|text| self.watcher.note(text))?;
        let bench = match &self.settings.bench {
            Some(settings) => Some(built.signature(settings, &self.control)?),
            None => None,
        };
        Ok((built, bench.map(|bench| (bench.nodes, bench.speed() as u64))))
    }

    /// Compares a build with its opponent, by its bench or by games.
    fn measure(
        &self,
        revision: &Revision,
        built: Built,
        bench: Option<(u64, u64)>,
        rated: &mut Vec<RatedBuild>,
    ) -> Result<HistoryRow, RegressError> {
        let nodes = bench.map(|bench| bench.0);
        let opponent = match self.history.against {
            Against::Base => &rated[0],
            Against::Previous => &rated[rated.len() - 1],
        };
        let mut row = row(revision, RowStatus::Equal, opponent.commit.clone());
        (row.bench, row.nodes_per_second) = (nodes, bench.map(|bench| bench.1));
        // A revision that plays as a measured one is as strong as that.
        let known = rated.iter().find(|it| {
            let says_enough = nodes.is_some_and(|nodes| nodes >= Bench::LEAST_NODES);
            it.built.sha256 == built.sha256 || (says_enough && it.bench == nodes)
        });
        let standing = match known {
            Some(known) => {
                row.elo = Some(known.standing.elo - opponent.standing.elo);
                row.elo_error = Some(known.standing.error_against(&opponent.standing));
                known.standing.clone()
            }
            None => {
                let step = self.play(&opponent.built, &built)?;
                row.status = RowStatus::Played;
                row.games = step.games;
                (row.elo, row.elo_error) = (Some(step.elo), Some(step.error));
                opponent.standing.after(rated.len(), &step)
            }
        };
        row.total_elo = Some(standing.elo);
        row.total_error = Some(standing.error_against(&rated[0].standing));
        rated.push(RatedBuild { built, commit: revision.commit.clone(), bench: nodes, standing });
        Ok(row)
    }

    fn play(&self, opponent: &Built, built: &Built) -> Result<Step, RegressError> {
        let mut settings = self.settings.games.clone();
        settings.rules.pairs = self.history.pairs;
        settings.rules.early_stop = false;
        let [theirs, ours] = [opponent, built].map(|built| &built.sha256[..12]);
        let folder = self.folder.join("games").join(format!("{theirs}..{ours}"));
        create_folder(&folder)?;
        let resume = shell::join(["sprt", "resume", &folder.to_string_lossy()]);
        let game = Match {
            settings: &settings,
            stage: &settings.stages[0],
            builds: [opponent, built],
            folder: &folder,
            repeat: &resume,
        };
        let played = games::play(&game, &self.control, self.watcher)?;
        let played = played.filter(|played| played.are_over);
        let report = played.ok_or(RegressError::Halted(Halt::BudgetOver))?.report;
        let elo = report.assessment.elo_if_fixed;
        let games = 2 * report.assessment.counts.pairs();
        Ok(Step { games, elo: elo.value, error: elo.error })
    }
}

/// The games of a revision against its opponent.
struct Step {
    games: u64,
    elo: f64,
    error: f64,
}

fn row(revision: &Revision, status: RowStatus, opponent: String) -> HistoryRow {
    HistoryRow {
        revision: revision.commit.clone(),
        date: revision.date.clone(),
        subject: revision.subject.clone(),
        status,
        bench: None,
        nodes_per_second: None,
        opponent,
        games: 0,
        elo: None,
        elo_error: None,
        total_elo: None,
        total_error: None,
    }
}

/// Checks that what is to be written over is of an earlier history.
fn check_own_table(folder: &Path) -> Result<(), OutputError> {
    let text = read_text(&folder.join(TABLE)).unwrap_or_default();
    let is_own = text.starts_with("revision,date,subject,");
    if is_own { Ok(()) } else { check_free(folder, [TABLE, PICTURE]) }
}

impl History {
    fn write(&self) -> Result<(), RegressError> {
        let report = |error: String| RegressError::Report(error);
        let mut csv = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            csv.serialize(row).map_err(|error| report(error.to_string()))?;
        }
        let csv = csv.into_inner().map_err(|error| report(error.to_string()))?;
        for (name, bytes) in [(TABLE, csv), (PICTURE, self.to_svg().into_bytes())] {
            write_atomically(&self.folder.join(name), |file| file.write_all(&bytes))?;
        }
        Ok(())
    }

    /// Revisions that the budget left no time for.
    pub fn unreached(&self) -> usize {
        self.rows.iter().filter(|row| row.status == RowStatus::Unreached).count()
    }

    /// The Elo against the base by revision, with error bars, as an SVG picture.
    fn to_svg(&self) -> String {
        /// Names of revisions that can be read beside each other.
        const MOST_NAMES: usize = 40;
        // The base is point 0.
        let mut points = vec![(0.0, [0.0; 3])];
        for (index, row) in self.rows.iter().enumerate() {
            if let (Some(elo), Some(error)) = (row.total_elo, row.total_error) {
                points.push(((index + 1) as f64, [elo - error, elo, elo + error]));
            }
        }
        let least = points.iter().map(|(_, [low, ..])| *low).fold(-5.0, f64::min);
        let most = points.iter().map(|(_, [.., high])| *high).fold(5.0, f64::max);
        let margin = (most - least) * 0.08;
        let width = (160 + 28 * self.rows.len()).clamp(480, 2000) as f64;
        let area = Area { width, height: 420.0, left: 56.0, bottom: 84.0 };
        let ends = (-0.5, self.rows.len() as f64 + 0.5);
        let frame = Frame::within(area, ends, (least - margin, most + margin));
        let line: Vec<(f64, f64)> = points.iter().map(|&(x, [_, elo, _])| (x, elo)).collect();
        let revisions = self.rows.iter().map(|row| &row.revision);
        let names = [&self.base.commit].into_iter().chain(revisions).enumerate();
        let unreached = match self.unreached() {
            0 => String::new(),
            count => format!("; {count} not reached within the budget"),
        };
        let content = html! {
            (frame.ordinate())
            (frame.level(0.0, "axis-line"))
            (frame.line(&line, "cand"))
            @for &(x, interval) in &points { (frame.error_bar(x, interval)) }
            @for (index, name) in names.step_by(self.rows.len() / MOST_NAMES + 1) {
                (frame.upright_label(index as f64, &format!("{name:.7}")))
            }
            (frame.abscissa_name(&format!(
                "Elo against {:.7}, 95 % error bars{unreached}", self.base.commit
            )))
        };
        chart::picture(area, "Elo over revisions", &content)
    }
}
