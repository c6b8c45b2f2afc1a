//! Decisions for a player who banks against several players who follow house ways.

use super::banker::BankerTable;
use super::hand::HandEvaluator;
use super::outcomes::Side;
use super::strategies::NamedStrategy;
use crate::Ratio;
use crate::solver::{Decision, HousePlay, SolverError};
use houseway_env::pai_gow::house_way::{HouseWay, Shape};
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A player's house way and their bet in chips.
pub(super) type Bet = (Arc<HouseWay>, u64);

/// Returns the house way that a strategy consists of.
///
/// # Errors
/// Returns an error if the strategy isn't a house way.
pub(super) fn way_of(strategy: &NamedStrategy) -> Result<Arc<HouseWay>, SolverError> {
    strategy.way().cloned().ok_or_else(|| {
        SolverError::Invalid(format!("invalid strategy '{}' for a player: expected a house way", strategy.name()))
    })
}

/// Returns the EV of every setting for the bank, along with the choice that the strategy `way` makes. EVs are per chip
/// bet against the bank, before commission and with every bet covered.
///
/// Given the bank's hand, every player's hand has the same distribution. The players' hands depend on each other, but
/// the bank's EV is still the sum over the bets.
pub(super) fn bank_decision(game: &Game, hand: Hand, way: &NamedStrategy, bets: &[Bet]) -> Decision {
    // Players with the same house way have the same outcome counts.
    let mut stakes: BTreeMap<&str, (&Arc<HouseWay>, u64)> = BTreeMap::new();
    for (player, bet) in bets {
        stakes.entry(player.name()).or_insert((player, 0)).1 += bet;
    }
    let mut sums = [Some((0i128, 0i128)); Setting::COUNT];
    for (player, stake) in stakes.into_values() {
        let table = BankerTable::shared(player);
        let counts = HandEvaluator::new(game, &table).count_for(Side::Banker, hand);
        for (sum, counts) in sums.iter_mut().zip(counts.settings()) {
            *sum = sum.zip(*counts).map(|((gain, all), counts)| {
                let stake = i128::from(stake);
                let net = i128::from(counts.wins) - i128::from(counts.losses);
                (gain + stake * net, all + stake * i128::from(counts.all()))
            });
        }
    }
    let rule = way.rule(hand).map(|rule| (rule.name.clone(), rule.text.clone()));
    Decision {
        evs: sums.map(|sum| sum.filter(|&(_, all)| all > 0).map(|(gain, all)| Ratio::new(gain, all).value())).to_vec(),
        house: Some(HousePlay { action: way.set(game, hand).index(), strategy: way.name().to_owned(), rule }),
        group: Shape::from_hand(hand).name().to_owned(),
        side_ev: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use crate::pai_gow::{BankerTable, HandEvaluator, SOLVER, Side};
    use crate::solver::{Control, SolverConfig};
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{Game, Hand, Rules};
    use serde_json::json;

    const HAND: &str = "As Kd Jk 7c 7d 2h 3s";

    fn decide(view: &serde_json::Value) -> Result<crate::solver::Decision, String> {
        let solver = SOLVER.solver(&SolverConfig::default()).unwrap();
        solver.decision(view, &Control::default()).map(Option::unwrap).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bank_has_the_mean_of_its_bets() {
        let (game, hand) = (Game::new(Rules::default()), HAND.parse::<Hand>().unwrap());
        let counts = ["foxwoods", "wong"].map(|way| {
            let way = HouseWay::shared(Way::load(way).unwrap(), &game).unwrap();
            HandEvaluator::new(&game, &BankerTable::new(&*way)).count_for(Side::Banker, hand)
        });
        let bet = |way: &str, bet: u64| json!({ "way": way, "bet": bet });
        let view = |players: &[serde_json::Value]| json!({ "hand": HAND, "players": players });
        let one = decide(&view(&[bet("wong", 7)])).unwrap();
        let two = decide(&view(&[bet("foxwoods", 20), bet("wong", 40), bet("foxwoods", 40)])).unwrap();
        for (i, (a, b)) in counts[0].settings().iter().zip(counts[1].settings()).enumerate() {
            let ev = |counts: &Option<crate::pai_gow::whole::DealCounts>| {
                counts.map(|counts| (counts.wins as f64 - counts.losses as f64) / counts.all() as f64)
            };
            let (a, b) = (ev(a), ev(b));
            assert_eq!((one.ev(i).is_some(), two.ev(i).is_some()), (b.is_some(), b.is_some()));
            let (Some(a), Some(b)) = (a, b) else { continue };
            assert!((one.ev(i).unwrap() - b).abs() < 1e-12 && (two.ev(i).unwrap() - 0.6 * a - 0.4 * b).abs() < 1e-12);
        }
        assert_eq!((one.house, one.group), (two.house, two.group));
        for (players, part) in
            [(bet("wong", 0), "without a bet"), (bet("nobody", 1), "nobody"), (json!(1), "without a bet")]
        {
            let error = decide(&view(&[players])).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_player_is_judged_against_the_house_way_of_the_banker() {
        let named = decide(&json!({ "hand": HAND, "banker": "wong" })).unwrap();
        let solver = SOLVER.solver(&SolverConfig::default().option("banker", "wong")).unwrap();
        let expected = solver.decision(&json!({ "hand": HAND }), &Control::default()).unwrap().unwrap();
        assert_eq!(named, expected);
        assert_ne!(named, decide(&json!({ "hand": HAND })).unwrap());
    }
}
