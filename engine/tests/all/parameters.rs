//! Parameter files: round trips, ranges, and every way in which a file can be wrong.

use std::path::{Path, PathBuf};

use chess::Position;
use chess::evaluation::Evaluator;
use chess::evaluation::weights::SHAPE_GROUPS;
use chess::{Margins, Parameters, Weights};
use parameters::{CellKind, Declaration, Format, NameError, Number, ParametersError, Table};
use proptest::prelude::*;
use textbook::Methods;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/parameters").join(name)
}

/// A set in which neighboring numbers differ, so that a mixed-up order is seen.
fn varied(salt: usize) -> Parameters {
    let mut parameters = Parameters::zero();
    for (index, number) in Parameters::numbers().enumerate() {
        let (low, high) = (number.range().0 as i64, number.range().1 as i64);
        let value = low + (index * 7919 + salt * 104_729) as i64 % (high - low + 1);
        number.set(&mut parameters, value).unwrap();
    }
    parameters
}

#[test]
fn files_round_trip() {
    for salt in 0..20 {
        let parameters = varied(salt);
        let text = parameters.to_toml();
        let again = Parameters::from_toml(&text, "test").unwrap();
        assert_eq!(again, parameters);
        assert_eq!(again.to_toml(), text);
        let fits = |line: &str| !line.starts_with('#') || line.chars().count() <= 100;
        assert!(text.lines().all(fits), "a comment is too long");
        assert!(text.is_ascii() || text.chars().all(|c| !c.is_control() || c == '\n'));
        let notes = "Fitted from textbook.toml.\nHeld-out error 0.0712.";
        let noted = parameters.to_toml_with_notes(notes);
        assert!(noted.starts_with("# Fitted from textbook.toml.\n# Held-out error 0.0712.\n\n#"));
        assert_eq!(Parameters::from_toml(&noted, "test").unwrap(), parameters);
    }
}

/// When a value changes, its line changes and no other.
#[test]
fn changes_stay_in_their_line() {
    let base = varied(8);
    let text = base.to_toml();
    for number in Parameters::numbers().step_by(11) {
        for value in [number.range().0, number.range().1] {
            let mut parameters = base.clone();
            number.set(&mut parameters, i64::from(value)).unwrap();
            let changed = parameters.to_toml();
            assert_eq!(changed.lines().count(), text.lines().count());
            let differing = changed.lines().zip(text.lines()).filter(|(a, b)| a != b).count();
            assert_eq!(differing, usize::from(parameters != base), "{}", number.name());
        }
    }
}

/// The files in the repository stay as the writer writes them (after lines of notes): default.toml whole,
/// the others as far as they differ from their base. `KAMERTON_BLESS=1` rewrites them.
#[test]
fn repository_files_are_as_written() {
    let textbook = Parameters::load(&data("textbook.toml")).unwrap();
    let over_textbook = Some(("textbook", &textbook));
    check_written("default.toml", |set, notes| set.to_toml_with_notes(notes));
    check_written("textbook.toml", |set, notes| set.to_toml_over(notes, None));
    for name in ["zero.toml", "power.toml", "simplest.toml"] {
        check_written(name, |set, notes| set.to_toml_over(notes, over_textbook));
    }
}

fn check_written(name: &str, write: impl Fn(&Parameters, &str) -> String) {
    let text = std::fs::read_to_string(data(name)).unwrap();
    let set = Parameters::load(&data(name)).unwrap();
    // Notes are a paragraph of their own before that of the file itself.
    let paragraphs: Vec<&str> = text.split("\n\n").collect();
    let has_notes =
        paragraphs.get(1).is_some_and(|it| it.starts_with("# Every") || it.starts_with("# All"));
    let notes = if has_notes { paragraphs[0].replace("\n# ", " ") } else { String::new() };
    let written = write(&set, notes.trim_start_matches("# "));
    if std::env::var_os("KAMERTON_BLESS").is_some() {
        std::fs::write(data(name), written).unwrap();
    } else {
        assert!(text == written, "{name} is not as it is written; KAMERTON_BLESS=1 rewrites it");
    }
}

