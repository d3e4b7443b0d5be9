//! The evaluation's weights, a group for each theme, as the folder has a file for each.
//!
//! A `Score` has a number for the middlegame and one for the ending, in centipawns. Files count from the
//! nearer edge (0 to 4), ranks from the own side (0 to 9).

use parameters::{Score, numbers};

numbers! {
    /// Every evaluation weight of xiangqi.
    table Weights;

    /// Material: what a man is worth by itself.
    group material: Material {
        /// A pawn.
        pawn: Score = 20 in 5..=300,
        /// An elephant.
        elephant: Score = 80 in 0..=400,
        /// An advisor.
        advisor: Score = 80 in 0..=400,
        /// A cannon.
        cannon: Score = 200 in 100..=900,
        /// A horse.
        horse: Score = 180 in 100..=900,
        /// A rook.
        rook: Score = 400 in 200..=2000,
        /// The right to move.
        tempo: Score = 0 in -50..=100,
    }

    /// Men together: what a man is worth beside others, and against the enemy's defenders.
    group together: Together {
        /// Rooks (0 to 2), then horses, then cannons of a side.
        heavy: [Score; 27] = 0 in -300..=300,
        /// Advisors (0 to 2), then elephants of a side.
        guards: [Score; 9] = 0 in -300..=300,
        /// A cannon, by the enemy's advisors (0 to 2), then elephants.
        cannon_by_defenders: [Score; 9] = 0 in -300..=300,
        /// A horse, by the enemy's advisors (0 to 2), then elephants.
        horse_by_defenders: [Score; 9] = 0 in -300..=300,
        /// A rook, by the enemy's advisors (0 to 2), then elephants.
        rook_by_defenders: [Score; 9] = 0 in -300..=300,
    }

    /// Square tables, by five files and the ranks where a man can stand.
    group squares: Squares {
        /// A pawn, from its own rank on: ranks 3 to 9.
        pawn: [Score; 35] = 0 in -200..=400,
        /// An elephant: on its back rank, on the edge, in the middle, at the river.
        elephant: [Score; 4] = 0 in -100..=100,
        /// An advisor: on the back rank, in the middle, in front.
        advisor: [Score; 3] = 0 in -100..=100,
        /// A cannon.
        cannon: [Score; 50] = 0 in -200..=200,
        /// A horse.
        horse: [Score; 50] = 0 in -200..=200,
        /// A rook.
        rook: [Score; 50] = 0 in -200..=200,
        /// The king: on file d or f by rank, then on file e.
        king: [Score; 6] = 0 in -200..=200,
    }

    /// Mobility: men that can go to many squares are worth more, squares that a lesser enemy attacks left out.
    group mobility: Mobility {
        /// A rook, by the number of squares.
        rook: [Score; 18] = 0 in -200..=200,
        /// A cannon, by the number of empty squares.
        cannon: [Score; 18] = 0 in -200..=200,
        /// A cannon, for each enemy that it can capture.
        cannon_targets: Score = 0 in -100..=100,
        /// A horse, by the number of squares.
        horse: [Score; 9] = 0 in -200..=200,
    }

    /// Cannons: they need screens, and are worst to a king that has no way out of their line.
    group cannons: Cannons {
        /// A hollow cannon: on the enemy king's file with nobody between, by the distance from 1.
        hollow: [Score; 9] = 0 in -100..=300,
        /// A cannon on the enemy king's file with two men between: either is pinned.
        pinning: Score = 0 in -100..=200,
        /// A cannon on the enemy's back rank.
        bottom: Score = 0 in -100..=200,
    }

    /// Pawns: those that have crossed the river are worth what the enemy's defenders let them.
    group pawns: Pawns {
        /// A crossed pawn, by the number of enemy advisors and elephants.
        crossed: [Score; 5] = 0 in -200..=300,
        /// A crossed pawn, by the files between it and the enemy king, 4 for more.
        files_to_king: [Score; 5] = 0 in -200..=300,
        /// Two pawns side by side: each protects the other.
        side_by_side: Score = 0 in -100..=200,
        /// A pawn on the last rank, which can only go aside.
        on_last_rank: Score = 0 in -200..=100,
    }

    /// The king: who attacks its palace, and who defends it.
    group king: King {
        /// Danger, by steps: a rook or horse that attacks the palace is two, a cannon or pawn one, a safe check
        /// two; for full defenders, for one or two missing, and for three or four.
        danger: [Score; 48] = 0 in -900..=200,
        /// Squares from which the enemy can check and not be captured, one and more: by pawns, cannons, horses,
        /// rooks.
        safe_checks: [Score; 8] = 0 in -400..=100,
        /// Squares where the king can go, by their number.
        exits: [Score; 5] = 0 in -200..=200,
        /// A man without which the king may be in check: pawn, elephant, advisor, cannon, horse, rook.
        pinned: [Score; 6] = 0 in -200..=100,
        /// Squares of the palace that the enemy attacks, by their number.
        attacked: [Score; 10] = 0 in -400..=100,
        /// Missing advisors while the enemy has one rook, and two.
        advisors_against_rooks: [Score; 4] = 0 in -300..=100,
        /// Missing advisors while the enemy has one horse, and two.
        advisors_against_horses: [Score; 4] = 0 in -300..=100,
        /// Missing elephants while the enemy has one horse, and two.
        elephants_against_horses: [Score; 4] = 0 in -300..=100,
        /// Missing elephants while the enemy has one cannon, and two.
        elephants_against_cannons: [Score; 4] = 0 in -300..=100,
        /// A horse of its own in the middle of the palace, in its way.
        horse_inside: Score = 0 in -200..=100,
        /// Rooks, horses and cannons of the enemy beyond the river on one wing, by the greater number.
        one_wing: [Score; 5] = 0 in -300..=100,
    }

    /// Threats: men that the enemy attacks, by who attacks (pawn, elephant, advisor, cannon, horse, rook, king)
    /// and who is attacked (pawn, elephant, advisor, cannon, horse, rook).
    group threats: Threats {
        /// A man that is not protected.
        loose: [Score; 42] = 0 in -300..=100,
        /// A man that is protected.
        guarded: [Score; 42] = 0 in -300..=100,
    }

    /// Endings: the share of the sum that counts, in percent, by what the side that leads can attack with.
    group endings: Endings {
        /// Without rooks: horses and cannons (0 to 2), then pawns (0, 1, more), then enemy advisors and elephants
        /// (0 or 1, 2 or 3, 4).
        without_rooks: [i32; 27] = 100 in 0..=150,
        /// A rook with a horse or cannon, and no pawn.
        rook_and_helper: i32 = 100 in 0..=150,
    }
}
