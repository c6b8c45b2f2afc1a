//! A cache for outcome counts over all deals, keyed by the bank and the player's way.

use super::players::{PlayerStrategy, against_players};
use super::seated::{CountError, Seated};
use crate::pai_gow::whole::{BestResponse, DealCounts, OutcomeWeights, Payoff, RANDOM_WEIGHT, Run, Side};
use houseway_env::pai_gow::Game;
use houseway_env::seal::{Seal, SealError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The seal for serialized caches. It rejects files from other versions of the program, because those may produce
/// different counts.
const SEAL: Seal = Seal::new("houseway-pairs", 2).of_one_version();

/// A bank's strategy.
#[derive(Clone, Copy)]
pub enum BankStrategy<'a> {
    /// Follows a way.
    Way(&'a Seated),
    /// Plays the best response to its only opponent under this payoff.
    Optimal(Payoff),
}

impl BankStrategy<'_> {
    fn id(&self) -> String {
        match self {
            BankStrategy::Way(way) => way.id.clone(),
            BankStrategy::Optimal(payoff) => {
                format!("optimal {}/{}", payoff.win_millionths(), payoff.loss_millionths())
            }
        }
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

    /// Returns the counts for a bank against a player's strategy.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled or the rules don't support a class table.
    pub fn counts(&mut self, bank: BankStrategy<'_>, player: &Seated, run: &Run<'_>) -> Result<DealCounts, CountError> {
        let key = (bank.id(), player.id.clone());
        if let Some(known) = self.pairs.get(&key).and_then(deals) {
            return Ok(known);
        }
        let one = |counts: Vec<DealCounts>| counts[0];
        let counts = match bank {
            // It's faster to enumerate against profiles than against classes.
            BankStrategy::Way(way) if player.profiles().is_none() && way.profiles().is_some() => {
                let whole = way.against(self.game, Side::Player)?;
                one(whole.totals(&[player.chooser()], run)?).other_side()
            }
            BankStrategy::Way(way) => one(player.against(self.game, Side::Banker)?.totals(&[way.chooser()], run)?),
            BankStrategy::Optimal(payoff) => {
                one(player.against(self.game, Side::Banker)?.totals(&[&BestResponse(payoff)], run)?)
            }
        };
        self.pairs.insert(key, counts.into());
        Ok(counts)
    }

    /// Returns the outcome weights for a bank against each of the players. All missing pairs are evaluated in one pass.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled or the rules don't support a class table.
    pub fn players(
        &mut self,
        bank: &Seated,
        players: &[PlayerStrategy<'_>],
        run: &Run<'_>,
    ) -> Result<Vec<OutcomeWeights>, CountError> {
        let key = |player: &PlayerStrategy<'_>| (bank.id.clone(), player.id());
        let mut new: Vec<PlayerStrategy<'_>> = vec![];
        for player in players.iter().filter(|player| !self.pairs.contains_key(&key(player))) {
            if new.iter().all(|other| other.id() != player.id()) {
                new.push(*player);
            }
        }
        if !new.is_empty() {
            let counted = against_players(self.game, bank, &new, run)?;
            self.pairs.extend(new.iter().map(key).zip(counted));
        }
        Ok(players.iter().map(|player| self.pairs[&key(player)]).collect())
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
            let weight = if entry.player == PlayerStrategy::Random.id() { RANDOM_WEIGHT } else { 1 };
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

/// Converts weights to counts, or returns `None` if a weight doesn't fit in 64 bits.
fn deals(weights: &OutcomeWeights) -> Option<DealCounts> {
    let [wins, pushes, losses] = [weights.wins, weights.pushes, weights.losses].map(u64::try_from);
    Some(DealCounts { wins: wins.ok()?, pushes: pushes.ok()?, losses: losses.ok()?, ..DealCounts::default() })
}

/// The number of deals for one bank and one player.
const DEALS: u64 = 8_250_459_031_214_400;

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;

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
}
