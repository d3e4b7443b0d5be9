//! The options of an engine and what is set of them.

use std::collections::BTreeMap;

use foreign::{WIDTH, shown};
use uci::{OptionDeclaration, OptionKind, Protocol, Reply};

use crate::player::UciEngine;

/// Lines of an introduction that are looked at.
pub(super) const MOST_LINES: usize = 10_000;

/// The option by which an engine of several games is told which one is played.
pub const VARIANT: &str = "UCI_Variant";

/// An engine's introduction: its name and options.
#[derive(Debug, Default)]
pub struct Declared {
    /// Its own name (`id name`); empty if it does not say.
    name: String,
    options: Vec<OptionDeclaration>,
    protocol: Protocol,
}

impl Declared {
    /// Reads the lines between `uci` and `uciok`.
    pub fn new<'a>(lines: impl Iterator<Item = &'a str>) -> Declared {
        Declared::in_protocol(Protocol::Uci, lines)
    }

    /// Reads the lines between the first word of a protocol and its answer.
    pub fn in_protocol<'a>(protocol: Protocol, lines: impl Iterator<Item = &'a str>) -> Declared {
        let mut declared = Declared { protocol, ..Declared::default() };
        for line in lines {
            match protocol.parse_reply(line) {
                Some(Reply::Name(name)) => declared.name = shown(&name, WIDTH),
                Some(Reply::Option(option)) => declared.options.push(option),
                _ => {}
            }
        }
        declared
    }

    /// The engine's name, and its options with type, default and range as they are declared.
    pub fn introduction(&self) -> (String, BTreeMap<String, String>) {
        let told = |option: &OptionDeclaration| {
            let line = option.to_string();
            let prefix = format!("option name {} type ", option.name);
            (option.name.clone(), line.strip_prefix(&prefix).unwrap_or(&line).to_owned())
        };
        (self.name.clone(), self.options.iter().map(told).collect())
    }

    fn find(&self, name: &str) -> Option<&OptionDeclaration> {
        let name = match self.protocol {
            Protocol::Ucci { .. } if name.eq_ignore_ascii_case("Hash") => "hashsize",
            Protocol::Ucci { .. } if name.eq_ignore_ascii_case("OwnBook") => "usebook",
            _ => name,
        };
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Names that are wanted but not declared.
    pub fn unknown(&self, wanted: &BTreeMap<String, String>, hash: Option<usize>) -> Vec<String> {
        let names = wanted.keys().map(String::as_str).chain(hash.map(|_| "Hash"));
        names.filter(|name| self.find(name).is_none()).map(str::to_owned).collect()
    }

    /// The command that lets an engine list options beyond the ordinary ones, if it knows that one
    /// (`ListTuningOptions`, as Kamerton does) and has not listed all that is wanted.
    pub fn list_more(&self, wanted: &BTreeMap<String, String>) -> Option<String> {
        let option = self.find("ListTuningOptions")?;
        let is_lacking = !self.unknown(wanted, None).is_empty();
        is_lacking.then(|| self.set(&option.name, Some("true")))
    }

    /// A name that is not declared, with the one that may be meant.
    pub fn meant(&self, name: &str) -> String {
        let likeness =
            |known: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), known);
        let known = self.options.iter().map(|option| &option.name);
        let rated = known.map(|known| (likeness(&known.to_lowercase()), known));
        match rated.filter(|(likeness, _)| *likeness > 0.6).max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((_, known)) => format!("{name:?}, did you mean {known:?}?"),
            None => format!("{name:?}"),
        }
    }

    /// The commands that set the wanted options and the table's size in megabytes.
    ///
    /// Unless the user wants otherwise, pondering (where it is not to ponder) and the engine's own book
    /// are turned off and one thread is asked for, where an engine has another default: openings are the runner's business,
    /// and so is how many threads play at once.
    ///
    /// # Errors
    /// A value is not what the option takes, or the engine cannot ponder.
    pub fn choose(&self, engine: &UciEngine, hash: Option<usize>) -> Result<String, String> {
        let wanted = &engine.options;
        if engine.ponder && self.find("Ponder").is_none() {
            return Err("it has no option Ponder: it does not think in the opponent's time".into());
        }
        let hash = hash.map(|hash| ("Hash", hash.to_string()));
        let ponder = if engine.ponder { "true" } else { "false" };
        let habits = [("Ponder", ponder), ("OwnBook", "false"), ("Threads", "1")];
        let habits = habits.into_iter().filter(|(name, value)| self.is_other(name, value));
        let habits = habits.map(|(name, value)| (name, value.to_owned()));
        let is_wanted = |name: &str| wanted.keys().any(|key| key.eq_ignore_ascii_case(name));
        let own = hash.into_iter().chain(habits).filter(|(name, _)| !is_wanted(name));
        let wanted = wanted.iter().map(|(name, value)| (name.as_str(), value.clone()));
        self.commands(own.chain(wanted))
    }

    /// The commands that set options, without those that are not declared.
    ///
    /// # Errors
    /// A value is not what the option takes.
    pub fn commands<'a>(
        &self,
        options: impl Iterator<Item = (&'a str, String)>,
    ) -> Result<String, String> {
        let mut text = String::new();
        for (name, value) in options {
            let Some(option) = self.find(name) else { continue };
            let is_pressed = option.kind == OptionKind::Button && value.is_empty();
            let sent = option.accept((!is_pressed).then_some(value.as_str()))?;
            text += &self.set(&option.name, sent.as_deref());
        }
        Ok(text)
    }

    /// True if the option is there and is not so by default. One without a value that is known is left
    /// alone.
    fn is_other(&self, name: &str, value: &str) -> bool {
        self.find(name).is_some_and(|option| match &option.kind {
            OptionKind::Check { default } => default.to_string() != value,
            OptionKind::Spin { default, .. } => default.to_string() != value,
            OptionKind::Other { default, .. } => !default.is_empty() && default != value,
            _ => false,
        })
    }

    /// Remarks on odd declarations of options that are to be set: these take any text.
    pub fn remarks(&self, wanted: &BTreeMap<String, String>, hash: Option<usize>) -> Vec<String> {
        let names = wanted.keys().map(String::as_str).chain(hash.map(|_| "Hash"));
        let remark = |OptionDeclaration { name, kind }: &OptionDeclaration| {
            let OptionKind::Other { type_name, .. } = kind else { return None };
            let reason = match type_name.as_str() {
                "" => "has no type".to_owned(),
                "spin" => "is a spin without a range of whole numbers".to_owned(),
                other => format!("is of the type {other:?}, which UCI does not know"),
            };
            Some(format!("option {name:?} {reason}: its value is sent as it is"))
        };
        names.filter_map(|name| self.find(name)).filter_map(remark).collect()
    }

    /// The command that chooses another game than chess by its variant, where the engine has a choice
    /// and the user has not made it.
    ///
    /// # Errors
    /// The engine does not play it.
    pub fn variant(&self, game: &str, wanted: &BTreeMap<String, String>) -> Result<String, String> {
        let is_wanted = wanted.keys().any(|key| key.eq_ignore_ascii_case(VARIANT));
        let Some(option) = self.find(VARIANT).filter(|_| !is_wanted) else {
            return Ok(String::new());
        };
        match option.accept(Some(game)) {
            Ok(sent) => Ok(self.set(&option.name, sent.as_deref())),
            Err(_) => Err(format!("does not play {game}: its option {VARIANT} has no such value")),
        }
    }

    /// The command that turns Chess960 on or off; `None` if the engine does not know it.
    pub fn chess960(&self, on: bool) -> Option<String> {
        let option = self.find("UCI_Chess960")?;
        Some(self.set(&option.name, Some(if on { "true" } else { "false" })))
    }

    /// The commands that give the engine its random numbers for a game, if it asks for them by
    /// declaring `Seed` and `Stream` as texts, as `sprt fake-engine` does.
    pub fn random_stream(&self, seed: u64, stream: u64) -> String {
        let takes = |name| self.find(name).filter(|it| matches!(it.kind, OptionKind::Text { .. }));
        match (takes("Seed"), takes("Stream")) {
            (Some(_), Some(_)) => {
                let [seed, stream] = [seed, stream].map(|number| number.to_string());
                self.set("Seed", Some(&seed)) + &self.set("Stream", Some(&stream))
            }
            _ => String::new(),
        }
    }

    /// The command of UCCI that lets clocks count milliseconds, if the engine knows that.
    pub fn milliseconds(&self) -> Option<String> {
        let option = self.find("usemillisec")?;
        Some(self.set(&option.name, Some("true")))
    }

    /// The command that says that what follows has nothing to do with what was before; empty if the
    /// engine knows none.
    pub fn new_game(&self) -> String {
        match self.protocol {
            Protocol::Uci => "ucinewgame\n".to_owned(),
            Protocol::Ucci { .. } => {
                let option = self.find("newgame");
                option.map(|option| self.set(&option.name, None)).unwrap_or_default()
            }
        }
    }

    fn set(&self, name: &str, value: Option<&str>) -> String {
        let value = value.map(|value| if value.is_empty() { "<empty>" } else { value });
        self.protocol.set_option(name, value) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_game_than_chess_is_chosen_where_the_engine_has_a_choice() {
        let none = BTreeMap::new();
        let combo = "option name UCI_Variant type combo default chess var chess var Xiangqi";
        let declared = Declared::new([combo].into_iter());
        let chosen = "setoption name UCI_Variant value Xiangqi\n";
        assert_eq!(declared.variant("xiangqi", &none).as_deref(), Ok(chosen));
        let refused = declared.variant("breakthrough", &none).expect_err("it does not play that");
        assert!(refused.starts_with("does not play breakthrough"), "{refused}");
        let users = [("uci_variant".to_owned(), "minixiangqi".to_owned())].into();
        assert_eq!(declared.variant("xiangqi", &users).as_deref(), Ok(""));
        assert_eq!(Declared::default().variant("xiangqi", &none).as_deref(), Ok(""));
    }
}
