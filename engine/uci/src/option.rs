//! The options an engine offers.

use std::fmt;

/// One `option name … type …` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// The option's name, which may hold spaces.
    pub name: String,
    /// The type of its values, with their range and default.
    pub kind: OptionKind,
}

/// An option's type, and its value when nobody sets it.
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
    /// A type beyond the protocol: a spin of fractions or without a range, or one that
    /// others have added. It takes any text.
    Other {
        /// The type as it was told; empty if there was none.
        type_name: String,
        /// Value if not set.
        default: String,
    },
}

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

impl OptionDeclaration {
    /// Parses what follows the word `option`. None if it names no option; what its type lacks makes it
    /// one of [`OptionKind::Other`].
    pub(super) fn parse(text: &str) -> Option<OptionDeclaration> {
        let rest = text.trim().strip_prefix("name")?;
        if !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let (name, rest) = parted_at_type(rest);
        let name = name.trim().to_string();
        (!name.is_empty()).then(|| OptionDeclaration { name, kind: parse_kind(rest.trim()) })
    }

    /// The value to send for one that a user wants, in the option's own spelling: texts of a combo match
    /// in any case, and a check takes `1`, `on` and `yes` for `true`. Errors: what the option takes.
    pub fn accept(&self, value: Option<&str>) -> Result<Option<String>, String> {
        let (expected, sent) = match &self.kind {
            OptionKind::Check { .. } => {
                let sent = value.and_then(parse_truth).map(|truth| truth.to_string());
                ("`true` or `false`".to_string(), sent.map(Some))
            }
            OptionKind::Spin { low, high, .. } => {
                let number = value.and_then(whole_number);
                let number = number.filter(|number| (*low..=*high).contains(number));
                (format!("an integer from {low} to {high}"), number.map(|it| Some(it.to_string())))
            }
            OptionKind::Combo { choices, .. } => {
                let fits = |value: &str| {
                    let same = choices.iter().find(|choice| *choice == value);
                    same.or_else(|| choices.iter().find(|it| it.eq_ignore_ascii_case(value)))
                };
                let sent = value.and_then(fits).cloned();
                (format!("one of {}", choices.join(", ")), sent.map(Some))
            }
            OptionKind::Button => {
                ("no value".to_string(), value.is_none_or(str::is_empty).then_some(None))
            }
            OptionKind::Text { .. } | OptionKind::Other { .. } => {
                ("a text".to_string(), value.map(|value| Some(value.to_string())))
            }
        };
        sent.ok_or_else(|| {
            let found = value.map_or_else(|| "nothing".to_string(), |value| format!("`{value}`"));
            format!("option {} takes {expected}, not {found}", self.name)
        })
    }
}

/// A whole number; decimals may follow that say nothing, as in `64.0`.
pub fn whole_number(text: &str) -> Option<i64> {
    let text = text.trim();
    let is_nothing = |decimals: &str| decimals.bytes().all(|digit| digit == b'0');
    let parts = text.split_once('.').filter(|(_, decimals)| is_nothing(decimals));
    parts.map_or(text, |(whole, _)| whole).parse().ok()
}

/// The words of the protocol for types.
const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// Name and the rest behind the word `type`. A name may hold that word, too: one before a known type is
/// the one that is meant, or else the first.
fn parted_at_type(text: &str) -> (&str, &str) {
    let mut first = None;
    let mut rest = text;
    while let Some((before, after)) = parted(rest, "type") {
        let name = &text[..text.len() - rest.len() + before.len()];
        let next = after.split_whitespace().next().unwrap_or_default();
        if TYPES.contains(&next) {
            return (name, after);
        }
        first = first.or(Some((name, after)));
        rest = after;
    }
    first.unwrap_or((text, ""))
}

/// The texts before and after the first occurrence of a word between white space of any kind.
fn parted<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let mut begin = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let end = begin + piece.len();
        if piece.trim_end() == word {
            return Some((&text[..begin], &text[end..]));
        }
        begin = end;
    }
    None
}

/// Parses the text after the word `type`.
fn parse_kind(rest: &str) -> OptionKind {
    let (type_name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    // Where the value of `default` ends: texts may hold the words of other types.
    let default = |ends: &[&str]| {
        let text = parted(rest, "default").map_or("", |(_, text)| text);
        let cut = |text, end: &&str| parted(text, end).map_or(text, |(before, _)| before);
        let text = ends.iter().fold(text, cut).trim();
        if text == EMPTY { String::new() } else { text.to_string() }
    };
    match type_name {
        "check" => return OptionKind::Check { default: parse_truth(&default(&[])) == Some(true) },
        "combo" => {
            let mut choices = Vec::new();
            let mut left = parted(rest, "var").map(|(_, left)| left);
            while let Some(text) = left {
                let next = parted(text, "var");
                choices.push(next.map_or(text, |(choice, _)| choice).trim().to_string());
                left = next.map(|(_, left)| left);
            }
            return OptionKind::Combo { default: default(&["var"]), choices };
        }
        "button" => return OptionKind::Button,
        "string" => return OptionKind::Text { default: default(&[]) },
        "spin" => {
            let number = |word| {
                let value = parted(rest, word)?.1.split_whitespace().next()?;
                Some(value.parse::<i64>())
            };
            if let (Some(Ok(low)), Some(Ok(high))) = (number("min"), number("max"))
                && let Ok(default) = number("default").unwrap_or(Ok(low))
            {
                return OptionKind::Spin { default, low, high };
            }
        }
        _ => {}
    }
    OptionKind::Other { type_name: type_name.to_string(), default: default(&["min", "max", "var"]) }
}

/// `true` or `false` and what else people write for them, in any case.
pub(super) fn parse_truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
    }
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
            OptionKind::Other { type_name, default } if default.is_empty() => {
                f.write_str(type_name)
            }
            OptionKind::Other { type_name, default } => write!(f, "{type_name} default {default}"),
        }
    }
}
