//! The settings that the options of a call ask for: of a new run, and of one that is gone on with.

use std::path::Path;
use std::time::Duration;

use command_line::WrongUse;
use evaluation_tuning::fit;
use matches::games;
use matches::player::EngineIdentity;
use positions::Filter;

use super::arguments::{AutoArguments, START_USUAL};
use super::estimates::games_in;
use super::settings::{self, Choices, Sample, Settings};

/// A budget below which a run begins with little, and candidates are not checked: all of it would be
/// gone by one check.
const SHORT_BUDGET: Duration = Duration::from_secs(30 * 60);
/// Games that a generation records, and in a short run: a fit to so few positions is far from the
/// best, but well above a textbook.
const RECORD_GAMES: [u32; 2] = [4000, 1000];
/// Positions that margins are fitted to, and in a short run.
const MARGIN_POSITIONS: [usize; 2] = [4000, 2000];
/// Rounds of that, and in a short run: most of what is found is there then.
const MARGIN_ROUNDS: [usize; 2] = [16, 8];
/// Positions of each game of the sample that the first generation of a short run fits to: in a tenth of
/// the time it comes to within some 30 Elo of what all of them let find.
const FIRST_PER_GAME: usize = 4;
/// Games of a sample without which these would be too few.
const FIRST_GAMES: u64 = 1000;
/// Nodes of a check for each node of a test.
const CHECK_SHARE: u64 = 4;
/// Budget from which on the games for show have as many nodes a move as those of the tests; with less
/// time they have fewer in proportion, but a tenth at least.
const SHOW_BUDGET: Duration = Duration::from_secs(15 * 60);
/// The word for no sample where one is asked for.
const NO_SAMPLE: &str = "none";

/// Checks what the single options do not.
///
/// # Errors
/// [`WrongUse`] for options that cannot be met together, or of which one would do nothing.
pub(super) fn check_options(arguments: &AutoArguments) -> anyhow::Result<()> {
    if arguments.margin_positions == Some(0) && arguments.margin_rounds.is_some() {
        let message = "--margin-rounds does nothing with --margin-positions 0, which leaves margins as \
                       they are: leave out one of them";
        return Err(WrongUse(message.to_string()).into());
    }
    fit::check(&arguments.choices.fit, arguments.game.game)
}

/// The settings that the arguments ask for, and the text of the starting file. Settings that are
/// not asked for and depend on the budget are as in the run that was `begun`.
pub(super) fn settings_of(
    arguments: &AutoArguments,
    begun: Option<&Settings>,
) -> anyhow::Result<(Settings, String)> {
    let game = arguments.game.game;
    let (start, text) = game.open_numbers(&arguments.start)?;
    let sample = match named_sample(arguments)? {
        Some(sample) => sample,
        None if fit::says_nothing(&start) => None,
        None => settings::own_sample(game).map(|path| Sample::load(&path)).transpose()?,
    };
    let AutoArguments { budget, choices, .. } = arguments;
    let is_short = budget.is_some_and(|budget| budget < SHORT_BUDGET);
    let by_time = usize::from(is_short);
    let games = sample.as_ref().map_or(0, |sample| games_in(&sample.path));
    // Figures of both games are in docs/lab: loop.md and xiangqi.md.
    let resolves = games::is_usual(&game);
    let usual_per_game = if resolves { 0 } else { Filter::default().per_game };
    let asked_per_game = arguments.per_game.unwrap_or(usual_per_game);
    let begins_small = is_short && games >= FIRST_GAMES && asked_per_game == 0;
    let share = budget.map_or(1.0, |budget| budget.div_duration_f64(SHOW_BUDGET));
    let show_nodes = choices.nodes as f64 * share.clamp(0.1, 1.0);
    let by_budget = Settings {
        version: settings::VERSION,
        game,
        start: start.fingerprint(),
        start_sha256: settings::sha256(text.as_bytes()),
        engine: Some(EngineIdentity::of_numbers(&start)),
        generations: arguments.generations,
        sample,
        check_nodes: if is_short { 0 } else { CHECK_SHARE * choices.nodes },
        first_per_game: if begins_small { FIRST_PER_GAME } else { 0 },
        show_nodes: (show_nodes as u64).max(1),
        choices: Choices {
            record_games: RECORD_GAMES[by_time],
            per_game: usual_per_game,
            resolve: resolves,
            margin_positions: MARGIN_POSITIONS[by_time],
            margin_rounds: MARGIN_ROUNDS[by_time],
            ..choices.clone()
        },
    };
    let usual = match begun {
        Some(begun) => as_begun(by_budget, begun),
        None => by_budget,
    };
    Ok((with_options(arguments, usual), text))
}

/// Settings with those values that depend on a budget as in a run that was `begun`.
fn as_begun(settings: Settings, begun: &Settings) -> Settings {
    let Choices { record_games, margin_positions, margin_rounds, .. } = begun.choices;
    let choices = Choices { record_games, margin_positions, margin_rounds, ..settings.choices };
    let Settings { check_nodes, first_per_game, show_nodes, .. } = *begun;
    Settings { check_nodes, first_per_game, show_nodes, choices, ..settings }
}

/// Settings with those of these values that are asked for.
fn with_options(arguments: &AutoArguments, settings: Settings) -> Settings {
    let choices = settings.choices;
    Settings {
        check_nodes: arguments.check_nodes.unwrap_or(settings.check_nodes),
        choices: Choices {
            record_games: arguments.record_games.unwrap_or(choices.record_games),
            per_game: arguments.per_game.unwrap_or(choices.per_game),
            margin_positions: arguments.margin_positions.unwrap_or(choices.margin_positions),
            margin_rounds: arguments.margin_rounds.unwrap_or(choices.margin_rounds),
            ..choices
        },
        ..settings
    }
}

/// Checks that --resume comes with no option that asks for another course than that of the run that was
/// `begun`. One that names its usual value cannot be told from one that was left out.
pub(super) fn refuse_others(arguments: &AutoArguments, begun: &Settings) -> anyhow::Result<()> {
    let choices = arguments.choices.or_as_begun(&begun.choices)?;
    let mut asked = with_options(arguments, Settings { choices, ..begun.clone() });
    if arguments.game.game.name() != games::of_program() {
        asked.game = arguments.game.game;
    }
    if arguments.start != Path::new(START_USUAL) {
        let (start, text) = begun.game.open_numbers(&arguments.start)?;
        asked.start = start.fingerprint();
        asked.start_sha256 = settings::sha256(text.as_bytes());
    }
    if let Some(sample) = named_sample(arguments)? {
        asked.sample = sample;
    }
    match asked.difference(begun)? {
        Some(difference) => {
            let reason = "--resume goes on as the run was begun: leave out what is other";
            Err(WrongUse(format!("{reason} ({difference})")).into())
        }
        None => Ok(()),
    }
}

/// The sample that is asked for by name, which may be none at all; `None` where that is left open.
fn named_sample(arguments: &AutoArguments) -> anyhow::Result<Option<Option<Sample>>> {
    let Some(path) = &arguments.sample else { return Ok(None) };
    let is_none = path == Path::new(NO_SAMPLE);
    Ok(Some(if is_none { None } else { Some(Sample::load(path)?) }))
}
