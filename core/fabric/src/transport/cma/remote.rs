// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Another process of this host: what it has granted, and copies from and to its memory.
//!
//! A copy goes visit by visit, of at most [`CHUNK_BYTES`] each, so that a withdrawal waits no longer than for
//! one of them. A visit copies what the grants of its epoch cover; for the rest the owner is asked,
//! outside of the visit.

mod backings;
mod calling;
mod pieces;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use mf_base::sync::pin::Inside;
use mf_base::sync::published::Published;
use mf_base::sync::visits::{Visit, Visits};
use mf_base::sync::{lock, pin};
use mf_base::{Error, Gva, Kind, Result, Retry};

use self::pieces::{ByDevice, Pieces};
use super::calls;
use super::grants::{File, Grants, Held, Place};
use super::page::Page;
use super::wire::{self, Card, RANGES_MAX, Reply, Request};
use crate::device::{Imported, Locality};
use crate::engine;
use crate::link::{Asker, ConnectionId, Outcome, lost_descriptor};
use crate::transport::{OnDevice, Peer, SegmentKey, Span};

const OP: &str = "cma";
/// Most bytes of one visit.
const CHUNK_BYTES: u64 = 8 << 20;
/// The same where an accelerator copies, which takes longer to begin than others.
const DEVICE_CHUNK_BYTES: u64 = 64 << 20;
/// What is copied by the kernel inside a section, which others may wait for.
const SHORT_BYTES: u64 = 64 << 10;
/// Pieces of one call of the kernel.
const PIECES: usize = 128;
/// After so many questions whose answers were void before they were used, the memory is withdrawn from too
/// often for this.
const QUESTIONS_MAX: u32 = 16;
/// A process that was there so long ago is there: numbers of processes are not used again so soon.
const LIVES_FOR: Duration = Duration::from_millis(1);

/// Why a copy ended.
pub(super) enum Stop {
    /// It is to be done by another transport.
    Elsewhere,
    /// It failed.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// How it is reached.
struct Link {
    connection: ConnectionId,
    page: Page,
    process: Option<std::os::fd::OwnedFd>,
}

/// What is known of its memory.
#[derive(Default)]
struct Known {
    grants: Grants,
    files: HashMap<u64, Arc<File>>,
    /// None: this process cannot import it.
    devices: HashMap<u64, Option<Arc<Imported>>>,
}

/// Another process.
pub(super) struct Remote {
    pub(super) peer: Peer,
    pub(super) card: Card,
    /// Why its private memory is out of reach; none: it is not.
    pub(super) refused: Option<String>,
    asker: Asker,
    link: OnceLock<Link>,
    connecting: Mutex<()>,
    /// A copy of the grants of `known`.
    grants: Published<Grants>,
    known: Mutex<Known>,
    is_gone: AtomicBool,
    is_reported: AtomicBool,
    /// When it was seen alive, in microseconds of `begun`.
    seen: AtomicU64,
    begun: Instant,
}

/// Ends a visit, also when a copy panics.
struct Visiting<'a>(&'a Visits, Visit);

impl Drop for Visiting<'_> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

/// What is copied.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) key: SegmentKey,
    pub(super) spans: &'a [Span],
    pub(super) is_put: bool,
    /// What copies where an end is device memory.
    pub(super) device: Option<OnDevice<'a>>,
}

/// How far a copy has come.
#[derive(Clone, Copy, Default)]
struct Cursor {
    span: usize,
    offset: u64,
}

thread_local! {
    /// Which row of visits this thread uses.
    static ROW: Cell<usize> = const { Cell::new(usize::MAX) };
}

#[inline(always)]
fn row() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let row = ROW.get();
    if row != usize::MAX {
        return row;
    }
    let row = NEXT.fetch_add(1, Ordering::Relaxed) % usize::MAX;
    ROW.set(row);
    row
}

impl Remote {
    pub(super) fn new(peer: Peer, card: Card, refused: Option<String>, asker: Asker) -> Self {
        Self {
            peer,
            card,
            refused,
            asker,
            link: OnceLock::new(),
            connecting: Mutex::new(()),
            grants: Published::new(1),
            known: Mutex::default(),
            is_gone: AtomicBool::new(false),
            is_reported: AtomicBool::new(false),
            seen: AtomicU64::new(0),
            begun: Instant::now(),
        }
    }

    /// Its connection, once there is one.
    pub(super) fn connection(&self) -> Option<ConnectionId> {
        self.link.get().map(|link| link.connection)
    }

