//! Compares methods for computing an equilibrium on the same passes.

use super::rounds::{FOLDER, History, Solving, chart_by_passes, chart_by_seconds, gap, gap_name, gap_title, rounds};
use super::{Question, is_house};
use crate::analysis::pai_gow::runner::rules_of;
use crate::report::TextTable;
use crate::run::{ProgressBar, RunFolder};
use houseway_env::pai_gow::Game;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::equilibrium::{Algorithm, Method};
use houseway_exact::pai_gow::equilibrium::Actions;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::solver::WayAnswer;
use serde::Serialize;
use serde_json::json;
use std::sync::atomic::AtomicBool;

/// The reason why predictive CFR+ can fall back.
const PREDICTIONS: &str = " This method plays as if the regrets of the last round occurred once more. As long as this \
    prediction is right, the sums of regrets shrink. Where they are small, the last round alone decides which settings are \
    played, and the mixtures change abruptly. This instability is known (Farina et al., *Regret Matching+: (In)Stability \
    and Fast Convergence in Games*, 2023).";

/// Returns the largest increase of a gap, as two rounds with their gaps. Returns `None` if it never grows to twice its
/// size.
pub(super) fn setback(gaps: &[f64]) -> Option<[(usize, f64); 2]> {
    let rounds = || gaps.iter().copied().enumerate().map(|(i, gap)| (i + 1, gap));
    let before = |round: usize| rounds().take(round).min_by(|a, b| a.1.total_cmp(&b.1));
    let increases = rounds().filter_map(|(round, gap)| Some([before(round)?, (round, gap)]));
    let largest = increases.max_by(|a, b| (a[1].1 / a[0].1).total_cmp(&(b[1].1 / b[0].1)))?;
    (largest[1].1 >= 2.0 * largest[0].1).then_some(largest)
}

/// A comparison of methods on the same game. All of them start with the same rounds of fictitious play.
#[derive(Serialize)]
pub(super) struct Comparison {
    pub(super) rounds: u32,
    #[serde(skip_serializing_if = "is_house")]
    pub(super) bank: BankedBy,
    /// The algorithms for the rounds after the common ones.
    #[serde(rename = "methods")]
    pub(super) algorithms: Vec<Algorithm>,
    /// The settings that all methods share.
    pub(super) method: Method,
    #[serde(serialize_with = "rules_of")]
    pub(super) game: Game,
}

impl Comparison {
    fn question(&self, algorithm: Algorithm, rounds: u32) -> Question {
        let method = Method { algorithm, ..self.method };
        Question { game: Game::new(self.game.rules()), bank: self.bank, rounds, class_rounds: 0, method }
    }

    /// Plays all rounds of each method and writes the results to a run's folder. Finished rounds are kept if the run is
    /// stopped.
    pub(super) fn answer(&self, run: &RunFolder, stop: &AtomicBool) -> anyhow::Result<WayAnswer> {
        let actions = Actions::new(&self.game);
        let bar = ProgressBar::new("fictitious play", "hands");
        let play = |question: &Question, name: &str, start| {
            let folder = run.file(FOLDER).join(name);
            rounds(question, &actions, &folder, start, &Solving { bar: &bar, stop }, &mut |_| Ok(None))
        };
        let common = self.method.fictitious_rounds.min(self.rounds);
        let start = play(&self.question(Algorithm::FictitiousPlay, common), "start", None)?;
        let mut played = vec![];
        for &algorithm in &self.algorithms {
            bar.label(algorithm.label());
            let (history, _) = play(&self.question(algorithm, self.rounds), algorithm.name(), Some(&start))?;
            played.push((algorithm, history));
        }
        drop(bar);
        let tables = vec![("methods.csv", self.rows(&played))];
        Ok(WayAnswer { answer: self.answer_of(&played), files: vec![], tables })
    }

