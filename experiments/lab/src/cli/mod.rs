//! The commands.
//!
//! A command is a struct of options with `fn run(self) -> CommandResult`. To add one, write it here and add a
//! variant to [`LabCommand`], its name to [`LabCommand::run`], and tests in `tests/`. Commands that train belong in the
//! `houseway` crate. Only the answer goes to standard output, and everything else goes to standard error (see
//! [`console`](crate::console)). Commands for a single game belong in [`analysis`](crate::analysis).

mod completion;
mod examples;
mod play;
mod references;
mod runs;
mod solve;

use crate::analysis::pai_gow::solve::register;
use crate::analysis::pai_gow::{
    AuditArgs, BankArgs, CheckArgs, ClaimArgs, CompareArgs, DiffArgs, EquilibriumArgs, IdentifyArgs, KnownCardsArgs,
    MonitorArgs, ParArgs, SearchArgs, SetArgs, TableArgs,
};
use crate::analysis::{LAYOUTS, WEB_SECTIONS, refuse_unused_rules};
use crate::console::{CommandResult, Failure, OutputOptions, ThreadOptions, check_environment, print, written};
use crate::dataset::DatasetArgs;
use crate::report::wrapped_lines;
use crate::run::{REFERENCES, RUNS, notice, report_size_limit, signal_status, stop_flag_with};
pub use crate::serve::set_book;
use crate::serve::{App, Results, serve};
use clap::{Args, Parser, Subcommand};
pub use completion::with_known_names;
use examples::with_examples;
use houseway_env::gym::GameEntry;
use houseway_env::registry::{find, games};
use houseway_env::rules::RuleReading;
use play::{DrillArgs, PlayArgs};
use references::ReferencesArgs;
use runs::{ReportArgs, StatsArgs, VerifyArgs};
use serde_json::{Value, json};
use solve::{EvArgs, SideBetArgs, SolveArgs, join_front};
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;

/// A command that trains nothing.
#[derive(Subcommand)]
pub enum LabCommand {
    Ev(Box<EvArgs>),
    Solve(Box<SolveArgs>),
    Games(GamesArgs),
    Play(Box<PlayArgs>),
    Drill(Box<DrillArgs>),
    Dataset(Box<DatasetArgs>),
    Report(ReportArgs),
    Serve(ServeArgs),
    Stats(StatsArgs),
    Verify(VerifyArgs),
    References(ReferencesArgs),
    SideBet(SideBetArgs),
    Set(SetArgs),
    Check(CheckArgs),
    Audit(AuditArgs),
    Diff(DiffArgs),
    Search(Box<SearchArgs>),
    Equilibrium(EquilibriumArgs),
    Compare(CompareArgs),
    Claim(ClaimArgs),
    KnownCards(KnownCardsArgs),
    Bank(Box<BankArgs>),
    Table(TableArgs),
    Par(ParArgs),
    Identify(IdentifyArgs),
    Monitor(MonitorArgs),
}

impl LabCommand {
    pub fn run(self) -> CommandResult {
        macro_rules! run {
            ($($command:ident)*) => { match self { $(LabCommand::$command(command) => command.run(),)* } };
        }
        run! {
            Ev Solve Games Play Drill Dataset Report Serve Stats Verify References SideBet Set Check
            Audit Diff Search Equilibrium Compare Claim KnownCards Bank Table Par Identify Monitor
        }
    }
}

/// Parses and runs a command line. Errors are printed to standard error, and the exit status indicates the kind of
/// error.
pub fn run_line<Line: Parser>(
    arguments: impl IntoIterator<Item = OsString>,
    run: impl FnOnce(Line) -> CommandResult,
) -> ExitCode {
    register();
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    join_front(&mut arguments);
    // This also applies to errors in the options themselves.
    let mut options = arguments.iter().map(|argument| argument.to_string_lossy()).take_while(|option| option != "--");
    // With --stdin, the answers are lines of JSON.
    let json = options.any(|option| matches!(option.split('=').next(), Some("--json" | "--stdin")));
    let mut command = with_examples(Line::command());
    let matches = command.try_get_matches_from_mut(&arguments);
    let line = matches.and_then(|mut matches| {
        let unused = refuse_unused_rules(&matches);
        let line = Line::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
        Ok((line, unused))
    });
    match line {
        Ok((line, unused)) => {
            let done = check_environment().and(unused).and_then(|()| Ok(report_size_limit()?)).and_then(|()| run(line));
            let status = done.map_or_else(|failure| failure.report(json), |()| ExitCode::SUCCESS);
            signal_status().map_or(status, ExitCode::from)
        }
        Err(error) => options_error(&error, json),
    }
}

/// Reports an error in the options. Help and version texts are answers, and anything else is a usage error.
fn options_error(error: &clap::Error, json: bool) -> ExitCode {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().flush());
        return written(printed).map_or_else(|failure| failure.report(json), |()| ExitCode::SUCCESS);
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    if !json {
        return Failure::usage(text).report(false);
    }
    // Keep the entire message but drop the usage text that follows it.
    let ends = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more information");
    let lines = text.lines().map(str::trim).take_while(|line| !ends(line)).filter(|line| !line.is_empty());
    let joined = lines.map(|line| format!("{line}{}", if line.ends_with(':') { " " } else { "; " }));
    Failure::usage(joined.collect::<String>().trim_end_matches("; ")).report(true)
}

/// List the games, their environments and their rules
#[derive(Args)]
pub struct GamesArgs {
    /// The only game to list, which also explains its rules
    #[arg(short, long, value_name = "NAME")]
    game: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
}

