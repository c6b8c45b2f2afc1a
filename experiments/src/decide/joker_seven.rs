//! Joker Seven: which wagers an agent ends on, scored by the exact expectation of each; and what edge every wager has.

use super::{Judge, Score, Table};
use crate::plot::{Axis, BarChart, Figure, LineChart, Series, Value as Bar};
use crate::report::{Report, Table as Rows};
use anyhow::Context;
use houseway_env::gym::{Env, Policy, erase_counterfactual};
use houseway_env::joker_seven::{Game, JokerSeven, JokerSevenOptions, Observation, Paytable, Rules, Wager, WagerKind};
use houseway_env::rules::{RuleReading, RuleSet};
use houseway_exact::format::{grouped, percent};
use houseway_exact::joker_seven::{Frontier, HANDS, Outcomes};
use houseway_learned::tasks::EnvTask;
use serde::{Deserialize, Serialize};

/// Figure of the expectations.
const BY_WAGER: &str = "ev-by-wager";
/// Figure of expectation against deviation.
const FRONTIER: &str = "frontier";
/// Shares below this are left out of the table of the frontier.
const SHOWN: f64 = 5e-3;
/// The table of the frontier shows one of so many points.
const STRIDE: usize = 4;

/// The rules, the paytable and the chips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct JokerSevenTable {
    /// Chips of a player; he must stake the minimum of a wager and may stop after it.
    pub chips: u32,
    /// The paytable, by name.
    pub paytable: String,
    /// The rules of the game.
    pub rules: Rules,
}

impl Default for JokerSevenTable {
    fn default() -> JokerSevenTable {
        JokerSevenTable { chips: 3, paytable: "source".to_owned(), rules: Rules::default() }
    }
}

impl JokerSevenTable {
    fn env(&self) -> anyhow::Result<JokerSeven> {
        let paytable = Paytable::named(&self.paytable).context("table.paytable")?;
        let game = Game::try_new(self.rules, paytable).context("table.rules")?;
        let env = JokerSeven::new(game);
        env.check_options(&self.options()).map_err(anyhow::Error::msg).context("table.chips")?;
        Ok(env.with_encoding(Observation::Counts))
    }

    fn options(&self) -> JokerSevenOptions {
        JokerSevenOptions { chips: Some(self.chips), ..JokerSevenOptions::default() }
    }
}

impl Table for JokerSevenTable {
    const GAME: &'static str = "joker-seven";
    const CONFIG: &'static str = include_str!("../../configs/joker-seven.toml");
    const UNIT: &'static str = "chip";
    type Judge = JokerSevenJudge;

    fn task(&self) -> anyhow::Result<EnvTask> {
        let options = serde_json::to_string(&self.options())?;
        Ok(EnvTask::new(erase_counterfactual(self.env()?), Some(options), Observation::Counts.name())?)
    }

    fn judge(&self) -> anyhow::Result<JokerSevenJudge> {
        let env = self.env()?;
        let outcomes = Outcomes::by_profiles(env.game());
        Ok(JokerSevenJudge { env, options: self.options(), chips: self.chips, outcomes })
    }
}

/// Scores policies by the exact expectation of the wagers that they end on.
pub struct JokerSevenJudge {
    env: JokerSeven,
    options: JokerSevenOptions,
    chips: u32,
    outcomes: Outcomes,
}

/// A wager that another option of a reading changes.
pub(crate) struct Changed {
    pub(crate) reading: &'static str,
    pub(crate) option: &'static str,
    pub(crate) wager: String,
    pub(crate) winners: u64,
    pub(crate) ev: f64,
}

/// What each other option of each reading changes, the other readings as they are.
pub(crate) fn readings(game: &Game, outcomes: &Outcomes) -> Vec<Changed> {
    let mut changed = Vec::new();
    for RuleReading { name: reading, options, .. } in Rules::READINGS {
        for option in *options {
            let rules = game.rules().with(&format!("{reading}={option}"));
            let rules = rules.expect("the list of readings is that of the fields");
            let other = Game::new(rules, game.paytable().clone());
            let others = Outcomes::by_profiles(&other);
            let differs =
                |wager: &Wager| !outcomes.is_offered(*wager) || others.winners(*wager) != outcomes.winners(*wager);
            changed.extend(other.wagers().filter(differs).map(|wager| Changed {
                reading,
                option,
                wager: wager.name(&rules),
                winners: others.winners(wager),
                ev: others.ev(wager).value(),
            }));
        }
    }
    changed
}

impl JokerSevenJudge {
    fn ev(&self, wager: Wager) -> f64 {
        self.outcomes.ev(wager).value()
    }

