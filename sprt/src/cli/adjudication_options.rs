//! Options of adjudication.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use matches::playing::{
    AUDIT_ALL, Adjudication, DrawRule, GameSettings, MemorySpan, ResignRule, TablebaseRule,
};
use matches::run::RunPlan;

use super::likeness::Likeness;
use super::statuses::WrongUse;

/// When games end before the rules of chess end them.
#[derive(Args, Clone, Debug)]
pub struct AdjudicationOptions {
    /// Draw after so many moves when both scores were within so many centipawns for so many
    /// moves (each up to 100000); or "never". A move without a score says nothing
    #[arg(long, value_name = "AFTER,MOVES,SCORE", default_value = "34,8,20")]
    draw: Rule<3>,
    /// Loss when both scores said so for so many moves by so many centipawns (each up to 100000);
    /// or "never"
    #[arg(long, value_name = "MOVES,SCORE", default_value = "3,600", value_parser = parse_resign)]
    resign: Rule<2>,
    /// For a loss the loser's own scores suffice: quicker, but an engine that sees ghosts resigns
    /// games that its opponent would not have won (--audit-adjudication tells how many)
    #[arg(long)]
    resign_one_sided: bool,
    /// Plies after which a game is a draw, 1 to 10000
    #[arg(long, value_name = "PLIES", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_plies: u32,
    /// Folders of Syzygy tables, between colons: a game ends when they know its result under the
    /// fifty-move rule. Only tables of wins, draws and losses (.rtbw) are needed
    #[arg(long, value_name = "FOLDER[:FOLDER]", value_parser = parse_folders)]
    syzygy: Option<Folders>,
    /// Most pieces, kings and pawns included, at which the tables are asked, 3 to 7
    #[arg(long, value_name = "N", default_value_t = PIECES_MAX, requires = "syzygy",
          value_parser = clap::value_parser!(u32).range(3..=i64::from(PIECES_MAX)))]
    syzygy_pieces: u32,
    /// Won positions of the tables count as won although the fifty-move rule would save the loser
    #[arg(long, requires = "syzygy")]
    syzygy_ignore_50: bool,
    /// Play this share (0% to 100%) of the adjudicated games on to their real end, and report how
    /// often each rule was wrong and what that does to the Elo; the results that count stay the
    /// adjudicated ones. With --memory pair only second games of pairs are played on
    #[arg(long, value_name = "PERCENT", default_value = "0%", value_parser = parse_share)]
    audit_adjudication: u32,
}

/// Most pieces of any Syzygy table there is.
const PIECES_MAX: u32 = 7;

/// Folders between colons; one type, lest clap take the option for a list.
#[derive(Clone, Debug)]
struct Folders(Vec<PathBuf>);

impl AdjudicationOptions {
    /// How games are played, with this memory; as in the rules of an earlier run where nothing else
    /// is given.
    pub fn settings<R>(
        &self,
        like: &Likeness<R>,
        memory: MemorySpan,
        theirs: impl Fn(&R) -> GameSettings,
    ) -> GameSettings {
        let theirs = |plan: &RunPlan<R>| theirs(&plan.rules);
        let draw = self.draw.0.map(|[after_moves, moves, score]| DrawRule {
            after_moves,
            moves,
            score: score as i32,
        });
        let resign = self.resign.0.map(|[moves, score]| ResignRule {
            moves,
            score: score as i32,
            two_sided: true,
        });
        let tablebase = self.syzygy.as_ref().map(|_| TablebaseRule {
            pieces: self.syzygy_pieces,
            ignore_fifty_moves: self.syzygy_ignore_50,
        });
        let mut resign = like.choose("resign", resign, |it| theirs(it).adjudication.resign);
        if let Some(rule) = resign.as_mut().filter(|_| self.resign_one_sided) {
            rule.two_sided = false;
        }
        let audit = self.audit_adjudication;
        GameSettings {
            adjudication: Adjudication {
                draw: like.choose("draw", draw, |it| theirs(it).adjudication.draw),
                resign,
                tablebase: like.choose("syzygy", tablebase, |it| theirs(it).adjudication.tablebase),
            },
            max_plies: like.choose("max_plies", self.max_plies, |it| theirs(it).max_plies),
            memory,
            audit: like.choose("audit_adjudication", audit, |it| theirs(it).audit),
        }
    }

    /// Refuses options that would do nothing in games that are played so.
    pub fn check_effects<R>(
        &self,
        like: &Likeness<R>,
        settings: &GameSettings,
    ) -> Result<(), WrongUse> {
        let Adjudication { draw, resign, tablebase } = &settings.adjudication;
        let wrong = |reason: &str| Err(WrongUse(reason.to_owned()));
        if like.is_given("resign_one_sided") && resign.is_none() {
            return wrong(
                "--resign-one-sided says whose scores make a loss, and --resign never makes none: \
                 leave one of them out",
            );
        }
        let is_usual = settings.max_plies == GameSettings::default().max_plies;
        let ends_games = draw.is_some() || resign.is_some() || tablebase.is_some() || !is_usual;
        if like.is_given("audit_adjudication") && settings.audit > 0 && !ends_games {
            return wrong(
                "--audit-adjudication plays on what was adjudicated, and no rule ends games before \
                 their end: leave it out, or give --draw, --resign, --syzygy or --max-plies",
            );
        }
        Ok(())
    }

    /// Folders of endgame tables.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.syzygy.as_ref().map_or_else(Vec::new, |folders| folders.0.clone())
    }
}

fn parse_folders(text: &str) -> Result<Folders, String> {
    let folders: Vec<PathBuf> =
        text.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from).collect();
    if folders.is_empty() { Err("no folder".to_owned()) } else { Ok(Folders(folders)) }
}

/// Reads `5%` or `0.25%` into units of 1 / [`AUDIT_ALL`].
fn parse_share(text: &str) -> Result<u32, String> {
    let percent: Option<f64> = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
    match percent {
        Some(percent) if (0.0..=100.0).contains(&percent) => {
            Ok((percent / 100.0 * f64::from(AUDIT_ALL)).round() as u32)
        }
        _ => Err("a percentage from 0% to 100%, as in 5%".to_owned()),
    }
}

/// `N` numbers between commas, or "never".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rule<const N: usize>(Option<[u32; N]>);

impl<const N: usize> FromStr for Rule<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule<N>, String> {
        if text == "never" {
            return Ok(Rule(None));
        }
        let numbers: Option<Vec<u32>> = text
            .split(',')
            .map(|word| word.trim().parse().ok().filter(|&number| number <= 100_000))
            .collect();
        let numbers = numbers.and_then(|numbers| <[u32; N]>::try_from(numbers).ok());
        let numbers = numbers.ok_or_else(|| {
            format!("{N} whole numbers up to 100000 between commas, or \"never\"")
        })?;
        // Every rule ends with moves and a score.
        if numbers[N - 2] == 0 {
            return Err("at least one move must say so".to_owned());
        }
        Ok(Rule(Some(numbers)))
    }
}

fn parse_resign(text: &str) -> Result<Rule<2>, String> {
    let rule: Rule<2> = text.parse()?;
    match rule.0 {
        Some([_, 0]) => Err("a score of 0 would end every game".to_owned()),
        _ => Ok(rule),
    }
}
