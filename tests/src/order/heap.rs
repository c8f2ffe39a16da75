// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Orders about a symmetric heap. Places are distances from its start, which may be outside.

use mf_shmem::{Atomic, Comparison, Width};
use serde::{Deserialize, Serialize};

use super::Init;

/// Elements at equal distances: stride at the destination and at the source, number, bytes of one.
pub type Strides = (isize, isize, usize, usize);

/// The update of a signal: its place and width, whether it is added to, the value.
pub type Update = (u64, Width, bool, u64);

/// Orders for a PE.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Heap {
    /// Become a PE with a heap of so many bytes (none: the default), in the memory of the accelerator if one
    /// is asked for; the answer is its number.
    Begin(Init, Option<u64>),
    /// Become a PE of that instance of the other family with a heap of so many bytes; the answer is its
    /// number.
    BeginInstance(Init, u32, u64),
    /// Become a PE with such a heap in host memory, of the family with heaps in accelerator memory.
    BeginHostSide(Init, u64),
    /// Query if the heap is in the memory of an accelerator.
    IsDeviceMemory,
    /// Query the free bytes of accelerator memory.
    DeviceMemory,
    /// Write so many bytes of the stream of a seed to the place at a PE from memory of the accelerator that
    /// is in no heap, and read them back into such.
    PutFromDevice(u64, usize, u64, i32),
    /// Become the only PE, as a program does that no launcher has started.
    BeginAlone,
    /// Become a PE of that instance of the other family as well, meet and write there to the next PE, and end
    /// that.
    Beside(Init, u32),
    /// The answer is: own number, number of PEs, bytes of the heap.
    Shape,
    /// Query a PE's published heap figures: used, peak, free, largest free part, quarantined, blocks.
    UsageOf(i32),
    /// Take so many bytes; the answer to this and the next three is the place, none for null.
    Malloc(u64),
    /// Take so many elements of so many bytes.
    Calloc(u64, u64),
    /// Take, at a multiple of the first number, so many bytes.
    Align(u64, u64),
    /// Make the block at the place so long.
    Realloc(u64, u64),
    /// Give the block at the place back.
    Free(u64),
    /// Write so many bytes of the stream of a seed to the place at a PE.
    Put(u64, usize, u64, i32),
    /// The same, started only; it is complete after `Quiet`.
    PutNbi(u64, usize, u64, i32),
    /// Read so many bytes there and compare.
    Check(u64, usize, u64, i32),
    /// The same by reads that are started, then completed.
    CheckNbi(u64, usize, u64, i32),
    /// Compare so many own bytes by plain loads.
    CheckOwn(u64, usize, u64),
    /// See that so many own bytes are zero.
    CheckZero(u64, usize),
    /// Write elements of the stream of a seed to the place at a PE.
    PutStrided(u64, Strides, u64, i32),
    /// Read elements there, and compare with what [`PutStrided`](Self::PutStrided) made of the stream.
    CheckStrided(u64, Strides, u64, i32),
    /// Pass null as the private end of a put and a get.
    PassNull(u64, i32),
    /// Have copies refused between the place at a PE and own memory of which a part is not mapped.
    PassHoles(u64, i32),
    /// Write over and over to the place at a PE, until it is refused or so many times.
    KeepPutting(u64, usize, i32, u32),
    /// Start some operations of a kind, of so many bytes each, behind the word at a place of a PE, complete
    /// them, and count the word up, until it is refused or so many times.
    KeepStarting(Started, u64, usize, i32, u32),
    /// Compute, without a call, until the own word at a place has the value.
    Compute(u64, u64),
    /// Change a word of a PE; the answer is its old value.
    Atomic(u64, Atomic, i32),
    /// The same without an old value; it is complete after `Quiet`.
    AtomicUpdate(u64, Atomic, i32),
    /// The same, with the old value delivered by a quiet; the answer.
    AtomicNbi(u64, Atomic, i32),
    /// Count a word of a PE up, so many times each by a fetching add, by one that is started, and by a
    /// compare and swap until it succeeds; the answer is the sum of the low 20 bits of the old values. As
    /// often add 2 to the power of 20 without fetching.
    CountUp(u64, Width, u64, i32),
    /// Write so many bytes of the stream of a seed to a place at a PE, then update the signal at another;
    /// with `true` the first is only started.
    PutSignal((u64, usize, u64), Update, i32, bool),
    /// Update a signal at a PE.
    Signal(Update, i32),
    /// The answer is a signal of this PE.
    FetchSignal(u64, Width),
    /// Wait until an own word of 8 bytes, unsigned, compares so with the value; the answer is its value.
    Await(u64, Comparison, u64),
    /// So many times: write so many bytes to one of two places at a PE, that begin here, with a signal at the
    /// other, and wait for the same of that PE.
    PingPong((u64, usize), u64, u64, i32),
    /// Wait for each of so many own words of 8 bytes to become 1: repeatedly for any pending one; then for
    /// all of them, then for some; no word is reported twice.
    Collect(u64, usize),
    /// Order.
    Fence,
    /// Complete.
    Quiet,
    /// Complete and meet.
    Barrier,
    /// Meet.
    Sync,
    /// Meet so many times.
    Barriers(u32),
    /// Query if the place at a PE is mapped here (1) or not (0); if it is, it is written and read by stores
    /// and loads.
    Pointer(u64, i32),
    /// Query if the place at a PE is reported as accessible.
    Accessible(u64, i32),
    /// Make the calls of a PE in a forked child, and see that each is refused.
    Fork(u64, i32),
    /// Allocate and release at random, equally on all PEs: seed and steps.
    Random(u64, u32),
    /// Stop being a PE, together with the others.
    End,
    /// Stop being a PE, without the others.
    Abandon,
    /// Meet on two threads at the same time; one of them is refused, or both meet one after the other: the
    /// answer is how often it met.
    MeetTwice,
    /// Split a team of all in reverse order off the team of all, meet there, and destroy it, so many times.
    KeepSplitting(u32),
    /// Split a team of these PEs (start, stride, size) off the team of all, and keep it; the answer is the
    /// number there, or none.
    Split(i32, i32, i32),
    /// Meet in the team that was kept last.
    TeamSync,
    /// Split on two threads at the same time; one of them is refused, or both split one after the other: the
    /// answer is how often it was split.
    SplitTwice,
    /// Write so many bytes of the stream of a seed to the place at a PE of the team that was kept last, on a
    /// context of it, and destroy the context.
    PutOnContext(u64, usize, u64, i32),
    /// End all PEs with a status; there is no answer.
    Exit(i32),
    /// A collective call, or one on a lock.
    Together(Together),
    /// The answer is an own word.
    CheckOwnWord(u64),
}

