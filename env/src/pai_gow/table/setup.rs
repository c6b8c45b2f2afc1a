//! Setup of a table: everything that does not change in play.

use super::{MAX_BANKROLL, TableRules, TableRulesError};
use crate::cards::profile::{PROFILES, Profile, Profiles};
use crate::money::Chips;
use crate::pai_gow::{Dealt, Game, Paytable, ProfileStrategy, SetHand, SideBet};
use crate::rules::RuleSet;
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Rules, house way and paytable of a table; clones of a table share them.
pub struct Setup {
    rules: TableRules,
    game: Arc<Game>,
    way: Arc<dyn ProfileStrategy + Send>,
    profiles: &'static Profiles,
    paytable: Paytable,
    /// Compiled by the first side bet.
    side_bet: OnceLock<SideBet>,
    hash: OnceLock<String>,
}

impl Setup {
    /// A table's setup. The house way sets the hands of the house and of seats that do not set; it must be made for the same
    /// game.
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

    /// The strengths of the house way's setting of a hand.
    #[inline]
    pub fn set_house_way(&self, dealt: Dealt) -> SetHand {
        self.way.set_profile(dealt.profile(self.profiles))
    }

    /// A stable name of all that decides rounds besides cards, dice and moves: the rules of game and table, the strengths of
    /// the house way for every profile, the paytable.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let mut sha = Sha256::new_with_prefix(self.game.rules().hash());
            sha.update(self.rules.hash());
            for profile in (0..PROFILES).map(Profile::from_index) {
                let set = self.way.set_profile(profile);
                sha.update((set.back.index() as u32 * 128 + set.front.index() as u32).to_le_bytes());
            }
            for row in self.paytable.rows() {
                sha.update([row.hand as u8]);
                sha.update(row.odds.units(1).to_le_bytes());
            }
            sha.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
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
    /// Checks bankrolls from seat 1 on; 0 is an empty seat.
    ///
    /// # Errors
    /// The reason, as text.
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
