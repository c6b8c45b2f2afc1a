//! A pair of strategies and its outcomes over all deals, as data, in JSON and as text.

use crate::Ratio;
use crate::answer::{Section, TextTable};
use crate::format::{grouped, percent};
use crate::pai_gow::outcomes::{OutcomeWeights, Payoff, Side};
use crate::pai_gow::strategies::SideStrategy;
use crate::pai_gow::tabulated::Tabulated;
use crate::pai_gow::whole::Shard;
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::binomial;
use houseway_env::money::Collection;
use houseway_env::names::InvalidText;
use houseway_env::pai_gow::{Game, Hand, Rules};
use houseway_env::seal::{Seal, SealError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The checksum of the document. Documents from other versions of the program are rejected, because their counts may
/// differ.
const SEAL: Seal = Seal::new("houseway-solve", 2).of_one_version();

/// The party that banks. This determines the banker's payoff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BankedBy {
    /// The house, which receives the player's losses and the commission.
    #[default]
    House,
    /// A player, who pays the commission on every bet that the bank wins.
    Player,
}

impl BankedBy {
    /// Returns the option's name.
    pub const fn name(self) -> &'static str {
        match self {
            BankedBy::House => "house",
            BankedBy::Player => "player",
        }
    }

    /// Parses an option by name.
    ///
    /// # Errors
    /// Returns an error that lists the valid names if there is no such option.
    pub fn parse(name: &str) -> Result<BankedBy, String> {
        let found = [BankedBy::House, BankedBy::Player].into_iter().find(|bank| bank.name() == name);
        found.ok_or_else(|| format!("invalid bank '{name}': expected 'house' or 'player'"))
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
        [Side::Player, Side::Banker].map(|side| self.payoff_of(side, rules))
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
/// values derived from it exist only for the full game. If a side mixes its settings, the document also has a `weight`,
/// and counts such as `wins` are in units of one deal divided by it. The contents don't depend on the machine. To read a
/// document again later, [seal](PairTotals::sealed) it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTotals {
    /// The rules and both strategies.
    pub question: Question,
    /// The enumerated part of the game, or `None` for the full game.
    pub part: Option<Shard>,
    /// The weight of each deal, which is 1 unless a side mixes its settings.
    pub weight: u64,
    /// The player's outcomes.
    pub counts: OutcomeWeights,
}

/// An error in a document.
#[derive(Debug, thiserror::Error)]
pub enum PairTotalsError {
    /// The document is damaged, was written by another version of the program, or isn't a result of `houseway solve`.
    #[error("{0}; create it again with 'houseway solve'")]
    Seal(#[from] SealError),
    /// A key is missing or invalid.
    #[error("{0}; expected a result of 'houseway solve'")]
    Json(#[from] serde_json::Error),
    /// The numbers contradict each other.
    #[error("{0}; create it again with 'houseway solve'")]
    Broken(&'static str),
}

/// The keys that are read from the JSON document.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(flatten)]
    question: Question,
    shard: Option<Shard>,
    deals: Count,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<Count>,
    wins: Count,
    pushes: Count,
    losses: Count,
    copies_front: Count,
    copies_back: Count,
}

/// An integer stored as text, because JSON parsers may read numbers as floats.
#[derive(Clone, Copy)]
struct Count(u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Count).map_err(|_| D::Error::custom(format!("invalid count '{text}'")))
    }
}

