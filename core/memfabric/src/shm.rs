// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory (SHM): the same number of bytes of every rank, for kernels.
//!
//! The ranks of a job make a [`ShareMemory`] together. Its parts lie one behind the other, at the same
//! addresses in every process and on every accelerator, so that a kernel finds the part of rank r at
//! `base + r × symmetric_bytes`.
//!
//! **Choose it** for operators that access the memory of other ranks, and for ranks that stay together. Where
//! members come and go, or contribute different amounts, take a `Pool`.
//!
//! ```
//! use memfabric::shm::ShareMemory;
//! use memfabric::Job;
//!
//! # fn main() -> memfabric::Result<()> {
//! # let job = Job::alone()?;
//! # stringify!(
//! let job = Job::join()?;
//! # );
//! let share = ShareMemory::builder().local_bytes(2 << 20).create(&job)?;       // on all ranks
//! share.put(b"hello", share.address(job.neighbour(1))?)?;
//! share.barrier()?;
//! let all = share.allgather(&job.rank().0.to_le_bytes())?;
//! assert_eq!(all.len(), 4 * job.world_size() as usize);
//! # Ok(())
//! # }
//! ```
//!
//! # Memory
//! On a process with an accelerator the memory is the accelerator's; without one it is host memory, and the
//! same calls work.
//!
//! # Errors
//! Creation succeeds on all ranks or fails on all with the same error. `Timeout` names the missing ranks ·
//! `NotConnected` names a rank that died · `InvalidParam` a rank passes other options, or is in another call
//! · `RepeatInvoke` another thread is in a call of the object.
//!
//! # Threads
//! All types are `Send` and `Sync`; one thread of a process at a time is in a collective call of an object.

mod kernel;
mod memory;

pub use kernel::{Arguments, Kernel, Launch};
pub use memory::{DataOps, ShareMemory, ShareMemoryBuilder};
