//! The answer of `houseway par`: a bet's return as JSON, tables and text, with that of a side bet beside it.

use super::super::runner::with_progress;
use super::super::units::{change, share_of_stake};
use crate::console::CommandResult;
use crate::report::TextTable;
use houseway_env::pai_gow::{PaidHand, SideBet};
use houseway_env::paytable::{Bet, Odds};
use houseway_env::registry;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::net::{MainBet, NetResults};
use houseway_exact::pai_gow::matchup::Pair;
use houseway_exact::pai_gow::whole::DealCounts;
use houseway_exact::pai_gow::{DEALS, outcomes_by_row};
use houseway_exact::solver::WayAnswer;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::fmt::Display;
use std::sync::atomic::AtomicBool;

/// The numbers of rounds for which the bands of the return are computed.
const ROUNDS: [u32; 3] = [100, 1_000, 10_000];
/// The probability of a return within a band.
const CONFIDENCE: f64 = 0.95;
/// The EV with another option of a reading, or the reason why a strategy can't be played with it.
pub(super) struct Reading {
    pub(super) reading: &'static str,
    pub(super) option: &'static str,
    pub(super) ev: Result<Ratio, String>,
}

/// A bet over all deals, and the effects of readings.
pub(super) struct Par {
    game: &'static str,
    bet: MainBet,
    pub(super) side_bet: Option<Beside>,
    pub(super) no_push: bool,
    pub(super) rules: Value,
    rules_hash: String,
    pub(super) readings: Vec<Reading>,
}

/// Returns an outcome with its probability as JSON. A push has the net result `push`.
fn outcome_json(results: &NetResults, (net, deals): (Ratio, u128), push: Ratio) -> Value {
    json!({
        "outcome": outcome(net, push),
        "net": net.value(),
        "deals": deals.to_string(),
        "probability": results.probability(deals).to_json(),
    })
}

/// Returns the kind of outcome with a net result.
fn outcome(net: Ratio, push: Ratio) -> &'static str {
    match net.cmp(&push) {
        Ordering::Greater => "win",
        Ordering::Equal => "push",
        Ordering::Less => "loss",
    }
}

impl Par {
    pub(super) fn new(game: &'static str, bet: MainBet, rules: Value, rules_hash: String) -> Par {
        Par { game, bet, side_bet: None, no_push: false, rules, rules_hash, readings: vec![] }
    }

    /// Returns the net result of a push, which costs the collection if there is one.
    fn push(&self) -> Ratio {
        self.bet.parts.iter().find(|(name, _)| *name == "collection").map_or(Ratio::ZERO, |(_, fee)| *fee)
    }

    /// Returns the tables as CSV files.
    fn tables(&self, bands: &[(u32, [f64; 2])]) -> Vec<(&'static str, Vec<Vec<String>>)> {
        let row = |cells: &[&dyn Display]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
        let mut outcomes = vec![row(&[&"outcome", &"net", &"deals"])];
        let push = self.push();
        outcomes.extend(self.bet.results.iter().map(|(net, deals)| row(&[&outcome(net, push), &net.value(), &deals])));
        let mut averages = vec![row(&[&"rounds", &"low", &"high"])];
        averages.extend(bands.iter().map(|(rounds, [low, high])| row(&[rounds, low, high])));
        let mut parts = vec![row(&[&"part", &"value"])];
        parts.extend(self.bet.parts.iter().map(|(name, part)| row(&[name, &part.value()])));
        let mut rows = vec![row(&[&"hand", &"odds", &"wins", &"pushes", &"losses"])];
        for (hand, odds, DealCounts { wins, pushes, losses, .. }) in self.side_bet.iter().flat_map(Beside::named_rows) {
            let odds = odds.map_or_else(String::new, |odds| odds.to_string());
            rows.push(row(&[&hand, &odds, &wins, &pushes, &losses]));
        }
        let mut readings = vec![row(&[&"reading", &"option", &"ev", &"reason"])];
        readings.extend(self.readings.iter().map(|Reading { reading, option, ev }| match ev {
            Ok(ev) => row(&[reading, option, &ev.value(), &""]),
            Err(reason) => row(&[reading, option, &"", reason]),
        }));
        let tables = [
            ("outcomes.csv", outcomes),
            ("bands.csv", averages),
            ("parts.csv", parts),
            ("side-bet.csv", rows),
            ("readings.csv", readings),
        ];
        // Tables that only have a header are left out.
        tables.into_iter().filter(|(_, rows)| rows.len() > 1).collect()
    }

