//! Runs claim tests and resumes interrupted ones.

use super::findings::{Case, ClaimFindings, Unplayable};
use super::question::{Change, Claim};
use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{RESULTS, RunFolder, RunKind, RunSpec, Started, config_text};
use anyhow::{Context, anyhow};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::matchup::{BankedBy, PairTotals, Question, SideStrategy};
use houseway_exact::pai_gow::whole::{Cancelled, Pass, Payoff, Play, Run, Side};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The seal on stored results. They allow an interrupted run to resume.
const SEAL: Seal = Seal::new("houseway-claim", 1).of_one_version();

impl Claim {
    /// Returns the spec for the test's run.
    pub fn spec(&self) -> anyhow::Result<RunSpec> {
        let (_, way) = self.compile(&[])?;
        let (config, rules_hash) = (config_text(&self.config(&way))?, self.rules.hash());
        Ok(RunSpec { kind: RunKind::Claim, config, seeds: vec![], rules_hash, environment_hash: None, task_hash: None })
    }

    /// Evaluates a game for the house way against itself, and for the best response to the house way.
    fn count(changes: Vec<Change>, game: &Game, way: &Arc<HouseWay>, run: &Run<'_>) -> Result<Case, Cancelled> {
        let table = BankerTable::shared(way);
        let optimum = Play::Best(Payoff::player(game.rules().commission));
        let whole = Pass::new(game, Side::Player, &table).with_copies();
        let counts = whole.totals(&[Play::Profiles(&table), optimum], run)?;
        let answer = |player: SideStrategy, counts| {
            PairTotals::new(Question::new(&[player, way.into()], game, BankedBy::House), None, counts)
        };
        Ok(Case {
            changes,
            house_way: answer(way.into(), counts[0]),
            optimal: answer(SideStrategy::Optimal, counts[1]),
        })
    }
}

/// Evaluates all cases of a claim test and writes the results to the run's folder, resuming an interrupted run. Returns
/// `None` if it is stopped.
///
/// Readings that leave the house way without a rule for some hands are reported, but not evaluated.
pub fn examine(
    claim: &Claim,
    (run, started): (RunFolder, Started),
    stop: &AtomicBool,
) -> anyhow::Result<Option<ClaimFindings>> {
    let (_, way) = claim.compile(&[])?;
    let mut examiner =
        Examiner { claim, run, stop, findings: ClaimFindings::new(claim.stated, claim.rules, way.way()) };
    if started == Started::Resumed && examiner.run.file(RESULTS).exists() {
        let file = examiner.run.file(RESULTS);
        let cases = SEAL.open_document(examiner.run.read_json(RESULTS)?).map_err(anyhow::Error::from);
        let cases = cases.and_then(|results| ClaimFindings::read_cases(&results));
        let remedy = || format!("cannot resume from {}; remove it to start again", file.display());
        examiner.findings.cases = cases.with_context(remedy)?;
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
    findings: ClaimFindings,
}

impl Examiner<'_> {
    /// Evaluates every case. Returns `None` if it is stopped.
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
        Ok(self.run.write_json(RESULTS, &SEAL.seal(&self.findings.json()))?)
    }
}

impl ClaimFindings {
    /// Reads the cases from the JSON form of the findings.
    fn read_cases(json: &serde_json::Value) -> anyhow::Result<Vec<Case>> {
        let cases = json["cases"].as_array().ok_or_else(|| anyhow!("{RESULTS} has no cases"))?;
        let answer = |json: &serde_json::Value| PairTotals::from_json(json.clone());
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
    use super::super::question::Owner;
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::Way;
    use houseway_exact::pai_gow::DEALS;
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
        // If equal halves are fouls, the house way can't split four sevens to tens or four aces.
        assert_eq!(misfits.map(|change| change.reading.as_str()).collect::<Vec<_>>(), ["equal-setting"]);
    }

    #[test]
    fn an_interrupted_run_resumes_with_its_cases() {
        let claim = claim();
        let mut findings = ClaimFindings::new(claim.stated, claim.rules, &claim.way);
        for (i, changes) in claim.changes().into_iter().filter(|it| it.of == Owner::HouseWay).enumerate() {
            let changes = vec![changes];
            let (game, way) = claim.compile(&changes).unwrap();
            let counts =
                DealCounts { wins: 1 + i as u64, losses: 1, pushes: DEALS - 2 - i as u64, ..DealCounts::default() };
            let answer = |player: SideStrategy| {
                PairTotals::new(Question::new(&[player, (&way).into()], &game, BankedBy::House), None, counts)
            };
            let house_way = answer((&way).into());
            let optimal = answer(SideStrategy::Optimal);
            findings.cases.push(Case { changes, house_way, optimal });
        }
        let json: serde_json::Value = serde_json::from_str(&findings.json().to_string()).unwrap();
        assert_eq!(ClaimFindings::read_cases(&json).unwrap(), findings.cases);
    }
}
