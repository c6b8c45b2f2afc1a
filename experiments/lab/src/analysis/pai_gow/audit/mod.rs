//! `houseway audit`: the exact EV that a strategy loses, by rule and by kind of hand, dominated settings, and what
//! readings change.

mod answer;
mod json;

use super::options::{other_readings, prepare, sides};
use super::progress::with_progress;
use super::runner::{AskedWays, WayConfig, run, save_rows, spec};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions};
use crate::run::{Destination, RESULTS, RunKind, RunSpec};
use clap::Args;
use houseway_env::names;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{BankPushes, Game, Rules};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::audit::{
    AuditCounts, ChangeCounts, EvLoss, GroupOfRule, Prices, audit, audit_table, ev_of,
};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Cancelled, Pass, Payoff, Play, Side};
use houseway_exact::pai_gow::{BankerTable, NamedStrategy, Tabulated};
use houseway_exact::solver::WayQuestion;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    #[arg(long = "as", value_name = "SIDE", default_value = "player", value_parser = sides())]
    side: Side,
    /// Also evaluate the readings of the game's own rules, in one pass each
    #[arg(long)]
    game_readings: bool,
    /// The folder to write the report to [default: runs/audit/NAME, or NAME-as-banker with --as banker]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl AuditArgs {
    pub(super) fn run(self) -> CommandResult {
        if let Some(asked) = AskedWays::of(&self.common.game, BTreeMap::new())? {
            self.common.threads.start()?;
            let question = WayQuestion::Audit {
                way: &self.way,
                side: self.side,
                opponent: self.banker.as_deref(),
                game_readings: self.game_readings,
            };
            let name = Path::new(&self.way).file_stem().unwrap_or_default().to_string_lossy();
            return asked.run(&question, &self.folder(&name)?, self.force.force, &self.common.output);
        }
        let (game, stop) = self.common.start("stopping without results (press again to stop immediately)")?;
        // Audits assume that a half beats, ties or loses to the opponent's half, which isn't true for hands that always
        // push.
        if game.rules().bank_pushes != BankPushes::None {
            return Err(Failure::usage(
                "audits do not support bank-pushes, with which some of the banker's hands push against all others; \
                 use houseway solve, compare or diff instead",
            ));
        }
        let (way, opponent) = self.strategies(&game)?;
        way.check_pure().map_err(Failure::usage)?;
        let folder = self.folder(way.name())?;
        let way = prepare(&[way], &game, &stop)?.remove(0);
        let opponent = HouseWay::shared(opponent, &game).map_err(Failure::usage)?;
        let question = Question { game, way, opponent, side: self.side, game_readings: self.game_readings };
        let inputs = self.common.game.files([&*self.way, self.banker.as_deref().unwrap_or_default()]);
        let to = Destination::new(&folder, &inputs, self.force.force);
        run(&question.spec()?, &to, &self.common.output, |run| {
            let findings = question.count(&stop)?;
            let answer = findings.answer();
            run.write_json(RESULTS, &answer.json)?;
            for (name, rows) in findings.tables() {
                save_rows(run, name, &rows)?;
            }
            Ok(answer)
        })
    }

    /// Returns the folder for the report on a strategy.
    fn folder(&self, way: &str) -> CommandResult<PathBuf> {
        if let Some(folder) = &self.out {
            return Ok(folder.clone());
        }
        names::check(way).map_err(|error| Failure::usage(format!("{error}; use --out to choose a folder")))?;
        Ok(PathBuf::from("runs/audit").join(match self.side {
            Side::Player => way.to_owned(),
            Side::Banker => format!("{way}-as-banker"),
        }))
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

/// A strategy to audit, and its opponent.
struct Question {
    game: Game,
    way: Tabulated,
    opponent: Arc<HouseWay>,
    side: Side,
    /// `true` if the readings of the game's own rules are evaluated as well.
    game_readings: bool,
}

/// The question as stored in `config.toml`.
#[derive(Serialize)]
struct AuditConfig {
    seat: &'static str,
    way: String,
    way_hash: String,
    opponent: String,
    opponent_hash: String,
    game_readings: bool,
    way_readings: BTreeMap<String, String>,
    opponent_readings: BTreeMap<String, String>,
    rules: Rules,
}

/// The results for one rule.
struct RuleFinding {
    name: String,
    text: String,
    /// The losses on the hands that the rule sets.
    loss: EvLoss,
    /// The change if the rule's hands fall through to later rules, or the number of hands that no other rule would set.
    without: Result<ChangeCounts, u64>,
}

/// The effect of switching a reading to an option other than the selected one.
struct ReadingPrice {
    /// `true` for the rules of the game, which change for both sides.
    is_of_game: bool,
    name: String,
    option: String,
    /// The change in EV and, for the way's own readings, in the hands, or the cause if the option makes a way invalid.
    price: Result<(Ratio, Option<ChangeCounts>), String>,
}

/// The results from an audit. EVs are from the audited side's point of view, per unit staked by the player.
struct Findings<'a> {
    question: &'a Question,
    counts: AuditCounts,
    /// The results by rule, in order. Empty for strategies that aren't house ways.
    rules: Vec<RuleFinding>,
    readings: Vec<ReadingPrice>,
}

