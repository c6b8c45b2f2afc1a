//! Rules and play of casino card games in which the player *sets* a hand.
//!
//! Cards, hand ranking, games, house ways and environments. Learning, exact evaluation and plots are in the crates
//! built on top of this one: `houseway-learned`, `houseway-exact` and `houseway`.
//!
//! - [`cards`]: cards, card sets, text forms, packs, suit classes, and profiles of seven-card hands.
//! - [`rank`]: hand strengths as small ordered integers.
//! - [`pai_gow`]: Pai Gow Poker, with its rules and readings, settings, house ways, side bet and environment.
//! - [`ultimate_holdem`]: Ultimate Texas Hold'em, with its rules and readings, paytables and environment.
//! - [`asian_stud`]: Asian Stud, in which five cards are split three and two, with fold or raise, a poker side bet and
//!   an environment.
//! - [`joker_seven`]: Joker Seven, with wagers on seven cards from a pack with two jokers, and an environment.
//! - [`gym`]: environments in the style of Gymnasium, single or vectorized.
//! - [`mod@rules`]: rules as data, with named readings, `key=value` changes and a hash.
//! - [`paytable`]: paytables as data, for the bets of every game. [`money`]: chips, rates and commission.
//! - [`names`]: enums with named variants, and valid file names. [`files`]: text files bundled with the crate.
//! - [`seal`]: kind, format, version and checksum of result files.
//! - [`registry`]: the list of games.
//! ```
//! use houseway_env::pai_gow::{Game, Hand, Rules};
//!
//! let game = Game::new(Rules::default());
//! let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse()?;
//! let legal = game.settings(hand).filter(|(_, set)| game.is_legal(*set)).count();
//! assert_eq!(legal, 20);
//! # Ok::<(), houseway_env::cards::CardError>(())
//! ```

// The macros in `rules` and `names` refer to this crate by name.
extern crate self as houseway_env;

pub mod asian_stud;
pub mod cards;
pub mod files;
pub mod gym;
pub mod joker_seven;
pub mod money;
pub mod names;
pub mod pai_gow;
pub mod paytable;
pub mod rank;
pub mod registry;
pub mod rules;
pub mod seal;
pub mod ultimate_holdem;
