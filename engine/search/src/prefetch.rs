//! Hints to the processor about what will be read soon.

/// Has what lies there fetched from memory while something else is done. Where there is no stable way
/// to ask for it, nothing is done.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads nothing; the address is that of an item.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
