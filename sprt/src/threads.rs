//! Pools of threads, beside the single ones of [`engine::threads`].

use std::io;

use engine::threads::ThreadError;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Starts so many threads for parallel work; one for each core if 0.
///
/// # Errors
/// The system gives not as many.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadError> {
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    built.map_err(|error| ThreadError(io::Error::other(error)))
}
