//! The outcomes of two strategies over all deals, and their JSON form.

use super::{DEALS, Question};
use crate::Ratio;
use crate::pai_gow::whole::{DealCounts, OutcomeWeights, Payoff, Shard};
use houseway_env::pai_gow::Rules;
use houseway_env::seal::{Seal, SealError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// The checksum of the document. Documents from other versions of the program are rejected, because their counts may
/// differ.
const SEAL: Seal = Seal::new("houseway-solve", 2).of_one_version();

/// The outcomes of two strategies over all deals, or over one part of the game.
///
/// The JSON document is what `houseway solve` writes. Integers are stored as strings to stay exact, and `ev` and the values derived from
/// it exist only for the full game. The contents don't depend on the machine. To read a document again later,
/// [seal](PairTotals::sealed) it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTotals {
    /// The rules and both strategies.
    pub question: Question,
    /// The enumerated part of the game, or `None` for the full game.
    pub part: Option<Shard>,
    /// The player's outcomes.
    pub counts: DealCounts,
}

/// An error in a document.
#[derive(Debug, thiserror::Error)]
pub enum PairTotalsError {
    /// The document is damaged, was written by another version of the program, or isn't a result of `houseway solve`.
    #[error("{0}; create it again with 'houseway solve'")]
    Seal(#[from] SealError),
    /// A key is missing or invalid.
    #[error("{0}; expected a result of 'houseway solve'")]
    Json(#[from] serde_json::Error),
    /// The numbers contradict each other.
    #[error("{0}; create it again with 'houseway solve'")]
    Broken(&'static str),
}

/// The keys that are read from the JSON document.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(flatten)]
    question: Question,
    shard: Option<Shard>,
    deals: Count,
    wins: Count,
    pushes: Count,
    losses: Count,
    copies_front: Count,
    copies_back: Count,
}

/// An integer stored as text, because JSON parsers may read numbers as floats.
#[derive(Clone, Copy)]
struct Count(u64);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Count).map_err(|_| D::Error::custom(format!("invalid count '{text}'")))
    }
}

impl Stored {
    /// Checks that the numbers are consistent, and describes the first contradiction.
    fn contradiction(&self) -> Option<&'static str> {
        let sum: u128 = [self.wins, self.pushes, self.losses].iter().map(|count| u128::from(count.0)).sum();
        let deals = self.deals.0;
        if sum != u128::from(deals) {
            Some("wins, pushes and losses do not add up to the deals")
        } else if deals != self.shard.map_or(DEALS, Shard::deals) {
            Some("the number of deals does not match the shard or the full game")
        } else if self.copies_front.0 > deals || self.copies_back.0 > deals {
            Some("there are more copies than deals")
        } else {
            (self.question.rules.hash() != self.question.rules_hash).then_some("the rules do not match their hash")
        }
    }
}

impl PairTotals {
    /// Reads a sealed document, which must have exactly the keys that were sealed.
    ///
    /// # Errors
    /// Returns an error if the document is damaged or was written by another version of the program, or if its numbers
    /// contradict each other.
    pub fn open(document: Map<String, Value>) -> Result<PairTotals, PairTotalsError> {
        PairTotals::from_json(SEAL.open_document(document)?)
    }

    /// Reads a document without a seal, such as a part of a sealed document. Unknown keys are ignored.
    ///
    /// # Errors
    /// Returns an error if a key is missing or invalid, or if the numbers contradict each other.
    pub fn from_json(document: Value) -> Result<PairTotals, PairTotalsError> {
        let stored: Stored = serde_json::from_value(document)?;
        if let Some(contradiction) = stored.contradiction() {
            return Err(PairTotalsError::Broken(contradiction));
        }
        let counts = DealCounts {
            wins: stored.wins.0,
            pushes: stored.pushes.0,
            losses: stored.losses.0,
            copies_front: stored.copies_front.0,
            copies_back: stored.copies_back.0,
        };
        Ok(PairTotals { question: stored.question, part: stored.shard, counts })
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.question.rules
    }

    /// Returns the player's payoff for each outcome.
    pub fn payoff(&self) -> Payoff {
        self.question.payoff()
    }

    /// Returns the banker's payoff for each outcome.
    pub fn banker_payoff(&self) -> Payoff {
        self.question.banker_payoff()
    }

    /// Returns the player's EV per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals, as in an empty shard.
    pub fn ev(&self) -> Ratio {
        self.counts.ev(self.payoff())
    }

    /// Returns the banker's EV per unit staked by the player.
    ///
    /// # Panics
    /// Panics under the same conditions as [`PairTotals::ev`].
    pub fn banker_ev(&self) -> Ratio {
        self.counts.other_side().ev(self.banker_payoff())
    }

    /// Returns the JSON document with a seal, so that [`PairTotals::open`] can read and verify it.
    pub fn sealed(&self) -> Value {
        SEAL.seal(&self.json())
    }

    /// Returns the JSON document.
    pub fn json(&self) -> Value {
        let DealCounts { wins, pushes, losses, copies_front, copies_back } = self.counts;
        let stored = Stored {
            question: self.question.clone(),
            shard: self.part,
            deals: Count(self.counts.deals()),
            wins: Count(wins),
            pushes: Count(pushes),
            losses: Count(losses),
            copies_front: Count(copies_front),
            copies_back: Count(copies_back),
        };
        let mut json = serde_json::to_value(stored).expect("names and numbers are JSON");
        if let (None, Value::Object(json)) = (self.part, &mut json) {
            let values = self.question.values(&self.counts.into());
            json.extend(values.map(|(key, value)| (key.to_owned(), value)));
        }
        json
    }
}

impl Question {
    /// Returns the player's payoff for each outcome.
    pub fn payoff(&self) -> Payoff {
        Payoff::player(self.rules.commission)
    }

    /// Returns the banker's payoff for each outcome.
    pub fn banker_payoff(&self) -> Payoff {
        self.bank.payoff(&self.rules)
    }

    /// Returns the keys and values derived from the player's outcomes over all deals.
    pub(super) fn values(&self, counts: &OutcomeWeights) -> [(&'static str, Value); 8] {
        let (ev, variance) = (counts.ev(self.payoff()), counts.variance(self.payoff()));
        let banker = counts.other_side();
        let (banker_ev, banker_variance) = (banker.ev(self.banker_payoff()), banker.variance(self.banker_payoff()));
        [
            ("ev", json!(ev.value())),
            ("ev_exact", ev.to_json()),
            ("banker_ev", json!(banker_ev.value())),
            ("banker_ev_exact", banker_ev.to_json()),
            ("variance", json!(variance)),
            ("standard_deviation", json!(variance.sqrt())),
            ("banker_variance", json!(banker_variance)),
            ("banker_standard_deviation", json!(banker_variance.sqrt())),
        ]
    }
}
