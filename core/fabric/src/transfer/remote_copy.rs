// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Remote copy: one piece between host memory here and a member, as a put or a get on its transport.

use std::time::Duration;

use mf_base::Result;
use mf_base::interrupt::InterruptPoll;
use mf_base::sync::rcu::ReadGuard;
use mf_device::engine::Piece;
use mf_net::Member;
use mf_transport::{Operation, Span};

use super::lane::{Flags, Lane, Order, Ran, Until};
use super::local;
use super::resolve::Resolver;
use super::route::{RemoteCopy, Route};

const OP: &str = "copy";

/// Longest part of a copy that the program cannot leave: 80 ms of 1 Gbit/s.
pub(super) const PART_BYTES: u64 = 8 << 20;

impl Lane {
    /// Copies a piece without an allocation. Returns `None` if it must be copied again: the member is another
    /// one now, or the connection of a get was given up.
    ///
    /// # Safety
    /// As [`copy`](Self::copy); lent memory is waited for.
    pub(super) unsafe fn remote_copy<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        piece: &Piece,
        remote: RemoteCopy<'_>,
        until: Until,
    ) -> Option<Result<()>> {
        let RemoteCopy { member, here, is_put } = remote;
        if here.is_doubtful(resolver)
            && let Err(error) = local::check_one(OP, span(piece, is_put), is_put, member.depth())
        {
            return Some(Err(error));
        }
        if until == Until::Done && piece.bytes > PART_BYTES {
            let interrupt = InterruptPoll::new();
            if interrupt.within(Duration::MAX) < Duration::MAX {
                // SAFETY: passed on to the caller.
                return unsafe { self.remote_copy_in_parts(resolver, section, piece, interrupt) };
            }
        }
        // SAFETY: passed on to the caller.
        unsafe { self.put_or_get(resolver, section, piece, remote, until) }
    }

    /// As [`remote_copy`](Self::remote_copy), of a probed piece.
    ///
    /// # Safety
    /// As there.
    unsafe fn put_or_get<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        piece: &Piece,
        RemoteCopy { member, here, is_put }: RemoteCopy<'_>,
        until: Until,
    ) -> Option<Result<()>> {
        let spans = [span(piece, is_put)];
        let operation = operation(member, &spans, is_put);
        let until = match until {
            Until::Reusable if !is_put || piece.bytes > member.eager_bytes => Until::Done,
            Until::Reusable => Until::Started,
            until => until,
        };
        let order = match is_put {
            true => Order::of(member, piece.bytes),
            false => Order::Free,
        };
        let is_guarded = here.is_doubtful(resolver) && !is_put && local::is_guarded(member, piece.bytes);
        let flags = Flags { is_lent: here.is_lent(), is_guarded };
        // SAFETY: passed on to the caller.
        let ran =
            unsafe { self.run(resolver, section, member, &operation, piece.bytes, order, until, flags) };
        match ran {
            Ok(Ran::Done) => Some(Ok(())),
            Ok(Ran::Returned | Ran::Interrupted(_)) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// As [`remote_copy`](Self::remote_copy), of a probed piece that the program may leave between two parts
    /// of it.
    ///
    /// # Safety
    /// As there.
    #[cold]
    unsafe fn remote_copy_in_parts<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        piece: &Piece,
        mut interrupt: InterruptPoll,
    ) -> Option<Result<()>> {
        let mut done = 0;
        loop {
            let bytes = PART_BYTES.min(piece.bytes - done);
            let offset = usize::try_from(done).ok()?;
            let (src, dst) = (piece.src.wrapping_add(offset), piece.dst.wrapping_add(offset));
            let part = Piece { src, dst, bytes };
            // The wait for the part before has left the section, so each part is resolved by itself.
            let Ok(Route::Remote(remote)) = Route::of(resolver, section, &part) else { return None };
            // SAFETY: a part of the piece that the caller vouches for.
            match unsafe { self.put_or_get(resolver, section, &part, remote, Until::Done) } {
                Some(Ok(())) => done += bytes,
                other => return other,
            }
            if done == piece.bytes {
                return Some(Ok(()));
            }
            if let Err(error) = interrupt.check("copy") {
                let error = error.with("bytes", piece.bytes).with("copied", done);
                return Some(Err(error.hint("the copy may be made again")));
            }
        }
    }
}

/// The put or get of one piece.
pub(super) fn span(piece: &Piece, is_put: bool) -> Span {
    let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
    let (local, address) = if is_put { (piece.src.cast_mut(), dst) } else { (piece.dst, src) };
    Span { local, address, bytes: piece.bytes }
}

/// The put or get of some spans.
pub(super) fn operation<'a>(member: &Member, spans: &'a [Span], is_put: bool) -> Operation<'a> {
    let key = member.key;
    if is_put { Operation::Put { key, spans } } else { Operation::Get { key, spans } }
}
