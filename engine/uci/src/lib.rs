//! The universal chess interface, both ends: parse and print, no input or output of their own.
//!
//! `command.rs` holds what a user interface says to an engine, `reply.rs` what an engine says back,
//! `option.rs` the options it offers, `win_draw_loss.rs` the chances it may print, `ucci.rs` the words of
//! another protocol for the same. Moves stay text
//! here: only a position can tell what they mean. The engine's own loop is in
//! `engine/src/console/session/`; the match runner talks to child processes with the same types.

mod command;
mod option;
mod reply;
mod ucci;
mod win_draw_loss;

pub use command::{Command, CommandError, Go, Parsed, Start};
pub use option::{OptionDeclaration, OptionKind, whole_number};
pub use reply::{InfoLine, Reply, ScoreBound, ScoreValue};
pub use ucci::{Protocol, resigns};
pub use win_draw_loss::win_draw_loss;
