//! `sprt calculate`.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use foreign::{WIDTH, shown};
use matches::GameOption;
use matches::pgn::{MatchResults, PairedResults};
use pgn::PgnGame;
use schemars::JsonSchema;
use serde::Serialize;
use statistics::{
    BookBias, ColorCounts, EloEstimate, Estimate, Figures, Hypotheses, PairCounts, RatingSettings,
    Ratings, Sample, Verdict,
};
use system::files::FileError;
use system::tell;

use super::Status;
use super::bounds::{self, count};
use super::design_options::pair_counts;
use super::match_options::HypothesesOptions;
use super::printing::{answer, answer_json};
use super::statuses::WrongUse;

const EXAMPLES: &str = "\
Counts are the candidate's: LD are pairs with a loss and a draw. With all six counts, wins with
losses apart from two draws, draw ratio and book bias are computed as well. The book bias is what an
opening gives to one side, as root mean square in logistic Elo.

From PGN files of any runner (cutechess, fastchess, this one, servers), games are sorted into pairs:
same players, colors reversed, and the same round and opening (FEN or the first eight plies); or
where that finds fewer, the same round of two games; or, where rounds tell nothing, the same
opening. Games without a result are counted and left out, and those without a partner are left out
of the figures of pairs, while rating tables count them; if most games have no partner, none are
taken for pairs. More than two players give a rating table, as --anchor does,
unless --candidate says whose figures against all others are meant. Games whose tags tell of a
withdrawal or the like have no result.

Estimates and LLR are computed as fishtest does. Errors and LOS allow for few pairs (Student's
distribution, half a pair lost and half a pair won added to the variance) and approach fishtest's as
pairs grow; the error of normalized Elo also allows for lopsided matches, where fishtest's is too
small. Below ten pairs none are printed.

Examples:
  sprt calculate --pentanomial 249,1440,2771,1626,284 --elo0 0 --elo1 3
  sprt calculate --trinomial 68526,128429,68965 --model bayes --elo1 2 --json
  sprt calculate --pgn games.pgn --candidate new --model logistic
  sprt calculate --pgn gauntlet.pgn.gz --anchor glaurung=2650 --white-advantage
  zstdcat games.pgn.zst | sprt calculate --pgn -";

/// Arguments of `sprt calculate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[group(
    id = "source",
    required = true,
    multiple = false,
    args = ["pentanomial", "trinomial", "pgn"]
)]
pub struct CalculateArguments {
    /// Pairs by outcome: LL,LD,WL+DD,WD,WW or, with all six apart, LL,LD,WL,DD,WD,WW (each up to
    /// 2^50)
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', num_args = 1, value_parser = count)]
    pentanomial: Vec<u64>,
    /// Single games by outcome: L,D,W (each up to 2^50)
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', num_args = 1, value_parser = count)]
    trinomial: Vec<u64>,
    /// PGN files of a match or tournament, also packed by gzip; - is the standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pgn: Vec<PathBuf>,
    /// Whose figures are meant [default: White of the first game]
    #[arg(long, value_name = "NAME", requires = "pgn",
          conflicts_with_all = ["anchor", "white_advantage"])]
    candidate: Option<String>,
    /// Rating of a player in the rating table (within ±10000); may be given more than once
    #[arg(long, value_name = "NAME=ELO", requires = "pgn", value_parser = bounds::anchor)]
    anchor: Vec<(String, f64)>,
    /// Estimate White's advantage in the rating table
    #[arg(long, requires = "pgn")]
    white_advantage: bool,
    /// Its sides are called by their names in that game.
    #[command(flatten)]
    game: GameOption,
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Counted {
    /// Pairs where there are any, or games.
    sample: Sample,
    /// The same as games, for the draws of BayesElo.
    games: Sample,
    /// Losses, draws, wins; `None` if draws are not told from wins with losses.
    trinomial: Option<[u64; 3]>,
    pentanomial: Option<[u64; 5]>,
    /// Pairs with wins with losses apart from two draws.
    pairs: Option<PairCounts>,
    colors: Option<ColorCounts>,
}

