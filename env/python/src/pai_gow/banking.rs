//! Exact results for banking at a table. All wins, pushes and losses are from the bank's point of view.

use super::hands::{Fraction, GameRules, fraction, hands_of};
use super::strategy::Given;
use crate::error::value_error;
use crate::interrupt::cancellable;
use houseway_env::gym::from_json;
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::TableRules;
use houseway_env::pai_gow::{Dealt, Game, Setting};
use houseway_exact::Ratio;
use houseway_exact::net::NetResults;
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::banking::{
    BankedBet, SampledBet, bank_ev, joint_outcomes, kelly, player_ev, price_of_passing, sample_bank, single_bet,
};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff};
use houseway_exact::solver::SolverError;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A bet in chips, and the bank's wins, pushes and losses against it over all deals.
type BetRow = (Chips, [u128; 3]);
/// The possible results in chips, in ascending order, each with its number of occurrences.
type Results = Vec<(Chips, u128)>;

/// The valid bets without limits of a table.
const BETS: std::ops::RangeInclusive<Chips> = 1..=1_000_000_000;

fn table_rules(json: &str) -> PyResult<TableRules> {
    let rules: TableRules = from_json(json).map_err(value_error)?;
    rules.check().map_err(value_error)?;
    Ok(rules)
}

fn range((low, high): (Ratio, Ratio)) -> [Fraction; 2] {
    [fraction(low), fraction(high)]
}

/// Checks the table rules and the bets, before all deals are enumerated for them. Returns the minimum bet. The limits of the
/// rules only apply if they were given, because the values of small and large bets are also of interest.
#[pyfunction]
pub(crate) fn check_bank(rules: &str, bets: Vec<Chips>, has_limits: bool) -> PyResult<Chips> {
    let rules = table_rules(rules)?;
    let limits = if has_limits { rules.bet_minimum..=rules.bet_maximum } else { BETS };
    match bets.iter().find(|bet| !limits.contains(bet)) {
        None => Ok(rules.bet_minimum),
        Some(bet) => {
            let (least, most) = (limits.start(), limits.end());
            Err(PyValueError::new_err(format!("invalid bet of {bet} chips: expected {least} to {most}")))
        }
    }
}

/// Returns the EV of a bank that covers `bets`, as fractions of chips. `own` is the bet that could be made instead of
/// banking, and its outcome counts are from the point of view of the bank that it would face.
#[pyfunction]
pub(crate) fn bank_worth<'py>(
    py: Python<'py>,
    game_rules: &GameRules,
    rules: &str,
    bets: Vec<BetRow>,
    own: BetRow,
) -> PyResult<Bound<'py, PyDict>> {
    let (rules, game_rules) = (table_rules(rules)?, game_rules.game.rules());
    let banked = |&(bet, [wins, pushes, losses]): &BetRow| BankedBet {
        bet,
        counts: OutcomeWeights { wins, pushes, losses, ..OutcomeWeights::default() },
    };
    let (covered, own): (Vec<BankedBet>, BankedBet) = (bets.iter().map(banked).collect(), banked(&own));
    let worth = bank_ev(&rules, &covered);
    let answer = PyDict::new(py);
    answer.set_item("gross", fraction(worth.gross))?;
    answer.set_item("bounds", range(worth.bounds()))?;
    answer.set_item("pass", fraction(player_ev(&game_rules, &own)))?;
    answer.set_item("price", range(price_of_passing(&rules, &game_rules, &covered, &own)))?;
    let payoff = Payoff::with_commission(rules.commission_on_one_bet());
    let sizes: Vec<Fraction> = covered.iter().map(|bet| fraction(kelly(bet.counts, payoff))).collect();
    answer.set_item("kelly", sizes)?;
    if let [BankedBet { bet, counts }] = covered[..]
        && let Some(deals) = counts.deals()
    {
        let results: Results = single_bet(&rules, bet, bet, deals).results().collect();
        answer.set_item("single", results)?;
    }
    Ok(answer)
}

/// Deals rounds to a bank and its opponents and settles them by the table rules. Returns the distributions of the
/// bank's net result and of the commission that it pays. The sample is the number of deals and the seed.
#[pyfunction]
pub(crate) fn bank_sample(
    py: Python<'_>,
    game_rules: &GameRules,
    rules: &str,
    banker: Given,
    bets: Vec<(Chips, Given)>,
    sample: (u64, u64),
) -> PyResult<(Results, Results)> {
    let (rules, (deals, seed)) = (table_rules(rules)?, sample);
    if deals == 0 {
        return Err(PyValueError::new_err("invalid number of deals 0: expected at least one"));
    }
    let sample = cancellable(py, |_| {
        let game: &Game = &game_rules.game;
        let players: Vec<Tabulated> = bets.iter().map(|(_, way)| way.pure()).collect::<Result<_, _>>()?;
        let opponent = |(&(bet, _), way): (&(Chips, Given), _)| {
            let way: &Tabulated = way;
            SampledBet { bet, set: Box::new(move |dealt| way.set_dealt(game, dealt)) }
        };
        let opponents: Vec<SampledBet<'_>> = bets.iter().zip(&players).map(opponent).collect();
        let own = banker.pure()?;
        let set = |dealt: Dealt| own.set_dealt(game, dealt);
        let stake = bets.iter().map(|(bet, _)| bet).sum();
        Ok(sample_bank(&rules, game, &set, stake, &opponents, deals, seed))
    })?;
    Ok((sample.net.results().collect(), sample.commission.results().collect()))
}

/// Returns the Kelly size of a distribution for a bankroll, and its log growth.
#[pyfunction]
pub(crate) fn bank_growth(results: Results, bankroll: Chips) -> PyResult<(f64, f64)> {
    if results.iter().all(|(_, weight)| *weight == 0) || bankroll < 1 {
        return Err(PyValueError::new_err("log growth requires a positive bankroll and a result with positive weight"));
    }
    let distribution: NetResults = results.into_iter().collect();
    Ok((distribution.kelly_size(bankroll), distribution.log_growth(bankroll as f64)))
}

/// Returns the joint results of two opponents against one banker hand as an array `(3, 3)`. Rows are the bank's wins,
/// pushes and losses against the first opponent, and columns are its results against the second. Takes several seconds.
#[pyfunction]
pub(crate) fn bank_joint<'py>(
    py: Python<'py>,
    rules: &GameRules,
    hand: PyReadonlyArray2<'py, u8>,
    setting: usize,
    opponents: [Given; 2],
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let hands = hands_of(&hand)?;
    let &[hand] = hands.as_slice() else { return Err(PyValueError::new_err("expected exactly one banker hand")) };
    let game: &Game = &rules.game;
    let setting =
        Setting::from_index(setting).ok_or_else(|| PyValueError::new_err("invalid setting: expected 0 to 20"))?;
    if game.legal_mask(hand) >> setting.index() & 1 == 0 {
        return Err(PyValueError::new_err(format!("setting {} of {hand} is a foul", setting.index())));
    }
    let joint = cancellable(py, |control| {
        let opponents = opponents.map(|it| it.tabulated());
        let [Some(first), Some(second)] = opponents.each_ref().map(Tabulated::profiles) else {
            return Err(SolverError::invalid("joint results are only computed against house ways, not tables"));
        };
        Ok(joint_outcomes(game, hand, game.set(hand, setting), [first, second], control.cancel)?)
    })?;
    let rows: Vec<Vec<i64>> = joint.counts.iter().map(|row| row.iter().map(|&count| count as i64).collect()).collect();
    PyArray2::from_vec2(py, &rows).map_err(value_error)
}
