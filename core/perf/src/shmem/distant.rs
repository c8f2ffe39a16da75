// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of one PE on memory of another that is not mapped, beside the pool's own copies over the same
//! network (`smem_bm_copy`, which returns when the bytes are there), by the same two processes.

use std::ffi::c_long;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::{Gva, Result};
use mf_measure::turns::{Candidate, Pair, Plan};

use super::super::capi::SharedPool;
use super::super::segment_bytes;
use super::alone::Context;
use super::member::Pe;

/// Puts before each quiet, where many are started.
const IN_FLIGHT: u32 = 1024;

/// Measures all of them. Two PEs.
pub(super) fn measure(pe: &Pe) -> Result<()> {
    let largest = pe.sizes.iter().copied().max().unwrap_or(0).max(64);
    let me = pe.me.unsigned_abs();
    let pool = SharedPool::join(2, me, 1 - me.min(1), segment_bytes(largest))?;
    words(pe, &pool)?;
    for &bytes in pe.sizes.iter().filter(|bytes| **bytes > 8) {
        copies(pe, &pool, bytes)?;
    }
    pe.barrier();
    Ok(())
}

impl Pe {
    /// Measures calls of PE 0 that take microseconds, while the other one waits.
    fn distantly(
        &self,
        operation: &str,
        bytes: u64,
        own: &mut dyn Candidate<()>,
        plain: &mut dyn Candidate<()>,
    ) -> Result<()> {
        let plan = Plan::for_bytes(bytes, self.quick);
        self.planned(Plan { calls: (plan.calls / 16).max(8), ..plan }, operation, bytes, own, plain)
    }

    /// Measures calls of 8 bytes of PE 0, while the other one computes and calls nothing.
    fn beside_computing(
        &self,
        operation: &str,
        own: &mut dyn Candidate<()>,
        plain: &mut dyn Candidate<()>,
    ) -> Result<()> {
        const CALLS: u32 = 10_000;
        let stop = self.word(7);
        self.barrier();
        let pair = if self.me == 0 {
            let pair =
                Pair::measure(Plan { turns: if self.quick { 3 } else { 7 }, calls: CALLS }, own, plain)?;
            // SAFETY: a word of a symmetric block.
            unsafe { (self.c.shmem15_long_p)(stop.cast(), 1, 1) };
            Some(pair)
        } else {
            // SAFETY: an aligned word of this PE that is there until the end.
            let stop = unsafe { AtomicU64::from_ptr(stop) };
            let mut number = 1u64;
            while stop.load(Ordering::Relaxed) == 0 {
                number = black_box(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number >> 7);
            }
            None
        };
        self.report(operation, 8, pair)
    }
}

fn words(pe: &Pe, pool: &SharedPool) -> Result<()> {
    let (c, own, word) = (&pe.c, pe.dest.cast::<c_long>(), pe.word(0).cast::<c_long>());
    let (value, mut found) = (7 as c_long, 0 as c_long);
    let (value, found) = (&raw const value, &raw mut found);
    // SAFETY: 8 bytes that live through the calls.
    let plain_put = &mut |calls: u32| unsafe { pool.copy(calls, value.cast_mut().cast(), 8, true) };
    // SAFETY: as above.
    let plain_get = &mut |calls: u32| unsafe { pool.copy(calls, found.cast(), 8, false) };
    let mut many = |calls: u32| -> Result<()> {
        for number in 1..=calls {
            // SAFETY: the value does not change.
            unsafe { (c.shmem15_putmem_nbi)(own.cast(), value.cast(), 8, 1) };
            if number.is_multiple_of(IN_FLIGHT) || number == calls {
                // SAFETY: OpenSHMEM has begun.
                unsafe { (c.shmem15_quiet)() };
            }
        }
        Ok(())
    };
    pe.distantly("put_nbi, many", 8, &mut many, plain_put)?;
    many_by_threads(pe, plain_put)?;
    pe.distantly(
        "put+quiet",
        8,
        calls!({
            (c.shmem15_long_put)(own, value, 1, 1);
            (c.shmem15_quiet)();
        }),
        plain_put,
    )?;
    pe.distantly("get", 8, calls!((c.shmem15_long_get)(found, own, 1, 1)), plain_get)?;
    if let Some(call) = c.shmem15_long_atomic_fetch_add {
        pe.distantly("fetch_add", 8, calls!(call(word, 1, 1)), plain_get)?;
        pe.beside_computing("fetch_add, busy target", calls!(call(word, 1, 1)), plain_get)?;
    }
    Ok(())
}

/// Two threads at once, each with a context of its own.
fn many_by_threads(pe: &Pe, plain: &mut dyn Candidate<()>) -> Result<()> {
    let c = &pe.c;
    let of_each = [Context::create(c)?, Context::create(c)?];
    let ([Some(one), Some(other)], Some(put), Some(quiet)) =
        (&of_each, c.shmem15_ctx_putmem_nbi, c.shmem15_ctx_quiet)
    else {
        return Ok(());
    };
    let values = [64, 96].map(|number| Gva(pe.word(number).addr() as u64));
    let call = |context: &Context<'_>, value: Gva, calls: u32| {
        let value = value.as_ptr();
        for number in 1..=calls {
            // SAFETY: a word of a symmetric block, which does not change.
            unsafe { put(context.handle, value.cast(), value.cast_const().cast(), 8, 1) };
            if number.is_multiple_of(IN_FLIGHT) || number == calls {
                // SAFETY: the context lives.
                unsafe { quiet(context.handle) };
            }
        }
    };
    let mut many = |calls: u32| -> Result<()> {
        std::thread::scope(|scope| {
            for (context, value) in [one, other].into_iter().zip(values) {
                scope.spawn(move || call(context, value, calls / 2));
            }
        });
        Ok(())
    };
    pe.distantly("put_nbi, 2 threads with contexts", 8, &mut many, plain)
}

fn copies(pe: &Pe, pool: &SharedPool, bytes: u64) -> Result<()> {
    let (c, own, near, length) = (&pe.c, pe.dest, pe.source, super::super::length(bytes)?);
    pe.distantly(
        "put+quiet",
        bytes,
        calls!({
            (c.shmem15_putmem)(own.cast(), near.cast(), length, 1);
            (c.shmem15_quiet)();
        }),
        // SAFETY: a block that is long enough.
        &mut |calls: u32| unsafe { pool.copy(calls, near, length, true) },
    )?;
    pe.distantly(
        "get",
        bytes,
        calls!((c.shmem15_getmem)(near.cast(), own.cast(), length, 1)),
        // SAFETY: as above.
        &mut |calls: u32| unsafe { pool.copy(calls, near, length, false) },
    )
}
