//! Pages of runs: every panel with data, well-formed, the same again from the journal.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::child;
use crate::files::assert_same;
use crate::helpers::{fake, read, resume, sprt, sprt_line};
use crate::json_schema::check_schema;
use crate::skipping::skip;

const PANELS: [&str; 11] = [
    "likelihood",
    "elo",
    "pairs",
    "colors",
    "terminations",
    "lengths",
    "depth",
    "nodes",
    "openings",
    "faults",
    "run",
];

const TOURNAMENT_PANELS: [&str; 9] = [
    "ratings",
    "crosstable",
    "superiority",
    "terminations",
    "colors",
    "lengths",
    "work",
    "faults",
    "run",
];

/// Runs a program: exit status, and all that it says.
fn output(command: &mut Command) -> (Option<i32>, String) {
    let (status, stdout, stderr) = child::output(command);
    (status, stdout + &stderr)
}

/// The page that `sprt report` makes of the run in a folder, beside it.
fn report(folder: &Path, name: &str) -> String {
    let home = folder.parent().expect("a folder");
    let mut command = sprt_line("report");
    command.arg(folder).arg("--output").arg(home.join(name));
    assert_eq!(output(&mut command), (Some(0), String::new()));
    read(home, name)
}

/// `sprt run` of a name that HTML would misread against the random mover.
fn run_command(folder: &Path) -> Command {
    let mut command = sprt();
    command.args(["run", "--candidate", "embedded", "name=<b>&\"quoted'", "--baseline", "random"]);
    command.args(["--nodes", "60", "--pairs", "40", "--hash", "1", "--no-early-stop"]);
    command.arg("--output").arg(folder);
    command
}

/// `sprt tournament` of random movers and a searcher, one of them with such a name.
fn tournament_command(folder: &Path, rounds: u64) -> Command {
    let mut command = sprt();
    command.args(["tournament", "--player", "random", "name=<b>&\"quoted'"]);
    command.args(["--player", "random", "name=of such a long name that no table has the room"]);
    command.args(["--player", "random", "name=third", "--player", "embedded", "name=fourth"]);
    command.args(["--nodes", "30", "--hash", "1", "--rounds", &rounds.to_string()]);
    command.arg("--output").arg(folder);
    command
}

/// A page without what is within its scripts.
fn without_scripts(page: &str) -> String {
    let mut parts = page.split("<script");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (attributes, rest) = part.split_once('>').expect("the tag ends");
        let (_, rest) = rest.split_once("</script>").expect("the element ends");
        text += &format!("<script{attributes}></script>{rest}");
    }
    text
}

/// The page as XML, which HTML is but for its empty elements and its scripts.
fn as_xml(page: &str) -> String {
    let page = without_scripts(page);
    let mut text = String::with_capacity(page.len());
    let mut rest = page.as_str();
    while let Some(start) = rest.find("<meta ") {
        let end = start + rest[start..].find('>').expect("the tag ends");
        text += &rest[..end];
        text += "/>";
        rest = &rest[end + 1..];
    }
    text + rest
}

/// Checks that a page is well-formed, refers to nothing outside and has all panels with data.
pub fn check_page(page: &str, panels: &[&str]) {
    let text = as_xml(page);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&text, options).expect("well-formed");
    for name in ["link", "img", "iframe", "object"] {
        assert!(!document.descendants().any(|node| node.has_tag_name(name)), "{name}");
    }
    assert!(!document.descendants().any(|node| node.attribute("src").is_some()));
    assert!(!page.contains("url(") && !page.contains("http:") && !page.contains("https:"));
    let sections: BTreeMap<&str, roxmltree::Node> = document
        .descendants()
        .filter(|node| node.has_tag_name("section"))
        .map(|node| (node.attribute("id").expect("an id"), node))
        .collect();
    let expected: Vec<&str> =
        BTreeMap::from_iter(panels.iter().map(|id| (*id, ()))).into_keys().collect();
    assert_eq!(sections.keys().copied().collect::<Vec<_>>(), expected);
    for (id, section) in sections {
        if id != "run" {
            let note = section.descendants().find(|node| node.attribute("class") == Some("note"));
            assert!(
                note.is_some_and(|it| it.descendants().any(|it| it.is_text())),
                "{id} says what"
            );
        }
        // A panel without content is folded.
        if section.first_element_child().is_some_and(|it| it.has_tag_name("details")) {
            continue;
        }
        let data = section.descendants().filter(|node| {
            let is_shape = node.attribute("d").is_some_and(|path| path.matches('L').count() > 4)
                || ["rect", "circle"].iter().any(|name| node.has_tag_name(*name))
                || node.attribute("class") == Some("interval");
            is_shape
                || ["td", "dd", "li"].iter().any(|name| node.has_tag_name(*name))
                    && node.descendants().any(|inner| inner.is_text())
        });
        assert!(data.count() >= 2, "{id} is empty");
    }
    let mut ids: Vec<&str> = document.descendants().filter_map(|it| it.attribute("id")).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "ids are unique");
    for value in ["NaN", "inf\"", "Infinity"] {
        assert!(!page.contains(value), "{value}");
    }
}

