//! Presents the value of known cards as JSON, text, and a report.

use super::effect::Effect;
use super::one_card::OneCard;
use crate::plot::{Axis, Figure, LineChart, Series};
use crate::report::{Report, TextTable, terminal, wrapped_lines};
use houseway_env::cards::combinations::binomial;
use houseway_env::pai_gow::known_cards::MAX_KNOWN_CARDS;
use houseway_env::pai_gow::{CARDS, Hand};
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::MAX_LOSS;
use houseway_exact::solver::loss_interval;
use serde_json::{Value, json};
use std::path::Path;

/// The number of cards at two other seats. A published question asks what they are worth.
const TWO_HANDS: usize = 2 * Hand::CARDS;

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
    /// The fraction of deals in which a setting that is worse without the known cards is as good as the best one, or
    /// `None` if the gain is exact.
    pub tied: Option<f64>,
}

/// The results of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownCardsFindings {
    /// The banker's house way, by name.
    pub banker: String,
    pub rules_hash: String,
    /// The number of hands.
    pub hands: usize,
    /// The seed for the hands.
    pub seed: u64,
    /// The EV per unit staked of best play without known cards. It is exact.
    pub best_ev: Ratio,
    /// The values, in ascending order of the number of known cards.
    pub values: Vec<KnownCardsValue>,
    /// The value of each single card, if it was computed over all hands.
    pub one_card: Option<OneCard>,
}

impl KnownCardsValue {
    /// Creates a value from the effects on each hand.
    pub(super) fn new(cards: usize, effects: &[Effect]) -> KnownCardsValue {
        let Effect { gain, changed, tied } = Effect::mean(effects);
        let gains: Vec<f64> = effects.iter().map(|effect| effect.gain).collect();
        let gain_ci = Some(loss_interval(&gains, MAX_LOSS));
        KnownCardsValue { cards, gain, gain_ci, changed, tied: Some(tied) }
    }

    /// Creates the value of a single known card.
    pub(super) fn exact(card: &OneCard) -> KnownCardsValue {
        let all = card.values.all();
        let (gain, changed) = (all.gain(card.payoff).value(), all.changed_fraction().value());
        KnownCardsValue { cards: 1, gain, gain_ci: None, changed, tied: None }
    }

    /// Returns the number of other seats whose hands these cards make up, or `None` if they aren't complete hands.
    fn seats(&self) -> Option<usize> {
        self.cards.is_multiple_of(Hand::CARDS).then_some(self.cards / Hand::CARDS)
    }

    /// Returns the ends of the interval for the gain. They are equal if the gain is exact.
    fn ends(&self) -> [f64; 2] {
        self.gain_ci.unwrap_or([self.gain; 2])
    }

    /// Returns the number of hands that the banker can hold.
    fn banker_hands(&self) -> u64 {
        binomial((CARDS - Hand::CARDS - self.cards) as u64, Hand::CARDS as u64)
    }
}

impl KnownCardsFindings {
    /// Returns the findings as JSON.
    pub fn json(&self) -> Value {
        let value = |value: &KnownCardsValue| {
            json!({
                "cards": value.cards,
                "seats": value.seats(),
                "ev": self.ev(value),
                "gain": value.gain,
                "gain_ci": value.gain_ci,
                "changed": value.changed,
                "tied": value.tied,
            })
        };
        json!({
            "banker": self.banker,
            "rules_hash": self.rules_hash,
            "hands": self.hands,
            "seed": self.seed,
            "best_ev": self.best_ev.to_json(),
            "cards": self.values.iter().map(value).collect::<Vec<_>>(),
            "one_card": self.one_card.as_ref().map(OneCard::json),
        })
    }

    /// Returns the EV of best play with known cards, per unit staked.
    fn ev(&self, value: &KnownCardsValue) -> f64 {
        self.best_ev.value() + value.gain
    }

