// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Child processes that never outlive us.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal};

/// Makes the child of `command` end with this process, however that ends, even by `SIGKILL`.
///
/// The kernel ties the child to the *thread* that starts it: start it from a thread that lives as long as the
/// program.
pub fn end_with_this_process(command: &mut Command) {
    let parent = rustix::process::getpid();
    let in_child = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before the line above took effect.
        match rustix::process::getppid() {
            Some(now) if now == parent => Ok(()),
            _ => Err(rustix::io::Errno::SRCH.into()),
        }
    };
    // SAFETY: between fork and exec the closure makes two system calls; it allocates nothing and takes no
    // lock.
    unsafe { command.pre_exec(in_child) };
}

/// A command that starts this very program again, also when its file was replaced meanwhile.
pub fn ourselves(arguments: &[&str]) -> Command {
    let mut command = unbound(arguments);
    end_with_this_process(&mut command);
    command
}

/// The same for a child that outlives this process.
pub fn unbound(arguments: &[&str]) -> Command {
    let mut command = Command::new(own_program());
    command.arg0(own_name()).args(arguments);
    command
}

/// Name of the measurements, by which a file with several programs is called.
pub const MF_PERF: &str = "mf-perf";

/// True if a program was called by this name.
pub fn is_called(program: &OsStr, name: &str) -> bool {
    Path::new(program).file_name().is_some_and(|called| called == name)
}

/// The name by which this program starts itself: other names of `mf` have other commands.
fn own_name() -> &'static str {
    let is_perf = std::env::args_os().next().is_some_and(|program| is_called(&program, MF_PERF));
    if is_perf { MF_PERF } else { "mf" }
}

/// Starts the child of `command` in a session of its own: keys of the terminal and signals of our group do
/// not reach it.
pub fn in_own_session(command: &mut Command) {
    let in_child = || Ok(rustix::process::setsid().map(drop)?);
    // SAFETY: between fork and exec the closure makes one system call; it allocates nothing and takes no
    // lock.
    unsafe { command.pre_exec(in_child) };
}

/// The path of a program beside this one.
pub fn beside(name: &str) -> PathBuf {
    let own = own_program();
    // Resolved, because links to this program lie elsewhere.
    own.canonicalize().unwrap_or(own).with_file_name(name)
}

/// The path of this program; without /proc, the path it was executed by.
pub fn own_program() -> PathBuf {
    let link = PathBuf::from("/proc/self/exe");
    if link.exists() {
        return link;
    }
    let name = rustix::param::linux_execfn();
    std::path::absolute(OsStr::from_bytes(name.to_bytes())).unwrap_or(link)
}

/// The process id of a child as the kernel's calls want it.
pub fn pid_of(child: &std::process::Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}
