//! Columns of a block: one value a position, each value once where few are different.

use bytemuck::Pod;

/// Different values that one byte tells apart.
const VALUES_MAX: usize = 256;

/// A column of a block, unpacked or in place.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a, T> {
    /// All positions have the same value.
    One(T),
    /// The different values, and which of them each position has.
    Indexed(&'a [T], &'a [u8]),
    /// A value for each position.
    Plain(&'a [T]),
}

impl<T: Copy> Column<'_, T> {
    /// The value of the position at `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> T {
        match self {
            Column::One(value) => *value,
            Column::Indexed(values, places) => values[usize::from(places[index])],
            Column::Plain(values) => values[index],
        }
    }
}

/// Appends a column that is not empty: a word that says how many different values there are (0
/// where they are too many), then values and places.
pub fn push_column<T: Pod + PartialEq>(words: &mut Vec<u64>, column: &[T]) {
    let mut values: Vec<T> = Vec::new();
    let mut places: Vec<u8> = Vec::with_capacity(column.len());
    for value in column {
        let place = values.iter().position(|known| known == value).unwrap_or(values.len());
        if place == VALUES_MAX {
            break;
        }
        if place == values.len() {
            values.push(*value);
        }
        places.push(place as u8);
    }
    let is_worth_it = places.len() == column.len()
        && size_of_val(&values[..]) + places.len() < size_of_val(column);
    if values.len() == 1 && places.len() == column.len() {
        words.push(1);
        push_slice(words, &values);
    } else if is_worth_it {
        words.push(values.len() as u64);
        push_slice(words, &values);
        push_slice(words, &places);
    } else {
        words.push(0);
        push_slice(words, column);
    }
}

/// Appends values, filled up to a whole word.
pub fn push_slice<T: Pod>(words: &mut Vec<u64>, values: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let start = words.len();
    words.resize(start + bytes.len().div_ceil(8), 0);
    bytemuck::cast_slice_mut(&mut words[start..])[..bytes.len()].copy_from_slice(bytes);
}

/// Reads what was appended, in the same order.
pub struct Cursor<'a> {
    words: &'a [u64],
}

impl<'a> Cursor<'a> {
    /// At the start of a block.
    pub fn new(words: &'a [u64]) -> Cursor<'a> {
        Cursor { words }
    }

    /// The next column, of so many positions.
    pub fn column<T: Pod>(&mut self, count: usize) -> Column<'a, T> {
        let values: &[u64] = self.slice(1);
        match values[0] as usize {
            0 => Column::Plain(self.slice(count)),
            1 => Column::One(self.slice(1)[0]),
            values => Column::Indexed(self.slice(values), self.slice(count)),
        }
    }

    /// The next `count` values.
    pub fn slice<T: Pod>(&mut self, count: usize) -> &'a [T] {
        let (head, tail) = self.words.split_at((count * size_of::<T>()).div_ceil(8));
        self.words = tail;
        let bytes: &[u8] = bytemuck::cast_slice(head);
        bytemuck::cast_slice(&bytes[..count * size_of::<T>()])
    }

    /// All that is left, with what fills its last word up.
    pub fn rest<T: Pod>(self) -> &'a [T] {
        bytemuck::cast_slice(self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back_and_take_least_room() {
        let plain: Vec<i16> = (0..500).collect();
        let few: Vec<i16> = plain.iter().map(|value| value % 7).collect();
        let one = vec![-3i16; 500];
        let mut words = Vec::new();
        let sizes = [&plain, &few, &one].map(|column| {
            let start = words.len();
            push_column(&mut words, column);
            words.len() - start
        });
        assert_eq!(sizes, [126, 1 + 2 + 63, 2]);
        push_slice(&mut words, &[[1.0f32, 2.0, 3.0]]);
        push_slice(&mut words, &[1u8, 2, 3]);
        push_slice(&mut words, &[7u16, 8]);
        let mut cursor = Cursor::new(&words);
        for expected in [&plain, &few, &one] {
            let column: Column<'_, i16> = cursor.column(500);
            let found: Vec<i16> = (0..500).map(|index| column.get(index)).collect();
            assert_eq!(&found, expected);
        }
        assert_eq!(cursor.slice::<[f32; 3]>(1), [[1.0, 2.0, 3.0]]);
        assert_eq!(cursor.slice::<u8>(3), [1, 2, 3]);
        assert_eq!(cursor.rest::<u16>(), [7, 8, 0, 0]);
    }
}
