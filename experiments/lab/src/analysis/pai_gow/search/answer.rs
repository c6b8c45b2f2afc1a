//! The results of a search as JSON and as an answer for readers who don't program.

use super::{Question, Robustness};
use crate::plot::Figure;
use crate::report::{TextTable, wrapped_lines};
use houseway_env::pai_gow::Strategy;
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Axis, LineChart, Marker, Section, Series};
use houseway_exact::format::{grouped, percent, unsigned_zero};
use houseway_exact::pai_gow::search::{Change, ChangeKind, ChangedWay, Changes, FoundList, Limit, PricedRule, loss};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::path::Path;

/// The list lengths for which the report prints the rules.
const SHEETS: [usize; 5] = [4, 6, 8, 12, 20];

pub(super) struct Findings<'a> {
    pub(super) question: &'a Question,
    /// The best response's EV.
    pub(super) best: Ratio,
    /// The loss that remains if every hand is set in the best way that the vocabulary allows. No list can lose less.
    pub(super) floor: f64,
    pub(super) lists: Vec<FoundList>,
    pub(super) known: Vec<Known>,
    pub(super) robust: Option<Robustness>,
}

pub(super) struct Known {
    pub(super) name: String,
    pub(super) rules: Option<usize>,
    pub(super) bounds: Option<usize>,
    pub(super) ev: Ratio,
    pub(super) regret: Ratio,
}

