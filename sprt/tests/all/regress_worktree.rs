//! The working tree as `sprt regress` takes it, and the parts of a repository that it leaves alone.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::child::{ended, output};
use crate::helpers::read;
use crate::regress::Site;

/// Hypotheses that twenty pairs accept, whatever they show.
const ACCEPTED: &str = "--elo0 -1500 --elo1 -900";

/// A worktree of the user whose folder is away for now, as on a drive, is still known afterwards.
#[test]
fn worktrees_of_the_user_stay_known() {
    let site = Site::of_a_change();
    let (drive, away) = (site.home.path().join("drive"), site.home.path().join("away"));
    site.git(&format!("worktree add --quiet --detach {} HEAD", drive.display()));
    fs::rename(&drive, &away).expect("movable");
    let (status, stdout, stderr) =
        output(&mut site.regress(&format!("--base HEAD~1 --candidate HEAD {ACCEPTED}")));
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    let known = fs::read_dir(site.repository().join(".git/worktrees")).expect("one is left");
    assert_eq!(known.count(), 1);
    fs::rename(&away, &drive).expect("movable");
    assert!(site.git("worktree list --porcelain").contains("drive"));
    site.git(&format!("-C {} status", drive.display()));
}

/// The rest of a checkout after a kill may lack the file by which git knows it.
#[test]
fn a_damaged_checkout_is_cleared_away() {
    let site = Site::of_a_change();
    let command = format!("--base HEAD~1 --candidate HEAD {ACCEPTED}");
    ended(0, &mut site.regress(&command));
    let sites = fs::read_dir(site.home.path().join("cache/sites")).expect("written");
    let source = sites.flatten().next().expect("one repository").path().join("source");
    site.git(&format!("worktree add --quiet --detach {} HEAD", source.display()));
    fs::remove_file(source.join(".git")).expect("removable");
    fs::remove_dir_all(site.output()).expect("removable");
    site.commit(30_000, "third");
    ended(0, &mut site.regress(&command));
    site.assert_clean();
}

/// Git passes over files that are marked so, but they are built.
#[test]
fn changes_of_marked_files_are_seen() {
    for mark in ["--assume-unchanged", "--skip-worktree"] {
        let site = Site::new();
        site.commit(10_000, "first");
        site.git(&format!("update-index {mark} engine.sh"));
        let before = site.git("ls-files -v");
        site.write_engine(20_000, "changed");
        let (status, stdout, stderr) = output(&mut site.regress(ACCEPTED));
        assert_eq!(status, Some(0), "{mark}: {stdout}{stderr}");
        let result = site.result();
        assert_eq!(result["candidate"]["bench"]["nodes"], 20_000, "{mark}: {result}");
        assert_eq!(site.git("ls-files -v"), before);
    }
}

/// Files beyond the part that is checked out are no files that were removed.
#[test]
fn a_sparse_checkout_keeps_what_is_not_there() {
    let site = Site::new();
    for folder in ["part", "rest"] {
        fs::create_dir(site.repository().join(folder)).expect("writable");
        fs::write(site.repository().join(folder).join("file"), folder).expect("writable");
    }
    site.commit(10_000, "first");
    site.git("sparse-checkout set part");
    assert!(!site.repository().join("rest").exists());
    // A new file lies there in spite of it.
    fs::create_dir(site.repository().join("rest")).expect("writable");
    fs::write(site.repository().join("rest/new"), "new").expect("writable");
    site.write_engine(20_000, "changed");
    // All are there where it is built.
    let options = format!("{ACCEPTED} --companion rest/file --companion rest/new --base HEAD");
    let (_, stderr) = ended(3, &mut site.regress(&options));
    assert!(stderr.contains("HEAD has no rest/new"), "{stderr}");
    let options = format!("{ACCEPTED} --companion rest/file");
    ended(0, &mut site.regress(&options));
    let result = site.result();
    let tree = result["candidate"]["revision"]["tree"].as_str().expect("a hash");
    let files = site.git(&format!("ls-tree -r --name-only {tree}"));
    let files: Vec<&str> = files.lines().collect();
    assert_eq!(files, ["engine.sh", "part/file", "rest/file", "rest/new"]);
}

