//! The progress of a tournament on the terminal.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use matches::game::PairRecord;
use matches::run::{Description, Observer, PlayerFaults};
use matches::tournament::{Progress, Rules, Tournament};
use system::paint;
use system::tell;

use super::count_faults;

/// Shows progress on stderr: a bar where that is a terminal, and now and then the table.
pub struct TournamentTerminal {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
    last_table: Cell<Instant>,
    faults: RefCell<Vec<PlayerFaults>>,
}

impl TournamentTerminal {
    /// Time between two tables.
    const INTERVAL: Duration = Duration::from_secs(60);

    /// Shows a tournament that stops when `interrupted` is set.
    pub fn new(interrupted: Arc<AtomicBool>) -> TournamentTerminal {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} pairs {per_sec} {eta} left");
        bar.set_style(style.expect("the template is fixed"));
        TournamentTerminal {
            bar,
            interrupted,
            last_table: Cell::new(Instant::now()),
            faults: RefCell::default(),
        }
    }
}

impl Observer<Tournament> for TournamentTerminal {
    fn on_open(&self, run: &Description<Rules>) {
        self.bar.suspend(|| tell(format_args!("output in {}", run.folder.display())));
        let names = run.identities.iter().map(|it| it.name.clone());
        *self.faults.borrow_mut() = names.map(PlayerFaults::new).collect();
    }

    fn on_remark(&self, remark: &str) {
        self.bar.suspend(|| paint::tell_warning(remark));
    }

    fn on_start(&self, progress: &Progress) {
        self.bar.set_length(progress.pairs_in_all);
        self.bar.set_position(progress.pairs);
        self.bar.reset_eta();
        if progress.resumed_pairs > 0 {
            self.bar
                .suspend(|| tell(format_args!("{} pairs in the journal", progress.resumed_pairs)));
        }
    }

    fn on_resumed_pair(&self, _progress: &Progress, pair: &PairRecord) {
        count_faults(&mut self.faults.borrow_mut(), pair);
    }

    fn on_pair(&self, progress: &Progress, pair: &PairRecord) {
        self.bar.set_length(progress.pairs_in_all);
        for line in count_faults(&mut self.faults.borrow_mut(), pair) {
            self.bar.suspend(|| paint::tell_fault(line));
        }
        for withdrawal in progress.withdrawn.iter().filter(|it| it.pair == pair.number + 1) {
            self.bar.suspend(|| tell(format_args!("withdrawn: {withdrawal}")));
        }
        self.bar.set_position(progress.pairs);
        if self.last_table.get().elapsed() < TournamentTerminal::INTERVAL {
            return;
        }
        self.last_table.set(Instant::now());
        if let Ok(ratings) = progress.crosstable.rate(&progress.rules.rating()) {
            let Progress { pairs, pairs_in_all, .. } = progress;
            let [first, _] = progress.rules.play.openings.game.color_names();
            let table = ratings.table(first);
            self.bar.suspend(|| tell(format_args!("{pairs} of {pairs_in_all} pairs\n{table}")));
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Drop for TournamentTerminal {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
