//! Who is tuned: our own engine or any that speaks UCI, with the numbers that may change.
//!
//! A [`TunedEngine`] makes players of vectors of values, in the order of [`TunedEngine::tunables`]. Where
//! it is our own engine, they play in this process with these numbers; otherwise each player is a
//! process of its own that is told them as UCI options.
//!
//! Before a run a program is started with all options at both ends of their ranges, so that a bad
//! one is known at once.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args;
use command_line::{WrongUse, parameter_file, values_help};
use matches::GameOption;
use matches::game::MoveLimits;
use matches::player::{
    Contestant, DEFAULT_HASH, EngineIdentity, GameStart, InProcess, Player, SearchLimit, Source,
    UciEngine, UciPlayer, try_limits,
};
use playable::{Game, Numbers};
use system::files;
use system::tell;

use super::{Tunable, all, margins, openbench, read, select, weather_factory};

/// Who is tuned, and which of its numbers.
#[derive(Args, Clone, Debug, Default)]
pub struct SubjectArguments {
    /// The game that is played.
    #[command(flatten)]
    pub game: GameOption,
    /// Tune Kamerton from these values, in this process.
    #[arg(long, value_name = "FILE", value_parser = parameter_file, conflicts_with = "engine")]
    #[arg(help = values_help("Tune Kamerton from these values, in this process"))]
    pub start: Option<PathBuf>,
    /// Tune any UCI engine: its program, and further words as `sprt run --help` describes them, as
    /// option.Hash=16 or arg=--quiet.
    #[arg(long, value_name = "WORDS", num_args = 1.., requires = "parameters")]
    pub engine: Vec<String>,
    /// The options of the engine that may be tuned: OpenBench's lines (name, int|float, value,
    /// lowest, highest, c_end, r_end) or weather-factory's JSON.
    #[arg(long, value_name = "FILE", requires = "engine", conflicts_with = "start")]
    pub parameters: Option<PathBuf>,
    /// Tune these alone: numbers, or groups of them [default: all of the file; of Kamerton all
    /// margins but switches, those of the clock and those of techniques that are off; all else can
    /// be named].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Leave these as they are: numbers, or groups of them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub freeze: Vec<String>,
}

impl SubjectArguments {
    /// True if nothing was said of who is tuned.
    pub fn is_empty(&self) -> bool {
        self.start.is_none()
            && self.engine.is_empty()
            && self.only.is_empty()
            && self.freeze.is_empty()
    }

    /// Who is tuned, with the numbers at their starting values.
    ///
    /// # Errors
    /// [`WrongUse`] where neither engine is named or the words make no sense; files that cannot be
    /// read or are wrong; a program that is not there.
    pub fn subject(&self) -> anyhow::Result<TunedEngine> {
        let (contestant, usual, all) = match (&self.start, &self.parameters) {
            (Some(file), _) => {
                let (start, _) = self.game.game.open_numbers(file)?;
                let source = Source::Parameters { file: file.clone(), changes: Vec::new() };
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let limits = MoveLimits::default();
                let contestant = Contestant { name, source, limits, hash: None };
                (contestant, margins(&start), all(&start))
            }
            (None, Some(parameters)) => {
                let contestant = Contestant::parse(&self.engine, MoveLimits::default(), None)
                    .map_err(|error| WrongUse(format!("--engine: {error}")))?;
                if !matches!(contestant.source, Source::Uci(_)) {
                    let message = "--engine names a program; Kamerton's own numbers are tuned by \
                                   --start FILE";
                    return Err(WrongUse(message.to_string()).into());
                }
                let tunables = read(parameters)?;
                (contestant, tunables.clone(), tunables)
            }
            (None, None) => {
                let message = "say who is tuned: --start FILE, or --engine CMD --parameters FILE";
                return Err(WrongUse(message.to_string()).into());
            }
        };
        let tunables = select(usual, &all, &self.only, &self.freeze)?;
        TunedEngine::new(self.game.game, contestant, tunables)
    }
}

/// Who is tuned, with the numbers that may change.
#[derive(Clone, Debug)]
pub struct TunedEngine {
    game: Game,
    /// As it plays where nothing is changed.
    contestant: Contestant,
    tunables: Vec<Tunable>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Our own engine, from these values.
    Own(Numbers),
    /// Any engine over pipes, by the absolute path of its program.
    Foreign(UciEngine),
}

