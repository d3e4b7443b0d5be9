//! What is tuned by playing rather than by fitting: numbers with a range and a step, whoever's they
//! are.
//!
//! Those of our own engine come from the declarations; those of a foreign one from a file in the
//! form that its authors use already. Both are a [`Tunable`], and nothing beyond this folder needs
//! to know which it is.

use engine::Parameters;
use engine::parameters::{Number, Table};

use crate::command_line::WrongUse;

/// One number that can be tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Tunable {
    /// Name as the engine knows it.
    pub name: String,
    /// Whether only whole numbers can be set.
    pub is_whole: bool,
    /// The value it starts from.
    pub value: f64,
    /// Smallest allowed value.
    pub low: f64,
    /// Largest allowed value.
    pub high: f64,
    /// A change of it that shows in play: SPSA's perturbation at the end of a run.
    pub step: f64,
    /// SPSA's gain at the end of a run, in squared steps.
    pub rate: f64,
}

/// SPSA's gain unless a file says otherwise: what fishtest proposes.
pub const RATE: f64 = 0.002;

impl Tunable {
    /// A number of our own engine, as it is declared, with its value in `start`.
    pub fn of_number(number: &Number, start: &Parameters) -> Tunable {
        let (low, high) = number.range();
        Tunable {
            name: number.name(),
            is_whole: true,
            value: f64::from(number.value(start)),
            low: f64::from(low),
            high: f64::from(high),
            step: f64::from(number.step()),
            rate: RATE,
        }
    }

    /// The allowed value nearest to `value`.
    pub fn clamp(&self, value: f64) -> f64 {
        let value = if self.is_whole { value.round() } else { value };
        value.clamp(self.low, self.high)
    }
}

/// The margins of our own engine that are tuned unless a user names others: all that count at a
/// limit of nodes. Switches are decisions, not measures, and what divides a clock needs one.
pub fn margins(start: &Parameters) -> Vec<Tunable> {
    Parameters::numbers()
        .filter(|number| number.declaration.table == Table::Margins)
        .filter(|number| !number.is_switch() && !number.declaration.group.starts_with("time"))
        .map(|number| Tunable::of_number(&number, start))
        .collect()
}

/// Every number of our own engine.
pub fn all(start: &Parameters) -> Vec<Tunable> {
    Parameters::numbers().map(|number| Tunable::of_number(&number, start)).collect()
}

/// Which of the numbers are tuned: those that `only` names, the usual ones if it is empty, less
/// those that `freeze` names. A word names a number or, by `group` or `group.name`, all below it.
///
/// # Errors
/// [`WrongUse`] for a word that names nothing, and where nothing is left.
pub fn select(
    usual: Vec<Tunable>,
    all: &[Tunable],
    only: &[String],
    freeze: &[String],
) -> anyhow::Result<Vec<Tunable>> {
    for word in only.iter().chain(freeze) {
        if !all.iter().any(|tunable| is_below(&tunable.name, word)) {
            return Err(WrongUse(format!("no number that can be tuned is called {word:?}")).into());
        }
    }
    let is_named = |words: &[String], name: &str| words.iter().any(|word| is_below(name, word));
    let chosen = if only.is_empty() {
        usual
    } else {
        all.iter().filter(|tunable| is_named(only, &tunable.name)).cloned().collect()
    };
    let left: Vec<Tunable> =
        chosen.into_iter().filter(|tunable| !is_named(freeze, &tunable.name)).collect();
    if left.is_empty() {
        return Err(WrongUse("--only and --freeze leave nothing to tune".to_string()).into());
    }
    Ok(left)
}

/// Whether a word names this number or a group that it belongs to.
fn is_below(name: &str, word: &str) -> bool {
    name.strip_prefix(word)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || rest.starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[&str], freeze: &[&str]) -> anyhow::Result<Vec<String>> {
        let start = Parameters::embedded();
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let chosen = select(margins(&start), &all(&start), &words(only), &words(freeze))?;
        Ok(chosen.into_iter().map(|tunable| tunable.name).collect())
    }

    #[test]
    fn numbers_are_selected_by_name_and_by_group() {
        let usual = names(&[], &[]).expect("some");
        assert!(usual.len() > 50 && usual.contains(&"futility.base".to_string()));
        assert!(!usual.iter().any(|name| name.ends_with("enabled") || name.starts_with("time")));
        let futility = names(&["futility"], &["futility.base"]).expect("some");
        assert_eq!(futility, ["futility.depth_max", "futility.margin"]);
        assert_eq!(names(&["null_move.enabled"], &[]).expect("one").len(), 1);
        assert_eq!(names(&["pawns.isolated[0]"], &[]).expect("both halves").len(), 2);
        // A word is a whole name, not its beginning.
        assert!(names(&["futil"], &[]).is_err());
        assert!(names(&["futility"], &["futility"]).is_err());
    }
}
