//! A pair of strategies and its outcomes over all deals, as data, in JSON and as text.

use crate::Ratio;
use crate::answer::{Section, TextTable};
use crate::format::{grouped, percent, rate_text};
use crate::pai_gow::outcomes::{OutcomeWeights, Payoff, Side};
use crate::pai_gow::strategies::SideStrategy;
use crate::pai_gow::table::Tabulated;
use crate::pai_gow::whole::Shard;
use crate::solver::{SolverError, invalid};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::binomial;
use houseway_env::money::Collection;
use houseway_env::names::InvalidText;
use houseway_env::pai_gow::{Game, Hand, Rules};
use houseway_env::seal::Seal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;

/// The checksum of the document. Documents from other versions of the program are rejected, because their counts may
/// differ.
const SEAL: Seal = Seal::new("houseway-solve", 2).of_one_version();

houseway_env::named_enum! {
    /// The party that banks. This determines the banker's payoff.
    #[derive(Default)]
    pub enum BankedBy: kebab_case {
        /// The house, which receives the player's losses and the commission.
        #[default]
        House,
        /// A player, who pays the commission on every bet that the bank wins.
        Player,
    }
}

impl BankedBy {
    /// Parses an option by name.
    ///
    /// # Errors
    /// Returns an error that lists the valid names if there is no such option.
    pub fn parse(name: &str) -> Result<BankedBy, String> {
        name.parse().map_err(|_| format!("invalid bank '{name}': expected 'house' or 'player'"))
    }

    /// Returns the banker's payoff.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            BankedBy::House => Payoff::house_bank(rules),
            BankedBy::Player => Payoff::player(rules),
        }
    }

    /// Returns the payoff for a side. A player always pays the commission.
    pub fn payoff_of(self, side: Side, rules: &Rules) -> Payoff {
        match side {
            Side::Player => Payoff::player(rules),
            Side::Banker => self.payoff(rules),
        }
    }

    /// Returns the player's and the banker's payoff.
    pub fn payoffs(self, rules: &Rules) -> [Payoff; 2] {
        Side::ALL.map(|side| self.payoff_of(side, rules))
    }
}

/// The parameters that determine the outcome of every deal. Equal questions have equal outcome counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The name of the player's strategy.
    pub player: String,
    /// The hash of the player's house way or table. `None` for the best response.
    pub player_hash: Option<String>,
    /// The options chosen for the readings of the player's house way.
    pub player_readings: BTreeMap<String, String>,
    /// The name of the banker's strategy.
    pub banker: String,
    /// The hash of the banker's house way or table. `None` for the best response.
    pub banker_hash: Option<String>,
    /// The options chosen for the readings of the banker's house way.
    pub banker_readings: BTreeMap<String, String>,
    /// The party that banks.
    pub bank: BankedBy,
    /// The rules of the game.
    pub rules: Rules,
    /// The hash of the rules.
    pub rules_hash: String,
    /// The cards that neither side can hold.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dead: String,
    /// `true` if pushes are settled by one more card for each side.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_push: bool,
}

impl Question {
    /// Creates the question for a player's and a banker's strategy.
    pub fn new([player, banker]: &[SideStrategy; 2], game: &Game, bank: BankedBy) -> Question {
        let hash = |side: &SideStrategy| side.given().map(|strategy| strategy.hash().to_owned());
        let readings = |side: &SideStrategy| side.given().map(Tabulated::readings).unwrap_or_default();
        Question {
            player: player.name().to_owned(),
            player_hash: hash(player),
            player_readings: readings(player),
            banker: banker.name().to_owned(),
            banker_hash: hash(banker),
            banker_readings: readings(banker),
            bank,
            rules: game.rules(),
            rules_hash: game.rules().hash(),
            dead: String::new(),
            no_push: false,
        }
    }

    /// Returns the number of deals, from a deck without the dead cards.
    fn deals(&self) -> Result<u64, InvalidText> {
        let deck = CardSet::DECK_53.len() - self.dead.parse::<CardSet>()?.len();
        let hands = |cards: usize| binomial(cards as u64, Hand::CARDS as u64);
        Ok(hands(deck) * hands(deck.saturating_sub(Hand::CARDS)))
    }

    /// Returns the player's payoff for each outcome.
    pub fn payoff(&self) -> Payoff {
        Payoff::player(&self.rules)
    }

    /// Returns the banker's payoff for each outcome.
    pub fn banker_payoff(&self) -> Payoff {
        self.bank.payoff(&self.rules)
    }
}

