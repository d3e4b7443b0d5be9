//! `sprt regress` on small repositories whose engine is a shell script: it answers `bench` with
//! what the script says and else plays at random.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::child::{Guarded, ended, output};
use crate::helpers::{SPRT, read, sprt, sprt_line};
use crate::json_schema::check_schema;
use crate::report::check_page;

const BUILD: &str = "install -m 755 engine.sh {output} && touch 'a file of the build'";

/// A repository with its cache and a folder for results.
pub struct Site {
    pub home: TempDir,
}

impl Site {
    pub fn new() -> Site {
        let site = Site::with_repository("init --quiet --initial-branch=main");
        site.git("config user.name Tester");
        site.git("config user.email tester@localhost");
        site
    }

    /// A site with a commit and one that changes the play.
    pub fn of_a_change() -> Site {
        let site = Site::new();
        site.commit(10_000, "first");
        site.commit(20_000, "second");
        site
    }

    /// A site whose repository a git command makes in an empty folder.
    pub fn with_repository(command: &str) -> Site {
        let site = Site { home: tempfile::tempdir().expect("temporary folder") };
        fs::create_dir(site.repository()).expect("writable");
        site.git(command);
        site
    }

    pub fn repository(&self) -> PathBuf {
        self.home.path().join("repository")
    }

    pub fn output(&self) -> PathBuf {
        self.home.path().join("output")
    }

    pub fn git(&self, arguments: &str) -> String {
        let mut command = Command::new("git");
        command.args(arguments.split(' ')).current_dir(self.repository());
        let (status, stdout, stderr) = output(&mut command);
        assert_eq!(status, Some(0), "git {arguments}: {stderr}");
        stdout.trim().to_owned()
    }

    /// An engine whose bench counts `nodes`; `comment` changes nothing.
    pub fn write_engine(&self, nodes: u64, comment: &str) {
        let text = format!(
            "#!/bin/sh\n# {comment}\n\
             if [ \"$1\" = bench ]; then echo '{nodes} nodes 1000 nps'; exit; fi\n\
             exec '{SPRT}' fake-engine --seed {nodes}\n"
        );
        fs::write(self.repository().join("engine.sh"), text).expect("writable");
    }

    pub fn commit(&self, nodes: u64, comment: &str) -> String {
        self.write_engine(nodes, comment);
        self.git("add --all");
        self.git(&format!("commit --quiet --message={comment}"));
        self.git("rev-parse HEAD")
    }

    /// `sprt regress` with few, fast games that any result decides.
    pub fn regress(&self, options: &str) -> Command {
        let mut command = self.regress_into(&self.output(), options);
        if !options.contains("--history") {
            command.args(["--pairs", "20"]);
        }
        command
    }

    pub fn regress_into(&self, folder: &Path, options: &str) -> Command {
        self.regress_built_by(BUILD, folder, options)
    }

    pub fn regress_built_by(&self, build: &str, folder: &Path, options: &str) -> Command {
        let mut command = sprt();
        command.current_dir(self.home.path());
        command.arg("regress").arg("--repository").arg(self.repository());
        command.arg("--cache").arg(self.home.path().join("cache"));
        command.args(["--build", build, "--threads", "2"]);
        if !options.contains("--no-bench") {
            command.args(["--speed-benches", "12"]);
        }
        command.arg("--output").arg(folder);
        command.args(options.split_whitespace());
        command
    }

    pub fn result(&self) -> Value {
        let text = read(&self.output(), "result.json");
        check_schema("regress", &text);
        serde_json::from_str(&text).expect("JSON")
    }

    /// Nothing of a run may stay in the user's repository.
    pub fn assert_clean(&self) {
        assert_eq!(self.git("worktree list --porcelain").matches("worktree ").count(), 1);
        assert!(!self.repository().join(".git/worktrees").exists());
    }
}

