//! A session at one table: the bets, rounds and bankroll of a person who plays any registered game.
//!
//! A round proceeds as in the original game. Chips are placed, the cards are dealt, an action is chosen and confirmed,
//! and the bets are settled. Then a new game begins with no bets, the last bets, or twice the last bets. A session
//! contains no rules: it asks the environment for the legal actions, their names, and the reasons why other actions are
//! illegal.

mod commands;

use super::amount::Amount;
use super::event::Event;
use super::layout::{Bet, Layout, Pick};
use super::ledger::RoundResult;
use super::record::{OpenRound, Record};
use houseway_env::gym::{DynEnv, Env, EnvError, Episode, GameEntry, Step, StreamSeed};
use serde_json::{Map, Value};

/// Available chip values.
pub const CHIPS: [i64; 5] = [1, 5, 25, 100, 500];
/// Version of the [`Episode`] format.
const EPISODE: u32 = 1;

/// Stage of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Bets are placed.
    Betting,
    /// An action is chosen.
    Deciding,
    /// The round is over.
    Over,
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The environment's view, if it defines one.
    pub view: Option<Value>,
    /// The action.
    pub action: usize,
}

/// The reason why a command was refused, and a remedy.
pub type Refusal = String;

/// A finished round.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Round number, starting at 1.
    pub round: u64,
    /// Stake and result.
    pub result: RoundResult,
    /// The decisions, in order.
    pub decisions: Vec<Made>,
    /// A record from which the round can be replayed.
    pub episode: Episode<Value>,
}

/// A session at a table.
pub struct Session {
    pub(super) game: &'static GameEntry,
    env: DynEnv,
    layout: Layout,
    bets: Vec<Bet>,
    actions: Vec<String>,
    record: Record,
    phase: Phase,
    /// Positions of the chosen cards, in ascending order.
    chosen: Vec<usize>,
    decisions: Vec<Made>,
    rewards: Vec<f64>,
    /// The last step of the round.
    last: Option<Step>,
    finished: Option<Finished>,
}

/// Returns the agent's cards in a view.
fn cards_of(view: Option<&Value>) -> Vec<String> {
    let hand = view.and_then(|view| view["hand"].as_str()).unwrap_or_default();
    hand.split_whitespace().map(str::to_owned).collect()
}

impl Session {
    /// Opens a new session, or a saved one whose open round is resumed.
    ///
    /// # Errors
    /// Returns an error if the session belongs to another game or other rules, or if its options are invalid.
    pub fn open(game: &'static GameEntry, env: DynEnv, layout: Layout, record: Record) -> Result<Session, String> {
        let spec = env.spec();
        for (what, saved, now) in
            [("a different game", &record.env, spec.id), ("different rules", &record.rules_hash, &env.rules_hash())]
        {
            if saved != now {
                return Err(format!(
                    "the session was played with {what} ({saved} instead of {now}); use the same, start a \
                     new session with --new, or name another file with --session"
                ));
            }
        }
        let options: Map<String, Value> = serde_json::from_str(&env.0.default_options()).map_err(|e| e.to_string())?;
        let bets = layout.bets(&options);
        let (actions, phase) = ((game.action_names)(), Phase::Betting);
        let (chosen, decisions, rewards) = (vec![], vec![], vec![]);
        let mut session = Session {
            game,
            env,
            layout,
            bets,
            actions,
            record,
            phase,
            chosen,
            decisions,
            rewards,
            last: None,
            finished: None,
        };
        session.env.check_options(&session.options(true)).map_err(|error| error.to_string())?;
        session.resume().map_err(|error| {
            format!("the open round of the session cannot be resumed: {error}; start a new session with --new")
        })?;
        Ok(session)
    }

    /// Replays the actions of the open round.
    fn resume(&mut self) -> Result<(), EnvError> {
        let Some(OpenRound { actions }) = self.record.open.clone() else { return Ok(()) };
        self.reset()?;
        for action in actions {
            self.step(action)?;
        }
        Ok(())
    }

    /// Returns the reset options with the bets on the table, or with the default bets when only the other options are
    /// to be checked.
    fn options(&self, default_bets: bool) -> Value {
        let mut options: Map<String, Value> = self.record.options.clone().into_iter().collect();
        for bet in self.bets.iter().filter(|_| !default_bets) {
            options.insert(bet.option.clone(), self.stake(bet).value().into());
        }
        Value::Object(options)
    }

    fn stream(&self) -> StreamSeed {
        StreamSeed { seed: self.record.seed, lane: self.record.rounds }
    }

    fn reset(&mut self) -> Result<(), EnvError> {
        self.env.reset_stream(Some(self.stream()), &self.options(false))?;
        (self.phase, self.decisions, self.rewards) = (Phase::Deciding, vec![], vec![]);
        self.chosen.clear();
        Ok(())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        let view = self.env.view();
        let step = self.env.step(action)?;
        self.decisions.push(Made { view, action });
        self.rewards.push(step.reward);
        self.last = Some(step);
        self.chosen.clear();
        if step.is_last() {
            self.phase = Phase::Over;
        }
        Ok(step)
    }

