//! The numbers that may change: those that words name, those that the positions speak of, and those
//! that remain when only significant ones may move.

use std::collections::HashSet;

use chess::Parameters;
use chess::evaluation::weights::SHAPE_GROUPS;
use parameters::{Number, Table};
use tunables;

use super::gauge::Gauge;
use super::task::Bounds;
use crate::model::Values;
use crate::model::terms::Terms;

/// The names of the numbers that a fit holds because `--only` does not name them or `--freeze`
/// does.
///
/// # Errors
/// [`command_line::WrongUse`] for a word that names nothing, and where nothing is left.
pub fn held(only: &[String], freeze: &[String]) -> anyhow::Result<HashSet<String>> {
    let is_fitted = |number: &Number| {
        let group = number.declaration.group;
        number.declaration.table == Table::Weights && !SHAPE_GROUPS.contains(&group)
    };
    let names = Parameters::numbers().filter(is_fitted).map(|number| number.name());
    tunables::held_back(names.collect(), only, freeze)
}

/// The same among the numbers of any evaluation.
///
/// # Errors
/// As [`held`].
pub fn held_of(
    terms: &Terms,
    only: &[String],
    freeze: &[String],
) -> anyhow::Result<HashSet<String>> {
    let names: Vec<String> =
        terms.numbers().map(|(cell, half, _)| terms.number_name(cell, half)).collect();
    tunables::held_back(names, only, freeze)
}

impl Bounds {
    /// Fixes the numbers of these names at their values in `start`.
    pub fn hold(&mut self, start: &Values, terms: &Terms, names: &HashSet<String>) {
        for (cell, half, _) in terms.numbers() {
            if names.contains(&terms.number_name(cell, half)) {
                self.low[cell][half] = start.0[cell][half];
                self.high[cell][half] = start.0[cell][half];
            }
        }
    }

    /// These bounds with every row fixed that is no gauge freedom under them, because one of its
    /// numbers is held that the positions speak of: what such a row trades would change
    /// evaluations.
    pub fn of_whole_rows(&self, gauges: &[Gauge], seen: &[u32], seen_min: u32) -> Bounds {
        let mut bounds = self.clone();
        for (gauge, half) in gauges.iter().flat_map(|gauge| [(gauge, 0), (gauge, 1)]) {
            if !self.is_whole(gauge, half, seen, seen_min) {
                for cell in gauge.row.clone() {
                    bounds.high[cell][half] = bounds.low[cell][half];
                }
            }
        }
        bounds
    }

    /// Whether all numbers of a gauge may change that enough positions speak of.
    pub fn is_whole(&self, gauge: &Gauge, half: usize, seen: &[u32], seen_min: u32) -> bool {
        let mut cells = gauge.row.clone().chain(gauge.anchor);
        cells.all(|cell| self.is_free(cell, half) || seen[cell] < seen_min.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_name_what_is_held() {
        assert!(held(&[], &[]).expect("all").is_empty());
        let frozen = held(&[], &words(&["squares.king", "material.knight.endgame"]));
        let frozen = frozen.expect("some are left");
        assert_eq!(frozen.len(), 65);
        assert!(frozen.contains("material.knight.endgame"));
        let others = held(&words(&["material"]), &words(&["material.tempo"])).expect("some");
        assert!(
            others.contains("material.tempo.middlegame") && others.contains("space.room.endgame")
        );
        assert!(!others.contains("material.rook.endgame"));
        // Margins and the numbers of the closing formula are none that a fit could change.
        for word in ["null_move", "closing", "squares.kin"] {
            assert!(held(&words(&[word]), &[]).is_err(), "{word}");
        }
    }

    /// A row with a held number trades nothing; one whose held number no position has still does.
    #[test]
    fn rows_with_held_numbers_trade_nothing() {
        let gauge = Gauge { row: 1..4, anchor: Some(0) };
        let bounds = |fixed: usize| {
            let mut bounds = Bounds { low: vec![[-9.0; 2]; 4], high: vec![[9.0; 2]; 4] };
            bounds.low[fixed][1] = 9.0;
            bounds
        };
        let seen = [50, 50, 50, 3];
        for (fixed, is_whole) in [(0, false), (1, false), (3, true)] {
            let bounds = bounds(fixed);
            assert_eq!(bounds.is_whole(&gauge, 1, &seen, 20), is_whole, "{fixed}");
            assert!(bounds.is_whole(&gauge, 0, &seen, 20));
            let folding = bounds.of_whole_rows(std::slice::from_ref(&gauge), &seen, 20);
            assert_eq!(folding.is_free(2, 1), is_whole, "{fixed}");
            assert!(folding.is_free(2, 0));
        }
    }
}
