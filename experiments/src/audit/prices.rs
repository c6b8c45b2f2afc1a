//! What is priced beside the way itself: its readings, its rules, and the readings of the game.

use super::{GameReading, Subject, with_bar};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, READINGS, Rules};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::audit::Alternatives;
use houseway_exact::pai_gow::whole::Whole;
use std::sync::atomic::AtomicBool;

/// A reading of the game that decides nothing between player and banker.
const OF_THE_SIDE_BET: &str = "side-bet-best";

/// The alternatives to a way, and what each of them is.
pub(super) struct Prices<'a> {
    pub(super) alternatives: Alternatives<'a>,
    /// Options of the way's readings that are not chosen: reading, option, and the alternative's number or why there is none.
    pub(super) readings: Vec<(String, String, Result<usize, String>)>,
    /// For each rule the number of the way without it, or how many hands would then have no rule.
    pub(super) rules: Vec<Result<usize, u64>>,
}

impl<'a> Prices<'a> {
    pub(super) fn of(way: &'a HouseWay, game: &Game) -> Prices<'a> {
        let mut prices = Prices { alternatives: Alternatives::to(way), readings: Vec::new(), rules: Vec::new() };
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

/// Prices the other options of the game's readings, taken by both sides: a pass for each. Gives nothing if it was stopped.
pub(super) fn game_readings(subject: &Subject, ev: Ratio, stop: &AtomicBool) -> Option<Vec<GameReading>> {
    let given = serde_json::to_value(subject.rules).expect("rules are plain data");
    let mut priced = Vec::new();
    for (name, options) in READINGS.iter().filter(|(name, _)| *name != OF_THE_SIDE_BET) {
        for option in options.iter().filter(|option| given[name].as_str() != Some(**option)) {
            let setting = format!("{name}={option}");
            let price = match subject.rules.with(&setting) {
                Ok(rules) => count(subject, rules, &setting, stop)?.map(|other| other - ev),
                Err(error) => Err(error.to_string()),
            };
            priced.push(GameReading { name: (*name).to_owned(), option: (*option).to_owned(), price });
        }
    }
    Some(priced)
}

/// The EV under other rules, or why there is none; nothing if it was stopped.
fn count(subject: &Subject, rules: Rules, label: &str, stop: &AtomicBool) -> Option<Result<Ratio, String>> {
    let prepared = match (Subject { rules, ..subject.clone() }).prepare() {
        Ok(prepared) => prepared,
        Err(error) => return Some(Err(error.to_string())),
    };
    let whole = Whole::new(&prepared.game, subject.seat.side(), &BankerTable::new(&prepared.opponent));
    let own = BankerTable::new(&prepared.way);
    let totals = with_bar(label, stop, |run| whole.totals(&[&own], run)).ok()?;
    Some(Ok(totals[0].ev(subject.seat.payoff(&rules))))
}
