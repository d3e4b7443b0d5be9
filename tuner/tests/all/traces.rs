//! Linear evaluations from files: both forms, their damage, and the optimum that another solver finds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use evaluation_tuning::fit::{
    Bounds, Iteration, Solution, Task, Ties, levenberg_marquardt, quasi_newton,
};
use evaluation_tuning::model::linear::{
    Language, LinearPosition, LinearStore, ParameterFile, read,
};
use evaluation_tuning::model::store::Store;
use evaluation_tuning::model::{NATURAL, Objective, Positions};

use crate::child::output;
use crate::command_line::{tuner, write_book};
use crate::skipping::skip;

/// The example that is to be copied.
#[path = "../../../docs/traces/traces.rs"]
mod example;
mod fitting;

const PARAMETERS: &str = "\
[[term]]
name = \"material.pawn\"
value = [100, 120]
range = [0, 300]

[[term]]
name = \"mobility\"
values = [-5, 0, 5]

[[term]]
name = \"squares.king\"
values = [[0, 0], [10, -10]]
fixed = true
";

/// Compiles a C++ program into the folder; none, with a message, where there is no compiler.
fn compiled(source: &str, folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let program = folder.join(source.file_stem().expect("a file"));
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"]).arg(&source);
    match compiler.arg("-o").arg(&program).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(program)
        }
        Err(error) => {
            skip(&format!("no g++ ({error})"));
            None
        }
    }
}

/// A position of each kind, and what the files say of it.
fn positions() -> Vec<LinearPosition> {
    vec![
        LinearPosition {
            result: 1.0,
            phase: 0.75,
            scale: 0.5,
            game: Some(12),
            constant: -3.5,
            score: Some(41),
            entries: vec![(0, 1), (3, -2), (5, 300)],
        },
        LinearPosition { result: 0.0, game: Some(13), ..LinearPosition::default() },
        LinearPosition { game: Some(13), phase: 0.1, entries: vec![(1, -1)], ..Default::default() },
    ]
}

fn exported(position: &LinearPosition) -> example::Position {
    let LinearPosition { result, phase, scale, game, constant, score, entries } = position.clone();
    let game = game.expect("it is told");
    example::Position { result, phase, scale, constant, game, score, counts: entries }
}

fn packed(positions: &[LinearPosition], cells: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = example::PackedWriter::new(&mut bytes, cells).expect("memory");
    for position in positions {
        writer.write(&exported(position)).expect("memory");
    }
    writer.close().expect("memory");
    bytes
}

fn text(positions: &[LinearPosition]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for position in positions {
        example::write_text(&mut bytes, &exported(position)).expect("memory");
    }
    bytes
}

/// The positions in a file with these bytes, or what is wrong with it.
fn read_bytes(bytes: &[u8]) -> Result<Vec<LinearPosition>, String> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("file");
    fs::write(&path, bytes).expect("writable");
    let mut found = Vec::new();
    let result = read(&path, 6, |position, game| {
        assert_eq!(position.game, Some(game));
        found.push(position);
        Ok(())
    });
    let name = path.display().to_string();
    result.map(|_| found).map_err(|error| format!("{error:#}").replace(&name, "file"))
}

#[test]
fn both_forms_of_the_rust_example_are_read() {
    let marked = [&b"\xef\xbb\xbf"[..], &text(&positions())].concat();
    for bytes in [text(&positions()), marked, packed(&positions(), 6)] {
        assert_eq!(read_bytes(&bytes).expect("a whole file"), positions());
    }
}

/// Every damage to a text is told with its line.
#[test]
fn damaged_texts_are_refused() {
    for (line, message) in [
        ("2.0 0:1", "result"),
        ("won 0:1", "result"),
        ("1.0 phase=1.5 0:1", "the phase must be from 0 to 1, not 1.5"),
        ("1.0 phase=half 0:1", "`half` is no phase"),
        ("1.0 scale=-1 0:1", "the scale must be from 0 to 1, not -1"),
        ("1.0 constant=inf 0:1", "from -1000000 to 1000000 centipawns, not inf"),
        ("1.0 constant=-2e6 0:1", "from -1000000 to 1000000 centipawns, not -2000000"),
        ("1.0 game=-1 0:1", "`-1` is no game"),
        ("1.0 score=40000 0:1", "`40000` is no score"),
        ("1.0 6:1", "index 6, but the parameter file names the indices 0 to 5"),
        ("1.0 0:many", "`many` is no count"),
        ("1.0 0:40000", "`40000` is no count"),
        ("1.0 -1:1", "`-1` is no index"),
        ("1.0 0:1 5", "`5` is neither index:count nor field=value"),
        ("1.0 fase=1 0:1", "unknown field `fase`"),
    ] {
        let text = format!("# a comment\n\n0.5 game=1 0:1\n{line}\n");
        let found = read_bytes(text.as_bytes()).expect_err(line);
        assert!(found.starts_with("file:4: ") && found.contains(message), "{line}: {found}");
    }
    let found = read_bytes(b"0.5 game=1 0:1\n\xff\n").expect_err("no text");
    assert_eq!(found, "file:2: not text in UTF-8");
    let long = [b"0.5 game=1".as_slice(), &[b' '; 1 << 20], b"\n"].concat();
    let found = read_bytes(&long).expect_err("a long line");
    assert_eq!(found, "file:1: a line of more than 1048576 bytes");
}

