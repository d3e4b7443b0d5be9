//! The book of the documents: none is left out, and none is listed that is not there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_book_has_every_document() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = summary
        .lines()
        .filter_map(|line| Some(line.split_once("](")?.1.trim_end_matches(')').to_owned()))
        .collect();
    let written = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        (name.ends_with(".md") && name != "SUMMARY.md").then_some(name)
    };
    let mut there: BTreeSet<String> = fs::read_dir(&docs).unwrap().filter_map(written).collect();
    there.insert("traces/README.md".into());
    assert_eq!(listed, there);
}
