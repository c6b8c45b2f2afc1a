//! The game in which both sides choose their settings freely.

use super::{Class, Classes, DEALS, HANDS, HIDDEN, PaiGowTiles, SOLVER};
use crate::answer::{Answer, Section, TextTable};
use crate::equilibrium::{Bounds, HandGame, Method, SIDES, Solver, UNITS, actions_of_sets, maximize};
use crate::format::percent;
use crate::one_decision::OneDecision;
use crate::pai_gow::Side;
use crate::solver::{Cancelled, Control};
use houseway_env::pai_gow::Outcome;
use houseway_env::pai_gow_tiles::{Hand, SetHand};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::ops::Range;

/// The zero-sum game between the player and the house, from the player's perspective. Each class of hands is an
/// information set of either side. Its actions are the settings that aren't dominated.
pub struct TwoSided<'a> {
    game: &'a PaiGowTiles,
    /// The index of each class's first action, followed by the number of actions.
    starts: Vec<u32>,
    /// The class and the setting of each action.
    actions: Vec<(usize, usize)>,
    probabilities: Vec<f64>,
}

impl<'a> TwoSided<'a> {
    /// Creates the game.
    pub fn new(game: &'a PaiGowTiles) -> TwoSided<'a> {
        let (mut starts, mut actions) = (vec![0], vec![]);
        for (class, sets) in game.sets.iter().enumerate() {
            actions.extend(undominated(sets).map(|setting| (class, setting)));
            starts.push(actions.len() as u32);
        }
        let probability = |class: &Class| class.hands as f64 / HANDS as f64;
        let probabilities = Classes::get().all().iter().map(probability).collect();
        TwoSided { game, starts, actions, probabilities }
    }

    /// Returns the player's net result over all deals of two actions, in parts of the stake.
    fn payoff(&self, player: usize, house: usize) -> i64 {
        let (classes, game) = (Classes::get(), &self.game.game);
        let [(class, set), (other, other_set)] = [player, house].map(|action| {
            let (class, setting) = self.actions[action];
            (class, self.game.sets[class][setting])
        });
        let deals = classes.all()[class].hands as i64 * i64::from(classes.beside(class)[other]);
        deals * game.net(game.outcome(set, other_set))
    }

    /// Solves the game exactly. An approximate solution shows which actions may matter.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    pub fn solve(game: &'a PaiGowTiles, control: &Control<'_>) -> Result<Equilibrium<'a>, Cancelled> {
        let progress = control.stage("equilibrium", "rounds");
        let mut solver = Solver::new(TwoSided::new(game), Method::default());
        let mut bounds = Bounds { lower: -1.0_f64, upper: 1.0_f64 };
        for round in 0..ROUNDS {
            control.check()?;
            let Ok(values) = solver.round();
            let Bounds { lower, upper } = values.bounds();
            bounds = Bounds { lower: bounds.lower.max(lower), upper: bounds.upper.min(upper) };
            progress(u64::from(round) + 1, ROUNDS.into());
        }
        let two_sided = TwoSided::new(game);
        let averages = SIDES.map(|side| solver.state().average(side, &two_sided.starts, WHOLE));
        let likely = averages.map(|average| two_sided.likely(&average));
        two_sided.equilibrium_of(likely, bounds, control)
    }

    /// Returns the actions that an approximate solution plays often, with at least one in each class.
    fn likely(&self, average: &[u16]) -> Vec<bool> {
        let mut likely: Vec<bool> = average.iter().map(|&weight| weight > WHOLE / 100).collect();
        for actions in actions_of_sets(&self.starts) {
            let most = actions.rev().max_by_key(|&action| average[action]);
            likely[most.expect("every class has an action")] = true;
        }
        likely
    }