#[test]
fn a_comment_is_non_functional_and_its_speed_is_the_same() {
    let site = Site::new();
    let base = site.commit(10_000, "first");
    site.commit(10_000, "second");
    // Programs that take this short differ by nothing but noise, and by much of it.
    let options = "--speed-tolerance 90 --speed-precision 80";
    let (stdout, _) = ended(0, &mut site.regress(options));
    assert!(stdout.contains("Change      non-functional"), "{stdout}");
    assert!(stdout.contains("Verdict     No regression"), "{stdout}");
    let result = site.result();
    assert_eq!(result["schema"], "kamerton-regress/2");
    assert_eq!(result["decision"], "accepted");
    assert_eq!(result["change"], "non_functional");
    // The tree is clean and on the main branch: its parent is the base.
    assert_eq!(result["base"]["revision"]["commit"], base.as_str());
    let ratio = |end: &str| result["speed"]["ratio"][end].as_f64().expect("a number");
    // Whether it holds 1 is chance, one time in twenty not; the units test how often.
    assert!(0.0 < ratio("lower") && ratio("lower") <= ratio("upper"), "{result}");
    assert_eq!(result["games"].as_array().map(Vec::len), Some(0));
    assert!(read(&site.output(), "junit.xml").contains("<testsuite name=\"sprt regress\""));
    assert!(read(&site.output(), "summary.md").starts_with("## No regression: "));
    check_page(&read(&site.output(), "page.html"), &["revisions", "tests", "speed", "run"]);
    site.assert_clean();
}

#[test]
fn games_decide_about_a_functional_change() {
    let site = Site::new();
    site.commit(10_000, "first");
    let candidate = site.commit(20_000, "second");
    for (hypotheses, expected, decision) in [
        ("--elo0 -1500 --elo1 -900", 0, "accepted"),
        ("--elo0 900 --elo1 1500", 1, "rejected"),
        ("--elo0 0 --elo1 1", 2, "undecided"),
    ] {
        let options = format!("--base HEAD~1 --candidate HEAD {hypotheses}");
        let (status, stdout, stderr) = output(&mut site.regress(&options));
        assert_eq!(status, Some(expected), "{stdout}{stderr}");
        let result = site.result();
        assert_eq!(result["decision"], decision);
        assert_eq!(result["candidate"]["revision"]["commit"], candidate.as_str());
        assert_eq!(result["games"][0]["name"], "nodes");
        assert!(stdout.contains(&format!("--candidate {candidate}")), "{stdout}");
        let page = read(&site.output(), "page.html");
        check_page(&page, &["revisions", "tests", "games-by-nodes", "run"]);
        assert!(page.contains("href=\"nodes/page.html\""));
        // One sentence says what the games have shown, wherever that is told.
        let summary = read(&site.output(), "summary.md");
        let mut lines = stdout.lines().skip_while(|line| !line.starts_with("Verdict")).skip(2);
        let sentence = lines.next().expect("a sentence").trim();
        assert!(sentence.ends_with('.') && sentence.len() > 20, "{stdout}");
        assert!(page.contains(&sentence.replace('-', "−")), "{sentence}: {page}");
        assert!(summary.contains(sentence), "{sentence}: {summary}");
        // The same again: reported from the journal, without a game.
        let journal = fs::read(site.output().join("nodes/journal")).expect("written");
        let (again, _, stderr) = output(&mut site.regress(&options));
        assert_eq!(again, status, "{stderr}");
        assert!(stderr.contains("HEAD is built already"), "{stderr}");
        assert_eq!(fs::read(site.output().join("nodes/journal")).expect("written"), journal);
        // Other hypotheses need another folder.
        let other = format!("--base HEAD~1 --candidate HEAD {hypotheses} --alpha 0.1");
        let (_, stderr) = ended(3, &mut site.regress(&other));
        assert!(stderr.contains("nodes holds the games of another test"), "{stderr}");
        fs::remove_dir_all(site.output()).expect("removable");
    }
    ended(0, &mut site.regress("--base HEAD~1 --elo0 0 --elo1 1 --undecided-passes"));
    assert_eq!(site.result()["decision"], "undecided");
    site.assert_clean();
}

#[test]
fn the_working_tree_counts_with_files_not_yet_added() {
    let site = Site::new();
    let head = site.commit(10_000, "first");
    site.write_engine(3000, "changed");
    fs::write(site.repository().join("new file"), "new").expect("writable");
    let before = site.git("status --porcelain");
    let options = "--elo0 -1500 --elo1 -900 --companion engine.sh";
    let (status, stdout, stderr) = output(&mut site.regress(options));
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    let result = site.result();
    assert_eq!(result["base"]["revision"]["commit"], head.as_str());
    assert_eq!(result["candidate"]["revision"]["name"], "worktree");
    assert_eq!(result["candidate"]["bench"]["nodes"], 3000);
    assert_eq!(site.git("status --porcelain"), before);
    site.assert_clean();
}

