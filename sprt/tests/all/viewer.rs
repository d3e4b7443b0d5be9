//! Games within pages: a browser clicks through them, and every position is what our own reader
//! makes of games.pgn.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use chess::GAME;
use pgn::{Annotation, Games, PgnGame};
use playable::{Game, Position};

use crate::child::{ended, output};
use crate::helpers::{fake, sprt, sprt_line};
use crate::report::{browser, dom_of};
use crate::skipping::skip;

/// Names that a careless page would misread.
const NASTY: &str = "name=</script><b>\"&'\\";

/// Runs a command line whose words are parted by blanks, with more words behind it.
fn run(line: &str, folder: &Path, more: &[&str]) -> String {
    let mut command = sprt_line(line);
    let (_, stdout, stderr) = output(command.args(more).arg("--output").arg(folder));
    stdout + &stderr
}

fn page_of(folder: &Path, page: &Path, more: &[&str]) -> String {
    let mut command = sprt_line("report");
    ended(0, command.arg(folder).arg("--output").arg(page).args(more));
    fs::read_to_string(page).expect("readable")
}

/// A test whose candidate plays illegal moves.
fn faulty_run(folder: &Path) {
    let mut command = sprt();
    command.arg("run").arg("--candidate");
    command.args(fake("--misbehave illegal-move --after-moves 7", "")).arg(NASTY);
    command.args(["--baseline", "random", "--nodes", "1", "--pairs", "6", "--no-early-stop"]);
    let (_, stdout, stderr) = output(command.arg("--output").arg(folder));
    assert!(stdout.contains("illegal move 12"), "{stdout}{stderr}");
}

/// A visit of a page in a browser: it opens the viewer by a link, walks through the game with the
/// arrow keys, turns the board, copies, closes. All that is seen is written as lines of JSON.
const WALK: &str = r##"
<pre id="log"></pre><script>
const log = (...words) => {
  document.getElementById("log").textContent += JSON.stringify(words) + "\n";
};
const by = (name) => document.getElementById("viewer-" + name);
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const seen = () => by("board").getAttribute("aria-label").replace("Position ", "");
const pause = () => new Promise((done) => setTimeout(done, 60));
// Does what brings an event about and waits for it; the page, which listened first, has heard it
// then. The clock of this browser jumps where nothing else is to be done, so that turns are
// counted and no time.
const awaited = async (target, name, act) => {
  let heard = false;
  target.addEventListener(name, () => { heard = true; }, { once: true });
  act();
  const { port1, port2 } = new MessageChannel();
  for (let turns = 0; !heard && turns < 100000; turns++) {
    await new Promise((done) => { port1.onmessage = done; port2.postMessage(0); });
  }
  if (!heard) log("missed", name);
};
let copied = "";
Object.defineProperty(navigator, "clipboard",
  { value: { writeText: async (text) => { copied = text; } } });
