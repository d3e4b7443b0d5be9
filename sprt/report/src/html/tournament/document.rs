//! Header, key figures and panels of the page.

use maud::{Markup, html};
use statistics::sentence_of_leader;

use super::view::View;
use super::{players, ratings};
use crate::html::document::{Document, Panel, key, key_estimate, key_timing};
use crate::html::endings::Sides;
use crate::html::words::{count_of, grouped, percent, share, signed};
use crate::html::{RunState, endings, fact_of_player, facts_of_play, faults};

impl View<'_> {
    /// Puts the page together.
    pub fn document(&self) -> Document {
        Document {
            title: format!("Tournament of {} players", self.order.len()),
            heading: html! { "Tournament of " (count_of(self.order.len() as u64, "player")) },
            sentences: vec![sentence_of_leader(self.ratings, self.is_over())],
            lead: self.lead(),
            overview: self.key_figures(),
            panels: self.panels(),
            facts: self.facts(),
            ..Document::default()
        }
    }

    /// Whether all games were played.
    fn is_over(&self) -> bool {
        matches!(self.context.state, RunState::Ended(_))
    }

    fn panels(&self) -> Vec<Panel> {
        let games = &self.content.games;
        let sides = Sides::colors(self.context.run.openings.game());
        vec![
            ratings::table(self),
            ratings::crosstable(self),
            ratings::superiority(self),
            endings::terminations(games, &sides, None),
            players::colors(self),
            endings::lengths(games, &sides),
            players::work(self),
            faults::panel(games, self.context.folder.as_deref()),
        ]
    }

    fn lead(&self) -> Markup {
        let run = &self.context.run;
        let limits = run.contestants.first().map(|it| it.limits);
        let are_equal = run.contestants.iter().all(|it| Some(it.limits) == limits);
        html! {
            (run.rules.format) ", " (count_of(run.rules.rounds, "round"))
            @if let (true, Some(limits)) = (are_equal, limits) { " · " (limits) }
            @else { " · limits of their own" }
            " · seed " (run.rules.play.seed)
            @for withdrawal in &self.content.progress.withdrawn { br; "Withdrawn: " (withdrawal) }
        }
    }

    fn key_figures(&self) -> Markup {
        let progress = &self.content.progress;
        let games = self.content.games.games();
        let [_, drawn, _] = self.content.games.outcomes();
        let leader = self.ratings.players.first().filter(|_| games > 0);
        let pairs = format!("of {}", grouped(progress.pairs_in_all));
        let left = progress.pairs_in_all.saturating_sub(progress.pairs) as f64;
        let played = progress.pairs - progress.resumed_pairs;
        html! {
            dl.key {
                @if let Some(leader) = leader {
                    (key("Leader", &leader.player, &format!("{} Elo", signed(leader.elo, 1))))
                }
                (key("Pairs", &grouped(progress.pairs), &pairs))
                (key("Games", &grouped(games), ""))
                (key("Drawn", &percent(share(drawn, games)), ""))
                @if let Some(advantage) = self.ratings.white_advantage.filter(|_| games > 0) {
                    @let first = self.context.run.openings.game().color_names()[0];
                    (key_estimate(&format!("{first}'s advantage"), &advantage))
                }
                @if let Some(pace) = &self.context.pace {
                    (key_timing(&pace.after(played, (left, left)),
                                self.context.state == RunState::Running))
                }
            }
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let run = &self.context.run;
        let rules = &run.rules;
        let anchors: Vec<String> =
            rules.anchors.iter().map(|(name, elo)| format!("{name} {elo}")).collect();
        let anchors = match anchors.is_empty() {
            true => "none: the mean rating is 0".to_owned(),
            false => anchors.join(", "),
        };
        let player = |index| (format!("Player {}", index + 1), fact_of_player(run, index));
        let mut facts: Vec<(String, String)> = (0..run.identities.len()).map(player).collect();
        facts.push(("Format".to_owned(), rules.format.to_string()));
        facts.push(("Rounds".to_owned(), grouped(rules.rounds)));
        facts.push(("Anchors".to_owned(), anchors));
        for withdrawal in &self.content.progress.withdrawn {
            facts.push(("Withdrawn".to_owned(), withdrawal.to_string()));
        }
        facts.extend(facts_of_play(run, &rules.play));
        facts
    }
}