    /// Nothing is copied any more from now on.
    pub(super) fn end(&self) {
        self.is_gone.store(true, Ordering::Release);
    }

    /// Whether its end was not reported before.
    pub(super) fn is_first_report(&self) -> bool {
        !self.is_reported.swap(true, Ordering::AcqRel)
    }

    #[cold]
    fn gone(&self, why: &str) -> Error {
        Error::new(Kind::NotConnected, OP)
            .what(why.to_owned())
            .with("rank", self.peer)
            .with("pid", self.card.pid)
            .retry(Retry::AfterReconnect)
    }

    #[cold]
    fn late(&self) -> Error {
        Error::new(Kind::Timeout, OP)
            .what("the other process does not answer in time")
            .with("rank", self.peer)
            .with("pid", self.card.pid)
    }

    fn check(&self) -> Result<()> {
        if self.is_gone.load(Ordering::Acquire) {
            Err(self.gone("the other process is gone"))
        } else {
            Ok(())
        }
    }

    /// The link, made the first time with `connect`.
    fn link(&self, deadline: Instant, connect: &dyn Fn(&Self) -> Result<ConnectionId>) -> Result<&Link> {
        if let Some(link) = self.link.get() {
            return Ok(link);
        }
        let _connecting = lock(&self.connecting);
        if let Some(link) = self.link.get() {
            return Ok(link);
        }
        self.check()?;
        let connection = connect(self)?;
        let (reply, mut descriptors) =
            self.ask(connection, &Request::Meet { pid: std::process::id() }, deadline)?;
        let (Reply::Met(_), Some(page)) = (reply, descriptors.pop()) else { return Err(lost_descriptor()) };
        let link = Link { connection, page: Page::of(page)?, process: calls::watch(self.card.pid) };
        Ok(self.link.get_or_init(|| link))
    }

    /// Has the process put bytes into memory of its own.
    ///
    /// # Errors
    /// Its own · `NotConnected`, `Timeout`.
    pub(super) fn put_by_owner(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: &[u8],
        deadline: Instant,
        connect: &dyn Fn(&Self) -> Result<ConnectionId>,
    ) -> Result<()> {
        let connection = self.link(deadline, connect)?.connection;
        self.check()?;
        let request = Request::Put { key, address, bytes: bytes.to_vec() };
        self.ask(connection, &request, deadline).map(drop)
    }

    fn ask(
        &self,
        connection: ConnectionId,
        request: &Request,
        deadline: Instant,
    ) -> Result<(Reply, Vec<std::os::fd::OwnedFd>)> {
        let request = self.asker.request(connection, &wire::encode(request)?, &[]);
        match self.asker.wait(&[request], deadline)?.pop() {
            Some(Outcome::Done(message)) => Ok((wire::decode(&message.bytes)?, message.descriptors)),
            Some(Outcome::Refused { code, text }) => {
                Err(Error::new(Kind::from_code(code).unwrap_or(Kind::Failed), OP).what(text))
            }
            Some(Outcome::TimedOut) => Err(self.late()),
            Some(Outcome::Closed) | None => Err(self.gone("the connection to the other process has ended")),
        }
    }

    /// Copies a short span whose grant is known, without a wait. `None`: it is long, or something is to be
    /// found out.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    #[inline]
    pub(super) unsafe fn copy_at_once(
        &self,
        section: Inside<'_>,
        key: SegmentKey,
        span: &Span,
        is_put: bool,
    ) -> Option<Result<()>> {
        let link = self.link.get()?;
        if self.is_gone.load(Ordering::Acquire) {
            return None;
        }
        let visits = link.page.visits();
        let visit = visits.enter(row())?;
        let _visiting = Visiting(visits, visit);
        let grants = self.grants.get(section, 0).filter(|grants| grants.epoch == visit.epoch)?;
        match grants.find(key, span.address, span.bytes)?.place(span.address) {
            Place::Mapped(there) if span.bytes <= CHUNK_BYTES => {
                let (from, to) = if is_put { (span.local, there) } else { (there, span.local) };
                // SAFETY: the local range is valid, by the caller; the other lies in a mapping that the grant
                // keeps as long as the section lasts.
                unsafe { engine::copy(from, to, in_memory(span.bytes)) };
                Some(Ok(()))
            }
            Place::Private if span.bytes <= SHORT_BYTES && self.refused.is_none() => {
                let (mut pieces, length) = (Pieces::<1>::new(), in_memory(span.bytes));
                pieces.add(span.local, span.address, length);
                // SAFETY: passed on to the caller.
                match unsafe { self.call(link, &mut pieces, is_put) } {
                    Ok(()) => Some(Ok(())),
                    Err(Stop::Failed(error)) => Some(Err(error)),
                    Err(Stop::Elsewhere) => None,
                }
            }
            _ => None,
        }
    }

