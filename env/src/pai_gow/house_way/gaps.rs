//! Options of a house way's readings that leave hands without a rule.

use super::file::{Reading, Way, WayError};
use super::rule::{HandFeatures, Rule};
use crate::cards::profile::{Profile, Profiles};
use crate::pai_gow::{Game, Hand};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The maximum number of combinations of options to try. Published sheets need a few hundred.
const MAX_TRIALS: usize = 1_000_000;

/// A combination of options that leaves some hands without a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The options to select, by reading. All other readings keep their selected options.
    pub options: BTreeMap<String, String>,
    /// The number of hands without a rule.
    pub hands: u64,
    /// One of these hands.
    pub example: Hand,
}

impl Way {
    /// Returns combinations of options that leave hands without a rule, starting with the one that leaves the most.
    /// If there are none, every hand has a rule under every combination. The selected options themselves are included,
    /// without any option to change.
    ///
    /// # Errors
    /// Returns an error if a rule sets no hand with an option that makes it active while all other readings keep their
    /// selected options, or with the options that it names itself, or if the rules depend on too many combinations of
    /// readings to try.
    pub fn gaps(&self, game: &Game) -> Result<Vec<Gap>, WayError> {
        // Whether a hand has a rule depends on the set of rules that can set it, and few such sets occur.
        let mut hands_by_rules: BTreeMap<u64, (u64, Profile)> = BTreeMap::new();
        let setters: Vec<u64> = Profile::all_parallel().map(|profile| self.setters(game, profile)).collect();
        for (profile, rules) in Profile::all().zip(setters) {
            let (hands, _) = hands_by_rules.entry(rules).or_insert((0, profile));
            *hands += Profiles::get().hands(profile);
        }
        self.check_options(hands_by_rules.keys().copied(), game)?;
        let always = (0..).zip(&self.rules).filter(|(_, rule)| rule.readings.is_empty());
        let always = always.fold(0u64, |mask, (i, _)| mask | 1 << i);
        let mut trials = 0;
        let mut gaps: Vec<Gap> = Vec::new();
        for &rules in hands_by_rules.keys().filter(|&rules| rules & always == 0) {
            let mut options = BTreeMap::new();
            if !self.deactivate(rules, &mut options, &mut trials)? || gaps.iter().any(|gap| gap.options == options) {
                continue;
            }
            let unset = hands_by_rules.iter().filter(|&(&rules, _)| self.active_of(rules, &options).is_none());
            let unset: Vec<(u64, Profile)> = unset.map(|(_, &found)| found).collect();
            let hands = unset.iter().map(|(hands, _)| hands).sum();
            gaps.push(Gap { options, hands, example: Hand::representative(unset[0].1) });
        }
        gaps.sort_by_key(|gap| std::cmp::Reverse(gap.hands));
        Ok(gaps)
    }

    /// Returns the rules that can set a hand as a bit mask.
    fn setters(&self, game: &Game, profile: Profile) -> u64 {
        let features = HandFeatures::new(game, Hand::representative(profile));
        let rules = self.rules.iter().enumerate();
        let setters = rules.filter(|(_, rule)| rule.is_for(&features) && rule.choose(&features).is_some());
        setters.fold(0, |mask, (i, _)| mask | 1 << i)
    }

    /// Checks that every active rule sets a hand with each option, if all other readings keep their selected options, and
    /// that every rule with several readings sets one with the options that it names.
    fn check_options(&self, sets: impl Iterator<Item = u64> + Clone, game: &Game) -> Result<(), WayError> {
        let single = |reading: &Reading| {
            let others = reading.options.iter().filter(|&option| !self.is_selected(&reading.name, option));
            others.map(|option| vec![(reading.name.clone(), option.clone())]).collect::<Vec<_>>()
        };
        let several = self.rules.iter().map(|rule| rule.readings.clone()).filter(|readings| readings.len() > 1);
        for options in self.readings.iter().flat_map(single).chain(several) {
            let mut other = self.clone();
            for (name, option) in &options {
                other.choose(name, option)?;
            }
            let rules = other.rules.iter().enumerate().filter(|(_, rule)| other.is_active(rule));
            let active = rules.fold(0u64, |mask, (i, _)| mask | 1 << i);
            // The first active rule of each set gets its hands.
            let reached =
                sets.clone().map(|rules| rules & active).fold(0, |mask, rules| mask | rules & rules.wrapping_neg());
            if reached == active {
                continue;
            }
            if let Err(WayError::Line { origin, line, message }) = other.survey(game) {
                let options: Vec<String> = options.iter().map(|(name, option)| format!("{name} = {option}")).collect();
                let message = format!("with {}: {message}", options.join(" and "));
                return Err(WayError::Line { origin, line, message });
            }
        }
        Ok(())
    }

