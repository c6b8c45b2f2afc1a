//! House ways against each other: every player's way by every banker's way, the best play against each banker, and the best
//! banker against each player.
//!
//! - [`Contest`]: the ways and the rules.
//! - [`examine`]: counts what is missing, a pass for each banker and one for each player, and writes it into a run's folder.
//!   Finished passes are kept there in `counts/` and used again by whoever asks the same question of the same program.
//! - [`Standings`]: what came of it, with its JSON, text and report.

mod passes;
mod report;
mod standings;
mod text;

pub use standings::{Standing, Standings};

use crate::plot::save_figure;
use crate::run::{Provenance, RESULTS, RunFolder, config_text, make_folder};
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use passes::Passes;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// House ways to be compared.
pub struct Contest {
    game: Game,
    ways: Vec<HouseWay>,
    /// What tables call the ways: their names, told apart where two are the same.
    names: Vec<String>,
}

/// The same as `config.toml` says it.
#[derive(Serialize)]
struct Config {
    rules: Rules,
    way: Vec<WayConfig>,
}

#[derive(Serialize)]
struct WayConfig {
    name: String,
    hash: String,
    readings: BTreeMap<String, String>,
}

impl Contest {
    /// Compiles the ways.
    ///
    /// # Errors
    /// If one of them leaves hands unset or has rules that do nothing.
    pub fn new(rules: Rules, ways: Vec<Way>) -> Result<Contest, WayError> {
        let game = Game::new(rules);
        let ways: Vec<HouseWay> =
            ways.into_iter().map(|way| HouseWay::compile(way, &game)).collect::<Result<_, WayError>>()?;
        let mut names: Vec<String> = Vec::new();
        for way in &ways {
            let name = way.way().name();
            let same = ways.iter().take(names.len()).filter(|other| other.way().name() == name).count();
            names.push(if same == 0 { name.to_owned() } else { format!("{name} ({})", same + 1) });
        }
        Ok(Contest { game, ways, names })
    }

    fn config(&self) -> Config {
        let way = |(way, name): (&HouseWay, &String)| WayConfig {
            name: name.clone(),
            hash: way.hash(),
            readings: way.way().chosen_options(),
        };
        Config { rules: self.game.rules(), way: self.ways.iter().zip(&self.names).map(way).collect() }
    }
}

/// Counts what is missing and writes it into a run's folder. Gives nothing if it was stopped; what was finished by then is
/// used the next time.
///
/// # Errors
/// If the folder cannot be used.
pub fn examine(contest: &Contest, folder: &Path, stop: &AtomicBool) -> anyhow::Result<Option<Standings>> {
    let config = config_text(&contest.config())?;
    let provenance = Provenance::new(&config, Vec::new(), contest.game.rules().hash());
    let (run, _) = RunFolder::start(folder, provenance, &config)?;
    make_folder(&run.file(passes::FOLDER))?;
    let Some(standings) = Passes::new(contest, &run, stop).standings()? else { return Ok(None) };
    run.write_json(RESULTS, &standings.json())?;
    standings.save_table(&run)?;
    save_figure(&run, "edges", &standings.figure())?;
    standings.report().save(&run)?;
    run.finish()?;
    Ok(Some(standings))
}
