//! The root of the tree: it is searched deeper and deeper (`iterate.rs`), each time within a window
//! around the last score (`aspiration.rs`), until the time is used up (`time.rs`), by one thread or
//! several (`threads.rs`).

pub(super) mod aspiration;
pub(super) mod iterate;
pub(super) mod threads;
pub(super) mod time;
