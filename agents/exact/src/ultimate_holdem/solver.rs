//! The Ultimate Texas Hold'em solver, and the decisions to practice.
//!
//! Before the flop, the simple strategy is optimal under the default rules, so practice only draws later decisions.

use super::answer::{FRAMES, solution, value};
use super::evaluator::{HoldemEvaluator, SAMPLE};
use super::showdown::{SHOWDOWNS, categories, trips_ev};
use super::{Choice, FullGame, Optimum, Position, Simple, Totals};
use crate::Ratio;
use crate::answer::{Answer, Frame};
use crate::net::MainBet;
use crate::side_bet::{BetReturn, better_of_two, hands_by_row, load};
use crate::solver::{
    Control, DeadCards, Decision, Evaluator, EvaluatorConfig, Exercise, FrameSpec, HousePlay, Inputs, IsAsked,
    OptionKind, OptionSpec, Practice, Solver, SolverConfig, SolverEntry, SolverError, StakeUnit, draw_deals, invalid,
    number_of, text_of,
};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::{CardSet, Rank};
use houseway_env::paytable::HandOf;
use houseway_env::rank::{Category, FiveRules, Ranking};
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{
    Action, Deal, Game, Hole, Holes, PAYTABLES, PaidHand, Paytable, Rules, TripsOnFold,
};
use rand_pcg::Pcg64;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "ultimate-holdem",
    about: "all 27,813,810,024,000 deals, for the optimal strategy or a published simple strategy",
    unit: StakeUnit { name: "ante", percent: true },
    options: &[
        OptionSpec::of_solve(
            "player",
            OptionKind::Text("S"),
            "the player's strategy, 'optimal' or 'simple' [default: optimal]",
        ),
        OptionSpec::of_both(
            "trips",
            OptionKind::Integer("ANTES", 0, 1000),
            "the Trips bet in antes, 0 to 1000; it is part of all EVs, and changes decisions if folding loses it [default: 0]",
        ),
        OptionSpec::of_value(
            "board",
            OptionKind::Text("CARDS"),
            "the board with three or five cards; omit it before the flop",
        ),
        DeadCards::OPTION,
        DeadCards::UNKNOWN,
    ],
    hands: Some(
        "two cards: playing and checking or folding, before the flop (takes a second, with dead cards up to ten), on the \
         flop or on the river",
    ),
    sample: Some(SAMPLE),
    side_bet: Some(|paytable, config, control| {
        let main_bet = ["dealer-unqualified", "preflop-play", "rounding"];
        Ok(side_bet(paytable, config, control)?.without_rules(&main_bet))
    }),
    main_bet: Some(|config, control| ExactGame::new(config)?.main_bet(control)),
    ways: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

/// Counts the hands or deals that a paytable pays whatever the player does, such as Trips.
fn side_bet(paytable: Option<&str>, config: &SolverConfig, control: &Control<'_>) -> Result<BetReturn, SolverError> {
    let rules: Rules = config.rules()?;
    if paytable == Some(PAYTABLES[0].0) {
        return Err(SolverError::invalid(
            "the Blind only pays if the player's hand beats the dealer's, so its return depends on how hands are played; \
             houseway solve -g ultimate-holdem includes it",
        ));
    }
    if rules.trips_on_fold == TripsOnFold::Lost {
        return Err(SolverError::invalid(
            "with trips-on-fold=lost, the bet depends on which hands are folded; use trips-on-fold=settled, or \
             houseway solve -g ultimate-holdem --trips",
        ));
    }
    if paytable.is_some() && rules.trips_table != Rules::default().trips_table {
        return Err(SolverError::invalid(
            "trips-table names another paytable than the one that is evaluated; leave out either of them",
        ));
    }
    let able = [
        "on = \"dealer\"",
        "on = \"either\"",
        "on = \"loser\"",
        "needs-win",
        "cards",
        "for-one",
        "envy",
        "meter",
        "both",
    ];
    let paytable = match paytable {
        Some(_) => load(paytable, &able, "hands aren't set")?,
        None => rules.trips_table.clone(),
    };
    let terms = paytable.terms();
    if terms.cards == Some(2) && terms.on != HandOf::Loser {
        return Ok(hole_return(&paytable, &rules)?.without_rules(&["hole-cards"]));
    }
    if terms.needs_win.is_some() || matches!(terms.on, HandOf::Either | HandOf::Loser) {
        return Ok(showdown_return(&paytable, rules, control)?.with_contained(&paytable));
    }
    let counts = match terms.cards {
        None | Some(7) => categories(&rules).map(|(category, hands)| (category.into(), hands)).to_vec(),
        Some(5) => five_card_hands(),
        Some(cards) => {
            let problem = "expected 2 for the player's cards, 5 for these and the flop, or 7";
            return Err(invalid!("invalid cards {cards} in '{}': {problem}", paytable.name()));
        }
    };
    let held = hands_by_row(&paytable, &counts);
    let all = counts.iter().map(|(_, hands)| hands).sum();
    let found = BetReturn::new(&paytable, &held, all, &rules)?.with_contained(&paytable);
    // With the flop, both hole cards are in the hand anyway.
    let unused: &[&str] = if terms.cards == Some(5) { &["hole-cards"] } else { &[] };
    Ok(found.without_rules(unused))
}

