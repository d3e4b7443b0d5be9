//! The audit of the search's rules in recorded positions: the same bytes by any number of threads,
//! rates that move as the margins do, and predictions that hold in games held out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::{Margins, Parameters};
use parameters::Switch;
use search::{Rule, Verdict};
use search_tuning::audit::{Bin, Findings, Proposals, RuleFindings, Survey, SurveySettings};

use crate::child::ended;
use crate::command_line::tuner;
use crate::store::scratch;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/positions/sample.kgames");

fn settings(count: usize) -> SurveySettings {
    SurveySettings {
        positions: vec![PathBuf::from(GAMES)],
        count,
        nodes: 10_000,
        samples: 8,
        shadow_nodes: 10_000,
        seed: 3,
        threads: 2,
    }
}

/// Values that no fit moves, whose margins cut less than those shipped and are wrong more rarely.
fn set_by_hand() -> Parameters {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/textbook.toml");
    Parameters::load(Path::new(path)).expect("there")
}

fn survey(count: usize, change: impl FnOnce(&mut Margins)) -> Survey {
    let mut parameters = set_by_hand();
    change(&mut parameters.margins);
    settings(count).survey(&Arc::new(parameters).into()).expect("the games are there")
}

fn of(findings: &Findings, rule: Rule) -> &RuleFindings {
    findings.rules.iter().find(|it| it.rule == rule).expect("all rules are listed")
}

