// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Recovery: tombstones, then the footer of every segment, or the heads of its records. No value is read.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use mf_base::{Error, Result};
use rustix::io::Errno;

use crate::buffers::Buffers;
use crate::cipher::FolderCipher;
use crate::disk::{Area, Disk, PAGE};
use crate::disks::Disks;
use crate::engine::Engine;
use crate::faults::{Calls, remedy};
use crate::footer::Entry;
use crate::index::{Found, Index, Place, SEGMENT_BYTES_MAX, SLOTS_MAX};
use crate::options::EngineOptions;
use crate::read::Reading;
use crate::segment::Use;
use crate::state::{FolderState, SegmentInfo, State};
use crate::stats::Stats;
use crate::tombstones::{Ring, Tombstone};
use crate::view::{self, FOLDERS_MAX, View};
use crate::voided::Voided;
use crate::writer::Writing;

const OPERATION: &str = "disk open";
/// Least slots: one open, one reserved, two with values.
const SLOTS_MIN: u32 = 4;

fn is_valid(options: &EngineOptions) -> bool {
    options.segment_bytes.is_multiple_of(PAGE)
        && (8 * PAGE..=SEGMENT_BYTES_MAX).contains(&options.segment_bytes)
        && (SLOTS_MIN..=SLOTS_MAX).contains(&options.slots)
        && options.tombstones_max > 0
}

impl Engine {
    /// Opens the values that the disks hold.
    ///
    /// **Local.** Blocks for the disks.
    ///
    /// # Errors
    /// `InvalidParam` options out of range; errors of the disks.
    pub fn open(disks: Vec<Box<dyn Disk>>, options: EngineOptions) -> Result<Self> {
        if disks.len() > FOLDERS_MAX {
            return Err(Error::invalid(OPERATION, "more than 64 folders").with("folders", disks.len()));
        }
        if !is_valid(&options) {
            return Err(Error::invalid(
                OPERATION,
                "invalid geometry: 4 to 1048576 slots of whole pages, from 32 KiB to 4 GiB",
            )
            .with("segment_bytes", options.segment_bytes)
            .with("slots", options.slots)
            .with("tombstones_max", options.tombstones_max));
        }
        let disks = Disks::new(disks, options.segment_bytes)
            .ok_or_else(|| Error::invalid(OPERATION, "no folder was given"))?;
        let cipher = options
            .key
            .as_ref()
            .map(|key| FolderCipher::new(key, options.set, u128::from_le_bytes(options.secret)));
        let print_secret = cipher.as_ref().map_or(Ok(options.secret), FolderCipher::print_secret)?;
        let state = recover(&disks, &options, cipher.as_ref())
            .map_err(|errno| Error::os(OPERATION, errno).hint(remedy(errno)))?;
        let calls = (0..disks.count()).map(|_| Calls::default()).collect();
        let engine = Self {
            disks,
            options,
            cipher,
            print_secret,
            buffers: Buffers::default(),
            state: Mutex::new(state),
            writing: Mutex::new(Writing::default()),
            calls,
            view_turn: Mutex::new(()),
            work: Condvar::new(),
            removals: <_>::default(),
        };
        engine.update_view();
        Ok(engine)
    }
}

/// What recovery has read so far.
struct Recovery<'a> {
    disks: &'a Disks,
    options: &'a EngineOptions,
    cipher: Option<&'a FolderCipher>,
    state: State,
    buffers: Buffers,
    /// Segments that were erased because they could not be read.
    erased: Vec<u32>,
    /// Segments with values that are in younger ones, too: they were being freed when the process ended.
    moved_from: Vec<u32>,
    /// Records without a tombstone in their folder, though another folder has one, or a younger record.
    superseded: Vec<Superseded>,
}

struct Superseded {
    slot: u32,
    print: u128,
    generation: u64,
}

