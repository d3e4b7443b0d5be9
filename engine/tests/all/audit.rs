//! The audit of a search: transparent, repeatable, and right where it can be known.

use chess::Position;
use chess::engine::{Control, Limits};
use chess::game::ChessGame;
use chess::{Margins, Parameters};
use luck::draws;
use parameters::Switch;
use search::{self, AuditSettings, Audited, Cut, DEPTHS, Memory, NodeKind, Rule, Verdict};

/// Middlegames and endgames, quiet and sharp.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "3k4/5p2/8/3q4/8/8/2P1Q3/4K3 w - - 0 1",
];

/// Random numbers that are the same each time.
mod luck {
    /// A linear congruential generator; its upper half is random enough to draw samples.
    pub fn draws(seed: u64) -> impl FnMut() -> u32 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 32) as u32
        }
    }
}

fn with(change: impl FnOnce(&mut Margins)) -> Margins {
    let mut margins = Parameters::embedded().margins;
    change(&mut margins);
    margins
}

fn audited(fen: &str, margins: &Margins, limits: &Limits, samples: usize) -> Audited<chess::Move> {
    let mut game = ChessGame::new(Parameters::embedded().clone());
    game.set_position(&Position::from_fen(fen).expect("a position"));
    let settings = AuditSettings { samples, shadow_nodes: 20_000 };
    search::audit(&mut game, margins, &mut Memory::new(1), limits, &settings, &mut draws(5))
}

fn of(cuts: &[Cut], rule: Rule) -> impl Iterator<Item = &Cut> {
    cuts.iter().filter(move |cut| cut.rule == rule)
}

/// The search that is audited answers the same as one that is not, with the same nodes: whatever
/// shadow searches do, they leave no trace. That it counts the same cuts, too, `audit` checks
/// itself.
#[test]
fn an_audit_is_transparent() {
    let mut margins = Parameters::embedded().margins;
    // Whatever the shipped values leave out, all rules are looked into here.
    margins.prob_cut.enabled = Switch::ON;
    margins.noisy_futility.enabled = Switch::ON;
    margins.razoring.enabled = Switch::ON;
    let mut seen = [0; Rule::ALL.len()];
    for fen in POSITIONS {
        for limits in [Limits::nodes(30_000), Limits::depth(8)] {
            let mut game = ChessGame::new(Parameters::embedded().clone());
            game.set_position(&Position::from_fen(fen).expect("a position"));
            let (mut memory, control) = (Memory::new(1), Control::new());
            let usual =
                search::search(&mut game, &margins, &mut memory, &limits, &control, &mut |_| {});
            let found = audited(fen, &margins, &limits, 20);
            assert_eq!(found.outcome, usual, "{fen}");
            for cut in found.cuts {
                seen[cut.rule as usize] += 1;
            }
        }
    }
    for (rule, seen) in Rule::ALL.into_iter().zip(seen) {
        assert!(seen > 0, "{} was never looked into", rule.name());
    }
}

/// Weights make the sample speak of all cuts: they sum up to as many as there were.
#[test]
fn samples_stand_for_all_cuts() {
    let margins = Parameters::embedded().margins;
    let few = audited(POSITIONS[3], &margins, &Limits::nodes(20_000), 3);
    for rule in Rule::ALL {
        for depth in 0..DEPTHS {
            let cuts = few.tallies[rule as usize][depth].cuts;
            let of_depth = |cut: &&Cut| (cut.depth.max(0) as usize).min(DEPTHS - 1) == depth;
            let sample: Vec<&Cut> = of(&few.cuts, rule).filter(of_depth).collect();
            assert_eq!(sample.len() as u64, cuts.min(3), "{} at depth {depth}", rule.name());
            let weight: f64 = sample.iter().map(|cut| cut.weight).sum();
            // Late-move pruning counts nodes, and its weights the moves that each of them skips.
            let least = cuts as f64 * (1.0 - 1e-9);
            assert!(weight >= least, "{} at depth {depth}: {weight}", rule.name());
            if rule != Rule::LateMovePruning {
                assert!(weight <= cuts as f64 * (1.0 + 1e-9));
            }
        }
    }
}

