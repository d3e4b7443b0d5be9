//! Counts of files and positions, for the report.

use std::collections::BTreeMap;
use std::fmt;

use matches::game::Termination;
use system::paint;
use system::tell;

/// Bad lines that are shown; the others are counted.
const BAD_LINES_SHOWN: usize = 5;

/// Positions without a game of which less than this share continue the one before are taken to be
/// shuffled (by chance alone about a seventh do), if there are enough to tell.
const SHUFFLED_SHARE: f64 = 0.35;
const SHUFFLED_MIN: u64 = 1000;

/// How [`Counts::extensions`] are called: bytes that a disk lost look the same.
pub(super) const EXTENSIONS: &str =
    "extensions of viriformat (or places where the file is damaged)";

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Rejection {
    /// Too near the start of the game, where positions are alike.
    EarlyPly,
    /// The score is large: the game is decided.
    LargeScore,
    /// The game is over: no move is left.
    Over,
    /// The side to move is in check.
    InCheck,
    /// The move played captures or promotes: the value is about to change.
    NoisyMove,
    /// Evaluation and quiescence search disagree: something hangs.
    NotQuiet,
    /// The game gave enough other positions.
    NotDrawn,
    /// Nobody knows what a search thinks of it.
    NoScore,
    /// The source gave as many positions as it may.
    BeyondLimit,
    /// The position occurred before, and its result went into the mean of the results.
    Duplicate,
}

impl Rejection {
    /// All reasons, in the order of their index.
    pub const ALL: [Rejection; 10] = [
        Rejection::EarlyPly,
        Rejection::LargeScore,
        Rejection::Over,
        Rejection::InCheck,
        Rejection::NoisyMove,
        Rejection::NotQuiet,
        Rejection::NotDrawn,
        Rejection::NoScore,
        Rejection::BeyondLimit,
        Rejection::Duplicate,
    ];

    /// Name of the reason in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rejection::EarlyPly => "first plies",
            Rejection::LargeScore => "large score",
            Rejection::Over => "game over",
            Rejection::InCheck => "in check",
            Rejection::NoisyMove => "capture or promotion next",
            Rejection::NotQuiet => "not quiet",
            Rejection::NotDrawn => "enough of its game",
            Rejection::NoScore => "without a score",
            Rejection::BeyondLimit => "enough of its source",
            Rejection::Duplicate => "duplicate",
        }
    }
}

/// Lines of text that could not be used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BadLines {
    /// How many lines there were.
    pub count: u64,
    /// The first few, as `file:line: reason`.
    pub shown: Vec<String>,
}

impl BadLines {
    /// Counts a bad line.
    pub fn add(&mut self, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.shown.len() < BAD_LINES_SHOWN {
            self.shown.push(text());
        }
    }

    /// Shows the first ones on standard error, if there are any; `name` says what they are.
    pub(super) fn warn(&self, name: &str) {
        if self.count > 0 {
            paint::tell_warning(format_args!("{} {name} left out, the first:", self.count));
            self.shown.iter().for_each(|line| tell(format_args!("  {line}")));
        }
    }

    pub(super) fn merge(&mut self, other: BadLines) {
        self.count += other.count;
        self.shown.extend(other.shown);
        self.shown.truncate(BAD_LINES_SHOWN);
    }
}

/// Counts of the files that were read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Files that were read.
    pub files: u64,
    /// Size of the files (bytes).
    pub bytes: u64,
    /// Size of the stores among them.
    pub store_bytes: u64,
    /// Size of the games in these stores before compression (bytes).
    pub plain_bytes: u64,
    /// Plies in these stores.
    pub store_plies: u64,
    /// Games; where the source names none, every position counts as one.
    pub games: u64,
    /// Games that had occurred before, move by move.
    pub repeated_games: u64,
    /// Positions before the filter.
    pub positions: u64,
    /// Games (or positions without one) lost, drawn and won by White, in this order.
    pub results: [u64; 3],
    /// Games of stores by how they ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Positions rejected, by [`Rejection`].
    pub rejected: [u64; Rejection::ALL.len()],
    /// Samples by phase, from 0 (no pieces) to 24 (all).
    pub phases: [u64; 25],
    /// Samples: positions that passed the filter, before their sources are weighted.
    pub samples: u64,
    /// Positions for which another one stands, see [`super::Filter::resolve`].
    pub resolved: u64,
    /// Positions whose result is that of an endgame table.
    pub table_results: u64,
    /// Positions among them whose game had another result.
    pub table_changes: u64,
    /// Samples after their sources were weighted; none if all weigh the same.
    pub weighted_samples: Option<u64>,
    /// Positions of files or lines that name no games.
    pub guessed_positions: u64,
    /// Positions among them that may be of the same game as the line before.
    pub continued_positions: u64,
    /// Lines that could not be used.
    pub bad_lines: BadLines,
    /// Extensions of viriformat, none of which is known.
    pub extensions: BadLines,
}

