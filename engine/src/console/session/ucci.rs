//! The session in UCCI, the protocol of xiangqi programs: which words mean what of UCI.
//!
//! A user interface begins with `ucci`, and the session stays with that protocol. The engine accepts
//! a draw that is offered with `go draw` unless it sees itself ahead; it offers none and does not
//! resign. The transposition table is not shown: `probe` finds nothing.

use chess::games;
use playable::Outcome;
use uci::{Go, OptionDeclaration, OptionKind, Protocol};

use super::NO_MOVE;
use super::state::Session;

/// The game of the protocol.
const GAME: &str = "xiangqi";

/// Options of UCCI and those of the session that mean the same.
const OPTIONS: [(&str, &str); 3] =
    [("hashsize", "Hash"), ("threads", "Threads"), ("ponder", "Ponder")];

impl Session {
    /// Speaks UCCI from now on, and plays xiangqi.
    pub(super) fn speak_ucci(&mut self) {
        if !self.is_idle() {
            return self.output.remark("ucci: another protocol begins when the search has ended");
        }
        let chosen = games::named(GAME).and_then(|game| self.options.choose_game(game));
        match chosen {
            Ok(change) => self.follow(change),
            Err(error) => return self.output.remark(format!("ucci: {error}")),
        }
        self.options.first_rank = 0;
        self.output.protocol = Protocol::Ucci { milliseconds: false };
        self.introduce();
    }

    /// The options of UCCI.
    pub(super) fn ucci_options(&self) -> Vec<OptionDeclaration> {
        let own = self.options.declarations();
        let renamed = OPTIONS.iter().filter_map(|(name, ours)| {
            let kind = own.iter().find(|option| option.name == *ours)?.kind.clone();
            Some(OptionDeclaration { name: (*name).to_owned(), kind })
        });
        let declare = |name: &str, kind| OptionDeclaration { name: name.to_owned(), kind };
        let more = [
            declare("usemillisec", OptionKind::Check { default: false }),
            declare("newgame", OptionKind::Button),
        ];
        more.into_iter().chain(renamed).collect()
    }

    /// Sets an option of UCCI; others are passed over.
    pub(super) fn set_ucci_option(&mut self, name: &str, value: Option<&str>) {
        let name = name.to_ascii_lowercase();
        let ours = OPTIONS.iter().find(|(ucci, _)| *ucci == name).map(|(_, ours)| *ours);
        match (&*name, ours) {
            ("usemillisec", _) => {
                let milliseconds = matches!(value, Some("true" | "on"));
                self.output.protocol = Protocol::Ucci { milliseconds };
            }
            ("newgame", _) => self.set_option("Clear Hash", None),
            // None of them says how much: the engine chooses.
            (_, Some("Hash")) if value == Some("0") => self.set_option("Hash", Some("16")),
            (_, Some(ours)) => self.set_option(ours, value),
            _ => {}
        }
    }

    /// Says that no search is there to be ended, as UCCI wants it.
    pub(super) fn answer_idle_stop(&self) {
        if self.output.protocol.is_ucci() {
            self.output.reply(&NO_MOVE);
        }
    }

    /// Bans moves of this position, in place of those before.
    pub(super) fn ban(&mut self, moves: Vec<String>) {
        let is_legal = |text: &String| self.position.parse_uci(text).is_ok();
        let (legal, illegal): (Vec<_>, Vec<_>) = moves.into_iter().partition(is_legal);
        if !illegal.is_empty() {
            self.output.remark(format!("banmoves: illegal here: {}", illegal.join(" ")));
        }
        self.banned = legal;
    }

    /// The search that a `go` asks for: in UCCI by its clocks, and without the moves that are banned.
    /// `None` where nothing is to be searched.
    pub(super) fn search_of(&self, go: &Go) -> Option<Go> {
        let Protocol::Ucci { milliseconds } = self.output.protocol else { return Some(go.clone()) };
        let mut go = go.clone().of_mover(self.position.side_to_move().index(), milliseconds);
        if go.depth == Some(0) {
            return None;
        }
        if self.banned.is_empty() {
            return Some(go);
        }
        let root = self.root();
        let parse = |text: &String| self.position.parse_uci(text).ok();
        let banned: Vec<_> = self.banned.iter().filter_map(parse).collect();
        let allowed = self.position.legal_moves().into_iter().filter(|mv| !banned.contains(mv));
        go.search_moves = allowed.map(|mv| root.text(mv)).collect();
        (!go.search_moves.is_empty()).then_some(go)
    }

    /// The word behind a best move that accepts an offered draw, unless the mover is ahead.
    pub(super) fn consent(is_offered: bool, outcome: &Outcome) -> &'static str {
        if is_offered && !outcome.best.is_none() && outcome.score <= 0 { " draw" } else { "" }
    }
}
