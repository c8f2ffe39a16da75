// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A communicator: one buffer, and connections to the buffers of others, which are made by address and port.
//!
//! **Listening** is a meeting point (`listener`) at an address and port, **dialling** a stay there (`dial`).
//! The two exchange cards once; from then on each reaches the buffer of the other through its own network,
//! of which a communicator has one (`net`), without a step of the other end. So a connection is used
//! from both ends, also while the program at one of them does something else.
//!
//! * `peers`: who is connected, over the address book (`book.rs`); `connection`: one of them.
//! * `operations`: put and get; `recent`: the same again, at once; `started`, `workers`: those that are
//!   waited for later; `pipeline`: in chunks. `awaiting`: words that peers write.
//! * `stream`: data of any length through the two buffers. `inbox`: messages behind the data. `trust`: who
//!   may connect. `card`: what the two ends exchange.
//!
//! **Threads.** None of its own for peers or listeners: meeting points are served by the one thread of all
//! stores of a process, and each watches its guests by one. `workers` come while something was started, as
//! many as there are channels.

mod awaiting;
mod batch;
mod card;
mod connection;
mod dial;
mod inbox;
mod listener;
mod net;
mod operations;
mod peers;
mod pipeline;
mod recent;
mod started;
mod stream;
mod trust;
mod workers;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::sync::pace::Taken;
use mf_base::{Error, Kind, Result, Retry, warn_limited};

use self::inbox::Inbox;
use self::listener::Listener;
use self::net::Net;
use self::peers::Peers;
use self::started::{Pending, Started};
use self::stream::Streams;
use self::trust::{Trust, address_of};
use self::workers::Workers;
use crate::book::{AtAddress, Key};
use crate::buffer::Buffer;
use crate::fault::fault;
use crate::numbers::{ConnType, Status};

pub use self::connection::Connection;
pub use self::recent::{Known, copy_again};
pub use self::stream::stream_chunk_bytes;

/// Most channels of a communicator.
pub const CHANNELS_MAX: u64 = 16;

/// A peer as callers name it.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Its address, as text; a name where an address is resolved.
    pub ip: &'a [u8],
    /// The port that was dialled, or at which the dialer listens, or 0.
    pub port: u16,
    /// In which table it is.
    pub conn: ConnType,
}

/// Ranges of the two buffers.
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    /// Offset in the own buffer.
    pub local: u64,
    /// Offset in the other buffer.
    pub remote: u64,
    /// Length of both.
    pub bytes: u64,
}

/// A communicator over a buffer. All calls from any thread.
pub struct Communicator(Arc<Inner>);

struct Inner {
    buffer: Arc<Buffer>,
    channels: u64,
    /// From when it first listens or dials.
    net: Mutex<Option<Arc<Net>>>,
    inbox: Arc<Inbox>,
    streams: Streams,
    peers: Peers,
    listeners: Mutex<BTreeMap<ConnType, Listener>>,
    started: Started,
    /// What was started for nobody, and may be in flight.
    unobserved: Mutex<Vec<Arc<Pending>>>,
    workers: Workers,
    /// How waits for words go.
    taken: Taken,
    is_ended: AtomicBool,
    owner: Owner,
}

impl Communicator {
    /// A communicator without connections. **Local.**
    ///
    /// # Errors
    /// `InvalidConfig` no channel, or more than [`CHANNELS_MAX`].
    pub fn new(op: &'static str, buffer: Arc<Buffer>, channels: u64) -> Result<Self> {
        if channels == 0 || channels > CHANNELS_MAX {
            return Err(fault(op, Status::InvalidConfig, "a communicator has 1 to 16 channels")
                .with("channels", channels));
        }
        let inbox = Arc::new(Inbox::default());
        Ok(Self(Arc::new(Inner {
            buffer,
            channels,
            net: Mutex::default(),
            inbox,
            streams: Streams::default(),
            peers: Peers::default(),
            listeners: Mutex::default(),
            started: Started::default(),
            unobserved: Mutex::default(),
            workers: Workers::new(channels),
            taken: Taken::new(),
            is_ended: AtomicBool::new(false),
            owner: Owner::current(),
        })))
    }

