// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf`, `mf demo` and `mfcli benchmark` start the program `mf-perf` beside `mf`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder with a copy of `mf` and its other name; removed on drop.
struct Installed(PathBuf);

impl Installed {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mf-measurements-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        // By other processes: a child that this one forks meanwhile could hold the file open for writing.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_mf")).arg(folder.join("mf")).status();
        assert!(copied.unwrap().success());
        symlink("mf", folder.join("mfcli")).unwrap();
        Self(folder)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.0.join(program));
        command.args(arguments).stdin(Stdio::null()).output().unwrap()
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const COMMANDS: [(&str, &[&str]); 3] = [
    ("mf", &["perf", "net", "--sizes", "8", "--store", "tcp://10.0.0.1:7010", "--rank", "1"]),
    ("mf", &["demo", "a file", "-n", "2"]),
    ("mfcli", &["benchmark", "write", "--copysize", "1MiB"]),
];

#[test]
fn missing_program_is_named_with_a_remedy() {
    let installed = Installed::new("missing");
    for (program, arguments) in COMMANDS {
        let output = installed.run(program, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        assert!(error.contains("install mf-perf beside mf"), "{arguments:?}: {error}");
        assert!(error.contains(installed.0.join("mf-perf").to_str().unwrap()), "{arguments:?}: {error}");
    }
}

#[test]
fn help_and_wrong_arguments_need_no_other_program() {
    let installed = Installed::new("help");
    let help = installed.run("mf", &["perf", "copy", "--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    assert!(help.status.success() && text.contains("Usage: mf perf copy [OPTIONS]"), "{help:?}");
    let wrong = installed.run("mf", &["perf", "copy", "--ranks", "0"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

#[test]
fn arguments_and_exit_code_are_passed_on() {
    let installed = Installed::new("passed");
    let program = installed.0.join("mf-perf");
    let script = "printf '%s\\n' '#!/bin/sh' 'printf \"%s\\n\" \"$@\"' 'exit 7' >\"$0\" && chmod +x \"$0\"";
    assert!(Command::new("sh").arg("-c").arg(script).arg(&program).status().unwrap().success());
    for (program, arguments) in COMMANDS {
        let output = installed.run(program, arguments);
        assert_eq!(output.status.code(), Some(7), "{arguments:?}: {output:?}");
        let words: Vec<&str> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
        assert_eq!(words, arguments);
    }
}
