//! A test as lines of JSON, for programs that watch it.

use std::cell::{Cell, RefCell};
use std::io::Write;

use matches::game::{FaultKind, GameRecord, PairRecord, Termination, WarningKind};
use matches::player::Identity;
use matches::run::Observer;
use matches::sequential_test::{Description, Progress, Rules, SequentialTest, Summary};
use playable::Color;
use schemars::JsonSchema;
use serde::Serialize;
use statistics::{EloEstimate, PairCounts, Verdict};
use system::paint;

/// A line of `sprt run --json-stream` and `sprt resume --json-stream`. The first tells the start,
/// the last the end; games are told when their pair is counted, in the order of the schedule.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run begins or goes on.
    Start {
        /// Name and version of the form of all lines. The version changes when a program that reads
        /// them would have to.
        #[schemars(extend("const" = Event::SCHEMA))]
        schema: String,
        /// Folder of the run.
        folder: String,
        /// The candidate, then the baseline.
        #[schemars(length(equal = 2))]
        players: Vec<Identity>,
        /// How long each of them may think about a move, in words.
        #[schemars(length(equal = 2))]
        limits: Vec<String>,
        /// Openings in the file.
        openings: u64,
        /// Different positions among them.
        different_openings: u64,
        /// What is tested, and how.
        rules: Rules,
        /// Pairs that were in the journal; their games are not told again.
        resumed_pairs: u64,
    },
    /// Something the user ought to know, before the first game.
    Remark {
        /// What it is, in a sentence.
        message: String,
    },
    /// A game is over and counted.
    Game {
        /// Number of its pair, from 1.
        pair: u64,
        /// Which game of the pair: 1 or 2; the candidate is White in the first.
        #[schemars(range(min = 1, max = 2))]
        game: u64,
        /// Name of the player with White.
        white: String,
        /// Name of the player with Black.
        black: String,
        /// Number of the opening in its file, from 1.
        opening: u64,
        /// `1-0`, `0-1` or `1/2-1/2`.
        result: String,
        /// Why it ended.
        termination: Termination,
        /// Plies after the opening.
        plies: u64,
        /// Nodes of both players.
        nodes: u64,
        /// Time that both players took for their moves (seconds).
        #[schemars(range(min = 0))]
        seconds: f64,
    },
    /// A player did what loses the game; told before the game.
    Fault {
        /// Number of the pair, from 1.
        pair: u64,
        /// Which game of the pair: 1 or 2.
        #[schemars(range(min = 1, max = 2))]
        game: u64,
        /// Name of the player.
        player: String,
        /// What it is.
        kind: FaultKind,
        /// More of it; may be empty.
        detail: String,
    },
    /// A player did something odd that costs nothing; told before the game.
    Warning {
        /// Number of the pair, from 1.
        pair: u64,
        /// Which game of the pair: 1 or 2.
        #[schemars(range(min = 1, max = 2))]
        game: u64,
        /// Name of the player.
        player: String,
        /// What it is.
        kind: WarningKind,
        /// More of it; may be empty.
        detail: String,
    },
    /// A pair was played that equals an earlier one move for move: it is not counted, and its games
    /// are not told.
    Copy {
        /// Number of the pair, from 1.
        pair: u64,
        /// From which opening, from 1.
        opening: u64,
    },
    /// Where the test stands: at the start, and behind every pair.
    Checkpoint {
        /// Pairs that are counted.
        pairs: u64,
        /// Pairs by outcome, from the candidate's view.
        counts: PairCounts,
        /// Log-likelihood ratio at the last look of the test.
        log_likelihood_ratio: f64,
        /// Its bounds as they are now: lower, upper.
        bounds: (f64, f64),
        /// Logistic Elo with its 95 % interval, taking the stopping rule into account; `None` while
        /// there are too few pairs.
        #[serde(skip_serializing_if = "Option::is_none")]
        elo: Option<EloEstimate>,
    },
    /// What the test decides; missing if it does not get that far.
    Verdict {
        /// The verdict on the candidate.
        verdict: Verdict,
        /// Pairs that are counted.
        pairs: u64,
        /// Log-likelihood ratio at the end.
        log_likelihood_ratio: f64,
    },
    /// The run is over, interrupted or failed.
    End {
        /// How it ended.
        outcome: EndOutcome,
        /// What the program ends with.
        exit_status: u8,
        /// Why, if it did not come to its end.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndOutcome {
    /// The test came to its end.
    Finished,
    /// It can be resumed.
    Interrupted,
    /// There is no verdict.
    Failed,
}

impl Event {
    /// Name and version of the lines, described in `docs/schemas/stream.schema.json`.
    pub const SCHEMA: &str = "kamerton-stream/2";
}

