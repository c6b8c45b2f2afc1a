//! The answers of the solver for games with a single decision, and the evaluation of policies.

use super::{Enumerated, OneDecision, Situation, Total};
use crate::answer::{Answer, Axis, Bar, BarChart, Figure, Frame, Section, TextTable};
use crate::format::{grouped, percent};
use crate::solver::{
    Control, DeadCards, Decision, Evaluator, EvaluatorConfig, FrameSpec, Inputs, PolicyScore, Scorer, Solver,
    SolverError, StakeUnit, mean_score, text_of,
};
use houseway_env::gym::{ExactValues, Policy};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The frames available for every game with a single decision.
const FRAMES: &[FrameSpec] = &[FrameSpec {
    name: "situations",
    about: "all situations, each with an example, its group, the number of hands, and the reward of each action summed \
            over the hidden cards",
    inputs: &[],
}];

impl<G: OneDecision> Solver for Enumerated<G> {
    fn solve(&self, _: &Control<'_>) -> Result<Answer, SolverError> {
        let summary = Section::default().text(self.summary());
        let sections = std::iter::once(summary).chain(self.game().sections(self));
        Ok(Answer::new(self.json(), sections))
    }

    fn decision(&self, view: &serde_json::Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        Ok(Some(self.game().situation(text_of(view, "hand")?, DeadCards::default())?.decision()))
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let situation = self.game().situation(hand, self.dead_cards())?;
        let actions = self.game().actions();
        let best = actions[situation.best()].name;
        let evs =
            actions.iter().enumerate().map(|(i, action)| (action.name.to_owned(), json!(situation.ev(i).value())));
        let mut json = json!({
            "hand": situation.example,
            "group": situation.group,
            "actions": evs.collect::<Map<_, _>>(),
            "best": best,
            "rules_hash": self.game().rules().1,
        });
        self.dead_cards().name_in(&mut json);
        let unit = self.game().unit().name;
        let mut table = TextTable::new(["action", "EV"]).right(1);
        for (i, action) in actions.iter().enumerate() {
            table = table.row([action.name, &format!("{:+.6} {unit}s", situation.ev(i).value())]);
        }
        let Situation { example, group, hidden, .. } = &situation;
        let beside = self.dead_cards().in_words();
        let text =
            format!("{example} ({group}){beside}, against {} combinations of the hidden cards", grouped(*hidden));
        let section = Section::default()
            .text(text)
            .table(table)
            .lines(format!("best   {best}\nrules  {}", self.game().rules().1));
        Ok(Answer::new(json, [section]))
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        config.check_no_sample()?;
        Ok(Box::new(Scored(self)))
    }

    fn has_exact_values(&self) -> bool {
        true
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, _: &str, _: &Inputs, _: &Control<'_>) -> Result<Frame, SolverError> {
        let (all, actions) = (self.situations(), self.game().actions());
        let rewards = all.iter().flat_map(|situation| situation.rewards.iter().copied()).collect::<Vec<i64>>();
        Ok(Frame::default()
            .column("example", all.iter().map(|situation| situation.example.clone()).collect::<Vec<String>>())
            .column("group", all.iter().map(|situation| situation.group.clone()).collect::<Vec<String>>())
            .column("hands", all.iter().map(|situation| situation.hands as i64).collect::<Vec<i64>>())
            .column("best", all.iter().map(|situation| situation.best() as i64).collect::<Vec<i64>>())
            .wide("rewards", actions.len(), rewards)
            .fact("actions", actions.iter().map(|action| action.name).collect::<Vec<_>>())
            .fact("hidden", all.first().map_or(0, |situation| situation.hidden)))
    }
}

/// The scores of policies in all situations.
struct Scored<'a, G>(&'a Enumerated<G>);

impl<G: OneDecision> Scored<'_, G> {
    fn score(&self, name: &str, actions: &[usize]) -> PolicyScore {
        self.0.decisions().score(name, actions, self.plays(actions))
    }

    fn plays(&self, actions: &[usize]) -> Map<String, Value> {
        let total = self.0.total(|index, _| actions[index]);
        self.in_words(|action| total.probability(action).value())
    }

    /// Describes how often a policy takes each action except the first.
    fn in_words(&self, probability: impl Fn(usize) -> f64) -> Map<String, Value> {
        let actions = self.0.game.actions().iter().enumerate().skip(1);
        let words = actions.map(|(i, action)| format!("{} {}", action.third_person, percent(probability(i), 2)));
        Map::from_iter([("plays".to_owned(), json!(words.collect::<Vec<_>>().join(", ")))])
    }
}

impl<G: OneDecision> Scorer for Scored<'_, G> {
    fn encodings(&self) -> Vec<&'static str> {
        vec![self.0.game.encoding()]
    }

    fn unit(&self) -> StakeUnit {
        self.0.game.unit()
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        self.0.decisions().policy_score(policy, |actions| self.plays(actions))
    }

    /// Returns the scores of a uniformly random choice among the actions, and of the game's baselines.
    fn baselines(&self) -> Vec<PolicyScore> {
        let (situations, actions) = (self.0.situations(), self.0.game.actions().len());
        let always: Vec<PolicyScore> =
            (0..actions).map(|action| self.score("", &vec![action; situations.len()])).collect();
        let random = mean_score("random", &always, self.in_words(|_| 1.0 / actions as f64));
        let baselines = self.0.game.baselines(situations).into_iter();
        std::iter::once(random).chain(baselines.map(|(name, actions)| self.score(&name, &actions))).collect()
    }

    fn optimum(&self) -> PolicyScore {
        self.score("optimum", &self.0.decisions().best())
    }

    fn preface(&self) -> String {
        self.0.game.preface(self.0)
    }

    fn sections(&self) -> Vec<Section> {
        self.0.game.sections(self.0)
    }

    fn encoding_regret(&self) -> Option<f64> {
        Some(self.score("", &self.0.decisions().best_alike()).regret)
    }

    fn values(&self) -> Option<Arc<dyn ExactValues>> {
        Some(self.0.decisions().clone())
    }
}

