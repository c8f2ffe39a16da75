// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Disk calls of the engine, behind a trait: tests put a disk below it that fails, tears and reorders.

use rustix::io::Errno;

/// Unit of writes, and of reads where the file system bypasses the page cache.
pub const PAGE: u64 = 4096;

/// The byte ranges of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Area {
    /// Slots of segments, one after another.
    Segments,
    /// The ring of tombstones.
    Removals,
    /// The folders that have all removals, as this one knows it.
    View,
}

/// One folder's storage. Bytes that were never written read as zeros.
///
/// Positions and lengths in [`Area::Segments`] are multiples of [`PAGE`].
pub trait Disk: Send + Sync {
    /// Fills `into` from position `at`.
    ///
    /// # Errors
    /// The kernel's.
    fn read(&self, area: Area, at: u64, into: &mut [u8]) -> Result<(), Errno>;

    /// Writes all of `bytes` at position `at`. A process that is killed later does not undo it; a power
    /// failure may, until [`sync`](Self::sync).
    ///
    /// # Errors
    /// The kernel's.
    fn write(&self, area: Area, at: u64, bytes: &[u8]) -> Result<(), Errno>;

    /// Makes earlier writes survive a power failure.
    ///
    /// # Errors
    /// The kernel's.
    fn sync(&self, area: Area) -> Result<(), Errno>;

    /// Reserves room for a range of segments, so that a full disk fails here.
    ///
    /// # Errors
    /// `ENOSPC`, and others of the kernel.
    fn allocate(&self, at: u64, bytes: u64) -> Result<(), Errno>;

    /// Gives the room of a range of segments back to the file system, if it can (hole punch).
    ///
    /// # Errors
    /// The kernel's.
    fn discard(&self, at: u64, bytes: u64) -> Result<(), Errno>;
}
