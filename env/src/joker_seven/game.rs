//! Rules and a paytable compiled for play. They determine the wagers that seven cards win.

use super::{
    Colour, JokerPair, NoPair, OneJoker, Paytable, Rules, SpecificPair, ThreeOfAKind, TripsHoldAPair, TwoPairs, Wager,
};
use crate::cards::{CardSet, gather};
use crate::gym::EnvError;

/// The number of cards that settle the wagers.
pub const CARDS: usize = 7;
/// The clubs and spades of all ranks.
const BLACK: u64 = 0x9_9999_9999_9999;
/// A mask with one bit per rank, at the position of its lowest card.
const ONES: u64 = 0x1_1111_1111_1111;

/// The set of wagers that win on a hand, with one bit per wager at [`Wager::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wins(u32);

impl Wins {
    /// Returns the set as bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns `true` if a wager wins.
    #[inline]
    pub const fn contains(self, wager: Wager) -> bool {
        self.0 >> wager.index() & 1 == 1
    }
}

/// The ranks with at least one, exactly two, three or four cards. Each set has one bit per rank, at every fourth
/// position.
struct Ranks {
    any: u64,
    two: u64,
    three: u64,
    four: u64,
}

impl Ranks {
    /// Counts the cards for all ranks in parallel by replacing each group of four bits with the number of set bits.
    #[inline]
    const fn new(cards: u64) -> Ranks {
        let pairs = cards - (cards >> 1 & 0x5_5555_5555_5555);
        let counts = (pairs & 0x3_3333_3333_3333) + (pairs >> 2 & 0x3_3333_3333_3333);
        let (low, middle, high) = (counts & ONES, counts >> 1 & ONES, counts >> 2 & ONES);
        Ranks { any: low | middle | high, two: middle & !low, three: middle & low, four: high }
    }
}

/// The game, compiled from its rules and a paytable.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    paytable: Paytable,
    odds: [Option<u32>; Wager::COUNT],
    /// A bit mask of the wagers on the layout.
    layout: u32,
}

impl Game {
    /// Creates a game like [`Game::new`], but checks that it is playable.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if the limits for wagers are invalid, or if no wager is on the layout.
    pub fn try_new(rules: Rules, paytable: Paytable) -> Result<Game, EnvError> {
        rules.check().map_err(|reason| EnvError::BadOption { option: "minimum", reason })?;
        let game = Game::new(rules, paytable);
        if game.layout == 0 {
            let reason = "expected a row for at least one wager on the layout".to_owned();
            return Err(EnvError::BadOption { option: "paytable", reason });
        }
        Ok(game)
    }

    /// Creates a game with these rules and this paytable.
    pub fn new(rules: Rules, paytable: Paytable) -> Game {
        let mut odds = [None; Wager::COUNT];
        let mut layout = 0;
        for wager in Wager::all().filter(|wager| wager.is_on_layout(&rules)) {
            odds[wager.index()] = paytable.units(wager.kind());
            layout |= u32::from(odds[wager.index()].is_some()) << wager.index();
        }
        Game { rules, paytable, odds, layout }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the paytable.
    pub const fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// Returns the odds of a wager to one, or `None` if the wager is not on the layout.
    #[inline]
    pub const fn odds(&self, wager: Wager) -> Option<u32> {
        self.odds[wager.index()]
    }

    /// Returns the wagers on the layout, in order.
    pub fn wagers(&self) -> impl Iterator<Item = Wager> + Clone + '_ {
        Wager::all().filter(|wager| self.odds(*wager).is_some())
    }

    /// Returns the wagers on the layout that seven cards win.
    #[inline]
    pub fn wins(&self, cards: CardSet) -> Wins {
        let natural = cards.bits() & CardSet::DECK_52.bits();
        let jokers = cards.len() as u32 - natural.count_ones();
        let black = (natural & BLACK).count_ones();
        let red = natural.count_ones() - black;
        let ranks = Ranks::new(natural);
        let wins = self.colours(black, red) | self.plain(&ranks, jokers) << Wager::PLAIN | self.pairs(&ranks);
        Wins(wins & self.layout)
    }

    /// Returns the bits for the wagers on colors.
    #[inline]
    fn colours(&self, black: u32, red: u32) -> u32 {
        // Four or more cards of a color set bit 0 and the bit for their exact number.
        let of = |cards: u32| if cards >= 4 { 1 | 1 << (cards - 3) } else { 0 };
        match self.rules.colour {
            Colour::OneNamedColour => of(black) | of(red) << Wager::RED,
            Colour::EitherColour => of(black) | of(red),
        }
    }

