//! The lines that fastchess and cutechess print, by which the programs that call them know how a
//! match goes.

use foreign::{LINE, shown};
use matches::game::{FaultKind, GameRecord, GameResult, PairRecord, Termination};
use matches::player::{Contestant, Source};
use playable::{Color, Ending};
use statistics::{
    Estimate, Hypotheses, PairCounts, Verdict, small_sample_elo, small_sample_normalized_elo,
    small_sample_superiority,
};

/// The line between blocks.
pub const RULE: &str = "--------------------------------------------------";

/// `Started game 1 of 6 (a vs b)`
pub fn started(number: u64, games: u64, players: [&str; 2]) -> String {
    format!("Started game {number} of {games} ({} vs {})", players[0], players[1])
}

/// `Finished game 1 (a vs b): 1-0 {White mates}`, of one of a pair's games.
pub fn finished(number: u64, players: [&str; 2], game: &GameRecord) -> String {
    let [white, black] = players;
    format!(
        "Finished game {number} ({white} vs {black}): {} {{{}}}",
        game.result.as_str(),
        reason(game)
    )
}

/// White and Black of one of a pair's games, by their names.
pub fn players_of<'a>(pair: &PairRecord, index: usize, names: &'a [String]) -> [&'a str; 2] {
    let [first, second] = pair.players.map(|player| names[player].as_str());
    if PairRecord::FIRST[index] == Color::White { [first, second] } else { [second, first] }
}

fn name(color: Color) -> &'static str {
    if color == Color::White { "White" } else { "Black" }
}

/// The reason why a game ended, in fastchess's words.
pub fn reason(game: &GameRecord) -> String {
    if let Some((color, fault)) = game.faults.first() {
        let name = name(*color);
        // A brace would end the words.
        let detail = shown(&fault.detail, LINE).replace(['{', '}'], " ");
        let with = |words: &str| match detail.as_str() {
            "" => format!("{name} {words}"),
            detail => format!("{name} {words}: {detail}"),
        };
        return match fault.kind {
            FaultKind::Start | FaultKind::Crash | FaultKind::Exit => format!("{name} disconnects"),
            FaultKind::Hang | FaultKind::Flood => format!("{name}'s connection stalls"),
            FaultKind::IllegalMove | FaultKind::UnreadableMove | FaultKind::NoMove => {
                with("makes an illegal move")
            }
            FaultKind::TimeLoss => match detail.as_str() {
                "" => format!("{name} loses on time"),
                detail => format!("{name} loses on time ({detail})"),
            },
        };
    }
    let winner = Color::ALL.into_iter().find(|&color| GameResult::win_of(color) == game.result);
    match (game.termination, winner) {
        (Termination::Rules(Ending::CHECKMATE), Some(winner)) => format!("{} mates", name(winner)),
        (Termination::Resigned, Some(winner)) => format!("{} resigns", name(!winner)),
        (Termination::TimeLoss, Some(winner)) => format!("{} loses on time", name(!winner)),
        (Termination::Forfeit, Some(winner)) => format!("{} disconnects", name(!winner)),
        (_, Some(winner)) => format!("{} wins by adjudication", name(winner)),
        (Termination::Rules(Ending::STALEMATE), None) => "Draw by stalemate".to_owned(),
        (Termination::Rules(Ending::REPETITION), None) => "Draw by 3-fold repetition".to_owned(),
        (Termination::Rules(Ending::FIFTY_MOVES), None) => "Draw by fifty moves rule".to_owned(),
        (Termination::Rules(Ending::INSUFFICIENT_MATERIAL), None) => {
            "Draw by insufficient mating material".to_owned()
        }
        (_, None) => "Draw by adjudication".to_owned(),
    }
}

/// The value of PGN's `Termination` for a game where it is another word than our own.
pub fn termination(game: &GameRecord) -> Option<&'static str> {
    let (_, fault) = game.faults.first()?;
    match fault.kind {
        FaultKind::IllegalMove | FaultKind::UnreadableMove | FaultKind::NoMove => {
            Some("illegal move")
        }
        FaultKind::Hang | FaultKind::Flood => Some("stalled"),
        FaultKind::Start | FaultKind::Crash | FaultKind::Exit => Some("abandoned"),
        FaultKind::TimeLoss => None,
    }
}

