//! The report of a banking experiment.

use super::figures::{TAKEN, fan_name, profit_name, ruin_name};
use super::{BankingLab, BankingResults, Sessions};
use crate::report::{Report, Table};

/// Answers on the seeded situations.
pub(super) fn answers(results: &BankingResults) -> Table {
    let mut table = Table::new(["agent", "EV", "regret", "agrees"]).right(1).right(2).right(3);
    for agent in &results.agents {
        let row = [
            agent.name.clone(),
            format!("{:+.3}%", 100.0 * agent.ev),
            format!("{:.4}%", 100.0 * agent.regret),
            format!("{:.2}%", 100.0 * agent.agreement),
        ];
        table = table.row(row.iter().map(String::as_str));
    }
    table
}

/// What came of sessions.
pub(super) fn sessions(sessions: &Sessions) -> Table {
    let header = ["banker", "profit per 100 rounds", "over the exact rule", "log growth", "ruined", "banked"];
    let mut table = (1..header.len()).fold(Table::new(header), Table::right);
    for score in &sessions.scores {
        let over = score
            .over_exact
            .map_or(String::new(), |[mean, low, high]| format!("{mean:+.1} ± {:.1}", (high - low) / 2.0));
        let row = [
            score.name.clone(),
            format!("{:+.1} ± {:.1}", score.profit, (score.profit_ci[1] - score.profit_ci[0]) / 2.0),
            over,
            format!("{:+.3}", score.growth),
            format!("{:.1}%", 100.0 * score.ruined),
            format!("{:.1}%", 100.0 * score.banked),
        ];
        table = table.row(row.iter().map(String::as_str));
    }
    table
}

/// The report.
pub(super) fn report(lab: &BankingLab, results: &BankingResults) -> Report {
    let config = &lab.experiment;
    let mut report = Report::new(format!("Experiment {}", config.name)).text(format!(
        "Players of Pai Gow Poker who are offered the bank: when to take it. The learner sets by {} and, as the bank, by {}; \
         the house by {}; the others by {}, which is known. A learned banker is a small network that has seen the rewards of \
         all answers in drawn situations, dealt and settled by the table; it was given no exact value.",
        config.way,
        config.banker_way,
        config.house_way,
        config.others.join(", ")
    ));
    report = report.heading("Against the exact rule").text(format!(
        "On {} seeded situations, half of them with the bank worth more than the own bet and half with less; those within {}% \
         of the stake of the border are left out. Of all situations drawn, the bank was worth more in {:.1}%. EV and regret are \
         per chip of all bets, and exact. *Exact rule*: takes the bank when the exact EV of covering all bets is above that of \
         the own bet against the house.",
        results.situations,
        100.0 * config.situations.margin,
        100.0 * results.take_share
    ));
    report = report.table(answers(results)).figure(TAKEN.0, TAKEN.1);
    for played in &results.sessions {
        let name = &played.name;
        let Some(session) = config.sessions.iter().find(|session| session.name == *name) else { continue };
        report = report.heading(format!("Sessions: {name}")).text(format!(
            "{} rounds, {} sessions for each of {} seeds; at most {} other players, whose ways and bets are drawn; {} chips to \
             begin with. All play the same cards. All but *learned, growth*, which chooses its bets and parts of a bank, bet {} \
             chips. ± is half of a 95% interval from the spread of the seeds. *Log growth* is the mean over sessions; those \
             ruined count as left with one chip.",
            session.rounds, session.sessions, config.seeds.len(), session.opponents, session.bankroll, session.bet
        ));
        report = report
            .table(sessions(played))
            .figure(profit_name(name), format!("profit in 100 rounds, {name}"))
            .figure(fan_name(name), format!("bankrolls by round, {name}"))
            .figure(ruin_name(name), format!("share of ruined sessions by round, {name}"));
    }
    report
}
