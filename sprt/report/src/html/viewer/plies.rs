//! The plies of a game as the page embeds them: short, and so that whoever shows them needs no rules
//! of the game.

use std::fmt::Write;

use matches::game::{GameRecord, PlyRecord, plies_to_mate};
use playable::{Color, Position};

/// The plies of a game, parted by blanks, each of it as fields parted by slashes, of which empty
/// ones at the end are left out:
///
/// 1. what changes on the board: `e2e4` takes what stands on e2 to e4; else (castling, en passant,
///    promotion) squares with what stands on them then, `e1.f1Rg1Kh1.`, a dot being nothing; with
///    `!` behind it if the count of plies without progress begins again;
/// 2. the move, in the notation of this number;
/// 3. the score from White's view: centipawns, or `#3`, `#-3` as moves to a mate;
/// 4. depth; 5. nodes; 6. tenths of a millisecond, if `with_times`;
/// 7. and further: the words of the position between turn and counters that have changed, of chess castling
///    rights and the square of en passant.
pub fn text_of_plies(game: &GameRecord, notation: usize, with_times: bool) -> String {
    let mut position = game.start.clone();
    let mut state = state_of(&position);
    let mut men = men_of(&position);
    let mut text = String::with_capacity(24 * game.plies.len());
    for ply in &game.plies {
        let mover = position.side_to_move();
        let mut san = String::new();
        position.play_and_push_in(notation, ply.mv, &mut san);
        position.forget_unrepeatable_past();
        let before = std::mem::replace(&mut men, men_of(&position));
        if !text.is_empty() {
            text.push(' ');
        }
        push_change(&position, &before, &men, &mut text);
        if position.halfmove_clock() == 0 {
            text.push('!');
        }
        let earlier = std::mem::replace(&mut state, state_of(&position));
        let changed = state
            .iter()
            .zip(earlier)
            .map(|(now, earlier)| if *now == earlier { String::new() } else { now.clone() });
        let fields = [
            san,
            score_text(ply, mover),
            number_text(u64::from(ply.depth)),
            number_text(ply.nodes),
            if with_times { (ply.time / 100).to_string() } else { String::new() },
        ];
        let fields: Vec<String> = fields.into_iter().chain(changed).collect();
        let used = fields.iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
        for field in &fields[..used] {
            text.push('/');
            text.push_str(field);
        }
    }
    text
}

/// The words of a position between turn and counters.
fn state_of(position: &Position) -> Vec<String> {
    let words = position.game().word_counts().0;
    position.to_fen().split(' ').take(words).skip(2).map(str::to_owned).collect()
}

/// The men by square.
fn men_of(position: &Position) -> Vec<Option<char>> {
    (0..position.game().squares()).map(|square| position.man_on(square)).collect()
}

/// Appends the differences between the men before a move and after it, which stand in `position`.
fn push_change(
    position: &Position,
    before: &[Option<char>],
    after: &[Option<char>],
    text: &mut String,
) {
    let name = |square| position.game().square_name(square);
    let changed: Vec<usize> =
        (0..after.len()).filter(|&square| before[square] != after[square]).collect();
    let is_step = |from: usize, to: usize| after[from].is_none() && after[to] == before[from];
    let (from, to) = match changed[..] {
        [one, other] if is_step(one, other) => (one, other),
        [one, other] if is_step(other, one) => (other, one),
        _ => {
            for square in changed {
                let _ = write!(text, "{}{}", name(square), after[square].unwrap_or('.'));
            }
            return;
        }
    };
    let _ = write!(text, "{}{}", name(from), name(to));
}

/// Centipawns or moves to a mate from White's view, the moves as the mover counts them; empty if it
/// said nothing.
fn score_text(ply: &PlyRecord, mover: Color) -> String {
    let Some(score) = ply.score_for(mover) else { return String::new() };
    let is_black_better = (score < 0) == (mover == Color::White);
    let sign = if is_black_better && score != 0 { "-" } else { "" };
    match plies_to_mate(score) {
        Some(plies) => format!("#{sign}{}", plies.div_ceil(2)),
        None => format!("{sign}{}", score.unsigned_abs()),
    }
}

/// A number; empty if it is 0, which says that it is not known.
fn number_text(number: u64) -> String {
    if number == 0 { String::new() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use matches::game::{GameResult, Termination};

    use super::*;

    /// The text of moves from a position, without scores.
    fn text_of(fen: &str, chess960: bool, moves: &str) -> String {
        let mut start = chess::GAME.position(fen).expect("good");
        start.set_chess960(chess960);
        let mut position = start.clone();
        let ply = |text: &str| {
            let mv = position.parse_uci(text).expect("legal");
            position.play(mv);
            PlyRecord { mv, score: None, depth: 0, selective_depth: 0, nodes: 0, time: 0 }
        };
        let game = GameRecord {
            start: start.clone(),
            plies: moves.split(' ').map(ply).collect(),
            result: GameResult::Draw,
            termination: Termination::MaxPlies,
            faults: Vec::new(),
            audit: None,
            warnings: Vec::new(),
        };
        text_of_plies(&game, 0, false)
    }

    #[test]
    fn special_moves_say_every_square() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(
            text_of(castling, false, "e1g1 e8c8"),
            "e1.f1Rg1Kh1./O-O/////kq a8.c8kd8re8./O-O-O/////-"
        );
        let en_passant = "4k3/5p2/8/4P3/8/8/8/4K3 b - - 3 9";
        assert_eq!(
            text_of(en_passant, false, "f7f5 e5f6"),
            "f7f5!/f5//////f6 e5.f5.f6P!/exf6//////-"
        );
        let promotion = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(text_of(promotion, false, "a7b8q"), "a7.b8Q!/axb8=Q+");
    }

    #[test]
    fn castling_of_chess960_is_what_happens_on_the_board() {
        // The king stays where it is, and the rook alone moves; or both change places.
        let stays = "4k3/8/8/8/8/8/8/6KR w K - 0 1";
        assert_eq!(text_of(stays, true, "g1h1"), "h1f1/O-O/////-");
        let swap = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        assert_eq!(text_of(swap, true, "f1g1"), "f1Rg1K/O-O/////-");
    }

    #[test]
    fn scores_are_white_s() {
        let ply = |score| PlyRecord {
            mv: playable::Move::NONE,
            score,
            depth: 1,
            selective_depth: 1,
            nodes: 1,
            time: 0,
        };
        let texts = |mover, scores: [Option<i16>; 5]| {
            scores.map(|score| score_text(&ply(score), mover)).join(" ")
        };
        // A mate of the mover's own comes on an odd ply, one that it suffers on an even one.
        let by_white = [None, Some(0), Some(-31), Some(30_995), Some(-30_996)];
        assert_eq!(texts(Color::White, by_white), " 0 -31 #3 #-2");
        let by_black = [None, Some(0), Some(31), Some(-30_999), Some(30_996)];
        assert_eq!(texts(Color::Black, by_black), " 0 31 #-1 #2");
    }
}
