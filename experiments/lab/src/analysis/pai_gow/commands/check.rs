//! The command `houseway check` checks that a house way is complete and legal over all hands.

use super::ways::compile;
use crate::console::{CommandResult, CommonOptions, Failure, print, print_json};
use crate::report::{TextTable, terminal};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{StyleWarning, Survey, Way};
use serde_json::{Value, json};

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
        if self.common.output.json {
            print_json(&check_json(&way, &game, &survey))?;
        } else {
            print(&(text(way.title(), &survey) + &style(&way.style_warnings())))?;
        }
        if survey.fouls > 0 {
            return Err(Failure::work(format!("{} hands are set foul", survey.fouls)));
        }
        // If there are hands without a rule, the error from compiling the way names one of them.
        compile(way, &game).map(|_| ())
    }
}

/// Returns the answer in the format of `houseway check --json`.
pub(crate) fn check_json(way: &Way, game: &Game, survey: &Survey) -> Value {
    let rules = survey.rules.iter().map(|rule| json!({ "name": rule.name, "hands": rule.hands.to_string() }));
    let warning = |warning: &StyleWarning| {
        let StyleWarning { rule, line, message, .. } = warning;
        json!({ "rule": rule, "line": line, "message": message })
    };
    json!({
        "way": way.name(),
        "rules_hash": game.rules().hash(),
        "hands": survey.hands.to_string(),
        "uncovered": survey.uncovered.to_string(),
        "fouls": survey.fouls.to_string(),
        "rules": rules.collect::<Vec<_>>(),
        "warnings": way.style_warnings().iter().map(warning).collect::<Vec<_>>(),
    })
}

fn text(title: &str, survey: &Survey) -> String {
    let mut table = TextTable::new(["rule", "hands", "share"]).right(1).right(2);
    for rule in &survey.rules {
        let share = format!("{:.4}%", 100.0 * rule.hands as f64 / survey.hands as f64);
        table = table.row([rule.name.as_str(), &rule.hands.to_string(), &share]);
    }
    format!(
        "{title}\n\n{}\n{} hands: {} without a rule, {} set foul.\n",
        terminal(&table),
        survey.hands,
        survey.uncovered,
        survey.fouls
    )
}

/// Returns a line for each warning about a rule that is hard to read.
fn style(warnings: &[StyleWarning]) -> String {
    let line = |warning: &StyleWarning| {
        format!("warning: line {}, rule \"{}\": {}\n", warning.line, warning.rule, warning.message)
    };
    warnings.iter().map(line).collect()
}
