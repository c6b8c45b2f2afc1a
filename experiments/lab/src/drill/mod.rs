//! Drills on decisions that common strategies get wrong, for any game whose solver has [`Practice`]. They repeat the
//! player's own mistakes at growing intervals.
//!
//! A [`DrillSource`] draws decisions and evaluates them. A [`Question`] judges the player's action, and a
//! [`DrillRecord`] keeps the answers. [`SECTION`] is the section of the web app.
//!
//! [`Practice`]: houseway_exact::solver::Practice

mod record;
mod web;

pub use record::{Answer, DrillRecord, Score};
pub use web::SECTION;

use crate::play::{Layout, Pick, action_words, answer, env_config, is_named, plain, with_strategies};
use houseway_env::gym::{GameEntry, StreamSeed, stream};
use houseway_env::names::expected;
use houseway_exact::format::percent;
use houseway_exact::pai_gow::WAY_PREFIX;
use houseway_exact::registry;
use houseway_exact::solver::{Control, Decision, Exercise, Practice, Solver, SolverConfig, SolverEntry};
use rand::RngExt;
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The maximum number of batches to draw until one contains a decision with a regret.
const MAX_BATCHES: usize = 1_000;
/// The maximum number of batches to draw until one contains a mistake on the topic, which takes two seconds in Pai Gow Poker.
const TOPIC_BATCHES: usize = 16;

#[derive(Clone, Debug)]
pub struct DrillRequest {
    pub game: &'static GameEntry,
    pub rules: SolverConfig,
    pub way: Option<String>,
    pub banker: Option<String>,
    /// The only group of hands to ask, or `None` for all groups.
    pub topic: Option<String>,
}

pub struct DrillSource {
    solver: Box<dyn Solver>,
    pub layout: Layout,
    actions: Vec<String>,
    pub id: String,
    topic: Option<String>,
}

impl DrillRequest {
    pub fn source(&self, layouts: &[Layout]) -> Result<DrillSource, String> {
        let name = self.game.name;
        let entry = registry::find(name).map_err(|_| nothing_to_drill(name, "it has no exact solver of its own"))?;
        let config = with_strategies(self.game, &self.rules, self.way.as_deref(), self.banker.as_deref())?;
        let solver = entry.solver(&config).map_err(|error| error.to_string())?;
        if solver.practice().is_none() {
            let reason = match entry.hands {
                None => "no decision in it depends on cards that the player sees",
                Some(_) => "its solver knows no common strategies",
            };
            return Err(nothing_to_drill(name, reason));
        }
        let id = self.id()?;
        let (layout, actions) = (Layout::find(layouts, self.game), (self.game.action_names)());
        Ok(DrillSource { solver, layout, actions, id, topic: self.topic.clone() })
    }

    /// Returns a text that identifies the game, its rules and the opponent's strategy. Readings are added as they are
    /// written, because they may belong to either strategy.
    fn id(&self) -> Result<String, String> {
        let is_reading = |assignment: &String| assignment.trim_start().starts_with(WAY_PREFIX);
        let (readings, assignments): (Vec<_>, Vec<_>) = self.rules.assignments.iter().cloned().partition(is_reading);
        let rules = SolverConfig { assignments, ..self.rules.clone() };
        let (name, config) = (self.game.name, env_config(self.game, &rules, self.banker.as_deref())?);
        let rounds = self.game.rounds(&config.to_string()).map_err(|error| format!("{name}: {error}"))?;
        Ok([vec![name.to_owned(), rounds.rules_hash()], readings].concat().join(" "))
    }
}

pub fn games() -> impl Iterator<Item = &'static SolverEntry> {
    let has_practice = |entry: &&'static SolverEntry| {
        entry.solver(&SolverConfig::default()).is_ok_and(|solver| solver.practice().is_some())
    };
    registry::solvers().into_iter().filter(has_practice)
}

fn nothing_to_drill(game: &str, reason: &str) -> String {
    let others: Vec<&str> = games().map(|entry| entry.game).collect();
    format!("{game} has nothing to drill: {reason}; choose one of {}", others.join(", "))
}

impl DrillSource {
    fn practice(&self) -> &dyn Practice {
        self.solver.practice().expect("the source was only created if there is something to drill")
    }

