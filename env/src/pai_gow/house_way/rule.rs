//! Rules with conditions on a hand and filters on its legal settings.

use super::words::{self, Part, Place, Shape};
use crate::cards::{Card, Rank};
use crate::pai_gow::{Game, Hand, SetHand, Setting, settings_in};
use crate::rank::TwoStrength;

/// A filter on settings. An empty filter accepts all settings. Filters depend on ranks and set hands but never on
/// suits, and they are only applied to legal settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Play {
    /// The allowed places for the two front cards. See [`Place::pair_bit`].
    pub(super) front: Option<u128>,
    /// The lowest allowed front.
    pub(super) front_at_least: Option<TwoStrength>,
    /// The highest allowed front.
    pub(super) front_at_most: Option<TwoStrength>,
    /// A play whose fronts must all be beaten.
    pub(super) front_above: Option<Box<Play>>,
    /// The allowed categories for the back, as a bit mask.
    pub(super) back: Option<u16>,
    /// The allowed ranks for the back's first tie-breaker, as a bit mask.
    pub(super) back_high: Option<u16>,
    /// The half that must contain the joker.
    pub(super) joker: Option<Half>,
    /// Plays whose settings are excluded.
    pub(super) except: Vec<Play>,
}

impl Play {
    /// Returns the legal settings that the play allows as a bit mask. Each nested play is evaluated at most once per
    /// hand, so the total cost is proportional to the size of the file.
    fn allowed(&self, hand: &HandFeatures<'_>) -> u32 {
        let mut allowed = hand.legal;
        if let Some(fronts) = self.front {
            allowed = filter(allowed, |setting| fronts >> hand.front_places[setting.index()] & 1 == 1);
        }
        if let Some(back) = self.back {
            allowed = filter(allowed, |setting| hand.category[setting.index()] & back != 0);
        }
        if let Some(least) = self.front_at_least {
            allowed = filter(allowed, |setting| hand.front(setting) >= least);
        }
        if let Some(most) = self.front_at_most {
            allowed = filter(allowed, |setting| hand.front(setting) <= most);
        }
        if let Some(ranks) = self.back_high {
            allowed = filter(allowed, |setting| ranks >> hand.back_high(setting) & 1 == 1);
        }
        allowed = match self.joker {
            None => allowed,
            Some(Half::Front) => filter(allowed, |setting| hand.has_joker && setting.positions().0 == JOKER_POSITION),
            Some(Half::Back) => filter(allowed, |setting| hand.has_joker && setting.positions().0 != JOKER_POSITION),
        };
        if let (Some(other), false) = (&self.front_above, allowed == 0) {
            let highest = settings_in(other.allowed(hand)).map(|setting| hand.front(setting)).max();
            allowed = filter(allowed, |setting| highest.is_none_or(|highest| hand.front(setting) > highest));
        }
        for play in &self.except {
            if allowed == 0 {
                break;
            }
            allowed &= !play.allowed(hand);
        }
        allowed
    }

    fn bounds(&self) -> usize {
        let fronts = [self.front_at_least, self.front_at_most];
        fronts.into_iter().flatten().count()
            + self.back_high.map_or(0, words::rank_bounds)
            + self.front_above.as_ref().map_or(0, |other| other.bounds())
            + self.except.iter().map(Play::bounds).sum::<usize>()
    }

    /// Returns `true` if an exception or comparison is nested inside another one. `within` is `true` if this play is
    /// itself part of an exception or comparison.
    fn is_nested(&self, within: bool) -> bool {
        let mut others = self.front_above.as_deref().into_iter().chain(&self.except).peekable();
        within && others.peek().is_some() || others.any(|other| other.is_nested(true))
    }
}

