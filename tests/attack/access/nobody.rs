// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This program again, in a process that then becomes another user. The user is changed after the start, so
//! that the program need not lie where that user may read.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use mf_tests::skip;

/// The user and group of the attacker.
pub(crate) const NOBODY: u32 = 65534;

/// A running attacker. Dropping it kills it.
pub(crate) struct Attacker {
    child: Child,
    lines: BufReader<ChildStdout>,
}

/// True if this test can attack as another user; prints the reason if not.
pub(crate) fn is_possible(test: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip(test, "only root can start a process of another user");
    }
    is_root
}

impl Attacker {
    /// Starts the ignored test `role` of this program with these variables.
    pub(crate) fn start(role: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MF_")) {
            command.env_remove(name);
        }
        command.args(["--exact", role, "--ignored", "--nocapture", "--test-threads=1"]);
        command.envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next text that it sends through [`report`].
    #[track_caller]
    pub(crate) fn printed(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the attacker ended without a word");
            if let Some(printed) = line.split_once(MARK) {
                return printed.1.trim_end().to_owned();
            }
        }
    }

    /// Lets it end ([`until_released`]), and checks that it succeeded.
    #[track_caller]
    pub(crate) fn release(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success(), "the attacker failed");
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Prefix of the attacker's output: the test runner prints on the same lines.
const MARK: &str = "attacker: ";

/// In the attacker: says something to the test.
pub(crate) fn report(text: &str) {
    println!("{MARK}{text}");
}

/// In the attacker: waits until the test needs it no more, or is gone.
pub(crate) fn until_released() {
    let _ = std::io::stdin().lock().read_line(&mut String::new());
}

/// In the attacker: drops to user `nobody`, in all threads and for good.
pub(crate) fn become_nobody() {
    // SAFETY: a system call without memory.
    let groups = unsafe { libc::setgroups(0, std::ptr::null()) };
    // SAFETY: a system call without memory.
    let group = unsafe { libc::setresgid(NOBODY, NOBODY, NOBODY) };
    // SAFETY: a system call without memory.
    let user = unsafe { libc::setresuid(NOBODY, NOBODY, NOBODY) };
    assert_eq!((groups, group, user), (0, 0, 0), "{}", std::io::Error::last_os_error());
    assert_eq!(rustix::process::geteuid().as_raw(), NOBODY);
}

/// In the attacker: a variable that the test gave.
pub(crate) fn given(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: another test starts this one"))
}
