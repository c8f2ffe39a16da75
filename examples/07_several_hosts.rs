// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Trainers and caches on several hosts: trainers keep their state in the memory of caches, and read it back.
//!
//! Members have tags, and rules name the engine that serves which pair of tags. On one host everything is
//! mapped, and the rules change nothing; `MF_SHM=false` makes the members use the network as if they were on
//! several:
//!
//! ```text
//! cargo build --release -p mf-capi -p mf-cli -p mf-examples
//! MF_SHM=false target/release/mf run -n 4 -- target/release/07_several_hosts
//! ```

use memfabric::bm::Engine;
use memfabric::{Job, MemKind, Pool, Rank, Result};

const SIZE: usize = 1 << 20;

fn main() -> Result<()> {
    let job = Job::join()?;
    let (me, world) = (job.rank().0, job.world_size());
    let is_cache = me % 2 == 1;

    let pool = Pool::builder()
        .host_bytes(2 << 20)
        // For pairs that no rule speaks of: the first of these that reaches the other.
        .engines([Engine::HostRdma, Engine::HostTcp])
        .tag(if is_cache { "cache" } else { "train" })
        .tag_rules("train:HOST_RDMA:train,train:HOST_TCP:cache")
        .open(&job)?;
    job.barrier("joined")?;

    if is_cache {
        println!("rank {me}: a cache of {} bytes", pool.local_bytes(MemKind::Host));
    } else {
        // The cache beside this trainer, which may be on any host; alone, one's own memory.
        let cache = (me + 1).min(world - 1);
        let place = pool.address(Rank(cache))?;
        let state: Vec<u8> = (0..SIZE).map(|i| ((i + me as usize) % 251) as u8).collect();
        pool.put(&state, place)?;
        assert!(pool.read(place, SIZE)? == state, "the state from rank {cache} differs");
        println!("rank {me}: state kept by rank {cache} and read back");
    }
    job.barrier("done")
}