    pub fn decide(&self, position: &str) -> Result<Decision, String> {
        let decision = self.practice().decide(position, &Control::default());
        decision.map_err(|error| format!("invalid hand '{position}': {error}"))
    }

    fn is_asked(&self, group: &str) -> bool {
        let first = group.split(' ').next().unwrap_or_default();
        self.topic.as_deref().is_none_or(|topic| [group, first].map(plain).contains(&plain(topic)))
    }

    /// Draws a position with a probability proportional to its regret. Each draw in a drill has its own lane of the
    /// seed. Groups in which the player makes mistakes get more weight.
    pub fn draw(&self, record: &DrillRecord) -> Result<String, String> {
        let mistakes = record.mistakes();
        let mut rng = stream(StreamSeed { seed: record.seed, lane: record.drawn });
        let groups = RefCell::new(BTreeSet::new());
        let is_asked = |group: &str| {
            if !groups.borrow().contains(group) {
                groups.borrow_mut().insert(group.to_owned());
            }
            self.is_asked(group)
        };
        let topics = self.practice().topics();
        let max_batches = if self.topic.is_some() { TOPIC_BATCHES } else { MAX_BATCHES };
        for _ in 0..max_batches {
            let batch = self.practice().exercises(&is_asked, &mut rng, &Control::default());
            let batch = batch.map_err(|error| error.to_string())?;
            // A known topic is worth more deals. Any other one that hasn't come up doesn't exist.
            if batch.is_empty() && self.topic.is_some() && !topics.iter().any(|topic| self.is_asked(topic)) {
                break;
            }
            let weight = |it: &Exercise| it.regret * (1.0 + mistakes.get(&it.group).copied().unwrap_or_default());
            let weights: Vec<f64> = batch.iter().map(weight).collect();
            let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
            for (exercise, weight) in batch.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
                left -= weight;
                if left <= 0.0 {
                    return Ok(exercise.position);
                }
            }
        }
        let groups = groups.into_inner();
        if let Some(topic) = self.topic.as_deref() {
            // The groups of some games are only known from their hands.
            let known = if topics.is_empty() { groups.iter().map(String::as_str).collect() } else { topics.to_vec() };
            return Err(format!(
                "no hand was drawn on the topic '{topic}' in which common strategies make mistakes: {}",
                expected(topic, known)
            ));
        }
        Err("common strategies make no mistakes under these rules, so there is nothing to drill".to_owned())
    }
}

pub struct Question<'a> {
    source: &'a DrillSource,
    pub position: String,
    /// The exact EVs of all actions, and the choice of the strategy to compare with.
    pub decision: Decision,
    pub is_review: bool,
}

