//! The hole cards of the player and the dealer.

use super::{Deal, DealerUnqualified, HoleCards, Paytable, PreflopPlay, Rounding, Rules, TripsOnFold};
use crate::cards::combinations::for_each_subset;
use crate::cards::key::Key;
use crate::cards::{Card, CardSet, Rank, impl_hand_text};
use crate::names::InvalidText;
use crate::rank::{BestOfSeven, Category, FiveRules, FiveStrength};
use std::cmp::Ordering;

/// The two hole cards of the player or the dealer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hole(CardSet);

impl Hole {
    /// The number of different starting hands: 13 pairs, 78 suited hands and 78 offsuit hands.
    pub const KINDS: usize = 169;

    /// Creates hole cards from a set of cards.
    ///
    /// # Errors
    /// Returns an error if there are not exactly two cards, or if one of them is a joker.
    pub fn new(cards: CardSet) -> Result<Hole, InvalidText> {
        cards.check_hand(2, CardSet::DECK_52).map(Hole)
    }

    /// Creates hole cards from two different natural cards.
    pub(super) fn from_dealt(a: Card, b: Card) -> Hole {
        Hole(CardSet::EMPTY.with(a).with(b))
    }

    /// Returns the cards as a set.
    #[inline]
    pub const fn set(self) -> CardSet {
        self.0
    }

    /// Returns the cards, with the higher one first.
    #[inline]
    pub fn cards(self) -> [Card; 2] {
        let bits = self.0.bits();
        let card = |index: u32| Card::from_index(index as u8).unwrap_or(Card::JOKER);
        [card(63 - bits.leading_zeros()), card(bits.trailing_zeros())]
    }

    /// Returns the ranks, with the higher one first.
    pub fn ranks(self) -> [Rank; 2] {
        self.cards().map(|card| Rank::from_index(card.index() / 4))
    }

    /// Returns `true` if both cards have the same suit.
    pub fn is_suited(self) -> bool {
        let [a, b] = self.cards();
        a.suit() == b.suit()
    }

    /// Returns the kind of starting hand as a number from 0 to 168. Suited cards have kind `13 * high + low`, and all
    /// other cards have kind `13 * low + high`.
    pub fn kind(self) -> usize {
        let [high, low] = self.ranks().map(Rank::index);
        if self.is_suited() { 13 * high + low } else { 13 * low + high }
    }

    /// Returns the name of the kind, such as `AKs`, `AKo` or `AA`.
    pub fn kind_name(self) -> String {
        let [high, low] = self.ranks();
        let suited = if self.is_suited() { "s" } else { "o" };
        format!("{high}{low}{}", if high == low { "" } else { suited })
    }
}

impl_hand_text!(Hole);

crate::named_enum! {
    /// A stage of a hand.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Stage: kebab_case {
        /// The player has two cards, and there is no board.
        #[default]
        Start,
        /// Three board cards are shown.
        Flop,
        /// All five board cards are shown.
        River,
        /// The hand is over.
        Over,
    }
}

impl Stage {
    /// Returns the number of board cards that the player sees. All five are shown when the hand is over.
    pub const fn board_cards(self) -> usize {
        match self {
            Stage::Start => 0,
            Stage::Flop => 3,
            Stage::River | Stage::Over => 5,
        }
    }
}

crate::named_enum! {
    /// An action of the player. The order determines the indices.
    pub enum Action: kebab_case {
        /// Checks.
        Check,
        /// Folds and loses Ante and Blind.
        Fold,
        /// Plays one ante.
        Play1,
        /// Plays two antes.
        Play2,
        /// Plays three antes.
        Play3,
        /// Plays four antes.
        Play4,
    }
}

impl Action {
    /// Returns the index of the action.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the number of antes that the action stakes on Play, or 0 for checking and folding.
    pub const fn antes(self) -> u8 {
        match self {
            Action::Check | Action::Fold => 0,
            _ => self as u8 - 1,
        }
    }
}

