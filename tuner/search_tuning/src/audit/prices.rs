//! The price of a node at the edge of each margin, in wrong cuts, and at which margins it would cost
//! the same everywhere.
//!
//! A margin that is a little narrower cuts a little more: those cuts that now fail the rule's test
//! by a hair. They save nodes and some are wrong. Wrong cuts by node saved is the price that is
//! paid there; where one rule pays more than another, the same nodes are to be had for less. Both
//! are read off models of the cuts that are made (`calibration.rs`), at the edge itself and, for
//! other values of the margin, at the edge that these would have.

use parameters::Number;
use playable::Numbers;
use search::{Cut, Margins, PricedMargin, Rule};
use statistics::CONFIDENCE;

use super::calibration::{GROUPS, fit, group_of};
use super::model::{Link, features};
use super::ratio::jackknife_error;
use super::survey::{Record, Survey, SurveySettings};

/// Cuts below which no price is named.
const FEWEST: usize = 100;
/// Share of the cuts, by their distance from the edge, that lie near it.
const NEAR: f64 = 0.3;
/// How far a margin is moved at most, as a share of what it is: beyond lies what no cut has shown.
const REACH: f64 = 0.5;

/// The proposal for one margin.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// The rule that the margin belongs to.
    pub rule: Rule,
    /// The margin's full name.
    pub name: String,
    /// Its value in the file that was audited.
    pub now: i32,
    /// Wrong cuts for a thousand nodes saved, at the margin's edge.
    pub price: f64,
    /// Standard error of the logarithm of the price, by groups of games.
    pub price_error: f64,
    /// The value at which the price would be that of all, or none where the cuts do not say it: too
    /// few, or a price that does not fall clearly as the margin widens.
    pub proposed: Option<i32>,
    /// Standard error of the proposed value.
    pub error: f64,
    /// The common price lies beyond where the margin is moved to.
    pub is_limited: bool,
}

/// The proposals for all margins.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposals {
    /// A proposal for each rule with a margin.
    pub margins: Vec<Proposal>,
    /// The common price: wrong cuts for a thousand nodes saved. None where no rule names one.
    pub price: Option<f64>,
    /// Rules whose cuts are held against no margin, or that were never seen.
    pub without: Vec<Rule>,
}

/// The cuts near a rule's edge and what is known of them.
struct Edge<'a> {
    margins: &'a Margins,
    /// By how much the edge moves at a cut where the margin grows by one.
    slope: fn(&Cut, &Margins) -> f64,
    /// All cuts of the rule that are known.
    records: Vec<&'a Record>,
    /// Cuts near the edge, with the weight that their distance leaves them.
    near: Vec<(&'a Record, f64)>,
}

/// Prices for changes of a margin, as logarithms.
struct Prices(Vec<f64>);

impl<'a> Edge<'a> {
    fn new(
        survey: &'a Survey,
        rule: Rule,
        slope: fn(&Cut, &Margins) -> f64,
        margins: &'a Margins,
    ) -> Option<Edge<'a>> {
        let records: Vec<&Record> = survey.known(rule).collect();
        if records.len() < FEWEST {
            return None;
        }
        let mut leads: Vec<(i32, f64)> =
            records.iter().map(|it| (it.cut.lead, it.cut.weight)).collect();
        leads.sort_unstable_by_key(|it| it.0);
        let weights: f64 = leads.iter().map(|it| it.1).sum();
        let mut passed = 0.0;
        let width = leads
            .iter()
            .find(|(_, weight)| {
                passed += weight;
                passed >= NEAR * weights
            })
            .map_or(1, |it| it.0.max(1));
        let weight = |it: &Record| {
            let far = f64::from(it.cut.lead) / f64::from(width);
            it.cut.weight * (-0.5 * far * far).exp()
        };
        let near = records.iter().map(|it| (*it, weight(it))).collect();
        Some(Edge { margins, slope, records, near })
    }

    /// The price at each change of the margin, by models that do not know a group of games.
    fn prices(&self, without: Option<u32>, changes: &[f64]) -> Prices {
        let is_known = |it: &&Record| without != Some(group_of(it.game) % GROUPS);
        let known = || self.records.iter().copied().filter(is_known);
        let (wrong, saved) = (fit(Link::Logistic, known()), fit(Link::Logarithm, known()));
        let price = |&change: &f64| {
            let (mut above, mut below) = (0.0, 0.0);
            for (record, weight) in self.near.iter().filter(|(it, _)| is_known(it)) {
                let cut = &record.cut;
                let edge = f64::from(cut.gap - cut.lead) + (self.slope)(cut, self.margins) * change;
                let features = features(cut, edge);
                above += weight * wrong.predict(&features);
                below += weight * saved.predict(&features);
            }
            (above.max(f64::MIN_POSITIVE) / below.max(f64::MIN_POSITIVE)).ln()
        };
        Prices(changes.iter().map(price).collect())
    }
}

