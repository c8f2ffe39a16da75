// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The peer table as operations read it: without a lock, keyed by the text that callers pass, of which only
//! the bytes are compared if it was seen before.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::sync::lock;
use mf_base::sync::published::Published;
use mf_base::sync::rcu::ReadSection;
use mf_transport::{InPlace, PeerRoute, SegmentKey, Span};

use super::Ranges;
use super::connection::Connection;
use crate::numbers::ConnType;
use crate::peer_table::{AtAddress, PeerKey, PeerTable};
use crate::status_errors::out_of_range;

/// Longest address as a text.
const TEXT_MAX: usize = 45;

/// An address as callers usually write it.
struct Text {
    length: u8,
    bytes: [u8; TEXT_MAX],
}

impl Text {
    fn from_ip(ip: IpAddr) -> Self {
        let (text, mut bytes) = (ip.to_string(), [0; TEXT_MAX]);
        let length = text.len().min(TEXT_MAX);
        bytes.iter_mut().zip(text.bytes()).for_each(|(byte, of_text)| *byte = of_text);
        Self { length: u8::try_from(length).unwrap_or(0), bytes }
    }

    #[inline(always)]
    fn is(&self, ip: &[u8]) -> bool {
        self.bytes.get(..usize::from(self.length)) == Some(ip)
    }
}

/// A peer, with all that a mapped copy needs in one place: a copy of some sizes leaves little of other data
/// in the first-level cache, and each further line of memory then costs a few nanoseconds.
struct Line {
    port: u16,
    conn: ConnType,
    text: Text,
    buffers: Option<MappedBuffers>,
    connection: Arc<Connection>,
}

/// The two buffers of a mapped connection.
pub(super) struct MappedBuffers {
    pub(super) route: Arc<dyn PeerRoute>,
    pub(super) key: SegmentKey,
    /// Address and length of the own buffer, and of the other.
    local: (usize, u64),
    remote: (u64, u64),
}

impl MappedBuffers {
    fn of(connection: &Connection) -> Option<Self> {
        let (route, key) = connection.net.endpoint().in_place(&connection.reached)?;
        let buffer = connection.net.buffer();
        let local = (buffer.base().expose_provenance(), buffer.bytes());
        Some(Self { route, key, local, remote: connection.range() })
    }

    /// Returns address and length of the own buffer.
    pub(super) fn local(&self) -> (usize, u64) {
        self.local
    }

    /// Returns the other buffer, if it is mapped.
    pub(super) fn in_place(&self, section: ReadSection<'_>) -> Option<InPlace> {
        self.route.in_place(section, self.key, self.remote)
    }

    /// Resolves a range of both buffers, with bounds checks.
    ///
    /// # Errors
    /// `Error` a range is not inside its buffer.
    #[inline(always)]
    pub(super) fn span(&self, op: &'static str, ranges: Ranges) -> Result<Span> {
        let Ranges { local, remote, bytes } = ranges;
        let is_inside = |offset: u64, all: u64| offset.checked_add(bytes).is_some_and(|end| end <= all);
        if !is_inside(local, self.local.1) {
            return Err(out_of_range(op, "local", local, bytes, self.local.1));
        }
        if !is_inside(remote, self.remote.1) {
            return Err(out_of_range(op, "remote", remote, bytes, self.remote.1));
        }
        // Ranges of buffers do not wrap.
        let local = self.local.0.wrapping_add(usize::try_from(local).unwrap_or(0));
        let local = std::ptr::with_exposed_provenance_mut(local);
        Ok(Span { local, address: self.remote.0 + remote, bytes })
    }
}

/// All peers, in no order.
#[derive(Default)]
struct Page {
    lines: Vec<Line>,
    /// Index of the last peer found: most often it is requested again.
    last: AtomicUsize,
}

