//! Exact returns of side bets, for any game and paytable.
//!
//! A game's [`SolverEntry::side_bet`](crate::solver::SolverEntry::side_bet) counts the hands that each row of a paytable
//! pays. [`BetReturn`] turns the counts into EVs. They are exact, also with a progressive meter and for the envy
//! bonus, which other players' hands pay: each of their hands has the same distribution, and EVs add up.

mod joint;

use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::format::{grouped, percent};
use crate::registry::{solvers, without};
use crate::solver::{Control, SolverConfig, SolverError, invalid, refuse_rules};
use houseway_env::paytable::{Bet, BetTerms, HandOf, NeedsWin, Odds, PayRow, Paytable};
use houseway_env::rank::Category;
use houseway_env::registry;
use houseway_env::rules::RuleSet;
use serde_json::{Value, json};

pub use houseway_env::paytable::MAX_PLAYERS;
pub(crate) use joint::{better_of_two, joint_rows};

/// The length of explanations from which each has a paragraph of its own.
const SHORT: usize = 40;

/// The number of hands that each row of a paytable pays.
#[derive(Clone, Debug)]
pub struct BetReturn {
    name: String,
    title: String,
    terms: BetTerms,
    rows: Vec<BetRow>,
    /// `true` if the bet depends on the player's and the dealer's hand.
    is_of_two: bool,
    /// The number of hands, or of pairs of hands if the bet depends on two.
    all: u64,
    /// The maximum number of players.
    players: u32,
    /// The names of the options that the bet depends on.
    options: &'static [&'static str],
    /// The names of the rules that don't matter to the bet, such as those of the main bet.
    unused_rules: Vec<&'static str>,
    /// `true` if every row is a bet of its own. Otherwise, every hand is paid by one row at most.
    apart: bool,
    /// Remarks for people, such as the meaning of the rows.
    notes: Vec<String>,
    /// `true` if the paytable was published for other rules than these.
    is_for_other_rules: bool,
    rules: Value,
    rules_hash: String,
    /// The hash and the rules in words.
    rules_text: String,
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
    /// The number of hands in the row that push because the main bet doesn't win.
    pushed: u64,
}

/// The stakes and seats for an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetStakes {
    /// The amount on the progressive meter, in units of the stake.
    pub meter: Option<Ratio>,
    /// The number of players, each of whom has a hand that can pay an envy bonus to the others. At most [`MAX_PLAYERS`].
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
    valid.ok_or_else(|| {
        invalid!("invalid amount '{text}': expected a number from 0 to 1000000000 with at most four decimal places")
    })
}

/// Evaluates a side bet of a game. The paytable is given by name, by file or as the text of a file, and `None` is the
/// game's default.
///
/// # Errors
/// Returns an error if there are no exact returns for the game, if the paytable, a rule or an option is invalid, or if
/// the computation was canceled.
pub fn side_bet_answer(
    game: &str,
    paytable: Option<&str>,
    config: &SolverConfig,
    stakes: BetStakes,
    control: &Control<'_>,
) -> Result<Answer, SolverError> {
    let game = registry::find(game).map_err(SolverError::invalid)?;
    let entries = solvers().into_iter().filter_map(|entry| Some((entry, entry.side_bet?)));
    let Some((entry, side_bet)) = entries.clone().find(|(entry, _)| entry.game == game.name) else {
        let known: Vec<&str> = entries.map(|(entry, _)| entry.game).collect();
        return Err(without(game, "side bet", &known));
    };
    // In some games, the banker is called the dealer.
    let mut config = config.clone();
    if entry.options.iter().all(|option| option.name != "banker")
        && entry.options.iter().any(|option| option.name == "dealer")
        && let Some(way) = config.options.remove("banker")
    {
        config.options.insert("dealer".to_owned(), way);
    }
    config.check(entry.game, entry.options)?;
    let bet = side_bet(paytable, &config, control)?;
    bet.check_use_of(&config, stakes)?;
    Ok(bet.answer(entry.game, stakes))
}

fn ratio(odds: Odds) -> Ratio {
    let (numerator, denominator) = odds.fraction();
    Ratio::new(numerator.into(), denominator.into())
}

