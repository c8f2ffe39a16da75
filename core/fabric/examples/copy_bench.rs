// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measures the copy engine beside the C library's memcpy, on the same buffers in the same run.
//!
//! ```text
//! cargo run --release -p mf-fabric --example copy_bench [-- LARGEST_MIB]
//! ```
//!
//! Baseline and engine alternate. Each is run once unmeasured before each measurement, so that both find the caches as
//! they themselves leave them; shown are medians. Memory is shared and in huge pages where the machine has them.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::hint::black_box;
use std::ptr::null_mut;
use std::time::Instant;

use mf_base::{ByteLen, Result};
use mf_fabric::engine::{Piece, copy, copy_batch, prefault};
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;
const MIB: usize = 1 << 20;

fn main() -> Result<()> {
    let largest =
        std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1024_usize).max(64) * MIB;
    first_touch(largest.min(1 << 30))?;
    let source = Memory::populated(largest, true)?;
    let target = Memory::populated(largest, true)?;
    println!("\n{:>24} {:>12} {:>12} {:>7}", "copy", "memcpy GB/s", "engine GB/s", "ratio");
    let mut bytes = 8;
    while bytes <= largest {
        let (src, dst) = (source.base.cast_const(), target.base);
        // SAFETY: both memories hold at least `largest` bytes and do not overlap.
        let baseline = || unsafe { memcpy(src, dst, bytes) };
        // SAFETY: as above.
        let engine = || unsafe { copy(black_box(src), black_box(dst), black_box(bytes)) };
        row(&ByteLen(bytes as u64).to_string(), bytes, compare(bytes, baseline, engine));
        bytes *= if bytes >= MIB || bytes < 512 { 2 } else { 4 };
    }
    batches(&source, &target);
    Ok(())
}

/// Batches as key-value caches make them, at scattered places of both memories.
fn batches(source: &Memory, target: &Memory) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for (count, fixed) in [(64, Some(4096)), (61, None), (150, None), (300, None), (600, None)] {
        let slot = 128 * 1024;
        let slots = (source.bytes / slot).min(2048);
        let mut pieces = Vec::new();
        for _ in 0..count {
            let bytes = fixed.unwrap_or_else(|| 1024 * (1 + random(128)));
            let (from, to) = (random(slots) * slot, random(slots) * slot);
            let (src, dst) = (source.base.wrapping_add(from), target.base.wrapping_add(to));
            pieces.push(Piece { src, dst, bytes: bytes as u64 });
        }
        let total: u64 = pieces.iter().map(|piece| piece.bytes).sum();
        let baseline = || {
            for piece in &pieces {
                // SAFETY: every piece lies in its memory, and the memories do not overlap.
                unsafe { memcpy(piece.src, piece.dst, usize::try_from(piece.bytes).unwrap_or(0)) };
            }
        };
        // SAFETY: as above.
        let engine = || unsafe { copy_batch(black_box(&pieces)) };
        let label = match fixed {
            Some(bytes) => format!("{count} x {}", ByteLen(bytes as u64)),
            None => format!("{count} mixed, {}", ByteLen(total)),
        };
        let bytes = usize::try_from(total).unwrap_or(0);
        row(&label, bytes, compare(bytes, baseline, engine));
    }
}

/// Populating fresh memory, beside a loop that touches every 4 KiB of normal pages.
///
/// A virtual machine may have to get pages from its host first, so each way is repeated on the pages that it left behind.
fn first_touch(bytes: usize) -> Result<()> {
    println!("{:>24} {:>12} {:>12} {:>7}", "first touch", "loop s", "prefault s", "ratio");
    let touched = populating(bytes, false, |memory| {
        for at in (0..bytes).step_by(PAGE) {
            // SAFETY: inside the memory.
            unsafe { memory.base.wrapping_add(at).write_volatile(1) };
        }
        Ok(())
    })?;
    for (huge, pages) in [(false, PAGE), (true, HUGE_PAGE)] {
        // SAFETY: the whole memory.
        let populated = populating(bytes, huge, |memory| unsafe { prefault(memory.base, bytes, pages) })?;
        let label = format!("{}, pages of {}", ByteLen(bytes as u64), ByteLen(pages as u64));
        println!("{label:>24} {touched:>12.3} {populated:>12.3} {:>7.3}", populated / touched);
    }
    Ok(())
}

