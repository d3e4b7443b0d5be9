//! The worth of each method: a parameter file plays against itself with one method switched, method
//! by method, and a table shows the results.
//!
//! The folder holds a copy of the file, the settings (`ablation.json`), a run of its own for each
//! method below `games/`, the counts of searches (`counts.csv`), and the table, which is written
//! again after each method. A killed comparison goes on where it was: all in the table was played.

mod counts;
mod error;
mod methods;
mod settings;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};

use matches::game::MoveLimits;
use matches::openings::OpeningSettings;
use matches::player::{Contestant, Source};
use matches::run::{self, NoObserver, Observer, PlayRules, RunError, Workers};
use matches::sequential_test::{self, Rules, SequentialTest, TestSettings};
use playable::Numbers;
use statistics::{Design, Hypotheses, Model};
use system::files::{
    FileError, check_free, claim_outputs, create_folder, read_text, write_atomically,
};

pub use counts::Suite;
pub use error::{AblationError, SuiteError};
pub use methods::{Method, methods};
pub use settings::Settings;

use counts::COUNTS;
use table::Games;

/// Copy of the parameter file in the folder.
const PARAMETERS: &str = "parameters.toml";
const SETTINGS: &str = "ablation.json";
/// The table, for programs and for people.
const TABLE: &str = "table.csv";
const TABLE_TEXT: &str = "table.md";
/// Folder with a run for each method.
const GAMES: &str = "games";

/// A comparison in its folder.
pub struct Ablation {
    folder: PathBuf,
    settings: Settings,
    numbers: Numbers,
    methods: Vec<Method>,
    /// The methods that are to be played.
    chosen: Vec<String>,
    suite: Option<Suite>,
}

impl Ablation {
    /// Begins a comparison in a folder, or goes on with it: of all methods, or of those named.
    ///
    /// # Errors
    /// The file, the suite or the folder cannot be used, the folder was begun with other settings, or a
    /// name is unknown.
    pub fn open(
        file: &Path,
        settings: Settings,
        folder: &Path,
        only: &[String],
    ) -> Result<Ablation, AblationError> {
        let (numbers, text) = settings.game.open_numbers(file)?;
        let suite =
            settings.suite.as_ref().map(|(path, nodes)| Suite::read(settings.game, path, *nodes));
        let suite = suite.transpose()?;
        let mut methods = methods(&numbers);
        let mut chosen = Vec::new();
        for name in only {
            chosen.push(add_named(&mut methods, name, &numbers)?);
        }
        if only.is_empty() {
            chosen = methods.iter().map(|method| method.name.clone()).collect();
        }
        if !folder.join(SETTINGS).exists() {
            check_free(folder, [TABLE, TABLE_TEXT, COUNTS])?;
        }
        create_folder(&folder.join(GAMES))?;
        keep(folder, PARAMETERS, &text, "another parameter file")?;
        let mut asked = serde_json::to_string_pretty(&settings).expect("plain data becomes JSON");
        asked.push('\n');
        keep(folder, SETTINGS, &asked, "other settings (ablation.json)")?;
        // Terms that were asked for by name before stay in the table.
        for name in folders(&folder.join(GAMES))? {
            let _ = add_named(&mut methods, &name, &numbers);
        }
        let folder = folder.to_path_buf();
        Ok(Ablation { folder, settings, numbers, methods, chosen, suite })
    }

    /// The methods of the file, in the order of the table.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// Plays and counts what is missing of the chosen methods, and writes the table after each;
    /// `on_method` hears which one comes, its number and how many there are.
    ///
    /// # Errors
    /// A run that failed or was interrupted, a file that cannot be written.
    pub fn play(
        &self,
        workers: &Workers,
        observer: &mut dyn FnMut() -> Box<dyn Observer<SequentialTest>>,
        on_method: &mut dyn FnMut(&Method, usize, usize),
    ) -> Result<(), AblationError> {
        let _claims = claim_outputs([&*self.folder.join(TABLE)])?;
        let chosen = self.chosen();
        self.write_table()?;
        for (index, method) in chosen.iter().enumerate() {
            on_method(method, index + 1, chosen.len());
            if !method.by_clock || self.settings.tc.is_some() {
                let observer = observer();
                self.play_games(method, workers, observer.as_ref())?;
                if !method.by_clock {
                    self.count(method, observer.as_ref())?;
                }
            }
            self.write_table()?;
        }
        Ok(())
    }

    fn chosen(&self) -> Vec<&Method> {
        self.methods.iter().filter(|method| self.chosen.contains(&method.name)).collect()
    }

    /// The file with a method switched, and the file as it is, as contestants.
    pub fn contestants(&self, method: &Method) -> [Contestant; 2] {
        let limits = match (method.by_clock, self.settings.tc) {
            (true, clock) => MoveLimits { clock, ..MoveLimits::default() },
            (false, _) => MoveLimits::nodes(self.settings.nodes),
        };
        let player = |name: &str, changes: Vec<(String, String)>| Contestant {
            name: name.to_owned(),
            source: Source::Parameters { file: self.folder.join(PARAMETERS), changes },
            limits,
            hash: Some(self.settings.hash),
        };
        let changes = method.changes.iter();
        let changes = changes.map(|(name, value)| (name.clone(), value.to_string())).collect();
        [player(&method.name, changes), player("as it is", Vec::new())]
    }

    fn games_of(&self, method: &Method) -> PathBuf {
        self.folder.join(GAMES).join(&method.name)
    }

