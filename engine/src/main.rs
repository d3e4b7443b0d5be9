//! kamerton
fn main() {}
