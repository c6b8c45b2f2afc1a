//! Plays sessions with the controllers of all seats, and tracks each banker's bankroll round by round.

use super::lab::{BankingLab, Exact, Member, situation};
use super::{LEARNED, SessionConfig};
use houseway_env::gym::{StreamSeed, stream, stream_in};
use houseway_env::money::{Chips, Rate, commission};
use houseway_env::pai_gow::table::{Bank, MAX_BANKROLL, MAX_SEATS, Move, Phase, SeatView, Setup, Table};
use houseway_env::pai_gow::{Outcome, Paytable};
use houseway_exact::pai_gow::banking::OutcomeWeights;
use houseway_exact::solver::{Cancelled, Z95};
use houseway_lab::analysis::pai_gow::table_run::{Known, TableWay};
use houseway_lab::run::notice;
use houseway_learned::tasks::banking::{LearnedBanker, Objective, OtherBet, draw_bet};
use rand::RngExt;
use rand_pcg::Pcg64;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of intervals between the points of a bankroll path.
const POINTS: u64 = 50;
/// The domains of the streams for the other players of a session, and for its cards and dice.
const PATRONS: &str = "patrons of a session";
const CARDS: &str = "cards of a session";
/// When computing growth, rounds that can cost more than this fraction of the bankroll aren't adjusted for luck.
const LUCK_OF_GROWTH: f64 = 0.2;
/// The quantiles of Student's t-distribution for a 95% confidence interval, by degrees of freedom starting at 1.
const STUDENT: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
pub const SEAT: usize = 1;

/// A mean over seeds with its 95% confidence interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub by_seed: Vec<f64>,
    pub mean: f64,
    pub ci: [f64; 2],
}

impl Estimate {
    fn new(by_seed: Vec<f64>) -> Estimate {
        let n = by_seed.len() as f64;
        let mean = by_seed.iter().sum::<f64>() / n;
        let variance = by_seed.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = student(by_seed.len() - 1) * (variance / n).sqrt();
        Estimate { by_seed, mean, ci: [mean - half, mean + half] }
    }

    fn less(&self, other: &Estimate) -> Estimate {
        Estimate::new(self.by_seed.iter().zip(&other.by_seed).map(|(own, other)| own - other).collect())
    }