impl TunedEngine {
    /// A contestant with the numbers of it that may change.
    ///
    /// # Errors
    /// Its file or program is not there or wrong; a number that it does not have or that cannot be
    /// tuned; and where it has none.
    pub fn new(
        game: Game,
        contestant: Contestant,
        tunables: Vec<Tunable>,
    ) -> anyhow::Result<TunedEngine> {
        let kind = match &contestant.source {
            Source::Parameters { file, .. } => {
                let (start, _) = game.open_numbers(file)?;
                for tunable in &tunables {
                    start
                        .find(&tunable.name)
                        .with_context(|| format!("{} has no such number", file.display()))?;
                }
                Kind::Own(start)
            }
            Source::Uci(engine) => {
                let set = |tunable: &&Tunable| {
                    engine.options.keys().any(|option| option.eq_ignore_ascii_case(&tunable.name))
                };
                if let Some(tunable) = tunables.iter().find(set) {
                    let message = format!("{} is to be tuned and set, too", tunable.name);
                    return Err(WrongUse(message).into());
                }
                let loaded = contestant.load(game)?;
                let command = loaded.command().unwrap_or(&engine.command).to_path_buf();
                Kind::Foreign(UciEngine { command, ..engine.clone() })
            }
            Source::Random => {
                let message = "--engine: chance has no numbers; name an engine's program";
                return Err(WrongUse(message.to_string()).into());
            }
        };
        for tunable in &tunables {
            tunable.check().map_err(|reason| WrongUse(format!("{}: {reason}", tunable.name)))?;
        }
        Ok(TunedEngine { game, contestant, tunables, kind })
    }

    /// The game that it plays.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The numbers that may change, in the order of all vectors of values.
    pub fn tunables(&self) -> &[Tunable] {
        &self.tunables
    }

    /// Who it is where nothing is changed.
    pub fn base(&self) -> &Contestant {
        &self.contestant
    }

    /// The engine's identity, whatever values it is given: a program is started for it.
    ///
    /// # Errors
    /// It is not there, or does not start.
    pub fn engine(&self) -> anyhow::Result<Option<EngineIdentity>> {
        let loaded = self.contestant.load(self.game)?;
        let files = loaded.named_files();
        let mut player = loaded.player();
        let start = self.game.start();
        if let Err(fault) = player.new_game(&GameStart::fresh(&start)) {
            bail!("{} cannot play: {fault}", self.contestant.name);
        }
        Ok(loaded.engine(player, &files))
    }

    /// The values it starts from.
    pub fn start(&self) -> Vec<f64> {
        self.tunables.iter().map(|tunable| tunable.value).collect()
    }

    /// Our own engine's numbers with these values; none of a foreign engine.
    ///
    /// # Panics
    /// If the values are not as many as the tunables or beyond their ranges.
    pub fn numbers(&self, values: &[f64]) -> Option<Numbers> {
        let Kind::Own(start) = &self.kind else { return None };
        let mut numbers = start.clone();
        for (tunable, &value) in self.with(values) {
            let value = tunable.clamp(value) as i64;
            numbers.set(&tunable.name, value).expect("a known number in its range");
        }
        Some(numbers)
    }

    /// The program and the size of its transposition table (megabytes), if one is asked for; none of
    /// our own engine.
    pub fn program(&self) -> Option<(&UciEngine, Option<usize>)> {
        match &self.kind {
            Kind::Own(_) => None,
            Kind::Foreign(engine) => Some((engine, self.contestant.hash)),
        }
    }

    /// The names of the numbers with these values, as options. Whole numbers are rounded.
    ///
    /// # Panics
    /// If the values are not as many as the tunables.
    pub fn options(&self, values: &[f64]) -> Vec<(String, String)> {
        self.with(values).map(|(it, &value)| (it.name.clone(), it.text(value))).collect()
    }

    /// It with these values, as a test of `sprt` takes it. Whole numbers are rounded.
    ///
    /// # Panics
    /// If the values are not as many as the tunables.
    pub fn contestant(&self, name: &str, values: &[f64]) -> Contestant {
        let mut contestant = self.contestant.clone();
        contestant.name = name.to_string();
        let values = self.options(values);
        match &mut contestant.source {
            Source::Parameters { changes, .. } => changes.extend(values),
            Source::Uci(engine) => engine.options.extend(values),
            Source::Random => {}
        }
        contestant
    }

