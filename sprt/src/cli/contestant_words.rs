//! Contestants as words of a command line.

/// The words of a contestant, for the help texts.
pub const PLAYER_HELP: &str = "\
A player is described by words. The first says what plays:
  ./engine            an engine (a path, or a name that is looked up in PATH)
  cmd=PROGRAM         the same, at any place among the words
  tuned.toml          Kamerton with the numbers of this file, inside this process
  embedded            Kamerton with the numbers built in
  textbook, default, zero, power, simplest
                      Kamerton with the file of this name that is built in, too
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
  proto=uci|ucci      the protocol that it speaks: UCI (default), or UCCI in xiangqi
  option.NAME=VALUE   an option to set
  ponder=true         it thinks in the opponent's time, about the answer that it expects, where time
                      is limited: both players of a game are busy then, so that half as many games
                      fit on the machine, and none of them can be repeated
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
