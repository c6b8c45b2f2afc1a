//! What a seat sees when it is offered the bank, and what its answers bring.

use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::table::{
    Bank, ButtonWithoutHand, Chips, Dice, HOUSE_SEAT, HouseHand, MOST_SEATS, TableRules, Wager, commission, settle,
};
use houseway_env::pai_gow::{Deck, Game, HANDS, ProfileStrategy, SetHand};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// The most opponents that a player's bank can have among players.
pub const MOST_OTHERS: usize = MOST_SEATS - 2;
/// The most ways of a population.
pub const MOST_WAYS: usize = 16;
/// Answers to the offer of the bank: pass, or take it with a stake of 1 to 4 quarters of the bets against it.
pub const ANSWERS: usize = 5;
/// The answer that covers all bets.
pub const TAKE_ALL: usize = ANSWERS - 1;

/// The seat of the player who is asked; the others sit clockwise from it.
const SEAT: usize = 1;

/// Where banking is learned: rules, and the ways of who may sit there.
pub struct BankingTable {
    /// Rules of the table.
    pub rules: TableRules,
    /// The game.
    pub game: Arc<Game>,
    /// The ways of the population, at most [`MOST_WAYS`].
    pub ways: Vec<Arc<dyn ProfileStrategy + Send>>,
    /// How many of the ways, from the first one, the other players have.
    pub others: usize,
    /// Which way the learner sets by against a bank.
    pub own: usize,
    /// Which way the learner sets by as the bank.
    pub banker: usize,
    /// Which way the house sets by.
    pub house: usize,
    /// A name for all of this that changes with it; part of a checkpoint's name.
    pub hash: String,
}

/// Another player's bet, and the way that the player is known to set by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherBet {
    /// Index of the way.
    pub way: usize,
    /// The bet, in chips.
    pub bet: Chips,
}

/// What a seat sees that is offered the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The seat's own bet.
    pub own: Chips,
    /// All its chips, the own bet among them.
    pub funds: Chips,
    /// The other players, clockwise; `None` where nobody bets.
    pub others: [Option<OtherBet>; MOST_OTHERS],
}

impl Situation {
    /// Draws one: one to all of the other players, each of any way, bets that are multiples of the lowest one, low ones more
    /// often, and funds from about what is bet to sixty times as much.
    pub fn draw(table: &BankingTable, rng: &mut impl Rng) -> Situation {
        let most = MOST_OTHERS.min(table.rules.seats.players() - 1);
        let count = rng.random_range(1..=most);
        let mut others = [None; MOST_OTHERS];
        for other in &mut others[..count] {
            *other = Some(OtherBet { way: rng.random_range(0..table.others), bet: draw_bet(&table.rules, rng) });
        }
        let own = draw_bet(&table.rules, rng);
        let mut situation = Situation { own, funds: 0, others };
        let factor = 2f64.powf(rng.random_range(-0.5..6.0));
        situation.funds = ((situation.money() as f64 * factor) as Chips).max(own).max(table.rules.bank_minimum);
        situation
    }

    /// All bets of other players.
    pub fn against(&self) -> Chips {
        self.others.iter().flatten().map(|other| other.bet).sum()
    }

    /// All that is bet: the unit in which values are learned.
    pub fn money(&self) -> Chips {
        self.own + self.against()
    }

    /// The stake of an answer that takes the bank, cut down to the funds.
    pub fn stake(&self, answer: usize) -> Chips {
        let quarters = TAKE_ALL as Chips;
        ((self.against() * answer as Chips + quarters - 1) / quarters).min(self.funds)
    }
}

/// A bet within the limits, a multiple of the lowest one; halving it makes it as likely as doubling it.
pub fn draw_bet(rules: &TableRules, rng: &mut impl Rng) -> Chips {
    let most = (rules.bet_maximum / rules.bet_minimum) as f64;
    let times = ((most + 1.0).ln() * rng.random::<f64>()).exp().floor().clamp(1.0, most);
    rules.bet_minimum * times as Chips
}

/// Numbers of an answer that passes, of one that covers all bets, and of one that covers a part, for so many ways.
const PASS: usize = 3;
const fn full(ways: usize) -> usize {
    3 + ways
}
const fn part(ways: usize) -> usize {
    4 + 2 * ways
}

/// Numbers that describe an answer: see [`write_row`].
pub(super) fn row_len(table: &BankingTable) -> usize {
    PASS + full(table.others) + part(table.others)
}

/// Numbers that describe a situation whatever the answer: the share of seats with a bet, and all bets over them and the
/// funds.
pub(super) const CONTEXT: usize = 2;

pub(super) fn write_context(situation: &Situation, out: &mut Vec<f32>) {
    let (count, money) = (situation.others.iter().flatten().count() as f32, situation.money() as f32);
    out.extend([count / MOST_OTHERS as f32, money / (money + situation.funds as f32)]);
}