#[test]
fn what_does_not_build_or_bench_is_a_failure_with_reports() {
    let site = Site::new();
    site.commit(10_000, "first");
    fs::write(site.repository().join("engine.sh"), "#!/bin/sh\nexit 5\n").expect("writable");
    let (_, stderr) = ended(3, &mut site.regress(""));
    assert!(stderr.contains("the bench of worktree failed"), "{stderr}");
    fs::remove_file(site.repository().join("engine.sh")).expect("removable");
    let (_, stderr) = ended(3, &mut site.regress(""));
    assert!(stderr.contains("worktree does not build"), "{stderr}");
    assert!(stderr.contains("engine.sh"), "{stderr}");
    assert_eq!(site.result()["decision"], "failed");
    assert!(read(&site.output(), "junit.xml").contains("<error message=\"worktree does not build"));
    site.assert_clean();
}

#[test]
fn wrong_repositories_and_revisions_are_named() {
    let site = Site::new();
    let check = |command: &mut Command, message: &str| {
        let (_, stderr) = ended(64, command);
        assert!(stderr.contains(message), "{stderr} does not contain {message}");
        assert!(!site.output().exists());
    };
    check(&mut site.regress(""), "has no commits yet");
    site.commit(10_000, "first");
    check(&mut site.regress("--base nonsense"), "has no revision \"nonsense\"");
    check(&mut site.regress("--candidate nonsense"), "has no revision \"nonsense\"");
    check(&mut site.regress("--candidate HEAD"), "HEAD has no commit before it");
    check(&mut site.regress("--elo0 5 --elo1 5"), "elo0 must be below elo1");
    check(&mut site.regress("--companion ../secret"), "a path within the checkout");
    let mut command = sprt();
    command.args(["regress", "--repository"]).arg(site.home.path());
    check(&mut command, "is in no git repository");
    command = sprt();
    command.args(["regress", "--build", "make", "--repository"]).arg(site.repository());
    check(&mut command, "--build: where is the program then?");
}

#[test]
fn a_budget_that_ends_is_no_verdict() {
    let site = Site::of_a_change();
    ended(2, &mut site.regress_into(&site.output(), "--budget 2s --elo0 0 --elo1 0.01"));
    let result = site.result();
    assert_eq!(result["decision"], "undecided");
    assert_eq!(result["budget_seconds"], 2.0);
    assert!(result["reason"].as_str().is_some_and(|it| it.contains("budget")), "{result}");
    assert!(read(&site.output(), "junit.xml").contains("<skipped"));
    site.assert_clean();
}

#[test]
fn a_build_that_is_interrupted_or_killed_leaves_the_repository_clean() {
    let site = Site::new();
    site.commit(10_000, "first");
    site.commit(10_000, "comment");
    // Reports that could be taken for those of the run that will be interrupted.
    let (status, _, stderr) = output(&mut site.regress("--no-bench"));
    assert_eq!(status, Some(2), "{stderr}");
    fs::remove_dir_all(site.output().join("nodes")).expect("removable");
    site.commit(20_000, "second");
    // Started, and in the midst of a build.
    let start = || {
        let mut command = sprt();
        command.arg("regress").arg("--repository").arg(site.repository());
        command.arg("--cache").arg(site.home.path().join("cache"));
        command.arg("--output").arg(site.output()).args(["--build", "sleep 600; touch {output}"]);
        let child = Guarded::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
        let source = site.home.path().join("cache/sites");
        child.until("it builds", || {
            let sites = fs::read_dir(&source).into_iter().flatten().flatten();
            sites.into_iter().any(|entry| entry.path().join("source/engine.sh").exists())
        });
        child
    };
    let child = start();
    let signaled = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(signaled.expect("kill is installed").success());
    assert_eq!(child.wait().code(), Some(130));
    site.assert_clean();
    assert!(!site.output().join("result.json").exists());

    start().kill();
    // The next run clears away the leftovers of a killed one.
    ended(0, &mut site.regress("--elo0 -1500 --elo1 -900"));
    site.assert_clean();
}

#[test]
fn two_runs_at_once_do_not_disturb_each_other() {
    let site = Site::of_a_change();
    let children: Vec<_> = ["one", "two"]
        .into_iter()
        .map(|name| {
            let folder = site.home.path().join(name);
            let mut command = site.regress_into(&folder, "--elo0 -1500 --elo1 -900");
            Guarded::spawn(command.stdout(Stdio::null()).stderr(Stdio::piped()))
        })
        .collect();
    for child in children {
        let (status, _, stderr) = child.finish();
        assert_eq!(status, Some(0), "{stderr}");
    }
    site.assert_clean();
}

