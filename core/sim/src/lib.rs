// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deterministic simulation of programs on a memory pool.
//!
//! N ranks of a program run as futures in one thread, over a simulated pool, store, cache, network and
//! clock. A seed decides every latency, reordering, pause and fault; the same seed gives the same run. A run
//! that fails is shrunk to the fewest choices that make it fail.
//!
//! ```
//! use mf_sim::{Atomic, Comparison, World};
//! use std::time::Duration;
//!
//! let limit = Duration::from_secs(1);
//! let program = |rank: mf_sim::Rank| async move {
//!     let pool = rank.open_pool(64).await?;
//!     rank.barrier("joined", limit).await?;
//!     if rank.number() == 0 {
//!         pool.put_nbi(b"the data", pool.address(1)).await?;
//!         // A fence is missing here: the flag may be visible before the data.
//!         pool.atomic(pool.address(1) + 8, Atomic::Swap(1)).await?;
//!     } else {
//!         pool.wait_until(pool.local_address() + 8, Comparison::Equal, 1, limit).await?;
//!         assert_eq!(pool.read(pool.local_address(), 8).await?, b"the data");
//!     }
//!     Ok::<(), mf_sim::Error>(())
//! };
//! let failure = World::new(2).explore(0..100, program, |_| Ok(())).unwrap_err();
//! assert!(failure.reason.starts_with("rank 1: assertion"));
//! // The same run again, by its seed, and the shortest one.
//! assert_eq!(World::new(2).run(failure.seed, program).trace(), failure.trace);
//! assert_eq!(World::new(2).replay(&failure.schedule, program).trace(), failure.shrunk_trace);
//! ```
//!
//! The path of an operation, by file: `rank.rs` and its folder have the handles; `run.rs` makes a future of
//! it and polls the tasks; `engine.rs` is the simulated job, one state machine for Rust and Python;
//! `choice.rs` draws; `world.rs` has the settings; `explore.rs` runs many seeds, `shrink.rs` shortens.
//!
//! It shares no code with the pool, the store or the cache: it implements their guarantees, and uses every
//! freedom that they leave. The store's own machines are simulated by its tests.

mod choice;
mod engine;
mod error;
mod explore;
mod op;
mod rank;
mod run;
mod shrink;
mod trace;
mod world;

pub use choice::{InvalidSchedule, Schedule};
pub use error::{Error, ErrorKind, Result};
pub use explore::Failure;
pub use op::{Atomic, Comparison, Entry, Lease, Lifetime, Signal};
pub use rank::{Cache, Leased, Pool, Rank, Store, Task};
pub use run::{Cause, End, Run};
pub use world::World;

/// The engine without the driver for futures, for bindings of other languages. It may change at any time.
#[doc(hidden)]
pub mod raw {
    pub use crate::engine::layout::address;
    pub use crate::engine::{Engine, Next, OpId, TaskId};
    pub use crate::op::{CacheRequest, Op, Outcome, Request, Value};
    pub use crate::shrink::shrink;

    /// Returns the lease of a number.
    pub fn lease(number: u64) -> crate::Lease {
        crate::Lease(number)
    }

    /// Returns the number of a lease.
    pub fn lease_number(lease: crate::Lease) -> u64 {
        lease.0
    }
}
