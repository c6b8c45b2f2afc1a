//! Benchmarks the full game on one thread. A house way plays as player and as banker against the best response, and
//! then faces the tabulated optimal player. Finally, the best response to the house way is computed as in equilibria,
//! where strategies are mixed and dominated settings are left out.
//!
//! All arguments are optional. A number of shards measures only the first shard, and names of instruction sets measure
//! only those sets. `table` measures only the tabulated opponent, and `mixed` only the mixed strategy. For example:
//! `cargo bench -p houseway-exact --bench whole -- 20 avx2`.

use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules, settings_in};
use houseway_exact::pai_gow::whole::{ClassCounts, Instructions, Pass, Payoff, Play, ProfileSums, Run, Shard, Side};
use houseway_exact::pai_gow::{BankerTable, MixedTable};
use std::time::Instant;

fn main() {
    let shards = std::env::args().filter_map(|arg| arg.parse().ok()).next_back().unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("the thread pool starts");
    pool.install(|| {
        let game = Game::new(Rules::default());
        let way = Way::named("trump-plaza").expect("the way is built in");
        let table = BankerTable::new(&HouseWay::compile(way, &game).expect("the way is complete"));
        let run = Run { shard: Shard::new(0, shards).expect("there is at least one shard"), ..Run::default() };
        let only = ["table", "mixed"].map(|name| std::env::args().any(|arg| arg == name));
        if only == [false; 2] {
            measure(&game, &table, &run, shards);
        }
        if only != [false, true] {
            measure_table(&game, &table, &run, shards);
        }
        if only != [true, false] {
            measure_mixed(&game, &table, &run, shards);
        }
    });
}

/// Measures the best response to the house way as a mixed strategy, for each profile and for each class.
fn measure_mixed(game: &Game, way: &BankerTable, run: &Run<'_>, shards: usize) {
    let payoff = Payoff::player(&game.rules());
    let whole = Pass::against_mixed(game, Side::Player, &MixedTable::from(way)).without_dominated();
    let start = Instant::now();
    let [win, loss] = [payoff.win_millionths(), payoff.loss_millionths()].map(i128::from);
    let visit = |best: &mut i128, profile: &ProfileSums| {
        let gain = |i: usize| win * i128::from(profile.wins[i]) - loss * i128::from(profile.losses[i]);
        let gains = settings_in(profile.legal).map(|setting| gain(setting.index()));
        *best += gains.max().expect("every hand has a legal setting");
    };
    let gain = whole.fold_profiles(run, || 0, visit, |a, b| a + b).expect("the run is never canceled");
    println!(
        "1/{shards} of the profiles against a mixed strategy in {:.2?} (one thread), gain {gain}",
        start.elapsed()
    );
    let start = Instant::now();
    let visit = |gain: &mut i128, classes: &[ClassCounts<i64>]| {
        let gains =
            classes.iter().map(|class| i128::from(class.orbit) * i128::from(class.gain(class.best(payoff), payoff)));
        *gain += gains.sum::<i128>();
    };
    let gain = whole.fold_weights(run, || 0, visit, |a, b| a + b).expect("the run is never canceled");
    println!("1/{shards} of the classes against a mixed strategy in {:.2?} (one thread), gain {gain}", start.elapsed());
}

/// Measures the banker against a table of the optimal player, who plays against the house way.
fn measure_table(game: &Game, way: &BankerTable, run: &Run<'_>, shards: usize) {
    let rules = game.rules();
    let player = Pass::new(game, Side::Player, way);
    let optimum = Play::Best(Payoff::player(&rules));
    let table = player.tabulate("optimum", optimum, &Run::default()).expect("the run is never canceled");
    let payoff = Payoff::house_bank(&rules);
    let measure = |what: &str, copies: bool, best: bool, plays: &[Play<'_>]| {
        let start = Instant::now();
        let banker = Pass::against_table(game, Side::Banker, &table).expect("the optimum never fouls");
        let banker = if copies { banker.with_copies() } else { banker };
        let banker = if best { banker.without_dominated() } else { banker };
        println!("table prepared after {:.2?}", start.elapsed());
        let totals = banker.totals(plays, run).expect("the run is never canceled");
        for total in &totals {
            println!("  EV {:.9}: {total:?}", total.ev(payoff));
        }
        println!(
            "{:?}: 1/{shards} of the game against a table, {what}, in {:.2?} (one thread)",
            Instructions::detect(),
            start.elapsed()
        );
    };
    measure("best response", false, true, &[Play::Best(payoff)]);
    measure("all settings", false, false, &[Play::Profiles(way), Play::Best(payoff)]);
    measure("all settings with copies", true, false, &[Play::Profiles(way), Play::Best(payoff)]);
    if shards == 1 {
        let totals = player.totals(&[Play::Classes(&table)], run).expect("the run is never canceled");
        println!("From the other side: {:?}", totals[0].other_side());
    }
}

fn measure(game: &Game, table: &BankerTable, run: &Run<'_>, shards: usize) {
    let rules = game.rules();
    let named = |instructions: Instructions| {
        let mut names =
            std::env::args().skip(1).filter(|arg| !arg.starts_with('-') && arg.parse::<usize>().is_err()).peekable();
        names.peek().is_none() || names.any(|name| name.eq_ignore_ascii_case(&format!("{instructions:?}")))
    };
    let all = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];
    for instructions in all.into_iter().filter(|&instructions| instructions.available() && named(instructions)) {
        let start = Instant::now();
        let sides = [(Side::Player, Payoff::player(&rules)), (Side::Banker, Payoff::house_bank(&rules))];
        for (side, payoff) in sides {
            let whole = Pass::new(game, side, table).with_copies().with_instructions(instructions);
            let totals =
                whole.totals(&[Play::Profiles(table), Play::Best(payoff)], run).expect("the run is never canceled");
            println!("{side:?} {:?} after {:.2?}", totals[0], start.elapsed());
            println!("  EV {:.9}, best response {:.9}", totals[0].ev(payoff), totals[1].ev(payoff));
        }
        println!("{instructions:?}: 1/{shards} of the game, both sides, in {:.2?} (one thread)", start.elapsed());
    }
}
