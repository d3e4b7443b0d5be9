//! A test that cannot run here says so, where `.ci/run` lists it, and fails where nothing may be missing.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::io::Write;

/// Says why a test is skipped: on standard error, and as a line of the file that `KAMERTON_SKIPPED` names.
///
/// # Panics
/// With `KAMERTON_REQUIRE=1`, which `.ci/long` sets: a test that is skipped proves nothing.
pub fn skip(reason: &str) {
    let is_required = std::env::var_os("KAMERTON_REQUIRE").is_some_and(|it| it != "0");
    assert!(!is_required, "KAMERTON_REQUIRE: {reason}");
    eprintln!("skipped: {reason}");
    if let Some(list) = std::env::var_os("KAMERTON_SKIPPED") {
        let mut list = std::fs::File::options().append(true).create(true).open(list);
        let list = list.as_mut().expect("KAMERTON_SKIPPED names a file that can be written");
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        list.write_all(format!("{test}: {reason}\n").as_bytes()).expect("room for a line");
    }
}
