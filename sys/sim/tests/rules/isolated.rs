// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Runs the body of a test in fresh processes of this very program.
//!
//! ```ignore
//! #[test]
//! fn s9_size_zero_is_refused() {
//!     isolated::run(&[("DEVICES", "2")], || { … });
//! }
//!
//! #[test]
//! fn s33_import_by_an_unlisted_process() {
//!     isolated::crew(2, &[], |rank, board| {
//!         if rank == 0 { board.post("handle", &bytes); board.take("done"); }
//!         else { let bytes = board.take("handle"); …; board.post("done", b""); }
//!     });
//! }
//! ```
#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const RANK: &str = "SIM_TEST_RANK";
const BOARD: &str = "SIM_TEST_BOARD";
const CALL: &str = "SIM_TEST_CALL";
/// Longest life of one process, and of one wait on the board.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs `body` in a separate process; knobs are named without their prefix, other variables as `=NAME`.
pub(crate) fn run(knobs: &[(&str, &str)], body: impl FnOnce()) {
    crew(1, knobs, |_, _| body());
}

/// Runs `body` in a separate process, which must be killed by this signal.
pub(crate) fn dies(signal: i32, knobs: &[(&str, &str)], body: impl FnOnce()) {
    members(1, knobs, Some(signal), |_, _| {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: a valid limit; a death on purpose leaves no memory image.
        unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
        body();
    });
}

/// Runs `body` in `size` processes on one simulated machine. Fails when one of them fails or does not end in
/// time.
pub(crate) fn crew(size: usize, knobs: &[(&str, &str)], body: impl FnOnce(usize, &Board)) {
    members(size, knobs, None, body);
}

/// Returns true in a process of a crew, false in the one that starts it.
pub(crate) fn is_member() -> bool {
    std::env::var_os(RANK).is_some()
}

fn members(size: usize, knobs: &[(&str, &str)], death: Option<i32>, body: impl FnOnce(usize, &Board)) {
    let call = next_call();
    if let Ok(rank) = std::env::var(RANK) {
        if std::env::var(CALL).unwrap() != call.to_string() {
            return;
        }
        let board = Board { folder: PathBuf::from(std::env::var(BOARD).unwrap()) };
        body(rank.parse().unwrap(), &board);
        return;
    }
    let mut members: Vec<Member> = Vec::new();
    let folder = Folder::new();
    for rank in 0..size {
        members.push(Member(start(rank, call, &folder, knobs)));
    }
    let end = Instant::now() + TIMEOUT;
    let mut failed = Vec::new();
    for (rank, member) in members.iter_mut().enumerate() {
        if let Err(why) = member.finish(end, death) {
            failed.push(format!("process {rank}: {why}"));
        }
    }
    drop(members);
    for rank in 0..size {
        // A program that finds no test of that name ends well, too.
        let printed = fs::read_to_string(folder.0.join(output(rank))).unwrap();
        assert!(printed.contains("running 1 test"), "process {rank} did not run the test: {printed}");
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Which of the crews of this test comes now: a member is of one of them.
fn next_call() -> usize {
    thread_local! {
        static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    CALLS.replace(CALLS.get() + 1)
}

fn start(rank: usize, call: usize, folder: &Folder, knobs: &[(&str, &str)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // The test harness names the thread of a test after the test.
    let test = std::thread::current().name().unwrap().to_owned();
    command.args(["--exact", &test, "--nocapture", "--test-threads=1"]);
    command.env(RANK, rank.to_string()).env(BOARD, &folder.0).env(CALL, call.to_string());
    command.env("ASCEND_SIM_SESSION", folder.0.file_name().unwrap());
    for (knob, value) in knobs {
        let name = knob.strip_prefix('=').map_or_else(|| format!("ASCEND_SIM_{knob}"), str::to_owned);
        command.env(name, value);
    }
    let printed = fs::File::create(folder.0.join(output(rank))).unwrap();
    command.stdin(Stdio::null()).stdout(printed).spawn().unwrap()
}

/// Returns the file for the output of a process.
fn output(rank: usize) -> String {
    format!(".output-{rank}")
}

struct Member(Child);

impl Member {
    fn finish(&mut self, end: Instant, death: Option<i32>) -> Result<(), String> {
        loop {
            match self.0.try_wait().unwrap() {
                Some(status) if death.is_some() && status.signal() == death => return Ok(()),
                Some(status) if death.is_some() => return Err(format!("did not die as it should: {status}")),
                // A body that ends itself on purpose says so by this number.
                Some(status) if status.success() || status.code() == Some(Board::ENDED) => return Ok(()),
                Some(status) if killed_on_purpose(status) => return Ok(()),
                Some(status) => return Err(status.to_string()),
                None if Instant::now() > end => return Err("did not end in time".to_owned()),
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Tests kill processes by SIGKILL to inspect the leftovers; every other signal is a failure.
fn killed_on_purpose(status: std::process::ExitStatus) -> bool {
    status.signal() == Some(libc::SIGKILL)
}

/// Notes that the processes of a crew leave for each other.
pub(crate) struct Board {
    folder: PathBuf,
}

impl Board {
    /// Exit status of a process that ends itself on purpose.
    pub(crate) const ENDED: i32 = 77;

    /// Leaves a note.
    pub(crate) fn post(&self, name: &str, bytes: &[u8]) {
        let draft = self.folder.join(format!(".{name}.{}", std::process::id()));
        fs::write(&draft, bytes).unwrap();
        fs::rename(draft, self.folder.join(name)).unwrap();
    }

    /// Returns true if a note exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.join(name).exists()
    }

    /// Returns a path for files of a test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Waits for a note.
    pub(crate) fn take(&self, name: &str) -> Vec<u8> {
        let end = Instant::now() + TIMEOUT;
        loop {
            match fs::read(self.folder.join(name)) {
                Ok(bytes) => return bytes,
                Err(_) if Instant::now() < end => std::thread::sleep(Duration::from_millis(1)),
                Err(error) => panic!("nobody posted {name}: {error}"),
            }
        }
    }

    /// Waits for all `size` processes to get here.
    pub(crate) fn meet(&self, name: &str, rank: usize, size: usize) {
        self.post(&format!("{name}-{rank}"), b"");
        for other in 0..size {
            self.take(&format!("{name}-{other}"));
        }
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("ascend-sim-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
