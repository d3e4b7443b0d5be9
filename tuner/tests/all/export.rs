//! Exported binaries.

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[cfg(unix)]
use block::{Contents, contents_of, made_of};

use crate::child::{ended, output};
use crate::command_line::{parameters, tuner};
use crate::lanes::is_long;
use crate::skipping::skip;

/// `tuner export` of textbook values to a file, by this program or a copy of it.
fn export(program: &Path, out: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["export", "--parameters", "textbook", "--output"]).arg(out);
    command
}

/// This program, in a folder of its own.
fn copied(folder: &Path) -> PathBuf {
    let program = folder.join("tuner").with_extension(EXE_EXTENSION);
    fs::copy(env!("CARGO_BIN_EXE_tuner"), &program).expect("writable");
    program
}

/// Nodes of a program's bench, which is its signature.
fn bench(program: &Path, more: &[&str]) -> u64 {
    let (stdout, _) = ended(0, Command::new(program).arg("bench").args(more));
    stdout.split(' ').next().and_then(|nodes| nodes.parse().ok()).expect("a number")
}

#[test]
fn a_wrong_file_is_refused_and_nothing_left() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let text = fs::read_to_string(parameters("textbook.toml")).expect("readable");
    let file = folder.path().join("wrong.toml");
    fs::write(&file, text.replacen("[weights.material]", "[weights.matter]", 1)).expect("writable");
    let out = folder.path().join("kamerton");
    let mut command = tuner();
    command.arg("export").arg("--parameters").arg(&file).arg("--output").arg(&out);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("wrong.toml:"), "{stderr}");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[test]
fn what_is_read_is_not_written() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let text = fs::read(parameters("textbook.toml")).expect("readable");
    let file = folder.path().join("mine.toml");
    fs::write(&file, &text).expect("writable");
    let mut command = tuner();
    command.arg("export").arg("--parameters").arg(&file).arg("--output").arg(&file);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("mine.toml is read: choose another file to write"), "{stderr}");
    assert_eq!(fs::read(&file).expect("readable"), text);

    let positions = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [1.0]\n";
    let file = folder.path().join("own.epd");
    fs::write(&file, positions).expect("writable");
    let mut command = tuner();
    let (_, stderr) = ended(3, command.arg("positions").arg(&file).arg("--output").arg(&file));
    assert!(stderr.contains("own.epd is read: choose another file to write"), "{stderr}");
    assert_eq!(fs::read_to_string(&file).expect("readable"), positions);
}

