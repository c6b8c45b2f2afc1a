//! The bank's optimal settings. Copies go to the bank, and the same setting is used against all opponents.

use super::joint::OpponentBet;
use crate::Ratio;
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, Payoff, Side};
use crate::pai_gow::table::ClassTable;
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, Run, Shard};
use houseway_env::cards::classes::Classes;
use houseway_env::money::Chips;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Hand, Setting};
use std::cmp::Reverse;

/// Returns each way with the sum of its bets, so that a way is evaluated only once.
fn by_way<'a>(bets: &[OpponentBet<'a>]) -> Vec<(&'a BankerTable, Chips)> {
    let mut ways: Vec<(&BankerTable, Chips)> = vec![];
    for bet in bets {
        match ways.iter_mut().find(|(way, _)| std::ptr::eq(*way, bet.way)) {
            Some((_, sum)) => *sum += bet.bet,
            None => ways.push((bet.way, bet.bet)),
        }
    }
    ways
}

/// Returns the gain of each setting of a banker's hand against the bets, in millionths of a chip over all hands of an
/// opponent, or `None` for fouls. The payoff is the bank's.
pub(in crate::pai_gow) fn setting_gains(
    game: &Game,
    hand: Hand,
    bets: &[OpponentBet<'_>],
    payoff: Payoff,
) -> [Option<i128>; Setting::COUNT] {
    let mut gains = [Some(0); Setting::COUNT];
    for (way, bet) in by_way(bets) {
        let counts = HandEvaluator::new(game, way).count_for(Side::Banker, hand);
        for (sum, counts) in gains.iter_mut().zip(counts.settings()) {
            let gain = counts.map(|counts| i128::from(payoff.gain(counts.wins as i64, counts.losses as i64)));
            *sum = sum.zip(gain).map(|(sum, gain)| sum + gain * i128::from(bet));
        }
    }
    gains
}

/// Returns the setting of a banker's hand with the highest EV against the bets, and that EV in chips. The lowest index
/// wins ties. The payoff is the bank's. It must be linear in the bets, so there must be either no commission or a
/// commission on each bet.
///
/// # Panics
/// Panics if there are no bets.
pub fn best_setting(game: &Game, hand: Hand, bets: &[OpponentBet<'_>], payoff: Payoff) -> (Setting, Ratio) {
    assert!(!bets.is_empty(), "a bank requires at least one bet");
    let gains = setting_gains(game, hand, bets, payoff);
    let gain = |setting: Setting| gains[setting.index()];
    let best = Setting::all().min_by_key(|&setting| Reverse(gain(setting))).expect("the iterator is not empty");
    let hands = i128::from(BANKER_HANDS) * i128::from(Rate::WHOLE);
    (best, Ratio::new(gain(best).expect("every hand has a legal setting"), hands))
}

/// The bank's best response to a mix of ways.
pub struct MixedOptimum {
    /// The setting for every hand class, which can be used as a strategy.
    pub table: ClassTable,
    /// The bank's outcome counts over all deals against each bet, in the order of the bets.
    pub counts: Vec<DealCounts>,
}

impl MixedOptimum {
    /// Computes the best response to the bets under a payoff for the bank. This takes 30 seconds per way.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if there are no bets, or if the run is restricted to a shard.
    pub fn compute(
        name: &str,
        game: &Game,
        bets: &[OpponentBet<'_>],
        payoff: Payoff,
        run: &Run<'_>,
    ) -> Result<MixedOptimum, Cancelled> {
        assert!(!bets.is_empty(), "a bank requires at least one bet");
        assert_eq!(run.shard, Shard::WHOLE, "a class table requires all classes");
        let ways = by_way(bets);
        let (counts, table) = ClassTable::fill(name, |put| choose(game, &ways, payoff, run, put))?;
        let place = |bet: &OpponentBet<'_>| ways.iter().position(|(way, _)| std::ptr::eq(*way, bet.way));
        let counts = bets.iter().map(|bet| counts[place(bet).expect("the way of every bet is in the list")]).collect();
        Ok(MixedOptimum { table, counts })
    }
}

/// Chooses a setting for each class against all ways together, and passes it to `put`. Returns the results against each
/// way.
fn choose(
    game: &Game,
    ways: &[(&BankerTable, Chips)],
    payoff: Payoff,
    run: &Run<'_>,
    put: &(dyn Fn(usize, Setting) + Sync),
) -> Result<Vec<DealCounts>, Cancelled> {
    let visit = |totals: &mut Vec<DealCounts>, classes: &[&[ClassCounts]]| {
        for i in 0..classes[0].len() {
            let class: Vec<&ClassCounts> = classes.iter().map(|of_way| &of_way[i]).collect();
            let gain = |&setting: &Setting| -> i128 {
                let gain = |class: &ClassCounts, bet: Chips| i128::from(class.gain(setting, payoff)) * i128::from(bet);
                class.iter().zip(ways).map(|(class, &(_, bet))| gain(class, bet)).sum()
            };
            let best = class[0].legal_settings().min_by_key(|setting| Reverse(gain(setting)));
            let best = best.expect("every hand has a legal setting");
            totals.iter_mut().zip(&class).for_each(|(total, class)| total.add(class, best));
            put(Classes::seven().index(class[0].hand.set()), best);
        }
    };
    let passes: Vec<Pass<'_>> = ways.iter().map(|(way, _)| Pass::new(game, Side::Banker, way)).collect();
    let merge = |a: Vec<DealCounts>, b: Vec<DealCounts>| a.into_iter().zip(b).map(|(a, b)| a.plus(b)).collect();
    Pass::fold_each(&passes, run, || vec![DealCounts::default(); ways.len()], visit, merge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::AnyLegal;
    use crate::pai_gow::table::canonical_hand;
    use crate::pai_gow::whole::Play;
    use houseway_env::pai_gow::ProfileTable;
    use houseway_env::pai_gow::Rules;
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    fn payoff() -> Payoff {
        Payoff::with_commission("0.05".parse().unwrap())
    }

    #[test]
    fn the_best_setting_has_the_highest_exact_ev() {
        let game = Game::new(Rules::default());
        let ways = [BankerTable::new(&ProfileTable::max_front(&game)), BankerTable::new(&AnyLegal::new(&game, 3))];
        let bets = [(0, 20), (1, 400), (0, 60)].map(|(way, bet)| OpponentBet { bet, way: &ways[way] });
        for hand in ["As Kd Jk 7c 7d 2h 3s", "Qs Qd 9c 8d 5h 4c 2s", "Ks Kd 8c 8d 5h 5c 2s"] {
            let hand: Hand = hand.parse().unwrap();
            let (best, ev) = best_setting(&game, hand, &bets, payoff());
            let ev_of = |setting: Setting| {
                let evs = bets.iter().map(|bet| {
                    let counts = HandEvaluator::new(&game, bet.way).count_for(Side::Banker, hand).get(setting)?;
                    Some((0.95 * counts.wins as f64 - counts.losses as f64) / BANKER_HANDS as f64 * bet.bet as f64)
                });
                evs.sum::<Option<f64>>()
            };
            let evs: Vec<Option<f64>> = Setting::all().map(ev_of).collect();
            assert!((evs[best.index()].unwrap() - ev.value()).abs() < 1e-9);
            assert!(evs.iter().flatten().all(|&other| other <= ev.value() + 1e-9));
        }
    }

    #[test]
    fn a_shard_of_one_way_is_the_optimum_and_of_two_beats_both() {
        let game = Game::new(Rules::default());
        let ways =
            [BankerTable::new(&ProfileTable::max_front(&game)), BankerTable::new(&ProfileTable::max_back(&game))];
        let run = Run { shard: Shard::new(5, 600).unwrap(), ..Run::default() };
        let counts = |bets: [Chips; 2]| {
            let ways: Vec<_> = ways.iter().zip(bets).collect();
            let chosen = Mutex::new(BTreeMap::new());
            let put = |class, setting| assert_eq!(chosen.lock().unwrap().insert(class, setting), None);
            let counts = choose(&game, &ways, payoff(), &run, &put).unwrap();
            let chosen = chosen.into_inner().unwrap();
            assert!(chosen.len() > 100 && counts[0].all() == counts[1].all());
            (counts, chosen)
        };
        let (mixed, chosen) = counts([100, 100]);
        let optima = [0, 1].map(|i| {
            let (alone, settings) = counts(if i == 0 { [1, 0] } else { [0, 1] });
            let optimum = Pass::new(&game, Side::Banker, &ways[i]).totals(&[Play::Best(payoff())], &run).unwrap()[0];
            assert_eq!(alone[i], optimum);
            // The optimum against one way is no better than the mixed optimum against both.
            let both = alone[0].ev(payoff()) + alone[1].ev(payoff());
            assert!(both <= mixed[0].ev(payoff()) + mixed[1].ev(payoff()));
            assert!(mixed[i].ev(payoff()) <= optimum.ev(payoff()));
            settings
        });
        assert!(optima[0] != optima[1] && (optima[0] != chosen || optima[1] != chosen));
        // For every class, the choice matches the best setting for a single hand.
        let bets = [0, 1].map(|i| OpponentBet { bet: 100, way: &ways[i] });
        for (&class, &setting) in chosen.iter().step_by(chosen.len() / 20) {
            let hand = canonical_hand(class);
            assert_eq!(best_setting(&game, hand, &bets, payoff()).0, setting, "{hand}");
        }
    }

    #[test]
    #[ignore = "takes 2 min to find the bank's optimum over all deals, against two ways and against one of them"]
    fn the_mixed_optimum_of_the_full_game() {
        let game = Game::new(Rules::default());
        let ways =
            [BankerTable::new(&ProfileTable::max_front(&game)), BankerTable::new(&ProfileTable::max_back(&game))];
        let bets = [0, 1, 0].map(|i| OpponentBet { bet: 100, way: &ways[i] });
        let mixed = MixedOptimum::compute("mixed", &game, &bets, payoff(), &Run::default()).unwrap();
        assert!(mixed.counts.iter().all(|counts| counts.all() == 8_250_459_031_214_400));
        assert_eq!(mixed.counts[0], mixed.counts[2]);
        let one = MixedOptimum::compute("one", &game, &bets[..1], payoff(), &Run::default()).unwrap();
        let whole = Pass::new(&game, Side::Banker, &ways[0]);
        let totals = whole.totals(&[Play::Best(payoff()), Play::Classes(&one.table)], &Run::default());
        let totals = totals.unwrap();
        assert_eq!((totals[0], totals[1]), (one.counts[0], one.counts[0]));
        assert!(mixed.counts[0].ev(payoff()) <= totals[0].ev(payoff()));
    }
}
