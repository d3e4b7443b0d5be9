//! What each switch of the search may do to the value of a small game: nothing, nothing once the game
//! is searched to its end, or something, and why.

use chess::Margins;

/// Techniques that change the order or the number of visits, never the value.
pub const HARMLESS: [&str; 19] = [
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
];

/// Techniques that search some lines deeper or remember results: where games are searched to their end,
/// they change nothing either.
pub const HARMLESS_AT_THE_END: [&str; 5] = [
    "table.enabled",
    "table_cutoff.enabled",
    "quiescence.enabled",
    "check_extension.enabled",
    "check_extension.safe_only",
];

const CUTS_NODES: &str = "an evaluation answers for a node that was not searched";
const SKIPS_MOVES: &str = "a move is taken for bad that was not searched";
const SEARCHES_LESS: &str = "a line is searched less deep than it was asked";

/// Methods that may change the value, each with the reason.
const CHANGES: [(&str, &str); 22] = [
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
