//! Where code has its numbers from: a set that was given to it, or constants of the build.

use std::ops::Deref;

/// A way to the numbers of a table `T`. The compiler makes search and evaluation once for each way
/// from the same lines; where the numbers are constants, it leaves out what is switched off,
/// divides by multiplying and loads nothing.
pub trait Source<T>: Copy + Send + Deref<Target = T> {
    /// Whether the numbers are constants of the build.
    const IS_BUILT: bool;
}

impl<T: Sync> Source<T> for &T {
    const IS_BUILT: bool = false;
}
