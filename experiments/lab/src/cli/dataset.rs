//! Implementation of `houseway dataset`.

use crate::console::{CommandResult, CommonOptions, Exact, Failure, ForceOptions};
use crate::dataset::DatasetRequest;
use crate::report::{terminal, wrapped};
use crate::run::{Output, STOPPING, check_outputs, stop_flag_with, with_control, write_atomic};
use clap::Args;
use houseway_env::registry;
use houseway_exact::answer::TextTable;
use houseway_exact::format::grouped;
use serde_json::json;
use std::path::PathBuf;

const MAX_EPISODES: u64 = 1_000_000;

/// Log decisions of a partly random policy as a data set, with the exact EVs of all actions
///
/// Writes STEM.parquet, which has one row per decision with its observation, action, propensity and reward, and the
/// card STEM.md, which explains all columns and has the exact EVs that off-policy estimates should come close to.
/// Decisions before the flop of Ultimate Texas Hold'em take about 0.5 s each.
///
/// JSON: {"game", "rules", "rules_hash", "environment_hash", "episodes", "decisions", "policies": [{"policy", "ev"}], "files"}, where the EVs are
/// exact means over the logged decisions.
#[derive(Args)]
pub struct DatasetArgs {
    /// The path to the files without their endings, such as data/logged
    #[arg(long, value_name = "STEM")]
    out: PathBuf,
    /// The number of episodes
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=MAX_EPISODES))]
    episodes: u64,
    /// The seed for the episodes and the policy
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The probability of drawing an action uniformly at random; the house's strategy chooses the other actions, if the
    /// game has one
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = parse_probability)]
    exploration: f64,
    /// The hands that the card's baselines are evaluated on; a sample is at most as large as the data set
    #[arg(long, value_enum, default_value = "whole")]
    exact: Exact,
    /// The observation encoding [default: the environment's first one]
    #[arg(long, value_name = "ENCODING")]
    observation: Option<String>,
    /// The banker's house way, in games with house ways
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

fn parse_probability(text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    parsed.ok_or_else(|| "expected a probability from 0 to 1".to_owned())
}

impl DatasetArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = registry::find(&self.common.game.game).map_err(Failure::usage)?;
        if let Some(encoding) = &self.observation
            && !game.encodings.contains(&encoding.as_str())
        {
            let known = if game.encodings.is_empty() { "none".to_owned() } else { game.encodings.join(", ") };
            let text = format!("--observation {encoding}: {} has the encodings {known}", game.name);
            return Err(Failure::usage(text));
        }
        let [data, card] = ["parquet", "md"].map(|end| self.out.with_added_extension(end));
        let outputs = [&data, &card].map(|file| Output::new("--out", file));
        let inputs: Vec<PathBuf> = self.common.game.rules.iter().cloned().collect();
        let _outputs = check_outputs(&outputs, &inputs, self.force.force).map_err(Failure::usage)?;
        let request = DatasetRequest {
            game,
            rules: self.common.game.solver_config([].into())?,
            banker: self.banker,
            encoding: self.observation,
            episodes: self.episodes,
            seed: self.seed,
            exploration: self.exploration,
        };
        let stop = stop_flag_with(STOPPING)?;
        let name = self.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (logged, text) = with_control(&stop, |control| -> CommandResult<_> {
            let logged = request.log(control).map_err(Failure::usage)?;
            let text = logged.card(&name, self.exact.into(), control)?;
            Ok((logged, text))
        })?;
        let (mut json, policies, decisions) = (logged.json(), logged.policies(), logged.decisions());
        logged.write(&data)?;
        write_atomic(&card, text)?;
        json["files"] = json!([&data, &card].map(|file| file.display().to_string()));
        let mut text = wrapped(&format!(
            "Logged {} decisions from {} episodes of {}.",
            grouped(decisions as u64),
            grouped(self.episodes),
            game.title
        ));
        if !policies.is_empty() {
            let table = TextTable::new(["policy", "exact EV for these decisions"]).right(1);
            let table =
                policies.iter().fold(table, |table, of| table.row([of.policy.clone(), format!("{:+.8}", of.ev)]));
            text += &format!("\n{}", terminal(&table));
        }
        text += &format!("\ndata: {}\ncard: {}\n", data.display(), card.display());
        self.common.output.print(&json, &text)
    }
}
