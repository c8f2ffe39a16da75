// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf top` from outside: members in processes of their own, which have no network, and one that is killed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use mf_base::{MemKind, Rank};
use mf_smem::bm::{Config, Context, PoolOptions};
use serde_json::Value;

const MEMBER: &str = "MF_TEST_TOP_MEMBER";

/// The process of a member when the environment orders it; otherwise nothing.
#[test]
fn member_of_a_job() {
    let Ok(order) = std::env::var(MEMBER) else { return };
    let [url, rank] = order.split(' ').collect::<Vec<_>>()[..] else { panic!("{order}") };
    let rank = Rank(rank.parse().unwrap());
    let context = Context::init(Config::new(url, 3).rank(rank)).unwrap();
    let pool = context.create(PoolOptions::new(0).host(2 << 20)).unwrap();
    pool.join().unwrap();
    println!("joined");
    let mut line = String::new();
    // All have joined.
    std::io::stdin().read_line(&mut line).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    if rank == Rank(1) {
        let group = pool.group(&[Rank(0), Rank(1)], deadline).unwrap();
        // Rank 0 does not come.
        std::thread::spawn(move || group.barrier(deadline));
    }
    if rank == Rank(0) {
        let _group = pool.group(&[Rank(0), Rank(1)], deadline).unwrap();
        let there = pool.address(MemKind::Host, Rank(1)).unwrap();
        std::thread::spawn(move || {
            // Some traffic, until the process ends.
            while pool.put(&[7; 4096], there).is_ok() {
                std::thread::yield_now();
            }
        });
        std::io::stdin().read_line(&mut line).unwrap();
        std::process::exit(0);
    }
    // Ended by closing this.
    std::io::stdin().read_line(&mut line).unwrap();
}

struct Job {
    url: String,
    secret: String,
    members: Vec<Option<Child>>,
}

impl Job {
    fn start() -> Self {
        Self::start_with("")
    }

