// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory that handles stand for.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, Weak};

use mf_base::sync::lock;

use super::export::Export;
use super::properties::Properties;
use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::handles::HandleTable;
use crate::machine::machine;
use crate::memory::Block;
use crate::product::Line;
use crate::session::Location;

/// Physical memory. See the essay of [`super`] for what lives as long as it.
pub struct Physical {
    /// The memory.
    pub block: Arc<Block>,
    /// Mapped bytes: all, except an allocation's unused end.
    pub bytes: u64,
    /// Properties of the memory.
    pub properties: Properties,
    /// Physical number of the device it was imported for; `None` if it was created here.
    pub importer: Option<u32>,
    /// Its shareable handle, of which there is one at most.
    pub(super) export: Mutex<Option<Export>>,
}

pub(super) static ACL_HANDLES: LazyLock<HandleTable<Arc<Physical>>> =
    LazyLock::new(|| HandleTable::new("physical memory"));
pub(super) static HAL_HANDLES: LazyLock<HandleTable<Arc<Physical>>> =
    LazyLock::new(|| HandleTable::new("physical memory"));

/// Handles of ACL.
///
/// # Errors
/// The machine's own.
pub fn acl_handles() -> Outcome<&'static HandleTable<Arc<Physical>>> {
    machine()?;
    Ok(&ACL_HANDLES)
}

/// Handles of the driver.
///
/// # Errors
/// The machine's own.
pub fn hal_handles() -> Outcome<&'static HandleTable<Arc<Physical>>> {
    machine()?;
    Ok(&HAL_HANDLES)
}

/// Returns true if memory at `location`, possibly imported for `importer`, is released when `device` is
/// reset.
pub(super) fn belongs(location: Location, importer: Option<u32>, device: u32) -> bool {
    importer.map_or(location == Location::Device(device), |importer| importer == device)
}

/// Longest reservation and largest block of lines before the 950, in bytes.
const LONGEST: u64 = 128 << 30;

/// Refuses a reservation or block that is too large for the product.
///
/// # Errors
/// 107000.
pub fn check_length(bytes: u64) -> Outcome {
    let limited = machine()?.product.line != Line::A5;
    ensure(!limited || bytes <= LONGEST, acl::RT_PARAM_INVALID, || {
        format!("{bytes} bytes in one call, the limit is {LONGEST}")
    })
}

impl Physical {
    /// New memory.
    ///
    /// # Errors
    /// 107000 size or kind · 207001 budget used up.
    pub fn create(bytes: u64, properties: Properties) -> Outcome<Arc<Self>> {
        properties.check()?;
        let step = properties.granularity();
        ensure(bytes != 0 && bytes.is_multiple_of(step), acl::RT_PARAM_INVALID, || {
            format!("the size {bytes} is not a multiple of the granularity {step}")
        })?;
        check_length(bytes)?;
        let block = Block::create(properties.location(), bytes, bytes, properties.page)?;
        Self::of_block(&block, bytes, properties, None)
    }

    /// The memory that `block` is, which may be known already.
    ///
    /// # Errors
    /// None at present.
    pub fn of_block(
        block: &Arc<Block>,
        bytes: u64,
        properties: Properties,
        importer: Option<u32>,
    ) -> Outcome<Arc<Self>> {
        machine()?;
        Ok(KNOWN.get_or_insert(block, || Self {
            block: Arc::clone(block),
            bytes,
            properties,
            importer,
            export: Mutex::default(),
        }))
    }

    /// Returns true if it is released when this device is reset.
    pub(super) fn belongs_to(&self, device: u32) -> bool {
        belongs(self.block.location, self.importer, device)
    }
}

impl Drop for Physical {
    fn drop(&mut self) {
        KNOWN.forget(&self.block);
    }
}

/// Which block has which [`Physical`], so that a handle taken from a mapping stands for the same one.
#[derive(Default)]
struct PhysicalIndex(Mutex<HashMap<usize, Weak<Physical>>>);

static KNOWN: LazyLock<PhysicalIndex> = LazyLock::new(PhysicalIndex::default);

impl PhysicalIndex {
    fn get_or_insert(&self, block: &Arc<Block>, make: impl FnOnce() -> Physical) -> Arc<Physical> {
        let mut known = lock(&self.0);
        let place = known.entry(Arc::as_ptr(block).addr()).or_default();
        place.upgrade().unwrap_or_else(|| {
            let physical = Arc::new(make());
            *place = Arc::downgrade(&physical);
            physical
        })
    }

    fn forget(&self, block: &Arc<Block>) {
        let mut known = lock(&self.0);
        let key = Arc::as_ptr(block).addr();
        // A successor may have been made between the last handle's end and this.
        if known.get(&key).is_some_and(|physical| physical.strong_count() == 0) {
            known.remove(&key);
        }
    }
}
