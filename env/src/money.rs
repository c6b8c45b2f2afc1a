//! Chips, rates, the commission on winnings, and the fees collected for each hand.

use crate::files::impl_number_text;
use crate::names::InvalidText;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An amount in whole chips. Debts and losses are negative.
pub type Chips = i64;

/// Formats an integer with commas as thousands separators.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Formats an amount of chips with thousands separators, as in 12,345.
pub fn chips(sum: Chips) -> String {
    format!("{}{}", if sum < 0 { "-" } else { "" }, grouped(sum.unsigned_abs()))
}

/// Returns the commission on winnings, rounded to the nearest whole chip. Half a chip is rounded up. At 5%, no rounding
/// is needed if the winnings are a multiple of 20 chips. No commission is charged on losses.
#[inline]
pub const fn commission(rate: Rate, winnings: Chips) -> Chips {
    let whole = Rate::WHOLE as Chips;
    if winnings <= 0 { 0 } else { (winnings * rate.millionths() as Chips + whole / 2) / whole }
}

/// A fraction of an amount of money, from 0 to 1 in steps of a millionth. It is written as a decimal such as `"0.05"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "crate::files::NumberText", into = "f64")]
pub struct Rate(u32);

impl Rate {
    /// The number of millionths in a rate of 1.
    pub const WHOLE: u32 = 1_000_000;
    /// A rate of 0.
    pub const ZERO: Rate = Rate(0);
    /// The commission usually charged by casinos.
    pub const FIVE_PERCENT: Rate = Rate(50_000);

    /// Creates a rate from millionths. Returns `None` if `millionths` is greater than [`Rate::WHOLE`].
    pub const fn from_millionths(millionths: u32) -> Option<Rate> {
        if millionths <= Self::WHOLE { Some(Rate(millionths)) } else { None }
    }

    /// Returns the rate in millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// Returns the rate as a floating-point number from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }
}

impl FromStr for Rate {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Rate, InvalidText> {
        let expected = "a decimal from 0 to 1 with at most six decimal places, such as 0.05";
        let percent = match text.strip_suffix('%') {
            Some(number) => number.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent)),
            None => text.parse().ok().filter(|percent| *percent > 1.0 && *percent <= 100.0),
        };
        let meant = percent.map_or_else(String::new, |percent| {
            let rate = format!("{:.6}", percent / 100.0);
            format!("; write {percent}% as {}", rate.trim_end_matches('0').trim_end_matches('.'))
        });
        let error = || InvalidText(format!("invalid rate '{text}': expected {expected}{meant}"));
        let (whole, places) = text.split_once('.').unwrap_or((text, ""));
        if places.len() > 6 || !text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return Err(error());
        }
        let whole: u32 = whole.parse().map_err(|_| error())?;
        let places: u32 = format!("{places:0<6}").parse().map_err(|_| error())?;
        let millionths = whole.checked_mul(Self::WHOLE).and_then(|whole| whole.checked_add(places));
        millionths.and_then(Rate::from_millionths).ok_or_else(error)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.value().to_string())
    }
}

impl From<Rate> for f64 {
    fn from(rate: Rate) -> f64 {
        rate.value()
    }
}

impl_number_text!(Rate);

/// The fee that a card room collects for each hand, win or lose, depending on the size of the bet.
///
/// It is written as `FEE/BET`, such as `1/100` for a fee of one chip for bets of up to 100 chips. A list such as
/// `1/100,2/200` has a fee for each range of bets, and the last fee also applies to larger bets. `none` stands for no
/// fee.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "crate::files::NumberText", into = "String")]
pub struct Collection([Fee; Collection::MAX_FEES]);

/// A fee and the largest bet that it applies to. Both are 0 for the unused entries at the end of a list.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Fee {
    fee: u32,
    bet: u32,
}

