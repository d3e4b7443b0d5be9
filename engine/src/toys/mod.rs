//! Two small games beside chess, and the classic algorithms in their plainest form: for learners, who
//! can count here what pruning, order and table save, and for the tests, which hold the engine's
//! search against them.
//!
//! With pruning neutral, all classic algorithms and the engine's search give the same value. A test
//! holds this on these two games and a third one of its own (`engine/tests/all/toy_games`).
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005): Corners in
//! chapter 1, tic-tac-toe in the first appendix.

pub mod classic;
pub mod corners;
pub mod source_program;
pub mod tic_tac_toe;
