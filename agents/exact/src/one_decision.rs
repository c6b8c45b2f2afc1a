//! An exact solver for games with a single decision.
//!
//! In such a game, the agent sees its hand, picks one action from a fixed list in which every action is always legal,
//! and receives a reward that depends on hidden cards. To use the solver, implement [`OneDecision`] by listing the
//! game's hands and the reward of each action, summed over the hidden cards. [`Enumerated`] then implements
//! [`Solver`].
//!
//! Games that answer in more detail implement `Solver` themselves, and evaluate policies with
//! [`Enumerated::evaluator`](crate::solver::Solver::evaluator).

use crate::Ratio;
use crate::answer::{Answer, Axis, Bar, BarChart, Figure, Frame, Section, TextTable};
use crate::format::{grouped, percent};
use crate::solver::{
    BATCH, Control, DeadCards, Decision, Decisions, Evaluator, EvaluatorConfig, Exercise, FrameSpec, HousePlay, Inputs,
    IsAsked, PolicyScore, Practice, Scorer, Solver, SolverConfig, SolverError, StakeUnit, mean_score, text_of,
};
use houseway_env::gym::{ExactValues, Policy};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

/// A game with a single decision and its rules.
pub trait OneDecision: Send + Sync + Sized {
    /// Returns the unit used for rewards.
    fn unit(&self) -> StakeUnit;

    /// Returns the number of parts of a unit that rewards are counted in.
    fn parts(&self) -> u64 {
        1
    }

    /// Returns the actions, in the same order as in the environment.
    fn actions(&self) -> &'static [ActionName];

    /// Returns the name of the encoding that [`Situation::observation`] uses.
    fn encoding(&self) -> &'static str;

    /// Describes the game and its rules in one sentence.
    fn summary(&self) -> String;

    /// Returns the rules as JSON and their hash.
    fn rules(&self) -> (serde_json::Value, String);

    /// Describes the rules in an answer for a hand. The default is their hash.
    fn described_rules(&self) -> String {
        self.rules().1
    }

    /// Returns all hands. Hands that don't differ in any relevant way are grouped into one situation. Each situation has a
    /// reward for every action, and the observations of all situations have the same length.
    fn situations(&self) -> Vec<Situation>;

    /// Parses a hand and returns its situation. Combinations of hidden cards that include a dead card are left out.
    ///
    /// # Errors
    /// Returns an error if the text isn't a hand in this game, or if a dead card is invalid.
    fn situation(&self, hand: &str, dead: DeadCards) -> Result<Situation, SolverError>;

    /// Returns the strategies that policies are compared with, each with a name and an action for every situation. These
    /// are the constant strategies by default.
    fn baselines(&self, situations: &[Situation]) -> Vec<(String, Vec<usize>)> {
        let actions = self.actions().iter().enumerate();
        actions.map(|(i, action)| (format!("always {}", action.name), vec![i; situations.len()])).collect()
    }

    /// Describes what an action does with a hand, which is the action's name by default.
    fn label(&self, _hand: &str, action: usize) -> String {
        self.actions()[action].name.to_owned()
    }

    /// Returns the choice of the house's strategy, or `None` if the game has none.
    fn house(&self, _hand: &str) -> Option<HousePlay> {
        None
    }

    /// Returns the name of the strategy that sets the hidden hand, or `None` if nobody sets it.
    fn banker(&self) -> Option<&str> {
        None
    }

    /// Returns the summary that precedes an evaluation.
    fn preface(&self, solver: &Enumerated<Self>) -> String {
        solver.summary()
    }

    /// Returns the report sections about the solved game.
    fn sections(&self, solver: &Enumerated<Self>) -> Vec<Section> {
        solver.sections()
    }

    /// Returns what the answer for the full game has in addition to the results of the optimal strategy: more keys of the
    /// JSON document, and all of its sections.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    fn solved(
        &self,
        solver: &Enumerated<Self>,
        _control: &Control<'_>,
    ) -> Result<(Map<String, Value>, Vec<Section>), SolverError> {
        Ok((Map::new(), self.sections(solver)))
    }

    /// Solves the game in which both sides choose. See [`Solver::equilibrium`].
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    fn equilibrium(&self, _control: &Control<'_>) -> Result<Option<Answer>, SolverError> {
        Ok(None)
    }
}

/// The name of an action, such as `raise` and `raises`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// The verb.
    pub name: &'static str,
    /// The third person of the verb.
    pub third_person: &'static str,
}

