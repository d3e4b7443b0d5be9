//! The search's margins and switches, one block per technique in the order in which a node meets them.

use super::declare::margins;

margins! {
    /// Reverse futility: how far above beta the evaluation must be, per ply of depth left (centipawns).
    reverse_futility_margin: { 20..=200, step 8 }
    /// Reverse futility on or off.
    reverse_futility_enabled: { switch }
}
