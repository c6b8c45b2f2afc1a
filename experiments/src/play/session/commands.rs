//! Commands that a session can execute.

use super::{CHIPS, EPISODE, Finished, Phase, Refusal, Session};
use crate::play::amount::Amount;
use crate::play::command::Command;
use crate::play::event::Event;
use crate::play::layout::Bet;
use crate::play::ledger::RoundResult;
use crate::play::record::{OpenRound, Stakes};

use houseway_env::gym::{Env, Episode};

impl Session {
    /// Executes a command and returns its events.
    ///
    /// # Errors
    /// Returns an error if the command is not possible now. On error, the state is unchanged.
    pub fn apply(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        match command {
            Command::Chip { chip, bet } => self.place(*chip, bet.as_deref()),
            Command::Clear => self.clear(),
            Command::Deal => self.deal(),
            Command::Card(place) => self.toggle(*place),
            Command::Choose(cards) => self.choose(cards),
            Command::House => self.choose_house(),
            Command::Undo => self.undo(),
            Command::Confirm => self.confirm(),
            Command::NewGame => self.next(0),
            Command::Rebet => self.next(1),
            Command::RebetDouble => self.next(2),
            Command::Act(name) => self.act(name),
        }
    }

    fn need(&self, phase: Phase) -> Result<(), Refusal> {
        let reason = match self.phase {
            phase_now if phase_now == phase => return Ok(()),
            Phase::Betting => "the cards are not dealt yet: place your bets and press DEAL",
            Phase::Deciding => "the cards are dealt: play the hand first",
            Phase::Over => "the round is over: press NEW GAME, REBET or REBET X2",
        };
        Err(reason.to_owned())
    }

    fn place(&mut self, chip: i64, title: Option<&str>) -> Result<Vec<Event>, Refusal> {
        if self.phase == Phase::Over {
            self.next(0)?;
        }
        self.need(Phase::Betting)?;
        if self.bets.is_empty() {
            return Err("in this game no bets are placed before the deal: press DEAL".to_owned());
        }
        if !CHIPS.contains(&chip) {
            return Err(format!(
                "there is no chip of {chip}; choose {}",
                CHIPS.map(|chip| chip.to_string()).join(", ")
            ));
        }
        let is_named = |bet: &&Bet| title.is_none_or(|title| bet.title.eq_ignore_ascii_case(title));
        let Some(bet) = self.bets.iter().find(is_named).cloned() else {
            let titles: Vec<&str> = self.bets.iter().map(|bet| bet.title.as_str()).collect();
            return Err(format!("there is no bet of this name; the bets are: {}", titles.join(", ")));
        };
        let mut bets = self.record.bets.clone();
        *bets.entry(bet.option).or_default() += Amount::whole(chip);
        self.afford(&bets)?;
        self.record.bets = bets;
        Ok(vec![self.bets_event()])
    }

    /// Checks that the bankroll covers everything that the bets can lose, including later raises of the main bets. A
    /// game without bets before the deal has its own chips.
    fn afford(&self, bets: &Stakes) -> Result<(), Refusal> {
        let most = (-self.env.spec().reward_range.0).max(1.0);
        let loss = |bet: &Bet| {
            let stake = bets.get(&bet.option).copied().unwrap_or_default();
            if bet.is_main { Amount::from(stake.value() * most) } else { stake }
        };
        let (loss, bankroll) = (self.bets.iter().map(loss).sum::<Amount>(), self.record.bankroll);
        if loss <= bankroll || self.bets.is_empty() {
            return Ok(());
        }
        Err(format!(
            "these bets can lose up to {loss}, and the bankroll is {bankroll}; bet less, or start again with --new"
        ))
    }

