//! Exact evaluation of strategies on all hands in a single pass over the game.
//!
//! Classes that look the same to every policy, to the power rating and to the choice without card removal form a group
//! that is set only once. See [`policy`](crate::pai_gow::policy).

use super::score::{GAPS, GapScore, NAMES, gap_class};
use super::score::{Mean, ShapeScore, StrategyScore};
use super::scored::{GroupGains, ScoredTotals};
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, HANDS, Payoff, RANDOM_WEIGHT};
use crate::pai_gow::policy::{EqualClasses, Observations};
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, Play, Run};
use houseway_env::gym::Policy;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy, settings_in};

const SHAPES: usize = Shape::ALL.len();

/// The totals for a strategy. `lost` and `agreeing` are in units of 1 / [`RANDOM_WEIGHT`].
#[derive(Clone, Default)]
pub(super) struct StrategyTotals {
    /// The deals won, lost, and pushed, all of which are 0 for the random strategies.
    pub(super) deals: DealCounts,
    /// The gain lost for each shape, in millionths of a stake, summed over all hands and all banker hands.
    lost: [i128; SHAPES],
    /// The same by the gap between the best settings.
    lost_by_gap: [i128; GAPS],
    /// The number of hands per shape that are set as well as possible.
    agreeing: [u128; SHAPES],
}

/// The classes that a hand belongs to.
#[derive(Clone, Copy)]
struct Kind {
    shape: usize,
    gap: usize,
}

impl StrategyTotals {
    fn plus(mut self, more: StrategyTotals) -> StrategyTotals {
        self.deals = self.deals.plus(more.deals);
        self.lost.iter_mut().zip(more.lost).for_each(|(sum, lost)| *sum += lost);
        self.lost_by_gap.iter_mut().zip(more.lost_by_gap).for_each(|(sum, lost)| *sum += lost);
        self.agreeing.iter_mut().zip(more.agreeing).for_each(|(sum, hands)| *sum += hands);
        self
    }

    /// Adds the gain lost and the number of hands set as well as possible.
    fn add(&mut self, kind: Kind, lost: i128, agreeing: u128) {
        self.lost[kind.shape] += lost;
        self.lost_by_gap[kind.gap] += lost;
        self.agreeing[kind.shape] += agreeing;
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

/// A strategy that depends only on the set hands and on the numbers of cards by rank and by suit.
#[derive(Clone, Copy)]
pub(super) enum EvaluatedStrategy<'a> {
    /// A policy that reads the `candidates` encoding. It's called in batches.
    Policy(&'a dyn Policy),
    /// Any other strategy. It's called once per hand.
    Plain(&'a dyn Strategy),
}

impl EvaluatedStrategy<'_> {
    pub(super) fn name(&self) -> &str {
        match self {
            EvaluatedStrategy::Policy(policy) => policy.name(),
            EvaluatedStrategy::Plain(plain) => plain.name(),
        }
    }
}

/// Classes with the same multiset of ranks that look the same to every [`EvaluatedStrategy`].
struct Group {
    classes: EqualClasses,
    shape: usize,
    hands: u64,
    wins: [u64; Setting::COUNT],
    losses: [u64; Setting::COUNT],
    /// The number of hands for which each setting is as good as the best one.
    agreeing: [u64; Setting::COUNT],
    /// The total gain from the best setting for each hand.
    best: i128,
}

/// The totals for all strategies.
#[derive(Default)]
pub(super) struct WholeScores {
    hands: [u64; SHAPES],
    hands_by_gap: [u64; GAPS],
    pub(super) random: StrategyTotals,
    pub(super) contender: StrategyTotals,
    pub(super) house_way: StrategyTotals,
    pub(super) optimum: StrategyTotals,
    /// The best strategy that sets all hands of a group alike.
    encoded: StrategyTotals,
    pub(super) agents: Vec<StrategyTotals>,
    /// The totals for the agents' scores, in the same order.
    pub(super) scored: Vec<ScoredTotals>,
}

/// The totals from one thread.
#[derive(Default)]
struct Sums {
    scores: WholeScores,
    /// The ranks held by the hands in `groups`, including the joker, as bits.
    ranks: u64,
    groups: Vec<Group>,
}

struct Scorer<'a> {
    game: &'a Game,
    house_way: &'a BankerTable,
    payoff: Payoff,
    agents: &'a [EvaluatedStrategy<'a>],
}

