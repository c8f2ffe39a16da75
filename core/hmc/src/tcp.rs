// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TCP connect as an interruptible wait.

use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::Duration;

use mf_base::os::descriptor;
use mf_base::{Error, Kind, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use crate::fair_mutex::Wait;

/// Connects: one attempt, as long as the kernel tries, and at most for `limit`. The socket is non-blocking.
///
/// # Errors
/// `NotConnected` connection refused, or host unreachable · `Timeout` · `Interrupted`.
pub(crate) fn connect(op: &'static str, to: SocketAddr, limit: Option<Duration>) -> Result<OwnedFd> {
    let family = if to.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket =
        descriptor::socket(family, SocketType::STREAM, flags, None).map_err(|errno| Error::os(op, errno))?;
    match rustix::net::connect(&socket, &to) {
        Err(Errno::INPROGRESS | Errno::INTR) => connected(op, &socket, limit)?,
        outcome => outcome.map_err(|errno| unreachable(op, errno))?,
    }
    Ok(socket)
}

/// Waits until the kernel has connected, or given up.
fn connected(op: &'static str, socket: &OwnedFd, limit: Option<Duration>) -> Result<()> {
    let mut wait = Wait::new(op, limit);
    loop {
        let pause = Timespec::try_from(wait.pause()).ok();
        match poll(&mut [PollFd::new(socket, PollFlags::OUT)], pause.as_ref()) {
            Ok(0) | Err(Errno::INTR) => wait.check()?,
            Ok(_) => break,
            Err(errno) => return Err(unreachable(op, errno)),
        }
    }
    let refused = |errno| unreachable(op, errno);
    sockopt::socket_error(socket).map_err(refused)?.map_err(refused)
}

/// Creates the error of a failed connect.
#[cold]
pub(crate) fn unreachable(op: &'static str, errno: Errno) -> Error {
    let is_timeout = errno == Errno::TIMEDOUT;
    Error::os(op, errno)
        .as_kind(if is_timeout { Kind::Timeout } else { Kind::NotConnected })
        .what("the peer cannot be reached")
}