(async () => {
  const link = document.querySelector(SELECTOR);
  link.focus();
  await awaited(window, "hashchange", () => link.click());
  log("open", document.getElementById("viewer").open, by("title").textContent);
  log("focus", document.activeElement.id);
  log("game", by("games").selectedOptions[0].textContent);
  press("Home");
  const fens = [seen()];
  while (!by("on").disabled) {
    press("ArrowRight");
    fens.push(seen());
  }
  log("fens", ...fens);
  log("end", by("status").textContent);
  // A button that has nothing more to do does not take the keys with it.
  for (const name of ["first", "last"]) {
    by(name).focus();
    by(name).click();
  }
  press("ArrowLeft");
  log("back", seen(), document.activeElement.id);
  press("f");
  const first = by("board").querySelector("text.coordinate").textContent;
  log("turned", first, by("board").querySelectorAll("text.white-piece, text.black-piece").length);
  by("fen").click();
  await pause();
  log("fen", copied);
  by("pgn").click();
  await pause();
  log("pgn", copied);
  by("moves").querySelector("[data-ply='1']").click();
  log("clicked", seen(), by("moves").querySelector("[aria-current]").textContent);
  const link_ = by("analysis");
  log("analysis", link_ ? link_.href : "");
  press("ArrowDown");
  log("next", by("games").selectedIndex, by("status").textContent);
  const pick = (filter) => {
    by("filter").selectedIndex = filter;
    by("filter").dispatchEvent(new Event("change"));
  };
  for (const filter of by("filter").options) {
    pick(filter.index);
    log("filtered", filter.textContent, ...Array.from(by("games").options, (it) => it.textContent));
  }
  pick(0);
  const frame = document.getElementById("viewer");
  log("wide", frame.scrollWidth - frame.clientWidth);
  await awaited(frame, "close", () => by("close").click());
  log("closed", frame.open, document.activeElement === link);
  const all = [];
  for (const list of JSON.parse(by("data").textContent).lists) {
    for (const index of list.games.keys()) {
      await awaited(window, "hashchange",
        () => { location.hash = "#view/" + list.id + "/" + index + "/end"; });
      all.push(by("games").selectedOptions[0].textContent, seen());
    }
  }
  log("all", ...all);
})();
</script></body>"##;

/// The log of the browser, by the first word of each line.
struct Seen(Vec<Vec<serde_json::Value>>);

impl Seen {
    fn of(browser: &OsString, home: &Path, page: &str, selector: &str) -> Seen {
        let walk = WALK.replace("SELECTOR", &format!("{selector:?}"));
        let path = home.join("walk.html");
        fs::write(&path, page.replace("</body>", &walk)).expect("writable");
        let (dom, stderr) = dom_of(browser, home, &path);
        let (_, log) = dom.split_once("<pre id=\"log\">").expect("a log");
        let (log, _) = log.split_once("</pre>").expect("its end");
        let log = log.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}");
        let log = log.replace("&amp;", "&");
        let lines: Vec<_> =
            log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let filters = lines.iter().filter(|line: &&Vec<_>| line[0] == "filtered").count();
        assert_eq!(lines.len(), 15 + filters, "{log}\n{stderr}");
        Seen(lines)
    }

    /// The words behind the first word of a line.
    fn words(&self, name: &str) -> Vec<String> {
        self.all_words(name).next().expect("a line of that name")
    }

    /// The same of all lines with that first word.
    fn all_words(&self, name: &str) -> impl Iterator<Item = Vec<String>> {
        let text = |value: &serde_json::Value| match value.as_str() {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        };
        let lines = self.0.iter().filter(move |line| line[0] == name);
        lines.map(move |line| line[1..].iter().map(text).collect())
    }

    /// Holds the filters of a list against the results of its games.
    fn check_filters(&self, kind: Game) {
        let [first, second] = kind.color_names().map(|color| format!("{color} won"));
        let filters: Vec<Vec<String>> = self.all_words("filtered").collect();
        let (all, rest) = filters.split_first().expect("a filter");
        assert!(all[0] == "all" && all.len() > 2 && rest.len() > 1, "{filters:?}");
        for filter in rest {
            let (name, games) = filter.split_first().expect("a name");
            let passes = |game: &&String| match name.as_str() {
                "drawn" => game.ends_with(", 1/2-1/2"),
                name if name == first => game.ends_with(", 1-0"),
                name if name == second => game.ends_with(", 0-1"),
                "with faults" => true,
                player => {
                    let player = player.strip_suffix(" won").expect("a player");
                    game.contains(&format!(": {player} – ")) && game.ends_with(", 1-0")
                        || game.ends_with(&format!(" – {player}, 0-1"))
                }
            };
            let expected: Vec<&String> = all[1..].iter().filter(passes).collect();
            assert_eq!(games.iter().collect::<Vec<_>>(), expected, "{name}");
        }
    }
}