/// `zero.toml` knows nothing that a fit could find: every term says nothing, and all else is that of
/// `textbook.toml`. `KAMERTON_BLESS=1` makes it so again where margins or terms have changed.
#[test]
fn zero_knows_nothing() {
    let textbook = Parameters::load(&data("textbook.toml")).unwrap();
    let mut expected = textbook.clone();
    for number in Parameters::numbers() {
        let group = number.declaration.group;
        let is_term = number.declaration.table == Table::Weights;
        if !is_term || SHAPE_GROUPS.contains(&group) {
            continue;
        }
        let (low, high) = number.range();
        let nothing = match number.name().as_str() {
            // A lead that is not scaled is whole; danger that starts at nothing has no slope.
            _ if group == "scale" => 128,
            name if name.starts_with("danger.start") => 60,
            _ => 0.clamp(low, high),
        };
        number.set(&mut expected, i64::from(nothing)).unwrap();
    }
    if std::env::var_os("KAMERTON_BLESS").is_some() {
        let notes = "Nothing: every term is 0, or the end of its range nearest to it (a piece is worth \
                     the least it may be), scales are neutral (128), and danger starts where its \
                     square has a slope (60, for both sides, which cancels). All margins and \
                     switches, the closing formula and known endings are those of textbook.toml.";
        let written = expected.to_toml_over(notes, Some(("textbook", &textbook)));
        std::fs::write(data("zero.toml"), written).unwrap();
    }
    let zero = Parameters::load(&data("zero.toml")).unwrap();
    assert!(zero == expected, "zero.toml is not nothing; KAMERTON_BLESS=1 makes it so");
    // What says nothing of positions with the same men on both sides.
    let evaluator = &mut Evaluator::new();
    for fen in [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r4rk1/ppp2ppp/8/3q4/8/6Q1/PPP2PPP/1K1R3R b - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(evaluator.evaluate(position.board(), &zero.weights), 0, "{fen}");
    }
}

#[test]
fn embedded_file_is_the_loaded_one() {
    let embedded = Parameters::embedded();
    assert_eq!(
        **embedded,
        Parameters::from_toml(&chess::GAME.block().contents().unwrap().parameters, "embedded")
            .unwrap()
    );
    if std::env::var_os("KAMERTON_PARAMETERS").is_none() {
        assert_eq!(**embedded, Parameters::load(&data("default.toml")).unwrap());
    }
}

/// Every number can be set to both ends of its range, by name and by file, and to nothing beyond.
#[test]
fn both_ends_of_every_range() {
    let base = varied(3);
    for number in Parameters::numbers() {
        let name = number.name();
        let (low, high) = number.range();
        assert!(low < high, "{name}: an empty range");
        assert!(number.step() > 0, "{name}: a step of nothing");
        // Halves of a score are 16 bits; sums of many must fit too.
        let is_half = name.ends_with(".middlegame") || name.ends_with(".endgame");
        assert!(!is_half || (low > -5000 && high < 5000), "{name}: too wide for half a score");
        for value in [low, high] {
            let mut parameters = base.clone();
            parameters.set(&name, i64::from(value)).unwrap();
            assert_eq!(parameters.get(&name), Ok(value), "{name}");
            let changed =
                Parameters::numbers().filter(|n| n.value(&parameters) != n.value(&base)).count();
            assert_eq!(changed, usize::from(value != number.value(&base)), "{name}");
        }
        for value in [i64::from(low) - 1, i64::from(high) + 1, i64::MIN, i64::MAX] {
            let mut parameters = base.clone();
            let refused = parameters.set(&name, value).unwrap_err();
            assert_eq!(refused, NameError::OutOfRange { name: name.clone(), value, low, high });
            assert_eq!(parameters, base);
        }
    }
    for ends in [|number: &Number| number.range().0, |number: &Number| number.range().1] {
        let mut parameters = Parameters::zero();
        for number in Parameters::numbers() {
            number.set(&mut parameters, i64::from(ends(&number))).unwrap();
        }
        assert_eq!(Parameters::from_toml(&parameters.to_toml(), "test").unwrap(), parameters);
    }
}

