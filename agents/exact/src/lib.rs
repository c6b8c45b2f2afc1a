//! Expected values of card games by counting, never by sampling.
//!
//! Every number here is a count of hands or deals, kept as an integer; a [`Ratio`] of two integers leaves at the door, and a
//! float appears only when somebody prints it or learns from it.
//!
//! - [`Ratio`]: an exact fraction.
//! - [`answer`]: results as plain data; [`solver`]: one interface to the exact values of every game; [`registry`]: its games.
//! - [`asian_stud`]: Asian Stud: what raising every hand is worth, the optimum, the side bet.
//! - [`mod@format`]: numbers as text.
//! - [`joker_seven`]: Joker Seven: every wager by closed form and by enumeration, covariances, the best spreads of a stake.
//! - [`one_decision`]: one solver for all games with a single decision.
//! - [`pai_gow`]: Pai Gow Poker: all 21 settings of one hand, and all 8,250,459,031,214,400 deals, against any house way.
//! - [`ultimate_holdem`]: Ultimate Texas Hold'em: the optimal strategy and any other, over all 27,813,810,024,000 deals.
//!
//! ```
//! use houseway_env::pai_gow::{Game, Hand, Rules};
//! use houseway_exact::pai_gow::{BankerTable, HandCounter, HighestFront};
//!
//! let game = Game::new(Rules::default());
//! let banker = BankerTable::new(&HighestFront::new(&game));
//! let counter = HandCounter::new(&game, &banker);
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
