//! Chess as match runners and tuners know any game: its positions, numbers and engines in boxes.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use block::Block;
use parameters::{Embedded, EmbeddedError, ParametersError};
use playable::{
    Bench, Factory, Features, Game, Ladder, Numbers, OfGame, OpeningMoves, Oracle, OracleError,
    OracleUse, PACKED_MAX, PackedBytes, PackedError, PickedMove, Playable, PositionError,
    Quiescence, Rules, Terms,
};
use search::{AuditSettings, Audited, Control, Value};

use crate::auditing::Auditing;
use crate::bench::{self, BenchMode};
use crate::endgame_tables::{EndgameTables, TableUse, Wdl};
use crate::engine;
use crate::evaluation::explain;
use crate::evaluation::weights::Weights;
use crate::opening_book::{self, Book};
use crate::opening_library::{Library, is_library};
use crate::packed::{COUNTER_BYTES, PACKED_BYTES, PackedPosition};
use crate::rules::{
    Color, Ending, GameResult, Move, MoveError, PieceType, Position, Square, perft_divide_until,
};
use crate::sets::Parameters;

/// From games by fixed nodes: docs/lab/strength.md.
const RATINGS: Ladder =
    Ladder(&[(1185, 48), (1585, 128), (1775, 384), (2025, 1024), (2510, 3072), (2840, 8192)]);

/// Chess.
pub const GAME: Game = Game::new(&Chess);

#[derive(Debug)]
struct Chess;

impl Factory for Chess {
    fn block(&self) -> &'static Block {
        Weights::carried().block()
    }

    fn try_embedded(&self) -> Result<Numbers, &'static EmbeddedError> {
        Parameters::try_embedded().map(|parameters| Arc::clone(parameters).into())
    }

    fn number_files(&self) -> Vec<&'static str> {
        Parameters::names().collect()
    }

    fn open_numbers(&self, file: &Path) -> Result<(Numbers, String), ParametersError> {
        let (parameters, text) = Parameters::open_whole(file)?;
        Ok((Arc::new(parameters).into(), text))
    }

    fn missing_numbers(&self, file: &Path) -> Result<Vec<String>, ParametersError> {
        Ok(Parameters::load_with_missing(file)?.1)
    }

    fn engine(&self, numbers: &Numbers, hash_megabytes: usize) -> Box<dyn playable::Engine> {
        Box::new(engine::Engine::new(numbers.typed(), hash_megabytes))
    }

    fn judge(&self, numbers: &Numbers) -> Box<dyn Quiescence> {
        // Neither evaluation nor quiescence search reads the table.
        Box::new(engine::Engine::new(numbers.typed(), 0))
    }

    fn auditing(&self, numbers: &Numbers, hash_megabytes: usize) -> Box<dyn playable::Auditing> {
        Box::new(Auditing::new(numbers.typed(), hash_megabytes))
    }
}

