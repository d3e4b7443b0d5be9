//! The command lines that OpenBench's client and weather-factory send to fastchess, unchanged, and
//! what they read back, by the patterns that they look for; and those of c-chess-cli.

// The programs under that name are scripts of a shell and symbolic links.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use tempfile::TempDir;

use crate::child::{self, Guarded};
use crate::files::write_program;
use crate::helpers::{SPRT, read};

/// A folder as a client has it: the runner under its name, engines, a book.
struct Client {
    home: TempDir,
}

impl Client {
    fn new(runner: &str) -> Client {
        let home = tempfile::tempdir().expect("temporary folder");
        for folder in ["Engines", "Books", "PGNs", "tuner"] {
            fs::create_dir(home.path().join(folder)).expect("writable");
        }
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/openings/kamerton.epd");
        for copy in ["Books/UHO.epd", "tuner/BOOK.epd"] {
            fs::copy(book, home.path().join(copy)).expect("writable");
        }
        symlink(SPRT, home.path().join(runner)).expect("writable");
        Client { home }
    }

    fn path(&self) -> &Path {
        self.home.path()
    }

    /// An engine without arguments, as clients call them: a fake one with these.
    fn engine(&self, file: &str, arguments: &str) {
        let text = format!("#!/bin/sh\nexec '{SPRT}' fake-engine {arguments}\n");
        write_program(&self.path().join(file), text);
    }

    /// A command line, quoted as for a shell.
    fn call(&self, line: &str) -> (Option<i32>, String, String) {
        let words = shlex::split(line).expect("quoted well");
        let mut command = Command::new(self.path().join(&words[0]));
        child::output(command.args(&words[1..]).current_dir(self.path()))
    }
}

/// The command line of a client of OpenBench; `limits` are how long the engines may think.
fn openbench(limits: [&str; 2], rounds: u32) -> String {
    let [limit, other] = limits;
    format!(
        "./fastchess-ob -recover -variant standard -testEnv -concurrency 2 -rounds {rounds} \
         -games 2 -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
         -engine dir=Engines/ cmd=./NAME-one proto=uci {limit} option.Threads=1 option.Hash=16 \
         name=NAME-dev \
         -engine dir=Engines/ cmd=./NAME-two proto=uci {other} option.Threads=1 option.Hash=16 \
         name=NAME-base \
         -openings file=Books/UHO.epd format=epd order=random start=4711 -srand 42 \
         -pgnout file=PGNs/1.2.3.0.pgn seldepth=true nodes=true \
         match_line='^info string pgncomment .*'"
    )
}

/// A game as OpenBench's client reads it.
#[derive(Debug)]
struct Finished {
    number: u64,
    result: String,
    /// White, Black.
    players: [String; 2],
    reason: String,
}

/// Reads output line by line until the first empty read, as OpenBench's client does.
fn finished(output: &str) -> Vec<Finished> {
    let players = Regex::new(r"\((\S+) vs (\S+)\):").expect("a pattern");
    let mut games = Vec::new();
    for line in output.lines().filter(|line| line.contains("Finished game")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let names = players.captures(line).expect("two names");
        games.push(Finished {
            number: words[2].parse().expect("a number"),
            result: words[6].to_owned(),
            players: [names[1].to_owned(), names[2].to_owned()],
            reason: line.split_once(':').expect("a colon").1.to_owned(),
        });
    }
    games
}

