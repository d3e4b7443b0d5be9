//! Where the evaluation is right and where it errs, on games that took no part in the fit.

use chess::{Color, PieceType, Position};
use positions::Sample;
use serde::{Deserialize, Serialize};

use crate::model::{NATURAL, expected, fit_k};

/// Kinds of positions by phase: least phase (24 is the full set of pieces, a queen counts 4, a rook
/// 2, other pieces 1) and name, from the opening on.
const PHASES: [(u32, &str); 4] =
    [(19, "phase 19 to 24"), (12, "phase 12 to 18"), (5, "phase 5 to 11"), (0, "phase 0 to 4")];
/// Bins of expected results.
const BINS: usize = 10;
/// Positions below which a bin says nothing.
const BIN_MIN: usize = 20;
/// Least lead of each row, in pawns by the usual count.
const LEADS: [(i32, &str); 7] =
    [(0, "0"), (1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5–7"), (8, "8+")];
/// Points of a man in a lead: pawn, knight, bishop, rook, queen.
const POINTS: [i32; 5] = [1, 3, 3, 5, 9];
/// Outliers shown, each of another game.
const OUTLIERS: usize = 6;

/// Positions of one kind, and how well both files expect their results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kind {
    /// The feature they have in common, in words.
    pub name: String,
    /// Number of positions, held-out ones.
    pub positions: usize,
    /// Mean squared error with the starting file.
    pub before: f64,
    /// Mean squared error with the tuned file.
    pub after: f64,
    /// How much better than expected from the tuned file the leading side did: mean result less
    /// mean expected result. Who leads is said by material, or White at equal material.
    pub residual: f64,
    /// Standard error of that, by games.
    pub residual_error: f64,
}

/// Positions with about the same expected result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Number of positions.
    pub positions: usize,
    /// Mean expected result of White.
    pub expected: f64,
    /// Mean result of White.
    pub result: f64,
    /// Standard error of the mean result less the expected one, by games.
    pub error: f64,
}

/// Expected and actual results in one phase of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// Name of the phase, one of four.
    pub name: String,
    /// Bins by the expected result with the starting file.
    pub before: Vec<Bin>,
    /// Bins by the expected result with the tuned file.
    pub after: Vec<Bin>,
}

/// A position whose result came least expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outlier {
    /// The position (FEN).
    pub fen: String,
    /// Evaluation with the tuned file: centipawns, White's view.
    pub evaluation: i32,
    /// White's expected result with the tuned file, 0 to 1.
    pub expected: f64,
    /// White's points, 0 to 1.
    pub result: f64,
    /// Score that the recording search gave: centipawns, White's view.
    pub score: Option<i16>,
}

/// The K that fits the tuned values best in one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseScale {
    /// Name of the phase, one of four.
    pub name: String,
    /// Training positions of it.
    pub positions: usize,
    /// The K that minimizes their error.
    pub k: f64,
}

/// Errors of the two files in the held-out positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// Standard error of the fall of the mean squared error, by games.
    pub fall_error: f64,
    /// Expected against actual results, by phase.
    pub reliability: Vec<Reliability>,
    /// By what is on the board.
    pub by_pieces: Vec<Kind>,
    /// By the lead in material.
    pub by_lead: Vec<Kind>,
    /// The largest residuals, each of another game.
    pub outliers: Vec<Outlier>,
}

/// One position with what was expected of it.
struct Observation {
    game: u32,
    result: f64,
    expected: [f64; 2],
    phase: usize,
    pieces: usize,
    /// White's lead in material, in points.
    lead: i32,
}

