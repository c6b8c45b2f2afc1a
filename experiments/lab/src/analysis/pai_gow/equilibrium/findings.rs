//! The results of an equilibrium run.

use super::differences::Differences;
use super::history::History;
use super::mixing::Mixing;
use super::question::{Question, gap};
use crate::analysis::pai_gow::units::percent_bounds;
use crate::report::wrapped;
use houseway_env::pai_gow::Rules;
use houseway_exact::Ratio;
use houseway_exact::equilibrium::{AverageValues, Method, SIDES};
use houseway_exact::format::percent;
use houseway_exact::pai_gow::MixedTable;
use houseway_exact::pai_gow::equilibrium::{Certificate, PairEvs, ProfileClasses, ValueBounds};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::Side;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The folder for the strategies.
pub(super) const STRATEGIES: &str = "strategies";
/// The strategies' names, by side.
pub(super) const NAMES: [&str; 2] = ["equilibrium-player", "equilibrium-banker"];
/// The strategies' file names without their extension, by side.
pub(super) const FILES: [&str; 2] = ["player", "banker"];

/// The file with the bounds after each round, in the folder for tables.
pub(super) const BOUNDS: &str = "bounds.csv";

/// Returns the file of a side's strategy.
pub(super) fn strategy_file(side: usize) -> String {
    format!("{STRATEGIES}/{}.safetensors", FILES[side])
}

/// Returns the file of a side's mixed strategy.
pub(super) fn mixed_strategy_file(side: usize) -> String {
    format!("{STRATEGIES}/{}.parquet", FILES[side])
}

/// Returns the name of the file with a side's mixed hands, in the folder for tables.
pub(super) fn mixed_file(side: usize) -> String {
    format!("mixed-{}.csv", FILES[side])
}

/// Returns the keys for a pair of strategies, with a float and an exact ratio for each result. There are only bounds for
/// a value if the house banks.
pub fn exact_keys(certificate: &Certificate, bank: BankedBy) -> Map<String, Value> {
    let evs = certificate.evs;
    let [player, banker] = [Side::Player, Side::Banker].map(|side| evs.gain(side));
    let ratios = match bank {
        BankedBy::House => {
            let (bounds, by_profile) = (evs.bounds(), certificate.profile_bounds());
            vec![
                ("lower", bounds.lower),
                ("upper", bounds.upper),
                ("width", bounds.width()),
                ("ev", evs.ev[0]),
                ("player_exploitability", banker),
                ("banker_exploitability", player),
                ("profile_lower", by_profile.lower),
                ("profile_upper", by_profile.upper),
            ]
        }
        BankedBy::Player => vec![
            ("player_ev", evs.ev[0]),
            ("banker_ev", evs.ev[1]),
            ("player_gain", player),
            ("banker_gain", banker),
            ("player_profile_gain", certificate.profile_best[0] - evs.ev[0]),
            ("banker_profile_gain", certificate.profile_best[1] - evs.ev[1]),
        ],
    };
    let keys = ratios
        .into_iter()
        .flat_map(|(key, ratio)| [(key.to_owned(), json!(ratio.value())), (format!("{key}_exact"), ratio.to_json())]);
    let mut keys: Map<String, Value> = keys.collect();
    keys.extend(value_keys(evs, bank));
    keys
}

/// Returns the keys with the value's bounds, NashConv and both exploitabilities. There are only bounds for a value if the
/// house banks.
fn value_keys(evs: PairEvs, bank: BankedBy) -> Map<String, Value> {
    let mut keys = Map::new();
    if bank == BankedBy::House {
        let ValueBounds { lower, upper } = evs.bounds();
        keys.insert("value".to_owned(), json!({ "lower": lower.to_json(), "upper": upper.to_json() }));
    }
    keys.insert("nash_conv".to_owned(), json!(evs.nash_conv().value()));
    keys.insert("nash_conv_exact".to_owned(), evs.nash_conv().to_json());
    // The gain of a best response to a strategy is the other side's.
    let [player, banker] = [Side::Banker, Side::Player].map(|other| evs.gain(other).value());
    keys.insert("exploitability".to_owned(), json!({ "player": player, "banker": banker }));
    keys
}

/// The rounds in which both sides see the suits of hands for which they matter.
pub(super) struct SuitsSeen {
    /// The number of profiles of which the player and the banker see the suits.
    pub(super) profiles: [usize; 2],
    pub(super) history: History,
}

