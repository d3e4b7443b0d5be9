//! How numbers are declared: macros that make structs of them, each with its [`Declaration`].

use super::cell::CellKind;
use super::declaration::{Declaration, Table};

/// A group as the macro [`group`](crate::group) makes it: its table adds the name and the place.
pub struct Group {
    /// As [`Declaration::group_doc`].
    pub doc: &'static str,
    /// As [`Declaration::is_sound`].
    pub is_sound: bool,
    /// One row per declaration, in their order.
    pub rows: &'static [Row],
}

/// One declared name within its group. Its fields are those of [`Declaration`].
#[allow(missing_docs, reason = "they are documented there")]
pub struct Row {
    pub name: &'static str,
    pub doc: &'static str,
    /// Counted from the group's first cell.
    pub first_cell: usize,
    pub length: usize,
    pub kind: CellKind,
    pub range: (i32, i32),
    /// As declared, if it is.
    pub default: Option<i32>,
    pub step: Option<i32>,
    pub is_array: bool,
}

/// A group in a table.
pub struct Placed {
    /// Its name in the table.
    pub name: &'static str,
    /// As [`Declaration::former_group`].
    pub former_name: &'static str,
    /// Index of its first cell.
    pub first_cell: usize,
    /// The declarations that its table places.
    pub group: &'static Group,
}

/// Number of declarations in all of these groups.
pub const fn count(groups: &[Placed]) -> usize {
    let mut count = 0;
    let mut group = 0;
    while group < groups.len() {
        count += groups[group].group.rows.len();
        group += 1;
    }
    count
}

/// The declarations of a table, `N` of them, from its groups in their order.
pub const fn declarations<const N: usize>(table: Table, groups: &[Placed]) -> [Declaration; N] {
    const NOTHING: Declaration = Declaration {
        table: Table::Weights,
        group: "",
        former_group: "",
        group_doc: "",
        is_sound: false,
        name: "",
        doc: "",
        first_cell: 0,
        length: 0,
        kind: CellKind::Scalar,
        range: (0, 0),
        default: 0,
        step: None,
        is_array: false,
    };
    let mut all = [NOTHING; N];
    let (mut index, mut group) = (0, 0);
    while group < groups.len() {
        let Placed { name, former_name, first_cell, group: declared } = &groups[group];
        let mut row = 0;
        while row < declared.rows.len() {
            let Row { name: row_name, doc, length, kind, range, default, step, is_array, .. } =
                declared.rows[row];
            all[index] = Declaration {
                table,
                group: name,
                former_group: former_name,
                group_doc: declared.doc,
                is_sound: declared.is_sound,
                name: row_name,
                doc,
                first_cell: *first_cell + declared.rows[row].first_cell,
                length,
                kind,
                range,
                default: default_within(range, default),
                step,
                is_array,
            };
            index += 1;
            row += 1;
        }
        group += 1;
    }
    all
}

/// The declared default, or the value nearest to 0; compiling fails where it is outside the range.
const fn default_within((low, high): (i32, i32), declared: Option<i32>) -> i32 {
    match declared {
        Some(value) => {
            assert!(low <= value && value <= high, "a default lies in its range");
            value
        }
        None if low > 0 => low,
        None if high < 0 => high,
        None => 0,
    }
}

