// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of the engine, and of a tier in folders.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cipher::DiskKey;

/// A value of a segment that is about to be freed.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Key of the value.
    pub key: &'a [u8],
    /// Generation of the value.
    pub generation: u64,
    /// Bytes of the value.
    pub bytes: u64,
    /// True if it was read since it was written.
    pub was_read: bool,
}

/// Decides which values are written again when their segment is freed. Called by the writing thread, with no
/// lock of a caller held; must not remove values itself, which may wait for that thread.
pub type Keep = Arc<dyn Fn(&Candidate<'_>) -> bool + Send + Sync>;

/// Options of an [`Engine`](crate::Engine).
#[derive(Clone)]
pub struct EngineOptions {
    /// Random number of this tier: contents with another are not its own.
    pub set: u64,
    /// Secret of the prints that stand for keys; with a [`key`](Self::key), salt of what is derived from it.
    pub secret: [u8; 16],
    /// Key of a tier whose keys and values are encrypted.
    pub key: Option<DiskKey>,
    /// Bytes of a segment, a multiple of 4096.
    pub segment_bytes: u64,
    /// Number of slots in all folders together, at least 4.
    pub slots: u32,
    /// Most tombstones; beyond them the oldest segments are freed early.
    pub tombstones_max: u64,
    /// Most bytes in the queue: values beyond are not kept.
    pub queue_bytes: u64,
    /// Most bytes of one write.
    pub batch_bytes: u64,
    /// Time after which a tier that a fault has switched off tries again.
    pub retry_after: Duration,
    /// Time after which a disk that does not answer counts as a fault.
    pub slow_after: Duration,
    /// Longest wait of a call that removes or replaces a value for the disk to take the removal, in a tier
    /// with a thread for that ([`Engine::serve_removals`](crate::Engine::serve_removals)).
    pub removal_wait: Duration,
    /// Values worth writing again; by default the values that were read since they were written.
    pub keep: Option<Keep>,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            set: 0,
            secret: [0; 16],
            key: None,
            segment_bytes: 64 << 20,
            slots: 16,
            tombstones_max: 1 << 20,
            queue_bytes: 256 << 20,
            batch_bytes: 8 << 20,
            retry_after: Duration::from_secs(10),
            slow_after: Duration::from_secs(1),
            removal_wait: Duration::from_millis(100),
            keep: None,
        }
    }
}

impl std::fmt::Debug for EngineOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineOptions").field("slots", &self.slots).finish_non_exhaustive()
    }
}

/// Options of a [`DiskTier`](crate::DiskTier).
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folders; slots alternate between them.
    pub folders: Vec<PathBuf>,
    /// Bytes of all folders together, rounded down to whole segments.
    pub capacity_bytes: u64,
    /// Name of the job or pool that owns the values: 1 to 256 printable characters.
    pub job: String,
    /// Key from a secret of the job: with it, keys and values on disk are encrypted and authenticated. A
    /// folder that was made with a key opens with that key alone, one that was made without opens without.
    pub key: Option<DiskKey>,
    /// Options of the engine. `set`, `secret` and `slots` come from the folders, `key` from this struct.
    pub engine: EngineOptions,
}