    /// Something that plays with these values: in this process, or a program that is started when
    /// it is first asked. Whole numbers are rounded.
    ///
    /// # Panics
    /// As [`TunedEngine::numbers`].
    pub fn player(&self, values: &[f64]) -> Box<dyn Player> {
        let hash = self.contestant.hash;
        match &self.kind {
            Kind::Own(start) => {
                let numbers = self.numbers(values).unwrap_or_else(|| start.clone());
                let player = InProcess::new(&numbers, hash.unwrap_or(DEFAULT_HASH));
                Box::new(player.without_constants())
            }
            Kind::Foreign(engine) => {
                let mut engine = engine.clone();
                engine.options.extend(self.options(values));
                Box::new(UciPlayer::new(engine, hash))
            }
        }
    }

    /// Starts it with all numbers at both ends of their ranges and between them, so that a run does
    /// not find out after an hour that an option is misspelt (which would tune nothing) or refuses a
    /// value, as whole ones refuse fractions; and has it search with these limits, which it may not
    /// know.
    ///
    /// # Errors
    /// It does not start, has not all of the options, an option does not take its whole range, or it
    /// does not keep a limit.
    pub fn check(&self, limits: &MoveLimits) -> anyhow::Result<()> {
        let name = &self.contestant.name;
        // The golden section of hardly any range is whole.
        let between = |it: &Tunable| it.low + 0.381_966 * (it.high - it.low);
        let mut remarks = Vec::new();
        for of_range in [|it: &Tunable| it.low, |it: &Tunable| it.high, between] {
            let ends: Vec<f64> = self.tunables.iter().map(of_range).collect();
            let mut player = self.player(&ends);
            let start = self.game.start();
            if let Err(fault) = player.new_game(&GameStart::fresh(&start)) {
                bail!("{name} cannot play: {fault}");
            }
            let unknown = player.unknown_options();
            ensure!(unknown.is_empty(), "{name} has no option {}", unknown.join(", "));
            remarks = player.option_remarks();
        }
        remarks.iter().for_each(|remark| tell(format_args!("note: {name}: {remark}")));
        check_limits(name, self.player(&self.start()).as_mut(), limits)
    }

    /// The files that [`TunedEngine::write`] makes of a name. weather-factory knows whole numbers alone: none
    /// for it where there are others.
    pub fn outputs(&self, folder: &Path, name: &str) -> Vec<PathBuf> {
        let extensions: &[&str] = match self.kind {
            Kind::Own(_) => &["toml"],
            Kind::Foreign(_) if self.tunables.iter().all(|it| it.is_whole) => &["txt", "json"],
            Kind::Foreign(_) => &["txt"],
        };
        extensions.iter().map(|extension| folder.join(format!("{name}.{extension}"))).collect()
    }

    /// Writes these values for those who go on with them: `NAME.toml` of our own engine, which holds
    /// all its numbers, `notes` above them; `NAME.txt` (OpenBench's lines) and `NAME.json`
    /// (weather-factory) of any other. Returns what was written.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        name: &str,
        values: &[f64],
        notes: &str,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let texts = match self.numbers(values) {
            Some(numbers) => vec![numbers.to_toml_with_notes(notes)],
            None => {
                let of_values = self.with(values);
                let tunables: Vec<Tunable> = of_values
                    .map(|(it, &value)| Tunable { value: it.clamp(value), ..it.clone() })
                    .collect();
                vec![openbench::write(&tunables), weather_factory::write(&tunables)]
            }
        };
        let paths = self.outputs(folder, name);
        for (path, text) in paths.iter().zip(texts) {
            files::write_atomically(path, |file| std::io::Write::write_all(file, text.as_bytes()))?;
        }
        Ok(paths)
    }

    fn with<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = (&'a Tunable, &'a f64)> {
        assert_eq!(self.tunables.len(), values.len(), "a value for each number");
        self.tunables.iter().zip(values)
    }
}

/// Has a player search with these limits, and says what is odd about that.
///
/// # Errors
/// It does not keep one.
pub fn check_limits(
    name: &str,
    player: &mut dyn Player,
    limits: &MoveLimits,
) -> anyhow::Result<()> {
    match try_limits(player, &SearchLimit::to_try(limits)) {
        Ok(noticed) => noticed.iter().for_each(|what| tell(format_args!("note: {name}: {what}"))),
        Err(trial) => bail!("{name} does not keep its limit: {trial}"),
    }
    Ok(())
}
