//! The methods of the literature and where each is found here, or why it is not: what the tables of
//! `docs/explanation/methods.md` say, so that one text serves who reads and who asks the program.

use std::fmt::Write;

const DOCUMENT: &str = include_str!("../../../docs/explanation/methods.md");
/// The columns that are of interest, by their heads.
const HEADS: [&str; 3] = ["method", "pages", "here"];

/// A row of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The source's name for it, in short.
    pub method: &'static str,
    /// Where the source has it.
    pub pages: &'static str,
    /// The numbers, files or programs that have it here, or the reason why none does.
    pub here: &'static str,
}

/// All methods, in the order of the document.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut places: Option<[Option<usize>; 3]> = None;
    for line in DOCUMENT.lines() {
        let Some(cells) = cells(line) else {
            places = None;
            continue;
        };
        match places {
            None => places = Some(HEADS.map(|head| cells.iter().position(|&cell| cell == head))),
            Some([Some(method), Some(pages), Some(here)]) if !cells[0].starts_with("---") => {
                rows.push(Row { method: cells[method], pages: cells[pages], here: cells[here] });
            }
            Some(_) => {}
        }
    }
    rows
}

/// The cells of a line of a table.
fn cells(line: &'static str) -> Option<Vec<&'static str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// All methods as lines to read, under a head of their own.
pub fn section() -> String {
    let mut text = String::from(
        "Methods of the literature: pages are those of E. N. Kornilov, Programming Chess and Other\n\
         Logic Games (in Russian, 2005); \"after 142\" is what follows its pages on hash tables.\n",
    );
    for Row { method, pages, here } in rows() {
        let here = here.replace('`', "");
        writeln!(text, "  {method} ({pages}): {here}").expect("strings take all");
    }
    text
}
