//! The fixed part of a table, consisting of its rules, house way and paytable.

use super::{MAX_BANKROLL, TableRules, TableRulesError};
use crate::cards::profile::Profiles;
use crate::money::Chips;
use crate::pai_gow::side_bet::paytable_bytes;
use crate::pai_gow::{BankerStrategy, Dealt, Game, Paytable, ProfileStrategy, SetHand, SideBet};
use crate::rules::{RuleSet, short_hash};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The rules, the house way and the paytable of a table. They never change, so clones of the table share them.
pub struct Setup {
    rules: TableRules,
    game: Arc<Game>,
    way: Arc<dyn ProfileStrategy + Send>,
    profiles: &'static Profiles,
    paytable: Paytable,
    /// The side bet. It is compiled when it is first used.
    side_bet: OnceLock<SideBet>,
    hash: OnceLock<String>,
}

impl Setup {
    /// Creates a setup. The house way sets the house's hands, as well as the hands of seats that don't set their own.
    /// It must be compiled for the same game.
    ///
    /// # Errors
    /// Returns any error from [`TableRules::check`].
    pub fn new(
        rules: TableRules,
        game: Arc<Game>,
        way: Arc<dyn ProfileStrategy + Send>,
        paytable: Paytable,
    ) -> Result<Setup, TableRulesError> {
        rules.check()?;
        let (side_bet, hash) = (OnceLock::new(), OnceLock::new());
        Ok(Setup { rules, game, way, profiles: Profiles::get(), paytable, side_bet, hash })
    }

    /// Returns the table rules.
    pub fn rules(&self) -> &TableRules {
        &self.rules
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the house way.
    pub fn way(&self) -> &Arc<dyn ProfileStrategy + Send> {
        &self.way
    }

    /// Returns the side bet's paytable.
    pub fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// Returns the side bet.
    pub fn side_bet(&self) -> &SideBet {
        self.side_bet.get_or_init(|| SideBet::new(self.paytable.clone(), &self.game.rules()))
    }

    /// Sets a hand according to the house way.
    #[inline]
    pub fn set_house_way(&self, dealt: Dealt) -> SetHand {
        self.way.set_profile(dealt.profile(self.profiles))
    }

    /// Returns a stable identifier for everything that affects a round except cards, dice and moves. It is a hash of
    /// the game's rules, the table rules, the house way's set hand for every profile, and the paytable.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let rules = [self.game.rules().hash(), self.rules.hash()].concat();
            short_hash([rules.as_bytes(), &self.way.hash_bytes(), &paytable_bytes(&self.paytable)])
        })
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (way, paytable) = (self.way.name(), self.paytable.name());
        f.debug_struct("Setup").field("rules", &self.rules).field("way", &way).field("paytable", &paytable).finish()
    }
}

impl TableRules {
    /// Checks the bankrolls of all seats, starting with seat 1. A bankroll of 0 means that the seat is empty.
    ///
    /// # Errors
    /// Returns a message if there are more bankrolls than player seats, or if a bankroll is out of range.
    pub fn check_bankrolls(&self, bankrolls: &[Chips]) -> Result<(), String> {
        let (players, found) = (self.seats.players(), bankrolls.len());
        if found > players {
            return Err(format!(
                "expected at most {players} bankrolls for a table of {} seats, found {found}",
                self.seats.seats()
            ));
        }
        match bankrolls.iter().find(|bankroll| !(0..=MAX_BANKROLL).contains(*bankroll)) {
            Some(bankroll) => {
                Err(format!("invalid bankroll {bankroll}: must be between 0 (an empty seat) and {MAX_BANKROLL} chips"))
            }
            None => Ok(()),
        }
    }
}
