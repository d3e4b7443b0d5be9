//! The search of the literature: one plain alpha-beta for learners, in which each method is a
//! switch and a page.
//!
//! With every switch off it is minimax. Begin with `node.rs`, which reads from top to bottom as a
//! list of methods, and open a method's file where the list names it: each has its rule, its
//! source, its numbers and its use. `drivers/` asks the root, `order/` sorts moves, `memory/`
//! remembers, `cuts/` leaves nodes and moves out, `extensions/` looks deeper, `quiescence/` plays
//! captures out.
//!
//! Terms. The root is the position that was asked about; `ply` is the distance from it, and `depth`
//! is what is left to search. A window has two ends, alpha and beta: a value above alpha is better
//! than what the mover has already, and one of beta or more is better than what the opponent
//! allows. Noisy moves change the balance at once, as captures do; all others are quiet.
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005). Files name
//! it Kornilov, with its printed pages; "after p. 142" is the part behind its pages on hash tables.
//! Numbers of a xiangqi program are those of a Chinese text on writing one in Java.

mod cuts;
mod drivers;
mod extensions;
mod game;
mod memory;
mod node;
mod order;
mod prelude;
mod quiescence;
mod running;

use bytemuck::Zeroable;
use parameters::{Declaration, table};

pub use drivers::iterative_deepening::search;
pub use game::{MoveTraits, TextbookGame};
pub use memory::table::Memory;

table! {
    /// Every method with its numbers, off unless a file names it.
    Methods {
        alpha_beta: drivers::alpha_beta::AlphaBeta,
        fail_soft: drivers::alpha_beta::FailSoft,
        iterative_deepening: drivers::iterative_deepening::IterativeDeepening,
        principal_line: drivers::principal_line::PrincipalLine,
        principal_variation: drivers::scout::PrincipalVariation,
        negascout: drivers::scout::NegaScout,
        aspiration: drivers::aspiration::Aspiration,
        mtd: drivers::mtd::Mtd,
        time: ::search::Time,
        ordering: order::captures::Ordering,
        last_mover_first: order::last_mover_first::LastMoverFirst,
        lightest_attacker: order::lightest_attacker::LightestAttacker,
        killer: order::killer::Killer,
        history: order::history::History,
        quiet_lists: order::quiet_lists::QuietLists,
        piece_order: order::piece_order::PieceOrder,
        principal_tree: order::principal_tree::PrincipalTree,
        table: memory::table::TableMethod,
        table_cutoff: memory::table::TableCutoff,
        two_tables: memory::table::TwoTables,
        line_repetition: memory::line_repetition::LineRepetition,
        frontier: cuts::frontier::Frontier,
        static_search: cuts::static_search::StaticSearch,
        razoring: cuts::razoring::Razoring,
        futility: cuts::futility::Futility,
        null_move: cuts::null_move::NullMove,
        null_move_rules: cuts::null_move_rules::NullMoveRules,
        null_threat: cuts::null_threat::NullThreat,
        lazy_eval: cuts::lazy_eval::LazyEval,
        internal_deepening: cuts::internal_deepening::InternalDeepening,
        extension_limit: extensions::ExtensionLimit,
        check_extension: extensions::check::CheckExtension,
        single_reply: extensions::single_reply::SingleReply,
        recapture_extension: extensions::recapture::RecaptureExtension,
        capture_extension: extensions::captures::CaptureExtension,
        pawn_extension: extensions::pawn::PawnExtension,
        queen_approach: extensions::queen_approach::QueenApproach,
        king_safety_extension: extensions::king_safety::KingSafetyExtension,
        score_change_extension: extensions::score_change::ScoreChangeExtension,
        fractional_extension: extensions::fractional::FractionalExtension,
        quiescence: quiescence::Quiescence,
        quiescence_futility: quiescence::captures::QuiescenceFutility,
        quiescence_exchange: quiescence::captures::QuiescenceExchange,
        quiescence_prize: quiescence::captures::QuiescencePrize,
        quiescence_cap: quiescence::cap::QuiescenceCap,
        forced_checks: quiescence::forced_checks::ForcedChecks,
        leaf_noise: quiescence::leaf_noise::LeafNoise,
    }
}

impl Methods {
    /// The numbers as they are declared, and every method off: minimax.
    pub fn declared() -> Methods {
        let mut methods = Methods::zeroed();
        for Declaration { first_cell, length, default, .. } in Methods::INFO {
            methods.cells_mut()[*first_cell..][..*length].fill(*default);
        }
        methods
    }
}