/// Where the entry of a declaration begins in the text.
fn place_of(text: &str, info: &Declaration) -> usize {
    let group = text.find(&format!("\n[{}.{}]\n", info.table.name(), info.group)).unwrap();
    group + text[group..].find(&format!("\n{} = ", info.name)).unwrap() + 1
}

/// Every margin beyond its range is refused in a file, at its line.
#[test]
fn margins_beyond_their_range_are_refused_in_files() {
    let text = varied(1).to_toml();
    for info in Margins::INFO {
        let start = place_of(&text, info);
        let end = start + text[start..].find('\n').unwrap();
        let name = format!("margins.{}", info.path());
        for value in [i64::from(info.range.0) - 1, i64::from(info.range.1) + 1, i64::MAX] {
            let line = format!("{} = {value}", info.name);
            let changed = format!("{}{line}{}", &text[..start], &text[end..]);
            let (low, high) = info.range;
            let message = format!("`{name}` is {value}; expected an integer from {low} to {high}");
            assert_refused_at(&changed, start + info.name.len() + 3, &message);
        }
    }
}

fn first(condition: impl Fn(&Declaration) -> bool) -> &'static Declaration {
    // Its name alone must tell it from others: the tests look it up in the text by that.
    let unique = |name| Weights::INFO.iter().filter(|info| info.name == name).count() == 1;
    Weights::INFO
        .iter()
        .find(|info| condition(info) && unique(info.name))
        .expect("there is one of each kind")
}

/// Asserts that the text is refused with the message at `token`'s place plus `skip` bytes.
#[track_caller]
fn assert_refused(text: &str, token: &str, skip: usize, message: &str) {
    assert_refused_at(text, text.find(token).expect("the text holds the token") + skip, message);
}

/// Asserts that the text is refused with the message at this byte.
#[track_caller]
fn assert_refused_at(text: &str, offset: usize, message: &str) {
    let line = text[..offset].matches('\n').count() + 1;
    let column = offset - text[..offset].rfind('\n').map_or(0, |newline| newline + 1) + 1;
    let refused = Parameters::from_toml(text, "file.toml").unwrap_err().to_string();
    assert_eq!(refused, format!("file.toml:{line}:{column}: {message}"));
}

/// The text with the whole entry of the declaration replaced; entries may span lines.
fn with_entry(text: &str, info: &Declaration, entry: &str) -> String {
    let start = place_of(text, info);
    let mut end = start;
    let mut depth = 0;
    for (index, byte) in text[start..].bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b'\n' if depth == 0 => {
                end = start + index;
                break;
            }
            _ => {}
        }
    }
    format!("{}{entry}{}", &text[..start], &text[end..])
}

#[test]
fn wrong_margins() {
    let text = varied(2).to_toml();
    let info = Margins::INFO.iter().find(|info| !info.is_switch()).unwrap();
    let (name, (low, high)) = (info.name, info.range);
    let full = format!("margins.{}", info.path());
    let expected = format!("expected an integer from {low} to {high}");
    for (value, found) in [
        ("1.5", "1.5, not an integer"),
        ("\"high\"", "the text \"high\""),
        ("true", "true"),
        ("[]", "an array of 0 entries"),
        ("{ x = 1 }", "a table"),
        ("1979-05-27", "the date 1979-05-27"),
        ("99999999999999999999", "99999999999999999999"),
        ("0x7fffffff", "0x7fffffff"),
    ] {
        let line = format!("{name} = {value}");
        let changed = with_entry(&text, info, &line);
        let message = format!("`{full}` is {found}; {expected}");
        assert_refused(&changed, &line, name.len() + 3, &message);
    }
    let misspelt = format!("{}x", &name[..name.len() - 1]);
    let changed = with_entry(&text, info, &format!("{misspelt} = 1"));
    let message =
        format!("unknown margin `margins.{}.{misspelt}` (did you mean `{name}`?)", info.group);
    assert_refused(&changed, &misspelt, 0, &message);
    let last = Margins::INFO.last().unwrap().group;
    let alien = format!("{text}zzzz = 1\n");
    assert_refused(&alien, "zzzz", 0, &format!("unknown margin `margins.{last}.zzzz`"));
    let twice = with_entry(&text, info, &format!("{name} = {low}\n{name} = {low}"));
    let refused = Parameters::from_toml(&twice, "file.toml").unwrap_err().to_string();
    let second = twice[..place_of(&twice, info)].matches('\n').count() + 2;
    assert_eq!(refused, format!("file.toml:{second}:1: not TOML: duplicate key"));
}

