//! The results of a banking experiment with their tables and figures, and the model cards of learned settings.

use super::exams::{Examination, Role};
use super::lab::{BankingLab, RAW, setting_folder};
use super::sessions::{Estimate, Sessions};
use super::{LEARNED, RANDOM};
use crate::study::{ModelCard, score_table, seeds_text};
use houseway_env::pai_gow::ID;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::rules::RuleSet;
use houseway_exact::answer::{Answer, Section, TextTable};
use houseway_exact::format::grouped;
use houseway_exact::solver::{PolicyScore, StakeUnit};
use houseway_lab::analysis::pai_gow::table_run::PLAIN_WAYS;
use houseway_lab::plot::{Axis, Bar, BarChart, Figure, HeatMap, LineChart, Series};
use houseway_lab::report::and_list;
use houseway_lab::run::agent_name;
use serde_json::{Value, json};

/// The ranges for the ratio between the bets against the bank and the player's own bet, as upper bounds with names.
const RATIOS: [(f64, &str); 5] =
    [(2.0, "below 2"), (5.0, "2 to 5"), (10.0, "5 to 10"), (20.0, "10 to 20"), (f64::INFINITY, "20 and more")];

/// The only kinds of bankers that are drawn with a band. Bands for all of them would overlap.
const FANS: [&str; 2] = ["exact rule", "learned, growth"];

const STAKE: StakeUnit = StakeUnit { name: "stake", percent: true };

pub struct BankingResults<'a> {
    pub lab: &'a BankingLab<'a>,
    pub examination: &'a Examination,
    pub answers: Vec<Vec<bool>>,
    pub agents: Vec<PolicyScore>,
    /// The number of situations with one opponent.
    pub growth_situations: usize,
    /// The growth that the answers in these situations achieve.
    pub growth: Vec<PolicyScore>,
    pub sessions: Vec<Sessions>,
}

