//! `houseway check`: whether a house way is complete and legal over all hands.

use super::runner::{AskedWays, settings};
use crate::console::{CommandResult, CommonOptions, Failure};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{Gap, HouseWay, Shape, Survey, Way};
use houseway_env::rules::RuleSet;
use houseway_exact::answer::Answer;
use houseway_exact::checked::CheckedWay;
use houseway_exact::format::grouped;
use houseway_exact::solver::WayQuestion;
use serde_json::json;
use std::collections::BTreeMap;

/// Check that a house way sets all hands legally, and count the hands of each rule
#[derive(Args)]
pub struct CheckArgs {
    /// The name or file of a house way
    way: String,
    #[command(flatten)]
    common: CommonOptions,
}

impl CheckArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        if let Some(asked) = AskedWays::of(&self.common.game, BTreeMap::new())? {
            return self.common.output.show(&asked.ask(&WayQuestion::Check { way: &self.way })?.answer);
        }
        let game = self.common.game.pai_gow()?;
        let [way] = self.common.game.ways([&self.way])?;
        let survey = way.survey(&game).map_err(Failure::usage)?;
        let gaps = way.gaps(&game).map_err(Failure::usage)?;
        self.common.output.show(&answer(&way, &game, &survey, &gaps))?;
        if survey.fouls > 0 {
            return Err(Failure::work(format!("{} hands are set foul", survey.fouls)));
        }
        // If there are hands without a rule, the error from compiling the way names one of them.
        HouseWay::compile(way.clone(), &game).map_err(Failure::usage)?;
        match gaps.first() {
            Some(gap) => {
                let options = settings_of(gap, &way, &game);
                Err(Failure::work(format!("{} hands have no rule with {options}", gap.hands)))
            }
            None => Ok(()),
        }
    }
}

fn settings_of(gap: &Gap, way: &Way, game: &Game) -> String {
    let mut other = way.clone();
    for (reading, option) in &gap.options {
        other.choose(reading, option).expect("gaps have known options");
    }
    settings(&game.rules(), &[&other]).trim().to_owned()
}

pub(super) fn answer(way: &Way, game: &Game, survey: &Survey, gaps: &[Gap]) -> Answer {
    let gap =
        |it: &Gap| json!({ "options": it.options, "hands": it.hands.to_string(), "example": it.example.to_string() });
    let mut lines = String::new();
    for &hand in &survey.uncovered_examples {
        lines += &format!("without a rule: {}, such as {hand}\n", Shape::from_hand(hand).name());
    }
    if gaps.is_empty() && !way.readings().is_empty() {
        lines += "Every hand has a rule with every combination of options.\n";
    }
    for gap in gaps.iter().filter(|gap| !gap.options.is_empty()) {
        let options = settings_of(gap, way, game);
        lines += &format!("{options}: {} hands without a rule, for example {}\n", grouped(gap.hands), gap.example);
    }
    let checked = CheckedWay {
        name: way.name().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        rules_hash: game.rules().hash(),
        rules_in_force: game.rules().described(),
        hands: survey.hands,
        uncovered: survey.uncovered,
        fouls: survey.fouls,
        rules: survey.rules.iter().map(|rule| (rule.name.clone(), rule.hands)).collect(),
        gaps: (gaps.iter().map(gap).collect(), lines),
        warnings: way.style_warnings(),
    };
    checked.answer()
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::BUILT_IN;
    use serde_json::Value;

    #[test]
    fn the_committed_counts_are_remade() {
        let game = Game::new(Rules::default());
        for (name, _) in BUILT_IN {
            let way = Way::named(name).unwrap();
            let (survey, gaps) = (way.survey(&game).unwrap(), way.gaps(&game).unwrap());
            assert_eq!((survey.hands, survey.uncovered, survey.fouls), (154_143_080, 0, 0), "{name}");
            let path = format!("{}/tests/lab/coverage/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let committed: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            assert_eq!(answer(&way, &game, &survey, &gaps).json, committed, "{name}");
        }
    }
}
