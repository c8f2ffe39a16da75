// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deterministic simulation of programs: ranks as futures over a simulated job.
//!
//! A seed decides every latency, reordering, pause and fault; the same seed gives the same run, byte for byte
//! of its trace. A run that fails is shrunk to the fewest choices that make it fail. Needs no job, no network
//! and no machine but this thread. `docs/simulation.md` is the guide.
//!
//! [`Error`] has the kinds and codes of the library's errors.
//!
//! ```
//! use memfabric::sim::{Atomic, Comparison, Rank, World};
//! use std::time::Duration;
//!
//! async fn program(rank: Rank) -> memfabric::sim::Result<()> {
//!     let limit = Duration::from_secs(1);
//!     let pool = rank.open_pool(64).await?;
//!     rank.barrier("joined", limit).await?;
//!     if rank.number() == 0 {
//!         pool.put_nbi(b"the data", pool.address(1)).await?;
//!         pool.fence().await;                       // without it, seeds fail
//!         pool.atomic(pool.address(1) + 8, Atomic::Swap(1)).await?;
//!     } else {
//!         pool.wait_until(pool.local_address() + 8, Comparison::Equal, 1, limit).await?;
//!         assert_eq!(pool.read(pool.local_address(), 8).await?, b"the data");
//!     }
//!     Ok(())
//! }
//!
//! match World::new(2).explore(0..100, program, |_| Ok(())) {
//!     Ok(runs) => println!("{runs} runs passed"),
//!     Err(failure) => panic!("{failure}"),          // reason, seed, choices, trace
//! }
//! ```

pub use mf_sim::{
    Atomic, Cache, Cause, Comparison, End, Entry, Error, ErrorKind, Failure, InvalidSchedule, Lease, Leased,
    Lifetime, Pool, Rank, Result, Run, Schedule, Signal, Store, Task, World,
};

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn put_to_the_dead(rank: &Rank) -> Result<()> {
        let pool = rank.open_pool(8).await?;
        rank.sleep(Duration::from_millis(1)).await;
        pool.put(b"x", pool.address(1)).await
    }

    #[test]
    fn errors_have_the_codes_of_the_library() {
        let schedule = "death:0:0=2 death-step:0:0=2".parse().unwrap();
        let run = World::new(2).deaths(1).replay(&schedule, |rank: Rank| async move {
            let error = put_to_the_dead(&rank).await.unwrap_err();
            assert_eq!(error.kind().code(), crate::ErrorKind::NotConnected.code());
            assert_eq!(error.rank(), Some(1));
            Ok::<_, Error>(error.message().to_owned())
        });
        assert_eq!(run.failure(), None, "{}", run.trace());
        assert_eq!(run.ends()[0], End::Returned("put 1 bytes to rank 1+0x0: rank 1 has died".into()));
    }
}
