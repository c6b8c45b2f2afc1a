//! The seats, the dice, the bank, and the settlement of a round, in which every bet is compared with the bank, going
//! clockwise from the action button.

use super::{CommissionOnBanker, TableRules, UncoveredBets};
use crate::money::{Chips, commission};
use crate::pai_gow::{BankerSet, Game, HANDS, Outcome, SetHand, Settlement};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// The maximum number of seats. One deck has enough cards for this many hands.
pub const MAX_SEATS: usize = HANDS;

/// The house's seat. When the house banks, this is the banker's seat. When a player banks, it is either empty or has a
/// hand for the house. Players sit on the following seats, clockwise.
pub const HOUSE_SEAT: usize = 0;

/// The number of seats at a table, including the house's.
///
/// There are 2 to 7 seats, because seven hands take 49 of the 53 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "usize")]
pub struct TableSize(u8);

impl TableSize {
    /// The maximum of seven seats.
    pub const SEVEN: TableSize = TableSize(MAX_SEATS as u8);

    /// Returns the number of seats.
    #[inline]
    pub const fn seats(self) -> usize {
        self.0 as usize
    }

    /// Returns the number of player seats, not including the house's.
    #[inline]
    pub const fn players(self) -> usize {
        self.0 as usize - 1
    }

    /// Iterates over all seats once, going clockwise from the given seat.
    #[inline]
    pub fn clockwise(self, from: usize) -> impl Iterator<Item = usize> {
        let seats = self.seats();
        (0..seats).map(move |i| (from + i) % seats)
    }
}

impl TryFrom<usize> for TableSize {
    type Error = String;

    fn try_from(seats: usize) -> Result<TableSize, String> {
        match seats {
            2..=MAX_SEATS => Ok(TableSize(seats as u8)),
            _ => Err(format!(
                "invalid number of seats {seats}: one deck has seven hands, so a table has 2 to {MAX_SEATS} seats, \
                 including the house's"
            )),
        }
    }
}

/// A throw of three dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dice(pub [u8; 3]);

impl Dice {
    /// Throws the dice.
    pub fn roll(rng: &mut impl Rng) -> Dice {
        Dice(std::array::from_fn(|_| rng.random_range(1..=6)))
    }

    /// Returns the sum of the dice, from 3 to 18.
    pub fn total(self) -> usize {
        self.0.iter().map(|&die| usize::from(die)).sum()
    }

    /// Returns the seat that the sum selects. Seats are counted clockwise, starting with the banker's own seat as 1 and
    /// including empty seats.
    pub fn seat(self, banker: usize, size: TableSize) -> usize {
        (banker + self.total() - 1) % size.seats()
    }
}

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
    /// The commission that the winner paid, and the fee for the hand.
    pub commission: Chips,
}

/// The settlement of a round, not including side bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The settlements indexed by seat. Seats without a bet against the bank have `None`.
    pub bets: [Option<BetResult>; MAX_SEATS],
    /// The bank's net result before commission.
    pub bank_net: Chips,
    /// The commission that the bank paid, and its fee for the round.
    pub bank_commission: Chips,
}

