//! Sessions played: what each kind of banker makes of its chips.

use super::config::SessionConfig;
use super::lab::{BankingLab, learned_name, situation};
use crate::table::{Kelly, Known, TableWay};
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::pai_gow::table::{
    AlwaysBank, BankRule, Chips, HIGHEST_BANKROLL, MOST_SEATS, Move, NeverBank, Phase, Player, Players, SeatView,
    Setup, Table,
};
use houseway_env::pai_gow::{Paytable, Strategy};
use houseway_learned::banking::{LearnedBanker, Objective, draw_bet};
use rand::RngExt;
use rand_pcg::Pcg64;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The seat of the player who is watched.
const SEAT: usize = 1;
/// Points of a bankroll's path.
const POINTS: u64 = 50;
/// Streams of sessions stand apart from those of trainings.
const SEEDS: u64 = 1 << 40;

/// What came of all sessions of one kind of banker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionScore {
    /// The banker.
    pub name: String,
    /// Chips won in a hundred rounds, by seed.
    pub profit_by_seed: Vec<f64>,
    /// Their mean.
    pub profit: f64,
    /// The 95% interval of the mean, from the spread of the seeds.
    pub profit_ci: [f64; 2],
    /// The mean over the exact rule's on the same cards, with its 95% interval; none for that rule itself.
    pub over_exact: Option<[f64; 3]>,
    /// Mean logarithm of what the chips are multiplied with in a session; those ruined count as left with a chip.
    pub growth: f64,
    /// Share of sessions at whose end the lowest bet is not left.
    pub ruined: f64,
    /// Share of rounds in which the player banked.
    pub banked: f64,
    /// By point of the path: the 5th, 50th and 95th of a hundred bankrolls, and the share of the ruined.
    pub path: Vec<[f64; 4]>,
}

/// The sessions of one configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sessions {
    /// Name of the configuration.
    pub name: String,
    /// The round of each point of the paths.
    pub rounds: Vec<u64>,
    /// The bankers.
    pub scores: Vec<SessionScore>,
}

/// Kinds of bankers.
#[derive(Clone, Copy, PartialEq)]
enum Banker {
    Never,
    Always,
    Exact,
    Kelly,
    Learned(Objective),
}

impl Banker {
    fn name(self) -> &'static str {
        match self {
            Banker::Never => "never bank",
            Banker::Always => "always bank",
            Banker::Exact => "exact rule",
            Banker::Kelly => "exact Kelly",
            Banker::Learned(objective) => learned_name(objective),
        }
    }
}

/// Plays all sessions. `None` if it was asked to stop.
///
/// # Errors
/// If a table cannot be opened.
pub(super) fn play(
    lab: &BankingLab,
    bankers: &[LearnedBanker],
    stop: &AtomicBool,
) -> anyhow::Result<Option<Vec<Sessions>>> {
    let house = lab.ways[lab.table.house].shared();
    let setup = Setup::new(lab.table.rules, Arc::clone(&lab.table.game), house, Paytable::default())?;
    let setup = Arc::new(setup);
    let mut all = vec![];
    for config in &lab.experiment.sessions {
        eprintln!("sessions: {}", config.name);
        let mut kinds = vec![Banker::Never, Banker::Always, Banker::Exact];
        kinds.extend((config.opponents == 1).then_some(Banker::Kelly));
        kinds.extend([Objective::Profit, Objective::Growth].map(Banker::Learned));
        let mut played = vec![];
        for &kind in &kinds {
            let mut seeds = vec![];
            for (&seed, banker) in lab.experiment.seeds.iter().zip(bankers) {
                let one = |i| session(lab, config, &setup, kind, banker, StreamSeed { seed: SEEDS + seed, lane: i });
                let sessions: Vec<Session> = (0..config.sessions as u64).into_par_iter().map(one).collect();
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                seeds.push(sessions);
            }
            played.push((kind, seeds));
        }
        all.push(Sessions {
            name: config.name.clone(),
            rounds: (0..=POINTS).map(|point| point * config.rounds / POINTS).collect(),
            scores: scores(config, lab.table.rules.bet_minimum, &played),
        });
    }
    Ok(Some(all))
}

/// One session: the bankroll at each point, and how often the player banked.
struct Session {
    path: Vec<Chips>,
    banked: u64,
}

