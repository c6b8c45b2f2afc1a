//! Draws decisions that are worth practicing.

use super::record::DrillRecord;
use crate::play::{Layout, rules_hash, with_strategies};
use houseway_env::gym::{GameEntry, StreamSeed, stream};
use houseway_exact::registry;
use houseway_exact::solver::{Control, Decision, Exercise, Practice, Solver, SolverConfig, SolverEntry};
use rand::RngExt;

/// The prefix for assignments that choose an option of a house way.
const WAY_PREFIX: &str = "way.";
/// The maximum number of batches to draw until one contains a decision with a regret.
const MAX_BATCHES: usize = 1_000;

/// The game that a drill is about, and the solver's configuration.
#[derive(Clone, Debug)]
pub struct DrillRequest {
    pub game: &'static GameEntry,
    pub rules: SolverConfig,
    /// The strategy to compare with, or `None` for the default.
    pub way: Option<String>,
    /// The opponent's strategy, or `None` for the default.
    pub banker: Option<String>,
}

/// A source of decisions for a drill.
pub struct DrillSource {
    solver: Box<dyn Solver>,
    layout: Layout,
    actions: Vec<String>,
    id: String,
}

impl DrillRequest {
    /// Creates the source of decisions.
    pub fn source(&self, layouts: &[Layout]) -> Result<DrillSource, String> {
        let name = self.game.name;
        let entry = registry::find(name).map_err(|_| nothing_to_drill(name, "it has no exact solver of its own"))?;
        let solver = entry.solver(&self.config(entry)?).map_err(|error| error.to_string())?;
        if solver.practice().is_none() {
            let reason = match entry.hands {
                None => "no decision in it depends on cards that the player sees",
                Some(_) => "its solver knows no common strategies",
            };
            return Err(nothing_to_drill(name, reason));
        }
        let id = self.id()?;
        Ok(DrillSource { solver, layout: Layout::find(layouts, self.game), actions: (self.game.action_names)(), id })
    }

    /// Returns a text that identifies the game, its rules and the opponent's strategy. Readings are added as they are
    /// written, because they may belong to either strategy.
    fn id(&self) -> Result<String, String> {
        let is_reading = |assignment: &String| assignment.trim_start().starts_with(WAY_PREFIX);
        let (readings, assignments): (Vec<_>, Vec<_>) = self.rules.assignments.iter().cloned().partition(is_reading);
        let rules = SolverConfig { assignments, ..self.rules.clone() };
        let hash = rules_hash(self.game, &rules, self.banker.as_deref())?;
        Ok([vec![self.game.name.to_owned(), hash], readings].concat().join(" "))
    }

    fn config(&self, entry: &SolverEntry) -> Result<SolverConfig, String> {
        with_strategies(entry, &self.rules, &[("way", self.way.as_deref()), ("banker", self.banker.as_deref())])
    }
}

/// Returns the games that have something to drill.
pub(super) fn games() -> impl Iterator<Item = &'static SolverEntry> {
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
    /// Returns a text that identifies the rules and the opponent's strategy.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the layout of the game.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the names of the actions.
    pub(super) fn actions(&self) -> &[String] {
        &self.actions
    }

    fn practice(&self) -> &dyn Practice {
        self.solver.practice().expect("the source was only created if there is something to drill")
    }

    pub(super) fn decide(&self, position: &str) -> Result<Decision, String> {
        let decision = self.practice().decide(position, &Control::default());
        decision.map_err(|error| format!("invalid hand '{position}': {error}"))
    }

    /// Draws a position with a probability proportional to its regret. Each draw in a drill has its own lane of the
    /// seed. Groups in which the player makes mistakes get more weight.
    pub(super) fn draw(&self, record: &DrillRecord) -> Result<String, String> {
        let mistakes = record.mistakes();
        let mut rng = stream(StreamSeed { seed: record.seed, lane: record.drawn });
        for _ in 0..MAX_BATCHES {
            let batch = self.practice().exercises(&mut rng, &Control::default()).map_err(|error| error.to_string())?;
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
        Err("common strategies make no mistakes under these rules, so there is nothing to drill".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::Question;
    use houseway_env::registry::find;

    fn request(game: &str) -> DrillRequest {
        let rules = SolverConfig::default();
        DrillRequest { game: find(game).unwrap(), rules, way: None, banker: None }
    }

    #[test]
    fn positions_are_those_that_common_strategies_get_wrong() {
        for entry in games() {
            let source = request(entry.game).source(&[]).unwrap();
            let mut record = DrillRecord::new(source.id().to_owned(), 7);
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
            let batch = source.practice().exercises(&mut stream(3.into()), &Control::default()).unwrap();
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
        for option in ["random", "nobody"] {
            let banker = DrillRequest { banker: Some(option.to_owned()), ..request("pai-gow-poker") };
            assert!(banker.source(&[]).and_then(|source| source.decide("As Kd Jk 7c 7d 2h 3s")).is_err());
        }
    }
}
