//! Returns of the side bet, including bets on the better of two hands and bets that need the main bet to win.

use super::matchup::{ClassSink, Pair};
use super::outcomes::{BANKER_HANDS, DEALS, HANDS, Side};
use super::solver::ExactGame;
use super::strategies::SideStrategy;
use super::whole::{ClassCounts, Run};
use crate::side_bet::{BetReturn, better_of_two, check_terms, joint_rows};
use crate::solver::{Control, SolverConfig, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::{Paytable, Setting, SideBet, SideBetBest};
use houseway_env::paytable::HandOf;
use std::sync::{Mutex, PoisonError};

/// Counts the hands or deals that a paytable of the side bet pays.
pub(super) fn side_bet(
    paytable: Option<&str>,
    config: &SolverConfig,
    control: &Control<'_>,
) -> Result<BetReturn, SolverError> {
    let exact = ExactGame::new(config)?;
    let rules = exact.game.rules();
    let paytable = paytable.map(Paytable::load_bet).transpose().map_err(SolverError::invalid)?.unwrap_or_default();
    let all = paytable.special_terms();
    check_terms(&paytable, if all.contains(&"cards") { &[] } else { &all }, "seven cards settle the side bet")?;
    let terms = paytable.terms();
    if terms.on != HandOf::Player && all.iter().any(|key| ["needs-win", "envy"].contains(key)) {
        return Err(SolverError::Invalid(format!(
            "the paytable '{}' has {}, which cannot be combined; needs-win and envy belong to a bet on the player's own hand",
            paytable.name(),
            all.join(", ")
        )));
    }
    let bet = SideBet::new(paytable, &rules);
    let paytable = bet.paytable();
    let held: Vec<u64> = bet.exact_return().rows.iter().map(|(_, hands)| *hands).collect();
    let found = if terms.on == HandOf::Either {
        let joint = joint_rows(CardSet::DECK_53, 7, held.len(), |hand| bet.row_index(hand));
        let (held, all) = better_of_two(paytable, &joint);
        BetReturn::new(paytable, &held, all, &rules).note("The better of the player's and the dealer's hand pays.")
    } else if terms.needs_win.is_some() {
        let held: Vec<u64> = held.iter().map(|hands| hands * BANKER_HANDS).collect();
        let (wins, names) = wins_by_row(&exact, &bet, control)?;
        let note = format!("The main bet is played by {} against {}.", names[0], names[1]);
        BetReturn::new(paytable, &held, DEALS, &rules).with_wins(&wins).note(note)
    } else {
        BetReturn::new(paytable, &held, HANDS, &rules)
    };
    Ok(found.note(match rules.side_bet_best {
        SideBetBest::BestPaid => "Other rows pay hands that contain them. Of all rows that a hand qualifies for, the one with the highest odds pays.",
        SideBetBest::BestRank => "Only the row for the best hand by rank pays, whatever its odds and the other hands that the seven cards contain.",
    }))
}

/// The number of deals that the player wins, for each row that the player's hand qualifies for.
struct RowWins<'a> {
    bet: &'a SideBet,
    wins: Mutex<Vec<u64>>,
}

impl ClassSink for RowWins<'_> {
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]) {
        let mut wins = self.wins.lock().unwrap_or_else(PoisonError::into_inner);
        for (class, &setting) in classes.iter().zip(settings) {
            if let (Some(row), Some(counts)) = (self.bet.row_index(class.hand.set()), class.get(setting)) {
                wins[row] += counts.wins * u64::from(class.orbit);
            }
        }
    }
}

/// Counts the deals that the player wins in each row, in a single pass. Returns the names of the strategies as well.
fn wins_by_row(
    exact: &ExactGame,
    bet: &SideBet,
    control: &Control<'_>,
) -> Result<(Vec<u64>, [String; 2]), SolverError> {
    let names = ["player", "banker"].map(|side| exact.strategy(side));
    let run = |progress| Run { progress: Some(progress), cancel: control.cancel, ..Run::default() };
    let progress = control.stage("setting all hands", "hands");
    let sides = SideStrategy::load(names, &exact.config.assignments, &exact.game, &run(&progress))?;
    let progress = control.stage("enumerating", "hands");
    let pair = Pair::new(sides, &exact.game, exact.bank()?)?;
    if pair.side() != Side::Player || pair.weight() != 1 {
        return Err(SolverError::invalid(
            "a side bet that needs the main bet to win is only evaluated for pure strategies that enumerate the player's \
             hands; use house ways or strategy tables",
        ));
    }
    let sink = RowWins { bet, wins: Mutex::new(vec![0; bet.paytable().rows().len()]) };
    pair.count(&run(&progress), &[&sink])?;
    Ok((sink.wins.into_inner().unwrap_or_else(PoisonError::into_inner), names.map(str::to_owned)))
}
