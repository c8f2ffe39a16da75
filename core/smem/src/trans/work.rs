// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work of a started transfer: slices of its pieces, one after the other, then its notification. Between
//! slices it may be cancelled.

use std::sync::{Arc, Weak};

use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::PeerAccess;
use mf_transport::Span;

use super::endpoint::EndpointInner;
use super::inbox;
use super::started_transfer::cancelled;

/// Size of a slice in bytes and pieces: the most that a cancelled transfer still does before it ends.
const SLICE_BYTES: u64 = 32 << 20;
const SLICE_PIECES: usize = 4096;

/// Pieces of a transfer that is done later, on another thread.
pub(super) struct Spans(pub(super) Vec<Span>);

// SAFETY: addresses only; the starter of the transfer vouches for the memory there until it has ended.
unsafe impl Send for Spans {}
// SAFETY: as for `Send`.
unsafe impl Sync for Spans {}

/// A transfer to do.
pub(super) struct Work {
    pub(super) endpoint: Weak<EndpointInner>,
    pub(super) spans: Arc<Spans>,
    pub(super) is_write: bool,
    /// The notification after the data.
    pub(super) message: Option<Vec<u8>>,
    /// The target process. `None`: the owner of the name when it begins.
    pub(super) reached: Option<Arc<PeerAccess>>,
}

impl Work {
    /// Runs it, until `is_cancelled` returns true.
    ///
    /// # Errors
    /// As for the transfer · `Cancelled`.
    pub(super) fn run(&self, peer: &str, is_cancelled: &dyn Fn() -> bool) -> Result<()> {
        let mut reached = self.reached.clone();
        let mut step = |body: &dyn Fn(&EndpointInner, &PeerAccess) -> Result<()>| {
            let endpoint = self.endpoint.upgrade().ok_or_else(|| cancelled(peer).what(DESTROYED))?;
            let is_over = || is_cancelled() || endpoint.is_over();
            if is_over() {
                return Err(cancelled(peer));
            }
            let done = endpoint.with_peer(peer, reached.as_ref(), |to| body(&endpoint, to));
            match done {
                Ok(to) => reached = Some(to),
                // It ended because of the end that was asked for, or would have anyway.
                Err(error) if is_over() => return Err(cancelled(peer).source(error)),
                Err(error) => return Err(error),
            }
            Ok(())
        };
        for (first, slice) in Slices::new(&self.spans.0) {
            let done = step(&|endpoint, to| {
                // SAFETY: the starter of the transfer vouches for local memory until it has ended.
                unsafe { endpoint.memory.copy(to, &slice, self.is_write) }
            });
            done.map_err(|error| self.numbered(error, first))?;
        }
        match &self.message {
            Some(message) => step(&|endpoint, to| endpoint.notify(to, message)),
            None => Ok(()),
        }
    }

    /// The error of a slice that begins with piece `first`.
    fn numbered(&self, error: Error, first: usize) -> Error {
        if error.kind() != Kind::InvalidParam || self.spans.0.len() < 2 {
            return error;
        }
        let within = error.fact("piece").and_then(|piece| piece.parse::<usize>().ok()).unwrap_or(0);
        error.set("piece", first + within)
    }
}

/// Error text of a transfer that ends with its endpoint.
pub(super) const DESTROYED: &str = "the endpoint was destroyed before the transfer was done";

impl EndpointInner {
    /// Sends a notification.
    fn notify(&self, to: &PeerAccess, message: &[u8]) -> Result<()> {
        self.memory.notify(to, &inbox::encode(&self.name, message)?)
    }
}

/// Cuts pieces into slices; gives the number of the first piece of each.
struct Slices<'a> {
    spans: &'a [Span],
    piece: usize,
    /// So much of that piece is in slices already.
    offset: u64,
}

impl<'a> Slices<'a> {
    fn new(spans: &'a [Span]) -> Self {
        Self { spans, piece: 0, offset: 0 }
    }
}

impl Iterator for Slices<'_> {
    type Item = (usize, Vec<Span>);

    fn next(&mut self) -> Option<Self::Item> {
        let (first, mut room, mut slice) = (self.piece, SLICE_BYTES, Vec::new());
        while let Some(span) = self.spans.get(self.piece)
            && room > 0
            && slice.len() < SLICE_PIECES
        {
            let bytes = (span.bytes - self.offset).min(room);
            let skip = usize::try_from(self.offset).unwrap_or(usize::MAX);
            let local = span.local.wrapping_add(skip);
            slice.push(Span { local, address: span.address + self.offset, bytes });
            room -= bytes;
            self.offset += bytes;
            if self.offset == span.bytes {
                (self.piece, self.offset) = (self.piece + 1, 0);
            }
        }
        (!slice.is_empty()).then_some((first, slice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_all_pieces_in_order() {
        let span = |address: u64, bytes| Span {
            local: std::ptr::without_provenance_mut(usize::try_from(address).unwrap() + 1),
            address,
            bytes,
        };
        let small = (0..5000).map(|number| span(1000 * number, 10));
        let spans: Vec<Span> = [span(1 << 40, 3 * SLICE_BYTES + 5)].into_iter().chain(small).collect();
        let (mut whole, mut firsts): (Vec<Span>, Vec<usize>) = (Vec::new(), Vec::new());
        for (first, slice) in Slices::new(&spans) {
            firsts.push(first);
            assert!(slice.len() <= SLICE_PIECES);
            assert!(slice.iter().map(|span| span.bytes).sum::<u64>() <= SLICE_BYTES);
            for part in slice {
                assert_eq!(part.local.addr() as u64, part.address + 1);
                match whole.last_mut() {
                    Some(last) if last.address + last.bytes == part.address => last.bytes += part.bytes,
                    _ => whole.push(part),
                }
            }
        }
        assert_eq!(firsts, [0, 0, 0, 0, 4096]);
        let shape = |spans: &[Span]| spans.iter().map(|span| (span.address, span.bytes)).collect::<Vec<_>>();
        assert_eq!(shape(&whole), shape(&spans));
        assert!(Slices::new(&[]).next().is_none());
    }
}
