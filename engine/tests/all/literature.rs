//! The methods of the literature as `kamerton params` lists them: whatever the sources have is there.

use std::collections::HashMap;

use chess::Margins;
use engine::console::literature::{rows, section};
use parameters::Declaration;

const DOCUMENT: &str = include_str!("../../../docs/explanation/methods.md");

/// The features of the sources, by the names that the project's notes on them use, and the methods
/// that stand for them here.
const FEATURES: [(&str, &[&str]); 84] = [
    ("Hanoi", &["Towers of Hanoi"]),
    ("Queens", &["Eight queens"]),
    ("Line counts", &["Counts of lines"]),
    ("Corners board", &["Corners: board, search, bit set"]),
    ("Corners search", &["Corners: board, search, bit set"]),
    ("Bit set", &["Corners: board, search, bit set"]),
    ("Mate distance", &["Mate distance"]),
    ("Draw score", &["Draw score"]),
    ("NegaMax", &["NegaMax, alpha-beta"]),
    ("Alpha-beta", &["NegaMax, alpha-beta"]),
    ("Fail-soft", &["Fail-soft"]),
    ("Zero window", &["Zero window"]),
    ("PVS", &["Principal-variation search"]),
    ("NegaScout variants", &["NegaScout"]),
    ("Node-level exercise", &["NegaScout by whole nodes (exercise)"]),
    ("Piece lists", &["Piece lists, index board, 0x88, 16×16, linked sliders"]),
    ("Index board", &["Piece lists, index board, 0x88, 16×16, linked sliders"]),
    ("MVV/LVA", &["Captures by victim, then attacker"]),
    ("Last-mover captures", &["Captures of the last mover first"]),
    ("Three quiet lists", &["Three lists of quiet moves"]),
    ("Pick", &["Picking instead of sorting"]),
    ("0x88", &["Piece lists, index board, 0x88, 16×16, linked sliders"]),
    ("Bitboard pawns", &["Bitboards: pawns, index of a bit, rotated planes"]),
    ("Bit index", &["Bitboards: pawns, index of a bit, rotated planes"]),
    ("Rotated planes", &["Bitboards: pawns, index of a bit, rotated planes"]),
    ("Linked sliders", &["Piece lists, index board, 0x88, 16×16, linked sliders"]),
    ("Stalemate rule", &["Stalemate by king moves"]),
    ("Typical evaluation", &["Typical evaluation; passed pawns"]),
    ("Passed pawn", &["Typical evaluation; passed pawns"]),
    ("Simple evaluation", &["Simple evaluation"]),
    ("Horizon positions", &["Horizon positions"]),
    ("Quiescence", &["Captures to the end"]),
    ("Quiescence with checks", &["Checks in the forced search, Lang's scheme"]),
    ("Check extension", &["Check"]),
    ("Capture extension", &["Captures by a table of plies"]),
    ("Fractional depth", &["Fractional depth"]),
    ("Single reply", &["Single reply, by count"]),
    ("Distance table", &["Queen approach by the table of distances"]),
    ("Queen approach", &["Queen approach by the table of distances"]),
    ("Deep static cut", &["Cut of deep nodes by a queen"]),
    ("Power program", &["Power program"]),
    ("Simplest program", &["Simplest program"]),
    ("Hash table", &["Table: bounds, mates by distance"]),
    ("Piece weights, INFINITY", &["Pieces in centipawns, infinity of ten queens"]),
    ("Stalemate", &["Stalemate by king moves"]),
    ("Program B stand-pat table", &["Standing pat by a table of plies"]),
    ("Lazy cut (B)", &["Lazy cut of program B"]),
    ("Internal deepening", &["Internal deepening"]),
    ("Zobrist", &["Zobrist keys"]),
    (
        "Hash entry and flags",
        &["Table: bounds, mates by distance", "Compact entries by move number"],
    ),
    ("Replacement", &["Replacement by depth; always", "Two tables"]),
    ("Hash move legality", &["Legality of the table's move"]),
    ("Instability remedy", &["Safe second search"]),
    ("Repetition", &["Repetition by the keys of the line"]),
    ("Check detector", &["Check detector"]),
    ("Null move", &["Null move, reduced, zero window", "Its static conditions; once a line"]),
    ("Null threat", &["Null move finds threats"]),
    ("Killer", &["Killers"]),
    ("History", &["History"]),
    ("Capture order", &["Captures of the last mover first", "Captures by victim, then attacker"]),
    ("Aspiration", &["Aspiration"]),
    ("MTD(f)", &["MTD(f), plain and bisecting"]),
    ("Futility", &["Futility on the last two plies"]),
    ("Razoring", &["Razoring on the last four"]),
    (
        "Static search 1-8",
        &[
            "Static search 1: all moves, alpha raised",
            "Static search 2: captures only",
            "Static search 3: no more than the evaluation after the move",
            "Static search 4: checks are spared",
            "Static search 5: extended moves are spared",
            "Static search 6: answers to extended moves are spared",
            "Static search 7: quiet moves are not made",
            "Static search 8: imitation of full search",
        ],
    ),
    ("Check-reply flag", &["Static search 6: answers to extended moves are spared"]),
    ("Old selection", &["Older selective search, threat field"]),
    ("LazyEval", &["LazyEval"]),
    ("PV line", &["Principal variation as a line"]),
    ("PV tree, reply flag", &["Principal-variation tree, reply flag"]),
    ("Dynamic margin", &["Dynamic margin, stronger form"]),
    ("Reduction version", &["Reductions in place of cuts"]),
    ("Lang checks", &["Checks in the forced search, Lang's scheme"]),
    ("Order as style", &["Order of pieces as style, backward moves last"]),
    ("Hybrid quiescence", &["Hybrid: two plies of all moves"]),
    ("Tic-tac-toe", &["Tic-tac-toe"]),
    ("Generator", &["Twin flags, generator of appendix 2"]),
    ("Twin flag", &["Twin flags, generator of appendix 2"]),
    ("Hash index", &["Index by mask"]),
    ("Tchess phases", &["Tchess: four phases"]),
    ("Opening library", &["Opening library"]),
    ("Backward moves", &["Reduced backward moves"]),
    ("Threshold of the single reply", &["Single reply, by a threshold of alpha"]),
    ("Single reply by material", &["Single reply, by the list of moves that keep the material"]),
];

