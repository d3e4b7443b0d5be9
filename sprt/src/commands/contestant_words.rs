//! Contestants as words of a command line.

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
                      how long it may think, instead of what holds for all (odds)
  margin=MS           how late it may be before it loses on time
  hash=MB             its transposition table
For Kamerton, a number that differs from the file: NAME=VALUE, the name as `kamerton params` lists it.
For engines:
  arg=ARGUMENT        an argument of the program (repeatable)
  dir=FOLDER          the folder it runs in
  option.NAME=VALUE   an option to set
  nice=N              its niceness, -20 to 19
  position=short      send the position after the last capture or pawn move, as FEN, and the moves
                      since: engines read that faster (default)
  position=full       always send the whole game, for engines that look at earlier positions, as
                      networks with history do
  start-timeout=SECONDS
                      how long it may take to answer `uci` and the first `isready` (10)
  reply-timeout=SECONDS
                      how long it may take to answer any later `isready`, and `stop` (5)
  move-timeout=SECONDS
                      how long it may think where neither a clock nor movetime says so (60)
An engine that takes longer loses the game and is started anew. After `quit` it has 2 s to end, then
it is killed; what it has started is killed with it.";