impl<G: OneDecision> Enumerated<G> {
    pub(super) fn summary(&self) -> String {
        format!("{} {} hands, {} deals.", self.game().summary(), grouped(self.hands()), grouped(self.deals()))
    }

    /// Returns the results of always choosing the given action.
    fn always(&self, action: usize) -> Total {
        self.total(|_, _| action)
    }

    fn json(&self) -> Value {
        let optimal = self.optimal();
        let named = |value: &dyn Fn(usize) -> Value| -> Map<String, Value> {
            let actions = self.game().actions().iter().enumerate();
            actions.map(|(i, action)| (action.name.to_owned(), value(i))).collect()
        };
        let probabilities = |total: &Total| named(&|i| json!(total.probability(i).value()));
        let groups = self.groups().into_iter().map(|(name, situations)| {
            let total = self.total_of(situations.into_iter(), |_, situation| situation.best());
            let hands = total.hands.iter().sum::<u64>().to_string();
            json!({ "name": name, "hands": hands, "ev": total.ev().value(), "probabilities": probabilities(&total) })
        });
        let (rules, rules_hash) = self.game().rules();
        json!({
            "rules": rules,
            "rules_hash": rules_hash,
            "hands": self.hands().to_string(),
            "deals": self.deals().to_string(),
            "ev": optimal.ev().to_json(),
            "probabilities": probabilities(&optimal),
            "always": named(&|i| self.always(i).ev().to_json()),
            "groups": groups.collect::<Vec<_>>(),
        })
    }

    /// Groups the situations, each with its index.
    fn groups(&self) -> Vec<(&str, Vec<(usize, &Situation)>)> {
        let mut groups: Vec<(&str, Vec<(usize, &Situation)>)> = Vec::new();
        for (index, situation) in self.situations().iter().enumerate() {
            match groups.iter_mut().find(|(name, _)| *name == situation.group) {
                Some((_, situations)) => situations.push((index, situation)),
                None => groups.push((&situation.group, vec![(index, situation)])),
            }
        }
        groups
    }

    /// Returns the report sections.
    pub(super) fn sections(&self) -> Vec<Section> {
        vec![
            Section::new("Strategies").table(self.strategies()),
            Section::new("Optimal strategy").table(self.group_table()).figure(self.group_plot()),
        ]
    }

    fn strategies(&self) -> TextTable {
        let unit = self.game().unit().name;
        let mut table = TextTable::new(["strategy", &format!("EV, {unit}s"), "exact"]).right(1);
        let always = self.game().actions().iter().enumerate();
        let always = always.map(|(i, action)| (format!("always {}", action.name), self.always(i)));
        for (name, total) in [("optimum".to_owned(), self.optimal())].into_iter().chain(always) {
            table = table.row([name.as_str(), &format!("{:+.9}", total.ev()), &format!("{:?}", total.ev())]);
        }
        table
    }

    /// Returns a table with the EV of every action and the optimal choices, by group.
    fn group_table(&self) -> TextTable {
        let actions = self.game().actions();
        let evs: Vec<String> = actions.iter().map(|action| format!("EV of {}", action.name)).collect();
        let header = ["group", "hands"].into_iter().chain(evs.iter().map(String::as_str));
        let mut table = TextTable::new(header.chain(actions.iter().map(|action| action.third_person))).right_from(1);
        for (name, situations) in self.groups() {
            let optimal = self.total_of(situations.iter().copied(), |_, situation| situation.best());
            let evs = (0..actions.len())
                .map(|action| format!("{:+.5}", self.total_of(situations.iter().copied(), |_, _| action).ev()));
            let choices = (0..actions.len()).map(|action| percent(optimal.probability(action).value(), 2));
            let hands = grouped(optimal.hands.iter().sum());
            let cells: Vec<String> = [name.to_owned(), hands].into_iter().chain(evs).chain(choices).collect();
            table = table.row(cells.iter().map(String::as_str));
        }
        table
    }

    fn group_plot(&self) -> Figure {
        let groups = self.groups();
        let names = groups.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut chart = BarChart::new(Axis::new(format!("EV, in {}s", self.game().unit().name)), names);
        for (i, action) in self.game().actions().iter().enumerate() {
            let ev = |situations: &Vec<(usize, &Situation)>| {
                Bar::from(self.total_of(situations.iter().copied(), |_, _| i).ev().value())
            };
            chart = chart.with(action.name, groups.iter().map(|(_, situations)| ev(situations)).collect());
        }
        Figure {
            name: "ev-by-group".to_owned(),
            alt: "EV of each action by group of hands".to_owned(),
            title: "EV of each action".to_owned(),
            note: "exact, over all hands of the group".to_owned(),
            chart: chart.places(3).into(),
        }
    }
}
