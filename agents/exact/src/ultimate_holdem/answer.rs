//! The answers for Ultimate Texas Hold'em, for all deals under a strategy and for the decisions in a position, and data
//! frames, in which amounts are integers over a common denominator.

use super::solver::{ExactGame, NamedStrategy, Solved};
use super::whole::preflop_plays;
use super::{
    ANTE, BOARDS, BestRivers, Boards, Cancelled, Choice, DEALER_HANDS, DEALS, FullGame, HandTotals, Position, Simple,
    Totals,
};
use crate::Ratio;
use crate::answer::{Answer, Frame, Section, TextTable};
use crate::format::{grouped, percent};
use crate::solver::{Control, FrameSpec, InputSpec, Inputs, SolverError, invalid};
use houseway_env::cards::{CardSet, Rank};
use houseway_env::gym::stream;
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{Deal, Hole};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// The names of the plays by their antes, followed by the fold. The order is the same as in [`Totals::played`].
const PLAYED: [&str; 5] = ["play4", "play3", "play2", "play1", "fold"];
/// The number of starting hands listed as close decisions.
const CLOSE: usize = 8;

/// Returns the answer for all deals under a strategy.
pub(super) fn solution(exact: &ExactGame, solved: &Solved) -> Answer {
    let totals = &solved.totals;
    let summary = Section::default().text(format!(
        "Ultimate Texas Hold'em, rules {}: all {} deals, player: {}",
        exact.game.rules().described(),
        grouped(DEALS as u64),
        exact.player.name()
    ));
    let lost = (exact.player != NamedStrategy::Optimal).then_some(solved.regret);
    let sections = std::iter::once(summary.table(totals_table(totals, lost)).lines(exact_ev(totals)));
    Answer::new(json(exact, solved), sections.chain(hand_sections(totals)))
}

/// Returns the report sections about the optimal strategy.
pub(super) fn optimum_sections(totals: &Totals) -> Vec<Section> {
    let section = Section::new("Optimal strategy").table(totals_table(totals, None)).lines(exact_ev(totals));
    std::iter::once(section).chain(hand_sections(totals)).collect()
}

fn exact_ev(totals: &Totals) -> String {
    format!("exact EV: {} / {}", totals.ev.numerator(), totals.ev.denominator())
}

fn json(exact: &ExactGame, Solved { totals, regret }: &Solved) -> Value {
    let frequencies: Map<String, Value> = PLAYED
        .into_iter()
        .zip(totals.frequencies())
        .filter(|(name, frequency)| *name != "play3" || *frequency > Ratio::ZERO)
        .map(|(name, frequency)| (name.to_owned(), frequency.value().into()))
        .collect();
    let played: Map<String, Value> = PLAYED
        .into_iter()
        .zip(totals.played)
        .map(|(name, deals)| (name.to_owned(), deals.to_string().into()))
        .collect();
    let hands = totals.hands.iter().zip(&totals.after_check);
    let hands: Map<String, Value> =
        hands.map(|(hand, after_check)| (hand.hole.kind_name(), hand_json(hand, after_check))).collect();
    let plays = totals.hands.iter().filter(|hand| hand.chosen > 0).map(|hand| hand.combinations as u64).sum::<u64>();
    let category = |name: &str| name.replace(' ', "-");
    let categories: Map<String, Value> =
        totals.categories.iter().map(|(hand, hands)| (category(hand.name()), hands.to_string().into())).collect();
    json!({
        "player": exact.player.name(),
        "trips_stake": exact.trips,
        "rules": exact.game.rules(),
        "rules_hash": exact.game.rules().hash(),
        "deals": DEALS.to_string(),
        "ev": totals.ev.to_json(),
        "regret": regret.to_json(),
        "variance": totals.variance,
        "standard_deviation": totals.variance.sqrt(),
        "average_wager": totals.average_wager.to_json(),
        "element_of_risk": totals.element_of_risk(),
        "frequencies": frequencies,
        "played": played,
        "combinations_played_at_start": plays,
        "trips": totals.trips.to_json(),
        "seven_card_hands": categories,
        "hands": hands,
    })
}