/// Every damage to a packed file is told with its offset.
#[test]
fn damaged_packed_files_are_refused() {
    let whole = packed(&positions(), 6);
    let block = 12;
    let records = block + 12;
    let changed = |at: usize, bytes: &[u8]| {
        let mut damaged = whole.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        // Damage within the records is told by their checksum: here it is a writer's mistake.
        let end = damaged.len() - 12;
        let checksum = crc32fast::hash(&damaged[records..end]);
        if at >= records && at < end {
            damaged[block + 8..records].copy_from_slice(&checksum.to_le_bytes());
        }
        damaged
    };
    let one = 1f32.to_le_bytes();
    for (damaged, message) in [
        (whole[..10].to_vec(), "at byte 8: the file ends within the number of cells"),
        (whole[..block + 5].to_vec(), "at byte 12: the file ends within the head of a block"),
        (whole[..records + 5].to_vec(), "at byte 24: the file ends within a block"),
        (whole[..whole.len() - 12].to_vec(), "the file ends within the head of a block"),
        ([&whole[..], b"x"].concat(), "something follows the end"),
        (changed(8, &[7]), "at byte 8: traces of 7 cells, but the parameter file names 6"),
        (changed(block + 3, &[9]), "at byte 12: a block of"),
        (changed(block + 8, &[0, 0]), "at byte 24: the checksum of the block is wrong"),
        (changed(block + 4, &[4]), "a record goes beyond its block"),
        (changed(block + 4, &[2]), "bytes follow the last record of the block"),
        (changed(whole.len() - 8, &[9]), "9 records are promised, and there are 3"),
        (changed(records, &[0, 0, 0, 64]), "at byte 24: the result must be from 0 to 1, not 2"),
        (changed(records + 4, &[0, 0, 192, 127]), "the phase must be from 0 to 1, not NaN"),
        (changed(records + 8, &[0, 0, 0, 64]), "the scale must be from 0 to 1, not 2"),
        (changed(records + 12, &[0, 0, 128, 127]), "from -1000000 to 1000000 centipawns, not inf"),
        (changed(records + 24, &[6]), "index 6, but the parameter file names the indices 0 to 5"),
    ] {
        let found = read_bytes(&damaged).expect_err(message);
        assert!(found.starts_with("file: at byte ") && found.contains(message), "{found}");
    }
    assert_eq!(whole[records..records + 4], one);
    // Cut anywhere, it is refused.
    for length in MAGIC_BYTES..whole.len() {
        assert!(read_bytes(&whole[..length]).is_err(), "{length} bytes");
    }
}

/// Bytes of how a packed file begins: with fewer it is taken for text.
const MAGIC_BYTES: usize = 8;

#[test]
fn damaged_parameter_files_are_refused() {
    let term = |text: &str| format!("# first\n[[term]]\nname = \"a.b\"\n{text}\n");
    for (text, message) in [
        ("# nothing".to_string(), "missing field `term`"),
        ("term = []".to_string(), "names no term"),
        (term(""), "numbers.toml:2: `a.b` needs either value"),
        (term("value = 1\nvalues = [1]"), "numbers.toml:2: `a.b` needs either value"),
        (term("values = []"), "numbers.toml:2: `a.b` needs either value"),
        (term("value = [1, 2, 3]"), "numbers.toml:4: expected a whole number, or two of them"),
        (term("value = 1.5"), "numbers.toml:4: "),
        (term("value = \"1\""), "numbers.toml:4: "),
        (term("values = [1, [2, 3]]"), "must all be numbers, or all pairs"),
        (term("value = 5\nrange = [6, 9]"), "numbers.toml:2: `a.b`: 5 is not in the range from 6"),
        (term("value = 5\nfreeze = true"), "numbers.toml:5: unknown field `freeze`"),
        (term("value = 5\n[[term]]\nname = \"a.b\"\nvalue = 1"), "numbers.toml:5: `a.b` is there"),
        (
            term("value = 5\n[[term]]\nname = \"a b\"\nvalue = 1"),
            "numbers.toml:5: `a b` is no name",
        ),
        ("[[term]\n".to_string(), "numbers.toml:1: "),
    ] {
        let error = ParameterFile::parse(&text, "numbers.toml").expect_err(&text);
        let found = format!("{error:#}");
        assert!(found.contains(message), "{text}\n{found}");
    }
}