#[test]
fn a_folder_without_workspace_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut command = tuner();
    command.args(["export", "--compile", "--parameters", "textbook"]);
    command.arg("--output").arg(folder.path().join("kamerton"));
    let (_, stderr) = ended(3, command.arg("--workspace").arg(folder.path()));
    assert!(stderr.contains("no workspace at "), "{stderr}");
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").expect("writable");
    for (out, reason) in [
        (folder.path().join("missing/kamerton"), "cannot write "),
        (file.join("kamerton"), "cannot write "),
        (folder.path().to_path_buf(), " is a folder"),
        (PathBuf::from(".."), "names no file"),
    ] {
        let (_, stderr) = ended(3, &mut export(env!("CARGO_BIN_EXE_tuner").as_ref(), &out));
        assert!(stderr.contains(reason), "{}: {stderr}", out.display());
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

/// Away from its sources and without any other program; then from what it has made.
#[test]
fn an_exported_binary_plays_its_file_and_says_so() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let program = copied(folder.path());
    let out = folder.path().join("tuned");
    let alone = |command: &mut Command| {
        output(command.env_clear().env("PATH", folder.path()).current_dir(folder.path()))
    };
    let (status, stdout, stderr) = alone(export(&program, &out).args(["--verdict", "so"]));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stderr.contains("the engine that is copied is this program"), "{stderr}");
    let nodes = bench(&out, &[]);
    assert!(stdout.contains(&format!("bench {nodes} as with textbook loaded")), "{stdout}");
    let file = parameters("textbook.toml");
    assert_eq!(nodes, bench(&out, &["--parameters", file.to_str().expect("text")]));
    let manifest = fs::read_to_string(folder.path().join("tuned.json")).expect("the manifest");
    let (status, printed, _) = output(Command::new(&out).args(["params", "--manifest"]));
    assert_eq!((status, printed.trim()), (Some(0), manifest.trim()));
    for part in ["\"verdict\": \"so\"", "\"compiler\": \"rustc ", &format!("\"bench\": {nodes},")] {
        assert!(manifest.contains(part), "{manifest}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 3);

    // An exported one beside the program is the next one's engine, and keeps what is known of it.
    let engine = folder.path().join("kamerton").with_extension(EXE_EXTENSION);
    fs::rename(&out, engine).expect("writable");
    let mut command = export(&program, &out);
    let (status, _, stderr) = alone(&mut command);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let again = fs::read_to_string(folder.path().join("tuned.json")).expect("the manifest");
    assert_eq!(again, manifest.replace("\"so\"", "null"));
    assert_eq!(bench(&out, &[]), nodes);
}

/// A program of the shell that carries a block, for engines that are not what they seem.
#[cfg(unix)]
fn script(folder: &Path, text: &str, capacity: usize) -> PathBuf {
    let file = folder.join("kamerton");
    let contents = Contents { parameters: "a".to_string(), ..Contents::default() };
    let block = made_of(&contents, capacity).expect("it fits");
    let bytes = [b"#!/bin/sh\n", text.as_bytes(), b"\nexit\n", &block].concat();
    crate::files::write_program(&file, bytes);
    file
}

/// Each fault of the engine is told, and the file that lay at the output stays there alone.
#[cfg(unix)]
#[test]
fn engines_that_cannot_be_used_are_refused() {
    const ROOM: usize = 200_000;
    let folder = tempfile::tempdir().expect("temporary folder");
    let engine = folder.path().join("engine");
    fs::create_dir(&engine).expect("writable");
    let outputs = folder.path().join("outputs");
    fs::create_dir(&outputs).expect("writable");
    let out = outputs.join("kamerton");
    fs::write(&out, "from before").expect("writable");
    let refused = |file: &Path, reason: &str| {
        let program = env!("CARGO_BIN_EXE_tuner").as_ref();
        let (_, stderr) = ended(3, export(program, &out).arg("--engine").arg(file));
        assert!(stderr.contains("cannot use ") && stderr.contains(reason), "{reason}: {stderr}");
        assert_eq!(fs::read_to_string(&out).expect("readable"), "from before");
        assert_eq!(fs::read_dir(&outputs).expect("readable").count(), 1, "{reason}");
    };
    refused(&engine.join("missing"), "No such file");
    refused(&engine, "directory");
    let file = engine.join("file");
    let block = |capacity| made_of(&Contents::default(), capacity).expect("it fits");
    for (bytes, reason) in [
        (vec![], "no parameter block in it"),
        (b"#!/bin/sh\necho 1 nodes".to_vec(), "no parameter block in it"),
        ([block(ROOM), block(ROOM)].concat(), "2 parameter blocks of one game in it"),
        (block(ROOM)[..1000].to_vec(), "it ends within its parameter block: 1000 bytes of"),
        (block(1000), "has room for 1000 bytes, and "),
        (block(ROOM), "cannot run "),
    ] {
        fs::write(&file, bytes).expect("writable");
        refused(&file, reason);
    }
    for (at, reason) in [(16, "has version"), (24, "bytes of text in"), (36, "checksum is wrong")] {
        let mut bytes = block(ROOM);
        bytes[at..at + 4].fill(0x5a);
        fs::write(&file, bytes).expect("writable");
        refused(&file, reason);
    }
    // Programs that run, but do not report the file's bench.
    for (text, reason) in [
        ("echo 1 nodes 1 nps", "the binary's bench is 1 nodes, but "),
        ("echo hello", "ends in no node count: hello"),
        ("echo broken >&2; exit 3", "broken"),
        ("kill -9 $$", "signal: 9"),
    ] {
        refused(&script(&engine, text, ROOM), reason);
    }
    let textbook = chess::Parameters::open("textbook".as_ref()).expect("carried");
    let depth = chess::bench::DEFAULT_DEPTH;
    let nodes = chess::bench::bench(&textbook.into(), depth, &mut |_, _| ()).nodes;
    let text = format!("[ $1 = bench ] && echo {nodes} nodes 1 nps || echo another");
    refused(&script(&engine, &text, ROOM), "carries another manifest: another");
}

/// The engine beside the program may be older: cargo does not build both together.
#[cfg(unix)]
#[test]
fn an_older_engine_beside_the_program_is_passed_over() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let program = copied(folder.path());
    script(folder.path(), "echo 1 nodes 1 nps", 200_000);
    let out = folder.path().join("tuned");
    let (_, stderr) = ended(0, &mut export(&program, &out));
    assert!(stderr.contains("was not taken") && stderr.contains("bench is 1 nodes"), "{stderr}");
    let carried = contents_of(&fs::read(&out).expect("readable"), "chess").expect("a block");
    let (_, whole) = chess::Parameters::open_whole(&parameters("textbook.toml")).expect("a set");
    assert_eq!(carried.parameters, whole);
}

