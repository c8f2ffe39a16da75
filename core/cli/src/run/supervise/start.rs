// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Start of a rank.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use mf_base::{Error, Kind, Result};
use mf_program::child::{end_with_this_process, pid_of};
use mf_program::output::note;
use rustix::fs::OFlags;
use rustix::process::Resource;

use super::{Rank, Stream};
use crate::run::environment;
use crate::run::guard::Guard;
use crate::run::line_prefix::{Lines, prefix};
use crate::run::{OPERATION, failed};

/// Starts one rank. The error becomes the result of the whole command: a code for a command that cannot be
/// started, as shells have it, an error for everything else.
pub(super) fn start(
    job: &environment::Job,
    command: &[OsString],
    rank: u32,
    prefixed: bool,
    guard: &Guard,
) -> Result<Rank, Result<u8>> {
    let [program, arguments @ ..] = command else {
        return Err(Err(Error::invalid(OPERATION, "no command")));
    };
    let mut process = Command::new(program);
    let has_input = job.stdin_to_first && rank == 0;
    // A separate process group may not read the terminal, so terminal input goes through a pipe.
    let is_typed = has_input && std::io::stdin().is_terminal();
    process.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    process.stdin(match has_input {
        true if is_typed => Stdio::piped(),
        true => Stdio::inherit(),
        false => Stdio::null(),
    });
    process.envs(environment::variables(job, rank)).process_group(0);
    process.envs(job.further.iter().map(|(name, value)| (name, value)));
    for (name, value) in environment::defaults(job.ranks) {
        if std::env::var_os(name).is_none() {
            process.env(name, value);
        }
    }
    end_with_this_process(&mut process);
    guard.watch(&mut process);
    let mut child = process.spawn().map_err(|error| cannot_start(job.words.command, program, error))?;
    if let Some(mut input) = child.stdin.take() {
        // Ends with the input, with the rank that reads it, or with this process.
        std::thread::spawn(move || std::io::copy(&mut std::io::stdin().lock(), &mut input));
    }
    let labels = [std::io::stdout().is_terminal(), std::io::stderr().is_terminal()].map(|terminal| {
        if prefixed { prefix(job.global(rank), terminal && !no_colour()) } else { Vec::new() }
    });
    let [out_label, error_label] = labels;
    let streams = [
        child.stdout.take().map(|pipe| (OwnedFd::from(pipe), out_label)),
        child.stderr.take().map(|pipe| (OwnedFd::from(pipe), error_label)),
    ]
    .map(|stream| {
        stream.map(|(fd, label)| Stream { fd, lines: Lines::new(label), logged: Lines::new(Vec::new()) })
    });
    for stream in streams.iter().flatten() {
        rustix::fs::fcntl_setfl(&stream.fd, OFlags::NONBLOCK)
            .map_err(|errno| Err(Error::os(OPERATION, errno)))?;
    }
    let pid =
        pid_of(&child).ok_or_else(|| Err(Error::new(Kind::Failed, OPERATION).what("a child has no id")))?;
    Ok(Rank { child, pid, streams })
}

fn cannot_start(called: &str, program: &OsString, error: std::io::Error) -> Result<u8> {
    let shown = program.to_string_lossy();
    match error.kind() {
        ErrorKind::NotFound => {
            note(&format!(
                "{called}: command not found: {shown} (a path needs a slash; a script needs its interpreter)"
            ));
            Ok(127)
        }
        ErrorKind::PermissionDenied => {
            note(&format!("{called}: not allowed to run {shown}: is it a file that may be executed?"));
            Ok(126)
        }
        _ => Err(failed("the command cannot be started", error).with("command", shown)),
    }
}

fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Two pipes a rank: raises the soft limit on descriptors when it would not do. A refusal shows when a rank
/// is started.
pub(super) fn allow_descriptors(ranks: u32) {
    let needed = u64::from(ranks) * 2 + 64;
    let Some(mut limit) = mf_base::os::process::limit(Resource::Nofile) else { return };
    if limit.current.is_some_and(|current| current < needed) {
        limit.current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        let _ = rustix::process::setrlimit(Resource::Nofile, limit);
    }
}