/// The results of an equilibrium run.
pub struct Findings {
    pub(super) rules: Rules,
    pub(super) bank: BankedBy,
    pub(super) method: Method,
    pub(super) certificate: Certificate,
    pub(super) history: History,
    /// The rounds after these, which led to the tables. `None` if the tables imitate the mixed strategies.
    pub(super) seen: Option<SuitsSeen>,
    pub(super) mixing: [Mixing; 2],
    pub(super) differences: Differences,
}

impl Findings {
    pub(super) fn new(
        question: &Question,
        certificate: &Certificate,
        (history, seen): (History, Option<SuitsSeen>),
        averages: &[MixedTable; 2],
        classes: &ProfileClasses,
        differences: Differences,
    ) -> Findings {
        Findings {
            rules: question.game.rules(),
            bank: question.bank,
            method: question.method,
            certificate: *certificate,
            history,
            seen,
            mixing: averages.each_ref().map(|average| Mixing::new(&question.game, average, classes)),
            differences,
        }
    }

    /// Returns the results in the format of `houseway equilibrium --json`.
    pub fn json(&self) -> Value {
        let mut keys = Map::new();
        keys.insert("rules_hash".to_owned(), json!(self.rules.hash()));
        keys.insert("rounds".to_owned(), json!(self.history.values.len()));
        keys.insert("passes".to_owned(), json!(self.passes()));
        keys.insert("method".to_owned(), json!(self.method));
        keys.extend(exact_keys(&self.certificate, self.bank));
        keys.extend(value_keys(self.final_evs(), self.bank));
        if self.bank == BankedBy::Player {
            keys.insert("bank".to_owned(), json!(self.bank));
        }
        keys.insert("by_round".to_owned(), self.by_round(&self.history));
        if let Some(SuitsSeen { profiles: [player, banker], history }) = &self.seen {
            let profiles = json!({ "player": player, "banker": banker });
            let rounds = history.values.len();
            let seen = json!({ "rounds": rounds, "profiles": profiles, "by_round": self.by_round(history) });
            keys.insert("suits_seen".to_owned(), seen);
        }
        let strategy = |side: usize| {
            let Mixing { mixed, any, minority, .. } = &self.mixing[side];
            json!({
                "name": NAMES[side],
                "file": strategy_file(side),
                "mixed_file": mixed_strategy_file(side),
                "mixing_profiles": any.profiles,
                "mixing_hands": any.fraction(),
                "mixed_profiles": mixed.profiles,
                "mixed_hands": mixed.fraction(),
                "minority_hands": minority,
            })
        };
        keys.insert("strategies".to_owned(), json!(SIDES.map(strategy)));
        let [player, banker] = self.mixing.each_ref().map(Mixing::json);
        keys.insert("mixed".to_owned(), json!({ "player": player, "banker": banker }));
        keys.insert("differences".to_owned(), self.differences.json());
        if let Some(tables) = self.differences.tables {
            keys.insert("tables".to_owned(), value_keys(tables, self.bank).into());
        }
        let mut files = json!({ "report": "report.md", "bounds": format!("tables/{BOUNDS}") });
        for side in SIDES {
            files[FILES[side]] = strategy_file(side).into();
            files[format!("mixed_{}", FILES[side])] = format!("tables/{}", mixed_file(side)).into();
        }
        keys.insert("files".to_owned(), files);
        Value::Object(keys)
    }

    fn by_round(&self, history: &History) -> Value {
        let values = history.values.iter();
        match self.bank {
            BankedBy::House => json!(values.map(|values| values.bounds()).collect::<Vec<_>>()),
            BankedBy::Player => {
                json!(values.map(|values| json!({ "nash_conv": values.nash_conv() })).collect::<Vec<_>>())
            }
        }
    }

    /// Returns the number of passes over all deals up to the last round.
    pub(super) fn passes(&self) -> usize {
        self.seen.as_ref().map_or(&self.history, |seen| &seen.history).passes()
    }

    /// Returns all rounds in order.
    pub(super) fn histories(&self) -> impl Iterator<Item = &History> {
        [&self.history].into_iter().chain(self.seen.as_ref().map(|seen| &seen.history))
    }

    /// Returns the exact EVs of the strategies after all rounds. These are the tables if both sides see suits, and
    /// otherwise the mixed strategies.
    pub(super) fn final_evs(&self) -> PairEvs {
        let tables = self.seen.as_ref().and(self.differences.tables);
        tables.unwrap_or(self.certificate.evs)
    }

