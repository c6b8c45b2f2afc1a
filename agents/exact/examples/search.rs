use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::search::*;
use houseway_exact::pai_gow::whole::{Cancelled, FullGame, Payoff, Run, Side};
use std::time::Instant;

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|it| it.parse().unwrap()).collect();
    let [most, width, cases, fix] = args[..] else { panic!() };
    let start = Instant::now();
    let game = Game::new(Rules::default());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    let whole = FullGame::new(&game, Side::Player, &BankerTable::new(&way));
    let slots = Slots::new(&game);
    let gains = SettingGains::compute(&whole, Payoff::player(game.rules().commission), &slots, &Run::default()).unwrap();
    println!("gains {:?}", start.elapsed());
    let mut space = Space::new(&game, &slots, &gains, plays(&Word::ALL));
    let percent = |units: i64| 100.0 * loss(units);
    println!("space {:?}", start.elapsed());
    let limits = Limits { bounds: 999, bound_price: units(1e-6), cases, width, seeds: 60, branches: 10 };
    if fix > 0 {
        let rules = space.add_sheet(&game, &slots, &gains, way.way());
        let search = Search::new(&space, limits);
        let found = search.evaluate(rules);
        println!("sheet {:.5}", percent(found.loss));
        let mut sheets = vec![ChangedSheet { found, removed: 0 }];
        for k in 1..=fix {
            sheets = search.change(&sheets);
            println!("{k} changes {:.5} {:?}", percent(sheets[0].found.loss), start.elapsed());
        }
        return;
    }
    for (i, bound) in space.bounds_by_rules(most).into_iter().enumerate() { println!("bound {} {:.5}", i + 1, percent(bound)); }
    println!("bounds {:?}", start.elapsed());
    let search = Search::new(&space, limits);
    let mut state = SearchState::default();
    search.run::<Cancelled>(&mut state, most, None, |state, n, _| { println!("{n} {:.5} {:?}", percent(state.levels[n - 1][0].loss), start.elapsed()); Ok(()) }).unwrap();
    for level in &state.levels {
        let found = search.simplified(&level[0]);
        println!("\n{} rules {:.5}", found.rules.len(), percent(found.loss));
        for rule in search.priced(&found) {
            println!("{}   {:?}", rule.toml.lines().nth(2).unwrap(), rule.without.map(percent));
        }
    }
    println!("done {:?}", start.elapsed());
}
