//! `houseway claim`: the original game's stated return to player, compared with exact returns under every reading.

mod returns;

use super::runner::{keys_of, other_readings, run, spec, with_progress};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::run::{Destination, RESULTS, RunKind, json_text};
use clap::Args;
use houseway_env::money::{Collection, CommissionBet, Rate};
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::matchup::{BankedBy, PairTotals, SideStrategy, pair_totals};
use houseway_exact::solver::{SolverError, WayAnswer};
use houseway_exact::store::PassStore;
use returns::PLAYERS;
use serde::{Serialize, Serializer};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SEAL: Seal = Seal::new("houseway-claim", 1).of_one_version();

/// The return to player that the source of the rules states.
const STATED_RETURN: &str = "0.9835";

/// Test the original game's stated return to player, exactly and under every reading
///
/// Evaluates all deals once per reading, for the house way and for optimal play against it. Writes the conditions under
/// which the stated return holds as JSON and as a report.
#[derive(Args)]
pub struct ClaimArgs {
    /// The return to player to test
    #[arg(long, value_name = "SHARE", default_value = STATED_RETURN)]
    stated: Rate,
    /// The house way of both sides, by name or file
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// The folder to write the results to
    #[arg(long, value_name = "DIR", default_value = "runs/claim")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl ClaimArgs {
    pub fn run(self) -> CommandResult {
        let (game, stop) = self.common.start(
            "stopping: finished readings are kept; run the same command to resume (press again to stop immediately)",
        )?;
        let rules = game.rules();
        if rules.collection != Collection::NONE || rules.commission_bet != CommissionBet::NONE {
            let message = "the commission that a claim needs is computed without fees and rounding; leave out the rules \
                           'collection' and 'commission-bet'";
            return Err(Failure::usage(message));
        }
        let [way] = self.common.game.ways([&self.way])?;
        let mut claim = Claim::new(self.stated, way, &game).map_err(Failure::usage)?;
        let inputs = self.common.game.files([&*self.way]);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        let store = self.store.open()?;
        run(&spec(RunKind::Claim, &claim, rules.hash())?, &to, &self.common.output, |_| {
            claim.examine(&store, &stop).map_err(Failure::from)?;
            let files = vec![(RESULTS.to_owned(), json_text(&SEAL.seal(&claim.json()))?)];
            Ok(WayAnswer { files, ..claim.answer().into() })
        })
    }
}

/// A claim about the game, and its test. The first case is the game as given.
#[derive(Serialize)]
struct Claim {
    #[serde(rename = "stated_return")]
    stated: Rate,
    /// The house way of both sides.
    #[serde(flatten, serialize_with = "way_keys")]
    way: Arc<HouseWay>,
    rules: Rules,
    #[serde(skip)]
    cases: Vec<Case>,
    #[serde(skip)]
    unplayable: Vec<Unplayable>,
}

fn way_keys<S: Serializer>(way: &Arc<HouseWay>, serializer: S) -> Result<S::Ok, S::Error> {
    keys_of("way", (&**way).into(), serializer)
}

/// A reading with an option other than the given one.
#[derive(Clone, PartialEq, Serialize)]
struct Change {
    of: Owner,
    reading: String,
    option: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Owner {
    Game,
    HouseWay,
}

/// The game under one choice of readings, with results for two player strategies against the same banker.
struct Case {
    /// The readings that differ from the game as given.
    changes: Vec<Change>,
    /// The totals of the house way against itself, and those of the best response to it.
    totals: [PairTotals; 2],
}

#[derive(Serialize)]
struct Unplayable {
    changes: Vec<Change>,
    reason: String,
}

impl Claim {
    fn new(stated: Rate, way: Way, game: &Game) -> Result<Claim, WayError> {
        let way = HouseWay::shared(way, game)?;
        Ok(Claim { stated, way, rules: game.rules(), cases: vec![], unplayable: vec![] })
    }

    fn compile(&self, changes: &[Change]) -> Result<(Game, Arc<HouseWay>), WayError> {
        let (mut rules, mut way) = (self.rules, self.way.way().clone());
        for Change { of, reading, option } in changes {
            match of {
                Owner::Game => {
                    rules = rules.with(&format!("{reading}={option}")).map_err(|e| WayError::Invalid(e.to_string()))?;
                }
                Owner::HouseWay => way.choose(reading, option)?,
            }
        }
        let game = Game::new(rules);
        let way = HouseWay::shared(way, &game)?;
        Ok((game, way))
    }

    /// Returns every unselected option of every reading, starting with the game's readings.
    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (reading, option, _) in other_readings(&self.rules) {
            changes.push(Change { of: Owner::Game, reading: reading.to_owned(), option: option.to_owned() });
        }
        for reading in self.way.way().readings() {
            let others = reading.options.iter().enumerate().filter(|(i, _)| *i != reading.chosen);
            changes.extend(others.map(|(_, option)| Change {
                of: Owner::HouseWay,
                reading: reading.name.clone(),
                option: option.clone(),
            }));
        }
        changes
    }

    /// Evaluates all cases. Readings that leave the house way without a rule for some hands are reported, but not
    /// evaluated.
    fn examine(&mut self, store: &PassStore, stop: &AtomicBool) -> Result<(), SolverError> {
        let singles = self.changes().into_iter().map(|change| vec![change]);
        let cases: Vec<Vec<Change>> = [vec![]].into_iter().chain(singles).collect();
        let all = cases.len();
        for (i, changes) in cases.into_iter().enumerate() {
            self.count(changes, &format!("{} of {all}", i + 1), store, stop)?;
        }
        for player in 0..PLAYERS.len() {
            let together = self.helpful(player);
            if together.len() > 1 {
                self.count(together, "together", store, stop)?;
            }
        }
        Ok(())
    }

    /// Evaluates the house way against itself, and the best response to it, with these readings changed.
    fn count(
        &mut self,
        changes: Vec<Change>,
        label: &str,
        store: &PassStore,
        stop: &AtomicBool,
    ) -> Result<(), SolverError> {
        if self.case(&changes).is_some() {
            return Ok(());
        }
        let (game, way) = match self.compile(&changes) {
            Ok(compiled) => compiled,
            Err(reason) => {
                self.unplayable.push(Unplayable { changes, reason: reason.to_string() });
                return Ok(());
            }
        };
        let pairs = [SideStrategy::from(&way), SideStrategy::Optimal].map(|player| [player, (&way).into()]);
        let totals = with_progress(label, stop, |run| pair_totals(store, &game, &pairs, BankedBy::House, run))?;
        self.cases.push(Case { changes, totals: totals.try_into().expect("there are two pairs") });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim() -> Claim {
        let game = Game::new(Rules::default());
        Claim::new("0.9835".parse().unwrap(), Way::named("trump-plaza").unwrap(), &game).unwrap()
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
}
