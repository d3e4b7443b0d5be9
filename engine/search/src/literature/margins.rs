//! The margins and switches of methods from the literature that are off in ordinary play.
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005); pages are
//! its printed ones, sections without one follow p. 142. The methods themselves stand in `mod.rs`,
//! `static_search.rs`, `extensions.rs`, `forced_checks.rs` and `ordering.rs`.

use parameters::Switch;
use parameters::group;

group! {
    /// NegaScout: a move whose zero window fails high is searched again from the bound that
    /// was just proved (Kornilov p. 52).
    NegaScout {
        /// Second searches from the proved bound, instead of the whole window, on or off.
        enabled: Switch,
        /// The first move, too, is asked with a zero window before (p. 53, program A p.
        /// 117).
        first_move: Switch,
    }
}

group! {
    /// MTD(f): the root is asked with zero windows only, which close in on its value
    /// (Kornilov after p. 142, MTD(f)); instead of aspiration.
    Mtd {
        /// MTD(f) on or off.
        enabled: Switch,
        /// Each question halves what is left, instead of starting where the last answer
        /// was.
        bisects: Switch,
        /// How near the two bounds must come to be one value (centipawns).
        grain: i32 in 1..=100 step 5,
    }
}

group! {
    /// Captures of the piece that moved last are tried before all others (Kornilov p. 65).
    LastMoverFirst, sound {
        /// That order on or off.
        enabled: Switch,
    }
}

group! {
    /// Lightest attacker: of captures that gain the same, that by the cheapest piece first, the
    /// king last, whatever history says of them (Kornilov pp. 61-65).
    LightestAttacker, sound {
        /// That order on or off.
        enabled: Switch,
    }
}

group! {
    /// Three lists: quiet moves are tried by what they gain in the tables of squares, good
    /// ones, small gains, losses (Kornilov p. 66); within a list by history.
    QuietLists, sound {
        /// The three lists on or off.
        enabled: Switch,
        /// Least gain of a good move (centipawns).
        good_min: i32 = 10 in 1..=60 step 4,
    }
}

group! {
    /// Order of pieces as style: quiet moves by who moves (Kornilov after p. 142, plausible
    /// moves).
    PieceOrder, sound {
        /// Queen, rook, bishop, knight, king, pawn: on or off.
        enabled: Switch,
        /// The reverse: pawn, king, knight, bishop, rook, queen.
        light_first: Switch,
        /// Backward moves after all others.
        retreats_last: Switch,
    }
}

group! {
    /// Two tables: a main part that keeps deep results, and no upper bound where it has more,
    /// and a small one in which the newest always replaces another (Kornilov pp. 135-142).
    TwoTables, sound {
        /// Two parts, instead of one by depth and age, on or off.
        enabled: Switch,
    }
}

group! {
    /// Repetition by the keys of the line: a draw is only what stood on the board four and
    /// eight plies before as well (Kornilov after p. 142, repetition).
    LineRepetition, sound {
        /// That rule, instead of the first repetition below the root, on or off.
        enabled: Switch,
    }
}

group! {
    /// Null move with static conditions: no pass after a capture or an extended move, nor
    /// near the root (Kornilov after p. 142, null move).
    NullMoveRules {
        /// The conditions on or off.
        enabled: Switch,
        /// Only one pass in a line.
        once: Switch,
        /// First ply from the root on at which a pass is tried (plies).
        ply_min: i32 = 2 in 0..=8 step 1,
    }
}

group! {
    /// Null threat: a node where the answer to a pass wins is searched deeper, since it is
    /// under a threat (Kornilov p. 111, and after p. 142, null move).
    NullThreat {
        /// The extension on or off.
        enabled: Switch,
        /// What the answer must win against the evaluation; a mate always counts
        /// (centipawns).
        loss_min: i32 = 300 in 50..=1200 step 50,
    }
}

