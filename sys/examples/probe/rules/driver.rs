// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The driver's own memory calls.

use std::ffi::c_void;

use ascend_acl_sys::Hal;
use ascend_acl_sys::hal::HalPhysical;
use ascend_acl_sys::raw::types as abi;

use super::memory::TOO_MUCH;
use crate::cann::{Cann, address, raw};
use crate::owned::STEP;
use crate::rule::{Answer, Expected, Rule, Stop};

/// Requested address for the driver's own ranges and for ranges of remote memory.
const WISH: usize = 0x1600_0000_0000;
const REMOTE_WISH: usize = 0x2a00_4000_0000;
const META_WISH: usize = 0x17ff_8000_0000;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S70.reserve",
        "What does halMemAddressReserve return for 129 GiB?",
        Expected::By(["driver 3", "driver 3", "success"]),
        "sharing/physical.rs check_length",
        |cann| reserve(cann, TOO_MUCH, 0, 0),
    ),
    Rule::new(
        "S61.share",
        "May a range that devices share (flag 0x100) be reserved at 22 TiB?",
        Expected::By(["success", "success", "driver 65534"]),
        "hal/addresses.rs area",
        |cann| reserve(cann, STEP, WISH, abi::HAL_RESERVE_DEVICE_SHARE),
    ),
    Rule::new(
        "S61.remote",
        "And a range for remote memory (flag 0x200) at 42 TiB?",
        Expected::Always("success"),
        "hal/addresses.rs area",
        |cann| reserve(cann, 1 << 30, REMOTE_WISH, abi::HAL_RESERVE_REMOTE_MAP),
    ),
    Rule::new(
        "S61.meta",
        "And 1 GiB 2 GiB below 24 TiB, with flag 0?",
        Expected::Always("success"),
        "hal/addresses.rs is_meta",
        |cann| reserve(cann, 1 << 30, META_WISH, 0),
    ),
    Rule::new(
        "S63.neighbours",
        "May memory of this process and the same, imported, lie side by side in a range for remote memory?",
        Expected::By(["success, success", "success, success", "success, success"]),
        "sharing/addresses.rs check_neighbours",
        neighbours,
    ),
    Rule::new(
        "S66.host",
        "In what steps does host memory of normal pages come?",
        Expected::Always("4096"),
        "sharing/properties.rs granularity",
        host_step,
    )
    .also(&["2097152"]),
    Rule::new(
        "S68.small",
        "What does halMemRetainAllocationHandle return for 4 KiB of aclrtMalloc?",
        Expected::Always("driver 3"),
        "hal/addresses.rs physical_at",
        |cann| retain(cann, 4096),
    ),
    Rule::new(
        "S68.whole",
        "And for 2 MiB?",
        Expected::Always("success"),
        "hal/addresses.rs physical_at",
        |cann| retain(cann, STEP),
    ),
    Rule::new(
        "hal.register",
        "May host memory be registered with the map types 0 and 3?",
        Expected::Always("success, success"),
        "hal/host.rs direction",
        register,
    ),
    Rule::new(
        "rt.queue",
        "Does rtStreamGetSqid return the hardware queue of a stream?",
        Expected::Always("207000"),
        "rt.rs no_queues",
        queue_of_stream,
    )
    .also(&["success"]),
];

fn reserve(cann: &Cann, bytes: usize, wish: usize, flags: u64) -> Result<Answer, Stop> {
    let outcome = cann.hal()?.reserve(bytes, address(wish), flags);
    if let Ok(start) = outcome {
        // SAFETY: no other code has the addresses.
        unsafe { cann.hal()?.release_range(start) }?;
    }
    Answer::from_outcome(&outcome)
}

fn properties(side: u32, device: u32, pages: u32, kind: u32) -> abi::drv_mem_prop {
    abi::drv_mem_prop { side, devid: device, module_id: 0, pg_type: pages, mem_type: kind, reserve: 0 }
}

