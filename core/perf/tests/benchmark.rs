// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli benchmark` from outside; speed is not tested.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

fn benchmark(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf-perf"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MF_")) {
        command.env_remove(name);
    }
    command.arg("benchmark").args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn free_url() -> String {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    format!("tcp://127.0.0.1:{port}")
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
        let output = benchmark(&[&given[..], more].concat());
        assert!(output.status.success(), "{what}: {output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        let ranks = said.lines().filter(|line| line.trim_start().starts_with(['0', '1'])).count();
        assert_eq!(ranks, if what == "write" { 1 } else { 2 }, "{said}");
        assert!(said.starts_with(what) && said.contains("all ranks here"), "{said}");
    }
}

#[test]
fn too_small_worlds_are_refused() {
    for world in ["1", "-2"] {
        let output = benchmark(&["--world-size", world]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(error.starts_with("mfcli: ") && error.contains("the world is too small"), "{error}");
    }
}
