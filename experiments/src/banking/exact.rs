//! Computes the exact EVs for taking the bank and for passing it.

use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{HOUSE_SEAT, MAX_SEATS, SeatView};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::{BankedBet, OutcomeWeights, bank_ev, player_ev};
use houseway_learned::tasks::banking::{BankOffer, BankingTable, MAX_OTHERS, OtherBet};
use std::sync::Arc;

/// The exact EVs of both answers.
#[derive(Clone)]
pub struct Exact {
    pub(super) table: Arc<BankingTable>,
    /// The learner's results when banking against each of the other players' strategies.
    pub against: Vec<OutcomeWeights>,
    /// The house bank's results against the learner.
    pub own: OutcomeWeights,
    /// A rival bank's results against the learner.
    pub rival: OutcomeWeights,
}

impl Exact {
    /// Returns two EVs in chips: for covering all bets, and for the player's own bet against the house.
    pub fn values(&self, situation: &BankOffer) -> (Ratio, Ratio) {
        let others = situation.others.iter().flatten();
        let bets: Vec<_> = others.map(|other| BankedBet { bet: other.bet, counts: self.against[other.way] }).collect();
        let bank = bank_ev(&self.table.rules, &bets).exact().expect("the commission is linear in the bets");
        let own = BankedBet { bet: situation.own, counts: self.own };
        (bank, player_ev(self.table.game.rules().commission, &own))
    }

    /// Returns `true` if banking has a higher EV than the player's own bet.
    pub fn takes(&self, situation: &BankOffer) -> bool {
        let (take, pass) = self.values(situation);
        take > pass
    }
}

/// Returns the situation as seen from a seat, given the strategies at the other seats.
pub(super) fn situation(view: &SeatView<'_>, ways: &[Option<usize>; MAX_SEATS], own: Chips) -> BankOffer {
    let mut others = [None; MAX_OTHERS];
    let seats = view.rules().seats;
    let clockwise = seats.clockwise(view.seat() + 1).filter(|&seat| seat != HOUSE_SEAT && seat != view.seat());
    for (other, seat) in others.iter_mut().zip(clockwise) {
        *other = ways[seat].filter(|_| view.bet(seat) > 0).map(|way| OtherBet { way, bet: view.bet(seat) });
    }
    BankOffer { own, funds: view.bank_funds(), others }
}
