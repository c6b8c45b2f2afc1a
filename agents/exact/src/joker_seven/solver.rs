//! The Joker Seven solver, with its data frames and the evaluation of policies.

use super::{Frontier, HANDS, JointWins, spread_evenly};
use crate::Ratio;
use crate::answer::{Answer, Frame, Section};
use crate::format::grouped;
use crate::net::MainBet;
use crate::side_bet::{BetReturn, load};
use crate::solver::{
    Control, Decision, Evaluator, EvaluatorConfig, FrameSpec, Inputs, OptionKind, OptionSpec, PolicyScore, Scorer,
    Solver, SolverConfig, SolverEntry, SolverError, StakeUnit, mean_score, number_of, weighed_choices,
};
use houseway_env::gym::{CardGame, Env, PROBABILITY_UNIT, Policy};
use houseway_env::joker_seven::{
    Game, JokerSeven, JokerSevenOptions, Observation, PayRow, Paytable, Rules, Wager, WagerKind,
};
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "joker-seven",
    about: "every wager over all 177,100,560 hands",
    unit: StakeUnit { name: "chip", percent: false },
    options: &[
        OptionSpec::of_solve("paytable", OptionKind::Text("NAME"), "the paytable for the wagers, by name or file"),
        OptionSpec::of_solve(
            "enumerate",
            OptionKind::Flag,
            "also apply the rules to every hand and compare the results",
        ),
    ],
    hands: None,
    sample: None,
    side_bet: Some(side_bet),
    main_bet: Some(|config, _| Ok(ExactGame::new(config)?.main_bet())),
    ways: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

/// Counts the hands in which each kind of wager wins.
fn side_bet(paytable: Option<&str>, config: &SolverConfig, _: &Control<'_>) -> Result<BetReturn, SolverError> {
    let rules: Rules = config.rules()?;
    let paytable: Paytable = load(paytable, &[], "a common hand settles every wager at its odds")?;
    let outcomes = JointWins::by_profiles(&Game::new(rules, paytable.clone()));
    // Wagers of the same kind win with the same number of hands.
    let winners = |row: &PayRow| {
        let wager = outcomes.wagers().find(|wager| wager.kind() == row.hand);
        wager.map_or(0, |wager| outcomes.winners(wager))
    };
    let held: Vec<u64> = paytable.rows().iter().map(winners).collect();
    Ok(BetReturn::new(&paytable, &held, HANDS, &rules)?.without_rules(&["common-hand", "maximum", "minimum"]).apart())
}

/// The available frames.
const FRAMES: &[FrameSpec] = &[
    FrameSpec {
        name: "wagers",
        about: "all wagers on the layout, with their names, kinds and odds, and the number of hands in which both the \
                wager in the row and the wager in the column win",
        inputs: &[],
    },
    FrameSpec {
        name: "frontier",
        about: "the spreads of one unit with the lowest standard deviation for their EV, with the fraction for each kind \
                of wager, the EV and the standard deviation",
        inputs: &[],
    },
];

/// A game, along with the precomputed data behind its exact values.
pub(super) struct ExactGame {
    pub(super) game: Game,
    pub(super) outcomes: JointWins,
    /// `true` if all hands are also enumerated.
    pub(super) enumerate: bool,
}

impl ExactGame {
    fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        rules.check().map_err(SolverError::invalid)?;
        let game = Game::new(rules, config.paytable("paytable")?);
        let outcomes = JointWins::by_profiles(&game);
        if outcomes.wagers().next().is_none() {
            return Err(SolverError::invalid("the paytable must have a row for at least one wager under these rules"));
        }
        Ok(ExactGame { game, outcomes, enumerate: config.flag("enumerate") })
    }

    /// Returns the bet of one unit that is spread evenly over all wagers on the layout, because there is no main one. Its
    /// parts are those of each kind of wager.
    fn main_bet(&self) -> MainBet {
        let outcomes = &self.outcomes;
        let share = Ratio::new(1, outcomes.wagers().count() as i128);
        let part = |kind: WagerKind| {
            let evs = outcomes.wagers().filter(|wager| wager.kind() == kind).map(|wager| outcomes.ev(wager) * share);
            (kind.name(), evs.sum::<Ratio>())
        };
        let kinds = WagerKind::ALL.into_iter().filter(|&kind| outcomes.wagers().any(|wager| wager.kind() == kind));
        MainBet {
            unit: "unit spread evenly over all wagers",
            results: spread_evenly(&self.game),
            optimal_ev: outcomes.wagers().map(|wager| outcomes.ev(wager)).max(),
            strategies: vec![("player", "even spread over all wagers".into())],
            parts: kinds.map(part).collect(),
            seats_covariance: None,
        }
    }

    fn wagers_frame(&self) -> Frame {
        let (outcomes, rules) = (&self.outcomes, self.game.rules());
        let wagers: Vec<Wager> = outcomes.wagers().collect();
        let pairs = wagers.iter().flat_map(|&a| wagers.iter().map(move |&b| (a, b)));
        Frame::default()
            .column("name", wagers.iter().map(|wager| wager.name(rules)))
            .column("kind", wagers.iter().map(|wager| wager.kind().name().to_owned()))
            .column("odds", wagers.iter().map(|&wager| i64::from(outcomes.odds(wager))))
            .wide("both", wagers.len(), pairs.map(|(a, b)| outcomes.winners_of_both(a, b) as i64))
            .fact("hands", HANDS)
    }

    fn frontier_frame(&self) -> Frame {
        let frontier = Frontier::new(&self.outcomes);
        let (kinds, points): (Vec<(WagerKind, _)>, _) = (frontier.kinds().collect(), frontier.points());
        let shares = points.iter().flat_map(|point| point.shares.iter().map(|&(_, share)| share));
        let spots: Vec<i64> = kinds.iter().map(|&(_, spots)| spots as i64).collect();
        Frame::default()
            .wide("shares", kinds.len(), shares)
            .column("ev", points.iter().map(|point| point.ev))
            .column("deviation", points.iter().map(|point| point.deviation))
            .fact("kinds", kinds.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>())
            .fact("spots", spots)
    }
}

