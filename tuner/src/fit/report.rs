//! What a fit did: as text, Markdown, JSON and a plot of the errors.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::problem::{Fitted, Problem};
use super::settings::FitSettings;
use super::task::{Iteration, Stop};

/// Changes listed in the text report; the JSON holds all.
const CHANGES_SHOWN: usize = 25;
/// Names listed in the text report for values that stayed as they were.
const NAMES_SHOWN: usize = 60;

/// Mean squared errors of the three sets, which share no game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Of the positions fitted to.
    pub training: f64,
    /// Of the positions whose error decides when to stop.
    pub validation: f64,
    /// Of the positions held out, which decide nothing.
    pub held_out: f64,
}

/// One number that the fit changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Name of the number, as `group.name[3].endgame`.
    pub name: String,
    /// Value in the starting file.
    pub before: i32,
    /// Value in the tuned file.
    pub after: i32,
    /// Training positions it occurs in.
    pub seen: u32,
}

/// One number that too few positions speak of: it kept its starting value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unseen {
    /// Name of the cell (both phases).
    pub name: String,
    /// Training positions it occurs in.
    pub seen: u32,
}

/// What a fit did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the optimizer.
    pub optimizer: String,
    /// Seed of the split and of the mini-batches.
    pub seed: u64,
    /// Share of the search score in the target.
    pub lambda: f64,
    /// Strength of the pull towards the start.
    pub regularization: f64,
    /// Positions fitted to.
    pub training_positions: usize,
    /// Positions whose error decides when to stop.
    pub validation_positions: usize,
    /// Positions held out, which decide nothing.
    pub held_out_positions: usize,
    /// Positions in all three sets whose games were guessed from successive lines.
    pub guessed_positions: usize,
    /// Positions left out because endgame knowledge answers them exactly.
    pub exact_positions: usize,
    /// Mean number of weights traced in a position.
    pub entries_per_position: f64,
    /// Memory held for the fit, in bytes for each position.
    pub bytes_per_position: f64,
    /// Scale of the expected result: 1 / (1 + 10^(−K·centipawns/400)).
    pub k: f64,
    /// Errors by iteration, of real-valued weights; the start's first.
    pub iterations: Vec<Iteration>,
    /// Iteration whose values were taken.
    pub best: usize,
    /// Why the optimizer ended.
    pub stop: Stop,
    /// Errors of the engine's evaluation with the starting file.
    pub before: Errors,
    /// Errors of the engine's evaluation with the tuned file, values rounded.
    pub after: Errors,
    /// Greatest difference between engine and model over all positions, in centipawns.
    pub disagreement: f64,
    /// Rows of values whose mean change was folded into the value they trade with.
    pub folded: Vec<String>,
    /// Every changed number, the largest change first.
    pub changes: Vec<Change>,
    /// Cells seen too rarely to be fitted.
    pub unseen: Vec<Unseen>,
    /// Numbers that changed nothing in any training position, before the fit or after it: they
    /// kept their starting values.
    pub silent: Vec<String>,
}

impl Report {
    /// The report of a fit, all but what is counted before it: positions, memory and disagreement.
    pub fn of(
        problem: &Problem<'_>,
        fitted: &Fitted,
        settings: &FitSettings,
        seed: u64,
        before: Errors,
        after: Errors,
    ) -> Report {
        Report {
            optimizer: settings.optimizer.name(),
            seed,
            lambda: settings.lambda,
            regularization: settings.regularization,
            training_positions: problem.training.len(),
            validation_positions: problem.validation.len(),
            held_out_positions: problem.held_out.len(),
            guessed_positions: 0,
            exact_positions: 0,
            entries_per_position: 0.0,
            bytes_per_position: 0.0,
            k: fitted.k,
            iterations: fitted.solution.iterations.clone(),
            best: fitted.solution.best,
            stop: fitted.solution.stop,
            before,
            after,
            disagreement: 0.0,
            folded: fitted.folded.clone(),
            changes: problem.changes(fitted),
            unseen: problem.unseen(&fitted.seen, settings.seen_min),
            silent: fitted.silent.clone(),
        }
    }

