//! Positions that nobody can win.
//!
//! CITE: the rule of Pikafish, an engine of xiangqi, on material that draws at once.

use super::{Board, Color, Kind};

impl Board {
    /// Whether neither side can win any more, or hardly so: there is no pawn, rook or horse, and at
    /// most a cannon each without enough screens.
    ///
    /// In some cases a mate exists, but no way to force it. There the position is dead unless the
    /// side to move has no legal move, or has one that leaves the other side none.
    pub fn is_dead(&self) -> bool {
        let lively = self.kind(Kind::Pawn) | self.kind(Kind::Rook) | self.kind(Kind::Horse);
        if lively.any() {
            return false;
        }
        let cannons = self.kind(Kind::Cannon);
        let (advisors, elephants) = (self.kind(Kind::Advisor), self.kind(Kind::Elephant));
        match Color::ALL.map(|color| (cannons & self.color(color)).count()) {
            [0, 0] => true,
            [1, 1] if advisors.any() => false,
            [1, 1] => elephants.is_empty() || !self.is_decided(),
            [1, 0] => self.is_cannon_helpless(Color::White),
            [0, 1] => self.is_cannon_helpless(Color::Black),
            _ => false,
        }
    }

    /// Whether the only cannon, which this side has, cannot win.
    fn is_cannon_helpless(&self, owner: Color) -> bool {
        if self.of(owner, Kind::Advisor).any() {
            return false;
        }
        let has_elephants = self.of(owner, Kind::Elephant).any();
        match (self.of(!owner, Kind::Advisor).count(), has_elephants) {
            (0, _) | (1, false) => true,
            (1, true) | (2, false) => !self.is_decided(),
            _ => false,
        }
    }

    /// Whether the side to move has no legal move, or one that leaves the other side none.
    fn is_decided(&self) -> bool {
        let moves = self.legal_moves();
        let wins = |mv| {
            let mut after = *self;
            after.play(mv);
            !after.has_legal_move()
        };
        moves.is_empty() || moves.into_iter().any(wins)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;

    #[test]
    fn men_decide_who_can_win() {
        let cases = [
            ("3k5/9/9/9/9/9/9/9/9/4K4 w", true),
            ("2bak1b2/4a4/9/9/9/9/9/9/9/2BAKAB2 w", true),
            // A pawn, a horse or a rook may always win.
            ("3k5/9/9/9/9/9/4p4/9/9/4K4 w", false),
            ("3k5/9/9/9/9/9/4N4/9/9/4K4 w", false),
            ("3k5/9/9/9/9/9/4r4/9/9/4K4 w", false),
            // A cannon needs a screen: its own advisor is one.
            ("3k5/9/9/9/9/9/4C4/9/9/4K4 w", true),
            ("3k5/9/9/9/9/9/4C4/9/4A4/4K4 w", false),
            ("2bk5/9/9/9/9/9/4C4/9/9/2B1K4 w", true),
            // Advisors of the other side are screens, too.
            ("3k1a3/9/9/9/9/9/4C4/9/9/4K4 w", true),
            ("3k1a3/9/9/9/9/9/4C4/9/9/2B1K4 w", true),
            ("3k1a3/4a4/9/9/9/9/8C/9/9/5K3 w", true),
            ("3k1a3/4a4/9/9/9/9/8C/9/9/2B2K3 w", false),
            // A cannon each.
            ("3k5/9/9/9/4c4/9/4C4/9/9/4K4 w", true),
            ("2bk5/9/9/9/4c4/9/4C4/9/9/4K4 w", true),
            ("3k1a3/9/9/9/4c4/9/4C4/9/9/4K4 w", false),
            // Two of a side.
            ("3k5/9/9/9/4C4/9/4C4/9/9/4K4 w", false),
        ];
        for (fen, is_dead) in cases {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.is_dead(), is_dead, "{fen}");
            assert_eq!(position.turned().is_dead(), is_dead, "turned {fen}");
        }
    }
}
