// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Dialling, on the caller's thread.
//!
//! Makes one attempt, as long as the kernel tries. A process without a secret announces its rank and only
//! waits until the other end is admitted ([`Rules::admits`]) and reads. With a secret both ends prove it; a
//! peer on this host that does not understand such a hello is dialled once more, without it.

use std::io::Write;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::peer_credentials;
use mf_base::os::stream::Stream;
use mf_base::{Error, Kind, Result, interrupt};
use mf_tls::channel::Channel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, sockopt};

use super::address::{Process, Target};
use super::admission::{Ends, Rules};
use super::frame::Inbox;
use super::handshake::{ClientHandshake, Established, Step};
use super::handshake_frames::Hello;
use super::link::Link;
use super::simultaneous_connect::Origin;
use super::table::Peer;
use super::{CONNECT, HELLO_TIMEOUT, unix};
use crate::fair_mutex::Wait;
use crate::tcp;

/// The rank in the hello to a peer that is identified by its address.
pub(super) const NO_RANK: u32 = u32::MAX;

/// Longest pause between two checks whether the other end has accepted: no event reports it. On a busy
/// machine that takes some milliseconds, and longer pauses would add to it.
const ACCEPTED_WITHIN: Duration = Duration::from_millis(1);

/// Longest wait for a peer that has accepted and does not read: our peers read at once.
const READ_TIMEOUT: Duration = Duration::from_millis(100);

/// A connection after its handshake.
struct Reached {
    socket: OwnedFd,
    inbox: Inbox,
    channel: Option<Channel>,
    process: Option<Process>,
}

/// Connects to `target`, announces `rank` (`None`: the other end takes no rank), and makes a link to `peer`
/// of it.
pub(super) fn dial(rules: &Arc<Rules>, target: Target<'_>, peer: Peer, rank: Option<u32>) -> Result<Link> {
    let reached = reach(rules, target, rank).map_err(|error| {
        let error = error.with(peer.word(), peer);
        match target {
            Target::Tcp(address) => error.with("address", address),
            Target::Unix(path) => error.with("path", path.display()),
        }
    })?;
    let origin = Origin::dialled(rank, target.into(), reached.process);
    Ok(Link::new(reached.socket, peer, reached.inbox, reached.channel)?.with_origin(origin))
}

fn reach(rules: &Arc<Rules>, target: Target<'_>, rank: Option<u32>) -> Result<Reached> {
    let (socket, ends) = connect(target)?;
    let is_early = !rules.admits(CONNECT, &socket, ends)?;
    // Peers that are identified by their addresses prove nothing on one host.
    let proves = rules.secret().is_some() && !rules.is_open() && (rank.is_some() || !ends.are_here());
    if proves {
        match prove(rules, &socket, ends, rank.unwrap_or(NO_RANK))? {
            Some(Established { inbox, channel, process, .. }) => {
                if is_early {
                    wait_until_admitted(rules, &socket, ends)?;
                }
                return Ok(Reached { socket, inbox, channel, process });
            }
            None if ends.are_here() => {}
            None => return Err(link_gone().hint("all members have the same MF_JOB_SECRET")),
        }
        drop(socket);
        let (socket, ends) = connect(target)?;
        return without_secret(rules, socket, ends, rank);
    }
    without_secret(rules, socket, ends, rank)
}

fn without_secret(rules: &Rules, socket: OwnedFd, ends: Ends, rank: Option<u32>) -> Result<Reached> {
    if let Some(rank) = rank {
        let mut hello = Vec::new();
        Hello { rank, secret: None }.write(&mut hello);
        write(&socket, &hello)?;
    }
    wait_until_admitted(rules, &socket, ends)?;
    if let (Some(_), Ends::Tcp { ours, theirs, .. }, true) = (rank, ends, ends.are_here()) {
        wait_until_read(ours, theirs)?;
    }
    Ok(Reached { socket, inbox: Inbox::default(), channel: None, process: None })
}

/// Waits a while until the other end has read the hello: it has accepted, and identifies our process. If this
/// end closed before that, the bytes sent would be lost.
fn wait_until_read(ours: SocketAddr, theirs: SocketAddr) -> Result<()> {
    let (end, mut pause) = (Instant::now() + READ_TIMEOUT, Duration::from_micros(20));
    while peer_credentials::tcp_peer_unread(ours, theirs).is_some_and(|unread| unread > 0)
        && Instant::now() < end
    {
        interrupt::sleep(CONNECT, pause)?;
        pause = (pause * 2).min(ACCEPTED_WITHIN);
    }
    Ok(())
}