    /// Finds the equilibrium of the game with some of the actions of each side, and adds the actions that are better than
    /// these until there are none. The result is then an equilibrium of the whole game.
    fn equilibrium_of(
        self,
        mut kept: [Vec<bool>; 2],
        bounds: Bounds,
        control: &Control<'_>,
    ) -> Result<Equilibrium<'a>, Cancelled> {
        let mut exact_passes = 0;
        loop {
            control.check()?;
            exact_passes += 1;
            let strategies = self.restricted(&kept);
            let values = SIDES.map(|side| self.exact_values(side, &strategies[1 - side]));
            let mut is_equilibrium = true;
            let mut best_of_all = [BigRational::zero(), BigRational::zero()];
            for side in SIDES {
                for actions in actions_of_sets(&self.starts) {
                    let best = actions.clone().max_by_key(|&action| (&values[side][action], kept[side][action]));
                    let best = best.expect("every class has an action");
                    is_equilibrium &= kept[side][best];
                    kept[side][best] = true;
                    best_of_all[side] += &values[side][best];
                }
            }
            if is_equilibrium {
                let [player, house] = best_of_all;
                assert_eq!(player, -house, "the best responses to an equilibrium have the same value");
                let parts = DEALS as i64 * self.game.game.unit();
                let value = player / BigRational::from(BigInt::from(parts));
                return Ok(Equilibrium { game: self, bounds, value, strategies, exact_passes });
            }
        }
    }

    /// Returns the net result of each of a side's actions against a strategy of the other side, over all deals.
    fn exact_values(&self, side: usize, other: &[BigRational]) -> Vec<BigRational> {
        let gain = |own: usize, other: usize| match side {
            0 => self.payoff(own, other),
            _ => -self.payoff(other, own),
        };
        let (pure, mixed): (Vec<usize>, Vec<usize>) =
            (0..other.len()).filter(|&action| !other[action].is_zero()).partition(|&action| other[action].is_one());
        let value = |own: usize| {
            let sum: i64 = pure.iter().map(|&other| gain(own, other)).sum();
            let mixed = mixed.iter().map(|&action| &other[action] * whole(gain(own, action)));
            mixed.fold(whole(sum), |sum, value| sum + value)
        };
        (0..self.actions.len()).into_par_iter().map(value).collect()
    }

    /// Returns the equilibrium strategies of the game in which both sides have only the kept actions, as the probability of
    /// each action. Classes with one action are constants of a linear program that chooses the player's probabilities.
    fn restricted(&self, kept: &[Vec<bool>; 2]) -> [Vec<BigRational>; 2] {
        let sets: [Vec<Vec<usize>>; 2] = SIDES.map(|side| {
            let kept = |actions: Range<usize>| actions.filter(|&action| kept[side][action]).collect();
            actions_of_sets(&self.starts).map(kept).collect()
        });
        let [fixed, open] = [false, true].map(|is_open| {
            sets.each_ref().map(|sets| -> Vec<&Vec<usize>> {
                sets.iter().filter(|actions| (actions.len() > 1) == is_open).collect()
            })
        });
        let sum_of = |actions: &[&Vec<usize>], payoff: &dyn Fn(usize) -> i64| -> i64 {
            actions.iter().map(|actions| payoff(actions[0])).sum()
        };
        // The player's first action in a class takes the probability that the others leave.
        let variables: Vec<(usize, usize)> =
            open[0].iter().flat_map(|actions| actions[1..].iter().map(|&action| (actions[0], action))).collect();
        let against_fixed = |player: usize| sum_of(&fixed[1], &|house| self.payoff(player, house));
        let mut objective: Vec<i64> =
            variables.iter().map(|&(first, action)| against_fixed(action) - against_fixed(first)).collect();
        objective.extend(open[1].iter().map(|_| 1));
        let (mut rows, mut limits): (Vec<Vec<i64>>, Vec<i64>) = (vec![], vec![]);
        for (class, actions) in open[1].iter().enumerate() {
            // What a class of the house leaves to the player, at most, is a variable that must not be negative, so it is
            // counted from a bound that it always exceeds.
            let least = |house: usize| -> i64 {
                let worst = |actions: &&Vec<usize>| actions.iter().map(|&player| self.payoff(player, house)).min();
                sum_of(&fixed[0], &|player| self.payoff(player, house)) + open[0].iter().filter_map(worst).sum::<i64>()
            };
            let bound = actions.iter().map(|&house| least(house)).min().unwrap_or_default() - 1;
            for &house in *actions {
                let payoff = |player: usize| self.payoff(player, house);
                let mut row: Vec<i64> =
                    variables.iter().map(|&(first, action)| payoff(first) - payoff(action)).collect();
                row.extend((0..open[1].len()).map(|other| i64::from(other == class)));
                rows.push(row);
                limits.push(sum_of(&fixed[0], &payoff) + sum_of(&open[0], &payoff) - bound);
            }
        }
        let house_rows = rows.len();
        for actions in &open[0] {
            let is_of_class = |&(first, _): &(usize, usize)| i64::from(first == actions[0]);
            let mut row: Vec<i64> = variables.iter().map(is_of_class).collect();
            row.resize(objective.len(), 0);
            rows.push(row);
            limits.push(1);
        }
        let fractions = |numbers: Vec<i64>| -> Vec<BigRational> { numbers.into_iter().map(whole).collect() };
        let rows = rows.into_iter().map(fractions).collect();
        let optimum = maximize(fractions(objective), rows, fractions(limits)).expect("payoffs are bounded");

        let mut strategies = SIDES.map(|_| vec![BigRational::zero(); self.actions.len()]);
        for side in SIDES {
            sets[side].iter().for_each(|actions| strategies[side][actions[0]] = BigRational::one());
        }
        for (&(first, action), probability) in variables.iter().zip(&optimum.solution) {
            strategies[0][first] -= probability;
            strategies[0][action] += probability;
        }
        for (&house, probability) in open[1].iter().copied().flatten().zip(&optimum.prices[..house_rows]) {
            strategies[1][house] = probability.clone();
        }
        strategies
    }
}

