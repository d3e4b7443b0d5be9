//! UCCI 3.0, the protocol of xiangqi programs, where its words are not those of UCI.
//!
//! Commands and replies are those of UCI. Clocks belong to the mover and the opponent instead of
//! two colors, and count seconds unless the option `usemillisec` is on. Scores are bare numbers.

use std::fmt::Write;
use std::time::Duration;

use super::command::{LONGEST_TIME, Words, parse_position};
use super::{
    Command, CommandError, Go, InfoLine, OptionDeclaration, OptionKind, Parsed, Reply, ScoreBound,
    ScoreValue,
};

/// The protocol of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// The universal chess interface.
    #[default]
    Uci,
    /// The universal Chinese chess interface, version 3.0.
    Ucci {
        /// Its times count milliseconds, and not seconds.
        milliseconds: bool,
    },
}

impl Protocol {
    /// Whether it is UCCI.
    pub fn is_ucci(self) -> bool {
        matches!(self, Protocol::Ucci { .. })
    }

    /// The command of a line, see [`Command::parse`]. UCCI passes over what it does not know. Its
    /// clocks are the mover's and the opponent's until [`Go::of_mover`] has made them those of two
    /// colors.
    ///
    /// # Errors
    /// Those of UCI; UCCI has none.
    pub fn parse_command(self, line: &str) -> Result<Option<Parsed>, CommandError> {
        if !self.is_ucci() {
            return Command::parse(line);
        }
        let parsed = |command| Parsed { command, ignored: Vec::new(), mistakes: Vec::new() };
        Ok(parse_command(line).map(parsed))
    }

    /// The reply of a line, see [`Reply::parse`].
    pub fn parse_reply(self, line: &str) -> Option<Reply> {
        if self.is_ucci() { parse_reply(line) } else { Reply::parse(line) }
    }

    /// The lines of a reply. Those of UCCI pass over scores that are upper bounds, for which it has no
    /// words.
    pub fn reply_text(self, reply: &Reply) -> String {
        match self {
            Protocol::Uci => reply.to_string(),
            Protocol::Ucci { milliseconds } => reply_text(reply, milliseconds),
        }
    }

    /// The line that sets an option.
    pub fn set_option(self, name: &str, value: Option<&str>) -> String {
        match (self, value) {
            (Protocol::Uci, value) => {
                let value = value.map(str::to_owned);
                Command::SetOption { name: name.to_owned(), value }.to_string()
            }
            (Protocol::Ucci { .. }, Some(value)) => format!("setoption {name} {value}"),
            (Protocol::Ucci { .. }, None) => format!("setoption {name}"),
        }
    }

    /// The line that asks for a search. `mover` is 0 for the side that moves first, and 1 for the other.
    pub fn go_text(self, go: &Go, mover: usize) -> String {
        match self {
            Protocol::Uci => go.to_string(),
            Protocol::Ucci { milliseconds } => go_text(go, mover, milliseconds),
        }
    }
}

/// Centipawns of UCI that are one point of UCCI, where a minor piece is worth 100: a horse is worth
/// some 200 centipawns.
const POINT: i32 = 2;
/// Points of a mate on the board; one a ply away is worth one point less.
const MATE: i32 = 10_000;
/// Mates are told up to so many plies, so that no other score looks like one.
const MATE_PLIES: i32 = 199;

/// The command of a line; `None` for one that means nothing.
fn parse_command(line: &str) -> Option<Command> {
    let mut words = Words::new(line);
    Some(match words.next()? {
        "ucci" => Command::Ucci,
        "isready" => Command::IsReady,
        "setoption" => {
            let name = words.next()?.to_owned();
            let value = words.rest().trim();
            Command::SetOption { name, value: (!value.is_empty()).then(|| value.to_owned()) }
        }
        "position" => parse_position(&mut words),
        "banmoves" => Command::BanMoves(words.map(str::to_owned).collect()),
        "go" => Command::Go(parse_go(&mut words)),
        "stop" => Command::Stop,
        // An offer of a draw that comes with it is not accepted.
        "ponderhit" => Command::PonderHit,
        "probe" => Command::Probe,
        "quit" => Command::Quit,
        _ => return None,
    })
}

