//! The view of a player at a table of Ultimate Texas Hold'em.

use super::{Action, Game, State, TripsOnFold, UltimateHoldemOptions};
use crate::gym::{Comparison, Payout, PublicAction, PublicBet, PublicPart, PublicSeat, PublicTable};
use crate::rank::FiveStrength;

impl Game {
    /// Returns the bets with an amount on Play: Ante, Blind, Play, Trips and, if there is one, the progressive.
    pub(super) fn bets(&self, options: &UltimateHoldemOptions, play: f64) -> Vec<PublicBet> {
        let UltimateHoldemOptions { ante, trips, progressive } = *options;
        let even = Payout::only(1);
        let mut bets = vec![
            PublicBet::placed("Ante", "ante", ante, even.clone()),
            PublicBet {
                name: "Blind".to_owned(),
                stake: ante,
                pays: Payout::rows(&self.rules().blind_table),
                ..PublicBet::default()
            },
            PublicBet { name: "Play".to_owned(), stake: play, pays: even, ..PublicBet::default() },
            PublicBet::placed("Trips", "trips", trips, Payout::rows(&self.rules().trips_table)),
        ];
        bets.extend(self.progressive().map(|table| PublicBet {
            name: "Progressive".to_owned(),
            stake: f64::from(u8::from(progressive)),
            pays: Payout::rows(table),
            ..PublicBet::default()
        }));
        bets
    }

    pub(super) fn table(&self, state: &State) -> PublicTable {
        let (options, stage) = (&state.options, state.stage());
        let shown = state.board();
        let mut cards: Vec<String> = shown.iter().map(|card| card.to_string()).collect();
        cards.resize(5, PublicPart::FACE_DOWN.to_owned());
        let mut table = PublicTable {
            seats: vec![PublicSeat::banker("dealer"), PublicSeat::own()],
            board: vec![PublicPart::new("board", cards.join(" "))],
            bets: self.bets(options, f64::from(state.seat.play) * options.ante),
            ..PublicTable::default()
        };
        let words = |strength: FiveStrength| self.best().ranking().words(strength);
        let best = |hole: super::Hole| self.best().ranking().best(shown.union(hole.set()));
        let mut own = PublicPart::new("hand", state.hole());
        if !shown.is_empty() {
            own.rank = words(best(state.hole()));
        }
        let mut dealers = PublicPart::hidden("hand", 2);
        if let Some(dealer) = state.dealer() {
            let [mine, theirs] = [state.hole(), dealer].map(best);
            dealers = PublicPart::new("hand", dealer).ranked(words(theirs));
            let end = self.end(mine, theirs);
            if !end.qualified {
                table.notes.push("The dealer doesn't qualify.".to_owned());
            }
            if state.seat.folded {
                table.seats[1].outcome = Some("fold".to_owned());
            } else {
                let result = Comparison::new(end.winner, false);
                (own, dealers) = (own.compared(result), dealers.compared(result.reversed()));
            }
            self.settle(state, &mut table.bets, [mine, theirs]);
        } else {
            table.actions = self.actions_in_words(state);
        }
        (table.seats[0].hand, table.seats[1].hand) = (vec![dealers], vec![own]);
        debug_assert!(stage.board_cards() == shown.len());
        table
    }

    /// Splits the result of a finished hand into those of the bets.
    fn settle(&self, state: &State, bets: &mut [PublicBet], [mine, theirs]: [FiveStrength; 2]) {
        let UltimateHoldemOptions { ante, trips, .. } = state.options;
        let (end, hand, folded) = (self.end(mine, theirs), self.best().category(mine), state.seat.folded);
        let units = |half_antes: i32| f64::from(half_antes) / 2.0;
        let on_ante = if folded { -1.0 } else { units(self.ante(end)) };
        let on_blind = if folded { -1.0 } else { units(self.blind(end, hand)) };
        let play = if folded { 0.0 } else { f64::from(self.play(end)) };
        let on_trips = units(if folded { self.trips_after_fold(hand) } else { self.trips(hand) });
        let on_token = self.progressive().map_or(0.0, |table| {
            let closed = folded && self.rules().trips_on_fold == TripsOnFold::Lost;
            table.units(hand).filter(|_| !closed).map_or(-1.0, |half_antes| f64::from(half_antes) / 2.0)
        });
        let play = play * bets[2].stake;
        let nets = [on_ante * ante, on_blind * ante, play, on_trips * trips, on_token];
        for (bet, net) in bets.iter_mut().zip(nets) {
            *bet = bet.clone().settled(net);
        }
    }

    fn actions_in_words(&self, state: &State) -> Vec<PublicAction> {
        let legal = |action: &Action| state.seat.is_legal(self.rules().preflop_play, *action);
        let words = |action: Action| {
            let antes = action.antes();
            let words = match action {
                Action::Check => "Check".to_owned(),
                Action::Fold => "Fold".to_owned(),
                _ => format!("Play {antes}×"),
            };
            PublicAction { action: action.index(), words, price: f64::from(antes) * state.options.ante }
        };
        Action::ALL.into_iter().filter(legal).map(words).collect()
    }
}