/// The state of the player's wagers in a hand, without any cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BettingState {
    /// The stage of the hand.
    pub stage: Stage,
    /// The number of antes staked on Play.
    pub play: i32,
    /// `true` if the player folded.
    pub folded: bool,
}

impl BettingState {
    /// Returns `true` if an action is legal at this stage.
    #[inline]
    pub fn is_legal(&self, preflop: PreflopPlay, action: Action) -> bool {
        match (self.stage, action) {
            (Stage::Start | Stage::Flop, Action::Check) | (Stage::Flop, Action::Play2) => true,
            (Stage::Start, Action::Play3) => preflop != PreflopPlay::Four,
            (Stage::Start, Action::Play4) => preflop != PreflopPlay::Three,
            (Stage::River, Action::Fold | Action::Play1) => true,
            _ => false,
        }
    }

    /// Performs a legal action.
    #[inline]
    pub(super) fn act(&mut self, action: Action) {
        self.play = action.antes().into();
        self.folded = action == Action::Fold;
        self.stage = match (action, self.stage) {
            (Action::Check, Stage::Start) => Stage::Flop,
            (Action::Check, _) => Stage::River,
            _ => Stage::Over,
        };
    }

    /// Returns the reason why an action is illegal.
    pub(super) fn refusal(&self, action: Action) -> String {
        let reason = match self.stage {
            Stage::Start => "before the flop, the player can check or play as many antes as the rules allow",
            Stage::Flop => "on the flop, the player can check or play two antes",
            _ => "on the river, the player can fold or play one ante",
        };
        format!("{} is not possible: {reason}", action.name())
    }

    /// Returns the combined net result of the Ante, the Blind and Play once the hand is over, in half antes.
    #[inline]
    pub fn net(&self, game: &Game, deal: &Deal) -> i32 {
        if self.folded {
            return Game::FOLD;
        }
        let ranking = game.on_board(deal.board(5));
        let [mine, dealers] = [deal.hole(), deal.dealer()].map(|hole| ranking.of(hole.set()));
        game.showdown(game.end(mine, dealers), game.best().category(mine), self.play)
    }

    /// Returns the net result of a Trips bet of one ante once the hand is over, in half antes.
    #[inline]
    pub fn trips(&self, game: &Game, deal: &Deal) -> i32 {
        let hand = game.best().category(game.on_board(deal.board(5)).of(deal.hole().set()));
        if self.folded { game.trips_after_fold(hand) } else { game.trips(hand) }
    }
}

/// The result of comparing two hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner of the comparison, where `Greater` is the player.
    pub winner: Ordering,
    /// True if the dealer has a pair or better.
    pub qualified: bool,
}

/// The strengths of hands on a complete board.
pub struct BoardRanking<'a> {
    best: &'a BestOfSeven,
    board: CardSet,
    key: Key,
    /// The cards of the board that two hole cards can complete, if both of them belong to a hand. Empty otherwise.
    triples: Vec<(CardSet, Key)>,
}

impl BoardRanking<'_> {
    /// Returns the strength of the hand with these hole cards.
    #[inline]
    pub fn of(&self, hole: CardSet) -> FiveStrength {
        self.of_key(Key::from_set(hole), || hole)
    }

    /// Like [`BoardRanking::of`], but takes the key of the hole cards. `hole` must return the cards and is only called if
    /// there is a flush.
    #[inline]
    pub fn of_key(&self, key: Key, hole: impl Fn() -> CardSet) -> FiveStrength {
        if self.triples.is_empty() {
            return self.best.of_key(self.key + key, || self.board.union(hole()));
        }
        let five = |(three, of_three): &(CardSet, Key)| {
            self.best.ranking().five_of_key(*of_three + key, || three.union(hole()))
        };
        self.triples.iter().map(five).max().unwrap_or_default()
    }
}

/// The game, compiled from its rules.
pub struct Game {
    rules: Rules,
    best: BestOfSeven,
    qualifies: FiveStrength,
    blind: [i32; Category::ALL.len()],
    trips: [i32; Category::ALL.len()],
    progressive: Option<Paytable>,
}

