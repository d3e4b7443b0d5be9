//! The plan of a run: what its next generation fits, and the games and the time to be expected of those
//! to come.

use statistics::{Hypotheses, Limit, PairDistribution, TestPlan, Verdict};

use super::attempt::Attempt;
use super::bounds;
use super::display::spoken;
use super::estimates::Estimates;
use super::files::{CANDIDATE, GAMES, JOURNAL, PER_GAME};
use super::folder::Folder;
use super::generation::Fitted;
use super::task::Task;
use super::testing::CHECK_PAIRS;

/// Share of drawn games at a few thousand nodes, about.
const DRAWS: f64 = 0.3;
/// Elo of the gain that a generation is planned with where nothing is known of it.
const USUAL_GAIN: f64 = 40.0;

/// The next generation: it fits margins after an accepted evaluation, which has moved what they should
/// be; terms again where there is no time for margins. A fit that was begun goes on.
pub(super) fn next_attempt(task: &Task, folder: &Folder) -> Attempt {
    let attempt = |step| Attempt::new(task.settings(), folder, folder.next_number(), step);
    let terms = attempt(Fitted::Terms);
    let has_moved = folder
        .generations()
        .last()
        .is_some_and(|last| last.step == Fitted::Terms && last.verdict == Verdict::Accepted);
    if !has_moved || task.choices().margin_positions == 0 {
        return terms;
    }
    let margins = attempt(Fitted::Margins);
    let needed = |attempt| Estimates::new(task, folder, attempt).needed();
    let [for_terms, for_margins] = [&terms, &margins].map(needed);
    let fits_terms = [CANDIDATE, GAMES, PER_GAME].iter().any(|name| terms.has(name))
        || !task.budget().allows(for_margins) && for_terms < for_margins;
    if fits_terms && !margins.has(JOURNAL) { terms } else { margins }
}

/// Says on standard error what the generations to come will do, `next` and those after it.
pub(super) fn show(task: &Task, folder: &Folder, next: &Attempt) {
    let (number, step) = (next.number(), next.step());
    if number > task.generations() {
        return;
    }
    let until = match task.generations() {
        u32::MAX => "as many generations as the budget allows".to_string(),
        count => format!("{count} generations"),
    };
    let (voice, choices) = (task.voice(), task.choices());
    let game = folder.hours().pace().of_game(choices.nodes).as_secs_f64() * task.threads() as f64;
    voice.detail(format!(
        "plan: {until}; a game at {} nodes a move takes {game:.2} s of a processor, {} at a time",
        choices.nodes,
        task.threads()
    ));
    voice.detail(format!("generation {number}: {}", steps_in_words(task, folder, next)));
    if number == task.generations() {
        return;
    }
    let then = |step| Attempt::new(task.settings(), folder, number + 1, step);
    let later = |step| steps_in_words(task, folder, &then(step));
    let first = if step == Fitted::Terms { "then " } else { "" };
    voice.detail(format!("{first}each that fits terms: {}", later(Fitted::Terms)));
    if step == Fitted::Terms && choices.margin_positions > 0 {
        voice.detail(format!("after each accepted one, margins: {}", later(Fitted::Margins)));
    }
}

/// The steps of an attempt.
fn steps_in_words(task: &Task, folder: &Folder, attempt: &Attempt) -> String {
    let (choices, estimates) = (task.choices(), Estimates::new(task, folder, attempt));
    let mut steps = Vec::new();
    if !attempt.has(CANDIDATE) {
        if attempt.games() > 0 {
            let begun = if attempt.has(GAMES) { " (begun)" } else { "" };
            let time = spoken(estimates.record());
            steps.push(format!("record {} games{begun}, {time}", attempt.games()));
        }
        let time = match attempt.step() {
            Fitted::Terms => estimates.fit(),
            Fitted::Margins => estimates.margins(choices.margin_rounds),
        };
        steps.push(format!("fit, {}", spoken(time)));
    }
    let games_in_words = |pairs: u64, nodes| {
        let time = spoken(folder.hours().pace().of_game(nodes) * 2 * pairs as u32);
        (2 * pairs, time)
    };
    let hypotheses = bounds::of_gain(USUAL_GAIN, !choices.whole);
    let test = expected_pairs(&hypotheses, USUAL_GAIN, choices.pairs);
    let (games, time) = games_in_words(test, choices.nodes);
    steps.push(format!(
        "test, {games} games if it gains {USUAL_GAIN} Elo ({time}), {} at most",
        2 * choices.pairs
    ));
    let nodes = task.settings().check_nodes;
    if nodes > 0 {
        let check = expected_pairs(&bounds::of_check(), USUAL_GAIN / 2.0, CHECK_PAIRS);
        let (games, time) = games_in_words(check, nodes);
        steps.push(format!("check at {nodes} nodes, {games} games ({time})"));
    }
    steps.join("; ")
}

/// Pairs that a test takes on average for a candidate that is stronger by `gain` (normalized Elo).
fn expected_pairs(hypotheses: &Hypotheses, gain: f64, pairs: u64) -> u64 {
    let limit = Limit { pairs, decide: false };
    PairDistribution::of_draw_ratio(DRAWS, PairDistribution::usual_bias(DRAWS))
        .and_then(|base| TestPlan::new(*hypotheses, base))
        .and_then(|plan| plan.outlook(gain, Some(limit)))
        .map_or(pairs, |outlook| outlook.mean_pairs.ceil() as u64)
}