fn recover(disks: &Disks, options: &EngineOptions, cipher: Option<&FolderCipher>) -> Result<State, Errno> {
    let found = view::read(disks, options.set)?;
    let capacity = options.tombstones_max;
    let state = State {
        index: Index::new(),
        pending: HashMap::new(),
        queue: VecDeque::new(),
        segments: BTreeMap::new(),
        epochs: vec![0; usize::try_from(options.slots).unwrap_or(0)],
        free: VecDeque::new(),
        next_epoch: 1,
        next_generation: 1,
        folders: (0..disks.count())
            .map(|_| FolderState::new(Ring::recovered(capacity, Vec::new())))
            .collect(),
        view: View { members: (0..disks.count()).collect(), ..found.view },
        is_view_certain: false,
        last_members: found.view.members,
        stats: Stats::default(),
    };
    let mut recovery = Recovery {
        disks,
        options,
        cipher,
        state,
        buffers: Buffers::default(),
        erased: Vec::new(),
        moved_from: Vec::new(),
        superseded: Vec::new(),
    };
    let mut first_fault = None;
    for (folder, errno) in found.failed {
        recovery.fail(folder, errno);
        first_fault = first_fault.or(Some(errno));
    }
    let (mut segments, mut voided) = (Vec::new(), Vec::new());
    for folder in 0..disks.count() {
        let is_trusted = found.view.members.has(folder);
        if recovery.state.works(folder) && !is_trusted {
            tracing::warn!(
                "folder {} of the disk tier begins empty: it lacks removals of the time when it was failing",
                folder + 1
            );
        }
        let mut known = (Voided::default(), Vec::new());
        if recovery.state.works(folder) {
            match recovery.read_folder(folder, is_trusted) {
                Ok(read) => known = read,
                Err(errno) => {
                    recovery.fail(folder, errno);
                    first_fault = first_fault.or(Some(errno));
                }
            }
        }
        voided.push(known.0);
        segments.extend(known.1);
    }
    // Oldest first, so that the younger copy of a value is verified.
    segments.sort_unstable_by_key(|(used, _)| used.epoch);
    // Once more without a folder that fails: it may have had the younger copies.
    while let Err((folder, errno)) = recovery.read_segments(&segments, &voided) {
        recovery.fail(folder, errno);
        first_fault = first_fault.or(Some(errno));
    }
    match first_fault {
        Some(errno) if recovery.state.is_off() => Err(errno),
        _ => {
            // In turns between the folders.
            recovery.state.free.make_contiguous().sort_unstable();
            Ok(recovery.state)
        }
    }
}

