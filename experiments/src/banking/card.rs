//! Writes the model cards of the learned settings.

use super::exam::{Role, SettingScore};
use super::lab::BankingLab;
use super::population::setting_folder;
use crate::study::ModelCard;
use houseway_env::pai_gow::ID;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::rules::RuleSet;
use houseway_exact::answer::TextTable;
use houseway_exact::format::{grouped, percent};
use serde_json::json;

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
