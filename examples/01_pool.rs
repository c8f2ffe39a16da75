// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool: every rank contributes 2 MiB, puts a greeting into the memory of the next rank, and reads the one
//! it got.
//!
//! ```text
//! cargo build --release -p mf-capi -p mf-cli -p mf-examples
//! target/release/mf run -n 4 -- target/release/01_pool
//! ```

use memfabric::{Job, Pool, Rank, Result};

fn main() -> Result<()> {
    // Rank, number of ranks and store come from the launcher; without one this process is the only rank.
    let job = Job::join()?;
    let pool = Pool::builder().host_bytes(2 << 20).open(&job)?;
    job.barrier("joined")?;

    pool.put(&greeting(job.rank(), job.world_size()), pool.address(job.neighbour(1))?)?;
    job.barrier("greeted")?;

    let got = pool.read(pool.local_address()?, 64)?;
    println!("rank {}: got \"{}\"", job.rank(), String::from_utf8_lossy(&got).trim_end_matches('\0'));
    assert_eq!(got, greeting(job.neighbour(-1), job.world_size()));
    job.barrier("done")
}

fn greeting(rank: Rank, world: u32) -> [u8; 64] {
    let text = format!("hello from rank {rank} of {world}");
    let mut bytes = [0; 64];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    bytes
}
