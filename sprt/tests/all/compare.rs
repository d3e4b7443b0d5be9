//! `sprt compare`: tests, tournaments and regressions side by side.

use std::fs;
use std::path::Path;

use crate::child::output;
use crate::helpers::{read, sprt_line};
use crate::regress::Site;
use crate::report::{browser, check_page, check_room};

fn play(line: &str, folder: &Path) {
    let (status, _, stderr) = output(sprt_line(line).arg("--output").arg(folder));
    assert!(matches!(status, Some(0..=2)), "{stderr}");
}

#[test]
fn runs_stand_side_by_side() {
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    let test = "run --candidate embedded name=<b>&strong --baseline random --nodes 30 --hash 1 \
                --no-early-stop";
    play(&format!("{test} --pairs 12"), &at("long"));
    play(&format!("{test} --pairs 3 --seed 2 --movetime 0.05"), &at("short"));
    let robin =
        "tournament --player random name=one --player random name=two --nodes 1 --rounds 11";
    play(robin, &at("robin"));
    // A run that was killed is shown as far as it is.
    let journal = fs::read(at("short").join("journal")).expect("readable");
    fs::write(at("short").join("journal"), &journal[..journal.len() - 9]).expect("writable");

    let mut command = sprt_line("compare");
    for name in ["long", "short", "robin"] {
        command.arg(at(name));
    }
    let (status, text, stderr) = output(command.arg("--report").arg(at("page.html")));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    // What the rows say of the tests is what their results say.
    let result = read(&at("long"), "result.json");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    let figures = &result["assessment"];
    let elo = figures["elo_after_stop"]["elo"].as_f64().expect("a number");
    let ratio = figures["log_likelihood_ratio"].as_f64().expect("a number");
    for part in [format!("{elo:+.1} ["), format!("{ratio:+.2} ["), "  24  ".to_owned()] {
        assert!(lines[1].contains(&part.replace('-', "−")), "{part}: {text}");
    }
    assert!(lines[1].contains("<b>&strong – random") && lines[1].contains("30 nodes"), "{text}");
    // Two whole pairs are left, and times are known of moves by time.
    assert!(lines[2].contains("  4  ") && lines[2].contains("unfinished"), "{text}");
    assert!(lines[2].contains("nodes/s") && !lines[1].contains("nodes/s"), "{text}");
    assert!(lines[3].contains("(no. 1 of 2)") && lines[4].contains("(no. 2 of 2)"), "{text}");
    assert!(lines[3].contains("finished"), "{text}");

    let page = read(home.path(), "page.html");
    check_page(&page, &["table", "elo", "run"]);
    assert!(page.contains("&lt;b&gt;&amp;strong") && !page.contains("<b>"));
    if let Some(browser) = browser() {
        check_room(&browser, home.path(), &page);
    }
}

#[test]
fn regression_tests_are_compared_by_their_games_or_their_speed() {
    // A change of nothing but speed, of which no game is played; then one of play.
    let site = Site::new();
    site.commit(1000, "first");
    site.commit(1000, "second");
    let _ = output(&mut site.regress("--speed-tolerance 90 --speed-precision 80"));
    let quiet = output(sprt_line("compare").arg(site.output())).1;
    assert_eq!(quiet.lines().count(), 3, "{quiet}");
    let row = quiet.lines().nth(1).expect("a row");
    assert!(row.contains("no regression") && row.contains("×"), "{quiet}");

    let site = Site::new();
    site.commit(1000, "first");
    site.commit(2000, "second");
    let (_, stdout, stderr) = output(&mut site.regress("--nodes 1"));
    let played = output(sprt_line("compare").arg(site.output())).1;
    let row = played.lines().nth(1).expect("a row");
    let folder = site.output().join("nodes").display().to_string();
    assert!(row.contains(&folder) && row.contains("1 nodes"), "{played}{stdout}{stderr}");
    let games = site.result()["games"][0]["assessment"]["counts"].clone();
    let pairs = |name: &str| games[name].as_u64().expect("a number").to_string();
    assert!(row.contains(&format!("{}, {}, ", pairs("loss_loss"), pairs("loss_draw"))), "{played}");
}

#[test]
fn what_is_no_run_is_refused() {
    let home = tempfile::tempdir().expect("temporary folder");
    let page = home.path().join("page.html");
    let none = home.path().join("none");
    for (folder, reason) in
        [(home.path(), "neither a journal nor the result"), (&none, "there is no such folder")]
    {
        let (status, stdout, stderr) =
            output(sprt_line("compare").arg(folder).arg("--report").arg(&page));
        assert_eq!((status, stdout.as_str()), (Some(3), ""));
        assert!(stderr.contains(&folder.display().to_string()), "{stderr}");
        assert!(stderr.contains(reason) && stderr.contains("--output"), "{stderr}");
        assert!(!page.exists());
    }
    let (status, _, stderr) = output(&mut sprt_line("compare"));
    assert_eq!(status, Some(64), "{stderr}");
}
