//! evaluation