/// The number of half antes in an ante.
pub(super) const ANTE: i32 = 2;

impl Game {
    /// Compiles the rules and builds the tables for ranking hands. This takes a few milliseconds.
    pub fn new(rules: Rules) -> Game {
        let best = BestOfSeven::new(FiveRules::POKER);
        let qualifies = FiveStrength::from_index(best.ranking().strengths_of(Category::OnePair).start);
        let won = |table: &Paytable, hand: Category, otherwise| match (table.units(hand), rules.rounding) {
            (None, _) => otherwise,
            (Some(halves), Rounding::Exact) => halves as i32,
            (Some(halves), Rounding::Down) => (halves / 2 * 2) as i32,
        };
        let blind = Category::ALL.map(|hand| won(&rules.blind_table, hand, 0));
        let trips = Category::ALL.map(|hand| won(&rules.trips_table, hand, -ANTE));
        Game { best, qualifies, blind, trips, rules, progressive: None }
    }

    /// Returns the same game with a progressive that uses this paytable. There is no default paytable, because the
    /// source does not specify one. A token wins by the row that pays most on the player's best five cards, and
    /// loses if no row pays them. After a fold, it is treated like the Trips bet.
    #[must_use]
    pub fn with_progressive(self, paytable: Paytable) -> Game {
        Game { progressive: Some(paytable), ..self }
    }

    /// Returns the progressive's paytable, if any.
    pub fn progressive(&self) -> Option<&Paytable> {
        self.progressive.as_ref()
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the hand ranking.
    pub fn best(&self) -> &BestOfSeven {
        &self.best
    }

    /// Prepares the ranking of hands on a complete board.
    #[inline]
    pub fn on_board(&self, board: CardSet) -> BoardRanking<'_> {
        debug_assert_eq!(board.len(), 5);
        let mut triples = Vec::new();
        if self.rules.hole_cards == HoleCards::Both {
            for_each_subset(board, 3, |three| triples.push((three, Key::from_set(three))));
        }
        BoardRanking { best: &self.best, board, key: Key::from_set(board), triples }
    }

    /// Returns the strength of the lowest pair. The dealer qualifies with this strength or better.
    pub fn qualifies(&self) -> FiveStrength {
        self.qualifies
    }

    /// Compares the player's best five cards with the dealer's.
    #[inline]
    pub fn end(&self, player: FiveStrength, dealer: FiveStrength) -> End {
        End { winner: player.cmp(&dealer), qualified: dealer >= self.qualifies }
    }

    /// Returns the combined net result of Ante and Blind at a showdown, in half antes, if the player's hand has this
    /// category.
    #[inline]
    pub fn ante_and_blind(&self, end: End, hand: Category) -> i32 {
        self.ante(end) + self.blind(end, hand)
    }

    /// Returns the net result of the Ante at a showdown, in half antes.
    #[inline]
    pub fn ante(&self, end: End) -> i32 {
        let reading = self.rules.dealer_unqualified;
        let is_in_play = end.qualified || reading == DealerUnqualified::NoQualification;
        match end.winner {
            _ if self.wins_unqualified(end) => ANTE,
            Ordering::Greater if is_in_play => ANTE,
            Ordering::Less if is_in_play || reading == DealerUnqualified::AnteLostIfDealerWins => -ANTE,
            _ => 0,
        }
    }

    /// Returns the net result of the Blind at a showdown, in half antes, if the player's hand has this category.
    #[inline]
    pub fn blind(&self, end: End, hand: Category) -> i32 {
        match end.winner {
            _ if self.wins_unqualified(end) => 0,
            Ordering::Greater => self.blind[hand as usize],
            Ordering::Equal => 0,
            Ordering::Less => -ANTE,
        }
    }

