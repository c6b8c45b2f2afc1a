//! Computes a bank's EV and result distribution once its hand is known, and estimates its results against several
//! opponents by Monte Carlo sampling, with standard errors.

use super::ev::BankEv;
use super::joint::{Joint, Joints, OpponentBet, RESULTS};
use crate::Ratio;
use crate::net::NetResults;
use crate::solver::{RARE, Z95};
use houseway_env::cards::Pack;
use houseway_env::cards::profile::Profiles;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::{Chips, commission};
use houseway_env::pai_gow::table::{
    Bank as TableBank, CommissionOnBanker, HOUSE_SEAT, MAX_SEATS, SetBet, TableRules, settle,
};
use houseway_env::pai_gow::{BankerSet, CARDS, Dealt, Game, Hand, SetHand, Setting};
use rand_pcg::Pcg64;
use rayon::prelude::*;

/// The results of a bank that covers all bets, given its set hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBank {
    /// The exact number of opposing hands, out of 53,524,680, that lose to the bank, push, or beat it. There is one
    /// entry per bet.
    pub alone: Vec<[u64; RESULTS]>,
    /// The exact joint results for two opponents. `None` if there are fewer or more.
    pub joint: Option<Joint>,
    /// The exact mean of the bank's winnings before commission, in chips.
    pub mean: Ratio,
    /// The exact variance of the bank's winnings before commission, in squared chips.
    pub variance: Ratio,
    /// The distribution of the bank's winnings after commission, which is either exact or sampled.
    pub net: NetResults,
    /// `true` if `net` is exact, which it is for one or two opponents.
    pub is_exact: bool,
}

impl HeldBank {
    /// Evaluates a bank with the given hand and setting. This takes a few seconds for each pair of ways. Against three
    /// or more opponents, the distribution is sampled with `deals` deals from `seed`.
    ///
    /// # Panics
    /// Panics if the setting is a foul, if there are no bets, more than six bets or bets with tens of millions of chips, or
    /// if sampling is needed and `deals` is 0.
    pub fn evaluate(
        rules: &TableRules,
        game: &Game,
        (hand, setting): (Hand, Setting),
        bets: &[OpponentBet<'_>],
        deals: u64,
        seed: u64,
    ) -> HeldBank {
        let joints = Joints::evaluate(game, hand, setting, bets);
        let joint = (bets.len() == 2).then(|| joints.pair(0, 1));
        let stake = bets.iter().map(|bet| bet.bet).sum();
        let results = 0..RESULTS;
        let net = match (bets, &joint) {
            ([one], _) => {
                let counts = results.zip(joints.alone[0]);
                counts.map(|(result, count)| (net(rules, &[(one.bet, result)]), count.into())).collect()
            }
            ([first, second], Some(joint)) => {
                let cells = results.clone().flat_map(|a| results.clone().map(move |b| [a, b]));
                let net = |[a, b]: [usize; 2]| net(rules, &[(first.bet, a), (second.bet, b)]);
                cells.map(|cell| (net(cell), joint.counts[cell[0]][cell[1]].into())).collect()
            }
            _ => {
                let sampled: Vec<SampledBet<'_>> = bets.iter().map(SampledBet::from).collect();
                sample_held(rules, game, (hand, game.set(hand, setting)), stake, &sampled, deals, seed).net
            }
        };
        let [mean, variance] = joints.moments(bets);
        HeldBank { alone: joints.alone, joint, mean, variance, net, is_exact: bets.len() <= 2 }
    }

    /// Returns the winnings after commission and fee when the bank loses all bets, and when it wins all.
    pub fn extremes(rules: &TableRules, bets: &[Chips]) -> [Chips; 2] {
        [2, 0].map(|result| net(rules, &bets.iter().map(|&bet| (bet, result)).collect::<Vec<_>>()))
    }

    /// Returns the probability that the winnings satisfy `inside`, and its standard error, which is 0 if the
    /// distribution is exact.
    pub fn chance(&self, inside: impl Fn(Chips) -> bool) -> (f64, f64) {
        let deals: u128 = self.net.results().filter(|&(chips, _)| inside(chips)).map(|(_, deals)| deals).sum();
        let all = self.net.deals();
        let chance = deals as f64 / all as f64;
        (chance, if self.is_exact { 0.0 } else { (chance * (1.0 - chance) / all as f64).sqrt() })
    }

    /// Returns the 95% confidence interval of a [chance](Self::chance), or `None` if the distribution is exact.
    pub fn chance_interval(&self, inside: impl Fn(Chips) -> bool) -> Option<[f64; 2]> {
        let (chance, error) = self.chance(inside);
        let deals = self.net.deals() as f64;
        // The normal approximation is too narrow for few deals, whether the event is rare or its opposite.
        let limits =
            |chance: f64| RARE.get((chance * deals).round() as usize).map(|limits| limits.map(|it| it / deals));
        let [low, high] = match (limits(chance), limits(1.0 - chance)) {
            (Some(limits), _) => limits,
            (_, Some([low, high])) => [1.0 - high, 1.0 - low],
            _ => [chance - Z95 * error, chance + Z95 * error],
        };
        (!self.is_exact).then_some([low.max(0.0), high.min(1.0)])
    }
}

/// Returns the winnings of a bank that covers all bets. Each bet comes with its result: 0 if the bank wins, 1 for a
/// push and 2 if it loses.
fn net(rules: &TableRules, results: &[(Chips, usize)]) -> Chips {
    let won = |&(bet, result): &(Chips, usize)| [bet, 0, -bet][result];
    let gross: Chips = results.iter().map(won).sum();
    let (rate, bets) = (rules.bank_commission, results.iter().map(|result| result.0).sum());
    gross
        - rules.bank_collection.fee(bets)
        - match rules.commission_on_banker {
            CommissionOnBanker::None => 0,
            CommissionOnBanker::NetWin => commission(rate, gross),
            CommissionOnBanker::PerBet => results.iter().map(|result| commission(rate, won(result))).sum(),
        }
}

/// The number of deals per random stream. Fixing it makes results independent of the number of threads.
const CHUNK: u64 = 1 << 14;

/// A bank's results over random deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledBank {
    /// The bank's winnings after commission.
    pub net: NetResults,
    /// The commission paid.
    pub commission: NetResults,
}

