//! Implementation of `houseway serve`, the web app.

use crate::analysis::{LAYOUTS, WEB_SECTIONS};
use crate::console::{CommandResult, Failure, OutputOptions, ThreadOptions, print};
use crate::run::{notice, stop_flag_with};
use crate::serve::{App, Results, Server};
use clap::Args;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// The folder of results that is served by default.
const RESULTS_FOLDER: &str = "results";

/// Serve a web app on this computer to analyze hands, read and edit house ways, play, and show results
///
/// Prints the address to open in a browser and runs until Ctrl-C. Nothing is loaded from other sites. The JSON API
/// matches the commands, so /api/ev?hand=HAND is 'houseway ev HAND --json'.
#[derive(Args)]
pub struct ServeArgs {
    /// The port, or 0 for any free port
    #[arg(long, default_value_t = 7777)]
    port: u16,
    /// The address to listen on; if it isn't local to this computer, others can use the app too
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// The folder of reports and plots to show
    #[arg(long, value_name = "FOLDER", default_value = RESULTS_FOLDER)]
    results: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl ServeArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        // The default folder may not exist yet.
        if self.results != Path::new(RESULTS_FOLDER) && !self.results.is_dir() {
            return Err(Failure::usage(format!("--results {}: there is no such folder", self.results.display())));
        }
        let server = Server::bind(SocketAddr::new(self.address, self.port)).map_err(|error| {
            let (address, port) = (self.address, self.port);
            Failure::usage(format!(
                "cannot listen at --address {address} --port {port}: {error}; try another port, or --port 0 for any \
                 free port"
            ))
        })?;
        let address = server.address();
        let stop = stop_flag_with("stopping the server (press again to stop immediately)")?;
        if !address.ip().is_loopback() {
            notice(&format!(
                "warning: anyone who can reach {address} over the network can use this server and read the results in {}; \
                 there is no password and no encryption",
                self.results.display()
            ));
        }
        let results = Results::list(&self.results);
        match self.output.json {
            true => print(&format!("{}\n", json!({ "address": format!("http://{address}") })))?,
            false => print(&format!("http://{address}\n"))?,
        }
        notice(&format!("{} reports and plots in {}; stop with Ctrl-C", results.len(), self.results.display()));
        Ok(server.run(App::new(WEB_SECTIONS, LAYOUTS, results), &stop)?)
    }
}
