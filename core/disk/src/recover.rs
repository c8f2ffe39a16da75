// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Recovery: tombstones, then the footer of every segment, or the heads of its records. No value is read.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Condvar, Mutex};

use mf_base::{Error, Result};
use rustix::io::Errno;

use crate::cipher::FolderCipher;
use crate::disk::{Area, Disk, PAGE};
use crate::disks::Disks;
use crate::engine::Engine;
use crate::faults::{Calls, Switch, remedy};
use crate::fields::size;
use crate::index::{Found, Index, Place, SEGMENT_BYTES_MAX, SLOTS_MAX};
use crate::options::EngineOptions;
use crate::read::Reading;
use crate::segment::{Slot, Use};
use crate::state::{SegmentInfo, State};
use crate::stats::Stats;
use crate::tombstones::{Ring, TOMBSTONE_BYTES, Tombstone};
use crate::writer::Writing;

const OPERATION: &str = "disk open";
/// Bytes of the ring that are read at a time.
const RING_READ_BYTES: u64 = 1 << 20;
/// Least slots: one open, one reserved, two with values.
const SLOTS_MIN: u32 = 4;

/// Tombstones of the ring.
#[derive(Default)]
pub(crate) struct Voided {
    /// Largest bound of each print.
    pub(crate) bounds: HashMap<u128, u64>,
    /// Sequence numbers with epochs.
    places: Vec<(u64, u64)>,
    pub(crate) generation: u64,
}

impl Voided {
    /// Reads the whole ring.
    pub(crate) fn read(disk: &dyn Disk, count: u64, set: u64) -> Result<Self, Errno> {
        let mut voided = Self::default();
        let end = count * TOMBSTONE_BYTES as u64;
        let mut buffer = vec![0; size(RING_READ_BYTES.min(end))];
        let mut at = 0;
        while at < end {
            let part = size((end - at).min(buffer.len() as u64));
            let bytes = buffer.get_mut(..part).unwrap_or_default();
            disk.read(Area::Removals, at, bytes)?;
            for one in bytes.chunks_exact(TOMBSTONE_BYTES) {
                if let Some((tombstone, sequence)) = Tombstone::decode(one, set) {
                    voided.add(tombstone, sequence);
                }
            }
            at += part as u64;
        }
        Ok(voided)
    }

    /// Number of tombstones.
    pub(crate) fn count(&self) -> u64 {
        self.places.len() as u64
    }

    fn add(&mut self, tombstone: Tombstone, sequence: u64) {
        let bound = self.bounds.entry(tombstone.print).or_default();
        *bound = (*bound).max(tombstone.bound);
        self.generation = self.generation.max(tombstone.bound);
        self.places.push((sequence, tombstone.epoch));
    }
}

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
        Ok(Self {
            disks,
            options,
            cipher,
            print_secret,
            state: Mutex::new(state),
            writing: Mutex::new(Writing::default()),
            calls: Calls::default(),
            work: Condvar::new(),
        })
    }
}

fn recover(disks: &Disks, options: &EngineOptions, cipher: Option<&FolderCipher>) -> Result<State, Errno> {
    let voided = Voided::read(disks.removals(), options.tombstones_max, options.set)?;
    let mut state = State {
        index: Index::new(),
        pending: HashMap::new(),
        queue: VecDeque::new(),
        segments: BTreeMap::new(),
        epochs: vec![0; usize::try_from(options.slots).unwrap_or(0)],
        free: VecDeque::new(),
        next_epoch: 1 + voided.places.iter().map(|(_, epoch)| *epoch).max().unwrap_or(0),
        next_generation: voided.generation + 1,
        ring: Ring::recovered(options.tombstones_max, voided.places),
        switch: Switch::default(),
        unrecorded: Vec::new(),
        must_erase: false,
        stats: Stats::default(),
    };
    let mut found = Vec::new();
    for number in 0..options.slots {
        let slot = disks.slot(number);
        match slot.used(options.set) {
            Ok(Some(used)) => found.push((used, number, slot)),
            Ok(None) => state.free.push_back(number),
            Err(_) => erase(&mut state, number, &slot)?,
        }
    }
    // Oldest first, so that the younger copy of a value is verified.
    found.sort_unstable_by_key(|(used, _, _)| used.epoch);
    for (used, number, slot) in found {
        recover_segment(&mut state, number, &slot, used, &voided.bounds, cipher)?;
    }
    Ok(state)
}

/// Erases a segment that cannot be read. A value that is not seen now must not come back later: it could be
/// removed meanwhile.
fn erase(state: &mut State, number: u32, slot: &Slot<'_>) -> Result<(), Errno> {
    state.stats.faults += 1;
    slot.erase()?;
    state.free.push_back(number);
    Ok(())
}

/// Enters a segment and its values into the state.
fn recover_segment(
    state: &mut State,
    number: u32,
    slot: &Slot<'_>,
    used: Use,
    bounds: &HashMap<u128, u64>,
    cipher: Option<&FolderCipher>,
) -> Result<(), Errno> {
    state.next_epoch = state.next_epoch.max(used.epoch + 1);
    let Ok((entries, _)) = slot.entries(used.salt) else { return erase(state, number, slot) };
    let info = SegmentInfo { slot: number, salt: used.salt, is_sealed: true, live_pages: 0 };
    state.segments.insert(used.epoch, info);
    state.set_epoch(number, used.epoch);
    for entry in entries {
        state.next_generation = state.next_generation.max(entry.generation.saturating_add(1));
        if bounds.get(&entry.print).is_some_and(|bound| entry.generation <= *bound) {
            continue;
        }
        let found =
            Found { generation: entry.generation, place: Place::new(number, entry.unit, entry.bytes) };
        let known = state.index.find(entry.print).map(|known| known.generation);
        let is_taken = known.is_none_or(|known| match known.cmp(&entry.generation) {
            Ordering::Less => true,
            // Written again when the process ended. An incomplete copy never becomes readable.
            Ordering::Equal => {
                let cipher = cipher.and_then(|cipher| cipher.segment(used));
                Reading { slot: *slot, print: entry.print, found, salt: used.salt, cipher }.is_complete()
            }
            Ordering::Greater => false,
        });
        if is_taken {
            state.insert(entry.print, found);
        }
    }
    Ok(())
}