impl Playable for Chess {
    fn name(&self) -> &'static str {
        "chess"
    }

    fn board(&self) -> (usize, usize) {
        (8, 8)
    }

    fn figures(&self) -> &'static [(char, char)] {
        &[
            ('K', '♔'),
            ('Q', '♕'),
            ('R', '♖'),
            ('B', '♗'),
            ('N', '♘'),
            ('P', '♙'),
            ('k', '♚'),
            ('q', '♛'),
            ('r', '♜'),
            ('b', '♝'),
            ('n', '♞'),
            ('p', '♟'),
        ]
    }

    fn move_examples(&self) -> String {
        "Nf3, exd5, O-O or e8=Q, or by its squares: g1f3, e7e8q".to_owned()
    }

    fn start(&self) -> playable::Position {
        Position::start().into()
    }

    fn position(&self, text: &str) -> Result<playable::Position, PositionError> {
        let position = Position::from_fen(text);
        position.map(Into::into).map_err(|error| PositionError(error.to_string()))
    }

    fn split_operations<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        Position::split_operations(text)
    }

    fn split_fields<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        Position::split_fields(text)
    }

    fn word_counts(&self) -> (usize, usize) {
        (4, 2)
    }

    fn packed_lengths(&self) -> (usize, usize) {
        (PACKED_BYTES, PACKED_BYTES - COUNTER_BYTES)
    }

    fn pack(&self, position: &playable::Position) -> Result<PackedBytes, PackedError> {
        let packed = PackedPosition::pack(position.typed());
        let packed = packed.map_err(|error| PackedError(error.to_string()))?;
        let mut bytes = [0; PACKED_MAX];
        bytes[..PACKED_BYTES].copy_from_slice(packed.bytes());
        Ok(bytes)
    }

    fn unpack(&self, bytes: &PackedBytes) -> Result<playable::Position, PackedError> {
        let position = PackedPosition::from_bytes(&bytes[..PACKED_BYTES]).unpack();
        position.map(Into::into).map_err(|error| PackedError(error.to_string()))
    }

    fn endings(&self) -> &'static [playable::Ending] {
        use playable::Ending as Rule;
        const ALL: [Rule; 5] = [
            Rule::CHECKMATE,
            Rule::STALEMATE,
            Rule::REPETITION,
            Rule::FIFTY_MOVES,
            Rule::INSUFFICIENT_MATERIAL,
        ];
        &ALL
    }

    fn bench_positions(&self) -> Vec<(String, playable::Position)> {
        bench::positions().map(|(name, position)| (name.to_owned(), position.into())).collect()
    }

    fn middlegame(&self) -> playable::Position {
        const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
        Position::from_fen(MIDDLEGAME).expect("a good position").into()
    }

    /// Balanced and unique, made by `sprt openings`.
    fn openings(&self) -> &'static str {
        include_str!("../../../data/openings/kamerton.epd")
    }

    fn features(&self) -> Features {
        Features {
            threads_max: engine::THREADS_MAX,
            exhaustive_mate_max: engine::EXHAUSTIVE_MATE_MAX,
            chess960: true,
            books: true,
            tables: true,
            ratings: RATINGS,
            draws: true,
        }
    }

    fn loose_position(
        &self,
        text: &str,
    ) -> Result<(playable::Position, Vec<String>), PositionError> {
        match Position::from_loose_fen(text) {
            Ok((position, left_out)) => {
                Ok((position.into(), left_out.iter().map(ToString::to_string).collect()))
            }
            Err(error) => Err(PositionError(error.to_string())),
        }
    }

    fn bench(
        &self,
        numbers: &Numbers,
        depth: Option<u32>,
        constants: bool,
        control: &Control,
        on_position: &mut dyn FnMut(&str, u64),
    ) -> Option<Bench> {
        let parameters: Arc<Parameters> = numbers.typed();
        let depth = depth.unwrap_or_else(|| bench::default_depth(&parameters));
        let mode = if constants { BenchMode::AsInPlay } else { BenchMode::WithoutConstants };
        let found = bench::bench_until(&parameters, depth, mode, control, on_position)?;
        Some(Bench { nodes: found.nodes, time: found.time })
    }

    fn explain(&self, numbers: &Numbers, position: &playable::Position) -> Option<String> {
        let weights = &numbers.typed::<Parameters>().weights;
        Some(explain(position.typed::<Position>().board(), weights).to_string())
    }

    fn terms(&self, numbers: &Numbers, position: &playable::Position) -> Option<Terms> {
        let weights = &numbers.typed::<Parameters>().weights;
        let explanation = explain(position.typed::<Position>().board(), weights);
        let shares = explanation.leads().map(|(weight, lead)| (weight.path(), lead)).collect();
        Some(Terms { value: explanation.value, shares })
    }

    fn opening_moves(&self, bytes: &[u8]) -> Result<Box<dyn OpeningMoves>, String> {
        if is_library(bytes) {
            let library = Library::parse(bytes).map_err(|error| error.to_string())?;
            return Ok(Box::new(library));
        }
        let book = Book::parse(bytes).map_err(|error| error.to_string())?;
        Ok(Box::new(book))
    }

    fn oracle_for_play(&self, folders: &[PathBuf]) -> Result<Arc<dyn Oracle>, OracleError> {
        match EndgameTables::open_for_play(folders) {
            Ok(tables) => Ok(Arc::new(tables)),
            Err(error) => Err(OracleError(error.to_string())),
        }
    }

    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, OracleError> {
        match EndgameTables::open(folders) {
            Ok(tables) => Ok(Box::new(tables)),
            Err(error) => Err(OracleError(error.to_string())),
        }
    }
}

