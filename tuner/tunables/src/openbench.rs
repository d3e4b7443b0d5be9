//! The lines by which OpenBench is told what SPSA tunes:
//! `name, int|float, value, lowest, highest, c_end, r_end`.
//!
//! `c_end` is the perturbation and `r_end` the gain at the end of a run. One line a number; empty
//! lines are passed over. The result of a run has the same form, so that the next one can begin
//! with it.

use std::fmt::Write;

use super::names::{BadTunables, Names};
use super::tunable::Tunable;

/// The fields of a line, in their order.
const FIELDS: &str = "name, int|float, value, lowest, highest, c_end, r_end";

/// Reads the lines.
///
/// # Errors
/// [`BadTunables`] with the first line that makes no sense; also where there is none.
pub fn parse(text: &str, source_name: &str) -> Result<Vec<Tunable>, BadTunables> {
    let bad = |line, reason| BadTunables { source_name: source_name.to_string(), line, reason };
    let mut tunables = Vec::new();
    let mut names = Names::default();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let tunable = parse_line(line).map_err(|reason| bad(index + 1, reason))?;
        names.take(&tunable.name).map_err(|reason| bad(index + 1, reason))?;
        tunables.push(tunable);
    }
    if tunables.is_empty() {
        return Err(bad(1, format!("there is no line: write {FIELDS}")));
    }
    Ok(tunables)
}

fn parse_line(line: &str) -> Result<Tunable, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [name, kind, numbers @ ..] = &fields[..] else {
        return Err(format!("one field where seven are expected: {FIELDS}"));
    };
    let Ok([value, low, high, step, rate]) = <[&str; 5]>::try_from(numbers) else {
        return Err(format!("{} fields where seven are expected: {FIELDS}", fields.len()));
    };
    let is_whole = match *kind {
        "int" => true,
        "float" => false,
        other => return Err(format!("{name}: the kind is int or float, not {other:?}")),
    };
    let number = |what: &str, text: &str| {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| format!("{name}: {what} {text:?} is no number"))
    };
    let tunable = Tunable {
        name: (*name).to_string(),
        is_whole,
        value: number("value", value)?,
        low: number("lowest", low)?,
        high: number("highest", high)?,
        step: number("c_end", step)?,
        rate: number("r_end", rate)?,
    };
    tunable.check().map_err(|reason| format!("{name}: {reason}"))?;
    Ok(tunable)
}

/// The lines of these numbers.
pub fn write(tunables: &[Tunable]) -> String {
    let mut text = String::new();
    for tunable in tunables {
        let Tunable { name, is_whole, value, low, high, step, rate } = tunable;
        let kind = if *is_whole { "int" } else { "float" };
        let value = tunable.text(*value);
        writeln!(text, "{name}, {kind}, {value}, {low}, {high}, {step}, {rate}")
            .expect("strings take all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written_back() {
        let text = "Futility Margin, int, 75, 20, 200, 8.5, 0.002\n\
                    Weight, float, 0.25, -1, 1.5, 0.05, 0.0031\n";
        let tunables = parse(text, "file").expect("good lines");
        assert_eq!(tunables.len(), 2);
        assert_eq!((tunables[0].value, tunables[0].step, tunables[0].is_whole), (75.0, 8.5, true));
        assert_eq!(
            (tunables[1].low, tunables[1].rate, tunables[1].is_whole),
            (-1.0, 0.0031, false)
        );
        assert_eq!(write(&tunables), text);
        // As pasted from a web page: other blanks, line ends and empty lines.
        let pasted = "\r\nFutility Margin,int,75.0,20,200,8.5,.002\r\n\r\n\
                      Weight ,  float, 2.5e-1, -1, 1.50, 0.05, 3.1e-3";
        assert_eq!(parse(pasted, "file"), Ok(tunables));
    }

    #[test]
    fn the_engines_own_lines_are_read() {
        let parameters = chess::Parameters::embedded();
        let text = parameters.format(parameters::Format::OpenBench);
        let tunables = parse(&text, "params").expect("good lines");
        assert_eq!(write(&tunables), text);
    }

    #[test]
    fn each_damage_has_its_message() {
        for (line, message) in [
            ("", "there is no line: write name"),
            ("A", "one field where seven are expected"),
            ("A, int, 1, 0, 2, 1", "6 fields where seven are expected"),
            ("A, int, 1, 0, 2, 1, 0.1, 7", "8 fields where seven are expected"),
            ("A, bool, 1, 0, 2, 1, 0.1", "A: the kind is int or float, not \"bool\""),
            ("A, int, one, 0, 2, 1, 0.1", "A: value \"one\" is no number"),
            ("A, int, 1, -inf, 2, 1, 0.1", "A: lowest \"-inf\" is no number"),
            ("A, int, 1, 0, , 1, 0.1", "A: highest \"\" is no number"),
            ("A, int, 3, 0, 2, 1, 0.1", "A: its value 3 is not from 0 to 2"),
            ("A, int, 1, 2, 0, 1, 0.1", "A: its lowest value 2 is not below its highest, 0"),
            ("A, int, 1, 0, 2.5, 1, 0.1", "A: a whole number lies between whole numbers"),
            ("A, int, 1, 0, 2, 0, 0.1", "A: its step 0 is not above 0: it would never move"),
            ("A, int, 1, 0, 2, 1, -1", "A: its rate -1 is not above 0"),
            (", int, 1, 0, 2, 1, 0.1", "\"\" is no name of an option"),
            ("A value, int, 1, 0, 2, 1, 0.1", "no option's name has the word name or value"),
        ] {
            let error = parse(line, "file.txt").expect_err(line).to_string();
            assert!(error.starts_with("file.txt:1: ") && error.contains(message), "{error}");
        }
        let twice = "A, int, 1, 0, 2, 1, 0.1\n\na, int, 1, 0, 2, 1, 0.1\n";
        let error = parse(twice, "file.txt").expect_err("twice").to_string();
        assert_eq!(error, "file.txt:3: a is there twice");
    }
}