#[test]
fn parameter_files_come_back_and_become_source() {
    let file = ParameterFile::parse(PARAMETERS, "numbers.toml").expect("a correct file");
    let written = file.to_toml(&file.values, "made\nby hand");
    assert!(written.starts_with("# made\n# by hand\n"), "{written}");
    assert_eq!(ParameterFile::parse(&written, "written").expect("correct"), file);
    let mut values = file.values.clone();
    values.0[0] = [90.0, 130.0];
    let source = |language: Language| language.source(&file, &values, "made by hand");
    assert_eq!(
        source(Language::C),
        "// made by hand\n\nstatic const int MATERIAL_PAWN[2] = {90, 130};\n\n\
         static const int MOBILITY[3] = {\n    -5, 0, 5,\n};\n\n\
         static const int SQUARES_KING[2][2] = {\n    {0, 0}, {10, -10},\n};\n"
    );
    assert!(source(Language::Cpp).contains("inline constexpr int squares_king[2][2] = {\n"));
    assert!(source(Language::Rust).contains("pub const SQUARES_KING: [[i32; 2]; 2] = [\n"));
    assert!(source(Language::Rust).contains("pub const MOBILITY: [i32; 3] = [\n    -5, 0, 5,\n];"));
    let language = |name: &str| Language::of(Path::new(name));
    assert_eq!(language("a.h"), Some(Language::C));
    assert_eq!(language("a.hpp"), Some(Language::Cpp));
    assert_eq!([language("a.txt"), language("a")], [None, None]);
}

#[test]
fn constants_need_names_of_their_own() {
    let with = |name: &str| {
        let text = format!("{PARAMETERS}\n[[term]]\nname = \"{name}\"\nvalue = 1\n");
        ParameterFile::parse(&text, "numbers.toml").expect("a correct file")
    };
    let languages = [Language::C, Language::Cpp, Language::Rust];
    assert_eq!(languages.map(|it| it.check(&with("tempo"))), [Ok(()), Ok(()), Ok(())]);
    for language in languages {
        let reason = language.check(&with("squares_king")).expect_err("there is squares.king");
        assert!(reason.contains("`squares.king` and `squares_king` would both be"), "{reason}");
    }
    assert!(Language::Cpp.check(&with("double")).is_err_and(|it| it.contains("a word of C++")));
    assert_eq!(Language::C.check(&with("double")), Ok(()), "it is DOUBLE there");
    assert!(Language::C.check(&with("eof")).is_err_and(|it| it.contains("a word of C:")));
    assert!(Language::Cpp.check(&with("main")).is_err_and(|it| it.contains("a word of C++")));
}

/// The whole of a file as one set.
fn store(path: &Path, parameters: &ParameterFile) -> LinearStore {
    let mut builder = Store::builder(parameters.terms.cells(), usize::MAX);
    let cells = parameters.terms.cells();
    read(path, cells, |position, _| position.append(&parameters.terms, &mut builder))
        .expect("a whole file");
    builder.finish().expect("room")
}

