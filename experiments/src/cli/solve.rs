//! `houseway solve`: the exact values of a whole game.

use super::solver_options::{SolveCommand, SolverOptions};
use crate::analysis::SOLVE_EXTENSIONS;
use crate::analysis::extension::{ExtendedAnswer, ExtensionRequest, SolveExtension};
use crate::console::{CommandResult, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json};
use crate::report::answer_text;
use crate::run::{STOPPING, cannot_write_by, prepare_file, stop_flag_with, with_control, write_atomic};
use clap::Args;
use houseway_exact::registry::find;
use houseway_exact::solver::SolverConfig;
use std::fs;
use std::path::{Path, PathBuf};

/// Solve a whole game exactly
#[derive(Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    options: SolverOptions<SolveCommand>,
    /// Write the result as JSON into a file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl SolveArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        self.options.for_game(&self.game.game)?;
        let entry = find(&self.game.game).or_usage()?;
        let config = self.game.solver_config(self.options.single_values())?;
        let extension = SOLVE_EXTENSIONS.iter().find(|extension| extension.game == entry.game);
        for file in self.out.iter().cloned().chain(outputs(extension, &config)) {
            prepare_file(&file).or_usage()?;
        }
        let extended = match extension {
            Some(extension) => {
                let values = self.options.for_game(&self.game.game)?;
                (extension.solve)(&ExtensionRequest { config: &config, values })?
            }
            None => {
                let (solver, stop) = (entry.solver(&config)?, stop_flag_with(STOPPING)?);
                ExtendedAnswer {
                    answer: with_control(&stop, |control| solver.solve(control))?,
                    remark: None,
                    spent: None,
                }
            }
        };
        self.answer(extended)
    }

    /// Writes and prints the answer, and removes the file that it makes superfluous.
    fn answer(&self, ExtendedAnswer { answer, remark, spent }: ExtendedAnswer) -> CommandResult {
        if let Some(out) = &self.out {
            write_atomic(out, format!("{:#}\n", answer.json))?;
        }
        if self.output.json {
            let mut document = answer.json;
            if let Some(remark) = remark {
                document[remark.key] = remark.json;
            }
            print_json(&document)?;
        } else {
            let remark = remark.map_or(String::new(), |remark| format!("\n{}\n", remark.text));
            print(&format!("{}{remark}", answer_text(&answer)))?;
        }
        match spent {
            Some((option, path)) => {
                fs::remove_file(&path).map_err(|error| cannot_write_by(option, &path, error).into())
            }
            None => Ok(()),
        }
    }
}

/// The files that an extension will write.
fn outputs(extension: Option<&SolveExtension>, config: &SolverConfig) -> Vec<PathBuf> {
    let options = extension.iter().flat_map(|extension| extension.options).filter(|option| option.is_output);
    options.filter_map(|option| config.get(option.spec.name)).map(|file| Path::new(file).to_owned()).collect()
}
