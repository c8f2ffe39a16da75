// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory that the processes of one machine share, laid out once and for all.
//!
//! One sparse memory file, all zeroes at first, which every process maps whole and never unmaps. Everything
//! in it is an atomic, because other processes write it at any time; apart from the few words that say so,
//! all of it is read and written only under [`Layout::lock`]. Zero means free everywhere, and the word that
//! makes an entry valid is written last, so a process that dies in between leaves no half entry.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use mf_base::os::descriptor;
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

use super::damage::Damage;
use super::kinds::{Location, Pool};
use super::lock::Lock;
use crate::codes::acl;
use crate::config::MachineSettings;
use crate::device_ids::{DEVICES_OF_A_SERVER, MOST_DEVICES};
use crate::fault::{Fault, Outcome};

const MAGIC: u64 = u64::from_le_bytes(*b"ASCsimMF");
/// Goes up when anything in this file changes; it is also the version of what listeners exchange.
pub(super) const VERSION: u64 = 1;

/// Most processes of a machine.
pub(super) const PROCESSES: usize = 512;
pub(super) const DEVICES: usize = MOST_DEVICES as usize;
pub(super) const SERVERS: usize = DEVICES;
/// Most claims of a machine: as many as 8 devices with 64 GiB have huge pages.
pub(super) const CLAIMS: usize = 1 << 18;
const POOLS: usize = 3;
const SOC_BYTES: usize = 64;
const TOPOLOGY_BYTES: usize = 1024;

/// A process.
#[repr(C)]
pub(super) struct Slot {
    /// The rest is valid.
    pub(super) state: AtomicU32,
    pub(super) server: AtomicU32,
    /// Which of all processes that ever had a slot.
    pub(super) incarnation: AtomicU64,
    /// Its number for whitelists.
    pub(super) process: AtomicI32,
    /// When it started, in ticks of the system: the number may have been another's before.
    pub(super) started: AtomicU64,
}

/// Memory of a place.
#[repr(C)]
pub(super) struct Budget {
    pub(super) limit: AtomicU64,
    pub(super) used: AtomicU64,
}

/// Bytes taken from a budget.
#[repr(C)]
pub(super) struct BudgetEntry {
    /// Unique among all claims that ever were; 0 for none.
    pub(super) id: AtomicU64,
    /// See [`encode`].
    pub(super) location: AtomicU64,
    pub(super) bytes: AtomicU64,
    /// A bit for each slot.
    pub(super) holders: [AtomicU64; PROCESSES / 64],
}

/// High-water mark of a pool, so that no process reads (and thereby touches) later pages of the file.
#[repr(C)]
pub(super) struct PoolHead {
    /// All below are taken.
    pub(super) first_free: AtomicU32,
    /// None from here on was ever taken.
    pub(super) high: AtomicU32,
    /// Fewer numbers than the hardware has; 0 for all.
    pub(super) limit: AtomicU32,
}

/// Owner of each number of a device: slot plus one.
#[repr(C)]
pub(super) struct Owners {
    streams: [AtomicU16; Pool::Stream.size()],
    events: [AtomicU16; Pool::Event.size()],
    notifies: [AtomicU16; Pool::Notify.size()],
}

impl Owners {
    pub(super) fn numbers(&self, pool: Pool) -> &[AtomicU16] {
        match pool {
            Pool::Stream => &self.streams,
            Pool::Event => &self.events,
            Pool::Notify => &self.notifies,
        }
    }
}

/// The whole file.
#[repr(C)]
pub(super) struct Layout {
    /// Set when the maker is done; the file is shown to no other before.
    magic: AtomicU64,
    version: AtomicU64,
    bytes: AtomicU64,
    pub(super) lock: Lock,
    soc: [AtomicU8; SOC_BYTES],
    topology: [AtomicU8; TOPOLOGY_BYTES],
    devices: AtomicU32,
    hbm_bytes: AtomicU64,
    host_bytes: AtomicU64,
    /// Inode of the PID namespace of the process numbers.
    pub(super) namespace: AtomicU64,
    /// Last incarnation that was given.
    pub(super) joined: AtomicU64,
    /// Last id of a claim that was given.
    pub(super) claimed: AtomicU64,
    /// All claims below are taken.
    pub(super) first_free_claim: AtomicU64,
    /// No claim from here on was ever taken.
    pub(super) high_claim: AtomicU64,
    pub(super) damage: Damage,
    pub(super) slots: [Slot; PROCESSES],
    /// Devices first, then hosts.
    pub(super) budgets: [Budget; DEVICES + SERVERS],
    pub(super) pools: [[PoolHead; POOLS]; DEVICES],
    pub(super) claims: [BudgetEntry; CLAIMS],
    pub(super) owners: [Owners; DEVICES],
}

impl Layout {
    /// Makes the file of a new machine.
    pub(super) fn create(
        settings: &MachineSettings,
        namespace: u64,
        first: u64,
    ) -> Outcome<(OwnedFd, &'static Self)> {
        let file =
            make_file().map_err(|e| Fault::internal(format_args!("no memory file for the machine: {e}")))?;
        let layout = map(file.as_fd())?;
        layout.lock.init()?;
        put_text("SOC", &layout.soc, &settings.soc)?;
        put_text("TOPOLOGY", &layout.topology, &settings.topology)?;
        layout.devices.store(settings.devices, Ordering::Relaxed);
        layout.hbm_bytes.store(settings.hbm_bytes, Ordering::Relaxed);
        layout.host_bytes.store(settings.host_bytes, Ordering::Relaxed);
        layout.namespace.store(namespace, Ordering::Relaxed);
        layout.joined.store(first, Ordering::Relaxed);
        for (index, budget) in layout.budgets.iter().enumerate() {
            let limit = if index < DEVICES { settings.hbm_bytes } else { settings.host_bytes };
            budget.limit.store(limit, Ordering::Relaxed);
        }
        layout.version.store(VERSION, Ordering::Relaxed);
        layout.bytes.store(size_of::<Self>() as u64, Ordering::Relaxed);
        layout.magic.store(MAGIC, Ordering::Release);
        Ok((file, layout))
    }