#[test]
fn a_client_of_openbench_is_understood() {
    let client = Client::new("fastchess-ob");
    let (status, version, _) = client.call("./fastchess-ob --version");
    let number = Regex::new(r"\d+\.\d+(\.\d+)?").expect("a pattern");
    assert_eq!((status, &number.find(&version).expect("a version").as_str()[..2]), (Some(0), "1."));
    client.engine("Engines/NAME-one", "--parameters embedded");
    client.engine("Engines/NAME-two", "--parameters embedded");
    let (status, output, stderr) = client.call(&openbench(["nodes=150"; 2], 6));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(output.lines().all(|line| !line.is_empty()), "{output}");
    let games = finished(&output);
    let numbers: BTreeSet<u64> = games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, (1..=12).collect());
    for game in &games {
        let expected = if game.number % 2 == 1 {
            ["NAME-dev", "NAME-base"]
        } else {
            ["NAME-base", "NAME-dev"]
        };
        assert_eq!(game.players, expected, "{game:?}");
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&game.result.as_str()), "{game:?}");
        for trouble in ["disconnect", "stalls", "on time", "illegal"] {
            assert!(!game.reason.contains(trouble), "{game:?}");
        }
    }
    // The block at the end counts the same games.
    let block = Regex::new(r"(?m)^Games: (\d+), Wins: (\d+), Losses: (\d+), Draws: (\d+), ");
    let block = block.expect("a pattern");
    let last = block.captures_iter(&output).last().expect("a block");
    let won = |game: &&Finished| match game.result.as_str() {
        "1-0" => game.players[0] == "NAME-dev",
        "0-1" => game.players[1] == "NAME-dev",
        _ => false,
    };
    assert_eq!((&last[1], &last[2]), ("12", &*games.iter().filter(won).count().to_string()));
    assert!(output.contains("Results of NAME-dev vs NAME-base (150 nodes, 1t, 16MB, UHO.epd):"));
    assert!(!output.contains("LLR: "), "nothing was tested");
    // The user is told of lines that are not written.
    assert!(stderr.contains("note: -pgnout match_line="), "{stderr}");

    let pgn = read(client.path(), "PGNs/1.2.3.0.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 12);
    let comment =
        Regex::new(r"\{[+-](M?\d+|\d+\.\d+)/\d+\s\d+\.\d+s,\sn=\d+,\ssd=\d+\}").expect("a pattern");
    assert!(comment.find_iter(&pgn).count() > 100, "{}", &pgn[..2000]);
    for line in pgn.lines().filter(|line| line.starts_with("[Termination ")) {
        assert!(line.contains("normal") || line.contains("adjudication"), "{line}");
    }
}

/// Each fault of an engine has the words by which the client knows it, and the match goes on.
#[test]
fn faults_have_the_words_that_clients_look_for() {
    for (misbehavior, limit, word, tag) in [
        ("abort", "nodes=1", "disconnect", "abandoned"),
        ("exit-success", "nodes=1", "disconnect", "abandoned"),
        ("illegal-move", "nodes=1", "illegal", "illegal move"),
        ("flood-lines", "nodes=1", "stalls", "stalled"),
        ("late", "tc=0.4+0", "on time", "time forfeit"),
    ] {
        let client = Client::new("fastchess-ob");
        client.engine("Engines/NAME-one", &format!("--misbehave {misbehavior}"));
        client.engine("Engines/NAME-two", "");
        let (_, output, stderr) = client.call(&openbench([limit, "nodes=1"], 2));
        let games = finished(&output);
        assert_eq!(games.len(), 4, "{misbehavior}: {output}{stderr}");
        for game in &games {
            assert!(game.reason.contains(word), "{misbehavior}: {game:?}");
            let loser = if game.result == "1-0" { 1 } else { 0 };
            assert_eq!(game.players[loser], "NAME-dev", "{misbehavior}: {game:?}");
        }
        let pgn = read(client.path(), "PGNs/1.2.3.0.pgn");
        assert_eq!(pgn.matches(&format!("[Termination \"{tag}\"]")).count(), 4, "{pgn}");
    }
}

/// Without `-recover` the first fault ends the match.
#[test]
fn a_match_without_recover_ends_with_a_fault() {
    let client = Client::new("fastchess-ob");
    client.engine("Engines/NAME-one", "--misbehave abort");
    client.engine("Engines/NAME-two", "");
    let line = openbench(["nodes=1"; 2], 20).replacen(" -recover", "", 1);
    let (status, output, stderr) = client.call(&line.replace("-concurrency 2", "-concurrency 1"));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(finished(&output).len() < 40 && !output.contains("Finished match"), "{output}");
}

