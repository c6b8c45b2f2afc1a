//! The results of a search: lists of rules and changed sheets, written as house ways with exact EVs.

use super::beam::{Found, Search};
use super::finish::{ChangedSheet, PricedRule};
use super::list::FoundRule;
use super::space::Space;
use super::{Evs, OpponentSearch, OpponentState, Problem, loss, mean};
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::outcomes::Side;
use crate::ratio::Ratio;
use crate::solver::{Control, SolverError};
use houseway_env::names::MAX_LINE;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Strategy};
use std::ops::RangeInclusive;

/// The maximum difference between predicted and exact EVs. Some tolerance is needed because each profile's loss is
/// rounded.
const ROUNDING: f64 = 2e-9;

/// A list of rules found by a search.
pub struct FoundList {
    found: Found,
    /// The house way.
    pub way: HouseWay,
    /// The text of the house way.
    pub toml: String,
    /// The mean EV against all opponents.
    pub ev: Ratio,
    /// The EV of the best response minus the list's EV, for each opponent.
    pub regrets: Vec<Ratio>,
    /// The mean or the maximum of the regrets, depending on the problem's objective.
    pub regret: Ratio,
    /// A lower bound on the loss for any list with this length.
    pub bound: f64,
    /// The rules and their prices.
    pub priced: Vec<PricedRule>,
    /// The text and the gain of the best additional rule.
    pub next: Option<(String, f64)>,
}

impl FoundList {
    /// Writes a list as a house way and compiles it. The EV is only a placeholder until [`Problem::verify`] computes
    /// it.
    fn new(problem: &Problem, search: &Search<'_>, rules: &[FoundRule], bound: i64) -> Result<FoundList, SolverError> {
        let found = search.evaluate(rules.to_vec());
        let priced = search.priced(&found);
        let suffix = if problem.side == Side::Player { "" } else { "-banker" };
        let name = format!("found-{}{suffix}", found.rules.len());
        let rules: String = priced.iter().map(|rule| format!("\n{}", rule.toml)).collect();
        let toml = format!(
            "# A complete hand is a straight, a flush, a straight flush or a royal flush. Pairs add up with J = 11, Q = 12, K = 13,\n\
             # A = 14; the joker is an ace. Where a rule leaves a choice, the highest front is set; a hand that a rule cannot set\n\
             # goes to the next one.\n\n\
             name = \"{name}\"\ntitle = \"Best list of {} rules found\"\n\
             source = \"houseway search, as the {}, against {}\"\n{rules}",
            found.rules.len(),
            problem.side.name(),
            problem.against(),
        );
        let way = Way::parse(&toml, &format!("{name}.toml")).map_err(SolverError::failed)?;
        let way = HouseWay::compile(way, &problem.game).map_err(SolverError::failed)?;
        let next = search.next_rule(&found).map(|(next, toml)| (text_of(&toml), loss(found.loss - next.loss)));
        let (ev, regrets, regret) = (Ratio::ZERO, Vec::new(), Ratio::ZERO);
        Ok(FoundList { way, toml, ev, regrets, regret, bound: loss(bound), priced, next, found })
    }

    /// Returns the number of rules.
    pub fn rules(&self) -> usize {
        self.found.rules.len()
    }

    /// Returns the number of bounds.
    pub fn bounds(&self) -> usize {
        self.way.way().bounds()
    }

    /// Returns the number of words in all rules.
    pub fn words(&self) -> usize {
        self.way.way().rules().iter().map(|rule| rule.words()).sum()
    }

    /// Returns the mean loss from removing a rule, or `None` for the last rule.
    pub fn without(&self, rule: usize) -> Option<f64> {
        self.priced[rule].without.map(loss)
    }
}

/// Returns the sentence of a rule given in the house way language.
fn text_of(toml: &str) -> String {
    let text = toml.lines().find_map(|line| line.strip_prefix("text = \"")?.strip_suffix('"'));
    text.unwrap_or_default().to_owned()
}

impl Problem {
    /// Returns the found lists as house ways. A longer list is included only if it loses less. [`Problem::verify`]
    /// fills in the EVs later.
    ///
    /// # Errors
    /// Returns an error if a list can't be compiled to a house way. This is a bug in the search.
    pub fn lists(
        &self,
        search: &OpponentSearch<'_>,
        state: &OpponentState,
        rules: &RangeInclusive<usize>,
    ) -> Result<Vec<FoundList>, SolverError> {
        let bounds = search.bounds(state, *rules.end());
        let mean = search.mean();
        let prices = Search::new(&mean, self.limits());
        let mut lists: Vec<FoundList> = Vec::new();
        let mut least = i64::MAX;
        for found in state.best.iter().flatten() {
            let loss = search.loss(found);
            if rules.contains(&found.len()) && loss < least {
                least = loss;
                lists.push(FoundList::new(self, &prices, found, bounds[found.len() - 1])?);
            }
        }
        Ok(lists)
    }

