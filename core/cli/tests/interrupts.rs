// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ctrl-C ends every wait of every command, with the status that shells know, and leaves nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// A command that waits.
struct Waiting(Child);

impl Waiting {
    fn start(arguments: &[&str], environment: &[(&str, &Path)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
        command.args(arguments).envs(environment.iter().copied()).env("MF_DEVICE", "none");
        Self(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Next lines of output.
    fn lines(&mut self) -> impl Iterator<Item = String> + use<> {
        BufReader::new(self.0.stdout.take().unwrap()).lines().map(|line| line.unwrap())
    }

    /// Processes that it has started, once there are some.
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

/// A place where a connection is taken, and nothing is ever said.
fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

#[test]
fn interrupt_ends_commands_waiting_for_a_reply() {
    let (listener, address) = silent();
    listener.set_nonblocking(true).unwrap();
    let url = format!("tcp://{address}");
    let (_second, second) = silent();
    let two = format!("{url},{second}");
    for arguments in [
        &["store", "get", &url, "key", "--wait", "--timeout", "600"][..],
        &["store", "set", &url, "key", "value", "--timeout", "600"],
        &["store", "add", &url, "key", "--timeout", "600"],
        &["store", "delete", &url, "key", "--timeout", "600"],
        &["store", "ls", &url, "--timeout", "600"],
        &["store", "watch", &url, "key", "--timeout", "600"],
        &["store", "members", &url, "--timeout", "600"],
        &["store", "status", &url, "--timeout", "600"],
        &["store", "hang", &url, "--timeout", "600"],
        &["store", "serve", &two, "--standby"],
        &["top", &url, "--timeout", "600"],
        &["top", &url, "--timeout", "600", "--web", "127.0.0.1:0"],
        &["explain", "0:1", "--store", &url],
        &["doctor", "--reach", &address],
    ] {
        let waiting = Waiting::start(arguments, &[]);
        let mut taken = None;
        until(&format!("{arguments:?} connects"), || {
            taken = listener.accept().ok();
            taken.is_some()
        });
        waiting.ends_by_ctrl_c(&format!("{arguments:?}"));
        drop(taken);
    }
}

#[test]
fn interrupt_ends_commands_that_run_forever() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("tcp://127.0.0.1:{port}");
    let mut store = Waiting::start(&["store", "serve", &url], &[]);
    let mut printed = store.lines();
    assert!(printed.next().unwrap().contains(&url));
    let set = Command::new(env!("CARGO_BIN_EXE_mf")).args(["store", "set", &url, "key", "value"]).status();
    assert!(set.unwrap().success());
    for arguments in [
        &["store", "watch", &url, "key", "--existing"][..],
        &["top", &url],
        &["top", &url, "--json"],
        &["top", &url, "--web", "127.0.0.1:0"],
        &["doctor", "--listen", "127.0.0.1:0"],
    ] {
        let mut waiting = Waiting::start(arguments, &[]);
        // Read until the end: a closed output would end it, too.
        let mut lines = waiting.lines();
        assert!(lines.next().is_some());
        waiting.ends_by_ctrl_c(&format!("{arguments:?}"));
    }
    // A page with a viewer that waits for a stopped store.
    let mut viewer = Waiting::start(&["top", &url, "--timeout", "600", "--web", "127.0.0.1:0"], &[]);
    let mut lines = viewer.lines();
    let line = lines.next().unwrap();
    let address = line.rsplit_once("http://").unwrap().1.trim_end_matches('/').to_owned();
    let mut reader = TcpStream::connect(address).unwrap();
    reader.write_all(b"GET /events HTTP/1.1\r\n\r\n").unwrap();
    let mut events = BufReader::new(reader).lines().map(|line| line.unwrap());
    assert!(events.any(|line| line.starts_with("data: ")));
    kill_process(Pid::from_child(&store.0), Signal::STOP).unwrap();
    viewer.ends_by_ctrl_c("a viewer of a store that is stopped");
    kill_process(Pid::from_child(&store.0), Signal::CONT).unwrap();
    store.ends_by_ctrl_c("a store");
    TcpListener::bind(("127.0.0.1", port)).expect("the port is free again");
}

#[test]
fn interrupted_commands_end_their_children() {
    let mut run = Waiting::start(&["run", "-n", "2", "--", "sh", "-c", "echo $$; exec sleep 600"], &[]);
    let mut lines = run.lines();
    let ranks: Vec<String> =
        lines.by_ref().take(2).map(|line| line.split_once(' ').unwrap().1.to_owned()).collect();
    run.ends_by_ctrl_c("a job");
    are_gone(&ranks);
    // Long enough that they are at work.
    let scratch = Scratch::new("demo");
    let file = scratch.0.join("zeros").display().to_string();
    fs::File::create(&file).unwrap().set_len(256 << 20).unwrap();
    let mut commands = vec![vec!["demo", &file, "-n", "2"]];
    if Path::new(env!("CARGO_BIN_EXE_mf")).with_file_name("mf-perf").exists() {
        commands.push(vec!["perf", "net"]);
    } else {
        eprintln!("skip mf perf: no mf-perf beside mf; cargo build -p mf-perf");
    }
    for arguments in commands {
        let waiting = Waiting::start(&arguments, &[]);
        let children = waiting.children();
        waiting.ends_by_ctrl_c(&format!("{arguments:?}"));
        are_gone(&children);
    }
}

/// A folder of this test, for folders that commands make for a while.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mf-interrupts-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn interrupted_compiler_leaves_no_folder() {
    let (scratch, made) = (Scratch::new("tools"), Scratch::new("made"));
    let [compiler, source] = ["c++", "kernel.cpp"].map(|name| scratch.0.join(name));
    // It only ends with this test.
    let (listener, address) = silent();
    let port = address.rsplit_once(':').unwrap().1;
    fs::write(&compiler, format!("#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/{port}\nread -u 3 line\n"))
        .unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(&source, "").unwrap();
    let (source, output) = (source.display().to_string(), scratch.0.join("kernel.so").display().to_string());
    let arguments = ["kernel", "build", &source, "-o", &output];
    let building = Waiting::start(
        &arguments,
        &[("CXX", &compiler), ("TMPDIR", &made.0), ("XDG_CACHE_HOME", &scratch.0)],
    );
    let compiling = listener.accept().unwrap();
    assert_eq!(fs::read_dir(&made.0).unwrap().count(), 1);
    building.ends_by_ctrl_c("a build");
    assert_eq!(fs::read_dir(&made.0).unwrap().count(), 0);
    drop(compiling);
}
