//! Tests for tables, grouped by subject.

mod hidden;
mod histories;
mod money;
mod rounds;
mod seated;

use super::*;
use crate::gym::stream;
use crate::money::Chips;
use crate::pai_gow::{CARDS, Dealt, Game, Paytable, ProfileTable, Rules, SetHand};
use crate::rules::{RuleReading, RuleSet};
use rand::RngExt;
use std::sync::{Arc, LazyLock};

static GAME: LazyLock<Arc<Game>> = LazyLock::new(|| Arc::new(Game::new(Rules::default())));
static WAY: LazyLock<Arc<ProfileTable>> = LazyLock::new(|| Arc::new(ProfileTable::max_front(&GAME)));

pub(super) fn setup(rules: TableRules) -> Arc<Setup> {
    Arc::new(Setup::new(rules, Arc::clone(&GAME), WAY.clone(), Paytable::default()).unwrap())
}

pub(super) fn rules(assignments: &[&str]) -> TableRules {
    assignments.iter().fold(TableRules::default(), |rules, assignment| rules.with(assignment).unwrap())
}

/// Returns all combinations of readings.
fn all_readings() -> Vec<TableRules> {
    TableRules::READINGS.iter().fold(vec![TableRules::default()], |all, RuleReading { name, options, .. }| {
        let with = |rules: &TableRules| {
            options.iter().map(|option| rules.with(&format!("{name}={option}")).unwrap()).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

fn setup_set(dealt: Dealt) -> SetHand {
    static SETUP: LazyLock<Arc<Setup>> = LazyLock::new(|| setup(TableRules::default()));
    SETUP.set_house_way(dealt)
}

/// Returns the total chips of all players, including those on the table. Their sum with the [`Books`] is constant.
fn players_chips(table: &Table) -> Chips {
    let is_over = table.phase() == Phase::Over;
    let on_table = |seat: &Seat| if is_over { 0 } else { seat.bet + seat.side };
    let stake = match table.bank() {
        Bank::Seat { stake, .. } if !is_over => stake,
        _ => 0,
    };
    let seats = (1..MAX_SEATS).map(|seat| table.seat(seat));
    stake + seats.map(|seat| seat.bankroll + on_table(seat)).sum::<Chips>()
}

/// Plays up to the setting phase. The given seats bet, the others sit out, and everyone but the banker passes.
fn to_setting(table: &mut Table, bets: &[(usize, Chips)], banker: Option<(usize, Chips)>, rng: &mut rand_pcg::Pcg64) {
    assert!(table.begin());
    while let Some(seat) = table.acting().first() {
        let bet = bets.iter().find(|bet| bet.0 == seat).map_or(0, |bet| bet.1);
        let done = match (table.phase(), banker) {
            (Phase::Betting, _) => Move::Bet { bet, side: 0 },
            (Phase::Banking, Some((banker, stake))) if banker == seat => Move::Take { stake },
            (Phase::Banking, _) => Move::Pass,
            _ => return,
        };
        table.play(seat, done, rng).unwrap();
    }
}
