//! `sprt index`: the tests, tournaments and regressions of folders, one row each.

use std::fs;
use std::path::Path;

use crate::child::{ended, output};
use crate::helpers::{read, sprt_line};
use crate::regress::Site;
use crate::report::{browser, check_page, check_room};

fn play(line: &str, folder: &Path) {
    let (status, _, stderr) = output(sprt_line(line).arg("--output").arg(folder));
    assert!(matches!(status, Some(0..=2)), "{stderr}");
}

#[test]
fn every_run_below_a_folder_has_a_row() {
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    fs::create_dir_all(at("runs/deep")).expect("writable");
    let test = "run --candidate embedded name=<b>&strong --baseline random --nodes 30 --hash 1 \
                --no-early-stop";
    play(&format!("{test} --pairs 12"), &at("runs/deep/long"));
    play(&format!("{test} --pairs 3 --seed 2 --movetime 0.05"), &at("runs/short"));
    let robin =
        "tournament --player random name=one --player random name=two --nodes 1 --rounds 11";
    play(robin, &at("runs/robin"));
    // A run that was killed is shown as far as it is.
    let journal = fs::read(at("runs/short/journal")).expect("readable");
    fs::write(at("runs/short/journal"), &journal[..journal.len() - 9]).expect("writable");
    // A folder that cannot be read is told; runs within it are shown all the same.
    play(&format!("{test} --pairs 2"), &at("runs/other/within"));
    fs::write(at("runs/other/journal"), "something else").expect("writable");
    fs::create_dir(at("runs/torn")).expect("writable");
    fs::write(at("runs/torn/journal"), "").expect("writable");
    // One of them has a page.
    let mut report = sprt_line("report");
    let (status, told, stderr) = output(report.arg(at("runs/deep/long")));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(told.trim_end(), at("runs/deep/long.html").display().to_string());

    let mut command = sprt_line("index");
    command.arg(at("runs")).arg("--output").arg(at("page.html"));
    let (text, stderr) = ended(0, &mut command);
    let skipped = ["runs/other", "runs/torn"].map(|it| at(it).display().to_string());
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    for (line, folder) in stderr.lines().zip(&skipped) {
        assert!(line.starts_with(&format!("skipped {folder}: ")), "{stderr}");
    }
    let lines: Vec<&str> = text.lines().collect();
    let names = ["runs/deep/long", "runs/other/within", "runs/robin", "runs/short"];
    assert_eq!(lines.len(), 2 + names.len(), "{text}");
    for (line, name) in lines[1..].iter().zip(names) {
        assert!(line.starts_with(&at(name).display().to_string()), "{text}");
    }
    // The rows of the tests agree with their results.
    let result = read(&at("runs/deep/long"), "result.json");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    let ratio = result["assessment"]["log_likelihood_ratio"].as_f64().expect("a number");
    let ratio = format!("{ratio:+.2} [").replace('-', "−");
    assert!(lines[1].contains(&ratio) && lines[1].contains("  12  "), "{ratio}: {text}");
    assert!(lines[1].contains("<b>&strong – random") && lines[1].contains("30 nodes"), "{text}");
    assert!(lines[1].contains("  finished  "), "{text}");
    assert!(lines[3].contains("  one leads  ") || lines[3].contains("  two leads  "), "{text}");
    assert!(lines[3].contains("  11  ") && lines[3].contains("  finished  "), "{text}");
    // Two whole pairs are left, and times are known of moves by time.
    assert!(lines[4].contains("  2  ") && lines[4].contains("  unfinished  "), "{text}");
    assert!(lines[4].contains("nodes/s") && !lines[1].contains("nodes/s"), "{text}");

    let page = read(home.path(), "page.html");
    check_page(&page, &["table", "elo", "skipped", "run"]);
    assert!(page.contains("&lt;b&gt;&amp;strong") && !page.contains("<b>"));
    assert!(page.contains("<a href=\"runs/deep/long.html\">"), "the run's page is linked");
    assert_eq!(page.matches("<div class=\"gauge\">").count(), 3, "a bar for each test");
    assert!(page.contains("<span class=\"sentence\">2 tests: "), "those that are finished: {page}");
    assert!(skipped.iter().all(|it| page.contains(it)), "what was skipped");
    if let Some(browser) = browser() {
        check_room(&browser, home.path(), &page);
    }
    // It is made again from what there is then; folders named twice have their row once.
    fs::remove_dir_all(at("runs/short")).expect("removable");
    let (status, text, _) = output(command.arg(at("runs/deep")));
    assert_eq!((status, text.lines().count()), (Some(0), 2 + names.len() - 1), "{text}");
    assert!(!read(home.path(), "page.html").contains("runs/short"));
}

#[test]
fn regression_tests_are_shown_by_their_games_or_their_speed() {
    // A change of nothing but speed, of which no game is played; then one of play.
    let site = Site::new();
    site.commit(10_000, "first");
    site.commit(10_000, "second");
    let _ = output(&mut site.regress("--speed-tolerance 90 --speed-precision 80"));
    let quiet = output(sprt_line("index").arg(site.output())).1;
    assert_eq!(quiet.lines().count(), 3, "{quiet}");
    let row = quiet.lines().nth(1).expect("a row");
    assert!(row.contains("no regression") && row.contains("×"), "{quiet}");

    let site = Site::of_a_change();
    let (_, stdout, stderr) = output(&mut site.regress("--nodes 1"));
    let played = output(sprt_line("index").arg(site.output())).1;
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
        [(home.path(), "no run is in this folder or below it"), (&none, "there is no such folder")]
    {
        let (status, stdout, stderr) =
            output(sprt_line("index").arg(folder).arg("--output").arg(&page));
        assert_eq!((status, stdout.as_str()), (Some(3), ""));
        assert!(stderr.contains(&folder.display().to_string()), "{stderr}");
        assert!(stderr.contains(reason) && stderr.contains("--output"), "{stderr}");
        assert!(!page.exists());
    }
    ended(64, &mut sprt_line("index"));
}
