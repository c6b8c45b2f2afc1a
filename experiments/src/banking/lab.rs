//! The experiment made ready: ways, exact counts, trained bankers.

use super::BankingExperiment;
use super::agreement::Examination;
use crate::metrics::training_sinks;
use crate::run::{RunFolder, make_folder};
use crate::table::{CACHE, SeatedWays, TableWay, with_book};
use anyhow::Context;
use houseway_env::pai_gow::table::{Chips, HOUSE_SEAT, MOST_SEATS};
use houseway_env::pai_gow::{Game, ProfileStrategy};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::{Bank, BankedBet, bank_ev, player_ev};
use houseway_exact::pai_gow::whole::DealCounts;
use houseway_learned::banking::{BankingTable, LearnedBanker, Objective, Situation, train_banker};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An experiment with all that it needs.
pub struct BankingLab {
    /// The configuration.
    pub experiment: BankingExperiment,
    /// The run's folder.
    pub run: RunFolder,
    /// The table that is learned at.
    pub table: Arc<BankingTable>,
    /// The ways of the population, in the order of the table's.
    pub ways: Vec<TableWay>,
    /// What is exact.
    pub exact: Exact,
}

/// The exact values of the two answers.
#[derive(Clone)]
pub struct Exact {
    table: Arc<BankingTable>,
    /// The bank of the learner against each of the others' ways.
    pub against: Vec<DealCounts>,
    /// The house's bank against the learner's way.
    pub own: DealCounts,
}

impl Exact {
    /// The EV of covering all bets, and that of the own bet against the house, in chips.
    pub fn values(&self, situation: &Situation) -> (Ratio, Ratio) {
        let others = situation.others.iter().flatten();
        let bets: Vec<_> = others.map(|other| BankedBet { bet: other.bet, counts: self.against[other.way] }).collect();
        let bank = bank_ev(&self.table.rules, &bets).exact().expect("the commission is linear in the bets");
        let own = BankedBet { bet: situation.own, counts: self.own };
        (bank, player_ev(self.table.game.rules().commission, &own))
    }

    /// Whether the bank is worth more than the own bet.
    pub fn takes(&self, situation: &Situation) -> bool {
        let (take, pass) = self.values(situation);
        take > pass
    }
}

impl BankingLab {
    /// Makes ready: loads the ways and counts all deals between them, or takes the counts from the folder of counts. `None` if
    /// it was asked to stop.
    ///
    /// # Errors
    /// If a way cannot be found, or the counts cannot be kept.
    pub fn open(
        experiment: BankingExperiment,
        run: RunFolder,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<BankingLab>> {
        let game = Arc::new(Game::new(experiment.game));
        let mut names: Vec<&str> = experiment.others.iter().map(String::as_str).collect();
        let place = |name, names: &mut Vec<_>| {
            names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let [own, banker, house] = [&experiment.way, &experiment.banker_way, &experiment.house_way]
            .map(|name| place(name.as_str(), &mut names));
        let load = |name: &&str| TableWay::load(name, &game).with_context(|| format!("the way '{name}'"));
        let ways: Vec<TableWay> = names.iter().map(load).collect::<anyhow::Result<_>>()?;
        let seated = SeatedWays::of(&ways);
        let all: Vec<_> = ways.iter().map(|way| seated.get(way.name())).collect();
        eprintln!("exact counts of all deals between the bank and each way");
        let counts = with_book(Path::new(CACHE), &game, stop, |book, run| {
            let others = all[..experiment.others.len()].iter();
            let against: Option<Vec<_>> =
                others.map(|way| book.counts(Bank::Way(all[banker]), way, run).ok()).collect();
            Some((against?, book.counts(Bank::Way(all[house]), all[own], run).ok()?))
        })?;
        let Some((against, of_own)) = counts else { return Ok(None) };
        let ids: Vec<&str> = all.iter().map(|way| way.id.as_str()).collect();
        let hash =
            format!("{} {} {} {own} {banker} {house}", experiment.rules.hash(), game.rules().hash(), ids.join(" "));
        let table = Arc::new(BankingTable {
            rules: experiment.rules,
            game,
            ways: ways.iter().map(|way| Arc::new(way.clone()) as Arc<dyn ProfileStrategy + Send>).collect(),
            others: experiment.others.len(),
            own,
            banker,
            house,
            hash,
        });
        let exact = Exact { table: Arc::clone(&table), against, own: of_own };
        Ok(Some(BankingLab { experiment, run, table, ways, exact }))
    }

    /// Trains a banker with each seed, or goes on where it was cut off. `None` if it was asked to stop.
    ///
    /// # Errors
    /// If a checkpoint or the metrics cannot be read or written.
    pub fn train(&self, examination: &Examination, stop: &AtomicBool) -> anyhow::Result<Option<Vec<LearnedBanker>>> {
        let mut bankers = vec![];
        for &seed in &self.experiment.seeds {
            let folder = self.run.training(&format!("banker-seed-{seed}"));
            make_folder(&folder)?;
            let label = format!("banker, seed {seed}");
            let mut sinks = training_sinks(&folder, &label)?;
            let mut measure = |banker: &LearnedBanker| {
                let score = examination.score("", &examination.answers(banker));
                vec![("regret", score.regret), ("agreement", score.agreement)]
            };
            let checkpoint = folder.join("checkpoint");
            let config = &self.experiment.train;
            let trained = train_banker(config, seed, &self.table, &mut measure, &mut sinks, Some(&checkpoint), stop);
            let trained = trained.with_context(|| format!("training {label}"))?;
            if !trained.finished {
                return Ok(None);
            }
            bankers.push(LearnedBanker::new(Arc::clone(&self.table), &trained.network));
        }
        Ok(Some(bankers))
    }
}

/// A situation from what a seat sees, when it is known which way each of the other seats has.
pub(super) fn situation(
    view: &houseway_env::pai_gow::table::SeatView<'_>,
    ways: &[Option<usize>; MOST_SEATS],
    own: Chips,
) -> Situation {
    use houseway_learned::banking::{MOST_OTHERS, OtherBet};
    let mut others = [None; MOST_OTHERS];
    let seats = view.rules().seats;
    let clockwise = seats.clockwise(view.seat() + 1).filter(|&seat| seat != HOUSE_SEAT && seat != view.seat());
    for (other, seat) in others.iter_mut().zip(clockwise) {
        *other = ways[seat].filter(|_| view.bet(seat) > 0).map(|way| OtherBet { way, bet: view.bet(seat) });
    }
    Situation { own, funds: view.bank_funds(), others }
}

/// What the agents of a report are called.
pub(super) fn learned_name(objective: Objective) -> &'static str {
    match objective {
        Objective::Profit => "learned, profit",
        Objective::Growth => "learned, growth",
    }
}
