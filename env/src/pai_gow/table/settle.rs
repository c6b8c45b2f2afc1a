//! The settlement of a round, in which every bet is compared with the bank, going clockwise from the action button.

use super::{CommissionOnBanker, HOUSE_SEAT, MAX_SEATS, TableRules, UncoveredBets};
use crate::money::{Chips, commission};
use crate::pai_gow::{BankerSet, Game, Outcome, SetHand, Settlement};
use serde::Serialize;

/// The bank in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// The house banks, with unlimited funds.
    House,
    /// A player banks.
    Seat {
        /// The player's seat.
        seat: usize,
        /// The most that the bank can lose, in chips.
        stake: Chips,
    },
}

impl Bank {
    /// Returns the banker's seat.
    #[inline]
    pub const fn seat(self) -> usize {
        match self {
            Bank::House => HOUSE_SEAT,
            Bank::Seat { seat, .. } => seat,
        }
    }

    /// Returns `true` if the player on this seat holds the bank.
    #[inline]
    pub fn is_player(self, seat: usize) -> bool {
        self != Bank::House && self.seat() == seat
    }
}

/// A bet and its set hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetBet {
    /// The bet in chips.
    pub bet: Chips,
    /// The set hand.
    pub set: SetHand,
}

/// The settlement of a single bet. Histories contain all of it except for the bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BetResult {
    /// The position in the order of settlement, starting from 0.
    pub order: usize,
    /// The bet in chips.
    #[serde(skip)]
    pub bet: Chips,
    /// The result of comparing the hands.
    #[serde(flatten)]
    pub settlement: Settlement,
    /// The part of the bet that the bank's funds covered at the time of its settlement.
    pub covered: Chips,
    /// The net result of the bet before commission, as paid or collected by the bank.
    pub net: Chips,
    /// The commission that the winner paid.
    pub commission: Chips,
}

/// The settlement of a round, not including side bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The settlements indexed by seat. Seats without a bet against the bank have `None`.
    pub bets: [Option<BetResult>; MAX_SEATS],
    /// The bank's net result before commission.
    pub bank_net: Chips,
    /// The commission that the bank paid.
    pub bank_commission: Chips,
}

/// Settles all bets clockwise from the button.
///
/// The funds of a player's bank consist of its stake and the bets it has collected, minus the bets it has paid and any
/// commission per bet. A bet is covered up to the funds that are left when its turn comes. A win is paid up to the
/// covered amount, and the uncovered part of a loss is subject to [`UncoveredBets`]. Winners pay commission on the
/// amount they are paid, except that the house pays none on its own hand.
#[inline]
pub fn settle(
    rules: &TableRules,
    game: &Game,
    bank: Bank,
    banker: BankerSet,
    wagers: &[Option<SetBet>; MAX_SEATS],
    button: usize,
) -> Settled {
    let mut funds = match bank {
        Bank::House => Chips::MAX / 2,
        Bank::Seat { stake, .. } => stake,
    };
    let (rate, mut order) = (game.rules().commission, 0);
    let mut settled = Settled { bets: [None; MAX_SEATS], bank_net: 0, bank_commission: 0 };
    for seat in rules.seats.clockwise(button) {
        let Some(SetBet { bet, set }) = wagers[seat] else { continue };
        let (covered, settlement) = (bet.min(funds), game.settle(set, banker));
        let net = match (settlement.outcome, rules.uncovered_bets) {
            (Outcome::Win, _) => covered,
            (Outcome::Push, _) => 0,
            (Outcome::Loss, UncoveredBets::Push) => -covered,
            (Outcome::Loss, UncoveredBets::Lose) => -bet,
        };
        let paid = if seat == HOUSE_SEAT { 0 } else { commission(rate, net) };
        settled.bets[seat] = Some(BetResult { order, bet, covered, settlement, net, commission: paid });
        (funds, order) = (funds - net, order + 1);
        settled.bank_net -= net;
        if let (Bank::Seat { .. }, CommissionOnBanker::PerBet) = (bank, rules.commission_on_banker) {
            // Deduct the commission right away, so that the bank never pays with chips it owes.
            let taken = commission(rules.bank_commission, -net);
            settled.bank_commission += taken;
            funds -= taken;
        }
    }
    if let (Bank::Seat { .. }, CommissionOnBanker::NetWin) = (bank, rules.commission_on_banker) {
        settled.bank_commission = commission(rules.bank_commission, settled.bank_net);
    }
    settled
}

/// The maximum bankroll of a player in chips. This limit keeps all sums exact.
pub const MAX_BANKROLL: Chips = 1_000_000_000_000;

/// The money that the house has received since the table was opened. Amounts that it has paid count as negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Books {
    /// The result of the house's bank and of its hands against players' banks, before commission.
    pub hands: Chips,
    /// The result of all side bets.
    pub side_bets: Chips,
    /// The commission paid by players and by players' banks.
    pub commissions: Chips,
}

