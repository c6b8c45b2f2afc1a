//! The command `houseway known-cards` measures the value of knowing cards from other seats.

use crate::analysis::pai_gow::known::{KnownCardsStudy, MAX_CARDS, MAX_HANDS, examine};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, print, print_json};
use crate::run::{Destination, RunFolder, stop_flag};
use clap::Args;
use houseway_env::pai_gow::house_way::Way;
use std::path::PathBuf;

/// Measure how much a player who sets optimally gains from knowing other cards
///
/// Deals random hands and known cards, computes the exact EVs for each deal, and writes the mean gain as JSON and as a
/// report. Every seven known cards correspond to the hand at one other seat. With --exact, the value of a single known
/// card is computed over all hands. Without it, all 46 cards are evaluated for each hand, which takes most of the time.
#[derive(Args)]
pub struct KnownCardsArgs {
    /// The numbers of known cards to evaluate, from 1 to 39
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1, 2, 3, 7, 14, 21, 28, 35, 39])]
    cards: Vec<usize>,
    /// Compute the exact value of each single known card over all hands, which takes minutes
    #[arg(long)]
    exact: bool,
    /// The number of hands to deal
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    hands: usize,
    /// The seed for the deals
    #[arg(long, value_name = "SEED", default_value_t = 20_261_122)]
    seed: u64,
    /// The banker's house way, by name or file
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// The folder to write the results to
    #[arg(long, value_name = "DIR", default_value = "results/known-cards")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl KnownCardsArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        if let Some(cards) = self.cards.iter().find(|cards| !(1..=MAX_CARDS).contains(cards)) {
            return Err(Failure::usage(format!(
                "invalid number of known cards {cards}: must be between 1 and {MAX_CARDS}"
            )));
        }
        if !(2..=MAX_HANDS).contains(&self.hands) {
            return Err(Failure::usage(format!(
                "invalid number of hands {}: must be between 2 and {MAX_HANDS}",
                self.hands
            )));
        }
        let game = self.common.game.pai_gow()?;
        let [way] = self.common.game.ways([&self.banker])?;
        let study = KnownCardsStudy::new(game, way, self.cards, self.hands, self.seed).map_err(Failure::usage)?;
        let study = if self.exact { study.with_exact_card() } else { study };
        let inputs = self.common.game.files([&*self.banker]);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&study.spec()?, &to)?;
        let stop = stop_flag()?;
        let findings = examine(&study, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.common.output.json { print_json(&findings.json()) } else { print(&findings.text(&self.out)) }
    }
}
