//! The playing of games: one game with adjudication, one opening with both colors.

mod adjudication;
mod audit;
mod game;
mod pair;
mod settings;
mod tablebase;

pub use adjudication::Referee;
pub use audit::{AuditCounts, AuditTally, Bias, ErrorRate};
pub use game::{Entrant, Played, Stall, play_game, play_game_until};
pub use pair::{MOST_REPLAYS, ScheduledPair, play_pair};
pub use settings::{
    AUDIT_ALL, Adjudication, DrawRule, GameNumber, GameSettings, MemorySpan, ResignRule,
};
pub use tablebase::{Tablebase, TablebaseRule};
