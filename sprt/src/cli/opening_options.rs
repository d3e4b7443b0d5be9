//! Which openings are played: options, and the words that give them again.

use clap::{Args, ValueEnum};

use sprt::openings::{OpeningOrder, OpeningSettings};

/// The order of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderName {
    /// Drawn by the seed, none twice before all were played
    Random,
    /// As in the file
    Sequential,
}

/// Which openings are played, and in which order.
#[derive(Args, Clone, Debug)]
pub struct OpeningOptions {
    /// Order of the openings; a pair's opening depends on its number, the seed and these options
    /// alone
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = OrderName::Random)]
    opening_order: OrderName,
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
    /// Which openings these options choose, and in which order.
    pub fn settings(&self) -> OpeningSettings {
        OpeningSettings {
            order: match self.opening_order {
                OrderName::Random => OpeningOrder::Random,
                OrderName::Sequential => OpeningOrder::Sequential,
            },
            start: self.opening_start,
            plies: self.opening_plies,
            chess960: self.chess960,
        }
    }

    /// The words that give the settings again.
    pub fn words(settings: &OpeningSettings) -> String {
        let order = match settings.order {
            OpeningOrder::Random => "random",
            OpeningOrder::Sequential => "sequential",
        };
        let mut words = format!("--opening-order {order} --opening-start {}", settings.start);
        if let Some(plies) = settings.plies {
            words += &format!(" --opening-plies {plies}");
        }
        if settings.chess960 {
            words += " --chess960";
        }
        words
    }
}
