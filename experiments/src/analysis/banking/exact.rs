//! Exact EVs of taking the bank and of passing it, in one situation.

use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{HOUSE_SEAT, MAX_SEATS, SeatView};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::{BankedBet, Weights, bank_ev, player_ev};
use houseway_learned::tasks::banking::{BankingTable, MAX_OTHERS, OtherBet, Situation};
use std::sync::Arc;

/// The exact values of the two answers.
#[derive(Clone)]
pub struct Exact {
    pub(super) table: Arc<BankingTable>,
    /// The bank of the learner against each of the others' ways.
    pub against: Vec<Weights>,
    /// The house's bank against the learner's way.
    pub own: Weights,
    /// A rival's bank against the learner's way.
    pub rival: Weights,
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

/// A situation from what a seat sees, when it is known which way each of the other seats has.
pub(super) fn situation(view: &SeatView<'_>, ways: &[Option<usize>; MAX_SEATS], own: Chips) -> Situation {
    let mut others = [None; MAX_OTHERS];
    let seats = view.rules().seats;
    let clockwise = seats.clockwise(view.seat() + 1).filter(|&seat| seat != HOUSE_SEAT && seat != view.seat());
    for (other, seat) in others.iter_mut().zip(clockwise) {
        *other = ways[seat].filter(|_| view.bet(seat) > 0).map(|way| OtherBet { way, bet: view.bet(seat) });
    }
    Situation { own, funds: view.bank_funds(), others }
}
