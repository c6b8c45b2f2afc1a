//! Runs passes over the full game and caches them in files.

use super::contest::Contest;
use super::standings::Standings;
use crate::analysis::pai_gow::progress::with_progress;
use crate::console::Failure;
use crate::run::{RunFolder, notice, read_state};
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::matchup::{BankedBy, PairTotals, Question, SideStrategy};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff, Play, Side};
use houseway_exact::pai_gow::{ClassTableError, Tabulated};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::io;
use std::sync::atomic::AtomicBool;

/// The folder for finished passes. A new run can keep using it, because every file identifies its own contents.
pub(super) const FOLDER: &str = "counts";

/// The seal on a cache file.
const SEAL: Seal = Seal::new("houseway-compare-counts", 1);

/// The cached totals, each with a seal of its own.
#[derive(Serialize, Deserialize)]
struct Stored {
    answers: Vec<Map<String, Value>>,
}

/// The passes for one contest.
pub(super) struct Passes<'a> {
    contest: &'a Contest,
    run: &'a RunFolder,
    stop: &'a AtomicBool,
}

impl<'a> Passes<'a> {
    pub(super) fn new(contest: &'a Contest, run: &'a RunFolder, stop: &'a AtomicBool) -> Passes<'a> {
        Passes { contest, run, stop }
    }

    /// Computes the missing passes. Returns `None` if it is stopped.
    pub(super) fn standings(&self) -> anyhow::Result<Option<Standings>> {
        let ways = &self.contest.ways;
        let (mut columns, mut last_column) = (Vec::new(), Vec::new());
        for i in 0..ways.len() {
            let Some(answers) = self.against_banker(i)? else { return Ok(None) };
            columns.push(answers);
        }
        for i in 0..ways.len() {
            let Some(answer) = self.against_player(i)? else { return Ok(None) };
            last_column.push(answer);
        }
        Ok(Some(Standings::new(self.contest, columns, last_column)))
    }

    /// Evaluates all players' ways against a banker, and the best response last.
    fn against_banker(&self, banker: usize) -> anyhow::Result<Option<Vec<PairTotals>>> {
        let Contest { game, names, ways } = self.contest;
        let way = &ways[banker];
        let players = ways.iter().map(SideStrategy::from).chain([SideStrategy::Optimal]);
        let pairs: Vec<[SideStrategy; 2]> = players.map(|player| [player, way.into()]).collect();
        let optimum = Play::Best(Payoff::player(game.rules().commission));
        let players: Vec<Play<'_>> = ways.iter().map(Tabulated::play).chain([optimum]).collect();
        let label = format!("banker {} ({} of {})", names[banker], banker + 1, 2 * ways.len());
        self.pass(&file_of("banker", way), &label, &pairs, |missing| {
            let banker = way.pass(game, Side::Player)?.with_copies();
            let players: Vec<Play<'_>> = missing.iter().map(|&i| players[i]).collect();
            let totals = with_progress(&label, self.stop, |run| banker.weights(&players, run)).ok();
            let weight = |player: Play<'_>| u64::from(banker.weight()) * u64::from(player.weight());
            Ok(totals.map(|totals| players.into_iter().map(weight).zip(totals).collect()))
        })
    }

    /// Evaluates the banker's best response to a player's way.
    fn against_player(&self, player: usize) -> anyhow::Result<Option<PairTotals>> {
        let Contest { game, names, ways } = self.contest;
        let way = &ways[player];
        let label = format!("player {} ({} of {})", names[player], ways.len() + player + 1, 2 * ways.len());
        let pair = [way.into(), SideStrategy::Optimal];
        let answers = self.pass(&file_of("player", way), &label, &[pair], |_| {
            let player = way.pass(game, Side::Banker)?.with_copies();
            let optimum = Play::Best(BankedBy::House.payoff(&game.rules()));
            let totals = with_progress(&label, self.stop, |run| player.weights(&[optimum], run)).ok();
            let weight = u64::from(player.weight());
            Ok(totals.map(|totals| totals.into_iter().map(|counts| (weight, counts.other_side())).collect()))
        })?;
        Ok(answers.and_then(|answers| answers.into_iter().next()))
    }

    /// Returns the totals for the given pairs, taking them from the file where possible. Calls `count` with the indices
    /// of the missing ones, and gets the weight of a deal and the outcomes for each.
    fn pass(
        &self,
        file: &str,
        label: &str,
        pairs: &[[SideStrategy; 2]],
        count: impl FnOnce(&[usize]) -> Result<Option<Vec<(u64, OutcomeWeights)>>, ClassTableError>,
    ) -> anyhow::Result<Option<Vec<PairTotals>>> {
        let questions: Vec<Question> =
            pairs.iter().map(|pair| Question::new(pair, &self.contest.game, BankedBy::House)).collect();
        let mut known = self.kept(file)?;
        let has = |known: &[PairTotals], question: &Question| known.iter().any(|answer| answer.question == *question);
        let missing: Vec<usize> = (0..questions.len()).filter(|&i| !has(&known, &questions[i])).collect();
        if !missing.is_empty() {
            let counts = count(&missing).map_err(Failure::usage)?;
            let Some(counts) = counts else { return Ok(None) };
            known.extend(missing.iter().zip(counts).map(|(&i, (weight, counts))| PairTotals {
                question: questions[i].clone(),
                part: None,
                weight,
                counts,
            }));
            self.keep(file, &known)?;
        } else {
            notice(&format!("{label}: cached"));
        }
        let find = |question: &Question| known.iter().find(|answer| answer.question == *question).cloned();
        Ok(questions.iter().map(find).collect())
    }

    /// Returns the totals in a cache file. There are none if the file is missing. If it was damaged or is of another
    /// version, it is kept under another name.
    fn kept(&self, file: &str) -> io::Result<Vec<PairTotals>> {
        let answers = read_state(self.run.working(), file, |bytes| {
            let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            let stored: Stored = SEAL.open(text).map_err(|error| error.to_string())?;
            stored
                .answers
                .into_iter()
                .map(PairTotals::open)
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| error.to_string())
        })?;
        Ok(answers.into_iter().flatten().filter(|answer| answer.part.is_none()).collect())
    }

    fn keep(&self, file: &str, answers: &[PairTotals]) -> io::Result<()> {
        let answers: Vec<Value> = answers.iter().map(PairTotals::sealed).collect();
        self.run.write_json(file, &SEAL.seal(&json!({ "answers": answers })))
    }
}

/// Returns the cache file of the pass against the given way on this side.
fn file_of(seat: &str, way: &Tabulated) -> String {
    format!("{FOLDER}/{seat}-{}.json", way.hash())
}