    fn answer_of(&self, played: &[(Algorithm, History)]) -> Answer {
        let curves: Vec<(&str, &History)> =
            played.iter().map(|(algorithm, history)| (algorithm.label(), history)).collect();
        let title = gap_title(self.bank);
        let introduction = Section::default().detail().text(format!(
            "Each method computes strategies for the player and the banker in rounds of two passes over all deals. All of them \
             begin with the same {} rounds of fictitious play. A strategy and its best response look only at profiles, so that \
             the figures compare the methods and not the value of suits.",
            self.method.fictitious_rounds,
        ));
        let last = |history: &History| history.values.last().map_or(f64::NAN, |&values| gap(values, self.bank));
        let ends = curves.iter().map(|&(label, history)| (label, last(history)));
        let (best, width) =
            ends.min_by(|a, b| a.1.total_cmp(&b.1)).expect("the command line requires at least one method");
        let by_passes = chart_by_passes(self.bank, &curves, None)
            .named("methods-by-passes", format!("{title} by the number of passes"));
        let by_seconds = chart_by_seconds(self.bank, &curves, None)
            .named("methods-by-seconds", format!("{title} by processor seconds"));
        let summary = Section::default()
            .text(format!("**After all rounds, {best} has the smallest {}: {width:.2e} stakes.**", gap_name(self.bank)))
            .table(self.table(&curves))
            .text(self.setbacks_text(played))
            .figure(by_passes)
            .figure(by_seconds);
        let passes = Section::default().detail().text(
            "A round has the same two passes with every method, so that the number of passes is a measure that doesn't depend on \
             the machine. The numbers after each round are in [tables/methods.csv](tables/methods.csv).",
        );
        let mut methods = vec![];
        for (algorithm, history) in played {
            methods.push(json!({ "name": algorithm.name(), "by_round": history.gaps(self.bank) }));
        }
        let json = json!({
            "rules": self.game.rules(),
            "rules_hash": self.game.rules().hash(),
            "bank": self.bank,
            "rounds": self.rounds,
            "measure": gap_name(self.bank),
            "method": self.method,
            "methods": methods,
        });
        Answer::new(json, [introduction, summary, passes]).titled("Methods for computing an equilibrium")
    }

    fn setbacks_text(&self, played: &[(Algorithm, History)]) -> String {
        let name = gap_name(self.bank);
        let mut setbacks = vec![];
        for (algorithm, history) in played {
            let Some([(low_round, low), (high_round, high)]) = setback(&history.gaps(self.bank)) else { continue };
            let reason = if *algorithm == Algorithm::PredictiveCfrPlus { PREDICTIONS } else { "" };
            setbacks.push(format!(
                "With {}, the {name} grows from {low:.2e} after round {low_round} to {high:.2e} after round {high_round}.{reason}",
                algorithm.label(),
            ));
        }
        match setbacks.is_empty() {
            true => format!("No method's {name} grows to twice its size from one round to a later one."),
            false => setbacks.join(" "),
        }
    }

    /// Returns a table with the gap after every fifth round and after the last one. If there are many rounds, it has
    /// fewer of them, to fit on a terminal.
    fn table(&self, curves: &[(&str, &History)]) -> TextTable {
        let rounds = self.rounds as usize;
        let every = 5 * rounds.div_ceil(25).max(1);
        let shown: Vec<usize> = (1..=rounds).filter(|&round| round % every == 0 || round == rounds).collect();
        let header = shown.iter().map(|round| format!("round {round}"));
        let row = |(label, history): &(&str, &History)| -> Vec<String> {
            let gaps = history.gaps(self.bank);
            let cells = shown.iter().map(|round| format!("{:.2e}", gaps[round - 1]));
            [(*label).to_owned()].into_iter().chain(cells).collect()
        };
        TextTable::new(["method".to_owned()].into_iter().chain(header)).right_from(1).rows(curves.iter().map(row))
    }

    fn rows(&self, played: &[(Algorithm, History)]) -> Vec<Vec<String>> {
        let mut rows = vec![["method", "round", "passes", gap_name(self.bank)].map(str::to_owned).to_vec()];
        for (algorithm, history) in played {
            for (i, gap) in history.gaps(self.bank).into_iter().enumerate() {
                let (round, passes) = (i + 1, 2 * (i + 1));
                rows.push(vec![algorithm.name().to_owned(), round.to_string(), passes.to_string(), gap.to_string()]);
            }
        }
        rows
    }
}
