//! `sprt regress` on small repositories whose engine is a shell script: it answers `bench` with
//! what the script says and else plays at random.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const BUILD: &str = "install -m 755 engine.sh {output} && touch 'a file of the build'";

/// A repository with its cache and a folder for results.
struct Site {
    home: TempDir,
}

impl Site {
    fn new() -> Site {
        let site = Site { home: tempfile::tempdir().expect("temporary folder") };
        fs::create_dir(site.repository()).expect("writable");
        site.git("init --quiet --initial-branch=main");
        site.git("config user.name Tester");
        site.git("config user.email tester@localhost");
        site
    }

    fn repository(&self) -> PathBuf {
        self.home.path().join("repository")
    }

    fn output(&self) -> PathBuf {
        self.home.path().join("output")
    }

    fn git(&self, arguments: &str) -> String {
        let mut command = Command::new("git");
        command.args(arguments.split(' ')).current_dir(self.repository());
        let (status, stdout, stderr) = output(&mut command);
        assert_eq!(status, Some(0), "git {arguments}: {stderr}");
        stdout.trim().to_owned()
    }

    /// An engine whose bench counts `nodes`; `comment` changes nothing.
    fn write_engine(&self, nodes: u64, comment: &str) {
        let sprt = env!("CARGO_BIN_EXE_sprt");
        let text = format!(
            "#!/bin/sh\n# {comment}\n\
             if [ \"$1\" = bench ]; then echo '{nodes} nodes 1000 nps'; exit; fi\n\
             exec '{sprt}' fake-engine --seed {nodes}\n"
        );
        fs::write(self.repository().join("engine.sh"), text).expect("writable");
    }

    fn commit(&self, nodes: u64, comment: &str) -> String {
        self.write_engine(nodes, comment);
        self.git("add --all");
        self.git(&format!("commit --quiet --message={comment}"));
        self.git("rev-parse HEAD")
    }

    /// `sprt regress` with few, fast games that any result decides.
    fn regress(&self, options: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
        command.current_dir(self.home.path());
        command.arg("regress").arg("--repository").arg(self.repository());
        command.arg("--cache").arg(self.home.path().join("cache"));
        command.args(["--build", BUILD, "--threads", "2"]);
        command.args(["--pairs", "20", "--speed-benches", "12"]);
        command.arg("--output").arg(self.output());
        command.args(options.split_whitespace());
        command
    }

    fn result(&self) -> Value {
        let text = fs::read_to_string(self.output().join("result.json")).expect("written");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Nothing of a run may stay in the user's repository.
    fn assert_clean(&self) {
        assert_eq!(self.git("worktree list --porcelain").matches("worktree ").count(), 1);
        assert!(!self.repository().join(".git/worktrees").exists());
    }
}

fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("written")
}

#[test]
fn a_comment_is_non_functional_and_its_speed_is_the_same() {
    let site = Site::new();
    let base = site.commit(1000, "first");
    site.commit(1000, "second");
    // Programs that take this short differ by nothing but noise, and by much of it.
    let options = "--speed-tolerance 90 --speed-precision 80";
    let (status, stdout, stderr) = output(&mut site.regress(options));
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("Change      non-functional"), "{stdout}");
    assert!(stdout.contains("Verdict     No regression"), "{stdout}");
    let result = site.result();
    assert_eq!(result["schema"], "kamerton-regress/1");
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
    assert!(read(&site.output(), "page.html").contains("<h2>Speed</h2>"));
    site.assert_clean();
}

#[test]
fn games_decide_about_a_functional_change() {
    let site = Site::new();
    site.commit(1000, "first");
    let candidate = site.commit(2000, "second");
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
        // The same again: reported from the journal, without a game.
        let journal = fs::read(site.output().join("nodes/journal")).expect("written");
        let (again, _, stderr) = output(&mut site.regress(&options));
        assert_eq!(again, status, "{stderr}");
        assert!(stderr.contains("HEAD is built already"), "{stderr}");
        assert_eq!(fs::read(site.output().join("nodes/journal")).expect("written"), journal);
        // Other hypotheses need another folder.
        let other = format!("--base HEAD~1 --candidate HEAD {hypotheses} --alpha 0.1");
        let (status, _, stderr) = output(&mut site.regress(&other));
        assert_eq!(status, Some(3), "{stderr}");
        assert!(stderr.contains("nodes holds the games of another test"), "{stderr}");
        fs::remove_dir_all(site.output()).expect("removable");
    }
    let (status, _, _) =
        output(&mut site.regress("--base HEAD~1 --elo0 0 --elo1 1 --undecided-passes"));
    assert_eq!(status, Some(0));
    assert_eq!(site.result()["decision"], "undecided");
    site.assert_clean();
}

#[test]
fn the_working_tree_counts_with_files_not_yet_added() {
    let site = Site::new();
    let head = site.commit(1000, "first");
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
    site.commit(1000, "first");
    fs::write(site.repository().join("engine.sh"), "#!/bin/sh\nexit 5\n").expect("writable");
    let (status, _, stderr) = output(&mut site.regress(""));
    assert_eq!(status, Some(3));
    assert!(stderr.contains("the bench of worktree failed"), "{stderr}");
    fs::remove_file(site.repository().join("engine.sh")).expect("removable");
    let (status, _, stderr) = output(&mut site.regress(""));
    assert_eq!(status, Some(3));
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
        let (status, _, stderr) = output(command);
        assert_eq!(status, Some(64), "{stderr}");
        assert!(stderr.contains(message), "{stderr} does not contain {message}");
        assert!(!site.output().exists());
    };
    check(&mut site.regress(""), "has no commits yet");
    site.commit(1000, "first");
    check(&mut site.regress("--base nonsense"), "has no revision \"nonsense\"");
    check(&mut site.regress("--candidate nonsense"), "has no revision \"nonsense\"");
    check(&mut site.regress("--candidate HEAD"), "HEAD has no commit before it");
    check(&mut site.regress("--elo0 5 --elo1 5"), "elo0 must be below elo1");
    check(&mut site.regress("--companion ../secret"), "a path within the checkout");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
    command.args(["regress", "--repository"]).arg(site.home.path());
    check(&mut command, "is in no git repository");
    command = Command::new(env!("CARGO_BIN_EXE_sprt"));
    command.args(["regress", "--build", "make", "--repository"]).arg(site.repository());
    check(&mut command, "--build: where is the program then?");
}
