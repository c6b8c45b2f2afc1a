//! Tests for `houseway serve` over real connections. They cover its responses, host and origin checks, limits, hostile
//! requests and shutdown.

mod api;
mod limits;
mod own_way;
mod results;
mod tables;

use super::common::{HAND, json, program};
use super::web::Server;
use serde_json::Value;
use std::process::Command;

/// Runs a command and returns the JSON document that it prints.
fn command(arguments: &[&str]) -> Value {
    json(&[arguments, &["--json"]].concat())
}

#[test]
fn the_server_ends_cleanly_and_names_a_port_in_use() {
    let server = Server::start(&[]);
    let port = server.host().rsplit(':').next().unwrap().to_owned();
    let second = Command::new(program()).args(["serve", "--port", &port]).output().unwrap();
    let errors = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(errors.contains(&format!("--port {port}")) && errors.contains("--port 0"), "{errors}");
    let errors = server.end();
    assert!(errors.contains("stopping the server") && !errors.contains("warning"), "{errors}");
    let open = Server::start(&["--address", "0.0.0.0"]);
    assert_eq!(open.get("/").status, 200);
    let errors = open.end();
    assert!(errors.contains("warning: anyone who can reach 0.0.0.0:"), "{errors}");
}
