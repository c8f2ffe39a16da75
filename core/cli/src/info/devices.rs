// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices for pools; for missing ones, the searched libraries and places.

use std::collections::BTreeMap;
use std::sync::Arc;

use mf_base::ByteLen;
use mf_base::settings::{Switch, settings};
use mf_device::host::HostDevice;
use mf_device::{Capability, Device, Unit, choose, gpu};
use serde_json::json;

use super::machine;
use super::report::Fact;

/// The section of the report.
pub(super) fn summary() -> Vec<Fact> {
    let host = machine::host_memory_text();
    let mut facts = vec![Fact::with_text("host", json!({ "found": true, "what": host }), host)];
    facts.extend(accelerators());
    facts.extend(gpu::report().iter().flat_map(gpus));
    facts
}

fn accelerators() -> Vec<Fact> {
    let choice = match settings() {
        Ok(settings) => settings.device,
        Err(error) => return vec![absent(&error.to_string(), &[])],
    };
    match choose(choice, 0, Arc::new(HostDevice::new(Switch::Auto))) {
        Err(error) => vec![absent(&error.to_string(), &[])],
        Ok((devices, report)) => match devices.accelerator() {
            None => vec![absent("host memory stands in for device memory", &report.lines)],
            Some(accelerator) => present(&**accelerator),
        },
    }
}

/// One vendor of GPUs: its driver and devices, or the reason for their absence.
fn gpus(found: &gpu::Found) -> Vec<Fact> {
    let name = found.vendor.name();
    if let Err(reason) = &found.driver {
        let value = json!({ "found": false, "reason": reason, "searched": found.searched });
        return vec![Fact::with_text(name, value, format!("absent: {reason}"))];
    }
    facts_of_device(name, &found.describe(), &found.capabilities(), &found.units())
}

fn absent(reason: &str, searched: &[String]) -> Fact {
    let mut shown = format!("absent: {reason}");
    for line in searched {
        shown.push_str(&format!("\n    {line}"));
    }
    Fact::with_text("ascend", json!({ "found": false, "reason": reason, "searched": searched }), shown)
}

fn present(accelerator: &dyn Device) -> Vec<Fact> {
    facts_of_device(
        accelerator.name(),
        &accelerator.describe(),
        &accelerator.capabilities(),
        &accelerator.units(),
    )
}

fn facts_of_device(name: &str, what: &str, capabilities: &[Capability], units: &[Unit]) -> Vec<Fact> {
    let mut shown = what.to_owned();
    for capability in capabilities {
        let mark = if capability.available { "yes" } else { "no" };
        shown.push_str(&format!("\n    {mark:<3} {}: {}", capability.name, capability.reason));
    }
    let listed: Vec<_> = capabilities
        .iter()
        .map(|c| json!({ "name": c.name, "available": c.available, "reason": c.reason }))
        .collect();
    let mut facts =
        vec![Fact::with_text(name, json!({ "found": true, "what": what, "capabilities": listed }), shown)];
    let unit = |unit: &Unit| Fact::with_text(format!("{name} {}", unit.index), value(unit), line(unit));
    facts.extend(units.iter().map(unit));
    facts
}

fn value(unit: &Unit) -> serde_json::Value {
    let links: Vec<_> =
        unit.links.iter().map(|(other, link)| json!({ "device": other, "link": link })).collect();
    json!({ "free_bytes": unit.free_bytes, "total_bytes": unit.total_bytes, "links": links })
}

/// For example: `63.9 GiB of 64 GiB free; HCCS to 1, 2`.
fn line(unit: &Unit) -> String {
    let mut by_link: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (other, link) in &unit.links {
        by_link.entry(link).or_default().push(other.to_string());
    }
    let links: Vec<String> =
        by_link.iter().map(|(link, others)| format!("{link} to {}", others.join(", "))).collect();
    let links = if links.is_empty() { "no links".to_owned() } else { links.join("; ") };
    format!("{} of {} free; {links}", ByteLen(unit.free_bytes), ByteLen(unit.total_bytes))
}
