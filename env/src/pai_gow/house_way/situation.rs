//! Features of a hand for rules: its shape, its parts, and the set hands of its legal settings.

use super::words::{Part, Shape};
use crate::cards::{Card, Rank};
use crate::pai_gow::{Game, Hand, SetHand, Setting};
use crate::rank::JokerUse;

/// Features of one hand for conditions and plays.
pub(super) struct HandFeatures<'a> {
    game: &'a Game,
    pub(super) shape: Shape,
    /// By [`Part`]: rank of each part that the hand has; for singles, the highest.
    pub(super) rank_of: [Option<u8>; Part::ALL.len()],
    /// Rank of the second-highest single.
    pub(super) second_single: Option<u8>,
    /// Parts of the cards at the seven positions.
    pub(super) parts: [Part; 7],
    /// Set hand of each setting.
    pub(super) made: [SetHand; Setting::COUNT],
    /// Bit of the category of each setting's back.
    pub(super) category: [u16; Setting::COUNT],
    /// Bit mask of the legal settings.
    pub(super) legal: u32,
}

impl<'a> HandFeatures<'a> {
    pub(super) fn new(game: &'a Game, hand: Hand) -> HandFeatures<'a> {
        let joker = joker_rank(game, hand);
        let ranks = hand.cards().map(|card| card.rank().unwrap_or(joker).index());
        let mut counts = [0u8; 13];
        ranks.iter().for_each(|&rank| counts[rank] += 1);
        let part_of_rank = parts_of_ranks(&counts);
        let mut situation = HandFeatures {
            game,
            shape: Shape::from_counts(&counts),
            rank_of: [None; Part::ALL.len()],
            second_single: None,
            parts: ranks.map(|rank| part_of_rank[rank]),
            made: [SetHand::default(); Setting::COUNT],
            category: [0; Setting::COUNT],
            legal: 0,
        };
        for rank in (0..13).rev().filter(|&rank| counts[rank] > 0) {
            let known = &mut situation.rank_of[part_of_rank[rank] as usize];
            match known {
                None => *known = Some(rank as u8),
                // Only singles can occur more than once.
                Some(_) if situation.second_single.is_none() => situation.second_single = Some(rank as u8),
                Some(_) => {}
            }
        }
        for (setting, made) in game.settings(hand) {
            situation.made[setting.index()] = made;
            situation.category[setting.index()] = 1 << game.ranking().category(made.back) as u16;
            situation.legal |= u32::from(game.is_legal(made)) << setting.index();
        }
        situation
    }

    /// Returns the rank of the first tie-breaker of a setting's back: for a straight or a flush the top card (five for
    /// A-2-3-4-5), for a pair or better its rank. Computed on demand, since few rules need it.
    pub(super) fn back_high(&self, setting: Setting) -> u8 {
        let [first, ..] = self.game.ranking().order_ranks(self.made[setting.index()].back);
        // Five aces have no tie-breaker.
        first.unwrap_or(Rank::Ace).index() as u8
    }

    /// Iterates over the legal settings in order.
    pub(super) fn legal_settings(&self) -> impl Iterator<Item = Setting> + '_ {
        Setting::all().filter(|setting| self.legal >> setting.index() & 1 == 1)
    }
}

/// Returns the rank of the joker in shapes and parts.
fn joker_rank(game: &Game, hand: Hand) -> Rank {
    let natural = || hand.cards().into_iter().filter_map(Card::rank);
    match game.rules().joker {
        JokerUse::HalfWild => Rank::Ace,
        JokerUse::Wild => {
            let held = |rank: Rank| natural().filter(|&other| other == rank).count();
            natural().max_by_key(|&rank| (held(rank), rank)).unwrap_or(Rank::Ace)
        }
    }
}

fn parts_of_ranks(counts: &[u8; 13]) -> [Part; 13] {
    let pairs = counts.iter().filter(|&&n| n == 2).count();
    let (mut pairs_seen, mut trips_seen) = (0, 0);
    let mut parts = [Part::Single; 13];
    for rank in (0..13).rev() {
        parts[rank] = match counts[rank] {
            5 => Part::Aces,
            4 => Part::Quads,
            3 => {
                trips_seen += 1;
                if trips_seen == 1 { Part::Trips } else { Part::SecondTrips }
            }
            2 => {
                pairs_seen += 1;
                match (pairs, pairs_seen) {
                    (1, _) => Part::Pair,
                    (_, 1) => Part::HighPair,
                    (3, 2) => Part::MiddlePair,
                    _ => Part::LowPair,
                }
            }
            _ => Part::Single,
        };
    }
    parts
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
        assert_eq!(found.parts[..5], [Part::HighPair, Part::HighPair, Part::Single, Part::LowPair, Part::LowPair]);
        assert_eq!(found.rank_of[Part::HighPair as usize], Some(12));
        assert_eq!(found.rank_of[Part::LowPair as usize], Some(5));
        assert_eq!((found.rank_of[Part::Single as usize], found.second_single), (Some(11), Some(1)));
        assert_eq!(found.rank_of[Part::Pair as usize], None);
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
            assert_eq!((found.shape, found.parts[0]), (shape, part), "{hand}");
            assert_eq!(found.rank_of[part as usize], Some(rank.index() as u8), "{hand}");
        }
    }

    #[test]
    fn three_pairs_have_a_middle_pair() {
        let found = situation("Ks Kd 9c 9d 4h 4s 2c");
        let ranks = [Part::HighPair, Part::MiddlePair, Part::LowPair, Part::Single].map(|p| found.rank_of[p as usize]);
        assert_eq!(ranks, [Some(11), Some(7), Some(2), Some(0)]);
        assert_eq!(found.second_single, None);
    }

    #[test]
    fn two_threes_of_a_kind() {
        let found = situation("Ks Kd Kc 9d 9h 9s 2c");
        assert_eq!(found.rank_of[Part::Trips as usize], Some(11));
        assert_eq!(found.rank_of[Part::SecondTrips as usize], Some(7));
    }
}
