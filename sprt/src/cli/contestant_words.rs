//! Contestants as words of a command line.

use std::path::Path;

use sprt::player::{Contestant, Source};

/// What the words of a contestant may be, for the help texts.
pub const PLAYER_HELP: &str = "\
A player is described by words. The first says what plays:
  ./engine            a UCI engine (a path, or a name that is looked up in PATH)
  cmd=PROGRAM         the same, at any place among the words
  tuned.toml          Kamerton with the numbers of this file, inside this process
  embedded            Kamerton with the numbers built in
  random              random legal moves
Further words for every player:
  name=NAME           as reports and games name it
  nodes=N, depth=PLIES, movetime=SECONDS, tc=[MOVES/]TIME[+INCREMENT]
                      how long it may think, instead of what holds for all (odds): 1 to 10^12
                      nodes, 1 to 100 plies, 0.001 to 10000000 seconds, a clock of up to 100 days
  margin=MS           how late it may be before it loses on time, up to 3600000
  hash=MB             its transposition table, 1 to 65536
For Kamerton, a number that differs from the file: NAME=VALUE, the name as `kamerton params` lists it.
For engines:
  arg=ARGUMENT        an argument of the program (repeatable)
  dir=FOLDER          the folder it runs in
  option.NAME=VALUE   an option to set
  nice=N              its niceness, -20 to 19
  position=full       send the whole game from its start before each move (default)
  position=short      send the position after the last capture or pawn move, as FEN, and the moves
                      since: engines read that faster, but do not know what was before
  start-timeout=SECONDS
                      how long it may take to answer `uci` and the first `isready` (10)
  reply-timeout=SECONDS
                      how long it may take to answer any later `isready`, and `stop` (5)
  move-timeout=SECONDS
                      how long it may think where neither a clock nor movetime says so (60)
Times are 0.001 to 10000000 seconds. No word but arg may be given twice.
An engine that takes longer loses the game and is started anew. After `quit` it has 2 s to end, then
it is killed; what it has started is killed with it.";

/// The words that describe a contestant, its parameters taken from the run's folder.
pub fn contestant_words(folder: &Path, contestant: &Contestant) -> String {
    let Contestant { name, source, limits, hash } = contestant;
    let mut words = Vec::new();
    match source {
        Source::Parameters { file, .. } => words.push(folder.join(file).display().to_string()),
        Source::Random => words.push("random".into()),
        Source::Uci(engine) => {
            words.push(format!("cmd={}", engine.command.display()));
            words.extend(engine.arguments.iter().map(|argument| format!("arg={argument}")));
            words.extend(engine.folder.iter().map(|folder| format!("dir={}", folder.display())));
            let options = engine.options.iter();
            words.extend(options.map(|(name, value)| format!("option.{name}={value}")));
            words.extend(engine.nice.map(|nice| format!("nice={nice}")));
            for (name, timeout) in [
                ("start", engine.start_timeout),
                ("reply", engine.reply_timeout),
                ("move", engine.move_timeout),
            ] {
                words.push(format!("{name}-timeout={}", timeout as f64 / 1000.0));
            }
            let position = if engine.short_positions { "short" } else { "full" };
            words.push(format!("position={position}"));
        }
    }
    words.push(format!("name={name}"));
    words.extend(hash.map(|hash| format!("hash={hash}")));
    words.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
    words.extend(limits.depth.map(|depth| format!("depth={depth}")));
    words.extend(limits.move_time.map(|time| format!("movetime={}", time as f64 / 1000.0)));
    words.extend(limits.clock.map(|clock| format!("tc={clock}")));
    words.push(format!("margin={}", limits.margin));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
