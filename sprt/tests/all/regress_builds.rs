//! `sprt regress` with builds, benches and folders that are not as they should be.

use std::fs;

use crate::child::{ended, output};
use crate::helpers::{read, sprt};
use crate::regress::Site;

#[test]
fn a_bench_that_is_not_deterministic_decides_nothing() {
    let site = Site::new();
    site.commit(10_000, "first");
    let engine = "#!/bin/sh\necho \"$(date +%s%N) nodes 1000 nps\"\n";
    fs::write(site.repository().join("engine.sh"), engine).expect("writable");
    let (_, stderr) = ended(3, &mut site.regress(""));
    let message = "the bench of worktree is not deterministic: it counted ";
    assert!(stderr.contains(message), "{stderr}");
    let result = site.result();
    assert_eq!(result["decision"], "failed");
    assert!(result["change"].is_null(), "{result}");
    for name in ["result.json", "junit.xml", "summary.md", "page.html"] {
        assert!(read(&site.output(), name).contains(message), "{name}");
    }
    assert!(!site.output().join("nodes").exists());
}

#[test]
fn a_program_that_may_not_be_executed_is_refused() {
    let site = Site::of_a_change();
    let build = "install -m 644 engine.sh {output}";
    let (_, stderr) = ended(3, &mut site.regress_built_by(build, &site.output(), ""));
    assert!(stderr.contains("it may not be executed (chmod +x)"), "{stderr}");
    let builds = fs::read_dir(site.home.path().join("cache/builds")).expect("written");
    assert_eq!(builds.count(), 0);
    site.assert_clean();
}

#[test]
fn cargo_builds_apart_for_other_processors_and_flags() {
    let site = Site::new();
    let source = site.repository().join("src");
    fs::create_dir(&source).expect("writable");
    let manifest = "[package]\nname = \"toad\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    fs::write(site.repository().join("Cargo.toml"), manifest).expect("writable");
    fs::write(site.repository().join(".gitignore"), "Cargo.lock\n").expect("writable");
    let program = "fn main() { println!(\"1000 nodes 1000 nps\") }\n";
    for comment in ["first", "second"] {
        let text = format!("// {comment}\n{program}");
        fs::write(source.join("main.rs"), text).expect("writable");
        site.git("add --all");
        site.git(&format!("commit --quiet --message={comment}"));
    }
    let folders = || {
        let sites = fs::read_dir(site.home.path().join("cache/sites")).expect("written");
        let site = sites.flatten().next().expect("one repository");
        let targets = fs::read_dir(site.path().join("target")).expect("written").flatten();
        targets.filter(|target| target.path().join("release").is_dir()).count()
    };
    // Flags stand for the processor, of which there is only one here.
    for (flags, expected) in [("", 1), ("-C target-cpu=generic", 2), ("", 2)] {
        let mut command = sprt();
        command.env("RUSTFLAGS", flags).current_dir(site.home.path());
        command.arg("regress").arg("--repository").arg(site.repository());
        command.args(["--cache", "cache", "--output", "output", "--speed-benches", "6"]);
        let (_, stdout, stderr) = output(&mut command);
        assert_eq!(site.result()["change"], "non_functional", "{stdout}{stderr}");
        assert_eq!(folders(), expected, "{flags}");
    }
    site.assert_clean();
}

#[test]
fn games_of_other_revisions_are_not_left_beside_new_reports() {
    let site = Site::of_a_change();
    ended(0, &mut site.regress("--elo0 -1500 --elo1 -900"));
    let before = read(&site.output(), "result.json");
    // Of this one no games would be played.
    site.commit(20_000, "third");
    let (_, stderr) = ended(3, &mut site.regress("--elo0 -1500 --elo1 -900"));
    assert!(stderr.contains("nodes holds the games of another test (of other revisions)"));
    // It is not built in vain.
    assert!(!stderr.contains("building"), "{stderr}");
    assert_eq!(read(&site.output(), "result.json"), before);
}

