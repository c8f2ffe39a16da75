// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A browser without a window, which takes commands from a pipe (the protocol of Chromium's tools).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const WITHIN: Duration = Duration::from_secs(60);
/// Between two questions.
const AGAIN: Duration = Duration::from_millis(50);

/// One page of a browser.
pub(crate) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    number: u64,
    /// The session of the page.
    page: Value,
    /// Password for the server's prompt.
    password: Option<String>,
    profile: PathBuf,
}

impl Browser {
    /// Returns `None`, with a message, if no browser is installed.
    pub(crate) fn start() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all =
            NAMES.iter().flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)));
        let Some(program) = all.into_iter().find(|file| file.is_file()) else {
            println!(
                "skip the page in a browser: no {} (Debian: apt-get install chromium)",
                NAMES.join(", ")
            );
            return None;
        };
        Some(Self::of(&program))
    }

    fn of(program: &Path) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let profile = std::env::temp_dir().join(format!("mf-browser-{}-{number}", std::process::id()));
        fs::create_dir_all(&profile).unwrap();
        // It reads commands from descriptor 3, and writes to 4.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh"])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-breakpad"])
            .args(["--disable-crash-reporter", "--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .env("HOME", &profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let _ = sender.send(serde_json::from_slice(&message).unwrap());
            }
        });
        let commands = process.stdin.take().unwrap();
        let (page, password) = (Value::Null, None);
        let mut browser = Self { process, commands, messages, number: 0, page, password, profile };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": target["targetId"], "flatten": true });
        browser.page = browser.call("Target.attachToTarget", &attached)["sessionId"].clone();
        browser.call("Runtime.enable", &json!({}));
        browser.call("Log.enable", &json!({}));
        browser.call("Fetch.enable", &json!({ "handleAuthRequests": true }));
        browser
    }

    /// Opens a page. A password is typed once; if it is refused or missing, the server's reply is shown.
    #[track_caller]
    pub(crate) fn open(&mut self, url: &str, password: Option<&str>) {
        self.password = password.map(str::to_owned);
        let opened = self.call("Page.navigate", &json!({ "url": url }));
        assert!(opened["errorText"].is_null(), "{opened}");
    }

    /// Waits until something is true in the page.
    #[track_caller]
    pub(crate) fn until(&mut self, condition: &str) {
        let until = Instant::now() + WITHIN;
        loop {
            let found = self.value(condition);
            if found == true {
                return;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never: {condition}\n{}", self.value("document.body.innerText"));
            // Handles events of the page meanwhile.
            if let Ok(message) = self.messages.recv_timeout(AGAIN) {
                self.note(&message);
            }
        }
    }

    /// Gives the page a window of this size in pixels.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Sets the preference of the user: `light` or `dark`.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// Moves the pointer to the point `[x, y]` that an expression yields.
    #[track_caller]
    pub(crate) fn hover(&mut self, point: &str) {
        self.mouse("mouseMoved", point);
    }

    /// Clicks at the point `[x, y]` that an expression yields.
    #[track_caller]
    pub(crate) fn click(&mut self, point: &str) {
        for event in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(event, point);
        }
    }

    #[track_caller]
    fn mouse(&mut self, event: &str, point: &str) {
        let found = self.value(point);
        assert!(found[0].is_number() && found[1].is_number(), "no point: {point}: {found}");
        let button = if event == "mouseMoved" { "none" } else { "left" };
        let at = json!({ "type": event, "x": found[0], "y": found[1], "button": button, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", &at);
    }

    /// Presses the escape key.
    pub(crate) fn escape(&mut self) {
        for event in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", &json!({ "type": event, "key": "Escape" }));
        }
    }

    fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        self.call("Runtime.evaluate", &asked)["result"]["value"].clone()
    }

    fn send(&mut self, method: &str, parameters: &Value) -> u64 {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": parameters });
        if !self.page.is_null() {
            message["sessionId"] = self.page.clone();
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        self.number
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        let number = self.send(method, parameters);
        loop {
            let mut message = self.messages.recv_timeout(WITHIN).expect("the browser answers");
            if message["id"] == number {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    /// Reacts to the page like a user, and checks for errors in it.
    fn note(&mut self, message: &Value) {
        let parameters = &message["params"];
        let request = &parameters["requestId"];
        match message["method"].as_str().unwrap_or_default() {
            "Fetch.requestPaused" => {
                self.send("Fetch.continueRequest", &json!({ "requestId": request }));
            }
            "Fetch.authRequired" => {
                let answer = match self.password.take() {
                    Some(password) => {
                        json!({ "response": "ProvideCredentials", "username": "any", "password": password })
                    }
                    None => json!({ "response": "CancelAuth" }),
                };
                let answered = json!({ "requestId": request, "authChallengeResponse": answer });
                self.send("Fetch.continueWithAuth", &answered);
            }
            "Log.entryAdded" => {
                assert_ne!(
                    parameters["entry"]["source"], "security",
                    "the page is refused something: {parameters}"
                );
            }
            method => assert_ne!(method, "Runtime.exceptionThrown", "the page fails: {parameters}"),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.page = Value::Null;
        let _ = self.commands.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        // Its output ends with it.
        while self.messages.recv_timeout(WITHIN).is_ok() {}
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}