impl Findings<'_> {
    /// Returns `true` if there are several opponents, so that everything except the regrets is averaged over them.
    fn is_mean(&self) -> bool {
        self.question.problem.opponents.len() > 1
    }

    pub(super) fn answer(&self, folder: &Path) -> Answer {
        let note = "Exact. Squares: published house ways and strategies.";
        let by_rules = self.chart("rules", FoundList::rules, |known| known.rules);
        let by_bounds = self.chart("bounds in all rules", FoundList::bounds, |known| known.bounds);
        let explanation = Section::default().detail().text(
            "A *house way* is a list of rules for splitting seven cards into a hand of five and a hand of two. How good can a \
             short one be? This report lists the best lists of rules that a search found for each length. What a list *loses* \
             is the EV of the best setting of every hand less its own EV, in percent of the stake. Every loss is exact: the \
             list was written as a file, and all deals were evaluated.",
        );
        let summary = Section::default()
            .text(format!("**{}**", self.verdict()))
            .figure(
                Figure::new("EV lost by the number of rules", by_rules)
                    .note(note)
                    .named("front-by-rules", "EV lost by the number of rules"),
            )
            .figure(
                Figure::new("EV lost by the number of bounds", by_bounds)
                    .note(note)
                    .named("front-by-bounds", "EV lost by the number of bounds"),
            )
            .table(self.front_table())
            .text("Each list is a file in the folder `ways` beside the report.");
        let columns = Section::default().detail().text(format!(
            "A *bound* is an end of a range of ranks that excludes something, or a minimum front: the limits that a dealer must \
             remember. No list of the vocabulary with that number of rules loses less than the column *at least* says, whatever \
             the conditions of its rules are; between the two columns better lists may exist. *The next rule* is the best \
             single rule that could be added without changing the others{}.",
            if self.is_mean() { "; its gain is the mean over the opponents" } else { "" }
        ));
        let known = Section::new("Other strategies").detail().table(self.known_table());
        let shown = |list: &&FoundList| SHEETS.contains(&list.rules()) || self.lists.len() == 1;
        let sheets = self.lists.iter().filter(shown).map(|list| self.sheet(list));
        let method = Section::new("Method").detail().text(format!(
            "One pass over all deals gives the EV of every setting of every hand, summed over the hands that differ only in \
             suits that make no flush. A rule is a way to set (a *play*) and, for some kinds of hands, ranges of ranks. For a \
             play at a place of a list, the best ranges are found exactly. Lists grow by one rule at a time, and after each step \
             every rule is replaced if a better one exists; the best lists are kept, and longer lists are shortened again. The \
             best play of the vocabulary for each single hand would lose {}. The lists are not proven to be the best possible: \
             the gap is the difference to the column *at least*.",
            percent(self.floor, 5),
        ));
        let sections = [explanation, summary, columns, known].into_iter().chain(sheets).chain(self.robustness());
        Answer::new(self.json(folder), sections.chain([method]))
            .titled(format!("The best short house ways, as the {}", self.question.problem.side.name()))
    }

    fn verdict(&self) -> String {
        let best = percent(self.best.value(), 4);
        let (Some(first), Some(last)) = (self.lists.first(), self.lists.last()) else { return String::new() };
        let best = if self.is_mean() {
            format!("the best responses have a mean EV of {best}")
        } else {
            format!("the best response has an EV of {best}")
        };
        let longest = match self.lists.len() {
            1 => String::new(),
            _ => format!(", one of {} rules {}", last.rules(), percent(last.regret.value(), 4)),
        };
        let rules = if first.rules() == 1 { "rule" } else { "rules" };
        format!(
            "As the {} against {}: {best} of the stake. The best list found of {} {rules} loses {} of the stake{longest}. All losses \
             are exact, under the rules {}.",
            self.question.problem.side.name(),
            self.question.problem.against(),
            first.rules(),
            percent(first.regret.value(), 4),
            self.question.problem.game.rules().described(),
        )
    }

    fn front_table(&self) -> TextTable {
        let header = ["rules", "bounds", "words a rule", "EV lost", "at least", "the next rule gains"];
        let row = |list: &FoundList| {
            [
                list.rules().to_string(),
                list.bounds().to_string(),
                format!("{:.0}", list.words() as f64 / list.rules() as f64),
                percent(list.regret.value(), 4),
                percent(list.bound, 4),
                list.next.as_ref().map_or(String::new(), |(_, gain)| percent(*gain, 4)),
            ]
        };
        TextTable::new(header).right_from(0).rows(self.lists.iter().map(row))
    }

    fn known_table(&self) -> TextTable {
        let ev = if self.is_mean() { "mean EV" } else { "EV" };
        let mut known: Vec<&Known> = self.known.iter().collect();
        known.sort_by_key(|known| Reverse(known.ev));
        let number = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
        let row = |known: &Known| {
            let [ev, regret] = [known.ev, known.regret].map(|ev| percent(ev.value(), 4));
            [known.name.clone(), number(known.rules), number(known.bounds), ev, regret]
        };
        let header = ["strategy", "rules", "bounds", ev, "EV lost"];
        TextTable::new(header).right_from(1).rows(known.into_iter().map(row))
    }

    fn chart(
        &self,
        x: &str,
        length: impl Fn(&FoundList) -> usize,
        of_known: impl Fn(&Known) -> Option<usize>,
    ) -> LineChart {
        let mut found: Vec<(f64, f64)> =
            self.lists.iter().map(|list| (length(list) as f64, list.regret.value())).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut chart = LineChart::new(Axis::new(x).from_zero(), Axis::new("EV lost, % of the stake").log().percent());
        chart.series = vec![Series::new("best lists found", found)];
        for known in &self.known {
            let (name, y) = (known.name.clone(), known.regret.value());
            match of_known(known) {
                Some(x) => chart.markers.push(Marker { name, x: x as f64, y }),
                None => chart = chart.reference(name, y),
            }
        }
        chart
    }

    fn robustness(&self) -> Option<Section> {
        let robust = self.robust.as_ref()?;
        let shown: Vec<usize> = (0..self.lists.len()).filter(|&i| SHEETS.contains(&self.lists[i].rules())).collect();
        let best = robust.best(self.lists.len());
        let mut columns = shown.clone();
        columns.extend(best.filter(|best| !shown.contains(best)));
        let header = columns.iter().map(|&i| format!("{} rules", self.lists[i].rules()));
        let mut table = TextTable::new(["situation".to_owned()].into_iter().chain(header)).right_from(1);
        let cell = |value: Option<f64>| value.map_or("not all hands".to_owned(), |value| percent(value, 4));
        for (name, regrets) in &robust.situations {
            table = table.row([name.clone()].into_iter().chain(columns.iter().map(|&i| cell(regrets[i]))));
        }
        let (mut means, mut worst) = (vec!["**mean**".to_owned()], vec!["**worst**".to_owned()]);
        for &i in &columns {
            let values = robust.mean_and_worst(i);
            means.push(cell(values.map(|(mean, _)| mean)));
            worst.push(cell(values.map(|(_, worst)| worst)));
        }
        let verdict = best.map_or(String::new(), |best| {
            let (mean, worst) = robust.mean_and_worst(best).unwrap_or_default();
            format!(
                "Of all lists found, the one of {} rules has the smallest greatest loss: {} at worst, {} on average.",
                self.lists[best].rules(),
                percent(worst, 4),
                percent(mean, 4)
            )
        });
        let problem = &self.question.problem;
        let section = Section::new("Elsewhere").detail().text(format!(
            "The lists are made for the {} against {}, under one set of rules. The table shows what they lose against casinos' \
             ways, and against {} for the other side and under other rules, each compared with the best response there. With \
             `joker=wild`, the joker makes hands that no rule of the lists considers.",
            problem.side.name(),
            problem.against(),
            problem.opponents[0].name(),
        ));
        Some(section.table(table.row(means).row(worst)).text(verdict))
    }

    fn sheet(&self, list: &FoundList) -> Section {
        let header = ["", "rule", "hands", "without it", "limits, one rank lower / higher"];
        let mut table = TextTable::new(header).right(0).right(2).right(3).detail(4);
        let change = |units: Option<i64>| {
            units.map_or("-".to_owned(), |units| unsigned_zero(format!("{:+.4}%", -100.0 * loss(units))))
        };
        for (i, rule) in list.way.survey().rules.iter().enumerate() {
            let limits = list.priced[i].limits.iter();
            let limits: Vec<String> = limits
                .map(|limit| format!("{}: {} / {}", limit.name, change(limit.lower), change(limit.higher)))
                .collect();
            table = table.row([
                (i + 1).to_string(),
                rule.text.clone(),
                grouped(rule.hands),
                list.without(i).map_or(String::new(), |loss| percent(loss, 4)),
                limits.join("; "),
            ]);
        }
        let section = Section::new(format!("{} rules", list.rules()))
            .text(format!(
                "The file [ways/{0}.toml](ways/{0}.toml) holds this list. A hand that a rule cannot set goes to the next one. \
                 *Without it* is what leaving the rule out loses; the limits show how the EV changes if each is moved by one \
                 rank{1}.",
                list.way.name(),
                if self.is_mean() { "; both are means over the opponents" } else { "" },
            ))
            .table(table);
        let section = match &list.next {
            Some((text, gain)) => {
                let mean = if self.is_mean() { " in the mean over the opponents" } else { "" };
                section.text(format!("The best further rule gains {}{mean}: {text}", percent(*gain, 4)))
            }
            None => section,
        };
        // The rules are short enough for the terminal if there is a single list.
        if self.lists.len() == 1 { section } else { section.detail() }
    }

    /// Returns the results in the format of `houseway search --json`. The house ways are in `folder`.
    pub(super) fn json(&self, folder: &Path) -> Value {
        let reference = |known: &Known| {
            json!({
                "name": known.name,
                "rules": known.rules,
                "bounds": known.bounds,
                "ev": known.ev.value(),
                "regret": known.regret.value(),
            })
        };
        let names: Vec<&str> = self.lists.iter().map(|list| list.way.name()).collect();
        json!({
            "as": self.question.problem.side.name(),
            "banker": self.question.opponents(),
            "objective": self.is_mean().then_some(self.question.problem.objective),
            "rules": self.question.problem.game.rules(),
            "rules_hash": self.question.problem.game.rules().hash(),
            "best_ev": self.best.value(),
            "best_ev_exact": self.best.to_json(),
            "vocabulary_regret": self.floor,
            "ways": self.lists.iter().map(|list| list_json(list, folder)).collect::<Vec<_>>(),
            "reference": self.known.iter().map(reference).collect::<Vec<_>>(),
            "robust": self.robust.as_ref().map(|robust| robust.json(&names)),
        })
    }
}

