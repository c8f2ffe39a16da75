// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserving addresses, and rights to mappings.

use ascend_acl_sys::AclError;
use ascend_acl_sys::acl::{Access, Location};
use ascend_acl_sys::raw::types as abi;

use super::memory::TOO_MUCH;
use crate::cann::{Cann, address, raw};
use crate::owned::STEP;
use crate::rule::{Answer, Expected, Rule, Start, Stop};

/// Requested address that ACL and the driver accept.
const WISH: usize = 0x1500_0000_0000;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "vmm.no-device",
        "What does aclrtReserveMemAddress return to a thread without a device?",
        Expected::Always("107002"),
        "acl/virtual_memory.rs needs_device",
        |cann| reserve(cann, STEP, 0, 0),
    )
    .starting(Start::Initialised),
    Rule::new(
        "S22.alignment",
        "May the alignment be 2 MiB as well as 0?",
        Expected::Always("success"),
        "acl/virtual_memory/addresses.rs check_alignment",
        |cann| reserve(cann, STEP, STEP, 0),
    )
    .also(&["107000", "100000"]),
    Rule::new(
        "S22.hint",
        "May an address be asked for, at 21 TiB?",
        Expected::By(["success", "success", "207000"]),
        "acl/virtual_memory/addresses.rs reserve",
        |cann| reserve(cann, STEP, 0, WISH),
    ),
    Rule::new(
        "S36.reserve",
        "What does reserving 129 GiB return?",
        Expected::By(["107000", "107000", "success"]),
        "sharing/physical.rs check_length",
        |cann| reserve(cann, TOO_MUCH, 0, 0),
    ),
    Rule::new(
        "S30.host",
        "May the host be given rights to a mapping of device memory (aclrtMemSetAccess)?",
        Expected::Always("success"),
        "acl/virtual_memory/addresses.rs set_access",
        |cann| set_access(cann, &[(Location::Host, Access::ReadWrite)]),
    ),
    Rule::new(
        "S30.own",
        "And the device that has the memory?",
        Expected::Always("success"),
        "acl/virtual_memory/addresses.rs set_access",
        |cann| set_access(cann, &[(cann.here(), Access::ReadWrite)]),
    ),
    Rule::new(
        "S65.changed",
        "What does giving other rights the second time return?",
        Expected::Always("success, 507899"),
        "acl/virtual_memory/addresses.rs set_access",
        |cann| set_access(cann, &[(cann.here(), Access::ReadWrite), (cann.here(), Access::Read)]),
    ),
];

fn reserve(cann: &Cann, bytes: usize, alignment: usize, hint: usize) -> Result<Answer, Stop> {
    let mut start = std::ptr::null_mut();
    let outcome =
        raw!(cann.acl(), aclrtReserveMemAddress(&raw mut start, bytes, alignment, address(hint), 0))?;
    if outcome.is_ok() {
        // SAFETY: no other code has the addresses.
        unsafe { cann.acl().release(start) }?;
    }
    Answer::from_outcome(&outcome)
}

fn set_access(cann: &Cann, rights: &[(Location, Access)]) -> Result<Answer, Stop> {
    let blocks = cann.blocks(STEP, &cann.physical(abi::ACL_HBM_MEM_HUGE, cann.here()))?;
    let range = cann.reservation(STEP)?;
    let mapping = cann.mapping(&range, STEP, &blocks)?;
    let set = |(location, access): &(Location, Access)| {
        // SAFETY: no task uses the mapping.
        unsafe { cann.acl().set_access(mapping.it, STEP, *location, *access) }
    };
    let outcomes: Vec<Result<(), AclError>> = rights.iter().map(set).collect();
    Answer::of_all(&outcomes)
}
