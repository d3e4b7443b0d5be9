//! Makes the block that the binary carries (`src/block.rs`): `data/parameters/default.toml`, or the
//! file named by `KAMERTON_PARAMETERS`; the export's manifest that `KAMERTON_MANIFEST` names, if
//! there is one; and what is known of this build. The numbers of that file it also hands on as
//! constants (`src/built.rs`).

use std::path::{Path, PathBuf};
use std::process::Command;

// What the build does not use, the engine does.
#[allow(dead_code)]
#[path = "../parameters/src/block.rs"]
mod block;

fn main() {
    let default =
        Path::new(&variable("CARGO_MANIFEST_DIR")).join("../../data/parameters/default.toml");
    let contents = block::Contents {
        build: build_notes(),
        parameters: text_of(&chosen("KAMERTON_PARAMETERS").unwrap_or(default)),
        manifest: chosen("KAMERTON_MANIFEST").map(|file| text_of(&file)).unwrap_or_default(),
    };
    let needed = contents.build.len() + contents.parameters.len() + contents.manifest.len();
    let capacity = block::LEAST_CAPACITY.max(needed.next_multiple_of(4096));
    let block = block::made_of(&contents, capacity).expect("the block has room");
    let file = Path::new(&variable("OUT_DIR")).join("parameters.block");
    std::fs::write(file, block).expect("the build folder is writable");
    let file = Path::new(&variable("OUT_DIR")).join("parameters.rs");
    std::fs::write(file, written(&contents.parameters)).expect("the build folder is writable");
    println!("cargo:rerun-if-changed=build.rs");
}

/// A parameter file as a Rust expression: tables, groups, names and the numbers of each.
/// Nothing where it is no such file; whoever starts the program is told what is wrong with it.
fn written(text: &str) -> String {
    let tables = over_bases(text, 0).unwrap_or_default();
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
fn over_bases(text: &str, bases: usize) -> Option<toml::Table> {
    const BASES_MAX: usize = 8;
    let mut own: toml::Table = text.parse().ok()?;
    let Some(base) = own.remove("base") else { return Some(own) };
    let file = format!("../../data/parameters/{}.toml", base.as_str()?);
    let file = Path::new(&variable("CARGO_MANIFEST_DIR")).join(file);
    let base = (bases < BASES_MAX).then(|| text_of(&file))?;
    let mut merged = over_bases(&base, bases + 1)?;
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

/// What cargo sets.
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

/// Compiler, target, processor and whether a profile guides the build, and the commit where the
/// environment names it (`KAMERTON_COMMIT`): asked of git it would be another after each commit, and
/// everything be built anew.
fn build_notes() -> String {
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
    let mut notes = format!(
        "compiler={}\ntarget={target}\ntarget_cpu={processor}\nguided={guided}\n",
        compiler.trim()
    );
    if let Ok(commit) = std::env::var("KAMERTON_COMMIT") {
        notes += &format!("commit={}\n", commit.trim());
    }
    notes
}
