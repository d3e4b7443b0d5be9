//! Threads of our own: the one place where they are started, so that a system that gives none ends what
//! needs them with a word. (A search that gets fewer helpers goes on with fewer.)

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, panicking};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

/// The system starts no further thread. Why is part of the message, hence no source, which would be
/// printed again.
#[derive(Debug, Error)]
#[error("cannot start threads: {0}; ask for fewer, or raise the limit (`ulimit -u`, `ulimit -v`)")]
pub struct ThreadError(pub io::Error);

/// Starts a thread of this name, with a stack of so many bytes if the usual one is too small.
///
/// # Errors
/// The system gives none.
pub fn start<T: Send + 'static>(
    name: &str,
    stack: Option<usize>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, ThreadError> {
    let thread = Builder::new().name(name.to_owned());
    let thread = stack.into_iter().fold(thread, Builder::stack_size);
    thread.spawn(work).map_err(ThreadError)
}

/// Starts a thread of this name that ends with a scope. Before an error leaves the scope, the threads that
/// have started in it must be told to end.
///
/// # Errors
/// The system gives none.
pub fn start_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, ThreadError> {
    Builder::new().name(name.to_owned()).spawn_scoped(scope, work).map_err(ThreadError)
}

/// Starts so many threads for parallel work; one for each core if 0.
///
/// # Errors
/// The system gives not as many.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadError> {
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    built.map_err(|error| ThreadError(io::Error::other(error)))
}

/// Tells all threads of a scope to end when the one that has it panics: they would work on while what
/// that one had begun is waited for.
pub struct CancelOnPanic<'a>(pub &'a AtomicBool);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
