//! EVs of all plays, which a search and the changes of a sheet start from.

use super::Question;
use crate::analysis::pai_gow::progress::with_progress;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::search::{Choices, SettingGains, Slots, Space};
use houseway_exact::pai_gow::whole::{Cancelled, FullGame};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Computes what every play loses against each opponent of a question, in a pass for each; the rules of a sheet are further
/// plays.
///
/// # Errors
/// If it was stopped.
pub(super) fn spaces(question: &Question, sheet: Option<&Way>, stop: &AtomicBool) -> Result<Vec<Space>, Cancelled> {
    let game = &question.game;
    let slots = Slots::new(game);
    let choices = Arc::new(Choices::new(game, &slots, &question.words, sheet));
    let space = |opponent: &HouseWay| {
        let whole = FullGame::new(game, question.seat.side(), &BankerTable::new(opponent));
        let payoff = question.seat.payoff(&game.rules());
        let label = format!("all settings against {}", opponent.name());
        let gains = with_progress(&label, stop, |run| SettingGains::compute(&whole, payoff, &slots, run))?;
        Ok(Space::new(&choices, &slots, &gains))
    };
    question.opponents.iter().map(space).collect()
}
