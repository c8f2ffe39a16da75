// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Congestion control of connections within one host.
//!
//! BBR paces its sends by an estimate of the path. Between two processes of one host there is no path to
//! share and the estimate is mostly of the scheduler: bytes wait that could be received. Such a connection
//! gets an algorithm that does not pace. Between hosts the choice of the administrator stays.

use std::net::SocketAddr;
use std::os::fd::BorrowedFd;

use rustix::net::{getpeername, getsockname, sockopt};

/// The congestion controls that pace, by how their names begin.
const PACED: &str = "bbr";
/// Replacements; the last one is in every kernel, and allowed to all.
const UNPACED: [&str; 2] = ["cubic", "reno"];

/// Turns pacing off for a connection within one host; a refusal of the kernel is ignored.
pub(crate) fn unpace(socket: BorrowedFd<'_>) {
    let is_paced = || sockopt::tcp_congestion(socket).is_ok_and(|name| name.starts_with(PACED));
    if is_within_host(socket) && is_paced() {
        let _ = UNPACED.iter().any(|name| sockopt::set_tcp_congestion(socket, name).is_ok());
    }
}

fn is_within_host(socket: BorrowedFd<'_>) -> bool {
    let here = getsockname(socket).ok().and_then(|end| SocketAddr::try_from(end).ok());
    let there = getpeername(socket).ok().flatten().and_then(|end| SocketAddr::try_from(end).ok());
    here.zip(there).is_some_and(|(here, there)| {
        there.ip().to_canonical().is_loopback() || here.ip().to_canonical() == there.ip().to_canonical()
    })
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn a_connection_within_the_host_is_not_paced() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let before = sockopt::tcp_congestion(&socket).unwrap();
        unpace(socket.as_fd());
        let after = sockopt::tcp_congestion(&socket).unwrap();
        assert!(!after.starts_with(PACED), "{before} became {after}");
        assert!(before.starts_with(PACED) || before == after, "{before} became {after}");
    }

    #[test]
    fn unconnected_socket_is_left_unchanged() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let before = sockopt::tcp_congestion(&listener).unwrap();
        unpace(listener.as_fd());
        assert_eq!(sockopt::tcp_congestion(&listener).unwrap(), before);
    }
}