    /// Looks for options under which all of these rules are inactive. They are added to `options`, which has the ones
    /// that are fixed already. Returns `false` if there are no such options.
    fn deactivate(
        &self,
        rules: u64,
        options: &mut BTreeMap<String, String>,
        trials: &mut usize,
    ) -> Result<bool, WayError> {
        *trials += 1;
        if *trials > MAX_TRIALS {
            let message = format!(
                "the rules of \"{}\" depend on too many combinations of readings; remove readings or options",
                self.name
            );
            return Err(WayError::Invalid(message));
        }
        let Some(rule) = self.active_of(rules, options) else { return Ok(true) };
        // Any solution selects another option for one of the rule's readings.
        for (name, needed) in &rule.readings {
            let reading = self.readings.iter().find(|reading| reading.name == *name && !options.contains_key(name));
            for option in reading.iter().flat_map(|reading| &reading.options).filter(|option| *option != needed) {
                options.insert(name.clone(), option.clone());
                if self.deactivate(rules, options, trials)? {
                    return Ok(true);
                }
                options.remove(name);
            }
        }
        Ok(false)
    }

    /// Returns the first of these rules that is active under the selected options, some of which are replaced.
    fn active_of(&self, rules: u64, replaced: &BTreeMap<String, String>) -> Option<&Rule> {
        let is_active = |rule: &Rule| {
            rule.readings.iter().all(|(name, needed)| match replaced.get(name) {
                Some(option) => option == needed,
                None => self.is_selected(name, needed),
            })
        };
        self.rules.iter().enumerate().find(|&(i, rule)| rules >> i & 1 == 1 && is_active(rule)).map(|(_, rule)| rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::Rules;
    use crate::pai_gow::house_way::BUILT_IN;

    /// Returns a house way with three readings and the given rules.
    fn way(rules: &str) -> Way {
        let readings = ["a", "b", "c"]
            .map(|name| format!("[readings.{name}]\ntext = \"x\"\noptions = [\"one\", \"two\", \"three\"]\n"));
        let text = format!("name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n{}{rules}", readings.concat());
        Way::parse(&text, "gaps.toml").unwrap()
    }

    fn rule(name: &str, reading: &str, when: &str) -> String {
        format!(
            "[[rule]]\nname = \"{name}\"\ntext = \"x\"\nreading = {{ {reading} }}\nwhen = {{ {when} }}\nplay = {{}}\n"
        )
    }

    /// Counts the hands among some profiles that no active rule can set.
    fn unset(way: &Way, game: &Game, profiles: impl Iterator<Item = Profile>) -> u64 {
        let is_unset = |profile: &Profile| {
            let features = HandFeatures::new(game, Hand::representative(*profile));
            !way.active_rules().any(|rule| rule.is_for(&features) && rule.choose(&features).is_some())
        };
        profiles.filter(is_unset).map(|profile| Profiles::get().hands(profile)).sum()
    }

    #[test]
    fn gaps_agree_with_all_combinations() {
        let game = Game::new(Rules::default());
        let pairs = rule("pairs", "", "shape = [\"one pair\", \"two pairs\", \"three pairs\"]");
        let either = rule("x", "a = \"one\"", "joker = true") + &rule("y", "b = \"one\"", "joker = false");
        let needs_two = rule("both", "a = \"one\", b = \"two\"", "") + &rule("other", "b = \"one\"", "");
        let all_options = ["one", "two", "three"].map(|option| rule(option, &format!("a = \"{option}\""), ""));
        for (rules, is_complete) in [
            (rule("all", "a = \"one\"", "") + &rule("pair", "a = \"two\"", "shape = \"one pair\""), false),
            (pairs.clone() + &needs_two, false),
            (pairs + &all_options.concat(), true),
            (either, false),
        ] {
            let fresh = way(&rules);
            let gaps = fresh.gaps(&game).unwrap();
            for gap in &gaps {
                let mut way = fresh.clone();
                gap.options.iter().try_for_each(|(name, option)| way.choose(name, option)).unwrap();
                assert_eq!(unset(&way, &game, Profile::all()), gap.hands, "{rules}{gap:?}");
            }
            let mut incomplete = 0;
            for combination in 0..27 {
                let mut way = fresh.clone();
                for (name, option) in [("a", combination % 3), ("b", combination / 3 % 3), ("c", combination / 9)] {
                    way.choose(name, ["one", "two", "three"][option]).unwrap();
                }
                incomplete += usize::from(unset(&way, &game, Profile::all().step_by(101)) > 0);
            }
            assert_eq!((gaps.is_empty(), incomplete == 0), (is_complete, is_complete), "{rules}");
        }
    }

    #[test]
    fn rules_that_name_several_options_are_examined() {
        let never = rule("never", "a = \"two\", b = \"two\"", "shape = \"no pair\", pair = \"A\"");
        let error = way(&(never + &rule("all", "", ""))).gaps(&Game::new(Rules::default())).unwrap_err().to_string();
        assert!(error.contains("with a = two and b = two: rule \"never\""), "{error}");
    }

    #[test]
    fn built_in_house_ways_are_complete_with_all_options() {
        let game = Game::new(Rules::default());
        for (name, _) in BUILT_IN {
            assert_eq!(Way::named(name).unwrap().gaps(&game).unwrap(), [], "{name}");
        }
    }
}
