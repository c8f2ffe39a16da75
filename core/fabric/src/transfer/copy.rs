// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The steps of a copy: both ends are resolved, the route is chosen from them, and its mover copies.

use mf_base::Result;
use mf_base::sync::rcu::ReadGuard;
use mf_device::engine::Piece;

use super::batch;
use super::lane::{Lane, Until};
use super::resolve::{LocalPiece, Mode, Resolver};
use super::route::Route;

/// Copies all pieces, in any order. Nothing moves unless every piece is acceptable.
///
/// # Errors
/// The refusal of the first piece that is not acceptable · errors of the transports and devices that copy.
///
/// # Safety
/// Private ends are valid until the copies are done; asynchronously until the resolver, and the lane, have
/// been waited for.
pub unsafe fn copy<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    section: &ReadGuard,
    pieces: &[Piece],
    mode: Mode,
) -> Result<()> {
    let [piece] = pieces else {
        // SAFETY: passed on to the caller.
        return unsafe { batch::copy(resolver, lane, section, pieces, mode, None) };
    };
    let route = Route::of(resolver, section, piece)?;
    let until = if mode == Mode::Async { Until::Started } else { Until::Done };
    // SAFETY: passed on to the caller.
    unsafe { copy_on_route(resolver, lane, section, piece, route, until, mode) }
}

impl Lane {
    /// Copies a piece: a put, a get, or another copy, depending on its ends. **One-sided.**
    ///
    /// # Errors
    /// The reason of a refusal; nothing has moved then · `NotConnected`, `Timeout` of the transport ·
    /// errors of operations that were only started are reported by [`quiet`](Self::quiet).
    ///
    /// # Safety
    /// Private ends are valid until the copy is done; when it was only started until the lane has been waited
    /// for.
    pub unsafe fn copy<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        piece: &Piece,
        until: Until,
    ) -> Result<()> {
        let route = Route::of(resolver, section, piece)?;
        // SAFETY: passed on to the caller.
        unsafe { copy_on_route(resolver, self, section, piece, route, until, Mode::Sync) }
    }
}

/// Copies one piece on its route, without an allocation if that is local or a put or get that is waited for
/// here. `until`: of a put or get; `mode`: of all others.
///
/// # Safety
/// As [`copy`].
pub(super) unsafe fn copy_on_route<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    section: &ReadGuard,
    piece: &Piece,
    route: Route<'_>,
    until: Until,
    mode: Mode,
) -> Result<()> {
    let known = match route {
        Route::Local { from, to } => {
            // SAFETY: passed on to the caller; the ends were located in this section.
            return unsafe { resolver.local_copy(section, &[LocalPiece { piece: *piece, from, to }], mode) };
        }
        Route::Remote(remote) if is_done_here(resolver, mode, remote.here.is_lent()) => {
            let until = if remote.here.is_lent() { Until::Done } else { until };
            // SAFETY: passed on to the caller.
            if let Some(done) = unsafe { lane.remote_copy(resolver, section, piece, remote, until) } {
                return done;
            }
            None
        }
        route => Some(route),
    };
    // SAFETY: passed on to the caller.
    unsafe { batch::copy(resolver, lane, section, std::slice::from_ref(piece), mode, known) }
}

/// Returns true if this thread posts a put or get itself: no stream and no queue does.
fn is_done_here<R: Resolver>(resolver: &R, mode: Mode, is_lent: bool) -> bool {
    match mode {
        Mode::Sync => true,
        // Lent memory stays mapped only while a thread is in a section.
        Mode::Async => !is_lent,
        Mode::Stream(_) => resolver.devices().mover().is_none(),
    }
}