    pub fn half(&self) -> f64 {
        (self.ci[1] - self.ci[0]) / 2.0
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionScore {
    pub name: String,
    /// The chips won per hundred rounds, as played.
    pub played: Estimate,
    /// The chips won per hundred rounds, adjusted for the luck of the cards. The adjustment keeps the mean but narrows
    /// the interval.
    pub profit: Estimate,
    /// The adjusted profit minus the exact rule's profit in the same sessions. `None` for the exact rule itself.
    pub over_exact: Option<Estimate>,
    /// The bankroll's log growth over a session, adjusted for the luck of small bets. Ruined players are treated as
    /// having one chip left.
    pub growth: Estimate,
    /// The log growth minus exact Kelly's log growth in the same sessions, if exact Kelly is played.
    pub over_kelly: Option<Estimate>,
    /// The fraction of sessions that end with less than the minimum bet.
    pub ruined: f64,
    pub banked: f64,
    /// For each point of the path, the bankrolls' 5th, 50th and 95th percentiles and the fraction of ruined players.
    pub path: Vec<[f64; 4]>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sessions {
    #[serde(skip)]
    pub config: SessionConfig,
    pub name: String,
    /// The round number at each point of the paths.
    pub rounds: Vec<u64>,
    pub scores: Vec<SessionScore>,
}

pub fn play(lab: &BankingLab<'_>, bankers: &[LearnedBanker], stop: &AtomicBool) -> anyhow::Result<Vec<Sessions>> {
    let house = lab.members[lab.table.house].way.as_ref().expect("the house uses a house way");
    let setup = Setup::new(lab.table.rules, Arc::clone(&lab.table.game), Arc::clone(&house.way), Paytable::default());
    let setup = Arc::new(setup.map_err(anyhow::Error::msg)?);
    let mut all = vec![];
    for config in &lab.experiment.sessions {
        notice(&format!("sessions: {}", config.name));
        let mut kinds = vec![Banker::Never, Banker::Always, Banker::Exact];
        kinds.extend((config.opponents == 1 && config.rivals == 0).then_some(Banker::Kelly));
        kinds.extend([Banker::Learned(Objective::Profit), Banker::LearnedSetting]);
        kinds.extend([Objective::Stake, Objective::Growth].map(Banker::Learned));
        let mut played = vec![];
        for &kind in &kinds {
            let mut seeds = vec![];
            for (place, &seed) in lab.experiment.seeds.iter().enumerate() {
                let stand = Stand { lab, config, setup: &setup, bankers, kind, place };
                let one = |lane| stand.session(StreamSeed { seed, lane });
                let sessions: Vec<Session> = (0..config.sessions as u64).into_par_iter().map(one).collect();
                if stop.load(Ordering::Relaxed) {
                    return Err(Cancelled.into());
                }
                seeds.push(sessions);
            }
            played.push((kind, seeds));
        }
        all.push(Sessions {
            config: config.clone(),
            name: config.name.clone(),
            rounds: (0..=POINTS).map(|point| point * config.rounds / POINTS).collect(),
            scores: scores(config, lab.table.rules.bet_minimum, &played),
        });
    }
    Ok(all)
}

/// A session's history: the bankroll at each point, the number of rounds that the player banked, and the luck in the
/// result, measured in chips and in growth.
struct Session {
    path: Vec<Chips>,
    banked: u64,
    luck: f64,
    luck_of_growth: f64,
}

struct Stand<'a> {
    lab: &'a BankingLab<'a>,
    config: &'a SessionConfig,
    setup: &'a Arc<Setup>,
    bankers: &'a [LearnedBanker],
    kind: Banker,
    place: usize,
}

impl Stand<'_> {
    /// Plays a session. The patrons and their bets are the same for every kind of banker and every seed. The streams
    /// for cards and dice, one per round, are the same for every kind of banker.
    fn session(&self, seed: StreamSeed) -> Session {
        let (lab, config, rounds) = (self.lab, self.config, self.config.rounds);
        let mut draw = stream_in(PATRONS, StreamSeed { seed: 0, lane: seed.lane });
        let cards: u64 = stream_in(CARDS, seed).random();
        let count = config.rivals + draw.random_range(1..=config.opponents);
        let learned = lab.members.iter().position(|member| member.name == LEARNED);
        let (mut ways, mut bankrolls) = ([None; MAX_SEATS], vec![config.bankroll]);
        let mut others: [Other<'_>; MAX_SEATS] = std::array::from_fn(|_| Other::Nobody);
        for seat in SEAT + 1..=SEAT + count {
            let (way, patron) = (draw.random_range(0..lab.table.others), draw.random::<u64>());
            let rival = seat <= SEAT + config.rivals;
            ways[seat] = if rival { learned } else { Some(way) };
            bankrolls.push(if rival { config.bankroll } else { MAX_BANKROLL });
            others[seat] = match rival {
                // The learned bankers from the next seeds, which never are the watched one.
                true => Other::Rival(&self.bankers[(self.place + seat - SEAT) % self.bankers.len()]),
                false => {
                    let rng = stream(patron.into());
                    Other::Patron(Box::new(Patron { member: lab.members[way].clone(), seed: patron, round: 0, rng }))
                }
            };
        }
        let mut watched = Watched::new(self, ways);
        let mut table = Table::new(Arc::clone(self.setup), &bankrolls).expect("the configuration was checked");
        let mut session = Session { path: vec![config.bankroll], banked: 0, luck: 0.0, luck_of_growth: 0.0 };
        for round in 1..=rounds {
            let before = table.seat(SEAT).bankroll;
            if !round_of(&mut table, &watched, &mut others, StreamSeed { seed: cards, lane: round }) {
                break;
            }
            session.banked += u64::from(table.bank().is_player(SEAT));
            let luck = watched.luck(&table);
            session.luck += luck;
            if risk(&table) < LUCK_OF_GROWTH * before as f64 {
                session.luck_of_growth += luck / before as f64;
            }
            watched.remember(&table);
            if (round * POINTS / rounds) as usize >= session.path.len() {
                session.path.push(table.seat(SEAT).bankroll);
            }
        }
        session.path.resize(POINTS as usize + 1, table.seat(SEAT).bankroll);
        session
    }

    /// Returns the decision of a learned banker from another seed, which uses the settings from the first seed. `ways`
    /// are the strategies of all seats.
    fn rival(&self, banker: &LearnedBanker, mut ways: [Option<usize>; MAX_SEATS], view: &SeatView<'_>) -> Move {
        let has = view.bankroll(view.seat());
        match view.phase() {
            Phase::Betting if has < view.rules().bet_minimum => Move::Bet { bet: 0, side: 0 },
            Phase::Betting => Move::Bet { bet: self.config.bet.min(has), side: 0 },
            Phase::Banking => {
                ways[view.seat()] = None;
                let seen = situation(view, &ways, view.bet(view.seat()));
                view.take(banker.stake(&seen, Objective::Profit))
            }
            _ => set(view, Some(&self.lab.learned[0][usize::from(view.bank().is_player(view.seat()))])),
        }
    }
}

/// Returns the most the watched player could lose in the last round. This was known before the cards were dealt.
fn risk(table: &Table) -> f64 {
    let bets = || table.settled().into_iter().flat_map(|settled| settled.bets.iter().flatten());
    let most = match table.bank() {
        Bank::Seat { seat: SEAT, stake } => stake.min(bets().map(|bet| bet.bet).sum()),
        _ => table.settled().and_then(|settled| settled.bets[SEAT]).map_or(0, |bet| bet.bet),
    };
    most as f64
}

/// Plays a round. Returns `false` if the player has less than the minimum bet.
fn round_of(table: &mut Table, watched: &Watched<'_>, others: &mut [Other<'_>; MAX_SEATS], cards: StreamSeed) -> bool {
    if !table.can_bet(SEAT) || !table.begin() {
        return false;
    }
    let mut rng = stream(cards);
    let played = table.ask(&mut rng, |view| {
        Some(match &mut others[view.seat()] {
            Other::Nobody if view.seat() == SEAT => watched.decide(view),
            Other::Nobody => Move::Disconnect,
            Other::Patron(patron) => patron.decide(view),
            Other::Rival(banker) => {
                let mut ways = watched.ways;
                ways[SEAT] = watched.way();
                watched.stand.rival(banker, ways, view)
            }
        })
    });
    played.expect("players make legal moves");
    true
}

fn scores(config: &SessionConfig, lowest: Chips, played: &[(Banker, Vec<Vec<Session>>)]) -> Vec<SessionScore> {
    let hundreds = config.rounds as f64 / 100.0;
    let last = |session: &Session| session.path.last().copied().unwrap_or(0);
    let mean = |seeds: &[Vec<Session>], of: &dyn Fn(&Session) -> f64| {
        Estimate::new(seeds.iter().map(|all| all.iter().map(of).sum::<f64>() / all.len() as f64).collect())
    };
    let won = |session: &Session| (last(session) - config.bankroll) as f64 / hundreds;
    let profit = |session: &Session| won(session) - session.luck / hundreds;
    let growth =
        |session: &Session| (last(session).max(1) as f64 / config.bankroll as f64).ln() - session.luck_of_growth;
    let of_kind = |kind: Banker, of: &dyn Fn(&Session) -> f64| {
        played.iter().find(|(other, _)| *other == kind).map(|(_, seeds)| mean(seeds, of))
    };
    let (exact, kelly) = (of_kind(Banker::Exact, &profit), of_kind(Banker::Kelly, &growth));
    let score = |(kind, seeds): &(Banker, Vec<Vec<Session>>)| {
        let all: Vec<&Session> = seeds.iter().flatten().collect();
        let count = all.len() as f64;
        let (own_profit, own_growth) = (mean(seeds, &profit), mean(seeds, &growth));
        SessionScore {
            name: kind.name().to_owned(),
            played: mean(seeds, &won),
            over_exact: exact.as_ref().filter(|_| *kind != Banker::Exact).map(|exact| own_profit.less(exact)),
            over_kelly: kelly.as_ref().filter(|_| *kind != Banker::Kelly).map(|kelly| own_growth.less(kelly)),
            profit: own_profit,
            growth: own_growth,
            ruined: all.iter().filter(|session| last(session) < lowest).count() as f64 / count,
            banked: all.iter().map(|session| session.banked).sum::<u64>() as f64 / (count * config.rounds as f64),
            path: (0..=POINTS as usize).map(|point| at(&all, point, lowest)).collect(),
        }
    };
    played.iter().map(score).collect()
}

/// Returns the bankrolls' 5th, 50th and 95th percentiles at a point, and the fraction of ruined players.
fn at(all: &[&Session], point: usize, lowest: Chips) -> [f64; 4] {
    let mut chips: Vec<Chips> = all.iter().map(|session| session.path[point]).collect();
    chips.sort_unstable();
    let quantile = |share: f64| chips[((chips.len() - 1) as f64 * share).round() as usize] as f64;
    let ruined = chips.iter().filter(|&&chips| chips < lowest).count() as f64 / chips.len() as f64;
    [quantile(0.05), quantile(0.5), quantile(0.95), ruined]
}

/// Returns the quantile for any number of degrees of freedom. Beyond the table, the expansion around the normal
/// distribution is right to three decimal places (Abramowitz and Stegun, 26.7.5).
fn student(freedom: usize) -> f64 {
    let (z, n) = (Z95, freedom as f64);
    STUDENT.get(freedom - 1).copied().unwrap_or_else(|| {
        let terms = [
            (z.powi(3) + z) / 4.0,
            (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
            (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        ];
        z + terms[0] / n + terms[1] / n.powi(2) + terms[2] / n.powi(3)
    })
}

#[derive(Clone, Copy, PartialEq)]
pub enum Banker {
    Never,
    Always,
    Exact,
    Kelly,
    Learned(Objective),
    /// A learned banker that maximizes profit and also uses learned settings.
    LearnedSetting,
}

impl Banker {
    pub fn name(self) -> &'static str {
        match self {
            Banker::Never => "never bank",
            Banker::Always => "always bank",
            Banker::Exact => "exact rule",
            Banker::Kelly => "exact Kelly",
            Banker::Learned(Objective::Profit) => "learned, profit",
            Banker::Learned(Objective::Stake) => "learned, profit by stake",
            Banker::Learned(Objective::Growth) => "learned, growth",
            Banker::LearnedSetting => "learned, profit and setting",
        }
    }
}

/// A player who makes a new bet in each round, never banks, and sets hands with a strategy or at random.
pub struct Patron {
    member: Member,
    /// The seed for the patron's random streams. There is one stream per round, so bets and settings don't depend on
    /// the other players.
    seed: u64,
    round: u64,
    rng: Pcg64,
}

impl Patron {
    pub fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match view.phase() {
            Phase::Betting => {
                self.round += 1;
                self.rng = stream(StreamSeed { seed: self.seed, lane: self.round });
                Move::Bet { bet: draw_bet(view.rules(), &mut self.rng), side: 0 }
            }
            Phase::Banking => Move::Pass,
            _ => match (&self.member.way, view.dealt()) {
                (None, Some(dealt)) => Move::Set(view.game().random_setting(dealt.hand(), &mut self.rng).index()),
                (way, _) => set(view, way.as_ref()),
            },
        }
    }
}

/// Returns the setting of the hand at a seat by a strategy.
fn set(view: &SeatView<'_>, way: Option<&TableWay>) -> Move {
    match (view.dealt(), way) {
        (Some(dealt), Some(way)) => Move::Set(way.way.set(dealt.hand()).index()),
        _ => Move::HouseWay,
    }
}

pub enum Other<'a> {
    Nobody,
    Patron(Box<Patron>),
    Rival(&'a LearnedBanker),
}

pub struct Watched<'a> {
    stand: &'a Stand<'a>,
    exact: &'a Exact,
    ways: [Option<usize>; MAX_SEATS],
    known: Known,
    /// The other players' bets in the last round. The next bet depends on them.
    last: Vec<(usize, Chips)>,
}

