//! A browser, driven through the WebDriver protocol by `chromedriver`: requests of JSON over HTTP.
//!
//! A crate for it would bring an asynchronous HTTP stack, which switches on features below burn, for a dozen requests.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Key of the id of an element in answers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Variable that makes a missing browser a failure.
const REQUIRED: &str = "HOUSEWAY_BROWSER";
/// Time for a page to show something on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one window.
pub(crate) struct Browser {
    driver: Child,
    host: String,
    session: String,
}

impl Browser {
    /// Starts a browser; none, with a remark, if there is no Chromium and the environment does not ask for one.
    pub(crate) fn start() -> Option<Browser> {
        let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = started else {
            assert!(std::env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, and there is no chromedriver");
            eprintln!("skipped: there is no chromedriver; install chromium and chromium-driver");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port =
            |line: String| line.rsplit_once("successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok();
        let port = lines.find_map(port);
        // The driver must be able to write on.
        std::thread::spawn(move || lines.for_each(drop));
        let host = format!("127.0.0.1:{}", port.expect("the driver prints its port"));
        let mut browser = Browser { driver, host, session: String::new() };
        let arguments =
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"];
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": arguments } } } });
        browser.session = browser.send("POST", "/session", &wanted)["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    /// Sends a request to the driver and returns the value of its answer.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (host, length) = (&self.host, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some((_, value)) =
                line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            {
                length = value.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        assert!(answer["value"]["error"].is_null(), "{method} {path}: {}", answer["value"]);
        answer["value"].clone()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.send("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// Opens a page.
    pub(crate) fn open(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    /// Runs a script and returns its value.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Sends a command of the DevTools protocol.
    fn tools(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Sets the size of the window and the color scheme.
    pub(crate) fn show_as(&self, width: u32, height: u32, scheme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tools("Emulation.setDeviceMetricsOverride", &size);
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.tools("Emulation.setEmulatedMedia", &features);
    }

    /// Returns a picture of the window as Base64.
    pub(crate) fn picture(&self) -> String {
        let picture = self.tools("Page.captureScreenshot", &json!({ "format": "png" }));
        picture["data"].as_str().unwrap().to_owned()
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks on an element.
    pub(crate) fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.element(selector)), &json!({}));
    }

    /// Types into an element.
    pub(crate) fn write(&self, selector: &str, text: &str) {
        self.post(&format!("/element/{}/value", self.element(selector)), &json!({ "text": text }));
    }

    /// Types where the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let presses = keys.chars().flat_map(|key| {
            let key = key.to_string();
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let presses: Vec<Value> = presses.collect();
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": presses }] }));
    }

    /// Waits until a script returns something true, and returns it.
    pub(crate) fn wait_for(&self, script: &str) -> Value {
        let begun = Instant::now();
        loop {
            let value = self.run(script);
            if !(value.is_null() || value == false || value == "") {
                return value;
            }
            let shown = || self.run("return document.body.innerText");
            assert!(begun.elapsed() < PATIENCE, "{script}\n{}", shown());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.send("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
