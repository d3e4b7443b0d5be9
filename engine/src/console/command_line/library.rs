//! `kamerton library`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use chess::GAME;
use chess::opening_library::{
    GrowingLibrary, LearnError, LearnedGames, Library, Openings, PLIES_MAX, is_library,
};
use chess::rules::{Move, Position};
use clap::{Args, Subcommand};
use pgn::{GameError, Games, PgnGame};
use playable::Game;
use system::files::{FileError, check_outputs, claim_outputs, write_atomically};
use system::{paint, tell};
use xiangqi::opening_book::Book;

use super::convert::read_records;

/// What to do with an opening library.
#[derive(Subcommand, Debug)]
pub enum LibraryCommand {
    /// Make a library from games
    Build(BuildArguments),
    /// Add games to a library
    Learn(LearnArguments),
    /// Print the tree below a sequence of moves
    Show(ShowArguments),
    /// Read a library to its end and say how much is in it
    Check(CheckArguments),
    /// Write a library as a book in Polyglot's format
    Export(ExportArguments),
}

/// Which games to learn from.
#[derive(Args, Debug)]
struct GameFiles {
    /// Games, plain or packed by gzip; `-` is the standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    /// Openings from which games of a match began: a game that begins at the end of one has its moves
    /// before its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    openings: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Games count that begin at the start of standard chess, or at the end of a given opening, and have
a result. What they say of the end of each variation, by results and by the scores in comments,
becomes its assessment; the moves before have that of the best reply.

Of games of xiangqi, as PGN or XML, it makes a book: a line of text for each move of a
position, with the number of its games. A position and its mirror image are one.

Examples:
  kamerton library build --pgn games.pgn --output openings.library
  kamerton library build --pgn a.pgn b.pgn.gz --plies 30 --min-games 5 --output openings.library
  kamerton library build --game xiangqi --pgn games.pgn game.xml --output book.txt"
)]
pub struct BuildArguments {
    #[command(flatten)]
    games: GameFiles,
    /// Where to write the library
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Plies of each game to take in
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=i64::from(PLIES_MAX)))]
    plies: u16,
    /// Games that a move must have been played in to be one of the library's; others are kept, and
    /// count once more games have been learned
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Whatever the order in which games are learned, the library is the same. A game that is learned twice
counts twice.

Examples:
  kamerton library learn --library openings.library --pgn played.pgn
  kamerton library learn --library openings.library --pgn match.pgn --openings 8moves_v3.pgn"
)]
pub struct LearnArguments {
    /// The library
    #[arg(long, value_name = "FILE")]
    library: PathBuf,
    #[command(flatten)]
    games: GameFiles,
    /// Where to write it [default: it replaces the one that was read]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Each line has a move, its assessment (+2 to -2: decisive for White, better, equal, worse, decisive
for Black), the games in which it was played, and how they ended for White. An asterisk marks the
moves that are played: those with the best assessment for their side.

Examples:
  kamerton library show --library openings.library
  kamerton library show --library openings.library --plies 6 \"1. e4 c5\""
)]
pub struct ShowArguments {
    /// The library
    #[arg(long, value_name = "FILE")]
    library: PathBuf,
    /// Plies to show below the moves
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=i64::from(PLIES_MAX)))]
    plies: u16,
    /// Moves from the start of a game
    #[arg(default_value = "", hide_default_value = true)]
    moves: String,
}

#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The library
    library: PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "\
The book has the moves that the library plays, with equal weights.

Example:
  kamerton library export --library openings.library --output openings.bin")]
pub struct ExportArguments {
    /// The library
    #[arg(long, value_name = "FILE")]
    library: PathBuf,
    /// Where to write the book
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl GameFiles {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        self.pgn.iter().chain(&self.openings).map(|path| &**path)
    }
}

impl LibraryCommand {
    /// Does it. Errors: a file that cannot be read or written, or is damaged; unknown moves; too many
    /// broken games; a game that has no libraries; nobody reads the output.
    pub fn run(self, game: Game) -> anyhow::Result<()> {
        if game != GAME {
            return match self {
                LibraryCommand::Build(arguments) if game == xiangqi::GAME => arguments.build_book(),
                _ => bail!("this command knows no game but chess"),
            };
        }
        match self {
            LibraryCommand::Build(BuildArguments { games, output, plies, min_games }) => {
                check_outputs(&[&output], games.paths())?;
                let _claims = claim_outputs([&*output])?;
                grow(GrowingLibrary::new(plies, min_games)?, &games, &output)
            }
            LibraryCommand::Learn(LearnArguments { library, games, output }) => {
                let output = output.as_ref().unwrap_or(&library);
                check_outputs(&[output], games.paths())?;
                // A second process would lose the games of the first.
                let _claims = claim_outputs([&**output])?;
                grow(load(&library)?.into(), &games, output)
            }
            LibraryCommand::Show(ShowArguments { library, plies, moves }) => {
                let line = line_of(&moves)?;
                let text = load(&library)?.show(&line, plies.into());
                let text = text.ok_or_else(|| anyhow!("the library does not know `{moves}`"))?;
                std::io::stdout().write_all(text.as_bytes())?;
                Ok(())
            }
            LibraryCommand::Check(CheckArguments { library }) => print_size(&load(&library)?),
            LibraryCommand::Export(ExportArguments { library, output }) => {
                check_outputs(&[&output], [&*library])?;
                let book = load(&library)?.to_book();
                write_atomically(&output, |file| file.write_all(&book.to_bytes()))?;
                writeln!(std::io::stdout(), "{} moves", book.len())?;
                Ok(())
            }
        }
    }
}

