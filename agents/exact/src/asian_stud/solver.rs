//! The Asian Stud solver, with its data frames and the hands to practice.

use super::answer::{Parts, Results};
use super::{AsianStud, Class, deck, poker_hands, side_bet_ev, with_set};
use crate::Ratio;
use crate::answer::{Answer, Frame, Section, TextTable};
use crate::format::{grouped, percent};
use crate::net::MainBet;
use crate::one_decision::{Enumerated, OneDecision};
use crate::side_bet::{BetReturn, better_of_two, hands_by_row, joint_rows, load};
use crate::solver::{
    BATCH, Control, DeadCards, Decision, Evaluator, EvaluatorConfig, Exercise, FrameSpec, HousePlay, InputSpec, Inputs,
    IsAsked, OptionKind, OptionSpec, Practice, Solver, SolverConfig, SolverEntry, SolverError, StakeUnit, draw_deals,
    invalid, number_of, text_of,
};
use houseway_env::asian_stud::{
    FOLD, Game, Hand, Paytable, Points, RAISE, Rules, SideBetOnFold, UNIT, Value as HandValue,
};
use houseway_env::cards::Pack;
use houseway_env::paytable::HandOf;
use houseway_env::rules::RuleSet;
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "asian-stud",
    about: "the EV of raising with every hand, and the optimal strategy",
    unit: StakeUnit { name: "ante", percent: false },
    options: &[
        OptionSpec::of_solve("paytable", OptionKind::Text("NAME"), "the side bet's paytable, by name or file"),
        DeadCards::OPTION,
        DeadCards::UNKNOWN,
    ],
    hands: Some("five cards: folding and raising"),
    sample: None,
    side_bet: Some(side_bet),
    main_bet: Some(|config, _| Ok(ExactGame::new(config)?.main_bet())),
    ways: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

/// The available frames.
const FRAMES: &[FrameSpec] = &[
    FrameSpec {
        name: "classes",
        about: "all hand classes with their cards by points and jokers, value, number of hands, the dealer's hands by \
                value, the EV of raising in antes times the denominator, and whether the optimum raises",
        inputs: &[],
    },
    FrameSpec {
        name: "hands",
        about: "the value of each hand and its EV of raising in antes, times the denominator",
        inputs: &[InputSpec { name: "cards", about: "rows of five cards", optional: false }],
    },
    FrameSpec {
        name: "policy",
        about: "the results of a policy over all deals",
        inputs: &[InputSpec { name: "raises", about: "whether the policy raises with each class", optional: false }],
    },
    FrameSpec {
        name: "payoffs",
        about: "the result of raising in units of the ante, by the player's and the dealer's value",
        inputs: &[],
    },
    FrameSpec {
        name: "side-bet",
        about: "each row of the side bet's paytable, with its odds and the number of hands it pays",
        inputs: &[],
    },
];

/// The strategy to compare with in practice, and its rule. The other common strategy is to raise with every hand.
const STRATEGY: (&str, &str) = ("raise with a set", "raise with a set, and fold everything else");

/// Checks that the side bet is settled no matter what the player does.
fn check_settled(rules: &Rules) -> Result<(), SolverError> {
    match rules.side_bet_on_fold {
        SideBetOnFold::Settled => Ok(()),
        SideBetOnFold::Lost => Err(SolverError::invalid(
            "with side-bet-on-fold=lost, the side bet depends on which hands are folded; use side-bet-on-fold=settled",
        )),
    }
}

/// Counts the hands that a paytable of the side bet pays.
fn side_bet(paytable: Option<&str>, config: &SolverConfig, _: &Control<'_>) -> Result<BetReturn, SolverError> {
    let rules: Rules = config.rules()?;
    check_settled(&rules)?;
    let able = ["on = \"dealer\"", "on = \"either\"", "for-one", "envy", "meter"];
    let paytable: Paytable =
        load(paytable, &able, "the side bet is settled by five cards, whether or not the player raises")?;
    let counts = poker_hands(&rules);
    let (mut held, mut all) = (hands_by_row(&paytable, &counts), counts.iter().map(|(_, hands)| hands).sum());
    if paytable.terms().on == HandOf::Either {
        let game = Game::new(rules);
        let row_of = |cards| paytable.row_of(game.category(Hand::new(cards).ok()?));
        (held, all) = better_of_two(&paytable, &joint_rows(deck(&rules), Hand::CARDS, held.len(), row_of));
    }
    let main_bet = ["commission", "commission-rate", "no-set-against-set", "odds-on"];
    Ok(BetReturn::new(&paytable, &held, all, &rules)?.without_rules(&main_bet).with_contained(&paytable))
}

/// The solver of the main game, and the EV of the side bet per unit staked once it has been computed.
struct ExactGame {
    solver: Enumerated<AsianStud>,
    dead: DeadCards,
    side_bet: OnceLock<Ratio>,
}

