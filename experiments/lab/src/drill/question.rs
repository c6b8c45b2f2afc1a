//! Asks a drill's questions and judges the answers.

use super::record::{Answer, DrillRecord, Score};
use super::source::DrillSource;
use houseway_exact::format::percent;
use houseway_exact::solver::{Decision, Exercise};

/// A decision for the player to make.
pub struct Question<'a> {
    source: &'a DrillSource,
    /// The position as text.
    pub position: String,
    /// The exact EVs of all actions, and the choice of the strategy to compare with.
    pub decision: Decision,
    /// `true` if the position is repeated after a mistake.
    pub is_review: bool,
}

impl<'a> Question<'a> {
    /// Returns the next position due for review, or a new one if none is due.
    pub fn next(source: &'a DrillSource, record: &mut DrillRecord) -> Result<Question<'a>, String> {
        if let Some(review) = record.due() {
            return Question::again(source, &review.hand, true);
        }
        let position = source.draw(record)?;
        record.drawn = record.drawn.saturating_add(1);
        Question::again(source, &position, false)
    }

    /// Returns the question about a position that was drawn before.
    pub fn again(source: &'a DrillSource, position: &str, is_review: bool) -> Result<Question<'a>, String> {
        Ok(Question { source, position: position.to_owned(), decision: source.decide(position)?, is_review })
    }

    /// Returns the player's cards.
    pub fn cards(&self) -> Vec<&str> {
        Exercise::cards(&self.position).collect()
    }

    /// Returns the name of the strategy to compare with.
    pub fn strategy(&self) -> Option<&str> {
        self.decision.house.as_ref().map(|house| house.strategy.as_str())
    }

    /// Returns the action of the strategy to compare with.
    pub fn house_action(&self) -> Option<usize> {
        self.decision.house.as_ref().map(|house| house.action)
    }

    /// Returns the names of the legal actions. Empty if the player chooses cards instead.
    pub fn action_names(&self) -> Vec<String> {
        let legal = (0..self.decision.evs.len()).filter(|&action| self.decision.ev(action).is_some());
        if self.source.layout().pick.is_some() { vec![] } else { legal.map(|action| self.name(action)).collect() }
    }

    /// Returns the name of an action. If it is formed by choosing cards, the name lists them.
    fn name(&self, action: usize) -> String {
        let Some(pick) = &self.source.layout().pick else {
            return self.source.actions().get(action).cloned().unwrap_or_default();
        };
        let cards = self.cards();
        let chosen = (pick.positions)(action).into_iter().filter_map(|place| cards.get(place).copied());
        chosen.collect::<Vec<_>>().join(" ")
    }

    /// Judges a legal action.
    pub fn judge(&self, action: usize) -> Answer {
        let Question { position, decision, is_review, .. } = self;
        let (best, house) = (decision.best(), decision.house.as_ref());
        Answer {
            hand: position.clone(),
            group: decision.group.clone(),
            is_review: *is_review,
            action: self.name(action),
            best: self.name(best),
            house: house.map(|house| self.name(house.action)),
            house_rule: house.and_then(|house| Some(house.rule.as_ref()?.0.clone())),
            ev: decision.ev(action).unwrap_or(f64::NAN),
            best_ev: decision.ev(best).unwrap_or(f64::NAN),
            regret: decision.regret(action).unwrap_or(f64::NAN),
            house_regret: house.and_then(|house| decision.regret(house.action)),
        }
    }

    /// Parses an action given by its name. If actions are formed by choosing cards, they are given as cards or as
    /// positions in the hand.
    pub fn parse_action(&self, text: &str) -> Result<usize, String> {
        if self.source.layout().pick.is_some() {
            return self.parse_cards(text);
        }
        let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
        let legal = (0..self.decision.evs.len()).filter(|&action| self.decision.ev(action).is_some());
        let found = legal.into_iter().find(|&action| plain(&self.name(action)) == plain(text));
        found.ok_or_else(|| format!("'{text}' is not an action: try {}", self.action_names().join(", ")))
    }

    fn parse_cards(&self, text: &str) -> Result<usize, String> {
        let (cards, words): (_, Vec<&str>) = (self.cards(), text.split_whitespace().collect());
        let place = |word: &&str| match word.parse::<usize>() {
            Ok(place) => (1..=cards.len()).contains(&place).then(|| place - 1),
            Err(_) => cards.iter().position(|card| card.eq_ignore_ascii_case(word)),
        };
        let mut places = words.iter().map(place).collect::<Option<Vec<usize>>>().unwrap_or_default();
        places.sort_unstable();
        places.dedup();
        let pick = self.source.layout().pick.filter(|pick| places.len() == pick.cards && words.len() == pick.cards);
        let pick = pick.ok_or_else(|| format!("'{text}' is not two cards of the hand: try {}", example(&cards)))?;
        let action = (pick.action)(&places);
        match self.decision.ev(action) {
            Some(_) => Ok(action),
            None => Err(format!("{} in {} is {}", self.name(action), pick.chosen, pick.foul)),
        }
    }

    /// Returns the judgment in one sentence about the player's action and one about the strategy to compare with.
    pub fn sentences(&self, answer: &Answer) -> Vec<String> {
        let Answer { action, best, ev, best_ev, regret, house, house_regret, .. } = answer;
        let place = self.source.layout().pick.map_or_else(String::new, |pick| format!(" in {}", pick.chosen));
        let own = match *regret == 0.0 {
            true => format!("right: {action}{place} is the best, EV {ev:+.5}"),
            false => format!("wrong: {action}{place}, EV {ev:+.5}, costs {regret:.5}; best: {best}, EV {best_ev:+.5}"),
        };
        let compared = house.iter().zip(house_regret).zip(&self.decision.house).map(|((house, regret), play)| {
            let cost = if *regret == 0.0 { "the best".to_owned() } else { format!("which costs {regret:.5}") };
            let text = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let rule = play.rule.as_ref().map(|(name, rule)| format!(", by its rule \"{name}\": {}", text(rule)));
            format!("{}: {house}, {cost}{}", play.strategy, rule.unwrap_or_default())
        });
        [own].into_iter().chain(compared).collect()
    }
}

fn example(cards: &[&str]) -> String {
    match cards {
        [_, second, third, ..] => format!("\"{second} {third}\" or \"2 3\", quit, skip or house"),
        _ => "quit, skip or house".to_owned(),
    }
}

impl Score {
    /// Returns the score in words. `strategy` is the name of the strategy to compare with.
    pub fn text(&self, strategy: Option<&str>) -> String {
        let Score { hands, best, house_best, regret, house_regret } = self;
        let own = format!(
            "{hands} hands: you found the best play in {best} and gave away {} of a stake per hand",
            percent(*regret, 3)
        );
        match strategy {
            Some(name) => format!(
                "{own};\n{name} finds {house_best} and gives away {}, the optimum 0%",
                percent(*house_regret, 3)
            ),
            None => own + "; the optimum gives away 0%",
        }
    }
}
