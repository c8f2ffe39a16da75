// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Server of the metrics: its sockets, and the one thread that has them.
//!
//! It never waits for a client: at most [`CONNECTIONS`] are open, a further one takes the place of the
//! oldest, and each has [`TIME`] from its arrival to the end of its reply. So clients that send garbage, read
//! slowly or come by the thousand cost a bounded amount, and a client that asks and reads gets its reply.
//!
//! Readers of events stay. There are at most [`READERS`]: a further one replaces the reader that has taken
//! nothing for the longest time, else the oldest. A reader is sent the newest event, once the one before is
//! gone; a reader that takes nothing of it for [`TIME`] is cut off.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use mf_base::os::process::Owner;
use mf_base::os::thread::spawn;
use mf_base::sync::lock;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::set_socket_send_buffer_size;

use super::http::{HEAD_BYTES_MAX, Step, step};
use super::site::Site;

/// Most connections at a time.
const CONNECTIONS: usize = 32;
/// Longest life of a connection.
const TIME: Duration = Duration::from_secs(10);
/// Most readers of events at a time.
const READERS: usize = 64;
/// A reader that takes nothing for so long is replaced by others.
const STUCK: Duration = Duration::from_secs(1);
/// Kernel buffer of each of these.
const READER_BYTES: usize = 64 << 10;
/// Connections that are taken in before others go on.
const TAKEN_AT_ONCE: usize = 64;
/// The pause after the system refused to take one in, for example for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// An event as it is sent.
pub(super) type Event = Arc<[u8]>;

/// The server; dropping it ends it.
pub(super) struct Server {
    address: SocketAddr,
    shared: Arc<ServerShared>,
    thread: Option<JoinHandle<()>>,
    owner: Owner,
}

/// State shared by the thread and its callers.
struct ServerShared {
    wake: OwnedFd,
    mail: Mutex<Mail>,
    /// Notified when [`Mail::delivered`] changes.
    delivery: Condvar,
}

#[derive(Default)]
struct Mail {
    is_over: bool,
    readers: usize,
    /// Number of events, and the newest.
    events: u64,
    event: Option<Event>,
    /// All readers have been sent the events up to this number.
    delivered: u64,
}

impl ServerShared {
    fn wake(&self) {
        // The counter of a descriptor that is read at once has room.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}

impl Server {
    /// Serves on `listener`; with a secret, only clients that have it.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn start(
        listener: TcpListener,
        secret: Option<Vec<u8>>,
        site: Box<dyn Site>,
    ) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let wake = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let shared = Arc::new(ServerShared { wake, mail: Mutex::default(), delivery: Condvar::new() });
        let mail = Arc::clone(&shared);
        let mut desk =
            Desk { listener, secret, site, mail, open: VecDeque::new(), rest_until: None, newest: None };
        let thread = Some(spawn("mf-metrics", move || while desk.run_turn() {})?);
        Ok(Self { address, shared, thread, owner: Owner::current() })
    }

    /// Returns the number of readers of events.
    pub(super) fn readers(&self) -> usize {
        lock(&self.shared.mail).readers
    }

    /// Sends an event to them.
    pub(super) fn publish(&self, event: Event) {
        let mut mail = lock(&self.shared.mail);
        mail.events += 1;
        mail.event = Some(event);
        drop(mail);
        self.shared.wake();
    }