impl OfGame for Weights {
    const GAME: Game = GAME;
}

impl From<playable::Move> for Move {
    fn from(mv: playable::Move) -> Move {
        mv.typed()
    }
}

impl Rules for Position {
    fn game(&self) -> Game {
        GAME
    }

    fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    fn move_number(&self) -> u32 {
        self.board().fullmove_number()
    }

    fn halfmove_clock(&self) -> u32 {
        self.board().halfmove_clock()
    }

    fn in_check(&self) -> bool {
        self.board().in_check()
    }

    fn legal_moves(&self) -> Vec<playable::Move> {
        self.board().legal_moves().iter().map(|&mv| mv.into()).collect()
    }

    fn is_legal(&self, mv: playable::Move) -> bool {
        self.board().is_legal(mv.into())
    }

    fn pick_legal_move(&self, choose: &mut dyn FnMut(usize) -> usize) -> Option<playable::Move> {
        self.board().pick_legal_move(choose).map(Into::into)
    }

    fn play(&mut self, mv: playable::Move) {
        Position::play(self, mv.into());
    }

    fn pass(&mut self) {
        Position::pass(self);
    }

    fn outcome(&self) -> Option<(GameResult, playable::Ending)> {
        use playable::Ending as Rule;
        Some(match Position::outcome(self)? {
            Ending::Checkmate => (GameResult::win_of(!self.side_to_move()), Rule::CHECKMATE),
            Ending::Stalemate => (GameResult::Draw, Rule::STALEMATE),
            Ending::Repetition => (GameResult::Draw, Rule::REPETITION),
            Ending::FiftyMoves => (GameResult::Draw, Rule::FIFTY_MOVES),
            Ending::InsufficientMaterial => (GameResult::Draw, Rule::INSUFFICIENT_MATERIAL),
        })
    }

    fn to_fen(&self) -> String {
        self.board().to_fen(self.chess960())
    }

    fn parse_uci(&self, text: &str) -> Result<playable::Move, MoveError> {
        self.board().parse_uci(text).map(Into::into)
    }

    fn push_uci(&self, mv: playable::Move, text: &mut String) {
        mv.typed::<Move>().push_uci(self.chess960(), text);
    }

    fn parse_san(&self, text: &str) -> Result<playable::Move, MoveError> {
        self.board().parse_san(text).map(Into::into)
    }

    fn play_and_push_san(&mut self, mv: playable::Move, text: &mut String) {
        Position::play_and_push_san(self, mv.into(), text);
    }

    fn is_noisy(&self, mv: playable::Move) -> bool {
        self.board().is_noisy(mv.into())
    }

    /// 1 for a minor piece, 2 for a rook, 4 for a queen.
    fn phase(&self) -> u8 {
        let weights = [
            (PieceType::Knight, 1),
            (PieceType::Bishop, 1),
            (PieceType::Rook, 2),
            (PieceType::Queen, 4),
        ];
        let of_kind = |&(kind, weight): &(PieceType, u32)| weight * self.kind(kind).count();
        weights.iter().map(of_kind).sum::<u32>().min(24) as u8
    }

