//! Exact expected values of card games by enumeration.
//!
//! All results are integer counts of hands or deals, or [`Ratio`]s of integers. Floats are used only for printing and
//! learning.
//!
//! - [`Ratio`]: exact fractions.
//! - [`answer`]: results as plain data. [`solver`]: the common interface of all games. [`registry`]: the list of
//!   solvers.
//! - [`asian_stud`]: Asian Stud, with the EV of any policy, the optimum and the side bet.
//! - [`mod@format`]: formatting of numbers.
//! - [`joker_seven`]: Joker Seven, with every wager in closed form and by enumeration, covariances and efficient
//!   spreads of a stake.
//! - [`one_decision`]: a solver for all games with a single decision.
//! - [`pai_gow`]: Pai Gow Poker, with all 21 settings of a hand and all 8,250,459,031,214,400 deals against any
//!   strategy.
//! - [`ultimate_holdem`]: Ultimate Texas Hold'em, with the optimal and any other strategy over all 27,813,810,024,000
//!   deals.
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
//! # Ok::<(), houseway_env::cards::CardError>(())
//! ```

pub mod answer;
pub mod asian_stud;
pub mod format;
pub mod joker_seven;
pub mod one_decision;
pub mod pai_gow;
mod ratio;
pub mod registry;
pub mod solver;
pub mod ultimate_holdem;

pub use ratio::Ratio;
