// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A PE that `mf perf shmem` starts: it begins, runs the measurements in its arguments, and prints a line for
//! each.

use std::ffi::{c_long, c_void};

use mf_base::Result;
use mf_measure::members::{print_value, wait_for_end, wait_for_line};
use mf_measure::turns::{Candidate, Pair, Plan, monotonic_seconds};
use serde::{Deserialize, Serialize};

use super::functions::Functions;
use super::{all, alone, distant, on_stream};

/// Work of a PE.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    /// Sizes to measure; none: only the begin.
    pub(super) sizes: Vec<u64>,
    /// Memory of the other PE is not mapped.
    pub(super) network: bool,
    /// CANN SHMEM's copies on streams instead.
    pub(super) on_stream: bool,
    pub(super) quick: bool,
}

/// A line of a PE.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Line {
    /// When it began to begin, and had begun: seconds of the machine's clock.
    Begun(f64, f64),
    /// Figures of a call, or the reason for their absence.
    Case(Case),
    /// That was all.
    Done,
}

/// A call.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Case {
    pub(super) operation: String,
    pub(super) bytes: u64,
    /// Figures of PE 0, or of each PE of a collective call; without a baseline it is empty.
    pub(super) pair: Option<Pair>,
}

/// A PE at work.
pub(super) struct Pe {
    pub(super) c: Functions,
    pub(super) me: i32,
    pub(super) n_pes: i32,
    /// Symmetric, of [`Pe::room`] bytes.
    pub(super) source: *mut u8,
    /// The same.
    pub(super) dest: *mut u8,
    /// Symmetric words, 64 bytes apart, all 0.
    pub(super) words: *mut u64,
    /// The largest size for each PE.
    pub(super) room: usize,
    pub(super) sizes: Vec<u64>,
    pub(super) quick: bool,
}

/// Words that a PE has for flags.
pub(super) const WORDS: usize = 512;

/// Does it.
pub(crate) fn main(args: &Task) -> Result<()> {
    if args.on_stream {
        return on_stream::main(&args.sizes, args.quick);
    }
    let c = Functions::open()?;
    wait_for_line();
    let begin = monotonic_seconds();
    // SAFETY: the first function of a program.
    unsafe { (c.shmem15_init)() };
    print_value(&Line::Begun(begin, monotonic_seconds()))?;
    if !args.sizes.is_empty() {
        let pe = Pe::new(c, args)?;
        if args.network {
            distant::measure(&pe)?;
        } else {
            if pe.n_pes == 2 {
                alone::measure(&pe)?;
            }
            all::measure(&pe)?;
        }
    }
    print_value(&Line::Done)?;
    wait_for_end();
    // SAFETY: the last function of a program.
    unsafe { (c.shmem15_finalize)() };
    Ok(())
}

impl Pe {
    fn new(c: Functions, args: &Task) -> Result<Self> {
        let largest = args.sizes.iter().copied().max().unwrap_or(0).max(64);
        // SAFETY: OpenSHMEM has begun; so in the following.
        let me = unsafe { (c.shmem15_my_pe)() };
        // SAFETY: as above.
        let n_pes = unsafe { (c.shmem15_n_pes)() };
        let room = super::super::length(largest)? * usize::try_from(n_pes).unwrap_or(1);
        let block = |bytes: usize| {
            // SAFETY: all PEs make the same calls.
            let block = unsafe { (c.shmem15_malloc)(bytes) }.cast::<u8>();
            if block.is_null() {
                return Err(super::failed("the symmetric heap is full").with("bytes", bytes));
            }
            // SAFETY: a block of so many bytes.
            unsafe { block.write_bytes(0, bytes) };
            Ok(block)
        };
        let (source, dest, words) = (block(room)?, block(room)?, block(WORDS * 64)?.cast());
        let sizes = args.sizes.clone();
        let pe = Self { c, me, n_pes, source, dest, words, room, sizes, quick: args.quick };
        pe.barrier();
        Ok(pe)
    }

    pub(super) fn barrier(&self) {
        // SAFETY: all PEs make the same calls.
        unsafe { (self.c.shmem15_barrier_all)() };
    }

    /// A word of this PE.
    pub(super) fn word(&self, number: usize) -> *mut u64 {
        assert!(number < WORDS, "no such word: {number}");
        self.words.wrapping_add(number * 8)
    }

    /// One of two arrays for active sets: symmetric words that are 0, which is SHMEM_SYNC_VALUE, and long
    /// enough.
    pub(super) fn sync(&self, number: usize) -> *mut c_long {
        self.word(WORDS - 64 + 32 * (number % 2)).cast()
    }

    /// Local mapping of `own` at another PE.
    pub(super) fn there<T>(&self, own: *mut T, pe: i32) -> *mut T {
        // SAFETY: it only computes.
        unsafe { (self.c.shmem15_ptr)(own.cast_const().cast::<c_void>(), pe) }.cast()
    }

    /// Measures calls of PE 0, while the others wait.
    pub(super) fn alone(
        &self,
        operation: &str,
        bytes: u64,
        own: &mut dyn Candidate<()>,
        plain: &mut dyn Candidate<()>,
    ) -> Result<()> {
        self.planned(Plan::for_bytes(bytes, self.quick), operation, bytes, own, plain)
    }

    /// The same, as often as it is planned.
    pub(super) fn planned(
        &self,
        plan: Plan,
        operation: &str,
        bytes: u64,
        own: &mut dyn Candidate<()>,
        plain: &mut dyn Candidate<()>,
    ) -> Result<()> {
        self.barrier();
        let pair = if self.me == 0 { Some(Pair::measure(plan, own, plain)?) } else { None };
        self.report(operation, bytes, pair)
    }

    /// Measures calls that all PEs make.
    pub(super) fn together(
        &self,
        operation: &str,
        bytes: u64,
        own: &mut dyn Candidate<()>,
        plain: Option<&mut dyn Candidate<()>>,
    ) -> Result<()> {
        self.barrier();
        let plan = Plan { turns: if self.quick { 3 } else { 7 }, calls: self.calls(bytes) };
        let pair = match plain {
            Some(plain) => Pair::measure(plan, own, plain)?,
            None => Pair { own: super::super::in_turns(plan, &mut [own])?.concat(), plain: Vec::new() },
        };
        self.report(operation, bytes, Some(pair))
    }

    /// So many calls that a turn takes some tens of milliseconds, also when PEs share cores.
    fn calls(&self, bytes: u64) -> u32 {
        let pes = self.n_pes.unsigned_abs();
        let calls = (1 << 16) / (pes * pes) / (1 + u32::try_from(bytes >> 13).unwrap_or(u32::MAX - 1));
        if self.quick { calls / 4 } else { calls }.max(16)
    }

    /// Prints the figures once all PEs have measured.
    pub(super) fn report(&self, operation: &str, bytes: u64, pair: Option<Pair>) -> Result<()> {
        self.barrier();
        print_value(&Line::Case(Case { operation: operation.to_owned(), bytes, pair }))
    }
}
