//! Computes an equilibrium in rounds, which are stored so that a run can be resumed, writes the strategies, and draws the gap
//! to an equilibrium after each round.

use super::answer::{BOUNDS, Findings, NAMES, STRATEGIES, SuitsSeen, mixed_file, mixed_strategy_file, strategy_file};
use super::differences::{self, Differences, Mixing};
use super::{Question, save_rows};
use crate::analysis::pai_gow::runner::with_progress;
use crate::analysis::pai_gow::solve::{mixed_file, strategy_table};
use crate::columns::read_csv;
use crate::plot::Figure;
use crate::run::{ProgressBar, RunFolder, make_folder, notice, read_state, write_atomic};
use cpu_time::ProcessTime;
use houseway_env::files;
use houseway_env::seal::Seal;
use houseway_exact::answer::{Answer, Axis, LineChart, Series};
use houseway_exact::equilibrium::{HandGame, Method, PairEvs, Position, SIDES, Solver, SolverState};
use houseway_exact::pai_gow::equilibrium::{
    Actions, Certificate, ClassGame, InformationSets, ProfileClasses, ProfileGame, purify,
};
use houseway_exact::pai_gow::matchup::{BankedBy, Question as PairQuestion, SideStrategy};
use houseway_exact::pai_gow::whole::{Cancelled, Run, Side};
use houseway_exact::pai_gow::{HANDS, MixedTable, Tabulated};
use houseway_exact::solver::SolverError;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The folder for the files. A run that replaces another one takes it over.
pub const FOLDER: &str = "counts";
const TIMING_HEADER: &str = "round,processor_seconds";
const SEAL: Seal = Seal::new("houseway-equilibrium", 2).of_one_version();
/// The maximum size of the state file in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The rounds of a question with one kind of information sets, and their files.
struct Stage<'a> {
    question: &'a Question,
    /// The file with the solver's state after the last round (about 80 MB).
    state: &'static str,
    /// The file with processor times. They don't appear in any other file, so that the others are reproducible.
    timing: &'static str,
    rounds: u32,
    /// The number of rounds before this stage. It is 0 only for the rounds by profile.
    rounds_before: u32,
}

impl Question {
    /// Returns the rounds in which both sides only see profiles.
    fn by_profile(&self) -> Stage<'_> {
        Stage { question: self, state: "equilibrium.bin", timing: "timing.csv", rounds: self.rounds, rounds_before: 0 }
    }

    /// Returns the rounds in which both sides see the suits of hands for which they matter, after all rounds by profile.
    fn by_class(&self) -> Stage<'_> {
        let (state, timing) = ("classes.bin", "timing-classes.csv");
        Stage { question: self, state, timing, rounds: self.class_rounds, rounds_before: self.rounds }
    }
}

