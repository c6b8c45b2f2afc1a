//! Learns responses with networks, round by round, and stores them in a file per round.

use super::{Learning, Played, until_round};
use crate::metrics::MetricHistory;
use crate::study::{AgentTraining, RunControl, Training, folder_name, train_agent};
use anyhow::Context;
use houseway_env::cards::profile::Profile;
use houseway_env::files::keep_aside;
use houseway_env::pai_gow::{Game, ProfileStrategy};
use houseway_exact::equilibrium::{Position, SIDES, SolverState};
use houseway_exact::pai_gow::equilibrium::{Actions, Certificate, response_values};
use houseway_lab::analysis::pai_gow::equilibrium::{FOLDER, History, Question, Solving, rounds, stored_rounds};
use houseway_lab::columns::read_csv;
use houseway_lab::run::{ProgressBar, RunFolder, make_folder, notice, write_atomic};
use houseway_learned::TrainConfig;
use houseway_learned::task::{Feedback, TrainingTask};
use houseway_learned::tasks::pai_gow::{Among, LearnedStrategy, ProfileMixture, Seat, SettingTask};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SEATS: [(Seat, &str); 2] = [(Seat::Player, "player"), (Seat::Banker, "banker")];

/// A pair of networks that is trained with one configuration and seed.
pub struct Learner {
    name: String,
    config: TrainConfig,
    seed: u64,
    /// The folder with the state of the finished rounds.
    folder: PathBuf,
    /// The EV that the player's and the banker's response loses in each round, compared with the best response to the
    /// same average.
    regrets: Vec<[f64; 2]>,
    history: History,
}

impl Learner {
    /// Opens a learner in a run's folder. If its finished rounds don't match its networks, it starts over.
    pub fn open(
        run: &RunFolder,
        question: &Question,
        name: String,
        (config, seed): (&TrainConfig, u64),
    ) -> anyhow::Result<Learner> {
        let folder = run.file(FOLDER).join(folder_name(&name));
        let played = stored_rounds(&folder, question).unwrap_or_default() as u32;
        let regrets = read_regrets(&folder, played);
        let (has_regrets, config, history) = (regrets.is_some(), config.clone(), History::default());
        let learner = Learner { name, config, seed, folder, regrets: regrets.unwrap_or_default(), history };
        match has_regrets && SIDES.into_iter().all(|side| learner.has_played(run, question, side, played)) {
            true => Ok(learner),
            false => learner.start_over(run),
        }
    }

    /// Returns `true` if a side's network has been trained in a number of rounds and at most in the next one. A network
    /// that is missing belongs to a learner without rounds.
    fn has_played(&self, run: &RunFolder, question: &Question, side: usize, played: u32) -> bool {
        let hash = SettingTask::self_play_hash(&question.game, SEATS[side].0, Among::default());
        let config = until_round(&self.config, played + 1);
        let training = self.training(side, &config);
        match training.resumable_step(run, &hash) {
            Some(step) => step >= u64::from(played) * self.config.steps,
            None => played == 0 && !run.training(&training.folder).exists(),
        }
    }

    /// Keeps all rounds and networks under other names.
    fn start_over(self, run: &RunFolder) -> anyhow::Result<Learner> {
        let folders = SIDES.map(|side| run.training(&self.folder_of(side)));
        for folder in folders.iter().chain([&self.folder]).filter(|folder| folder.exists()) {
            let kept = keep_aside(folder).with_context(|| folder.display().to_string())?;
            notice(&format!(
                "{}: cannot continue from {}; it is kept as {}",
                self.name,
                folder.display(),
                kept.display()
            ));
        }
        Ok(Learner { regrets: vec![], ..self })
    }