/// Output of `sprt calculate --json` for two players; a rating table is described in
/// ratings.schema.json.
#[derive(JsonSchema, Serialize)]
pub(super) struct Calculation {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Calculation::SCHEMA))]
    schema: &'static str,
    /// Log-likelihood ratio.
    llr: f64,
    /// Its lower bound.
    llr_lower: f64,
    /// Its upper bound.
    llr_upper: f64,
    /// What the test says of the candidate.
    verdict: Verdict,
    /// Whether `elo` and `los` take the stopping rule of a sequential test into account: not where the
    /// ratio is beyond twice its bound, which no test stops at.
    takes_stop_into_account: bool,
    /// Difference of strength in logistic Elo.
    elo: f64,
    /// Lower end of its 95 % interval; -1199.8 or less if it has none.
    elo_lower: f64,
    /// Upper end of its 95 % interval; 1199.8 or more if it has none.
    elo_upper: f64,
    /// Likelihood of superiority, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    los: f64,
    /// Logistic Elo as if the number of pairs had been fixed: too far out after an early stop.
    elo_if_fixed: f64,
    /// Half-width of its 95 % interval.
    #[schemars(range(min = 0))]
    elo_if_fixed_error: f64,
    /// Difference of strength in normalized Elo, as if the number of pairs had been fixed.
    nelo: f64,
    /// Half-width of its 95 % interval.
    #[schemars(range(min = 0))]
    nelo_error: f64,
    /// Share of the points, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    score: f64,
    /// Games lost, drawn and won; `None` if draws are not told from wins with losses.
    trinomial: Option<[u64; 3]>,
    /// Pairs by points: 0, ½, 1, 1½, 2; `None` if only games are known.
    pentanomial: Option<[u64; 5]>,
    /// Pairs with wins and losses apart from two draws, if known.
    pairs: Option<PairCounts>,
    /// Share of drawn games, 0 to 1, if known.
    #[schemars(range(min = 0, max = 1))]
    draw_ratio: Option<f64>,
    /// Pairs won over pairs lost, if any was lost.
    #[schemars(range(min = 0))]
    pair_ratio: Option<f64>,
    /// By how much openings favor a side, if known.
    book_bias: Option<BookBias>,
    /// White's advantage (logistic Elo), if known.
    white_advantage: Option<Estimate>,
    /// Where the counts come from, unless from the command line.
    source: Option<Source>,
    /// How people call the side that moves first.
    #[serde(skip)]
    first: &'static str,
}

/// The PGN that counts come from.
#[derive(JsonSchema, Serialize)]
struct Source {
    /// Whose view the figures take; `None` for a rating table.
    candidate: Option<String>,
    /// Names of all players, in the order of the table.
    players: Vec<String>,
    /// Games with a result.
    finished_games: u64,
    /// How games were found to be pairs: by "round and opening", "round" or "opening"; or "nothing"
    /// if most have no partner.
    paired_by: &'static str,
    /// Finished games without a partner.
    single_games: u64,
    /// Games without a result, left out.
    unfinished_games: u64,
    /// Games without both names, left out.
    nameless_games: u64,
    /// Games that equal an earlier one in players, start and moves; they are counted.
    identical_games: u64,
}

/// Output of `sprt calculate --json` for a tournament.
#[derive(JsonSchema, Serialize)]
pub(super) struct Tournament {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Tournament::SCHEMA))]
    schema: &'static str,
    #[serde(flatten)]
    ratings: Ratings,
    /// Where the results come from.
    source: Source,
    /// How people call the side that moves first.
    #[serde(skip)]
    first: &'static str,
}

