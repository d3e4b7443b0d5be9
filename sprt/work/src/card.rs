//! The card of units: all that decides their answers beside number and order.

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The kind of work, identities of engines, rules, and hashes of files. It holds no path and no number of
/// threads, so that it is the same wherever a unit is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    digest: String,
}

impl Card {
    /// The card of a kind of work with this content.
    ///
    /// # Panics
    /// If the content cannot become JSON.
    pub fn new(kind: &str, content: &impl Serialize) -> Card {
        // Names are sorted: the order of fields decides nothing.
        let content: Value = serde_json::to_value(content).expect("plain data becomes JSON");
        let text = json!({ "kind": kind, "content": content }).to_string();
        Card { digest: hex::encode(&Sha256::digest(text)[..16]) }
    }

    /// The first 16 bytes of its SHA-256, in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_its_content_alone() {
        let digest = |kind: &str, content: Value| Card::new(kind, &content).digest().to_owned();
        let card = digest("pairs", json!({ "seed": 1, "nodes": 100 }));
        assert_eq!(digest("pairs", json!({ "nodes": 100, "seed": 1 })), card);
        assert_ne!(digest("pairs", json!({ "nodes": 101, "seed": 1 })), card);
        assert_ne!(digest("games", json!({ "nodes": 100, "seed": 1 })), card);
        assert_eq!(card.len(), 32);
    }
}