    /// Copies all spans, or says why not.
    ///
    /// # Safety
    /// Every local range is valid, for reading or writing, until this returns.
    pub(super) unsafe fn copy(
        &self,
        wanted: Wanted<'_>,
        deadline: impl Fn() -> Instant,
        connect: &dyn Fn(&Self) -> Result<ConnectionId>,
    ) -> std::result::Result<(), Stop> {
        match wanted.spans {
            // SAFETY: passed on to the caller.
            [_] => unsafe { self.run::<1>(wanted, deadline, connect) },
            // SAFETY: passed on to the caller.
            _ => unsafe { self.run::<PIECES>(wanted, deadline, connect) },
        }
    }

    /// # Safety
    /// As [`copy`](Self::copy).
    unsafe fn run<const N: usize>(
        &self,
        wanted: Wanted<'_>,
        deadline: impl Fn() -> Instant,
        connect: &dyn Fn(&Self) -> Result<ConnectionId>,
    ) -> std::result::Result<(), Stop> {
        let (mut cursor, mut questions, mut until) = (Cursor::default(), 0, None);
        let mut deadline = || *until.get_or_insert_with(&deadline);
        loop {
            self.check()?;
            let link = match self.link.get() {
                Some(link) => link,
                None => self.link(deadline(), connect)?,
            };
            let visits = link.page.visits();
            let visit = visits.enter(row()).ok_or_else(|| self.gone("the other process has closed"))?;
            let visiting = Visiting(visits, visit);
            let before = (cursor.span, cursor.offset);
            // SAFETY: passed on to the caller.
            unsafe { self.step::<N>(link, visit.epoch, wanted, &mut cursor) }?;
            drop(visiting);
            if cursor.span >= wanted.spans.len() {
                return Ok(());
            }
            if (cursor.span, cursor.offset) != before {
                if Instant::now() >= deadline() {
                    return Err(self.late().into());
                }
                questions = 0;
                continue;
            }
            questions += 1;
            if questions > QUESTIONS_MAX {
                return Err(Stop::Elsewhere);
            }
            self.learn(link, wanted, cursor, deadline())?;
        }
    }