    /// Returns the bits for no pair, two pairs, three of a kind, one joker and two jokers.
    #[inline]
    fn plain(&self, ranks: &Ranks, jokers: u32) -> u32 {
        let Rules { joker_pair, no_pair, three_of_a_kind, two_pairs, trips_hold_a_pair, one_joker, .. } = self.rules;
        let joker_pairs = u32::from(joker_pair == JokerPair::Yes && jokers == 2);
        let several = ranks.two | ranks.three | ranks.four;
        let no_pair = joker_pairs == 0
            && match no_pair {
                NoPair::NoTwoOfARank => several == 0,
                NoPair::NoRankExactlyTwice => ranks.two == 0,
                NoPair::AnyJokerLoses => several == 0 && jokers == 0,
            };
        let trips = u32::from(trips_hold_a_pair == TripsHoldAPair::Yes) * ranks.three.count_ones();
        let pairs = ranks.two.count_ones() + trips + 2 * ranks.four.count_ones() + joker_pairs;
        let two_pairs = match two_pairs {
            TwoPairs::AtLeastTwo => pairs >= 2,
            TwoPairs::ExactlyTwo => pairs == 2,
        };
        let three = match three_of_a_kind {
            ThreeOfAKind::AtLeastThree => ranks.three | ranks.four != 0,
            ThreeOfAKind::ExactlyThree => ranks.three != 0,
            ThreeOfAKind::ExactlyThreeAlone => ranks.three.count_ones() == 1 && ranks.two | ranks.four == 0,
            ThreeOfAKind::JokerWild => match jokers {
                0 => ranks.three | ranks.four != 0,
                1 => several != 0,
                _ => ranks.any != 0,
            },
        };
        let one_joker = match one_joker {
            OneJoker::ExactlyOne => jokers == 1,
            OneJoker::AtLeastOne => jokers >= 1,
        };
        [no_pair, two_pairs, three, one_joker, jokers == 2]
            .into_iter()
            .rev()
            .fold(0, |bits, win| bits << 1 | win as u32)
    }

    /// Returns the bits for the specific pairs, with aces first.
    #[inline]
    fn pairs(&self, ranks: &Ranks) -> u32 {
        let held = match self.rules.specific_pair {
            SpecificPair::AtLeastTwo => ranks.two | ranks.three | ranks.four,
            SpecificPair::ExactlyTwo => ranks.two,
        };
        // Card sets start with twos, but the layout starts with aces.
        u32::from(gather(held)).reverse_bits() >> (32 - 13) << Wager::PAIRS
    }

