//! `houseway check`: whether a house way is complete and legal over all hands.

use super::options::{compile, settings};
use super::runner::show;
use crate::console::{CommandResult, CommonOptions, Failure};
use crate::report::TextTable;
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{Gap, StyleWarning, Survey, Way};
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::grouped;
use serde_json::json;

/// Check that a house way sets all 154,143,080 hands legally, and count the hands of each rule
#[derive(Args)]
pub struct CheckArgs {
    /// The name or file of a house way
    way: String,
    #[command(flatten)]
    common: CommonOptions,
}

impl CheckArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        let [way] = self.common.game.ways([&self.way])?;
        let survey = way.survey(&game).map_err(Failure::usage)?;
        let gaps = way.gaps(&game).map_err(Failure::usage)?;
        show(&answer(&way, &game, &survey, &gaps), &self.common.output)?;
        if survey.fouls > 0 {
            return Err(Failure::work(format!("{} hands are set foul", survey.fouls)));
        }
        // If there are hands without a rule, the error from compiling the way names one of them.
        compile(way.clone(), &game)?;
        match gaps.first() {
            Some(gap) => {
                let options = settings_of(gap, &way, &game);
                Err(Failure::work(format!("{} hands have no rule with {options}", gap.hands)))
            }
            None => Ok(()),
        }
    }
}

/// Returns the arguments that select the options of a gap.
fn settings_of(gap: &Gap, way: &Way, game: &Game) -> String {
    let mut other = way.clone();
    for (reading, option) in &gap.options {
        other.choose(reading, option).expect("gaps have known options");
    }
    settings(&game.rules(), &[&other]).trim().to_owned()
}

pub(super) fn answer(way: &Way, game: &Game, survey: &Survey, gaps: &[Gap]) -> Answer {
    let warnings = way.style_warnings();
    let rules = survey.rules.iter().map(|rule| json!({ "name": rule.name, "hands": rule.hands.to_string() }));
    let warning = |it: &StyleWarning| json!({ "rule": it.rule, "line": it.line, "message": it.message });
    let gap =
        |it: &Gap| json!({ "options": it.options, "hands": it.hands.to_string(), "example": it.example.to_string() });
    let json = json!({
        "way": way.name(),
        "rules_hash": game.rules().hash(),
        "hands": survey.hands.to_string(),
        "uncovered": survey.uncovered.to_string(),
        "fouls": survey.fouls.to_string(),
        "gaps": gaps.iter().map(gap).collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
        "warnings": warnings.iter().map(warning).collect::<Vec<_>>(),
    });
    let mut table = TextTable::new(["rule", "hands", "share"]).right_from(1);
    for rule in &survey.rules {
        let share = format!("{:.4}%", 100.0 * rule.hands as f64 / survey.hands as f64);
        table = table.row([rule.name.clone(), grouped(rule.hands), share]);
    }
    let counts = [survey.hands, survey.uncovered, survey.fouls].map(grouped);
    let mut lines = format!("{} hands: {} without a rule, {} set foul.\n", counts[0], counts[1], counts[2]);
    if gaps.is_empty() && !way.readings().is_empty() {
        lines += "Every hand has a rule with every combination of options.\n";
    }
    for gap in gaps.iter().filter(|gap| !gap.options.is_empty()) {
        let options = settings_of(gap, way, game);
        lines += &format!("{options}: {} hands without a rule, for example {}\n", grouped(gap.hands), gap.example);
    }
    for StyleWarning { rule, line, message } in &warnings {
        let place = rule.as_ref().map_or(format!("line {line}"), |rule| format!("line {line}, rule \"{rule}\""));
        lines += &format!("warning: {place}: {message}\n");
    }
    Answer::new(json, [Section::default().text(way.title()).table(table).lines(lines)])
}
