//! Paytables with the odds that a bet pays on each hand.
//!
//! A paytable is written as a TOML file. Each row contains a hand (or a kind of wager) and its odds to one:
//!
//! ```toml
//! name = "mine"
//! title = "My table"
//! source = "the table cloth"
//!
//! [[row]]
//! hand = "full-house"
//! odds = 7
//! ```
//!
//! Every bet in a game is a type that implements [`Bet`], such as the type of the hands that it pays on. The trait defines
//! these hands, the unit of the odds, and the bundled paytables. [`Paytable::load`] accepts the name of a bundled paytable or the path to a
//! file. Rules refer to a paytable by such a name or path, or contain the whole paytable.
//!
//! A paytable can also have [`BetTerms`], and rows can have an envy bonus and a share of a progressive meter.
//! [`Paytable::load_bet`] accepts them. Environments only settle odds on the player's own hand, so everything else
//! refuses such paytables.

mod odds;

pub use odds::Odds;

use crate::files::{self, NamedText};
use crate::names::{self, InvalidText};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use toml::Spanned;

/// The maximum number of players in games with enough cards.
pub const MAX_PLAYERS: u32 = 15;

/// A bet that pays according to a paytable.
pub trait Bet: Copy + Eq + fmt::Debug + 'static {
    /// The type of hand that a row pays on.
    type Hand: Copy + Ord + fmt::Debug + fmt::Display + Serialize + DeserializeOwned + 'static;

    /// The number of money units in a stake of one. Odds are multiples of `1 / UNITS`.
    const UNITS: u32 = 1;

    /// The names and contents of the bundled paytables, starting with the default.
    const PAYTABLES: &'static [NamedText];

    /// The names and contents of bundled paytables whose terms the environment doesn't settle.
    const SPECIAL: &'static [NamedText] = &[];

    /// Returns `true` if the hand is impossible under the terms. Paytables must not have rows for impossible hands.
    fn is_impossible(_hand: Self::Hand, _terms: &BetTerms) -> bool {
        false
    }

    /// The maximum number of players at a table, whose hands pay envy bonuses to each other.
    const PLAYERS: u32 = MAX_PLAYERS;

    /// Returns `true` if the row depends on how the hand is set.
    fn is_set(_hand: Self::Hand) -> bool {
        false
    }

    /// Returns `true` if the row depends on both the player's and the dealer's cards.
    fn is_of_two(_hand: Self::Hand) -> bool {
        false
    }

    /// Returns `true` if a row also pays a hand, such as a row for a flush a straight flush.
    fn pays(row: Self::Hand, hand: Self::Hand) -> bool {
        row == hand
    }

    /// Describes the hands that a row pays, unless its name says it.
    fn meaning(_hand: Self::Hand) -> Option<String> {
        None
    }
}

crate::options! {
    /// The hand that a bet is on.
    pub enum HandOf {
        /// The player's own hand.
        Player,
        /// The dealer's hand.
        Dealer,
        /// The player's or the dealer's hand, whichever pays more.
        Either,
        /// The player's or the dealer's hand, whichever loses the showdown. The bet loses with a tie.
        Loser,
    }
}

/// The result of a hand that would be paid if the main bet had won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeedsWin {
    /// The bet pushes.
    Push,
    /// The bet loses.
    Lose,
    /// The bet pushes if the main bet does, and loses if it loses.
    PushOnTie,
}

/// The terms of a bet beside the odds of its rows. The default is a bet on the player's own hand that is independent of
/// the main bet and pays its odds to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BetTerms {
    /// The hand that the bet is on.
    pub on: HandOf,
    /// The result of a paid hand if the main bet doesn't win, or `None` if the main bet doesn't matter.
    pub needs_win: Option<NeedsWin>,
    /// `true` if the odds are for one, so that the stake isn't returned.
    pub for_one: bool,
    /// The number of cards that the bet is settled by, or `None` for all cards of the hand.
    pub cards: Option<u8>,
}

/// A row in a paytable.
///
/// If a hand qualifies for several rows, [`PayRow::value`] tells which one pays most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PayRow<H> {
    /// The hand that pays these odds.
    pub hand: H,
    /// The amount won per unit staked, not including the stake itself. Odds of 0 only return the stake.
    pub odds: Odds,
    /// The amount won per unit staked if another player has the hand.
    #[serde(skip_serializing_if = "Odds::is_zero")]
    pub envy: Odds,
    /// The part of a progressive meter that is won in addition to the odds, at most 1.
    #[serde(skip_serializing_if = "Odds::is_zero")]
    pub meter: Odds,
}

