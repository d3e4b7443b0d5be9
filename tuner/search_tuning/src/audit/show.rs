//! An audit in a terminal.

use command_line::say_line;
use statistics::CONFIDENCE;
use system::paint;

use super::findings::{Findings, RuleFindings};
use super::prices::Proposals;

/// Said of a prediction that failed.
const OUTSIDE: &str = "outside of its interval";

/// A share in percent with the side of its interval.
fn percent(value: f64, error: f64) -> String {
    if error.is_finite() {
        format!("{:.2} +- {:.2}", 100.0 * value, 100.0 * CONFIDENCE * error)
    } else {
        format!("{:.2}", 100.0 * value)
    }
}

/// The tables of what was found: rates and savings, rates by depth, and the check of the models.
pub fn print_findings(findings: &Findings) {
    say_line!(
        "{} positions of {} games, {} nodes and {} of shadow searches",
        findings.positions,
        findings.games,
        findings.nodes,
        findings.shadow_nodes
    );
    say_line!(
        "\n{:23} {:>11} {:>7} {:>7} {:>16} {:>10} {:>10} {:>18}",
        "rule",
        "cuts",
        "sampled",
        "unknown",
        "wrong (%)",
        "nodes/cut",
        "/wrong",
        "nodes saved (%)"
    );
    for it in &findings.rules {
        // Of a rule that never cut, or was never found wrong, less is known.
        let known = |is_known: bool, text: String| if is_known { text } else { "-".to_string() };
        let was_sampled = it.sampled > 0;
        say_line!(
            "{:23} {:>11.0} {:>7} {:>7} {:>16} {:>10} {:>10} {:>18}",
            it.rule.name(),
            // An empty sum is -0.
            it.cuts + 0.0,
            it.sampled,
            it.unknown,
            known(was_sampled, percent(it.wrong.value, it.wrong.error)),
            known(was_sampled, format!("{:.1}", it.saved_per_cut.value)),
            known(it.saved_per_wrong.is_finite(), format!("{:.0}", it.saved_per_wrong)),
            known(was_sampled, percent(it.saved.value, it.saved.error)),
        );
    }
    say_line!("\nWrong cuts by depth left (%)");
    for it in findings.rules.iter().filter(|it| it.by_depth.len() > 1) {
        let words: Vec<String> = it
            .by_depth
            .iter()
            .map(|(depth, _, wrong)| format!("{depth}: {}", percent(wrong.value, wrong.error)))
            .collect();
        say_line!("{:23} {}", it.rule.name(), words.join(", "));
    }
    say_line!(
        "\nWrong cuts in games held out (%)\n{:23} {:>16} {:>16} {:>16}",
        "rule",
        "predicted",
        "realized",
        "difference"
    );
    let line = |name: &str, it: &super::Prediction| {
        say_line!(
            "{name:23} {:>16} {:>16} {:>16}{}",
            percent(it.predicted.value, it.predicted.error),
            percent(it.realized.value, it.realized.error),
            percent(it.difference.value, it.difference.error),
            if it.holds() {
                String::new()
            } else {
                format!("  {}", paint::painted(paint::OPEN, OUTSIDE))
            }
        );
    };
    for RuleFindings { rule, calibration, .. } in &findings.rules {
        match calibration {
            Some(calibration) => line(rule.name(), &calibration.prediction),
            None => say_line!("{:23} too few cuts to fit", rule.name()),
        }
    }
    if let Some(overall) = &findings.overall {
        line("all", overall);
    }
    let (holding, all) = findings.holding();
    say_line!("{holding} of {all} intervals hold");
}

/// The table of prices and of the margins at which they would be equal.
pub fn print_proposals(proposals: &Proposals) {
    say_line!(
        "\n{:30} {:>6} {:>24} {:>16}",
        "margin",
        "now",
        "wrong per 1000 nodes",
        "at one price"
    );
    for it in &proposals.margins {
        let side = (CONFIDENCE * it.price_error).exp();
        let words = match it.proposed {
            None => "not determined".to_string(),
            Some(value) if it.is_limited => value.to_string(),
            Some(value) => format!("{value} +- {:.0}", CONFIDENCE * it.error),
        };
        say_line!(
            "{:30} {:>6} {:>24} {:>16}{}",
            it.name,
            it.now,
            format!("{:.2} ({:.2} to {:.2})", it.price, it.price / side, it.price * side),
            words,
            if it.is_limited { "  as far as it is moved" } else { "" }
        );
    }
    match proposals.price {
        Some(price) => say_line!("one price: {price:.2} wrong cuts per 1000 nodes saved"),
        None => say_line!("no rule's cuts say what another margin would cost"),
    }
    if !proposals.without.is_empty() {
        let names: Vec<&str> = proposals.without.iter().map(|rule| rule.name()).collect();
        say_line!("no margin, or too few cuts: {}", names.join(", "));
    }
}