/// Weather-factory reads the last score and difference up to the first empty line.
#[test]
fn weather_factory_is_understood() {
    let elo = Regex::new(r"Elo difference: (-?[\d.]+|-?inf|nan) \+/-").expect("a pattern");
    for runner in ["fastchess", "cutechess-cli"] {
        let client = Client::new(runner);
        client.engine("tuner/ENGINE", "");
        let own = if runner == "fastchess" {
            "-config discard=true outname=tuner/fastchess_config.json -output format=cutechess"
        } else {
            ""
        };
        let (status, output, stderr) = client.call(&format!(
            "./{runner} {own} \
             -engine cmd=./tuner/ENGINE name=ENGINE-1 proto=uci option.Hash=8 option.A=52 \
             -engine cmd=./tuner/ENGINE name=ENGINE-2 proto=uci option.Hash=8 option.A=48 \
             -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -recover \
             -concurrency 2 -each tc=5.0+0.05 \
             -openings file=tuner/BOOK.epd format=epd order=random plies=16 \
             -repeat 2 -games 2 -rounds 8 -pgnout tuner/games.pgn"
        ));
        assert_eq!(status, Some(0), "{stderr}");
        assert!(output.lines().all(|line| !line.is_empty()), "{output}");
        let scores: Vec<&str> = output.lines().filter(|it| it.starts_with("Score of")).collect();
        assert_eq!(scores.len(), 17, "after each game, and at the end: {output}");
        let last = scores.last().expect("a score");
        let between = &last[last.find(':').expect("a colon") + 1..last.find('[').expect("one")];
        let numbers: Vec<u64> =
            between.split(" - ").map(|it| it.trim().parse().expect("a number")).collect();
        assert_eq!((numbers.len(), numbers.iter().sum()), (3, 16), "{last}");
        assert!(elo.is_match(output.lines().rfind(|it| it.contains("Elo")).expect("one")));
        // An option that the engine does not have is told, and nothing else.
        assert!(stderr.contains("ENGINE-1 has no option \"A\""), "{stderr}");
        let pgn = read(client.path(), "tuner/games.pgn");
        assert_eq!(pgn.matches("[Result ").count(), 16);
        assert!(!client.path().join("tuner/fastchess_config.json").exists());
    }
}

/// A command line of c-chess-cli's own documentation, but for its engines, by its name and by the
/// subcommand of that name.
#[test]
fn c_chess_cli_is_understood() {
    let client = Client::new("c-chess-cli");
    symlink(SPRT, client.path().join("sprt")).expect("writable");
    client.engine("Engines/critter", "");
    for runner in ["./c-chess-cli", "./sprt c-chess-cli"] {
        let (status, output, stderr) = client.call(&format!(
            "{runner} -each tc=4+0.04 option.Hash=8 option.Threads=1 \
             -engine cmd=Engines/critter name=demolito nodes=200000 \
             -engine 'cmd=./Engines/critter --seed 3' depth=11 -games 8 -concurrency 2 \
             -openings file=Books/UHO.epd order=random -repeat -sprt elo0=1 elo1=5 \
             -resign count=3 score=700 -draw number=40 count=8 score=10 -pgn out.pgn 2 -log"
        ));
        assert_eq!(status, Some(0), "{stderr}");
        assert_eq!(finished(&output).len(), 8, "{output}");
        assert!(output.contains("Score of demolito vs critter: "), "{output}");
        assert!(stderr.contains("note: -pgn 2: games are written with times, too"), "{stderr}");
        let log = read(client.path(), "c-chess-cli.log");
        assert!(log.contains(" depth 11"), "{}", &log[..log.len().min(2000)]);
    }
    let pgn = read(client.path(), "out.pgn");
    assert_eq!(pgn.matches("[Result ").count(), 16);
    let (status, _, stderr) =
        client.call("./c-chess-cli -engine cmd=a -engine cmd=b -sample freq=1");
    assert_eq!(status, Some(64));
    assert!(stderr.contains("-sample is not taken: "), "{stderr}");
}

