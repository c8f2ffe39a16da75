// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mappings of memory of the pool that outlive it, for arrays that show it.

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_device::{Share, Token};

use super::directory::RemoteMembers;
use super::segments::Segments;
use super::stage::MemberStage;
use crate::space::{PoolPlace, Presence};

const OP: &str = "pool map";

impl Segments {
    /// Maps the own contribution of `kind` a second time, at an address that the kernel chooses.
    pub(super) fn map_own(&self, kind: MemKind) -> Result<Mapped> {
        self.me.check_process(OP)?;
        let own = self.own();
        let memory = own[kind.index()].as_ref().ok_or_else(|| self.contributes_none(kind, self.me.rank))?;
        self.check_reached(kind, self.me.rank)?;
        match <[Share; 1]>::try_from(memory.share(&self.me.identity)?) {
            Ok([Share { bytes, sealed, token: Token::Descriptor(descriptor) }]) => {
                let mapped = Mapped::new(&MemFile::from_descriptor(descriptor, bytes, sealed)?)?;
                // Core files contain the pages by the first mapping.
                mapped.leave_out_of_dumps();
                Ok(mapped)
            }
            _ => Err(Error::new(Kind::Failed, OP)
                .what("this memory cannot be mapped a second time: it is not one memory file")
                .with("kind", kind)),
        }
    }

    /// Calls `show` with address and length of the contribution of another member, if it is host memory
    /// mapped here.
    pub(super) fn with_mapped<T>(
        &self,
        kind: MemKind,
        rank: Rank,
        stage: &MemberStage,
        remote: &RemoteMembers,
        show: impl FnOnce(Gva, u64) -> Result<T>,
    ) -> Result<T> {
        self.me.check_process(OP)?;
        let start = self.address(kind, rank)?;
        self.check_reached(kind, rank)?;
        if !stage.is_joined() {
            return Err(self.me.not_joined(OP));
        }
        // Nothing is mapped or unmapped while it is held.
        let peers = self.peers();
        let bytes = self.extents.readable_bytes(kind, rank);
        if bytes > 0 {
            return show(start, bytes);
        }
        drop(peers);
        match remote.segment_presence(PoolPlace { kind, rank, offset: 0 }, &self.extents) {
            (Presence::Joined, 0) => Err(self.contributes_none(kind, rank)),
            (Presence::Joined, bytes) => Err(Error::new(Kind::Failed, OP)
                .what("the memory of a rank that is reached over the network has no address here")
                .with("rank", rank)
                .with("kind", kind)
                .with("bytes", bytes)
                .with("pool", self.me.id)
                .hint("copy it")),
            (presence, _) => Err(self.me.unreachable(rank, presence)),
        }
    }

    /// Checks that the processor reaches such memory once it is mapped.
    fn check_reached(&self, kind: MemKind, rank: Rank) -> Result<()> {
        if self.is_host_memory(self.address(kind, rank)?) {
            return Ok(());
        }
        Err(Error::new(Kind::Failed, OP)
            .what("memory of an accelerator has no address for the processor")
            .with("kind", kind)
            .hint("copy it"))
    }

    #[cold]
    fn contributes_none(&self, kind: MemKind, rank: Rank) -> Error {
        Error::new(Kind::NotExist, OP)
            .what("the rank contributes no memory of that kind")
            .with("rank", rank)
            .with("pool", self.me.id)
            .with("kind", kind)
    }
}