impl Counts {
    /// Counts a rejected position.
    pub fn reject(&mut self, reason: Rejection) {
        self.rejected[reason as usize] += 1;
    }

    /// Counts a result, given as White's points, 0 to 1; blended ones go to the nearest.
    pub fn result(&mut self, points: f32) {
        self.results[(2.0 * points).round() as usize] += 1;
    }

    /// Shows the first unusable lines on standard error, and says if lines that name no games are
    /// in no order of games either.
    pub fn warn(&self) {
        self.bad_lines.warn("unusable lines");
        self.extensions.warn(EXTENSIONS);
        if self.seem_shuffled() {
            paint::tell_warning(format_args!(
                "of {} positions whose files name no games only {} seem to follow the one before \
                 them in its game: if the lines were shuffled, a game may be both fitted to and \
                 held out",
                self.guessed_positions, self.continued_positions
            ));
        }
    }

    /// Do so few of the positions without a game continue the one before that their order is not
    /// that of games?
    fn seem_shuffled(&self) -> bool {
        self.guessed_positions >= SHUFFLED_MIN
            && (self.continued_positions as f64) < SHUFFLED_SHARE * self.guessed_positions as f64
    }

    /// Adds what was found elsewhere.
    pub fn merge(&mut self, other: Counts) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.store_bytes += other.store_bytes;
        self.plain_bytes += other.plain_bytes;
        self.store_plies += other.store_plies;
        self.games += other.games;
        self.repeated_games += other.repeated_games;
        self.positions += other.positions;
        add_all(&mut self.results, &other.results);
        for (termination, games) in other.terminations {
            *self.terminations.entry(termination).or_default() += games;
        }
        add_all(&mut self.rejected, &other.rejected);
        add_all(&mut self.phases, &other.phases);
        self.samples += other.samples;
        self.resolved += other.resolved;
        self.table_results += other.table_results;
        self.table_changes += other.table_changes;
        self.guessed_positions += other.guessed_positions;
        self.continued_positions += other.continued_positions;
        self.bad_lines.merge(other.bad_lines);
        self.extensions.merge(other.extensions);
    }
}

fn add_all(sums: &mut [u64], others: &[u64]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}

/// The table that `tuner positions` prints.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut row = |name: &str, number: u64, whole: u64| {
            let share = 100.0 * number as f64 / whole.max(1) as f64;
            writeln!(f, "{name:<38}{number:>12}  {share:>5.1} %")
        };
        row("games", self.games, self.games)?;
        for (result, name) in [(2, "  White won"), (1, "  drawn"), (0, "  Black won")] {
            row(name, self.results[result], self.games)?;
        }
        for (termination, &games) in &self.terminations {
            row(&format!("  ended by {}", termination.words()), games, self.games)?;
        }
        if self.repeated_games > 0 {
            row("  left out as repeated", self.repeated_games, self.games)?;
        }
        row("positions", self.positions, self.positions)?;
        for (reason, &count) in Rejection::ALL.iter().zip(&self.rejected) {
            row(&format!("  rejected: {}", reason.name()), count, self.positions)?;
        }
        row("samples", self.samples, self.positions)?;
        for (name, phases) in [
            ("  opening (phase 21 to 24)", 21..25),
            ("  early middlegame (16 to 20)", 16..21),
            ("  late middlegame (9 to 15)", 9..16),
            ("  endgame (3 to 8)", 3..9),
            ("  pawn endgame (0 to 2)", 0..3),
        ] {
            row(name, self.phases[phases].iter().sum(), self.samples)?;
        }
        for (name, count) in [
            ("resolved to a quiet leaf", self.resolved),
            ("results of endgame tables", self.table_results),
            ("  other than the game's", self.table_changes),
            ("samples by the weights of their sources", self.weighted_samples.unwrap_or(0)),
        ] {
            if count > 0 {
                row(name, count, self.positions)?;
            }
        }
        if self.bad_lines.count > 0 {
            row("unusable lines", self.bad_lines.count, self.positions + self.bad_lines.count)?;
        }
        if self.store_plies > 0 {
            let per_ply = |bytes: u64| bytes as f64 / self.store_plies as f64;
            writeln!(
                f,
                "stores: {:.2} bytes a ply, {:.2} before compression",
                per_ply(self.store_bytes),
                per_ply(self.plain_bytes)
            )?;
        }
        Ok(())
    }
}