fn session(
    lab: &BankingLab,
    config: &SessionConfig,
    setup: &Arc<Setup>,
    kind: Banker,
    banker: &LearnedBanker,
    seed: StreamSeed,
) -> Session {
    // Who sits there and what they bet is the same for every kind of banker, and so are the cards.
    let mut rng = stream(StreamSeed { lane: 2 * seed.lane, ..seed });
    let mut patrons = stream(StreamSeed { lane: 2 * seed.lane + 1, ..seed });
    let count = patrons.random_range(1..=config.opponents);
    let mut ways = [None; MOST_SEATS];
    let mut players: Players = std::array::from_fn(|_| None);
    let mut bankrolls = vec![config.bankroll];
    for seat in SEAT + 1..=SEAT + count {
        let way = patrons.random_range(0..lab.table.others);
        ways[seat] = Some(way);
        let rng = stream(StreamSeed { seed: patrons.random(), lane: 0 });
        players[seat] = Some(Box::new(Patron { way: lab.ways[way].clone(), rng }));
        bankrolls.push(HIGHEST_BANKROLL);
    }
    let mut table = Table::new(Arc::clone(setup), &bankrolls).expect("the configuration was checked");
    let mut known =
        Known { against: [None; MOST_SEATS], own: lab.exact.own, commission: lab.table.game.rules().commission };
    (0..MOST_SEATS).for_each(|seat| known.against[seat] = ways[seat].map(|way| lab.exact.against[way]));
    let (mut path, mut banked, mut moves) = (vec![config.bankroll], 0, vec![]);
    let mut watched = Watched { lab, config, kind, banker, ways, known, last: vec![] };
    for round in 1..=config.rounds {
        if !round_of(&mut table, &mut watched, &mut players, &mut rng, &mut moves) {
            break;
        }
        banked += u64::from(table.bank().is_player(SEAT));
        watched.remember(&table);
        if (round * POINTS / config.rounds) as usize >= path.len() {
            path.push(table.seat(SEAT).bankroll);
        }
    }
    let last = table.seat(SEAT).bankroll;
    path.resize(POINTS as usize + 1, last);
    Session { path, banked }
}

/// Plays a round; `false` if the player has not the lowest bet any more.
fn round_of(
    table: &mut Table,
    watched: &mut Watched<'_>,
    players: &mut Players,
    rng: &mut Pcg64,
    moves: &mut Vec<(usize, Move)>,
) -> bool {
    if !table.can_bet(SEAT) || !table.begin() {
        return false;
    }
    moves.clear();
    while let Some(seat) = table.acting().first() {
        let view = table.view(seat);
        let decided = match &mut players[seat] {
            _ if seat == SEAT => watched.decide(&view),
            Some(player) => player.decide(&view),
            None => Move::Disconnect,
        };
        table.play(seat, decided, rng).expect("players make legal moves");
    }
    true
}

/// Another player: bets anew each round, never banks, sets by a way.
struct Patron {
    way: TableWay,
    rng: Pcg64,
}

impl Player for Patron {
    fn name(&self) -> &str {
        Strategy::name(&self.way)
    }

    fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match (view.phase(), view.dealt()) {
            (Phase::Betting, _) => Move::Bet { bet: draw_bet(view.rules(), &mut self.rng), side: 0 },
            (Phase::Banking, _) => Move::Pass,
            (_, Some(dealt)) => Move::Set(self.way.set(dealt.hand()).index()),
            (_, None) => Move::HouseWay,
        }
    }
}

/// The player who is watched.
struct Watched<'a> {
    lab: &'a BankingLab,
    config: &'a SessionConfig,
    kind: Banker,
    banker: &'a LearnedBanker,
    ways: [Option<usize>; MOST_SEATS],
    known: Known,
    /// What the others bet in the last round: what a bet is chosen by.
    last: Vec<(usize, Chips)>,
}