/// Loads a paytable with any terms that a game can evaluate, given by name, by file or as the text of a file. `None` is the
/// default. `able` lists the keys of the terms, and `reason` says why there are no others.
pub(crate) fn load<B: Bet>(paytable: Option<&str>, able: &[&str], reason: &str) -> Result<Paytable<B>, SolverError> {
    let paytable: Paytable<B> =
        paytable.map(Paytable::load_bet).transpose().map_err(SolverError::invalid)?.unwrap_or_default();
    let (name, all, terms) = (paytable.name(), paytable.special_terms(), paytable.terms());
    if let Some(key) = all.iter().find(|key| !able.contains(key)) {
        return Err(invalid!("the paytable '{name}' has {key}, but {reason}"));
    }
    let has = |key| all.contains(&key);
    let on_other = all.iter().find(|key| key.starts_with("on =") || **key == "both").copied();
    let excluded = if let Some(on) = on_other.filter(|_| has("needs-win") || has("envy")) {
        let other = if has("needs-win") { "needs-win" } else { "envy" };
        format!("{on} and {other}, but {other} belongs to a bet on the player's own hand")
    } else if has("cards") && has("needs-win") {
        "cards and needs-win, but a bet that needs a win is on all cards".to_owned()
    } else if has("front") && (terms.on != HandOf::Dealer || has("cards")) {
        "a row for a front, which belongs to a bet on all of the dealer's cards; add on = \"dealer\"".to_owned()
    } else {
        return Ok(paytable);
    };
    Err(invalid!("the paytable '{name}' has {excluded}"))
}

/// Adds up the hands of each kind by the row that pays them.
pub(crate) fn hands_by_row<B: Bet>(paytable: &Paytable<B>, counts: &[(impl Into<B::Hand> + Copy, u64)]) -> Vec<u64> {
    let mut hands = vec![0; paytable.rows().len()];
    for (hand, count) in counts {
        if let Some(row) = paytable.row_of(*hand) {
            hands[row] += count;
        }
    }
    hands
}

/// Returns the player's EV per unit staked, given the number of hands in each row out of `all`. Ignores the terms.
pub(crate) fn ev<B: Bet>(paytable: &Paytable<B>, held: &[u64], all: u64) -> Ratio {
    let rows = paytable.rows().iter().zip(held);
    let returned: Ratio =
        rows.map(|(row, &hands)| (ratio(row.odds) + Ratio::new(1, 1)) * Ratio::new(hands.into(), all.into())).sum();
    returned - Ratio::new(1, 1)
}

impl BetReturn {
    /// Creates the return from the number of hands in each row, out of `all` hands. Notes the rules that the paytable was
    /// published for if these differ.
    ///
    /// # Errors
    /// Returns an error if the paytable names a rule or option that doesn't exist.
    pub fn new<B: Bet, R: RuleSet>(
        paytable: &Paytable<B>,
        held: &[u64],
        all: u64,
        rules: &R,
    ) -> Result<BetReturn, SolverError> {
        let mut notes = vec![];
        for assignment in paytable.rules() {
            let invalid = |error| {
                let text = format!("the paytable '{}' is for other rules: {error}", paytable.name());
                SolverError::Invalid(text)
            };
            if rules.clone().with(assignment).map_err(invalid)?.hash() != rules.hash() {
                notes.push(format!("The paytable was published for other rules; add --set {assignment}."));
            }
        }
        let is_for_other_rules = !notes.is_empty();
        let row = |(row, &held): (&PayRow<B::Hand>, &u64)| BetRow {
            hand: row.hand.to_string(),
            name: json!(row.hand),
            meaning: B::meaning(row.hand),
            odds: row.odds,
            envy: row.envy,
            meter: row.meter,
            held,
            paid: held,
            pushed: 0,
        };
        Ok(BetReturn {
            name: paytable.name().to_owned(),
            title: paytable.title().to_owned(),
            terms: paytable.terms(),
            rows: paytable.rows().iter().zip(held).map(row).collect(),
            is_of_two: paytable.is_of_two(),
            all,
            players: B::PLAYERS,
            options: &[],
            unused_rules: vec![],
            apart: false,
            notes,
            is_for_other_rules,
            rules: json!(rules),
            rules_hash: rules.hash(),
            rules_text: rules.described(),
        })
    }