    /// Evaluates the found lists and then `others` over all deals. Each list is evaluated as the house way parsed from
    /// its own text.
    ///
    /// # Errors
    /// Returns an error if the evaluation is canceled or if a predicted EV differs from the exact EV.
    pub fn verify(
        &self,
        search: &OpponentSearch<'_>,
        lists: &mut [FoundList],
        others: &[&BankerTable],
        control: &Control<'_>,
    ) -> Result<Evs, SolverError> {
        let own: Vec<BankerTable> = lists.iter().map(|list| BankerTable::new(&list.way)).collect();
        let tables: Vec<&BankerTable> = own.iter().chain(others.iter().copied()).collect();
        let evs = self.evaluate(&tables, control)?;
        for (i, list) in lists.iter_mut().enumerate() {
            list.ev = mean(&evs.of[i]);
            list.regrets = evs.regrets(i);
            list.regret = self.regret(&list.regrets);
            for (predicted, exact) in search.losses(&list.found.rules).into_iter().zip(&list.regrets) {
                let (predicted, exact) = (loss(predicted), exact.value());
                if (predicted - exact).abs() > ROUNDING {
                    return Err(SolverError::Failed(format!(
                        "{}: the search predicts a loss of {predicted}, but it is {exact}; this is a bug",
                        list.way.name()
                    )));
                }
            }
        }
        Ok(evs)
    }
}

/// A sheet with some of its rules changed.
pub struct ChangedWay {
    /// The number of changes.
    pub changes: usize,
    /// The text of the changed house way.
    pub toml: String,
    /// The changed house way.
    pub way: HouseWay,
    /// The changes.
    pub steps: Vec<Change>,
    /// The mean EV against all opponents.
    pub ev: Ratio,
    /// The search's prediction for the loss, in units of loss.
    loss: i64,
}

/// A change to one rule.
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The name of the changed rule on the sheet, or `None` if a rule is added.
    pub rule: Option<String>,
    /// An added rule's sentence or a moved rule's new position. `None` if a rule is only removed.
    pub text: Option<String>,
    /// The part of the gain that is lost if only this change is undone.
    pub ev_change: f64,
}

houseway_env::named_enum! {
    /// The kind of a [`Change`].
    pub enum ChangeKind: kebab_case {
        /// A rule is replaced with another one.
        Replace,
        /// A rule is added.
        Add,
        /// A rule is removed.
        Drop,
        /// A rule is moved to another position.
        Move,
    }
}

/// The best changes to a sheet.
pub struct Changes {
    /// The sheet's mean EV against all opponents.
    pub ev: Ratio,
    /// The best changed sheet for each number of changes, starting at one.
    pub ways: Vec<ChangedWay>,
}

impl Problem {
    /// Finds the best changes of up to `changes` rules on a sheet with the given text. `begin` is called with each
    /// number of changes before the search for it starts.
    ///
    /// # Errors
    /// Returns an error if the text doesn't contain its rules as `[[rule]]` tables, if the search is canceled, or if a
    /// predicted gain differs from the exact gain.
    pub fn fix(
        &self,
        sheet: &HouseWay,
        text: &str,
        changes: usize,
        control: &Control<'_>,
        mut begin: impl FnMut(usize),
    ) -> Result<Changes, SolverError> {
        let changed = Sheet::new(sheet.way(), text)?;
        let spaces = self.spaces(Some(sheet.way()), control)?;
        let space = Space::mean(&spaces, &vec![1; spaces.len()]);
        let search = Search::new(&space, self.limits()).with_cancel(control.cancel);
        let found = search.evaluate(space.sheet());
        let original = found.loss;
        let mut sheets = vec![ChangedSheet { found, removed: 0 }];
        let mut ways: Vec<ChangedWay> = Vec::new();
        for number in 1..=changes {
            begin(number);
            sheets = search.change(&sheets);
            control.check()?;
            let Some(best) = sheets.first() else { break };
            ways.push(changed.write(&self.game, &search, best, number)?);
        }
        let tables: Vec<BankerTable> =
            std::iter::once(sheet).chain(ways.iter().map(|way| &way.way)).map(BankerTable::new).collect();
        let evs = self.evaluate(&tables.iter().collect::<Vec<_>>(), control)?;
        let ev = mean(&evs.of[0]);
        for (way, evs) in ways.iter_mut().zip(&evs.of[1..]) {
            way.ev = mean(evs);
            let (exact, predicted) = ((way.ev - ev).value(), loss(original - way.loss));
            // Both EVs are rounded.
            if (exact - predicted).abs() > 2.0 * ROUNDING {
                return Err(SolverError::Failed(format!(
                    "the search predicts a gain of {predicted}, but it is {exact}; this is a bug"
                )));
            }
        }
        Ok(Changes { ev, ways })
    }
}

