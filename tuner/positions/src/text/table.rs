//! Tables of positions: a line of column names, and rows whose cells are parted by one sign.

use std::borrow::Cow;

use playable::Game;

use super::super::rows::Row;
use super::super::source::View;
use super::line::{Labelled, parse_result, parse_score};

/// The names of columns, the usual one first.
const FEN: &[&str] = &["fen", "position", "epd", "board"];
const RESULT: &[&str] =
    &["result", "wdl", "outcome", "gameresult", "whiteresult", "label", "target"];
const SCORE: &[&str] =
    &["score", "eval", "evaluation", "cp", "centipawns", "scorecp", "searchscore"];
const PLY: &[&str] = &["ply"];
const GAME: &[&str] = &["game", "gamenumber"];

const COLUMNS_MAX: usize = 1000;

/// Advice where a table does not name its columns.
pub(super) const ADVICE: &str = "write the names of the columns as the first line, for example \
                                 fen,score,result (score may be missing, ply and game may follow)";

/// Where the columns are, and what parts them.
pub(super) struct Table {
    delimiter: char,
    count: usize,
    fen: usize,
    result: usize,
    score: Option<usize>,
    ply: Option<usize>,
    game: Option<usize>,
}

impl Table {
    /// The table that begins with this line, if it names at least the position and its result.
    ///
    /// # Errors
    /// The names that are there, if the result is not among them.
    pub fn find(line: &str) -> Result<Option<Table>, String> {
        let mut without_result = None;
        for delimiter in [',', ';', '\t', '|'] {
            let Ok(cells) = cells(line, delimiter) else { continue };
            let is_letter = |letter: &char| letter.is_ascii_alphanumeric();
            let plain = |name: &Cow<str>| -> String {
                name.to_ascii_lowercase().chars().filter(is_letter).collect()
            };
            let names: Vec<String> = cells.iter().map(plain).collect();
            let column = |known: &[&str]| {
                known.iter().find_map(|wanted| names.iter().position(|name| name == wanted))
            };
            match (column(FEN), column(RESULT)) {
                (Some(fen), Some(result)) => {
                    return Ok(Some(Table {
                        delimiter,
                        count: names.len(),
                        fen,
                        result,
                        score: column(SCORE),
                        ply: column(PLY),
                        game: column(GAME),
                    }));
                }
                (Some(_), None) if names.len() > 1 => without_result = Some("result"),
                (None, Some(_)) if names.len() > 1 => without_result = Some("fen"),
                _ => {}
            }
        }
        without_result.map_or(Ok(None), |missing| Err(format!("no column is named {missing}")))
    }

    /// Reads a row.
    ///
    /// # Errors
    /// In words, what is wrong with it.
    pub fn parse(&self, game: Game, line: &str, view: View) -> Result<Row, String> {
        let cells = cells(line, self.delimiter)?;
        if cells.len() != self.count {
            return Err(format!("{} columns, not {}", cells.len(), self.count));
        }
        // An empty cell says as little as a missing column.
        let optional = |column: Option<usize>| {
            column.map(|column| &*cells[column]).filter(|text| !text.is_empty())
        };
        let number = |name: &str, text: &str| format!("'{text}' is no number of a {name}");
        let position = game.position(&cells[self.fen]).map_err(|error| error.to_string())?;
        let result = parse_result(&cells[self.result])?;
        let score = optional(self.score).map(parse_score).transpose()?;
        let ply = optional(self.ply)
            .map(|text| text.parse().map_err(|_| number("ply", text)))
            .transpose()?;
        let game = optional(self.game)
            .map(|text| text.parse().map_err(|_| number("game", text)))
            .transpose()?;
        let labelled = Labelled { position, result, score }.seen_by(view);
        Ok(Row { ply, game, ..Row::alone(labelled) })
    }
}

/// The cells of a line, without quotation marks around them. Cells end with their line, so that a mark
/// that is not closed costs that line alone.
///
/// # Errors
/// A quotation mark is not closed, or there are more than [`COLUMNS_MAX`] cells.
fn cells(line: &str, delimiter: char) -> Result<Vec<Cow<'_, str>>, String> {
    let line = line.trim_end_matches(['\r', '\n']);
    if line.matches(delimiter).nth(COLUMNS_MAX - 1).is_some() {
        return Err(format!("more than {COLUMNS_MAX} columns"));
    }
    if !line.contains('"') {
        return Ok(line.split(delimiter).map(|cell| cell.trim().into()).collect());
    }
    let mut cells = Vec::new();
    let mut rest = Some(line);
    while let Some(text) = rest {
        let Some(mut quoted) = text.trim_start().strip_prefix('"') else {
            let (cell, behind) = split_at(text, delimiter);
            cells.push(cell.trim().into());
            rest = behind;
            continue;
        };
        // Two marks within a cell are one.
        let mut cell = String::new();
        loop {
            let (inside, behind) =
                quoted.split_once('"').ok_or("a quotation mark is not closed")?;
            cell += inside;
            match behind.strip_prefix('"') {
                Some(behind) => {
                    cell.push('"');
                    quoted = behind;
                }
                None => {
                    let (unquoted, behind) = split_at(behind, delimiter);
                    cell += unquoted;
                    rest = behind;
                    break;
                }
            }
        }
        cells.push(cell.trim().to_owned().into());
    }
    Ok(cells)
}

/// The text before a delimiter, and the text behind it if it is there.
fn split_at(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parted_and_unquoted() {
        for (line, delimiter, expected) in [
            ("a,b;c\r\n", ',', vec!["a", "b;c"]),
            ("a\t\tc\t\n", '\t', vec!["a", "", "c", ""]),
            ("\"a,b\", \"c\"\"d\" ,\"\"", ',', vec!["a,b", "c\"d", ""]),
            ("a\"b,c", ',', vec!["a\"b", "c"]),
            ("", ';', vec![""]),
        ] {
            assert_eq!(cells(line, delimiter).expect("closed"), expected, "{line}");
        }
        cells("a,\"b,c", ',').expect_err("not closed");
        let row = |columns| vec!["a"; columns].join(",");
        assert_eq!(cells(&row(COLUMNS_MAX), ',').map(|cells| cells.len()), Ok(COLUMNS_MAX));
        cells(&row(COLUMNS_MAX + 1), ',').expect_err("too many columns");
    }

    #[test]
    fn columns_have_usual_names() {
        for (line, delimiter, [fen, result], score) in [
            ("fen,score,result,ply,game", ',', [0, 2], Some(1)),
            ("\"FEN\";\"Game Result\"", ';', [0, 1], None),
            ("Evaluation\tWDL\tPosition\n", '\t', [2, 1], Some(0)),
            ("id|epd|cp|outcome", '|', [1, 3], Some(2)),
        ] {
            let table = Table::find(line).expect("complete").expect("names");
            assert_eq!(table.delimiter, delimiter, "{line}");
            assert_eq!(([table.fen, table.result], table.score), ([fen, result], score), "{line}");
        }
        let none = |line| Table::find(line).map(|found| found.is_none());
        assert_eq!(none("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,0.5"), Ok(true));
        assert_eq!(none("fen,evaluation"), Err("no column is named result".to_owned()));
        assert_eq!(none("text;result"), Err("no column is named fen".to_owned()));
    }
}