/// Counts the deals that a paytable pays which depends on the showdown.
fn showdown_return(paytable: &Paytable, rules: Rules, control: &Control<'_>) -> Result<BetReturn, SolverError> {
    let terms = paytable.terms();
    if terms.cards.is_some_and(|cards| cards != 7) {
        return Err(invalid!(
            "the paytable '{}' has cards, but hands are compared on the whole board",
            paytable.name()
        ));
    }
    let showdowns = FullGame::new(&Game::new(rules.clone()), 0).showdowns(control)?;
    let by_row = |counts: &[u64; Category::ALL.len()]| {
        let counts: Vec<(Category, u64)> = Category::ALL.into_iter().zip(counts.iter().copied()).collect();
        hands_by_row(paytable, &counts)
    };
    if terms.on == HandOf::Loser {
        // Each hand loses as often as the other.
        let losses: Vec<u64> = by_row(&showdowns.losses).iter().map(|deals| 2 * deals).collect();
        let found = BetReturn::new(paytable, &losses, SHOWDOWNS, &rules)?;
        return Ok(found.note("The hand that loses the showdown pays, even if the player has folded."));
    }
    if terms.needs_win.is_some() {
        let held = showdowns.joint.map(|dealer| dealer.iter().sum());
        let wins = showdowns.wins;
        let ties: [u64; Category::ALL.len()] =
            std::array::from_fn(|hand| held[hand] - wins[hand] - showdowns.losses[hand]);
        let found = BetReturn::new(paytable, &by_row(&held), SHOWDOWNS, &rules)?;
        let note = "The main bet wins if the hand wins the showdown, even if the player has folded.";
        return Ok(found.with_wins(&by_row(&wins), &by_row(&ties)).note(note));
    }
    let rows = paytable.rows().len();
    let row = |category: usize| paytable.row_of(Category::ALL[category]).unwrap_or(rows);
    let mut joint = vec![vec![0; rows + 1]; rows + 1];
    for (player, by_dealer) in showdowns.joint.iter().enumerate() {
        for (dealer, deals) in by_dealer.iter().enumerate() {
            joint[row(player)][row(dealer)] += deals;
        }
    }
    let (held, all) = better_of_two(paytable, &joint);
    Ok(BetReturn::new(paytable, &held, all, &rules)?
        .note("Of the player's and the dealer's hand, the one that pays more counts."))
}

/// Counts the hands that two cards and the flop make, with a pair of each rank on its own.
fn five_card_hands() -> Vec<(PaidHand, u64)> {
    let ranking = Ranking::shared(FiveRules::POKER);
    let mut counts = [0; Category::ALL.len()];
    for_each_subset(CardSet::DECK_52, 5, |five| counts[ranking.category(ranking.five(five)) as usize] += 1);
    // Each rank is paired in equally many hands.
    let pairs = std::mem::take(&mut counts[Category::OnePair as usize]) / Rank::ALL.len() as u64;
    let pair = |rank| PaidHand::Holes(Holes::Pairs { lowest: rank, highest: rank });
    let made = Category::ALL.into_iter().zip(counts).map(|(category, hands)| (category.into(), hands));
    made.chain(Rank::ALL.map(|rank| (pair(rank), pairs))).collect()
}

