//! Evaluates Joker Seven policies exactly, based on the wagers they end up making.

use super::HANDS;
use super::exact_game::ExactGame;
use crate::Ratio;
use crate::answer::Section;
use crate::format::grouped;
use crate::solver::{AllHands, EvaluatorConfig, PolicyScore, SolverError, StakeUnit, mean_score, weighed_choices};
use houseway_env::gym::{CardGame, Env, EnvError, PROBABILITY_UNIT, Policy};
use houseway_env::joker_seven::{Game, JokerSeven, JokerSevenOptions, Observation, Rules, Wager};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The observation encoding that policies must use.
const ENCODING: Observation = Observation::Counts;

/// The maximum number of different stakes for which a stochastic policy is evaluated after each chip.
const MAX_STATES: usize = 10_000;

/// The number of chips on each wager.
type Stakes = [u8; Wager::COUNT];

/// Evaluates policies by the EV of their final wagers. No card is seen before betting ends, so every round is the same.
pub(super) struct JokerSevenEvaluator<'a> {
    exact: &'a ExactGame,
    unit: StakeUnit,
    env: JokerSeven,
    options: JokerSevenOptions,
    chips: u32,
}

impl<'a> JokerSevenEvaluator<'a> {
    pub(super) fn new(
        exact: &'a ExactGame,
        config: &EvaluatorConfig,
        unit: StakeUnit,
    ) -> Result<JokerSevenEvaluator<'a>, SolverError> {
        let options: JokerSevenOptions = config.reset_options()?;
        let (rules, paytable) = (*exact.game.rules(), exact.game.paytable().clone());
        let game = Game::try_new(rules, paytable).map_err(SolverError::invalid)?;
        let env = JokerSeven::new(game).with_encoding(ENCODING);
        env.game().check(&options).map_err(SolverError::invalid)?;
        if options.players != 1 {
            return Err(SolverError::invalid(
                "policies are evaluated for a single player; remove the option `players`",
            ));
        }
        let chips = options.chips.unwrap_or(rules.minimum);
        Ok(JokerSevenEvaluator { exact, unit, env, options: JokerSevenOptions { chip: 1.0, ..options }, chips })
    }

    fn ev(&self, wager: Wager) -> f64 {
        self.exact.outcomes.ev(wager).value()
    }

    fn ev_of(&self, stakes: &Stakes) -> f64 {
        let staked = Wager::all().zip(stakes).filter(|(_, stake)| **stake > 0);
        staked.map(|(wager, &stake)| f64::from(stake) * self.ev(wager)).sum()
    }

    fn exact_ev(&self, stakes: &Stakes) -> Ratio {
        let chips = Wager::all().zip(stakes).flat_map(|(wager, &stake)| std::iter::repeat_n(wager, stake.into()));
        chips.fold(Ratio::ZERO, |sum, wager| sum + self.exact.outcomes.ev(wager))
    }

    /// Returns the optimal stakes. The required minimum goes on the best wager, and more chips are staked only if the
    /// EV is positive.
    fn optimal(&self) -> Stakes {
        let Rules { minimum, maximum, .. } = *self.exact.game.rules();
        let mut wagers: Vec<(Wager, f64)> = self.exact.outcomes.wagers().map(|wager| (wager, self.ev(wager))).collect();
        wagers.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (mut stakes, mut left) = ([0; Wager::COUNT], self.chips);
        for (place, (wager, ev)) in wagers.into_iter().enumerate() {
            let chips = if ev > 0.0 { left.min(maximum) } else { minimum };
            if (ev > 0.0 || place == 0) && chips >= minimum && chips <= left {
                stakes[wager.index()] = chips as u8;
                left -= chips;
            }
        }
        stakes
    }

    fn score(&self, name: &str, stakes: &Stakes) -> PolicyScore {
        let ev = self.ev_of(stakes);
        let regret = (self.ev_of(&self.optimal()) - ev).max(0.0);
        let staked = Wager::all().zip(stakes).filter(|(_, stake)| **stake > 0);
        let names = staked.map(|(wager, stake)| format!("{stake} on {}", wager.name(self.exact.game.rules())));
        PolicyScore {
            name: name.to_owned(),
            ev,
            regret,
            regret_ci: None,
            agreement: if regret < 1e-12 { 1.0 } else { 0.0 },
            details: plays(names.collect::<Vec<_>>().join(", ")),
        }
        .with_exact_ev(self.exact_ev(stakes))
    }

    /// Returns the EV of a stochastic policy, or `None` if it isn't stochastic or reaches more than [`MAX_STATES`] different
    /// stakes.
    fn stochastic_ev(&self, policy: &dyn Policy) -> Result<Option<f64>, SolverError> {
        let mut env = self.env.clone();
        env.start(Some(0), &self.options).map_err(SolverError::failed)?;
        let (mut observation, mut mask) =
            (vec![0.0; env.observation_space().len()], vec![false; env.action_space().n()]);
        let mut reached = BTreeMap::from([([0; Wager::COUNT], (env, 1.0))]);
        let mut ev = 0.0;
        while !reached.is_empty() {
            let mut next: BTreeMap<Stakes, (JokerSeven, f64)> = BTreeMap::new();
            for (env, probability) in reached.into_values() {
                env.observe(&mut observation).and_then(|()| env.action_mask(&mut mask)).map_err(SolverError::failed)?;
                let choices = weighed_choices(policy, &observation, &mask, mask.len())?;
                let Some(weights) = choices.weights else { return Ok(None) };
                for (action, &weight) in weights[0].iter().enumerate().filter(|(_, weight)| **weight > 0) {
                    let probability = probability * f64::from(weight) / f64::from(PROBABILITY_UNIT);
                    let mut after = env.clone();
                    let is_over = after.step(action).map_err(SolverError::failed)?.terminated;
                    let stakes = *after.state().map_err(SolverError::failed)?.stakes();
                    match is_over {
                        true => ev += probability * self.ev_of(&stakes),
                        false => next.entry(stakes).or_insert((after, 0.0)).1 += probability,
                    }
                }
                if next.len() > MAX_STATES {
                    return Ok(None);
                }
            }
            reached = next;
        }
        Ok(Some(ev))
    }

    /// Plays a policy and returns its final stakes.
    fn stakes(&self, policy: &dyn Policy) -> Result<Stakes, EnvError> {
        let mut env = self.env.clone();
        env.start(Some(0), &self.options)?;
        let mut observation = vec![0.0; env.observation_space().len()];
        let mut mask = vec![false; env.action_space().n()];
        loop {
            env.observe(&mut observation)?;
            env.action_mask(&mut mask)?;
            if env.step(policy.choose(&observation, &mask)[0])?.terminated {
                return env.state().map(|state| *state.stakes());
            }
        }
    }
}

