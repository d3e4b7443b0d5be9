"""What the scripts here share that hold the engine beside another one: engines over UCI, found, built and described."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import threading
import time

WORKSPACE = pathlib.Path(__file__).resolve().parent.parent
# Where distributions put chess engines, which is not on everybody's path.
GAMES = "/usr/games"
# An engine that has not answered for so many seconds is given up.
PATIENCE = 300


def fail(message):
    """Ends the script with a message."""
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def found(program):
    """The path of a program named on the command line."""
    path = shutil.which(program, path=os.environ.get("PATH", "") + os.pathsep + GAMES)
    if path is None:
        fail(f"{program}: no such program; install it, or name another (see --help)")
    return path


def words(command):
    """The words of a command line, the program found."""
    parts = shlex.split(command)
    if not parts:
        fail("an engine's command is empty")
    return [found(parts[0]), *parts[1:]]


def built(processor=None):
    """The engine of this workspace, built if need be; for a processor named as compilers do, if one is."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target"))
    surroundings = dict(os.environ)
    if processor is not None:
        target = target / f"for-{processor}"
        surroundings.pop("RUSTFLAGS", None)
        surroundings.update(CARGO_BUILD_RUSTFLAGS=f"-C target-cpu={processor}", CARGO_TARGET_DIR=str(target))
    if shutil.which("cargo") is None:
        fail("cargo is missing: install Rust, or name a built engine (see --help)")
    status = subprocess.run(["cargo", "build", "--quiet", "--release", "--manifest-path", WORKSPACE / "Cargo.toml",
                             "--package", "engine"], env=surroundings).returncode
    if status != 0:
        fail("the engine could not be built")
    return str(target / "release/kamerton")


def guided():
    """The engine of this workspace, built by a profile of its bench (see Makefile); none where the toolchain cannot."""
    program = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target")).resolve() / "kamerton-guided"
    if shutil.which("make") is None:
        print("make is missing: no build is guided by a profile", file=sys.stderr)
        return None
    made = subprocess.run(["make", "--silent", "GUIDED=yes", f"EXE={program}"], cwd=WORKSPACE, stderr=subprocess.PIPE, text=True)
    if made.returncode != 0:
        print(f"no build is guided by a profile: {made.stderr.strip()[-400:]}", file=sys.stderr)
        return None
    return str(program)


def bench(command):
    """The engine's signature: the nodes of its bench."""
    result = subprocess.run([*words(command), "bench"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    match = re.search(r"^(\d+) nodes", result.stdout, re.M)
    if not match:
        fail(f"{command}: `bench` gave no signature: {result.stdout.strip()[:200]}")
    return int(match[1])


def paragraph(text):
    """Text of a page, in lines as long as those of the other pages."""
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False) + "\n"


def writable(path):
    """Ends the script if a page could not be written, before anything is measured for it."""
    if not path.resolve().parent.is_dir():
        fail(f"{path}: its folder does not exist")


def replaced(path, text):
    """Writes a page whole or not at all."""
    partial = path.with_suffix(".partial")
    try:
        partial.write_text(text)
        partial.replace(path)
    except OSError as error:
        fail(f"{path}: {error.strerror}")


class Engine:
    """A UCI engine in a process of its own. Its network is off, if it has one, unless it is kept."""

    def __init__(self, command, hash_size=16, keep_network=False, wrapper=(), errors=subprocess.DEVNULL):
        self.command = command
        try:
            self.process = subprocess.Popen([*wrapper, *words(command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=errors, text=True, bufsize=1)
        except OSError as error:
            fail(f"{command}: {error.strerror}")
        # Linux gives every process a clock of the processor time of all its threads, those that have ended among them.
        self.clock = (~self.process.pid << 3) | 2
        self.name, self.options = command, set()
        for line in self.ask("uci", "uciok"):
            if line.startswith("id name "):
                self.name = line[len("id name "):].strip()
            elif match := re.match(r"option name (.+?) type ", line):
                self.options.add(match[1])
        if "Hash" in self.options:
            self.set("Hash", hash_size)
        if "Threads" in self.options:
            self.set("Threads", 1)
        if "Use NNUE" in self.options and not keep_network:
            self.set("Use NNUE", "false")
            self.name += ", classical"
        self.ready()

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            fail(f"{self.command}: ended before `{line}`")

    def set(self, name, value):
        self.send(f"setoption name {name} value {value}")

    def lines(self, last):
        """Lines until one that begins with `last`, that one too."""
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            for line in self.process.stdout:
                yield line
                if line.startswith(last):
                    return
        finally:
            watchdog.cancel()
        fail(f"{self.command}: ended, or gave no `{last}` in {PATIENCE} seconds (does it know this limit?)")

    def ask(self, line, last):
        self.send(line)
        return list(self.lines(last))

    def ready(self):
        self.ask("isready", "readyok")

    def forget(self):
        """As before a new game: nothing is remembered."""
        self.send("ucinewgame")
        self.ready()

    def processor_seconds(self):
        return time.clock_gettime(self.clock)

    def go(self, fen, limit, moves=(), mate=None):
        """Searches a position. With `mate`, it is told to stop once it announces a mate in so many moves, or
        fewer; of a negative number, that it is mated."""
        self.send(f"position fen {fen}" + (" moves " + " ".join(moves) if moves else ""))
        self.ready()
        answer = Answer()
        before, start = self.processor_seconds(), time.perf_counter()
        self.send(f"go {limit}")
        for line in self.lines("bestmove"):
            if line.startswith("info"):
                answer.note(line)
                if mate and answer.mate and 0 < answer.mate / mate <= 1:
                    self.send("stop")
                    mate = None
            elif line.startswith("bestmove"):
                answer.move = (line.split() + [""])[1]
        answer.seconds = time.perf_counter() - start
        answer.processor_seconds = self.processor_seconds() - before
        return answer

    def quit(self):
        """Ends the process; what it wrote as errors, if that is kept."""
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        errors = self.process.stderr.read() if self.process.stderr else ""
        self.process.stdout.read()
        self.process.wait()
        return errors


class Answer:
    """What a search said."""

    def __init__(self):
        self.move, self.mate, self.nodes, self.seconds, self.processor_seconds = "", None, 0, 0.0, 0.0

    def note(self, line):
        if match := re.search(r" nodes (\d+)", line):
            self.nodes = int(match[1])
        if " multipv " in line and " multipv 1 " not in line:
            return
        if match := re.search(r" score (cp|mate) (-?\d+)( upperbound| lowerbound)?", line):
            kind, value, bound = match[1], int(match[2]), match[3]
            # A bound is believed where it claims less than was found: at least this mate for the mover.
            if bound is None:
                self.mate = value if kind == "mate" else None
            elif kind == "mate" and value > 0 and bound == " lowerbound":
                self.mate = value
