//! Settling a round: every bet against the bank, clockwise from the action button.

use super::{CommissionOnBanker, HOUSE_SEAT, MAX_SEATS, TableRules, UncoveredBets};
use crate::money::{Chips, commission};
use crate::pai_gow::{Game, Outcome, SetHand, Settlement};

/// Who banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// The house, whose funds never run out.
    House,
    /// A player.
    Seat {
        /// The player's seat.
        seat: usize,
        /// What the bank can lose, in chips.
        stake: Chips,
    },
}

impl Bank {
    /// The seat that banks.
    #[inline]
    pub const fn seat(self) -> usize {
        match self {
            Bank::House => HOUSE_SEAT,
            Bank::Seat { seat, .. } => seat,
        }
    }

    /// Whether a player banks on this seat.
    #[inline]
    pub fn is_player(self, seat: usize) -> bool {
        self != Bank::House && self.seat() == seat
    }
}

/// A bet with its hand, set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wager {
    /// The bet.
    pub bet: Chips,
    /// What its hand was made into.
    pub set: SetHand,
}

/// How one bet ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetResult {
    /// Place in the order of settling, from 0.
    pub order: usize,
    /// The bet.
    pub bet: Chips,
    /// The part of it that the bank's funds covered when its turn came.
    pub covered: Chips,
    /// The comparison of the hands.
    pub settlement: Settlement,
    /// What the bank paid for it, or minus what it collected; before commission.
    pub net: Chips,
    /// The commission that the winner pays.
    pub commission: Chips,
}

/// How a round ended, side bets apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// By seat; `None` for seats without a bet against the bank.
    pub bets: [Option<BetResult>; MAX_SEATS],
    /// What the bank won, below zero if it lost; before commission.
    pub bank_net: Chips,
    /// The commission that the bank pays.
    pub bank_commission: Chips,
}

/// Settles all bets clockwise from the button. The banker's hand stands as [`Game::banker_set`] gives it.
///
/// The funds of a player's bank begin with its stake; what it collects is added, less a commission per bet, and what it pays
/// is taken away. A bet is covered up to the funds left when its turn comes: a win is paid that far, and what is not covered goes by
/// [`UncoveredBets`]. A winner pays the commission on what he is paid, the house on its own hand none.
#[inline]
pub fn settle(
    rules: &TableRules,
    game: &Game,
    bank: Bank,
    banker: SetHand,
    wagers: &[Option<Wager>; MAX_SEATS],
    button: usize,
) -> Settled {
    let mut funds = match bank {
        Bank::House => Chips::MAX / 2,
        Bank::Seat { stake, .. } => stake,
    };
    let (rate, mut order) = (game.rules().commission, 0);
    let mut settled = Settled { bets: [None; MAX_SEATS], bank_net: 0, bank_commission: 0 };
    for seat in rules.seats.clockwise(button) {
        let Some(Wager { bet, set }) = wagers[seat] else { continue };
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
            // It is taken at once, so that the bank never pays with chips that are not its own.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::{Hand, Rules, Setting};
    use crate::rules::RuleSet;

    /// A winner, a pusher and a loser against the banker, and the banker.
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

    /// Bets on the seats named, settled with the button at `button` against seat 4 with this stake.
    fn settled(rules: &TableRules, bets: &[(usize, Chips, SetHand)], stake: Chips, button: usize) -> Settled {
        let mut wagers = [None; MAX_SEATS];
        bets.iter().for_each(|&(seat, bet, set)| wagers[seat] = Some(Wager { bet, set }));
        let bank = Bank::Seat { seat: 4, stake };
        settle(rules, &Game::new(Rules::default()), bank, hands()[3], &wagers, button)
    }

    #[test]
    fn the_hands_are_what_the_tests_need() {
        let [win, push, loss, banker] = hands();
        let game = Game::new(Rules::default());
        let outcome = |set| game.settle(set, banker).outcome;
        assert_eq!([win, push, loss].map(outcome), [Outcome::Win, Outcome::Push, Outcome::Loss]);
    }

    #[test]
    fn who_is_settled_first_is_paid() {
        let [win, _, loss, _] = hands();
        let bets = [(1, 100, win), (2, 60, loss), (6, 100, win)];
        let nets = |rules: &TableRules, stake, button| {
            let settled = settled(rules, &bets, stake, button);
            [1, 2, 6].map(|seat| settled.bets[seat].unwrap().net)
        };
        // From seat 1: it takes the whole stake, the loser has nothing against him, seat 6 neither.
        assert_eq!(nets(&rules(&[]), 100, 1), [100, 0, 0]);
        // The loser pays all the same: that pays part of seat 6.
        assert_eq!(nets(&rules(&["uncovered-bets=lose"]), 100, 1), [100, -60, 60]);
        // From seat 2: what the loser pays adds to the funds.
        assert_eq!(nets(&rules(&[]), 100, 2), [60, -60, 100]);
        assert_eq!(nets(&rules(&[]), 140, 2), [100, -60, 100]);
        // Empty seats are passed over.
        assert_eq!(nets(&rules(&[]), 30, 3), [0, 0, 30]);
        // A loser who is half covered loses half.
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
        let mut wagers = [Some(Wager { bet: 1_000_000, set: win }); MAX_SEATS];
        wagers[HOUSE_SEAT] = None;
        let settled = settle(&rules(&[]), &Game::new(Rules::default()), Bank::House, banker, &wagers, 3);
        assert_eq!((settled.bank_net, settled.bank_commission), (-6_000_000, 0));
        assert!((1..7).all(|seat| settled.bets[seat].unwrap().commission == 50_000));
        assert_eq!([3, 6, 1, 2].map(|seat| settled.bets[seat].unwrap().order), [0, 3, 4, 5]);
        // Against a player's bank the house's own hand pays none.
        let house = [(HOUSE_SEAT, 100, win)];
        assert_eq!(super::tests::settled(&rules(&[]), &house, 100, 0).bets[0].unwrap().commission, 0);
    }
}
