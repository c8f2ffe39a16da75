// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserved addresses of this process, and their mappings.
//!
//! One lock covers all reservations, so that mapping and unmapping are one step each. It is held while an
//! unmapping waits for the bytes that move through the mapping; moving bytes never takes it.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use ascend_acl_sys::loader::Since;
use mf_base::sync::lock;

use super::physical::{Physical, belongs};
use super::properties::{Properties, STEP, Side};
use crate::codes::acl;
use crate::config;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::region::{ANY_DEVICE, regions};
use crate::memory::space::{Area, space};
use crate::memory::{Access, Block, PageSize, Region, RegionKind, native};
use crate::session::Location;

/// Whom rights are given to: a device by its physical number, or a side of the host.
pub type Party = (Side, u32);

/// All reservations, by start.
#[derive(Default)]
pub struct Addresses(Mutex<BTreeMap<u64, Reservation>>);

pub(super) static ADDRESSES: Addresses = Addresses(Mutex::new(BTreeMap::new()));

/// Reserved addresses of this process, and their mappings.
///
/// # Errors
/// The machine's own.
pub fn addresses() -> Outcome<&'static Addresses> {
    machine()?;
    Ok(&ADDRESSES)
}

struct Reservation {
    range: Range<u64>,
    /// Reserved for memory of other processes; the mapping then carries the access rights.
    remote: bool,
    mappings: BTreeMap<u64, Mapping>,
}

#[derive(Clone)]
struct Mapping {
    block: Arc<Block>,
    bytes: u64,
    properties: Properties,
    importer: Option<u32>,
    view: usize,
    rights: Vec<(Party, Access)>,
}

/// Result of [`Addresses::set_access`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// The rights stand as asked.
    Given,
    /// One of the parties has other rights, which stay.
    Differs,
}

/// Returns the address alignment of a range of so many bytes: the size rounded up to a power of two, at most
/// 1 GiB.
pub fn alignment(bytes: u64) -> u64 {
    bytes.next_power_of_two().clamp(STEP, PageSize::Giant as u64)
}

/// An address as programs hold it.
pub(crate) fn pointer(address: u64) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(native(address))
}

impl Addresses {
    /// Counts the reservations.
    pub fn count(&self) -> usize {
        lock(&self.0).len()
    }

    /// Reserves `bytes` rounded up to 2 MiB, at `at` or anywhere in `area`. `remote`: for memory of other
    /// processes.
    ///
    /// # Errors
    /// 107000 a place that is not aligned · 207001 taken, or the host has no such addresses.
    pub fn reserve(&self, area: Area, at: Option<u64>, bytes: u64, remote: bool) -> Outcome<u64> {
        let bytes = bytes.checked_next_multiple_of(STEP).ok_or_else(|| {
            Fault::new(acl::RT_PARAM_INVALID, format_args!("{bytes} bytes are more than there are"))
        })?;
        let align = alignment(bytes);
        if let Some(at) = at {
            ensure(at.is_multiple_of(align), acl::RT_PARAM_INVALID, || {
                format!("the address {at:#x} for {bytes} bytes is not a multiple of {align:#x}")
            })?;
        }
        let mut reservations = lock(&self.0);
        let range = space()?.reserve(area, at, bytes, align)?;
        let start = range.start;
        reservations.insert(start, Reservation { range, remote, mappings: BTreeMap::new() });
        Ok(start)
    }

    /// Gives a reservation back in which nothing is mapped.
    ///
    /// # Errors
    /// 107000.
    pub fn release(&self, start: u64) -> Outcome {
        let mut reservations = lock(&self.0);
        let reservation = reservations.get(&start).ok_or_else(|| {
            Fault::new(acl::RT_PARAM_INVALID, format_args!("no reservation starts at {start:#x}"))
        })?;
        if let Some((mapped, _)) = reservation.mappings.first_key_value() {
            let count = reservation.mappings.len();
            let text = format_args!("{count} mappings are left in the reservation, the first at {mapped:#x}");
            return Err(Fault::new(acl::RT_PARAM_INVALID, text));
        }
        space()?.release(&reservation.range);
        reservations.remove(&start);
        Ok(())
    }

