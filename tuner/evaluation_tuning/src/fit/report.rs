//! The report of a fit, as data and as text. As a page see [`super::page`].

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use statistics::CONFIDENCE;
use system::paint::{OPEN, painted};

use super::blending::Blending;
use super::diagnosis::{Diagnosis, PhaseScale};
use super::fitted::Fitted;
use super::problem::{Problem, sorted};
use super::settings::FitSettings;
use super::task::{Iteration, Stop};
use crate::model::Positions;
use crate::model::loss::Loss;

/// Changes listed in the text; the JSON and the page hold all.
const CHANGES_SHOWN: usize = 25;
/// Groups of names and names of a group listed in the text.
const GROUPS_SHOWN: usize = 8;
const NAMES_SHOWN: usize = 12;
/// Standard errors from which on a change is called significant.
const SIGNIFICANT: f64 = 2.0;

/// Remark where errors are not those of games.
pub const FEW_GAMES: &str = "There are too few games for so many numbers: errors are those of \
                             positions, enlarged by how much more games scatter in the mean.";

/// Said of intervals of numbers that the same positions have chosen.
pub const AFTER_SELECTION: &str = "Intervals and t-values follow a selection: --shrink let those \
                                   numbers move that the same positions moved far, so that changes \
                                   are overstated.";

/// An error in each of the three sets, which share no game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Of the positions fitted to.
    pub training: f64,
    /// Of the positions whose error decides when to stop.
    pub validation: f64,
    /// Of the positions held out, which decide nothing.
    pub held_out: f64,
}

/// One number: what the fit made of it, and what is known of it.
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
    /// The estimate by the positions alone, without the pull towards the start; none of a number that they
    /// do not tell from others, or that is at an end of its range and pushed against it.
    pub estimate: Option<f64>,
    /// Standard error of the estimate, with games as units.
    pub error: Option<f64>,
    /// The change over its own standard error, with the pull; none at an end of the range.
    pub t: Option<f64>,
    /// Its part of the fall of the held-out mean squared error; these add up to all of it.
    pub part: f64,
}

/// One number that too few positions speak of: it kept its starting value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unseen {
    /// Name of the cell (both phases).
    pub name: String,
    /// Training positions it occurs in.
    pub seen: u32,
}

/// The cells seen in fewer positions than asked for.
fn unseen(problem: &Problem<'_>, seen: &[u32], seen_min: u32) -> Vec<Unseen> {
    let cells = problem.terms.0.iter().flat_map(|term| term.cells());
    cells
        .filter(|&cell| seen[cell] < seen_min.max(1))
        .map(|cell| Unseen { name: problem.terms.cell_name(cell), seen: seen[cell] })
        .collect()
}

impl Change {
    /// The estimate by the positions alone with its 95 % interval, in words.
    pub fn alone(&self) -> String {
        match (self.estimate, self.error, self.t) {
            (Some(estimate), Some(error), _) => {
                format!("{estimate:.1} ± {:.1}", CONFIDENCE * error)
            }
            (_, _, Some(_)) => "with others".to_string(),
            _ => "end of range".to_string(),
        }
    }
}

