//! sprt
fn main() {}
