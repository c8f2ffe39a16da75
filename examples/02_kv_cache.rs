// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A KV-block cache: blocks of 64 KiB live on the rank that the hash of their key names. The store of the job
//! is the index (key to pool address); the blocks themselves go straight to their place.
//!
//! ```text
//! target/release/mf run -n 4 -- target/release/02_kv_cache
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use memfabric::{Gva, Job, Lifetime, Pool, Rank, Store};

const BLOCK: usize = 64 << 10;
/// Blocks that each rank makes.
const BLOCKS: u32 = 64;
/// Room on each rank, in blocks.
const SLOTS: i64 = 256;

/// A cache that all ranks share.
struct Cache {
    pool: Pool,
    index: Store,
    world: u32,
}

impl Cache {
    /// Takes a free slot on the rank that the key hashes to, puts the block there, then writes the index: a
    /// reader that finds the key finds the block.
    fn put(&self, key: &str, block: &[u8]) -> Result<(), Box<dyn Error>> {
        let owner = hash(key) % self.world;
        let slot = self.index.add(&format!("slots of {owner}"), 1)? - 1;
        if slot >= SLOTS {
            return Err(format!("rank {owner} has no free slot for {key}").into());
        }
        let place = self.pool.address(Rank(owner))?.add(u64::try_from(slot)? * BLOCK as u64);
        self.pool.put(block, place)?;
        self.index.set(key, &place.0.to_le_bytes(), Lifetime::Permanent)?;
        Ok(())
    }

    /// Fills `block` with the value of the key; waits until it is put. Returns the owner of the memory.
    fn get(&self, key: &str, block: &mut [u8]) -> Result<Option<Rank>, Box<dyn Error>> {
        let entry = self.index.wait(key, Duration::from_secs(60))?;
        let place = Gva(u64::from_le_bytes(entry.value().try_into()?));
        self.pool.get(place, block)?;
        Ok(self.pool.rank_of(place))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let job = Job::join()?;
    let (me, world) = (job.rank(), job.world_size());
    let pool = Pool::builder().host_bytes(SLOTS.unsigned_abs() * BLOCK as u64).open(&job)?;
    let cache = Cache { pool, index: job.store()?, world };
    job.barrier("joined")?;

    // Every rank computes one sequence …
    for block in 0..BLOCKS {
        cache.put(&key(me.0, block), &content(me.0, block))?;
    }
    // … and continues its neighbour's sequence, in any state of the neighbour.
    let neighbour = job.neighbour(1).0;
    let (mut got, mut remote) = (vec![0; BLOCK], 0);
    let start = Instant::now();
    for block in 0..BLOCKS {
        let owner = cache.get(&key(neighbour, block), &mut got)?;
        remote += u32::from(owner != Some(me));
        assert!(got == content(neighbour, block), "{} differs", key(neighbour, block));
    }
    println!(
        "rank {me}: {BLOCKS} blocks of sequence {neighbour} in {:.1} ms, {remote} of them from other ranks",
        start.elapsed().as_secs_f64() * 1e3
    );
    job.barrier("done")?;
    Ok(())
}

fn key(sequence: u32, block: u32) -> String {
    format!("sequence {sequence} block {block}")
}

/// Stand-in for a model's result.
fn content(sequence: u32, block: u32) -> Vec<u8> {
    (0..BLOCK as u32).map(|i| (sequence * 61 + block * 7 + i * 3 + (i >> 8)).to_le_bytes()[0]).collect()
}

/// FNV-1a, the halves folded.
fn hash(key: &str) -> u32 {
    let value =
        key.bytes().fold(2_166_136_261u32, |value, byte| (value ^ u32::from(byte)).wrapping_mul(16_777_619));
    value ^ (value >> 15)
}