impl<H> PayRow<H> {
    /// Returns a value that is higher for rows that pay more. A share of the meter comes before any odds.
    #[inline]
    pub fn value(&self) -> (u32, u32) {
        (self.meter.units(Odds::MAX), self.odds.units(10_000))
    }
}

/// A paytable. Two paytables are equal if they have the same name and pay the same odds.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Source<B>", bound = "")]
pub struct Paytable<B: Bet> {
    name: String,
    title: String,
    source: String,
    rules: Vec<String>,
    terms: BetTerms,
    rows: Vec<PayRow<B::Hand>>,
}

impl<B: Bet> PartialEq for Paytable<B> {
    fn eq(&self, other: &Paytable<B>) -> bool {
        let paid = |row: &PayRow<B::Hand>| other.rows.iter().any(|it| (it.hand, it.odds) == (row.hand, row.odds));
        self.name == other.name
            && self.terms == other.terms
            && self.rows.len() == other.rows.len()
            && self.rows.iter().all(paid)
    }
}

impl<B: Bet> Eq for Paytable<B> {}

/// Serializes everything that affects results, starting with the best hand. Rule hashes depend on this format.
impl<B: Bet> Serialize for Paytable<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = self.rows.clone();
        rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.hand));
        let row = rows.iter().map(|row| json!({ "hand": row.hand, "odds": row.odds.value() }));
        json!({ "name": self.name, "row": row.collect::<Vec<_>>() }).serialize(serializer)
    }
}

/// A paytable as deserialized from rules, given by name, by path or in full.
#[derive(Deserialize)]
#[serde(
    untagged,
    bound = "",
    expecting = "expected a paytable's name or file, or a whole paytable with a name and rows"
)]
enum Source<B: Bet> {
    Name(String),
    Full(PaytableFile<B>),
}

/// A paytable as stored in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", bound = "")]
struct PaytableFile<B: Bet> {
    name: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    on: HandOf,
    needs_win: Option<NeedsWin>,
    #[serde(default)]
    for_one: bool,
    cards: Option<u8>,
    row: Vec<RowFile<B::Hand>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "H: DeserializeOwned")]
struct RowFile<H> {
    hand: H,
    odds: Option<Odds>,
    #[serde(default)]
    envy: Odds,
    #[serde(default, deserialize_with = "share_of_meter")]
    meter: Odds,
}

fn share_of_meter<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Odds, D::Error> {
    let expected =
        |_| D::Error::custom("invalid meter: expected a part of it from 0 to 1, such as 0.1 or 1/10 for 10%");
    Odds::deserialize(deserializer).map_err(expected)
}

/// The positions of the rows in a file, for use in error messages.
#[derive(Deserialize)]
struct Places {
    name: Spanned<toml::Value>,
    row: Spanned<Vec<RowPlaces>>,
}

#[derive(Deserialize)]
struct RowPlaces {
    hand: Spanned<toml::Value>,
    odds: Option<Spanned<toml::Value>>,
}

/// The part of a paytable that an error refers to.
enum Place {
    Name,
    Rows,
    Hand(usize),
    Odds(usize),
}

/// Implements the form that a hand has in paytables and JSON: its text, with hyphens for spaces.
macro_rules! impl_hand_name {
    ($hand:ident) => {
        impl ::serde::Serialize for $hand {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.to_string().replace(' ', "-"))
            }
        }

        impl TryFrom<String> for $hand {
            type Error = $crate::names::InvalidText;

            fn try_from(text: String) -> Result<$hand, Self::Error> {
                text.parse()
            }
        }
    };
}
pub(crate) use impl_hand_name;

impl<B: Bet> Paytable<B> {
    /// Loads a paytable with odds on the player's own hand. Returns the bundled paytable with the given name, or reads
    /// the file with the given path if the path exists or ends in `.toml`.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, if the file cannot be read or is invalid, or if the paytable has other
    /// terms.
    pub fn load(name_or_path: &str) -> Result<Paytable<B>, InvalidText> {
        Paytable::load_bet(name_or_path).and_then(Paytable::settled)
    }

    /// Returns the paytable if environments settle it.
    fn settled(self) -> Result<Paytable<B>, InvalidText> {
        let terms = self.special_terms().join(", ");
        if terms.is_empty() {
            return Ok(self);
        }
        let rest = "which the game does not settle; only houseway side-bet evaluates it";
        Err(InvalidText(format!("the paytable '{}' has {terms}, {rest}", self.name)))
    }