fn hand_json(hand: &HandTotals, after_check: &[Ratio; 3]) -> Value {
    let mut entry = json!({
        "check": hand.check.value(),
        "combinations": hand.combinations as u64,
        "chosen": if hand.chosen == 0 { "check".to_owned() } else { format!("play{}", hand.chosen) },
        "after_check": {
            "play2": after_check[0].value(),
            "play1": after_check[1].value(),
            "fold": after_check[2].value(),
        },
    });
    for (antes, value) in &hand.plays {
        entry[format!("play{antes}")] = value.value().into();
    }
    entry
}

fn totals_table(totals: &Totals, lost: Option<Ratio>) -> TextTable {
    let mut lines = vec![
        ("EV".to_owned(), format!("{:+.6}", totals.ev.value())),
        ("house edge".to_owned(), percent(totals.edge().value(), 4)),
    ];
    lines.extend(lost.map(|lost| ("regret".to_owned(), percent(lost.value(), 4))));
    lines.extend([
        ("average wager in antes".to_owned(), format!("{:.6}", totals.average_wager.value())),
        ("element of risk".to_owned(), percent(totals.element_of_risk(), 4)),
        ("standard deviation".to_owned(), format!("{:.6}", totals.variance.sqrt())),
        ("edge of a Trips bet".to_owned(), percent(-totals.trips.value(), 4)),
    ]);
    let frequencies = PLAYED.into_iter().zip(totals.frequencies()).filter(|(_, frequency)| *frequency > Ratio::ZERO);
    lines.extend(frequencies.map(|(name, frequency)| (name.to_owned(), percent(frequency.value(), 4))));
    let table = TextTable::new(["per ante", ""]).right(1);
    lines.iter().fold(table, |table, (name, value)| table.row([name.as_str(), value]))
}

/// Returns the sections about decisions before the flop.
fn hand_sections(totals: &Totals) -> Vec<Section> {
    let hands = &totals.hands;
    vec![
        Section::new("Starting hands")
            .text("Antes played before the flop (rows: the higher card if suited, the lower card if not); a point is a check.")
            .lines(grid(hands)),
        Section::new("Closest decisions before the flop")
            .text("The JSON document has all 169 starting hands.")
            .table(closest(hands)),
    ]
}

/// Returns the antes for all starting hands as the usual grid, with suited hands above the diagonal.
fn grid(hands: &[HandTotals]) -> String {
    let ranks = || Rank::ALL.into_iter().rev();
    let mut text = format!(" {}", ranks().map(|rank| format!(" {rank}")).collect::<String>());
    for row in ranks() {
        text += &format!("\n{row}");
        for column in ranks() {
            let name = match row.cmp(&column) {
                std::cmp::Ordering::Greater => format!("{row}{column}s"),
                std::cmp::Ordering::Less => format!("{column}{row}o"),
                std::cmp::Ordering::Equal => format!("{row}{column}"),
            };
            let chosen = hands.iter().find(|hand| hand.hole.kind_name() == name).map_or(0, |hand| hand.chosen);
            text += &if chosen == 0 { " .".to_owned() } else { format!(" {chosen}") };
        }
    }
    text
}

/// Returns a table with the starting hands for which playing and checking are closest in EV.
fn closest(hands: &[HandTotals]) -> TextTable {
    let highest = |hand: &HandTotals| hand.plays.iter().map(|&(antes, value)| (value, antes)).max();
    let mut rows: Vec<(&HandTotals, Ratio, i64)> =
        hands.iter().filter_map(|hand| highest(hand).map(|(value, antes)| (hand, value, antes))).collect();
    rows.sort_by(|a, b| (a.1 - a.0.check).value().abs().total_cmp(&(b.1 - b.0.check).value().abs()));
    let mut table = TextTable::new(["hand", "EV of Play (antes)", "EV of check", "difference"]).right_from(1);
    for (hand, play, antes) in rows.into_iter().take(CLOSE) {
        table = table.row([
            hand.hole.kind_name().as_str(),
            &format!("{:+.6} ({antes})", play.value()),
            &format!("{:+.6}", hand.check.value()),
            &format!("{:+.6}", (play - hand.check).value()),
        ]);
    }
    table
}

