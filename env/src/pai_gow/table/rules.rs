//! The table rules, consisting of seats, limits and readings.

use super::{BetSize, MAX_BANKROLL, TableSize};
use crate::cards::profile::Profiles;
use crate::money::{Chips, Collection, Rate};
use crate::pai_gow::side_bet::paytable_bytes;
use crate::pai_gow::{BankerStrategy, Dealt, Game, Paytable, ProfileStrategy, SetHand, SideBet};
use crate::rules::{RuleSet, short_hash};
use std::fmt;
use std::sync::{Arc, OnceLock};

crate::rules! {
    /// The table rules. The rules for ranking hands, the players' commission and the side bet are in
    /// [`Rules`](crate::pai_gow::Rules).
    #[derive(Copy, Hash)]
    pub struct TableRules {
        /// The number of seats, including the house's. Defaults to 7.
        parameter seats: TableSize = TableSize::SEVEN;
        /// The minimum bet in chips. Defaults to 20, for which a 5% commission is a whole chip.
        parameter bet_minimum: Chips = 20;
        /// The maximum bet in chips. Defaults to 2,000.
        parameter bet_maximum: Chips = 2_000;
        /// The minimum side bet in chips. Defaults to 5.
        parameter side_minimum: Chips = 5;
        /// The maximum side bet in chips, or 0 for no side bet. Defaults to 100.
        parameter side_maximum: Chips = 100;
        /// The minimum stake of a player's bank in chips. Defaults to 20.
        parameter bank_minimum: Chips = 20;
        /// The fraction of a bank's winnings that the house keeps. Defaults to 0.05.
        parameter bank_commission: Rate = Rate::FIVE_PERCENT;
        /// The house's bet against a player's bank in chips, if the house plays a hand. Defaults to 20.
        parameter house_bet: Chips = 20;
        /// The number of steps within which a hand must be set. Defaults to 1, meaning that the first step has to set
        /// it.
        parameter time_steps: u32 = 1;

        /// The treatment of bets, or parts of bets, that the banker's funds no longer cover when they are settled.
        reading uncovered_bets: UncoveredBets {
            /// Uncovered bets are returned, regardless of the hands.
            Push,
            /// Uncovered bets lose if their hand loses. If it wins, they are returned, because there are no funds to
            /// pay them.
            Lose,
        }

        /// The commission that a banking player pays.
        reading commission_on_banker: CommissionOnBanker {
            /// The bank pays commission on its net win for the round.
            NetWin,
            /// The bank pays commission on each bet that it collects.
            PerBet,
            /// The bank pays no commission.
            None,
        }

        /// The action button's position if the seat selected by the dice has no hand against the banker.
        reading button_without_hand: ButtonWithoutHand {
            /// The button goes to the next seat clockwise that has such a hand.
            NextOccupied,
            /// The dice are thrown again.
            RollAgain,
        }

        /// The house's hand when a player banks.
        reading house_hand_when_player_banks: HouseHand {
            /// The house has no hand, and its seat is empty.
            NotDealt,
            /// The house makes the bet `house-bet` and follows the house way.
            Dealt,
        }

        /// The fee that a banking player pays for each round, depending on the sum of all bets against the bank. It is
        /// written like the fee for players in the rules of the game, and independent of `bank-commission`.
        variant bank_collection: Collection = Collection::NONE, options &Collection::NAMES;
    }
}

/// The upper limit for `bet-maximum`. Because of this limit, sums of money stay far below integer overflow.
const MAX_BET: Chips = MAX_BANKROLL / 1_000;

impl TableRules {
    /// Checks the limits for bets, stakes and time.
    ///
    /// # Errors
    /// Returns a message for the first limit that is invalid.
    pub fn check(&self) -> Result<(), String> {
        let ensure = |holds: bool, rule: &str, value: i64, remedy: String| {
            if holds { Ok(()) } else { Err(format!("table rule {rule} = {value}: {remedy}")) }
        };
        let (low, high) = (self.bet_minimum, self.bet_maximum);
        ensure(low > 0, "bet-minimum", low, "must be at least one chip".to_owned())?;
        ensure((low..=MAX_BET).contains(&high), "bet-maximum", high, format!("must be between {low} and {MAX_BET}"))?;
        let (low, high) = (self.side_minimum, self.side_maximum);
        ensure(low > 0, "side-minimum", low, "must be at least one chip".to_owned())?;
        let fits = high == 0 || (low..=MAX_BET).contains(&high);
        ensure(fits, "side-maximum", high, format!("must be 0 (no side bet) or between {low} and {MAX_BET}"))?;
        let fits = (1..=MAX_BET).contains(&self.bank_minimum);
        ensure(fits, "bank-minimum", self.bank_minimum, format!("must be between 1 and {MAX_BET}"))?;
        let fits = (1..=MAX_BET).contains(&self.house_bet);
        ensure(fits, "house-bet", self.house_bet, format!("must be between 1 and {MAX_BET}"))?;
        let fits = (1..=1_000).contains(&self.time_steps);
        ensure(fits, "time-steps", self.time_steps.into(), "must be between 1 and 1000".to_owned())
    }

