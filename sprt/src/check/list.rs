//! All checks.

use matches::games;
use playable::Game;

use super::exam::{Exam, Need, Stop};
use super::report::{CheckReport, Counts, Finding, Outcome};
use super::{handshake, limits, manners, moves, output, thinking};

/// Something that is demanded of an engine.
#[derive(Debug)]
pub struct Check {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// The demand on the engine, in a sentence, in chess.
    demand: &'static str,
    /// The same in other games; `None` if it makes no sense there.
    demand_elsewhere: Option<&'static str>,
    /// How far the engine must get for it.
    pub needs: Need,
    /// How far an engine gets that passes it.
    pub gives: Option<Need>,
    pub(super) run: fn(&mut Exam<'_>) -> Result<(), Stop>,
}

impl Check {
    /// The demand on an engine of a game, in a sentence; `None` if the check makes no sense there.
    pub fn demand_in(&self, game: Game) -> Option<&'static str> {
        if games::is_usual(&game) { Some(self.demand) } else { self.demand_elsewhere }
    }

    /// The report of a check that was done.
    pub(super) fn judged(&self, game: Game, findings: Vec<Finding>, found: Counts) -> CheckReport {
        let more = found.iter().sum::<u64>() - findings.len() as u64;
        let outcome = if findings.is_empty() { Outcome::Passed } else { Outcome::Found };
        let demand = self.demand_in(game).unwrap_or(self.demand);
        CheckReport { check: self.name, demand, outcome, reason: None, findings, more, found }
    }

    /// The report of a check that says nothing of the engine, for this reason.
    pub(super) fn not_judged(&self, game: Game, reason: String) -> CheckReport {
        let judged = self.judged(game, Vec::new(), Counts::default());
        CheckReport { outcome: Outcome::NotJudged, reason: Some(reason), ..judged }
    }
}

/// A check that needs a certain level.
const fn check(
    needs: Need,
    name: &'static str,
    demand: &'static str,
    run: fn(&mut Exam<'_>) -> Result<(), Stop>,
) -> Check {
    Check { name, demand, demand_elsewhere: Some(demand), needs, gives: None, run }
}

/// The checks that make sense in a game, in the order of [`CHECKS`].
pub fn checks_of(game: Game) -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(move |check| check.demand_in(game).is_some())
}

