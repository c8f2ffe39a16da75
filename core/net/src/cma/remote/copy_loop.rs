// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copy loop: visit by visit.
//!
//! A visit copies at most [`VISIT_BYTES`], more if memory is mapped, so that a withdrawal waits at most for
//! one of them, and only ranges with a grant of its epoch; missing grants are requested from the owner,
//! outside of the visit.

use std::sync::atomic::Ordering;
use std::time::Instant;

use mf_base::sync::rcu::{self, ReadSection};
use mf_base::sync::shared_rcu::reader_slot;
use mf_base::{Gva, Result};
use mf_device::{Locality, engine};
use mf_transport::{InPlace, SegmentKey, Span, VISIT_BYTES, Visit};

use super::pieces::{ByDevice, Pieces};
use super::{Link, Remote, Stop, Wanted, in_memory};
use crate::cma::grants::{Held, Place};
use crate::link::ConnectionId;

/// [`VISIT_BYTES`] of mapped memory: how a copy is done best depends on all of its bytes, and two threads
/// share a large one.
const MAPPED_VISIT_BYTES: u64 = 64 << 20;
/// The same where an accelerator copies, which takes longer to begin than others.
const DEVICE_VISIT_BYTES: u64 = 64 << 20;
/// Largest copy by the kernel inside a section, which others may wait for.
const SHORT_BYTES: u64 = 64 << 10;
/// Pieces of one call of the kernel.
const PIECES: usize = 128;
/// Bound of requests whose answers were void before they were used: then withdrawals are too frequent for
/// this transport.
const QUESTIONS_MAX: u32 = 16;

/// Progress of a copy.
#[derive(Clone, Copy, Default)]
pub(super) struct Cursor {
    pub(super) span: usize,
    offset: u64,
}

impl Remote {
    /// Fast path: copies a short span with a known grant, without a wait. Returns `None` if it is long, or if
    /// its grant is missing.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    #[inline]
    pub(in crate::cma) unsafe fn copy_at_once(
        &self,
        section: ReadSection<'_>,
        key: SegmentKey,
        span: &Span,
        is_put: bool,
    ) -> Option<Result<()>> {
        let link = self.link.get()?;
        if self.is_gone.load(Ordering::Acquire) {
            return None;
        }
        let visits = link.page.visits();
        let visit = Visit::begin(visits, reader_slot())?;
        let grants = self.grants.get(section, 0).filter(|grants| grants.epoch == visit.epoch())?;
        match grants.find(key, span.address, span.bytes)?.place(span.address) {
            Place::Mapped(there) if span.bytes <= VISIT_BYTES => {
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

    /// A range that one grant covers, where it is mapped. For threads that copy there again.
    pub(in crate::cma) fn in_place(
        &self,
        section: ReadSection<'_>,
        key: SegmentKey,
        (address, bytes): (u64, u64),
    ) -> Option<InPlace> {
        let link = self.link.get()?;
        if self.is_gone.load(Ordering::Acquire) {
            return None;
        }
        let grants = self.grants.get(section, 0)?;
        match grants.find(key, address, bytes)?.place(address) {
            Place::Mapped(first) => {
                Some(InPlace::new(link.page.visits(), grants.epoch, reader_slot(), (first, bytes)))
            }
            _ => None,
        }
    }

    /// Copies all spans.
    ///
    /// # Safety
    /// Every local range is valid, for reading or writing, until this returns.
    pub(in crate::cma) unsafe fn copy(
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
            let visit = Visit::begin(visits, reader_slot())
                .ok_or_else(|| self.gone("the other process has closed"))?;
            let before = (cursor.span, cursor.offset);
            // SAFETY: passed on to the caller.
            unsafe { self.step::<N>(link, visit.epoch(), wanted, &mut cursor) }?;
            drop(visit);
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

    /// Copies ranges with grants of this epoch, up to the limit of one visit.
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
        let mut copied = 0;
        let mut by_device = ByDevice::default();
        let local_is_host = device.is_none_or(|device| device.local == Locality::Host);
        let section = rcu::read_lock();
        let Some(grants) = self.grants.get(section.section(), 0).filter(|grants| grants.epoch == epoch)
        else {
            return Ok(());
        };
        let mut last: Option<&Held> = None;
        while let Some(span) = spans.get(cursor.span) {
            let covers = |held: &&Held| held.covers(key, span.address, span.bytes);
            let Some(held) = last.filter(covers).or_else(|| grants.find(key, span.address, span.bytes))
            else {
                break;
            };
            if device.is_some() && matches!(held.place(span.address), Place::Unimported) {
                // It is requested again, with a device that may import it.
                break;
            }
            last = Some(held);
            let (skip, address) = (in_memory(cursor.offset), span.address + cursor.offset);
            let place = held.place(address);
            let most = match place {
                _ if device.is_some() => DEVICE_VISIT_BYTES,
                Place::Mapped(_) => MAPPED_VISIT_BYTES,
                _ => VISIT_BYTES,
            };
            if copied >= most {
                break;
            }
            let bytes = (most - copied).min(span.bytes - cursor.offset);
            let (local, length) = (span.local.wrapping_add(skip), in_memory(bytes));
            match place {
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
                Place::Unimported | Place::Elsewhere => return Err(Stop::Elsewhere),
                Place::Private if self.refused.is_some() || !local_is_host => return Err(Stop::Elsewhere),
                Place::Private => {
                    if !pieces.add(local, address, length) {
                        break;
                    }
                }
            }
            copied += bytes;
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
}
