// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf-perf benchmark` from outside, which `mfcli benchmark` becomes.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf-perf"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MF_")) {
        command.env_remove(name);
    }
    command.arg("benchmark").args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(arguments: &[&str], code: i32, text: &str) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains(text), "{arguments:?}: {error}");
}

fn free_url() -> String {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    format!("tcp://127.0.0.1:{port}")
}

#[test]
fn help_names_the_typed_program() {
    assert!(done(&["--help"]).contains("Usage: mfcli benchmark"));
}

#[test]
fn reads_writes_and_transfers_are_measured() {
    for (what, more) in [
        ("read", &[][..]),
        ("write", &["--peer-mem-type", "device", "--local-rank-size", "1"]),
        ("trans", &["--framework", "sglang", "--model", "dsv4", "--sync-port", "1", "--batchsize", "3"]),
    ] {
        let url = free_url();
        let given =
            [what, "--ip", &url, "--copysize", "64KiB", "--copy-count", "5", "--protocol", "host_tcp"];
        let said = done(&[&given[..], more].concat());
        let ranks = said.lines().filter(|line| line.trim_start().starts_with(['0', '1'])).count();
        assert_eq!(ranks, if what == "write" { 1 } else { 2 }, "{said}");
        assert!(said.starts_with(what) && said.contains("all ranks here"), "{said}");
    }
}

#[test]
fn impossible_benchmarks_are_refused() {
    refused(&["--world-size", "1"], 1, "the world is too small");
    refused(&["--world-size", "-2"], 1, "the world is too small");
    // The URL of a store has one grammar, and is refused before ranks start.
    for url in ["127.0.0.1:12050", "http://127.0.0.1:12050", "tcp://127.0.0.1", "tcp://127.0.0.1:80"] {
        refused(&["read", "--ip", url], 2, "expected tcp://host:port");
    }
    for (option, value) in [
        ("--copysize", "0"),
        ("--batchsize", "0"),
        ("--copy-count", "0"),
        ("--protocol", "smoke"),
        ("--model", "other"),
        ("--framework", "other"),
        ("--peer-mem-type", "disk"),
    ] {
        refused(&[option, value], 2, option);
    }
}