impl Page {
    #[inline(always)]
    fn find(&self, ip: &[u8], port: u16, conn: ConnType) -> Option<&Line> {
        let is_named = |line: &Line| line.text.is(ip) || line.connection.name() == Some(ip);
        let is_it = |line: &&Line| line.port == port && line.conn == conn && is_named(line);
        // Only a hint: nothing else depends on it.
        if let Some(line) = self.lines.get(self.last.load(Ordering::Relaxed)).filter(is_it) {
            return Some(line);
        }
        let place = self.lines.iter().position(|line| is_it(&line))?;
        self.last.store(place, Ordering::Relaxed);
        self.lines.get(place)
    }
}

/// Connected peers. A change publishes a new page, so operations take no lock.
pub(super) struct Peers {
    page: Published<Page>,
    table: Mutex<PeerTable<Arc<Connection>>>,
}

impl Default for Peers {
    fn default() -> Self {
        Self { page: Published::new(1), table: Mutex::default() }
    }
}

impl Peers {
    /// Finds the peer at an address in its usual spelling, if its memory is mapped.
    #[inline(always)]
    pub(super) fn mapped<'s>(
        &'s self,
        section: ReadSection<'s>,
        ip: &[u8],
        port: u16,
        conn: ConnType,
    ) -> Option<&'s MappedBuffers> {
        self.page.get(section, 0)?.find(ip, port, conn)?.buffers.as_ref()
    }

    /// Finds a peer by its key, with any spelling of the address.
    pub(super) fn get(&self, key: PeerKey) -> Option<Arc<Connection>> {
        lock(&self.table).get(key).cloned()
    }

    /// Returns the peer at this address, with any port.
    pub(super) fn at_address(&self, conn: ConnType, ip: IpAddr) -> AtAddress {
        lock(&self.table).at_address(conn, ip)
    }

    /// Lists the first peers by the names that callers use for them.
    pub(super) fn names(&self) -> String {
        const MOST: usize = 4;
        let table = lock(&self.table);
        let name = |key: PeerKey| format!("{:?} {}", key.conn, SocketAddr::new(key.ip, key.port));
        let mut names: Vec<_> = table.iter().take(MOST).map(|(key, _)| name(key)).collect();
        match table.iter().count() {
            0 => names.push("none".to_owned()),
            all if all > MOST => names.push(format!("{} others", all - MOST)),
            _ => {}
        }
        names.join(" + ")
    }

    /// Returns true if some peer's memory is mapped here.
    pub(super) fn has_mapped(&self) -> bool {
        lock(&self.table).iter().any(|(_, connection)| connection.is_mapped())
    }

    /// Adds a peer, unless the one with the same key `stays`. Returns the former peer of the key.
    pub(super) fn insert(
        &self,
        key: PeerKey,
        connection: &Arc<Connection>,
        stays: impl FnOnce(&Connection) -> bool,
    ) -> Option<Arc<Connection>> {
        self.change(|table| match table.get(key) {
            Some(former) if stays(former) => None,
            _ => table.insert(key, Arc::clone(connection)),
        })
    }

    /// Removes a peer.
    pub(super) fn remove(&self, key: PeerKey) -> Option<Arc<Connection>> {
        self.change(|table| table.remove(key))
    }

    /// Removes all connections that `is_meant` selects.
    pub(super) fn remove_all(&self, is_meant: impl Fn(&Connection) -> bool) -> Vec<Arc<Connection>> {
        self.change(|table| table.remove_all(|connection| is_meant(connection)))
    }

    fn change<R>(&self, change: impl FnOnce(&mut PeerTable<Arc<Connection>>) -> R) -> R {
        let mut table = lock(&self.table);
        let changed = change(&mut table);
        let line = |(key, connection): (PeerKey, &Arc<Connection>)| Line {
            port: key.port,
            conn: key.conn,
            text: Text::from_ip(key.ip),
            buffers: MappedBuffers::of(connection),
            connection: Arc::clone(connection),
        };
        let page = Page { lines: table.iter().map(line).collect(), last: AtomicUsize::new(0) };
        self.page.set(0, Some(Box::new(page)));
        changed
    }
}