/// A condition on a hand. It holds if all of its parts hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    /// The allowed shapes as a bit mask indexed by [`Shape`], or `None` to allow all shapes.
    pub(super) shapes: Option<u16>,
    /// The places that are restricted, each with a bit mask of allowed ranks.
    pub(super) ranks: Vec<(Place, u16)>,
    /// The allowed sums of the highest pair's rank and the lowest pair's rank, as a bit mask.
    pub(super) pair_sum: Option<u32>,
    /// `true` if the hand must contain the joker, and `false` if it must not.
    pub(super) joker: Option<bool>,
    /// A play that at least one legal setting must match.
    pub(super) possible: Option<Play>,
    /// Conditions whose hands are excluded.
    pub(super) except: Vec<When>,
}

impl When {
    fn holds(&self, hand: &HandFeatures<'_>) -> bool {
        let within = |value: Option<u8>, set: u32| value.is_some_and(|value| set >> value & 1 == 1);
        self.shapes.is_none_or(|shapes| shapes >> hand.shape as u16 & 1 == 1)
            && self.ranks.iter().all(|&(place, ranks)| within(hand.rank_of(place), ranks.into()))
            && self.pair_sum.is_none_or(|sums| within(hand.pair_sum(), sums))
            && self.joker.is_none_or(|joker| joker == hand.has_joker)
            && self.possible.as_ref().is_none_or(|play| play.allowed(hand) != 0)
            && !self.except.iter().any(|when| when.holds(hand))
    }

    fn may_have(&self, shape: Shape) -> bool {
        self.shapes.is_none_or(|shapes| shapes >> shape as u16 & 1 == 1)
    }

    fn bounds(&self) -> usize {
        self.ranks.iter().map(|&(_, ranks)| words::rank_bounds(ranks)).sum::<usize>()
            + self.pair_sum.map_or(0, words::pair_sum_bounds)
            + self.possible.as_ref().map_or(0, Play::bounds)
            + self.except.iter().map(When::bounds).sum::<usize>()
    }

    /// Returns `true` if an exception or comparison is nested inside another one, or if `possible` contains a
    /// comparison. `within` is `true` if this condition is itself part of an exception.
    fn is_nested(&self, within: bool) -> bool {
        within && !self.except.is_empty()
            || self.possible.as_ref().is_some_and(|play| play.front_above.is_some() || play.is_nested(within))
            || self.except.iter().any(|when| when.is_nested(true))
    }
}

/// One half of a set hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Half {
    #[default]
    Front,
    Back,
}

/// A rule in a house way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name, which is unique within a house way.
    pub name: String,
    /// The wording.
    pub text: String,
    /// The line where the rule starts in its file, counting from 1.
    pub line: usize,
    /// The reading options that must be selected for the rule to be active, as pairs of reading and option.
    pub readings: Vec<(String, String)>,
    pub(super) when: Vec<When>,
    pub(super) plays: Vec<Play>,
    /// The half to maximize first when a play allows several settings.
    pub(super) prefer: Half,
}

impl Rule {
    /// Returns the number of bounds in the rule's conditions and plays. This measures how many limits a dealer has to
    /// remember.
    ///
    /// A bound is an end of a range that excludes something. `"2-6"` has one bound, `"7-10"` and `"9"` have two, `"A"`
    /// and `"7-A"` have one, and `"2-A"` has none. A list has the bounds of the set that it describes. The same applies
    /// to the sums in `pair-sum`, which range from 5 to 27. `front-at-least` and `front-at-most` count as one bound
    /// each. Bounds in exceptions, `possible` and `front-above` are included, but shapes, parts and categories don't
    /// count.
    pub fn bounds(&self) -> usize {
        self.when.iter().map(When::bounds).sum::<usize>() + self.plays.iter().map(Play::bounds).sum::<usize>()
    }

