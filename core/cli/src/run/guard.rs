// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The guard of a job: a process that kills the groups of the ranks once the launcher has died.
//!
//! The kernel's parent-death signal reaches the direct child only: of a wrapper script, the shell, and not
//! the program that the shell has started. A killed launcher cannot clean up, so another process must. The
//! guard reads a pipe from the launcher: a number for each group that begins, its negative once the group has
//! ended. At the end of the pipe, groups that have not ended are killed.
//!
//! The guard is this program by another name in a session of its own: terminal input, and signals to the
//! launcher's group or name, do not reach it. It touches neither the standard streams nor the terminal, so
//! that ranks, Ctrl-C and input are as without it.

use std::collections::HashSet;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use mf_base::Result;
use mf_program::child;
use rustix::process::{Pid, Signal};

use super::failed;

/// Name of the hidden command.
pub(crate) const COMMAND: &str = "guard";
/// Bytes of a process id in the pipe. Writes of so few are atomic.
const NUMBER_BYTES: usize = size_of::<i32>();

/// The guard, seen by the launcher. Dropping it kills the groups that have not ended.
pub(super) struct Guard {
    process: Child,
    pipe: Option<OwnedFd>,
}

impl Guard {
    /// # Errors
    /// `Failed` if the process does not start.
    pub(super) fn start() -> Result<Self> {
        let mut command = child::unbound(&[COMMAND]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
        child::in_own_session(&mut command);
        let mut process =
            command.spawn().map_err(|error| failed("the guard of the ranks cannot be started", error))?;
        let pipe = process.stdin.take().map(OwnedFd::from);
        Ok(Self { process, pipe })
    }

    /// Makes the child of `command` report itself before it becomes the program, so that no moment is left in
    /// which it has children and the guard does not know it. The child leads a process group.
    pub(super) fn watch(&self, command: &mut Command) {
        let Some(pipe) = self.pipe.as_ref().map(AsRawFd::as_raw_fd) else { return };
        let in_child = move || {
            let number = rustix::process::getpid().as_raw_nonzero().get().to_ne_bytes();
            // SAFETY: the child has inherited the launcher's descriptor, open until exec; so many bytes of an
            // array. A guard that was killed is no reason not to start.
            unsafe { libc::write(pipe, number.as_ptr().cast(), number.len()) };
            Ok(())
        };
        // SAFETY: between fork and exec the closure makes two system calls; it allocates nothing and takes no
        // lock.
        unsafe { command.pre_exec(in_child) };
    }

    /// Takes a group off the list, before its number may belong to another one.
    pub(super) fn forget(&self, group: Pid) {
        let number = (-group.as_raw_nonzero().get()).to_ne_bytes();
        if let Some(pipe) = &self.pipe {
            // Fails only if the guard was killed.
            let _ = rustix::io::write(pipe.as_fd(), &number);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.pipe.take());
        // A zombie would stay if no init reaps orphans.
        let _ = self.process.wait();
    }
}

/// Runs the guard. Blocks until the launcher has ended.
pub(crate) fn main() -> u8 {
    for group in left_in(std::io::stdin().lock()) {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
    0
}

/// The groups that have begun and not ended when the pipe ends.
fn left_in(mut pipe: impl Read) -> HashSet<Pid> {
    let mut groups = HashSet::new();
    let mut number = [0; NUMBER_BYTES];
    loop {
        match pipe.read_exact(&mut number) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return groups,
        }
        let number = i32::from_ne_bytes(number);
        let Some(group) = number.checked_abs().and_then(Pid::from_raw) else { continue };
        if number > 0 {
            groups.insert(group);
        } else {
            groups.remove(&group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ended_process_groups_are_not_signalled() {
        let bytes: Vec<u8> =
            [7, 8, 9, -8, 8, -7, 0, i32::MIN].iter().flat_map(|n: &i32| n.to_ne_bytes()).collect();
        // A truncated number is ignored.
        let left = left_in(&[&bytes[..], &[1, 0]].concat()[..]);
        let expected = [8, 9].map(|number| Pid::from_raw(number).unwrap());
        assert_eq!(left, HashSet::from(expected));
    }
}