/// Operations to start, completed later.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Started {
    /// Writes.
    Puts,
    /// Reads.
    Gets,
    /// Adds to one word that bring its old values.
    Atomics,
}

/// Callers of a collective call.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Part {
    /// The team of all PEs.
    Team,
    /// An active set: first PE, logarithm of the distance, how many.
    Set(i32, i32, i32),
}

/// A collective call; the root is the first PE.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Collective {
    /// Of a few bytes.
    Broadcast,
    /// Of 70,000 bytes.
    LargeBroadcast,
    /// Of a few bytes of each.
    Collect,
    /// Of a few bytes of each.
    Fcollect,
    /// Of a few bytes for each.
    Alltoall,
    /// Of two elements for each.
    Alltoalls,
    /// Of one number of each.
    Reduce,
    /// Of 9,000 numbers of each.
    LargeReduce,
    /// Of one number of each; only of teams.
    Scan,
    /// A barrier.
    Barrier,
}

/// Collective calls, which find their areas from a place on, and locks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Together {
    /// Calls that a seed chooses, so many; each PE checks what came of them.
    Calls(Part, u64, u64, u32),
    /// One call of a kind with nothing before it.
    Only(Part, u64, Collective),
    /// A broadcast of so many bytes from a root.
    Broadcast(Part, u64, usize, i32),
    /// A sum of so many numbers.
    Sum(Part, u64, usize),
    /// A collect from inside of its destination.
    Overlap(u64),
    /// Two threads make a call of a team at the same time; the answer is how many succeeded, and the others
    /// were refused.
    Twice(u64),
    /// Take the lock at a place; or give it back.
    Lock(u64),
    /// Take it if it is free; whether it was.
    TryLock(u64),
    /// Give it back.
    Unlock(u64),
    /// Under the lock, count the word at a place of PE 0 up, so many times.
    LockedAdds(u64, u64, u32),
}
