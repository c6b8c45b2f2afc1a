//! `houseway equilibrium`, which computes optimal play against optimal play.
//!
//! `--json` prints a single document, which is also the run's `results.json`. EVs are the player's, per unit staked.
//! Each EV also has a key with the suffix `_exact` and the form `{"numerator", "denominator", "value"}`.
//!
//! | key | contents |
//! |---|---|
//! | `rules_hash` | the hash of the game rules |
//! | `rounds`, `method` | the number of rounds, and the method's parameters `fictitious_rounds` and `warm_regret` |
//! | `lower` | the EV of the player's strategy against the best response, which is a lower bound for the value of the
//! game |
//! | `upper` | the EV of the best response to the banker's strategy, which is an upper bound for the value of the game
//! |
//! | `width` | the distance between the bounds, which is also the sum of both exploitabilities (NashConv) |
//! | `ev` | the EV if both sides play their strategies |
//! | `player_exploitability`, `banker_exploitability` | how much a best response gains against the side's strategy,
//! compared with `ev` |
//! | `profile_lower`, `profile_upper` | the same bounds for best responses that only see profiles |
//! | `strategies` | the player's and the banker's strategy, each with a `name`, a `file` in the run's folder (a pure
//! table that plays each setting equally often), `mixing_profiles` and `mixing_hands` (the number of profiles and the
//! fraction of hands with more than one setting), and `minority_hands` (the fraction of hands that aren't set in their
//! profile's most frequent way) |
//! | `by_round` | the `lower` and `upper` bound for the averages after each round, for best responses that only see
//! profiles (floats) |

use crate::analysis::pai_gow::equilibrium::{Question, continues, examine};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, print, print_json};
use crate::run::{Destination, RunFolder, stop_flag_with};
use clap::Args;
use houseway_exact::equilibrium::Method;
use std::path::PathBuf;

/// Compute an equilibrium between player and banker if both set freely, with exact bounds for its value
///
/// Computes a mixed strategy for each side in rounds, each of which evaluates all deals twice. The bounds are exact
/// because they come from best responses over all hands. An interrupted run is resumed after its last finished round.
/// To extend a finished run, use a larger --rounds together with --force. The house banks, since there is no single
/// value if a banking player also pays the commission.
#[derive(Args)]
pub struct EquilibriumArgs {
    /// The number of rounds to play; more rounds bring the bounds closer together
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// The folder to write the report and the strategies to
    #[arg(long, value_name = "DIR", default_value = "results/equilibrium")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl EquilibriumArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let question = Question { game: self.common.game.pai_gow()?, rounds: self.rounds, method: Method::default() };
        let stop = stop_flag_with("stopping: finished rounds are kept (press again to stop immediately)")?;
        let inputs = self.common.game.files(vec![]);
        let continues = |folder: &std::path::Path| continues(&question, folder);
        let to = Destination { continues: &continues, ..Destination::new(&self.out, &inputs, self.force.force) };
        let (run, _) = RunFolder::start(&question.spec()?, &to)?;
        let stopped = || Failure::work("stopped; run the same command again to resume after the last finished round");
        let findings = examine(&question, run, &stop)?.ok_or_else(stopped)?;
        if self.common.output.json { print_json(&findings.json()) } else { print(&findings.text(&self.out)) }
    }
}
