//! A run in a folder: who plays whom from where, its journal, its games. Its [`Competition`] says
//! whether it is a test or a tournament.

mod competition;
mod copies;
mod counting;
mod error;
mod evidence;
mod faults;
mod folder;
pub mod journal;
mod kind;
mod observer;
mod pair_line;
mod pairs;
mod players;
mod rules;
mod run_tally;
pub mod schedule;
mod state;
mod workers;

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use system::files::{
    Claim, FileError, GrowingFile, check_free, create_folder, read_text, write_atomically,
};
use work::journal::{Journal, JournalError, JournalReader, checksum};
use work::{Stop, Threads, in_order};

use crate::game::PairRecord;
use crate::openings::Book;
use crate::player::{Contestant, ContestantError, Identity};
use copies::Copies;
use counting::Counting;
use folder::{GAMES, Header, JOURNAL, JournalContestant, RESULT, Tables, find_openings};
use journal::PairReader;
use players::{
    check_engines, check_start, log_lines, make_names_distinct, make_sets_equal,
    remark_on_same_players,
};
use state::Run;

pub use competition::Competition;
pub use error::RunError;
pub use faults::PlayerFaults;
pub use folder::{contestants_of, exists, is_own_file, kind_of, next_folder, repeating_line};
pub use kind::Kind;
pub use observer::{Description, NoObserver, Observer};
pub use rules::{FaultCap, PlayRules};
pub use run_tally::RunTally;
pub use workers::Workers;

/// The plan that a run begins with.
#[derive(Clone, Debug)]
pub struct RunPlan<R> {
    /// Who plays, in the order in which the pairings number them.
    pub contestants: Vec<Contestant>,
    /// Opening file, or [`system::files::EMBEDDED`].
    pub openings: PathBuf,
    /// Folders of endgame tables; none if [`Adjudication::tablebase`] is.
    ///
    /// [`Adjudication::tablebase`]: crate::playing::Adjudication::tablebase
    pub syzygy: Vec<PathBuf>,
    /// Settings that decide its course.
    pub rules: R,
}

/// Plays a run in a new folder: journal, games.pgn and, at the end, result.json, beside copies of
/// everything a resumption needs. The same plan gives the same bytes with any number of threads.
///
/// # Errors
/// See [`RunError`]; the folder must not hold a run already.
pub fn begin<C: Competition>(
    plan: &RunPlan<C::Rules>,
    workers: &Workers,
    folder: &Path,
    observer: &dyn Observer<C>,
) -> Result<C::Summary, RunError> {
    if exists(folder) {
        return Err(RunError::Exists { folder: folder.to_path_buf() });
    }
    // Games or a result without a journal are somebody else's.
    check_free(folder, [GAMES, RESULT])?;
    let mut rules = plan.rules.clone();
    let game = C::play_rules_of(&mut rules).openings.game;
    let mut players = Vec::new();
    for contestant in &plan.contestants {
        if contestant.is_unlimited() {
            let reason = format!("{}: a limit of time, nodes or depth is needed", contestant.name);
            return Err(ContestantError::Words(reason).into());
        }
        players.push(contestant.load(game)?);
    }
    log_lines(&mut players, workers);
    make_sets_equal(&mut players, &plan.contestants);
    make_names_distinct::<C>(&mut players);
    let identities: Vec<Identity> = players.iter().map(|it| it.identity.clone()).collect();
    let competition = C::new(&plan.rules, &identities)?;
    let openings = Book::load(&plan.openings, &competition.play_rules().openings)?;
    let mut remarks = competition.forewarnings();
    remarks.extend(remark_on_openings(&plan.openings, &openings));
    let pairings = competition.pairings();
    remarks.extend(remark_on_same_players(&players, &plan.contestants, &pairings));
    let contestants = plan.contestants.iter();
    let (engines, noticed) = check_start(&players, contestants, workers, &openings)?;
    remarks.extend(noticed);
    let tables = Tables::open(game, &plan.syzygy, &competition.play_rules().game.adjudication)?;
    let entry = |(index, ((contestant, loaded), engine))| {
        JournalContestant::new(format!("{}.toml", C::role(index)), contestant, loaded, engine)
    };
    let entries = plan.contestants.iter().zip(&players).zip(engines).enumerate().map(entry);
    let header = Header {
        kind: C::KIND,
        version: kind::VERSION,
        players: entries.collect(),
        openings: checksum(openings.bytes()),
        tables: tables.as_ref().map(|(tables, _)| tables.clone()),
        rules: plan.rules.clone(),
    };
    create_folder(folder)?;
    let path = folder.join(JOURNAL);
    let Some(claim) = Claim::on(&path)? else { return Err(JournalError::Locked { path }.into()) };
    if exists(folder) {
        return Err(RunError::Exists { folder: folder.to_path_buf() });
    }
    for (entry, loaded) in header.players.iter().zip(&players) {
        entry.write_copy(folder, loaded)?;
    }
    folder::write_openings(folder, &openings)?;
    // The journal comes last: where there is one, there is all that it needs.
    let journal = Journal::create(&path, &header)?;
    drop(claim);
    let mut run = Run::new(header, competition, players, openings);
    run.tablebase = tables.map(|(_, tablebase)| tablebase);
    observer.on_open(&run.description(folder));
    remarks.iter().for_each(|remark| observer.on_remark(remark));
    let games = GrowingFile::begin(&folder.join(GAMES))?;
    run.play(journal, games, workers, folder, observer)
}

