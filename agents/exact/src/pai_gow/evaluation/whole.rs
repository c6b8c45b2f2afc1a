//! Exact evaluation of strategies on all hands in a single pass over the game.
//!
//! Classes that look the same to every policy, to the power rating and to the choice without card removal form a group
//! that is set only once. See [`policy`](crate::pai_gow::policy).

use super::score::{GAPS, GapScore, NAMES, ScoredTotals, ShapeScore, StrategyScore, gap_class};
use crate::answer::Bar;
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, HANDS, Payoff, RANDOM_WEIGHT};
use crate::pai_gow::policy::{Group, Observations};
use crate::pai_gow::whole::{ClassCounts, Pass, Play, Run};
use crate::solver::Cancelled;
use houseway_env::gym::{Policy, Scores};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy, settings_in};

const SHAPES: usize = Shape::ALL.len();

/// The totals for a strategy. `lost` and `agreeing` are in units of 1 / [`RANDOM_WEIGHT`].
#[derive(Clone, Default)]
pub(super) struct StrategyTotals {
    /// The deals won, lost, and pushed, all of which are 0 for the random strategies.
    deals: DealCounts,
    /// The gain lost for each shape, in millionths of a stake, summed over all hands and all banker hands.
    lost: [i128; SHAPES],
    /// The same by the gap between the best settings.
    lost_by_gap: [i128; GAPS],
    /// The number of hands per shape that are set as well as possible.
    agreeing: [u128; SHAPES],
    /// The totals for the scores by which a policy chooses.
    scored: ScoredTotals,
}

impl StrategyTotals {
    fn plus(mut self, more: StrategyTotals) -> StrategyTotals {
        self.deals = self.deals.plus(more.deals);
        self.lost.iter_mut().zip(more.lost).for_each(|(sum, lost)| *sum += lost);
        self.lost_by_gap.iter_mut().zip(more.lost_by_gap).for_each(|(sum, lost)| *sum += lost);
        self.agreeing.iter_mut().zip(more.agreeing).for_each(|(sum, hands)| *sum += hands);
        self.scored = self.scored.plus(more.scored);
        self
    }

    /// Adds the gain lost and the number of hands set as well as possible, given the hands' shape and class of the gap.
    fn add(&mut self, [shape, gap]: [usize; 2], lost: i128, agreeing: u128) {
        self.lost[shape] += lost;
        self.lost_by_gap[gap] += lost;
        self.agreeing[shape] += agreeing;
    }

    /// Adds the loss of setting a group in one way, with a probability of `weight` / [`RANDOM_WEIGHT`].
    fn add_setting(&mut self, group: &Group, kind: [usize; 2], setting: Setting, weight: u32) {
        let agreeing = u128::from(group.agreeing[setting.index()]) * u128::from(weight);
        self.add(kind, group.situation.lost(setting) * i128::from(weight), agreeing);
    }

    /// Adds the deals and the loss of setting a group in one way.
    fn set_group(&mut self, group: &Group, kind: [usize; 2], setting: Setting) {
        assert!(group.candidates.is_legal(setting), "{} is set foul", group.candidates.hand());
        let ends = [group.wins[setting.index()], group.losses[setting.index()]];
        self.deals = self.deals.plus(DealCounts::new(group.situation.hands * BANKER_HANDS, ends, [0; 2]));
        self.add_setting(group, kind, setting, RANDOM_WEIGHT);
    }

    fn regret(&self, shape: usize) -> f64 {
        stakes(self.lost[shape])
    }

    fn agreement(&self, shapes: impl Iterator<Item = usize>, hands: u64) -> f64 {
        let agreeing: u128 = shapes.map(|shape| self.agreeing[shape]).sum();
        agreeing as f64 / f64::from(RANDOM_WEIGHT) / hands as f64
    }
}

/// Converts a total of gains lost to stakes per hand.
fn stakes(lost: i128) -> f64 {
    let whole = f64::from(Rate::WHOLE) * BANKER_HANDS as f64 * HANDS as f64;
    lost as f64 / f64::from(RANDOM_WEIGHT) / whole
}

/// The totals for all strategies, and the groups that aren't set yet.
#[derive(Default)]
pub(super) struct WholeScores {
    hands: [u64; SHAPES],
    hands_by_gap: [u64; GAPS],
    random: StrategyTotals,
    contender: StrategyTotals,
    house_way: StrategyTotals,
    optimum: StrategyTotals,
    /// The best strategy that sets all hands of a group alike.
    encoded: StrategyTotals,
    baselines: Vec<StrategyTotals>,
    policies: Vec<StrategyTotals>,
    /// The ranks held by the hands in `groups`, including the joker, as bits.
    ranks: u64,
    groups: Vec<Group>,
}

