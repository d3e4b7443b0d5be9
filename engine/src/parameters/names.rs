//! Every single number by its name: margins by their own, weights as `group.name`,
//! `group.name[3]`, `group.name.middlegame` or `group.name[3].endgame`.

use bytemuck::Zeroable;

use super::{CellKind, MarginInfo, Margins, Parameters, Score, WeightInfo, Weights};

/// Why a number could not be read or set by name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No parameter of that name.
    #[error("unknown parameter `{name}`{suggestion}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// Empty, or ` (did you mean …?)`.
        suggestion: String,
    },
    /// The name is that of an array or a pair, not of one number.
    #[error("`{name}` names {found}; name one number, such as `{example}`")]
    NotOneNumber {
        /// The name asked for.
        name: String,
        /// What it names.
        found: &'static str,
        /// A complete name.
        example: String,
    },
    /// The index is past the end of the array.
    #[error("`{name}`: the index must be below {length}")]
    Index {
        /// The name asked for.
        name: String,
        /// Length of the array.
        length: usize,
    },
    /// The value lies outside the declared range.
    #[error("`{name}` must be from {low} to {high}, not {value}")]
    OutOfRange {
        /// The parameter's name.
        name: String,
        /// The value that was refused.
        value: i64,
        /// Smallest allowed value.
        low: i32,
        /// Largest allowed value.
        high: i32,
    },
}

/// One half of a [`Score`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The middlegame number.
    Middlegame,
    /// The endgame number.
    Endgame,
}

impl Half {
    /// `middlegame` or `endgame`.
    pub fn name(self) -> &'static str {
        match self {
            Half::Middlegame => "middlegame",
            Half::Endgame => "endgame",
        }
    }
}

/// Where one number lives.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// A search margin or switch.
    Margin(&'static MarginInfo),
    /// One number of an evaluation weight.
    Weight {
        /// The weight's declaration.
        info: &'static WeightInfo,
        /// Index within the weight, 0 for a single cell.
        index: usize,
        /// Which half, if the cell is a [`Score`].
        half: Option<Half>,
    },
}

impl Number {
    /// Every number of a parameter set, weights first, in the order of declaration.
    pub fn all() -> impl Iterator<Item = Number> {
        Number::weights().chain(Number::margins())
    }

    /// Every number of the evaluation's weights, in the order of declaration.
    pub fn weights() -> impl Iterator<Item = Number> {
        Weights::INFO.iter().flat_map(|info| {
            (0..info.length).flat_map(move |index| {
                let halves: &[Option<Half>] = match info.kind {
                    CellKind::Score => &[Some(Half::Middlegame), Some(Half::Endgame)],
                    CellKind::Scalar => &[None],
                };
                halves.iter().map(move |&half| Number::Weight { info, index, half })
            })
        })
    }

    /// Every margin and switch, in the order of declaration.
    pub fn margins() -> impl Iterator<Item = Number> {
        Margins::INFO.iter().map(Number::Margin)
    }

    /// Finds a number by name, which may begin with its table in a parameter file (`weights.` or
    /// `margins.`). Errors: an unknown name, an index past the end, or a name that stands for
    /// several numbers.
    pub fn find(name: &str) -> Result<Number, NameError> {
        let unknown = || NameError::Unknown { name: name.to_string(), suggestion: meant(name) };
        let tables = ["weights.", "margins."];
        let bare = tables.iter().find_map(|table| name.strip_prefix(table)).unwrap_or(name);
        if let Some(info) = Margins::INFO.iter().find(|info| info.name == bare) {
            return Ok(Number::Margin(info));
        }
        let (group, rest) = bare.split_once('.').ok_or_else(unknown)?;
        let (rest, half) = match rest.split_once('.') {
            None => (rest, None),
            Some((rest, "middlegame")) => (rest, Some(Half::Middlegame)),
            Some((rest, "endgame")) => (rest, Some(Half::Endgame)),
            Some(_) => return Err(unknown()),
        };
        let (weight, index) = match rest.split_once('[') {
            None => (rest, None),
            Some((weight, digits)) => {
                let digits = digits.strip_suffix(']').ok_or_else(unknown)?;
                (weight, Some(digits.parse::<usize>().map_err(|_| unknown())?))
            }
        };
        let info = Weights::INFO
            .iter()
            .find(|info| info.group == group && info.name == weight)
            .ok_or_else(unknown)?;
        let several = |found| NameError::NotOneNumber {
            name: name.to_string(),
            found,
            example: Number::Weight {
                info,
                index: index.unwrap_or(0),
                half: (info.kind == CellKind::Score).then_some(half.unwrap_or(Half::Middlegame)),
            }
            .name(),
        };
        let index = match (index, info.is_array) {
            (None, true) => return Err(several("an array")),
            (Some(_), false) => return Err(unknown()),
            (index, _) => index.unwrap_or(0),
        };
        if index >= info.length {
            return Err(NameError::Index { name: name.to_string(), length: info.length });
        }
        match (info.kind, half) {
            (CellKind::Score, None) => Err(several("a pair")),
            (CellKind::Scalar, Some(_)) => Err(unknown()),
            _ => Ok(Number::Weight { info, index, half }),
        }
    }

