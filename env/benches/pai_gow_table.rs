//! Benchmarks for the Pai Gow Poker table. Run them with `cargo bench -p houseway-env --bench pai_gow_table`.
//!
//! The unit `seat-hands` counts one hand per player and round. All figures are for a single core.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use houseway_env::gym::stream;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::table::{
    BankPolicy, BetSize, MAX_BANKROLL, Player, Players, Regular, SetRule, Setup, Table, TableRules, play_round,
};
use houseway_env::pai_gow::{Game, Paytable, Rules};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// The number of rounds per iteration.
const ROUNDS: u64 = 10_000;
/// The number of players at a full table.
const PLAYERS: u64 = 6;

fn setup() -> Arc<Setup> {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Way::named("trump-plaza").expect("it is built in");
    let way = Arc::new(HouseWay::compile(way, &game).expect("it sets every hand"));
    Arc::new(Setup::new(TableRules::default(), game, way, Paytable::default()).expect("the rules are good"))
}

/// Returns six players who follow the house way. The first player banks according to `first`.
fn players(setup: &Setup, first: BankPolicy, by_button: bool) -> Players {
    std::array::from_fn(|seat| {
        let (name, bet) = ("house way".to_owned(), BetSize::Chips(20));
        let bank = if seat == 1 { first } else { BankPolicy::Never };
        let set = if by_button { SetRule::HouseWay } else { SetRule::Way(Arc::clone(&setup.way)) };
        (seat > 0).then(|| Player::Regular(Regular { name, bet, side: 0, bank, exact: None, set }))
    })
}

/// Plays complete rounds with six players, including bets, banking, dice, seven hands, settlement and bookkeeping.
fn rounds(criterion: &mut Criterion) {
    let setup = setup();
    let mut group = criterion.benchmark_group("table-seat-hands");
    group.throughput(Throughput::Elements(ROUNDS * PLAYERS));
    let cases = [
        ("house banks", BankPolicy::Never, true),
        ("a player banks", BankPolicy::Always, true),
        ("each names its setting", BankPolicy::Never, false),
    ];
    for (name, bank, by_button) in cases {
        let mut table = Table::new(Arc::clone(&setup), &[MAX_BANKROLL; 6]).expect("the bankrolls are good");
        let mut players = players(&setup, bank, by_button);
        let mut rng = stream(1.into());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for _ in 0..ROUNDS {
                    black_box(play_round(&mut table, &mut players, &mut rng)).expect("the moves are legal");
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = rounds
}
criterion_main!(benches);
