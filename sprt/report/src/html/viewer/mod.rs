//! Games that can be looked at within a page: the board, the moves, the scores and times as curves.
//! The games are embedded as JSON, and a script of our own shows them; nothing is fetched.
//!
//! Rust says how the board lies and what each move changes on it (`plies.rs`), so that the script needs
//! no rules.

mod analysis_link;
mod plies;
mod shelf;

use std::collections::{BTreeMap, HashMap};

use matches::openings::Book;
use matches::pgn::{ending, variant};
use maud::{Markup, PreEscaped, html};
use playable::BoardStyle;
use serde::Serialize;

use plies::text_of_plies;

use super::board::{classes, figures, ground, wide_view_box};

pub use analysis_link::AnalysisLink;
pub use shelf::{FaultShelf, KeptGame, OpeningShelf, PairingShelf};

const STYLE: &str = include_str!("viewer.css");
const SCRIPT: &str = include_str!("viewer.js");

/// The games of a page, in lists that links lead to.
#[derive(Serialize)]
pub struct Viewer<'a> {
    event: String,
    #[serde(flatten)]
    geometry: Geometry,
    players: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<&'a AnalysisLink>,
    /// Starting positions (FEN), each once.
    starts: Vec<String>,
    lists: Vec<List>,
    games: Vec<Game<'a>>,
    /// Number of the moves' notation.
    #[serde(skip)]
    notation: usize,
    #[serde(skip)]
    openings: &'a Book,
    /// Games by pair and index.
    #[serde(skip)]
    known: HashMap<(u64, usize), usize>,
}

