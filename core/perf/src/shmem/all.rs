// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls that all PEs make together.

use std::ffi::{c_int, c_long, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::Result;
use mf_measure::memory::plain_copy;

use super::functions::{EQUAL, Handle, TEAM_WORLD};
use super::member::{Pe, WORDS};

/// Measures all of them.
pub(super) fn measure(pe: &Pe) -> Result<()> {
    let c = &pe.c;
    let meet = Meeting::new(pe);
    pe.together("barrier_all", 0, calls!(|_| (c.shmem15_barrier_all)()), Some(calls!(|_| meet.wait())))?;
    pe.together("sync_all", 0, calls!(|_| (c.shmem15_sync_all)()), Some(calls!(|_| meet.wait())))?;
    if let Some(call) = c.shmem15_team_sync {
        pe.together("team_sync", 0, calls!(|_| call(world())), Some(calls!(|_| meet.wait())))?;
    }
    if let Some(call) = c.shmem15_barrier {
        let own = calls!(|number| call(0, 0, pe.n_pes, pe.sync(number as usize)));
        pe.together("barrier, active set", 0, own, Some(calls!(|_| (c.shmem15_barrier_all)())))?;
    }
    ring(pe)?;
    for bytes in [64, 4 << 10, 1 << 20] {
        heap(pe, bytes)?;
    }
    teams(pe)?;
    for &bytes in &pe.sizes {
        collectives(pe, &meet, bytes)?;
    }
    Ok(())
}

fn world() -> Handle {
    std::ptr::without_provenance_mut(TEAM_WORLD)
}

/// A barrier by plain stores and loads: each PE has a word for each other one.
struct Meeting<'a> {
    pe: &'a Pe,
    here: Vec<&'a AtomicU64>,
    there: Vec<&'a AtomicU64>,
    round: std::cell::Cell<u64>,
}

/// Words before these are of other cases.
const FIRST_WORD: usize = 8;

impl<'a> Meeting<'a> {
    fn new(pe: &'a Pe) -> Self {
        let pes = usize::try_from(pe.n_pes).unwrap_or(0).min(WORDS - FIRST_WORD);
        // SAFETY: aligned words that are mapped until the end, which all access atomically.
        let word = |word: *mut u64| unsafe { AtomicU64::from_ptr(word) };
        let (me, numbers) = (usize::try_from(pe.me).unwrap_or(0), 0..pes);
        Self {
            here: numbers.clone().map(|number| word(pe.word(FIRST_WORD + number))).collect(),
            there: numbers
                .map(|number| word(pe.there(pe.word(FIRST_WORD + me), i32::try_from(number).unwrap_or(0))))
                .collect(),
            round: std::cell::Cell::new(0),
            pe,
        }
    }

    /// Waits for all.
    fn wait(&self) {
        let round = self.round.get() + 1;
        self.round.set(round);
        self.there.iter().for_each(|word| word.store(round, Ordering::Release));
        for word in &self.here {
            self.pe.spin(|| word.load(Ordering::Acquire) >= round);
        }
    }
}