/// Counts the deals of two cards each to the player and the dealer that each row pays.
fn hole_return(paytable: &Paytable, rules: &Rules) -> Result<BetReturn, SolverError> {
    let mut holes = Vec::new();
    for_each_subset(CardSet::DECK_52, 2, |cards| holes.push(Hole::new(cards).expect("two natural cards")));
    let mut held = vec![0; paytable.rows().len()];
    let mut all = 0;
    for &player in &holes {
        for &dealer in holes.iter().filter(|dealer| dealer.set().intersection(player.set()).is_empty()) {
            let pays = |row: PaidHand, [own, other]: [Hole; 2]| match row {
                PaidHand::Made(_) => false,
                PaidHand::Holes(holes) => holes.contains(own),
                PaidHand::Both(holes) => holes.contains(own) && holes.contains(other),
            };
            let row = paytable.best_row(|row| match paytable.terms().on {
                HandOf::Dealer => pays(row, [dealer, player]),
                HandOf::Either => pays(row, [player, dealer]) || pays(row, [dealer, player]),
                HandOf::Player | HandOf::Loser => pays(row, [player, dealer]),
            });
            all += 1;
            if let Some(row) = row {
                held[row] += 1;
            }
        }
    }
    if !paytable.is_of_two() {
        // Every hand meets equally many of the other.
        let others = all / holes.len() as u64;
        held.iter_mut().for_each(|deals| *deals /= others);
        all /= others;
    }
    BetReturn::new(paytable, &held, all, rules)
}

/// The number of random deals to draw at a time. A deal has up to two decisions.
const DEALS: usize = 48;
/// The text between the player's cards and the board.
const BOARD: &str = ", board ";
/// The name of the simple strategy, and its rules for the flop and the river in words.
const STRATEGY: &str = "simple strategy";
const FLOP: &str = "play with two pairs or better, a hidden pair other than pocket deuces, or four to a flush including a \
                    hidden ten or better";
const RIVER: &str = "play with a hidden pair or better, or if fewer than 21 dealer cards beat you";

houseway_env::named_enum! {
    /// The player's strategy.
    pub(super) enum NamedStrategy: kebab_case {
        /// The optimal strategy.
        Optimal,
        /// The published simple strategy.
        Simple,
    }
}

/// The game and the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    /// The number of antes staked on Trips.
    pub(super) trips: u16,
    pub(super) player: NamedStrategy,
    board: CardSet,
    pub(super) dead: DeadCards,
    /// The result of [`ExactGame::solved`], for later calls.
    solved: OnceLock<Solved>,
}

/// The results of a strategy over all deals.
pub(super) struct Solved {
    pub(super) totals: Totals,
    /// The EV of the optimum minus the strategy's EV.
    pub(super) regret: Ratio,
}

impl ExactGame {
    fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        let player = config.get("player").unwrap_or("optimal");
        let strategy =
            player.parse().map_err(|_| invalid!("invalid strategy '{player}': expected 'optimal' or 'simple'"))?;
        Ok(ExactGame {
            game: Game::new(rules),
            trips: config.integer("trips") as u16,
            player: strategy,
            dead: DeadCards::from_config(config)?,
            board: config.get("board").unwrap_or_default().parse().map_err(SolverError::invalid)?,
            solved: OnceLock::new(),
        })
    }

    /// Enumerates all deals, unless an earlier call already has.
    pub(super) fn solved(&self, control: &Control<'_>) -> Result<&Solved, SolverError> {
        if let Some(solved) = self.solved.get() {
            return Ok(solved);
        }
        let whole = FullGame::new(&self.game, self.trips);
        let best = whole.before(&Optimum, control)?;
        let totals = match self.player {
            NamedStrategy::Optimal => whole.totals(&Optimum, &best, control)?,
            NamedStrategy::Simple => whole.count(&Simple::new(&self.game), control)?,
        };
        Ok(self.solved.get_or_init(|| Solved { regret: best.ev - totals.ev, totals }))
    }

    fn main_bet(&self, control: &Control<'_>) -> Result<MainBet, SolverError> {
        let whole = FullGame::new(&self.game, self.trips);
        let best = whole.before(&Optimum, control)?;
        let ended = match self.player {
            NamedStrategy::Optimal => whole.ended(&Optimum, &best, control)?,
            NamedStrategy::Simple => {
                let simple = Simple::new(&self.game);
                let before = whole.before(&simple, control)?;
                whole.ended(&simple, &before, control)?
            }
        };
        let strategies = vec![("player", self.player.name().into())];
        let (results, parts) = (whole.net_results(&ended), whole.ev_parts(&ended));
        Ok(MainBet { unit: "ante", results, optimal_ev: Some(best.ev), strategies, parts, seats_covariance: None })
    }

    /// Evaluates a position without a Trips bet.
    fn choice(&self, hole: Hole, board: CardSet, control: &Control<'_>) -> Result<Choice, SolverError> {
        let position = Position::new(hole, board)?;
        Ok(position.choice(&self.game, 0, &Control { progress: None, ..*control })?)
    }

    /// Returns the name and EV of the simple strategy's action. Before the flop, it plays the most that the rules allow.
    fn simple(&self, hole: Hole, board: CardSet, choice: &Choice) -> (&'static str, Ratio) {
        // The actions are ordered by their wager.
        let plays = Simple::new(&self.game).antes(hole, board, 1) > 0;
        choice.actions[if plays { choice.actions.len() - 1 } else { 0 }]
    }

    /// Returns the decisions after the flop that the simple strategy comes to in a deal.
    fn decisions_in(&self, deal: &Deal, control: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let (hole, mut exercises) = (deal.hole(), Vec::new());
        if Simple::new(&self.game).antes(hole, CardSet::EMPTY, 1) > 0 {
            return Ok(exercises);
        }
        for board in [deal.board(3), deal.board(5)] {
            let choice = self.choice(hole, board, control)?;
            let (simple, ev) = self.simple(hole, board, &choice);
            let regret = (choice.best().1 - ev).value();
            let position = format!("{hole}{BOARD}{board}");
            exercises.push(Exercise { position, group: decision(hole, &choice).group, regret });
            if simple != choice.actions[0].0 {
                break;
            }
        }
        Ok(exercises)
    }
}

