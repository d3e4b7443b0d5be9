//! The page of an audit: a table of the rules, a reliability diagram of each, the prices.

use maud::{Markup, html};
use report::html::chart::{self, Area, Frame, widened};
use report::html::document::{Badge, Document, Panel, key};
use report::html::table::{self, named_head};
use report::html::words::{dotted_name, grouped, signed};
use search::Rule;
use statistics::CONFIDENCE;

use super::calibration::{Bin, Calibration, Prediction};
use super::findings::{Findings, RuleFindings};
use super::prices::{Proposal, Proposals};
use super::ratio::Ratio;
use super::survey::SurveySettings;

/// Room of one rule's diagram.
const SMALL: Area = Area { width: 300.0, height: 210.0, left: 46.0, bottom: 30.0 };

/// The page as HTML. It holds nothing that depends on time or threads.
pub fn page(
    name: &str,
    settings: &SurveySettings,
    findings: &Findings,
    proposals: &Proposals,
    repeat: &str,
) -> String {
    let (holding, all) = findings.holding();
    let document = Document {
        title: format!("Audit: {name}"),
        badge: if holding == all {
            Badge { name: "predictions hold", class: "accepted" }
        } else {
            Badge { name: "some predictions fail", class: "open" }
        },
        heading: html! { "Audit of " (name) },
        sentences: vec![sentence(findings)],
        lead: html! {
            (grouped(findings.positions as u64)) " searches of " (grouped(settings.nodes))
            " nodes · seed " (settings.seed)
        },
        overview: overview(findings),
        panels: panels(&[(name, findings.clone())])
            .into_iter()
            .chain([prices(proposals)])
            .collect(),
        facts: facts(settings, findings),
        repeat: repeat.to_string(),
        ..Document::default()
    };
    document.into_html()
}

/// The result in plain words: how many cuts are wrong, and whose most often.
fn sentence(findings: &Findings) -> String {
    let seen = || findings.rules.iter().filter(|it| it.sampled > it.unknown);
    let sum = |of: &dyn Fn(&RuleFindings) -> f64| seen().map(of).sum::<f64>();
    let cuts = sum(&|it| it.cuts);
    // A rule of which little is known is not the first to be named.
    let surely = |it: &RuleFindings| it.wrong.share_interval().0;
    let worst = seen().max_by(|one, other| surely(one).total_cmp(&surely(other)));
    let Some(worst) = worst.filter(|_| cuts > 0.0) else {
        return "No cut was looked into.".to_owned();
    };
    let share = sum(&|it| it.cuts * it.wrong.value) / cuts;
    if share == 0.0 {
        return "None of the cuts looked into is wrong.".to_owned();
    }
    format!(
        "Of all cuts about {} are wrong; {} cuts wrongly most often: {}.",
        percent(share),
        worst.rule.name(),
        percent(worst.wrong.value)
    )
}

/// The panels of audits in the same positions: a table of all, and the diagrams of the last. None
/// of none.
pub fn panels(audits: &[(&str, Findings)]) -> Vec<Panel> {
    let Some((name, findings)) = audits.last() else { return Vec::new() };
    vec![table(audits), diagrams(name, findings), depths(findings)]
}

fn overview(findings: &Findings) -> Markup {
    let (holding, all) = findings.holding();
    let sampled: usize = findings.rules.iter().map(|it| it.sampled).sum();
    html! {
        dl.key {
            (key("Cuts looked into", &grouped(sampled as u64), ""))
            (key("Predictions that hold", &format!("{holding} of {all}"), "intervals of 95 %"))
            @if let Some(Prediction { predicted, realized, .. }) = &findings.overall {
                (key("Wrong cuts, predicted", &percent(predicted.value), &side(predicted)))
                (key("In games held out", &percent(realized.value), &side(realized)))
            }
        }
        p.note {
            "A cut is wrong if, without the rule at that place alone, the search would have "
            "answered on the other side of the bound. Nothing is held against what is true in chess: "
            "the measure is the search itself, at the same depth."
        }
    }
}

