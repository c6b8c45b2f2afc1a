//! A server for tests, and an HTTP/1.1 client that sends exactly the bytes it is given.

use super::common::{program, root};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Encodes a text for use as a query value.
pub(crate) fn encoded(text: &str) -> String {
    text.replace(' ', "+")
}

/// A running server.
pub(crate) struct Server {
    child: Child,
    host: String,
}

/// An HTTP response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    }
}

/// Sends bytes to a host and reads the response.
pub(crate) fn exchange(host: &str, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    // Writing can fail because the server responds to an oversized request before reading all of it.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a response has headers");
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: answer[end + 4..].to_vec() }
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(program())
            .args(["serve", "--port", "0", "--json"])
            .args(arguments)
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address: Value = serde_json::from_str(&line).unwrap();
        let host =
            address["address"].as_str().unwrap().strip_prefix("http://").unwrap().replace("0.0.0.0", "127.0.0.1");
        Server { child, host }
    }

    /// Returns the address and port.
    pub(crate) fn host(&self) -> String {
        self.host.clone()
    }

    /// Returns the process ID.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        exchange(&self.host, bytes)
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let (host, length) = (&self.host, body.len());
        let text =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
        self.raw(text.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.request("POST", path, "", body)
    }

    /// Stops the server like Ctrl-C does and returns its messages.
    pub(crate) fn end(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(128 + 2), "{errors}");
        errors
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
