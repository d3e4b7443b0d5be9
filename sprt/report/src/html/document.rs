//! The document that all pages are: head, style, header, panels, facts, the line that repeats it.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use statistics::{EloEstimate, Estimate};

use super::viewer::{ALL, Viewer, link};
use super::words::{elo_text, signed};
use crate::pace::{Timing, duration_text};

/// The colors, by day and by night.
pub const COLORS: &str = include_str!("colors.css");
/// Style sheet of all charts.
pub const CHART_STYLE: &str = include_str!("chart.css");
const STYLE: &str = include_str!("style.css");
/// Seconds between two looks of the browser at the page of a run that goes on.
const REFRESH: u32 = 10;

/// A page of HTML before it is written: what stands in its head, its panels, its facts.
#[derive(Default)]
pub struct Document {
    /// Name of the page, as the browser shows it.
    pub title: String,
    /// The state of what it shows.
    pub badge: Badge,
    /// Whether that goes on, so that the browser looks again.
    pub is_running: bool,
    /// The page's subject, as its heading.
    pub heading: Markup,
    /// The result in plain words, a sentence each.
    pub sentences: Vec<String>,
    /// Under which conditions, in a line.
    pub lead: Markup,
    /// The reason of a failed run.
    pub failure: Option<String>,
    /// The figures that are read first, as items of a list.
    pub overview: Markup,
    /// All that is seen, in pairs where it is not wide.
    pub panels: Vec<Panel>,
    /// Settings by name and value.
    pub facts: Vec<(String, String)>,
    /// The command line that does the same again.
    pub repeat: String,
}

/// A state in a word or two.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Badge {
    /// The state in words.
    pub name: &'static str,
    /// Their color: `accepted`, `rejected` or `open`.
    pub class: &'static str,
}

/// A part of the page.
pub struct Panel {
    /// Anchor by which a link finds the panel.
    pub id: &'static str,
    /// Heading of the panel.
    pub name: &'static str,
    /// The meaning of the content, in a sentence.
    pub note: Markup,
    /// Chart or table; where there is none, the panel is folded.
    pub content: Markup,
    /// The content in numbers, as a table.
    pub figures: Option<Markup>,
    /// Takes the whole width where others stand in pairs.
    pub is_wide: bool,
}

impl Document {
    /// The page as HTML.
    pub fn into_html(self) -> String {
        self.into_html_with(None)
    }

