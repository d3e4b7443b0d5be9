//! The page of a tournament.

mod document;
mod players;
mod ratings;
mod view;

use chess::Color;
use matches::game::{PairRecord, outcome_for};
use matches::run::Description;
use matches::tournament::{Progress, Rules, Summary, Tournament};
use statistics::Crosstable;

use crate::html::document::{Badge, Document};
use crate::html::games_tally::{GamesTally, class_of};
use crate::html::viewer::{PairingShelf, Viewer};
use crate::html::{PageContent, RunContext, RunPage, faults};
use view::View;

pub use view::TournamentPageContent;

/// A page that is written again as a tournament goes on.
pub type TournamentPage = RunPage<TournamentPageContent>;

impl PageContent for TournamentPageContent {
    type Competition = Tournament;

    fn new(run: &Description<Rules>) -> TournamentPageContent {
        let Rules { format, rounds, .. } = run.rules;
        let players = run.identities.len();
        TournamentPageContent {
            crosstable: Crosstable::new(run.identities.iter().map(|it| it.name.clone()).collect()),
            games: GamesTally::new(&run.identities),
            by_color: vec![Default::default(); players],
            pairings: PairingShelf::new(format.pairings(players).len()),
            pairs: 0,
            resumed_pairs: 0,
            pairs_in_all: rounds * format.pairings(players).len() as u64,
            withdrawn: Vec::new(),
        }
    }

    fn start(&mut self, progress: &Progress) {
        self.resumed_pairs = progress.resumed_pairs;
    }

    fn count(&mut self, progress: &Progress, pair: &PairRecord, with_times: bool) {
        let [first, second] = pair.players;
        self.pairs += 1;
        self.pairs_in_all = progress.pairs_in_all;
        self.withdrawn.clone_from(&progress.withdrawn);
        self.crosstable.add_pair(first, second, pair.outcomes());
        let by_white = pair.games.each_ref().map(|game| outcome_for(game.result, Color::White));
        self.games.count(pair, by_white, with_times);
        self.pairings.add(pair, with_times);
        for (outcome, [white, black]) in
            by_white.into_iter().zip([[first, second], [second, first]])
        {
            let class = class_of(outcome);
            self.by_color[white][0][class] += 1;
            self.by_color[black][1][2 - class] += 1;
        }
    }

    fn end(&mut self, summary: &Summary) -> Option<Badge> {
        let is_over = summary.tally.is_at_end(summary.pairs_in_all());
        is_over.then_some(Badge { name: "finished", class: "accepted" })
    }

    fn document(&self, context: &RunContext<Rules>) -> Document {
        let ratings = self.crosstable.rate(&context.run.rules.rating());
        View::new(self, context, &ratings.expect("the anchors were checked before")).document()
    }

    fn viewer<'a>(&'a self, context: &'a RunContext<Rules>) -> Viewer<'a> {
        let mut viewer = context.viewer(context.run.rules.play.seed);
        faults::show(&self.games.shelf, &mut viewer);
        for ([one, other], games) in self.pairings.pairings() {
            let [first, second] = [one, other].map(|it| context.run.identities[it].name.as_str());
            let counts = self.crosstable.between(one, other);
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
    use std::path::PathBuf;
    use std::sync::Arc;

    use chess::Position;
    use matches::game::MoveLimits;
    use matches::openings::{Book, OpeningSettings};
    use matches::player::{Contestant, Identity};
    use matches::run::PlayRules;
    use matches::tournament::Format;

    use super::*;
    use crate::html::run::{RunState, html_of};
    use crate::html::viewer::made_up_pair;

    /// The page of so many players and rounds of made-up games.
    fn page(players: usize, rounds: u64) -> String {
        let words = ["embedded".to_owned(), "name=<one & two>".to_owned()];
        let contestant = Contestant::parse(&words, MoveLimits::nodes(9), None).expect("known");
        let identity = |index| Identity {
            name: format!("{} {index}", contestant.name),
            fingerprint: "0".to_owned(),
        };
        let line = format!("{}\n", Position::start().to_fen(false));
        let book = Book::parse(line.into(), "made up", &OpeningSettings::default());
        let rules = Rules {
            play: PlayRules::with_seed(1),
            format: Format::RoundRobin,
            rounds: 500,
            anchors: BTreeMap::new(),
            withdrawal: None,
        };
        let run = Description {
            folder: PathBuf::new(),
            contestants: vec![contestant.clone(); players],
            identities: (0..players).map(identity).collect(),
            openings: Arc::new(book.expect("a legal position")),
            openings_checksum: "0".to_owned(),
            rules: rules.clone(),
        };
        let mut content = TournamentPageContent::new(&run);
        let pairings = rules.format.pairings(players);
        for number in 0..rounds * pairings.len() as u64 {
            let players = pairings[(number % pairings.len() as u64) as usize];
            let pair = made_up_pair(number, 0, players);
            let progress = Progress {
                pairs: number + 1,
                pairs_in_all: content.pairs_in_all,
                resumed_pairs: 0,
                crosstable: Crosstable::default(),
                withdrawn: Vec::new(),
                rules: rules.clone(),
            };
            content.count(&progress, &pair, true);
        }
        let (state, repeat) = (RunState::Running, String::new());
        let context = RunContext { run, state, pace: None, repeat, folder: None, analysis: None };
        html_of(&content, &context)
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
