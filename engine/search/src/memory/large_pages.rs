//! Memory for what is read at random places: in large pages where the system grants them, since a
//! processor keeps in mind where only some thousand pages lie, and has to look up all others first.

use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::Deref;
use std::slice;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapRaw};

/// Bytes of a large page, as most processors and systems have them.
const PAGE: usize = 2 << 20;

/// A slice of fixed length, all zeros at first, that begins where a large page can.
pub(crate) struct LargePages<T> {
    /// Raw, as items may be written through a shared reference.
    memory: MmapRaw,
    /// Bytes before the first item.
    offset: usize,
    count: usize,
    items: PhantomData<T>,
}

impl<T: Zeroable> LargePages<T> {
    /// Whether the system would promise memory for so many items, at this moment.
    pub(crate) fn are_granted(count: usize) -> bool {
        Layout::array::<T>(count)
            .is_ok_and(|layout| MmapMut::map_anon(layout.size() + PAGE).is_ok())
    }

    /// So many items. Ends the program, as any allocation does, if there is no such memory.
    pub(crate) fn zeroed(count: usize) -> LargePages<T> {
        let layout = Layout::array::<T>(count).expect("no table is as large as all memory");
        let mapped = MmapMut::map_anon(layout.size() + PAGE);
        let mut memory = mapped.unwrap_or_else(|_| handle_alloc_error(layout));
        // Where it is refused, pages are small and all else is the same.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        // The system hands out pages when they are written to first: now, and not while a clock runs.
        memory.fill(0);
        let offset = memory.as_ptr().align_offset(PAGE.max(align_of::<T>()));
        LargePages { memory: memory.into(), offset, count, items: PhantomData }
    }
}

impl<T> Deref for LargePages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: from the offset on, `count` items lie within the memory, aligned; they were zeros,
        // which are items, and nothing but items has been written there. The memory is this one's.
        unsafe {
            slice::from_raw_parts(self.memory.as_mut_ptr().add(self.offset).cast(), self.count)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn items_begin_where_a_page_can_and_are_zero() {
        for count in [0, 1, 3, PAGE / 8 + 1] {
            let pages = LargePages::<Cell<u64>>::zeroed(count);
            assert_eq!((pages.len(), pages.as_ptr() as usize % PAGE), (count, 0));
            assert!(pages.iter().all(|item| item.replace(7) == 0));
            assert!(pages.iter().all(|item| item.get() == 7));
        }
    }
}
