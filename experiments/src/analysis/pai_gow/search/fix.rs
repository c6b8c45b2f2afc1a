//! The best changes of single rules of a sheet.

use super::Question;
use super::evaluate::{evaluate, mean};
use super::examine::{limits, unless_stopped};
use super::prepared::spaces;
use crate::report::wrapped_lines;
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
    let way = sheet.way();
    let active = (0..way.rules().len()).filter(|&i| way.is_active(&way.rules()[i])).collect();
    let changed = Sheet { way, text, active };
    let found = search.evaluate(space.sheet());
    let original = found.loss;
    let mut sheets = vec![ChangedSheet { found, removed: 0 }];
    let mut ways: Vec<ChangedWay> = Vec::new();
    for number in 1..=changes {
        notice(&format!("changes of {number} of {} rules", sheet.survey().rules.len()));
        sheets = search.change(&sheets);
        let Some(best) = sheets.first() else { break };
        ways.push(changed.write(question, &search, best, number)?);
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

/// A sheet with its text, and which of its rules a changed list keeps.
struct Sheet<'a> {
    way: &'a Way,
    text: &'a str,
    /// Indices among all rules of the active ones, which the search knows.
    active: Vec<usize>,
}

/// A rule that a changed list adds.
struct Added {
    /// Its place in the list.
    place: usize,
    /// Its sentence.
    sentence: String,
}

impl Sheet<'_> {
    /// Writes a changed sheet.
    fn write(
        &self,
        question: &Question,
        search: &Search<'_>,
        changed: &ChangedSheet,
        changes: usize,
    ) -> anyhow::Result<ChangedWay> {
        let rules = &changed.found.rules;
        let name = format!("{}-{changes}-changed", self.way.name());
        let (toml, added) = self.text_of(&name, search, rules)?;
        let mut way = Way::parse(&toml, &format!("{name}.toml"))?;
        for (reading, option) in self.way.chosen_options() {
            // A reading without rules of its own is left as it is.
            if way.readings().iter().any(|known| known.name == reading) {
                way.choose(&reading, &option)?;
            }
        }
        let kept = |i: usize| rules.iter().any(|rule| search.space().sheet_rule(rule.play) == Some(i));
        let removed: Vec<usize> = (0..self.active.len()).filter(|&i| !kept(i)).collect();
        let mut steps: Vec<Step> = (0..removed.len().max(added.len()))
            .map(|i| self.step(search, changed, removed.get(i).copied(), added.get(i)))
            .collect();
        steps.extend(self.unreached(search, rules).map(|i| Step {
            removed: Some(self.name(i)),
            added: None,
            ev_change: 0.0,
        }));
        let way = HouseWay::compile(way, &question.game)?;
        Ok(ChangedWay { changes, way, toml, steps, loss: changed.found.loss, ev: Ratio::ZERO })
    }

    /// The text with the rules of a list: rules that are left out or never reached are missing, and added ones are at their
    /// places.
    fn text_of(&self, name: &str, search: &Search<'_>, rules: &[FoundRule]) -> anyhow::Result<(String, Vec<Added>)> {
        let (header, blocks) = blocks(self.text, self.way)?;
        let mut toml = header.replacen(&format!("name = \"{}\"", self.way.name()), &format!("name = \"{name}\""), 1);
        let sheet_rule = |place: usize| search.space().sheet_rule(rules[place].play);
        let kept: Vec<usize> = (0..rules.len())
            .filter(|&place| search.is_reached(rules, place))
            .filter_map(|place| Some(self.active[sheet_rule(place)?]))
            .collect();
        let (mut next, mut added) = (0, Vec::new());
        let mut put_until = |toml: &mut String, end: usize| {
            for (i, block) in blocks.iter().enumerate().take(end).skip(next) {
                if kept.contains(&i) || !self.active.contains(&i) {
                    *toml += block;
                }
            }
            next = next.max(end);
        };
        for place in 0..rules.len() {
            match sheet_rule(place) {
                Some(i) => put_until(&mut toml, self.active[i] + 1),
                None => {
                    let block = search.toml(rules, place).replacen("name = \"", "name = \"added ", 1);
                    added.push(Added { place, sentence: sentence_of(&block)? });
                    toml += &format!("{block}\n");
                }
            }
        }
        put_until(&mut toml, blocks.len());
        Ok((toml, added))
    }

    /// A change, with what undoing it alone would lose.
    fn step(&self, search: &Search<'_>, changed: &ChangedSheet, removed: Option<usize>, added: Option<&Added>) -> Step {
        let space = search.space();
        let mut undone = changed.found.rules.clone();
        if let Some(added) = added {
            undone.remove(added.place);
        }
        if let Some(i) = removed {
            let is_later = |rule: &FoundRule| space.sheet_rule(rule.play).is_some_and(|other| other > i);
            let place = undone.iter().position(is_later).unwrap_or(undone.len());
            undone.insert(place, space.sheet()[i].clone());
        }
        let ev_change = loss(search.evaluate(undone).loss - changed.found.loss);
        Step { removed: removed.map(|i| self.name(i)), added: added.map(|added| added.sentence.clone()), ev_change }
    }

    /// Rules of the sheet that no hand reaches any more.
    fn unreached(&self, search: &Search<'_>, rules: &[FoundRule]) -> impl Iterator<Item = usize> {
        let unreached = |place: usize| {
            let i = search.space().sheet_rule(rules[place].play)?;
            (!search.is_reached(rules, place)).then_some(i)
        };
        (0..rules.len()).filter_map(unreached).collect::<Vec<usize>>().into_iter()
    }

    /// Name of an active rule.
    fn name(&self, i: usize) -> String {
        self.way.rules()[self.active[i]].name().to_owned()
    }
}

/// The sentence of a rule in the language of house ways.
fn sentence_of(rule: &str) -> anyhow::Result<String> {
    let way = Way::parse(&format!("name = \"a\"\ntitle = \"\"\nsource = \"\"\n{rule}"), "added")?;
    Ok(way.rules()[0].text().to_owned())
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
        let line = |sign: &str, text: &Option<String>| {
            text.as_ref().map_or(String::new(), |text| format!("  {sign} {text}\n"))
        };
        let step = |step: &Step| line("-", &step.removed) + &line("+", &step.added);
        let way = |way: &ChangedWay| {
            let rules = if way.changes == 1 { "1 rule".to_owned() } else { format!("{} rules", way.changes) };
            let gained = percent((way.ev - self.ev).value(), 4);
            let steps: String = way.steps.iter().map(step).collect();
            format!("{rules} changed: {gained} of the stake gained\n{steps}")
        };
        let ways: Vec<String> = self.ways.iter().map(way).collect();
        let ev = percent(self.ev.value(), 4);
        wrapped_lines(&format!("{}: EV {ev} of the stake\n\n{}", self.question, ways.join("\n")))
    }
}
