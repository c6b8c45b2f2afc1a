//! Ultimate Texas Hold'em: all deals for the optimal strategy, or for a published one.

use super::Solve;
use crate::analysis::pai_gow::solve::OPTIMAL;
use crate::console::{Failure, Outcome, print, print_json};
use crate::report::{Table, terminal};
use crate::run::{ProgressBar, stop_flag_with};
use houseway_env::cards::Rank;
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{Game, Rules};
use houseway_exact::Ratio;
use houseway_exact::ultimate_holdem::{DEALS, HandTotals, Optimum, Simple, Strategy, Totals, Whole};
use serde_json::{Map, Value, json};
use std::sync::atomic::AtomicBool;

/// The published strategy of a few sentences.
const SIMPLE: &str = "simple";
/// Plays by their antes, as [`Totals::played`] counts them, and the fold.
const PLAYED: [&str; 5] = ["play4", "play3", "play2", "play1", "fold"];
/// Starting hands shown whose decision is close.
const CLOSE: usize = 8;

/// What was counted.
struct Answer {
    player: &'static str,
    trips: u32,
    rules_hash: String,
    totals: Totals,
    /// What the strategy loses against the optimum.
    regret: Ratio,
}

/// Counts all deals.
pub(super) fn run(solve: &Solve) -> Outcome {
    let rules: Rules = solve.game.rules()?;
    let player = match solve.player.as_deref() {
        None | Some(OPTIMAL) => OPTIMAL,
        Some(SIMPLE) => SIMPLE,
        Some(other) => {
            return Err(Failure::usage(format!("there is no strategy '{other}'; choose '{OPTIMAL}' or '{SIMPLE}'")));
        }
    };
    let stop = stop_flag_with("stopping: nothing is written (once more stops at once)")?;
    let game = Game::new(rules);
    let trips = solve.trips.unwrap_or(0);
    let optimum = count(&game, trips, &Optimum, &stop)?;
    let (best, rules_hash) = (optimum.ev, game.rules().hash());
    let totals = if player == SIMPLE { count(&game, trips, &Simple::new(&game), &stop)? } else { optimum };
    let answer = Answer { player, trips, rules_hash, regret: best - totals.ev, totals };
    let document = answer.json();
    solve.write(&document)?;
    if solve.output.json { print_json(&document) } else { print(&answer.text()) }
}

fn count(game: &Game, trips: u32, strategy: &impl Strategy, stop: &AtomicBool) -> Outcome<Totals> {
    let bar = ProgressBar::new("counting", "boards");
    Whole::new(game, trips).count(strategy, Some(&|done, all| bar.update(done, all)), Some(stop)).map_err(Failure::work)
}

impl Answer {
    fn json(&self) -> Value {
        let totals = &self.totals;
        let frequencies: Map<String, Value> = PLAYED
            .into_iter()
            .zip(totals.frequencies())
            .filter(|(name, share)| *name != "play3" || *share > Ratio::ZERO)
            .map(|(name, share)| (name.to_owned(), share.value().into()))
            .collect();
        let played: Map<String, Value> = PLAYED
            .into_iter()
            .zip(totals.played)
            .map(|(name, deals)| (name.to_owned(), deals.to_string().into()))
            .collect();
        let hands: Map<String, Value> =
            totals.hands.iter().map(|hand| (hand.hole.kind_name(), hand_json(hand))).collect();
        let plays =
            totals.hands.iter().filter(|hand| hand.chosen > 0).map(|hand| hand.combinations as u64).sum::<u64>();
        let categories: Map<String, Value> = totals
            .categories
            .iter()
            .map(|(hand, hands)| (hand.name().replace(' ', "-"), hands.to_string().into()))
            .collect();
        json!({
            "player": self.player,
            "trips_stake": self.trips,
            "rules_hash": self.rules_hash,
            "deals": DEALS.to_string(),
            "ev": totals.ev.to_json(),
            "regret": self.regret.to_json(),
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

    fn text(&self) -> String {
        let totals = &self.totals;
        let percent = |value: f64| format!("{:.4}%", 100.0 * value);
        let mut table = Table::new(["", ""]).right(1);
        let mut lines = vec![
            ("EV per ante".to_owned(), format!("{:+.6}", totals.ev.value())),
            ("house edge".to_owned(), percent(totals.edge().value())),
            ("average wager in antes".to_owned(), format!("{:.6}", totals.average_wager.value())),
            ("element of risk".to_owned(), percent(totals.element_of_risk())),
            ("standard deviation".to_owned(), format!("{:.6}", totals.variance.sqrt())),
            ("edge of a Trips bet".to_owned(), percent(-totals.trips.value())),
        ];
        if self.player != OPTIMAL {
            lines.insert(2, ("loses to the optimum".to_owned(), percent(self.regret.value())));
        }
        let shares = PLAYED.into_iter().zip(totals.frequencies()).filter(|(_, share)| *share > Ratio::ZERO);
        lines.extend(shares.map(|(name, share)| (name.to_owned(), percent(share.value()))));
        for (name, value) in &lines {
            table = table.row([name.as_str(), value]);
        }
        format!(
            "Ultimate Texas Hold'em, all {DEALS} deals, player: {}\nexact EV: {} / {}\n\n{}\n\n{}\n{}",
            self.player,
            totals.ev.numerator(),
            totals.ev.denominator(),
            terminal(&table),
            grid(&totals.hands),
            close(&totals.hands),
        )
    }
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

/// Which starting hands play, as the usual square: suited above the diagonal.
fn grid(hands: &[HandTotals]) -> String {
    let ranks = || Rank::ALL.into_iter().rev();
    let mut text = "Starting hands that play, by antes (rows: higher card if suited, lower if not)\n\n  ".to_owned();
    text += &ranks().map(|rank| format!(" {rank}")).collect::<String>();
    for row in ranks() {
        text += &format!("\n {row}");
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
    text + "\n"
}

/// The starting hands for which it matters least.
fn close(hands: &[HandTotals]) -> String {
    let highest = |hand: &HandTotals| hand.plays.iter().map(|&(antes, value)| (value, antes)).max();
    let mut rows: Vec<(&HandTotals, Ratio, i64)> =
        hands.iter().filter_map(|hand| highest(hand).map(|(value, antes)| (hand, value, antes))).collect();
    rows.sort_by(|a, b| (a.1 - a.0.check).value().abs().total_cmp(&(b.1 - b.0.check).value().abs()));
    let mut table = Table::new(["closest hands", "EV of Play", "EV of check", "difference"]).right(1).right(2).right(3);
    for (hand, play, antes) in rows.into_iter().take(CLOSE) {
        table = table.row([
            hand.hole.kind_name().as_str(),
            &format!("{:+.6} ({antes})", play.value()),
            &format!("{:+.6}", hand.check.value()),
            &format!("{:+.6}", (play - hand.check).value()),
        ]);
    }
    format!("{}\n(all 169 with --json)\n", terminal(&table))
}
