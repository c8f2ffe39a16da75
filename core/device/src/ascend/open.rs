// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opening of a device; capabilities are probed by trying them, as far as trying is harmless.

use std::ops::Range;
use std::sync::Arc;

use ascend_acl_sys::loader::Capability as Sys;
use mf_base::{ByteLen, Error, Kind, Result};

use super::acl_memory::AclMemory;
use super::cann::{Cann, OrRefused};
use super::hal_memory::HalMemory;
use super::host_memory::HostMemory;
use super::peers::Peers;
use super::product::Product;
use super::runtime::{Numbers, Runtime};
use crate::Capability;
use crate::vmm::Physical;

const OP: &str = "open ascend device";

/// The number of devices, in an ACL that is initialised then.
pub(super) fn count(cann: &Cann) -> Result<u32> {
    match cann.acl().init(None) {
        // Other code of the process has initialised it before.
        Err(error) if error.is_repeated() => {}
        done => done.or_refused()?,
    }
    cann.acl().device_count().or_refused()
}

/// Takes device `index` of `count`.
pub(super) fn open(cann: &Cann, index: u32, count: u32) -> Result<Arc<Runtime>> {
    let number = i32::try_from(index).ok().filter(|_| index < count).ok_or_else(|| {
        let error = Error::new(Kind::NotExist, OP).with("index", index).with("devices", count);
        match count {
            0 => error
                .what("CANN sees no device")
                .hint("npu-smi info lists the devices; in a container they have to be passed in"),
            _ => error.what("no device with this number").hint(format!(
                "numbers go from 0 to {}; ASCEND_RT_VISIBLE_DEVICES changes what they mean",
                count - 1
            )),
        }
    })?;
    Runtime::open(cann.clone(), number, choose_memory)
}

/// By which calls device memory is made; ACL's before the driver's.
fn choose_memory(cann: &Cann, numbers: Numbers, peers: &Arc<Peers>) -> Result<Box<dyn Physical>, String> {
    let acl = AclMemory::new(cann.clone(), numbers, Arc::clone(peers));
    let Err(by_acl) = probe(&acl) else { return Ok(Box::new(acl)) };
    let hal = HalMemory::new(cann.clone(), numbers, Arc::clone(peers));
    let Err(by_hal) = probe(&hal) else { return Ok(Box::new(hal)) };
    Err(format!("ACL reserves no addresses that one chooses ({by_acl}), nor does the driver ({by_hal})"))
}

/// Reserves the least that can be reserved, to see whether one may choose the addresses.
///
/// # Errors
/// CANN's answer at the last place tried.
fn probe(physical: &dyn Physical) -> Result<()> {
    const BYTES: u64 = 2 << 20;
    let end = physical.address_ranges().last().map_or(0, |range| range.end);
    let mut outcome = Ok(());
    // From the end, which pools use last, in a few places, as one may be in use.
    for place in 1..=4 {
        let start = end.saturating_sub(place << 30);
        let range = start..start + BYTES;
        outcome = physical.reserve(&range);
        match &outcome {
            // SAFETY: reserved just now, and not shared yet.
            Ok(()) => return unsafe { physical.release(&range) },
            Err(error) if error.kind() == Kind::InUse => {}
            Err(_) => break,
        }
    }
    outcome
}

/// Returns the device's capabilities, present and missing, with reasons.
pub(super) fn capabilities(runtime: &Runtime, host_memory: &HostMemory) -> Vec<Capability> {
    let cann = &runtime.cann;
    let mut list = Vec::new();
    let mut add = |name, available, reason: String| list.push(Capability { name, available, reason });
    match runtime.physical() {
        Ok(physical) => {
            let range = |range: &Range<u64>| format!("{:#x}-{:#x}", range.start, range.end);
            let ranges: Vec<String> = physical.address_ranges().iter().map(range).collect();
            let (ranges, granule) = (ranges.join(" "), ByteLen(physical.granule_bytes()));
            let reason = format!("{} at {ranges}, in blocks of {granule}", physical.describe());
            add("device memory", true, reason);
            add("sharing", true, physical.describe_sharing().to_owned());
        }
        Err(error) => {
            add("device memory", false, error.fact("reason").unwrap_or_default().to_owned());
            add("sharing", false, "no device memory".to_owned());
        }
    }
    if cann.has("aclrtMemcpyBatch") {
        add("batched copies", true, "aclrtMemcpyBatch".to_owned());
    }
    match host_memory.describe() {
        Ok(how) => add("registered host memory", true, how.to_owned()),
        Err(why) => add("registered host memory", false, format!("copies use ordinary memory: {why}")),
    }
    let peers = match &runtime.product {
        Product::Other(soc) => format!("{soc} is not known; peer access is enabled where CANN lets us"),
        product if product.needs_peer_access() => {
            format!("{product}: enabled for each device whose memory is imported")
        }
        product => format!("{product}: nothing has to be enabled"),
    };
    add("copies between devices", true, peers);
    let fabric = runtime.product == Product::A3 && cann.acl().origin().can(Sys::SharingV2);
    let reason = match &runtime.product {
        _ if fabric => {
            "blocks could be shared over the hosts of a super node; pools share them on one host".to_owned()
        }
        Product::A3 => {
            "this CANN shares blocks by the first generation of calls (see shareable handles V2)".to_owned()
        }
        product => format!("{product} shares blocks on one host"),
    };
    add("fabric handles", fabric, reason);
    for lack in cann.acl().origin().lacks() {
        list.push(Capability { name: lack.capability.name(), available: false, reason: lack.to_string() });
    }
    list
}