    /// Returns the game.
    pub fn game(&self) -> &'static GameEntry {
        self.game
    }

    /// Returns the saved part of the session.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the ledger for the coach to update.
    pub fn ledger_mut(&mut self) -> &mut super::ledger::Ledger {
        &mut self.record.ledger
    }

    /// Returns the stage of the round.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the bets, with main bets first.
    pub fn bets(&self) -> &[Bet] {
        &self.bets
    }

    /// Returns the card choice that forms an action.
    pub fn pick(&self) -> Option<&Pick> {
        self.layout.pick.as_ref()
    }

    /// Returns the stake of a bet.
    pub fn stake(&self, bet: &Bet) -> Amount {
        self.record.bets.get(&bet.option).copied().unwrap_or_default()
    }

    /// Returns the bankroll, including the rewards of the open round.
    pub fn bankroll(&self) -> Amount {
        let open = if self.record.open.is_some() { self.net() } else { Amount::ZERO };
        self.record.bankroll + open
    }

    fn net(&self) -> Amount {
        self.rewards.iter().map(|&reward| Amount::from(reward)).sum()
    }

    /// Returns the state as text once cards have been dealt.
    pub fn state(&self) -> Option<String> {
        (self.phase != Phase::Betting).then(|| self.env.render())
    }

    /// Returns the environment's view of the open decision.
    pub fn view(&self) -> Option<Value> {
        (self.phase == Phase::Deciding).then(|| self.env.view()).flatten()
    }

    /// Returns the outcome of the finished round as JSON.
    pub fn outcome(&self) -> Option<Value> {
        (self.phase == Phase::Over).then(|| self.env.outcome()).flatten()
    }

    /// Returns the decisions of the round so far.
    pub fn decisions(&self) -> &[Made] {
        &self.decisions
    }

    /// Returns the agent's cards by position.
    pub fn cards(&self) -> Vec<String> {
        let view = if self.phase == Phase::Betting { None } else { self.env.view() };
        cards_of(view.as_ref())
    }

    /// Returns the positions of the chosen cards.
    pub fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// Returns the action of the chosen cards once there are enough of them.
    pub fn pending(&self) -> Option<usize> {
        let pick = self.layout.pick?;
        (self.phase == Phase::Deciding && self.chosen.len() == pick.cards).then(|| (pick.action)(&self.chosen))
    }

    /// Returns the reason why the pending action is illegal.
    pub fn foul(&self) -> Option<String> {
        self.illegal(self.pending()?)
    }

    fn illegal(&self, action: usize) -> Option<String> {
        self.env.check_action(action).err().map(|error| match error {
            EnvError::IllegalAction { reason, .. } => reason,
            error => error.to_string(),
        })
    }

    /// Returns the legal actions.
    pub fn legal(&self) -> Vec<usize> {
        let mut mask = vec![false; self.actions.len()];
        let known = self.phase == Phase::Deciding && self.env.action_mask(&mut mask).is_ok();
        (0..mask.len()).filter(|&action| known && mask[action]).collect()
    }

    /// Returns the action of the house's strategy.
    pub fn house_action(&self) -> Option<usize> {
        if self.phase == Phase::Deciding { self.env.house_action() } else { None }
    }

    /// Returns the name of an action in the open decision, or the chosen cards for a card choice.
    pub fn action_name(&self, action: usize) -> String {
        self.name_in(self.env.view().as_ref(), action)
    }

    /// Returns the name of an action in the decision with this view.
    pub fn name_in(&self, view: Option<&Value>, action: usize) -> String {
        match self.layout.pick {
            Some(pick) => {
                let cards = cards_of(view);
                let chosen = (pick.positions)(action).into_iter().filter_map(|place| cards.get(place).cloned());
                format!("{} {}", pick.chosen, chosen.collect::<Vec<_>>().join(" "))
            }
            None => self.actions.get(action).cloned().unwrap_or_default(),
        }
    }

    /// Returns `true` if a text names a legal action.
    pub fn is_action(&self, name: &str) -> bool {
        self.find_action(name).is_some()
    }

    /// Returns the legal action with this number or name.
    pub fn find_action(&self, name: &str) -> Option<usize> {
        let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
        let named = |action: &usize| plain(&self.actions[*action]) == plain(name);
        self.legal().into_iter().find(named).or_else(|| name.parse().ok().filter(|&action| action < self.actions.len()))
    }

    /// Returns the state of the table as events, for a session that starts or is resumed.
    pub fn greeting(&self) -> Vec<Event> {
        let Record { seed, rounds, .. } = self.record;
        let title = self.game.title.to_owned();
        let mut events = vec![Event::Session { game: title, seed, rounds, bankroll: self.bankroll() }];
        events.push(if self.phase == Phase::Betting { self.bets_event() } else { self.dealt_event() });
        events
    }

    fn bets_event(&self) -> Event {
        let bets = self.bets.iter().map(|bet| (bet.title.clone(), self.stake(bet))).collect();
        Event::Bets { bets, bankroll: self.record.bankroll }
    }

    /// Returns the game's remark about the hand.
    pub fn remark(&self) -> Option<String> {
        (self.layout.remark)(self.env.view().filter(|_| self.phase != Phase::Betting).as_ref()?)
    }

    fn dealt_event(&self) -> Event {
        let remark = self.remark();
        let names = |action: usize| self.actions[action].clone();
        let actions = if self.layout.pick.is_some() { vec![] } else { self.legal().into_iter().map(names).collect() };
        Event::Dealt { round: self.record.rounds + 1, state: self.env.render(), remark, actions }
    }

    fn choice_event(&self, pick: &Pick) -> Event {
        let cards = self.cards();
        let text = |is_chosen: bool| {
            let shown = cards.iter().enumerate().filter(|(place, _)| self.chosen.contains(place) == is_chosen);
            shown.map(|(_, card)| card.as_str()).collect::<Vec<_>>().join(" ")
        };
        let (chosen, others) = (format!("{} {}", pick.chosen, text(true)), format!("{} {}", pick.others, text(false)));
        Event::Choice { chosen, others, complete: self.pending().is_some(), foul: self.foul() }
    }
}