/// Evaluates the house way, the agents, the optimum, and uniformly random choices among the legal settings and among the
/// contenders.
pub(super) fn score(
    whole: &Pass<'_>,
    house_way: &BankerTable,
    agents: &[EvaluatedStrategy<'_>],
    run: &Run<'_>,
) -> Result<WholeScores, Cancelled> {
    let payoff = Payoff::player(whole.game().rules().commission);
    let scorer = Scorer { game: whole.game(), house_way, payoff, agents };
    let init = || {
        let (agents, scored) =
            (vec![StrategyTotals::default(); agents.len()], vec![ScoredTotals::default(); agents.len()]);
        Sums { scores: WholeScores { agents, scored, ..WholeScores::default() }, ..Sums::default() }
    };
    let merge = |a, b| Sums { scores: scorer.finish(a).plus(scorer.finish(b)), ..Sums::default() };
    Ok(scorer.finish(whole.fold(run, init, |sums, classes| scorer.add(sums, classes), merge)?))
}

impl Scorer<'_> {
    fn add(&self, sums: &mut Sums, classes: &[ClassCounts]) {
        let ranks = ranks_of(classes[0].hand);
        if ranks != sums.ranks {
            self.set_groups(sums);
            sums.ranks = ranks;
        }
        let shape = Shape::from_hand(classes[0].hand) as usize;
        let (house_way, optimum) =
            (Play::Profiles(self.house_way).choose(classes), Play::Best(self.payoff).choose(classes));
        let first = sums.groups.len();
        for ((class, &house_way), &best) in classes.iter().zip(&house_way).zip(&optimum) {
            let hands = u64::from(class.orbit);
            let most = class.gain(best, self.payoff);
            let gap = gap_class(class.legal_settings().map(|setting| class.gain(setting, self.payoff)), 1);
            let kind = Kind { shape, gap };
            let scores = &mut sums.scores;
            scores.hands[shape] += hands;
            scores.hands_by_gap[gap] += hands;
            for (tally, setting) in [(&mut scores.house_way, house_way), (&mut scores.optimum, best)] {
                let lost = most - class.gain(setting, self.payoff);
                tally.deals.add(class, setting);
                let agreeing = if lost == 0 { u128::from(hands) * u128::from(RANDOM_WEIGHT) } else { 0 };
                tally.add(kind, i128::from(lost) * i128::from(hands) * i128::from(RANDOM_WEIGHT), agreeing);
            }
            self.add_random(&mut scores.random, class, kind, most);
            self.add_to_group(sums, first, class, shape, most);
        }
    }

    /// Adds the results of a uniformly random choice among the legal settings.
    fn add_random(&self, tally: &mut StrategyTotals, class: &ClassCounts, kind: Kind, most: i64) {
        let weight = class.orbit * (RANDOM_WEIGHT / class.legal.count_ones());
        for setting in settings_in(class.legal) {
            let lost = most - class.gain(setting, self.payoff);
            tally.add(kind, i128::from(lost) * i128::from(weight), if lost == 0 { weight.into() } else { 0 });
        }
    }

    fn add_to_group(&self, sums: &mut Sums, first: usize, class: &ClassCounts, shape: usize, most: i64) {
        let found = sums.groups[first..].iter().position(|group| group.classes.contains(class)).map(|at| first + at);
        let at = found.unwrap_or_else(|| {
            sums.groups.push(Group::new(self.game, class, shape));
            sums.groups.len() - 1
        });
        let (group, hands) = (&mut sums.groups[at], u64::from(class.orbit));
        group.hands += hands;
        group.best += i128::from(most) * i128::from(hands);
        for setting in settings_in(class.legal) {
            let i = setting.index();
            group.wins[i] += hands * u64::from(class.wins[i]);
            group.losses[i] += hands * u64::from(class.losses[i]);
            group.agreeing[i] += if class.gain(setting, self.payoff) == most { hands } else { 0 };
        }
    }

    /// Sets all groups that have the current ranks.
    fn set_groups(&self, sums: &mut Sums) {
        let groups = std::mem::take(&mut sums.groups);
        if groups.is_empty() {
            return;
        }
        let kinds: Vec<Kind> = groups.iter().map(|group| self.kind(group)).collect();
        for (group, &kind) in groups.iter().zip(&kinds) {
            self.add_contenders(&mut sums.scores.contender, group, kind);
            let gain = |setting: &Setting| self.gain(group, *setting);
            let best = settings_in(group.classes.candidates.legal()).max_by_key(gain).expect("a setting is legal");
            self.add_setting(&mut sums.scores.encoded, group, kind, best);
        }
        let has_policy = self.agents.iter().any(|agent| matches!(agent, EvaluatedStrategy::Policy(_)));
        let hands = groups.iter().map(|group| &group.classes.candidates);
        let observations = has_policy.then(|| Observations::new(self.game, hands));
        let gains: Vec<GroupGains> = groups.iter().map(|group| self.gains(group)).collect();
        let scores = &mut sums.scores;
        for ((agent, tally), scored) in self.agents.iter().zip(&mut scores.agents).zip(&mut scores.scored) {
            let settings = match (agent, &observations) {
                (EvaluatedStrategy::Policy(policy), Some(observations)) => {
                    let (settings, scores) = observations.scored_settings(*policy);
                    gains.iter().enumerate().for_each(|(row, gains)| scored.add(gains, &scores, row));
                    settings
                }
                (EvaluatedStrategy::Plain(plain), _) => {
                    groups.iter().map(|group| plain.set(group.classes.candidates.hand())).collect()
                }
                (EvaluatedStrategy::Policy(_), None) => unreachable!("there are observations if there is a policy"),
            };
            for ((group, &kind), setting) in groups.iter().zip(&kinds).zip(settings) {
                self.add_setting(tally, group, kind, setting);
            }
        }
    }

    /// Returns a setting's total gain on all hands of a group.
    fn gain(&self, group: &Group, setting: Setting) -> i64 {
        self.payoff.gain(group.wins[setting.index()] as i64, group.losses[setting.index()] as i64)
    }

    /// Returns the total gains from all settings.
    fn gains(&self, group: &Group) -> GroupGains {
        let (legal, mut gains) = (group.classes.candidates.legal(), [0; Setting::COUNT]);
        settings_in(legal).for_each(|setting| gains[setting.index()] = self.gain(group, setting));
        GroupGains { gains, legal, best: group.best, hands: group.hands }
    }

    /// Returns the classes of a group. The gap is that of its mean gains.
    fn kind(&self, group: &Group) -> Kind {
        let gains = settings_in(group.classes.candidates.legal()).map(|setting| self.gain(group, setting));
        Kind { shape: group.shape, gap: gap_class(gains, group.hands) }
    }

    /// Adds the results of a uniformly random choice among the contenders.
    fn add_contenders(&self, tally: &mut StrategyTotals, group: &Group, kind: Kind) {
        let contenders = group.classes.candidates.contenders();
        let weight = RANDOM_WEIGHT / contenders.count_ones();
        for setting in settings_in(contenders) {
            let lost = (group.best - i128::from(self.gain(group, setting))) * i128::from(weight);
            tally.add(kind, lost, u128::from(group.agreeing[setting.index()]) * u128::from(weight));
        }
    }

    fn add_setting(&self, tally: &mut StrategyTotals, group: &Group, kind: Kind, setting: Setting) {
        let candidates = &group.classes.candidates;
        assert!(candidates.is_legal(setting), "{} is set foul", candidates.hand());
        let i = setting.index();
        let (wins, losses) = (group.wins[i], group.losses[i]);
        tally.deals = tally.deals.plus(DealCounts::new(group.hands * BANKER_HANDS, [wins, losses], [0; 2]));
        let lost = (group.best - i128::from(self.gain(group, setting))) * i128::from(RANDOM_WEIGHT);
        tally.add(kind, lost, u128::from(group.agreeing[i]) * u128::from(RANDOM_WEIGHT));
    }

    /// Sets the remaining groups.
    fn finish(&self, mut sums: Sums) -> WholeScores {
        self.set_groups(&mut sums);
        sums.scores
    }
}