impl SampledBank {
    /// Returns the mean of the bank's winnings and its standard error, in chips.
    pub fn mean(&self) -> (f64, f64) {
        with_error(&self.net)
    }

    /// Returns the EV and its standard error, computed as the exact mean before commission minus the sampled mean
    /// commission. This is far more precise than [`SampledBank::mean`].
    pub fn mean_by(&self, exact: &BankEv) -> (f64, f64) {
        if let Some(exact) = exact.exact() {
            return (exact.value(), 0.0);
        }
        let (mean, error) = with_error(&self.commission);
        (exact.gross.value() - mean, error)
    }

    /// Returns the [Kelly size](NetResults::kelly_size) if the EV is the given one, such as that of
    /// [`SampledBank::mean_by`]. The size is nearly proportional to the EV, so this removes most of the sampling error.
    pub fn kelly_size(&self, ev: f64, bankroll: Chips) -> f64 {
        self.net.kelly_size_with(ev - self.net.ev().value(), bankroll)
    }

    /// Returns the expected log growth of a bankroll in chips and its standard error, computed with an EV and its standard
    /// error, such as those of [`SampledBank::mean_by`]. The growth is negative infinity if any deal lost the entire
    /// bankroll.
    pub fn log_growth(&self, (ev, error): (f64, f64), bankroll: f64) -> (f64, f64) {
        if self.net.log_growth(bankroll).is_infinite() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        // What the growth has beside its linear part hardly varies.
        let rest = |chips: Chips| (1.0 + chips as f64 / bankroll).ln() - chips as f64 / bankroll;
        let deals = self.net.deals() as f64;
        let mean = self.net.results().map(|(chips, deals)| deals as f64 * rest(chips)).sum::<f64>() / deals;
        let square = |(chips, deals): (Chips, u128)| deals as f64 * (rest(chips) - mean).powi(2);
        let variance = self.net.results().map(square).sum::<f64>() / deals;
        (mean + ev / bankroll, (variance / deals).sqrt().hypot(error / bankroll))
    }
}

fn with_error(results: &NetResults) -> (f64, f64) {
    (results.ev().value(), (results.variance() / results.deals() as f64).sqrt())
}

/// A bet against the bank, and a function that sets its hands.
pub struct SampledBet<'a> {
    /// The bet, in chips.
    pub bet: Chips,
    /// Sets a hand.
    pub set: Box<dyn Fn(Dealt) -> SetHand + Sync + 'a>,
}

impl<'a> From<&OpponentBet<'a>> for SampledBet<'a> {
    fn from(&OpponentBet { bet, way }: &OpponentBet<'a>) -> SampledBet<'a> {
        let profiles = Profiles::get();
        SampledBet { bet, set: Box::new(move |dealt| way.set(dealt.profile(profiles))) }
    }
}