    /// Returns the net result of a wager per unit staked, or `None` if the wager is not on the layout.
    #[inline]
    pub fn net(&self, wager: Wager, wins: Wins) -> Option<i64> {
        let odds = i64::from(self.odds(wager)?);
        Some(if wins.contains(wager) { odds } else { -1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Pack, Rank, Suit};
    use crate::gym::stream;
    use crate::joker_seven::WagerKind;
    use crate::rules::RuleSet;

    fn game(settings: &[&str]) -> Game {
        let rules = settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap());
        Game::new(rules, Paytable::default())
    }

    /// A slow reference implementation that checks if a wager wins under the rules.
    fn obviously_wins(rules: &Rules, wager: Wager, cards: CardSet) -> bool {
        let jokers = cards.iter().filter(|card| card.is_joker()).count();
        let n = |rank: Rank| cards.iter().filter(|card| card.rank() == Some(rank)).count();
        let counts: Vec<usize> = Rank::ALL.map(n).to_vec();
        let black = cards.iter().filter(|card| matches!(card.suit(), Some(Suit::Clubs | Suit::Spades))).count();
        let red = 7 - jokers - black;
        let colours = match (rules.colour, wager.index() / 5) {
            (Colour::EitherColour, 0) => vec![black, red],
            (Colour::EitherColour, 1) => vec![],
            (_, 0) => vec![black],
            _ => vec![red],
        };
        let exactly = |number: usize| colours.contains(&number);
        let pair_of_jokers = rules.joker_pair == JokerPair::Yes && jokers == 2;
        match wager.kind() {
            WagerKind::FourOrMoreOfAColour => (4..=7).any(exactly),
            WagerKind::FourOfAColour => exactly(4),
            WagerKind::FiveOfAColour => exactly(5),
            WagerKind::SixOfAColour => exactly(6),
            WagerKind::SevenOfAColour => exactly(7),
            WagerKind::NoPair if pair_of_jokers => false,
            WagerKind::NoPair => match rules.no_pair {
                NoPair::NoTwoOfARank => counts.iter().all(|&n| n <= 1),
                NoPair::NoRankExactlyTwice => !counts.contains(&2),
                NoPair::AnyJokerLoses => counts.iter().all(|&n| n <= 1) && jokers == 0,
            },
            WagerKind::TwoPairs => {
                let held = |n: usize| if n == 3 && rules.trips_hold_a_pair == TripsHoldAPair::No { 0 } else { n / 2 };
                let pairs = counts.iter().map(|&n| held(n)).sum::<usize>() + usize::from(pair_of_jokers);
                if rules.two_pairs == TwoPairs::ExactlyTwo { pairs == 2 } else { pairs >= 2 }
            }
            WagerKind::ThreeOfAKind => match rules.three_of_a_kind {
                ThreeOfAKind::AtLeastThree => counts.iter().any(|&n| n >= 3),
                ThreeOfAKind::ExactlyThree => counts.contains(&3),
                ThreeOfAKind::ExactlyThreeAlone => {
                    counts.contains(&3) && counts.iter().filter(|&&n| n >= 2).count() == 1
                }
                ThreeOfAKind::JokerWild => counts.iter().any(|&n| n + jokers >= 3),
            },
            WagerKind::OneJoker => jokers == 1 || rules.one_joker == OneJoker::AtLeastOne && jokers == 2,
            WagerKind::TwoJokers => jokers == 2,
            WagerKind::SpecificPair => {
                let n = n(wager.rank().unwrap());
                if rules.specific_pair == SpecificPair::ExactlyTwo { n == 2 } else { n >= 2 }
            }
        }
    }

    #[test]
    fn every_reading_wins_as_its_words_say() {
        let mut rng = stream(7.into());
        for (_, _, rules) in Rules::default().with("joker-pair=no").unwrap().with_each(Rules::READINGS) {
            let game = Game::new(rules, Paytable::default());
            for _ in 0..20_000 {
                let cards: [_; CARDS] = Pack::new(54).draw(&mut rng).unwrap();
                let cards = cards.into_iter().collect();
                let wins = game.wins(cards);
                for wager in game.wagers() {
                    let expected = obviously_wins(game.rules(), wager, cards);
                    assert_eq!(wins.contains(wager), expected, "{} on {cards}", wager.name(game.rules()));
                }
            }
        }
    }

    #[test]
    fn examples_of_the_source() {
        let wins = |settings: &[&str], cards: &str| {
            let game = game(settings);
            let wins = game.wins(cards.parse().unwrap());
            let names: Vec<String> =
                game.wagers().filter(|w| wins.contains(*w)).map(|w| w.name(game.rules())).collect();
            names.join(" ")
        };
        // Four of a kind counts as two pairs, and a joker can't be part of seven cards of one color.
        assert_eq!(wins(&[], "9s 9h 9d 9c 2c 3c 5h"), "4+-black 4-black two-pairs three-of-a-kind pair-9");
        assert_eq!(wins(&[], "As Ks Qs Js Ts 8c Jk"), "4+-black 6-black no-pair one-joker");
        assert_eq!(wins(&[], "As Ks Qs Js Ts 8c 2c"), "4+-black 7-black no-pair");
        assert_eq!(wins(&[], "Jk Jk2 Ah 3c 5d 7s 9h"), "two-jokers");
        assert_eq!(wins(&["joker-pair=no"], "Jk Jk2 Ah 3c 5d 7s 9h"), "no-pair two-jokers");
        assert_eq!(wins(&["colour=either_colour"], "As Kh Qh Jh Th 8h 2c"), "4+-either 5-either no-pair");
    }

    #[test]
    fn wagers_without_a_row_are_not_on_the_layout() {
        let text = "name='x'\ntitle='x'\nsource='x'\n[[row]]\nhand='one-joker'\nodds=3\n";
        let game = Game::new(Rules::default(), text.parse().unwrap());
        let wagers: Vec<Wager> = game.wagers().collect();
        assert_eq!(wagers, [Wager::from_index(13).unwrap()]);
        let wins = game.wins("Jk As Ah 3c 5d 7s 9h".parse().unwrap());
        assert_eq!((game.net(wagers[0], wins), game.net(Wager::from_index(0).unwrap(), wins)), (Some(3), None));
        assert_eq!(wins.bits().count_ones(), 1);
    }
}
