// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The address book as operations read it: without a lock, and by the text that callers pass, of which only
//! the bytes are compared where it was seen before.

use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::sync::pin::Inside;
use mf_base::sync::published::Published;

use super::connection::Connection;
use crate::book::{AtAddress, Book, Key};
use crate::numbers::ConnType;

/// A peer, and how callers write its address.
#[derive(Clone)]
struct Line {
    key: Key,
    text: Box<[u8]>,
    connection: Arc<Connection>,
}

/// All peers, in no order.
#[derive(Default)]
struct Page {
    lines: Vec<Line>,
    /// Which one was found last: most often it is asked for again.
    last: AtomicUsize,
}

impl Page {
    #[inline(always)]
    fn find(&self, ip: &[u8], port: u16, conn: ConnType) -> Option<&Arc<Connection>> {
        let is_named = |line: &Line| *line.text == *ip || line.connection.name() == Some(ip);
        let is_it = |line: &&Line| line.key.port == port && line.key.conn == conn && is_named(line);
        // Nothing else is read on the strength of it.
        if let Some(line) = self.lines.get(self.last.load(Ordering::Relaxed)).filter(is_it) {
            return Some(&line.connection);
        }
        let place = self.lines.iter().position(|line| is_it(&line))?;
        self.last.store(place, Ordering::Relaxed);
        self.lines.get(place).map(|line| &line.connection)
    }
}

/// Who is connected. A change makes a new page, so operations take no lock.
pub(super) struct Peers {
    page: Published<Page>,
    book: Mutex<Book<Arc<Connection>>>,
}

impl Default for Peers {
    fn default() -> Self {
        Self { page: Published::new(1), book: Mutex::default() }
    }
}

impl Peers {
    /// The peer at an address that is written as most write it.
    #[inline(always)]
    pub(super) fn at_once<'s>(
        &'s self,
        section: Inside<'s>,
        ip: &[u8],
        port: u16,
        conn: ConnType,
    ) -> Option<&'s Arc<Connection>> {
        self.page.get(section, 0)?.find(ip, port, conn)
    }

    /// The peer at a place, however its address is written.
    pub(super) fn get(&self, key: Key) -> Option<Arc<Connection>> {
        lock(&self.book).get(key).cloned()
    }

    /// Who has this address, whatever its port.
    pub(super) fn at_address(&self, conn: ConnType, ip: IpAddr) -> AtAddress {
        lock(&self.book).at_address(conn, ip)
    }

    /// Adds a peer, unless the one that has the place `stays`; gives the one that had it.
    pub(super) fn insert(
        &self,
        key: Key,
        connection: &Arc<Connection>,
        stays: impl FnOnce(&Connection) -> bool,
    ) -> Option<Arc<Connection>> {
        self.change(|book| match book.get(key) {
            Some(former) if stays(former) => None,
            _ => book.insert(key, Arc::clone(connection)),
        })
    }

    /// Takes a peer out.
    pub(super) fn remove(&self, key: Key) -> Option<Arc<Connection>> {
        self.change(|book| book.remove(key))
    }

    /// Takes out all connections that `is_meant`.
    pub(super) fn remove_all(&self, is_meant: impl Fn(&Connection) -> bool) -> Vec<Arc<Connection>> {
        self.change(|book| book.remove_all(|connection| is_meant(connection)))
    }

    fn change<R>(&self, change: impl FnOnce(&mut Book<Arc<Connection>>) -> R) -> R {
        let mut book = lock(&self.book);
        let changed = change(&mut book);
        let line = |(key, connection): (Key, &Arc<Connection>)| Line {
            key,
            text: key.ip.to_string().into_bytes().into(),
            connection: Arc::clone(connection),
        };
        let page = Page { lines: book.iter().map(line).collect(), last: AtomicUsize::new(0) };
        self.page.set(0, Some(Box::new(page)));
        changed
    }
}
