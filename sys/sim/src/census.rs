// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Object counts of this process by kind, for leak tests.

use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::hccl::communicator::COMMUNICATORS;
use crate::kernel::binary::BINARIES;
use crate::machine::{Machine, machine};
use crate::memory::RegionKind;
use mf_base::os::descriptor;

type Count = fn(&Machine) -> usize;

/// Every kind. Default streams and primary contexts count, too.
const KINDS: [(&str, Count); 18] = [
    ("context", |machine| machine.devices.contexts.count()),
    ("stream", |machine| machine.devices.streams.count()),
    ("event", |machine| machine.devices.events.count()),
    ("notify", |machine| machine.devices.notifies.count() + machine.devices.count_notifies.count()),
    ("physical", |machine| machine.sharing.acl.count() + machine.sharing.hal.count()),
    ("reservation", |machine| machine.sharing.addresses.count()),
    ("allocation", |machine| regions(machine, RegionKind::Malloc)),
    ("binary", |_| BINARIES.count()),
    ("communicator", |_| COMMUNICATORS.count()),
    ("data", |_| crate::acl::data::counts()),
    ("pool", |_| crate::acl::mem_pool::count()),
    ("graph", |_| crate::stream::capture::GRAPHS.count()),
    ("mapping", |machine| regions(machine, RegionKind::Mapped)),
    ("host-allocation", |machine| regions(machine, RegionKind::HostMalloc)),
    ("host-registration", |machine| machine.memory.registrations.count()),
    ("ipc", |machine| regions(machine, RegionKind::Ipc)),
    ("thread", |_| threads()),
    ("descriptor", |_| descriptors()),
];

/// Counts the objects of a kind.
///
/// # Errors
/// 100000 for an unknown kind.
pub fn count(kind: &str) -> Outcome<u64> {
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    let (_, count) = known.ok_or_else(|| {
        let names = KINDS.map(|(name, _)| name).join(", ");
        Fault::new(acl::INVALID_PARAM, format_args!("kind={kind:?} is none of {names}"))
    })?;
    Ok(count(machine()?) as u64)
}

fn regions(machine: &Machine, kind: RegionKind) -> usize {
    machine.memory.regions.all().iter().filter(|region| region.kind == kind).count()
}

/// Threads of the simulator.
fn threads() -> usize {
    let names = descriptor::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let names = names.filter_map(|task| descriptor::read_text(task.path().join("comm")).ok());
    names.filter(|name| name.starts_with("sim-") || name.starts_with("ascend-sim")).count()
}

/// Memory files of the simulator that are open.
fn descriptors() -> usize {
    let links = descriptor::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let links = links.filter_map(|link| std::fs::read_link(link.path()).ok());
    links.filter(|file| file.to_string_lossy().starts_with("/memfd:ascend-sim")).count()
}
