//! Why an engine did not start, as far as its file and its last words tell, and what to do.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::lines::shorten;
use crate::game::{Fault, FaultKind};
use crate::player::UciEngine;

/// Bytes of a program's file that say what it is.
const HEAD: u64 = 4096;
/// Lines of standard output that a message repeats.
const SHOWN_LINES: usize = 10;

/// The last lines of a process that was given up, standard error apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LastWords {
    /// The last lines on standard output, without those that declare options.
    pub output: Vec<String>,
    /// It had answered, and its answer came only when it ended.
    pub is_held_back: bool,
}

impl LastWords {
    /// The last words of a process that said these lines.
    pub(super) fn new(lines: impl DoubleEndedIterator<Item = String>, is_held_back: bool) -> Self {
        let is_telling = |line: &String| {
            !matches!(line.split_ascii_whitespace().next(), None | Some("option" | "id"))
        };
        let mut output: Vec<String> = lines.rev().filter(is_telling).take(SHOWN_LINES).collect();
        output.reverse();
        LastWords { output, is_held_back }
    }

    /// The lines, to be put behind a reason; empty if there are none.
    pub fn shown(&self) -> String {
        if self.output.is_empty() {
            return String::new();
        }
        let lines: Vec<String> = self.output.iter().map(|line| shorten(line)).collect();
        format!("; stdout: {}", lines.join(" | "))
    }
}

/// Why the system did not start a program: its own words, and what they do not say.
pub fn told(engine: &UciEngine, error: &io::Error) -> String {
    match of_error(engine, error) {
        Some(hint) => format!("{error}: {hint}"),
        None => error.to_string(),
    }
}

/// The text behind the fault of an engine that did not introduce itself: its last words, and what
/// may help.
pub fn added(engine: &UciEngine, fault: &Fault, words: &LastWords) -> String {
    let hint = of_fault(engine, fault, words);
    words.shown() + &hint.map(|hint| format!(" ({hint})")).unwrap_or_default()
}

fn of_error(engine: &UciEngine, error: &io::Error) -> Option<String> {
    if let Some(reason) = of_file(&engine.command) {
        return Some(reason);
    }
    let is_refused = error.kind() == io::ErrorKind::PermissionDenied;
    is_refused.then(|| {
        "the file, its interpreter or a folder on the way may not be executed, or the file system is \
         mounted `noexec`"
            .to_owned()
    })
}

/// A hint for an engine that did not introduce itself.
pub(super) fn of_fault(engine: &UciEngine, fault: &Fault, words: &LastWords) -> Option<String> {
    if words.is_held_back {
        let hint = "it had answered, and the answer came when it ended: have it flush its output \
                    after each line, also where that is a pipe (std::endl, flush=True, `setvbuf`)";
        return Some(hint.to_owned());
    }
    let said = [&*fault.detail].into_iter().chain(words.output.iter().map(String::as_str));
    if said.flat_map(|it| it.split(['|', ';'])).any(is_of_xboard) {
        let hint = "it does not speak UCI; an engine for xboard needs an adapter that does";
        return Some(hint.to_owned());
    }
    match fault.kind {
        // A shell that was given the file says so on standard error alone.
        FaultKind::Crash | FaultKind::Exit => Some(&engine.command)
            .filter(|_| words.output.is_empty())
            .and_then(|program| of_file(program))
            .or_else(|| of_folder(engine, &fault.detail)),
        FaultKind::Hang if words.output.is_empty() => {
            let hint = "it says nothing: does it speak UCI, and flush its output after each line? If it \
                        only needs longer, give start-timeout=SECONDS";
            Some(hint.to_owned())
        }
        FaultKind::Hang => {
            Some("if it only needs longer to start, give start-timeout=SECONDS".to_owned())
        }
        _ => None,
    }
}