impl Collection {
    /// No fees.
    pub const NONE: Collection = Collection([Fee { fee: 0, bet: 0 }; Collection::MAX_FEES]);
    /// The name of [`Collection::NONE`].
    pub const NAMES: [&str; 1] = ["none"];
    /// The maximum number of fees.
    const MAX_FEES: usize = 8;
    /// The largest bet in a list. This limit keeps sums over whole games exact.
    const MAX_BET: u32 = 1_000_000;

    fn fees(&self) -> impl Iterator<Item = Fee> + '_ {
        self.0.iter().copied().take_while(|fee| fee.bet > 0)
    }

    /// Returns the fee for a bet, in chips.
    pub fn fee(&self, bet: Chips) -> Chips {
        let fee = self.fees().find(|fee| bet <= fee.bet.into()).or_else(|| self.fees().last());
        fee.map_or(0, |fee| fee.fee.into())
    }

    /// Returns the last fee and its bet, in chips. EVs per unit staked are those for a bet of this size.
    pub fn of_largest_bet(&self) -> (u32, u32) {
        self.fees().last().map_or((0, 1), |fee| (fee.fee, fee.bet))
    }
}

impl FromStr for Collection {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Collection, InvalidText> {
        let error = || {
            InvalidText(format!(
                "invalid collection '{text}': expected none, or up to {} fees with the largest bet that each of them \
                 applies to, in ascending order and in whole chips up to {}, such as 1/100,2/200",
                Collection::MAX_FEES,
                Collection::MAX_BET
            ))
        };
        let mut collection = Collection::NONE;
        if text == Collection::NAMES[0] {
            return Ok(collection);
        }
        let mut before = Fee::default();
        for (i, part) in text.split(',').enumerate() {
            let (fee, bet) = part.trim().split_once('/').ok_or_else(error)?;
            let number = |text: &str| text.parse::<u32>().map_err(|_| error());
            let fee = Fee { fee: number(fee)?, bet: number(bet)? };
            if fee.bet <= before.bet || fee.bet > Collection::MAX_BET || !(before.fee..=fee.bet).contains(&fee.fee) {
                return Err(error());
            }
            *collection.0.get_mut(i).ok_or_else(error)? = fee;
            before = fee;
        }
        Ok(collection)
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fees: Vec<String> = self.fees().map(|Fee { fee, bet }| format!("{fee}/{bet}")).collect();
        f.pad(if fees.is_empty() { Collection::NAMES[0].to_owned() } else { fees.join(",") }.as_str())
    }
}

impl_number_text!(Collection);

/// A bet for which the commission on a win is rounded to a whole chip, or none.
///
/// The bet divides a million, so that the commission per unit staked is a [`Rate`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "crate::files::NumberText", into = "String")]
pub struct CommissionBet(u32);

impl CommissionBet {
    /// No bet, so the commission isn't rounded.
    pub const NONE: CommissionBet = CommissionBet(0);
    /// The name of [`CommissionBet::NONE`].
    pub const NAMES: [&str; 1] = ["none"];

    /// Returns the commission on a win per unit staked.
    pub const fn rounded(self, rate: Rate) -> Rate {
        match Rate::WHOLE.checked_div(self.0) {
            None => rate,
            Some(chip) => Rate(commission(rate, self.0 as Chips) as u32 * chip),
        }
    }
}

impl FromStr for CommissionBet {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<CommissionBet, InvalidText> {
        let bet = if text == CommissionBet::NAMES[0] { Some(0) } else { text.parse().ok().filter(|&bet| bet > 0) };
        bet.filter(|&bet| bet == 0 || Rate::WHOLE.is_multiple_of(bet)).map(CommissionBet).ok_or_else(|| {
            InvalidText(format!(
                "invalid bet '{text}': expected none, or a number of chips that divides a million, such as 20 or 50"
            ))
        })
    }
}

impl fmt::Display for CommissionBet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if self.0 == 0 { CommissionBet::NAMES[0].to_owned() } else { self.0.to_string() })
    }
}

