// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All ranks join at the same time; a rank that has joined announces it, and those notified copy at once, in
//! both directions.

use std::time::Instant;

use mf_base::Rank;
use mf_smem::bm::{Context, Pool};
use mf_store::Lifetime;
use mf_tests::{Failure, deadline};

use super::subject;

/// Begins and ends outside the pool.
pub(super) fn run(context: &Context, pool: &Pool, rounds: u64) -> Result<(), Failure> {
    let (me, world) = (pool.rank(), context.world_size());
    let store = context.store()?;
    for round in 0..rounds {
        context.barrier("begin", world)?;
        pool.join()?;
        store.set(&format!("joined/{round}/{me}"), b"", Lifetime::Permanent)?;
        for other in (0..world).map(Rank).filter(|other| *other != me) {
            store.wait(&format!("joined/{round}/{other}"), Instant::now() + deadline::limit())?;
            let mine = round << 32 | u64::from(me.0 + 1);
            let there = pool.address(subject(pool), other)?.add(u64::from(me.0) * 8);
            pool.put(&mine.to_le_bytes(), there)?;
            let mut back = [0; 8];
            pool.get(there, &mut back)?;
            if u64::from_le_bytes(back) != mine {
                return Err(Failure::wrong(format!(
                    "round {round}: rank {other} does not hold what was put"
                )));
            }
        }
        context.barrier("copied", world)?;
        // The others' puts are visible here, in the owner's memory.
        for other in (0..world).map(Rank).filter(|other| *other != me) {
            let mut found = [0; 8];
            pool.get(pool.address(subject(pool), me)?.add(u64::from(other.0) * 8), &mut found)?;
            if u64::from_le_bytes(found) != round << 32 | u64::from(other.0 + 1) {
                return Err(Failure::wrong(format!("round {round}: what rank {other} has put is not here")));
            }
        }
        context.barrier("seen", world)?;
        pool.leave()?;
    }
    Ok(())
}
