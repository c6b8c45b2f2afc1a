//! `houseway audit`: the exact EV that a strategy loses, by rule and by kind of hand, dominated settings, and what
//! readings change.

mod answer;

use super::runner::{
    AskedWays, WayConfig, keys_of, other_readings, prepare, rules_of, run, sides, spec, with_progress,
};
use crate::analysis::pai_gow::diff::{add_example, example_cells};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions};
use crate::run::{Destination, RunKind};
use clap::Args;
use houseway_env::names;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{BankPushes, Game, Rules};
use houseway_env::rank::{Category, FiveStrength, TwoStrength};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::audit::{
    Alternatives, AuditCounts, ChangeCounts, EvLoss, GroupOfRule, HalfCounts, Prices, audit, ev_of,
};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Cancelled, Pass, Payoff, Side};
use houseway_exact::pai_gow::{BankerTable, NamedStrategy, Tabulated};
use houseway_exact::solver::{WayAnswer, WayQuestion};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The maximum number of groups listed. `tables/classes.csv` has all of them.
const LISTED: usize = 50;

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
    /// The folder to write the report to [default: runs/audit/NAME, or runs/audit-GAME/NAME for other games
    /// than pai-gow-poker; NAME-as-banker with --as banker]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl AuditArgs {
    pub fn run(self) -> CommandResult {
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
        let [way] = prepare(&[way], &game, &stop)?;
        let opponent = HouseWay::shared(opponent, &game).map_err(Failure::usage)?;
        let question = Question { game, way, opponent, side: self.side, game_readings: self.game_readings };
        let inputs = self.common.game.files([&*self.way, self.banker.as_deref().unwrap_or_default()]);
        let to = Destination::new(&folder, &inputs, self.force.force);
        run(&spec(RunKind::Audit, &question, question.game.rules().hash())?, &to, &self.common.output, |_| {
            let findings = question.count(&stop)?;
            Ok(WayAnswer { answer: findings.answer(), files: vec![], tables: findings.tables() })
        })
    }

    fn folder(&self, way: &str) -> CommandResult<PathBuf> {
        if let Some(folder) = &self.out {
            return Ok(folder.clone());
        }
        names::check(way).map_err(|error| Failure::usage(format!("{error}; use --out to choose a folder")))?;
        Ok(self.common.game.folder("audit").join(match self.side {
            Side::Player => way.to_owned(),
            Side::Banker => format!("{way}-as-banker"),
        }))
    }

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

#[derive(Serialize)]
struct Question {
    #[serde(rename = "seat")]
    side: Side,
    #[serde(flatten, serialize_with = "way_keys")]
    way: Tabulated,
    #[serde(flatten, serialize_with = "opponent_keys")]
    opponent: Arc<HouseWay>,
    game_readings: bool,
    #[serde(rename = "rules", serialize_with = "rules_of")]
    game: Game,
}

fn way_keys<S: Serializer>(way: &Tabulated, serializer: S) -> Result<S::Ok, S::Error> {
    keys_of("way", way.into(), serializer)
}

fn opponent_keys<S: Serializer>(opponent: &Arc<HouseWay>, serializer: S) -> Result<S::Ok, S::Error> {
    keys_of("opponent", (&**opponent).into(), serializer)
}

