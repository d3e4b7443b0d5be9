//! The evaluation's weights, a group for each theme, as the folder has a file for each.
//!
//! A `Score` has a number for the middlegame and one for the ending, in centipawns, a hundred of
//! which are a man. Squares are named for both sides as they are for White: a1 to g1 are the own
//! back row, on b8 to h8 men become kings.

use parameters::{Score, numbers};

numbers! {
    /// Every evaluation weight of draughts.
    table Weights;

    /// Material: what a man is worth by itself.
    group material: Material {
        /// A man.
        man: Score = 100 in 20..=300,
        /// A king.
        king: Score = 300 in 20..=800,
        /// The right to move.
        tempo: Score = 0 in -50..=100,
    }

    /// Squares: where men and kings stand.
    group squares: Squares {
        /// A man, by its square from a1 to g7.
        man: [Score; 28] = 0 in -100..=200,
        /// A king, by its square.
        king: [Score; 32] = 0 in -150..=150,
    }

    /// The back row: men that stay there keep others from becoming kings.
    group back_row: BackRow {
        /// The own back row while the other side has men, by which of its squares are held by men:
        /// a1 counts 1, c1 counts 2, e1 counts 4, g1 counts 8.
        held: [Score; 16] = 0 in -100..=150,
    }

    /// Formation: men that protect each other, and men on their way.
    group formation: Formation {
        /// A man that nobody can jump over as men stand: on each diagonal an own man or the edge is
        /// beside it.
        backed: Score = 0 in -50..=80,
        /// Two men side by side on a row.
        pair: Score = 0 in -50..=80,
        /// A man that cannot step.
        stuck: Score = 0 in -100..=50,
        /// A man with no enemy between it and the far row, by the rows that it has to go.
        runaway: [Score; 7] = 0 in -100..=250,
    }

    /// Kings: what they can do.
    group kings: Kings {
        /// A king, by the number of squares that it can go to: a third of it, at most 4.
        mobility: [Score; 5] = 0 in -150..=150,
        /// Having kings while the other side has none.
        alone: Score = 0 in -200..=400,
        /// Kings on the main road, from a1 to h8, where the other side has none.
        road: Score = 0 in -100..=300,
        /// A king without others of its side, off the main road and on it by turns, against one,
        /// two, three, and more: on the road it draws against three.
        last: [Score; 8] = 0 in -200..=800,
    }

    /// Timing: who runs out of moves first, and who threatens.
    group timing: Timing {
        /// The move: with as many men on both sides, who can bring the other to give way.
        the_move: Score = 0 in -50..=100,
        /// A man that could capture were it its turn.
        threat: Score = 0 in -100..=200,
    }
}