    /// The wagers of the highest expectation: the first of them, and what it is worth.
    fn best(&self) -> Option<(Wager, f64)> {
        let evs = self.outcomes.wagers().map(|wager| (wager, self.ev(wager)));
        evs.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// The best stakes: the forced minimum on the best wager, and chips beyond it where they gain.
    fn optimal(&self) -> [u8; Wager::COUNT] {
        let Rules { minimum, maximum, .. } = *self.env.game().rules();
        let mut wagers: Vec<(Wager, f64)> = self.outcomes.wagers().map(|wager| (wager, self.ev(wager))).collect();
        wagers.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (mut stakes, mut left) = ([0; Wager::COUNT], self.chips);
        for (place, (wager, ev)) in wagers.into_iter().enumerate() {
            let chips = if ev > 0.0 { left.min(maximum) } else { minimum };
            if (ev > 0.0 || place == 0) && chips >= minimum && chips <= left {
                stakes[wager.index()] = chips as u8;
                left -= chips;
            }
        }
        stakes
    }

    fn of(&self, name: &str, stakes: &[u8; Wager::COUNT]) -> Score {
        let ev_of = |stakes: &[u8; Wager::COUNT]| -> f64 {
            let staked = Wager::all().zip(stakes).filter(|(_, stake)| **stake > 0);
            staked.map(|(wager, &stake)| f64::from(stake) * self.ev(wager)).sum()
        };
        let ev = ev_of(stakes);
        let regret = (ev_of(&self.optimal()) - ev).max(0.0);
        let staked = Wager::all().zip(stakes).filter(|(_, stake)| **stake > 0);
        let names = staked.map(|(wager, stake)| format!("{stake} on {}", wager.name(self.env.game().rules())));
        Score {
            name: name.to_owned(),
            ev,
            regret,
            regret_ci: None,
            agreement: if regret < 1e-12 { 1.0 } else { 0.0 },
            plays: names.collect::<Vec<_>>().join(", "),
        }
    }

    /// Where the chips of a policy end. No card is seen before they do, so every round goes alike.
    fn stakes(&self, policy: &dyn Policy) -> anyhow::Result<[u8; Wager::COUNT]> {
        let mut env = self.env.clone();
        env.reset(Some(0), Some(&self.options))?;
        let mut observation = vec![0.0; env.observation_space().len()];
        let mut mask = vec![false; env.action_space().n()];
        loop {
            env.observe(&mut observation)?;
            env.action_mask(&mut mask)?;
            if env.step(policy.choose(&observation, &mask)[0])?.terminated {
                return Ok(*env.state()?.stakes());
            }
        }
    }
}

impl Judge for JokerSevenJudge {
    fn score(&self, name: &str, policy: &dyn Policy) -> Score {
        let stakes = self.stakes(policy).expect("a masked policy plays legal actions");
        self.of(name, &stakes)
    }

    fn baselines(&self) -> Vec<Score> {
        let minimum = self.env.game().rules().minimum as u8;
        let on = |wager: Wager| {
            let mut stakes = [0; Wager::COUNT];
            stakes[wager.index()] = minimum;
            stakes
        };
        let wagers: Vec<Wager> = self.outcomes.wagers().collect();
        let scores: Vec<Score> = wagers.iter().map(|&wager| self.of("", &on(wager))).collect();
        let mean = |of: fn(&Score) -> f64| scores.iter().map(of).sum::<f64>() / scores.len() as f64;
        let random = Score {
            name: "random wager".to_owned(),
            ev: mean(|score| score.ev),
            regret: mean(|score| score.regret),
            regret_ci: None,
            agreement: mean(|score| score.agreement),
            plays: format!("{minimum} on any of {} wagers", wagers.len()),
        };
        let mut all = vec![random];
        all.extend(wagers.first().map(|&wager| self.of("four or more of a colour", &on(wager))));
        all.push(self.of("optimum", &self.optimal()));
        all
    }

    fn preface(&self) -> String {
        format!(
            "Joker Seven, paytable {}: {} chips, of which one wager at its minimum must be staked and the others may be kept. \
             Nothing is seen before the stakes lie, so a policy is the wagers that it ends on; each is scored by its exact \
             expectation over all {} hands.",
            self.env.game().paytable().name(),
            self.chips,
            grouped(HANDS)
        )
    }

    fn chapters(&self, report: Report) -> (Report, Vec<(&'static str, Figure)>) {
        let all: Vec<(String, Outcomes)> = all_paytables(self.env.game().rules());
        let report = report
            .heading("What edge does each wager have?")
            .text(self.answer())
            .table(self.wager_table(&all))
            .saved_figure(BY_WAGER, "the expectation of each wager by both paytables")
            .heading("Other readings")
            .text("What another option of one reading changes; of the thirteen pairs, which are alike, one stands for all.")
            .table(self.reading_table())
            .heading("Spreading a stake")
            .text(
                "The least deviation that a unit in all can have for its expectation; a kind's share lies evenly on all its \
                 spots. Less deviation than at the first point cannot be had, nor more expectation than at the last.",
            )
            .saved_figure(FRONTIER, "the expectation of a spread stake against its deviation")
            .table(self.frontier_table());
        (report, vec![(BY_WAGER, self.wager_figure(&all)), (FRONTIER, self.frontier_figure())])
    }
}

/// Exact outcomes under each paytable of the crate.
fn all_paytables(rules: &Rules) -> Vec<(String, Outcomes)> {
    let outcomes = |table: Paytable| (table.name().to_owned(), Outcomes::by_profiles(&Game::new(*rules, table)));
    Paytable::built_in().map(outcomes).collect()
}

impl JokerSevenJudge {
    /// One wager of each kind that is on the layout.
    fn kinds(&self) -> Vec<(WagerKind, Wager)> {
        let first = |kind| self.outcomes.wagers().find(|wager: &Wager| wager.kind() == kind).map(|wager| (kind, wager));
        WagerKind::ALL.into_iter().filter_map(first).collect()
    }

