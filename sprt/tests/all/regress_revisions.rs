//! The revisions that `sprt regress` compares, and their names.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use crate::child::{ended, output};
use crate::helpers::read;
use crate::regress::Site;

/// Ways to fetch the history.
const ADVICE: [&str; 3] = ["`git fetch --unshallow`", "`fetch-depth: 0`", "`GIT_DEPTH: 0`"];

#[test]
fn a_shallow_clone_asks_for_its_history() {
    let site = Site::new();
    let first = site.commit(10_000, "first");
    site.git("switch --quiet --create topic");
    site.commit(20_000, "aside");
    site.git("switch --quiet main");
    site.commit(10_000, "second");
    site.commit(10_000, "third");
    let address = format!("file://{}", site.repository().display());
    let shallow = Site::with_repository(&format!("clone --quiet --depth 2 {address} ."));
    shallow.git("fetch --quiet --depth 1 origin topic:topic");
    for options in [
        format!("--base {first}"),
        "--candidate HEAD~1".to_owned(),
        "--candidate topic".to_owned(),
        "--history 2".to_owned(),
        format!("--history {first}..HEAD"),
        "--history topic..HEAD --base HEAD".to_owned(),
    ] {
        let (status, _, stderr) = output(&mut shallow.regress(&options));
        assert_eq!(status, Some(64), "{options}: {stderr}");
        for words in ADVICE {
            assert!(stderr.contains(words), "{options}: {stderr}");
        }
        assert!(!shallow.output().exists());
    }
    // Where all is there, nothing more can be fetched.
    for options in ["--base nonsense".to_owned(), format!("--candidate {first}")] {
        let (status, _, stderr) = output(&mut site.regress(&options));
        assert_eq!(status, Some(64), "{options}: {stderr}");
        assert!(!stderr.contains("shallow"), "{options}: {stderr}");
    }
    // Of a shallow clone, what is there can be used.
    ended(2, &mut shallow.regress("--base topic --no-bench"));
}

#[test]
fn an_empty_range_is_refused() {
    let site = Site::new();
    site.commit(10_000, "first");
    for range in ["HEAD..HEAD", "HEAD..", "0"] {
        let (_, stderr) = ended(64, &mut site.regress(&format!("--history {range}")));
        assert!(stderr.contains(&format!("--history {range}: the range is empty")), "{stderr}");
    }
    let (_, stderr) = ended(64, &mut site.regress("--history 1"));
    assert!(stderr.contains("has no commit before it to compare with"), "{stderr}");
    assert!(!site.output().exists());
}

/// Git takes `^NAME` for all that is not there, and nothing for HEAD.
#[test]
fn what_names_no_commit_is_refused() {
    let site = Site::of_a_change();
    for (options, name) in [
        ("--base ^HEAD", "^HEAD"),
        ("--candidate ^HEAD", "^HEAD"),
        ("--history HEAD~1..^HEAD", "^HEAD"),
        ("--history ^HEAD~1", "^HEAD~1"),
        ("--history=", ""),
        ("--base=", ""),
    ] {
        let (status, _, stderr) = output(&mut site.regress(options));
        assert_eq!(status, Some(64), "{options}: {stderr}");
        assert!(stderr.contains(&format!("has no revision {name:?}")), "{options}: {stderr}");
    }
    assert!(!site.output().exists());
}

#[test]
fn neither_settings_of_git_nor_files_named_as_revisions_disturb() {
    let site = Site::new();
    fs::write(site.repository().join("HEAD"), "a file").expect("writable");
    // Stands in for what signs; git shows what it says of a commit before the commit.
    let signer = site.home.path().join("signer");
    let text = "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\n\
                printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n";
    fs::write(&signer, text).expect("writable");
    fs::set_permissions(&signer, Permissions::from_mode(0o755)).expect("writable");
    for setting in ["commit.gpgSign true", "log.showSignature true", "log.decorate full"] {
        site.git(&format!("config {setting}"));
    }
    site.git(&format!("config gpg.program {}", signer.display()));
    let base = site.commit(10_000, "first");
    let candidate = site.commit(20_000, "second");
    let shown = site.git("show --no-patch --format=%s HEAD --");
    assert!(shown.starts_with("[GNUPG:]"), "{shown}");
    ended(0, &mut site.regress("--elo0 -1500 --elo1 -900"));
    let result = site.result();
    let revision = |side: &str, what: &str| result[side]["revision"][what].clone();
    assert_eq!(revision("base", "commit"), base.as_str());
    assert_eq!(revision("base", "subject"), "first");
    assert_eq!(revision("candidate", "tree"), site.git("rev-parse HEAD^{tree}").as_str());
    assert_ne!(revision("candidate", "commit"), candidate.as_str());
}

