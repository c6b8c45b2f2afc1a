//! EVs of all plays, which a search and the changes of a sheet start from.

use super::Question;
use crate::analysis::pai_gow::progress::with_progress;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::search::{SettingGains, Slots, Space};
use houseway_exact::pai_gow::whole::{Cancelled, FullGame};
use std::sync::atomic::AtomicBool;

/// Settings, EVs and plays.
pub(super) struct Prepared {
    pub(super) slots: Slots,
    pub(super) gains: SettingGains,
    pub(super) space: Space,
}

impl Prepared {
    /// Evaluates all settings, in a pass for each opponent.
    ///
    /// # Errors
    /// If it was stopped.
    pub(super) fn new(question: &Question, stop: &AtomicBool) -> Result<Prepared, Cancelled> {
        let game = &question.game;
        let slots = Slots::new(game);
        let mut gains: Option<SettingGains> = None;
        for opponent in &question.opponents {
            let whole = FullGame::new(game, question.seat.side(), &BankerTable::new(opponent));
            let payoff = question.seat.payoff(&game.rules());
            let label = format!("all settings against {}", houseway_env::pai_gow::Strategy::name(opponent));
            let more = with_progress(&label, stop, |run| SettingGains::compute(&whole, payoff, &slots, run))?;
            gains = Some(match gains {
                None => more,
                Some(gains) => gains.plus(&more),
            });
        }
        let gains = gains.expect("there is an opponent");
        let space = Space::new(game, &slots, &gains, &question.words);
        Ok(Prepared { slots, gains, space })
    }
}