impl Stage<'_> {
    /// Returns a function that shows the progress of a pass as part of all passes of this stage, some of which may have
    /// been finished by an earlier run, which left this state.
    fn progress<'a>(&self, state: Option<&SolverState>, bar: &'a ProgressBar) -> impl Fn(u64, u64) + Sync + use<'a> {
        if let Some(state) = state {
            notice(&format!("resuming after round {}", state.round()));
        }
        // The first passes by class evaluate the averages of the rounds before them.
        let first = if self.rounds_before > 0 { 2 } else { 0 };
        let rounds = state.map(|state| state.round() - self.rounds_before);
        let finished = AtomicU64::new(rounds.map_or(0, |rounds| first + 2 * u64::from(rounds)));
        let passes = first + 2 * u64::from(self.rounds);
        move |done, all| {
            bar.update(finished.load(Ordering::Relaxed) * HANDS + done, passes * HANDS);
            if done == all {
                finished.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// The header of the state file.
#[derive(Serialize, Deserialize)]
struct About {
    rules_hash: String,
    bank: BankedBy,
    method: Method,
    values: Vec<PairEvs>,
    /// The number of rounds before this stage.
    #[serde(default)]
    rounds_before: u32,
}

/// The EVs and times for the finished rounds of a stage.
#[derive(Clone, Default)]
pub struct History {
    /// The EVs after each round, for best responses with the stage's information sets.
    pub values: Vec<PairEvs>,
    /// Round numbers with the processor time since the start of the first round, in seconds over all threads. Rounds from
    /// a replaced run may be missing.
    pub(super) seconds: Vec<(u32, f64)>,
    pub(super) rounds_before: u32,
}

impl History {
    /// Reads the rounds in a folder. Returns `None` if they are missing or belong to another question. If they are damaged
    /// or of another version of the program, their file is kept under another name.
    fn read(folder: &Path, stage: &Stage<'_>, starts: [&[u32]; 2]) -> io::Result<Option<(History, SolverState)>> {
        let read = read_state(folder, stage.state, |file| {
            let (about, bytes): (About, &[u8]) = SEAL.open_bytes(file).map_err(|error| error.to_string())?;
            if !about.is_of(stage) {
                return Ok(None);
            }
            let state = SolverState::from_bytes(bytes, starts).map_err(|error| error.to_string())?;
            match state.round() as usize == about.values.len() + about.rounds_before as usize {
                true => Ok(Some((about, state))),
                false => Err("its numbers of rounds differ".to_owned()),
            }
        });
        let Some((about, state)) = read?.flatten() else { return Ok(None) };
        let mut seconds: Vec<(u32, f64)> = read_csv(folder, stage.timing).unwrap_or_default();
        seconds.retain(|(round, _)| *round <= state.round());
        Ok(Some((History { values: about.values, seconds, rounds_before: about.rounds_before }, state)))
    }

    fn add(
        &mut self,
        values: PairEvs,
        seconds: f64,
        state: &SolverState,
        stage: &Stage<'_>,
        folder: &Path,
    ) -> io::Result<()> {
        self.values.push(values);
        self.seconds.push((state.round(), seconds));
        make_folder(folder)?;
        let Question { game, bank, method, .. } = stage.question;
        let about = About {
            rules_hash: game.rules().hash(),
            bank: *bank,
            method: *method,
            values: self.values.clone(),
            rounds_before: stage.rounds_before,
        };
        write_atomic(&folder.join(stage.state), SEAL.seal_bytes(&about, &state.to_bytes()))?;
        let rows = self.seconds.iter().map(|(round, seconds)| format!("{round},{seconds:.3}\n"));
        write_atomic(&folder.join(stage.timing), format!("{TIMING_HEADER}\n{}", rows.collect::<String>()))
    }

    /// Returns the number of passes over all deals up to the end of the round with the given index, including those of
    /// earlier stages. Two passes evaluate the averages before the first round of a later stage.
    pub(super) fn passes_after(&self, index: usize) -> usize {
        let refining = if self.rounds_before > 0 { 2 } else { 0 };
        2 * (self.rounds_before as usize + index + 1) + refining
    }

    pub(super) fn passes(&self) -> usize {
        self.values.len().checked_sub(1).map_or(0, |last| self.passes_after(last))
    }

    pub(super) fn gaps(&self, bank: BankedBy) -> Vec<f64> {
        self.values.iter().map(|&values| gap(values, bank)).collect()
    }

    pub(super) fn by_passes(&self, bank: BankedBy) -> Vec<(f64, f64)> {
        self.gaps(bank).into_iter().enumerate().map(|(i, gap)| (self.passes_after(i) as f64, gap)).collect()
    }

    pub(super) fn by_seconds(&self, bank: BankedBy) -> Vec<(f64, f64)> {
        let point = |&(round, seconds): &(u32, f64)| {
            Some((seconds, gap(*self.values.get((round - self.rounds_before) as usize - 1)?, bank)))
        };
        self.seconds.iter().filter(|(round, _)| *round > self.rounds_before).filter_map(point).collect()
    }
}

/// Returns the number of rounds by profile in a folder, or `None` if they don't belong to this question.
pub fn stored_rounds(folder: &Path, question: &Question) -> Option<usize> {
    let stage = question.by_profile();
    let file = files::read(&folder.join(stage.state), MAX_FILE).ok()?;
    let (about, _): (About, &[u8]) = SEAL.open_bytes(&file).ok()?;
    about.is_of(&stage).then_some(about.values.len())
}

impl About {
    /// Returns `true` if the rounds are among those of a question.
    fn is_of(&self, Stage { question, rounds, rounds_before, .. }: &Stage<'_>) -> bool {
        self.rules_hash == question.game.rules().hash()
            && self.bank == question.bank
            && self.method == question.method
            && self.rounds_before == *rounds_before
            && self.values.len() <= *rounds as usize
    }
}

/// Returns the width of the bracket around the value, or NashConv if a player banks and there is no value.
pub(super) fn gap(values: PairEvs, bank: BankedBy) -> f64 {
    match bank {
        BankedBy::House => values.bounds().width(),
        BankedBy::Player => values.nash_conv(),
    }
}

/// Returns the name of the gap, which is the bracket around the value or, if a player banks, NashConv.
pub(super) fn gap_name(bank: BankedBy) -> &'static str {
    match bank {
        BankedBy::House => "bracket",
        BankedBy::Player => "NashConv",
    }
}

pub(super) fn gap_title(bank: BankedBy) -> &'static str {
    if bank == BankedBy::House { "Bracket" } else { gap_name(bank) }
}

/// Returns a chart with the gap after each round. Each curve has a name. If `certified` is the gap for best responses that
/// see all suits, it is drawn as a horizontal line.
pub(super) fn chart_by_passes(bank: BankedBy, curves: &[(&str, &History)], certified: Option<f64>) -> Figure {
    let suits = match curves.iter().any(|(_, history)| history.rounds_before > 0) {
        true => " With suits, strategies and best responses see the suits of hands for which they matter.",
        false => "",
    };
    let curves = curves.iter().map(|(name, history)| Series::new(*name, history.by_passes(bank)));
    let chart = curves.fold(chart("passes over all deals", bank, certified), LineChart::with);
    let what = if bank == BankedBy::House { "Bounds" } else { gap_name(bank) };
    let line = if certified.is_some() { " The line is for best responses that see all suits." } else { "" };
    Figure::new(format!("{} by the number of passes", gap_title(bank)), chart).note(format!(
        "{what} for the averages after each round, for best responses that only see profiles.{suits}{line}"
    ))
}

