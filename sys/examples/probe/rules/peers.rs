// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to other devices.

use ascend_acl_sys::acl::CopyKind;

use crate::cann::Cann;
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S38.self",
        "What does aclrtDeviceEnablePeerAccess return for the device itself?",
        Expected::Always("107000"),
        "acl/peer.rs peer_of",
        |cann| Answer::from_outcome(&cann.acl().enable_peer(cann.device)),
    )
    .also(&["107001"]),
    Rule::new(
        "S38.disable",
        "What does aclrtDeviceDisablePeerAccess return for access that is not enabled?",
        Expected::Always("107000"),
        "acl/peer.rs disable",
        |cann| Answer::from_outcome(&cann.acl().disable_peer(cann.other(1)?)),
    ),
    Rule::new(
        "S38.context",
        "Is access that one context enabled there for another context of the device, too?",
        Expected::Always("yes"),
        "memory/rights.rs reaches",
        other_context,
    ),
    Rule::new(
        "S18.copy",
        "What does a copy from another device return when access was not enabled?",
        Expected::By(["107000", "success", "107000"]),
        "memory/rights.rs foreign",
        copy_without_access,
    ),
];

fn other_context(cann: &Cann) -> Result<Answer, Stop> {
    let acl = cann.acl();
    let other = cann.other(1)?;
    acl.enable_peer(other)?;
    let first = acl.context()?;
    let second = acl.create_context(cann.device)?;
    let enabled = acl.peer_is_enabled(cann.device, other);
    acl.set_context(first)?;
    // SAFETY: nothing was made in it.
    unsafe { acl.destroy_context(second) }?;
    acl.disable_peer(other)?;
    Ok(Answer::value(if enabled? { "yes" } else { "no" }))
}

fn copy_without_access(cann: &Cann) -> Result<Answer, Stop> {
    const BYTES: usize = 4096;
    let acl = cann.acl();
    let other = cann.other(1)?;
    let own = cann.memory(BYTES)?;
    let context = acl.context()?;
    acl.set_device(other)?;
    let peer = cann.memory(BYTES)?;
    acl.set_context(context)?;
    // SAFETY: both are ours and that long.
    let outcome = unsafe { acl.memcpy(own.it, BYTES, peer.it, BYTES, CopyKind::DeviceToDevice) };
    Answer::from_outcome(&outcome)
}
