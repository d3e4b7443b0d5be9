//! The endgame tables of a session: what `SyzygyPath` opens, and what is said of it.

use std::path::PathBuf;

use playable::{Oracle, OracleUse};

use super::output::Output;
use super::state::{EngineState, Session};

impl Session {
    /// Opens the tables that `SyzygyPath` names, in place of those before. Faults in them are told,
    /// and play goes on with the sound ones.
    pub(super) fn open_tables(&mut self) {
        // There is room for one set: the old one must be gone before.
        self.tables = None;
        if let Some(EngineState::Idle(engine)) = &mut self.engine {
            engine.set_tables(None);
        }
        let path = &self.options.syzygy_path;
        if path.is_empty() || !self.position.game().features().tables {
            return;
        }
        // A separator too many names no folder.
        let named = |folder: &PathBuf| !folder.as_os_str().is_empty();
        let folders: Vec<PathBuf> = std::env::split_paths(path).filter(named).collect();
        let (readable, unreadable): (Vec<PathBuf>, Vec<PathBuf>) =
            folders.into_iter().partition(|folder| std::fs::read_dir(folder).is_ok());
        // One folder that is gone takes nothing from the others; if none is left it is told as error.
        let folders = if readable.is_empty() { &unreadable } else { &readable };
        if !readable.is_empty() {
            for folder in &unreadable {
                let folder = folder.display();
                self.output.remark(format!("Syzygy: {folder} is left out: it cannot be read"));
            }
        }
        match self.position.game().oracle_for_play(folders) {
            Ok(tables) => {
                self.output.remark(format!("Syzygy: {}", tables.summary()));
                let found = troubles(Some(&*tables), &self.output);
                found.into_iter().for_each(|line| self.output.say(line));
                self.tables = Some(tables);
            }
            Err(error) => self.output.remark(format!("Syzygy: no tables are used: {error}")),
        }
    }

    /// Tells the engine how the next search uses the tables. A weakened engine has none.
    pub(super) fn hand_over_tables(&mut self) {
        let is_limited = self.options.nodes_of_strength().is_some();
        let tables = self.tables.as_ref().filter(|_| !is_limited).map(|oracle| OracleUse {
            oracle: oracle.clone(),
            depth_min: self.options.syzygy_probe_depth as i32,
            clock_rule: self.options.syzygy_fifty_move_rule,
        });
        if let Some(EngineState::Idle(engine)) = &mut self.engine {
            engine.set_tables(tables);
        }
    }
}

/// Faults found in tables since the last call, as lines to print.
pub(super) fn troubles(tables: Option<&dyn Oracle>, output: &Output) -> Vec<String> {
    let found = tables.map(Oracle::take_troubles).unwrap_or_default();
    let told = |damaged: &String| output.remark_text(format!("Syzygy: not used: {damaged}"));
    found.iter().map(told).collect()
}
