// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf store` from outside: a store in a process of its own, guests that read and write, and their error
//! messages.

#![expect(unsafe_code, reason = "signals of child processes")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use mf_base::Rank;
use mf_smem::bm::{Config, Context};
use mf_smem::trans::{Endpoint, Options};
use serde_json::Value;

const SECRET: &str = "a secret for the tests of the program";

fn mf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
    command.arg("store").args(arguments).stdin(Stdio::null()).stderr(Stdio::piped());
    for name in ["MF_JOB_SECRET_FILE", "MF_STORE_TLS", "MF_SETTINGS_FILE", "MF_JOB_ID"] {
        command.env_remove(name);
    }
    command.env("MF_JOB_SECRET", SECRET);
    let in_child = || {
        // The alarm goes on in the new program and ends it, should a test hang.
        // SAFETY: one system call.
        unsafe { libc::alarm(60) };
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes a system call only.
    unsafe { command.pre_exec(in_child) };
    command
}

/// A store in a process of its own.
struct Serving {
    child: Child,
    lines: BufReader<ChildStdout>,
    url: String,
}

impl Serving {
    fn start(options: &[&str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::at(&format!("tcp://127.0.0.1:{port}"), options)
    }

    fn at(url: &str, options: &[&str]) -> Self {
        let mut arguments = vec!["serve", url];
        arguments.extend(options);
        let mut child = mf(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut serving = Self { child, lines, url: url.to_owned() };
        let line = serving.line();
        assert_eq!(line, format!("the store listens at {url}"));
        serving
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn signal(&self, signal: libc::c_int) {
        // SAFETY: one system call; the child is ours and not waited for yet.
        unsafe { libc::kill(self.child.id().cast_signed(), signal) };
    }

    fn ask(&self, command: &str, arguments: &[&str]) -> Output {
        let mut all = vec![command, self.url.as_str()];
        all.extend(arguments);
        mf(&all).output().unwrap()
    }

    fn text(&self, command: &str, arguments: &[&str]) -> String {
        let output = self.ask(command, arguments);
        assert!(output.status.success(), "{command} {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, command: &str, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        serde_json::from_str(&self.text(command, &all)).unwrap()
    }

    fn refusal(&self, command: &str, arguments: &[&str]) -> String {
        refusal(&self.ask(command, arguments), 1)
    }
}

fn refusal(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn store_serves_until_it_is_stopped() {
    for (signal, name, code) in [(libc::SIGTERM, "SIGTERM", 0), (libc::SIGINT, "SIGINT", 130)] {
        let mut store = Serving::start(&["--world-size", "3", "--skip-recover"]);
        assert_eq!(store.json("status", &[])["worldSize"], 3);
        store.signal(signal);
        let status = store.child.wait().unwrap();
        assert_eq!(status.code(), Some(code));
        let mut printed = String::new();
        store.child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
        assert!(printed.contains(name), "{printed}");
        // The port is free again.
        Serving::at(&store.url, &[]);
    }
}

#[test]
fn keys_are_set_read_counted_listed_and_deleted() {
    let store = Serving::start(&[]);
    store.text("set", &["a/1", "one"]);
    store.text("set", &["a/2", "two\nlines"]);
    assert_eq!(store.text("get", &["a/1"]), "one\n");
    assert_eq!(store.text("get", &["a/1", "a/2"]), "a/1 one\na/2 two\\nlines\n");
    assert_eq!(store.json("get", &["a/2"])["value"], "two\nlines");
    assert_eq!(store.json("get", &["a/1", "a/2"])[1]["bytes"], 9);
    assert_eq!(store.text("add", &["n", "40"]), "40\n");
    assert_eq!(store.text("add", &["n", "-2"]), "38\n");
    assert_eq!(store.text("add", &["n"]), "39\n");
    assert_eq!(store.text("ls", &[]), "a/1\na/2\nn\n");
    assert_eq!(store.text("ls", &["a/"]), "a/1\na/2\n");
    let long = store.text("ls", &["a/", "--long"]);
    assert!(long.lines().count() == 4 && long.contains("two\\nlines"), "{long}");
    assert_eq!(store.json("ls", &[]).as_array().unwrap().len(), 3);
    store.text("delete", &["a/1"]);
    let refused = store.refusal("delete", &["a/1", "a/2"]);
    assert!(refused.contains("no such key") && refused.contains("\"a/1\""), "{refused}");
    assert_eq!(store.text("ls", &[]), "n\n", "the other was deleted all the same");
    let refused = store.refusal("get", &["a/1"]);
    assert!(refused.contains("no such key"), "{refused}");
    let refused = store.refusal("get", &["a/1", "--wait", "--timeout", "0.05"]);
    assert!(refused.contains("a/1"), "{refused}");
    store.text("set", &["short", "lived", "--ttl", "3600"]);
    assert_eq!(store.text("get", &["short"]), "lived\n");
}

#[test]
fn values_round_trip_unchanged() {
    let store = Serving::start(&[]);
    let bytes: Vec<u8> = (0..=255).cycle().take(70_000).collect();
    let mut set = mf(&["set", &store.url, "blob", "--file", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    set.stdin.take().unwrap().write_all(&bytes).unwrap();
    assert!(set.wait().unwrap().success());
    assert_eq!(store.ask("get", &["blob", "--raw"]).stdout, bytes);
    let shown = store.text("get", &["blob"]);
    assert!(shown.starts_with("\\x00\\x01") && shown.lines().count() == 1);
    assert!(store.json("get", &["blob"])["value_hex"].as_str().unwrap().starts_with("000102"));

    let refused = refusal(&mf(&["set", &store.url, "k", "--file", "/no/such/file"]).output().unwrap(), 1);
    assert!(refused.contains("/no/such/file"), "{refused}");
}

#[test]
fn watch_prints_changes_immediately() {
    let store = Serving::start(&[]);
    store.text("set", &["w/0", "there"]);
    let mut watch = mf(&["watch", &store.url, "w/", "--existing", "--count", "2"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    // Once this line is there, the watch is.
    assert_eq!(lines.next().unwrap(), "put w/0 there");
    store.text("set", &["elsewhere", "x"]);
    store.text("set", &["w/1", "one"]);
    store.text("delete", &["w/1"]);
    assert_eq!(lines.next().unwrap(), "put w/1 one");
    assert_eq!(lines.next().unwrap(), "deleted w/1");
    assert_eq!(lines.next(), None);
    assert!(watch.wait().unwrap().success());
}

#[test]
fn a_standby_takes_over_when_the_first_store_dies() {
    let ports: Vec<u16> =
        [TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap()]
            .iter()
            .map(|listener| listener.local_addr().unwrap().port())
            .collect();
    let url = format!("tcp://127.0.0.1:{},127.0.0.1:{}", ports[0], ports[1]);
    let mut first = mf(&["serve", &url]).env("MF_STORE_LEASE", "1s").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(first.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("the store listens at tcp://127.0.0.1:{}\n", ports[0]));
    let mut second =
        mf(&["serve", &url, "--standby"]).env("MF_STORE_LEASE", "1s").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(second.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    assert!(
        lines
            .next()
            .unwrap()
            .contains(&format!("standing by, the store at tcp://127.0.0.1:{} leads", ports[0]))
    );
    first.kill().unwrap();
    first.wait().unwrap();
    let line = lines.next().unwrap();
    // This machine has both addresses, so the first is its to take.
    assert!(
        line.starts_with("the store listens at tcp://127.0.0.1:") && line.ends_with(", term 2"),
        "{line}"
    );
    let set = mf(&["set", &url, "k", "v"]).output().unwrap();
    assert!(set.status.success(), "{set:?}");
    assert_eq!(mf(&["get", &url, "k"]).output().unwrap().stdout, b"v\n");
    second.kill().unwrap();
    second.wait().unwrap();
}

#[test]
fn guests_are_not_members() {
    let store = Serving::start(&["--world-size", "2"]);
    let status = store.json("status", &[]);
    assert_eq!((&status["members"], &status["worldSize"]), (&Value::from(0), &Value::from(2)));
    assert!(
        status["leader"].as_str().unwrap().contains("127.0.0.1")
            && status["roundTripUs"].as_f64().unwrap() > 0.0
    );
    assert!(store.text("status", &[]).contains("members     0 of 2"));
    let members = store.json("members", &[]);
    assert!(["members", "endpoints"].iter().all(|list| members[list].as_array().unwrap().is_empty()));
    let text = store.text("members", &[]);
    assert!(text.starts_with("host") && !text.contains("endpoint"), "{text}");
    assert_eq!(store.text("hang", &[]), "no rank reports a wait that lasts\n");
    assert_eq!(store.json("hang", &[])["ranks"], Value::Array(Vec::new()));
}

/// URL of the store, for the process of [`owner_of_endpoints`].
const OWNER: &str = "MF_CLI_TEST_OWNER";

/// Rank 0 of a job, and three endpoints, in a process of its own.
#[test]
fn owner_of_endpoints() {
    let Ok(url) = std::env::var(OWNER) else { return };
    let config = Config::new(url.as_str(), 2).auto_rank(false).rank(Rank(0));
    let _context = Context::init(config).unwrap();
    let endpoint =
        |number: u32| Endpoint::create(Options::new(url.as_str(), format!("127.0.0.1:{number}"))).unwrap();
    let _endpoints = [1, 2, 3].map(endpoint);
    println!("ready");
    // Until the test kills it.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn transfer_endpoints_are_members_without_rank() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("tcp://127.0.0.1:{port}");
    let mut owner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "owner_of_endpoints", "--nocapture"])
        .env(OWNER, &url)
        .env("MF_JOB_SECRET", SECRET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(owner.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains("ready")), "the owner ended");
    let members = |json: &[&str]| {
        let output = mf(&[&["members", &url], json].concat()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let json: Value = serde_json::from_str(&members(&["--json"])).unwrap();
    let text = members(&[]);
    let by_environment = mf(&["members"]).env("MF_CONFIG_STORE_URL", &url).output().unwrap();
    owner.kill().unwrap();
    owner.wait().unwrap();
    let [member] = &json["members"].as_array().unwrap()[..] else { panic!("{json}") };
    assert!(member["silentUs"].as_u64().is_some() && member["connected"] == true, "{json}");
    assert!(
        text.contains(" s ago  ") && member["phase"].as_str().unwrap().contains("request"),
        "{text}{json}"
    );
    assert!(
        by_environment.status.success() && by_environment.stdout.starts_with(b"host"),
        "{by_environment:?}"
    );
    let endpoints = json["endpoints"].as_array().unwrap();
    for (number, endpoint) in endpoints.iter().enumerate() {
        assert_eq!(endpoint["name"], format!("127.0.0.1:{}", number + 1), "{json}");
        assert_eq!((&endpoint["state"], &endpoint["pid"]), (&Value::from("ready"), &Value::from(owner.id())));
        assert_eq!(endpoint["host"], json["members"][0]["host"]);
        let listens = endpoint["listens"][0].as_str().unwrap();
        assert!(listens.parse::<std::net::SocketAddr>().is_ok(), "{json}");
        let since = endpoint["since"].as_str().unwrap();
        assert!(since.starts_with("20") && since.ends_with('Z'), "{json}");
        let row = text.lines().find(|line| line.starts_with(&format!("127.0.0.1:{} ", number + 1))).unwrap();
        assert!(row.contains(since) && row.contains(listens) && row.ends_with("ready"), "{text}");
    }
    assert_eq!(endpoints.len(), 3, "{json}");
}

#[test]
fn failed_commands_report_the_reason() {
    let store = Serving::start(&[]);
    let busy = refusal(&mf(&["serve", &store.url]).output().unwrap(), 1);
    assert!(busy.contains("-2009"), "{busy}");
    let refused = refusal(&mf(&["get", "tcp://nowhere", "k"]).output().unwrap(), 1);
    assert!(refused.contains("port is missing"), "{refused}");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("tcp://127.0.0.1:{port}");
    let refused = refusal(&mf(&["get", &url, "k", "--timeout", "0.05"]).output().unwrap(), 1);
    assert!(refused.contains("no store answered") && refused.contains(&url), "{refused}");
    let refused = refusal(&mf(&["serve", &url, "--standby"]).output().unwrap(), 1);
    assert!(refused.contains("several addresses"), "{refused}");
    let refused = refusal(&mf(&["serve", &format!("etcd://127.0.0.1:{port}")]).output().unwrap(), 1);
    assert!(refused.contains("etcd cluster cannot be reached"), "{refused}");
    let refused = refusal(&mf(&["get", &store.url, ""]).output().unwrap(), 1);
    assert!(refused.contains("empty"), "{refused}");
    refusal(&mf(&["set", &store.url, "k"]).output().unwrap(), 2);
    let refused = refusal(&mf(&["members"]).env_remove("MF_CONFIG_STORE_URL").output().unwrap(), 1);
    assert!(
        refused.contains("no store of the job is named") && refused.contains("MF_CONFIG_STORE_URL"),
        "{refused}"
    );
    let other = mf(&["get", &store.url, "k"])
        .env("MF_JOB_SECRET", "another secret, and long enough")
        .output()
        .unwrap();
    assert!(refusal(&other, 1).contains("secret"));
    let none = mf(&["get", &store.url, "k"]).env_remove("MF_JOB_SECRET").output().unwrap();
    assert!(!refusal(&none, 1).contains(SECRET));
}
