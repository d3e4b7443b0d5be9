//! A block of the program that runs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::layout::{self, BlockError, Contents};

/// A game's block of this binary.
pub struct Block {
    bytes: &'static [AtomicU8],
    read: OnceLock<Result<Contents, BlockError>>,
}

impl Block {
    /// The block that lies there, see [`carried!`](crate::carried).
    pub const fn new(bytes: &'static [AtomicU8]) -> Block {
        Block { bytes, read: OnceLock::new() }
    }

    /// Its texts, read once.
    ///
    /// # Errors
    /// When the binary was damaged.
    pub fn contents(&self) -> Result<&Contents, &BlockError> {
        let read = || {
            let bytes = self.bytes.iter().map(|byte| byte.load(Ordering::Relaxed));
            layout::read(&bytes.collect::<Vec<u8>>(), 0)
        };
        self.read.get_or_init(read).as_ref()
    }

    /// The manifest of the export that put other numbers there (JSON), if one did.
    pub fn manifest(&self) -> Option<&str> {
        let manifest = self.contents().ok()?.manifest.as_str();
        (!manifest.trim().is_empty()).then_some(manifest)
    }
}

/// Bytes as atomics. Of these in a `used` static the compiler may not conclude that they still hold what
/// it put there, and so does read them.
pub const fn atoms<const LENGTH: usize>(bytes: &[u8]) -> [AtomicU8; LENGTH] {
    let mut atoms = [const { AtomicU8::new(0) }; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        atoms[at] = AtomicU8::new(bytes[at]);
        at += 1;
    }
    atoms
}

/// The block that the crate's build script made ([`build::write`](crate::build::write)), a
/// `&'static Block`.
#[macro_export]
macro_rules! carried {
    () => {{
        const BUILT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/parameters.block"));
        #[used]
        static BYTES: [::std::sync::atomic::AtomicU8; BUILT.len()] = $crate::atoms(BUILT);
        static BLOCK: $crate::Block = $crate::Block::new(&BYTES);
        &BLOCK
    }};
}
