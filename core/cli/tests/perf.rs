// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf` and `mfcli benchmark`, which become the program `mf-perf`.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a copy of `mf`, its library, and `mfcli`.
struct Installed(PathBuf);

impl Installed {
    fn new(name: &str) -> Self {
        let built = Path::new(env!("CARGO_BIN_EXE_mf"));
        let folder = std::env::temp_dir().join(format!("mf-perf-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        // By another process: a child that this one forks meanwhile could hold the file open for writing.
        assert!(Command::new("cp").arg(built).arg(&folder).status().unwrap().success());
        symlink(built.with_file_name("libmf_smem.so"), folder.join("libmf_smem.so")).unwrap();
        symlink("mf", folder.join("mfcli")).unwrap();
        Self(folder)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(self.0.join(program)).args(arguments).output().unwrap()
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn all_arguments_reach_mf_perf() {
    let installed = Installed::new("arguments");
    // By another process, as above.
    let script = r#"printf '#!/bin/sh\necho "$@"\nexit 3\n' >mf-perf && chmod +x mf-perf"#;
    let mut shell = Command::new("sh");
    assert!(shell.args(["-c", script]).current_dir(&installed.0).status().unwrap().success());
    for (name, typed, expected) in [
        ("mf", &["perf", "copy", "--quick", "--sizes", "8"][..], "copy --quick --sizes 8\n"),
        ("mf", &["perf", "--help"], "--help\n"),
        ("mf", &["perf", "net", "tcp://a:1", "--rank=0"], "net tcp://a:1 --rank=0\n"),
        ("mf", &["perf"], "\n"),
        ("mfcli", &["benchmark", "read", "-h"], "benchmark read -h\n"),
    ] {
        let output = installed.run(name, typed);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}

#[test]
fn absent_mf_perf_is_reported_with_the_command_that_builds_it() {
    let installed = Installed::new("absent");
    for (name, typed) in [("mf", &["perf", "copy"][..]), ("mfcli", &["benchmark", "read"])] {
        let output = installed.run(name, typed);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let path = installed.0.join("mf-perf");
        assert!(error.contains(path.to_str().unwrap()), "{error}");
        assert!(error.contains("cargo build --release -p mf-perf"), "{error}");
    }
    let help = installed.run("mf", &["--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("  perf "), "{help:?}");
}