impl ExactGame {
    fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let game = AsianStud::new(config.rules()?).with_paytable(config.paytable("paytable")?);
        let dead = DeadCards::from_config(config)?;
        Ok(ExactGame { solver: Enumerated::new(game), dead, side_bet: OnceLock::new() })
    }

    fn game(&self) -> &AsianStud {
        self.solver.game()
    }

    fn main_bet(&self) -> MainBet {
        let situations = self.solver.situations();
        let raises = |class: usize| situations[class].best() == RAISE;
        MainBet {
            unit: "ante",
            results: self.game().net_results(raises),
            parts: self.game().ev_parts(raises),
            optimal_ev: Some(self.solver.optimal().ev()),
            strategies: vec![("player", "optimal".into())],
            seats_covariance: None,
        }
    }

    /// Returns the EV of the side bet before the deal, per unit staked, if it is settled no matter what the player does.
    fn side_bet_ev(&self) -> Ratio {
        let game = self.game();
        let ev = || side_bet_ev(game.game.paytable(), &poker_hands(game.game.rules()));
        *self.side_bet.get_or_init(ev)
    }

    fn practiced(&self, hand: Hand) -> Result<Decision, SolverError> {
        let class = self.game().class(hand)?;
        let (strategy, rule) = (STRATEGY.0.to_owned(), Some((STRATEGY.0.to_owned(), STRATEGY.1.to_owned())));
        let house = Some(HousePlay { action: with_set(class), strategy, rule });
        Ok(Decision { house, ..self.game().of_class(class, hand).decision() })
    }

    /// Returns the common denominator of all class EVs.
    fn denominator(&self) -> i64 {
        self.game().dealer_hands() as i64 * UNIT
    }

    fn classes_frame(&self) -> Frame {
        let (all, situations) = (self.game().classes(), self.solver.situations());
        let dealers = |class: &Class| class.dealers.map(|hands| hands as i64);
        Frame::default()
            .wide("counts", Points::COUNT, all.iter().flat_map(|class| class.counts))
            .column("value", all.iter().map(|class| class.value.index() as u8))
            .column("hands", all.iter().map(|class| class.hands as i64))
            .wide("dealers", HandValue::COUNT, all.iter().flat_map(dealers))
            .column("gains", situations.iter().map(|it| it.rewards[RAISE]))
            .column("raises", situations.iter().map(|it| it.best() == RAISE))
            .fact("denominator", self.denominator())
    }

    fn hands_frame(&self, inputs: &Inputs) -> Result<Frame, SolverError> {
        let (mut values, mut gains): (Vec<u8>, Vec<i64>) = (vec![], vec![]);
        for set in inputs.cards("cards", &[Hand::CARDS])? {
            let class = self.game().class(Hand::new(set).map_err(SolverError::invalid)?)?;
            values.push(class.value.index() as u8);
            gains.push(self.game().raise_sum(class));
        }
        Ok(Frame::default().column("value", values).column("gains", gains).fact("denominator", self.denominator()))
    }

    fn policy_frame(&self, inputs: &Inputs) -> Result<Frame, SolverError> {
        let (raises, game) = (inputs.flags("raises")?, self.game());
        if raises.len() != game.classes().len() {
            return Err(invalid!(
                "expected {} decisions to raise, one per class, found {}",
                game.classes().len(),
                raises.len()
            ));
        }
        let action = |class: usize| if raises[class] { RAISE } else { FOLD };
        let raised = self.solver.total(|class, _| action(class)).hands[RAISE];
        let results = Results::new(&self.solver, action);
        Ok(Frame::default()
            .fact("deals", game.deals())
            .fact("raised", raised * game.dealer_hands())
            .fact("ev", results.ev.to_json())
            .fact("ev_per_unit_staked", results.ev_per_unit_staked.to_json())
            .fact("average_wager", results.average_wager.to_json())
            .fact("variance", results.variance))
    }

    fn payoffs_frame(&self) -> Frame {
        let pairs = HandValue::all().flat_map(|player| HandValue::all().map(move |dealer| (player, dealer)));
        let payoffs = pairs.map(|(player, dealer)| self.game().game.raised(player, dealer));
        Frame::default().wide("dealer", HandValue::COUNT, payoffs).fact("unit", UNIT)
    }

    fn side_bet_frame(&self) -> Result<Frame, SolverError> {
        let game = &self.game().game;
        check_settled(game.rules())?;
        let (paytable, counts) = (game.paytable(), poker_hands(game.rules()));
        let rows = || paytable.rows().iter();
        Ok(Frame::default()
            .column("hand", rows().map(|row| row.hand.name().to_owned()))
            .column("odds", rows().map(|row| i64::from(row.odds.units(1))))
            .column("hands", hands_by_row(paytable, &counts).into_iter().map(|hands| hands as i64))
            .fact("hands", counts.iter().map(|(_, hands)| hands).sum::<u64>())
            .fact("ev", side_bet_ev(paytable, &counts).to_json()))
    }
}

