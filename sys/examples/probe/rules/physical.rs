// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory: kinds, granularity, and what of it may be exported.

use ascend_acl_sys::AclError;
use ascend_acl_sys::acl::{Granularity, Location, PidCheck, ShareableKind};
use ascend_acl_sys::raw::types as abi;

use crate::cann::{Cann, raw};
use crate::owned::STEP;
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S25.normal",
        "In what steps does device memory of normal pages come?",
        Expected::Always("2097152"),
        "sharing/properties.rs granularity",
        |cann| granularity(cann, abi::ACL_HBM_MEM_NORMAL, cann.here()),
    ),
    Rule::new(
        "S25.contradiction",
        "What does asking for the step of HBM on the host return?",
        Expected::Always("107000"),
        "sharing/properties.rs check",
        |cann| granularity(cann, abi::ACL_HBM_MEM_HUGE, Location::Host),
    )
    .also(&["100000"]),
    Rule::new(
        "S25.option",
        "What does an option that does not exist return?",
        Expected::Always("100000"),
        "acl/virtual_memory/physical.rs find_granularity",
        unknown_option,
    )
    .also(&["107000"]),
    Rule::new(
        "S26.no-pages",
        "What does aclrtMallocPhysical return for the kind HBM (1), which says nothing of pages?",
        Expected::Always("107000"),
        "acl/virtual_memory/physical.rs KINDS",
        |cann| create(cann, abi::ACL_HBM_MEM, cann.here()),
    ),
    Rule::new(
        "S26.host",
        "May physical memory be on the host (huge pages)?",
        Expected::Always("success"),
        "acl/virtual_memory/physical.rs create",
        |cann| create(cann, abi::ACL_DDR_MEM_HUGE, Location::Host),
    ),
    Rule::new(
        "S26.numa",
        "What does a NUMA node that does not exist return?",
        Expected::Always("107000"),
        "sharing/properties.rs node",
        |cann| create(cann, abi::ACL_DDR_MEM_HUGE, Location::HostNuma(4000)),
    ),
    Rule::new(
        "S31.fabric",
        "May device memory be exported for the fabric?",
        Expected::By(["207000", "success", "207000"]),
        "acl/virtual_memory/share.rs form",
        |cann| export_v2(cann, abi::ACL_HBM_MEM_HUGE, cann.here()),
    ),
    Rule::new(
        "S31.host-fabric",
        "May host memory be exported for the fabric?",
        Expected::By(["207000", "success", "207000"]),
        "sharing/export.rs export",
        |cann| export_v2(cann, abi::ACL_DDR_MEM_HUGE, Location::Host),
    ),
    Rule::new(
        "S31.host",
        "May host memory be exported as a number (aclrtMemExportToShareableHandle)?",
        Expected::Always("207000"),
        "sharing/export.rs export",
        export_host,
    ),
];

fn granularity(cann: &Cann, kind: abi::aclrtMemAttr, location: Location) -> Result<Answer, Stop> {
    let outcome = cann.acl().granularity(&cann.physical(kind, location), Granularity::Minimum);
    match outcome {
        Ok(bytes) => Ok(Answer::value(bytes.to_string())),
        Err(_) => Answer::from_outcome(&outcome),
    }
}

fn unknown_option(cann: &Cann) -> Result<Answer, Stop> {
    let mut wanted = cann.physical(abi::ACL_HBM_MEM_HUGE, cann.here());
    let mut bytes = 0;
    let option = abi::ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED + 6;
    let outcome =
        raw!(cann.acl(), aclrtMemGetAllocationGranularity(&raw mut wanted, option, &raw mut bytes))?;
    Answer::from_outcome(&outcome)
}

fn create(cann: &Cann, kind: abi::aclrtMemAttr, location: Location) -> Result<Answer, Stop> {
    let outcome = cann.acl().malloc_physical(STEP, &cann.physical(kind, location));
    if let Ok(blocks) = outcome {
        // SAFETY: no other code has the handle.
        unsafe { cann.acl().free_physical(blocks) }?;
    }
    Answer::from_outcome(&outcome)
}

fn export_v2(cann: &Cann, kind: abi::aclrtMemAttr, location: Location) -> Result<Answer, Stop> {
    let blocks = cann.blocks(STEP, &cann.physical(kind, location))?;
    let outcome = cann.acl().export_v2(blocks.it, ShareableKind::Fabric, PidCheck::Anyone);
    Answer::from_outcome(&outcome)
}

fn export_host(cann: &Cann) -> Result<Answer, Stop> {
    let blocks = cann.blocks(STEP, &cann.physical(abi::ACL_DDR_MEM_HUGE, Location::Host))?;
    let outcome: Result<u64, AclError> = cann.acl().export(blocks.it, PidCheck::Anyone);
    Answer::from_outcome(&outcome)
}
