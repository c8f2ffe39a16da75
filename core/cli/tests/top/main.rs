// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf top` from outside: members in processes of their own, which have no network, and some that are killed;
//! its page also with pictures of large jobs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "helpers of tests fail the test; a skip says why"
)]

mod browser;
mod fixture;
mod job;
mod layout;
mod page;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use job::Job;

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
    let picture = job.once(|picture| picture["waits"][1]["rank"].is_u64());
    let wait = &picture["waits"][0];
    assert_eq!(
        (&wait["rank"], &wait["call"], &wait["missing"]),
        (&1.into(), &"a barrier".into(), &vec![0].into())
    );
    assert!(wait["waitedS"].as_f64().unwrap() > 0.0);
    let wait = &picture["waits"][1];
    assert_eq!(
        (&wait["rank"], &wait["call"], &wait["missing"]),
        (&2.into(), &"barrier \"step\"".into(), &vec![0, 1].into())
    );
    let hang = Command::new(env!("CARGO_BIN_EXE_mf")).args(["store", "hang", &job.url]).output().unwrap();
    let text = String::from_utf8(hang.stdout).unwrap();
    assert_eq!(hang.status.code(), Some(1), "{text}");
    assert!(text.contains(" s in barrier \"step\" of ranks 0, 1, 2 for ranks 0, 1\n"), "{text}");
    assert!(text.contains("\nrank 0 keeps the others waiting\n"), "{text}");

    let killed = job.kill(2);
    let picture = job
        .once(|picture| picture["dead"][0]["rank"] == 2 && picture["ranks"][0]["segments"][0]["dead"] == 1);
    assert_eq!((picture["ranks"].as_array().unwrap().len(), &picture["dead"][0]["pid"]), (2, &killed.into()));

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

    // A repeating output ends with its reader.
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

    // Without a viewer no figures are published.
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
fn a_cache_is_shown_with_its_tiers() {
    let job = Job::start_with(job::CACHED, "");
    let cache = |picture: &Value| picture["ranks"][0]["caches"][0].clone();
    let picture = job.once(|picture| {
        let cache = cache(picture);
        cache["diskBytes"].as_u64().is_some_and(|bytes| bytes > 0)
            && cache["diskHitsPerS"].as_f64().is_some_and(|hits| hits > 0.0)
    });
    let found = cache(&picture);
    assert_eq!((&found["pool"], &found["isOff"]), (&0.into(), &false.into()), "{picture:#}");
    let number = |name: &str| found[name].as_f64().unwrap();
    assert!(0.0 < number("memoryBytes") && number("memoryBytes") <= number("memoryMostBytes"), "{found:#}");
    assert!(number("diskBytes") <= number("diskMostBytes") && number("queueBytes") >= 0.0, "{found:#}");
    assert!(number("memoryHitsPerS") >= 0.0 && number("missesPerS") >= 0.0 && number("drops") >= 0.0);
    let text = job.text(&["--once", "--interval", "0.2"]);
    assert!(text.lines().any(|line| line.contains("disk hits/s") && line.contains("dropped")), "{text}");
    job.end();
}

#[test]
fn out_of_range_interval_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_mf")).args(["top", "--interval", "0.01"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("0.2 to 60 s"));
}

#[test]
fn viewer_exits_successfully_after_the_job() {
    let job = Job::start_with(job::QUIET, "");
    let mut top = Command::new(env!("CARGO_BIN_EXE_mf"));
    top.args(["top", "--store", &job.url, "--json", "--interval", "0.2"]).env("MF_DEVICE", "none");
    let mut top = top.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut pictures = BufReader::new(top.stdout.take().unwrap());
    pictures.read_line(&mut first).unwrap();
    assert!(first.starts_with('{'), "{first}");
    // Reads the output until the end.
    let reader = std::thread::spawn(move || pictures.lines().map_while(Result::ok).count());
    job.end();
    let output = top.wait_with_output().unwrap();
    reader.join().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the job has ended"), "{said}");
}

#[test]
fn terminal_viewer_reports_the_end_of_the_job() {
    let job = Job::start_with(job::QUIET, "");
    // It gives the viewer a terminal, and ends with the viewer's code.
    let program = format!("{} top {} --interval 0.2", env!("CARGO_BIN_EXE_mf"), job.url);
    let viewer = Command::new("script")
        .args(["--quiet", "--return", "--command", &program, "/dev/null"])
        .env("MF_DEVICE", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut viewer) = viewer else {
        println!("skip the terminal: no program script (Debian: bsdutils)");
        return;
    };
    let mut output = BufReader::new(viewer.stdout.take().unwrap()).split(b'K');
    let shown = |part: Vec<u8>| String::from_utf8_lossy(&part).contains("2 of 2 ranks");
    assert!(output.by_ref().map_while(Result::ok).any(shown), "the viewer ended without a picture");
    let reader = std::thread::spawn(move || output.map_while(Result::ok).collect::<Vec<_>>().concat());
    job.end();
    assert_eq!(viewer.wait().unwrap().code(), Some(0));
    let rest = String::from_utf8_lossy(&reader.join().unwrap()).into_owned();
    // After the terminal has its first screen again.
    let (_, behind) = rest.rsplit_once("[?1049l").unwrap();
    assert!(behind.contains("mf top: the job has ended"), "{rest}");
}