/// Compares the engine's evaluations before and after, in centipawns from White's view, with what
/// became of the samples; `k` is that of the fit.
pub fn diagnose(samples: &[Sample], evaluations: [&[i32]; 2], k: f64) -> Diagnosis {
    let observations: Vec<Observation> = samples
        .iter()
        .enumerate()
        .map(|(index, sample)| {
            let position = sample.position();
            let position: &Position = position.typed();
            Observation {
                game: sample.game(),
                result: sample.result(),
                expected: evaluations.map(|it| expected(k * NATURAL, f64::from(it[index]))),
                phase: phase_of(position),
                pieces: pieces_on(position),
                lead: lead_in(position),
            }
        })
        .collect();
    let phases = 0..PHASES.len();
    let reliability = phases.map(|phase| Reliability {
        name: PHASES[phase].1.to_string(),
        before: bins(&observations, phase, 0),
        after: bins(&observations, phase, 1),
    });
    let of_kind =
        |name: &str, is_in: &dyn Fn(&Observation) -> bool| kind(&observations, name, is_in);
    let pieces = PIECES.iter().enumerate();
    let leads = LEADS.iter().enumerate();
    Diagnosis {
        fall_error: fall_error(&observations),
        reliability: reliability.collect(),
        by_pieces: pieces
            .filter_map(|(index, name)| of_kind(name, &|it| it.pieces == index))
            .collect(),
        by_lead: leads
            .filter_map(|(index, &(least, name))| {
                let next = LEADS.get(index + 1).map_or(i32::MAX, |lead| lead.0);
                of_kind(name, &|it| (least..next).contains(&it.lead.abs()))
            })
            .collect(),
        outliers: outliers(samples, &observations, evaluations[1]),
    }
}

/// The same of positions of which no more is known than game and White's result: whether the fall is
/// one, and how reliable what is expected of all of them is.
pub fn diagnose_results(games: &[(u32, f64)], evaluations: [&[f64]; 2], k: f64) -> Diagnosis {
    let mut observations: Vec<Observation> = games
        .iter()
        .enumerate()
        .map(|(index, &(game, result))| Observation {
            game,
            result,
            expected: evaluations.map(|it| expected(k * NATURAL, it[index])),
            phase: 0,
            pieces: 0,
            lead: 0,
        })
        .collect();
    observations.sort_by_key(|it| it.game);
    let [before, after] = [0, 1].map(|when| bins(&observations, 0, when));
    let all = Reliability { name: "all positions".to_string(), before, after };
    Diagnosis {
        fall_error: fall_error(&observations),
        reliability: vec![all],
        ..Diagnosis::default()
    }
}

/// Standard error of the fall of the mean squared error; the positions of a game lie together.
fn fall_error(observations: &[Observation]) -> f64 {
    let fall = |it: &Observation| {
        let [before, after] = it.expected.map(|expected| (it.result - expected).powi(2));
        (it.game, before - after)
    };
    let falls: Vec<(u32, f64)> = observations.iter().map(fall).collect();
    mean_by_game(&falls).1
}

/// The best K of each phase at the engine's evaluations of the samples.
pub fn scales_by_phase(samples: &[Sample], evaluations: &[i32]) -> Vec<PhaseScale> {
    let phases: Vec<usize> =
        samples.iter().map(|sample| phase_of(sample.position().typed())).collect();
    let scale = |phase: usize| {
        let chosen = (0..phases.len()).filter(|&index| phases[index] == phase);
        let known: Vec<(f32, f32)> = chosen
            .map(|index| (evaluations[index] as f32, samples[index].result() as f32))
            .collect();
        let (name, positions) = (PHASES[phase].1.to_string(), known.len());
        (positions >= BIN_MIN).then(|| PhaseScale { name, positions, k: fit_k(&known) })
    };
    (0..PHASES.len()).filter_map(scale).collect()
}

/// Mean squared error of the samples at the engine's evaluations, each with the K of its phase.
pub fn error_by_phase(
    samples: &[Sample],
    evaluations: &[i32],
    k: f64,
    scales: &[PhaseScale],
) -> f64 {
    let squares = samples.iter().zip(evaluations).map(|(sample, &evaluation)| {
        let name = PHASES[phase_of(sample.position().typed())].1;
        let k = scales.iter().find(|scale| scale.name == name).map_or(k, |scale| scale.k);
        (sample.result() - expected(k * NATURAL, f64::from(evaluation))).powi(2)
    });
    squares.sum::<f64>() / samples.len() as f64
}

/// Pieces that may stand beside kings and pawns.
const PIECES: [&str; 6] = [
    "queens and rooks",
    "queens, no rooks",
    "rooks and minor pieces",
    "rooks alone",
    "minor pieces alone",
    "pawns alone",
];

