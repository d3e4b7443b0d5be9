//! What people and programs meet: a UCI session, and what it shows.

pub mod session;
pub mod show;
