//! The table of what methods are worth, as CSV and as Markdown.

use std::fmt::Write;

use matches::sequential_test::Summary;
use statistics::PairCounts;

use super::Method;
use super::counts::Counts;
use super::settings::Settings;

/// The state of a method's games.
#[derive(Clone, Debug)]
pub(super) enum Games {
    /// None were begun.
    None,
    /// Pairs left to play.
    Begun(u64),
    /// All were played.
    Played(Box<Summary>),
}

/// A method with its games and counts, as far as there are any.
pub(super) struct Row<'a> {
    pub method: &'a Method,
    pub games: Games,
    pub counts: Option<Counts>,
}

/// All methods, and what holds for all of them.
pub(super) struct Table<'a> {
    pub rows: &'a [Row<'a>],
    pub as_it_is: Option<Counts>,
    pub settings: &'a Settings,
    /// Positions of the suite.
    pub suite: Option<usize>,
}

impl Table<'_> {
    /// One line a method; what was not played or counted is empty.
    pub fn csv(&self) -> String {
        let mut text =
            "method,switch,limit,games,elo,elo_error,nodes,nodes_relative,solved,what\n".to_owned();
        for row in self.rows {
            let (games, elo, error) = match &row.games {
                Games::None => (0, String::new(), String::new()),
                Games::Begun(pairs) => (2 * pairs, String::new(), String::new()),
                Games::Played(summary) => {
                    let elo = summary.assessment.figures.elo_if_fixed;
                    let counts = &summary.assessment.counts;
                    match counts.are_too_few() {
                        true => (2 * counts.pairs(), String::new(), String::new()),
                        false => (
                            2 * counts.pairs(),
                            format!("{:.2}", elo.value),
                            format!("{:.2}", elo.error),
                        ),
                    }
                }
            };
            let nodes = row.counts.filter(|counts| counts.nodes > 0);
            let solved = row.counts.and_then(|counts| counts.solved);
            let fields = [
                row.method.name.clone(),
                switch(row.method).to_owned(),
                self.limit(row.method),
                games.to_string(),
                elo,
                error,
                nodes.map_or_else(String::new, |counts| counts.nodes.to_string()),
                self.relative(row).map_or_else(String::new, |share| format!("{share:.4}")),
                solved.map_or_else(String::new, |solved| solved.to_string()),
                format!("\"{}\"", row.method.what.replace('"', "\"\"")),
            ];
            text += &fields.join(",");
            text.push('\n');
        }
        text
    }

    /// The table with a line of what it says.
    pub fn markdown(&self) -> String {
        let Settings { pairs, nodes, bench_depth, .. } = self.settings;
        let mut text = String::new();
        let clock = match self.settings.tc {
            Some(tc) => format!("; what matters by the clock alone at {tc}"),
            None => String::new(),
        };
        let said = format!(
            "Each method alone is switched, off where it is on, on where it is off; Elo is that of the engine so changed\n\
             against the file as it is, with its error of 95 %: {} games each at {nodes} nodes a move{clock}. Nodes are\n\
             those to depth {bench_depth} over the bench positions, as a share of those of the file as it is.\n\n",
            2 * pairs
        );
        text += &said;
        let (solved, rule) = match self.suite {
            Some(count) => (format!(" solved of {count} |"), "---|"),
            None => (String::new(), ""),
        };
        let head = "| method | what it is | switch | games | Elo | nodes |";
        writeln!(text, "{head}{solved}\n|---|---|---|---|---|---|{rule}")
            .expect("strings take all");
        for row in self.rows {
            let Method { name, what, .. } = row.method;
            let (games, elo) = self.played(row);
            let nodes = self.nodes_in_words(row);
            write!(
                text,
                "| `{name}` | {} | {} | {games} | {elo} | {nodes} |",
                what.replace('|', "\\|"),
                switch(row.method)
            )
            .expect("strings take all");
            if self.suite.is_some() {
                let solved = row.counts.and_then(|counts| counts.solved);
                let solved = solved.map_or_else(|| "not counted".to_owned(), |it| it.to_string());
                write!(text, " {solved} |").expect("strings take all");
            }
            text.push('\n');
        }
        if let (Some(count), Some(solved)) = (self.suite, self.as_it_is.and_then(|it| it.solved)) {
            writeln!(text, "\nThe file as it is solves {solved} of {count}.")
                .expect("strings take all");
        }
        text
    }

    /// The table without what the methods are, in columns that a terminal has room for.
    pub fn terminal(&self) -> String {
        let mut text =
            format!("{:<33} {:<6} {:>7}  {:<23} nodes", "method", "switch", "games", "Elo");
        for row in self.rows {
            let (games, elo) = self.played(row);
            let (name, nodes) = (&row.method.name, self.nodes_in_words(row));
            let switch = switch(row.method);
            write!(text, "\n{name:<33} {switch:<6} {games:>7}  {elo:<23} {nodes}")
                .expect("strings take all");
        }
        text
    }

    fn limit(&self, method: &Method) -> String {
        match (method.by_clock, self.settings.tc) {
            (true, Some(tc)) => tc.to_string(),
            (true, None) => String::new(),
            (false, _) => self.settings.nodes.to_string(),
        }
    }

    /// Games and Elo in words.
    fn played(&self, row: &Row) -> (String, String) {
        match &row.games {
            Games::None if row.method.by_clock && self.settings.tc.is_none() => {
                ("0".to_owned(), "needs a clock (--tc)".to_owned())
            }
            Games::None => ("0".to_owned(), "not played".to_owned()),
            Games::Begun(pairs) => {
                (format!("{} of {}", 2 * pairs, 2 * self.settings.pairs), "not finished".to_owned())
            }
            Games::Played(summary) => {
                let counts = &summary.assessment.counts;
                let elo = summary.assessment.figures.elo;
                let said = match counts.are_too_few() {
                    true => PairCounts::TOO_FEW.to_owned(),
                    false => elo.to_string(),
                };
                ((2 * counts.pairs()).to_string(), said)
            }
        }
    }

    /// Nodes as a share of those of the file as it is.
    fn relative(&self, row: &Row) -> Option<f64> {
        let (nodes, all) = (row.counts?.nodes, self.as_it_is?.nodes);
        (nodes > 0 && all > 0).then(|| nodes as f64 / all as f64)
    }

    fn nodes_in_words(&self, row: &Row) -> String {
        let is_capped = |counts: Option<Counts>| counts.is_some_and(|counts| counts.is_capped);
        match self.relative(row) {
            None if row.method.by_clock => "the same".to_owned(),
            None => "not counted".to_owned(),
            Some(_) if is_capped(self.as_it_is) => "too many as it is".to_owned(),
            Some(share) if is_capped(row.counts) => format!("more than {:.0} %", 100.0 * share),
            Some(share) => format!("{:.0} %", 100.0 * share),
        }
    }
}

/// The word for the way in which the method is switched.
fn switch(method: &Method) -> &'static str {
    if method.put_on { "on" } else { "off" }
}
