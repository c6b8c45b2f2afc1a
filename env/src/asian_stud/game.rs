//! Five-card hands and the points that cards are worth.

use super::{Commission, JokerPoints, NoSetAgainstSet, OddsOn, Paytable, Rules};
use crate::cards::{Card, CardSet, Rank, impl_hand_text};
use crate::names::InvalidText;
use crate::rank::{Category, Ranking};
use std::fmt;
use std::sync::OnceLock;

/// The points that a card is worth, from 1 to 10. The joker is kept apart because its points depend on the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u8);

/// The index of the points for each of the 53 cards.
const POINTS: [u8; 53] = {
    let mut points = [0; 53];
    let mut card = 0;
    while card < 52 {
        // Ranks go from two (0) to ace (12).
        points[card] = match card as u8 / 4 {
            12 => 0,
            rank @ 0..9 => rank + 1,
            _ => 9,
        };
        card += 1;
    }
    points[52] = 10;
    points
};

impl Points {
    /// The number of distinct point values, counting the joker as one of them.
    pub const COUNT: usize = 11;
    /// The joker.
    pub const JOKER: Points = Points(10);

    /// Returns the points for a card from the 53-card pack.
    ///
    /// # Panics
    /// Panics if the card is the second joker.
    #[inline]
    pub const fn from_card(card: Card) -> Points {
        Points(POINTS[card.index()])
    }

    /// Returns the index. One to ten points have indices 0 to 9, and the joker has index 10.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the points with this index.
    ///
    /// # Panics
    /// Panics if `index` is greater than 10.
    pub const fn from_index(index: usize) -> Points {
        assert!(index < Points::COUNT, "points have indices 0 to 10");
        Points(index as u8)
    }

    /// Returns how many cards in a pack of 52 or 53 cards are worth this many points.
    pub const fn cards(self, pack: usize) -> usize {
        match self.0 {
            10 => pack - 52,
            9 => 16,
            _ => 4,
        }
    }
}

/// A hand of five cards from the 53-card pack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(CardSet);

impl Hand {
    /// The number of cards in a hand.
    pub const CARDS: usize = 5;

    /// Creates a hand from a set of cards.
    ///
    /// # Errors
    /// Returns an error if there are not exactly five cards, or if one of them is the second joker.
    pub fn new(cards: CardSet) -> Result<Hand, InvalidText> {
        cards.check_hand(Hand::CARDS, CardSet::DECK_53).map(Hand)
    }

    /// Creates a hand from five different cards, none of which may be the second joker.
    #[inline]
    pub(super) fn from_drawn(cards: [Card; 5]) -> Hand {
        Hand(cards.into_iter().fold(CardSet::EMPTY, CardSet::with))
    }

    /// Returns the cards as a set.
    #[inline]
    pub const fn set(self) -> CardSet {
        self.0
    }

    /// Returns the number of cards for each point value, indexed by [`Points::index`]. The last entry counts jokers.
    #[inline]
    pub fn counts(self) -> [u8; Points::COUNT] {
        // All counts fit in one register with four bits each. The four suits of a rank are adjacent, so count by rank
        // first.
        let natural = self.0.intersection(CardSet::DECK_52).bits();
        let pairs = natural - (natural >> 1 & 0x5555_5555_5555_5555);
        let ranks = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let tens = [8, 9, 10, 11].iter().map(|rank| ranks >> (4 * rank) & 15).sum::<u64>();
        let packed =
            ranks >> 48 | (ranks & 0xFFFF_FFFF) << 4 | tens << 36 | u64::from(self.0.contains(Card::JOKER)) << 40;
        std::array::from_fn(|index| (packed >> (4 * index) & 15) as u8)
    }
}

impl_hand_text!(Hand);

/// The number of units per ante. Results are counted in these units, so that they are still integers after commission.
pub const UNIT: i64 = 1_000_000;
/// The net result of folding.
pub const FOLDED: i64 = -UNIT;
/// The number of ways to assign points to five cards in sequence.
const CODES: usize = Points::COUNT.pow(5);

/// The value of a five-card hand. It is a number from 1 to 10, or [`Value::NO_SET`] if the hand contains no set. Higher
/// values win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u8);

impl Value {
    /// The number of values, including the value for hands without a set.
    pub const COUNT: usize = 11;
    /// The value of a hand that contains no set.
    pub const NO_SET: Value = Value(0);