impl AllHands for JokerSevenEvaluator<'_> {
    fn encoding(&self) -> &'static str {
        ENCODING.name()
    }

    fn unit(&self) -> StakeUnit {
        self.unit
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        let stakes = self.stakes(policy).map_err(SolverError::failed)?;
        Ok(self.score(policy.name(), &stakes).with_stochastic_ev(self.stochastic_ev(policy)?))
    }

    fn baselines(&self) -> Vec<PolicyScore> {
        let minimum = self.exact.game.rules().minimum as u8;
        let on = |wager: Wager| {
            let mut stakes = [0; Wager::COUNT];
            stakes[wager.index()] = minimum;
            stakes
        };
        let wagers: Vec<Wager> = self.exact.outcomes.wagers().collect();
        let scores: Vec<PolicyScore> = wagers.iter().map(|&wager| self.score("", &on(wager))).collect();
        let random = plays(format!("{minimum} on any of {} wagers", wagers.len()));
        let mut all = vec![mean_score("random wager", &scores, random)];
        all.extend(wagers.first().map(|&wager| self.score("four or more of a colour", &on(wager))));
        all
    }

    fn preface(&self) -> String {
        format!(
            "Joker Seven, paytable {}: {} chips, of which one wager at its minimum must be staked and the others may be kept. \
             No card is seen before the stakes are placed, so a policy is the wagers that it ends on; each is evaluated by \
             its exact EV over all {} hands.",
            self.exact.game.paytable().name(),
            self.chips,
            grouped(HANDS)
        )
    }

    fn optimum(&self) -> PolicyScore {
        self.score("optimum", &self.optimal())
    }

    fn sections(&self) -> Vec<Section> {
        self.exact.sections()
    }
}

/// Describes how a policy plays.
fn plays(text: String) -> Map<String, Value> {
    Map::from_iter([("plays".to_owned(), json!(text))])
}