    /// Loads a paytable like [`Paytable::load`], but with any terms. The text of a file, which is any string with a line
    /// break, is accepted as well.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or if the file cannot be read or is invalid.
    pub fn load_bet(name_or_path: &str) -> Result<Paytable<B>, InvalidText> {
        if name_or_path.contains('\n') {
            return name_or_path.parse();
        }
        let bundled = || B::PAYTABLES.iter().chain(B::SPECIAL);
        if let Some((_, text)) = bundled().find(|(name, _)| *name == name_or_path) {
            return text.parse();
        }
        let path = Path::new(name_or_path);
        if path.extension().is_some_and(|end| end == "toml") || path.is_file() {
            let unreadable = |error| InvalidText(format!("cannot read the paytable {name_or_path}: {error}"));
            let table = files::read_text(path, files::MAX_TEXT).map_err(unreadable)?.parse();
            return table.map_err(|InvalidText(error)| InvalidText(format!("{name_or_path}: {error}")));
        }
        let known = names::expected(name_or_path, bundled().map(|(name, _)| *name));
        Err(InvalidText(format!("unknown paytable '{name_or_path}'; {known}, or a file")))
    }

    /// Returns an iterator over the bundled paytables, starting with the default.
    pub fn built_in() -> impl Iterator<Item = Paytable<B>> {
        B::PAYTABLES.iter().map(|(_, text)| text.parse().expect("bundled paytables are valid"))
    }

    /// Returns the paytable's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the human-readable title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the publication or casino that the paytable comes from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the rules that the paytable was published for where they differ from the defaults, as `key=value`.
    pub fn rules(&self) -> &[String] {
        &self.rules
    }

    /// Returns the terms beside the odds.
    pub fn terms(&self) -> BetTerms {
        self.terms
    }

    /// Returns `true` if the bet depends on the player's and the dealer's hand.
    pub fn is_of_two(&self) -> bool {
        matches!(self.terms.on, HandOf::Either | HandOf::Loser)
            || self.terms.needs_win.is_some()
            || self.rows.iter().any(|row| B::is_of_two(row.hand))
    }

