//! The declaration of a number: its name, doc, range and place in memory.

use super::cell::CellKind;

/// The table of a parameter file that a number stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// The worth of things on the board, for the evaluation.
    Weights,
    /// Margins and switches of the search.
    Margins,
    /// Methods of the textbook's search, which plays where a file has this table.
    Methods,
}

impl Table {
    /// All, in the order in which a file has them.
    pub const ALL: [Table; 3] = [Table::Weights, Table::Margins, Table::Methods];

    /// `weights`, `margins` or `textbook`: the table's name in a file.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Weights => "weights",
            Table::Margins => "margins",
            Table::Methods => "textbook",
        }
    }

    /// The word for one entry of the table in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Table::Weights => "weight",
            Table::Margins => "margin",
            Table::Methods => "method",
        }
    }
}

/// One declared name: a single cell or an array of them.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The table it stands in.
    pub table: Table,
    /// Group within the table, as in `[weights.GROUP]` of a parameter file.
    pub group: &'static str,
    /// The group's name in an earlier version; empty where it always had its own.
    pub former_group: &'static str,
    /// The group's doc line.
    pub group_doc: &'static str,
    /// Whether its group is declared `sound`: whatever its numbers are, it leaves no line out of the
    /// depth that was asked for, and searches none less deeply.
    pub is_sound: bool,
    /// Name within the group, as the file has it.
    pub name: &'static str,
    /// Its meaning, with its unit.
    pub doc: &'static str,
    /// Index of its first cell in [`Declared::cells`].
    pub first_cell: usize,
    /// Number of cells: 1, or the array's length.
    pub length: usize,
    /// The content of each cell.
    pub kind: CellKind,
    /// Allowed values of each number, inclusive. `(0, 1)` is a switch.
    pub range: (i32, i32),
    /// The value of each number where a file does not name it: as declared, or else the one nearest to 0
    /// in the range.
    pub default: i32,
    /// A sensible first step for a tuner, if one was declared.
    pub step: Option<i32>,
    /// True for an array, false for a single cell: decides how the file shows it.
    pub is_array: bool,
}

impl Declaration {
    /// The name as options and reports have it: `group.name`, and `textbook.group.name` where the search
    /// has a group of that name, too.
    pub fn path(&self) -> String {
        match self.table {
            Table::Weights | Table::Margins => format!("{}.{}", self.group, self.name),
            Table::Methods => self.path_in_file(),
        }
    }

    /// The name with its table, as a file has it: `table.group.name`.
    pub fn path_in_file(&self) -> String {
        format!("{}.{}.{}", self.table.name(), self.group, self.name)
    }

    /// True for a switch: 0 turns the technique off, 1 on.
    pub fn is_switch(&self) -> bool {
        self.range == (0, 1)
    }
}

/// A struct of declared numbers, as the macro `table!` makes it.
pub trait Declared: bytemuck::Pod + PartialEq + std::fmt::Debug {
    /// The table of a file that it is.
    const TABLE: Table;
    /// One row per declaration, in their order.
    const INFO: &'static [Declaration];

    /// All cells as one slice: a packed [`super::Score`] or one number each, see
    /// [`Declaration::kind`].
    fn cells(&self) -> &[i32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// As [`Declared::cells`], to write.
    fn cells_mut(&mut self) -> &mut [i32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }
}

/// For sets of numbers without a textbook's search.
impl Declared for () {
    const TABLE: Table = Table::Methods;
    const INFO: &'static [Declaration] = &[];

    fn cells(&self) -> &[i32] {
        &[]
    }

    fn cells_mut(&mut self) -> &mut [i32] {
        &mut []
    }
}
