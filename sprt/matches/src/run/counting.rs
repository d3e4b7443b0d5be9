//! Hands out the pairs of a run, and counts them: journal first, then the tally.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use system::files::GrowingFile;
use work::journal::Journal;
use work::{Coordinator, Unit};

use super::pairs::Written;
use super::players::words_of_written;
use super::schedule::Schedule;
use super::state::Run;
use super::{Competition, Observer, RunError, evidence, journal};
use crate::player::{EngineIdentity, Identity, Loaded, Watch};
use crate::playing::ScheduledPair;

/// The PGN file is made again from the journal after a kill, so that it may lag behind.
const GAMES_DELAY: Duration = Duration::from_secs(1);

/// A run whose pairs are being played.
pub(super) struct Counting<'r, C: Competition> {
    run: &'r mut Run<C>,
    journal: Journal,
    games: GrowingFile,
    /// When games were last made visible.
    published: Instant,
    folder: &'r Path,
    observer: &'r dyn Observer<C>,
    schedule: Schedule,
    /// Pairs in the journal when this process began.
    resumed_pairs: u64,
    identities: Vec<Identity>,
    watch: Watch,
}

impl<'r, C: Competition> Counting<'r, C> {
    pub fn new(
        run: &'r mut Run<C>,
        journal: Journal,
        games: GrowingFile,
        folder: &'r Path,
        observer: &'r dyn Observer<C>,
    ) -> Counting<'r, C> {
        let rules = run.competition.play_rules();
        let (begin, end) = (run.tally.next_pair(), run.competition.pairs());
        let schedule = Schedule::new(rules.seed, rules.openings, run.openings.len(), begin, end)
            .with_pairings(run.competition.pairings());
        let engines = run.header.players.iter().filter_map(|entry| entry.engine.as_ref());
        Counting {
            watch: Loaded::watch(
                &run.players,
                &engines.flat_map(EngineIdentity::written).collect(),
            ),
            identities: run.header.players.iter().map(|entry| entry.identity.clone()).collect(),
            resumed_pairs: run.tally.pairs,
            published: Instant::now(),
            run,
            journal,
            games,
            folder,
            observer,
            schedule,
        }
    }

    /// Makes all games visible, and waits until the journal is on the disk.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn end(mut self) -> Result<(), RunError> {
        self.journal.check_place()?;
        self.games.publish()?;
        Ok(self.journal.synchronize()?)
    }

    /// Counts a pair that equals an earlier one.
    fn take_copy(&mut self, written: &Written, line: &str) -> Result<(), RunError> {
        self.journal.append(line)?;
        self.run.count(&written.pair);
        self.observer.on_copy(&self.run.progress(self.resumed_pairs), &written.pair);
        Ok(())
    }

    fn take_new(&mut self, written: &Written, line: &str) -> Result<(), RunError> {
        self.journal.append(line)?;
        self.run.count(&written.pair);
        self.games.append(&written.games)?;
        if self.published.elapsed() > GAMES_DELAY {
            self.games.publish()?;
            self.published = Instant::now();
        }
        self.observer.on_pair(&self.run.progress(self.resumed_pairs), &written.pair);
        Ok(())
    }
}

