//! Evaluates the effects of the game's readings.

use super::findings::GameReading;
use super::subject::Subject;
use crate::analysis::pai_gow::progress::with_progress;
use houseway_env::pai_gow::Rules;
use houseway_env::rules::{RuleReading, RuleSet};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::whole::Pass;
use std::sync::atomic::AtomicBool;

/// The reading that only affects the side bet.
const OF_THE_SIDE_BET: &str = "side-bet-best";

/// Evaluates the unselected options of the game's readings for both sides, with one pass per option. Returns `None` if
/// it is stopped.
pub(super) fn game_readings(subject: &Subject, ev: Ratio, stop: &AtomicBool) -> Option<Vec<GameReading>> {
    let given = serde_json::to_value(subject.rules).expect("rules are plain data");
    let mut priced = Vec::new();
    let of_main_game = |reading: &&RuleReading| reading.name != OF_THE_SIDE_BET;
    for RuleReading { name, options, .. } in Rules::READINGS.iter().filter(of_main_game) {
        for option in options.iter().filter(|option| given[name].as_str() != Some(**option)) {
            let setting = format!("{name}={option}");
            let price = match subject.rules.with(&setting) {
                Ok(rules) => count(subject, rules, &setting, stop)?.map(|other| other - ev),
                Err(error) => Err(error.to_string()),
            };
            priced.push(GameReading { name: (*name).to_owned(), option: (*option).to_owned(), price });
        }
    }
    Some(priced)
}

/// Returns the way's EV under other rules, or an explanation if they don't allow one. Returns `None` if stopped.
fn count(subject: &Subject, rules: Rules, label: &str, stop: &AtomicBool) -> Option<Result<Ratio, String>> {
    let prepared = match (Subject { rules, ..subject.clone() }).prepare() {
        Ok(prepared) => prepared,
        Err(error) => return Some(Err(error.to_string())),
    };
    let whole = Pass::new(&prepared.game, subject.seat.side(), &BankerTable::shared(&prepared.opponent));
    let totals = with_progress(label, stop, |run| whole.totals(&[prepared.way.play()], run)).ok()?;
    Some(Ok(totals[0].ev(subject.seat.payoff(&rules))))
}