#[test]
fn every_feature_of_the_sources_is_listed_with_its_place_or_its_refusal() {
    let rows = rows();
    for (feature, methods) in FEATURES {
        for method in methods {
            let row = rows.iter().find(|row| row.method == *method);
            let row = row.unwrap_or_else(|| panic!("{feature}: no row {method}"));
            assert!(!row.pages.is_empty() && !row.here.is_empty(), "{feature}: {row:?}");
        }
    }
}

#[test]
fn every_row_of_the_tables_is_printed() {
    let printed = section();
    let tables = DOCUMENT.split("\n| method | pages |").skip(1);
    let mut count = 0;
    for table in tables {
        for line in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
            let method = line.split('|').nth(1).expect("a cell").trim();
            assert!(printed.contains(&format!("\n  {method} (")), "{method}");
            count += 1;
        }
    }
    assert_eq!((count, printed.lines().count() - 2), (rows().len(), count));
    assert!(!printed.contains('`') && !printed.contains('|'), "plain text");
}

/// The worth of each method by the matches of a table, by its name; none where no game was played. If a
/// set is given, only rows of that set count.
fn worths(table: &str, set: Option<&str>) -> HashMap<String, Option<String>> {
    let mut lines = table.lines().map(fields);
    let heads = lines.next().expect("a head");
    let place = |head: &str| heads.iter().position(|name| name == head).expect("a column");
    let [method, switch, elo, error, games] =
        ["method", "switch", "elo", "elo_error", "games"].map(place);
    let rounded = |field: &str| field.parse::<f64>().expect("a number").round_ties_even() as i64;
    let worth = |row: Vec<String>| {
        let is_played = row[games] != "0";
        let text = is_played.then(|| {
            let brings = rounded(&row[elo]) * if row[switch] == "off" { -1 } else { 1 };
            format!("{brings:+} ± {}", rounded(&row[error]))
        });
        (row[method].clone(), text)
    };
    lines.filter(|row| set.is_none_or(|set| row[place("set")] == set)).map(worth).collect()
}