/// The remark on openings that are in the book more than once.
fn remark_on_openings(file: &Path, openings: &Book) -> Option<String> {
    let (all, distinct) = (openings.len(), openings.distinct());
    (distinct < all).then(|| {
        format!("{}: {all} openings, but only {distinct} different positions", file.display())
    })
}

/// The plan that the run in a folder was begun with, its files being the copies there.
///
/// # Errors
/// There is no run of this kind and version, or the header of its journal is damaged.
pub fn plan_of<C: Competition>(folder: &Path) -> Result<RunPlan<C::Rules>, RunError> {
    let path = folder::journal_of(folder, C::KIND)?;
    let (header, _) = JournalReader::open::<Header<C::Rules>>(&path)?;
    Ok(RunPlan {
        contestants: header.players.iter().map(|entry| entry.in_folder(folder)).collect(),
        openings: find_openings(folder),
        syzygy: header.tables.map_or_else(Vec::new, |tables| tables.folders),
        rules: header.rules,
    })
}

/// Goes on with a run, or reports one that is finished.
///
/// # Errors
/// See [`RunError`].
pub fn resume<C: Competition>(
    folder: &Path,
    workers: &Workers,
    observer: &dyn Observer<C>,
) -> Result<C::Summary, RunError> {
    let path = folder::journal_of(folder, C::KIND)?;
    let (header, mut reader, journal) = PairReader::open_to_continue::<Header<C::Rules>>(&path)?;
    let mut run = Run::<C>::load(header, folder)?;
    observer.on_open(&run.description(folder));
    // The PGN file is made again from the journal, which alone says what was counted.
    let mut games = GrowingFile::begin(&folder.join(GAMES))?;
    let tags = run.tags();
    while let Some(pair) = reader.next_pair(&run.openings)? {
        if run.count_due(&pair, &reader)? {
            let opening = run.openings.opening(pair.opening).and_then(|it| it.name);
            games.append(&tags.pair(&pair, opening.as_deref()))?;
            observer.on_resumed_pair(&run.progress(0), &pair);
        }
    }
    // A run that is over needs nobody: programs may have been rebuilt since.
    if !run.is_over() {
        let game = run.openings.game();
        let load = |entry: &JournalContestant| entry.load(game, folder);
        run.players = run.header.players.iter().map(load).collect::<Result<_, _>>()?;
        log_lines(&mut run.players, workers);
        let openings = run.openings.clone();
        let (entries, written) = (&run.header.players, reader.written());
        let remarks = check_engines(entries, written, &run.players, workers, &openings)?;
        remarks.iter().for_each(|remark| observer.on_remark(remark));
        let contestants = run.header.players.iter().map(|entry| &entry.contestant);
        make_sets_equal(&mut run.players, contestants);
        run.tablebase = run.header.tables.as_ref().map(|tables| tables.reopen(game)).transpose()?;
    }
    run.play(journal.continue_after(reader.lines())?, games, workers, folder, observer)
}

/// Changes the caps of faults and of losses on time, where given: a run that they ended can go on.
///
/// # Errors
/// See [`RunError`]; a run that another process plays cannot be changed.
pub fn change_caps<C: Competition>(
    folder: &Path,
    faults: Option<FaultCap>,
    time_losses: Option<u64>,
) -> Result<(), RunError> {
    let path = folder::journal_of(folder, C::KIND)?;
    let (mut header, _) = JournalReader::open::<Header<C::Rules>>(&path)?;
    let rules = C::play_rules_of(&mut header.rules);
    let before = *rules;
    if let Some(FaultCap { faults, share }) = faults {
        (rules.most_faults, rules.most_fault_share) = (faults, share);
    }
    rules.most_time_losses = time_losses.or(rules.most_time_losses);
    if *rules == before {
        return Ok(());
    }
    // The result of the shorter run does not hold any more.
    let forget_result = || {
        let result = folder.join(RESULT);
        match std::fs::remove_file(&result) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(FileError::at("remove", &result)(error))
            }
            _ => Ok(()),
        }
    };
    Ok(Journal::replace_header(&path, &header, forget_result)?)
}

