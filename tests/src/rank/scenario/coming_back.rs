// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One rank leaves and joins again, over and over, while the others use its memory by every operation. All
//! that they ask for is acceptable, so each call does it, or says that the owner is not connected.

use std::collections::BTreeMap;

use mf_base::{Gva, Kind, Rank, Result};
use mf_smem::bm::{Atomic, AtomicKind, Context, CopyMode, CopyType, Piece, Pool, Signal, SignalKind, Width};
use mf_store::Lifetime;
use mf_tests::Failure;

use super::subject;

const ENOUGH: &str = "come back often enough";
const BYTES: usize = 4096;

/// Leaves and joins.
pub(super) fn come_and_go(context: &Context, pool: &Pool, rounds: u64) -> Result<(), Failure> {
    for _ in 0..rounds {
        pool.leave()?;
        pool.join()?;
    }
    context.store()?.set(ENOUGH, b"", Lifetime::Permanent)?;
    Ok(())
}

/// Uses the memory of `rank` until it has come back often enough; ranks 0 and 1 do.
pub(super) fn use_memory_of(context: &Context, pool: &Pool, rank: u64) -> Result<(), Failure> {
    let store = context.store()?;
    let kind = subject(pool);
    let (there, here) =
        (pool.address(kind, Rank(u32::try_from(rank).unwrap()))?, pool.address(kind, pool.rank())?);
    // Another user: neither end is this one's own.
    let third = pool.address(kind, Rank(1 - pool.rank().0))?.add(1 << 18);
    let mine = there.add(u64::from(pool.rank().0) << 16);
    let (mut tally, mut wrong) = (BTreeMap::<String, u64>::new(), None);
    let mut calls = 0u64;
    while store.get(ENOUGH)?.is_none() {
        for _ in 0..20 {
            let copies = copies(pool, mine, here, third).into_iter();
            for outcome in copies.chain(words(pool, mine)) {
                calls += 1;
                if let Err(error) = outcome {
                    *tally.entry(format!("{:?}", error.kind())).or_default() += 1;
                    if error.kind() != Kind::NotConnected {
                        wrong.get_or_insert(error);
                    }
                }
            }
        }
    }
    if tally.values().sum::<u64>() == calls {
        return Err(Failure::wrong(format!("none of {calls} calls got through: {tally:?}")));
    }
    match wrong {
        None => Ok(()),
        Some(error) => {
            Err(Failure { code: error.code(), text: format!("{calls} calls, {tally:?}: {error}") })
        }
    }
}

/// Every operation to copy from and to that memory.
fn copies(pool: &Pool, there: Gva, here: Gva, third: Gva) -> [Result<()>; 8] {
    let mut private = [7; BYTES];
    let bytes = BYTES as u64;
    let pieces =
        [0, 1, 2].map(|at| Piece { src: private.as_ptr(), dst: there.add(at * bytes).as_ptr(), bytes });
    [
        pool.put(&private, there),
        pool.get(there, &mut private),
        pool.copy(there, here.add(bytes), bytes),
        pool.copy(here, there.add(bytes), bytes),
        pool.copy(there, third, bytes),
        pool.copy(third, there.add(bytes), bytes),
        // SAFETY: the memory lives until the call has returned.
        unsafe { pool.copy_batch_raw(&pieces, CopyType::H2G, CopyMode::Sync) },
        // SAFETY: the memory lives until all of it was waited for, which follows.
        unsafe { pool.copy_batch_raw(&pieces, CopyType::H2G, CopyMode::Async) }.and(pool.wait()),
    ]
}

/// Every operation on its words.
fn words(pool: &Pool, there: Gva) -> [Result<()>; 2] {
    let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    let word = there.add(16 * BYTES as u64);
    let signal = Signal { address: word.0, kind: SignalKind::Add, value: 1, width: Width::W32 };
    [pool.atomic(word, add).map(drop), pool.put_signal(&[7; BYTES], there, signal)]
}
