//! The best changes to single rules in a sheet.

use super::Question;
use crate::report::wrapped_lines;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::percent;
use houseway_exact::pai_gow::search::{Change, ChangeKind, ChangedWay, Changes};
use serde_json::json;
use std::path::Path;

/// Returns the best changes to the sheet with this name. The sheet with all changes is in `file`.
pub(super) fn answer(question: &Question, sheet: &str, changes: &Changes, file: Option<&Path>) -> Answer {
    let problem = &question.problem;
    let step =
        |step: &Change| json!({ "rule": step.rule, "kind": step.kind, "text": step.text, "ev_change": step.ev_change });
    let way = |way: &ChangedWay| {
        json!({
            "number": way.changes,
            "changes": way.steps.iter().map(step).collect::<Vec<_>>(),
            "ev": way.ev.value(),
            "ev_exact": way.ev.to_json(),
            "ev_change": (way.ev - changes.ev).value(),
            "ev_change_exact": (way.ev - changes.ev).to_json(),
            "hash": way.way.hash(),
            "toml": way.toml,
        })
    };
    let last = changes.ways.last();
    let json = json!({
        "way": sheet,
        "rules": problem.game.rules(),
        "rules_hash": problem.game.rules().hash(),
        "ev_before": changes.ev.value(),
        "ev_before_exact": changes.ev.to_json(),
        "changes": last.map(|way| way.steps.iter().map(step).collect::<Vec<_>>()),
        "ev": last.map(|way| way.ev.value()),
        "file": file.map(|path| path.display().to_string()),
        "by_number": changes.ways.iter().map(way).collect::<Vec<_>>(),
    });
    let (seat, against, ev) = (problem.side.name(), problem.against(), percent(changes.ev.value(), 4));
    let section = Section::default().text(format!("{sheet}, as the {seat}, against {against}: EV {ev} of the stake"));
    let section = changes.ways.iter().fold(section, |section, way| {
        let rules = if way.changes == 1 { "1 rule".to_owned() } else { format!("{} rules", way.changes) };
        let gained = percent((way.ev - changes.ev).value(), 4);
        let steps: String = way.steps.iter().map(step_lines).collect();
        section.lines(wrapped_lines(&format!("{rules} changed: {gained} of the stake gained\n{steps}")))
    });
    Answer::new(json, [section])
}

fn step_lines(step: &Change) -> String {
    let line =
        |sign: &str, text: &Option<String>| text.as_ref().map_or(String::new(), |text| format!("  {sign} {text}\n"));
    match step.kind {
        ChangeKind::Move => {
            format!("{}    moved {}\n", line("~", &step.rule), step.text.as_deref().unwrap_or_default())
        }
        _ => line("-", &step.rule) + &line("+", &step.text),
    }
}
