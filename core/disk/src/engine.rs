// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Engine: the calls of users, without a thread and without files of its own.

use std::hash::Hasher;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Result};
use rustix::io::Errno;
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::buffers::Buffers;
use crate::cipher::FolderCipher;
use crate::disk::PAGE;
use crate::disks::Disks;
use crate::faults::{Call, Calls, remedy};
use crate::footer::footer_bytes;
use crate::index::Found;
use crate::options::EngineOptions;
use crate::read::{Reading, Wanted};
use crate::record::{KEY_BYTES_MAX, Shape};
use crate::removals::Removals;
use crate::segment::Use;
use crate::state::{Pending, State};
use crate::stats::Stats;
use crate::writer::Writing;

/// Storage of values in segments. [`step`](Self::step) does the writing; a [`DiskTier`](crate::DiskTier)
/// calls it from a thread.
pub struct Engine {
    pub(crate) disks: Disks,
    pub(crate) options: EngineOptions,
    /// Cipher of a tier with a key.
    pub(crate) cipher: Option<FolderCipher>,
    /// Secret of the prints.
    pub(crate) print_secret: [u8; 16],
    pub(crate) buffers: Buffers,
    pub(crate) state: Mutex<State>,
    /// Held by the one thread that writes segments. Taken before `state`.
    pub(crate) writing: Mutex<Writing>,
    /// By number of the folder.
    pub(crate) calls: Vec<Calls>,
    /// Held while a view is written. Taken before `state`, after `writing`.
    pub(crate) view_turn: Mutex<()>,
    /// Notified when the queue gets a value.
    pub(crate) work: Condvar,
    pub(crate) removals: Removals,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine {
    /// Computes the print of a key.
    pub(crate) fn print(&self, operation: &'static str, key: &[u8]) -> Result<u128> {
        if key.is_empty() || key.len() > KEY_BYTES_MAX {
            return Err(Error::invalid(operation, "a key has 1 to 4096 bytes")
                .with("bytes", key.len())
                .hint("use a hash of it as the key"));
        }
        let mut hasher = SipHasher13::new_with_key(&self.print_secret);
        hasher.write(key);
        Ok(hasher.finish128().as_u128())
    }

    /// Sizes of a record on this tier.
    pub(crate) fn shape(&self, key_bytes: usize, value_bytes: usize) -> Shape {
        Shape { key_bytes, value_bytes: value_bytes as u64, is_encrypted: self.cipher.is_some() }
    }

    /// A record that the index names, in the present use of its slot.
    pub(crate) fn reading(&self, print: u128, found: Found, used: Use) -> Reading<'_> {
        let slot = self.disks.slot(found.place.slot());
        let cipher = self.cipher.as_ref().and_then(|cipher| cipher.segment(used));
        Reading { slot, print, found, salt: used.salt, cipher, buffers: &self.buffers }
    }

