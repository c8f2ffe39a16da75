// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pieces of one visit, for the kernel and for the accelerator of this process.

use std::sync::Arc;

use mf_device::engine::Piece;
use mf_device::{Imported, Locality, Transfer};
use mf_transport::OnDevice;

use crate::cma::calls;

/// Pieces for one call of the kernel.
#[derive(Clone)]
pub(super) struct Pieces<const N: usize> {
    pub(super) local: [libc::iovec; N],
    pub(super) remote: [libc::iovec; N],
    pub(super) count: usize,
    pub(super) bytes: u64,
}

// SAFETY: pieces only describe a copy, and a shared reference changes nothing; the code that executes it
// guarantees that the memory is valid.
unsafe impl<const N: usize> Sync for Pieces<N> {}

impl<const N: usize> Pieces<N> {
    pub(super) fn new() -> Self {
        let none = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
        Self { local: [none; N], remote: [none; N], count: 0, bytes: 0 }
    }

    /// Adds a piece, to the last one if it adjoins. Returns false if there is no room.
    pub(super) fn add(&mut self, local: *mut u8, address: u64, bytes: usize) -> bool {
        let adjoins =
            |piece: &libc::iovec, at: usize| piece.iov_base.addr().wrapping_add(piece.iov_len) == at;
        let remote = calls::there(address, bytes);
        if let Some(last) = self.count.checked_sub(1)
            && let (Some(here), Some(there)) = (self.local.get_mut(last), self.remote.get_mut(last))
            && adjoins(here, local.addr())
            && adjoins(there, remote.iov_base.addr())
        {
            here.iov_len += bytes;
            there.iov_len += bytes;
        } else {
            let (Some(here), Some(there)) = (self.local.get_mut(self.count), self.remote.get_mut(self.count))
            else {
                return false;
            };
            *here = libc::iovec { iov_base: local.cast(), iov_len: bytes };
            *there = remote;
            self.count += 1;
        }
        self.bytes += bytes as u64;
        true
    }

    /// Of all their bytes, in their order, `bytes` from the `at`th on; fewer where they end before.
    pub(super) fn part(&self, at: usize, bytes: usize) -> Self {
        let (mut part, mut start) = (Self::new(), 0_usize);
        let end = at.saturating_add(bytes);
        for (here, there) in self.local.iter().zip(&self.remote).take(self.count) {
            let (skip, behind) = (at.saturating_sub(start), end.saturating_sub(start).min(here.iov_len));
            if skip < behind {
                let local = here.iov_base.cast::<u8>().wrapping_add(skip);
                let remote = there.iov_base.addr().wrapping_add(skip) as u64;
                // There is room: they are no more than these are.
                let _ = part.add(local, remote, behind - skip);
            }
            start = start.saturating_add(here.iov_len);
            if start >= end {
                break;
            }
        }
        part
    }

    /// Skips the first `bytes` bytes of the rest that begins with the `first`th piece. Returns the index of
    /// the piece in which the new rest begins.
    pub(super) fn skip(&mut self, mut first: usize, mut bytes: usize) -> usize {
        while let (Some(here), Some(there)) = (self.local.get_mut(first), self.remote.get_mut(first))
            && bytes > 0
        {
            let part = bytes.min(here.iov_len);
            for piece in [&mut *here, there] {
                piece.iov_base = piece.iov_base.cast::<u8>().wrapping_add(part).cast();
                piece.iov_len -= part;
            }
            bytes -= part;
            first += usize::from(here.iov_len == 0);
        }
        first
    }
}

/// Transfers of one visit for the accelerator of this process, with the imports that they keep alive.
#[derive(Default)]
pub(super) struct ByDevice {
    pub(super) transfers: Vec<Transfer>,
    kept: Vec<Arc<Imported>>,
}

impl ByDevice {
    pub(super) fn keep(&mut self, imported: Option<&Arc<Imported>>) {
        let Some(imported) = imported else { return };
        if !self.kept.last().is_some_and(|last| Arc::ptr_eq(last, imported)) {
            self.kept.push(Arc::clone(imported));
        }
    }

    pub(super) fn add(
        &mut self,
        local: *mut u8,
        (there, locality): (*mut u8, Locality),
        bytes: u64,
        is_put: bool,
        device: Option<OnDevice<'_>>,
    ) {
        let here = device.map_or(Locality::Host, |device| device.local);
        let transfer = if is_put {
            Transfer { piece: Piece { src: local, dst: there, bytes }, from: here, to: locality }
        } else {
            Transfer { piece: Piece { src: there, dst: local, bytes }, from: locality, to: here }
        };
        self.transfers.push(transfer);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each byte of the pieces: where it is here and there.
    fn bytes<const N: usize>(pieces: &Pieces<N>) -> Vec<(usize, usize)> {
        let both = pieces.local.iter().zip(&pieces.remote).take(pieces.count);
        let all = both.flat_map(|(here, there)| {
            assert!(here.iov_len == there.iov_len && here.iov_len > 0);
            (0..here.iov_len).map(|byte| (here.iov_base.addr() + byte, there.iov_base.addr() + byte))
        });
        all.collect()
    }

    fn pieces(lengths: &[usize]) -> Pieces<8> {
        let mut pieces = Pieces::new();
        for (number, length) in lengths.iter().enumerate() {
            let local = std::ptr::without_provenance_mut(1000 * (number + 1));
            assert!(pieces.add(local, 77_000 + 3000 * number as u64, *length));
        }
        pieces
    }

    proptest! {
        #[test]
        fn pieces_cover_all_bytes_in_order(
            lengths in prop::collection::vec(1..50_usize, 1..8), part in 1..60_usize,
        ) {
            let whole = pieces(&lengths);
            let all = bytes(&whole);
            let mut found = Vec::new();
            for at in (0..all.len()).step_by(part) {
                let part = whole.part(at, part);
                prop_assert_eq!(part.bytes, bytes(&part).len() as u64);
                found.extend(bytes(&part));
            }
            prop_assert_eq!(&found, &all);
            prop_assert_eq!(whole.part(all.len(), 1).count, 0);
        }

        #[test]
        fn skipped_bytes_are_left_out(
            lengths in prop::collection::vec(1..50_usize, 1..8), steps in prop::collection::vec(1..70_usize, 1..9),
        ) {
            let mut rest = pieces(&lengths);
            let all = bytes(&rest);
            let (mut first, mut done) = (0, 0);
            for step in steps {
                let step = step.min(all.len() - done);
                first = rest.skip(first, step);
                done += step;
                let mut left = Pieces::<8>::new();
                for (here, there) in rest.local.iter().zip(&rest.remote).take(rest.count).skip(first) {
                    left.add(here.iov_base.cast(), there.iov_base.addr() as u64, here.iov_len);
                }
                prop_assert_eq!(bytes(&left), &all[done..]);
            }
        }
    }
}
