//! The moves of a game as PGN, with comments, in lines of a usual width.

use std::time::Duration;

use foreign::{LINE, shown};
use itoa::Buffer;
use playable::Color;

use super::MoveComments;
use crate::game::{
    Clock, GameRecord, GameResult, MoveLimits, PlyRecord, Termination, plies_to_mate,
};

/// Widest line of move text, in characters.
const WIDTH: usize = 80;

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

/// How a game ended in words, as the last comment of its moves says it.
pub fn ending(game: &GameRecord) -> String {
    let name = |color: Color| game.start.game().color_names()[color.index()];
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
            format!("{outcome} by adjudication: {}", game.termination.words())
        }
        rule => format!("{outcome} by {}", rule.words()),
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
pub(super) struct CommentStyle<'a> {
    pub comments: MoveComments,
    /// Number of the moves' notation.
    pub notation: usize,
    pub wording: Wording,
    /// Limits of White and Black.
    pub limits: [&'a MoveLimits; 2],
}

/// Appends the moves of a game, with their comments and the result.
pub(super) fn move_text(text: &mut String, game: &GameRecord, style: &CommentStyle) {
    let line = text.len();
    let mut out = MoveText { text, line };
    let mut position = game.start.clone();
    let mut clocks = style.limits.map(Clock::new);
    for (index, ply) in game.plies.iter().enumerate() {
        let mover = position.side_to_move();
        // A number before Black's move is only due at the start.
        if mover == Color::White || index == 0 {
            out.move_number(position.move_number(), mover);
        }
        let begin = out.begin();
        position.play_and_push_in(style.notation, ply.mv, out.text);
        position.forget_unrepeatable_past();
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
