//! Games between scripted players: every ending, adjudication, forfeits.

use chess::GAME;
use matches::game::{
    Fault, FaultKind, GameRecord, GameResult, MoveLimits, PairRecord, Termination, WarningKind,
};
use matches::pgn::PgnTags;
use matches::player::{Choice, GameStart, Player, Turn};
use matches::playing::{Adjudication, DrawRule, Entrant, GameSettings, ResignRule, play_game};
use matches::run::PlayerFaults;
use playable::{Color, Ending, MATE_IN_MAX, Move, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use random::stream;

/// Plays the given moves in turn, always with the same score from its own view, if any.
struct Scripted {
    moves: Vec<&'static str>,
    next: usize,
    score: Option<i32>,
}

impl Scripted {
    fn new(moves: &[&'static str], score: impl Into<Option<i32>>) -> Scripted {
        Scripted { moves: moves.to_vec(), next: 0, score: score.into() }
    }
}

impl Player for Scripted {
    fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), Fault> {
        self.next = 0;
        Ok(())
    }

    fn forget(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let text = self.moves[self.next % self.moves.len()];
        self.next += 1;
        let mv = turn
            .position
            .parse_uci(text)
            .map_err(|error| Fault::new(FaultKind::UnreadableMove, error.to_string()))?;
        Ok(Choice { score: self.score, depth: 1, nodes: 1, ..Choice::of_move(mv) })
    }
}

fn settings(adjudication: Adjudication) -> GameSettings {
    GameSettings { adjudication, ..GameSettings::default() }
}

fn play_between(
    start: &Position,
    white: &mut dyn Player,
    black: &mut dyn Player,
    settings: &GameSettings,
) -> GameRecord {
    let limits = MoveLimits::nodes(1);
    let white = Entrant { player: white, limits: &limits };
    let black = Entrant { player: black, limits: &limits };
    play_game(start, [white, black], settings)
}

fn play(fen: &str, white: &[&'static str], black: &[&'static str]) -> GameRecord {
    let start = GAME.position(fen).expect("a good FEN");
    let settings = settings(Adjudication::NEVER);
    let (mut white, mut black) = (Scripted::new(white, 50), Scripted::new(black, -50));
    play_between(&start, &mut white, &mut black, &settings)
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// FEN, moves of White and Black, what comes of them and after how many plies.
type EndingRow<'a> = (&'a str, &'a [&'static str], &'a [&'static str], GameResult, Ending, usize);

#[test]
fn games_end_by_the_rules() {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let shuffle = (["g1f3", "f3g1"], ["g8f6", "f6g8"]);
    let scholar = (["e2e4", "d1h5", "f1c4", "h5f7"], ["e7e5", "b8c6", "g8f6"]);
    let (lone_pawn, stalemate) =
        ("k7/8/8/8/8/8/1p6/K7 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    #[rustfmt::skip]
    let rows: [EndingRow<'_>; 7] = [
        (START, &["f2f3", "g2g4"], &["e7e5", "d8h4"], BlackWins, Ending::CHECKMATE, 4),
        (START, &scholar.0, &scholar.1, WhiteWins, Ending::CHECKMATE, 7),
        (START, &shuffle.0, &shuffle.1, Draw, Ending::REPETITION, 8),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", &["c1c7"], &[], Draw, Ending::STALEMATE, 1),
        (lone_pawn, &["a1b2"], &[], Draw, Ending::INSUFFICIENT_MATERIAL, 1),
        ("k7/8/8/8/8/8/8/K6R w - - 99 80", &["h1h2"], &[], Draw, Ending::FIFTY_MOVES, 1),
        (stalemate, &[], &[], Draw, Ending::STALEMATE, 0),
    ];
    for (fen, white, black, result, rule, plies) in rows {
        let (record, termination) = (play(fen, white, black), Termination::Rules(rule));
        assert_eq!((record.result, record.termination), (result, termination), "{fen}");
        assert_eq!(record.plies.len(), plies, "{fen}");
        assert_eq!(record.faults, []);
    }
}

#[test]
fn scores_are_recorded_from_the_view_of_white() {
    let record = play(START, &["f2f3", "g2g4"], &["e7e5", "d8h4"]);
    assert!(record.plies.iter().all(|ply| ply.score == Some(50)));
}

#[test]
fn who_is_mated_after_announcing_a_mate_is_warned() {
    let white = &mut Scripted::new(&["f2f3", "g2g4"], MATE_IN_MAX);
    let black = &mut Scripted::new(&["e7e5", "d8h4"], 0);
    let settings = settings(Adjudication::default());
    let game = play_between(&GAME.start(), white, black, &settings);
    assert_eq!(game.termination, Termination::Rules(Ending::CHECKMATE));
    let [(Color::White, warning)] = &game.warnings[..] else { panic!("{:?}", game.warnings) };
    assert_eq!(warning.kind, WarningKind::MateScore);
}

#[test]
fn an_illegal_move_forfeits_and_is_named() {
    let record = play(START, &["e2e4", "e4e6"], &["e7e5"]);
    assert_eq!(record.result, GameResult::BlackWins);
    assert_eq!(record.termination, Termination::Forfeit);
    assert_eq!(record.plies.len(), 2);
    let [(color, fault)] = &record.faults[..] else { panic!("{:?}", record.faults) };
    assert_eq!((*color, fault.kind), (Color::White, FaultKind::UnreadableMove));
    assert!(fault.detail.contains("e4e6"), "{fault}");

    /// Answers with a move that was never legal, without parsing.
    struct Cheat;
    impl Player for Cheat {
        fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), Fault> {
            Ok(())
        }
        fn forget(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, _: &Turn<'_>) -> Result<Choice, Fault> {
            Ok(Choice::of_move(Move::NONE))
        }
    }
    let settings = settings(Adjudication::NEVER);
    let white = &mut Scripted::new(&["e2e4"], 0);
    let record = play_between(&GAME.start(), white, &mut Cheat, &settings);
    assert_eq!((record.result, record.termination), (GameResult::WhiteWins, Termination::Forfeit));
}