/// A group of hands that are equivalent for the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// One of the hands, as an example.
    pub example: String,
    /// The group shown in tables, such as the hand's category. Groups are ordered by their first situation.
    pub group: String,
    /// The number of hands.
    pub hands: u64,
    /// The number of combinations of hidden cards for each hand, which must be the same for all situations. If rewards
    /// are in [parts](OneDecision::parts) of a unit, it is multiplied by the number of parts.
    pub hidden: u64,
    /// The observation of the hand.
    pub observation: Vec<f32>,
    /// The reward of each action, in units or parts of them, summed over the hidden cards.
    pub rewards: Vec<i64>,
}

impl Situation {
    /// Returns the EV of an action, in the unit of the game's [`SolverEntry`](crate::solver::SolverEntry).
    ///
    /// # Panics
    /// Panics if the action is out of range.
    pub fn ev(&self, action: usize) -> Ratio {
        Ratio::new(self.rewards[action].into(), self.hidden.into())
    }

    /// Returns the action with the highest EV. The first action wins ties.
    pub fn best(&self) -> usize {
        (0..self.rewards.len()).rev().max_by_key(|&action| self.rewards[action]).unwrap_or_default()
    }

    /// Returns the decision in a round without side bets.
    pub fn decision(&self) -> Decision {
        let evs = (0..self.rewards.len()).map(|action| Some(self.ev(action).value())).collect();
        Decision { evs, house: None, group: self.group.clone(), side_ev: 0.0 }
    }
}

/// A solver for a game with a single decision. The situations are enumerated on first use.
pub struct Enumerated<G> {
    game: G,
    /// The dead cards, which only affect the evaluation of single hands.
    dead: DeadCards,
    situations: OnceLock<Vec<Situation>>,
    decisions: OnceLock<Arc<Decisions>>,
}

/// The results of a strategy over all hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    rewards: i128,
    deals: i128,
    /// The number of hands for which each action is chosen.
    pub hands: Vec<u64>,
}

impl Total {
    /// Returns the EV per round, in the unit of the game's [`SolverEntry`](crate::solver::SolverEntry).
    pub fn ev(&self) -> Ratio {
        Ratio::new(self.rewards, self.deals)
    }

    /// Returns the fraction of hands for which an action is chosen.
    ///
    /// # Panics
    /// Panics if the game has no such action.
    pub fn probability(&self, action: usize) -> Ratio {
        Ratio::new(self.hands[action].into(), self.hands.iter().map(|&hands| i128::from(hands)).sum())
    }
}

impl<G: OneDecision> Enumerated<G> {
    /// Creates a solver for a game.
    pub fn new(game: G) -> Enumerated<G> {
        Enumerated { game, dead: DeadCards::default(), situations: OnceLock::new(), decisions: OnceLock::new() }
    }

    /// Returns the solver with the dead cards of a configuration, for games with [`DeadCards::OPTION`].
    ///
    /// # Errors
    /// Returns an error if the option contains an invalid card or a duplicate.
    pub fn with_dead_cards(self, config: &SolverConfig) -> Result<Enumerated<G>, SolverError> {
        Ok(Enumerated { dead: DeadCards::from_config(config)?, ..self })
    }

    /// Returns the game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns all situations.
    ///
    /// # Panics
    /// Panics if the game has no situations, or not the same positive number of hidden combinations in all of them.
    pub fn situations(&self) -> &[Situation] {
        self.situations.get_or_init(|| {
            let situations = self.game.situations();
            // Otherwise, hands wouldn't be equally likely, and the EVs of hands wouldn't add up to those of strategies.
            let hidden = situations.first().expect("a game has situations").hidden;
            let is_even = hidden > 0 && situations.iter().all(|situation| situation.hidden == hidden);
            assert!(is_even, "all situations must have the same positive number of hidden combinations");
            situations
        })
    }

    /// Returns the number of hands.
    pub fn hands(&self) -> u64 {
        self.situations().iter().map(|situation| situation.hands).sum()
    }

    /// Returns the number of deals, where each hand counts once per combination of hidden cards.
    pub fn deals(&self) -> u64 {
        let deals: u64 = self.situations().iter().map(|situation| situation.hands * situation.hidden).sum();
        deals / self.game.parts()
    }

    /// Returns the results of the optimal strategy.
    pub fn optimal(&self) -> Total {
        self.total(|_, situation| situation.best())
    }

    /// Returns the results of a strategy that chooses an action from a situation and its index.
    ///
    /// # Panics
    /// Panics if the game has no such action.
    pub fn total(&self, action: impl Fn(usize, &Situation) -> usize) -> Total {
        self.total_of(self.situations().iter().enumerate(), action)
    }

    /// Returns the decisions in all situations, which score policies.
    fn decisions(&self) -> &Arc<Decisions> {
        self.decisions.get_or_init(|| {
            let hidden = self.situations()[0].hidden;
            let mut decisions = Decisions::new(self.game.encoding(), self.game.actions().len(), hidden.into());
            for Situation { hands, observation, rewards, .. } in self.situations() {
                decisions.push(*hands, observation, rewards.iter().copied().map(Some));
            }
            Arc::new(decisions)
        })
    }