/// Margins once stood in one table without groups; whoever has such a file is told the new names.
#[test]
fn files_of_margins_without_groups_are_told_the_new_names() {
    for (old, new) in [
        ("aspiration_enabled", "aspiration.enabled"),
        ("null_move_reduction_base", "null_move.reduction_base"),
        ("correction_pawn_weight", "correction_history.pawn_weight"),
        ("quiescence_exchange_margin", "quiescence_exchange.margin"),
        ("history_penalty", "history.penalty"),
        ("time_node_share_base", "time_node_share.base"),
    ] {
        let text = format!("[margins]\n{old} = 1\n");
        let message = format!("unknown group `margins.{old}` (did you mean `{new}`?)");
        assert_refused(&text, old, 0, &message);
        let message = format!("unknown parameter `{old}` (did you mean `{new}`?)");
        assert_eq!(Parameters::find(old).unwrap_err().to_string(), message);
    }
    for info in Margins::INFO {
        let old = format!("{}_{}", info.group, info.name);
        let refused = Parameters::find(&old).unwrap_err().to_string();
        assert!(refused.ends_with(&format!(" (did you mean `{}`?)", info.path())), "{refused}");
    }
}

#[test]
fn wrong_weights() {
    let text = varied(2).to_toml();
    let info = first(|info| info.is_array && info.kind == CellKind::Score);
    let (group, name, length, (low, high)) = (info.group, info.name, info.length, info.range);
    let pair = format!("[middlegame, endgame], each an integer from {low} to {high}");
    let expected = format!("expected an array of {length} entries, each {pair}");
    let full = format!("weights.{group}.{name}");
    let entries = vec![format!("[{low}, {high}]"); length];
    let check = |entries: &[String], skip_to: &str, message: &str| {
        let line = format!("{name} = [{}]", entries.join(", "));
        let changed = with_entry(&text, info, &line);
        assert_refused(&changed, &line, line.find(skip_to).unwrap(), message);
    };
    let short = format!("`{full}` has {} entries; {expected}", length - 1);
    check(&entries[1..], &format!("[[{low}"), &short);
    let mut long = entries.clone();
    long.push("[0, 0]".to_string());
    let message = format!("`{full}` has {} entries; {expected}", length + 1);
    check(&long, &format!("[[{low}"), &message);
    let mut single = entries.clone();
    single[length - 1] = "7".to_string();
    let message = format!("`{full}[{}]` is the integer 7; expected {pair}", length - 1);
    check(&single, "7]", &message);
    let mut three = entries.clone();
    three[1] = format!("[{low}, {low}, {low}]");
    let message = format!("`{full}[1]` has 3 entries; expected {pair}");
    check(&three, &format!("[{low}, {low}, "), &message);
    let mut beyond = entries.clone();
    beyond[1] = format!("[{low}, {}]", i64::from(high) + 1);
    let message = format!(
        "`{full}[1].endgame` is {}; expected an integer from {low} to {high}",
        i64::from(high) + 1
    );
    check(&beyond, &format!("{}]", i64::from(high) + 1), &message);

    let line = format!("{name} = 12");
    let message = format!("`{full}` is the integer 12; {expected}");
    assert_refused(&with_entry(&text, info, &line), &line, name.len() + 3, &message);
}

