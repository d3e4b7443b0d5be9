//! Each family of terms on positions made for it.

use std::collections::BTreeMap;

use chess::evaluation::{Channel, Sides, Trace, trace};
use chess::{Parameters, Weights};

use super::position;

/// How often each weight occurs in a trace, by `group.name[index]`; main terms White minus Black.
fn times(fen: &str) -> BTreeMap<String, i32> {
    let weights = Parameters::embedded().weights;
    let mut traced = Trace::new();
    trace(position(fen).board(), &weights, &mut traced);
    assert_eq!(traced.exact, None, "{fen}");
    let mut times = BTreeMap::new();
    for entry in &traced.entries {
        let cell = usize::from(entry.cell);
        let info = Weights::INFO.iter().rfind(|info| info.first_cell <= cell).unwrap();
        let mut name = format!("{}.{}", info.group, info.name);
        if info.is_array {
            name += &format!("[{}]", cell - info.first_cell);
        }
        let (channel, side) = Channel::of_sum(usize::from(entry.sum));
        if channel.sides == Sides::Each {
            name += [" white", " black"][side];
        }
        *times.entry(name).or_default() += i32::from(entry.times);
    }
    times
}

/// Checks how often terms occur (White minus Black): (position, name, times).
fn expect(rows: &[(&str, &str, i32)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(fen, name, expected)| {
            let found = times(fen).get(*name).copied().unwrap_or(0);
            (found != *expected).then(|| format!("{name} in {fen}: {found}, not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pawn_structure() {
    let scattered = "4k3/8/8/3p4/1P6/1P6/P4P1P/4K3 w - - 0 1";
    let chain = "4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1";
    expect(&[
        (scattered, "pawns.doubled[1]", 1),
        (scattered, "pawns.doubled_blocked", 1),
        (scattered, "pawns.isolated[2]", 1),
        (scattered, "pawns.isolated[3]", -1),
        (scattered, "pawns.islands", 2),
        (scattered, "pawns.supported[0]", 1),
        ("4k3/8/8/2pp4/3P4/4P3/8/4K3 w - - 0 1", "pawns.phalanx[2]", -2),
        // d3 cannot go: c5 guards d4, and its neighbor has gone ahead.
        (chain, "pawns.backward[3]", 1),
        // Nor is there an enemy pawn before it, or before the isolated c5.
        (chain, "pawns.weak_unopposed", 0),
        ("4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "pawns.double_lever", 1),
        // One pawn can capture either of two, and each of those can capture it.
        ("4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "pawns.lever[0]", 1 - 2),
        ("4k3/8/2p5/3P4/8/8/8/4K3 w - - 0 1", "pawns.lever[1]", 1),
        ("4k3/p7/8/8/3P4/2P1P3/8/4K3 w - - 0 1", "pawns.supported_twice", 1),
        // Of two side by side, one is opposed.
        ("4k3/8/8/2pp4/3P4/4P3/8/4K3 w - - 0 1", "pawns.connected_unopposed[2]", -1),
        ("4k3/p7/8/8/PP6/8/8/4K3 w - - 0 1", "pawns.candidate[2]", 1),
        ("4k3/p1p5/8/8/PP6/8/8/4K3 w - - 0 1", "pawns.candidate[2]", 0),
        ("4k3/4p3/8/4P3/8/8/8/4K3 w - - 0 1", "pawns.blocked_advanced[0]", 0),
        ("4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1", "pawns.blocked_advanced[0]", 1),
    ]);
}

#[test]
fn passed_pawns() {
    let blocked = "4k3/8/1r6/1P6/P7/8/8/R3K3 w - - 0 1";
    let kings = "8/4k3/8/1K6/2P5/8/5p1P/8 w - - 0 1";
    expect(&[
        (blocked, "passed.rank[3]", 1),
        (blocked, "passed.rank[2]", 1),
        (blocked, "passed.connected[3]", 1),
        (blocked, "passed.connected[2]", 0),
        (blocked, "passed.blocked[3]", 1),
        (blocked, "passed.rook_behind", 1),
        ("4k3/8/8/8/P7/8/8/r3K3 w - - 0 1", "passed.enemy_rook_behind", 1),
        ("4k3/8/8/3n4/3P4/8/8/4K3 w - - 0 1", "passed.blockader[0]", 1),
        ("4k3/8/8/3n4/3P4/8/8/4K3 w - - 0 1", "passed.blocked[2]", 1),
        ("4k3/8/8/3r4/3P4/8/8/4K3 w - - 0 1", "passed.blockader[0]", 0),
        // The rook on a8 sees the whole way; the king on e8 only its end.
        ("r3k3/8/8/8/P7/8/6P1/4K3 w - - 0 1", "passed.safe_step[2]", 0),
        ("1k6/8/8/8/P7/8/6P1/4K3 w - - 0 1", "passed.safe_step[2]", 1),
        ("1k6/8/8/8/P7/8/6P1/4K3 w - - 0 1", "passed.safe_path[2]", 0),
        ("3k4/8/8/8/P7/8/6P1/4K3 w - - 0 1", "passed.safe_path[2]", 1),
        ("3k3r/8/8/P7/8/8/7p/R3K3 w - - 0 1", "passed.defended_path[3]", 1),
        ("3k3r/8/8/P7/8/8/7p/R3K3 w - - 0 1", "passed.defended_step[3]", 1),
        // Five steps from f5 to a8 are too many, even if he is to move; four from e5 are not.
        ("8/8/8/P4k2/8/8/6PP/6K1 w - - 0 1", "passed.unstoppable", 1),
        ("8/8/8/P4k2/8/8/6PP/6K1 b - - 0 1", "passed.unstoppable", 1),
        ("8/8/8/P3k3/8/8/6PP/6K1 b - - 0 1", "passed.unstoppable", 0),
        // With the king beside the way, the enemy king may stand where he likes.
        ("8/1K1k4/P7/8/8/7p/7P/8 b - - 0 1", "passed.unstoppable", 1),
        // c5 is the next square of c4.
        (kings, "passed.own_king[2]", 1),
        (kings, "passed.enemy_king[2]", 2),
    ]);
}

#[test]
fn minor_pieces() {
    expect(&[
        ("4k3/7p/1p6/3N4/2P5/8/8/4K3 w - - 0 1", "pieces.knight_outpost[1]", 1),
        ("4k3/2p5/8/3N4/2P5/8/8/4K3 w - - 0 1", "pieces.knight_outpost[1]", 0),
        ("4k3/8/8/3B4/8/8/p7/4K3 w - - 0 1", "pieces.bishop_outpost[0]", 1),
        ("4k3/8/8/3B4/2P5/8/p7/4K3 w - - 0 1", "pieces.bishop_outpost[1]", 1),
        ("4k3/8/1p6/8/2P5/4N3/8/4K3 w - - 0 1", "pieces.knight_reaches_outpost", 1),
        ("4k3/8/8/8/4P3/4N3/p7/4K3 w - - 0 1", "pieces.behind_pawn[0]", 1),
        ("4k3/p7/8/8/4p3/4B3/8/4K3 w - - 0 1", "pieces.behind_pawn[1]", 1),
        ("4k3/p7/8/8/4P3/3P4/8/3BK3 w - - 0 1", "pieces.bishop_pawns", 1 + 1),
        ("4k3/8/4p3/4P3/8/8/8/2B1K3 w - - 0 1", "pieces.bishop_blocked_pawns", 1),
        ("4k3/8/3p4/3P4/8/8/8/2B1K3 w - - 0 1", "pieces.bishop_blocked_pawns", 0),
        ("4k3/8/5p2/8/8/8/1B6/4K3 w - - 0 1", "pieces.bishop_xray_pawns", 1),
        ("4k3/p7/8/8/8/8/1B6/4K3 w - - 0 1", "pieces.bishop_long_diagonal", 1),
        ("4k3/p7/8/8/3P4/8/1B6/4K3 w - - 0 1", "pieces.bishop_long_diagonal", 0),
        // Behind the knight lies the king's ring; behind the pawn it does not.
        ("6k1/p7/8/4n3/8/8/1B6/4K3 w - - 0 1", "pieces.bishop_aims_at_king", 1),
        ("6k1/p7/8/4p3/8/8/1B6/4K3 w - - 0 1", "pieces.bishop_aims_at_king", 0),
        ("6k1/p7/8/8/8/8/1B6/4K3 w - - 0 1", "pieces.bishop_aims_at_king", 0),
        ("4k3/p7/8/8/8/8/3Q4/2B1K3 w - - 0 1", "pieces.battery[0]", 1),
        // The knight on a1 has b3 and c2; the pawn on c4 takes b3 away.
        ("4k3/8/8/8/2p5/8/8/N3K3 w - - 0 1", "mobility.knight[1]", 1),
        // A bishop pinned on the back rank has nowhere to go.
        ("4k3/8/8/8/8/8/8/KB5r w - - 0 1", "mobility.bishop[0]", 1),
    ]);
}

#[test]
fn major_pieces() {
    let half_open = "3qk3/3p4/8/8/8/8/1P6/3RK3 w - - 0 1";
    expect(&[
        ("6k1/p7/8/8/8/3R4/3R4/6K1 w - - 0 1", "pieces.battery[1]", 2),
        ("6k1/6p1/8/8/8/8/1P6/R2RK3 w - - 0 1", "pieces.rook_open_file", 2),
        (half_open, "pieces.rook_half_open_file", 1),
        (half_open, "pieces.rook_queen_file", 1),
        ("6k1/R7/8/8/8/8/7p/4K2N w - - 0 1", "pieces.rook_seventh", 1),
        ("8/R6p/6k1/8/8/8/8/4K3 w - - 0 1", "pieces.rook_seventh", 1),
        ("8/R7/6kp/8/8/8/8/4K3 w - - 0 1", "pieces.rook_seventh", 0),
        ("4k3/p7/8/8/8/8/6PP/5NKR w - - 0 1", "pieces.rook_trapped[1]", 1),
        ("4k3/p7/8/8/8/5N2/6PP/4K2R w K - 0 1", "pieces.rook_trapped[0]", 1),
        ("7k/p7/8/8/8/8/6PP/4RK2 w - - 0 1", "pieces.rook_trapped[1]", 0),
        ("4k3/4n3/8/8/8/8/8/K3R3 w - - 0 1", "pieces.king_xray[1]", 1),
        ("4k3/4r3/8/8/4N3/4Q3/8/K7 w - - 0 1", "pieces.queen_relative_pin[0]", 1),
        ("4k3/4p3/8/3Q4/8/8/8/K7 w - - 0 1", "pieces.queen_infiltration", 0),
        ("4k3/7p/8/3Q4/8/8/8/K7 w - - 0 1", "pieces.queen_infiltration", 1),
    ]);
}

#[test]
fn threats() {
    let fork = "4k3/8/8/3n1r2/4P3/8/8/4K3 w - - 0 1";
    let pinned_by_duty = "3qk3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
    expect(&[
        (fork, "threats.by_pawn[0]", 1),
        (fork, "threats.by_pawn[2]", 1),
        ("4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1", "threats.by_minor[3]", 1),
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "threats.by_rook[1]", 1),
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "threats.hanging", 1),
        ("7k/7p/8/3n4/4K3/8/8/7N w - - 0 1", "threats.by_king", 1),
        (pinned_by_duty, "threats.queen_guarded", 1),
        (pinned_by_duty, "threats.hanging", 0),
        ("4k3/8/3r1r2/8/4P3/4K3/8/4R3 w - - 0 1", "threats.safe_push", 2),
        ("4k3/3p4/3r1r2/8/4P3/4K3/8/4R3 w - - 0 1", "threats.safe_push", 2),
        ("4k3/8/3p1r2/8/4P3/4K3/8/4R3 w - - 0 1", "threats.safe_push", 0),
        ("3q3k/8/8/6N1/8/8/8/4K3 w - - 0 1", "threats.queen_by_knight", 2),
        ("q6k/8/8/8/8/4R3/4R3/6K1 w - - 0 1", "threats.queen_by_slider", 1),
        ("4k3/8/8/3r4/8/8/4P3/3RK3 w - - 0 1", "threats.restricted", 5 - 3),
    ]);
}

#[test]
fn king_safety() {
    let alike = times("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
    // Both shelters are alike: they cancel in the main channel, and count apart as danger.
    assert!(!alike.keys().any(|name| name.starts_with("king.")), "{alike:#?}");
    let attack = "6k1/5pp1/8/6NQ/8/8/8/6K1 w - - 0 1";
    expect(&[
        ("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", "danger.shelter[8] white", 1),
        ("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", "danger.shelter[8] black", 1),
        ("6k1/8/8/8/8/5pPp/5P1P/6K1 w - - 0 1", "danger.storm_blocked[0] white", 2),
        ("6k1/5ppp/8/8/8/8/8/6K1 w - - 0 1", "king.half_open_file", 1),
        ("6k1/8/8/8/8/8/5PPP/4r1K1 w - - 0 1", "danger.no_queen black", 1),
        // The queen checks from h7, h8 and e8; only the first two are safe or guarded again.
        (attack, "danger.attacker[0] black", 1),
        (attack, "danger.attacker[3] black", 1),
        (attack, "danger.attackers_together black", 1),
        (attack, "danger.safe_check[3] black", 1),
        (attack, "danger.safe_checks_many[3] black", 1),
        // A check on a guarded square is not safe.
        ("6k1/p7/8/8/8/8/8/1R4K1 w - - 0 1", "danger.safe_check[2] black", 1),
        ("r5k1/p7/8/8/8/8/6K1/1R6 w - - 0 1", "danger.safe_check[2] black", 0),
        ("r5k1/p7/8/8/8/8/6K1/1R6 w - - 0 1", "danger.unsafe_checks black", 1),
        ("6k1/6n1/8/8/8/8/8/K5R1 w - - 0 1", "danger.shield_pieces black", 1),
        ("6k1/6n1/8/8/8/8/8/K5R1 w - - 0 1", "danger.defender[0] black", 1),
    ]);
}

#[test]
fn material_squares_and_space() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let black_to_move = format!("{start} b KQkq - 0 1");
    let castled = "4k3/p7/8/8/4P3/5N2/8/4K3 w - - 0 1";
    let open = "rnbqkbnr/pppp1ppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let rammed = "4k3/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQ - 0 2";
    expect(&[
        (black_to_move.as_str(), "material.tempo", -1),
        (black_to_move.as_str(), "material.knight", 0),
        ("4k3/p7/8/8/8/8/8/2B1KB2 w - - 0 1", "material.bishop_pair", 1),
        ("4k3/p7/8/8/8/8/8/R3K2R w - - 0 1", "material.rook_pair", 1),
        // Five less than five pawns.
        ("4k3/p7/8/8/8/8/8/R3K2R w - - 0 1", "material.rook_per_pawn", -10),
        ("4k3/p7/8/8/8/8/8/1NB1K1N1 w - - 0 1", "imbalance.together[0]", 1),
        ("4k3/p7/8/8/8/8/8/1NB1K1N1 w - - 0 1", "imbalance.together[1]", 2),
        ("1n2k3/p7/8/8/8/8/8/2B1K3 w - - 0 1", "imbalance.against[0]", 1),
        ("1n2k3/p7/8/8/8/8/8/2B1KB2 w - - 0 1", "imbalance.pair_against_minors", 1),
        ("4k3/pp6/8/8/8/8/8/1N2K3 w - - 0 1", "imbalance.enemy_pawns[0]", 2 - 5),
        ("4k3/pp6/8/8/8/8/P7/2B1K3 w - - 0 1", "imbalance.own_pawns[0]", 1 - 5),
        (castled, "squares.knight[21]", 1),
        (castled, "squares.king[0]", 1 - 1),
        (castled, "squares.pawnless[21]", 0),
        ("r3k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "squares.pawnless[21]", 1),
        ("r3k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "squares.pawnless[0]", -1),
        ("r3k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "squares.pawnless[4]", 1 - 1),
        // With the king on d1 the knight on c3 stands where one on f3 stands with the king on e1.
        ("4k3/p7/8/8/3P4/2N5/8/3K4 w - - 0 1", "squares.knight[21]", 1),
        (castled, "space.center_pawns", 1),
        (castled, "space.center_control", 1),
        // Files c to f on three ranks, without the own pawns and what enemy pawns attack: White has
        // sixteen men, Black fifteen, and three are no crowd.
        (open, "space.room", 8 * 13 * 13 / 256 - 7 * 12 * 12 / 256),
        // Two rammed pawns crowd both sides; what Black has behind its pawns is less than one of 256.
        (rammed, "space.room", 6 * 15 * 15 / 256 - 6 * 8 * 8 / 256),
        (rammed, "space.room_behind_pawns", 2 * 15 * 15 / 256),
    ]);
}

#[test]
fn endgame_scale_and_initiative() {
    let pawns = "4k3/2p5/8/8/8/8/PP4P1/4K3 w - - 0 1";
    expect(&[
        ("4k3/3p4/4b3/8/8/4B3/P2P4/4K3 w - - 0 1", "scale.opposite_bishops_alone[1] white", 1),
        ("r3k3/3p4/4b3/8/8/4B3/3P4/R3K3 w - - 0 1", "scale.opposite_bishops black", 1),
        ("4k3/3p4/8/8/8/4B3/8/4K3 w - - 0 1", "scale.lone_minor white", 1),
        ("4k3/p7/2b5/8/8/8/8/4K1RR w - - 0 1", "scale.no_pawns[2] white", 0),
        ("4k3/p7/2b5/8/8/8/8/4KB1R w - - 0 1", "scale.no_pawns[2] white", 0),
        ("r3k3/p7/8/8/8/4B3/8/4K2R w - - 0 1", "scale.no_pawns[2] white", 1),
        ("4k3/p7/2b5/8/8/8/8/4K2R w - - 0 1", "scale.no_pawns[1] white", 1),
        ("r3k3/p7/8/8/8/8/8/4K2R w - - 0 1", "scale.no_pawns[0] white", 1),
        ("k7/7p/8/P7/8/8/8/2B1K3 w - - 0 1", "scale.wrong_corner white", 1),
        ("6k1/6pp/7r/8/8/8/5PPP/6KR w - - 0 1", "scale.rooks_one_wing black", 1),
        (pawns, "initiative.pawns", 4),
        (pawns, "initiative.both_wings", 1),
        (pawns, "initiative.pure_pawns", 1),
        (pawns, "scale.pawns_left[3] white", 1),
    ]);
}