    fn answer(&self) -> String {
        let kinds = self.kinds();
        let worst = kinds.iter().map(|&(kind, wager)| (kind, self.ev(wager)));
        let worst = worst.reduce(|worst, other| if other.1 < worst.1 { other } else { worst });
        let (Some((best, ev)), Some((worst_kind, worst_ev))) = (self.best(), worst) else {
            return "No wager is on the layout.".to_owned();
        };
        let gains = kinds.iter().filter(|&&(_, wager)| self.ev(wager) > 0.0).count();
        let gains = if gains == 0 {
            "No wager gains, so the best play stakes the forced unit and no more"
        } else {
            "Some wagers gain, and the best play stakes all it may on them"
        };
        format!(
            "The source gives odds \"not less than\" those of its table and says nothing of the edge they leave. It runs from \
             {} on {} to {} on {worst_kind}. {gains}. *Fair odds* are those at which a wager would be even; *deviation* is \
             that of one unit.",
            percent(-ev, 3),
            best.kind(),
            percent(-worst_ev, 3),
        )
    }

    fn wager_table(&self, all: &[(String, Outcomes)]) -> Rows {
        let mut header = vec!["wager".to_owned(), "winning hands".into(), "chance".into(), "fair odds".into()];
        for (name, _) in all {
            header.extend([format!("{name} odds"), format!("{name} edge"), format!("{name} deviation")]);
        }
        let mut table = (1..header.len()).fold(Rows::new(header.iter().map(String::as_str)), Rows::right);
        for (kind, wager) in self.kinds() {
            let winners = self.outcomes.winners(wager);
            let mut cells = vec![
                kind.name().to_owned(),
                grouped(winners),
                percent(winners as f64 / HANDS as f64, 4),
                format!("{:.3}", (HANDS - winners) as f64 / winners as f64),
            ];
            for (_, outcomes) in all {
                cells.extend(match outcomes.is_offered(wager) {
                    true => [
                        format!("{} to 1", outcomes.odds(wager)),
                        percent(-outcomes.ev(wager).value(), 4),
                        format!("{:.4}", outcomes.covariance(wager, wager).value().sqrt()),
                    ],
                    false => Default::default(),
                });
            }
            table = table.row(cells.iter().map(String::as_str));
        }
        table
    }

    fn wager_figure(&self, all: &[(String, Outcomes)]) -> Figure {
        let kinds = self.kinds();
        let names = kinds.iter().map(|(kind, _)| kind.name().to_owned()).collect();
        let mut chart = BarChart::new(Axis::new("EV of one unit").percent(), names).places(2);
        for (name, outcomes) in all {
            let bar = |&(_, wager): &(WagerKind, Wager)| match outcomes.is_offered(wager) {
                true => Bar::from(outcomes.ev(wager).value()),
                false => Bar::NONE,
            };
            chart = chart.with(name.as_str(), kinds.iter().map(bar).collect());
        }
        Figure::new("What each wager is worth", chart).note("exact, over all 177,100,560 hands")
    }

    fn reading_table(&self) -> Rows {
        let mut table = Rows::new(["reading", "wager", "winning hands", "edge"]).right(2).right(3);
        let changed = readings(self.env.game(), &self.outcomes);
        let shown = |changed: &&Changed| !changed.wager.starts_with("pair-") || changed.wager == "pair-A";
        for changed in changed.iter().filter(shown) {
            table = table.row([
                format!("{} = {}", changed.reading, changed.option).as_str(),
                &changed.wager,
                &grouped(changed.winners),
                &percent(-changed.ev, 4),
            ]);
        }
        table
    }

    fn frontier_table(&self) -> Rows {
        let mut table = Rows::new(["EV", "deviation", "one unit spread so"]).right(0).right(1);
        for spread in Frontier::new(&self.outcomes).points().iter().rev().step_by(STRIDE).rev() {
            let shares = spread.shares.iter().filter(|(_, share)| *share >= SHOWN);
            let shares: Vec<String> = shares.map(|(kind, share)| format!("{kind} {}", percent(*share, 1))).collect();
            table =
                table.row([percent(spread.ev, 3).as_str(), &format!("{:.4}", spread.deviation), &shares.join(", ")]);
        }
        table
    }

    fn frontier_figure(&self) -> Figure {
        let points = Frontier::new(&self.outcomes).points();
        let points = points.iter().map(|spread| (spread.deviation, spread.ev)).collect();
        let axes = (Axis::new("standard deviation of one unit").from_zero(), Axis::new("EV of one unit").percent());
        let chart = LineChart::new(axes.0, axes.1).with(Series::new("best spreads", points));
        Figure::new("Expectation against deviation", chart).note("expectations and covariances exact")
    }
}
