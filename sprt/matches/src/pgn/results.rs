//! Results of a match from the PGN of any program: who won, and which games are pairs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufRead;

use pgn::{PgnError, RawGame, RawGames};
use playable::Color;
use sha2::{Digest, Sha256};
use statistics::{ColorCounts, Crosstable, GameOutcome};

use crate::game::{GameResult, outcome_for};
use crate::games;

/// Finished games of a match with what tells pairs: players, opening, round.
#[derive(Default, Debug)]
pub struct MatchResults {
    players: Vec<String>,
    indices: HashMap<String, usize>,
    games: Vec<Game>,
    /// Games without a result, those included whose result was awarded: see [`RawGame::result`].
    pub unfinished: u64,
    /// Games that name no player or the same for both sides; they are left out.
    pub nameless: u64,
    /// Finished games that end with another result than their tag says, which counts.
    pub contradictory: u64,
    /// Games that equal an earlier one: the same players with the same colors, the same start and the
    /// same moves. They are counted as all others.
    pub identical: u64,
    /// All that were read, each by 128 bits.
    seen: HashSet<u128>,
}

#[derive(Debug)]
struct Game {
    white: usize,
    black: usize,
    result: GameResult,
    /// The starting position without the clocks; empty for the usual one.
    position: String,
    /// The starting position or, from the usual one, the first moves.
    opening: String,
    /// Round without the number of the game in it.
    round: String,
}

/// The marks that both games of a pair have in common besides the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairing {
    /// Round and opening: the surest mark.
    RoundAndOpening,
    /// The opening, which only the two games of a pair share.
    Opening,
    /// The round, in which the players meet twice.
    Round,
    /// Nothing: most games have no partner, and those that seem to have one have it by chance.
    Nothing,
}

/// The games of a match sorted into pairs.
#[derive(Debug)]
pub struct PairedResults {
    /// The mark by which pairs were found.
    pub pairing: Pairing,
    /// Pairs and single games of all players.
    pub table: Crosstable,
    /// Games without a partner.
    pub single: u64,
    /// Pairs by (first player, second player, colors) from the view of the first, who is the one
    /// that is asked for.
    pairs: Vec<(usize, usize, [GameOutcome; 2])>,
}

impl MatchResults {
    /// Plies that make an opening where no starting position is given.
    const OPENING_PLIES: usize = 8;

    /// Takes in the games of a file.
    ///
    /// # Errors
    /// The file cannot be read or is not PGN.
    pub fn read(&mut self, reader: impl BufRead) -> Result<(), PgnError> {
        for game in RawGames::new(reader) {
            self.add(&game?);
        }
        Ok(())
    }

    /// Takes in a game; one without names or a result is only counted.
    pub fn add(&mut self, game: &RawGame) {
        let name = |tag| game.tag(tag).map(str::trim).filter(|name| !["", "?"].contains(name));
        let (Some(white), Some(black)) = (name("White"), name("Black")) else {
            self.nameless += 1;
            return;
        };
        if white == black {
            self.nameless += 1;
            return;
        }
        let Some(result) = game.result() else {
            self.unfinished += 1;
            return;
        };
        self.contradictory += u64::from(game.contradicts_itself());
        let (white, black) = (self.player(white), self.player(black));
        let round = game.tag("Round").unwrap_or_default().trim();
        let round = round.split_once('.').map_or(round, |(round, _)| round).to_owned();
        let position = position(game);
        if fingerprint(game, [white, black], &position).is_some_and(|it| !self.seen.insert(it)) {
            self.identical += 1;
        }
        let opening = if position.is_empty() { first_moves(game) } else { position.clone() };
        self.games.push(Game { white, black, result, position, opening, round });
    }

    /// The players in the order in which they appear.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Number of finished games.
    pub fn finished(&self) -> u64 {
        self.games.len() as u64
    }