#[test]
fn what_the_budget_left_no_time_for_is_said() {
    let site = Site::of_a_change();
    let build = "sleep 600; touch {output}";
    let regress =
        |options: &str| output(&mut site.regress_built_by(build, &site.output(), options));
    let (status, stdout, stderr) = regress("--budget 1s");
    assert_eq!(status, Some(2), "{stdout}{stderr}");
    let steps = [
        "build of the base",
        "build of the candidate",
        "bench of the base",
        "bench of the candidate",
        "speed or games",
    ];
    let result = site.result();
    assert_eq!(result["not_done"], serde_json::json!(steps));
    let reason = format!("The budget was used up. Not done: {}.", steps.join(", "));
    assert_eq!(result["reason"], reason);
    let (summary, junit) = (read(&site.output(), "summary.md"), read(&site.output(), "junit.xml"));
    let page = read(&site.output(), "page.html");
    for step in steps {
        let capitalized = step[..1].to_uppercase() + &step[1..];
        assert!(stdout.contains(&format!("{capitalized:<11} not done\n")), "{stdout}");
        assert!(summary.contains(&format!("| {step} | not done |")), "{summary}");
        assert!(junit.contains(&format!("<testcase name=\"{step}\"")), "{junit}");
        assert!(page.contains(step), "{page}");
    }
    assert!(page.contains("not done"), "{page}");
    fs::remove_dir_all(site.output()).expect("removable");
    let (status, stdout, stderr) = regress("--history 1 --budget 1s");
    assert_eq!(status, Some(2), "{stdout}{stderr}");
    assert!(stdout.contains("not reached"), "{stdout}");
    assert!(stderr.contains("no time for 1 of 1 revisions"), "{stderr}");
    assert!(read(&site.output(), "history.csv").contains(",unreached,"));
    assert!(read(&site.output(), "history.svg").contains("1 not reached within the budget"));
    site.assert_clean();
}

/// A build depends on the variables that a Makefile reads, and on the compiler that a wrapper starts.
#[test]
fn builds_of_another_environment_are_made_anew() {
    let site = Site::of_a_change();
    let compiler = site.home.path().join("compiler");
    let wrapped = format!("sh '{}'", compiler.display());
    let builds = |version: &str, flags: &str| {
        fs::write(&compiler, format!("echo {version}\n")).expect("writable");
        let mut command = site.regress("--base HEAD~1 --candidate HEAD --elo0 -1500 --elo1 -900");
        let (_, stdout, stderr) = output(command.env("CC", &wrapped).env("EXTRACXXFLAGS", flags));
        let count = |words: &str| stderr.matches(words).count();
        assert_eq!(count("building ") + count(" is built already"), 2, "{stdout}{stderr}");
        count("building ")
    };
    assert_eq!(builds("one", "-O2"), 2);
    assert_eq!(builds("one", "-O2"), 0);
    assert_eq!(builds("two", "-O2"), 2);
    assert_eq!(builds("two", "-O1"), 2);
}

/// A bench is remembered beside the program, and would be believed of another one.
#[test]
fn a_program_that_was_changed_in_the_cache_is_built_anew() {
    let site = Site::of_a_change();
    let options = "--base HEAD~1 --candidate HEAD --elo0 -1500 --elo1 -900";
    ended(0, &mut site.regress(options));
    let before = site.result();
    let builds = fs::read_dir(site.home.path().join("cache/builds")).expect("written").flatten();
    let changed = builds.map(|build| build.path().join("engine")).find(|program| {
        let text = fs::read_to_string(program).expect("a script");
        let is_base = text.contains("10000 nodes");
        if is_base {
            fs::write(program, text.replace("10000 nodes", "55555 nodes")).expect("writable");
        }
        is_base
    });
    let program = changed.expect("the base was built");
    let (_, stderr) = ended(0, &mut site.regress(options));
    let words = "the program of HEAD~1 in the cache is not the one that was built";
    assert!(stderr.contains(words), "{stderr}");
    assert!(stderr.contains("building HEAD~1") && stderr.contains("HEAD is built already"));
    for what in ["bench", "build"] {
        let same = |result: &serde_json::Value| match what {
            "bench" => result["base"]["bench"]["nodes"].clone(),
            _ => result["base"]["build"]["sha256"].clone(),
        };
        assert_eq!(same(&site.result()), same(&before), "{what}");
    }
    assert!(fs::read_to_string(&program).expect("a script").contains("10000 nodes"));
}

/// Output of builds and messages of commits are other people's text, of any length.
#[test]
fn a_flood_of_a_build_is_not_repeated() {
    let site = Site::new();
    site.commit(10_000, "\u{1b}]0;first\u{7}");
    site.commit(20_000, "second");
    let build = "head -c 5000000 /dev/zero | tr '\\0' x; printf '\\n\\033]0;last\\007\\n' >&2; false {output}";
    let mut regress = site.regress_built_by(build, &site.output(), "");
    let (stdout, stderr) = ended(3, regress.env("CLICOLOR_FORCE", "1"));
    let texts = ["result.json", "junit.xml", "summary.md", "page.html"];
    let texts = texts.map(|name| read(&site.output(), name)).into_iter().chain([stdout, stderr]);
    for text in texts {
        assert!(!text.contains(&"x".repeat(1000)), "{} bytes", text.len());
        assert!(!text.contains(['\u{7}']) && !text.contains("\u{1b}]"), "{text:?}");
    }
    assert!(read(&site.output(), "summary.md").contains("0;last"));
}