fn percent(share: f64) -> String {
    let decimals = if share.abs() < 0.1 { 2 } else { 1 };
    format!("{:.*}\u{a0}%", decimals, 100.0 * share)
}

/// The side of an interval in percent.
fn side(ratio: &Ratio) -> String {
    if ratio.error.is_finite() {
        format!("± {:.2}", 100.0 * CONFIDENCE * ratio.error)
    } else {
        String::new()
    }
}

fn table(audits: &[(&str, Findings)]) -> Panel {
    // The deciding column comes first: there is not room for all on a narrow screen.
    let columns = [
        "Wrong",
        "±",
        "Nodes saved",
        "±",
        "Cuts",
        "Looked into",
        "Unknown",
        "Nodes a cut",
        "Nodes a wrong cut",
    ];
    let rows = |rule: Rule| {
        audits.iter().filter_map(move |(name, findings)| {
            findings.rules.iter().find(|it| it.rule == rule).map(|it| (*name, it))
        })
    };
    let note = "What each rule cuts, how often that is wrong, and what it saves. Nodes saved are \
                those that would be searched without the rule, one cut at a time, less those that \
                it needs itself, in percent of the nodes of all searches. Intervals are of 95 %, \
                by games.";
    let content = html! {
        div.scroll {
            table {
                (named_head("Rule", columns))
                @for rule in Rule::ALL {
                    @for (name, it) in rows(rule) {
                        (row(it, (audits.len() > 1).then_some(name)))
                    }
                }
            }
        }
    };
    Panel::new("rules", "Rules", note, content).wide(true)
}

fn row(it: &RuleFindings, whose: Option<&str>) -> Markup {
    let number = |value: f64, decimals: usize| {
        if value.is_finite() { format!("{value:.decimals$}") } else { "–".to_string() }
    };
    let is_known = it.sampled > 0;
    html! {
        tr {
            th scope="row" { (dotted_name(it.rule.name())) @if let Some(name) = whose { " · " (name) } }
            @if is_known {
                td { (percent(it.wrong.value)) }
                td { (number(100.0 * CONFIDENCE * it.wrong.error, 2)) }
                td { (percent(it.saved.value)) }
                td { (number(100.0 * CONFIDENCE * it.saved.error, 1)) }
            } @else {
                @for _ in 0..4 { td { "–" } }
            }
            td { (grouped(it.cuts.round() as u64)) }
            td { (grouped(it.sampled as u64)) }
            td { (it.unknown) }
            @if is_known {
                td { (number(it.saved_per_cut.value, 1)) }
                td { (number(it.saved_per_wrong, 0)) }
            } @else {
                @for _ in 0..2 { td { "–" } }
            }
        }
    }
}

fn diagrams(name: &str, findings: &Findings) -> Panel {
    let all: Vec<(&RuleFindings, &Calibration)> =
        findings.rules.iter().filter_map(|it| Some((it, it.calibration.as_ref()?))).collect();
    let note = html! {
        "For each rule of " (name) ", a model of when its cuts are wrong, fitted to half of "
        "the games, and what came of its predictions in the others: cuts in ten bins by the "
        "probability that was predicted (abscissa), and the share of them that was wrong, with "
        "intervals of 95 %. On the dotted line both are the same."
    };
    let content = html! {
        @if !all.is_empty() {
            div.multiples { @for (it, calibration) in all { (diagram(it, calibration)) } }
        }
    };
    Panel::new("reliability", "Reliability", note, content)
        .with_figures(predictions(findings))
        .wide(true)
}

