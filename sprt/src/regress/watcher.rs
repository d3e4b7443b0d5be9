//! The watcher of a regression test, which is told how it goes.

use matches::run::Observer;
use matches::sequential_test::SequentialTest;

/// Told how a regression test goes.
pub trait Watcher {
    /// Something begins or was found out.
    fn note(&self, text: &str);
    /// The observer of the next games.
    fn games(&self) -> Box<dyn Observer<SequentialTest> + '_>;
    /// True when the user wants it to end.
    fn is_interrupted(&self) -> bool;
}