    fn clear(&mut self) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Betting)?;
        self.record.bets.clear();
        Ok(vec![self.bets_event()])
    }

    fn deal(&mut self) -> Result<Vec<Event>, Refusal> {
        if self.phase == Phase::Over && self.bets.is_empty() {
            self.phase = Phase::Betting;
        }
        self.need(Phase::Betting)?;
        if let Some(bet) = self.bets.iter().find(|bet| bet.is_main && self.stake(bet) == Amount::ZERO) {
            return Err(format!("there is no chip on {}: place one before the deal", bet.title));
        }
        self.afford(&self.record.bets)?;
        self.reset().map_err(|error| error.to_string())?;
        self.record.open = Some(OpenRound::default());
        Ok(vec![self.dealt_event()])
    }

    fn toggle(&mut self, place: usize) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Deciding)?;
        let pick = self.layout.pick.ok_or("in this game no cards are chosen: choose an action")?;
        let cards = self.cards().len();
        if place >= cards {
            return Err(format!("there is no card {}; the cards are 1 to {cards}", place + 1));
        }
        match self.chosen.iter().position(|&chosen| chosen == place) {
            Some(at) => drop(self.chosen.remove(at)),
            None if self.chosen.len() == pick.cards => {
                return Err(format!("{} cards are chosen already: press CONFIRM, or UNDO to choose again", pick.cards));
            }
            None => self.chosen.push(place),
        }
        self.chosen.sort_unstable();
        Ok(vec![self.choice_event(&pick)])
    }

    /// Chooses cards by name.
    fn choose(&mut self, names: &[String]) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Deciding)?;
        let pick = self.layout.pick.ok_or("in this game no cards are chosen: choose an action")?;
        let cards = self.cards();
        let place = |name: &String| {
            let found = cards.iter().position(|card| card.eq_ignore_ascii_case(name));
            found.ok_or_else(|| format!("{name} is not in the hand {}", cards.join(" ")))
        };
        let mut chosen = names.iter().map(place).collect::<Result<Vec<usize>, String>>()?;
        chosen.sort_unstable();
        chosen.dedup();
        if chosen.len() != pick.cards {
            return Err(format!("choose {} different cards", pick.cards));
        }
        self.chosen = chosen;
        Ok(vec![self.choice_event(&pick)])
    }

    fn choose_house(&mut self) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Deciding)?;
        let action = self.house_action().ok_or("the house has no strategy in this game")?;
        match self.layout.pick {
            Some(pick) => {
                self.chosen = (pick.positions)(action);
                Ok(vec![self.choice_event(&pick)])
            }
            None => self.play(action),
        }
    }

    fn undo(&mut self) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Deciding)?;
        let pick = self.layout.pick.ok_or("an action that was played cannot be undone")?;
        if self.chosen.is_empty() {
            return Err("no card is chosen".to_owned());
        }
        self.chosen.clear();
        Ok(vec![self.choice_event(&pick)])
    }

    fn confirm(&mut self) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Deciding)?;
        let pick = self.layout.pick.ok_or("there is nothing to confirm: choose an action")?;
        let action = self.pending().ok_or_else(|| format!("choose {} cards first", pick.cards))?;
        match self.illegal(action) {
            Some(reason) => Err(format!("CONFIRM is not offered: {reason}; press UNDO and choose again")),
            None => self.play(action),
        }
    }

    fn act(&mut self, name: &str) -> Result<Vec<Event>, Refusal> {
        self.need(Phase::Deciding)?;
        let names =
            || self.legal().into_iter().map(|action| self.actions[action].clone()).collect::<Vec<_>>().join(", ");
        let action =
            self.find_action(name).ok_or_else(|| format!("there is no action '{name}' now; choose {}", names()))?;
        match self.illegal(action) {
            Some(reason) => Err(reason),
            None => self.play(action),
        }
    }

    fn play(&mut self, action: usize) -> Result<Vec<Event>, Refusal> {
        let name = self.action_name(action);
        self.step(action).map_err(|error| error.to_string())?;
        if let Some(open) = &mut self.record.open {
            open.actions.push(action);
        }
        let mut events = vec![Event::Played { action: name }];
        if self.phase == Phase::Over {
            events.push(self.finish());
        } else {
            events.push(self.dealt_event());
        }
        Ok(events)
    }

    fn finish(&mut self) -> Event {
        let main = self.bets.iter().filter(|bet| bet.is_main).map(|bet| self.stake(bet)).sum();
        let result = RoundResult { stake: main, net: self.net() };
        let decisions = self.decisions.clone();
        let episode = Episode {
            format: EPISODE,
            env: self.record.env.clone(),
            rules_hash: self.record.rules_hash.clone(),
            seed: Some(self.stream()),
            options: self.options(false),
            actions: decisions.iter().map(|made| made.action).collect(),
            rewards: self.rewards.clone(),
            terminated: self.last.is_some_and(|step| step.terminated),
            truncated: self.last.is_some_and(|step| step.truncated),
        };
        self.record.rounds += 1;
        self.record.bankroll += result.net;
        self.record.open = None;
        self.record.last_bets = std::mem::take(&mut self.record.bets);
        self.record.ledger.add(result);
        self.finished = Some(Finished { round: self.record.rounds, result, decisions, episode });
        let (round, net, bankroll) = (self.record.rounds, result.net, self.record.bankroll);
        Event::Result { round, state: self.env.render(), net, bankroll }
    }

    /// Returns the round that the last command finished. Later calls return `None`.
    pub fn take_finished(&mut self) -> Option<Finished> {
        self.finished.take()
    }

    /// Starts a round with a multiple of the last bets. As in the original game, the cards are dealt only when DEAL is
    /// pressed.
    fn next(&mut self, times: i64) -> Result<Vec<Event>, Refusal> {
        match self.phase {
            Phase::Deciding => self.need(Phase::Betting)?,
            Phase::Betting if times == 0 => return self.clear(),
            _ => {}
        }
        if times > 0 && self.record.last_bets.is_empty() {
            return Err("there are no earlier bets to repeat: place a chip".to_owned());
        }
        let last = self.record.last_bets.iter().filter(|_| times > 0);
        let bets: Stakes = last.map(|(option, stake)| (option.clone(), stake.times(times))).collect();
        self.afford(&bets)?;
        self.phase = Phase::Betting;
        self.record.bets = bets;
        Ok(vec![self.bets_event()])
    }
}
