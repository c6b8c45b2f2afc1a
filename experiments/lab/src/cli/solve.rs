//! Implementation of `houseway solve`.

use super::solver_options::{SolveCommand, SolverOptions};
use crate::analysis::SOLVE_EXTENSIONS;
use crate::analysis::extension::{ExtendedAnswer, ExtensionRequest, SolveExtension};
use crate::console::{CommandResult, CommonOptions, ForceOptions, OrUsage, print, print_json};
use crate::report::answer_text;
use crate::run::{Output, STOPPING, cannot_write_by, check_outputs, stop_flag_with, with_control, write_atomic};
use clap::Args;
use houseway_exact::registry::find;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Solve an entire game exactly
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    options: SolverOptions<SolveCommand>,
    /// Also write the result to a file as JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl SolveArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        self.options.for_game(&self.common.game.game)?;
        let entry = find(&self.common.game.game).or_usage()?;
        let config = self.common.game.solver_config(self.options.single_values())?;
        let extension = SOLVE_EXTENSIONS.iter().find(|extension| extension.game == entry.game);
        let values = self.options.for_game(&self.common.game.game)?;
        let (outputs, inputs) = self.files(extension, values);
        let _outputs = check_outputs(&outputs, &inputs, self.force.force).or_usage()?;
        let extended = match extension {
            Some(extension) => (extension.solve)(&ExtensionRequest { config: &config, values })?,
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

    /// Returns the files that the command writes and the files that it may read. The latter are the values of all other
    /// options.
    fn files(
        &self,
        extension: Option<&SolveExtension>,
        values: &BTreeMap<&'static str, Vec<String>>,
    ) -> (Vec<Output>, Vec<PathBuf>) {
        let mut outputs: Vec<Output> = self.out.iter().map(|file| Output::new("--out", file)).collect();
        let mut inputs: Vec<PathBuf> = self.common.game.rules.iter().cloned().collect();
        let options = extension.map_or(&[][..], |extension| extension.options);
        for (name, values) in values {
            let option = options.iter().find(|option| option.spec.name == *name);
            match option {
                Some(option) if option.is_output => {
                    outputs.extend(values.iter().map(|file| Output::new(format!("--{name}"), file)));
                    let beside = values.iter().filter_map(|file| Some(Path::new(file).with_extension(option.beside?)));
                    outputs.extend(beside.map(|file| Output::new(format!("--{name}"), file)));
                }
                Some(option) if option.is_continued => {
                    outputs.extend(values.iter().map(|file| Output::continued(format!("--{name}"), file)));
                }
                _ => inputs.extend(values.iter().map(PathBuf::from)),
            }
        }
        (outputs, inputs)
    }

    /// Writes and prints the answer, then removes the file that is no longer needed.
    fn answer(&self, ExtendedAnswer { answer, remark, spent }: ExtendedAnswer) -> CommandResult {
        if let Some(out) = &self.out {
            write_atomic(out, format!("{:#}\n", answer.json))?;
        }
        if self.common.output.json {
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