impl<'a> Watched<'a> {
    fn new(stand: &'a Stand<'a>, ways: [Option<usize>; MAX_SEATS]) -> Watched<'a> {
        let Stand { lab, kind, place, .. } = *stand;
        let exact = if kind == Banker::LearnedSetting { &lab.exact_learned[place] } else { &lab.exact };
        let against = ways.map(|way| way.map(|way| lab.exact.against[way]));
        let known = Known { against, own: lab.exact.own, rules: lab.table.game.rules() };
        Watched { stand, exact, ways, known, last: vec![] }
    }

    fn banker(&self) -> &LearnedBanker {
        &self.stand.bankers[self.stand.place]
    }

    /// Returns the index of the strategy that the other players know the watched player to use.
    pub fn way(&self) -> Option<usize> {
        match self.stand.kind {
            Banker::LearnedSetting => self.stand.lab.members.iter().position(|member| member.name == LEARNED),
            _ => Some(self.stand.lab.table.own).filter(|&own| own < self.stand.lab.table.others),
        }
    }

    pub fn remember(&mut self, table: &Table) {
        let others = (SEAT + 1..MAX_SEATS).filter(|&seat| self.ways[seat].is_some());
        self.last.clear();
        self.last.extend(others.map(|seat| (seat, table.seat(seat).bet)));
    }

    fn bet(&self, view: &SeatView<'_>) -> Chips {
        let (rules, funds) = (view.rules(), view.bankroll(SEAT));
        let fixed = self.stand.config.bet.min(funds);
        match self.stand.kind {
            // Bets against the house never have a positive Kelly fraction.
            Banker::Kelly => return rules.bet_minimum,
            Banker::Learned(Objective::Growth) if !self.last.is_empty() => {}
            _ => return fixed,
        }
        let sizes = (0..8).map(|doubled| (rules.bet_minimum << doubled).min(rules.bet_maximum));
        let sizes: Vec<Chips> = sizes.filter(|&bet| bet <= funds).collect();
        let mut as_before = situation(view, &self.ways, rules.bet_minimum);
        for &(seat, bet) in &self.last {
            as_before.others[seat - SEAT - 1] = self.ways[seat].filter(|_| bet > 0).map(|way| OtherBet { way, bet });
        }
        if as_before.against() == 0 { fixed } else { self.banker().bet(&as_before, &sizes, Objective::Growth) }
    }

    fn stake(&self, view: &SeatView<'_>) -> Option<Chips> {
        let seen = situation(view, &self.ways, view.bet(SEAT));
        match self.stand.kind {
            Banker::Never => None,
            Banker::Always => Some(view.bets_against()),
            Banker::Exact => self.exact.takes(&seen).then(|| seen.against()),
            Banker::Kelly => self.known.kelly(view),
            Banker::Learned(objective) => self.banker().stake(&seen, objective),
            Banker::LearnedSetting => self.banker().stake(&seen, Objective::Profit),
        }
    }

    pub fn decide(&self, view: &SeatView<'_>) -> Move {
        match view.phase() {
            Phase::Betting => Move::Bet { bet: self.bet(view), side: 0 },
            Phase::Banking => view.take(self.stake(view)),
            _ => {
                let (lab, as_bank) = (self.stand.lab, view.bank().is_player(SEAT));
                let way = match self.stand.kind {
                    Banker::LearnedSetting => Some(&lab.learned[self.stand.place][usize::from(as_bank)]),
                    _ => lab.members[if as_bank { lab.table.banker } else { lab.table.own }].way.as_ref(),
                };
                set(view, way)
            }
        }
    }

    /// Returns how lucky the cards were in a round, in chips. This is the result of the round's bets if all were
    /// covered, minus its exact EV, times the covered fraction. Bets and stakes are fixed before the cards are dealt,
    /// so the mean luck is zero whatever the player does. If all bets are covered, the result minus the luck is the
    /// exact EV.
    pub fn luck(&self, table: &Table) -> f64 {
        let Some(settled) = table.settled() else { return 0.0 };
        let (rate, bank_rate) = (self.stand.lab.table.game.rules().commission, table.rules().commission_on_one_bet());
        let against: Chips = settled.bets.iter().flatten().map(|bet| bet.bet).sum();
        let covered = match table.bank() {
            Bank::House => 1.0,
            Bank::Seat { stake, .. } => (stake as f64 / against as f64).min(1.0),
        };
        let sign = |outcome: Outcome| i32::from(outcome == Outcome::Win) - i32::from(outcome == Outcome::Loss);
        if table.bank().is_player(SEAT) {
            let bets = settled.bets.iter().enumerate().filter_map(|(seat, bet)| Some((self.ways[seat]?, (*bet)?)));
            let luck = bets.map(|(way, result)| {
                luck_of_bet(result.bet, bank_rate, -sign(result.settlement.outcome), self.exact.against[way])
            });
            return covered * luck.sum::<f64>();
        }
        let Some(result) = settled.bets[SEAT] else { return 0.0 };
        let weights = if table.bank() == Bank::House { self.exact.own } else { self.exact.rival };
        covered * luck_of_bet(result.bet, rate, sign(result.settlement.outcome), weights.other_side())
    }
}

