//! `houseway ev`: the exact value of every decision with one hand. A file for each game that can answer, a line in [`OFFERS`].

mod pai_gow;

use super::{GameOptions, Offer, Outcome, OutputOptions, ThreadOptions, offers};
use clap::Args;

/// What each game answers.
const OFFERS: &[Offer<Ev>] = &[Offer { game: "pai-gow-poker", options: &["--way", "--banker"], run: pai_gow::run }];

/// Count the exact value of every decision with a hand
///
/// Pai Gow Poker: all 21 settings against all 53,524,680 banker hands.
#[derive(Args)]
pub(super) struct Ev {
    /// The player's cards, like "As Kd Jk 7c 7d 2h 3s"
    hand: String,
    /// Pai Gow Poker: the house way to compare with, by name or file [default: trump-plaza]
    #[arg(long)]
    way: Option<String>,
    /// Pai Gow Poker: the house way by which the banker sets, by name or file [default: trump-plaza]
    #[arg(long)]
    banker: Option<String>,
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
        let given = [("--way", self.way.is_some()), ("--banker", self.banker.is_some())];
        let answer = offers::find("ev", OFFERS, &self.game.game, &given)?;
        answer(&self)
    }
}