    fn play_games(
        &self,
        method: &Method,
        workers: &Workers,
        observer: &dyn Observer<SequentialTest>,
    ) -> Result<(), AblationError> {
        let folder = self.games_of(method);
        if let Games::Played(_) = self.known_games(method)? {
            return Ok(());
        }
        if run::exists(&folder) {
            sequential_test::resume(&folder, workers.clone(), observer)?;
            return Ok(());
        }
        let [candidate, baseline] = self.contestants(method);
        let hypotheses =
            Hypotheses { model: Model::Normalized, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let play = PlayRules {
            openings: OpeningSettings::of(self.settings.game),
            ..PlayRules::with_seed(self.settings.seed)
        };
        let settings = TestSettings {
            candidate,
            baseline,
            openings: self.settings.openings.clone(),
            syzygy: Vec::new(),
            rules: Rules {
                play,
                pairs: self.settings.pairs,
                early_stop: false,
                hypotheses,
                design: Design::default(),
            },
        };
        sequential_test::run(&settings, workers.clone(), &folder, observer)?;
        Ok(())
    }

    /// The state of a method's games in the folder.
    fn known_games(&self, method: &Method) -> Result<Games, AblationError> {
        let folder = self.games_of(method);
        if !run::exists(&folder) {
            return Ok(Games::None);
        }
        let summary = sequential_test::review(&folder, &NoObserver)?;
        Ok(match summary.is_unfinished() {
            true => Games::Begun(summary.assessment.counts.pairs()),
            false => Games::Played(Box::new(summary)),
        })
    }

    /// The numbers with a method switched.
    fn switched(&self, method: &Method) -> Numbers {
        let mut numbers = self.numbers.clone();
        for (name, value) in &method.changes {
            numbers.set(name, i64::from(*value)).expect("methods are made of known numbers");
        }
        numbers
    }

    fn count(
        &self,
        method: &Method,
        observer: &dyn Observer<SequentialTest>,
    ) -> Result<(), AblationError> {
        for (name, numbers) in [
            (counts::AS_IT_IS, self.numbers.clone()),
            (method.name.as_str(), self.switched(method)),
        ] {
            let mut known = counts::read(&self.folder)?;
            if known.contains_key(name) {
                continue;
            }
            let is_stopped = || observer.is_interrupted();
            match counts::count(&numbers, &self.settings, self.suite.as_ref(), &is_stopped) {
                Some(found) => known.insert(name.to_owned(), found),
                None => {
                    let folder = self.games_of(method);
                    return Err(RunError::Interrupted { folder, pairs: self.settings.pairs }.into());
                }
            };
            write_text(&self.folder.join(COUNTS), &counts::csv(&known))?;
        }
        Ok(())
    }

    /// Writes `table.csv` and `table.md` of all methods, with what was played and counted so far.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn write_table(&self) -> Result<(), AblationError> {
        let rows = self.rows(&self.methods)?;
        let table = self.table(&rows)?;
        write_text(&self.folder.join(TABLE), &table.csv())?;
        write_text(&self.folder.join(TABLE_TEXT), &table.markdown())?;
        Ok(())
    }

    /// The table of the chosen methods, for a terminal.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn shown(&self) -> Result<String, AblationError> {
        let rows = self.rows(self.chosen())?;
        Ok(self.table(&rows)?.terminal())
    }

    fn rows<'m>(
        &self,
        methods: impl IntoIterator<Item = &'m Method>,
    ) -> Result<Vec<table::Row<'m>>, AblationError> {
        let known = counts::read(&self.folder)?;
        let row = |method: &'m Method| {
            let games = self.known_games(method)?;
            Ok(table::Row { method, games, counts: known.get(&method.name).copied() })
        };
        methods.into_iter().map(row).collect()
    }

    fn table<'r>(&'r self, rows: &'r [table::Row<'r>]) -> Result<table::Table<'r>, AblationError> {
        let known = counts::read(&self.folder)?;
        Ok(table::Table {
            rows,
            as_it_is: known.get(counts::AS_IT_IS).copied(),
            settings: &self.settings,
            suite: self.suite.as_ref().map(Suite::len),
        })
    }
}

/// The name of the method that a name stands for, which is put behind the others if it is new.
fn add_named(
    methods: &mut Vec<Method>,
    name: &str,
    numbers: &Numbers,
) -> Result<String, AblationError> {
    let Some(method) = methods::named(name, numbers) else {
        let known = methods.iter().map(|method| method.name.clone()).collect();
        return Err(AblationError::Unknown { name: name.to_owned(), known });
    };
    if method.changes.is_empty() {
        return Err(AblationError::Nothing(name.to_owned()));
    }
    let found = method.name.clone();
    if methods.iter().all(|known| known.name != found) {
        methods.push(method);
    }
    Ok(found)
}

/// The names of the folders in a folder, in order.
fn folders(folder: &Path) -> Result<Vec<String>, FileError> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(FileError::at("read", folder))? {
        let entry = entry.map_err(FileError::at("read", folder))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

/// Keeps a text in the folder; refuses another where there is one.
fn keep(folder: &Path, name: &str, text: &str, what: &str) -> Result<(), AblationError> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(write_text(&path, text)?);
    }
    if read_text(&path)? == text {
        return Ok(());
    }
    Err(AblationError::Other { folder: folder.to_path_buf(), what: what.to_owned() })
}

fn write_text(path: &Path, text: &str) -> Result<(), FileError> {
    write_atomically(path, |writer| writer.write_all(text.as_bytes()))
}
