//! The outcome in words, of which all its reports are made.

use statistics::{Model, PairCounts, Verdict, sentence};
use system::paint;

use super::git::Revision;
use super::outcome::{Change, Decision, GamesReport, Outcome, RevisionReport};
use super::speed::SpeedReport;

impl Outcome {
    /// The outcome as lines of text, in color.
    pub fn to_text(&self) -> String {
        let mut lines = Vec::new();
        for (name, side) in [("Base", &self.base), ("Candidate", &self.candidate)] {
            let Revision { subject, .. } = &side.revision;
            lines.push(format!("{name:<11} {}: {subject}", side.revision.label()));
        }
        for (name, result, detail) in test_rows(self) {
            let name = capitalized(&name);
            lines.push(match detail.as_str() {
                "" => format!("{name:<11} {result}"),
                detail => format!("{name:<11} {result} ({detail})"),
            });
        }
        for note in self.games.iter().flat_map(|games| &games.notes) {
            lines.push(format!("{:<11} {note}", "Note"));
        }
        let style = match self.decision {
            Decision::Accepted => paint::GOOD,
            Decision::Rejected | Decision::Failed => paint::BAD,
            Decision::Undecided => paint::OPEN,
        };
        let verdict = paint::painted(style, self.decision.heading());
        lines.push(format!("{:<11} {verdict}", "Verdict"));
        let found = sentences(self);
        lines.extend([&self.reason].into_iter().chain(&found).map(|it| format!("{:<11} {it}", "")));
        lines.push(format!("{:<11} {}", "Repeat", self.repeat));
        lines.join("\n")
    }
}

/// The names of both revisions.
pub fn title(outcome: &Outcome) -> String {
    format!("{} against {}", outcome.candidate.revision.name, outcome.base.revision.name)
}

/// Time that all took, and was allowed.
pub fn effort(outcome: &Outcome) -> String {
    let mut text = format!("Took {}", duration(outcome.elapsed_seconds));
    if let Some(budget) = outcome.budget_seconds {
        text += &format!(" of {} allowed, builds included", duration(budget));
    }
    text
}

/// Facts about both revisions: name of the row, base, candidate.
pub fn revision_rows(outcome: &Outcome) -> Vec<(&'static str, [String; 2])> {
    let both = |of: &dyn Fn(&RevisionReport) -> String| [of(&outcome.base), of(&outcome.candidate)];
    let missing = || "–".to_owned();
    vec![
        ("revision", both(&|side| side.revision.label())),
        ("subject", both(&|side| side.revision.subject.clone())),
        ("committed", both(&|side| side.revision.date.clone())),
        (
            "build",
            both(&|side| match &side.build {
                Some(build) if build.was_cached => "from the cache".to_owned(),
                Some(build) => duration(build.seconds),
                None => missing(),
            }),
        ),
        ("bench", both(&|side| side.bench.map_or_else(missing, |bench| bench.nodes.to_string()))),
    ]
}

/// The result of a step that was not done.
pub const NOT_DONE: &str = "not done";

/// Why equal benches of few nodes do not end a comparison.
pub const SHORT_BENCH: &str = "equal, but too short to show that play is the same: a bench must search \
                               10,000 nodes or more, over positions of all phases; games decide";

/// The tests, their results, and those left out: name, result, detail.
pub fn test_rows(outcome: &Outcome) -> Vec<(String, String, String)> {
    let mut rows = Vec::new();
    if let Some(change) = outcome.change {
        let [base, candidate] = [&outcome.base, &outcome.candidate];
        let are_equal = base.bench.map(|it| it.nodes) == candidate.bench.map(|it| it.nodes);
        let (result, detail) = match change {
            Change::NonFunctional => ("non-functional", "equal bench: only speed can differ"),
            Change::Functional if outcome.base.bench.is_none() => {
                ("taken as functional", "no bench was run")
            }
            Change::Functional if are_equal => ("taken as functional", SHORT_BENCH),
            Change::Functional => ("functional", "the benches differ"),
        };
        rows.push(("change".to_owned(), result.to_owned(), detail.to_owned()));
    }
    if let Some(speed) = &outcome.speed {
        rows.push(("speed".to_owned(), speed_result(speed), speed_detail(speed)));
    }
    for games in &outcome.games {
        let [losses, draws, wins] = games.assessment.counts.trinomial();
        let name = format!("games by {}", games.name);
        let counted = format!(
            "{} games: +{wins} ={draws} −{losses}, {}",
            wins + draws + losses,
            games.limits
        );
        rows.push((name, games_result(games), counted));
        rows.push(("Elo".to_owned(), elo(games), elo_detail(games)));
    }
    for step in &outcome.not_done {
        rows.push((step.clone(), NOT_DONE.to_owned(), String::new()));
    }
    rows
}

/// A verdict as a word.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "undecided",
    }
}

/// The ratio of speeds with its interval.
pub fn speed_result(speed: &SpeedReport) -> String {
    match speed.ratio {
        Some(ratio) => format!(
            "{}: ×{:.4} [{:.4}, {:.4}]",
            verdict(speed.verdict),
            ratio.value,
            ratio.lower,
            ratio.upper
        ),
        None => "undecided: no time to measure".to_owned(),
    }
}

/// How the speed was measured.
pub fn speed_detail(speed: &SpeedReport) -> String {
    if speed.same_program {
        return "both programs are the same bytes".to_owned();
    }
    let time = if speed.processor_time { "processor" } else { "wall-clock" };
    format!(
        "{} benches of each in turn, {time} time, 95 %; rejected if surely more than {} % slower",
        speed.turns.len(),
        100.0 * speed.settings.tolerance
    )
}

fn games_result(games: &GamesReport) -> String {
    let hypotheses = games.hypotheses;
    let model = match hypotheses.model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
        Model::Bayes => "Bayes",
    };
    format!(
        "{}: LLR {:+.2} [{:.2}, {:.2}] for {model} Elo [{}, {}]",
        verdict(games.verdict),
        games.assessment.log_likelihood_ratio,
        games.bounds[0],
        games.bounds[1],
        hypotheses.elo0,
        hypotheses.elo1
    )
}

/// Whether the candidate is stronger, in a sentence for each test by games.
pub fn sentences(outcome: &Outcome) -> Vec<String> {
    let of = |games: &GamesReport| {
        let figures = &games.assessment.figures;
        let found = sentence(&games.assessment.counts, &figures.elo, games.verdict, true);
        if outcome.games.len() > 1 { format!("By {}: {found}", games.name) } else { found }
    };
    outcome.games.iter().map(of).collect()
}

/// The Elo with its interval, as it is after the test has stopped.
pub fn elo(games: &GamesReport) -> String {
    if games.assessment.counts.are_too_few() {
        return PairCounts::TOO_FEW.to_owned();
    }
    games.assessment.elo.to_string()
}

fn elo_detail(games: &GamesReport) -> String {
    if games.assessment.counts.are_too_few() {
        return String::new();
    }
    format!(
        "95 %, with the stopping rule; LOS {:.1} %",
        100.0 * games.assessment.likelihood_of_superiority
    )
}

/// A text that begins with a capital letter.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// A time as people say it.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02} h", whole / 3600, whole % 3600 / 60),
    }
}
