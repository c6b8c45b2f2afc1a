//! House ways as commands take them: by name or file, with the readings chosen by `--set way.NAME=OPTION`.

use super::options::WAY;
use super::{Failure, GameOptions, OrUsage, Outcome};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};

impl GameOptions {
    /// The game under the rules chosen.
    ///
    /// # Errors
    /// If it is no game that can be played so, or there is no such rule or option.
    pub fn pai_gow(&self) -> Outcome<Game> {
        if self.game != "pai-gow-poker" {
            return Err(Failure::usage(format!(
                "this command does not know the game '{}'; it takes -g pai-gow-poker",
                self.game
            )));
        }
        Ok(Game::new(self.pai_gow_rules()?))
    }

    /// House ways by name or file, with the readings chosen. A reading must belong to one of them at least.
    ///
    /// # Errors
    /// If there is no such house way, it is no house way, or nobody has such a reading.
    pub fn ways<const N: usize>(&self, names: [&str; N]) -> Outcome<[Way; N]> {
        let ways = self.list_of_ways(&names)?;
        Ok(ways.try_into().expect("one way for each name"))
    }

    /// The same for any number of house ways, one at least.
    ///
    /// # Errors
    /// As [`GameOptions::ways`].
    pub fn list_of_ways(&self, names: &[&str]) -> Outcome<Vec<Way>> {
        let mut ways = names.iter().map(|name| Way::load(name).or_usage()).collect::<Outcome<Vec<Way>>>()?;
        for (reading, option) in self.way_readings()? {
            let has = |way: &Way| way.readings().iter().any(|known| known.name == reading);
            if !ways.iter().any(has) {
                // The first way says which readings it has.
                let first = ways.first_mut().ok_or_else(|| {
                    Failure::usage(format!("'{WAY}{reading}={option}' is for a house way, and there is none"))
                })?;
                first.choose(&reading, &option).or_usage()?;
            }
            for way in ways.iter_mut().filter(|way| has(way)) {
                way.choose(&reading, &option).or_usage()?;
            }
        }
        Ok(ways)
    }
}

/// Compiles a house way for a game.
///
/// # Errors
/// If it leaves hands unset or has rules that do nothing.
pub(super) fn compile(way: Way, game: &Game) -> Outcome<HouseWay> {
    HouseWay::compile(way, game).or_usage()
}
