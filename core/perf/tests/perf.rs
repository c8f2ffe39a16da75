// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf-perf` from outside: it measures the announced operations; speed is not tested.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail the test")]

use std::process::{Command, Stdio};

use serde_json::Value;

fn perf(arguments: &[&str]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf-perf"));
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

fn json(arguments: &[&str]) -> Value {
    let (success, out, error) = perf(arguments);
    assert!(success, "{arguments:?}: {error}");
    serde_json::from_str(&out).unwrap_or_else(|problem| panic!("{problem}: {out}"))
}

#[test]
fn copies_have_a_row_for_every_operation_and_size() {
    let svg = std::env::temp_dir().join(format!("mf-perf-{}.svg", std::process::id()));
    let document = json(&[
        "copy",
        "--quick",
        "--sizes",
        "8,64KiB",
        "--ranks",
        "1..3",
        "--json",
        "-",
        "--svg",
        svg.to_str().unwrap(),
    ]);
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3 * (2 * 3 + 8));
    for row in rows {
        assert!(
            row["seconds"].as_f64().unwrap() > 0.0 && row["same_seconds"].as_f64().unwrap() > 0.0,
            "{row}"
        );
        assert!(row["same_ratio"].as_f64().unwrap() > 0.0, "{row}");
    }
    let text = std::fs::read_to_string(&svg).unwrap();
    std::fs::remove_file(svg).unwrap();
    assert!(text.contains("<svg") && text.contains("put") && !text.contains("NaN"));
}

#[test]
fn all_ranks_can_copy_at_once() {
    let document =
        json(&["copy", "--quick", "--no-batches", "--all", "--ranks=3", "--sizes=4KiB", "--json=-"]);
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().all(|row| row["busy"] == 3), "{rows:?}");
}

#[test]
fn join_and_first_touch_are_measured() {
    let rows =
        json(&["join", "-n", "1,4", "--bytes", "2MiB", "--repeat", "1", "--json", "-"])["rows"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert!(rows[1]["own_bytes"].as_u64().unwrap() > 0);
    let document = json(&["touch", "--bytes", "4MiB", "--quick", "--json", "-"]);
    assert_eq!(document["rows"].as_array().unwrap().len(), 3);
    let busy = &document["machine"]["busy"];
    assert!(busy["load_before"].is_number() && busy["warnings"].is_array(), "{busy}");
}

#[test]
fn groups_are_measured_for_every_number_of_ranks_and_size() {
    let svg = std::env::temp_dir().join(format!("mf-perf-group-{}.svg", std::process::id()));
    let arguments =
        ["group", "--quick", "--ranks=1,3", "--sizes=8,100KiB", "--json=-", "--svg", svg.to_str().unwrap()];
    let rows = json(&arguments)["rows"].clone();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 2 * 3);
    for row in rows {
        assert!(
            row["seconds"].as_f64().unwrap() > 0.0 && row["plain_seconds"].as_f64().unwrap() > 0.0,
            "{row}"
        );
        assert_eq!(row["route"], "shared memory");
    }
    let text = std::fs::read_to_string(&svg).unwrap();
    std::fs::remove_file(svg).unwrap();
    assert!(text.contains("3 ranks, plain") && !text.contains("NaN"));
}

#[test]
fn oversized_measurements_are_refused() {
    let (success, _, error) = perf(&["copy", "--sizes", "1024TiB"]);
    assert!(!success && error.contains("does not fit into memory"), "{error}");
    for arguments in [&["copy", "--sizes", "0"][..], &["copy", "--ranks", "0"], &["join", "-n", "0"]] {
        assert!(!perf(arguments).0, "{arguments:?}");
    }
}

#[test]
fn raw_sockets_are_measured_for_every_size_and_setting() {
    let svg = std::env::temp_dir().join(format!("mf-perf-net-{}.svg", std::process::id()));
    let arguments =
        ["net", "--only-raw", "--quick", "--sizes=8,64KiB", "--connections=4", "--json=-", "--svg"];
    let document = json(&[&arguments[..], &[svg.to_str().unwrap()]].concat());
    let rows = document["rows"].as_array().unwrap();
    // 8 B: put, get, fetch-add, put with signal, many puts; 64 KiB: put and get, one or many in flight.
    assert_eq!(rows.len(), 2 * (5 + 4));
    for row in rows {
        let raw = row["raw"].as_array().unwrap();
        assert!(row["own"].is_null() && row["reached"].is_null(), "{row}");
        assert!(!raw.is_empty() && raw.iter().all(|one| one["seconds"].as_f64().unwrap() > 0.0), "{row}");
    }
    assert_eq!(rows.iter().filter(|row| row["tls"] == true).count(), 9);
    let text = std::fs::read_to_string(&svg).unwrap();
    std::fs::remove_file(svg).unwrap();
    assert!(text.contains("<svg") && !text.contains("NaN"));
}

#[test]
fn two_hosts_need_a_store_and_a_rank_each() {
    for arguments in [&["net", "--rank=0"][..], &["net", "--store=tcp://127.0.0.1:1"], &["net", "--rank=2"]] {
        let (success, _, error) = perf(arguments);
        assert!(!success && error.contains("--"), "{arguments:?}: {error}");
    }
}