/// A sequential test ends the match, with the line that says why.
#[test]
fn a_test_ends_the_match() {
    let client = Client::new("fastchess");
    client.engine("tuner/one", "--parameters embedded");
    client.engine("tuner/two", "");
    let (status, output, stderr) = client.call(
        "./fastchess -engine cmd=./tuner/one name=one -engine cmd=./tuner/two name=two \
         -each nodes=100 -openings file=tuner/BOOK.epd order=random -srand 1 -rounds 400 \
         -sprt elo0=0 elo1=200 alpha=0.05 beta=0.05 model=logistic -ratinginterval 4 \
         -report penta=true -event Test -site Here -log file=match.log level=info \
         -pgnout file=games.pgn min=true append=false",
    );
    assert_eq!(status, Some(0), "{stderr}");
    let llr = Regex::new(r"LLR: (-?[\d.]+) \((-?[\d.]+)%\) \(-2.94, 2.94\) \[0.00, 200.00\]");
    let found: Vec<f64> = llr
        .expect("a pattern")
        .captures_iter(&output)
        .map(|found| found[1].parse().expect("a number"))
        .collect();
    assert!(found.len() > 2 && found.last().is_some_and(|&llr| llr >= 2.94), "{output}");
    assert!(finished(&output).len() < 800);
    assert!(output.trim_end().lines().last().is_some_and(|line| line.starts_with("Total Time: ")));
    let log = read(client.path(), "match.log");
    assert!(log.contains("Finished game 1 (one vs two)"), "{log}");
    let pgn = read(client.path(), "games.pgn");
    assert!(pgn.contains("[Event \"Test\"]\n[Site \"Here\"]\n"), "{pgn}");
    assert!(!pgn.contains('{'), "moves alone: {pgn}");
    assert!(
        output.contains("\nSPRT ([0.00, 200.00]) completed - H1 was accepted\nFinished match\n")
    );
}

/// From one position two engines that repeat themselves would play two games again and again.
#[test]
fn without_openings_no_verdict_rests_on_copies() {
    let client = Client::new("fastchess");
    client.engine("one", "--parameters embedded");
    let textbook = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/textbook.toml");
    client.engine("two", &format!("--parameters '{textbook}'"));
    let call = |more: &str| {
        client.call(&format!(
            "./fastchess -engine cmd=./one name=one -engine cmd=./two name=two -each nodes=60 \
             -rounds 12 -concurrency 2 -maxmoves 40 -srand 5 {more}"
        ))
    };
    let (status, output, stderr) = call("-pgnout file=games.pgn");
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stderr.contains("note: without -openings the openings of this program are played"));
    assert!(output.contains("Results of one vs two (60 nodes, 1t, NULL, embedded):"), "{output}");
    assert_eq!(finished(&output).len(), 24);
    let pgn = client.path().join("games.pgn");
    let mut calculate = Command::new(SPRT);
    let (_, told, _) = child::output(calculate.args(["calculate", "--json", "--pgn"]).arg(pgn));
    assert!(told.contains("\"identical_games\": 0"), "{told}");
    // A book of one position, in three ways: an en passant square that no pawn can use, counters.
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    let book = format!("{fen} - 0 1\n{fen} e3 0 1\n{fen} - 1 5\n");
    fs::write(client.path().join("book.epd"), book).expect("writable");
    let (status, output, stderr) =
        call("-openings file=book.epd -sprt elo0=0 elo1=200 alpha=0.2 beta=0.2");
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stderr.contains("3 openings, but only 1 different position"), "{stderr}");
    assert!(stderr.contains("note: 11 pairs equal earlier ones move for move"), "{stderr}");
    assert_eq!(finished(&output).len(), 2);
    assert!(output.contains("Games: 2, ") && !output.contains("completed"), "{output}");
}

/// Several engines, without openings, by the name of the subcommand.
#[test]
fn a_gauntlet_is_told_by_pairings() {
    let client = Client::new("sprt");
    client.engine("tuner/one", "");
    let (status, output, stderr) = client.call(
        "./sprt fastchess -tournament gauntlet -engine cmd=tuner/one name=a -engine \
         cmd=tuner/one name=b -engine cmd=tuner/one name=c -each nodes=1 option.Seed=7 \
         -maxmoves 30 -rounds 3 -variant fischerandom",
    );
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!(finished(&output).len(), 12);
    for block in ["Results of a vs b (1 nodes, 1t, NULL, embedded):", "Results of a vs c "] {
        assert!(output.contains(block), "{output}");
    }
    assert!(!output.contains("Results of b vs c") && !output.contains("(b vs c)"), "{output}");
    assert!(output.contains("of 12 (a vs b)"), "{output}");
    // Where nothing is drawn there is no seed to tell.
    assert!(!stderr.contains("-srand"), "{stderr}");
}

