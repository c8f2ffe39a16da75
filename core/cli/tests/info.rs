// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf info` from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

fn info(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mf"))
        .arg("info")
        .args(arguments)
        .env("MF_PREFAULT", "true")
        .env("MF_JOB_SECRET", "hunter2")
        .env("MF_LOG_LEVLE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn text_names_version_devices_and_limits() {
    let text = info(&[]);
    for part in [
        env!("CARGO_PKG_VERSION"),
        "0x00010003",
        "ascend",
        "cuda",
        "hip",
        "musa",
        "cndrv",
        "RLIMIT_AS",
        "huge pages",
        "symmetric heap",
        "heap of a PE",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn settings_show_value_origin_and_warnings_but_no_secret() {
    let text = info(&["--settings"]);
    for part in ["MF_PREFAULT", "[environment MF_PREFAULT]", "MF_HUGE_PAGES", "[default]", "MF_LOG_LEVLE"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(!text.contains("hunter2"));
}

#[test]
fn json_is_json_with_numbers() {
    let parsed: serde_json::Value = serde_json::from_str(&info(&["--json", "--settings"])).unwrap();
    assert!(parsed["memory"]["total"].as_u64().unwrap() > 0);
    assert_eq!(parsed["build"]["abi"], 0x0001_0003);
    assert_eq!(parsed["settings"]["MF_PREFAULT"]["value"], "true");
}

#[test]
fn unusable_setting_is_the_first_line_and_sets_the_exit_code() {
    let with = |arguments: &[&str]| {
        let mut mf = Command::new(env!("CARGO_BIN_EXE_mf"));
        mf.arg("info").args(arguments).env("MF_LOG_LEVEL", "foo").output().unwrap()
    };
    let output = with(&[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("error: settings: MF_LOG_LEVEL cannot be \"foo\""), "{first}");
    assert_eq!(text.matches("MF_LOG_LEVEL").count(), 1, "{text}");
    assert!(text.contains("RLIMIT_AS"), "{text}");
    let output = with(&["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let parsed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(parsed["error"]["settings"].as_str().unwrap().contains("foo"));
}

#[test]
fn unknown_settings_and_built_in_features_are_shown_by_default() {
    let text = info(&[]);
    for part in [
        "setting MF_LOG_LEVLE is unknown",
        "share memory",
        "transports tcp, ucx",
        "kernels for the simulator",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let parsed: serde_json::Value = serde_json::from_str(&info(&["--json"])).unwrap();
    let features = parsed["build"]["features"].as_array().unwrap();
    assert!(features.iter().any(|one| one == "big memory"));
    assert!(features.iter().all(|one| !one.as_str().unwrap().starts_with("no ")), "{features:?}");
    for one in parsed["build"]["not built in"].as_array().into_iter().flatten() {
        assert!(one["feature"].is_string() && one["reason"].is_string(), "{one}");
    }
}

/// Output about the launcher, with these variables and no other launcher's.
fn launched(variables: &[(&str, &str)]) -> (i32, String) {
    let mut mf = Command::new(env!("CARGO_BIN_EXE_mf"));
    for (name, _) in mf_base::settings::LAUNCHER_VARIABLES {
        mf.env_remove(name);
    }
    let output =
        mf.arg("info").env_remove("MF_CONFIG_STORE_URL").envs(variables.iter().copied()).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn rank_and_world_size_are_shown_with_their_origin() {
    let open_mpi = [
        ("OMPI_COMM_WORLD_RANK", "1"),
        ("OMPI_COMM_WORLD_SIZE", "4"),
        ("OMPI_COMM_WORLD_LOCAL_RANK", "1"),
        ("OMPI_COMM_WORLD_LOCAL_SIZE", "4"),
        ("PMIX_NAMESPACE", "no job of this name runs"),
    ];
    // Rank 1 of 4 waits for no other rank.
    let (code, text) = launched(&open_mpi);
    for part in
        ["rank 1 of 4, from Open MPI's OMPI_COMM_WORLD_RANK", "handed on between the ranks of this host"]
    {
        assert!(code == 0 && text.contains(part), "{part} is not in:\n{text}");
    }
    let (code, text) = launched(&[]);
    assert!(code == 0 && text.contains("no launcher has started this process"), "{text}");
    let (code, text) = launched(&[&open_mpi[..], &[("RANK", "0"), ("WORLD_SIZE", "1")]].concat());
    assert!(code == 1 && text.contains("two launchers disagree"), "{text}");
    let master = [("RANK", "1"), ("WORLD_SIZE", "2"), ("MASTER_ADDR", "no host"), ("MASTER_PORT", "29500")];
    let (code, text) = launched(&master);
    assert!(code == 1 && text.contains("\"no host\""), "{text}");
}

#[test]
fn unusable_library_is_reported() {
    let built = Path::new(env!("CARGO_BIN_EXE_mf"));
    let folder = std::env::temp_dir().join(format!("mf-library-{}", std::process::id()));
    let (bin, lib) = (folder.join("bin"), folder.join("lib"));
    fs::create_dir_all(&bin).and_then(|()| fs::create_dir_all(&lib)).unwrap();
    // By another process: a child that this one forks meanwhile could hold the file open for writing.
    assert!(Command::new("cp").arg(built).arg(&bin).status().unwrap().success());
    let run = |arguments: &[&str]| {
        let mut mf = Command::new(bin.join("mf"));
        mf.args(arguments).env_remove("LD_LIBRARY_PATH").output().unwrap()
    };
    // Nothing listens there.
    let place = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("tcp://{place}");
    let refusal = || {
        let output = run(&["store", "ls", &url, "--timeout", "1"]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    // Without the library the rest works.
    let output = run(&["--version"]);
    assert_eq!(output.stdout, format!("mf {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
    for arguments in [&["info"][..], &["completions", "bash"], &["certs", "--help"], &["explain"]] {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    let text = refusal();
    assert!(text.contains("the library cannot be opened") && text.contains("libmf_smem.so"), "{text}");
    // An installed tree without the links.
    symlink(built.with_file_name("libmf_smem.so"), lib.join("libmf_smem.so.0")).unwrap();
    let text = refusal();
    assert!(!text.contains("cannot be opened") && text.contains(&place.to_string()), "{text}");
    // The first place that has a file decides.
    let beside = bin.join("libmf_smem.so");
    fs::write(&beside, "no library").unwrap();
    let text = refusal();
    assert!(text.contains("cannot be opened") && text.contains(beside.to_str().unwrap()), "{text}");
    let source = "const char *mfx_version(void) { return \"9.9.9\"; }\n";
    fs::write(folder.join("other.c"), source).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&beside, &folder.join("other.c")])
        .status()
        .is_ok_and(|status| status.success());
    if compiled {
        let text = refusal();
        assert!(text.contains("version 9.9.9") && text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    } else {
        eprintln!("skip a library of another version: no C compiler (Debian: apt-get install gcc libc6-dev)");
    }
    fs::remove_dir_all(&folder).unwrap();
}
