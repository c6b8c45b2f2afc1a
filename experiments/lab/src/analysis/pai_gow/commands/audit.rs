//! The command `houseway audit` computes the exact EV that a strategy loses.

use super::ways::prepare;
use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::audit::{Subject, examine};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, print, print_json};
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
/// losses, dominated settings, the effect of removing each rule, and the results by front and back.
#[derive(Args)]
pub struct AuditArgs {
    /// The strategy to audit: the name or file of a house way, a strategy table, or a trained agent
    way: String,
    /// The opponent's house way, by name or file [default: the same way; trump-plaza for a strategy without rules]
    #[arg(long, value_name = "WAY", visible_alias = "against")]
    banker: Option<String>,
    /// The side to audit; use --banker (or --against) for the other side's way
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = WaySide::Player)]
    seat: WaySide,
    /// Also evaluate the readings of the game's own rules, in one pass each
    #[arg(long)]
    game_readings: bool,
    /// The folder to write the report to [default: results/audit/NAME, or NAME-as-banker with --as banker]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl AuditArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        let rules = game.rules();
        // Audits assume that a half beats, ties or loses to the opponent's half, which isn't true for hands that always
        // push.
        if rules.bank_pushes != BankPushes::None {
            return Err(Failure::usage(
                "audits do not support bank-pushes, with which some of the banker's hands push against all others; \
                 use houseway solve, compare or diff instead",
            ));
        }
        let (way, opponent) = self.strategies(&game)?;
        way.check_pure().map_err(Failure::usage)?;
        let inputs = self.common.game.files([&*self.way, self.banker.as_deref().unwrap_or_default()]);
        let folder = match &self.out {
            Some(folder) => folder.clone(),
            None => folder_of(way.name(), self.seat).map_err(Failure::usage)?,
        };
        let stop = stop_flag_with("stopping without results (press again to stop immediately)")?;
        let way = prepare(&[way], &game, &stop)?.remove(0);
        let subject = Subject { way, opponent, seat: self.seat, rules, game_readings: self.game_readings };
        let prepared = subject.prepare().map_err(Failure::usage)?;
        let to = Destination::new(&folder, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&prepared.spec()?, &to)?;
        let findings = examine(&prepared, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.common.output.json { print_json(&findings.json()) } else { print(&findings.text(&folder)) }
    }

    /// Returns the strategy to audit, and the opponent's house way.
    fn strategies(&self, game: &Game) -> CommandResult<(NamedStrategy, Way)> {
        let way = |strategy: &NamedStrategy| strategy.way().map(|way| way.way().clone());
        let names: Vec<&str> = std::iter::once(&*self.way).chain(self.banker.as_deref()).collect();
        let mut strategies = self.common.game.strategies(&names, game)?.into_iter();
        let audited = strategies.next().expect("the strategy to audit has a name");
        let opponent = match (strategies.next(), way(&audited)) {
            (Some(opponent), _) => way(&opponent).ok_or_else(|| {
                Failure::usage(format!(
                    "--banker {}: the opponent in an audit must be a house way; use a house way here, or houseway \
                     solve or diff for this opponent",
                    opponent.name()
                ))
            })?,
            (None, Some(same)) => same,
            (None, None) => Way::named(Way::DEFAULT).map_err(Failure::usage)?,
        };
        Ok((audited, opponent))
    }
}

/// Returns the default folder for a strategy.
fn folder_of(way: &str, seat: WaySide) -> Result<PathBuf, String> {
    names::check(way).map_err(|error| format!("{error}; use --out to choose a folder"))?;
    Ok(PathBuf::from("results/audit").join(match seat {
        WaySide::Player => way.to_owned(),
        WaySide::Banker => format!("{way}-as-banker"),
    }))
}
