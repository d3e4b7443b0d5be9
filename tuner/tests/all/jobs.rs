//! Job files: several sources with weights, limits, points of view and filters.

use std::fs;
use std::path::Path;

use positions::{Filter, Form, Samples, Source, SourceArguments, View, expand_sources};

use crate::child::ended;
use crate::command_line::{parameters, tuner, write_book};
use crate::shared_data::shared_data;
use crate::store::scratch;

/// A job that says everything there is to say.
const JOB: &str = r#"
[filter]
per_game = 0
keep_noisy = true

[[source]]
path = "first.epd"

[[source]]
path = "second.epd"
form = "text"
view = "mover"
weight = 0.5
positions = 100
filter = { max_score = 500, min_ply = 0 }
"#;

fn sources(folder: &Path, job: &str) -> anyhow::Result<Vec<Source>> {
    let path = folder.join("job.toml");
    fs::write(&path, job).expect("writable");
    let arguments = SourceArguments { job: Some(path), ..SourceArguments::default() };
    arguments.sources(&[], &Filter::default())
}

fn expanded(sources: &[Source]) -> Samples {
    expand_sources(sources, &chess::GAME.embedded(), 1).expect("readable")
}

#[test]
fn a_job_says_what_is_taken_of_each_source() {
    let folder = scratch();
    for name in ["first.epd", "second.epd"] {
        write_book(&folder.path().join(name), 400);
    }
    let sources = sources(folder.path(), JOB).expect("a job");
    let [first, second] = sources.as_slice() else { panic!("{sources:?}") };
    assert_eq!((first.weight, first.positions, first.view), (1.0, None, View::White));
    assert_eq!(first.form, None);
    assert_eq!(first.path, folder.path().join("first.epd"));
    let base = Filter { per_game: 0, keep_noisy: true, ..Filter::default() };
    assert_eq!(first.filter, base);
    assert_eq!((second.weight, second.positions, second.view), (0.5, Some(100), View::Mover));
    assert_eq!(second.form, Some(Form::Text));
    assert_eq!(second.filter, Filter { max_score: 500, min_ply: 0, ..base });
}