impl Stored {
    /// Checks that the numbers are consistent, and describes the first contradiction.
    fn contradiction(&self) -> Option<&'static str> {
        let weight = self.weight.map_or(1, |weight| weight.0);
        let counts = [self.wins, self.pushes, self.losses];
        let sum = counts.iter().try_fold(0u128, |sum, count| sum.checked_add(count.0));
        let (deals, all) = (self.deals.0, self.deals.0.checked_mul(weight));
        let expected = self.shard.map_or_else(|| self.question.deals().ok(), |shard| Some(shard.deals()));
        if weight == 0 || u64::try_from(weight).is_err() {
            Some("the weight of a deal is out of range")
        } else if sum.is_none() || sum != all {
            Some("wins, pushes and losses do not add up to the deals")
        } else if expected.map(u128::from) != Some(deals) {
            Some("the number of deals does not match the shard or the full game")
        } else if [self.copies_front, self.copies_back].iter().any(|copies| Some(copies.0) > all) {
            Some("there are more copies than deals")
        } else {
            (self.question.rules.hash() != self.question.rules_hash).then_some("the rules do not match their hash")
        }
    }
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
    pub fn open(document: Map<String, Value>) -> Result<PairTotals, PairTotalsError> {
        PairTotals::from_json(SEAL.open_document(document)?)
    }

    /// Reads a document without a seal, such as a part of a sealed document. Unknown keys are ignored.
    ///
    /// # Errors
    /// Returns an error if a key is missing or invalid, or if the numbers contradict each other.
    pub fn from_json(document: Value) -> Result<PairTotals, PairTotalsError> {
        let stored: Stored = serde_json::from_value(document)?;
        if let Some(contradiction) = stored.contradiction() {
            return Err(PairTotalsError::Broken(contradiction));
        }
        let counts = OutcomeWeights {
            wins: stored.wins.0,
            pushes: stored.pushes.0,
            losses: stored.losses.0,
            copies_front: stored.copies_front.0,
            copies_back: stored.copies_back.0,
        };
        let weight = stored.weight.map_or(1, |weight| weight.0 as u64);
        Ok(PairTotals { question: stored.question, part: stored.shard, weight, counts })
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.question.rules
    }

    /// Returns the player's payoff for each outcome.
    pub fn payoff(&self) -> Payoff {
        self.question.payoff()
    }

    /// Returns the banker's payoff for each outcome.
    pub fn banker_payoff(&self) -> Payoff {
        self.question.banker_payoff()
    }

    /// Returns the player's EV per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals, as in an empty shard.
    pub fn ev(&self) -> Ratio {
        self.counts.ev(self.payoff())
    }

    /// Returns the banker's EV per unit staked by the player.
    ///
    /// # Panics
    /// Panics under the same conditions as [`PairTotals::ev`].
    pub fn banker_ev(&self) -> Ratio {
        self.counts.other_side().ev(self.banker_payoff())
    }

    /// Returns the JSON document with a seal, so that [`PairTotals::open`] can read and verify it.
    pub fn sealed(&self) -> Value {
        SEAL.seal(&self.json())
    }

    /// Returns the JSON document.
    pub fn json(&self) -> Value {
        let OutcomeWeights { wins, pushes, losses, copies_front, copies_back } = self.counts;
        let stored = Stored {
            question: self.question.clone(),
            shard: self.part,
            deals: Count(self.deals().into()),
            weight: (self.weight != 1).then(|| Count(self.weight.into())),
            wins: Count(wins),
            pushes: Count(pushes),
            losses: Count(losses),
            copies_front: Count(copies_front),
            copies_back: Count(copies_back),
        };
        let mut json = serde_json::to_value(stored).expect("names and numbers are JSON");
        if let (None, Value::Object(json)) = (self.part, &mut json) {
            let values = self.question.values(&self.counts);
            json.extend(values.map(|(key, value)| (key.to_owned(), value)));
        }
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
        // One percent is 10,000 millionths.
        let commission = f64::from(self.rules.commission.millionths()) / 10_000.0;
        let changes = self.rules.changes().into_iter().filter(|change| !change.starts_with("commission="));
        let mut changes: Vec<String> = changes.map(|change| format!("\n    {change}")).collect();
        if self.rules.collection != Collection::NONE {
            let (fee, bet) = self.rules.collection.of_largest_bet();
            changes.push(format!("\n    EVs are per unit of a bet of {bet}, with a fee of {fee} for each hand"));
        }
        Section::default().lines(format!(
            "player: {}\nbanker: {}\nrules {}: {bank}, {commission}% commission{}{}",
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
             edge                {} against the player\n\
             return to player    {}\n\
             standard deviation  {deviation:.6} of the stake",
            ev.value(),
            banker_ev.value(),
            percent(-ev.value(), 6),
            percent(1.0 + ev.value(), 6),
        )
    }
}

/// Returns a strategy's name and the options chosen for its readings.
fn side(name: &str, readings: &BTreeMap<String, String>) -> String {
    let readings: Vec<String> = readings.iter().map(|(reading, option)| format!("\n    {reading}={option}")).collect();
    format!("{name}{}", readings.concat())
}
