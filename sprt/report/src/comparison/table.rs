//! The rows as a table on the terminal.

use super::{COLUMNS, Row};

/// The rows as lines of text, in columns parted by two blanks; ends with a note on the columns.
pub fn text(rows: &[Row]) -> String {
    let head = COLUMNS.map(str::to_owned);
    let cells: Vec<[String; 11]> =
        std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
    let width = |column: usize| {
        cells.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let line = |row: &[String; 11]| {
        let parts: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        parts.join("  ").trim_end().to_owned()
    };
    let lines: Vec<String> = cells.iter().map(line).collect();
    lines.join("\n") + "\n" + super::page::NOTE
}
