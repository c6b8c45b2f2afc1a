//! Asian Stud, in which five cards are split into three and two and compared with the dealer's.
//!
//! The game uses 52 cards and a joker. Aces are worth 1 point, the cards from two to nine their face value, tens,
//! jacks, queens and kings 10 points, and the joker 1 point. Each player puts up an ante and is dealt five cards. The
//! player then either folds and loses the ante or raises by the same amount. Three cards that total 10, 20 or 30 points
//! form a *set*. If a hand contains a set, its *value* is the last digit of the other two cards' total, except that a 0
//! counts as 10, the highest value. A hand without a set has no value and ranks below all others.
//!
//! | dealer | player | result |
//! |---|---|---|
//! | no set | raised | the ante wins 1 to 1, and the raise is returned |
//! | set | no set | both lose |
//! | set | lower value | both lose |
//! | set | equal value | both are returned |
//! | set | higher value, by 1 to 3 | the ante and the raise both win 1 to 1 |
//! | set | higher value, by 4 to 6 | the ante wins 1 to 1 and the raise 2 to 1 |
//! | set | higher value, by 7 to 9 | the ante wins 1 to 1 and the raise 3 to 1 |
//!
//! The house takes a 5% commission on winnings. A separate side bet pays according to the poker hand that the player's
//! five cards make.
//!
//! Sources: a text on Asian Stud, and the published rules (M. Shackleford, wizardofodds.com/games/asian-stud, 2002).
//! The text's first paragraph is missing and was filled in from the published rules, which also specify how the raise
//! is paid and how commission is charged. Where the sources are silent or disagree, [`Rules`] has a field that selects
//! a reading.
//!
//! - [`Rules`] has a field for each parameter and reading.
//! - [`Game`] is the compiled form of the rules. It returns the [`Value`] of a hand and its net result in millionths of
//!   the ante.
//! - [`SideBet`] is the poker side bet. Its [`Paytable`]s are data.
//! - [`AsianStud`] is the environment `AsianStud-v0`, and [`Observation`] lists its observation encodings.

mod env;
mod game;
mod hand;
mod observe;
mod rules;
mod side_bet;

pub use env::{AsianStud, AsianStudOptions, FOLD, GAME, ID, MAX_PLAYERS, RAISE, State};
pub use game::{FOLDED, Game, UNIT, Value};
pub use hand::{Hand, Points};
pub use observe::Observation;
pub use rules::{Commission, JokerPoints, JokerSemiwild, NoSetAgainstSet, OddsOn, Rules, SideBetOnFold};
pub use side_bet::{PAYTABLES, PayRow, Paytable, PokerBet, SideBet};
