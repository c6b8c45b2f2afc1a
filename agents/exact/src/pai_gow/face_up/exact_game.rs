//! Face Up Pai Gow Poker under a set of rules.

use crate::pai_gow::{BankerTable, WAY_PREFIX, load_strategies};
use crate::solver::{DeadCards, SolverConfig, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::Hand;
use houseway_env::pai_gow::face_up::{FaceUpGame, Rules};
use houseway_env::pai_gow::house_way::{HouseWay, Way};

/// The game under a set of rules, along with the solver's options.
pub(super) struct ExactGame {
    pub(super) game: FaceUpGame<HouseWay>,
    /// The dealer's strategy.
    pub(super) dealer: BankerTable,
    /// The dealer's hand, if known.
    pub(super) dealer_hand: Option<Hand>,
    pub(super) dead: DeadCards,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let assignments = config.assignments.iter().map(String::as_str);
        let rules: Rules = config.rules_with(assignments.filter(|text| !text.trim_start().starts_with(WAY_PREFIX)))?;
        let name = config.get("dealer").unwrap_or(Way::DEFAULT);
        let game = FaceUpGame::new(rules, |game| {
            let dealer = load_strategies(&[name], &config.assignments, game)?.pop();
            dealer.and_then(|dealer| dealer.way().cloned()).ok_or_else(|| {
                SolverError::Invalid(format!("invalid dealer '{name}': expected a house way's name or file"))
            })
        })?;
        let dealer_hand = config
            .get("dealer-hand")
            .map(|hand| hand.parse().map_err(|error| SolverError::Invalid(format!("invalid dealer hand: {error}"))));
        let dealer = BankerTable::new(&**game.dealer());
        Ok(ExactGame { game, dealer, dealer_hand: dealer_hand.transpose()?, dead: DeadCards::from_config(config)? })
    }

    /// Returns the dealer's hand after checking it against the player's hand and the dead cards.
    pub(super) fn check_dealer(&self, hand: Hand, dealer: Hand) -> Result<Hand, SolverError> {
        if let Some(card) = dealer.set().intersection(hand.set()).iter().next() {
            return Err(SolverError::Invalid(format!("invalid dealer hand: {card} is in both hands")));
        }
        self.dead.beside(hand.set().union(dealer.set()), CardSet::DECK_53, 0)?;
        Ok(dealer)
    }
}
