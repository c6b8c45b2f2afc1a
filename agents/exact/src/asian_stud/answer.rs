//! Builds the answer for Asian Stud. It compares the optimal strategy with always raising, both under the given rules
//! and under every other reading.

use super::{AsianStud, poker_hands, side_bet_ev, with_set};
use crate::Ratio;
use crate::answer::{Answer, Axis, Bar, BarChart, Figure, Section, TextTable};
use crate::format::{grouped, percent};
use crate::one_decision::{Enumerated, OneDecision, Situation};
use houseway_env::asian_stud::{Commission, FOLD, RAISE, Rules, SideBetOnFold, Value as HandValue};
use houseway_env::money::Rate;
use houseway_env::rank::Category;
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};

/// The number of folded classes shown in the table. The JSON document contains all of them.
const SHOWN: usize = 12;

/// The results of a strategy over all deals.
pub(super) struct Results {
    pub(super) ev: Ratio,
    /// The probability of raising.
    pub(super) raises: Ratio,
    /// The mean of the total wager in antes, including both the ante and the raise.
    pub(super) average_wager: Ratio,
    pub(super) ev_per_unit_staked: Ratio,
    /// The variance of the result, in squared antes.
    pub(super) variance: f64,
}

impl Results {
    /// Returns the results of a strategy that chooses an action from the index of a class.
    pub(super) fn new(solver: &Enumerated<AsianStud>, action: impl Fn(usize) -> usize) -> Results {
        let total = solver.total(|index, _| action(index));
        let (ev, raises) = (total.ev(), total.probability(RAISE));
        let average_wager = Ratio::new(1, 1) + raises;
        Results {
            ev,
            raises,
            average_wager,
            ev_per_unit_staked: ev * Ratio::new(average_wager.denominator(), average_wager.numerator()),
            variance: solver.game().net_results(|index| action(index) == RAISE).variance(),
        }
    }

    fn optimal(solver: &Enumerated<AsianStud>) -> Results {
        Results::new(solver, |index| solver.situations()[index].best())
    }

    fn always_raise(solver: &Enumerated<AsianStud>) -> Results {
        Results::new(solver, |_| RAISE)
    }
}

/// The results for the main game under one option of a reading.
struct ReadingRow {
    name: &'static str,
    option: &'static str,
    /// `true` if the current rules use this option.
    is_chosen: bool,
    optimal: Ratio,
    always: Ratio,
    /// The number of hands that the optimal strategy folds.
    folded: u64,
}

/// Computes the main game's results under each option of each reading, leaving the other readings unchanged.
fn readings(own: &AsianStud) -> Vec<ReadingRow> {
    let rules = *own.game.rules();
    let mut rows = Vec::new();
    for (name, option, other) in rules.with_each(Rules::READINGS) {
        // These don't affect the main game.
        if ["joker-semiwild", "side-bet-on-fold"].contains(&name) {
            continue;
        }
        let solver = Enumerated::new(own.with_rules(other));
        let optimal = solver.optimal();
        rows.push(ReadingRow {
            name,
            option,
            is_chosen: other == rules,
            optimal: optimal.ev(),
            always: solver.total(|_, _| RAISE).ev(),
            folded: optimal.hands[FOLD],
        });
    }
    rows
}

/// The results for all hands with the same value.
pub(super) struct ValueRow {
    pub(super) value: HandValue,
    pub(super) hands: u64,
    /// The mean EV of raising, in antes.
    pub(super) raise_ev: Ratio,
    /// The lowest and highest EV of raising among these hands.
    pub(super) raise_ev_range: [Ratio; 2],
    /// The number of hands that the optimal strategy folds.
    pub(super) folded: u64,
}

/// Returns the results for each hand value, starting with hands without a set. Values that don't occur are left out.
pub(super) fn values(solver: &Enumerated<AsianStud>) -> Vec<ValueRow> {
    let classes = solver.game().classes();
    let row = |value: HandValue| {
        let all = || classes.iter().zip(solver.situations()).filter(|(class, _)| class.value == value).map(|it| it.1);
        let hands: u64 = all().map(|situation| situation.hands).sum();
        let raised: i128 =
            all().map(|situation| i128::from(situation.rewards[RAISE]) * i128::from(situation.hands)).sum();
        let evs = || all().map(|situation| situation.ev(RAISE));
        let folded = all().filter(|situation| situation.best() == FOLD).map(|situation| situation.hands).sum();
        let deals = i128::from(hands) * i128::from(all().next()?.hidden);
        let raise_ev_range = [evs().min()?, evs().max()?];
        Some(ValueRow { value, hands, raise_ev: Ratio::new(raised, deals), raise_ev_range, folded })
    };
    HandValue::all().filter_map(row).collect()
}

