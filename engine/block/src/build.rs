//! For build scripts: makes the block of a game, and the same numbers as constants.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::layout::{Contents, LEAST_CAPACITY, USUAL_GAME, made_of};

/// The key of a parameter file that names its game.
const GAME: &str = "game";

/// Makes `parameters.block` for [`carried!`](crate::carried), and `parameters.rs`, the same numbers for
/// `parameters::built`, in the build folder of a game's crate.
///
/// The parameter file is `default.toml` of the folder (from the crate's own), or the one that
/// `KAMERTON_PARAMETERS` names, if that is of the game. An export's manifest, which `KAMERTON_MANIFEST`
/// names, goes to the same game.
///
/// # Panics
/// If a file cannot be read.
pub fn write(game: &str, folder: &str) {
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")).join(folder);
    let chosen = ["KAMERTON_PARAMETERS", "KAMERTON_MANIFEST"].map(chosen);
    let [parameters, manifest] = chosen.map(|file| file.map(|file| text_of(&file)));
    let is_own = game_of(parameters.as_deref().unwrap_or_default()) == game;
    let contents = Contents {
        build: build_notes(game),
        parameters: parameters
            .filter(|_| is_own)
            .unwrap_or_else(|| text_of(&folder.join("default.toml"))),
        manifest: manifest.filter(|_| is_own).unwrap_or_default(),
    };
    let needed = contents.build.len() + contents.parameters.len() + contents.manifest.len();
    let capacity = LEAST_CAPACITY.max(needed.next_multiple_of(4096));
    let block = made_of(&contents, capacity).expect("the block has room");
    let output = PathBuf::from(variable("OUT_DIR"));
    std::fs::write(output.join("parameters.block"), block).expect("the build folder is writable");
    let constants = written(&folder, &contents.parameters);
    std::fs::write(output.join("parameters.rs"), constants).expect("the build folder is writable");
    println!("cargo:rerun-if-changed=build.rs");
}

/// The game of a parameter file. One that is no such file is the usual game's, which says so.
fn game_of(text: &str) -> String {
    let table: toml::Table = text.parse().unwrap_or_default();
    table.get(GAME).and_then(toml::Value::as_str).unwrap_or(USUAL_GAME).to_owned()
}

/// A parameter file as a Rust expression: tables, groups, names and the numbers of each.
/// Nothing where it is no such file; whoever starts the program is told what is wrong with it.
fn written(folder: &Path, text: &str) -> String {
    let tables = over_bases(folder, text, 0).unwrap_or_default();
    list(&tables, |groups| {
        list(groups.as_table().unwrap_or(&toml::Table::new()), |names| {
            list(names.as_table().unwrap_or(&toml::Table::new()), |value| {
                let mut numbers = Vec::new();
                collect_numbers(value, &mut numbers);
                format!("&{numbers:?}")
            })
        })
    })
}

/// The tables of a parameter file, with what its base has besides; nothing where one of them is no such file.
fn over_bases(folder: &Path, text: &str, bases: usize) -> Option<toml::Table> {
    const BASES_MAX: usize = 8;
    let mut own: toml::Table = text.parse().ok()?;
    own.remove(GAME);
    let Some(base) = own.remove("base") else { return Some(own) };
    let file = folder.join(format!("{}.toml", base.as_str()?));
    let base = (bases < BASES_MAX).then(|| text_of(&file))?;
    let mut merged = over_bases(folder, &base, bases + 1)?;
    if own.contains_key("textbook") {
        // The textbook's search has none of these numbers.
        merged.remove("margins");
    }
    for (table, groups) in own {
        let below = merged.entry(table).or_insert_with(|| toml::Table::new().into());
        for (group, numbers) in groups.as_table()? {
            let entry =
                below.as_table_mut()?.entry(group).or_insert_with(|| toml::Table::new().into());
            entry.as_table_mut()?.extend(numbers.as_table()?.clone());
        }
    }
    Some(merged)
}

/// Pairs of each name and what is made of its value.
fn list(table: &toml::Table, of: impl Fn(&toml::Value) -> String) -> String {
    let pairs = table.iter().map(|(name, value)| format!("({name:?}, {}),\n", of(value)));
    format!("&[{}]", pairs.collect::<String>())
}

/// All whole numbers of a value, in their order.
fn collect_numbers(value: &toml::Value, numbers: &mut Vec<i32>) {
    match value {
        toml::Value::Integer(number) => numbers.extend(i32::try_from(*number)),
        toml::Value::Array(values) => {
            values.iter().for_each(|value| collect_numbers(value, numbers));
        }
        _ => {}
    }
}

/// A variable that cargo sets.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// The file that the environment names, if it names one.
fn chosen(variable: &str) -> Option<PathBuf> {
    println!("cargo:rerun-if-env-changed={variable}");
    std::env::var_os(variable).map(PathBuf::from)
}

/// The text of a file, which is watched from now on.
fn text_of(file: &Path) -> String {
    println!("cargo:rerun-if-changed={}", file.display());
    match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => panic!("cannot read {}: {error}", file.display()),
    }
}

/// The game, unless it is the usual one; compiler, target, processor and whether a profile guides the build;
/// and the commit where the environment names it (`KAMERTON_COMMIT`): asked of git it would be another after each commit, and
/// everything be built anew.
fn build_notes(game: &str) -> String {
    println!("cargo:rerun-if-env-changed=KAMERTON_COMMIT");
    let output = Command::new(variable("RUSTC")).arg("-V").output().expect("the compiler answers");
    let compiler = String::from_utf8_lossy(&output.stdout);
    let target = variable("TARGET");
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let option = |name: &str| {
        let mut flags = flags.split(['\x1f', ' ']).map(|flag| flag.trim_start_matches("-C"));
        flags.rfind(|flag| flag.starts_with(name)).map(|flag| &flag[name.len()..])
    };
    let processor = option("target-cpu=").unwrap_or("generic");
    let guided = option("profile-use=").is_some();
    let mut notes = match game {
        USUAL_GAME => String::new(),
        game => format!("game={game}\n"),
    };
    notes += &format!(
        "compiler={}\ntarget={target}\ntarget_cpu={processor}\nguided={guided}\n",
        compiler.trim()
    );
    if let Ok(commit) = std::env::var("KAMERTON_COMMIT") {
        notes += &format!("commit={}\n", commit.trim());
    }
    notes
}
