//! Thinking in the opponent's time.

use std::fmt::Write;
use std::time::Duration;

use super::lines::shorten;
use super::questions::{ask_until, go};
use super::state::{Guess, Running, UciPlayer};
use crate::game::{Fault, WarningKind};
use crate::player::{Choice, Turn};

impl UciPlayer {
    /// Lets the engine think about the answer that it expects to its move, if it is to ponder.
    ///
    /// An engine that cannot be told so any more says nothing to the next question either, where that
    /// is judged.
    pub(super) fn begin_pondering(
        &mut self,
        running: &mut Running,
        turn: &Turn<'_>,
        choice: &Choice,
    ) {
        let expected = self.expected.take().filter(|_| self.engine.ponder);
        // Without a limit of time nobody gains by it; what the clock will have after its last move
        // before it is refilled is not known yet.
        let is_sensible = turn.limits.is_timed() && turn.moves_to_go != Some(1);
        let Some(expected) = expected.filter(|_| is_sensible) else { return };
        if !turn.position.is_legal(choice.mv) {
            return;
        }
        let mut position = turn.position.clone();
        position.play(choice.mv);
        let Ok(reply) = position.parse_dialect(&expected, running.dialect) else {
            let detail = format!("bestmove … ponder {}", shorten(&expected));
            self.warnings.add(WarningKind::Protocol, detail);
            return;
        };
        let Some(game) = &self.game else { return };
        let index = turn.position.side_to_move().index();
        let mut question = go(turn);
        question.ponder = true;
        question.moves_to_go = question.moves_to_go.map(|moves| moves - 1);
        let gained = question.increment[index].unwrap_or_default();
        question.time[index] = question.time[index]
            .map(|time| time.saturating_sub(choice.elapsed).max(Duration::from_millis(1)) + gained);
        let mut message = game.and_then(&[choice.mv, reply]);
        let question = running.protocol.go_text(&question, index);
        writeln!(message, "\n{question}").expect("texts can be written to");
        self.info_lines.clear();
        if running.process.ask(&message, self.reply_deadline()).is_ok() {
            self.pondering = Some(Guess { plies: turn.plies.len(), own: choice.mv, reply });
        }
    }

    /// Ends the thinking about an answer that did not come: what it found is of no interest.
    ///
    /// # Errors
    /// The engine does not obey.
    pub(super) fn end_pondering(&mut self, running: &mut Running) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            ask_until(&mut running.process, "stop\n", "bestmove", self.engine.reply_timeout)?;
        }
        Ok(())
    }
}
