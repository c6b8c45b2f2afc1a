//! Tests that other seats' cards stay hidden, as do their bets until everyone has bet.

use super::*;
use crate::cards::Pack;

/// Plays random moves until the table is in the setting phase and some hands have been set.
fn to_some_setting(table: &mut Table, players: &mut Players, rng: &mut rand_pcg::Pcg64) -> bool {
    let moves_on = rng.random_range(0..6);
    table.begin();
    while table.phase() == Phase::Betting || table.phase() == Phase::Banking {
        let seat = table.acting().first().unwrap();
        let decided = players[seat].as_mut().unwrap().decide(&table.view(seat));
        table.play(seat, decided, rng).unwrap();
    }
    for _ in 0..moves_on {
        if table.acting().iter().count() > 1 {
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
        let mut players: Players = std::array::from_fn(|seat| Some(Player::random((seat as u64).into())));
        for _ in 0..200 {
            if !to_some_setting(&mut table, &mut players, &mut rng) {
                continue;
            }
            for seat in table.acting().iter() {
                // Deal different cards to everyone else, including the house, at an otherwise equal table.
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
        let env = PaiGowTable::new(Arc::clone(table.setup()), Players::default());
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
    // Once everyone has bet, the bets are public.
    let mut table = Table::new(setup(rules(&[])), &[1_000, 1_000]).unwrap();
    to_setting(&mut table, &[(1, 500), (2, 40)], None, &mut rng);
    assert_eq!((table.view(2).bet(1), table.view(2).bankroll(1)), (500, 500));
}
