//! Are moves legal?

use std::time::Duration;

use chess::{Move, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use random::stream;

use super::exam::{Exam, Stop};
use super::positions::{CHESS960, ODD, OVER, SINGLE};
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

fn position_of(fen: &str) -> Position {
    Position::from_fen(fen).expect("a good position")
}

/// Plays so many random moves, as far as there are any; of a castling that is possible nearly always
/// that. Returns the moves as they are sent.
fn play_on(position: &mut Position, plies: usize, random: &mut ChaCha8Rng) -> Vec<String> {
    let mut played = Vec::new();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let is_castling = |mv: &&Move| mv.is_castling();
        let castling = moves.iter().find(is_castling).copied();
        let any = moves[random.random_range(0..moves.len())];
        let mv = castling.filter(|_| random.random_range(0..4) > 0).unwrap_or(any);
        played.push(position.uci(mv, position.chess960()));
        position.play(mv);
    }
    if position.legal_moves().is_empty() && !played.is_empty() {
        position.undo();
        played.pop();
    }
    played
}

pub(super) fn legal_moves(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    let seed = exam.settings.seed;
    let mut fens: Vec<String> = ODD.iter().map(|&fen| fen.to_owned()).collect();
    for number in 0..DRAWN {
        let mut random = stream(seed, LEGAL_STREAM + number);
        let mut position = Position::start();
        let plies = random.random_range(1..DRAWN_PLIES);
        play_on(&mut position, plies, &mut random);
        fens.push(position.to_fen(false));
    }
    for fen in fens {
        let answer = exam.glance(&format!("position fen {fen}"), &position_of(&fen))?;
        exam.legal_move(&answer);
    }
    Ok(())
}

pub(super) fn single_reply(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for fen in SINGLE {
        let answer = exam.glance(&format!("position fen {fen}"), &position_of(fen))?;
        exam.legal_move(&answer);
    }
    Ok(())
}

pub(super) fn long_games(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for number in 0..GAMES {
        let mut random = stream(exam.settings.seed, GAME_STREAM + number);
        let mut position = Position::start();
        let plies = MOST_PLIES * (1 + number as usize) / GAMES as usize;
        let moves = play_on(&mut position, plies, &mut random);
        exam.say("ucinewgame")?;
        let answer =
            exam.glance(&format!("position startpos moves {}", moves.join(" ")), &position)?;
        exam.legal_move(&answer);
    }
    Ok(())
}

pub(super) fn no_moves(exam: &mut Exam<'_>) -> Result<(), Stop> {
    for fen in OVER {
        exam.meet()?;
        let setup = format!("position fen {fen}");
        let guard = Duration::from_millis(400);
        let remedy = "Runners do not ask where a game is over; other programs may.";
        match exam.search(&setup, &position_of(fen), "go depth 2", guard) {
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
        let answer = exam.glance(&format!("position fen {fen}"), &position_of(fen))?;
        exam.legal_move(&answer);
        let mut position = position_of(fen);
        let mut random = stream(exam.settings.seed, CHESS960_STREAM + number as u64);
        let moves = play_on(&mut position, 60, &mut random);
        let setup = format!("position fen {fen} moves {}", moves.join(" "));
        let answer = exam.glance(&setup, &position)?;
        exam.legal_move(&answer);
    }
    // The same men without the option: standard chess must come back.
    exam.say("setoption name UCI_Chess960 value false")?;
    let fen = ODD[0];
    let answer = exam.glance(&format!("position fen {fen}"), &position_of(fen))?;
    if answer.read().is_err() {
        let remedy = "Turn the option off only with a new process.";
        exam.find(Warning, "after UCI_Chess960 was turned off", &[answer.line], remedy);
    }
    Ok(())
}
