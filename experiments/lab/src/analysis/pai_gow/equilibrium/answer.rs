//! The results of an equilibrium run as JSON and as an answer for readers who don't program.

use super::differences::{Differences, Mixing, THRESHOLD};
use super::rounds::{History, chart_by_passes, chart_by_seconds, gap, gap_name, gap_title};
use crate::report::TextTable;
use houseway_env::pai_gow::Rules;
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::equilibrium::{Algorithm, Bounds, Method, PairEvs, SIDES};
use houseway_exact::format::{grouped, percent, percent_bounds};
use houseway_exact::pai_gow::equilibrium::Certificate;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::Side;
use serde_json::{Map, Value, json};

pub(super) const STRATEGIES: &str = "strategies";
pub(super) const NAMES: [&str; 2] = ["equilibrium-player", "equilibrium-banker"];
/// The names of the sides, which are also the strategies' file names without their extension.
pub(super) const SIDE_NAMES: [&str; 2] = ["player", "banker"];

/// The file with the bounds after each round, in the folder for tables.
pub(super) const BOUNDS: &str = "bounds.csv";

pub(super) fn strategy_file(side: usize) -> String {
    format!("{STRATEGIES}/{}.safetensors", SIDE_NAMES[side])
}

pub(super) fn mixed_strategy_file(side: usize) -> String {
    format!("{STRATEGIES}/{}.parquet", SIDE_NAMES[side])
}

/// Returns the name of the file with a side's mixed hands, in the folder for tables.
pub(super) fn mixed_file(side: usize) -> String {
    format!("mixed-{}.csv", SIDE_NAMES[side])
}

/// The texts before and after the table of values if the house banks.
const HOUSE_BANKS: [&str; 2] = [
    "A casino's banker follows a house way. What would the player's EV be if the banker could set freely? Neither \
     side could then predict what the other does, so optimal play is an *equilibrium*, which is a pair of \
     strategies that are best responses to each other. This report gives bounds for the value of the game, \
     which is the player's EV in an equilibrium. The bounds are exact: against a given strategy, all deals are \
     evaluated and every hand is set in the best way, taking all suits into account.",
    "The casino wins what the player loses, and keeps the commission on the player's wins and any fees. Copies are settled as \
     the rules say. One side's gain is therefore always the other side's loss, and the game has a single value, \
     which lies between the two bounds. The width of the bracket between them is also the total that best \
     responses gain against the two strategies.",
];