    /// Returns a section with the meaning of every rule.
    fn rules_section(&self) -> Section {
        let one_line = |doc: &str| doc.split_whitespace().collect::<Vec<_>>().join(" ");
        // The meanings are too long for a column of a table.
        let mut section = Section::new("Rules").detail();
        let rules = registry::find(self.game).expect("the game has a solver").rules;
        for rule in rules.parameters.iter().chain(rules.readings).chain(rules.variants) {
            let value = &self.rules[rule.name];
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let option = rule.options.iter().position(|option| *option == value);
            let meaning = option.and_then(|option| rule.option_docs.get(option)).unwrap_or(&rule.doc);
            section = section.text(format!("`{} = {value}`: {}", rule.name, one_line(meaning)));
        }
        section
    }

    /// Returns the volatility index: the half width of the 95% interval of the normal approximation for a single round. That
    /// for n rounds is narrower by the square root of n.
    fn volatility_index(&self) -> f64 {
        1.96 * self.bet.results.variance().sqrt()
    }

    /// Returns the number of times that each deal of the full game is counted.
    fn weight(&self) -> u128 {
        self.bet.results.deals() / u128::from(DEALS)
    }

    /// Returns the covariance and the correlation of two seats, which have the same variance.
    fn seats(&self) -> Option<(Ratio, f64)> {
        self.bet.seats_covariance.map(|covariance| (covariance, covariance.value() / self.bet.results.variance()))
    }

    /// Returns the results as JSON, with the lowest and the highest average result of each number of rounds.
    fn json(&self, bands: &[(u32, [f64; 2])]) -> Value {
        let MainBet { results, optimal_ev, strategies, parts, .. } = &self.bet;
        let reading = |it: &Reading| {
            let ev = it.ev.as_ref().ok().map(|ev| ev.value());
            json!({ "name": it.reading, "option": it.option, "ev": ev, "reason": it.ev.as_ref().err() })
        };
        let parts = |part: fn(Ratio) -> Value| -> Map<String, Value> {
            parts.iter().map(|&(name, ratio)| (name.to_owned(), part(ratio))).collect()
        };
        let band = |(rounds, [low, high]): &(u32, [f64; 2])| json!({ "rounds": rounds, "low": low, "high": high });
        let mut json = json!({
            "game": self.game,
            "rules": self.rules,
            "rules_hash": self.rules_hash,
            "outcomes": results.iter().map(|outcome| outcome_json(results, outcome, self.push())).collect::<Vec<_>>(),
            "ev": results.ev().value(),
            "ev_exact": results.ev().to_json(),
            "standard_deviation": results.variance().sqrt(),
            "volatility_index": self.volatility_index(),
            "skew": results.skewness(),
            "hit_frequency": results.hit_frequency().value(),
            "parts": parts(|part| part.value().into()),
            "parts_exact": parts(Ratio::to_json),
            "bands": bands.iter().map(band).collect::<Vec<_>>(),
            "optimal_ev": optimal_ev.map(Ratio::value),
            "seats": self.seats().map(|(covariance, correlation)| {
                json!({ "covariance": covariance.to_json(), "correlation": correlation })
            }),
            "readings": self.readings.iter().map(reading).collect::<Vec<_>>(),
            "side_bet": self.side_bet.as_ref().map(|beside| beside.json(results)),
        });
        if self.no_push {
            json["no_push"] = true.into();
            json["weight"] = self.weight().to_string().into();
        }
        for (side, strategy) in strategies {
            json[side] = strategy.clone();
        }
        json
    }

    /// Returns who plays by which strategy, such as "optimal as the player".
    fn players(&self) -> String {
        let name = |strategy: &Value| strategy["name"].as_str().or(strategy.as_str()).unwrap_or_default().to_owned();
        // With tiles, the player may have the bank.
        let is_house = |side: &str| side == "banker" && self.rules["bank"] == "player";
        let seat = |side: &'static str| if is_house(side) { "house" } else { side };
        let strategies = self.bet.strategies.iter();
        let players: Vec<String> = strategies.map(|(side, it)| format!("{} as the {}", name(it), seat(side))).collect();
        players.join(", against ")
    }

