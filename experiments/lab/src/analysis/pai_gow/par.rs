//! `houseway par`: what a bet returns, how much it varies, and how far results may be from it, as a document to file.

use super::options::{other_readings, prepare};
use super::progress::with_progress;
use super::runner::{WayConfig, run, save_rows, spec};
use super::units::{change, share_of_stake};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, StoreOptions};
use crate::report::TextTable;
use crate::run::{Destination, RESULTS, RunKind};
use clap::Args;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff};
use houseway_exact::pai_gow::{NamedStrategy, Tabulated};
use houseway_exact::store::PassStore;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The numbers of rounds for which the bands of the return are computed.
const ROUNDS: [usize; 3] = [100, 1_000, 10_000];
/// The probability of a return within a band.
const CONFIDENCE: f64 = 0.95;
/// Numbers of wins or losses that are more standard deviations than this from their mean are left out of the bands. Their
/// probability is below 1e-15.
const REACH: f64 = 9.0;

/// Describe the return of a bet of one unit: its distribution, its parts, and the bands of actual returns
///
/// Everything is exact, over all deals. The bands contain the average result of a number of rounds with a probability of
/// 95%.
#[derive(Args)]
pub struct ParArgs {
    /// The player's strategy: the name or file of a house way, a strategy table, or a trained agent
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    player: String,
    /// The banker's strategy, in the same form
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// Also compute the EV under every other option of the rules' readings, which takes seconds for each
    #[arg(long)]
    readings: bool,
    /// The folder to write the report to
    #[arg(long, value_name = "DIR", default_value = "runs/par")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    common: CommonOptions,
}

/// The question as stored in `config.toml`.
#[derive(Serialize)]
struct ParConfig {
    readings: bool,
    player: WayConfig,
    banker: WayConfig,
    rules: Rules,
}

impl ParArgs {
    pub(super) fn run(self) -> CommandResult {
        let (game, stop) = self.common.start("stopping (press again to stop immediately)")?;
        let [player, banker] = prepared(&self.strategies(&game)?, &game, &stop)?;
        let (rules, readings) = (game.rules(), self.readings);
        let config = ParConfig { readings, player: (&player).into(), banker: (&banker).into(), rules };
        let inputs = self.common.game.files([&*self.player, &*self.banker]);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        let store = self.store.open()?;
        run(&spec(RunKind::Par, &config, &rules)?, &to, &self.common.output, |run| {
            let sides = [player, banker];
            let pairs =
                [SideStrategy::from(&sides[0]), SideStrategy::Optimal].map(|player| [player, (&sides[1]).into()]);
            let counts = count(&game, &pairs, &store, &stop)?;
            let mut par = Par { rules, sides, played: counts[0], optimal: counts[1], readings: vec![] };
            let changes = if readings { other_readings(&rules) } else { vec![] };
            for (reading, option) in changes {
                let game = Game::new(rules.with(&format!("{reading}={option}")).map_err(anyhow::Error::msg)?);
                let ev = match self.strategies(&game) {
                    Ok(strategies) => {
                        let [player, banker] = prepared(&strategies, &game, &stop)?;
                        let counts = count(&game, &[[(&player).into(), (&banker).into()]], &store, &stop)?;
                        Ok(counts[0].ev(Payoff::player(game.rules().commission)))
                    }
                    // A house way may foul under other rules.
                    Err(reason) => Err(reason.to_string()),
                };
                par.readings.push(Reading { reading, option, ev });
            }
            let answer = par.answer();
            run.write_json(RESULTS, &answer.json)?;
            save_rows(run, "outcomes.csv", &par.rows())?;
            Ok(answer)
        })
    }

    /// Loads the player's and the banker's strategy.
    fn strategies(&self, game: &Game) -> CommandResult<Vec<NamedStrategy>> {
        let strategies = self.common.game.strategies(&[&self.player, &self.banker], game)?;
        strategies.iter().try_for_each(NamedStrategy::check_pure).map_err(Failure::usage)?;
        Ok(strategies)
    }
}

