//! The results of a session, broken down into cards, decisions and luck, and its files. A session's saved form is written
//! after every relevant change and makes it possible to resume the session. Its history has all finished rounds. Amounts of
//! money are exact to a millionth of a chip.

use super::{Finished, Made, OtherPlayers, Session, cost_text};
use crate::report::and_list;
use crate::run::{cannot_read, cannot_write_by, load_saved, write_atomic_by};
use houseway_env::files;
use houseway_env::gym::{StreamSeed, read_episodes};
use houseway_env::seal::Seal;
use houseway_exact::format::percent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::path::Path;
use std::{fmt, io};

const NAMED_GROUPS: usize = 3;
/// The regret above which a decision counts as a mistake. Smaller regrets are rounding errors.
const MISTAKE: f64 = 1e-9;

/// The results of a session. For the rounds judged by the coach,
///
/// net result = EV of the cards under best play - regret + EV of the side bets + luck,
///
/// where the EVs are exact. The EV of the side bets is that before the deal. Luck is whatever remains. It includes the
/// opponent's cards, later cards, the results of side bets above or below their EV, and the commission on a bank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    pub rounds: u64,
    pub staked: Amount,
    pub net: Amount,
    /// The number of rounds whose decisions have all been judged.
    pub judged: u64,
    pub judged_net: Amount,
    /// The EV of the judged rounds under best play, in chips.
    pub cards: f64,
    /// The regret of the player's decisions, in chips.
    pub given_away: f64,
    /// The EV of the side bets in the judged rounds, in chips.
    #[serde(default)]
    pub side_bets: f64,
    /// The number of judged rounds in which the player banked. Their EVs are before commission.
    #[serde(default)]
    pub banked: u64,
    /// The same in units of the main stake. This gives every round equal weight.
    pub given_away_stakes: f64,
    /// The regret of the house's strategy, in units of the main stake. `None` if the game has no
    /// such strategy.
    pub house_given_away_stakes: Option<f64>,
    pub groups: BTreeMap<String, GroupLoss>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupLoss {
    pub decisions: u64,
    pub mistakes: u64,
    /// The regret, in units of the main stake.
    pub given_away: f64,
}

impl Ledger {
    pub fn add(&mut self, round: &Finished) {
        self.rounds += 1;
        self.staked += round.stake;
        self.net += round.net;
    }

    /// Adds the values of all decisions in a finished round. A round without decisions doesn't count as judged.
    pub fn judge(&mut self, round: &Finished) {
        let decisions = || round.decisions.iter().filter_map(|made| Some((made.values.as_ref()?, made.action)));
        let Some((first, _)) = decisions().next() else { return };
        let stake = round.stake.value();
        self.judged += 1;
        self.judged_net += round.net;
        self.cards += stake * first.ev(first.best()).unwrap_or(0.0);
        self.side_bets += first.side_ev;
        let is_own_bank = |made: &Made| made.view.as_ref().is_some_and(|view| view["players"].is_array());
        self.banked += u64::from(round.decisions.iter().any(is_own_bank));
        for (decision, action) in decisions() {
            let regret = decision.regret(action).unwrap_or(0.0);
            self.given_away += stake * regret;
            self.given_away_stakes += regret;
            let group = self.groups.entry(decision.group.clone()).or_default();
            group.decisions += 1;
            group.mistakes += u64::from(regret > MISTAKE);
            group.given_away += regret;
            if let Some(regret) = decision.house.as_ref().and_then(|house| decision.regret(house.action)) {
                *self.house_given_away_stakes.get_or_insert(0.0) += regret;
            }
        }
    }

    /// Returns the part of the judged rounds' net result that is due to luck, in chips.
    pub fn luck(&self) -> f64 {
        self.judged_net.value() - self.cards + self.given_away - self.side_bets
    }

