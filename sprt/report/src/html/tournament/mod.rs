//! The page of a tournament.

mod document;
mod players;
mod ratings;
mod view;

use matches::game::{PairRecord, outcome_for};
use matches::run::Description;
use matches::tournament::{Progress, Rules, Summary, Tournament};
use playable::Color;

use crate::html::document::{Badge, Document};
use crate::html::games_tally::GamesTally;
use crate::html::run::first_progress;
use crate::html::viewer::{PairingShelf, Viewer};
use crate::html::{PageContent, RunContext, RunPage, faults};
use view::View;

pub use view::TournamentPageContent;

/// A page that is written again as a tournament goes on.
pub type TournamentPage = RunPage<TournamentPageContent>;

impl PageContent for TournamentPageContent {
    type Competition = Tournament;

    fn new(run: &Description<Rules>) -> TournamentPageContent {
        let pairings = run.rules.format.pairings(run.identities.len());
        TournamentPageContent {
            progress: first_progress::<Tournament>(run),
            games: GamesTally::new(&run.identities),
            pairings: PairingShelf::new(pairings.len()),
        }
    }

    fn start(&mut self, progress: &Progress) {
        self.progress = progress.clone();
    }

    fn count(&mut self, progress: &Progress, pair: &PairRecord, with_times: bool) {
        self.progress = progress.clone();
        let by_white = pair.games.each_ref().map(|game| outcome_for(game.result, Color::White));
        self.games.count(pair, by_white, with_times);
        self.pairings.add(pair, with_times);
    }

    fn end(&mut self, summary: &Summary) -> Option<Badge> {
        let is_over = summary.tally.is_at_end(summary.pairs_in_all());
        is_over.then_some(Badge { name: "finished", class: "accepted" })
    }

    fn document(&self, context: &RunContext<Rules>) -> Document {
        let ratings = self.progress.crosstable.rate(&context.run.rules.rating());
        View::new(self, context, &ratings.expect("the anchors were checked before")).document()
    }

    fn viewer<'a>(&'a self, context: &'a RunContext<Rules>) -> Viewer<'a> {
        let mut viewer = context.viewer(&context.run.rules.play);
        faults::show(&self.games.shelf, &mut viewer);
        for ([one, other], games) in self.pairings.pairings() {
            let [first, second] = [one, other].map(|it| context.run.identities[it].name.as_str());
            let counts = self.progress.crosstable.between(one, other);
            let name = format!("{first} – {second}");
            viewer.add(ratings::list_of(one, other), name, games, 2 * counts.pairs());
        }
        viewer.list_all(self.games.games());
        viewer
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use matches::run::PlayRules;
    use matches::tournament::Format;

    use super::*;
    use crate::html::run::made_up_page;
    use crate::html::viewer::made_up_pair;

    /// The page of so many players and rounds of made-up games.
    fn page(players: usize, rounds: u64) -> String {
        let rules = Rules {
            play: PlayRules::with_seed(1),
            format: Format::RoundRobin,
            rounds: 500,
            anchors: BTreeMap::new(),
            withdrawal: None,
        };
        let pairings = rules.format.pairings(players);
        let pairs = (0..rounds * pairings.len() as u64).map(|number| {
            made_up_pair(number, 0, pairings[(number % pairings.len() as u64) as usize])
        });
        made_up_page::<TournamentPageContent>(players, 1, rules, pairs)
    }

    #[test]
    fn a_page_can_be_made_of_nothing() {
        for (players, rounds) in [(2, 0), (2, 1), (5, 0), (5, 3)] {
            let page = page(players, rounds);
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
            assert!(page.contains("&lt;one &amp; two&gt; 1") && !page.contains("<one"));
            let few = "<span class=\"sentence\">Too few games to say who is the strongest.</span>";
            assert_eq!(page.contains(few), rounds < 3);
            assert_eq!(page.contains(" Elo, and is stronger with a probability of "), rounds == 3);
        }
    }

    #[test]
    fn tables_of_many_players_end_somewhere() {
        let page = page(120, 1);
        assert!(page.len() < 1_500_000, "{} bytes", page.len());
        assert!(page.contains("The first 40 of 120 players"));
    }
}
