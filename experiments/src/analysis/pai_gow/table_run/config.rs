//! The configuration of a table: rules, who sits where, and how each seat bets, banks and sets.

use super::seated::default_way;
use houseway_env::money::Chips;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::table::{HOUSE_SEAT, TableRules};
use serde::{Deserialize, Serialize};

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableConfig {
    /// The seed of dice, cards and random players.
    #[serde(default)]
    pub seed: u64,
    /// Rounds; fewer are played if nobody has the lowest bet any more.
    #[serde(default = "rounds")]
    pub rounds: u64,
    /// How the house sets, and every seat that does not: a house way by name or file.
    #[serde(default = "default_way")]
    pub house_way: String,
    /// The paytable of the side bet, by name or file; the default one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paytable: Option<String>,
    /// Rules of the table.
    #[serde(default)]
    pub rules: TableRules,
    /// Rules of the game.
    #[serde(default)]
    pub game: Rules,
    /// Who sits where.
    #[serde(default, rename = "player")]
    pub players: Vec<PlayerConfig>,
}

fn rounds() -> u64 {
    10
}

/// What a player does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Bets, banks and sets as the other keys say.
    #[default]
    Regular,
    /// Anything that is legal, with the same chance or so; the other keys but the bankroll mean nothing.
    Random,
}

/// When a player takes the bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BankPolicy {
    /// Never.
    #[default]
    Never,
    /// Whenever it is offered; all bets are covered as far as the bankroll goes.
    Always,
    /// When the exact EV of covering all bets is above that of playing the own bet against the house.
    WhenProfitable,
    /// Against one opponent, the exact Kelly share of the bankroll; passes if that is nothing or there are several.
    Kelly,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayerConfig {
    /// The seat, 1 to 6, clockwise.
    pub seat: usize,
    /// A name for people; that of the seat if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Chips at the beginning.
    pub bankroll: Chips,
    /// What the player does.
    #[serde(default)]
    pub policy: Policy,
    /// The bet in chips; the lowest of the table if neither this nor `bet-share` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet: Option<Chips>,
    /// The bet as a share of the bankroll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet_share: Option<Rate>,
    /// The side bet in chips; 0 is none.
    #[serde(default)]
    pub side: Chips,
    /// When the player takes the bank.
    #[serde(default)]
    pub bank: BankPolicy,
    /// How the player sets against a bank: a house way by name or file, `highest-front` or `lowest-front`.
    #[serde(default = "default_way")]
    pub way: String,
    /// How the player sets as the bank; the same if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker_way: Option<String>,
}

impl PlayerConfig {
    /// The player's name.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("seat {}", self.seat))
    }

    /// How the player sets as the bank.
    pub fn as_banker(&self) -> &str {
        self.banker_way.as_deref().unwrap_or(&self.way)
    }

    /// Whether the player's rule needs counts of all deals.
    pub fn counts(&self) -> bool {
        self.policy == Policy::Regular && matches!(self.bank, BankPolicy::WhenProfitable | BankPolicy::Kelly)
    }
}

impl TableConfig {
    /// Bankrolls from seat 1 on, 0 for an empty seat.
    pub fn bankrolls(&self) -> Vec<Chips> {
        let mut bankrolls = vec![0; self.rules.seats.players()];
        for player in &self.players {
            bankrolls[player.seat - 1] = player.bankroll;
        }
        bankrolls
    }

    /// Says what cannot be played, and what to write instead.
    ///
    /// # Errors
    /// The first mistake.
    pub fn check(&self) -> Result<(), String> {
        self.rules.check().map_err(|error| error.to_string())?;
        let seats = self.rules.seats.players();
        if self.players.is_empty() {
            return Err("nobody sits at the table; add a [[player]] with seat and bankroll".to_owned());
        }
        if self.rounds == 0 {
            return Err("rounds = 0; write 1 or more".to_owned());
        }
        for (i, player) in self.players.iter().enumerate() {
            let seat = player.seat;
            if seat == HOUSE_SEAT || seat > seats {
                return Err(format!("player {}: there is no seat {seat} for players; write 1 to {seats}", i + 1));
            }
            if self.players[..i].iter().any(|other| other.seat == seat) {
                return Err(format!("two players sit on seat {seat}"));
            }
            if player.bankroll < self.rules.bet_minimum {
                let (has, lowest) = (player.bankroll, self.rules.bet_minimum);
                return Err(format!("seat {seat}: a bankroll of {has} is below the lowest bet, {lowest}"));
            }
            if player.bet.is_some() && player.bet_share.is_some() {
                return Err(format!("seat {seat}: both bet and bet-share are given; keep one of them"));
            }
            let stranger = self.players.iter().find(|other| other.policy == Policy::Random && other.seat != seat);
            if let (true, Some(stranger)) = (player.counts(), stranger) {
                return Err(format!(
                    "seat {seat} banks by exact counts, but how seat {} sets is random and cannot be counted; give \
                     seat {seat} bank = \"always\" or \"never\", or seat {} a way",
                    stranger.seat, stranger.seat
                ));
            }
        }
        self.rules.check_bankrolls(&self.bankrolls())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../../configs/table.toml");

    #[test]
    fn the_example_is_sound_and_mistakes_are_named() {
        let example: TableConfig = toml::from_str(EXAMPLE).unwrap();
        assert_eq!(example.check(), Ok(()));
        assert_eq!(toml::from_str::<TableConfig>(&toml::to_string(&example).unwrap()).unwrap(), example);
        let broken = |from: &str, to: &str| {
            assert!(EXAMPLE.contains(from), "{from}");
            match toml::from_str::<TableConfig>(&EXAMPLE.replacen(from, to, 1)) {
                Ok(config) => config.check().unwrap_err(),
                Err(error) => error.to_string(),
            }
        };
        for (from, to, part) in [
            ("seat = 1", "seat = 9", "write 1 to"),
            ("seat = 2", "seat = 1", "two players sit on seat 1"),
            ("rounds = 20", "rounds = 0", "write 1 or more"),
            ("rounds = 20", "round = 20", "round"),
            ("bankroll = 2000", "bankroll = 1", "below the lowest bet"),
            ("bank = \"when-profitable\"", "bank = \"sometimes\"", "when-profitable"),
            ("bet = 100", "bet = 100\nbet-share = 0.1", "keep one of them"),
            ("way = \"lowest-front\"", "policy = \"random\"", "cannot be counted"),
        ] {
            let error = broken(from, to);
            assert!(error.contains(part), "{to}: {error}");
        }
    }
}