    /// Returns the regret per 100 rounds of the player and of the house's strategy, in units of the main stake.
    /// Returns `None` if no rounds have been judged.
    pub fn per_100(&self) -> Option<(f64, Option<f64>)> {
        let per = |sum: f64| 100.0 * sum / self.judged as f64;
        (self.judged > 0).then(|| (per(self.given_away_stakes), self.house_given_away_stakes.map(per)))
    }

    /// Returns the hand groups in which the player made mistakes, starting with the most costly group.
    pub fn worst_groups(&self) -> Vec<(&str, &GroupLoss)> {
        let lost = self.groups.iter().filter(|(_, loss)| loss.mistakes > 0);
        let mut lost: Vec<(&str, &GroupLoss)> = lost.map(|(name, loss)| (name.as_str(), loss)).collect();
        lost.sort_by(|a, b| b.1.given_away.total_cmp(&a.1.given_away));
        lost
    }

    pub fn summary(&self) -> Vec<String> {
        let mut lines = vec![format!("rounds: {}; main bets {}; net {}", self.rounds, self.staked, self.net.signed())];
        let Some((own, house)) = self.per_100() else { return lines };
        let house = house.map_or(String::new(), |house| format!("; the house way would have had {house:.3}"));
        lines.push(format!("{} judged: a regret of {own:.3} stakes per 100 rounds{house}", self.judged));
        let mut luck = vec!["other cards".to_owned()];
        let mut side_bets = String::new();
        if self.side_bets != 0.0 {
            side_bets = format!(", {} EV of your side bets", signed(self.side_bets, 2));
            luck.push("side bets".to_owned());
        }
        if self.banked > 0 {
            // The EV of a bank covers every bet and is before commission.
            luck.push("the commission on your bank".to_owned());
            luck.push("bets that your bank did not cover".to_owned());
        }
        let own = if self.given_away > MISTAKE { format!("-{}", cost_text(self.given_away)) } else { signed(0.0, 2) };
        lines.push(format!(
            "net {} in these rounds = {} EV of your cards under best play, {own} from your decisions{side_bets}, {} luck with \
             {}",
            self.judged_net.signed(),
            signed(self.cards, 2),
            signed(self.luck(), 2),
            and_list(&luck)
        ));
        let named = self.worst_groups().into_iter().take(NAMED_GROUPS).map(|(name, loss)| {
            let GroupLoss { decisions, mistakes, given_away } = loss;
            let noun = if *decisions == 1 { "decision" } else { "decisions" };
            format!("{name} ({mistakes} of {decisions} {noun}, {} of a stake)", percent(*given_away, 2))
        });
        let named: Vec<String> = named.collect();
        if !named.is_empty() {
            lines.push(format!("largest losses: {}", named.join(", ")));
        }
        lines
    }
}

/// Returns a number with its sign, rounded to some decimal places.
pub fn signed(number: f64, places: usize) -> String {
    let text = format!("{number:+.places$}");
    // A zero has no negative sign.
    if text.trim_start_matches('-').bytes().all(|it| matches!(it, b'0' | b'.')) { text.replace('-', "+") } else { text }
}

/// An amount of money in chips. Stakes are whole numbers of chips, but commissions and odds can lead to fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Amount(i64);

const UNITS: i64 = 1_000_000;

impl Amount {
    pub const ZERO: Amount = Amount(0);

    pub const fn whole(chips: i64) -> Amount {
        Amount(chips * UNITS)
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / UNITS as f64
    }

    /// Formats the amount with an explicit sign, e.g. `+5.00`.
    pub fn signed(self) -> String {
        if self.0 < 0 { self.to_string() } else { format!("+{self}") }
    }

    #[must_use]
    pub const fn times(self, factor: i64) -> Amount {
        Amount(self.0.saturating_mul(factor))
    }
}

impl From<f64> for Amount {
    fn from(chips: f64) -> Amount {
        Amount((chips * UNITS as f64).round() as i64)
    }
}

impl From<Amount> for f64 {
    fn from(amount: Amount) -> f64 {
        amount.value()
    }
}

impl Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        *self = *self + other;
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        amounts.fold(Amount::ZERO, Add::add)
    }
}

