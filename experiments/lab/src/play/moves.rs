//! The commands that a session can execute.

use super::{Amount, Bet, CHIPS, Command, Event, Finished, MAX_PAST, OpenRound, PastRound, Phase, Session, Stakes};

impl Session {
    /// Executes a command of the game and returns the resulting events. A refusal is the reason, with a suggestion of what to do
    /// instead.
    pub fn apply(&mut self, command: &Command) -> Result<Vec<Event>, String> {
        // A banker who sets a hand without shaking the dice has them shaken.
        self.is_shaken |= matches!(
            command,
            Command::Card(_) | Command::Choose(_) | Command::House | Command::Undo | Command::Confirm
        ) && self.has_cup();
        match command {
            Command::Shake => self.shake(),
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
            Command::SitOut => self.sit_out(),
            Command::Act(name) => self.act(name),
            Command::Coach(_) | Command::Stats | Command::Help | Command::Quit => Ok(vec![]),
        }
    }

    fn need(&self, phase: Phase) -> Result<(), String> {
        let reason = match self.phase {
            phase_now if phase_now == phase => return Ok(()),
            Phase::Betting => "the cards have not been dealt yet; place your bets, then deal",
            Phase::Deciding => "the cards have already been dealt; play the hand first",
            Phase::Over => "the round is over; choose new game, rebet or rebet x2",
        };
        Err(reason.to_owned())
    }

    fn place(&mut self, chip: i64, title: Option<&str>) -> Result<Vec<Event>, String> {
        if self.phase == Phase::Over {
            self.next(0)?;
        }
        self.need(Phase::Betting)?;
        if self.bets.is_empty() {
            return Err("this game has no bets before the deal; deal".to_owned());
        }
        if !CHIPS.contains(&chip) {
            return Err(format!(
                "there is no chip of {chip}; use one of {}",
                CHIPS.map(|chip| chip.to_string()).join(", ")
            ));
        }
        let is_named = |bet: &&Bet| title.is_none_or(|title| bet.title.eq_ignore_ascii_case(title));
        let Some(bet) = self.bets.iter().find(is_named).cloned() else {
            let titles: Vec<&str> = self.bets.iter().map(|bet| bet.title.as_str()).collect();
            return Err(format!("there is no bet with this name; the bets are: {}", titles.join(", ")));
        };
        let mut bets = self.record.bets.clone();
        *bets.entry(bet.option).or_default() += Amount::whole(chip);
        self.afford(&bets)?;
        self.record.bets = bets;
        Ok(vec![self.bets_event()])
    }

    /// Checks that the bankroll covers everything that the bets can lose, including later raises of the main bets.
    /// Games without bets before the deal manage their own chips.
    fn afford(&self, bets: &Stakes) -> Result<(), String> {
        let most = self.rounds.max_loss();
        let loss = |bet: &Bet| {
            let stake = bets.get(&bet.option).copied().unwrap_or_default();
            if bet.is_main { Amount::from(stake.value() * most) } else { stake }
        };
        let (loss, bankroll) = (self.bets.iter().map(loss).sum::<Amount>(), self.record.bankroll);
        if loss <= bankroll || self.bets.is_empty() {
            return Ok(());
        }
        let new = "start a new session, on the command line with --new --bankroll N";
        if bankroll <= Amount::ZERO {
            return Err(format!("you have no chips left; {new}"));
        }
        Err(format!("these bets can lose up to {loss}, but the bankroll is {bankroll}; bet less, or {new}"))
    }

    fn clear(&mut self) -> Result<Vec<Event>, String> {
        self.need(Phase::Betting)?;
        self.record.bets.clear();
        Ok(vec![self.bets_event()])
    }

    fn deal(&mut self) -> Result<Vec<Event>, String> {
        if self.phase == Phase::Over && self.bets.is_empty() {
            self.phase = Phase::Betting;
        }
        self.need(Phase::Betting)?;
        if let Some(reason) = self.deal_refusal() {
            return Err(reason);
        }
        self.afford(&self.record.bets)?;
        self.begin().map_err(|error| error.to_string())?;
        self.record.open = Some(OpenRound::default());
        Ok(vec![self.dealt_event()])
    }

