// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli` from outside: its commands, their refusals and their exit codes.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with the program by its other name; gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mfcli-test-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("bin")).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mf"), path.join("bin/mfcli")).unwrap();
        Self(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.0.join("bin/mfcli"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MF_")) {
            command.env_remove(name);
        }
        command.args(arguments).env("XDG_DATA_HOME", self.0.join("data")).current_dir(&self.0);
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str], code: i32, text: &str) {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(text), "{arguments:?}: {error}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_command_has_help_and_unknown_ones_are_refused() {
    let folder = Folder::new("help");
    assert!(folder.done(&["version"]).starts_with("interface 1.3\nmemfabric-rs "));
    for command in [
        &["--help"][..],
        &["version", "--help"],
        &["kernel", "--help"],
        &["kernel", "install", "--help"],
        &["kernel", "info", "--help"],
        &["kernel", "version", "--help"],
        &["kernel", "uninstall", "--help"],
        &["mem", "scan", "--help"],
        &["logs", "--help"],
    ] {
        assert!(folder.done(command).contains("Usage: mfcli"), "{command:?}");
    }
    folder.refused(&[], 2, "Usage: mfcli");
    folder.refused(&["nonsense"], 2, "nonsense");
    folder.refused(&["kernel", "install", "--soc-version", "A9"], 2, "A9");
}

#[test]
fn kernels_are_installed_shown_and_removed() {
    let folder = Folder::new("kernels");
    let file = folder.0.join("data/memfabric/kernels/memfabric_kernels_sim.o");
    assert!(folder.done(&["kernel", "version"]).starts_with("kernels "));
    if !folder.done(&["kernel", "info"]).lines().any(|line| line.starts_with("sim") && line.contains("yes")) {
        folder.refused(&["kernel", "install", "--soc-version", "sim"], 1, "no such kernels");
        return;
    }
    let installed = folder.done(&["kernel", "install", "--soc-version", "SIM"]);
    assert!(installed.contains(&file.display().to_string()), "{installed}");
    assert!(folder.done(&["kernel", "info"]).contains(&file.display().to_string()));
    fs::write(&file, "something else").unwrap();
    assert!(folder.done(&["kernel", "info"]).contains("of another build"));
    folder.done(&["kernel", "install"]);
    assert!(fs::read(&file).unwrap().len() > 1000);
    assert!(folder.done(&["kernel", "uninstall"]).contains("removed"));
    assert!(!file.exists() && !file.parent().unwrap().exists());
    assert!(folder.done(&["kernel", "uninstall"]).contains("nothing is installed"));
    // A folder that cannot be made.
    let output = folder.command(&["kernel", "install"]).env("XDG_DATA_HOME", "/proc/none").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let homeless =
        folder.command(&["kernel", "install"]).env_remove("XDG_DATA_HOME").env_remove("HOME").output();
    let homeless = homeless.unwrap();
    assert!(
        homeless.status.code() == Some(1)
            && String::from_utf8_lossy(&homeless.stderr).contains("XDG_DATA_HOME")
    );
}

#[test]
fn memory_is_scanned() {
    let folder = Folder::new("memory");
    if !Path::new("/proc/self/numa_maps").exists() {
        folder.refused(&["mem", "scan"], 1, "numa_maps");
        return;
    }
    let all = folder.done(&["mem", "scan", "-m", "0", "-w", "2"]);
    assert!(all.contains("node") && all.contains("mfcli"), "{all}");
    let none = folder.done(&["mem", "scan", "--min-mb", "99999999"]);
    assert!(!none.contains("mfcli"), "{none}");
    folder.refused(&["mem", "scan", "-n", "4000000000"], 1, "no such memory node");
    folder.refused(&["mem", "scan", "--workers", "0"], 2, "--workers");
}

#[test]
fn logs_are_collected_with_reports() {
    let folder = Folder::new("logs");
    let logs = folder.0.join("logs");
    fs::create_dir_all(logs.join("a folder")).unwrap();
    fs::write(logs.join("one.log"), "first").unwrap();
    fs::write(folder.0.join("two.log"), "second").unwrap();
    let said =
        folder.done(&["logs", "--path", "logs", "--path", "two.log", "--hours", "1", "--output", "out"]);
    assert!(said.starts_with("2 log files and 2 reports"), "{said}");
    assert_eq!(fs::read_to_string(folder.0.join("out/0000-one.log")).unwrap(), "first");
    assert_eq!(fs::read_to_string(folder.0.join("out/0001-two.log")).unwrap(), "second");
    assert!(fs::read_to_string(folder.0.join("out/info.txt")).unwrap().contains("version"));
    assert!(fs::read_to_string(folder.0.join("out/info.json")).unwrap().starts_with('{'));
    folder.refused(&["logs", "--output", "out"], 1, "out");
    folder.refused(&["logs", "--path", "missing", "--output", "other"], 1, "missing");
    let output = folder.command(&["logs"]).env("MF_LOG_PATH", &logs).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("1 log files"), "{output:?}");
}

#[test]
fn logs_have_the_options_of_the_release() {
    let folder = Folder::new("options");
    let plog = folder.0.join("plog/debug/plog");
    fs::create_dir_all(&plog).unwrap();
    fs::write(plog.join("plog-1.log"), "of CANN").unwrap();
    fs::write(folder.0.join("large.log"), vec![b'x'; (1 << 20) + 1]).unwrap();
    let logs = |arguments: &[&str]| {
        let mut command = folder.command(&["logs", "--path", "large.log", "--hours=1"]);
        let command = command.args(arguments).env("ASCEND_PROCESS_LOG_PATH", folder.0.join("plog"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let [said, _] = logs(&["--no-dmesg", "--output=all"]);
    assert!(said.starts_with("2 log files"), "{said}");
    assert_eq!(fs::read_to_string(folder.0.join("all/0001-plog-1.log")).unwrap(), "of CANN");
    let [said, noted] = logs(&["--no-dmesg", "--max-size=1", "--output=small"]);
    assert!(said.starts_with("1 log files") && noted.contains("1 log files are left out"), "{said}{noted}");
    let [said, noted] = logs(&["--no-plog", "--output-dir=plog"]);
    assert!(said.starts_with("1 log files"), "{said}");
    let made = fs::read_dir(folder.0.join("plog")).unwrap().map(|entry| entry.unwrap().path());
    let made = made.filter(|path| path.display().to_string().contains("mf-logs-")).collect::<Vec<_>>();
    let [made] = &made[..] else { panic!("{made:?}") };
    assert!(made.join("dmesg.txt").exists() || noted.contains("the kernel's messages"), "{noted}");
    folder.refused(&["logs", "--output-dir", "plog", "--output", "other"], 2, "cannot be used with");
}
