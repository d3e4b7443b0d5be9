//! The rules of a test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::{Design, Hypotheses};

use crate::run::PlayRules;

/// What decides the course of a test besides the contestants and the openings.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How games are played.
    pub play: PlayRules,
    /// Pairs after which the run ends.
    #[schemars(range(min = 1))]
    pub pairs: u64,
    /// End as soon as a hypothesis is accepted.
    pub early_stop: bool,
    /// What is tested.
    pub hypotheses: Hypotheses,
    /// When the test looks at the pairs, and how it stops.
    pub design: Design,
}