fn list_json(list: &FoundList, folder: &Path) -> Value {
    let limit = |limit: &Limit| {
        json!({
            "limit": limit.name,
            "lower": limit.lower.map(|units| loss(-units)),
            "higher": limit.higher.map(|units| loss(-units)),
        })
    };
    let rule = |(i, rule): (usize, &PricedRule)| {
        let survey = &list.way.survey().rules[i];
        json!({
            "name": survey.name,
            "hands": survey.hands.to_string(),
            "words": list.way.way().rules()[i].words(),
            "bounds": list.way.way().rules()[i].bounds(),
            "ev_without": list.without(i).map(|loss| list.ev.value() - loss),
            "limits": rule.limits.iter().map(limit).collect::<Vec<_>>(),
        })
    };
    let sheet: Vec<&str> = list.way.survey().rules.iter().map(|rule| rule.text.as_str()).collect();
    let by_opponent = (list.regrets.len() > 1).then(|| list.regrets.iter().map(|it| it.to_json()).collect::<Vec<_>>());
    json!({
        "name": list.way.name(),
        "hash": list.way.hash(),
        "rules": list.rules(),
        "bounds": list.bounds(),
        "words": list.words(),
        "ev": list.ev.value(),
        "ev_exact": list.ev.to_json(),
        "regret": list.regret.value(),
        "regret_exact": list.regret.to_json(),
        "regret_by_opponent": by_opponent,
        "proven_gap": list.regret.value() - list.bound,
        "file": folder.join(file_of(list)).display().to_string(),
        "sheet": sheet,
        "per_rule": list.priced.iter().enumerate().map(rule).collect::<Vec<_>>(),
        "next": list.next.as_ref().map(|(text, gain)| json!({ "text": text, "ev_change": gain })),
    })
}

/// Returns the path of a list's file, relative to the run's folder.
pub(super) fn file_of(list: &FoundList) -> String {
    format!("ways/{}.toml", list.way.name())
}

/// Returns the best changes to the sheet with this name. The sheet with all changes is in `file`.
pub(super) fn changes_answer(question: &Question, sheet: &str, changes: &Changes, file: Option<&Path>) -> Answer {
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