/// Settles all bets clockwise from the button.
///
/// The funds of a player's bank consist of its stake and the bets it has collected, minus the bets it has paid and any
/// commission per bet. A bet is covered up to the funds that are left when its turn comes. A win is paid up to the
/// covered amount, and the uncovered part of a loss is subject to [`UncoveredBets`]. Winners pay commission on the
/// amount they are paid, except that the house pays none on its own hand. Fees for each hand don't affect the bank's
/// funds.
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
    let (rate, collection, mut order) = (game.rules().commission, game.rules().collection, 0);
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
        let paid = if seat == HOUSE_SEAT { 0 } else { commission(rate, net) + collection.fee(bet) };
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
    if let Bank::Seat { .. } = bank {
        let bets = wagers.iter().flatten().map(|wager| wager.bet).sum();
        settled.bank_commission += rules.bank_collection.fee(bets);
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
    /// The commission and the fees paid by players and by players' banks.
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
    use super::super::tests::rules;
    use super::*;
    use crate::gym::{AgentSet, stream};
    use crate::pai_gow::{Hand, Rules, Setting};

    impl Dice {
        /// Iterates over all 216 throws.
        pub fn all() -> impl Iterator<Item = Dice> {
            (0..216u8).map(|i| Dice([i / 36 + 1, i / 6 % 6 + 1, i % 6 + 1]))
        }
    }

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

    /// Settles bets on the given seats against a bank on seat 4 with the given stake, starting at `button`.
    fn settled(rules: &TableRules, bets: &[(usize, Chips, SetHand)], stake: Chips, button: usize) -> Settled {
        let mut wagers = [None; MAX_SEATS];
        bets.iter().for_each(|&(seat, bet, set)| wagers[seat] = Some(SetBet { bet, set }));
        let bank = Bank::Seat { seat: 4, stake };
        settle(rules, &Game::new(Rules::default()), bank, BankerSet::plain(hands()[3]), &wagers, button)
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
    fn fees_depend_on_the_bets_and_not_on_the_results() {
        let [win, push, loss, banker] = hands();
        let game = Game::new(Rules::default().with("commission=0").unwrap().with("collection=1/100,2/300").unwrap());
        let rules = rules(&["bank-collection=2/300,3/600", "commission-on-banker=none"]);
        let mut wagers = [None; MAX_SEATS];
        for (seat, bet, set) in [(1, 100, win), (2, 300, push), (6, 50, loss)] {
            wagers[seat] = Some(SetBet { bet, set });
        }
        let bank = Bank::Seat { seat: 4, stake: 450 };
        let settled = settle(&rules, &game, bank, BankerSet::plain(banker), &wagers, 1);
        assert_eq!([1, 2, 6].map(|seat| settled.bets[seat].unwrap().commission), [1, 2, 1]);
        assert_eq!((settled.bank_net, settled.bank_commission), (-50, 3));
        let settled = settle(&rules, &game, Bank::House, BankerSet::plain(banker), &wagers, 1);
        assert_eq!(settled.bank_commission, 0);
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

    #[test]
    fn invalid_numbers_of_seats_are_rejected() {
        for seats in [0, 1, 8, 100] {
            let error = TableSize::try_from(seats).unwrap_err();
            assert!(error.contains("2 to 7 seats"), "{error}");
        }
        assert_eq!(TableSize::try_from(7), Ok(TableSize::SEVEN));
        assert_eq!((TableSize::SEVEN.seats(), TableSize::SEVEN.players()), (7, 6));
    }

    #[test]
    fn seats_are_iterated_clockwise() {
        let table = TableSize::try_from(4).unwrap();
        assert_eq!(table.clockwise(2).collect::<Vec<_>>(), [2, 3, 0, 1]);
        let set: AgentSet = [5, 1, 3].into_iter().collect();
        assert_eq!(set.without(3).iter().collect::<Vec<_>>(), [1, 5]);
        assert_eq!((set.first(), set.contains(3), set.contains(9), set.contains(70)), (Some(1), true, false, false));
    }

    #[test]
    fn totals_of_1_8_and_15_select_the_banker_of_seven_seats() {
        for banker in 0..7 {
            for dice in Dice::all() {
                let own = [8, 15].contains(&dice.total());
                assert_eq!(dice.seat(banker, TableSize::SEVEN) == banker, own, "{dice:?}");
                // A slow reference implementation that counts seat by seat.
                let mut seat = banker;
                (1..dice.total()).for_each(|_| seat = (seat + 1) % 7);
                assert_eq!(dice.seat(banker, TableSize::SEVEN), seat);
            }
        }
    }

    #[test]
    fn totals_have_the_distribution_of_three_fair_dice() {
        assert_eq!(Dice::all().filter(|dice| dice.total() == 10).count(), 27);
        let (mut rng, mut totals) = (stream(3.into()), [0u32; 19]);
        let throws = 216_000;
        (0..throws).for_each(|_| totals[Dice::roll(&mut rng).total()] += 1);
        for (total, &seen) in totals.iter().enumerate().skip(3) {
            let expected = 1_000.0 * Dice::all().filter(|dice| dice.total() == total).count() as f64;
            assert!((f64::from(seen) - expected).abs() < 4.5 * expected.sqrt(), "{total}: {seen}, {expected}");
        }
    }
}