    /// Maps a file that a member of the machine sent.
    pub(super) fn adopt(file: BorrowedFd<'_>) -> Outcome<&'static Self> {
        let strange = |what: &str| Fault::internal(format_args!("the file of the machine's member {what}"));
        let facts = rustix::fs::fstat(file).map_err(|e| strange(&format!("cannot be inspected: {e}")))?;
        let seals = rustix::fs::fcntl_get_seals(file).unwrap_or(SealFlags::empty());
        if !seals.contains(SealFlags::SHRINK) || u64::try_from(facts.st_size) != Ok(size_of::<Self>() as u64)
        {
            return Err(strange("is of another build of the simulator"));
        }
        let layout = map(file)?;
        let known = [(&layout.magic, MAGIC), (&layout.version, VERSION)];
        if known.iter().any(|(word, value)| word.load(Ordering::Acquire) != *value)
            || layout.bytes.load(Ordering::Relaxed) != size_of::<Self>() as u64
        {
            return Err(strange("is of another version of the simulator"));
        }
        Ok(layout)
    }

    /// Returns the settings of the creator.
    pub(super) fn settings(&self) -> MachineSettings {
        MachineSettings {
            soc: text(&self.soc),
            devices: self.devices.load(Ordering::Relaxed),
            hbm_bytes: self.hbm_bytes.load(Ordering::Relaxed),
            host_bytes: self.host_bytes.load(Ordering::Relaxed),
            topology: text(&self.topology),
        }
    }

    /// Returns the index of a physical device.
    pub(super) fn device(&self, physical: u32) -> Outcome<usize> {
        let devices = self.devices.load(Ordering::Relaxed);
        let (server, device) = (physical / DEVICES_OF_A_SERVER, physical % DEVICES_OF_A_SERVER);
        let index = u64::from(server) * u64::from(devices) + u64::from(device);
        match usize::try_from(index) {
            Ok(index) if device < devices && index < DEVICES => Ok(index),
            _ => Err(Fault::new(
                acl::INVALID_DEVICEID,
                format_args!(
                    "unknown physical device number {physical}: a server has {devices}, and a machine {DEVICES}"
                ),
            )),
        }
    }

    /// Returns the budget of `location`. Host memory is one budget per server, for all nodes.
    pub(super) fn place(&self, location: Location) -> Outcome<usize> {
        match location {
            Location::Device(physical) => self.device(physical),
            Location::Host(node) => match usize::try_from(node / DEVICES_OF_A_SERVER) {
                Ok(server) if server < SERVERS => Ok(DEVICES + server),
                _ => Err(Fault::new(acl::INVALID_DEVICEID, format_args!("unknown host node {node}"))),
            },
        }
    }
}

/// A location as a word.
pub(super) fn encode(location: Location) -> u64 {
    match location {
        Location::Device(number) => u64::from(number),
        Location::Host(number) => (1 << 32) | u64::from(number),
    }
}

/// The location of a word.
pub(super) fn decode(word: u64) -> Location {
    let number = u32::try_from(word & u64::from(u32::MAX)).unwrap_or(0);
    if word >> 32 == 0 { Location::Device(number) } else { Location::Host(number) }
}

fn make_file() -> rustix::io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = descriptor::memfd("ascend-sim-session", flags)?;
    rustix::fs::ftruncate(&file, size_of::<Layout>() as u64)?;
    // No process can cut it short under the others.
    rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    Ok(file)
}

fn map(file: BorrowedFd<'_>) -> Outcome<&'static Layout> {
    let access = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::SHARED | MapFlags::NORESERVE;
    // SAFETY: a fresh mapping at an address of the kernel's choice.
    let mapped =
        unsafe { rustix::mm::mmap(std::ptr::null_mut(), size_of::<Layout>(), access, flags, file, 0) };
    let address =
        mapped.map_err(|e| Fault::internal(format_args!("cannot map the machine's shared part: {e}")))?;
    // SAFETY: the mapping is page-aligned, as large as a Layout, never unmapped, and its file cannot shrink;
    // a Layout is nothing but atomics and the lock, for which every content, zeroes too, is valid and may
    // change under us.
    Ok(unsafe { &*address.cast::<Layout>() })
}

fn put_text(name: &str, room: &[AtomicU8], text: &str) -> Outcome {
    if text.len() >= room.len() {
        let most = room.len() - 1;
        return Err(Fault::new(
            acl::INVALID_PARAM,
            format_args!("ASCEND_SIM_{name} is longer than {most} bytes"),
        ));
    }
    for (cell, byte) in room.iter().zip(text.bytes()) {
        cell.store(byte, Ordering::Relaxed);
    }
    Ok(())
}

fn text(room: &[AtomicU8]) -> String {
    let bytes = room.iter().map(|cell| cell.load(Ordering::Relaxed)).take_while(|byte| *byte != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned()
}
