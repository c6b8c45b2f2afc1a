//! Exact expected values for card games, computed by enumeration.
//!
//! All results are integer counts of hands or deals, or [`Ratio`]s of integers. Floats are used only for printing and
//! learning.
//!
//! - [`Ratio`] is an exact fraction.
//! - [`answer`] represents results as plain data, [`solver`] is the interface shared by all games, and [`registry`]
//!   lists the solvers.
//! - [`asian_stud`] solves Asian Stud, including the EV of any policy, the optimum, and the side bet.
//! - [`checked`] answers whether a house way is complete and legal.
//! - [`equilibrium`] computes equilibria of games in which two sides choose once, each with their own hand.
//! - [`mod@format`] formats numbers.
//! - [`joker_seven`] solves Joker Seven by evaluating every wager both in closed form and by enumeration. It also
//!   computes covariances and efficient ways to spread a stake.
//! - [`net`] computes exact distributions of net results.
//! - [`one_decision`] solves any game with a single decision.
//! - [`pai_gow`] solves Pai Gow Poker, for all 21 settings of a single hand and for all 8,250,459,031,214,400 deals
//!   against any strategy.
//! - [`pai_gow_tiles`] solves Pai Gow with tiles over all 736,281,000 deals, including the game in which
//!   both sides choose.
//! - [`side_bet`] computes the exact returns of side bets in all games.
//! - [`standings`] ranks strategies that play against each other.
//! - [`store`] keeps the results of passes over all deals.
//! - [`ultimate_holdem`] solves Ultimate Texas Hold'em, evaluating the optimum and any other strategy over all
//!   27,813,810,024,000 deals.
//!
//! ```
//! use houseway_env::pai_gow::{Game, Hand, Rules};
//! use houseway_exact::pai_gow::{BankerTable, HandEvaluator};
//! use houseway_env::pai_gow::ProfileTable;
//!
//! let game = Game::new(Rules::default());
//! let banker = BankerTable::new(&ProfileTable::max_front(&game));
//! let counter = HandEvaluator::new(&game, &banker);
//! let hand: Hand = "As Ad Kh Kc Qs Qd 3c".parse()?;
//! let counts = counter.count(hand);
//! let best = counts.best();
//! assert_eq!(best.front(hand).to_string(), "As Ad");
//! let of_best = counts.get(best).expect("the best setting is legal");
//! assert_eq!(of_best.wins + of_best.pushes + of_best.losses, 53_524_680);
//! println!("{hand}: {} in front, EV {:.6}", best.front(hand), counts.ev(best).unwrap());
//! # Ok::<(), houseway_env::names::InvalidText>(())
//! ```

pub mod answer;
pub mod asian_stud;
pub mod checked;
pub mod equilibrium;
pub mod format;
pub mod joker_seven;
pub mod net;
pub mod one_decision;
pub mod pai_gow;
pub mod pai_gow_tiles;
mod ratio;
pub mod registry;
pub mod side_bet;
pub mod solver;
pub mod standings;
pub mod store;
pub mod ultimate_holdem;

pub use ratio::Ratio;
