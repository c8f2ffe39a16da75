// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registered memory anywhere in a process, and copies to and from that of others.
//!
//! **The owner decides at the moment of access; nothing is announced.** A range is reachable when
//! [`Endpoint::register`] returns, because its owner asks its [`Table`] for each access; and it is out of
//! reach when [`Endpoint::withdraw`] returns, because what accesses it then was waited for.
//!
//! | the other process | its memory | who copies |
//! |---|---|---|
//! | on this host | allocated here ([`Endpoint::allocate`]) | this thread: it is mapped |
//! | on this host | private | this thread, by the kernel ([`transport::cma`](crate::transport::cma)) |
//! | on this host | allocated on an accelerator | the accelerator of this process: it is imported |
//! | anywhere | any | its carrier asks the table and copies ([`transfer`]) |
//!
//! All but the last are granted for an epoch and taken back by a withdrawal; the last asks each time. Which
//! of them it is, the owner says for each range when it is asked the first time. What is copied in place on
//! this host is, whatever engine was asked for; who carries the rest is chosen as for pools
//! ([`choice`](crate::transport::choice)).
//!
//! * [`Table`]: which ranges are registered; `regions`: them as others reach them; `towards`: addresses of a
//!   copy; `far`: who carries it; `notification`: messages behind the data.

mod far;
mod notification;
mod regions;
mod table;
mod towards;

use std::sync::Arc;

use mf_base::os::process::{HUGE_PAGE_BYTES, page_bytes};
use mf_base::settings::{Switch, settings};
use mf_base::sync::pin::{self, Inside};
use mf_base::{Error, Gva, Kind, Rank, Result};

use self::far::Far;
use self::regions::Regions;
use self::towards::Towards;
use crate::device::{Devices, Locality, RawStream};
use crate::engine::Piece;
use crate::transfer::{self, Lane, Mode, Until};
use crate::transport::choice::EngineSet;
use crate::transport::{Network, OnDevice, Peer, PeerRoute, Route, SegmentKey, Span};

pub use notification::{NOTIFICATION_BYTES_MAX, Receiver};
pub use table::Table;

const OP: &str = "transfer";
/// A transport that asks the owner once for many accesses.
const NEAR: &str = "cma";

/// The registered memory of this process under one key. Thread-safe.
pub struct Endpoint {
    network: Arc<Network>,
    devices: Devices,
    /// What copies ask for.
    engines: EngineSet,
    key: SegmentKey,
    /// On the heap, where the carrier finds it until it is concealed.
    regions: Box<Regions>,
    lane: Lane,
}

/// The registered memory of another process, and how it is reached.
pub struct Reached {
    peer: Peer,
    key: SegmentKey,
    near: Option<Arc<dyn PeerRoute>>,
    far: Option<Far>,
    path: String,
}

impl Reached {
    /// The process.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Its key.
    pub fn key(&self) -> SegmentKey {
        self.key
    }

    /// How it is reached, for people.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Endpoint {
    /// An endpoint with nothing registered, which others reach under `key`; their notifications go to
    /// `receiver`. **Local.**
    ///
    /// # Errors
    /// Those of [`Network::expose`].
    pub fn open(
        network: Arc<Network>,
        devices: Devices,
        key: SegmentKey,
        receiver: Arc<dyn Receiver>,
    ) -> Result<Self> {
        let regions = Box::new(Regions::new(devices.clone(), receiver));
        let lane = Lane::new(network.transports(), network.deadlines());
        let endpoint = Self { network, devices, engines: EngineSet::AUTO, key, regions, lane };
        let contributor: *const Regions = &raw const *endpoint.regions;
        // SAFETY: the regions have a place of their own, and are given up behind `conceal`, by `drop`; memory
        // of the program is accessed only as long as it is registered.
        unsafe { endpoint.network.expose(key, contributor, &[]) }?;
        Ok(endpoint)
    }

    /// The same, whose copies ask for these engines.
    #[must_use]
    pub fn asking_for(mut self, engines: EngineSet) -> Self {
        self.engines = engines;
        self
    }

    /// The key of its memory.
    pub fn key(&self) -> SegmentKey {
        self.key
    }

    /// How many ranges are registered.
    pub fn count(&self) -> usize {
        self.regions.count()
    }

