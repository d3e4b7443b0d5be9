//! Games as PGN.

use std::time::Duration;

use chess::{Color, Position};
use foreign::{LINE, shown};
use itoa::Buffer;

use super::MoveComments;
use crate::game::{
    Clock, FaultKind, GameRecord, GameResult, MoveLimits, PairRecord, PlyRecord, Termination,
    TimeControl, plies_to_mate,
};

/// Widest line of move text, in characters.
const WIDTH: usize = 80;

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
}

/// The choices in which match runners differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wording {
    /// With the time of each move and of the game.
    pub with_times: bool,
    /// `+M5` is a mate on the fifth ply rather than with the fifth move.
    pub mates_in_plies: bool,
    /// With the selective depth of each move that has one.
    pub selective_depth: bool,
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
        // The counters matter too: games end by them, and moves are numbered by them.
        if game.start.board() != Position::start().board() {
            tag("SetUp", "1");
            tag("FEN", &game.start.to_fen(chess960));
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
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::Repetition
        | Termination::FiftyMoves
        | Termination::InsufficientMaterial => "normal",
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

/// How a game ended in words, as the last comment of its moves says it.
pub fn ending(game: &GameRecord) -> String {
    let name = |color: Color| if color == Color::White { "White" } else { "Black" };
    if !game.faults.is_empty() {
        let texts: Vec<String> =
            game.faults.iter().map(|(color, fault)| format!("{}: {fault}", name(*color))).collect();
        // A brace would end the comment.
        return shown(&texts.join("; "), LINE).replace('{', "(").replace('}', ")");
    }
    let winner = Color::ALL.into_iter().find(|&color| GameResult::win_of(color) == game.result);
    let outcome = winner.map_or("Draw".to_owned(), |color| format!("{} wins", name(color)));
    match game.termination {
        Termination::DrawAgreed | Termination::Resignation => format!("{outcome} by adjudication"),
        Termination::MaxPlies | Termination::Tablebase => {
            format!("{outcome} by adjudication: {}", game.termination.as_str())
        }
        rule => format!("{outcome} by {}", rule.as_str()),
    }
}

/// The text of a game's moves, broken into lines.
struct MoveText<'a> {
    text: &'a mut String,
    /// Start of the last line in the text (bytes).
    line: usize,
}