fn parse_go(words: &mut Words<'_>) -> Go {
    let mut go = Go::default();
    let mut is_whole = true;
    while let Some(word) = words.next() {
        let place = match word {
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "ponder" => {
                go.ponder = true;
                continue;
            }
            "draw" => {
                go.draw = true;
                continue;
            }
            "depth" | "nodes" | "time" | "movestogo" | "increment" | "opptime" | "oppincrement" => {
                word
            }
            _ => continue,
        };
        let value = words.next();
        if (place, value) == ("depth", Some("infinite")) {
            go.infinite = true;
            continue;
        }
        let Some(number) = value.and_then(whole_number) else {
            is_whole = false;
            continue;
        };
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        let time = Some(Duration::from_millis(number).min(LONGEST_TIME));
        match place {
            "depth" => go.depth = Some(small),
            "nodes" => go.nodes = Some(number),
            "movestogo" => go.moves_to_go = Some(small),
            "time" => go.time[0] = time,
            "opptime" => go.time[1] = time,
            "increment" => go.increment[0] = time,
            _ => go.increment[1] = time,
        }
    }
    if !is_whole {
        go.let_unlimited_clocks_run_out();
    }
    go
}

/// A number of a limit; one below zero is as good as zero.
fn whole_number(text: &str) -> Option<u64> {
    let number: i128 = text.parse().ok()?;
    Some(u64::try_from(number.max(0)).unwrap_or(u64::MAX))
}

impl Go {
    /// The limits of a UCCI command, as it was parsed, for a mover: 0 for the side that moves first and
    /// 1 for the other. Without `milliseconds` its times count seconds.
    pub fn of_mover(mut self, mover: usize, milliseconds: bool) -> Go {
        for times in [&mut self.time, &mut self.increment] {
            if mover == 1 {
                times.swap(0, 1);
            }
            if !milliseconds {
                for time in times.iter_mut().flatten() {
                    *time = time.saturating_mul(1000).min(LONGEST_TIME);
                }
            }
        }
        self
    }
}

/// The line of a search. A time for this move is a clock for one move. Seconds are rounded down, but
/// never to none, which may mean no clock.
fn go_text(go: &Go, mover: usize, milliseconds: bool) -> String {
    let told = |time: Duration| match milliseconds {
        true => time.as_millis().max(1),
        false => u128::from(time.as_secs().max(1)),
    };
    let gained = |time: Duration| match milliseconds {
        true => time.as_millis(),
        false => time.as_secs().into(),
    };
    let mut text = "go".to_owned();
    let mut add = |word: &str, value: Option<u128>| {
        if let Some(value) = value {
            write!(text, " {word} {value}").expect("strings take all");
        }
    };
    add("depth", go.depth.map(u128::from));
    add("nodes", go.nodes.map(u128::from));
    let for_move = go.move_time.map(told);
    match go.time[mover].map(told) {
        Some(time) if for_move.is_none_or(|move_time| time < move_time) => {
            add("time", Some(time));
            add("movestogo", go.moves_to_go.map(u128::from));
            // One or the other, as the protocol has it.
            let is_told = |time: &Duration| go.moves_to_go.is_none() || !time.is_zero();
            add("increment", go.increment[mover].filter(is_told).map(gained));
            let other = 1 - mover;
            add("opptime", go.time[other].map(told));
            add(
                "oppincrement",
                go.time[other].and(go.increment[other]).filter(is_told).map(gained),
            );
        }
        _ => {
            add("time", for_move);
            add("movestogo", for_move.map(|_| 1));
        }
    }
    if go.infinite {
        text += " infinite";
    }
    if go.ponder {
        text.replace_range(2..2, " ponder");
    }
    text
}

/// Parses a line of an engine. `None` for one that is not of the protocol.
fn parse_reply(line: &str) -> Option<Reply> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match first {
        "ucciok" => Some(Reply::UciOk),
        "option" => OptionDeclaration::parse(&default_first(rest)).map(Reply::Option),
        "nobestmove" => Some(Reply::BestMove { best: None, ponder: None }),
        "info" => {
            let Some(Reply::Info(mut info)) = Reply::parse(line) else { return None };
            let mut words = rest.split_whitespace();
            let score = words.find(|&word| word == "score").and_then(|_| words.next());
            info.score = score.and_then(|score| score.parse().ok()).map(value_of);
            Some(Reply::Info(info))
        }
        "id" | "readyok" | "bestmove" => Reply::parse(line),
        _ => None,
    }
}

