//! Lists an audit's alternatives: every other option for each reading, and the way with each rule left out.

use super::Alternatives;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::HouseWay;

/// A way's alternatives and their descriptions.
pub struct Prices<'a> {
    /// The alternatives.
    pub alternatives: Alternatives<'a>,
    /// Each option that wasn't chosen for one of the way's readings, with the reading itself and the alternative's
    /// index. If the way can't use the option, the result is the reason instead of an index.
    pub readings: Vec<(String, String, Result<usize, String>)>,
    /// The index of the alternative that results from removing each rule. If no other rule would set some of its hands,
    /// this is the number of those hands instead.
    pub rules: Vec<Result<usize, u64>>,
}

impl<'a> Prices<'a> {
    /// Collects the alternatives to a way.
    pub fn new(way: &'a HouseWay, game: &Game) -> Prices<'a> {
        let mut prices = Prices { alternatives: Alternatives::new(way), readings: Vec::new(), rules: Vec::new() };
        prices.add_readings(game);
        prices.add_rules(game);
        prices
    }

    fn add_readings(&mut self, game: &Game) {
        let way = self.alternatives.way().way();
        for reading in way.readings() {
            for (_, option) in reading.options.iter().enumerate().filter(|&(i, _)| i != reading.chosen) {
                let mut other = way.clone();
                let chosen = other.choose(&reading.name, option);
                let compiled = chosen.and_then(|()| HouseWay::compile(other, game));
                let number = compiled.map(|other| self.alternatives.add_strategy(&other));
                let number = number.map_err(|error| error.to_string());
                self.readings.push((reading.name.clone(), option.clone(), number));
            }
        }
    }

    fn add_rules(&mut self, game: &Game) {
        let way = self.alternatives.way();
        let fallbacks = way.way().fallbacks(game);
        let mut uncovered = vec![0; way.survey().rules.len()];
        for profile in Profile::all().filter(|profile| fallbacks[profile.index()].is_none()) {
            uncovered[way.rule_index(profile)] += Profiles::get().hands(profile);
        }
        for (rule, uncovered) in uncovered.into_iter().enumerate() {
            self.rules.push(match uncovered {
                0 => {
                    let is_its = |profile: &Profile| way.rule_index(*profile) == rule;
                    Ok(self.alternatives.add(|profile| fallbacks[Some(profile).filter(is_its)?.index()]))
                }
                hands => Err(hands),
            });
        }
    }
}