impl MoveText<'_> {
    /// Begins a word that is `push`ed by the caller; [`MoveText::end`] ends it.
    fn begin(&mut self) -> usize {
        if self.text.len() > self.line {
            self.text.push(' ');
        }
        self.text.len()
    }

    /// Ends a word that began there: it goes to a new line if it does not fit.
    fn end(&mut self, begin: usize) {
        if self.text.len() - self.line > WIDTH && begin > self.line {
            self.text.replace_range(begin - 1..begin, "\n");
            self.line = begin;
        }
    }

    fn word(&mut self, word: &str) {
        let begin = self.begin();
        self.text.push_str(word);
        self.end(begin);
    }

    fn number(&mut self, number: impl Into<u64>) {
        push_number(self.text, number);
    }

    /// `31.` or `31...`
    fn move_number(&mut self, number: u32, mover: Color) {
        let begin = self.begin();
        self.number(number);
        self.text.push('.');
        if mover == Color::Black {
            self.text.push_str("..");
        }
        self.end(begin);
    }

    /// The mover's report of its move as a comment; nothing if the report is empty. `clock` is the
    /// reading of its clock then.
    fn comment(
        &mut self,
        ply: &PlyRecord,
        mover: Color,
        style: &CommentStyle,
        clock: Option<Duration>,
    ) {
        use MoveComments::{Both, Commands, Plain};
        let has_plain = matches!(style.comments, Plain | Both)
            && (ply.score.is_some() || ply.nodes > 0 || style.wording.with_times);
        let has_commands = matches!(style.comments, Commands | Both)
            && (ply.score.is_some() || style.wording.with_times);
        if !has_plain && !has_commands {
            return;
        }
        let mut begin = self.begin();
        self.text.push('{');
        if has_plain {
            begin = self.plain(ply, mover, &style.wording, begin);
            if has_commands {
                begin = self.part(begin);
            }
        }
        if has_commands {
            begin = self.commands(ply, mover, style.wording.with_times.then_some(clock), begin);
        }
        self.text.push('}');
        self.end(begin);
    }

    /// The comment as match runners write it. Takes where its first part begins, returns where its
    /// last part does.
    fn plain(
        &mut self,
        ply: &PlyRecord,
        mover: Color,
        wording: &Wording,
        mut begin: usize,
    ) -> usize {
        let with_times = wording.with_times;
        let score = ply.score_for(mover);
        if let Some(score) = score {
            self.score(score, wording.mates_in_plies);
            self.text.push('/');
            self.number(ply.depth);
        }
        if with_times {
            if score.is_some() {
                begin = self.part(begin);
            }
            self.seconds(ply.time / 1000);
        }
        if score.is_some() || with_times {
            self.text.push(',');
            begin = self.part(begin);
        }
        self.text.push_str("n=");
        self.number(ply.nodes);
        if wording.selective_depth && ply.selective_depth > 0 {
            self.text.push(',');
            begin = self.part(begin);
            self.text.push_str("sd=");
            self.number(ply.selective_depth);
        }
        begin
    }

    /// The comment as commands: the score, and the mover's clock (if it has one) and the time of
    /// the move if they are known. No line ends within a command, as some programs expect a blank
    /// there.
    fn commands(
        &mut self,
        ply: &PlyRecord,
        mover: Color,
        clock: Option<Option<Duration>>,
        mut begin: usize,
    ) -> usize {
        if let Some(score) = ply.score_for(mover) {
            self.text.push_str("[%eval ");
            self.score_of_white(score, mover);
            self.text.push(',');
            self.number(ply.depth);
            self.text.push(']');
            if clock.is_some() {
                begin = self.part(begin);
            }
        }
        if let Some(left) = clock {
            if let Some(left) = left {
                self.command("clk", left.as_millis() as u64);
                begin = self.part(begin);
            }
            self.command("emt", u64::from(ply.time / 1000));
        }
        begin
    }

    /// The mover's score from White's view: pawns, or the moves to a mate as the mover counts them,
    /// a plus being left out.
    fn score_of_white(&mut self, score: i16, mover: Color) {
        let is_black_better = (score < 0) == (mover == Color::White);
        let sign = if is_black_better && score != 0 { "-" } else { "" };
        if let Some(plies) = plies_to_mate(score) {
            self.text.push('#');
            self.text.push_str(sign);
            self.number(plies.div_ceil(2));
        } else {
            self.text.push_str(sign);
            self.pawns(score.unsigned_abs().into());
        }
    }

    /// A command with a time in milliseconds, as in `[%emt 0:00:00.052]`.
    fn command(&mut self, name: &str, milliseconds: u64) {
        let seconds = milliseconds / 1000;
        self.text.push_str("[%");
        self.text.push_str(name);
        self.text.push(' ');
        self.number(seconds / 3600);
        self.text.push(':');
        self.two_digits((seconds / 60 % 60) as u32);
        self.text.push(':');
        self.two_digits((seconds % 60) as u32);
        self.thousandths((milliseconds % 1000) as u32);
        self.text.push(']');
    }

    /// Centipawns as pawns, or the moves or plies to a mate.
    fn score(&mut self, score: i16, mates_in_plies: bool) {
        self.text.push(if score < 0 { '-' } else { '+' });
        if let Some(plies) = plies_to_mate(score) {
            self.text.push('M');
            self.number(if mates_in_plies { plies } else { plies.div_ceil(2) });
        } else {
            self.pawns(score.unsigned_abs().into());
        }
    }

    fn pawns(&mut self, centipawns: u32) {
        self.number(centipawns / 100);
        self.text.push('.');
        self.two_digits(centipawns % 100);
    }

    /// Milliseconds, as seconds with three places.
    fn seconds(&mut self, milliseconds: u32) {
        self.number(milliseconds / 1000);
        self.thousandths(milliseconds % 1000);
        self.text.push('s');
    }

    fn thousandths(&mut self, milliseconds: u32) {
        self.text.push('.');
        self.number(milliseconds / 100 % 10);
        self.two_digits(milliseconds % 100);
    }

    /// Ends one part of a comment and begins the next.
    fn part(&mut self, begin: usize) -> usize {
        self.end(begin);
        self.begin()
    }

    fn two_digits(&mut self, number: u32) {
        self.text.push(char::from(b'0' + (number / 10) as u8));
        self.text.push(char::from(b'0' + (number % 10) as u8));
    }
}

/// How a game's comments are written.
struct CommentStyle<'a> {
    comments: MoveComments,
    wording: Wording,
    /// Limits of White and Black.
    limits: [&'a MoveLimits; 2],
}

fn move_text(text: &mut String, game: &GameRecord, style: &CommentStyle) {
    let line = text.len();
    let mut out = MoveText { text, line };
    let mut board = *game.start.board();
    let mut clocks = style.limits.map(Clock::new);
    for (index, ply) in game.plies.iter().enumerate() {
        let mover = board.side_to_move();
        // A number before Black's move is only due at the start.
        if mover == Color::White || index == 0 {
            out.move_number(board.fullmove_number(), mover);
        }
        let begin = out.begin();
        board.play_and_push_san(ply.mv, out.text);
        out.end(begin);
        let clock = &mut clocks[mover.index()];
        clock.take(Duration::from_micros(u64::from(ply.time)), Duration::ZERO);
        out.comment(ply, mover, style, clock.side().map(|side| side.time));
    }
    if style.comments != MoveComments::None {
        let ending = format!("{{{}}}", ending(game));
        ending.split(' ').for_each(|word| out.word(word));
    }
    out.word(game.result.as_str());
    text.push('\n');
}

/// Appends a number in decimal. One digit, as depths and whole pawns mostly are, needs no buffer.
pub fn push_number(text: &mut String, number: impl Into<u64>) {
    match number.into() {
        digit @ 0..10 => text.push(char::from(b'0' + digit as u8)),
        number => text.push_str(Buffer::new().format(number)),
    }
}

#[cfg(test)]
mod tests {
    use chess::Move;

    use super::*;

    /// A game of one move, which mates.
    fn mate(fen: &str, mv: &str, ply: PlyRecord) -> GameRecord {
        let mut position = Position::from_fen(fen).expect("good");
        let mv = position.parse_uci(mv).expect("legal");
        let game = GameRecord {
            start: position.clone(),
            plies: vec![PlyRecord { mv, ..ply }],
            result: GameResult::win_of(position.side_to_move()),
            termination: Termination::Checkmate,
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
        let start = Position::start().to_fen(false);
        let game = |fen: &str| GameRecord {
            start: Position::from_fen(fen).expect("good"),
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