    /// Lets others access `bytes` at `address`, from the return on. Once more: nothing.
    ///
    /// # Errors
    /// `InvalidParam` null, 0 bytes, or more than there are addresses.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        let end = end_of(address, bytes)?;
        self.regions.change(|table| table.register(address, end));
        Ok(())
    }

    /// Lets others access ranges (address and length); those that adjoin are one. All or nothing.
    ///
    /// # Errors
    /// As [`register`](Self::register); `piece` names the range.
    pub fn register_all(&self, ranges: impl IntoIterator<Item = (u64, u64)>) -> Result<()> {
        let with_end = |(number, (address, bytes)): (usize, (u64, u64))| {
            let end = end_of(address, bytes).map_err(|error| error.with("piece", number))?;
            Ok((address, end))
        };
        let ranges = ranges.into_iter().enumerate().map(with_end).collect::<Result<Vec<_>>>()?;
        self.regions.change(|table| table.register_all(&ranges));
        Ok(())
    }

    /// Takes back all that was registered from `address` on; when it returns not one byte of it is read or
    /// written by others, unless it lies in another registered range. Waits for what is being copied.
    ///
    /// # Errors
    /// `NotExist` nothing is registered from there on · `Timeout` a process is stopped in the middle of a
    /// copy: the memory must stay.
    pub fn withdraw(&self, address: u64) -> Result<()> {
        if !self.regions.withdraw(|table| table.withdraw(address)) {
            return Err(unknown(address));
        }
        self.revoke()?;
        // Those that have imported it end that first.
        let stale = self.regions.stale_exports();
        stale.iter().for_each(|(id, _)| self.network.file_gone(*id));
        Ok(())
    }

    /// Whether all of `bytes` at `address` lie in one registered range of this process.
    pub fn covers(&self, address: u64, bytes: u64) -> bool {
        self.regions.covers(address, bytes)
    }

    /// How often memory was withdrawn: as long as it stays the same, what was covered is covered.
    pub fn withdrawals(&self) -> u64 {
        self.regions.withdrawals()
    }

    fn revoke(&self) -> Result<()> {
        self.network.revoke(self.key, self.network.deadlines().after(0))
    }

    /// Allocates memory of zeroes and registers it: processes of this host map it. Its address is a multiple
    /// of the page.
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes · `OutOfMemory`, `NoResources`.
    pub fn allocate(&self, bytes: u64) -> Result<u64> {
        let settings = settings()?;
        let unit = if bytes >= HUGE_PAGE_BYTES { HUGE_PAGE_BYTES } else { page_bytes() };
        let rounded = bytes.checked_next_multiple_of(unit).filter(|bytes| *bytes > 0);
        let rounded = rounded.ok_or_else(|| {
            Error::invalid(OP, "a length of 0, or more than there are").with("bytes", bytes)
        })?;
        let huge = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
        let start = self.regions.allocate(rounded, huge)?;
        self.regions.change(|table| table.register(start, start + rounded));
        Ok(start)
    }

    /// Withdraws and frees memory that was allocated.
    ///
    /// # Errors
    /// `NotExist` nothing was allocated there · as [`withdraw`](Self::withdraw); it is not freed then.
    pub fn free(&self, address: u64) -> Result<()> {
        let end = self.regions.end_of(address).ok_or_else(|| {
            Error::new(Kind::NotExist, OP)
                .what("no memory was allocated at this address")
                .with("address", format_args!("{address:#x}"))
        })?;
        self.regions.withdraw(|table| table.withdraw_within(address, end));
        self.revoke()?;
        if let Some(id) = self.regions.free(address) {
            self.network.file_gone(id);
        }
        Ok(())
    }

    /// Finds out how the memory of another process is reached. Opens no connection.
    ///
    /// # Errors
    /// Those of [`Network::routes`].
    pub fn reach(&self, peer: Peer, key: SegmentKey) -> Result<Reached> {
        let routes = self.network.routes(peer)?;
        let is_near = |route: &&Route| route.transport.name() == NEAR;
        let near = routes.open.iter().find(is_near);
        let far = Far::of(Rank(peer.rank), key, self.engines, &routes, |route| !is_near(&route))?;
        let paths = near.map(|route| route.reach.path.clone()).into_iter();
        let paths: Vec<String> = paths.chain(far.as_ref().map(|far| far.path.clone())).collect();
        Ok(Reached {
            peer,
            key,
            near: near.map(|route| route.transport.route(peer)).transpose()?,
            far,
            path: paths.join("; otherwise "),
        })
    }

    /// The process is gone, or another one has its name.
    pub fn forget(&self, reached: &Reached) {
        self.network.forget(reached.peer);
    }

    /// Copies one short span without a wait, where it is known how; visible on return. `None`: it is not, and
    /// nothing was done.
    ///
    /// # Errors
    /// As [`copy`](Self::copy).
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    #[inline]
    pub unsafe fn copy_at_once(
        &self,
        section: Inside<'_>,
        to: &Reached,
        span: &Span,
        is_put: bool,
    ) -> Option<Result<()>> {
        let near = to.near.as_ref()?;
        if self.devices.mover().is_some() {
            return None;
        }
        // SAFETY: passed on to the caller.
        unsafe { near.copy_at_once(section, to.key, span, is_put) }
    }

    /// Copies spans to registered memory of another process, or from there; done and visible on return, in
    /// any order. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` a range is not inside one registered range there; `piece` says which · `NotConnected`
    /// the process is gone · `NotExist` with `MF_STRICT_ENGINE=1`, where none of the engines that are asked
    /// for reaches it · `Timeout`. Some spans may have been copied.
    ///
    /// # Safety
    /// Local ranges are valid, for reading or writing, until this returns.
    pub unsafe fn copy(&self, to: &Reached, spans: &[Span], is_put: bool) -> Result<()> {
        if let Some(near) = &to.near
            && let Some(local) = self.locality_of(spans)
        {
            let device = self.devices.mover().map(|mover| OnDevice { mover, local });
            // SAFETY: passed on to the caller.
            let done = unsafe { near.copy_now(to.key, spans, is_put, self.network.deadlines(), device) };
            if let Some(done) = done {
                return done;
            }
        }
        let towards = self.towards(to, is_put)?;
        let pieces = merged(spans, is_put);
        let section = pin::enter();
        let done = match pieces.as_slice() {
            // SAFETY: passed on to the caller.
            [piece] => unsafe { self.lane.copy(&towards, &section, piece, Until::Done) },
            // SAFETY: passed on to the caller.
            pieces => unsafe { transfer::copy(&towards, &self.lane, &section, pieces, Mode::Sync) },
        };
        match done {
            Err(error) if error.kind() == Kind::InvalidParam && spans.len() > 1 => {
                // SAFETY: passed on to the caller.
                Err(unsafe { self.refused_piece(&towards, spans) }
                    .map_or(error, |(piece, error)| error.with("piece", piece)))
            }
            done => done,
        }
    }

    /// Which of several spans is refused, found by copying halves: pieces may have been merged. `None`: none
    /// is any more.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    #[cold]
    unsafe fn refused_piece(&self, towards: &Towards, spans: &[Span]) -> Option<(usize, Error)> {
        let (mut first, mut rest) = (0, spans);
        loop {
            let (half, other) = rest.split_at(rest.len().div_ceil(2));
            let pieces = merged(half, towards.is_put);
            // SAFETY: passed on to the caller.
            let done = unsafe { transfer::copy(towards, &self.lane, &pin::enter(), &pieces, Mode::Sync) };
            match done {
                Err(error) if half.len() == 1 => return Some((first, error)),
                Err(_) => rest = half,
                Ok(()) if other.is_empty() => return None,
                Ok(()) => (first, rest) = (first + half.len(), other),
            }
        }
    }

    /// As [`copy`](Self::copy), when a stream of the accelerator gets there; what comes later on the stream
    /// waits for it. Without an accelerator at once.
    ///
    /// # Errors
    /// As [`copy`](Self::copy), where it is done at once · `InvalidParam` it is no stream. What fails later
    /// is logged.
    ///
    /// # Safety
    /// As [`copy`](Self::copy), until the stream has done it; the stream is one of the accelerator's runtime.
    pub unsafe fn copy_on(
        self: &Arc<Self>,
        to: &Arc<Reached>,
        spans: Vec<Span>,
        is_put: bool,
        stream: RawStream,
    ) -> Result<()> {
        let Some(mover) = self.devices.mover() else {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy(to, &spans, is_put) };
        };
        if to.near.is_none() && self.locality_of(&spans) != Some(Locality::Host) {
            let (towards, pieces) = (self.towards(to, is_put)?, merged(&spans, is_put));
            // SAFETY: passed on to the caller.
            return unsafe {
                transfer::copy(&towards, &self.lane, &pin::enter(), &pieces, Mode::Stream(stream))
            };
        }
        let (endpoint, to, spans) = (Arc::clone(self), Arc::clone(to), Later(spans));
        let work = move || {
            let spans = spans;
            // SAFETY: the caller vouches for the local ends until the stream has done the copy.
            if let Err(error) = unsafe { endpoint.copy(&to, &{ spans }.0, is_put) } {
                tracing::error!("a transfer on a stream failed: {error}");
            }
        };
        // SAFETY: passed on to the caller.
        unsafe { mover.run_waiting_on(stream, Box::new(work)) }
    }

    /// Whether there is an accelerator, with streams.
    pub fn has_streams(&self) -> bool {
        self.devices.mover().is_some()
    }

    /// Does work that may wait when a stream of the accelerator gets there; what comes later on the stream
    /// waits for it.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator · `InvalidParam` it is no stream.
    ///
    /// # Safety
    /// The stream is one of the accelerator's runtime.
    pub unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        let none = || Error::new(Kind::NotExist, OP).what("there is no accelerator, and so no stream");
        let mover = self.devices.mover().ok_or_else(none)?;
        // SAFETY: passed on to the caller.
        unsafe { mover.run_waiting_on(stream, work) }
    }

    fn towards(&self, to: &Reached, is_put: bool) -> Result<Towards> {
        let none = || {
            Error::new(Kind::NotConnected, OP)
                .what("no transport reaches this memory")
                .with("tried", &to.path)
        };
        let member = Arc::clone(to.far.as_ref().ok_or_else(none)?.member()?);
        Ok(Towards { member, is_put, devices: self.devices.clone() })
    }

    /// What memory all local ranges are; none: they are not all alike.
    fn locality_of(&self, spans: &[Span]) -> Option<Locality> {
        let Some(mover) = self.devices.mover() else { return Some(Locality::Host) };
        let mut all = spans.iter().map(|span| mover.locality(span.local.addr() as u64));
        let first = all.next().unwrap_or(Locality::Host);
        all.all(|one| one == first).then_some(first)
    }

    /// Nothing is reachable any more when it returns.
    pub fn end(&self) {
        self.lane.drain();
        self.network.conceal(self.key);
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.network.conceal(self.key);
    }
}