    /// Returns a strategy's results, restricted to some of the situations.
    fn total_of<'a>(
        &self,
        situations: impl Iterator<Item = (usize, &'a Situation)>,
        action: impl Fn(usize, &Situation) -> usize,
    ) -> Total {
        let mut total = Total { rewards: 0, deals: 0, hands: vec![0; self.game.actions().len()] };
        for (index, situation) in situations {
            let action = action(index, situation);
            total.rewards += i128::from(situation.hands) * i128::from(situation.rewards[action]);
            total.deals += i128::from(situation.hands) * i128::from(situation.hidden);
            total.hands[action] += situation.hands;
        }
        total
    }
}

/// The frames available for every game with a single decision.
const FRAMES: &[FrameSpec] = &[FrameSpec {
    name: "situations",
    about: "all situations, each with an example, its group, the number of hands, and the reward of each action summed \
            over the hidden cards",
    inputs: &[],
}];

impl<G: OneDecision> Solver for Enumerated<G> {
    fn rules(&self) -> (Value, String) {
        self.game().rules()
    }

    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        let summary = Section::default().text(self.summary());
        let (details, sections) = self.game().solved(self, control)?;
        let mut json = self.json();
        json.as_object_mut().expect("the document is an object").extend(details);
        Ok(Answer::new(json, std::iter::once(summary).chain(sections)))
    }

    fn equilibrium(&self, control: &Control<'_>) -> Result<Option<Answer>, SolverError> {
        self.game().equilibrium(control)
    }

    fn decision(&self, view: &serde_json::Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        self.decide(text_of(view, "hand")?, control).map(Some)
    }

    fn practice(&self) -> Option<&dyn Practice> {
        let example = &self.situations().first()?.example;
        self.game().house(example).map(|_| self as &dyn Practice)
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let situation = self.game().situation(hand, self.dead)?;
        let actions = self.game().actions();
        let best = actions[situation.best()].name;
        let evs =
            actions.iter().enumerate().map(|(i, action)| (action.name.to_owned(), json!(situation.ev(i).value())));
        let (rules, rules_hash) = self.game().rules();
        let mut json = json!({
            "hand": situation.example,
            "group": situation.group,
            "actions": evs.collect::<Map<_, _>>(),
            "best": best,
            "rules": rules,
            "rules_hash": rules_hash,
        });
        self.dead.name_in(&mut json);
        let banker = self.game().banker();
        if let Some(name) = banker {
            json["banker"] = name.into();
        }
        let set_by = banker.map_or_else(String::new, |name| format!(", which {name} sets"));
        let unit = self.game().unit().name;
        let mut order: Vec<usize> = (0..actions.len()).collect();
        order.sort_by_key(|&action| Reverse(situation.rewards[action]));
        let mut table = TextTable::new(["action", "EV", ""]).right(1);
        for action in order {
            let mark = if action == situation.best() { "best" } else { "" };
            let ev = format!("{:+.6} {unit}s", situation.ev(action).value());
            table = table.row([self.game().label(hand, action), ev, mark.to_owned()]);
        }
        let Situation { example, group, hidden, .. } = &situation;
        let beside = self.dead.in_words();
        let text = format!(
            "{example} ({group}){beside}, against {} combinations of the hidden hand{set_by}",
            grouped(hidden / self.game().parts())
        );
        let section =
            Section::default().text(text).table(table).lines(format!("rules  {}", self.game().described_rules()));
        Ok(Answer::new(json, [section]))
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        config.check_no_reset_options()?;
        config.check_no_sample()?;
        Ok(Box::new(self))
    }

    fn has_exact_values(&self) -> bool {
        true
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, _: &str, _: &Inputs, _: &Control<'_>) -> Result<Frame, SolverError> {
        let (all, actions) = (self.situations(), self.game().actions());
        let rewards = all.iter().flat_map(|situation| situation.rewards.iter().copied());
        Ok(Frame::default()
            .column("example", all.iter().map(|situation| situation.example.clone()))
            .column("group", all.iter().map(|situation| situation.group.clone()))
            .column("hands", all.iter().map(|situation| situation.hands as i64))
            .column("best", all.iter().map(|situation| situation.best() as i64))
            .wide("rewards", actions.len(), rewards)
            .fact("actions", actions.iter().map(|action| action.name).collect::<Vec<_>>())
            .fact("hidden", all.first().map_or(0, |situation| situation.hidden)))
    }
}

