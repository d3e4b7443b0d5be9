//! tuner
fn main() {}
