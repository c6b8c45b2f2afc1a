//! Rewards for all answers in a situation, dealt and settled under the table's rules.

use super::{ANSWERS, BankOffer, BankingTable, MAX_WAYS, OtherBet};
use houseway_env::cards::Pack;
use houseway_env::cards::profile::Profiles;
use houseway_env::money::{Chips, commission};
use houseway_env::pai_gow::table::{Bank, ButtonWithoutHand, Dice, HOUSE_SEAT, HouseHand, MAX_SEATS, SetBet, settle};
use houseway_env::pai_gow::{BankerSet, CARDS, Dealt, HANDS, Outcome, SetHand};
use rand::Rng;

/// The seat that is offered the bank. The other seats follow clockwise.
const SEAT: usize = 1;

/// The number of seatings in which every deal is played.
pub(super) const SEATINGS: usize = 2 * HANDS;

/// A lower bound on the factor by which the funds change. The logarithm would be infinite if all funds were lost.
const MIN_GROWTH: f64 = 0.05;

/// Returns the mean rewards for each answer over `deals` deals. The first reward is the profit divided by the sum of
/// all bets. The second is the logarithm of the factor by which the funds change, multiplied by the funds and divided
/// by the sum of all bets. For small bets, the two are almost equal.
///
/// Every deal is played in fourteen equally likely seatings. The seven hands rotate through the seats in both
/// directions, so each pair of hands meets with either one as the bank's hand, and most of the luck of the cards
/// cancels out. Rounds are settled as at the table.
pub fn rewards(table: &BankingTable, situation: &BankOffer, deals: usize, rng: &mut impl Rng) -> [[f32; 2]; ANSWERS] {
    let (mut sums, mut pack) = ([[0f64; 2]; ANSWERS], Pack::new(CARDS));
    let (money, funds) = (situation.money() as f64, situation.funds as f64);
    for _ in 0..deals {
        pack.gather();
        let hands = Hands::deal(table, situation, &mut pack, rng);
        let dice = || Dice::roll(&mut *rng);
        let button = button(table, situation, dice);
        for seating in 0..SEATINGS {
            for (answer, sum) in sums.iter_mut().enumerate() {
                let net = match answer {
                    0 => hands.pass(table, situation, seating),
                    _ => hands.take(table, situation, seating, situation.stake(&table.rules, answer), button),
                };
                sum[0] += net as f64 / money;
                sum[1] += ((funds + net as f64) / funds).max(MIN_GROWTH).ln() * funds / money;
            }
        }
    }
    sums.map(|sums| sums.map(|sum| (sum / (deals * SEATINGS) as f64) as f32))
}

/// Draws the button's seat for a round in which the learner banks.
fn button(table: &BankingTable, situation: &BankOffer, mut dice: impl FnMut() -> Dice) -> usize {
    let has_hand = |seat: usize| match seat {
        HOUSE_SEAT => table.rules.house_hand_when_player_banks == HouseHand::Dealt,
        _ => seat.checked_sub(SEAT + 1).is_some_and(|other| situation.others[other].is_some()),
    };
    loop {
        let seat = dice().seat(SEAT, table.rules.seats);
        if has_hand(seat) || table.rules.button_without_hand == ButtonWithoutHand::NextOccupied {
            return seat;
        }
    }
}

/// The seven hands of a deal, each set with every strategy that is used in the situation.
struct Hands {
    sets: [[SetHand; HANDS]; MAX_WAYS],
    /// The hands as set by the learner's bank and by the house's bank.
    banks: [[BankerSet; HANDS]; 2],
}

impl Hands {
    fn deal(table: &BankingTable, situation: &BankOffer, pack: &mut Pack, rng: &mut impl Rng) -> Hands {
        let profiles = Profiles::get();
        let mut hands = Hands { sets: Default::default(), banks: Default::default() };
        let asked = situation.others.iter().flatten().map(|other| other.way);
        let asked = asked.chain([table.own, table.banker, table.house]).fold(0u32, |mask, way| mask | 1 << way);
        for i in 0..HANDS {
            let dealt = Dealt::draw(pack, rng).expect("a pack has seven hands");
            let profile = dealt.profile(profiles);
            for (w, (way, sets)) in table.ways.iter().zip(&mut hands.sets).enumerate() {
                if asked >> w & 1 == 1 {
                    sets[i] = way.set(&table.game, dealt, profile, rng);
                }
            }
            for (bank, way) in hands.banks.iter_mut().zip([table.banker, table.house]) {
                bank[i] = table.game.banker_set(dealt.hand(), hands.sets[way][i]);
            }
        }
        hands
    }

