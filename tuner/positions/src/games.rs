//! `tuner import`: games of matches into a store of recorded positions.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use command_line::within;
use indicatif::ProgressBar;
use matches::GameOption;
use matches::game::{GameRecord, GameResult, PairRecord, Termination};
use matches::openings::{Book, OpeningSettings};
use matches::playing::Adjudication;
use matches::run::{self, journal::PairReader};
use pgn::{Annotation, GameError, Games, PgnGame};
use playable::Position;
use serde::Deserialize;
use system::files::{self, partial_of};
use system::paint;
use system::tell;
use system::text::Text;

use super::compression;
use super::filter::Filter;
use super::rows::check_share;
use super::source::{Form, Source};
use super::store::{Game, Ply, Settings, Writer, termination_of};
use super::whole_games::for_each_game;
use super::{BadLines, PackedPosition};

/// Bring games of matches into a store for fitting.
///
/// Reads folders of `sprt run`, `sprt tournament` and `tuner spsa` (their journals: exact moves and
/// scores), and PGN of any runner with the scores it writes into comments: `{+0.31/9 0.5s}` (mover's view:
/// cutechess, fastchess, sprt), `{ev=0.31, d=20, ...}` and `{wv=0.31, ...}` (White's view: TCEC),
/// `{[%eval 0.31]}` (White's view: Lichess). Viriformat (.vf, .viri) is read too, and files packed by
/// gzip or zstd.
///
/// Moves before the first score are the book's: the recorded game begins behind them. Games without
/// any score are recorded whole. Left out are games without a result, games that a crash, an illegal
/// move or a loss on time ended, because their results say nothing of their positions, and games
/// with null moves.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct ImportArguments {
    /// The game that is played.
    #[command(flatten)]
    pub game: GameOption,
    /// Folders of runs, PGN and viriformat files.
    #[arg(required = true, value_name = "FOLDER|FILE")]
    pub sources: Vec<PathBuf>,
    /// Store to write, whole or not at all.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Share of broken games (illegal moves, unreadable text) in a file beyond which nothing is
    /// written.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = within(0.0, 1.0))]
    pub bad_games_max: f64,
}

