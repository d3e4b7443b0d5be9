//! Kinds of nodes. They are types, so that each has its own code.

/// A kind of node. Kinds are types, so that each has its own code.
pub(crate) trait Kind {
    /// The position that was asked about.
    const ROOT: bool;
    /// The window is open: the node may lie on the line of best play.
    const PRINCIPAL: bool;
}

/// The position that was asked about.
pub(crate) struct Root;
/// A node with an open window.
pub(crate) struct Principal;
/// A node of which only "above or not" is asked.
pub(crate) struct ZeroWindow;

impl Kind for Root {
    const ROOT: bool = true;
    const PRINCIPAL: bool = true;
}

impl Kind for Principal {
    const ROOT: bool = false;
    const PRINCIPAL: bool = true;
}

impl Kind for ZeroWindow {
    const ROOT: bool = false;
    const PRINCIPAL: bool = false;
}
