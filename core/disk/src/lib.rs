// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Log-structured storage of cached values in folders of local disks: the disk tier below the cache.
//!
//! The path of a put, by file:
//! 1. `engine.rs`: the value enters the queue, or is not kept. An older value of its key is gone at once.
//! 2. `writer.rs`: one thread writes batches of records (`record.rs`) to the end of the open segment, and
//!    enters them into the index (`index.rs`, 32 bytes an entry). A full segment gets a footer
//!    (`footer.rs`).
//! 3. `reclaim.rs`: when slots run out, the oldest segment is freed, after values worth it were written
//!    again.
//!
//! A get finds the place in the index and reads whole pages in the caller's thread (`read.rs`). `recover.rs`
//! reads tombstones and footers when a tier is opened, no values. `tier.rs` has the folders, their lock and
//! identity; `check.rs` reads them for the commands `mf cache`. `faults.rs` switches a folder off when its
//! disk fails, and `retry.rs` on again; the other folders go on.
//!
//! **Nothing removed or replaced comes back**, whenever the process is killed. Every value has a generation,
//! the caller's or the engine's own, that rises for each key. The disk has two kinds of facts: records, and
//! tombstones (`tombstones.rs`) that void all records of a key up to a generation. The invariant: each
//! record in a segment with an intact head page is the index's, is being written, or is void by a tombstone
//! in the ring of its folder. It holds because
//! - a call that removes or replaces a value that may have a record on disk has a tombstone written before it
//!   returns, into the page cache, which outlives the process: to each folder (`removals.rs`). The same goes
//!   for a value that a read found damaged;
//! - a batch that failed may be on disk in part, so its values get tombstones, too;
//! - a tombstone names the newest epoch at its time, and no record that it voids is in a later one: batches
//!   are chosen under the lock, for a segment that is open then;
//! - segments of a folder are freed oldest first. A tombstone gives up its place in the ring only when all
//!   segments up to its epoch are gone, and a segment is gone when its head page is erased and synced.
//!   Records repeat the random salt of their segment's present use, so that no later head page makes them
//!   readable again;
//! - recovery voids a record if its key has a younger record, or a tombstone in another folder, and syncs
//!   that: the call that replaced or removed it was interrupted, or its tombstone was lost with the power;
//! - a segment that recovery cannot read is erased, not skipped; so is one whose values were being written
//!   again when the process died or its folder failed, so that no value has two records for long;
//! - a folder that has failed gets the tombstones that it missed before its values are read again. Should the
//!   process die before, the others have recorded that the folder lacks them (`view.rs`), and it is erased.
//!
//! The ring has a fixed size. When it is half full, the writer frees old segments; when a flood of removals
//! fills it faster, the thread that writes tombstones frees one itself.
//!
//! **Power failures** may lose unsynced writes: removals as well as values. [`Engine::flush`] syncs both. A
//! tier begins empty after a restart of the machine without a clean end, so that lost removals bring nothing
//! back.
//!
//! **Wrong bytes are never returned.** Head, key and each 64 KiB of a value have a CRC-32C, and a head names
//! its key's print, generation, place and salt. A value that fails is gone, and counted.
//!
//! `tests/fault.rs` runs this over a simulated disk that dies in the middle of writes and loses, tears and
//! reorders sectors that were not synced.
//!
//! **Limits.** A value and its record fit into one segment. A removal that the disk refuses, or does not
//! answer in time, is kept in memory until the disk takes it; a process that is killed before loses it. Reads
//! are `pread` in the caller's thread: a disk that hangs keeps the calls that have reached it, later ones
//! miss.
//!
//! **Encryption** is by a key that the caller has (`cipher.rs`): keys and values, not lengths and counts.
//!
//! foyer-storage was not used: its engine needs an async runtime, which a library in other people's
//! processes should not start. Footers, tombstones with a bound and a fault layer below all calls would have
//! been changes to its core.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod buffers;
mod check;
mod cipher;
mod disk;
mod disks;
mod engine;
mod faults;
mod fields;
mod folder;
mod footer;
mod generations;
mod identity;
mod index;
mod options;
mod page_buffer;
mod read;
mod reclaim;
mod record;
mod recover;
mod removals;
mod retry;
mod segment;
mod state;
mod stats;
mod tier;
mod tombstones;
mod view;
mod voided;
mod writer;

pub use check::{Damage, LiveValue, Report, check, dump, stat};
pub use cipher::{DiskKey, KEY_PURPOSE};
pub use disk::{Area, Disk, PAGE};
pub use engine::Engine;
pub use options::{Candidate, EngineOptions, Keep, Options};
pub use record::KEY_BYTES_MAX;
pub use stats::Stats;
pub use tier::DiskTier;
