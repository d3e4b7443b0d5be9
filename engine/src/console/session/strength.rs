//! How much less the engine searches so as to play no better than `UCI_Elo` says.

/// Ratings and the nodes a move with which they are reached, from games: docs/lab/strength.md.
const RATINGS: [(i32, u32); 6] =
    [(1185, 48), (1585, 128), (1775, 384), (2025, 1024), (2510, 3072), (2840, 8192)];

/// The least and the greatest rating that can be asked for.
pub const LEAST: i32 = RATINGS[0].0;
/// The highest rating that can be chosen.
pub const GREATEST: i32 = RATINGS[RATINGS.len() - 1].0;

/// Nodes a move for this rating, which is brought into range: between two measured ones a rating's
/// share of the way is the share of the way in doublings of nodes.
pub fn nodes(rating: i32) -> u64 {
    let rating = rating.clamp(LEAST, GREATEST);
    let above = RATINGS.iter().position(|&(known, _)| known >= rating).unwrap_or(0).max(1);
    let [(low, few), (high, many)] = [RATINGS[above - 1], RATINGS[above]];
    let share = f64::from(rating - low) / f64::from(high - low);
    let doublings = (f64::from(many) / f64::from(few)).log2();
    (f64::from(few) * (share * doublings).exp2()).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_searched_for_more() {
        for (rating, expected) in RATINGS {
            assert_eq!(nodes(rating), u64::from(expected));
        }
        let all: Vec<u64> = (LEAST..=GREATEST).map(nodes).collect();
        assert!(all.is_sorted());
        assert_eq!(nodes(i32::MIN), nodes(LEAST));
        assert_eq!(nodes(i32::MAX), nodes(GREATEST));
    }
}
