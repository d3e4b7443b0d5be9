//! The options an engine offers.

use std::fmt;

/// One `option name … type …` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// The option's name, which may hold spaces.
    pub name: String,
    /// Which values it takes.
    pub kind: OptionKind,
}

/// What an option takes, and what it is when nobody sets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `check`: true or false.
    Check {
        /// Value if not set.
        default: bool,
    },
    /// `spin`: a whole number in a range.
    Spin {
        /// Value if not set.
        default: i64,
        /// Smallest value that is accepted.
        low: i64,
        /// Largest value that is accepted.
        high: i64,
    },
    /// `combo`: one of several texts.
    Combo {
        /// Value if not set.
        default: String,
        /// All texts that are accepted.
        choices: Vec<String>,
    },
    /// `button`: something to do when pressed; it has no value.
    Button,
    /// `string`: any text, such as a path.
    Text {
        /// Value if not set.
        default: String,
    },
}

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

impl OptionDeclaration {
    /// Parses what follows the word `option`. None if it is not complete.
    pub(super) fn parse(text: &str) -> Option<OptionDeclaration> {
        let rest = text.trim().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_whitespace();
        let kind = match words.next()? {
            "check" => OptionKind::Check { default: default_text(rest) == "true" },
            "spin" => {
                let number = |word: &str| {
                    let mut words = rest.split_whitespace().skip_while(|&w| w != word);
                    words.nth(1)?.parse::<i64>().ok()
                };
                let (low, high) = (number("min")?, number("max")?);
                OptionKind::Spin { default: number("default").unwrap_or(low), low, high }
            }
            "combo" => {
                let choices: Vec<String> =
                    rest.split(" var ").skip(1).map(|choice| choice.trim().to_string()).collect();
                OptionKind::Combo { default: default_text(rest), choices }
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text { default: default_text(rest) },
            _ => return None,
        };
        Some(OptionDeclaration { name: name.trim().to_string(), kind })
    }

    /// Whether a value may be sent. Errors: what the option takes instead.
    pub fn check(&self, value: Option<&str>) -> Result<(), String> {
        let (expected, fits) = match &self.kind {
            OptionKind::Check { .. } => {
                ("`true` or `false`".to_string(), value.is_some_and(|v| parse_truth(v).is_some()))
            }
            OptionKind::Spin { low, high, .. } => {
                let number = value.and_then(|value| value.parse::<i64>().ok());
                let fits = number.is_some_and(|number| (*low..=*high).contains(&number));
                (format!("an integer from {low} to {high}"), fits)
            }
            OptionKind::Combo { choices, .. } => {
                let fits = value.is_some_and(|value| choices.iter().any(|choice| choice == value));
                (format!("one of {}", choices.join(", ")), fits)
            }
            OptionKind::Button => ("no value".to_string(), value.is_none_or(str::is_empty)),
            OptionKind::Text { .. } => ("a text".to_string(), value.is_some()),
        };
        if fits {
            return Ok(());
        }
        let found = value.map_or_else(|| "nothing".to_string(), |value| format!("`{value}`"));
        Err(format!("option {} takes {expected}, not {found}", self.name))
    }
}

/// `true` or `false`, in any case.
pub(super) fn parse_truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The text after `default`, up to the first choice of a combo.
fn default_text(rest: &str) -> String {
    let text = rest.split_once(" default").map_or("", |(_, text)| text);
    let text = text.split(" var ").next().unwrap_or("").trim();
    if text == EMPTY { String::new() } else { text.to_string() }
}

impl fmt::Display for OptionDeclaration {
    /// The line as the protocol has it, without a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, low, high } => {
                write!(f, "spin default {default} min {low} max {high}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}
