//! The comments behind moves.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is written behind each move.
#[derive(
    Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum MoveComments {
    /// As match runners do: +0.31/9 0.052s, n=5000
    #[default]
    Plain,
    /// As sites and databases read them: [%eval 0.31,9] [%clk 0:00:07.948] [%emt 0:00:00.052]
    Commands,
    /// Both, the plain ones first
    Both,
    /// No comments: moves and the result alone
    None,
}

impl MoveComments {
    /// True for what journals leave out: what all runs wrote before there was a choice.
    pub fn is_plain(&self) -> bool {
        *self == MoveComments::Plain
    }
}