    /// Returns true if `address` is reserved.
    pub fn is_reserved(&self, address: u64) -> bool {
        lock(&self.0).range(..=address).next_back().is_some_and(|(_, r)| r.range.contains(&address))
    }

    /// Maps the whole of `physical` at `start`.
    ///
    /// # Errors
    /// 107000 size, place or neighbours · 207000 host memory where the product's devices do not reach it ·
    /// 207001 the host refuses.
    pub fn map(&self, start: u64, bytes: u64, physical: &Physical) -> Outcome {
        let block = &physical.block;
        let refuse = |text: String| Err(Fault::new(acl::RT_PARAM_INVALID, text));
        if bytes != physical.bytes {
            return refuse(format!(
                "the size {bytes} is not that of the physical memory, {}",
                physical.bytes
            ));
        }
        let step = physical.properties.granularity().max(STEP);
        if !start.is_multiple_of(step) {
            return refuse(format!("the address {start:#x} is not a multiple of {step:#x}"));
        }
        let mut reservations = lock(&self.0);
        let Some(reservation) = holding(&mut reservations, start) else {
            return refuse(format!("the address {start:#x} is not reserved"));
        };
        if bytes > reservation.range.end - start {
            return refuse(format!("{bytes} bytes from {start:#x} end outside the reservation"));
        }
        let end = start + bytes;
        if let Some((taken, _)) = reservation.overlapping(start, end) {
            return refuse(format!("part of the range is mapped already, at {taken:#x}"));
        }
        reservation.check_neighbours(physical)?;
        let machine = machine()?;
        let on_host = matches!(block.location, Location::Host(_));
        ensure(
            !(reservation.remote && on_host) || machine.product.reaches_host,
            acl::FEATURE_NOT_SUPPORT,
            || "devices of this product do not reach host memory".to_owned(),
        )?;
        let rights = match reservation.remote || !sets_rights() {
            true => rights_of_mapping(physical),
            false => Vec::new(),
        };
        let view = space()?.map(start, block, 0..bytes)?;
        regions()?.insert(Region {
            range: start..end,
            kind: RegionKind::Mapped,
            location: block.location,
            block: Some(Arc::clone(block)),
            block_offset: 0,
            view,
            grants: Mutex::new(rights),
            gone: std::sync::RwLock::new(false),
        });
        let Physical { properties, importer, .. } = *physical;
        let mapping =
            Mapping { block: Arc::clone(block), bytes, properties, importer, view, rights: Vec::new() };
        reservation.mappings.insert(start, mapping);
        Ok(())
    }

