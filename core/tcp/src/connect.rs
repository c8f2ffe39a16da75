// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opening a connection: one address of the peer after the other, then the proof of the peer's identity.
//! Never blocks; the progress thread goes on with it as the socket lets it.

use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result, Retry};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use crate::attempt::Connecting;
use crate::channel::Channel;
use crate::connection::{Connection, Purpose};
use crate::process_core::Command;
use crate::replies::Farewell;
use crate::secure::{Handshake, Step};
use crate::shared::{Peered, Shared};

/// Time limit of an address if there is another.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Time limit of the last one; operations posted meanwhile have deadlines of their own.
const LIMIT: Duration = Duration::from_secs(60);
/// Time limit of the probe whether a peer is still there.
const PROBE: Duration = Duration::from_secs(5);
/// Number of tries of one address if the handshake is cut off: many unauthenticated peers may have taken its
/// place there, or the rest of a large job (`newcomers.rs`). With the pauses between, some 2 s.
const TRIES: u32 = 12;
/// Pause before the second try; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// Time that a borrower waits for a loan before it connects by itself, too.
const LENDING_FIRST: Duration = Duration::from_millis(500);
/// Longest wait for a loan after failures.
const LENDING_LONGEST: Duration = Duration::from_secs(10);
/// The kernel gives a connection up when sent bytes stay unacknowledged for so long.
const SILENCE_MS: u32 = 20_000;

