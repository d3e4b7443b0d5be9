//! Tells how a match goes by the lines of fastchess, and writes its games and its log.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use foreign::{LINE, shown};
use matches::game::PairRecord;
use matches::openings::Book;
use matches::pgn::{MoveComments, PgnTags, Wording};
use matches::player::{Contestant, Identity};
use matches::run::{Competition, Description, Observer, RunTally};
use statistics::{Crosstable, GameOutcome, Hypotheses, PairCounts, RatingSettings};
use system::files::{EMBEDDED, FileError};
use system::paint;
use system::tell;

use super::lines;
use super::outputs::{EpdSettings, LogSettings, PgnSettings, Style};
use super::settings::Match;

/// Tells how a match goes.
pub struct Teller {
    style: Style,
    hypotheses: Option<Hypotheses>,
    /// Games between two blocks of results, and between two lines of the score; 0 is never.
    intervals: [u64; 2],
    /// Games of the whole match.
    games: u64,
    /// The name of the openings in the block of results.
    book: String,
    event: String,
    site: String,
    comments: MoveComments,
    notation: usize,
    wording: Wording,
    pgn: Option<(File, PathBuf)>,
    epd: Option<(File, PathBuf)>,
    log: Option<(File, LogSettings)>,
    state: RefCell<State>,
    /// The first error of writing.
    failure: RefCell<Option<anyhow::Error>>,
    interrupted: Arc<AtomicBool>,
    say: fn(&str) -> io::Result<()>,
}

#[derive(Default)]
struct State {
    contestants: Vec<Contestant>,
    names: Vec<String>,
    openings: Option<Arc<Book>>,
    played: u64,
    /// Pairs that equal an earlier one, and are not told.
    copies: u64,
    counts: BTreeMap<[usize; 2], PairCounts>,
    /// Wins, losses, draws of the first of each pairing.
    scores: BTreeMap<[usize; 2], [u64; 3]>,
    crosstable: Option<Crosstable>,
}

