//! Numbers that no tuning changes, for tests of what a technique does with such numbers.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use chess::Parameters;

/// A default of some day; numbers that have been declared since are as declared.
pub fn frozen() -> &'static Arc<Parameters> {
    static FROZEN: OnceLock<Arc<Parameters>> = OnceLock::new();
    FROZEN.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/frozen.toml");
        Arc::new(Parameters::load(&path).expect("a file"))
    })
}
