//! Exported binaries.

use std::fs;
use std::process::Command;

use crate::command_line::{output, parameters, tuner};

#[test]
fn a_wrong_file_is_refused_and_nothing_left() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let text = fs::read_to_string(parameters("textbook.toml")).expect("readable");
    let file = folder.path().join("wrong.toml");
    fs::write(&file, text.replacen("[weights.material]", "[weights.matter]", 1)).expect("writable");
    let out = folder.path().join("kamerton");
    let mut command = tuner();
    command.arg("export").arg("--parameters").arg(&file).arg("--output").arg(&out);
    let (status, _, stderr) = output(&mut command);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("wrong.toml:"), "{stderr}");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[test]
fn a_folder_without_workspace_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut command = tuner();
    command.arg("export").arg("--parameters").arg(parameters("textbook.toml"));
    command.arg("--output").arg(folder.path().join("kamerton"));
    let (status, _, stderr) = output(command.arg("--workspace").arg(folder.path()));
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("no workspace at "), "{stderr}");
}

/// Builds the engine: a minute or two, hence on demand only.
#[test]
fn an_exported_binary_plays_its_file_and_says_so() {
    if std::env::var_os("KAMERTON_TEST_EXPORT").is_none() {
        eprintln!("skipped: set KAMERTON_TEST_EXPORT=1 to build and check an exported binary");
        return;
    }
    let folder = tempfile::tempdir().expect("temporary folder");
    let out = folder.path().join("kamerton-textbook");
    let mut command = tuner();
    command.arg("export").arg("--parameters").arg(parameters("textbook.toml"));
    let (status, stdout, stderr) = output(command.arg("--output").arg(&out));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("bench"), "{stdout}");
    let manifest = fs::read_to_string(folder.path().join("kamerton-textbook.json"));
    let (status, printed, _) = output(Command::new(&out).args(["params", "--manifest"]));
    assert_eq!(status, Some(0));
    assert_eq!(printed.trim(), manifest.expect("the manifest").trim());
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 2);
}
