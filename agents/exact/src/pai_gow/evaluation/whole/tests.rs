use super::*;
use crate::pai_gow::PowerRating;
use crate::pai_gow::policy::{PolicyStrategy, suits_of};
use crate::pai_gow::tests::{game, trump_plaza};
use crate::pai_gow::whole::{Play, Shard, Side};
use houseway_env::gym::{Choices, FnPolicy};
use houseway_env::pai_gow::observe::candidates::{LEN, ROW};
use houseway_env::pai_gow::{Candidates, ProfileTable};

/// Returns a policy that scores each row with arbitrary weights and picks the legal row with the highest score.
fn scores() -> impl Policy {
    FnPolicy::new("scores", "candidates", |observations, masks| {
        let score = |row: &[f32], context: &[f32]| -> i32 {
            let numbers = row.iter().chain(context).enumerate();
            numbers.map(|(i, x)| (x * 8192.0) as i32 * (i as i32 * 37 % 101 - 50)).sum()
        };
        let choose = |(observation, mask): (&[f32], &[bool])| {
            let (rows, context) = observation.split_at(Setting::COUNT * ROW);
            let rows = rows.chunks_exact(ROW).enumerate().filter(|(i, _)| mask[*i]);
            rows.max_by_key(|(i, row)| (score(row, context), std::cmp::Reverse(*i))).unwrap().0
        };
        observations.chunks_exact(LEN).zip(masks.chunks_exact(Setting::COUNT)).map(choose).collect::<Vec<usize>>()
    })
}

/// Returns a stochastic policy that takes all legal settings with the same probability.
fn uniform() -> impl Policy {
    FnPolicy::new("uniform", "candidates", |_, masks| {
        let mut actions = vec![];
        let mut probabilities = vec![];
        for mask in masks.chunks_exact(Setting::COUNT) {
            actions.push(mask.iter().position(|&legal| legal).unwrap());
            let share = 1.0 / mask.iter().filter(|&&legal| legal).count() as f32;
            probabilities.extend(mask.iter().map(|&legal| if legal { share } else { 0.0 }));
        }
        Choices { actions, scores: Scores::Probabilities(probabilities) }
    })
}

/// Adds up the deals of a strategy that sets every class by itself.
fn deals_of(strategy: &dyn Strategy, whole: &Pass<'_>, run: &Run<'_>) -> DealCounts {
    let visit = |total: &mut DealCounts, classes: &[ClassCounts]| {
        let hands: Vec<Hand> = classes.iter().map(|class| class.hand).collect();
        classes.iter().zip(strategy.set_batch(&hands)).for_each(|(class, setting)| total.add(class, setting));
    };
    whole.fold(run, DealCounts::default, visit, DealCounts::plus).unwrap()
}

#[test]
fn groups_of_hands_are_evaluated_as_the_hands_one_by_one() {
    let game = game();
    let table = BankerTable::new(&trump_plaza(game));
    let whole = Pass::new(game, Side::Player, &table);
    let power = PowerRating::new(game, &table);
    let (scored, uniform) = (scores(), uniform());
    let evaluation = WholeEvaluation { game, house_way: &table, baselines: &[&power], policies: &[&scored, &uniform] };
    // One shard has the joker, and the other doesn't.
    for shard in [7, 500] {
        let run = Run { shard: Shard::new(shard, 700).unwrap(), ..Run::default() };
        let scores = evaluation.totals(&whole, &run).unwrap();
        let agents = || [&scores.policies[0], &scores.baselines[0]].into_iter();
        let payoff = Payoff::player(&game.rules());
        // A stochastic policy loses what the random baseline does.
        let random: f64 = stakes(scores.random.lost.iter().sum());
        let stochastic = scores.policies[1].scored.stochastic_regret(HANDS).unwrap();
        assert!((stochastic / random - 1.0).abs() < 1e-4, "{stochastic} instead of {random}");
        assert!(
            (scores.policies[0].scored.stochastic_regret(HANDS), scores.policies[0].scored.calibration())
                == (None, None)
        );
        let mut totals = whole.totals(&[Play::Profiles(&table), Play::Best(payoff)], &run).unwrap();
        let policy = PolicyStrategy::new(game, &scored);
        totals.extend([&policy as &dyn Strategy, &power].map(|strategy| deals_of(strategy, &whole, &run)));
        assert!(totals[0].all() > 0);
        let own = [&scores.house_way, &scores.optimum].into_iter().chain(agents());
        let gain = |deals: &DealCounts| deals.gain(payoff);
        for (tally, total) in own.zip(&totals) {
            assert_eq!(tally.deals, *total);
            let lost: i128 = tally.lost.iter().sum();
            assert_eq!(lost, (gain(&totals[1]) - gain(total)) * i128::from(RANDOM_WEIGHT));
        }
        let hands: u64 = scores.hands.iter().sum();
        assert_eq!(hands * BANKER_HANDS, totals[0].all());
        assert_eq!(scores.optimum.agreeing.iter().sum::<u128>(), u128::from(hands) * u128::from(RANDOM_WEIGHT));
        // No regret is negative, and only the optimum has no regret.
        let lost = |tally: &StrategyTotals| tally.lost.iter().sum::<i128>();
        assert!(agents().all(|tally| lost(tally) > 0) && lost(&scores.random) > lost(&scores.house_way));
        assert!(lost(&scores.contender) > lost(&scores.house_way) && lost(&scores.contender) < lost(&scores.random));
        // Nothing that sees hands as the policy does loses less than the best strategy that does.
        assert!((0..=lost(&scores.policies[0])).contains(&lost(&scores.encoded)));
        assert!(lost(&scores.encoded) < lost(&scores.house_way) / 100);
        for tally in [&scores.random, &scores.house_way, &scores.encoded].into_iter().chain(agents()) {
            assert_eq!(tally.lost_by_gap.iter().sum::<i128>(), lost(tally));
            // A hand that is set wrong costs at least its gap.
            assert!(tally.lost_by_gap.iter().all(|&lost| lost >= 0));
        }
        assert_eq!(scores.hands_by_gap.iter().sum::<u64>(), hands);
        let agreeing = |tally: &StrategyTotals| tally.agreeing.iter().sum::<u128>();
        assert!(agreeing(&scores.contender) > agreeing(&scores.random));
    }
}

#[test]
fn hands_of_a_group_have_the_same_observation() {
    let game = game();
    let table = BankerTable::new(&ProfileTable::max_front(game));
    let whole = Pass::new(game, Side::Player, &table);
    let run = Run { shard: Shard::new(11, 900).unwrap(), ..Run::default() };
    let observe = |hand: Hand| Observations::new(game, [Candidates::new(game, hand)].iter());
    let visit = |checked: &mut usize, classes: &[ClassCounts]| {
        for class in classes {
            let candidates = Candidates::new(game, class.hand);
            assert_eq!((*candidates.sets(), candidates.legal()), (class.sets, class.legal), "{}", class.hand);
            let equal = |other: &&ClassCounts| {
                (other.legal, other.sets, suits_of(other.hand)) == (class.legal, class.sets, suits_of(class.hand))
            };
            let first = classes.iter().find(equal).expect("a class is equal to itself");
            assert!(observe(first.hand) == observe(class.hand), "{} and {}", first.hand, class.hand);
            *checked += 1;
        }
    };
    assert!(whole.fold(&run, || 0, visit, |a, b| a + b).unwrap() > 1000);
}
