//! Rules compiled for play. They determine hand strengths and the payment for every way of ending a hand.
//!
//! Amounts are in whole half antes, so odds of 3 to 2 for a flush are exact.

use super::{DealerUnqualified, Paytable, Rounding, Rules, TripsOnFold};
use crate::rank::{BestOfSeven, Category, FiveRules, FiveStrength};

/// The result of comparing two hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The side with the higher hand.
    pub higher: Winner,
    /// True if the dealer has a pair or better.
    pub qualified: bool,
}

/// The side with the higher hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// The player's hand is higher.
    Player,
    /// The hands are equal.
    Neither,
    /// The dealer's hand is higher.
    Dealer,
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
const ANTE: i32 = 2;

impl Game {
    /// Compiles the rules and builds the tables for ranking hands. This takes a few milliseconds.
    pub fn new(rules: Rules) -> Game {
        let best = BestOfSeven::new(FiveRules::POKER);
        let qualifies = FiveStrength::from_index(best.ranking().strengths_of(Category::OnePair).start);
        let won = |table: &Paytable, hand, otherwise| match (table.units(hand), rules.rounding) {
            (None, _) => otherwise,
            (Some(halves), Rounding::Exact) => halves as i32,
            (Some(halves), Rounding::Down) => (halves / 2 * 2) as i32,
        };
        let blind = Category::ALL.map(|hand| won(&rules.blind_table, hand, 0));
        let trips = Category::ALL.map(|hand| won(&rules.trips_table, hand, -ANTE));
        Game { best, qualifies, blind, trips, rules, progressive: None }
    }

    /// Returns the same game with a progressive that uses this paytable. There is no default paytable, because the
    /// source does not specify one. A token wins according to the row for the player's best five cards and loses if
    /// there is no such row. After a fold, it is treated like the Trips bet.
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

    /// Returns the strength of the lowest pair. The dealer qualifies with this strength or better.
    pub fn qualifies(&self) -> FiveStrength {
        self.qualifies
    }

    /// Compares the player's best five cards with the dealer's.
    #[inline]
    pub fn end(&self, player: FiveStrength, dealer: FiveStrength) -> End {
        let higher = match player.cmp(&dealer) {
            std::cmp::Ordering::Greater => Winner::Player,
            std::cmp::Ordering::Equal => Winner::Neither,
            std::cmp::Ordering::Less => Winner::Dealer,
        };
        End { higher, qualified: dealer >= self.qualifies }
    }

    /// Returns the combined net result of Ante and Blind at a showdown, in half antes, if the player's hand has this
    /// category.
    #[inline]
    pub fn ante_and_blind(&self, end: End, hand: Category) -> i32 {
        let reading = self.rules.dealer_unqualified;
        if !end.qualified && reading == DealerUnqualified::CasinoHoldem {
            return ANTE;
        }
        let in_play = end.qualified || reading == DealerUnqualified::NoQualification;
        let lost = in_play || reading == DealerUnqualified::AnteLostIfDealerWins;
        match end.higher {
            Winner::Player => i32::from(in_play) * ANTE + self.blind[hand as usize],
            Winner::Neither => 0,
            Winner::Dealer => -i32::from(lost) * ANTE - ANTE,
        }
    }

    /// Returns the result of the Play wager at a showdown: 1 if it wins, 0 if it is returned, and -1 if it loses.
    #[inline]
    pub fn play(&self, end: End) -> i32 {
        if !end.qualified && self.rules.dealer_unqualified == DealerUnqualified::CasinoHoldem {
            return 0;
        }
        match end.higher {
            Winner::Player => 1,
            Winner::Neither => 0,
            Winner::Dealer => -1,
        }
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
    use crate::rules::RuleSet;

    fn end(higher: Winner, qualified: bool) -> End {
        End { higher, qualified }
    }

    #[test]
    fn every_end_pays_as_the_table_of_the_rules_says() {
        use Winner::{Dealer, Neither, Player};
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
            for (i, higher) in [Player, Neither, Dealer].into_iter().enumerate() {
                let ends = [end(higher, true), end(higher, false)];
                let paid = ends.map(|end| game.ante_and_blind(end, Category::Flush));
                assert_eq!(paid, [qualified[i], not[i]], "{reading} {higher:?}");
                assert_eq!(ends.map(|end| game.play(end)), [[1, 0, -1][i], play[i]], "{reading} {higher:?}");
                assert_eq!(game.showdown(ends[0], Category::Flush, 4), qualified[i] + 8 * [1, 0, -1][i]);
            }
            assert_eq!(game.ante_and_blind(end(Player, true), Category::ThreeOfAKind), 2);
        }
    }

    #[test]
    fn a_pair_qualifies_and_half_antes_can_be_rounded_down() {
        let game = Game::new(Rules::default().with("rounding=down").unwrap());
        let strength = |cards: &str| game.best().of(cards.parse().unwrap());
        let (pair, none) = (strength("2c 2d 3h 5s 7c 9d Jh"), strength("As Kd Qh Jc 9s 8d 7h"));
        assert!(game.end(none, pair).qualified && !game.end(pair, none).qualified);
        assert_eq!(game.ante_and_blind(end(Winner::Player, false), Category::Flush), 2);
        assert_eq!([Category::RoyalFlush, Category::TwoPairs].map(|hand| game.trips(hand)), [100, -2]);
        let lost = Game::new(Rules::default().with("trips-on-fold=lost").unwrap());
        assert_eq!([&game, &lost].map(|game| game.trips_after_fold(Category::Straight)), [8, -2]);
    }
}