group! {
    /// Frontier cuts by two fixed margins, at nodes that no capture, check or extended move
    /// led to (Kornilov p. 112, and after p. 142, futility and razoring, after Heinz).
    Frontier {
        /// Frontier cuts on or off.
        enabled: Switch,
        /// Futility up to this depth left (plies).
        futility_depth: i32 = 2 in 0..=8 step 1,
        /// How far above beta the evaluation must be there (centipawns).
        futility_margin: i32 = 50 in 0..=300 step 10,
        /// Razoring up to this depth left (plies).
        razoring_depth: i32 = 4 in 0..=16 step 1,
        /// How far above beta the evaluation must be there (centipawns).
        razoring_margin: i32 = 900 in 100..=2000 step 100,
        /// Razoring takes a ply of depth instead of cutting.
        reduces: Switch,
    }
}

group! {
    /// Static search: after the plies of full width a move is worth no more than the
    /// evaluation after it (Kornilov pp. 104, 126, and after p. 142, static search).
    StaticSearch {
        /// Static search on or off.
        enabled: Switch,
        /// From this ply on (plies from the root).
        ply_min: i32 = 4 in 1..=32 step 1,
        /// Or with at most this depth left (plies).
        depth_max: i32 = 2 in 0..=16 step 1,
        /// How far above beta the evaluation must be for a cut (centipawns).
        margin: i32 in 0..=500 step 20,
        /// How much further above per ply of depth left (centipawns).
        margin_per_ply: i32 in 0..=200 step 10,
        /// The evaluation raises alpha, too: the mover may always stand pat (variant 1).
        raises_alpha: Switch,
        /// Captures that the table of plies allows are not cut, nor promotions as long as a
        /// queen is enough (capture_extension.pawn_plies; program B p. 126).
        spares_captures: Switch,
        /// Moves that are searched deeper, quiet ones too, are not cut (variant 5).
        spares_extended: Switch,
        /// Answers to checks, captures and extended moves are not cut (variant 6).
        spares_answers: Switch,
        /// Nothing is cut until a loss is made good: the mover stood above beta two plies
        /// before as well, but for half a pawn (dynamic margin).
        dynamic: Switch,
        /// The stronger dynamic margin: above beta now, a ply and two plies before.
        dynamic_strong: Switch,
        /// A node that would be cut is searched a ply less deep instead (depth reductions).
        reduces: Switch,
        /// Nothing is cut where the piece that moved last could capture with gain if it moved
        /// on (older selective search).
        sees_threats: Switch,
    }
}

group! {
    /// LazyEval: a quiet move after which the evaluation stays below alpha is searched less
    /// deep first, and no deeper if that confirms it (Kornilov after p. 142, reduced
    /// computation).
    LazyEval {
        /// LazyEval on or off.
        enabled: Switch,
        /// How much less deep (plies).
        plies: i32 = 2 in 1..=6 step 1,
        /// How far below alpha the evaluation after the move must be (centipawns).
        margin: i32 = 50 in 0..=300 step 10,
    }
}

group! {
    /// Internal deepening: a node without a table move searches itself less deep before,
    /// for a move to try first (Kornilov p. 126).
    InternalDeepening {
        /// Internal deepening on or off.
        enabled: Switch,
        /// How much less deep (plies).
        plies: i32 = 2 in 1..=6 step 1,
        /// A node above beta by evaluation and that search is cut (program B's lazy cut).
        lazy_cut: Switch,
        /// How far above beta both must be (centipawns).
        margin: i32 = 64 in 0..=300 step 10,
    }
}

group! {
    /// Cap of quiescence: leaves beyond it are just evaluated (Kornilov p. 104, which needs
    /// none: captures end by themselves).
    QuiescenceCap {
        /// The cap on or off.
        enabled: Switch,
        /// Most plies below the main search (plies).
        plies_max: i32 = 8 in 0..=40 step 2,
    }
}