/// The number of rounds of the approximate solution. With fewer, more actions would have to be considered exactly.
const ROUNDS: u32 = 60;
/// The sum of the weights of a class's actions in an approximate solution.
const WHOLE: u16 = 10_000;

fn whole(number: i64) -> BigRational {
    BigInt::from(number).into()
}

/// An equilibrium of the game in which both sides choose, proven by exact best responses.
pub struct Equilibrium<'a> {
    game: TwoSided<'a>,
    /// The bounds for the value from the approximate solution.
    pub bounds: Bounds,
    /// The player's EV per unit staked.
    pub value: BigRational,
    /// The probability of each action of the player and of the house.
    strategies: [Vec<BigRational>; 2],
    /// The number of exact best responses of each side.
    exact_passes: u64,
}

impl Equilibrium<'_> {
    /// Returns the hands of which a side mixes several settings, with the probability of each setting.
    pub fn mixed(&self, side: Side) -> Vec<(Hand, Vec<(usize, &BigRational)>)> {
        let strategy = &self.strategies[if side == Side::Player { SIDES[0] } else { SIDES[1] }];
        let mut mixed: Vec<(Hand, Vec<(usize, &BigRational)>)> = Vec::new();
        for (&(class, setting), probability) in self.game.actions.iter().zip(strategy) {
            if probability.is_zero() || probability.is_one() {
                continue;
            }
            let hand = Classes::get().all()[class].hand;
            match mixed.last_mut().filter(|(other, _)| *other == hand) {
                Some((_, settings)) => settings.push((setting, probability)),
                None => mixed.push((hand, vec![(setting, probability)])),
            }
        }
        mixed
    }

    /// Returns the answer with the keys of all equilibria. Lower and upper bound are the same.
    pub(super) fn answer(&self, rules: Value, rules_hash: String) -> Answer {
        let value = json!({
            "numerator": self.value.numer().to_string(),
            "denominator": self.value.denom().to_string(),
            "value": self.value.to_f64(),
        });
        let json = json!({
            "game": SOLVER.game,
            "deals": DEALS.to_string(),
            "value": { "lower": value, "upper": value },
            "nash_conv": 0.0,
            "exploitability": { "player": 0.0, "banker": 0.0 },
            "rounds": ROUNDS,
            "passes": 2 * (u64::from(ROUNDS) + self.exact_passes),
            "mixed": { "player": self.mixed_json(Side::Player), "banker": self.mixed_json(Side::Banker) },
            "files": {},
            "rules": rules,
            "rules_hash": rules_hash,
        });
        Answer::new(json, [self.section()])
    }

    fn mixed_json(&self, side: Side) -> Value {
        let (mixed, classes) = (self.mixed(side), Classes::get());
        let hands: u64 = mixed.iter().map(|(hand, _)| classes.all()[classes.find(*hand)].hands).sum();
        let mut examples = Vec::new();
        for (hand, settings) in &mixed {
            let settings = settings.iter().map(|(setting, probability)| {
                json!({ "setting": self.label(*hand, *setting), "probability": probability.to_string() })
            });
            examples.push(json!({ "hand": hand.to_string(), "settings": settings.collect::<Vec<_>>() }));
        }
        json!({ "classes": mixed.len().to_string(), "hands": hands.to_string(), "examples": examples })
    }

    fn section(&self) -> Section {
        let value = &self.value;
        let text = format!(
            "If both sides choose their settings freely, the player's EV is exactly {value} = {} of the stake. Best \
             responses to both strategies, computed over all deals in fractions, prove it. The table lists the only hands \
             of which a side mixes several settings; all others are set in one way.",
            percent(value.to_f64().unwrap_or(f64::NAN), 7),
        );
        let mut table = TextTable::new(["side", "hand", "setting", "probability"]).right(3);
        for (side, name) in [(Side::Player, "player"), (Side::Banker, "house")] {
            for (hand, settings) in self.mixed(side) {
                for (setting, probability) in settings {
                    let label = self.label(hand, setting);
                    table = table.row([name, &hand.to_string(), &label, &probability.to_string()]);
                }
            }
        }
        Section::default().text(text).table(table)
    }

    fn label(&self, hand: Hand, setting: usize) -> String {
        self.game.game.label(&hand.to_string(), setting)
    }
}

