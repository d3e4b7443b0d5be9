//! Exchanges on a square.

use super::{Bitboard, Board, Color, Kind, Move};

impl Board {
    /// Whether the captures on the target square that the move begins net the mover `threshold` or more,
    /// with these worths of men by kind. Each side captures with its least man, and may stop.
    ///
    /// Who can capture is looked up anew after each capture: a man that leaves may be a cannon's screen, a
    /// horse's leg or an elephant's eye, and may become none.
    pub fn exchange_at_least(&self, mv: Move, threshold: i32, worth: &[i32; Kind::COUNT]) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let worth_on = |square| self.man_on(square).map_or(0, |man| worth[man.kind.index()]);
        // How much better off than the threshold the mover is, before an answer.
        let mut balance = worth_on(to) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= worth_on(from);
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() ^ Bitboard::of(from)) | Bitboard::of(to);
        let mut side = !self.side_to_move();
        loop {
            let attackers = self.attackers(side, to, occupied) & !Bitboard::of(to);
            let Some(least) = self.least(attackers, side) else { break };
            let answers = self.attackers(!side, to, occupied) & !Bitboard::of(to);
            if least.0 == Kind::King && answers.any() {
                break;
            }
            occupied ^= least.1;
            side = !side;
            balance = -balance - 1 - worth[least.0.index()];
            if balance >= 0 {
                break;
            }
        }
        // The side that could not go on has lost the exchange.
        side != self.side_to_move()
    }

    /// The least of some men of a side.
    fn least(&self, men: Bitboard, color: Color) -> Option<(Kind, Bitboard)> {
        Kind::ALL.into_iter().find_map(|kind| {
            let square = (men & self.of(color, kind)).first()?;
            Some((kind, Bitboard::of(square)))
        })
    }
}
