//! Outcomes over all deals between banks and players, and a cache for them.

use crate::pai_gow::outcomes::{DEALS, DealCounts, OutcomeWeights, Payoff, RANDOM_WEIGHT, Side};
use crate::pai_gow::strategies::{RANDOM, SideStrategy};
use crate::pai_gow::tabulated::Tabulated;
use crate::pai_gow::whole::{Play, Run};
use crate::solver::SolverError;
use houseway_env::pai_gow::Game;
use houseway_env::seal::{Seal, SealError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The seal for serialized caches. It rejects files from other versions of the program, because those may produce
/// different counts.
const SEAL: Seal = Seal::new("houseway-pairs", 2).of_one_version();

/// Returns the identifier of a strategy. It depends on the payoff of a side that plays the best response.
fn id_of(strategy: &SideStrategy, payoff: Payoff) -> String {
    match strategy {
        SideStrategy::Given(strategy) => strategy.hash().to_owned(),
        SideStrategy::Random => RANDOM.to_owned(),
        SideStrategy::Optimal => format!("optimal {}/{}", payoff.win_millionths(), payoff.loss_millionths()),
    }
}

/// The serialized counts for a pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    bank: String,
    player: String,
    wins: String,
    pushes: String,
    losses: String,
}

/// A serialized cache.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BookFile {
    rules: String,
    pairs: Vec<Entry>,
}

/// An error in a serialized cache.
#[derive(Debug, thiserror::Error)]
pub enum PairBookError {
    /// The cache is damaged or was written by another version of the program.
    #[error("{0}; remove the file to compute the counts again")]
    Seal(#[from] SealError),
    /// The cache was made for other rules, or its counts are inconsistent.
    #[error("the counts do not match this game ({0}); remove the file to compute them again")]
    Other(String),
}

/// A cache for the bank's outcome counts over all 8,250,459,031,214,400 deals against a player's way. A pair is
/// evaluated on first use, which takes seconds. [`PairBook::to_json`] serializes the cache.
pub struct PairBook<'a> {
    game: &'a Game,
    pairs: BTreeMap<(String, String), OutcomeWeights>,
}