/// The game of games.pgn that the viewer calls `3.1: …`.
fn game_called(folder: &Path, name: &str) -> PgnGame {
    let (round, _) = name.split_once(':').expect("a round");
    let games = Games::open(&folder.join("games.pgn")).expect("readable");
    let mut games = games.map(|game| game.expect("a good game"));
    games.find(|game| game.tag("Round") == Some(round)).expect("it is there")
}

/// FENs of all positions of a game.
fn fens_of(kind: Game, game: &PgnGame) -> Vec<String> {
    let mut fens = Vec::new();
    let last =
        game.replay(kind, |position, _, _| fens.push(position.to_fen())).expect("legal moves");
    fens.push(last.to_fen());
    fens
}

/// Holds what was seen of a game of this kind against games.pgn.
fn check_walk(kind: Game, seen: &Seen, folder: &Path) {
    assert_eq!(seen.words("open")[0], "true");
    assert_eq!(seen.words("focus"), ["viewer-stage"]);
    let game = game_called(folder, &seen.words("game")[0]);
    let fens = fens_of(kind, &game);
    assert_eq!(seen.words("fens"), fens);
    let before_last = &fens[fens.len() - 2];
    assert_eq!(seen.words("back"), [before_last.as_str(), "viewer-stage"]);
    assert_eq!(&seen.words("fen")[0], before_last);
    // The first letter below the turned board is that of the last file, and all pieces are there.
    let last_file = char::from(b'a' + kind.board().0 as u8 - 1);
    let placement = before_last.split(' ').next().unwrap_or_default();
    let pieces = placement.chars().filter(char::is_ascii_alphabetic).count();
    assert_eq!(seen.words("turned"), [last_file.to_string(), pieces.to_string()]);
    assert_eq!(seen.words("clicked"), [fens[1].clone(), game.moves[0].san.clone()]);
    assert_eq!(seen.words("next")[0], "1");
    seen.check_filters(kind);
    assert_eq!(seen.words("wide"), ["0"]);
    assert_eq!(seen.words("closed"), ["false", "true"]);
    // Every embedded game ends where it did.
    let all = seen.words("all");
    assert!(all.len() >= 12);
    for place in all.chunks(2) {
        assert_eq!(
            fens_of(kind, &game_called(folder, &place[0])).last(),
            Some(&place[1]),
            "{place:?}"
        );
    }
    // The copied PGN is the same game with the same scores.
    let text = seen.words("pgn").remove(0);
    let copied = Games::new(text.as_bytes(), "copied").next().expect("a game").expect("PGN");
    assert_eq!(fens_of(kind, &copied), fens);
    for tag in ["White", "Black", "Round", "Result", "Event"] {
        assert_eq!(copied.tag(tag), game.tag(tag), "{tag}");
    }
    let scores = |game: &PgnGame| -> Vec<Option<Annotation>> {
        let mut scores = Vec::new();
        let visit = |position: &Position, index: usize, _| {
            let comment: &str = &game.moves[index].comment;
            scores.push(Annotation::parse(comment, position.side_to_move()));
        };
        game.replay(kind, visit).expect("legal moves");
        scores
    };
    assert_eq!(scores(&copied), scores(&game));
}