#[test]
fn weights_and_limits_hold() {
    let folder = scratch();
    write_book(&folder.path().join("first.epd"), 400);
    let take = |more: &str| {
        let job =
            format!("filter = {{ keep_noisy = true }}\n[[source]]\npath = \"first.epd\"\n{more}");
        expanded(&sources(folder.path(), &job).expect("a job"))
    };
    let all = take("");
    let count = all.samples.len();
    assert!(count > 300 && all.counts.weighted_samples.is_none());

    let limited = take("positions = 100");
    assert_eq!((limited.samples.len(), limited.counts.samples), (100, 100));
    assert_eq!(limited.counts.phases.iter().sum::<u64>(), 100);
    // Drawn from everywhere, in their order.
    assert!(limited.samples.is_sorted_by_key(|sample| sample.game()));
    assert!(limited.samples.iter().all(|sample| all.samples.contains(sample)));
    assert!(limited.samples[99].game() > all.samples[count / 2].game());
    assert_eq!(take("positions = 4000").samples, all.samples);

    let twice = take("weight = 2");
    assert_eq!(twice.samples.len(), 2 * count);
    assert!(twice.samples.chunks(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(twice.counts.weighted_samples, Some(2 * count as u64));
    let few = take("weight = 0.25").samples.len();
    assert!((count / 5..count / 3).contains(&few), "{few} of {count}");
    assert_eq!(take("weight = 0.25").samples.len(), few, "the same draw again");
}

/// Positions that a limit left out may come from a later source.
#[test]
fn a_limit_forgets_what_it_leaves_out() {
    let folder = scratch();
    write_book(&folder.path().join("first.epd"), 200);
    let job = "filter = { keep_noisy = true }\nsource = [{ path = \"first.epd\", positions = 50 }, \
               { path = \"first.epd\" }]";
    let found = expanded(&sources(folder.path(), job).expect("a job"));
    let keys: std::collections::HashSet<u64> =
        found.samples.iter().map(|sample| sample.position().key()).collect();
    assert_eq!(keys.len(), found.samples.len());
    let whole = "filter = { keep_noisy = true }\nsource = [{ path = \"first.epd\" }]";
    let whole = expanded(&sources(folder.path(), whole).expect("a job"));
    assert_eq!(found.samples.len(), whole.samples.len());
}

#[test]
fn the_mover_s_view_is_turned() {
    let folder = scratch();
    let fens = ["4k3/8/8/8/8/8/3P4/4K3 w - -", "4k3/8/8/8/8/8/3P4/4K3 b - -"];
    let book: String = fens.iter().map(|fen| format!("{fen} [1.0] 70\n")).collect();
    fs::write(
        folder.path().join("mover.epd"),
        book + &format!("{} ce 1.0\n", fens[1].replace("3P4", "2P5")),
    )
    .expect("writable");
    let rows: String = fens.iter().map(|fen| format!("{fen},70,1\n")).collect();
    fs::write(folder.path().join("mover.csv"), format!("fen,score,result\n{rows}"))
        .expect("writable");
    let read = |name: &str| {
        let job = format!(
            "filter = {{ keep_noisy = true, per_game = 0 }}\n[[source]]\npath = \"{name}\"\n\
             view = \"mover\""
        );
        let found = expanded(&sources(folder.path(), &job).expect("a job"));
        found.samples.iter().map(|sample| (sample.result(), sample.score())).collect::<Vec<_>>()
    };
    let turned = [(1.0, Some(70)), (0.0, Some(-70))];
    assert_eq!(read("mover.csv"), turned);
    // A form that says whose view it is, is not turned twice.
    assert_eq!(read("mover.epd"), [turned[0], turned[1], (0.0, None)]);
}

/// A printed job read again takes the same, from the command line and with another job before it.
#[test]
fn a_printed_job_is_read_again() {
    let folder = scratch();
    for name in ["first.epd", "second.epd"] {
        write_book(&folder.path().join(name), 100);
    }
    let job = folder.path().join("job.toml");
    fs::write(&job, JOB).expect("writable");
    for command in ["positions", "fit"] {
        let mut printing = tuner();
        printing.args([command, "--print-job", "--min-ply", "6", "--job"]).arg(&job);
        if command == "fit" {
            printing.args(["--start", "textbook", "--output", "none.toml"]);
        }
        let (stdout, _) = ended(0, &mut printing);
        let elsewhere = tempfile::tempdir().expect("temporary folder");
        let printed = sources(elsewhere.path(), &stdout).expect(&stdout);
        let arguments = SourceArguments { job: Some(job.clone()), ..SourceArguments::default() };
        let given = Filter { min_ply: 6, ..Filter::default() };
        assert_eq!(printed, arguments.sources(&[], &given).expect("a job"), "{stdout}");
    }
    // With nothing but a file, as a beginning.
    let (stdout, _) =
        ended(0, tuner().args(["positions", "--print-job"]).arg(folder.path().join("first.epd")));
    assert!(stdout.contains("[filter]\nper_game = 16\n"), "{stdout}");
}

#[test]
fn mistakes_in_jobs_name_file_and_line() {
    let folder = scratch();
    write_book(&folder.path().join("first.epd"), 10);
    fs::write(folder.path().join("games.bullet"), "").expect("writable");
    let head = "# Positions\n[[source]]\npath = \"first.epd\"\n";
    for (job, line, reason) in [
        (String::new(), 1, "missing field `source`"),
        ("source = []".to_owned(), 1, "it names no source"),
        (format!("{head}weight = \n"), 4, "string values must be quoted"),
        (format!("{head}wieght = 1.0\n"), 4, "unknown field `wieght`"),
        (format!("{head}weight = \"much\"\n"), 4, "expected f64"),
        (format!("{head}weight = 0.0\n"), 4, "a weight is above 0 and at most 100"),
        (format!("{head}weight = nan\n"), 4, "a weight is above 0"),
        (format!("{head}positions = 0\n"), 4, "no positions at all"),
        (format!("{head}positions = -5\n"), 4, "invalid value"),
        (format!("{head}form = \"sfbinpack\"\n"), 4, "unknown variant `sfbinpack`"),
        (format!("{head}view = \"black\"\n"), 4, "unknown variant `black`"),
        ("[[source]]\npath = \"none.epd\"\n".to_owned(), 2, "there is no file"),
        ("[[source]]\npath = \".\"\n".to_owned(), 2, "there is no file"),
        ("[[source]]\nweight = 1.0\n".to_owned(), 1, "missing field `path`"),
        (
            "[[source]]\npath = \"games.bullet\"\nview = \"mover\"\n".to_owned(),
            3,
            "its form says itself whose results these are",
        ),
        (format!("{head}filter = {{ per_gam = 3 }}\n"), 4, "a filter has no 'per_gam', but"),
        (format!("{head}filter = {{ per_game = 70000 }}\n"), 4, "70000 is not in 0..=65535"),
        (format!("{head}filter = {{ quiet_margin = -1 }}\n"), 4, "-1 is not in 0..=40000"),
        (format!("{head}filter = {{ keep_noisy = 3 }}\n"), 4, "keep_noisy: invalid type"),
        (format!("{head}[filter]\nbad_lines_max = 2\n"), 5, "2 is not from 0 to 1"),
    ] {
        let message = sources(folder.path(), &job).expect_err(&job).to_string();
        assert!(message.contains(&format!("job.toml:{line}: ")), "{job}: {message}");
        assert!(message.contains(reason), "{job}: {message}");
    }
    let (_, stderr) = ended(
        3,
        tuner().args(["positions", "--count", "--job"]).arg(folder.path().join("no.toml")),
    );
    assert!(stderr.contains("no.toml"), "{stderr}");
    let (_, stderr) = ended(64, tuner().args(["positions", "--count"]));
    assert!(stderr.contains("--job <FILE>") || stderr.contains("<FILE>"), "{stderr}");
}

/// A fit takes a job in place of files.
#[test]
fn a_fit_takes_a_job() {
    let folder = scratch();
    write_book(&folder.path().join("first.epd"), 1500);
    write_book(&folder.path().join("second.epd"), 1500);
    let job = folder.path().join("job.toml");
    fs::write(&job, JOB).expect("writable");
    let out = folder.path().join("tuned.toml");
    let mut command = tuner();
    command.args(["fit", "--epochs", "1", "--held-out", "0.2", "--validation", "0.2", "--job"]);
    command.arg(&job).arg("--start").arg(parameters("textbook.toml"));
    let (_, stderr) = ended(0, command.arg("--output").arg(&out));
    assert!(stderr.contains("samples by the weights of their sources"), "{stderr}");
    let text = fs::read_to_string(&out).expect("written");
    assert!(text.contains("first.epd") && text.contains("second.epd"), "{text}");
}

/// The same positions under two names are one set.
#[test]
fn real_sources_join() {
    let Some(book) = shared_data("positions/zurichess-quiet-labeled-subset-1000.epd") else {
        return;
    };
    let folder = scratch();
    let job = format!(
        "[[source]]\npath = {0:?}\n\n[[source]]\npath = {0:?}\nweight = 2.0\n",
        book.canonicalize().expect("a path")
    );
    let sources = sources(folder.path(), &job).expect("a job");
    let found = expanded(&sources);
    assert_eq!(found.samples.len(), expanded(&sources[..1]).samples.len());
}
