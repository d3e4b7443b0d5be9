//! Games as PGN: the tags, and the moves behind them.

use foreign::{LINE, shown};
use playable::{Color, Game};

use super::MoveComments;
use super::move_text::{CommentStyle, Wording, move_text};
use crate::game::{FaultKind, GameRecord, MoveLimits, PairRecord, Termination, TimeControl};
use crate::games;

/// Tags and choices that all games of a run share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnTags {
    /// Value of the tag Event.
    pub event: String,
    /// The contestants' names, by their indices.
    pub players: Vec<String>,
    /// How long each of them may think.
    pub limits: Vec<MoveLimits>,
    /// Kind of comments behind the moves.
    pub comments: MoveComments,
    /// Number of the moves' notation in [`playable::Playable::notations`].
    pub notation: usize,
}

impl PgnTags {
    /// Value of the tag Event for a run with this seed.
    pub fn event(seed: u64) -> String {
        format!("Kamerton sprt, seed {seed}")
    }

    /// True if the time of each move is written: where time decides nothing it is left out, so that
    /// a run repeated gives the same bytes. For the same reason no date is given.
    pub fn with_times(&self) -> bool {
        self.limits.iter().any(MoveLimits::is_timed)
    }

    /// Both games of a pair; `opening` is the name of its opening, if it has one.
    ///
    /// A plain comment behind each move gives the mover's score in pawns or its moves to mate, the
    /// depth, the seconds if [`PgnTags::with_times`], the nodes and the selective depth:
    /// `{+0.31/9 0.052s, n=5000, sd=17}`. Figures that the player did not tell are missing.
    /// Commands give the score in pawns or moves to mate from White's view with the depth,
    /// `[%eval -0.31,9]` or `[%eval #-3,9]`, and with times the mover's clock after the move, if it
    /// has one, and the time of the move: `[%clk 0:00:07.948] [%emt 0:00:00.052]`. A last comment
    /// says how the game ended.
    pub fn pair(&self, pair: &PairRecord, opening: Option<&str>) -> String {
        let with_times = self.with_times();
        let own = Wording { with_times, mates_in_plies: false, selective_depth: true };
        self.pair_worded(pair, opening, &own)
    }

    /// As [`PgnTags::pair`], in these ways.
    pub fn pair_worded(
        &self,
        pair: &PairRecord,
        opening: Option<&str>,
        wording: &Wording,
    ) -> String {
        let plies: usize = pair.games.iter().map(|game| game.plies.len()).sum();
        let mut text = String::with_capacity(800 + 32 * plies);
        for index in 0..pair.games.len() {
            self.tags(&mut text, pair, index, opening, wording.with_times);
            text.push('\n');
            let players = players_of(pair, index);
            let style = CommentStyle {
                comments: self.comments,
                notation: self.notation,
                wording: *wording,
                limits: players.map(|player| &self.limits[player]),
            };
            move_text(&mut text, &pair.games[index], &style);
            text.push('\n');
        }
        text
    }

    fn tags(
        &self,
        text: &mut String,
        pair: &PairRecord,
        index: usize,
        opening: Option<&str>,
        with_times: bool,
    ) {
        let game = &pair.games[index];
        let [white, black] = players_of(pair, index);
        let chess960 = game.start.chess960();
        let mut tag = |name: &str, value: &str| {
            text.push('[');
            text.push_str(name);
            text.push_str(" \"");
            // A tag is one line.
            for letter in shown(value, LINE).chars() {
                if matches!(letter, '\\' | '"') {
                    text.push('\\');
                }
                text.push(letter);
            }
            text.push_str("\"]\n");
        };
        tag("Event", &self.event);
        tag("Site", "?");
        tag("Date", "????.??.??");
        tag("Round", &format!("{}.{}", pair.number + 1, index + 1));
        tag("White", &self.players[white]);
        tag("Black", &self.players[black]);
        tag("Result", game.result.as_str());
        if chess960 {
            tag("Variant", "Chess960");
        }
        if let Some(variant) = variant(game.start.game()) {
            tag("Variant", variant);
        }
        if let Some(kind) = game.start.game().record_type() {
            tag("GameType", kind);
        }
        // The counters matter too: games end by them, and moves are numbered by them.
        if !game.start.is_start() {
            tag("SetUp", "1");
            tag("FEN", &game.start.uci_fen());
        }
        match opening {
            Some(name) => tag("Opening", name),
            None => tag("Opening", &format!("{} of the file", pair.opening + 1)),
        }
        let limits = [white, black].map(|player| &self.limits[player]);
        let mut tag_of_both = |name: &str, [white, black]: [String; 2]| {
            if white == black {
                tag(name, &white);
            } else {
                tag(&format!("White{name}"), &white);
                tag(&format!("Black{name}"), &black);
            }
        };
        tag_of_both("TimeControl", limits.map(time_control));
        // The standard knows only clocks.
        if limits.iter().any(|limits| limits.nodes.is_some() || limits.depth.is_some()) {
            tag_of_both("Limits", limits.map(MoveLimits::to_string));
        }
        tag("PlyCount", &game.plies.len().to_string());
        if with_times {
            let micros: u64 = game.plies.iter().map(|ply| u64::from(ply.time)).sum();
            let seconds = micros.div_ceil(1_000_000);
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            tag("GameDuration", &format!("{hours:02}:{minutes:02}:{:02}", seconds % 60));
        }
        tag("Termination", termination_tag(game));
    }
}

