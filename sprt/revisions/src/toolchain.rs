//! Tools that builds depend on beside the revision: compilers, environment, processor; and cargo.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use foreign::last_lines;
use serde::Deserialize;

use super::process::{self, Control, ProcessError};
use super::recipe::Method;

/// The package of a workspace with several programs that is taken to be the engine.
const ENGINE_PACKAGE: &str = "engine";

/// Variables of the environment that change what compilers make, or that engines' Makefiles read.
const VARIABLES: [&str; 17] = [
    "CC",
    "CXX",
    "CPPFLAGS",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "LDLIBS",
    MAKE_FLAGS,
    "ARCH",
    "COMP",
    "EVALFILE",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
];

/// Beginnings of further such variables.
const VARIABLE_FAMILIES: [&str; 3] = ["CARGO_PROFILE_", "CARGO_TARGET_", "EXTRA"];

/// The variable by which make hands its options to what it starts.
const MAKE_FLAGS: &str = "MAKEFLAGS";

/// A cargo command at the top of a checkout.
pub fn cargo(checkout: &Path) -> Command {
    let mut command = Command::new("cargo");
    clean(&mut command).current_dir(checkout);
    command
}

/// A command that the shell runs.
pub fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    clean(command.arg("-c").arg(line));
    command
}

/// Takes away what would make a build depend on who started it: what cargo told this program, and
/// the files that this engine's build script would embed instead of the revision's own.
fn clean(command: &mut Command) -> &mut Command {
    let under_cargo = std::env::var_os("CARGO_MANIFEST_DIR").is_some();
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_of_cargo_run = text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
            // Else the checkout's own choice of a toolchain would be overruled.
            || (under_cargo && text == "RUSTUP_TOOLCHAIN");
        if is_of_cargo_run || text == "CARGO_TARGET_DIR" || text.starts_with("KAMERTON_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Everything outside the revision that a build depends on, as text: versions of the compilers, the
/// environment, the processor (for `-march=native`).
///
/// # Errors
/// Cargo is wanted and there is no Rust compiler, or the user ends it.
pub fn describe(folder: &Path, method: &Method, control: &Control) -> Result<String, ProcessError> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let mut text = String::new();
    let mut ask = |program: &str, arguments: &[&str]| -> Result<(), ProcessError> {
        let mut command = Command::new(program);
        clean(&mut command).args(arguments).current_dir(folder);
        text += &process::run(&mut command, None, control)?.output;
        Ok(())
    };
    match method {
        Method::Cargo { .. } => {
            ask(&rustc, &["-vV"])?;
            // Known also where the system does not describe its processor.
            ask(&rustc, &["--print", "cfg", "-C", "target-cpu=native"])?;
        }
        Method::Shell { .. } => {
            let variable = |name, usual: &str| std::env::var(name).unwrap_or(usual.to_owned());
            let compilers =
                [variable("CC", "cc"), variable("CXX", "c++"), "clang".to_owned(), rustc];
            for compiler in compilers {
                let words = words(&compiler);
                let Some((program, arguments)) = words.split_first() else { continue };
                let arguments: Vec<&str> =
                    arguments.iter().map(String::as_str).chain(["--version"]).collect();
                match ask(program, &arguments) {
                    // Nobody has them all.
                    Ok(()) | Err(ProcessError::Start { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
    let lossy = |text: OsString| text.to_string_lossy().into_owned();
    let environment = std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value)));
    Ok(format!("{text}{}\n{}", telling_variables(environment).join("\n"), processor()))
}

/// The variables of an environment that a build may depend on, with their values.
fn telling_variables(environment: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut variables: Vec<String> = environment
        .filter(|(name, _)| {
            let is_of_family = VARIABLE_FAMILIES.iter().any(|family| name.starts_with(family));
            VARIABLES.contains(&name.as_str()) || (is_of_family && name != "CARGO_TARGET_DIR")
        })
        .map(|(name, value)| match name == MAKE_FLAGS {
            true => format!("{name}={}", lasting_flags(&value)),
            false => format!("{name}={value}"),
        })
        .collect();
    variables.sort();
    variables
}

/// Flags of make without how many jobs there are and how they are counted, which is another way from
/// call to call and changes no program.
fn lasting_flags(flags: &str) -> String {
    let is_of_jobs = |word: &&str| word.starts_with("-j") || word.starts_with("--jobserver");
    let words: Vec<&str> = flags.split_whitespace().filter(|word| !is_of_jobs(word)).collect();
    words.join(" ")
}

/// The words of a command as a variable has it, as `ccache gcc`.
fn words(command: &str) -> Vec<String> {
    shlex::split(command).unwrap_or_else(|| command.split_whitespace().map(str::to_owned).collect())
}

/// Model and abilities of the processor, as far as the system tells.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let first = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let lines = [std::env::consts::ARCH, first("model name"), first("flags"), first("Features")];
    lines.join("\n")
}

/// A program of a cargo workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Package of the workspace that builds it.
    pub package: String,
    /// Name of the program within the package.
    pub binary: String,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    default_run: Option<String>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Target {
    fn is_program(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bin")
    }
}

/// The program of a checkout to build, given what the user said of package and binary. The inner
/// error is a sentence with what there is to choose from.
///
/// # Errors
/// Cargo cannot be run.
pub fn choose(
    checkout: &Path,
    wanted: (Option<&str>, Option<&str>),
    control: &Control,
) -> Result<Result<Choice, String>, ProcessError> {
    let mut command = cargo(checkout);
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    let finished = process::run(&mut command, None, control)?;
    if !finished.status.success() {
        return Ok(Err(format!(
            "{}; for an engine that cargo does not build, name a --build command",
            last_lines(&finished.errors, 10).join("\n")
        )));
    }
    Ok(match serde_json::from_str::<Metadata>(&finished.output) {
        Ok(metadata) => choose_from(&metadata, wanted),
        Err(error) => Err(format!("cargo's metadata is not understood: {error}")),
    })
}

fn choose_from(
    metadata: &Metadata,
    (package, binary): (Option<&str>, Option<&str>),
) -> Result<Choice, String> {
    let choice = |package: &str, binary: &str| Choice {
        package: package.to_owned(),
        binary: binary.to_owned(),
    };
    let mut choices = Vec::new();
    for member in &metadata.packages {
        for target in member.targets.iter().filter(|target| target.is_program()) {
            if package.is_none_or(|name| name == member.name)
                && binary.is_none_or(|name| name == target.name)
            {
                choices.push(choice(&member.name, &target.name));
            }
        }
    }
    let mut likely: Vec<&Choice> =
        choices.iter().filter(|choice| choice.package == ENGINE_PACKAGE).collect();
    if likely.len() != 1 {
        let is_default = |choice: &&Choice| {
            metadata.packages.iter().any(|member| {
                member.name == choice.package && member.default_run.as_ref() == Some(&choice.binary)
            })
        };
        likely = choices.iter().filter(is_default).collect();
    }
    match (choices.as_slice(), likely.as_slice()) {
        ([only], _) => Ok(only.clone()),
        ([], _) => Err("it has no such program: name a --package and a --binary, or a --build \
                        command"
            .to_owned()),
        (_, [only]) => Ok((*only).clone()),
        (several, _) => {
            let names: Vec<String> = several
                .iter()
                .map(|choice| format!("--package {} --binary {}", choice.package, choice.binary))
                .collect();
            Err(format!("it has several programs: choose with {}", names.join(" or ")))
        }
    }
}

/// Where cargo's messages say that the program is.
pub fn program_built(messages: &str, binary: &str) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        target: Target,
        executable: PathBuf,
    }
    // Most messages are about something else and have other fields.
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Message>(line).ok())
        .find(|message| message.target.is_program() && message.target.name == binary)
        .map(|message| message.executable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(packages: &[(&str, &[&str])]) -> Metadata {
        let program =
            |name: &&str| Target { name: (*name).to_owned(), kind: vec!["bin".to_owned()] };
        let packages = packages.iter().map(|(name, programs)| Package {
            name: (*name).to_owned(),
            default_run: None,
            targets: programs.iter().map(program).collect(),
        });
        Metadata { packages: packages.collect() }
    }

    #[test]
    fn builds_depend_on_compiler_and_processor() {
        let budget = system::budget::Budget::starting_now(None);
        let control = Control { budget, is_interrupted: &|| false };
        let method = Method::Cargo { package: None, binary: None, flags: Vec::new() };
        let text = describe(Path::new("."), &method, &control).expect("rustc is installed");
        for words in ["release: ", "target_feature=", std::env::consts::ARCH] {
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn builds_depend_on_what_makefiles_read() {
        let told = [
            ("EXTRACXXFLAGS", "-O1"),
            ("EXTRA_FLAGS", "-g"),
            ("ARCH", "x86-64-avx2"),
            ("COMP", "clang"),
            ("EVALFILE", "a.nnue"),
            ("LDLIBS", "-lm"),
            ("MAKEFLAGS", " -j8 --jobserver-auth=fifo:/tmp/x -- optimize=no"),
            ("HOME", "/home"),
            ("CARGO_TARGET_DIR", "target"),
        ];
        let told = told.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let expected = [
            "ARCH=x86-64-avx2",
            "COMP=clang",
            "EVALFILE=a.nnue",
            "EXTRACXXFLAGS=-O1",
            "EXTRA_FLAGS=-g",
            "LDLIBS=-lm",
            "MAKEFLAGS=-- optimize=no",
        ];
        assert_eq!(telling_variables(told.into_iter()), expected);
        assert_eq!(words("ccache 'my gcc'"), ["ccache", "my gcc"]);
        assert_eq!(words("it's gcc"), ["it's", "gcc"]);
    }

    #[test]
    fn the_engine_of_a_workspace_is_found() {
        let ours = metadata(&[("engine", &["kamerton"]), ("sprt", &["sprt"])]);
        let found = |metadata: &Metadata, wanted| {
            choose_from(metadata, wanted).map(|choice| (choice.package, choice.binary))
        };
        let pair = |a: &str, b: &str| Ok((a.to_owned(), b.to_owned()));
        assert_eq!(found(&ours, (None, None)), pair("engine", "kamerton"));
        assert_eq!(found(&ours, (None, Some("sprt"))), pair("sprt", "sprt"));
        assert!(found(&ours, (Some("sprt"), Some("kamerton"))).is_err());
        let mut theirs = metadata(&[("toad", &["toad", "tool"])]);
        let message = found(&theirs, (None, None)).expect_err("two programs");
        assert!(message.contains("--package toad --binary tool"), "{message}");
        theirs.packages[0].default_run = Some("toad".to_owned());
        assert_eq!(found(&theirs, (None, None)), pair("toad", "toad"));
        assert!(found(&metadata(&[("library", &[])]), (None, None)).is_err());
    }

    #[test]
    fn the_program_is_read_from_cargos_messages() {
        let artifact = |name: &str, kind: &str, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"name":"{name}","kind":["{kind}"]}},"#
            ) + &format!(r#""executable":{executable}}}"#)
        };
        let messages = [
            artifact("engine", "lib", "null"),
            r#"{"reason":"build-script-executed","package_id":"x"}"#.to_owned(),
            artifact("kamerton", "bin", r#""/t/kamerton""#),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let messages = &messages.join("\n");
        assert_eq!(program_built(messages, "kamerton"), Some(PathBuf::from("/t/kamerton")));
        assert_eq!(program_built(messages, "sprt"), None);
    }
}
