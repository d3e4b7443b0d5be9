//! Are moves legal?

use std::time::Duration;

use matches::games;
use playable::{Move, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use random::stream;

use super::exam::{Exam, Stop};
use super::positions::{CHESS960, ODD, Place};
use super::report::Severity::{Note, Warning};

/// Games that are drawn, and the most plies of one.
const GAMES: u64 = 12;
const MOST_PLIES: usize = 400;
/// Positions that are drawn, after so many plies at most.
const DRAWN: u64 = 12;
const DRAWN_PLIES: usize = 120;

/// The stream of random numbers of each check: no two have the same.
const LEGAL_STREAM: u64 = 0;
const GAME_STREAM: u64 = 1 << 32;
const CHESS960_STREAM: u64 = 2 << 32;

/// Plays so many random moves, as far as the game goes on; of a castling that is possible nearly
/// always that.
fn play_on(place: &mut Place, plies: usize, dialect: usize, random: &mut ChaCha8Rng) {
    let is_chess = games::is_usual(&place.position.game());
    let is_castling = |mv: &&Move| is_chess && mv.typed::<chess::Move>().is_castling();
    let is_over = |position: &Position| match is_chess {
        true => !position.has_legal_move(),
        false => position.outcome().is_some(),
    };
    for _ in 0..plies {
        let moves = place.position.legal_moves();
        let castling = moves.iter().find(is_castling).copied();
        let any = moves[random.random_range(0..moves.len())];
        let mv = castling.filter(|_| random.random_range(0..4) > 0).unwrap_or(any);
        let mut next = place.clone();
        next.play(mv, dialect);
        if is_over(&next.position) {
            break;
        }
        *place = next;
    }
}

pub(super) fn legal_moves(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    let seed = exam.settings.seed;
    let mut places = exam.positions().odd.clone();
    for number in 0..DRAWN {
        let mut random = stream(seed, LEGAL_STREAM + number);
        let mut place = exam.after(&[]);
        let plies = random.random_range(1..DRAWN_PLIES);
        play_on(&mut place, plies, exam.dialect, &mut random);
        places.push(Place::of(&place.position));
    }
    for place in places {
        let answer = exam.glance(&place)?;
        exam.legal_move(&answer);
    }
    Ok(())
}

pub(super) fn single_reply(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let places = exam.some(|positions| &positions.single)?;
    exam.meet()?;
    for place in places {
        let answer = exam.glance(&place)?;
        exam.legal_move(&answer);
    }
    Ok(())
}

pub(super) fn long_games(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for number in 0..GAMES {
        let mut random = stream(exam.settings.seed, GAME_STREAM + number);
        let mut place = exam.after(&[]);
        let plies = MOST_PLIES * (1 + number as usize) / GAMES as usize;
        play_on(&mut place, plies, exam.dialect, &mut random);
        exam.say("ucinewgame")?;
        let answer = exam.glance(&place)?;
        exam.legal_move(&answer);
    }
    Ok(())
}

pub(super) fn no_moves(exam: &mut Exam<'_>) -> Result<(), Stop> {
    for place in exam.some(|positions| &positions.over)? {
        exam.meet()?;
        let guard = Duration::from_millis(400);
        let remedy = "Runners do not ask where a game is over; other programs may.";
        match exam.search(&place, "go depth 2", guard) {
            Ok(answer) => {
                use matches::game::FaultKind;
                let is_none = answer.read().is_err_and(|fault| fault.kind == FaultKind::NoMove);
                if !is_none {
                    let what = "it answers with a move where there is none";
                    exam.find(Note, what, std::slice::from_ref(&answer.line), remedy);
                }
            }
            Err(Stop::Fault(fault)) => {
                exam.find(Note, &format!("{fault}, where the game is over"), &[], remedy);
                exam.leave();
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

pub(super) fn chess960(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    if exam.option("UCI_Chess960").is_none() {
        let remedy = "Give it openings of standard chess.";
        exam.find(Note, "it does not play Chess960: there is no option UCI_Chess960", &[], remedy);
        return Ok(());
    }
    exam.say("setoption name UCI_Chess960 value true")?;
    for (number, fen) in CHESS960.iter().enumerate() {
        let mut place = Place::of_fen(exam.settings.game, fen);
        let answer = exam.glance(&place)?;
        exam.legal_move(&answer);
        let mut random = stream(exam.settings.seed, CHESS960_STREAM + number as u64);
        play_on(&mut place, 60, exam.dialect, &mut random);
        let answer = exam.glance(&place)?;
        exam.legal_move(&answer);
    }
    // The same men without the option: standard chess must come back.
    exam.say("setoption name UCI_Chess960 value false")?;
    let answer = exam.glance(&Place::of_fen(exam.settings.game, ODD[0]))?;
    if answer.read().is_err() {
        let remedy = "Turn the option off only with a new process.";
        exam.find(Warning, "after UCI_Chess960 was turned off", &[answer.line], remedy);
    }
    Ok(())
}
