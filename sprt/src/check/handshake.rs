//! Checks of the lines before an engine is asked to play.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use uci::{OptionDeclaration, OptionKind, Reply};

use super::exam::{Exam, Stop};
use super::report::Severity::{Fault, Note, Warning};

/// A start that takes longer is felt in every game that follows a fault.
const LONG_START: Duration = Duration::from_secs(2);

pub(super) fn start(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.start()?;
    let begin = Instant::now();
    let lines = exam.introduce()?;
    let took = begin.elapsed();
    exam.options = lines
        .iter()
        .filter_map(|line| match Reply::parse(line) {
            Some(Reply::Option(option)) => Some(option),
            _ => None,
        })
        .collect();
    exam.introduction = lines;
    if took > LONG_START {
        let what = format!("`uciok` came after {:.1} s", took.as_secs_f64());
        let remedy = "Do what takes long after `isready`; until then give the runner more time \
                      (start-timeout=SECONDS).";
        exam.find(Warning, &what, &[], remedy);
    }
    Ok(())
}

pub(super) fn introduction(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let odd: Vec<String> = exam
        .introduction
        .iter()
        .filter(|line| {
            let word = line.split_ascii_whitespace().next();
            !matches!(word, None | Some("id" | "option" | "info"))
        })
        .cloned()
        .collect();
    if !odd.is_empty() {
        let what = format!("{} lines that are not of the protocol", odd.len());
        let remedy = "Runners pass over them; say such things by `info string`, or not at all.";
        exam.find(Note, &what, &odd, remedy);
    }
    Ok(())
}

pub(super) fn name(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let subject = exam.subject();
    for (word, told) in [("name", subject.name), ("author", subject.author)] {
        if told.is_none_or(|text| text.is_empty()) {
            let what = format!("there is no `id {word}`");
            exam.find(Warning, &what, &[], "The protocol wants both lines before `uciok`.");
        }
    }
    Ok(())
}

pub(super) fn options(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let lines: Vec<String> = exam
        .introduction
        .iter()
        .filter(|line| line.split_ascii_whitespace().next() == Some("option"))
        .cloned()
        .collect();
    let wanted = exam.settings.engine.options.keys();
    let missing: Vec<&String> = wanted.filter(|name| exam.option(name).is_none()).collect();
    for name in missing {
        let what = format!("it declares no option {name}, which was to be set");
        exam.find(Warning, &what, &[], "Runners leave it out: look for its name among the lines.");
    }
    let mut names = BTreeSet::new();
    for line in lines {
        let came = std::slice::from_ref(&line);
        let remedy = "The form is `option name NAME type TYPE default VALUE`, with whole min and max \
                      for a spin; TYPE is check, spin, combo, button or string.";
        let Some(Reply::Option(option)) = Reply::parse(&line) else {
            exam.find(Warning, "an option that cannot be read", came, remedy);
            continue;
        };
        if let OptionKind::Other { .. } = option.kind {
            let what =
                format!("the option {} is declared as the protocol does not know", option.name);
            exam.find(Warning, &what, came, remedy);
        }
        if !names.insert(option.name.to_ascii_lowercase()) {
            let what = format!("the option {} is there twice", option.name);
            exam.find(Warning, &what, came, "Runners take the first of them.");
        }
        if let Some(what) = wrong_default(&option, &line) {
            exam.find(Warning, &what, came, "Programs that send the default get an error.");
        }
    }
    Ok(())
}

/// The fault in the default of an option.
fn wrong_default(option: &OptionDeclaration, line: &str) -> Option<String> {
    let name = &option.name;
    let has_default = line.split_ascii_whitespace().any(|word| word == "default");
    match &option.kind {
        OptionKind::Button | OptionKind::Other { .. } => None,
        _ if !has_default => Some(format!("the option {name} has no default")),
        OptionKind::Spin { low, high, .. } if low > high => {
            Some(format!("the option {name} has a min above its max"))
        }
        OptionKind::Spin { default, low, high } if !(low..=high).contains(&default) => {
            Some(format!("the default of {name}, {default}, is not within {low} to {high}"))
        }
        OptionKind::Combo { default, choices } if !choices.contains(default) => {
            Some(format!("the default of {name}, {default:?}, is none of its values"))
        }
        OptionKind::Check { .. }
            if !line.contains("default true") && !line.contains("default false") =>
        {
            Some(format!("the default of {name} is neither true nor false"))
        }
        _ => None,
    }
}

pub(super) fn usual_options(exam: &mut Exam<'_>) -> Result<(), Stop> {
    for (name, use_of) in [("Hash", "how much memory it takes"), ("Threads", "how many cores")] {
        match exam.option(name).map(|option| option.kind.clone()) {
            None => {
                let what = format!("there is no option {name}");
                let remedy = format!("The runner cannot say {use_of}; see that games at once fit.");
                exam.find(Note, &what, &[], &remedy);
            }
            // A spin without a range is a matter of the check above.
            Some(OptionKind::Spin { .. } | OptionKind::Other { .. }) => {}
            Some(_) => {
                let what = format!("the option {name} is no spin");
                exam.find(Fault, &what, &[], "Runners set it to a number.");
            }
        }
    }
    Ok(())
}
