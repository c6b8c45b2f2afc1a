//! The results of self-play.

use super::SelfPlayExperiment;
use houseway_exact::answer::{Answer, Axis, Figure, LineChart, Section, Series, TextTable};
use houseway_exact::equilibrium::AverageValues;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::equilibrium::Certificate;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::Side;
use houseway_lab::analysis::pai_gow::equilibrium::exact_keys;
use houseway_learned::TrainConfig;
use houseway_learned::task::Feedback;
use serde_json::{Map, Value, json};

const INTRODUCTION: &str = "A network for the player and one for the banker, which is the house, learn to play against each \
                            other. In each round, both are trained further against the average of the other side's past \
                            strategies, first the player's and then the banker's, and the strategy that they have learned \
                            enters their own side's average (fictitious play, with more weight on later rounds). If the \
                            responses were exact, the averages would come arbitrarily close to an equilibrium. Networks \
                            only see dealt hands, and every response loses some EV compared with the best one.";
const EXPLANATION: &str = "Each row is a pair of averages after the last round. All numbers are exact, over all deals. The \
                           lower bound is the player's EV if the banker plays the best response to the player's average, \
                           and the upper bound is the EV of the player's best response to the banker's average. Best \
                           responses consider every suit. The *bracket* between the bounds contains the value of the game. \
                           It is also the sum of what both averages lose to best responses, compared with playing each \
                           other.";

pub struct Played {
    pub name: String,
    pub certificate: Certificate,
    /// The EVs after each round, for best responses that only see profiles.
    pub values: Vec<AverageValues>,
    /// The learned responses. `None` if all responses were exact.
    pub learning: Option<Learning>,
}

pub struct Learning {
    pub seed: u64,
    pub feedback: Feedback,
    /// The number of hands dealt to both sides.
    pub hands: u64,
    /// The EV lost by the player's and the banker's response in each round, compared with best responses.
    pub regrets: Vec<[f64; 2]>,
}

pub struct SelfPlayFindings<'a> {
    pub experiment: &'a SelfPlayExperiment,
    pub exact: Played,
    pub learners: Vec<Played>,
}

impl Played {
    /// Returns the bracket around the value of the game after each round.
    pub fn widths(&self) -> Vec<f64> {
        self.values.iter().map(|values| values.bounds().width()).collect()
    }

    fn json(&self) -> Value {
        let mut keys = Map::from_iter([("name".to_owned(), json!(self.name))]);
        if let Some(Learning { seed, feedback, hands, .. }) = &self.learning {
            let learned = [("seed", json!(seed)), ("feedback", json!(feedback.name())), ("hands", json!(hands))];
            keys.extend(learned.map(|(key, value)| (key.to_owned(), value)));
        }
        keys.extend(exact_keys(&self.certificate, BankedBy::House));
        let round = |(i, values): (usize, &AverageValues)| {
            let mut round = json!(values.bounds());
            if let Some([player, banker]) = self.regret(i) {
                (round["player_regret"], round["banker_regret"]) = (json!(player), json!(banker));
            }
            round
        };
        keys.insert("by_round".to_owned(), self.values.iter().enumerate().map(round).collect());
        Value::Object(keys)
    }

    fn regret(&self, round: usize) -> Option<[f64; 2]> {
        self.learning.as_ref().and_then(|learning| learning.regrets.get(round).copied())
    }
}

