//! The view of a player at a table of Pai Gow Poker.

use super::env::Round;
use super::{BankedGame, BankerSet, BankerStrategy, Game, Hand, PaiGowOptions, SetHand, Setting, State};
use crate::gym::{Comparison, Payout, PublicBet, PublicPart, PublicSeat, PublicTable};

impl Game {
    /// Returns the front and the back of a set hand, with their ranks in words.
    pub(super) fn public_halves(&self, hand: Hand, setting: Setting) -> Vec<PublicPart> {
        let set = self.set(hand, setting);
        let front = PublicPart::new("front", setting.front(hand)).ranked(set.front.words());
        let back = PublicPart::new("back", setting.back(hand)).ranked(self.ranking().words(set.back));
        vec![front, back]
    }

    /// Adds the results to the halves of a player, or of the banker if `is_banker`. If every bet pushes, nothing is
    /// compared.
    pub(super) fn compare_halves(
        &self,
        halves: &mut [PublicPart],
        player: SetHand,
        banker: BankerSet,
        is_banker: bool,
    ) {
        if banker.pushes() {
            return;
        }
        let banker = banker.strengths();
        let orders = [player.front.cmp(&banker.front), player.back.cmp(&banker.back)];
        for (half, order) in halves.iter_mut().zip(orders) {
            let result = Comparison::new(self.won(order).cmp(&0), order.is_eq());
            half.result = Some(if is_banker { result.reversed() } else { result });
        }
    }

    /// Returns what a bet on the hand pays.
    pub(super) fn public_odds(&self) -> Vec<Payout> {
        Payout::only(f64::from(1_000_000 - self.rules().commission_on_win().millionths()) / 1e6)
    }
}

impl<B: BankerStrategy + ?Sized> BankedGame<B> {
    pub(super) fn bets(&self, options: &PaiGowOptions) -> Vec<PublicBet> {
        let PaiGowOptions { stake, side_stake, .. } = *options;
        vec![
            PublicBet::placed("Bet", "stake", stake, self.game().public_odds()),
            PublicBet::placed("Side bet", "side-stake", side_stake, vec![]).paid_by(self.paytable()),
        ]
    }

    /// Returns the table with an opponent of this name, whose hand is shown before the player sets theirs if `is_shown`.
    pub(super) fn table(&self, state: &State, opponent: &str, is_shown: bool) -> PublicTable {
        let (game, player, banker) = (self.game(), state.player.hand(), state.banker.hand());
        let set_banker = || game.public_halves(banker, self.banker().set(banker));
        let mut seats = [PublicSeat::banker(opponent), PublicSeat::own()];
        let given = state.options.hand.map(|_| "Your hand is chosen, and only the banker's is dealt.".to_owned());
        let notes: Vec<String> = given.into_iter().collect();
        let Some(round) = self.round(state) else {
            let bets = self.bets(&state.options);
            seats[0].hand = if is_shown { set_banker() } else { vec![PublicPart::hidden("cards", Hand::CARDS)] };
            seats[1].hand = vec![PublicPart::new("cards", player)];
            return PublicTable { notes, seats: seats.into(), bets, ..PublicTable::default() };
        };
        let Round { player_set, settlement, reward, .. } = round;
        let compared = game.banker_set(banker, round.banker_set);
        seats[0].hand = set_banker();
        seats[1].hand = game.public_halves(player, round.player_setting);
        for (is_banker, seat) in [(true, 0), (false, 1)] {
            game.compare_halves(&mut seats[seat].hand, player_set, compared, is_banker);
        }
        seats[1].outcome = Some(format!("{}{}", settlement.outcome, settlement.remark()));
        let main = state.options.stake * game.payoff(settlement.outcome);
        let bets = self.bets(&state.options).into_iter().zip([main, reward - main]);
        let bets = bets.map(|(bet, net)| bet.settled(net)).collect();
        PublicTable { notes, seats: seats.into(), bets, ..PublicTable::default() }
    }
}