/// A sheet with its text, from which changed lists are written.
pub(super) struct Sheet<'a> {
    way: &'a Way,
    /// The text before the first rule, and the text of each rule.
    blocks: (String, Vec<String>),
    /// The indices of the active rules. The search only knows about these.
    active: Vec<usize>,
}

/// The beginning of the title and source of a changed sheet.
const CHANGED_OF: &str = "Changed by houseway search from: ";

impl<'a> Sheet<'a> {
    pub(super) fn new(way: &'a Way, text: &str) -> Result<Sheet<'a>, SolverError> {
        let active = (0..way.rules().len()).filter(|&i| way.is_active(&way.rules()[i])).collect();
        Ok(Sheet { way, blocks: blocks(text, way)?, active })
    }

    /// Writes a changed sheet as a house way.
    pub(super) fn write(
        &self,
        game: &Game,
        search: &Search<'_>,
        changed: &ChangedSheet,
        changes: usize,
    ) -> Result<ChangedWay, SolverError> {
        let rules = &changed.found.rules;
        let name = format!("{}-{changes}-changed", self.way.name());
        let order = Order::new(search, rules);
        let toml = self.text_of(&name, search, rules, &order);
        let mut way = Way::parse(&toml, &format!("{name}.toml")).map_err(SolverError::invalid)?;
        for (reading, option) in self.way.chosen_options() {
            // Skip readings that have no rules of their own.
            if way.readings().iter().any(|known| known.name == reading) {
                way.choose(&reading, &option).map_err(SolverError::invalid)?;
            }
        }
        let kept = |i: usize| rules.iter().any(|rule| search.space().sheet_rule(rule.play) == Some(i));
        let mut left: Vec<usize> = (0..self.active.len()).filter(|&i| !kept(i)).collect();
        let mut steps: Vec<Change> = Vec::new();
        for added in (0..rules.len()).filter(|&place| search.space().sheet_rule(rules[place].play).is_none()) {
            // Pair the added rule with the removed rule that costs least when both are undone. Undoing any other pair
            // may leave hands without a rule.
            let undone = |&i: &usize| order.undone(search, changed, Some(added), Some(left[i]));
            let replaced = (0..left.len()).min_by(|a, b| undone(a).total_cmp(&undone(b)));
            let replaced = replaced.map(|i| left.remove(i));
            steps.push(self.step(search, changed, &order, replaced, Some(added)));
        }
        steps.extend(left.into_iter().map(|i| self.step(search, changed, &order, Some(i), None)));
        steps.extend(order.moved.iter().map(|&place| self.moved(search, changed, &order, place)));
        steps.extend(order.unreached.iter().map(|&i| Change {
            kind: ChangeKind::Drop,
            rule: Some(self.name(i)),
            text: None,
            ev_change: 0.0,
        }));
        let way = HouseWay::compile(way, game).map_err(SolverError::failed)?;
        Ok(ChangedWay { changes, way, toml, steps, loss: changed.found.loss, ev: Ratio::ZERO })
    }

    /// Returns the text of a list of rules. Removed rules and rules that no hand reaches are omitted, and added and moved
    /// rules appear at their positions.
    fn text_of(&self, name: &str, search: &Search<'_>, rules: &[FoundRule], order: &Order) -> String {
        let (header, blocks) = &self.blocks;
        let header = header.replacen(&format!("name = \"{}\"", self.way.name()), &format!("name = \"{name}\""), 1);
        // The changed sheet isn't the published one.
        let changed_of = |key: &str, text: &str| {
            let is_short = text.chars().count() + CHANGED_OF.len() <= MAX_LINE;
            let text = format!("{CHANGED_OF}{}", if is_short { text } else { self.way.name() });
            // A string of JSON is one of TOML.
            format!("{key} = {}\n", serde_json::Value::from(text))
        };
        let relabeled = header.split_inclusive('\n').map(|line| match line {
            line if line.starts_with("title = ") => changed_of("title", self.way.title()),
            line if line.starts_with("source = ") => changed_of("source", self.way.source()),
            line => line.to_owned(),
        });
        let mut toml: String = relabeled.collect();
        let in_place: Vec<usize> = order.in_place.iter().map(|&i| self.active[i]).collect();
        let mut next = 0;
        let mut put_until = |toml: &mut String, end: usize| {
            for (i, block) in blocks.iter().enumerate().take(end).skip(next) {
                if in_place.contains(&i) || !self.active.contains(&i) {
                    *toml += block;
                }
            }
            next = next.max(end);
        };
        for place in 0..rules.len() {
            match search.space().sheet_rule(rules[place].play) {
                Some(i) if order.moved.contains(&place) => toml += &blocks[self.active[i]],
                Some(i) if order.in_place.contains(&i) => put_until(&mut toml, self.active[i] + 1),
                Some(_) => {}
                None => {
                    let block = search.toml(rules, place).replacen("name = \"", "name = \"added ", 1);
                    toml += &format!("{block}\n");
                }
            }
        }
        put_until(&mut toml, blocks.len());
        toml
    }

    /// Returns a change that removes a rule, adds one, or does both, with the loss from undoing only this change.
    fn step(
        &self,
        search: &Search<'_>,
        changed: &ChangedSheet,
        order: &Order,
        removed: Option<usize>,
        added: Option<usize>,
    ) -> Change {
        Change {
            kind: match (removed, added) {
                (None, _) => ChangeKind::Add,
                (_, None) => ChangeKind::Drop,
                _ => ChangeKind::Replace,
            },
            rule: removed.map(|i| self.name(i)),
            text: added.map(|place| text_of(&search.toml(&changed.found.rules, place))),
            ev_change: order.undone(search, changed, added, removed),
        }
    }

    /// Returns the change that moved a rule to `place`, with the loss from moving it back.
    fn moved(&self, search: &Search<'_>, changed: &ChangedSheet, order: &Order, place: usize) -> Change {
        let rules = &changed.found.rules;
        let of_sheet = |rule: &FoundRule| search.space().sheet_rule(rule.play).filter(|i| !order.unreached.contains(i));
        let own = of_sheet(&rules[place]);
        let next = rules[place + 1..].iter().find_map(of_sheet);
        Change {
            kind: ChangeKind::Move,
            rule: own.map(|i| self.name(i)),
            text: Some(next.map_or("to the end".to_owned(), |next| format!("before '{}'", self.name(next)))),
            ev_change: order.undone(search, changed, Some(place), own),
        }
    }

    /// Returns the name of an active rule.
    fn name(&self, i: usize) -> String {
        self.way.rules()[self.active[i]].name.clone()
    }
}

/// The positions of a sheet's rules in a changed list.
struct Order {
    /// The positions of the rules that were moved.
    moved: Vec<usize>,
    /// The sheet's rules that were not moved.
    in_place: Vec<usize>,
    /// The sheet's rules that no hand reaches.
    unreached: Vec<usize>,
}

impl Order {
    /// Finds the smallest set of moved rules. All other rules form a longest increasing subsequence.
    fn new(search: &Search<'_>, rules: &[FoundRule]) -> Order {
        let of_sheet = |place: usize| Some((place, search.space().sheet_rule(rules[place].play)?));
        let (kept, unreached): (Vec<(usize, usize)>, Vec<_>) =
            (0..rules.len()).filter_map(of_sheet).partition(|&(place, _)| search.is_reached(rules, place));
        let mut longest: Vec<Vec<usize>> = Vec::new();
        for &(_, i) in &kept {
            let before = longest.iter().filter(|sequence| sequence.last().is_some_and(|&last| last < i));
            let mut sequence = before.max_by_key(|sequence| sequence.len()).cloned().unwrap_or_default();
            sequence.push(i);
            longest.push(sequence);
        }
        let in_place = longest.into_iter().max_by_key(Vec::len).unwrap_or_default();
        let moved = kept.iter().filter(|it| !in_place.contains(&it.1)).map(|it| it.0).collect();
        Order { moved, in_place, unreached: unreached.into_iter().map(|it| it.1).collect() }
    }

