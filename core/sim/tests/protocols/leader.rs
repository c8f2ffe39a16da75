// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leaders by lease: the holder of the key `leader` writes its term into a word of rank 0.

use std::time::Duration;

use mf_sim::{Atomic, Lifetime, Pool, Rank, Result, World};

const LIMIT: Duration = Duration::from_secs(60);
const LEASE: Duration = Duration::from_millis(50);
const WORK: Duration = Duration::from_millis(10);
const TURNS: u32 = 3;

/// Ranks that are slow at times.
pub(crate) fn world() -> World {
    World::new(3).stalls(0.05, Duration::from_millis(200))
}

/// `fenced`: a leader writes only over older terms. Otherwise it trusts its clock and its lease.
pub(crate) async fn program(rank: Rank, fenced: bool) -> Result<()> {
    let pool = rank.open_pool(64).await?;
    rank.barrier("joined", LIMIT).await?;
    let store = rank.store();
    let mut turns = 0;
    while turns < TURNS {
        let lease = store.grant_lease(LEASE).await?;
        let until = rank.now() + LEASE;
        let name = rank.number().to_string();
        // The lease may end before the key is set.
        let elected = store.compare_and_swap("leader", None, name.as_bytes(), Lifetime::Lease(lease)).await;
        let Ok((true, Some(entry))) = elected else {
            store.revoke_lease(lease).await?;
            rank.sleep(LEASE / 2).await;
            continue;
        };
        turns += 1;
        let term = entry.revision;
        while rank.now() + WORK * 2 < until {
            rank.sleep(WORK).await;
            if rank.now() >= until {
                break;
            }
            // The lease may end here, while this rank is slow.
            if fenced {
                if !write_over_older(&pool, term).await? {
                    break;
                }
            } else {
                let last = pool.atomic(pool.address(0), Atomic::Swap(term)).await?;
                assert!(
                    last <= term,
                    "the write of term {last} was overwritten by the leader of term {term}"
                );
            }
        }
        store.revoke_lease(lease).await?;
    }
    // Rank 0 keeps the word for the others.
    rank.barrier("done", LIMIT).await
}

/// Writes the term unless a newer leader has written. Returns false then.
async fn write_over_older(pool: &Pool, term: u64) -> Result<bool> {
    let word = pool.address(0);
    let mut last = pool.atomic(word, Atomic::Fetch).await?;
    while last <= term {
        let found = pool.atomic(word, Atomic::CompareAndSwap { expected: last, new: term }).await?;
        if found == last {
            return Ok(true);
        }
        last = found;
    }
    Ok(false)
}
