//! Writes the report on an equilibrium. It is meant for readers who don't program.

use super::differences::SIDE_NAMES;
use super::findings::{BOUNDS, FILES, Findings, STRATEGIES, SuitsSeen, mixed_file, mixed_strategy_file, strategy_file};
use super::gap_charts::{chart_by_passes, chart_by_seconds, gap_name, gap_title};
use super::history::History;
use super::mixing::THRESHOLD;
use crate::analysis::pai_gow::units::percent_bounds;
use crate::report::{Report, TextTable};
use houseway_exact::Ratio;
use houseway_exact::equilibrium::{Algorithm, SIDES};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::Side;

/// The texts before and after the table of values if the house banks.
const HOUSE_BANKS: [&str; 2] = [
    "A casino's banker follows a house way. What would the player's EV be if the banker could set freely? Neither \
     side could then predict what the other does, so optimal play is an *equilibrium*, which is a pair of \
     strategies that are best responses to each other. This report gives bounds for the value of the game, \
     which is the player's EV in an equilibrium. The bounds are exact: against a given strategy, all deals are \
     evaluated and every hand is set in the best way, taking all suits into account.",
    "The casino wins what the player loses and keeps the commission on what the player wins. Copies are settled as \
     the rules say. One side's gain is therefore always the other side's loss, and the game has a single value, \
     which lies between the two bounds. The width of the bracket between them is also the total that best \
     responses gain against the two strategies.",
];

/// The same texts if a player banks.
const PLAYER_BANKS: [&str; 2] = [
    "A player who banks can set freely. Neither side can then predict what the other does, so optimal play is an \
     *equilibrium*, which is a pair of strategies that are best responses to each other. This report computes a pair \
     that is close to an equilibrium. The gains of best responses are exact: against a given strategy, all deals are \
     evaluated and every hand is set in the best way, taking all suits into account.",
    "Both sides pay a commission on what they win, so one side's gain isn't the other side's loss. Such a game may have \
     several equilibria with different EVs. NashConv is the sum of what both sides could gain by changing to a best \
     response. It is zero in an equilibrium.",
];

impl Findings {
    /// Returns the report that is written to the run's folder.
    pub fn report(&self) -> Report {
        let [introduction, explanation] = self.introduction();
        let name = gap_name(self.bank);
        let certified = Some(self.final_evs().nash_conv().value());
        let names = ["by profile", "with suits"].into_iter();
        let curves: Vec<(&str, &History)> = names.zip(self.histories()).collect();
        let report = Report::new("Optimal play against optimal play")
            .text(introduction)
            .text(format!("**{}**", self.verdict()))
            .table(self.values_table())
            .text(explanation)
            .figure(
                format!("{}-by-passes", name.to_lowercase()),
                format!("{} by the number of passes over all deals", gap_title(self.bank)),
                chart_by_passes(self.bank, &curves, certified),
            );
        let report = match self.history.seconds.is_empty() {
            true => report,
            false => report.figure(
                format!("{}-by-seconds", name.to_lowercase()),
                format!("{} by processor seconds", gap_title(self.bank)),
                chart_by_seconds(self.bank, &curves, certified),
            ),
        };
        let report = report
            .heading("The strategies")
            .table(self.strategies_table())
            .text(self.strategies_text())
            .text(self.table_text())
            .table(self.suits_table())
            .text(
                "The last table is the value of seeing the other suits: how much more a best response gains against each \
                 mixed strategy than one that only sees profiles.",
            );
        self.differences_report(report).heading("Method").text(self.method_text())
    }

    /// Adds the sections about the hands that are set differently from a house way, and about those that are mixed.
    fn differences_report(&self, report: Report) -> Report {
        let differences = &self.differences;
        let report = report.heading("Where equilibrium play differs").text(self.differences_introduction());
        let report = SIDES.into_iter().fold(report, |report, side| {
            let of_side = &differences.sides[side];
            let report = with_rows(report.text(differences.way_text(side)), of_side.way.table(&differences.way));
            with_rows(report.text(differences.best_text(side)), of_side.best.table("best response"))
        });
        let report = report.heading("Mixed hands").text(format!(
            "A hand counts as mixed if its profile has a second setting with a probability of at least {THRESHOLD}%. The \
             tables show the largest groups, each with the profile that sets the most hands in a rarer way as its example.",
        ));
        SIDES.into_iter().fold(report, |report, side| {
            with_rows(report.text(self.mixing[side].text(SIDE_NAMES[side])), self.mixing[side].table())
        })
    }

