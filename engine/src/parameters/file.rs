//! Parameter files: TOML with docs and ranges as comments.

/// Why a parameter file was refused.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParametersError(pub String);