impl Teller {
    /// Tells of this match of so many games, which stops when `interrupted` is set;
    /// lines go to `say`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn new(
        asked: &Match,
        games: u64,
        interrupted: Arc<AtomicBool>,
        say: fn(&str) -> io::Result<()>,
    ) -> Result<Teller, FileError> {
        let book = asked.openings.as_deref().and_then(Path::file_name);
        let open_pgn = |pgn: &PgnSettings| Ok((begin(&pgn.file, pgn.append)?, pgn.file.clone()));
        let open_epd = |epd: &EpdSettings| Ok((begin(&epd.file, epd.append)?, epd.file.clone()));
        Ok(Teller {
            style: asked.style,
            hypotheses: asked.hypotheses,
            intervals: asked.intervals,
            games,
            book: book.map_or(EMBEDDED.into(), |name| name.to_string_lossy().into_owned()),
            event: asked.event.clone(),
            site: asked.site.clone(),
            comments: match &asked.pgn {
                Some(pgn) if pgn.minimal => MoveComments::None,
                _ => MoveComments::Plain,
            },
            notation: asked.pgn.as_ref().map_or(0, |pgn| pgn.notation),
            wording: Wording {
                with_times: true,
                mates_in_plies: true,
                selective_depth: asked.pgn.as_ref().is_some_and(|pgn| pgn.selective_depth),
            },
            pgn: asked.pgn.as_ref().map(open_pgn).transpose()?,
            epd: asked.epd.as_ref().map(open_epd).transpose()?,
            log: match &asked.log {
                Some(log) => Some((begin(&log.file, log.append)?, log.clone())),
                None => None,
            },
            state: RefCell::default(),
            failure: RefCell::default(),
            interrupted,
            say,
        })
    }

    /// Tells the results at the end.
    pub fn finish(&self) {
        let state = self.state.borrow();
        if self.style == Style::Cutechess {
            for (&[one, other], &score) in &state.scores {
                self.tell(&lines::score([&state.names[one], &state.names[other]], score));
            }
        }
        if state.copies > 0 {
            let copies = state.copies;
            tell(format_args!(
                "note: {copies} pairs equal earlier ones move for move and are not counted"
            ));
        }
        let pairings = state.counts.len();
        let different = state.openings.as_ref().map_or(0, |book| book.distinct() * pairings);
        if state.played > 2 * different as u64 {
            tell(format_args!("note: {}", RunTally::OPENINGS_REPEATED));
        }
        self.tell_results(&state);
        if let Some(hypotheses) = self.hypotheses.filter(|_| self.style == Style::Fastchess) {
            let counts = state.counts.values().next();
            let line = counts.and_then(|counts| lines::completed(counts, &hypotheses));
            line.iter().for_each(|line| self.tell(line));
        }
    }

    /// The first error of writing so far, if there was one.
    pub fn failure(&self) -> Option<anyhow::Error> {
        self.failure.borrow_mut().take()
    }

    /// A full disk must not end the match: that is told, and the match ends as one that failed.
    fn check(&self, written: anyhow::Result<()>) {
        if let Err(error) = written {
            let mut failure = self.failure.borrow_mut();
            if failure.is_none() {
                paint::tell_warning(format_args!("{error:#}"));
                *failure = Some(error);
            }
        }
    }

    /// A line of the course.
    fn tell(&self, line: &str) {
        let said = (self.say)(line);
        if said.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            // Who reads the lines has gone: nobody is left to whom the match is of use.
            self.interrupted.store(true, Ordering::Relaxed);
        }
        self.check(said.context("cannot write to standard output"));
        self.note(line, false);
    }

    fn note(&self, line: &str, is_trouble: bool) {
        let Some((file, settings)) = &self.log else { return };
        if is_trouble || !settings.only_troubles {
            let written = writeln!(&*file, "{line}");
            self.check(written.map_err(FileError::at("write", &settings.file)).map_err(Into::into));
        }
    }

    /// One of a pair's games.
    fn tell_game(&self, state: &mut State, pair: &PairRecord, index: usize) {
        let number = 2 * pair.number + index as u64 + 1;
        let names = state.names.clone();
        let players = lines::players_of(pair, index, &names);
        let game = &pair.games[index];
        self.tell(&lines::finished(number, players, game));
        for (color, fault) in &game.faults {
            self.note(&format!("game {number}: {color:?} {fault}"), true);
        }
        for (color, warning) in &game.warnings {
            let text = format!("{} {}", warning.kind.as_str(), warning.detail);
            self.note(&format!("game {number}: {color:?} {}", text.trim_end()), true);
        }
        state.played += 1;
        let score = state.scores.entry(pair.players).or_default();
        score[match pair.outcomes()[index] {
            GameOutcome::Win => 0,
            GameOutcome::Loss => 1,
            GameOutcome::Draw => 2,
        }] += 1;
        if self.style == Style::Cutechess && is_due(state.played, 1, self.intervals[1]) {
            let [one, other] = pair.players.map(|player| names[player].as_str());
            self.tell(&lines::score([one, other], *score));
        }
    }

    /// The results of all pairs so far.
    fn tell_results(&self, state: &State) {
        let hypotheses = self.hypotheses.as_ref();
        let mut said = Vec::new();
        for (&[one, other], counts) in &state.counts {
            let players = [state.names[one].as_str(), state.names[other].as_str()];
            match self.style {
                Style::Cutechess => said.extend(lines::elo(counts, hypotheses)),
                Style::Fastchess => {
                    let two = [one, other].map(|player| &state.contestants[player]);
                    let setting = lines::setting(two, &self.book);
                    said.push(lines::RULE.to_owned());
                    said.extend(lines::block(players, &setting, counts, hypotheses));
                    said.push(lines::RULE.to_owned());
                }
            }
        }
        let several = state.names.len() > 2;
        if let Some(table) = state.crosstable.as_ref().filter(|_| several)
            && let Ok(ratings) = table.rate(&RatingSettings::default())
        {
            said.extend(ratings.to_string().lines().map(str::to_owned));
        }
        // An empty line ends what programs read.
        said.iter().filter(|line| !line.trim().is_empty()).for_each(|line| self.tell(line));
    }

    fn write_games(&self, state: &State, pair: &PairRecord) {
        let Some((file, path)) = &self.pgn else { return };
        let opening = state.openings.as_ref().and_then(|book| book.opening(pair.opening));
        let tags = PgnTags {
            event: self.event.clone(),
            players: state.names.clone(),
            limits: state.contestants.iter().map(|it| it.limits).collect(),
            comments: self.comments,
            notation: self.notation,
        };
        let name = opening.and_then(|opening| opening.name);
        let text = tags.pair_worded(pair, name.as_deref(), &self.wording);
        // All of it at once: others may write into the same file.
        let text = self.in_their_words(&text, pair);
        let written = (&*file).write_all(text.as_bytes());
        self.check(written.map_err(FileError::at("write", path)).map_err(Into::into));
    }

    /// Writes the last positions of both games of a pair.
    fn write_positions(&self, pair: &PairRecord) {
        let Some((file, path)) = &self.epd else { return };
        let mut text = String::new();
        for game in &pair.games {
            let mut position = game.start.clone();
            game.plies.iter().for_each(|ply| position.play(ply.mv));
            let fen = position.to_fen();
            let fields: Vec<&str> = fen.split(' ').collect();
            let [position @ .., clock, number] = fields.as_slice() else { continue };
            text += &format!("{} hmvc {clock}; fmvn {number};\n", position.join(" "));
        }
        let written = (&*file).write_all(text.as_bytes());
        self.check(written.map_err(FileError::at("write", path)).map_err(Into::into));
    }

    /// The games with the tags of this front end.
    fn in_their_words(&self, text: &str, pair: &PairRecord) -> String {
        let site = shown(&self.site, LINE).replace('\\', "\\\\").replace('"', "\\\"");
        let mut games = pair.games.iter();
        let mut result = String::with_capacity(text.len());
        for line in text.lines() {
            let other = if line == "[Site \"?\"]" {
                Some(format!("[Site \"{site}\"]"))
            } else if line.starts_with("[Termination ") {
                let word = games.next().and_then(lines::termination);
                word.map(|word| format!("[Termination \"{word}\"]"))
            } else {
                None
            };
            result += other.as_deref().unwrap_or(line);
            result.push('\n');
        }
        result
    }
}

