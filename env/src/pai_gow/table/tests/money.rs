//! Tests that chips are neither lost nor created, and that bets are settled as they are at a real table.

use super::*;
use crate::cards::Pack;
use crate::money::commission;
use crate::pai_gow::{BankerSet, Outcome};
use rayon::prelude::*;

/// Checks the invariants that hold between any two moves.
fn check_money(table: &Table, all: Chips) {
    assert_eq!(players_chips(table) + table.books().total(), all);
    assert!((0..MAX_SEATS).all(|seat| table.seat(seat).bankroll >= 0));
}

/// Checks the invariants that hold for a finished round.
fn check_round(table: &Table) {
    let Some(settled) = table.settled() else { return assert!((1..7).all(|seat| table.seat(seat).net() == 0)) };
    let nets: Chips = settled.bets.iter().flatten().map(|bet| bet.net).sum();
    assert_eq!(settled.bank_net, -nets);
    assert!(
        settled.bank_commission >= 0
            && settled.bank_commission <= settled.bets.iter().flatten().map(|bet| bet.bet).sum()
    );
    for result in settled.bets.iter().flatten() {
        assert!(result.net.abs() <= result.bet && (0..=result.bet).contains(&result.covered));
        assert!(result.commission == 0 || result.net > 0 && result.commission <= result.net);
    }
    match table.bank() {
        Bank::House => {
            assert!(settled.bets.iter().flatten().all(|bet| bet.covered == bet.bet) && settled.bank_commission == 0);
        }
        Bank::Seat { seat, stake } => {
            assert!(settled.bank_net - settled.bank_commission >= -stake && settled.bets[seat].is_none());
            assert_eq!(table.seat(seat).net(), settled.bank_net - settled.bank_commission + table.seat(seat).side_net);
        }
    }
}

/// Plays random rounds at one table after another and returns the number of settled bets.
fn random_rounds(rules: TableRules, seed: u64, rounds: u64) -> u64 {
    let mut rng = stream(seed.into());
    let (mut played, mut bets) = (0, 0);
    let sizes = (2..=7).map(|seats| TableSize::try_from(seats).unwrap());
    let setups = sizes.map(|seats| setup(TableRules { seats, time_steps: 3, ..rules })).collect::<Vec<_>>();
    while played < rounds {
        let setup = Arc::clone(&setups[rng.random_range(0..setups.len())]);
        let size = setup.rules.seats;
        let bankrolls: Vec<Chips> =
            (0..size.players()).map(|_| rng.random_range(0..5i64) * rng.random_range(0..3_000)).collect();
        let mut table = Table::new(setup, &bankrolls).unwrap();
        let mut players: Players = std::array::from_fn(|seat| {
            let seed = crate::gym::StreamSeed { seed: seed ^ played, lane: seat as u64 + 1 };
            (seat > 0).then(|| Player::random(seed))
        });
        let all = bankrolls.iter().sum();
        for _ in 0..500 {
            if !play_round(&mut table, &mut players, &mut rng).unwrap() {
                break;
            }
            check_money(&table, all);
            check_round(&table);
            bets += table.settled().map_or(0, |settled| settled.bets.iter().flatten().count() as u64);
            played += 1;
        }
        played += 1;
    }
    bets
}

#[test]
fn chips_are_conserved_in_random_rounds() {
    // The rounds go through every combination of readings and every table size. Stakes cover all or only part of the
    // bets, and some hands aren't set in time.
    let readings = all_readings();
    assert_eq!(readings.len(), 24);
    let bets: u64 = readings.par_iter().enumerate().map(|(i, &rules)| random_rounds(rules, i as u64, 25_000)).sum();
    assert!(bets > 800_000, "{bets} bets");
}

#[test]
#[ignore = "takes 2 minutes; settles 100 million bets under all readings"]
fn chips_are_conserved_in_100_million_bets() {
    let readings = all_readings();
    let settled: u64 = (0..480u64)
        .into_par_iter()
        .map(|i| random_rounds(readings[i as usize % readings.len()], 1_000 + i, 140_000))
        .sum();
    println!("{settled} bets settled");
    assert!(settled >= 100_000_000, "{settled} bets");
}

#[test]
fn chips_are_conserved_after_every_move() {
    for (i, rules) in all_readings().into_iter().enumerate() {
        let mut rng = stream((i as u64).into());
        let mut table = Table::new(setup(rules), &[5_000, 0, 300, 2_000, 90, 10_000]).unwrap();
        let mut player = Player::random(7.into());
        for _ in 0..300 {
            if !table.begin() {
                break;
            }
            while let Some(seat) = table.acting().iter().last() {
                let decided = player.decide(&table.view(seat));
                table.play(seat, decided, &mut rng).unwrap();
                check_money(&table, 17_390);
            }
        }
    }
}

/// A slow reference implementation that settles chip by chip, as at a real table.
fn settle_by_chips(
    rules: &TableRules,
    bank: Bank,
    banker: BankerSet,
    wagers: &[Option<SetBet>; 7],
    button: usize,
) -> [Chips; 7] {
    let mut funds = if let Bank::Seat { stake, .. } = bank { stake } else { 1_000_000 };
    let mut nets = [0; 7];
    let mut seat = button;
    for _ in 0..rules.seats.seats() {
        if let Some(wager) = wagers[seat] {
            let (covered_at_most, before) = (funds, nets[seat]);
            for chip in 0..wager.bet {
                let covered = chip < covered_at_most;
                match GAME.settle(wager.set, banker).outcome {
                    Outcome::Win if covered => (nets[seat], funds) = (nets[seat] + 1, funds - 1),
                    Outcome::Loss if covered || rules.uncovered_bets == UncoveredBets::Lose => {
                        (nets[seat], funds) = (nets[seat] - 1, funds + 1);
                    }
                    _ => {}
                }
            }
            if bank != Bank::House && rules.commission_on_banker == CommissionOnBanker::PerBet {
                funds -= commission(rules.bank_commission, before - nets[seat]);
            }
        }
        seat = if seat + 1 == rules.seats.seats() { 0 } else { seat + 1 };
    }
    nets
}

#[test]
fn settlement_agrees_with_the_slow_reference() {
    let (mut rng, mut uncovered, readings) = (stream(21.into()), 0, all_readings());
    for _ in 0..20_000 {
        let size = TableSize::try_from(rng.random_range(2..=7)).unwrap();
        let rules = TableRules { seats: size, ..readings[rng.random_range(0..readings.len())] };
        let mut pack = Pack::new(CARDS);
        let mut hand = || setup_set(Dealt::draw(&mut pack, &mut rng).unwrap());
        let banker = BankerSet::plain(hand());
        let mut sets = [SetHand::default(); 7];
        (0..6).for_each(|i| sets[i] = hand());
        let seat = rng.random_range(0..size.seats());
        let bank = if seat == 0 { Bank::House } else { Bank::Seat { seat, stake: rng.random_range(1..60) } };
        let wagers: [Option<SetBet>; 7] = std::array::from_fn(|i| {
            let bet = rng.random_range(0..30);
            (i != seat && i < size.seats() && bet > 0).then(|| SetBet { bet, set: sets[i % 6] })
        });
        let button = rng.random_range(0..size.seats());
        let settled = settle(&rules, &GAME, bank, banker, &wagers, button);
        let expected = settle_by_chips(&rules, bank, banker, &wagers, button);
        assert_eq!(settled.bets.map(|bet| bet.map_or(0, |bet| bet.net)), expected);
        uncovered += settled.bets.iter().flatten().filter(|bet| bet.covered < bet.bet).count();
    }
    assert!(uncovered > 5_000, "{uncovered}");
}
