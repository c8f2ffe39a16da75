// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Socket options of both ends.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use mf_base::interrupt::InterruptPoll;
use mf_base::os::stream::is_window_closed;
use mf_base::os::{descriptor, process};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};
use rustix::process::{Resource, Rlimit, setrlimit};

/// Why [`connect`] gave no connection.
pub(crate) enum Unconnected {
    Io(io::Error),
    /// The wait was interrupted.
    Left,
}

impl From<Errno> for Unconnected {
    fn from(errno: Errno) -> Self {
        Self::Io(errno.into())
    }
}

/// Connects within `limit`, as [`TcpStream::connect_timeout`] does, in a wait that may be left.
pub(crate) fn connect(address: SocketAddr, limit: Duration) -> Result<TcpStream, Unconnected> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = descriptor::socket(family, SocketType::STREAM, flags, None)?;
    match rustix::net::connect(&socket, &address) {
        Err(Errno::INPROGRESS | Errno::INTR) => {
            let (end, mut interrupt) = (Instant::now() + limit, InterruptPoll::new());
            loop {
                let left = end.saturating_duration_since(Instant::now());
                let pause = Timespec::try_from(interrupt.within(left)).ok();
                match poll(&mut [PollFd::new(&socket, PollFlags::OUT)], pause.as_ref()) {
                    Ok(0) | Err(Errno::INTR) => {}
                    Ok(_) => break,
                    Err(errno) => return Err(errno.into()),
                }
                if interrupt.is_left() {
                    return Err(Unconnected::Left);
                }
                if Instant::now() >= end {
                    return Err(Errno::TIMEDOUT.into());
                }
            }
            sockopt::socket_error(&socket)??;
        }
        connected => connected?,
    }
    let socket = TcpStream::from(socket);
    socket.set_nonblocking(false).map_err(Unconnected::Io)?;
    Ok(socket)
}

/// Sets a connection up: small messages leave at once, and a silent host is noticed within `lease`.
///
/// A stopped process still has a kernel that acknowledges, so only a dead host or network ends the
/// connection. On the loopback that cannot happen.
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
    bound_silence(socket, lease);
}

/// Bounds both unanswered keepalives and data that is not acknowledged.
fn bound_silence(socket: impl AsFd, lease: Duration) {
    let _ = sockopt::set_tcp_user_timeout(socket, u32::try_from(lease.as_millis()).unwrap_or(u32::MAX));
}

/// The kernel counts a window that stays closed as silence, too, although it belongs to a process that is
/// stopped on a host that answers. To be called several times in a lease: as long as the window is closed
/// there is no bound.
pub(crate) fn spare_the_stopped(socket: impl AsFd, peer: IpAddr, lease: Duration) {
    if peer.to_canonical().is_loopback() {
        return;
    }
    let socket = socket.as_fd();
    let lease = lease.clamp(Duration::from_secs(1), Duration::from_secs(3600));
    let is_stopped = is_window_closed(socket).unwrap_or(false);
    let bound = if is_stopped { Duration::ZERO } else { lease };
    let is_bounded = sockopt::tcp_user_timeout(socket).unwrap_or(0) > 0;
    if is_bounded == is_stopped {
        bound_silence(socket, bound);
    }
}

/// For the server, which may have a thousand members: lets this process open as many descriptors as it may;
/// true when that are more than before.
pub(crate) fn raise_descriptors() -> bool {
    let Some(limit) = process::limit(Resource::Nofile) else { return false };
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

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    /// A connection with a bound of 1 s; its other end does not read and takes no more.
    fn stopped() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let there = listener.accept().unwrap().0;
        bound_silence(&here, Duration::from_secs(1));
        here.set_nonblocking(true).unwrap();
        while here.write(&[7; 1 << 16]).is_ok() {}
        (here, there)
    }

    #[test]
    fn stopped_process_on_a_responsive_host_is_spared() {
        let (mut spared, _there) = stopped();
        let (mut other, _there_too) = stopped();
        let elsewhere = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
        let end = Instant::now() + Duration::from_secs(30);
        let is_gone = |socket: &mut TcpStream| {
            socket.write(b"x").is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock)
        };
        // The kernel ends the connection that is not served.
        while !is_gone(&mut other) {
            assert!(Instant::now() < end, "the kernel spares it by itself");
            spare_the_stopped(&spared, elsewhere, Duration::from_secs(1));
            let _ = poll(
                &mut [PollFd::new(&other, PollFlags::OUT)],
                Timespec::try_from(Duration::from_millis(100)).ok().as_ref(),
            );
        }
        assert!(!is_gone(&mut spared));
        assert_eq!(sockopt::tcp_user_timeout(&spared).unwrap(), 0);
    }
}
