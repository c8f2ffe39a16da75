// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver for copies to and from one other process. The direction decides which end is local, because the
//! same address can be valid in both.

use std::sync::Arc;

use mf_base::sync::rcu::{ReadGuard, ReadSection};
use mf_base::{Error, Kind, Rank, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality};
use mf_net::Member;
use mf_transport::SegmentKey;

use crate::transfer::{End, Here, LocalPiece, Memory, Mode, Resolver, Wanted};

const OP: &str = "transfer";

/// One other process, and a direction.
#[derive(Clone)]
pub(super) struct PeerResolver {
    pub(super) member: Arc<Member>,
    pub(super) is_put: bool,
    pub(super) devices: Devices,
    /// Locality of all local ranges; `None` if they differ.
    pub(super) local: Option<Locality>,
}

impl Resolver for PeerResolver {
    type Share = Self;

    fn resolve<'s>(
        &'s self,
        _: ReadSection<'s>,
        address: u64,
        _: u64,
        access: Access,
    ) -> Result<Option<End<'s>>> {
        if (access == Access::Write) == self.is_put {
            // The owner knows the kind of memory.
            return Ok(Some(End::There(&self.member)));
        }
        let locality = match (self.local, self.devices.mover()) {
            (None, Some(mover)) => mover.locality(address),
            (local, _) => local.unwrap_or(Locality::Host),
        };
        Ok(Some(End::Here(Here { locality, memory: Memory::Private })))
    }

    fn refusal(&self, wanted: Wanted<'_>) -> Error {
        let error = Error::invalid(OP, "a range of 0 bytes or at null");
        match wanted {
            Wanted::Piece(piece) => error.with("bytes", piece.bytes),
            Wanted::Word { address, .. } => error.with("address", format_args!("{address:#x}")),
        }
    }

    fn devices(&self) -> &Devices {
        &self.devices
    }

    fn share(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn is_checked(&self) -> bool {
        true
    }

    fn came_back(&self, _: (Rank, SegmentKey), _: &Error) -> bool {
        // The process that comes back has other memory.
        false
    }

    unsafe fn local_copy(&self, _: &ReadGuard, _: &[LocalPiece], _: Mode) -> Result<()> {
        Err(Error::new(Kind::Failed, OP).what("one end of each copy is in another process"))
    }

    fn queue(&self, _: &[Piece]) -> Result<()> {
        Err(Error::new(Kind::Failed, OP).what("copies are waited for"))
    }
}
