// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The guard of a command that runs beside `mf sim`, on a layout in a temporary folder: once `mf sim` was
//! killed, it kills the programs of the command, and removes the folder.
//!
//! The command shares the group and the terminal of `mf sim`, so unlike a rank of `mf run` it has no group to
//! kill. Its programs are known by their environment, in which the folder's name stands, of which there is
//! one. A program that has cleared its environment is left, and so are all where there is no /proc: then the
//! parent-death signal ends the command itself.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::time::Duration;

use mf_base::Result;
use mf_program::child;
use rustix::process::{Pid, Signal, kill_process};

use super::failed;

/// Name of the hidden command.
pub(crate) const COMMAND: &str = "sim-guard";
/// Scans of the processes until none is left, and the pause between two. One that forks at this moment is
/// found by the next scan.
const SCANS: u32 = 500;
const PAUSE: Duration = Duration::from_millis(10);

/// Arguments of the hidden command.
#[derive(clap::Args)]
pub(crate) struct Args {
    folder: PathBuf,
}

/// The guard, seen by `mf sim`. Dropping it ends it without a consequence.
pub(super) struct Guard {
    process: Child,
    pipe: Option<ChildStdin>,
}

impl Guard {
    /// # Errors
    /// `Failed` if the process does not start.
    pub(super) fn start(folder: &Path) -> Result<Self> {
        let mut command = child::unbound(&[COMMAND]);
        command
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/");
        child::in_own_session(&mut command);
        let mut process =
            command.spawn().map_err(|error| failed("the guard of the command cannot be started", error))?;
        let pipe = process.stdin.take();
        Ok(Self { process, pipe })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.pipe.take() {
            // Fails only if the guard was killed.
            let _ = pipe.write_all(b"e");
        }
        // A zombie would stay if no init reaps orphans.
        let _ = self.process.wait();
    }
}

/// Runs the guard. Blocks until `mf sim` has ended.
pub(crate) fn main(args: &Args) -> u8 {
    if was_killed(std::io::stdin().lock()) {
        for _ in 0..SCANS {
            let programs = programs_of(&args.folder);
            if programs.is_empty() {
                break;
            }
            for program in programs {
                // It may have ended meanwhile.
                let _ = kill_process(program, Signal::KILL);
            }
            std::thread::sleep(PAUSE);
        }
        let _ = fs::remove_dir_all(&args.folder);
    }
    0
}

/// True if the pipe ends without a message.
fn was_killed(mut pipe: impl Read) -> bool {
    loop {
        match pipe.read(&mut [0]) {
            Ok(count) => return count == 0,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}

/// The processes with the folder in their environment.
fn programs_of(folder: &Path) -> Vec<Pid> {
    let name = folder.as_os_str().as_bytes();
    if name.is_empty() {
        return Vec::new();
    }
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let has_folder = |environment: &[u8]| environment.windows(name.len()).any(|window| window == name);
    processes
        .flatten()
        .filter_map(|process| {
            let pid = process.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
            // Of another user, or gone.
            let environment = fs::read(process.path().join("environ")).ok()?;
            (pid != rustix::process::getpid() && has_folder(&environment)).then_some(pid)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_closed_without_message_is_a_death() {
        assert!(was_killed(&b""[..]));
        assert!(!was_killed(&b"e"[..]));
    }

    #[test]
    fn programs_are_found_by_the_folder_in_their_environment() {
        let folder = std::env::temp_dir().join(format!("mf-sim-guard-{}", std::process::id()));
        assert!(programs_of(&folder).is_empty());
        let mut program = std::process::Command::new("sleep")
            .arg("600")
            .env("LD_LIBRARY_PATH", format!("{}/lib64:/elsewhere", folder.display()))
            .spawn()
            .unwrap();
        assert_eq!(programs_of(&folder), [child::pid_of(&program).unwrap()]);
        program.kill().unwrap();
        program.wait().unwrap();
        assert!(programs_of(&folder).is_empty());
    }
}
