//! The rest of a text that is being read, and the line where it begins.

/// The rest of a text.
pub(super) struct Reader<'a> {
    pub rest: &'a str,
    /// From 1.
    pub line: usize,
}

impl<'a> Reader<'a> {
    /// A text, perhaps with the mark of its byte order.
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: text.trim_start_matches('\u{feff}'), line: 1 }
    }

    /// Takes so many bytes.
    pub fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Takes signs as long as they are such ones.
    pub fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !holds(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Takes a text if it comes next.
    pub fn take_text(&mut self, text: &str) -> Option<()> {
        self.rest.starts_with(text).then(|| _ = self.take(text.len()))
    }
}
