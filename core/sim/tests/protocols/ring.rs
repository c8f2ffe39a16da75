// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A ring of records in the memory of the reader: the writer fills slots and raises a counter.

use std::time::Duration;

use mf_sim::{Atomic, Comparison, Pool, Rank, Result};

const SLOTS: u64 = 4;
const RECORD: usize = 32;
const RECORDS: u64 = 10;
const LIMIT: Duration = Duration::from_secs(10);
/// Counters behind the slots: records written, in the memory of the reader; records read, in the writer's.
const COUNTER: u64 = SLOTS * RECORD as u64;

/// Rank 0 writes, rank 1 reads. `fenced`: the writer orders data and counter.
pub(crate) async fn program(rank: Rank, fenced: bool) -> Result<()> {
    let pool = rank.open_pool(COUNTER + 8).await?;
    rank.barrier("joined", LIMIT).await?;
    if rank.number() == 0 { write(&pool, fenced).await } else { read(&pool).await }
}

async fn write(pool: &Pool, fenced: bool) -> Result<()> {
    let (reader, read) = (pool.address(1), pool.address(0) + COUNTER);
    for number in 0..RECORDS {
        if number >= SLOTS {
            // The slot is free when the reader has read its last record.
            pool.wait_until(read, Comparison::GreaterOrEqual, number - SLOTS + 1, LIMIT).await?;
        }
        let slot = reader + number % SLOTS * RECORD as u64;
        pool.put_nbi(&record(number), slot).await?;
        if fenced {
            pool.fence().await;
        }
        pool.atomic(reader + COUNTER, Atomic::Add(1)).await?;
    }
    pool.quiet().await
}

async fn read(pool: &Pool) -> Result<()> {
    let (own, read) = (pool.address(1), pool.address(0) + COUNTER);
    for number in 0..RECORDS {
        pool.wait_until(own + COUNTER, Comparison::Greater, number, LIMIT).await?;
        let slot = pool.read(own + number % SLOTS * RECORD as u64, RECORD).await?;
        assert_eq!(slot, record(number), "record {number} was read before it was complete");
        pool.atomic(read, Atomic::Add(1)).await?;
    }
    Ok(())
}

/// Returns the bytes of a record; no two records are equal.
fn record(number: u64) -> Vec<u8> {
    (0..RECORD as u64 / 8).flat_map(|word| (number * 0x0101_0101 + word + 1).to_le_bytes()).collect()
}