const EXAMPLES: &str = "\
Examples:
  The games of a test, to fit to them:
    tuner import runs/new-margin --output match.kgames
    tuner fit --positions match.kgames --start default --output tuned.toml
  Games of other engines:
    tuner import tcec/*.pgn --output tcec.kgames
    tuner positions tcec.kgames --count";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Omission {
    /// Nobody knows how it ended.
    NoResult,
    /// A player crashed, cheated, or lost on time.
    Fault,
    /// A side passed.
    NullMove,
    /// Nothing was played, or nothing but the book.
    NoMoves,
    /// A piece was on the board that no store has room for, or there were too many plies.
    NoRoom,
}

impl Omission {
    fn name(self) -> &'static str {
        match self {
            Omission::NoResult => "without a result",
            Omission::Fault => "ended by a fault or on time",
            Omission::NullMove => "with null moves",
            Omission::NoMoves => "without moves",
            Omission::NoRoom => "too long or with too many pieces",
        }
    }
}

/// Name of a journal in the folder of a run.
const JOURNAL: &str = "journal";

/// Counts of games and plies in the files.
#[derive(Clone, Default, Debug)]
struct GameCounts {
    games: u64,
    recorded: u64,
    plies: u64,
    scored_plies: u64,
    book_plies: u64,
    left_out: BTreeMap<Omission, u64>,
    broken: BadLines,
    /// Games that end with another result than their tag says, which counts.
    contradictory: u64,
}

/// Runs `tuner import`.
///
/// # Errors
/// On sources that cannot be read or are broken in too many places, if no game is fit, and if the
/// store exists or cannot be written; there is none then.
pub fn run(arguments: &ImportArguments) -> anyhow::Result<()> {
    let output = &arguments.output;
    ensure!(output.file_name().is_some(), "--output names no file");
    let _claims = files::claim_outputs([&**output])?;
    ensure!(!output.exists(), "{} exists: choose another file", output.display());
    let found = import(arguments.game.game, &arguments.sources, arguments.bad_games_max, output)?;
    if found.broken.count > 0 {
        paint::tell_warning(format_args!(
            "{} broken games left out, the first:",
            found.broken.count
        ));
        found.broken.shown.iter().for_each(|line| tell(format_args!("  {line}")));
    }
    if found.contradictory > 0 {
        tell(format_args!("{}", PgnGame::contradictions(found.contradictory)));
    }
    write!(io::stdout(), "{found}").context("cannot write standard output")
}

/// Gathers the games of finished runs into a store, which is replaced if it is there.
///
/// # Errors
/// On folders that hold no run, if no game is fit, and if the store cannot be written.
pub fn gather(game: playable::Game, runs: &[PathBuf], output: &Path) -> anyhow::Result<()> {
    import(game, runs, 0.0, output).map(|_| ())
}

/// Writes the store, whole or not at all.
fn import(
    game: playable::Game,
    sources: &[PathBuf],
    bad_games_max: f64,
    output: &Path,
) -> anyhow::Result<GameCounts> {
    let cannot = || format!("cannot write {}", output.display());
    let (file, partial) = partial_of(output).with_context(cannot)?;
    let found = write_store(sources, bad_games_max, Writer::begin(file, output, &settings(game))?)?;
    partial.persist().with_context(cannot)?;
    Ok(found)
}

fn write_store(
    sources: &[PathBuf],
    bad_games_max: f64,
    mut writer: Writer,
) -> anyhow::Result<GameCounts> {
    let mut found = GameCounts::default();
    for source in sources {
        if source.is_dir() {
            import_run(source, &mut writer, &mut found)?;
        } else if Form::of_name(source) == Some(Form::Viriformat) {
            import_viriformat(source, bad_games_max, &mut writer, &mut found)?;
        } else {
            import_pgn(source, bad_games_max, &mut writer, &mut found)?;
        }
    }
    ensure!(found.recorded > 0, "no game is fit to be recorded:\n{found}");
    writer.finish()?;
    Ok(found)
}

/// Settings of a store of games from anywhere: only the program that wrote it is known.
fn settings(game: playable::Game) -> Settings {
    Settings {
        game,
        program: concat!("tuner import ", env!("CARGO_PKG_VERSION")).to_owned(),
        parameters: String::new(),
        seed: 0,
        nodes: 0,
        hash: 0,
        openings: None,
        random_plies: (0, 0),
        decided: 0,
        adjudication: Adjudication::NEVER,
        max_plies: 0,
        block_plies: 4096,
    }
}

fn import_run(folder: &Path, writer: &mut Writer, found: &mut GameCounts) -> anyhow::Result<()> {
    if is_tuning(folder) {
        return import_tuning(folder, writer, found);
    }
    let mut outcome = Ok(());
    run::read_pairs(folder, |pair| {
        if outcome.is_ok() {
            outcome = found.take_pair(pair, writer);
        }
    })?;
    outcome
}

/// Whether a folder holds a run of `tuner spsa`, whose journal names another kind than those of `sprt`.
fn is_tuning(folder: &Path) -> bool {
    #[derive(Deserialize)]
    struct Beginning {
        kind: String,
    }
    let journal = PairReader::open::<Beginning>(&folder.join(JOURNAL));
    journal.is_ok_and(|(beginning, _)| beginning.kind == "tuning")
}

/// The games of a tuning, in which both players have other values each time.
fn import_tuning(folder: &Path, writer: &mut Writer, found: &mut GameCounts) -> anyhow::Result<()> {
    let copies = ["epd", "pgn"].map(|ending| folder.join("openings").with_extension(ending));
    let openings = copies.iter().find(|path| path.exists()).unwrap_or(&copies[0]);
    let settings = OpeningSettings::of(writer.game());
    let book = Book::load(openings, &settings)?;
    let (_, mut reader) = PairReader::open::<serde_json::Value>(&folder.join(JOURNAL))?;
    while let Some(pair) = reader.next_pair(&book)? {
        found.take_pair(&pair, writer)?;
    }
    Ok(())
}

fn game_of_run(record: &GameRecord) -> Result<Game, Omission> {
    if matches!(record.termination, Termination::Forfeit | Termination::TimeLoss) {
        return Err(Omission::Fault);
    }
    let plies = record.plies.iter().map(|ply| Ply::new(ply.mv, ply.score));
    packed(&record.start, plies.collect(), record.result, record.termination)
}

fn import_viriformat(
    path: &Path,
    bad_games_max: f64,
    writer: &mut Writer,
    found: &mut GameCounts,
) -> anyhow::Result<()> {
    let source = Source::new(path, Some(Form::Viriformat), &Filter::default());
    let (mut games, mut broken) = (0, BadLines::default());
    for_each_game(&source, |game| {
        games += 1;
        match game {
            Ok(game) if game.plies.is_empty() => found.take(Err(Omission::NoMoves), writer),
            Ok(game) => found.take(Ok(game), writer),
            Err(problem) => {
                found.games += 1;
                broken.add(|| problem);
                Ok(())
            }
        }
    })?;
    ensure!(games > 0, "{} holds no games", path.display());
    check_share(path, "games", &broken, games, bad_games_max)?;
    found.broken.merge(broken);
    Ok(())
}

fn import_pgn(
    path: &Path,
    bad_games_max: f64,
    writer: &mut Writer,
    found: &mut GameCounts,
) -> anyhow::Result<()> {
    let (mut games, mut broken) = (0u64, BadLines::default());
    let file = compression::open(path, &ProgressBar::hidden())?;
    let file = Text::new(file).with_context(|| format!("cannot read {}", path.display()))?;
    for game in Games::new(file, &path.display().to_string()) {
        games += 1;
        found.contradictory += u64::from(game.as_ref().is_ok_and(PgnGame::contradicts_itself));
        match game.and_then(|game| Recorded::read(writer.game(), &game)) {
            Ok(Recorded { game, book_plies }) => {
                if game.is_ok() {
                    found.book_plies += book_plies;
                }
                found.take(game, writer)?;
            }
            Err(error @ GameError::Game { .. }) => {
                found.games += 1;
                broken.add(|| error.to_string());
            }
            // The file itself cannot be read on.
            Err(error) => return Err(error.into()),
        }
    }
    ensure!(games > 0, "{} holds no games", path.display());
    check_share(path, "games", &broken, games, bad_games_max)?;
    found.broken.merge(broken);
    Ok(())
}

/// A game of a PGN file.
struct Recorded {
    game: Result<Game, Omission>,
    /// Moves before the first score, which are not recorded.
    book_plies: u64,
}

impl Recorded {
    /// # Errors
    /// The game is broken.
    fn read(kind: playable::Game, game: &PgnGame) -> Result<Recorded, GameError> {
        // Where the game begins, and where its first score is.
        let (mut beginning, mut scored) = (None, None);
        let mut plies = Vec::with_capacity(game.moves.len());
        let mut passes = false;
        let end = game.replay(kind, |position, index, played| {
            let comment = &game.moves[index].comment;
            let annotation = Annotation::parse(comment, position.side_to_move());
            passes |= played.is_none();
            let score = annotation.map(|annotation| annotation.score);
            if score.is_some() && scored.is_none() {
                scored = Some(position.clone());
            }
            beginning.get_or_insert_with(|| position.clone());
            plies.push(Ply::new(played.unwrap_or_default(), score));
        })?;
        let book = plies.iter().position(|ply| ply.score != Ply::NO_SCORE).unwrap_or(0);
        let omission = |omission| Ok(Recorded { game: Err(omission), book_plies: 0 });
        let Some(result) = game.result() else { return omission(Omission::NoResult) };
        if passes {
            return omission(Omission::NullMove);
        }
        if is_fault(&game.terminations()) {
            return omission(Omission::Fault);
        }
        let Some(mut start) = scored.or(beginning) else { return omission(Omission::NoMoves) };
        start.forget_past();
        plies.drain(..book);
        let game = packed(&start, plies, result, termination_of(&end, result));
        Ok(Recorded { game, book_plies: book as u64 })
    }
}

/// Whether the tags of the end, in small letters, say that a player failed or lost on time.
fn is_fault(terminations: &[String]) -> bool {
    /// As PGN, cutechess, fastchess, c-chess-cli and TCEC call it.
    const FAULTS: [&str; 12] = [
        "abandoned",
        "connection stall",
        "crash",
        "death",
        "disconnect",
        "emergency",
        "forfeit",
        "illegal",
        "infraction",
        "on time",
        "stalled connection",
        "unterminated",
    ];
    terminations.iter().any(|text| {
        matches!(text.trim(), "time" | "timeout") || FAULTS.iter().any(|fault| text.contains(fault))
    })
}

fn packed(
    start: &Position,
    plies: Vec<Ply>,
    result: GameResult,
    termination: Termination,
) -> Result<Game, Omission> {
    if plies.is_empty() {
        return Err(Omission::NoMoves);
    }
    let start = PackedPosition::pack(start).map_err(|_| Omission::NoRoom)?;
    if u16::try_from(plies.len()).is_err() {
        return Err(Omission::NoRoom);
    }
    Ok(Game { start, plies, result, termination })
}

impl GameCounts {
    /// Records the games of a pair.
    fn take_pair(&mut self, pair: &PairRecord, writer: &mut Writer) -> anyhow::Result<()> {
        pair.games.iter().try_for_each(|game| self.take(game_of_run(game), writer))
    }

    /// Records a game or counts why not.
    fn take(&mut self, game: Result<Game, Omission>, writer: &mut Writer) -> anyhow::Result<()> {
        self.games += 1;
        match game {
            Ok(game) => {
                let (found, wanted) = (game.start.game(), writer.game());
                ensure!(
                    found == wanted,
                    "games of {}, not of {}: --game says which",
                    found.name(),
                    wanted.name()
                );
                self.recorded += 1;
                self.plies += game.plies.len() as u64;
                self.scored_plies +=
                    game.plies.iter().filter(|ply| ply.known_score().is_some()).count() as u64;
                writer.push(game)?;
            }
            Err(omission) => *self.left_out.entry(omission).or_default() += 1,
        }
        Ok(())
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, number: u64| writeln!(f, "{name:<42}{number:>10}");
        row("games found", self.games)?;
        row("  recorded", self.recorded)?;
        for (&omission, &games) in &self.left_out {
            row(&format!("  left out: {}", omission.name()), games)?;
        }
        if self.broken.count > 0 {
            row("  left out: broken", self.broken.count)?;
        }
        row("positions recorded", self.plies)?;
        row("  with a score", self.scored_plies)?;
        row("moves of books left out", self.book_plies)
    }
}

#[cfg(test)]
mod tests {
    use chess::Color;

    use super::*;

    #[test]
    fn faults_are_known_by_their_tags() {
        for text in
            ["time forfeit", "abandoned", "illegal move", "Time", "White's connection stalls"]
        {
            assert!(is_fault(&[text.to_ascii_lowercase()]), "{text}");
        }
        for text in ["adjudication", "normal", "", "TCEC draw rule", "checkmate", "50-move rule"] {
            assert!(!is_fault(&[text.to_ascii_lowercase(), text.to_ascii_lowercase()]), "{text}");
        }
        assert!(!is_fault(&[]));
    }

    #[test]
    fn a_mover_s_color_decides_the_view() {
        let text = "1. e4 {book} e5 {+0.10/9 1s} 2. Nf3 {+0.20/9 1s} Nc6 3. Bb5 {-0.30/8 1s} 1-0";
        let game =
            Games::new(text.as_bytes(), "a.pgn").next().expect("a game").expect("well-formed");
        let Recorded { game, book_plies } = Recorded::read(chess::GAME, &game).expect("legal");
        let game = game.expect("fit");
        let scores: Vec<Option<i16>> = game.plies.iter().map(|ply| ply.known_score()).collect();
        assert_eq!((book_plies, scores), (1, vec![Some(-10), Some(20), None, Some(-30)]));
        let start = game.start.unpack().expect("a position");
        assert_eq!(start.side_to_move(), Color::Black);
        assert_eq!(game.result, GameResult::WhiteWins);
    }
}
