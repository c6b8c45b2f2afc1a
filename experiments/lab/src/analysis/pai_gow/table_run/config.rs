//! Table configurations, with the rules, the players, and their bets and strategies.

use super::play::default_way;
use houseway_env::money::{Chips, Rate};
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::table::{BankPolicy, BetSize, HOUSE_SEAT, TableRules};
use serde::{Deserialize, Serialize};

/// A table configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TableRunConfig {
    /// The seed for dice, cards, and random players. By default 0.
    #[serde(default)]
    pub seed: u64,
    /// The maximum number of rounds. By default 10. Play ends earlier if no player can make the minimum
    /// bet.
    #[serde(default = "default_rounds")]
    pub rounds: u64,
    /// The name or file of the house's way, by default `trump-plaza`.
    #[serde(default = "default_way")]
    pub house_way: String,
    /// The name or file of the side bet's paytable. By default, there is no side bet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paytable: Option<String>,
    /// The rules of the table.
    #[serde(default)]
    pub rules: TableRules,
    /// The rules of Pai Gow Poker.
    #[serde(default)]
    pub game: Rules,
    /// The players, each in a table `[[player]]`.
    #[serde(default, rename = "player")]
    pub players: Vec<PlayerConfig>,
}

fn default_rounds() -> u64 {
    10
}

/// A player's policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerPolicy {
    /// Bets, banks, and sets hands as specified by the other keys.
    #[default]
    Regular,
    /// Plays random legal actions, ignoring all other keys except the bankroll.
    Random,
    /// Plays moves that were chosen by another program and are only known from its history. Such a table can be
    /// verified, but not played.
    Agent,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayerConfig {
    /// The seat, from 1 to 6, clockwise.
    pub seat: usize,
    /// The display name. Defaults to the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The initial bankroll in chips.
    pub bankroll: Chips,
    /// The way the player plays, by default `regular`.
    #[serde(default)]
    pub policy: PlayerPolicy,
    /// The bet in chips. Defaults to the minimum bet, unless `bet-share` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet: Option<Chips>,
    /// The bet as a fraction of the bankroll, instead of `bet`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet_share: Option<Rate>,
    /// The side bet in chips. Defaults to 0, meaning no side bet.
    #[serde(default)]
    pub side: Chips,
    /// The condition for taking the bank, by default `never`.
    #[serde(default)]
    pub bank: BankPolicy,
    /// The player's way. This can be the name or file of a house way, `highest-front`, `lowest-front`, a strategy table
    /// or a trained agent. Defaults to `trump-plaza`.
    #[serde(default = "default_way")]
    pub way: String,
    /// The player's way as the banker. Defaults to `way`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker_way: Option<String>,
}

impl PlayerConfig {
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("seat {}", self.seat))
    }

    pub fn as_banker(&self) -> &str {
        self.banker_way.as_deref().unwrap_or(&self.way)
    }

    pub fn bet_size(&self, rules: &TableRules) -> Result<BetSize, String> {
        rules.bet_size(self.bet, self.bet_share, self.side, Some(self.bankroll))
    }

    /// Returns `true` if the player is controlled by the other configuration keys.
    pub fn is_regular(&self) -> bool {
        self.policy == PlayerPolicy::Regular
    }

    /// Returns `true` if the player's decisions require exact outcome counts.
    pub fn counts(&self) -> bool {
        self.is_regular() && self.bank.is_exact()
    }
}

