// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf-perf kernel` from outside, on the simulator.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail the test, or print skips"
)]

use std::path::Path;
use std::process::{Command, Output};

fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn has_kernels() -> bool {
    if let Err(reason) = mf_device_kernels::simulated() {
        println!("skip kernels on the simulator: {reason}");
        return false;
    }
    let there = Path::new(env!("CARGO_BIN_EXE_mf-perf")).with_file_name("libascend_sim.so").exists();
    if !there {
        println!(
            "skip kernels on the simulator: no libascend_sim.so beside mf-perf; cargo build -p ascend-sim"
        );
    }
    there
}

/// The rows of `mf perf kernel`, which measures.
fn measured(arguments: &[&str]) -> Vec<serde_json::Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf-perf"));
    let output = command.args(["kernel", "--quick", "--json=-"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["more"]["simulated"], true, "{document}");
    document["rows"].as_array().unwrap().clone()
}

#[test]
fn copies_and_collectives_are_measured_in_both_kernel_modes() {
    if !has_kernels() {
        return;
    }
    let copies = measured(&["--sizes=8,64KiB", "--blocks=1,3"]);
    assert_eq!(copies.len(), 2 * 2 * 2);
    let collectives = measured(&["--ranks=2,3", "--sizes=1000", "--blocks=2"]);
    assert_eq!(collectives.len(), 2 * 2 * 4);
    // So many that they are split evenly.
    assert!(collectives.iter().any(|row| row["ranks"] == 3 && row["bytes"] == 1002), "{collectives:?}");
    for row in copies.iter().chain(&collectives) {
        assert!(row["mode"] == "eager" || row["mode"] == "checked", "{row}");
        for name in ["seconds", "plain_seconds", "ratio"] {
            assert!(row[name].as_f64().unwrap() > 0.0, "{row}");
        }
    }
}
