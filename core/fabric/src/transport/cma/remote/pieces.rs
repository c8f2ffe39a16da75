// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What one visit copies by the kernel, and by the accelerator of this process.

use std::sync::Arc;

use crate::device::{Imported, Locality, Transfer};
use crate::engine::Piece;
use crate::transport::OnDevice;
use crate::transport::cma::calls;

/// Pieces for one call of the kernel.
pub(super) struct Pieces<const N: usize> {
    pub(super) local: [libc::iovec; N],
    pub(super) remote: [libc::iovec; N],
    pub(super) count: usize,
    pub(super) bytes: u64,
}

impl<const N: usize> Pieces<N> {
    pub(super) fn new() -> Self {
        let none = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
        Self { local: [none; N], remote: [none; N], count: 0, bytes: 0 }
    }

    /// Adds a piece, to the last one where it adjoins; false: there is no room.
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
}

/// What the accelerator of this process copies in one visit, and what it must not lose meanwhile.
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
