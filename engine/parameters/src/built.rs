//! The numbers of the file that the build embeds, as constants: the build script hands on what the file
//! says by names, and the declarations say where in a table each name stands.

use super::cell::{CellKind, Score};
use super::declaration::{Declaration, Table};

/// A parameter file's content: its tables, their groups, their names, and the numbers of each.
pub type Written = &'static [(&'static str, &'static [WrittenGroup])];
/// A group of a table by its name.
pub type WrittenGroup = (&'static str, &'static [(&'static str, &'static [i32])]);

/// The cells of a table as a file has them, and as declared where it says nothing. Where it says too much
/// or too little it is no set that anything plays with.
pub const fn cells<const CELLS: usize>(
    table: Table,
    declarations: &[Declaration],
    written: Written,
) -> [i32; CELLS] {
    let mut cells = [0; CELLS];
    let mut at = 0;
    while at < declarations.len() {
        let declaration = &declarations[at];
        at += 1;
        let numbers = numbers_of(table, declaration, written);
        let each = match declaration.kind {
            CellKind::Score => 2,
            CellKind::Scalar => 1,
        };
        let is_named = numbers.len() == declaration.length * each;
        let mut cell = 0;
        while cell < declaration.length {
            let default = declaration.default;
            cells[declaration.first_cell + cell] = match declaration.kind {
                CellKind::Score if is_named => {
                    Score::new(numbers[2 * cell], numbers[2 * cell + 1]).packed()
                }
                CellKind::Scalar if is_named => numbers[cell],
                CellKind::Score => Score::new(default, default).packed(),
                CellKind::Scalar => default,
            };
            cell += 1;
        }
    }
    cells
}

/// The numbers that a file has for a declared name; none if it does not have it.
const fn numbers_of(table: Table, declaration: &Declaration, written: Written) -> &'static [i32] {
    let Some(groups) = found(written, table.name()) else { return &[] };
    let Some(names) = found(groups, declaration.group) else { return &[] };
    match found(names, declaration.name) {
        Some(numbers) => numbers,
        None => &[],
    }
}

/// The value beside a name in a list.
const fn found<T>(
    list: &'static [(&'static str, &'static [T])],
    name: &str,
) -> Option<&'static [T]> {
    let mut at = 0;
    while at < list.len() {
        if is_same(list[at].0, name) {
            return Some(list[at].1);
        }
        at += 1;
    }
    None
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
