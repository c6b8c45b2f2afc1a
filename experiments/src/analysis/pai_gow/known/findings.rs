//! Presents the value of known cards as JSON, text, and a report.

use super::one_card::OneCard;
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
    /// The 95% confidence interval for the gain, or `None` if the gain is exact.
    pub gain_ci: Option<[f64; 2]>,
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
    /// The value of each single card, if it was computed over all hands.
    pub one_card: Option<OneCard>,
}

impl KnownCardsValue {
    /// Creates a value from each hand's gain and fraction of changed settings.
    pub(super) fn new(cards: usize, gains: &[f64], changed: &[f64]) -> KnownCardsValue {
        let n = gains.len() as f64;
        let gain = gains.iter().sum::<f64>() / n;
        let variance = gains.iter().map(|x| (x - gain).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let half = Z95 * (variance / n).sqrt();
        let gain_ci = Some([gain - half, gain + half]);
        KnownCardsValue { cards, gain, gain_ci, changed: changed.iter().sum::<f64>() / n }
    }

    /// Creates the value of a single known card.
    pub(super) fn exact(card: &OneCard) -> KnownCardsValue {
        let all = card.values.all();
        let (gain, changed) = (all.gain(card.payoff).value(), all.changed_fraction().value());
        KnownCardsValue { cards: 1, gain, gain_ci: None, changed }
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
            "one_card": self.one_card.as_ref().map(OneCard::json),
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
                &value.gain_ci.map_or("exact".to_owned(), |ends| ends.map(|end| percent(end, 4)).join(" to ")),
                &percent(value.changed, 2),
            ]);
        }
        table
    }

    fn summary(&self) -> String {
        let mut sentences = vec![];
        if self.values.iter().any(|value| value.gain_ci.is_some()) {
            let all = if self.one_card.is_some() { "" } else { ", and for a single card all 46 are evaluated" };
            sentences.push(format!(
                "{} hands, seed {}, each with random known cards; the EVs of all settings are exact for each of \
                 them{all}.",
                grouped(self.hands as u64),
                self.seed
            ));
        }
        sentences.extend(self.one_card.as_ref().map(OneCard::scope));
        sentences.push(format!("The banker sets by {}.", self.banker));
        sentences.join(" ")
    }

    /// Returns the summary for the terminal.
    pub fn text(&self, out: &Path) -> String {
        let lines = wrapped_lines(&self.summary());
        format!("{lines}\n\n{}\nreport: {}\n", terminal(&self.table()), out.join("report.md").display())
    }

    /// Returns the report.
    pub fn report(&self) -> Report {
        let points = self.values.iter().map(|value| (value.cards as f64, value.gain)).collect();
        let ends = self.values.iter().map(|value| value.gain_ci.unwrap_or([value.gain; 2]));
        let band = ends.map(|[low, high]| (low, high)).collect();
        let chart =
            LineChart::new(Axis::new("known cards").from_zero(), Axis::new("gain, of the stake").percent().from_zero());
        let chart = chart.with(Series::new("best setting for the known cards", points).band(band));
        let note = format!("{} hands; band: 95% confidence interval", grouped(self.hands as u64));
        let report = Report::new("What are known cards worth?")
            .text(
                "A player who sees the cards of other seats knows that the banker holds none of them, and can set \
                 accordingly. The gain is the EV of the best setting for the known cards, less that of the setting that is \
                 best without them, both with the known cards out of the deck.",
            )
            .table(self.table())
            .figure("gain-by-cards", "gain per unit staked against the number of known cards", Figure::new("Value of known cards", chart).note(note));
        let report = match &self.one_card {
            Some(one_card) => one_card.add_to(report),
            None => report,
        };
        report.heading("Method").text(format!(
            "{} Which cards are known is random, as are hands of other seats before they are set.",
            self.summary()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{Game, Rules};
    use houseway_exact::pai_gow::BankerTable;
    use houseway_exact::pai_gow::whole::{KnownCardGame, Payoff, Run, Shard};

    #[test]
    fn an_exact_card_has_no_interval() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named(Way::DEFAULT).unwrap(), &game).unwrap();
        let run = Run { shard: Shard::new(9, 900).unwrap(), ..Run::default() };
        let values = KnownCardGame::new(&game, &BankerTable::new(&way)).count(&run).unwrap();
        let one_card = OneCard { values, payoff: Payoff::player(game.rules().commission) };
        let findings = KnownCardsFindings {
            banker: Way::DEFAULT.to_owned(),
            rules_hash: game.rules().hash(),
            hands: 2,
            seed: 1,
            values: vec![KnownCardsValue::exact(&one_card), KnownCardsValue::new(2, &[0.0, 0.1], &[0.0, 1.0])],
            one_card: Some(one_card),
        };
        let json = findings.json();
        let (value, one_card) = (&json["cards"][0], &json["one_card"]);
        assert_eq!((&value["gain"], &value["gain_ci"]), (&one_card["gain"]["value"], &Value::Null));
        let cards = one_card["cards"].as_array().unwrap();
        assert_eq!((cards.len(), &cards[0]["card"], &cards[13]["card"]), (14, &json!("A"), &json!("joker")));
        let number = |totals: &Value, key: &str| totals[key].as_str().unwrap().parse::<u64>().unwrap();
        for key in ["pairs", "changed"] {
            assert_eq!(cards.iter().map(|card| number(card, key)).sum::<u64>(), number(one_card, key), "{key}");
        }
        let report = findings.report().markdown();
        for part in [" exact |", "| joker ", "| any ", "The most valuable card to know is the "] {
            assert!(report.contains(part), "{part} in {report}");
        }
    }
}
