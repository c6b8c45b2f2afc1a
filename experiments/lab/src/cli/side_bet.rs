//! The command `houseway side-bet`, for every game whose solver has a side bet.

use crate::console::{CommandResult, CommonOptions, Failure};
use crate::report::answer_text;
use crate::run::{STOPPING, stop_flag_with, with_control};
use clap::Args;
use houseway_env::registry;
use houseway_exact::registry::solvers;
use houseway_exact::side_bet::{BetStakes, amount};
use std::collections::BTreeMap;

/// Compute the exact return of a side bet over all hands
#[derive(Args)]
pub struct SideBetArgs {
    /// The name or file of a paytable [default: the game's default paytable]
    paytable: Option<String>,
    /// The amount on the progressive meter, in units of the stake
    #[arg(long, value_name = "AMOUNT")]
    meter: Option<String>,
    /// The number of players at the table, whose hands pay envy bonuses to each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=15))]
    seats: u32,
    /// The player's strategy, for bets that also need the main bet to win
    #[arg(long, value_name = "S")]
    player: Option<String>,
    /// The banker's strategy, for bets that also need the main bet to win
    #[arg(long, value_name = "S")]
    banker: Option<String>,
    #[command(flatten)]
    common: CommonOptions,
}

impl SideBetArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = registry::find(&self.common.game.game).map_err(Failure::usage)?.name;
        let entries = solvers().into_iter().filter_map(|entry| Some((entry, entry.side_bet?)));
        let Some((entry, side_bet)) = entries.clone().find(|(entry, _)| entry.game == game) else {
            let known: Vec<&str> = entries.map(|(entry, _)| entry.game).collect();
            let known = known.join(" or -g ");
            return Err(Failure::usage(format!(
                "houseway side-bet does not support the game '{game}'; use -g {known}"
            )));
        };
        let meter = self.meter.as_deref().map(amount).transpose().map_err(Failure::usage)?;
        let given = [("player", self.player), ("banker", self.banker)];
        let options: BTreeMap<String, String> =
            given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let config = self.common.game.solver_config(options)?;
        // The solver checks the rules and the options.
        entry.solver(&config)?;
        let stop = stop_flag_with(STOPPING)?;
        let found = with_control(&stop, |control| side_bet(self.paytable.as_deref(), &config, control))?;
        let answer = found.answer(entry.game, BetStakes { meter, seats: self.seats });
        self.common.output.print(&answer.json, &answer_text(&answer))
    }
}
