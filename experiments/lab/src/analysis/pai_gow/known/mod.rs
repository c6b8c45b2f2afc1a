//! Measures how much a player gains from knowing more cards, if they set optimally against the banker's house way.
//!
//! Hands and known cards are dealt at random. For each deal, the EVs of all settings are exact, so the only error is
//! the sampling error. The value of the known cards is the regret that they reveal for the setting that is best without
//! them. This is zero for most deals, which makes the mean more precise than a difference of two means.
//!
//! If a single card is known, all 46 cards that the player doesn't hold are evaluated. For each hand, the value is then
//! exact. On request, it is also computed over all hands, so that there is no sampling error.

mod effect;
mod examine;
mod findings;
mod one_card;

pub use examine::{KnownCardsStudy, MAX_CARDS, MAX_HANDS, examine};
pub use findings::{KnownCardsFindings, KnownCardsValue};
pub use one_card::OneCard;
