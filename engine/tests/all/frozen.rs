//! Numbers that no tuning changes, for tests of what a technique does with such numbers.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use chess::Parameters;

/// A default of some day; what has been declared since is off or nothing.
pub fn frozen() -> &'static Arc<Parameters> {
    static FROZEN: OnceLock<Arc<Parameters>> = OnceLock::new();
    FROZEN.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/frozen.toml");
        let (parameters, _) = Parameters::load_partial(&path, &Parameters::zero()).expect("a file");
        Arc::new(parameters)
    })
}
