//! Games of each champion against the start, to show what was gained. They decide nothing.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use statistics::{EloEstimate, PairCounts, Verdict};
use system::budget::Budget;
use system::files;

use super::bounds;
use super::folder::START;
use super::hours::Lap;
use super::ledger::Generation;
use super::run::{Run, State};
use super::settings::Step;
use super::testing::{Question, Tested};
use super::words::{elo_of, score_in_words};

/// Pairs of games; a run whose tests have fewer has no more here either.
const PAIRS: u64 = 100;
/// Part of what is left of the time for show that one champion has at most.
const PART: f64 = 0.5;
/// Folder of the games in that of the generation, and what they came to.
pub(super) const FOLDER: &str = "showcase";
const RECORD: &str = "showcase.json";

/// The result of a champion's games against the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Showcase {
    pub nodes: u64,
    /// Pairs of games, from the champion's view.
    pub counts: PairCounts,
    /// Whether these are all that there are to be.
    pub is_whole: bool,
}

impl Showcase {
    /// Elo of the champion over the start.
    pub fn elo(&self) -> EloEstimate {
        elo_of(&self.counts)
    }
}

impl Run {
    /// Shows all champions that were not shown yet, or not in all of the games.
    pub(super) fn show_champions(&mut self) -> anyhow::Result<()> {
        let accepted = |it: &&Generation| it.verdict == Verdict::Accepted;
        let champions: Vec<Generation> =
            self.generations.iter().filter(accepted).cloned().collect();
        for (number, champion) in (1..).zip(&champions) {
            self.show(number, champion)?;
        }
        Ok(())
    }

    /// Pairs in which a champion is shown.
    fn show_pairs(&self) -> u64 {
        PAIRS.min(self.settings.choices.pairs)
    }

    /// The result so far of the games of a generation's champion.
    pub(super) fn showcase_of(&self, generation: u32) -> Option<Showcase> {
        let text = files::read_text(&self.showcase_record(generation)).ok()?;
        serde_json::from_str(&text).ok().filter(|it: &Showcase| it.counts.pairs() > 0)
    }

    fn showcase_record(&self, generation: u32) -> PathBuf {
        self.generation_folder(generation).join(RECORD)
    }

    /// Plays what is missing of a champion's games against the start, as long as there is time for
    /// show.
    fn show(&mut self, number: u32, champion: &Generation) -> anyhow::Result<()> {
        let (generation, pairs) = (champion.generation, self.show_pairs());
        let known = self.showcase_of(generation);
        if known.is_some_and(|it| it.is_whole) {
            return Ok(());
        }
        let time = self.show_time.map(|left| left.mul_f64(PART));
        if time.is_some_and(|time| time < Duration::from_millis(100)) {
            return Ok(());
        }
        let nodes = self.settings.show_nodes;
        let lap = Lap::start();
        let tested = self.ask(
            generation,
            &Question {
                baseline: self.folder.join(START),
                nodes,
                pairs,
                early_stop: false,
                until: Budget::starting_now(time),
                ..self.question(
                    format!("champion {number} against the start"),
                    champion.file(),
                    FOLDER,
                    Step::Showcase,
                    bounds::of_gain(0.0, false),
                )
            },
        )?;
        if let Some(left) = &mut self.show_time {
            *left = left.saturating_sub(lap.elapsed());
        }
        let is_whole = matches!(tested, Tested::Finished(_));
        let (Tested::Finished(found) | Tested::Cut(found)) = tested;
        let showcase = Showcase { nodes, counts: found.counts, is_whole };
        let text = serde_json::to_string_pretty(&showcase)? + "\n";
        files::write_atomically(&self.showcase_record(generation), |file| {
            std::io::Write::write_all(file, text.as_bytes())
        })?;
        let score = score_in_words(&showcase.counts, &showcase.elo());
        self.voice.step(format!("champion {number} against the start: {score}"));
        self.write_page(State::Running)
    }
}
