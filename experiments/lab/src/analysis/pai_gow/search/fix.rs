//! Finds the best changes to single rules in a sheet.

use super::Question;
use crate::analysis::pai_gow::progress::{WithProgress, unless_stopped};
use crate::report::wrapped_lines;
use crate::run::notice;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_exact::format::percent;
use houseway_exact::pai_gow::search::{Change, ChangeKind, ChangedWay, Changes};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The best changes to a sheet.
pub struct Fixes {
    sheet: String,
    question: String,
    rules_hash: String,
    changes: Changes,
}

/// Finds the best changes to up to `changes` rules of the sheet with this text. Returns `None` if it is stopped.
pub fn fix(
    question: &Question,
    sheet: &HouseWay,
    text: &str,
    changes: usize,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Fixes>> {
    let problem = &question.problem;
    let begin = |number| notice(&format!("changes of {number} of {} rules", sheet.survey().rules.len()));
    let found = problem.fix(sheet, text, changes, &WithProgress(stop), begin).map_err(anyhow::Error::from);
    let fixes = |changes: Changes| Fixes {
        sheet: sheet.name().to_owned(),
        question: format!("{}, as the {}, against {}", sheet.name(), question.seat.name(), problem.against()),
        rules_hash: problem.game.rules().hash(),
        changes,
    };
    Ok(unless_stopped(found)?.map(fixes))
}

impl Fixes {
    /// Returns the best changed sheets by number of changes.
    pub fn ways(&self) -> &[ChangedWay] {
        &self.changes.ways
    }

    /// Returns the changes in the format of `houseway search --fix --json`. The sheet with all changes is in `file`.
    pub fn json(&self, file: Option<&Path>) -> Value {
        let step = |step: &Change| json!({ "rule": step.rule, "kind": step.kind, "text": step.text, "ev_change": step.ev_change });
        let way = |way: &ChangedWay| {
            json!({
                "number": way.changes,
                "changes": way.steps.iter().map(step).collect::<Vec<_>>(),
                "ev": way.ev.value(),
                "ev_exact": way.ev.to_json(),
                "ev_change": (way.ev - self.changes.ev).value(),
                "ev_change_exact": (way.ev - self.changes.ev).to_json(),
                "hash": way.way.hash(),
                "toml": way.toml,
            })
        };
        let last = self.changes.ways.last();
        json!({
            "way": self.sheet,
            "rules_hash": self.rules_hash,
            "ev_before": self.changes.ev.value(),
            "ev_before_exact": self.changes.ev.to_json(),
            "changes": last.map(|way| way.steps.iter().map(step).collect::<Vec<_>>()),
            "ev": last.map(|way| way.ev.value()),
            "file": file.map(|path| path.display().to_string()),
            "by_number": self.changes.ways.iter().map(way).collect::<Vec<_>>(),
        })
    }

    /// Formats the changes for the terminal.
    pub fn text(&self) -> String {
        let line = |sign: &str, text: &Option<String>| {
            text.as_ref().map_or(String::new(), |text| format!("  {sign} {text}\n"))
        };
        let step = |step: &Change| match step.kind {
            ChangeKind::Move => {
                format!("{}    moved {}\n", line("~", &step.rule), step.text.as_deref().unwrap_or_default())
            }
            _ => line("-", &step.rule) + &line("+", &step.text),
        };
        let way = |way: &ChangedWay| {
            let rules = if way.changes == 1 { "1 rule".to_owned() } else { format!("{} rules", way.changes) };
            let gained = percent((way.ev - self.changes.ev).value(), 4);
            let steps: String = way.steps.iter().map(step).collect();
            format!("{rules} changed: {gained} of the stake gained\n{steps}")
        };
        let ways: Vec<String> = self.changes.ways.iter().map(way).collect();
        let ev = percent(self.changes.ev.value(), 4);
        wrapped_lines(&format!("{}: EV {ev} of the stake\n\n{}", self.question, ways.join("\n")))
    }
}