#[test]
fn wrong_documents() {
    let text = varied(2).to_toml();
    let group = Weights::INFO[0].group;
    let header = format!("[weights.{group}]");
    let misspelt = format!("[weights.{group}s]");
    let changed = text.replacen(&header, &misspelt, 1);
    let message = format!("unknown group `weights.{group}s` (did you mean `{group}`?)");
    assert_refused(&changed, &misspelt, "[weights.".len(), &message);
    let changed = text.replace("[margins.", "[margin.");
    let message = "unknown table `margin` (did you mean `margins`?)";
    assert_refused(&changed, "[margin.", 1, message);
    let message = "`margins` is the integer 5; expected a table";
    assert_refused("margins = 5", "margins", 0, message);
    let broken = text.replacen(&header, &header[..header.len() - 1], 1);
    let message = Parameters::from_toml(&broken, "file.toml").unwrap_err().to_string();
    let line = broken.lines().position(|line| line == &header[..header.len() - 1]).unwrap() + 1;
    assert!(message.starts_with(&format!("file.toml:{line}:")), "{message}");
    assert!(message.contains(": not TOML: "), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    for empty in ["", "# nothing\n", "[margins]\n"] {
        assert_refused(empty, empty, 0, "no number and no base is named: no parameter file");
    }
    let names = "one of textbook, default, zero, power, simplest";
    let message = format!("unknown base `textbok` (did you mean `textbook`?); expected {names}");
    assert_refused("base = \"textbok\"", "\"textbok", 0, &message);
    let message = format!("`base` is the integer 5; expected {names}");
    assert_refused("base = 5", "5", 0, &message);
    let of_game = format!("game = \"chess\"\n{text}");
    assert_eq!(Parameters::from_toml(&of_game, "file.toml").unwrap(), varied(2));
    let message = "`game` is the text \"draughts\"; expected game = \"chess\"";
    assert_refused("game = \"draughts\"", "\"draughts", 0, message);
    let message = "`game` is the integer 5; expected game = \"chess\"";
    assert_refused("game = 5", "5", 0, message);
}

#[test]
fn unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    let absent = folder.path().join("absent.toml");
    let error = Parameters::load(&absent).unwrap_err();
    assert!(matches!(error, ParametersError::Read { .. }));
    assert!(error.to_string().starts_with(&format!("{}: ", absent.display())), "{error}");
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"# fine\n[margins]\nx = \xff\n").unwrap();
    let error = Parameters::load(&binary).unwrap_err().to_string();
    let place = format!("{}:3:5: ", binary.display());
    assert_eq!(error, format!("{place}not UTF-8 text; a parameter file is TOML"));
}

/// A number that a file does not name is as in its base, or as declared, and the file's whole text says
/// the same without either.
#[test]
fn files_say_what_differs_from_their_base() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("partial.toml");
    let info = Margins::INFO.iter().find(|info| !info.is_switch()).unwrap();
    let named = |name: &str| Parameters::open(name.as_ref()).unwrap();
    for (base, expected) in [
        ("", Parameters::declared()),
        ("base = \"textbook\"\n", named("textbook")),
        ("base = \"zero\"\n", named("zero")),
    ] {
        let (low, high) = info.range;
        let value = if expected.get(&info.path()).unwrap() == high { low } else { high };
        let entry = format!("[margins.{}]\n{} = {value}\n", info.group, info.name);
        std::fs::write(&path, format!("# A note.\n{base}{entry}")).unwrap();
        let mut expected = expected;
        expected.set(&info.path(), i64::from(value)).unwrap();
        assert_eq!(Parameters::load(&path).unwrap(), expected, "{base}");
        let (parameters, missing) = Parameters::load_with_missing(&path).unwrap();
        assert_eq!(parameters, expected);
        assert_eq!(missing.len(), Weights::INFO.len() + Margins::INFO.len() - 1);
        assert!(!missing.contains(&format!("margins.{}", info.path())));
        let (parameters, whole) = Parameters::open_whole(&path).unwrap();
        assert_eq!(parameters, expected);
        assert_eq!(whole, format!("# A note.\n\n{}", expected.to_toml()));
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(Parameters::open_whole(&path).unwrap(), (expected, whole));
    }
}