/// Whether an engine that answers so gives the game up.
pub fn resigns(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("bestmove") && words.next_back() == Some("resign")
}

/// The declaration of an option as UCI orders it, whose default comes first.
fn default_first(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let kind = words.iter().position(|&word| word == "type").map(|at| at + 2);
    let default = words.iter().rposition(|&word| word == "default");
    if let (Some(kind), Some(default)) = (kind, default)
        && kind <= default
    {
        words[kind..].rotate_left(default - kind);
    }
    format!("name {}", words.join(" "))
}

fn reply_text(reply: &Reply, milliseconds: bool) -> String {
    match reply {
        Reply::UciOk => "ucciok".to_owned(),
        Reply::Option(option) => option_text(option),
        Reply::Info(info) => info_text(info, milliseconds),
        Reply::BestMove { best: None, .. } => "nobestmove".to_owned(),
        other => other.to_string(),
    }
}

fn option_text(OptionDeclaration { name, kind }: &OptionDeclaration) -> String {
    match kind {
        OptionKind::Spin { default, low, high } => {
            format!("option {name} type spin min {low} max {high} default {default}")
        }
        OptionKind::Check { default } => format!("option {name} type check default {default}"),
        _ => format!("option {name} type button"),
    }
}

/// Depth, score and line in one line, and time and nodes in another, as the protocol has them.
fn info_text(info: &InfoLine, milliseconds: bool) -> String {
    if let Some(text) = &info.text {
        return format!("info message {}", text.replace(['\n', '\r'], " "));
    }
    let mut text = String::new();
    if let Some(depth) = info.depth.filter(|_| info.bound != ScoreBound::Upper) {
        write!(text, "info depth {depth}").expect("strings take all");
        if let Some(score) = info.score {
            write!(text, " score {}", points(score)).expect("strings take all");
        }
        if !info.line.is_empty() {
            write!(text, " pv {}", info.line.join(" ")).expect("strings take all");
        }
        text.push('\n');
    }
    if let (Some(time), Some(nodes)) = (info.time, info.nodes) {
        let time = if milliseconds { time.as_millis() } else { time.as_secs().into() };
        write!(text, "info time {time} nodes {nodes}").expect("strings take all");
    }
    text
}

/// A score in points.
fn points(score: ScoreValue) -> i32 {
    let highest = MATE - MATE_PLIES - 1;
    match score {
        ScoreValue::Centipawns(value) => (value / POINT).clamp(-highest, highest),
        // The winner makes the last move, the loser the one before.
        ScoreValue::Mate(moves) if moves > 0 => {
            MATE - moves.saturating_mul(2).saturating_sub(1).min(MATE_PLIES)
        }
        ScoreValue::Mate(moves) => moves.saturating_mul(-2).min(MATE_PLIES) - MATE,
    }
}

