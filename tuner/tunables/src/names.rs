//! The names in a file of numbers, and what is refused of such files.

use std::collections::BTreeSet;

/// A file of numbers that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{source_name}:{line}: {reason}")]
pub struct BadTunables {
    /// The file's name as the user gave it.
    pub source_name: String,
    /// Line number from 1.
    pub line: usize,
    /// The mistake found, and the text expected.
    pub reason: String,
}

/// Names that were met in a file; those of UCI options are the same in any case of letters.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// Takes one more.
    ///
    /// # Errors
    /// It can be no name of an option, or was there before.
    pub fn take(&mut self, name: &str) -> Result<(), String> {
        if name.is_empty() || name.trim() != name || name.contains(foreign::is_sign) {
            return Err(format!("{name:?} is no name of an option"));
        }
        // The words by which the protocol finds the end of a name.
        if name.split(' ').any(|word| ["name", "value"].contains(&word)) {
            return Err(format!("{name:?}: no option's name has the word name or value"));
        }
        if !self.0.insert(name.to_lowercase()) {
            return Err(format!("{name} is there twice"));
        }
        Ok(())
    }
}