    /// Returns the number of words in the rule's text.
    pub fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }

    /// Returns `true` if the rule has nested exceptions, or if a comparison (`front-above`) is part of an exception,
    /// another comparison or `possible`.
    pub fn has_nested_exceptions(&self) -> bool {
        self.when.iter().any(|when| when.is_nested(false)) || self.plays.iter().any(|play| play.is_nested(false))
    }

    /// Returns `true` if the rule might apply to hands with the given shape.
    pub(super) fn may_have(&self, shape: Shape) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.may_have(shape))
    }

    /// Returns `true` if the rule's condition holds for the hand.
    pub(super) fn is_for(&self, hand: &HandFeatures<'_>) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.holds(hand))
    }

    /// Returns the setting that the rule chooses. It's the best setting allowed by the first play that allows any legal
    /// setting. If several settings are equally good, the one with the lowest index is chosen.
    pub(super) fn choose(&self, hand: &HandFeatures<'_>) -> Option<Setting> {
        let order = |setting: &Setting| {
            let made = hand.made[setting.index()];
            let (front, back) = (made.front.index(), made.back.index());
            let halves = if self.prefer == Half::Front { (front, back) } else { (back, front) };
            (halves, std::cmp::Reverse(setting.index()))
        };
        self.plays.iter().find_map(|play| settings_in(play.allowed(hand)).max_by_key(order))
    }
}

/// The joker's position in a sorted hand that contains it.
const JOKER_POSITION: usize = 0;

/// The features of a hand that conditions and plays refer to.
pub(super) struct HandFeatures<'a> {
    game: &'a Game,
    pub(super) shape: Shape,
    has_joker: bool,
    /// The rank at each place, indexed by [`Place::index`], or `None` if the hand doesn't have the place.
    rank_of: [Option<u8>; Place::COUNT],
    /// The places of both front cards for each setting, stored as a [`Place::pair_index`].
    pub(super) front_places: [u8; Setting::COUNT],
    /// The set hand for each setting.
    pub(super) made: [SetHand; Setting::COUNT],
    /// The category of the back for each setting, stored as a bit.
    pub(super) category: [u16; Setting::COUNT],
    /// The legal settings as a bit mask.
    pub(super) legal: u32,
}

/// Returns the settings of a bit mask for which `keep` returns `true`.
fn filter(mask: u32, keep: impl Fn(Setting) -> bool) -> u32 {
    settings_in(mask).fold(0, |kept, setting| kept | u32::from(keep(setting)) << setting.index())
}

