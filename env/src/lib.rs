//! Rules and environments for casino card games in which the player *sets* a hand.
//!
//! This crate contains cards, hand ranking, games, house ways and environments. `houseway-exact` evaluates them exactly,
//! `houseway-learned` trains agents, and the program `houseway` analyzes, plays and reports.
//!
//! - [`cards`] provides cards, card sets, text forms, packs, suit classes, and profiles of seven-card hands.
//! - [`rank`] represents hand strengths as small ordered integers.
//! - [`pai_gow`] implements Pai Gow Poker, including its rules and readings, settings, house ways, a side bet and an
//!   environment.
//! - [`pai_gow_tiles`] implements Pai Gow with its 32 tiles, including its readings, house ways and an environment.
//! - [`ultimate_holdem`] implements Ultimate Texas Hold'em, including its rules and readings, paytables and an
//!   environment.
//! - [`asian_stud`] implements Asian Stud, in which players fold or raise and five cards are split three and two. It
//!   includes a poker side bet and an environment.
//! - [`joker_seven`] implements Joker Seven, which offers wagers on seven cards from a pack with two jokers, and its
//!   environment.
//! - [`gym`] defines environments in the style of Gymnasium, both single and vectorized.
//! - [`mod@rules`] represents rules as data, with named readings, `key=value` changes and a hash.
//! - [`paytable`] represents paytables for all bets as data, and [`money`] defines chips, rates and commission.
//! - [`names`] defines enums with named variants and checks file names, and [`files`] contains text files bundled with
//!   the crate.
//! - [`kept`] caches recent results.
//! - [`seal`] protects result files with a kind, format, version and checksum.
//! - [`registry`] lists all games.
//!
//! ```
//! use houseway_env::pai_gow::{Game, Hand, Rules};
//!
//! let game = Game::new(Rules::default());
//! let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse()?;
//! let legal = game.settings(hand).filter(|(_, set)| game.is_legal(*set)).count();
//! assert_eq!(legal, 20);
//! # Ok::<(), houseway_env::names::InvalidText>(())
//! ```

// The macros in `rules` and `names` refer to this crate by its name.
extern crate self as houseway_env;

pub mod asian_stud;
pub mod cards;
pub mod files;
pub mod gym;
pub mod joker_seven;
pub mod kept;
pub mod money;
pub mod names;
pub mod pai_gow;
pub mod pai_gow_tiles;
pub mod paytable;
pub mod rank;
pub mod registry;
pub mod rules;
pub mod seal;
pub mod ultimate_holdem;
