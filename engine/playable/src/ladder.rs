//! How much less an engine searches so as to play no better than `UCI_Elo` says.

/// Ratings and the nodes a move with which they are reached, from games, both growing: at least two of
/// them, or none where nobody has rated a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ladder(pub &'static [(i32, u32)]);

impl Ladder {
    /// Whether nobody has rated the game.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The least rating that can be asked for; 0 where there is none.
    pub fn least(self) -> i32 {
        self.0.first().map_or(0, |it| it.0)
    }

    /// The greatest rating that can be asked for; 0 where there is none.
    pub fn greatest(self) -> i32 {
        self.0.last().map_or(0, |it| it.0)
    }

    /// Nodes a move for this rating, which is brought into range: between two measured ones a rating's
    /// share of the way is the share of the way in doublings of nodes.
    ///
    /// # Panics
    /// If nobody has rated the game.
    pub fn nodes(self, rating: i32) -> u64 {
        let rating = rating.clamp(self.least(), self.greatest());
        let above = self.0.iter().position(|&(known, _)| known >= rating).unwrap_or(0).max(1);
        let [(low, few), (high, many)] = [self.0[above - 1], self.0[above]];
        let share = f64::from(rating - low) / f64::from(high - low);
        let doublings = (f64::from(many) / f64::from(few)).log2();
        (f64::from(few) * (share * doublings).exp2()).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_searched_for_more() {
        const RATINGS: [(i32, u32); 3] = [(1185, 48), (1585, 128), (1775, 384)];
        let ladder = Ladder(&RATINGS);
        for (rating, expected) in RATINGS {
            assert_eq!(ladder.nodes(rating), u64::from(expected));
        }
        let all: Vec<u64> = (1185..=1775).map(|rating| ladder.nodes(rating)).collect();
        assert!(all.is_sorted());
        assert_eq!(ladder.nodes(i32::MIN), 48);
        assert_eq!(ladder.nodes(i32::MAX), 384);
    }
}
