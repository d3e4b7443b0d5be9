//! The king's safety.
//!
//! Advisors and elephants are worth what the enemy's attack makes them worth: without advisors two rooks
//! mate, without elephants cannons have the middle file. Attackers that come together are worth more than
//! one by one, and most where a check cannot be answered by capturing who gives it.

use super::scene::Scene;
use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Bitboard, Board, Color, Kind, Square, attacks};

/// Steps of danger told apart, for each number of defenders.
const STEPS: usize = 16;

pub(super) fn terms<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    attack(board, color, scene, w, side);
    defenders(board, color, w, side);
    let (us, king) = (color.index(), board.king(color));
    let attacked = scene.all[1 - us];
    side.add(&w.king.attacked[(attacked & attacks::palace(us)).count() as usize], 1);
    let exits = attacks::king(king) & !board.color(color) & !attacked;
    side.add(&w.king.exits[exits.count() as usize], 1);
    let pinned = board.shields(color) & board.color(color);
    for (kind, weight) in Kind::ALL.into_iter().zip(&w.king.pinned) {
        side.add(weight, (pinned & board.kind(kind)).count() as i32);
    }
    let middle = Square::new(4, if color == Color::White { 1 } else { 8 });
    if board.of(color, Kind::Horse).contains(middle) {
        side.add(&w.king.horse_inside, 1);
    }
    let heavy = board.kind(Kind::Rook) | board.kind(Kind::Horse) | board.kind(Kind::Cannon);
    let across = heavy & board.color(!color) & attacks::half(us);
    let on = |files: [usize; 4]| -> u32 {
        let wing = files.into_iter().map(Bitboard::file).fold(Bitboard::EMPTY, Bitboard::or);
        (across & wing).count()
    };
    let most = on([0, 1, 2, 3]).max(on([5, 6, 7, 8])).min(4);
    side.add(&w.king.one_wing[most as usize], 1);
}

/// Checks that cannot be captured, and the danger that they and all attackers make together.
fn attack<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    let (us, them) = (color.index(), (!color).index());
    let free = !board.color(!color) & !scene.all[us];
    let mut danger = 0;
    for (place, kind) in [Kind::Pawn, Kind::Cannon, Kind::Horse, Kind::Rook].into_iter().enumerate()
    {
        let mut reached = scene.of_kind[them][kind.index()];
        if kind == Kind::Cannon {
            let [first, second] = scene.cannon_walks[them];
            reached = reached & board.color(color) | first | second;
        }
        let checks = (scene.checks[them][kind.index()] & reached & free).count().min(2);
        if checks > 0 {
            side.add(&w.king.safe_checks[2 * place + checks as usize - 1], 1);
        }
        let unit = if matches!(kind, Kind::Horse | Kind::Rook) { 2 } else { 1 };
        danger += unit * scene.on_palace[them][kind.index()] + 2 * checks;
    }
    let count = (board.of(color, Kind::Advisor) | board.of(color, Kind::Elephant)).count();
    let group = (4 - count.min(4)).div_ceil(2) as usize;
    side.add(&w.king.danger[STEPS * group + (danger as usize).min(STEPS - 1)], 1);
}

/// Defenders that are missing where the enemy has what they would hold.
fn defenders<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let mut without = |table: &[parameters::Score; 4], missing: Kind, enemies: Kind| {
        let missing = 2 - (board.of(color, missing).count() as usize).min(2);
        let enemies = (board.of(!color, enemies).count() as usize).min(2);
        if missing > 0 && enemies > 0 {
            side.add(&table[2 * (missing - 1) + enemies - 1], 1);
        }
    };
    without(&w.king.advisors_against_rooks, Kind::Advisor, Kind::Rook);
    without(&w.king.advisors_against_horses, Kind::Advisor, Kind::Horse);
    without(&w.king.elephants_against_cannons, Kind::Elephant, Kind::Cannon);
    without(&w.king.elephants_against_horses, Kind::Elephant, Kind::Horse);
}