/// The report of a fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the optimizer.
    pub optimizer: String,
    /// The loss whose mean was minimized.
    pub loss: Loss,
    /// Seed of the split and of the mini-batches.
    pub seed: u64,
    /// Share of the search score in the target.
    pub lambda: f64,
    /// How that was chosen; none if it was given, or no position has a score.
    pub blending: Option<Blending>,
    /// Strength of the pull towards the start.
    pub regularization: f64,
    /// Strength of the tie of neighboring squares.
    pub tie_squares: f64,
    /// Standard errors below which changes were taken back.
    pub shrink: Option<f64>,
    /// Whether the same positions have chosen which numbers moved (--shrink): intervals and t-values
    /// know nothing of that, and the changes are overstated.
    #[serde(default)]
    pub intervals_follow_selection: bool,
    /// The number that all others are in proportion to, if one was asked for.
    #[serde(default)]
    pub unit: Option<String>,
    /// Why no number changed, where none did.
    #[serde(default)]
    pub unchanged: Option<String>,
    /// Number of positions fitted to.
    pub training_positions: usize,
    /// Number of games that these are of.
    pub training_games: usize,
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
    /// The K that fits the tuned values best, by the training positions.
    pub k_after: f64,
    /// Mean squared error of the held-out positions with that K.
    pub held_out_at_k_after: f64,
    /// The best K of each phase, where asked for.
    pub k_by_phase: Vec<PhaseScale>,
    /// Mean squared error of the held-out positions with these.
    pub held_out_at_k_by_phase: Option<f64>,
    /// Mean losses by iteration, of real-valued weights; the start's first.
    pub iterations: Vec<Iteration>,
    /// Iteration whose values were taken.
    pub best: usize,
    /// Why the optimizer ended.
    pub stop: Stop,
    /// Mean squared errors of the results at the engine's evaluation with the starting file.
    pub before: Errors,
    /// The same with the tuned file, values rounded.
    pub after: Errors,
    /// Cross-entropies (natural units a position) with the starting file.
    pub cross_entropy_before: Errors,
    /// The same with the tuned file.
    pub cross_entropy_after: Errors,
    /// Greatest difference between engine and model over all positions, in centipawns; none where the
    /// engine was not asked.
    pub disagreement: Option<f64>,
    /// Where the two files err on the held-out positions.
    pub diagnosis: Diagnosis,
    /// Rows of values whose mean change was folded into the value they trade with.
    pub folded: Vec<String>,
    /// Every changed number, that with the greatest part of the fall first.
    pub changes: Vec<Change>,
    /// Every number that might have changed and did not.
    pub unmoved: Vec<Change>,
    /// Whether it was estimated how sure the numbers are, which takes games.
    pub has_intervals: bool,
    /// Whether errors of numbers are those of games; else there are too few games for so many
    /// numbers, and they are those of positions, enlarged by how much more games scatter.
    pub errors_by_games: bool,
    /// Groups of numbers that the positions can hardly tell apart.
    pub collinear: Vec<Vec<String>>,
    /// Cells seen too rarely to be fitted.
    pub unseen: Vec<Unseen>,
    /// Numbers that changed nothing in any training position, before the fit or after it: they
    /// kept their starting values.
    pub silent: Vec<String>,
    /// Numbers held because of --only or --freeze.
    pub frozen: Vec<String>,
    /// Numbers held because their change was not significant.
    pub insignificant: Vec<String>,
}

impl Report {
    /// The part of the report that a fit itself knows: neither counts from before it, nor its worth.
    pub fn of(problem: &Problem<'_>, fitted: &Fitted, settings: &FitSettings, seed: u64) -> Report {
        Report {
            optimizer: settings.optimizer.name(),
            loss: settings.loss,
            seed,
            lambda: fitted.lambda,
            blending: fitted.blending.clone(),
            regularization: settings.pull(),
            tie_squares: problem.ties.asked(),
            shrink: settings.shrink,
            intervals_follow_selection: settings.shrink.is_some() && problem.games.is_some(),
            training_positions: problem.training.len(),
            validation_positions: kept(settings.validation, problem.validation),
            held_out_positions: kept(settings.held_out, problem.held_out),
            k: fitted.k,
            iterations: fitted.solution.iterations.clone(),
            best: fitted.solution.best,
            stop: fitted.solution.stop,
            folded: fitted.folded.clone(),
            unseen: unseen(problem, &fitted.seen, settings.seen_min),
            silent: fitted.silent.clone(),
            frozen: sorted(problem.held.clone()),
            insignificant: fitted.insignificant.clone(),
            ..Report::default()
        }
    }

    /// The comment at the top of a tuned file: where it comes from, `start` in words.
    pub fn notes(&self, start: &str, sources: &[String]) -> String {
        format!(
            "Fitted by `tuner fit` {start} to {} positions of {} ({} more to stop by, {} held out): {}, \
             seed {}, lambda {}, regularization {}, K {:.4}. Mean squared error of the {} \
             positions: {:.6} before, {:.6} after.",
            self.training_positions,
            sources.join(", "),
            self.validation_positions,
            self.held_out_positions,
            self.optimizer,
            self.seed,
            self.lambda,
            self.regularization,
            self.k,
            self.judging(),
            self.before.held_out,
            self.after.held_out,
        )
    }

