//! Writes the report on an equilibrium. It is meant for readers who don't program.

use super::findings::{FILES, Findings, STRATEGIES};
use super::gap_charts::{chart_by_passes, chart_by_seconds, gap_name, gap_title};
use crate::report::{Report, TextTable};
use houseway_env::pai_gow::Game;
use houseway_exact::equilibrium::{Algorithm, SIDES};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::ClassTable;
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
        let report = Report::new("Optimal play against optimal play")
            .text(introduction)
            .text(format!("**{}**", self.verdict()))
            .table(self.values_table())
            .text(explanation)
            .figure(
                format!("{}-by-passes", name.to_lowercase()),
                format!("{} by the number of passes over all deals", gap_title(self.bank)),
                chart_by_passes(self.bank, &[(name, &self.history)]),
            );
        let report = match self.history.seconds.is_empty() {
            true => report,
            false => report.figure(
                format!("{}-by-seconds", name.to_lowercase()),
                format!("{} by seconds", gap_title(self.bank)),
                chart_by_seconds(self.bank, &[(name, &self.history)]),
            ),
        };
        report.heading("The strategies").table(self.strategies_table()).text(format!(
            "Both strategies only look at a hand's *profile*, which consists of its ranks and the suit of any flush that it \
             contains. Some hands are mixed, which means that they are set in one of several ways at random. The probabilities \
             are in [tables/mixed-player.csv](tables/mixed-player.csv) and \
             [tables/mixed-banker.csv](tables/mixed-banker.csv). The Parquet files in `{STRATEGIES}/` \
             contain the strategies themselves. The strategy tables beside them (safetensors) play each setting equally often, \
             but without randomness: the hands with the same profile, which only differ in suits that hardly matter, take \
             turns. {}",
            self.table_text(),
        )).text(format!(
            "A best response that only sees profiles would gain {} less against the player's strategy and {} less against the \
             banker's. This is the value of seeing the other suits.",
            percent(self.value_of_suits(Side::Player).value(), 6),
            percent(self.value_of_suits(Side::Banker).value(), 6),
        )).heading("Method").text(self.method_text())
    }

    /// Returns the text before and after the table of values.
    fn introduction(&self) -> [String; 2] {
        match self.bank {
            BankedBy::House => HOUSE_BANKS.map(str::to_owned),
            BankedBy::Player => PLAYER_BANKS.map(str::to_owned),
        }
    }

    /// Describes where the strategies' files can be used.
    fn table_text(&self) -> String {
        let tables = match ClassTable::check_rules(&Game::new(self.rules)) {
            Ok(()) => "Every command accepts the tables as strategies.",
            Err(_) => "Under these rules, no command can evaluate hands against the tables.",
        };
        format!(
            "{tables} `solve`, `compare`, `ev` and `set` accept the mixed strategies, as in `houseway solve --player optimal \
             --banker {STRATEGIES}/banker.parquet`, which computes a best response again.",
        )
    }

    fn method_text(&self) -> String {
        let rounds = self.method.fictitious_rounds;
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
        format!(
            "{begin} {play} The strategies above are the averages over these rounds. A pass only evaluates hands whose mixture \
             has changed. The curves show {gap} for best responses that only see profiles. Their numbers are in \
             [tables/bounds.csv](tables/bounds.csv).",
        )
    }

    fn values_table(&self) -> TextTable {
        let (certificate, bounds) = (&self.certificate, self.certificate.bounds());
        let [player, banker] = certificate.ev;
        let (title, rows) = match self.bank {
            BankedBy::House => (
                "player's EV",
                vec![
                    ("lower bound, from the player's strategy", bounds.lower),
                    ("both strategies against each other", player),
                    ("upper bound, from the banker's strategy", bounds.upper),
                ],
            ),
            BankedBy::Player => (
                "EV",
                vec![
                    ("player", player),
                    ("banker", banker),
                    ("player's gain from a best response", certificate.gain(Side::Player)),
                    ("banker's gain from a best response", certificate.gain(Side::Banker)),
                    ("sum of both gains (NashConv)", certificate.nash_conv()),
                ],
            ),
        };
        let table = TextTable::new([title, "of the stake", "exactly"]).right(1);
        rows.into_iter()
            .fold(table, |table, (name, ev)| table.row([name.to_owned(), percent(ev.value(), 7), format!("{ev:?}")]))
    }

    fn strategies_table(&self) -> TextTable {
        let last = match self.bank {
            BankedBy::House => "loses at most",
            BankedBy::Player => "best response gains",
        };
        let header = ["strategy", "profiles that mix", "of all hands", "hands set in a rarer way", last];
        let table = TextTable::new(header).right_from(1);
        // The gain of a best response to a strategy is the other side's.
        SIDES.into_iter().zip([Side::Banker, Side::Player]).fold(table, |table, (side, other)| {
            let mixing = &self.mixing[side];
            table.row([
                format!("{0} ([{0}.safetensors]({STRATEGIES}/{0}.safetensors))", FILES[side]),
                grouped(mixing.profiles as u64),
                percent(mixing.hands, 2),
                percent(mixing.minority, 2),
                percent(self.certificate.gain(other).value(), 6),
            ])
        })
    }
}
