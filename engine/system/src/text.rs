//! Text that other programs wrote, as UTF-8 with line ends of its own: UTF-16 is converted, the mark
//! of an encoding is left out, lines that end with a bare return end as others do, and ^Z ends all.
//!
//! Text that is neither UTF-8 nor marked as UTF-16 passes as it is: its reader may know it.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;

/// The sign that ends a text of CP/M and DOS; behind it there is no text.
const END: u8 = 0x1a;
/// The mark of UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();
/// Bytes that are looked at to tell how lines end.
const HEAD: u64 = 4096;

/// The order of the bytes of UTF-16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Little,
    Big,
}

/// Text in a stream: as much of it is in memory as its source has.
pub struct Text<R> {
    source: io::Chain<Cursor<Vec<u8>>, R>,
    wide: Option<Wide>,
    /// No line ends with a feed, some with a return.
    has_bare_returns: bool,
    /// The converted text; empty where nothing is to be converted.
    buffer: Vec<u8>,
    /// How much of that was taken.
    taken: usize,
}

/// UTF-16 that is being read.
struct Wide {
    order: Order,
    /// The first byte of a unit whose second has not come.
    odd: Option<u8>,
    /// The first unit of a pair whose second has not come.
    high: Option<u16>,
}

impl<R: BufRead> Text<R> {
    /// Text from here on. Waits for the beginning.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn new(mut source: R) -> io::Result<Text<R>> {
        let mut head = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut head)?;
        let (order, mark) = match head.as_slice() {
            [0xff, 0xfe, ..] => (Some(Order::Little), 2),
            [0xfe, 0xff, ..] => (Some(Order::Big), 2),
            head if head.starts_with(MARK) => (None, MARK.len()),
            _ => (None, 0),
        };
        let has_bare_returns = head.contains(&b'\r') && !head.contains(&b'\n');
        let mut head = Cursor::new(head);
        head.set_position(mark as u64);
        Ok(Text {
            source: head.chain(source),
            wide: order.map(|order| Wide { order, odd: None, high: None }),
            has_bare_returns,
            buffer: Vec::new(),
            taken: 0,
        })
    }

    fn is_converted(&self) -> bool {
        self.wide.is_some() || self.has_bare_returns
    }

    /// Converts what the source has next; nothing at its end.
    fn convert(&mut self) -> io::Result<()> {
        while self.taken == self.buffer.len() {
            self.buffer.clear();
            self.taken = 0;
            let bytes = self.source.fill_buf()?;
            let length = bytes.len();
            match &mut self.wide {
                Some(wide) => wide.convert(bytes, &mut self.buffer),
                None => self.buffer.extend_from_slice(bytes),
            }
            if self.has_bare_returns {
                for byte in self.buffer.iter_mut().filter(|byte| **byte == b'\r') {
                    *byte = b'\n';
                }
            }
            self.source.consume(length);
            if length == 0 {
                break;
            }
        }
        Ok(())
    }
}

impl Wide {
    /// Appends what these bytes say; what is cut off if there are none.
    fn convert(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        let mut push = |letter: char| {
            text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        };
        if bytes.is_empty() && (self.odd.take().is_some() | self.high.take().is_some()) {
            push(char::REPLACEMENT_CHARACTER);
        }
        for &byte in bytes {
            let Some(first) = self.odd.take() else {
                self.odd = Some(byte);
                continue;
            };
            let unit = match self.order {
                Order::Little => u16::from_le_bytes([first, byte]),
                Order::Big => u16::from_be_bytes([first, byte]),
            };
            let units = self.high.take().into_iter().chain([unit]);
            for letter in char::decode_utf16(units) {
                match letter {
                    Ok(letter) => push(letter),
                    // The first of a pair, if it is the last that came.
                    Err(_) if matches!(unit, 0xd800..=0xdbff) && self.high.is_none() => {
                        self.high = Some(unit);
                    }
                    Err(_) => push(char::REPLACEMENT_CHARACTER),
                }
            }
        }
    }
}

impl<R: BufRead> BufRead for Text<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let is_converted = self.is_converted();
        if is_converted {
            self.convert()?;
        }
        let bytes =
            if is_converted { &self.buffer[self.taken..] } else { self.source.fill_buf()? };
        // The sign stays unread, so that it goes on being the end.
        match bytes.contains(&END) {
            true => Ok(bytes.split(|&byte| byte == END).next().unwrap_or_default()),
            false => Ok(bytes),
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.is_converted() {
            self.taken += amount;
        } else {
            self.source.consume(amount);
        }
    }
}

impl<R: BufRead> Read for Text<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(target.len());
        target[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

/// The text of a whole file of at most `most` bytes.
///
/// # Errors
/// It cannot be read, is larger, or is not UTF-8: then with the line.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let invalid = |reason| io::Error::new(io::ErrorKind::InvalidData, reason);
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(invalid(format!("larger than {most} bytes, and not what is looked for")));
    }
    String::from_utf8(plain(bytes)).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
        invalid(format!("line {line} is not text in UTF-8"))
    })
}