    /// Formats the results for the terminal. The report and the strategies are in `folder`.
    pub fn text(&self, folder: &Path) -> String {
        let rows = self.terminal_rows();
        let width = rows.iter().map(|(name, _)| name.len() + 2).max().unwrap_or_default();
        let row = |(name, ratio): (&str, Ratio)| format!("{name:<width$}{:+.9}  exactly {ratio:?}\n", ratio.value());
        let rows: Vec<String> = rows.into_iter().map(row).collect();
        format!(
            "{}\n{}\nThe report: {}\nThe strategies: {}\n",
            wrapped(&self.verdict()),
            rows.concat(),
            folder.join("report.md").display(),
            folder.join(STRATEGIES).display(),
        )
    }

    fn terminal_rows(&self) -> Vec<(&'static str, Ratio)> {
        let evs = self.final_evs();
        let ValueBounds { lower, upper } = evs.bounds();
        let [player, banker] = evs.ev;
        let [of_player, of_banker] = [Side::Player, Side::Banker].map(|side| evs.gain(side));
        match self.bank {
            BankedBy::House => vec![
                ("lower bound", lower),
                ("upper bound", upper),
                ("bracket (NashConv)", evs.nash_conv()),
                ("EV of both", player),
                ("player's exploitability", of_banker),
                ("banker's exploitability", of_player),
            ],
            BankedBy::Player => vec![
                ("NashConv", evs.nash_conv()),
                ("player's EV", player),
                ("banker's EV", banker),
                ("player's gain", of_player),
                ("banker's gain", of_banker),
            ],
        }
    }

    /// Summarizes the bounds, or NashConv if a player banks.
    pub(super) fn verdict(&self) -> String {
        let evs = self.final_evs();
        let gain = |side| percent(evs.gain(side).value(), 6);
        if self.bank == BankedBy::Player {
            let [player, banker] = evs.ev.map(|ev| percent(ev.value(), 5));
            return format!(
                "With these strategies and a player as the bank, the player's EV is {player} of the stake and the banker's is \
                 {banker}. Both pay the commission, so one side's gain isn't the other side's loss. A best response gains at \
                 most {} for the player and {} for the banker, which is a NashConv of {:.2e} stakes.",
                gain(Side::Player),
                gain(Side::Banker),
                evs.nash_conv().value(),
            );
        }
        let [lower, upper] = percent_bounds(evs.bounds().into(), 6);
        format!(
            "If both sides play optimally and the house banks, the player's EV is between {lower} and {upper} of the stake, which is \
             a bracket of {:.2e} stakes. A best response gains at most {} against the player's strategy and {} against the \
             banker's.",
            evs.nash_conv().value(),
            gain(Side::Banker),
            gain(Side::Player),
        )
    }

    /// Returns a table with the bounds after each round, or NashConv if a player banks.
    pub(super) fn bounds_rows(&self) -> Vec<Vec<String>> {
        let columns: &[&str] = match self.bank {
            BankedBy::House => &["profile_lower", "profile_upper", "width"],
            BankedBy::Player => &["nash_conv"],
        };
        let header = ["round", "passes", "method"].iter().chain(columns).map(|&name| name.to_owned()).collect();
        let row = |(history, i, &values): (&History, usize, &AverageValues)| {
            let round = history.rounds_before + i as u32 + 1;
            let suits = if history.rounds_before > 0 { ", suits seen" } else { "" };
            let method = format!("{}{suits}", self.method.label(round - 1));
            let mut row = vec![round.to_string(), history.passes_after(i).to_string(), method];
            if self.bank == BankedBy::House {
                row.extend([values.bounds().lower, values.bounds().upper].map(|bound| bound.to_string()));
            }
            row.push(gap(values, self.bank).to_string());
            row
        };
        let rounds = self
            .histories()
            .flat_map(|history| history.values.iter().enumerate().map(move |(i, values)| (history, i, values)));
        [header].into_iter().chain(rounds.map(row)).collect()
    }

    /// Returns the EV gained against this side's strategy by seeing the exact suits instead of only the profile.
    pub(super) fn value_of_suits(&self, against: Side) -> Ratio {
        let responder = usize::from(against == Side::Player);
        self.certificate.evs.best[responder] - self.certificate.profile_best[responder]
    }
}
