//! Outcomes of all deals for a pair of strategies, as JSON.

use super::{DEALS, Question};
use crate::Ratio;
use crate::pai_gow::whole::{DealCounts, OutcomeWeights, Payoff, Shard};
use houseway_env::pai_gow::Rules;
use houseway_env::seal::{Seal, SealError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Seal of the document. Counts of another version of the program may be others.
const SEAL: Seal = Seal::new("houseway-solve", 2).of_one_version();

/// Outcomes of all deals of a question, or of one part of the game.
///
/// Its JSON is that of `houseway solve`: exact integers are strings; `ev` and the values derived from it are present for the
/// whole game only. Nothing in it depends on the machine. A document that is read again is [sealed](PairTotals::sealed).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTotals {
    /// The question.
    pub question: Question,
    /// The enumerated part of the game; none for the whole game.
    pub part: Option<Shard>,
    /// Outcomes of the player.
    pub counts: DealCounts,
}

/// Invalid document.
#[derive(Debug, thiserror::Error)]
pub enum PairTotalsError {
    /// It is damaged, of another version of the program, or no result of `houseway solve`.
    #[error("{0}; write it again with 'houseway solve'")]
    Seal(#[from] SealError),
    /// A key is missing or invalid.
    #[error("{0}; it should be a result of 'houseway solve'")]
    Json(#[from] serde_json::Error),
    /// The numbers contradict each other.
    #[error("{0}; write it again with 'houseway solve'")]
    Broken(&'static str),
}

/// The keys of the JSON document that are read again.
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

/// An integer as text, since readers of JSON may store numbers as floats.
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
    /// A contradiction among the numbers, if any.
    fn contradiction(&self) -> Option<&'static str> {
        let sum: u128 = [self.wins, self.pushes, self.losses].iter().map(|count| u128::from(count.0)).sum();
        let deals = self.deals.0;
        if sum != u128::from(deals) {
            Some("wins, pushes and losses are not the deals")
        } else if deals != self.shard.map_or(DEALS, Shard::deals) {
            Some("its deals are not those of its shard, or of the whole game")
        } else if self.copies_front.0 > deals || self.copies_back.0 > deals {
            Some("there are more copies than deals")
        } else {
            (self.question.rules.hash() != self.question.rules_hash).then_some("the rules are not those of the hash")
        }
    }
}

impl PairTotals {
    /// Reads a sealed document, which must have the keys with which it was sealed and no others.
    ///
    /// # Errors
    /// If it is damaged, of another version of the program, or its numbers contradict each other.
    pub fn open(document: Map<String, Value>) -> Result<PairTotals, PairTotalsError> {
        PairTotals::from_json(SEAL.open_document(document)?)
    }

    /// Reads a document without a seal, such as a part of a sealed one. Unknown keys are ignored.
    ///
    /// # Errors
    /// If a key is missing or invalid, or the numbers contradict each other.
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

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.question.rules
    }

    /// The player's payoff.
    pub fn payoff(&self) -> Payoff {
        self.question.payoff()
    }

    /// The banker's payoff.
    pub fn banker_payoff(&self) -> Payoff {
        self.question.banker_payoff()
    }

    /// The player's EV per unit staked.
    ///
    /// # Panics
    /// If there is no deal, as in one of too many shards.
    pub fn ev(&self) -> Ratio {
        self.counts.ev(self.payoff())
    }

    /// The banker's EV per unit that the player stakes.
    ///
    /// # Panics
    /// As [`PairTotals::ev`].
    pub fn banker_ev(&self) -> Ratio {
        self.counts.other_side().ev(self.banker_payoff())
    }

    /// The JSON document with a seal, which [`PairTotals::open`] reads.
    pub fn sealed(&self) -> Value {
        SEAL.seal(&self.json())
    }

    /// The JSON document.
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
    /// The player's payoff.
    pub fn payoff(&self) -> Payoff {
        Payoff::player(self.rules.commission)
    }

    /// The banker's payoff.
    pub fn banker_payoff(&self) -> Payoff {
        self.bank.payoff(&self.rules)
    }

    /// The values derived from the player's outcomes over all deals, by key.
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
