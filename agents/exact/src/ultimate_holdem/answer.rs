//! Builds the answers for Ultimate Texas Hold'em, for all deals under a strategy and for the decisions in a position.

use super::solver::{ExactGame, NamedStrategy, Solved};
use super::{Choice, DEALS, HandTotals, Position, Totals};
use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::format::percent;
use houseway_env::cards::Rank;
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};

/// The names of the plays by their antes, followed by the fold. The order is the same as in [`Totals::played`].
const PLAYED: [&str; 5] = ["play4", "play3", "play2", "play1", "fold"];
/// The number of starting hands listed as close decisions.
const CLOSE: usize = 8;

/// Returns the answer for all deals under a strategy.
pub(super) fn solution(exact: &ExactGame, solved: &Solved) -> Answer {
    let totals = &solved.totals;
    let summary = Section::default().text(format!(
        "Ultimate Texas Hold'em, rules {}: all {DEALS} deals, player: {}",
        exact.game.rules().hash(),
        exact.player.name()
    ));
    let lost = (exact.player != NamedStrategy::Optimal).then_some(solved.regret);
    let sections = std::iter::once(summary.table(totals_table(totals, lost)).lines(exact_ev(totals)));
    Answer::new(json(exact, solved), sections.chain(hand_sections(totals)))
}

/// Returns the report sections about the optimal strategy.
pub(super) fn optimum_sections(totals: &Totals) -> Vec<Section> {
    let section = Section::new("Optimal strategy").table(totals_table(totals, None)).lines(exact_ev(totals));
    std::iter::once(section).chain(hand_sections(totals)).collect()
}

fn exact_ev(totals: &Totals) -> String {
    format!("exact EV: {} / {}", totals.ev.numerator(), totals.ev.denominator())
}

fn json(exact: &ExactGame, Solved { totals, regret }: &Solved) -> Value {
    let frequencies: Map<String, Value> = PLAYED
        .into_iter()
        .zip(totals.frequencies())
        .filter(|(name, frequency)| *name != "play3" || *frequency > Ratio::ZERO)
        .map(|(name, frequency)| (name.to_owned(), frequency.value().into()))
        .collect();
    let played: Map<String, Value> = PLAYED
        .into_iter()
        .zip(totals.played)
        .map(|(name, deals)| (name.to_owned(), deals.to_string().into()))
        .collect();
    let hands: Map<String, Value> = totals.hands.iter().map(|hand| (hand.hole.kind_name(), hand_json(hand))).collect();
    let plays = totals.hands.iter().filter(|hand| hand.chosen > 0).map(|hand| hand.combinations as u64).sum::<u64>();
    let category = |name: &str| name.replace(' ', "-");
    let categories: Map<String, Value> =
        totals.categories.iter().map(|(hand, hands)| (category(hand.name()), hands.to_string().into())).collect();
    json!({
        "player": exact.player.name(),
        "trips_stake": exact.trips,
        "rules_hash": exact.game.rules().hash(),
        "deals": DEALS.to_string(),
        "ev": totals.ev.to_json(),
        "regret": regret.to_json(),
        "variance": totals.variance,
        "standard_deviation": totals.variance.sqrt(),
        "average_wager": totals.average_wager.to_json(),
        "element_of_risk": totals.element_of_risk(),
        "frequencies": frequencies,
        "played": played,
        "combinations_played_at_start": plays,
        "trips": totals.trips.to_json(),
        "seven_card_hands": categories,
        "hands": hands,
    })
}

fn hand_json(hand: &HandTotals) -> Value {
    let mut entry = json!({
        "check": hand.check.value(),
        "combinations": hand.combinations as u64,
        "chosen": if hand.chosen == 0 { "check".to_owned() } else { format!("play{}", hand.chosen) },
        "after_check": {
            "play2": hand.after_check[0].value(),
            "play1": hand.after_check[1].value(),
            "fold": hand.after_check[2].value(),
        },
    });
    for (antes, value) in &hand.plays {
        entry[format!("play{antes}")] = value.value().into();
    }
    entry
}