const PLAYER_BANKS: [&str; 2] = [
    "A player who banks can set freely. Neither side can then predict what the other does, so optimal play is an \
     *equilibrium*, which is a pair of strategies that are best responses to each other. This report computes a pair \
     that is close to an equilibrium. The gains of best responses are exact: against a given strategy, all deals are \
     evaluated and every hand is set in the best way, taking all suits into account.",
    "Both sides pay a commission on what they win, so one side's gain isn't the other side's loss. Such a game may have \
     several equilibria with different EVs. NashConv is the sum of what both sides could gain by changing to a best \
     response. It is zero in an equilibrium.",
];

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
                ("ev", evs.own[0]),
                ("player_exploitability", banker),
                ("banker_exploitability", player),
                ("profile_lower", by_profile.lower),
                ("profile_upper", by_profile.upper),
            ]
        }
        BankedBy::Player => vec![
            ("player_ev", evs.own[0]),
            ("banker_ev", evs.own[1]),
            ("player_gain", player),
            ("banker_gain", banker),
            ("player_profile_gain", certificate.profile_best[0] - evs.own[0]),
            ("banker_profile_gain", certificate.profile_best[1] - evs.own[1]),
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
fn value_keys(evs: PairEvs<Ratio>, bank: BankedBy) -> Map<String, Value> {
    let mut keys = Map::new();
    if bank == BankedBy::House {
        let Bounds { lower, upper } = evs.bounds();
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

pub(super) struct Findings {
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
    pub(super) fn answer(&self) -> Answer {
        let [introduction, explanation] = match self.bank {
            BankedBy::House => HOUSE_BANKS,
            BankedBy::Player => PLAYER_BANKS,
        };
        let (name, title) = (gap_name(self.bank).to_lowercase(), gap_title(self.bank));
        let certified = Some(self.final_evs().nash_conv().value());
        let names = ["by profile", "with suits"].into_iter();
        let curves: Vec<(&str, &History)> = names.zip(self.histories()).collect();
        let by_passes = chart_by_passes(self.bank, &curves, certified)
            .named(format!("{name}-by-passes"), format!("{title} by the number of passes over all deals"));
        let by_seconds = (!self.history.seconds.is_empty()).then(|| {
            chart_by_seconds(self.bank, &curves, certified)
                .named(format!("{name}-by-seconds"), format!("{title} by processor seconds"))
        });
        let curves = Section::default().detail().text(explanation).figure(by_passes);
        let rules = self.rules.described();
        let files = format!("Rules {rules}. The strategies are files in the folder `{STRATEGIES}` beside the report.");
        let sections = [
            Section::default().detail().text(introduction),
            Section::default().text(format!("**{}**", self.verdict())).table(self.values_table()).text(files),
            by_seconds.into_iter().fold(curves, Section::figure),
            self.strategies_section(),
        ];
        let details = [self.differences_section(), self.mixed_section()].map(Section::detail);
        let method = Section::new("Method").detail().text(self.method_text());
        Answer::new(self.json(), sections.into_iter().chain(details).chain([method]))
            .titled("Optimal play against optimal play")
    }

    fn differences_section(&self) -> Section {
        let differences = &self.differences;
        let way = &differences.way;
        let opponent = match differences.tables {
            Some(_) => "the other side's equilibrium strategy".to_owned(),
            None => format!("{way}, because strategy tables can't be opponents under these rules"),
        };
        let mut section = Section::new("Where equilibrium play differs").text(format!(
            "The equilibrium strategies, as in the files, are compared with the house way {way} on both sides of the table. \
             Hands are grouped by shape as in `houseway diff`, and the example of each group is the hand whose EV changes the \
             most. Differences from {way} are evaluated against {opponent}. Differences from the best response to {way} are \
             evaluated against {way}. The last column is the change in EV if the group is set in the other way, in units per \
             1,000 games of one unit.",
        ));
        for side in SIDES {
            let [with_way, with_best] = [&differences.with_way[side], &differences.with_best[side]];
            section = with_rows(section.text(differences.way_text(side)), with_way.table(way));
            section = with_rows(section.text(differences.best_text(side)), with_best.table("best response"));
        }
        section
    }

    fn mixed_section(&self) -> Section {
        let section = Section::new("Mixed hands").text(format!(
            "A hand counts as mixed if its profile has a second setting with a probability of at least {THRESHOLD}%. The \
             tables show the largest groups, each with the profile that sets the most hands in another way than its most probable one as its example.",
        ));
        SIDES.into_iter().fold(section, |section, side| {
            with_rows(section.text(self.mixing[side].text(SIDE_NAMES[side])), self.mixing[side].table())
        })
    }

    fn verdict(&self) -> String {
        let evs = self.final_evs();
        let gain = |side| percent(evs.gain(side).value(), 6);
        if self.bank == BankedBy::Player {
            let [player, banker] = evs.own.map(|ev| percent(ev.value(), 5));
            return format!(
                "With these strategies and a player as the bank, the player's EV is {player} of the stake and the banker's is \
                 {banker}. Both pay the commission, so one side's gain isn't the other side's loss. A best response gains at \
                 most {} for the player and {} for the banker, which is a NashConv of {:.2e} stakes.",
                gain(Side::Player),
                gain(Side::Banker),
                evs.nash_conv().value(),
            );
        }
        let bounds = evs.bounds();
        let [lower, upper] = percent_bounds([bounds.lower, bounds.upper], 6);
        format!(
            "If both sides play optimally and the house banks, the player's EV is between {lower} and {upper} of the stake, which is \
             a bracket of {:.2e} stakes. A best response gains at most {} against the player's strategy and {} against the \
             banker's.",
            evs.nash_conv().value(),
            gain(Side::Banker),
            gain(Side::Player),
        )
    }

    pub(super) fn bounds_rows(&self) -> Vec<Vec<String>> {
        let columns: &[&str] = match self.bank {
            BankedBy::House => &["profile_lower", "profile_upper", "width"],
            BankedBy::Player => &["nash_conv"],
        };
        let header = ["round", "passes", "method"].iter().chain(columns);
        let mut rows = vec![header.map(|&name| name.to_owned()).collect()];
        for history in self.histories() {
            let suits = if history.rounds_before > 0 { ", suits seen" } else { "" };
            for (i, &values) in history.values.iter().enumerate() {
                let round = history.rounds_before + i as u32 + 1;
                let method = format!("{}{suits}", self.method.label(round - 1));
                let mut row = vec![round.to_string(), history.passes_after(i).to_string(), method];
                if self.bank == BankedBy::House {
                    row.extend([values.bounds().lower, values.bounds().upper].map(|bound| bound.to_string()));
                }
                row.push(gap(values, self.bank).to_string());
                rows.push(row);
            }
        }
        rows
    }

    fn strategies_section(&self) -> Section {
        let last = match self.bank {
            BankedBy::House => "loses at most",
            BankedBy::Player => "best response gains",
        };
        let last = if self.seen.is_some() { format!("table {last}") } else { last.to_owned() };
        let header = [
            "strategy",
            &format!("mixed with at least {THRESHOLD}%"),
            "profiles",
            "mixed with any probability",
            "profiles",
            "hands not set in their most probable way",
            &last,
        ];
        let mut strategies = TextTable::new(header).right_from(1);
        let mut suits = TextTable::new(["value of suits", "of the stake", "exactly"]).right(1);
        // The gain of a best response to a strategy is the other side's.
        for (side, other) in SIDES.into_iter().zip([Side::Banker, Side::Player]) {
            let (mixing, name) = (&self.mixing[side], SIDE_NAMES[side]);
            strategies = strategies.row([
                format!("{name} ([{name}.parquet]({}))", mixed_strategy_file(side)),
                percent(mixing.mixed.fraction(), 2),
                grouped(mixing.mixed.profiles),
                percent(mixing.any.fraction(), 2),
                grouped(mixing.any.profiles),
                percent(mixing.minority, 2),
                percent(self.final_evs().gain(other).value(), 6),
            ]);
            let value = self.certificate.evs.best[1 - side] - self.certificate.profile_best[1 - side];
            let strategy = format!("against the {name}'s strategy");
            suits = suits.row([strategy, percent(value.value(), 7), format!("{value:?}")]);
        }
        let [player, banker] = [0, 1].map(mixed_file);
        let mixed = format!(
            "The mixed strategies only look at a hand's *profile*, which consists of its ranks and the suit of any flush that it \
             contains. Some hands are mixed, which means that they are set in one of several ways at random. Probabilities \
             below {THRESHOLD}% are mostly left over from rounding what is played in a round, so they are counted separately. \
             All probabilities are in [tables/{player}](tables/{player}) and [tables/{banker}](tables/{banker}), beginning \
             with the profiles that set the most hands in another way than their most probable one.",
        );
        Section::new("The strategies").detail().table(strategies).text(mixed).text(self.table_text()).table(suits).text(
            "The last table is the value of seeing the other suits: how much more a best response gains against each \
             mixed strategy than one that only sees profiles.",
        )
    }

    fn table_text(&self) -> String {
        let begin = format!(
            "The Parquet files in `{STRATEGIES}/` contain the strategies themselves, which `solve`, `compare`, `ev` and `set` \
             accept. The files beside them (safetensors) are pure tables. {}",
            self.tables_origin(),
        );
        let Some(tables) = self.differences.tables else {
            return format!("{begin} Under these rules, no command can evaluate hands against the tables.");
        };
        let exactly = format!("{:.2e} stakes (exactly {:?})", tables.nash_conv().value(), tables.nash_conv());
        let gap = match (&self.seen, self.bank) {
            (Some(_), BankedBy::House) => "The bounds above are theirs.".to_owned(),
            (Some(_), BankedBy::Player) => "The gains of best responses above are theirs.".to_owned(),
            (None, BankedBy::House) => {
                let bounds = tables.bounds();
                let [lower, upper] = percent_bounds([bounds.lower, bounds.upper], 5);
                format!("These tables have bounds of their own, {lower} and {upper}, which is a bracket of {exactly}.")
            }
            (None, BankedBy::Player) => format!("These tables have a NashConv of their own, {exactly}."),
        };
        format!(
            "{begin} {gap} Commands that take a strategy accept them, as in `houseway solve --player optimal --banker {}`.",
            strategy_file(1),
        )
    }

    /// Describes how the tables follow from the mixed strategies.
    fn tables_origin(&self) -> String {
        let Some(SuitsSeen { profiles: [player, banker], history }) = &self.seen else {
            return "They play each setting equally often, but without randomness: the hands with the same profile, which \
                    only differ in suits that hardly matter, take turns."
                .to_owned();
        };
        format!(
            "They come from {} further rounds, in which the player also sees the suits of {} profiles and the banker those \
             of {}. A best response to the mixed strategies sets the hands with these profiles in different ways. The \
             tables play the averages over these rounds without randomness: classes with the same profile take turns.",
            history.values.len(),
            grouped(*player as u64),
            grouped(*banker as u64),
        )
    }

    fn method_text(&self) -> String {
        let rounds = self.method.fictitious_rounds.min(self.history.values.len() as u32);
        let gap = match self.bank {
            BankedBy::House => "the bracket",
            BankedBy::Player => "NashConv",
        };
        let begin = "Each round evaluates every setting of every hand against what the other side plays, first for the player and \
             then for the banker.";
        let play = match self.method.algorithm {
            Algorithm::FictitiousPlay => {
                "In every round, each side plays the best response to the other side's average \
                 (fictitious play, with more weight on later rounds)."
                    .to_owned()
            }
            algorithm => format!(
                "In the first {rounds} rounds, each side plays the best response to the other side's average (fictitious \
                 play, with more weight on later rounds). After that, both sides play each setting in proportion to how much they \
                 regret not having played it ({}), starting from the average.",
                match algorithm {
                    Algorithm::LinearCfr => "linear counterfactual regret minimization",
                    other => other.label(),
                },
            ),
        };
        let (strategies, seen, curves) = match &self.seen {
            None => ("The strategies above are the averages over these rounds.", "", ""),
            Some(_) => (
                "The mixed strategies are the averages over these rounds.",
                " Then the strategies distinguish the classes of some profiles. Classes begin with the regrets that they \
                 would have had so far, and the averages start again. These rounds evaluate all hands, against a table in which classes take \
                 turns.",
                ", and with suits, for those that see them where they matter",
            ),
        };
        format!(
            "{begin} {play} {strategies} If few hands change their mixture, a pass only evaluates the changes.{seen} The curves \
             show {gap} for best responses that only see profiles{curves}. Their numbers are in \
             [tables/{BOUNDS}](tables/{BOUNDS}).",
        )
    }

    fn values_table(&self) -> TextTable {
        let evs = self.final_evs();
        let bounds = evs.bounds();
        let [lower, upper] = percent_bounds([bounds.lower, bounds.upper], 7);
        let [player, banker] = evs.own;
        let rounded = |name, ev: Ratio| (name, ev, percent(ev.value(), 7));
        let (title, rows) = match self.bank {
            BankedBy::House => (
                "player's EV",
                vec![
                    ("lower bound, from the player's strategy", bounds.lower, lower),
                    rounded("both strategies against each other", player),
                    ("upper bound, from the banker's strategy", bounds.upper, upper),
                    rounded("bracket (NashConv)", evs.nash_conv()),
                    rounded("player's exploitability", evs.gain(Side::Banker)),
                    rounded("banker's exploitability", evs.gain(Side::Player)),
                ],
            ),
            BankedBy::Player => (
                "EV",
                vec![
                    rounded("player", player),
                    rounded("banker", banker),
                    rounded("player's gain from a best response", evs.gain(Side::Player)),
                    rounded("banker's gain from a best response", evs.gain(Side::Banker)),
                    rounded("sum of both gains (NashConv)", evs.nash_conv()),
                ],
            ),
        };
        let row = |(name, ev, rounded): (&str, Ratio, String)| [name.to_owned(), rounded, format!("{ev:?}")];
        TextTable::new([title, "of the stake", "exactly"]).right(1).rows(rows.into_iter().map(row))
    }

    pub(super) fn json(&self) -> Value {
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
        let mut files = json!({ "report": "report.md", "bounds": format!("tables/{BOUNDS}") });
        for side in SIDES {
            files[SIDE_NAMES[side]] = strategy_file(side).into();
            files[format!("mixed_{}", SIDE_NAMES[side])] = format!("tables/{}", mixed_file(side)).into();
        }
        let mut keys = exact_keys(&self.certificate, self.bank);
        keys.extend(value_keys(self.final_evs(), self.bank));
        let mut json = Value::Object(keys);
        json["rules"] = json!(self.rules);
        json["rules_hash"] = self.rules.hash().into();
        json["rounds"] = self.history.values.len().into();
        json["passes"] = self.histories().last().map_or(0, History::passes).into();
        json["method"] = json!(self.method);
        json["by_round"] = self.by_round(&self.history);
        json["strategies"] = json!(SIDES.map(strategy));
        json["mixed"] = json!({ "player": self.mixing[0].json(), "banker": self.mixing[1].json() });
        json["differences"] = self.differences.json();
        json["files"] = files;
        if self.bank == BankedBy::Player {
            json["bank"] = json!(self.bank);
        }
        if let Some(SuitsSeen { profiles: [player, banker], history }) = &self.seen {
            let profiles = json!({ "player": player, "banker": banker });
            let rounds = history.values.len();
            json["suits_seen"] = json!({ "rounds": rounds, "profiles": profiles, "by_round": self.by_round(history) });
        }
        if let Some(tables) = self.differences.tables {
            json["tables"] = value_keys(tables, self.bank).into();
        }
        json
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

    fn histories(&self) -> impl Iterator<Item = &History> {
        [&self.history].into_iter().chain(self.seen.as_ref().map(|seen| &seen.history))
    }

    /// Returns the exact EVs of the strategies after all rounds. These are the tables if both sides see suits, and
    /// otherwise the mixed strategies.
    fn final_evs(&self) -> PairEvs<Ratio> {
        let tables = self.seen.as_ref().and(self.differences.tables);
        tables.unwrap_or(self.certificate.evs)
    }
}

fn with_rows(section: Section, table: TextTable) -> Section {
    if table.rows.is_empty() { section } else { section.table(table) }
}