impl<G: OneDecision> Practice for Enumerated<G> {
    fn exercises(
        &self,
        is_asked: IsAsked<'_>,
        rng: &mut Pcg64,
        control: &Control<'_>,
    ) -> Result<Vec<Exercise>, SolverError> {
        let asked = self.situations().iter().filter(|situation| is_asked(&situation.group));
        let hands: u64 = asked.clone().map(|situation| situation.hands).sum();
        if hands == 0 {
            return Ok(vec![]);
        }
        let exercise = |_| {
            // There are far fewer than 2^64 hands, so the remainder is as good as uniform.
            let mut left = rng.next_u64() % hands;
            let drawn = asked.clone().find(|situation| {
                let is_drawn = left < situation.hands;
                left = left.saturating_sub(situation.hands);
                is_drawn
            });
            let position = drawn.expect("the number is below that of all hands").example.clone();
            let decision = self.decide(&position, control)?;
            let regret = decision.house.as_ref().and_then(|house| decision.regret(house.action)).unwrap_or(0.0);
            Ok(Exercise { position, group: decision.group, regret })
        };
        (0..BATCH).map(exercise).collect()
    }

    fn decide(&self, position: &str, _: &Control<'_>) -> Result<Decision, SolverError> {
        let decision = self.game().situation(position, DeadCards::default())?.decision();
        Ok(Decision { house: self.game().house(position), ..decision })
    }

    fn label(&self, position: &str, action: usize) -> Option<String> {
        Some(self.game().label(position, action)).filter(|label| label != self.game().actions()[action].name)
    }
}

impl<G: OneDecision> Enumerated<G> {
    fn score(&self, name: &str, actions: &[usize]) -> PolicyScore {
        self.decisions().score(name, actions, self.plays(actions))
    }

    fn plays(&self, actions: &[usize]) -> Map<String, Value> {
        let total = self.total(|index, _| actions[index]);
        self.in_words(|action| total.probability(action).value())
    }

    /// Describes how often a policy takes each action except the first.
    fn in_words(&self, probability: impl Fn(usize) -> f64) -> Map<String, Value> {
        let actions = self.game.actions().iter().enumerate().skip(1);
        let words = actions.map(|(i, action)| format!("{} {}", action.third_person, percent(probability(i), 2)));
        Map::from_iter([("plays".to_owned(), json!(words.collect::<Vec<_>>().join(", ")))])
    }
}

impl<G: OneDecision> Scorer for &Enumerated<G> {
    fn encodings(&self) -> Vec<&'static str> {
        vec![self.game.encoding()]
    }

    fn unit(&self) -> StakeUnit {
        self.game.unit()
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        self.decisions().policy_score(policy, |actions| self.plays(actions))
    }

    /// Returns the scores of a uniformly random choice among the actions, and of the game's baselines.
    fn baselines(&self) -> Vec<PolicyScore> {
        let (situations, actions) = (self.situations(), self.game.actions().len());
        let always: Vec<PolicyScore> =
            (0..actions).map(|action| self.score("", &vec![action; situations.len()])).collect();
        let random = mean_score("random", &always, self.in_words(|_| 1.0 / actions as f64));
        let baselines = self.game.baselines(situations).into_iter();
        std::iter::once(random).chain(baselines.map(|(name, actions)| self.score(&name, &actions))).collect()
    }

    fn optimum(&self) -> PolicyScore {
        self.score("optimum", &self.decisions().best())
    }

    fn preface(&self) -> String {
        self.game.preface(self)
    }

    fn sections(&self) -> Vec<Section> {
        self.game.sections(self)
    }

    fn encoding_regret(&self) -> Option<f64> {
        Some(self.score("", &self.decisions().best_alike()).regret)
    }

    fn values(&self) -> Option<Arc<dyn ExactValues>> {
        Some(Arc::clone(self.decisions()) as Arc<dyn ExactValues>)
    }
}

impl<G: OneDecision> Enumerated<G> {
    fn summary(&self) -> String {
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
    fn sections(&self) -> Vec<Section> {
        vec![
            Section::new("Strategies").table(self.strategies()),
            Section::new("Optimal strategy").table(self.group_table()).figure(self.group_plot()),
        ]
    }

    fn strategies(&self) -> TextTable {
        let unit = self.game().unit().name;
        let always = self.game().actions().iter().enumerate();
        let always = always.map(|(i, action)| (format!("always {}", action.name), self.always(i)));
        let all = [("optimum".to_owned(), self.optimal())].into_iter().chain(always);
        let rows = all.map(|(name, total)| [name, format!("{:+.9}", total.ev()), format!("{:?}", total.ev())]);
        TextTable::new(["strategy", &format!("EV, {unit}s"), "exact"]).right(1).rows(rows)
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
            table = table.row([name.to_owned(), hands].into_iter().chain(evs).chain(choices));
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
        Figure::new("EV of each action", chart.places(3))
            .note("exact, over all hands of the group")
            .named("ev-by-group", "EV of each action by group of hands")
    }
}
