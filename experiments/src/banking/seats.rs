//! Fills the seats for a session: the watched player, learned rivals, and patrons.

use super::config::{LEARNED, SessionConfig};
use super::exact::{Exact, situation};
use super::lab::BankingLab;
use super::population::{LearnedSetting, Member};
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::money::{Chips, commission};
use houseway_env::pai_gow::table::{Bank, BankRule, MAX_SEATS, Move, Phase, ResidentBank, SeatView, Table};
use houseway_env::pai_gow::{Hand, Outcome, Setting, Strategy, settings_in};
use houseway_exact::pai_gow::banking::OutcomeWeights;
use houseway_lab::analysis::pai_gow::table_run::{Kelly, Known, TableWay};
use houseway_learned::tasks::banking::{LearnedBanker, Objective, OtherBet, draw_bet};
use rand::RngExt;
use rand_pcg::Pcg64;

/// The watched player's seat.
pub(super) const SEAT: usize = 1;

/// The kinds of bankers.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Banker {
    Never,
    Always,
    Exact,
    Kelly,
    Learned(Objective),
    /// A learned banker that maximizes profit and also uses learned settings.
    LearnedSetting,
}

impl Banker {
    pub(super) fn name(self) -> &'static str {
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
pub(super) struct Patron {
    member: Member,
    /// The seed for the patron's random streams. There is one stream per round, so bets and settings don't depend on
    /// the other players.
    seed: u64,
    round: u64,
    rng: Pcg64,
}

impl Patron {
    pub(super) fn new(member: Member, seed: u64) -> Patron {
        Patron { member, seed, round: 0, rng: stream(seed.into()) }
    }

    pub(super) fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match (view.phase(), view.dealt()) {
            (Phase::Betting, _) => {
                self.round += 1;
                self.rng = stream(StreamSeed { seed: self.seed, lane: self.round });
                Move::Bet { bet: draw_bet(view.rules(), &mut self.rng), side: 0 }
            }
            (Phase::Banking, _) => Move::Pass,
            (_, Some(dealt)) => match &self.member.way {
                Some(way) => Move::Set(way.set(dealt.hand()).index()),
                None => {
                    let legal = view.game().legal_mask(dealt.hand());
                    let which = self.rng.random_range(0..legal.count_ones() as usize);
                    Move::Set(settings_in(legal).nth(which).expect("there are enough settings").index())
                }
            },
            (_, None) => Move::HouseWay,
        }
    }
}

/// Takes the bank with the given stake if the rules allow it, and passes otherwise.
fn answer(view: &SeatView<'_>, stake: Option<Chips>) -> Move {
    match stake.map(|stake| stake.min(view.bank_funds())) {
        Some(stake) if stake >= view.rules().bank_minimum => Move::Take { stake },
        _ => Move::Pass,
    }
}

/// A learned banker trained with another seed.
pub(super) struct Rival<'a> {
    pub(super) banker: &'a LearnedBanker,
    pub(super) setting: &'a LearnedSetting,
    pub(super) ways: [Option<usize>; MAX_SEATS],
    pub(super) bet: Chips,
}

impl Rival<'_> {
    fn decide(&self, view: &SeatView<'_>) -> Move {
        let has = view.bankroll(view.seat());
        match (view.phase(), view.dealt()) {
            (Phase::Betting, _) if has < view.rules().bet_minimum => Move::Bet { bet: 0, side: 0 },
            (Phase::Betting, _) => Move::Bet { bet: self.bet.min(has), side: 0 },
            (Phase::Banking, _) => {
                let mut ways = self.ways;
                ways[view.seat()] = None;
                let seen = situation(view, &ways, view.bet(view.seat()));
                answer(view, self.banker.stake(&seen, Objective::Profit))
            }
            (_, Some(dealt)) => Move::Set(self.setting.set(dealt.hand(), view.bank().is_player(view.seat())).index()),
            (_, None) => Move::HouseWay,
        }
    }
}

impl LearnedSetting {
    fn set(&self, hand: Hand, as_bank: bool) -> Setting {
        let way: &TableWay = if as_bank { &self.banker } else { &self.player };
        way.set(hand)
    }
}

/// An unwatched seat's occupant.
pub(super) enum Other<'a> {
    Nobody,
    Patron(Box<Patron>),
    Rival(Rival<'a>),
}

impl Other<'_> {
    pub(super) fn decide(&mut self, view: &SeatView<'_>) -> Move {
        match self {
            Other::Nobody => Move::Disconnect,
            Other::Patron(patron) => patron.decide(view),
            Other::Rival(rival) => rival.decide(view),
        }
    }
}