impl<'a> HandFeatures<'a> {
    pub(super) fn new(game: &'a Game, hand: Hand) -> HandFeatures<'a> {
        let joker = joker_rank(game, hand);
        let ranks = hand.cards().map(|card| card.rank().unwrap_or(joker).index());
        let mut counts = [0u8; 13];
        ranks.iter().for_each(|&rank| counts[rank] += 1);
        let place_of_rank = places_of_ranks(&counts);
        let places = ranks.map(|rank| place_of_rank[rank]);
        let mut situation = HandFeatures {
            game,
            shape: Shape::from_counts(&counts),
            has_joker: hand.cards()[JOKER_POSITION].rank().is_none(),
            rank_of: [None; Place::COUNT],
            front_places: [0; Setting::COUNT],
            made: [SetHand::default(); Setting::COUNT],
            category: [0; Setting::COUNT],
            legal: 0,
        };
        for rank in (0..13).filter(|&rank| counts[rank] > 0) {
            situation.rank_of[place_of_rank[rank].index()] = Some(rank as u8);
        }
        for (setting, made) in game.settings(hand) {
            let (a, b) = setting.positions();
            situation.front_places[setting.index()] = places[a].pair_index(places[b]);
            situation.made[setting.index()] = made;
            situation.category[setting.index()] = 1 << game.ranking().category(made.back) as u16;
            situation.legal |= u32::from(game.is_legal(made)) << setting.index();
        }
        situation
    }

    /// Returns the rank at a place, where 0 is two, or `None` if the hand doesn't have the place.
    pub(super) fn rank_of(&self, place: Place) -> Option<u8> {
        self.rank_of[place.index()]
    }

    /// Returns the sum of the highest pair's rank and the lowest pair's rank (where two is 2 and ace is 14), or `None`
    /// if there are fewer than two pairs.
    pub(super) fn pair_sum(&self) -> Option<u8> {
        let rank = |part| self.rank_of(Place::part(part)).map(|rank| rank + 2);
        Some(rank(Part::HighPair)? + rank(Part::LowPair)?)
    }

    /// Returns the rank of the back's first tie-breaker. For a straight or flush, this is the top card (five for
    /// A-2-3-4-5). For a pair or better, it's the rank of the pair, trips or quads. It's computed on demand because few
    /// rules need it.
    pub(super) fn back_high(&self, setting: Setting) -> u8 {
        let [first, ..] = self.game.ranking().order_ranks(self.made[setting.index()].back);
        // Five aces don't have a tie-breaker.
        first.unwrap_or(Rank::Ace).index() as u8
    }

    /// Returns the front for a setting.
    pub(super) fn front(&self, setting: Setting) -> TwoStrength {
        self.made[setting.index()].front
    }
}

/// Returns the rank that the joker takes in shapes and parts.
fn joker_rank(game: &Game, hand: Hand) -> Rank {
    let lowest = game.rules().joker.lowest();
    let possible = || hand.cards().into_iter().filter_map(Card::rank).filter(|rank| rank.index() >= lowest);
    let held = |rank: Rank| possible().filter(|&other| other == rank).count();
    possible().max_by_key(|&rank| (held(rank), rank)).unwrap_or(Rank::Ace)
}

fn places_of_ranks(counts: &[u8; 13]) -> [Place; 13] {
    let pairs = counts.iter().filter(|&&n| n == 2).count();
    let (mut pairs_seen, mut trips_seen, mut singles_seen) = (0, 0, 0);
    let mut places = [Place::part(Part::Single); 13];
    for rank in (0..13).rev() {
        places[rank] = match counts[rank] {
            0 => continue,
            1 => {
                singles_seen += 1;
                Place::single(singles_seen - 1)
            }
            count => Place::part(match count {
                2 => {
                    pairs_seen += 1;
                    match (pairs, pairs_seen) {
                        (1, _) => Part::Pair,
                        (_, 1) => Part::HighPair,
                        (3, 2) => Part::MiddlePair,
                        _ => Part::LowPair,
                    }
                }
                3 => {
                    trips_seen += 1;
                    if trips_seen == 1 { Part::Trips } else { Part::SecondTrips }
                }
                4 => Part::Quads,
                _ => Part::Aces,
            }),
        };
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::Rules;
    use std::sync::LazyLock;

    static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));

