//! Tests for the bank, the button, time limits and invalid moves.

use super::*;
use crate::pai_gow::Setting;

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
        // The house and the players have hands, but empty seats don't.
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
    // A single player has no bets to bank against except the house's.
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
    // Count how many of the 216 throws select each seat, starting from seat 1. The sums 3, 10 and 17 select seat 3, and
    // the sums 5 and 12 select seat 5.
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
    let fouls = |index: &usize| !GAME.is_legal(GAME.set(hand, Setting::from_index(*index).unwrap()));
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
    // A seat that leaves before betting doesn't get a hand.
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
        (1, Move::Pass, "passing the bank is not possible while bets are placed"),
        (1, Move::Set(1), "setting a hand is not possible while bets are placed"),
        (3, Move::Bet { bet: 20, side: 0 }, "not the turn of seat"),
        (1, Move::Bet { bet: 19, side: 0 }, "limits, 20 to 2000"),
        (1, Move::Bet { bet: 2_001, side: 0 }, "limits"),
        (1, Move::Bet { bet: 20, side: 1 }, "limits, 5 to 100"),
        (1, Move::Bet { bet: 0, side: 5 }, "without a bet"),
        (2, Move::Bet { bet: 25, side: 10 }, "takes 35 chips, but seat 2 has 30"),
        (9, Move::Disconnect, "not the turn of seat"),
    ];
    for (seat, done, part) in cases {
        let error = table.play(seat, done, &mut rng).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!((table.acting().iter().count(), players_chips(&table)), (2, 1_030));
    table.play(1, Move::Bet { bet: 500, side: 0 }, &mut rng).unwrap();
    assert!(table.play(1, Move::Bet { bet: 500, side: 0 }, &mut rng).is_err(), "a seat can only bet once");
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
fn renderings_fit_a_terminal() {
    let mut table = Table::new(setup(rules(&[])), &[1_000_000_000; 6]).unwrap();
    let mut players: Players = std::array::from_fn(|seat| Some(Player::random((seat as u64).into())));
    let mut rng = stream(6.into());
    for _ in 0..50 {
        play_round(&mut table, &mut players, &mut rng).unwrap();
        let text = table.render();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    println!("{}", table.render());
}
