//! A position in few bytes, with its game.

use chess::games;
use playable::{Game, PACKED_MAX, PackedBytes, PackedError, Position};

/// A position without its history, in the bytes of its game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedPosition {
    bytes: PackedBytes,
    /// Index of the game, see [`games::index_of`].
    game: u8,
}

impl PackedPosition {
    /// Packs a position.
    ///
    /// # Errors
    /// If it has more men than a game can have.
    pub fn pack(position: &Position) -> Result<PackedPosition, PackedError> {
        let game = position.game();
        Ok(PackedPosition { bytes: game.pack(position)?, game: games::index_of(game) })
    }

    /// Takes bytes for a packed position of a game; [`PackedPosition::unpack`] shows whether they are
    /// one.
    ///
    /// # Panics
    /// If there are not exactly as many as those of the game have.
    pub fn from_bytes(game: Game, bytes: &[u8]) -> PackedPosition {
        let mut all = [0; PACKED_MAX];
        all[..PackedPosition::length(game)].copy_from_slice(bytes);
        PackedPosition { bytes: all, game: games::index_of(game) }
    }

    /// Bytes of the packed positions of a game.
    pub fn length(game: Game) -> usize {
        game.packed_lengths().0
    }

    /// The game.
    pub fn game(&self) -> Game {
        games::at(self.game)
    }

    /// The bytes, which say all that is kept of the position.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.game().packed_lengths().0]
    }

    /// The bytes but those of the counters: the same wherever the position occurs.
    pub fn without_counters(&self) -> &[u8] {
        &self.bytes[..self.game().packed_lengths().1]
    }

    /// Unpacks the position.
    ///
    /// # Errors
    /// If the bytes are not those of a legal position.
    pub fn unpack(&self) -> Result<Position, PackedError> {
        self.game().unpack(&self.bytes)
    }
}
