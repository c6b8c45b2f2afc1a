//! The solver for Face Up Pai Gow Poker, with the decisions to practice and the evaluation of policies.

use crate::Ratio;
use crate::answer::Answer;
use crate::format::percent;
use crate::net::{MainBet, NetResults};
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::outcomes::{DealCounts, HANDS, MAX_LOSS, Side};
use crate::pai_gow::solver::hand_return;
use crate::pai_gow::strategies::{load_strategies, with_assignments};
use crate::pai_gow::whole::{Pass, Run};
use crate::side_bet::{BetReturn, load};
use crate::solver::{
    BATCH, Control, DeadCards, Decision, Decisions, Evaluator, EvaluatorConfig, Exercise, FixedSample, HousePlay,
    IsAsked, OptionKind, OptionSpec, PolicyScore, Practice, SampleConfig, SampleSpec, Scorer, Solver, SolverConfig,
    SolverEntry, SolverError, StakeUnit, draw_deals, invalid, mean_with_half_width, text_of,
};
use houseway_env::cards::{CardSet, Pack};
use houseway_env::gym::{CardGame, Encoding, Policy, StakeOptions};
use houseway_env::pai_gow::face_up::{FaceUpGame, Observation, Rules};
use houseway_env::pai_gow::house_way::{HouseWay, Shape, Way};
use houseway_env::pai_gow::{Dealt, Hand, Setting, SideBet, State, Strategy};
use houseway_env::rules::RuleSet;
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};
use std::sync::{Arc, OnceLock};

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "face-up-pai-gow",
    about: "the edge over all 8,250,459,031,214,400 deals if the player sets optimally against the dealer's shown hand",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec::of_both(
            "dealer",
            OptionKind::Text("WAY"),
            "the dealer's house way, by name or file [default: trump-plaza]",
        ),
        OptionSpec::of_value(
            "dealer-hand",
            OptionKind::Text("CARDS"),
            "the dealer's seven cards; if omitted, the EV is averaged over all of the dealer's hands",
        ),
        DeadCards::OPTION,
        DeadCards::UNKNOWN,
    ],
    hands: Some("seven cards: the EV over all dealer hands, or, with the dealer's hand, the outcome of every setting"),
    sample: Some(SAMPLE),
    side_bet: Some(side_bet),
    main_bet: Some(|config, control| ExactGame::new(config)?.main_bet(control)),
    ways: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

/// Counts the hands that a paytable of Pai Gow Poker's side bet pays.
fn side_bet(paytable: Option<&str>, config: &SolverConfig, _: &Control<'_>) -> Result<BetReturn, SolverError> {
    let rules: Rules = with_assignments(config.given_rules()?, &config.assignments)?;
    let able = ["on = \"dealer\"", "on = \"either\"", "cards", "for-one", "envy", "meter", "front", "both"];
    let paytable = load(paytable, &able, "the player sets the hand knowing the dealer's")?;
    let bet = SideBet::new(paytable, &rules.pai_gow());
    hand_return(&bet, &rules, || Ok(Arc::clone(ExactGame::new(config)?.game.dealer())))
}

