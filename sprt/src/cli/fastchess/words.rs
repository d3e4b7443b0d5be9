//! A command line of one-dash options, each with the words up to the next.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// A command line that is not taken: which word of it, and why.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{0}")]
pub struct Refused(pub String);

/// An option with its words: `KEY=VALUE` or bare ones. Other words are refused by name.
#[derive(Clone, Debug)]
pub struct Group {
    /// The option, with its dash.
    pub name: String,
    pairs: Vec<(String, String)>,
    bare: Vec<String>,
}

/// Options whose words are a text or a path, in which `=` is a letter like others.
const TEXTS: [&str; 3] = ["-event", "-site", "-tb"];

/// The keys that may come several times: an argument of an engine, as cutechess-cli has it, and a
/// pattern of lines.
const REPEATED: [&str; 2] = ["arg", "match_line"];

/// Splits a command line into its options.
///
/// # Errors
/// A word before the first option; a key that is given twice.
pub fn groups(words: &[String]) -> Result<Vec<Group>, Refused> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        let is_option = word.strip_prefix('-').is_some_and(|rest| {
            rest.trim_start_matches('-').starts_with(|letter: char| letter.is_ascii_alphabetic())
        });
        if is_option && !word.contains('=') {
            groups.push(Group { name: word.clone(), pairs: Vec::new(), bare: Vec::new() });
            continue;
        }
        let Some(group) = groups.last_mut() else {
            return Err(Refused(format!("{word:?}: an option with a dash comes first")));
        };
        match word.split_once('=').filter(|_| !TEXTS.contains(&group.name.as_str())) {
            Some((key, value)) => group.pairs.push((key.to_owned(), value.to_owned())),
            None => group.bare.push(word.clone()),
        }
    }
    for group in &groups {
        let mut keys = BTreeSet::new();
        for (key, _) in group.pairs.iter().filter(|(key, _)| !REPEATED.contains(&key.as_str())) {
            if !keys.insert(known_as(key)) {
                return Err(Refused(format!("{} {key}= is given twice", group.name)));
            }
        }
    }
    Ok(groups)
}

/// Names of UCI options do not differ by case, those of settings do.
fn known_as(key: &str) -> String {
    if key.starts_with("option.") { key.to_ascii_lowercase() } else { key.to_owned() }
}

impl Group {
    /// Gives this option the pairs of another, but for those that it has itself; of the key that may
    /// come several times it gets all.
    pub fn complete(&mut self, other: &Group) {
        let own: BTreeSet<String> = self.pairs.iter().map(|(key, _)| known_as(key)).collect();
        let is_missing = |key: &str| REPEATED.contains(&key) || !own.contains(&known_as(key));
        let missing = other.pairs.iter().filter(|(key, _)| is_missing(key));
        self.pairs.extend(missing.cloned());
        self.bare.extend(other.bare.iter().cloned());
    }

    /// Adds a key with its value.
    pub fn give(&mut self, key: &str, value: &str) {
        self.pairs.push((key.to_owned(), value.to_owned()));
    }

    /// Adds a key with its value unless the key is there.
    pub fn give_missing(&mut self, key: &str, value: &str) {
        if !self.pairs.iter().any(|(it, _)| it == key) {
            self.give(key, value);
        }
    }

    /// Adds a bare word behind the others.
    pub fn give_word(&mut self, word: &str) {
        self.bare.push(word.to_owned());
    }

    /// Takes all values of a key that may come several times.
    pub fn take_repeated(&mut self, key: &str) -> Vec<String> {
        std::iter::from_fn(|| self.take(key)).collect()
    }

    /// Takes all words, whatever they are.
    pub fn take_rest(&mut self) {
        self.pairs.clear();
        self.bare.clear();
    }

    /// Takes a bare word, wherever it stands; false if it is not there.
    pub fn take_this(&mut self, word: &str) -> bool {
        let index = self.bare.iter().position(|it| it == word);
        index.map(|index| self.bare.remove(index)).is_some()
    }

    /// Another name for a key, if it is there, which must not be there, too.
    pub fn unite(&mut self, key: &str, other: &str) -> Result<(), Refused> {
        let Some(value) = self.take(key) else { return Ok(()) };
        if self.pairs.iter().any(|(it, _)| it == other) {
            return Err(self.wrong(&format!("{key}={value}"), &format!("{other}= says the same")));
        }
        self.give(other, &value);
        Ok(())
    }

    /// Another name for a key, if it is there.
    pub fn rename(&mut self, key: &str, other: &str) {
        if let Some(value) = self.take(key) {
            self.give(other, &value);
        }
    }

    /// Makes a bare word a key that is true, if it is there.
    pub fn mark(&mut self, word: &str, key: &str) {
        if self.take_this(word) {
            self.give(key, "true");
        }
    }