/// The strategies to evaluate. They depend only on the set hands and on the numbers of cards by rank and by suit.
pub(super) struct WholeEvaluation<'a> {
    pub(super) game: &'a Game,
    /// The banker's own house way.
    pub(super) house_way: &'a BankerTable,
    /// Strategies that are called once per group.
    pub(super) baselines: &'a [&'a dyn Strategy],
    /// Policies that read the `candidates` encoding. They are called in batches.
    pub(super) policies: &'a [&'a dyn Policy],
}

impl WholeEvaluation<'_> {
    fn payoff(&self) -> Payoff {
        Payoff::player(&self.game.rules())
    }

    /// Evaluates the house way, the baselines, the policies, the optimum, and uniformly random choices among the legal
    /// settings and among the contenders.
    pub(super) fn totals(&self, whole: &Pass<'_>, run: &Run<'_>) -> Result<WholeScores, Cancelled> {
        let init = || WholeScores {
            baselines: vec![StrategyTotals::default(); self.baselines.len()],
            policies: vec![StrategyTotals::default(); self.policies.len()],
            ..WholeScores::default()
        };
        let merge = |a, b| self.finish(a).plus(self.finish(b));
        Ok(self.finish(whole.fold(run, init, |scores, classes| self.add(scores, classes), merge)?))
    }

    fn add(&self, scores: &mut WholeScores, classes: &[ClassCounts]) {
        let (payoff, ranks) = (self.payoff(), ranks_of(classes[0].hand));
        if ranks != scores.ranks {
            self.set_groups(scores);
            scores.ranks = ranks;
        }
        let shape = Shape::from_hand(classes[0].hand) as usize;
        let house_way = Play::Profiles(self.house_way).choose(classes);
        let first = scores.groups.len();
        for (class, house_way) in classes.iter().zip(house_way) {
            let (hands, best) = (u64::from(class.orbit), class.best(payoff));
            let most = class.gain(best, payoff);
            let gap = gap_class(class.legal_settings().map(|setting| class.gain(setting, payoff)), 1);
            scores.hands[shape] += hands;
            scores.hands_by_gap[gap] += hands;
            for (tally, setting) in [(&mut scores.house_way, house_way), (&mut scores.optimum, best)] {
                let lost = most - class.gain(setting, payoff);
                tally.deals.add(class, setting);
                let agreeing = if lost == 0 { u128::from(hands) * u128::from(RANDOM_WEIGHT) } else { 0 };
                tally.add([shape, gap], i128::from(lost) * i128::from(hands) * i128::from(RANDOM_WEIGHT), agreeing);
            }
            let weight = class.orbit * (RANDOM_WEIGHT / class.legal.count_ones());
            for setting in settings_in(class.legal) {
                let lost = most - class.gain(setting, payoff);
                let agreeing = if lost == 0 { weight.into() } else { 0 };
                scores.random.add([shape, gap], i128::from(lost) * i128::from(weight), agreeing);
            }
            let place = Group::place(&mut scores.groups, first, self.game, class);
            scores.groups[place].add(class, payoff);
        }
    }

    /// Sets all groups that have the current ranks.
    fn set_groups(&self, scores: &mut WholeScores) {
        let groups = std::mem::take(&mut scores.groups);
        if groups.is_empty() {
            return;
        }
        let observations = Observations::new(self.game, groups.iter().map(|group| &group.candidates));
        let chosen = self.policies.iter().map(|policy| observations.scored_settings(*policy));
        let chosen: Vec<(Vec<Setting>, Scores)> = chosen.collect();
        for (row, group) in groups.iter().enumerate() {
            let hand = group.candidates.hand();
            let kind = [Shape::from_hand(hand) as usize, group.situation.gap()];
            let contenders = group.candidates.contenders();
            let weight = RANDOM_WEIGHT / contenders.count_ones();
            settings_in(contenders).for_each(|setting| scores.contender.add_setting(group, kind, setting, weight));
            let gain = |setting: &Setting| group.situation.gains[setting.index()];
            let best = settings_in(group.situation.legal).max_by_key(gain).expect("a setting is legal");
            scores.encoded.set_group(group, kind, best);
            for (baseline, tally) in self.baselines.iter().zip(&mut scores.baselines) {
                tally.set_group(group, kind, baseline.set(hand));
            }
            for (tally, (settings, values)) in scores.policies.iter_mut().zip(&chosen) {
                tally.set_group(group, kind, settings[row]);
                tally.scored.add(&group.situation, values, row);
            }
        }
    }

    /// Sets the remaining groups.
    fn finish(&self, mut scores: WholeScores) -> WholeScores {
        self.set_groups(&mut scores);
        scores
    }

    /// Returns the exact scores of the two random strategies, the house way, the baselines, the policies, and the optimum.
    pub(super) fn scores(&self, all: &WholeScores, house_way: &str) -> Vec<StrategyScore> {
        let optimum_ev = all.optimum.deals.ev(self.payoff()).value();
        let mut scores = vec![all.score(super::RANDOM, &all.random, optimum_ev)];
        scores.push(all.score(super::CONTENDER, &all.contender, optimum_ev));
        let mut add = |name: &str, tally: &StrategyTotals| {
            let mut score = StrategyScore { deals: Some(tally.deals), ..all.score(name, tally, optimum_ev) };
            score.add_scored(&tally.scored, HANDS);
            scores.push(score);
        };
        add(house_way, &all.house_way);
        self.baselines.iter().zip(&all.baselines).for_each(|(baseline, tally)| add(baseline.name(), tally));
        self.policies.iter().zip(&all.policies).for_each(|(policy, tally)| add(policy.name(), tally));
        add("optimum", &all.optimum);
        scores
    }
}

