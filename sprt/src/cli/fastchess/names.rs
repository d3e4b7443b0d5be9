//! The names of all options: of those that are read, and of those that are refused.

/// Options that are known and refused, each with the reason or what does it instead.
pub const REFUSED: [(&str, &str); 9] = [
    ("-noswap", "each opening is played with both colors; leave it out"),
    ("-quick", "write -engine, -openings and the rest"),
    ("-strict", "what engines do wrong is judged the same in any case"),
    ("-compliance", "`sprt check` says what an engine does wrong"),
    ("-pgnin", "games are read by -openings"),
    ("-ponder", "an engine thinks in the opponent's time by ponder=true among its words"),
    ("-tournamentfile", "a match is played as the command line says"),
    ("-sample", "`tuner import` takes positions with their scores from the games of -pgn"),
    ("-engines", "engines have no file here: say cmd= and the rest"),
];

/// Options that cannot change a game and are not done: they are taken with any words, and this is
/// told.
pub const UNDONE: [(&str, &str); 10] = [
    ("-reverse", "each opening is played with both colors, the first engine beginning as White"),
    ("-wait", "games begin as soon as a thread is free"),
    ("-show-latency", "`sprt overhead` measures what the runner costs"),
    ("-autosaveinterval", "what can be resumed is `sprt run`"),
    ("-crc32", "games are written without a checksum"),
    ("-check-mate-pvs", "wrong mate scores are among the warnings anyway"),
    ("-debug", "-log file=FILE engine=true writes down what engines and runner say"),
    ("-bookmode", "openings come from -openings alone"),
    ("-outcomeinterval", "results are told by -ratinginterval"),
    ("-resultformat", "results are told in one form"),
];

/// Words of an engine that would change games and are refused, each with the reason.
pub const REFUSED_OF_ENGINES: [(&str, &str); 5] = [
    ("conf", "there is no file of engines here: say cmd= and the rest"),
    ("book", "openings come from -openings"),
    ("bookdepth", "openings come from -openings"),
    ("initstr", "an engine is set up by option.NAME="),
    ("whitepov", "scores are read from the mover's view, as UCI has them"),
];

/// All options that are read.
pub const KNOWN: [&str; 36] = [
    "-engine",
    "-each",
    "-concurrency",
    "-force-concurrency",
    "-rounds",
    "-games",
    "-repeat",
    "-tournament",
    "-seeds",
    "-openings",
    "-srand",
    "-sprt",
    "-resign",
    "-draw",
    "-maxmoves",
    "-tb",
    "-tbpieces",
    "-tbignore50",
    "-tbadjudicate",
    "-variant",
    "-pgnout",
    "-epdout",
    "-use-affinity",
    "-event",
    "-site",
    "-ratinginterval",
    "-scoreinterval",
    "-report",
    "-output",
    "-config",
    "-recover",
    "-log",
    "-testEnv",
    "-startup-ms",
    "-ucinewgame-ms",
    "-ping-ms",
];
