//! `houseway audit`: the exact EV that a strategy loses.

use super::ways::prepare;
use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::audit::{Subject, examine};
use crate::console::{
    CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json,
};
use crate::run::{Destination, RunFolder, stop_flag_with};
use clap::Args;
use houseway_env::names;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{BankPushes, Game};
use houseway_exact::pai_gow::NamedStrategy;
use std::path::PathBuf;

/// Audit a house way, a trained agent or a strategy table: the EV lost by each rule, and the effects of readings
///
/// Evaluates all deals and writes a report with plots for non-programmers. It also shows the hands with the largest
/// losses, dominated settings, the effect of removing each rule, and the results of fronts and backs.
#[derive(Args)]
pub struct AuditArgs {
    /// Strategy to audit: a house way by name or file, a strategy table, or a trained agent
    way: String,
    /// House way of the opponent, by name or file [default: the same way; trump-plaza for a strategy without rules]
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
        let game = self.game.pai_gow()?;
        let rules = game.rules();
        // Audits assume that a half either beats, ties or loses to the opponent's half. Hands that always push violate
        // this.
        if rules.bank_pushes != BankPushes::None {
            return Err(Failure::usage(
                "an audit cannot distinguish the banker's pushed hands from beaten ones; leave bank-pushes at none, \
                 or see what such rules cost with houseway solve, compare or diff",
            ));
        }
        let (way, opponent) = self.strategies(&game)?;
        let inputs = self.game.files([&*self.way, self.banker.as_deref().unwrap_or_default()]);
        let folder = match &self.out {
            Some(folder) => folder.clone(),
            None => folder_of(way.name(), self.seat).or_usage()?,
        };
        let stop = stop_flag_with("stopping without results (press again to stop immediately)")?;
        let way = prepare(&[way], &game, &stop)?.remove(0);
        let subject = Subject { way, opponent, seat: self.seat, rules, game_readings: self.game_readings };
        let prepared = subject.prepare().or_usage()?;
        let to = Destination::new(&folder, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&prepared.spec()?, &to)?;
        let findings = examine(&prepared, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.output.json { print_json(&findings.json()) } else { print(&findings.text(&folder)) }
    }

    /// Returns the strategy to audit, and the house way of the opponent.
    fn strategies(&self, game: &Game) -> CommandResult<(NamedStrategy, Way)> {
        let way = |strategy: &NamedStrategy| strategy.way().map(|way| way.way().clone());
        let names: Vec<&str> = std::iter::once(&*self.way).chain(self.banker.as_deref()).collect();
        let mut strategies = self.game.strategies(&names, game)?.into_iter();
        let audited = strategies.next().expect("the strategy to audit has a name");
        let opponent = match (strategies.next(), way(&audited)) {
            (Some(opponent), _) => way(&opponent).ok_or_else(|| {
                Failure::usage(format!(
                    "--banker {}: an audit shows which backs and fronts are beaten, against a house way: name one, or \
                     use houseway solve or diff for this opponent",
                    opponent.name()
                ))
            })?,
            (None, Some(same)) => same,
            (None, None) => Way::named(Way::DEFAULT).or_usage()?,
        };
        Ok((audited, opponent))
    }
}

/// Returns the default folder for a strategy.
///
/// # Errors
/// Returns an error if the strategy's name cannot be part of a folder name.
fn folder_of(way: &str, seat: WaySide) -> Result<PathBuf, String> {
    names::check(way).map_err(|error| format!("{error}; or choose a folder with --out"))?;
    Ok(PathBuf::from("results/audit").join(match seat {
        WaySide::Player => way.to_owned(),
        WaySide::Banker => format!("{way}-as-banker"),
    }))
}
