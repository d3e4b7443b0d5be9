//! Chooses the parameter file that the binary carries: `data/parameters/default.toml`, or the file
//! named by `KAMERTON_PARAMETERS`. `KAMERTON_MANIFEST` names the export's manifest, if there is one.

use std::path::{Path, PathBuf};

fn main() {
    let manifest_dir = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let default = Path::new(&manifest_dir).join("../data/parameters/default.toml");
    embed("KAMERTON_PARAMETERS", "KAMERTON_PARAMETERS_FILE", default);
    let empty = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("empty.json");
    std::fs::write(&empty, "").expect("the build folder is writable");
    embed("KAMERTON_MANIFEST", "KAMERTON_MANIFEST_FILE", empty);
}

/// Hands the absolute path of the chosen file to `include_str!` through the variable `to`.
fn embed(from: &str, to: &str, default: PathBuf) {
    println!("cargo:rerun-if-env-changed={from}");
    let chosen = std::env::var_os(from).map_or(default, PathBuf::from);
    let chosen = match chosen.canonicalize() {
        Ok(path) => path,
        Err(error) => panic!("{from}: cannot read {}: {error}", chosen.display()),
    };
    println!("cargo:rerun-if-changed={}", chosen.display());
    println!("cargo:rustc-env={to}={}", chosen.display());
}