/// Writes a test as lines of JSON. Where they cannot be written, that is told once, and the test
/// goes on.
pub struct JsonStream<W: Write> {
    output: RefCell<W>,
    is_broken: Cell<bool>,
    run: RefCell<Option<Description>>,
    /// Remarks from before the event of the start.
    remarks: RefCell<Vec<String>>,
}

impl<W: Write> JsonStream<W> {
    /// A stream into `output`, every line at once.
    pub fn new(output: W) -> JsonStream<W> {
        JsonStream {
            output: RefCell::new(output),
            is_broken: Cell::new(false),
            run: RefCell::new(None),
            remarks: RefCell::default(),
        }
    }

    /// Writes an event as one line of JSON, and flushes it.
    pub fn write(&self, event: &Event) {
        if self.is_broken.get() {
            return;
        }
        let mut line = serde_json::to_string(event).expect("plain data becomes JSON");
        line.push('\n');
        let mut output = self.output.borrow_mut();
        if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
            self.is_broken.set(true);
            paint::tell_warning(format_args!(
                "cannot write the stream of events any more: {error}"
            ));
        }
    }

    /// Writes the last lines: the verdict if there is one, and the end.
    pub fn end(
        &self,
        summary: Option<&Summary>,
        outcome: EndOutcome,
        exit_status: u8,
        message: Option<String>,
    ) {
        if let Some(summary) = summary {
            self.write(&Event::Verdict {
                verdict: summary.verdict,
                pairs: summary.tally.pairs,
                log_likelihood_ratio: summary.assessment.log_likelihood_ratio,
            });
        }
        self.write(&Event::End { outcome, exit_status, message });
    }

    fn write_checkpoint(&self, progress: &Progress) {
        let Progress { counts, log_likelihood_ratio, bounds, .. } = *progress;
        let elo = (!counts.are_too_few()).then(|| progress.elo_at(&counts));
        let pairs = counts.pairs();
        self.write(&Event::Checkpoint { pairs, counts, log_likelihood_ratio, bounds, elo });
    }

    /// Writes what went wrong in a game, then the game.
    fn write_game(&self, names: &[String], pair: &PairRecord, index: usize) {
        let record = &pair.games[index];
        let [first, second] = pair.players;
        let [white, black] = if index == 0 { [first, second] } else { [second, first] };
        let name = |color| names[if color == Color::White { white } else { black }].clone();
        let (number, game) = (pair.number + 1, index as u64 + 1);
        for (color, warning) in &record.warnings {
            let (kind, detail) = (warning.kind, warning.detail.clone());
            let player = name(*color);
            self.write(&Event::Warning { pair: number, game, player, kind, detail });
        }
        for (color, fault) in &record.faults {
            let (kind, detail) = (fault.kind, fault.detail.clone());
            let player = name(*color);
            self.write(&Event::Fault { pair: number, game, player, kind, detail });
        }
        let GameRecord { plies, result, termination, .. } = record;
        let microseconds: u64 = plies.iter().map(|ply| u64::from(ply.time)).sum();
        self.write(&Event::Game {
            pair: number,
            game,
            white: name(Color::White),
            black: name(Color::Black),
            opening: pair.opening as u64 + 1,
            result: result.as_str().to_owned(),
            termination: *termination,
            plies: plies.len() as u64,
            nodes: plies.iter().map(|ply| ply.nodes).fold(0, u64::saturating_add),
            seconds: microseconds as f64 / 1e6,
        });
    }
}

impl<W: Write> Observer<SequentialTest> for &JsonStream<W> {
    fn on_open(&self, run: &Description) {
        *self.run.borrow_mut() = Some(run.clone());
    }

    fn on_remark(&self, remark: &str) {
        self.remarks.borrow_mut().push(remark.to_owned());
    }

    fn on_start(&self, progress: &Progress) {
        if let Some(run) = self.run.borrow().as_ref() {
            self.write(&Event::Start {
                schema: Event::SCHEMA.to_owned(),
                folder: run.folder.display().to_string(),
                players: run.identities.clone(),
                limits: run.contestants.iter().map(|it| it.limits.to_string()).collect(),
                openings: run.openings.len() as u64,
                different_openings: run.openings.distinct() as u64,
                rules: run.rules,
                resumed_pairs: progress.resumed_pairs,
            });
        }
        for message in self.remarks.take() {
            self.write(&Event::Remark { message });
        }
        self.write_checkpoint(progress);
    }

    fn on_pair(&self, progress: &Progress, pair: &PairRecord) {
        if let Some(run) = self.run.borrow().as_ref() {
            let names: Vec<String> = run.identities.iter().map(|it| it.name.clone()).collect();
            for index in 0..pair.games.len() {
                self.write_game(&names, pair, index);
            }
        }
        self.write_checkpoint(progress);
    }

    fn on_copy(&self, _progress: &Progress, pair: &PairRecord) {
        self.write(&Event::Copy { pair: pair.number + 1, opening: pair.opening as u64 + 1 });
    }
}