    /// The full name, as [`Number::find`] takes it.
    pub fn name(&self) -> String {
        match self {
            Number::Margin(info) => info.name.to_string(),
            Number::Weight { info, index, half } => {
                let mut name = format!("{}.{}", info.group, info.name);
                if info.is_array {
                    name += &format!("[{index}]");
                }
                if let Some(half) = half {
                    name += ".";
                    name += half.name();
                }
                name
            }
        }
    }

    /// Smallest and largest allowed value, inclusive.
    pub fn range(&self) -> (i32, i32) {
        match self {
            Number::Margin(info) => info.range,
            Number::Weight { info, .. } => info.range,
        }
    }

    /// A first step for a tuner: a margin's declared one; for a weight a twentieth of its range,
    /// from 1 to 10.
    pub fn step(&self) -> i32 {
        match self {
            Number::Margin(info) => info.step,
            Number::Weight { info, .. } => ((info.range.1 - info.range.0) / 20).clamp(1, 10),
        }
    }

    /// What the number means, with its unit.
    pub fn doc(&self) -> &'static str {
        match self {
            Number::Margin(info) => info.doc,
            Number::Weight { info, .. } => info.doc,
        }
    }

    /// True for a margin that turns a technique on and off.
    pub fn is_switch(&self) -> bool {
        matches!(self, Number::Margin(info) if info.is_switch())
    }

    /// The number's value in `parameters`.
    pub fn value(&self, parameters: &Parameters) -> i32 {
        match self {
            Number::Margin(info) => parameters.margins.cells()[info.cell],
            Number::Weight { info, index, half } => {
                let cell = parameters.weights.cells()[info.first_cell + index];
                let score: Score = bytemuck::cast(cell);
                match half {
                    None => cell,
                    Some(Half::Middlegame) => score.middlegame(),
                    Some(Half::Endgame) => score.endgame(),
                }
            }
        }
    }

    /// Sets the number in `parameters`. Errors: [`NameError::OutOfRange`].
    pub fn set(&self, parameters: &mut Parameters, value: i64) -> Result<(), NameError> {
        let (low, high) = self.range();
        let value = match i32::try_from(value) {
            Ok(value) if (low..=high).contains(&value) => value,
            _ => return Err(NameError::OutOfRange { name: self.name(), value, low, high }),
        };
        match self {
            Number::Margin(info) => parameters.margins.cells_mut()[info.cell] = value,
            Number::Weight { info, index, half } => {
                let cell = &mut parameters.weights.cells_mut()[info.first_cell + index];
                let score: Score = bytemuck::cast(*cell);
                *cell = match half {
                    None => value,
                    Some(Half::Middlegame) => bytemuck::cast(Score::new(value, score.endgame())),
                    Some(Half::Endgame) => bytemuck::cast(Score::new(score.middlegame(), value)),
                };
            }
        }
        Ok(())
    }
}

impl Parameters {
    /// Zero everywhere, or the end of the range nearest to it: every technique switched off and
    /// every term worth nothing. The ground on which partial files are completed.
    pub fn zero() -> Parameters {
        let mut parameters = Parameters { weights: Weights::zeroed(), margins: Margins::zeroed() };
        for number in Number::all() {
            let (low, high) = number.range();
            let nearest = i64::from(0.clamp(low, high));
            number.set(&mut parameters, nearest).expect("the nearest value lies in the range");
        }
        parameters
    }

    /// The value of one number by its name; see [`Number::find`] for the names and errors.
    pub fn get(&self, name: &str) -> Result<i32, NameError> {
        Ok(Number::find(name)?.value(self))
    }

    /// Sets one number by its name. Errors: as [`Number::find`], and a value outside the declared
    /// range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), NameError> {
        Number::find(name)?.set(self, value)
    }
}

/// ` (did you mean …?)` for the most similar of the names, or nothing if none is similar.
pub(super) fn suggestion(name: &str, names: &[String]) -> String {
    /// Below this similarity (1 = equal) a suggestion would puzzle more than help.
    const SIMILAR: f64 = 0.75;
    names
        .iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(name, known), known))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or_else(String::new, |(_, known)| format!(" (did you mean `{known}`?)"))
}

/// The [`suggestion`] for a name that [`Number::find`] does not know: a margin or, as `group.name`, a
/// weight; the group may be wrong or missing, and index and half do not matter.
fn meant(name: &str) -> String {
    fn last(name: &str) -> &str {
        name.rsplit('.').next().unwrap_or(name)
    }
    let halves = [".middlegame", ".endgame"];
    let stem = halves.iter().find_map(|half| name.strip_suffix(half)).unwrap_or(name);
    let stem = stem.split('[').next().unwrap_or(stem);
    let weights = Weights::INFO.iter().map(|info| format!("{}.{}", info.group, info.name));
    let known: Vec<String> =
        weights.chain(Margins::INFO.iter().map(|info| info.name.to_string())).collect();
    let whole = suggestion(stem, &known);
    if !whole.is_empty() {
        return whole;
    }
    let same = known.iter().find(|known| last(known) == last(stem));
    same.map_or_else(String::new, |same| format!(" (did you mean `{same}`?)"))
}
