//! A game, by its name.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parameters::Table;
use search::Control;

use crate::{
    Ending, Factory, Ladder, Limits, Numbers, OpeningMoves, Oracle, OracleError, PackedBytes,
    PackedError, Position, PositionError, Tracer,
};

/// A game of two players: its positions and rules, its numbers and its engine.
pub trait Playable: Factory {
    /// Its name in files and on command lines: small letters and digits.
    fn name(&self) -> &'static str;

    /// Its name in the protocol UCI, as a value of `UCI_Variant`.
    fn variant(&self) -> &'static str {
        self.name()
    }

    /// The value of the tag `GameType` of its records, where the field has one.
    fn record_type(&self) -> Option<&'static str> {
        None
    }

    /// How people call White and Black.
    fn color_names(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    /// Files and ranks of the board.
    fn board(&self) -> (usize, usize);

    /// The number of the rank next to the side that moves first, in the names of squares.
    fn first_rank(&self) -> usize {
        1
    }

    /// How people draw the board.
    fn board_style(&self) -> BoardStyle {
        BoardStyle::Squares
    }

    /// Figures of men in diagrams, by their letters; the others have their letters.
    fn figures(&self) -> &'static [(char, char)] {
        &[]
    }

    /// The names of the notations of moves, whose numbers [`crate::Rules::parse_in`] takes. Games are
    /// written in number 0 unless somebody asks for another; number 1 are coordinates.
    fn notations(&self) -> &'static [&'static str] {
        &["san", "uci"]
    }

    /// Moves as people may type them, for their help.
    fn move_examples(&self) -> String {
        let (start, notations) = (self.start(), 0..self.notations().len());
        let Some(&mv) = start.legal_moves().first() else { return String::new() };
        let text = |notation| {
            let mut text = String::new();
            start.clone().play_and_push_in(notation, mv, &mut text);
            text
        };
        let mut texts: Vec<String> = notations.map(text).collect();
        texts.dedup();
        texts.join(", ")
    }

    /// In how many dialects programs write its moves in coordinates. Number 0 is our own, see
    /// [`crate::Rules::parse_uci`]; a legal first move of one is none of another.
    fn dialects(&self) -> usize {
        1
    }

    /// The start of a game.
    fn start(&self) -> Position;

    /// The position of a text, see [`crate::Rules::to_fen`].
    ///
    /// # Errors
    /// Words for the fault in it.
    fn position(&self, text: &str) -> Result<Position, PositionError>;

    /// A text split behind its position, of which fields may be missing, where operations of EPD follow.
    fn split_operations<'a>(&self, text: &'a str) -> (&'a str, &'a str);

    /// A text split behind the words that can be the fields of a position but its counters, as many of
    /// them as are there: lines of labelled positions go on with counters or a label.
    fn split_fields<'a>(&self, text: &'a str) -> (&'a str, &'a str);

    /// Number of words of a whole position that are its fields, and of those behind them that are
    /// counters.
    fn word_counts(&self) -> (usize, usize);

    /// Bytes of a packed position, at most [`PACKED_MAX`](crate::PACKED_MAX); and how many of them are
    /// the same wherever the position occurs, the others being counters.
    fn packed_lengths(&self) -> (usize, usize);

    /// Packs a position.
    ///
    /// # Errors
    /// It has more men than a game can have.
    fn pack(&self, position: &Position) -> Result<PackedBytes, PackedError>;

    /// Unpacks a position.
    ///
    /// # Errors
    /// The bytes are not those of a legal position.
    fn unpack(&self, bytes: &PackedBytes) -> Result<Position, PackedError>;

    /// Its own rules that end games, in the order of their codes in stores, which never changes.
    fn endings(&self) -> &'static [Ending];

    /// Positions by which builds are told apart, with their names.
    fn bench_positions(&self) -> Vec<(String, Position)>;

    /// A quiet position in the middle of a game, where limits of engines are tried.
    fn middlegame(&self) -> Position;

    /// Openings that programs carry, as the text of an EPD file.
    fn openings(&self) -> &'static str;

    /// The numbers that programs carry.
    ///
    /// # Panics
    /// If they cannot be used: [`Factory::try_embedded`] says so instead.
    fn embedded(&self) -> Numbers {
        self.try_embedded().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Traces of the evaluation, from which its weights are fitted; `None` unless it is linear.
    fn tracer(&self, _numbers: &Numbers) -> Option<Box<dyn Tracer>> {
        None
    }

    /// The parts that not every game has.
    fn features(&self) -> Features {
        Features::default()
    }

    /// As [`Playable::position`], but the small mistakes of other programs are left out; what was wrong
    /// is returned, too.
    ///
    /// # Errors
    /// Words for any other fault in it.
    fn loose_position(&self, text: &str) -> Result<(Position, Vec<String>), PositionError> {
        self.position(text).map(|position| (position, Vec::new()))
    }

    /// Searches each bench position with an empty memory, to a depth (plies) or to that of the game, and
    /// tells nodes and name of each; `None` if `control` stops it. The nodes depend on numbers and depth
    /// alone.
    fn bench(
        &self,
        numbers: &Numbers,
        depth: Option<u32>,
        constants: bool,
        control: &Control,
        on_position: &mut dyn FnMut(&str, u64),
    ) -> Option<Bench> {
        let usual_depth = if numbers.search_table() == Table::Methods { 5 } else { 8 };
        const HASH: usize = 16;
        let mut engine = numbers.engine(HASH);
        engine.set_constants(constants);
        let limits = Limits::depth(depth.unwrap_or(usual_depth));
        let mut sum = Bench { nodes: 0, time: Duration::ZERO };
        for (name, position) in self.bench_positions() {
            engine.new_game();
            let begin = Instant::now();
            let nodes = engine.search(&position, &limits, control, &mut |_| {}).nodes;
            if control.is_stopped() {
                return None;
            }
            sum.time += begin.elapsed();
            sum.nodes += nodes;
            on_position(&name, nodes);
        }
        Some(sum)
    }

    /// The evaluation of a position, term by term; `None` where nothing tells it.
    fn explain(&self, _numbers: &Numbers, _position: &Position) -> Option<String> {
        None
    }

    /// The same as numbers; `None` where nothing tells them.
    fn terms(&self, _numbers: &Numbers, _position: &Position) -> Option<Terms> {
        None
    }

    /// Reads the file of an opening book or library.
    ///
    /// # Errors
    /// It is none, or damaged, or the game has none; in words.
    fn opening_moves(&self, _bytes: &[u8]) -> Result<Box<dyn OpeningMoves>, String> {
        Err(format!("nobody knows opening books of {}", self.name()))
    }

    /// Opens endgame tables for play, in which no time may be lost: damaged ones are left out.
    ///
    /// # Errors
    /// They cannot be used, or the game has none.
    fn oracle_for_play(&self, folders: &[PathBuf]) -> Result<Arc<dyn Oracle>, OracleError> {
        self.oracle(folders).map(Arc::from)
    }

    /// Opens endgame tables for a referee.
    ///
    /// # Errors
    /// They cannot be used, or the game has none.
    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, OracleError> {
        let folders: Vec<String> = folders.iter().map(|it| it.display().to_string()).collect();
        let (folders, name) = (folders.join(", "), self.name());
        Err(OracleError(format!("{folders}: nobody knows endgame tables of {name}")))
    }
}