/// Driver resources of a probe, in release order.
struct Taken<'a> {
    hal: &'a Hal,
    mapped: Vec<*mut c_void>,
    blocks: Vec<HalPhysical>,
    range: *mut c_void,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        for start in &self.mapped {
            // SAFETY: no task uses the mapping.
            let _ = unsafe { self.hal.unmap(*start) };
        }
        for blocks in &self.blocks {
            // SAFETY: the probe is done with it.
            let _ = unsafe { self.hal.release(*blocks) };
        }
        // SAFETY: the range is no longer mapped.
        let _ = unsafe { self.hal.release_range(self.range) };
    }
}

fn neighbours(cann: &Cann) -> Result<Answer, Stop> {
    let (hal, device) = (cann.hal()?, cann.logical()?);
    let range = hal.reserve(1 << 30, address(REMOTE_WISH), abi::HAL_RESERVE_REMOTE_MAP)?;
    let mut taken = Taken { hal, mapped: Vec::new(), blocks: Vec::new(), range };
    let wanted = properties(abi::HAL_MEM_SIDE_DEVICE, device, abi::HAL_MEM_PAGE_HUGE, abi::HAL_MEM_TYPE_HBM);
    let own = hal.create(STEP, &wanted)?;
    taken.blocks.push(own);
    let exported = hal.export_fabric(own);
    let Ok(shared) = exported else { return Answer::from_outcome(&exported) };
    let imported = hal.import_fabric(&shared, device)?;
    taken.blocks.push(imported);
    let mut outcomes = Vec::new();
    for (index, blocks) in [own, imported].into_iter().enumerate() {
        let at = range.wrapping_byte_add(index * STEP);
        // SAFETY: the range is ours, and nothing is there.
        let outcome = unsafe { hal.map(at, STEP, blocks) };
        if outcome.is_ok() {
            taken.mapped.push(at);
        }
        outcomes.push(outcome);
    }
    Answer::of_all(&outcomes)
}

fn host_step(cann: &Cann) -> Result<Answer, Stop> {
    let wanted = properties(abi::HAL_MEM_SIDE_HOST, 0, abi::HAL_MEM_PAGE_NORMAL, abi::HAL_MEM_TYPE_DDR);
    let outcome = cann.hal()?.granularity(&wanted, abi::HAL_GRANULARITY_MINIMUM);
    match outcome {
        Ok(bytes) => Ok(Answer::value(bytes.to_string())),
        Err(_) => Answer::from_outcome(&outcome),
    }
}

fn retain(cann: &Cann, bytes: usize) -> Result<Answer, Stop> {
    let hal = cann.hal()?;
    let memory = cann.memory(bytes)?;
    let outcome = hal.retain(memory.it);
    if let Ok(blocks) = outcome {
        // SAFETY: no other code has the handle.
        unsafe { hal.release(blocks) }?;
    }
    Answer::from_outcome(&outcome)
}

fn register(cann: &Cann) -> Result<Answer, Stop> {
    let (hal, device) = (cann.hal()?, cann.logical()?);
    let mut outcomes = Vec::new();
    for kind in [abi::HAL_HOST_MEM_MAP_DEV, abi::HAL_HOST_MEM_MAP_DEV_PCIE_THROUGH] {
        let pages = super::memory::Pages::new()?;
        let mut found = std::ptr::null_mut();
        let bytes = super::memory::PAGE as u64;
        let outcome = raw!(hal, halHostRegister(pages.start(), bytes, kind, device, &raw mut found))?;
        if outcome.is_ok() {
            raw!(hal, halHostUnregisterEx(pages.start(), device, kind))??;
        }
        outcomes.push(outcome);
    }
    Answer::of_all(&outcomes)
}

fn queue_of_stream(cann: &Cann) -> Result<Answer, Stop> {
    let (rt, stream) = (cann.rt()?, cann.stream()?);
    let mut queue = 0;
    Answer::from_outcome(&raw!(rt, rtStreamGetSqid(stream.it.as_raw(), &raw mut queue))?)
}
