// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Orders of a test for a member, and the member's answers. Each is one line of JSON.

pub mod heap;
pub mod share;

use mf_base::{Kind, MemKind};
use serde::{Deserialize, Serialize};

use crate::kernels;

/// The kind of memory, as `mf_base::MemKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mem {
    /// Device memory.
    Device,
    /// Host memory.
    Host,
}

impl Mem {
    /// Both.
    pub const ALL: [Mem; 2] = [Mem::Device, Mem::Host];
}

impl From<Mem> for MemKind {
    fn from(mem: Mem) -> Self {
        match mem {
            Mem::Device => MemKind::Device,
            Mem::Host => MemKind::Host,
        }
    }
}

/// A place in a pool.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Spot {
    /// So many bytes into a segment.
    In(Mem, u32, u64),
    /// An arbitrary address.
    At(u64),
}

/// A place in the host memory of `rank`.
pub fn host(rank: u32, offset: u64) -> Spot {
    Spot::In(Mem::Host, rank, offset)
}

/// A place in the device memory of `rank`.
pub fn device(rank: u32, offset: u64) -> Spot {
    Spot::In(Mem::Device, rank, offset)
}

/// An end of a raw copy.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum End {
    /// In the pool.
    Pool(Spot),
    /// So many bytes into the member's own buffer.
    Buffer(u64),
}

/// Method of joining the job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Init {
    /// The store.
    pub url: String,
    /// Ranks of the job.
    pub world: u32,
    /// The own rank; none: the store picks.
    pub rank: Option<u32>,
    /// True if this member may start the store.
    pub start_store: bool,
    /// The init timeout.
    pub init_ms: u64,
    /// The create timeout.
    pub create_ms: u64,
    /// The control timeout.
    pub control_ms: u64,
}

/// Sizes of a pool in bytes; a maximum of 0 is the contribution.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PoolSizes {
    /// Own host memory.
    pub host: u64,
    /// Own device memory.
    pub device: u64,
    /// Most host memory.
    pub max_host: u64,
    /// Most device memory.
    pub max_device: u64,
}

impl PoolSizes {
    /// Memory of one kind: so much of it, of at most so much (0: of so much).
    pub fn only(mem: Mem, own: u64, max: u64) -> Self {
        match mem {
            Mem::Host => Self { host: own, max_host: max, ..Self::default() },
            Mem::Device => Self { device: own, max_device: max, ..Self::default() },
        }
    }
}

/// State of a rank as seen by a member, as `mf_fabric::space::Presence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of the original")]
pub enum Standing {
    Absent,
    Joined,
    Left,
    Dead,
}

/// Orders for a member. The first field of orders about a pool is its number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Find the job; the answer is the rank.
    Init(Init),
    /// Make a pool.
    Create(u32, PoolSizes),
    /// Join it.
    Join(u32),
    /// Leave it.
    Leave(u32),
    /// Destroy it.
    Destroy(u32),
    /// Destroy and release it, so that its addresses are free.
    Drop(u32),
    /// End the membership in the job.
    Shutdown,
    /// End the process, as a program does that gives nothing back; there is no answer.
    Exit,

    /// The address of a segment.
    Address(u32, Mem, u32),
    /// The ranks that take part.
    Members(u32),
    /// Bytes contributed.
    LocalBytes(u32, Mem),
    /// Wait until a rank stands so.
    AwaitStanding(u32, u32, Standing),
    /// Collect the events of the pool from now on.
    WatchEvents(u32),
    /// Wait until so many events came; the answer is all of them.
    AwaitEvents(usize),

    /// Write so many bytes of the stream of a seed.
    Put(u32, Spot, u64, u64),
    /// Read so many bytes and compare with the stream of a seed.
    Check(u32, Spot, u64, u64),
    /// Write so many zeroes.
    PutZeroes(u32, Spot, u64),
    /// Read so many bytes and see that all are zero.
    CheckZeroes(u32, Spot, u64),
    /// Read so many bytes; the answer is their digest.
    Digest(u32, Spot, u64),
    /// Copy inside the pool: from, to, bytes.
    Copy(u32, Spot, Spot, u64),
    /// Fill the own buffer with the stream of a seed, from an offset on, so many bytes.
    FillBuffer(u64, u64, u64),
    /// Compare the own buffer with the stream of a seed, from an offset on, so many bytes.
    CheckBuffer(u64, u64, u64),
    /// A raw copy: from, to, bytes, copy type, asynchronous or not.
    Raw(u32, End, End, u64, u32, bool),
    /// A raw batch: pieces (from, to, bytes), copy type, asynchronous or not.
    Batch(u32, Vec<(End, End, u64)>, u32, bool),
    /// Have copies refused between a place and own memory of which a part is not mapped.
    PassHoles(u32, Spot),
    /// Wait for asynchronous copies.
    Wait(u32),
    /// Write to a place over and over, beside the other orders, until ordered to stop or until an error.
    KeepPutting(u32, Spot, u64, u64),
    /// Wait until that was done so many times since it started, or failed.
    AwaitPuts(u64),
    /// End it; the answer is how often it was done, or its error.
    StopPutting,
    /// Wait until it has failed; the answer is its error.
    AwaitPutError,

    /// Something about share memory.
    Share(share::Share),
    /// Something about a symmetric heap.
    Heap(heap::Heap),

    /// Grow the own contribution.
    Extend(u32, Mem, u64),

    /// Set a key of the store, be it the library's.
    Set(String, Vec<u8>),
    /// The value of a key, be it the library's.
    Get(String),
    /// Wait in a barrier of the store.
    Barrier(String, u32),

    /// Occupy addresses: start and length.
    Occupy(u64, u64),
    /// Allow so many descriptors more than are open; none: as at the start.
    LimitDescriptors(Option<u64>),
    /// Allow so many bytes of address space more than are in use; none: as at the start.
    LimitAddressSpace(Option<u64>),
    /// Anonymous memory in use, in KiB.
    AnonymousKib,
    /// Leave a descriptor, a mapping of pool memory and a thread behind, to see that they are found.
    Leak,
    /// Something with kernels, for the program of [`kernels`].
    Kernel(Box<kernels::Order>),
    /// Run the named scenario.
    Scenario(String, Vec<u64>),
    /// Release everything and compare with the start: the answer lists differences.
    Finish,
}

/// Answers of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It was done.
    Done,
    /// A number.
    Number(u64),
    /// Numbers.
    Numbers(Vec<u64>),
    /// The value of a key.
    Value(Option<Vec<u8>>),
    /// Events: rank, and whether it joined (else it left).
    Events(Vec<(u32, bool)>),
    /// Leaks.
    Remains(Vec<String>),
}

/// Why something was not done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The code of the error; [`Failure::WRONG`] when a call succeeded and its result is wrong.
    pub code: i32,
    /// The text of the error.
    pub text: String,
}

impl Failure {
    /// Code of wrong results.
    pub const WRONG: i32 = 1;

    /// A wrong result.
    pub fn wrong(text: impl Into<String>) -> Self {
        Self { code: Self::WRONG, text: text.into() }
    }

    /// Panics unless the failure is of this kind and its text has these parts.
    #[track_caller]
    pub fn expect(&self, kind: Kind, parts: &[&str]) {
        assert_eq!(self.code, kind.code(), "{kind:?} was expected: {}", self.text);
        for part in parts {
            assert!(self.text.contains(part), "{part:?} is missing in: {}", self.text);
        }
    }
}

impl From<mf_base::Error> for Failure {
    fn from(error: mf_base::Error) -> Self {
        Self { code: error.code(), text: error.to_string() }
    }
}