    /// Returns the training of a side's network with a configuration that covers some of the rounds.
    fn training<'a>(&self, side: usize, config: &'a TrainConfig) -> AgentTraining<'a> {
        AgentTraining {
            name: format!("{}, {}", self.name, SEATS[side].1),
            folder: self.folder_of(side),
            training: Training::Network(config),
            seed: self.seed,
        }
    }

    fn folder_of(&self, side: usize) -> String {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{name}-{}", SEATS[side].1)
    }

    /// Plays the remaining rounds and returns the solver's state.
    pub fn play(
        &mut self,
        run: &RunFolder,
        question: &Question,
        actions: &Actions,
        stop: &AtomicBool,
    ) -> anyhow::Result<SolverState> {
        // The progress of the training is shown instead of that of the passes.
        let bar = ProgressBar::hidden();
        let (folder, game) = (self.folder.clone(), Arc::new(Game::new(question.game.rules())));
        let solving = Solving { bar: &bar, stop };
        let mut respond = |position: Position<'_>| {
            let chosen = self.respond(run, &game, actions, &position, stop)?;
            let regret = position.regret(actions.starts(), &chosen);
            put_regret(&mut self.regrets, &self.folder, position.round, position.side, regret)?;
            Ok(Some(chosen))
        };
        let (history, state) = rounds(question, actions, &folder, None, &solving, &mut respond)?;
        self.history = history;
        Ok(state)
    }

    /// Trains a side's network against the other side's average and returns its greedy strategy as actions.
    fn respond(
        &self,
        run: &RunFolder,
        game: &Arc<Game>,
        actions: &Actions,
        position: &Position<'_>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Vec<u32>> {
        let weighted = |action: usize| (actions.all()[action], position.other[action]);
        let mixture = ProfileMixture::new(Profile::all().map(|profile| actions.range(profile).map(weighted)));
        let seat = SEATS[position.side].0;
        let mut task = SettingTask::self_play(Arc::clone(game), seat, mixture, Among::default());
        if self.config.method.feedback() == Feedback::ExactLabels {
            task.set_exact_values(Arc::new(response_values(game, actions, position)));
        }
        let config = until_round(&self.config, position.round + 1);
        let training = self.training(position.side, &config);
        let agent = train_agent(run, &training, &task, &mut |_| vec![], RunControl::new(stop))?;
        let strategy: &LearnedStrategy = agent.downcast_ref().expect("agents of this task are strategies");
        let table = strategy.profile_table(&training.name);
        let action = |profile| actions.index(profile, table.set_profile(profile)).map(|action| action as u32);
        let chosen: Option<Vec<u32>> = Profile::all().map(action).collect();
        Ok(chosen.expect("the contenders are among the actions"))
    }

    /// Returns the results. `certificate` belongs to the averages after the last round.
    pub fn played(self, run: &RunFolder, certificate: Certificate) -> anyhow::Result<Played> {
        let mut hands = 0;
        for side in SIDES {
            let losses = MetricHistory::read(&run.training(&self.folder_of(side)))?.curve("loss");
            hands += losses.last().map_or(0, |point| point.hands);
        }
        let learning =
            Learning { seed: self.seed, feedback: self.config.method.feedback(), hands, regrets: self.regrets };
        Ok(Played { name: self.name, certificate, values: self.history.values, learning: Some(learning) })
    }
}

const FILE: &str = "responses.csv";
const HEADER: &str = "round,player,banker";

/// Reads the regrets of the first `rounds` rounds from a folder. Returns `None` if any of them is missing.
fn read_regrets(folder: &Path, rounds: u32) -> Option<Vec<[f64; 2]>> {
    if rounds == 0 {
        return Some(vec![]);
    }
    let rows: Vec<(u32, f64, f64)> = read_csv(folder, FILE).ok()?;
    let rows = rows.into_iter().take(rounds as usize);
    let regrets: Vec<[f64; 2]> = rows.map(|(_, player, banker)| [player, banker]).collect();
    let is_complete = regrets.len() == rounds as usize && regrets.iter().flatten().all(|regret| regret.is_finite());
    is_complete.then_some(regrets)
}

/// Adds the regret of a side in a round. The file is written when both sides have responded.
fn put_regret(regrets: &mut Vec<[f64; 2]>, folder: &Path, round: u32, side: usize, regret: f64) -> io::Result<()> {
    regrets.resize(round as usize + 1, [f64::NAN; 2]);
    regrets[round as usize][side] = regret;
    if side == 0 {
        return Ok(());
    }
    let row = |(i, [player, banker]): (usize, &[f64; 2])| format!("{},{player},{banker}\n", i + 1);
    let rows: String = regrets.iter().enumerate().map(row).collect();
    make_folder(folder)?;
    write_atomic(&folder.join(FILE), format!("{HEADER}\n{rows}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_rounds_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let put = |regrets: &mut Vec<[f64; 2]>, round, side, regret| {
            put_regret(regrets, folder.path(), round, side, regret).unwrap();
        };
        let read = |rounds| read_regrets(folder.path(), rounds);
        let (mut regrets, expected) = (vec![], vec![[0.1, 1e-7], [0.25, 1.0 / 3.0]]);
        for (round, both) in expected.iter().enumerate() {
            for side in [0, 1] {
                put(&mut regrets, round as u32, side, both[side]);
            }
        }
        assert_eq!(read(2), Some(expected.clone()));
        // A round that isn't finished is played again.
        put(&mut regrets, 2, 0, 0.5);
        let mut first = read(1).unwrap();
        assert_eq!(first, expected[..1]);
        put(&mut first, 1, 0, 0.5);
        put(&mut first, 1, 1, 0.5);
        assert_eq!(read(2), Some(vec![[0.1, 1e-7], [0.5, 0.5]]));
        assert_eq!(read(3), None);
        std::fs::write(folder.path().join(FILE), "round,player,banker\n1,0.1,much\n").unwrap();
        assert_eq!(read(1), None);
        assert_eq!(read(0), Some(vec![]));
    }
}