/// The output and the files of `tuner audit`: table, CSV, parameters, page.
fn files(folder: &Path, threads: u32, seed: u32) -> [String; 4] {
    let arguments = format!(
        "audit --start default --count 20 --nodes 3000 --samples 3 --threads {threads} --seed \
         {seed} --csv cuts.csv --output priced.toml --report audit.html"
    );
    let mut command = tuner();
    command.current_dir(folder).args(arguments.split_whitespace()).args(["--positions", GAMES]);
    let (stdout, stderr) = ended(0, &mut command);
    assert!(stderr.contains(&format!("(seed {seed})")), "{stderr}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("written");
    let page = read("audit.html");
    for word in ["<script", "<link", "src=", "url(", "@import", "://"] {
        assert!(!page.contains(word), "{word}");
    }
    // The command line says how many threads there were.
    let (page, _) = page.split_once("Repeat it").expect("a command line");
    [stdout, read("cuts.csv"), read("priced.toml"), page.to_string()]
}

#[test]
fn threads_do_not_show_and_seeds_do() {
    let folder = scratch();
    let one = files(folder.path(), 1, 7);
    assert!(files(folder.path(), 3, 7) == one);
    let [table, cuts, priced, page] = &one;
    let other = files(folder.path(), 2, 8);
    assert!(other[1] != *cuts);

    assert!(table.contains("intervals hold"), "{table}");
    assert!(page.contains("id=\"reliability\"") && page.contains("id=\"prices\""));
    let mut reader = csv::Reader::from_reader(cuts.as_bytes());
    let mut halves = [0, 0];
    for row in reader.records() {
        let row = row.expect("a row");
        assert!(Rule::ALL.iter().any(|rule| rule.name() == &row[3]), "{row:?}");
        halves[usize::from(&row[2] == "held out")] += 1;
    }
    assert!(halves[0] > 100 && halves[1] > 100, "{halves:?}");
    // The file equals the old one but for the margins that are proposed.
    let priced = Parameters::from_toml(priced, "priced.toml").expect("correct");
    let start = Parameters::embedded();
    assert_eq!(priced.weights, start.weights);
    for number in Parameters::numbers() {
        let name = number.name();
        if number.value(&priced) != number.value(start) {
            assert!(name.ends_with("margin") && table.contains(&name), "{name} has changed");
        }
    }
}

/// No game gives positions to both halves, and what is known of a rule adds up.
#[test]
fn games_are_in_one_half() {
    let survey = survey(60, |_| {});
    let games = |held_out: bool| {
        survey.records.iter().filter(move |it| it.held_out == held_out).map(|it| it.game)
    };
    let fitted: Vec<u32> = games(false).collect();
    assert!(!fitted.is_empty() && games(true).count() > 0);
    assert!(games(true).all(|game| !fitted.contains(&game)));
    assert_eq!((survey.positions, survey.nodes), (60, 600_000));
    let findings = Findings::of(&survey);
    for it in &findings.rules {
        let of_rule = survey.records.iter().filter(|record| record.cut.rule == it.rule);
        assert_eq!(of_rule.clone().count(), it.sampled);
        let wrong = of_rule.clone().filter(|it| it.cut.verdict == Verdict::Wrong).count();
        assert_eq!(wrong > 0, it.wrong.value > 0.0, "{}", it.rule.name());
        assert_eq!(it.saved_per_wrong.is_finite(), wrong > 0);
        let of_depths: usize = it.by_depth.iter().map(|depth| depth.1).sum();
        assert_eq!(of_depths + it.unknown, it.sampled);
        if it.rule != Rule::LateMovePruning {
            let cuts: u64 = survey.tallies[it.rule as usize].iter().map(|tally| tally.cuts).sum();
            assert!((it.cuts - cuts as f64).abs() < 1e-6 * it.cuts.max(1.0), "{it:?}");
        }
    }
}

/// A rule with a reckless margin is wrong more often, beyond doubt; one that is off cuts nothing.
#[test]
fn recklessness_shows() {
    let usual = Findings::of(&survey(160, |_| {}));
    let reckless = Findings::of(&survey(160, |margins| margins.reverse_futility.margin = 20));
    let [usual, reckless] =
        [&usual, &reckless].map(|findings| of(findings, Rule::ReverseFutility).wrong);
    let error = usual.error.hypot(reckless.error);
    assert!(reckless.value - usual.value > 3.0 * error, "{reckless:?} {usual:?}");

    let off = survey(4, |margins| {
        margins.reverse_futility.enabled = Switch::OFF;
        margins.quiescence_exchange.enabled = Switch::OFF;
    });
    let findings = Findings::of(&off);
    for rule in [Rule::ReverseFutility, Rule::QuiescenceExchange] {
        let it = of(&findings, rule);
        assert_eq!((it.cuts, it.sampled, it.saved.value), (0.0, 0, 0.0));
        assert!(it.calibration.is_none());
        let proposals = Proposals::of(&off, &Arc::new(set_by_hand()).into());
        assert!(proposals.margins.iter().all(|proposal| proposal.rule != rule));
        assert!(proposals.without.contains(&rule));
    }
    assert!(of(&findings, Rule::Futility).cuts > 0.0);
}

/// Predictions from one half of the games come true in the other, within their intervals.
#[test]
fn predictions_hold_in_games_held_out() {
    let findings = Findings::of(&survey(200, |_| {}));
    let overall = findings.overall.expect("there are enough cuts");
    assert!(overall.holds(), "{overall:?}");
    assert!(overall.predicted.value > 0.002 && overall.difference.error < 0.01, "{overall:?}");
    let (holding, all) = findings.holding();
    // One of twenty may fail by chance.
    assert!(all >= 11 && holding + 1 >= all, "{holding} of {all}");
    for it in &findings.rules {
        let Some(calibration) = &it.calibration else { continue };
        // Where all that is predicted is the same, means differ by rounding.
        let rises = |bins: &[Bin]| bins[1].predicted > bins[0].predicted - 1e-12;
        assert!(calibration.bins.windows(2).all(rises), "{}", it.rule.name());
    }
    // A model knows which cuts are doubtful: those it doubts more are wrong more often.
    for rule in [Rule::ReverseFutility, Rule::NullMove, Rule::LateMovePruning] {
        let bins = &of(&findings, rule).calibration.as_ref().expect("enough cuts").bins;
        let (sure, doubtful) = bins.split_at(bins.len() / 2);
        let sum = |bins: &[Bin]| bins.iter().map(|bin| bin.realized.value).sum::<f64>();
        assert!(sum(doubtful) > 1.5 * sum(sure), "{}: {bins:?}", rule.name());
    }
}

/// A margin that was set far too wide or narrow pays another price than it does now, and what is
/// proposed leads back.
#[test]
fn prices_follow_the_margins() {
    let price = |margin: i32| {
        let mut parameters = set_by_hand();
        parameters.margins.reverse_futility.margin = margin;
        let numbers = Arc::new(parameters).into();
        let survey = settings(200).survey(&numbers).expect("the games");
        let proposals = Proposals::of(&survey, &numbers);
        let found = proposals.margins.into_iter().find(|it| it.rule == Rule::ReverseFutility);
        found.expect("it has a price")
    };
    let (narrow, wide) = (price(30), price(150));
    assert!(narrow.price > 2.0 * wide.price, "{narrow:?} {wide:?}");
    assert!(narrow.proposed.is_some_and(|value| value > 30), "{narrow:?}");
    assert!(wide.proposed.is_none_or(|value| value < 150), "{wide:?}");
}

#[test]
fn wrong_use_is_told() {
    let folder = scratch();
    let refused = |arguments: &str, games: &str, expected: &str, status: i32| {
        let mut command = tuner();
        command.current_dir(folder.path()).args(arguments.split_whitespace());
        let (stdout, stderr) = ended(status, command.args(["--positions", games]));
        assert!(stderr.contains(expected) && stdout.is_empty(), "{stderr}");
    };
    refused("audit --start default --count 90000000", GAMES, "1000000", 64);
    refused("audit --start default --nodes 3", GAMES, "--nodes", 64);
    refused("audit --start default", "missing.kgames", "missing.kgames", 3);
    refused("audit --start missing.toml", GAMES, "missing.toml", 3);
    refused("audit --start default --count 900000", GAMES, "smaller --count", 3);
    refused("audit --start default --csv a --report a", GAMES, "a is to be written twice", 3);
    refused("audit --start default --output none/a.toml", GAMES, "no folder none", 3);
    let own = folder.path().join("own.kgames");
    fs::copy(GAMES, &own).expect("written");
    refused("audit --start default --csv own.kgames", "own.kgames", "own.kgames is read", 3);
    assert!(fs::read(&own).expect("readable") == fs::read(GAMES).expect("readable"));
    let lines = folder.path().join("lines.txt");
    fs::write(&lines, "Depth, int, 5, 1, 9, 1, 0.002\n").expect("written");
    let engine = env!("CARGO_BIN_EXE_tuner");
    refused(
        &format!("margins --engine {engine} --parameters lines.txt --output out.txt --audit"),
        GAMES,
        "--audit looks into the rules of Kamerton's own search",
        64,
    );
    assert!(!folder.path().join("out.txt").exists());
}

/// `tuner margins --audit` looks into start and result, and adds it to the page.
#[test]
fn margins_are_audited() {
    let folder = scratch();
    let arguments = "margins --start default --only futility.margin --count 20 --nodes 300 \
                     --judge-nodes 300 --rounds 1 --replicates 0 --audit --output out.toml \
                     --report out.html";
    let mut command = tuner();
    command.current_dir(folder.path()).args(arguments.split_whitespace());
    let (stdout, _) = ended(0, command.args(["--positions", GAMES]));
    for name in ["Audit of the start", "Audit of the result"] {
        assert!(stdout.contains(name), "{stdout}");
    }
    let page = fs::read_to_string(folder.path().join("out.html")).expect("written");
    assert!(
        page.contains("id=\"rules\"") && page.contains("reverse_<wbr>futility · result"),
        "{page}"
    );
}
