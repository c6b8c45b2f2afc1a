//! The power rating: a published rule of thumb for setting hands.
//!
//! With p5 and p2 the chances that a back and a front beat those of the banker's house way, taken over all hands and as if
//! they were independent, a setting is rated by what it would win: `(1 - commission) p2 p5 - (1 - p2)(1 - p5)`. The greatest
//! rating is played (Wong, "Optimal Strategy for Pai Gow Poker", 1992, with tables of the two chances by hand; here they are
//! counted). It knows nothing of the cards that the player holds himself.

use super::BankerTable;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{Candidates, Game, Hand, SetHand, Setting, Strategy, settings_in};
use houseway_env::rank::TwoStrength;

/// All seven-card hands of the deck: C(53,7).
const HANDS: u64 = 154_143_080;

/// Plays the setting with the greatest power rating against one banker; among equals that of the lowest index.
pub struct PowerRating<'a> {
    game: &'a Game,
    /// Banker's hands whose back is below each strength.
    backs_below: Vec<u64>,
    /// Banker's hands whose front is below each strength.
    fronts_below: Vec<u64>,
}

impl<'a> PowerRating<'a> {
    /// Counts the backs and fronts that a banker makes of all 154,143,080 hands.
    pub fn new(game: &'a Game, banker: &BankerTable) -> PowerRating<'a> {
        let mut backs = vec![0; game.ranking().strengths()];
        let mut fronts = vec![0; TwoStrength::COUNT];
        for profile in Profile::all() {
            let (set, hands) = (banker.set(profile), Profiles::get().hands(profile));
            backs[set.back.index()] += hands;
            fronts[set.front.index()] += hands;
        }
        PowerRating { game, backs_below: below(&backs), fronts_below: below(&fronts) }
    }

    /// The rating of a set hand, in stakes.
    pub fn rating(&self, set: SetHand) -> f64 {
        let share = |hands: u64| hands as f64 / HANDS as f64;
        let (back, front) = (share(self.backs_below[set.back.index()]), share(self.fronts_below[set.front.index()]));
        (1.0 - self.game.rules().commission.value()) * back * front - (1.0 - back) * (1.0 - front)
    }
}

/// For each place the sum of all places before it.
fn below(counts: &[u64]) -> Vec<u64> {
    let mut sum = 0;
    let step = |&count: &u64| {
        let before = sum;
        sum += count;
        before
    };
    counts.iter().map(step).collect()
}

impl Strategy for PowerRating<'_> {
    fn name(&self) -> &str {
        "power rating"
    }

    fn set(&self, hand: Hand) -> Setting {
        let candidates = Candidates::of(self.game, hand);
        let rate = |setting: Setting| (setting, self.rating(candidates.set(setting)));
        let rated = settings_in(candidates.contenders()).map(rate);
        let best = rated.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.expect("every hand has a contender").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};

    #[test]
    fn chances_are_those_of_the_banker() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let rating = PowerRating::new(&game, &BankerTable::new(&way));
        // Of the fronts that the house way makes 221,460 are 3-high, none lower, 392,144 are 4-high.
        let front = |text: &str| {
            let hand: Vec<_> = text.chars().map(|c| c.to_string().parse().unwrap()).collect();
            rating.fronts_below[TwoStrength::of_ranks(hand[0], hand[1]).index()]
        };
        assert_eq!((front("32"), front("42"), front("52")), (0, 221_460, 221_460 + 392_144));
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        assert_eq!(rating.set(hand).front(hand).to_string(), "7d 7c");
        // The highest set hand beats everything but its like: it is rated just below what a sure win pays.
        let best = game.set("As Ad Ah Ac Jk Ks Kd".parse().unwrap(), Setting::of_positions(5, 6));
        assert!(rating.rating(best) > 0.9 && rating.rating(best) < 0.95);
    }

    #[test]
    fn a_dominated_setting_is_never_rated_above() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let rating = PowerRating::new(&game, &BankerTable::new(&way));
        for text in ["As Kd Jk 7c 7d 2h 3s", "9s 8s 7s 6s 5s 4d 4c", "Ks Kd Qc Qd 2h 3h 4h"] {
            let hand: Hand = text.parse().unwrap();
            let candidates = Candidates::of(&game, hand);
            let chosen = rating.rating(candidates.set(rating.set(hand)));
            assert!(settings_in(candidates.legal()).all(|other| rating.rating(candidates.set(other)) <= chosen));
        }
    }
}
