//! Programs ask their system here, in the one place of each kind: files written whole or not at
//! all, text of other programs, processes, threads, and lines on standard error.

pub mod budget;
pub mod files;
pub mod paint;
pub mod processes;
pub mod shell;
mod telling;
pub mod text;
pub mod threads;

pub use telling::tell;