impl TableRunConfig {
    /// Returns the names of the house ways and of the paytable, some of which may be files.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let of_players = self.players.iter().flat_map(|player| [&*player.way, player.as_banker()]);
        of_players.chain([&*self.house_way]).chain(self.paytable.as_deref())
    }

    /// Returns the bankrolls from seat 1 on, with 0 for empty seats.
    pub fn bankrolls(&self) -> Vec<Chips> {
        let mut bankrolls = vec![0; self.rules.seats.players()];
        for player in &self.players {
            bankrolls[player.seat - 1] = player.bankroll;
        }
        bankrolls
    }

    pub fn check(&self) -> Result<(), String> {
        self.rules.check()?;
        let seats = self.rules.seats.players();
        if self.players.is_empty() {
            return Err("no players; add a [[player]] with a seat and a bankroll".to_owned());
        }
        if self.rounds == 0 {
            return Err("rounds = 0: expected at least 1".to_owned());
        }
        for (i, player) in self.players.iter().enumerate() {
            let seat = player.seat;
            if seat == HOUSE_SEAT || seat > seats {
                return Err(format!("player {}: invalid seat {seat}: expected 1 to {seats}", i + 1));
            }
            if self.players[..i].iter().any(|other| other.seat == seat) {
                return Err(format!("two players have seat {seat}"));
            }
            if player.bankroll < self.rules.bet_minimum {
                let (has, lowest) = (player.bankroll, self.rules.bet_minimum);
                return Err(format!("seat {seat}: a bankroll of {has} is below the minimum bet, {lowest}"));
            }
            if let Some(other) = self.players[..i].iter().find(|other| other.title() == player.title()) {
                return Err(format!("seat {seat}: name = \"{}\" is used by seat {}", player.title(), other.seat));
            }
            player.bet_size(&self.rules).map_err(|problem| format!("seat {seat}: {problem}"))?;
            let stranger =
                self.players.iter().find(|other| other.policy != PlayerPolicy::Regular && other.seat != seat);
            if let (true, Some(stranger)) = (player.counts(), stranger) {
                return Err(format!(
                    "seat {seat} banks by exact counts, but the settings of seat {} cannot be enumerated; set bank = \
                     \"always\" or \"never\" for seat {seat}, or a way and policy = \"regular\" for seat {}",
                    stranger.seat, stranger.seat
                ));
            }
        }
        self.rules.check_bankrolls(&self.bankrolls())
    }

    /// Validates a configuration for play. Agents are not allowed in it, because their moves are only known from a
    /// history.
    pub fn check_played(&self) -> Result<(), String> {
        self.check()?;
        match self.players.iter().find(|player| player.policy == PlayerPolicy::Agent) {
            Some(agent) => Err(format!(
                "seat {}: policy = \"agent\" is only for histories from other programs; use regular or random",
                agent.seat
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../../../configs/table.toml");

    #[test]
    fn the_example_is_valid_and_errors_are_specific() {
        let example: TableRunConfig = toml::from_str(EXAMPLE).unwrap();
        assert_eq!(example.check(), Ok(()));
        assert_eq!(toml::from_str::<TableRunConfig>(&toml::to_string(&example).unwrap()).unwrap(), example);
        let broken = |from: &str, to: &str| {
            assert!(EXAMPLE.contains(from), "{from}");
            match toml::from_str::<TableRunConfig>(&EXAMPLE.replacen(from, to, 1)) {
                Ok(config) => config.check().unwrap_err(),
                Err(error) => error.to_string(),
            }
        };
        for (from, to, part) in [
            ("seat = 1", "seat = 9", "expected 1 to"),
            ("seat = 2", "seat = 1", "two players have seat 1"),
            ("rounds = 20", "rounds = 0", "at least 1"),
            ("rounds = 20", "round = 20", "round"),
            ("bankroll = 2000", "bankroll = 1", "below the minimum bet"),
            ("bank = \"when-profitable\"", "bank = \"sometimes\"", "when-profitable"),
            ("bet = 100", "bet = 100\nbet-share = 0.1", "keep one of them"),
            ("bet = 100", "bet = 10", "seat 1: bet = 10: must be between 20 and 2000"),
            ("bet = 100", "bet = 2001", "seat 1: bet = 2001"),
            ("bet = 60", "bet = 2996", "seat 2: bet = 2996: must be between 20 and 2000"),
            (
                "bankroll = 3000",
                "bankroll = 64",
                "seat 2: bankroll = 64: must cover the bet of 60 and the side bet of 5",
            ),
            ("side = 5", "side = -5", "seat 2: side = -5: must be 0 (no side bet) or between 5 and 100"),
            ("side = 5", "side = 3", "seat 2: side = 3"),
            ("bet-share = 0.02", "bet-share = 0", "seat 6: bet-share = 0 never bets"),
            ("name = \"Cleo\"", "name = \"Ada\"", "seat 4: name = \"Ada\" is used by seat 1"),
            ("way = \"lowest-front\"", "policy = \"random\"", "cannot be enumerated"),
        ] {
            let error = broken(from, to);
            assert!(error.contains(part), "{to}: {error}");
        }
    }
}
