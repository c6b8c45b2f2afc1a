//! The claim of the source, "a Return to Player of 98.35% based on good playing strategy", put to the test.
//!
//! [`examine`] counts the whole game for the house way against itself and for the best play against it: once by the rules
//! as given, once with each reading changed, and once with all those readings together that bring the player more. Two
//! strategies are counted in one pass, so this is one pass for each row. A reading under which the house way cannot set
//! every hand is no row, but noted with its reason. What is left is arithmetic: [`Findings`] say what returns, and which
//! commission would give the return that is claimed.
//!
//! It is a command of its own, `houseway claim`, and not an option of `houseway solve`: it answers another question, and
//! its result is a run's folder (with provenance and report, resumed if it was cut off), not one pair's numbers.

mod findings;
mod report;

pub use findings::{Case, Findings, Unplayable};

use super::solve::{Answer, Bank, Pair, Question};
use crate::run::{Provenance, RESULTS, RunFolder, Started, config_text, with_progress};
use anyhow::{Context, anyhow};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::{RuleReading, RuleSet};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::whole::{Cancelled, Optimum, Payoff, Run, Side, Whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A reading of the game that decides nothing between player and banker.
const OF_THE_SIDE_BET: &str = "side-bet-best";

/// What is claimed, and about which game.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The return to player that is stated.
    pub stated: Rate,
    /// The house way by which the banker sets.
    pub way: Way,
    /// The rules.
    pub rules: Rules,
}

/// The same as `config.toml` says it.
#[derive(Serialize)]
struct Config {
    stated_return: Rate,
    way: String,
    way_hash: String,
    way_readings: BTreeMap<String, String>,
    rules: Rules,
}

/// A reading that is not as given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Whose reading it is.
    pub of: Owner,
    /// Its name.
    pub reading: String,
    /// The option that is chosen instead.
    pub option: String,
}

/// What a reading belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The rules of the game.
    Game,
    /// The house way.
    HouseWay,
}

impl Claim {
    /// Shows that the house way sets every hand, before long work begins.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self) -> Result<(), WayError> {
        self.compile(&[]).map(|_| ())
    }

    /// The game and the house way with these readings changed.
    fn compile(&self, changes: &[Change]) -> Result<(Game, HouseWay), WayError> {
        let (mut rules, mut way) = (self.rules, self.way.clone());
        for Change { of, reading, option } in changes {
            match of {
                Owner::Game => {
                    rules = rules.with(&format!("{reading}={option}")).map_err(|e| WayError::Reading(e.to_string()))?;
                }
                Owner::HouseWay => way.choose(reading, option)?,
            }
        }
        let game = Game::new(rules);
        let way = HouseWay::compile(way, &game)?;
        Ok((game, way))
    }

    /// Every option of every reading that is not as given, those of the game first.
    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut add = |of, reading: &str, options: &[&str], chosen: &str| {
            let others = options.iter().filter(|option| **option != chosen);
            let change = |option: &&str| Change { of, reading: reading.to_owned(), option: (*option).to_owned() };
            changes.extend(others.map(change));
        };
        let rules = serde_json::to_value(self.rules).expect("rules are plain data");
        let of_main_game = |reading: &&RuleReading| reading.name != OF_THE_SIDE_BET;
        for RuleReading { name, options, .. } in Rules::READINGS.iter().filter(of_main_game) {
            add(Owner::Game, name, options, rules[name].as_str().unwrap_or_default());
        }
        for reading in self.way.readings() {
            let options: Vec<&str> = reading.options.iter().map(String::as_str).collect();
            add(Owner::HouseWay, &reading.name, &options, options[reading.chosen]);
        }
        changes
    }

    fn config(&self, way: &HouseWay) -> Config {
        Config {
            stated_return: self.stated,
            way: self.way.name().to_owned(),
            way_hash: way.hash(),
            way_readings: self.way.chosen_options(),
            rules: self.rules,
        }
    }

    /// Counts a game: the house way against itself, and the best play against it.
    fn count(changes: Vec<Change>, game: &Game, way: &HouseWay, run: &Run<'_>) -> Result<Case, Cancelled> {
        let table = BankerTable::new(way);
        let optimum = Optimum(Payoff::player(game.rules().commission));
        let whole = Whole::new(game, Side::Player, &table).with_copies();
        let counts = whole.totals(&[&table, &optimum], run)?;
        let answer = |pair, counts| Answer { question: Question::new(pair, game, Bank::House), part: None, counts };
        Ok(Case {
            changes,
            house_way: answer(Pair::ways(way, way), counts[0]),
            optimal: answer(Pair::OptimalPlayer { banker: way.into() }, counts[1]),
        })
    }
}

/// Counts all that a claim takes and writes it into a run's folder, or goes on where such a run was cut off. Gives nothing
/// if it was stopped. Readings under which the house way leaves hands unset are noted, not counted.
///
/// # Errors
/// If the folder cannot be used, or the house way does not set every hand as given.
pub fn examine(claim: &Claim, folder: &Path, stop: &AtomicBool) -> anyhow::Result<Option<Findings>> {
    let (_, way) = claim.compile(&[])?;
    let config = config_text(&claim.config(&way))?;
    let provenance = Provenance::new(&config, Vec::new(), claim.rules.hash());
    let (run, started) = RunFolder::start(folder, provenance, &config)?;
    let mut examiner = Examiner { claim, run, stop, findings: Findings::new(claim.stated, claim.rules, way.way()) };
    if started == Started::Resumed && examiner.run.file(RESULTS).exists() {
        examiner.findings.cases = Findings::read_cases(&examiner.run.read_json(RESULTS)?)?;
    }
    if examiner.count_all()?.is_none() {
        return Ok(None);
    }
    examiner.write()?;
    examiner.findings.report().save(&examiner.run)?;
    examiner.run.finish()?;
    Ok(Some(examiner.findings))
}