/// The numbers of an answer; those of the other two kinds of answers are 0.
///
/// - Passing: 1, the own bet over all bets, and over itself and the funds.
/// - Covering all: 1, the stake over itself and the funds, the squares of the bets over the square of all bets; for each way
///   the share of its bets.
/// - Covering a part: the same, the part covered; for each way the share of its bets, covered, and whole.
///
/// So the profit of passing and of covering all is linear in the numbers.
pub(super) fn write_row(table: &BankingTable, situation: &Situation, answer: usize, out: &mut Vec<f32>) {
    let (first, money, ways) = (out.len(), situation.money() as f32, table.others);
    out.resize(first + row_len(table), 0.0);
    let (pass, rest) = out[first..].split_at_mut(PASS);
    let (full, part) = rest.split_at_mut(full(ways));
    let over_funds = |sum: Chips| sum as f32 / (sum + situation.funds) as f32;
    if answer == 0 {
        pass.copy_from_slice(&[1.0, situation.own as f32 / money, over_funds(situation.own)]);
        return;
    }
    let (stake, against) = (situation.stake(answer), situation.against());
    let shares = || situation.others.iter().flatten().map(|other| (other.way, other.bet as f32 / money));
    let squares: f32 = shares().map(|(_, share)| share * share).sum();
    if stake >= against {
        full[..3].copy_from_slice(&[1.0, over_funds(stake), squares]);
        shares().for_each(|(way, share)| full[3 + way] += share);
        return;
    }
    let covered = stake as f32 / against as f32;
    part[..4].copy_from_slice(&[1.0, over_funds(stake), squares, covered]);
    for (way, share) in shares() {
        part[4 + way] += share * covered;
        part[4 + ways + way] += share;
    }
}

/// What is left of the funds counts as this share of them at least: the logarithm of nothing is no number to learn.
const LEAST_GROWTH: f64 = 0.05;

/// What each answer brings on the mean of so many deals: chips over all bets, and the logarithm of what the funds are
/// multiplied with, times the funds over all bets (so that both are alike for small bets).
///
/// Every deal is played in fourteen seatings, the seven hands going round the seats both ways, which are all as likely. Each
/// pair of hands so meets with either as the bank's, and most of the luck of the cards cancels out. All is settled by the
/// table's own settlement. Answers that cover a part of the bets are played on the first deal alone.
pub fn rewards(table: &BankingTable, situation: &Situation, deals: usize, rng: &mut impl Rng) -> [[f32; 2]; ANSWERS] {
    let (mut sums, mut deck) = ([[0f64; 2]; ANSWERS], Deck::new());
    let (money, funds) = (situation.money() as f64, situation.funds as f64);
    for deal in 0..deals {
        deck.gather();
        let hands = Hands::deal(table, situation, &mut deck, rng);
        let dice = || Dice::roll(&mut *rng);
        let button = button(table, situation, dice);
        for seating in 0..2 * HANDS {
            for (answer, sum) in sums.iter_mut().enumerate().filter(|&(answer, _)| deal == 0 || is_whole(answer)) {
                let net = match answer {
                    0 => hands.pass(table, situation, seating),
                    _ => hands.take(table, situation, seating, situation.stake(answer), button),
                };
                sum[0] += net as f64 / money;
                sum[1] += ((funds + net as f64) / funds).max(LEAST_GROWTH).ln() * funds / money;
            }
        }
    }
    let seatings = |answer| (if is_whole(answer) { deals } else { 1 } * 2 * HANDS) as f64;
    std::array::from_fn(|answer| sums[answer].map(|sum| (sum / seatings(answer)) as f32))
}

/// Passing, and covering all bets.
const fn is_whole(answer: usize) -> bool {
    answer == 0 || answer == TAKE_ALL
}