impl<'a> PairBook<'a> {
    /// Creates an empty cache.
    pub fn new(game: &'a Game) -> PairBook<'a> {
        PairBook { game, pairs: BTreeMap::new() }
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// Returns the counts for a bank against a player's strategy. If the bank plays the best response, it does so under
    /// the given payoff.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled or the rules don't support a class table.
    ///
    /// # Panics
    /// Panics if a strategy is mixed.
    pub fn counts(
        &mut self,
        bank: &SideStrategy,
        player: &Tabulated,
        payoff: Payoff,
        run: &Run<'_>,
    ) -> Result<DealCounts, SolverError> {
        let key = (id_of(bank, payoff), player.hash().to_owned());
        if let Some(known) = self.pairs.get(&key).and_then(|weights| weights.deals()) {
            return Ok(known);
        }
        let counts = match bank {
            // It's faster to enumerate against profiles than against classes.
            SideStrategy::Given(way) if way.cost() < player.cost() => {
                let pass = way.pass(self.game, Side::Player).map_err(SolverError::invalid)?;
                pass.totals(&[player.play()], run)?[0].other_side()
            }
            _ => {
                let pass = player.pass(self.game, Side::Banker).map_err(SolverError::invalid)?;
                pass.totals(&[bank.play(payoff)], run)?[0]
            }
        };
        self.pairs.insert(key, counts.into());
        Ok(counts)
    }

    /// Returns the outcome weights for a bank against each of the players. All missing pairs are evaluated in one pass.
    /// A player who plays the best response does so under the given payoff.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled or the rules don't support a class table.
    pub fn players(
        &mut self,
        bank: &Tabulated,
        players: &[SideStrategy],
        payoff: Payoff,
        run: &Run<'_>,
    ) -> Result<Vec<OutcomeWeights>, SolverError> {
        let keys: Vec<(String, String)> =
            players.iter().map(|player| (bank.hash().to_owned(), id_of(player, payoff))).collect();
        let is_new = |&i: &usize| !self.pairs.contains_key(&keys[i]) && !keys[..i].contains(&keys[i]);
        let new: Vec<usize> = (0..keys.len()).filter(is_new).collect();
        if !new.is_empty() {
            let missing: Vec<&SideStrategy> = new.iter().map(|&i| &players[i]).collect();
            let counted = against_players(self.game, bank, &missing, payoff, run)?;
            self.pairs.extend(new.iter().map(|&i| keys[i].clone()).zip(counted));
        }
        Ok(keys.iter().map(|key| self.pairs[key]).collect())
    }

    /// Adds the pairs from another cache for the same game.
    pub fn add(&mut self, other: PairBook<'_>) {
        self.pairs.extend(other.pairs);
    }

    /// Returns the number of cached pairs.
    #[allow(clippy::len_without_is_empty)] // nobody needs `is_empty`
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Serializes the cache as JSON.
    pub fn to_json(&self) -> String {
        let pairs = self.pairs.iter().map(|((bank, player), counts)| Entry {
            bank: bank.clone(),
            player: player.clone(),
            wins: counts.wins.to_string(),
            pushes: counts.pushes.to_string(),
            losses: counts.losses.to_string(),
        });
        format!("{:#}", SEAL.seal(&BookFile { rules: self.game.rules().hash(), pairs: pairs.collect() }))
    }

    /// Parses a serialized cache.
    ///
    /// # Errors
    /// Returns an error if the text is damaged or for other rules, or if its counts don't add up to the number of
    /// deals.
    pub fn from_json(game: &'a Game, text: &str) -> Result<PairBook<'a>, PairBookError> {
        let file: BookFile = SEAL.open(text)?;
        if file.rules != game.rules().hash() {
            return Err(PairBookError::Other(format!("rules {}", file.rules)));
        }
        let mut book = PairBook::new(game);
        for entry in file.pairs {
            let number =
                |text: &str| text.parse::<u128>().map_err(|error| PairBookError::Other(format!("'{text}': {error}")));
            let [wins, pushes, losses] = [number(&entry.wins)?, number(&entry.pushes)?, number(&entry.losses)?];
            let all = wins.checked_add(pushes).and_then(|sum| sum.checked_add(losses));
            let weight = if entry.player == RANDOM { RANDOM_WEIGHT } else { 1 };
            if all != Some(u128::from(DEALS) * u128::from(weight)) {
                return Err(PairBookError::Other(format!("{} against {}: {all:?} deals", entry.bank, entry.player)));
            }
            book.pairs.insert(
                (entry.bank, entry.player),
                OutcomeWeights { wins, pushes, losses, ..OutcomeWeights::default() },
            );
        }
        Ok(book)
    }
}

/// Returns the bank's outcome weights over all deals against each of the players, using a single pass over the players'
/// hands. A player who plays the best response does so under the given payoff.
///
/// # Errors
/// Returns an error if the run was cancelled or the rules don't support a class table.
pub fn against_players(
    game: &Game,
    bank: &Tabulated,
    players: &[&SideStrategy],
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<Vec<OutcomeWeights>, SolverError> {
    let pass = bank.pass(game, Side::Player).map_err(SolverError::invalid)?;
    let plays: Vec<Play<'_>> = players.iter().map(|player| player.play(payoff)).collect();
    let totals = pass.weights(&plays, run)?;
    Ok(totals.into_iter().map(OutcomeWeights::other_side).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ratio;
    use crate::pai_gow::outcomes::BANKER_HANDS;
    use crate::pai_gow::whole::{ClassCounts, Shard};
    use crate::pai_gow::{BankerTable, HandEvaluator};
    use houseway_env::cards::Pack;
    use houseway_env::cards::profile::Profiles;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{
        BankerSet, CARDS, Dealt, Outcome, ProfileTable, Rules, Setting, Strategy, settings_in,
    };
    use rand::RngExt;

    fn seated(table: ProfileTable) -> Tabulated {
        Tabulated::new(BankerTable::new(&table), table.name())
    }

    #[test]
    fn caches_round_trip_and_are_validated() {
        let game = Game::new(Rules::default());
        let mut book = PairBook::new(&game);
        let third = u128::from(DEALS / 3);
        let counts = OutcomeWeights { wins: third, pushes: third, losses: third, ..OutcomeWeights::default() };
        book.pairs.insert(("a".to_owned(), "b".to_owned()), counts);
        let by_chance = {
            let weight = third * u128::from(RANDOM_WEIGHT);
            OutcomeWeights { wins: weight, losses: 2 * weight, ..OutcomeWeights::default() }
        };
        book.pairs.insert(("a".to_owned(), "random".to_owned()), by_chance);
        let text = book.to_json();
        let read = PairBook::from_json(&game, &text).unwrap();
        assert_eq!((read.pairs, read.game.rules()), (book.pairs.clone(), game.rules()));
        // Even with a valid seal, the totals must be consistent.
        let resealed = |text: &str| {
            let mut document: serde_json::Map<_, _> = serde_json::from_str(text).unwrap();
            document.remove("seal");
            SEAL.seal(&document).to_string()
        };
        let third = (DEALS / 3).to_string();
        let broken = [
            (third.as_str(), "17"),
            ("\"random\"", "\"chance\""),
            ("\"format\": 2", "\"format\": 1"),
            ("\"bank\"", "\"banc\""),
            (&game.rules().hash(), "0123"),
        ];
        for (from, to) in broken {
            assert!(text.contains(from));
            let changed = text.replacen(from, to, 1);
            let resealed = if from.contains("format") { changed.clone() } else { resealed(&changed) };
            for text in [changed, resealed] {
                let error = PairBook::from_json(&game, &text).err().map(|error| error.to_string());
                assert!(error.is_some_and(|error| error.contains("remove the file")), "{from}");
            }
        }
        // Change some digits without changing the sum.
        let shifted = text.replacen(&third, &(DEALS / 3 + 1).to_string(), 1);
        let shifted = shifted.replacen(&third, &(DEALS / 3 - 1).to_string(), 1);
        let error = PairBook::from_json(&game, &shifted).err().unwrap().to_string();
        assert!(error.contains("checksum"), "{error}");
        for i in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[i / 8] ^= 1 << (i % 8);
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            if let Ok(read) = PairBook::from_json(&game, &changed) {
                assert_eq!(read.pairs, book.pairs);
            }
        }
    }

    #[test]
    fn one_pass_equals_separate_passes() {
        let game = Game::new(Rules::default());
        let (bank, way) = (seated(ProfileTable::max_front(&game)), seated(ProfileTable::max_back(&game)));
        let run = Run { shard: Shard::new(5, 6_000).unwrap(), ..Run::default() };
        let payoff = Payoff::player("0.05".parse().unwrap());
        let players = [&SideStrategy::Random, &SideStrategy::from(&way), &SideStrategy::Optimal];
        let found = against_players(&game, &bank, &players, payoff, &run).unwrap();
        let whole = bank.pass(&game, Side::Player).unwrap();
        let alone = whole.totals(&[way.play(), Play::Best(payoff)], &run).unwrap();
        assert_eq!(found[1..], [alone[0], alone[1]].map(|counts| OutcomeWeights::from(counts.other_side())));
        // As an exact fraction, the random player's result is the mean over each hand's legal settings.
        let counter = HandEvaluator::new(&game, bank.profiles().unwrap());
        let hands = whole.fold(
            &run,
            Vec::new,
            |all, some: &[ClassCounts]| all.extend(some.iter().map(|c| (c.hand, c.orbit))),
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
        let bank = seated(ProfileTable::max_back(&game));
        let exact = against_players(&game, &bank, &[&SideStrategy::Random], Payoff::EVEN, &Run::default()).unwrap()[0];
        assert_eq!(exact.all(), u128::from(DEALS) * u128::from(RANDOM_WEIGHT));
        let (mut rng, mut pack, mut seen, deals) = (stream(8.into()), Pack::new(CARDS), [0u32; 3], 1_000_000);
        for _ in 0..deals {
            pack.gather();
            let (player, banker) =
                (Dealt::draw(&mut pack, &mut rng).unwrap().hand(), Dealt::draw(&mut pack, &mut rng).unwrap());
            let legal: Vec<_> = settings_in(game.legal_mask(player)).collect();
            let set = game.set(player, legal[rng.random_range(0..legal.len())]);
            let banker = bank.profiles().unwrap().set(banker.profile(Profiles::get()));
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