/// The score of so many points.
fn value_of(points: i32) -> ScoreValue {
    let plies = MATE.saturating_sub(points.saturating_abs());
    match (0..=MATE_PLIES).contains(&plies) {
        true if points > 0 => ScoreValue::Mate((plies + 1) / 2),
        true => ScoreValue::Mate(-(plies / 2)),
        false => ScoreValue::Centipawns(points.saturating_mul(POINT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECONDS: Protocol = Protocol::Ucci { milliseconds: false };
    const MILLISECONDS: Protocol = Protocol::Ucci { milliseconds: true };

    fn parse_go(line: &str) -> Go {
        match SECONDS.parse_command(line) {
            Ok(Some(Parsed { command: Command::Go(go), .. })) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn clocks_are_the_movers_and_the_opponents() {
        let line = "go ponder time 60 increment 1 opptime 50 oppincrement 2";
        let black = parse_go(line).of_mover(1, false);
        assert!(black.ponder);
        assert_eq!(black.time, [50, 60].map(|time| Some(Duration::from_secs(time))));
        assert_eq!(black.increment, [2, 1].map(|time| Some(Duration::from_secs(time))));
        assert_eq!(SECONDS.go_text(&black, 1), line);
        let red = parse_go(line).of_mover(0, true);
        assert_eq!(red.time, [60, 50].map(|time| Some(Duration::from_millis(time))));
        assert_eq!(MILLISECONDS.go_text(&red, 0), line);
        let line = "go time 9 movestogo 3";
        assert_eq!(MILLISECONDS.go_text(&parse_go(line), 0), line);
    }

    #[test]
    fn limits_have_words_of_their_own() {
        assert!(parse_go("go depth infinite").infinite);
        let both = Go { depth: Some(5), nodes: Some(700), draw: true, ..Go::default() };
        assert_eq!(parse_go("go draw depth 5 nodes 700 oddity"), both);
        assert_eq!(SECONDS.go_text(&both, 0), "go depth 5 nodes 700");
        let move_time = Some(Duration::from_millis(2500));
        let for_move = Go { move_time, ..Go::default() };
        assert_eq!(MILLISECONDS.go_text(&for_move, 1), "go time 2500 movestogo 1");
        assert_eq!(SECONDS.go_text(&for_move, 1), "go time 2 movestogo 1");
        // Whose limit cannot be read has no time left.
        assert_eq!(parse_go("go time soon").time, [Some(Duration::ZERO); 2]);
        assert_eq!(parse_go("go time -3").time[0], Some(Duration::ZERO));
    }

    #[test]
    fn options_have_their_default_last() {
        for (line, uci) in [
            (
                "option hashsize type spin min 0 max 1024 default 16",
                "spin default 16 min 0 max 1024",
            ),
            ("option batch type check default false", "check default false"),
            ("option newgame type button", "button"),
            (
                "option style type combo var solid var normal var risky default normal",
                "combo default normal var solid var normal var risky",
            ),
            ("option bookfiles type string default a b.dat", "string default a b.dat"),
        ] {
            let Some(Reply::Option(option)) = SECONDS.parse_reply(line) else { panic!("{line}") };
            let name = &option.name;
            assert_eq!(option.to_string(), format!("option name {name} type {uci}"));
        }
    }

    #[test]
    fn scores_are_points_and_mates_count_plies() {
        for (score, points) in [
            (ScoreValue::Centipawns(-31), -15),
            (ScoreValue::Centipawns(30_000), 9_800),
            (ScoreValue::Mate(1), 9_999),
            (ScoreValue::Mate(3), 9_995),
            (ScoreValue::Mate(0), -10_000),
            (ScoreValue::Mate(-2), -9_996),
            (ScoreValue::Mate(500), 9_801),
        ] {
            assert_eq!(super::points(score), points, "{score:?}");
        }
        let scores = [-15, 9_999, 9_995, -10_000, -9_996, 9_800].map(value_of);
        assert_eq!(scores[0], ScoreValue::Centipawns(-30));
        assert_eq!(scores[1..5], [1, 3, 0, -2].map(ScoreValue::Mate));
        assert_eq!(scores[5], ScoreValue::Centipawns(19_600));
        let Some(Reply::Info(info)) = SECONDS.parse_reply("info depth 6 score -4 pv b0c2 b9c7")
        else {
            panic!("an info line")
        };
        let line = vec!["b0c2".to_owned(), "b9c7".to_owned()];
        assert_eq!((info.depth, info.line), (Some(6), line));
        assert_eq!(info.score, Some(ScoreValue::Centipawns(-8)));
    }

    #[test]
    fn best_moves_may_come_with_an_offer() {
        let line = "bestmove b0c2 ponder b9c7 resign";
        let expected =
            Reply::BestMove { best: Some("b0c2".to_owned()), ponder: Some("b9c7".to_owned()) };
        assert_eq!(SECONDS.parse_reply(line), Some(expected));
        assert!(resigns(line) && !resigns("bestmove b0c2 draw"));
        let none = Reply::BestMove { best: None, ponder: None };
        assert_eq!(SECONDS.parse_reply("nobestmove"), Some(none.clone()));
        assert_eq!(SECONDS.reply_text(&none), "nobestmove");
    }
}