impl fmt::Display for Amount {
    /// Writes the amount with at least two decimal places, and with as many as it needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, places) = (self.0.unsigned_abs() / UNITS as u64, self.0.unsigned_abs() % UNITS as u64);
        let places = format!("{places:06}");
        let (shown, rest) = places.split_at(2);
        let sign = if self.0 < 0 { "-" } else { "" };
        f.pad(&format!("{sign}{whole}.{shown}{}", rest.trim_end_matches('0')))
    }
}

const FORMAT: u32 = 1;
const SEAL: Seal = Seal::new("houseway-session", FORMAT);

/// The stakes, keyed by the names of the reset options for the bets.
pub type Stakes = BTreeMap<String, Amount>;

/// A saved session. Since all rounds are dealt from the seed, neither the cards nor the random state needs to be saved.
/// An open round is resumed by replaying its actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    format: u32,
    pub env: String,
    #[serde(rename = "environment_hash", alias = "rules_hash")]
    pub rules_hash: String,
    /// The reset options, except for the bets.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The options that changed the rules or the banker, or `None` in sessions of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
    /// The players on other seats. All other seats have their default players.
    #[serde(default, skip_serializing_if = "OtherPlayers::is_empty")]
    pub players: OtherPlayers,
    pub seed: u64,
    pub rounds: u64,
    /// The bankroll after the last finished round.
    pub bankroll: Amount,
    pub bets: Stakes,
    pub last_bets: Stakes,
    pub open: Option<OpenRound>,
    /// The last finished rounds, of which sessions of earlier versions only have one. If later rounds depend on them, they
    /// are complete, and otherwise there are at most [`MAX_PAST`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<PastRound>,
    pub ledger: Ledger,
}

/// A round in progress. Its bets are [`Record::bets`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRound {
    pub actions: Vec<usize>,
}

/// The number of finished rounds that are kept if later ones don't depend on them. A session is written after each round.
pub const MAX_PAST: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastRound {
    pub bets: Stakes,
    pub actions: Vec<usize>,
}

impl Record {
    pub fn new(env: &str, rules_hash: String, seed: u64, bankroll: Amount) -> Record {
        Record { format: FORMAT, env: env.to_owned(), rules_hash, seed, bankroll, ..Record::default() }
    }

    pub fn load(path: &Path) -> io::Result<Option<Record>> {
        load_saved(path, "session", SEAL, FORMAT)
    }

    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_atomic_by("--session", path, format!("{:#}\n", SEAL.seal(self)))
    }
}

pub const MAX_HISTORY: u64 = 1 << 30;

/// Opens a session's history. Finished rounds are appended to the file, which must be a history of the same game and
/// rules or empty. If the program was killed before it recorded the last round, the round is added first. If rounds depend
/// on earlier ones, the file has to contain this session from the start and nothing else, so any missing rounds are added.
pub fn open_history(path: &Path, session: &mut Session) -> io::Result<File> {
    let refused = |reason: &str| {
        let text = format!("{} {reason}; choose another file with --history", path.display());
        io::Error::new(io::ErrorKind::InvalidData, text)
    };
    let known = read_history(path)?;
    let body = session.rounds.without_end(&known);
    let mut lines = session.rounds.take_history();
    if session.rounds.is_continuous() {
        if !lines.starts_with(body) {
            return Err(refused("belongs to another session"));
        }
    } else {
        let record = &session.record;
        let complete = &body[..body.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)];
        let episodes = read_episodes(complete).map_err(|_| refused("is not a history"))?;
        if episodes.iter().any(|episode| episode.env != record.env || episode.rules_hash != record.rules_hash) {
            return Err(refused("belongs to another game or to other rules"));
        }
        let is_closed = body.len() < known.len();
        // Earlier rounds of this session may have been played without a history, or before the file was created.
        let is_next = match record.rounds.checked_sub(2) {
            None => path.exists(),
            Some(lane) => episodes.last().is_some_and(|last| last.seed == Some(StreamSeed { seed: record.seed, lane })),
        };
        if !is_next || complete.ends_with(&lines) {
            lines.clear();
        }
        let is_continued = lines.starts_with(&body[complete.len()..]);
        if !is_continued && episodes.is_empty() {
            return Err(refused("is not a history"));
        }
        if !is_continued || is_closed && known[body.len()..] != session.rounds.close_history(body) {
            return Err(refused("was damaged or changed, as houseway play --verify shows"));
        }
        lines = [complete, &lines].concat();
    }
    if lines != known || !path.exists() {
        write_atomic_by("--history", path, &lines)?;
    }
    let file = File::options().append(true).open(path);
    file.map_err(|error| cannot_write_by("--history", path, error))
}

