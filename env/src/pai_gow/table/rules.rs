//! Table rules: seats, limits and readings.

use super::{MAX_BANKROLL, TableSize};
use crate::money::{Chips, Rate};

crate::rules! {
    /// Table rules. The ranking of hands, the players' commission and the side bet are in
    /// [`Rules`](crate::pai_gow::Rules).
    #[derive(Copy, Hash)]
    pub struct TableRules {
        /// Number of seats, including the house's; 7 by default.
        parameter seats: TableSize = TableSize::SEVEN;
        /// Minimum bet in chips; 20 by default, of which 5% is a whole chip.
        parameter bet_minimum: Chips = 20;
        /// Maximum bet; 2,000 by default.
        parameter bet_maximum: Chips = 2_000;
        /// Minimum side bet; 5 by default.
        parameter side_minimum: Chips = 5;
        /// Maximum side bet; 100 by default, and 0 if there is no side bet.
        parameter side_maximum: Chips = 100;
        /// Minimum stake of a player's bank; 20 by default.
        parameter bank_minimum: Chips = 20;
        /// Fraction of a bank's winnings that the house keeps; 0.05 by default.
        parameter bank_commission: Rate = Rate::FIVE_PERCENT;
        /// Bet of the house against a player's bank, if it plays a hand; 20 by default.
        parameter house_bet: Chips = 20;
        /// Number of steps in which a hand must be set; 1 by default, so that the first step sets it.
        parameter time_steps: u32 = 1;

        /// Treatment of bets, or parts of them, that the banker's funds no longer cover when they are settled.
        reading uncovered_bets: UncoveredBets {
            /// They are returned, whatever the hands.
            Push,
            /// They are lost if the hand loses. If it wins, they are returned, because there are no funds to pay them.
            Lose,
        }

        /// Commission paid by a player who banks.
        reading commission_on_banker: CommissionOnBanker {
            /// On the net win of the bank over the round.
            NetWin,
            /// On each bet that the bank collects.
            PerBet,
            /// There is none.
            None,
        }

        /// Action button if the seat selected by the dice has no hand against the banker.
        reading button_without_hand: ButtonWithoutHand {
            /// It goes to the next seat clockwise that has a hand.
            NextOccupied,
            /// The dice are thrown again.
            RollAgain,
        }

        /// Hand of the house against a player's bank.
        reading house_hand_when_player_banks: HouseHand {
            /// Its seat is empty.
            NotDealt,
            /// It bets [`TableRules::house_bet`] and follows the house way.
            Dealt,
        }
    }
}

/// Upper limit for `bet-maximum`, which keeps sums of money far from integer overflow.
const MAX_BET: Chips = MAX_BANKROLL / 1_000;

/// An invalid table rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table rule {rule} = {value}: {remedy}")]
pub struct TableRulesError {
    /// Name of the rule.
    pub rule: &'static str,
    /// Value of the rule.
    pub value: i64,
    /// Description of valid values.
    pub remedy: String,
}

impl TableRules {
    /// Checks the limits.
    ///
    /// # Errors
    /// Returns the first invalid limit.
    pub fn check(&self) -> Result<(), TableRulesError> {
        let ensure = |holds: bool, rule, value, remedy: String| {
            if holds { Ok(()) } else { Err(TableRulesError { rule, value, remedy }) }
        };
        let (low, high) = (self.bet_minimum, self.bet_maximum);
        ensure(low > 0, "bet-minimum", low, "a bet is one chip or more".to_owned())?;
        ensure((low..=MAX_BET).contains(&high), "bet-maximum", high, format!("write {low} to {MAX_BET}"))?;
        let (low, high) = (self.side_minimum, self.side_maximum);
        ensure(low > 0, "side-minimum", low, "a side bet is one chip or more".to_owned())?;
        let fits = high == 0 || (low..=MAX_BET).contains(&high);
        ensure(fits, "side-maximum", high, format!("write 0 (no side bet) or {low} to {MAX_BET}"))?;
        let fits = (1..=MAX_BET).contains(&self.bank_minimum);
        ensure(fits, "bank-minimum", self.bank_minimum, format!("write 1 to {MAX_BET}"))?;
        let fits = (1..=MAX_BET).contains(&self.house_bet);
        ensure(fits, "house-bet", self.house_bet, format!("write 1 to {MAX_BET}"))?;
        let fits = (1..=1_000).contains(&self.time_steps);
        ensure(fits, "time-steps", self.time_steps.into(), "write 1 to 1000".to_owned())
    }

    /// Checks the configured bet of a player, if it is fixed, and the side bet.
    ///
    /// # Errors
    /// Returns a message about the first one outside the limits, including its key.
    pub fn check_wagers(&self, bet: Option<Chips>, side: Chips) -> Result<(), String> {
        let (low, high) = (self.bet_minimum, self.bet_maximum);
        if let Some(bet) = bet.filter(|bet| !(low..=high).contains(bet)) {
            return Err(format!("bet = {bet}: write {low} to {high}, the limits of the table"));
        }
        let (low, high) = (self.side_minimum, self.side_maximum);
        match side {
            0 => Ok(()),
            _ if !self.has_side_bet() => Err(format!("side = {side}: this table has no side bet; write 0")),
            _ if (low..=high).contains(&side) => Ok(()),
            _ => Err(format!("side = {side}: write 0 (no side bet) or {low} to {high}, the limits of the table")),
        }
    }

    /// Returns the commission on a bet that a player's bank wins if it is the only bet, so that it equals the net win
    /// of the round.
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
        let changed = changed.with("uncovered-bets = lose").unwrap().with("bet-maximum=50").unwrap();
        assert_eq!((changed.seats.seats(), changed.bank_commission.millionths()), (3, 25_000));
        assert_eq!((changed.uncovered_bets, changed.bet_maximum), (UncoveredBets::Lose, 50));
        assert_eq!(changed.commission_on_one_bet(), changed.bank_commission);
        assert_eq!(changed.with("commission-on-banker=none").unwrap().commission_on_one_bet(), Rate::ZERO);
        for (text, part) in
            [("seats", "key=value"), ("seats=9", "2 to 7"), ("chairs=3", "chairs"), ("seats=x", "seats")]
        {
            let error = rules.with(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn limits_are_checked() {
        assert_eq!(TableRules::default().check(), Ok(()));
        for (text, part) in [
            ("bet-minimum=0", "one chip or more"),
            ("bet-maximum=10", "write 20 to"),
            ("side-maximum=2", "write 0 (no side bet) or 5"),
            ("bank-minimum=0", "write 1 to"),
            ("house-bet=-5", "write 1 to"),
            ("time-steps=0", "write 1 to 1000"),
        ] {
            let error = TableRules::default().with(text).unwrap().check().unwrap_err().to_string();
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
            (rules, Some(19), 0, "bet = 19: write 20 to 2000"),
            (rules, Some(2_001), 0, "bet = 2001"),
            (rules, Some(-20), 0, "bet = -20"),
            (rules, None, -5, "side = -5: write 0 (no side bet) or 5 to 100"),
            (rules, None, 4, "side = 4"),
            (rules, None, 101, "side = 101"),
            (plain, None, 5, "no side bet; write 0"),
        ] {
            let error = rules.check_wagers(bet, side).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_hash_names_the_rules() {
        let rules = TableRules::default();
        assert_eq!(rules.hash().len(), 16);
        assert_ne!(rules.hash(), rules.with("seats=6").unwrap().hash());
    }
}