#[test]
fn a_history_measures_what_plays_differently() {
    let site = Site::new();
    site.commit(10_000, "first");
    site.commit(10_000, "comment");
    site.commit(20_000, "change");
    fs::write(site.repository().join("engine.sh"), "exit 1\n").expect("writable");
    site.git("commit --quiet --all --message=broken");
    site.commit(20_000, "mended");
    for against in ["base", "previous"] {
        let options = format!("--history 5 --history-pairs 3 --against {against}");
        let (status, stdout, stderr) = output(&mut site.regress(&options));
        assert_eq!(status, Some(0), "{stdout}{stderr}");
        let csv = read(&site.output(), "history.csv");
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let rows: Vec<csv::StringRecord> =
            reader.records().map(|row| row.expect("well-formed")).collect();
        let column = |row: usize, name: &str| {
            let header = csv.lines().next().expect("a header");
            let index = header.split(',').position(|it| it == name).expect("a column");
            rows[row].get(index).expect("a cell").to_owned()
        };
        let statuses: Vec<String> = (0..rows.len()).map(|row| column(row, "status")).collect();
        assert_eq!(statuses, ["equal", "played", "failed", "equal"], "{csv}");
        assert_eq!(column(0, "total_elo"), "0.0");
        assert_eq!(["elo_error", "total_error"].map(|name| column(0, name)), ["0.0", "0.0"]);
        assert!(csv.split([',', '\n']).all(|cell| cell != "-0.0"), "{csv}");
        assert!(!stdout.contains("± -"), "{stdout}");
        assert_eq!(column(1, "games"), "6");
        assert_eq!(column(3, "total_elo"), column(1, "total_elo"));
        let picture = read(&site.output(), "history.svg");
        assert!(roxmltree::Document::parse(&picture).is_ok() && !picture.contains("var("));
        // The base, and all that could be measured.
        assert_eq!(picture.matches("<circle").count(), 4);
        // Again: everything is known.
        let (_, again, stderr) = output(&mut site.regress(&options));
        assert_eq!((again, csv), (stdout, read(&site.output(), "history.csv")), "{stderr}");
    }
    site.assert_clean();
}

#[test]
fn the_documents_say_what_is_so() {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let (_, help, _) = output(&mut sprt_line("regress --help"));
    for name in ["github-actions.yml", "gitlab-ci.yml"] {
        let text = read(&documents.join("ci"), name);
        let (_, call) = text.split_once("release/sprt regress ").expect("it is called");
        // The command goes on as long as lines end in a backslash.
        let call: String = call
            .split_inclusive('\n')
            .scan(true, |goes_on, line| {
                let is_part = *goes_on;
                *goes_on = line.trim_end().ends_with('\\');
                is_part.then_some(line)
            })
            .collect();
        assert!(call.contains("--budget"), "{name}");
        for word in call.split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(help.contains(&format!(" {word}")), "{name}: {word}");
        }
    }
    let site = Site::of_a_change();
    ended(0, &mut site.regress("--elo0 -1500 --elo1 -900"));
    // It is checked against its schema.
    site.result();
}

/// Equal benches of a few nodes show nothing, whatever changed.
#[test]
fn a_short_bench_does_not_spare_the_games() {
    let site = Site::new();
    site.commit(20, "first");
    site.commit(20, "second");
    let games = "--nodes 1 --pairs 2 --elo0 -10 --elo1 0";
    let (_, stderr) = ended(2, &mut site.regress_into(&site.output(), games));
    assert!(stderr.contains("must search 10,000 nodes or more"), "{stderr}");
    let result = site.result();
    assert_eq!(result["change"], "functional");
    assert_eq!(result["games"][0]["name"], "nodes");
    let summary = read(&site.output(), "summary.md");
    assert!(summary.contains("taken as functional") && summary.contains("10,000 nodes"));

    // A bench of nothing is none.
    site.commit(0, "third");
    let folder = site.home.path().join("nothing");
    ended(3, &mut site.regress_into(&folder, "--base HEAD --candidate HEAD"));
    let result: Value = serde_json::from_str(&read(&folder, "result.json")).expect("JSON");
    let reason = result["reason"].as_str().expect("a reason");
    assert!(reason.contains("0 nodes, which is no bench"), "{reason}");
    assert!(reason.contains("10000 nodes or more"), "{reason}");
}