    fn key(&self) -> u64 {
        self.board().key()
    }

    fn structure_key(&self) -> u64 {
        self.board().pawn_key()
    }

    fn man_on(&self, square: usize) -> Option<char> {
        self.board().piece_on(Square::new(square as u8)).map(|piece| piece.letter())
    }

    fn is_dead(&self) -> bool {
        self.board().insufficient_material()
    }

    fn diagram(&self, dialect: usize) -> String {
        let checkers = self.checkers().into_iter().map(|square| format!(" {square}"));
        let checkers: String = checkers.collect();
        format!("{}Checkers:{checkers}\n", playable::diagram(self, dialect))
    }

    fn perft(
        &self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<(playable::Move, u64)>> {
        let counts = perft_divide_until(self, depth, is_stopped)?;
        Some(counts.into_iter().map(|(mv, leaves)| (mv.into(), leaves)).collect())
    }

    /// The start of a Chess960 game may be the usual one.
    fn is_start(&self) -> bool {
        self.board() == Position::start().board()
    }

    fn forget_past(&mut self) {
        Position::forget_past(self);
    }

    fn forget_unrepeatable_past(&mut self) {
        Position::forget_unrepeatable_past(self);
    }

    fn reserve(&mut self, moves: usize) {
        Position::reserve(self, moves);
    }

    fn chess960(&self) -> bool {
        Position::chess960(self)
    }

    fn set_chess960(&mut self, chess960: bool) {
        Position::set_chess960(self, chess960);
    }
}

impl playable::Engine for engine::Engine {
    fn new_game(&mut self) {
        engine::Engine::new_game(self);
    }

    fn numbers(&self) -> Numbers {
        Arc::clone(self.parameters()).into()
    }

    fn set_hash(&mut self, megabytes: usize) {
        engine::Engine::set_hash(self, megabytes);
    }

    fn set_threads(&mut self, threads: usize) {
        engine::Engine::set_threads(self, threads);
    }

    fn set_contempt(&mut self, contempt: Value) {
        engine::Engine::set_contempt(self, contempt);
    }

    fn set_tables(&mut self, tables: Option<OracleUse>) {
        let typed = |OracleUse { oracle, depth_min, clock_rule }: OracleUse| {
            let tables = oracle.as_any().downcast_ref::<EndgameTables>()?.clone();
            Some(TableUse { tables, depth_min, fifty_move_rule: clock_rule })
        };
        engine::Engine::set_tables(self, tables.and_then(typed));
    }

    fn set_numbers(&mut self, numbers: &Numbers) {
        self.set_parameters(numbers.typed());
    }

    fn set_constants(&mut self, constants: bool) {
        engine::Engine::set_constants(self, constants);
    }

    fn search(
        &mut self,
        position: &playable::Position,
        limits: &playable::Limits,
        control: &Control,
        on_info: &mut dyn FnMut(&playable::Progress),
    ) -> playable::Outcome {
        let limits = limits.map(|&mv| mv.typed::<Move>());
        let mut on_info = |progress: &engine::Progress| on_info(&progress.map(|&mv| mv.into()));
        let outcome =
            engine::Engine::search(self, position.typed(), &limits, control, &mut on_info);
        outcome.map(|&mv| mv.into())
    }
}

impl Quiescence for engine::Engine {
    fn evaluate(&mut self, position: &playable::Position) -> Value {
        engine::Engine::evaluate(self, position.typed())
    }

    fn quiescence(&mut self, position: &playable::Position) -> (Value, Vec<playable::Move>) {
        let (value, line) = self.quiescence_line(position.typed());
        (value, line.into_iter().map(Into::into).collect())
    }
}

impl playable::Auditing for Auditing {
    fn audit(
        &mut self,
        position: &playable::Position,
        limits: &playable::Limits,
        settings: &AuditSettings,
        random: &mut dyn FnMut() -> u32,
    ) -> Audited<playable::Move> {
        let limits = limits.map(|&mv| mv.typed::<Move>());
        let Audited { outcome, cuts, tallies } =
            Auditing::audit(self, position.typed(), &limits, settings, random);
        Audited { outcome: outcome.map(|&mv| mv.into()), cuts, tallies }
    }
}

impl Oracle for EndgameTables {
    fn fingerprint(&self) -> &str {
        EndgameTables::fingerprint(self)
    }

