// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of one PE on the mapped memory of another, beside what the processor does without a library:
//! stores, loads, memcpy, plain loops and locked instructions at the same addresses.

use std::ffi::c_long;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, Ordering, fence};

use mf_base::Result;

use super::super::memory::{Buffer, plain_copy};
use super::functions::SIGNAL_SET;
use super::member::Pe;

/// Elements of a strided call.
const ELEMENTS: usize = 4096;

/// `calls` times `$body`, as a candidate.
macro_rules! calls {
    ($body:expr) => {
        &mut |calls: u32| -> Result<()> {
            for _ in 0..calls {
                // SAFETY: the addresses are those of symmetric blocks that are large enough, or of the same
                // blocks as they are mapped here; all PEs but this one wait.
                #[allow(unused_unsafe, reason = "some baselines need none")]
                let _ = unsafe { $body };
            }
            Ok(())
        }
    };
}

/// Measures all of them. Two PEs.
pub(super) fn measure(pe: &Pe) -> Result<()> {
    words(pe)?;
    order(pe)?;
    for &bytes in pe.sizes.iter().filter(|bytes| **bytes > 8) {
        copies(pe, bytes)?;
    }
    strides(pe)?;
    atomics(pe)?;
    signals(pe)
}

fn words(pe: &Pe) -> Result<()> {
    let (c, own) = (&pe.c, pe.dest.cast::<c_long>());
    let there = pe.there(own, 1);
    let (value, mut found) = (7 as c_long, 0 as c_long);
    let found = &raw mut found;
    let value = &raw const value;
    pe.alone("p", 8, calls!((c.shmem15_long_p)(own, 1, 1)), calls!(black_box(there).write_volatile(1)))?;
    pe.alone("g", 8, calls!((c.shmem15_long_g)(own, 1)), calls!(black_box(there).read_volatile()))?;
    pe.alone(
        "put",
        8,
        calls!((c.shmem15_long_put)(own, value, 1, 1)),
        calls!(plain_copy(value.cast(), there.cast(), 8)),
    )?;
    pe.alone(
        "get",
        8,
        calls!((c.shmem15_long_get)(found, own, 1, 1)),
        calls!(plain_copy(there.cast(), found.cast(), 8)),
    )?;
    pe.alone(
        "put+quiet",
        8,
        calls!({
            (c.shmem15_long_put)(own, value, 1, 1);
            (c.shmem15_quiet)();
        }),
        calls!({
            plain_copy(value.cast(), there.cast(), 8);
            fence(Ordering::SeqCst);
        }),
    )
}

/// A fence that the compiler does not see as one with the next.
fn ordered(how: Ordering) {
    fence(how);
    black_box(());
}

fn order(pe: &Pe) -> Result<()> {
    let c = &pe.c;
    pe.alone("quiet", 0, calls!((c.shmem15_quiet)()), calls!(ordered(Ordering::SeqCst)))?;
    pe.alone("fence", 0, calls!((c.shmem15_fence)()), calls!(ordered(Ordering::Release)))
}

/// Between private memory and that of the other PE.
fn copies(pe: &Pe, bytes: u64) -> Result<()> {
    let (c, own, length) = (&pe.c, pe.dest, super::super::length(bytes)?);
    let there = pe.there(own, 1);
    let mut private = Buffer::filled(length);
    let near = private.bytes_mut().as_mut_ptr();
    pe.alone(
        "put",
        bytes,
        calls!((c.shmem15_putmem)(own.cast(), near.cast(), length, 1)),
        calls!(plain_copy(near, there, length)),
    )?;
    pe.alone(
        "get",
        bytes,
        calls!((c.shmem15_getmem)(near.cast(), own.cast(), length, 1)),
        calls!(plain_copy(there, near, length)),
    )
}

/// Every other element to every third.
fn strides(pe: &Pe) -> Result<()> {
    let (c, own, near) = (&pe.c, pe.dest.cast::<c_long>(), pe.source.cast::<c_long>());
    let count = ELEMENTS.min(pe.room / 8 / 3);
    let there = pe.there(own, 1);
    let plain = |from: *const c_long, to: *mut c_long| {
        let (from, to) = (black_box(from), black_box(to));
        for index in 0..count {
            // SAFETY: `count` elements at these distances lie in a block.
            let word = unsafe { from.wrapping_add(2 * index).read_volatile() };
            // SAFETY: as above.
            unsafe { to.wrapping_add(3 * index).write_volatile(word) };
        }
    };
    let bytes = count as u64 * 8;
    pe.alone(
        "iput",
        bytes,
        calls!((c.shmem15_long_iput)(own, near, 3, 2, count, 1)),
        calls!(plain(near, there)),
    )?;
    pe.alone(
        "iget",
        bytes,
        calls!((c.shmem15_long_iget)(near, own, 3, 2, count, 1)),
        calls!(plain(there, near)),
    )
}

fn atomics(pe: &Pe) -> Result<()> {
    let (c, own) = (&pe.c, pe.word(0).cast::<c_long>());
    let there = pe.there(own, 1);
    // SAFETY: an aligned word of a block that is mapped until the end, which all access atomically.
    let word = || unsafe { AtomicI64::from_ptr(black_box(there)) };
    let locked = || word().fetch_add(1, Ordering::SeqCst);
    if let Some(call) = c.shmem15_long_atomic_fetch {
        pe.alone("fetch", 8, calls!(call(own, 1)), calls!(word().load(Ordering::SeqCst)))?;
    }
    if let Some(call) = c.shmem15_long_atomic_add {
        pe.alone("add", 8, calls!(call(own, 1, 1)), calls!(locked()))?;
    }
    if let Some(call) = c.shmem15_long_atomic_fetch_add {
        pe.alone("fetch_add", 8, calls!(call(own, 1, 1)), calls!(locked()))?;
    }
    if let Some(call) = c.shmem15_long_atomic_swap {
        pe.alone("swap", 8, calls!(call(own, 1, 1)), calls!(word().swap(1, Ordering::SeqCst)))?;
    }
    if let Some(call) = c.shmem15_long_atomic_compare_swap {
        let plain = || word().compare_exchange(1, 1, Ordering::SeqCst, Ordering::SeqCst);
        pe.alone("compare_swap", 8, calls!(call(own, 1, 1, 1)), calls!(plain()))?;
    }
    if let (Some(set), Some(clear)) = (c.shmem15_set_lock, c.shmem15_clear_lock) {
        let lock = pe.word(1).cast::<c_long>();
        let pair = || {
            locked();
            locked()
        };
        pe.alone(
            "lock",
            8,
            calls!({
                set(lock);
                clear(lock);
            }),
            calls!(pair()),
        )?;
    }
    Ok(())
}

/// The baseline is a put.
fn signals(pe: &Pe) -> Result<()> {
    let (c, own) = (&pe.c, pe.dest.cast::<c_long>());
    let (value, signal) = (7 as c_long, pe.word(2));
    let value = &raw const value;
    let Some(call) = c.shmem15_long_put_signal else { return Ok(()) };
    pe.alone(
        "put_signal",
        8,
        calls!(call(own, value, 1, signal, 1, SIGNAL_SET, 1)),
        calls!((c.shmem15_long_put)(own, value, 1, 1)),
    )
}