impl Solver for ExactGame {
    fn rules(&self) -> (Value, String) {
        (json!(self.game.rules()), self.game.rules().hash())
    }

    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        if self.enumerate && self.outcomes != JointWins::by_enumeration(&self.game, control)? {
            return Err(SolverError::failed("closed form and enumeration disagree; this is a bug, please report it"));
        }
        Ok(self.answer())
    }

    fn value(&self, _: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        Err(SolverError::invalid("Joker Seven wagers are placed before any card is seen; solve the full game instead"))
    }

    /// Returns EVs that assume all remaining chips are kept, which is optimal if no wager has a positive EV. Otherwise,
    /// returns `None`.
    fn decision(&self, view: &Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let stakes: Vec<u32> = serde_json::from_value(view["stakes"].clone()).map_err(SolverError::invalid)?;
        let (left, rules) = (number_of(view, "left")?, self.game.rules());
        let evs: Vec<Option<f64>> =
            Wager::all().map(|wager| self.game.odds(wager).map(|_| self.outcomes.ev(wager).value())).collect();
        if stakes.len() != evs.len() || evs.iter().flatten().any(|&ev| ev > 0.0) {
            return Ok(None);
        }
        let placed: f64 = stakes.iter().zip(&evs).map(|(&chips, ev)| f64::from(chips) * ev.unwrap_or(0.0)).sum();
        let after = |(ev, &staked): (&Option<f64>, &u32)| {
            let chips = if staked == 0 { rules.minimum } else { 1 };
            let takes = f64::from(chips) <= left && staked + chips <= rules.maximum;
            ev.filter(|_| takes).map(|ev| placed + f64::from(chips) * ev)
        };
        let mut after: Vec<Option<f64>> = evs.iter().zip(&stakes).map(after).collect();
        after.push(stakes.iter().any(|&chips| chips > 0).then_some(placed));
        Ok(Some(Decision { evs: after, house: None, group: "wagers".to_owned(), side_ev: 0.0 }))
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        config.check_no_sample()?;
        Ok(Box::new(FinalWagers::new(self, config)?))
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, name: &str, _: &Inputs, _: &Control<'_>) -> Result<Frame, SolverError> {
        Ok(if name == "wagers" { self.wagers_frame() } else { self.frontier_frame() })
    }
}

/// The observation encoding that policies must use.
const ENCODING: Observation = Observation::Counts;

/// The maximum number of different stakes for which a stochastic policy is evaluated after each chip.
const MAX_STATES: usize = 10_000;

/// The number of chips on each wager.
type Stakes = [u8; Wager::COUNT];

/// Evaluates policies by the EV of their final wagers. No card is seen before betting ends, so every round is the same.
struct FinalWagers<'a> {
    exact: &'a ExactGame,
    env: JokerSeven,
    options: JokerSevenOptions,
    chips: u32,
}

