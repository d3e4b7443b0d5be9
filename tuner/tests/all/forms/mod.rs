//! The forms in which positions and games are exchanged: what is written is what is read, here and by
//! others, and what is damaged is named.

mod bulletformat;
mod damage;
mod packed;
mod viriformat;

use std::path::Path;

use positions::{Filter, Form, Samples, Source, expand_sources};

use crate::child::ended;
use crate::command_line::tuner;

pub(crate) fn try_read(path: &Path, form: Option<Form>) -> anyhow::Result<Samples> {
    let source = Source::new(path, form, &Filter::everything());
    expand_sources(&[source], &chess::GAME.embedded(), 1)
}

pub(crate) fn read(path: &Path) -> Samples {
    try_read(path, None).expect("readable")
}

/// Writes all positions of a file to another one, in the form of its name.
pub(crate) fn convert(from: &Path, to: &Path) -> String {
    let mut command = tuner();
    command.args(["positions", "--per-game", "0", "--min-ply", "0", "--max-score", "65535"]);
    command.args(["--keep-noisy", "--keep-duplicates", "--threads", "1"]).arg(from);
    let (stdout, _) = ended(0, command.arg("--output").arg(to));
    stdout
}

/// The only file in a folder is this one: nothing half-written lies beside it.
pub(crate) fn assert_alone(path: &Path) {
    let folder = path.parent().expect("a folder");
    let names: Vec<_> = std::fs::read_dir(folder)
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name())
        .collect();
    assert_eq!(names, [path.file_name().expect("a name")]);
}
