//! A pair as a line of the journal has it.

use itoa::Buffer;
use playable::{Color, Position};
use serde::{Deserialize, Serialize};

use crate::game::{
    AuditRecord, Fault, GameRecord, GameResult, PairRecord, PlyRecord, Termination, Warning,
};
use crate::openings::Book;
use crate::pgn::push_number;

/// A pair as the journal shows it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairLine {
    pub pair: u64,
    opening: usize,
    #[serde(default = "two_players", skip_serializing_if = "is_two_players")]
    players: [usize; 2],
    games: [GameLine; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replays: Vec<String>,
    /// The pair equals an earlier one move for move. For those who read the journal: the run finds it
    /// out again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copy: bool,
    /// Files that engines are told of, and were seen to write before this pair was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
}

fn two_players() -> [usize; 2] {
    [0, 1]
}

fn is_two_players(players: &[usize; 2]) -> bool {
    *players == two_players()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    result: GameResult,
    termination: Termination,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<(Side, Fault)>,
    /// Of a game that both players forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_fault: Option<(Side, Fault)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    audit: Option<AuditRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<(Side, Warning)>,
    /// Plies as `e2e4/31/9+17/5000`: move, score in centipawns from White's view (empty if the player
    /// gave none), depth and selective depth (if the player told it), nodes; where time decides, a
    /// fifth number is the time in microseconds.
    plies: String,
}

/// A color as the journal writes it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl PairLine {
    pub fn new(pair: &PairRecord, with_times: bool) -> PairLine {
        let fault = |game: &GameRecord, index: usize| {
            game.faults.get(index).cloned().map(|(color, fault)| (color.into(), fault))
        };
        let games = pair.games.each_ref().map(|game| GameLine {
            result: game.result,
            termination: game.termination,
            audit: game.audit,
            fault: fault(game, 0),
            second_fault: fault(game, 1),
            warnings: game.warnings.iter().cloned().map(|(by, what)| (by.into(), what)).collect(),
            plies: text_of_plies(game, with_times),
        });
        let &PairRecord { number, opening, players, ref replays, .. } = pair;
        let (replays, written) = (replays.clone(), Vec::new());
        PairLine { pair: number, opening, players, games, replays, copy: false, written }
    }

    pub fn replay(self, openings: &Book) -> Result<PairRecord, String> {
        let opening = openings.opening(self.opening);
        let opening = opening.ok_or_else(|| format!("there is no opening {}", self.opening))?;
        let start = &opening.position;
        let [first, second] = self.games;
        let games = [first.replay(start)?, second.replay(start)?];
        let PairLine { pair: number, opening, players, replays, .. } = self;
        Ok(PairRecord { number, opening, players, games, replays })
    }
}

impl GameLine {
    fn replay(self, start: &Position) -> Result<GameRecord, String> {
        if let Termination::Rules(rule) = self.termination
            && !start.game().endings().contains(&rule)
        {
            return Err(format!("{rule:?} ends no game of {}", start.game().name()));
        }
        let mut position = start.clone();
        let mut plies = Vec::new();
        let faults = self.fault.into_iter().chain(self.second_fault);
        for text in self.plies.split_ascii_whitespace() {
            let ply = parse_ply(text, &position).ok_or_else(|| format!("bad ply {text:?}"))?;
            position.play(ply.mv);
            position.forget_unrepeatable_past();
            plies.push(ply);
        }
        Ok(GameRecord {
            start: start.clone(),
            plies,
            result: self.result,
            termination: self.termination,
            audit: self.audit,
            faults: faults.map(|(side, fault)| (side.into(), fault)).collect(),
            warnings: self.warnings.into_iter().map(|(side, what)| (side.into(), what)).collect(),
        })
    }
}

fn text_of_plies(game: &GameRecord, with_times: bool) -> String {
    let mut text = String::with_capacity(20 * game.plies.len());
    let mut position = game.start.clone();
    for ply in &game.plies {
        let PlyRecord { mv, score, depth, selective_depth, nodes, time } = *ply;
        if !text.is_empty() {
            text.push(' ');
        }
        position.push_uci(mv, &mut text);
        position.play(mv);
        position.forget_unrepeatable_past();
        text.push('/');
        if let Some(score) = score {
            text.push_str(Buffer::new().format(score));
        }
        text.push('/');
        push_number(&mut text, depth);
        if selective_depth > 0 {
            text.push('+');
            push_number(&mut text, selective_depth);
        }
        text.push('/');
        push_number(&mut text, nodes);
        if with_times {
            text.push('/');
            push_number(&mut text, time);
        }
    }
    text
}

fn parse_ply(text: &str, position: &Position) -> Option<PlyRecord> {
    let mut parts = text.split('/');
    let mv = position.parse_uci(parts.next()?).ok()?;
    let score = match parts.next()? {
        "" => None,
        score => Some(score.parse().ok()?),
    };
    let depths = parts.next()?;
    let (depth, selective_depth) = depths.split_once('+').unwrap_or((depths, "0"));
    let (depth, selective_depth) = (depth.parse().ok()?, selective_depth.parse().ok()?);
    let nodes = parts.next()?.parse().ok()?;
    let time = parts.next().map_or(Some(0), |time| time.parse().ok())?;
    parts.next().is_none().then_some(PlyRecord { mv, score, depth, selective_depth, nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_read_back_with_what_was_told_of_them() {
        let start = chess::GAME.start();
        let ply = |selective_depth| PlyRecord {
            mv: start.parse_uci("e2e4").expect("legal"),
            score: Some(-31),
            depth: 9,
            selective_depth,
            nodes: 5000,
            time: 0,
        };
        for (selective_depth, text) in [(17, "e2e4/-31/9+17/5000"), (0, "e2e4/-31/9/5000")] {
            let game = GameRecord {
                start: start.clone(),
                plies: vec![ply(selective_depth)],
                result: GameResult::Draw,
                termination: Termination::MaxPlies,
                faults: Vec::new(),
                audit: None,
                warnings: Vec::new(),
            };
            assert_eq!(text_of_plies(&game, false), text);
            assert_eq!(parse_ply(text, &start), Some(ply(selective_depth)));
        }
        for text in ["e2e4/-31/9+/5000", "e2e4/-31/+17/5000", "e2e4/-31/9+256/5000"] {
            assert_eq!(parse_ply(text, &start), None, "{text}");
        }
    }
}