/// An edit within the second of the commit that changes no size: git compares such files by what is in
/// them, but only while the index is no younger than they are.
#[test]
fn an_edit_is_seen_that_changes_neither_size_nor_time() {
    let site = Site::new();
    let of_commit = SystemTime::now() - Duration::from_secs(3600);
    let set_time = |name: &str| {
        let file = File::options().write(true).open(site.repository().join(name));
        file.and_then(|file| file.set_modified(of_commit)).expect("writable");
    };
    site.git("config core.trustctime false");
    site.write_engine(10_000, "first");
    set_time("engine.sh");
    site.git("add --all");
    site.git("commit --quiet --message=first");
    set_time(".git/index");
    site.write_engine(20_000, "first");
    set_time("engine.sh");
    let (stdout, _) = ended(0, &mut site.regress("--elo0 -1500 --elo1 -900"));
    assert_eq!(site.result()["candidate"]["bench"]["nodes"], 20_000, "{stdout}");
}

/// No commit of the repository around it holds what is changed in a submodule.
#[test]
fn a_submodule_with_changes_is_refused() {
    let other = Site::new();
    other.commit(10_000, "theirs");
    let site = Site::new();
    site.commit(10_000, "first");
    let address = other.repository();
    site.git(&format!(
        "-c protocol.file.allow=always submodule --quiet add {} library",
        address.display()
    ));
    site.git("commit --quiet --message=second");
    let inside = site.repository().join("library/engine.sh");
    let text = fs::read_to_string(&inside).expect("a file");
    for change in ["library/engine.sh", "library/new.sh"] {
        fs::write(site.repository().join(change), "changed").expect("writable");
        let (status, _, stderr) = output(&mut site.regress("--base HEAD"));
        assert_eq!(status, Some(64), "{change}: {stderr}");
        assert!(stderr.contains("the submodule library has files that are not committed there"));
        assert!(!site.output().exists());
        fs::write(&inside, &text).expect("writable");
    }
}

#[test]
fn reports_call_commits_by_short_hashes() {
    let site = Site::new();
    let base = site.commit(10_000, "first");
    let candidate = site.commit(20_000, "second");
    let options = format!("--base {base} --candidate {candidate} --elo0 -1500 --elo1 -900");
    let (stdout, stderr) = ended(0, &mut site.regress(&options));
    let short = |commit: &str| site.git(&format!("rev-parse --short {commit}"));
    let title = format!("{} against {}", short(&candidate), short(&base));
    let texts = ["junit.xml", "summary.md", "page.html"].map(|name| read(&site.output(), name));
    for text in &texts {
        assert!(text.contains(&short(&candidate)), "{text}");
    }
    assert!(texts[0].contains(&format!("<testsuites name=\"{title}\"")), "{}", texts[0]);
    assert!(texts[1].starts_with(&format!("## No regression: {title}\n")), "{}", texts[1]);
    // The line that repeats it is exact, and so is what programs read.
    let repeat = format!("sprt regress --base {base} --candidate {candidate} ");
    for text in texts[..2].iter().chain([&stdout, &stderr]) {
        let rest = text.replace(&repeat, "");
        assert!(!rest.contains(&candidate) && !rest.contains(&base), "{text}");
    }
    assert!(stdout.contains(&repeat), "{stdout}");
    assert_eq!([&base, &candidate].map(|commit| texts[2].matches(commit).count()), [1, 1]);
    let result = site.result();
    assert_eq!(result["base"]["revision"]["commit"], base.as_str());
    assert_eq!(result["candidate"]["revision"]["commit"], candidate.as_str());
    assert_eq!(result["candidate"]["revision"]["name"], short(&candidate));
}

/// A commit's subject stays text wherever it is shown.
#[test]
fn subjects_of_commits_stay_text() {
    let site = Site::new();
    let base = site.commit(10_000, "[a](javascript:alert`1`)|<b>@x</b>&amp;");
    let candidate = site.commit(10_000, "\u{1b}[31m_b_");
    let options = format!("--base {base} --candidate {candidate}");
    let (_, stdout, stderr) = output(&mut site.regress(&options));
    let summary = read(&site.output(), "summary.md");
    let escaped = "\\[a\\]\\(javascript:alert\\`1\\`\\)\\|&lt;b&gt;&#64;x&lt;/b&gt;&amp;amp;";
    assert!(summary.contains(&format!("| subject | {escaped} |")), "{stdout}{stderr}{summary}");
    assert!(summary.contains("\\[31m\\_b\\_ |"), "{summary}");
    let junit = read(&site.output(), "junit.xml");
    roxmltree::Document::parse(&junit).unwrap_or_else(|error| panic!("{error}: {junit}"));
    let page = read(&site.output(), "page.html");
    assert!(page.contains("|&lt;b&gt;@x&lt;/b&gt;&amp;amp;") && !page.contains("<b>@x"), "{page}");
}
