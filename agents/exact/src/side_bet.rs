//! Exact returns of side bets, for any game and paytable.
//!
//! A game's [`SolverEntry::side_bet`](crate::solver::SolverEntry::side_bet) counts the hands that each row of a paytable
//! pays. [`BetReturn`] turns the counts into EVs. They are exact, also with a progressive meter and for the envy
//! bonus, which other players' hands pay: each of their hands has the same distribution, and EVs add up.
//!
//! [`joint_rows`] counts pairs of hands, for bets on the better of two.

use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::format::{grouped, percent};
use crate::solver::SolverError;
use houseway_env::cards::CardSet;
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::paytable::{Bet, BetTerms, HandOf, NeedsWin, Odds, PayRow, Paytable};
use houseway_env::rules::RuleSet;
use rayon::prelude::*;
use serde_json::{Value, json};

/// The number of hands that each row of a paytable pays.
#[derive(Clone, Debug)]
pub struct BetReturn {
    name: String,
    title: String,
    terms: BetTerms,
    rows: Vec<BetRow>,
    /// The number of hands, or of pairs of hands if the bet depends on two.
    all: u64,
    /// `true` if every row is a bet of its own. Otherwise, every hand is paid by one row at most.
    apart: bool,
    /// Remarks for people, such as the meaning of the rows.
    notes: Vec<String>,
    rules: Value,
    rules_hash: String,
}

/// A row of a paytable with the hands that it pays.
#[derive(Clone, Debug)]
struct BetRow {
    hand: String,
    /// The hand as it is written in files.
    name: Value,
    meaning: Option<String>,
    odds: Odds,
    envy: Odds,
    meter: Odds,
    /// The number of hands in the row.
    held: u64,
    /// The number of hands that the row pays. It differs from `held` if the main bet also has to win.
    paid: u64,
}

/// The stakes and seats for an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetStakes {
    /// The amount on the progressive meter, in units of the stake.
    pub meter: Option<Ratio>,
    /// The number of players, each of whom has a hand that can pay an envy bonus to the others.
    pub seats: u32,
}

/// Returns a decimal number, such as an amount of money, as a fraction.
///
/// # Errors
/// Returns an error if the text isn't a number from 0 to a billion with at most four decimal places.
pub fn amount(text: &str) -> Result<Ratio, SolverError> {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{places}");
    let is_number = !whole.is_empty() && places.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().map(|number| Ratio::new(number, 10_i128.pow(places.len() as u32)));
    let valid = number.filter(|&number| is_number && number <= Ratio::new(1_000_000_000, 1));
    valid
        .ok_or_else(|| SolverError::Invalid(format!("invalid amount '{text}': expected a number from 0 to 1000000000")))
}

fn times(a: Ratio, b: Ratio) -> Ratio {
    let product = |a: i128, b: i128| a.checked_mul(b).expect("the product of two ratios needs more than 127 bits");
    Ratio::new(product(a.numerator(), b.numerator()), product(a.denominator(), b.denominator()))
}

fn ratio(odds: Odds) -> Ratio {
    let (numerator, denominator) = odds.fraction();
    Ratio::new(numerator.into(), denominator.into())
}

/// Checks that a game can evaluate the terms of a paytable. `able` lists their keys.
///
/// # Errors
/// Returns an error with the reason if one of the terms isn't supported.
pub fn check_terms<B: Bet>(paytable: &Paytable<B>, able: &[&str], reason: &str) -> Result<(), SolverError> {
    match paytable.special_terms().into_iter().find(|key| !able.contains(key)) {
        Some(key) => Err(SolverError::Invalid(format!("the paytable '{}' has {key}, but {reason}", paytable.name()))),
        None => Ok(()),
    }
}