/// Returns the ranks in a hand, including the joker, with the lowest bit of each rank set.
fn ranks_of(hand: Hand) -> u64 {
    hand.set().iter().fold(0, |ranks, card| ranks | 1 << card.rank().map_or(card.index(), |rank| 4 * rank.index()))
}

impl WholeScores {
    fn plus(self, more: WholeScores) -> WholeScores {
        let sums = |a: Vec<StrategyTotals>, b: Vec<_>| a.into_iter().zip(b).map(|(a, b)| a.plus(b)).collect();
        WholeScores {
            hands: std::array::from_fn(|shape| self.hands[shape] + more.hands[shape]),
            random: self.random.plus(more.random),
            contender: self.contender.plus(more.contender),
            house_way: self.house_way.plus(more.house_way),
            optimum: self.optimum.plus(more.optimum),
            encoded: self.encoded.plus(more.encoded),
            baselines: sums(self.baselines, more.baselines),
            policies: sums(self.policies, more.policies),
            hands_by_gap: std::array::from_fn(|gap| self.hands_by_gap[gap] + more.hands_by_gap[gap]),
            ..WholeScores::default()
        }
    }

    /// Returns the regret of the best strategy that sets all hands alike that look alike to policies.
    pub(super) fn encoding_regret(&self) -> f64 {
        stakes(self.encoded.lost.iter().sum())
    }

    /// Returns a strategy's exact score.
    fn score(&self, name: &str, tally: &StrategyTotals, optimum_ev: f64) -> StrategyScore {
        let regret = |tally: &StrategyTotals| (0..SHAPES).map(|shape| tally.regret(shape)).sum::<f64>();
        let own = regret(tally);
        let exact = |value| Bar::between(value, value, value);
        let shapes = Shape::ALL.into_iter().filter(|&shape| self.hands[shape as usize] > 0).map(|shape| ShapeScore {
            shape: shape.name(),
            hands: self.hands[shape as usize] as usize,
            regret: tally.regret(shape as usize),
            agreement: tally.agreement(std::iter::once(shape as usize), self.hands[shape as usize]),
        });
        let gaps = NAMES.into_iter().enumerate().map(|(class, gap)| GapScore {
            gap,
            hands: self.hands_by_gap[class] as usize,
            regret: stakes(tally.lost_by_gap[class]),
        });
        StrategyScore {
            name: name.to_owned(),
            ev: exact(optimum_ev - own),
            regret: exact(own),
            is_exact: true,
            over_house_way: exact(regret(&self.house_way) - own),
            agreement: tally.agreement(0..SHAPES, self.hands.iter().sum()),
            shapes: shapes.collect(),
            gaps: gaps.collect(),
            ..StrategyScore::default()
        }
    }
}

#[cfg(test)]
mod tests;