    /// Returns the rules that differ from the defaults, in parentheses.
    fn changes(&self) -> String {
        let game = registry::find(self.game).ok();
        let changes = game.and_then(|game| (game.rules.changes)(&self.rules).ok()).unwrap_or_default();
        if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) }
    }

    /// Returns a sentence with the source of each house way.
    fn sources(&self) -> String {
        let sources =
            self.bet.strategies.iter().filter_map(|(_, it)| {
                Some(format!(" Source of {}: {}.", it["name"].as_str()?, it["source"].as_str()?))
            });
        let mut sources: Vec<String> = sources.collect();
        sources.dedup();
        sources.concat()
    }

    pub(super) fn answer(&self) -> WayAnswer {
        let results = &self.bet.results;
        let ev = results.ev();
        let bands = ROUNDS.map(|rounds| (rounds, results.band(rounds, CONFIDENCE)));
        let mut outcomes = TextTable::new(["outcome", "net result", "deals", "probability"]).right_from(1);
        for (net, deals) in results.iter() {
            let probability = percent(results.probability(deals).value(), 4);
            outcomes =
                outcomes.row([outcome(net, self.push()).to_owned(), units(net), grouped_wide(deals), probability]);
        }
        let seats = self.seats().map_or(String::new(), |(covariance, correlation)| {
            let covariance = covariance.value();
            format!(
                " Two seats against the same hand have a covariance of {covariance:.6} and a correlation of {correlation:.4}."
            )
        });
        let has_ante = self.bet.unit == "ante";
        let mut explained = format!(
            "{} has an EV of {}, a standard deviation of {:.4} and a skewness of {:.4}. It wins in {} of deals.",
            if has_ante {
                "A round with an ante of one unit".to_owned()
            } else {
                format!("A bet of one {}", self.bet.unit)
            },
            share_of_stake(ev, 4),
            results.variance().sqrt(),
            results.skewness(),
            percent(results.hit_frequency().value(), 4),
        );
        if let Some(optimal_ev) = self.bet.optimal_ev {
            let against = if self.bet.strategies.len() > 1 { " against the same opponent" } else { "" };
            explained += &format!(" Best play{against} has an EV of {}.", share_of_stake(optimal_ev, 4));
        }
        if self.no_push {
            explained += &format!(
                " Pushes are settled by one more card for each side, so every deal is counted {} times, once for each pair of \
                 further cards.",
                grouped_wide(self.weight())
            );
        }
        let first = Section::default()
            .text(explained)
            .table(outcomes)
            .text(format!(
                "The volatility index is {:.4}, which is 1.96 standard deviations. Divided by the square root of a large \
                 number of rounds, it is about half the width of the 95% band.{seats}",
                self.volatility_index()
            ))
            .text(format!("{}; rules {}{}.{}", self.players(), self.rules_hash, self.changes(), self.sources()));
        let band = |(rounds, [low, high]): (u32, [f64; 2])| [grouped(rounds.into()), percent(low, 3), percent(high, 3)];
        let table = TextTable::new(["rounds", "lowest", "highest"]).right_from(0).rows(bands.into_iter().map(band));
        let average = Section::new("Average result of a number of rounds")
            .text(format!(
                "With a probability of {} or more, the average is within these limits.",
                percent(CONFIDENCE, 0)
            ))
            .table(table);
        let mut sections = vec![first];
        let of_what = if has_ante { "of the ante" } else { "of the stake or of all deals" };
        let parts = self.bet.parts.iter().map(|(name, part)| [name.replace(['_', '-'], " "), percent(part.value(), 4)]);
        sections.push(Section::new("Parts").table(TextTable::new(["part", of_what]).right(1).rows(parts)));
        sections.push(average);
        sections.extend(self.side_bet.as_ref().map(|beside| beside.section(results)));
        if !self.readings.is_empty() {
            let mut table = TextTable::new(["reading", "option", "EV", "change"]).right_from(2);
            for Reading { reading, option, ev: other } in &self.readings {
                let [with, effect] = match other {
                    Ok(other) => [share_of_stake(*other, 4), change(*other - ev, 4)],
                    Err(reason) => ["not playable".to_owned(), reason.clone()],
                };
                table = table.row([*reading, *option, &with, &effect]);
            }
            let text = "Each row uses another option for one reading of the rules.";
            sections.push(Section::new("Readings").text(text).table(table));
        }
        sections.push(self.rules_section());
        let title = registry::find(self.game).map_or(self.game, |game| game.title);
        let answer = Answer::new(self.json(&bands), sections).titled(format!("Return of a bet: {title}"));
        WayAnswer { answer, files: vec![], tables: self.tables(&bands) }
    }
}

/// Formats a net result in units: as a decimal if that is exact within six places, and otherwise as a fraction.
fn units(net: Ratio) -> String {
    match net.denominator() {
        _ if net == Ratio::ZERO => "0".to_owned(),
        denominator if 1_000_000 % denominator == 0 => format!("{:+}", net.value()),
        denominator => format!("{:+}/{denominator}", net.numerator()),
    }
}

/// Formats a number of deals, which fits 64 bits unless a side mixes its settings.
fn grouped_wide(deals: u128) -> String {
    u64::try_from(deals).map_or_else(|_| deals.to_string(), grouped)
}

