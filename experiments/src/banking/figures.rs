//! Draws the figures for a banking experiment.

use super::agreement::Examination;
use super::config::RANDOM;
use super::exam::Role;
use super::lab::BankingLab;
use super::results::BankingResults;
use super::sessions::{Estimate, Sessions};
use houseway_lab::plot::{Axis, Bar, BarChart, Figure, HeatMap, LineChart, Series};

/// The ranges for the ratio between the bets against the bank and the player's own bet, as upper bounds with names.
const RATIOS: [(f64, &str); 5] =
    [(2.0, "below 2"), (5.0, "2 to 5"), (10.0, "5 to 10"), (20.0, "10 to 20"), (f64::INFINITY, "20 and more")];

/// The name and description of the figure that shows how often the bank is taken.
pub(super) const TAKEN: (&str, &str) =
    ("bank-taken", "fraction of situations in which the bank is taken, by the bets against it over the own bet");

/// The only kinds of bankers that are drawn with a band. Bands for all of them would overlap.
const FANS: [&str; 2] = ["exact rule", "learned, growth"];

/// The name and description of the figure that compares settings by regret.
pub(super) const SETTING: (&str, &str) =
    ("setting", "regret against the best setting of each hand, as player and as bank");

/// The figures for the sessions at one table.
pub(super) struct SessionFigures {
    /// The bankrolls by round.
    pub(super) fan: Figure,
    /// The ruined sessions by round, if there are any.
    pub(super) ruin: Option<Figure>,
    /// Each banker's profit.
    pub(super) profit: Figure,
}

/// Draws the figures for the sessions.
pub(super) fn session_figures(lab: &BankingLab, sessions: &Sessions) -> SessionFigures {
    let name = &sessions.name;
    let rounds = || Axis::new("round").from_zero();
    // If a player is ruined, use a logarithmic scale that starts at the minimum bet.
    let (chips, least) = match sessions.ruins() {
        true => (Axis::new("chips").log(), lab.table.rules.bet_minimum as f64),
        false => (Axis::new("chips"), 0.0),
    };
    let mut fan = LineChart::new(rounds(), chips);
    let mut ruin = LineChart::new(rounds(), Axis::new("ruined sessions").percent().from_zero());
    for score in &sessions.scores {
        let points = |of: fn(&[f64; 4]) -> f64| -> Vec<(f64, f64)> {
            sessions.rounds.iter().zip(&score.path).map(|(&round, at)| (round as f64, of(at))).collect()
        };
        let median = points(|at| at[1]).into_iter().map(|(round, chips)| (round, chips.max(least)));
        let series = Series::new(score.name.as_str(), median.collect());
        let band = || score.path.iter().map(|at| (at[0].max(least), at[2].max(least))).collect();
        fan = fan.with(if FANS.contains(&score.name.as_str()) { series.band(band()) } else { series });
        ruin = ruin.with(Series::new(score.name.as_str(), points(|at| at[3])));
    }
    let seeds = match lab.experiment.seeds.len() {
        1 => "one seed".to_owned(),
        count => format!("{count} seeds"),
    };
    let config = lab.experiment.sessions.iter().find(|config| config.name == *name);
    let each = config.map_or(0, |config| config.sessions);
    let note = format!(
        "{seeds} of {each} sessions each; line: median; bands, of the exact rule and growth: 5th to 95th percentile"
    );
    let fan = Figure::new(format!("Bankrolls, {name}"), fan).note(note);
    let note = format!("{seeds} of {each} sessions each; ruined: less than the lowest bet is left");
    let ruin = sessions.ruins().then(|| Figure::new(format!("Ruin, {name}"), ruin).note(note));
    let names = sessions.scores.iter().map(|score| score.name.clone()).collect();
    let value = |estimate: &Estimate| Bar::between(estimate.mean, estimate.ci[0], estimate.ci[1]);
    let profit = BarChart::new(Axis::new("chips won in 100 rounds"), names)
        .with("adjusted for luck", sessions.scores.iter().map(|score| value(&score.profit)).collect())
        .with("as played", sessions.scores.iter().map(|score| value(&score.played)).collect())
        .places(0);
    let note = format!("mean of {seeds} with 95% confidence intervals");
    SessionFigures { fan, ruin, profit: Figure::new(format!("Profit, {name}"), profit).note(note) }
}

