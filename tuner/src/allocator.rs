//! The return of freed memory to the system.

/// Bytes from which on memory goes back to the system as soon as it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 18;

/// Lets the system have large memory back as soon as it is freed, whatever has been freed before.
///
/// By default the C library of Linux keeps, for what may come, pieces up to the size of the largest
/// that was freed, which a fit, with matrices of many megabytes, does not need: it kept a fifth of
/// all. Elsewhere nothing is changed.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it sets a number of the allocator, which it guards by its own lock. A failure would
    // leave the default.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