/// Names of groups that are others today.
#[test]
fn former_names_of_groups_are_told_the_new_ones() {
    let renamed: Vec<_> =
        Margins::INFO.iter().filter(|info| !info.former_group.is_empty()).collect();
    assert!(renamed.iter().any(|info| info.former_group == "second_look"));
    for info in renamed {
        let (old, new) = (info.former_group, info.group);
        let text = format!("[margins.{old}]\n{} = 0\n", info.name);
        let message = format!("unknown group `margins.{old}` (did you mean `{new}`?)");
        assert_refused(&text, old, 0, &message);
        let refused = Parameters::find(&format!("{old}.{}", info.name)).unwrap_err().to_string();
        assert!(refused.ends_with(&format!(" (did you mean `{}`?)", info.path())), "{refused}");
    }
}

#[test]
fn names_are_found_or_refused() {
    for number in Parameters::numbers() {
        let name = number.name();
        assert_eq!(Parameters::find(&name).unwrap().name(), name);
        let table = number.declaration.table.name();
        assert_eq!(Parameters::find(&format!("{table}.{name}")).unwrap().name(), name);
        let other = if table == "weights" { "margins" } else { "weights" };
        assert!(Parameters::find(&format!("{other}.{name}")).is_err(), "{name}");
    }
    let array = first(|info| info.is_array && info.kind == CellKind::Score);
    let name = format!("{}.{}", array.group, array.name);
    let refusal = |name: &str| Parameters::find(name).unwrap_err().to_string();
    let example = format!("`{name}[0].middlegame`");
    assert_eq!(
        refusal(&name),
        format!("`{name}` names an array; name one number, such as {example}")
    );
    assert_eq!(
        refusal(&format!("{name}[0]")),
        format!("`{name}[0]` names a pair; name one number, such as {example}")
    );
    let length = array.length;
    assert_eq!(
        refusal(&format!("{name}[{length}].endgame")),
        format!("`{name}[{length}].endgame`: the index must be below {length}")
    );
    assert!(refusal(&format!("{name}s")).contains("did you mean"));
    for odd in ["", ".", "[", "a.b.c.d", "a[0", "x.y[", "x.y]", "🦀.🦀[1].middlegame"] {
        assert!(matches!(Parameters::find(odd), Err(NameError::Unknown { .. })), "{odd}");
    }
    for odd in ["[-1]", "[ 0]", "[0]x", "[0].middle", "[0].endgame.x", "[99999999999999999999]"] {
        assert!(matches!(Parameters::find(&(name.clone() + odd)), Err(NameError::Unknown { .. })));
    }
}

#[test]
fn fingerprints_tell_sets_apart() {
    let base = varied(1);
    assert_eq!(base.fingerprint(), varied(1).fingerprint());
    assert_eq!(base.fingerprint().len(), 12);
    assert!(base.fingerprint().chars().all(|c| c.is_ascii_hexdigit() && !c.is_uppercase()));
    for number in Parameters::numbers() {
        let mut other = base.clone();
        let (low, high) = number.range();
        let value = if number.value(&base) == low { high } else { low };
        number.set(&mut other, i64::from(value)).unwrap();
        assert_ne!(other.fingerprint(), base.fingerprint(), "{}", number.name());
    }
}

