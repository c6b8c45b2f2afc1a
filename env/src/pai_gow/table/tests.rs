//! Tests of tables: money, the bank, the button, time.

use super::*;
use crate::cards::Pack;
use crate::gym::stream;
use crate::money::{Chips, commission};
use crate::pai_gow::{BankerSet, CARDS, Dealt, Game, Outcome, Paytable, ProfileTable, Rules, SetHand};
use crate::rules::{RuleReading, RuleSet};
use rand::RngExt;
use rayon::prelude::*;
use std::sync::{Arc, LazyLock};

static GAME: LazyLock<Arc<Game>> = LazyLock::new(|| Arc::new(Game::new(Rules::default())));
static WAY: LazyLock<Arc<ProfileTable>> = LazyLock::new(|| Arc::new(ProfileTable::highest_front(&GAME)));

pub(super) fn setup(rules: TableRules) -> Arc<Setup> {
    Arc::new(Setup::new(rules, Arc::clone(&GAME), WAY.clone(), Paytable::default()).unwrap())
}

pub(super) fn rules(assignments: &[&str]) -> TableRules {
    assignments.iter().fold(TableRules::default(), |rules, assignment| rules.with(assignment).unwrap())
}

/// All combinations of readings.
pub(super) fn all_readings() -> Vec<TableRules> {
    TableRules::READINGS.iter().fold(vec![TableRules::default()], |all, RuleReading { name, options, .. }| {
        let with = |rules: &TableRules| {
            options.iter().map(|option| rules.with(&format!("{name}={option}")).unwrap()).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

/// Checks the invariants between two moves.
fn check_money(table: &Table, all: Chips) {
    assert_eq!(table.players_chips() + table.books().total(), all);
    assert!((0..MAX_SEATS).all(|seat| table.seat(seat).bankroll >= 0));
}

/// Checks the invariants of a finished round.
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

/// Plays random rounds on one table after another and returns the number of settled bets.
fn random_rounds(rules: TableRules, seed: u64, rounds: u64) -> u64 {
    let mut rng = stream(seed.into());
    let (mut moves, mut played, mut bets) = (vec![], 0, 0);
    let sizes = (2..=7).map(|seats| TableSize::new(seats).unwrap());
    let setups = sizes.map(|seats| setup(TableRules { seats, time_steps: 3, ..rules })).collect::<Vec<_>>();
    while played < rounds {
        let setup = Arc::clone(&setups[rng.random_range(0..setups.len())]);
        let size = setup.rules().seats;
        let bankrolls: Vec<Chips> =
            (0..size.players()).map(|_| rng.random_range(0..5i64) * rng.random_range(0..3_000)).collect();
        let mut table = Table::new(setup, &bankrolls).unwrap();
        let mut players: Players = std::array::from_fn(|seat| {
            let seed = crate::gym::StreamSeed { seed: seed ^ played, lane: seat as u64 + 1 };
            (seat > 0).then(|| Box::new(RandomPlayer::new(seed)) as Box<dyn Player>)
        });
        let all = bankrolls.iter().sum();
        for _ in 0..500 {
            if !play_round(&mut table, &mut players, &mut rng, &mut moves).unwrap() {
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
fn chips_are_conserved_in_millions_of_random_rounds() {
    // Every combination of readings, every table size, stakes that cover and that do not, hands not set in time.
    let readings = all_readings();
    assert_eq!(readings.len(), 24);
    let bets: u64 = readings.par_iter().enumerate().map(|(i, &rules)| random_rounds(rules, i as u64, 90_000)).sum();
    assert!(bets > 3_000_000, "{bets} bets");
}

#[test]
#[ignore = "2 minutes; settles 100 million bets under all readings"]
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
        let mut player = RandomPlayer::new(7.into());
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

/// Slow reference: settles chip by chip, as on a table.
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
        let size = TableSize::new(rng.random_range(2..=7)).unwrap();
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

fn setup_set(dealt: crate::pai_gow::Dealt) -> SetHand {
    static SETUP: LazyLock<Arc<Setup>> = LazyLock::new(|| setup(TableRules::default()));
    SETUP.set_house_way(dealt)
}

/// Plays to the setting phase: bets on these seats while the others sit out, and all but the banker pass.
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

#[test]
fn the_bank_is_offered_clockwise() {
    let mut rng = stream(1.into());
    let mut table = Table::new(setup(rules(&[])), &[1_000, 0, 1_000, 1_000]).unwrap();
    let mut firsts = vec![];
    for _ in 0..4 {
        assert!(table.begin());
        for seat in [1, 3, 4] {
            table.play(seat, Move::Bet { bet: 20, side: 0 }, &mut rng).unwrap();
        }
        let mut offers = vec![];
        while table.phase() == Phase::Banking {
            let seat = table.acting().first().unwrap();
            offers.push(seat);
            table.play(seat, Move::Pass, &mut rng).unwrap();
        }
        assert_eq!((offers.len(), table.bank()), (3, Bank::House));
        firsts.push(offers[0]);
        // The house and the players have hands, empty seats have none.
        assert_eq!((0..7).filter(|&seat| table.seat(seat).hand.is_some()).collect::<Vec<_>>(), [0, 1, 3, 4]);
        for seat in [4, 1, 3] {
            table.play(seat, Move::HouseWay, &mut rng).unwrap();
        }
    }
    assert_eq!(firsts, [1, 3, 4, 1]);
}

#[test]
fn bankers_take_back_their_bet() {
    let mut rng = stream(2.into());
    for (reading, house) in
        [("house-hand-when-player-banks=not_dealt", false), ("house-hand-when-player-banks=dealt", true)]
    {
        let mut table = Table::new(setup(rules(&[reading, "house-bet=40"])), &[1_000, 500]).unwrap();
        to_setting(&mut table, &[(1, 100), (2, 200)], Some((1, 300)), &mut rng);
        assert_eq!((table.seat(1).bet, table.seat(1).bankroll), (0, 700));
        assert_eq!((table.bank(), table.seat(0).hand.is_some()), (Bank::Seat { seat: 1, stake: 300 }, house));
        assert_eq!(table.against_bank().iter().collect::<Vec<_>>(), if house { vec![0, 2] } else { vec![2] });
        assert!(
            matches!(table.check(0, Move::HouseWay), Err(MoveError::NotActing { seat: 0 })),
            "the house sets its own hand"
        );
    }
    // A lone player has no bets to bank against, except against the house.
    let mut alone = Table::new(setup(rules(&[])), &[1_000]).unwrap();
    to_setting(&mut alone, &[(1, 100)], Some((1, 100)), &mut rng);
    assert_eq!(alone.bank(), Bank::House);
}

#[test]
fn the_button_goes_to_a_hand() {
    let mut rng = stream(3.into());
    let mut seen = [[0; 7]; 2];
    for (i, reading) in ["button-without-hand=next_occupied", "button-without-hand=roll_again"].iter().enumerate() {
        let mut table = Table::new(setup(rules(&[reading])), &[1_000_000, 0, 1_000_000, 0, 1_000_000]).unwrap();
        for _ in 0..20_000 {
            to_setting(&mut table, &[(1, 20), (3, 20), (5, 20)], Some((1, 20)), &mut rng);
            let button = table.button().unwrap();
            let counted = button.dice.seat(1, TableSize::SEVEN);
            let expected = [3, 3, 3, 3, 5, 5, 3][counted];
            assert_eq!(button.seat, if i == 0 { expected } else { counted });
            assert!(i == 1 || button.throws == 1);
            seen[i][button.seat] += 1;
            while let Some(seat) = table.acting().first() {
                table.play(seat, Move::HouseWay, &mut rng).unwrap();
            }
        }
        assert_eq!(seen[i][3] + seen[i][5], 20_000);
    }
    // The number of throws, out of 216, that select each seat from 1: totals 3, 10 and 17 select seat 3, 5 and 12 seat 5.
    let ways = |seat: usize| Dice::all().filter(|dice| dice.seat(1, TableSize::SEVEN) == seat).count() as f64 / 216.0;
    let share = ways(3) / (ways(3) + ways(5));
    assert!((f64::from(seen[1][3]) / 20_000.0 - share).abs() < 4.0 * (share * (1.0 - share) / 20_000.0).sqrt());
    let next = ways(4) + ways(5);
    assert!((f64::from(seen[0][5]) / 20_000.0 - next).abs() < 4.0 * (next * (1.0 - next) / 20_000.0).sqrt());
}

#[test]
fn the_house_way_sets_hands_of_seats_that_do_not() {
    let mut rng = stream(4.into());
    let mut table = Table::new(setup(rules(&["time-steps=3"])), &[1_000; 4]).unwrap();
    to_setting(&mut table, &[(1, 20), (2, 20), (3, 20), (4, 20)], None, &mut rng);
    for left in [3, 2, 1] {
        assert_eq!(table.view(1).time_left(), left);
        table.play(1, Move::Wait, &mut rng).unwrap();
    }
    assert!(!table.acting().contains(1));
    table.play(2, Move::Disconnect, &mut rng).unwrap();
    table.play(3, Move::HouseWay, &mut rng).unwrap();
    let hand = table.seat(4).hand.unwrap().hand();
    let fouls = |index: &usize| !GAME.is_legal(GAME.set(hand, crate::pai_gow::Setting::from_index(*index).unwrap()));
    let foul = (0..21).find(fouls).expect("most hands have a foul");
    let error = table.play(4, Move::Set(foul), &mut rng).unwrap_err().to_string();
    assert!(error.contains("is a foul above"), "{error}");
    assert!(table.play(4, Move::Set(21), &mut rng).unwrap_err().to_string().contains("0 to 20"));
    let legal = (0..21).find(|index| !fouls(index)).unwrap();
    table.play(4, Move::Set(legal), &mut rng).unwrap();
    let by = |seat: usize| table.seat(seat).chosen.unwrap().by;
    assert_eq!(
        [0, 1, 2, 3, 4].map(by),
        [SetBy::House, SetBy::TimeOut, SetBy::Disconnected, SetBy::HouseWay, SetBy::Seat]
    );
    for seat in 0..4 {
        let seat = table.seat(seat);
        assert_eq!(seat.chosen.unwrap().set, setup_set(seat.hand.unwrap()));
    }
    // A seat that leaves before betting has no hand.
    assert!(table.begin());
    table.play(1, Move::Disconnect, &mut rng).unwrap();
    assert!(!table.is_in(1));
}

#[test]
fn invalid_moves_are_rejected_without_any_change() {
    let mut rng = stream(5.into());
    let mut table = Table::new(setup(rules(&[])), &[1_000, 30]).unwrap();
    assert!(table.play(1, Move::Pass, &mut rng).is_err() && table.begin() && !table.begin());
    let cases = [
        (1, Move::Pass, "not a move of the phase"),
        (3, Move::Bet { bet: 20, side: 0 }, "has no move"),
        (1, Move::Bet { bet: 19, side: 0 }, "limits, 20 to 2000"),
        (1, Move::Bet { bet: 2_001, side: 0 }, "limits"),
        (1, Move::Bet { bet: 20, side: 1 }, "limits, 5 to 100"),
        (1, Move::Bet { bet: 0, side: 5 }, "without a bet"),
        (2, Move::Bet { bet: 25, side: 10 }, "takes 35 chips, but seat 2 has 30"),
        (9, Move::Disconnect, "has no move"),
    ];
    for (seat, done, part) in cases {
        let error = table.play(seat, done, &mut rng).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!((table.acting().len(), table.players_chips()), (2, 1_030));
    table.play(1, Move::Bet { bet: 500, side: 0 }, &mut rng).unwrap();
    assert!(table.play(1, Move::Bet { bet: 500, side: 0 }, &mut rng).is_err(), "a seat bets once");
    table.play(2, Move::Bet { bet: 20, side: 0 }, &mut rng).unwrap();
    for (stake, part) in [(5, "limits"), (1_001, "takes 1001 chips, but seat 1 has 1000")] {
        let error = table.play(1, Move::Take { stake }, &mut rng).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    for bankrolls in [&[1; 7][..], &[-1]] {
        assert!(Table::new(setup(rules(&[])), bankrolls).is_err());
    }
}

#[test]
fn histories_are_verified() {
    let head = |table: &Table| HistoryHead::new(table, 5.into(), serde_json::json!({ "note": "test" }));
    let new = || {
        Table::new(setup(rules(&["time-steps=2", "uncovered-bets=lose"])), &[3_000, 2_000, 0, 500, 8_000, 50]).unwrap()
    };
    let mut table = new();
    let mut writer = HistoryWriter::new(vec![], &head(&table)).unwrap();
    let mut players: Players =
        std::array::from_fn(|seat| Some(Box::new(RandomPlayer::new((seat as u64).into())) as Box<dyn Player>));
    let (mut rng, mut moves) = (stream(5.into()), vec![]);
    for _ in 0..60 {
        assert!(play_round(&mut table, &mut players, &mut rng, &mut moves).unwrap());
        writer.write(&RoundRecord::new(&table, &moves)).unwrap();
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let verify = |text: &str| {
        HistoryReader::read(text.as_bytes()).and_then(|history| history.verify(&mut new(), &mut Players::default()))
    };
    assert_eq!(verify(&text).unwrap(), Verified { rounds: 60, closed: true });
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        verify(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(broken("\"round\":7", "\"round\":8").contains("round"));
    assert!(broken("\"format\":2", "\"format\":1").contains("the history has format 1, expected 2"));
    assert!(broken("\"throws\":1", "\"throws\":3").contains("/throws is recorded as 3"));
    assert!(broken("\"commission\":1", "\"commission\":7").contains("commission"));
    assert!(broken("\"outcome\":\"win\"", "\"outcome\":\"loss\"").contains("/outcome is recorded as \"loss\""));
    assert!(broken("\"moves\"", "\"move\"").starts_with("line 2"));
    assert!(broken("3000,2000", "3000,2001").contains("bankrolls"));
    assert!(matches!(verify(""), Err(HistoryError::Empty)));
    let mut other = Table::new(setup(rules(&["time-steps=3"])), &[3_000]).unwrap();
    let other = HistoryReader::read(text.as_bytes()).unwrap().verify(&mut other, &mut Players::default());
    assert!(other.unwrap_err().to_string().contains("setup"));
    assert!(broken("\"note\":\"test\"", "\"note\":\"rest\"").contains("checksum in the footer"));
    assert!(broken("\"end\":{\"rounds\":60", "\"end\":{\"rounds\":61").contains("names 61 rounds, but there are 60"));
    assert!(broken("\"end\"", "\"bend\"").starts_with("line 62"));
    let lines: Vec<&str> = text.lines().collect();
    let without_last = [&lines[..60], &lines[61..]].concat().join("\n") + "\n";
    assert!(verify(&without_last).unwrap_err().to_string().contains("names 60 rounds, but there are 59"));
    for more in ["{}\n", "{", &text] {
        let error = verify(&(text.clone() + more)).unwrap_err().to_string();
        assert!(error.starts_with("line 63 follows the footer"), "{error}");
    }
    let endless = lines[0].to_owned() + "\n" + &" ".repeat(1 << 20);
    assert!(verify(&endless).unwrap_err().to_string().contains("longer than 1 MB"));
}

/// Cut anywhere, a history is read up to its last whole line.
#[test]
fn interrupted_histories_are_readable() {
    let table = || Table::new(setup(rules(&[])), &[900, 800]).unwrap();
    let mut played = table();
    let players = || -> Players {
        std::array::from_fn(|seat| Some(Box::new(RandomPlayer::new((seat as u64).into())) as Box<dyn Player>))
    };
    let (mut rng, mut moves, mut own) = (stream(9.into()), vec![], players());
    let head = HistoryHead::new(&played, 9.into(), serde_json::Value::Null);
    let mut text = vec![];
    let mut writer = HistoryWriter::new(&mut text, &head).unwrap();
    for _ in 0..3 {
        assert!(play_round(&mut played, &mut own, &mut rng, &mut moves).unwrap());
        writer.write(&RoundRecord::new(&played, &moves)).unwrap();
    }
    writer.finish().unwrap();
    for end in 0..text.len() {
        let whole = text[..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let verified =
            HistoryReader::read(&text[..end]).and_then(|history| history.verify(&mut table(), &mut players()));
        match verified {
            Ok(verified) => assert_eq!(verified, Verified { rounds: whole - 1, closed: false }),
            Err(error) => assert!(whole == 0 && matches!(error, HistoryError::Empty), "{error}"),
        }
    }
    // The players of another seed choose other moves.
    let mut others: Players = std::array::from_fn(|_| Some(Box::new(RandomPlayer::new(77.into())) as Box<dyn Player>));
    let error = HistoryReader::read(&text[..]).unwrap().verify(&mut table(), &mut others).unwrap_err().to_string();
    assert!(error.contains("its player 'random' plays"), "{error}");
}

#[test]
fn renderings_fit_a_terminal() {
    let mut table = Table::new(setup(rules(&[])), &[1_000_000_000; 6]).unwrap();
    let mut players: Players =
        std::array::from_fn(|seat| Some(Box::new(RandomPlayer::new((seat as u64).into())) as Box<dyn Player>));
    let (mut rng, mut moves) = (stream(6.into()), vec![]);
    for _ in 0..50 {
        play_round(&mut table, &mut players, &mut rng, &mut moves).unwrap();
        let text = table.render();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    println!("{}", table.render());
}

/// Plays random moves to a state of the setting phase in which some hands are set.
fn to_some_setting(table: &mut Table, players: &mut Players, rng: &mut rand_pcg::Pcg64) -> bool {
    let moves_on = rng.random_range(0..6);
    table.begin();
    while table.phase() == Phase::Betting || table.phase() == Phase::Banking {
        let seat = table.acting().first().unwrap();
        let decided = players[seat].as_mut().unwrap().decide(&table.view(seat));
        table.play(seat, decided, rng).unwrap();
    }
    for _ in 0..moves_on {
        if table.acting().len() > 1 {
            table.play(table.acting().first().unwrap(), Move::HouseWay, rng).unwrap();
        }
    }
    table.phase() == Phase::Setting
}

#[test]
fn no_seat_sees_another_seats_cards() {
    use crate::gym::MultiEnv;
    let (mut rng, mut compared, mut changed) = (stream(31.into()), 0, 0);
    for rules in all_readings() {
        let mut table = Table::new(setup(rules), &[100_000, 0, 90_000, 50_000, 70_000, 20_000]).unwrap();
        let mut players: Players =
            std::array::from_fn(|seat| Some(Box::new(RandomPlayer::new((seat as u64).into())) as Box<dyn Player>));
        for _ in 0..200 {
            if !to_some_setting(&mut table, &mut players, &mut rng) {
                continue;
            }
            for seat in table.acting().iter() {
                // The same table with other cards in all other hands, including the house's.
                let mut other = table.clone();
                let own = table.seat(seat).hand.unwrap();
                let mut pack = Pack::without(CARDS, own.hand().set());
                for hidden in (0..7).filter(|&hidden| hidden != seat && table.seat(hidden).hand.is_some()) {
                    other.replace_hand(hidden, Dealt::draw(&mut pack, &mut rng).unwrap());
                    changed += usize::from(other.seat(hidden).hand != table.seat(hidden).hand);
                }
                let seen = [&table, &other].map(|table| {
                    let mut numbers = vec![f32::NAN; observe::LEN];
                    observe::write(&table.view(seat), 0.5, &mut numbers);
                    (numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>(), table.view(seat).dealt())
                });
                assert_eq!(seen[0], seen[1]);
                compared += 1;
            }
            while let Some(seat) = table.acting().first() {
                table.play(seat, Move::HouseWay, &mut rng).unwrap();
            }
        }
        let env = PaiGowTable::new(Arc::clone(table.setup()));
        assert_eq!(env.observation_space().len(), observe::LEN);
    }
    assert!(compared > 5_000 && changed > 20_000, "{compared} {changed}");
}

#[test]
fn bets_are_hidden_until_all_are_made() {
    let mut rng = stream(32.into());
    let seen = |bet: Chips, side: Chips| {
        let mut table = Table::new(setup(rules(&[])), &[1_000, 1_000, 1_000]).unwrap();
        table.begin();
        table.play(1, Move::Bet { bet, side }, &mut stream(1.into())).unwrap();
        [2, 3].map(|seat| {
            let mut numbers = vec![f32::NAN; observe::LEN];
            observe::write(&table.view(seat), 1.0, &mut numbers);
            numbers
        })
    };
    assert_eq!(seen(20, 0), seen(900, 100));
    assert_eq!(seen(20, 0), seen(0, 0));
    // Then they are public.
    let mut table = Table::new(setup(rules(&[])), &[1_000, 1_000]).unwrap();
    to_setting(&mut table, &[(1, 500), (2, 40)], None, &mut rng);
    assert_eq!((table.view(2).bet(1), table.view(2).bankroll(1)), (500, 500));
}
