// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A disk in memory that fails, dies in the middle of a call, and loses, tears and reorders writes that were
//! not synced. All by a seed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mf_disk::{Area, Disk};
use rustix::io::Errno;

const SECTOR: usize = 512;

/// Numbers by a seed (splitmix64).
#[derive(Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// Faults to come.
#[derive(Clone, Copy, Default)]
pub(crate) struct Faults {
    /// Writes until the process dies in one.
    pub(crate) dies_after: Option<u64>,
    /// One call in so many fails; 0 for none.
    pub(crate) one_in: u64,
    /// Every write fails with this.
    pub(crate) writes: Option<Errno>,
    /// Every reservation of room fails with this.
    pub(crate) allocations: Option<Errno>,
}

struct World {
    random: Random,
    faults: Faults,
    is_dead: bool,
    /// Bytes as a process sees them, and as a power failure leaves them at least.
    seen: BTreeMap<Area, Vec<u8>>,
    synced: BTreeMap<Area, Vec<u8>>,
    /// Sectors written since the last sync, in their order, with their bytes.
    unsynced: Vec<(Area, usize, Vec<u8>)>,
}

/// The disk; clones share their contents.
#[derive(Clone)]
pub(crate) struct SimulatedDisk(Arc<Mutex<World>>);

impl SimulatedDisk {
    pub(crate) fn new(seed: u64) -> Self {
        let world = World {
            random: Random(seed),
            faults: Faults::default(),
            is_dead: false,
            seen: BTreeMap::new(),
            synced: BTreeMap::new(),
            unsynced: Vec::new(),
        };
        Self(Arc::new(Mutex::new(world)))
    }

    pub(crate) fn set_faults(&self, faults: Faults) {
        self.0.lock().unwrap().faults = faults;
    }

    /// True once the process has died in a call.
    pub(crate) fn is_dead(&self) -> bool {
        self.0.lock().unwrap().is_dead
    }

    /// A new process begins.
    pub(crate) fn revive(&self) {
        let mut world = self.0.lock().unwrap();
        world.is_dead = false;
        world.faults = Faults::default();
    }

    /// Loses about half of the sectors that were not synced, and applies the others in any order.
    pub(crate) fn fail_power(&self) {
        let world = &mut *self.0.lock().unwrap();
        let mut written = std::mem::take(&mut world.unsynced);
        while !written.is_empty() {
            let (area, sector, bytes) =
                written.swap_remove(usize::try_from(world.random.below(written.len() as u64)).unwrap());
            if world.random.one_in(2) {
                put(&mut world.synced, area, sector * SECTOR, &bytes);
            }
        }
        world.seen = world.synced.clone();
    }

    /// Loses all sectors that were not synced.
    pub(crate) fn lose_unsynced(&self) {
        let world = &mut *self.0.lock().unwrap();
        world.unsynced.clear();
        world.seen = world.synced.clone();
    }

    /// Flips a bit of a segment.
    pub(crate) fn rot(&self) {
        let world = &mut *self.0.lock().unwrap();
        let length = world.seen.get(&Area::Segments).map_or(0, Vec::len);
        if length > 0 {
            let at = usize::try_from(world.random.below(length as u64)).unwrap();
            let bit = 1 << world.random.below(8);
            for copy in [&mut world.seen, &mut world.synced] {
                if let Some(byte) = copy.get_mut(&Area::Segments).and_then(|bytes| bytes.get_mut(at)) {
                    *byte ^= bit;
                }
            }
        }
    }
}

fn put(copy: &mut BTreeMap<Area, Vec<u8>>, area: Area, at: usize, bytes: &[u8]) {
    let contents = copy.entry(area).or_default();
    if contents.len() < at + bytes.len() {
        contents.resize((at + bytes.len()).next_multiple_of(SECTOR), 0);
    }
    contents[at..at + bytes.len()].copy_from_slice(bytes);
}

impl World {
    fn begin(&mut self) -> Result<(), Errno> {
        let fails = self.faults.one_in > 0 && self.random.one_in(self.faults.one_in);
        if self.is_dead || fails { Err(Errno::IO) } else { Ok(()) }
    }

    fn write(&mut self, area: Area, at: usize, bytes: &[u8]) {
        put(&mut self.seen, area, at, bytes);
        let contents = self.seen.get(&area).unwrap();
        for sector in at / SECTOR..(at + bytes.len()).div_ceil(SECTOR) {
            let bytes = contents[sector * SECTOR..(sector + 1) * SECTOR].to_vec();
            self.unsynced.push((area, sector, bytes));
        }
    }

    /// The part of a write that is done before the process dies, or the call fails.
    fn part(&mut self, bytes: usize) -> usize {
        usize::try_from(self.random.below(bytes as u64 + 1)).unwrap()
    }
}

impl Disk for SimulatedDisk {
    fn read(&self, area: Area, at: u64, into: &mut [u8]) -> Result<(), Errno> {
        let mut world = self.0.lock().unwrap();
        world.begin()?;
        let at = usize::try_from(at).unwrap();
        let contents = world.seen.get(&area).map_or(&[][..], Vec::as_slice);
        let contents = contents.get(at..).unwrap_or_default();
        let known = contents.len().min(into.len());
        into[..known].copy_from_slice(&contents[..known]);
        into[known..].fill(0);
        Ok(())
    }

    fn write(&self, area: Area, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        let world = &mut *self.0.lock().unwrap();
        let at = usize::try_from(at).unwrap();
        if world.is_dead {
            return Err(Errno::IO);
        }
        if let Some(left) = &mut world.faults.dies_after {
            if *left == 0 {
                world.is_dead = true;
                let part = world.part(bytes.len());
                world.write(area, at, &bytes[..part]);
                return Err(Errno::IO);
            }
            *left -= 1;
        }
        if let Some(errno) = world.faults.writes {
            return Err(errno);
        }
        if let Err(errno) = world.begin() {
            let part = world.part(bytes.len());
            world.write(area, at, &bytes[..part]);
            return Err(errno);
        }
        world.write(area, at, bytes);
        Ok(())
    }

    fn sync(&self, area: Area) -> Result<(), Errno> {
        let world = &mut *self.0.lock().unwrap();
        world.begin()?;
        if let Some(seen) = world.seen.get(&area) {
            world.synced.insert(area, seen.clone());
        }
        world.unsynced.retain(|(other, _, _)| *other != area);
        Ok(())
    }

    fn allocate(&self, _: u64, _: u64) -> Result<(), Errno> {
        let mut world = self.0.lock().unwrap();
        match world.faults.allocations {
            Some(errno) => Err(errno),
            None => world.begin(),
        }
    }

    fn discard(&self, at: u64, bytes: u64) -> Result<(), Errno> {
        let world = &mut *self.0.lock().unwrap();
        world.begin()?;
        let zeros = vec![0; usize::try_from(bytes).unwrap()];
        world.write(Area::Segments, usize::try_from(at).unwrap(), &zeros);
        Ok(())
    }
}