#[test]
fn what_is_unknown_is_refused_by_name() {
    let client = Client::new("fastchess");
    client.engine("tuner/one", "");
    for (words, reason) in [
        ("-concurency 2", "there is no option -concurency, did you mean -concurrency?"),
        ("-openings file=tuner/BOOK.epd policy=keep", "-openings policy=keep: "),
        ("-openings file=tuner/BOOK.epd -sprt elo0=0 elo1=5 gamma=1", "-sprt gamma=1: "),
        ("-noswap", "-noswap is not taken: "),
        ("-games 1", "-games 1: a round is an opening with both colors"),
    ] {
        let (status, output, stderr) = client.call(&format!(
            "./fastchess -engine cmd=./tuner/one name=a -engine cmd=./tuner/one name=b -each \
             nodes=1 -rounds 1 {words}"
        ));
        assert_eq!((status, output.as_str()), (Some(64), ""), "{words}: {stderr}");
        assert!(stderr.contains(&format!("error: {reason}")), "{words}: {stderr}");
    }
    let (status, help, _) = client.call("./fastchess -help");
    assert_eq!(status, Some(0));
    assert!(help.contains("-openings file="), "{help}");
}

/// The first tries of people in `sprt run`: words of other runners.
#[test]
fn words_of_other_runners_are_understood() {
    let client = Client::new("sprt");
    let (status, output, stderr) = client.call(
        "./sprt run --candidate random --baseline random --nodes 1 --rounds 3 --concurrency 1 \
         --book tuner/BOOK.epd --output run",
    );
    assert_eq!(status, Some(2), "{stderr}");
    assert!(output.contains("6 in 3 pairs"), "{output}");
    for words in ["run -engine cmd=a -engine cmd=b", "-engine cmd=a -rounds 2"] {
        let (status, _, stderr) = client.call(&format!("./sprt {words}"));
        assert_eq!(status, Some(64), "{stderr}");
        assert!(stderr.contains("read by `sprt fastchess`"), "{stderr}");
    }
    let (_, _, stderr) = client.call("./sprt run --wibble");
    assert!(!stderr.contains("sprt fastchess"), "{stderr}");
}

/// An engine of a few lines: it plays e2e4 and says this of it.
fn one_move(client: &Client, file: &str, info: &str) {
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do\n case \"$line\" in\n\
         uci) echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n\
         go*) echo 'info {info}'; echo 'bestmove e2e4' ;;\n esac\ndone\n"
    );
    write_program(&client.path().join(file), text);
}