#[test]
fn a_page_shows_the_run_and_changes_nothing() {
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    let (status, text) = output(&mut run_command(&at("plain")));
    assert!(matches!(status, Some(0..=2)), "{text}");
    let (shown, text) = output(run_command(&at("shown")).arg("--report").arg(at("page.html")));
    assert_eq!(shown, status, "{text}");
    assert_same(&at("plain"), &at("shown"), &[]);
    assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 3, "nothing is left over");

    let page = read(home.path(), "page.html");
    check_page(&page, &[&PANELS[..], &["time"]].concat());
    assert!(page.contains("&lt;b&gt;&amp;&quot;quoted'") && !page.contains("<b>"), "escaped");
    assert!(!page.contains("http-equiv"), "the page of a finished run does not refresh itself");
    assert!(page.contains("candidate accepted") || page.contains("undecided at the limit"));
    // Nothing went wrong, and all else is there to see.
    assert_eq!(page.matches("<details class=\"folded\">").count(), 1);
    assert!(page.contains("<details class=\"folded\"><summary><h2>Faults</h2></summary>"));

    // A sentence says what it comes to, on the terminal and under the title of the page.
    let sentence = text.lines().rev().find(|line| line.starts_with("            ")).expect("it");
    let sentence = sentence.trim();
    let begins =
        ["The candidate is ", "No difference shown", "Accepted, though", "Rejected, though"];
    assert!(begins.iter().any(|it| sentence.starts_with(it)), "{sentence}");
    let under =
        format!("</h1><p class=\"lead\"><span class=\"sentence\">{}", sentence.replace('-', "−"));
    assert!(page.contains(&under), "{under}");

    // From the journal the page is the same each time, and knows no times.
    let pages = ["first.html", "second.html"].map(|name| report(&at("shown"), name));
    assert!(pages[0] == pages[1]);
    check_page(&pages[0], &PANELS);

    // A cut journal is an unfinished run, and looking at it does not change it.
    let journal = fs::read(at("shown").join("journal")).expect("readable");
    let cut = &journal[..journal.len() / 2];
    fs::write(at("shown").join("journal"), cut).expect("writable");
    let page = report(&at("shown"), "cut.html");
    assert_eq!(fs::read(at("shown").join("journal")).expect("readable"), cut);
    check_page(&page, &PANELS);
    assert!(page.contains("unfinished"));

    // A resumed run has a page, too.
    let mut command = resume(&at("shown"));
    assert_eq!(output(command.arg("--report").arg(at("resumed.html"))).0, status);
    check_page(&read(home.path(), "resumed.html"), &[&PANELS[..], &["time"]].concat());
}