#[test]
fn lines_have_a_row_for_every_call_and_a_join() {
    let words = "net --line 1ms,1Gbit --line 1ms,loss=1% --quick --sizes 8,64KiB --connections 1 --tls off \
                 --members 2 --json -";
    let (success, out, error) = perf(&words.split_whitespace().collect::<Vec<_>>());
    if !success && error.contains("unshare --user --map-root-user") {
        eprintln!("skipped: lines_have_a_row_for_every_call_and_a_join: {}", error.trim());
        return;
    }
    assert!(success, "{error}");
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["more"]["line_is"], "relay");
    assert!(document["more"]["packets_carried"].as_u64().unwrap() > 0, "{}", document["more"]);
    for line in ["1ms,1Gbit", "1ms,loss=1%"] {
        let rows = document["rows"].as_array().unwrap().iter().filter(|row| row["line"] == line);
        let calls: Vec<String> =
            rows.clone().map(|row| format!("{} {}", row["call"].as_str().unwrap(), row["bytes"])).collect();
        let expected = [
            "put 8",
            "get 8",
            "put 8",
            "put 65536",
            "get 65536",
            "put 65536",
            "store set 8",
            "store get 8",
            "barrier of the group 0",
            "barrier of the store 0",
            "join 0",
        ];
        assert_eq!(calls, expected, "{line}");
        for row in rows {
            assert!(row["own"]["seconds"].as_f64().unwrap() > 0.0, "{row}");
            let counts = ["put", "get"].iter().all(|call| row["call"] != *call);
            assert!(!counts || row["round_trips"].is_number(), "{row}");
        }
    }
}

#[test]
fn lines_are_described_and_malformed_ones_refused() {
    let (_, help, _) = perf(&["net", "--help"]);
    for word in ["--line", "--members", "loss=PART%", "reorder=", "hole=", "reroute=", "unshare"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    for (line, expected) in [("10", "round trip"), ("10ms,1G", "1Gbit"), ("10ms,jitter=1ms", "loss=")] {
        let (success, _, error) = perf(&["net", "--line", line]);
        assert!(!success && error.contains(expected), "{line}: {error}");
    }
    let (success, _, error) = perf(&["net", "--members", "8"]);
    assert!(!success && error.contains("--line"), "{error}");
}

#[test]
fn message_servers_are_compared_with_a_blocking_socket() {
    let document = json(&["acc", "--quick", "--links", "50", "--body", "1MiB", "--json", "-"]);
    let rows = document["rows"].as_array().unwrap();
    let found = |what: &str| rows.iter().find(|row| row["what"].as_str().unwrap().starts_with(what)).unwrap();
    for what in ["round trip, by callbacks", "round trip, waited for", "body, and an answer"] {
        assert!(found(what)["times_as_long"].as_f64().unwrap() > 0.0, "{what}");
    }
    for what in ["GET on one connection", "echo of 64 B", "messages of 64 B"] {
        assert!(found(what)["per_second"].as_f64().unwrap() > 0.0, "{what}");
    }
    assert_eq!(found("idle links")["links"], 50);
}

#[test]
fn hmc_has_rows_for_each_size_and_stream_stages() {
    let words = ["hmc", "--quick", "--stream=1MiB", "--json=-"];
    for (more, baseline, count) in [
        (&["--network=tls", "--sizes=64KiB"][..], "rustls", 3),
        (&["--network", "--sizes=8", "--conn=rdma"], "conn", 3),
        (&["--sizes=8,64KiB"], "memcpy", 4),
    ] {
        let document = json(&[&words[..], more].concat());
        let rows = document["rows"].as_array().unwrap();
        let tags = |row: &&Value| row["what"].as_str().unwrap().contains("tag");
        let others =
            rows.iter().filter(|row| !tags(row) && row["baseline"].as_str().unwrap().contains(baseline));
        assert_eq!(others.count(), count, "{rows:?}");
        // On one core, and on two where there are two; none is encrypted.
        let tags = rows.iter().filter(tags).count();
        assert!(if baseline == "rustls" { tags == 0 } else { matches!(tags, 3 | 6) }, "{rows:?}");
        assert!(rows.iter().all(|row| row["times_as_fast"].as_f64().unwrap() > 0.0), "{rows:?}");
        let stream = &document["more"]["streams"][0];
        assert!(
            stream["over_slowest"].as_f64().unwrap() > 0.0 && stream["stage_seconds"].is_null(),
            "{stream}"
        );
    }
    let (success, _, error) = perf(&["hmc", "--memory=gpu"]);
    assert!(!success && error.contains("cndrv"), "{error}");
}

#[test]
fn transfers_are_compared_with_other_copy_methods() {
    // Cargo builds it for no test.
    if !std::path::Path::new(env!("CARGO_BIN_EXE_mf-perf")).with_file_name("libmf_smem.so").is_file() {
        eprintln!(
            "skip mf perf transfer: libmf_smem.so is not built (would help: cargo build --package mf-capi)"
        );
        return;
    }
    let sizes =
        ["transfer", "--quick", "--sizes=8,64KiB", "--destinations=3", "--registrations=100", "--json=-"];
    let document = json(&sizes);
    let rows = document["rows"].as_array().unwrap();
    // Two kinds of memory: each size written and read, and two batches; the pool; many registrations.
    assert_eq!(rows.len(), 2 * (2 * 2 + 2) + 2);
    assert!(rows.iter().all(|row| row["times_as_fast"].as_f64().unwrap() > 0.0), "{rows:?}");
    let costs = document["more"]["costs"].as_array().unwrap();
    assert_eq!(costs.len(), 8, "{costs:?}");
    let document = json(&[&sizes[..], &["--network"]].concat());
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row["baseline"] == "blocking socket").count(), 8);
}
