//! All that the page of a tournament shows.

use matches::tournament::{Progress, Rules};
use statistics::Ratings;

use crate::html::RunContext;
use crate::html::games_tally::GamesTally;
use crate::html::viewer::PairingShelf;

/// The counts of a tournament's page.
#[derive(Clone, Debug)]
pub struct TournamentPageContent {
    /// How far the tournament is.
    pub(super) progress: Progress,
    /// Games, from White's view.
    pub(super) games: GamesTally,
    /// Games of each two players.
    pub(super) pairings: PairingShelf,
}

/// All that a page shows.
pub struct View<'a> {
    /// The tournament, and whether it goes on.
    pub context: &'a RunContext<Rules>,
    /// Pairs and games counted so far.
    pub content: &'a TournamentPageContent,
    /// The ratings by these.
    pub ratings: &'a Ratings,
    /// The players' indices by rating, the best first.
    pub order: Vec<usize>,
}

impl View<'_> {
    /// Players in tables that grow with the square of their number, and in charts.
    pub const MOST: usize = 40;

    /// A page of what was counted and what it says.
    pub fn new<'a>(
        content: &'a TournamentPageContent,
        context: &'a RunContext<Rules>,
        ratings: &'a Ratings,
    ) -> View<'a> {
        let index = |name: &str| context.run.identities.iter().position(|it| it.name == name);
        let order = ratings.players.iter().filter_map(|rating| index(&rating.player)).collect();
        View { context, content, ratings, order }
    }

    /// The name of a player.
    pub fn name(&self, player: usize) -> &str {
        &self.context.run.identities[player].name
    }

    /// Says how many players are shown, where that is not all.
    pub fn cut(&self) -> Option<String> {
        let players = self.order.len();
        (players > View::MOST).then(|| format!("The first {} of {players} players.", View::MOST))
    }
}
