//! The block of the binary: its parameter file, its build notes, and the manifest of an export.
//!
//! The program reads it when it runs. `tuner export` replaces it in the file by another of the same
//! size, so that a tuned engine needs no compiler. `engine/parameters/src/block.rs` has its layout.
//!
//! The block is plain data between the other data of the program; nothing points into it. An export
//! searches the file for the block's mark, and so knows nothing of ELF, PE and Mach-O. Where
//! binaries are signed (Mach-O on Apple silicon) a changed one has to be signed anew.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

pub use parameters::block::{BlockError, Contents, LEAST_CAPACITY, contents_of, made_of, replace};

/// The block as the build script made it.
const BUILT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/parameters.block"));

/// The block of this binary. Of atomics in a `used` static the compiler may not conclude that they
/// still hold what it put there, and so does read them.
#[used]
static BLOCK: [AtomicU8; BUILT.len()] = {
    let mut block = [const { AtomicU8::new(0) }; BUILT.len()];
    let mut at = 0;
    while at < BUILT.len() {
        block[at] = AtomicU8::new(BUILT[at]);
        at += 1;
    }
    block
};

/// The texts that this binary carries, read once.
///
/// # Errors
/// When its block was damaged.
pub fn own() -> Result<&'static Contents, &'static BlockError> {
    static OWN: OnceLock<Result<Contents, BlockError>> = OnceLock::new();
    let read = || {
        let bytes: Vec<u8> = BLOCK.iter().map(|byte| byte.load(Ordering::Relaxed)).collect();
        parameters::block::read(&bytes, 0)
    };
    OWN.get_or_init(read).as_ref()
}

/// The manifest of the export that made this binary (JSON), if an export made it.
pub fn own_manifest() -> Option<&'static str> {
    let manifest = own().ok()?.manifest.as_str();
    (!manifest.trim().is_empty()).then_some(manifest)
}
