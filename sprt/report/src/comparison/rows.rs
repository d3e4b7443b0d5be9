//! The rows of folders.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use matches::game::{MoveLimits, PairRecord};
use matches::run::{self, Competition, Description, Kind, Observer, RunError};
use matches::sequential_test::{self, SequentialTest};
use matches::tournament::{self, Tournament};
use revisions::Outcome;
use serde::Deserialize;
use statistics::{Estimate, PairCounts, Verdict};
use work::journal::JournalReader;

use super::{Row, State};
use crate::html::default_page;

/// The rows of a folder: one of a test or a tournament, and of the results of `sprt regress` one a
/// test by games, or one without games. `None` if the folder holds none of these.
pub fn rows_of(folder: &Path) -> Option<Result<Vec<Row>, String>> {
    let rows = if let Some(kind) = other_kind(folder) {
        return Some(Err(format!("a journal of a {kind}, neither of a test nor of a tournament")));
    } else if run::exists(folder) {
        let row = run::kind_of(folder).and_then(|kind| match kind {
            Kind::Test => test(folder),
            Kind::Tournament => tournament(folder),
        });
        row.map(|row| vec![row])
    } else {
        regression(folder, &run::read_result::<Outcome>(folder)?)
    };
    Some(rows.map_err(|error| error.to_string()))
}

/// The kind of a run that is not one of those that have rows, as a tuning.
fn other_kind(folder: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Beginning {
        kind: String,
    }
    let path = folder.join("journal");
    let (Beginning { kind }, _) = JournalReader::open::<Beginning>(&path).ok()?;
    (!["test", "tournament"].contains(&&*kind)).then_some(kind)
}

/// The page of a run: in its folder, or beside it as `sprt report` writes it.
fn page_of(folder: &Path) -> Option<PathBuf> {
    let inside = ["page.html", "report.html"].map(|name| folder.join(name));
    inside.into_iter().chain([default_page(folder)]).find(|page| page.is_file())
}

/// Work of the players for their moves, as far as times are known.
#[derive(Default)]
struct Meter {
    limits: RefCell<Vec<MoveLimits>>,
    /// Nodes and microseconds of each player.
    work: RefCell<Vec<[u64; 2]>>,
}

impl Meter {
    /// Nodes a second of a player; `None` if its times are not known.
    fn speed_of(&self, player: usize) -> Option<f64> {
        let work = self.work.borrow();
        let &[nodes, microseconds] = work.get(player)?;
        (microseconds > 0).then(|| 1e6 * nodes as f64 / microseconds as f64)
    }

    /// The speeds of some players in words; empty if none is known.
    fn speeds(&self, players: &[usize]) -> String {
        let speeds = players.iter().map(|&player| self.speed_of(player));
        let speeds: Vec<Option<f64>> = speeds.collect();
        if speeds.iter().all(Option::is_none) {
            return String::new();
        }
        let texts: Vec<String> =
            speeds.into_iter().map(|speed| speed.map_or("-".to_owned(), speed_text)).collect();
        texts.join(" / ") + " nodes/s"
    }

    /// The limits of some players in words, once if they are the same.
    fn limits_of(&self, players: &[usize]) -> String {
        let limits = self.limits.borrow();
        let texts: Vec<String> = players.iter().map(|&player| limits[player].to_string()).collect();
        match texts.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => first.clone(),
            _ => texts.join(" / "),
        }
    }
}

impl<C: Competition> Observer<C> for Meter {
    fn on_open(&self, run: &Description<C::Rules>) {
        *self.limits.borrow_mut() = run.contestants.iter().map(|it| it.limits).collect();
        *self.work.borrow_mut() = vec![[0; 2]; run.contestants.len()];
    }

    fn on_resumed_pair(&self, _progress: &C::Progress, pair: &PairRecord) {
        let mut work = self.work.borrow_mut();
        let [one, other] = pair.players;
        for (game, color) in pair.games.iter().zip(PairRecord::FIRST) {
            let begins = game.start.side_to_move() == color;
            let movers = if begins { [one, other] } else { [other, one] };
            for (index, ply) in game.plies.iter().enumerate() {
                let [nodes, microseconds] = &mut work[movers[index % 2]];
                *nodes = nodes.saturating_add(ply.nodes);
                *microseconds += u64::from(ply.time);
            }
        }
    }
}

fn speed_text(nodes_per_second: f64) -> String {
    match nodes_per_second {
        speed if speed >= 1e6 => format!("{:.2} M", speed / 1e6),
        speed if speed >= 1e3 => format!("{:.0} k", speed / 1e3),
        speed => format!("{speed:.0}"),
    }
}

