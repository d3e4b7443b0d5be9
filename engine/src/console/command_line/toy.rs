//! `kamerton toy`.

use std::io::{BufRead, Write};

use clap::{Args, Subcommand};
use search::Game;

use crate::toys::corners::{Corners, Hop};
use crate::toys::drivers::{self, DRIVERS};
use crate::toys::source_program::{SourceProgram, Thought};
use crate::toys::tic_tac_toe::{Cell, TicTacToe};
use crate::toys::whole_nodes;

const WHOLE_NODES: &str = "NegaScout by whole nodes";

/// Which small game.
#[derive(Subcommand, Debug)]
pub enum ToyCommand {
    /// Tic-tac-toe, searched to the end of the game
    TicTacToe(TicTacToeArguments),
    /// Corners: two camps of twelve men change places by steps and jumps
    Corners(CornersArguments),
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Without --play it counts: the nodes of each algorithm from the empty board, the program's reply to
each first cross, and how all games end that it can be led into.

Examples:
  kamerton toy tic-tac-toe
  kamerton toy tic-tac-toe --order 402681357    the center first, then the corners
  kamerton toy tic-tac-toe --play               you have the crosses and begin"
)]
pub struct TicTacToeArguments {
    /// The order in which free cells are tried: all nine numbers, 0 to 8 row by row
    #[arg(long, value_name = "CELLS", default_value = "012345678", value_parser = parse_order)]
    order: [u8; 9],
    /// Play against the program: a number marks a cell, -1 ends the game
    #[arg(long)]
    play: bool,
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Without --play it counts: the nodes of each algorithm with moves as they are generated and with
those first that gain most, and what the source's program does, which thinks three moves of its
own ahead while the other side passes.

Examples:
  kamerton toy corners
  kamerton toy corners --depth 4
  kamerton toy corners --play       the program has x and begins; e6e5 moves a man of yours"
)]
pub struct CornersArguments {
    /// Plies that both sides search
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=5))]
    depth: u32,
    /// Play against the program: both cells of a move, an empty line ends the game
    #[arg(long)]
    play: bool,
}

impl ToyCommand {
    /// Plays or counts. Errors: the input cannot be read; nobody reads the output.
    pub fn run(self) -> anyhow::Result<()> {
        let mut output = std::io::stdout().lock();
        let mut input = std::io::stdin().lock();
        match self {
            ToyCommand::TicTacToe(TicTacToeArguments { order, play }) => match play {
                true => play_tic_tac_toe(TicTacToe::with_order(order), &mut input, &mut output),
                false => count_tic_tac_toe(order, &mut output),
            },
            ToyCommand::Corners(CornersArguments { depth, play }) => match play {
                true => play_corners(&mut input, &mut output),
                false => count_corners(depth, &mut output),
            },
        }
    }
}

/// Nine different digits from 0 to 8.
fn parse_order(text: &str) -> Result<[u8; 9], String> {
    let mut digits = text.bytes().map(|digit| digit.wrapping_sub(b'0')).collect::<Vec<u8>>();
    let order: Option<[u8; 9]> = digits.clone().try_into().ok();
    digits.sort_unstable();
    order
        .filter(|_| digits == TicTacToe::ORDER)
        .ok_or_else(|| "expected each of the digits 0 to 8 once".to_owned())
}

fn count_tic_tac_toe(order: [u8; 9], output: &mut impl Write) -> anyhow::Result<()> {
    writeln!(output, "{:<28}{:>6}{:>9}", "From the empty board", "value", "nodes")?;
    for (name, methods) in DRIVERS {
        let found = drivers::search(&mut TicTacToe::with_order(order), methods, 9);
        writeln!(output, "{name:<28}{:>6}{:>9}", found.score, found.nodes)?;
    }
    let (value, nodes) = whole_nodes::search(&mut TicTacToe::with_order(order), 9);
    writeln!(output, "{WHOLE_NODES:<28}{value:>6}{nodes:>9}")?;
    writeln!(output, "\nFirst cross, reply by alpha-beta, its value, nodes")?;
    for cell in 0..9 {
        let mut board = TicTacToe::with_order(order);
        board.play(Cell::new(cell));
        if let Some((reply, value, nodes)) = board.reply() {
            writeln!(output, "{cell:>11}{:>7}{value:>11}{nodes:>9}", reply.number())?;
        }
    }
    let (won, drawn, lost) = TicTacToe::with_order(order).all_games_as_second();
    writeln!(output, "\nAs the second player it wins {won}, draws {drawn} and loses {lost} games")?;
    Ok(())
}

