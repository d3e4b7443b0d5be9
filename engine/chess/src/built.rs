//! Chess with the numbers of the build as constants.

use std::ops::Deref;

use parameters::built::{Written, cells};
use parameters::{Source, Table};
use search::Margins;

use crate::evaluation::weights::Weights;

/// The embedded file's content, from the build script.
const WRITTEN: Written = include!(concat!(env!("OUT_DIR"), "/parameters.rs"));

/// The weights of the embedded file, if it is a set; meaningless otherwise.
#[allow(long_running_const_eval, reason = "some hundred names are looked for")]
const WEIGHTS: Weights = bytemuck::must_cast(cells::<{ size_of::<Weights>() / 4 }>(
    Table::Weights,
    Weights::INFO,
    WRITTEN,
));

/// The margins, as [`WEIGHTS`].
#[allow(long_running_const_eval, reason = "some hundred names are looked for")]
const MARGINS: Margins = bytemuck::must_cast(cells::<{ size_of::<Margins>() / 4 }>(
    Table::Margins,
    Margins::INFO,
    WRITTEN,
));

/// The weights of the build. They are no set's unless a set was found to be equal: an export puts
/// other numbers into a program that was built with these.
#[derive(Clone, Copy, Debug)]
pub struct BuiltWeights;

impl Deref for BuiltWeights {
    type Target = Weights;

    #[inline(always)]
    fn deref(&self) -> &Weights {
        &WEIGHTS
    }
}

impl Source<Weights> for BuiltWeights {
    const IS_BUILT: bool = true;
}

/// The margins of the build, as [`BuiltWeights`].
#[derive(Clone, Copy, Debug)]
pub struct BuiltMargins;

impl Deref for BuiltMargins {
    type Target = Margins;

    #[inline(always)]
    fn deref(&self) -> &Margins {
        &MARGINS
    }
}

impl Source<Margins> for BuiltMargins {
    const IS_BUILT: bool = true;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use search::Game;

    use super::*;
    use crate::Parameters;
    use crate::bench;
    use crate::engine::{Control, Engine, Limits};
    use crate::game::ChessGame;

    #[test]
    fn constants_are_the_embedded_set() {
        let embedded = Parameters::embedded();
        assert_eq!(*BuiltWeights, embedded.weights);
        assert_eq!(*BuiltMargins, embedded.margins);
    }

    /// Only the numbers of a set count, every one of them, and not the way it came to be.
    #[test]
    fn constants_are_used_for_the_numbers_of_the_build_alone() {
        let uses = |parameters: &Parameters| {
            let game = ChessGame::new(Arc::new(parameters.clone()));
            game.built_margins(&parameters.margins).is_some()
        };
        let embedded = Parameters::embedded();
        let read = Parameters::from_toml(&embedded.to_toml(), "a file").expect("a set");
        assert!(uses(&read));
        for number in Parameters::numbers() {
            let mut other = read.clone();
            let (low, high) = number.range();
            let value = number.value(&read);
            let changed = i64::from(if value == high { low } else { value + 1 });
            number.set(&mut other, changed).expect("a value in its range");
            assert!(!uses(&other), "{}", number.name());
        }
        let mut game = ChessGame::new(Arc::clone(embedded));
        let mut other = Parameters::clone(embedded);
        other.set("material.knight.middlegame", 300).expect("a weight");
        game.set_parameters(Arc::new(other));
        assert!(game.built_margins(&embedded.margins).is_none(), "the weights are others");
        game.set_parameters(Arc::clone(embedded));
        assert!(game.built_margins(&embedded.margins).is_some());
        game.set_constants(false);
        assert!(game.built_margins(&embedded.margins).is_none());
        assert!(game.with_same_settings().built_margins(&embedded.margins).is_none());
    }

    #[test]
    fn searches_with_and_without_constants_are_the_same() {
        let engine = |constants| {
            let mut engine = Engine::new(Arc::clone(Parameters::embedded()), 1);
            engine.set_constants(constants);
            engine
        };
        let mut engines = [engine(true), engine(false)];
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        for (name, position) in bench::positions() {
            // Nothing is forgotten from one to the next: what is learned must be the same, too.
            let [with, without] = engines
                .each_mut()
                .map(|engine| engine.search(&position, &limits, &Control::new(), &mut |_| {}));
            assert_eq!(with, without, "{name}");
        }
    }
}
