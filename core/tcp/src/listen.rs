// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accepting connections: listening sockets, and newcomers that have not proved themselves.

use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use mf_base::os::socket::has_waiting;
use mf_base::{Error, Kind, Result, warn_limited};
use mf_transport::Peer;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use crate::channel::Channel;
use crate::connect;
use crate::process_core::Core;
use crate::secure::{Handshake, Step};

/// Time that a newcomer has to prove itself: as long as its own connecting may take (`connect.rs`), on
/// bounded places (`newcomers.rs`).
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);
/// Connections that the kernel keeps for us to accept, as far as the machine allows (net.core.somaxconn).
const BACKLOG: i32 = 4096;

/// Opens a listening socket; its address with the port it got.
pub(crate) fn open(address: SocketAddr) -> Result<(OwnedFd, SocketAddr)> {
    let failed = |errno: Errno| Error::os("tcp listen", errno).with("address", address);
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = descriptor::socket(family, SocketType::STREAM, flags, None).map_err(failed)?;
    sockopt::set_socket_reuseaddr(&socket, true).map_err(failed)?;
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&socket, true).map_err(failed)?;
    }
    rustix::net::bind(&socket, &address).map_err(failed)?;
    rustix::net::listen(&socket, BACKLOG).map_err(failed)?;
    let name = rustix::net::getsockname(&socket).map_err(failed)?;
    let mut bound = SocketAddr::try_from(name).map_err(failed)?;
    if let (SocketAddr::V6(bound), SocketAddr::V6(asked)) = (&mut bound, address) {
        bound.set_scope_id(asked.scope_id());
    }
    Ok((socket, bound))
}

/// An accepted connection before the peer's proof.
pub(crate) struct Newcomer {
    socket: OwnedFd,
    from: SocketAddr,
    handshake: Handshake,
    until: Instant,
}

/// Progress of a newcomer.
pub(crate) enum Arrival {
    Waits(Box<Newcomer>),
    /// Which member here is meant, which peer it is, and the connection.
    Proved(Peer, Peer, Channel),
    Refused,
}

/// Result of accepting at a listening socket.
pub(crate) enum Accepted {
    Newcomer(Box<Newcomer>),
    /// The peer closed it at once, or it is not wanted.
    Gone,
    /// No connection waits.
    Nothing,
    /// No descriptors or memory are left for it.
    Exhausted,
}

/// Takes one connection from a listening socket. `begin` begins the handshake with its peer.
pub(crate) fn accept(
    core: &Core,
    socket: &OwnedFd,
    id: u64,
    now: Instant,
    begin: impl FnOnce(SocketAddr) -> Result<Handshake>,
) -> Accepted {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let (socket, from) = match descriptor::accept_from(socket, flags) {
        Ok((socket, from)) => (socket, from.and_then(|from| SocketAddr::try_from(from).ok())),
        Err(Errno::AGAIN) => return Accepted::Nothing,
        Err(Errno::MFILE | Errno::NFILE) if !has_waiting(socket) => return Accepted::Nothing,
        Err(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM) => return Accepted::Exhausted,
        // The connection ended before it was accepted; errors of the network come out here too.
        Err(_) => return Accepted::Gone,
    };
    let Some(from) = from else { return Accepted::Gone };
    // The rest of the options is for connections that stay.
    let prepared = sockopt::set_tcp_nodelay(&socket, true)
        .and_then(|()| epoll::add(&core.epoll, &socket, EventData::new_u64(id), EventFlags::IN));
    if let Err(errno) = prepared {
        tracing::debug!(%from, error = %std::io::Error::from(errno), "connection was gone at once");
        return Accepted::Gone;
    }
    match begin(from) {
        Ok(handshake) => {
            Accepted::Newcomer(Box::new(Newcomer { socket, from, handshake, until: now + TIMEOUT }))
        }
        Err(error) => {
            warn_limited!(%from, %error, "connection refused");
            Accepted::Gone
        }
    }
}

impl Newcomer {
    /// Returns true if it is past its time limit.
    pub(crate) fn is_late(&self, now: Instant) -> bool {
        self.until <= now
    }

    /// Returns true if it has sent valid bytes of a handshake.
    pub(crate) fn has_spoken(&self) -> bool {
        self.handshake.has_heard()
    }

    /// Returns the peer's address.
    pub(crate) fn from(&self) -> SocketAddr {
        self.from
    }

    /// Goes on as far as the socket lets it.
    pub(crate) fn advance(mut self: Box<Self>, core: &Core, id: u64) -> Arrival {
        let wants = match self.handshake.advance(self.socket.as_fd()) {
            Ok(Step::WantsRead) => EventFlags::IN,
            Ok(Step::WantsWrite) => EventFlags::OUT,
            Ok(Step::Done) => {
                let Self { socket, handshake, .. } = *self;
                return match (connect::prepare(&socket), handshake.finish()) {
                    (Ok(()), Some((me, peer, stream))) => {
                        Arrival::Proved(me, peer, Channel::new(socket, stream))
                    }
                    _ => Arrival::Refused,
                };
            }
            Err(error) => {
                // A member that wants a peer of this process which has ended: they leave one by one.
                if error.kind() == Kind::NotExist {
                    tracing::debug!(from = %self.from, %error, "connection refused");
                } else {
                    warn_limited!(from = %self.from, %error, "connection refused");
                }
                return Arrival::Refused;
            }
        };
        match epoll::modify(&core.epoll, &self.socket, EventData::new_u64(id), wants) {
            Ok(()) => Arrival::Waits(self),
            Err(_) => Arrival::Refused,
        }
    }
}

#[cfg(test)]
impl Newcomer {
    /// Makes a connection that has sent its first message, or no bytes.
    pub(crate) fn for_test(has_spoken: bool, now: Instant) -> Box<Self> {
        let (near, far) = std::os::unix::net::UnixStream::pair().unwrap();
        near.set_nonblocking(true).unwrap();
        let from = SocketAddr::from(([127, 0, 0, 1], 1));
        let channels = std::sync::Arc::new(super::secure::channels().unwrap());
        let mut handshake = super::secure::accept(|_| None, &channels, from).unwrap();
        if has_spoken {
            std::io::Write::write_all(&mut &far, b"M").unwrap();
        }
        assert_eq!(handshake.advance(near.as_fd()).unwrap(), Step::WantsRead);
        Box::new(Self { socket: near.into(), from, handshake, until: now + TIMEOUT })
    }
}
