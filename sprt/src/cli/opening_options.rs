//! The choice of openings.

use clap::Args;
use matches::GameOption;
use matches::openings::{OpeningOrder, OpeningSettings};
use matches::run::RunPlan;

use super::common_options::OpeningFile;
use super::likeness::Likeness;

/// Which openings are played, and in which order.
#[derive(Args, Clone, Debug)]
pub struct OpeningOptions {
    #[command(flatten)]
    pub file: OpeningFile,
    #[command(flatten)]
    game: GameOption,
    /// Order of the openings; a pair's opening depends on its number, the seed and these options
    /// alone
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = OpeningOrder::Random)]
    opening_order: OpeningOrder,
    /// The first pair plays the opening of this number in that order, 1 to 10^12: two machines with
    /// the same seed and starts 1 and 1001 play different openings
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    opening_start: u64,
    /// Plies of each PGN game that belong to the opening, up to 10000 [default: the whole game]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    opening_plies: Option<u32>,
    /// Play Chess960 even if no opening says so by its castling rights; engines are then told by
    /// UCI_Chess960
    #[arg(long)]
    chess960: bool,
}

impl OpeningOptions {
    /// The openings that these options choose, and their order; as in the rules of an earlier run
    /// where the options are not given.
    pub fn settings<R>(
        &self,
        like: &Likeness<R>,
        theirs: impl Fn(&R) -> OpeningSettings,
    ) -> OpeningSettings {
        let theirs = |plan: &RunPlan<R>| theirs(&plan.rules);
        OpeningSettings {
            game: like.choose("game", self.game.game, |it| theirs(it).game),
            order: like.choose("opening_order", self.opening_order, |it| theirs(it).order),
            start: like.choose("opening_start", self.opening_start, |it| theirs(it).start),
            plies: like.choose("opening_plies", self.opening_plies, |it| theirs(it).plies),
            chess960: like.choose("chess960", self.chess960, |it| theirs(it).chess960),
        }
    }
}
