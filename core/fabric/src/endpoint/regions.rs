// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The registered memory of a process, as others reach it: each access is decided here, when it happens.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use mf_base::sync::eventcount::EventCount;
use mf_base::sync::fences::Fences;
use mf_base::sync::{read, write};
use mf_base::{Error, Gva, Kind, Result};
use mf_device::{Access, Devices, Exported, Locality};
use mf_net::Contributor;
use mf_transport::{Backing, Grant, InFile, Peer, RANGES_MAX, Range, Spot, not_together};

use super::allocation::{Allocation, next_id};
use super::notification::{NOTIFICATION_BYTES_MAX, NOTIFICATIONS, Receiver};
use super::range_table::RangeTable;

const OP: &str = "registered memory";
/// A grant carries so many grants of following ranges (`MORE`), up to a total of so many (`MOST`).
const MORE: usize = 16;
const MOST: usize = 64;

/// Device memory under a number; `None` if it cannot be exported.
type Export = (u64, Option<Arc<Exported>>);

/// Registered ranges, and the memory that was allocated for them.
pub(super) struct Regions {
    table: RwLock<RangeTable>,
    withdrawals: AtomicU64,
    allocations: RwLock<BTreeMap<u64, Arc<Allocation>>>,
    /// Registered device memory that others have asked for, by start and end.
    exports: RwLock<BTreeMap<(u64, u64), Export>>,
    devices: Devices,
    receiver: Arc<dyn Receiver>,
    /// Rung when a transport has written here.
    written: EventCount,
}

impl Regions {
    pub(super) fn new(devices: Devices, receiver: Arc<dyn Receiver>) -> Self {
        let (table, allocations, exports) = (RwLock::default(), RwLock::default(), RwLock::default());
        let (withdrawals, written) = (AtomicU64::new(0), EventCount::new());
        Self { table, withdrawals, allocations, exports, devices, receiver, written }
    }

    /// Returns the eventcount of writes by transports. Processes that map this memory do not notify it.
    pub(super) fn written(&self) -> &EventCount {
        &self.written
    }

    /// Changes the table; no range is accessed meanwhile.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut RangeTable) -> T) -> T {
        change(&mut write(&self.table))
    }

    /// The same, for a change that takes memory away.
    pub(super) fn withdraw<T>(&self, change: impl FnOnce(&mut RangeTable) -> T) -> T {
        let mut table = write(&self.table);
        // Under the lock: a reader of the new number finds the new table.
        self.withdrawals.fetch_add(1, Ordering::Release);
        change(&mut table)
    }

    /// Returns the number of withdrawals.
    pub(super) fn withdrawals(&self) -> u64 {
        self.withdrawals.load(Ordering::Acquire)
    }

    /// Returns true if all of a range lies in one registered range.
    pub(super) fn covers(&self, address: u64, bytes: u64) -> bool {
        read(&self.table).find(address, bytes).is_some()
    }

    /// Hands bytes that were put where notifications go to the receiver.
    #[cold]
    fn receive(&self, bytes: u64, touch: &mut dyn FnMut(Spot<'_>)) -> Result<()> {
        let length = usize::try_from(bytes).ok().filter(|length| *length <= NOTIFICATION_BYTES_MAX);
        let length = length.ok_or_else(|| {
            let too_long = Error::invalid(OP, "a notification is too long").with("bytes", bytes);
            too_long.with("most", NOTIFICATION_BYTES_MAX)
        })?;
        self.receiver.receive(&mut || {
            let mut message = vec![0; length];
            touch(Spot::Host(message.as_mut_ptr()));
            message
        })
    }

    /// Returns the number of registered ranges.
    pub(super) fn count(&self) -> usize {
        read(&self.table).len()
    }

    /// Memory that others may map.
    pub(super) fn insert(&self, allocation: Arc<Allocation>) {
        write(&self.allocations).insert(allocation.start(), allocation);
    }

    /// All memory that others may map.
    pub(super) fn allocations(&self) -> Vec<Arc<Allocation>> {
        read(&self.allocations).values().cloned().collect()
    }

    /// Returns the end of an allocation.
    pub(super) fn end_of(&self, start: u64) -> Option<u64> {
        read(&self.allocations).get(&start).map(|allocation| start + allocation.bytes())
    }

    /// Frees an allocation after all its ranges were withdrawn. Returns its number.
    pub(super) fn free(&self, start: u64) -> Option<u64> {
        write(&self.allocations).remove(&start).map(|allocation| allocation.id())
    }

    /// Returns number and range of the allocation that contains an address.
    fn allocation(&self, address: u64) -> Option<(u64, u64, u64)> {
        let allocations = read(&self.allocations);
        let (start, allocation) = allocations.range(..=address).next_back()?;
        let end = start + allocation.bytes();
        (address < end).then_some((allocation.id(), *start, end))
    }

    fn locality(&self, address: u64) -> Locality {
        self.devices.mover().map_or(Locality::Host, |mover| mover.locality(address))
    }

    /// Returns the grant on a registered range, for an access that begins at `address`.
    fn granted(&self, (start, end): (u64, u64), address: u64) -> Grant {
        if self.locality(address) == Locality::Device {
            return Grant { start, end, backing: self.exported(start, end) };
        }
        self.granted_of_host((start, end), address)
    }

    /// The same of host memory.
    fn granted_of_host(&self, (start, end): (u64, u64), address: u64) -> Grant {
        let Some((id, first, last)) = self.allocation(address) else {
            return Grant { start, end, backing: Backing::Private };
        };
        let (start, end) = (start.max(first), end.min(last));
        Grant { start, end, backing: Backing::File(InFile { id, offset: start - first }) }
    }

    /// Returns the export of device memory, which is made at the first request.
    fn exported(&self, start: u64, end: u64) -> Backing {
        let mut exports = write(&self.exports);
        let (id, exported) = exports.entry((start, end)).or_insert_with(|| {
            let exported = self.devices.mover().and_then(|mover| {
                let exported = mover.export(start, end - start);
                exported
                    .inspect_err(|error| tracing::debug!("others of the host cannot map it: {error}"))
                    .ok()
            });
            (next_id(), exported)
        });
        if exported.is_some() { Backing::Device(*id) } else { Backing::Elsewhere }
    }

    /// Returns exports of memory that is no longer registered: their numbers, and their handles.
    pub(super) fn stale_exports(&self) -> Vec<Export> {
        if read(&self.exports).is_empty() {
            return Vec::new();
        }
        let table = read(&self.table);
        let mut stale = Vec::new();
        write(&self.exports).retain(|&(start, end), (id, exported)| {
            let is_there = table.find(start, end - start) == Some((start, end));
            if !is_there {
                stale.push((*id, exported.take()));
            }
            is_there
        });
        stale
    }
}

