//! The finished rounds of a session, each with what its decisions cost.

use super::{Amount, Finished, Made, Session, cost_text};
use houseway_env::pai_gow::house_way::Way;
use serde::Serialize;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedRound {
    pub round: u64,
    /// The hands, settings and bets at the end, as text.
    pub state: String,
    pub net: Amount,
    /// The regret of the decisions in chips, or `None` if they haven't been judged.
    pub cost: Option<f64>,
    pub verdict: Vec<String>,
    /// The query of the page that analyzes the hand with the chosen setting, or `None` if the game has no such page.
    pub analysis: Option<String>,
}

impl PlayedRound {
    /// Records a round against the given house way. Without one, the round has no page that analyzes it.
    pub fn new(session: &Session, finished: &Finished, house: Option<&str>) -> PlayedRound {
        let set = finished.decisions.iter().find(|made| made.view.is_some()).filter(|_| session.layout.why.is_some());
        PlayedRound {
            round: finished.round,
            state: session.rounds.render(),
            net: finished.net,
            cost: None,
            verdict: vec![],
            analysis: set.and_then(|made| analysis(made, house?)),
        }
    }
}

/// Returns the query of the page that analyzes a hand. The page knows hands of the player against a built-in house way.
fn analysis(made: &Made, house: &str) -> Option<String> {
    let view = made.view.as_ref()?;
    let (hand, front) = (view["hand"].as_str()?, made.names[made.action].strip_prefix("front ")?);
    let dead = view["known_cards"].as_str().unwrap_or_default();
    let banker = view["banker"].as_str().unwrap_or(house);
    if view["players"].is_array() || !Way::is_built_in(banker) {
        return None;
    }
    Some(format!("hand={hand}&front={front}&dead={dead}&banker={banker}").replace(' ', "+"))
}

impl fmt::Display for PlayedRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = self.cost.map_or("not judged".to_owned(), |cost| format!("cost {}", cost_text(cost)));
        write!(f, "round {}: net {}, {cost}", self.round, self.net.signed())?;
        let lines = self.state.lines().chain(self.verdict.iter().map(String::as_str));
        lines.into_iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}