/// The name of a game in PGN, which says none of chess.
pub fn variant(game: Game) -> Option<&'static str> {
    (!games::is_usual(&game)).then(|| game.name())
}

/// White and Black of a game of a pair.
fn players_of(pair: &PairRecord, index: usize) -> [usize; 2] {
    let [first, second] = pair.players;
    match PairRecord::FIRST[index] {
        Color::White => [first, second],
        Color::Black => [second, first],
    }
}

/// A limit in the words of the PGN standard, in which `-` is no clock.
fn time_control(limits: &MoveLimits) -> String {
    let seconds = |milliseconds: u64| milliseconds as f64 / 1000.0;
    match (limits.clock, limits.move_time) {
        (Some(TimeControl { moves, time, increment }), _) => {
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            let plus = match increment {
                0 => String::new(),
                increment => format!("+{}", seconds(increment)),
            };
            format!("{moves}{}{plus}", seconds(time))
        }
        (None, Some(time)) => format!("1/{}", seconds(time)),
        (None, None) => "-".to_owned(),
    }
}

/// How a game ended in the words of the PGN standard.
fn termination_tag(game: &GameRecord) -> &'static str {
    match game.termination {
        Termination::Rules(_) | Termination::Resigned => "normal",
        Termination::DrawAgreed
        | Termination::Resignation
        | Termination::MaxPlies
        | Termination::Tablebase => "adjudication",
        Termination::TimeLoss => "time forfeit",
        Termination::Forfeit => match game.faults.first().map(|(_, fault)| fault.kind) {
            Some(FaultKind::IllegalMove | FaultKind::UnreadableMove | FaultKind::NoMove) => {
                "rules infraction"
            }
            _ => "abandoned",
        },
    }
}

#[cfg(test)]
mod tests {
    use chess::GAME;
    use playable::{Ending, Move};

    use super::*;
    use crate::game::{GameResult, PlyRecord};

    /// A game of one move, which mates.
    fn mate(fen: &str, mv: &str, ply: PlyRecord) -> GameRecord {
        let mut position = GAME.position(fen).expect("good");
        let mv = position.parse_uci(mv).expect("legal");
        let game = GameRecord {
            start: position.clone(),
            plies: vec![PlyRecord { mv, ..ply }],
            result: GameResult::win_of(position.side_to_move()),
            termination: Termination::Rules(Ending::CHECKMATE),
            faults: Vec::new(),
            audit: None,
            warnings: Vec::new(),
        };
        position.play(mv);
        assert!(position.outcome().is_some());
        game
    }

    fn text_of(game: GameRecord, limits: MoveLimits) -> String {
        text_with(game, limits, MoveComments::Plain)
    }

    fn text_with(game: GameRecord, limits: MoveLimits, comments: MoveComments) -> String {
        let tags = PgnTags {
            event: "te\nst".into(),
            players: vec!["new \"one\"".into(), "old".into()],
            limits: vec![limits; 2],
            comments,
            notation: 0,
        };
        let pair = PairRecord {
            number: 4,
            opening: 0,
            players: [0, 1],
            games: [game.clone(), game],
            replays: Vec::new(),
        };
        tags.pair(&pair, None)
    }

    const PLY: PlyRecord = PlyRecord {
        mv: Move::NONE,
        score: Some(-30_999),
        depth: 3,
        selective_depth: 0,
        nodes: 77,
        time: 1234,
    };

    #[test]
    fn a_game_from_a_position_with_black_to_move() {
        let game = mate("6qk/8/8/8/8/8/r7/7K b - - 4 31", "g8g2", PLY);
        let text = text_of(game, MoveLimits::nodes(1));
        let expected = "[Event \"te st\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"5.1\"]\n\
            [White \"new \\\"one\\\"\"]\n[Black \"old\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n\
            [FEN \"6qk/8/8/8/8/8/r7/7K b - - 4 31\"]\n[Opening \"1 of the file\"]\n\
            [TimeControl \"-\"]\n[Limits \"1 nodes\"]\n[PlyCount \"1\"]\n\
            [Termination \"normal\"]\n\n\
            31... Qg2# {+M1/3, n=77} {Black wins by checkmate} 0-1\n\n";
        assert_eq!(&text[..expected.len()], expected);
        assert!(text.contains("[Round \"5.2\"]\n[White \"old\"]"));
    }

