// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of one PE on the mapped memory of another, beside plain stores, loads, memcpy, plain loops and
//! locked instructions at the same addresses.

use std::ffi::c_long;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, Ordering, fence};

use mf_base::{Gva, Result};
use mf_measure::memory::{Buffer, plain_copy};
use mf_measure::turns::Plan;

use super::functions::{Functions, Handle, SIGNAL_ADD, SIGNAL_SET};
use super::member::Pe;

/// Elements of a strided call.
const ELEMENTS: usize = 4096;

/// Measures all of them. Two PEs.
pub(super) fn measure(pe: &Pe) -> Result<()> {
    words(pe)?;
    order(pe)?;
    for &bytes in pe.sizes.iter().filter(|bytes| **bytes > 8) {
        copies(pe, bytes)?;
    }
    strides(pe)?;
    atomics(pe)?;
    signals(pe)?;
    contexts(pe)?;
    threads(pe)
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

/// Copies between private memory and the other PE's.
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

/// The baselines are a put, and a put with a locked instruction behind it.
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
    )?;
    let there = pe.there(signal, 1);
    // SAFETY: an aligned word of a block that is mapped until the end, which all access atomically.
    let locked = || unsafe { AtomicI64::from_ptr(black_box(there.cast())) }.fetch_add(1, Ordering::SeqCst);
    pe.alone(
        "put_signal, add",
        8,
        calls!(call(own, value, 1, signal, 1, SIGNAL_ADD, 1)),
        calls!({
            (c.shmem15_long_put)(own, value, 1, 1);
            locked()
        }),
    )
}

/// A context of this PE, destroyed when it is dropped.
pub(super) struct Context<'a> {
    c: &'a Functions,
    pub(super) handle: Handle,
}

// SAFETY: a handle means the same to all threads of the process.
unsafe impl Sync for Context<'_> {}

impl<'a> Context<'a> {
    /// None where the library has no contexts.
    pub(super) fn create(c: &'a Functions) -> Result<Option<Self>> {
        let Some(create) = c.shmem15_ctx_create else { return Ok(None) };
        let mut handle: Handle = std::ptr::null_mut();
        // SAFETY: a place for a handle.
        if unsafe { create(0, &raw mut handle) } != 0 {
            return Err(super::failed("no context"));
        }
        Ok(Some(Self { c, handle }))
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        if let Some(destroy) = self.c.shmem15_ctx_destroy {
            // SAFETY: the handle is not used again.
            unsafe { destroy(self.handle) };
        }
    }
}

/// The baselines are the default context, and an allocation.
fn contexts(pe: &Pe) -> Result<()> {
    let (c, own) = (&pe.c, pe.dest.cast::<c_long>());
    let (Some(create), Some(destroy)) = (c.shmem15_ctx_create, c.shmem15_ctx_destroy) else { return Ok(()) };
    let (Some(p), Some(quiet), Some(put)) = (c.shmem15_ctx_long_p, c.shmem15_ctx_quiet, c.shmem15_ctx_putmem)
    else {
        return Ok(());
    };
    let Some(context) = Context::create(c)? else { return Ok(()) };
    let handle = context.handle;
    pe.alone("p, context", 8, calls!(p(handle, own, 1, 1)), calls!((c.shmem15_long_p)(own, 1, 1)))?;
    pe.alone("quiet, context", 0, calls!(quiet(handle)), calls!((c.shmem15_quiet)()))?;
    for &bytes in pe.sizes.iter().filter(|bytes| **bytes > 8) {
        let (own, near, length) =
            (pe.dest.cast(), pe.source.cast_const().cast(), super::super::length(bytes)?);
        pe.alone(
            "put, context",
            bytes,
            calls!(put(handle, own, near, length, 1)),
            calls!((c.shmem15_putmem)(own, near, length, 1)),
        )?;
    }
    drop(context);
    let mut other: Handle = std::ptr::null_mut();
    pe.alone(
        "ctx_create+destroy",
        0,
        calls!({
            create(0, &raw mut other);
            destroy(other);
        }),
        calls!(libc::free(black_box(libc::malloc(black_box(64))))),
    )
}

/// Threads that call at once.
const THREADS: usize = 2;

/// Two threads at once, each with memory of its own, then each with a context of its own, too. The baselines
/// are plain stores and memcpy of two threads.
fn threads(pe: &Pe) -> Result<()> {
    let c = &pe.c;
    let address = |word: *mut u64| Gva(word.addr() as u64);
    let words = [64, 96].map(|number| pe.word(number));
    let (own, there) = (words.map(address), words.map(|word| address(pe.there(word, 1))));
    // SAFETY: a word of the other PE, as it is mapped here.
    let plain = |word: usize| unsafe { black_box(there[word].as_ptr().cast::<c_long>()).write_volatile(1) };
    // So many that the start of the threads does not matter.
    let plan = match pe.quick {
        true => Plan { turns: 3, calls: 1_000_000 },
        false => Plan { turns: 7, calls: 8_000_000 },
    };
    // SAFETY: a word of a symmetric block.
    let library = |word: usize| unsafe { (c.shmem15_long_p)(own[word].as_ptr().cast(), 1, 1) };
    pe.planned(plan, "p, 2 threads", 8, &mut at_once(&library), &mut at_once(&plain))?;
    let of_each = [Context::create(c)?, Context::create(c)?];
    let ([Some(one), Some(other)], Some(p), Some(put)) =
        (&of_each, c.shmem15_ctx_long_p, c.shmem15_ctx_putmem)
    else {
        return Ok(());
    };
    let of_each = [one, other];
    // SAFETY: as above.
    let library = |word: usize| unsafe { p(of_each[word].handle, own[word].as_ptr().cast(), 1, 1) };
    pe.planned(plan, "p, 2 threads with contexts", 8, &mut at_once(&library), &mut at_once(&plain))?;
    for &bytes in pe.sizes.iter().filter(|bytes| **bytes > 8) {
        let length = super::super::length(bytes)?;
        // Blocks have room for the largest size of two PEs.
        let parts = |block: *mut u8| [0, length].map(|at| Gva(block.wrapping_add(at).addr() as u64));
        let (near, own, there) = (parts(pe.source), parts(pe.dest), parts(pe.there(pe.dest, 1)));
        // SAFETY: parts of blocks that are large enough; the other PE waits.
        let plain = |part: usize| unsafe { plain_copy(near[part].as_ptr(), there[part].as_ptr(), length) };
        let library = |part: usize| {
            let (own, near) = (own[part].as_ptr(), near[part].as_ptr());
            // SAFETY: as above.
            unsafe { put(of_each[part].handle, own.cast(), near.cast_const().cast(), length, 1) };
        };
        let plan = Plan { calls: Plan::for_bytes(bytes, pe.quick).calls.saturating_mul(16), ..plan };
        let name = "put, 2 threads with contexts";
        pe.planned(plan, name, bytes, &mut at_once(&library), &mut at_once(&plain))?;
    }
    Ok(())
}

/// An equal part of the calls by each of the threads, which are given their numbers.
fn at_once(call: &(impl Fn(usize) + Sync)) -> impl FnMut(u32) -> Result<()> {
    move |calls| {
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || (0..calls as usize / THREADS).for_each(|_| call(thread)));
            }
        });
        Ok(())
    }
}