group! {
    /// Checks in the forced search, by Lang's scheme: the fewer the answers the deeper
    /// (Kornilov p. 107: check 1, two_replies 1, only_reply 2; after p. 142, checks: 0, 1
    /// and 2).
    ForcedChecks {
        /// Quiet checks in quiescence on or off.
        enabled: Switch,
        /// Plies of quiescence in which checks are tried.
        plies: i32 = 2 in 0..=8 step 1,
        /// Further plies for each check with three answers or more.
        check: i32 = 1 in 0..=3 step 1,
        /// Further plies for a check with two answers.
        two_replies: i32 = 1 in 0..=4 step 1,
        /// Further plies for a check with an only answer.
        only_reply: i32 = 2 in 0..=6 step 1,
        /// Most plies of quiescence in which checks are tried.
        plies_max: i32 = 30 in 2..=60 step 4,
    }
}

group! {
    /// Single reply: a node with only one move is searched deeper (Kornilov p. 111, and
    /// an article on the single reply).
    SingleReply {
        /// The extension on or off.
        enabled: Switch,
        /// How much deeper (plies).
        plies: i32 in 1..=2 step 1,
        /// Also a node where only one move keeps the material, by a forced search of each.
        by_material: Switch,
        /// Least depth left at which material is asked (plies).
        depth_min: i32 = 4 in 1..=12 step 1,
        /// What a move may lose of the evaluation and still keep the material (centipawns).
        loss_max: i32 = 100 in 0..=400 step 25,
    }
}

group! {
    /// Recapture: a capture of the piece that has just captured is searched deeper
    /// (Kornilov p. 109).
    RecaptureExtension {
        /// The extension on or off.
        enabled: Switch,
    }
}

group! {
    /// Captures by a table of plies: first any capture is searched deeper, then only one of
    /// a piece, then of a rook, then of a queen, then none (Kornilov p. 109).
    CaptureExtension {
        /// The extension on or off.
        enabled: Switch,
        /// Plies from the root in which a pawn is enough; each greater piece has one more.
        pawn_plies: i32 = 6 in 0..=16 step 1,
    }
}

group! {
    /// Pawn to the seventh rank: searched deeper (Kornilov p. 109).
    PawnExtension {
        /// The extension on or off.
        enabled: Switch,
    }
}

group! {
    /// Queen approach: a queen that comes near the enemy king is searched deeper (Kornilov
    /// pp. 113-115).
    QueenApproach {
        /// The extension on or off.
        enabled: Switch,
        /// Greatest distance after the move (king steps).
        distance_max: i32 = 3 in 1..=7 step 1,
        /// Plies beyond the iteration's depth up to which it is made.
        plies_over: i32 = 2 in 0..=8 step 1,
    }
}

group! {
    /// King safety: a quiet move is searched deeper after which many more squares around
    /// the enemy king are attacked (Kornilov p. 111).
    KingSafetyExtension {
        /// The extension on or off.
        enabled: Switch,
        /// How many more (squares).
        squares_min: i32 = 3 in 1..=9 step 1,
    }
}

group! {
    /// Sharp change of the score: a quiet move is searched deeper that changes the
    /// evaluation much (Kornilov p. 111).
    ScoreChangeExtension {
        /// The extension on or off.
        enabled: Switch,
        /// How much (centipawns).
        margin: i32 = 200 in 50..=900 step 50,
    }
}

group! {
    /// Fractional depth: reasons to search deeper add up along a line, in quarters of a ply
    /// (Kornilov p. 110).
    FractionalExtension {
        /// The extension on or off.
        enabled: Switch,
        /// For a check (quarters of a ply).
        check: i32 = 4 in 0..=8 step 1,
        /// For a recapture (quarters of a ply).
        exchange: i32 = 3 in 0..=8 step 1,
        /// For a pawn that reaches the seventh rank (quarters of a ply).
        pawn: i32 = 3 in 0..=8 step 1,
    }
}

group! {
    /// Principal-variation tree: moves of earlier main lines are tried first, and neither
    /// they nor the answers to them are cut; the answers are not reduced either (Kornilov
    /// after p. 142, principal variation).
    PrincipalTree {
        /// The tree on or off.
        enabled: Switch,
        /// Positions that it remembers (number).
        positions_max: i32 = 48 in 8..=256 step 16,
    }
}