/// Index in [`PIECES`].
fn pieces_on(position: &Position) -> usize {
    let has = |kind| position.kind(kind).count() > 0;
    let minors = has(PieceType::Knight) || has(PieceType::Bishop);
    match (has(PieceType::Queen), has(PieceType::Rook), minors) {
        (true, true, _) => 0,
        (true, false, _) => 1,
        (false, true, true) => 2,
        (false, true, false) => 3,
        (false, false, true) => 4,
        (false, false, false) => 5,
    }
}

/// Index in [`PHASES`].
fn phase_of(position: &Position) -> usize {
    let count = |kind| position.kind(kind).count();
    let minors = count(PieceType::Knight) + count(PieceType::Bishop);
    let phase = minors + 2 * count(PieceType::Rook) + 4 * count(PieceType::Queen);
    PHASES.iter().position(|&(least, _)| phase >= least).unwrap_or(PHASES.len() - 1)
}

/// White's lead in material, in points.
fn lead_in(position: &Position) -> i32 {
    let points = |color: Color| -> i32 {
        let kinds = PieceType::ALL.iter().filter(|&&kind| kind != PieceType::King);
        kinds.map(|&kind| POINTS[kind.index()] * position.pieces(color, kind).count() as i32).sum()
    };
    points(Color::White) - points(Color::Black)
}

/// Mean of values and its standard error, with games as what is independent; those of a game are
/// neighbors.
fn mean_by_game(values: &[(u32, f64)]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().map(|it| it.1).sum::<f64>() / count;
    let games = values.chunk_by(|one, other| one.0 == other.0);
    let squares = games.map(|game| game.iter().map(|it| it.1 - mean).sum::<f64>().powi(2));
    (mean, squares.sum::<f64>().sqrt() / count)
}

/// The positions of a phase by expected result, before (0) or after (1).
fn bins(observations: &[Observation], phase: usize, when: usize) -> Vec<Bin> {
    let bin_of = |it: &Observation| ((it.expected[when] * BINS as f64) as usize).min(BINS - 1);
    let bin = |index: usize| {
        let chosen: Vec<&Observation> =
            observations.iter().filter(|it| it.phase == phase && bin_of(it) == index).collect();
        if chosen.len() < BIN_MIN {
            return None;
        }
        let count = chosen.len() as f64;
        let residuals: Vec<(u32, f64)> =
            chosen.iter().map(|it| (it.game, it.result - it.expected[when])).collect();
        Some(Bin {
            positions: chosen.len(),
            expected: chosen.iter().map(|it| it.expected[when]).sum::<f64>() / count,
            result: chosen.iter().map(|it| it.result).sum::<f64>() / count,
            error: mean_by_game(&residuals).1,
        })
    };
    (0..BINS).filter_map(bin).collect()
}

/// The positions for which `is_in` holds; none if they are too few.
fn kind(
    observations: &[Observation],
    name: &str,
    is_in: &dyn Fn(&Observation) -> bool,
) -> Option<Kind> {
    let chosen: Vec<&Observation> = observations.iter().filter(|it| is_in(it)).collect();
    if chosen.len() < BIN_MIN {
        return None;
    }
    let error = |when: usize| {
        chosen.iter().map(|it| (it.result - it.expected[when]).powi(2)).sum::<f64>()
            / chosen.len() as f64
    };
    let residuals: Vec<(u32, f64)> = chosen
        .iter()
        .map(|it| (it.game, (it.result - it.expected[1]) * if it.lead < 0 { -1.0 } else { 1.0 }))
        .collect();
    let (residual, residual_error) = mean_by_game(&residuals);
    Some(Kind {
        name: name.to_string(),
        positions: chosen.len(),
        before: error(0),
        after: error(1),
        residual,
        residual_error,
    })
}

