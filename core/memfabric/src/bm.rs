// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Big memory (BM): pools.
//!
//! Every member of a job contributes memory to a [`Pool`]; the contributions form one address space with the
//! same addresses in every process. Any member puts, gets and copies; the owner takes no part. Members join
//! and leave while others work.
//!
//! **Choose it** for data that many processes share while members come and go: caches, weights, tables.
//! For kernels on the memory of all ranks take share memory (`shm`), for a program of OpenSHMEM the symmetric
//! heap (`shmem`), for memory that the program already has `trans`.
//!
//! ```
//! use memfabric::{Job, Pool};
//!
//! # fn main() -> memfabric::Result<()> {
//! # let job = Job::alone()?;
//! # stringify!(
//! let job = Job::join()?;
//! # );
//! let pool = Pool::builder().host_bytes(2 << 20).open(&job)?;
//! job.barrier("joined")?;
//! pool.put(b"hello", pool.address(job.neighbour(1))?)?;
//! job.barrier("written")?;
//! assert_eq!(pool.read(pool.local_address()?, 5)?, b"hello");
//! # Ok(())
//! # }
//! ```
//!
//! # The path of a copy
//! An address is resolved by arithmetic to a rank and an offset. Memory of ranks on this host is mapped: a
//! copy is loads and stores, without a lock, an allocation or a system call. Other memory is reached by the
//! accelerator's copy engine, or over the network by TCP with TLS or by UCX. `mf explain` says by which.
//!
//! # Kinds of memory
//! A pool has a window of host memory, and one of device memory if members contribute it
//! ([`PoolBuilder::device_bytes`]). On a machine without an accelerator the device window is host memory.
//! Slices of Rust are host memory; [`Pool::copy`] moves between any two addresses of the pool.
//!
//! # Errors
//! `InvalidParam` a range that is not inside one segment · `NotStarted` not joined · `NotConnected` the
//! owner has left or died · `Timeout` names the members that did not answer. After an error of `put` or
//! `get` because of its arguments nothing was written.
//!
//! # Threads
//! All types are `Send` and `Sync`. Events call back on a thread of their own.

mod engines;
mod options;
mod pool;
mod queued;
mod words;

pub use engines::Engine;
pub use options::PoolBuilder;
pub use pool::{Event, Pool, Presence};
pub use queued::Copies;
pub use words::{Atomic, Signal};