impl Watched<'_> {
    fn remember(&mut self, table: &Table) {
        let others = (SEAT + 1..MOST_SEATS).filter(|&seat| self.ways[seat].is_some());
        self.last = others.map(|seat| (seat, table.seat(seat).bet)).collect();
    }

    fn bet(&self, view: &SeatView<'_>) -> Chips {
        let (rules, funds) = (view.rules(), view.bankroll(SEAT));
        let fixed = self.config.bet.min(funds);
        if self.kind != Banker::Learned(Objective::Growth) || self.last.is_empty() {
            return fixed;
        }
        let sizes = (0..8).map(|doubled| (rules.bet_minimum << doubled).min(rules.bet_maximum));
        let sizes: Vec<Chips> = sizes.filter(|&bet| bet <= funds).collect();
        let mut as_before = situation(view, &self.ways, rules.bet_minimum);
        for &(seat, bet) in &self.last {
            let way = self.ways[seat];
            as_before.others[seat - SEAT - 1] =
                way.filter(|_| bet > 0).map(|way| houseway_learned::banking::OtherBet { way, bet });
        }
        if as_before.against() == 0 { fixed } else { self.banker.bet(&as_before, &sizes, Objective::Growth) }
    }

    fn stake(&self, view: &SeatView<'_>) -> Option<Chips> {
        let seen = situation(view, &self.ways, view.bet(SEAT));
        match self.kind {
            Banker::Never => NeverBank.stake(view),
            Banker::Always => AlwaysBank.stake(view),
            Banker::Exact => self.lab.exact.takes(&seen).then(|| seen.against()),
            Banker::Kelly => Kelly(self.known.clone()).stake(view),
            Banker::Learned(objective) => self.banker.stake(&seen, objective),
        }
    }

    fn decide(&self, view: &SeatView<'_>) -> Move {
        match (view.phase(), view.dealt()) {
            (Phase::Betting, _) => Move::Bet { bet: self.bet(view), side: 0 },
            (Phase::Banking, _) => match self.stake(view).map(|stake| stake.min(view.bank_funds())) {
                Some(stake) if stake >= view.rules().bank_minimum => Move::Take { stake },
                _ => Move::Pass,
            },
            (_, Some(dealt)) => {
                let table = &self.lab.table;
                let way = if view.bank().is_player(SEAT) { table.banker } else { table.own };
                Move::Set(self.lab.ways[way].set(dealt.hand()).index())
            }
            (_, None) => Move::HouseWay,
        }
    }
}

fn scores(config: &SessionConfig, lowest: Chips, played: &[(Banker, Vec<Vec<Session>>)]) -> Vec<SessionScore> {
    let hundreds = config.rounds as f64 / 100.0 * config.sessions as f64;
    let won = |sessions: &Vec<Session>| {
        let won = sessions.iter().map(|session| session.path.last().copied().unwrap_or(0) - config.bankroll);
        won.sum::<Chips>() as f64 / hundreds
    };
    let profits: Vec<Vec<f64>> = played.iter().map(|(_, seeds)| seeds.iter().map(won).collect()).collect();
    let exact = played.iter().position(|(kind, _)| *kind == Banker::Exact).expect("the exact rule plays");
    let score = |(i, (kind, seeds)): (usize, &(Banker, Vec<Vec<Session>>))| {
        let all: Vec<&Session> = seeds.iter().flatten().collect();
        let last = |session: &&Session| session.path.last().copied().unwrap_or(0);
        let (profit, profit_ci) = interval(&profits[i]);
        let over: Vec<f64> = profits[i].iter().zip(&profits[exact]).map(|(own, exact)| own - exact).collect();
        let (mean, ci) = interval(&over);
        let growth = |session: &&Session| ((last(session)).max(1) as f64 / config.bankroll as f64).ln();
        let count = all.len() as f64;
        SessionScore {
            name: kind.name().to_owned(),
            profit_by_seed: profits[i].clone(),
            profit,
            profit_ci,
            over_exact: (i != exact).then_some([mean, ci[0], ci[1]]),
            growth: all.iter().map(growth).sum::<f64>() / count,
            ruined: all.iter().filter(|session| last(session) < lowest).count() as f64 / count,
            banked: all.iter().map(|session| session.banked).sum::<u64>() as f64 / (count * config.rounds as f64),
            path: (0..=POINTS as usize).map(|point| at(&all, point, lowest)).collect(),
        }
    };
    played.iter().enumerate().map(score).collect()
}

/// The spread of bankrolls at a point.
fn at(all: &[&Session], point: usize, lowest: Chips) -> [f64; 4] {
    let mut chips: Vec<Chips> = all.iter().map(|session| session.path[point]).collect();
    chips.sort_unstable();
    let quantile = |share: f64| chips[((chips.len() - 1) as f64 * share).round() as usize] as f64;
    let ruined = chips.iter().filter(|&&chips| chips < lowest).count() as f64 / chips.len() as f64;
    [quantile(0.05), quantile(0.5), quantile(0.95), ruined]
}

/// Student's t for a 95% interval, by degrees of freedom from 1.
const STUDENT: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/// The mean with its 95% interval.
fn interval(values: &[f64]) -> (f64, [f64; 2]) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = STUDENT.get(values.len() - 2).copied().unwrap_or(1.96);
    let half = t * (variance / n).sqrt();
    (mean, [mean - half, mean + half])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_that_of_students_t() {
        // Mean 3, standard deviation sqrt(2.5), five values: 2.776 * sqrt(0.5).
        let (mean, [low, high]) = interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((mean - 3.0).abs() < 1e-12 && (high - 3.0 - 2.776 * 0.5f64.sqrt()).abs() < 1e-9);
        assert!((low + high - 6.0).abs() < 1e-12);
    }
}
