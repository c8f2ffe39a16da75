// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The four operations and their arguments: addresses of arrays, which are read when the operation runs.

use mf_base::{Error, Result};

/// Words in front of the components in the metadata of [`Operation::KvExchange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// 8 words, the last two of them the layout and a reserved one.
    Words8,
    /// 6 words: metadata of callers written before the layout was added.
    Words6,
}

impl Header {
    /// Number of words.
    pub const fn words(self) -> u32 {
        match self {
            Header::Words8 => 8,
            Header::Words6 => 6,
        }
    }
}

/// One operation. All fields are addresses; their arrays are in host memory or in memory of the accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Copies `lengths[i]` bytes from `sources[i]` to `destinations[i]` for i below `count[0]`.
    Sparse {
        /// u64 for each piece.
        sources: u64,
        /// u64 for each piece.
        destinations: u64,
        /// u32 for each piece; pieces of 0 bytes are skipped.
        lengths: u64,
        /// One u32.
        count: u64,
    },
    /// Copies the pieces with a non-zero group to the first destinations, and packs the groups.
    GroupPack {
        /// u64 for each piece.
        sources: u64,
        /// u64 for each piece.
        destinations: u64,
        /// u32 for each piece.
        lengths: u64,
        /// One u32.
        count: u64,
        /// i64 for each piece; 0: the piece is left out.
        groups: u64,
        /// i64 for each packed piece.
        packed: u64,
    },
    /// Copies pages of key-value caches between the accelerator and the host.
    KvExchange {
        /// i64 words: header, then 9 for each component.
        meta: u64,
        /// Length of the header.
        header: Header,
    },
    /// Gathers entries of the registered table.
    EntryGather {
        /// Rows of the entry's length.
        destination: u64,
        /// 8 bytes for each entry; the low 32 bits are its number.
        ids: u64,
        /// One u32.
        count: u64,
    },
}

impl Operation {
    /// Name for errors.
    pub const fn name(&self) -> &'static str {
        match self {
            Operation::Sparse { .. } => "offload sparse copy",
            Operation::GroupPack { .. } => "offload group pack copy",
            Operation::KvExchange { .. } => "offload kv exchange copy",
            Operation::EntryGather { .. } => "offload entry gather",
        }
    }

    /// Arguments by the names that the C interface gives them.
    pub(crate) fn arguments(&self) -> Vec<(&'static str, u64)> {
        match *self {
            Operation::Sparse { sources, destinations, lengths, count } => {
                vec![("srcPtr", sources), ("dstPtr", destinations), ("lenPtr", lengths), ("sizePtr", count)]
            }
            Operation::GroupPack { sources, destinations, lengths, count, groups, packed } => vec![
                ("srcPtr", sources),
                ("dstPtr", destinations),
                ("lenPtr", lengths),
                ("numLocalExpertPtr", count),
                ("groupListPtr", groups),
                ("packedGroupListPtr", packed),
            ],
            Operation::KvExchange { meta, .. } => vec![("metaPtr", meta)],
            Operation::EntryGather { destination, ids, count } => {
                vec![("dstPtr", destination), ("idsPtr", ids), ("countPtr", count)]
            }
        }
    }

    /// Refuses null arguments.
    ///
    /// # Errors
    /// `InvalidParam` names the first.
    pub(crate) fn check(&self) -> Result<()> {
        match self.arguments().into_iter().find(|(_, address)| *address == 0) {
            Some((name, _)) => Err(Error::invalid(self.name(), format!("{name} is null"))),
            None => Ok(()),
        }
    }
}

/// Layout of the registered table: entries in the slots of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// Address of slot 0.
    pub(crate) base: u64,
    /// Bytes from slot to slot.
    pub(crate) stride: u64,
    /// Bytes of an entry.
    pub(crate) entry_bytes: u32,
    /// Entries of a slot.
    pub(crate) rows_per_slot: u32,
}
