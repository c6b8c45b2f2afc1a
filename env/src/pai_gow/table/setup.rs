//! What a table has that does not change in play.

use super::{MAX_BANKROLL, TableRules, TableRulesError};
use crate::cards::profile::Profiles;
use crate::money::Chips;
use crate::pai_gow::side_bet::paytable_bytes;
use crate::pai_gow::strategy::profile_bytes;
use crate::pai_gow::{Dealt, Game, Paytable, ProfileStrategy, SetHand, SideBet};
use crate::rules::{RuleSet, short_hash};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Rules, house way and paytable of a table; clones of a table share them.
pub struct Setup {
    rules: TableRules,
    game: Arc<Game>,
    way: Arc<dyn ProfileStrategy + Send>,
    profiles: &'static Profiles,
    paytable: Paytable,
    /// Made ready by the first side bet.
    side_bet: OnceLock<SideBet>,
    hash: OnceLock<String>,
}

impl Setup {
    /// A table's setup. The house way is how the house sets, and any seat that does not; it must be made for the same game.
    ///
    /// # Errors
    /// As [`TableRules::check`].
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

    /// The rules of the table.
    pub fn rules(&self) -> &TableRules {
        &self.rules
    }

    /// The game that is played at it.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The house way.
    pub fn way(&self) -> &Arc<dyn ProfileStrategy + Send> {
        &self.way
    }

    /// The paytable of the side bet.
    pub fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// The side bet.
    pub fn side_bet(&self) -> &SideBet {
        let ready = || SideBet::new(self.paytable.clone(), self.game.rules().side_bet_best);
        self.side_bet.get_or_init(ready)
    }

    /// What the house way makes of a hand.
    #[inline]
    pub fn set_house_way(&self, dealt: Dealt) -> SetHand {
        self.way.set_profile(dealt.profile(self.profiles))
    }

    /// A stable name of all that decides rounds besides cards, dice and moves: the rules of game and table, what the house
    /// way makes of every profile, the paytable.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let rules = [self.game.rules().hash(), self.rules.hash()].concat();
            short_hash([rules.as_bytes(), &profile_bytes(&*self.way), &paytable_bytes(&self.paytable)])
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
    /// Whether these bankrolls can sit down, from seat 1 on; 0 is an empty seat.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check_bankrolls(&self, bankrolls: &[Chips]) -> Result<(), String> {
        let (players, found) = (self.seats.players(), bankrolls.len());
        if found > players {
            return Err(format!(
                "{found} bankrolls are given and a table of {} has {players} seats for players",
                self.seats.seats()
            ));
        }
        match bankrolls.iter().find(|bankroll| !(0..=MAX_BANKROLL).contains(*bankroll)) {
            Some(bankroll) => {
                Err(format!("{bankroll} is no bankroll; write 0 (an empty seat) to {MAX_BANKROLL} chips"))
            }
            None => Ok(()),
        }
    }
}