#[test]
fn forms_for_other_tools() {
    let parameters = varied(4);
    let json: serde_json::Value = serde_json::from_str(&parameters.format(Format::Json)).unwrap();
    assert_eq!(json["fingerprint"], parameters.fingerprint().as_str());
    let rows = json["numbers"].as_array().unwrap();
    assert_eq!(rows.len(), Parameters::numbers().count());
    let text = parameters.format(Format::Csv);
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let csv: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!(csv.len(), rows.len());
    for ((number, json), csv) in Parameters::numbers().zip(rows).zip(&csv) {
        assert_eq!(json["name"], number.name().as_str());
        assert_eq!(json["value"], number.value(&parameters));
        assert_eq!(csv[0], number.name());
        assert_eq!(csv[1], number.value(&parameters).to_string());
        assert_eq!(&csv[5], number.doc());
    }
    let all = parameters.format(Format::OpenBenchAll);
    let switches = Margins::numbers().filter(Number::is_switch).count();
    assert_eq!(all.lines().count(), rows.len() - switches);
    let margins = parameters.format(Format::OpenBench);
    assert!(all.ends_with(&margins));
    for line in all.lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        let number = Parameters::find(fields[0]).unwrap();
        let (low, high) = number.range();
        let value = number.value(&parameters);
        let expected = [value, low, high, number.step()].map(|n| n.to_string());
        assert_eq!(fields[1], "int");
        assert_eq!(fields[2..6], expected);
        assert_eq!(fields[6], "0.002");
    }
    let text = parameters.format(Format::Text);
    for name in Weights::INFO.iter().map(|i| i.name).chain(Margins::INFO.iter().map(|i| i.name)) {
        assert!(text.contains(&format!("\n  {name} ")), "{name}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\PC|\n|\\[weights.|\\[margins\\]|=|\\[|\\]|[0-9]){0,80}") {
        let _ = Parameters::from_toml(&text, "any");
        let _ = Parameters::find(&text);
    }

    #[test]
    fn damaged_files_are_refused_or_read_without_panic(at in 0.0..1.0f64, byte in any::<u8>()) {
        let mut bytes = varied(6).to_toml().into_bytes();
        let index = (at * bytes.len() as f64) as usize;
        bytes[index] = byte;
        if let Ok(text) = String::from_utf8(bytes)
            && let Err(error) = Parameters::from_toml(&text, "any")
        {
            prop_assert!(error.to_string().starts_with("any:"));
        }
    }
}

/// A set of the file's text, which is correct.
fn set_of(text: &str) -> Parameters {
    Parameters::from_toml(text, "file.toml").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_table_of_methods_chooses_the_textbook_s_search() {
    let text = "base = \"default\"\n[textbook.null_move]\nenabled = 1\n";
    let mut set = set_of(text);
    let methods = set.textbook.expect("the textbook's search");
    assert!(methods.null_move.enabled() && !methods.alpha_beta.enabled());
    let default = Parameters::embedded();
    assert_eq!((set.weights, set.margins), (default.weights, Parameters::declared().margins));
    assert_ne!(set.fingerprint(), default.fingerprint());
    assert_eq!(set_of(&set.to_toml()), set);
    assert_eq!(set_of(&set.to_toml_over("", Some(("default", default)))), set);
    // Without its table a name means the search that plays.
    set.set("null_move.enabled", 0).unwrap();
    assert_eq!(set.get("textbook.null_move.enabled"), Ok(0));
    assert_eq!(Parameters::embedded().get("null_move.enabled"), Ok(1));
    let refused = set.set("margins.null_move.enabled", 1).unwrap_err().to_string();
    let expected =
        "`null_move.enabled` is a number of [margins], and the set has [textbook] in its place";
    assert_eq!(refused, expected);
    let refused = Parameters::zero().set("negascout.enabled", 1).unwrap_err().to_string();
    let expected = "`textbook.negascout.enabled` is a number of [textbook], and the set has [margins] in its place";
    assert_eq!(refused, expected);
    // An empty table is enough: the search is minimax then.
    assert_eq!(set_of("[textbook]\n").textbook, Some(Methods::declared()));
    let alike = set_of(&set_of("base = \"power\"\n").to_toml());
    assert_eq!(alike, Parameters::load(&data("power.toml")).unwrap());
}

#[test]
fn margins_beside_methods_are_refused() {
    let message = "`margins` beside `textbook`: the textbook's search has all its numbers in \
                   [textbook]; leave one of both tables out";
    let text = "[textbook]\n[margins.razoring]\nenabled = 1\n";
    assert_refused(text, "margins", 0, message);
    let text = "base = \"power\"\n[margins.razoring]\nenabled = 1\n";
    assert_refused(text, "margins", 0, message);
    let message = "unknown group `margins.negascout` (a method of the textbook's search: \
                   `textbook.negascout`)";
    assert_refused("[margins.negascout]\nenabled = 1\n", "negascout", 0, message);
    let message = "`textbook.null_move.enabled` is 2; expected an integer from 0 to 1";
    assert_refused("[textbook.null_move]\nenabled = 2\n", "2", 0, message);
}