fn diagram(it: &RuleFindings, calibration: &Calibration) -> Markup {
    let ends = |bin: &Bin| {
        let (low, high) = bin.realized.share_interval();
        [low, bin.realized.value, high].map(|share| 100.0 * share)
    };
    let bins = &calibration.bins;
    let x = widened(bins.iter().map(|bin| 100.0 * bin.predicted).chain([0.0]));
    let y = widened(bins.iter().flat_map(ends).chain([0.0, x.1]));
    let frame = Frame::within(SMALL, x, y);
    let diagonal = [(x.0.max(y.0), x.0.max(y.0)), (x.1.min(y.1), x.1.min(y.1))];
    let content = html! {
        (frame.axes("predicted (%)"))
        (frame.level(0.0, "axis-line"))
        (frame.line(&diagonal, "hypothesis"))
        @for bin in bins { (frame.error_bar(100.0 * bin.predicted, ends(bin))) }
    };
    let Prediction { predicted, realized, .. } = calibration.prediction;
    let name = it.rule.name();
    let text = format!(
        "Of the cuts by {name} in games held out, {:.2} % were predicted to be wrong, and {:.2} % \
         were.",
        100.0 * predicted.value,
        100.0 * realized.value
    );
    let value = format!("{} → {}", percent(predicted.value), percent(realized.value));
    chart::small_figure(SMALL, &format!("reliability-{name}"), name, value, &text, &content)
}

fn predictions(findings: &Findings) -> Markup {
    let of_rule = |it: &RuleFindings| {
        let prediction = it.calibration.as_ref().map(|it| it.prediction);
        prediction.map(|prediction| (it.rule.name(), prediction))
    };
    let all = findings.overall.map(|prediction| ("all", prediction));
    let rows: Vec<_> = findings.rules.iter().filter_map(of_rule).chain(all).collect();
    html! {
        div.scroll {
            table {
                (named_head("Rule", ["Difference", "±", "", "Predicted", "±", "Realized", "±"]))
                @for (name, it) in rows {
                    @let remark = if it.holds() { "" } else { "outside" };
                    (table::row(dotted_name(name), [
                        signed(100.0 * it.difference.value, 2),
                        side(&it.difference),
                        remark.to_owned(),
                        percent(it.predicted.value),
                        side(&it.predicted),
                        percent(it.realized.value),
                        side(&it.realized),
                    ]))
                }
            }
        }
    }
}

fn depths(findings: &Findings) -> Panel {
    let all: Vec<&RuleFindings> =
        findings.rules.iter().filter(|it| it.by_depth.len() > 1).collect();
    let note = "The share of wrong cuts by the depth left (plies), with intervals of 95 %. The \
                deeper a cut, the rarer, and the more hangs on it.";
    let content = html! {
        @if !all.is_empty() {
            div.multiples { @for it in all { (depth_chart(it)) } }
        }
    };
    Panel::new("depths", "By depth", note, content).wide(true)
}

fn depth_chart(it: &RuleFindings) -> Markup {
    let points: Vec<(f64, [f64; 3])> = it
        .by_depth
        .iter()
        .map(|(depth, _, wrong)| {
            let (low, high) = wrong.share_interval();
            (*depth as f64, [low, wrong.value, high].map(|share| 100.0 * share))
        })
        .collect();
    let x = widened(points.iter().map(|point| point.0));
    // A depth of which a handful is known must not press all others flat.
    let sure = points.iter().map(|(_, [_, middle, high])| high.min(3.0 * middle + 5.0));
    let frame = Frame::within(SMALL, x, widened(sure.chain([0.0])));
    let content = html! {
        (frame.counting_axes("depth"))
        (frame.level(0.0, "axis-line"))
        @for (depth, ends) in &points { (frame.error_bar(*depth, *ends)) }
    };
    let name = it.rule.name();
    let text = format!("The share of wrong cuts by {name}, in percent, by depth left.");
    let value = percent(it.wrong.value);
    chart::small_figure(SMALL, &format!("depths-{name}"), name, value, &text, &content)
}

