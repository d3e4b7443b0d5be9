//! Names that most methods need.

pub(crate) use parameters::{Switch, group};
pub(crate) use search::value::{DECIDED, DRAW, INFINITY, MAX_PLY, is_decided};
pub(crate) use search::{Bound, GameMove, MoveClass, Ruling, Value};

pub(crate) use crate::game::{MoveTraits, TextbookGame};
pub(crate) use crate::node::Node;
pub(crate) use crate::running::{Search, Step};