impl BankingResults<'_> {
    fn situations(&self) -> usize {
        self.examination.situations.len()
    }

    fn take_share(&self) -> f64 {
        self.examination.drawn_take as f64 / self.examination.drawn as f64
    }

    fn json(&self) -> Value {
        let growth = |score: &PolicyScore| {
            json!({
                "name": score.name,
                "growth": score.ev,
                "regret": score.regret,
                "regret_ci": score.regret_ci,
                "agreement": score.agreement,
            })
        };
        let setting = |(role, score): &(Role, PolicyScore)| {
            let mut json = json!(score);
            json["role"] = json!(role);
            json
        };
        json!({
            "scope": "sample",
            "situations": self.situations(),
            "take_share": self.take_share(),
            "agents": self.agents,
            "growth_situations": self.growth_situations,
            "growth": self.growth.iter().map(growth).collect::<Value>(),
            "settings": self.lab.settings.iter().map(setting).collect::<Value>(),
            "sessions": self.sessions,
        })
    }

    /// Returns the results. In the terminal, they are the tables.
    pub fn answer(&self) -> Answer {
        let config = self.lab.experiment;
        let special = [
            (RANDOM, "chooses a legal setting uniformly at random"),
            (LEARNED, "uses the settings learned with the first seed"),
        ];
        let special = special.into_iter().filter(|(name, _)| config.others.iter().any(|other| other == name));
        let special: String = special.map(|(name, meaning)| format!(" The player *{name}* {meaning}.")).collect();
        let introduction = format!(
            "A player of Pai Gow Poker who is offered the bank decides whether to take it, with which stake, and how to set \
             the hand. The house sets its hands by {}. The strategies of the other players are {}, and the player knows \
             which of them each player uses.{special} Unless stated otherwise, the player sets hands by {} and, as the \
             banker, by {}. A learned banker is a small network. It is trained on the rewards of all answers in random \
             situations that the table deals and settles. Learned settings come from another network, which is trained on \
             the rewards of all settings. Neither network saw an exact value.",
            config.house_way,
            and_list(&config.others),
            config.way,
            config.banker_way,
        );
        let mut sections = vec![Section::default().text(introduction).detail()];
        sections.extend(self.against_the_exact_rule());
        sections.extend([
            Section::new("Growth against one opponent"),
            Section::default().detail().text(format!(
                "The expected log growth of the chips in one round, in millionths, on {} seeded situations with one \
                 opponent. It is exact for each situation. *Best answer* is the best of passing and the six stakes. *Exact \
                 Kelly* stakes the Kelly fraction of the chips, or passes if that is below the minimum. The player's own \
                 bet is given.",
                grouped(self.growth_situations as u64)
            )),
            Section::default().table(self.growth_table()),
            Section::new("Settings"),
            Section::default().detail().text(format!(
                "Hands are set as the player against the house, and as the bank against the other players whose strategy \
                 was known before training. *EV* is per chip and exact over all deals. For the bank, it is the mean over \
                 these strategies. *Regret* is the EV of the best setting minus that of the chosen one, averaged over {} \
                 seeded hands. For each of them, every setting was enumerated against all hands of the other side, and ± \
                 is half the width of a 95% confidence interval. The bank's best setting is the best response to all these \
                 strategies together, with equal bets.",
                grouped(config.situations.hands as u64)
            )),
            Section::default().table(self.settings_table()).figure(self.setting_figure()),
        ]);
        for played in &self.sessions {
            sections.extend([Section::new(format!("Sessions: {}", played.name))]);
            sections.push(Section::default().detail().text(self.about_sessions(played)));
            let table = Section::default().table(sessions_table(played));
            sections.push(self.session_figures(played).into_iter().fold(table, Section::figure));
        }
        Answer::new(self.json(), sections).titled(format!("Experiment {}", config.name))
    }

    fn against_the_exact_rule(&self) -> Vec<Section> {
        let about = format!(
            "The answers in {} seeded situations. In one half of them, the bank has a higher \
             EV than the player's own bet, and in the other half a lower one. Situations that are closer to indifference \
             than {}% of the stake are left out. Of all situations drawn, including those left out, the bank had the higher \
             EV in {:.1}%. EV and regret are per chip of all bets, and exact for each situation. The *exact rule* takes the \
             bank if the exact EV of covering all bets is above that of the player's own bet against the house.",
            grouped(self.situations() as u64),
            100.0 * self.lab.experiment.situations.margin,
            100.0 * self.take_share()
        );
        let features = "The features that the learned bankers are given are the player's own bet and the bets of each \
                        strategy, as fractions of all bets. The profit of passing and of covering all bets is linear in these \
                        features, and the network has a linear term, so the task is easier than it would be with the bets \
                        themselves.";
        let better = "The exact rule either covers all bets or passes, and there are better answers. A bank that stakes a \
                      fraction of the bets loses no more than its stake, while the chips that it collects cover further bets. \
                      All bets are also correlated, because they are settled against the same hand. Against several players, \
                      a small stake therefore has a higher EV than a full one, as the bankers below who choose their stake \
                      show.";
        let ablation = ablation(&self.agents).into_iter().fold(Section::default().detail(), Section::text);
        vec![
            Section::new("Against the exact rule"),
            Section::default().detail().text(about).text(features),
            Section::default().table(self.answers_table()),
            ablation.figure(self.taken_figure()).text(better),
        ]
    }

    fn answers_table(&self) -> TextTable {
        let mut table = TextTable::new(["agent", "EV", "regret", "agrees"]).right_from(1);
        for agent in &self.agents {
            table = table.row([
                agent.name.clone(),
                format!("{:+.3}%", 100.0 * agent.ev),
                format!("{:.4}%", 100.0 * agent.regret),
                format!("{:.2}%", 100.0 * agent.agreement),
            ]);
        }
        table
    }

    fn growth_table(&self) -> TextTable {
        let mut table = TextTable::new(["agent", "growth", "regret", "agrees"]).right_from(1);
        for agent in &self.growth {
            table = table.row([
                agent.name.clone(),
                format!("{:+.1}", 1e6 * agent.ev),
                format!("{:.1} ± {:.1}", 1e6 * agent.regret, 1e6 * half(agent)),
                format!("{:.1}%", 100.0 * agent.agreement),
            ]);
        }
        table
    }

    fn settings_table(&self) -> TextTable {
        let mut table = TextTable::new(["as", "sets by", "EV", "regret", "agrees"]).right_from(2);
        for (role, score) in &self.lab.settings {
            table = table.row([
                role.name().to_owned(),
                score.name.clone(),
                if score.ev.is_nan() { String::new() } else { format!("{:+.3}%", 100.0 * score.ev) },
                format!("{:.4}% ± {:.4}%", 100.0 * score.regret, 100.0 * half(score)),
                format!("{:.1}%", 100.0 * score.agreement),
            ]);
        }
        table
    }

    fn about_sessions(&self, played: &Sessions) -> String {
        let (config, session) = (self.lab.experiment, &played.config);
        format!(
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
        )
    }

    /// Draws the profit of each banker, the bankrolls by round and, if there are any, the ruined sessions by round.
    fn session_figures(&self, sessions: &Sessions) -> Vec<Figure> {
        let name = &sessions.name;
        let rounds = || Axis::new("round").from_zero();
        let has_ruins = sessions.scores.iter().any(|score| score.ruined > 0.0);
        // If a player is ruined, use a logarithmic scale that starts at the minimum bet.
        let (chips, least) = match has_ruins {
            true => (Axis::new("chips").log(), self.lab.table.rules.bet_minimum as f64),
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
        let seeds = seeds_text(self.lab.experiment.seeds.len());
        let each = sessions.config.sessions;
        let note = format!(
            "{seeds} of {each} sessions each; line: median; bands, of the exact rule and growth: 5th to 95th percentile"
        );
        let fan = Figure::new(format!("Bankrolls, {name}"), fan).note(note);
        let fan = fan.named(format!("bankrolls-{name}"), format!("bankrolls by round, {name}"));
        let note = format!("{seeds} of {each} sessions each; ruined: less than the lowest bet is left");
        let ruin = Figure::new(format!("Ruin, {name}"), ruin).note(note);
        let ruin = ruin.named(format!("ruin-{name}"), format!("fraction of ruined sessions by round, {name}"));
        let names = sessions.scores.iter().map(|score| score.name.clone()).collect();
        let value = |estimate: &Estimate| Bar::between(estimate.mean, estimate.ci[0], estimate.ci[1]);
        let profit = BarChart::new(Axis::new("chips won in 100 rounds"), names)
            .with("adjusted for luck", sessions.scores.iter().map(|score| value(&score.profit)).collect())
            .with("as played", sessions.scores.iter().map(|score| value(&score.played)).collect())
            .places(0);
        let note = format!("mean of {seeds} with 95% confidence intervals");
        let profit = Figure::new(format!("Profit, {name}"), profit).note(note);
        let profit = profit.named(format!("profit-{name}"), format!("profit in 100 rounds, {name}"));
        let mut figures = vec![profit, fan];
        figures.extend(has_ruins.then_some(ruin));
        figures
    }

    fn setting_figure(&self) -> Figure {
        let regrets = |role: Role, learned: bool| -> Vec<Bar> {
            let of_role = self.lab.settings.iter().filter(|(of, score)| *of == role && score.name != "optimum");
            let scores = of_role.filter(|(_, score)| score.name.starts_with(LEARNED) == learned);
            scores.map(|(_, score)| Bar::between(score.regret, ci(score)[0], ci(score)[1])).collect()
        };
        let mut series: Vec<(String, Vec<Bar>)> =
            vec![("house way".to_owned(), Role::ALL.iter().flat_map(|&role| regrets(role, false)).collect())];
        for (i, seed) in self.lab.experiment.seeds.iter().enumerate() {
            let values = Role::ALL.iter().map(|&role| regrets(role, true)[i]);
            series.push((agent_name(LEARNED, *seed), values.collect()));
        }
        let names = Role::ALL.iter().map(|role| format!("as {}", role.name())).collect();
        let chart = BarChart::new(Axis::new("EV lost per chip").percent(), names).places(4);
        let chart = series.into_iter().fold(chart, |chart, (name, values)| chart.with(name, values));
        let note = format!(
            "{} seeded hands, every setting enumerated; 95% confidence intervals",
            self.lab.experiment.situations.hands
        );
        let figure = Figure::new("Regret of settings", chart).note(note);
        figure.named("setting", "regret against the best setting of each hand, as player and as bank")
    }

    /// Draws how often the bank is taken. There is a row for each ratio of the bets against the bank to the player's own
    /// bet, with and without a weak player. The columns are the exact rule and the learned bankers.
    fn taken_figure(&self) -> Figure {
        let (exact, learned) = (self.examination.exact(), &self.answers);
        // Random settings and the plain ways lose considerably more than a house way.
        let weak = |way: usize| {
            let name = self.lab.members[way].name.as_str();
            name == RANDOM || PLAIN_WAYS.contains(&name)
        };
        let group = |i: usize| {
            let situation = &self.examination.situations[i];
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
        let chart =
            HeatMap::new(("bets against over the own bet", rows), ("takes the bank", columns), values).percent();
        let note = "in brackets: situations; weak: players who set at random, or the highest or lowest front; learned: mean of seeds";
        let alt = "fraction of situations in which the bank is taken, by the bets against it over the own bet";
        Figure::new("When the bank is taken", chart).note(note).named("bank-taken", alt)
    }
}

fn ci(score: &PolicyScore) -> [f64; 2] {
    score.regret_ci.expect("situations and hands are samples")
}

fn half(score: &PolicyScore) -> f64 {
    (ci(score)[1] - ci(score)[0]) / 2.0
}

fn sessions_table(sessions: &Sessions) -> TextTable {
    let kelly = sessions.scores.iter().any(|score| score.over_kelly.is_some());
    let mut header = vec!["banker", "played", "profit", "over exact", "growth"];
    header.extend(kelly.then_some("over Kelly"));
    header.extend(["ruined", "banked"]);
    let mut table = TextTable::new(header).right_from(1);
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
        table = table.row(row);
    }
    table
}

