//! Dead cards, which are known to be out of play.

use super::config::{OptionKind, OptionSpec, SolverConfig};
use super::error::SolverError;
use houseway_env::cards::CardSet;
use serde_json::Value;

/// Cards that are known to be out of play, such as cards seen at other seats. They can't turn up in a hidden hand or
/// later on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadCards(CardSet);

impl From<CardSet> for DeadCards {
    fn from(cards: CardSet) -> DeadCards {
        DeadCards(cards)
    }
}

impl DeadCards {
    /// The option that solvers for games with hidden cards take.
    pub const OPTION: OptionSpec = OptionSpec {
        name: "dead",
        kind: OptionKind::Text("CARDS"),
        help: "cards that are known to be out of play, such as cards seen at other seats, e.g. \"Qh 3c\"",
        in_solve: false,
        in_value: true,
    };

    /// Returns the cards given by [`DeadCards::OPTION`], or no cards if the option isn't set.
    ///
    /// # Errors
    /// Returns an error if the value contains an invalid card or a duplicate.
    pub fn from_config(config: &SolverConfig) -> Result<DeadCards, SolverError> {
        let cards = config.get(Self::OPTION.name).unwrap_or_default().parse();
        cards.map(DeadCards).map_err(|error| SolverError::Invalid(format!("invalid dead cards: {error}")))
    }

    /// Returns the cards.
    pub const fn cards(self) -> CardSet {
        self.0
    }

    /// Adds the cards to an answer under the key `dead`, unless there are none.
    pub fn name_in(self, answer: &mut Value) {
        if !self.0.is_empty() {
            answer["dead"] = self.0.to_string().into();
        }
    }

    /// Returns a phrase to append to a sentence, such as ` with the dead cards Qh 3c`. Empty if there are no dead
    /// cards.
    pub fn in_words(self) -> String {
        if self.0.is_empty() { String::new() } else { format!(" with the dead cards {}", self.0) }
    }

    /// Returns the cards after checking them against the cards that are known to be in play.
    ///
    /// # Errors
    /// Returns an error if a dead card isn't in the deck, if it is among the `known` cards, or if fewer than `hidden`
    /// cards remain in the deck.
    pub fn beside(self, known: CardSet, deck: CardSet, hidden: usize) -> Result<CardSet, SolverError> {
        let DeadCards(dead) = self;
        if let Some(card) = dead.difference(deck).iter().next() {
            return Err(SolverError::Invalid(format!("invalid dead cards: {card} is not in the deck of this game")));
        }
        if let Some(card) = dead.intersection(known).iter().next() {
            return Err(SolverError::Invalid(format!(
                "invalid dead cards: {card} is in play, as one of the cards {known}"
            )));
        }
        let max = deck.difference(known).len().saturating_sub(hidden);
        if dead.len() > max {
            return Err(SolverError::Invalid(format!(
                "invalid dead cards: {} cards leave too few for the {hidden} hidden cards; must be at most {max}",
                dead.len()
            )));
        }
        Ok(dead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_cards_are_checked() {
        let config = |text: &str| SolverConfig::default().option("dead", text);
        let check = |text: &str| {
            let known: CardSet = "As Kd Jk".parse().unwrap();
            DeadCards::from_config(&config(text))?.beside(known, CardSet::DECK_53, 47)
        };
        assert_eq!(DeadCards::from_config(&SolverConfig::default()), Ok(DeadCards::default()));
        assert_eq!(check(""), Ok(CardSet::EMPTY));
        assert_eq!(check("3c Qh").unwrap().to_string(), "Qh 3c");
        let mut answer = serde_json::json!({});
        DeadCards::default().name_in(&mut answer);
        assert_eq!((answer.to_string().as_str(), DeadCards::default().in_words().as_str()), ("{}", ""));
        DeadCards::from_config(&config("3c Qh")).unwrap().name_in(&mut answer);
        assert_eq!(answer["dead"], "Qh 3c");
        for (text, part) in [
            ("Qh Qh", "invalid dead cards: Qh occurs twice"),
            ("Qh 1x", "invalid dead cards: invalid card '1x' at character 4"),
            ("Jk2", "Jk2 is not in the deck of this game"),
            ("Qh Kd", "Kd is in play, as one of the cards Jk As Kd"),
            ("Qh Qs Qd Qc", "4 cards leave too few for the 47 hidden cards; must be at most 3"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
