//! The book of the documents: none is left out, none is listed that is not there, and every link
//! within the repository leads to something, in the book as well.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

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

/// What the links of a document lead to within the repository, without the places in pages.
fn links(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a document");
    // A link's words may go on over the end of a line, and hold a picture.
    let link = Regex::new(r"\]\(([^)#\s]+)(#[^)\s]*)?\)").expect("a pattern");
    let links = link.captures_iter(&text).map(|found| found[1].to_owned());
    links.filter(|link| !link.contains("://")).collect()
}

#[test]
fn links_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let docs = root.join("docs");
    let markdown = |folder: &Path| -> Vec<PathBuf> {
        let paths =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("there").path());
        paths.filter(|path| path.extension().is_some_and(|it| it == "md")).collect()
    };
    let mut seen = 0;
    for path in [markdown(&root), markdown(&docs), markdown(&docs.join("traces"))].concat() {
        for link in links(&path) {
            let target = path.parent().expect("a folder").join(&link);
            assert!(target.exists(), "{}: {link}", path.display());
            if path.starts_with(&docs) {
                let target = target.canonicalize().expect("it exists");
                let inside = target.starts_with(docs.canonicalize().expect("a folder"));
                assert!(inside, "{}: {link} is not in the book", path.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} links");
}
