//! Positions and games in binary records, as trainers of networks exchange them.

pub(super) mod bulletformat;
pub(super) mod viriformat;
