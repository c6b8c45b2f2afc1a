//! Results of an audit.

use super::subject::{PreparedAudit, Subject};
use crate::analysis::pai_gow::seat::WaySide;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rank::{Category, FiveStrength};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::audit::{AuditCounts, ChangeCounts, EvLoss, GroupOfRule, HalfCounts, Prices, ev_of};
use houseway_exact::pai_gow::matchup::Given;
use std::collections::BTreeMap;

/// Effect of removing a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulePrice {
    /// Change if its hands fall through to later rules.
    Without(ChangeCounts),
    /// Number of hands that no other rule would set.
    Needed(u64),
}

/// Results of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// Name of the rule.
    pub name: String,
    /// Wording of the rule.
    pub text: String,
    /// Losses on the rule's hands.
    pub loss: EvLoss,
    /// Effect of removing the rule.
    pub price: RulePrice,
}

/// Effect of another option of one of the way's readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingPrice {
    /// Name of the reading.
    pub name: String,
    /// Option other than the selected one.
    pub option: String,
    /// Change in EV, or the reason why the way is invalid under the option.
    pub price: Result<ChangeCounts, String>,
}

/// Effect of another option of one of the game's readings, applied to both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReading {
    /// Name of the reading.
    pub name: String,
    /// Option.
    pub option: String,
    /// Change in EV, or the reason why the ways are invalid under the option.
    pub price: Result<Ratio, String>,
}

/// Strategy as described in the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WayDescription {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) hash: String,
    pub(super) readings: BTreeMap<String, String>,
}

/// Results of an audit. EVs are from the audited side's perspective, per unit staked by the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFindings {
    pub(super) way: WayDescription,
    pub(super) opponent: WayDescription,
    pub(super) seat: WaySide,
    pub(super) rules_of_game: Rules,
    /// Descriptions of the way's readings.
    pub(super) reading_texts: BTreeMap<String, String>,
    /// Exact counts.
    pub counts: AuditCounts,
    /// Results by rule, in order. Empty for strategies that are not house ways.
    pub rules: Vec<RuleFinding>,
    /// Options of the way's readings other than the selected ones.
    pub readings: Vec<ReadingPrice>,
    /// Options of the game's readings other than the selected ones, if requested.
    pub game_readings: Vec<GameReading>,
    /// Names of the back categories.
    pub(super) back_names: Vec<(Category, String)>,
}

impl AuditFindings {
    /// Creates the results for a house way.
    pub(super) fn of_way(
        prepared: &PreparedAudit,
        way: &HouseWay,
        prices: &Prices<'_>,
        counts: AuditCounts,
    ) -> AuditFindings {
        let names = way.survey().rules.iter().zip(counts.by_rule(way.survey().rules.len())).zip(&prices.rules);
        let price = |number: &Result<usize, u64>| match number {
            Ok(number) => RulePrice::Without(counts.alternatives[*number]),
            Err(hands) => RulePrice::Needed(*hands),
        };
        let rules = names.map(|((rule, loss), number)| RuleFinding {
            name: rule.name.clone(),
            text: rule.text.clone(),
            loss,
            price: price(number),
        });
        let readings = prices.readings.iter().map(|(name, option, number)| ReadingPrice {
            name: name.clone(),
            option: option.clone(),
            price: number.clone().map(|number| counts.alternatives[number]),
        });
        let (rules, readings) = (rules.collect(), readings.collect());
        let reading_texts = way.way().readings().iter().map(|it| (it.name.clone(), it.text.clone())).collect();
        AuditFindings { reading_texts, rules, readings, ..AuditFindings::without_rules(prepared, counts) }
    }

    /// Creates the results for a strategy without rules.
    pub(super) fn without_rules(prepared: &PreparedAudit, counts: AuditCounts) -> AuditFindings {
        let PreparedAudit { subject: Subject { seat, rules, .. }, way, opponent, game } = prepared;
        let [way, opponent] = [way.given(), opponent.into()].map(|strategy: Given<'_>| WayDescription {
            name: strategy.name().to_owned(),
            title: strategy.title().to_owned(),
            source: strategy.way().map_or(String::new(), |way| way.way().source().to_owned()),
            hash: strategy.hash(),
            readings: strategy.readings(),
        });
        AuditFindings {
            way,
            opponent,
            seat: *seat,
            rules_of_game: *rules,
            reading_texts: BTreeMap::new(),
            rules: Vec::new(),
            readings: Vec::new(),
            game_readings: Vec::new(),
            back_names: back_names(game, counts.backs.len()),
            counts,
        }
    }

    /// Returns `true` if the strategy is a house way.
    pub(super) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns the name of the rule that sets a group of hands, if the strategy has rules.
    pub(super) fn rule_of(&self, group: &GroupOfRule) -> Option<&str> {
        self.rules.get(group.rule).map(|rule| rule.name.as_str())
    }

    /// Returns the EV of the way.
    pub fn ev(&self) -> Ratio {
        self.counts.way.ev(self.seat.payoff(&self.rules_of_game))
    }

    /// Returns the EV of the best response to the same opponent.
    pub fn optimal_ev(&self) -> Ratio {
        self.counts.best.ev(self.seat.payoff(&self.rules_of_game))
    }

    /// Returns the total EV lost by the way.
    pub fn regret(&self) -> Ratio {
        self.optimal_ev() - self.ev()
    }

    /// Converts a sum of gains or losses to an EV.
    pub fn ev_of(&self, gain: i128) -> Ratio {
        ev_of(gain, self.counts.hands)
    }

    /// Returns the way's backs by category, highest first.
    pub fn backs_by_category(&self) -> Vec<(Category, HalfCounts)> {
        let of = |category: Category| {
            let backs = self.counts.backs.iter().zip(&self.back_names).filter(|(_, (known, _))| *known == category);
            backs.fold(HalfCounts::default(), |sum, (back, _)| sum.plus(back))
        };
        let all = Category::ALL.into_iter().rev().map(|category| (category, of(category)));
        all.filter(|(_, counts)| counts.hands > 0).collect()
    }
}

fn back_names(game: &Game, strengths: usize) -> Vec<(Category, String)> {
    let all = (0..strengths).map(FiveStrength::from_index);
    all.map(|back| (game.ranking().category(back), game.ranking().describe(back))).collect()
}
