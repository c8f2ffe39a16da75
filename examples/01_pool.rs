// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool in ten lines: every rank contributes 2 MiB, puts a greeting into the memory of the next rank, and
//! reads the one it got.
//!
//! ```text
//! cargo build --release -p mf-capi -p mf-cli -p mf-examples
//! target/release/mf run -n 4 -- target/release/01_pool
//! ```

use mf_base::{MemKind, Rank};
use mf_examples::{Failure, join, meet, require};
use mf_smem::bm::PoolOptions;

fn main() -> Result<(), Failure> {
    let context = join()?;
    let (me, world) = (context.rank().0, context.world_size());

    let pool = context.create(PoolOptions::new(0).host(2 << 20))?;
    pool.join()?;
    meet(&context, "joined")?;

    let next = pool.address(MemKind::Host, Rank((me + 1) % world))?;
    pool.put(&greeting(me, world), next)?;
    meet(&context, "greeted")?;

    let mut got = [0; 64];
    pool.get(pool.address(MemKind::Host, Rank(me))?, &mut got)?;
    println!("rank {me}: got \"{}\"", String::from_utf8_lossy(&got).trim_end_matches('\0'));
    require(got == greeting((me + world - 1) % world, world), || "the greeting".to_owned())?;
    meet(&context, "done")?;
    Ok(())
}

fn greeting(rank: u32, world: u32) -> [u8; 64] {
    let text = format!("hello from rank {rank} of {world}");
    let mut bytes = [0; 64];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    bytes
}
