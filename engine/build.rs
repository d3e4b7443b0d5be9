//! Chooses the parameter file that the binary carries: `data/parameters/default.toml`, or the file
//! named by `KAMERTON_PARAMETERS`. `KAMERTON_MANIFEST` names the export's manifest, if there is one.

use std::path::{Path, PathBuf};

fn main() {
    let manifest_dir = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let default = Path::new(&manifest_dir).join("../data/parameters/default.toml");
    embed("KAMERTON_PARAMETERS_FILE", &chosen("KAMERTON_PARAMETERS").unwrap_or(default));
    match chosen("KAMERTON_MANIFEST") {
        Some(manifest) => embed("KAMERTON_MANIFEST_FILE", &manifest),
        None => {
            // Not watched: cargo would find it newer than this run, and run this again every time.
            let out = std::env::var("OUT_DIR").expect("cargo sets it");
            let empty = Path::new(&out).join("empty.json");
            std::fs::write(&empty, "").expect("the build folder is writable");
            println!("cargo:rustc-env=KAMERTON_MANIFEST_FILE={}", empty.display());
        }
    }
}

/// The file that the environment names, if it names one.
fn chosen(variable: &str) -> Option<PathBuf> {
    println!("cargo:rerun-if-env-changed={variable}");
    std::env::var_os(variable).map(PathBuf::from)
}

/// Hands the absolute path of a file to `include_str!` through the variable `to`.
fn embed(to: &str, file: &Path) {
    let path = match file.canonicalize() {
        Ok(path) => path,
        Err(error) => panic!("cannot read {}: {error}", file.display()),
    };
    println!("cargo:rerun-if-changed={}", path.display());
    println!("cargo:rustc-env={to}={}", path.display());
}
