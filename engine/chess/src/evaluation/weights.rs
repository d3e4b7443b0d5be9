//! The evaluation's weights, one group per theme, as `evaluation/` has one file per theme.
//!
//! A `Score` holds a middlegame and an endgame number in centipawns; groups `danger`, `initiative`
//! and `scale` are in units of their own, see `evaluation/closing.rs`. Ranks and files are seen
//! from the side the weight counts for: rank 1 is its own back rank.
//!
//! Groups `closing` and `endgames` hold numbers that are not added up but shape a formula. No trace
//! speaks of them, so that a fit holds them and lists them as unseen, and for good reason: the
//! divisors of danger are its unit (all its weights doubled and the divisor with them, or four times
//! the divisor of a square, is the same evaluation, so that no data can tell the two apart); the
//! bounds have no slope but beyond them; the fade and the known endings guide a search towards
//! progress rather than predict results. Games can judge them, positions cannot.

use parameters::numbers;
use parameters::{Scalar, Score};

numbers! {
    /// Every evaluation weight of chess.
    table Weights;

    /// Material: what a piece is worth by itself, and what changes with the company it keeps
    /// (Kornilov pp. 28-37, 95, 98, 117).
    group material: Material {
        /// A pawn: the least of the men, and the only one that can become another.
        pawn: Score in 40..=250,
        /// A knight, by itself.
        knight: Score in 150..=800,
        /// A bishop, by itself.
        bishop: Score in 150..=800,
        /// A rook, by itself.
        rook: Score in 250..=1200,
        /// A queen, by itself.
        queen: Score in 500..=2400,
        /// Two bishops or more: together they see both colors.
        bishop_pair: Score in -50..=200,
        /// Two rooks or more: they often do the same work twice.
        rook_pair: Score in -150..=100,
        /// A knight, per own pawn above five: it jumps where sliders are shut in.
        knight_per_pawn: Score in -30..=30,
        /// A rook, per own pawn above five: it needs open lines.
        rook_per_pawn: Score in -30..=30,
        /// The right to move: a tempo is worth something in nearly every position.
        tempo: Score in -50..=100,
    }

    /// Imbalance: what a piece gains or loses by each other piece on the board.
    group imbalance: Imbalance {
        /// For each two own pieces: two knights, knight and bishop, knight and rook, knight and
        /// queen, bishop and rook, bishop and queen, rook and queen.
        together: [Score; 7] in -80..=80,
        /// For each own piece and enemy piece: bishop against knight, rook against knight, rook
        /// against bishop, queen against knight, queen against bishop, queen against rook.
        against: [Score; 6] in -80..=80,
        /// Two bishops or more, per enemy knight or bishop: those can be exchanged for one of them.
        pair_against_minors: Score in -80..=80,
        /// A piece, per enemy pawn above five; knight, bishop, rook, queen.
        enemy_pawns: [Score; 4] in -30..=30,
        /// A bishop or queen, per own pawn above five.
        own_pawns: [Score; 2] in -30..=30,
    }

    /// Square tables, seen from White with the own king on files e to h: when the king stands on
    /// files a to d, the whole side is mirrored, so that a table knows the king's wing from the
    /// other (Kornilov pp. 95-100).
    group squares: Squares {
        /// Pawns: center and advance; ranks 2 to 7, files a to h.
        pawn: [Score; 48] in -250..=250,
        /// Knights: the center; ranks 1 to 8, files a to h.
        knight: [Score; 64] in -250..=250,
        /// Bishops: main diagonals; ranks 1 to 8, files a to h.
        bishop: [Score; 64] in -250..=250,
        /// Rooks: the seventh rank and central files; ranks 1 to 8, files a to h.
        rook: [Score; 64] in -250..=250,
        /// Queens: near everything, and out of the way at first; ranks 1 to 8, files a to h.
        queen: [Score; 64] in -250..=250,
        /// King: safe at home at first, in the center when few pieces are left; ranks 1 to 8, files
        /// e to h.
        king: [Score; 32] in -250..=250,
        /// Any man, in addition, where no pawn is left on the board: the center (Kornilov pp. 98-100);
        /// ranks 1 to 8, files a to h.
        pawnless: [Score; 64] in -250..=250,
    }

    /// Mobility: squares a piece reaches that are neither attacked by enemy pawns nor held by the
    /// own king, queen or a pawn that cannot make way.
    group mobility: Mobility {
        /// Knight, by number of squares: 0 to 8.
        knight: [Score; 9] in -250..=250,
        /// Bishop, by number of squares: 0 to 13, looking through queens.
        bishop: [Score; 14] in -250..=250,
        /// Rook, by number of squares: 0 to 14, looking through queens and own rooks.
        rook: [Score; 15] in -250..=250,
        /// Queen, by number of squares: 0 to 27.
        queen: [Score; 28] in -250..=250,
    }

    /// Pawn structure: what cannot be undone, for pawns do not move back.
    group pawns: Pawns {
        /// No friendly pawn on a neighboring file can ever guard it; by file from the edge: a/h,
        /// b/g, c/f, d/e.
        isolated: [Score; 4] in -100..=50,
        /// A friendly pawn stands further ahead on its file, so that the two do the work of one; by
        /// file from the edge.
        doubled: [Score; 4] in -100..=50,
        /// A doubled pawn right behind a pawn, so that it cannot even move.
        doubled_blocked: Score in -100..=50,
        /// Its neighbors are all ahead of it and its next square is held by an enemy pawn: it can
        /// neither be guarded nor advance; by file from the edge.
        backward: [Score; 4] in -100..=50,
        /// An isolated or backward pawn with no enemy pawn ahead on its file: rooks attack it
        /// frontally.
        weak_unopposed: Score in -100..=50,
        /// Attacked by two enemy pawns and guarded by none.
        double_lever: Score in -150..=50,
        /// A friendly pawn right beside it: together they control a row of squares; ranks 2 to 7.
        phalanx: [Score; 6] in -50..=250,
        /// Guarded by a friendly pawn; ranks 3 to 7.
        supported: [Score; 5] in -50..=250,
        /// Guarded by a friendly pawn or with one beside it, and no enemy pawn ahead on its file;
        /// ranks 2 to 6.
        connected_unopposed: [Score; 5] in -50..=150,
        /// Guarded by two friendly pawns.
        supported_twice: Score in -50..=100,
        /// It can capture an enemy pawn, so that files may open; on ranks 2 to 4, 5 to 7.
        lever: [Score; 2] in -60..=80,
        /// Not yet passed, but its file is free and it has as many helpers as opponents on the
        /// neighboring files; ranks 2 to 6.
        candidate: [Score; 5] in -50..=200,
        /// Blocked by an enemy pawn deep in the enemy's camp, where it takes away space; ranks 5
        /// and 6.
        blocked_advanced: [Score; 2] in -80..=80,
        /// A pawn group with no friend on the next files, for each group after the first: more
        /// groups are more to guard. A side without pawns has one less than none.
        islands: Score in -60..=40,
    }

    /// Passed pawns: no enemy pawn can stop or capture them, so they tie down pieces or promote.
    group passed: Passed {
        /// A passed pawn; ranks 2 to 7 (Kornilov p. 96).
        rank: [Score; 6] in -100..=500,
        /// The same, by file from the edge: pieces reach the center more easily than the edge.
        file: [Score; 4] in -80..=80,
        /// Another passed pawn beside or diagonally behind it: each clears the other's way; ranks 2
        /// to 7.
        connected: [Score; 6] in -50..=250,
        /// A piece stands right in front of it; ranks 2 to 7.
        blocked: [Score; 6] in -250..=80,
        /// An enemy piece stands right in front of it, as hard to drive away as it is cheap; knight,
        /// bishop, king.
        blockader: [Score; 3] in -150..=80,
        /// No enemy attacks its next square; ranks 2 to 7.
        safe_step: [Score; 6] in -80..=200,
        /// No enemy attacks any square on its way to promotion; ranks 2 to 6.
        safe_path: [Score; 5] in -80..=300,
        /// Its next square is guarded; ranks 2 to 7.
        defended_step: [Score; 6] in -80..=200,
        /// All squares on its way to promotion are guarded; ranks 2 to 6.
        defended_path: [Score; 5] in -80..=300,
        /// Distance of the own king from its next square, per king step up to five; ranks 2 to 7.
        own_king: [Score; 6] in -80..=40,
        /// Distance of the enemy king from its next square, per king step up to five; ranks 2 to 7.
        enemy_king: [Score; 6] in -40..=80,
        /// An own rook or queen behind it on the file guards its whole way.
        rook_behind: Score in -80..=150,
        /// An enemy rook or queen behind it on the file attacks it wherever it goes.
        enemy_rook_behind: Score in -150..=80,
        /// The enemy has no pieces and his king cannot catch it, or the own king escorts it.
        unstoppable: Score in -100..=800,
    }

    /// Pieces: where each kind stands well or badly.
    group pieces: Pieces {
        /// Knight on ranks 4 to 6 where no enemy pawn can ever attack it; without, with a guarding
        /// pawn.
        knight_outpost: [Score; 2] in -50..=150,
        /// Bishop on such a square; without, with a guarding pawn.
        bishop_outpost: [Score; 2] in -50..=150,
        /// Knight that can jump to an outpost guarded by a pawn.
        knight_reaches_outpost: Score in -50..=100,
        /// Knight or bishop with a pawn of either side right in front of it: sheltered from rooks;
        /// by knight, bishop.
        behind_pawn: [Score; 2] in -50..=80,
        /// Distance from the own king, per king step; knight, bishop.
        minor_king_distance: [Score; 2] in -40..=40,
        /// Bad bishop: per own pawn on squares of its color.
        bishop_pawns: Score in -40..=20,
        /// The same, per own pawn of its color that a pawn or piece blocks on files c to f.
        bishop_blocked_pawns: Score in -40..=20,
        /// X-ray: per enemy pawn on its diagonals, whatever stands between.
        bishop_xray_pawns: Score in -30..=30,
        /// Bishop that sees both squares of a center diagonal past the pawns.
        bishop_long_diagonal: Score in -50..=100,
        /// Bishop whose diagonals meet the enemy king's ring, whatever pieces stand between, and that
        /// attacks nothing of it yet.
        bishop_aims_at_king: Score in -50..=100,
        /// Two sliders one behind the other on a line both move along: the rear one backs the front
        /// one; diagonal, straight.
        battery: [Score; 2] in -60..=120,
        /// X-ray: enemy king on the slider's line with exactly one piece between; bishop, rook,
        /// queen.
        king_xray: [Score; 3] in -60..=120,
        /// Rook on a file without pawns.
        rook_open_file: Score in -50..=150,
        /// Rook on a file without own pawns.
        rook_half_open_file: Score in -50..=120,
        /// Rook on a file with the enemy queen, whatever stands between.
        rook_queen_file: Score in -50..=100,
        /// A rook on the file of the enemy king or next to it: it aims at his shelter, whatever is
        /// between.
        rook_king_file: Score in -50..=100,
        /// Rook on the seventh rank while enemy pawns stand there or the king behind it.
        rook_seventh: Score in -60..=150,
        /// Rook behind an own pawn with at most three squares, shut in at the edge by its own king;
        /// with castling still allowed, and without.
        rook_trapped: [Score; 2] in -250..=50,
        /// Rook, per king step of distance to the enemy king.
        rook_king_distance: Score in -30..=30,
        /// Queen, per king step of distance to the enemy king (Kornilov pp. 95-98, which names no
        /// number).
        queen_king_distance: Score in -40..=40,
        /// Queen with exactly one piece between her and an enemy rook or bishop: pinned to her, or
        /// about to discover an attack; by rook, by bishop.
        queen_relative_pin: [Score; 2] in -150..=50,
        /// Queen in the enemy's half where no enemy pawn can ever attack her.
        queen_infiltration: Score in -80..=100,
    }

    /// Threats: what will be captured or driven away unless it is answered.
    group threats: Threats {
        /// A pawn that is not itself lost attacks a piece; knight, bishop, rook, queen.
        by_pawn: [Score; 4] in -50..=250,
        /// A knight or bishop attacks a piece or an insufficiently guarded pawn; pawn, knight,
        /// bishop, rook, queen.
        by_minor: [Score; 5] in -50..=250,
        /// A rook attacks something insufficiently guarded; pawn, knight, bishop, rook, queen.
        by_rook: [Score; 5] in -50..=250,
        /// The king attacks something insufficiently guarded.
        by_king: Score in -50..=200,
        /// Attacked and not guarded at all, or a piece attacked twice and guarded too little.
        hanging: Score in -50..=200,
        /// Insufficiently guarded, and guarded by the queen alone, who is then bound to it.
        queen_guarded: Score in -50..=100,
        /// A safe pawn step would attack a piece, per piece.
        safe_push: Score in -50..=120,
        /// Squares that the enemy attacks but may not safely use, because they are attacked back.
        restricted: Score in -20..=40,
        /// A knight can attack the only enemy queen with its next move, per safe square.
        queen_by_knight: Score in -50..=100,
        /// A slider can attack the only enemy queen with its next move, per safe square guarded
        /// again.
        queen_by_slider: Score in -50..=120,
    }

    /// King shelter: pawns near the king, own and enemy; the part that counts whatever the pieces
    /// do.
    group king: King {
        /// Own pawn nearest before the king on his and the next files: none, or on ranks 2 to 7; by
        /// file from the edge.
        shelter: [[Score; 7]; 4] in -150..=150,
        /// Enemy pawn nearest before the king, free to advance: none, or on our ranks 2 to 7; by
        /// file from the edge.
        storm: [[Score; 7]; 4] in -200..=150,
        /// Enemy pawn blocked by our shelter pawn right before it; on our ranks 3 to 7.
        storm_blocked: [Score; 5] in -100..=100,
        /// King on a file without pawns.
        open_file: Score in -150..=80,
        /// King on a file without own pawns.
        half_open_file: Score in -150..=80,
        /// No pawn of either side on the king's wing.
        pawnless_wing: Score in -100..=80,
        /// Distance of the king from the nearest pawn of either side, per king step beyond the
        /// first: in the endgame he must be where the pawns are.
        pawn_distance: Score in -40..=40,
    }

    /// Danger to the own king, in danger units: their sum is squared in the middlegame, for
    /// attackers together are worth more than one by one.
    group danger: Danger {
        /// Always counted: where the curve starts. Well above zero, because a square has no slope at
        /// zero: weights that all begin at zero would feel no gradient and never leave it.
        start: Score in -90..=210,
        /// Enemy piece that attacks the king's ring; knight, bishop, rook, queen.
        attacker: [Score; 4] in -60..=150,
        /// Attacked squares next to the king, per enemy piece and square; knight, bishop, rook,
        /// queen.
        ring_attacks: [Score; 4] in -40..=80,
        /// Each two enemy pieces that attack the ring together.
        attackers_together: Score in -60..=80,
        /// Squares of the ring that are attacked and guarded by king or queen at most.
        weak_ring: Score in -40..=120,
        /// Enemy piece can give check without being captured; knight, bishop, rook, queen.
        safe_check: [Score; 4] in -60..=300,
        /// The same from two or more squares, in addition.
        safe_checks_many: [Score; 4] in -100..=200,
        /// Squares from which the enemy can give check, but where he would be captured.
        unsafe_checks: Score in -40..=100,
        /// The enemy has no queen.
        no_queen: Score in -400..=50,
        /// Pieces of either side that alone stand between the king and an enemy slider.
        shield_pieces: Score in -60..=120,
        /// Squares on the king's wing, our ranks 1 to 5, that the enemy attacks, those attacked
        /// twice counted twice.
        wing_attacks: Score in -20..=40,
        /// The square of that number, in sixteenths: a storm is more than its squares.
        wing_storm: Score in -20..=40,
        /// Squares on the king's wing, our ranks 1 to 5, that we guard.
        wing_defense: Score in -40..=20,
        /// Own knight or bishop within two steps of the king; knight, bishop.
        defender: [Score; 2] in -100..=50,
        /// Enemy mobility above ours, in squares.
        mobility_lead: Score in -10..=20,
        /// Own pawn nearest before the king: none, or on ranks 2 to 7; by file from the edge.
        shelter: [[Score; 7]; 4] in -120..=120,
        /// Enemy pawn nearest before the king, free to advance: none, or on our ranks 2 to 7.
        storm: [Score; 7] in -120..=120,
        /// Enemy pawn blocked by our shelter pawn right before it; on our ranks 3 to 7.
        storm_blocked: [Score; 5] in -120..=120,
    }

    /// Space: room behind the own pawns for pieces to go from one wing to the other.
    group space: Space {
        /// Safe squares on files c to f and ranks 2 to 4, times the square of own men and rammed pawns,
        /// in 256ths.
        room: Score in -20..=40 step 2,
        /// The same for those behind an own pawn that no enemy man attacks.
        room_behind_pawns: Score in -20..=40 step 2,
        /// Own pawns on the four center squares.
        center_pawns: Score in -40..=80,
        /// Center squares attacked by own pawns.
        center_control: Score in -40..=80,
    }

    /// Initiative, in endgame centipawns added to the lead of whoever leads, never more than
    /// doubling it or turning it around: how many ways to go on the position offers.
    group initiative: Initiative {
        /// Always counted: an empty position is drawn.
        base: Scalar in -250..=100,
        /// Passed pawns of both sides.
        passed: Scalar in -50..=60,
        /// Pawns of both sides.
        pawns: Scalar in -30..=40,
        /// Pawns on both wings: one defender cannot be everywhere.
        both_wings: Scalar in -80..=120,
        /// Kings further apart by files than by ranks: one can go around.
        outflanking: Scalar in -30..=40,
        /// A king has entered the enemy's half.
        king_entered: Scalar in -60..=100,
        /// Kings and pawns only: every pawn counts.
        pure_pawns: Scalar in -80..=200,
        /// Pawns on one wing and kings that cannot go around one another.
        fortress: Scalar in -150..=60,
    }

    /// Scale of the stronger side's endgame lead, in 128ths: 128 is the full lead, 0 a draw.
    group scale: Scale {
        /// A single bishop each on opposite colors and nothing else; stronger side has no, one,
        /// more passed pawns.
        opposite_bishops_alone: [Scalar; 3] in 0..=160,
        /// A single bishop each on opposite colors, with other pieces.
        opposite_bishops: Scalar in 0..=160,
        /// A lone knight or bishop without pawns, which cannot mate.
        lone_minor: Scalar in 0..=128,
        /// No pawns and a lead in pieces (in points, see `endgames.piece_points`) of: one at most,
        /// two, three.
        no_pawns: [Scalar; 3] in 0..=160,
        /// Rook pawns alone, no bishop that controls their promotion square, and the enemy king before
        /// them.
        wrong_corner: Scalar in 0..=128,
        /// A rook each, pawns on one wing, one pawn more at most, and the enemy king before them.
        rooks_one_wing: Scalar in 0..=160,
        /// Any other position: stronger side has 0 to 7 pawns (with 8 nothing is scaled).
        pawns_left: [Scalar; 8] in 0..=160,
    }

    /// The shape of the closing formula: what danger costs, and how a lead fades. Not added up, and
    /// held by a fit.
    group closing: Closing {
        /// The most danger that counts: beyond it the king is lost anyway (danger units).
        danger_max: Scalar in 500..=4000,
        /// Middlegame: danger squared, divided by this, in centipawns. At 720 a danger of 270 (a
        /// real attack) costs a pawn, and each further unit 3/4 of a centipawn.
        danger_square_divisor: Scalar in 100..=4000,
        /// Middlegame: danger at which this cost is doubled, since what few defenders can still hold
        /// many attackers break (danger units). At 1000 a danger of 500 costs half as much again.
        danger_doubles_at: Scalar in 200..=1000000,
        /// Endgame: danger, divided by this, in centipawns.
        danger_divisor: Scalar in 1..=200,
        /// Plies without capture or pawn move at which the value would have faded to nothing. The
        /// rule draws at 100: at 200 half the value is left there, enough to prefer progress to
        /// waiting.
        fade_end: Scalar in 100..=1000,
    }

    /// Known endings: how a win against a bare king is told from one that is nearer. Centipawns on
    /// top of a win; not added up, and held by a fit.
    group endgames: Endgames {
        /// What a piece counts where a rough count is enough, in points of a pawn each; knight,
        /// bishop, rook, queen.
        piece_points: [Scalar; 4] in 0..=12,
        /// Material of the winning side, per point: what mates sooner is better.
        point_worth: Scalar in 0..=200,
        /// The bare king driven from the center, per step (0 to 6).
        king_to_edge: Scalar in 0..=60,
        /// Bishop and knight: the bare king driven to a corner of the bishop's color, per step (0 to
        /// 7).
        king_to_corner: Scalar in 0..=120,
        /// The winning king nearer to the bare one, per step (0 to 6).
        kings_near: Scalar in 0..=60,
        /// Pawns beside pieces that mate: per pawn and rank it has advanced.
        pawn_advance: Scalar in 0..=30,
        /// A pawn alone that wins: per rank it has advanced.
        last_pawn_advance: Scalar in 0..=80,
    }
}

/// Groups whose numbers shape formulas instead of being added up: no trace speaks of them.
pub const SHAPE_GROUPS: [&str; 2] = ["closing", "endgames"];
