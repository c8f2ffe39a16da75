// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous batches: every rank queues the exchange of the next step, computes on its present data, and
//! waits only then.
//!
//! ```text
//! target/release/mf run -n 4 -- target/release/04_async_batches
//! ```

#![expect(unsafe_code, reason = "the caller vouches for the addresses of asynchronous copies")]

use mf_base::{MemKind, Rank};
use mf_examples::{Failure, join, meet, require};
use mf_smem::bm::{CopyMode, CopyType, Piece, PoolOptions};

/// Numbers that each rank gets from each other rank in a step.
const NUMBERS: usize = 16 << 10;
const BYTES: u64 = (NUMBERS * size_of::<u64>()) as u64;
const STEPS: u64 = 8;

fn main() -> Result<(), Failure> {
    let context = join()?;
    let (me, world) = (context.rank().0, context.world_size());
    // Two halves: one is read by the others while the next step is put into the other.
    let half = BYTES.next_multiple_of(2 << 20);
    let pool = context.create(PoolOptions::new(0).host(2 * half))?;
    pool.join()?;
    let place = |rank: u32, step: u64| {
        Ok::<_, Failure>(pool.address(MemKind::Host, Rank(rank))?.add(step % 2 * half))
    };

    let mut inbox = vec![vec![0u64; NUMBERS]; world as usize];
    let mut total = 0u64;
    for step in 0..STEPS {
        let mine: Vec<u64> = (0..NUMBERS as u64).map(|i| number(me, step, i)).collect();
        let bytes: Vec<u8> = mine.iter().flat_map(|number| number.to_ne_bytes()).collect();
        pool.put(&bytes, place(me, step)?)?;
        meet(&context, &format!("step {step}"))?;

        let mut pieces = Vec::new();
        for (rank, numbers) in (0..world).zip(&mut inbox) {
            let source = place(rank, step)?.as_ptr().cast_const();
            pieces.push(Piece { src: source, dst: numbers.as_mut_ptr().cast(), bytes: BYTES });
        }
        // SAFETY: each piece ends in a vector of the inbox of exactly that length, which is neither read nor
        // changed nor dropped before `wait` returns; every pattern of bits is a number.
        unsafe { pool.copy_batch_raw(&pieces, CopyType::G2H, CopyMode::Async) }?;
        // The copies are in flight; meanwhile this rank works on its own numbers.
        let own: u64 = mine.iter().fold(0, |sum, number| sum.wrapping_add(*number));
        pool.wait()?;

        for (rank, numbers) in (0..world).zip(&inbox) {
            let sum = numbers.iter().fold(0u64, |sum, number| sum.wrapping_add(*number));
            let expected = (0..NUMBERS as u64).fold(0u64, |sum, i| sum.wrapping_add(number(rank, step, i)));
            require(sum == expected, || format!("numbers of rank {rank} in step {step}"))?;
            require(rank != me || sum == own, || format!("own numbers in step {step}"))?;
            total = total.wrapping_add(sum);
        }
    }
    println!(
        "rank {me}: {STEPS} steps, {} batches of {world} pieces of {BYTES} bytes, sum {total:#x}",
        STEPS
    );
    meet(&context, "done")?;
    Ok(())
}

/// Result of rank `rank` in step `step`.
fn number(rank: u32, step: u64, i: u64) -> u64 {
    (u64::from(rank) << 48 | step << 32 | i).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
