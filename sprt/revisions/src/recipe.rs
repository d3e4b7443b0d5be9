//! How revisions are built.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How a revision is made into a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Cargo or a command.
    pub method: Method,
    /// Files and folders of the checkout that the engine needs beside it when it runs.
    pub companions: Vec<PathBuf>,
}

/// The tool that builds a revision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Method {
    /// `cargo build --release`, with the flags below.
    Cargo {
        /// The package; found if there is only one with a program, or one called `engine`.
        package: Option<String>,
        /// The program; found if the package has only one.
        binary: Option<String>,
        /// Arguments of `cargo build` besides those that name the program.
        flags: Vec<String>,
    },
    /// A command for the shell, run at the top of the checkout.
    Shell {
        /// The command; `{output}` stands for where the program shall be.
        command: String,
        /// Where the program is in the checkout, if the command does not say `{output}`.
        binary: Option<PathBuf>,
    },
}