    /// Sends the last event, and waits until all readers have it, at most for `within`.
    pub(super) fn publish_last(&self, event: Event, within: Duration) {
        self.publish(event);
        let is_missing = |mail: &mut Mail| mail.delivered < mail.events;
        let waited = self.shared.delivery.wait_timeout_while(lock(&self.shared.mail), within, is_missing);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A forked child has no such thread.
        if !self.owner.is_current() {
            return;
        }
        lock(&self.shared.mail).is_over = true;
        self.shared.wake();
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

/// State of the thread.
struct Desk {
    listener: TcpListener,
    secret: Option<Vec<u8>>,
    site: Box<dyn Site>,
    mail: Arc<ServerShared>,
    /// The oldest first.
    open: VecDeque<Connection>,
    /// No connection is taken in before.
    rest_until: Option<Instant>,
    /// The newest event, and its number.
    newest: Option<(u64, Event)>,
}

struct Connection {
    stream: TcpStream,
    /// `None` for a reader of events that has received everything.
    until: Option<Instant>,
    stage: Stage,
}

enum Stage {
    Asking(Vec<u8>),
    /// The reply, and how much of it was sent.
    Replying(Vec<u8>, usize),
    /// Event being sent to a reader, its bytes sent so far, and its number.
    Reading(Event, usize, u64),
    /// Sent; further bytes of the client are discarded until it closes, lest the reply be lost with it.
    Closing,
}

impl Desk {
    /// Waits until something is to be done, and does it; false: the server ends.
    fn run_turn(&mut self) -> bool {
        let now = Instant::now();
        self.open.retain(|connection| connection.until.is_none_or(|until| until > now));
        self.rest_until = self.rest_until.filter(|until| *until > now);
        self.count_readers();
        let first = self.open.iter().filter_map(|connection| connection.until).chain(self.rest_until).min();
        let wait = first.map(|until| Timespec::try_from(until.saturating_duration_since(now)));
        let mut polled = vec![PollFd::new(&self.mail.wake, PollFlags::IN)];
        let flags = if self.rest_until.is_some() { PollFlags::empty() } else { PollFlags::IN };
        polled.push(PollFd::new(&self.listener, flags));
        for Connection { stream, stage, .. } in &self.open {
            let flags = match stage {
                Stage::Replying(..) => PollFlags::OUT,
                Stage::Reading(event, sent, _) if *sent < event.len() => PollFlags::IN | PollFlags::OUT,
                Stage::Asking(_) | Stage::Reading(..) | Stage::Closing => PollFlags::IN,
            };
            polled.push(PollFd::new(stream, flags));
        }
        let wait = wait.and_then(Result::ok);
        if poll(&mut polled, wait.as_ref()).is_err() {
            return true;
        }
        let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
        let mut ready = ready.into_iter();
        if ready.next().unwrap_or(false) && !self.take_mail() {
            return false;
        }
        let has_arrivals = ready.next().unwrap_or(false);
        let (secret, site, newest) = (self.secret.as_deref(), &*self.site, self.newest.as_ref());
        self.open.retain_mut(|one| !ready.next().unwrap_or(false) || one.serve_once(secret, site));
        self.open.iter_mut().for_each(|one| one.give_newest(newest));
        self.bound_readers();
        if has_arrivals {
            self.accept_all();
        }
        true
    }

    /// Takes a new event; false: the server ends.
    fn take_mail(&mut self) -> bool {
        let _ = rustix::io::read(&self.mail.wake, &mut [0; 8]);
        let mail = lock(&self.mail.mail);
        self.newest = mail.event.clone().map(|event| (mail.events, event));
        !mail.is_over
    }

    /// Drops the event once it has no readers.
    fn count_readers(&mut self) {
        let readers = self.open.iter().filter(|one| one.reads()).count();
        let delivered = self.open.iter().filter_map(Connection::delivered).min();
        let mut mail = lock(&self.mail.mail);
        mail.readers = readers;
        mail.delivered = delivered.unwrap_or(mail.events);
        self.mail.delivery.notify_all();
        if readers == 0 {
            (mail.event, self.newest) = (None, None);
        }
    }

    fn bound_readers(&mut self) {
        while self.open.iter().filter(|one| one.reads()).count() > READERS {
            // The reader that has taken nothing for the longest time is cut off first.
            let long_ago = Instant::now() + TIME - STUCK;
            let is_stuck = |one: &Connection| one.reads() && one.until.is_some_and(|until| until < long_ago);
            let stuck = self.open.iter().enumerate().filter(|(_, one)| is_stuck(one));
            let stuck = stuck.min_by_key(|(_, one)| one.until).map(|(at, _)| at);
            let victim = stuck.or_else(|| self.open.iter().position(Connection::reads));
            self.open.remove(victim.unwrap_or(0));
        }
    }

    fn accept_all(&mut self) {
        for _ in 0..TAKEN_AT_ONCE {
            match descriptor::accept_tcp(&self.listener) {
                Ok((stream, _)) if stream.set_nonblocking(true).is_ok() => {
                    let others = || self.open.iter().filter(|one| !one.reads());
                    if others().count() >= CONNECTIONS
                        && let Some(oldest) = self.open.iter().position(|one| !one.reads())
                    {
                        self.open.remove(oldest);
                    }
                    let (until, stage) = (Some(Instant::now() + TIME), Stage::Asking(Vec::new()));
                    self.open.push_back(Connection { stream, until, stage });
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // The client is gone already.
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
                Err(error) => {
                    tracing::debug!("a connection for metrics is not taken in: {error}");
                    self.rest_until = Some(Instant::now() + PAUSE);
                    return;
                }
            }
        }
    }
}

impl Connection {
    /// Reads or writes once; false: it is done.
    fn serve_once(&mut self, secret: Option<&[u8]>, site: &dyn Site) -> bool {
        match self.advance(secret, site) {
            Ok(goes_on) => goes_on,
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }

    fn reads(&self) -> bool {
        matches!(self.stage, Stage::Reading(..))
    }

    /// Returns the number of the last event that a reader was sent completely; `None` if it is no reader.
    fn delivered(&self) -> Option<u64> {
        match &self.stage {
            Stage::Reading(event, sent, number) if *sent < event.len() => Some(number.saturating_sub(1)),
            Stage::Reading(.., number) => Some(*number),
            _ => None,
        }
    }

    /// Gives the newest event to a reader that has all before.
    fn give_newest(&mut self, newest: Option<&(u64, Event)>) {
        if let (Stage::Reading(event, sent, number), Some((newest, next))) = (&mut self.stage, newest)
            && *sent >= event.len()
            && *number < *newest
        {
            self.stage = Stage::Reading(Arc::clone(next), 0, *newest);
            self.until = Some(Instant::now() + TIME);
        }
    }

    fn advance(&mut self, secret: Option<&[u8]>, site: &dyn Site) -> std::io::Result<bool> {
        let mut room = [0; HEAD_BYTES_MAX];
        match &mut self.stage {
            Stage::Asking(head) => {
                let count = self.stream.read(&mut room)?;
                head.extend_from_slice(room.get(..count).unwrap_or_default());
                if count == 0 {
                    return Ok(false);
                }
                match step(head, secret, site) {
                    Step::More => {}
                    Step::Reply(reply) => self.stage = Stage::Replying(reply, 0),
                    Step::Events(head) => {
                        // The kernel keeps more without; it is no reason to refuse the client.
                        let _ = set_socket_send_buffer_size(&self.stream, READER_BYTES);
                        self.stage = Stage::Reading(head.into(), 0, 0);
                    }
                }
                Ok(true)
            }
            Stage::Reading(event, sent, _) => {
                match self.stream.read(&mut room) {
                    Ok(0) => return Ok(false),
                    Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                    // Its messages are ignored.
                    _ => {}
                }
                let rest = event.get(*sent..).unwrap_or_default();
                if !rest.is_empty() {
                    *sent += self.stream.write(rest)?;
                    self.until = (*sent < event.len()).then(|| Instant::now() + TIME);
                }
                Ok(true)
            }
            Stage::Replying(reply, sent) => {
                *sent += self.stream.write(reply.get(*sent..).unwrap_or_default())?;
                if *sent >= reply.len() {
                    self.stream.shutdown(std::net::Shutdown::Write)?;
                    self.stage = Stage::Closing;
                }
                Ok(true)
            }
            Stage::Closing => Ok(self.stream.read(&mut room)? > 0),
        }
    }
}
