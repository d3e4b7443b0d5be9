//! Where PGN is read from.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use system::text::Text;

/// Opens a file, packed by gzip or not, as [`Text`]; `-` is the standard input.
///
/// # Errors
/// The file cannot be opened or read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path)?))
    };
    Ok(Box::new(Text::new(unpacked(file)?)?))
}

/// The plain text of a file, unpacked if it is packed.
fn unpacked(mut file: Box<dyn BufRead>) -> io::Result<Box<dyn BufRead>> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    if file.fill_buf()?.starts_with(&GZIP) {
        return Ok(Box::new(BufReader::new(MultiGzDecoder::new(file))));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("a vector takes all");
        encoder.finish().expect("a vector takes all")
    }

    fn read(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        unpacked(Box::new(io::Cursor::new(bytes)))?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn packed_files_are_unpacked() {
        assert_eq!(read(b"1. e4 *".to_vec()).expect("plain"), "1. e4 *");
        // Files joined after they were packed are one.
        let both = [packed("1. e4 *\n"), packed("1. d4 *\n")].concat();
        assert_eq!(read(both).expect("packed"), "1. e4 *\n1. d4 *\n");
        assert_eq!(read(Vec::new()).expect("empty"), "");
        let mut cut = packed("1. e4 e5 2. Nf3 Nc6 *");
        cut.truncate(cut.len() - 9);
        read(cut).expect_err("cut off");
    }
}
