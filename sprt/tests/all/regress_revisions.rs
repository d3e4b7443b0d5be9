//! Which revisions `sprt regress` compares, and what it calls them.

use crate::child::output;
use crate::helpers::read;
use crate::regress::Site;

/// What tells how to fetch the history.
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
    let (status, stdout, stderr) = output(&mut shallow.regress("--base topic --no-bench"));
    assert_eq!(status, Some(2), "{stdout}{stderr}");
}

#[test]
fn an_empty_range_is_refused() {
    let site = Site::new();
    site.commit(10_000, "first");
    for range in ["HEAD..HEAD", "HEAD..", "0"] {
        let (status, _, stderr) = output(&mut site.regress(&format!("--history {range}")));
        assert_eq!(status, Some(64), "{stderr}");
        assert!(stderr.contains(&format!("--history {range}: the range is empty")), "{stderr}");
    }
    let (status, _, stderr) = output(&mut site.regress("--history 1"));
    assert_eq!(status, Some(64), "{stderr}");
    assert!(stderr.contains("has no commit before it to compare with"), "{stderr}");
    assert!(!site.output().exists());
}

#[test]
fn reports_call_commits_by_short_hashes() {
    let site = Site::new();
    let base = site.commit(10_000, "first");
    let candidate = site.commit(20_000, "second");
    let options = format!("--base {base} --candidate {candidate} --elo0 -1500 --elo1 -900");
    let (status, stdout, stderr) = output(&mut site.regress(&options));
    assert_eq!(status, Some(0), "{stdout}{stderr}");
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

/// What a commit calls itself stays text wherever it is shown.
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
