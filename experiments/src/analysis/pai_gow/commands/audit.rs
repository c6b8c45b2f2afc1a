//! `houseway audit`: where a house way costs money, exactly.

use crate::analysis::pai_gow::Seat;
use crate::analysis::pai_gow::audit::{Subject, examine};
use crate::console::{Failure, GameOptions, OrUsage, Outcome, OutputOptions, ThreadOptions, print, print_json};
use crate::run::stop_flag_with;
use clap::Args;
use houseway_env::pai_gow::BankPushes;
use std::path::PathBuf;

/// Find out where a house way costs money: what each rule loses against the best play, and what readings are worth
///
/// Counts all deals once and writes a report with plots that needs no programmer. Also told: the hands that lose most,
/// settings that are never right, what would be without each rule, and how often fronts and backs are beaten.
#[derive(Args)]
pub struct Audit {
    /// The house way, by name or file
    way: String,
    /// The house way of the other side, by name or file [default: the same way]
    #[arg(long, value_name = "WAY", visible_alias = "against")]
    banker: Option<String>,
    /// The side that the house way sets for; the other side is then named by --banker (or --against) as well
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = Seat::Player)]
    seat: Seat,
    /// Price the readings of the game's own rules too: a pass for each
    #[arg(long)]
    game_readings: bool,
    /// The folder of the report [default: results/audit/NAME, with -as-banker for a banker's]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Audit {
    pub(super) fn run(self) -> Outcome {
        self.threads.start()?;
        let rules = self.game.pai_gow()?.rules();
        // What pushes whatever the player holds is neither beaten nor copied, and an audit knows only these.
        if rules.bank_pushes != BankPushes::None {
            return Err(Failure::usage(
                "an audit does not tell pushed hands of the banker from beaten ones; leave bank-pushes at none, or see what \
                 such rules cost with houseway solve, compare or diff",
            ));
        }
        let [way, opponent] = self.game.ways([&self.way, self.banker.as_ref().unwrap_or(&self.way)])?;
        let folder = self.out.unwrap_or_else(|| folder_of(way.name(), self.seat));
        let subject = Subject { way, opponent, seat: self.seat, rules, game_readings: self.game_readings };
        let prepared = subject.prepare().or_usage()?;
        let stop = stop_flag_with("stopping: nothing is written (once more stops at once)")?;
        let findings = examine(&prepared, &folder, &stop)?.ok_or_else(|| Failure::work("stopped before its end"))?;
        if self.output.json { print_json(&findings.json()) } else { print(&findings.text(&folder)) }
    }
}

fn folder_of(way: &str, seat: Seat) -> PathBuf {
    // The name comes from a file: nothing in it may lead elsewhere.
    let name: String = way.chars().map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    PathBuf::from("results/audit").join(match seat {
        Seat::Player => name,
        Seat::Banker => name + "-as-banker",
    })
}