impl Question {
    fn spec(&self) -> std::io::Result<RunSpec> {
        let (way, opponent) = (WayConfig::from(&self.way), WayConfig::from(&*self.opponent));
        let config = AuditConfig {
            seat: self.side.name(),
            way: way.name,
            way_hash: way.hash,
            opponent: opponent.name,
            opponent_hash: opponent.hash,
            game_readings: self.game_readings,
            way_readings: way.readings,
            opponent_readings: opponent.readings,
            rules: self.game.rules(),
        };
        spec(RunKind::Audit, &config, &self.game.rules())
    }

    fn payoff(&self) -> Payoff {
        BankedBy::House.payoff_of(self.side, &self.game.rules())
    }

    /// Returns the same question under other rules of the game.
    fn under(&self, rules: Rules) -> Result<Question, WayError> {
        let game = Game::new(rules);
        let way = match self.way.way() {
            Some(way) => HouseWay::shared(way.way().clone(), &game)?.into(),
            None => self.way.clone(),
        };
        let opponent = HouseWay::shared(self.opponent.way().clone(), &game)?;
        Ok(Question { game, way, opponent, ..*self })
    }

    fn count(&self, stop: &AtomicBool) -> Result<Findings<'_>, Cancelled> {
        let table = BankerTable::shared(&self.opponent);
        let whole = Pass::new(&self.game, self.side, &table).with_halves();
        let payoff = self.payoff();
        let mut findings = match (self.way.way(), self.way.play()) {
            (Some(way), _) => {
                let prices = Prices::new(way, &self.game);
                let counts = with_progress("counting", stop, |run| audit(&whole, &prices.alternatives, payoff, run))?;
                self.priced(way, &prices, counts)
            }
            (None, Play::Classes(table)) => {
                let counts = with_progress("counting", stop, |run| audit_table(&whole, table, payoff, run))?;
                Findings { question: self, counts, rules: vec![], readings: vec![] }
            }
            _ => unreachable!("other strategies are rejected before the audit"),
        };
        if self.game_readings {
            let ev = findings.ev();
            for (name, option) in other_readings(&self.game.rules()) {
                let setting = format!("{name}={option}");
                let price = self.ev_with(&setting, stop)?.map(|other| (other - ev, None));
                findings.readings.push(ReadingPrice { is_of_game: true, name, option, price });
            }
        }
        Ok(findings)
    }

    /// Returns the findings on a house way, whose rules and readings have prices.
    fn priced(&self, way: &HouseWay, prices: &Prices<'_>, counts: AuditCounts) -> Findings<'_> {
        let change = |alternative: usize| counts.alternatives[alternative];
        let survey = &way.survey().rules;
        let by_rule = survey.iter().zip(counts.by_rule(survey.len())).zip(&prices.rules);
        let rules = by_rule.map(|((rule, loss), price)| RuleFinding {
            name: rule.name.clone(),
            text: rule.text.clone(),
            loss,
            without: price.map(change),
        });
        let readings = prices.readings.iter().map(|(name, option, price)| ReadingPrice {
            is_of_game: false,
            name: name.clone(),
            option: option.clone(),
            price: price.clone().map(|price| (ev_of(change(price).gain, counts.hands), Some(change(price)))),
        });
        let (rules, readings) = (rules.collect(), readings.collect());
        Findings { question: self, rules, readings, counts }
    }

    /// Returns the way's EV with another reading of the game, or an explanation if the reading doesn't allow one.
    fn ev_with(&self, setting: &str, stop: &AtomicBool) -> Result<Result<Ratio, String>, Cancelled> {
        let other = self.game.rules().with(setting).map_err(|error| error.to_string());
        let other = match other.and_then(|rules| self.under(rules).map_err(|error| error.to_string())) {
            Ok(other) => other,
            Err(reason) => return Ok(Err(reason)),
        };
        let whole = Pass::new(&other.game, other.side, &BankerTable::shared(&other.opponent));
        let totals = with_progress(setting, stop, |run| whole.totals(&[other.way.play()], run))?;
        Ok(Ok(totals[0].ev(other.payoff())))
    }
}

impl Findings<'_> {
    fn ev(&self) -> Ratio {
        self.counts.way.ev(self.question.payoff())
    }

    /// Returns the EV of the best response to the same opponent.
    fn optimal_ev(&self) -> Ratio {
        self.counts.best.ev(self.question.payoff())
    }

    /// Returns the total EV that the way loses.
    fn regret(&self) -> Ratio {
        self.optimal_ev() - self.ev()
    }

    /// Converts a sum of gains or losses to an EV.
    fn ev_of(&self, gain: i128) -> Ratio {
        ev_of(gain, self.counts.hands)
    }

    fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns the name of the rule that sets a hand group, or `None` if the strategy has no rules.
    fn rule_of(&self, group: &GroupOfRule) -> Option<&str> {
        self.rules.get(group.rule).map(|rule| rule.name.as_str())
    }

    /// Iterates over the groups with losses, from the largest loss to the smallest.
    fn costliest(&self) -> impl Iterator<Item = &(GroupOfRule, EvLoss)> {
        self.counts.groups.iter().filter(|(_, loss)| loss.lost > 0)
    }

    /// Iterates over the groups with dominated settings, from the most hands to the fewest.
    fn dominated(&self) -> impl Iterator<Item = &(GroupOfRule, EvLoss)> {
        let mut groups: Vec<_> = self.counts.groups.iter().filter(|(_, loss)| loss.dominated > 0).collect();
        groups.sort_by_key(|(_, loss)| Reverse(loss.dominated));
        groups.into_iter()
    }
}