struct RuleFinding {
    name: String,
    text: String,
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
    fn payoff(&self) -> Payoff {
        BankedBy::House.payoff_of(self.side, &self.game.rules())
    }

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
        let count = |alternatives: Option<&Alternatives<'_>>| {
            with_progress("counting", stop, |run| audit(&whole, self.way.play(), alternatives, payoff, run))
        };
        let mut findings = match self.way.way() {
            Some(way) => {
                let prices = Prices::new(way, &self.game);
                self.priced(way, &prices, count(Some(&prices.alternatives))?)
            }
            None => Findings { question: self, counts: count(None)?, rules: vec![], readings: vec![] },
        };
        if self.game_readings {
            let ev = findings.ev();
            for (name, option, rules) in other_readings(&self.game.rules()) {
                let other = self.ev_under(rules, &format!("{name}={option}"), stop)?;
                findings.readings.push(ReadingPrice {
                    is_of_game: true,
                    name: name.to_owned(),
                    option: option.to_owned(),
                    price: other.map(|other| (other - ev, None)),
                });
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

    /// Returns the way's EV under other rules, or an explanation if they don't allow a way.
    fn ev_under(&self, rules: Rules, label: &str, stop: &AtomicBool) -> Result<Result<Ratio, String>, Cancelled> {
        let other = match self.under(rules) {
            Ok(other) => other,
            Err(reason) => return Ok(Err(reason.to_string())),
        };
        let whole = Pass::new(&other.game, other.side, &BankerTable::shared(&other.opponent));
        let totals = with_progress(label, stop, |run| whole.totals(&[other.way.play()], run))?;
        Ok(Ok(totals[0].ev(other.payoff())))
    }
}

impl Findings<'_> {
    fn ev(&self) -> Ratio {
        self.counts.way.ev(self.question.payoff())
    }

    fn optimal_ev(&self) -> Ratio {
        self.counts.best.ev(self.question.payoff())
    }

    fn regret(&self) -> Ratio {
        self.optimal_ev() - self.ev()
    }

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

    pub(super) fn json(&self) -> Value {
        let (counts, total) = (&self.counts, self.counts.total());
        let way = WayConfig::from(&self.question.way);
        let opponent = WayConfig::from(&*self.question.opponent);
        let [player, banker] = match self.question.side {
            Side::Player => [&way, &opponent],
            Side::Banker => [&opponent, &way],
        };
        let categories = self.backs_by_category();
        let backs = categories.iter().map(|(category, counts)| (category.name().to_owned(), counts));
        let mut json = json!({
            "way": way.name,
            "as": self.question.side.name(),
            "player": player.name,
            "banker": banker.name,
            "player_hash": player.hash,
            "banker_hash": banker.hash,
            "player_readings": player.readings,
            "banker_readings": banker.readings,
            "rules_hash": self.question.game.rules().hash(),
            "hands": counts.hands.to_string(),
            "uncovered": "0",
            "fouls": "0",
            "deals": counts.way.all().to_string(),
            "ev": self.ev().value(),
            "ev_exact": self.ev().to_json(),
            "optimal_ev": self.optimal_ev().value(),
            "optimal_ev_exact": self.optimal_ev().to_json(),
            "regret": self.regret().value(),
            "regret_exact": self.regret().to_json(),
            "suboptimal_hands": total.suboptimal.to_string(),
            "dominated": total.dominated.to_string(),
            "rules": self.rules.iter().map(|rule| self.rule_json(rule)).collect::<Vec<_>>(),
            "classes": self.costliest().take(LISTED).map(|group| self.class_json(group)).collect::<Vec<_>>(),
            "dominated_classes": self.dominated().take(LISTED).map(|group| self.dominated_json(group)).collect::<Vec<_>>(),
            "readings": self.readings_json(),
            "fronts": records(&self.fronts_rows()),
            "backs": records(&half_rows("back", backs)),
        });
        json.as_object_mut().expect("an object").extend(counts.way.json());
        json
    }

    fn rule_json(&self, rule: &RuleFinding) -> Value {
        let without = rule.without.map(|change| change.json(self.ev_of(change.gain)));
        let mut json = rule.loss.rule_json(self.counts.hands, self.ev_of(rule.loss.lost), without);
        json["name"] = rule.name.clone().into();
        json["text"] = rule.text.clone().into();
        json
    }

    fn class_json(&self, (group, loss): &(GroupOfRule, EvLoss)) -> Value {
        let mut json = self.group_json(group, loss);
        json["ev_lost"] = self.ev_of(loss.lost).value().into();
        loss.worst.iter().for_each(|sample| add_example(&mut json, sample, ["plays", "best"]));
        json
    }

    fn dominated_json(&self, (group, loss): &(GroupOfRule, EvLoss)) -> Value {
        let mut json = self.group_json(group, loss);
        json["dominated"] = loss.dominated.to_string().into();
        loss.worst_dominated.iter().for_each(|sample| add_example(&mut json, sample, ["plays", "better"]));
        json
    }

    fn group_json(&self, group: &GroupOfRule, loss: &EvLoss) -> Value {
        json!({
            "class": group.group.to_string(),
            "rule": self.rule_of(group),
            "hands": loss.hands.to_string(),
            "suboptimal_hands": loss.suboptimal.to_string(),
        })
    }

    fn readings_json(&self) -> Vec<Value> {
        let chosen = self.question.way.readings();
        let mut readings = Vec::new();
        for reading in &self.readings {
            let mut json = match &reading.price {
                Ok((_, Some(change))) => change.json(self.ev_of(change.gain)),
                Ok((change, None)) => json!({ "ev_change": change.value(), "ev_change_exact": change.to_json() }),
                Err(reason) => json!({ "ev_change": null, "reason": reason }),
            };
            json["of"] = if reading.is_of_game { "game" } else { "house-way" }.into();
            json["name"] = reading.name.clone().into();
            json["option"] = reading.option.clone().into();
            if !reading.is_of_game {
                json["chosen"] = chosen[&reading.name].clone().into();
            }
            readings.push(json);
        }
        readings
    }

    /// Returns the results of the way's backs by category, from the highest to the lowest.
    pub(super) fn backs_by_category(&self) -> Vec<(Category, HalfCounts)> {
        let ranking = self.question.game.ranking();
        let of = |category: Category| {
            let backs = self.counts.backs.iter().enumerate();
            let backs = backs.filter(|(i, _)| ranking.category(FiveStrength::from_index(*i)) == category);
            backs.fold(HalfCounts::default(), |sum, (_, back)| sum.plus(back))
        };
        let all = Category::ALL.into_iter().rev().map(|category| (category, of(category)));
        all.filter(|(_, counts)| counts.hands > 0).collect()
    }

    /// Returns the tables of integers for each group of hands, each front and each back, with their file names.
    pub(super) fn tables(&self) -> Vec<(&'static str, Vec<Vec<String>>)> {
        let ranking = self.question.game.ranking();
        let backs = self.counts.backs.iter().enumerate().rev();
        let backs = backs.map(|(i, counts)| (ranking.describe(FiveStrength::from_index(i)), counts));
        vec![
            ("classes.csv", self.classes_rows()),
            ("fronts.csv", self.fronts_rows()),
            ("backs.csv", half_rows("back", backs)),
        ]
    }

    fn fronts_rows(&self) -> Vec<Vec<String>> {
        let fronts = self.counts.fronts.iter().enumerate().rev();
        half_rows("front", fronts.map(|(i, counts)| (TwoStrength::from_index(i).to_string(), counts)))
    }

    fn classes_rows(&self) -> Vec<Vec<String>> {
        let header = "class,rule,hands,suboptimal_hands,dominated,lost_millionths,ev_lost,example,plays,best";
        let mut rows = vec![header.split(',').map(str::to_owned).collect()];
        for (group, loss) in &self.counts.groups {
            let mut row = vec![
                group.group.to_string(),
                self.rule_of(group).unwrap_or_default().to_owned(),
                loss.hands.to_string(),
                loss.suboptimal.to_string(),
                loss.dominated.to_string(),
                loss.lost.to_string(),
                self.ev_of(loss.lost).value().to_string(),
            ];
            row.extend(loss.worst.as_ref().map(example_cells).unwrap_or_default());
            rows.push(row);
        }
        rows
    }
}

/// Returns how often each half is formed, and the number of deals in which it beats, copies, and loses to the other side's
/// half. Halves that don't occur are left out.
fn half_rows<'a>(half: &str, halves: impl Iterator<Item = (String, &'a HalfCounts)>) -> Vec<Vec<String>> {
    let mut rows = vec![[half, "hands", "beats", "copies", "beaten"].map(str::to_owned).to_vec()];
    for (name, counts) in halves.filter(|(_, counts)| counts.hands > 0) {
        let integers = [counts.hands, counts.beats, counts.copies, counts.beaten()].map(|count| count.to_string());
        rows.push([name].into_iter().chain(integers).collect());
    }
    rows
}

/// Returns the rows of a table as objects. Their keys are in the first row.
fn records(rows: &[Vec<String>]) -> Value {
    let [header, rows @ ..] = rows else { return json!([]) };
    rows.iter().map(|row| header.iter().cloned().zip(row.iter().cloned()).collect::<Value>()).collect()
}