/// Builds the engine, for a minute or two: `.ci/run` asks for it, and the long lane.
#[test]
fn a_compiled_binary_plays_its_file_and_says_so() {
    if std::env::var_os("KAMERTON_TEST_EXPORT").is_none() && !is_long() {
        return eprintln!("left out: KAMERTON_TEST_EXPORT=1 builds and checks an exported binary");
    }
    let manifest = manifest_of_compiled(&[]);
    assert!(manifest.contains("\"guided\": false"), "{manifest}");
}

/// Builds the engine twice, in the long lane, where the toolchain has what that takes, and says what
/// is missing elsewhere.
#[test]
fn a_profile_of_the_bench_guides_a_build_if_asked_for() {
    let libraries =
        output(Command::new("rustc").args(["--print", "target-libdir"])).1.trim().to_string();
    let merger = Path::new(&libraries)
        .with_file_name("bin")
        .join("llvm-profdata")
        .with_extension(EXE_EXTENSION);
    if !merger.exists() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let out = folder.path().join("kamerton");
        let (status, _, stderr) = output(
            export(env!("CARGO_BIN_EXE_tuner").as_ref(), &out).args(["--compile", "--guided"]),
        );
        assert_ne!(status, Some(0));
        assert!(stderr.contains("rustup component add llvm-tools"), "{stderr}");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        skip(
            "the toolchain has no llvm-profdata (rustup component add llvm-tools): no guided build",
        );
    } else if is_long() {
        let manifest = manifest_of_compiled(&["--guided"]);
        assert!(manifest.contains("\"guided\": true"), "{manifest}");
    }
}

/// Exports with `--compile` and these options, and returns the manifest that binary and file agree
/// on.
fn manifest_of_compiled(options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("temporary folder");
    let out = folder.path().join("kamerton-textbook");
    let (stdout, _) =
        ended(0, export(env!("CARGO_BIN_EXE_tuner").as_ref(), &out).arg("--compile").args(options));
    assert!(stdout.contains("bench"), "{stdout}");
    let manifest = fs::read_to_string(folder.path().join("kamerton-textbook.json"));
    let manifest = manifest.expect("the manifest");
    let (printed, _) = ended(0, Command::new(&out).args(["params", "--manifest"]));
    assert_eq!(printed.trim(), manifest.trim());
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 2);
    let copy = folder.path().join("copy");
    let mut copying = export(env!("CARGO_BIN_EXE_tuner").as_ref(), &copy);
    let (copied, _) = ended(0, copying.arg("--engine").arg(&out));
    let guided = |text: &str| text.contains("\"guided\": true");
    assert_eq!(guided(&copied), guided(&manifest), "a copy is guided as what it was copied from");
    manifest
}
