// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf explain` from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};

use mf_base::Rank;
use mf_smem::bm::{Config, Context, PoolOptions};

fn explain(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mf"))
        .arg("explain")
        .args(arguments)
        .env("MF_DEVICE", "none")
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_engine_is_listed_with_its_names() {
    let text = text(explain(&[], &[]));
    for part in [
        "cpu",
        "device",
        "ucx",
        "tcp",
        "HOST_SHM",
        "DEVICE_SDMA",
        "HOST_RDMA",
        "HOST_TCP",
        "HOST_URMA",
        "RDMA devices",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn json_lists_engines_and_settings_that_disable_them() {
    let output = explain(&["--json"], &[("MF_SHM", "false"), ("MF_TRANSPORTS", "tcp")]);
    let parsed: serde_json::Value = serde_json::from_str(&text(output)).unwrap();
    let engine = |name: &str| {
        let engines = parsed["engines"].as_array().unwrap();
        engines.iter().find(|engine| engine["engine"] == name).unwrap().clone()
    };
    assert_eq!(engine("tcp")["here"], true);
    for (name, reason) in [("cpu", "MF_SHM"), ("ucx", "MF_TRANSPORTS")] {
        assert_eq!(engine(name)["here"], false);
        assert!(engine(name)["text"].as_str().unwrap().contains(reason), "{parsed:#}");
    }
}

#[test]
fn unknown_transports_are_refused() {
    let output = explain(&[], &[("MF_TRANSPORTS", "pigeon")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("pigeon"));
}

/// Members 0 and 1 of a job, processes of their own with a pool that both have joined.
struct Job {
    url: String,
    members: Vec<Child>,
}

const MEMBER: &str = "MF_TEST_MEMBER";

/// The process of a member when the environment orders it; otherwise nothing.
#[test]
fn member_of_a_job() {
    let Ok(order) = std::env::var(MEMBER) else { return };
    let [url, rank, tag] = order.split(' ').collect::<Vec<_>>()[..] else { panic!("{order}") };
    let context = Context::init(Config::new(url, 2).rank(Rank(rank.parse().unwrap()))).unwrap();
    let options = PoolOptions::new(0).host(2 << 20).tag(tag).tag_rules("a:HOST_TCP:b,c:HOST_URMA:d");
    let pool = context.create(options).unwrap();
    pool.join().unwrap();
    println!("joined");
    // Until the test lets go of the other end.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

impl Job {
    fn start(tags: [&str; 2]) -> Self {
        Self::start_with(tags, &[])
    }

    fn start_with(tags: [&str; 2], environment: &[(&str, &str)]) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = format!("tcp://127.0.0.1:{port}");
        let member = |rank: usize| {
            let mut member = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "member_of_a_job", "--nocapture"])
                .env(MEMBER, format!("{url} {rank} {}", tags[rank]))
                .envs(environment.iter().copied())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let lines = BufReader::new(member.stdout.as_mut().unwrap()).lines();
            assert!(lines.map_while(Result::ok).any(|line| line.contains("joined")), "member {rank} ended");
            member
        };
        Self { members: vec![member(0), member(1)], url }
    }

    fn explain(&self, arguments: &[&str]) -> Output {
        explain(&[arguments, &["--store", &self.url]].concat(), &[])
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        for member in &mut self.members {
            drop(member.stdin.take());
            member.wait().unwrap();
        }
    }
}

#[test]
fn members_of_one_host_map_each_other() {
    let job = Job::start(["a", "b"]);
    let parsed: serde_json::Value = serde_json::from_str(&text(job.explain(&["0:1", "--json"]))).unwrap();
    assert_eq!((&parsed["from"]["tag"], &parsed["to"]["tag"]), (&"a".into(), &"b".into()));
    assert_eq!(parsed["engines"][0]["engine"], "cpu");
    assert_eq!(parsed["engines"][0]["chosen"], true);
    assert!(text(job.explain(&["0.host:1"])).contains("maps the memory of all members"));
}

#[test]
fn local_end_probes_the_sockets_of_a_member() {
    let job = Job::start(["", ""]);
    assert!(text(job.explain(&["local:1"])).contains("its local socket answers from here"));
    let output = job.explain(&["local.host:1.device"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("contributes no device memory"));
}

#[test]
fn member_reports_routes_to_unmapped_memory() {
    let job = Job::start_with(["a", "b"], &[("MF_SHM", "false")]);
    let parsed: serde_json::Value = serde_json::from_str(&text(job.explain(&["0:1", "--json"]))).unwrap();
    assert_eq!((&parsed["source"], &parsed["asked"]), (&"member".into(), &"HOST_TCP".into()));
    assert_eq!((&parsed["byRule"], &parsed["warning"]), (&true.into(), &serde_json::Value::Null));
    let engines = parsed["engines"].as_array().unwrap();
    let engine = |name: &str| engines.iter().find(|engine| engine["engine"] == name).unwrap();
    assert!(engine("cpu")["why"].as_str().unwrap().contains("MF_SHM is false"));
    assert_eq!(engine("tcp")["chosen"], true);
    assert!(text(job.explain(&["0:0"])).contains("its own memory"));
    assert!(text(job.explain(&["local:1"])).contains("answers"));
    let output = job.explain(&["1:5"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("no such rank"));
}

#[test]
fn all_members_report_their_routes() {
    let job = Job::start_with(["a", "b"], &[("MF_SHM", "false")]);
    let matrix: serde_json::Value = serde_json::from_str(&text(job.explain(&["--all", "--json"]))).unwrap();
    let engine = |from: usize, to: usize| matrix["rows"][from]["to"][to]["engine"].clone();
    assert_eq!([engine(0, 0), engine(0, 1), engine(1, 0), engine(1, 1)], ["cpu", "tcp", "tcp", "cpu"]);
    let text = text(job.explain(&["--all"]));
    for part in ["2 members", ": 0-1", "from \\ to", "tcp, 2 pairs", "cpu, 2 pairs: its own memory"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let output = job.explain(&["--all", "--to", "device"]);
    assert_eq!(output.status.code(), Some(1), "no member contributes device memory");
    assert!(String::from_utf8(output.stdout).unwrap().contains("error: 0 to 1: "));
}

#[test]
fn stopped_member_is_a_row_with_the_reason() {
    let job = Job::start_with(["", ""], &[("MF_SHM", "false")]);
    let signal = |name: &str| {
        let pid = job.members[1].id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    };
    signal("-STOP");
    let output = job.explain(&["--all", "--timeout", "1"]);
    signal("-CONT");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["tcp, 1 pair:", "error: rank 1: it did not answer within 1 s"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn members_without_a_network_map_each_other() {
    let job = Job::start(["", ""]);
    assert!(text(job.explain(&["--all"])).contains("cpu, 4 pairs"));
    assert_eq!(job.explain(&["--from", "device"]).status.code(), Some(2));
}

#[test]
fn missing_engine_is_reported_with_its_replacement() {
    let job = Job::start_with(["c", "d"], &[("MF_SHM", "false")]);
    let text = text(job.explain(&["1:0"]));
    for part in ["asked for: HOST_URMA", "HOST_URMA was asked for", "is used to rank 0"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn unknown_ranks_and_pools_are_refused_with_the_existing_ones() {
    let job = Job::start(["", ""]);
    for (arguments, part) in
        [(&["7:1"][..], "members 0, 1"), (&["0:7"], "rank 7"), (&["0:1", "--pool", "3"], "members none")]
    {
        let output = job.explain(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stderr).unwrap().contains(part));
    }
    assert_eq!(job.explain(&["nonsense"]).status.code(), Some(2));
}
