//! Where blocks of positions lie: in memory, or in a temporary file where they are too many.

use std::fs::File;

use anyhow::Context;
use system::processes::{read_exact_at, write_all_at};

/// Blocks of words, appended and then read from any thread.
pub struct Blocks {
    /// Blocks in memory; those after them are in the file.
    memory: Vec<Box<[u64]>>,
    /// Start and length of the blocks in the file, in words.
    places: Vec<(u64, u32)>,
    file: Option<File>,
    bytes: usize,
    /// Bytes that may lie in memory.
    limit: usize,
}

impl Blocks {
    /// No blocks yet; those beyond `limit` bytes go to a temporary file, which has no name and ends
    /// with the process.
    pub fn new(limit: usize) -> Blocks {
        Blocks { memory: Vec::new(), places: Vec::new(), file: None, bytes: 0, limit }
    }

    /// Number of blocks, in memory and in the file.
    pub fn len(&self) -> usize {
        self.memory.len() + self.places.len()
    }

    /// Bytes held in memory.
    pub fn memory_bytes(&self) -> usize {
        self.bytes + self.memory.capacity() * size_of::<Box<[u64]>>()
    }

    /// Bytes that lie in the file.
    pub fn file_bytes(&self) -> u64 {
        self.places.last().map_or(0, |&(start, words)| 8 * (start + u64::from(words)))
    }

    /// Appends a block.
    ///
    /// # Errors
    /// When the temporary file cannot be made or written.
    pub fn push(&mut self, block: &[u64]) -> anyhow::Result<()> {
        let bytes = size_of_val(block);
        if self.file.is_none() && self.bytes + bytes <= self.limit {
            self.bytes += bytes;
            self.memory.push(block.into());
            return Ok(());
        }
        let start = self.file_bytes() / 8;
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile().with_context(|| no_room("make"))?),
        };
        write_all_at(file, bytemuck::cast_slice(block), 8 * start)
            .with_context(|| no_room("write"))?;
        self.places.push((start, block.len() as u32));
        Ok(())
    }

    /// The block at `index`, in memory or read into `buffer`.
    ///
    /// # Panics
    /// When the temporary file cannot be read any more, which only a failing disk brings about.
    pub fn get<'a>(&'a self, index: usize, buffer: &'a mut Vec<u64>) -> &'a [u64] {
        let Some(place) = index.checked_sub(self.memory.len()) else {
            return &self.memory[index];
        };
        let (start, words) = self.places[place];
        buffer.resize(words as usize, 0);
        let file = self.file.as_ref().expect("blocks beyond the memory lie in a file");
        read_exact_at(file, bytemuck::cast_slice_mut(buffer), 8 * start)
            .expect("what was written to the temporary file is there");
        buffer
    }
}

fn no_room(action: &str) -> String {
    format!(
        "cannot {action} a temporary file in {} (TMPDIR names another folder)",
        std::env::temp_dir().display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_beyond_the_limit_come_back_from_the_file() {
        let blocks: Vec<Vec<u64>> = (0..20)
            .map(|index| (0..index * 7 % 11 + 1).map(|word| word << index).collect())
            .collect();
        for limit in [0, 100, 1 << 20] {
            let mut stored = Blocks::new(limit);
            for block in &blocks {
                stored.push(block).expect("room");
            }
            assert_eq!(stored.len(), blocks.len());
            let mut buffer = Vec::new();
            for (index, block) in blocks.iter().enumerate().rev() {
                assert_eq!(stored.get(index, &mut buffer), block);
            }
            let words: usize = blocks.iter().map(Vec::len).sum();
            assert_eq!(stored.bytes + stored.file_bytes() as usize, 8 * words);
            assert!(stored.bytes <= limit, "{} of {limit}", stored.bytes);
            assert_eq!(stored.file_bytes() == 0, limit > 8 * words);
        }
    }
}