/// The fields of a line of CSV, of which some are quoted.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    for (index, part) in line.split('"').enumerate() {
        let is_quoted = index % 2 == 1;
        for (number, piece) in part.split(',').enumerate() {
            match (number, is_quoted) {
                (0, _) => fields.last_mut().expect("a field").push_str(piece),
                (_, true) => *fields.last_mut().expect("a field") += &format!(",{piece}"),
                (_, false) => fields.push(piece.to_owned()),
            }
        }
    }
    fields
}

/// The cell that a row of the tour must have: what the switches that it names bring.
fn worth_of(here: &str, worths: &HashMap<String, Option<String>>) -> String {
    let mut named: Vec<&str> = Vec::new();
    for token in here.split('`').skip(1).step_by(2) {
        let token = token.strip_suffix(".enabled").unwrap_or(token);
        if worths.contains_key(token) && !named.contains(&token) {
            named.push(token);
        }
    }
    if here.starts_with("refused") || named.is_empty() {
        return String::new();
    }
    let worth = |name: &str| worths[name].as_deref().unwrap_or("not played yet");
    match named.as_slice() {
        [only] => worth(only).to_owned(),
        many if many.iter().all(|name| worths[*name].is_none()) => worth(many[0]).to_owned(),
        many => {
            let each = many.iter().map(|name| format!("`{name}` {}", worth(name)));
            each.collect::<Vec<_>>().join("; ")
        }
    }
}

/// The switches of the modern search.
fn modern_switches() -> impl Iterator<Item = String> {
    let name = |info: &Declaration| match info.name {
        "enabled" => info.group.to_owned(),
        other => format!("{}.{other}", info.group),
    };
    Margins::INFO.iter().filter(|info| info.is_switch()).map(name)
}

/// `scripts/worth` writes the cells; a row that is played, or a switch that a row names, changes them.
#[test]
fn the_tour_says_of_worth_what_was_played() {
    let textbook = include_str!("../../../docs/lab/textbook.csv");
    // Methods that one of both tables lacks are not played there.
    let mut in_sets = [Some("plain"), Some("full")].map(|set| worths(textbook, set));
    for name in worths(textbook, None).into_keys() {
        for worths in &mut in_sets {
            worths.entry(name.clone()).or_default();
        }
    }
    let [alone, in_the_set] = in_sets;
    let mut modern = worths(include_str!("../../../docs/lab/worth.csv"), None);
    for name in modern_switches() {
        modern.entry(name).or_default();
    }
    let (_, tables) = DOCUMENT.split_once("<!-- worth: from").expect("a marker");
    let (tables, _) = tables.split_once("<!-- worth: up to here -->").expect("a marker");
    let mut count = 0;
    for line in tables.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", method, pages, claim, why, here, worth @ .., ""] = &cells[..] else {
            panic!("eight columns: {line}")
        };
        let (method, here) = (*method, *here);
        if method == "method" {
            continue;
        }
        assert!([pages, claim, why].iter().all(|cell| !cell.is_empty()), "{line}");
        let expected = [&alone, &in_the_set, &modern].map(|worths| worth_of(here, worths));
        assert_eq!(worth, expected, "{method}: run scripts/worth");
        count += 1;
    }
    assert!(count > 70, "{count} rows");
}
