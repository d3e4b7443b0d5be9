//! The ledger of a run: a line a generation, for spreadsheets and scripts.

use std::path::Path;

use anyhow::Context;
use system::files;

use super::generation::{Fitted, Generation, is_bound, name_of};

/// The name of a column, and what it says of a generation.
type Column = (&'static str, fn(&Generation) -> String);

/// Columns of the ledger. Counts of pairs are the candidate's results in the two games of a pair.
const COLUMNS: [Column; 33] = [
    ("generation", |it| it.generation.to_string()),
    ("step", |it| if it.step == Fitted::Terms { "terms" } else { "margins" }.to_string()),
    ("positions", |it| it.positions.to_string()),
    ("k", |it| format!("{:.4}", it.k)),
    ("training_before", |it| error(it.before.map(|it| it.training))),
    ("training_after", |it| error(it.after.map(|it| it.training))),
    ("held_out_before", |it| error(it.before.map(|it| it.held_out))),
    ("held_out_after", |it| error(it.after.map(|it| it.held_out))),
    ("regret_fall", |it| error(it.regret_fall.map(|it| it.gain))),
    ("expected_elo", |it| format!("{:.1}", it.expected_elo)),
    ("elo1", |it| it.elo1.to_string()),
    ("games", |it| (2 * it.counts.pairs()).to_string()),
    ("loss_loss", |it| it.counts.loss_loss.to_string()),
    ("loss_draw", |it| it.counts.loss_draw.to_string()),
    ("win_loss", |it| it.counts.win_loss.to_string()),
    ("draw_draw", |it| it.counts.draw_draw.to_string()),
    ("win_draw", |it| it.counts.win_draw.to_string()),
    ("win_win", |it| it.counts.win_win.to_string()),
    ("log_likelihood_ratio", |it| format!("{:.3}", it.log_likelihood_ratio)),
    ("elo", |it| format!("{:.1}", it.elo.value)),
    ("elo_lower", |it| bound(it.elo.lower)),
    ("elo_upper", |it| bound(it.elo.upper)),
    ("part_games", |it| {
        let games = it.parts.iter().map(|part| 2 * part.test.counts.pairs());
        games.reduce(|all, more| all + more).map_or_else(String::new, |games| games.to_string())
    }),
    ("part_groups", |it| cell(it.accepted_part(), |it| it.groups.join(" "))),
    ("part_elo", |it| cell(it.accepted_part(), |it| format!("{:.1}", it.test.elo.value))),
    ("check_nodes", |it| cell(it.check.as_ref(), |it| it.nodes.to_string())),
    ("check_games", |it| cell(it.check.as_ref(), |it| (2 * it.counts.pairs()).to_string())),
    ("check_elo", |it| cell(it.check.as_ref(), |it| format!("{:.1}", it.elo.value))),
    ("check_elo_lower", |it| cell(it.check.as_ref(), |it| bound(it.elo.lower))),
    ("check_elo_upper", |it| cell(it.check.as_ref(), |it| bound(it.elo.upper))),
    ("verdict", |it| name_of(it.verdict).to_string()),
    ("fingerprint", |it| it.fingerprint.clone()),
    ("sha256", |it| it.sha256.clone()),
];

/// The text of a cell, which is empty where there is nothing to tell of.
fn cell<T>(it: Option<T>, text: impl FnOnce(T) -> String) -> String {
    it.map_or_else(String::new, text)
}

fn error(error: Option<f64>) -> String {
    cell(error, |error| format!("{error:.6}"))
}

/// The end of an interval of Elo, where it has one.
fn bound(end: f64) -> String {
    cell(is_bound(end).then_some(end), |end| format!("{end:.1}"))
}

/// Writes the ledger of all generations, or on an error lets what was there stay.
pub(super) fn write_ledger<'a>(
    path: &Path,
    generations: impl Iterator<Item = &'a Generation>,
) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.map(|(name, _)| name))?;
    for generation in generations {
        writer.write_record(COLUMNS.map(|(_, text)| text(generation)))?;
    }
    let text = writer.into_inner().context("cannot finish the ledger")?;
    files::write_atomically(path, |file| std::io::Write::write_all(file, &text))?;
    Ok(())
}