    fn table(&self) -> TextTable {
        let header = [
            "known cards",
            "other seats",
            "EV",
            "gain, of the stake",
            "95% interval",
            "best setting changes",
            "another one is as good",
        ];
        let mut table = TextTable::new(header).right_from(1);
        for value in &self.values {
            let seats = value.seats().map_or(String::new(), |seats| seats.to_string());
            table = table.row([
                value.cards.to_string().as_str(),
                &seats,
                &percent(self.ev(value), 4),
                &percent(value.gain, 4),
                &value.gain_ci.map_or("exact".to_owned(), |ends| ends.map(|end| percent(end, 4)).join(" to ")),
                &percent(value.changed, 2),
                &value.tied.map_or(String::new(), |tied| percent(tied, 2)),
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

    /// Answers the question of whether a player who sees other cards has an advantage.
    fn advantage(&self) -> String {
        let ev = |value: &KnownCardsValue| percent(self.ev(value), 4);
        let edge = -self.best_ev.value();
        if edge <= 0.0 {
            return format!("Best play has an EV of {} even without known cards.", percent(-edge, 4));
        }
        let mut sentences = vec![format!("Without known cards, best play loses {} of the stake.", percent(edge, 4))];
        sentences.extend(self.values.iter().find(|value| value.cards == TWO_HANDS).map(|value| {
            format!(
                "Seeing {TWO_HANDS} cards, such as the hands at two other seats, gains {}, which is {} of that.",
                percent(value.gain, 4),
                percent(value.gain / edge, 1)
            )
        }));
        sentences.extend(self.values.iter().rfind(|value| value.ends()[1] < edge).map(|value| {
            let seats = value.seats().map_or(String::new(), |seats| format!(" (the hands at {seats} other seats)"));
            format!("Even with {} known cards{seats}, the house keeps an edge: the EV is {}.", value.cards, ev(value))
        }));
        sentences.extend(self.values.iter().find(|value| value.ends()[0] > edge).map(|value| {
            let all = if value.cards == MAX_KNOWN_CARDS { ", which reveal the banker's hand" } else { "" };
            format!("The player has an advantage with {} known cards{all}: the EV is {}.", value.cards, ev(value))
        }));
        sentences.join(" ")
    }

    /// Explains why more known cards change fewer settings, if this is the case.
    fn fewer_changes(&self) -> Option<String> {
        let falls = |(fewer, more): &(&KnownCardsValue, &KnownCardsValue)| {
            more.changed < fewer.changed && more.gain > fewer.gain && fewer.tied.is_some() && more.tied > fewer.tied
        };
        let (fewer, more) = self.values.iter().zip(self.values.iter().skip(1)).find(falls)?;
        Some(format!(
            "The best setting changes less often with {} known cards than with {}, although they are worth more. The \
             banker has only {} possible hands left instead of {}, so settings with different EVs are often equally good \
             against all of them: the best one is level with another one in {} of deals instead of {}.",
            more.cards,
            fewer.cards,
            grouped(more.banker_hands()),
            grouped(fewer.banker_hands()),
            percent(more.tied?, 1),
            percent(fewer.tied?, 1)
        ))
    }

    /// Returns the summary for the terminal.
    pub fn text(&self, out: &Path) -> String {
        let [summary, advantage] = [self.summary(), self.advantage()].map(|text| wrapped_lines(&text));
        let (table, report) = (terminal(&self.table()), out.join("report.md"));
        format!("{summary}\n\n{table}\n{advantage}\n\nreport: {}\n", report.display())
    }

    pub fn report(&self) -> Report {
        let points = self.values.iter().map(|value| (value.cards as f64, value.gain)).collect();
        let band = self.values.iter().map(|value| value.ends().into()).collect();
        let chart = LineChart::new(Axis::new("known cards"), Axis::new("gain, of the stake").percent().log());
        let chart = chart.with(Series::new("best setting for the known cards", points).band(band));
        // The gain at which the EV is zero.
        let edge = -self.best_ev.value();
        let chart = if edge > 0.0 { chart.reference("edge of the house", edge) } else { chart };
        let note = format!("{} hands; logarithmic axis; band: 95% confidence interval", grouped(self.hands as u64));
        let report = Report::new("What are known cards worth?")
            .text(
                "A player who sees the cards of other seats knows that the banker holds none of them, and can set \
                 accordingly. The gain is the EV of the best setting for the known cards, less that of the setting that is \
                 best without them, both with the known cards out of the deck. The EV is that of best play without known \
                 cards plus the gain.",
            )
            .table(self.table())
            .text([Some(self.advantage()), self.fewer_changes()].into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
            .figure("gain-by-cards", "gain per unit staked against the number of known cards", Figure::new("Value of known cards", chart).note(note));
        let report = match &self.one_card {
            Some(one_card) => one_card.add_to(report),
            None => report,
        };
        report.heading("Method").text(format!(
            "{} The known cards are drawn at random, like the hands at other seats before they are set.",
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
    use houseway_exact::pai_gow::whole::{Pass, Payoff, Run, Shard, Side};

    #[test]
    fn an_exact_card_has_no_interval() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named(Way::DEFAULT).unwrap(), &game).unwrap();
        let run = Run { shard: Shard::new(9, 900).unwrap(), ..Run::default() };
        let values = Pass::new(&game, Side::Player, &BankerTable::new(&way))
            .without_dominated()
            .known_card_values(&run)
            .unwrap();
        let one_card = OneCard { values, payoff: Payoff::player(game.rules().commission) };
        let effects = [Effect::default(), Effect { gain: 0.1, changed: 1.0, tied: 0.0 }];
        let findings = KnownCardsFindings {
            banker: Way::DEFAULT.to_owned(),
            rules_hash: game.rules().hash(),
            hands: 2,
            seed: 1,
            best_ev: one_card.best_ev(),
            values: vec![KnownCardsValue::exact(&one_card), KnownCardsValue::new(2, &effects)],
            one_card: Some(one_card),
        };
        let json = findings.json();
        let (value, one_card) = (&json["cards"][0], &json["one_card"]);
        assert_eq!((&value["gain"], &value["gain_ci"]), (&one_card["gain"]["value"], &Value::Null));
        // The EVs with and without the known card differ by the gain.
        let ev = one_card_of(&one_card["with"]);
        assert!((value["ev"].as_f64().unwrap() - ev).abs() < 1e-12, "{value} {ev}");
        assert_eq!(json["cards"][1]["ev"], json["best_ev"]["value"].as_f64().unwrap() + 0.05);
        let cards = one_card["cards"].as_array().unwrap();
        assert_eq!((cards.len(), &cards[0]["card"], &cards[13]["card"]), (14, &json!("A"), &json!("joker")));
        let number = |totals: &Value, key: &str| totals[key].as_str().unwrap().parse::<u64>().unwrap();
        for key in ["pairs", "changed"] {
            assert_eq!(cards.iter().map(|card| number(card, key)).sum::<u64>(), number(one_card, key), "{key}");
        }
        let report = findings.report().markdown();
        for part in [" exact |", "| joker ", "| any ", "The most valuable card to know is a"] {
            assert!(report.contains(part), "{part} in {report}");
        }
    }

    /// Returns the EV of JSON counts with a commission of 5%.
    fn one_card_of(counts: &Value) -> f64 {
        let [wins, pushes, losses] =
            ["wins", "pushes", "losses"].map(|key| counts[key].as_str().unwrap().parse::<f64>().unwrap());
        (0.95 * wins - losses) / (wins + pushes + losses)
    }

    fn findings(best_ev: Ratio, values: &[(usize, f64, f64, f64)]) -> KnownCardsFindings {
        let value = |&(cards, gain, changed, tied): &(usize, f64, f64, f64)| KnownCardsValue {
            gain_ci: Some([gain * 0.9, gain * 1.1]),
            tied: Some(tied),
            cards,
            gain,
            changed,
        };
        KnownCardsFindings {
            banker: Way::DEFAULT.to_owned(),
            rules_hash: String::new(),
            hands: 100,
            seed: 1,
            best_ev,
            values: values.iter().map(value).collect(),
            one_card: None,
        }
    }

    #[test]
    fn an_advantage_is_only_stated_if_the_interval_shows_it() {
        let edge = Ratio::new(-1, 50);
        let unclear = findings(edge, &[(14, 0.001, 0.1, 0.0), (38, 0.0195, 0.2, 0.1)]);
        assert_eq!(
            unclear.advantage(),
            "Without known cards, best play loses 2.0000% of the stake. Seeing 14 cards, such as the hands at two other \
             seats, gains 0.1000%, which is 5.0% of that. Even with 14 known cards (the hands at 2 other seats), the house \
             keeps an edge: the EV is -1.9000%."
        );
        let clear = findings(edge, &[(35, 0.01, 0.2, 0.0), (39, 0.05, 0.2, 0.1)]);
        let end = "The player has an advantage with 39 known cards, which reveal the banker's hand: the EV is 3.0000%.";
        assert!(clear.advantage().ends_with(end), "{}", clear.advantage());
        let free = findings(Ratio::new(1, 1000), &[(14, 0.001, 0.1, 0.0)]);
        assert_eq!(free.advantage(), "Best play has an EV of 0.1000% even without known cards.");
    }

    #[test]
    fn fewer_changes_are_explained_by_ties() {
        let values = [(21, 0.01, 0.1, 0.02), (28, 0.02, 0.2, 0.05), (35, 0.03, 0.15, 0.3)];
        let text = findings(Ratio::new(-1, 50), &values).fewer_changes().unwrap();
        for part in ["35 known cards than with 28", "only 330 possible hands left instead of 31,824", "30.0% of deals"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(findings(Ratio::new(-1, 50), &values[..2]).fewer_changes(), None);
    }
}
