//! Rules and play of casino card games in which a hand is *set*.
//!
//! Cards, ranking, games, house ways and environments. Learning, exact evaluation and plots are in the crates above,
//! `houseway-learned`, `houseway-exact` and `houseway`.
//!
//! - [`cards`]: cards, sets of cards, text forms, packs, suit classes, profiles of seven-card hands.
//! - [`rank`]: ranking of hands as small ordered integers.
//! - [`pai_gow`]: Pai Gow Poker: rules and readings, settings, house ways, side bet, environment.
//! - [`ultimate_holdem`]: Ultimate Texas Hold'em: rules and readings, paytables, environment.
//! - [`asian_stud`]: Asian Stud: five cards in three and two, fold or raise, poker side bet, environment.
//! - [`joker_seven`]: Joker Seven: wagers on seven cards of a pack with two jokers, environment.
//! - [`gym`]: environments in the style of Gymnasium, single or vectorized.
//! - [`mod@rules`]: rules as data: readings by name, single rules by text, a hash.
//! - [`paytable`]: paytables as data, for bets of every game. [`money`]: chips, rates, commission.
//! - [`names`]: enums with named variants, and valid file names. [`files`]: text files that come with the crate.
//! - [`seal`]: kind, format, version and checksum of files with results.
//! - [`registry`]: the list of games.
//!
//! ```
//! use houseway_env::pai_gow::{Game, Hand, Rules};
//!
//! let game = Game::new(Rules::default());
//! let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse()?;
//! let legal = game.settings(hand).filter(|(_, set)| game.is_legal(*set)).count();
//! assert_eq!(legal, 20);
//! # Ok::<(), houseway_env::cards::CardError>(())
//! ```

// The macros of `rules` and `names` refer to this crate by its name.
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
