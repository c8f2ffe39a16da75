// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opening a connection: one address of the peer after the other, then the proof of who is there. Never blocks; the
//! progress thread goes on with it as the socket lets it.

use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use super::channel::Channel;
use super::link::{Link, lock};
use super::secure::{Handshake, Step};
use super::shared::{Peered, Shared};

/// How long an address may take when there is another.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long the last one may take; what is posted meanwhile has deadlines of its own.
const LIMIT: Duration = Duration::from_secs(60);
/// How long the question takes whether a peer is still there.
const PROBE: Duration = Duration::from_secs(5);
/// The kernel gives a connection up when what was sent stays without an answer for so long.
const SILENCE_MS: u32 = 20_000;

/// A connection that is not ready yet.
pub(super) struct Connecting {
    /// Addresses that were not tried.
    addresses: std::vec::IntoIter<SocketAddr>,
    address: SocketAddr,
    socket: OwnedFd,
    handshake: Option<Handshake>,
    since: Instant,
    /// Why the earlier addresses failed.
    failures: Vec<String>,
}

/// What every socket of a connection gets.
pub(super) fn prepare(socket: impl AsFd) -> Result<(), Errno> {
    let socket = socket.as_fd();
    sockopt::set_tcp_nodelay(socket, true)?;
    sockopt::set_socket_keepalive(socket, true)?;
    sockopt::set_tcp_keepidle(socket, Duration::from_secs(10))?;
    sockopt::set_tcp_keepintvl(socket, Duration::from_secs(3))?;
    sockopt::set_tcp_keepcnt(socket, 3)?;
    sockopt::set_tcp_user_timeout(socket, SILENCE_MS)
}

fn begin(address: SocketAddr) -> Result<OwnedFd, Errno> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = rustix::net::socket_with(
        family,
        SocketType::STREAM,
        SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
        None,
    )?;
    prepare(&socket)?;
    match rustix::net::connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(errno) => Err(errno),
    }
}

/// Tries addresses until one can be waited for.
fn next(
    shared: &Shared,
    id: u64,
    addresses: &mut std::vec::IntoIter<SocketAddr>,
    failures: &mut Vec<String>,
) -> Option<(SocketAddr, OwnedFd)> {
    for address in addresses {
        let registered = begin(address).and_then(|socket| {
            epoll::add(&shared.epoll, &socket, EventData::new_u64(id), EventFlags::OUT)?;
            Ok(socket)
        });
        match registered {
            Ok(socket) => return Some((address, socket)),
            Err(errno) => failures.push(format!("{address}: {}", std::io::Error::from(errno))),
        }
    }
    None
}

/// Starts a connection to a peer.
pub(super) fn start(shared: &Shared, peered: &Peered, is_probe: bool) -> Result<Arc<Link>> {
    if shared.closing.load(std::sync::atomic::Ordering::Acquire) {
        return Err(Error::new(Kind::NotConnected, "tcp connect").what("the transport is closed"));
    }
    let link = Arc::new(Link::new(shared.new_id(), peered.peer, is_probe, shared.summed));
    let mut addresses = lock(&peered.addresses).clone().into_iter();
    let mut failures = Vec::new();
    // Held until the connection is known to the progress thread, which may hear of the socket at once.
    let mut connecting = lock(&link.connecting);
    lock(&shared.links).insert(link.id, Arc::clone(&link));
    let Some((address, socket)) = next(shared, link.id, &mut addresses, &mut failures) else {
        lock(&shared.links).remove(&link.id);
        return Err(unreachable(&link, &failures));
    };
    lock(&link.path).0 = address.to_string();
    *connecting =
        Some(Connecting { addresses, address, socket, handshake: None, since: Instant::now(), failures });
    drop(connecting);
    shared.attend();
    Ok(link)
}

#[cold]
fn unreachable(link: &Link, failures: &[String]) -> Error {
    link.error("tcp connect", &format!("cannot connect to rank {}: {}", link.peer.rank, failures.join("; ")))
}

enum Advanced {
    Waits,
    Ready(Channel),
    Failed(String),
}

/// Goes on with a connection that is not ready; called by the progress thread when its socket is, and once a tick.
pub(super) fn advance(shared: &Shared, link: &Link, now: Instant) {
    let mut slot = lock(&link.connecting);
    let Some(connecting) = slot.as_mut() else { return };
    if link.is_dead() {
        *slot = None;
        return;
    }
    loop {
        let advanced = match connecting.step(shared, link) {
            Ok(advanced) => advanced,
            Err(reason) => Advanced::Failed(reason),
        };
        let reason = match advanced {
            Advanced::Ready(channel) => {
                *slot = None;
                drop(slot);
                link.become_ready(shared, channel);
                return;
            }
            Advanced::Waits => {
                let waited = now.saturating_duration_since(connecting.since);
                let patience = match (connecting.addresses.len(), link.is_probe) {
                    (0, false) => LIMIT,
                    (0, true) => PROBE,
                    _ => PATIENCE,
                };
                if waited < patience {
                    return;
                }
                format!("no answer after {} ms", waited.as_millis())
            }
            Advanced::Failed(reason) => reason,
        };
        connecting.failures.push(format!("{}: {reason}", connecting.address));
        let _ = epoll::delete(&shared.epoll, &connecting.socket);
        match next(shared, link.id, &mut connecting.addresses, &mut connecting.failures) {
            Some((address, socket)) => {
                lock(&link.path).0 = address.to_string();
                connecting.address = address;
                connecting.socket = socket;
                connecting.handshake = None;
                connecting.since = now;
            }
            None => {
                let reason =
                    format!("cannot connect to rank {}: {}", link.peer.rank, connecting.failures.join("; "));
                *slot = None;
                drop(slot);
                link.fail(shared, &reason);
                return;
            }
        }
    }
}

impl Connecting {
    fn step(&mut self, shared: &Shared, link: &Link) -> Result<Advanced, String> {
        let handshake = match &mut self.handshake {
            Some(handshake) => handshake,
            None => {
                sockopt::socket_error(&self.socket)
                    .and_then(|result| result)
                    .map_err(|errno| std::io::Error::from(errno).to_string())?;
                if rustix::net::getpeername(&self.socket).is_err() {
                    return Ok(Advanced::Waits);
                }
                let handshake =
                    shared.identity.client(link.peer, self.address).map_err(|error| error.to_string())?;
                self.handshake.insert(handshake)
            }
        };
        let wants = match handshake.advance(self.socket.as_fd()).map_err(|error| error.to_string())? {
            Step::WantsRead => EventFlags::IN,
            Step::WantsWrite => EventFlags::OUT,
            Step::Done => {
                let finished = self.handshake.take().and_then(Handshake::finish);
                let Some((who, stream)) = finished else { return Err("the handshake has no end".to_owned()) };
                if who != link.peer {
                    return Err(format!("{who} answers"));
                }
                let socket = rustix::io::fcntl_dupfd_cloexec(&self.socket, 0)
                    .map_err(|errno| std::io::Error::from(errno).to_string())?;
                let _ = epoll::delete(&shared.epoll, &self.socket);
                epoll::add(&shared.epoll, &socket, EventData::new_u64(link.id), EventFlags::RDHUP)
                    .map_err(|errno| std::io::Error::from(errno).to_string())?;
                return Ok(Advanced::Ready(Channel::new(socket, stream)));
            }
        };
        epoll::modify(&shared.epoll, &self.socket, EventData::new_u64(link.id), wants)
            .map_err(|errno| std::io::Error::from(errno).to_string())?;
        Ok(Advanced::Waits)
    }
}
