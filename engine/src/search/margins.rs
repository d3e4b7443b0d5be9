//! The search's margins and switches, one block per technique in the order in which a node meets
//! them.

use crate::parameters::declare::margins;

margins! {
    /// Aspiration: search a narrow window around the last iteration's score first.
    aspiration_enabled: { switch }
    /// Aspiration: first depth with a narrow window (plies).
    aspiration_depth_min: { 2..=12, step 1 }
    /// Aspiration: half width of the first window (centipawns).
    aspiration_margin: { 4..=100, step 4 }
    /// Aspiration: growth of the window after each failure (percent).
    aspiration_growth: { 10..=300, step 20 }

    /// Mate-distance pruning: no line longer than a mate already found is of interest.
    mate_distance_enabled: { switch }

    /// Transposition table: results of positions met before are remembered at all.
    table_enabled: { switch }
    /// Transposition table: a remembered result that is deep enough ends a zero-window node.
    table_cutoff_enabled: { switch }

    /// Correction history: the evaluation is corrected by its past errors in similar positions.
    correction_history_enabled: { switch }
    /// Correction history: share of the error by pawn structure that is applied (percent).
    correction_pawn_weight: { 0..=200, step 10 }
    /// Correction history: share of the error by each side's pieces that is applied (percent).
    correction_non_pawn_weight: { 0..=200, step 10 }

    /// Reverse futility: a node whose evaluation is far above beta is cut without a search.
    reverse_futility_enabled: { switch }
    /// Reverse futility: greatest depth left (plies).
    reverse_futility_depth_max: { 1..=16, step 1 }
    /// Reverse futility: how far above beta the evaluation must be, per ply of depth left
    /// (centipawns).
    reverse_futility_margin: { 20..=200, step 8 }
    /// Reverse futility: how much less suffices when the evaluation is improving (centipawns).
    reverse_futility_improving: { 0..=200, step 8 }

    /// Razoring: a node whose evaluation is hopelessly below alpha is left to quiescence.
    razoring_enabled: { switch }
    /// Razoring: greatest depth left (plies).
    razoring_depth_max: { 1..=8, step 1 }
    /// Razoring: how far below alpha the evaluation must be (centipawns).
    razoring_base: { 0..=600, step 25 }
    /// Razoring: how much further below per ply of depth left (centipawns).
    razoring_margin: { 50..=600, step 25 }

    /// Null move: a node that stays above beta even if the mover passes is cut.
    null_move_enabled: { switch }
    /// Null move: least depth left (plies).
    null_move_depth_min: { 1..=8, step 1 }
    /// Null move: reduction of the search after the pass (plies).
    null_move_reduction_base: { 1..=6, step 1 }
    /// Null move: depth left per further ply of reduction (plies).
    null_move_depth_divisor: { 2..=8, step 1 }
    /// Null move: evaluation above beta per further ply of reduction (centipawns).
    null_move_evaluation_divisor: { 50..=500, step 25 }
    /// Null move: greatest reduction for evaluation above beta (plies).
    null_move_evaluation_max: { 0..=6, step 1 }

    /// Internal reduction: a node without a table move is searched less deeply, to find that move
    /// first.
    internal_reduction_enabled: { switch }
    /// Internal reduction: least depth left (plies).
    internal_reduction_depth_min: { 2..=10, step 1 }

    /// Late-move pruning: after many quiet moves without success the rest is skipped.
    late_move_pruning_enabled: { switch }
    /// Late-move pruning: greatest depth left (plies).
    late_move_pruning_depth_max: { 1..=16, step 1 }
    /// Late-move pruning: moves always tried.
    late_move_pruning_base: { 1..=12, step 1 }
    /// Late-move pruning: further moves per squared ply of depth left (hundredths of a move).
    late_move_pruning_margin: { 20..=300, step 15 }

    /// Futility: quiet moves are skipped when the evaluation is too far below alpha for them to
    /// matter.
    futility_enabled: { switch }
    /// Futility: greatest depth left after reduction (plies).
    futility_depth_max: { 1..=16, step 1 }
    /// Futility: how far below alpha the evaluation must be (centipawns).
    futility_base: { 0..=300, step 15 }
    /// Futility: how much further below per ply of depth left after reduction (centipawns).
    futility_margin: { 20..=250, step 10 }

    /// History pruning: quiet moves that failed nearly always before are skipped.
    history_pruning_enabled: { switch }
    /// History pruning: greatest depth left after reduction (plies).
    history_pruning_depth_max: { 1..=10, step 1 }
    /// History pruning: how bad the history must be, per ply of depth left after reduction
    /// (points).
    history_pruning_margin: { 500..=10000, step 500 }

    /// Exchange pruning: moves that lose too much material by exchanges are skipped.
    exchange_pruning_enabled: { switch }
    /// Exchange pruning: greatest depth left (plies).
    exchange_pruning_depth_max: { 1..=16, step 1 }
    /// Exchange pruning: loss allowed to a quiet move per ply of depth left after reduction
    /// (centipawns).
    exchange_pruning_quiet_margin: { 10..=200, step 10 }
    /// Exchange pruning: loss allowed to a noisy move per ply of depth left (centipawns).
    exchange_pruning_noisy_margin: { 10..=300, step 10 }

    /// Singular extension: a table move far better than all others is searched deeper.
    singular_extension_enabled: { switch }
    /// Singular extension: least depth left (plies).
    singular_extension_depth_min: { 4..=14, step 1 }
    /// Singular extension: how far below the table value all others must stay, per ply of depth
    /// (hundredths of a centipawn).
    singular_extension_margin: { 20..=600, step 25 }
    /// Singular extension: how much further below for a second ply of extension (centipawns).
    singular_extension_double_margin: { 0..=100, step 5 }

    /// Check extension: a move that gives check is searched one ply deeper.
    check_extension_enabled: { switch }

    /// Late-move reduction: moves late in the order are searched less deeply until they prove good.
    late_move_reduction_enabled: { switch }
    /// Late-move reduction: least depth left (plies).
    late_move_reduction_depth_min: { 2..=6, step 1 }
    /// Late-move reduction: constant part for quiet moves (hundredths of a ply).
    late_move_reduction_quiet_base: { 0..=200, step 10 }
    /// Late-move reduction: ln(depth) · ln(move number) per ply of reduction of quiet moves
    /// (hundredths).
    late_move_reduction_quiet_divisor: { 100..=500, step 20 }
    /// Late-move reduction: constant part for noisy moves (hundredths of a ply).
    late_move_reduction_noisy_base: { -100..=150, step 10 }
    /// Late-move reduction: ln(depth) · ln(move number) per ply of reduction of noisy moves
    /// (hundredths).
    late_move_reduction_noisy_divisor: { 100..=600, step 20 }
    /// Late-move reduction: less in principal nodes (hundredths of a ply).
    late_move_reduction_principal: { 0..=250, step 15 }
    /// Late-move reduction: more where a cutoff is expected (hundredths of a ply).
    late_move_reduction_cut: { 0..=300, step 15 }
    /// Late-move reduction: more when the evaluation is not improving (hundredths of a ply).
    late_move_reduction_worsening: { 0..=200, step 15 }
    /// Late-move reduction: less for killers and counter moves (hundredths of a ply).
    late_move_reduction_killer: { 0..=250, step 15 }
    /// Late-move reduction: less for moves that give check (hundredths of a ply).
    late_move_reduction_check: { 0..=250, step 15 }
    /// Late-move reduction: history points that make one ply less.
    late_move_reduction_history_divisor: { 2000..=30000, step 1000 }

    /// Killers: quiet moves that refuted a sibling are tried early.
    killer_enabled: { switch }
    /// Counter move: the quiet move that last refuted the opponent's move is tried early.
    counter_move_enabled: { switch }
    /// Quiet history: quiet moves are ordered by their success anywhere in the tree.
    quiet_history_enabled: { switch }
    /// Capture history: noisy moves are ordered by their success as well as by gain.
    capture_history_enabled: { switch }
    /// Continuation history: quiet moves are ordered by their success after the moves one, two and
    /// four plies before.
    continuation_history_enabled: { switch }
    /// Histories: bonus for a success, per ply of depth left (points).
    history_bonus_margin: { 20..=500, step 20 }
    /// Histories: what is taken off the bonus (points).
    history_bonus_base: { 0..=400, step 20 }
    /// Histories: greatest bonus (points).
    history_bonus_max: { 400..=4000, step 150 }
    /// Histories: penalty for moves tried before the successful one, as a share of its bonus
    /// (percent).
    history_penalty: { 20..=200, step 10 }

    /// Order of noisy moves: weight of a centipawn of gain against a point of capture history
    /// (points).
    ordering_gain_weight: { 1..=100, step 4 }
    /// Order of noisy moves: loss by exchanges that still counts as a good move (centipawns).
    ordering_exchange_margin: { 0..=200, step 10 }

    /// Quiescence: leaves are searched on until no noisy move helps; off, they are just evaluated.
    quiescence_enabled: { switch }
    /// Quiescence: noisy moves that lose material by exchanges are skipped.
    quiescence_exchange_enabled: { switch }
    /// Quiescence: loss by exchanges that is still tried (centipawns).
    quiescence_exchange_margin: { 0..=200, step 10 }
    /// Quiescence futility: noisy moves that cannot lift the evaluation to alpha are skipped.
    quiescence_futility_enabled: { switch }
    /// Quiescence futility: what a move may bring beyond its material gain (centipawns).
    quiescence_futility_margin: { 20..=500, step 20 }

    /// Time: moves for which the clock must last when the game does not say (moves).
    time_horizon: { 10..=80, step 4 }
    /// Time: part of the coming increments that is counted on; the rest stays as a reserve
    /// (percent).
    time_increment_share: { 0..=100, step 5 }
    /// Time: usual share of the fair portion of the clock (percent).
    time_soft_share: { 30..=200, step 10 }
    /// Time: most that one move may take, in usual shares (percent).
    time_hard_share: { 100..=1000, step 50 }
    /// Time: most of the remaining clock that one move may take (percent).
    time_clock_share: { 10..=90, step 5 }
    /// Time: an answer that has stayed the same for several iterations saves time.
    time_stability_enabled: { switch }
    /// Time: saving per iteration in which the answer stayed the same (percent of the usual share).
    time_stability_margin: { 0..=15, step 1 }
    /// Time: an answer that took most of the nodes saves time, one that took few costs more.
    time_node_share_enabled: { switch }
    /// Time: usual share used by an answer that took no node at all (percent).
    time_node_share_base: { 100..=300, step 15 }
    /// Time: how much less for an answer that took all nodes (percent).
    time_node_share_margin: { 0..=200, step 10 }
}
