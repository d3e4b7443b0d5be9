//! Draughts as match runners and tuners see any game: its positions, numbers and engines in boxes.

use playable::{
    Ending, Features, Game, GameResult, MoveError, Numbers, OfGame, PackedBytes, PackedError,
    Playable, PositionError, Rules, Tracer, by_searcher, count_leaves, named_positions,
};

use crate::evaluation::{self, weights::Weights};
use crate::game::DraughtsGame;
use crate::notation;
use crate::packed;
use crate::rules::{Color, ENDINGS, Position, RUSSIAN};
use crate::sets::Parameters;

/// Russian draughts.
pub const GAME: Game = Game::new(&Draughts);

#[derive(Debug)]
struct Draughts;

by_searcher!(Draughts, DraughtsGame);

impl Playable for Draughts {
    fn name(&self) -> &'static str {
        <Weights as parameters::Named>::GAME_NAME
    }

    fn variant(&self) -> &'static str {
        "russian"
    }

    fn record_type(&self) -> Option<&'static str> {
        Some(RUSSIAN)
    }

    fn board(&self) -> (usize, usize) {
        (8, 8)
    }

    fn figures(&self) -> &'static [(char, char)] {
        &[('M', '⛀'), ('K', '⛁'), ('m', '⛂'), ('k', '⛃')]
    }

    fn start(&self) -> playable::Position {
        Position::start().into()
    }

    fn position(&self, text: &str) -> Result<playable::Position, PositionError> {
        let position = Position::from_fen(text);
        position.map(Into::into).map_err(|error| PositionError(error.to_string()))
    }

    /// The men may be a list of squares, which names the turn, too.
    fn split_operations<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let is_operation = |(place, word): &(usize, &str)| {
            word.starts_with(|sign: char| sign.is_ascii_alphabetic())
                && (*place > 1 || !matches!(*word, "w" | "b"))
        };
        let first = text.split_whitespace().enumerate().skip(1).find(is_operation);
        let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        text.split_at(first.map_or(text.len(), |(_, word)| start(word)))
    }

    fn split_fields<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let mut words = text.split_whitespace();
        let men = words.next().filter(|men| men.contains(['/', ':']));
        let turn = words.next().filter(|turn| matches!(*turn, "w" | "b"));
        let last = men.map(|men| turn.filter(|_| men.contains('/')).unwrap_or(men));
        let end = |word: &str| word.as_ptr() as usize + word.len() - text.as_ptr() as usize;
        text.split_at(last.map_or(0, end))
    }

    fn word_counts(&self) -> (usize, usize) {
        (2, 3)
    }

    fn packed_lengths(&self) -> (usize, usize) {
        packed::LENGTHS
    }

    fn pack(&self, position: &playable::Position) -> Result<PackedBytes, PackedError> {
        Ok(packed::pack(position.typed::<Position>().board()))
    }

    fn unpack(&self, bytes: &PackedBytes) -> Result<playable::Position, PackedError> {
        packed::unpack(bytes).map(Into::into)
    }

    fn endings(&self) -> &'static [Ending] {
        &ENDINGS
    }

    fn bench_positions(&self) -> Vec<(String, playable::Position)> {
        named_positions(GAME, include_str!("../../../data/bench-draughts.epd"))
    }

    fn middlegame(&self) -> playable::Position {
        const MIDDLEGAME: &str = "W:Wa1,c1,e1,g1,b2,f2,a3,c3,e3,g3,h4:\
                                  Ba5,b6,d6,f6,a7,c7,g7,b8,d8,f8,h8";
        self.position(MIDDLEGAME).expect("a good position")
    }

    /// Made by `sprt openings`.
    fn openings(&self) -> &'static str {
        include_str!("../../../data/openings/draughts.epd")
    }

    fn explain(&self, numbers: &Numbers, position: &playable::Position) -> Option<String> {
        let (weights, board) =
            (numbers.typed::<Parameters>(), position.typed::<Position>().board());
        Some(evaluation::explain(board, &weights.weights))
    }

    fn tracer(&self, numbers: &Numbers) -> Option<Box<dyn Tracer>> {
        // The numbers say where a weight lies, nothing else.
        let parameters = numbers.typed::<Parameters>();
        Some(Box::new(move |position: &playable::Position| {
            evaluation::trace(position.typed::<Position>().board(), &parameters.weights)
        }))
    }

    fn features(&self) -> Features {
        Features { threads_max: search::THREADS_MAX, draws: true, ..Features::default() }
    }
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

    /// Whether it must capture.
    fn in_check(&self) -> bool {
        self.board().must_capture()
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

    fn uci_fen(&self) -> String {
        self.board().to_pdn()
    }

    fn parse_uci(&self, text: &str) -> Result<playable::Move, MoveError> {
        notation::parse_full(self.board(), text).map(Into::into)
    }

    fn push_uci(&self, mv: playable::Move, text: &mut String) {
        *text += &notation::full(self.board(), mv.typed());
    }

    fn parse_san(&self, text: &str) -> Result<playable::Move, MoveError> {
        notation::parse(self.board(), text).map(Into::into)
    }

    /// In the notation of PDN.
    fn play_and_push_san(&mut self, mv: playable::Move, text: &mut String) {
        *text += &notation::text(self.board(), mv.typed());
        Position::play(self, mv.typed());
    }

    fn is_noisy(&self, mv: playable::Move) -> bool {
        self.board().captured(mv.typed()) != 0
    }

    /// The number of men.
    fn phase(&self) -> u8 {
        self.board().empty().count_zeros() as u8
    }

    fn key(&self) -> u64 {
        self.board().key()
    }

    fn structure_key(&self) -> u64 {
        self.board().structure_key()
    }

    fn man_on(&self, square: usize) -> Option<char> {
        self.board().letter_at(square)
    }

    fn perft(
        &self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<(playable::Move, u64)>> {
        count_leaves(self, depth, is_stopped)
    }

    fn forget_past(&mut self) {
        Position::forget_past(self);
    }

    fn forget_unrepeatable_past(&mut self) {
        if self.board().clock() == 0 {
            Position::forget_past(self);
        }
    }
}