/// Returns the answer for a position.
pub(super) fn value(exact: &ExactGame, position: &Position, choice: &Choice) -> Answer {
    let values = |value: fn(Ratio) -> Value| -> Map<String, Value> {
        choice.actions.iter().map(|&(name, ratio)| (name.to_owned(), value(ratio))).collect()
    };
    let (best, best_ev) = choice.best();
    let mut json = json!({
        "hand": position.hole().to_string(),
        "board": position.board().to_string(),
        "stage": choice.stage,
        "trips": exact.trips,
        "rules": exact.game.rules(),
        "rules_hash": exact.game.rules().hash(),
        "actions": values(|ratio| ratio.value().into()),
        "exact": values(|ratio| json!([ratio.numerator().to_string(), ratio.denominator().to_string()])),
        "best": best,
        "shares": {},
    });
    exact.dead.name_in(&mut json);
    let mut actions: Vec<_> = choice.actions.iter().zip(&choice.shares).collect();
    actions.sort_by_key(|((_, value), _)| std::cmp::Reverse(*value));
    let header = ["decision", "EV in antes", "regret", ""].into_iter().chain(Choice::ENDS);
    let mut table = TextTable::new(header).right(1).right(2).right_from(4);
    for (&(name, ev), shares) in actions {
        let shares = shares.map(Ratio::value);
        json["shares"][name] = Choice::ENDS.into_iter().zip(shares).collect();
        let regret = (best_ev - ev).value();
        let mark = if name == best { "best" } else { "" };
        let cells = [name.to_owned(), format!("{:+.6}", ev.value()), format!("{regret:.6}"), mark.to_owned()];
        table = table.row(cells.into_iter().chain(shares.map(|share| percent(share, 3))));
    }
    let board = if position.board().is_empty() { "no board".to_owned() } else { position.board().to_string() };
    let text = format!(
        "{} on {board}{}, all later decisions optimal; rules {}",
        position.hole(),
        exact.dead.in_words(),
        exact.game.rules().described()
    );
    let section = Section::default().text(text).table(table);
    Answer::new(json, [section])
}

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

fn after_check(totals: &Totals) -> Vec<f64> {
    totals.after_check.iter().flatten().map(|share| share.value()).collect()
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
        .column("name", hands.iter().map(|hand| hand.hole.kind_name()))
        .column("combinations", hands.iter().map(|hand| hand.combinations as i64))
        .column("chosen", chosen(hands))
        .wide("gains", actions.len(), start_gains(hands))
        .wide("after_check", 3, after_check(totals))
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
    let position = |(hole, board)| Position::new(Hole::new(hole).map_err(SolverError::invalid)?, board);
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
        let frame = Frame::default().wide("gains", 2, gains.into_iter().flatten());
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
                return Err(invalid!("invalid sample of {boards} boards: expected at least {MIN_BOARDS}"));
            }
            Some(boards) => {
                let seed = u64::try_from(inputs.integer("seed")?.unwrap_or(1)).map_err(SolverError::invalid)?;
                let mut rng = stream(seed.into());
                Boards::sample((0..boards).map(|_| Deal::new(&mut rng).board(5)))
            }
        };
        let simple = Simple::new(&self.game);
        let rivers = BestRivers::new(FullGame::new(&self.game, self.trips), control)?;
        let before = rivers.before(&simple);
        let [optimum, totals] = [rivers.totals(&rivers.optimum, control)?, rivers.totals(&before, control)?];
        let loss = rivers.river_loss(&simple, &before, &boards, "simple strategy", control)?;
        let hands = &before.hands;
        let frame = starting_hands(&optimum)
            .column("chosen_simple", chosen(hands))
            .wide("gains_simple", 1 + hands[0].plays.len(), start_gains(hands))
            .wide("after_check_simple", 3, after_check(&totals));
        Ok(frame
            .fact("optimum", totals_json(&optimum))
            .fact("simple", totals_json(&totals))
            .fact("river", loss.mean.to_json())
            .fact("half_width", loss.half_width)
            .fact("agreement", loss.agreement)
            .fact("boards", boards.len()))
    }
}
