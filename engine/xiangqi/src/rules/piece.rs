//! Men: their kinds, sides and letters.

use playable::Color;

/// A kind of man, in the order in which they capture in an exchange.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Soldier: a step ahead, beyond the river a step aside, too.
    Pawn,
    /// Minister: two steps diagonally, never across the river, nor over a man.
    Elephant,
    /// Guard: a step diagonally in the palace.
    Advisor,
    /// Moves as a rook, but captures over exactly one man, its screen.
    Cannon,
    /// A step straight and one diagonally on, unless a man stands where the first step leads.
    Horse,
    /// Chariot: straight as far as nobody stands in the way.
    Rook,
    /// General: a step straight in the palace, and never face to face with the other one.
    King,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 7;
    /// All kinds.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Pawn,
        Kind::Elephant,
        Kind::Advisor,
        Kind::Cannon,
        Kind::Horse,
        Kind::Rook,
        Kind::King,
    ];
    /// Letters of FEN, in the order of [`Kind::ALL`].
    const LETTERS: [u8; Kind::COUNT] = *b"pbacnrk";

    /// Its index in [`Kind::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its small letter in FEN.
    pub fn letter(self) -> char {
        Kind::LETTERS[self.index()].into()
    }
}

/// A man of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is: White is Red.
    pub color: Color,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// Number of men that differ.
    pub const COUNT: usize = 2 * Kind::COUNT;

    /// Its index, below [`Piece::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.color.index() * Kind::COUNT + self.kind.index()
    }

    /// The man of an index.
    pub fn at(index: usize) -> Option<Piece> {
        let kind = *Kind::ALL.get(index % Kind::COUNT)?;
        let color = *Color::ALL.get(index / Kind::COUNT)?;
        Some(Piece { color, kind })
    }

    /// The man of a letter in FEN, capital for Red; `H` and `E` mean horse and elephant, too.
    pub fn of_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let small = match letter.to_ascii_lowercase() {
            'h' => 'n',
            'e' => 'b',
            other => other,
        };
        let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == small)?;
        Some(Piece { color, kind })
    }

    /// Its letter in FEN.
    pub fn letter(self) -> char {
        let small = self.kind.letter();
        if self.color == Color::White { small.to_ascii_uppercase() } else { small }
    }
}