    /// The page as HTML, with games to look at if there are any.
    pub fn into_html_with(mut self, viewer: Option<Viewer>) -> String {
        leave_none_alone(&mut self.panels);
        let viewer = viewer.filter(|viewer| !viewer.is_empty());
        let refresh = self.is_running.then_some(REFRESH);
        let Document { title, badge, heading, sentences, lead, failure, .. } = &self;
        let Document { overview, panels, .. } = &self;
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content={ "Kamerton " (env!("CARGO_PKG_VERSION")) };
                    // Where there are games, the script refreshes: not while one is looked at.
                    @match (refresh, &viewer) {
                        (Some(seconds), Some(_)) => noscript { (refresh_tag(seconds)) },
                        (Some(seconds), None) => (refresh_tag(seconds)),
                        (None, _) => {}
                    }
                    title { (title) ": " (badge.name) }
                    style { @for style in [COLORS, CHART_STYLE, STYLE] { (PreEscaped(style)) } }
                    @if let Some(viewer) = &viewer { (viewer.style()) }
                }
                body {
                    header {
                        p.state.(badge.class) { (badge.name) }
                        h1 { (heading) }
                        p.lead { @for it in sentences { span.sentence { (it) } } (lead) }
                        @if let Some(reason) = failure { p.failure { (reason) } }
                        @if viewer.is_some() { p { a.button href=(link(ALL, 0)) { "Games" } } }
                        (overview)
                    }
                    main {
                        @for panel in panels { (section(panel)) }
                        (self.facts())
                    }
                    @if let Some(viewer) = viewer { (viewer.into_markup(refresh)) }
                }
            }
        };
        markup.into_string()
    }

    /// The settings, and how to repeat the run.
    fn facts(&self) -> Markup {
        html! {
            section.wide id="run" {
                h2 { "The run" }
                dl.facts {
                    @for (name, value) in &self.facts { div { dt { (name) } dd { (value) } } }
                    div { dt { "Made by" } dd { "Kamerton " (env!("CARGO_PKG_VERSION")) } }
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

fn refresh_tag(seconds: u32) -> Markup {
    html! { meta http-equiv="refresh" content=(seconds); }
}

/// Makes panels wide that would stand alone in a row of two columns, and those that are folded.
fn leave_none_alone(panels: &mut [Panel]) {
    for panel in panels.iter_mut() {
        panel.is_wide |= panel.is_folded();
    }
    for row in panels.chunk_by_mut(|one, other| one.is_wide == other.is_wide) {
        if !row.len().is_multiple_of(2)
            && let Some(last) = row.last_mut()
        {
            last.is_wide = true;
        }
    }
}

impl Panel {
    /// A panel of half the width without a table of figures.
    pub fn new(id: &'static str, name: &'static str, note: impl Render, content: Markup) -> Panel {
        Panel { id, name, note: note.render(), content, figures: None, is_wide: false }
    }

    /// The same panel with its content in numbers, if there are any.
    pub fn with_figures(self, figures: impl Into<Option<Markup>>) -> Panel {
        Panel { figures: figures.into(), ..self }
    }

    /// The same panel over the whole width, if `is_wide`.
    pub fn wide(self, is_wide: bool) -> Panel {
        Panel { is_wide, ..self }
    }

    /// True if there is nothing to see yet but what the panel would be about.
    fn is_folded(&self) -> bool {
        self.content.0.is_empty()
    }
}

fn section(panel: &Panel) -> Markup {
    html! {
        section.wide[panel.is_wide] id=(panel.id) {
            @if panel.is_folded() {
                details.folded {
                    summary { h2 { (panel.name) } }
                    p.note { (panel.note) }
                    @if let Some(figures) = &panel.figures { (figures) }
                }
            } @else {
                h2 { (panel.name) }
                p.note { (panel.note) }
                (panel.content)
                @if let Some(figures) = &panel.figures {
                    details { summary { "Figures" } (figures) }
                }
            }
        }
    }
}

/// A key figure with a remark, which may be empty.
pub fn key(name: &str, value: &str, remark: &str) -> Markup {
    html! {
        div { dt { (name) } dd { (value) @if !remark.is_empty() { span.minor { (remark) } } } }
    }
}

/// An estimate as a key figure.
pub fn key_estimate(name: &str, estimate: &Estimate) -> Markup {
    key(name, &signed(estimate.value, 1), &format!("± {:.1} (95 %)", estimate.error))
}

/// Where a likelihood ratio stands between its bounds: a bar from 0 on.
pub fn gauge(ratio: f64, (lower, upper): (f64, f64)) -> Markup {
    let place = |ratio: f64| 100.0 * ((ratio - lower) / (upper - lower)).clamp(0.0, 1.0);
    let (zero, now) = (place(0.0), place(ratio));
    let class = if ratio >= 0.0 { "accept" } else { "reject" };
    let [lower, upper] = [lower, upper].map(|bound| signed(bound, 2));
    let name = format!("Log-likelihood ratio {} between {lower} and {upper}", signed(ratio, 2));
    html! {
        div.gauge {
            span { (lower) }
            svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=(name) {
                rect.track width="100" height="4" {}
                rect class=(class) x=(format!("{:.2}", zero.min(now))) height="4"
                    width=(format!("{:.2}", (now - zero).abs())) {}
                rect.zero x=(format!("{:.2}", zero - 0.1)) width="0.2" height="4" {}
            }
            span { (upper) }
        }
    }
}

/// Elo with its interval as a key figure, or the one end that it has.
pub fn key_elo(name: &str, elo: &EloEstimate) -> Markup {
    let text = elo_text(elo);
    match text.split_once(" [") {
        Some((value, interval)) => key(name, value, &format!("[{interval} (95 %)")),
        None => key(name, &text, "(95 %)"),
    }
}

/// How fast a run goes, and while it does how long it may still take.
pub fn key_timing(timing: &Timing, is_running: bool) -> Markup {
    let speed = timing.games_per_second.map_or(String::new(), |speed| match speed {
        speed if speed >= 10.0 => format!("{speed:.0} games/s"),
        speed if speed >= 0.1 => format!("{speed:.1} games/s"),
        speed => format!("{:.1} games/h", 3600.0 * speed),
    });
    html! {
        (key("Elapsed", &duration_text(timing.elapsed), &speed))
        @if let (true, Some((probably, at_most))) = (is_running, timing.left) {
            @let remark = if probably < at_most {
                format!("at most {}", duration_text(at_most))
            } else {
                String::new()
            };
            (key("Left", &duration_text(probably), &remark))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_panel_stands_alone() {
        let panel = |is_wide| Panel::new("", "", "", html! { "seen" }).wide(is_wide);
        for (given, expected) in [
            ("nnw", "nnw"),
            ("nnnw", "nnww"),
            ("wn", "ww"),
            ("wwwnnnn", "wwwnnnn"),
            ("nwnnn", "wwnnw"),
        ] {
            let mut panels: Vec<Panel> = given.chars().map(|it| panel(it == 'w')).collect();
            leave_none_alone(&mut panels);
            let found: String =
                panels.iter().map(|it| if it.is_wide { 'w' } else { 'n' }).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_result_stands_under_the_title() {
        let document = Document {
            heading: html! { "a against b" },
            sentences: vec!["The candidate is stronger.".to_owned(), "So is <it>.".to_owned()],
            lead: html! { "seed 1" },
            ..Document::default()
        };
        let page = document.into_html();
        let sentences = [
            "<span class=\"sentence\">The candidate is stronger.</span>",
            "<span class=\"sentence\">So is &lt;it&gt;.</span>",
        ];
        let lead =
            format!("<h1>a against b</h1><p class=\"lead\">{}seed 1</p>", sentences.concat());
        assert!(page.contains(&lead), "{page}");
    }

    #[test]
    fn a_panel_without_content_is_folded() {
        let panel = |content| Panel::new("faults", "Faults", "None.", content);
        let mut panels = [panel(html! {}), panel(html! { p { "One." } })];
        leave_none_alone(&mut panels);
        let [folded, open] = panels.each_ref().map(|it| section(it).0);
        let (summary, note) = ("<summary><h2>Faults</h2></summary>", "<p class=\"note\">None.</p>");
        assert!(
            folded.contains(&format!("<details class=\"folded\">{summary}{note}</details>")),
            "{folded}"
        );
        assert!(open.contains("<p>One.</p>") && !open.contains("<details"), "{open}");
    }

    /// How much two colors such as `#22262b` differ in lightness, as WCAG counts it: 1 to 21.
    fn contrast(one: &str, other: &str) -> f64 {
        let lightness = |color: &str| {
            let part = |at: usize| {
                let part = u8::from_str_radix(&color[at..at + 2], 16).expect("hexadecimal");
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) + 0.05
        };
        let (one, other) = (lightness(one), lightness(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn what_is_drawn_can_be_told_from_the_card_by_day_and_by_night() {
        let (day, night) = COLORS.split_once("@media").expect("colors by night");
        for colors in [day, night] {
            let value = |name: &str| {
                let (_, rest) = colors.split_once(&format!("--{name}: ")).expect("a color");
                &rest[..7]
            };
            // Games that White and those that Black won have an outline, which tells them.
            for name in ["cand", "base", "draw", "accept", "reject", "soft"] {
                let contrast = contrast(value(name), value("card"));
                assert!(contrast >= 3.0, "{name}: {contrast}");
            }
            let sides = contrast(value("white-side"), value("black-side"));
            assert!(sides >= 4.5, "{sides}");
        }
        assert!(CHART_STYLE.contains("rect.white-side, rect.black-side { stroke: var(--soft)"));
    }
}
