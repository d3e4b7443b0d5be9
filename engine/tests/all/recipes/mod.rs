//! The recipes of CONTRIBUTING.md: what adds a term, a margin or a pruning rule touches as few files as it says.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lanes::is_long;
use crate::skipping::skip;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("a folder")
}

/// Runs a program and returns its output, which must be a success.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("it can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn patch(name: &str) -> PathBuf {
    workspace().join("engine/tests/all/recipes").join(name).with_extension("patch")
}

/// Checks that a patch fits the sources as they are, and touches these files alone.
fn check(name: &str, files: &[&str]) {
    let text = std::fs::read_to_string(patch(name)).expect("a patch");
    let touched: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    assert_eq!(touched, files);
    if Command::new("git").arg("--version").output().is_err() {
        return skip("git is not installed");
    }
    output(
        Command::new("git").arg("apply").arg("--check").arg(patch(name)).current_dir(workspace()),
    );
}

/// The engine with a patch: it has the number, which is nothing as long as no file names it.
fn check_engine(name: &str, number: &str) {
    if !is_long() || cfg!(windows) {
        return eprintln!("left to the long lane: KAMERTON_LONG=1");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut copy = Command::new("cp");
    copy.current_dir(workspace()).arg("-R");
    for part in
        ["Cargo.toml", "Cargo.lock", ".cargo", "engine", "sprt", "tuner", "testing", "data", "docs"]
    {
        copy.arg(part);
    }
    output(copy.arg(folder.path()));
    output(Command::new("git").arg("apply").arg(patch(name)).current_dir(folder.path()));
    // Apart, because cargo would build this test's own binary anew afterwards.
    let target = workspace().join("target/recipes");
    let mut build = Command::new("cargo");
    build.args(["build", "--quiet", "-p", "engine", "--bin", "kamerton"]);
    output(build.current_dir(folder.path()).env("CARGO_TARGET_DIR", &target));
    let patched = target.join("debug/kamerton");
    assert!(output(Command::new(&patched).args(["params", number])).contains(number));
    let signature = |program: &Path| {
        let text = output(Command::new(program).args(["bench", "4"]));
        text.split_whitespace().next().expect("a number").to_owned()
    };
    assert_eq!(signature(&patched), signature(Path::new(env!("CARGO_BIN_EXE_kamerton"))));
}

#[test]
fn a_term_touches_its_declaration_and_its_use() {
    let folder = "engine/chess/src/evaluation";
    check("term", &[&format!("{folder}/pieces.rs"), &format!("{folder}/weights.rs")]);
    check_engine("term", "rook_sixth");
}

#[test]
fn a_pruning_rule_touches_its_own_file_and_that_of_the_node() {
    let folder = "engine/search/src/node";
    check("rule", &[&format!("{folder}/mod.rs"), &format!("{folder}/table_prob_cut.rs")]);
    check_engine("rule", "table_prob_cut.margin");
}

#[test]
fn a_margin_touches_one_file() {
    check("margin", &["engine/search/src/node/internal_reduction.rs"]);
    check_engine("margin", "depth_divisor");
}
