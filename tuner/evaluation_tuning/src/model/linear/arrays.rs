//! Tuned values as source text, to be compiled into an engine.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::Values;
use super::ParameterFile;
use super::parameters::shown_values;

/// A language that values are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C: `static const int`.
    C,
    /// C++ from 2017 on: `inline constexpr int`.
    Cpp,
    /// Rust: `pub const`.
    Rust,
}

/// Macros of C's usual headers that look like constants.
const C_MACROS: &str = "BUFSIZ EDOM EOF ERANGE FILE NAN INFINITY NULL RAND_MAX";

/// Words of C++ that no constant may be called, and names that all of its programs have.
const CPP_WORDS: &str = "\
    EOF NULL alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char \
    char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast \
    consteval constexpr constinit continue decltype default delete do double dynamic_cast else \
    enum errno explicit export extern false float for friend goto if inline int long main mutable \
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register \
    reinterpret_cast requires return short signed sizeof static static_assert static_cast std \
    stderr stdin stdout struct switch template this thread_local throw true try typedef typeid \
    typename union unsigned using virtual void volatile wchar_t while xor xor_eq";

impl Language {
    /// The language of a file, by its ending; none if it is that of no language known here.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" | "h" => Some(Language::C),
            "cpp" | "hpp" | "cc" | "hh" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }

    /// Its name, and what no constant may be called.
    fn taken(self) -> (&'static str, &'static str) {
        match self {
            Language::C => ("C", C_MACROS),
            Language::Cpp => ("C++", CPP_WORDS),
            Language::Rust => ("Rust", "_"),
        }
    }

    /// The name of a term's constant.
    fn constant(self, term: &str) -> String {
        let name = term.replace('.', "_");
        if self == Language::Cpp { name } else { name.to_uppercase() }
    }

    /// Checks that the names of the numbers can be those of constants of this language.
    ///
    /// # Errors
    /// Two would have the same name, or one is a word of the language: which.
    pub fn check(self, file: &ParameterFile) -> Result<(), String> {
        let (language, words) = self.taken();
        let mut seen = BTreeMap::new();
        for term in &file.terms.0 {
            let constant = self.constant(&term.name);
            if words.split(' ').any(|word| word == constant) {
                return Err(format!("`{constant}` is a word of {language}: rename it"));
            }
            if let Some(other) = seen.insert(constant.clone(), &term.name) {
                return Err(format!("`{other}` and `{}` would both be {constant}", term.name));
            }
        }
        Ok(())
    }

    /// The values as constants of this language, a term each: an array of two for middlegame and
    /// endgame, and an array of cells for an array.
    pub fn source(self, file: &ParameterFile, values: &Values, notes: &str) -> String {
        let mut text: String = notes.lines().map(|line| format!("// {line}\n")).collect();
        let brackets = if self == Language::Rust { ['[', ']'] } else { ['{', '}'] };
        for term in &file.terms.0 {
            let value = shown_values(term, values, brackets);
            let name = self.constant(&term.name);
            let pair = if term.has_phases { "[2]" } else { "" };
            let array = if term.is_array { format!("[{}]", term.length) } else { String::new() };
            text += &match self {
                Language::C => {
                    format!("\nstatic const int {name}{array}{pair} = {value};\n")
                }
                Language::Cpp => format!("\ninline constexpr int {name}{array}{pair} = {value};\n"),
                Language::Rust => {
                    let cell = if term.has_phases { "[i32; 2]" } else { "i32" };
                    let kind = if term.is_array {
                        format!("[{cell}; {}]", term.length)
                    } else {
                        cell.to_string()
                    };
                    format!("\npub const {name}: {kind} = {value};\n")
                }
            };
        }
        text
    }
}
