// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies with a kind that contradicts their addresses, and reductions.

use std::time::Duration;

use ascend_acl_sys::acl::CopyKind;
use ascend_acl_sys::raw::types as abi;

use crate::cann::{Cann, raw};
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S14.reversed",
        "What does aclrtMemcpy return for device to host, when it goes from pinned host memory to the device?",
        Expected::Always("107000"),
        "acl/memcpy/direction.rs agrees",
        |cann| copy_to_device(cann, CopyKind::DeviceToHost),
    ),
    Rule::new(
        "S14.host-to-host",
        "And for host to host?",
        Expected::Always("107000"),
        "acl/memcpy/direction.rs agrees",
        |cann| copy_to_device(cann, CopyKind::HostToHost),
    ),
    Rule::new(
        "S14.default",
        "And for the kind that lets CANN find out?",
        Expected::Always("success"),
        "acl/memcpy/direction.rs wants",
        |cann| copy_to_device(cann, CopyKind::Default),
    ),
    Rule::new(
        "reduce.peer",
        "What does aclrtReduceAsync do when its source is memory of another device?",
        Expected::Always("107000"),
        "acl/memcpy/combine.rs check_on_device",
        reduce_from_a_peer,
    ),
];

const BYTES: usize = 4096;

fn copy_to_device(cann: &Cann, kind: CopyKind) -> Result<Answer, Stop> {
    let (device, host) = (cann.memory(BYTES)?, cann.pinned(BYTES)?);
    // SAFETY: both are ours and that long, and no task uses them.
    let outcome = unsafe { cann.acl().memcpy(device.it, BYTES, host.it, BYTES, kind) };
    Answer::from_outcome(&outcome)
}

fn reduce_from_a_peer(cann: &Cann) -> Result<Answer, Stop> {
    let acl = cann.acl();
    let other = cann.other(1)?;
    let (own, stream) = (cann.memory(BYTES)?, cann.stream()?);
    // Peer access may be required to reach the peer's memory; a refusal means that it is not.
    let _ = acl.enable_peer(other);
    let context = acl.context()?;
    acl.set_device(other)?;
    let peer = cann.memory(BYTES)?;
    acl.set_context(context)?;
    let issued = raw!(
        acl,
        aclrtReduceAsync(
            own.it,
            peer.it,
            16,
            abi::ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
            abi::ACL_FLOAT,
            stream.it.as_raw(),
            std::ptr::null_mut()
        )
    )?;
    if issued.is_err() {
        return Answer::from_outcome(&issued);
    }
    Answer::of_all(&[issued, acl.synchronize_stream(stream.it, Some(Duration::from_secs(10)))])
}