/// Returns a chart with the gap by processor time. Each curve has a name. The line is that of [`chart_by_passes`].
pub(super) fn chart_by_seconds(bank: BankedBy, curves: &[(&str, &History)], certified: Option<f64>) -> Figure {
    let curves = curves.iter().map(|(name, history)| Series::new(*name, history.by_seconds(bank)));
    let chart = curves.fold(chart("processor seconds", bank, certified), LineChart::with);
    Figure::new(format!("{} by processor seconds", gap_title(bank)), chart).note(
        "Processor time of this run, summed over all threads. Waiting for other work on the machine isn't included.",
    )
}

fn chart(x: &str, bank: BankedBy, certified: Option<f64>) -> LineChart {
    let chart = LineChart::new(Axis::new(x).log(), Axis::new(format!("{}, stakes", gap_name(bank))).log());
    match certified {
        Some(gap) => chart.reference(format!("certified: {gap:.2e}"), gap),
        None => chart,
    }
}

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
        let certify = |run: &Run<'_>| Certificate::compute(game, &actions, self.bank, [player, banker], run);
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
        Ok(findings.answer())
    }
}

pub fn averages(actions: &Actions, state: &SolverState) -> Result<[MixedTable; 2], SolverError> {
    let average = |side: usize| {
        let weights = state.average(side, actions.starts(), MixedTable::WHOLE as u16);
        actions.mixed(NAMES[side], &weights, 1)
    };
    Ok([average(0)?, average(1)?])
}

pub struct Solving<'a> {
    pub bar: &'a ProgressBar,
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
    let stage = question.by_profile();
    let found = History::read(folder, &stage, [actions.starts(); 2])?.or_else(|| start.cloned());
    let (history, state) = found.unzip();
    let update = stage.progress(state.as_ref(), solving.bar);
    let pass = Run { progress: Some(&update), cancel: Some(solving.stop), ..Run::default() };
    let game = ProfileGame::new(&question.game, actions, question.bank, pass);
    let solver = match state {
        Some(state) => Solver::resume(game, question.method, state),
        None => Solver::new(game, question.method),
    };
    play(&stage, (history.unwrap_or_default(), solver), folder, solving, respond)
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
    let stage = question.by_class();
    let found = History::read(folder, &stage, starts)?;
    let update = stage.progress(found.as_ref().map(|(_, state)| state), solving.bar);
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
    play(&stage, (history, solver), folder, solving, &mut |_| Ok(None))
}

fn play<G: HandGame<Error = Cancelled>>(
    stage: &Stage<'_>,
    (mut history, mut solver): (History, Solver<G>),
    folder: &Path,
    solving: &Solving<'_>,
    respond: &mut Respond<'_>,
) -> anyhow::Result<(History, SolverState)> {
    let bank = stage.question.bank;
    let fees = bank.payoffs(&stage.question.game.rules()).map(|payoff| payoff.fee().value());
    let before = history.seconds.last().map_or(0.0, |&(_, seconds)| seconds);
    let begun = ProcessTime::now();
    while solver.state().round() < stage.rounds_before + stage.rounds {
        let mut values = solver.round_with(&mut *respond)?;
        // The solver leaves out the fees, which are the same for all settings.
        for (side, fee) in fees.into_iter().enumerate() {
            values.own[side] -= fee;
            values.best[side] -= fee;
        }
        solving.bar.label(&format!("{} {:.1e}", gap_name(bank), gap(values, bank)));
        let seconds = before + begun.elapsed().as_secs_f64();
        history.add(values, seconds, solver.state(), stage, folder)?;
    }
    Ok((history, solver.state().clone()))
}

fn save_tables(
    question: &Question,
    run: &RunFolder,
    (averages, tables): (&[MixedTable; 2], &[Tabulated; 2]),
    findings: &Findings,
) -> io::Result<()> {
    save_rows(run, BOUNDS, &findings.bounds_rows())?;
    for side in SIDES {
        save_rows(run, &mixed_file(side), &differences::rows(&question.game, &averages[side]))?;
    }
    make_folder(&run.file(STRATEGIES))?;
    let mixed = averages.each_ref().map(|table| SideStrategy::Given(table.clone().into()));
    let of_averages = PairQuestion::new(&mixed, &question.game, question.bank);
    let pure = tables.each_ref().map(SideStrategy::from);
    let of_tables = PairQuestion::new(&pure, &question.game, question.bank);
    for (i, side) in [Side::Player, Side::Banker].into_iter().enumerate() {
        mixed_file::save(&averages[i], &question.game, &run.file(&mixed_strategy_file(i)), side, &of_averages)?;
        strategy_table::save(&tables[i], &run.file(&strategy_file(i)), side, &of_tables)?;
    }
    Ok(())
}