    /// Sorts the games into pairs: same players, colors reversed, and the same round and opening.
    ///
    /// Where fewer games are left alone by the round, because both games leave the book at once, it
    /// is the round; it is the opening only where rounds and openings leave most games alone, as
    /// rounds that number the games do: openings recur, and would join games of different pairs
    /// where one is missing. Where no way finds a partner for most games, none are pairs.
    pub fn pair_up(&self) -> PairedResults {
        let leaves_most = |results: &PairedResults| 2 * results.single > self.finished();
        let mut best = self.pair_up_by(Pairing::RoundAndOpening);
        for (pairing, is_sure) in [(Pairing::Round, true), (Pairing::Opening, false)] {
            if best.single == 0 || !is_sure && !leaves_most(&best) {
                break;
            }
            let other = self.pair_up_by(pairing);
            if other.single < best.single {
                best = other;
            }
        }
        if leaves_most(&best) { self.pair_up_by(Pairing::Nothing) } else { best }
    }

    fn pair_up_by(&self, pairing: Pairing) -> PairedResults {
        // Games of two players that have the same in common, by who has White.
        let mut meetings: BTreeMap<_, [Vec<&Game>; 2]> = BTreeMap::new();
        for game in &self.games {
            let (first, second) = (game.white.min(game.black), game.white.max(game.black));
            let common = match pairing {
                Pairing::RoundAndOpening => (&*game.round, &*game.opening),
                Pairing::Round => (&*game.round, &*game.position),
                Pairing::Opening => ("", &*game.opening),
                Pairing::Nothing => ("", ""),
            };
            let games = meetings.entry((first, second, common)).or_default();
            games[usize::from(game.white != first)].push(game);
        }
        let mut results = PairedResults {
            pairing,
            table: Crosstable::new(self.players.clone()),
            single: 0,
            pairs: Vec::new(),
        };
        for ((first, second, _), [as_white, as_black]) in meetings {
            let found = match pairing {
                Pairing::Nothing => 0,
                // The round is no pair, and nothing else tells its games apart.
                Pairing::Round if as_white.len() + as_black.len() > 2 => 0,
                _ => as_white.len().min(as_black.len()),
            };
            for (white, black) in as_white.iter().zip(&as_black).take(found) {
                let outcomes =
                    [white_outcome(white.result), white_outcome(black.result).reversed()];
                results.table.add_pair(first, second, outcomes);
                results.pairs.push((first, second, outcomes));
            }
            for game in as_white[found..].iter().chain(&as_black[found..]) {
                results.table.add_game(game.white, game.black, white_outcome(game.result));
                results.single += 1;
            }
        }
        results
    }

    fn player(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        self.players.push(name.to_owned());
        self.indices.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }
}

impl PairedResults {
    /// The pairs of a player by color.
    pub fn colors_of(&self, candidate: usize) -> ColorCounts {
        let mut counts = ColorCounts::default();
        for &(first, second, outcomes @ [as_white, as_black]) in &self.pairs {
            if first == candidate {
                counts.add(outcomes[0], outcomes[1]);
            } else if second == candidate {
                // The second is White where the first is Black.
                counts.add(as_black.reversed(), as_white.reversed());
            }
        }
        counts
    }
}

impl Pairing {
    /// For a sentence such as "paired by the opening".
    pub fn as_str(self) -> &'static str {
        match self {
            Pairing::RoundAndOpening => "round and opening",
            Pairing::Opening => "opening",
            Pairing::Round => "round",
            Pairing::Nothing => "nothing",
        }
    }
}