    fn situation(hand: &str) -> HandFeatures<'static> {
        HandFeatures::new(&GAME, hand.parse().unwrap())
    }

    #[test]
    fn backs_have_a_top_rank() {
        let cases = [
            ("As Kd Qh Jc Td 3h 2s", "3h 2s", Rank::Ace),
            ("As 5d 4h 3c 2d Kh Qs", "Kh Qs", Rank::Five),
            ("Jk As 4h 3c 2d Kh Qs", "Kh Qs", Rank::Five),
            ("Jk Kd Qh Jc 9d 3h 2s", "3h 2s", Rank::King),
            ("Ks 9s 7s 4s 3s Ah 2d", "Ah 2d", Rank::King),
            ("9s 9d 9h Ac Kd 3h 2s", "3h 2s", Rank::Nine),
            ("Jk As Ad Ah Ac 3h 2s", "3h 2s", Rank::Ace),
        ];
        for (hand, front, top) in cases {
            let setting = Setting::with_front(hand.parse().unwrap(), front.parse().unwrap()).unwrap();
            assert_eq!(usize::from(situation(hand).back_high(setting)), top.index(), "{hand}");
        }
    }

    #[test]
    fn the_joker_is_part_of_the_aces() {
        let found = situation("Jk As Kd 7d 7c 3s 2h");
        assert_eq!(found.shape, Shape::TwoPairs);
        let [high, low] = [Part::HighPair, Part::LowPair].map(Place::part);
        let places = [high, high, Place::single(0), low, low, Place::single(1), Place::single(2)];
        for setting in Setting::all() {
            let (a, b) = setting.positions();
            assert_eq!(found.front_places[setting.index()], places[b].pair_index(places[a]));
        }
        assert_eq!((found.rank_of(high), found.rank_of(low), found.pair_sum()), (Some(12), Some(5), Some(21)));
        let singles = [0, 1, 2, 3].map(|nth| found.rank_of(Place::single(nth)));
        assert_eq!(singles, [Some(11), Some(1), Some(0), None]);
        assert_eq!(found.rank_of(Place::part(Part::Pair)), None);
    }

    #[test]
    fn a_wild_joker_counts_as_the_most_frequent_rank() {
        let game = Game::new(Rules::default().with("joker=wild").unwrap());
        for (hand, shape, part, rank) in [
            ("Jk As Kd 9d 7c 3s 2h", Shape::OnePair, Part::Pair, Rank::Ace),
            ("Jk As Kd 7d 7c 3s 2h", Shape::ThreeOfAKind, Part::Trips, Rank::Seven),
            ("Jk Ks Kd 7d 7c 3s 2h", Shape::FullHouse, Part::Trips, Rank::King),
            ("Jk Ks Kd 7d 7c 3s 3h", Shape::FullHouseAndPair, Part::Trips, Rank::King),
            ("Jk As 7h 7d 7c 3s 2h", Shape::FourOfAKind, Part::Quads, Rank::Seven),
            ("Jk Ks Kd Kh 7c 7s 7h", Shape::FourAndThreeOfAKind, Part::Quads, Rank::King),
            ("Jk 7s 7h 7d 7c 3s 3h", Shape::FiveAcesAndPair, Part::Aces, Rank::Seven),
        ] {
            let found = HandFeatures::new(&game, hand.parse().unwrap());
            let places = Part::ALL.into_iter().map(Place::part);
            let mut fronts = places.map(|other| Place::part(part).pair_index(other));
            assert!(fronts.any(|front| front == found.front_places[0]), "{hand}");
            assert_eq!(found.shape, shape, "{hand}");
            assert_eq!(found.rank_of(Place::part(part)), Some(rank.index() as u8), "{hand}");
        }
        // If it can only be a face card, it doesn't join lower ranks.
        let game = Game::new(Rules::default().with("joker=face_card").unwrap());
        for (hand, shape, part, rank) in [
            ("Jk Ts Td 9c 7c 3s 2h", Shape::OnePair, Part::Single, Rank::Ace),
            ("Jk Js Td 9c 7c 3s 2h", Shape::OnePair, Part::Pair, Rank::Jack),
            ("Jk Ks Js Jd 7c 3s 2h", Shape::ThreeOfAKind, Part::Trips, Rank::Jack),
        ] {
            let found = HandFeatures::new(&game, hand.parse().unwrap());
            assert_eq!((found.shape, found.rank_of(Place::part(part))), (shape, Some(rank.index() as u8)), "{hand}");
        }
    }

    #[test]
    fn three_pairs_have_a_middle_pair() {
        let found = situation("Ks Kd 9c 9d 4h 4s 2c");
        let parts = [Part::HighPair, Part::MiddlePair, Part::LowPair, Part::Single];
        assert_eq!(parts.map(|part| found.rank_of(Place::part(part))), [Some(11), Some(7), Some(2), Some(0)]);
        assert_eq!((found.rank_of(Place::single(1)), found.pair_sum()), (None, Some(17)));
    }

    #[test]
    fn two_threes_of_a_kind() {
        let found = situation("Ks Kd Kc 9d 9h 9s 2c");
        assert_eq!(found.rank_of(Place::part(Part::Trips)), Some(11));
        assert_eq!(found.rank_of(Place::part(Part::SecondTrips)), Some(7));
    }
}