fn play_tic_tac_toe(
    mut board: TicTacToe,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    write!(output, "{board}")?;
    while !board.is_over() {
        let Some(line) = next_line(input)?.filter(|line| line != "-1") else { return Ok(()) };
        let cell = line.parse().ok().filter(|&cell: &usize| cell < 9).map(Cell::new);
        let Some(cell) = cell.filter(|&cell| board.is_plausible(cell)) else {
            writeln!(output, "`{line}` is no free cell")?;
            continue;
        };
        board.play(cell);
        if let Some((reply, _, nodes)) = board.reply() {
            board.play(reply);
            writeln!(output, "{} after {nodes} nodes", reply.number())?;
        }
        write!(output, "{board}")?;
    }
    let winner = if board.mover() == 0 { "the noughts" } else { "the crosses" };
    let end = if board.is_won() { format!("{winner} win") } else { "a draw".to_owned() };
    writeln!(output, "{end}")?;
    Ok(())
}

fn count_corners(depth: u32, output: &mut impl Write) -> anyhow::Result<()> {
    let title = format!("Both sides move, {depth} plies");
    writeln!(output, "{title:<28}{:>6}{:>14}{:>17}", "value", "as generated", "best gain first")?;
    for (name, methods) in DRIVERS {
        let [plain, ordered] = [Corners::new(), Corners::new().best_first()]
            .map(|mut board| drivers::search(&mut board, methods, depth));
        writeln!(output, "{name:<28}{:>6}{:>14}{:>17}", plain.score, plain.nodes, ordered.nodes)?;
    }
    let [(value, plain), (_, ordered)] = [Corners::new(), Corners::new().best_first()]
        .map(|mut board| whole_nodes::search(&mut board, depth));
    writeln!(output, "{WHOLE_NODES:<28}{value:>6}{plain:>14}{ordered:>17}")?;
    let (own_moves, mut program) = (SourceProgram::OWN_MOVES, SourceProgram::new());
    let Thought { gain, nodes, .. } = program.think(&Corners::new(), own_moves);
    writeln!(
        output,
        "\n{own_moves} own moves, the other side passing: gain {gain}, {nodes} nodes"
    )?;
    let mut board = Corners::alone();
    let mut moves = 0;
    while let Some(mv) = program.think(&board, own_moves).best {
        program.play(mv);
        board.play(mv);
        board.pass();
        moves += 1;
    }
    writeln!(output, "Alone on the board it has changed camps after {moves} moves")?;
    Ok(())
}

fn play_corners(input: &mut impl BufRead, output: &mut impl Write) -> anyhow::Result<()> {
    let (mut board, mut program) = (Corners::new(), SourceProgram::new());
    while !board.is_home() && !board.is_second_home() && !board.legal_moves().is_empty() {
        if board.mover() == 0 {
            let Some(mv) = program.think(&board, SourceProgram::OWN_MOVES).best else { break };
            program.play(mv);
            board.play(mv);
            writeln!(output, "{board}{mv}")?;
            continue;
        }
        let Some(line) = next_line(input)?.filter(|line| !line.is_empty()) else { return Ok(()) };
        match line.parse::<Hop>() {
            Ok(hop) if board.is_plausible(hop) => board.play(hop),
            Ok(hop) => writeln!(output, "no man of yours can go {hop}")?,
            Err(reason) => writeln!(output, "{reason}")?,
        }
    }
    let end = match (board.is_home(), board.is_second_home()) {
        (true, _) => "x has changed camps",
        (_, true) => "o has changed camps",
        _ => "no man can move",
    };
    writeln!(output, "{end}")?;
    Ok(())
}

/// The next line without blanks around it; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    // A line without end is no move, and must not fill the memory.
    const LONGEST: u64 = 1 << 16;
    std::io::Read::take(&mut *input, LONGEST).read_until(b'\n', &mut line)?;
    let is_end = line.is_empty();
    Ok((!is_end).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}
