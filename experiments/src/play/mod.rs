//! Interactive play of any registered game, with an exact coach.
//!
//! A [`Session`] plays a game through its environment alone. [`PlayedSession`] adds the coach, the saved file and the
//! history. [`play_screen`] shows it on the full screen, [`play_plain`] line by line. A game needs no code here for any
//! of this. A [`Layout`] improves the presentation, with titles of bets and actions made by choosing cards.
//!
//! Round *n* of a session is dealt on lane *n* - 1 of its seed. The cards therefore do not depend on earlier actions
//! and can be replayed from the seed alone.

mod amount;
mod buttons;
mod clock;
mod coach;
mod command;
mod event;
mod layout;
mod ledger;
mod plain;
mod record;
mod screen;
mod session;
mod start;
mod table;
#[cfg(test)]
mod tests;

pub use amount::Amount;
pub use buttons::{Button, buttons};
pub use clock::Clock;
pub use coach::{Coach, JudgedRound};
pub use command::{CoachMode, Command, Line};
pub use event::Event;
pub use layout::{Bet, Layout, Pick};
pub use ledger::{GroupLoss, Judged, Ledger, RoundResult};
pub use plain::play_plain;
pub use record::{OpenRound, Record, Stakes};
pub use screen::{check_terminal, play_screen};
pub use session::{CHIPS, Finished, Made, Phase, Refusal, Session};
pub use start::{BANKROLL, PlayRequest, data_folder, random_seed, session_file};
pub use table::{PlayedSession, SessionFiles};
