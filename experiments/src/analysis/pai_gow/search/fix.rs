//! The best changes of single rules of a sheet.

use super::Question;
use super::evaluate::{evaluate, mean};
use super::examine::{limits, unless_stopped};
use super::prepared::spaces;
use crate::report::wrapped;
use crate::run::notice;
use anyhow::bail;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_exact::Ratio;
use houseway_exact::format::percent;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::search::{ChangedSheet, FoundRule, Search, Space, loss};
use houseway_exact::pai_gow::whole::Cancelled;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Greatest difference between a predicted and an exact gain.
const ROUNDING: f64 = 4e-9;

/// A sheet with changed rules.
pub struct ChangedWay {
    /// Number of changes.
    changes: usize,
    /// Text of the changed house way.
    pub toml: String,
    way: HouseWay,
    /// The changes.
    steps: Vec<Step>,
    /// Loss that the search predicts, in units of loss.
    loss: i64,
    ev: Ratio,
}

/// A change of one rule.
struct Step {
    /// Name of the rule of the sheet that is left out; `None` if a rule is added.
    removed: Option<String>,
    /// Sentence of the rule in its place; `None` if a rule is only left out.
    added: Option<String>,
    /// Part of the gain that is lost if this change alone is undone.
    ev_change: f64,
}

/// The best changes of a sheet.
pub struct Changes {
    sheet: String,
    question: String,
    rules_hash: String,
    ev: Ratio,
    /// By number of changes.
    pub ways: Vec<ChangedWay>,
}

