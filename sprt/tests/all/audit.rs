//! Games that are adjudicated by tables, and audits of adjudication.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chess::GAME;
use matches::game::{GameRecord, GameResult, MoveLimits, Termination};
use matches::player::{Contestant, RandomMover};
use matches::playing::{
    AUDIT_ALL, Adjudication, DrawRule, Entrant, GameNumber, GameSettings, MemorySpan, Played,
    Referee, ResignRule, Tablebase, TablebaseRule, play_game_until,
};
use matches::run::{NoObserver, PlayRules};
use matches::sequential_test::{self, Rules, Summary, TestSettings};
use statistics::{Design, Hypotheses, Model};

use crate::shared_data::shared_data;

/// A game between players that draw their moves.
fn random_game(fen: &str, referee: &Referee, number: u64) -> GameRecord {
    let limits = MoveLimits::nodes(1);
    let (mut white, mut black) = (RandomMover::default(), RandomMover::default());
    let seats = [
        Entrant { player: &mut white, limits: &limits },
        Entrant { player: &mut black, limits: &limits },
    ];
    let start = GAME.position(fen).expect("a good FEN");
    let number = GameNumber { seed: 1, number, fresh: true };
    match play_game_until(&start, seats, referee, number, &AtomicBool::new(false)) {
        Played::Finished(game) => *game,
        other => panic!("{other:?}"),
    }
}

/// Everything is called a draw after two plies.
fn hasty(audit: u32) -> GameSettings {
    let adjudication = Adjudication::NEVER;
    GameSettings { adjudication, max_plies: 2, audit, ..GameSettings::default() }
}

#[test]
fn an_audited_game_is_the_adjudicated_one_with_its_real_end() {
    let fen = "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1";
    for number in 0..50 {
        let plain = random_game(fen, &Referee::from(hasty(0)), number);
        let audited = random_game(fen, &Referee::from(hasty(AUDIT_ALL)), number);
        assert_eq!((plain.plies.len(), plain.audit), (2, None));
        assert_eq!(audited.plies, plain.plies);
        assert_eq!((audited.result, audited.termination), (plain.result, plain.termination));
        let audit = audited.audit.expect("all games are audited");
        let real = Referee::from(GameSettings { max_plies: 10_000, ..hasty(0) });
        let real = random_game(fen, &real, number);
        assert_eq!((audit.result, audit.termination), (real.result, real.termination));
        assert_eq!(audit.plies as usize, real.plies.len());
    }
}

#[test]
fn the_share_of_audits_is_as_wanted_and_spares_the_first_game_of_a_memory() {
    let share = |settings: GameSettings| {
        let referee = Referee::from(settings);
        let audited =
            |number: &u64| referee.audits(GameNumber { seed: 7, number: *number, fresh: true });
        let numbers: Vec<u64> = (0..20_000).filter(audited).collect();
        (numbers.len(), numbers.iter().filter(|&number| number % 2 == 0).count())
    };
    let (all, first) = share(hasty(AUDIT_ALL / 20));
    assert!((900..1100).contains(&all) && (400..600).contains(&first), "{all} {first}");
    let (all, first) = share(GameSettings { memory: MemorySpan::Pair, ..hasty(AUDIT_ALL / 20) });
    assert!((400..600).contains(&all) && first == 0, "{all} {first}");
}

#[test]
fn tables_end_games() {
    let Some(folder) = shared_data("syzygy") else { return };
    let rule = TablebaseRule { pieces: 7, ignore_fifty_moves: false };
    let adjudication = Adjudication { tablebase: Some(rule), ..Adjudication::NEVER };
    let settings = GameSettings { adjudication, ..GameSettings::default() };
    let tablebase = Tablebase::open(GAME, &[folder]).expect("good tables");
    let referee = Referee { settings, tablebase: Some(tablebase) };
    // Right after a capture the win is sure; with a halfmove on the clock it is not.
    let game = random_game("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", &referee, 0);
    assert_eq!((game.result, game.termination), (GameResult::WhiteWins, Termination::Tablebase));
    assert_eq!(game.plies.len(), 0);
    let mut ended = 0;
    for number in 0..20 {
        let game = random_game("4k3/2pp4/8/8/8/8/4PP2/4K3 w - - 0 1", &referee, number);
        let mut position = game.start.clone();
        for ply in &game.plies {
            let judged = referee.judge(&position, &[]).expect("good tables");
            assert_eq!(judged, None, "{}", position.to_fen());
            position.play(ply.mv);
        }
        if game.termination == Termination::Tablebase {
            let judged = referee.judge(&position, &game.plies).expect("good tables");
            assert_eq!(judged, Some((game.result, Termination::Tablebase)));
            ended += 1;
        }
    }
    assert!(ended > 0);
}

/// A short test that adjudicates early.
fn run(folder: &Path, audit: u32, threads: usize) -> Summary {
    let resign = Some(ResignRule { moves: 2, score: 150, two_sided: false });
    let draw = Some(DrawRule { after_moves: 12, moves: 3, score: 25 });
    let adjudication = Adjudication { draw, resign, tablebase: None };
    let game = GameSettings { adjudication, audit, ..GameSettings::default() };
    let hypotheses =
        Hypotheses { model: Model::Normalized, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
    let player = |nodes| {
        Contestant::parse(&["embedded".to_owned()], MoveLimits::nodes(nodes), Some(1))
            .expect("a player")
    };
    let settings = TestSettings {
        candidate: player(300),
        baseline: player(200),
        openings: system::files::EMBEDDED.into(),
        syzygy: Vec::new(),
        rules: Rules {
            play: PlayRules { game, ..PlayRules::with_seed(5) },
            pairs: 12,
            early_stop: false,
            hypotheses,
            design: Design::default(),
        },
    };
    sequential_test::run(&settings, threads, folder, &NoObserver).expect("a run")
}

#[test]
fn audits_change_no_result_and_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| folder.path().join(name);
    let plain = run(&at("plain"), 0, 2);
    let audited = run(&at("audited"), AUDIT_ALL / 2, 1);
    run(&at("again"), AUDIT_ALL / 2, 3);
    let read = |run: &str, file: &str| fs::read(at(run).join(file)).expect("readable");
    for file in ["journal", "games.pgn", "result.json"] {
        assert!(read("audited", file) == read("again", file), "{file}");
    }
    assert!(read("plain", "games.pgn") == read("audited", "games.pgn"));
    assert_eq!(plain.assessment, audited.assessment);
    assert_eq!(plain.tally.terminations, audited.tally.terminations);
    assert!(plain.tally.audit.is_empty() && !audited.tally.audit.is_empty());
    assert!(audited.to_string().contains("\nAudit       "), "{audited}");
    let resumed = sequential_test::resume(&at("audited"), 1, &NoObserver).expect("a finished run");
    assert_eq!(resumed.tally.audit, audited.tally.audit);
}
