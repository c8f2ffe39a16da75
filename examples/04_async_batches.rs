// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous batches: every rank queues the exchange of the next step, computes on its present data, and
//! waits only then.
//!
//! ```text
//! target/release/mf run -n 4 -- target/release/04_async_batches
//! ```

use memfabric::{Job, Pool, Rank, Result};

/// Numbers that each rank gets from each other rank in a step.
const NUMBERS: usize = 16 << 10;
const BYTES: usize = NUMBERS * size_of::<u64>();
const STEPS: u64 = 8;

fn main() -> Result<()> {
    let job = Job::join()?;
    let (me, world) = (job.rank(), job.world_size());
    // Two halves: one is read by the others while the next step is put into the other.
    let half = (BYTES as u64).next_multiple_of(2 << 20);
    let pool = Pool::builder().host_bytes(2 * half).open(&job)?;
    let place = |rank: Rank, step: u64| Ok(pool.address(rank)?.add(step % 2 * half));

    let mut inbox = vec![vec![0; BYTES]; world as usize];
    let mut total = 0u64;
    for step in 0..STEPS {
        let mine: Vec<u64> = (0..NUMBERS as u64).map(|i| number(me, step, i)).collect();
        let bytes: Vec<u8> = mine.iter().flat_map(|number| number.to_ne_bytes()).collect();
        pool.put(&bytes, place(me, step)?)?;
        job.barrier(&format!("step {step}"))?;

        let own = pool.queue(|copies| {
            for (rank, part) in (0..world).map(Rank).zip(&mut inbox) {
                copies.get(place(rank, step)?, part);
            }
            copies.start()?;
            // The copies are in flight; meanwhile this rank works on its own numbers.
            Ok(mine.iter().fold(0u64, |sum, number| sum.wrapping_add(*number)))
        })?;

        for (rank, part) in (0..world).map(Rank).zip(&inbox) {
            let (numbers, _) = part.as_chunks();
            let sum = numbers.iter().fold(0u64, |sum, number| sum.wrapping_add(u64::from_ne_bytes(*number)));
            let expected = (0..NUMBERS as u64).fold(0u64, |sum, i| sum.wrapping_add(number(rank, step, i)));
            assert_eq!(sum, expected, "numbers of rank {rank} in step {step}");
            assert!(rank != me || sum == own, "own numbers in step {step}");
            total = total.wrapping_add(sum);
        }
    }
    println!("rank {me}: {STEPS} steps, {STEPS} batches of {world} pieces of {BYTES} bytes, sum {total:#x}");
    job.barrier("done")
}

/// Result of rank `rank` in step `step`.
fn number(rank: Rank, step: u64, i: u64) -> u64 {
    (u64::from(rank.0) << 48 | step << 32 | i).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