impl GamesArgs {
    pub fn run(self) -> CommandResult {
        let listed = match &self.game {
            Some(name) => vec![find(name).map_err(Failure::usage)?],
            None => games(),
        };
        let texts: Vec<String> = listed.iter().map(|game| text_of(game, self.game.is_some())).collect();
        let json = listed.into_iter().map(json_of).collect();
        self.output.print(&json, &wrapped_lines(&texts.join("\n")))
    }
}

fn json_of(game: &GameEntry) -> Value {
    let choices = |choices: &[RuleReading]| -> Value {
        choices
            .iter()
            .map(|RuleReading { name, options, .. }| json!({ "name": name, "options": options, "default": options[0] }))
            .collect()
    };
    let mut entry = json!({
        "name": game.name,
        "id": game.id,
        "title": game.title,
        "source": game.source,
        "parameters": game.parameters(),
        "readings": choices(game.rules.readings),
        "variants": choices(game.rules.variants),
    });
    for (kind, _) in games().into_iter().flat_map(|game| game.data) {
        entry[kind.replace(' ', "_")] = names(game, kind).into();
    }
    entry
}

fn names(game: &GameEntry, kind: &str) -> Vec<&'static str> {
    let files = game.data.iter().filter(|(other, _)| *other == kind).flat_map(|(_, files)| files.iter());
    files.map(|(name, _)| *name).collect()
}

/// Describes a game. If its rules are `explained`, each is followed by the beginning of its documentation.
fn text_of(game: &GameEntry, explained: bool) -> String {
    let rules = [game.rules.parameters, game.rules.readings, game.rules.variants].concat();
    let explanation = |name: &str| {
        let doc = rules.iter().find(|rule| explained && rule.name == name).map_or("", |rule| rule.doc);
        let paragraph: Vec<&str> = doc.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        if paragraph.is_empty() { String::new() } else { format!("    {}\n", paragraph.join(" ").replace('`', "")) }
    };
    let mut text = format!("{} ({})\n  {}\n  source: {}\n", game.name, game.id, game.title, game.source);
    for (name, default) in game.parameters() {
        text += &format!("  --set {name}={}, {default} by default\n", name.to_uppercase());
        text += &explanation(&name);
    }
    for RuleReading { name, options, .. } in game.choices() {
        text += &format!("  --set {name}={}, the first by default\n", options.join("|"));
        text += &explanation(name);
    }
    for (kind, _) in game.data {
        text += &format!("  {kind}: {}\n", names(game, kind).join(", "));
    }
    text
}

/// Serve a web app on this computer to analyze hands, read and edit house ways, play, and show results
///
/// Prints the address to open in a browser and runs until Ctrl-C. Nothing is loaded from other sites. The JSON API
/// matches the commands, so /api/ev?hand=HAND is 'houseway ev HAND --json'.
#[derive(Args)]
#[command(mut_arg("json", |json| json.help("Write the address as a line of JSON")))]
pub struct ServeArgs {
    /// The port, or 0 for any free port
    #[arg(long, default_value_t = 7777)]
    port: u16,
    /// The address to listen on; if it isn't local to this computer, others can use the app too
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Another host name for this server, for example behind a proxy; every site that can make this name point to the
    /// server can use it and read its results
    #[arg(long, value_name = "NAME", value_parser = parse_host)]
    allow_host: Vec<String>,
    /// The folder of reports and plots to show [default: runs and results]
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

fn parse_host(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| "expected a name without http:// and port, such as lab.example.org".to_owned())
}

impl ServeArgs {
    pub fn run(self) -> CommandResult {
        self.threads.start()?;
        if let Some(folder) = self.results.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!("--results {}: there is no such folder", folder.display())));
        }
        let folders = match self.results {
            Some(folder) => vec![(String::new(), folder)],
            // These may not exist yet.
            None => vec![(format!("{RUNS}/"), RUNS.into()), (String::new(), REFERENCES.into())],
        };
        let results = Results::list(folders);
        let listener = TcpListener::bind(SocketAddr::new(self.address, self.port)).map_err(|error| {
            let (address, port) = (self.address, self.port);
            Failure::usage(format!(
                "cannot listen at --address {address} --port {port}: {error}; try another port, or --port 0 for any \
                 free port"
            ))
        })?;
        let address = listener.local_addr()?;
        let stop = stop_flag_with("stopping the server (press again to stop immediately)")?;
        if !address.ip().is_loopback() {
            notice(&format!(
                "warning: anyone who can reach {address} over the network can use this server and read the results in {}; \
                 there is no password and no encryption",
                results.title()
            ));
        }
        match self.output.json {
            true => print(&format!("{}\n", json!({ "address": format!("http://{address}") })))?,
            false => print(&format!("http://{address}\n"))?,
        }
        notice(&format!("{} reports and plots in {}; stop with Ctrl-C", results.count(), results.title()));
        Ok(serve(listener, App::new(WEB_SECTIONS, LAYOUTS, results, self.allow_host), &stop)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, CommandFactory};
    use std::collections::HashSet;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        _command: LabCommand,
    }

    #[test]
    fn the_options_are_consistent() {
        Line::command().debug_assert();
        // clap only checks this in debug builds, and otherwise takes the first option of a name.
        for command in Line::command().get_subcommands() {
            let mut seen = HashSet::new();
            for name in command.get_arguments().filter_map(Arg::get_long) {
                assert!(seen.insert(name), "{} has two options --{name}", command.get_name());
            }
        }
    }
}