/// The game as the script has to know it.
#[derive(Serialize)]
struct Geometry {
    files: usize,
    ranks: usize,
    /// The number of the rank next to the side that moves first.
    first: usize,
    /// Words of a position before its counters.
    fields: usize,
    /// The side that moves first, and the other.
    colors: [&'static str; 2],
    /// Figures of men, by their letters.
    figures: BTreeMap<char, String>,
    /// Men stand where lines cross.
    #[serde(skip_serializing_if = "is_false")]
    points: bool,
    /// Its name in PGN, unless it is chess.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
}

impl Geometry {
    fn of(game: playable::Game) -> Geometry {
        let (files, ranks) = game.board();
        Geometry {
            files,
            ranks,
            first: game.first_rank(),
            fields: game.word_counts().0,
            colors: game.color_names(),
            figures: figures(game),
            points: game.board_style() != BoardStyle::Squares,
            variant: variant(game),
        }
    }
}

/// A list of games under a name.
#[derive(Serialize)]
struct List {
    id: String,
    name: String,
    note: String,
    games: Vec<usize>,
}

/// A game as the page has it.
#[derive(Serialize)]
struct Game<'a> {
    /// Pair and game from 1.
    round: [u64; 2],
    /// Indices of White and Black.
    players: [usize; 2],
    result: &'static str,
    ending: String,
    opening: String,
    /// Index in the list of starting positions.
    start: usize,
    #[serde(skip_serializing_if = "is_false")]
    chess960: bool,
    plies: String,
    #[serde(skip)]
    kept: &'a KeptGame,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl<'a> Viewer<'a> {
    /// A viewer without games. `event` names the run in PGN, whose moves are in the `notation` of this
    /// number.
    pub fn new(
        event: String,
        notation: usize,
        players: Vec<&'a str>,
        openings: &'a Book,
        analysis: Option<&'a AnalysisLink>,
    ) -> Viewer<'a> {
        Viewer {
            event,
            notation,
            geometry: Geometry::of(openings.game()),
            players,
            analysis,
            starts: Vec::new(),
            lists: Vec::new(),
            games: Vec::new(),
            openings,
            known: HashMap::new(),
        }
    }

    /// Adds a list of games, of `in_all` that there are, unless it is empty. `id` is a word that
    /// [`link`] leads to.
    pub fn add(
        &mut self,
        id: String,
        name: String,
        games: impl IntoIterator<Item = &'a KeptGame>,
        in_all: u64,
    ) {
        let games: Vec<usize> = games.into_iter().map(|game| self.index_of(game)).collect();
        if games.is_empty() {
            return;
        }
        let note = match games.len() as u64 {
            here if here < in_all => {
                format!("{here} of {in_all} games; the others are in games.pgn of the run.")
            }
            _ => String::new(),
        };
        self.lists.push(List { id, name, note, games });
    }

    /// Puts all games into one list more, in the order in which they were played, of `in_all` that
    /// there are.
    pub fn list_all(&mut self, in_all: u64) {
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        order.sort_by_key(|&index| self.games[index].round);
        let games: Vec<&'a KeptGame> = order.iter().map(|&index| self.games[index].kept).collect();
        self.add(ALL.to_owned(), "Games".to_owned(), games, in_all);
    }

    /// The index of a game, which is taken in when it is met first.
    fn index_of(&mut self, kept: &'a KeptGame) -> usize {
        let key = (kept.pair, kept.index);
        if let Some(&index) = self.known.get(&key) {
            return index;
        }
        let record = &kept.record;
        let chess960 = record.start.chess960();
        let fen = record.start.to_fen();
        let start = self.starts.iter().rposition(|known| *known == fen).unwrap_or_else(|| {
            self.starts.push(fen);
            self.starts.len() - 1
        });
        let name = self.openings.opening(kept.opening).and_then(|opening| opening.name);
        self.games.push(Game {
            round: [kept.pair + 1, kept.index as u64 + 1],
            players: kept.players,
            result: record.result.as_str(),
            ending: ending(record),
            opening: name.unwrap_or_else(|| format!("{} of the file", kept.opening + 1)),
            start,
            chess960,
            plies: String::new(),
            kept,
        });
        self.known.insert(key, self.games.len() - 1);
        self.games.len() - 1
    }

    /// True if there is nothing to look at.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The style sheet of the viewer.
    pub fn style(&self) -> Markup {
        html! { style { (PreEscaped(STYLE)) } }
    }

    /// The viewer with its games and its script, for the end of the page's body. `refresh` is the
    /// time in seconds after which a page that is not looked into is loaded again.
    pub fn into_markup(mut self, refresh: Option<u32>) -> Markup {
        for game in &mut self.games {
            game.plies = text_of_plies(&game.kept.record, self.notation, game.kept.with_times);
        }
        html! {
            (frame(self.openings.game(), self.analysis.is_some()))
            script type="application/json" id="viewer-data" { (PreEscaped(json(&self))) }
            script data-refresh=[refresh] { (PreEscaped(SCRIPT)) }
        }
    }
}

/// The list of all games that a page has.
pub const ALL: &str = "games";

/// The address within the page of a game in a list, the first being 0.
pub fn link(list: &str, index: usize) -> String {
    format!("#view/{list}/{index}")
}

/// As [`link`], with the last position of the game rather than the first.
pub fn link_to_end(list: &str, index: usize) -> String {
    format!("#view/{list}/{index}/end")
}

