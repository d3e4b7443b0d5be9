//! The JSON by which weather-factory is told what SPSA tunes:
//! `{"NAME": {"value": 100, "min_value": 50, "max_value": 150, "step": 10}, …}`.
//!
//! All its numbers are whole; a value between two of them, as a run under way has, is kept. Its
//! `step` is taken for the perturbation at the end of a run, which both forms recommend to be two
//! or three Elo, and its gain, which weather-factory has in another file, is
//! [`super::RATE`]. Names keep their order.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::names::{BadTunables, Names};
use super::tunable::{RATE, Tunable};

/// Reads the JSON.
///
/// # Errors
/// [`BadTunables`] with the line at which it is wrong.
pub fn parse(text: &str, source_name: &str) -> Result<Vec<Tunable>, BadTunables> {
    let bad = |line, reason| BadTunables { source_name: source_name.to_string(), line, reason };
    let Config(tunables) = serde_json::from_str(text).map_err(|error| {
        // The line stands in front.
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text).to_string();
        bad(error.line().max(1), reason)
    })?;
    if tunables.is_empty() {
        return Err(bad(1, "there is no number in it".to_string()));
    }
    Ok(tunables)
}

/// The JSON of these numbers. Others than whole ones are not known there, and are left out.
pub fn write(tunables: &[Tunable]) -> String {
    let mut entries = Vec::new();
    for tunable in tunables.iter().filter(|tunable| tunable.is_whole) {
        let entry = Entry {
            value: tunable.value,
            min_value: tunable.low,
            max_value: tunable.high,
            step: tunable.step,
        };
        let name = serde_json::Value::from(tunable.name.as_str());
        entries.push(format!("    {name}: {entry}"));
    }
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}

/// One number as the JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Numbers print without ".0" where they are whole, as people write them.
        let Entry { value, min_value, max_value, step } = self;
        writeln!(f, "{{")?;
        writeln!(f, "        \"value\": {value},")?;
        writeln!(f, "        \"min_value\": {min_value},")?;
        writeln!(f, "        \"max_value\": {max_value},")?;
        writeln!(f, "        \"step\": {step}")?;
        write!(f, "    }}")
    }
}

/// All numbers in the order of the file, which a map would lose, as it would lose that a name is
/// there twice.
struct Config(Vec<Tunable>);

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Config, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Config;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with an entry for each number")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Config, A::Error> {
        let mut tunables = Vec::new();
        let mut names = Names::default();
        while let Some(name) = map.next_key::<String>()? {
            names.take(&name).map_err(Error::custom)?;
            let entry: Entry = map.next_value()?;
            let tunable = Tunable {
                name,
                is_whole: true,
                value: entry.value,
                low: entry.min_value,
                high: entry.max_value,
                step: entry.step,
                rate: RATE,
            };
            let checked = tunable.check();
            checked.map_err(|reason| Error::custom(format!("{}: {reason}", tunable.name)))?;
            tunables.push(tunable);
        }
        Ok(Config(tunables))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_is_read_and_written_back_in_its_order() {
        let text = r#"{
    "Zeta": {
        "value": 100,
        "min_value": 50,
        "max_value": 150,
        "step": 10
    },
    "Alpha \"x\"": {
        "value": -3.25,
        "min_value": -8,
        "max_value": 0,
        "step": 0.5
    }
}
"#;
        let tunables = parse(text, "file").expect("good JSON");
        assert_eq!((tunables[0].name.as_str(), tunables[0].step), ("Zeta", 10.0));
        assert_eq!((tunables[1].name.as_str(), tunables[1].value), ("Alpha \"x\"", -3.25));
        assert_eq!(write(&tunables), text);
    }

    #[test]
    fn each_damage_has_its_message() {
        let good = r#""min_value": 0, "max_value": 2, "step": 1}"#;
        for (text, line, message) in [
            ("{}".to_string(), 1, "there is no number in it"),
            ("{\n".to_string(), 2, "EOF while parsing an object"),
            ("{\n\"A\": 5}".to_string(), 2, "invalid type: integer `5`, expected struct Entry"),
            (format!("{{\"A\": {{{good}}}"), 1, "missing field `value`"),
            (format!("{{\"A\": {{\"value\": \"1\", {good}}}"), 1, "expected f64"),
            (
                format!("{{\"A\": {{\"value\": 1, \"speed\": 1, {good}}}"),
                1,
                "unknown field `speed`",
            ),
            (format!("{{\"A\": {{\"value\": 3, {good}}}"), 1, "A: its value 3 is not from 0 to 2"),
            (format!("{{\n\"A\": {{\"value\": 1, {good},\n\"a\": 1}}"), 3, "a is there twice"),
            (format!("{{\"A\": {{\"value\": 1, {good}}} more"), 1, "trailing characters"),
            (format!("{{\" \": {{\"value\": 1, {good}}}"), 1, "\" \" is no name of an option"),
            (
                "{\"A\": {\"value\": 1, \"min_value\": 2, \"max_value\": 0, \"step\": 1}}".into(),
                1,
                "A: its lowest value 2 is not below its highest, 0",
            ),
            (
                "{\"A\":\n{\"value\": 1, \"min_value\": 0, \"max_value\": 2, \"step\": 0}}".into(),
                2,
                "A: its step 0 is not above 0",
            ),
        ] {
            let error = parse(&text, "config.json").expect_err(&text).to_string();
            assert!(error.starts_with(&format!("config.json:{line}: ")), "{error}");
            assert!(error.contains(message), "{error} for {text}");
        }
    }
}
