//! Xiangqi as match runners and tuners see any game: its positions, numbers and engines in boxes.

use playable::{
    BoardStyle, Ending, Features, Game, GameResult, Ladder, MoveError, Numbers, OfGame,
    OpeningMoves, PackedBytes, PackedError, PickedMove, Playable, PointBoard, PositionError, Rules,
    Terms, Tracer, by_searcher, named_positions,
};

use crate::evaluation::{self, weights::Weights};
use crate::game::XiangqiGame;
use crate::notation::Notation;
use crate::notation::coordinates::{self, Ranks};
use crate::opening_book::Book;
use crate::packed;
use crate::rules::{Color, ENDINGS, Kind, Move, Position, Square, perft_divide};
use crate::sets::Parameters;

/// Xiangqi.
pub const GAME: Game = Game::new(&Xiangqi);

/// Where programs begin to count ranks.
const DIALECTS: [Ranks; 2] = [Ranks::FromZero, Ranks::FromOne];

/// The notations in the order of their names.
const NOTATIONS: [Notation; Notation::ALL.len()] = [
    Notation::Wxf,
    Notation::Coordinates,
    Notation::Piece,
    Notation::Iccs,
    Notation::Letters,
    Notation::Keypad,
    Notation::Chinese,
];

/// From games by fixed nodes: docs/lab/xiangqi.md.
const RATINGS: Ladder =
    Ladder(&[(1295, 48), (1745, 128), (1970, 384), (2180, 1024), (2405, 3072), (2730, 8192)]);

/// Marks are where cannons and pawns begin.
const BOARD: PointBoard = PointBoard {
    river: 5,
    river_words: ["楚河", "漢界"],
    palaces: &[(4, 1), (4, 8)],
    marks: &[
        (1, 2),
        (7, 2),
        (0, 3),
        (2, 3),
        (4, 3),
        (6, 3),
        (8, 3),
        (1, 7),
        (7, 7),
        (0, 6),
        (2, 6),
        (4, 6),
        (6, 6),
        (8, 6),
    ],
};

/// The men's characters, by their letters.
const FIGURES: [(char, char); 14] = [
    ('K', '帅'),
    ('A', '仕'),
    ('B', '相'),
    ('N', '马'),
    ('R', '车'),
    ('C', '炮'),
    ('P', '兵'),
    ('k', '将'),
    ('a', '士'),
    ('b', '象'),
    ('n', '马'),
    ('r', '车'),
    ('c', '炮'),
    ('p', '卒'),
];

#[derive(Debug)]
struct Xiangqi;

by_searcher!(Xiangqi, XiangqiGame);