impl CalculateArguments {
    pub fn execute(self) -> Result<Status> {
        let hypotheses = self.hypotheses.hypotheses();
        hypotheses.validate().map_err(|error| WrongUse(error.to_string()))?;
        let [first, _] = self.game.game.color_names();
        if self.pgn.is_empty() {
            let counted = self.counted(&hypotheses)?;
            return self.print(&Calculation::new(&counted, &hypotheses, None, first));
        }
        let results = self.read_results()?;
        let paired = results.pair_up();
        let players = results.players();
        let candidate = match &self.candidate {
            Some(name) => {
                let index = players.iter().position(|player| player == name);
                Some(index.ok_or_else(|| {
                    let names = players.join("\", \"");
                    WrongUse(format!("--candidate {name:?} did not play; \"{names}\" did"))
                })?)
            }
            None => {
                let wants_ratings = !self.anchor.is_empty() || self.white_advantage;
                (players.len() == 2 && !wants_ratings).then_some(0)
            }
        };
        let source = Source {
            candidate: candidate.map(|index| players[index].clone()),
            players: players.to_vec(),
            finished_games: results.finished(),
            paired_by: paired.pairing.as_str(),
            single_games: paired.single,
            unfinished_games: results.unfinished,
            nameless_games: results.nameless,
            identical_games: results.identical,
        };
        if results.identical > 0 {
            tell(format_args!(
                "warning: {}: they prove nothing new, but are counted",
                source.copies()
            ));
        }
        match candidate {
            Some(candidate) => {
                let counted = Counted::of_player(&paired, candidate);
                self.print(&Calculation::new(&counted, &hypotheses, Some(source), first))
            }
            None => {
                let settings = RatingSettings {
                    anchors: self.anchor.clone(),
                    white_advantage: self.white_advantage,
                };
                let ratings = paired.table.rate(&settings);
                let ratings = ratings.map_err(|error| WrongUse(error.to_string()))?;
                self.print(&Tournament { schema: Tournament::SCHEMA, ratings, source, first })
            }
        }
    }

    fn print(&self, result: &(impl Serialize + fmt::Display)) -> Result<Status> {
        if self.json {
            answer_json(result)?;
        } else {
            answer(result)?;
        }
        Ok(Status::Success)
    }

    fn read_results(&self) -> Result<MatchResults> {
        let mut results = MatchResults::default();
        for path in &self.pgn {
            let file = pgn::open(path).map_err(FileError::at("read", path))?;
            let read = results.read(file);
            read.with_context(|| path.display().to_string())?;
        }
        if results.contradictory > 0 {
            tell(format_args!("{}", PgnGame::contradictions(results.contradictory)));
        }
        if results.finished() == 0 {
            anyhow::bail!(
                "no finished game between two players in the PGN ({} without a result, {} without \
                 two players)",
                results.unfinished,
                results.nameless
            );
        }
        Ok(results)
    }

    /// The counts of the command line.
    fn counted(&self, hypotheses: &Hypotheses) -> Result<Counted, WrongUse> {
        match (self.trinomial.as_slice(), self.pentanomial.as_slice()) {
            (&[losses, draws, wins], []) => Ok(Counted::of_games([losses, draws, wins])),
            ([], counts) => {
                let pairs = pair_counts(counts, hypotheses.model)?;
                let mut counted = Counted::of_pairs(pairs);
                if counts.len() == 5 {
                    counted.trinomial = None;
                    counted.pairs = None;
                }
                Ok(counted)
            }
            (counts, _) => {
                Err(WrongUse(format!("--trinomial needs three counts, not {}", counts.len())))
            }
        }
    }
}

impl Counted {
    fn of_games(trinomial: [u64; 3]) -> Counted {
        let games = Sample::of_games(trinomial);
        Counted {
            sample: games,
            games,
            trinomial: Some(trinomial),
            pentanomial: None,
            pairs: None,
            colors: None,
        }
    }

    fn of_pairs(pairs: PairCounts) -> Counted {
        Counted {
            sample: pairs.sample(),
            games: pairs.game_sample(),
            trinomial: Some(pairs.trinomial()),
            pentanomial: Some(pairs.pentanomial()),
            pairs: Some(pairs),
            colors: None,
        }
    }