/// A side bet of one unit beside the main bet.
pub(super) struct Beside {
    bet: SideBet,
    /// The main bet's outcomes for each row of the paytable, and at the end those of the hands that no row pays.
    rows: Vec<DealCounts>,
    results: NetResults,
    /// The results of both bets together.
    both: NetResults,
    /// The mean of the product of both bets' results.
    mean_product: Ratio,
}

impl Beside {
    pub(super) fn count(pair: &Pair<'_>, bet: SideBet, stop: &AtomicBool) -> CommandResult<Beside> {
        let rows = with_progress("all deals", stop, |run| outcomes_by_row(pair, &bet, run))?;
        let (main_nets, unit) = pair.payoff.nets();
        let parts = i64::from(PaidHand::UNITS);
        let odds = bet.paytable().rows().iter().map(|row| i64::from(row.odds.units(PaidHand::UNITS)));
        let side_nets: Vec<i64> = odds.chain([-parts]).collect();
        let mut results = NetResults::new(parts);
        let mut both = NetResults::new(parts * unit);
        let (mut product, mut deals) = (0_i128, 0_i128);
        for (counts, side_net) in rows.iter().zip(side_nets) {
            results.add(side_net, counts.all().into());
            for (main_net, count) in main_nets.into_iter().zip([counts.wins, counts.pushes, counts.losses]) {
                both.add(main_net * parts + side_net * unit, count.into());
                product += i128::from(main_net) * i128::from(side_net) * i128::from(count);
                deals += i128::from(count);
            }
        }
        let mean_product = Ratio::new(product, deals * i128::from(parts) * i128::from(unit));
        Ok(Beside { bet, rows, results, both, mean_product })
    }

    /// Returns the covariance with the main bet.
    fn covariance(&self, main: &NetResults) -> f64 {
        self.mean_product.value() - main.ev().value() * self.results.ev().value()
    }

    fn correlation(&self, main: &NetResults) -> f64 {
        self.covariance(main) / (main.variance() * self.results.variance()).sqrt()
    }

    /// Returns the rows with their names and their odds, if they have any.
    fn named_rows(&self) -> impl Iterator<Item = (String, Option<Odds>, DealCounts)> + '_ {
        let names = self.bet.paytable().rows().iter().map(|row| (row.hand.to_string(), Some(row.odds)));
        let all = names.chain([("no row".to_owned(), None)]).zip(&self.rows);
        all.map(|((name, odds), counts)| (name, odds, *counts))
    }

    fn json(&self, main: &NetResults) -> Value {
        let row = |(hand, odds, counts): (String, Option<Odds>, DealCounts)| {
            json!({
                "hand": hand,
                "odds": odds,
                "wins": counts.wins.to_string(),
                "pushes": counts.pushes.to_string(),
                "losses": counts.losses.to_string(),
            })
        };
        json!({
            "paytable": self.bet.paytable().name(),
            "ev": self.results.ev().value(),
            "ev_exact": self.results.ev().to_json(),
            "standard_deviation": self.results.variance().sqrt(),
            "covariance": self.covariance(main),
            "correlation": self.correlation(main),
            "rows": self.named_rows().map(row).collect::<Vec<_>>(),
            "both": {
                "ev": self.both.ev().value(),
                "ev_exact": self.both.ev().to_json(),
                "standard_deviation": self.both.variance().sqrt(),
                "outcomes": self.both.iter().map(|outcome| outcome_json(&self.both, outcome, Ratio::ZERO)).collect::<Vec<_>>(),
            },
        })
    }

    fn section(&self, main: &NetResults) -> Section {
        let text = format!(
            "A side bet of one unit by `{}` has an EV of {} and a standard deviation of {:.4}. Its covariance with the main bet \
             is {:.6}, its correlation {:.4}. Both bets together have an EV of {:+.4} units and a standard deviation of {:.4}. \
             The table has the main bet's outcomes in percent of all deals.",
            self.bet.paytable().name(),
            share_of_stake(self.results.ev(), 4),
            self.results.variance().sqrt(),
            self.covariance(main),
            self.correlation(main),
            self.both.ev().value(),
            self.both.variance().sqrt(),
        );
        let mut table = TextTable::new(["hand", "odds", "win", "push", "loss"]).right_from(1);
        for (hand, odds, counts) in self.named_rows() {
            let share = |count: u64| percent(main.probability(count.into()).value(), 6);
            let odds = odds.map_or_else(|| "-1".to_owned(), |odds| odds.to_string());
            table = table.row([hand, odds, share(counts.wins), share(counts.pushes), share(counts.losses)]);
        }
        Section::new("Side bet").text(text).table(table)
    }
}