    /// The positions of the reported error: held-out ones, or where none are, those fitted to.
    pub fn judging(&self) -> &'static str {
        if self.held_out_positions > 0 { "held-out" } else { "training" }
    }

    /// By how much the held-out mean squared error fell.
    pub fn fall(&self) -> f64 {
        self.before.held_out - self.after.held_out
    }

    /// The interval of that fall, where games tell one.
    fn fall_interval(&self) -> String {
        let interval = self.fall_side().map(|side| format!(" ± {side:.6} (95 %, by games)"));
        interval.unwrap_or_default()
    }

    /// Half-width of that interval.
    pub fn fall_side(&self) -> Option<f64> {
        let error = self.diagnosis.fall_error;
        (self.has_intervals && error > 0.0).then_some(CONFIDENCE * error)
    }

    /// Why the fall says nothing, where it does not.
    pub fn no_clear_gain(&self) -> Option<&'static str> {
        let is_unclear = self.fall_side().is_some_and(|side| self.fall().abs() <= side);
        (self.unchanged.is_none() && is_unclear).then_some(
            "the interval of the fall includes 0; too few positions tell whether the values are \
             better",
        )
    }

    /// How many numbers changed by two standard errors or more.
    pub fn significant(&self) -> usize {
        let ts = self.changes.iter().filter_map(|change| change.t);
        ts.filter(|t| t.abs() >= SIGNIFICANT).count()
    }

    /// The report as text with colors, for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_summary(&mut text);
        self.write_changes(&mut text);
        self.write_names(&mut text);
        text
    }

    /// The errors before and after, in a line.
    pub fn errors_line(&self) -> String {
        let Report { before, after, .. } = self;
        format!(
            "rounded     {:.6}   {:.6}   (start: {:.6}, {:.6}); {} {:.6} (start: {:.6})",
            after.training,
            after.validation,
            before.training,
            before.validation,
            self.judging(),
            after.held_out,
            before.held_out,
        )
    }

    /// Why the optimizer ended, and what was taken.
    pub fn stop_in_words(&self) -> String {
        let stop = match self.stop {
            Stop::Validation => "the validation error did not fall any more",
            Stop::Converged => "converged",
            Stop::Iterations => "the iterations were used up",
            Stop::Singular => "the equations have no solution",
        };
        let last = self.iterations.len().saturating_sub(1);
        format!("iteration {} of {last} taken; {stop}", self.best)
    }

    /// The set-up of the fit, a line each: sets, split, traces, scale, optimizer.
    pub fn facts(&self) -> [String; 5] {
        [
            format!(
                "{} positions{} to fit, {} to stop by (validation), {} held out{}",
                self.training_positions,
                if self.has_intervals {
                    format!(" of {} games", self.training_games)
                } else {
                    String::new()
                },
                self.validation_positions,
                self.held_out_positions,
                match self.exact_positions {
                    0 => String::new(),
                    count => format!(", {count} left out (endgame knowledge answers them)"),
                }
            ),
            self.split_in_words(),
            format!(
                "{:.1} weights and {:.0} bytes a position{}",
                self.entries_per_position,
                self.bytes_per_position,
                self.disagreement.map_or_else(String::new, |it| {
                    format!("; engine and model differ by {it:.2} centipawns at most")
                }),
            ),
            format!(
                "K = {:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400)); {:.4} would fit \
                 the tuned values best{}",
                self.k,
                self.k_after,
                self.unit.as_ref().map_or_else(String::new, |unit| format!("; unit: {unit}"))
            ),
            format!(
                "{}, seed {}, lambda {}, regularization {}: {}",
                self.optimizer,
                self.seed,
                self.lambda,
                self.regularization,
                self.stop_in_words()
            ),
        ]
    }

    fn write_summary(&self, text: &mut String) {
        for line in self.facts() {
            push(text, format_args!("{line}\n"));
        }
        push(
            text,
            format_args!("\n{:<14}{:>20}{:>22}\n", "", "mean squared error", "cross-entropy"),
        );
        push(
            text,
            format_args!(
                "{:<14}{:>10}{:>10}{:>12}{:>10}\n",
                "", "before", "after", "before", "after"
            ),
        );
        let all =
            [&self.before, &self.after, &self.cross_entropy_before, &self.cross_entropy_after];
        for (name, positions, [before, after, entropy, entropy_after]) in [
            ("training", self.training_positions, all.map(|errors| errors.training)),
            ("validation", self.validation_positions, all.map(|errors| errors.validation)),
            ("held out", self.held_out_positions, all.map(|errors| errors.held_out)),
        ] {
            if positions == 0 {
                continue;
            }
            push(
                text,
                format_args!(
                    "{name:<14}{before:>10.6}{after:>10.6}{entropy:>12.5}{entropy_after:>10.5}\n"
                ),
            );
        }
        push(
            text,
            format_args!(
                "\nThe {} error fell by {:.2} %: {:.6}{}. Errors compare the {}'s \
                 evaluation, with whole numbers, with the results of the games.\n",
                self.judging(),
                100.0 * self.fall() / self.before.held_out,
                self.fall(),
                self.fall_interval(),
                if self.disagreement.is_some() { "engine" } else { "model" },
            ),
        );
        if let Some(reason) = self.no_clear_gain() {
            push(text, format_args!("{} {reason}.\n", painted(OPEN, "No clear gain:")));
        }
        for scale in &self.k_by_phase {
            let (name, k) = (&scale.name, scale.k);
            push(text, format_args!("K of {name}: {k:.4} ({} positions)\n", scale.positions));
        }
        if let Some(error) = self.held_out_at_k_by_phase {
            let one = self.held_out_at_k_after;
            push(
                text,
                format_args!(
                    "The {} error is {error:.6} with these, {one:.6} with one for all\n",
                    self.judging()
                ),
            );
        }
    }

    fn write_changes(&self, text: &mut String) {
        if let Some(reason) = &self.unchanged {
            push(text, format_args!("\n{} {reason}.\n", painted(OPEN, "No change:")));
            return;
        }
        let (shown, count) = (CHANGES_SHOWN.min(self.changes.len()), self.changes.len());
        push(
            text,
            format_args!(
                "\nChanges by their share of that fall ({shown} of {count}{})\n\
                 {:<36}{:>7}{:>7}{:>18}{:>7}{:>9}\n",
                if self.has_intervals {
                    format!(", {} of them significant", self.significant())
                } else {
                    String::new()
                },
                "number",
                "start",
                "tuned",
                "positions alone",
                "t",
                "share"
            ),
        );
        if self.has_intervals && !self.errors_by_games {
            push(text, format_args!("{FEW_GAMES}\n"));
        }
        if self.intervals_follow_selection {
            push(text, format_args!("{AFTER_SELECTION}\n"));
        }
        for change in self.changes.iter().take(CHANGES_SHOWN) {
            let Change { name, before, after, .. } = change;
            let t = change.t.map_or("-".to_string(), |t| format!("{t:.1}"));
            let share = match self.fall() {
                0.0 => "-".to_string(),
                fall => format!("{:.1} %", 100.0 * change.part / fall),
            };
            push(
                text,
                format_args!(
                    "{name:<36}{before:>7}{after:>7}{:>18}{t:>7}{share:>9}\n",
                    if self.has_intervals { change.alone() } else { "-".to_string() }
                ),
            );
        }
    }

    fn write_names(&self, text: &mut String) {
        if !self.collinear.is_empty() {
            push(text, format_args!("\nHard to tell apart ({} groups)\n", self.collinear.len()));
            for group in self.collinear.iter().take(GROUPS_SHOWN) {
                push(text, format_args!("  {}\n", some_of(group)));
            }
        }
        let unseen: Vec<String> = self.unseen.iter().map(|it| it.name.clone()).collect();
        for (title, names) in [
            ("Seen too rarely, left as they were", &unseen),
            ("Without effect on any position fitted to, left as they were", &self.silent),
            ("Held by --only or --freeze", &self.frozen),
            ("Not significant, left as they were", &self.insignificant),
            ("Folded, so that values keep their meaning", &self.folded),
        ] {
            if !names.is_empty() {
                push(text, format_args!("\n{title} ({})\n  {}\n", names.len(), some_of(names)));
            }
        }
    }

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

