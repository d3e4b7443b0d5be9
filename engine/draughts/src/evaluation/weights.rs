//! The evaluation's weights, a group for each theme, as the folder has a file for each.
//!
//! A `Score` has a number for the middlegame and one for the ending, in centipawns, a hundred of which are
//! a man. Squares are numbered for both sides as they are for White: on 1 to 4 men become
//! kings, 29 to 32 are the own back row.

use parameters::{Score, numbers};

numbers! {
    /// Every evaluation weight of draughts.
    table Weights;

    /// Material: what a man is worth by itself.
    group material: Material {
        /// A man.
        man: Score = 100 in 50..=300,
        /// A king.
        king: Score = 150 in 60..=500,
        /// The right to move.
        tempo: Score = 0 in -50..=100,
    }

    /// Squares: where men and kings stand.
    group squares: Squares {
        /// A man, by its square from 5 on: rows 2 to 8 from the far side.
        man: [Score; 28] = 0 in -100..=200,
        /// A king, by its square.
        king: [Score; 32] = 0 in -150..=150,
    }

    /// The back row: men that stay there keep others from becoming kings.
    group back_row: BackRow {
        /// The own back row while the other side has men, by which of its squares are held by men: square 29
        /// counts 1, 30 counts 2, 31 counts 4, 32 counts 8. The bridge, on 30 and 32, is number 10.
        held: [Score; 16] = 0 in -100..=150,
    }

    /// Formation: men that protect each other, and men on their way.
    group formation: Formation {
        /// A man that nobody ahead can jump over: own men are behind it, or the edge is beside it.
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
        /// A king, by the number of squares that it can step to where nobody can capture it: trapped with none.
        mobility: [Score; 5] = 0 in -150..=150,
        /// Having kings while the other side has none.
        alone: Score = 0 in -100..=200,
    }

    /// Timing: who runs out of moves first, and who threatens.
    group timing: Timing {
        /// The move: with as many men on both sides, who can bring the other to give way.
        the_move: Score = 0 in -50..=100,
        /// A man that could capture were it its turn.
        threat: Score = 0 in -100..=200,
    }
}
