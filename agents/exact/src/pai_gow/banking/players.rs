//! Evaluates one bank against many players in a single pass over all deals. One of the players can set at random.

use super::seated::{CountError, Seated};
use crate::pai_gow::whole::{Opposition, OutcomeWeights, Payoff, Play, Run, Side};
use houseway_env::pai_gow::Game;

/// A player's strategy.
#[derive(Clone, Copy)]
pub enum PlayerStrategy<'a> {
    /// Follows a way.
    Way(&'a Seated),
    /// Picks a legal setting uniformly at random.
    Random,
    /// Plays the best response to the bank under this payoff for the player.
    Optimal(Payoff),
}

impl PlayerStrategy<'_> {
    pub(super) fn id(&self) -> String {
        match self {
            PlayerStrategy::Way(way) => way.id.clone(),
            PlayerStrategy::Random => "random".to_owned(),
            PlayerStrategy::Optimal(payoff) => {
                format!("optimal {}/{}", payoff.win_millionths(), payoff.loss_millionths())
            }
        }
    }
}

/// Returns the bank's outcome weights over all deals against each of the players, using a single pass over the players'
/// hands.
///
/// # Errors
/// Returns an error if the run was cancelled or the rules don't support a class table.
pub fn against_players(
    game: &Game,
    bank: &Seated,
    players: &[PlayerStrategy<'_>],
    run: &Run<'_>,
) -> Result<Vec<OutcomeWeights>, CountError> {
    let plays: Vec<Play<'_>> = players
        .iter()
        .map(|player| match player {
            PlayerStrategy::Way(way) => way.play(),
            PlayerStrategy::Optimal(payoff) => Play::Best(*payoff),
            PlayerStrategy::Random => Play::Random,
        })
        .collect();
    let opposition = Opposition::Pure(bank.against(game, Side::Player)?);
    let totals = opposition.totals(&plays.iter().collect::<Vec<_>>(), run)?;
    Ok(totals.into_iter().map(OutcomeWeights::other_side).collect())
}

#[cfg(test)]
mod tests {
    use super::super::SeatedTable;
    use super::*;
    use crate::Ratio;
    use crate::pai_gow::whole::{BestResponse, RANDOM_WEIGHT, Shard};
    use crate::pai_gow::{BANKER_HANDS, BankerTable, HandEvaluator};
    use houseway_env::cards::Pack;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::ProfileTable;
    use houseway_env::pai_gow::Setting;
    use houseway_env::pai_gow::{BankerSet, CARDS, Dealt, Outcome, Rules, settings_in};
    use rand::RngExt;

    fn seated(table: BankerTable) -> Seated {
        Seated { id: table.name().to_owned(), table: SeatedTable::Profiles(table) }
    }

    #[test]
    fn one_pass_equals_separate_passes() {
        let game = Game::new(Rules::default());
        let (bank, way) = (
            seated(BankerTable::new(&ProfileTable::max_front(&game))),
            seated(BankerTable::new(&ProfileTable::max_back(&game))),
        );
        let run = Run { shard: Shard::new(5, 6_000).unwrap(), ..Run::default() };
        let payoff = Payoff::player("0.05".parse().unwrap());
        let players = [PlayerStrategy::Random, PlayerStrategy::Way(&way), PlayerStrategy::Optimal(payoff)];
        let found = against_players(&game, &bank, &players, &run).unwrap();
        let whole = bank.against(&game, Side::Player).unwrap();
        let alone = whole.totals(&[way.chooser(), &BestResponse(payoff)], &run).unwrap();
        assert_eq!(found[1..], [alone[0], alone[1]].map(|counts| OutcomeWeights::from(counts.other_side())));
        // As an exact fraction, the random player's result is the mean over each hand's legal settings.
        let counter = HandEvaluator::new(&game, bank.profiles().unwrap());
        let hands = whole.fold(
            &run,
            Vec::new,
            |all, some| all.extend(some.iter().map(|c| (c.hand, c.orbit))),
            |mut a, b| {
                a.extend(b);
                a
            },
        );
        let (mut wins, mut all) = (Ratio::ZERO, 0);
        for (hand, orbit) in hands.unwrap() {
            let counts = counter.count(hand);
            let legal: Vec<_> = Setting::all().filter_map(|setting| counts.get(setting)).collect();
            let sum: u64 = legal.iter().map(|counts| counts.losses).sum();
            wins = wins + Ratio::new(i128::from(sum) * i128::from(orbit), legal.len() as i128);
            all += u128::from(orbit) * u128::from(BANKER_HANDS);
        }
        assert_eq!(found[0].all(), all * u128::from(RANDOM_WEIGHT));
        assert_eq!(Ratio::new(found[0].wins as i128, i128::from(RANDOM_WEIGHT)), wins);
        assert_eq!((1..=21).find(|n| !RANDOM_WEIGHT.is_multiple_of(*n)), None);
    }

    #[test]
    #[ignore = "takes 30 s to enumerate all deals against a random player and sample a million of them"]
    fn a_random_player_matches_simulation() {
        let game = Game::new(Rules::default());
        let bank = seated(BankerTable::new(&ProfileTable::max_back(&game)));
        let exact = against_players(&game, &bank, &[PlayerStrategy::Random], &Run::default()).unwrap()[0];
        assert_eq!(exact.all(), 8_250_459_031_214_400 * u128::from(RANDOM_WEIGHT));
        let (mut rng, mut pack, mut seen, deals) = (stream(8.into()), Pack::new(CARDS), [0u32; 3], 1_000_000);
        for _ in 0..deals {
            pack.gather();
            let (player, banker) =
                (Dealt::draw(&mut pack, &mut rng).unwrap().hand(), Dealt::draw(&mut pack, &mut rng).unwrap());
            let legal: Vec<_> = settings_in(game.legal_mask(player)).collect();
            let set = game.set(player, legal[rng.random_range(0..legal.len())]);
            let banker = bank.profiles().unwrap().set(banker.profile(houseway_env::cards::profile::Profiles::get()));
            seen[match game.settle(set, BankerSet::plain(banker)).outcome {
                Outcome::Loss => 0,
                Outcome::Push => 1,
                Outcome::Win => 2,
            }] += 1;
        }
        for (seen, weight) in seen.into_iter().zip([exact.wins, exact.pushes, exact.losses]) {
            let p = weight as f64 / exact.all() as f64;
            let error = (p * (1.0 - p) / f64::from(deals)).sqrt();
            assert!((f64::from(seen) / f64::from(deals) - p).abs() < 4.5 * error, "{seen} {p}");
        }
    }
}