impl Playable for Xiangqi {
    fn name(&self) -> &'static str {
        <Weights as parameters::Named>::GAME_NAME
    }

    fn color_names(&self) -> [&'static str; 2] {
        ["Red", "Black"]
    }

    fn board(&self) -> (usize, usize) {
        (Square::FILES, Square::RANKS)
    }

    fn first_rank(&self) -> usize {
        0
    }

    fn board_style(&self) -> BoardStyle {
        BoardStyle::Points(BOARD)
    }

    fn figures(&self) -> &'static [(char, char)] {
        &FIGURES
    }

    fn notations(&self) -> &'static [&'static str] {
        &["wxf", "coordinates", "piece", "iccs", "letters", "keypad", "chinese"]
    }

    fn move_examples(&self) -> String {
        "C2=5, h2e2, Ch2-e2, H2-E2, C2.5, 62.5 or 炮二平五".to_owned()
    }

    fn dialects(&self) -> usize {
        DIALECTS.len()
    }

    fn start(&self) -> playable::Position {
        Position::start().into()
    }

    fn position(&self, text: &str) -> Result<playable::Position, PositionError> {
        let position = Position::from_fen(text);
        position.map(Into::into).map_err(|error| PositionError(error.to_string()))
    }

    fn split_operations<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let is_operation = |word: &&str| word.starts_with(|sign: char| sign.is_ascii_alphabetic());
        let first = text.split_whitespace().skip(2).find(is_operation);
        split_before(text, first)
    }

    fn split_fields<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let looks_right = |(place, word): &(usize, &str)| match place {
            0 => word.contains('/'),
            1 => matches!(*word, "w" | "r" | "b"),
            _ => *word == "-",
        };
        let words = text.split_whitespace().enumerate().take(4);
        match words.take_while(looks_right).last() {
            Some((_, word)) => split_at_end(text, word),
            None => ("", text),
        }
    }

    fn word_counts(&self) -> (usize, usize) {
        (4, 2)
    }

    fn packed_lengths(&self) -> (usize, usize) {
        packed::LENGTHS
    }

    fn pack(&self, position: &playable::Position) -> Result<PackedBytes, PackedError> {
        packed::pack(position.typed::<Position>().board())
    }

    fn unpack(&self, bytes: &PackedBytes) -> Result<playable::Position, PackedError> {
        packed::unpack(bytes).map(Into::into)
    }

    fn endings(&self) -> &'static [Ending] {
        &ENDINGS
    }

    fn bench_positions(&self) -> Vec<(String, playable::Position)> {
        named_positions(GAME, include_str!("../../../data/bench-xiangqi.epd"))
    }

    fn middlegame(&self) -> playable::Position {
        const MIDDLEGAME: &str =
            "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P3P2/P3P3P/1C2C1N2/9/RNBAKABR1 w - - 2 6";
        self.position(MIDDLEGAME).expect("a good position")
    }

    /// Made by `sprt openings`.
    fn openings(&self) -> &'static str {
        include_str!("../../../data/openings/xiangqi.epd")
    }

    fn explain(&self, numbers: &Numbers, position: &playable::Position) -> Option<String> {
        let weights = &numbers.typed::<Parameters>().weights;
        Some(evaluation::explain(position.typed::<Position>().board(), weights))
    }

    fn terms(&self, numbers: &Numbers, position: &playable::Position) -> Option<Terms> {
        let weights = &numbers.typed::<Parameters>().weights;
        Some(evaluation::terms_of(position.typed::<Position>().board(), weights))
    }

    fn tracer(&self, numbers: &Numbers) -> Option<Box<dyn Tracer>> {
        // The numbers say where a weight lies, nothing else.
        let parameters = numbers.typed::<Parameters>();
        Some(Box::new(move |position: &playable::Position| {
            evaluation::trace(position.typed::<Position>().board(), &parameters.weights)
        }))
    }

    fn opening_moves(&self, bytes: &[u8]) -> Result<Box<dyn OpeningMoves>, String> {
        let book = Book::parse(bytes).map_err(|error| error.to_string())?;
        Ok(Box::new(book))
    }

    fn features(&self) -> Features {
        Features {
            threads_max: search::THREADS_MAX,
            draws: true,
            books: true,
            ratings: RATINGS,
            ..Features::default()
        }
    }
}

impl OpeningMoves for Book {
    fn summary(&self) -> String {
        let (positions, moves) = self.size();
        format!("book: {moves} moves of {positions} positions")
    }

    fn key(&self, position: &playable::Position) -> u64 {
        let board = position.typed::<Position>().board();
        board.key().min(board.mirrored().key())
    }

    fn pick(
        &self,
        position: &playable::Position,
        _: Option<&[playable::Move]>,
        pick: &mut dyn FnMut(u32) -> u32,
    ) -> Option<PickedMove> {
        let (mv, weight) = Book::pick(self, position.typed::<Position>().board(), pick)?;
        Some(PickedMove { mv: mv.into(), form: "book", why: format!("weight {weight}") })
    }
}

/// A text split before a word of it, or behind all of it.
fn split_before<'a>(text: &'a str, word: Option<&'a str>) -> (&'a str, &'a str) {
    let at = word.map_or(text.len(), |word| word.as_ptr() as usize - text.as_ptr() as usize);
    text.split_at(at)
}

