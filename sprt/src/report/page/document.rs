//! The whole document: header, key figures, panels, how to repeat the run.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::tally::Tally;
use super::words::{
    adjudication_text, count_of, grouped, hypotheses_text, memory_text, percent, signed,
    stopping_text,
};
use super::{State, course, faults, openings, outcomes, work};
use crate::report::Truncation;
use crate::report::pace::{Timing, duration_text};
use crate::statistics::{Assessment, Estimate, Verdict};
use crate::test::Description;

const STYLE: &str = include_str!("style.css");
/// Seconds between two looks of the browser at the page of a run that goes on.
const REFRESH: u32 = 10;

/// All that a page shows.
pub struct View<'a> {
    /// What is played.
    pub run: &'a Description,
    /// What was counted.
    pub tally: &'a Tally,
    /// What it says.
    pub figures: Assessment,
    /// Log-likelihood ratio, as the test sees it.
    pub ratio: f64,
    /// Its bounds, lower and upper.
    pub bounds: (f64, f64),
    /// Whether the run goes on.
    pub state: &'a State,
    /// The errors of a test that was cut off at its limit.
    pub truncation: Option<Truncation>,
    /// How fast it goes; unknown afterwards.
    pub timing: Option<Timing>,
    /// The command line that repeats the run.
    pub repeat: String,
}

/// A part of the page.
pub struct Panel {
    /// Anchor.
    pub id: &'static str,
    /// Heading.
    pub name: &'static str,
    /// What is seen, in a sentence.
    pub note: Markup,
    /// Chart or table.
    pub content: Markup,
    /// The same as numbers.
    pub figures: Option<Markup>,
    /// Takes the whole width where others stand in pairs.
    pub is_wide: bool,
}

