//! The king's safety.
//!
//! Advisors and elephants are worth what the enemy's attack makes them worth: without advisors two rooks
//! mate, without elephants cannons have the middle file. Attackers that come together, on one wing, are
//! worth more than one by one.

use super::scene::Scene;
use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Bitboard, Board, Color, Kind, Square, attacks};

pub(super) fn terms<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    let (us, them) = (color.index(), (!color).index());
    let of_them = |kind| board.of(!color, kind);
    let attackers = scene.on_palace[them].min(6);
    side.add(&w.king.attackers[attackers as usize], 1);
    let attacked = scene.all[them] & attacks::palace(us);
    side.add(&w.king.attacked[attacked.count() as usize], 1);
    let missing = |kind| 2 - board.of(color, kind).count() as usize;
    let mut without = |table: &[parameters::Score; 4], missing: usize, enemies: u32| {
        if missing > 0 && enemies > 0 {
            side.add(&table[2 * (missing - 1) + enemies as usize - 1], 1);
        }
    };
    let rooks = of_them(Kind::Rook).count();
    without(&w.king.advisors_against_rooks, missing(Kind::Advisor), rooks);
    let cannons = of_them(Kind::Cannon).count();
    without(&w.king.elephants_against_cannons, missing(Kind::Elephant), cannons);
    let middle = Square::new(4, if color == Color::White { 1 } else { 8 });
    if board.of(color, Kind::Horse).contains(middle) {
        side.add(&w.king.horse_inside, 1);
    }
    let heavy = of_them(Kind::Rook) | of_them(Kind::Horse) | of_them(Kind::Cannon);
    let across = heavy & attacks::half(us);
    let on = |files: [usize; 4]| -> u32 {
        let wing = files.into_iter().map(Bitboard::file).fold(Bitboard::EMPTY, Bitboard::or);
        (across & wing).count()
    };
    let most = on([0, 1, 2, 3]).max(on([5, 6, 7, 8])).min(4);
    side.add(&w.king.one_wing[most as usize], 1);
}