/// The game under a set of rules, along with the solver's options.
pub(super) struct ExactGame {
    pub(super) game: FaceUpGame<HouseWay>,
    /// The dealer's strategy.
    pub(super) dealer: BankerTable,
    /// The dealer's hand, if known.
    pub(super) dealer_hand: Option<Hand>,
    pub(super) dead: DeadCards,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules = with_assignments(config.given_rules()?, &config.assignments)?;
        let name = config.get("dealer").unwrap_or(Way::DEFAULT);
        let game = FaceUpGame::new(rules, |game| {
            let dealer = load_strategies(&[name], &config.assignments, game)?.pop();
            dealer
                .and_then(|dealer| dealer.way().cloned())
                .ok_or_else(|| invalid!("invalid dealer '{name}': expected a house way's name or file"))
        })?;
        let dealer_hand = config
            .get("dealer-hand")
            .map(|hand| hand.parse().map_err(|error| invalid!("invalid dealer hand: {error}")));
        let dealer = BankerTable::new(&**game.dealer());
        Ok(ExactGame { game, dealer, dealer_hand: dealer_hand.transpose()?, dead: DeadCards::from_config(config)? })
    }

    /// Returns the dealer's hand after checking it against the player's hand and the dead cards.
    fn check_dealer(&self, hand: Hand, dealer: Hand) -> Result<Hand, SolverError> {
        if let Some(card) = dealer.set().intersection(hand.set()).iter().next() {
            return Err(invalid!("invalid dealer hand: {card} is in both hands"));
        }
        self.dead.beside(hand.set().union(dealer.set()), CardSet::DECK_53, 0)?;
        Ok(dealer)
    }

    /// Counts the outcomes over all deals.
    fn count(&self, control: &Control<'_>) -> Result<DealCounts, SolverError> {
        let pass = Pass::new(self.game.game(), Side::Player, &self.dealer);
        Ok(Run::with(control, "enumerating", |run| pass.open_total(run))?)
    }

    fn main_bet(&self, control: &Control<'_>) -> Result<MainBet, SolverError> {
        let counts = self.count(control)?;
        let results = [(1, counts.wins), (0, counts.pushes), (-1, counts.losses)];
        let results: NetResults = results.into_iter().map(|(net, deals)| (net, deals.into())).collect();
        let strategies = vec![("player", "optimal".into()), ("dealer", self.dealer.name().into())];
        let pushing = Ratio::new(self.pushing_hands().into(), HANDS.into());
        Ok(MainBet {
            unit: "unit",
            optimal_ev: Some(results.ev()),
            results,
            strategies,
            parts: vec![("every_bet_pushes", pushing)],
            seats_covariance: None,
        })
    }

    fn shown(&self, hand: &str, dealer: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let decision = self.decision(&json!({ "hand": hand, "dealer": { "hand": dealer } }), control)?;
        decision.ok_or_else(|| SolverError::failed("there are no exact values for this position"))
    }
}

impl Solver for ExactGame {
    fn rules(&self) -> (Value, String) {
        (json!(self.game.rules()), self.game.rules().hash())
    }

    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        Ok(self.solved(self.count(control)?))
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        match self.dealer_hand {
            None => self.unseen(hand),
            Some(dealer) => Ok(self.seen(hand, self.check_dealer(hand, dealer)?)),
        }
    }

    fn decision(&self, view: &Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let hand: Hand = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let dealer: Hand = text_of(&view["dealer"], "hand")?.parse().map_err(SolverError::invalid)?;
        let outcomes = self.outcomes(hand, self.set_dealer(dealer).1);
        let way = self.game.dealer();
        let rule = way.rule(hand);
        Ok(Some(Decision {
            evs: outcomes.iter().map(|outcome| outcome.map(|outcome| self.game.game().payoff(outcome))).collect(),
            house: Some(HousePlay {
                action: way.set(hand).index(),
                strategy: way.name().to_owned(),
                rule: Some((rule.name.clone(), rule.text.clone())),
            }),
            group: Shape::from_hand(hand).name().to_owned(),
            side_ev: 0.0,
        }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(SampledDeals::new(self, config)?))
    }
}

/// The text between the player's and the dealer's cards.
const DEALER: &str = ", dealer ";

impl Practice for ExactGame {
    /// Returns all shapes except those with five aces, which come last.
    fn topics(&self) -> &'static [&'static str] {
        &Shape::NAMES[..Shape::FiveAces as usize]
    }

    fn exercises(
        &self,
        is_asked: IsAsked<'_>,
        rng: &mut Pcg64,
        control: &Control<'_>,
    ) -> Result<Vec<Exercise>, SolverError> {
        let deal = || {
            let mut pack = Pack::new(CardSet::DECK_53.len());
            let mut hand = || Dealt::draw(&mut pack, rng).expect("a full pack has two hands").hand();
            (hand(), hand())
        };
        let deals = draw_deals(BATCH, deal, |&(hand, _)| is_asked(Shape::from_hand(hand).name()));
        let exercise = |(hand, dealer): (Hand, Hand)| {
            let (hand, dealer) = (hand.to_string(), dealer.to_string());
            let decision = self.shown(&hand, &dealer, control)?;
            let regret = decision.house.as_ref().and_then(|house| decision.regret(house.action));
            let (position, regret) = (format!("{hand}{DEALER}{dealer}"), regret.unwrap_or(0.0));
            Ok(Exercise { position, group: decision.group, regret })
        };
        deals.into_iter().map(exercise).collect()
    }

    fn decide(&self, position: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let (hand, dealer) = position
            .split_once(DEALER)
            .ok_or_else(|| invalid!("invalid position '{position}': expected a hand{DEALER}and the dealer's hand"))?;
        let (own, other) = (hand.parse().map_err(SolverError::invalid)?, dealer.parse().map_err(SolverError::invalid)?);
        self.check_dealer(own, other)?;
        self.shown(hand, dealer, control)
    }

    /// Returns the dealer's hand as it is set.
    fn beside(&self, position: &str) -> Option<String> {
        let dealer: Hand = position.split_once(DEALER)?.1.parse().ok()?;
        let setting = self.game.dealer().set(dealer);
        Some(format!("The dealer sets {} in front of {}", setting.front(dealer), setting.back(dealer)))
    }
}