impl_number_text!(CommissionBet);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_exact() {
        for (text, millionths) in [("0.05", 50_000), ("0", 0), ("1", 1_000_000), ("0.000001", 1), (".5", u32::MAX)] {
            assert_eq!(text.parse::<Rate>().map_or(u32::MAX, Rate::millionths), millionths, "{text}");
        }
        for text in ["", "1.1", "-0.1", "0.0000001", "5%", "99999999999", "1.000001", "4294.967296"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
        for (text, meant) in
            [("33.3%", "write 33.3% as 0.333"), ("97.3", "write 97.3% as 0.973"), ("0.0000001", "such as 0.05")]
        {
            assert!(text.parse::<Rate>().unwrap_err().0.ends_with(meant), "{text}");
        }
    }

    #[test]
    fn commissions_round_to_the_nearest_chip() {
        let cases = [(0, 0), (-100, 0), (1, 0), (9, 0), (10, 1), (20, 1), (29, 1), (30, 2), (1_000, 50)];
        for (winnings, expected) in cases {
            assert_eq!(commission(Rate::FIVE_PERCENT, winnings), expected, "{winnings}");
        }
        assert_eq!(commission(Rate::ZERO, 1_000), 0);
        assert_eq!(commission("1".parse().unwrap(), 1_000_000_000_000), 1_000_000_000_000);
    }

    /// Bets of 10 to 100 pay 1, and those of up to 300 pay 2 (Hustler Casino's schedule as reported for its tables).
    #[test]
    fn fees_depend_on_the_size_of_the_bet() {
        let collection: Collection = "1/100, 2/300".parse().unwrap();
        assert_eq!([10, 100, 101, 300, 5_000].map(|bet| collection.fee(bet)), [1, 1, 2, 2, 2]);
        assert_eq!((collection.of_largest_bet(), collection.to_string().as_str()), ((2, 300), "1/100,2/300"));
        assert_eq!((Collection::NONE.fee(50), Collection::NONE.of_largest_bet()), (0, (0, 1)));
        for text in ["none", "1/100", "0/20,3/21", "1/1000000"] {
            assert_eq!(text.parse::<Collection>().unwrap().to_string(), text);
        }
        let long = (1..10).map(|bet| format!("1/{bet}")).collect::<Vec<_>>().join(",");
        for text in [
            "",
            "1",
            "1/",
            "1/0",
            "5/4",
            "1/100,2/100",
            "2/100,1/200",
            "1/1000001",
            "-1/20",
            "1/100;2/200",
            long.as_str(),
        ] {
            assert!(text.parse::<Collection>().unwrap_err().to_string().contains("such as 1/100,2/200"), "{text}");
        }
    }

    #[test]
    fn commissions_are_those_for_a_bet_in_chips() {
        let rounded = |bet: &str| bet.parse::<CommissionBet>().unwrap().rounded(Rate::FIVE_PERCENT).millionths();
        for bet in [1u32, 2, 5, 8, 10, 20, 25, 50, 100, 125, 500, 1_000, 1_000_000] {
            // The commission for the bet, in chips, is that of a table.
            let chips = commission(Rate::FIVE_PERCENT, bet.into());
            assert_eq!(i64::from(rounded(&bet.to_string())) * i64::from(bet), chips * 1_000_000, "{bet}");
        }
        assert_eq!(["none", "20", "50", "25"].map(rounded), [50_000, 50_000, 60_000, 40_000]);
        for text in ["", "0", "-20", "30", "2000000", "20.5"] {
            assert!(text.parse::<CommissionBet>().unwrap_err().to_string().contains("divides a million"), "{text}");
        }
    }

    #[test]
    fn sums_have_separators() {
        let texts = [0, 7, 999, 1_000, -1_234_567].map(chips);
        assert_eq!(texts, ["0", "7", "999", "1,000", "-1,234,567"]);
    }
}