/// The position a game starts from without the clocks; empty if it is not said.
fn position(game: &RawGame) -> String {
    let fen = game.tag("FEN").unwrap_or_default();
    fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// 128 bits of who played what from where; marks behind moves do not count. `None` without a move, as
/// where somebody did not appear.
fn fingerprint(game: &RawGame, players: [usize; 2], position: &str) -> Option<u128> {
    let moves = game.written_moves();
    let mut hash = Sha256::new();
    players.iter().for_each(|&player| hash.update((player as u64).to_le_bytes()));
    match games::usual().position(position) {
        Ok(start) => hash.update(start.key().to_le_bytes()),
        Err(_) => hash.update(position),
    }
    for mv in &moves {
        hash.update(" ");
        hash.update(mv.san.trim_end_matches(['+', '#', '!', '?']));
    }
    let digest = hash.finalize();
    let half = digest[..16].try_into().expect("a half of 32 bytes");
    (!moves.is_empty()).then(|| u128::from_le_bytes(half))
}

fn first_moves(game: &RawGame) -> String {
    // A broken movetext has a result all the same.
    let moves = game.written_moves();
    let first = moves.iter().take(MatchResults::OPENING_PLIES);
    first.map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
}

fn white_outcome(result: GameResult) -> GameOutcome {
    outcome_for(result, Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> MatchResults {
        let mut results = MatchResults::default();
        results.read(text.as_bytes()).expect("PGN");
        results
    }

    fn game(white: &str, black: &str, tags: &str, moves: &str) -> String {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n{tags}\n\n{moves}\n\n")
    }

    #[test]
    fn pairs_are_told_by_position_in_any_order() {
        let fen = |n: u32| format!("[FEN \"{n}k6/8/8/8/8/8/8/K7 w - - 0 {n}\"]");
        let text = [
            game("new", "old", &fen(1), "1. Ka2 1-0"),
            game("old", "new", &fen(2), "1. Ka2 1/2-1/2"),
            // The other game of the second opening, then of the first; one alone, one unfinished.
            game("new", "old", &fen(2), "1. Kb2 0-1"),
            game("old", "new", &fen(1), "1. Kb2 0-1"),
            game("new", "old", &fen(3), "1. Ka2 1-0"),
            game("old", "new", &fen(3), "1. Ka2 *"),
        ];
        let results = read(&text.concat());
        assert_eq!((results.finished(), results.unfinished), (5, 1));
        let paired = results.pair_up();
        assert_eq!((paired.pairing, paired.single), (Pairing::RoundAndOpening, 1));
        let counts = paired.colors_of(0).pair_counts();
        assert_eq!((counts.win_win, counts.loss_draw, counts.pairs()), (1, 1, 2));
        let counts = paired.colors_of(1);
        assert_eq!((counts.pair_counts().loss_loss, counts.pair_counts().win_draw), (1, 1));
        assert_eq!(paired.table.games_of(0), [1, 1, 3]);
        // White won the first game of new as White and lost the other: as the old sees it, it had
        // White in the game that Black won.
        assert_eq!(counts.pairs()[0][2], 1);
    }

    #[test]
    fn a_game_that_comes_again_is_noticed() {
        let fen = |square: &str| format!("[FEN \"4k3/8/8/8/4P3/8/8/4K3 b - {square} 0 1\"]");
        let text = [
            game("a", "b", "[Round \"1\"]", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"),
            game("b", "a", "[Round \"1\"]", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"),
            // The first again, with comments and other marks, and its beginning alone.
            game("a", "b", "[Round \"2\"]", "1. e4 {+0.1/5} e5 2. Qh5! Nc6 3. Bc4 Nf6 4. Qxf7 1-0"),
            game("a", "b", "[Round \"3\"]", "1. e4 e5 1-0"),
            // From other positions, and one from the same but for an en passant square of no use.
            game("a", "b", &fen("-"), "1... Kd7 1/2-1/2"),
            game("a", "b", &fen("e3"), "1... Kd7 1/2-1/2"),
            game("a", "b", &fen("-"), "1... Ke7 1/2-1/2"),
        ];
        let results = read(&text.concat());
        assert_eq!((results.identical, results.finished()), (2, 7));
    }

    #[test]
    fn pairs_are_told_by_moves_or_rounds_where_there_is_no_position() {
        let opening = "1. e4 {+0.3/9} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5.";
        let text = [
            game("a", "b", "[Round \"1\"]", &format!("{opening} O-O 1-0")),
            game("b", "a", "[Round \"2\"]", &format!("{opening} d3 1-0")),
        ];
        let paired = read(&text.concat()).pair_up();
        assert_eq!((paired.pairing, paired.single), (Pairing::Opening, 0));
        assert_eq!(paired.colors_of(0).pair_counts().win_loss, 1);
        let text = [
            game("a", "b", "[Round \"7.1\"]", "1. e4 c5 1-0"),
            game("b", "a", "[Round \"7.2\"]", "1. d4 d5 1-0"),
        ];
        assert_eq!(read(&text.concat()).pair_up().pairing, Pairing::Round);
        // Of two games in a round that start from different positions none is the other's partner.
        let fen = |n: u32| format!("[FEN \"{n}k6/8/8/8/8/8/8/K7 w - - 0 1\"]\n[Round \"1\"]");
        let text = [game("a", "b", &fen(1), "1. Ka2 1-0"), game("b", "a", &fen(2), "1. Ka2 1-0")];
        assert_eq!(read(&text.concat()).pair_up().single, 2);
        let nameless = read("[White \"?\"]\n\n1-0\n\n[White \"a\"]\n[Black \"a\"]\n\n1-0\n");
        assert_eq!((nameless.nameless, nameless.finished()), (2, 0));
        assert_eq!(nameless.pair_up().single, 0);
    }

    #[test]
    fn games_of_different_rounds_are_no_pair_where_rounds_are_pairs() {
        let tags = |round: u32, opening: u32| {
            format!("[Round \"{round}\"]\n[FEN \"{opening}k6/8/8/8/8/8/8/K7 w - - 0 1\"]")
        };
        let both = |round, opening| {
            let tags = tags(round, opening);
            game("a", "b", &tags, "1. Ka2 1-0") + &game("b", "a", &tags, "1. Ka2 1-0")
        };
        // The opening of rounds 3 and 4, each of which lacks a game, is the same.
        let text = [
            both(1, 1),
            both(2, 2),
            game("a", "b", &tags(3, 3), "1. Ka2 1-0"),
            game("b", "a", &tags(4, 3), "1. Ka2 0-1"),
        ];
        let paired = read(&text.concat()).pair_up();
        assert_eq!((paired.pairing, paired.single), (Pairing::RoundAndOpening, 2));
        assert_eq!(paired.colors_of(0).pair_counts().pairs(), 2);
        // Rounds that number the games leave the opening.
        let text = [
            game("a", "b", &tags(1, 1), "1. Ka2 1-0"),
            game("b", "a", &tags(2, 1), "1. Ka2 1-0"),
            game("a", "b", &tags(3, 2), "1. Ka2 1-0"),
        ];
        let paired = read(&text.concat()).pair_up();
        assert_eq!((paired.pairing, paired.single), (Pairing::Opening, 1));
    }

    #[test]
    fn games_without_partners_stay_single() {
        let tags = |round| format!("[Round \"{round}\"]");
        // By their first moves two of five are a pair, but that is chance.
        let text = [
            game("a", "b", &tags(1), "1. e4 1-0"),
            game("b", "a", &tags(2), "1. e4 1-0"),
            game("a", "b", &tags(3), "1. d4 1-0"),
            game("a", "b", &tags(4), "1. c4 0-1"),
            game("a", "b", &tags(5), "1. b4 1/2-1/2"),
        ];
        let paired = read(&text.concat()).pair_up();
        assert_eq!((paired.pairing, paired.single), (Pairing::Nothing, 5));
        assert_eq!(paired.colors_of(0).pair_counts().pairs(), 0);
        assert_eq!(paired.table.games_of(0), [2, 1, 2]);
        // Nor is a round in which two players meet more than twice.
        let text = ["1. e4 1-0", "1. d4 1-0", "1. c4 0-1", "1. b4 1-0"].map(|moves| {
            let (white, black) = if moves.starts_with("1. c") { ("b", "a") } else { ("a", "b") };
            game(white, black, &tags(1), moves)
        });
        assert_eq!(read(&text.concat()).pair_up().pairing, Pairing::Nothing);
    }
}