/// How people draw a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardStyle {
    /// Men stand on squares, light and dark by turns.
    Squares,
    /// Men stand where lines cross.
    Points(PointBoard),
}

/// A board whose men stand where lines cross. Points are given by file and rank, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointBoard {
    /// Ranks on the near side of the river, which the inner files do not cross.
    pub river: usize,
    /// The words in the river, from the left.
    pub river_words: [&'static str; 2],
    /// The centers of palaces, each with four diagonals.
    pub palaces: &'static [(usize, usize)],
    /// Points with marks at their corners.
    pub marks: &'static [(usize, usize)],
}

/// The evaluation of a position from the view of the side that moves first, in centipawns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The value.
    pub value: i32,
    /// The terms that are counted, by name, with their share in the value; none if the result is known
    /// without them.
    pub shares: Vec<(String, i32)>,
}

/// The parts that not every game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// Most threads that search a position together.
    pub threads_max: usize,
    /// Most moves of a mate that is looked for in all lines before anything else.
    pub exhaustive_mate_max: u32,
    /// Openings may be those of Chess960.
    pub chess960: bool,
    /// There are opening books and libraries.
    pub books: bool,
    /// There are endgame tables.
    pub tables: bool,
    /// How strongly the engine plays with how many nodes.
    pub ratings: Ladder,
    /// Games can be drawn.
    pub draws: bool,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            threads_max: 1,
            exhaustive_mate_max: 0,
            chess960: false,
            books: false,
            tables: false,
            ratings: Ladder(&[]),
            draws: false,
        }
    }
}

/// The result of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of the searches alone.
    pub time: Duration,
}

/// The positions of an EPD file that programs carry, each with its name, the operation `id`.
///
/// # Panics
/// If a line is not correct.
pub fn named_positions(game: Game, epd: &str) -> Vec<(String, Position)> {
    let read = |line: &str| {
        let (text, name) = line.split_once(" id \"").expect("a bench position has a name");
        let name = name.trim_end_matches("\";").to_owned();
        (name, game.position(text).expect("bench positions are correct"))
    };
    epd.lines().map(read).collect()
}

/// Nodes per second; for no time at all as if it had been a nanosecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}

/// A game. Equal are games of the same name.
#[derive(Clone, Copy)]
pub struct Game(&'static dyn Playable);

impl Game {
    /// A game.
    pub const fn new(game: &'static dyn Playable) -> Game {
        Game(game)
    }

    /// Number of squares of the board.
    pub fn squares(self) -> usize {
        let (files, ranks) = self.board();
        files * ranks
    }

    /// The name of a square, as in `e4`.
    pub fn square_name(self, square: usize) -> String {
        let files = self.board().0;
        let file = char::from(b'a' + (square % files) as u8);
        format!("{file}{}", square / files + self.first_rank())
    }
}

impl Deref for Game {
    type Target = dyn Playable;

    fn deref(&self) -> &(dyn Playable + 'static) {
        self.0
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