/// The outcomes of two strategies over all deals, or over one part of the game.
///
/// The JSON document is what `houseway solve` writes. Integers are stored as strings to stay exact, and `ev` and the
/// values derived from it exist only for the full game. If a side mixes its settings or another card settles
/// pushes, the document also has a `weight`,
/// and counts such as `wins` are in units of one deal divided by it. The contents don't depend on the machine. To read a
/// document again later, [seal](PairTotals::sealed) it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTotals {
    /// The rules and both strategies.
    pub question: Question,
    /// The enumerated part of the game, or `None` for the full game.
    pub part: Option<Shard>,
    /// The weight of each deal, which is 1 unless a side mixes its settings or another card settles pushes.
    pub weight: u64,
    /// The player's outcomes.
    pub counts: OutcomeWeights,
}

impl PairTotals {
    /// Creates the totals for all deals, or for those of one part of the game.
    pub fn new(question: Question, part: Option<Shard>, counts: impl Into<OutcomeWeights>) -> PairTotals {
        let all = || question.deals().expect("the dead cards are valid");
        let (deals, counts) = (part.map_or_else(all, Shard::deals), counts.into());
        let weight = counts.all() / u128::from(deals.max(1));
        PairTotals { question, part, weight: weight.max(1) as u64, counts }
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> u64 {
        (self.counts.all() / u128::from(self.weight)) as u64
    }

    /// Reads a sealed document, which must have exactly the keys that were sealed.
    ///
    /// # Errors
    /// Returns an error if the document is damaged or was written by another version of the program, or if its numbers
    /// contradict each other.
    pub fn open(document: Map<String, Value>) -> Result<PairTotals, SolverError> {
        PairTotals::from_json(SEAL.open_document(document).map_err(damaged)?)
    }

    /// Reads a document without a seal, such as a part of a sealed document. Unknown keys are ignored.
    ///
    /// # Errors
    /// Returns an error if a key is missing or invalid, or if the numbers contradict each other.
    pub fn from_json(document: Value) -> Result<PairTotals, SolverError> {
        let count = |key: &str| {
            let value = document.get(key).ok_or_else(|| foreign(format!("missing field `{key}`")))?;
            let text = String::deserialize(value).map_err(foreign)?;
            text.parse::<u128>().map_err(|_| foreign(format!("invalid count '{text}'")))
        };
        let counts = OutcomeWeights {
            wins: count("wins")?,
            pushes: count("pushes")?,
            losses: count("losses")?,
            copies_front: count("copies_front")?,
            copies_back: count("copies_back")?,
        };
        let weight = if document["weight"].is_null() { 1 } else { count("weight")? };
        let weight = u64::try_from(weight).ok().filter(|&weight| weight > 0);
        let weight = weight.ok_or_else(|| damaged("the weight of a deal is out of range"))?;
        let (deals, part) = (count("deals")?, serde_json::from_value(document["shard"].clone()).map_err(foreign)?);
        let question = serde_json::from_value(document).map_err(foreign)?;
        let totals = PairTotals { question, part, weight, counts };
        match totals.contradiction(deals) {
            Some(contradiction) => Err(damaged(contradiction)),
            None => Ok(totals),
        }
    }

    /// Checks that the numbers are consistent, and describes the first contradiction.
    fn contradiction(&self, deals: u128) -> Option<&'static str> {
        let PairTotals { question, part, weight, counts } = self;
        let sum = [counts.wins, counts.pushes, counts.losses].into_iter().try_fold(0, u128::checked_add);
        let all = deals.checked_mul((*weight).into());
        let expected = part.map_or_else(|| question.deals().ok(), |part| Some(part.deals()));
        if sum.is_none() || sum != all {
            Some("wins, pushes and losses do not add up to the deals")
        } else if expected.map(u128::from) != Some(deals) {
            Some("the number of deals does not match the shard or the full game")
        } else if Some(counts.copies_front.max(counts.copies_back)) > all {
            Some("there are more copies than deals")
        } else {
            (question.rules.hash() != question.rules_hash).then_some("the rules do not match their hash")
        }
    }

    /// Returns the player's EV per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals, as in an empty shard.
    pub fn ev(&self) -> Ratio {
        self.counts.ev(self.question.payoff())
    }

    /// Returns the banker's EV per unit staked by the player.
    ///
    /// # Panics
    /// Panics under the same conditions as [`PairTotals::ev`].
    pub fn banker_ev(&self) -> Ratio {
        self.counts.other_side().ev(self.question.banker_payoff())
    }

    /// Returns the JSON document with a seal, so that [`PairTotals::open`] can read and verify it.
    pub fn sealed(&self) -> Value {
        SEAL.seal(&self.json())
    }

    /// Returns the JSON document.
    pub fn json(&self) -> Value {
        let mut json = json!(self.question);
        json["shard"] = json!(self.part);
        json["deals"] = self.deals().to_string().into();
        if self.weight != 1 {
            json["weight"] = self.weight.to_string().into();
        }
        let mut values = self.counts.json();
        if self.part.is_none() {
            values.extend(self.question.values(&self.counts).map(|(key, value)| (key.to_owned(), value)));
        }
        json.as_object_mut().expect("a question has keys").extend(values);
        json
    }