impl<C: Competition> Coordinator for Counting<'_, C> {
    type Order = ScheduledPair;
    type Answer = Written;
    type Error = RunError;

    fn next(&mut self) -> Option<Unit<ScheduledPair>> {
        let run = &self.run;
        let slot = self.schedule.find(|slot| !run.is_left_out(slot.players))?;
        Some(Unit { number: slot.number, order: slot })
    }

    fn take(
        &mut self,
        _: Unit<ScheduledPair>,
        mut written: Written,
    ) -> Result<ControlFlow<()>, RunError> {
        let pair = &written.pair;
        // A pair may have been in play when one of its players was withdrawn.
        if self.run.is_left_out(pair.players) {
            return Ok(ControlFlow::Continue(()));
        }
        evidence::write(self.folder, pair, &self.run.tally.faults, &self.identities)?;
        let is_copy = self.run.is_copy(pair);
        let files = self.watch.changed();
        files.iter().for_each(|file| self.observer.on_remark(&words_of_written(file)));
        let mut line = std::mem::take(&mut written.journal_line);
        if is_copy || !files.is_empty() {
            let with_times = self.run.tags().with_times();
            line = journal::line_with(pair, with_times, is_copy, files);
        }
        match is_copy {
            true => self.take_copy(&written, &line)?,
            false => self.take_new(&written, &line)?,
        }
        self.run.check()?;
        Ok(match self.run.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn is_interrupted(&self) -> bool {
        self.observer.is_interrupted()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use statistics::{Design, Hypotheses};
    use system::files::EMBEDDED;
    use work::{Faulty, Remote, Stop, UnitKind, answer_bytes, in_order};

    use super::super::folder::{GAMES, Header, JOURNAL};
    use super::super::journal::PairReader;
    use super::super::{NoObserver, PlayRules, RunPlan, Workers, begin};
    use super::*;
    use crate::game::MoveLimits;
    use crate::player::Contestant;
    use crate::sequential_test::{Rules, SequentialTest};

    fn plan(pairs: u64) -> RunPlan<Rules> {
        let contestant = |name: &str| {
            let words = [name.to_owned()];
            Contestant::parse(&words, MoveLimits::nodes(20), Some(1)).expect("a contestant")
        };
        RunPlan {
            contestants: vec![contestant("embedded"), contestant("random")],
            openings: EMBEDDED.into(),
            syzygy: Vec::new(),
            rules: Rules {
                play: PlayRules::with_seed(11),
                pairs,
                early_stop: false,
                hypotheses: Hypotheses::default(),
                design: Design::default(),
            },
        }
    }

    /// The second half of a run whose units travel, lose their way and come back twice.
    #[test]
    fn a_faulty_transport_changes_nothing() {
        const PAIRS: u64 = 12;
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        begin::<SequentialTest>(&plan(PAIRS), &Workers::from(2), folder, &NoObserver)
            .expect("it ends");
        let files = || [JOURNAL, GAMES].map(|name| std::fs::read(folder.join(name)).expect(name));
        let expected = files();
        let lines = expected[0].split_inclusive(|&byte| byte == b'\n');
        let half: Vec<u8> = lines.take(1 + PAIRS as usize / 2).flatten().copied().collect();
        std::fs::write(folder.join(JOURNAL), half).expect("writable");

        let opened = PairReader::open_to_continue::<Header<Rules>>(&folder.join(JOURNAL));
        let (header, mut reader, journal) = opened.expect("undamaged");
        let mut run = Run::<SequentialTest>::load(header, folder).expect("as it was");
        let mut games = GrowingFile::begin(&folder.join(GAMES)).expect("writable");
        let tags = run.tags();
        while let Some(pair) = reader.next_pair(&run.openings).expect("undamaged") {
            run.count(&pair);
            let opening = run.openings.opening(pair.opening).and_then(|it| it.name);
            games.append(&tags.pair(&pair, opening.as_deref())).expect("writable");
        }
        let players = run.header.players.iter().map(|entry| entry.load(chess::GAME, folder));
        run.players = players.collect::<Result<_, _>>().expect("both are there");
        let kind = run.pairs_to_play(&Workers::from(1));
        let journal = journal.continue_after(reader.lines()).expect("writable");
        let mut counting = Counting::new(&mut run, journal, games, folder, &NoObserver);
        let mut work = kind.worker(0);
        let transport = Faulty::new(random::draws(1, 0), |unit, order| {
            answer_bytes(&kind, &mut work, unit, order, &AtomicBool::new(false))
        });
        let mut remote = Remote::new(&kind, transport, Duration::from_millis(1));
        let stop = in_order(&mut remote, &mut counting).expect("all pairs");
        assert_eq!(stop, Stop::Broken);
        counting.end().expect("writable");
        assert!(files() == expected);
    }
}