    /// Notes the hands that are paid as other hands that they contain.
    #[must_use]
    pub(crate) fn with_contained<B: Bet<Hand: From<Category>>>(self, paytable: &Paytable<B>) -> BetReturn {
        let hands = Category::ALL.map(B::Hand::from);
        let possible = hands.into_iter().filter(|&hand| !B::is_impossible(hand, &paytable.terms()));
        let paid_as = |hand: B::Hand| {
            let row = paytable.rows()[paytable.row_of(hand)?].hand;
            (row != hand).then(|| format!("{hand} as {row}"))
        };
        let also: Vec<String> = possible.filter_map(paid_as).collect();
        if also.is_empty() { self } else { self.note(format!("Also paid: {}.", also.join(", "))) }
    }

    /// Adds a remark for people.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> BetReturn {
        self.notes.push(note.into());
        self
    }

    /// Declares the options that the bet depends on, such as strategies for the main bet.
    #[must_use]
    pub(crate) fn with_options(self, options: &'static [&'static str]) -> BetReturn {
        BetReturn { options, ..self }
    }

    /// Declares the rules that don't matter to the bet.
    #[must_use]
    pub(crate) fn without_rules(mut self, rules: &[&'static str]) -> BetReturn {
        self.unused_rules.extend(rules);
        self
    }

    /// Declares that every row is a bet of its own, whose stake all hands outside the row win from the player.
    #[must_use]
    pub(crate) fn apart(self) -> BetReturn {
        BetReturn { apart: true, ..self }
    }

    /// Sets the number of hands in each row with which the main bet wins and pushes. The others push or lose.
    #[must_use]
    pub(crate) fn with_wins(mut self, wins: &[u64], pushes: &[u64]) -> BetReturn {
        for ((row, &wins), &pushes) in self.rows.iter_mut().zip(wins).zip(pushes) {
            row.paid = wins;
            row.pushed = match self.terms.needs_win {
                Some(NeedsWin::Push) => row.held - wins,
                Some(NeedsWin::PushOnTie) => pushes,
                Some(NeedsWin::Lose) | None => 0,
            };
        }
        self
    }

    /// Refuses rules, strategies, a meter or other seats if the bet doesn't depend on them.
    fn check_use_of(&self, config: &SolverConfig, stakes: BetStakes) -> Result<(), SolverError> {
        refuse_rules(&config.assignments, &self.unused_rules)?;
        let has = |pays: fn(&BetRow) -> Odds| self.rows.iter().any(|row| !pays(row).is_zero());
        let given = config.options.keys().map(String::as_str);
        let unused: Vec<&str> = given.filter(|option| !self.options.contains(option)).collect();
        let unused = if !unused.is_empty() {
            &format!("doesn't depend on the option {}; remove it", unused.join(" or the option "))
        } else if stakes.meter.is_some() && !has(|row| row.meter) {
            "has no row that pays a share of a meter; remove the meter"
        } else if stakes.seats > 1 && !has(|row| row.envy) {
            "has no row with an envy bonus; remove the seats"
        } else if stakes.seats > self.players {
            &format!("is for at most {} players, for whom there are cards; reduce the seats", self.players)
        } else {
            return Ok(());
        };
        Err(invalid!("the paytable '{}' {unused}", self.name))
    }

    fn pushed(&self) -> u64 {
        self.rows.iter().map(|row| row.pushed).sum()
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
        ratio(row.odds) + ratio(row.meter) * meter - stake
    }

    /// Returns the mean over all hands of a value that each row has. Other hands have 0.
    fn mean(&self, value: impl Fn(&BetRow) -> Ratio) -> Ratio {
        self.rows.iter().map(|row| value(row) * Ratio::new(row.paid.into(), self.all.into())).sum()
    }

    /// Returns the player's EV per unit staked, with an amount on the meter.
    pub fn ev(&self, meter: Ratio) -> Ratio {
        let losing = Ratio::new(self.losing().into(), self.all.into());
        self.mean(|row| self.net(row, meter)) - losing
    }

    /// Returns the EV of the envy bonus per unit staked, for each other player.
    pub fn envy(&self) -> Ratio {
        self.rows.iter().map(|row| ratio(row.envy) * Ratio::new(row.held.into(), self.all.into())).sum()
    }

    /// Returns the amount on the meter at which the bet has an EV of 0. `None` if there is none, because no row pays a part
    /// of the meter, or because the EV is positive even if the meter is empty.
    pub fn break_even_meter(&self) -> Option<Ratio> {
        let (none, slope) = (self.ev(Ratio::ZERO), self.mean(|row| ratio(row.meter)));
        let is_reached = slope > Ratio::ZERO && none <= Ratio::ZERO;
        is_reached.then(|| -none * Ratio::new(slope.denominator(), slope.numerator()))
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
        let net = ev * Ratio::new(self.all.into(), 1);
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
            let with = ev + self.envy() * Ratio::new((seats - 1).into(), 1);
            json["envy"] =
                json!({ "seats": seats, "ev_per_player": self.envy().to_json(), "ev_with_envy": with.to_json() });
        }
        json
    }

    /// Returns the EV of a row that is a bet of its own.
    fn ev_apart(&self, row: &BetRow) -> Ratio {
        let paid = Ratio::new(row.paid.into(), self.all.into());
        self.net(row, Ratio::ZERO) * paid - (Ratio::new(1, 1) - paid)
    }

    fn section(&self, BetStakes { meter, seats }: BetStakes) -> Section {
        let amount = meter.unwrap_or(Ratio::ZERO);
        let unit = if self.is_of_two { "deals" } else { "hands" };
        let has_envy = self.envy() > Ratio::ZERO;
        let mut header = vec!["hand", "odds", unit, "probability", "EV"];
        if has_envy {
            header.push("envy");
        }
        let mut table = TextTable::new(header).spare(3).right_from(1);
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
            rest.push(("pushes without a win", self.pushed(), 0.0));
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
        // Rows with the same meaning share a paragraph.
        let mut meanings: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in &self.rows {
            let Some(meaning) = &row.meaning else { continue };
            match meanings.iter_mut().find(|(other, _)| other == meaning) {
                Some((_, hands)) => hands.push(&row.hand),
                None => meanings.push((meaning, vec![&row.hand])),
            }
        }
        // Short ones, such as the pips of named tiles, share another one.
        let explained = |(meaning, hands): (&str, Vec<&str>)| format!("{}: {meaning}", hands.join(", "));
        let (short, long): (Vec<_>, Vec<_>) = meanings.into_iter().partition(|(meaning, _)| meaning.len() < SHORT);
        let short: Vec<String> = short.into_iter().map(explained).collect();
        if !short.is_empty() {
            section = section.text(short.join("; ") + ".");
        }
        for meaning in long {
            section = section.text(explained(meaning) + ".");
        }
        section = self.notes.iter().fold(section, |section, note| section.text(note));
        if self.apart {
            return section.text(format!("Every row is a bet of its own; rules {}", self.rules_text));
        }
        if self.rows.iter().any(|row| !row.meter.is_zero()) {
            let now = meter.map_or_else(|| "empty".to_owned(), |meter| format!("at {meter}"));
            let alone = if has_envy { ", without envy bonuses," } else { "" };
            let even = self.break_even_meter();
            let even = even.map(|even| format!("the bet{alone} breaks even at {:.2} stakes", even.value()));
            let even = even.unwrap_or_else(|| "the EV is positive with any meter".to_owned());
            section = section.text(format!("The meter is {now}; {even}"));
        }
        let ev = self.ev(amount);
        if has_envy {
            let with = ev + self.envy() * Ratio::new((seats - 1).into(), 1);
            section = section.text(format!(
                "Envy bonus {} for each other player; EV {} with {seats} {}",
                percent(self.envy().value(), 4),
                percent(with.value(), 4),
                if seats == 1 { "player" } else { "players" },
            ));
        }
        let own = if has_envy { " on the own hand" } else { "" };
        let exact = if self.is_for_other_rules { "exact, but not for the paytable's rules" } else { "exact" };
        section.text(format!("EV {} of the stake{own}, {exact}; rules {}", percent(ev.value(), 4), self.rules_text))
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
        let share = format!("{:.4}", row.meter.value() * 100.0);
        let meter = format!("{}% of the meter", share.trim_end_matches('0').trim_end_matches('.'));
        match (row.meter.is_zero(), row.odds.is_zero()) {
            (true, _) => odds,
            (false, true) => meter,
            (false, false) => format!("{odds} + {meter}"),
        }
    }
}

#[cfg(test)]
mod tests;
