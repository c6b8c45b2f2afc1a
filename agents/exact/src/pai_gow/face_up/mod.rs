//! Exact evaluation of Face Up Pai Gow Poker.
//!
//! The player sees the dealer's set hand, so the best setting is known for every deal: one that beats both halves if
//! there is any, or else one half if possible. [`OpenGame`](crate::pai_gow::whole::OpenGame) evaluates all
//! 8,250,459,031,214,400 deals. [`HandEvaluator::count_open`](crate::pai_gow::HandEvaluator::count_open) evaluates a
//! single hand against all dealer hands.
//!
//! The published house edge is about 1.81% of the bet (M. Shackleford, wizardofodds.com/games/face-up-pai-gow-poker).
//! It depends on the dealer's house way, which the source doesn't name:
//!
//! | dealer | edge |
//! |---|--:|
//! | mgm-style | 1.4284% |
//! | flamingo-hilton | 1.5442% |
//! | golden-nugget | 1.5852% |
//! | claridge | 1.8206% |
//! | trump-plaza | 1.8219% |
//! | ballys-atlantic-city | 1.8665% |
//! | foxwoods | 1.9946% |
//! | houseway-20 | 2.1382% |
//!
//! If no dealer hand pushed every bet, the player would have an edge of 3.9676% against trump-plaza.

mod answer;
mod evaluator;
mod exact_game;
mod practice;
mod solver;

pub use solver::SOLVER;