/// Positions of a set, if a share is kept for it: else the training positions serve.
fn kept(share: f64, set: &dyn Positions) -> usize {
    if share > 0.0 { set.len() } else { 0 }
}

fn some_of(names: &[String]) -> String {
    let names = compact(names);
    let mut text = names[..names.len().min(NAMES_SHOWN)].join(", ");
    if names.len() > NAMES_SHOWN {
        push(&mut text, format_args!(", and {} more", names.len() - NAMES_SHOWN));
    }
    text
}

/// Names with those that differ by their index alone joined to one, in the order of the first of
/// each: `squares.knight[3, 4, 9].endgame`.
pub fn compact(names: &[String]) -> Vec<String> {
    let mut joined: Vec<(&str, Vec<&str>, &str)> = Vec::new();
    for name in names {
        let (start, index, end) = match name.split_once('[').zip(name.split_once(']')) {
            Some(((start, rest), (_, end))) => (start, rest.split(']').next(), end),
            None => (name.as_str(), None, ""),
        };
        match joined.iter_mut().find(|it| it.0 == start && it.2 == end && !it.1.is_empty()) {
            Some(known) if index.is_some() => known.1.extend(index),
            _ => joined.push((start, index.into_iter().collect(), end)),
        }
    }
    let name = |(start, indices, end): (&str, Vec<&str>, &str)| match indices.len() {
        0 => start.to_string(),
        1..=12 => format!("{start}[{}]{end}", indices.join(", ")),
        count => format!("{start}[{count} of them]{end}"),
    };
    joined.into_iter().map(name).collect()
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("strings take all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_their_index_are_joined() {
        let names =
            ["a.b[3].endgame", "c.d.endgame", "a.b[7].endgame", "a.b[3].middlegame", "a.b[1]"];
        let names: Vec<String> = names.map(String::from).to_vec();
        let expected = ["a.b[3, 7].endgame", "c.d.endgame", "a.b[3].middlegame", "a.b[1]"];
        assert_eq!(compact(&names), expected);
        let many: Vec<String> = (0..20).map(|index| format!("a.b[{index}]")).collect();
        assert_eq!(compact(&many), ["a.b[20 of them]"]);
    }
}
