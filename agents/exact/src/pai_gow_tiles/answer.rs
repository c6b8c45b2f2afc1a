//! The answer for the full game: strategies against each other, what a house way costs, and the price of every reading.

use super::{Counts, PaiGowTiles, Strategy, TwoSided};
use crate::Ratio;
use crate::answer::{Section, TextTable};
use crate::format::{grouped, percent};
use crate::one_decision::{Enumerated, Situation};
use crate::pai_gow::Side;
use crate::solver::{Control, SolverError};
use houseway_env::pai_gow::Outcome;
use houseway_env::pai_gow_tiles::{Bank, Rules};
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};

/// The number of hands to list where a house way loses most.
const SHOWN: usize = 10;

/// The deals of a player's strategy against the house's.
struct Matchup {
    player: String,
    house: String,
    counts: Counts,
    ev: Ratio,
}

/// What a rule of the player's house way costs against the house's strategy.
struct RuleRow {
    rule: String,
    hands: u64,
    /// The hands for which another setting is better.
    worse: u64,
    /// The loss over all deals, per unit staked.
    cost: Ratio,
}

/// The EVs under another option of a reading or variant. Both sides play the house way of the rules.
struct ReadingRow {
    rule: String,
    ev: Ratio,
    best: Ratio,
}

/// Returns the JSON keys and the sections of the solved game.
pub(super) fn solved(
    game: &PaiGowTiles,
    solver: &Enumerated<PaiGowTiles>,
    control: &Control<'_>,
) -> Result<(Map<String, Value>, Vec<Section>), SolverError> {
    let (matchups, rules, readings) = (matchups(game), rule_rows(game, solver), reading_rows(game.game.rules()));
    let costs = costs(game, solver);
    let mut json = Map::new();
    let mut put = |key: &str, value: Vec<Value>| json.insert(key.to_owned(), value.into());
    put("matchups", matchups.iter().map(Matchup::json).collect());
    put("rule_costs", rules.iter().map(RuleRow::json).collect());
    put("readings", readings.iter().map(ReadingRow::json).collect());
    let lost = costs.iter().map(|(situation, cost)| {
        json!({ "hand": situation.example, "hands": situation.hands.to_string(), "rule": situation.group, "cost": cost.value() })
    });
    put("lost_hands", lost.collect());
    let mut sections = vec![
        Section::new("Strategies against each other").table(matchup_table(&matchups)).text(banking(game)),
        Section::new("What the house way costs").table(rule_table(&rules)).table(cost_table(&costs)),
        Section::new("Readings")
            .text("One rule changed at a time; both sides play the house way of the rules, or the player plays the optimum.")
            .table(reading_table(&readings)),
    ];
    if game.solves_both_sides {
        let equilibrium = TwoSided::solve(game, control)?;
        json.insert("equilibrium".to_owned(), equilibrium.json());
        sections.push(equilibrium.section());
    }
    Ok((json, sections))
}

/// Returns the deals of all strategies against each other. The optimum is the best response of one side.
fn matchups(game: &PaiGowTiles) -> Vec<Matchup> {
    let mut matchups = Vec::new();
    let mut add = |player: &Strategy, house: &Strategy, counts: Counts| {
        let ev = game.ev(&counts);
        matchups.push(Matchup { player: player.name.clone(), house: house.name.clone(), counts, ev });
    };
    let mut houses = game.ways();
    if houses.iter().all(|house| house.settings != game.banker.settings) {
        houses.push(game.banker.clone());
    }
    for house in &houses {
        let outcomes = game.outcomes(Side::Player, house);
        for player in game.ways().into_iter().chain([game.best(Side::Player, house)]) {
            add(&player, house, game.total(&outcomes, &player));
        }
    }
    for player in game.ways() {
        let house = game.best(Side::Banker, &player);
        add(&player, &house, game.total(&game.outcomes(Side::Banker, &player), &house));
    }
    matchups
}

/// Returns the situations in which the player's house way isn't optimal, with the loss per unit staked, greatest first.
fn costs<'a>(game: &PaiGowTiles, solver: &'a Enumerated<PaiGowTiles>) -> Vec<(&'a Situation, Ratio)> {
    let chosen = super::follow(&game.game, &game.way).settings;
    let loss = |(situation, setting): (&'a Situation, usize)| {
        (situation, situation.ev(situation.best()) - situation.ev(setting))
    };
    let mut costs: Vec<_> =
        solver.situations().iter().zip(chosen).map(loss).filter(|(_, cost)| *cost > Ratio::ZERO).collect();
    costs.sort_by(|(a, x), (b, y)| (y, &a.example).cmp(&(x, &b.example)));
    costs
}

