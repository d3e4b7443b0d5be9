//! The book of the documents: none is left out, none is listed that is not there, and every link
//! within the repository leads to something, in the book as well.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Every Markdown file below a folder, by its path from there.
fn markdown(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("there").path();
        let name = PathBuf::from(path.file_name().expect("a name"));
        if path.is_dir() {
            found.extend(markdown(&path).into_iter().map(|below| name.join(below)));
        } else if name.extension().is_some_and(|it| it == "md") {
            found.insert(name);
        }
    }
    found
}

#[test]
fn the_book_has_every_document() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let lines = summary.lines();
    let named = lines.filter_map(|line| Some(line.split_once("](")?.1.trim_end_matches(')')));
    let listed: BTreeSet<PathBuf> = named.map(PathBuf::from).collect();
    let mut there = markdown(&docs);
    assert!(there.remove(Path::new("SUMMARY.md")));
    assert_eq!(listed, there);
}

/// Targets of a document's links within the repository, without the places in pages.
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
    let roots = fs::read_dir(&root).expect("a folder").map(|entry| entry.expect("there").path());
    let roots = roots.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let beside_data = markdown(&root.join("data")).into_iter().map(|it| root.join("data").join(it));
    let pages = markdown(&docs).into_iter().map(|below| docs.join(below));
    let mut seen = 0;
    for path in roots.chain(beside_data).chain(pages) {
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