/// The sample that evaluations use.
const SAMPLE: SampleSpec = SampleSpec { items: "deals", default_size: 20_000, always: true };

/// The scores of policies on a sample of deals.
///
/// A policy also sees the dealer's hand, so it would have to be evaluated on every deal, and there are too many of them.
/// The results of all settings are exact for each deal in the sample, so the only error is the sampling error.
struct SampledDeals<'a> {
    exact: &'a ExactGame,
    config: SampleConfig,
    deals: Vec<State>,
    /// The deals as policies see them in each encoding, once they are needed.
    decisions: [OnceLock<Decisions>; Observation::ALL.len()],
}

impl<'a> SampledDeals<'a> {
    fn new(exact: &'a ExactGame, config: &EvaluatorConfig) -> Result<SampledDeals<'a>, SolverError> {
        config.check_no_reset_options()?;
        let config = config.sample(SAMPLE.default_size)?;
        let mut rng = config.stream();
        let deals = (0..config.size).map(|_| exact.game.deal(&StakeOptions::default(), &mut rng)).collect();
        Ok(SampledDeals { exact, config, deals, decisions: Default::default() })
    }

    fn decisions(&self, encoding: Observation) -> &Decisions {
        self.decisions[encoding as usize].get_or_init(|| {
            let game = &self.exact.game;
            let mut decisions = Decisions::new(encoding.name(), Setting::COUNT, 1).sampled(MAX_LOSS);
            let mut observation = vec![0.0; encoding.len()];
            let (mut mask, mut rewards) = ([false; Setting::COUNT], [0.0; Setting::COUNT]);
            for state in &self.deals {
                game.observe(encoding, state, &mut observation);
                game.legal(state, &mut mask);
                game.action_rewards(state, &mut rewards);
                // Without a commission, every reward is 1, 0 or -1.
                let rewards = mask.iter().zip(rewards).map(|(legal, reward)| legal.then_some(reward as i64));
                decisions.push(1, &observation, rewards);
            }
            decisions
        })
    }
}

impl SampledDeals<'_> {
    /// Returns half the width of the 95% confidence interval of the optimum's EV.
    fn half_width(&self) -> f64 {
        let best = self.decisions(Observation::default()).legal().map(|legal| legal.map(|(_, reward)| reward).max());
        let results: Vec<f64> = best.flatten().map(|reward| reward as f64).collect();
        mean_with_half_width(&results).1
    }
}

