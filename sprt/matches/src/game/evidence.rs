//! The evidence of a fault, to find its reason by: the position, the clocks, the last lines.

use std::fmt;
use std::time::Duration;

/// The state of the game when a player made a fault. It holds times, so no journal has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The position in which the player was to move (FEN).
    pub position: String,
    /// The same as an engine is sent it: `position fen START moves …`.
    pub game: String,
    /// Time left for White and Black when the player was asked; `None` for a side without a clock.
    pub clocks: [Option<Duration>; 2],
    /// How the game calls the sides.
    pub colors: [&'static str; 2],
    /// How long the player might think, in words.
    pub limits: String,
    /// The last lines; `None` for a player in this process, which has no pipes.
    pub exchange: Option<Exchange>,
}

/// The last lines between a runner and an engine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Exchange {
    /// Lines of both directions, the oldest first.
    pub lines: Vec<SaidLine>,
    /// Lines before them that are not kept.
    pub forgotten: u64,
    /// The end of what the process wrote on standard error.
    pub errors: String,
}

/// A line that went through a pipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidLine {
    /// When, before the exchange was looked at.
    pub ago: Duration,
    /// The way that the line took.
    pub direction: Direction,
    /// The line's text, shortened in its middle if it is very long.
    pub text: String,
}

/// The way of a line between runner and engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// The runner, to the engine.
    Sent,
    /// The engine, on standard output.
    Heard,
    /// The engine, on standard error.
    Error,
}

impl Direction {
    /// The sign of the direction in logs: `>` to the engine, `<` from it, `!` on standard error.
    pub fn sign(self) -> char {
        match self {
            Direction::Sent => '>',
            Direction::Heard => '<',
            Direction::Error => '!',
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = |clock: Option<Duration>| match clock {
            Some(left) => format!("{:.3} s", left.as_secs_f64()),
            None => "none".to_owned(),
        };
        let [white, black] = self.clocks.map(clock);
        writeln!(f, "Position    {}", self.position)?;
        writeln!(f, "Game        {}", self.game)?;
        writeln!(f, "Limits      {}", self.limits)?;
        let [first, second] = self.colors;
        writeln!(f, "Clocks      {first} {white}, {second} {black}")?;
        match &self.exchange {
            Some(exchange) => write!(f, "\n{exchange}"),
            None => writeln!(f, "\nThe player is inside the runner: there are no pipes to show."),
        }
    }
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Last lines: seconds before the fault, > to the engine, < from it")?;
        if self.forgotten > 0 {
            writeln!(f, "({} lines before these are not kept)", self.forgotten)?;
        }
        for SaidLine { ago, direction, text } in &self.lines {
            writeln!(f, "{:>12.6} {} {text}", -ago.as_secs_f64(), direction.sign())?;
        }
        if self.errors.is_empty() {
            return writeln!(f, "\nStandard error: nothing");
        }
        writeln!(f, "\nThe end of standard error:\n{}", self.errors.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_reads_as_text() {
        let line = |millis, direction, text: &str| SaidLine {
            ago: Duration::from_millis(millis),
            direction,
            text: text.to_owned(),
        };
        let evidence = Evidence {
            position: "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned(),
            game: "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned(),
            clocks: [Some(Duration::from_millis(1500)), None],
            colors: ["White", "Black"],
            limits: "2".to_owned(),
            exchange: Some(Exchange {
                lines: vec![
                    line(1250, Direction::Sent, "go wtime 1500"),
                    line(1, Direction::Heard, "bestmove a1a1"),
                ],
                forgotten: 7,
                errors: "last words\n".to_owned(),
            }),
        };
        let text = evidence.to_string();
        for part in [
            "Clocks      White 1.500 s, Black none\n",
            "(7 lines before these are not kept)\n",
            "   -1.250000 > go wtime 1500\n",
            "   -0.001000 < bestmove a1a1\n",
            "The end of standard error:\nlast words\n",
        ] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        let inside = Evidence { exchange: None, ..evidence }.to_string();
        assert!(inside.contains("no pipes") && !inside.contains("Last lines"), "{inside}");
    }
}