impl Group {
    fn new(game: &Game, class: &ClassCounts, shape: usize) -> Group {
        Group {
            classes: EqualClasses::new(game, class),
            shape,
            hands: 0,
            wins: [0; Setting::COUNT],
            losses: [0; Setting::COUNT],
            agreeing: [0; Setting::COUNT],
            best: 0,
        }
    }
}

/// Returns the ranks in a hand, including the joker, with the lowest bit of each rank set.
fn ranks_of(hand: Hand) -> u64 {
    hand.set().iter().fold(0, |ranks, card| ranks | 1 << card.rank().map_or(card.index(), |rank| 4 * rank.index()))
}

impl WholeScores {
    fn plus(self, more: WholeScores) -> WholeScores {
        let agents = self.agents.into_iter().zip(more.agents).map(|(a, b)| a.plus(b)).collect();
        let scored = self.scored.into_iter().zip(more.scored).map(|(a, b)| a.plus(b)).collect();
        WholeScores {
            hands: std::array::from_fn(|shape| self.hands[shape] + more.hands[shape]),
            random: self.random.plus(more.random),
            contender: self.contender.plus(more.contender),
            house_way: self.house_way.plus(more.house_way),
            optimum: self.optimum.plus(more.optimum),
            encoded: self.encoded.plus(more.encoded),
            agents,
            scored,
            hands_by_gap: std::array::from_fn(|gap| self.hands_by_gap[gap] + more.hands_by_gap[gap]),
        }
    }

    /// Returns the regret of the best strategy that sets all hands alike that look alike to policies.
    pub(super) fn encoding_regret(&self) -> f64 {
        stakes(self.encoded.lost.iter().sum())
    }

    /// Returns a strategy's exact score.
    pub(super) fn score(&self, name: &str, tally: &StrategyTotals, optimum_ev: f64) -> StrategyScore {
        let regret = |tally: &StrategyTotals| (0..SHAPES).map(|shape| tally.regret(shape)).sum::<f64>();
        let own = regret(tally);
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
            ev: Mean::exact(optimum_ev - own),
            regret: Mean::exact(own),
            is_exact: true,
            over_house_way: Mean::exact(regret(&self.house_way) - own),
            agreement: tally.agreement(0..SHAPES, self.hands.iter().sum()),
            shapes: shapes.collect(),
            gaps: gaps.collect(),
            in_detail: false,
            exploitability: None,
            stochastic_regret: None,
            calibration: None,
        }
    }
}

#[cfg(test)]
mod tests;
