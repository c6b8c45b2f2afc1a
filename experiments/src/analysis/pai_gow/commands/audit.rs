//! `houseway audit`: the exact EV that a house way loses.

use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::audit::{Subject, examine};
use crate::console::{
    CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json,
};
use crate::run::{Destination, RunFolder, stop_flag_with};
use clap::Args;
use houseway_env::names::is_name_character;
use houseway_env::pai_gow::BankPushes;
use std::path::PathBuf;

/// Audit a house way: the EV lost by each rule, and the effects of readings
///
/// Evaluates all deals and writes a report with plots for non-programmers. It also shows the hands with the greatest
/// losses, dominated settings, the effect of removing each rule, and the results of fronts and backs.
#[derive(Args)]
pub struct AuditArgs {
    /// House way to audit, by name or file
    way: String,
    /// House way of the opponent, by name or file [default: the same way]
    #[arg(long, value_name = "WAY", visible_alias = "against")]
    banker: Option<String>,
    /// Side that the house way sets for; the other side's way is given by --banker (or --against)
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = WaySide::Player)]
    seat: WaySide,
    /// Evaluate the readings of the game's own rules as well, in one pass each
    #[arg(long)]
    game_readings: bool,
    /// Folder of the report [default: results/audit/NAME, with -as-banker for a banker's way]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl AuditArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        let rules = self.game.pai_gow()?.rules();
        // Audits assume that every half is beaten, tied or higher; hands that always push do not fit this.
        if rules.bank_pushes != BankPushes::None {
            return Err(Failure::usage(
                "an audit does not tell pushed hands of the banker from beaten ones; leave bank-pushes at none, or see what \
                 such rules cost with houseway solve, compare or diff",
            ));
        }
        let names = [&*self.way, self.banker.as_ref().unwrap_or(&self.way)];
        let [way, opponent] = self.game.ways(names)?;
        let inputs = self.game.files(names);
        let folder = self.out.unwrap_or_else(|| folder_of(way.name(), self.seat));
        let subject = Subject { way, opponent, seat: self.seat, rules, game_readings: self.game_readings };
        let prepared = subject.prepare().or_usage()?;
        let to = Destination::new(&folder, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&prepared.spec()?, &to)?;
        let stop = stop_flag_with("stopping without results (press again to stop immediately)")?;
        let findings = examine(&prepared, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.output.json { print_json(&findings.json()) } else { print(&findings.text(&folder)) }
    }
}

fn folder_of(way: &str, seat: WaySide) -> PathBuf {
    // The name comes from a file: nothing in it may lead elsewhere.
    let name: String = way.chars().map(|c| if is_name_character(c) { c } else { '-' }).collect();
    PathBuf::from("results/audit").join(match seat {
        WaySide::Player => name,
        WaySide::Banker => name + "-as-banker",
    })
}