/// Whether one of so many things that were just added to others is at an interval; 0 is never.
fn is_due(count: u64, added: u64, interval: u64) -> bool {
    interval > 0 && count / interval > (count - added) / interval
}

/// Opens a file to write into, always at its end: others may write into it, too.
fn begin(path: &Path, append: bool) -> Result<File, FileError> {
    let open = || {
        if !append {
            File::create(path)?;
        }
        OpenOptions::new().create(true).append(true).open(path)
    };
    open().map_err(FileError::at("write", path))
}

impl<C: Competition> Observer<C> for Teller {
    fn on_open(&self, run: &Description<C::Rules>) {
        let mut state = self.state.borrow_mut();
        state.contestants = run.contestants.clone();
        let name = |identity: &Identity| identity.name.clone();
        state.names = run.identities.iter().map(name).collect();
        state.openings = Some(run.openings.clone());
        state.crosstable = Some(Crosstable::new(state.names.clone()));
    }

    fn on_remark(&self, remark: &str) {
        paint::tell_warning(remark);
        self.note(remark, true);
    }

    fn on_pair(&self, _: &C::Progress, pair: &PairRecord) {
        let mut state = self.state.borrow_mut();
        self.write_games(&state, pair);
        self.write_positions(pair);
        // Programs that read the lines know of a game when it is counted, which is by pairs.
        for index in 0..2 {
            let players = lines::players_of(pair, index, &state.names);
            let number = 2 * pair.number + index as u64 + 1;
            let line = lines::started(number, self.games, players);
            self.tell(&line);
        }
        for reason in &pair.replays {
            self.note(&format!("pair {} was replayed: {reason}", pair.number + 1), true);
        }
        for index in 0..2 {
            self.tell_game(&mut state, pair, index);
        }
        let [first, second] = pair.outcomes();
        state.counts.entry(pair.players).or_default().add(first, second);
        let [one, other] = pair.players;
        if let Some(table) = &mut state.crosstable {
            table.add_pair(one, other, [first, second]);
        }
        if is_due(state.played, 2, self.intervals[0]) && state.played < self.games {
            self.tell_results(&state);
        }
    }

    fn on_copy(&self, _: &C::Progress, pair: &PairRecord) {
        let number = pair.number + 1;
        let text = format!("pair {number} equals an earlier one move for move: not counted");
        self.note(&text, true);
        self.state.borrow_mut().copies += 1;
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_not_stepped_over() {
        let due = |interval| (1..=5).filter(|pairs| is_due(2 * pairs, 2, interval)).count();
        assert_eq!([due(0), due(1), due(2), due(5), due(10), due(11)], [0, 5, 5, 2, 1, 0]);
    }
}
