// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to the memory of all members: bytes and words at an offset of a rank.
//!
//! Everything above this file is written against [`Memory`], so that the same code runs over a pool and, in
//! tests, in a simulated world where any member dies between any two steps.

use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard};

use mf_base::Result;
use mf_base::sync::lock;

use crate::atomic_fields::Spot;

/// Source: memory of the program that is read during a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    start: *const u8,
    bytes: u64,
    lives: PhantomData<&'a [u8]>,
}

impl Source<'_> {
    /// Wraps memory of the program.
    ///
    /// # Safety
    /// It is readable for `bytes` as long as the value lives.
    pub(crate) unsafe fn new(start: *const u8, bytes: u64) -> Self {
        Self { start, bytes, lives: PhantomData }
    }

    pub(crate) fn start(&self) -> *const u8 {
        self.start
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Target: memory of the program that is written during a call.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    start: *mut u8,
    bytes: u64,
    lives: PhantomData<&'a mut [u8]>,
}

impl Target<'_> {
    /// Wraps memory of the program.
    ///
    /// # Safety
    /// It is writable for `bytes` as long as the value lives.
    pub(crate) unsafe fn new(start: *mut u8, bytes: u64) -> Self {
        Self { start, bytes, lives: PhantomData }
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the first bytes of it; `None` if it has fewer.
    pub(crate) fn first(&mut self, bytes: u64) -> Option<Target<'_>> {
        (bytes <= self.bytes).then_some(Target { start: self.start, bytes, lives: PhantomData })
    }
}

/// Part of a value, and its target.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Offset in the value, in bytes.
    pub(crate) offset: u64,
    pub(crate) target: Target<'a>,
}

/// Segments of all members. Operations on one that is dead or has left fail with `NotConnected`.
pub(crate) trait Memory: Send + Sync + 'static {
    /// Returns the own rank.
    fn own(&self) -> u16;

    /// Returns the size of the own segment, in bytes.
    fn own_bytes(&self) -> u64;

    /// Returns the ranks whose segments can be used now, the own included.
    fn members(&self) -> Vec<u16>;

    fn is_member(&self, rank: u16) -> bool;

    /// Returns true if the processor reaches that segment with loads and stores.
    fn is_near(&self, rank: u16) -> bool;

    /// Reads bytes. Ordered after all earlier reads of this thread.
    ///
    /// # Errors
    /// Errors of the pool.
    fn read(&self, at: Spot, into: &mut [u8]) -> Result<()>;

    /// Writes bytes. Ordered after all earlier writes of this thread.
    ///
    /// # Errors
    /// Errors of the pool.
    fn write(&self, at: Spot, bytes: &[u8]) -> Result<()>;

    /// Replaces a word if it is `old`; returns its former value. Sequentially consistent.
    ///
    /// # Errors
    /// Errors of the pool.
    fn compare_swap(&self, at: Spot, old: u64, new: u64) -> Result<u64>;

    /// Adds to a word, wrapping.
    ///
    /// # Errors
    /// Errors of the pool.
    fn add(&self, at: Spot, value: u64) -> Result<()>;

    /// Copies into memory of the program, as many bytes as `to` has.
    ///
    /// # Errors
    /// Errors of the pool.
    fn fetch(&self, at: Spot, to: Target<'_>) -> Result<()>;

    /// Copies from memory of the program.
    ///
    /// # Errors
    /// Errors of the pool.
    fn send(&self, from: Source<'_>, at: Spot) -> Result<()>;

    /// Prefaults a range for this process, where possible: with `makes`, allocates its pages, else maps those
    /// that exist.
    ///
    /// # Errors
    /// Errors of the pool.
    fn populate(&self, at: Spot, bytes: u64, makes: bool) -> Result<()>;

    /// Prefetches a line that is about to be changed, where the processor reaches it.
    fn prefetch(&self, _at: Spot) {}

    /// Returns the microseconds since 1970, by the clock that all members use.
    fn now(&self) -> u64;

    /// Pauses between two reads of a word that another member is about to change.
    fn pause(&self, turn: u32);

    /// Locks state that only this process uses while it works on the memory.
    fn lock<'a, T>(&self, mutex: &'a Mutex<T>) -> MutexGuard<'a, T>
    where
        Self: Sized,
    {
        lock(mutex)
    }

    /// Reads a word.
    ///
    /// # Errors
    /// Errors of the pool.
    fn load(&self, at: Spot) -> Result<u64> {
        let mut word = [0; 8];
        self.read(at, &mut word)?;
        Ok(u64::from_ne_bytes(word))
    }

    /// Writes a word.
    ///
    /// # Errors
    /// Errors of the pool.
    fn store(&self, at: Spot, word: u64) -> Result<()> {
        self.write(at, &word.to_ne_bytes())
    }

    /// Writes adjacent words.
    ///
    /// # Errors
    /// Errors of the pool.
    fn store_all<const N: usize>(&self, at: Spot, words: [u64; N]) -> Result<()>
    where
        Self: Sized,
    {
        self.write(at, words.map(u64::to_ne_bytes).as_flattened())
    }

    /// Reads adjacent words.
    ///
    /// # Errors
    /// Errors of the pool.
    fn load_all<const N: usize>(&self, at: Spot) -> Result<[u64; N]>
    where
        Self: Sized,
    {
        let mut words = [[0; 8]; N];
        self.read(at, words.as_flattened_mut())?;
        Ok(words.map(u64::from_ne_bytes))
    }
}