/// Draws the regret in both roles.
pub(super) fn setting(lab: &BankingLab, results: &BankingResults) -> Figure {
    let regrets = |role: Role, learned: bool| -> Vec<Bar> {
        let of_role = results.settings.iter().filter(|score| score.role == role && score.name != "optimum");
        let scores = of_role.filter(|score| score.name.starts_with("learned") == learned);
        scores.map(|score| Bar::between(score.regret, score.regret_ci[0], score.regret_ci[1])).collect()
    };
    let mut series: Vec<(String, Vec<Bar>)> =
        vec![("house way".to_owned(), Role::BOTH.iter().flat_map(|&role| regrets(role, false)).collect())];
    for (i, seed) in lab.experiment.seeds.iter().enumerate() {
        let values = Role::BOTH.iter().map(|&role| regrets(role, true)[i]);
        series.push((format!("learned, seed {seed}"), values.collect()));
    }
    let names = Role::BOTH.iter().map(|role| format!("as {}", role.name())).collect();
    let chart = BarChart::new(Axis::new("EV lost per chip").percent(), names).places(3);
    let chart = series.into_iter().fold(chart, |chart, (name, values)| chart.with(name, values));
    let note =
        format!("{} seeded hands, every setting enumerated; 95% confidence intervals", lab.experiment.situations.hands);
    Figure::new("Regret of settings", chart).note(note)
}

/// Returns `true` if this strategy loses considerably more than a house way. This is assumed of random settings and of
/// the plain ways.
fn is_weak(way: &str) -> bool {
    way == RANDOM || houseway_lab::analysis::pai_gow::table_run::PLAIN_WAYS.contains(&way)
}

/// Draws how often the bank is taken. There is a row for each ratio of the bets against the bank to the player's own
/// bet, with and without a weak player. The columns are the exact rule and the learned bankers.
pub(super) fn taken(lab: &BankingLab, examination: &Examination, learned: &[Vec<bool>]) -> Figure {
    let exact = examination.exact();
    let weak = |way: usize| is_weak(&lab.members[way].name);
    let group = |i: usize| {
        let situation = &examination.situations[i];
        let ratio = situation.against() as f64 / situation.own as f64;
        let range = RATIOS.iter().position(|(bound, _)| ratio < *bound).unwrap_or(RATIOS.len() - 1);
        let weak = situation.others.iter().flatten().any(|other| weak(other.way));
        2 * range + usize::from(weak)
    };
    let (mut rows, mut values) = (vec![], vec![]);
    for (row, (_, words)) in (0..2 * RATIOS.len()).zip(RATIOS.iter().flat_map(|ratio| [ratio, ratio])) {
        let inside: Vec<usize> = (0..exact.len()).filter(|&i| group(i) == row).collect();
        if inside.is_empty() {
            continue;
        }
        let share = |takes: &[bool]| inside.iter().filter(|&&i| takes[i]).count() as f64 / inside.len() as f64;
        let seeds = learned.iter().map(|takes| share(takes)).sum::<f64>() / learned.len() as f64;
        let who = if row % 2 == 1 { "some weak" } else { "none weak" };
        rows.push(format!("{words}, {who} ({})", inside.len()));
        values.push(vec![share(&exact), seeds]);
    }
    let columns = vec!["exact rule".to_owned(), "learned, profit".to_owned()];
    let chart = HeatMap::new(("bets against over the own bet", rows), ("takes the bank", columns), values).percent();
    let note = "in brackets: situations; weak: players who set at random, or the highest or lowest front; learned: mean of seeds";
    Figure::new("When the bank is taken", chart).note(note)
}