    /// Returns `true` if only the Ante is settled, and wins, because the dealer doesn't qualify.
    #[inline]
    fn wins_unqualified(&self, end: End) -> bool {
        !end.qualified && self.rules.dealer_unqualified == DealerUnqualified::CasinoHoldem
    }

    /// Returns the result of the Play wager at a showdown: 1 if it wins, 0 if it is returned, and -1 if it loses.
    #[inline]
    pub fn play(&self, end: End) -> i32 {
        if self.wins_unqualified(end) { 0 } else { end.winner as i32 }
    }

    /// The net result of a fold, in half antes.
    pub const FOLD: i32 = -2 * ANTE;

    /// Returns the net result of the Ante, the Blind and a Play wager of `play` antes at a showdown, in half antes.
    #[inline]
    pub fn showdown(&self, end: End, hand: Category, play: i32) -> i32 {
        self.ante_and_blind(end, hand) + play * ANTE * self.play(end)
    }

    /// Returns the net result of a Trips bet of one ante, in half antes.
    #[inline]
    pub fn trips(&self, hand: Category) -> i32 {
        self.trips[hand as usize]
    }

    /// Returns the net result of a Trips bet of one ante after a fold, in half antes.
    #[inline]
    pub fn trips_after_fold(&self, hand: Category) -> i32 {
        match self.rules.trips_on_fold {
            TripsOnFold::Settled => self.trips(hand),
            TripsOnFold::Lost => -ANTE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::combinations::for_each_subset;
    use crate::gym::stream;
    use crate::rules::RuleSet;
    use crate::ultimate_holdem::Rules;
    use std::collections::HashMap;

    #[test]
    fn there_are_169_kinds() {
        let mut kinds: HashMap<usize, (String, u32)> = HashMap::new();
        for_each_subset(CardSet::DECK_52, 2, |cards| {
            let hole = Hole::new(cards).unwrap();
            let kind = kinds.entry(hole.kind()).or_insert((hole.kind_name(), 0));
            assert_eq!(kind.0, hole.kind_name());
            kind.1 += 1;
        });
        assert_eq!((kinds.len(), kinds.keys().max()), (Hole::KINDS, Some(&(Hole::KINDS - 1))));
        for (name, combinations) in kinds.values() {
            let expected = if name.ends_with('s') {
                4
            } else if name.ends_with('o') {
                12
            } else {
                6
            };
            assert_eq!(*combinations, expected, "{name}");
        }
    }

    #[test]
    fn invalid_hands_are_rejected() {
        assert_eq!("8c Kh".parse::<Hole>().unwrap().to_string(), "Kh 8c");
        assert_eq!("8c Kh".parse::<Hole>().unwrap().kind_name(), "K8o");
        for (text, part) in [("Kh", "has 2 cards"), ("Kh Jk", "not in the deck"), ("Kh Kh", "twice")] {
            assert!(text.parse::<Hole>().unwrap_err().to_string().contains(part), "{text}");
        }
    }

    #[test]
    fn ante_and_blind_do_not_depend_on_the_play() {
        let (game, mut rng) = (Game::new(Rules::default()), stream(3.into()));
        let plans: [&[Action]; 3] =
            [&[Action::Play4], &[Action::Check, Action::Play2], &[Action::Check, Action::Check, Action::Play1]];
        for _ in 0..500 {
            let deal = Deal::new(&mut rng);
            for plan in plans {
                let mut seat = BettingState::default();
                for &action in plan {
                    assert!(seat.is_legal(PreflopPlay::Four, action) && seat.stage != Stage::Over);
                    seat.act(action);
                }
                let play = seat.play;
                let [more, less] = [seat, BettingState { play: 0, ..seat }].map(|seat| seat.net(&game, &deal));
                // The Play wager is won, returned or lost in full.
                assert!([-2, 0, 2].contains(&((more - less) / play)) && less >= -4);
            }
            let folded = BettingState { stage: Stage::Over, play: 0, folded: true };
            assert_eq!(folded.net(&game, &deal), Game::FOLD);
        }
    }

    #[test]
    fn illegal_actions_are_named() {
        let seat = BettingState::default();
        for action in [Action::Fold, Action::Play1, Action::Play2, Action::Play3] {
            assert!(!seat.is_legal(PreflopPlay::Four, action) && seat.refusal(action).contains(action.name()));
        }
    }

    fn end(winner: Ordering, qualified: bool) -> End {
        End { winner, qualified }
    }

    #[test]
    fn every_end_pays_as_the_table_of_the_rules_says() {
        // Each reading has the results of Ante and Blind in half antes for a flush, which the Blind pays 3 to 2. The
        // outcomes are a player win, a tie and a dealer win, first with a qualified dealer and then without.
        let cases = [
            ("ante_pushes", [5, 0, -4], [3, 0, -2], [1, 0, -1]),
            ("ante_lost_if_dealer_wins", [5, 0, -4], [3, 0, -4], [1, 0, -1]),
            ("no_qualification", [5, 0, -4], [5, 0, -4], [1, 0, -1]),
            ("casino_holdem", [5, 0, -4], [2, 2, 2], [0, 0, 0]),
        ];
        for (reading, qualified, not, play) in cases {
            let rules = Rules::default().with(&format!("dealer-unqualified={reading}")).unwrap();
            let game = Game::new(rules);
            for (i, winner) in [Ordering::Greater, Ordering::Equal, Ordering::Less].into_iter().enumerate() {
                let ends = [end(winner, true), end(winner, false)];
                let paid = ends.map(|end| game.ante_and_blind(end, Category::Flush));
                assert_eq!(paid, [qualified[i], not[i]], "{reading} {winner:?}");
                assert_eq!(ends.map(|end| game.play(end)), [[1, 0, -1][i], play[i]], "{reading} {winner:?}");
                assert_eq!(game.showdown(ends[0], Category::Flush, 4), qualified[i] + 8 * [1, 0, -1][i]);
            }
            assert_eq!(game.ante_and_blind(end(Ordering::Greater, true), Category::ThreeOfAKind), 2);
        }
    }

    #[test]
    fn both_hole_cards_can_be_required() {
        let both = Game::new(Rules::default().with("hole-cards=both").unwrap());
        for (hole, board, any, with_both) in [
            ("7d 2c", "As Ah Ad Ac Ks", Category::FourOfAKind, Category::ThreeOfAKind),
            ("7d 2c", "Ts Js Qs Ks As", Category::RoyalFlush, Category::HighCard),
            ("7s 2c", "Ts Js 3s Ks 4s", Category::Flush, Category::HighCard),
            ("7s 2s", "Ts Js 3s Ks 4d", Category::Flush, Category::Flush),
            ("7s 7d", "7c 7h Ks Kd 2c", Category::FourOfAKind, Category::FourOfAKind),
        ] {
            let made =
                |game: &Game| game.best().category(game.on_board(board.parse().unwrap()).of(hole.parse().unwrap()));
            assert_eq!((made(&Game::new(Rules::default())), made(&both)), (any, with_both), "{hole} {board}");
        }
    }

    #[test]
    fn a_pair_qualifies_and_half_antes_can_be_rounded_down() {
        let game = Game::new(Rules::default().with("rounding=down").unwrap());
        let strength = |cards: &str| game.best().of(cards.parse().unwrap());
        let (pair, none) = (strength("2c 2d 3h 5s 7c 9d Jh"), strength("As Kd Qh Jc 9s 8d 7h"));
        assert!(game.end(none, pair).qualified && !game.end(pair, none).qualified);
        assert_eq!(game.ante_and_blind(end(Ordering::Greater, false), Category::Flush), 2);
        assert_eq!([Category::RoyalFlush, Category::TwoPairs].map(|hand| game.trips(hand)), [100, -2]);
        let lost = Game::new(Rules::default().with("trips-on-fold=lost").unwrap());
        assert_eq!([&game, &lost].map(|game| game.trips_after_fold(Category::Straight)), [8, -2]);
    }
}
