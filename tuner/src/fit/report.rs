//! What a fit did: as text, Markdown, JSON and a plot of the errors.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;
use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use super::optimize::{Iteration, Stop};

/// Changes listed in the text report; the JSON holds all.
const CHANGES_SHOWN: usize = 25;
/// Names listed in the text report for values that stayed as they were.
const NAMES_SHOWN: usize = 60;

/// Mean squared errors of the two sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Of the positions fitted to.
    pub training: f64,
    /// Of the positions of the games held out.
    pub held_out: f64,
}

/// One number that the fit changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Full name.
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
    /// Positions of the games held out.
    pub held_out_positions: usize,
    /// Positions left out because endgame knowledge answers them exactly.
    pub exact_positions: usize,
    /// Mean number of weights traced in a position.
    pub entries_per_position: f64,
    /// Memory of the traces, in bytes for each position.
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
}

impl Report {
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
            [("report.md", self.to_markdown()), ("report.json", json), ("loss.svg", self.to_svg()?)]
        {
            sprt::files::write_atomically(&folder.join(name), |file| {
                file.write_all(text.as_bytes())
            })?;
        }
        Ok(())
    }

    /// The errors by iteration as an SVG picture.
    ///
    /// # Errors
    /// When the plot cannot be drawn.
    pub fn to_svg(&self) -> anyhow::Result<String> {
        let mut svg = String::new();
        self.draw(SVGBackend::with_string(&mut svg, (760, 440)))
            .map_err(|error| anyhow::anyhow!("cannot draw the errors: {error}"))?;
        Ok(svg)
    }

    fn draw<B: DrawingBackend>(&self, backend: B) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>
    where
        B::ErrorType: 'static,
    {
        let errors = self.iterations.iter().flat_map(|i| [i.training, i.held_out]);
        let (least, most) = errors
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), error| (a.min(error), b.max(error)));
        let margin = (most - least).max(1e-6) * 0.05;
        let last = self.iterations.len().saturating_sub(1).max(1) as f64;
        let area = backend.into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("Mean squared error by iteration", ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(72)
            .build_cartesian_2d(0.0..last, least - margin..most + margin)?;
        chart
            .configure_mesh()
            .x_desc("iteration")
            .y_label_formatter(&|error| format!("{error:.5}"))
            .x_label_formatter(&|iteration| format!("{iteration:.0}"))
            .draw()?;
        for (name, color, error) in [
            ("training", BLUE, (|i| i.training) as fn(&Iteration) -> f64),
            ("held out", RED, |i| i.held_out),
        ] {
            let points = self.iterations.iter().map(|i| (f64::from(i.iteration), error(i)));
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        area.present()
    }

    fn write_summary(&self, text: &mut String) {
        let fall = 100.0 * (1.0 - self.after.held_out / self.before.held_out);
        let stop = match self.stop {
            Stop::HeldOut => "the held-out error did not fall any more",
            Stop::Converged => "converged",
            Stop::Iterations => "the iterations were used up",
        };
        let lines = [
            format!(
                "{} positions to fit, {} held out, {} left out (endgame knowledge answers them)",
                self.training_positions, self.held_out_positions, self.exact_positions
            ),
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
        *text += "| iteration | training | held out | largest step |\n|---|---|---|---|\n";
        for i in &self.iterations {
            push(
                text,
                format_args!(
                    "| {} | {:.6} | {:.6} | {:.2} |\n",
                    i.iteration, i.training, i.held_out, i.step
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
        push(
            text,
            format_args!("\n## Seen too rarely, left as they were ({})\n\n", self.unseen.len()),
        );
        let names: Vec<String> = self
            .unseen
            .iter()
            .take(NAMES_SHOWN)
            .map(|unseen| format!("{} ({})", unseen.name, unseen.seen))
            .collect();
        *text += &names.join(", ");
        if self.unseen.len() > NAMES_SHOWN {
            push(text, format_args!(", and {} more", self.unseen.len() - NAMES_SHOWN));
        }
        text.push('\n');
    }
}

/// Appends formatted text.
fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("strings take all");
}
