// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices: where the memory of a segment comes from, and how it gets into an address space.
//!
//! The pool knows only these two traits. [`host`] implements them with sealed memory files; it serves both kinds of
//! memory on a machine without an accelerator, so that programs written for one run unchanged.

pub mod host;

use std::ops::Range;
use std::os::fd::{BorrowedFd, OwnedFd};

use mf_base::os::mapping::Reservation;
use mf_base::{MemKind, Result};

/// Memory of one segment.
pub trait Memory: Send + Sync {
    /// Its size in bytes.
    fn bytes(&self) -> u64;

    /// Bytes of the pages it should be made of when it is touched in advance.
    fn page_bytes(&self) -> u64;

    /// Whether it can never shrink, whoever holds its descriptor.
    fn sealed(&self) -> bool;

    /// Lengthens it to `bytes`; what was there stays.
    ///
    /// # Errors
    /// `OutOfMemory`, `NoResources` as when allocating.
    fn grow(&mut self, bytes: u64) -> Result<()>;

    /// What another process of this host needs to map it.
    fn descriptor(&self) -> BorrowedFd<'_>;

    /// Maps `range` of it at `offset` bytes into `window`, replacing what was there.
    ///
    /// # Errors
    /// `OutOfMemory` · `InvalidParam` outside the window or the memory.
    ///
    /// # Safety
    /// Nobody accesses that part of the window while the call runs.
    unsafe fn map(&self, window: &Reservation, offset: u64, range: Range<u64>) -> Result<()>;
}

/// A source of memory.
pub trait Device: Send + Sync {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// Whether it serves this kind of memory.
    fn serves(&self, kind: MemKind) -> bool;

    /// Sizes of segments are multiples of this many bytes.
    fn granule_bytes(&self) -> u64;

    /// New memory of `bytes` zeroes.
    ///
    /// # Errors
    /// `OutOfMemory`, `NoResources`, with the limit that was met.
    fn allocate(&self, kind: MemKind, bytes: u64) -> Result<Box<dyn Memory>>;

    /// The memory behind a descriptor that another member sent. `sealed`: it must not be able to shrink.
    ///
    /// # Errors
    /// `InvalidParam` when it is not what was announced.
    fn adopt(&self, descriptor: OwnedFd, bytes: u64, sealed: bool) -> Result<Box<dyn Memory>>;
}