    /// Returns the size of a player's bets from the keys `bet`, `bet-share` and `side` of a configuration. Without the first
    /// two, the player bets the minimum. `bankroll` is the player's initial bankroll, if it is known.
    ///
    /// # Errors
    /// Returns a message that includes the key if a value is outside the limits, or if the bankroll doesn't cover the
    /// bets.
    pub fn bet_size(
        &self,
        bet: Option<Chips>,
        share: Option<Rate>,
        side: Chips,
        bankroll: Option<Chips>,
    ) -> Result<BetSize, String> {
        if bet.is_some() && share.is_some() {
            return Err("both bet and bet-share are given; keep one of them".to_owned());
        }
        if share == Some(Rate::ZERO) {
            return Err("bet-share = 0 never bets; use a larger share, or remove the player".to_owned());
        }
        self.check_wagers(bet, side)?;
        let least = bet.unwrap_or(self.bet_minimum);
        let wagers = if share.is_some() { least } else { least + side };
        match bankroll {
            Some(bankroll) if wagers > bankroll => {
                Err(format!("bankroll = {bankroll}: must cover the bet of {least} and the side bet of {side}"))
            }
            _ => Ok(share.map_or(BetSize::Chips(least), BetSize::Share)),
        }
    }

    fn check_wagers(&self, bet: Option<Chips>, side: Chips) -> Result<(), String> {
        let (low, high) = (self.bet_minimum, self.bet_maximum);
        if let Some(bet) = bet.filter(|bet| !(low..=high).contains(bet)) {
            return Err(format!("bet = {bet}: must be between {low} and {high}, the table's limits"));
        }
        let (low, high) = (self.side_minimum, self.side_maximum);
        match side {
            0 => Ok(()),
            _ if !self.has_side_bet() => Err(format!("side = {side}: must be 0 because this table has no side bet")),
            _ if (low..=high).contains(&side) => Ok(()),
            _ => Err(format!("side = {side}: must be 0 (no side bet) or between {low} and {high}, the table's limits")),
        }
    }

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

    /// Returns the commission that a player's bank pays if it wins the only bet of the round. The bet then equals the
    /// bank's net win.
    pub const fn commission_on_one_bet(&self) -> Rate {
        match self.commission_on_banker {
            CommissionOnBanker::None => Rate::ZERO,
            CommissionOnBanker::NetWin | CommissionOnBanker::PerBet => self.bank_commission,
        }
    }

    /// Returns `true` if there is a side bet.
    pub const fn has_side_bet(&self) -> bool {
        self.side_maximum > 0
    }
}

/// The rules, the house way and the paytable of a table. They never change, so clones of the table share them.
pub struct Setup {
    /// The table rules.
    pub rules: TableRules,
    /// The game.
    pub game: Arc<Game>,
    /// The house way.
    pub way: Arc<dyn ProfileStrategy + Send>,
    profiles: &'static Profiles,
    /// The side bet's paytable.
    pub paytable: Paytable,
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
    ) -> Result<Setup, String> {
        rules.check()?;
        let (side_bet, hash) = (OnceLock::new(), OnceLock::new());
        Ok(Setup { rules, game, way, profiles: Profiles::get(), paytable, side_bet, hash })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn rules_round_trip_and_refuse_typos() {
        let rules: TableRules = toml::from_str("seats = 5\nbank-commission = 0.04").unwrap();
        assert_eq!((rules.seats.seats(), rules.bank_commission.millionths()), (5, 40_000));
        assert_eq!(toml::from_str::<TableRules>(&toml::to_string(&rules).unwrap()).unwrap(), rules);
        for (text, part) in [("seat = 5", "seat"), ("seats = 8", "2 to 7"), ("uncovered-bets = 'win'", "lose")] {
            let error = toml::from_str::<TableRules>(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn single_rules_are_set_by_text() {
        let rules = TableRules::default();
        let changed = rules.with("seats=3").unwrap().with("bank-commission=0.025").unwrap();
        assert_eq!((changed.seats.seats(), changed.bank_commission.millionths()), (3, 25_000));
        assert_eq!(changed.commission_on_one_bet(), changed.bank_commission);
        assert_eq!(changed.with("commission-on-banker=none").unwrap().commission_on_one_bet(), Rate::ZERO);
        let error = rules.with("seats=9").unwrap_err().to_string();
        assert!(error.contains("2 to 7"), "{error}");
    }

    #[test]
    fn limits_are_checked() {
        assert_eq!(TableRules::default().check(), Ok(()));
        for (text, part) in [
            ("bet-minimum=0", "at least one chip"),
            ("bet-maximum=10", "between 20 and"),
            ("side-maximum=2", "0 (no side bet) or between 5 and"),
            ("bank-minimum=0", "between 1 and"),
            ("house-bet=-5", "between 1 and"),
            ("time-steps=0", "between 1 and 1000"),
        ] {
            let error = TableRules::default().with(text).unwrap().check().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn wagers_outside_the_limits_are_named_with_their_key() {
        let (rules, plain) = (TableRules::default(), TableRules::default().with("side-maximum=0").unwrap());
        for (bet, side) in [(None, 0), (Some(20), 5), (Some(2_000), 100)] {
            assert_eq!(rules.check_wagers(bet, side), Ok(()));
        }
        for (rules, bet, side, part) in [
            (rules, Some(19), 0, "bet = 19: must be between 20 and 2000"),
            (rules, Some(2_001), 0, "bet = 2001"),
            (rules, Some(-20), 0, "bet = -20"),
            (rules, None, -5, "side = -5: must be 0 (no side bet) or between 5 and 100"),
            (rules, None, 4, "side = 4"),
            (rules, None, 101, "side = 101"),
            (plain, None, 5, "must be 0 because this table has no side bet"),
        ] {
            let error = rules.check_wagers(bet, side).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
