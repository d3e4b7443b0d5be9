//! `kamerton convert`.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args;
use pgn::records::{self, GameRecord};
use playable::Game;
use system::files::{FileError, check_outputs, claim_outputs, write_atomically};
use system::paint;

#[derive(Args, Debug)]
#[command(after_help = "\
Games are read as PGN (draughts: PDN) or as XML, plain or packed by gzip. Moves may be in any
notation of the game, but in one throughout. The first fault ends the work, with its line, and
nothing is written. Comments and variations are left out. A file of XML holds one game, with the
tags Event, Site, Date, Red (or White) and Black alone.

Examples:
  kamerton --game xiangqi convert games.pgn --notation chinese
  kamerton --game xiangqi convert game.xml --notation wxf --output game.pgn
  kamerton --game xiangqi convert game.pgn --notation letters --output game.xml
  kamerton --game draughts convert match.pdn > checked.pdn")]
pub struct ConvertArguments {
    /// Recorded games; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to write the moves [default: the game's usual notation]
    #[arg(long, value_name = "NAME")]
    notation: Option<String>,
    /// Where to write, as XML if the name ends with .xml [default: standard output, as PGN]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ConvertArguments {
    /// Reads all games and writes them.
    pub fn run(&self, game: Game) -> anyhow::Result<()> {
        let notation = self.notation_of(game)?;
        if let Some(output) = &self.output {
            check_outputs(&[output], self.files.iter().map(PathBuf::as_path))?;
        }
        let mut found = Vec::new();
        for path in &self.files {
            found.extend(read_records(path, game)?);
        }
        ensure!(!found.is_empty(), "there is no game to write");
        let is_xml =
            self.output.as_ref().is_some_and(|path| path.extension() == Some("xml".as_ref()));
        let text = match &found[..] {
            [record] if is_xml => {
                let left_out = records::without_element(record);
                if !left_out.is_empty() {
                    let names = left_out.join(", ");
                    paint::tell_warning(format_args!("tags that XML has no place for: {names}"));
                }
                records::write_xml(record, notation)
            }
            _ if is_xml => bail!("a file of XML holds one game, not {}", found.len()),
            _ => {
                let texts = found.iter().map(|record| records::write(record, notation));
                texts.collect::<Vec<_>>().join("\n")
            }
        };
        let Some(output) = &self.output else {
            std::io::stdout().write_all(text.as_bytes())?;
            return Ok(());
        };
        let _claims = claim_outputs([&**output])?;
        Ok(write_atomically(output, |file| file.write_all(text.as_bytes()))?)
    }

    /// The number of the notation that is asked for.
    fn notation_of(&self, game: Game) -> anyhow::Result<usize> {
        let Some(name) = &self.notation else { return Ok(0) };
        let known = game.notations();
        let found = known.iter().position(|it| it == name);
        found.with_context(|| {
            format!("{} has no notation {name:?}; expected {}", game.name(), known.join(", "))
        })
    }
}

/// The records of a file, PGN or XML.
pub fn read_records(path: &Path, game: Game) -> anyhow::Result<Vec<GameRecord>> {
    let mut text = String::new();
    let read = pgn::open(path).and_then(|mut file| file.read_to_string(&mut text));
    read.map_err(FileError::at("read", path))?;
    let found = match text.trim_start().starts_with('<') {
        true => records::parse_xml(&text, game).map(|record| vec![record]),
        false => records::parse(&text, game),
    };
    found.with_context(|| path.display().to_string())
}
