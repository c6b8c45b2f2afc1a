//! Computes an equilibrium in rounds, and writes the strategies.

use super::answer::{BOUNDS, Findings, NAMES, STRATEGIES, SuitsSeen, mixed_file, mixed_strategy_file, strategy_file};
use super::differences::Differences;
use super::gap::{gap, gap_name};
use super::history::{FOLDER, History, Stage};
use super::mixing::{self, Mixing};
use super::{Question, save_rows};
use crate::analysis::pai_gow::progress::with_progress;
use crate::analysis::pai_gow::solve::{MixedFile, StrategyTable};
use crate::run::{ProgressBar, RESULTS, RunFolder, make_folder, notice};
use cpu_time::ProcessTime;
use houseway_exact::answer::Answer;
use houseway_exact::equilibrium::{HandGame, Position, SIDES, Solver, SolverState};
use houseway_exact::pai_gow::equilibrium::{
    Actions, Certificate, ClassGame, InformationSets, ProfileClasses, ProfileGame, purify,
};
use houseway_exact::pai_gow::matchup::{Question as PairQuestion, SideStrategy};
use houseway_exact::pai_gow::whole::{Cancelled, Run, Side};
use houseway_exact::pai_gow::{HANDS, MixedTable, Tabulated};
use houseway_exact::solver::SolverError;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

impl Question {
    /// Plays the remaining rounds, computes the best responses to both averages, compares the strategies with a house
    /// way, and writes the results to a run's folder. Finished rounds are kept if the run is stopped.
    pub(super) fn answer(&self, way: &Tabulated, run: &RunFolder, stop: &AtomicBool) -> anyhow::Result<Answer> {
        let game = &self.game;
        let actions = Actions::new(game);
        if run.replaced().is_some() {
            run.carry_over(FOLDER)?;
        }
        let bar = ProgressBar::new("solving", "hands");
        let folder = run.file(FOLDER);
        let (history, state) = rounds(self, &actions, &folder, None, &Solving { bar: &bar, stop }, &mut |_| Ok(None))?;
        drop(bar);
        let averages = averages(&actions, &state)?;
        let [player, banker] = &averages;
        let certify = |run: &Run<'_>| Certificate::with_suits(game, &actions, self.bank, [player, banker], run);
        let (certificate, sees_suits) = with_progress("best responses", stop, certify)?;
        let classes = ProfileClasses::new();
        let (tables, seen) = match self.class_rounds {
            0 => (SIDES.map(|side| purify(game, &classes, &averages[side], NAMES[side])), None),
            _ => {
                let sets = sees_suits.each_ref().map(|split| InformationSets::new(&actions, &classes, split));
                let bar = ProgressBar::new("seeing suits", "hands");
                let solving = Solving { bar: &bar, stop };
                let (history, state) =
                    class_rounds(self, (&actions, &classes, &sets), &folder, (&history, &state), &solving)?;
                let table = |side: usize| {
                    let weights = state.average(side, sets[side].starts(), MixedTable::WHOLE as u16);
                    sets[side].table(game, (&actions, &classes), NAMES[side], &weights)
                };
                let profiles = sees_suits.map(|split| split.into_iter().filter(|&it| it).count());
                (SIDES.map(table), Some(SuitsSeen { profiles, history }))
            }
        };
        let tables = tables.map(Tabulated::from);
        let differences = Differences::compute(game, self.bank, way, &tables, stop)?;
        let findings = Findings {
            rules: game.rules(),
            bank: self.bank,
            method: self.method,
            certificate,
            history,
            seen,
            mixing: averages.each_ref().map(|average| Mixing::new(game, average, &classes)),
            differences,
        };
        save_tables(self, run, (&averages, &tables), &findings)?;
        let answer = findings.answer();
        run.write_json(RESULTS, &answer.json)?;
        Ok(answer)
    }
}

/// Returns both sides' average strategies.
pub fn averages(actions: &Actions, state: &SolverState) -> Result<[MixedTable; 2], SolverError> {
    let average = |side: usize| {
        let weights = state.average(side, actions.starts(), MixedTable::WHOLE as u16);
        actions.mixed(NAMES[side], &weights, 1)
    };
    Ok([average(0)?, average(1)?])
}

/// The progress of a run, and its stop flag.
pub struct Solving<'a> {
    pub bar: &'a ProgressBar,
    /// Work stops once it is set.
    pub stop: &'a AtomicBool,
}

/// A function that responds in rounds of fictitious play, as in [`Solver::round_with`].
pub type Respond<'a> = dyn FnMut(Position<'_>) -> anyhow::Result<Option<Vec<u32>>> + 'a;

/// Plays the remaining rounds and returns the solver's state. Finished rounds are stored in `folder`. Without any, it
/// continues from `start`. In rounds of fictitious play, the sides play what `respond` returns.
pub fn rounds(
    question: &Question,
    actions: &Actions,
    folder: &Path,
    start: Option<&(History, SolverState)>,
    solving: &Solving<'_>,
    respond: &mut Respond<'_>,
) -> anyhow::Result<(History, SolverState)> {
    let found = History::read(folder, Stage::Profiles, question, [actions.starts(); 2])?.or_else(|| start.cloned());
    let (history, state) = found.unzip();
    let passes = Passes::new(Stage::Profiles, question, state.as_ref(), solving);
    let update = |done, all| passes.update(done, all);
    let pass = Run { progress: Some(&update), cancel: Some(solving.stop), ..Run::default() };
    let game = ProfileGame::new(&question.game, actions, question.bank, pass);
    let solver = match state {
        Some(state) => Solver::resume(game, question.method, state),
        None => Solver::new(game, question.method),
    };
    play(Stage::Profiles, question, (history.unwrap_or_default(), solver), folder, (solving, respond))
}