/// Returns the settings of which no other is at least as good in both halves. The first of equal ones stands for all.
pub(super) fn undominated(sets: &[SetHand; Hand::SETTINGS]) -> impl Iterator<Item = usize> + '_ {
    let beats = |a: usize, b: usize| {
        sets[a].low >= sets[b].low && sets[a].high >= sets[b].high && (sets[a] != sets[b] || a < b)
    };
    (0..sets.len()).filter(move |&setting| (0..sets.len()).all(|other| !beats(other, setting)))
}

impl HandGame for TwoSided<'_> {
    type Error = std::convert::Infallible;

    fn starts(&self, _: usize) -> &[u32] {
        &self.starts
    }

    fn probabilities(&self, _: usize) -> &[f64] {
        &self.probabilities
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Self::Error> {
        let game = self.game;
        let (of, opposing) = if side == SIDES[0] { (Side::Player, Side::Banker) } else { (Side::Banker, Side::Player) };
        // The other side's settings with their thresholds and weights.
        let played = self.actions.iter().zip(other).filter(|(_, weight)| **weight > 0);
        let played: Vec<(usize, [i16; 2], i32)> = played
            .map(|(&(class, setting), &weight)| {
                (class, game.threshold(opposing, game.sets[class][setting]), i32::from(weight))
            })
            .collect();
        let [win, loss] = match of {
            Side::Player => [Outcome::Win, Outcome::Loss].map(|outcome| game.game.net(outcome)),
            Side::Banker => [Outcome::Loss, Outcome::Win].map(|outcome| -game.game.net(outcome)),
        };
        let scale = (HIDDEN * u64::from(UNITS)) as f64 * game.game.unit() as f64;
        let value = |action: usize| {
            let (class, setting) = self.actions[action];
            let ([own_low, own_high], beside) =
                (game.threshold(of, game.sets[class][setting]), Classes::get().beside(class));
            let (mut won, mut lost) = (0, 0);
            for &(class, [low, high], weight) in &played {
                let hands = i32::from(beside[class]) * weight;
                won += hands * i32::from((own_low > low) & (own_high > high));
                lost += hands * i32::from((own_low < low) & (own_high < high));
            }
            (i64::from(won) * win + i64::from(lost) * loss) as f64 / scale * self.probabilities[class]
        };
        Ok((0..self.actions.len()).into_par_iter().map(value).collect())
    }
}