/// Finds the best changes of up to `changes` rules of a sheet with this text. Returns `None` if it was stopped.
///
/// # Errors
/// If the text does not write its rules as `[[rule]]` tables, or if a predicted gain is not the exact one.
pub fn fix(
    question: &Question,
    sheet: &HouseWay,
    text: &str,
    changes: usize,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Changes>> {
    unless_stopped(find_and_verify(question, sheet, text, changes, stop))
}

fn find_and_verify(
    question: &Question,
    sheet: &HouseWay,
    text: &str,
    changes: usize,
    stop: &AtomicBool,
) -> anyhow::Result<Changes> {
    let spaces = spaces(question, Some(sheet.way()), stop)?;
    let space = Space::mean(&spaces, &vec![1; spaces.len()]);
    let search = Search::new(&space, limits(question));
    let found = search.evaluate(space.sheet());
    let original = found.loss;
    let mut sheets = vec![ChangedSheet { found, removed: 0 }];
    let mut ways: Vec<ChangedWay> = Vec::new();
    for number in 1..=changes {
        notice(&format!("changes of {number} of {} rules", sheet.survey().rules.len()));
        sheets = search.change(&sheets);
        let Some(best) = sheets.first() else { break };
        ways.push(write(question, &search, sheet.way(), text, best, number)?);
        if stop.load(Ordering::Relaxed) {
            return Err(Cancelled.into());
        }
    }
    let tables: Vec<BankerTable> =
        std::iter::once(sheet).chain(ways.iter().map(|way| &way.way)).map(BankerTable::new).collect();
    let evs = evaluate(question, &tables.iter().collect::<Vec<_>>(), stop)?;
    let ev = mean(&evs.of[0]);
    for (way, evs) in ways.iter_mut().zip(&evs.of[1..]) {
        way.ev = mean(evs);
        let (exact, predicted) = ((way.ev - ev).value(), loss(original - way.loss));
        if (exact - predicted).abs() > ROUNDING {
            bail!("the search predicts a gain of {predicted}, but it is {exact}; this is an error of the program");
        }
    }
    let question_of = format!("{}, as the {}, against {}", sheet.name(), question.seat.name(), question.against());
    let rules_hash = question.game.rules().hash();
    Ok(Changes { sheet: sheet.name().to_owned(), question: question_of, rules_hash, ev, ways })
}

/// Writes a changed sheet: the text of the sheet with rules left out, and the added ones at their places.
fn write(
    question: &Question,
    search: &Search<'_>,
    sheet: &Way,
    text: &str,
    changed: &ChangedSheet,
    changes: usize,
) -> anyhow::Result<ChangedWay> {
    let name = format!("{}-{changes}-changed", sheet.name());
    let (header, blocks) = blocks(text, sheet)?;
    // Indices among all rules of the active ones, which the search knows.
    let active: Vec<usize> = (0..sheet.rules().len()).filter(|&i| sheet.is_active(&sheet.rules()[i])).collect();
    let space = search.space();
    let sheet_rules = space.sheet();
    let kept: Vec<usize> =
        changed.found.rules.iter().filter_map(|rule| space.sheet_rule(rule.play)).map(|i| active[i]).collect();
    let mut toml = header.replacen(&format!("name = \"{}\"", sheet.name()), &format!("name = \"{name}\""), 1);
    let (mut next, mut added) = (0, Vec::new());
    let texts = |toml: &str| -> anyhow::Result<Vec<String>> {
        let way = Way::parse(&format!("name = \"a\"\ntitle = \"\"\nsource = \"\"\n{toml}"), "added")?;
        Ok(way.rules().iter().map(|rule| rule.text().to_owned()).collect())
    };
    let mut put_until = |toml: &mut String, end: usize| {
        for (i, block) in blocks.iter().enumerate().take(end).skip(next) {
            if kept.contains(&i) || !active.contains(&i) {
                *toml += block;
            }
        }
        next = next.max(end);
    };
    for (place, rule) in changed.found.rules.iter().enumerate() {
        match space.sheet_rule(rule.play) {
            Some(i) => put_until(&mut toml, active[i] + 1),
            None => {
                let block = search.toml(&changed.found.rules, place).replacen("name = \"", "name = \"added ", 1);
                added.extend(texts(&block)?.into_iter().map(|text| (place, text)));
                toml += &format!("{block}\n");
            }
        }
    }
    put_until(&mut toml, blocks.len());
    let mut way = Way::parse(&toml, &format!("{name}.toml"))?;
    for (reading, option) in sheet.chosen_options() {
        // A reading without rules of its own is left as it is.
        if way.readings().iter().any(|known| known.name == reading) {
            way.choose(&reading, &option)?;
        }
    }
    let removed: Vec<usize> = (0..active.len()).filter(|&i| !kept.contains(&active[i])).collect();
    let step = |number: usize| {
        let (out, new) = (removed.get(number).copied(), added.get(number));
        let mut undone = changed.found.rules.clone();
        if let Some((place, _)) = new {
            undone.remove(*place);
        }
        if let Some(i) = out {
            let is_later = |rule: &FoundRule| space.sheet_rule(rule.play).is_some_and(|other| other > i);
            let place = undone.iter().position(is_later).unwrap_or(undone.len());
            undone.insert(place, sheet_rules[i].clone());
        }
        let more = search.evaluate(undone).loss - changed.found.loss;
        Step {
            removed: out.map(|i| sheet.rules()[active[i]].name().to_owned()),
            added: new.map(|(_, text)| text.clone()),
            ev_change: loss(more),
        }
    };
    let steps = (0..removed.len().max(added.len())).map(step).collect();
    Ok(ChangedWay {
        changes,
        way: HouseWay::compile(way, &question.game)?,
        toml,
        steps,
        loss: changed.found.loss,
        ev: Ratio::ZERO,
    })
}

/// Splits the text of a house way into its head and its rules.
fn blocks(text: &str, sheet: &Way) -> anyhow::Result<(String, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = sheet.rules().iter().map(|rule| rule.line() - 1).collect();
    if starts.iter().any(|&start| lines.get(start).is_none_or(|line| line.trim() != "[[rule]]")) {
        bail!("the rules of {} are not written as [[rule]] tables; write them so", sheet.name());
    }
    let join = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let blocks = starts.iter().zip(ends).map(|(&start, end)| join(&lines[start..end])).collect();
    Ok((join(&lines[..starts.first().copied().unwrap_or(lines.len())]), blocks))
}

impl Changes {
    /// Returns the changes in the format of `houseway search --fix --json`; `file` has the sheet with all changes.
    pub fn json(&self, file: Option<&Path>) -> Value {
        let step = |step: &Step| {
            let kind = match (&step.removed, &step.added) {
                (None, _) => "add",
                (_, None) => "drop",
                _ => "replace",
            };
            json!({ "rule": step.removed, "kind": kind, "text": step.added, "ev_change": step.ev_change })
        };
        let way = |way: &ChangedWay| {
            json!({
                "number": way.changes,
                "changes": way.steps.iter().map(step).collect::<Vec<_>>(),
                "ev": way.ev.value(),
                "ev_exact": way.ev.to_json(),
                "ev_change": (way.ev - self.ev).value(),
                "ev_change_exact": (way.ev - self.ev).to_json(),
                "hash": way.way.hash(),
                "toml": way.toml,
            })
        };
        let last = self.ways.last();
        json!({
            "way": self.sheet,
            "rules_hash": self.rules_hash,
            "ev_before": self.ev.value(),
            "ev_before_exact": self.ev.to_json(),
            "changes": last.map(|way| way.steps.iter().map(step).collect::<Vec<_>>()),
            "ev": last.map(|way| way.ev.value()),
            "file": file.map(|path| path.display().to_string()),
            "by_number": self.ways.iter().map(way).collect::<Vec<_>>(),
        })
    }

    /// Formats the changes for the terminal.
    pub fn text(&self) -> String {
        let step = |step: &Step| {
            let line = |sign: &str, text: &Option<String>| {
                text.as_ref().map_or(String::new(), |text| wrapped(&format!("  {sign} {text}")) + "\n")
            };
            format!("{}{}", line("-", &step.removed), line("+", &step.added))
        };
        let way = |way: &ChangedWay| {
            format!(
                "{} changed: {} of the stake gained\n{}",
                if way.changes == 1 { "1 rule".to_owned() } else { format!("{} rules", way.changes) },
                percent((way.ev - self.ev).value(), 4),
                way.steps.iter().map(step).collect::<String>(),
            )
        };
        let ways: Vec<String> = self.ways.iter().map(way).collect();
        format!("{}: EV {} of the stake\n\n{}", self.question, percent(self.ev.value(), 4), ways.join("\n"))
    }
}
