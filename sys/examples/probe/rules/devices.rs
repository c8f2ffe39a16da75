// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices: count, properties, and interconnects.

use ascend_acl_sys::raw::types as abi;

use crate::cann::{Cann, raw};
use crate::rule::{Answer, Expected, Rule, Start, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S4.no-device",
        "What does aclrtGetDeviceCount return when the process may see no device?",
        Expected::Always("207004"),
        "acl/devices.rs count_devices",
        count,
    )
    .also(&["success, 0 devices"])
    .starting(Start::Initialised)
    .within(&[("ASCEND_RT_VISIBLE_DEVICES", "-1")]),
    Rule::new(
        "S5.reset-again",
        "What does one aclrtResetDevice too many return?",
        Expected::Always("107002"),
        "context/primary.rs reset",
        reset_again,
    )
    .also(&["107001"])
    .starting(Start::Initialised),
    Rule::new(
        "facts.cores",
        "How many cube and vector cores, and how much unified buffer, has a device?",
        Expected::Of(cores_of),
        "product.rs A2, A2_SMALL, A3, A5",
        cores,
    ),
    Rule::new(
        "SDID.layout",
        "Is every super-node device id server << 22 | device << 16 | device?",
        Expected::Always("yes"),
        "device_ids.rs super_node",
        sdid,
    ),
    Rule::new(
        "SDID.attribute",
        "Is the attribute 403 (super-pod device id) the runtime's super-node device id?",
        Expected::Always("yes"),
        "device/facts.rs attribute",
        sdid_attribute,
    ),
    Rule::new(
        "topology.self",
        "Which links does aclrtGetDevicesTopo give from a device to itself?",
        Expected::Always("0x0"),
        "acl/devices.rs links_between",
        |cann| links(cann, cann.device),
    ),
    Rule::new(
        "topology.neighbour",
        "Which links to its neighbour (the number with the last bit flipped; on A3 the other die of the board)?",
        Expected::By(["0x1", "0x20", "0x40"]),
        "config/topology.rs inside_a_server",
        |cann| links(cann, cann.neighbour()?),
    ),
    Rule::new(
        "topology.others",
        "Which links to a device further away (two numbers on)?",
        Expected::By(["0x1", "0x40", "0x40"]),
        "config/topology.rs inside_a_server",
        |cann| links(cann, cann.other(2)?),
    ),
];

fn count(cann: &Cann) -> Result<Answer, Stop> {
    let mut count = 0_u32;
    let outcome = raw!(cann.acl(), aclrtGetDeviceCount(&raw mut count))?;
    if outcome.is_err() {
        Answer::from_outcome(&outcome)
    } else {
        Ok(Answer::value(format!("success, {count} devices")))
    }
}

fn reset_again(cann: &Cann) -> Result<Answer, Stop> {
    cann.acl().set_device(cann.device)?;
    // SAFETY: this process has nothing on the device.
    unsafe { cann.acl().reset_device(cann.device) }?;
    // SAFETY: as above.
    Answer::from_outcome(&unsafe { cann.acl().reset_device(cann.device) })
}

fn cores_of(soc: &str) -> &'static str {
    match soc {
        small if small.starts_with("Ascend910B4") => "20 cube, 40 vector, 196608 bytes",
        a5 if a5.starts_with("Ascend950") || a5.starts_with("Ascend910_95") => {
            "24 cube, 48 vector, 253952 bytes"
        }
        _ => "24 cube, 48 vector, 196608 bytes",
    }
}

fn cores(cann: &Cann) -> Result<Answer, Stop> {
    let fact = |attribute| cann.acl().device_info(cann.device, attribute);
    let cube = fact(abi::ACL_DEV_ATTR_CUBE_CORE_NUM)?;
    let vector = fact(abi::ACL_DEV_ATTR_VECTOR_CORE_NUM)?;
    let buffer = fact(abi::ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE)?;
    Ok(Answer::value(format!("{cube} cube, {vector} vector, {buffer} bytes")))
}

fn sdid(cann: &Cann) -> Result<Answer, Stop> {
    let (acl, rt) = (cann.acl(), cann.rt()?);
    let mut wrong = Vec::new();
    let mut facts = Vec::new();
    for user in 0..acl.device_count()? {
        let fact = |info| rt.device_info(user, info);
        let (id, server) = (fact(abi::RT_INFO_TYPE_SDID)?, fact(abi::RT_INFO_TYPE_SERVER_ID)?);
        let logical = acl.logical_of_user(user.cast_signed())?;
        let device = i64::from(acl.physical_of_logical(logical)?);
        if id != server << 22 | device << 16 | device {
            wrong.push(format!("{device} has {id:#x}"));
        }
        // From these it may be made instead.
        let (chip, die) = (fact(abi::RT_INFO_TYPE_PHY_CHIP_ID), fact(abi::RT_INFO_TYPE_PHY_DIE_ID));
        let part = |part: Result<i64, _>| part.map_or_else(|_| "?".to_owned(), |part| part.to_string());
        facts.push(format!("{id:#x} server {server} chip {} die {} device {device}", part(chip), part(die)));
    }
    let found = if wrong.is_empty() { "yes".to_owned() } else { format!("no, {}", wrong.join(", ")) };
    Ok(Answer { found, text: facts.join("; ") })
}

fn sdid_attribute(cann: &Cann) -> Result<Answer, Stop> {
    let attribute = cann.acl().device_info(cann.device, abi::ACL_DEV_ATTR_SUPER_POD_DEVICE_ID)?;
    let runtime = cann.rt()?.device_info(cann.device.cast_unsigned(), abi::RT_INFO_TYPE_SDID)?;
    let found =
        if attribute == runtime { "yes".to_owned() } else { format!("{attribute:#x}, not {runtime:#x}") };
    Ok(Answer::value(found))
}

fn links(cann: &Cann, other: i32) -> Result<Answer, Stop> {
    Ok(Answer::value(format!("{:#x}", cann.acl().topology(cann.device, other)?)))
}