/// Declares a group of numbers: a plain struct, beside the code that uses them. A switch gets a
/// method of its name as well, which says whether it is on. A group whose name is followed by
/// `sound` cuts no line short ([`Declaration::is_sound`]); all others may. A number has the value behind
/// `=` where a parameter file does not name it, or else the one nearest to 0. The group becomes part of a
/// [`table`](crate::table) by a line there.
///
/// ```text
/// group! {
///     /// Reverse futility: a node whose evaluation is far above beta is cut without a search.
///     ReverseFutility {
///         /// On or off.
///         enabled: Switch = true,
///         /// How far above beta the evaluation must be, per ply of depth left (centipawns).
///         margin: i32 = 80 in 20..=200 step 8,
///     }
/// }
/// ```
#[macro_export]
macro_rules! group {
    (
        $(#[doc = $group_doc:literal])+
        $Group:ident $(, $sound:ident)? {
            $(
                $(#[doc = $doc:literal])+
                $name:ident : $type:tt $(= $default:literal)?
                    $(in $low:literal ..= $high:literal)? $(step $step:literal)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $group_doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $Group {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        impl $Group {
            /// The declarations, for the table.
            pub const GROUP: $crate::declare::Group =
                $crate::declare::Group {
                    doc: concat!($($group_doc),+).trim_ascii(),
                    is_sound: $crate::is_sound!($($sound)?),
                    rows: &[$(
                        $crate::declare::Row {
                            name: stringify!($name),
                            doc: concat!($($doc),+).trim_ascii(),
                            first_cell: core::mem::offset_of!($Group, $name) / 4,
                            length: <$type as $crate::Declarable>::LENGTH,
                            kind: <$type as $crate::Declarable>::KIND,
                            range: {
                                #[allow(unused_mut, unused_assignments)]
                                let mut range = <$type as $crate::Declarable>::RANGE;
                                $( range = ($low, $high); )?
                                range
                            },
                            default: {
                                #[allow(unused_mut, unused_assignments)]
                                let mut default = None;
                                $( default = Some($default as i32); )?
                                default
                            },
                            step: {
                                #[allow(unused_mut, unused_assignments)]
                                let mut step = None;
                                $( step = Some($step); )?
                                step
                            },
                            is_array: core::mem::size_of::<$type>() != 4,
                        },
                    )+],
                };
            $( $crate::switch_question!($name: $type $(, $doc)+); )+
        }
    };
}

/// Makes a table of groups, in the order in which a file has them: a plain struct with one field a
/// group, and one [`Declaration`] row a name. Who uses a name that a group had before is told the new one.
///
/// ```text
/// table! {
///     /// Every search margin and switch.
///     Margins {
///         reverse_futility: ReverseFutility,
///         #[was(pass)]
///         null_move: NullMove,
///     }
/// }
/// ```
#[macro_export]
macro_rules! table {
    (
        $(#[doc = $table_doc:literal])+
        $Table:ident { $( $(#[was($former:ident)])? $group:ident : $Group:path ),+ $(,)? }
    ) => {
        $(#[doc = $table_doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $Table {
            $( #[doc = concat!("The group `", stringify!($group), "`.")] pub $group: $Group, )+
        }

        impl $crate::Declared for $Table {
            const TABLE: $crate::Table = $crate::Table::$Table;
            const INFO: &'static [$crate::Declaration] = Self::INFO;
        }

        impl $Table {
            /// One row per declaration, in their order.
            pub const INFO: &'static [$crate::Declaration] = &Self::DECLARATIONS;
            const GROUPS: &'static [$crate::declare::Placed] = &[$(
                $crate::declare::Placed {
                    name: stringify!($group),
                    former_name: concat!($(stringify!($former))?),
                    first_cell: core::mem::offset_of!($Table, $group) / 4,
                    group: &<$Group>::GROUP,
                },
            )+];
            const DECLARATIONS: [
                $crate::Declaration;
                $crate::declare::count(Self::GROUPS)
            ] = $crate::declare::declarations(
                $crate::Table::$Table,
                Self::GROUPS,
            );

            /// All cells as one slice, see [`parameters::Declared::cells`].
            pub fn cells(&self) -> &[i32] {
                $crate::Declared::cells(self)
            }

            /// All cells as one slice, to write.
            pub fn cells_mut(&mut self) -> &mut [i32] {
                $crate::Declared::cells_mut(self)
            }

            /// Every number, in the order of declaration.
            pub fn numbers() -> impl Iterator<Item = $crate::Number> {
                Self::INFO.iter().flat_map(|declaration| declaration.numbers())
            }

            /// Cell index of a number inside `self`: its address is its name.
            ///
            /// `number` must lie inside `self`; otherwise the index is meaningless and out of
            /// bounds.
            #[inline]
            pub fn cell_of<T>(&self, number: &T) -> usize {
                ((number as *const T as usize).wrapping_sub(self as *const Self as usize)) / 4
            }
        }
    };
}

/// Declares groups and, at once, the table of them: for numbers that lie in one file.
#[macro_export]
macro_rules! numbers {
    (
        $(#[doc = $table_doc:literal])+
        table $Table:ident;
        $(
            $(#[doc = $group_doc:literal])+
            group $group:ident : $Group:ident { $($names:tt)+ }
        )+
    ) => {
        $(
            $crate::group! {
                $(#[doc = $group_doc])+
                $Group { $($names)+ }
            }
        )+
        $crate::table! {
            $(#[doc = $table_doc])+
            $Table { $( $group: $Group, )+ }
        }
    };
}

/// The method that asks a switch; nothing for other numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! switch_question {
    ($name:ident: Switch $(, $doc:literal)+) => {
        $(#[doc = $doc])+
        #[inline]
        pub const fn $name(&self) -> bool {
            self.$name.is_on()
        }
    };
    ($name:ident: $type:tt $(, $doc:literal)+) => {};
}

/// Whether a group is declared `sound`.
#[doc(hidden)]
#[macro_export]
macro_rules! is_sound {
    () => {
        false
    };
    (sound) => {
        true
    };
}
