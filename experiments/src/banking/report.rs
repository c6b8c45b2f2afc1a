//! Writes a banking experiment's report with its tables and figures, and the model cards of learned settings.

use super::BankingResults;
use super::config::{LEARNED, RANDOM};
use super::exams::{AnswerScore, Examination, Role, SettingScore};
use super::lab::{BankingLab, RAW};
use super::population::setting_folder;
use super::sessions::{Estimate, Sessions};
use crate::study::ModelCard;
use houseway_env::pai_gow::ID;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::rules::RuleSet;
use houseway_exact::format::{grouped, percent};
use houseway_lab::plot::{Axis, Bar, BarChart, Figure, HeatMap, LineChart, Series};
use houseway_lab::report::{Report, TextTable, and_list, terminal};
use serde_json::json;

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

pub(super) fn report(
    lab: &BankingLab,
    results: &BankingResults,
    examination: &Examination,
    learned: &[Vec<bool>],
) -> Report {
    let config = &lab.experiment;
    let special = [
        (RANDOM, "chooses a legal setting uniformly at random"),
        (LEARNED, "uses the settings learned with the first seed"),
    ];
    let special = special.into_iter().filter(|(name, _)| config.others.iter().any(|other| other == name));
    let special: String = special.map(|(name, meaning)| format!(" The player *{name}* {meaning}.")).collect();
    let mut report = Report::new(format!("Experiment {}", config.name)).text(format!(
        "A player of Pai Gow Poker who is offered the bank decides whether to take it, with which stake, and how to set the hand. \
         The house sets its hands by {}. The strategies of the other players are {}, and the player knows which of them each \
         player uses.{special} Unless stated otherwise, the player sets hands by {} and, as the banker, by {}. A learned banker \
         is a small network. It is trained on the rewards of all answers in random situations that the table deals and settles. \
         Learned settings come from another network, which is trained on the rewards of all settings. Neither network saw an \
         exact value.",
        config.house_way,
        and_list(&config.others),
        config.way,
        config.banker_way,
    ));
    report = against_the_exact_rule(report, lab, results)
        .figure(TAKEN.0, TAKEN.1, taken(lab, examination, learned))
        .text(
            "The exact rule either covers all bets or passes, and there are better answers. A bank that stakes a fraction of the bets \
             loses no more than its stake, while the chips that it collects cover further bets. All bets are also correlated, \
             because they are settled against the same hand. Against several players, a small stake therefore has a higher EV \
             than a full one, as the bankers below who choose their stake show.",
        )
        .heading("Growth against one opponent")
        .text(format!(
            "The expected log growth of the chips in one round, in millionths, on {} seeded situations with one opponent. It is exact \
             for each situation. *Best answer* is the best of passing and the six stakes. *Exact Kelly* stakes the Kelly fraction \
             of the chips, or passes if that is below the minimum. The player's own bet is given.",
            grouped(results.growth_situations as u64)
        ))
        .table(growth(results));
    report = report.heading("Settings").text(format!(
        "Hands are set as the player against the house, and as the bank against the other players whose strategy was known before \
         training. *EV* is per chip and exact over all deals. For the bank, it is the mean over these strategies. *Regret* is the \
         EV of the best setting minus that of the chosen one, averaged over {} seeded hands. For each of them, every setting was \
         enumerated against all hands of the other side, and ± is half the width of a 95% confidence interval. The bank's best \
         setting is the best response to all these strategies together, with equal bets.",
        grouped(config.situations.hands as u64)
    ));
    report = report.table(settings(results)).figure(SETTING.0, SETTING.1, setting(lab, results));
    for played in &results.sessions {
        let name = &played.name;
        let Some(session) = config.sessions.iter().find(|session| session.name == *name) else { continue };
        report = report.heading(format!("Sessions: {name}")).text(format!(
            "Each of the {} seeds plays {} sessions of {} rounds with a bankroll of {} chips. At the table, there {}{}, whose strategies \
             and bets are random. All kinds of bankers and all seeds play with the same players, and each round has its own stream \
             of cards and dice. *By stake* and *growth* choose the stake of their bank, and *growth* also chooses its bets.{} All \
             other bets are {} chips. *Played* and *profit* are chips won per 100 rounds. The profit is adjusted for the luck of \
             the cards, which is the result of each round's bets if all of them were covered, minus its exact EV, times the \
             fraction covered. Its mean is zero. *Over exact* is the profit minus that of the exact rule in the same sessions, and \
             ± is half the width of a 95% confidence interval over the seeds. *Growth* is the log growth of the chips in a \
             session, adjusted for the luck of small bets. Ruined players count as having one chip left.",
            config.seeds.len(),
            grouped(session.sessions as u64),
            grouped(session.rounds),
            grouped(session.bankroll.unsigned_abs()),
            match session.rivals {
                0 => String::new(),
                1 => "is a learned banker with another seed, who takes the bank for profit, and ".to_owned(),
                rivals => format!("are {rivals} learned bankers with other seeds, who take the bank for profit, and "),
            },
            match (session.opponents, session.rivals) {
                (1, 0) => "is one other player".to_owned(),
                (1, _) => "one other player".to_owned(),
                (most, 0) => format!("are at most {most} other players"),
                (most, _) => format!("at most {most} other players"),
            },
            match (session.opponents, session.rivals) {
                (1, 0) => " *Exact Kelly* stakes the Kelly fraction and bets the minimum.",
                _ => "",
            },
            grouped(session.bet.unsigned_abs())
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
            "The answers in {} seeded situations. The set is balanced. In one half of the situations, the bank has a higher EV than \
             the player's own bet, and in the other half a lower one. Situations that are closer to indifference than {}% of the \
             stake are left out. Of all situations drawn, including those left out, the bank had the higher EV in {:.1}%. EV and \
             regret are per chip of all bets, and exact for each situation. The *exact rule* takes the bank if the exact EV of \
             covering all bets is above that of the player's own bet against the house.",
            grouped(results.situations as u64),
            100.0 * lab.experiment.situations.margin,
            100.0 * results.take_share
        ))
        .text(
            "The features that the learned bankers are given are the player's own bet and the bets of each strategy, as fractions of \
             all bets. The profit of passing and of covering all bets is linear in these features, and the network has a linear \
             term, so the task is easier than it would be with the bets themselves.",
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
        "*Raw bets* is an ablation. These bankers are given the bet and the strategy of each other seat, the player's own bet and \
         the funds, but nothing derived from several of them. There is no linear term, so the hidden layers also predict the \
         profit. The size of these layers and the training are the same. Averaged over the seeds, the regret is {:.4}% with raw \
         bets and {:.4}% with derived features, and the answers agree with the exact rule in {:.2}% and {:.2}% of the situations.",
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

/// The ranges for the ratio between the bets against the bank and the player's own bet, as upper bounds with names.
const RATIOS: [(f64, &str); 5] =
    [(2.0, "below 2"), (5.0, "2 to 5"), (10.0, "5 to 10"), (20.0, "10 to 20"), (f64::INFINITY, "20 and more")];

/// The name and description of the figure that shows how often the bank is taken.
pub(super) const TAKEN: (&str, &str) =
    ("bank-taken", "fraction of situations in which the bank is taken, by the bets against it over the own bet");

/// The only kinds of bankers that are drawn with a band. Bands for all of them would overlap.
const FANS: [&str; 2] = ["exact rule", "learned, growth"];

/// The name and description of the figure that compares settings by regret.
pub(super) const SETTING: (&str, &str) =
    ("setting", "regret against the best setting of each hand, as player and as bank");

/// The figures for the sessions at one table.
pub(super) struct SessionFigures {
    /// The bankrolls by round.
    pub(super) fan: Figure,
    /// The ruined sessions by round, if there are any.
    pub(super) ruin: Option<Figure>,
    /// Each banker's profit.
    pub(super) profit: Figure,
}

/// Draws the figures for the sessions.
pub(super) fn session_figures(lab: &BankingLab, sessions: &Sessions) -> SessionFigures {
    let name = &sessions.name;
    let rounds = || Axis::new("round").from_zero();
    // If a player is ruined, use a logarithmic scale that starts at the minimum bet.
    let (chips, least) = match sessions.ruins() {
        true => (Axis::new("chips").log(), lab.table.rules.bet_minimum as f64),
        false => (Axis::new("chips"), 0.0),
    };
    let mut fan = LineChart::new(rounds(), chips);
    let mut ruin = LineChart::new(rounds(), Axis::new("ruined sessions").percent().from_zero());
    for score in &sessions.scores {
        let points = |of: fn(&[f64; 4]) -> f64| -> Vec<(f64, f64)> {
            sessions.rounds.iter().zip(&score.path).map(|(&round, at)| (round as f64, of(at))).collect()
        };
        let median = points(|at| at[1]).into_iter().map(|(round, chips)| (round, chips.max(least)));
        let series = Series::new(score.name.as_str(), median.collect());
        let band = || score.path.iter().map(|at| (at[0].max(least), at[2].max(least))).collect();
        fan = fan.with(if FANS.contains(&score.name.as_str()) { series.band(band()) } else { series });
        ruin = ruin.with(Series::new(score.name.as_str(), points(|at| at[3])));
    }
    let seeds = match lab.experiment.seeds.len() {
        1 => "one seed".to_owned(),
        count => format!("{count} seeds"),
    };
    let config = lab.experiment.sessions.iter().find(|config| config.name == *name);
    let each = config.map_or(0, |config| config.sessions);
    let note = format!(
        "{seeds} of {each} sessions each; line: median; bands, of the exact rule and growth: 5th to 95th percentile"
    );
    let fan = Figure::new(format!("Bankrolls, {name}"), fan).note(note);
    let note = format!("{seeds} of {each} sessions each; ruined: less than the lowest bet is left");
    let ruin = sessions.ruins().then(|| Figure::new(format!("Ruin, {name}"), ruin).note(note));
    let names = sessions.scores.iter().map(|score| score.name.clone()).collect();
    let value = |estimate: &Estimate| Bar::between(estimate.mean, estimate.ci[0], estimate.ci[1]);
    let profit = BarChart::new(Axis::new("chips won in 100 rounds"), names)
        .with("adjusted for luck", sessions.scores.iter().map(|score| value(&score.profit)).collect())
        .with("as played", sessions.scores.iter().map(|score| value(&score.played)).collect())
        .places(0);
    let note = format!("mean of {seeds} with 95% confidence intervals");
    SessionFigures { fan, ruin, profit: Figure::new(format!("Profit, {name}"), profit).note(note) }
}

/// Draws the regret in both roles.
pub(super) fn setting(lab: &BankingLab, results: &BankingResults) -> Figure {
    let regrets = |role: Role, learned: bool| -> Vec<Bar> {
        let of_role = results.settings.iter().filter(|score| score.role == role && score.name != "optimum");
        let scores = of_role.filter(|score| score.name.starts_with("learned") == learned);
        scores.map(|score| Bar::between(score.regret, score.regret_ci[0], score.regret_ci[1])).collect()
    };
    let mut series: Vec<(String, Vec<Bar>)> =
        vec![("house way".to_owned(), Role::BOTH.iter().flat_map(|&role| regrets(role, false)).collect())];
    for (i, seed) in lab.experiment.seeds.iter().enumerate() {
        let values = Role::BOTH.iter().map(|&role| regrets(role, true)[i]);
        series.push((format!("learned, seed {seed}"), values.collect()));
    }
    let names = Role::BOTH.iter().map(|role| format!("as {}", role.name())).collect();
    let chart = BarChart::new(Axis::new("EV lost per chip").percent(), names).places(3);
    let chart = series.into_iter().fold(chart, |chart, (name, values)| chart.with(name, values));
    let note =
        format!("{} seeded hands, every setting enumerated; 95% confidence intervals", lab.experiment.situations.hands);
    Figure::new("Regret of settings", chart).note(note)
}

/// Returns `true` if this strategy loses considerably more than a house way. This is assumed of random settings and of
/// the plain ways.
fn is_weak(way: &str) -> bool {
    way == RANDOM || houseway_lab::analysis::pai_gow::table_run::PLAIN_WAYS.contains(&way)
}

/// Draws how often the bank is taken. There is a row for each ratio of the bets against the bank to the player's own
/// bet, with and without a weak player. The columns are the exact rule and the learned bankers.
pub(super) fn taken(lab: &BankingLab, examination: &Examination, learned: &[Vec<bool>]) -> Figure {
    let exact = examination.exact();
    let weak = |way: usize| is_weak(&lab.members[way].name);
    let group = |i: usize| {
        let situation = &examination.situations[i];
        let ratio = situation.against() as f64 / situation.own as f64;
        let range = RATIOS.iter().position(|(bound, _)| ratio < *bound).unwrap_or(RATIOS.len() - 1);
        let weak = situation.others.iter().flatten().any(|other| weak(other.way));
        2 * range + usize::from(weak)
    };
    let (mut rows, mut values) = (vec![], vec![]);
    for (row, (_, words)) in (0..2 * RATIOS.len()).zip(RATIOS.iter().flat_map(|ratio| [ratio, ratio])) {
        let inside: Vec<usize> = (0..exact.len()).filter(|&i| group(i) == row).collect();
        if inside.is_empty() {
            continue;
        }
        let share = |takes: &[bool]| inside.iter().filter(|&&i| takes[i]).count() as f64 / inside.len() as f64;
        let seeds = learned.iter().map(|takes| share(takes)).sum::<f64>() / learned.len() as f64;
        let who = if row % 2 == 1 { "some weak" } else { "none weak" };
        rows.push(format!("{words}, {who} ({})", inside.len()));
        values.push(vec![share(&exact), seeds]);
    }
    let columns = vec!["exact rule".to_owned(), "learned, profit".to_owned()];
    let chart = HeatMap::new(("bets against over the own bet", rows), ("takes the bank", columns), values).percent();
    let note = "in brackets: situations; weak: players who set at random, or the highest or lowest front; learned: mean of seeds";
    Figure::new("When the bank is taken", chart).note(note)
}

/// Writes a model card next to the weights of each agent that sets hands.
pub(super) fn write_cards(lab: &BankingLab) -> anyhow::Result<()> {
    let experiment = &lab.experiment;
    for &seed in &experiment.seeds {
        for role in Role::BOTH {
            let name = format!("learned, seed {seed}");
            let mut scores = lab.settings.iter().filter(|score| score.role == role);
            let score = scores.find(|score| score.name == name).expect("all learned settings have scores");
            card(lab, role, seed, score).write(&lab.run, &setting_folder(role, seed))?;
        }
    }
    Ok(())
}

fn card<'a>(lab: &'a BankingLab, role: Role, seed: u64, score: &SettingScore) -> ModelCard<'a> {
    let experiment = &lab.experiment;
    let config = &experiment.setting;
    let opponents: Vec<&str> = match role {
        Role::Player => vec![&experiment.house_way],
        Role::Bank => experiment.fixed().map(String::as_str).collect(),
    };
    ModelCard {
        title: format!("setting as {}, seed {seed} of {}", role.name(), experiment.name),
        description: format!(
            "An agent that sets hands of Pai Gow Poker as the {} against {}. It was trained with the method `{}`. Its \
             feedback is *{}*: {}.",
            role.name(),
            opponents.join(", "),
            config.method.name(),
            config.method.feedback().name(),
            config.method.feedback().explanation()
        ),
        scope: format!(
            "The EV is exact, over all deals. The regret is a mean over {} hands, whose settings were enumerated against all hands \
             of the other side, with its 95% confidence interval.",
            grouped(experiment.situations.hands as u64)
        ),
        scores: scores(score),
        training: (config, seed),
        training_config: json!({ "setting": config }),
        task: TextTable::new(["", ""])
            .row(["observation encoding", &format!("`{}` of `{ID}`", Observation::Candidates.name())])
            .row(["hash of the game's rules", &format!("`{}`", experiment.game.hash())])
            .row(["hash of the table's rules", &format!("`{}`", experiment.rules.hash())])
            .row(["hash of the opponents", &hashes(lab, &opponents)]),
        task_config: json!({ "game": experiment.game, "rules": experiment.rules, "opponents": opponents }),
    }
}

/// Returns the hashes of strategies that were known before training.
fn hashes(lab: &BankingLab, names: &[&str]) -> String {
    let hash = |name: &&str| {
        let member = lab.members.iter().find(|member| member.name == *name);
        format!("`{}`", member.expect("all strategies of the configuration are in the population").id())
    };
    names.iter().map(hash).collect::<Vec<_>>().join(", ")
}

fn scores(score: &SettingScore) -> TextTable {
    let of = |value: f64| percent(value, 5);
    let [low, high] = score.regret_ci.map(of);
    let mut table = TextTable::new(["", ""]);
    if let Some(ev) = score.ev {
        table = table.row(["EV", &format!("{} of the stake", of(ev))]);
    }
    table
        .row(["regret", &format!("{} ({low} to {high}) of the stake", of(score.regret))])
        .row(["decided as well as by the optimum", &percent(score.agreement, 3)])
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