/// Deals rounds to a bank and its opponents, and settles them with the table's own code. `banker` sets the bank's
/// hands. The button is assigned uniformly at random, but this matters only if the stake doesn't cover all bets.
/// Results depend only on the seed and not on the number of threads.
///
/// # Panics
/// Panics if there are no deals, no opponents or more than six opponents.
pub fn sample_bank(
    rules: &TableRules,
    game: &Game,
    banker: &(dyn Fn(Dealt) -> SetHand + Sync),
    stake: Chips,
    bets: &[SampledBet<'_>],
    deals: u64,
    seed: u64,
) -> SampledBank {
    let bank = |pack: &mut Pack, rng: &mut Pcg64| {
        let dealt = Dealt::draw(pack, rng).expect("a pack has enough cards for seven hands");
        game.banker_set(dealt.hand(), banker(dealt))
    };
    sample(rules, game, &Pack::new(CARDS), &bank, stake, bets, deals, seed)
}

/// Samples like [`sample_bank`], but for a banker with the given hand and set hand.
pub(crate) fn sample_held(
    rules: &TableRules,
    game: &Game,
    (hand, set): (Hand, SetHand),
    stake: Chips,
    bets: &[SampledBet<'_>],
    deals: u64,
    seed: u64,
) -> SampledBank {
    let set = game.banker_set(hand, set);
    sample(rules, game, &Pack::without(CARDS, hand.set()), &|_, _| set, stake, bets, deals, seed)
}

/// A function that deals the bank's hand from a pack and sets it.
type BankHand<'a> = dyn Fn(&mut Pack, &mut Pcg64) -> BankerSet + Sync + 'a;

#[allow(clippy::too_many_arguments)] // all of them describe a round
fn sample(
    rules: &TableRules,
    game: &Game,
    pack: &Pack,
    bank: &BankHand<'_>,
    stake: Chips,
    bets: &[SampledBet<'_>],
    deals: u64,
    seed: u64,
) -> SampledBank {
    assert!((1..MAX_SEATS).contains(&bets.len()), "a bank has one to six opponents, not {}", bets.len());
    assert!(deals > 0, "at least one deal is required");
    let rules = TableRules { seats: houseway_env::pai_gow::table::TableSize::SEVEN, ..*rules };
    let chunk = |chunk: u64| {
        let (mut rng, mut pack) = (stream(StreamSeed { seed, lane: chunk }), *pack);
        let mut sample = SampledBank { net: NetResults::new(1), commission: NetResults::new(1) };
        for deal in 0..CHUNK.min(deals - chunk * CHUNK) {
            let button = 2 + (deal as usize) % bets.len();
            let (net, commission) = one_deal(&rules, game, (&mut pack, bank), stake, bets, button, &mut rng);
            sample.net.add(net, 1);
            sample.commission.add(commission, 1);
        }
        sample
    };
    let merge = |mut a: SampledBank, b: SampledBank| {
        b.net.results().for_each(|(chips, deals)| a.net.add(chips, deals));
        b.commission.results().for_each(|(chips, deals)| a.commission.add(chips, deals));
        a
    };
    let chunks = (0..deals.div_ceil(CHUNK)).into_par_iter().map(chunk);
    chunks.reduce_with(merge).expect("there is at least one chunk")
}

/// Plays one deal. The bank sits at seat 1, followed by its opponents. The house's seat comes last.
fn one_deal(
    rules: &TableRules,
    game: &Game,
    (pack, bank): (&mut Pack, &BankHand<'_>),
    stake: Chips,
    bets: &[SampledBet<'_>],
    button: usize,
    rng: &mut Pcg64,
) -> (Chips, Chips) {
    pack.gather();
    let bank = bank(pack, rng);
    let mut wagers = [None; MAX_SEATS];
    let seats = (2..MAX_SEATS).chain([HOUSE_SEAT]);
    for (seat, bet) in seats.zip(bets) {
        let dealt = Dealt::draw(pack, rng).expect("a pack has enough cards for seven hands");
        wagers[seat] = Some(SetBet { bet: bet.bet, set: (bet.set)(dealt) });
    }
    let settled = settle(rules, game, TableBank::Seat { seat: 1, stake }, bank, &wagers, button % MAX_SEATS);
    (settled.bank_net - settled.bank_commission, settled.bank_commission)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::whole::Side;
    use crate::pai_gow::{BANKER_HANDS, BankerTable, HandEvaluator};
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use houseway_env::rules::RuleSet;

    fn rules(reading: &str) -> TableRules {
        TableRules::default().with(&format!("commission-on-banker={reading}")).unwrap()
    }

    #[test]
    fn commission_matches_the_table() {
        let results = [(100, 0), (60, 2), (20, 1)];
        assert_eq!(["none", "per_bet", "net_win"].map(|reading| net(&rules(reading), &results)), [40, 35, 38]);
        assert_eq!(net(&rules("net_win"), &[(100, 2), (60, 0)]), -40);
    }

    const HAND: &str = "As Kd Jk 7c 7d 2h 3s";

    fn held(game: &Game, bets: &[OpponentBet<'_>]) -> (Hand, Setting, HeldBank) {
        let (hand, setting): (Hand, _) = (HAND.parse().unwrap(), Setting::from_index(15).unwrap());
        (hand, setting, HeldBank::evaluate(&rules("none"), game, (hand, setting), bets, 60_000, 4))
    }

    #[test]
    #[ignore = "takes 25 s to enumerate the joint results of two opponents"]
    fn two_opponents_match_exact_counts_and_simulation() {
        let game = Game::new(Rules::default());
        let ways =
            [BankerTable::new(&ProfileTable::max_front(&game)), BankerTable::new(&ProfileTable::max_back(&game))];
        let bets = [(40, 1), (100, 0)].map(|(bet, way)| OpponentBet { bet, way: &ways[way] });
        let (hand, setting, two) = held(&game, &bets);
        for (bet, results) in bets.iter().zip(&two.alone) {
            let counts = HandEvaluator::new(&game, bet.way).count_for(Side::Banker, hand).get(setting).unwrap();
            assert_eq!(*results, [counts.wins, counts.pushes, counts.losses]);
        }
        let joint = two.joint.unwrap();
        assert_eq!(joint.pairs(), BANKER_HANDS * 15_380_937);
        assert_eq!([joint.first(), joint.second()].map(|counts| counts.map(|count| count / 15_380_937)), two.alone[..]);
        assert_eq!((joint.turned().first(), joint.turned().counts[0][2]), (joint.second(), joint.counts[2][0]));
        assert_eq!((two.net.deals(), two.net.ev(), two.is_exact), (joint.pairs().into(), two.mean, true));
        assert!((two.net.variance() / two.variance.value() - 1.0).abs() < 1e-9);
        assert_eq!(two.chance(|chips| chips == 140), (joint.counts[0][0] as f64 / joint.pairs() as f64, 0.0));
        let opponents = bets.each_ref().map(SampledBet::from);
        let set = game.set(hand, setting);
        let sampled = sample_held(&rules("none"), &game, (hand, set), 140, &opponents, 60_000, 9).net;
        for (chips, deals) in two.net.results() {
            let p = deals as f64 / two.net.deals() as f64;
            let found =
                sampled.results().find(|(other, _)| *other == chips).map_or(0, |(_, deals)| deals) as f64 / 60_000.0;
            assert!((found - p).abs() < 4.5 * (p * (1.0 - p) / 60_000.0).sqrt(), "{chips}: {found} {p}");
        }
    }

    #[test]
    #[ignore = "takes 1 min to evaluate one opponent, and three opponents pair by pair"]
    fn one_and_three_opponents_match_exact_counts_and_simulation() {
        let game = Game::new(Rules::default());
        let ways =
            [BankerTable::new(&ProfileTable::max_front(&game)), BankerTable::new(&ProfileTable::max_back(&game))];
        // Put the second way first, so that pairs are also looked up in reverse order.
        let bets = [(40, 1), (100, 0), (60, 1)].map(|(bet, way)| OpponentBet { bet, way: &ways[way] });
        let one = held(&game, &bets[..1]).2;
        assert_eq!((one.net.deals(), one.net.ev(), one.joint), (BANKER_HANDS.into(), one.mean, None));
        assert!((one.net.variance() / one.variance.value() - 1.0).abs() < 1e-9);
        let three = held(&game, &bets).2;
        assert_eq!((three.alone[0], three.alone[2]), (one.alone[0], one.alone[0]));
        // The exact mean and variance also hold for the sample, which has no commission.
        let error = (three.variance.value() / 60_000.0).sqrt();
        assert!(!three.is_exact && (three.net.ev().value() - three.mean.value()).abs() < 4.5 * error);
        assert!((three.net.variance() / three.variance.value() - 1.0).abs() < 0.03);
        assert!(three.mean > Ratio::ZERO && three.chance(|chips| chips > 0).1 > 0.0);
        // Events that never or always happen in a sample have intervals too.
        let deals = three.net.deals() as f64;
        assert_eq!(three.chance_interval(|_| false), Some([0.0, RARE[0][1] / deals]));
        assert_eq!(three.chance_interval(|_| true), Some([1.0 - RARE[0][1] / deals, 1.0]));
        assert_eq!(one.chance_interval(|_| true), None);
    }
}
