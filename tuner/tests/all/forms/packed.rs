//! Files packed by gzip and zstd: the same inside as outside.

use std::fs;

use positions::Form;

use super::{convert, read, try_read};
use crate::child::ended;
use crate::command_line::tuner;
use crate::shared_data::shared_data;
use crate::skipping::skip;
use crate::store::{random_game, scratch, settings, write};

#[test]
fn every_form_is_read_and_written_packed() {
    let folder = scratch();
    let store = folder.path().join("games.kgames");
    let games: Vec<_> = (0..30).map(|index| random_game(23, index)).collect();
    write(&store, &settings(300), &games);
    for form in ["csv", "txt", "bullet", "vf"] {
        let plain = folder.path().join(format!("plain.{form}"));
        convert(&store, &plain);
        let samples = read(&plain).samples;
        assert!(samples.len() > 300);
        for packing in ["gz", "zst"] {
            let packed = folder.path().join(format!("packed.{form}.{packing}"));
            convert(&store, &packed);
            let (small, large) = (fs::read(&packed), fs::read(&plain));
            assert!(small.expect("written").len() < large.expect("written").len());
            assert_eq!(read(&packed).samples, samples, "{form}.{packing}");
            // The bytes tell, not the name.
            let renamed = folder.path().join(format!("renamed.{form}"));
            fs::copy(&packed, &renamed).expect("writable");
            assert_eq!(read(&renamed).samples, samples, "{form}.{packing}");
        }
    }
}

#[test]
fn packed_stores_and_games_are_read() {
    use std::io::Write;
    let folder = scratch();
    let store = folder.path().join("games.kgames");
    let games: Vec<_> = (0..10).map(|index| random_game(24, index)).collect();
    write(&store, &settings(300), &games);
    let packed = folder.path().join("games.kgames.gz");
    let file = fs::File::create(&packed).expect("writable");
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packer.write_all(&fs::read(&store).expect("written")).expect("writable");
    packer.finish().expect("writable");
    assert_eq!(read(&packed).samples, read(&store).samples);
    // A name that promises a store is held against its content.
    let message = try_read(&store.with_extension("csv"), Some(Form::Store)).expect_err("nothing");
    assert!(message.to_string().contains("games.csv"), "{message}");
    fs::write(folder.path().join("no.kgames"), "8/8/8/8/8/8/8/8").expect("writable");
    let message = try_read(&folder.path().join("no.kgames"), None).expect_err("no store");
    assert!(message.to_string().contains("not a store"), "{message}");

    let pgn = folder.path().join("games.pgn.gz");
    let file = fs::File::create(&pgn).expect("writable");
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packer.write_all(b"1. e4 {+0.10/9 1s} e5 {+0.20/9 1s} 1-0\n").expect("writable");
    packer.finish().expect("writable");
    let imported = folder.path().join("imported.kgames");
    let (stdout, _) = ended(0, tuner().arg("import").arg(&pgn).arg("--output").arg(&imported));
    assert!(stdout.contains("recorded"), "{stdout}");
}

/// Real data, packed by the programs of others where they are at hand.
#[test]
fn what_others_packed_is_read() {
    let Some(book) = shared_data("positions/zurichess-quiet-labeled-subset-1000.epd") else {
        return;
    };
    let folder = scratch();
    let plain = read(&book).samples;
    for (program, arguments, name) in
        [("gzip", &["-9", "-c"][..], "book.epd.gz"), ("zstd", &["-19", "-q", "-c"], "book.epd.zst")]
    {
        let packed = std::process::Command::new(program).args(arguments).arg(&book).output();
        let Ok(packed) = packed else {
            skip(&format!("there is no {program}"));
            continue;
        };
        let path = folder.path().join(name);
        fs::write(&path, &packed.stdout).expect("writable");
        assert_eq!(read(&path).samples, plain, "{program}");
    }
}