    /// Returns all values in ascending order.
    pub fn all() -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Value)
    }

    /// Returns the value as an index. Hands without a set have index 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns `true` if the hand contains a set.
    #[inline]
    pub const fn is_set(self) -> bool {
        self.0 > 0
    }

    /// Returns the name shown in tables: `no-set` or a number from `1` to `10`.
    pub fn name(self) -> String {
        if self.is_set() { self.0.to_string() } else { "no-set".to_owned() }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_set() { write!(f, "value {}", self.0) } else { f.write_str("no set") }
    }
}

/// Returns the value of five cards that are worth 1 to 10 points each.
fn value_of_points(points: [u8; 5]) -> Value {
    let total: u8 = points.iter().sum();
    // The remaining three cards form a set exactly if the pair has the same last digit as all five cards together.
    let pairs = (0..5).flat_map(|a| (0..a).map(move |b| points[a] + points[b]));
    match (total % 10, pairs.clone().any(|pair| pair % 10 == total % 10)) {
        (_, false) => Value::NO_SET,
        (0, true) => Value(10),
        (digit, true) => Value(digit),
    }
}

/// Returns the value for every sequence of points of five cards. The joker counts as whatever gives the highest value.
/// Hands with two jokers have no value.
fn values(joker: JokerPoints) -> Vec<Value> {
    let mut values = vec![Value::NO_SET; CODES];
    for (code, value) in values.iter_mut().enumerate() {
        let indices: [usize; 5] = std::array::from_fn(|place| code / Points::COUNT.pow(place as u32) % Points::COUNT);
        let jokers = indices.iter().filter(|&&index| index == Points::JOKER.index()).count();
        let with = |choice: u8| {
            value_of_points(indices.map(|i| if i == Points::JOKER.index() { choice } else { i as u8 + 1 }))
        };
        *value = match jokers {
            0 => with(0),
            1 => joker.choices().iter().map(|&choice| with(choice)).max().unwrap_or(Value::NO_SET),
            _ => Value::NO_SET,
        };
    }
    values
}

/// Returns the table of values for a reading. It is built once per process.
fn shared_values(joker: JokerPoints) -> &'static [Value] {
    static VALUES: [OnceLock<Vec<Value>>; JokerPoints::ALL.len()] = [const { OnceLock::new() }; JokerPoints::ALL.len()];
    VALUES[joker as usize].get_or_init(|| values(joker))
}

/// The game, compiled from its rules and a paytable.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    values: &'static [Value],
    /// The net result of a raised hand, indexed by the player's value and then the dealer's.
    raised: [[i64; Value::COUNT]; Value::COUNT],
    /// The paytable of the side bet.
    paytable: Paytable,
    /// The ranking of the side bet's poker hands.
    ranking: &'static Ranking,
}

impl Game {
    /// Creates a game with these rules and the side bet's default paytable. The first time in each process, this takes a
    /// few milliseconds to build the ranking of poker hands.
    pub fn new(rules: Rules) -> Game {
        let sum = |[ante, raise]: [i64; 2]| ante + raise;
        let raised =
            |player| std::array::from_fn(|dealer| sum(raised(&rules, Value(player as u8), Value(dealer as u8))));
        let raised = std::array::from_fn(raised);
        let (values, ranking) = (shared_values(rules.joker), Ranking::shared(rules.five()));
        Game { rules, values, raised, paytable: Paytable::default(), ranking }
    }

