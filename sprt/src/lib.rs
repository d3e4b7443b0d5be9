//! sprt