/// All that is known of one rule's prices.
struct PriceCurve {
    rule: Rule,
    number: Number,
    now: i32,
    /// Values of the margin that are looked at, from the least on.
    values: Vec<i32>,
    prices: Prices,
    without: Vec<Prices>,
}

impl PriceCurve {
    fn of(survey: &Survey, rule: Rule, numbers: &Numbers) -> Option<PriceCurve> {
        let PricedMargin { name, slope } = rule.declared().priced?;
        let number = numbers.find(name).expect("a declared name");
        let edge = Edge::new(survey, rule, slope, numbers.margins())?;
        let now = numbers.value(&number);
        let (low, high) = number.range();
        let reach = (f64::from(now) * REACH).ceil() as i32;
        let values: Vec<i32> = ((now - reach).max(low)..=(now + reach).min(high)).collect();
        // As many as can be told apart.
        let step = values.len().div_ceil(100);
        let values: Vec<i32> =
            values.iter().copied().filter(|value| (value - now) % step as i32 == 0).collect();
        let changes: Vec<f64> = values.iter().map(|value| f64::from(value - now)).collect();
        let prices = edge.prices(None, &changes);
        let without = (0..GROUPS).map(|group| edge.prices(Some(group), &changes)).collect();
        Some(PriceCurve { rule, number, now, values, prices, without })
    }

    /// The place of today's value among those looked at.
    fn place_now(&self) -> usize {
        self.values.iter().position(|&value| value == self.now).expect("it is among them")
    }

    /// How clearly the price falls from the least value to the greatest, in standard errors.
    fn clarity(&self) -> f64 {
        let fall = |prices: &Prices| prices.0[0] - prices.0[prices.0.len() - 1];
        let error = jackknife_error(&self.without.iter().map(fall).collect::<Vec<_>>());
        fall(&self.prices) / error
    }

    fn price_error(&self) -> f64 {
        let place = self.place_now();
        jackknife_error(&self.without.iter().map(|it| it.0[place]).collect::<Vec<_>>())
    }

    /// The value whose price is nearest to a common one.
    fn nearest(&self, prices: &Prices, common: f64) -> i32 {
        let distances = prices.0.iter().map(|price| (price - common).abs());
        let nearest = self.values.iter().zip(distances).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(self.now, |(&value, _)| value)
    }

    fn proposal(&self, common: Option<f64>) -> Proposal {
        let found = |prices: &Prices| common.map(|common| self.nearest(prices, common));
        let is_clear = self.clarity() > CONFIDENCE;
        let value = found(&self.prices).filter(|_| is_clear);
        let others: Vec<f64> = self.without.iter().filter_map(found).map(f64::from).collect();
        let ends = [self.values[0], self.values[self.values.len() - 1]];
        Proposal {
            rule: self.rule,
            name: self.number.name(),
            now: self.now,
            price: 1e3 * self.prices.0[self.place_now()].exp(),
            price_error: self.price_error(),
            proposed: value,
            error: jackknife_error(&others),
            is_limited: value.is_some_and(|value| value != self.now && ends.contains(&value)),
        }
    }
}

impl Proposals {
    /// Finds the margins at which a node has one price. The common price is the mean (of
    /// logarithms) of those that the rules pay now whose price falls clearly as their margin
    /// widens: who pays more than the others cuts less, who pays less cuts more.
    pub fn of(survey: &Survey, numbers: &Numbers) -> Proposals {
        let courses: Vec<PriceCurve> = Rule::ALL
            .into_iter()
            .filter_map(|rule| PriceCurve::of(survey, rule, numbers))
            .collect();
        let clear: Vec<f64> = courses
            .iter()
            .filter(|course| course.clarity() > CONFIDENCE)
            .map(|course| course.prices.0[course.place_now()])
            .collect();
        let common = (!clear.is_empty()).then(|| clear.iter().sum::<f64>() / clear.len() as f64);
        let is_seen = |rule: &Rule| courses.iter().any(|course| course.rule == *rule);
        Proposals {
            margins: courses.iter().map(|course| course.proposal(common)).collect(),
            price: common.map(|price| 1e3 * price.exp()),
            without: Rule::ALL.into_iter().filter(|rule| !is_seen(rule)).collect(),
        }
    }

    /// The numbers with all that is proposed.
    pub fn applied(&self, numbers: &Numbers) -> Numbers {
        let mut numbers = numbers.clone();
        for Proposal { name, proposed, .. } in &self.margins {
            if let Some(value) = proposed {
                numbers.set(name, i64::from(*value)).expect("a known number in its range");
            }
        }
        numbers
    }

    /// The head of a file with these margins.
    pub fn notes(&self, start: &str, settings: &SurveySettings) -> String {
        let mut notes = format!(
            "Margins at which a node has one price, found by `tuner audit` from {start}: {} \
             positions, {} nodes, {} samples, seed {}.",
            settings.count, settings.nodes, settings.samples, settings.seed
        );
        for proposal in &self.margins {
            if let Some(value) = proposal.proposed {
                notes += &format!("\n{}: {} -> {value}", proposal.name, proposal.now);
            }
        }
        notes
    }
}