impl Recovery<'_> {
    /// Leaves out a folder that cannot be read. All in it is erased before it is used.
    fn fail(&mut self, number: usize, errno: Errno) {
        self.state.stats.faults += 1;
        let until = Instant::now() + self.options.retry_after;
        if let Some(folder) = self.state.folders.get_mut(number) {
            folder.must_erase = true;
            folder.is_unknown = true;
            folder.switch.turn_off(until);
        }
        self.state.free.retain(|slot| self.disks.folder(*slot) != number);
        let error = Error::os(OPERATION, errno).hint(remedy(errno));
        tracing::error!("folder {} of the disk tier cannot be read, and begins empty: {error}", number + 1);
    }

    /// Reads the tombstones of a folder, and the heads of its segments; erases them if they are not trusted.
    fn read_folder(&mut self, number: usize, is_trusted: bool) -> Result<(Voided, Vec<(Use, u32)>), Errno> {
        let (capacity, set) = (self.options.tombstones_max, self.options.set);
        let mut voided = Voided::read(self.disks.disk(number), capacity, set)?;
        let state = &mut self.state;
        state.next_epoch = state.next_epoch.max(voided.next_epoch());
        state.next_generation = state.next_generation.max(voided.generation + 1);
        if let Some(folder) = state.folders.get_mut(number) {
            folder.ring = Ring::recovered(capacity, std::mem::take(&mut voided.places));
        }
        let mut found = Vec::new();
        for slot in (0..self.options.slots).filter(|slot| self.disks.folder(*slot) == number) {
            match self.disks.slot(slot).used(set) {
                Ok(Some(used)) if is_trusted => found.push((used, slot)),
                Ok(None) => self.state.free.push_back(slot),
                Ok(Some(_)) | Err(_) => self.erase(slot)?,
            }
        }
        Ok((voided, found))
    }

    /// Erases a segment that cannot be read. A value that is not seen now must not come back later: it
    /// could be removed meanwhile.
    fn erase(&mut self, number: u32) -> Result<(), Errno> {
        self.disks.slot(number).erase()?;
        self.state.free.push_back(number);
        self.erased.push(number);
        Ok(())
    }

    /// Enters the segments of folders that work, oldest first. A failed folder ends it.
    fn read_segments(&mut self, segments: &[(Use, u32)], voided: &[Voided]) -> Result<(), (usize, Errno)> {
        self.state.index = Index::new();
        self.state.segments.clear();
        self.state.epochs.fill(0);
        self.moved_from.clear();
        self.superseded.clear();
        for (used, number) in segments {
            let folder = self.disks.folder(*number);
            if self.state.works(folder) && !self.erased.contains(number) {
                self.read_segment(*number, *used, voided)?;
            }
        }
        // Their values would be neither in the index nor void.
        for number in std::mem::take(&mut self.moved_from) {
            self.erase_entered(number).map_err(|errno| (self.disks.folder(number), errno))?;
        }
        let superseded = std::mem::take(&mut self.superseded);
        for folder in 0..self.disks.count() {
            let here = superseded.iter().filter(|record| self.disks.folder(record.slot) == folder);
            self.void(folder, here).map_err(|errno| (folder, errno))?;
        }
        Ok(())
    }

    /// Erases a segment that was entered, with its values.
    fn erase_entered(&mut self, number: u32) -> Result<(), Errno> {
        if let Some(used) = self.state.used(number) {
            self.erase(number)?;
            self.state.index.remove_slot(number);
            self.state.segments.remove(&used.epoch);
            self.state.set_epoch(number, 0);
        }
        Ok(())
    }

    /// Writes tombstones of records of one folder. The call that replaced them was interrupted, or its
    /// tombstone was lost with the power; if the younger record went first, they would come back.
    fn void<'a>(
        &mut self,
        number: usize,
        records: impl Iterator<Item = &'a Superseded>,
    ) -> Result<(), Errno> {
        let disk = self.disks.disk(number);
        let epoch = self.state.next_epoch - 1;
        let mut has_written = false;
        for record in records {
            if self.state.used(record.slot).is_none() {
                continue;
            }
            let oldest = self.state.oldest_epoch(number);
            let Some(folder) = self.state.folders.get_mut(number) else { break };
            match folder.ring.reserve(epoch, oldest) {
                Some(sequence) => {
                    let tombstone =
                        Tombstone { print: record.print, bound: record.generation, epoch, is_local: false };
                    let bytes = tombstone.encode(sequence, self.options.set);
                    disk.write(Area::Removals, folder.ring.position(sequence), &bytes)?;
                    has_written = true;
                }
                // No room: the record goes with its segment.
                None => self.erase_entered(record.slot)?,
            }
        }
        if has_written { disk.sync(Area::Removals) } else { Ok(()) }
    }

    /// Returns true if a record is there as a whole.
    fn is_complete(&self, print: u128, found: Found) -> Result<bool, (usize, Errno)> {
        let number = found.place.slot();
        let Some(used) = self.state.used(number) else { return Ok(false) };
        let cipher = self.cipher.and_then(|cipher| cipher.segment(used));
        let (slot, buffers) = (self.disks.slot(number), &self.buffers);
        let reading = Reading { slot, print, found, salt: used.salt, cipher, buffers };
        reading.is_complete().map_err(|errno| (self.disks.folder(number), errno))
    }

    /// Enters a segment and its values into the state. Beside an error: the folder that it is of.
    fn read_segment(&mut self, number: u32, used: Use, voided: &[Voided]) -> Result<(), (usize, Errno)> {
        let (slot, folder) = (self.disks.slot(number), self.disks.folder(number));
        self.state.next_epoch = self.state.next_epoch.max(used.epoch + 1);
        let Ok((entries, _)) = slot.entries(used.salt) else {
            self.state.stats.faults += 1;
            return self.erase(number).map_err(|errno| (folder, errno));
        };
        let info =
            SegmentInfo { slot: number, salt: used.salt, is_sealed: true, has_copies: false, live_pages: 0 };
        self.state.segments.insert(used.epoch, info);
        self.state.set_epoch(number, used.epoch);
        for entry in entries {
            let Entry { print, generation, unit, bytes } = entry;
            self.state.next_generation = self.state.next_generation.max(generation.saturating_add(1));
            if voided.get(folder).is_some_and(|voided| voided.has(print, generation)) {
                continue;
            }
            if voided.iter().any(|voided| voided.has_everywhere(print, generation)) {
                self.superseded.push(Superseded { slot: number, print, generation });
                continue;
            }
            let found = Found { generation, place: Place::new(number, unit, bytes) };
            let known = self.state.index.find(print);
            let is_taken = match known.map(|known| (known, known.generation.cmp(&generation))) {
                None => true,
                Some((known, Ordering::Less)) => {
                    let (slot, generation) = (known.place.slot(), known.generation);
                    self.superseded.push(Superseded { slot, print, generation });
                    true
                }
                // Written again when the process ended. An incomplete copy never becomes readable.
                Some((known, Ordering::Equal)) => {
                    let is_complete = self.is_complete(print, found)?;
                    let is_elsewhere = known.place.slot() != number;
                    if is_complete && is_elsewhere && self.is_complete(print, known)? {
                        self.moved_from.push(known.place.slot());
                    }
                    is_complete
                }
                Some((_, Ordering::Greater)) => {
                    self.superseded.push(Superseded { slot: number, print, generation });
                    false
                }
            };
            if is_taken {
                self.state.insert(print, found);
            }
        }
        Ok(())
    }
}
