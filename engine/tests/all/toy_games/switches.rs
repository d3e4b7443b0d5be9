//! What each switch of the search may do to the value of a small game: nothing, nothing once the game
//! is searched to its end, or something, and why.

use chess::Margins;

/// Techniques that change the order or the number of visits, never the value.
pub const HARMLESS: [&str; 29] = [
    "aspiration.enabled",
    "root_order.enabled",
    "mate_distance.enabled",
    "upcoming_repetition.enabled",
    "killer.enabled",
    "counter_move.enabled",
    "quiet_history.enabled",
    "quiet_history.by_threats",
    "structure_history.enabled",
    "capture_history.enabled",
    "continuation_history.enabled",
    "prior_move_bonus.enabled",
    "evaluation_history.enabled",
    "correction_history.enabled",
    "fail_high_blend.enabled",
    "inherited_line.enabled",
    "time_stability.enabled",
    "time_node_share.enabled",
    "time_falling_score.enabled",
    "negascout.enabled",
    "negascout.first_move",
    "mtd.enabled",
    "mtd.bisects",
    "last_mover_first.enabled",
    "lightest_attacker.enabled",
    "quiet_lists.enabled",
    "piece_order.enabled",
    "piece_order.light_first",
    "piece_order.retreats_last",
];

/// Methods that search some lines deeper or keep results elsewhere: where games are searched to their
/// end, they change nothing either.
pub const HARMLESS_AT_THE_END: [&str; 20] = [
    "table.enabled",
    "table_cutoff.enabled",
    "quiescence.enabled",
    "check_extension.enabled",
    "check_extension.safe_only",
    "two_tables.enabled",
    "line_repetition.enabled",
    "internal_deepening.enabled",
    "quiescence_cap.enabled",
    "forced_checks.enabled",
    "single_reply.enabled",
    "single_reply.by_material",
    "recapture_extension.enabled",
    "capture_extension.enabled",
    "pawn_extension.enabled",
    "queen_approach.enabled",
    "king_safety_extension.enabled",
    "score_change_extension.enabled",
    "fractional_extension.enabled",
    "principal_tree.enabled",
];

const CUTS_NODES: &str = "an evaluation answers for a node that was not searched";
const SKIPS_MOVES: &str = "a move is taken for bad that was not searched";
const SEARCHES_LESS: &str = "a line is searched less deep than it was asked";
const RULES_OF_CUTS: &str = "it says where another method cuts, and so what is not searched";

/// Methods that may change the value, each with the reason.
const CHANGES: [(&str, &str); 38] = [
    ("reverse_futility.enabled", CUTS_NODES),
    ("razoring.enabled", CUTS_NODES),
    ("null_move.enabled", "a pass is taken for the worst of moves, which it need not be"),
    ("internal_reduction.enabled", SEARCHES_LESS),
    ("internal_reduction.all_nodes", SEARCHES_LESS),
    ("hindsight.enabled", SEARCHES_LESS),
    ("prob_cut.enabled", SEARCHES_LESS),
    ("late_move_pruning.enabled", SKIPS_MOVES),
    ("late_move_pruning.spares_checks", SKIPS_MOVES),
    ("futility.enabled", SKIPS_MOVES),
    ("futility.ends_quiets", SKIPS_MOVES),
    ("noisy_futility.enabled", SKIPS_MOVES),
    ("history_pruning.enabled", SKIPS_MOVES),
    ("exchange_pruning.enabled", SKIPS_MOVES),
    ("singular_extension.enabled", "several moves above beta at less depth are taken for a cutoff"),
    ("late_move_reduction.enabled", SEARCHES_LESS),
    ("lmr_research.enabled", SEARCHES_LESS),
    ("reduce_after_alpha.enabled", SEARCHES_LESS),
    ("quiescence_evasions.enabled", SKIPS_MOVES),
    ("quiescence_exchange.enabled", SKIPS_MOVES),
    ("quiescence_exchange.must_gain", SKIPS_MOVES),
    ("quiescence_futility.enabled", SKIPS_MOVES),
    ("null_move_rules.enabled", RULES_OF_CUTS),
    ("null_move_rules.once", RULES_OF_CUTS),
    ("null_threat.enabled", "some nodes are searched deeper, but only where passes are tried"),
    ("frontier.enabled", CUTS_NODES),
    ("frontier.reduces", SEARCHES_LESS),
    ("static_search.enabled", CUTS_NODES),
    ("static_search.raises_alpha", "who moves may stand pat, though he must move"),
    ("static_search.spares_captures", RULES_OF_CUTS),
    ("static_search.spares_extended", RULES_OF_CUTS),
    ("static_search.spares_answers", RULES_OF_CUTS),
    ("static_search.dynamic", RULES_OF_CUTS),
    ("static_search.dynamic_strong", RULES_OF_CUTS),
    ("static_search.reduces", SEARCHES_LESS),
    ("static_search.sees_threats", RULES_OF_CUTS),
    ("lazy_eval.enabled", SEARCHES_LESS),
    ("internal_deepening.lazy_cut", CUTS_NODES),
];

#[test]
fn every_switch_is_in_one_list() {
    let changes = CHANGES.map(|(name, _)| name);
    let listed = [&HARMLESS[..], &HARMLESS_AT_THE_END, &changes].concat();
    let switches: Vec<String> =
        Margins::INFO.iter().filter(|info| info.is_switch()).map(|info| info.path()).collect();
    for switch in &switches {
        let count = listed.iter().filter(|name| *name == switch).count();
        assert_eq!(count, 1, "lists with {switch}");
    }
    assert_eq!(listed.len(), switches.len(), "a list has a name that is no switch");
    assert!(CHANGES.iter().all(|(_, reason)| !reason.is_empty()));
}
