//! Progress on the terminal.

mod sequential_test;
mod tournament;

use matches::game::PairRecord;
use matches::run::PlayerFaults;

pub use sequential_test::TestTerminal;
pub use tournament::TournamentTerminal;

/// Counts what the players did wrong in a pair. Returns a line for each fault that is among the first
/// of its kind.
fn count_faults(players: &mut [PlayerFaults], pair: &PairRecord) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, faults) in players.iter_mut().enumerate() {
        let before = faults.examples.len();
        faults.count(index, pair);
        let new = faults.examples.iter().zip(&faults.files).skip(before);
        // Warnings cost nothing and have no file; the end tells them.
        let new = new.filter(|(_, file)| file.is_some());
        lines.extend(new.map(|(example, _)| format!("{}, {example}", faults.player)));
    }
    lines
}
