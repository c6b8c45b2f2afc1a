//! The results of an equilibrium run.

use super::Question;
use super::history::History;
use super::mixing::Mixing;
use crate::report::wrapped;
use houseway_env::pai_gow::Rules;
use houseway_exact::Ratio;
use houseway_exact::equilibrium::{Method, SIDES};
use houseway_exact::format::percent;
use houseway_exact::pai_gow::MixedTable;
use houseway_exact::pai_gow::equilibrium::Certificate;
use houseway_exact::pai_gow::whole::Side;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The folder for the strategies.
pub(super) const STRATEGIES: &str = "strategies";
/// The strategies' names, by side.
pub(super) const NAMES: [&str; 2] = ["equilibrium-player", "equilibrium-banker"];
/// The strategies' file names without their extension, by side.
pub(super) const FILES: [&str; 2] = ["player", "banker"];

/// The results of an equilibrium run.
pub struct Findings {
    pub(super) rules: Rules,
    pub(super) method: Method,
    pub(super) certificate: Certificate,
    pub(super) history: History,
    pub(super) mixing: [Mixing; 2],
}

impl Findings {
    pub(super) fn new(
        question: &Question,
        certificate: &Certificate,
        history: History,
        averages: &[MixedTable; 2],
    ) -> Findings {
        Findings {
            rules: question.game.rules(),
            method: question.method,
            certificate: *certificate,
            history,
            mixing: averages.each_ref().map(Mixing::new),
        }
    }

    /// Returns the results in the format of `houseway equilibrium --json`.
    pub fn json(&self) -> Value {
        let Certificate { ev, lower, upper, profile_lower, profile_upper } = self.certificate;
        let mut keys = Map::new();
        keys.insert("rules_hash".to_owned(), json!(self.rules.hash()));
        keys.insert("rounds".to_owned(), json!(self.history.bounds.len()));
        keys.insert("method".to_owned(), json!(self.method));
        for (key, ratio) in [
            ("lower", lower),
            ("upper", upper),
            ("width", self.certificate.width()),
            ("ev", ev),
            ("player_exploitability", self.certificate.exploitability(Side::Player)),
            ("banker_exploitability", self.certificate.exploitability(Side::Banker)),
            ("profile_lower", profile_lower),
            ("profile_upper", profile_upper),
        ] {
            keys.insert(key.to_owned(), json!(ratio.value()));
            keys.insert(format!("{key}_exact"), ratio.to_json());
        }
        let strategy = |side: usize| {
            let Mixing { profiles, hands, minority } = self.mixing[side];
            json!({
                "name": NAMES[side],
                "file": format!("{STRATEGIES}/{}.safetensors", FILES[side]),
                "mixing_profiles": profiles,
                "mixing_hands": hands,
                "minority_hands": minority,
            })
        };
        keys.insert("strategies".to_owned(), json!(SIDES.map(strategy)));
        keys.insert("by_round".to_owned(), json!(self.history.bounds));
        Value::Object(keys)
    }

    /// Formats the results for the terminal. The report and the strategies are in `folder`.
    pub fn text(&self, folder: &Path) -> String {
        let Certificate { ev, lower, upper, .. } = self.certificate;
        format!(
            "{}\nlower bound  {:+.9}  exactly {lower:?}\nupper bound  {:+.9}  exactly {upper:?}\nEV of both   {:+.9}  exactly \
             {ev:?}\n\nThe report: {}\nThe strategies: {}\n",
            wrapped(&self.verdict()),
            lower.value(),
            upper.value(),
            ev.value(),
            folder.join("report.md").display(),
            folder.join(STRATEGIES).display(),
        )
    }

    /// Summarizes the bounds.
    pub(super) fn verdict(&self) -> String {
        let Certificate { lower, upper, .. } = self.certificate;
        let lost = |side| percent(self.certificate.exploitability(side).value(), 5);
        format!(
            "If both sides play optimally and the house banks, the player's EV is between {} and {} of the stake, which is \
             a bracket of {:.2e} stakes. A best response gains at most {} against the player's strategy and {} against the \
             banker's.",
            percent(lower.value(), 5),
            percent(upper.value(), 5),
            self.certificate.width().value(),
            lost(Side::Player),
            lost(Side::Banker),
        )
    }

    /// Returns the number of passes and the bracket's width after each round.
    pub(super) fn by_passes(&self) -> Vec<(f64, f64)> {
        let widths = self.history.bounds.iter().map(|bounds| bounds.width());
        widths.enumerate().map(|(i, width)| (2.0 * (i + 1) as f64, width)).collect()
    }

    /// Returns the elapsed seconds and the bracket's width after each round.
    pub(super) fn by_seconds(&self) -> Vec<(f64, f64)> {
        let bounds = &self.history.bounds;
        let point = |&(round, seconds): &(u32, f64)| Some((seconds, bounds.get(round as usize - 1)?.width()));
        self.history.seconds.iter().filter(|(round, _)| *round > 0).filter_map(point).collect()
    }

    /// Returns a table with the bounds after each round.
    pub(super) fn bounds_rows(&self) -> Vec<Vec<String>> {
        let header = ["round", "passes", "method", "profile_lower", "profile_upper", "width"].map(str::to_owned);
        let row = |(i, bounds): (usize, &houseway_exact::equilibrium::Bounds)| {
            let method = if i < self.method.fictitious_rounds as usize { "fictitious play" } else { "linear CFR" };
            vec![
                (i + 1).to_string(),
                (2 * (i + 1)).to_string(),
                method.to_owned(),
                bounds.lower.to_string(),
                bounds.upper.to_string(),
                bounds.width().to_string(),
            ]
        };
        [Vec::from(header)].into_iter().chain(self.history.bounds.iter().enumerate().map(row)).collect()
    }

    /// Returns the EV gained against this side's strategy by seeing the exact suits instead of only the profile.
    pub(super) fn value_of_suits(&self, against: Side) -> Ratio {
        let Certificate { lower, upper, profile_lower, profile_upper, .. } = self.certificate;
        match against {
            Side::Player => profile_lower - lower,
            Side::Banker => upper - profile_upper,
        }
    }
}