/// The data behind the JSON document and the sections.
pub(super) struct Parts<'a> {
    solver: &'a Enumerated<AsianStud>,
    optimal: Results,
    always: Results,
    values: Vec<ValueRow>,
    /// The classes that the optimal strategy folds, sorted by the EV of raising, lowest first.
    pub(super) folded: Vec<&'a Situation>,
    folded_hands: u64,
    readings: Vec<ReadingRow>,
    poker: [(Category, u64); Category::ALL.len()],
    /// The EV of the side bet per unit staked, or `None` if it depends on which hands are folded.
    side_bet: Option<Ratio>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(solver: &'a Enumerated<AsianStud>) -> Parts<'a> {
        let game = solver.game();
        let poker = poker_hands(game.game.rules());
        let mut folded: Vec<&Situation> = solver.situations().iter().filter(|it| it.best() == FOLD).collect();
        folded.sort_by_key(|situation| situation.rewards[RAISE]);
        Parts {
            solver,
            optimal: Results::optimal(solver),
            always: Results::always_raise(solver),
            values: values(solver),
            folded_hands: folded.iter().map(|situation| situation.hands).sum(),
            folded,
            readings: readings(game),
            side_bet: (game.game.rules().side_bet_on_fold == SideBetOnFold::Settled)
                .then(|| side_bet_ev(game.game.paytable(), &poker)),
            poker,
        }
    }

    /// Returns the answer for the full game.
    pub(super) fn answer(&self) -> Answer {
        let game = self.solver.game();
        let summary = Section::default().text(format!(
            "Asian Stud, rules {}: {} hands, {} deals",
            game.game.rules().described(),
            grouped(game.hands()),
            grouped(game.deals())
        ));
        Answer::new(self.json(), std::iter::once(summary).chain(self.sections()))
    }

    fn json(&self) -> Value {
        let (rules, rules_hash) = self.solver.game().rules();
        let class = |situation: &&Situation| {
            json!({
                "example": situation.example,
                "hands": situation.hands.to_string(),
                "raise_ev": situation.ev(RAISE).value(),
            })
        };
        let reading = |row: &ReadingRow| {
            json!({
                "name": row.name,
                "option": row.option,
                "ev": row.optimal.value(),
                "always_raise": row.always.value(),
                "folded": row.folded.to_string(),
            })
        };
        let poker = self.poker.iter().map(|(category, hands)| (category.name().to_owned(), json!(hands.to_string())));
        json!({
            "rules": rules,
            "rules_hash": rules_hash,
            "ev": self.optimal.ev.to_json(),
            "always_raise": self.always.ev.to_json(),
            "classes": self.values_json(),
            "raise_probability": self.optimal.raises.value(),
            "average_wager": self.optimal.average_wager.value(),
            "element_of_risk": -self.optimal.ev_per_unit_staked.value(),
            "variance": self.optimal.variance,
            "folded": self.folded.iter().map(class).collect::<Vec<_>>(),
            "readings": self.readings.iter().map(reading).collect::<Vec<_>>(),
            "poker_hands": poker.collect::<Map<_, _>>(),
            "side_bet": { "paytable": self.solver.game().game.paytable().name(), "ev": self.side_bet.map(Ratio::to_json) },
        })
    }

    fn values_json(&self) -> Value {
        let row = |row: &ValueRow| {
            let value = json!({
                "hands": row.hands.to_string(),
                "raise_ev": row.raise_ev.value(),
                "raise_ev_min": row.raise_ev_range[0].value(),
                "raise_ev_max": row.raise_ev_range[1].value(),
                "folded": row.folded.to_string(),
            });
            (row.value.name(), value)
        };
        Value::Object(self.values.iter().map(row).collect())
    }

    /// Returns the report sections for the full game.
    pub(super) fn sections(&self) -> Vec<Section> {
        let (optimal, always) = (self.optimal.ev, self.always.ev);
        let exact_evs = format!("exact EV, optimal       {optimal:?}\nexact EV, always raise  {always:?}");
        vec![
            Section::new("Optimal strategy").table(self.totals_table()).lines(exact_evs),
            Section::new("Is it right always to raise?").text(self.verdict()).table(self.source_table()),
            Section::new("EV of raising").figure(self.value_plot()).table(self.value_table()),
            self.folded_section(),
            Section::new("Other readings")
                .text("One reading changed at a time. The options of this report are marked with an asterisk.")
                .table(self.reading_table())
                .figure(self.reading_plot()),
            Section::new("Side bet")
                .text(format!(
                    "Every five-card hand as a poker hand; no paytable is published. The paytable {} has {}.",
                    self.solver.game().game.paytable().name(),
                    self.side_bet.map_or_else(
                        || "an EV that depends on which hands are folded, since folding loses the bet".to_owned(),
                        |ev| format!("an EV of {:+.6} per unit staked", ev.value())
                    )
                ))
                .table(self.poker_table()),
        ]
    }

    fn totals_table(&self) -> TextTable {
        let totals = [&self.optimal, &self.always];
        let rows: [(&str, [String; 2]); 5] = [
            ("EV", totals.map(|total| format!("{:+.9}", total.ev.value()))),
            ("raises", totals.map(|total| percent(total.raises.value(), 4))),
            ("average wager", totals.map(|total| format!("{:.6}", total.average_wager.value()))),
            ("element of risk", totals.map(|total| percent(-total.ev_per_unit_staked.value(), 5))),
            ("standard deviation", totals.map(|total| format!("{:.6}", total.variance.sqrt()))),
        ];
        let table = TextTable::new(["per ante", "optimal", "always raise"]).right_from(1);
        rows.iter().fold(table, |table, (name, [optimal, always])| table.row([*name, optimal, always]))
    }

    fn verdict(&self) -> String {
        let source = "The source says that even without a qualifying set a player \"can raise and remain in the game\", and \
                      names no hand to fold.";
        let (folded, all, optimal) = (self.folded_hands, self.solver.hands(), self.optimal.ev);
        if folded == 0 {
            let ev = optimal.value();
            return format!(
                "{source} Yes, under these rules: the optimal strategy always raises. It has an EV of {ev:+.6} antes."
            );
        }
        let with_set: u64 = self.values.iter().filter(|row| row.value.is_set()).map(|row| row.folded).sum();
        let (kinds, rest) = match with_set {
            0 => ("all of them without a set".to_owned(), " Every hand with a set raises."),
            _ => (format!("{} of them with a set", grouped(with_set)), ""),
        };
        let rules = self.solver.game().game.rules();
        let is_charged =
            matches!(rules.commission, Commission::Both | Commission::Ante) && rules.commission_rate != Rate::ZERO;
        let commission = match is_charged {
            true => "; a commission on the ante won from such a dealer decides many of these hands",
            false => "",
        };
        format!(
            "{source} Not quite: the optimal strategy folds {} of {} hands ({}), {kinds}, and has an EV of {:+.6} antes; \
             always raising has {:+.6}, a cost of {:.6}. Whether to fold a hand without a set depends on the probability that \
             the dealer has no set either, which the cards held change slightly{commission}.{rest}",
            grouped(folded),
            grouped(all),
            percent(folded as f64 / all as f64, 2),
            optimal.value(),
            self.always.ev.value(),
            (optimal - self.always.ev).value(),
        )
    }

    /// Returns a table that compares the game without commission, as in the source, with the game with commission, as
    /// published.
    fn source_table(&self) -> TextTable {
        let header = ["commission", "strategy", "EV", "raises", "average wager", "element of risk", "std. deviation"];
        let mut table = TextTable::new(header).right_from(2);
        for (commission, name, origin) in
            [(Commission::None, "none", " (the source)"), (Commission::Both, "of all winnings", " (published)")]
        {
            let game = self.solver.game();
            let rules = Rules { commission, ..*game.game.rules() };
            // Neither is known with other rules.
            let origin = if rules == (Rules { commission, ..Rules::default() }) { origin } else { "" };
            let name = &format!("{name}{origin}");
            let solver = Enumerated::new(game.with_rules(rules));
            let strategies: [(&str, Results); 3] = [
                ("optimum", Results::optimal(&solver)),
                ("always raise", Results::always_raise(&solver)),
                ("raise with a set", Results::new(&solver, |index| with_set(&game.classes()[index]))),
            ];
            for (strategy, total) in strategies {
                table = table.row([
                    name,
                    strategy,
                    &format!("{:+.6}", total.ev.value()),
                    &percent(total.raises.value(), 2),
                    &format!("{:.4}", total.average_wager.value()),
                    &percent(-total.ev_per_unit_staked.value(), 4),
                    &format!("{:.4}", total.variance.sqrt()),
                ]);
            }
        }
        table
    }

    fn value_table(&self) -> TextTable {
        let header = ["hand", "hands", "EV of raising", "lowest", "highest", "hands folded"];
        let mut table = TextTable::new(header).right_from(1);
        for row in self.values.iter().rev() {
            let ev = |ratio: Ratio| format!("{:+.5}", ratio.value());
            table = table.row([
                row.value.to_string().as_str(),
                &grouped(row.hands),
                &ev(row.raise_ev),
                &ev(row.raise_ev_range[0]),
                &ev(row.raise_ev_range[1]),
                &grouped(row.folded),
            ]);
        }
        table
    }

    fn value_plot(&self) -> Figure {
        let names = self.values.iter().rev().map(|row| row.value.to_string()).collect();
        let bar = |row: &ValueRow| {
            let [low, high] = row.raise_ev_range.map(Ratio::value);
            Bar::between(row.raise_ev.value(), low, high)
        };
        let bars = self.values.iter().rev().map(bar).collect();
        let chart = BarChart::new(Axis::new("EV of raising, in antes"), names).with("raise", bars).places(3);
        Figure::new("EV of raising", chart)
            .note("exact; whiskers from the lowest to the highest EV of a hand; the EV of folding is -1")
            .named("raise-ev-by-value", "EV of raising by the value of the hand")
    }

    fn folded_section(&self) -> Section {
        let section = Section::new("Folded hands");
        if self.folded.is_empty() {
            return section.text("The optimal strategy folds no hand: it always raises.");
        }
        let mut table = TextTable::new(["folded class", "hands", "EV of raising"]).right_from(1);
        for situation in self.folded.iter().take(SHOWN) {
            let ev = format!("{:+.6}", situation.ev(RAISE).value());
            table = table.row([situation.example.as_str(), &grouped(situation.hands), &ev]);
        }
        let rest = self.folded.len().saturating_sub(SHOWN);
        section
            .text(format!(
                "The optimal strategy folds {} hands of {} classes, {} of all hands. {}",
                grouped(self.folded_hands),
                self.folded.len(),
                percent(self.folded_hands as f64 / self.solver.hands() as f64, 3),
                if rest == 0 {
                    String::new()
                } else {
                    format!("The table shows the {SHOWN} with the lowest EV of raising; the JSON document has all.")
                },
            ))
            .table(table)
    }

    fn reading_table(&self) -> TextTable {
        let header = ["reading", "optimal EV", "always raise", "difference", "hands folded"];
        let mut table = TextTable::new(header).right_from(1);
        for row in &self.readings {
            let mark = if row.is_chosen { " *" } else { "" };
            table = table.row([
                format!("{}={}{mark}", row.name, row.option).as_str(),
                &format!("{:+.6}", row.optimal.value()),
                &format!("{:+.6}", row.always.value()),
                &format!("{:.6}", (row.optimal - row.always).value()),
                &grouped(row.folded),
            ]);
        }
        table
    }

    fn reading_plot(&self) -> Figure {
        let names = self.readings.iter().map(|row| format!("{} = {}", row.name, row.option)).collect();
        let bars = |ev: fn(&ReadingRow) -> f64| self.readings.iter().map(|row| Bar::from(ev(row))).collect();
        let chart = BarChart::new(Axis::new("EV of a round, in antes"), names)
            .with("optimum", bars(|row| row.optimal.value()))
            .with("always raise", bars(|row| row.always.value()))
            .places(4);
        Figure::new("Always raising under every reading", chart)
            .note("exact; one reading changed at a time")
            .named("always-raise-by-reading", "EV of the optimal strategy and of always raising under each reading")
    }

    fn poker_table(&self) -> TextTable {
        let mut table = TextTable::new(["poker hand", "hands", "probability", "pays"]).right_from(1);
        for (category, hands) in self.poker.iter().rev() {
            let pays = self
                .solver
                .game()
                .game
                .paytable()
                .odds(*category)
                .map_or("loses".to_owned(), |odds| format!("{odds} to 1"));
            let probability = percent(*hands as f64 / self.solver.hands() as f64, 5);
            table = table.row([category.name(), &grouped(*hands), &probability, &pays]);
        }
        table
    }
}
