//! The unit of a linear evaluation: which of its numbers is what, so that all others are in proportion.

use std::fmt::{self, Display};
use std::str::FromStr;

use command_line::WrongUse;

use crate::model::Values;
use crate::model::linear::ParameterFile;
use crate::model::terms::Terms;

/// Greatest value that a unit may have.
const VALUE_MAX: i32 = 10_000;

/// A number, and the value that it is to have.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    name: String,
    value: i32,
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Unit, String> {
        let (name, value) = text.split_once('=').ok_or("NAME=VALUE is expected, as pawn=100")?;
        match value.parse() {
            Ok(value) if (1..=VALUE_MAX).contains(&value) => {
                Ok(Unit { name: name.to_string(), value })
            }
            _ => Err(format!("a whole number from 1 to {VALUE_MAX} is expected behind {name}=")),
        }
    }
}

impl Display for Unit {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{} = {}", self.name, self.value)
    }
}

impl Unit {
    /// Cell and half of the number; the name alone of a number with two phases is its middlegame half.
    ///
    /// # Errors
    /// No number has this name, which lists some that are there.
    pub fn place(&self, parameters: &ParameterFile) -> Result<(usize, usize), WrongUse> {
        let ParameterFile { terms, .. } = parameters;
        let names = || terms.numbers().map(|(cell, half, _)| (cell, half));
        let is_named = |name: String| {
            name == self.name || name.strip_suffix(".middlegame") == Some(&self.name)
        };
        names().find(|&(cell, half)| is_named(terms.number_name(cell, half))).ok_or_else(|| {
            let alike = some_names(terms, &self.name);
            WrongUse(format!("--unit: no number is called {:?}; there are {alike}", self.name))
        })
    }

    /// The factor of all values where the number came out so.
    ///
    /// # Errors
    /// It came out as nothing, or below.
    pub fn factor(&self, found: f64) -> Result<f64, WrongUse> {
        if found > 0.5 {
            return Ok(f64::from(self.value) / found);
        }
        Err(WrongUse(format!(
            "--unit: {} comes out as {found:.2}, which can be no unit: name another number",
            self.name
        )))
    }

    /// The file with all values multiplied by this, and the number, which lies there, what it is to be.
    ///
    /// # Errors
    /// A value leaves its range.
    pub fn scaled(
        &self,
        parameters: &ParameterFile,
        factor: f64,
        place: (usize, usize),
    ) -> Result<ParameterFile, WrongUse> {
        let mut values = Values(parameters.values.0.clone());
        for (cell, half, (low, high)) in parameters.terms.numbers() {
            let value = &mut values.0[cell][half];
            *value = match (cell, half) == place {
                true => f64::from(self.value),
                false => (*value * factor).round(),
            };
            if !(f64::from(low)..=f64::from(high)).contains(value) {
                return Err(WrongUse(format!(
                    "--unit {self}: {} becomes {value}, and its range is from {low} to {high}: give \
                     it a wider one",
                    parameters.terms.number_name(cell, half)
                )));
            }
        }
        Ok(ParameterFile { terms: parameters.terms.clone(), values })
    }
}

/// Names of numbers: those that have a part of the wanted one's name, or else the first.
fn some_names(terms: &Terms, wanted: &str) -> String {
    const SHOWN: usize = 6;
    let names: Vec<String> =
        terms.numbers().map(|(cell, half, _)| terms.number_name(cell, half)).collect();
    let alike: Vec<&str> = names
        .iter()
        .filter(|name| name.split('.').any(|part| wanted.split('.').any(|it| it == part)))
        .map(String::as_str)
        .collect();
    let shown = if alike.is_empty() { names.iter().map(String::as_str).collect() } else { alike };
    let more = if shown.len() > SHOWN { ", …" } else { "" };
    shown[..shown.len().min(SHOWN)].join(", ") + more
}
