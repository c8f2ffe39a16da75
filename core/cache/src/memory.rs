// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory of all members, as the cache uses it: bytes and words at a place of a rank.
//!
//! Everything above this file is written against [`Memory`], so that the same code runs over a pool and, in
//! tests, in a simulated world where any member dies between any two steps.

use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard};

use mf_base::Result;
use mf_base::sync::lock;

use crate::words::Spot;

/// Memory of the program that is read, for the time of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    start: *const u8,
    bytes: u64,
    lives: PhantomData<&'a [u8]>,
}

impl Source<'_> {
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

/// Memory of the program that is written, for the time of a call.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    start: *mut u8,
    bytes: u64,
    lives: PhantomData<&'a mut [u8]>,
}

impl Target<'_> {
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

    /// The first bytes of it; none: it has fewer.
    pub(crate) fn first(&mut self, bytes: u64) -> Option<Target<'_>> {
        (bytes <= self.bytes).then_some(Target { start: self.start, bytes, lives: PhantomData })
    }
}

/// Segments of all members. Operations on one that is dead or has left fail with `NotConnected`.
pub(crate) trait Memory: Send + Sync + 'static {
    /// The own rank.
    fn own(&self) -> u16;

    /// Bytes of the own segment.
    fn own_bytes(&self) -> u64;

    /// The ranks whose segments can be used now, the own included.
    fn members(&self) -> Vec<u16>;

    fn is_member(&self, rank: u16) -> bool;

    /// Whether the processor reaches that segment itself.
    fn is_near(&self, rank: u16) -> bool;

    /// What is read here was there after everything that this thread has read before.
    ///
    /// # Errors
    /// Those of the pool.
    fn read(&self, at: Spot, into: &mut [u8]) -> Result<()>;

    /// What was written before is there before it.
    ///
    /// # Errors
    /// Those of the pool.
    fn write(&self, at: Spot, bytes: &[u8]) -> Result<()>;

    /// Replaces a word if it is `old`; gives what it was. Sequentially consistent.
    ///
    /// # Errors
    /// Those of the pool.
    fn compare_swap(&self, at: Spot, old: u64, new: u64) -> Result<u64>;

    /// Adds to a word; wraps.
    ///
    /// # Errors
    /// Those of the pool.
    fn add(&self, at: Spot, value: u64) -> Result<()>;

    /// Copies into memory of the program, as many bytes as there are in `to`.
    ///
    /// # Errors
    /// Those of the pool.
    fn fetch(&self, at: Spot, to: Target<'_>) -> Result<()>;

    /// Copies from memory of the program.
    ///
    /// # Errors
    /// Those of the pool.
    fn send(&self, from: Source<'_>, at: Spot) -> Result<()>;

    /// Lets later operations on a range meet no page faults here, where that can be done: `makes` pages that
    /// are not there, or maps those that are.
    ///
    /// # Errors
    /// Those of the pool.
    fn populate(&self, at: Spot, bytes: u64, makes: bool) -> Result<()>;

    /// Fetches a line that is changed soon, while other work goes on, where the processor reaches it.
    fn expect(&self, _at: Spot) {}

    /// Microseconds since 1970, as all members have it.
    fn now(&self) -> u64;

    /// Between two reads of what another member is about to change.
    fn pause(&self, turn: u32);

    /// Locks what this process alone uses, for as long as it works on the memory with it.
    fn lock<'a, T>(&self, mutex: &'a Mutex<T>) -> MutexGuard<'a, T>
    where
        Self: Sized,
    {
        lock(mutex)
    }

    /// The word at a place.
    ///
    /// # Errors
    /// Those of the pool.
    fn load(&self, at: Spot) -> Result<u64> {
        let mut word = [0; 8];
        self.read(at, &mut word)?;
        Ok(u64::from_ne_bytes(word))
    }

    /// Writes the word at a place.
    ///
    /// # Errors
    /// Those of the pool.
    fn store(&self, at: Spot, word: u64) -> Result<()> {
        self.write(at, &word.to_ne_bytes())
    }

    /// Writes words that follow each other.
    ///
    /// # Errors
    /// Those of the pool.
    fn store_all<const N: usize>(&self, at: Spot, words: [u64; N]) -> Result<()>
    where
        Self: Sized,
    {
        self.write(at, words.map(u64::to_ne_bytes).as_flattened())
    }

    /// Reads words that follow each other.
    ///
    /// # Errors
    /// Those of the pool.
    fn load_all<const N: usize>(&self, at: Spot) -> Result<[u64; N]>
    where
        Self: Sized,
    {
        let mut words = [[0; 8]; N];
        self.read(at, words.as_flattened_mut())?;
        Ok(words.map(u64::from_ne_bytes))
    }
}
