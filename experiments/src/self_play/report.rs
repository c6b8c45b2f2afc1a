//! Writes the report on self-play.

use super::findings::{Played, SelfPlayFindings};
use houseway_exact::answer::{Axis, LineChart, Series};
use houseway_lab::plot::Figure;
use houseway_lab::report::Report;
use houseway_learned::TrainConfig;

/// The text before the results.
const INTRODUCTION: &str = "A network for the player and one for the banker, which is the house, learn to play against each \
                            other. In each round, both are trained further against the average of the other side's past \
                            strategies, first the player's and then the banker's, and the strategy that they have learned \
                            enters their own side's average (fictitious play, with more weight on later rounds). If the \
                            responses were exact, the averages would come arbitrarily close to an equilibrium. Networks \
                            only see dealt hands, and every response loses some EV compared with the best one.";

/// The text that explains the table.
const EXPLANATION: &str = "Each row is a pair of averages after the last round. All numbers are exact, over all deals. The \
                           lower bound is the player's EV if the banker plays the best response to the player's average, \
                           and the upper bound is the EV of the player's best response to the banker's average. Best \
                           responses consider every suit. The *bracket* between the bounds contains the value of the game. \
                           It is also the sum of what both averages lose to best responses, compared with playing each \
                           other.";

impl SelfPlayFindings {
    /// Returns the report that is written to the run's folder.
    pub fn report(&self) -> Report {
        let report = Report::new(format!("Experiment {}", self.experiment.name))
            .text(INTRODUCTION)
            .text(format!("**{}**", self.verdict()))
            .table(self.table())
            .text(format!("{EXPLANATION}{}", self.feedback()))
            .figure(
                "bracket-by-rounds",
                "bracket around the value of the game by the number of rounds",
                self.brackets(),
            );
        let report = match self.learners.is_empty() {
            true => report,
            false => report.figure("regret-by-rounds", "regret of the learned responses by round", self.regrets()),
        };
        report.text(
            "Strategies look at a hand's *profile*, which consists of its ranks and the suit of any flush that it contains. \
             In the figures, best responses do too. The numbers are in [tables/rounds.csv](tables/rounds.csv). The averages \
             start again after the second round, to remove the arbitrary initial strategies from them.",
        )
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

    /// Returns the learners of a training configuration.
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
        Figure::new("Bracket around the value of the game, by rounds of fictitious play", chart).note(format!(
            "Exact, for best responses that only see profiles; mean of {} seeds, band from the lowest to the highest.",
            self.experiment.seeds.len()
        ))
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
        Figure::new("EV that the networks lose compared with best responses", chart).note(format!(
            "Exact, against the other side's average in the same round; mean of {} seeds, band from the lowest to the \
             highest.",
            self.experiment.seeds.len()
        ))
    }
}

/// Returns the points of a curve over rounds.
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