impl SelfPlayFindings<'_> {
    /// Returns the results in the format of `houseway bench --json`. Each agent is a pair of averages. Its keys are
    /// those of `houseway equilibrium --json`, and it has the response's exact regret in every round.
    pub fn json(&self) -> Value {
        json!({
            "scope": "whole",
            "kind": self.experiment.kind,
            "rules_hash": self.experiment.rules.hash(),
            "rounds": self.experiment.rounds,
            "agents": self.all().map(Played::json).collect::<Vec<_>>(),
        })
    }

    /// Iterates over the learners and the exact responses, which come last.
    pub fn all(&self) -> impl Iterator<Item = &Played> + Clone {
        self.learners.iter().chain([&self.exact])
    }

    pub fn verdict(&self) -> String {
        let bounds = self.all().map(|played| played.certificate.evs.bounds());
        let lower = bounds.clone().map(|bounds| bounds.lower).max().expect("there are exact responses");
        let upper = bounds.map(|bounds| bounds.upper).min().expect("there are exact responses");
        let width = |played: &Played| played.certificate.evs.bounds().width();
        let best = self.learners.iter().min_by_key(|played| width(played));
        let learned = best.map_or_else(String::new, |best| {
            format!(
                "After {} rounds, the best pair of networks' averages ({}) leaves a bracket of {:.2e} stakes around the \
                 value of the game. Exact responses reach {:.2e}. ",
                self.experiment.rounds,
                best.name,
                width(best).value(),
                width(&self.exact).value(),
            )
        });
        format!(
            "{learned}All averages together show that the player's EV in an equilibrium is between {} and {} of the stake.",
            percent(lower.value(), 5),
            percent(upper.value(), 5),
        )
    }

    /// Returns a table with the exact results after the last round.
    pub fn table(&self) -> TextTable {
        let header = ["agents", "hands", "lower bound", "upper bound", "bracket", "player loses", "banker loses"];
        self.all().fold(TextTable::new(header).right_from(1), |table, played| {
            let (certificate, bounds) = (&played.certificate, played.certificate.evs.bounds());
            table.row([
                played.name.clone(),
                played.learning.as_ref().map_or_else(String::new, |learning| grouped(learning.hands)),
                percent(bounds.lower.value(), 4),
                percent(bounds.upper.value(), 4),
                percent(bounds.width().value(), 4),
                // The other side's gain is what a side loses.
                percent(certificate.evs.gain(Side::Banker).value(), 4),
                percent(certificate.evs.gain(Side::Player).value(), 4),
            ])
        })
    }

    /// Returns a table with the bounds and the regrets after each round.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let header = ["agents", "round", "profile_lower", "profile_upper", "width", "player_regret", "banker_regret"];
        let row = |played: &Played, round: usize| {
            let bounds = played.values[round].bounds();
            let numbers = [bounds.lower, bounds.upper, bounds.width()].into_iter();
            let regrets = played.regret(round).unwrap_or([0.0; 2]);
            let numbers = numbers.chain(regrets).map(|number| number.to_string());
            [played.name.clone(), (round + 1).to_string()].into_iter().chain(numbers).collect::<Vec<String>>()
        };
        let rows = self.all().flat_map(|played| (0..played.values.len()).map(move |round| row(played, round)));
        [header.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
    }

    /// Returns the results. In the terminal, they are a summary and a table.
    pub fn answer(&self) -> Answer {
        let mut figures = Section::default().detail().text(format!("{EXPLANATION}{}", self.feedback()));
        figures = figures.figure(self.brackets());
        if !self.learners.is_empty() {
            figures = figures.figure(self.regrets());
        }
        let sections = [
            Section::default().detail().text(INTRODUCTION),
            Section::default().text(format!("**{}**", self.verdict())).table(self.table()),
            figures.text(
                "Strategies look at a hand's *profile*, which consists of its ranks and the suit of any flush that it \
                 contains. In the figures, best responses do too. The numbers are in \
                 [tables/rounds.csv](tables/rounds.csv). The averages start again after the second round, to remove the \
                 arbitrary initial strategies from them.",
            ),
        ];
        Answer::new(self.json(), sections).titled(format!("Experiment {}", self.experiment.name))
    }

    /// Returns a sentence about the feedback of each training configuration.
    fn feedback(&self) -> String {
        let sentence = |(name, config): (&String, &TrainConfig)| {
            let feedback = config.method.feedback();
            format!(
                " *{name}* trains for {} steps per round and side. Its feedback is *{}*: {}.",
                config.steps,
                feedback.name(),
                feedback.explanation()
            )
        };
        self.experiment.train.iter().map(sentence).collect()
    }

    fn seeds_of(&self, name: &str) -> Vec<&Played> {
        let prefix = format!("{name}, seed ");
        self.learners.iter().filter(|played| played.name.starts_with(&prefix)).collect()
    }

    fn brackets(&self) -> Figure {
        let y = Axis::new("bracket, stakes").log();
        let exact = Series::new(&self.exact.name, points(&self.exact.widths()));
        let chart = LineChart::new(Axis::new("rounds").log(), y).with(exact);
        let chart = self.experiment.train.keys().fold(chart, |chart, name| {
            let widths: Vec<Vec<f64>> = self.seeds_of(name).into_iter().map(Played::widths).collect();
            chart.with(mean_curve(name, &widths))
        });
        let note = format!(
            "Exact, for best responses that only see profiles; mean of {} seeds, band from the lowest to the highest.",
            self.experiment.seeds.len()
        );
        Figure::new("Bracket around the value of the game, by rounds of fictitious play", chart)
            .note(note)
            .named("bracket-by-rounds", "bracket around the value of the game by the number of rounds")
    }

    fn regrets(&self) -> Figure {
        let y = Axis::new("regret, in % of the stake").percent().log();
        let chart = LineChart::new(Axis::new("round"), y);
        let curves = self.experiment.train.keys().flat_map(|name| [(name, 0, "player"), (name, 1, "banker")]);
        let chart = curves.fold(chart, |chart, (name, side, label)| {
            let regrets = self.seeds_of(name).into_iter().filter_map(|played| played.learning.as_ref());
            let regrets: Vec<Vec<f64>> =
                regrets.map(|learning| learning.regrets.iter().map(|regret| regret[side]).collect()).collect();
            chart.with(mean_curve(&format!("{name}, {label}"), &regrets))
        });
        let note = format!(
            "Exact, against the other side's average in the same round; mean of {} seeds, band from the lowest to the \
             highest.",
            self.experiment.seeds.len()
        );
        Figure::new("EV that the networks lose compared with best responses", chart)
            .note(note)
            .named("regret-by-rounds", "regret of the learned responses by round")
    }
}

fn points(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, &value)| ((i + 1) as f64, value)).collect()
}

/// Returns the mean over several curves of the same length, with a band from the lowest to the highest.
fn mean_curve(name: &str, curves: &[Vec<f64>]) -> Series {
    let rounds = curves.iter().map(Vec::len).min().unwrap_or_default();
    let at = |round: usize| curves.iter().map(move |curve| curve[round]);
    let mean: Vec<f64> = (0..rounds).map(|round| at(round).sum::<f64>() / curves.len() as f64).collect();
    let end = |round: usize, pick: fn(f64, f64) -> f64| at(round).reduce(pick).unwrap_or(f64::NAN);
    let band = (0..rounds).map(|round| (end(round, f64::min), end(round, f64::max))).collect();
    Series::new(name, points(&mean)).band(band)
}