/// The row of a test. One that its players' faults ended has its result file.
fn test(folder: &Path) -> Result<Row, RunError> {
    let meter = Meter::default();
    let reviewed = sequential_test::review(folder, &meter as &dyn Observer<SequentialTest>);
    let summary = match reviewed {
        Err(error) if error.is_by_players() => run::read_result(folder).ok_or(error)?,
        other => other?,
    };
    let sequential_test::Summary { candidate, baseline, assessment, bounds, tally, .. } = &summary;
    let state = match () {
        () if tally.failure.is_some() => State::Failed,
        () if summary.is_unfinished() => State::Unfinished,
        () => State::Finished,
    };
    let (verdict, class) = match summary.verdict {
        _ if state == State::Failed => ("", "rejected"),
        _ if state == State::Unfinished => ("", "open"),
        Verdict::Accepted => ("accepted", "accepted"),
        Verdict::Rejected => ("rejected", "rejected"),
        Verdict::Undecided => ("undecided", "open"),
    };
    let counts = assessment.counts;
    Ok(Row {
        folder: folder.to_path_buf(),
        page: page_of(folder),
        players: format!("{} – {}", candidate.name, baseline.name),
        limits: meter.limits_of(&[0, 1]),
        state,
        pairs: counts.pairs(),
        counts,
        elo: (!counts.are_too_few()).then_some(assessment.elo),
        ratio: Some([bounds.0, assessment.log_likelihood_ratio, bounds.1]),
        verdict: verdict.to_owned(),
        class,
        speed: meter.speeds(&[0, 1]),
    })
}

/// Players of a tournament that are named.
const MOST_NAMES: usize = 4;

/// The row of a tournament; its figures are the leader's.
fn tournament(folder: &Path) -> Result<Row, RunError> {
    let meter = Meter::default();
    let reviewed = tournament::review(folder, &meter as &dyn Observer<Tournament>);
    let summary = match reviewed {
        Err(error) if error.is_by_players() => run::read_result(folder).ok_or(error)?,
        other => other?,
    };
    let tournament::Summary { players, ratings, crosstable, tally, .. } = &summary;
    let (state, class) = match tally.is_at_end(summary.pairs_in_all()) {
        _ if tally.failure.is_some() => (State::Failed, "rejected"),
        false => (State::Unfinished, "open"),
        true => (State::Finished, "open"),
    };
    let names: Vec<&str> = ratings.players.iter().map(|it| it.player.as_str()).collect();
    let (named, others) = names.split_at(names.len().min(MOST_NAMES));
    let others = match others.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let leader = ratings.players.first();
    let counts = leader
        .and_then(|leader| players.iter().position(|player| player.name == leader.player))
        .map(|index| crosstable[index].iter().fold(PairCounts::default(), |sum, it| sum.plus(it)))
        .unwrap_or_default();
    let elo = leader
        .filter(|_| !counts.are_too_few())
        .map(|it| Estimate { value: it.elo, error: it.error }.interval());
    let everyone: Vec<usize> = (0..players.len()).collect();
    Ok(Row {
        folder: folder.to_path_buf(),
        page: page_of(folder),
        players: named.join(", ") + &others,
        limits: meter.limits_of(&everyone),
        state,
        pairs: tally.pairs,
        counts,
        elo,
        ratio: None,
        verdict: leader
            .filter(|_| state == State::Finished)
            .map_or(String::new(), |leader| format!("{} leads", leader.player)),
        class,
        speed: String::new(),
    })
}

fn regression(folder: &Path, outcome: &Outcome) -> Result<Vec<Row>, RunError> {
    let [candidate, base] = [&outcome.candidate, &outcome.base].map(|it| it.revision.label());
    let players = format!("{candidate} – {base}");
    let measured = outcome.speed.as_ref().and_then(|speed| speed.ratio);
    let speed = measured.map_or(String::new(), |ratio| {
        format!("×{:.3} [{:.3}, {:.3}]", ratio.value, ratio.lower, ratio.upper)
    });
    let mut rows = Vec::new();
    for games in &outcome.games {
        let name = folder.join(&games.name);
        if run::exists(&name) {
            let row = test(&name)?;
            let speed = if speed.is_empty() { row.speed.clone() } else { speed.clone() };
            rows.push(Row { players: players.clone(), speed, ..row });
        }
    }
    if rows.is_empty() {
        use revisions::Decision::{Accepted, Failed, Rejected, Undecided};
        let class = match outcome.decision {
            Accepted => "accepted",
            Rejected | Failed => "rejected",
            Undecided => "open",
        };
        rows.push(Row {
            folder: folder.to_path_buf(),
            page: page_of(folder),
            players,
            limits: "-".to_owned(),
            state: if outcome.decision == Failed { State::Failed } else { State::Finished },
            pairs: 0,
            counts: PairCounts::default(),
            elo: None,
            ratio: None,
            verdict: outcome.decision.heading().to_lowercase(),
            class,
            speed,
        });
    }
    Ok(rows)
}