    /// Takes the mapping away that starts at `start`.
    ///
    /// # Errors
    /// 107000 when none does.
    pub fn unmap(&self, start: u64) -> Outcome {
        let mut reservations = lock(&self.0);
        let reservation = holding(&mut reservations, start);
        let Some(mapping) = reservation.and_then(|reservation| reservation.mappings.remove(&start)) else {
            return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("no mapping starts at {start:#x}")));
        };
        mapping.take_away(start)
    }

    /// The physical memory that is mapped at `address`, anywhere inside the mapping.
    ///
    /// # Errors
    /// 107000 when none is.
    pub fn physical_at(&self, address: u64) -> Outcome<Arc<Physical>> {
        let (_, mapping) = self.mapping_at(address)?;
        Physical::of_block(&mapping.block, mapping.bytes, mapping.properties, mapping.importer)
    }

    /// Gives rights on the whole mapping that starts at `start`.
    ///
    /// # Errors
    /// 107000 when no mapping starts there or it has another size.
    pub fn set_access(&self, start: u64, bytes: u64, wanted: &[(Party, Access)]) -> Outcome<Grant> {
        let mut reservations = lock(&self.0);
        let reservation = holding(&mut reservations, start);
        let Some(mapping) = reservation.and_then(|reservation| reservation.mappings.get_mut(&start)) else {
            return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("no mapping starts at {start:#x}")));
        };
        let size = mapping.bytes;
        ensure(bytes == size, acl::RT_PARAM_INVALID, || {
            format!("the size {bytes} is not that of the mapping at {start:#x}, {size}")
        })?;
        let mut rights = mapping.rights.clone();
        for (party, access) in wanted {
            match rights.iter().find(|(known, _)| known == party) {
                Some((_, given)) if given == access => {}
                Some(_) => return Ok(Grant::Differs),
                None => rights.push((*party, *access)),
            }
        }
        mapping.rights = rights;
        if let Some(region) = regions()?.starting_at(start) {
            let mut grants = lock(&region.grants);
            for ((side, device), access) in wanted {
                if *side == Side::Device {
                    grants.retain(|(known, _)| known != device);
                    grants.push((*device, *access));
                }
            }
        }
        Ok(Grant::Given)
    }

    /// Returns the rights set on the mapping at `address`, or `None` if none were set.
    ///
    /// # Errors
    /// 107000 when nothing is mapped there.
    pub fn access(&self, address: u64, party: Party) -> Outcome<Option<Access>> {
        let (_, mapping) = self.mapping_at(address)?;
        Ok(mapping.rights.iter().find(|(known, _)| *known == party).map(|(_, access)| *access))
    }

    /// Takes away every mapping that goes with a device.
    pub(super) fn unmap_device(&self, device: u32) {
        for reservation in lock(&self.0).values_mut() {
            let goes = |mapping: &Mapping| belongs(mapping.block.location, mapping.importer, device);
            let mappings = std::mem::take(&mut reservation.mappings);
            let (gone, kept): (BTreeMap<_, _>, _) =
                mappings.into_iter().partition(|(_, mapping)| goes(mapping));
            reservation.mappings = kept;
            for (start, mapping) in gone {
                // Only fails when there is no machine.
                let _ = mapping.take_away(start);
            }
        }
    }

    fn mapping_at(&self, address: u64) -> Outcome<(u64, Mapping)> {
        let mut reservations = lock(&self.0);
        let reservation = holding(&mut reservations, address);
        let mapping = reservation.and_then(|reservation| reservation.overlapping(address, address + 1));
        mapping.map(|(start, mapping)| (start, mapping.clone())).ok_or_else(|| {
            Fault::new(acl::RT_PARAM_INVALID, format_args!("nothing is mapped at {address:#x}"))
        })
    }
}

fn holding(reservations: &mut BTreeMap<u64, Reservation>, address: u64) -> Option<&mut Reservation> {
    let (_, reservation) = reservations.range_mut(..=address).next_back()?;
    reservation.range.contains(&address).then_some(reservation)
}

/// Assumed: a release without calls that give rights gives them when memory is mapped, as into a remote
/// range.
fn sets_rights() -> bool {
    config::release_of_process().has(Since::Cann85)
}

/// Rights that come with mapping into a remote range: the importing device has them, and on host memory every
/// device.
fn rights_of_mapping(physical: &Physical) -> Vec<(u32, Access)> {
    if physical.properties.side != Side::Device {
        return vec![(ANY_DEVICE, Access::ReadWrite)];
    }
    physical.importer.map(|importer| (importer, Access::ReadWrite)).into_iter().collect()
}

impl Reservation {
    fn overlapping(&self, start: u64, end: u64) -> Option<(u64, &Mapping)> {
        let (at, mapping) = self.mappings.range(..end).next_back()?;
        (at + mapping.bytes > start).then_some((*at, mapping))
    }

    /// All memory of a reservation is on one device, and all imported or all local.
    ///
    /// Assumed: ranges for remote memory are exempt, because upstream maps its own and all others' memory
    /// side by side.
    fn check_neighbours(&self, physical: &Physical) -> Outcome {
        let first = if self.remote { None } else { self.mappings.first_key_value() };
        let Some((at, mapping)) = first else { return Ok(()) };
        let place = |block: &Block| (block.location, block.imported);
        let (there, here) = (place(&mapping.block), place(&physical.block));
        ensure(there == here, acl::RT_PARAM_INVALID, || {
            let name = |(location, imported): (Location, bool)| {
                format!("{} memory at {location:?}", if imported { "imported" } else { "local" })
            };
            format!("the reservation has {} at {at:#x}; {} cannot join it", name(there), name(here))
        })
    }
}

impl Mapping {
    fn take_away(self, start: u64) -> Outcome {
        regions()?.remove(start);
        space()?.unmap(start, self.bytes, self.view);
        Ok(())
    }
}
