"""What the scripts that make openings from recorded positions share: lines, material, a look by the engine."""
import pathlib
import random
import re
import sys

import engines

try:
    import chess
except ImportError:
    engines.fail("python-chess is missing: pip install chess")

# What men are worth, in centipawns, where only great differences count.
WORTH = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 950, chess.KING: 0}
# Share of the pieces that are left, as the evaluation counts it: 24 at the start.
PHASE = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}


def add_arguments(parser, least, most, phase_min):
    """The arguments that all have."""
    parser.add_argument("positions", type=pathlib.Path, help="lines that `tuner positions` wrote: FEN | score | result")
    parser.add_argument("output", type=pathlib.Path, help="openings, a FEN a line")
    parser.add_argument("--count", type=int, default=6000, help="openings to make (%(default)s)")
    parser.add_argument("--seed", type=int, default=9, help="seed of all that is drawn (%(default)s)")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes of the look at each (%(default)s)")
    parser.add_argument("--open", nargs=2, type=int, default=(least, most), metavar=("LEAST", "MOST"),
                        help=f"scores of an open game, centipawns for the side to move ({least} {most})")
    parser.add_argument("--phase-min", type=int, default=phase_min, help="least of the pieces left, of 24 (%(default)s)")
    parser.add_argument("--kamerton", help="the engine [default: that of the workspace, built if need be]")


def phase(board):
    return sum(worth * len(board.pieces(kind, color)) for kind, worth in PHASE.items() for color in chess.COLORS)


def score(engine, fen, nodes):
    """What the engine thinks, in centipawns; a mate is beyond all bounds."""
    engine.send(f"position fen {fen}")
    last = 0
    for line in engine.ask(f"go nodes {nodes}", "bestmove"):
        if match := re.search(r"score (cp|mate) (-?\d+)", line):
            value = int(match[2])
            last = value if match[1] == "cp" else (30_000 if value > 0 else -30_000)
    return last


def make(options, change):
    """Writes the openings that `change(board, draw)` makes of drawn positions: it alters the board and says whether it did."""
    engines.writable(options.output)
    try:
        lines = options.positions.read_text().splitlines()
    except OSError as error:
        engines.fail(f"{options.positions}: {error.strerror}")
    draw = random.Random(options.seed)
    draw.shuffle(lines)
    engine = engines.Engine(options.kamerton or engines.built())
    made = {}
    for line in lines:
        if len(made) >= options.count:
            break
        fields = line.split(" | ")
        if len(fields) != 3:
            engines.fail(f"{options.positions}: not a line of `tuner positions`: {line[:80]}")
        board = chess.Board(fields[0])
        if abs(int(fields[1])) > 250 or phase(board) < options.phase_min or not change(board, draw):
            continue
        board.halfmove_clock, board.fullmove_number = 0, 1
        fen = board.fen()
        if fen in made or board.is_game_over():
            continue
        if options.open[0] <= score(engine, fen, options.nodes) <= options.open[1]:
            made[fen] = None
            if len(made) % 500 == 0:
                print(f"{len(made)} of {options.count}", file=sys.stderr)
    engines.replaced(options.output, "".join(f"{fen}\n" for fen in made))
    print(f"{len(made)} openings in {options.output}, seed {options.seed}")