    fn differences_introduction(&self) -> String {
        let way = &self.differences.way;
        let opponent = match self.differences.tables {
            Some(_) => "the other side's equilibrium strategy".to_owned(),
            None => format!("{way}, because strategy tables can't be opponents under these rules"),
        };
        format!(
            "The equilibrium strategies, as in the files, are compared with the house way {way} on both sides of the table. \
             Hands are grouped by shape as in `houseway diff`, and the example of each group is the hand whose EV changes \
             the most. Differences from {way} are evaluated against {opponent}. Differences from the best response to \
             {way} are evaluated against {way}. The last column is the change in EV if the group is set in the other way, \
             in units per 1,000 games of one unit.",
        )
    }

    /// Returns the text before and after the table of values.
    fn introduction(&self) -> [String; 2] {
        match self.bank {
            BankedBy::House => HOUSE_BANKS.map(str::to_owned),
            BankedBy::Player => PLAYER_BANKS.map(str::to_owned),
        }
    }

    /// Describes the strategies and their files.
    fn strategies_text(&self) -> String {
        let [player, banker] = [0, 1].map(mixed_file);
        format!(
            "The mixed strategies only look at a hand's *profile*, which consists of its ranks and the suit of any flush that it \
             contains. Some hands are mixed, which means that they are set in one of several ways at random. Probabilities \
             below {THRESHOLD}% are mostly left over from rounding what is played in a round, so they are counted separately. \
             All probabilities are in [tables/{player}](tables/{player}) and [tables/{banker}](tables/{banker}), beginning \
             with the profiles that set the most hands in a rarer way.",
        )
    }

    /// Describes the strategies' files and where they can be used.
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
                let [lower, upper] = percent_bounds(tables.bounds().into(), 5);
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

    fn suits_table(&self) -> TextTable {
        let table = TextTable::new(["value of suits", "of the stake", "exactly"]).right(1);
        [Side::Player, Side::Banker].into_iter().zip(SIDE_NAMES).fold(table, |table, (side, name)| {
            let value = self.value_of_suits(side);
            table.row([format!("against the {name}'s strategy"), percent(value.value(), 7), format!("{value:?}")])
        })
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
        let (bounds, [lower, upper]) = (evs.bounds(), percent_bounds(evs.bounds().into(), 7));
        let [player, banker] = evs.ev;
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
        let table = TextTable::new([title, "of the stake", "exactly"]).right(1);
        rows.into_iter()
            .fold(table, |table, (name, ev, rounded)| table.row([name.to_owned(), rounded, format!("{ev:?}")]))
    }

    fn strategies_table(&self) -> TextTable {
        let last = match self.bank {
            BankedBy::House => "loses at most",
            BankedBy::Player => "best response gains",
        };
        let last = if self.seen.is_some() { format!("table {last}") } else { last.to_owned() };
        let mixed = format!("mixed with at least {THRESHOLD}%");
        let header = [
            "strategy",
            mixed.as_str(),
            "profiles",
            "mixed with any probability",
            "profiles",
            "hands set in a rarer way",
            last.as_str(),
        ];
        let table = TextTable::new(header).right_from(1);
        // The gain of a best response to a strategy is the other side's.
        SIDES.into_iter().zip([Side::Banker, Side::Player]).fold(table, |table, (side, other)| {
            let mixing = &self.mixing[side];
            table.row([
                format!("{0} ([{0}.parquet]({1}))", FILES[side], mixed_strategy_file(side)),
                percent(mixing.mixed.fraction(), 2),
                grouped(mixing.mixed.profiles),
                percent(mixing.any.fraction(), 2),
                grouped(mixing.any.profiles),
                percent(mixing.minority, 2),
                percent(self.final_evs().gain(other).value(), 6),
            ])
        })
    }
}

/// Adds a table unless it has no rows.
fn with_rows(report: Report, table: TextTable) -> Report {
    if table.rows.is_empty() { report } else { report.table(table) }
}