    /// Copies what the grants of this epoch cover, at most so much as one visit may.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    unsafe fn step<const N: usize>(
        &self,
        link: &Link,
        epoch: u64,
        wanted: Wanted<'_>,
        cursor: &mut Cursor,
    ) -> std::result::Result<(), Stop> {
        let Wanted { key, spans, is_put, device } = wanted;
        let (start, mut pieces) = (*cursor, Pieces::<N>::new());
        let mut room = if device.is_some() { DEVICE_CHUNK_BYTES } else { CHUNK_BYTES };
        let mut by_device = ByDevice::default();
        let local_is_host = device.is_none_or(|device| device.local == Locality::Host);
        let section = pin::enter();
        let Some(grants) = self.grants.get(section.inside(), 0).filter(|grants| grants.epoch == epoch) else {
            return Ok(());
        };
        let mut last: Option<&Held> = None;
        while let Some(span) = spans.get(cursor.span)
            && room > 0
        {
            let covers = |held: &&Held| held.covers(key, span.address, span.bytes);
            let Some(held) = last.filter(covers).or_else(|| grants.find(key, span.address, span.bytes))
            else {
                break;
            };
            last = Some(held);
            let bytes = room.min(span.bytes - cursor.offset);
            let (skip, length) = (in_memory(cursor.offset), in_memory(bytes));
            let (local, address) = (span.local.wrapping_add(skip), span.address + cursor.offset);
            match held.place(address) {
                Place::Mapped(there) if local_is_host => {
                    let (from, to) = if is_put { (local, there) } else { (there, local) };
                    // SAFETY: the local range is valid, by the caller; the other lies in a mapping that the
                    // grant keeps as long as this section lasts.
                    unsafe { engine::copy(from, to, length) };
                }
                Place::Mapped(there) => by_device.add(local, (there, Locality::Host), bytes, is_put, device),
                Place::Device(_) if device.is_none() => return Err(Stop::Elsewhere),
                Place::Device(there) => {
                    by_device.keep(held.imported());
                    by_device.add(local, (Gva(there).as_ptr(), Locality::Device), bytes, is_put, device);
                }
                Place::Elsewhere => return Err(Stop::Elsewhere),
                Place::Private if self.refused.is_some() || !local_is_host => return Err(Stop::Elsewhere),
                Place::Private => {
                    if !pieces.add(local, address, length) {
                        break;
                    }
                }
            }
            room -= bytes;
            cursor.offset += bytes;
            if cursor.offset == span.bytes {
                *cursor = Cursor { span: cursor.span + 1, offset: 0 };
            }
        }
        if let Some(device) = device.filter(|_| !by_device.transfers.is_empty()) {
            // SAFETY: the local ranges are valid, by the caller; the others lie in mappings that the grants
            // keep as long as this section lasts, or in memory that is imported as long as it is kept.
            unsafe { device.mover.copy(&by_device.transfers) }?;
        }
        drop(section);
        if pieces.count == 0 {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe { self.call(link, &mut pieces, is_put) }.map_err(|stop| match stop {
            Stop::Failed(error) if spans.len() > 1 => {
                let failed = error.fact("address").and_then(|text| u64::from_str_radix(&text[2..], 16).ok());
                let is_it = |span: &&Span| {
                    failed.is_some_and(|at| at >= span.address && at - span.address < span.bytes)
                };
                let piece = spans.iter().skip(start.span).position(|span| is_it(&span));
                Stop::Failed(error.with("piece", start.span + piece.unwrap_or(0)))
            }
            stop => stop,
        })
    }

    /// Asks the owner for what is not covered.
    fn learn(
        &self,
        link: &Link,
        Wanted { key, spans, device, .. }: Wanted<'_>,
        cursor: Cursor,
        deadline: Instant,
    ) -> std::result::Result<(), Stop> {
        let next = spans.iter().skip(cursor.span).take(RANGES_MAX);
        let ranges = self.uncovered(key, next.map(|span| (span.address, span.bytes)));
        let (reply, _) =
            self.ask(link.connection, &Request::Ask { key, ranges: ranges.clone() }, deadline)?;
        let Reply::Granted { epoch, grants, refused } = reply else {
            return Err(Error::invalid(OP, "an answer of the other process is none to what was asked").into());
        };
        let found = self.backings(link, key, &grants, deadline, device)?;
        {
            let mut known = lock(&self.known);
            if epoch > known.grants.epoch || known.grants.len() == 0 {
                known.grants = Grants::of(epoch);
            }
            if epoch == known.grants.epoch {
                for (grant, at) in grants.iter().zip(found) {
                    if let Some(held) = at.and_then(|at| Held::new(key, grant, at)) {
                        known.grants.add(held);
                    }
                }
                self.grants.set(0, Some(Box::new(known.grants.clone())));
            }
        }
        match refused {
            Some((0, code, text)) => match Kind::from_code(code).unwrap_or(Kind::Failed) {
                Kind::NotExist => Err(Stop::Elsewhere),
                kind => {
                    let (address, bytes) = ranges.first().copied().unwrap_or_default();
                    let error = Error::new(kind, OP)
                        .what(text)
                        .with("rank", self.peer)
                        .with("address", format_args!("{address:#x}"))
                        .with("bytes", bytes);
                    let piece = spans.iter().position(|span| (span.address, span.bytes) == (address, bytes));
                    Err(Stop::Failed(match piece.filter(|_| spans.len() > 1) {
                        Some(piece) => error.with("piece", piece),
                        None => error,
                    }))
                }
            },
            _ => Ok(()),
        }
    }

    /// Of some ranges those that no grant covers that is known; all when none is left.
    fn uncovered(&self, key: SegmentKey, ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
        // The first is asked for in any case: its grant is void, or not there.
        let mut ranges: Vec<(u64, u64)> = ranges.collect();
        let known = lock(&self.known);
        let mut is_first = true;
        ranges.retain(|(address, bytes)| {
            std::mem::take(&mut is_first) || known.grants.find(key, *address, *bytes).is_none()
        });
        ranges
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let page = if self.link.get().is_some() { usize::try_from(Page::bytes()).unwrap_or(0) } else { 0 };
        size_of::<Self>() + page + lock(&self.known).grants.len() * 2 * size_of::<Held>()
    }
}

/// A length of memory of this process, which fits its addresses.
#[inline(always)]
fn in_memory(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
