// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Meta area: the directory of objects for kernels, 32 MiB of device memory at an address that every kernel
//! knows.
//!
//! ```text
//! count of objects, 128 bytes | a record of 128 bytes for each id | … | a page of 64 KiB for each id: the
//! user's context
//! ```
//! A process has one, for all its objects; it is freed with the last of them. The kernel interface of an
//! object's family determines its record; a record belongs to one object at a time.
//!
//! Kernels that were built with upstream's headers of 2025 look 1 GiB further up. A second copy is kept
//! there, where the device offers the addresses: each write goes to both places.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::sync::single::Single;
use mf_base::{Error, Kind, MemKind, Result};

use mf_device::engine::Piece;
use mf_device::{Device, Locality, Mover, Transfer, Window};

const OP: &str = "kernels' meta area";

/// The part of the reserved addresses that is mapped: their end.
const AREA_BYTES: u64 = 32 << 20;
const RECORD_BYTES: usize = 128;
const RECORDS: usize = 511;
/// From the beginning of the area to the context pages.
const PAGES: usize = RECORD_BYTES * (RECORDS + 1);
/// Bytes of the context of an object.
pub const CONTEXT_BYTES_MAX: usize = 64 << 10;
const CONTEXT_SIZE_AT: usize = 12;

/// The area of this process.
static AREA: Single<MetaArea> = Single::new();

/// The objects of this process, as kernels see them.
pub struct MetaArea {
    device: Arc<dyn Device>,
    /// The places where present and older kernels look.
    places: Vec<AreaMapping>,
    objects: Mutex<BTreeSet<u32>>,
}

/// One mapping of the area.
struct AreaMapping {
    base: u64,
    /// Unmaps and gives back when it goes.
    _window: Box<dyn Window>,
}

impl AreaMapping {
    /// At the end of these addresses.
    fn new(device: &Arc<dyn Device>, addresses: &Range<u64>) -> Result<Self> {
        let bytes = addresses.end - addresses.start;
        let device = device.windows()?;
        let window = device.reserve(MemKind::Device, addresses.start, bytes, bytes)?;
        let memory = device.allocate(MemKind::Device, AREA_BYTES)?;
        // SAFETY: reserved just now, and not shared yet.
        unsafe { window.map(bytes - AREA_BYTES, &*memory, 0..AREA_BYTES) }?;
        Ok(Self { base: addresses.end - AREA_BYTES, _window: window })
    }
}

/// Data of an object for kernels.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its number, below 511.
    pub id: u32,
    /// The own place.
    pub rank: u32,
    /// Members.
    pub rank_size: u32,
    /// Bytes of its context.
    pub context_bytes: u32,
    /// From one member's memory to the next.
    pub symmetric_bytes: u64,
    /// Address of the first member's memory.
    pub base: u64,
    /// Address of the first member's control area; 0: no control area.
    pub control_base: u64,
    /// From one control area to the next.
    pub control_stride: u64,
}

impl Record {
    /// Encodes the record in the layout that kernels read: id@0, rank@4, ranks@8, bytes of the context@12,
    /// stride@16, then the fields that only our own headers know: base@48, control area@56 and its stride@64.
    fn encode(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        let mut put = |at: usize, value: &[u8]| {
            if let Some(to) = bytes.get_mut(at..at + value.len()) {
                to.copy_from_slice(value);
            }
        };
        put(0, &self.id.to_le_bytes());
        put(4, &self.rank.to_le_bytes());
        put(8, &self.rank_size.to_le_bytes());
        put(CONTEXT_SIZE_AT, &self.context_bytes.to_le_bytes());
        put(16, &self.symmetric_bytes.to_le_bytes());
        put(48, &self.base.to_le_bytes());
        put(56, &self.control_base.to_le_bytes());
        put(64, &self.control_stride.to_le_bytes());
        bytes
    }
}

impl MetaArea {
    /// Returns the area of this process on this device, creating it if absent. `None`: the device runs no
    /// kernels.
    ///
    /// # Errors
    /// `InUse` another device of this process has it · errors of the device.
    pub fn get_or_create(device: &Arc<dyn Device>) -> Result<Option<Arc<Self>>> {
        let fixed = device.windows().map_or(&[][..], |windows| windows.fixed_addresses());
        let [addresses, older @ ..] = fixed else { return Ok(None) };
        let area = AREA.get(|| {
            let mut places = vec![AreaMapping::new(device, addresses)?];
            for addresses in older {
                match AreaMapping::new(device, addresses) {
                    Ok(place) => places.push(place),
                    Err(error) => {
                        tracing::warn!(
                            "kernels that were built with the headers of 2025 find no objects: {error}"
                        );
                    }
                }
            }
            Ok(Arc::new(Self { device: Arc::clone(device), places, objects: Mutex::default() }))
        })?;
        // Each member of a job opens its own, of the same device.
        if (area.device.name(), area.device.number()) == (device.name(), device.number()) {
            return Ok(Some(area));
        }
        Err(Error::new(Kind::InUse, OP)
            .what("another device of this process has its objects there")
            .hint("kernels find the objects of one device a process"))
    }

