// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A joint run of all ranks.

use serde::{Deserialize, Serialize};

/// Element types, with the numbers that kernels know them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of the types")]
pub enum Type {
    F16 = 0,
    Bf16 = 1,
    F32 = 2,
}

impl Type {
    /// All of them.
    pub const ALL: [Type; 3] = [Type::F16, Type::Bf16, Type::F32];

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        if self == Type::F32 { 4 } else { 2 }
    }
}

/// Reductions, with the numbers that kernels know them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of the reductions")]
pub enum Op {
    Sum = 0,
    Max = 1,
}

/// Ends of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// Within one's own.
    Local,
    /// From one's own to the next rank's.
    Put,
    /// From the next rank's to one's own.
    Get,
}

/// A kernel with its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the arguments of the kernels")]
pub enum Work {
    Copy { bytes: usize, direction: Direction },
    CopyStrided { rows: usize, row_bytes: usize, dst_gap: usize, src_gap: usize, direction: Direction },
    Gather { count: usize, row_bytes: usize, table: usize, direction: Direction },
    Scatter { count: usize, row_bytes: usize, table: usize, direction: Direction },
    Quantise { count: usize, unit: usize, kind: Type, has_factors: bool },
    Shift { bytes: usize, by: u32 },
    AllToAll { bytes: usize },
    Allgather { bytes: usize },
    ReduceScatter { count: usize, kind: Type, op: Op },
    OneShot { count: usize, kind: Type, op: Op },
    TwoShot { count: usize, kind: Type, op: Op },
    Matmul { m: usize, k: usize, n: usize },
}

impl Work {
    /// The name of the kernel.
    pub fn kernel(&self) -> &'static str {
        match self {
            Work::Copy { .. } => "mf_copy",
            Work::CopyStrided { .. } => "mf_copy_strided",
            Work::Gather { .. } => "mf_gather",
            Work::Scatter { .. } => "mf_scatter",
            Work::Quantise { .. } => "mf_quantise",
            Work::Shift { .. } => "mf_shift",
            Work::AllToAll { .. } => "mf_all_to_all",
            Work::Allgather { .. } => "mf_allgather",
            Work::ReduceScatter { .. } => "mf_reduce_scatter",
            Work::OneShot { .. } => "mf_allreduce_one_shot",
            Work::TwoShot { .. } => "mf_allreduce_two_shot",
            Work::Matmul { .. } => "mf_matmul_allreduce",
        }
    }

    /// True if the kernel itself begins with a barrier over all ranks: then the host needs none.
    pub fn begins_with_barrier(&self) -> bool {
        matches!(self, Work::ReduceScatter { .. } | Work::OneShot { .. } | Work::TwoShot { .. })
    }

    /// True if the kernel is local to a rank and does not wait for others: then the host adds a barrier after
    /// it.
    pub fn is_local(&self) -> bool {
        matches!(
            self,
            Work::Copy { .. }
                | Work::CopyStrided { .. }
                | Work::Gather { .. }
                | Work::Scatter { .. }
                | Work::Quantise { .. }
        )
    }
}

/// Longest run of a kernel: careful runs of many ranks on few cores are slow.
pub const TIMEOUT_S: u64 = 100;

/// One launch in every rank.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Case {
    /// Launched work.
    pub work: Work,
    /// With how many blocks.
    pub blocks: u32,
    /// Seed of the memory's contents.
    pub seed: u64,
    /// By how many elements source and destination are off a page's beginning.
    pub skew: (usize, usize),
    /// A rank that comes late to the launch; the others must wait for it where they need it.
    pub late: Option<u32>,
    /// The launch is ended after so many seconds.
    pub timeout_s: u64,
}

impl Case {
    /// `work` with so many blocks.
    pub fn new(work: Work, blocks: u32) -> Self {
        Self { work, blocks, seed: 1, skew: (0, 0), late: None, timeout_s: TIMEOUT_S }
    }

    /// The same, so many elements off a page's beginning: source, destination.
    #[must_use]
    pub fn skewed(mut self, src: usize, dst: usize) -> Self {
        self.skew = (src, dst);
        self
    }

    /// The same with a rank that comes late.
    #[must_use]
    pub fn late(mut self, rank: u32) -> Self {
        self.late = Some(rank);
        self
    }

    /// The same with less time.
    #[must_use]
    pub fn within_s(mut self, timeout_s: u64) -> Self {
        self.timeout_s = timeout_s;
        self
    }

    /// The same with other contents.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}