/// Returns the result of a bet minus its exact EV. `sign` is that of the result, and `weights` are from the same side.
fn luck_of_bet(bet: Chips, commission_rate: Rate, sign: i32, weights: OutcomeWeights) -> f64 {
    let probability = |part: u128| part as f64 / weights.all() as f64;
    let (lost, won) = (bet as f64, (bet - commission(commission_rate, bet)) as f64);
    let result = match sign {
        1.. => won,
        0 => 0.0,
        ..0 => -lost,
    };
    result - won * probability(weights.wins) + lost * probability(weights.losses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        for (freedom, quantile) in
            [(1, 12.706), (10, 2.228), (11, 2.201), (12, 2.179), (20, 2.086), (30, 2.042), (120, 1.98)]
        {
            assert!((student(freedom) - quantile).abs() < 1e-3, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn an_interval_is_that_of_students_t() {
        // The values have mean 3 and standard deviation sqrt(2.5), so half the width is 2.776 * sqrt(0.5).
        let Estimate { mean, ci: [low, high], .. } = Estimate::new(vec![1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((mean - 3.0).abs() < 1e-12 && (high - 3.0 - 2.776 * 0.5f64.sqrt()).abs() < 1e-9);
        assert!((low + high - 6.0).abs() < 1e-12);
    }
}