#[test]
fn games_end_by_adjudication() {
    let start = GAME.start();
    let moves = (["b1c3", "c3b1"], ["b8c6", "c6b8"]);
    let play = |white_score: Option<i32>, black_score: Option<i32>, adjudication| {
        let settings = GameSettings { max_plies: 6, ..settings(adjudication) };
        let white = &mut Scripted::new(&moves.0, white_score);
        let black = &mut Scripted::new(&moves.1, black_score);
        let record = play_between(&start, white, black, &settings);
        (record.result, record.termination, record.plies.len())
    };
    let resign_by = |moves, two_sided| Adjudication {
        resign: Some(ResignRule { moves, score: 500, two_sided }),
        ..Adjudication::NEVER
    };
    let resign = |moves| resign_by(moves, true);
    let resigned = Termination::Resignation;
    assert_eq!(play(Some(500), Some(-500), resign(2)), (GameResult::WhiteWins, resigned, 4));
    assert_eq!(play(Some(-900), Some(501), resign(1)), (GameResult::BlackWins, resigned, 2));
    // Both see themselves winning, or one is not sure: the game goes on.
    let unended = (GameResult::Draw, Termination::MaxPlies, 6);
    assert_eq!(play(Some(500), Some(500), resign(2)), unended);
    assert_eq!(play(Some(500), Some(-499), resign(2)), unended);
    // One's own scores suffice: White's second move is the third ply, Black's the fourth.
    assert_eq!(
        play(Some(-500), Some(0), resign_by(2, false)),
        (GameResult::BlackWins, resigned, 3)
    );
    assert_eq!(
        play(Some(0), Some(-500), resign_by(2, false)),
        (GameResult::WhiteWins, resigned, 4)
    );
    assert_eq!(play(Some(-499), Some(900), resign_by(1, false)), unended);
    let draw = |after_moves, moves| Adjudication {
        draw: Some(DrawRule { after_moves, moves, score: 10 }),
        ..Adjudication::NEVER
    };
    let drawn = Termination::DrawAgreed;
    assert_eq!(play(Some(10), Some(-10), draw(0, 1)), (GameResult::Draw, drawn, 2));
    assert_eq!(play(Some(10), Some(0), draw(2, 1)), (GameResult::Draw, drawn, 4));
    assert_eq!(play(Some(11), Some(0), draw(2, 1)), unended);
    // Who says nothing agrees to nothing.
    assert_eq!(play(None, Some(0), draw(0, 1)), unended);
    assert_eq!(play(Some(0), None, draw(0, 1)), unended);
    assert_eq!(play(None, Some(900), resign(1)), unended);
}

struct Random(ChaCha8Rng);

impl Player for Random {
    fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn forget(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let moves = turn.position.legal_moves();
        let mv = moves[self.0.random_range(0..moves.len())];
        Ok(Choice { score: Some(40_000), nodes: 1, ..Choice::of_move(mv) })
    }
}

#[test]
fn random_games_end_and_replay() {
    let settings = settings(Adjudication::NEVER);
    for game in 0..30 {
        let (mut white, mut black) = (Random(stream(1, 2 * game)), Random(stream(1, 2 * game + 1)));
        let record = play_between(&GAME.start(), &mut white, &mut black, &settings);
        let mut position = record.start.clone();
        for ply in &record.plies {
            assert!(position.outcome().is_none());
            assert_eq!(ply.score.map(i16::abs), Some(i16::MAX));
            position.play(ply.mv);
        }
        let is_over = position.outcome().is_some();
        assert_eq!(is_over, record.termination != Termination::MaxPlies);
    }
}

/// A player whose process cannot be started.
struct Broken(&'static str);

impl Player for Broken {
    fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), Fault> {
        Err(Fault::new(FaultKind::Start, self.0))
    }

    fn forget(&mut self) -> Result<(), Fault> {
        unreachable!("no game begins")
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<Choice, Fault> {
        unreachable!("no game begins")
    }
}

#[test]
fn a_game_that_both_players_forfeit_is_nobodys_and_names_both() {
    let start = GAME.start();
    let settings = settings(Adjudication::NEVER);
    let play =
        |white, black| play_between(&start, &mut Broken(white), &mut Broken(black), &settings);
    let games = [play("one", "other"), play("other", "one")];
    let [game, _] = &games;
    assert_eq!((game.result, game.termination), (GameResult::Draw, Termination::Forfeit));
    let told: Vec<String> =
        game.faults.iter().map(|(color, fault)| format!("{color:?} {fault}")).collect();
    assert_eq!(told, ["White did not start: one", "Black did not start: other"]);

    // In the counts of both players, and in the PGN.
    let pair = PairRecord { number: 0, opening: 0, players: [0, 1], games, replays: Vec::new() };
    for index in 0..2 {
        let mut faults = PlayerFaults::new(index.to_string());
        faults.count(index, &pair);
        assert_eq!(faults.defects(), 2);
    }
    let limits = vec![MoveLimits::nodes(1); 2];
    let players = vec!["one".to_owned(), "other".to_owned()];
    let tags = PgnTags {
        event: "both".to_owned(),
        players,
        limits,
        comments: Default::default(),
        notation: 0,
    };
    let text = tags.pair(&pair, None).replace('\n', " ");
    let message = "White: did not start: one; Black: did not start: other";
    assert!(text.contains(message), "{text}");
}
