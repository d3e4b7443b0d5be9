//! The blocks of a binary, one a game: its parameter file, its build notes, and the manifest of an export.
//!
//! The program reads a block when it runs ([`Block`]). `tuner export` replaces it in the file by another
//! of the same size, so that a tuned engine needs no compiler (`layout.rs`). A game's build script makes
//! the first one ([`build`]).
//!
//! A block is plain data between the other data of the program; nothing points into it. An export
//! searches the file for the block's mark, and so knows nothing of ELF, PE and Mach-O. Where
//! binaries are signed (Mach-O on Apple silicon) a changed one has to be signed anew.

pub mod build;
mod layout;
mod own;

pub use layout::{
    BlockError, Contents, LEAST_CAPACITY, USUAL_GAME, contents_of, made_of, read, replace,
};
pub use own::{Block, atoms};