impl Solver for ExactGame {
    fn rules(&self) -> (Value, String) {
        self.game().rules()
    }

    fn solve(&self, _: &Control<'_>) -> Result<Answer, SolverError> {
        Ok(Parts::new(&self.solver).answer())
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        let class = self.game().class_beside(hand, self.dead)?;
        let situation = self.game().of_class(&class, hand);
        let best = self.game().actions()[situation.best()].name;
        let raise_ev = situation.ev(RAISE).value();
        let dealers = || HandValue::all().zip(class.dealers);
        let dealer_hands: Map<String, Value> =
            dealers().map(|(value, n)| (value.name(), json!(n.to_string()))).collect();
        let all = class.dealer_hands();
        let share = |end: Ordering| {
            let net = |value| self.game().game.raised(class.value, value);
            let hands = dealers().filter(|&(value, _)| net(value).cmp(&0) == end).map(|(_, hands)| hands);
            hands.sum::<u64>() as f64 / all as f64
        };
        let [win, tie, lose] = [Ordering::Greater, Ordering::Equal, Ordering::Less].map(share);
        let (rules, rules_hash) = self.game().rules();
        let mut json = json!({
            "hand": hand.to_string(),
            "board": null,
            "stage": "deal",
            "value": class.value.name(),
            "actions": { "raise": raise_ev, "fold": -1.0 },
            "best": best,
            "dealer_hands": dealer_hands,
            "shares": { "raise": { "win": win, "tie": tie, "lose": lose }, "fold": { "win": 0.0, "tie": 0.0, "lose": 1.0 } },
            "rules": rules,
            "rules_hash": rules_hash,
        });
        self.dead.name_in(&mut json);
        let mut table = TextTable::new(["dealer", "hands", "probability", "result of raising"]).right_from(1);
        for (value, hands) in dealers() {
            let net = self.game().game.raised(class.value, value) as f64 / UNIT as f64;
            let probability = percent(hands as f64 / all as f64, 3);
            table = table.row([value.to_string().as_str(), &grouped(hands), &probability, &format!("{net:+}")]);
        }
        let section = Section::default()
            .text(format!(
                "{hand} ({}){}, against {} hands of the dealer",
                class.value,
                self.dead.in_words(),
                grouped(all)
            ))
            .table(table)
            .lines(format!(
                "raise  {raise_ev:+.6} antes (wins {}, ties {}, loses {})\nfold   -1 ante\nbest   {best}\nrules  {}",
                percent(win, 3),
                percent(tie, 3),
                percent(lose, 3),
                self.game().game.rules().described(),
            ));
        Ok(Answer::new(json, [section]))
    }

    /// Returns `None` if a fold would lose the side bet, which affects the decision.
    fn decision(&self, view: &Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let side_stake = number_of(view, "side_stake")?;
        if self.game().game.rules().side_bet_on_fold == SideBetOnFold::Lost && side_stake > 0.0 {
            return Ok(None);
        }
        let side_ev = if side_stake > 0.0 { side_stake * self.side_bet_ev().value() } else { 0.0 };
        let situation = self.game().situation(text_of(view, "hand")?, DeadCards::default())?;
        Ok(Some(Decision { side_ev, ..situation.decision() }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        self.solver.evaluator(config, control)
    }

    fn has_exact_values(&self) -> bool {
        true
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, name: &str, inputs: &Inputs, _: &Control<'_>) -> Result<Frame, SolverError> {
        match name {
            "classes" => Ok(self.classes_frame()),
            "hands" => self.hands_frame(inputs),
            "policy" => self.policy_frame(inputs),
            "payoffs" => Ok(self.payoffs_frame()),
            _ => self.side_bet_frame(),
        }
    }
}

impl Practice for ExactGame {
    fn exercises(&self, is_asked: IsAsked<'_>, rng: &mut Pcg64, _: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let deal = || {
            let mut pack = Pack::new(self.game().game.rules().joker.cards());
            let cards: [_; Hand::CARDS] = pack.draw(rng).expect("a full pack has a hand");
            Hand::new(cards.into_iter().collect()).expect("five different cards are a hand")
        };
        let is_drawn = |&hand: &Hand| self.game().class(hand).is_ok_and(|class| is_asked(&class.value.to_string()));
        let exercise = |hand: Hand| {
            let decision = self.practiced(hand)?;
            let regret = |action| decision.regret(action).unwrap_or(0.0);
            let usual = decision.house.as_ref().map_or(RAISE, |house| house.action);
            let regret = (regret(usual) + regret(RAISE)) / 2.0;
            Ok(Exercise { position: hand.to_string(), group: decision.group, regret })
        };
        draw_deals(BATCH, deal, is_drawn).into_iter().map(exercise).collect()
    }

    fn decide(&self, position: &str, _: &Control<'_>) -> Result<Decision, SolverError> {
        self.practiced(position.parse().map_err(SolverError::invalid)?)
    }
}
