//! The state of a table and the flow of a round.

use super::{
    Bank, Books, ButtonWithoutHand, Dice, HOUSE_SEAT, HouseHand, MAX_SEATS, Move, MoveError, Phase, SetBet, SetBy,
    Settled, Setup, TableAction, TableRules, settle,
};
use crate::cards::Pack;
use crate::gym::AgentSet;
use crate::money::Chips;
use crate::pai_gow::{BankerSet, CARDS, Dealt, Hand, SetHand, Setting};
use rand::Rng;
use std::sync::Arc;

/// A hand that has been set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The strengths of the back and the front.
    pub set: SetHand,
    /// The setting that the seat chose, or `None` if [`Setup::way`] set the hand.
    pub setting: Option<Setting>,
    /// The party that set the hand.
    pub by: SetBy,
}

/// A seat at the table. The bankroll does not include bets and stakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat {
    /// True if a player sits here.
    pub taken: bool,
    /// The chips that are not on the table.
    pub bankroll: Chips,
    /// The chips at the start of the round.
    pub before: Chips,
    /// The bet against the bank, or 0 if there is none.
    pub bet: Chips,
    /// The side bet.
    pub side: Chips,
    /// The net result of the side bet, once the round is over.
    pub side_net: Chips,
    /// The hand, once it has been dealt.
    pub hand: Option<Dealt>,
    /// The set hand, once it has been set.
    pub chosen: Option<Chosen>,
    /// The number of steps that passed without the hand being set.
    pub waited: u32,
}

impl Seat {
    /// Returns the net result of the round up to this point. It is final once the round is over.
    pub const fn net(&self) -> Chips {
        self.bankroll - self.before
    }
}

/// The action button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Button {
    /// The last throw of the dice.
    pub dice: Dice,
    /// The number of throws. There can only be more than one under [`ButtonWithoutHand::RollAgain`].
    pub throws: u32,
    /// The seat with the button.
    pub seat: usize,
}

/// The state of a table, including hidden cards. It is cheap to clone. Agents see it through a
/// [`SeatView`](super::SeatView).
#[derive(Clone, Debug)]
pub struct Table {
    setup: Arc<Setup>,
    seats: [Seat; MAX_SEATS],
    phase: Phase,
    acting: AgentSet,
    /// The seats that were offered the bank in this round.
    pub(super) asked: AgentSet,
    /// The seat that gets the first offer of the bank.
    first: usize,
    bank: Bank,
    button: Option<Button>,
    settled: Option<Settled>,
    books: Books,
    rounds: u64,
    /// The moves in the current round.
    pub(super) moves: Vec<(usize, Move)>,
}

impl Table {
    /// Creates a table, given the bankrolls of the seats starting with seat 1. Seats without a bankroll or with a
    /// bankroll of 0 are empty. The first round hasn't [begun](Table::begin) yet.
    ///
    /// # Errors
    /// Returns an error if there are more bankrolls than player seats, or if a bankroll is outside the limits.
    pub fn new(setup: Arc<Setup>, bankrolls: &[Chips]) -> Result<Table, String> {
        let mut seats = [Seat::default(); MAX_SEATS];
        setup.rules.check_bankrolls(bankrolls)?;
        for (seat, &bankroll) in seats[1..].iter_mut().zip(bankrolls) {
            *seat = Seat { taken: bankroll > 0, bankroll, before: bankroll, ..Seat::default() };
        }
        let first = setup.rules.seats.seats() - 1;
        Ok(Table {
            setup,
            seats,
            phase: Phase::Over,
            acting: AgentSet::EMPTY,
            asked: AgentSet::EMPTY,
            first,
            bank: Bank::House,
            button: None,
            settled: None,
            books: Books::default(),
            rounds: 0,
            moves: Vec::new(),
        })
    }

    /// Returns the setup.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Returns the table rules.
    pub fn rules(&self) -> &TableRules {
        &self.setup.rules
    }