impl BetReturn {
    /// Creates the return from the number of hands in each row, out of `all` hands.
    pub fn new<B: Bet, R: RuleSet>(paytable: &Paytable<B>, held: &[u64], all: u64, rules: &R) -> BetReturn {
        let row = |(row, &held): (&PayRow<B::Hand>, &u64)| BetRow {
            hand: row.hand.to_string(),
            name: json!(row.hand),
            meaning: B::meaning(row.hand),
            odds: row.odds,
            envy: row.envy,
            meter: row.meter,
            held,
            paid: held,
        };
        BetReturn {
            name: paytable.name().to_owned(),
            title: paytable.title().to_owned(),
            terms: paytable.terms(),
            rows: paytable.rows().iter().zip(held).map(row).collect(),
            all,
            apart: false,
            notes: vec![],
            rules: json!(rules),
            rules_hash: rules.hash(),
        }
    }

    /// Adds a remark for people.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> BetReturn {
        self.notes.push(note.into());
        self
    }

    /// Declares that every row is a bet of its own, whose stake all hands outside the row win from the player.
    #[must_use]
    pub fn apart(self) -> BetReturn {
        BetReturn { apart: true, ..self }
    }

    /// Sets the number of hands in each row with which the main bet wins. The others push or lose.
    #[must_use]
    pub fn with_wins(mut self, wins: &[u64]) -> BetReturn {
        self.rows.iter_mut().zip(wins).for_each(|(row, &wins)| row.paid = wins);
        self
    }

    fn pushed(&self) -> u64 {
        let pushes = self.terms.needs_win == Some(NeedsWin::Push);
        if pushes { self.rows.iter().map(|row| row.held - row.paid).sum() } else { 0 }
    }

    /// Returns the number of hands that lose.
    pub fn losing(&self) -> u64 {
        self.all - self.pushed() - self.rows.iter().map(|row| row.paid).sum::<u64>()
    }

    /// Returns the number of hands that each row pays.
    pub fn paid(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.paid).collect()
    }

    /// Returns the player's net result per unit staked on a row, with an amount on the meter.
    fn net(&self, row: &BetRow, meter: Ratio) -> Ratio {
        let stake = Ratio::new(self.terms.for_one.into(), 1);
        ratio(row.odds) + times(ratio(row.meter), meter) - stake
    }

    /// Returns the mean over all hands of a value that each row has. Other hands have 0.
    fn mean(&self, value: impl Fn(&BetRow) -> Ratio) -> Ratio {
        let hands = |count: u64| Ratio::new(count.into(), 1);
        let paid = self.rows.iter().map(|row| times(value(row), hands(row.paid)));
        let sum = paid.fold(Ratio::ZERO, |sum, part| sum + part);
        times(sum, Ratio::new(1, self.all.into()))
    }

    /// Returns the player's EV per unit staked, with an amount on the meter.
    pub fn ev(&self, meter: Ratio) -> Ratio {
        let losing = Ratio::new(self.losing().into(), self.all.into());
        self.mean(|row| self.net(row, meter)) - losing
    }

    /// Returns the EV of the envy bonus per unit staked, for each other player.
    pub fn envy(&self) -> Ratio {
        let sum = self.rows.iter().map(|row| times(ratio(row.envy), Ratio::new(row.held.into(), self.all.into())));
        sum.fold(Ratio::ZERO, |sum, part| sum + part)
    }

    /// Returns the amount on the meter at which the bet has an EV of 0, or `None` if no row pays a part of it.
    pub fn break_even_meter(&self) -> Option<Ratio> {
        let (none, slope) = (self.ev(Ratio::ZERO), self.mean(|row| ratio(row.meter)));
        (slope > Ratio::ZERO)
            .then(|| times(-none, Ratio::new(slope.denominator(), slope.numerator())))
            .map(|meter| meter.max(Ratio::ZERO))
    }

    fn variance(&self, meter: Ratio) -> f64 {
        let squares = self.rows.iter().map(|row| self.net(row, meter).value().powi(2) * self.part(row.paid));
        squares.sum::<f64>() + self.part(self.losing()) - self.ev(meter).value().powi(2)
    }

    /// Returns the result as an answer.
    pub fn answer(&self, game: &str, stakes: BetStakes) -> Answer {
        Answer::new(self.json(game, stakes), [self.section(stakes)])
    }

    fn json(&self, game: &str, BetStakes { meter, seats }: BetStakes) -> Value {
        let amount = meter.unwrap_or(Ratio::ZERO);
        let row = |row: &BetRow| {
            let (numerator, denominator) = row.odds.fraction();
            let mut json = json!({
                "hand": row.hand,
                "name": row.name,
                "odds": { "numerator": numerator, "denominator": denominator },
                "hands": row.paid.to_string(),
                "return": self.net(row, amount).value() * self.part(row.paid) + 0.0,
            });
            let more = [
                ("meaning", row.meaning.as_ref().map(|text| json!(text))),
                ("envy", (!row.envy.is_zero()).then(|| json!(row.envy))),
                ("meter", (!row.meter.is_zero()).then(|| json!(row.meter))),
                ("held", (row.held != row.paid).then(|| json!(row.held.to_string()))),
                ("losing", self.apart.then(|| json!((self.all - row.paid).to_string()))),
                ("ev", self.apart.then(|| self.ev_apart(row).to_json())),
            ];
            more.into_iter().filter_map(|(key, value)| Some((key, value?))).for_each(|(key, value)| json[key] = value);
            json
        };
        let mut json = json!({
            "game": game,
            "paytable": self.name,
            "table": self.name,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "losing": null,
            "hands": self.all.to_string(),
            "net": null,
            "ev": null,
            "variance": null,
            "break_even_meter": null,
            "rules": self.rules,
            "rules_hash": self.rules_hash,
        });
        if self.apart {
            return json;
        }
        let ev = self.ev(amount);
        let net = times(ev, Ratio::new(self.all.into(), 1));
        json["losing"] = self.losing().to_string().into();
        json["net"] = if net.denominator() == 1 { net.numerator().to_string() } else { net.to_string() }.into();
        json["ev"] = ev.to_json();
        json["variance"] = self.variance(amount).into();
        if let Some(even) = self.break_even_meter() {
            json["break_even_meter"] = even.value().into();
            json["break_even_meter_exact"] = even.to_json();
        }
        if let Some(meter) = meter {
            json["meter"] = meter.to_json();
        }
        if self.pushed() > 0 {
            json["pushed"] = self.pushed().to_string().into();
        }
        if self.envy() > Ratio::ZERO {
            let with = ev + times(self.envy(), Ratio::new((seats - 1).into(), 1));
            json["envy"] =
                json!({ "seats": seats, "ev_per_player": self.envy().to_json(), "ev_with_envy": with.to_json() });
        }
        json
    }

    /// Returns the EV of a row that is a bet of its own.
    fn ev_apart(&self, row: &BetRow) -> Ratio {
        let paid = Ratio::new(row.paid.into(), self.all.into());
        times(self.net(row, Ratio::ZERO), paid) - (Ratio::new(1, 1) - paid)
    }

    fn section(&self, BetStakes { meter, seats }: BetStakes) -> Section {
        let amount = meter.unwrap_or(Ratio::ZERO);
        let unit = if self.terms.on == HandOf::Either || self.terms.needs_win.is_some() { "deals" } else { "hands" };
        let has_envy = self.envy() > Ratio::ZERO;
        let mut header = vec!["hand", "odds", unit, "probability", "EV"];
        if has_envy {
            header.push("envy");
        }
        let mut table = TextTable::new(header).right_from(1);
        for row in &self.rows {
            let ev = if self.apart {
                self.ev_apart(row).value()
            } else {
                self.net(row, amount).value() * self.part(row.paid)
            };
            let envy = if row.envy.is_zero() { String::new() } else { row.envy.to_string() };
            let cells =
                [row.hand.clone(), self.pays(row), grouped(row.paid), percent(self.part(row.paid), 5), percent(ev, 4)];
            table = table.row(cells.into_iter().chain(has_envy.then_some(envy)));
        }
        let mut rest = vec![];
        if self.pushed() > 0 {
            rest.push(("pushes without a win of the main bet", self.pushed(), 0.0));
        }
        if !self.apart {
            rest.push(("all others", self.losing(), -self.part(self.losing())));
        }
        for (name, hands, ev) in rest {
            let cells = [name.to_owned(), String::new(), grouped(hands), percent(self.part(hands), 5), percent(ev, 4)];
            table = table.row(cells.into_iter().chain(has_envy.then(String::new)));
        }
        let title = if self.title.is_empty() { self.name.clone() } else { format!("{} ({})", self.title, self.name) };
        let mut section = Section::default().text(title).table(table);
        let meanings = self.rows.iter().filter_map(|row| Some(format!("{}: {}", row.hand, row.meaning.as_ref()?)));
        let meanings = meanings.collect::<Vec<_>>().join("\n");
        if !meanings.is_empty() {
            section = section.lines(meanings);
        }
        section = self.notes.iter().fold(section, |section, note| section.text(note));
        if self.apart {
            return section.text(format!("Every row is a bet of its own; rules {}", self.rules_hash));
        }
        if let Some(even) = self.break_even_meter() {
            let now = meter.map_or_else(|| "empty".to_owned(), |meter| format!("at {meter}"));
            section = section.text(format!("The meter is {now}; the bet breaks even at {:.2} stakes", even.value()));
        }
        let ev = self.ev(amount);
        if has_envy {
            let with = ev + times(self.envy(), Ratio::new((seats - 1).into(), 1));
            section = section.text(format!(
                "Envy bonus {} for each other player; EV {} with {seats} {}",
                percent(self.envy().value(), 4),
                percent(with.value(), 4),
                if seats == 1 { "player" } else { "players" },
            ));
        }
        section.text(format!("EV {} of the stake, exact; rules {}", percent(ev.value(), 4), self.rules_hash))
    }

    fn part(&self, hands: u64) -> f64 {
        hands as f64 / self.all as f64
    }

    /// Describes what a row pays.
    fn pays(&self, row: &BetRow) -> String {
        let unit = if self.terms.for_one { "for" } else { "to" };
        let odds = match row.odds {
            odds if odds.is_zero() && !self.terms.for_one => "push".to_owned(),
            odds => format!("{odds} {unit} 1"),
        };
        let meter = format!("{}% of the meter", row.meter.value() * 100.0);
        match (row.meter.is_zero(), row.odds.is_zero()) {
            (true, _) => odds,
            (false, true) => meter,
            (false, false) => format!("{odds} + {meter}"),
        }
    }
}