/// Whether a line is of a program that speaks xboard's protocol, or at least not UCI.
fn is_of_xboard(line: &str) -> bool {
    let line = line.trim().to_ascii_lowercase();
    let line = line.strip_prefix("stderr: ").unwrap_or(&line);
    let begins = ["feature ", "error (", "illegal move: uci", "tellics ", "tellall "];
    line.contains("unknown command") || begins.iter().any(|begin| line.starts_with(begin))
}

/// An engine that looks for its files in the folder in which it is started.
fn of_folder(engine: &UciEngine, detail: &str) -> Option<String> {
    // A library that is missing is the system's business.
    let is_of_system = ["shared libraries", "GLIBC"].iter().any(|it| detail.contains(it));
    if engine.folder.is_some() || is_of_system {
        return None;
    }
    let program = engine.command.canonicalize().ok()?;
    let folder = program.parent()?;
    let own = std::env::current_dir().ok()?.canonicalize().ok()?;
    (folder != own).then(|| {
        format!(
            "it was started in {}; if it needs files of its own folder: dir={}",
            own.display(),
            folder.display()
        )
    })
}

/// The defect of a file that is to be a program; none if there is none.
fn of_file(program: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(program).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    if let Some(rest) = head.strip_prefix(b"#!") {
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return of_script(&String::from_utf8_lossy(line));
    }
    let Some(kind) = Kind::of(&head) else {
        return of_text(&head);
    };
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    match kind {
        Kind::Elf(of) if cfg!(target_os = "linux") => match of {
            Some(of) if !is_run_by(of, machine) => {
                Some(format!("the program is made for {of}, and this machine is {machine}"))
            }
            // The loader that it names is in its head, and need not be on this system.
            _ => loader(&head).filter(|loader| !Path::new(loader).exists()).map(|loader| {
                format!("the program asks for the loader {loader}, which is not on this system")
            }),
        },
        Kind::Windows if cfg!(windows) => None,
        Kind::Mac if cfg!(target_os = "macos") => None,
        kind => Some(format!("the program is made for {}, and this is {system}", kind.system())),
    }
}

/// Whether a machine runs programs for this kind of processor, if what they need is there.
fn is_run_by(of: &str, machine: &str) -> bool {
    of == machine || matches!((of, machine), ("x86", "x86_64") | ("arm", "aarch64"))
}

/// The defect of a text without `#!`, which systems hand to a shell or do not run at all.
fn of_text(head: &[u8]) -> Option<String> {
    if head.is_empty() {
        return Some("the file is empty".to_owned());
    }
    let is_script = cfg!(unix) && !head.contains(&0);
    is_script.then(|| {
        "the file is a text, and its first line names no interpreter, as `#!/usr/bin/env python3`"
            .to_owned()
    })
}

/// The defect of a script whose first line is this, without `#!`.
fn of_script(line: &str) -> Option<String> {
    if line.ends_with('\r') {
        let hint = "the first line of the script ends with CR LF, which becomes a part of its \
                    interpreter's name: write the file with LF alone (`sed -i 's/\\r$//' FILE`)";
        return Some(hint.to_owned());
    }
    let interpreter = line.split_ascii_whitespace().next()?;
    (!Path::new(interpreter).exists())
        .then(|| format!("the script asks for the interpreter {interpreter}, which is not there"))
}