    /// The pairs of a player or, where there are none, its games.
    fn of_player(paired: &PairedResults, player: usize) -> Counted {
        let colors = paired.colors_of(player);
        let pairs = colors.pair_counts();
        if pairs.pairs() == 0 {
            return Counted::of_games(paired.table.games_of(player));
        }
        Counted { colors: Some(colors), ..Counted::of_pairs(pairs) }
    }
}

impl Calculation {
    const SCHEMA: &str = "kamerton-calculate/2";

    fn new(
        counted: &Counted,
        hypotheses: &Hypotheses,
        source: Option<Source>,
        first: &'static str,
    ) -> Calculation {
        let bounds = (hypotheses.lower_bound(), hypotheses.upper_bound());
        let ratio = hypotheses.log_likelihood_ratio(&counted.sample, &counted.games);
        let takes_stop_into_account = Self::may_have_stopped(ratio, bounds);
        let bounds = takes_stop_into_account.then_some(bounds);
        let figures = Figures::with_bounds(&counted.sample, &counted.games, hypotheses, bounds);
        let draw_ratio =
            |[losses, draws, wins]: [u64; 3]| draws as f64 / (losses + draws + wins).max(1) as f64;
        let pair_ratio = |[ll, ld, _, wd, ww]: [u64; 5]| {
            (ll + ld > 0).then(|| (wd + ww) as f64 / (ll + ld) as f64)
        };
        Calculation {
            schema: Calculation::SCHEMA,
            llr: figures.log_likelihood_ratio,
            llr_lower: hypotheses.lower_bound(),
            llr_upper: hypotheses.upper_bound(),
            verdict: figures.verdict,
            takes_stop_into_account,
            elo: figures.elo.value,
            elo_lower: figures.elo.lower,
            elo_upper: figures.elo.upper,
            los: figures.likelihood_of_superiority,
            elo_if_fixed: figures.elo_if_fixed.value,
            elo_if_fixed_error: figures.elo_if_fixed.error,
            nelo: figures.normalized_elo.value,
            nelo_error: figures.normalized_elo.error,
            score: counted.sample.mean(),
            trinomial: counted.trinomial,
            pentanomial: counted.pentanomial,
            pairs: counted.pairs,
            draw_ratio: counted.trinomial.map(draw_ratio),
            pair_ratio: counted.pentanomial.and_then(pair_ratio),
            book_bias: counted.pairs.and_then(|pairs| BookBias::of_pairs(&pairs)),
            white_advantage: counted.colors.and_then(|colors| colors.white_advantage()),
            source,
            first,
        }
    }
}

impl Calculation {
    /// True if a test between these bounds may stand where its ratio is. One that stops is beyond its
    /// bound by what a pair, or a batch, adds; a ratio of twice the bound is that of a match which
    /// went on.
    fn may_have_stopped(ratio: f64, (lower, upper): (f64, f64)) -> bool {
        (2.0 * lower..=2.0 * upper).contains(&ratio)
    }

    /// True if there are too few pairs, or games of as many pairs, for estimates.
    fn has_too_few(&self) -> bool {
        let pairs = match (self.pentanomial, self.trinomial) {
            (Some(pairs), _) => pairs.iter().sum(),
            (None, Some(games)) => games.iter().sum::<u64>() / 2,
            (None, None) => 0,
        };
        pairs < PairCounts::LEAST_FOR_ESTIMATES
    }
}

