//! A browser that is controlled through `chromedriver` with the WebDriver protocol, i.e. with JSON requests over HTTP.
//!
//! Using a WebDriver crate would pull in an asynchronous HTTP stack for only a dozen requests and enable features in
//! burn's dependencies.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The key of an element's ID in responses.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// The environment variable that makes the tests fail if there is no browser.
const REQUIRED: &str = "HOUSEWAY_BROWSER";
/// The maximum time to wait for a page, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one window.
pub(crate) struct Browser {
    driver: Child,
    host: String,
    session: String,
}

impl Browser {
    /// Starts a browser. If there is no `chromedriver`, prints a message and returns `None`.
    ///
    /// # Panics
    /// Panics if there is no `chromedriver` even though the environment requires a browser.
    pub(crate) fn start() -> Option<Browser> {
        let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = started else {
            assert!(std::env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, but there is no chromedriver");
            eprintln!("skipped: chromedriver not found; install chromium and chromium-driver");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port =
            |line: String| line.rsplit_once("successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok();
        let port = lines.find_map(port);
        // Keep reading the output, so that the driver doesn't block when it writes more.
        std::thread::spawn(move || lines.for_each(drop));
        let host = format!("127.0.0.1:{}", port.expect("the driver prints its port"));
        let mut browser = Browser { driver, host, session: String::new() };
        let arguments =
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"];
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": arguments } } } });
        browser.session = browser.send("POST", "/session", &wanted)["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    /// Sends a request to the driver and returns the value in its response.
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

    /// Runs a script and returns its result.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Sends a DevTools protocol command.
    fn tools(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Sets the window size and the color scheme.
    pub(crate) fn show_as(&self, width: u32, height: u32, scheme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tools("Emulation.setDeviceMetricsOverride", &size);
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.tools("Emulation.setEmulatedMedia", &features);
    }

    /// Takes a screenshot of the window, in a format such as "png", and returns it as Base64.
    pub(crate) fn picture(&self, format: &str) -> String {
        let picture = self.tools("Page.captureScreenshot", &json!({ "format": format, "quality": 80 }));
        picture["data"].as_str().unwrap().to_owned()
    }

    /// Waits until there is an element and returns its ID. Scripts may still be adding it to a new page.
    fn element(&self, selector: &str) -> String {
        let found = self.wait_for(&format!("return document.querySelector({})", json!(selector)));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks on an element.
    pub(crate) fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.element(selector)), &json!({}));
    }

    /// Clicks on an element as a person does, with some time between the press and the release.
    pub(crate) fn hold(&self, selector: &str) {
        let origin = json!({ ELEMENT: self.element(selector) });
        let steps = [
            json!({ "type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0 }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pause", "duration": 120 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let pointer =
            json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": steps });
        self.post("/actions", &json!({ "actions": [pointer] }));
    }

    /// Clicks on an element that starts a download, and returns the contents of the saved file.
    pub(crate) fn download(&self, selector: &str, name: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let behavior = json!({ "behavior": "allow", "downloadPath": folder.path() });
        self.tools("Browser.setDownloadBehavior", &behavior);
        self.click(selector);
        let (path, begun) = (folder.path().join(name), Instant::now());
        while !path.exists() {
            assert!(begun.elapsed() < PATIENCE, "{name} is not saved");
            std::thread::sleep(Duration::from_millis(50));
        }
        std::fs::read_to_string(path).unwrap()
    }

    /// Drags an element onto another one. `kind` is the type of pointer, either `mouse` or `touch`.
    pub(crate) fn drag(&self, from: &str, to: &str, kind: &str) {
        let at = |selector: &str, duration: u32| {
            let origin = json!({ ELEMENT: self.element(selector) });
            json!({ "type": "pointerMove", "duration": duration, "origin": origin, "x": 0, "y": 0 })
        };
        let steps = [
            at(from, 0),
            json!({ "type": "pointerDown", "button": 0 }),
            at(to, 200),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let pointer = json!({
            "type": "pointer", "id": format!("pointer-{kind}"), "parameters": { "pointerType": kind }, "actions": steps,
        });
        self.post("/actions", &json!({ "actions": [pointer] }));
    }

    /// Types into an element.
    pub(crate) fn write(&self, selector: &str, text: &str) {
        self.post(&format!("/element/{}/value", self.element(selector)), &json!({ "text": text }));
    }

    /// Types into the element that has the focus.
    pub(crate) fn press(&self, keys: &str) {
        let presses = keys.chars().flat_map(|key| {
            let key = key.to_string();
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let presses: Vec<Value> = presses.collect();
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": presses }] }));
    }

    /// Presses a key while another one is held down.
    pub(crate) fn press_with(&self, held: char, key: char) {
        let action = |kind: &str, key: char| json!({ "type": kind, "value": key.to_string() });
        let presses = [action("keyDown", held), action("keyDown", key), action("keyUp", key), action("keyUp", held)];
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": presses }] }));
    }

    /// Waits until a script returns a truthy value and returns that value.
    pub(crate) fn wait_for(&self, script: &str) -> Value {
        let begun = Instant::now();
        // While a page is being loaded, its elements may not exist yet.
        let tolerant = format!("try {{ {script} }} catch (error) {{ return null }}");
        loop {
            let value = self.run(&tolerant);
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
