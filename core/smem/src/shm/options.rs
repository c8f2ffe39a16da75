// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a share memory object.

use mf_base::{ByteLen, Error, Rank, Result};
use mf_fabric::objects::Offer;
use mf_job::id_ranges::{Number, SHARE_MEMORY};
use serde::{Deserialize, Serialize};

/// Kernels load and store.
pub const DATA_OP_MTE: u32 = 1;
/// The copy engine of the device.
pub const DATA_OP_SDMA: u32 = 2;
/// RDMA.
pub const DATA_OP_RDMA: u32 = 4;
const DATA_OPS: u32 = DATA_OP_MTE | DATA_OP_SDMA | DATA_OP_RDMA;

/// Most bytes that each rank shares in one object.
pub const LOCAL_BYTES_MAX: u64 = 64 << 30;
const GRANULE_BYTES: u64 = 2 << 20;

/// Options of a share memory object. All but the own place are the same in all ranks of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of the object in the job, 0 to 63.
    pub id: u32,
    /// Number of the object's ranks, at most the job's.
    pub rank_size: u32,
    /// The own place among them, from 0; it need not be the rank in the job.
    pub rank: Rank,
    /// Bytes that each rank shares: a multiple of 2 MiB, at most 64 GiB.
    pub local_bytes: u64,
    /// A set of [`DATA_OP_MTE`], [`DATA_OP_SDMA`], [`DATA_OP_RDMA`]; at least one.
    pub data_ops: u32,
}

/// Requested terms of an object, which a rank sends to the others.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ObjectTerms {
    place: u32,
    rank_size: u32,
    local_bytes: u64,
    data_ops: u32,
}

impl Offer for ObjectTerms {
    const HINT: &'static str =
        "all ranks of an object pass the same number of ranks, size and data operations";

    fn members(&self) -> u32 {
        self.rank_size
    }

    fn place(&self) -> u32 {
        self.place
    }

    fn parameters(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [("size", self.local_bytes), ("set of data operations", u64::from(self.data_ops))].into_iter()
    }
}

impl Options {
    pub(super) fn terms_of_rank(&self) -> ObjectTerms {
        let Self { rank, rank_size, local_bytes, data_ops, .. } = *self;
        ObjectTerms { place: rank.0, rank_size, local_bytes, data_ops }
    }

    /// Refuses impossible options. Returns the numbers of the object.
    pub(super) fn check(&self, operation: &'static str, world_size: u32) -> Result<Number> {
        let bad = |what: &str| Error::invalid(operation, what).with("id", self.id);
        let number = SHARE_MEMORY.number(operation, self.id)?;
        if self.rank_size == 0 || self.rank_size > world_size {
            return Err(bad("the number of ranks is out of range")
                .with("rank_size", self.rank_size)
                .with("world_size", world_size)
                .hint("1 to the world size"));
        }
        if self.rank.0 >= self.rank_size {
            return Err(bad("the rank is out of range")
                .with("rank", self.rank)
                .with("rank_size", self.rank_size)
                .hint("ranks of an object count from 0"));
        }
        let bytes = self.local_bytes;
        if bytes == 0 || bytes > LOCAL_BYTES_MAX || !bytes.is_multiple_of(GRANULE_BYTES) {
            return Err(bad("the size is not possible")
                .with("local_bytes", bytes)
                .hint(format!("a multiple of 2 MiB, at most {}", ByteLen(LOCAL_BYTES_MAX))));
        }
        if self.data_ops == 0 || self.data_ops & !DATA_OPS != 0 {
            return Err(bad("no such data operation")
                .with("data_ops", format!("{:#x}", self.data_ops))
                .hint("a set of MTE (1), SDMA (2) and RDMA (4)"));
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Options =
        Options { id: 63, rank_size: 4, rank: Rank(3), local_bytes: 64 << 30, data_ops: DATA_OPS };

    #[test]
    fn invalid_options_are_rejected() {
        GOOD.check("shm create", 4).unwrap();
        for bad in [
            Options { id: 64, ..GOOD },
            Options { rank_size: 0, ..GOOD },
            Options { rank_size: 5, ..GOOD },
            Options { rank: Rank(4), ..GOOD },
            Options { local_bytes: 0, ..GOOD },
            Options { local_bytes: (2 << 20) + 1, ..GOOD },
            Options { local_bytes: (64 << 30) + (2 << 20), ..GOOD },
            Options { data_ops: 0, ..GOOD },
            Options { data_ops: 8, ..GOOD },
        ] {
            assert_eq!(bad.check("shm create", 4).unwrap_err().code(), -2000, "{bad:?}");
        }
    }
}
