//! Exact evaluation of Face Up Pai Gow Poker.
//!
//! The player sees the dealer's set hand, so the best setting is known for every deal: one that beats both halves if
//! there is any, or else one half if possible. [`Pass::open_total`](crate::pai_gow::whole::Pass::open_total) evaluates all
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
//! | balance-of-power | 1.9242% |
//! | wizard-two-pair | 1.9304% |
//! | foxwoods | 1.9946% |
//! | wong | 2.0323% |
//! | houseway-4 to houseway-20 | 2.0423% to 2.1382% |
//!
//! If no dealer hand pushed every bet, the player would have an edge of 3.9676% against trump-plaza.
//!
//! The readings change the edge against trump-plaza as follows:
//!
//! | reading | change of the edge |
//! |---|--:|
//! | `way.pair-with-complete-hand=break` | -1.1878% |
//! | `way.trips-complete-without-pair=three_of_a_kind` | -0.0034% |
//! | `way.quads-with-pair=split_rule` | -0.0007% |
//! | `joker-in-flush=ace` | -0.0002% |
//! | `wheel-straight-flush=lowest` | 0.0000% |
//! | `wheel-straight=lowest`, a variant | +0.0043% |
//!
//! No reading explains the published figure: none of these combinations rounds to 1.81%. The lowest edges above it are
//! 1.8152% (claridge) and 1.8176% (trump-plaza), both with the second to fourth of these readings. The source probably
//! uses Trump Plaza's house way, which its author names for another game without a commission
//! (`bank-pushes=nine_high_front`). The published edge of that game is 2.5096%, and the exact one 2.5057%, so its figures
//! seem to come from a simulation. Here, the difference is at least 0.007%, which a simulation of similar size could
//! produce.

mod answer;
mod evaluator;
mod exact_game;
mod practice;
mod solver;

pub use solver::SOLVER;
