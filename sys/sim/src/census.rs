// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Object counts of this process by kind, for leak tests.

use crate::codes::acl;
use crate::context::contexts;
use crate::fault::{Fault, Outcome};
use crate::hccl::communicator::COMMUNICATORS;
use crate::kernel::binary::BINARIES;
use crate::machine::machine;
use crate::memory::RegionKind;
use crate::memory::region::regions;
use crate::memory::registered::registrations;
use crate::sharing::addresses::addresses;
use crate::sharing::physical::acl_handles;
use crate::sharing::physical::hal_handles;
use crate::stream::event::events;
use crate::stream::notify::count_notifies;
use crate::stream::notify::notifies;
use crate::stream::streams;
use mf_base::os::descriptor;

type Count = fn() -> Outcome<usize>;

/// Every kind. Default streams and primary contexts count, too.
const KINDS: [(&str, Count); 18] = [
    ("context", || Ok(contexts()?.count())),
    ("stream", || Ok(streams()?.count())),
    ("event", || Ok(events()?.count())),
    ("notify", || Ok(notifies()?.count() + count_notifies()?.count())),
    ("physical", || Ok(acl_handles()?.count() + hal_handles()?.count())),
    ("reservation", || Ok(addresses()?.count())),
    ("allocation", || regions_of(RegionKind::Malloc)),
    ("binary", || Ok(BINARIES.count())),
    ("communicator", || Ok(COMMUNICATORS.count())),
    ("data", || Ok(crate::acl::data::counts())),
    ("pool", || Ok(crate::acl::mem_pool::count())),
    ("graph", || Ok(crate::stream::capture::GRAPHS.count())),
    ("mapping", || regions_of(RegionKind::Mapped)),
    ("host-allocation", || regions_of(RegionKind::HostMalloc)),
    ("host-registration", || Ok(registrations()?.count())),
    ("ipc", || regions_of(RegionKind::Ipc)),
    ("thread", || Ok(threads())),
    ("descriptor", || Ok(descriptors())),
];

/// Counts the objects of a kind.
///
/// # Errors
/// 100000 for an unknown kind.
pub fn count(kind: &str) -> Outcome<u64> {
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    let (_, count) = known.ok_or_else(|| {
        let names = KINDS.map(|(name, _)| name).join(", ");
        Fault::new(acl::INVALID_PARAM, format_args!("invalid kind={kind:?}: must be one of {names}"))
    })?;
    machine()?;
    Ok(count()? as u64)
}

fn regions_of(kind: RegionKind) -> Outcome<usize> {
    Ok(regions()?.all().iter().filter(|region| region.kind == kind).count())
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