impl Pe {
    /// Waits as plain code does: it spins, and where others need the core it gives it up.
    fn spin(&self, is_done: impl Fn() -> bool) {
        let mut tries = 0u32;
        while !is_done() {
            tries += 1;
            if tries.is_multiple_of(64) {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }
}

/// A word around all, with two PEs there and back, beside the same with plain stores and loads.
fn ring(pe: &Pe) -> Result<()> {
    let c = &pe.c;
    let Some(wait) = c.shmem15_long_wait_until else { return Ok(()) };
    let next = (pe.me + 1) % pe.n_pes;
    let (own, plain) = (pe.word(5).cast::<c_long>(), pe.word(6));
    // SAFETY: aligned words that are mapped until the end, which all access atomically.
    let flag = |word: *mut u64| unsafe { AtomicU64::from_ptr(word) };
    let (here, there) = (flag(plain), flag(pe.there(plain, next)));
    let (mut round, mut plain_round) = (0 as c_long, 0u64);
    // SAFETY: a word of a symmetric block.
    let pass_on = |round| unsafe { (c.shmem15_long_p)(own, round, next) };
    let mut library = |calls: u32| -> Result<()> {
        for _ in 0..calls {
            round += 1;
            if pe.me == 0 {
                pass_on(round);
            }
            // SAFETY: a word of this PE.
            unsafe { wait(own, EQUAL, round) };
            if pe.me != 0 {
                pass_on(round);
            }
        }
        Ok(())
    };
    let mut flags = |calls: u32| -> Result<()> {
        for _ in 0..calls {
            plain_round += 1;
            if pe.me == 0 {
                there.store(plain_round, Ordering::Release);
            }
            pe.spin(|| here.load(Ordering::Acquire) == plain_round);
            if pe.me != 0 {
                there.store(plain_round, Ordering::Release);
            }
        }
        Ok(())
    };
    pe.together("ring", 8, &mut library, Some(&mut flags))
}

/// The baseline is a barrier.
fn heap(pe: &Pe, bytes: usize) -> Result<()> {
    let c = &pe.c;
    let pair = calls!(|_| (c.shmem15_free)((c.shmem15_malloc)(bytes)));
    pe.together("malloc+free", bytes as u64, pair, Some(calls!(|_| (c.shmem15_barrier_all)())))
}

/// The baseline is a barrier.
fn teams(pe: &Pe) -> Result<()> {
    let c = &pe.c;
    let (Some(split), Some(destroy)) = (c.shmem15_team_split_strided, c.shmem15_team_destroy) else {
        return Ok(());
    };
    let pair = calls!(|_| {
        let mut team: Handle = std::ptr::null_mut();
        split(world(), 0, 1, pe.n_pes, std::ptr::null(), 0, &raw mut team);
        destroy(team);
    });
    pe.together("split+destroy", 0, pair, Some(calls!(|_| (c.shmem15_barrier_all)())))
}

/// The baseline is the least that must be copied by each PE, by memcpy, and a meeting.
fn collectives(pe: &Pe, meet: &Meeting<'_>, bytes: u64) -> Result<()> {
    let (c, length) = (&pe.c, super::super::length(bytes)?);
    let (source, dest) = (pe.source.cast_const(), pe.dest);
    let (from, to) = (source.cast(), dest.cast());
    let other = pe.there(pe.source, (pe.me + 1) % pe.n_pes);
    let pes = usize::try_from(pe.n_pes).unwrap_or(1);
    let plain = |parts: usize| {
        meet.wait();
        for part in 0..parts {
            // SAFETY: the blocks have room for the bytes of all PEs.
            unsafe { plain_copy(other, dest.wrapping_add(part * length), length) };
        }
        meet.wait();
    };
    if let Some(call) = c.shmem15_broadcastmem {
        let root = |number: u32| (number % pe.n_pes.unsigned_abs()).cast_signed() as c_int;
        let own = calls!(|number| call(world(), to, from, length, root(number)));
        pe.together("broadcast", bytes, own, Some(calls!(|_| plain(1))))?;
    }
    if let Some(call) = c.shmem15_fcollectmem {
        let own = calls!(|_| call(world(), to, from, length));
        pe.together("fcollect", bytes, own, Some(calls!(|_| plain(pes))))?;
    }
    if let Some(call) = c.shmem15_alltoallmem {
        let own = calls!(|_| call(world(), to, from, length));
        pe.together("alltoall", bytes, own, Some(calls!(|_| plain(pes))))?;
    }
    if let Some(call) = c.shmem15_long_sum_reduce {
        let own = calls!(|_| call(world(), to.cast(), from.cast(), length / 8));
        pe.together("sum", bytes, own, Some(calls!(|_| plain(1))))?;
    }
    active_sets(pe, bytes)
}

/// The baselines are the same of a team.
fn active_sets(pe: &Pe, bytes: u64) -> Result<()> {
    let (c, words, n) = (&pe.c, super::super::length(bytes)? / 8, pe.n_pes);
    let (from, to) = (pe.source.cast_const().cast::<c_void>(), pe.dest.cast::<c_void>());
    let (longs, long) = (from.cast::<c_long>(), to.cast::<c_long>());
    let sync = |number: u32| pe.sync(number as usize);
    let root = |number: u32| (number % n.unsigned_abs()).cast_signed() as c_int;
    if let (Some(set), Some(team)) = (c.shmem15_broadcast64, c.shmem15_broadcastmem) {
        let own = calls!(|number| set(to, from, words, root(number), 0, 0, n, sync(number)));
        let plain = calls!(|number| team(world(), to, from, words * 8, root(number)));
        pe.together("broadcast, active set", bytes, own, Some(plain))?;
    }
    if let (Some(set), Some(team)) = (c.shmem15_fcollect64, c.shmem15_fcollectmem) {
        let own = calls!(|number| set(to, from, words, 0, 0, n, sync(number)));
        pe.together(
            "fcollect, active set",
            bytes,
            own,
            Some(calls!(|_| team(world(), to, from, words * 8))),
        )?;
    }
    if let (Some(set), Some(team)) = (c.shmem15_alltoall64, c.shmem15_alltoallmem) {
        let own = calls!(|number| set(to, from, words, 0, 0, n, sync(number)));
        pe.together(
            "alltoall, active set",
            bytes,
            own,
            Some(calls!(|_| team(world(), to, from, words * 8))),
        )?;
    }
    if let (Some(set), Some(team)) = (c.shmem15_long_sum_to_all, c.shmem15_long_sum_reduce) {
        let few = c_int::try_from(words).unwrap_or(c_int::MAX);
        let none = std::ptr::null_mut();
        let own = calls!(|number| set(long, longs, few, 0, 0, n, none, sync(number)));
        pe.together("sum, active set", bytes, own, Some(calls!(|_| team(world(), long, longs, words))))?;
    }
    Ok(())
}