/// Mates are counted in plies, however long they are, and the selective depth stands behind nodes.
#[test]
fn comments_are_those_of_the_runner() {
    for (info, comment) in [
        ("depth 9 seldepth 17 score mate 5 nodes 7 pv e2e4", "{+M9/9 "),
        ("depth 9 seldepth 17 score mate -3 nodes 7 pv e2e4", "{-M6/9 "),
        ("depth 9 seldepth 17 score mate 70 nodes 7 pv e2e4", "{+M139/9 "),
        ("depth 9 seldepth 17 score mate -400 nodes 7 pv e2e4", "{-M800/9 "),
        ("depth 9 seldepth 17 score cp 30872 nodes 7 pv e2e4", "{+300.00/9 "),
    ] {
        let client = Client::new("fastchess");
        one_move(&client, "one", info);
        client.engine("other", "");
        fs::write(
            client.path().join("start.epd"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        )
        .expect("writable");
        let (notation, first) =
            if info.contains("mate") { ("san", "1. e4 {") } else { ("uci", "1. e2e4 {") };
        let (status, _, stderr) = client.call(&format!(
            "./fastchess -engine cmd=./one name=a -engine cmd=./other name=b -each nodes=1 -rounds 1 \
             -recover -openings file=start.epd -pgnout file=games.pgn seldepth=true \
             notation={notation} -epdout file=last.epd"
        ));
        assert_eq!(status, Some(0), "{stderr}");
        let pgn = read(client.path(), "games.pgn").replace('\n', " ");
        assert!(pgn.contains(first), "{pgn}");
        let (_, behind) = pgn.split_once(comment).unwrap_or_else(|| panic!("{comment}: {pgn}"));
        let rest = &behind[..behind.find('}').expect("an end")];
        assert!(rest.ends_with("s, n=7, sd=17"), "{rest}");
        // The first game ended when e2e4 was played again, the second when Black played it.
        let last = read(client.path(), "last.epd");
        let ends: Vec<&str> = last.lines().collect();
        assert_eq!(ends.len(), 2, "{last}");
        assert!(ends[0].contains(" w ") && ends[0].ends_with("; fmvn 2;"), "{last}");
        // The other engine may have moved a pawn or a knight.
        assert!(ends[1].contains(" b ") && ends[1].ends_with("; fmvn 1;"), "{last}");
    }
}

#[test]
fn an_engine_is_begun_anew_where_that_is_asked_for() {
    // Four games, and before them a look whether it plays.
    for (restart, begun) in [("on", 5), ("off", 2)] {
        let client = Client::new("fastchess");
        let text = "#!/bin/sh\necho begun >> begun.txt\nexec ./fake\n";
        write_program(&client.path().join("one"), text);
        client.engine("fake", "");
        client.engine("other", "");
        let (status, _, stderr) = client.call(&format!(
            "./fastchess -engine cmd=./one name=a restart={restart} -engine cmd=./other name=b \
             -each nodes=1 -rounds 2 -maxmoves 5 -openings file=Books/UHO.epd"
        ));
        assert_eq!(status, Some(0), "{stderr}");
        assert_eq!(read(client.path(), "begun.txt").lines().count(), begun, "restart={restart}");
    }
}

/// Words that cannot change games stop no command line of the three runners.
#[test]
fn usual_words_stop_nothing() {
    for (runner, words) in [
        (
            "fastchess",
            "-rounds 1 -each tc=inf/9+0.1s timemargin=500 restart=off -use-affinity -show-latency \
             -autosaveinterval 0 -wait 5 -crc32 pgn=true -check-mate-pvs -report penta=false \
             -pgnout file=g.pgn notation=lan nps=true pv=true -log file=l level=warn compress=true",
        ),
        (
            "cutechess-cli",
            "-games 2 -each proto=uci tc=inf/9+0.1 stderr=errors.txt trust -bookmode ram -wait 1 \
             -outcomeinterval 10 -resultformat wide2 -debug -maxmoves 0 -seeds 0 -epdout last.epd \
             -pgnout g.pgn min fi -event Some Event",
        ),
        ("c-chess-cli", "-games 2 -each tc=9+0.1 -wait 1 -pgn g.pgn 1"),
    ] {
        let client = Client::new(runner);
        for name in ["one", "two"] {
            client.engine(name, "");
        }
        let (status, output, stderr) = client
            .call(&format!("./{runner} -engine cmd=./one name=a -engine cmd=./two name=b {words}"));
        assert_eq!(status, Some(0), "{runner}: {stderr}");
        assert_eq!(finished(&output).len(), 2, "{runner}: {output}");
        assert!(stderr.contains("note: -wait changes nothing: "), "{stderr}");
        assert!(output.lines().all(|line| !line.starts_with("note")), "{output}");
    }
}

/// A client that has died does not want the rest of its match.
#[test]
fn a_match_that_nobody_reads_ends() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let client = Client::new("fastchess-ob");
    client.engine("Engines/NAME-one", "");
    client.engine("Engines/NAME-two", "");
    let words = shlex::split(&openbench(["nodes=1"; 2], 1_000_000)).expect("quoted well");
    let mut command = Command::new(client.path().join(&words[0]));
    command.args(&words[1..]).current_dir(client.path());
    let child = Guarded::spawn(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut reader = BufReader::new(child.take_stdout());
    reader.read_line(&mut String::new()).expect("a line");
    drop(reader);
    assert_eq!(child.wait().code(), Some(130), "interrupted");
}
