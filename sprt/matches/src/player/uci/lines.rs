//! Lines out of the bytes that a pipe gives.

use std::ops::Range;

/// Bytes read at once, at least.
const CHUNK: usize = 1 << 13;

/// Bytes read and not yet taken. Memory is kept from line to line.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// Start of the next line.
    start: usize,
    /// No line ends between `start` and here.
    searched: usize,
    /// End of the bytes read.
    end: usize,
}

impl Lines {
    /// Takes the next complete line. [`Lines::text`] gives it until more bytes are read.
    pub fn take(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.searched..self.end];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            self.searched = self.end;
            return None;
        };
        let line = self.start..self.searched + length;
        self.start = line.end + 1;
        self.searched = self.start;
        Some(line)
    }

    /// Whether a complete line is there.
    pub fn has_line(&self) -> bool {
        self.bytes[self.searched..self.end].contains(&b'\n')
    }

    /// The bytes of a line that was taken, without its end.
    pub fn text(&self, line: Range<usize>) -> &[u8] {
        &self.bytes[line]
    }

    /// Room for more bytes.
    pub fn room(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.searched -= self.start;
            self.end -= self.start;
            self.start = 0;
        }
        if self.bytes.len() - self.end < CHUNK {
            self.bytes.resize((2 * self.bytes.len()).max(2 * CHUNK), 0);
        }
        &mut self.bytes[self.end..]
    }

    /// Says how many bytes were put into [`Lines::room`].
    pub fn add(&mut self, count: usize) {
        self.end += count;
    }

    /// Bytes that were read and not taken: lines, and the begin of one.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Length of the line that has begun and not ended.
    pub fn unfinished(&self) -> usize {
        self.end - self.start
    }
}

/// Text as a message may repeat it.
pub(super) fn shorten(text: &str) -> String {
    foreign::shown(text, foreign::WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(lines: &mut Lines, text: &str) {
        lines.room()[..text.len()].copy_from_slice(text.as_bytes());
        lines.add(text.len());
    }

    fn take(lines: &mut Lines) -> Option<String> {
        let line = lines.take()?;
        Some(String::from_utf8_lossy(lines.text(line)).into_owned())
    }

    #[test]
    fn lines_come_whole_however_the_bytes_come() {
        let mut lines = Lines::default();
        add(&mut lines, "first\nsec");
        assert_eq!(take(&mut lines).as_deref(), Some("first"));
        assert_eq!((take(&mut lines), lines.unfinished()), (None, 3));
        add(&mut lines, "ond\n\nlast");
        assert_eq!(take(&mut lines).as_deref(), Some("second"));
        assert_eq!(take(&mut lines).as_deref(), Some(""));
        assert_eq!(take(&mut lines), None);
        for _ in 0..10_000 {
            add(&mut lines, "-");
        }
        add(&mut lines, "\n");
        assert_eq!(take(&mut lines).map(|line| line.len()), Some(10_004));
        assert!(lines.bytes.len() < 1 << 16);
    }
}