/// Where the button goes when the learner banks.
fn button(table: &BankingTable, situation: &Situation, mut dice: impl FnMut() -> Dice) -> usize {
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

/// Seven hands, each set by every way that may have to set it.
struct Hands {
    sets: [[SetHand; HANDS]; MOST_WAYS],
    /// As the learner's bank and as the house's.
    banks: [[SetHand; HANDS]; 2],
}

impl Hands {
    fn deal(table: &BankingTable, situation: &Situation, deck: &mut Deck, rng: &mut impl Rng) -> Hands {
        let profiles = Profiles::get();
        let mut hands = Hands { sets: Default::default(), banks: Default::default() };
        let asked = situation.others.iter().flatten().map(|other| other.way);
        let asked = asked.chain([table.own, table.banker, table.house]).fold(0u32, |mask, way| mask | 1 << way);
        for i in 0..HANDS {
            let dealt = deck.deal(rng).expect("seven hands are in a deck");
            let profile = dealt.profile(profiles);
            for (way, sets) in table
                .ways
                .iter()
                .zip(&mut hands.sets)
                .enumerate()
                .filter(|(w, _)| asked >> w & 1 == 1)
                .map(|(_, pair)| pair)
            {
                sets[i] = way.set_profile(profile);
            }
            for (bank, way) in hands.banks.iter_mut().zip([table.banker, table.house]) {
                bank[i] = table.game.banker_set(dealt.hand(), hands.sets[way][i]);
            }
        }
        hands
    }

    /// The hand of a seat.
    fn of(seating: usize, seat: usize) -> usize {
        let first = seating % HANDS;
        if seating < HANDS { (first + seat) % HANDS } else { (first + HANDS - seat) % HANDS }
    }

    /// What the own bet wins against the house's bank.
    fn pass(&self, table: &BankingTable, situation: &Situation, seating: usize) -> Chips {
        let (own, bank) = (self.sets[table.own][Self::of(seating, SEAT)], self.banks[1][Self::of(seating, HOUSE_SEAT)]);
        let outcome = table.game.settle(own, bank).outcome;
        match outcome {
            houseway_env::pai_gow::Outcome::Win => {
                situation.own - commission(table.game.rules().commission, situation.own)
            }
            houseway_env::pai_gow::Outcome::Push => 0,
            houseway_env::pai_gow::Outcome::Loss => -situation.own,
        }
    }

    /// What the bank wins with this stake, commission taken off.
    fn take(&self, table: &BankingTable, situation: &Situation, seating: usize, stake: Chips, button: usize) -> Chips {
        let mut wagers = [None; MOST_SEATS];
        for (other, wager) in
            situation.others.iter().zip(&mut wagers[SEAT + 1..]).enumerate().map(|(i, (o, w))| (o.map(|o| (i, o)), w))
        {
            *wager = other
                .map(|(i, OtherBet { way, bet })| Wager { bet, set: self.sets[way][Self::of(seating, SEAT + 1 + i)] });
        }
        if table.rules.house_hand_when_player_banks == HouseHand::Dealt {
            let set = self.sets[table.house][Self::of(seating, HOUSE_SEAT)];
            wagers[HOUSE_SEAT] = Some(Wager { bet: table.rules.house_bet, set });
        }
        let bank = Bank::Seat { seat: SEAT, stake };
        let settled = settle(&table.rules, &table.game, bank, self.banks[0][Self::of(seating, SEAT)], &wagers, button);
        settled.bank_net - settled.bank_commission
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{ProfileTable, Rules};

    fn table() -> BankingTable {
        let game = Arc::new(Game::new(Rules::default()));
        let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::highest_front(&game));
        BankingTable {
            rules: TableRules::default(),
            game,
            ways: vec![way],
            others: 1,
            own: 0,
            banker: 0,
            house: 0,
            hash: "test".to_owned(),
        }
    }

    #[test]
    fn situations_are_within_the_limits() {
        let (table, mut rng) = (table(), stream(1.into()));
        let mut counts = [0; MOST_OTHERS + 1];
        for _ in 0..5_000 {
            let situation = Situation::draw(&table, &mut rng);
            let bets = situation.others.iter().flatten().map(|other| other.bet).chain([situation.own]);
            assert!(bets.into_iter().all(|bet| (20..=2_000).contains(&bet) && bet % 20 == 0));
            assert!(situation.funds >= situation.own);
            assert!((1..ANSWERS).all(|answer| situation.stake(answer) <= situation.funds));
            counts[situation.others.iter().flatten().count()] += 1;
        }
        assert!(counts[0] == 0 && counts[1..].iter().all(|&count| count > 800), "{counts:?}");
    }

    #[test]
    fn seatings_give_every_hand_to_every_seat_and_every_pair_both_ways() {
        let mut pairs = std::collections::BTreeMap::new();
        for seating in 0..2 * HANDS {
            let mut seen = [false; HANDS];
            (0..HANDS).for_each(|seat| seen[Hands::of(seating, seat)] = true);
            assert!(seen.iter().all(|&seen| seen));
            for seat in (0..HANDS).filter(|&seat| seat != SEAT) {
                *pairs.entry((Hands::of(seating, SEAT), Hands::of(seating, seat))).or_insert(0) += 1;
            }
        }
        assert!(pairs.len() == 42 && pairs.values().all(|&times| times == 2));
    }

    #[test]
    fn rewards_are_those_of_rounds_at_the_table() {
        use houseway_env::pai_gow::Paytable;
        use houseway_env::pai_gow::table::{Move, Setup, Table};
        let (table, mut rng) = (table(), stream(3.into()));
        let bet = |bet| Some(OtherBet { way: 0, bet });
        let situation = Situation { own: 200, funds: 700, others: [bet(400), None, bet(100), bet(300), None] };
        let learned = rewards(&table, &situation, 20_000, &mut rng);
        let setup = Setup::new(table.rules, Arc::clone(&table.game), Arc::clone(&table.ways[0]), Paytable::default());
        let setup = Arc::new(setup.unwrap());
        let rounds = 60_000;
        for answer in [0, TAKE_ALL] {
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..rounds {
                let mut table = Table::new(Arc::clone(&setup), &[700, 400, 0, 100, 300]).unwrap();
                assert!(table.begin());
                while let Some(seat) = table.acting().first() {
                    let done = match table.phase() {
                        houseway_env::pai_gow::table::Phase::Betting => {
                            Move::Bet { bet: [0, 200, 400, 0, 100, 300][seat], side: 0 }
                        }
                        houseway_env::pai_gow::table::Phase::Banking if seat == 1 && answer > 0 => {
                            Move::Take { stake: situation.stake(answer) }
                        }
                        houseway_env::pai_gow::table::Phase::Banking => Move::Pass,
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
