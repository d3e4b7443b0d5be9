//! Rows of tables.

use maud::{Markup, Render, html};

/// The head of a table: nothing above the names of its rows, then the names of its columns.
pub fn head(names: impl IntoIterator<Item: Render>) -> Markup {
    html! { tr { td {} @for name in names { th scope="col" { (name) } } } }
}

/// The head of a table with a name above those of its rows, too.
pub fn named_head(of_rows: impl Render, names: impl IntoIterator<Item: Render>) -> Markup {
    html! {
        tr {
            th scope="row" { span.minor { (of_rows) } }
            @for name in names { th scope="col" { (name) } }
        }
    }
}

/// A row: its name, then its cells.
pub fn row(name: impl Render, cells: impl IntoIterator<Item: Render>) -> Markup {
    html! { tr { th scope="row" { (name) } @for cell in cells { td { (cell) } } } }
}
