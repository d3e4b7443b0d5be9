//! Two small games beside chess, searched by the methods of the literature: for learners, who can count
//! here what pruning, order and table save.
//!
//! With pruning neutral, all of them and the engine's search give the value of minimax. Tests hold this on
//! these two games and a third one of their own (`engine/tests/all/toy_games`).
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005): Corners in
//! chapter 1, tic-tac-toe in the first appendix.

pub mod corners;
pub mod drivers;
pub mod source_program;
pub mod tic_tac_toe;
pub mod whole_nodes;