/// Counts the ordered pairs of disjoint hands from a deck with equal suits by their rows, which must not depend on the
/// names of suits. The result has a table with a row for every row of the
/// first hand, where `rows` stands for hands without a row.
///
/// The number of disjoint pairs of a hand in A and a hand in B is the sum over all sets T of cards of
/// `(-1)^|T| A(T) B(T)`, where `A(T)` counts the hands of A that contain T. This needs one pass over the sets of up to
/// `cards` - 1 cards up to suits instead of one over all pairs of hands.
pub fn joint_rows(
    deck: CardSet,
    cards: usize,
    rows: usize,
    row_of: impl Fn(CardSet) -> Option<usize> + Sync,
) -> Vec<Vec<u64>> {
    let width = rows + 1;
    let mut joint = vec![vec![0_i128; width]; width];
    // The number of hands in each row that contain a set of the size before, by class.
    let mut larger: Option<(Classes, Vec<Vec<u64>>)> = None;
    for size in (0..cards).rev() {
        let classes = Classes::new(size);
        let count = |set: CardSet| -> Vec<u64> {
            let mut counts = vec![0; width];
            if !set.difference(deck).is_empty() {
                return counts;
            }
            for card in deck.difference(set).iter() {
                let with = set.with(card);
                match &larger {
                    None => counts[row_of(with).unwrap_or(rows)] += 1,
                    Some((classes, larger)) => {
                        let more = &larger[classes.index(with)];
                        counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                    }
                }
            }
            // Each hand is found once for each of its cards that isn't in the set.
            counts.iter_mut().for_each(|count| *count /= (cards - size) as u64);
            counts
        };
        let sets: Vec<CardSet> = classes.iter().collect();
        let counts: Vec<Vec<u64>> = sets.par_iter().map(|&set| count(set)).collect();
        let sign = if size % 2 == 0 { 1 } else { -1 };
        for (&set, counts) in sets.iter().zip(&counts) {
            let weight = sign * i128::from(orbit(set));
            for (i, &a) in counts.iter().enumerate().filter(|(_, a)| **a > 0) {
                for (j, &b) in counts.iter().enumerate() {
                    joint[i][j] += weight * i128::from(a) * i128::from(b);
                }
            }
        }
        larger = Some((classes, counts));
    }
    // Sets of all cards are the hands themselves.
    let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
    let hands = &larger.expect("hands have cards").1[0];
    for (i, &count) in hands.iter().enumerate() {
        joint[i][i] += sign * i128::from(count);
    }
    joint.into_iter().map(|row| row.into_iter().map(|count| count as u64).collect()).collect()
}