/// All lines of a text, however many, if none is longer than `longest` bytes: what has no line ends
/// would fill the memory.
///
/// # Errors
/// It cannot be read, or a line is longer: then with the line.
pub fn read_lines(mut text: impl BufRead, longest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in 1.. {
        match text.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut bytes)? {
            0 => break,
            length if length > longest && bytes.last() != Some(&b'\n') => {
                let reason = format!("line {line} is longer than {longest} bytes");
                return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
            }
            _ => {}
        }
    }
    Ok(bytes)
}

/// As [`Text`], of what is in memory.
pub fn plain(bytes: Vec<u8>) -> Vec<u8> {
    let mut text = Vec::new();
    let read = Text::new(bytes.as_slice()).and_then(|mut it| it.read_to_end(&mut text));
    read.expect("memory can be read");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces of so many bytes, as they may come through a pipe.
    fn read(bytes: &[u8], piece: usize) -> String {
        let mut text = Text::new(io::BufReader::with_capacity(piece, bytes)).expect("readable");
        let mut read = Vec::new();
        text.read_to_end(&mut read).expect("readable");
        assert!(text.fill_buf().expect("readable").is_empty(), "an end is an end");
        String::from_utf8(read).expect("UTF-8")
    }

    fn wide(text: &str, order: Order) -> Vec<u8> {
        let bytes = |unit: u16| match order {
            Order::Little => unit.to_le_bytes(),
            Order::Big => unit.to_be_bytes(),
        };
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn wide_text_is_converted() {
        // A letter of three bytes, and one of two units.
        let text = "[White \"Мüller\"]\r\n1. ♘f3 \u{1d11e} *\r\n".repeat(200);
        for order in [Order::Little, Order::Big] {
            let bytes = wide(&text, order);
            for piece in [1, 2, 3, 7, 8192] {
                assert_eq!(read(&bytes, piece), text);
            }
            // A letter that is cut off, and halves of pairs that are alone.
            assert_eq!(
                read(&bytes[..bytes.len() - 1], 8192),
                text[..text.len() - 1].to_owned() + "\u{fffd}"
            );
        }
        assert_eq!(
            read(&[0xff, 0xfe, 0x00, 0xd8, b'a', 0, 0x00, 0xdc, 0x00, 0xd8], 1),
            "\u{fffd}a\u{fffd}\u{fffd}"
        );
        assert_eq!(read(&[0xfe, 0xff], 1), "");
    }

    #[test]
    fn marks_and_what_is_behind_the_end_are_left_out() {
        for piece in [1, 2, 8192] {
            assert_eq!(read("\u{feff}a\nb".as_bytes(), piece), "a\nb");
            assert_eq!(read(b"a\r\nb\r\n\x1a\x1a\0junk", piece), "a\r\nb\r\n");
            assert_eq!(read(&wide("a\n\u{1a}b", Order::Big), piece), "a\n");
            assert_eq!(read(b"", piece), "");
            assert_eq!(read(b"\x1a", piece), "");
            assert_eq!(read(b"a\rb\r", piece), "a\nb\n");
            assert_eq!(read(b"a\rb\r\n", piece), "a\rb\r\n");
        }
        let long = [vec![b'x'; 10_000], vec![END], vec![b'y'; 10]].concat();
        assert_eq!(read(&long, 4096).len(), 10_000);
    }

    #[test]
    fn a_line_or_file_without_end_is_not_read_to_its_end() {
        let endless = || Text::new(io::BufReader::new(io::repeat(0)));
        let refused = read_lines(endless().expect("readable"), 100_000).expect_err("endless");
        assert_eq!(refused.to_string(), "line 1 is longer than 100000 bytes");
        assert_eq!(read_lines(&b"abc\nabc\nab"[..], 3).expect("short"), b"abc\nabc\nab");
        let refused = read_lines(&b"abc\nabcd\n"[..], 3).expect_err("long");
        assert_eq!(refused.to_string(), "line 2 is longer than 3 bytes");
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("text");
        std::fs::write(&path, "a\r\nb").expect("writable");
        assert_eq!(super::read(&path, 4).expect("small"), "a\r\nb");
        assert!(super::read(&path, 3).is_err());
    }

    #[test]
    fn text_in_memory_is_the_same() {
        assert_eq!(plain(b"M\xfcller".to_vec()), b"M\xfcller");
        assert_eq!(plain("\u{feff}a\u{1a}".into()), b"a");
        assert_eq!(plain(wide("a", Order::Little)), b"a");
        assert_eq!(plain(b"a\rb".to_vec()), b"a\nb");
    }
}
