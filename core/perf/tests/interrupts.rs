// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ctrl-C ends measurements and the demonstration, with the status that shells know, and leaves no process.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

#[test]
fn members_end_with_their_starter() {
    let file = std::env::temp_dir().join(format!("mf-perf-interrupts-{}", std::process::id()));
    // Long enough that they are at work.
    fs::File::create(&file).unwrap().set_len(256 << 20).unwrap();
    for arguments in [&["demo", file.to_str().unwrap(), "-n", "2"][..], &["perf", "net"]] {
        let waiting = Waiting::start(arguments);
        let children = waiting.children();
        waiting.ends_by_ctrl_c(&format!("{arguments:?}"));
        are_gone(&children);
    }
    fs::remove_file(file).unwrap();
}

/// A command that waits.
struct Waiting(Child);

impl Waiting {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mf-perf"));
        command.args(arguments).env("MF_DEVICE", "none");
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Returns its children, once there are some.
    fn children(&self) -> Vec<String> {
        let file = format!("/proc/{0}/task/{0}/children", self.0.id());
        let mut found = Vec::new();
        until("it starts others", || {
            let children = fs::read_to_string(&file).unwrap();
            found = children.split_whitespace().map(str::to_owned).collect();
            !found.is_empty()
        });
        found
    }

    /// Only this process gets the signal, not its children.
    #[track_caller]
    fn ends_by_ctrl_c(mut self, what: &str) {
        kill_process(Pid::from_child(&self.0), Signal::INT).unwrap();
        let mut status = None;
        until(what, || {
            status = self.0.try_wait().unwrap();
            status.is_some()
        });
        let status = status.unwrap();
        // A shell reports both as 130.
        assert!(status.signal() == Some(2) || status.code() == Some(130), "{what}: {status}");
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[track_caller]
fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

fn is_running(pid: &str) -> bool {
    // A zombie has ended; it waits for its parent.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn are_gone(pids: &[String]) {
    until("the others end", || !pids.iter().any(|pid| is_running(pid)));
}
