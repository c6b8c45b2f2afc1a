//! Parameters and readings of the table, as plain data.

use super::{Chips, HIGHEST_BANKROLL, TableSize};
use crate::pai_gow::Rate;
use crate::rules::{RuleReading, RuleSet};
use serde::{Deserialize, Serialize};

/// What happens to bets, or parts of them, that the banker's funds do not cover any more when their turn comes;
/// **[reading: uncovered-bets]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UncoveredBets {
    /// They are returned, whatever the hands say.
    #[default]
    Push,
    /// They are lost where the hands lose, and returned where they win: there is nothing to pay them with.
    Lose,
}

/// What a player who banks pays commission on; **[reading: commission-on-banker]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommissionOnBanker {
    /// On what the bank has won over the round, if it has won.
    #[default]
    NetWin,
    /// On each bet that the bank collects.
    PerBet,
    /// On nothing.
    None,
}

/// Who gets the action button if the seat that the dice count to has no hand against the banker;
/// **[reading: button-without-hand]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonWithoutHand {
    /// The next seat clockwise that has one.
    #[default]
    NextOccupied,
    /// The dice are thrown again.
    RollAgain,
}

/// Whether the house plays a hand against a player's bank; **[reading: house-hand-when-player-banks]**.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HouseHand {
    /// Its seat is empty.
    #[default]
    NotDealt,
    /// It bets [`TableRules::house_bet`] and sets the house way.
    Dealt,
}

/// Rules of the table: seats, limits and readings. Every field has a default, and unknown fields are refused. What beats
/// what, the players' commission and the side bet stand in [`Rules`](crate::pai_gow::Rules).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableRules {
    /// Seats, that of the house among them. 7 by default.
    pub seats: TableSize,
    /// The lowest bet, in chips. 20 by default, of which 5% are a whole chip.
    pub bet_minimum: Chips,
    /// The highest bet. 2,000 by default.
    pub bet_maximum: Chips,
    /// The lowest side bet. 5 by default.
    pub side_minimum: Chips,
    /// The highest side bet; 0 means that there is no side bet. 100 by default.
    pub side_maximum: Chips,
    /// The lowest stake of a player's bank. 20 by default.
    pub bank_minimum: Chips,
    /// Share that the house keeps of a bank's winnings. 0.05 by default.
    pub bank_commission: Rate,
    /// What the house bets against a player's bank, if it plays a hand. 20 by default.
    pub house_bet: Chips,
    /// Steps in which a hand must be set. 1 by default: the first step sets it.
    pub time_steps: u32,
    /// What happens to bets that the bank does not cover.
    pub uncovered_bets: UncoveredBets,
    /// What a player who banks pays commission on.
    pub commission_on_banker: CommissionOnBanker,
    /// Who gets the button if the seat counted to has no hand.
    pub button_without_hand: ButtonWithoutHand,
    /// Whether the house plays against a player's bank.
    pub house_hand_when_player_banks: HouseHand,
}

impl Default for TableRules {
    fn default() -> TableRules {
        TableRules {
            seats: TableSize::SEVEN,
            bet_minimum: 20,
            bet_maximum: 2_000,
            side_minimum: 5,
            side_maximum: 100,
            bank_minimum: 20,
            bank_commission: Rate::from_millionths(50_000).expect("it is below one"),
            house_bet: 20,
            time_steps: 1,
            uncovered_bets: UncoveredBets::default(),
            commission_on_banker: CommissionOnBanker::default(),
            button_without_hand: ButtonWithoutHand::default(),
            house_hand_when_player_banks: HouseHand::default(),
        }
    }
}

/// The readings among the fields of [`TableRules`].
pub const TABLE_READINGS: &[RuleReading] = &[
    ("uncovered-bets", &["push", "lose"]),
    ("commission-on-banker", &["net_win", "per_bet", "none"]),
    ("button-without-hand", &["next_occupied", "roll_again"]),
    ("house-hand-when-player-banks", &["not_dealt", "dealt"]),
];

impl RuleSet for TableRules {
    const READINGS: &'static [RuleReading] = TABLE_READINGS;
}

/// The highest bet, so that money stays far from the end of the integers.
const HIGHEST_BET: Chips = HIGHEST_BANKROLL / 1_000;

/// Table rules that cannot be played by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table rule {rule} = {value}: {remedy}")]
pub struct TableRulesError {
    /// The field.
    pub rule: &'static str,
    /// Its value.
    pub value: i64,
    /// What would be right.
    pub remedy: String,
}

impl TableRules {
    /// Whether the numbers fit together.
    ///
    /// # Errors
    /// The first one that does not.
    pub fn check(&self) -> Result<(), TableRulesError> {
        let ensure = |holds: bool, rule, value, remedy: String| {
            if holds { Ok(()) } else { Err(TableRulesError { rule, value, remedy }) }
        };
        let (low, high) = (self.bet_minimum, self.bet_maximum);
        ensure(low > 0, "bet-minimum", low, "a bet is one chip or more".to_owned())?;
        ensure((low..=HIGHEST_BET).contains(&high), "bet-maximum", high, format!("write {low} to {HIGHEST_BET}"))?;
        let (low, high) = (self.side_minimum, self.side_maximum);
        ensure(low > 0, "side-minimum", low, "a side bet is one chip or more".to_owned())?;
        let fits = high == 0 || (low..=HIGHEST_BET).contains(&high);
        ensure(fits, "side-maximum", high, format!("write 0 (no side bet) or {low} to {HIGHEST_BET}"))?;
        let fits = (1..=HIGHEST_BET).contains(&self.bank_minimum);
        ensure(fits, "bank-minimum", self.bank_minimum, format!("write 1 to {HIGHEST_BET}"))?;
        let fits = (1..=HIGHEST_BET).contains(&self.house_bet);
        ensure(fits, "house-bet", self.house_bet, format!("write 1 to {HIGHEST_BET}"))?;
        let fits = (1..=1_000).contains(&self.time_steps);
        ensure(fits, "time-steps", self.time_steps.into(), "write 1 to 1000".to_owned())
    }

    /// The commission on one bet that a player's bank wins, and the only one: it is the round's net win as well.
    pub const fn commission_on_one_bet(&self) -> Rate {
        match self.commission_on_banker {
            CommissionOnBanker::None => Rate::ZERO,
            CommissionOnBanker::NetWin | CommissionOnBanker::PerBet => self.bank_commission,
        }
    }

    /// Whether there is a side bet.
    pub const fn has_side_bet(&self) -> bool {
        self.side_maximum > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_list_of_readings_is_that_of_the_fields() {
        let fields = toml::Table::try_from(TableRules::default()).unwrap();
        for (name, options) in TABLE_READINGS {
            assert_eq!(fields[*name].as_str(), Some(options[0]), "the default stands first");
            for option in *options {
                assert!(TableRules::default().with(&format!("{name}={option}")).is_ok(), "{name}={option}");
            }
            let error = TableRules::default().with(&format!("{name}=nonsense")).unwrap_err().to_string();
            assert!(options.iter().all(|option| error.contains(option)), "{error}");
        }
        assert_eq!(fields.values().filter(|value| value.is_str()).count(), TABLE_READINGS.len());
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
    fn the_hash_names_the_rules() {
        let rules = TableRules::default();
        assert_eq!(rules.hash().len(), 16);
        assert_ne!(rules.hash(), rules.with("seats=6").unwrap().hash());
    }
}