    /// The report as Markdown, readable as plain text too.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("# Fit\n\n");
        self.write_summary(&mut text);
        self.write_iterations(&mut text);
        self.write_changes(&mut text);
        self.write_unseen(&mut text);
        text
    }

    /// Writes report.md, report.json and loss.svg into `folder`, which is made if needed.
    ///
    /// # Errors
    /// When the folder or a file cannot be written; a file is written whole or not at all.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let json = serde_json::to_string_pretty(self)? + "\n";
        for (name, text) in
            [("report.md", self.to_markdown()), ("report.json", json), ("loss.svg", self.to_svg())]
        {
            sprt::files::write_atomically(&folder.join(name), |file| {
                file.write_all(text.as_bytes())
            })?;
        }
        Ok(())
    }

    /// The errors by iteration as an SVG picture.
    pub fn to_svg(&self) -> String {
        let points = |error: fn(&Iteration) -> f64| -> Vec<(f64, f64)> {
            self.iterations.iter().map(|it| (f64::from(it.iteration), error(it))).collect()
        };
        let (training, validation) = (points(|it| it.training), points(|it| it.validation));
        sprt::report::chart::picture_of_curves(
            "Mean squared error by iteration",
            "iteration",
            [("training", &training), ("validation", &validation)],
        )
    }

    /// The errors before and after, in a line.
    pub fn errors_line(&self) -> String {
        let Report { before, after, .. } = self;
        format!(
            "rounded     {:.6}   {:.6}   (start: {:.6}, {:.6}); held out {:.6} (start: {:.6})",
            after.training,
            after.validation,
            before.training,
            before.validation,
            after.held_out,
            before.held_out,
        )
    }

    fn write_summary(&self, text: &mut String) {
        let fall = 100.0 * (1.0 - self.after.held_out / self.before.held_out);
        let stop = match self.stop {
            Stop::Validation => "the validation error did not fall any more",
            Stop::Converged => "converged",
            Stop::Iterations => "the iterations were used up",
            Stop::Singular => "the equations have no solution",
        };
        let lines = [
            format!(
                "{} positions to fit, {} to stop by (validation), {} held out, {} left out \
                 (endgame knowledge answers them)",
                self.training_positions,
                self.validation_positions,
                self.held_out_positions,
                self.exact_positions
            ),
            self.split_in_words(),
            format!(
                "{:.1} weights and {:.0} bytes a position; engine and model differ by {:.2} \
                 centipawns at most",
                self.entries_per_position, self.bytes_per_position, self.disagreement
            ),
            format!("K = {:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400))", self.k),
            format!(
                "{}, seed {}, lambda {}, regularization {}: iteration {} of {} taken; {stop}",
                self.optimizer,
                self.seed,
                self.lambda,
                self.regularization,
                self.best,
                self.iterations.len().saturating_sub(1),
            ),
        ];
        for line in lines {
            push(text, format_args!("- {line}\n"));
        }
        push(text, format_args!("\n| mean squared error | before | after |\n|---|---|---|\n"));
        for (name, before, after) in [
            ("training", self.before.training, self.after.training),
            ("validation", self.before.validation, self.after.validation),
            ("held out", self.before.held_out, self.after.held_out),
        ] {
            push(text, format_args!("| {name} | {before:.6} | {after:.6} |\n"));
        }
        push(
            text,
            format_args!(
                "\nThe held-out error fell by {fall:.2} %. Errors are those of the engine's \
                 evaluation, values rounded.\n"
            ),
        );
    }

    fn write_iterations(&self, text: &mut String) {
        *text += "\n## Errors by iteration\n\n";
        *text += "| iteration | training | validation | largest step |\n|---|---|---|---|\n";
        for i in &self.iterations {
            push(
                text,
                format_args!(
                    "| {} | {:.6} | {:.6} | {:.2} |\n",
                    i.iteration, i.training, i.validation, i.step
                ),
            );
        }
    }

    fn write_changes(&self, text: &mut String) {
        push(text, format_args!("\n## Largest changes (of {})\n\n", self.changes.len()));
        *text += "| value | before | after | positions |\n|---|---|---|---|\n";
        for change in self.changes.iter().take(CHANGES_SHOWN) {
            push(
                text,
                format_args!(
                    "| {} | {} | {} | {} |\n",
                    change.name, change.before, change.after, change.seen
                ),
            );
        }
        if !self.folded.is_empty() {
            *text += "\nFolded, so that values keep their meaning (the mean change of a row, into ";
            *text += "the value it trades with):\n\n";
            for gauge in &self.folded {
                push(text, format_args!("- {gauge}\n"));
            }
        }
    }

    fn write_unseen(&self, text: &mut String) {
        let seen = |unseen: &Unseen| format!("{} ({})", unseen.name, unseen.seen);
        write_names(
            text,
            "Seen too rarely, left as they were",
            self.unseen.iter().map(seen).collect(),
        );
        if !self.silent.is_empty() {
            let title = "Without effect on any position fitted to, left as they were";
            write_names(text, title, self.silent.clone());
        }
    }

    /// What was kept together when the positions were split.
    fn split_in_words(&self) -> String {
        let all = self.training_positions + self.validation_positions + self.held_out_positions;
        match self.guessed_positions {
            0 => "no game is in two of these sets".to_string(),
            guessed => format!(
                "no game is in two of these sets; the games of {guessed} of {all} positions are \
                 guessed, as blocks of successive lines, because their files name none"
            ),
        }
    }
}

/// A heading and the first of the names.
fn write_names(text: &mut String, title: &str, names: Vec<String>) {
    push(text, format_args!("\n## {title} ({})\n\n", names.len()));
    *text += &names[..names.len().min(NAMES_SHOWN)].join(", ");
    if names.len() > NAMES_SHOWN {
        push(text, format_args!(", and {} more", names.len() - NAMES_SHOWN));
    }
    text.push('\n');
}

/// Appends formatted text.
fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("strings take all");
}