impl BuildArguments {
    /// Learns from games of xiangqi and writes a book.
    fn build_book(&self) -> anyhow::Result<()> {
        let BuildArguments { games, output, plies, min_games } = self;
        ensure!(games.openings.is_empty(), "--openings says nothing to a book of positions");
        check_outputs(&[output], games.paths())?;
        let _claims = claim_outputs([&**output])?;
        let (mut book, mut learned, mut unfinished) = (Book::default(), 0, 0);
        for path in &games.pgn {
            for record in read_records(path, xiangqi::GAME)? {
                if record.result.is_none() {
                    unfinished += 1;
                    continue;
                }
                let moves = record.moves.iter().copied().take(usize::from(*plies));
                book.learn(record.start.typed(), moves.map(playable::Move::typed));
                learned += 1;
            }
        }
        if unfinished > 0 {
            paint::tell_warning(format!("games left out, without a result: {unfinished}"));
        }
        book.cut(*min_games);
        let (positions, moves) = book.size();
        ensure!(moves > 0, "no move of {learned} games is played often enough: nothing is written");
        write_atomically(output, |file| file.write_all(book.to_text().as_bytes()))?;
        writeln!(std::io::stdout(), "{learned} games: {moves} moves of {positions} positions")?;
        Ok(())
    }
}

/// Learns from games and writes the library.
fn grow(mut library: GrowingLibrary, files: &GameFiles, output: &Path) -> anyhow::Result<()> {
    let mut openings = Openings::new(GAME);
    for path in &files.openings {
        for game in read_games(path)? {
            let is_known = openings.add(&game?)?;
            ensure!(is_known, "{}: an opening begins elsewhere than a game does", path.display());
        }
    }
    let mut counts = LearnedGames::default();
    let mut broken = Broken::default();
    let mut contradictory = 0u64;
    for path in &files.pgn {
        for game in read_games(path)? {
            contradictory += u64::from(game.as_ref().is_ok_and(PgnGame::contradicts_itself));
            let learned = match game {
                Ok(game) => library.learn(game, &openings),
                Err(error) => Err(LearnError::Game(error)),
            };
            match learned {
                Ok(taken) => counts.count(taken),
                Err(LearnError::Game(error @ GameError::Game { .. })) => broken.tell(&error),
                Err(error) => return Err(error.into()),
            }
        }
    }
    let LearnedGames { learned, elsewhere, undecided } = counts;
    tell(format_args!(
        "{learned} games learned; {elsewhere} began elsewhere, {undecided} have no result, {} are \
         broken",
        broken.count
    ));
    if contradictory > 0 {
        tell(PgnGame::contradictions(contradictory));
    }
    let all = learned + elsewhere + undecided + broken.count;
    ensure!(
        broken.count <= all / Broken::SHARE_DIVISOR,
        "{} of {all} games are broken, more than one in {}: nothing is written",
        broken.count,
        Broken::SHARE_DIVISOR
    );
    ensure!(
        learned > 0,
        "there is nothing to learn: nothing is written{}",
        if elsewhere > 0 { "; --openings FILE.pgn says where games may begin" } else { "" }
    );
    let library = library.finish();
    write_atomically(output, |file| file.write_all(&library.to_bytes()))?;
    print_size(&library)
}

/// Games that cannot be learned from.
#[derive(Default)]
struct Broken {
    count: u64,
}

impl Broken {
    /// As many as are shown.
    const SHOWN: u64 = 5;
    /// One game in so many may be broken.
    const SHARE_DIVISOR: u64 = 10;

    /// Counts a game and shows the first few.
    fn tell(&mut self, error: &GameError) {
        self.count += 1;
        if self.count <= Self::SHOWN {
            tell(format_args!("left out: {error}"));
        }
    }
}

/// Bytes of a library that are read at most.
const LARGEST: u64 = 1 << 30;

type Reader = Box<dyn std::io::BufRead>;

fn read_games(path: &Path) -> anyhow::Result<Games<Reader>> {
    Ok(Games::open(path)?)
}

fn load(path: &Path) -> anyhow::Result<Library> {
    let file = File::open(path).map_err(FileError::at("read", path))?;
    let mut bytes = Vec::new();
    // The beginning shows whether it is a library at all.
    for most in [1 << 12, LARGEST] {
        let read = (&file).take(most).read_to_end(&mut bytes);
        read.map_err(FileError::at("read", path))?;
        if !is_library(&bytes) {
            break;
        }
    }
    Library::parse(&bytes).with_context(|| path.display().to_string())
}

/// The moves of a text such as `1. e4 c5`.
fn line_of(text: &str) -> anyhow::Result<Vec<Move>> {
    let Some(game) = Games::new(text.as_bytes(), "moves").next() else { return Ok(Vec::new()) };
    let game = game?;
    let mut position = Position::start();
    let mut line = Vec::new();
    for written in &game.moves {
        let mv = position
            .parse_san(&written.san)
            .or_else(|error| position.parse_uci(&written.san).map_err(|_| error))?;
        position.play(mv);
        line.push(mv);
    }
    Ok(line)
}

fn print_size(library: &Library) -> anyhow::Result<()> {
    let size = library.size();
    let (tally, assessment) = library.start();
    let [minus_two, minus_one, zero, one, two] = size.by_assessment;
    let mut stdout = std::io::stdout();
    writeln!(
        stdout,
        "{} variations, {} moves, {} positions, {} plies at most",
        size.variations, size.moves, size.positions, size.longest
    )?;
    writeln!(
        stdout,
        "from {} games to {} plies, moves of at least {} games; {} more moves are kept",
        tally.games(),
        library.plies(),
        library.games_min(),
        size.noted
    )?;
    writeln!(
        stdout,
        "the start is assessed {assessment}; moves by assessment -2 to +2: {minus_two}, \
         {minus_one}, {zero}, {one}, {two}"
    )?;
    Ok(())
}
