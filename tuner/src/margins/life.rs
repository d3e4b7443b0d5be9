//! What a search would answer at several moments of its life: one search tells what it would have
//! played with fewer nodes, at no further cost.

use engine::chess::Move;

/// Moments at which an answer is looked at, as shares of the nodes: a quarter to all of them, each
/// √2 times the one before.
pub const MOMENTS: [f64; 5] = [0.25, 0.353_553, 0.5, 0.707_107, 1.0];

/// The answer at each of the [`MOMENTS`].
pub type Life = [Move; MOMENTS.len()];

/// Collects the answers of one search.
pub(super) struct Diary {
    /// Nodes at each of the moments.
    due: [f64; MOMENTS.len()],
    answers: Life,
    /// Moments that have passed.
    passed: usize,
    latest: Move,
}

impl Diary {
    /// A diary of a search that has so many nodes.
    pub fn new(nodes: u64) -> Diary {
        let due = MOMENTS.map(|share| share * nodes as f64);
        Diary { due, answers: [Move::NONE; MOMENTS.len()], passed: 0, latest: Move::NONE }
    }

    /// The search, at so many nodes, says what it would play.
    pub fn note(&mut self, nodes: u64, answer: Move) {
        // Until now it would have played what it said before; at first it had said nothing.
        while self.passed < MOMENTS.len() && self.due[self.passed] < nodes as f64 {
            self.answers[self.passed] = if self.latest.is_none() { answer } else { self.latest };
            self.passed += 1;
        }
        self.latest = answer;
    }

    /// The search has ended with this move.
    pub fn end(mut self, answer: Move) -> Life {
        let before = if self.latest.is_none() { answer } else { self.latest };
        let last = MOMENTS.len() - 1;
        self.answers[self.passed.min(last)..last].fill(before);
        self.answers[last] = answer;
        self.answers
    }
}

#[cfg(test)]
mod tests {
    use engine::chess::Position;

    use super::*;

    #[test]
    fn a_diary_holds_the_answer_of_each_moment() {
        let moves = Position::start().legal_moves();
        let [first, second, third] = [moves[0], moves[1], moves[2]];
        let mut diary = Diary::new(1000);
        diary.note(100, first);
        diary.note(400, second);
        // At 250 and 353.6 nodes the first answer stood, at 500 the second.
        diary.note(900, third);
        assert_eq!(diary.end(third), [first, first, second, second, third]);
        assert_eq!(Diary::new(1000).end(first), [first; 5]);
        let mut late = Diary::new(1000);
        late.note(800, first);
        assert_eq!(late.end(second), [first, first, first, first, second]);
        let mut at_once = Diary::new(1000);
        at_once.note(250, first);
        at_once.note(251, second);
        assert_eq!(at_once.end(second), [first, second, second, second, second]);
    }
}