    /// Returns the index of the hand at a seat.
    fn index(seating: usize, seat: usize) -> usize {
        let first = seating % HANDS;
        if seating < HANDS { (first + seat) % HANDS } else { (first + HANDS - seat) % HANDS }
    }

    /// Returns the learner's net result from betting against the house bank.
    fn pass(&self, table: &BankingTable, situation: &BankOffer, seating: usize) -> Chips {
        let (own, bank) =
            (self.sets[table.own][Self::index(seating, SEAT)], self.banks[1][Self::index(seating, HOUSE_SEAT)]);
        let outcome = table.game.settle(own, bank).outcome;
        match outcome {
            Outcome::Win => situation.own - commission(table.game.rules().commission, situation.own),
            Outcome::Push => 0,
            Outcome::Loss => -situation.own,
        }
    }

    /// Returns the learner's net result from banking with this stake, after commission.
    fn take(&self, table: &BankingTable, situation: &BankOffer, seating: usize, stake: Chips, button: usize) -> Chips {
        let mut wagers = [None; MAX_SEATS];
        for (seat, other) in (SEAT + 1..).zip(situation.others) {
            let set = |way: usize| self.sets[way][Self::index(seating, seat)];
            wagers[seat] = other.map(|OtherBet { way, bet }| SetBet { bet, set: set(way) });
        }
        if table.rules.house_hand_when_player_banks == HouseHand::Dealt {
            let set = self.sets[table.house][Self::index(seating, HOUSE_SEAT)];
            wagers[HOUSE_SEAT] = Some(SetBet { bet: table.rules.house_bet, set });
        }
        let bank = Bank::Seat { seat: SEAT, stake };
        let settled =
            settle(&table.rules, &table.game, bank, self.banks[0][Self::index(seating, SEAT)], &wagers, button);
        settled.bank_net - settled.bank_commission
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::table;
    use super::super::{SeatStrategy, TAKE_ALL};
    use super::*;
    use houseway_env::gym::stream;
    use std::sync::Arc;

    #[test]
    fn seatings_give_every_hand_to_every_seat_and_every_pair_both_ways() {
        let mut pairs = std::collections::BTreeMap::new();
        for seating in 0..2 * HANDS {
            let mut seen = [false; HANDS];
            (0..HANDS).for_each(|seat| seen[Hands::index(seating, seat)] = true);
            assert!(seen.iter().all(|&seen| seen));
            for seat in (0..HANDS).filter(|&seat| seat != SEAT) {
                *pairs.entry((Hands::index(seating, SEAT), Hands::index(seating, seat))).or_insert(0) += 1;
            }
        }
        assert!(pairs.len() == 42 && pairs.values().all(|&times| times == 2));
    }

    #[test]
    fn rewards_are_those_of_rounds_at_the_table() {
        use houseway_env::pai_gow::Paytable;
        use houseway_env::pai_gow::table::{Move, Phase, Setup, Table};
        let (table, mut rng) = (table(), stream(3.into()));
        let bet = |bet| Some(OtherBet { way: 0, bet });
        let situation = BankOffer { own: 200, funds: 700, others: [bet(400), None, bet(100), bet(300), None] };
        let rules = table.rules;
        let learned = rewards(table, &situation, 20_000, &mut rng);
        let SeatStrategy::Way(way) = &table.ways[0] else { panic!("the first way is one") };
        let setup = Setup::new(table.rules, Arc::clone(&table.game), Arc::clone(way), Paytable::default());
        let setup = Arc::new(setup.unwrap());
        let rounds = 60_000;
        for answer in [0, 4, TAKE_ALL] {
            let stake = if answer > 0 { situation.stake(&rules, answer) } else { 0 };
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..rounds {
                let mut table = Table::new(Arc::clone(&setup), &[700, 400, 0, 100, 300]).unwrap();
                assert!(table.begin());
                while let Some(seat) = table.acting().first() {
                    let done = match table.phase() {
                        Phase::Betting => Move::Bet { bet: [0, 200, 400, 0, 100, 300][seat], side: 0 },
                        Phase::Banking if seat == 1 && answer > 0 => Move::Take { stake },
                        Phase::Banking => Move::Pass,
                        _ => Move::HouseWay,
                    };
                    table.play(seat, done, &mut rng).unwrap();
                }
                let net = table.seat(1).net() as f64 / situation.money() as f64;
                (sum, squares) = (sum + net, squares + net * net);
            }
            let mean = sum / f64::from(rounds);
            let error = ((squares / f64::from(rounds) - mean * mean) / f64::from(rounds)).sqrt();
            let found = f64::from(learned[answer][0]);
            assert!((found - mean).abs() < 4.5 * error, "answer {answer}: {found} {mean} {error}");
        }
    }
}