/// The watched player.
pub(super) struct Watched<'a> {
    pub(super) lab: &'a BankingLab,
    pub(super) config: &'a SessionConfig,
    pub(super) kind: Banker,
    pub(super) banker: &'a LearnedBanker,
    pub(super) setting: &'a LearnedSetting,
    pub(super) exact: &'a Exact,
    pub(super) ways: [Option<usize>; MAX_SEATS],
    pub(super) known: Known,
    /// The other players' bets in the last round. The next bet depends on them.
    pub(super) last: Vec<(usize, Chips)>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(
        lab: &'a BankingLab,
        config: &'a SessionConfig,
        kind: Banker,
        seed: usize,
        banker: &'a LearnedBanker,
        ways: [Option<usize>; MAX_SEATS],
    ) -> Watched<'a> {
        let exact = if kind == Banker::LearnedSetting { &lab.exact_learned[seed] } else { &lab.exact };
        let against = ways.map(|way| way.map(|way| lab.exact.against[way]));
        let known = Known { against, own: lab.exact.own, commission: lab.table.game.rules().commission };
        Watched { lab, config, kind, banker, setting: &lab.learned[seed], exact, ways, known, last: vec![] }
    }

    /// Returns the index of the strategy that the other players know the watched player to use.
    pub(super) fn way(&self) -> Option<usize> {
        match self.kind {
            Banker::LearnedSetting => self.lab.members.iter().position(|member| member.name == LEARNED),
            _ => Some(self.lab.table.own).filter(|&own| own < self.lab.table.others),
        }
    }

    pub(super) fn remember(&mut self, table: &Table) {
        let others = (SEAT + 1..MAX_SEATS).filter(|&seat| self.ways[seat].is_some());
        self.last.clear();
        self.last.extend(others.map(|seat| (seat, table.seat(seat).bet)));
    }

    fn bet(&self, view: &SeatView<'_>) -> Chips {
        let (rules, funds) = (view.rules(), view.bankroll(SEAT));
        let fixed = self.config.bet.min(funds);
        match self.kind {
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
        if as_before.against() == 0 { fixed } else { self.banker.bet(&as_before, &sizes, Objective::Growth) }
    }

    fn stake(&self, view: &SeatView<'_>) -> Option<Chips> {
        let seen = situation(view, &self.ways, view.bet(SEAT));
        match self.kind {
            Banker::Never => ResidentBank::Never.stake(view),
            Banker::Always => ResidentBank::Always.stake(view),
            Banker::Exact => self.exact.takes(&seen).then(|| seen.against()),
            Banker::Kelly => Kelly(self.known.clone()).stake(view),
            Banker::Learned(objective) => self.banker.stake(&seen, objective),
            Banker::LearnedSetting => self.banker.stake(&seen, Objective::Profit),
        }
    }

    pub(super) fn decide(&self, view: &SeatView<'_>) -> Move {
        match (view.phase(), view.dealt()) {
            (Phase::Betting, _) => Move::Bet { bet: self.bet(view), side: 0 },
            (Phase::Banking, _) => answer(view, self.stake(view)),
            (_, Some(dealt)) => {
                let as_bank = view.bank().is_player(SEAT);
                if self.kind == Banker::LearnedSetting {
                    return Move::Set(self.setting.set(dealt.hand(), as_bank).index());
                }
                let table = &self.lab.table;
                let way = &self.lab.members[if as_bank { table.banker } else { table.own }].way;
                way.as_ref().map_or(Move::HouseWay, |way| Move::Set(way.set(dealt.hand()).index()))
            }
            (_, None) => Move::HouseWay,
        }
    }

    /// Returns how lucky the cards were in a round, in chips. This is the result of the round's bets if all were
    /// covered, minus its exact EV, times the covered fraction. Bets and stakes are fixed before the cards are dealt,
    /// so the mean luck is zero whatever the player does. If all bets are covered, the result minus the luck is the
    /// exact EV.
    pub(super) fn luck(&self, table: &Table) -> f64 {
        let Some(settled) = table.settled() else { return 0.0 };
        let (rules, rate) = (table.rules(), self.lab.table.game.rules().commission);
        let paid = |bet: Chips| (bet - commission(rules.commission_on_one_bet(), bet)) as f64;
        let against: Chips = settled.bets.iter().flatten().map(|bet| bet.bet).sum();
        let covered = match table.bank() {
            Bank::House => 1.0,
            Bank::Seat { stake, .. } => (stake as f64 / against as f64).min(1.0),
        };
        let probability = |weights: &OutcomeWeights, part: u128| part as f64 / weights.all() as f64;
        if table.bank().is_player(SEAT) {
            let bets = settled.bets.iter().enumerate().filter_map(|(seat, bet)| Some((self.ways[seat]?, (*bet)?)));
            let luck = bets.map(|(way, result)| {
                let (bet, weights) = (result.bet as f64, &self.exact.against[way]);
                let came = match result.settlement.outcome {
                    Outcome::Win => -bet,
                    Outcome::Push => 0.0,
                    Outcome::Loss => paid(result.bet),
                };
                came - paid(result.bet) * probability(weights, weights.wins)
                    + bet * probability(weights, weights.losses)
            });
            return covered * luck.sum::<f64>();
        }
        let Some(result) = settled.bets[SEAT] else { return 0.0 };
        let weights = if table.bank() == Bank::House { &self.exact.own } else { &self.exact.rival };
        let (bet, won) = (result.bet as f64, (result.bet - commission(rate, result.bet)) as f64);
        let came = match result.settlement.outcome {
            Outcome::Win => won,
            Outcome::Push => 0.0,
            Outcome::Loss => -bet,
        };
        covered * (came - won * probability(weights, weights.losses) + bet * probability(weights, weights.wins))
    }
}
