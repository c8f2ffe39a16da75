// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Communicator: one buffer, and connections to the buffers of others, made by address and port.
//!
//! **Listening** opens a meeting point (`listener`) at an address and port, **dialling** joins it (`dial`).
//! The two ends exchange cards once; from then on each reaches the buffer of the other through its own
//! network, one per communicator (`net`), without a step of the other end. So a connection is used from both
//! ends, also while the program at one of them is busy.
//!
//! * `peers`: connected peers, over the peer table (`peer_table.rs`); `connection`: one of them.
//! * `operations`: put and get, by the fast path or the slow path; `copy_cache`: the cached fast path;
//!   `started`, `batch`: asynchronous operations; `pipeline`: copies in chunks. `awaiting`: waits for words
//!   that peers write.
//! * `stream`: data of any length through the two buffers. `inbox`: messages that follow the data. `trust`:
//!   admission of peers. `card`: the message that the two ends exchange.
//!
//! **The path of a put.** Fast path: `peers` compares the bytes of the peer's address, with the last call
//! first, checks both ranges, against the own buffer and the length that the peer announced, and copies to
//! mapped memory. Slow path: `connection` is found by the peer's key, checks both ranges, and copies through
//! `mf_fabric::endpoint`: by the kernel, by an accelerator, or, as a remote copy, over the network.
//!
//! **Threads.** None of its own for peers or listeners: meeting points are served by the one thread of all
//! stores of a process, and each watches its guests by one. The queue of `batch` has threads while
//! operations are in flight, at most one per channel.

mod admission;
mod batch;
mod card;
mod connection;
mod copy_cache;
mod dial;
mod inbox;
mod listener;
mod net;
mod operations;
mod peers;
mod pipeline;
mod started;
mod stream;
mod word_waits;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::ops::WorkQueue;
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::sync::pace::Taken;
use mf_base::{Error, Kind, Result, Retry, warn_limited};

use self::admission::{Trust, address_of};
use self::batch::Task;
use self::inbox::Inbox;
use self::listener::Listener;
use self::net::Net;
use self::peers::Peers;
use self::started::{Pending, Started};
use self::stream::Streams;
use crate::buffer::Buffer;
use crate::numbers::{ConnType, Status};
use crate::peer_table::{AtAddress, PeerKey};
use crate::status_errors::fault;

pub use self::connection::Connection;
pub use self::copy_cache::{CopyNote, fast_path_cached};
pub use self::stream::stream_chunk_bytes;

/// Most channels of a communicator.
pub const CHANNELS_MAX: u64 = 16;

/// Name of a peer, as callers pass it.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Its address, as text; a name where an address is resolved.
    pub ip: &'a [u8],
    /// The dialled port; or the port at which the dialer listens, or 0.
    pub port: u16,
    /// Table that it is in.
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

/// A communicator over a buffer. Thread-safe.
pub struct Communicator(Arc<CommunicatorInner>);

struct CommunicatorInner {
    buffer: Arc<Buffer>,
    channels: u64,
    /// Opened at the first listen or dial.
    net: Mutex<Option<Arc<Net>>>,
    inbox: Arc<Inbox>,
    streams: Streams,
    peers: Peers,
    listeners: Mutex<BTreeMap<ConnType, Listener>>,
    started: Started,
    /// Unobserved operations that may be in flight.
    unobserved: Mutex<Vec<Arc<Pending>>>,
    queue: WorkQueue<Task>,
    /// State of waits for words.
    taken: Taken,
    is_ended: AtomicBool,
    owner: Owner,
}

impl Communicator {
    /// Creates a communicator without connections. **Local.**
    ///
    /// # Errors
    /// `InvalidConfig` no channel, or more than [`CHANNELS_MAX`].
    pub fn new(op: &'static str, buffer: Arc<Buffer>, channels: u64) -> Result<Self> {
        if channels == 0 || channels > CHANNELS_MAX {
            return Err(fault(op, Status::InvalidConfig, "a communicator has 1 to 16 channels")
                .with("channels", channels));
        }
        let inbox = Arc::new(Inbox::default());
        Ok(Self(Arc::new(CommunicatorInner {
            buffer,
            channels,
            net: Mutex::default(),
            inbox,
            streams: Streams::default(),
            peers: Peers::default(),
            listeners: Mutex::default(),
            started: Started::default(),
            unobserved: Mutex::default(),
            queue: batch::queue(channels),
            taken: Taken::new(),
            is_ended: AtomicBool::new(false),
            owner: Owner::current(),
        })))
    }