    /// Stores a value under the next generation. Returns false if it is not kept: the queue is full, the
    /// value does not fit into a segment, or the tier is off. An older value of the key is gone in any case.
    ///
    /// **Local.** Does not wait for the disk, except that the removal of an older value may block as
    /// [`remove`](Self::remove) does.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub fn put(&self, key: &[u8], value: Vec<u8>) -> Result<bool> {
        self.put_generation(key, None, value)
    }

    /// As [`put`](Self::put), with the caller's generation. Generations of a key must rise; a call with one
    /// that is not above the present value's changes nothing.
    ///
    /// # Errors
    /// As for [`put`](Self::put).
    pub fn put_at(&self, key: &[u8], generation: u64, value: Vec<u8>) -> Result<bool> {
        self.put_generation(key, Some(generation), value)
    }

    fn put_generation(&self, key: &[u8], given: Option<u64>, value: Vec<u8>) -> Result<bool> {
        let print = self.print("disk put", key)?;
        let fits =
            self.shape(key.len(), value.len()).record_bytes().next_multiple_of(PAGE) + PAGE + footer_bytes(1)
                <= self.disks.segment_bytes();
        let mut state = lock(&self.state);
        let generation = state.take_generation(given);
        if state.generation(print).is_some_and(|known| generation <= known) {
            state.stats.drops += 1;
            return Ok(false);
        }
        let is_on_disk = state.forget(print);
        let bytes = (key.len() + value.len()) as u64;
        let has_room = state.stats.queue_bytes + bytes <= self.options.queue_bytes;
        let is_admitted = fits && has_room && !state.is_off();
        if is_admitted {
            state.stats.admissions += 1;
            state.stats.admitted_bytes += bytes;
            state.stats.queue_bytes += bytes;
            let pending =
                Pending { generation, key: key.into(), value: Arc::new(value), is_in_flight: false };
            state.pending.insert(print, pending);
            state.queue.push_back((print, generation));
            self.work.notify_one();
        } else {
            state.stats.drops += 1;
        }
        if is_on_disk {
            self.record(state, print, generation.saturating_sub(1));
        }
        Ok(is_admitted)
    }

    /// Removes a value. Returns true if there was one. After this call returns, the value does not come back,
    /// whenever the process is killed, unless the disk did not take the removal for
    /// [`removal_wait`](EngineOptions::removal_wait).
    ///
    /// **Local.** Writes 64 bytes to the page cache; blocks for `removal_wait` at most.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub fn remove(&self, key: &[u8]) -> Result<bool> {
        self.remove_generation(key, None)
    }

    /// As [`remove`](Self::remove), for values up to this generation; a newer one stays.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove).
    pub fn remove_at(&self, key: &[u8], generation: u64) -> Result<bool> {
        self.remove_generation(key, Some(generation))
    }

    fn remove_generation(&self, key: &[u8], given: Option<u64>) -> Result<bool> {
        let print = self.print("disk remove", key)?;
        let mut state = lock(&self.state);
        let bound = state.take_generation(given);
        if state.generation(print).is_none_or(|known| known > bound) {
            return Ok(false);
        }
        state.stats.removals += 1;
        if state.forget(print) {
            self.record(state, print, bound);
        }
        Ok(true)
    }

    /// Returns true if there is a value; does not verify its bytes.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub fn contains(&self, key: &[u8]) -> Result<bool> {
        let print = self.print("disk contains", key)?;
        let state = lock(&self.state);
        let is_readable = |found: Found| state.slot_works(found.place.slot());
        Ok(state.pending.contains_key(&print) || state.index.find(print).is_some_and(is_readable))
    }

    /// Reads a whole value.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        self.get_wanted(key, None, Wanted { offset: 0, bytes: u64::MAX }, <[u8]>::to_vec)
    }

    /// Reads `bytes` of a value from `offset` on, less at the value's end.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn get_range(&self, key: &[u8], offset: u64, bytes: u64) -> Result<Option<Vec<u8>>> {
        self.get_wanted(key, None, Wanted { offset, bytes }, <[u8]>::to_vec)
    }

    /// As [`get_range`](Self::get_range), and passes the verified bytes to `take`, so that the caller copies
    /// them once, to their end. `take` is called at most once, with no lock held; 0 and `u64::MAX` name a
    /// whole value.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn get_with<R>(
        &self,
        key: &[u8],
        offset: u64,
        bytes: u64,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<Option<R>> {
        self.get_wanted(key, None, Wanted { offset, bytes }, take)
    }

    /// Reads; with `generation`, only the value that has it.
    pub(crate) fn get_wanted<R>(
        &self,
        key: &[u8],
        generation: Option<u64>,
        wanted: Wanted,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<Option<R>> {
        let is_wanted = |known: u64| generation.is_none_or(|wanted| wanted == known);
        let print = self.print("disk get", key)?;
        let mut state = lock(&self.state);
        if let Some(pending) = state.pending.get(&print).cloned() {
            let is_same = *pending.key == *key && is_wanted(pending.generation);
            state.stats.hits += u64::from(is_same);
            state.stats.misses += u64::from(!is_same);
            drop(state);
            return Ok(is_same.then(|| take(wanted.of(&pending.value))));
        }
        let found = state.index.find(print).filter(|found| is_wanted(found.generation));
        let found = found.filter(|found| state.slot_works(found.place.slot()));
        let Some((found, used)) = found.and_then(|found| Some((found, state.used(found.place.slot())?)))
        else {
            state.stats.misses += 1;
            return Ok(None);
        };
        state.index.mark_read(print);
        drop(state);
        let folder = self.disks.folder(found.place.slot());
        if self.calls.get(folder).is_some_and(|calls| calls.are_stuck(self.options.slow_after)) {
            lock(&self.state).stats.misses += 1;
            return Ok(None);
        }
        let read = {
            let _call = self.begin_call(folder);
            self.reading(print, found, used).read(key, wanted, take)
        };
        Ok(self.finish_read(print, found, read))
    }

    /// Counts a read. A value that cannot be read is gone, unless it was moved or replaced meanwhile.
    fn finish_read<R>(&self, print: u128, found: Found, read: Result<Option<R>, Errno>) -> Option<R> {
        let number = self.disks.folder(found.place.slot());
        let mut state = lock(&self.state);
        match read {
            Ok(Some(value)) => {
                state.stats.hits += 1;
                if let Some(folder) = state.folders.get_mut(number) {
                    folder.switch.read_succeeded();
                }
                return Some(value);
            }
            Ok(None) => {}
            Err(errno) => {
                state.stats.faults += 1;
                if state.folders.get_mut(number).is_some_and(|folder| folder.switch.read_failed()) {
                    drop(state);
                    self.turn_off(number, "read", errno);
                    state = lock(&self.state);
                }
            }
        }
        state.stats.misses += 1;
        if state.index.is_at(print, found.place) {
            state.stats.damaged += 1;
            state.forget(print);
            self.record(state, print, found.generation);
        }
        None
    }

    /// Switches a folder off after a failed disk call, and records that on the others.
    pub(crate) fn turn_off(&self, folder: usize, call: &'static str, errno: Errno) {
        self.switch_off(folder, call, errno);
        self.update_view();
    }

    /// Switches a folder off.
    pub(crate) fn switch_off(&self, folder: usize, call: &'static str, errno: Errno) {
        let mut state = lock(&self.state);
        state.stats.faults += 1;
        let until = Instant::now() + self.options.retry_after;
        let is_first = state.folders.get_mut(folder).is_some_and(|folder| folder.switch.turn_off(until));
        if state.is_off() {
            state.drop_queue();
        }
        drop(state);
        if is_first {
            let number = folder + 1;
            let error = Error::os("disk tier", errno).with("call", call).with("folder", number);
            let error = error.hint(remedy(errno));
            tracing::error!("folder {number} of the disk tier is switched off, and is tried again: {error}");
        }
    }

    /// Begins a disk call on a folder.
    pub(crate) fn begin_call(&self, folder: usize) -> Option<Call<'_>> {
        self.calls.get(folder).map(Calls::begin)
    }

    /// Returns true while a disk call has not returned for too long; reads from its folder miss then.
    pub fn is_stuck(&self) -> bool {
        self.calls.iter().any(|calls| calls.are_stuck(self.options.slow_after))
    }

    /// Figures of this engine.
    pub fn stats(&self) -> Stats {
        let mut state = lock(&self.state);
        let count = self.disks.count();
        let tombstones = (0..count).map(|folder| state.tombstones(folder)).max().unwrap_or(0);
        let segments = state.segments.len() as u64;
        Stats {
            values: state.index.count(),
            capacity_bytes: u64::from(self.options.slots) * self.disks.segment_bytes(),
            bytes: segments * self.disks.segment_bytes(),
            live_bytes: state.segments.values().map(|info| info.live_pages * PAGE).sum(),
            index_bytes: state.index.memory_bytes(),
            segments,
            tombstones,
            is_off: state.is_off(),
            folders_off: (0..count).filter(|folder| !state.works(*folder)).count() as u64,
            ..state.stats
        }
    }

    /// Waits until the queue may have a value, or for at most `longest`.
    pub(crate) fn wait_for_work(&self, longest: Duration) {
        let state = lock(&self.state);
        if state.queue.is_empty() {
            let waited = self.work.wait_timeout(state, longest);
            drop(waited);
        }
    }
}
