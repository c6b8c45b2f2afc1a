//! The EV of the Trips bet before the deal.

use super::ANTE;
use crate::Ratio;
use houseway_env::rank::Category;
use houseway_env::ultimate_holdem::Game;

/// The number of seven-card hands in each category. [`FullGame`](super::FullGame) finds the same numbers.
pub(super) const SEVEN_CARD_CATEGORIES: [(Category, u64); 10] = [
    (Category::HighCard, 23_294_460),
    (Category::OnePair, 58_627_800),
    (Category::TwoPairs, 31_433_400),
    (Category::ThreeOfAKind, 6_461_620),
    (Category::Straight, 6_180_020),
    (Category::Flush, 4_047_644),
    (Category::FullHouse, 3_473_184),
    (Category::FourOfAKind, 224_848),
    (Category::StraightFlush, 37_260),
    (Category::RoyalFlush, 4_324),
];

/// Returns the EV of the Trips bet per unit staked, if it is settled no matter what the player does.
pub(super) fn trips_ev(game: &Game) -> Ratio {
    let net = SEVEN_CARD_CATEGORIES.map(|(hand, hands)| i128::from(game.trips(hand)) * i128::from(hands));
    let hands: u64 = SEVEN_CARD_CATEGORIES.iter().map(|(_, hands)| hands).sum();
    Ratio::new(net.iter().sum(), i128::from(hands) * i128::from(ANTE))
}