#[test]
fn a_browser_walks_through_games_from_every_place() {
    let Some(browser) = browser() else {
        skip("there is no Chromium (KAMERTON_CHROMIUM names one)");
        return;
    };
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);

    faulty_run(&at("faulty"));
    let link = ["--analysis-link", "https://example.org/analysis/{fen}?x=1"];
    let page = page_of(&at("faulty"), &at("faulty.html"), &link);
    let seen = Seen::of(&browser, home.path(), &page, "#faults .places a");
    check_walk(GAME, &seen, &at("faulty"));
    assert_eq!(seen.words("open")[1], "Games with faults");
    assert!(seen.words("end")[0].contains("illegal move"), "{:?}", seen.words("end"));
    assert!(seen.words("game")[0].contains(&NASTY[5..]), "{:?}", seen.words("game"));
    let expected = seen.words("clicked")[0].replace(' ', "%20");
    assert_eq!(seen.words("analysis"), [format!("https://example.org/analysis/{expected}?x=1")]);

    // Chess960, with castling among the moves.
    let line = "run --candidate embedded --baseline random --nodes 300 --hash 1 --pairs 12 \
                --no-early-stop --openings";
    let starts = at("starts.epd");
    fs::write(&starts, CASTLING).expect("writable");
    run(line, &at("test"), &[&starts.to_string_lossy(), "--chess960"]);
    let page = page_of(&at("test"), &at("test.html"), &[]);
    assert!(!page.contains("viewer-analysis\""), "no link unless it is wanted");
    assert!(page.contains("/O-O"), "a game in which somebody castles");
    let seen = Seen::of(&browser, home.path(), &page, "#openings .boards a");
    check_walk(GAME, &seen, &at("test"));
    assert!(seen.words("open")[1].starts_with("Opening no. "));

    let line = "tournament --player embedded --player random name=one --player random name=two \
                --nodes 50 --hash 1 --rounds 3";
    run(line, &at("tournament"), &[]);
    let page = page_of(&at("tournament"), &at("tournament.html"), &[]);
    let seen = Seen::of(&browser, home.path(), &page, "#crosstable td a");
    check_walk(GAME, &seen, &at("tournament"));
    // From the header to all games of the page.
    let seen = Seen::of(&browser, home.path(), &page, "header a.button");
    check_walk(GAME, &seen, &at("tournament"));
    assert_eq!(seen.words("open")[1], "Games");
    assert_eq!(page.matches("<a class=\"look\" href=\"#view/players-").count(), 6);
}

#[test]
fn a_browser_walks_through_games_of_xiangqi_in_characters() {
    let Some(browser) = browser() else {
        skip("there is no Chromium (KAMERTON_CHROMIUM names one)");
        return;
    };
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("xiangqi");
    let line = "run --game xiangqi --candidate embedded --baseline random --nodes 50 --hash 1 \
                --pairs 6 --no-early-stop --notation chinese";
    run(line, &folder, &[]);
    let page = page_of(&folder, &home.path().join("page.html"), &[]);
    let seen = Seen::of(&browser, home.path(), &page, "header a.button");
    check_walk(engine::GAMES[0], &seen, &folder);
    let mv = &seen.words("clicked")[1];
    assert!(mv.chars().any(|sign| "进退平".contains(sign)), "{mv}");
}

/// Positions of Chess960 in which castling is near.
const CASTLING: &str = "\
1r1k2r1/pppp1ppp/8/8/8/8/PPPP1PPP/1R1K2R1 w GBgb - 0 1
r4k1r/pppp1ppp/8/8/8/8/PPPP1PPP/R4K1R w HAha - 0 1
2r2kr1/pppp1ppp/8/8/8/8/PPPP1PPP/2R2KR1 w GCgc - 0 1
";

#[test]
fn games_are_embedded_by_the_rule_and_safely() {
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    faulty_run(&at("faulty"));
    let page = page_of(&at("faulty"), &at("faulty.html"), &[]);
    assert!(page == page_of(&at("faulty"), &at("again.html"), &[]), "the same bytes");
    // Names neither end the data nor become elements.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b>"));
    let (_, data) = page.split_once("id=\"viewer-data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("their end");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["players"][0], &NASTY[5..]);
    let faults = &data["lists"][0];
    assert_eq!(
        (&faults["id"], faults["games"].as_array().map(Vec::len)),
        (&"faults".into(), Some(12))
    );
    // A game stands there once, in however many lists it is.
    assert_eq!(data["games"].as_array().map(Vec::len), Some(12));
    let bad = ["--analysis-link", "https://example.org/"];
    let mut command = sprt_line("report");
    command.arg(at("faulty")).arg("--output").arg(at("bad.html")).args(bad);
    let (_, text) = ended(64, &mut command);
    assert!(text.contains("{fen}") && !at("bad.html").exists(), "{text}");
}
