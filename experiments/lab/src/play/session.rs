//! A session with the bets, rounds and bankroll of one human player. It works for every registered game, including
//! games with several seats.
//!
//! A round proceeds as in the original game. The player places chips, the cards are dealt, the player chooses and
//! confirms an action, and the bets are settled. The next round starts with no bets, the last bets, or twice the last
//! bets. The session itself doesn't contain any rules. It asks the game for the legal actions, their names, and the
//! reasons why other actions are illegal.

use super::{Amount, Bet, Event, Layout, OpenRound, PastRound, Pick, Record, Stakes, is_named, plain};
use houseway_env::gym::{EnvError, GameEntry, PublicBet, PublicPart, PublicSeat, PublicTable, Rounds, Step};
use houseway_exact::solver::Decision;
use serde_json::{Map, Value, json};

pub const CHIPS: [i64; 5] = [1, 5, 25, 100, 500];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Betting,
    Deciding,
    Over,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The part of the game that the coach needs to see for the decision.
    pub view: Option<Value>,
    /// The names of all actions, as the player saw them.
    pub names: Vec<String>,
    pub action: usize,
    /// The exact values, once the coach has found them.
    pub values: Option<Decision>,
    /// The solver's answer on the hand, the advice on an offered bank as a list, or null if there is neither.
    pub answer: Value,
}

#[derive(Clone, Debug, Default)]
pub struct Finished {
    pub round: u64,
    pub stake: Amount,
    pub net: Amount,
    pub decisions: Vec<Made>,
}

impl Finished {
    /// Returns the regret of all decisions in chips. Decisions without values count as 0.
    pub fn cost(&self) -> f64 {
        let regret = |made: &Made| made.values.as_ref()?.regret(made.action);
        // A sum of no numbers is -0.0.
        self.stake.value() * self.decisions.iter().filter_map(regret).sum::<f64>() + 0.0
    }
}

pub struct Session {
    pub game: &'static GameEntry,
    pub rounds: Box<dyn Rounds>,
    pub layout: Layout,
    pub bets: Vec<Bet>,
    pub actions: Vec<String>,
    pub record: Record,
    pub phase: Phase,
    /// The positions of the chosen cards in ascending order.
    pub chosen: Vec<usize>,
    pub decisions: Vec<Made>,
    pub rewards: Vec<f64>,
    /// `true` once the player has shaken the dice as the banker of this round.
    pub is_shaken: bool,
    /// The round that the last command finished, until it is taken.
    pub finished: Option<Finished>,
}

fn cards_of(view: Option<&Value>) -> Vec<String> {
    let hand = view.and_then(|view| view["hand"].as_str()).unwrap_or_default();
    hand.split_whitespace().map(str::to_owned).collect()
}

fn cleared(seat: PublicSeat) -> PublicSeat {
    let PublicSeat { seat, name, is_own, chips, .. } = seat;
    PublicSeat { seat, name, is_own, chips, ..PublicSeat::default() }
}

impl Session {
    /// Opens a session. If it was saved during a round, the round is resumed.
    pub fn open(
        game: &'static GameEntry,
        rounds: Box<dyn Rounds>,
        layout: Layout,
        record: Record,
    ) -> Result<Session, String> {
        let (saved, now) = (&record.rules_hash, rounds.rules_hash());
        if *saved != now {
            return Err(format!(
                "the session was saved with different rules ({saved}, but this is {now}); use the same --set, --rules, \
                 --banker and house ways again, start a new session with --new, or choose another file with --session"
            ));
        }
        let mut session = Session {
            game,
            bets: layout.bets(&rounds.default_options()),
            rounds,
            layout,
            actions: (game.action_names)(),
            record,
            phase: Phase::Betting,
            chosen: vec![],
            decisions: vec![],
            rewards: vec![],
            is_shaken: false,
            finished: None,
        };
        let options: Map<String, Value> = session.record.options.clone().into_iter().collect();
        let (seed, bankroll) = (session.record.seed, session.record.bankroll + session.record.ledger.net.times(-1));
        session.rounds.open(seed, bankroll.value(), &options).map_err(|error| error.to_string())?;
        session
            .resume()
            .map_err(|error| format!("the session cannot be resumed: {error}; use --new to start a new session"))?;
        Ok(session)
    }

    /// Replays the saved rounds and the actions in the open round. If rounds don't depend on each other, this is only the
    /// last one, which the history doesn't have yet if the program was killed at that moment.
    fn resume(&mut self) -> Result<(), EnvError> {
        let past = self.record.past.clone();
        let first = self.record.rounds.saturating_sub(past.len() as u64);
        let skipped = if self.rounds.is_continuous() { 0 } else { past.len().saturating_sub(1) };
        for (round, PastRound { bets, actions }) in (first..).zip(past).skip(skipped) {
            self.rounds.begin(round, &self.options_of(&bets))?;
            for action in actions {
                self.rounds.step(action)?;
            }
        }
        let Some(OpenRound { actions }) = self.record.open.clone() else { return Ok(()) };
        self.begin()?;
        for action in actions {
            self.step(action)?;
        }
        Ok(())
    }