    /// Returns the outcomes as a table. If they cover the full game, the EVs follow.
    pub fn section(&self) -> Section {
        let counts = &self.counts;
        let section = self.question.section();
        let section = match self.part {
            None => section,
            Some(part) => section
                .lines(format!("Shard {part} of the game: add all of them up with houseway solve --merge FILE...")),
        };
        let section = section.table(deals_table(counts, self.weight));
        if self.part.is_none() { section.lines(self.question.summary(counts)) } else { section }
    }
}

fn foreign(error: impl Display) -> SolverError {
    invalid!("{error}; expected a result of 'houseway solve'")
}

fn damaged(error: impl Display) -> SolverError {
    invalid!("{error}; create it again with 'houseway solve'")
}

/// Returns a table with the number of deals for each outcome. If deals are weighted, the numbers are rounded to
/// integers.
fn deals_table(counts: &OutcomeWeights, weight: u64) -> TextTable {
    let all = counts.all();
    let mut table = TextTable::new(["", "deals", "fraction"]).right_from(1);
    for (name, count) in [
        ("player wins", counts.wins),
        ("push", counts.pushes),
        ("banker wins", counts.losses),
        ("equal fronts", counts.copies_front),
        ("equal backs", counts.copies_back),
        ("all deals", all),
    ] {
        let deals = (count + u128::from(weight) / 2) / u128::from(weight);
        let fraction = percent(count as f64 / all.max(1) as f64, 4);
        table = table.row([name, &grouped(deals as u64), &fraction]);
    }
    table
}

impl Question {
    /// Returns the keys and values derived from the player's outcomes over all deals.
    fn values(&self, counts: &OutcomeWeights) -> [(&'static str, Value); 8] {
        let (ev, variance) = (counts.ev(self.payoff()), counts.variance(self.payoff()));
        let banker = counts.other_side();
        let (banker_ev, banker_variance) = (banker.ev(self.banker_payoff()), banker.variance(self.banker_payoff()));
        [
            ("ev", json!(ev.value())),
            ("ev_exact", ev.to_json()),
            ("banker_ev", json!(banker_ev.value())),
            ("banker_ev_exact", banker_ev.to_json()),
            ("variance", json!(variance)),
            ("standard_deviation", json!(variance.sqrt())),
            ("banker_variance", json!(banker_variance)),
            ("banker_standard_deviation", json!(banker_variance.sqrt())),
        ]
    }

    /// Returns a section that describes the strategies and the rules.
    fn section(&self) -> Section {
        let bank = match self.bank {
            BankedBy::House => "the house banks",
            BankedBy::Player => "a player banks",
        };
        let commission = rate_text(self.rules.commission_on_win());
        let changes = self.rules.changes().into_iter().filter(|change| !change.starts_with("commission="));
        let mut changes: Vec<String> = changes.map(|change| format!("\n    {change}")).collect();
        if self.rules.collection != Collection::NONE {
            let (fee, bet) = self.rules.collection.of_largest_bet();
            changes.push(format!("\n    EVs are per unit of a bet of {bet}, with a fee of {fee} for each hand"));
        }
        if self.no_push {
            changes.push(
                "\n    pushes are settled by one more card for each side; equal ranks go to the banker".to_owned(),
            );
        }
        Section::default().lines(format!(
            "player: {}\nbanker: {}\nrules {}: {bank}, {commission} commission{}{}",
            side(&self.player, &self.player_readings),
            side(&self.banker, &self.banker_readings),
            self.rules_hash,
            changes.concat(),
            if self.dead.is_empty() { String::new() } else { format!("\ndead cards: {}", self.dead) },
        ))
    }

    /// Returns the EVs and the standard deviation as text.
    fn summary(&self, counts: &OutcomeWeights) -> String {
        let (ev, banker_ev) = (counts.ev(self.payoff()), counts.other_side().ev(self.banker_payoff()));
        let deviation = counts.variance(self.payoff()).sqrt();
        format!(
            "player's EV         {:+.12} of the stake\n  exactly           {ev:?}\n\
             banker's EV         {:+.12} of the player's stake\n  exactly           {banker_ev:?}\n\
             edge                {}{}\n\
             return to player    {}\n\
             standard deviation  {deviation:.6} of the stake",
            ev.value(),
            banker_ev.value(),
            percent(-ev.value(), 6),
            if ev == Ratio::ZERO { "" } else { " against the player" },
            percent(1.0 + ev.value(), 6),
        )
    }
}

/// Returns a strategy's name and the options chosen for its readings.
fn side(name: &str, readings: &BTreeMap<String, String>) -> String {
    let readings: Vec<String> = readings.iter().map(|(reading, option)| format!("\n    {reading}={option}")).collect();
    format!("{name}{}", readings.concat())
}