impl View<'_> {
    /// Which color is whose.
    pub fn legend(&self) -> Markup {
        self.legend_of(&[("cand", 0), ("base", 1)], false)
    }

    /// Which color is whose, and that of draws.
    pub fn legend_with_draws(&self) -> Markup {
        self.legend_of(&[("cand", 0), ("base", 1)], true)
    }

    fn legend_of(&self, entries: &[(&str, usize)], draws: bool) -> Markup {
        html! {
            p.legend {
                @for (class, player) in entries {
                    span { i class=(class) {} (self.run.identities[*player].name) @if draws { " won" } }
                }
                @if draws { span { i.draw {} "drawn" } }
            }
        }
    }

    /// The document.
    pub fn document(&self) -> String {
        let [candidate, baseline] = [0, 1].map(|player| &self.run.identities[player].name);
        let mut panels = vec![
            course::likelihood(self),
            course::elo(self),
            outcomes::pairs(self),
            outcomes::colors(self),
            outcomes::terminations(self),
            outcomes::lengths(self),
        ];
        panels.extend(work::panels(self));
        // The last panel of two columns must not stand alone.
        let is_wide = panels.len().is_multiple_of(2);
        panels.push(Panel { is_wide, ..faults::panel(self) });
        panels.push(openings::panel(self));
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content={ "Kamerton sprt " (env!("CARGO_PKG_VERSION")) };
                    @if matches!(self.state, State::Running) {
                        meta http-equiv="refresh" content=(REFRESH);
                    }
                    title { (candidate) " – " (baseline) ": " (self.state.name()) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    (self.header())
                    main {
                        @for panel in &panels { (section(panel)) }
                        (self.facts())
                    }
                }
            }
        };
        markup.into_string()
    }

    fn header(&self) -> Markup {
        let [candidate, baseline] = [0, 1].map(|player| &self.run.identities[player].name);
        let limits = [0, 1].map(|player| self.run.contestants[player].limits.to_string());
        html! {
            header {
                p.state.(self.state.class()) { (self.state.name()) }
                h1 {
                    span.name-cand { (candidate) } span.versus { " against " }
                    span.name-base { (baseline) }
                }
                p.lead {
                    @if limits[0] == limits[1] { (limits[0]) } @else { (limits[0]) " against " (limits[1]) }
                    " · " (hypotheses_text(&self.run.rules.hypotheses))
                    " · seed " (self.run.rules.play.seed)
                }
                @if let State::Failed(reason) = self.state { p.failure { (reason) } }
                (self.gauge())
                (self.key_figures())
            }
        }
    }

    /// Where the likelihood ratio stands between its bounds.
    fn gauge(&self) -> Markup {
        let (lower, upper) = self.bounds;
        let place = |ratio: f64| 100.0 * ((ratio - lower) / (upper - lower)).clamp(0.0, 1.0);
        let (zero, now) = (place(0.0), place(self.ratio));
        let class = if self.ratio >= 0.0 { "accept" } else { "reject" };
        let name = format!(
            "Log-likelihood ratio {} between {} and {}",
            signed(self.ratio, 2),
            signed(lower, 2),
            signed(upper, 2)
        );
        html! {
            div.gauge {
                span { (signed(lower, 2)) }
                svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=(name) {
                    rect.track width="100" height="4" {}
                    rect class=(class) x=(format!("{:.2}", zero.min(now))) height="4"
                        width=(format!("{:.2}", (now - zero).abs())) {}
                    rect.zero x=(format!("{:.2}", zero - 0.1)) width="0.2" height="4" {}
                }
                span { (signed(upper, 2)) }
            }
        }
    }

    fn key_figures(&self) -> Markup {
        let counts = self.tally.counts;
        let [lost, drawn, won] = counts.trinomial();
        let figures = &self.figures;
        let limit = format!("of at most {}", grouped(self.run.rules.pairs));
        let games =
            format!("{} won, {} drawn, {} lost", grouped(won), grouped(drawn), grouped(lost));
        html! {
            dl.key {
                (key("LLR", &signed(self.ratio, 2), ""))
                (key_estimate("Elo", &figures.elo))
                (key_estimate("Normalized Elo", &figures.normalized_elo))
                (key("Superiority", &percent(figures.likelihood_of_superiority), "likelihood"))
                (key("Pairs", &grouped(counts.pairs()), &limit))
                (key("Games", &grouped(2 * counts.pairs()), &games))
                @if let Some(timing) = &self.timing { (self.timing_figures(timing)) }
            }
        }
    }

    fn timing_figures(&self, timing: &Timing) -> Markup {
        let speed = timing.games_per_second.map_or(String::new(), |speed| match speed {
            speed if speed >= 10.0 => format!("{speed:.0} games/s"),
            speed if speed >= 0.1 => format!("{speed:.1} games/s"),
            speed => format!("{:.1} games/h", 3600.0 * speed),
        });
        html! {
            (key("Elapsed", &duration_text(timing.elapsed), &speed))
            @if let (State::Running, Some((probably, at_most))) = (self.state, timing.left) {
                (key("Left", &duration_text(probably),
                     &format!("at most {}", duration_text(at_most))))
            }
        }
    }

    /// What the run was told, and how to repeat it.
    fn facts(&self) -> Markup {
        let run = self.run;
        let rules = &run.rules;
        let openings =
            format!("{}, checksum {}", grouped(run.openings.len() as u64), run.openings_checksum);
        let mut faults = format!("more than {}", count_of(rules.play.most_faults, "fault"));
        if rules.play.most_fault_share > 0.0 {
            faults += &format!(" and {} % of the games", 100.0 * rules.play.most_fault_share);
        }
        if let Some(most) = rules.play.most_time_losses {
            faults += &format!("; more than {} lost on time", count_of(most, "game"));
        }
        html! {
            section.wide id="run" {
                h2 { "The run" }
                dl.facts {
                    @for (role, player) in [("Candidate", 0), ("Baseline", 1)] {
                        @let identity = &run.identities[player];
                        (fact(role, &format!("{} ({}), {}", identity.name, identity.fingerprint,
                                             run.contestants[player].limits)))
                    }
                    (fact("Openings", &openings))
                    (fact("Seed", &rules.play.seed.to_string()))
                    (fact("Limit", &count_of(rules.pairs, "pair")))
                    (fact("Stops early", &stopping_text(rules)))
                    @if let Some(truncation) = &self.truncation {
                        (fact("Cut off at the limit", &truncation.to_string()))
                    }
                    (fact("Adjudication", &adjudication_text(&rules.play.game.adjudication)))
                    (fact("Draw at the latest", &format!("{} plies", grouped(u64::from(rules.play.game.max_plies)))))
                    (fact("Players remember", memory_text(rules.play.game.memory)))
                    (fact("Fails on", &faults))
                    (fact("Made by", concat!("Kamerton sprt ", env!("CARGO_PKG_VERSION"))))
                }
                h3 { "Repeat it" }
                p.code {
                    @for word in self.repeat.split(' ') {
                        @if word.starts_with("--") { span.option { (word) } } @else { (word) } " "
                    }
                }
            }
        }
    }
}

fn section(panel: &Panel) -> Markup {
    html! {
        section.wide[panel.is_wide] id=(panel.id) {
            h2 { (panel.name) }
            p.note { (panel.note) }
            (panel.content)
            @if let Some(figures) = &panel.figures {
                details { summary { "Figures" } (figures) }
            }
        }
    }
}

fn key(name: &str, value: &str, remark: &str) -> Markup {
    html! {
        div { dt { (name) } dd { (value) @if !remark.is_empty() { span.minor { (remark) } } } }
    }
}

fn key_estimate(name: &str, estimate: &Estimate) -> Markup {
    key(name, &signed(estimate.value, 1), &format!("± {:.1} (95 %)", estimate.error))
}

fn fact(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

impl State {
    /// The state in words.
    pub fn name(&self) -> &'static str {
        match self {
            State::Running => "running",
            State::Ended(Verdict::Accepted) => "candidate accepted",
            State::Ended(Verdict::Rejected) => "candidate rejected",
            State::Ended(Verdict::Undecided) => "undecided at the limit",
            State::Unfinished => "unfinished",
            State::Failed(_) => "failed",
        }
    }

    fn class(&self) -> &'static str {
        match self {
            State::Ended(Verdict::Accepted) => "accepted",
            State::Ended(Verdict::Rejected) | State::Failed(_) => "rejected",
            _ => "open",
        }
    }
}