    fn summary(&self) -> String {
        let (results, distances) = self.counts();
        let pieces = self.pieces();
        format!("up to {pieces} pieces, {results} tables of results, {distances} of distances")
    }

    fn take_troubles(&self) -> Vec<String> {
        EndgameTables::take_troubles(self).iter().map(ToString::to_string).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn result_anew(
        &self,
        position: &playable::Position,
    ) -> Result<Option<GameResult>, OracleError> {
        let board = position.typed::<Position>().board();
        let found = self.probe(board).map_err(|error| OracleError(error.to_string()))?;
        let us = board.side_to_move();
        Ok(found.map(|wdl| match wdl {
            Wdl::Win => GameResult::win_of(us),
            Wdl::Loss => GameResult::win_of(!us),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => GameResult::Draw,
        }))
    }

    /// Draws are sure at any time. Wins are sure under the fifty-move rule only right after a capture
    /// or a pawn's move, because the tables take the halfmove clock for 0; a game comes to so few
    /// pieces by a capture, so that nearly every game is ended at once.
    fn result(
        &self,
        position: &playable::Position,
        men: u32,
        ignore_clock: bool,
    ) -> Result<Option<GameResult>, OracleError> {
        let board = position.typed::<Position>().board();
        if board.occupied().count() > men {
            return Ok(None);
        }
        let found = self.probe(board).map_err(|error| OracleError(error.to_string()))?;
        let Some(wdl) = found else { return Ok(None) };
        let us = board.side_to_move();
        let is_sure = ignore_clock || board.halfmove_clock() == 0;
        Ok(match wdl {
            Wdl::Win if is_sure => Some(GameResult::win_of(us)),
            Wdl::Loss if is_sure => Some(GameResult::win_of(!us)),
            Wdl::CursedWin if ignore_clock => Some(GameResult::win_of(us)),
            Wdl::BlessedLoss if ignore_clock => Some(GameResult::win_of(!us)),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Some(GameResult::Draw),
            Wdl::Win | Wdl::Loss => None,
        })
    }
}

impl OpeningMoves for Book {
    fn summary(&self) -> String {
        format!("book: {} moves", self.len())
    }

    fn key(&self, position: &playable::Position) -> u64 {
        opening_book::key(position.typed::<Position>())
    }

    fn pick(
        &self,
        position: &playable::Position,
        _: Option<&[playable::Move]>,
        pick: &mut dyn FnMut(u32) -> u32,
    ) -> Option<PickedMove> {
        let found = Book::pick(self, position.typed(), pick)?;
        let why = format!("weight {}", found.weight);
        Some(PickedMove { mv: found.mv.into(), form: "book", why })
    }
}

impl OpeningMoves for Library {
    fn summary(&self) -> String {
        let size = self.size();
        format!("library: {} variations of {} moves", size.variations, size.moves)
    }

    fn key(&self, position: &playable::Position) -> u64 {
        opening_book::key(position.typed::<Position>())
    }

    fn pick(
        &self,
        position: &playable::Position,
        line: Option<&[playable::Move]>,
        pick: &mut dyn FnMut(u32) -> u32,
    ) -> Option<PickedMove> {
        let line: Vec<Move> = line?.iter().map(|mv| mv.typed()).collect();
        let found = self.choose(&line, position.typed(), pick)?;
        let why = format!("assessment {}, {} games", found.assessment, found.tally.games());
        Some(PickedMove { mv: found.mv.into(), form: "library", why })
    }
}
