//! The page of a test: header, key figures, panels, what it was told.

use matches::sequential_test::Progress;
use maud::{Markup, html};
use statistics::{PairCounts, Verdict, sentence};

use super::view::{Ending, View};
use super::{openings, outcomes, progress, work};
use crate::html::document::{Document, Panel, gauge, key, key_elo, key_estimate, key_timing};
use crate::html::endings::{self, Sides};
use crate::html::words::{
    count_of, grouped, hypotheses_text, percent, signed, stopping_text, with_minus,
};
use crate::html::{RunState, fact_of_player, facts_of_play, faults};

impl View<'_> {
    /// Games from the candidate's view.
    fn sides(&self) -> Sides {
        let [candidate, baseline] = self.names().map(|name| format!("{name} won"));
        Sides {
            legend: [baseline, "drawn".to_owned(), candidate],
            words: endings::words(),
            classes: outcomes::CLASSES,
        }
    }

    /// Puts the page together.
    pub fn document(&self) -> Document {
        let [candidate, baseline] = self.names();
        let Progress { log_likelihood_ratio, bounds, .. } = self.content.progress;
        Document {
            title: format!("{candidate} – {baseline}"),
            heading: html! {
                span.name-cand { (candidate) } span.versus { " against " }
                span.name-base { (baseline) }
            },
            sentences: vec![self.sentence()],
            lead: self.lead(),
            overview: html! { (gauge(log_likelihood_ratio, bounds)) (self.key_figures()) },
            panels: self.panels(),
            facts: self.facts(),
            ..Document::default()
        }
    }

    fn panels(&self) -> Vec<Panel> {
        let games = &self.content.games;
        let sides = self.sides();
        let mut panels = vec![
            progress::likelihood(self),
            progress::elo(self),
            outcomes::pairs(self),
            outcomes::colors(self),
            endings::terminations(games, &sides, games.audit.bias(games.games())),
            endings::lengths(games, &sides),
        ];
        panels.extend(work::panels(self));
        panels.push(faults::panel(games, self.context.folder.as_deref()));
        panels.push(openings::panel(self));
        if self.content.progress.counts.pairs() == 0 {
            // Nothing is to be seen yet.
            for panel in &mut panels {
                (panel.content, panel.figures) = (html! {}, None);
            }
        }
        panels
    }

    fn sentence(&self) -> String {
        let verdict = self.content.ending.verdict;
        let found = sentence(
            &self.content.progress.counts,
            &self.figures.elo,
            verdict.unwrap_or(Verdict::Undecided),
            verdict.is_some(),
        );
        with_minus(&found)
    }

    fn lead(&self) -> Markup {
        let run = &self.context.run;
        let limits = [0, 1].map(|player| run.contestants[player].limits.to_string());
        html! {
            @if limits[0] == limits[1] { (limits[0]) } @else { (limits[0]) " against " (limits[1]) }
            " · " (hypotheses_text(&run.rules.hypotheses))
            " · seed " (run.rules.play.seed)
        }
    }

    fn key_figures(&self) -> Markup {
        let progress = &self.content.progress;
        let counts = progress.counts;
        let [lost, drawn, won] = counts.trinomial();
        let figures = &self.figures;
        let limit = format!("of at most {}", grouped(self.context.run.rules.pairs));
        let games =
            format!("{} won, {} drawn, {} lost", grouped(won), grouped(drawn), grouped(lost));
        html! {
            dl.key {
                (key("LLR", &signed(progress.log_likelihood_ratio, 2), ""))
                @if counts.are_too_few() {
                    (key("Elo", "–", PairCounts::TOO_FEW))
                } @else {
                    (key_elo("Elo", &figures.elo))
                    @if figures.elo.is_bounded() {
                        (key_estimate("Normalized Elo", &figures.normalized_elo))
                    }
                    (key("Superiority", &percent(figures.likelihood_of_superiority), "likelihood"))
                }
                (key("Pairs", &grouped(counts.pairs()), &limit))
                (key("Games", &grouped(2 * counts.pairs()), &games))
                @if let Some(pace) = &self.context.pace {
                    (key_timing(&pace.timing(progress), self.context.state == RunState::Running))
                }
            }
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let run = &self.context.run;
        let rules = &run.rules;
        let mut facts = vec![
            ("Candidate".to_owned(), fact_of_player(run, 0)),
            ("Baseline".to_owned(), fact_of_player(run, 1)),
            ("Limit".to_owned(), count_of(rules.pairs, "pair")),
            ("Stops early".to_owned(), stopping_text(rules)),
        ];
        let Ending { truncation, crossing, copies, .. } = &self.content.ending;
        facts.extend(truncation.map(|it| ("Cut off at the limit".to_owned(), it.to_string())));
        facts.extend(crossing.clone().map(|text| ("On the way".to_owned(), text)));
        facts.extend(copies.clone().map(|text| ("Copies".to_owned(), text)));
        facts.extend(facts_of_play(run, &rules.play));
        facts
    }
}