/// Median seconds that `populate` takes for fresh memory.
fn populating(bytes: usize, huge: bool, populate: impl Fn(&Memory) -> Result<()>) -> Result<f64> {
    let mut seconds = Vec::new();
    for _ in 0..5 {
        let memory = Memory::reserved(bytes, huge)?;
        let start = Instant::now();
        populate(&memory)?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok(median(&mut seconds))
}

fn row(label: &str, bytes: usize, (baseline, engine): (f64, f64)) {
    let rate = |seconds: f64| bytes as f64 / seconds / 1e9;
    println!("{label:>24} {:>12.2} {:>12.2} {:>7.2}", rate(baseline), rate(engine), baseline / engine);
}

/// Median seconds of one call of each.
fn compare(bytes: usize, baseline: impl Fn(), engine: impl Fn()) -> (f64, f64) {
    // Short ones are measured many at a time, long ones not more often than patience allows.
    let calls = (MIB / bytes.max(8)).clamp(1, 50_000);
    let rounds = (2048 * MIB / (bytes * calls)).clamp(7, 101);
    let timed = |work: &dyn Fn()| {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        start.elapsed().as_secs_f64() / calls as f64
    };
    let (mut baselines, mut engines) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        timed(&baseline);
        baselines.push(timed(&baseline));
        timed(&engine);
        engines.push(timed(&engine));
    }
    (median(&mut baselines), median(&mut engines))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// # Safety
/// `src` is readable and `dst` writable for `bytes` bytes and the ranges do not overlap.
unsafe fn memcpy(src: *const u8, dst: *mut u8, bytes: usize) {
    // Hidden sizes keep the compiler from replacing the call.
    // SAFETY: the caller vouches for both ranges.
    unsafe { libc::memcpy(black_box(dst.cast()), black_box(src.cast()), black_box(bytes)) };
}

struct Memory {
    start: *mut u8,
    reserved: usize,
    base: *mut u8,
    bytes: usize,
}

impl Memory {
    fn reserved(bytes: usize, huge: bool) -> Result<Self> {
        // Huge pages need an aligned place: one is cut out of a larger reservation.
        let reserved = bytes + HUGE_PAGE;
        let failed = |errno| mf_base::Error::os("map memory", errno);
        // SAFETY: a new mapping at a place that the kernel chooses.
        let start = unsafe { mmap_anonymous(null_mut(), reserved, ProtFlags::empty(), MapFlags::PRIVATE) };
        let start = start.map_err(failed)?;
        let base = start.wrapping_byte_add(start.cast::<u8>().align_offset(HUGE_PAGE));
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        // SAFETY: the place lies in the reservation that was just made.
        unsafe { mmap_anonymous(base, bytes, ProtFlags::READ | ProtFlags::WRITE, flags) }.map_err(failed)?;
        if huge {
            // SAFETY: our own mapping; a refusal only means normal pages.
            let _ = unsafe { madvise(base, bytes, Advice::LinuxHugepage) };
        }
        Ok(Self { start: start.cast(), reserved, base: base.cast(), bytes })
    }

    fn populated(bytes: usize, huge: bool) -> Result<Self> {
        let memory = Self::reserved(bytes, huge)?;
        // SAFETY: the whole memory.
        unsafe { prefault(memory.base, bytes, if huge { HUGE_PAGE } else { PAGE }) }?;
        for at in (0..bytes).step_by(64) {
            // SAFETY: inside the memory.
            unsafe { memory.base.wrapping_add(at).write_volatile(at.to_le_bytes()[0]) };
        }
        Ok(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: our own mapping, unused from here on.
        let _ = unsafe { munmap(self.start.cast(), self.reserved) };
    }
}