    fn start_with(secret: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = format!("tcp://127.0.0.1:{port}");
        let member = |rank: usize| {
            let mut member = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "member_of_a_job", "--nocapture"])
                .env(MEMBER, format!("{url} {rank}"))
                .env("MF_JOB_SECRET", secret)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let lines = BufReader::new(member.stdout.as_mut().unwrap()).lines();
            assert!(lines.map_while(Result::ok).any(|line| line.contains("joined")), "member {rank} ended");
            Some(member)
        };
        let mut members: Vec<Option<Child>> = (0..3).map(member).collect();
        for member in members.iter_mut().flatten() {
            member.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        }
        Self { members, url, secret: secret.to_owned() }
    }

    fn top(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
        command.args(["top", &self.url]).args(arguments);
        command.env("MF_DEVICE", "none").env("MF_JOB_SECRET", &self.secret).output().unwrap()
    }

    fn text(&self, arguments: &[&str]) -> String {
        let output = self.top(arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The picture, once it is as `wanted` says.
    fn once(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let picture = self.text(&["--once", "--json", "--interval", "0.2"]);
            let picture: Value = serde_json::from_str(&picture).unwrap();
            if wanted(&picture) {
                return picture;
            }
            assert!(Instant::now() < until, "{picture:#}");
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        for member in self.members.iter_mut().flatten() {
            let _ = member.kill();
            let _ = member.wait();
        }
    }
}

#[test]
fn a_job_is_shown_with_its_memory_traffic_and_deaths() {
    let mut job = Job::start();
    let flows = |picture: &Value| picture["traffic"].as_array().unwrap().clone();
    let picture = job.once(|picture| !flows(picture).is_empty() && picture["ranks"][2]["ageS"].is_f64());
    assert_eq!((&picture["worldSize"], &picture["hosts"][0]["ranks"]), (&3.into(), &vec![0, 1, 2].into()));
    let flow = &flows(&picture)[0];
    assert_eq!((&flow["from"], &flow["to"]), (&0.into(), &1.into()), "{picture:#}");
    assert_eq!((&flow["route"], &flow["kind"]), (&"mapped".into(), &"put".into()));
    // Bytes and operations are read one behind the other, while more are made.
    assert!(flow["bytesPerS"].as_f64().unwrap() > 0.0 && flow["operationsPerS"].as_f64().unwrap() > 0.0);
    for rank in 0..3 {
        let segment = &picture["ranks"][rank]["segments"][0];
        assert_eq!((&segment["kind"], &segment["bytes"]), (&"host".into(), &(2 << 20).into()), "{picture:#}");
        assert_eq!((&segment["poolRank"], &segment["joined"]), (&rank.into(), &3.into()), "{picture:#}");
    }
    assert_eq!(picture["dead"], Value::Array(Vec::new()));
    let picture = job.once(|picture| picture["waits"][0]["rank"].is_u64());
    let wait = &picture["waits"][0];
    assert_eq!(
        (&wait["rank"], &wait["call"], &wait["missing"]),
        (&1.into(), &"a barrier".into(), &vec![0].into())
    );
    assert!(wait["waitedS"].as_f64().unwrap() > 0.0);

    let mut killed = job.members[2].take().unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    let picture = job
        .once(|picture| picture["dead"][0]["rank"] == 2 && picture["ranks"][0]["segments"][0]["dead"] == 1);
    assert_eq!(
        (picture["ranks"].as_array().unwrap().len(), &picture["dead"][0]["pid"]),
        (2, &killed.id().into())
    );

    let text = job.text(&["--once", "--interval", "0.2"]);
    for part in [
        "2 of 3 ranks, 1 host",
        "1 wait, 1 dead",
        "0: 2 MiB",
        "mapped",
        "put",
        " s in a barrier of ranks 0, 1 for rank 0",
        ") is dead, lost in epoch",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }

    // What is printed again and again ends with its reader.
    let mut all = Command::new(env!("CARGO_BIN_EXE_mf"))
        .args(["top", &job.url, "--json", "--interval", "0.2"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(all.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        let picture: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(picture["ranks"][1]["rank"], 1, "{picture:#}");
    }
    drop(lines);
    assert_eq!(all.wait().unwrap().code(), Some(141));

    // Nobody views the job any more, so nothing is published.
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let store =
            Command::new(env!("CARGO_BIN_EXE_mf")).args(["store", "ls", &job.url, "--all"]).output().unwrap();
        let keys = String::from_utf8(store.stdout).unwrap();
        if !keys.contains(".mf/top/") {
            break;
        }
        assert!(store.status.success() && Instant::now() < until, "{keys}");
    }
    job.members[0].as_mut().unwrap().stdin.take().unwrap().write_all(b"end\n").unwrap();
    assert!(job.members[0].take().unwrap().wait().unwrap().success());
}

#[test]
fn an_interval_is_refused_that_no_member_keeps() {
    let output = Command::new(env!("CARGO_BIN_EXE_mf")).args(["top", "--interval", "0.01"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("0.2 to 60 s"));
}

/// The page of a viewer, and a reader of its events.
struct Page {
    viewer: Child,
    address: String,
}

impl Page {
    fn start(job: &Job, place: &str) -> Self {
        let mut viewer = Command::new(env!("CARGO_BIN_EXE_mf"))
            .args(["top", &job.url, "--interval", "0.2", "--web", place])
            .env("MF_JOB_SECRET", &job.secret)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(viewer.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let (_, port) = line.trim_end().trim_end_matches('/').rsplit_once(':').unwrap();
        Self { viewer, address: format!("127.0.0.1:{port}") }
    }

    /// Asks with these lines of a head; what comes is read line by line.
    fn get(&self, path: &str, headers: &str) -> impl Iterator<Item = String> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap();
        BufReader::new(stream).lines().map(|line| line.unwrap())
    }

    /// The pictures that are sent, as they come.
    fn events(&self, headers: &str) -> impl Iterator<Item = Value> {
        let data = |line: String| Some(serde_json::from_str(line.strip_prefix("data: ")?).unwrap());
        self.get("/events", headers).filter_map(data)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.viewer.kill();
        let _ = self.viewer.wait();
    }
}

#[test]
fn a_page_follows_the_job_by_events() {
    let mut job = Job::start();
    let page = Page::start(&job, "127.0.0.1:0");
    let html: Vec<String> = page.get("/", "Host: localhost\r\n").collect();
    assert!(html[0].contains(" 200 ") && html.iter().any(|line| line.contains("EventSource")), "{html:?}");
    let refused: Vec<String> = page.get("/events", "Host: other.example\r\n").collect();
    assert!(refused[0].contains(" 404 "), "a page of others: {refused:?}");

    let mut events = page.events("");
    let picture = events.find(|picture| picture["traffic"][0]["to"] == 1).unwrap();
    assert_eq!((&picture["ranks"][2]["rank"], &picture["flows"]), (&2.into(), &1.into()), "{picture:#}");
    let mut killed = job.members[2].take().unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    let picture = events.find(|picture| picture["dead"][0]["rank"] == 2).unwrap();
    assert!(picture["dead"][0]["sinceMs"].is_u64(), "it died while it was viewed: {picture:#}");

    // A thousand readers who read nothing, while others are served.
    for _ in 0..2 {
        let slow = (0..500).map(|_| {
            let mut stream = TcpStream::connect(&page.address).unwrap();
            // It may have been cut off for others already.
            let _ = stream.write_all(b"GET /events HTTP/1.1\r\n\r\n");
            stream
        });
        let slow: Vec<TcpStream> = slow.collect();
        assert_eq!(page.events("").take(3).count(), 3);
        let open = std::fs::read_dir(format!("/proc/{}/fd", page.viewer.id())).unwrap().count();
        assert!(open < 200, "{open} descriptors");
        drop(slow);
    }
}

#[test]
fn off_the_loopback_the_secret_is_asked_for() {
    let job = Job::start();
    let refused = job.top(&["--web", "0.0.0.0:0"]);
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("without a secret") && error.contains("--web"), "{error}");

    // any:s3cret of the test
    let job = Job::start_with("s3cret of the test");
    let page = Page::start(&job, "0.0.0.0:0");
    for (path, headers) in [("/", ""), ("/events", "Authorization: Bearer other\r\n")] {
        let refused: Vec<String> = page.get(path, headers).collect();
        assert!(
            refused[0].contains(" 401 ") && refused.iter().any(|line| line.contains("Basic realm")),
            "{refused:?}"
        );
    }
    let basic = "Authorization: Basic YW55OnMzY3JldCBvZiB0aGUgdGVzdA==\r\nHost: node1\r\n";
    assert!(page.get("/", basic).next().unwrap().contains(" 200 "));
    let bearer = "Authorization: Bearer s3cret of the test\r\n";
    assert_eq!(page.events(bearer).next().unwrap()["worldSize"], 3);
}
