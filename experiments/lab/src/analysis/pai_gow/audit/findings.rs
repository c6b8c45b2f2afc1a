//! The results of an audit.

use super::subject::{PreparedAudit, Subject};
use crate::analysis::pai_gow::seat::WaySide;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rank::{Category, FiveStrength};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::audit::{AuditCounts, ChangeCounts, EvLoss, GroupOfRule, HalfCounts, Prices, ev_of};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The consequences of removing a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulePrice {
    /// The change if the rule's hands fall through to later rules.
    Without(ChangeCounts),
    /// The number of hands that no other rule would set.
    Needed(u64),
}

/// The results for one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// The rule's name.
    pub name: String,
    /// The rule's wording.
    pub text: String,
    /// The losses on the hands that the rule sets.
    pub loss: EvLoss,
    /// The effect of removing the rule.
    pub price: RulePrice,
}

/// The effect on a way of switching one of its readings to a different option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingPrice {
    /// The reading's name.
    pub name: String,
    /// An option other than the selected one.
    pub option: String,
    /// The change in EV, or the cause if this option makes the way invalid.
    pub price: Result<ChangeCounts, String>,
}

/// The effect on both sides of switching one of the game's readings to a different option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReading {
    /// The reading's name.
    pub name: String,
    /// An option other than the selected one.
    pub option: String,
    /// The change in EV, or the cause if this option makes the ways invalid.
    pub price: Result<Ratio, String>,
}

/// A strategy as described in the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WayDescription {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) hash: String,
    pub(super) readings: BTreeMap<String, String>,
}

/// The results from an audit. EVs are from the audited side's point of view, per unit staked by the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFindings {
    pub(super) way: WayDescription,
    pub(super) opponent: WayDescription,
    pub(super) seat: WaySide,
    pub(super) rules_of_game: Rules,
    /// The way's readings, as descriptions keyed by name.
    pub(super) reading_texts: BTreeMap<String, String>,
    /// The exact counts.
    pub counts: AuditCounts,
    /// The results by rule, in order. Empty for strategies that aren't house ways.
    pub rules: Vec<RuleFinding>,
    /// The options that weren't selected for the way's readings.
    pub readings: Vec<ReadingPrice>,
    /// The options that weren't selected for the game's readings, if they were evaluated.
    pub game_readings: Vec<GameReading>,
    /// Each back's category and name.
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
        let [way, opponent] = [way.clone(), Arc::clone(opponent).into()].map(|strategy: Tabulated| WayDescription {
            name: strategy.name().to_owned(),
            title: strategy.title().to_owned(),
            source: strategy.way().map_or(String::new(), |way| way.way().source().to_owned()),
            hash: strategy.hash().to_owned(),
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

    /// Returns the name of the rule that sets a hand group, or `None` if the strategy has no rules.
    pub(super) fn rule_of(&self, group: &GroupOfRule) -> Option<&str> {
        self.rules.get(group.rule).map(|rule| rule.name.as_str())
    }

    /// Returns the way's EV.
    pub fn ev(&self) -> Ratio {
        self.counts.way.ev(self.seat.payoff(&self.rules_of_game))
    }

    /// Returns the EV of the best response to the same opponent.
    pub fn optimal_ev(&self) -> Ratio {
        self.counts.best.ev(self.seat.payoff(&self.rules_of_game))
    }

    /// Returns the total EV that the way loses.
    pub fn regret(&self) -> Ratio {
        self.optimal_ev() - self.ev()
    }

    /// Converts a sum of gains or losses to an EV.
    pub fn ev_of(&self, gain: i128) -> Ratio {
        ev_of(gain, self.counts.hands)
    }

    /// Returns the results of the way's backs by category, from the highest to the lowest.
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
