//! All programs share this: how their help is laid out, their manual pages and completions, and how
//! they end.

mod ending;
pub mod help;
pub mod manual;

pub use ending::{Status, guarded, is_broken_pipe};
