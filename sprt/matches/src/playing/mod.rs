//! The playing of games: one game with adjudication, one opening with both colors.

mod adjudication;
mod audit;
mod game;
mod pair;
mod tablebase;

pub use adjudication::{AUDIT_ALL, Adjudication, DrawRule, Referee, ResignRule};
pub use audit::{AuditCounts, AuditTally, Bias, ErrorRate};
pub use game::{
    Entrant, GameNumber, GameSettings, MemorySpan, Played, Stall, play_game, play_game_until,
};
pub use pair::{MOST_REPLAYS, PlayedPair, ScheduledPair, play_pair};
pub use tablebase::{DamagedTable, Tablebase, TablebaseError, TablebaseRule};