    /// Takes the value of a key.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let index = self.pairs.iter().position(|(it, _)| it == key)?;
        Some(self.pairs.remove(index).1)
    }

    /// Takes all pairs whose keys begin so; the keys are without that.
    pub fn take_all(&mut self, prefix: &str) -> Vec<(String, String)> {
        let (taken, left) = std::mem::take(&mut self.pairs)
            .into_iter()
            .partition(|(key, _)| key.starts_with(prefix));
        self.pairs = left;
        let taken: Vec<(String, String)> = taken;
        taken.into_iter().map(|(key, value)| (key[prefix.len()..].to_owned(), value)).collect()
    }

    /// Takes the next bare word.
    pub fn take_word(&mut self) -> Option<String> {
        (!self.bare.is_empty()).then(|| self.bare.remove(0))
    }

    /// Takes a bare word that must be there.
    pub fn need_word(&mut self) -> Result<String, Refused> {
        let word = self.take_word();
        word.ok_or_else(|| Refused(format!("{}: a value is missing", self.name)))
    }

    /// Takes a value that must be there, of a key or bare.
    pub fn need(&mut self, key: &str) -> Result<String, Refused> {
        let value = self.take(key).or_else(|| self.take_word());
        value.ok_or_else(|| Refused(format!("{} {key}= is missing", self.name)))
    }

    /// Takes the number of a key, within bounds.
    pub fn number<T>(&mut self, key: &str, bounds: RangeInclusive<T>) -> Result<Option<T>, Refused>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.take(key) else { return Ok(None) };
        self.parsed(&format!("{key}={text}"), &text, bounds).map(Some)
    }

    /// Takes the bare number that is the option's value, within bounds.
    pub fn value<T>(&mut self, bounds: RangeInclusive<T>) -> Result<T, Refused>
    where
        T: FromStr + PartialOrd + Display,
    {
        let text = self.need_word()?;
        self.parsed(&text, &text, bounds)
    }

    fn parsed<T>(&self, shown: &str, text: &str, bounds: RangeInclusive<T>) -> Result<T, Refused>
    where
        T: FromStr + PartialOrd + Display,
    {
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| {
            let (low, high) = (bounds.start(), bounds.end());
            self.wrong(shown, &format!("a number from {low} to {high} is expected"))
        })
    }

    /// Takes `true` or `false`; missing is false.
    pub fn flag(&mut self, key: &str) -> Result<bool, Refused> {
        match self.take(key).as_deref() {
            Some("true") => Ok(true),
            None | Some("false") => Ok(false),
            Some(other) => Err(self.wrong(&format!("{key}={other}"), "true or false is expected")),
        }
    }

    /// An error about one of the option's words.
    pub fn wrong(&self, word: &str, reason: &str) -> Refused {
        Refused(format!("{} {word}: {reason}", self.name))
    }

    /// Ends the reading of the option.
    ///
    /// # Errors
    /// A word is left that nobody took.
    pub fn end(self) -> Result<(), Refused> {
        let pair = self.pairs.iter().map(|(key, value)| format!("{key}={value}")).next();
        match pair.or_else(|| self.bare.first().cloned()) {
            Some(word) => Err(self.wrong(&word, "this is not known here")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Vec<Group>, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        groups(&words).map_err(|error| error.0)
    }

    #[test]
    fn words_belong_to_the_option_before() {
        let groups = read("-engine cmd=a option.A=-5 -repeat 2 -recover --version -x -3").unwrap();
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["-engine", "-repeat", "-recover", "--version", "-x"]);
        let mut engine = groups[0].clone();
        assert_eq!(engine.take_all("option."), [("A".to_owned(), "-5".to_owned())]);
        assert_eq!(engine.take("cmd").as_deref(), Some("a"));
        engine.end().unwrap();
        assert_eq!(groups[1].clone().value(1..=9).unwrap(), 2);
        assert_eq!(groups[4].clone().take_word().as_deref(), Some("-3"));
        let mut event = read("-event Test nodes=1").unwrap().remove(0);
        assert_eq!([event.take_word(), event.take_word()].map(Option::unwrap), ["Test", "nodes=1"]);
        event.end().unwrap();
        assert_eq!(read("a -x").unwrap_err(), "\"a\": an option with a dash comes first");
        assert_eq!(read("-e a=1 a=2").unwrap_err(), "-e a= is given twice");
        assert_eq!(read("-e option.A=1 option.a=2").unwrap_err(), "-e option.a= is given twice");
    }

    #[test]
    fn what_nobody_takes_is_refused_by_name() {
        let mut group = read("-draw movenumber=x score=5 odd=1 word").unwrap().remove(0);
        let error = group.number("movenumber", 0..=100).unwrap_err().0;
        assert_eq!(error, "-draw movenumber=x: a number from 0 to 100 is expected");
        assert_eq!(group.number("score", 0..=100).unwrap(), Some(5));
        let error = group.flag("odd").unwrap_err().0;
        assert_eq!(error, "-draw odd=1: true or false is expected");
        assert_eq!(group.end().unwrap_err().0, "-draw word: this is not known here");
    }

    #[test]
    fn an_engine_has_its_own_word_before_that_of_all() {
        let groups = read("-engine cmd=a option.Hash=4 -each option.hash=8 tc=1+1").unwrap();
        let mut engine = groups[0].clone();
        engine.complete(&groups[1]);
        assert_eq!(engine.take_all("option."), [("Hash".to_owned(), "4".to_owned())]);
        assert_eq!(engine.take("tc").as_deref(), Some("1+1"));
    }
}