/// One of the optimizers.
type Optimize = fn(&Task<'_>, &mut dyn FnMut(&Iteration)) -> Solution;

/// Traces that the C++ header writes of a toy engine's evaluation are fitted to the optimum that a
/// solver in another language finds, within a millionth of the error.
#[test]
fn the_toy_engine_is_fitted_to_the_optimum_of_another_solver() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let Some(toy) = compiled("../docs/traces/toy_engine.cpp", folder.path()) else { return };
    let Some(solver) = compiled("tests/all/independent_solver.cpp", folder.path()) else { return };
    let book = folder.path().join("positions.book");
    write_book(&book, 1500);
    let (_, told, _) = output(Command::new(&toy).arg("parameters"));
    let parameters = ParameterFile::parse(&told, "toy").expect("a correct file");
    let paths = ["text", "packed"].map(|form| {
        let path = folder.path().join(form);
        assert_eq!(output(Command::new(&toy).arg(form).arg(&book).arg(&path)).0, Some(0));
        path
    });
    let [text, packed] = paths.each_ref().map(|path| store(path, &parameters));
    assert_eq!(text.evaluations(&parameters.values), packed.evaluations(&parameters.values));

    let pull = 1e-4;
    let starts: String = parameters
        .terms
        .0
        .iter()
        .flat_map(|term| term.cells().map(move |cell| (term.has_phases, cell)))
        .map(|(has_phases, cell)| {
            let [middlegame, endgame] = parameters.values.0[cell];
            if has_phases {
                format!("p {middlegame} {endgame}\n")
            } else {
                format!("s {endgame}\n")
            }
        })
        .collect();
    let starts_path = folder.path().join("starts");
    fs::write(&starts_path, starts).expect("writable");
    let mut solve = Command::new(&solver);
    solve.arg(&paths[0]).arg(&starts_path).arg(NATURAL.to_string()).arg(pull.to_string());
    let (_, least, _) = output(&mut solve);
    let least: f64 = least.trim().parse().expect("a number");

    let objective = Objective::new(&packed, 1.0, 0.0);
    let mut bounds = Bounds { low: parameters.values.0.clone(), high: parameters.values.0.clone() };
    for (cell, half, _) in parameters.terms.numbers() {
        bounds.low[cell][half] -= 1e6;
        bounds.high[cell][half] += 1e6;
    }
    let task = Task {
        training: &objective,
        validation: None,
        start: &parameters.values,
        bounds: &bounds,
        regularization: 1e4 * pull,
        ties: &Ties::default(),
        iterations: 300,
        seed: 1,
    };
    let start = task.errors(&parameters.values).1;
    for optimize in [quasi_newton as Optimize, levenberg_marquardt] {
        let found = task.errors(&optimize(&task, &mut |_| ()).values).1;
        assert!((found - least).abs() < 1e-6 * least, "{found}, but another solver finds {least}");
        assert!(found < 0.99 * start, "{found} from {start}");
    }
}

/// Engines answer over UCI with the traces they would have written, and results are added.
#[test]
fn engines_are_asked_for_traces() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let Some(toy) = compiled("../docs/traces/toy_engine.cpp", folder.path()) else { return };
    let path = |name: &str| folder.path().join(name);
    write_book(&path("positions.book"), 300);
    let (_, told, _) = output(Command::new(&toy).arg("parameters"));
    fs::write(path("numbers.toml"), told).expect("writable");
    let toy = toy.display().to_string();
    let ask = |engine: &[&str]| {
        let mut command = tuner();
        command.current_dir(folder.path()).args(["traces", "--engine"]).args(engine);
        command.args(["--parameters", "numbers.toml", "--positions", "positions.book"]);
        command.args(["--per-game", "0", "--keep-noisy", "--keep-duplicates", "--min-ply", "0"]);
        output(command.args(["--output", "answered.txt"]))
    };
    let (status, stdout, stderr) = ask(&[&toy, "arg=uci"]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("answered.txt (300 positions)"), "{stdout}");
    let mut make = Command::new(&toy);
    make.current_dir(folder.path()).args(["text", "positions.book", "written.txt"]);
    assert_eq!(output(&mut make).0, Some(0));
    let start = fs::read_to_string(path("numbers.toml")).expect("written");
    let start = ParameterFile::parse(&start, "toy").expect("a correct file");
    let lines = |name: &str| {
        let text = fs::read_to_string(path(name)).expect("written");
        let parse = |line| LinearPosition::parse(line, start.terms.cells()).expect("a trace");
        let without_game = |it: LinearPosition| LinearPosition { game: None, ..it };
        text.lines().map(parse).map(without_game).collect::<Vec<_>>()
    };
    assert_eq!(lines("answered.txt"), lines("written.txt"));
    // An engine that knows no such command, and one that does not start, leave what was there.
    let before = fs::read(path("answered.txt")).expect("written");
    for (engine, reason) in
        [([&toy, "arg=parameters"], "exited"), ([env!("CARGO_BIN_EXE_tuner"), "arg=uci"], "tuner")]
    {
        let (status, _, stderr) = ask(&engine);
        assert!(status == Some(3) && stderr.contains(reason), "{stderr}");
    }
    assert_eq!(fs::read(path("answered.txt")).expect("written"), before);
}