/// For which system a program is made.
enum Kind {
    /// Linux and others, for a kind of processor if that is known.
    Elf(Option<&'static str>),
    Windows,
    Mac,
}

impl Kind {
    fn of(head: &[u8]) -> Option<Kind> {
        match head {
            [0x7f, b'E', b'L', b'F', ..] => Some(Kind::Elf(match head.get(18..20)? {
                [0x03, 0] => Some("x86"),
                [0x28, 0] => Some("arm"),
                [0x3e, 0] => Some("x86_64"),
                [0xb7, 0] => Some("aarch64"),
                [0xf3, 0] => Some("riscv64"),
                _ => None,
            })),
            [b'M', b'Z', ..] => Some(Kind::Windows),
            [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => Some(Kind::Mac),
            _ => None,
        }
    }

    fn system(&self) -> &'static str {
        match self {
            Kind::Elf(_) => "linux",
            Kind::Windows => "windows",
            Kind::Mac => "macos",
        }
    }
}

/// The loader that an ELF program names, if its name lies in the head.
fn loader(head: &[u8]) -> Option<String> {
    let begin = head.windows(4).position(|it| it == b"/lib")?;
    let name = head[begin..].split(|&byte| byte == 0).next()?;
    let name = std::str::from_utf8(name).ok()?;
    name.contains("ld").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(lines: &[&str]) -> LastWords {
        LastWords::new(lines.iter().map(|&line| line.to_owned()), false)
    }

    fn hint(kind: FaultKind, detail: &str, lines: &[&str]) -> String {
        let engine = UciEngine::new("no/such/engine");
        of_fault(&engine, &Fault::new(kind, detail), &words(lines)).unwrap_or_default()
    }

    #[test]
    fn last_words_leave_options_out() {
        let shown = words(&["id name A", "option name B type button", "", "no network"]).shown();
        assert_eq!(shown, "; stdout: no network");
        assert_eq!(words(&["id name A"]).shown(), "");
    }

    #[test]
    fn engines_for_xboard_are_told_by_what_they_say() {
        for line in
            ["Error (unknown command): uci", "feature ping=1 done=1", "Unknown command: uci"]
        {
            for kind in [FaultKind::Hang, FaultKind::Crash] {
                assert!(hint(kind, "", &[line]).contains("xboard"), "{line}");
            }
            for begin in ["", "hello | "] {
                let detail = format!("exit status 1; stderr: {begin}{line}");
                assert!(hint(FaultKind::Crash, &detail, &[]).contains("xboard"), "{line}");
            }
        }
        assert!(!hint(FaultKind::Hang, "", &["the feature of the day"]).contains("xboard"));
    }

    #[test]
    fn programs_for_a_narrower_processor_may_run() {
        assert!(is_run_by("x86", "x86_64") && is_run_by("aarch64", "aarch64"));
        assert!(!is_run_by("x86_64", "aarch64") && !is_run_by("x86_64", "x86"));
    }

    #[test]
    fn silence_is_no_answer() {
        assert!(hint(FaultKind::Hang, "", &[]).contains("flush"));
        let talks = hint(FaultKind::Hang, "", &["info string loading"]);
        assert!(talks.contains("start-timeout") && !talks.contains("flush"), "{talks}");
    }

    #[test]
    fn files_say_why_they_are_not_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let of_bytes = |bytes: &[u8]| {
            let path = folder.path().join("program");
            std::fs::write(&path, bytes).expect("writable");
            of_file(&path)
        };
        assert!(of_bytes(b"#!/bin/sh\r\necho\r\n").is_some_and(|it| it.contains("CR LF")));
        let missing = of_bytes(b"#!/no/such/python -u\n").unwrap_or_default();
        assert!(missing.contains("/no/such/python, which is not there"), "{missing}");
        #[cfg(target_os = "linux")]
        {
            assert_eq!(of_bytes(b"#!/bin/sh\n"), None);
            let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
            elf.resize(18, 0);
            let foreign = if cfg!(target_arch = "aarch64") { 0x3e } else { 0xb7 };
            elf.extend([foreign, 0]);
            assert!(of_bytes(&elf).is_some_and(|it| it.contains("this machine is")));
            assert!(of_bytes(b"").is_some_and(|it| it.contains("empty")));
            assert!(of_bytes(b"import chess\n").is_some_and(|it| it.contains("no interpreter")));
            assert!(of_bytes(b"MZ\x90").is_some_and(|it| it.contains("made for windows")));
            let own = std::env::current_exe().expect("the test");
            assert_eq!(of_file(&own), None);
        }
    }
}