/// Returns the number of pairs of hands in each row if the better of two hands is paid, and the number of all pairs.
pub fn better_of_two<B: Bet>(paytable: &Paytable<B>, joint: &[Vec<u64>]) -> (Vec<u64>, u64) {
    let rows = paytable.rows();
    let order = |i: usize| rows.get(i).map(|row| (row.value(), std::cmp::Reverse(i)));
    let mut held = vec![0; rows.len() + 1];
    for (i, counts) in joint.iter().enumerate() {
        for (j, count) in counts.iter().enumerate() {
            let better = if order(i) < order(j) { j } else { i };
            held[better] += count;
        }
    }
    let all = held.iter().sum();
    held.truncate(rows.len());
    (held, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::find;
    use crate::solver::{Control, SolverConfig};
    use houseway_env::cards::combinations::{binomial, for_each_subset};
    use houseway_env::cards::{Card, Rank};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn evaluate(game: &str, paytable: Option<&str>, rules: &[&str]) -> Result<BetReturn, SolverError> {
        let config = rules.iter().fold(SolverConfig::default(), |config, rule| config.assign(rule));
        (find(game)?.side_bet.unwrap())(paytable, &config, &Control::default())
    }

    /// Evaluates a paytable with these lines in its file.
    fn evaluate_file(game: &str, lines: &str) -> Result<BetReturn, SolverError> {
        static FILES: AtomicUsize = AtomicUsize::new(0);
        let name = format!("houseway-bet-{}-{}.toml", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, format!("name = 'test'\n{lines}")).unwrap();
        let found = evaluate(game, file.to_str(), &[]);
        std::fs::remove_file(file).unwrap();
        found
    }

    /// The edges of Trips are from Wizard of Odds, "Ultimate Texas Hold'em".
    #[test]
    fn every_game_has_the_published_returns() {
        for (game, name, edge) in [
            ("pai-gow-poker", "fortune-2", 0.077_656),
            ("pai-gow-poker", "pai-gow-insurance", 0.073_457),
            ("ultimate-holdem", "ultimate-trips-30-8-6-5-3", 0.019_040),
            ("ultimate-holdem", "ultimate-trips-30-8-7-4-3", 0.034_979),
            ("ultimate-holdem", "ultimate-trips-30-9-7-4-3", 0.009_018),
            ("ultimate-holdem", "ultimate-trips-20-7-6-5-3", 0.061_808),
        ] {
            let found = evaluate(game, Some(name), &[]).unwrap();
            assert!((found.ev(Ratio::ZERO).value() + edge).abs() < 6e-7, "{name}");
        }
        // The five-card hands of a 52-card pack are well known. Flushes pay half units.
        let lines = "cards = 5\nrow = [{ hand = 'royal-flush', odds = 1 }, { hand = 'flush', odds = 1.5 }, \
                     { hand = 'high-card', odds = 0 }]";
        assert_eq!(evaluate_file("ultimate-holdem", lines).unwrap().paid(), [4, 5_108, 1_302_540]);
        let stud = evaluate("asian-stud", Some("example-pair"), &[]).unwrap();
        assert_eq!((stud.paid()[0], stud.all), (1, 2_869_685));
        let wagers = evaluate("joker-seven", None, &[]).unwrap();
        assert_eq!((wagers.rows.len(), wagers.rows[8].paid), (11, 2 * 20_358_520));
        let json = wagers.json("joker-seven", BetStakes { meter: None, seats: 1 });
        assert!(json["ev"].is_null() && json["rows"][8]["ev"]["value"].as_f64().unwrap() < -0.08);
    }

    #[test]
    fn other_bets_are_refused_with_the_reason() {
        for (game, paytable, rules, part) in [
            ("ultimate-holdem", Some("ultimate-blind"), &[][..], "beats the dealer's"),
            ("ultimate-holdem", None, &["trips-on-fold=lost"], "folded"),
            ("asian-stud", None, &["side-bet-on-fold=lost"], "folded"),
            ("joker-seven", Some("nope"), &[], "source, new-jersey"),
        ] {
            let error = evaluate(game, paytable, rules).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let row = "row = [{ hand = 'flush', odds = 1 }]";
        for (game, term, part) in [
            ("ultimate-holdem", "on = 'either'", "share the board"),
            ("asian-stud", "needs-win = 'push'", "has needs-win"),
            ("pai-gow-poker", "cards = 5", "seven cards"),
            ("ultimate-holdem", "cards = 6", "expected 5"),
            ("pai-gow-poker", "on = 'either'\nneeds-win = 'lose'", "cannot be combined"),
            ("pai-gow-poker", "on = 'nobody'", "either"),
        ] {
            let error = evaluate_file(game, &format!("{term}\n{row}")).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    /// Renton's envy bonus is worth 0.93 points for each other player, computed by hand from the counts of the rows.
    #[test]
    fn an_envy_bonus_adds_up_over_players() {
        let found = evaluate("pai-gow-poker", Some("fortune-envy"), &[]).unwrap();
        let points = 32 * 1_000 + 72 * 200 + 196 * 100 + 1_128 * 50 + 26_020 * 10 + 184_644 * 4 + 307_472;
        assert_eq!(found.envy(), Ratio::new(points, 154_143_080));
        let json = found.json("pai-gow-poker", BetStakes { meter: None, seats: 6 });
        let net = -11_970_096 + 5 * points;
        assert_eq!(json["envy"]["ev_with_envy"], Ratio::new(net, 154_143_080).to_json());
        assert_eq!((json["net"].as_str(), json["ev"]["value"].as_f64().unwrap() < -0.07), (Some("-11970096"), true));
    }

    #[test]
    fn a_bet_breaks_even_at_the_exact_meter() {
        let lines = "for-one = true\ncards = 5\nrow = [{ hand = 'royal-flush', meter = 1 }, \
                     { hand = 'straight-flush', meter = '1/10' }, { hand = 'four-of-a-kind', odds = 300 }]";
        let found = evaluate_file("ultimate-holdem", lines).unwrap();
        // 4 M + 36 M / 10 + 624 * 300 = 2,598,960.
        let even = found.break_even_meter().unwrap();
        assert_eq!(even, Ratio::new((2_598_960 - 624 * 300) * 10, 76));
        assert_eq!(found.ev(even), Ratio::ZERO);
        assert_eq!(
            found.ev(amount("1000.5").unwrap()),
            Ratio::new(76 * 10_005 / 100 + 187_200 - 2_598_960, 2_598_960)
                + Ratio::new(76 * 10_005 % 100, 100 * 2_598_960)
        );
        for text in ["", "-1", "1e9", "1.23456", "99999999999", "ten"] {
            assert!(amount(text).is_err(), "{text}");
        }
        // A share of the meter pays more than any odds, although the meter may be empty.
        let lines = "row = [{ hand = 'straight-flush', odds = 5 }, { hand = 'royal-flush', meter = 1 }]";
        assert_eq!(evaluate_file("pai-gow-poker", lines).unwrap().paid()[1], 26_132);
    }

    #[test]
    fn pairs_of_hands_match_enumeration_of_a_small_deck() {
        let ranks = [Rank::Ten, Rank::Jack, Rank::Queen];
        let natural = CardSet::DECK_52.iter().filter(|card| card.rank().is_some_and(|rank| ranks.contains(&rank)));
        let deck = natural.fold(CardSet::EMPTY, CardSet::with);
        for deck in [deck, deck.with(Card::JOKER)] {
            let row_of = |hand: CardSet| {
                let queens = hand.iter().filter(|card| card.rank() == Some(Rank::Queen)).count();
                [None, Some(0), Some(1)]
                    .get(queens + usize::from(hand.contains(Card::JOKER)))
                    .copied()
                    .unwrap_or(Some(0))
            };
            let mut slow = vec![vec![0; 3]; 3];
            for_each_subset(deck, 4, |one| {
                let rest = deck.difference(one);
                for_each_subset(rest, 4, |two| slow[row_of(one).unwrap_or(2)][row_of(two).unwrap_or(2)] += 1);
            });
            assert_eq!(joint_rows(deck, 4, 2, row_of), slow);
        }
    }

    #[test]
    fn the_better_of_two_hands_pays() {
        let rows = "row = [{ hand = 'three-of-a-kind', odds = 5 }, { hand = 'four-of-a-kind', odds = 50 }]";
        let [one, two] =
            ["player", "either"].map(|on| evaluate_file("asian-stud", &format!("on = '{on}'\n{rows}")).unwrap());
        let pairs = binomial(53, 5) * binomial(48, 5);
        assert_eq!(two.all, pairs);
        // A hand in a row leaves the other hand in any row, so hands with a row are counted twice unless both have one.
        let counts: u64 = one.paid().iter().map(|hands| hands * binomial(48, 5)).sum();
        assert!(two.paid().iter().sum::<u64>() < 2 * counts && two.paid()[1] > one.paid()[1] * binomial(48, 5));
    }

    /// All deals that the player wins are in a row that pays every hand.
    #[test]
    #[ignore = "takes a minute; enumerates all deals and all pairs of seven-card hands"]
    fn bets_that_depend_on_both_hands_add_up() {
        let lines =
            "needs-win = 'push'\nrow = [{ hand = 'at-least-high-card', odds = 1 }, { hand = 'flush', odds = 4 }]";
        let found = evaluate_file("pai-gow-poker", lines).unwrap();
        let solver = find("pai-gow-poker").unwrap().solver(&SolverConfig::default()).unwrap();
        let wins: u64 = solver.solve(&Control::default()).unwrap().json["wins"].as_str().unwrap().parse().unwrap();
        assert_eq!(found.paid().iter().sum::<u64>(), wins);
        assert_eq!((found.losing(), found.pushed()), (0, found.all - wins));
        let lines = "on = 'either'\nrow = [{ hand = 'nine-high-pai-gow', odds = 25 }, { hand = 'flush', odds = 4 }]";
        let found = evaluate_file("pai-gow-poker", lines).unwrap();
        assert_eq!(found.all, binomial(53, 7) * binomial(46, 7));
        // 150,701,280 of the pairs of nine-high pai gow share no card, counted suit by suit with an independent script.
        assert_eq!(found.paid()[0], 3_326_943_407_520);
    }
}
