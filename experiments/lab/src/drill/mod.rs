//! Drills on decisions that common strategies get wrong, for any game whose solver has [`Practice`]. They repeat the
//! player's own mistakes at growing intervals.
//!
//! A [`DrillSource`] draws decisions and evaluates them. A [`Question`] judges the player's action, and a
//! [`DrillRecord`] keeps the answers. [`SECTION`] is the section of the web app.
//!
//! [`Practice`]: houseway_exact::solver::Practice

mod question;
mod record;
mod source;
mod web;

pub use question::Question;
pub use record::{Answer, DrillRecord, Score};
pub use source::{DrillRequest, DrillSource};
pub use web::SECTION;