#[test]
fn a_tournament_has_a_page_that_changes_nothing() {
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    let (status, text) = output(&mut tournament_command(&at("plain"), 4));
    assert_eq!(status, Some(0), "{text}");
    let mut command = tournament_command(&at("shown"), 4);
    let (status, text) = output(command.arg("--report").arg(at("page.html")));
    assert_eq!(status, Some(0), "{text}");
    assert_same(&at("plain"), &at("shown"), &[]);
    let page = read(home.path(), "page.html");
    check_page(&page, &TOURNAMENT_PANELS);
    assert!(page.contains("&lt;b&gt;&amp;&quot;quoted'") && !page.contains("<b>"), "escaped");
    assert!(page.contains("finished") && !page.contains("http-equiv"));
    assert!(!page.contains("Times are unknown"));
    // The ratings are those of the result.
    let result = read(&at("shown"), "result.json");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    for rating in result["ratings"]["players"].as_array().expect("a list") {
        let elo = format!("{:+.1} ± ", rating["elo"].as_f64().expect("a number"));
        assert!(page.contains(&elo.replace('-', "−")), "{elo}");
    }

    // From the journal, whole or cut, and when the rest is played.
    let first = report(&at("shown"), "first.html");
    assert!(first == report(&at("shown"), "second.html") && first.contains("Times are unknown"));
    check_page(&first, &TOURNAMENT_PANELS);
    let journal = fs::read(at("shown").join("journal")).expect("readable");
    fs::write(at("shown").join("journal"), &journal[..journal.len() / 2]).expect("writable");
    let cut = report(&at("shown"), "cut.html");
    check_page(&cut, &TOURNAMENT_PANELS);
    assert!(cut.contains("unfinished"));
    let mut command = resume(&at("shown"));
    assert_eq!(output(command.arg("--report").arg(at("resumed.html"))).0, Some(0));
    let resumed = read(home.path(), "resumed.html");
    check_page(&resumed, &TOURNAMENT_PANELS);
    assert!(resumed.contains("finished") && !resumed.contains("unfinished"));
    assert!(fs::read(at("shown").join("journal")).expect("readable") == journal);
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_the_first_game() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let (status, text) = output(run_command(&folder).args(["--report", "/no/folder/page.html"]));
    assert_eq!(status, Some(3));
    assert!(text.contains("error: cannot write /no/folder/page.html: "), "{text}");
    assert!(!folder.exists());
    let mut command = sprt_line("report");
    let page = home.path().join("page.html");
    let (status, text) = output(command.arg(&folder).arg("--output").arg(page));
    assert_eq!(status, Some(3));
    assert!(text.contains("holds no run"), "{text}");
    assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 0);
}

#[test]
fn a_page_lies_beside_its_run_unless_it_is_told() {
    let home = tempfile::tempdir().expect("temporary folder");
    let line = "run --candidate random --baseline random --nodes 1 --pairs 3 --output run";
    let (_, text) = output(sprt_line(line).current_dir(home.path()));
    assert!(home.path().join("run/journal").exists(), "{text}");
    let names = || {
        let mut names: Vec<_> = fs::read_dir(home.path().join("run"))
            .expect("readable")
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    for (from, folder) in [("", "run"), ("", "run/"), ("run", "."), ("", "./run/../run")] {
        let mut command = sprt_line("report");
        command.arg(folder).current_dir(home.path().join(from));
        let (status, stdout, stderr) = child::output(&mut command);
        assert_eq!((status, stderr.as_str()), (Some(0), ""), "{folder}");
        assert!(stdout.trim_end().ends_with("run.html"), "{folder}: {stdout}");
        fs::remove_file(home.path().join("run.html")).expect("it lies beside its run");
    }
    // The folder of a run holds nothing that depends on time, and no page.
    assert_eq!(names(), before);
}

#[test]
fn json_agrees_with_the_schemas() {
    let printed = |line: &str| {
        let (status, stdout, stderr) = child::output(&mut sprt_line(line));
        assert_eq!(status, Some(0), "{stderr}");
        stdout
    };
    check_schema("calculate", &printed("calculate --pentanomial 9,40,71,26,4 --json"));
    check_schema("calculate", &printed("calculate --trinomial 0,0,1 --model bayes --json"));
    let home = tempfile::tempdir().expect("temporary folder");
    let game = |white, black, result| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n"
        )
    };
    let two = game("a", "b", "1-0") + &game("b", "a", "1/2-1/2");
    let three = two.clone() + &game("a", "c", "0-1") + &game("c", "b", "*");
    for (schema, text) in [("calculate", two), ("ratings", three)] {
        let path = home.path().join(format!("{schema}.pgn"));
        fs::write(&path, text).expect("writable");
        check_schema(schema, &printed(&format!("calculate --json --pgn {}", path.display())));
    }
    check_schema("plan", &printed("plan --json"));
    check_schema("plan", &printed("plan --pairs 2000 --games-per-second 3 --json"));
    let simulate = "simulate --elo0 0 --elo1 60 --runs 20 --pairs 500 --json";
    check_schema("simulate", &printed(simulate));

    let plain = "--pairs 2 --nodes 20 --draw never --resign never";
    let rich = "--pairs 6 --tc 1+0.01 --audit-adjudication 100% --hash 2 --resign 1,100 \
                --memory pair --chess960 --max-time-losses 99";
    for (name, options) in [("plain", plain), ("rich", rich)] {
        let folder = home.path().join(name);
        let mut command = sprt();
        command.args(["run", "--candidate", "embedded", "--baseline"]);
        command.args(fake("", "option.Surprise=1 nice=1 name=other"));
        command.arg("--allow-unknown-options");
        command.args(options.split_ascii_whitespace()).arg("--output").arg(&folder);
        let (status, text) = output(&mut command);
        assert!(matches!(status, Some(0..=2)), "{text}");
        check_schema("test", &read(&folder, "result.json"));
    }

    for (name, options) in [("robin", "--anchor random=-3"), ("gauntlet", "--format gauntlet")] {
        let folder = home.path().join(name);
        let mut command = sprt();
        command.args(["tournament", "--player", "embedded", "--player", "random", "--player"]);
        command.args(["embedded", "name=third", "--nodes", "20", "--rounds", "2"]);
        command.args(options.split(' ')).arg("--output").arg(&folder);
        let (status, text) = output(&mut command);
        assert_eq!(status, Some(0), "{text}");
        check_schema("tournament", &read(&folder, "result.json"));
    }
}

