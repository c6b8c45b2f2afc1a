//! What an audit found.

use super::subject::{Prepared, Subject};
use crate::analysis::pai_gow::seat::Seat;
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rank::{Category, FiveStrength};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::audit::{AuditCounts, ChangeCounts, HalfCounts, Loss, Prices, ev_of};
use std::collections::BTreeMap;

/// A way without one of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulePrice {
    /// Its hands go to the next rules that fit; this is what changes.
    Without(ChangeCounts),
    /// So many hands would have no rule.
    Needed(u64),
}

/// What one rule does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// Its name.
    pub name: String,
    /// The rule in words.
    pub text: String,
    /// What its hands lose.
    pub loss: Loss,
    /// What would be without it.
    pub price: RulePrice,
}

/// Another option of one of the way's readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingPrice {
    /// The reading.
    pub name: String,
    /// The option that is not chosen.
    pub option: String,
    /// What it would change, or why the way cannot be followed under it.
    pub price: Result<ChangeCounts, String>,
}

/// Another option of one of the game's readings, taken by both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReading {
    /// The reading.
    pub name: String,
    /// The option.
    pub option: String,
    /// What it would change in the EV, or why the ways cannot be followed under it.
    pub price: Result<Ratio, String>,
}

/// A strategy as results name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) hash: String,
    pub(super) readings: BTreeMap<String, String>,
}

/// What an audit found. EVs are those of the audited side, per unit that the player stakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    pub(super) way: Named,
    pub(super) opponent: Named,
    pub(super) seat: Seat,
    pub(super) rules_of_game: Rules,
    /// What texts say is open in each of the way's readings.
    pub(super) reading_texts: BTreeMap<String, String>,
    /// The integers.
    pub counts: AuditCounts,
    /// Every rule, in order.
    pub rules: Vec<RuleFinding>,
    /// Every option of the way's readings that is not chosen.
    pub readings: Vec<ReadingPrice>,
    /// Every option of the game's readings that is not chosen, if that was asked.
    pub game_readings: Vec<GameReading>,
    /// Strengths of backs in words.
    pub(super) back_names: Vec<(Category, String)>,
}

impl Findings {
    pub(super) fn new(prepared: &Prepared, prices: &Prices<'_>, counts: AuditCounts) -> Findings {
        let Prepared { subject: Subject { seat, rules, .. }, way, opponent, game } = prepared;
        let names = way.survey().rules.iter().zip(counts.by_rule(way.survey().rules.len())).zip(&prices.rules);
        let price = |number: &Result<usize, u64>| match number {
            Ok(number) => RulePrice::Without(counts.alternatives[*number]),
            Err(hands) => RulePrice::Needed(*hands),
        };
        let found_rules = names.map(|((rule, loss), number)| RuleFinding {
            name: rule.name.clone(),
            text: rule.text.clone(),
            loss,
            price: price(number),
        });
        let found_readings = prices.readings.iter().map(|(name, option, number)| ReadingPrice {
            name: name.clone(),
            option: option.clone(),
            price: number.clone().map(|number| counts.alternatives[number]),
        });
        let [way_named, opponent] = [way, opponent].map(|way| Named {
            name: way.way().name().to_owned(),
            title: way.way().title().to_owned(),
            source: way.way().source().to_owned(),
            hash: way.hash(),
            readings: way.way().chosen_options(),
        });
        Findings {
            way: way_named,
            opponent,
            seat: *seat,
            rules_of_game: *rules,
            reading_texts: way.way().readings().iter().map(|it| (it.name.clone(), it.text.clone())).collect(),
            rules: found_rules.collect(),
            readings: found_readings.collect(),
            game_readings: Vec::new(),
            back_names: back_names(game, counts.backs.len()),
            counts,
        }
    }

    /// The EV of the way.
    pub fn ev(&self) -> Ratio {
        self.counts.way.ev(self.seat.payoff(&self.rules_of_game))
    }

    /// The EV of the best play against the same other side.
    pub fn optimal_ev(&self) -> Ratio {
        self.counts.best.ev(self.seat.payoff(&self.rules_of_game))
    }

    /// What the way gives away in all.
    pub fn regret(&self) -> Ratio {
        self.optimal_ev() - self.ev()
    }

    /// The EV of a sum of gains or losses.
    pub fn ev_of(&self, gain: i128) -> Ratio {
        ev_of(gain, self.counts.hands)
    }

    /// The backs that the way forms, by category, the highest first.
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