/// JSON that may stand in an element `script` of HTML and of XML: nothing in it ends the element or
/// opens a comment, whatever names are in it.
fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("plain data becomes JSON");
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{7f}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// All but the games: the script fills it in.
fn frame(game: playable::Game, has_analysis: bool) -> Markup {
    let [first, _] = game.color_names();
    html! {
        dialog id="viewer" aria-labelledby="viewer-title" {
            div.viewer-head {
                h2 id="viewer-title" {}
                button type="button" id="viewer-close" aria-label="Close (Escape)" { "✕" }
            }
            p.note id="viewer-note" {}
            div.viewer-pick {
                label for="viewer-filter" { "Show" }
                select id="viewer-filter" {}
                label for="viewer-games" { "Game" }
                select id="viewer-games" {}
                button type="button" id="viewer-before" aria-label="Game before (Arrow up)" { "↑" }
                button type="button" id="viewer-after" aria-label="Next game (Arrow down)" { "↓" }
            }
            div.viewer-body {
                div.viewer-stage id="viewer-stage" tabindex="0" role="group"
                    aria-label="Board. Arrow keys left and right: moves; Home and End: start and \
                                end; up and down: other games; F: turn the board." {
                    p.plate id="viewer-top" {}
                    svg class=(classes(game)) id="viewer-board" viewBox=(wide_view_box(game)) role="img" {
                        (ground(game))
                        g id="viewer-men" {}
                    }
                    p.plate id="viewer-bottom" {}
                    div.viewer-row role="group" aria-label="Moves" {
                        @for (id, name, sign) in STEPS {
                            button type="button" id={ "viewer-" (id) } aria-label=(name) { (sign) }
                        }
                    }
                }
                div.viewer-side {
                    p id="viewer-status" role="status" aria-live="polite" {}
                    div.viewer-moves id="viewer-moves" role="group" aria-label="Moves of the game" {}
                    figure.viewer-curve {
                        svg id="viewer-curve" viewBox="0 0 320 120" preserveAspectRatio="none"
                            role="img"
                            aria-label={ "Scores from " (first) "'s view, and times, by move" } {}
                        figcaption id="viewer-legend" {}
                    }
                    div.viewer-row.viewer-tools {
                        button type="button" id="viewer-pgn" { "Copy PGN" }
                        button type="button" id="viewer-fen" { "Copy FEN" }
                        @if has_analysis {
                            a id="viewer-analysis" target="_blank" rel="noopener noreferrer" {
                                "Analyze"
                            }
                        }
                        span id="viewer-said" role="status" {}
                    }
                }
            }
        }
    }
}

/// Buttons below the board: id, name, sign.
const STEPS: [(&str, &str, &str); 5] = [
    ("first", "Start of the game (Home)", "«"),
    ("back", "Move back (Arrow left)", "‹"),
    ("on", "Next move (Arrow right)", "›"),
    ("last", "End of the game (End)", "»"),
    ("flip", "Turn the board (F)", "⇅"),
];

/// A pair of made-up games, whose lengths and results follow from its number.
#[cfg(test)]
pub fn made_up_pair(number: u64, opening: usize, players: [usize; 2]) -> matches::game::PairRecord {
    use matches::game::{GameRecord, GameResult, PairRecord, PlyRecord, Termination};
    let start = chess::GAME.start();
    let mut position = start.clone();
    // Four moves that can be repeated as often as one likes.
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|text| {
        let mv = position.parse_uci(text).expect("legal");
        position.play(mv);
        mv
    });
    let games = [number * 7 % 11, number * 5 % 13].map(|chance| {
        let ply = |ply: u64| {
            let mv = moves[ply as usize % 4];
            PlyRecord { mv, score: Some(0), depth: 9, selective_depth: 0, nodes: 99, time: 1000 }
        };
        GameRecord {
            start: start.clone(),
            plies: (0..20 * chance).map(ply).collect(),
            result: [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins]
                [chance as usize % 3],
            termination: Termination::Rules(playable::Ending::CHECKMATE),
            faults: Vec::new(),
            audit: None,
            warnings: Vec::new(),
        }
    });
    PairRecord { number, opening, players, games, replays: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_its_element() {
        let name = "</script><script>alert(1)</script><!-- & \"'\\ \u{2028} ]]>";
        let text = json(&[name]);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        let read: Vec<String> = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read, [name]);
    }

    #[test]
    fn the_script_can_stand_in_a_page() {
        for text in [SCRIPT, STYLE] {
            for forbidden in
                ["</", "<!--", "http:", "https:", "url(", "import", "fetch", "Infinity"]
            {
                assert!(!text.contains(forbidden), "{forbidden}");
            }
        }
    }
}