/// The positions whose results came least expected, one a game.
fn outliers(samples: &[Sample], observations: &[Observation], evaluations: &[i32]) -> Vec<Outlier> {
    let residual = |index: usize| {
        let Observation { result, expected, .. } = &observations[index];
        (result - expected[1]).abs()
    };
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by(|&one, &other| residual(other).total_cmp(&residual(one)).then(one.cmp(&other)));
    let mut chosen: Vec<usize> = Vec::new();
    for index in order {
        if chosen.len() == OUTLIERS {
            break;
        }
        if chosen.iter().all(|&other| samples[other].game() != samples[index].game()) {
            chosen.push(index);
        }
    }
    let outlier = |index: usize| {
        let position = samples[index].position();
        Outlier {
            fen: position.to_fen(),
            evaluation: evaluations[index],
            expected: observations[index].expected[1],
            result: samples[index].result(),
            score: samples[index].score(),
        }
    };
    chosen.into_iter().map(outlier).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str, game: u32, result: f32) -> Sample {
        let position = Position::from_fen(fen).expect("a legal position");
        Sample::new(&position.into(), game, 0, None, result).expect("few pieces")
    }

    /// Two positions of one game say no more than one of them.
    #[test]
    fn errors_of_means_are_those_of_games() {
        let single = [(0, 1.0), (1, 0.0), (2, 1.0), (3, 0.0)];
        let double: Vec<(u32, f64)> = single.iter().flat_map(|&it| [it, it]).collect();
        assert_eq!(mean_by_game(&single), (0.5, 0.25));
        assert_eq!(mean_by_game(&double), (0.5, 0.25));
    }

    #[test]
    fn positions_fall_into_kinds() {
        for (fen, phase, pieces, lead) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0, 0, 0),
            ("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1", 3, 1, 10),
            ("r3k3/8/8/8/8/8/8/N3K3 w - - 0 1", 3, 2, -2),
            ("r3k2r/8/8/8/8/8/8/R3K3 w - - 0 1", 2, 3, -5),
            ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", 3, 4, 3),
            ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", 3, 5, -1),
        ] {
            let position = Position::from_fen(fen).expect("a legal position");
            let found = (phase_of(&position), pieces_on(&position), lead_in(&position));
            assert_eq!(found, (phase, pieces, lead), "{fen}");
        }
    }

    /// A side that leads and does better than expected has a positive residual, whichever it is;
    /// outliers are of different games, and K is that which the results were made by.
    #[test]
    fn residuals_outliers_and_scales_are_those_of_the_results() {
        let white = "4k3/8/8/8/8/8/4P3/3RK3 w - - 0 1";
        let black = "3rk3/4p3/8/8/8/8/8/4K3 w - - 0 1";
        let mut samples = Vec::new();
        for game in 0..400 {
            let result = if game % 4 == 3 { 0.5 } else { 1.0 };
            samples.push(sample(white, 2 * game, result));
            samples.push(sample(black, 2 * game + 1, 1.0 - result));
        }
        samples[7] = sample(white, 8, 0.0);
        samples[8] = sample(white, 8, 0.0);
        let evaluations: Vec<i32> = samples
            .iter()
            .map(|it| if lead_in(it.position().typed()) > 0 { 100 } else { -100 })
            .collect();
        let zeros = vec![0; samples.len()];
        let found = diagnose(&samples, [&zeros, &evaluations], 1.0);
        let expected = 1.0 / (1.0 + 10f64.powf(-0.25));
        let [kind] = &found.by_lead[..] else { panic!("{:?}", found.by_lead) };
        assert!((kind.residual - (0.875 - expected)).abs() < 0.01, "{kind:?}");
        assert!(kind.after < kind.before && found.fall_error > 0.0);
        assert_eq!(found.by_pieces.len(), 1);
        let games: Vec<i32> = found.outliers.iter().map(|it| it.evaluation).collect();
        assert_eq!((found.outliers.len(), games[0]), (OUTLIERS, 100));
        assert!(found.outliers[1].result != 0.0 || found.outliers[1].evaluation < 0);
        let scales = scales_by_phase(&samples, &evaluations);
        let k = 4.0 * (0.875f64 / 0.125).log10();
        assert!((scales[0].k - k).abs() < 0.05, "{scales:?} {k}");
        let by_phase = error_by_phase(&samples, &evaluations, 1.0, &scales);
        assert!(by_phase < error_by_phase(&samples, &evaluations, 1.0, &[]));
    }
}
