//! Options of other runners, and their names here.

/// A tip for a command line that was not understood, beside its error.
pub fn tip(words: &[String]) -> Option<String> {
    let is_tournament = match words.get(1).map(String::as_str) {
        Some("run") => false,
        Some("tournament") => true,
        _ => return None,
    };
    words.iter().enumerate().skip(2).find_map(|(index, word)| {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), words.get(index + 1).map(String::as_str)),
        };
        let tip = match (option, is_tournament) {
            ("--engine" | "--engines" | "--engine1" | "--engine2" | "--player", false) => {
                "say who is tested, and against whom: --candidate ./new --baseline ./old".to_owned()
            }
            ("--engine" | "--engines" | "--candidate" | "--baseline", true) => {
                "say who plays, once for each: --player ./one --player ./two".to_owned()
            }
            ("--games", false) => {
                let pairs = value.and_then(|games| games.parse::<u64>().ok());
                let pairs = pairs.map_or("N".to_owned(), |games| games.div_ceil(2).to_string());
                format!("games come in pairs, one with each color: --pairs {pairs} at most")
            }
            ("--games" | "--pairs", true) => {
                "in each round every pairing plays two games: --rounds N".to_owned()
            }
            _ => return None,
        };
        Some(format!("tip: {tip}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_runners_are_translated() {
        let tip = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            tip(&words).unwrap_or_default()
        };
        assert!(tip("sprt run --engine ./a").contains("--candidate ./new --baseline ./old"));
        assert!(tip("sprt run --engine=./a").contains("--candidate"));
        assert!(tip("sprt run --candidate a --games 201").contains("--pairs 101"));
        assert!(tip("sprt run --games=40").contains("--pairs 20"));
        assert!(tip("sprt run --games").contains("--pairs N"));
        assert!(tip("sprt tournament --engine a").contains("--player ./one"));
        assert!(tip("sprt tournament --pairs 5").contains("--rounds N"));
        for line in
            ["sprt run --candidate a --baseline b --pairs 5", "sprt check --engine a", "sprt"]
        {
            assert_eq!(tip(line), "");
        }
    }
}