    fn toggle(&mut self, place: usize) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let pick = *self.pick().ok_or("no cards are chosen in this decision; choose an action")?;
        let cards = self.cards().len();
        if place >= cards {
            return Err(format!("there is no card {}; the cards are 1 to {cards}", place + 1));
        }
        match self.chosen.iter().position(|&chosen| chosen == place) {
            Some(at) => drop(self.chosen.remove(at)),
            None if self.chosen.len() == pick.cards => {
                return Err(format!("{} cards are already chosen; confirm, or undo and choose again", pick.cards));
            }
            None => self.chosen.push(place),
        }
        self.chosen.sort_unstable();
        Ok(vec![self.choice_event(&pick)])
    }

    fn choose(&mut self, names: &[String]) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let pick = *self.pick().ok_or("no cards are chosen in this decision; choose an action")?;
        let cards = self.cards();
        let place = |name: &String| {
            let numbered = || name.parse::<usize>().ok()?.checked_sub(1).filter(|&place| place < cards.len());
            let found = cards.iter().position(|card| card.eq_ignore_ascii_case(name)).or_else(numbered);
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

    fn choose_house(&mut self) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let action = self.house_action().ok_or("the house has no strategy for this decision")?;
        match self.pick().copied() {
            Some(pick) => {
                self.chosen = (pick.positions)(action);
                Ok(vec![self.choice_event(&pick)])
            }
            None => self.play(action),
        }
    }

    fn shake(&mut self) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        if !self.has_cup() {
            return Err("the dice are not yours to shake; only the banker shakes them, once".to_owned());
        }
        self.is_shaken = true;
        Ok(vec![self.dealt_event()])
    }

    fn undo(&mut self) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let pick = *self.pick().ok_or("actions cannot be undone")?;
        if self.chosen.is_empty() {
            return Err("no cards are chosen".to_owned());
        }
        self.chosen.clear();
        Ok(vec![self.choice_event(&pick)])
    }

    fn confirm(&mut self) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let pick = *self.pick().ok_or("there is nothing to confirm; choose an action")?;
        let action = self.pending().ok_or_else(|| format!("choose {} cards first", pick.cards))?;
        match self.illegal(action) {
            Some(reason) => Err(format!("confirm is not possible: {reason}; undo and choose again")),
            None => self.play(action),
        }
    }

    fn act(&mut self, name: &str) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let names = || self.legal().into_iter().map(|action| self.label(action)).collect::<Vec<_>>().join(", ");
        let action =
            self.find_action(name).ok_or_else(|| format!("invalid action '{name}'; choose from {}", names()))?;
        match self.illegal(action) {
            Some(reason) => Err(reason),
            None => self.play(action),
        }
    }

    fn play(&mut self, action: usize) -> Result<Vec<Event>, String> {
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

    /// Plays a finished round again and returns its events.
    pub fn replay(&mut self, PastRound { bets, actions }: PastRound) -> Result<Vec<Event>, String> {
        if actions.is_empty() {
            return self.let_others_play();
        }
        self.record.bets = bets;
        self.begin().map_err(|error| error.to_string())?;
        self.record.open = Some(OpenRound::default());
        let mut events = vec![self.dealt_event()];
        for action in actions {
            events.extend(self.play(action)?);
        }
        Ok(events)
    }

    pub fn time_up(&mut self) -> Result<Vec<Event>, String> {
        self.need(Phase::Deciding)?;
        let action = self.late_action().ok_or("there is no time limit for this decision")?;
        self.play(action)
    }

    fn finish(&mut self) -> Event {
        let stake = self.main_stake();
        let (net, decisions) = (self.net(), self.decisions.clone());
        self.record.rounds += 1;
        self.record.bankroll += net;
        let played = self.record.open.take().unwrap_or_default();
        self.record.last_bets = std::mem::take(&mut self.record.bets);
        let bets = self.record.last_bets.clone();
        self.record.past.push(PastRound { bets, actions: played.actions });
        if !self.rounds.is_continuous() {
            let over = self.record.past.len().saturating_sub(MAX_PAST);
            self.record.past.drain(..over);
        }
        let finished = Finished { round: self.record.rounds, stake, net, decisions };
        self.record.ledger.add(&finished);
        self.finished = Some(finished);
        self.result_event(net)
    }

    fn result_event(&self, net: Amount) -> Event {
        let (round, bankroll) = (self.record.rounds, self.record.bankroll);
        Event::Result { round, state: self.rounds.render(), net, bankroll }
    }

    /// Lets the others play a round. Chips that are already placed are taken back, and `rebet` still repeats the last bets
    /// that were played. The round isn't part of the session's results.
    fn sit_out(&mut self) -> Result<Vec<Event>, String> {
        if self.phase == Phase::Deciding {
            self.need(Phase::Betting)?;
        }
        if let Some(reason) = self.sit_out_refusal() {
            return Err(reason);
        }
        self.let_others_play()
    }

    fn let_others_play(&mut self) -> Result<Vec<Event>, String> {
        self.record.bets.clear();
        self.begin().map_err(|error| error.to_string())?;
        self.phase = Phase::Over;
        self.record.rounds += 1;
        self.record.past.push(PastRound::default());
        Ok(vec![self.result_event(Amount::ZERO)])
    }

    /// Starts a round with a multiple of the last bets. As in the original game, the cards aren't dealt until the
    /// player deals.
    fn next(&mut self, times: i64) -> Result<Vec<Event>, String> {
        match self.phase {
            Phase::Deciding => self.need(Phase::Betting)?,
            Phase::Betting if times == 0 => return self.clear(),
            _ => {}
        }
        if times > 0 && self.record.last_bets.is_empty() {
            return Err("there are no earlier bets to repeat; place a chip".to_owned());
        }
        let last = self.record.last_bets.iter().filter(|_| times > 0);
        let bets: Stakes = last.map(|(option, stake)| (option.clone(), stake.times(times))).collect();
        self.afford(&bets)?;
        self.phase = Phase::Betting;
        self.record.bets = bets;
        Ok(vec![self.bets_event()])
    }
}