/// Reads a history, which is empty if the file doesn't exist.
pub fn read_history(path: &Path) -> io::Result<Vec<u8>> {
    match files::read(path, MAX_HISTORY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(vec![]),
        read => read.map_err(|error| cannot_read(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_exact::solver::{Decision, HousePlay};

    fn judged(evs: [f64; 2], action: usize, group: &str) -> Made {
        let house = HousePlay { action: 0, strategy: "way".to_owned(), rule: None };
        let evs = evs.map(Some).to_vec();
        let decision = Decision { evs, house: Some(house), group: group.to_owned(), side_ev: 0.0 };
        Made { view: None, names: vec![], action, values: Some(decision), answer: serde_json::Value::Null }
    }

    #[test]
    fn the_net_result_is_cards_decisions_and_luck() {
        let mut ledger = Ledger::default();
        let rounds = [(10, -10.0, judged([0.5, 0.25], 1, "pair")), (20, 19.0, judged([-0.5, 0.125], 1, "no pair"))];
        for (stake, net, decision) in rounds {
            let round = Finished { stake: Amount::whole(stake), net: Amount::from(net), ..Finished::default() };
            ledger.add(&round);
            ledger.judge(&Finished { decisions: vec![decision], ..round.clone() });
        }
        // A round that wasn't judged only affects the totals.
        ledger.add(&Finished { stake: Amount::whole(5), net: Amount::whole(5), ..Finished::default() });
        assert_eq!((ledger.rounds, ledger.judged, ledger.net), (3, 2, Amount::whole(14)));
        assert_eq!((ledger.cards, ledger.given_away, ledger.luck()), (7.5, 2.5, 4.0));
        assert_eq!(ledger.per_100(), Some((12.5, Some(31.25))));
        assert_eq!(ledger.worst_groups().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["pair"]);
        let text = ledger.summary().join("\n");
        assert!(
            text.contains("= +7.50 EV of your cards under best play, -2.50 from your decisions, +4.00 luck"),
            "{text}"
        );
        assert!(text.contains("pair (1 of 1 decision, 25.00% of a stake)"), "{text}");
    }

    #[test]
    fn side_bets_count_with_their_ev_and_only_the_rest_is_luck() {
        let mut ledger = Ledger::default();
        let round = Finished { stake: Amount::whole(10), net: Amount::whole(-12), ..Finished::default() };
        let mut start = judged([0.5, 0.25], 0, "pair");
        start.values.as_mut().unwrap().side_ev = -0.25;
        // The EV of a later decision is that of the same bets.
        ledger.judge(&Finished { decisions: vec![start.clone(), start], ..round.clone() });
        assert_eq!((ledger.cards, ledger.given_away, ledger.side_bets), (5.0, 0.0, -0.25));
        assert_eq!(ledger.luck(), -12.0 - 5.0 + 0.25);
        let text = ledger.summary().join("\n");
        assert!(text.contains("-0.25 EV of your side bets, -16.75 luck with other cards and side bets"), "{text}");
        // Sessions that were saved before the EV of side bets was kept still load.
        let mut saved = serde_json::to_value(&ledger).unwrap();
        saved.as_object_mut().unwrap().remove("side_bets");
        assert_eq!(serde_json::from_value::<Ledger>(saved).unwrap().side_bets, 0.0);
        // The EVs of a bank are before commission.
        let mut bank = judged([0.5, 0.25], 0, "pair");
        bank.view = Some(serde_json::json!({ "players": [] }));
        ledger.judge(&Finished { decisions: vec![bank], ..round });
        let text = ledger.summary().join("\n");
        assert!(
            text.contains(
                "luck with other cards, side bets, the commission on your bank and bets that your bank did not cover"
            ),
            "{text}"
        );
    }

    #[test]
    fn later_decisions_count_as_mistakes_only() {
        let mut ledger = Ledger::default();
        let round = Finished { stake: Amount::whole(1), net: Amount::whole(-2), ..Finished::default() };
        ledger.judge(&Finished {
            decisions: vec![judged([0.25, 0.0], 0, "start"), judged([-1.0, -0.5], 0, "river")],
            ..round.clone()
        });
        ledger.judge(&Finished { decisions: vec![], ..round.clone() });
        assert_eq!((ledger.judged, ledger.cards, ledger.given_away), (1, 0.25, 0.5));
        assert_eq!(ledger.luck(), -2.0 - 0.25 + 0.5);
        // A small loss and a zero are printed as such.
        ledger = Ledger::default();
        let small = judged([-0.0025, -0.0059], 1, "pair");
        ledger.judge(&Finished { decisions: vec![small], net: Amount::ZERO, ..round.clone() });
        let text = ledger.summary().join("\n");
        assert!(
            text.contains("= +0.00 EV of your cards under best play, -0.0034 from your decisions, +0.01 luck"),
            "{text}"
        );
        ledger = Ledger::default();
        ledger.judge(&Finished { decisions: vec![judged([-0.001, 0.0], 1, "pair")], ..round });
        assert!(ledger.summary().join("\n").contains(" +0.00 from your decisions, -2.00 luck"));
    }

    #[test]
    fn amounts_are_exact_and_readable() {
        let tenths: Amount = std::iter::repeat_n(Amount::from(0.1), 10).sum();
        assert_eq!(tenths, Amount::whole(1));
        for (chips, text, signed) in [
            (23.75, "23.75", "+23.75"),
            (-1.0, "-1.00", "-1.00"),
            (0.0, "0.00", "+0.00"),
            (0.0625, "0.0625", "+0.0625"),
        ] {
            assert_eq!(
                (Amount::from(chips).to_string(), Amount::from(chips).signed()),
                (text.to_owned(), signed.to_owned())
            );
        }
        let amount: Amount = serde_json::from_str("-12.5").unwrap();
        assert_eq!((amount, serde_json::to_string(&amount).unwrap()), (Amount::from(-12.5), "-12.5".to_owned()));
        assert_eq!(Amount::whole(5).times(2) + Amount::whole(-1), Amount::whole(9));
    }

    #[test]
    fn sessions_round_trip_and_bad_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        assert_eq!(Record::load(&path).unwrap(), None);
        let mut record = Record::new("Walk-v0", "walk".to_owned(), u64::MAX, Amount::from(12.35));
        record.bets.insert("stake".to_owned(), Amount::whole(5));
        record.open = Some(OpenRound { actions: vec![2, 0] });
        record.save(&path).unwrap();
        assert_eq!(Record::load(&path).unwrap(), Some(record.clone()));
        // Every edit of a number shows, and sessions of earlier versions are read without a seal.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("12.35", "-1e308", 1)).unwrap();
        assert!(Record::load(&path).unwrap_err().to_string().contains("its checksum does not match"));
        std::fs::write(&path, serde_json::to_string(&record).unwrap()).unwrap();
        assert_eq!(Record::load(&path).unwrap(), Some(record.clone()));
        Record { format: 9, ..record }.save(&path).unwrap();
        let error = Record::load(&path).unwrap_err().to_string();
        assert!(error.contains("its format is 9") && error.contains("--new"), "{error}");
        std::fs::write(&path, "{}").unwrap();
        assert!(Record::load(&path).unwrap_err().to_string().contains("session.json is not a saved session"));
    }
}
