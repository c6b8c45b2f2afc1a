//! Writes a banking experiment's report.

use super::agreement::{AnswerScore, Examination};
use super::config::LEARNED;
use super::figures::{SETTING, SessionFigures, TAKEN, session_figures, setting, taken};
use super::lab::{BankingLab, RAW};
use super::results::BankingResults;
use super::sessions::{Estimate, Sessions};
use crate::report::{Report, TextTable, terminal};

/// Returns a table with the answers in the seeded situations.
pub(super) fn answers(results: &BankingResults) -> TextTable {
    let mut table = TextTable::new(["agent", "EV", "regret", "agrees"]).right(1).right(2).right(3);
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

/// Returns a table with the growth against one opponent.
pub(super) fn growth(results: &BankingResults) -> TextTable {
    let mut table = TextTable::new(["agent", "growth", "regret", "agrees"]).right(1).right(2).right(3);
    for agent in &results.growth {
        let half = 1e6 * (agent.regret_ci[1] - agent.regret_ci[0]) / 2.0;
        let row = [
            agent.name.clone(),
            format!("{:+.1}", 1e6 * agent.growth),
            format!("{:.1} ± {half:.1}", 1e6 * agent.regret),
            format!("{:.1}%", 100.0 * agent.agreement),
        ];
        table = table.row(row.iter().map(String::as_str));
    }
    table
}

/// Returns a table with the settings of each strategy.
pub(super) fn settings(results: &BankingResults) -> TextTable {
    let mut table = (2..5).fold(TextTable::new(["as", "sets by", "EV", "regret", "agrees"]), TextTable::right);
    for score in &results.settings {
        let half = 100.0 * (score.regret_ci[1] - score.regret_ci[0]) / 2.0;
        let row = [
            score.role.name().to_owned(),
            score.name.clone(),
            score.ev.map_or(String::new(), |ev| format!("{:+.3}%", 100.0 * ev)),
            format!("{:.4}% ± {half:.4}%", 100.0 * score.regret),
            format!("{:.1}%", 100.0 * score.agreement),
        ];
        table = table.row(row.iter().map(String::as_str));
    }
    table
}

/// Returns a table with the session results.
pub(super) fn sessions(sessions: &Sessions) -> TextTable {
    let kelly = sessions.scores.iter().any(|score| score.over_kelly.is_some());
    let mut header = vec!["banker", "played", "profit", "over exact", "growth"];
    header.extend(kelly.then_some("over Kelly"));
    header.extend(["ruined", "banked"]);
    let mut table = (1..header.len()).fold(TextTable::new(header.iter().copied()), TextTable::right);
    let chips = |estimate: &Estimate| format!("{:+.1} ± {:.1}", estimate.mean, estimate.half());
    let growth = |estimate: &Estimate| format!("{:+.2} ± {:.2}", estimate.mean, estimate.half());
    for score in &sessions.scores {
        let mut row = vec![
            score.name.clone(),
            chips(&score.played),
            chips(&score.profit),
            score.over_exact.as_ref().map_or(String::new(), chips),
            growth(&score.growth),
        ];
        row.extend(kelly.then(|| score.over_kelly.as_ref().map_or(String::new(), growth)));
        row.extend([format!("{:.1}%", 100.0 * score.ruined), format!("{:.1}%", 100.0 * score.banked)]);
        table = table.row(row.iter().map(String::as_str));
    }
    table
}

/// Creates the report.
pub(super) fn report(
    lab: &BankingLab,
    results: &BankingResults,
    examination: &Examination,
    learned: &[Vec<bool>],
) -> Report {
    let config = &lab.experiment;
    let mut report = Report::new(format!("Experiment {}", config.name)).text(format!(
        "Players of Pai Gow Poker who are offered the bank: when to take it, with which stake, and which settings to choose. The \
         house sets by {2}; the others by {3}, which is known: *random* chooses a legal setting uniformly at random, *learned* \
         has the settings of the learner of the first seed. Unless stated otherwise, the learner sets by {0} and, as the bank, by \
         {1}. A learned banker is a small network, trained on the rewards of all answers in random situations, dealt and settled \
         by the table; learned settings come from another network, trained on the rewards of all settings. Neither saw an exact \
         value.",
        config.way,
        config.banker_way,
        config.house_way,
        config.others.join(", ")
    ));
    report = against_the_exact_rule(report, lab, results)
        .figure(TAKEN.0, TAKEN.1, taken(lab, examination, learned))
        .text(
            "The exact rule covers all bets or passes. There are better answers: a bank that stakes a fraction of the bets loses no more \
             than its stake, while the chips that it collects cover further bets; and since all bets meet the same hand of the \
             bank, they are correlated. Against several players a small stake therefore has a higher EV than a full one, as the \
             bankers below who choose their stake show.",
        )
        .heading("Growth against one opponent")
        .text(format!(
            "Expected logarithm of growth in one round, exact, in millionths of the chips, on {} seeded situations with one opponent. \
             *Best answer*: the highest-valued of passing and the six stakes. *Exact Kelly*: the Kelly fraction of the chips, or \
             pass; the own bet is given.",
            results.growth_situations
        ))
        .table(growth(results));
    report = report.heading("Settings").text(format!(
        "As player against the house, and as the bank against those others whose strategy was known before anything was learned, \
         copies to the bank. *EV* is per chip and exact, over all deals (as the bank: the mean over these strategies). *Regret* \
         is the EV of the best setting less that of the chosen one on {} seeded hands, every setting of which was enumerated \
         against all hands of the other side; ± is half the width of a 95% confidence interval. The best setting as the bank is \
         the best response to all these strategies together, with equal bets.",
        config.situations.hands
    ));
    report = report.table(settings(results)).figure(SETTING.0, SETTING.1, setting(lab, results));
    for played in &results.sessions {
        let name = &played.name;
        let Some(session) = config.sessions.iter().find(|session| session.name == *name) else { continue };
        report = report.heading(format!("Sessions: {name}")).text(format!(
            "{} rounds, {} sessions for each of {} seeds; {}at most {} other players, whose strategies and bets are random; a bankroll of {} \
             chips. All kinds and seeds sit with the same players, and each round has its own stream of cards and dice. *By stake* \
             and *growth* choose the stake of a bank, *growth* its bets as well{}; all others bet {} chips. *Played* and *profit* \
             are chips won in 100 rounds, the latter adjusted for the luck of the cards: the result of each round's bets, all \
             covered, less its exact EV, times the fraction covered, which has a mean of zero. *Over exact* is the profit less that \
             of the exact rule in the same sessions. ± is half the width of a 95% confidence interval over the seeds. *Growth* is \
             the log growth of the chips in a session, adjusted for the luck of small bets; the ruined count as left with one chip.",
            session.rounds,
            session.sessions,
            config.seeds.len(),
            match session.rivals {
                0 => String::new(),
                rivals => format!("{rivals} learned bankers of other seeds who take the bank for profit; "),
            },
            session.opponents,
            session.bankroll,
            match (session.opponents, session.rivals) {
                (1, 0) => ", *exact Kelly* stakes the Kelly fraction and bets the minimum",
                _ => "",
            },
            session.bet
        ));
        let SessionFigures { fan, ruin, profit } = session_figures(lab, played);
        report = report
            .table(sessions(played))
            .figure(format!("profit-{name}"), format!("profit in 100 rounds, {name}"), profit)
            .figure(format!("bankrolls-{name}"), format!("bankrolls by round, {name}"), fan);
        if let Some(ruin) = ruin {
            report =
                report.figure(format!("ruin-{name}"), format!("fraction of ruined sessions by round, {name}"), ruin);
        }
    }
    report
}

/// Adds the comparison with the exact rule, without its figure.
fn against_the_exact_rule(report: Report, lab: &BankingLab, results: &BankingResults) -> Report {
    let report = report
        .heading("Against the exact rule")
        .text(format!(
            "On {} seeded situations. The set is balanced: in half of them the bank has a higher EV than the own bet, in half a \
             lower one. Those closer to indifference than {}% of the stake are left out. Of all situations drawn, the bank had the \
             higher EV in {:.1}%. EV and regret are per chip of all bets, and exact. *Exact rule*: takes the bank when the exact EV \
             of covering all bets is above that of the own bet against the house.",
            results.situations,
            100.0 * lab.experiment.situations.margin,
            100.0 * results.take_share
        ))
        .text(
            "For passing and for covering all bets, the profit is linear in the features that the learned bankers are given: the own \
             bet and the bets of each strategy, as fractions of all bets. The network predicts it with a linear term, so the task \
             is easier than from the bets themselves.",
        )
        .table(answers(results));
    match ablation(&results.agents) {
        Some(ablation) => report.text(ablation),
        None => report,
    }
}

/// Compares the bankers with raw features with the learned bankers, or returns `None` if there are none.
fn ablation(agents: &[AnswerScore]) -> Option<String> {
    let of_kind = |kind: &str| -> Vec<&AnswerScore> {
        agents.iter().filter(|agent| agent.name.strip_prefix(kind).is_some_and(|rest| rest.starts_with(','))).collect()
    };
    let (raw, learned) = (of_kind(RAW), of_kind(LEARNED));
    if raw.is_empty() || learned.is_empty() {
        return None;
    }
    let mean = |scores: &[&AnswerScore], of: fn(&AnswerScore) -> f64| {
        100.0 * scores.iter().map(|score| of(score)).sum::<f64>() / scores.len() as f64
    };
    let [regrets, agreements]: [fn(&AnswerScore) -> f64; 2] = [|score| score.regret, |score| score.agreement];
    Some(format!(
        "*Raw bets* is an ablation. These bankers are given the bet and the strategy of each other seat, the own bet and the \
         funds, and nothing derived from several of them. The hidden layers and the training are the same, and predict the \
         profit as well. Averaged over the seeds, the regret is {:.4}% with raw bets and {:.4}% with derived features, and \
         the answers agree with the exact rule in {:.2}% and {:.2}% of the situations.",
        mean(&raw, regrets),
        mean(&learned, regrets),
        mean(&raw, agreements),
        mean(&learned, agreements),
    ))
}

impl BankingResults {
    /// Formats the comparison as text for a terminal.
    pub fn terminal(&self) -> String {
        let sessions = self.sessions.iter().map(|played| format!("\n{}\n{}", played.name, terminal(&sessions(played))));
        terminal(&answers(self))
            + "\n"
            + &terminal(&growth(self))
            + "\n"
            + &terminal(&settings(self))
            + "\n"
            + &sessions.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ablation_is_described_by_its_means() {
        let score = |name: &str, regret, agreement| AnswerScore {
            name: name.to_owned(),
            ev: 0.0,
            regret,
            regret_ci: None,
            agreement,
        };
        let mut agents = vec![
            score("exact rule", 0.0, 1.0),
            score("learned, seed 1", 0.0001, 0.99),
            score("learned, seed 2", 0.0003, 0.98),
        ];
        assert_eq!(ablation(&agents), None);
        agents.extend([score("raw bets, seed 1", 0.001, 0.9), score("raw bets, seed 2", 0.002, 0.95)]);
        let text = ablation(&agents).unwrap();
        assert!(text.contains("0.1500% with raw bets and 0.0200% with derived features"), "{text}");
        assert!(text.contains("92.50% and 98.50% of the situations"), "{text}");
    }
}
