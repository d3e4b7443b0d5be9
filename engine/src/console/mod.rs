//! What people and programs meet: the command line, a UCI session, and what both show.

pub mod command_line;
pub mod session;
mod show;
mod translation;