/// Reads the journal of a run that is finished, interrupted or even going on, and changes nothing.
/// The verdict is undecided, too, where pairs are left to play.
///
/// # Errors
/// See [`RunError`].
pub fn review<C: Competition>(
    folder: &Path,
    observer: &dyn Observer<C>,
) -> Result<C::Summary, RunError> {
    let path = folder::journal_of(folder, C::KIND)?;
    let (header, mut reader) = PairReader::open::<Header<C::Rules>>(&path)?;
    let mut run = Run::<C>::load(header, folder)?;
    observer.on_open(&run.description(folder));
    while let Some(pair) = reader.next_pair(&run.openings)? {
        if run.count_due(&pair, &reader)? {
            observer.on_resumed_pair(&run.progress(0), &pair);
        }
    }
    run.check()?;
    Ok(run.summary())
}

/// Reads the result of a run from its folder; `None` if there is none that can be read.
pub fn read_result<S: DeserializeOwned>(folder: &Path) -> Option<S> {
    let text = read_text(&folder.join(RESULT)).ok()?;
    serde_json::from_str(&text).ok()
}

/// Reads the pairs of a run of any kind, finished, interrupted or going on, and changes nothing. Copies
/// of earlier pairs are left out.
///
/// # Errors
/// See [`RunError`].
pub fn read_pairs(folder: &Path, mut visit: impl FnMut(&PairRecord)) -> Result<(), RunError> {
    /// The part that headers of all kinds share.
    #[derive(Deserialize)]
    struct Beginning {
        players: Vec<JournalContestant>,
        openings: String,
        rules: Common,
    }
    #[derive(Deserialize)]
    struct Common {
        play: PlayRules,
    }
    let path = folder::journal_of(folder, kind_of(folder)?)?;
    let (Beginning { players, openings: expected, rules }, mut reader) =
        PairReader::open::<Beginning>(&path)?;
    let path = find_openings(folder);
    let openings = Book::load(&path, &rules.play.openings)?;
    folder::unchanged(&path, checksum(openings.bytes()), &expected)?;
    let mut copies = Copies::of_run(players.iter().map(|it| &it.contestant), 0);
    while let Some(pair) = reader.next_pair(&openings)? {
        let is_copy = copies.as_mut().is_some_and(|copies| {
            let is_copy = copies.contains(&pair);
            copies.note(&pair);
            is_copy
        });
        if !is_copy {
            visit(&pair);
        }
    }
    Ok(())
}

impl<C: Competition> Run<C> {
    /// Plays the pairs that are left and writes the result, also that of a run that the players'
    /// faults end.
    fn play(
        mut self,
        journal: Journal,
        games: GrowingFile,
        workers: &Workers,
        folder: &Path,
        observer: &dyn Observer<C>,
    ) -> Result<C::Summary, RunError> {
        let result = self.play_pairs(journal, games, workers, folder, observer);
        match result {
            Ok(()) => self.finish(folder),
            Err(error) => {
                if error.is_by_players() {
                    self.tally.failure = Some(error.to_string());
                    self.finish(folder)?;
                }
                Err(error)
            }
        }
    }

    fn play_pairs(
        &mut self,
        journal: Journal,
        mut games: GrowingFile,
        workers: &Workers,
        folder: &Path,
        observer: &dyn Observer<C>,
    ) -> Result<(), RunError> {
        games.publish()?;
        let resumed_pairs = self.tally.pairs;
        observer.on_start(&self.progress(resumed_pairs));
        self.check()?;
        if self.is_over() {
            return Ok(journal.synchronize()?);
        }
        let kind = self.pairs_to_play(workers);
        let mut counting = Counting::new(self, journal, games, folder, observer);
        let stop =
            Threads::scope(&kind, workers.threads, |threads| in_order(threads, &mut counting));
        let stop = stop.map_err(|error| RunError::Threads(error.to_string()));
        counting.end()?;
        if stop?? == Stop::Interrupted {
            let pairs = self.tally.pairs;
            return Err(RunError::Interrupted { folder: folder.to_path_buf(), pairs });
        }
        Ok(())
    }

    fn finish(self, folder: &Path) -> Result<C::Summary, RunError> {
        let summary = self.summary();
        let mut json = serde_json::to_string_pretty(&summary).expect("plain data becomes JSON");
        json.push('\n');
        write_atomically(&folder.join(RESULT), |writer| writer.write_all(json.as_bytes()))?;
        Ok(summary)
    }
}
