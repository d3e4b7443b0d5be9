//! The search's margins and switches, one group per technique in the order in which a node meets
//! them. What they say about a node stands in `formulas.rs`, what those of histories and time say in
//! `history.rs` and `time.rs`. Behind them stand those of methods that are off in ordinary play
//! (`classic_margins.rs`).

use super::classic_margins::with_classic_margins;
use crate::parameters::Switch;

with_classic_margins! {
    /// Every search margin and switch.
    table Margins;

    /// Aspiration: search a narrow window around the last iteration's score first (Kornilov after
    /// p. 142, aspiration). The book has it with margin 50, growth 300, margin_max 100, upper_share
    /// 100 and failures_max 0.
    group aspiration: Aspiration {
        /// Aspiration windows on or off.
        enabled: Switch,
        /// First depth with a narrow window (plies).
        depth_min: i32 in 2..=12 step 1,
        /// Half width of the first window (centipawns).
        margin: i32 in 4..=100 step 4,
        /// Growth of the window after each failure (percent).
        growth: i32 in 10..=300 step 20,
        /// Half width from which on the side that failed is opened wholly (centipawns).
        margin_max: i32 in 100..=4000 step 100,
        /// New upper end after a failure below, from the old lower end (0) to the old upper end
        /// (100) (percent).
        upper_share: i32 in 0..=100 step 5,
        /// Most failures above the window in a row for each of which the next try is a ply less deep
        /// (number).
        failures_max: i32 in 0..=6 step 1,
    }

    /// Order of the root's moves: those that took more nodes come earlier.
    group root_order: RootOrder, sound {
        /// Order by nodes on or off.
        enabled: Switch,
    }

    /// Mate-distance pruning: no line longer than a mate already found is of interest (Kornilov p.
    /// 30).
    group mate_distance: MateDistance, sound {
        /// Mate-distance pruning on or off.
        enabled: Switch,
    }

    /// Upcoming repetition: a node from which the mover can repeat a position is a draw at least.
    group upcoming_repetition: UpcomingRepetition, sound {
        /// Upcoming repetition on or off.
        enabled: Switch,
    }

    /// Transposition table: results of positions met before are remembered (Kornilov pp. 140-142).
    group table: TableMargins, sound {
        /// The table on or off.
        enabled: Switch,
        /// Depth that a result counts less for each search since it was found, when one must give
        /// way (plies).
        ageing: i32 in 0..=32 step 1,
        /// How much shallower than the result that is there a new bound of the same search may be
        /// and still replace it (plies).
        depth_margin: i32 in 0..=32 step 1,
    }

    /// Table cutoffs: a remembered result that is deep enough ends a zero-window node (Kornilov pp.
    /// 140-142).
    group table_cutoff: TableCutoff, sound {
        /// Table cutoffs on or off.
        enabled: Switch,
        /// Bonus of a quiet move whose remembered result cuts the node, as a share of that of a move
        /// which does so by a search (percent).
        bonus_share: i32 in 0..=200 step 20,
    }

    /// Correction history: the evaluation is corrected by its past errors in similar positions.
    group correction_history: CorrectionHistory, sound {
        /// Correction history on or off.
        enabled: Switch,
        /// Share of the error by pawn structure that is applied (percent).
        pawn_weight: i32 in 0..=200 step 10,
        /// Share of the error by each side's pieces that is applied (percent).
        non_pawn_weight: i32 in 0..=200 step 10,
        /// Share of the error by the last two moves that is applied (percent).
        continuation_weight: i32 in 0..=200 step 10,
        /// Greatest error that is remembered (centipawns).
        limit: i32 in 16..=255 step 16,
        /// Greatest weight of a new error; below it, one more than the depth it was found at
        /// (parts of the divisor).
        learning_max: i32 in 1..=64 step 2,
        /// Weight of all errors together, the new one and those remembered (parts).
        learning_divisor: i32 in 64..=1024 step 32,
    }

    /// Reverse futility: a node whose evaluation is far above beta is cut without a search.
    group reverse_futility: ReverseFutility {
        /// Reverse futility on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=16 step 1,
        /// How far above beta the evaluation must be, per ply of depth left (centipawns).
        margin: i32 in 20..=200 step 8,
        /// How much less suffices when the evaluation is improving (centipawns).
        improving: i32 in 0..=200 step 8,
        /// How much more it must be in a node that was once on the line of best play (centipawns).
        former_principal: i32 in 0..=600 step 30,
    }

    /// Razoring: a node whose evaluation is hopelessly below alpha is left to quiescence.
    group razoring: Razoring {
        /// Razoring on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=8 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 in 0..=600 step 25,
        /// How much further below per ply of depth left (centipawns).
        margin: i32 in 50..=600 step 25,
    }

    /// Null move: a node that stays above beta even if the mover passes is cut (Kornilov after p.
    /// 142, null move). Its reduction is the book's with reduction_base 300, depth_share 143 and
    /// evaluation_max 0.
    group null_move: NullMove {
        /// Null move on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 1..=8 step 1,
        /// Reduction of the search after the pass (hundredths of a ply).
        reduction_base: i32 in 100..=800 step 30,
        /// Further reduction per ply of depth left (thousandths of a ply).
        depth_share: i32 in 100..=600 step 25,
        /// Evaluation above beta per further ply of reduction (centipawns).
        evaluation_divisor: i32 in 50..=500 step 25,
        /// Greatest reduction for evaluation above beta (plies).
        evaluation_max: i32 in 0..=6 step 1,
        /// How far below beta the evaluation without the table's help may be (centipawns).
        evaluation_slack: i32 in -100..=300 step 20,
        /// How much further below per ply of depth left (centipawns).
        evaluation_margin: i32 in 0..=40 step 3,
        /// Least depth left from which on a cut must be confirmed without passing (plies).
        verification_depth_min: i32 in 6..=60 step 3,
    }

    /// Internal reduction: a node without a table move is searched less deeply, to find that move
    /// first.
    group internal_reduction: InternalReduction {
        /// Internal reduction on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 2..=10 step 1,
        /// How much less deeply (plies).
        plies: i32 in 1..=4 step 1,
        /// A result of the table that is this much shallower than the node counts as none (plies).
        table_depth_margin: i32 in 1..=20 step 1,
        /// Also nodes that are expected to fail low.
        all_nodes: Switch,
    }

    /// Hindsight: a node that was reached by a reduced move is searched as deeply as the evaluations
    /// before and after the move suggest.
    group hindsight: Hindsight {
        /// Hindsight on or off.
        enabled: Switch,
        /// Least reduction of the move after which a node that is no better for the mover than he
        /// thought is searched one ply deeper (plies).
        deeper_min: i32 in 1..=6 step 1,
        /// Least reduction of the move after which a node is searched one ply less deeply if both
        /// evaluations are good for their mover (plies).
        shallower_min: i32 in 1..=6 step 1,
        /// Sum of the two evaluations for that (centipawns).
        shallower_sum: i32 in 0..=400 step 20,
    }

    /// ProbCut: a node is cut when a capture stays far above beta in a shallower search.
    group prob_cut: ProbCut {
        /// ProbCut on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 3..=12 step 1,
        /// How far above beta (centipawns).
        margin: i32 in 40..=400 step 20,
        /// How much less far when the evaluation is improving (centipawns).
        improving: i32 in 0..=200 step 15,
        /// How much shallower than the node (plies).
        reduction: i32 in 2..=8 step 1,
    }

    /// Late-move pruning: after many quiet moves without success the rest is skipped.
    group late_move_pruning: LateMovePruning {
        /// Late-move pruning on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=16 step 1,
        /// Moves always tried.
        base: i32 in 1..=12 step 1,
        /// Further moves per squared ply of depth left (hundredths of a move).
        margin: i32 in 20..=300 step 15,
        /// Share of these moves that is tried when the evaluation is not improving (percent).
        worsening_share: i32 in 10..=100 step 5,
        /// Quiet moves that give check are tried nevertheless.
        spares_checks: Switch,
    }

    /// Futility: quiet moves are skipped when the evaluation is too far below alpha for them to
    /// matter; the first one that is ends all those to come that give no check.
    group futility: Futility {
        /// Futility on or off.
        enabled: Switch,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 in 1..=16 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 in 0..=300 step 15,
        /// How much further below per ply of depth left after reduction (centipawns).
        margin: i32 in 20..=250 step 10,
        /// The first move so skipped ends checks, too.
        ends_quiets: Switch,
    }

    /// Noisy futility: captures are skipped whose gain leaves the evaluation too far below alpha.
    group noisy_futility: NoisyFutility {
        /// Noisy futility on or off.
        enabled: Switch,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 in 1..=12 step 1,
        /// What a capture may bring beyond its gain (centipawns).
        base: i32 in 0..=500 step 25,
        /// How much more per ply of depth left after reduction (centipawns).
        margin: i32 in 20..=400 step 20,
        /// How much more per ten thousand points of history (centipawns).
        history: i32 in 0..=200 step 10,
    }

    /// History pruning: quiet moves that failed nearly always before are skipped.
    group history_pruning: HistoryPruning {
        /// History pruning on or off.
        enabled: Switch,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 in 1..=10 step 1,
        /// How bad the history must be, per ply of depth left after reduction (points).
        margin: i32 in 500..=10000 step 500,
    }

    /// Exchange pruning: moves that lose too much material by exchanges are skipped.
    group exchange_pruning: ExchangePruning {
        /// Exchange pruning on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=16 step 1,
        /// Loss allowed to a quiet move per ply of depth left after reduction (centipawns).
        quiet_margin: i32 in 10..=200 step 10,
        /// Loss allowed to a noisy move per ply of depth left (centipawns).
        noisy_margin: i32 in 10..=300 step 10,
    }

    /// Singular extension: a table move far better than all others is searched deeper (Kornilov p.
    /// 111, and an article on the single reply).
    group singular_extension: SingularExtension {
        /// Singular extension on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 4..=14 step 1,
        /// How much shallower than the node the table's result may be (plies).
        table_depth_margin: i32 in 0..=8 step 1,
        /// How far below the table value all others must stay, per ply of depth (hundredths of a
        /// centipawn).
        margin: i32 in 20..=600 step 25,
        /// Depth at which the others are searched, as a share of the depth after a move (percent).
        verification_share: i32 in 20..=80 step 5,
        /// How much further below for a second ply of extension (centipawns).
        double_margin: i32 in 0..=100 step 5,
        /// How much less deeply a table move is searched that fails high and is not alone in it
        /// (plies).
        reduction: i32 in 0..=3 step 1,
        /// How much further below for a third ply of extension (centipawns).
        triple_margin: i32 in 0..=400 step 20,
        /// Most plies by which one move is extended.
        plies_max: i32 in 1..=3 step 1,
        /// More margin per ply of depth in zero-window nodes that were on the line of best play
        /// (hundredths of a centipawn).
        former_principal_margin: i32 in 0..=300 step 20,
        /// Most extensions by two plies or more in one line (number).
        double_max: i32 in 0..=40 step 2,
        /// How much less deeply a table move is searched that is not alone, where a cutoff is
        /// expected (plies).
        cut_reduction: i32 in 0..=3 step 1,
    }

    /// Check extension: a move that gives check is searched one ply deeper (Kornilov p. 108).
    group check_extension: CheckExtension {
        /// Check extension on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 1..=12 step 1,
        /// Only checks that lose nothing by exchanges.
        safe_only: Switch,
    }

    /// Limit of extensions: far beyond the depth asked for, no line grows longer (Kornilov p. 108).
    group extension_limit: ExtensionLimit, sound {
        /// Plies from the root up to which moves are extended, per ply of the iteration's depth.
        ply_factor: i32 in 1..=4 step 1,
    }

    /// Late-move reduction: moves late in the order are searched less deeply until they prove good.
    group late_move_reduction: LateMoveReduction {
        /// Late-move reduction on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 2..=6 step 1,
        /// First move that is reduced in zero-window nodes (number of the move).
        move_min: i32 in 2..=8 step 1,
        /// First move that is reduced in principal nodes (number of the move).
        principal_move_min: i32 in 2..=8 step 1,
        /// Constant part for quiet moves (hundredths of a ply).
        quiet_base: i32 in 0..=200 step 10,
        /// ln(depth) · ln(move number) per ply of reduction of quiet moves (hundredths).
        quiet_divisor: i32 in 100..=500 step 20,
        /// Constant part for noisy moves (hundredths of a ply).
        noisy_base: i32 in -100..=150 step 10,
        /// ln(depth) · ln(move number) per ply of reduction of noisy moves (hundredths).
        noisy_divisor: i32 in 100..=600 step 20,
        /// Less in principal nodes (hundredths of a ply).
        principal: i32 in 0..=250 step 15,
        /// More where a cutoff is expected (hundredths of a ply).
        cut: i32 in 0..=300 step 15,
        /// More when the evaluation is not improving (hundredths of a ply).
        worsening: i32 in 0..=200 step 15,
        /// Less for killers (hundredths of a ply).
        killer: i32 in 0..=250 step 15,
        /// Less for moves that give check (hundredths of a ply).
        check: i32 in 0..=250 step 15,
        /// History points that make one ply less.
        history_divisor: i32 in 2000..=30000 step 1000,
        /// Less in nodes that were once on the line of best play (hundredths of a ply).
        former_principal: i32 in 0..=250 step 15,
        /// More for quiet moves where the table's move is noisy (hundredths of a ply).
        noisy_table_move: i32 in 0..=250 step 15,
        /// More where many siblings of the answers failed high already (hundredths of a ply).
        many_cutoffs: i32 in 0..=250 step 15,
        /// How many of them are many (number).
        cutoffs_min: i32 in 1..=12 step 1,
        /// History points of a noisy move that make one ply less.
        noisy_history_divisor: i32 in 2000..=60000 step 2000,
        /// Most plies by which history makes it more or less (hundredths of a ply).
        history_max: i32 in 50..=1000 step 40,
        /// How much of history's part counts in the depth by which moves are pruned (percent).
        pruning_share: i32 in 0..=200 step 15,
    }

    /// Second look: how a move is searched again that proved better than expected.
    group second_look: SecondLook {
        /// Second looks with a depth and a bonus of their own, on or off.
        enabled: Switch,
        /// How far above the best move so far a value must be for one ply more (centipawns).
        deeper_margin: i32 in 10..=300 step 15,
        /// How little above it for one ply less (centipawns).
        shallower_margin: i32 in 0..=60 step 4,
        /// Bonus of a move that failed high again, and penalty of one that did not, as a share of
        /// that for a refutation (percent).
        bonus_share: i32 in 0..=200 step 20,
    }

    /// Raised alpha: once a move on the line of best play has proved better than hoped for, the moves
    /// after it are searched less deeply.
    group raised_alpha: RaisedAlpha {
        /// Less depth after a better move on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 2..=12 step 1,
        /// Greatest depth left (plies).
        depth_max: i32 in 2..=24 step 1,
    }

    /// Inherited line: a node that fails low below one which was once on the line of best play is
    /// remembered as if it had been there, too.
    group inherited_line: InheritedLine, sound {
        /// Inheritance on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 1..=12 step 1,
    }

    /// Blending: a bound above beta is drawn towards beta, since the more it says the less sure it
    /// is.
    group blending: Blending {
        /// Blending on or off.
        enabled: Switch,
        /// Share of beta where the evaluation alone is enough in quiescence (percent).
        stand_pat: i32 in 0..=100 step 10,
        /// Share of beta in reverse futility (percent).
        reverse_futility: i32 in 0..=100 step 10,
        /// Weight of beta against each ply of depth searched (percent).
        search: i32 in 0..=400 step 25,
    }

    /// Killers: quiet moves that refuted a sibling are tried early (Kornilov after p. 142, killer).
    group killer: Killer, sound {
        /// Killers on or off.
        enabled: Switch,
    }

    /// Counter move: the quiet move that last refuted the opponent's move is tried early.
    group counter_move: CounterMove, sound {
        /// Counter moves on or off.
        enabled: Switch,
    }

    /// Quiet history: quiet moves are ordered by their success anywhere in the tree (Kornilov after
    /// p. 142, history).
    group quiet_history: QuietHistory, sound {
        /// Quiet history on or off.
        enabled: Switch,
        /// Whether moves from and to attacked squares have a history of their own.
        by_threats: Switch,
    }

    /// Capture history: noisy moves are ordered by their success as well as by gain.
    group capture_history: CaptureHistory, sound {
        /// Capture history on or off.
        enabled: Switch,
    }

    /// Structure history: quiet moves are ordered by their success in positions of the same pawn
    /// structure.
    group structure_history: StructureHistory, sound {
        /// Structure history on or off.
        enabled: Switch,
        /// How much it counts against quiet history (percent).
        share: i32 in 0..=200 step 15,
    }

    /// Continuation history: quiet moves are ordered by their success after the moves one, two,
    /// four and six plies before.
    group continuation_history: ContinuationHistory, sound {
        /// Continuation history on or off.
        enabled: Switch,
        /// How much that after the last move counts against quiet history (percent).
        share_1: i32 in 0..=200 step 15,
        /// How much that after the move two plies before counts (percent).
        share_2: i32 in 0..=200 step 15,
        /// How much that after the move four plies before counts (percent).
        share_4: i32 in 0..=200 step 15,
        /// How much that after the move six plies before counts (percent).
        share_6: i32 in 0..=200 step 15,
    }

    /// What all histories learn from a move that refutes its node.
    group history: History, sound {
        /// Bonus for a success, per ply of depth left (points).
        bonus_margin: i32 in 20..=500 step 20,
        /// What is taken off the bonus (points).
        bonus_base: i32 in 0..=400 step 20,
        /// Greatest bonus (points).
        bonus_max: i32 in 400..=4000 step 150,
        /// Penalty for moves tried before the successful one, as a share of its bonus (percent).
        penalty: i32 in 20..=200 step 10,
    }

    /// Prior move: the opponent's quiet move that led to a node where all fails low has done well.
    group prior_move: PriorMove, sound {
        /// Bonus of the prior move on or off.
        enabled: Switch,
        /// Its bonus as a share of that of a refutation (percent).
        bonus_share: i32 in 0..=200 step 20,
    }

    /// Evaluation history: a quiet move after which its mover stands better gains at once.
    group evaluation_history: EvaluationHistory, sound {
        /// Evaluation history on or off.
        enabled: Switch,
        /// Points per centipawn gained.
        weight: i32 in 0..=40 step 2,
        /// What the right to move adds to both evaluations together, so that a move which changes
        /// nothing gains nothing (centipawns).
        tempo: i32 in 0..=120 step 8,
        /// Greatest bonus (points).
        bonus_max: i32 in 100..=3000 step 150,
    }

    /// Order of noisy moves (Kornilov pp. 61-65).
    group ordering: Ordering, sound {
        /// Weight of a centipawn of gain against a point of capture history (points).
        gain_weight: i32 in 1..=100 step 4,
        /// Loss by exchanges that still counts as a good move (centipawns).
        exchange_margin: i32 in 0..=200 step 10,
    }

    /// Quiescence: leaves are searched on until no noisy move helps; off, they are just evaluated
    /// (Kornilov p. 104).
    group quiescence: Quiescence, sound {
        /// Quiescence on or off.
        enabled: Switch,
    }

    /// Quiet evasions: in quiescence only the first quiet answers to a check are tried.
    group quiescence_evasions: QuiescenceEvasions {
        /// The limit on or off.
        enabled: Switch,
        /// How many are tried (number).
        quiets_max: i32 in 1..=10 step 1,
    }

    /// Quiescence exchange: noisy moves that lose material by exchanges are skipped (Kornilov pp.
    /// 103-107).
    group quiescence_exchange: QuiescenceExchange, sound {
        /// Exchange pruning in quiescence on or off.
        enabled: Switch,
        /// Loss by exchanges that is still tried (centipawns).
        margin: i32 in 0..=200 step 10,
        /// Where nothing less lifts the evaluation to alpha, only moves that gain by exchanges are tried.
        must_gain: Switch,
    }

    /// Quiescence futility: noisy moves that cannot lift the evaluation to alpha are skipped
    /// (Kornilov pp. 103-107).
    group quiescence_futility: QuiescenceFutility, sound {
        /// Futility in quiescence on or off.
        enabled: Switch,
        /// What a move may bring beyond its material gain (centipawns).
        margin: i32 in 20..=500 step 20,
    }

    /// Time: the share of the clock for one move.
    group time: Time, sound {
        /// Moves for which the clock must last at the start of a game, when it does not say (moves).
        horizon: i32 in 10..=80 step 4,
        /// By how much these get less with each move of the game (hundredths of a move).
        horizon_fall: i32 in 0..=100 step 10,
        /// What they do not get less than (moves).
        horizon_least: i32 in 5..=80 step 2,
        /// Part of the coming increments that is counted on; the rest stays as a reserve (percent).
        increment_share: i32 in 0..=100 step 5,
        /// Moves beyond the coming ones whose overhead is kept in reserve (moves).
        overhead_reserve: i32 in 0..=10 step 1,
        /// Usual share of the fair portion of the clock (percent).
        soft_share: i32 in 30..=200 step 10,
        /// Most that one move may take, in usual shares (percent).
        hard_share: i32 in 100..=1000 step 50,
        /// Most of the remaining clock that one move may take (percent).
        clock_share: i32 in 10..=90 step 5,
    }

    /// Stability: an answer that has stayed the same for several iterations saves time.
    group time_stability: TimeStability, sound {
        /// Saving by stability on or off.
        enabled: Switch,
        /// Saving per iteration in which the answer stayed the same (percent of the usual share).
        margin: i32 in 0..=15 step 1,
        /// Iterations that neither save nor cost time; an answer that stayed for fewer costs more.
        iterations_neutral: i32 in 0..=10 step 1,
        /// Iterations after which more of them save nothing more.
        iterations_max: i32 in 2..=20 step 1,
    }

    /// Node share: an answer that took most of the nodes saves time, one that took few costs more.
    group time_node_share: TimeNodeShare, sound {
        /// Saving by node share on or off.
        enabled: Switch,
        /// Usual share used by an answer that took no node at all (percent).
        base: i32 in 100..=300 step 15,
        /// How much less for an answer that took all nodes (percent).
        margin: i32 in 0..=200 step 10,
        /// Least of the usual share that is used (percent).
        least: i32 in 1..=100 step 5,
    }

    /// Falling score: an answer that turns out worse than it seemed costs more time.
    group time_falling_score: TimeFallingScore, sound {
        /// More time for a falling score, on or off.
        enabled: Switch,
        /// How much more per ten centipawns that the score has fallen since the iteration before
        /// the last (percent).
        margin: i32 in 0..=60 step 4,
        /// Most that it makes of the usual share (percent).
        most: i32 in 100..=400 step 20,
    }
}
