//! Where positions can be analyzed.

use std::str::FromStr;

use serde::Serialize;

/// The address of a site that analyzes positions, with a place for the FEN.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AnalysisLink(String);

impl AnalysisLink {
    /// The placeholder of the FEN in an address.
    pub const PLACE: &str = "{fen}";
}

impl FromStr for AnalysisLink {
    type Err = String;

    /// Reads an address of the web in which [`AnalysisLink::PLACE`] stands once.
    fn from_str(text: &str) -> Result<AnalysisLink, String> {
        let is_web = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
        let is_plain = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        if is_web && is_plain && text.matches(AnalysisLink::PLACE).count() == 1 {
            return Ok(AnalysisLink(text.to_owned()));
        }
        Err("an address is expected that begins with https:// or http:// and has {fen} once where \
             the position goes, as in https://lichess.org/analysis/{fen}"
            .to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_with_one_place_are_taken() {
        for good in ["https://lichess.org/analysis/{fen}", "http://localhost:8000/?fen={fen}&x=1"] {
            assert_eq!(good.parse(), Ok(AnalysisLink(good.to_owned())));
        }
        for bad in [
            "",
            "https://a.b/",
            "https://a.b/{fen}{fen}",
            "javascript:alert('{fen}')",
            "/a/{fen}",
            "https://a.b/{fen} x",
        ] {
            assert!(bad.parse::<AnalysisLink>().is_err(), "{bad}");
        }
    }
}