/// Compares the bankers with raw features with the learned bankers, or returns `None` if there are none.
fn ablation(agents: &[PolicyScore]) -> Option<String> {
    let of_kind = |kind: &str| -> Vec<&PolicyScore> {
        agents.iter().filter(|agent| agent.name.strip_prefix(kind).is_some_and(|rest| rest.starts_with(','))).collect()
    };
    let (raw, learned) = (of_kind(RAW), of_kind(LEARNED));
    if raw.is_empty() || learned.is_empty() {
        return None;
    }
    let mean = |scores: &[&PolicyScore], of: fn(&PolicyScore) -> f64| {
        100.0 * scores.iter().map(|score| of(score)).sum::<f64>() / scores.len() as f64
    };
    let [regrets, agreements]: [fn(&PolicyScore) -> f64; 2] = [|score| score.regret, |score| score.agreement];
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

pub fn write_cards(lab: &BankingLab<'_>) -> anyhow::Result<()> {
    for &seed in &lab.experiment.seeds {
        for role in Role::ALL {
            let name = agent_name(LEARNED, seed);
            let mut scores = lab.settings.iter().filter(|(of, _)| *of == role);
            let (_, score) = scores.find(|(_, score)| score.name == name).expect("all learned settings have scores");
            card(lab, role, seed, score).write(lab.run, &setting_folder(role, seed))?;
        }
    }
    Ok(())
}

fn card<'a>(lab: &'a BankingLab<'_>, role: Role, seed: u64, score: &PolicyScore) -> ModelCard<'a> {
    let experiment = lab.experiment;
    let config = &experiment.setting;
    let opponents: Vec<&str> = match role {
        Role::Player => vec![&experiment.house_way],
        Role::Bank => experiment.fixed().map(String::as_str).collect(),
    };
    ModelCard {
        title: format!("setting as {}, seed {seed} of {}", role.name(), experiment.name),
        description: format!(
            "An agent that sets hands of Pai Gow Poker as the {} against {}.",
            role.name(),
            opponents.join(", ")
        ),
        scope: format!(
            "The EV is exact, over all deals. The regret is a mean over {} hands, whose settings were enumerated against all hands \
             of the other side, with its 95% confidence interval.",
            grouped(experiment.situations.hands as u64)
        ),
        scores: score_table(score, STAKE, &Value::Null),
        config,
        seed,
        training_config: json!({ "setting": config }),
        task: TextTable::new(["", ""])
            .row(["observation encoding", &format!("`{}` of `{ID}`", Observation::Candidates.name())])
            .row(["hash of the game's rules", &format!("`{}`", experiment.game.hash())])
            .row(["hash of the table's rules", &format!("`{}`", experiment.rules.hash())])
            .row(["hash of the opponents", &hashes(lab, &opponents)]),
        task_config: json!({ "game": experiment.game, "rules": experiment.rules, "opponents": opponents }),
    }
}

fn hashes(lab: &BankingLab<'_>, names: &[&str]) -> String {
    let hash = |name: &&str| {
        let member = lab.members.iter().find(|member| member.name == *name);
        format!("`{}`", member.expect("all strategies of the configuration are in the population").id())
    };
    names.iter().map(hash).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ablation_is_described_by_its_means() {
        let score = |name: &str, regret, agreement| PolicyScore {
            name: name.to_owned(),
            ev: 0.0,
            regret,
            regret_ci: None,
            agreement,
            details: serde_json::Map::new(),
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