/// Returns the group of the decisions with a starting hand at a stage.
fn group(stage: &str, hole: Hole) -> String {
    format!("{stage} {}", hole.kind_name())
}

/// Returns a decision with the given EVs.
fn decision(hole: Hole, choice: &Choice) -> Decision {
    let ev = |action: &Action| choice.actions.iter().find(|(name, _)| *name == action.name()).map(|it| it.1.value());
    Decision { evs: Action::ALL.iter().map(ev).collect(), house: None, group: group(choice.stage, hole), side_ev: 0.0 }
}

impl Solver for ExactGame {
    fn rules(&self) -> (Value, String) {
        (json!(self.game.rules()), self.game.rules().hash())
    }

    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        Ok(solution(self, self.solved(control)?))
    }

    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError> {
        let hole: Hole = hand.parse().map_err(SolverError::invalid)?;
        let position = Position::new(hole, self.board)?.with_dead_cards(self.dead)?;
        let choice = position.choice_with_shares(&self.game, self.trips, control)?;
        Ok(value(self, &position, &choice))
    }

    /// Returns `None` if a fold would lose the Trips bet, which affects the decision.
    fn decision(&self, view: &Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let trips = number_of(view, "trips")?;
        if self.game.rules().trips_on_fold == TripsOnFold::Lost && trips > 0.0 {
            return Ok(None);
        }
        let hole: Hole = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let board = text_of(view, "board")?.parse().map_err(SolverError::invalid)?;
        let decision = decision(hole, &self.choice(hole, board, control)?);
        Ok(Some(Decision { side_ev: trips * trips_ev(&self.game).value(), ..decision }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(HoldemEvaluator::new(self, config, control)?))
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, name: &str, inputs: &Inputs, control: &Control<'_>) -> Result<Frame, SolverError> {
        self.compute_frame(name, inputs, control)
    }
}

impl Practice for ExactGame {
    /// Returns the stages after the start, with which the names of all drawn groups begin.
    fn topics(&self) -> &'static [&'static str] {
        &["flop", "river"]
    }

    fn exercises(
        &self,
        is_asked: IsAsked<'_>,
        rng: &mut Pcg64,
        control: &Control<'_>,
    ) -> Result<Vec<Exercise>, SolverError> {
        let may_be_asked = |deal: &Deal| self.topics().iter().any(|stage| is_asked(&group(stage, deal.hole())));
        let deals = draw_deals(DEALS, || Deal::new(rng), may_be_asked);
        let decisions = deals.into_par_iter().map(|deal| {
            control.check()?;
            self.decisions_in(&deal, control)
        });
        let mut exercises = decisions.collect::<Result<Vec<_>, SolverError>>()?.concat();
        exercises.retain(|exercise| is_asked(&exercise.group));
        Ok(exercises)
    }

    fn decide(&self, text: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let (hole, board) = text.split_once(BOARD).unwrap_or((text, ""));
        let hole: Hole = hole.parse().map_err(SolverError::invalid)?;
        let board: CardSet = board.parse().map_err(SolverError::invalid)?;
        let choice = self.choice(hole, board, control)?;
        let simple = self.simple(hole, board, &choice).0;
        let rule = match board.len() {
            0 => None,
            3 => Some((choice.stage.to_owned(), FLOP.to_owned())),
            _ => Some((choice.stage.to_owned(), RIVER.to_owned())),
        };
        let action = Action::ALL.iter().position(|action| action.name() == simple).unwrap_or_default();
        let house = Some(HousePlay { action, strategy: STRATEGY.to_owned(), rule });
        Ok(Decision { house, ..decision(hole, &choice) })
    }
}