    /// Its buffer.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.0.buffer
    }

    /// Lets others connect at this address and port, for one kind of connections; again for the same kind:
    /// nothing. Returns when they can.
    ///
    /// # Errors
    /// `InvalidConfig` no address of this host, or port 0 · `Error` the port is in use, or the process is
    /// out of descriptors or threads.
    pub fn listen(&self, op: &'static str, ip: &str, port: u16, conn: ConnType) -> Result<()> {
        self.0.check(op)?;
        let mut listeners = lock(&self.0.listeners);
        if let Entry::Vacant(place) = listeners.entry(conn) {
            place.insert(Listener::open(op, &self.0, ip, port, conn)?);
        }
        Ok(())
    }

    /// Lets nobody connect any more; connections stay.
    ///
    /// # Errors
    /// None but of a forked child.
    pub fn stop(&self, op: &'static str) -> Result<()> {
        self.0.check(op)?;
        self.0.close_listeners();
        Ok(())
    }

    /// Connects to who listens at this address and port; connected already: nothing. Tries once, and blocks
    /// at most 10 s.
    ///
    /// # Errors
    /// `InvalidConfig` no address, or port 0 · `Error` nobody listens there, it refuses, or nothing reaches
    /// its memory.
    pub fn connect(&self, op: &'static str, ip: &str, port: u16, conn: ConnType) -> Result<()> {
        self.0.check(op)?;
        dial::connect(op, &self.0, ip, port, conn)
    }

    /// Drops the connection to a peer; none: nothing.
    ///
    /// # Errors
    /// None but of a forked child.
    pub fn disconnect(&self, op: &'static str, at: At<'_>) -> Result<()> {
        self.0.check(op)?;
        if let Some(connection) = key_of(at).and_then(|key| self.0.peers.remove(key)) {
            self.0.over(&connection);
        }
        Ok(())
    }

    /// The connection to a peer, for transfers in several steps. **Local**, unless the meeting point at which
    /// it was dialled is gone: then a byte of the peer is read, to find out whether the process is, too.
    ///
    /// # Errors
    /// `NotFound` there is none, or none any more.
    pub fn connection(&self, op: &'static str, at: At<'_>) -> Result<Arc<Connection>> {
        self.0.check(op)?;
        let connection = self.0.find(op, at)?;
        if connection.is_alive() {
            return Ok(connection);
        }
        let mut byte = 0_u8;
        let span = connection.span_from(op, &raw mut byte, 0, 1)?;
        // SAFETY: the byte outlives the copy.
        let done = unsafe { connection.copy(&span, false) };
        match self.0.ended(op, &connection, done) {
            Ok(()) => Ok(connection),
            Err(error) if error.kind() == Kind::Interrupted => Err(error),
            Err(error) => Err(self.0.no_peer(op, at.ip, at.conn, Some(at.port)).source(error.to_string())),
        }
    }

    /// The port of the one peer that has this address.
    ///
    /// # Errors
    /// `NotFound` none has it · `Error` several have.
    pub fn port_of(&self, op: &'static str, ip: &str, conn: ConnType) -> Result<u16> {
        self.0.check(op)?;
        let found = address_of(ip).map_or(AtAddress::None, |ip| self.0.peers.at_address(conn, ip));
        match found {
            AtAddress::One(port) => Ok(port),
            AtAddress::None => Err(self.0.no_peer(op, ip.as_bytes(), conn, None)),
            AtAddress::Several => {
                Err(fault(op, Status::Error, "several peers have this address: name the port").with("ip", ip))
            }
        }
    }

    /// Hands a message to the peer, behind what was put there; it has it on return.
    ///
    /// # Errors
    /// `Error` the peer is gone, or has no room for it.
    pub fn notify(&self, op: &'static str, connection: &Arc<Connection>, message: &[u8]) -> Result<()> {
        self.0.check(op)?;
        let done = connection.notify(inbox::OF_PROGRAMS, message);
        self.0.ended(op, connection, done)
    }

    /// The next message of a peer; `None`: none came by the deadline.
    ///
    /// # Errors
    /// `Interrupted` · `Error` the communicator was destroyed.
    pub fn next_message(
        &self,
        op: &'static str,
        connection: &Connection,
        deadline: Option<Instant>,
    ) -> Result<Option<Vec<u8>>> {
        self.0.check(op)?;
        self.0.inbox.next(op, (connection.session(), inbox::OF_PROGRAMS), deadline)
    }

    /// Ends listeners, connections and what is in flight; the buffer is not reachable any more when it
    /// returns. A second call changes nothing.
    pub fn end(&self) {
        self.0.end();
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Inner {
    fn check(&self, op: &'static str) -> Result<()> {
        self.owner.check(op, "the communicator belongs to the parent of this process")?;
        if self.is_ended.load(Ordering::Acquire) {
            return Err(fault(op, Status::Error, "the communicator was destroyed"));
        }
        Ok(())
    }

    /// The network, opened when it is first needed.
    fn net(&self, op: &'static str, trust: &Trust) -> Result<Arc<Net>> {
        let mut net = lock(&self.net);
        self.check(op)?;
        if let Some(net) = &*net {
            return Ok(Arc::clone(net));
        }
        let opened = Net::open(op, &self.buffer, trust, &self.inbox).map_err(|error| {
            fault(op, Status::Error, "the network does not open").source(error.to_string())
        })?;
        Ok(Arc::clone(net.insert(Arc::new(opened))))
    }

    /// Where it listens itself for a kind of connections; no address and port 0: it does not.
    fn own_place(&self, conn: ConnType) -> (Option<IpAddr>, u16) {
        let place = lock(&self.listeners).get(&conn).map(Listener::place);
        place.map_or((None, 0), |(ip, port)| (Some(ip), port))
    }

    /// The connection to a peer.
    fn find(&self, op: &'static str, at: At<'_>) -> Result<Arc<Connection>> {
        let found = key_of(at).and_then(|key| self.peers.get(key));
        found.ok_or_else(|| self.no_peer(op, at.ip, at.conn, Some(at.port)))
    }

    /// There is no such peer; the text has those that there are.
    #[cold]
    fn no_peer(&self, op: &'static str, ip: &[u8], conn: ConnType, port: Option<u16>) -> Error {
        let error = fault(op, Status::NotFound, "there is no connection to this peer")
            .with("ip", String::from_utf8_lossy(ip).escape_debug())
            .with("conn", format_args!("{conn:?}"));
        let error = port.into_iter().fold(error, |error, port| error.with("port", port));
        error.with("connected", self.peers.names())
    }

    /// Adds a peer, in the place of the former. Two that dial each other at once keep the same connection.
    fn connected(&self, key: Key, connection: &Arc<Connection>) {
        match self.peers.insert(key, connection, |former| connection.gives_way_to(former)) {
            // It goes on with its connection, and what has begun towards it ends as it would have.
            Some(former) if former.has_namesake(connection) => warn_limited!(
                ip = %key.ip,
                port = key.port,
                "a dialer takes the place of another one, which cannot be named any more: give dialers that share an \
                 address listeners, each at a port of its own"
            ),
            Some(former) => self.over(&former),
            None => {}
        }
    }

    /// Whether a connection can be named.
    fn has(&self, key: Key, connection: &Connection) -> bool {
        self.peers.get(key).is_some_and(|known| known.number() == connection.number())
    }

    /// A connection that is in the book no more.
    fn over(&self, connection: &Connection) {
        self.inbox.forget(connection.session());
        self.streams.forget(connection.session());
        connection.end();
    }

    /// What became of an operation, for callers: a peer that is gone is dropped.
    fn ended(&self, op: &'static str, connection: &Connection, done: Result<()>) -> Result<()> {
        let Err(error) = done else { return Ok(()) };
        if error.kind() == Kind::Interrupted || error.family_code().is_some() {
            return Err(error);
        }
        if connection::is_gone(&error) {
            for lost in self.peers.remove_all(|known| known.number() == connection.number()) {
                self.over(&lost);
            }
            let gone = fault(op, Status::Error, "the peer is gone, and the connection is dropped");
            return Err(gone.source(error.to_string()));
        }
        Err(failed(op, &error))
    }

    fn close_listeners(&self) {
        let listeners = std::mem::take(&mut *lock(&self.listeners));
        drop(listeners);
    }

    fn end(&self) {
        if !self.owner.is_current() || self.is_ended.swap(true, Ordering::AcqRel) {
            return;
        }
        self.close_listeners();
        self.workers.close();
        for connection in self.peers.remove_all(|_| true) {
            self.over(&connection);
        }
        let net = lock(&self.net).take();
        if let Some(net) = net {
            net.close();
        }
        // What they did has ended with the network.
        self.workers.wait();
    }
}

/// An operation failed, and the peer is there.
#[cold]
fn failed(op: &'static str, error: &Error) -> Error {
    let failed = fault(op, Status::Error, "the operation failed").source(error.to_string());
    match error.retry_class() {
        Retry::AtOnce => failed.retry(Retry::AtOnce),
        _ => failed,
    }
}

/// Where callers mean.
fn key_of(at: At<'_>) -> Option<Key> {
    let ip = address_of(std::str::from_utf8(at.ip).ok()?)?;
    Some(Key { conn: at.conn, ip, port: at.port })
}