/// All checks, in the order in which they are done; those that give a level come before all that need
/// it.
pub const CHECKS: &[Check] = &[
    Check {
        gives: Some(Need::Start),
        ..check(
            Need::Nothing,
            "start",
            "The program starts and answers `uci` by `uciok`.",
            handshake::start,
        )
    },
    check(
        Need::Start,
        "introduction",
        "Between `uci` and `uciok` nothing is said but `id`, `option` and `info`.",
        handshake::introduction,
    ),
    check(Need::Start, "name", "It says its name and who made it.", handshake::name),
    check(
        Need::Start,
        "options",
        "Options are well-formed, named once, and their defaults are values that they take.",
        handshake::options,
    ),
    check(
        Need::Start,
        "usual-options",
        "It has the options that runners set: Hash and Threads.",
        handshake::usual_options,
    ),
    Check {
        gives: Some(Need::Ready),
        ..check(
            Need::Start,
            "isready",
            "Each `isready` is answered by one `readyok`, and soon.",
            manners::is_ready,
        )
    },
    Check {
        gives: Some(Need::Search),
        ..check(
            Need::Ready,
            "answers",
            "A search on the clock ends with `bestmove`, on `stop` at the latest.",
            thinking::answers,
        )
    },
    check(
        Need::Search,
        "go-depth",
        "`go depth` is answered without `stop`, and searches no deeper.",
        limits::depth,
    ),
    check(
        Need::Search,
        "go-nodes",
        "`go nodes` is answered without `stop`, after about so many nodes.",
        limits::nodes,
    ),
    check(
        Need::Search,
        "go-movetime",
        "`go movetime` is answered in time, and uses it.",
        limits::move_time,
    ),
    check(
        Need::Search,
        "clock",
        "A game of 40 moves on the clock is not lost on time.",
        limits::clock,
    ),
    check(
        Need::Search,
        "tiny-clocks",
        "Clocks that are nearly empty are answered at once.",
        limits::tiny_clocks,
    ),
    check(
        Need::Search,
        "isready-searching",
        "`isready` is answered during a search.",
        thinking::is_ready_while_searching,
    ),
    check(
        Need::Search,
        "stop",
        "`go infinite` is searched until `stop`, which is answered at once.",
        thinking::stop,
    ),
    check(
        Need::Search,
        "ponder",
        "`go ponder` waits for `ponderhit` or `stop` (where there is an option Ponder).",
        thinking::ponder,
    ),
    check(
        Need::Search,
        "searchmoves",
        "`go searchmoves` answers with one of them.",
        thinking::search_moves,
    ),
    Check {
        demand_elsewhere: Some("Moves are legal in positions of every kind."),
        ..check(
            Need::Search,
            "legal-moves",
            "Moves are legal in odd positions: checks, pins, promotions, en passant, castling.",
            moves::legal_moves,
        )
    },
    check(
        Need::Search,
        "single-reply",
        "Where there is one legal move it is played.",
        moves::single_reply,
    ),
    check(
        Need::Search,
        "long-games",
        "After hundreds of moves behind `position` the answer is legal.",
        moves::long_games,
    ),
    check(
        Need::Search,
        "no-moves",
        "Where the game is over a search still ends, with no move.",
        moves::no_moves,
    ),
    Check {
        demand_elsewhere: None,
        ..check(
            Need::Search,
            "chess960",
            "With UCI_Chess960 moves are legal and castling is said as the king taking its rook.",
            moves::chess960,
        )
    },
    check(
        Need::Search,
        "mates",
        "Known mates are announced with the right sign and length, and played.",
        output::mates,
    ),
    check(
        Need::Search,
        "score-sign",
        "Scores are from the view of the side to move.",
        output::score_sign,
    ),
    check(
        Need::Search,
        "info-lines",
        "Lines of `info` are well-formed, have scores, and count nodes upwards.",
        output::info_lines,
    ),
    check(
        Need::Search,
        "variations",
        "Variations are legal and begin with the move that is played.",
        output::variations,
    ),
    check(
        Need::Search,
        "set-options",
        "Every option takes its default, and Hash and Threads other values.",
        manners::set_options,
    ),
    check(
        Need::Search,
        "options-kept",
        "An option stays set through `ucinewgame` (seen by MultiPV).",
        manners::options_kept,
    ),
    check(
        Need::Search,
        "ucinewgame",
        "New games may begin at any time, also after a search was stopped.",
        manners::new_games,
    ),
    check(
        Need::Search,
        "unknown-commands",
        "What it does not know is passed over.",
        manners::unknown_commands,
    ),
    check(
        Need::Search,
        "bad-input",
        "Malformed positions, illegal moves and wrong values do not end it.",
        manners::bad_input,
    ),
    check(
        Need::Search,
        "reply-speed",
        "What takes no thinking takes no time.",
        manners::reply_speed,
    ),
    check(
        Need::Search,
        "memory",
        "Memory does not grow with the length of a game.",
        manners::memory,
    ),
    check(
        Need::Start,
        "quit",
        "It ends after `quit`, also out of a search, and leaves no process behind.",
        manners::quit,
    ),
    check(
        Need::Start,
        "protocol-lines",
        "All that it says is of the protocol, in UTF-8.",
        manners::protocol_lines,
    ),
    check(
        Need::Start,
        "unasked-lines",
        "It answers once, and says nothing when nothing is asked.",
        manners::unasked_lines,
    ),
    check(Need::Start, "stderr", "Standard error is for errors.", manners::standard_error),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_check_needs_is_known_before_it() {
        let mut reached = Need::Nothing;
        let mut names = std::collections::BTreeSet::new();
        for check in CHECKS {
            assert!(check.needs <= reached, "{} comes too early", check.name);
            reached = check.gives.map_or(reached, |level| level.max(reached));
            assert!(names.insert(check.name), "{} is there twice", check.name);
            assert!(check.demand.ends_with('.'), "{}", check.name);
        }
    }
}
