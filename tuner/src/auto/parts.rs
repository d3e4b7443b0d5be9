//! The good part of a candidate that games did not accept: half of its changed groups, then half of
//! that half.

use std::collections::BTreeMap;

use playable::Numbers;
use statistics::Verdict;

use super::attempt::FittedCandidate;
use super::bounds;
use super::files::{CANDIDATE, write_text};
use super::folder::Folder;
use super::generation::{Generation, Part, file_of_part};
use super::settings::Step;
use super::task::Task;
use super::testing::{Question, Tested, ask};

/// Halvings at most: what is left then is one or two groups.
const STEPS_MAX: u32 = 3;

/// Looks for a part of a candidate that games did not accept which they do accept; true if the budget
/// ended that.
///
/// Each step keeps the better half of the groups, by what the fit says of them. All steps together
/// have the error and half of the pairs of one test.
pub(super) fn bisect(
    task: &Task,
    folder: &Folder,
    generation: &mut Generation,
    fitted: &FittedCandidate,
) -> anyhow::Result<bool> {
    let number = generation.generation;
    let place = folder.of_generation(number);
    let candidate = folder.numbers(&place.join(CANDIDATE))?;
    let champion = folder.champion()?;
    let mut groups = changed_groups(&champion, &candidate, &fitted.worth);
    let all: f64 = worth_of(&groups, &fitted.worth);
    let steps = STEPS_MAX.min(groups.len().max(1).ilog2());
    for step in 1..=steps {
        groups.truncate(groups.len().div_ceil(2));
        let share = if all > 0.0 { worth_of(&groups, &fitted.worth) / all } else { 0.5 };
        let expected_elo = fitted.expected_elo * share;
        let part = with_groups(&champion, &candidate, &groups);
        let notes = format!("A part of {CANDIDATE}: {}.", groups.join(", "));
        let file = file_of_part(step);
        write_text(&place.join(&file), &part.to_toml_with_notes(&notes))?;
        let hypotheses = bounds::of_part(expected_elo, steps);
        let question = Question {
            pairs: (task.choices().pairs / u64::from(2 * steps)).max(1),
            ..Question::new(task, number, Step::Part(step), file, hypotheses)
        };
        let what = format!("test of a part of it, 0 against {} Elo", hypotheses.elo1);
        let Tested { result: test, is_cut } = ask(task, folder, &what, &question)?;
        let is_accepted = test.verdict == Verdict::Accepted;
        let part = Part { groups: groups.clone(), expected_elo, test };
        task.voice().step(format_args!("{part:#}"));
        if is_cut {
            return Ok(true);
        }
        generation.parts.push(part);
        if is_accepted {
            generation.verdict = Verdict::Accepted;
            break;
        }
    }
    Ok(false)
}

/// The groups in which two sets differ, best first.
fn changed_groups(
    champion: &Numbers,
    candidate: &Numbers,
    worth: &BTreeMap<String, f64>,
) -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    for number in champion.own_numbers() {
        let group = number.declaration.group;
        let is_changed = champion.value(&number) != candidate.value(&number);
        if is_changed && !groups.iter().any(|it| it == group) {
            groups.push(group.to_string());
        }
    }
    let of = |group: &String| worth.get(group).copied().unwrap_or(0.0);
    groups.sort_by(|a, b| of(b).total_cmp(&of(a)));
    groups
}

/// The worth of groups together by the fit, without those that it says are worth nothing.
fn worth_of(groups: &[String], worth: &BTreeMap<String, f64>) -> f64 {
    groups.iter().filter_map(|group| worth.get(group)).filter(|it| **it > 0.0).sum()
}

/// The champion with some groups of the candidate.
fn with_groups(champion: &Numbers, candidate: &Numbers, groups: &[String]) -> Numbers {
    let mut part = champion.clone();
    for number in champion.own_numbers() {
        if groups.iter().any(|group| group == number.declaration.group) {
            let value = i64::from(candidate.value(&number));
            part.set_number(&number, value).expect("it lies in the range of the candidate's");
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chess::Parameters;

    use super::*;

    #[test]
    fn parts_have_the_best_groups_and_all_else_of_the_champion() {
        let champion = Numbers::from(Arc::new(Parameters::zero()));
        let mut candidate = champion.clone();
        for name in ["material.tempo.middlegame", "space.room.endgame", "king.shelter[3].endgame"] {
            candidate.set(name, 5).expect("in range");
        }
        let worth = [("space", 3.0), ("material", -1.0), ("king", 1.0), ("threats", 9.0)];
        let worth = worth.map(|(name, worth)| (name.to_string(), worth)).into();
        let groups = changed_groups(&champion, &candidate, &worth);
        assert_eq!(groups, ["space", "king", "material"]);
        assert!((worth_of(&groups, &worth) - 4.0).abs() < 1e-12);
        let part = with_groups(&champion, &candidate, &groups[..2]);
        assert_eq!(part.get("space.room.endgame"), Ok(5));
        assert_eq!(part.get("king.shelter[3].endgame"), Ok(5));
        assert_eq!(part.get("material.tempo.middlegame"), Ok(0));
    }
}
