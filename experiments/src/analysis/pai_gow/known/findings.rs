//! Presents the value of known cards as JSON, text, and a report.

use crate::plot::{Axis, Figure, LineChart, Series};
use crate::report::{Report, TextTable, terminal, wrapped_lines};
use houseway_env::pai_gow::Hand;
use houseway_exact::format::{grouped, percent};
use serde_json::{Value, json};
use std::path::Path;

/// The half-width of a 95% confidence interval, in standard errors.
const Z95: f64 = 1.959_963_984_540_054;

/// The value of knowing a certain number of cards.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownCardsValue {
    /// The number of known cards.
    pub cards: usize,
    /// The mean gain per unit staked.
    pub gain: f64,
    /// The 95% confidence interval for the gain.
    pub gain_ci: [f64; 2],
    /// The fraction of deals whose best setting changes because of the known cards.
    pub changed: f64,
}

/// The results of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownCardsFindings {
    /// The banker's house way, by name.
    pub banker: String,
    /// The hash of the rules.
    pub rules_hash: String,
    /// The number of hands.
    pub hands: usize,
    /// The seed for the hands.
    pub seed: u64,
    /// The values, in ascending order of the number of known cards.
    pub values: Vec<KnownCardsValue>,
}

impl KnownCardsValue {
    /// Creates a value from each hand's gain and fraction of changed settings.
    pub(super) fn new(cards: usize, gains: &[f64], changed: &[f64]) -> KnownCardsValue {
        let n = gains.len() as f64;
        let gain = gains.iter().sum::<f64>() / n;
        let variance = gains.iter().map(|x| (x - gain).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let half = Z95 * (variance / n).sqrt();
        KnownCardsValue { cards, gain, gain_ci: [gain - half, gain + half], changed: changed.iter().sum::<f64>() / n }
    }

    /// Returns the number of other seats whose hands these cards make up, or `None` if they aren't complete hands.
    fn seats(&self) -> Option<usize> {
        self.cards.is_multiple_of(Hand::CARDS).then_some(self.cards / Hand::CARDS)
    }
}

impl KnownCardsFindings {
    /// Returns the findings as JSON.
    pub fn json(&self) -> Value {
        let value = |value: &KnownCardsValue| {
            json!({
                "cards": value.cards,
                "seats": value.seats(),
                "gain": value.gain,
                "gain_ci": value.gain_ci,
                "changed": value.changed,
            })
        };
        json!({
            "banker": self.banker,
            "rules_hash": self.rules_hash,
            "hands": self.hands,
            "seed": self.seed,
            "cards": self.values.iter().map(value).collect::<Vec<_>>(),
        })
    }

    fn table(&self) -> TextTable {
        let header = ["known cards", "other seats", "gain, of the stake", "95% interval", "best setting changes"];
        let mut table = TextTable::new(header).right_from(1);
        for value in &self.values {
            let seats = value.seats().map_or(String::new(), |seats| seats.to_string());
            table = table.row([
                value.cards.to_string().as_str(),
                &seats,
                &percent(value.gain, 4),
                &value.gain_ci.map(|end| percent(end, 4)).join(" to "),
                &percent(value.changed, 2),
            ]);
        }
        table
    }

    fn summary(&self) -> String {
        format!(
            "{} hands, seed {}, each with random known cards; the EVs of all settings are exact for each of them, and for \
             a single card all 46 are evaluated. The banker sets by {}.",
            grouped(self.hands as u64),
            self.seed,
            self.banker
        )
    }

    /// Returns the summary for the terminal.
    pub fn text(&self, out: &Path) -> String {
        let lines = wrapped_lines(&self.summary());
        format!("{lines}\n\n{}\nreport: {}\n", terminal(&self.table()), out.join("report.md").display())
    }

    /// Returns the report.
    pub fn report(&self) -> Report {
        let points = self.values.iter().map(|value| (value.cards as f64, value.gain)).collect();
        let band = self.values.iter().map(|value| (value.gain_ci[0], value.gain_ci[1])).collect();
        let chart =
            LineChart::new(Axis::new("known cards").from_zero(), Axis::new("gain, of the stake").percent().from_zero());
        let chart = chart.with(Series::new("best setting for the known cards", points).band(band));
        let note = format!("{} hands; band: 95% confidence interval", grouped(self.hands as u64));
        Report::new("What are known cards worth?")
            .text(
                "A player who sees the cards of other seats knows that the banker holds none of them, and can set \
                 accordingly. The gain is the EV of the best setting for the known cards, less that of the setting that is \
                 best without them, both with the known cards out of the deck.",
            )
            .table(self.table())
            .figure("gain-by-cards", "gain per unit staked against the number of known cards", Figure::new("Value of known cards", chart).note(note))
            .heading("Method")
            .text(format!(
                "{} Which cards are known is random, as are hands of other seats before they are set.",
                self.summary()
            ))
    }
}
