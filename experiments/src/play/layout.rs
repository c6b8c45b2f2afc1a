//! Presentation of a game: names of bets, and actions made by choosing cards.
//!
//! A game without a [`Layout`] is played through its environment alone: its bets are the reset options that are decimal
//! numbers, and its actions have the names given by its registry entry.

use houseway_env::gym::GameEntry;
use serde_json::{Map, Value};

/// Presentation of a game.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Name of the game.
    pub game: &'static str,
    /// Titles of bets, keyed by the names of their reset options.
    pub bets: &'static [(&'static str, &'static str)],
    /// Card choice that forms an action, or `None` if actions are chosen by name.
    pub pick: Option<Pick>,
    /// Returns a remark about a newly dealt hand, given the environment's view of it.
    pub remark: fn(&Value) -> Option<String>,
}

/// A choice of cards that forms an action, which is played once it is confirmed.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// Number of cards to choose.
    pub cards: usize,
    /// Name for the chosen cards.
    pub chosen: &'static str,
    /// Name for the remaining cards.
    pub others: &'static str,
    /// Returns the action with the cards at these positions, given in ascending order.
    pub action: fn(&[usize]) -> usize,
    /// Returns the positions of the cards that form an action.
    pub positions: fn(usize) -> Vec<usize>,
    /// Label of the button that chooses the house's action.
    pub house: &'static str,
}

/// A bet placed before the deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bet {
    /// Name of the reset option.
    pub option: String,
    /// Title shown on the table.
    pub title: String,
    /// True for main bets, which need a stake. Side bets are optional.
    pub is_main: bool,
}

impl Layout {
    /// Returns the layout of a game that has no layout of its own.
    pub const fn plain(game: &'static str) -> Layout {
        Layout { game, bets: &[], pick: None, remark: |_| None }
    }

    /// Returns a game's layout from `layouts`, or the plain one.
    pub fn find(layouts: &[Layout], game: &GameEntry) -> Layout {
        layouts.iter().find(|layout| layout.game == game.name).copied().unwrap_or(Layout::plain(game.name))
    }

    /// Returns the bets among the default reset options, which are the decimal numbers, with main bets first.
    pub(super) fn bets(&self, options: &Map<String, Value>) -> Vec<Bet> {
        let title = |option: &str| {
            let known = self.bets.iter().find(|(name, _)| *name == option);
            known.map_or_else(|| option.replace(['-', '_'], " ").to_uppercase(), |(_, title)| (*title).to_owned())
        };
        let bet = |(option, default): (&String, &Value)| {
            let default = default.as_number().filter(|number| number.is_f64())?.as_f64()?;
            Some(Bet { option: option.clone(), title: title(option), is_main: default > 0.0 })
        };
        let mut bets: Vec<Bet> = options.iter().filter_map(bet).collect();
        bets.sort_by_key(|bet| !bet.is_main);
        bets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::registry::games;

    #[test]
    fn the_bets_of_every_game_are_found() {
        let bets = |game: &GameEntry| {
            let env = (game.make)("{}").unwrap();
            let options = serde_json::from_str(&env.default_options()).unwrap();
            let bets = Layout::plain(game.name).bets(&options).into_iter();
            bets.map(|bet| format!("{}{}", bet.title, if bet.is_main { "" } else { "?" })).collect::<Vec<_>>().join(" ")
        };
        let found: Vec<String> = games().into_iter().map(bets).collect();
        assert_eq!(found, ["STAKE SIDE STAKE?", "", "ANTE TRIPS?", "CHIP", "ANTE SIDE STAKE?"]);
    }
}
