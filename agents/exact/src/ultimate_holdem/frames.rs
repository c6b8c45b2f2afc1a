//! Data frames for Ultimate Texas Hold'em, in which amounts are integers over a common denominator.

use super::solver::ExactGame;
use super::whole::preflop_plays;
use super::{
    ANTE, BOARDS, BestRivers, Boards, Cancelled, DEALER_HANDS, FullGame, HandTotals, Position, Simple, Totals,
};
use crate::Ratio;
use crate::answer::Frame;
use crate::solver::{Control, FrameSpec, InputSpec, Inputs, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::gym::stream;
use houseway_env::ultimate_holdem::{Deal, Hole};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// The common denominator for EVs before the flop. They are sums in half antes over the deals for all combinations (4,
/// 6 or 12) of a starting hand.
const START_DENOMINATOR: i64 = 12 * BOARDS as i64 * DEALER_HANDS * ANTE;
/// The denominator for EVs on the river. They are sums in half antes over the dealer's hands on a complete board.
const RIVER_DENOMINATOR: i64 = DEALER_HANDS * ANTE;
/// The denominator for EVs on the flop, which also cover all boards that can follow it.
const FLOP_DENOMINATOR: i64 = 1_081 * RIVER_DENOMINATOR;
/// The minimum number of sampled boards needed to estimate an interval.
const MIN_BOARDS: i64 = 2;

const HANDS: InputSpec = InputSpec { name: "hands", about: "rows of two cards", optional: false };
const BOARDS_OF_HANDS: InputSpec =
    InputSpec { name: "boards", about: "rows of three or five cards, with one row per hand", optional: false };

/// The available frames.
pub(super) const FRAMES: &[FrameSpec] = &[
    FrameSpec {
        name: "starting-hands",
        about: "the 169 kinds of starting hands under the solver's strategy, with combinations, antes played before the \
                flop, the EV of each action times the denominator and probabilities after a check, and facts about all \
                deals",
        inputs: &[],
    },
    FrameSpec {
        name: "decisions",
        about: "the EVs of both actions on the flop (check, play2) or on the river (fold, play1), times the denominator",
        inputs: &[HANDS, BOARDS_OF_HANDS],
    },
    FrameSpec {
        name: "simple-strategy",
        about: "the number of antes that the simple strategy plays, which is 0 for a check or a fold",
        inputs: &[HANDS, InputSpec { optional: true, ..BOARDS_OF_HANDS }],
    },
    FrameSpec {
        name: "simple-regret",
        about: "what the simple strategy loses in each stage, and the starting hands for the optimum and for the simple \
                strategy with optimal rivers",
        inputs: &[
            InputSpec {
                name: "boards",
                about: "the number of boards to deal for the river; defaults to all boards",
                optional: true,
            },
            InputSpec { name: "seed", about: "the seed for dealing the boards", optional: true },
        ],
    },
];

/// Returns the numerator that a ratio has when expanded to the given denominator, which must be a multiple of its own.
fn over(ratio: Ratio, denominator: i64) -> i64 {
    let denominator = i128::from(denominator);
    assert!(denominator % ratio.denominator() == 0, "{ratio:?} is not a multiple of 1/{denominator}");
    i64::try_from(ratio.numerator() * (denominator / ratio.denominator())).expect("wagers are only a few antes")
}

/// Returns the EVs for checking and for each Play before the flop, in row-major order.
fn start_gains(hands: &[HandTotals]) -> Vec<i64> {
    let evs = |hand: &HandTotals| -> Vec<Ratio> {
        std::iter::once(hand.check).chain(hand.plays.iter().map(|&(_, ev)| ev)).collect()
    };
    hands.iter().flat_map(evs).map(|ev| over(ev, START_DENOMINATOR)).collect()
}

fn after_check(hands: &[HandTotals]) -> Vec<f64> {
    hands.iter().flat_map(|hand| hand.after_check.map(Ratio::value)).collect()
}

fn chosen(hands: &[HandTotals]) -> Vec<i64> {
    hands.iter().map(|hand| hand.chosen).collect()
}

/// Returns facts about all deals.
fn totals_json(totals: &Totals) -> Map<String, Value> {
    let played: Vec<String> = totals.played.iter().map(i128::to_string).collect();
    let categories = totals.categories.iter().map(|&(category, hands)| (category.name().to_owned(), json!(hands)));
    Map::from_iter([
        ("ev".to_owned(), totals.ev.to_json()),
        ("variance".to_owned(), json!(totals.variance)),
        ("played".to_owned(), json!(played)),
        ("average_wager".to_owned(), totals.average_wager.to_json()),
        ("trips".to_owned(), totals.trips.to_json()),
        ("categories".to_owned(), Value::Object(categories.collect())),
    ])
}

fn starting_hands(totals: &Totals) -> Frame {
    let hands = &totals.hands;
    let plays = hands[0].plays.iter().map(|&(antes, _)| format!("play{antes}"));
    let actions: Vec<String> = std::iter::once("check".to_owned()).chain(plays).collect();
    Frame::default()
        .column("name", hands.iter().map(|hand| hand.hole.kind_name()).collect::<Vec<String>>())
        .column("combinations", hands.iter().map(|hand| hand.combinations as i64).collect::<Vec<i64>>())
        .column("chosen", chosen(hands))
        .wide("gains", actions.len(), start_gains(hands))
        .wide("after_check", 3, after_check(hands))
        .fact("denominator", START_DENOMINATOR)
        .fact("actions", actions)
}

/// Returns the positions given by the inputs, with one hand and one board per row.
fn positions(inputs: &Inputs) -> Result<Vec<Position>, SolverError> {
    let holes = inputs.cards("hands", &[2])?;
    let boards = match inputs.0.get("boards") {
        Some(_) => inputs.cards("boards", &[0, 3, 5])?,
        None => vec![CardSet::EMPTY; holes.len()],
    };
    if holes.len() != boards.len() {
        let message = format!("expected one board per hand, found {} hands and {} boards", holes.len(), boards.len());
        return Err(SolverError::Invalid(message));
    }
    let position = |(hole, board)| {
        Position::new(Hole::new(hole).map_err(SolverError::invalid)?, board).map_err(SolverError::invalid)
    };
    holes.into_iter().zip(boards).map(position).collect()
}

impl ExactGame {
    pub(super) fn compute_frame(
        &self,
        name: &str,
        inputs: &Inputs,
        control: &Control<'_>,
    ) -> Result<Frame, SolverError> {
        match name {
            "starting-hands" => {
                let totals = &self.solved(control)?.totals;
                let frame = starting_hands(totals);
                Ok(totals_json(totals).into_iter().fold(frame, |frame, (name, value)| frame.fact(&name, value)))
            }
            "decisions" => self.decisions(inputs, control),
            "simple-strategy" => self.simple_strategy(inputs),
            _ => self.simple_regret(inputs, control),
        }
    }

    fn decisions(&self, inputs: &Inputs, control: &Control<'_>) -> Result<Frame, SolverError> {
        let positions = positions(inputs)?;
        let on_flop = positions.first().is_some_and(|position| position.board().len() == 3);
        let (denominator, actions) = match on_flop {
            true => (FLOP_DENOMINATOR, ["check", "play2"]),
            false => (RIVER_DENOMINATOR, ["fold", "play1"]),
        };
        let evs = |position: &Position| {
            control.check()?;
            let choice = position.choice(&self.game, self.trips, &Control::default())?;
            Ok([0, 1].map(|action: usize| over(choice.actions[action].1, denominator)))
        };
        let gains: Vec<[i64; 2]> = positions.par_iter().map(evs).collect::<Result<_, Cancelled>>()?;
        let frame = Frame::default().wide("gains", 2, gains.into_iter().flatten().collect::<Vec<i64>>());
        Ok(frame.fact("denominator", denominator).fact("actions", actions.to_vec()))
    }

    fn simple_strategy(&self, inputs: &Inputs) -> Result<Frame, SolverError> {
        let positions = positions(inputs)?;
        let most = preflop_plays(&self.game).iter().copied().max().unwrap_or(0);
        let simple = Simple::new(&self.game);
        let antes = |position: &Position| simple.antes(position.hole(), position.board(), most) as u8;
        Ok(Frame::default().column("antes", positions.par_iter().map(antes).collect::<Vec<u8>>()))
    }

    fn simple_regret(&self, inputs: &Inputs, control: &Control<'_>) -> Result<Frame, SolverError> {
        let boards = match inputs.integer("boards")? {
            None => Boards::all(),
            Some(boards) if boards < MIN_BOARDS => {
                return Err(SolverError::Invalid(format!(
                    "invalid sample of {boards} boards: expected at least {MIN_BOARDS}"
                )));
            }
            Some(boards) => {
                let seed = u64::try_from(inputs.integer("seed")?.unwrap_or(1)).map_err(SolverError::invalid)?;
                let mut rng = stream(seed.into());
                Boards::sample((0..boards).map(|_| Deal::new(&mut rng).board(5)))
            }
        };
        let simple = Simple::new(&self.game);
        let rivers = BestRivers::new(FullGame::new(&self.game, self.trips), control)?;
        let (before, optimum) = (rivers.before(&simple), &rivers.optimum);
        let loss = rivers.river_loss(&simple, &before, &boards, "simple strategy", control)?;
        let hands = &before.totals.hands;
        let frame = starting_hands(&optimum.totals)
            .column("chosen_simple", chosen(hands))
            .wide("gains_simple", 1 + hands[0].plays.len(), start_gains(hands))
            .wide("after_check_simple", 3, after_check(hands));
        Ok(frame
            .fact("optimum", totals_json(&optimum.totals))
            .fact("simple", totals_json(&before.totals))
            .fact("river", loss.mean.to_json())
            .fact("half_width", loss.half_width)
            .fact("agreement", loss.agreement)
            .fact("boards", boards.len()))
    }
}