impl fmt::Display for Calculation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{source}")?;
        }
        if let (Some([losses, draws, wins]), Some(ratio)) = (self.trinomial, self.draw_ratio) {
            let games = losses + draws + wins;
            writeln!(
                f,
                "Games       {games}: {wins} won, {draws} drawn, {losses} lost ({:.1} % drawn)",
                100.0 * ratio
            )?;
        }
        if let Some([ll, ld, even, wd, ww]) = self.pentanomial {
            let even = match self.pairs {
                Some(pairs) => format!("WL {}, DD {}", pairs.win_loss, pairs.draw_draw),
                None => format!("WL+DD {even}"),
            };
            let ratio =
                self.pair_ratio.map_or("none lost".to_owned(), |ratio| format!("{ratio:.2}"));
            writeln!(
                f,
                "Pairs       {}: LL {ll}, LD {ld}, {even}, WD {wd}, WW {ww} (won to lost: {ratio})",
                self.pentanomial.iter().flatten().sum::<u64>()
            )?;
        }
        writeln!(
            f,
            "LLR         {:.6} with bounds [{:.6}, {:.6}]: {}",
            self.llr,
            self.llr_lower,
            self.llr_upper,
            match self.verdict {
                Verdict::Accepted => "accepted",
                Verdict::Rejected => "rejected",
                Verdict::Undecided => "undecided",
            }
        )?;
        if self.has_too_few() {
            return writeln!(f, "Elo         {}", PairCounts::TOO_FEW);
        }
        let elo = EloEstimate { value: self.elo, lower: self.elo_lower, upper: self.elo_upper };
        let rule = match self.takes_stop_into_account {
            true => ", if a sequential test stopped here",
            false => ", the number of games being fixed",
        };
        writeln!(f, "Elo         {elo:.3} (95 %{rule})")?;
        if elo.is_bounded() {
            let [elo, nelo] = [self.elo_if_fixed, self.nelo].map(signed);
            if self.takes_stop_into_account {
                writeln!(f, "  if fixed  {elo} ± {:.3}", self.elo_if_fixed_error)?;
            }
            writeln!(f, "Normalized  {nelo} ± {:.3}, the number being fixed", self.nelo_error)?;
        }
        writeln!(f, "LOS         {:.3} %", 100.0 * self.los)?;
        if let Some(BookBias { rms, lower, upper }) = self.book_bias {
            writeln!(f, "Book bias   {rms:.1} [{lower:.1}, {upper:.1}] Elo (root mean square)")?;
        }
        if let Some(white) = self.white_advantage {
            writeln!(f, "{:<12}{} Elo", self.first, white.interval())?;
        }
        Ok(())
    }
}

impl Source {
    /// How many games are copies.
    fn copies(&self) -> String {
        let &Source { identical_games, finished_games, .. } = self;
        format!("{identical_games} of {finished_games} games equal an earlier one move for move")
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(candidate) = &self.candidate {
            let others = self.players.iter().filter(|&player| player != candidate);
            let others: Vec<String> = others.map(|player| shown(player, WIDTH)).collect();
            writeln!(f, "Candidate   {}", shown(candidate, WIDTH))?;
            writeln!(f, "Against     {}", others.join(", "))?;
        }
        let [finished, single] = [self.finished_games, self.single_games];
        writeln!(
            f,
            "PGN         {finished} finished games, {}",
            match (finished - single) / 2 {
                0 => "most without a partner: none taken for pairs".to_owned(),
                pairs => format!("{pairs} pairs by {}, {single} left single", self.paired_by),
            }
        )?;
        if self.unfinished_games + self.nameless_games > 0 {
            writeln!(
                f,
                "  left out  {} without a result, {} without two players",
                self.unfinished_games, self.nameless_games
            )?;
        }
        if self.identical_games > 0 {
            writeln!(f, "  copies    {}", self.copies())?;
        }
        Ok(())
    }
}

impl Tournament {
    const SCHEMA: &str = "kamerton-ratings/1";
}

impl fmt::Display for Tournament {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.source, self.ratings.table(self.first))
    }
}

/// A number with a sign and three places, unless it is rounded to zero.
fn signed(value: f64) -> String {
    let text = format!("{value:+.3}");
    if text[1..] == *"0.000" { text[1..].to_owned() } else { text }
}
