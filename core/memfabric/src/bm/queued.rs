// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies that go on while the program computes.
//!
//! Buffers are lent for `'env`, which outlives the call of [`Pool::queue`](super::Pool::queue) that runs the
//! body, and the guard waits for every queued copy before that call ends, by return or by panic. So no buffer
//! is read, changed or freed while a copy uses it.

use std::marker::PhantomData;

use mf_smem::bm::{CopyMode, CopyType, Piece, Pool};

use crate::error::Wrap;
use crate::{ErrorKind, Gva, Result};

/// Copies of one [`Pool::queue`](super::Pool::queue).
pub struct Copies<'env> {
    pool: &'env Pool,
    gets: Vec<Piece>,
    puts: Vec<Piece>,
    is_started: bool,
    /// Invariant: a shorter loan is not accepted.
    lent: PhantomData<&'env mut &'env ()>,
}

impl<'env> Copies<'env> {
    pub(super) fn run<T>(pool: &'env Pool, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mut copies =
            Self { pool, gets: Vec::new(), puts: Vec::new(), is_started: false, lent: PhantomData };
        let done = body(&mut copies)?;
        copies.start()?;
        copies.wait()?;
        Ok(done)
    }

    /// Adds a copy from `address` to `destination`.
    pub fn get(&mut self, address: Gva, destination: &'env mut [u8]) {
        let bytes = destination.len() as u64;
        self.gets.push(Piece { src: address.as_ptr().cast_const(), dst: destination.as_mut_ptr(), bytes });
    }

    /// Adds a copy from `source` to `address`.
    pub fn put(&mut self, source: &'env [u8], address: Gva) {
        self.puts.push(Piece { src: source.as_ptr(), dst: address.as_ptr(), bytes: source.len() as u64 });
    }

    /// Starts the copies that were added, in any order; the end of the body does so as well.
    ///
    /// # Errors
    /// As for [`Pool::put`](super::Pool::put), for the first piece that is not acceptable: then none of that
    /// direction was started.
    pub fn start(&mut self) -> Result<()> {
        let pieces = [
            (std::mem::take(&mut self.gets), CopyType::G2H),
            (std::mem::take(&mut self.puts), CopyType::H2G),
        ];
        for (pieces, copy_type) in pieces {
            if pieces.is_empty() {
                continue;
            }
            self.is_started = true;
            // SAFETY: local ends are slices lent for 'env; `drop` waits for the copies before 'env ends.
            unsafe { self.pool.copy_batch_raw(&pieces, copy_type, CopyMode::Async) }.wrap()?;
        }
        Ok(())
    }

    /// Waits until all started copies are done.
    ///
    /// # Errors
    /// The first error among them.
    pub fn wait(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.is_started) {
            return Ok(());
        }
        loop {
            match self.pool.wait() {
                // The wait was left, not the copies.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                done => return done.wrap(),
            }
        }
    }
}

impl Drop for Copies<'_> {
    fn drop(&mut self) {
        // Reported by `wait`, unless the body has failed already.
        let _ = self.wait();
    }
}