/// Waits until the other end has accepted, so that the kernel knows its owner.
fn wait_until_admitted(rules: &Rules, socket: &OwnedFd, ends: Ends) -> Result<()> {
    let (end, mut pause) = (Instant::now() + HELLO_TIMEOUT, Duration::from_micros(50));
    while !rules.admits(CONNECT, socket, ends)? {
        if matches!(
            rustix::net::recv(socket, &mut [0_u8; 1], RecvFlags::PEEK | RecvFlags::DONTWAIT),
            Ok((0, _))
        ) {
            // It may have accepted meanwhile, and have dropped it for a link that crosses this one.
            return if rules.admits(CONNECT, socket, ends)? { Ok(()) } else { Err(link_gone()) };
        }
        if Instant::now() >= end {
            return Err(Error::new(Kind::Timeout, CONNECT)
                .what("the peer listens, and does not accept")
                .with("waited_ms", HELLO_TIMEOUT.as_millis()));
        }
        interrupt::sleep(CONNECT, pause)?;
        pause = (pause * 2).min(ACCEPTED_WITHIN);
    }
    Ok(())
}

/// Proves the secret. Returns `None` if the peer has none, or does not support proofs.
fn prove(rules: &Arc<Rules>, socket: &OwnedFd, ends: Ends, rank: u32) -> Result<Option<Established>> {
    let (mut wait, mut output) = (Wait::new(CONNECT, Some(HELLO_TIMEOUT)), Vec::new());
    let mut dialing = ClientHandshake::new(rules, rank, rules.encrypts(ends), &mut output)?;
    let mut bytes = [0; 4096];
    loop {
        if !output.is_empty() {
            match write(socket, &output) {
                Err(error) if !dialing.is_unanswered() || error.kind() != Kind::NotConnected => {
                    return Err(error);
                }
                // The last bytes of the peer are read below.
                _ => output.clear(),
            }
        }
        let got = match rustix::net::recv(socket, &mut bytes[..], RecvFlags::DONTWAIT) {
            Ok((got, _)) => got,
            Err(Errno::CONNRESET) => 0,
            Err(Errno::AGAIN | Errno::INTR) => {
                wait.check().map_err(|error| match error.kind() {
                    Kind::Timeout => error.what("the peer listens, and does not answer"),
                    _ => error,
                })?;
                let pause = Timespec::try_from(wait.pause()).ok();
                let _ = poll(&mut [PollFd::new(socket, PollFlags::IN)], pause.as_ref());
                continue;
            }
            Err(errno) => return Err(Error::os(CONNECT, errno)),
        };
        if got == 0 {
            return if dialing.is_unanswered() { Ok(None) } else { Err(link_gone()) };
        }
        match dialing.receive(bytes.get(..got).unwrap_or_default(), &mut output)? {
            Step::More => {}
            Step::WithoutSecret => return Ok(None),
            Step::Established(begun) => return Ok(Some(*begun)),
        }
    }
}

/// Writes a few bytes, for which a new socket has room.
fn write(socket: &OwnedFd, bytes: &[u8]) -> Result<()> {
    Stream(socket).write_all(bytes).map_err(|error| link_gone().source(error))
}

#[cold]
fn link_gone() -> Error {
    Error::new(Kind::NotConnected, CONNECT).what("the peer has closed the connection at once")
}

/// Connects. The socket is non-blocking.
fn connect(target: Target<'_>) -> Result<(OwnedFd, Ends)> {
    match target {
        Target::Unix(path) => {
            let address = unix::address(CONNECT, path)?;
            let socket = unix::socket().map_err(|errno| Error::os(CONNECT, errno))?;
            let end = Instant::now() + HELLO_TIMEOUT;
            loop {
                match rustix::net::connect(&socket, &address) {
                    Ok(()) => return Ok((socket, Ends::Local)),
                    // The queue of the listener is full, which no poll reports.
                    Err(Errno::AGAIN | Errno::INTR) if Instant::now() < end => {
                        interrupt::sleep(CONNECT, Duration::from_millis(2))?;
                    }
                    Err(errno) => return Err(tcp::unreachable(CONNECT, errno)),
                }
            }
        }
        Target::Tcp(address) => {
            let socket = tcp::connect(CONNECT, address, None)?;
            tune(&socket);
            let ends = Ends::of_socket(CONNECT, &socket)?;
            Ok((socket, ends))
        }
    }
}

/// Sets options so that small messages leave at once, and the death of a host is noticed. Best effort.
pub(super) fn tune(socket: &OwnedFd) {
    let _ = sockopt::set_tcp_nodelay(socket, true);
    let _ = sockopt::set_socket_keepalive(socket, true);
    let _ = sockopt::set_tcp_keepidle(socket, Duration::from_secs(5));
    let _ = sockopt::set_tcp_keepintvl(socket, Duration::from_secs(3));
    let _ = sockopt::set_tcp_keepcnt(socket, 4);
}