/// `Score of a vs b: 2 - 1 - 0  [0.667] 3`, from wins, losses and draws of the first.
pub fn score(players: [&str; 2], [wins, losses, draws]: [u64; 3]) -> String {
    let games = wins + losses + draws;
    let share = (wins as f64 + draws as f64 / 2.0) / games.max(1) as f64;
    format!(
        "Score of {} vs {}: {wins} - {losses} - {draws}  [{share:.3}] {games}",
        players[0], players[1]
    )
}

/// `Elo difference: -0.00 +/- 798.10, LOS: 50.00 %, DrawRatio: 0.00 %`, and the test if there is one.
pub fn elo(counts: &PairCounts, hypotheses: Option<&Hypotheses>) -> Vec<String> {
    let [elo, _] = estimates(counts);
    let mut lines = vec![format!(
        "Elo difference: {elo}, LOS: {:.2} %, DrawRatio: {:.2} %",
        100.0 * small_sample_superiority(&counts.sample()),
        100.0 * counts.draw_ratio()
    )];
    if let Some(hypotheses) = hypotheses {
        let llr = ratio_of(counts, hypotheses);
        let (lower, upper) = (hypotheses.lower_bound(), hypotheses.upper_bound());
        let accepted = accepted(hypotheses, llr).map(|which| format!(" - {which}"));
        lines.push(format!(
            "SPRT: llr {llr:.2} ({:.1}%), lbound {lower:.2}, ubound {upper:.2}{}",
            percent_of_bound(llr, lower, upper),
            accepted.unwrap_or_default()
        ));
    }
    lines
}

/// `SPRT ([0.00, 5.00]) completed - H1 was accepted`, if the test has come to its end.
pub fn completed(counts: &PairCounts, hypotheses: &Hypotheses) -> Option<String> {
    let llr = ratio_of(counts, hypotheses);
    let accepted = accepted(hypotheses, llr)?;
    let Hypotheses { elo0, elo1, .. } = hypotheses;
    Some(format!("SPRT ([{elo0:.2}, {elo1:.2}]) completed - {accepted}"))
}

/// The hypothesis that a ratio decides for, in the words that scripts look for.
fn accepted(hypotheses: &Hypotheses, llr: f64) -> Option<&'static str> {
    match hypotheses.verdict(llr) {
        Verdict::Accepted => Some("H1 was accepted"),
        Verdict::Rejected => Some("H0 was accepted"),
        Verdict::Undecided => None,
    }
}

/// The block of results, without the lines around it. `setting` is what stands in parentheses.
pub fn block(
    players: [&str; 2],
    setting: &str,
    counts: &PairCounts,
    hypotheses: Option<&Hypotheses>,
) -> Vec<String> {
    let [elo, normalized] = estimates(counts);
    let [losses, draws, wins] = counts.trinomial();
    let games = wins + draws + losses;
    let points = wins as f64 + draws as f64 / 2.0;
    let pairs = counts.pentanomial();
    let mut lines = vec![
        format!("Results of {} vs {} ({setting}):", players[0], players[1]),
        format!("Elo: {elo}, nElo: {normalized}"),
        format!(
            "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
            100.0 * small_sample_superiority(&counts.sample()),
            100.0 * pairs[2] as f64 / counts.pairs().max(1) as f64,
            ratio(pairs[3] + pairs[4], pairs[0] + pairs[1])
        ),
        format!(
            "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, \
             Points: {points:.1} ({:.2} %)",
            100.0 * points / games.max(1) as f64
        ),
        format!(
            "Ptnml(0-2): [{}], WL/DD Ratio: {}",
            pairs.map(|count| count.to_string()).join(", "),
            ratio(counts.win_loss, counts.draw_draw)
        ),
    ];
    if let Some(hypotheses) = hypotheses {
        let llr = ratio_of(counts, hypotheses);
        let (lower, upper) = (hypotheses.lower_bound(), hypotheses.upper_bound());
        lines.push(format!(
            "LLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
            percent_of_bound(llr, lower, upper),
            hypotheses.elo0,
            hypotheses.elo1
        ));
    }
    lines
}

/// Logistic and normalized Elo with their errors, `-120.41 +/- 264.53`: as of a fixed number of pairs,
/// which is what these lines mean there. As there an error is `nan` where the interval reaches a score
/// of 0 or 1, and Elo `inf` where all games were won: no number would be true.
fn estimates(counts: &PairCounts) -> [String; 2] {
    let sample = counts.sample();
    let elo = small_sample_elo(&sample);
    let is_bounded = elo.interval().is_bounded();
    let games = 2 * counts.pairs();
    let [losses, _, wins] = counts.trinomial();
    [elo, small_sample_normalized_elo(&sample)].map(|Estimate { value, error }| {
        let error = if is_bounded { format!("{error:.2}") } else { "nan".to_owned() };
        match games {
            0 => "nan +/- nan".to_owned(),
            games if wins == games => format!("inf +/- {error}"),
            games if losses == games => format!("-inf +/- {error}"),
            _ => format!("{value:.2} +/- {error}"),
        }
    })
}

