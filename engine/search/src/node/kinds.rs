//! Kinds of nodes. They are types, so that the compiler makes code for each, without questions that
//! its kind answers.

/// A kind of node.
pub(crate) trait Kind {
    /// The node is the root: the position that was asked about.
    const ROOT: bool;
    /// The window is open (beta > alpha + 1): the node may lie on the line of best play.
    const PRINCIPAL: bool;
}

/// The position that was asked about.
pub(crate) struct Root;
/// A node with an open window.
pub(crate) struct Principal;
/// A node with beta = alpha + 1, of which only "above alpha or not" is asked.
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
