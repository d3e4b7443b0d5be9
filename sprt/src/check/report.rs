//! The findings of a check.

use std::fmt;

use anstyle::Style;
use matches::games;
use playable::Game;
use schemars::JsonSchema;
use serde::Serialize;
use system::paint;

use super::settings::Settings;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Games go on, but something about them is not as it should be.
    Warning,
    /// A runner loses games by it, or takes a wrong result for a right one.
    Fault,
}

/// Findings by severity, the mildest first.
pub(super) type Counts = [u64; 3];

impl Severity {
    /// `note`, `warning` or `FAULT`, as reports show it.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Fault => "FAULT",
        }
    }
}

/// Something about an engine.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, in a sentence.
    pub what: String,
    /// The last lines that were sent before it.
    pub sent: Vec<String>,
    /// What came, as far as it matters.
    pub came: Vec<String>,
    /// What to do about it.
    pub remedy: String,
}

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing was found.
    Passed,
    /// Something was found.
    Found,
    /// It says nothing of this engine.
    NotJudged,
}

/// A check with what it has found.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct CheckReport {
    /// Name of the check.
    pub check: &'static str,
    /// What it demands.
    pub demand: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was found, the first few of the worst.
    pub findings: Vec<Finding>,
    /// How many more findings there were.
    pub more: u64,
    /// All of them.
    #[serde(skip)]
    pub(super) found: Counts,
}

/// Who was checked.
#[derive(Clone, PartialEq, Eq, Default, Debug, JsonSchema, Serialize)]
pub struct CheckedEngine {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What it calls itself; `None` if it did not say.
    pub name: Option<String>,
    /// Who made it; `None` if it did not say.
    pub author: Option<String>,
    /// Names of its options, in the order in which it lists them.
    pub options: Vec<String>,
}

/// What came of all checks: output of `sprt check --json`.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Report {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Report::SCHEMA))]
    pub schema: &'static str,
    /// Who was checked.
    pub engine: CheckedEngine,
    /// The game in which it was asked; chess if missing.
    #[serde(with = "games", skip_serializing_if = "games::is_usual")]
    #[schemars(with = "String")]
    pub game: Game,
    /// Seed of the games and positions that were drawn.
    pub seed: u64,
    /// Findings that are faults.
    pub faults: u64,
    /// Findings that are warnings.
    pub warnings: u64,
    /// Findings that are notes.
    pub notes: u64,
    /// Each check.
    pub checks: Vec<CheckReport>,
}

impl Report {
    /// Name and version of the JSON form, described in `docs/schemas/check.schema.json`.
    pub const SCHEMA: &str = "kamerton-check/1";

    pub(super) fn new(
        engine: CheckedEngine,
        settings: &Settings,
        checks: Vec<CheckReport>,
    ) -> Report {
        let count = |severity: Severity| {
            checks.iter().map(|check| check.found[severity as usize]).sum::<u64>()
        };
        Report {
            schema: Report::SCHEMA,
            engine,
            game: settings.game,
            seed: settings.seed,
            faults: count(Severity::Fault),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            checks,
        }
    }

    /// The check of this name, if it was among those done.
    pub fn check(&self, name: &str) -> Option<&CheckReport> {
        self.checks.iter().find(|check| check.check == name)
    }
}

/// The alternate form is in color.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.engine.name.as_deref().unwrap_or("an engine without name");
        writeln!(f, "Engine      {name}, {}", self.engine.command)?;
        if !games::is_usual(&self.game) {
            writeln!(f, "Game        {}", self.game.name())?;
        }
        writeln!(f, "Seed        {}\n", self.seed)?;
        for checks in self.checks.chunk_by(|one, other| one.reason == other.reason) {
            match &checks[0].reason {
                // One line for all that follow from the same.
                Some(reason) if checks.len() > 3 => {
                    writeln!(f, "{:<8}{} checks not judged: {reason}", "-", checks.len())?;
                }
                _ => checks.iter().try_for_each(|check| fmt::Display::fmt(check, f))?,
            }
        }
        let passed = self.checks.iter().filter(|it| it.outcome == Outcome::Passed).count();
        let not_judged = self.checks.iter().filter(|it| it.outcome == Outcome::NotJudged).count();
        write!(
            f,
            "\n{} checks: {passed} passed, {not_judged} not judged; faults: {}, warnings: {}, notes: {}\n{}",
            self.checks.len(),
            self.faults,
            self.warnings,
            self.notes,
            match self.faults {
                0 => "Fit for a runner: nothing was found by which games would be lost.",
                _ => "Not fit for a runner until the faults are mended or avoided.",
            }
        )
    }
}

/// The alternate form is in color.
impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = self.findings.iter().map(|finding| finding.severity).max();
        let (word, style) = match (self.outcome, worst) {
            (Outcome::NotJudged, _) => ("-", Style::new()),
            (_, Some(Severity::Fault)) => (Severity::Fault.as_str(), paint::BAD),
            (_, Some(severity)) => (severity.as_str(), paint::OPEN),
            (_, None) => ("ok", paint::GOOD),
        };
        let word = paint::painted_in(f, style, format_args!("{word:<8}"));
        match &self.reason {
            Some(reason) => writeln!(f, "{word}{:<22}not judged: {reason}", self.check)?,
            None => writeln!(f, "{word}{:<22}{}", self.check, self.demand)?,
        }
        for finding in &self.findings {
            writeln!(f, "        {}: {}", finding.severity.as_str(), finding.what)?;
            finding.sent.iter().try_for_each(|line| writeln!(f, "          > {line}"))?;
            finding.came.iter().try_for_each(|line| writeln!(f, "          < {line}"))?;
            writeln!(f, "          {}", finding.remedy)?;
        }
        match self.more {
            0 => Ok(()),
            more => writeln!(f, "        and {more} more"),
        }
    }
}