fn ratio_of(counts: &PairCounts, hypotheses: &Hypotheses) -> f64 {
    hypotheses.log_likelihood_ratio(&counts.sample(), &counts.game_sample())
}

/// How far the ratio is on its way to the bound on its side, negative below 0.
fn percent_of_bound(llr: f64, lower: f64, upper: f64) -> f64 {
    100.0 * if llr < 0.0 { -llr / lower } else { llr / upper }
}

/// A quotient of counts with two places, or what C prints where there is none.
fn ratio(over: u64, under: u64) -> String {
    match (over, under) {
        (0, 0) => "nan".to_owned(),
        (_, 0) => "inf".to_owned(),
        (over, under) => format!("{:.2}", over as f64 / under as f64),
    }
}

/// The settings of both players, as the block of results has them: `8+0.08, 1t, 16MB, book.epd`.
pub fn setting(players: [&Contestant; 2], book: &str) -> String {
    let both = |of: &dyn Fn(&Contestant) -> String| {
        let [first, second] = players.map(of);
        if first == second { first } else { format!("{first} - {second}") }
    };
    let limits = both(&|player| {
        let limits = player.limits;
        limits.clock.map_or_else(|| limits.to_string(), |clock| clock.to_string())
    });
    let threads = both(&|player| format!("{}t", player.threads()));
    let hash = both(&|player| match &player.source {
        Source::Uci(engine) => {
            let hash = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("hash"));
            hash.map_or_else(|| "NULL".to_owned(), |(_, megabytes)| format!("{megabytes}MB"))
        }
        _ => "NULL".to_owned(),
    });
    format!("{limits}, {threads}, {hash}, {book}")
}

#[cfg(test)]
mod tests {
    use matches::game::Fault;
    use statistics::GameOutcome::{self, Draw, Loss, Win};

    use super::*;

    /// The words in braces are those that other programs look for.
    #[test]
    fn reasons_are_those_of_the_runner() {
        let game = |result, termination, faults| GameRecord {
            start: chess::GAME.start(),
            plies: Vec::new(),
            result,
            termination,
            faults,
            audit: None,
            warnings: Vec::new(),
        };
        let won = GameResult::WhiteWins;
        for (result, termination, words) in [
            (won, Termination::Rules(Ending::CHECKMATE), "White mates"),
            (GameResult::BlackWins, Termination::Rules(Ending::CHECKMATE), "Black mates"),
            (GameResult::Draw, Termination::Rules(Ending::REPETITION), "Draw by 3-fold repetition"),
            (GameResult::Draw, Termination::Rules(Ending::FIFTY_MOVES), "Draw by fifty moves rule"),
            (
                GameResult::Draw,
                Termination::Rules(Ending::INSUFFICIENT_MATERIAL),
                "Draw by insufficient mating material",
            ),
            (GameResult::Draw, Termination::Rules(Ending::STALEMATE), "Draw by stalemate"),
            (GameResult::Draw, Termination::DrawAgreed, "Draw by adjudication"),
            (GameResult::Draw, Termination::MaxPlies, "Draw by adjudication"),
            (won, Termination::Resignation, "White wins by adjudication"),
            (won, Termination::Tablebase, "White wins by adjudication"),
        ] {
            assert_eq!(reason(&game(result, termination, Vec::new())), words);
        }
        for (kind, detail, words) in [
            (FaultKind::TimeLoss, "100ms overrun", "Black loses on time (100ms overrun)"),
            (FaultKind::IllegalMove, "a1a1", "Black makes an illegal move: a1a1"),
            (FaultKind::Crash, "SIGSEGV", "Black disconnects"),
            (FaultKind::Hang, "", "Black's connection stalls"),
        ] {
            let fault = vec![(Color::Black, Fault::new(kind, detail))];
            assert_eq!(reason(&game(won, Termination::Forfeit, fault)), words);
        }
    }

