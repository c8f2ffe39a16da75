// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Orders about objects of share memory. The first field of orders about an object is its number.

use serde::{Deserialize, Serialize};

use super::Init;

/// An object as `mf_smem::shm::Options`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Object {
    /// Its number.
    pub id: u32,
    /// Its ranks.
    pub rank_size: u32,
    /// The own place.
    pub rank: u32,
    /// Bytes of each rank.
    pub bytes: u64,
    /// The set of data operations.
    pub data_ops: u32,
}

/// Orders for a member.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Share {
    /// Find the job as share memory; the answer is the rank.
    Init(Init),
    /// Make an object.
    Create(Object),
    /// The answer is: base, symmetric bytes, own rank, number of ranks.
    Shape(u32),
    /// Write so many bytes of the stream of a seed to the part of a rank, from an offset on.
    Put(u32, u32, u64, u64, u64),
    /// Read so many bytes there and compare.
    Check(u32, u32, u64, u64, u64),
    /// Meet.
    Barrier(u32),
    /// Give so many bytes of the stream of a seed plus the own rank, and compare what came.
    Allgather(u32, usize, u64),
    /// Meet in a subgroup: key, its ranks, the own rank there.
    SubBarrier(u32, String, u32, u32),
    /// As `Allgather` in a subgroup.
    SubAllgather(u32, String, u32, u32, usize, u64),
    /// The data operations that reach a rank.
    Reach(u32, u32),
    /// Set a context of so many bytes of the stream of a seed.
    SetContext(u32, usize, u64),
    /// So many bytes of device memory at an address.
    Peek(u64, usize),
    /// Take a number below a limit.
    Alloc(u32, u32),
    /// Give a number back.
    Release(u32, u32),
    /// Collect the statuses of the exit callback.
    OnExit(u32),
    /// Run the exit callbacks of all.
    ExitAll(u32, i32),
    /// Wait until the exit callback ran so often; the answer is its statuses.
    AwaitExits(usize),
    /// Wait until the member sees that a rank is gone.
    AwaitGone(u32, u32),
    /// Give it up, and release it.
    Destroy(u32),
    /// Give it up, and keep it.
    DestroyOnly(u32),
    /// End share memory.
    Shutdown,
}
