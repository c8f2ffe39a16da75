// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies to and from registered memory of another process, by the calling thread.

use std::sync::Arc;

use mf_base::os::guarded::Depth;
use mf_base::sync::rcu::{self, ReadSection};
use mf_base::{Error, Gva, Kind, Result};
use mf_device::Locality;
use mf_device::engine::Piece;
use mf_transport::{OnDevice, PeerRoute, SegmentKey, Span};

use super::peer_resolver::PeerResolver;
use super::{Endpoint, PeerAccess};
use crate::transfer::{self, Mode, Until, local};

impl Endpoint {
    /// Returns the route and key for short in-place copies to and from a process; `None` if its memory is not
    /// copied in place, or if this process has an accelerator.
    pub fn in_place(&self, to: &PeerAccess) -> Option<(Arc<dyn PeerRoute>, SegmentKey)> {
        let near = to.near.as_ref().filter(|_| self.devices.mover().is_none())?;
        Some((Arc::clone(near), to.key))
    }

    /// Fast path of [`copy`](Self::copy): copies one short span without a wait, if its grant is cached;
    /// visible on return. Returns `None` if nothing was done.
    ///
    /// # Errors
    /// As [`copy`](Self::copy).
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    #[inline]
    pub unsafe fn fast_path(
        &self,
        section: ReadSection<'_>,
        to: &PeerAccess,
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
    /// `InvalidParam` a range is not inside one registered range there; `piece` is its index ·
    /// `NotConnected` the process has ended · `NotExist` with `MF_STRICT_ENGINE=1`, if no requested engine
    /// reaches it · `Timeout`. Some spans may have been copied.
    ///
    /// # Safety
    /// Local ranges are valid, for reading or writing, until this returns.
    pub unsafe fn copy(&self, to: &PeerAccess, spans: &[Span], is_put: bool) -> Result<()> {
        let local = self.locality_of(spans);
        if let (Some(near), Some(local)) = (&to.near, local) {
            let device = match self.devices.mover() {
                Some(mover) => Some(OnDevice { mover, local }),
                None => to.assistant.as_ref().and_then(|assistant| assistant.serve(self, spans)),
            };
            // SAFETY: passed on to the caller.
            let done = unsafe { near.copy_now(to.key, spans, is_put, self.network.deadlines(), device) };
            if let Some(done) = done {
                return done;
            }
        }
        // SAFETY: passed on to the caller.
        unsafe { self.remote_copy(to, spans, is_put, local) }
    }

    /// Copies by the transport that carries data to the process.
    ///
    /// # Errors
    /// As [`copy`](Self::copy).
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    unsafe fn remote_copy(
        &self,
        to: &PeerAccess,
        spans: &[Span],
        is_put: bool,
        local: Option<Locality>,
    ) -> Result<()> {
        let resolver = self.resolver(to, is_put, local)?;
        self.check_local(spans, is_put, local)?;
        let pieces = merged(spans, is_put);
        let section = rcu::read_lock();
        // SAFETY: passed on to the caller.
        match unsafe { transfer::copy(&resolver, &self.lane, &section, &pieces, Mode::Sync) } {
            Err(error) if error.kind() == Kind::InvalidParam && spans.len() > 1 => {
                // SAFETY: passed on to the caller.
                Err(unsafe { self.refused_piece(&resolver, spans) }
                    .map_or(error, |(piece, error)| error.with("piece", piece)))
            }
            done => done,
        }
    }

    /// Starts the put of a short span, whose memory may be reused on return: it is visible before later puts
    /// to there; [`flush`](Self::flush) waits for it. **One-sided.** Returns `None` if nothing was done,
    /// since the put must be waited for.
    ///
    /// # Errors
    /// `NotConnected` the process has ended.
    ///
    /// # Safety
    /// The local range is valid during the call.
    pub unsafe fn put_unobserved(&self, to: &PeerAccess, span: &Span) -> Option<Result<()>> {
        if to.near.is_some() || self.devices.mover().is_some() {
            return None;
        }
        let local = Some(Locality::Host);
        let resolver = match self.resolver(to, true, local) {
            Ok(resolver) if resolver.member.keeps_order(span.bytes) => resolver,
            Ok(_) => return None,
            Err(error) => return Some(Err(error)),
        };
        if let Err(error) = self.check_local(std::slice::from_ref(span), true, local) {
            return Some(Err(error));
        }
        let piece = Piece { src: span.local, dst: Gva(span.address).as_ptr(), bytes: span.bytes };
        // SAFETY: so short a source has left local memory when it is posted.
        let posted = unsafe { self.lane.copy(&resolver, &rcu::read_lock(), &piece, Until::Reusable) };
        // Without a waiting thread no received reply would flush it, and a peer may wait for it.
        resolver.member.push();
        Some(posted)
    }

    /// Waits until puts that [`put_unobserved`](Self::put_unobserved) has started are done and visible.
    ///
    /// # Errors
    /// The first error since the last wait · `Interrupted`: the same call waits again.
    pub fn flush(&self) -> Result<()> {
        self.lane.quiet_or_leave()
    }

    /// Finds the refused one of several spans, by copying halves: pieces may have been merged. Returns `None`
    /// if none is refused any more.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    #[cold]
    unsafe fn refused_piece(&self, resolver: &PeerResolver, spans: &[Span]) -> Option<(usize, Error)> {
        let (mut first, mut rest) = (0, spans);
        loop {
            let (half, other) = rest.split_at(rest.len().div_ceil(2));
            let pieces = merged(half, resolver.is_put);
            // SAFETY: passed on to the caller.
            let done =
                unsafe { transfer::copy(resolver, &self.lane, &rcu::read_lock(), &pieces, Mode::Sync) };
            match done {
                Err(error) if half.len() == 1 => return Some((first, error)),
                Err(_) => rest = half,
                Ok(()) if other.is_empty() => return None,
                Ok(()) => (first, rest) = (first + half.len(), other),
            }
        }
    }

    /// Refuses local host memory that is not mapped as the copy needs it, before a network reads or writes
    /// it.
    ///
    /// # Errors
    /// `InvalidParam`; `piece` is its index.
    fn check_local(&self, spans: &[Span], is_put: bool, local: Option<Locality>) -> Result<()> {
        let refused = |(piece, error): (usize, Error)| match spans {
            [_] => error,
            _ => error.with("piece", piece),
        };
        let all = |span: &Span| (*span, Depth::All);
        let mover = match (local, self.devices.mover()) {
            (Some(Locality::Device), _) => return Ok(()),
            (None, Some(mover)) => mover,
            _ => return local::check("transfer", spans.iter().map(all), is_put).map_err(refused),
        };
        let is_host = |(_, span): &(usize, &Span)| mover.locality(span.local.addr() as u64) == Locality::Host;
        let (numbers, of_host): (Vec<usize>, Vec<Span>) =
            spans.iter().enumerate().filter(is_host).map(|(number, span)| (number, *span)).unzip();
        local::check("transfer", of_host.iter().map(all), is_put)
            .map_err(|(place, error)| refused((numbers.get(place).copied().unwrap_or(0), error)))
    }

    /// Returns the resolver of a copy over the carrier. `local`: the locality of all local ranges; `None` if
    /// they differ.
    ///
    /// # Errors
    /// `NotConnected` there is no carrier · `NotExist` `MF_STRICT_ENGINE=1` refuses the carrier.
    pub(super) fn resolver(
        &self,
        to: &PeerAccess,
        is_put: bool,
        local: Option<Locality>,
    ) -> Result<PeerResolver> {
        let member = Arc::clone(to.remote()?.member()?);
        Ok(PeerResolver { member, is_put, devices: self.devices.clone(), local })
    }

    /// Returns the locality of all local ranges; `None` if they differ.
    pub(super) fn locality_of(&self, spans: &[Span]) -> Option<Locality> {
        let Some(mover) = self.devices.mover() else { return Some(Locality::Host) };
        let mut all = spans.iter().map(|span| mover.locality(span.local.addr() as u64));
        let first = all.next().unwrap_or(Locality::Host);
        all.all(|one| one == first).then_some(first)
    }
}

/// Spans as pieces; neighbours that adjoin on both sides are one.
pub(super) fn merged(spans: &[Span], is_put: bool) -> Vec<Piece> {
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