impl Books {
    /// Returns the house's total result. This equals the players' total loss.
    pub const fn total(&self) -> Chips {
        self.hands + self.side_bets + self.commissions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::{Hand, Rules, Setting};
    use crate::rules::RuleSet;

    /// Returns a winning, a pushing and a losing hand against the banker's hand, followed by the banker's hand itself.
    fn hands() -> [SetHand; 4] {
        let game = Game::new(Rules::default());
        [
            ("As Ad Kh Kc Qs 3d 2c", "Kh Kc"),
            ("Js Jd 9h 6c 4s 3d 2c", "9h 6c"),
            ("9s 7d 6h 5c 4s 3d 2c", "7d 6h"),
            ("Ts Td 5h 5c 7s 3s 2d", "5h 5c"),
        ]
        .map(|(hand, front)| {
            let hand: Hand = hand.parse().unwrap();
            game.set(hand, Setting::with_front(hand, front.parse().unwrap()).unwrap())
        })
    }

    fn rules(readings: &[&str]) -> TableRules {
        readings.iter().fold(TableRules::default(), |rules, reading| rules.with(reading).unwrap())
    }

    /// Settles bets on the given seats against a bank on seat 4 with the given stake, starting at `button`.
    fn settled(rules: &TableRules, bets: &[(usize, Chips, SetHand)], stake: Chips, button: usize) -> Settled {
        let mut wagers = [None; MAX_SEATS];
        bets.iter().for_each(|&(seat, bet, set)| wagers[seat] = Some(SetBet { bet, set }));
        let bank = Bank::Seat { seat: 4, stake };
        settle(rules, &Game::new(Rules::default()), bank, BankerSet::plain(hands()[3]), &wagers, button)
    }

    #[test]
    fn the_hands_have_the_expected_outcomes() {
        let [win, push, loss, banker] = hands();
        let game = Game::new(Rules::default());
        let outcome = |set| game.settle(set, BankerSet::plain(banker)).outcome;
        assert_eq!([win, push, loss].map(outcome), [Outcome::Win, Outcome::Push, Outcome::Loss]);
    }

    #[test]
    fn bets_are_covered_in_the_order_of_settlement() {
        let [win, _, loss, _] = hands();
        let bets = [(1, 100, win), (2, 60, loss), (6, 100, win)];
        let nets = |rules: &TableRules, stake, button| {
            let settled = settled(rules, &bets, stake, button);
            [1, 2, 6].map(|seat| settled.bets[seat].unwrap().net)
        };
        // Starting at seat 1, its win takes the entire stake, so the other bets are not covered.
        assert_eq!(nets(&rules(&[]), 100, 1), [100, 0, 0]);
        // The uncovered loser still pays, which covers part of the bet on seat 6.
        assert_eq!(nets(&rules(&["uncovered-bets=lose"]), 100, 1), [100, -60, 60]);
        // Starting at seat 2, the lost bet adds to the funds.
        assert_eq!(nets(&rules(&[]), 100, 2), [60, -60, 100]);
        assert_eq!(nets(&rules(&[]), 140, 2), [100, -60, 100]);
        // Empty seats are skipped.
        assert_eq!(nets(&rules(&[]), 30, 3), [0, 0, 30]);
        // A loser whose bet is half covered loses half of it.
        assert_eq!(nets(&rules(&[]), 120, 1), [100, -20, 40]);
    }

    #[test]
    fn commission_on_the_bank_by_reading() {
        let [win, _, loss, _] = hands();
        let bets = [(1, 100, win), (2, 300, loss), (6, 100, win)];
        let commission = |reading: &str| {
            let settled = settled(&rules(&[reading]), &bets, 1_000, 1);
            assert_eq!((settled.bank_net, settled.bets[1].unwrap().commission), (100, 5));
            settled.bank_commission
        };
        let readings = ["net_win", "per_bet", "none"].map(|option| format!("commission-on-banker={option}"));
        assert_eq!(readings.each_ref().map(|reading| commission(reading)), [5, 15, 0]);
    }

    #[test]
    fn the_house_pays_all_and_no_commission() {
        let [win, _, _, banker] = hands();
        let mut wagers = [Some(SetBet { bet: 1_000_000, set: win }); MAX_SEATS];
        wagers[HOUSE_SEAT] = None;
        let settled =
            settle(&rules(&[]), &Game::new(Rules::default()), Bank::House, BankerSet::plain(banker), &wagers, 3);
        assert_eq!((settled.bank_net, settled.bank_commission), (-6_000_000, 0));
        assert!((1..7).all(|seat| settled.bets[seat].unwrap().commission == 50_000));
        assert_eq!([3, 6, 1, 2].map(|seat| settled.bets[seat].unwrap().order), [0, 3, 4, 5]);
        // The house pays no commission on its own hand against a player's bank.
        let house = [(HOUSE_SEAT, 100, win)];
        assert_eq!(super::tests::settled(&rules(&[]), &house, 100, 0).bets[0].unwrap().commission, 0);
    }
}
