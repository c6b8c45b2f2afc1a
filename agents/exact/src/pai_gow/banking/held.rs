//! Computes a bank's EV and result distribution once its hand is known.

use super::growth::Distribution;
use super::joint::{Conditional, Joint, Joints, OpponentBet, RESULTS};
use super::sample::{SampledBet, sample_held};
use houseway_env::money::{Chips, commission};
use houseway_env::pai_gow::table::{CommissionOnBanker, TableRules};
use houseway_env::pai_gow::{Game, Hand, SetHand};

/// The results of a bank that covers all bets, given its set hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBank {
    /// The exact number of opposing hands, out of 53,524,680, that lose to the bank, push, or beat it. There is one
    /// entry per bet.
    pub alone: Vec<[u64; RESULTS]>,
    /// The exact joint results for two opponents. `None` if there are fewer or more.
    pub joint: Option<Joint>,
    /// The exact mean and variance of the bank's winnings before commission.
    pub moments: Conditional,
    /// The distribution of the bank's winnings after commission, which is either exact or sampled.
    pub net: Distribution,
    /// `true` if `net` is exact, which it is for one or two opponents.
    pub is_exact: bool,
}

impl HeldBank {
    /// Evaluates a bank with the given hand and set hand. This takes a few seconds for each pair of ways. Against three
    /// or more opponents, the distribution is sampled with `deals` deals from `seed`.
    ///
    /// # Panics
    /// Panics if there are no bets, more than six bets or bets with tens of millions of chips, or if sampling is needed
    /// and `deals` is 0.
    pub fn evaluate(
        rules: &TableRules,
        game: &Game,
        (hand, set): (Hand, SetHand),
        bets: &[OpponentBet<'_>],
        deals: u64,
        seed: u64,
    ) -> HeldBank {
        let joints = Joints::evaluate(game, hand, set, bets);
        let alone: Vec<_> = (0..bets.len()).map(|i| joints.alone(i)).collect();
        let joint = (bets.len() == 2).then(|| joints.pair(0, 1));
        let stake = bets.iter().map(|bet| bet.bet).sum();
        let net = match (bets, &joint) {
            ([one], _) => one_bet(rules, one.bet, alone[0]),
            ([first, second], Some(joint)) => two_bets(rules, [first.bet, second.bet], joint),
            _ => {
                let sampled: Vec<SampledBet<'_>> = bets.iter().map(SampledBet::from).collect();
                sample_held(rules, game, (hand, set), stake, &sampled, deals, seed).net
            }
        };
        HeldBank { alone, joint, moments: joints.moments(bets), net, is_exact: bets.len() <= 2 }
    }

    /// Returns the winnings after commission when the bank wins all bets.
    pub fn most(rules: &TableRules, bets: &[Chips]) -> Chips {
        let won: Vec<(Chips, usize)> = bets.iter().map(|&bet| (bet, 0)).collect();
        net(rules, &won)
    }

    /// Returns the probability that the winnings satisfy `inside`, and its standard error, which is 0 if the
    /// distribution is exact.
    pub fn chance(&self, inside: impl Fn(Chips) -> bool) -> (f64, f64) {
        let (weight, all) =
            (self.net.results().filter(|&(chips, _)| inside(chips)).map(|(_, weight)| weight), self.net.weight());
        let chance = weight.sum::<u64>() as f64 / all as f64;
        (chance, if self.is_exact { 0.0 } else { (chance * (1.0 - chance) / all as f64).sqrt() })
    }
}

fn one_bet(rules: &TableRules, bet: Chips, counts: [u64; RESULTS]) -> Distribution {
    counts.iter().enumerate().map(|(result, &count)| (net(rules, &[(bet, result)]), count)).collect()
}

fn two_bets(rules: &TableRules, bets: [Chips; 2], joint: &Joint) -> Distribution {
    let cells =
        joint.counts.iter().enumerate().flat_map(|(a, row)| row.iter().enumerate().map(move |(b, &n)| (a, b, n)));
    cells.map(|(a, b, count)| (net(rules, &[(bets[0], a), (bets[1], b)]), count)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ratio;
    use crate::pai_gow::{BANKER_HANDS, BankerTable, HandEvaluator, whole::Side};
    use houseway_env::pai_gow::ProfileTable;
    use houseway_env::pai_gow::{Rules, Setting};
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
        let set = game.set(hand, setting);
        (hand, setting, HeldBank::evaluate(&rules("none"), game, (hand, set), bets, 60_000, 4))
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
        assert_eq!([joint.first(), joint.second()].map(|counts| counts.map(|count| count / 15_380_937)), two.alone[..]);
        assert_eq!((joint.turned().first(), joint.turned().counts[0][2]), (joint.second(), joint.counts[2][0]));
        assert_eq!((two.net.weight(), two.net.mean(), two.is_exact), (joint.pairs(), two.moments.mean, true));
        assert!((two.net.variance() / two.moments.variance.value() - 1.0).abs() < 1e-9);
        assert_eq!(two.chance(|chips| chips == 140), (joint.counts[0][0] as f64 / joint.pairs() as f64, 0.0));
        let opponents = bets.each_ref().map(SampledBet::from);
        let set = game.set(hand, setting);
        let sampled = sample_held(&rules("none"), &game, (hand, set), 140, &opponents, 60_000, 9).net;
        for (chips, weight) in two.net.results() {
            let p = weight as f64 / two.net.weight() as f64;
            let found = sampled.chance(chips).value();
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
        assert_eq!((one.net.weight(), one.net.mean(), one.joint), (BANKER_HANDS, one.moments.mean, None));
        assert!((one.net.variance() / one.moments.variance.value() - 1.0).abs() < 1e-9);
        let three = held(&game, &bets).2;
        assert_eq!((three.alone[0], three.alone[2]), (one.alone[0], one.alone[0]));
        // The exact mean and variance also hold for the sample, which has no commission.
        let error = (three.moments.variance.value() / 60_000.0).sqrt();
        assert!(!three.is_exact && (three.net.mean().value() - three.moments.mean.value()).abs() < 4.5 * error);
        assert!((three.net.variance() / three.moments.variance.value() - 1.0).abs() < 0.03);
        assert!(three.moments.mean > Ratio::ZERO && three.chance(|chips| chips > 0).1 > 0.0);
    }
}
