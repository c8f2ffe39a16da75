// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the device, and host memory that the device knows.

use std::alloc::Layout;
use std::ffi::c_void;

use ascend_acl_sys::raw::types as abi;

use crate::cann::{Cann, raw};
use crate::rule::{Answer, Expected, Rule, Stop};

/// More than one call may ask for.
pub(super) const TOO_MUCH: usize = 129 << 30;
/// Bytes of the pages of the host, on every machine that CANN runs on at least.
pub(super) const PAGE: usize = 64 << 10;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S36.malloc",
        "What does aclrtMalloc return for 129 GiB?",
        Expected::Always("207001"),
        "acl/memory.rs one_call_at_most",
        malloc_too_much,
    ),
    Rule::new(
        "S39.mapped",
        "May host memory be registered for the device's use (aclrtHostRegister, mapped)?",
        Expected::By(["207000", "success", "success"]),
        "acl/register.rs host_within_reach",
        register_mapped,
    ),
    Rule::new(
        "S39.pinned",
        "May it be registered as pinned only (aclrtHostRegisterV2, 0x10000000)?",
        Expected::Always("success"),
        "acl/register.rs register_v2",
        register_pinned,
    ),
    Rule::new(
        "S39.address",
        "Has mapped host memory the same address for the device?",
        Expected::By(["not mapped", "yes", "yes"]),
        "memory/registered.rs device_address",
        device_address,
    )
    .also(&["no"]),
    Rule::new(
        "S39.engines",
        "Which engines reach host memory (STARS, AI-CPU, AIC, AIV, PCIe DMA, RDMA, SDMA, DVPP, UDMA, CCU)?",
        Expected::By(["0000000000", "1111111000", "1111111011"]),
        "acl/register.rs engine_reaches_host",
        engines,
    ),
];

fn malloc_too_much(cann: &Cann) -> Result<Answer, Stop> {
    let outcome = cann.acl().malloc(TOO_MUCH, abi::ACL_MEM_MALLOC_HUGE_FIRST);
    if let Ok(address) = outcome {
        // SAFETY: no other code has the address.
        unsafe { cann.acl().free(address) }?;
    }
    Answer::from_outcome(&outcome)
}

/// Memory of this process, in whole pages.
pub(super) struct Pages(*mut u8);

impl Pages {
    const LAYOUT: Layout = match Layout::from_size_align(PAGE, PAGE) {
        Ok(layout) => layout,
        Err(_) => Layout::new::<u8>(),
    };

    pub(super) fn new() -> Result<Self, Stop> {
        // SAFETY: the layout is not empty.
        let start = unsafe { std::alloc::alloc_zeroed(Self::LAYOUT) };
        if start.is_null() { Err(Stop::Before("no host memory".to_owned())) } else { Ok(Self(start)) }
    }

    pub(super) fn start(&self) -> *mut c_void {
        self.0.cast()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and the probe has unregistered it.
        unsafe { std::alloc::dealloc(self.0, Self::LAYOUT) };
    }
}

/// Ends a registration, if there is one.
fn unregister(cann: &Cann, pages: &Pages) {
    // SAFETY: no task uses the memory.
    let _ = unsafe { cann.acl().unregister_host(pages.start()) };
}

fn register_mapped(cann: &Cann) -> Result<Answer, Stop> {
    let pages = Pages::new()?;
    // SAFETY: the pages live until they are unregistered.
    let outcome =
        unsafe { cann.acl().register_host(pages.start(), PAGE as u64, abi::ACL_HOST_REGISTER_MAPPED) };
    unregister(cann, &pages);
    Answer::from_outcome(&outcome)
}

fn register_pinned(cann: &Cann) -> Result<Answer, Stop> {
    let pages = Pages::new()?;
    // SAFETY: as above.
    let outcome =
        unsafe { cann.acl().register_host_v2(pages.start(), PAGE as u64, abi::ACL_HOST_REG_PINNED) };
    unregister(cann, &pages);
    Answer::from_outcome(&outcome)
}

fn device_address(cann: &Cann) -> Result<Answer, Stop> {
    let pages = Pages::new()?;
    // SAFETY: as above.
    let outcome =
        unsafe { cann.acl().register_host(pages.start(), PAGE as u64, abi::ACL_HOST_REGISTER_MAPPED) };
    unregister(cann, &pages);
    Ok(match outcome {
        Ok(device) if device == pages.start() => Answer::value("yes"),
        Ok(device) => Answer { found: "no".to_owned(), text: format!("{:p} is {device:p}", pages.start()) },
        Err(error) => Answer { found: "not mapped".to_owned(), text: error.to_string() },
    })
}

fn engines(cann: &Cann) -> Result<Answer, Stop> {
    let mut found = String::new();
    for engine in abi::ACL_RT_HAC_TYPE_STARS..=abi::ACL_RT_HAC_TYPE_CCU {
        let mut can = 0;
        let device = cann.device.cast_unsigned();
        let outcome = raw!(cann.acl(), aclrtHostMemMapCapabilities(device, engine, &raw mut can))?;
        found.push_str(if outcome.is_err() {
            "?"
        } else if can == 1 {
            "1"
        } else {
            "0"
        });
    }
    Ok(Answer::value(found))
}