    /// Returns the same game with another paytable for the side bet.
    #[must_use]
    pub fn with_paytable(self, paytable: Paytable) -> Game {
        Game { paytable, ..self }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the paytable of the side bet.
    pub const fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// Returns the poker hand that five cards make. Only aces can make five of a kind. With four of any other rank, a
    /// wild joker counts as an unrelated fifth card.
    #[inline]
    pub fn category(&self, hand: Hand) -> Category {
        let category = self.ranking.category(self.ranking.five(hand.set()));
        let aces = || hand.set().iter().filter(|card| card.rank() == Some(Rank::Ace)).count();
        if category == Category::FiveAces && aces() < 4 { Category::FourOfAKind } else { category }
    }

    /// Returns the side bet's net result per unit staked. This is the odds if the bet wins and -1 otherwise.
    pub fn side_net(&self, hand: Hand) -> i64 {
        self.paytable.units(self.category(hand)).map_or(-1, i64::from)
    }

    /// Returns the value of a hand.
    pub fn value(&self, hand: Hand) -> Value {
        let mut cards = [Card::JOKER; 5];
        cards.iter_mut().zip(hand.set().iter()).for_each(|(place, card)| *place = card);
        self.value_of_cards(cards)
    }

    /// Returns the value of five different cards, given in any order.
    ///
    /// # Panics
    /// Panics if one of the cards is the second joker.
    #[inline]
    pub fn value_of_cards(&self, cards: [Card; 5]) -> Value {
        self.values[cards.iter().fold(0, |code, &card| code * Points::COUNT + Points::from_card(card).index())]
    }

    /// Returns the value of a multiset of points. The first ten entries count the cards worth 1, 2, ... 10 points, and
    /// the last one counts the jokers.
    ///
    /// # Panics
    /// Panics if the entries do not add up to five cards.
    pub fn value_of_counts(&self, counts: &[u8; Points::COUNT]) -> Value {
        let indices = counts.iter().enumerate().flat_map(|(index, &n)| std::iter::repeat_n(index, n.into()));
        assert_eq!(indices.clone().count(), 5, "a hand has five cards");
        self.values[indices.fold(0, |code, index| code * Points::COUNT + index)]
    }

    /// Returns the net result of a raised hand, given both players' values. It covers the ante and the raise, in units
    /// of 1/[`UNIT`] ante.
    #[inline]
    pub fn raised(&self, player: Value, dealer: Value) -> i64 {
        self.raised[player.index()][dealer.index()]
    }

    /// Returns the net results of the ante and of the raise, which add up to [`Game::raised`].
    pub fn raised_parts(&self, player: Value, dealer: Value) -> [i64; 2] {
        raised(&self.rules, player, dealer)
    }

    /// Returns the highest possible net result of a raised hand, in antes.
    pub fn highest(&self) -> f64 {
        self.raised.iter().flatten().copied().max().unwrap_or(0) as f64 / UNIT as f64
    }
}

/// Returns the net results of the ante and the raise of a raised hand.
fn raised(rules: &Rules, player: Value, dealer: Value) -> [i64; 2] {
    let rate = i64::from(rules.commission_rate.millionths());
    let on = |readings: &[Commission]| if readings.contains(&rules.commission) { UNIT - rate } else { UNIT };
    if !dealer.is_set() {
        return [on(&[Commission::Both, Commission::Ante]), 0];
    }
    if !player.is_set() {
        return match rules.no_set_against_set {
            NoSetAgainstSet::BothLose => [-UNIT, -UNIT],
            NoSetAgainstSet::BothReturned => [0, 0],
        };
    }
    let odds = match player.index().checked_sub(dealer.index()) {
        None => return [-UNIT, -UNIT],
        Some(0) => return [0, 0],
        Some(margin) => (margin as i64 + 2) / 3,
    };
    let (ante, raise) = match rules.odds_on {
        OddsOn::Raise => (1, odds),
        OddsOn::Both => (odds, odds),
        OddsOn::AnteOnly => (odds, 0),
    };
    let of_ante = on(&[Commission::Both, Commission::Ante, Commission::BothExceptDealerNoSet]);
    let of_raise = on(&[Commission::Both, Commission::Raise, Commission::BothExceptDealerNoSet]);
    [ante * of_ante, raise * of_raise]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::combinations::for_each_subset;
    use crate::cards::{CardSet, Pack};
    use crate::rules::RuleSet;

    #[test]
    fn cards_count_as_the_rules_say() {
        for card in CardSet::DECK_53.iter() {
            let expected = match card.rank().map(|rank| rank.to_string()).as_deref() {
                None => 10,
                Some("A") => 0,
                Some("T" | "J" | "Q" | "K") => 9,
                Some(number) => number.parse::<usize>().unwrap() - 1,
            };
            assert_eq!(Points::from_card(card).index(), expected, "{card}");
        }
        for pack in [52, 53] {
            assert_eq!((0..Points::COUNT).map(|i| Points::from_index(i).cards(pack)).sum::<usize>(), pack);
        }
    }

    #[test]
    fn counts_are_those_of_the_cards_one_by_one() {
        let mut rng = crate::gym::stream(5.into());
        for _ in 0..10_000 {
            let cards: [Card; 5] = Pack::new(53).draw(&mut rng).unwrap();
            let mut counts = [0; Points::COUNT];
            cards.iter().for_each(|&card| counts[Points::from_card(card).index()] += 1);
            assert_eq!(Hand::from_drawn(cards).counts(), counts, "{cards:?}");
        }
        // A hand with all four cards of one rank, and a hand in which every card is worth ten points.
        let rank_and_ten: Hand = "9s 9h 9d 9c Ts".parse().unwrap();
        assert_eq!(rank_and_ten.counts(), [0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0]);
        assert_eq!("Ts Jh Qd Kc Ks".parse::<Hand>().unwrap().counts()[9], 5);
    }

    #[test]
    fn hands_are_checked() {
        assert!("As Kd".parse::<Hand>().unwrap_err().to_string().contains("a hand has 5 cards"));
        assert!("As Kd Jk2 7c 7d".parse::<Hand>().unwrap_err().to_string().contains("not in the deck"));
    }

    fn game(settings: &[&str]) -> Game {
        let rules = settings.iter().fold(Rules::default(), |rules, setting| rules.with(setting).unwrap());
        Game::new(rules)
    }

    /// A reference implementation that tries every choice of three cards as the set and every choice for the joker.
    fn obvious_value(joker: JokerPoints, hand: CardSet) -> Value {
        let mut best = Value::NO_SET;
        for choice in if hand.contains(Card::JOKER) { joker.choices() } else { &[0] } {
            let points = |card: Card| match card.rank() {
                None => *choice,
                Some(crate::cards::Rank::Ace) => 1,
                Some(rank) => (rank.index() as u8 + 2).min(10),
            };
            for_each_subset(hand, 3, |three| {
                let total = |cards: CardSet| cards.iter().map(points).sum::<u8>();
                if [10, 20, 30].contains(&total(three)) {
                    let two = total(hand.difference(three));
                    best = best.max(Value(if two == 10 || two == 20 { 10 } else { two % 10 }));
                }
            });
        }
        best
    }

    #[test]
    fn values_are_those_of_every_set_tried() {
        // One suit of every rank plus a second suit of some ranks covers all multisets with at most two of a kind.
        let cards: CardSet = "Jk As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ah 2h 5h 9h Th".parse().unwrap();
        for joker in JokerPoints::ALL {
            let game = Game::new(Rules { joker, ..Rules::default() });
            for_each_subset(cards, 5, |hand| {
                let hand = Hand::new(hand).unwrap();
                let expected = obvious_value(joker, hand.set());
                assert_eq!(game.value(hand), expected, "{joker:?} {hand}");
                assert_eq!(game.value_of_counts(&hand.counts()), expected, "{joker:?} {hand}");
            });
        }
    }

    #[test]
    fn examples_of_the_source() {
        let game = game(&[]);
        let value = |hand: &str| game.value(hand.parse().unwrap()).to_string();
        assert_eq!(value("Th Kd 2c 3c 5d"), "value 10"); // The ten and the king remain next to 2 + 3 + 5.
        assert_eq!(value("7h 4d Kc Qc Jd"), "value 1");
        assert_eq!(value("Jk 9d 4c 5c Kd"), "value 9"); // The joker counts as one.
        assert_eq!(value("2h 2d 2c 2s 3d"), "no set");
    }

    #[test]
    fn every_row_of_the_table_is_paid() {
        let net = |settings: &[&str], player: u8, dealer: u8| {
            game(settings).raised(Value(player), Value(dealer)) as f64 / UNIT as f64
        };
        let source = ["commission=none"];
        assert_eq!([0, 1, 10].map(|player| net(&source, player, 0)), [1.0; 3]);
        assert_eq!([0, 3].map(|player| net(&source, player, 4)), [-2.0; 2]);
        assert_eq!(net(&["no-set-against-set=both_returned"], 0, 4), 0.0);
        assert_eq!(net(&source, 4, 4), 0.0);
        let margins: Vec<f64> = (2..=10).map(|player| net(&source, player, 1)).collect();
        assert_eq!(margins, [2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0]);
        assert_eq!([2, 5, 8].map(|player| net(&["commission=none", "odds-on=both"], player, 1)), [2.0, 4.0, 6.0]);
        assert_eq!([2, 5, 8].map(|player| net(&["commission=none", "odds-on=ante_only"], player, 1)), [1.0, 2.0, 3.0]);
        let commissions = ["both", "none", "ante", "raise", "both_except_dealer_no_set"];
        let paid = commissions.map(|name| {
            let setting = format!("commission={name}");
            (net(&[&setting], 8, 0), net(&[&setting], 8, 1))
        });
        assert_eq!(paid, [(0.95, 3.8), (1.0, 4.0), (0.95, 3.95), (1.0, 3.85), (1.0, 3.8)]);
        let parts = commissions.map(|name| {
            let setting = format!("commission={name}");
            game(&[&setting]).raised_parts(Value(8), Value(1)).map(|net| net as f64 / UNIT as f64)
        });
        assert_eq!(parts, [[0.95, 2.85], [1.0, 3.0], [0.95, 3.0], [1.0, 2.85], [0.95, 2.85]]);
        assert_eq!(game(&[]).highest(), 3.8);
    }
}
