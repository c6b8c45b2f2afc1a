//! The settings that hands would get if the rule that sets them were removed.

use super::file::Way;
use super::rule::Rule;
use super::situation::HandFeatures;
use crate::cards::profile::Profile;
use crate::pai_gow::{Game, Hand, SetHand};
use rayon::prelude::*;

impl Way {
    /// For every profile in [`Profile::index`] order, returns the set hand that would result if the rule that sets the
    /// profile were removed and the next matching rule took its place. The entry is `None` if there is no such rule.
    /// Computing all entries takes 0.3 s.
    pub fn fallbacks(&self, game: &Game) -> Vec<Option<SetHand>> {
        let (rules, by_shape) = self.active();
        let profiles: Vec<Profile> = Profile::all().collect();
        profiles.into_par_iter().map(|profile| fallback(game, profile, &rules, &by_shape)).collect()
    }
}

fn fallback(game: &Game, profile: Profile, rules: &[&Rule], by_shape: &[Vec<u8>]) -> Option<SetHand> {
    let hand = Hand::representative(profile);
    let situation = HandFeatures::new(game, hand);
    let fitting = by_shape[situation.shape as usize].iter().map(|&i| rules[usize::from(i)]);
    let mut choices = fitting.filter(|rule| rule.is_for(&situation)).filter_map(|rule| rule.choose(&situation));
    choices.nth(1).map(|setting| situation.made[setting.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::profile::Profiles;
    use crate::pai_gow::house_way::HouseWay;
    use crate::pai_gow::{ProfileStrategy, Rules};

    const TEXT: &str = include_str!("../../../house-ways/trump-plaza.toml");

    /// Parses the house way's text after removing one rule.
    fn without(name: &str) -> Way {
        let (start, end) = {
            let name = TEXT.find(&format!("name = \"{name}\"")).unwrap();
            let start = TEXT[..name].rfind("[[rule]]").unwrap();
            (start, TEXT[name..].find("[[rule]]").map_or(TEXT.len(), |end| name + end))
        };
        let text = TEXT[..start].to_owned() + &TEXT[end..];
        Way::parse(&text.replacen("\"trump-plaza\"", "\"changed\"", 1), "test").unwrap()
    }

    #[test]
    fn fallbacks_match_ways_with_the_rule_removed() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let fallbacks = way.way().fallbacks(&game);
        let mut compiled = 0;
        // Tests every third rule, some of which are required.
        for (rule, survey) in way.survey().rules.iter().enumerate().step_by(3) {
            let other = without(&survey.name);
            let is_its = |profile: &Profile| way.rule_index(*profile) == rule;
            let unset = Profile::all().filter(is_its).filter(|profile| fallbacks[profile.index()].is_none());
            let uncovered: u64 = unset.map(|profile| Profiles::get().hands(profile)).sum();
            assert_eq!(other.survey(&game).unwrap().uncovered, uncovered, "{}", survey.name);
            if uncovered == 0 {
                let other = HouseWay::compile(other, &game).unwrap();
                for profile in Profile::all() {
                    let expected =
                        if is_its(&profile) { fallbacks[profile.index()].unwrap() } else { way.set_profile(profile) };
                    assert_eq!(other.set_profile(profile), expected, "{}", survey.name);
                }
                compiled += 1;
            }
        }
        assert!(compiled >= 2, "{compiled}");
    }
}