fn totals_table(totals: &Totals, lost: Option<Ratio>) -> TextTable {
    let mut lines = vec![
        ("EV".to_owned(), format!("{:+.6}", totals.ev.value())),
        ("house edge".to_owned(), percent(totals.edge().value(), 4)),
    ];
    lines.extend(lost.map(|lost| ("regret".to_owned(), percent(lost.value(), 4))));
    lines.extend([
        ("average wager in antes".to_owned(), format!("{:.6}", totals.average_wager.value())),
        ("element of risk".to_owned(), percent(totals.element_of_risk(), 4)),
        ("standard deviation".to_owned(), format!("{:.6}", totals.variance.sqrt())),
        ("edge of a Trips bet".to_owned(), percent(-totals.trips.value(), 4)),
    ]);
    let frequencies = PLAYED.into_iter().zip(totals.frequencies()).filter(|(_, frequency)| *frequency > Ratio::ZERO);
    lines.extend(frequencies.map(|(name, frequency)| (name.to_owned(), percent(frequency.value(), 4))));
    let table = TextTable::new(["per ante", ""]).right(1);
    lines.iter().fold(table, |table, (name, value)| table.row([name.as_str(), value]))
}

/// Returns the sections about decisions before the flop.
fn hand_sections(totals: &Totals) -> Vec<Section> {
    let hands = &totals.hands;
    vec![
        Section::new("Starting hands")
            .text("Antes played before the flop (rows: the higher card if suited, the lower card if not); a point is a check.")
            .lines(grid(hands)),
        Section::new("Closest decisions before the flop")
            .text("The JSON document has all 169 starting hands.")
            .table(closest(hands)),
    ]
}

/// Returns the antes for all starting hands as the usual grid, with suited hands above the diagonal.
fn grid(hands: &[HandTotals]) -> String {
    let ranks = || Rank::ALL.into_iter().rev();
    let mut text = format!(" {}", ranks().map(|rank| format!(" {rank}")).collect::<String>());
    for row in ranks() {
        text += &format!("\n{row}");
        for column in ranks() {
            let name = match row.cmp(&column) {
                std::cmp::Ordering::Greater => format!("{row}{column}s"),
                std::cmp::Ordering::Less => format!("{column}{row}o"),
                std::cmp::Ordering::Equal => format!("{row}{column}"),
            };
            let chosen = hands.iter().find(|hand| hand.hole.kind_name() == name).map_or(0, |hand| hand.chosen);
            text += &if chosen == 0 { " .".to_owned() } else { format!(" {chosen}") };
        }
    }
    text
}

/// Returns a table with the starting hands for which playing and checking are closest in EV.
fn closest(hands: &[HandTotals]) -> TextTable {
    let highest = |hand: &HandTotals| hand.plays.iter().map(|&(antes, value)| (value, antes)).max();
    let mut rows: Vec<(&HandTotals, Ratio, i64)> =
        hands.iter().filter_map(|hand| highest(hand).map(|(value, antes)| (hand, value, antes))).collect();
    rows.sort_by(|a, b| (a.1 - a.0.check).value().abs().total_cmp(&(b.1 - b.0.check).value().abs()));
    let mut table = TextTable::new(["hand", "EV of Play (antes)", "EV of check", "difference"]).right_from(1);
    for (hand, play, antes) in rows.into_iter().take(CLOSE) {
        table = table.row([
            hand.hole.kind_name().as_str(),
            &format!("{:+.6} ({antes})", play.value()),
            &format!("{:+.6}", hand.check.value()),
            &format!("{:+.6}", (play - hand.check).value()),
        ]);
    }
    table
}

/// Returns the answer for a position.
pub(super) fn value(exact: &ExactGame, position: &Position, choice: &Choice) -> Answer {
    let values = |value: fn(Ratio) -> Value| -> Map<String, Value> {
        choice.actions.iter().map(|&(name, ratio)| (name.to_owned(), value(ratio))).collect()
    };
    let (best, best_ev) = choice.best();
    let mut json = json!({
        "hand": position.hole().to_string(),
        "board": position.board().to_string(),
        "stage": choice.stage,
        "trips": exact.trips,
        "rules_hash": exact.game.rules().hash(),
        "actions": values(|ratio| ratio.value().into()),
        "exact": values(|ratio| json!([ratio.numerator().to_string(), ratio.denominator().to_string()])),
        "best": best,
    });
    exact.dead.name_in(&mut json);
    let mut actions = choice.actions.clone();
    actions.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    let mut table = TextTable::new(["decision", "EV in antes", "regret", ""]).right(1).right(2);
    for (name, ev) in actions {
        let regret = (best_ev - ev).value();
        let mark = if name == best { "best" } else { "" };
        table = table.row([name, &format!("{:+.6}", ev.value()), &format!("{regret:.6}"), mark]);
    }
    let board = if position.board().is_empty() { "no board".to_owned() } else { position.board().to_string() };
    let text = format!(
        "{} on {board}{}, all later decisions optimal; rules {}",
        position.hole(),
        exact.dead.in_words(),
        exact.game.rules().hash()
    );
    let section = Section::default().text(text).table(table);
    Answer::new(json, [section])
}
