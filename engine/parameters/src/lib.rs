//! How a number is declared, named, ranged, read and written. Which numbers there are is not known
//! here.
//!
//! A declaration (`declare.rs`) makes a plain struct of cells (`cell.rs`) and a row for each name;
//! two such structs, a game's weights and the search's margins, are a [`ParameterSet`] (`set.rs`).
//! `names.rs` finds single numbers by name; `file.rs` reads sets as TOML and `format.rs` writes them.
//! Evaluation and search reach all numbers through a [`Source`]: a reference to such a set, or the
//! numbers of the build as constants (`built.rs`). Which of both is no matter to their lines.

pub mod built;
mod carried;
mod cell;
mod declaration;
pub mod declare;
mod file;
mod format;
mod names;
mod set;
mod source;

pub use carried::{Carried, Embedded, EmbeddedError};
pub use cell::{CellKind, Declarable, Scalar, Score, Switch};
pub use declaration::{Declaration, Declared, Table};
pub use file::{Named, ParametersError, WithMissing, read_file};
pub use format::Format;
pub use set::{Half, NameError, Number, ParameterSet};
pub use source::Source;
