//! A search that shows whether a limit is kept.

use std::time::{Duration, Instant};

use super::{Silence, UciPlayer, no_reply};
use crate::game::Fault;
use crate::player::limit_trial::{LimitTrial, MIDDLEGAME, SearchLimit};

impl UciPlayer {
    /// Searches once with this limit, and says `stop` if there is no answer for so long. An engine
    /// that does not hear that either is left as it is.
    pub(super) fn search_for_trial(
        &mut self,
        limit: SearchLimit,
        patience: Duration,
    ) -> Result<LimitTrial, Fault> {
        self.attempt(|player, running| {
            let process = &mut running.process;
            let mut trial = LimitTrial::new(limit);
            let mut deadline = Instant::now() + patience;
            let text = format!("position fen {MIDDLEGAME}\n{limit}\n");
            let mut asked = process.ask(&text, deadline);
            loop {
                match asked.and_then(|()| process.next_line(deadline)) {
                    Ok(line) => {
                        let text = String::from_utf8_lossy(process.text(line));
                        if text.split_ascii_whitespace().next() == Some("bestmove") {
                            return Ok(trial);
                        }
                        trial.hear(&text);
                        asked = Ok(());
                    }
                    Err(Silence::Timeout) if trial.unanswered.is_none() => {
                        trial.unanswered = Some(patience);
                        deadline = player.reply_deadline();
                        asked = process.ask("stop\n", deadline);
                    }
                    Err(Silence::Timeout) => return Ok(trial),
                    Err(silence) => {
                        let patience = patience.as_millis() as u64;
                        return Err(no_reply(process, silence, "go", patience));
                    }
                }
            }
        })
    }
}