struct Examiner<'a> {
    claim: &'a Claim,
    run: RunFolder,
    stop: &'a AtomicBool,
    findings: Findings,
}

impl Examiner<'_> {
    /// Counts every case, or nothing more once it was stopped.
    fn count_all(&mut self) -> anyhow::Result<Option<()>> {
        let singles: Vec<Vec<Change>> = self.claim.changes().into_iter().map(|change| vec![change]).collect();
        let all = 1 + singles.len();
        for (i, changes) in std::iter::once(Vec::new()).chain(singles).enumerate() {
            if self.count(changes, &format!("{} of {all}", i + 1))?.is_none() {
                return Ok(None);
            }
        }
        for player in [Case::house_way, Case::optimal] {
            let together = self.findings.helpful(player);
            if together.len() > 1 && self.count(together, "together")?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn count(&mut self, changes: Vec<Change>, label: &str) -> anyhow::Result<Option<()>> {
        if self.findings.case(&changes).is_some() {
            return Ok(Some(()));
        }
        let (game, way) = match self.claim.compile(&changes) {
            Ok(compiled) => compiled,
            Err(reason) => {
                self.findings.unplayable.push(Unplayable { changes, reason: reason.to_string() });
                return Ok(Some(()));
            }
        };
        let case = with_progress(label, self.stop, |run| Claim::count(changes, &game, &way, run));
        let Ok(case) = case else { return Ok(None) };
        self.findings.cases.push(case);
        self.write()?;
        Ok(Some(()))
    }

    fn write(&self) -> anyhow::Result<()> {
        Ok(self.run.write_json(RESULTS, &self.findings.json())?)
    }
}

impl Findings {
    /// Reads the cases of findings from their JSON.
    fn read_cases(json: &serde_json::Value) -> anyhow::Result<Vec<Case>> {
        let cases = json["cases"].as_array().ok_or_else(|| anyhow!("{RESULTS} has no cases"))?;
        let answer = |json: &serde_json::Value| Answer::parse(&json.to_string());
        let read = |case: &serde_json::Value| -> anyhow::Result<Case> {
            Ok(Case {
                changes: serde_json::from_value(case["changes"].clone())?,
                house_way: answer(&case["house_way"])?,
                optimal: answer(&case["optimal"])?,
            })
        };
        cases.iter().map(|case| read(case).with_context(|| format!("cannot read {RESULTS}"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::pai_gow::DEALS;
    use houseway_exact::pai_gow::whole::DealCounts;

    fn claim() -> Claim {
        let stated = "0.9835".parse().unwrap();
        Claim { stated, way: Way::named("trump-plaza").unwrap(), rules: Rules::default() }
    }

    #[test]
    fn every_other_option_is_a_change_and_one_does_not_fit_the_house_way() {
        let claim = claim();
        let changes = claim.changes();
        let names: Vec<String> = changes.iter().map(|it| format!("{:?} {}={}", it.of, it.reading, it.option)).collect();
        let expected = [
            "Game wheel-straight-flush=lowest",
            "Game joker-in-flush=ace",
            "Game equal-setting=foul",
            "HouseWay pair-with-complete-hand=break",
            "HouseWay quads-with-pair=split_rule",
            "HouseWay trips-complete-without-pair=three_of_a_kind",
        ];
        assert_eq!(names, expected);
        let misfits = changes.iter().filter(|&change| claim.compile(std::slice::from_ref(change)).is_err());
        // Where equal parts are a foul, sevens to tens and aces cannot be split as the house way says.
        assert_eq!(misfits.map(|change| change.reading.as_str()).collect::<Vec<_>>(), ["equal-setting"]);
    }

    #[test]
    fn a_run_that_was_cut_off_reads_its_cases_again() {
        let claim = claim();
        let mut findings = Findings::new(claim.stated, claim.rules, &claim.way);
        for (i, changes) in claim.changes().into_iter().filter(|it| it.of == Owner::HouseWay).enumerate() {
            let changes = vec![changes];
            let (game, way) = claim.compile(&changes).unwrap();
            let counts =
                DealCounts { wins: 1 + i as u64, losses: 1, pushes: DEALS - 2 - i as u64, ..DealCounts::default() };
            let answer = |pair| Answer { question: Question::new(pair, &game, Bank::House), part: None, counts };
            let house_way = answer(Pair::ways(&way, &way));
            let optimal = answer(Pair::OptimalPlayer { banker: (&way).into() });
            findings.cases.push(Case { changes, house_way, optimal });
        }
        let json: serde_json::Value = serde_json::from_str(&findings.json().to_string()).unwrap();
        assert_eq!(Findings::read_cases(&json).unwrap(), findings.cases);
    }
}