impl<'a> FinalWagers<'a> {
    fn new(exact: &'a ExactGame, config: &EvaluatorConfig) -> Result<FinalWagers<'a>, SolverError> {
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
        Ok(FinalWagers { exact, env, options: JokerSevenOptions { chip: 1.0, ..options }, chips })
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
        chips.map(|wager| self.exact.outcomes.ev(wager)).sum()
    }

    /// Returns the optimal stakes. The required minimum goes on the best wager, and more chips are staked only if the
    /// EV is positive. A given number of wagers are the best ones, each with at least the minimum and the better ones
    /// with as much as possible. More wagers are only better if fewer can't take all chips.
    fn optimal(&self) -> Stakes {
        let Rules { minimum, maximum, .. } = *self.exact.game.rules();
        let mut wagers: Vec<(Wager, f64)> = self.exact.outcomes.wagers().map(|wager| (wager, self.ev(wager))).collect();
        wagers.sort_by(|a, b| b.1.total_cmp(&a.1));
        let on_best = |count: usize| {
            let (mut stakes, mut left) = ([0; Wager::COUNT], self.chips - count as u32 * minimum);
            for &(wager, ev) in &wagers[..count] {
                let more = if ev > 0.0 { left.min(maximum - minimum) } else { 0 };
                stakes[wager.index()] = (minimum + more) as u8;
                left -= more;
            }
            stakes
        };
        let winning = wagers.iter().filter(|(_, ev)| *ev > 0.0).count();
        let most = winning.clamp(1, (self.chips / minimum) as usize);
        let all = (1..=most).rev().map(on_best);
        all.max_by(|a, b| self.ev_of(a).total_cmp(&self.ev_of(b))).expect("the chips are enough for a wager")
    }

    fn score(&self, name: &str, stakes: &Stakes) -> PolicyScore {
        let ev = self.ev_of(stakes);
        // The policy's sum and the optimum's may be rounded differently.
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
        let (mut observation, mut mask) = (vec![0.0; env.observation_space().len()], vec![false; env.actions()]);
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
                    let stakes = after.state().map_err(SolverError::failed)?.stakes;
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
    fn stakes(&self, policy: &dyn Policy) -> Result<Stakes, SolverError> {
        let mut env = self.env.clone();
        env.start(Some(0), &self.options).map_err(SolverError::failed)?;
        let mut observation = vec![0.0; env.observation_space().len()];
        let mut mask = vec![false; env.actions()];
        loop {
            env.observe(&mut observation).and_then(|()| env.action_mask(&mut mask)).map_err(SolverError::failed)?;
            let chosen = weighed_choices(policy, &observation, &mask, mask.len())?.actions[0];
            if env.step(chosen).map_err(SolverError::failed)?.terminated {
                return env.state().map(|state| state.stakes).map_err(SolverError::failed);
            }
        }
    }
}

impl Scorer for FinalWagers<'_> {
    fn encodings(&self) -> Vec<&'static str> {
        vec![ENCODING.name()]
    }

    fn unit(&self) -> StakeUnit {
        SOLVER.unit
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        let stakes = self.stakes(policy)?;
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
        let of_colour = wagers.iter().find(|wager| wager.kind() == WagerKind::FourOrMoreOfAColour);
        all.extend(of_colour.map(|&wager| self.score("four or more of a colour", &on(wager))));
        all
    }

    fn preface(&self) -> String {
        format!(
            "Joker Seven, paytable {}: {} {}, of which one wager at its minimum must be staked and the others may be kept. \
             No card is seen before the stakes are placed, so a policy is the wagers that it ends on; each is evaluated by \
             its exact EV over all {} hands.",
            self.exact.game.paytable().name(),
            self.chips,
            if self.chips == 1 { "chip" } else { "chips" },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimum_is_the_best_of_all_stakes() {
        let rows = [("one-joker", 4), ("two-jokers", 80), ("no-pair", 5)];
        let rows = rows.map(|(hand, odds)| format!("[[row]]\nhand = '{hand}'\nodds = {odds}\n"));
        let paytable: Paytable = format!("name = 'generous'\n{}", rows.concat()).parse().unwrap();
        for (minimum, maximum, chips) in [(3, 5, 12), (3, 5, 5), (1, 6, 9), (4, 4, 11), (2, 6, 30)] {
            let game = Game::new(Rules { minimum, maximum, ..Rules::default() }, paytable.clone());
            let exact = ExactGame { outcomes: JointWins::by_profiles(&game), game, enumerate: false };
            let reset_options = Map::from_iter([("chips".to_owned(), json!(chips))]);
            let config = EvaluatorConfig { reset_options, ..EvaluatorConfig::default() };
            let wagers = FinalWagers::new(&exact, &config).unwrap();
            let evs: Vec<f64> = exact.outcomes.wagers().map(|wager| wagers.ev(wager)).collect();
            assert!(evs.len() == 3 && evs.iter().all(|ev| *ev > 0.0), "{evs:?}");
            let stakes = || std::iter::once(0).chain(minimum..=maximum);
            let mut best = f64::NEG_INFINITY;
            for a in stakes() {
                for (b, c) in stakes().flat_map(|b| stakes().map(move |c| (b, c))) {
                    if (minimum..=chips).contains(&(a + b + c)) {
                        let ev = [a, b, c].iter().zip(&evs).map(|(&stake, ev)| f64::from(stake) * ev).sum();
                        best = f64::max(best, ev);
                    }
                }
            }
            assert!((wagers.optimum().ev - best).abs() < 1e-12, "{minimum} to {maximum}, {chips} chips");
        }
    }
}