fn prepared(strategies: &[NamedStrategy], game: &Game, stop: &AtomicBool) -> CommandResult<[Tabulated; 2]> {
    let prepared = prepare(strategies, game, stop)?;
    Ok(prepared.try_into().unwrap_or_else(|_| unreachable!("there is one for each name")))
}

/// Returns the player's outcomes for each pair of strategies.
fn count(
    game: &Game,
    pairs: &[[SideStrategy; 2]],
    store: &PassStore,
    stop: &AtomicBool,
) -> CommandResult<Vec<OutcomeWeights>> {
    let payoff = Payoff::player(game.rules().commission);
    Ok(with_progress("all deals", stop, |run| outcomes(store, game, pairs, [payoff; 2], run))?)
}

/// The EV with another option of a reading, or the reason why a strategy can't be played with it.
struct Reading {
    reading: String,
    option: String,
    ev: Result<Ratio, String>,
}

/// A bet, and its outcomes over all deals.
struct Par {
    rules: Rules,
    /// The player's and the banker's strategy.
    sides: [Tabulated; 2],
    played: OutcomeWeights,
    /// The outcomes of the best response to the banker.
    optimal: OutcomeWeights,
    readings: Vec<Reading>,
}

impl Par {
    /// Returns each net result per unit, in millionths, with its name and the number of deals.
    fn results(&self) -> [(&'static str, i64, u128); 3] {
        let payoff = Payoff::player(self.rules.commission);
        let OutcomeWeights { wins, pushes, losses, .. } = self.played;
        [
            ("win", i64::from(payoff.win_millionths()), wins),
            ("push", 0, pushes),
            ("loss", -i64::from(payoff.loss_millionths()), losses),
        ]
    }

    fn probability(&self, deals: u128) -> Ratio {
        Ratio::new(deals as i128, self.played.all() as i128)
    }

    /// Returns the mean, the standard deviation and the skewness of the net result per unit.
    fn moments(&self) -> [f64; 3] {
        let payoff = Payoff::player(self.rules.commission);
        let mean = self.played.ev(payoff).value();
        let deviation = self.played.variance(payoff).sqrt();
        let third = |(_, net, deals): (&str, i64, u128)| {
            self.probability(deals).value() * (net as f64 / f64::from(Rate::WHOLE) - mean).powi(3)
        };
        let third: f64 = self.results().map(third).iter().sum();
        [mean, deviation, third / deviation.powi(3)]
    }

    fn bands(&self) -> Vec<(usize, [f64; 2])> {
        let results = self.results().map(|(_, net, deals)| (net, self.probability(deals).value()));
        ROUNDS.map(|rounds| (rounds, band(results, rounds))).into()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let header = ["outcome", "net_millionths", "deals"].map(str::to_owned).into();
        let results = self.results();
        let rows =
            results.iter().map(|(name, net, deals)| vec![(*name).to_owned(), net.to_string(), deals.to_string()]);
        std::iter::once(header).chain(rows).collect()
    }

    fn json(&self) -> Value {
        let payoff = Payoff::player(self.rules.commission);
        let [player, banker] = &self.sides;
        let [mean, deviation, skew] = self.moments();
        let outcome = |(name, net, deals): (&str, i64, u128)| {
            json!({
                "outcome": name,
                "net": net as f64 / f64::from(Rate::WHOLE),
                "deals": deals.to_string(),
                "probability": self.probability(deals).to_json(),
            })
        };
        let OutcomeWeights { wins, copies_front, copies_back, .. } = self.played;
        let commission = self.probability(wins).value() * self.rules.commission.value();
        let reading = |it: &Reading| {
            let ev = it.ev.as_ref().ok().map(|ev| ev.value());
            json!({ "name": it.reading, "option": it.option, "ev": ev, "reason": it.ev.as_ref().err() })
        };
        let band = |(rounds, [low, high]): (usize, [f64; 2])| json!({ "rounds": rounds, "low": low, "high": high });
        json!({
            "game": "pai-gow-poker",
            "player": WayConfig::from(player),
            "banker": WayConfig::from(banker),
            "rules": self.rules,
            "rules_hash": self.rules.hash(),
            "outcomes": self.results().map(outcome),
            "ev": mean,
            "ev_exact": self.played.ev(payoff).to_json(),
            "standard_deviation": deviation,
            "skew": skew,
            "hit_frequency": self.probability(wins).value(),
            "parts": {
                "before_commission": mean + commission,
                "commission": -commission,
                "copies_front": self.probability(copies_front).value(),
                "copies_back": self.probability(copies_back).value(),
            },
            "bands": self.bands().into_iter().map(band).collect::<Vec<_>>(),
            "optimal_ev": self.optimal.ev(payoff).value(),
            "readings": self.readings.iter().map(reading).collect::<Vec<_>>(),
        })
    }

    fn answer(&self) -> Answer {
        let payoff = Payoff::player(self.rules.commission);
        let [player, banker] = &self.sides;
        let [_, deviation, skew] = self.moments();
        let (ev, optimal) = (self.played.ev(payoff), self.optimal.ev(payoff));
        let OutcomeWeights { wins, copies_front, copies_back, .. } = self.played;
        let part = |deals| percent(self.probability(deals).value(), 4);
        let mut outcomes = TextTable::new(["outcome", "net result", "deals", "probability"]).right_from(1);
        for (name, net, deals) in self.results() {
            let net = change(Ratio::new(net.into(), Rate::WHOLE.into()), 2);
            outcomes = outcomes.row([name.to_owned(), net, grouped_wide(deals), part(deals)]);
        }
        let commission = Ratio::new(-i128::from(self.rules.commission.millionths()), i128::from(Rate::WHOLE));
        let commission = commission.value() * self.probability(wins).value();
        let first = Section::default()
            .text(format!(
                "A bet of one unit has an EV of {}, a standard deviation of {deviation:.4} and a skewness of {skew:.4}. Best \
                 play against this banker has an EV of {}.",
                share_of_stake(ev, 4),
                share_of_stake(optimal, 4),
            ))
            .table(outcomes)
            .text(format!(
                "{} as the player, against {} as the banker; rules {}, {} commission, which costs {} of the stake. The fronts \
                 are copies in {} of deals, and the backs in {}.",
                player.name(),
                banker.name(),
                self.rules.hash(),
                format_args!("{}%", f64::from(self.rules.commission.millionths()) / 10_000.0),
                percent(-commission, 4),
                part(copies_front),
                part(copies_back),
            ));
        let mut bands = TextTable::new(["rounds", "lowest", "highest"]).right_from(0);
        for (rounds, [low, high]) in self.bands() {
            bands = bands.row([grouped(rounds as u64), percent(low, 3), percent(high, 3)]);
        }
        let bands = Section::new("Average result of a number of rounds")
            .text(format!(
                "With a probability of {} or more, the average is within these limits.",
                percent(CONFIDENCE, 0)
            ))
            .table(bands);
        let mut sections = vec![first, bands];
        if !self.readings.is_empty() {
            let mut table = TextTable::new(["reading", "option", "EV", "change"]).right_from(2);
            for Reading { reading, option, ev: other } in &self.readings {
                let cells = match other {
                    Ok(other) => [share_of_stake(*other, 4), change(*other - ev, 4)],
                    Err(reason) => ["not playable".to_owned(), reason.clone()],
                };
                table = table.row([vec![reading.clone(), option.clone()], cells.into()].concat());
            }
            let text = "Each row uses another option for one reading of the rules.";
            sections.push(Section::new("Readings").text(text).table(table));
        }
        Answer::new(self.json(), sections).titled("Return of a bet on Pai Gow Poker")
    }
}

/// Formats a number of deals, which fits 64 bits unless a side mixes its settings.
fn grouped_wide(deals: u128) -> String {
    u64::try_from(deals).map_or_else(|_| deals.to_string(), grouped)
}

/// Returns the lowest and the highest average result that remain if each tail may have half of the probability outside of
/// the confidence. `results` are the win, the push and the loss, each with its net result in millionths and its
/// probability. The distribution is that of independent rounds, computed without an approximation by the normal one.
fn band(results: [(i64, f64); 3], rounds: usize) -> [f64; 2] {
    let [(win, win_p), (_, push_p), (loss, loss_p)] = results;
    let mut factorials = vec![0.0f64; rounds + 1];
    for n in 1..=rounds {
        factorials[n] = factorials[n - 1] + (n as f64).ln();
    }
    let window = |p: f64| {
        let (mean, reach) = (rounds as f64 * p, REACH * (rounds as f64 * p * (1.0 - p)).sqrt() + 1.0);
        (mean - reach).max(0.0) as usize..=((mean + reach) as usize).min(rounds)
    };
    // The multinomial probability of every likely number of wins and losses, with the net result.
    let log = |p: f64, n: usize| if n == 0 { 0.0 } else { n as f64 * p.ln() };
    let mut nets = vec![];
    for wins in window(win_p) {
        for losses in window(loss_p).take_while(|losses| wins + losses <= rounds) {
            let pushes = rounds - wins - losses;
            let ways = factorials[rounds] - factorials[wins] - factorials[losses] - factorials[pushes];
            let p = (ways + log(win_p, wins) + log(loss_p, losses) + log(push_p, pushes)).exp();
            nets.push((wins as i64 * win + losses as i64 * loss, p));
        }
    }
    nets.sort_unstable_by_key(|(net, _)| *net);
    let average = |net: i64| net as f64 / f64::from(Rate::WHOLE) / rounds as f64;
    [average(quantile(nets.iter())), average(quantile(nets.iter().rev()))]
}

/// Returns the first result after which more than the allowed tail has been passed.
fn quantile<'a>(nets: impl Iterator<Item = &'a (i64, f64)>) -> i64 {
    let mut passed = 0.0;
    for (net, p) in nets {
        passed += p;
        if passed > (1.0 - CONFIDENCE) / 2.0 {
            return *net;
        }
    }
    unreachable!("the probabilities add up to 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bands of a few rounds, from all sequences of outcomes.
    fn slow_band(results: [(i64, f64); 3], rounds: usize) -> [f64; 2] {
        let mut sums = vec![(0, 1.0)];
        for _ in 0..rounds {
            let next = sums.iter().flat_map(|(sum, p)| results.map(|(net, q)| (sum + net, p * q)));
            sums = next.collect();
        }
        sums.sort_by_key(|(sum, _)| *sum);
        let at = |index: &dyn Fn(f64) -> bool| {
            let mut below = 0.0;
            let found = sums.iter().find(|(_, p)| {
                below += p;
                index(below)
            });
            found.unwrap().0 as f64 / 1e6 / rounds as f64
        };
        [at(&|below| below > 0.025), at(&|below| below >= 0.975 - 1e-12)]
    }

    #[test]
    fn bands_are_those_of_all_sequences() {
        for results in
            [[(950_000, 0.2861), (0, 0.4148), (-1_000_000, 0.2991)], [(1_000_000, 0.5), (0, 0.2), (-1_000_000, 0.3)]]
        {
            for rounds in [1, 2, 5, 9] {
                let (fast, slow) = (band(results, rounds), slow_band(results, rounds));
                assert!(fast.iter().zip(slow).all(|(a, b)| (a - b).abs() < 1e-12), "{rounds}: {fast:?} {slow:?}");
            }
        }
    }

    #[test]
    fn bands_of_many_rounds_come_near_the_normal_distribution() {
        let results = [(950_000, 0.2861), (0, 0.4148), (-1_000_000, 0.2991)];
        let mean = 0.95 * 0.2861 - 0.2991;
        let deviation = (0.95f64.powi(2) * 0.2861 + 0.2991 - mean * mean).sqrt();
        for rounds in [1_000, 10_000] {
            let half = 1.959_964 * deviation / (rounds as f64).sqrt();
            let [low, high] = band(results, rounds);
            assert!((low - (mean - half)).abs() < 0.02 * half && (high - (mean + half)).abs() < 0.02 * half);
        }
    }
}
