//! Men that the enemy attacks.
//!
//! A search sees what is captured next; two threats at once, or one that has to be answered while another
//! plan goes on, are worth something before that.

use super::scene::Scene;
use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Board, Color, Kind};

/// Men that can be lost.
const VICTIMS: usize = Kind::COUNT - 1;

pub(super) fn terms<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    let (us, them) = (color.index(), (!color).index());
    let mine = board.color(color) & scene.all[them] & !board.kind(Kind::King);
    if mine.is_empty() {
        return;
    }
    let guarded = mine & scene.all[us];
    let loose = mine & !scene.all[us];
    for attacker in Kind::ALL {
        let set = scene.of_kind[them][attacker.index()];
        let first = VICTIMS * attacker.index();
        for (men, table) in [(guarded, &w.threats.guarded), (loose, &w.threats.loose)] {
            for victim in set & men {
                if let Some(man) = board.man_on(victim) {
                    side.add(&table[first + man.kind.index()], 1);
                }
            }
        }
    }
}
