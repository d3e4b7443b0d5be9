//! What a search would answer at several moments of its life: one search tells what it would have
//! played, and what it would have promised, with fewer nodes, at no further cost.

use std::f64::consts::FRAC_1_SQRT_2;

use engine::chess::Move;

/// Moments at which an answer is looked at, as shares of the nodes: a sixteenth to all of them, each
/// √2 times the one before.
pub const MOMENTS: [f64; 9] =
    [0.0625, 0.088_388, 0.125, 0.176_777, 0.25, 0.353_553, 0.5, FRAC_1_SQRT_2, 1.0];

/// What a search says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move it would play.
    pub mv: Move,
    /// What it thinks that is worth, from the mover's view.
    pub centipawns: i32,
}

/// The answer at each of the [`MOMENTS`].
pub type Life = [Answer; MOMENTS.len()];

/// Collects the answers of one search.
pub(super) struct Diary {
    /// Nodes at each of the moments.
    due: [f64; MOMENTS.len()],
    /// Those of the moments that have passed.
    answers: Vec<Answer>,
    latest: Option<Answer>,
}

impl Diary {
    /// A diary of a search that has so many nodes.
    pub fn new(nodes: u64) -> Diary {
        let due = MOMENTS.map(|share| share * nodes as f64);
        Diary { due, answers: Vec::with_capacity(MOMENTS.len()), latest: None }
    }

    /// The search, at so many nodes, says what it would play.
    pub fn note(&mut self, nodes: u64, answer: Answer) {
        // Until now it would have answered as it did before; at first it had said nothing.
        while self.due.get(self.answers.len()).is_some_and(|&due| due < nodes as f64) {
            self.answers.push(self.latest.unwrap_or(answer));
        }
        self.latest = Some(answer);
    }

    /// The search has ended with this answer.
    pub fn end(mut self, answer: Answer) -> Life {
        let last = MOMENTS.len() - 1;
        self.answers.truncate(last);
        self.answers.resize(last, self.latest.unwrap_or(answer));
        self.answers.push(answer);
        self.answers.try_into().expect("there is one for each moment")
    }
}

#[cfg(test)]
mod tests {
    use engine::chess::Position;

    use super::*;

    #[test]
    fn a_diary_holds_the_answer_of_each_moment() {
        let moves = Position::start().legal_moves();
        let [first, second, third] =
            [0, 1, 2].map(|index| Answer { mv: moves[index], centipawns: index as i32 });
        let mut diary = Diary::new(1000);
        diary.note(10, first);
        diary.note(400, second);
        // At 353.6 nodes the first answer stood, at 500 the second.
        diary.note(900, third);
        let [.., a, b, c, d, e] = diary.end(third);
        assert_eq!([a, b, c, d, e], [first, first, second, second, third]);
        assert_eq!(Diary::new(1000).end(first), [first; 9]);
        let mut late = Diary::new(1000);
        late.note(800, first);
        let life = late.end(second);
        assert!(life[..8].iter().all(|&answer| answer == first) && life[8] == second);
        let mut at_once = Diary::new(1000);
        at_once.note(250, first);
        at_once.note(251, second);
        let life = at_once.end(second);
        assert_eq!(life[..5], [first; 5]);
        assert_eq!(life[5..], [second; 4]);
        // What comes beyond the end changes nothing but the last answer.
        let mut beyond = Diary::new(1000);
        beyond.note(100, first);
        beyond.note(1500, second);
        let life = beyond.end(second);
        assert!(life[..8].iter().all(|&answer| answer == first) && life[8] == second);
    }
}