fn prices(proposals: &Proposals) -> Panel {
    let columns = ["Now", "At one price", "±", "", "Wrong cuts per 1,000 nodes", "95 %"];
    let remark = |it: &Proposal| match (it.proposed, it.is_limited) {
        (None, _) => "not determined",
        (_, true) => "as far as it is moved",
        _ => "",
    };
    let proposed =
        |it: &Proposal| it.proposed.map_or_else(|| "–".to_string(), |value| value.to_string());
    let note = html! {
        "What a node costs at the edge of each margin: wrong cuts for a thousand nodes that "
        "they save. Who pays more than others for the same could cut less, who pays less could "
        "cut more: "
        @match proposals.price {
            Some(price) => {
                "at the values on the right all would pay " (format!("{price:.2}")) "."
            },
            None => { "but no rule's cuts say clearly what another margin would cost." },
        }
        @if !proposals.without.is_empty() {
            " Not here, for want of a margin or of cuts:"
            @for rule in &proposals.without { " " (rule.name()) } "."
        }
    };
    let content = html! {
        @if !proposals.margins.is_empty() { div.scroll {
            table {
                (named_head("Margin", columns))
                @for it in &proposals.margins {
                    @let factor = (CONFIDENCE * it.price_error).exp();
                    tr {
                        th scope="row" { (dotted_name(&it.name)) }
                        td { (it.now) }
                        td { (proposed(it)) }
                        td {
                            @if it.proposed.is_some() && !it.is_limited {
                                (format!("{:.0}", CONFIDENCE * it.error))
                            }
                        }
                        td { (remark(it)) }
                        td { (format!("{:.2}", it.price)) }
                        td { (format!("{:.2} to {:.2}", it.price / factor, it.price * factor)) }
                    }
                }
            }
        } }
    };
    Panel::new("prices", "Prices", note, content).wide(true)
}

fn facts(settings: &SurveySettings, findings: &Findings) -> Vec<(String, String)> {
    let facts = [
        (
            "Positions",
            format!(
                "{} of {} games, half of them held out",
                grouped(findings.positions as u64),
                grouped(findings.games as u64)
            ),
        ),
        ("Nodes", grouped(findings.nodes)),
        ("Nodes of shadow searches", grouped(findings.shadow_nodes)),
        ("Looked into", format!("up to {} of a rule at a depth in a search", settings.samples)),
        ("Given up", format!("shadow searches after {} nodes", grouped(settings.shadow_nodes))),
    ];
    facts.map(|(name, value)| (name.to_string(), value)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(rule: Rule, cuts: f64, [wrong, error]: [f64; 2]) -> RuleFindings {
        let ratio = |value, error| Ratio { value, error };
        RuleFindings {
            rule,
            cuts,
            sampled: 100,
            unknown: 0,
            wrong: ratio(wrong, error),
            by_depth: Vec::new(),
            saved_per_cut: ratio(1.0, 0.1),
            saved_per_wrong: 9.0,
            saved: ratio(0.1, 0.01),
            calibration: None,
        }
    }

    #[test]
    fn a_sentence_says_how_many_cuts_are_wrong() {
        let of = |rules: Vec<RuleFindings>| {
            let overall = None;
            sentence(&Findings {
                rules,
                overall,
                positions: 9,
                games: 9,
                nodes: 9,
                shadow_nodes: 9,
            })
        };
        assert_eq!(of(Vec::new()), "No cut was looked into.");
        let none = vec![rule(Rule::Razoring, 9.0, [0.0, 0.01])];
        assert_eq!(of(none), "None of the cuts looked into is wrong.");
        // Nobody knows how often the one of which least is known is wrong.
        let some = vec![
            rule(Rule::NullMove, 300.0, [0.02, 0.002]),
            rule(Rule::Futility, 100.0, [0.06, 0.01]),
            rule(Rule::Razoring, 0.1, [0.5, 0.3]),
        ];
        let expected = "Of all cuts about 3.01\u{a0}% are wrong; futility cuts wrongly most often: \
                        6.00\u{a0}%.";
        assert_eq!(of(some), expected);
    }
}