    #[test]
    fn what_a_player_did_not_say_is_not_written() {
        let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        let silent = PlyRecord { score: None, depth: 0, ..PLY };
        let moves = |ply, limits| {
            let text = text_of(mate(fen, "a1a8", ply), limits);
            text.lines().find(|line| line.starts_with("1.")).expect("moves").to_owned()
        };
        let timed = MoveLimits { move_time: Some(1), ..MoveLimits::default() };
        let end = "{White wins by checkmate} 1-0";
        let mute = PlyRecord { nodes: 0, ..silent };
        assert_eq!(moves(silent, MoveLimits::nodes(1)), format!("1. Ra8# {{n=77}} {end}"));
        assert_eq!(moves(mute, MoveLimits::nodes(1)), format!("1. Ra8# {end}"));
        assert_eq!(moves(mute, timed), format!("1. Ra8# {{0.001s, n=0}} {end}"));
    }

    #[test]
    fn a_long_mate_is_told_in_moves_and_in_plies() {
        let long = PlyRecord { score: Some(31_000 - 139), selective_depth: 17, ..PLY };
        let game = mate("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", long);
        let text = text_of(game.clone(), MoveLimits::nodes(1));
        assert!(text.contains("1. Ra8# {+M70/3, n=77, sd=17} {White"), "{text}");
        let tags = PgnTags {
            event: String::new(),
            players: vec!["a".into(), "b".into()],
            limits: vec![MoveLimits::nodes(1); 2],
            comments: MoveComments::Plain,
            notation: 0,
        };
        let games = [game.clone(), game];
        let pair =
            PairRecord { number: 0, opening: 0, players: [0, 1], games, replays: Vec::new() };
        let wording = Wording { with_times: false, mates_in_plies: true, selective_depth: false };
        let text = tags.pair_worded(&pair, None, &wording);
        assert!(text.contains("1. Ra8# {+M139/3, n=77} {White"), "{text}");
    }

    #[test]
    fn commands_are_white_s_view_and_show_the_clock() {
        let black = || mate("6qk/8/8/8/8/8/r7/7K b - - 4 31", "g8g2", PLY);
        let clock = MoveLimits { clock: "9+1".parse().ok(), ..MoveLimits::default() };
        let moves = |game, limits, comments| {
            let text = text_with(game, limits, comments);
            let begin = text.find("\n31").or_else(|| text.find("\n1.")).expect("moves");
            let (moves, _) = text[begin + 1..].split_once("\n\n").expect("an end");
            let (comment, _) = moves.split_once('}').expect("a comment");
            comment.split_once('{').expect("a comment").1.replace('\n', " ")
        };
        use MoveComments::{Both, Commands, Plain};
        let nodes = MoveLimits::nodes(1);
        assert_eq!(moves(black(), nodes, Plain), "+M1/3, n=77");
        assert_eq!(moves(black(), nodes, Commands), "[%eval #-1,3]");
        assert_eq!(
            moves(black(), clock, Both),
            "+M1/3 0.001s, n=77 [%eval #-1,3] [%clk 0:00:10.998] [%emt 0:00:00.001]"
        );
        let white = |score| {
            let ply = PlyRecord { score, time: 3_725_004_000, ..PLY };
            mate("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", ply)
        };
        assert_eq!(moves(white(Some(-5)), nodes, Commands), "[%eval -0.05,3]");
        let move_time = MoveLimits { move_time: Some(9), ..MoveLimits::default() };
        assert_eq!(moves(white(None), move_time, Commands), "[%emt 1:02:05.004]");
        // Without times and a score a command has nothing to say.
        let silent = text_with(white(None), nodes, Commands);
        assert!(silent.contains("Ra8# {White wins"), "{silent}");
        let alone = text_with(white(Some(-5)), clock, MoveComments::None);
        assert!(alone.contains("\n\n1. Ra8# 1-0\n"), "{alone}");
    }

    #[test]
    fn counters_alone_make_a_position_to_set_up() {
        let start = GAME.start().to_fen();
        let game = |fen: &str| GameRecord {
            start: GAME.position(fen).expect("good"),
            plies: Vec::new(),
            termination: Termination::MaxPlies,
            result: GameResult::Draw,
            ..mate("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", PLY)
        };
        let late = start.replace("0 1", "90 60");
        assert!(!text_of(game(&start), MoveLimits::nodes(1)).contains("[FEN "));
        let text = text_of(game(&late), MoveLimits::nodes(1));
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{late}\"]")), "{text}");
    }
}
