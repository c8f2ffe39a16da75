// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What both ends ask of the kernel for their sockets.

use std::net::IpAddr;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::net::sockopt;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Sets a connection up: small messages leave at once, and a silent host is noticed within `lease`.
///
/// A stopped process still has a kernel that acknowledges, so only a host or a network that is gone ends the
/// connection. On the loopback there is no such thing.
pub(crate) fn tune(socket: impl AsFd, peer: IpAddr, lease: Duration) {
    let socket = socket.as_fd();
    // All of these make it faster or notice earlier; none is needed to be right.
    let _ = sockopt::set_tcp_nodelay(socket, true);
    if peer.to_canonical().is_loopback() {
        return;
    }
    let lease = lease.clamp(Duration::from_secs(1), Duration::from_secs(3600));
    let pause = Duration::from_secs((lease.as_secs() / 5).max(1));
    let _ = sockopt::set_socket_keepalive(socket, true);
    let _ = sockopt::set_tcp_keepidle(socket, pause);
    let _ = sockopt::set_tcp_keepintvl(socket, pause);
    let _ = sockopt::set_tcp_keepcnt(socket, 4);
    // Bounds both unanswered keepalives and data that is not acknowledged.
    let _ = sockopt::set_tcp_user_timeout(socket, u32::try_from(lease.as_millis()).unwrap_or(u32::MAX));
}

/// For the server, which may have a thousand members: lets this process open as many descriptors as it may; true when that are more than before.
pub(crate) fn raise_descriptors() -> bool {
    let limit = getrlimit(Resource::Nofile);
    let more = match (limit.current, limit.maximum) {
        (Some(current), Some(maximum)) => current < maximum,
        (Some(_), None) => true,
        (None, _) => false,
    };
    let raised = more
        && setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).is_ok();
    if raised {
        tracing::info!(before = ?limit.current, now = ?limit.maximum, "limit of open descriptors raised for the store");
    }
    raised
}