/// Plays the remaining rounds in which both sides see suits, starting with the averages of the rounds by profile, whose
/// state is given. Finished rounds are stored in `folder`.
fn class_rounds(
    question: &Question,
    (actions, classes, sets): (&Actions, &ProfileClasses, &[InformationSets; 2]),
    folder: &Path,
    by_profile: (&History, &SolverState),
    solving: &Solving<'_>,
) -> anyhow::Result<(History, SolverState)> {
    let starts = sets.each_ref().map(InformationSets::starts);
    let found = History::read(folder, Stage::Classes, question, starts)?;
    let passes = Passes::new(Stage::Classes, question, found.as_ref().map(|(_, state)| state), solving);
    let update = |done, all| passes.update(done, all);
    let run = Run { progress: Some(&update), cancel: Some(solving.stop), ..Run::default() };
    let game = ClassGame::new(&question.game, (actions, classes), sets, question.bank, run)?;
    let (history, solver) = match found {
        Some((history, state)) => (history, Solver::resume(game, question.method, state)),
        None => {
            let (history, state) = by_profile;
            let parents = sets.each_ref().map(InformationSets::parents);
            let profile_game = ProfileGame::new(&question.game, actions, question.bank, Run::default());
            let solver = Solver::resume(profile_game, question.method, state.clone());
            let seconds = history.seconds.last().copied().into_iter();
            let begun = ProcessTime::now();
            let solver = solver.refine(game, parents.each_ref().map(|sets| &sets[..]))?;
            let refining = begun.elapsed().as_secs_f64();
            let seconds = seconds.map(|(round, seconds)| (round, seconds + refining)).collect();
            (History { values: vec![], seconds, rounds_before: question.rounds }, solver)
        }
    };
    play(Stage::Classes, question, (history, solver), folder, (solving, &mut |_| Ok(None)))
}

/// The progress of all passes in a stage.
struct Passes<'a> {
    /// The number of finished passes, including passes from earlier runs.
    finished: AtomicU64,
    all: u64,
    bar: &'a ProgressBar,
}

impl<'a> Passes<'a> {
    fn new(stage: Stage, question: &Question, state: Option<&SolverState>, solving: &Solving<'a>) -> Passes<'a> {
        if let Some(state) = state {
            notice(&format!("resuming after round {}", state.round()));
        }
        // The first passes by class evaluate the averages of the rounds before them.
        let first = if stage == Stage::Classes { 2 } else { 0 };
        let rounds = state.map(|state| state.round() - stage.rounds_before(question));
        let finished = rounds.map_or(0, |rounds| first + 2 * u64::from(rounds));
        let all = first + 2 * u64::from(stage.rounds(question));
        Passes { finished: AtomicU64::new(finished), all, bar: solving.bar }
    }

    fn update(&self, done: u64, all: u64) {
        self.bar.update(self.finished.load(Ordering::Relaxed) * HANDS + done, self.all * HANDS);
        if done == all {
            self.finished.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Plays the remaining rounds of a stage.
fn play<G: HandGame<Error = Cancelled>>(
    stage: Stage,
    question: &Question,
    (mut history, mut solver): (History, Solver<G>),
    folder: &Path,
    (solving, respond): (&Solving<'_>, &mut Respond<'_>),
) -> anyhow::Result<(History, SolverState)> {
    let before = history.seconds.last().map_or(0.0, |&(_, seconds)| seconds);
    let begun = ProcessTime::now();
    while solver.state().round() < stage.rounds_before(question) + stage.rounds(question) {
        let values = solver.round_with(&mut *respond)?;
        solving.bar.label(&format!("{} {:.1e}", gap_name(question.bank), gap(values, question.bank)));
        let seconds = before + begun.elapsed().as_secs_f64();
        history.add(values, seconds, solver.state(), (stage, question), folder)?;
    }
    Ok((history, solver.state().clone()))
}

/// Writes the bounds after each round, the hands that mix, and both strategies.
fn save_tables(
    question: &Question,
    run: &RunFolder,
    (averages, tables): (&[MixedTable; 2], &[Tabulated; 2]),
    findings: &Findings,
) -> io::Result<()> {
    save_rows(run, BOUNDS, &findings.bounds_rows())?;
    for side in SIDES {
        let rows: Vec<Vec<String>> = mixing::rows(&question.game, &averages[side]).into_iter().map(Vec::from).collect();
        save_rows(run, &mixed_file(side), &rows)?;
    }
    make_folder(&run.file(STRATEGIES))?;
    let mixed = averages.each_ref().map(|table| SideStrategy::Given(table.clone().into()));
    let of_averages = PairQuestion::new(&mixed, &question.game, question.bank);
    let pure = tables.each_ref().map(SideStrategy::from);
    let of_tables = PairQuestion::new(&pure, &question.game, question.bank);
    for (i, side) in [Side::Player, Side::Banker].into_iter().enumerate() {
        MixedFile::save(&averages[i], &question.game, &run.file(&mixed_strategy_file(i)), side, &of_averages)?;
        StrategyTable::save(&tables[i], &run.file(&strategy_file(i)), side, &of_tables)?;
    }
    Ok(())
}