/// The one around it keeps no more than the number of a commit, by which nobody finds the files.
#[test]
fn a_nested_repository_is_refused_unless_it_is_ignored() {
    let site = Site::new();
    site.commit(10_000, "first");
    site.write_engine(20_000, "changed");
    site.git("init --quiet library");
    fs::write(site.repository().join("library/file"), "text").expect("writable");
    site.git("-C library add --all");
    let commit = "-c user.name=x -c user.email=x@localhost commit --quiet --message=theirs";
    site.git(&format!("-C library {commit}"));
    let (_, stderr) = ended(64, &mut site.regress(ACCEPTED));
    for words in ["library is a git repository of its own", "git submodule add", ".gitignore"] {
        assert!(stderr.contains(words), "{stderr}");
    }
    assert!(!site.output().exists());
    fs::write(site.repository().join(".gitignore"), "library\n").expect("writable");
    ended(0, &mut site.regress(ACCEPTED));
    fs::remove_file(site.repository().join(".gitignore")).expect("removable");
    // A submodule without changes is part of the commit.
    let other = Site::new();
    other.commit(10_000, "theirs");
    fs::remove_dir_all(site.repository().join("library")).expect("removable");
    let address = other.repository();
    site.git(&format!(
        "-c protocol.file.allow=always submodule --quiet add {} library",
        address.display()
    ));
    fs::remove_dir_all(site.output()).expect("removable");
    let mut command = site.regress(ACCEPTED);
    command.env("GIT_CONFIG_COUNT", "1");
    command.env("GIT_CONFIG_KEY_0", "protocol.file.allow").env("GIT_CONFIG_VALUE_0", "always");
    ended(0, &mut command);
}

/// Of a branch and a tag of one name git takes the tag, and warns where nobody looks.
#[test]
fn an_ambiguous_name_is_refused() {
    let site = Site::new();
    site.commit(10_000, "first");
    site.commit(15_000, "second");
    site.git("tag topic");
    site.git("switch --quiet --create topic");
    let candidate = site.commit(20_000, "third");
    for options in ["--candidate topic", "--base topic~1", "--history topic..HEAD"] {
        let (status, _, stderr) = output(&mut site.regress(options));
        assert_eq!(status, Some(64), "{options}: {stderr}");
        for words in ["is ambiguous", "refs/heads/topic", "refs/tags/topic"] {
            assert!(stderr.contains(words), "{options}: {stderr}");
        }
        assert!(!site.output().exists());
    }
    // A tag of the main branch's name does not disturb the search for a base.
    site.git("tag main");
    let options = format!("--candidate refs/heads/topic {ACCEPTED}");
    ended(0, &mut site.regress(&options));
    assert_eq!(site.result()["candidate"]["revision"]["commit"], candidate.as_str());
}

/// Checkouts are ours, and the user's hooks have nothing to do there.
#[test]
fn hooks_of_the_user_do_not_run() {
    let site = Site::of_a_change();
    let (hooks, witness) = (site.repository().join(".git/hooks"), site.home.path().join("ran"));
    fs::create_dir_all(&hooks).expect("writable");
    for name in ["post-checkout", "post-index-change", "reference-transaction"] {
        let text = format!("#!/bin/sh\necho {name} >> '{}'\nexit 1\n", witness.display());
        fs::write(hooks.join(name), text).expect("writable");
        fs::set_permissions(hooks.join(name), Permissions::from_mode(0o755)).expect("writable");
    }
    ended(0, &mut site.regress(ACCEPTED));
    assert!(!witness.exists(), "{}", fs::read_to_string(&witness).unwrap_or_default());
}

/// Reports in a folder of the repository that holds other files are no part of what is tested next.
#[test]
fn reports_within_the_working_tree_are_left_out() {
    let site = Site::new();
    let folder = site.repository().join("ci");
    fs::create_dir(&folder).expect("writable");
    fs::write(folder.join("notes"), "notes").expect("writable");
    // An ignored one among them is no matter.
    fs::write(site.repository().join(".gitignore"), "page.html\n").expect("writable");
    site.commit(10_000, "first");
    site.write_engine(20_000, "changed");
    fs::write(folder.join("new"), "new").expect("writable");
    let mut trees = Vec::new();
    for _ in 0..2 {
        let mut regress = site.regress_into(&folder, &format!("{ACCEPTED} --pairs 20"));
        ended(0, &mut regress);
        let result = read(&folder, "result.json");
        let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
        trees.push(result["candidate"]["revision"]["tree"].as_str().expect("a hash").to_owned());
    }
    assert_eq!(trees[0], trees[1]);
    let files = site.git(&format!("ls-tree -r --name-only {}", trees[1]));
    let files: Vec<&str> = files.lines().collect();
    assert_eq!(files, [".gitignore", "ci/new", "ci/notes", "engine.sh"]);
}
