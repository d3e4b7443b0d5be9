//! A search that shows whether a limit is kept.

use std::time::{Duration, Instant};

use playable::Game;

use super::process::{Process, Silence};
use super::questions::no_reply;
use crate::game::Fault;
use crate::player::limit_trial::{LimitTrial, SearchLimit};

/// Searches once with this limit, and says `stop` if there is no answer for so long. Whoever does not
/// hear that either, within so many milliseconds, is left as it is.
pub(super) fn search(
    process: &mut Process,
    game: Game,
    limit: SearchLimit,
    patience: Duration,
    reply_timeout: u64,
) -> Result<LimitTrial, Fault> {
    let mut trial = LimitTrial::new(limit);
    let mut deadline = Instant::now() + patience;
    let text = format!("position fen {}\n{limit}\n", game.middlegame().to_fen());
    let mut asked = process.ask(&text, deadline);
    loop {
        match asked.and_then(|()| process.next_line(deadline)) {
            Ok(line) => {
                let text = String::from_utf8_lossy(process.text(line));
                if matches!(text.split_ascii_whitespace().next(), Some("bestmove" | "nobestmove")) {
                    return Ok(trial);
                }
                trial.hear(&text);
                asked = Ok(());
            }
            Err(Silence::Timeout) if trial.unanswered.is_none() => {
                trial.unanswered = Some(patience);
                deadline = Instant::now() + Duration::from_millis(reply_timeout);
                asked = process.ask("stop\n", deadline);
            }
            Err(Silence::Timeout) => return Ok(trial),
            Err(silence) => {
                let patience = patience.as_millis() as u64;
                return Err(no_reply(process, silence, "go", patience));
            }
        }
    }
}