    /// Returns its buffer.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.0.buffer
    }

    /// Lets others connect at this address and port, for one kind of connections; does nothing if it listens
    /// for that kind already. Returns when they can.
    ///
    /// # Errors
    /// `InvalidConfig` not an address of this host, or port 0 · `Error` the port is in use, or the process
    /// is out of descriptors or threads.
    pub fn listen(&self, op: &'static str, ip: &str, port: u16, conn: ConnType) -> Result<()> {
        self.0.check(op)?;
        let mut listeners = lock(&self.0.listeners);
        if let Entry::Vacant(place) = listeners.entry(conn) {
            place.insert(Listener::open(op, &self.0, ip, port, conn)?);
        }
        Ok(())
    }

    /// Stops listening; connections stay.
    ///
    /// # Errors
    /// Only in a forked child.
    pub fn stop(&self, op: &'static str) -> Result<()> {
        self.0.check(op)?;
        self.0.close_listeners();
        Ok(())
    }

    /// Connects to the listener at this address and port; does nothing if connected already. Tries once, and
    /// blocks at most 10 s.
    ///
    /// # Errors
    /// `InvalidConfig` invalid address, or port 0 · `Error` no listener, it refuses, or no transport reaches
    /// its memory.
    pub fn connect(&self, op: &'static str, ip: &str, port: u16, conn: ConnType) -> Result<()> {
        self.0.check(op)?;
        dial::connect(op, &self.0, ip, port, conn)
    }

    /// Drops the connection to a peer, if connected.
    ///
    /// # Errors
    /// Only in a forked child.
    pub fn disconnect(&self, op: &'static str, at: At<'_>) -> Result<()> {
        self.0.check(op)?;
        if let Some(connection) = key_of(at).and_then(|key| self.0.peers.remove(key)) {
            self.0.end_connection(&connection);
        }
        Ok(())
    }

    /// Returns the connection to a peer, for transfers in several steps. **Local**, unless the meeting point
    /// at which it was dialled is gone: then a byte of the peer is read, to find out whether the process is
    /// gone, too.
    ///
    /// # Errors
    /// `NotFound` not connected, or no longer.
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

    /// Returns the port of the only peer with this address.
    ///
    /// # Errors
    /// `NotFound` no peer has it · `Error` several have it.
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

    /// Ends listeners, connections and operations in flight; the buffer is not reachable any more when it
    /// returns. Idempotent.
    pub fn end(&self) {
        self.0.end();
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl CommunicatorInner {
    fn check(&self, op: &'static str) -> Result<()> {
        self.owner.check(op, "the communicator belongs to the parent of this process")?;
        if self.is_ended.load(Ordering::Acquire) {
            return Err(fault(op, Status::Error, "the communicator was destroyed"));
        }
        Ok(())
    }

    /// Returns the network, opened at first use.
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

    /// Returns the address and port at which it listens for a kind of connections; `(None, 0)` if it does
    /// not.
    fn own_place(&self, conn: ConnType) -> (Option<IpAddr>, u16) {
        let place = lock(&self.listeners).get(&conn).map(Listener::place);
        place.map_or((None, 0), |(ip, port)| (Some(ip), port))
    }

    /// Finds the connection to a peer.
    fn find(&self, op: &'static str, at: At<'_>) -> Result<Arc<Connection>> {
        let found = key_of(at).and_then(|key| self.peers.get(key));
        found.ok_or_else(|| self.no_peer(op, at.ip, at.conn, Some(at.port)))
    }

    /// Creates the error for an unknown peer; its text lists the known ones.
    #[cold]
    fn no_peer(&self, op: &'static str, ip: &[u8], conn: ConnType, port: Option<u16>) -> Error {
        let error = fault(op, Status::NotFound, "no connection to this peer")
            .with("ip", String::from_utf8_lossy(ip).escape_debug())
            .with("conn", format_args!("{conn:?}"));
        let error = port.into_iter().fold(error, |error, port| error.with("port", port));
        error.with("connected", self.peers.names())
    }

    /// Adds a peer, in place of the former. If two dial each other at once, both keep the same connection.
    fn connected(&self, key: PeerKey, connection: &Arc<Connection>) {
        match self.peers.insert(key, connection, |former| connection.yields_to(former)) {
            // The former peer keeps its connection, and operations already begun to it complete.
            Some(former) if former.is_distinct_peer(connection) => warn_limited!(
                ip = %key.ip,
                port = key.port,
                "a dialer takes the place of another one, which cannot be named any more: give dialers that share an \
                 address listeners, each at a port of its own"
            ),
            Some(former) => self.end_connection(&former),
            None => {}
        }
    }

    /// Returns true if a connection can be named.
    fn has(&self, key: PeerKey, connection: &Connection) -> bool {
        self.peers.get(key).is_some_and(|known| known.number() == connection.number())
    }

    /// Ends a connection that was removed from the table.
    fn end_connection(&self, connection: &Connection) {
        self.inbox.messages.forget(connection.session());
        self.streams.forget(connection.session());
        connection.end();
    }

    /// Converts the outcome of an operation for callers; drops a peer that is gone.
    fn ended(&self, op: &'static str, connection: &Connection, done: Result<()>) -> Result<()> {
        let Err(error) = done else { return Ok(()) };
        if error.kind() == Kind::Interrupted || error.family_code().is_some() {
            return Err(error);
        }
        if connection::is_gone(&error) {
            for lost in self.peers.remove_all(|known| known.number() == connection.number()) {
                self.end_connection(&lost);
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
        self.queue.close().iter().for_each(Task::end_unperformed);
        for connection in self.peers.remove_all(|_| true) {
            self.end_connection(&connection);
        }
        let net = lock(&self.net).take();
        if let Some(net) = net {
            net.close();
        }
        // Their operations have ended with the network.
        self.queue.wait();
    }
}

/// Creates the error of an operation that failed although the peer is alive.
#[cold]
fn failed(op: &'static str, error: &Error) -> Error {
    let failed = fault(op, Status::Error, "the operation failed").source(error.to_string());
    match error.retry_class() {
        Retry::AtOnce => failed.retry(Retry::AtOnce),
        _ => failed,
    }
}

/// Parses the name of a peer.
fn key_of(at: At<'_>) -> Option<PeerKey> {
    let ip = address_of(std::str::from_utf8(at.ip).ok()?)?;
    Some(PeerKey { conn: at.conn, ip, port: at.port })
}