    /// Returns the reset options for all bets, with 0 for those without a stake.
    fn options_of(&self, stakes: &Stakes) -> Map<String, Value> {
        let stake = |bet: &Bet| stakes.get(&bet.option).copied().unwrap_or_default();
        self.bets.iter().map(|bet| (bet.option.clone(), stake(bet).value().into())).collect()
    }

    pub fn begin(&mut self) -> Result<(), EnvError> {
        self.rounds.begin(self.record.rounds, &self.options_of(&self.record.bets))?;
        (self.phase, self.decisions, self.rewards) = (Phase::Deciding, vec![], vec![]);
        self.chosen.clear();
        self.is_shaken = false;
        Ok(())
    }

    pub fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let (view, names, house) = (self.question(), self.names(), self.rounds.house_action());
        let is_late = self.rounds.late_action() == Some(action);
        let step = self.rounds.step(action)?;
        // When the time is up, the decision counts as the house's.
        let action = house.filter(|_| is_late).unwrap_or(action);
        self.decisions.push(Made { view, names, action, values: None, answer: Value::Null });
        self.rewards.push(step.reward);
        self.chosen.clear();
        if step.is_last() {
            self.phase = Phase::Over;
        }
        Ok(step)
    }

    /// Returns the choice of cards that forms an action, or `None` if actions are chosen by name. This is always the
    /// case for decisions that are made before the cards are dealt.
    pub fn pick(&self) -> Option<&Pick> {
        let has_cards = self.phase != Phase::Deciding || self.rounds.view().is_some();
        self.layout.pick.as_ref().filter(|_| has_cards && !self.has_cup())
    }

    /// Returns `true` if the player has the bank and hasn't shaken the dice yet. They have been thrown, but neither they
    /// nor the cards are shown before that.
    pub fn has_cup(&self) -> bool {
        let shakes =
            |table: PublicTable| !table.dice.is_empty() && table.seats.iter().any(|seat| seat.is_own && seat.is_banker);
        self.phase == Phase::Deciding && !self.is_shaken && self.rounds.public_table().is_some_and(shakes)
    }

    pub fn stake(&self, bet: &Bet) -> Amount {
        self.record.bets.get(&bet.option).copied().unwrap_or_default()
    }

    /// Returns the stake that EVs are a multiple of.
    pub fn main_stake(&self) -> Amount {
        let bets = || self.bets.iter().filter(|bet| bet.is_main).map(|bet| self.stake(bet)).sum();
        self.rounds.main_stake().map_or_else(bets, Amount::from)
    }

    /// Returns the chip to start with: a small one that the table accepts as the main bet.
    pub fn first_chip(&self) -> i64 {
        let main =
            |chip: i64| self.bets.iter().filter(|bet| bet.is_main).map(move |bet| (bet.option.clone(), chip.into()));
        let is_enough = |chip: &i64| self.refusal_of(&main(*chip).collect()).is_none();
        CHIPS[1..].iter().copied().find(is_enough).unwrap_or(CHIPS[1])
    }

    pub fn deal_refusal(&self) -> Option<String> {
        if let Some(bet) = self.bets.iter().find(|bet| bet.is_main && self.stake(bet) == Amount::ZERO) {
            return Some(format!("there is no chip on {}; place one before the deal", bet.title));
        }
        self.refusal_of(&self.options_of(&self.record.bets))
    }

    pub fn sit_out_refusal(&self) -> Option<String> {
        if !self.rounds.is_continuous() {
            return Some("rounds cannot be sat out in this game".to_owned());
        }
        self.refusal_of(&Map::new())
    }

    fn refusal_of(&self, bets: &Map<String, Value>) -> Option<String> {
        self.rounds.check_bets(bets).err().map(|error| match error {
            EnvError::BadOption { reason, .. } => reason,
            error => error.to_string(),
        })
    }

    /// Returns the bankroll, including the rewards in the open round.
    pub fn bankroll(&self) -> Amount {
        let open = if self.record.open.is_some() { self.net() } else { Amount::ZERO };
        self.record.bankroll + open
    }

    pub fn net(&self) -> Amount {
        self.rewards.iter().map(|&reward| Amount::from(reward)).sum()
    }

    pub fn state(&self) -> Option<String> {
        (self.phase != Phase::Betting).then(|| self.rounds.render())
    }

    /// Returns the table as the player sees it, with the titles of the bets. Before the deal, nothing from the last round
    /// is shown.
    pub fn table(&self) -> PublicTable {
        let mut table = self.rounds.public_table().unwrap_or_default();
        if self.phase == Phase::Betting {
            let seats = table.seats.into_iter().map(cleared).collect();
            let bets = self.rounds.public_bets(&self.options_of(&self.record.bets));
            table = PublicTable { seats, bets, ..PublicTable::default() };
        } else if self.has_cup() {
            (table.dice, table.notes) = (vec![], vec!["You have the bank. Shake the dice cup.".to_owned()]);
            for seat in &mut table.seats {
                let cards = seat.hand.iter().map(|part| part.cards.split(' ').count()).sum();
                (seat.has_button, seat.order) = (false, None);
                seat.hand = if cards > 0 { vec![PublicPart::hidden("cards", cards)] } else { vec![] };
            }
        }
        if table.bets.is_empty() {
            let bet = |bet: &Bet| PublicBet { stake: self.stake(bet).value(), ..PublicBet::default() };
            table.bets = self.bets.iter().map(bet).collect();
            table.bets.iter_mut().zip(&self.bets).for_each(|(shown, bet)| shown.name.clone_from(&bet.title));
        }
        for bet in table.bets.iter_mut().filter(|bet| bet.action.is_none()) {
            let known = self.bets.iter().find(|known| bet.option == Some(&*known.option));
            bet.name = known.map_or_else(|| bet.name.to_uppercase(), |known| known.title.clone());
        }
        table
    }

    pub fn headline(&self) -> Option<String> {
        if self.phase != Phase::Over {
            return None;
        }
        let net = self.net();
        let table = self.rounds.public_table().unwrap_or_default();
        let outcome = table.seats.iter().find(|seat| seat.is_own).and_then(|seat| seat.outcome.clone());
        let side_bets = table.bets.iter().filter(|bet| bet.option.is_some_and(|option| self.is_side_bet(option)));
        let main = net + side_bets.filter_map(|bet| Some(Amount::from(-bet.net?))).sum();
        let word = match outcome.as_deref().and_then(|text| text.split(',').next()) {
            Some("sits out") => return Some("SAT OUT".to_owned()),
            Some(word) => word.to_uppercase(),
            None if main > Amount::ZERO => "WIN".to_owned(),
            None if main < Amount::ZERO => "LOSS".to_owned(),
            None => "PUSH".to_owned(),
        };
        if net == Amount::ZERO {
            return Some(word);
        }
        let shown = net.signed();
        let shown = shown.strip_suffix(".00").unwrap_or(&shown);
        // The word is about the main bet, which side bets can outweigh.
        let hand = match word.as_str() {
            "WIN" if net < Amount::ZERO => "HAND WON, NET",
            "LOSS" if net > Amount::ZERO => "HAND LOST, NET",
            "PUSH" => "HAND PUSHED, NET",
            word => word,
        };
        Some(format!("{hand} {shown}"))
    }

    fn is_side_bet(&self, option: &str) -> bool {
        self.bets.iter().any(|bet| !bet.is_main && bet.option == option)
    }

    pub fn view(&self) -> Option<Value> {
        (self.phase == Phase::Deciding).then(|| self.rounds.view()).flatten()
    }

    /// Returns the bank that is offered to the player: the other seats' `bets`, and the player's `own` bet and `bankroll`.
    /// `None` for all other decisions.
    pub fn bank_offer(&self) -> Option<Value> {
        let is_open = self.phase == Phase::Deciding && self.rounds.view().is_none();
        self.layout.bank.filter(|_| is_open)?;
        let seats = self.rounds.public_table()?.seats;
        let own = seats.iter().find(|seat| seat.is_own)?;
        let others = seats.iter().filter(|seat| !seat.is_own && seat.bet > 0);
        let bets: Vec<Value> = others.map(|seat| json!({ "way": seat.name, "bet": seat.bet })).collect();
        let bankroll = own.chips.unwrap_or_default() + own.bet;
        (!bets.is_empty()).then(|| json!({ "bank": { "bets": bets, "own": own.bet, "bankroll": bankroll } }))
    }

    /// Returns what the coach needs to know about the open decision, or `None` if there is nothing to compute.
    pub fn question(&self) -> Option<Value> {
        self.view().or_else(|| self.bank_offer())
    }

    pub fn cards(&self) -> Vec<String> {
        let is_hidden = self.phase == Phase::Betting || self.has_cup();
        let view = if is_hidden { None } else { self.rounds.view() };
        cards_of(view.as_ref())
    }

    /// Returns the action that the chosen cards form, once enough cards have been chosen.
    pub fn pending(&self) -> Option<usize> {
        let pick = self.pick()?;
        (self.phase == Phase::Deciding && self.chosen.len() == pick.cards).then(|| (pick.action)(&self.chosen))
    }

    pub fn foul(&self) -> Option<String> {
        self.illegal(self.pending()?)
    }

    pub fn illegal(&self, action: usize) -> Option<String> {
        self.rounds.check_action(action).err().map(|error| match error {
            EnvError::IllegalAction { reason, .. } => reason,
            error => error.to_string(),
        })
    }

    pub fn legal(&self) -> Vec<usize> {
        if self.phase == Phase::Deciding { self.rounds.legal() } else { vec![] }
    }

    pub fn house_action(&self) -> Option<usize> {
        if self.phase == Phase::Deciding { self.rounds.house_action() } else { None }
    }

    pub fn late_action(&self) -> Option<usize> {
        if self.phase == Phase::Deciding { self.rounds.late_action() } else { None }
    }

    /// Returns the name of an action in the open decision. If it is formed by choosing cards, the name lists them.
    pub fn action_name(&self, action: usize) -> String {
        self.name_in(self.rounds.view().as_ref(), action)
    }

    pub fn name_in(&self, view: Option<&Value>, action: usize) -> String {
        let cards = cards_of(view);
        let positions = self.layout.pick.filter(|_| !cards.is_empty()).map(|pick| (pick, (pick.positions)(action)));
        match positions.filter(|(_, positions)| !positions.is_empty()) {
            Some((pick, positions)) => {
                let chosen = positions.into_iter().filter_map(|place| cards.get(place).cloned());
                format!("{} {}", pick.chosen, chosen.collect::<Vec<_>>().join(" "))
            }
            None => self.label(action),
        }
    }

    /// Returns the names of all actions in the open decision in the words of the table, as on its buttons.
    pub fn names(&self) -> Vec<String> {
        let view = self.rounds.view();
        let mut names: Vec<String> = (0..self.actions.len()).map(|it| self.name_in(view.as_ref(), it)).collect();
        for known in self.rounds.public_table().unwrap_or_default().actions {
            names[known.action] = known.words;
        }
        names
    }

    /// Returns the name of an action that isn't formed by choosing cards.
    pub fn label(&self, action: usize) -> String {
        let named = self.rounds.action_name(action);
        named.or_else(|| self.actions.get(action).cloned()).unwrap_or_default()
    }

    /// Returns `true` for an action of the game, even if it isn't legal now. Its refusal lists the legal ones.
    pub fn is_action(&self, name: &str) -> bool {
        self.find_action(name).is_some() || self.names().iter().any(|action| is_named(action, name))
    }

    /// Returns the action with the given name, words or number. Only legal actions are found by name.
    pub fn find_action(&self, name: &str) -> Option<usize> {
        let named =
            |action: &usize| plain(&self.label(*action)) == plain(name) || is_named(&self.names()[*action], name);
        self.legal().into_iter().find(named).or_else(|| name.parse().ok().filter(|&action| action < self.actions.len()))
    }

    pub fn greeting(&self) -> Vec<Event> {
        let Record { seed, rounds, .. } = self.record;
        let GameEntry { name: game, title, .. } = *self.game;
        let mut events = vec![Event::Session { game, title, seed, rounds, bankroll: self.bankroll() }];
        events.push(if self.phase == Phase::Betting { self.bets_event() } else { self.dealt_event() });
        events
    }

    pub fn bets_event(&self) -> Event {
        let bets = self.bets.iter().map(|bet| (bet.title.clone(), self.stake(bet))).collect();
        Event::Bets { bets, bankroll: self.record.bankroll }
    }

    pub fn remark(&self) -> Option<String> {
        let are_cards_shown = self.phase != Phase::Betting && !self.has_cup();
        (self.layout.remark)(self.rounds.view().filter(|_| are_cards_shown).as_ref()?)
    }

    pub fn dealt_event(&self) -> Event {
        let remark = self.remark();
        let names = |action: usize| self.label(action);
        let actions = if self.pick().is_some() { vec![] } else { self.legal().into_iter().map(names).collect() };
        Event::Dealt { round: self.record.rounds + 1, state: self.rounds.render(), remark, actions }
    }

    pub fn choice_event(&self, pick: &Pick) -> Event {
        let cards = self.cards();
        let text = |is_chosen: bool| {
            let shown = cards.iter().enumerate().filter(|(place, _)| self.chosen.contains(place) == is_chosen);
            shown.map(|(_, card)| card.as_str()).collect::<Vec<_>>().join(" ")
        };
        let (chosen, others) = (format!("{} {}", pick.chosen, text(true)), format!("{} {}", pick.others, text(false)));
        Event::Choice { chosen, others, complete: self.pending().is_some(), foul: self.foul() }
    }
}
