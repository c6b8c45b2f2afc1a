//! `houseway ev`: the exact value of every decision with one hand. A file for each game that can answer, a line in [`OFFERS`].

mod asian_stud;
mod pai_gow;
mod ultimate_holdem;

use crate::cli::offers::{self, Offer};
use crate::console::{GameOptions, Outcome, OutputOptions, ThreadOptions};
use clap::Args;

/// What each game answers.
const OFFERS: &[Offer<Ev>] = &[
    Offer { game: "pai-gow-poker", options: &["--way", "--banker"], run: pai_gow::run },
    Offer { game: "ultimate-holdem", options: &["--board", "--trips"], run: ultimate_holdem::run },
    Offer { game: "asian-stud", options: &[], run: asian_stud::run },
];

/// Count the exact value of every decision with a hand
///
/// Pai Gow Poker: all 21 settings against all 53,524,680 banker hands. Ultimate Texas Hold'em: Play against the other
/// decision before the flop (seconds), on it or on the river. Asian Stud: folding and raising five cards.
#[derive(Args)]
pub(super) struct Ev {
    /// The player's cards, like "As Kd Jk 7c 7d 2h 3s", or "Kh 8c" in hold'em
    hand: String,
    /// Pai Gow Poker: the house way to compare with, by name or file [default: trump-plaza]
    #[arg(long)]
    way: Option<String>,
    /// Pai Gow Poker: the house way by which the banker sets, by name or file [default: trump-plaza]
    #[arg(long)]
    banker: Option<String>,
    /// Ultimate Texas Hold'em: the board, three cards or five; none before the flop
    #[arg(long, value_name = "CARDS")]
    board: Option<String>,
    /// Ultimate Texas Hold'em: antes staked on Trips, 0 to 1000; matters if a fold loses them [default: 0]
    #[arg(long, value_name = "ANTES", value_parser = clap::value_parser!(u32).range(..=1000))]
    trips: Option<u32>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Ev {
    pub(super) fn run(self) -> Outcome {
        self.threads.start()?;
        let given = [
            ("--way", self.way.is_some()),
            ("--banker", self.banker.is_some()),
            ("--board", self.board.is_some()),
            ("--trips", self.trips.is_some()),
        ];
        let answer = offers::find("ev", OFFERS, &self.game.game, &given)?;
        answer(&self)
    }
}