    /// Publishes an object to kernels.
    ///
    /// # Errors
    /// `Duplicated` another object of this process, or of another family, has the record · errors of the
    /// device.
    pub fn show(self: &Arc<Self>, record: &Record) -> Result<Shown> {
        let (id, mut objects) = (record.id, lock(&self.objects));
        if objects.contains(&id) {
            return Err(Error::new(Kind::Duplicated, OP)
                .what("kernels of this process find another object at this record")
                .with("record", id)
                .hint("use another id, or destroy that object first"));
        }
        self.write(Self::record_at(id), &record.encode())?;
        objects.insert(id);
        if let Err(error) = self.write_count(&objects) {
            objects.remove(&id);
            return Err(error);
        }
        Ok(Shown { area: Arc::clone(self), id })
    }

    fn record_at(id: u32) -> usize {
        RECORD_BYTES + id as usize * RECORD_BYTES
    }

    fn write_count(&self, objects: &BTreeSet<u32>) -> Result<()> {
        self.write(0, &(objects.len() as u64).to_le_bytes())
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        debug_assert!((offset + bytes.len()) as u64 <= AREA_BYTES);
        for place in &self.places {
            // SAFETY: inside the area, which is mapped there while this lives.
            unsafe { write(&self.device, place.base + offset as u64, bytes) }?;
        }
        Ok(())
    }
}

/// An object that is visible to kernels; dropping it hides the object.
pub struct Shown {
    area: Arc<MetaArea>,
    id: u32,
}

impl Shown {
    /// Fills the context page of the object.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_context(&self, context: &[u8]) -> Result<()> {
        let _objects = lock(&self.area.objects);
        let bytes = u32::try_from(context.len()).unwrap_or(u32::MAX);
        self.area.write(PAGES + self.id as usize * CONTEXT_BYTES_MAX, context)?;
        self.area.write(MetaArea::record_at(self.id) + CONTEXT_SIZE_AT, &bytes.to_le_bytes())
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        let mut objects = lock(&self.area.objects);
        objects.remove(&self.id);
        let hidden = self.area.write_count(&objects);
        let hidden = hidden.and_then(|()| self.area.write(MetaArea::record_at(self.id), &[0; RECORD_BYTES]));
        if let Err(error) = hidden {
            tracing::warn!("kernels still find a destroyed object: {error}");
        }
    }
}

/// Copies bytes of the host to device memory.
///
/// # Safety
/// The range at `address` is mapped device memory.
pub(super) unsafe fn write(device: &Arc<dyn Device>, address: u64, bytes: &[u8]) -> Result<()> {
    let piece = Piece { src: bytes.as_ptr(), dst: mf_base::Gva(address).as_ptr(), bytes: bytes.len() as u64 };
    let transfer = Transfer { piece, from: Locality::Host, to: Locality::Device };
    // SAFETY: the source is a slice that lives during the call; the destination is the caller's word.
    unsafe { mover(device)?.copy(&[transfer]) }
}

/// Copies device memory to the host.
///
/// # Safety
/// As [`write()`].
pub(super) unsafe fn read(device: &Arc<dyn Device>, address: u64, bytes: &mut [u8]) -> Result<()> {
    let source: *mut u8 = mf_base::Gva(address).as_ptr();
    let piece = Piece { src: source.cast_const(), dst: bytes.as_mut_ptr(), bytes: bytes.len() as u64 };
    let transfer = Transfer { piece, from: Locality::Device, to: Locality::Host };
    // SAFETY: the destination is a slice that lives during the call; the source is the caller's word.
    unsafe { mover(device)?.copy(&[transfer]) }
}

fn mover(device: &Arc<dyn Device>) -> Result<&dyn Mover> {
    device.mover().ok_or_else(|| {
        Error::new(Kind::Failed, OP).what("the device copies nothing").with("device", device.name())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_match_the_kernel_layout() {
        let record = Record {
            id: 1,
            rank: 2,
            rank_size: 3,
            context_bytes: 4,
            symmetric_bytes: 5,
            base: 6,
            control_base: 7,
            control_stride: 8,
        };
        let bytes = record.encode();
        for (at, value) in [(0, 1), (4, 2), (8, 3), (12, 4), (16, 5), (48, 6), (56, 7), (64, 8)] {
            assert_eq!(bytes[at], value, "at {at}");
            assert_eq!(bytes[at + 1], 0);
        }
        // The last record and the last page are inside.
        assert!(MetaArea::record_at(510) + RECORD_BYTES <= PAGES);
        assert!((PAGES + 511 * CONTEXT_BYTES_MAX) as u64 <= AREA_BYTES);
    }
}