/// A text split behind a word of it.
fn split_at_end<'a>(text: &'a str, word: &'a str) -> (&'a str, &'a str) {
    text.split_at(word.as_ptr() as usize - text.as_ptr() as usize + word.len())
}

impl OfGame for Weights {
    const GAME: Game = GAME;
}

impl Rules for Position {
    fn game(&self) -> Game {
        GAME
    }

    fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    fn move_number(&self) -> u32 {
        self.board().number()
    }

    fn halfmove_clock(&self) -> u32 {
        self.board().clock()
    }

    fn in_check(&self) -> bool {
        self.board().in_check()
    }

    fn legal_moves(&self) -> Vec<playable::Move> {
        self.board().legal_moves().into_iter().map(Into::into).collect()
    }

    fn is_legal(&self, mv: playable::Move) -> bool {
        mv != playable::Move::NONE && self.board().is_legal(mv.typed())
    }

    fn play(&mut self, mv: playable::Move) {
        Position::play(self, mv.typed());
    }

    fn pass(&mut self) {
        Position::pass(self);
    }

    fn outcome(&self) -> Option<(GameResult, Ending)> {
        Position::outcome(self)
    }

    fn to_fen(&self) -> String {
        self.board().to_fen()
    }

    fn parse_uci(&self, text: &str) -> Result<playable::Move, MoveError> {
        Notation::Coordinates.parse(self.board(), text).map(Into::into)
    }

    fn push_uci(&self, mv: playable::Move, text: &mut String) {
        *text += &mv.typed::<Move>().to_string();
    }

    fn parse_dialect(&self, text: &str, dialect: usize) -> Result<playable::Move, MoveError> {
        coordinates::parse(self.board(), text, DIALECTS[dialect]).map(Into::into)
    }

    fn push_dialect(&self, mv: playable::Move, dialect: usize, text: &mut String) {
        *text += &coordinates::text(mv.typed(), DIALECTS[dialect]);
    }

    fn parse_san(&self, text: &str) -> Result<playable::Move, MoveError> {
        self.parse_in(0, text)
    }

    fn play_and_push_san(&mut self, mv: playable::Move, text: &mut String) {
        self.play_and_push_in(0, mv, text);
    }

    fn parse_in(&self, notation: usize, text: &str) -> Result<playable::Move, MoveError> {
        NOTATIONS[notation].parse(self.board(), text).map(Into::into)
    }

    fn play_and_push_in(&mut self, notation: usize, mv: playable::Move, text: &mut String) {
        *text += &NOTATIONS[notation].text(self.board(), mv.typed());
        Position::play(self, mv.typed());
    }

    fn is_noisy(&self, mv: playable::Move) -> bool {
        self.board().is_capture(mv.typed())
    }

    /// 4 for a rook, 2 for a horse or cannon: 32 at the start, of which three quarters count.
    fn phase(&self) -> u8 {
        let count = |kind| self.board().kind(kind).count();
        let all = 4 * count(Kind::Rook) + 2 * (count(Kind::Horse) + count(Kind::Cannon));
        (all * 3 / 4).min(24) as u8
    }

    fn key(&self) -> u64 {
        self.board().key()
    }

    fn structure_key(&self) -> u64 {
        self.board().pawn_key()
    }

    fn man_on(&self, square: usize) -> Option<char> {
        self.board().man_on(Square::at(square)).map(|piece| piece.letter())
    }

    fn is_dead(&self) -> bool {
        self.board().is_dead()
    }

    fn perft(
        &self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<(playable::Move, u64)>> {
        let counted = perft_divide(self.board(), depth, is_stopped)?;
        Some(counted.into_iter().map(|(mv, count)| (mv.into(), count)).collect())
    }

    fn forget_past(&mut self) {
        Position::forget_past(self);
    }

    fn forget_unrepeatable_past(&mut self) {
        if self.repeatable() == 0 {
            Position::forget_past(self);
        }
    }
}