    /// The match whose lines were seen: one pair lost, in the two others each player won a game.
    #[test]
    fn the_block_is_as_it_was_seen() {
        let mut counts = PairCounts::default();
        counts.add(Loss, Loss);
        counts.add_times(Win, Loss, 2);
        let hypotheses = Hypotheses { elo0: 0.0, elo1: 5.0, ..Hypotheses::default() };
        let lines =
            block(["a", "b"], "0.299+0.003, 1t, 16MB, kamerton.epd", &counts, Some(&hypotheses));
        assert_eq!(lines[0], "Results of a vs b (0.299+0.003, 1t, 16MB, kamerton.epd):");
        // Elo is our own, with outcomes that were not seen counted a little, and errors that hold
        // for few pairs.
        let is_near = |line: &str, before: &str| {
            let rest = line.strip_prefix(before).and_then(|rest| rest.split_once(" +/- "));
            let found: f64 = rest.expect("an estimate").0.parse().expect("a number");
            (found - -120.41).abs() < 0.5
        };
        assert!(is_near(&lines[1], "Elo: ") && lines[1].contains(", nElo: -"), "{}", lines[1]);
        assert!(lines[2].ends_with(" %, DrawRatio: 66.67 %, PairsRatio: 0.00"), "{}", lines[2]);
        assert_eq!(lines[3], "Games: 6, Wins: 2, Losses: 4, Draws: 0, Points: 2.0 (33.33 %)");
        assert_eq!(lines[4], "Ptnml(0-2): [1, 0, 2, 0, 0], WL/DD Ratio: inf");
        assert_eq!(lines[5], "LLR: -0.04 (-1.2%) (-2.94, 2.94) [0.00, 5.00]");
        let lines = elo(&counts, None);
        assert!(is_near(&lines[0], "Elo difference: "), "{}", lines[0]);
        assert_eq!(lines.len(), 1);
        assert_eq!(elo(&counts, Some(&hypotheses)).len(), 2);
        assert_eq!(completed(&counts, &hypotheses), None);
        counts = PairCounts::default();
        counts.add_times(Draw, Draw, 4);
        let lines = block(["a", "b"], "", &counts, None);
        assert!(lines[2].ends_with("PairsRatio: nan") && lines[4].ends_with("Ratio: 0.00"));
    }

    /// The field's forms where there is no number: Python's `float` and C's `strtod` read them.
    #[test]
    fn an_interval_without_an_end_has_no_error() {
        let of = |outcomes: &[(GameOutcome, GameOutcome, u64)]| {
            let mut counts = PairCounts::default();
            outcomes.iter().for_each(|&(one, other, pairs)| counts.add_times(one, other, pairs));
            estimates(&counts)
        };
        assert_eq!(of(&[(Loss, Loss, 3)]), ["-inf +/- nan"; 2]);
        assert_eq!(of(&[(Win, Win, 500)]), ["inf +/- nan"; 2]);
        assert_eq!(of(&[]), ["nan +/- nan"; 2]);
        // Three pairs may be by any strength.
        let [elo, normalized] = of(&[(Loss, Loss, 2), (Win, Loss, 1)]);
        assert!(elo.starts_with("-2") && elo.ends_with(" +/- nan"), "{elo}");
        assert!(normalized.ends_with(" +/- nan"), "{normalized}");
        // Of many drawn pairs there are two ends.
        let [elo, _] = of(&[(Draw, Draw, 20)]);
        let error: f64 = elo.strip_prefix("0.00 +/- ").and_then(|it| it.parse().ok()).expect("one");
        assert!((5.0..60.0).contains(&error), "{elo}");
    }

    /// Scripts look for these words to know which hypothesis was accepted.
    #[test]
    fn the_end_of_a_test_is_told_as_there() {
        let hypotheses = Hypotheses { elo0: 0.0, elo1: 50.0, ..Hypotheses::default() };
        for (outcomes, which) in [([Win, Draw], "H1"), ([Loss, Draw], "H0")] {
            let mut counts = PairCounts::default();
            counts.add_times(outcomes[0], outcomes[1], 200);
            let line = elo(&counts, Some(&hypotheses)).pop().expect("the test's");
            assert!(line.ends_with(&format!("ubound 2.94 - {which} was accepted")), "{line}");
            let line = format!("SPRT ([0.00, 50.00]) completed - {which} was accepted");
            assert_eq!(completed(&counts, &hypotheses), Some(line));
        }
    }

    #[test]
    fn scores_are_read_between_colon_and_bracket() {
        assert_eq!(score(["a", "b"], [2, 1, 0]), "Score of a vs b: 2 - 1 - 0  [0.667] 3");
        assert_eq!(score(["a", "b"], [0, 0, 0]), "Score of a vs b: 0 - 0 - 0  [0.000] 0");
    }
}