    /// Returns a seat.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn seat(&self, seat: usize) -> &Seat {
        &self.seats[seat]
    }

    /// Returns a hand that has been set, and its setting.
    pub(super) fn set_hand(&self, seat: usize) -> Option<(Hand, Setting)> {
        let (hand, chosen) = (self.seats[seat].hand?.hand(), self.seats[seat].chosen?);
        Some((hand, chosen.setting.unwrap_or_else(|| self.setup.way.set(hand))))
    }

    /// Returns the strengths of a hand that has been set.
    pub(super) fn made(&self, seat: usize) -> SetHand {
        self.seats[seat].chosen.map_or(SetHand::default(), |chosen| chosen.set)
    }

    /// Returns the banker's set hand in the form that bets are compared with.
    pub(super) fn banker_set(&self) -> BankerSet {
        let (banker, game) = (self.bank.seat(), &self.setup.game);
        let compared = self.seats[banker].hand.map(|dealt| game.banker_set(dealt.hand(), self.made(banker)));
        compared.unwrap_or_default()
    }

    /// Returns the phase of the round.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the seats that have to move. They can't see one another's moves. In the banking phase, there is only one
    /// such seat.
    pub fn acting(&self) -> AgentSet {
        self.acting
    }

    /// Returns the bank. The house holds it until a player takes it.
    pub fn bank(&self) -> Bank {
        self.bank
    }

    /// Returns the action button, once the dice have been thrown.
    pub fn button(&self) -> Option<Button> {
        self.button
    }

    /// Returns the round's settlement, if the round is over and hands were dealt.
    pub fn settled(&self) -> Option<&Settled> {
        self.settled.as_ref()
    }

    /// Returns the house's books since the table was opened.
    pub fn books(&self) -> Books {
        self.books
    }

    /// Returns the number of rounds started.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns `true` if a seat has a bet.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn is_in(&self, seat: usize) -> bool {
        self.seats[seat].bet > 0
    }

    /// Returns `true` if the seat has a player who can make the minimum bet.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn can_bet(&self, seat: usize) -> bool {
        self.seats[seat].taken && self.seats[seat].bankroll >= self.rules().bet_minimum
    }

    /// Returns the sum of the bets against a seat if it took the bank, including the house's bet.
    pub fn bets_against(&self, seat: usize) -> Chips {
        let bets = (1..MAX_SEATS).filter(|&other| other != seat).map(|other| self.seats[other].bet);
        let house = match self.rules().house_hand_when_player_banks {
            HouseHand::Dealt => self.rules().house_bet,
            HouseHand::NotDealt => 0,
        };
        bets.sum::<Chips>() + house
    }

    /// Returns a seat's maximum stake as the bank. This is the sum of its chips and its own bet, since it would get the
    /// bet back.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn bank_funds(&self, seat: usize) -> Chips {
        self.seats[seat].bankroll + self.seats[seat].bet
    }

    /// Returns `true` if a seat could take the bank if it were offered. This requires that the seat has a bet, that
    /// there are other bets, and that the seat can afford the minimum stake.
    ///
    /// # Panics
    /// Panics if `seat` is greater than 6.
    pub fn can_bank(&self, seat: usize) -> bool {
        self.is_in(seat) && self.bets_against(seat) > 0 && self.bank_funds(seat) >= self.rules().bank_minimum
    }

    /// Starts a round and asks all seats that can make the minimum bet for their bets. Returns `false` and leaves the
    /// table unchanged if there is no such seat or if the previous round isn't over.
    pub fn begin(&mut self) -> bool {
        let acting: AgentSet = (1..MAX_SEATS).filter(|&seat| self.can_bet(seat)).collect();
        if self.phase != Phase::Over || acting.is_empty() {
            return false;
        }
        for seat in &mut self.seats[1..] {
            *seat = Seat { taken: seat.taken, bankroll: seat.bankroll, before: seat.bankroll, ..Seat::default() };
        }
        self.seats[HOUSE_SEAT] = Seat::default();
        let taken = |&seat: &usize| self.seats[seat].taken;
        self.first = self.rules().seats.clockwise(self.first + 1).find(taken).unwrap_or(1);
        (self.acting, self.asked, self.phase) = (acting, AgentSet::EMPTY, Phase::Betting);
        (self.bank, self.button, self.settled) = (Bank::House, None, None);
        self.rounds += 1;
        self.moves.clear();
        true
    }

    /// Checks if a move is valid.
    ///
    /// # Errors
    /// Returns an error if [`Table::play`] would reject the move.
    pub fn check(&self, seat: usize, done: Move) -> Result<(), MoveError> {
        if !self.acting.contains(seat) {
            return Err(MoveError::NotActing { seat });
        }
        let rules = self.rules();
        let limits = |what, found, low, high| {
            if (low..=high).contains(&found) { Ok(()) } else { Err(MoveError::Limits { what, found, low, high }) }
        };
        let funds = |wanted, has| if wanted <= has { Ok(()) } else { Err(MoveError::Funds { seat, wanted, has }) };
        match (self.phase, done) {
            (_, Move::Disconnect) | (Phase::Banking, Move::Pass) | (Phase::Setting, Move::HouseWay | Move::Wait) => {
                Ok(())
            }
            (Phase::Betting, Move::Bet { bet: 0, side }) => limits("side bet without a bet", side, 0, 0),
            (Phase::Betting, Move::Bet { bet, side }) => {
                limits("bet", bet, rules.bet_minimum, rules.bet_maximum)?;
                if side != 0 {
                    limits("side bet", side, rules.side_minimum, rules.side_maximum)?;
                }
                funds(bet + side, self.seats[seat].bankroll)
            }
            (Phase::Banking, Move::Take { stake }) => {
                limits("stake", stake, rules.bank_minimum, super::MAX_BANKROLL)?;
                funds(stake, self.bank_funds(seat))
            }
            (Phase::Setting, Move::Set(index)) => self.legal_setting(seat, index).map(|_| ()),
            (phase, done) => Err(MoveError::WrongPhase { phase, done }),
        }
    }

    /// Converts an agent's action to a move.
    ///
    /// # Errors
    /// Returns a reason if the action doesn't exist or [`Table::play`] would reject the move.
    pub(super) fn move_of(&self, seat: usize, action: usize) -> Result<Move, String> {
        let Some(known) = TableAction::from_index(action) else {
            return Err(format!("expected actions 0 to {}", TableAction::COUNT - 1));
        };
        let done = known.to_move(&self.view(seat));
        self.check(seat, done).map_err(|error| error.to_string())?;
        Ok(done)
    }

    /// Looks up a setting by its index. Returns the setting with its set hand if it is legal for the seat's hand.
    fn legal_setting(&self, seat: usize, index: usize) -> Result<(Setting, SetHand), MoveError> {
        let Some(setting) = Setting::from_index(index) else {
            return Err(MoveError::Setting(format!("expected settings 0 to 20, found {index}")));
        };
        let Some(dealt) = self.seats[seat].hand else { return Err(MoveError::NotActing { seat }) };
        let (hand, game) = (dealt.hand(), &self.setup.game);
        let set = game.set(hand, setting);
        if game.is_legal(set) {
            return Ok((setting, set));
        }
        Err(MoveError::Setting(game.foul(hand, setting)))
    }

    /// Plays a move. The last move of a phase also starts the next one: the bank is offered, the dice are thrown and
    /// the cards dealt, or all bets are settled.
    ///
    /// # Errors
    /// Returns the same errors as [`Table::check`]. On error, the table is left unchanged.
    pub fn play(&mut self, seat: usize, done: Move, rng: &mut impl Rng) -> Result<(), MoveError> {
        // Compute the set hand only once for both the check and the move.
        match (self.phase, done) {
            (Phase::Setting, Move::Set(index)) if self.acting.contains(seat) => {
                let (setting, set) = self.legal_setting(seat, index)?;
                self.seats[seat].chosen = Some(Chosen { set, setting: Some(setting), by: SetBy::Seat });
            }
            _ => {
                self.check(seat, done)?;
                if !self.apply(seat, done) {
                    self.moves.push((seat, done));
                    return Ok(());
                }
            }
        }
        self.moves.push((seat, done));
        self.acting = self.acting.without(seat);
        if self.acting.is_empty() {
            self.next_phase(rng);
        }
        Ok(())
    }

    /// Applies a move that has already been checked and isn't a setting. Returns `false` if the seat has to move again.
    fn apply(&mut self, seat: usize, done: Move) -> bool {
        match (self.phase, done) {
            (Phase::Betting, Move::Bet { bet, side }) => {
                let seat = &mut self.seats[seat];
                (seat.bet, seat.side, seat.bankroll) = (bet, side, seat.bankroll - bet - side);
            }
            (Phase::Banking, Move::Take { stake }) => {
                let banker = &mut self.seats[seat];
                banker.bankroll += banker.bet - stake;
                banker.bet = 0;
                self.bank = Bank::Seat { seat, stake };
            }
            (Phase::Setting, Move::Wait) => {
                self.seats[seat].waited += 1;
                if self.seats[seat].waited < self.rules().time_steps {
                    return false;
                }
                self.set_house_way(seat, SetBy::TimeOut);
            }
            (Phase::Setting, Move::HouseWay) => self.set_house_way(seat, SetBy::HouseWay),
            (Phase::Setting, _) => self.set_house_way(seat, SetBy::Disconnected),
            _ => {}
        }
        true
    }

    #[inline]
    fn set_house_way(&mut self, seat: usize, by: SetBy) {
        if let Some(dealt) = self.seats[seat].hand {
            let set = self.setup.set_house_way(dealt);
            self.seats[seat].chosen = Some(Chosen { set, setting: None, by });
        }
    }

    /// Starts the next phase after a phase's last move.
    fn next_phase(&mut self, rng: &mut impl Rng) {
        match self.phase {
            Phase::Betting if (1..MAX_SEATS).any(|seat| self.is_in(seat)) => self.offer(rng),
            Phase::Betting => self.phase = Phase::Over,
            Phase::Banking => self.offer(rng),
            Phase::Setting => self.finish(),
            Phase::Over => {}
        }
    }

    /// Offers the bank to the next seat that could take it. If there is none, or if the bank has already been taken,
    /// deals the cards.
    fn offer(&mut self, rng: &mut impl Rng) {
        let open = self.bank == Bank::House;
        let next = |&seat: &usize| open && seat != HOUSE_SEAT && !self.asked.contains(seat) && self.can_bank(seat);
        match self.rules().seats.clockwise(self.first).find(next) {
            Some(seat) => {
                (self.phase, self.acting, self.asked) =
                    (Phase::Banking, AgentSet::EMPTY.with(seat), self.asked.with(seat));
            }
            None => self.deal(rng),
        }
    }

    /// Returns the seats that have a bet against the bank.
    pub fn against_bank(&self) -> AgentSet {
        (0..MAX_SEATS).filter(|&seat| seat != self.bank.seat() && self.is_in(seat)).collect()
    }

    /// Throws the dice for the button and deals the cards.
    fn deal(&mut self, rng: &mut impl Rng) {
        if self.bank != Bank::House && self.rules().house_hand_when_player_banks == HouseHand::Dealt {
            self.seats[HOUSE_SEAT].bet = self.rules().house_bet;
        }
        let against = self.against_bank();
        self.button = Some(self.throw(against, rng));
        let mut pack = Pack::new(CARDS);
        for seat in against.with(self.bank.seat()).iter() {
            // At most seven hands are dealt, so the pack has enough cards.
            self.seats[seat].hand = Dealt::draw(&mut pack, rng);
        }
        (self.phase, self.acting) = (Phase::Setting, against.with(self.bank.seat()).without(HOUSE_SEAT));
        if self.seats[HOUSE_SEAT].hand.is_some() {
            self.set_house_way(HOUSE_SEAT, SetBy::House);
        }
    }

    fn throw(&self, against: AgentSet, rng: &mut impl Rng) -> Button {
        let size = self.rules().seats;
        let mut throws = 0;
        loop {
            let dice = Dice::roll(rng);
            throws += 1;
            let counted = dice.seat(self.bank.seat(), size);
            let seat = match self.rules().button_without_hand {
                ButtonWithoutHand::NextOccupied => size.clockwise(counted).find(|&seat| against.contains(seat)),
                ButtonWithoutHand::RollAgain => against.contains(counted).then_some(counted),
            };
            if let Some(seat) = seat {
                return Button { dice, throws, seat };
            }
        }
    }

    /// Settles the round.
    fn finish(&mut self) {
        let (against, banker) = (self.against_bank(), self.bank.seat());
        let wagers: [Option<SetBet>; MAX_SEATS] = std::array::from_fn(|seat| {
            against.contains(seat).then(|| SetBet { bet: self.seats[seat].bet, set: self.made(seat) })
        });
        let button = self.button.map_or(banker, |button| button.seat);
        let game = &self.setup.game;
        let mut settled = settle(self.rules(), game, self.bank, self.banker_set(), &wagers, button);
        for (seat, result) in settled.bets.iter_mut().enumerate() {
            let Some(result) = result else { continue };
            if seat == HOUSE_SEAT {
                self.books.hands += result.net;
            } else {
                let bankroll = self.seats[seat].bankroll + result.bet + result.net;
                // A fee takes at most the chips that are left.
                result.commission = result.commission.min(bankroll);
                self.seats[seat].bankroll = bankroll - result.commission;
                self.books.commissions += result.commission;
            }
        }
        match self.bank {
            Bank::House => self.books.hands += settled.bank_net,
            Bank::Seat { seat, stake } => {
                let bankroll = self.seats[seat].bankroll + stake + settled.bank_net;
                settled.bank_commission = settled.bank_commission.min(bankroll);
                self.seats[seat].bankroll = bankroll - settled.bank_commission;
                self.books.commissions += settled.bank_commission;
            }
        }
        self.settle_side_bets();
        (self.settled, self.phase) = (Some(settled), Phase::Over);
    }

    fn settle_side_bets(&mut self) {
        for seat in &mut self.seats {
            if let (1.., Some(dealt)) = (seat.side, seat.hand) {
                let odds = self.setup.side_bet().row(dealt).map_or(-1, |row| Chips::from(row.odds.units(1)));
                seat.side_net = seat.side * odds;
                seat.bankroll += seat.side + seat.side_net;
                self.books.side_bets -= seat.side_net;
            }
        }
    }

    /// Replaces a seat's hand. This lets tests check what other seats can see.
    #[cfg(test)]
    pub(super) fn replace_hand(&mut self, seat: usize, dealt: Dealt) {
        self.seats[seat].hand = Some(dealt);
        if self.seats[seat].chosen.is_some() {
            self.set_house_way(seat, SetBy::HouseWay);
        }
    }
}