#[test]
fn the_same_luck_finds_the_same() {
    let margins = Parameters::embedded().margins;
    let limits = Limits::nodes(10_000);
    let [one, two] = [0; 2].map(|_| audited(POSITIONS[1], &margins, &limits, 2));
    assert!(!one.cuts.is_empty());
    assert_eq!(one, two);
}

/// What is recorded of a cut is what its rule says.
#[test]
fn cuts_are_measured_in_the_units_of_their_rules() {
    let mut margins = Parameters::embedded().margins;
    margins.razoring.enabled = Switch::ON;
    let mut cuts = Vec::new();
    for fen in POSITIONS {
        cuts.extend(audited(fen, &margins, &Limits::nodes(20_000), 10).cuts);
    }
    for cut in &cuts {
        assert!(cut.lead >= 0 && cut.weight >= 1.0, "{cut:?}");
        let in_quiescence = [Rule::QuiescenceFutility, Rule::QuiescenceExchange];
        assert_eq!(cut.node == NodeKind::Leaf, cut.depth == 0 && in_quiescence.contains(&cut.rule));
        assert!(!cut.covered || (cut.nodes == 0 && cut.verdict != Verdict::Unknown), "{cut:?}");
    }
    for rule in [
        Rule::ReverseFutility,
        Rule::Futility,
        Rule::QuiescenceExchange,
        Rule::LateMoveReduction,
        Rule::NullMove,
        Rule::Razoring,
    ] {
        assert!(of(&cuts, rule).count() > 0, "no cut by {rule:?}");
    }
    for cut in of(&cuts, Rule::ReverseFutility) {
        let group = &margins.reverse_futility;
        let margin = group.margin * cut.depth - i32::from(cut.improving) * group.improving;
        let margins = [margin, margin + group.former_principal];
        assert!(margins.contains(&(cut.gap - cut.lead)), "{cut:?}");
        assert!(cut.depth <= group.depth_max && cut.spent == 0);
    }
    for cut in of(&cuts, Rule::Futility) {
        let group = &margins.futility;
        assert_eq!(cut.gap - cut.lead, group.base + group.margin * cut.depth, "{cut:?}");
    }
    for cut in of(&cuts, Rule::QuiescenceExchange) {
        let thresholds = [-margins.quiescence_exchange.margin, 1];
        assert!(thresholds.contains(&(cut.lead - cut.gap)) && cut.lead > 0, "{cut:?}");
    }
    for cut in of(&cuts, Rule::LateMoveReduction) {
        assert!(cut.lead >= 1 && cut.lead < cut.depth && cut.spent > 0, "{cut:?}");
    }
    for cut in of(&cuts, Rule::NullMove).chain(of(&cuts, Rule::Razoring)) {
        assert!(cut.spent > 0, "{cut:?}");
    }
}

/// A rule that is off cuts nothing, and one that is reckless is wrong more often.
#[test]
fn switches_and_margins_show() {
    let rate = |margins: &Margins| {
        let (mut wrong, mut all) = (0.0, 0.0);
        for fen in POSITIONS {
            let found = audited(fen, margins, &Limits::nodes(20_000), 40);
            for cut in of(&found.cuts, Rule::ReverseFutility) {
                all += cut.weight;
                wrong += cut.weight * f64::from(u8::from(cut.verdict == Verdict::Wrong));
            }
        }
        (all, wrong / all)
    };
    let usual = rate(&Parameters::embedded().margins);
    let reckless = rate(&with(|margins| {
        margins.reverse_futility.margin = 20;
        margins.reverse_futility.improving = 100;
    }));
    assert!(reckless.1 > 1.5 * usual.1, "{reckless:?} {usual:?}");
    let (cuts, _) = rate(&with(|margins| margins.reverse_futility.enabled = Switch::OFF));
    assert_eq!(cuts, 0.0);
}

#[test]
#[should_panic(expected = "cannot be repeated")]
fn a_search_by_the_clock_is_refused() {
    let limits = Limits { move_time: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
    audited(POSITIONS[0], &Parameters::embedded().margins, &limits, 1);
}