impl<'a> Question<'a> {
    /// Returns the next position due for review, or a new one if none is due.
    pub fn next(source: &'a DrillSource, record: &mut DrillRecord) -> Result<Question<'a>, String> {
        if let Some(review) = record.due(|group| source.is_asked(group)) {
            return Question::again(source, &review.hand, true);
        }
        let position = source.draw(record)?;
        record.drawn = record.drawn.saturating_add(1);
        Question::again(source, &position, false)
    }

    pub fn again(source: &'a DrillSource, position: &str, is_review: bool) -> Result<Question<'a>, String> {
        Ok(Question { source, position: position.to_owned(), decision: source.decide(position)?, is_review })
    }

    pub fn cards(&self) -> Vec<&str> {
        Exercise::cards(&self.position).collect()
    }

    /// Describes what the player sees beside the cards.
    fn beside(&self) -> Option<String> {
        self.source.practice().beside(&self.position)
    }

    pub fn strategy(&self) -> Option<&str> {
        self.decision.house.as_ref().map(|house| house.strategy.as_str())
    }

    pub fn house_action(&self) -> Option<usize> {
        self.decision.house.as_ref().map(|house| house.action)
    }

    /// Returns the legal actions. Empty if the player chooses cards instead.
    fn actions(&self) -> Vec<usize> {
        let legal = (0..self.decision.evs.len()).filter(|&action| self.decision.ev(action).is_some());
        if self.source.layout.pick.is_some() { vec![] } else { legal.collect() }
    }

    pub fn action_names(&self) -> Vec<String> {
        self.actions().into_iter().map(|action| self.name(action)).collect()
    }

    /// Returns the legal actions in words, in the order of their names.
    pub fn labels(&self) -> Vec<String> {
        self.actions().into_iter().map(|action| self.words(action)).collect()
    }

    /// Returns an action in words. If it is formed by choosing cards, these are the cards.
    fn words(&self, action: usize) -> String {
        let name = self.name(action);
        if self.source.layout.pick.is_some() {
            return name;
        }
        self.source.practice().label(&self.position, action).unwrap_or_else(|| action_words(&name))
    }

    /// Returns the name of an action. If it is formed by choosing cards, the name lists them.
    fn name(&self, action: usize) -> String {
        let Some(pick) = &self.source.layout.pick else {
            return self.source.actions.get(action).cloned().unwrap_or_default();
        };
        let cards = self.cards();
        let chosen = (pick.positions)(action).into_iter().filter_map(|place| cards.get(place).copied());
        chosen.collect::<Vec<_>>().join(" ")
    }

    pub fn judge(&self, action: usize) -> Answer {
        let Question { position, decision, is_review, .. } = self;
        let (best, house) = (decision.best(), decision.house.as_ref());
        Answer {
            hand: position.clone(),
            group: decision.group.clone(),
            is_review: *is_review,
            action: self.name(action),
            best: self.name(best),
            house: house.map(|house| self.name(house.action)),
            house_rule: house.and_then(|house| Some(house.rule.as_ref()?.0.clone())),
            ev: decision.ev(action).unwrap_or(f64::NAN),
            best_ev: decision.ev(best).unwrap_or(f64::NAN),
            regret: decision.regret(action).unwrap_or(f64::NAN),
            house_regret: house.and_then(|house| decision.regret(house.action)),
        }
    }

    /// Parses an action given by its name, its words or its number among the legal actions. If actions are formed by
    /// choosing cards, they are given as cards or as positions in the hand.
    pub fn parse_action(&self, text: &str) -> Result<usize, String> {
        if self.source.layout.pick.is_some() {
            return self.parse_cards(text);
        }
        let legal = self.actions();
        let is_meant =
            |action: &usize| plain(&self.name(*action)) == plain(text) || is_named(&self.words(*action), text);
        let numbered = || legal.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
        let found = legal.iter().copied().find(is_meant).or_else(numbered);
        found.ok_or_else(|| {
            let count = legal.len();
            format!("'{text}' is not an action: try a number from 1 to {count}, {}", self.action_names().join(", "))
        })
    }

    /// Returns the choices of cards that are fouls, as positions in the hand, with the reason for each.
    pub fn fouls(&self) -> Vec<(Vec<usize>, String)> {
        let Some(pick) = &self.source.layout.pick else { return vec![] };
        let illegal = (0..self.decision.evs.len()).filter(|&action| self.decision.ev(action).is_none());
        illegal.map(|action| ((pick.positions)(action), self.foul(action, pick))).collect()
    }

    fn foul(&self, action: usize, pick: &Pick) -> String {
        format!("{} in {} is {}", self.name(action), pick.chosen, pick.foul)
    }

    fn parse_cards(&self, text: &str) -> Result<usize, String> {
        let (cards, words): (_, Vec<&str>) = (self.cards(), text.split_whitespace().collect());
        let place = |word: &&str| match word.parse::<usize>() {
            Ok(place) => (1..=cards.len()).contains(&place).then(|| place - 1),
            Err(_) => cards.iter().position(|card| card.eq_ignore_ascii_case(word)),
        };
        let mut places = words.iter().map(place).collect::<Option<Vec<usize>>>().unwrap_or_default();
        places.sort_unstable();
        places.dedup();
        let pick = self.source.layout.pick.filter(|pick| places.len() == pick.cards && words.len() == pick.cards);
        let pick = pick.ok_or_else(|| format!("'{text}' is not two cards of the hand: try {}", example(&cards)))?;
        let action = (pick.action)(&places);
        match self.decision.ev(action) {
            Some(_) => Ok(action),
            None => Err(self.foul(action, &pick)),
        }
    }

    /// Returns the judgment in one sentence about the player's action, with the reason if it is wrong, and one about the
    /// strategy to compare with.
    pub fn sentences(&self, answer: &Answer) -> Vec<String> {
        let Answer { action, best, ev, best_ev, regret, house, house_regret, .. } = answer;
        let place = self.source.layout.pick.map_or_else(String::new, |pick| format!(" in {}", pick.chosen));
        let words = |name: &str| self.parse_action(name).map_or_else(|_| name.to_owned(), |action| self.words(action));
        let cost = |regret: f64| match regret < 5e-6 {
            true => "less than 0.001% of the stake".to_owned(),
            false => format!("{} of the stake", percent(regret, 3)),
        };
        let own = match *regret == 0.0 {
            true => format!("right: {}{place} is the best, EV {ev:+.5}", words(action)),
            false => format!(
                "wrong: {}{place}, EV {ev:+.5}, costs {}; best: {}, EV {best_ev:+.5}",
                words(action),
                cost(*regret),
                words(best)
            ),
        };
        let compared = house.iter().zip(house_regret).zip(&self.decision.house).map(|((house, regret), play)| {
            let cost = if *regret == 0.0 { "the best".to_owned() } else { format!("which costs {}", cost(*regret)) };
            let text = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let rule = play.rule.as_ref().map(|(name, rule)| format!(", by its rule \"{name}\": {}", text(rule)));
            format!("{}: {}, {cost}{}", play.strategy, words(house), rule.unwrap_or_default())
        });
        [own].into_iter().chain(self.why(answer)).chain(compared).collect()
    }

    /// Returns the reason why the best action is better than the player's, if it is one and there is one.
    fn why(&self, answered: &Answer) -> Option<String> {
        let why = self.source.layout.why.filter(|_| answered.regret > 0.0)?;
        let own = self.parse_action(&answered.action).ok()?;
        let view = json!({ "hand": self.position });
        let found = answer(&*self.source.solver, &view, &self.decision, &Control::default());
        why(&found, own, self.decision.best())
    }
}

fn example(cards: &[&str]) -> String {
    match cards {
        [_, second, third, ..] => format!("\"{second} {third}\" or \"2 3\", quit, skip or house"),
        _ => "quit, skip or house".to_owned(),
    }
}

impl Score {
    /// Returns the score in words. `strategy` is the name of the strategy to compare with.
    pub fn text(&self, strategy: Option<&str>) -> String {
        let Score { hands, best, house_best, regret, house_regret } = self;
        let noun = if *hands == 1 { "hand" } else { "hands" };
        let own = format!(
            "{hands} {noun}: you found the best play in {best}, with a regret of {} of a stake per hand",
            percent(*regret, 3)
        );
        match strategy {
            Some(name) => format!("{own};\n{name} finds {house_best}, with a regret of {}", percent(*house_regret, 3)),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::registry::find;

    fn request(game: &str) -> DrillRequest {
        let rules = SolverConfig::default();
        DrillRequest { game: find(game).unwrap(), rules, way: None, banker: None, topic: None }
    }

    #[test]
    fn positions_are_those_that_common_strategies_get_wrong() {
        for entry in games() {
            let source = request(entry.game).source(&[]).unwrap();
            let mut record = DrillRecord::new(source.id.clone(), 7);
            for number in 0..4 {
                let position = source.draw(&record).unwrap();
                assert_eq!(source.draw(&record).unwrap(), position, "{}", entry.game);
                let question = Question::next(&source, &mut record).unwrap();
                assert_eq!((&question.position, record.drawn), (&position, number + 1));
                let best = question.decision.best();
                assert_eq!(question.decision.regret(best), Some(0.0));
                // There is something to get wrong in every position.
                let actions = 0..question.decision.evs.len();
                assert!(actions.filter_map(|it| question.decision.regret(it)).any(|regret| regret > 0.0));
                assert!(question.decision.house.is_some(), "{}", entry.game);
            }
            // The regrets that decide what is drawn are those of the decisions.
            let batch = source.practice().exercises(&|_| true, &mut stream(3.into()), &Control::default()).unwrap();
            for Exercise { position, group, regret } in batch.into_iter().take(12) {
                let decision = source.decide(&position).unwrap();
                let regrets = (0..decision.evs.len()).filter_map(|action| decision.regret(action));
                let max = regrets.fold(0.0, f64::max);
                assert_eq!(decision.group, group);
                assert!((0.0..=max + 1e-12).contains(&regret), "{position}: {regret} {max}");
            }
        }
    }

    #[test]
    fn a_topic_has_only_its_own_hands() {
        let with_topic = |topic: &str| DrillRequest { topic: Some(topic.to_owned()), ..request("pai-gow-poker") };
        let source = with_topic("Two-Pairs").source(&[]).unwrap();
        let mut record = DrillRecord::new(source.id.clone(), 7);
        for _ in 0..3 {
            let question = Question::next(&source, &mut record).unwrap();
            assert_eq!(question.decision.group, "two pairs");
            // A mistake with another topic isn't repeated.
            let mistake = question.judge(question.decision.best());
            record.add(Answer { hand: "other".to_owned(), group: "no pair".to_owned(), regret: 0.1, ..mistake });
        }
        for (topic, part) in [
            ("nope", "on the topic 'nope' in which common strategies make mistakes: expected one of no pair"),
            ("two pair", "did you mean two pairs?"),
            ("five aces and a pair", "expected one of no pair"),
        ] {
            let error = with_topic(topic).source(&[]).unwrap().draw(&record).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        // A stage of Hold'em is a topic with many groups.
        let holdem = request("ultimate-holdem");
        let topics = holdem.source(&[]).unwrap().practice().topics();
        assert_eq!(topics, ["flop", "river"]);
        for &topic in topics {
            let source = DrillRequest { topic: Some(topic.to_owned()), ..holdem.clone() }.source(&[]).unwrap();
            let question = Question::next(&source, &mut DrillRecord::new(source.id.clone(), 7)).unwrap();
            assert!(question.decision.group.starts_with(topic), "{}", question.decision.group);
        }
    }

    #[test]
    fn every_topic_has_hands() {
        for entry in games() {
            for &topic in request(entry.game).source(&[]).unwrap().practice().topics() {
                let with_topic = DrillRequest { topic: Some(topic.to_owned()), ..request(entry.game) };
                let drawn = with_topic.source(&[]).unwrap().draw(&DrillRecord::new(String::new(), 1));
                assert!(drawn.is_ok(), "{}: {drawn:?}", entry.game);
            }
        }
    }

    #[test]
    fn games_without_exercises_are_refused_with_the_reason() {
        for (game, part) in [
            ("joker-seven", "has nothing to drill: no decision in it depends on cards that the player sees"),
            ("joker-seven", "choose one of pai-gow-poker, ultimate-holdem, asian-stud, face-up-pai-gow"),
            ("pai-gow-table", "has no exact solver of its own"),
        ] {
            let error = request(game).source(&[]).err().unwrap();
            assert!(error.contains(part), "{error}");
        }
        let error = DrillRequest { way: Some("wong".to_owned()), ..request("asian-stud") }.source(&[]).err().unwrap();
        assert!(error.contains("asian-stud has no house ways"), "{error}");
        let tiles = DrillRequest { way: Some("foxwoods".to_owned()), ..request("pai-gow-tiles") };
        assert!(tiles.source(&[]).err().unwrap().contains("use --set way=NAME"));
        let banker = |game: &str, rules: &[&str]| {
            let rules = SolverConfig {
                assignments: rules.iter().map(|it| (*it).to_owned()).collect(),
                ..SolverConfig::default()
            };
            DrillRequest { banker: Some("houseway-4".to_owned()), rules, ..request(game) }.source(&[]).map(|_| ())
        };
        // The default way of Face Up's dealer has no rule for some hands without equal settings.
        assert_eq!(banker("face-up-pai-gow", &["equal-setting=foul"]), Ok(()));
        assert!(banker("pai-gow-tiles", &[]).unwrap_err().contains("use --set way=NAME"));
        assert!(banker("ultimate-holdem", &[]).unwrap_err().contains("ultimate-holdem has no house ways"));
        for option in ["random", "nobody"] {
            let banker = DrillRequest { banker: Some(option.to_owned()), ..request("pai-gow-poker") };
            assert!(banker.source(&[]).and_then(|source| source.decide("As Kd Jk 7c 7d 2h 3s")).is_err());
        }
    }
}