/// Sets the options of every socket of a connection.
pub(crate) fn prepare(socket: impl AsFd) -> Result<(), Errno> {
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
    let socket =
        descriptor::socket(family, SocketType::STREAM, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)?;
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
            epoll::add(&shared.local.core.epoll, &socket, EventData::new_u64(id), EventFlags::OUT)?;
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
pub(crate) fn start(shared: &Shared, peered: &Peered, purpose: Purpose) -> Result<Arc<Connection>> {
    if shared.local.closing.load(std::sync::atomic::Ordering::Acquire) {
        return Err(Error::new(Kind::NotConnected, "tcp connect").what("the transport is closed"));
    }
    let connection = Arc::new(Connection::new(&shared.local, peered.peer, &peered.numbers, purpose));
    let mut addresses = lock(&peered.addresses).clone().into_iter();
    let mut failures = Vec::new();
    // Held until the connection is known to the progress thread, which may be notified of the socket at once.
    let mut connecting = lock(&connection.connecting);
    lock(&shared.connections).insert(connection.id, Arc::clone(&connection));
    // Behind the insertion: a progress thread that panics from now on ends this connection, too.
    if let Err(error) = shared.local.core.health.check("tcp connect") {
        lock(&shared.connections).remove(&connection.id);
        connection.void();
        return Err(error.with("rank", peered.peer.rank_fact()));
    }
    let since = Instant::now();
    let is_loan = matches!(purpose, Purpose::Loan(_));
    let borrows = peered.borrows.load(std::sync::atomic::Ordering::Acquire) && !is_loan;
    let began = match borrows {
        // First the peer has the time to lend one.
        true => addresses.next().map(|address| (address, None)),
        false => next(shared, connection.id, &mut addresses, &mut failures)
            .map(|(address, socket)| (address, Some(socket))),
    };
    let Some((address, socket)) = began else {
        lock(&shared.connections).remove(&connection.id);
        connection.void();
        return Err(unreachable(&connection, &failures));
    };
    lock(&connection.path).0 = address.to_string();
    *connecting = Some(Connecting {
        addresses,
        address,
        socket,
        handshake: None,
        tries: 1,
        again: borrows.then_some(since + LENDING_FIRST),
        since,
        only_others: failures.is_empty(),
        failures,
        loan_until: borrows.then_some(since + LENDING_LONGEST),
    });
    drop(connecting);
    if borrows {
        shared.local.core.command(Command::Borrow(connection.id));
    }
    shared.local.core.attend();
    Ok(connection)
}

#[cold]
fn unreachable(connection: &Connection, failures: &[String]) -> Error {
    connection.error(
        "tcp connect",
        &format!("cannot connect to {}: {}", connection.peer.name(), failures.join("; ")),
    )
}

enum Advanced {
    Waits,
    Ready(Channel),
    Failed(Cut),
}

/// Why an address is of no use, or this connection to it.
struct Cut {
    reason: String,
    /// The other end cut the handshake off, which may go better another time.
    may_pass: bool,
    /// Another peer has proved to be there.
    is_another: bool,
}

impl From<String> for Cut {
    fn from(reason: String) -> Self {
        Self { reason, may_pass: false, is_another: false }
    }
}

impl From<Errno> for Cut {
    fn from(errno: Errno) -> Self {
        std::io::Error::from(errno).to_string().into()
    }
}

impl From<Error> for Cut {
    fn from(error: Error) -> Self {
        let may_pass = error.retry_class() == Retry::Later;
        Self { reason: error.to_string(), may_pass, is_another: error.kind() == Kind::NotExist }
    }
}

/// Goes on with a connection that is not ready; called by the progress thread when its socket is, and once a
/// tick. Gives it out when it is ready to be lent.
pub(crate) fn advance(shared: &Shared, connection: &Connection, now: Instant) -> Option<(u64, Channel)> {
    let mut slot = lock(&connection.connecting);
    let connecting = slot.as_mut()?;
    if connection.is_dead() {
        *slot = None;
        return None;
    }
    loop {
        let advanced = match connecting.again {
            Some(at) if now < at => return None,
            Some(_) => connecting.try_again(shared, connection),
            None => connecting.step(shared, connection),
        };
        let advanced = advanced.unwrap_or_else(Advanced::Failed);
        let cut = match advanced {
            Advanced::Ready(channel) => {
                *slot = None;
                drop(slot);
                if let Purpose::Loan(loan) = connection.purpose {
                    return Some((loan, channel));
                }
                connection.become_ready(&shared.local, channel);
                return None;
            }
            Advanced::Waits => {
                let waited = now.saturating_duration_since(connecting.since);
                let timeout = match (connecting.addresses.len(), connection.purpose) {
                    (0, Purpose::Requests) => LIMIT,
                    (0, Purpose::Probe | Purpose::Loan(_)) => PROBE,
                    _ => TIMEOUT,
                };
                if waited < timeout {
                    return None;
                }
                format!("no answer after {} ms", waited.as_millis()).into()
            }
            Advanced::Failed(cut) => cut,
        };
        connecting.hang_up(&shared.local.core);
        if cut.may_pass && connecting.tries < TRIES {
            connecting.again = Some(now + FIRST_PAUSE * (1 << (connecting.tries - 1)));
            connecting.tries += 1;
            return None;
        }
        connecting.failures.push(format!("{}: {}", connecting.address, cut.reason));
        connecting.only_others &= cut.is_another;
        let tried = connecting.failures.len();
        let following = next(shared, connection.id, &mut connecting.addresses, &mut connecting.failures);
        connecting.only_others &= connecting.failures.len() == tried;
        match following {
            Some((address, socket)) => {
                lock(&connection.path).0 = address.to_string();
                connecting.address = address;
                connecting.socket = Some(socket);
                connecting.handshake = None;
                connecting.tries = 1;
                connecting.since = now;
            }
            None if connecting.loan_until.is_some_and(|until| now < until) => {
                // Then it is tried for the last time.
                connecting.again = connecting.loan_until;
                return None;
            }
            None => {
                let reason = format!(
                    "cannot connect to {}: {}",
                    connection.peer.name(),
                    connecting.failures.join("; ")
                );
                if connecting.only_others {
                    *lock(&connection.farewell) = Some(Farewell::Peer);
                }
                *slot = None;
                drop(slot);
                connection.fail(&shared.local, &reason);
                return None;
            }
        }
    }
}

/// Ends the tries: the peer has lent a connection.
pub(crate) fn give_up(shared: &Shared, connection: &Connection) {
    if let Some(mut connecting) = lock(&connection.connecting).take() {
        connecting.hang_up(&shared.local.core);
    }
}

impl Connecting {
    /// Connects to the same address anew.
    fn try_again(&mut self, shared: &Shared, connection: &Connection) -> Result<Advanced, Cut> {
        self.again = None;
        self.handshake = None;
        let mut failures = Vec::new();
        let address = &mut vec![self.address].into_iter();
        match next(shared, connection.id, address, &mut failures) {
            Some((_, socket)) => {
                self.socket = Some(socket);
                Ok(Advanced::Waits)
            }
            None => Err(failures.join("; ").into()),
        }
    }

    fn step(&mut self, shared: &Shared, connection: &Connection) -> Result<Advanced, Cut> {
        let Some(socket) = &self.socket else { return Ok(Advanced::Waits) };
        let handshake = match &mut self.handshake {
            Some(handshake) => handshake,
            None => {
                sockopt::socket_error(socket).and_then(|result| result)?;
                if rustix::net::getpeername(socket).is_err() {
                    return Ok(Advanced::Waits);
                }
                self.handshake.insert(shared.identity.client(connection.peer, self.address)?)
            }
        };
        let wants = match handshake.advance(socket.as_fd())? {
            Step::WantsRead => EventFlags::IN,
            Step::WantsWrite => EventFlags::OUT,
            Step::Done => {
                let finished = self.handshake.take().and_then(Handshake::finish);
                let Some((_, who, stream)) = finished else {
                    return Err("the handshake has no end".to_owned().into());
                };
                if who != connection.peer {
                    return Err(format!("{who} answers").into());
                }
                let ready = descriptor::duplicate(socket, 0)?;
                let _ = epoll::delete(&shared.local.core.epoll, socket);
                let data = EventData::new_u64(connection.id);
                epoll::add(&shared.local.core.epoll, &ready, data, EventFlags::RDHUP)?;
                return Ok(Advanced::Ready(Channel::new(ready, stream)));
            }
        };
        epoll::modify(&shared.local.core.epoll, socket, EventData::new_u64(connection.id), wants)?;
        Ok(Advanced::Waits)
    }
}