fn rule_rows(game: &PaiGowTiles, solver: &Enumerated<PaiGowTiles>) -> Vec<RuleRow> {
    let costs = costs(game, solver);
    let all = i128::from(solver.hands());
    let row = |index: usize| {
        let rule = game.way.rule(index).name.clone();
        let hands = solver.situations().iter().filter(|it| it.group == rule).map(|it| it.hands).sum();
        let own = || costs.iter().filter(|(situation, _)| situation.group == rule);
        let loss = |(situation, cost): &(&Situation, Ratio)| {
            Ratio::new(cost.numerator() * i128::from(situation.hands), cost.denominator() * all)
        };
        let cost = own().map(loss).fold(Ratio::ZERO, |sum, cost| sum + cost);
        RuleRow { hands, worse: own().map(|(situation, _)| situation.hands).sum(), cost, rule }
    };
    (0..game.way.rules()).map(row).collect()
}

fn reading_rows(rules: &Rules) -> Vec<ReadingRow> {
    let options = Rules::READINGS.iter().chain(Rules::VARIANTS);
    let changes = options.flat_map(|rule| rule.options.iter().map(move |option| format!("{}={option}", rule.name)));
    let row = |change: String| {
        let other = rules.with(&change).expect("every option of a reading is valid");
        let game = PaiGowTiles::new(other);
        let outcomes = game.outcomes(Side::Player, &game.banker);
        let ev = |strategy: &Strategy| game.ev(&game.total(&outcomes, strategy));
        let mark = if other == *rules { " *" } else { "" };
        ReadingRow { rule: change + mark, ev: ev(&game.banker), best: ev(&game.best_of(Side::Player, &outcomes)) }
    };
    changes.map(row).collect()
}

/// Describes what banking is worth.
fn banking(game: &PaiGowTiles) -> String {
    let ev = |bank: Bank| {
        let rules = Rules { bank, ..*game.game.rules() };
        let game = PaiGowTiles::new(rules);
        let outcomes = game.outcomes(Side::Player, &game.banker);
        [&game.banker, &game.best_of(Side::Player, &outcomes)].map(|strategy| game.ev(&game.total(&outcomes, strategy)))
    };
    let ([house, best], [banked, best_banked]) = (ev(Bank::House), ev(Bank::Player));
    let amount = |ev: Ratio| percent(ev.value(), 4);
    format!(
        "If the house banks by the house way of the rules, the player has an EV of {} by the same way and {} optimally. A \
         player who banks against the house has {} and {}, and who banks together with it, so that the hand is set by the \
         house way, half of {}.",
        amount(house),
        amount(best),
        amount(banked),
        amount(best_banked),
        amount(banked),
    )
}

impl Matchup {
    fn json(&self) -> Value {
        let [wins, pushes, losses] = Outcome::ALL.map(|outcome| self.counts[outcome as usize].to_string());
        json!({
            "player": self.player,
            "house": self.house,
            "wins": wins,
            "pushes": pushes,
            "losses": losses,
            "ev": self.ev.to_json(),
        })
    }
}

impl RuleRow {
    fn json(&self) -> Value {
        let (hands, worse) = (self.hands.to_string(), self.worse.to_string());
        json!({ "rule": self.rule, "hands": hands, "worse": worse, "cost": self.cost.value() })
    }
}

impl ReadingRow {
    fn json(&self) -> Value {
        json!({ "rule": self.rule.trim_end_matches(" *"), "ev": self.ev.to_json(), "optimal": self.best.to_json() })
    }
}

fn matchup_table(matchups: &[Matchup]) -> TextTable {
    let header = ["player", "house", "wins", "pushes", "losses", "EV", "exact"];
    let mut table = TextTable::new(header).right_from(2);
    for Matchup { player, house, counts, ev } in matchups {
        let [wins, pushes, losses] = Outcome::ALL.map(|outcome| grouped(counts[outcome as usize]));
        let value = percent(ev.value(), 5);
        table = table.row([player, house, &wins, &pushes, &losses, &value, &format!("{ev:?}")]);
    }
    table
}

fn rule_table(rules: &[RuleRow]) -> TextTable {
    let mut table = TextTable::new(["rule", "hands", "not optimal", "cost"]).right_from(1);
    for RuleRow { rule, hands, worse, cost } in rules {
        table = table.row([rule, &grouped(*hands), &grouped(*worse), &percent(cost.value(), 5)]);
    }
    let sum = |count: fn(&RuleRow) -> u64| grouped(rules.iter().map(count).sum());
    let cost = rules.iter().fold(Ratio::ZERO, |sum, row| sum + row.cost);
    table.row(["all", &sum(|row| row.hands), &sum(|row| row.worse), &percent(cost.value(), 5)])
}

fn cost_table(costs: &[(&Situation, Ratio)]) -> TextTable {
    let mut table = TextTable::new(["hand", "hands", "rule", "cost for the hand"]).right(1).right(3);
    for (situation, cost) in costs.iter().take(SHOWN) {
        let cost = percent(cost.value(), 3);
        table = table.row([&situation.example, &grouped(situation.hands), &situation.group, &cost]);
    }
    table
}

fn reading_table(readings: &[ReadingRow]) -> TextTable {
    let mut table = TextTable::new(["rule", "house way", "optimum"]).right_from(1);
    for ReadingRow { rule, ev, best } in readings {
        table = table.row([rule, &percent(ev.value(), 5), &percent(best.value(), 5)]);
    }
    table
}