    /// Returns the loss from removing the rule at position `without` and putting the sheet's rule `with` back in its
    /// original position.
    fn undone(&self, search: &Search<'_>, changed: &ChangedSheet, without: Option<usize>, with: Option<usize>) -> f64 {
        let space = search.space();
        let mut rules = changed.found.rules.clone();
        if let Some(place) = without {
            rules.remove(place);
        }
        if let Some(i) = with {
            let is_later = |rule: &FoundRule| {
                space.sheet_rule(rule.play).is_some_and(|other| other > i && self.in_place.contains(&other))
            };
            let place = rules.iter().position(is_later).unwrap_or(rules.len());
            rules.insert(place, space.sheet()[i].clone());
        }
        loss(search.evaluate(rules).loss - changed.found.loss)
    }
}

/// Splits the text of a house way into its header and its rules.
fn blocks(text: &str, sheet: &Way) -> Result<(String, Vec<String>), SolverError> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = sheet.rules().iter().map(|rule| rule.line - 1).collect();
    if starts.iter().any(|&start| lines.get(start).is_none_or(|line| line.trim() != "[[rule]]")) {
        let message = format!("the rules of {} must be written as [[rule]] tables", sheet.name());
        return Err(SolverError::Invalid(message));
    }
    let join = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let blocks = starts.iter().zip(ends).map(|(&start, end)| join(&lines[start..end])).collect();
    Ok((join(&lines[..starts.first().copied().unwrap_or(lines.len())]), blocks))
}
