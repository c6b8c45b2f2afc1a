//! Asian Stud with a fixed set of rules.

use super::{Class, HandClasses, Solution, poker_hands, side_bet_ev, side_bet_return};
use crate::Ratio;
use crate::solver::{DeadCards, SolverConfig, SolverError};
use houseway_env::asian_stud::{Hand, Paytable, Rules};
use houseway_env::cards::CardSet;
use std::sync::OnceLock;

/// A game, along with the precomputed data behind its exact values.
pub(super) struct ExactGame {
    pub(super) rules: Rules,
    pub(super) paytable: Paytable,
    pub(super) classes: HandClasses,
    pub(super) dead: DeadCards,
    /// The EV of the side bet per unit staked, once it has been computed.
    side_bet: OnceLock<Ratio>,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        let paytable = config.paytable("paytable")?;
        let dead = DeadCards::from_config(config)?;
        Ok(ExactGame { rules, paytable, classes: HandClasses::new(rules.joker), dead, side_bet: OnceLock::new() })
    }

    /// Returns the EV of the side bet before the deal, per unit staked, if it is settled no matter what the player does.
    pub(super) fn side_bet_ev(&self) -> Ratio {
        *self.side_bet.get_or_init(|| side_bet_ev(&side_bet_return(&self.paytable, &poker_hands(&self.rules))))
    }

    pub(super) fn solution(&self) -> Solution<'_> {
        Solution::new(&self.classes, self.rules)
    }

    /// Returns the class of a hand.
    ///
    /// # Errors
    /// Returns an error if the hand holds a joker but the pack has none.
    pub(super) fn class(&self, hand: Hand) -> Result<&Class, SolverError> {
        self.classes.find(hand).ok_or_else(|| {
            SolverError::invalid(
                "invalid hand: the pack has no joker under these rules; remove it, or use another reading of `joker`",
            )
        })
    }

    /// Returns the class of a hand, counting only dealer hands that contain no dead cards.
    ///
    /// # Errors
    /// Returns an error if the hand holds a joker and the pack has none, or if a dead card is invalid.
    pub(super) fn class_beside_dead(&self, hand: Hand) -> Result<Class, SolverError> {
        let class = self.class(hand)?;
        let deck = if self.rules.joker.cards() == CardSet::DECK_52.len() { CardSet::DECK_52 } else { CardSet::DECK_53 };
        let dead = self.dead.beside(hand.set(), deck, Hand::CARDS)?;
        Ok(if dead.is_empty() { class.clone() } else { self.classes.beside(class, dead) })
    }
}