/// Spans that are copied later, on another thread.
struct Later(Vec<Span>);

// SAFETY: addresses only; the caller of the copy vouches for what lies there.
unsafe impl Send for Later {}

/// Spans as pieces; neighbours that adjoin on both sides are one.
fn merged(spans: &[Span], is_put: bool) -> Vec<Piece> {
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len().min(1024));
    for span in spans {
        if let Some(last) = merged.last_mut()
            && last.address.checked_add(last.bytes) == Some(span.address)
            && (last.local.addr() as u64).checked_add(last.bytes) == Some(span.local.addr() as u64)
        {
            last.bytes += span.bytes;
        } else {
            merged.push(*span);
        }
    }
    let piece = |span: &Span| {
        let there = Gva(span.address).as_ptr();
        let (src, dst) = if is_put { (span.local, there) } else { (there, span.local) };
        Piece { src, dst, bytes: span.bytes }
    };
    merged.iter().map(piece).collect()
}

fn end_of(address: u64, bytes: u64) -> Result<u64> {
    let end = address.checked_add(bytes).filter(|_| address != 0 && bytes != 0);
    end.ok_or_else(|| {
        Error::invalid("registration", "a range of 0 bytes, at null or beyond the last address")
            .with("address", format_args!("{address:#x}"))
            .with("bytes", bytes)
    })
}

#[cold]
fn unknown(address: u64) -> Error {
    Error::new(Kind::NotExist, "withdrawal of memory")
        .what("nothing is registered from this address on")
        .with("address", format_args!("{address:#x}"))
}