impl Scorer for SampledDeals<'_> {
    fn encodings(&self) -> Vec<&'static str> {
        vec![Observation::Comparisons.name(), Observation::RawCards.name()]
    }

    fn unit(&self) -> StakeUnit {
        SOLVER.unit
    }

    fn sample(&self) -> Option<FixedSample> {
        let reason = "a policy also sees the dealer's hand";
        Some(FixedSample { items: SAMPLE.items, config: self.config, reason })
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        let encoding: Observation = policy.encoding().parse().map_err(SolverError::invalid)?;
        self.decisions(encoding).policy_score(policy, |_| Map::new())
    }

    /// Returns the scores of a random choice and of the dealer's house way.
    fn baselines(&self) -> Vec<PolicyScore> {
        let decisions = self.decisions(Observation::default());
        let mean = |legal: Vec<(usize, i64)>| legal.iter().map(|it| it.1).sum::<i64>() as f64 / legal.len() as f64;
        let random: Vec<f64> = decisions.legal().map(|legal| mean(legal.collect())).collect();
        let way = self.deals.iter().map(|state| self.exact.game.house_action(state).expect("a house way never fouls"));
        vec![
            decisions.sampled_score("random legal", &random, Map::new()),
            decisions.score(self.exact.dealer.name(), &way.collect::<Vec<_>>(), Map::new()),
        ]
    }

    fn optimum(&self) -> PolicyScore {
        let decisions = self.decisions(Observation::default());
        // The optimum loses nothing by definition.
        PolicyScore { regret_ci: None, ..decisions.score("optimum", &decisions.best(), Map::new()) }
    }

    fn preface(&self) -> String {
        format!(
            "Face Up Pai Gow Poker against a dealer who sets by {}, {}. Each deal's results are exact for all settings. The \
             luck of the deals is part of all EVs, ±{} for the optimum, and mostly cancels in the regret, which is the \
             difference on the same deals.",
            self.exact.dealer.name(),
            self.sample().map(FixedSample::note).unwrap_or_default(),
            percent(self.half_width(), 3)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::whole::Payoff;
    use crate::pai_gow::{KnownCards, slow};
    use crate::registry::find;
    use crate::solver::{Entrant, Scope};
    use houseway_env::gym::FnPolicy;
    use houseway_env::pai_gow::face_up::Rules;

    const HAND: &str = "As Kd Jk 7c 7d 2h 3s";
    /// All cards except the player's seven and fifteen that the dealer can hold.
    const DEAD: &str = "Ad Ah Ac Kh Ks Kc Qs Qh Qd Qc Js Jh Jd Jc Ts Th 9s 9h 9c 8d 8c 7s 6h 6d 5s 4d 4c 3c 2c 2s 2d";

    #[test]
    fn a_drill_shows_the_hand_as_the_dealer_sets_it() {
        let solver = solver(&[]);
        let shown = solver.practice().unwrap().beside("As Kd Jk 7c 7d 2h 3s, dealer 3c Qs 4c Ah Qd 6c 4d").unwrap();
        assert_eq!(shown, "The dealer sets Ah 6c in front of Qs Qd 4d 4c 3c");
    }

    fn solver(options: &[(&str, &str)]) -> Box<dyn Solver> {
        let config = options.iter().fold(SolverConfig::default(), |config, (name, text)| config.option(name, text));
        find("face-up-pai-gow").unwrap().solver(&config).unwrap()
    }

    fn value(options: &[(&str, &str)]) -> Result<Value, SolverError> {
        solver(options).value(HAND, &Control::default()).map(|answer| answer.json)
    }

    #[test]
    fn a_hand_is_counted_against_all_hands_of_the_dealer() {
        let json = value(&[("dealer", "foxwoods"), ("dead", DEAD)]).unwrap();
        let game =
            FaceUpGame::new(Rules::default(), |game| HouseWay::shared(Way::named("foxwoods").unwrap(), game)).unwrap();
        let known = KnownCards::new(HAND.parse().unwrap(), DEAD.parse::<CardSet>().unwrap());
        let counts = slow::count_open(game.game(), &**game.dealer(), known.unwrap());
        let [wins, losses] = [counts.wins, counts.losses].map(|count| count.to_string());
        assert_eq!([&json["wins"], &json["losses"]], [&wins, &losses]);
        assert_eq!(json["dealer_hands"], "6435");
        assert_eq!(json["ev"], counts.ev(Payoff::EVEN).value());
    }

    #[test]
    fn a_hand_of_the_dealer_decides_every_setting() {
        let json = value(&[("dealer-hand", "Qs Qh 9c 8c 6d 4h 2c")]).unwrap();
        assert_eq!(json["dealer_hand"]["front"], "9c 8c");
        let outcome = |front: &str| {
            let settings = json["settings"].as_array().unwrap();
            settings.iter().find(|setting| setting["front"] == front).unwrap()["outcome"].clone()
        };
        // The dealer has a pair of queens and nine-eight. Aces and sevens win, while sevens and ace-king push.
        assert_eq!((outcome("7d 7c"), outcome("As Kd")), ("win".into(), "push".into()));
        assert_eq!((outcome("3s 2h"), outcome("Jk As")), ("push".into(), Value::Null));
        assert_eq!(json["settings"][json["best"].as_u64().unwrap() as usize]["outcome"], "win");
        let json = value(&[("dealer-hand", "Ah Kc Qh 9c 6d 4h 2c")]).unwrap();
        assert_eq!(json["dealer_hand"]["pushes"], true);
        let settings = json["settings"].as_array().unwrap();
        assert!(settings.iter().all(|setting| setting["foul"] == true || setting["outcome"] == "push"));
        for (hand, part) in
            [("As Qs Qh 9c 8c 6d 4h", "As is in both hands"), ("Qs Qh", "a hand has 7 cards"), ("Xx", "invalid card")]
        {
            let config = SolverConfig::default().option("dealer-hand", hand);
            let solver = find("face-up-pai-gow").unwrap().solver(&config);
            let error = solver.and_then(|solver| solver.value(HAND, &Control::default())).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_decision_has_the_outcomes_of_the_deal() {
        let view = serde_json::json!({ "hand": HAND, "dealer": { "hand": "Qs Qh 9c 8c 6d 4h 2c" } });
        let decision = solver(&[]).decision(&view, &Control::default()).unwrap().unwrap();
        let json = value(&[("dealer-hand", "Qs Qh 9c 8c 6d 4h 2c")]).unwrap();
        assert_eq!(decision.best() as u64, json["best"].as_u64().unwrap());
        for (ev, setting) in decision.evs.iter().zip(json["settings"].as_array().unwrap()) {
            let expected = match setting["outcome"].as_str() {
                Some("win") => Some(1.0),
                Some("push") => Some(0.0),
                Some(_) => Some(-1.0),
                None => None,
            };
            assert_eq!(*ev, expected);
        }
    }

    #[test]
    fn a_policy_that_sees_the_comparisons_can_be_optimal() {
        // It chooses the first legal setting that beats the most halves.
        let most_halves = FnPolicy::new("most halves", "comparisons", |observations, _| {
            let beaten = |row: &[f32], i: usize| row[3 * i] * (1.0 + row[3 * i + 1] + row[3 * i + 2]);
            let best =
                |row: &[f32]| (0..Setting::COUNT).rev().max_by(|&a, &b| beaten(row, a).total_cmp(&beaten(row, b)));
            observations.chunks(3 * Setting::COUNT + 1).filter_map(best).collect::<Vec<usize>>()
        });
        let (solver, control) = (solver(&[]), Control::default());
        let sample = Some(SampleConfig { size: 2_000, seed: 3 });
        let evaluator = solver.evaluator(&EvaluatorConfig { sample, ..EvaluatorConfig::default() }, &control).unwrap();
        let entrants = [Entrant { policy: &most_halves, in_detail: true }];
        let evaluation = evaluator.evaluate(&entrants, Scope::Sample, &control).unwrap();
        let names: Vec<&str> = evaluation.scores.iter().map(|score| score.name.as_str()).collect();
        assert_eq!(names, ["random legal", "trump-plaza", "most halves", "optimum"]);
        let [random, way, own, best] = &evaluation.scores[..] else { panic!("four scores") };
        assert_eq!((own.regret, own.agreement, own.ev), (0.0, 1.0, best.ev));
        assert!(random.regret > way.regret && way.regret > 0.0 && way.regret_ci.unwrap()[0] < way.regret);
        assert_eq!(evaluator.measure(&most_halves).unwrap()[0], ("regret", 0.0));
        let error = evaluator.evaluate(&entrants, Scope::Whole, &control).unwrap_err().to_string();
        assert!(error.contains("--exact sample"), "{error}");
    }

    #[test]
    #[ignore = "takes 25 s of processor time to evaluate all deals twice"]
    fn the_edge_over_all_deals_is_known() {
        let solve = |options: &[(&str, &str)]| solver(options).solve(&Control::default()).unwrap().json;
        let json = solve(&[]);
        let number = |json: &Value, key: &str| json[key].as_str().unwrap().parse::<u64>().unwrap();
        let counts = |json: &Value| ["wins", "pushes", "losses"].map(|key| number(json, key));
        assert_eq!(counts(&json), [2_046_163_521_143_516, 4_007_818_598_853_932, 2_196_476_911_216_952]);
        assert_eq!(counts(&json).iter().sum::<u64>(), 8_250_459_031_214_400);
        assert_eq!(number(&json, "pushing_hands"), 14_430_780);
        assert!((json["edge"].as_f64().unwrap() - 0.018_218_791_161).abs() < 1e-12, "{}", json["edge"]);
        // The closest dealer among the house ways with their default readings.
        let claridge = counts(&solve(&[("dealer", "claridge")]));
        assert_eq!(claridge, [2_046_245_656_662_680, 4_007_756_724_468_920, 2_196_456_650_082_800]);
    }
}
