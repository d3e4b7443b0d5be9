//! The rows of folders.

use std::cell::RefCell;
use std::path::Path;

use super::{ComparisonError, Row};
use crate::game::{MoveLimits, PairRecord};
use crate::revisions::Outcome;
use crate::run::{self, Competition, Description, Kind, Observer, RunError};
use crate::sequential_test::{self, SequentialTest};
use crate::statistics::{PairCounts, Verdict};
use crate::tournament::{self, Tournament};

/// The rows of a folder: one of a test, one a player of a tournament (the best first), and of the
/// results of `sprt regress` one a test by games, or one without games.
///
/// # Errors
/// The folder holds nothing of these, or it cannot be read.
pub fn rows_of(folder: &Path) -> Result<Vec<Row>, ComparisonError> {
    let failed = |error| ComparisonError::Run { folder: folder.to_path_buf(), error };
    if run::exists(folder) {
        return match run::kind_of(folder).map_err(failed)? {
            Kind::Test => test(folder, &folder.display().to_string()).map(|row| vec![row]),
            Kind::Tournament => players(folder),
        }
        .map_err(failed);
    }
    if let Some(outcome) = run::read_result::<Outcome>(folder) {
        return regression(folder, &outcome).map_err(failed);
    }
    let reason = match folder.is_dir() {
        true => "no run is in this folder: it has neither a journal nor the result of a regression",
        false => "there is no such folder",
    };
    Err(ComparisonError::NotARun { folder: folder.to_path_buf(), reason: reason.to_owned() })
}

/// What players put into their moves, as far as times are known.
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
fn test(folder: &Path, name: &str) -> Result<Row, RunError> {
    let meter = Meter::default();
    let reviewed = sequential_test::review(folder, &meter as &dyn Observer<SequentialTest>);
    let summary = match reviewed {
        Err(error) if error.is_by_players() => run::read_result(folder).ok_or(error)?,
        other => other?,
    };
    let sequential_test::Summary { candidate, baseline, assessment, bounds, tally, .. } = &summary;
    let (verdict, class) = match summary.verdict {
        _ if tally.failure.is_some() => ("failed", "rejected"),
        _ if summary.is_unfinished() => ("unfinished", "open"),
        Verdict::Accepted => ("accepted", "accepted"),
        Verdict::Rejected => ("rejected", "rejected"),
        Verdict::Undecided => ("undecided", "open"),
    };
    let stopped = assessment.elo_after_stop;
    let counts = assessment.counts;
    Ok(Row {
        run: name.to_owned(),
        players: format!("{} – {}", candidate.name, baseline.name),
        limits: meter.limits_of(&[0, 1]),
        counts,
        own_games: 2 * counts.pairs(),
        elo: (!counts.are_too_few()).then_some([stopped.lower, stopped.elo, stopped.upper]),
        ratio: Some([bounds.0, assessment.log_likelihood_ratio, bounds.1]),
        verdict: verdict.to_owned(),
        class,
        speed: meter.speeds(&[0, 1]),
    })
}

/// The rows of a tournament.
fn players(folder: &Path) -> Result<Vec<Row>, RunError> {
    let meter = Meter::default();
    let reviewed = tournament::review(folder, &meter as &dyn Observer<Tournament>);
    let summary = match reviewed {
        Err(error) if error.is_by_players() => run::read_result(folder).ok_or(error)?,
        other => other?,
    };
    let tournament::Summary { players, rules, ratings, crosstable, tally, .. } = &summary;
    let pairs_in_all = rules.rounds * rules.format.pairings(players.len()).len() as u64;
    let (verdict, class) = match tally.pairs {
        _ if tally.failure.is_some() => ("failed", "rejected"),
        pairs if pairs < pairs_in_all => ("unfinished", "open"),
        _ => ("finished", "accepted"),
    };
    let row = |(place, rating): (usize, &crate::statistics::Rating)| {
        let index = players.iter().position(|player| player.name == rating.player)?;
        let counts = crosstable[index].iter().fold(PairCounts::default(), |sum, it| sum.plus(it));
        let (low, high) = (rating.elo - rating.error, rating.elo + rating.error);
        Some(Row {
            run: folder.display().to_string(),
            players: format!("{} (no. {} of {})", rating.player, place + 1, players.len()),
            limits: meter.limits_of(&[index]),
            counts,
            own_games: if place == 0 { 2 * tally.pairs } else { 0 },
            elo: (!counts.are_too_few()).then_some([low, rating.elo, high]),
            ratio: None,
            verdict: verdict.to_owned(),
            class,
            speed: meter.speeds(&[index]),
        })
    };
    Ok(ratings.players.iter().enumerate().filter_map(row).collect())
}

/// The rows of a regression test.
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
            let row = test(&name, &name.display().to_string())?;
            let speed = if speed.is_empty() { row.speed.clone() } else { speed.clone() };
            rows.push(Row { players: players.clone(), speed, ..row });
        }
    }
    if rows.is_empty() {
        use crate::revisions::Decision::{Accepted, Failed, Rejected, Undecided};
        let class = match outcome.decision {
            Accepted => "accepted",
            Rejected | Failed => "rejected",
            Undecided => "open",
        };
        rows.push(Row {
            run: folder.display().to_string(),
            players,
            limits: "-".to_owned(),
            counts: PairCounts::default(),
            own_games: 0,
            elo: None,
            ratio: None,
            verdict: outcome.decision.heading().to_lowercase(),
            class,
            speed,
        });
    }
    Ok(rows)
}