impl Regions {
    /// The memory of a range that is registered in `table`.
    fn spot(&self, table: &RangeTable, address: u64, bytes: u64) -> Result<Spot<'_>> {
        table.find(address, bytes).ok_or_else(|| not_registered(address, bytes))?;
        // Of the own allocations as of pools, the memory stays while it is registered.
        let is_own = || {
            let end = address.checked_add(bytes);
            self.allocation(address).zip(end).is_some_and(|((_, _, last), end)| end <= last)
        };
        Ok(match self.devices.mover() {
            Some(mover) if mover.locality(address) == Locality::Device => Spot::Device { address, mover },
            _ if is_own() => Spot::Host(Gva(address).as_ptr()),
            _ => Spot::Program(Gva(address).as_ptr()),
        })
    }
}

impl Contributor for Regions {
    fn access(
        &self,
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        if address == NOTIFICATIONS && access == Access::Write {
            return self.receive(bytes, touch);
        }
        // Held during the access: a withdrawal waits for it.
        let table = read(&self.table);
        touch(self.spot(&table, address, bytes)?);
        if access == Access::Write {
            // Pairs with the fence of a thread that is about to sleep.
            Fences::FULL.light();
            self.written.notify();
        }
        Ok(())
    }

    fn read_all(&self, ranges: &[Range], touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        // Held during the access, as in `access`.
        let table = read(&self.table);
        let mut spots = [Spot::Host(std::ptr::null_mut()); RANGES_MAX];
        for (spot, &(address, bytes)) in spots.iter_mut().zip(ranges) {
            *spot = self.spot(&table, address, bytes)?;
        }
        touch(spots.get(..ranges.len()).ok_or_else(|| not_together(ranges.len()))?);
        Ok(())
    }

    fn grant(&self, address: u64, bytes: u64, more: &mut Vec<Grant>) -> Result<Grant> {
        let table = read(&self.table);
        let range = table.find(address, bytes).ok_or_else(|| not_registered(address, bytes))?;
        let grant = self.granted(range, address);
        // A range that is larger than the memory of its file is not backed by that file.
        let covers = address >= grant.start && address + bytes <= grant.end;
        let grant =
            if covers { grant } else { Grant { start: range.0, end: range.1, backing: Backing::Private } };
        let room = MOST.saturating_sub(more.len()).min(MORE);
        // Device memory is exported, and imported there, when it is asked for.
        let behind = table.behind(range.0).take(room);
        let behind = behind.filter(|range| self.locality(range.0) == Locality::Host);
        more.extend(behind.map(|range| self.granted_of_host(range, range.0)));
        Ok(grant)
    }

    fn file(&self, id: u64) -> Result<(OwnedFd, u64)> {
        let allocations = read(&self.allocations);
        let gone = || Error::new(Kind::NotExist, OP).what("this memory was freed").with("file", id);
        let allocation = allocations.values().find(|allocation| allocation.id() == id).ok_or_else(gone)?;
        allocation.descriptor()
    }

    fn device(&self, id: u64) -> Result<Vec<u8>> {
        let exports = read(&self.exports);
        let exported =
            exports.values().find(|(number, _)| *number == id).and_then(|(_, exported)| exported.as_ref());
        let gone = || Error::new(Kind::NotExist, OP).what("this memory was withdrawn").with("number", id);
        Ok(exported.ok_or_else(gone)?.value().clone())
    }

    fn message(&self, from: Peer, _: &[u8]) {
        tracing::debug!("a message of {from} to registered memory means nothing");
    }
}

#[cold]
fn not_registered(address: u64, bytes: u64) -> Error {
    Error::invalid(OP, "the range is not inside one registered range of its owner")
        .with("address", format_args!("{address:#x}"))
        .with("bytes", bytes)
        .hint("the owner registers it first and passes on its address; check address and length")
}
