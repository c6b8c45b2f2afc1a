//! The report of an experiment, and its comparison of agents.

use super::Results;
use super::config::Experiment;
use super::figures::{AGREEMENT, BY_HANDS, BY_TIME, EV, LOST};
use crate::report::{Report, Table};

/// A share of a stake as per cent with three places.
fn percent(value: f64) -> String {
    format!("{:+.3}%", 100.0 * value)
}

/// A number of per cent with the half width of its interval.
fn plus_minus(text: String, half: f64, places: usize) -> String {
    if half == 0.0 { format!("{text}%") } else { format!("{text}±{:.places$}%", 100.0 * half) }
}

/// All agents side by side.
pub(super) fn comparison(results: &Results) -> Table {
    let header = ["agent", "EV", "regret", "over house way", "agrees"];
    let mut table = Table::new(header).right(1).right(2).right(3).right(4);
    for agent in &results.agents {
        let half = agent.regret_ci.map_or(0.0, |[low, high]| (high - low) / 2.0);
        let over = agent.over_house_way;
        table = table.row([
            agent.name.as_str(),
            &percent(agent.ev),
            &plus_minus(format!("{:.4}", 100.0 * agent.regret), half, 4),
            &plus_minus(format!("{:+.3}", 100.0 * over.value), over.high - over.value, 3),
            &format!("{:.1}%", 100.0 * agent.agreement),
        ]);
    }
    table
}

/// The report.
pub(super) fn report(results: &Results, experiment: &Experiment) -> Report {
    let banker = &experiment.banker;
    let measured = match results.is_whole() {
        true => "All are measured on all 154,143,080 hands: the value of every setting of every hand is counted against all \
                 53,524,680 banker hands. *Regret* is the EV of the best setting less that of the chosen one, in per cent \
                 of the stake, and exact, as everything in the table. *Over house way* is the difference of EV. *Agrees* \
                 is the share of hands set as well as the optimum. *random legal* is the mean over all legal settings."
            .to_owned(),
        false => format!(
            "All are measured on the same {} hands, dealt once by a fixed seed; the value of every setting of every hand \
             is counted against all 53,524,680 banker hands. *Regret* is the EV of the best setting less that of the \
             chosen one, in per cent of the stake; the only error in it is that of dealing the hands, and ± is half of \
             its 95% interval. *Over house way* is the paired difference on the same hands. *Agrees* is the share of \
             hands set as well as the optimum.",
            results.hands
        ),
    };
    let mut report = Report::new(format!("Experiment {}", experiment.name)).text(format!(
        "Agents set Pai Gow Poker hands against a banker who sets by the house way {banker}, commission {}. {measured}",
        experiment.rules.commission
    ));
    report = report.heading("Agents").table(comparison(results)).heading("The whole game");
    report = report.text(
        "Counted over all 8,250,459,031,214,400 deals, without any sample. The EVs of the table above start from the \
         optimum's here.",
    );
    let mut whole = Table::new(["strategy", "deals won", "deals lost", "EV"]).right(1).right(2).right(3);
    for strategy in &results.whole {
        let ev = format!("{:+.5}%", 100.0 * strategy.ev);
        whole = whole.row([strategy.name.as_str(), &strategy.wins, &strategy.losses, &ev]);
    }
    report = report.table(whole).heading("Expected value").saved_figure(EV.0, EV.1);
    if !experiment.train.is_empty() {
        report = report.heading("Learning").saved_figure(BY_HANDS.0, BY_HANDS.1).saved_figure(BY_TIME.0, BY_TIME.1);
    }
    report.heading("By shape of the hand").saved_figure(LOST.0, LOST.1).saved_figure(AGREEMENT.0, AGREEMENT.1)
}
