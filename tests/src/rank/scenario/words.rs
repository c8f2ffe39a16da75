// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every rank counts in words of all ranks, of each kind of memory and width, then puts data to the next rank
//! and a signal behind it: no change is lost, and no signal comes before its data.

use mf_base::{Gva, MemKind, Rank};
use mf_smem::bm::{Atomic, AtomicKind, Context, Pool, Signal, SignalKind, Width};
use mf_tests::deadline::wait_until;
use mf_tests::{Failure, pattern};

const BYTES: usize = 3000;
const ROUNDS: u64 = 20;

/// `each`: how often a rank adds to each word.
pub(super) fn run(context: &Context, pool: &Pool, each: u64) -> Result<(), Failure> {
    let (me, world) = (pool.rank().0, context.world_size());
    for kind in MemKind::ALL.into_iter().filter(|kind| pool.local_bytes(*kind) > 0) {
        for (width, start) in [(Width::W32, 64), (Width::W64, 128)] {
            let at = |rank| pool.address(kind, Rank(rank)).map(|address| address.add(start));
            let barrier = |step: &str| context.barrier(&format!("{kind} {width:?} {step}"), world);
            for rank in (0..each).flat_map(|_| 0..world) {
                change(pool, at(rank)?, AtomicKind::Add, width, 1)?;
            }
            barrier("counted")?;
            for rank in 0..world {
                let (found, mut bytes) = (change(pool, at(rank)?, AtomicKind::Fetch, width, 0)?, [0; 8]);
                pool.get(at(rank)?, &mut bytes)?;
                let expected = each * u64::from(world);
                if (found, u64::from_ne_bytes(bytes)) != (expected, expected) {
                    let what = format!("{kind} of rank {rank}: {found} and {bytes:?}, not {expected}");
                    return Err(Failure::wrong(what));
                }
            }
            barrier("checked")?;
            let (next, before) = (at((me + 1) % world)?, each * u64::from(world));
            for round in 1..=ROUNDS {
                let signal = Signal { address: next.0, kind: SignalKind::Add, value: 1, width };
                pool.put_signal(&pattern::stream(round, BYTES), next.add(4096), signal)?;
                await_signal(pool, at(me)?, width, before + round)?;
                let mut data = vec![0; BYTES];
                pool.get(at(me)?.add(4096), &mut data)?;
                if let Some(byte) = pattern::mismatch(round, &data) {
                    return Err(Failure::wrong(format!("{kind}, round {round}: byte {byte:?} of the data")));
                }
                barrier(&format!("round {round}"))?;
            }
        }
    }
    Ok(())
}

fn change(pool: &Pool, address: Gva, kind: AtomicKind, width: Width, operand: u64) -> mf_base::Result<u64> {
    pool.atomic(address, Atomic { kind, width, operand, compare: 0 })
}

fn await_signal(pool: &Pool, address: Gva, width: Width, value: u64) -> Result<(), Failure> {
    let mut last = Ok(0);
    let came = wait_until(|| {
        last = change(pool, address, AtomicKind::Fetch, width, 0);
        last.as_ref().map_or(true, |last| *last == value)
    });
    match last? {
        _ if came => Ok(()),
        last => Err(Failure::wrong(format!("the signal stays {last} and does not become {value}"))),
    }
}
