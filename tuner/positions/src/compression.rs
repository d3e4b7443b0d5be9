//! Packed files: gzip and zstd are read under any name and written where the name asks for them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use system::files::{FileError, write_atomically};

/// First bytes of a file packed by gzip.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// First bytes of a frame packed by zstd.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes of content in each frame that is written: what is packed together, and held in memory.
const FRAME_BYTES: usize = 4 << 20;

/// Opens a file and unpacks it if it begins as a packed one does. Each byte read, as it lies on the
/// disk, moves the bar on.
///
/// # Errors
/// The file cannot be opened or read. Damage shows only as it is read on.
pub fn open(path: &Path, bar: &ProgressBar) -> Result<Box<dyn BufRead + Send>, FileError> {
    File::open(path)
        .and_then(|file| unpacked(BufReader::with_capacity(1 << 16, bar.wrap_read(file))))
        .map_err(FileError::at("read", path))
}

/// The plain bytes of a file, unpacked if it is packed.
pub(super) fn unpacked(
    mut file: impl BufRead + Send + 'static,
) -> io::Result<Box<dyn BufRead + Send>> {
    let start = file.fill_buf()?;
    Ok(if start.starts_with(&GZIP_MAGIC) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else if start.starts_with(&ZSTD_MAGIC) {
        Box::new(BufReader::new(ZstdReader::new(file)))
    } else {
        Box::new(file)
    })
}

/// Writes a file whole or not at all, packed if its name ends with `.gz` or `.zst`.
///
/// # Errors
/// If the file cannot be written; it is then as before.
pub fn write_packed(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    write_atomically(path, |file| match path.extension().and_then(|name| name.to_str()) {
        Some("gz") => {
            let mut packer = GzEncoder::new(file, Compression::default());
            write(&mut packer)?;
            packer.finish().map(drop)
        }
        Some("zst") => {
            let mut packer = ZstdWriter::new(file);
            write(&mut packer)?;
            packer.finish()
        }
        _ => write(file),
    })
}

/// The name without the ending that says how the file is packed.
pub(super) fn plain_name(path: &Path) -> &Path {
    match path.extension().and_then(|name| name.to_str()) {
        Some("gz" | "zst") => Path::new(path.file_stem().unwrap_or_default()),
        _ => path,
    }
}

/// The content of frames of zstd, one after another, each held against its checksum. Frames with a
/// window of more than 128 MB, which would all be held, the decoder refuses.
struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
    /// Frames begun.
    frames: u64,
}

impl<R: BufRead> ZstdReader<R> {
    fn new(source: R) -> ZstdReader<R> {
        ZstdReader { source, decoder: FrameDecoder::new(), frames: 0 }
    }

    /// Begins the next frame; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        if self.frames > 0 {
            let stated = self.decoder.get_checksum_from_data();
            if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                return Err(self.damaged("its checksum is wrong"));
            }
        }
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    self.frames += 1;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.source.by_ref().take(u64::from(length));
                    io::copy(&mut skipped, &mut io::sink())?;
                }
                Err(error) => {
                    self.frames += 1;
                    return Err(self.damaged(error));
                }
            }
        }
    }

    fn damaged(&self, problem: impl std::fmt::Display) -> io::Error {
        let frame = self.frames;
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("frame {frame} of zstd is damaged: {problem}"),
        )
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if self.decoder.is_finished() {
                if !self.begin_frame()? {
                    return Ok(0);
                }
            } else {
                let decoded = self
                    .decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(|error| self.damaged(error))?;
            }
        }
        self.decoder.read(buffer)
    }
}

/// Packs what is written as frames of zstd, one for every [`FRAME_BYTES`].
struct ZstdWriter<W> {
    target: W,
    content: Vec<u8>,
    frames: u64,
}

impl<W: Write> ZstdWriter<W> {
    fn new(target: W) -> ZstdWriter<W> {
        ZstdWriter { target, content: Vec::with_capacity(FRAME_BYTES), frames: 0 }
    }

    fn write_frame(&mut self) -> io::Result<()> {
        let frame = compress_to_vec(self.content.as_slice(), CompressionLevel::Fastest);
        self.content.clear();
        self.frames += 1;
        self.target.write_all(&frame)
    }

    /// Writes what is left. Nothing at all is one empty frame.
    fn finish(mut self) -> io::Result<()> {
        if self.frames == 0 || !self.content.is_empty() {
            self.write_frame()?;
        }
        Ok(())
    }
}

impl<W: Write> Write for ZstdWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(FRAME_BYTES - self.content.len());
        self.content.extend_from_slice(&bytes[..count]);
        if self.content.len() == FRAME_BYTES {
            self.write_frame()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A frame is whole or it is nothing; `finish` writes the last one.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_of_several_frames_comes_back() {
        let content: Vec<u8> =
            (0..FRAME_BYTES as u64 + 70_000).map(|index| ((index * index) >> 13) as u8).collect();
        for length in [0, 1, FRAME_BYTES, content.len()] {
            let mut packed = Vec::new();
            let mut writer = ZstdWriter::new(&mut packed);
            writer.write_all(&content[..length]).expect("memory");
            writer.finish().expect("memory");
            // Frames of other kinds in between are skipped.
            packed.extend_from_slice(&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
            let mut found = Vec::new();
            unpacked(io::Cursor::new(packed))
                .and_then(|mut reader| reader.read_to_end(&mut found))
                .expect("as it was written");
            assert!(found == content[..length], "{length}");
        }
    }
}
