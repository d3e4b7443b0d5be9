//! The rule that ended a game.

use std::cmp::Ordering;
use std::fmt;

/// Longest name of a rule, in bytes.
const LONGEST: usize = 23;

/// A rule of the game that ended it, by its name: small letters and underlines, as journals have it.
/// Each game has its own; the constants are those that several share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ending {
    letters: [u8; LONGEST],
    length: u8,
}

impl Ending {
    /// The side to move was mated.
    pub const CHECKMATE: Ending = Ending::new("checkmate");
    /// The side to move had no move, and that is a draw.
    pub const STALEMATE: Ending = Ending::new("stalemate");
    /// The position stood on the board for the third time.
    pub const REPETITION: Ending = Ending::new("repetition");
    /// A hundred plies without progress.
    pub const FIFTY_MOVES: Ending = Ending::new("fifty_moves");
    /// Nobody could win any more.
    pub const INSUFFICIENT_MATERIAL: Ending = Ending::new("insufficient_material");

    /// The rule of this name.
    ///
    /// # Panics
    /// If it is no name: see [`Ending::parse`].
    pub const fn new(name: &str) -> Ending {
        match Ending::parse(name) {
            Some(ending) => ending,
            None => panic!("the name of a rule has 1 to 23 small letters and underlines"),
        }
    }

    /// The rule of this name; `None` unless the name has 1 to 23 small letters and underlines.
    pub const fn parse(name: &str) -> Option<Ending> {
        let bytes = name.as_bytes();
        if bytes.is_empty() || bytes.len() > LONGEST {
            return None;
        }
        let mut letters = [0; LONGEST];
        let mut at = 0;
        while at < bytes.len() {
            if !matches!(bytes[at], b'a'..=b'z' | b'_') {
                return None;
            }
            letters[at] = bytes[at];
            at += 1;
        }
        Some(Ending { letters, length: bytes.len() as u8 })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..usize::from(self.length)]).expect("letters of ASCII")
    }

    /// In words, as PGN and reports show it.
    pub fn words(self) -> String {
        match self {
            Ending::REPETITION => "threefold repetition".to_owned(),
            other => other.as_str().replace('_', " "),
        }
    }
}

/// The rules that several games share come first, in this order; then all others by their names.
impl Ord for Ending {
    fn cmp(&self, other: &Ending) -> Ordering {
        const SHARED: [Ending; 5] = [
            Ending::CHECKMATE,
            Ending::STALEMATE,
            Ending::REPETITION,
            Ending::FIFTY_MOVES,
            Ending::INSUFFICIENT_MATERIAL,
        ];
        let place =
            |ending: &Ending| SHARED.iter().position(|it| it == ending).unwrap_or(SHARED.len());
        place(self).cmp(&place(other)).then_with(|| self.as_str().cmp(other.as_str()))
    }
}

impl PartialOrd for Ending {
    fn partial_cmp(&self, other: &Ending) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_other_words_refused() {
        for name in ["checkmate", "a", "perpetual_check", "abcdefghijklmnopqrstuvw"] {
            assert_eq!(Ending::parse(name).expect("a name").as_str(), name);
        }
        for name in ["", "Checkmate", "two words", "abcdefghijklmnopqrstuvwx", "é", "x1"] {
            assert_eq!(Ending::parse(name), None, "{name}");
        }
        assert_eq!(Ending::FIFTY_MOVES.words(), "fifty moves");
    }
}