    /// Returns the keys of all terms that differ from their defaults.
    pub fn special_terms(&self) -> Vec<&'static str> {
        let BetTerms { on, needs_win, for_one, cards } = self.terms;
        let terms = [
            (on == HandOf::Dealer, "on = \"dealer\""),
            (on == HandOf::Either, "on = \"either\""),
            (on == HandOf::Loser, "on = \"loser\""),
            (needs_win.is_some(), "needs-win"),
            (for_one, "for-one"),
            (cards.is_some(), "cards"),
            (self.rows.iter().any(|row| B::is_set(row.hand)), "front"),
            (self.rows.iter().any(|row| B::is_of_two(row.hand)), "both"),
            (self.rows.iter().any(|row| !row.envy.is_zero()), "envy"),
            (self.rows.iter().any(|row| !row.meter.is_zero()), "meter"),
        ];
        terms.into_iter().filter(|(special, _)| *special).map(|(_, key)| key).collect()
    }

    /// Returns the rows in the same order as in the file.
    pub fn rows(&self) -> &[PayRow<B::Hand>] {
        &self.rows
    }

    /// Returns the index of the row that pays most among those that pay a hand, or `None` if the hand loses. The first of
    /// equal rows counts.
    pub fn best_row(&self, pays: impl Fn(B::Hand) -> bool) -> Option<usize> {
        let paid = (0..self.rows.len()).filter(|&i| pays(self.rows[i].hand));
        paid.max_by_key(|&i| (self.rows[i].value(), std::cmp::Reverse(i)))
    }

    /// Returns the index of the row that pays most of those that [pay](Bet::pays) a hand. `None` if the hand loses.
    pub fn row_of(&self, hand: impl Into<B::Hand>) -> Option<usize> {
        let hand = hand.into();
        self.best_row(|row| B::pays(row, hand))
    }

    /// Returns the odds for a hand, or `None` if the paytable has [no row](Paytable::row_of) for it.
    pub fn odds(&self, hand: impl Into<B::Hand>) -> Option<Odds> {
        self.row_of(hand).map(|row| self.rows[row].odds)
    }

    /// Returns the exact odds for a hand in units of `1 /` [`Bet::UNITS`] of the stake, or `None` if the paytable has
    /// [no row](Paytable::row_of) for the hand.
    pub fn units(&self, hand: impl Into<B::Hand>) -> Option<u32> {
        self.odds(hand).map(|odds| odds.units(B::UNITS))
    }

    /// Creates a paytable after checking its rows. `line` formats the position of a part for error messages.
    fn new(mut file: PaytableFile<B>, line: impl Fn(Place) -> String) -> Result<Paytable<B>, InvalidText> {
        let error = |place, problem: String| Err(InvalidText(line(place) + &problem));
        if file.row.is_empty() {
            return error(Place::Rows, "expected at least one [[row]] with a hand and odds".to_owned());
        }
        let PaytableFile { on, needs_win, for_one, cards, .. } = file;
        let terms = BetTerms { on, needs_win, for_one, cards };
        let mut rows: Vec<PayRow<B::Hand>> = Vec::with_capacity(file.row.len());
        for (i, RowFile { hand, odds, envy, meter }) in std::mem::take(&mut file.row).into_iter().enumerate() {
            // A share of the meter may be all that a row pays.
            let Some(odds) = odds.or_else(|| (!meter.is_zero()).then_some(Odds::ZERO)) else {
                return error(Place::Hand(i), format!("no odds for '{hand}'; add odds, which are 0 for a push"));
            };
            if meter.value() > 1.0 {
                return error(Place::Hand(i), format!("invalid meter {meter} for '{hand}': must be at most 1"));
            }
            if B::is_impossible(hand, &terms) {
                let problem = match cards {
                    None => format!("'{hand}' is impossible with all cards of this game; remove the row, or add cards"),
                    Some(cards) => format!("'{hand}' is impossible or no row with cards = {cards}; remove it"),
                };
                return error(Place::Hand(i), problem);
            }
            if rows.iter().any(|other| other.hand == hand) {
                return error(Place::Hand(i), format!("duplicate row for '{hand}'; remove one of them"));
            }
            if !odds.is_multiple(B::UNITS) {
                let unit =
                    if B::UNITS == 1 { "whole numbers".to_owned() } else { format!("multiples of 1/{}", B::UNITS) };
                let problem = format!("invalid odds {odds}: expected {unit} from 0 to {}", Odds::MAX);
                return error(Place::Odds(i), problem);
            }
            rows.push(PayRow { hand, odds, envy, meter });
        }
        let texts =
            [&file.title, &file.source].into_iter().chain(&file.rules).try_for_each(|text| names::check_line(text));
        if let Err(invalid) = names::check(&file.name).and(texts) {
            return error(Place::Name, invalid.to_string());
        }
        let PaytableFile { name, title, source, rules, .. } = file;
        Ok(Paytable { name, title, source, rules, terms, rows })
    }
}

impl<B: Bet> Default for Paytable<B> {
    /// Returns the first bundled paytable.
    fn default() -> Paytable<B> {
        Paytable::built_in().next().expect("every bet has at least one paytable")
    }
}

impl<B: Bet> FromStr for Paytable<B> {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Paytable<B>, InvalidText> {
        let expected = "expected a name, title and source, and a hand and odds for each [[row]]";
        let invalid = |error: toml::de::Error| InvalidText(format!("{error}{expected}"));
        let file: PaytableFile<B> = toml::from_str(text).map_err(invalid)?;
        let Places { name, row } = toml::from_str(text).map_err(invalid)?;
        Paytable::new(file, |place| {
            let span: Range<usize> = match place {
                Place::Name => name.span(),
                Place::Rows => row.span(),
                Place::Hand(i) => row.get_ref()[i].hand.span(),
                Place::Odds(i) => row.get_ref()[i].odds.as_ref().map_or(row.get_ref()[i].hand.span(), Spanned::span),
            };
            format!("line {}: ", files::line_of(text, span.start))
        })
    }
}

impl<B: Bet> TryFrom<Source<B>> for Paytable<B> {
    type Error = InvalidText;

    fn try_from(source: Source<B>) -> Result<Paytable<B>, InvalidText> {
        match source {
            Source::Name(name) => Paytable::load(&name),
            Source::Full(file) => {
                let table = Paytable::new(file, |place| match place {
                    Place::Name | Place::Rows => String::new(),
                    Place::Hand(i) | Place::Odds(i) => format!("row {}: ", i + 1),
                });
                table.and_then(Paytable::settled)
            }
        }
    }
}

#[cfg(test)]
mod tests;