/// A browser to look with, if there is one.
pub fn browser() -> Option<OsString> {
    let named = std::env::var_os("KAMERTON_CHROMIUM").into_iter();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(OsString::from);
    named.chain(usual).find(|program| Command::new(program).arg("--version").output().is_ok())
}

/// Measures the page in frames as wide as a phone, a tablet and a desk: nothing may overflow, and
/// every chart must be seen; then the same of the viewer, if there are games to look at.
const MEASURE: &str = r#"
<body><pre></pre><script>
const report = document.querySelector("pre");
const over = (element) => element.scrollWidth - element.clientWidth;
for (const frame of document.querySelectorAll("iframe")) frame.onload = () => {
  const root = frame.contentDocument.documentElement;
  const hidden = [...root.querySelectorAll("section svg, section table")].filter(
    (it) => !it.closest("details") && it.getBoundingClientRect().width < 40);
  report.textContent += `${frame.width}: ${over(root)} over, ${hidden.length} hidden\n`;
  const link = root.querySelector('a[href^="\x23view/"]');
  if (!link) return;
  frame.contentWindow.location.hash = link.getAttribute("href");
  setTimeout(() => {
    const viewer = frame.contentDocument.getElementById("viewer");
    report.textContent += `${frame.width}: open ${viewer.open}, ${over(viewer) + over(root)} over\n`;
  }, 200);
};
</script></body>"#;

#[test]
fn a_browser_shows_everything_without_overflow() {
    let Some(browser) = browser() else {
        skip("there is no Chromium (KAMERTON_CHROMIUM names one)");
        return;
    };
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    output(run_command(&at("run")).arg("--report").arg(at("page.html")));
    check_room(&browser, home.path(), &read(home.path(), "page.html"));
    let mut command = tournament_command(&at("tournament"), 3);
    output(command.arg("--report").arg(at("page.html")));
    check_room(&browser, home.path(), &read(home.path(), "page.html"));
}

/// Checks that a page has room for all that it shows, however wide the screen is.
pub fn check_room(browser: &OsString, home: &Path, page: &str) {
    let at = |name: &str| home.join(name);
    let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
    let frames: String = [375, 768, 1200]
        .map(|width| format!("<iframe width={width} height=600 srcdoc=\"{escaped}\"></iframe>"))
        .concat();
    let wrapper = MEASURE.replace("<pre></pre>", &format!("<pre></pre>{frames}"));
    fs::write(at("wrapper.html"), wrapper).expect("writable");
    let (seen, stderr) = dom_of(browser, home, &at("wrapper.html"));
    for width in [375, 768, 1200] {
        let expected = format!("{width}: 0 over, 0 hidden");
        let measured = seen.split("<iframe").next().unwrap_or_default();
        assert!(seen.contains(&expected), "{measured}{stderr}");
        if page.contains("href=\"#view/") {
            let expected = format!("{width}: open true, 0 over");
            assert!(seen.contains(&expected), "{measured}{stderr}");
        }
    }
}

/// The page in the browser once its scripts have run, and the browser's messages.
pub fn dom_of(browser: &OsString, home: &Path, page: &Path) -> (String, String) {
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(home.join("profile"));
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"]);
    command.args(["--no-first-run", "--disable-background-networking", "--disable-sync"]);
    command.args(["--disable-component-update", "--virtual-time-budget=20000", "--dump-dom"]);
    let (_, stdout, stderr) = child::output(command.arg(profile).arg(page));
    (stdout, stderr)
}
