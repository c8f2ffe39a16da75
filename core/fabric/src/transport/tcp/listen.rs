// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accepting connections: listening sockets, and newcomers that have not proved themselves.

use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use mf_base::{Error, Result};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use super::channel::Channel;
use super::connect;
use super::secure::{Handshake, Step};
use super::shared::Shared;
use crate::transport::Peer;

/// How long a newcomer has to prove itself.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most newcomers at a time; further ones wait in the kernel.
pub(super) const MOST: usize = 256;

/// Opens a listening socket; its address with the port it got.
pub(super) fn open(address: SocketAddr) -> Result<(OwnedFd, SocketAddr)> {
    let failed = |errno: Errno| Error::os("tcp listen", errno).with("address", address);
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None).map_err(failed)?;
    sockopt::set_socket_reuseaddr(&socket, true).map_err(failed)?;
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&socket, true).map_err(failed)?;
    }
    rustix::net::bind(&socket, &address).map_err(failed)?;
    rustix::net::listen(&socket, 1024).map_err(failed)?;
    let name = rustix::net::getsockname(&socket).map_err(failed)?;
    let mut bound = SocketAddr::try_from(name).map_err(failed)?;
    if let (SocketAddr::V6(bound), SocketAddr::V6(asked)) = (&mut bound, address) {
        bound.set_scope_id(asked.scope_id());
    }
    Ok((socket, bound))
}

/// A connection whose other end has not proved itself.
pub(super) struct Newcomer {
    socket: OwnedFd,
    from: SocketAddr,
    handshake: Handshake,
    until: Instant,
}

/// How far a newcomer is.
pub(super) enum Arrival {
    Waits(Box<Newcomer>),
    Proved(Peer, Channel),
    Refused,
}

/// What a listening socket gave.
pub(super) enum Accepted {
    Newcomer(Box<Newcomer>),
    /// One that was gone at once, or is not wanted.
    Gone,
    Nobody,
    /// No descriptors or memory are left for it.
    Exhausted,
}

/// Takes one connection from a listening socket.
pub(super) fn accept(shared: &Shared, listener: &OwnedFd, id: u64, now: Instant) -> Accepted {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let (socket, from) = match rustix::net::acceptfrom_with(listener, flags) {
        Ok((socket, from)) => (socket, from.and_then(|from| SocketAddr::try_from(from).ok())),
        Err(Errno::AGAIN) => return Accepted::Nobody,
        Err(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM) => {
            tracing::warn!("connections wait: descriptors or memory are used up (RLIMIT_NOFILE)");
            return Accepted::Exhausted;
        }
        // The connection was gone before it was accepted; errors of the network come out here too.
        Err(_) => return Accepted::Gone,
    };
    let Some(from) = from else { return Accepted::Gone };
    let prepared = connect::prepare(&socket)
        .and_then(|()| epoll::add(&shared.epoll, &socket, EventData::new_u64(id), EventFlags::IN));
    if let Err(errno) = prepared {
        tracing::debug!(%from, error = %std::io::Error::from(errno), "connection was gone at once");
        return Accepted::Gone;
    }
    match shared.identity.server(from) {
        Ok(handshake) => {
            Accepted::Newcomer(Box::new(Newcomer { socket, from, handshake, until: now + PATIENCE }))
        }
        Err(error) => {
            tracing::warn!(%from, %error, "connection refused");
            Accepted::Gone
        }
    }
}

impl Newcomer {
    /// Whether its time is over.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.until <= now
    }

    /// Goes on as far as the socket lets it.
    pub(super) fn advance(mut self: Box<Self>, shared: &Shared, id: u64) -> Arrival {
        let wants = match self.handshake.advance(self.socket.as_fd()) {
            Ok(Step::WantsRead) => EventFlags::IN,
            Ok(Step::WantsWrite) => EventFlags::OUT,
            Ok(Step::Done) => {
                let Self { socket, handshake, .. } = *self;
                return match handshake.finish() {
                    Some((peer, stream)) => Arrival::Proved(peer, Channel::new(socket, stream)),
                    None => Arrival::Refused,
                };
            }
            Err(error) => {
                tracing::warn!(from = %self.from, %error, "connection refused");
                return Arrival::Refused;
            }
        };
        match epoll::modify(&shared.epoll, &self.socket, EventData::new_u64(id), wants) {
            Ok(()) => Arrival::Waits(self),
            Err(_) => Arrival::Refused,
        }
    }
}
