// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order, and meetings of all PEs.

use mf_base::Result;
use mf_shmem::World;

use super::instances;

pub(crate) fn aclshmem_barrier_all(op: &'static str) -> Result<()> {
    let instance = instances::get(op)?;
    // Errors of the second heap are said when all have met.
    let second = instance.second().map_or(Ok(()), World::quiet);
    instance.world.barrier_all()?;
    second
}

pub(crate) fn aclshmem_sync_all(op: &'static str) -> Result<()> {
    instances::get(op)?.world.sync_all()
}

pub(crate) fn aclshmem_fence(op: &'static str) -> Result<()> {
    let instance = instances::get(op)?;
    if let Some(second) = instance.second() {
        second.fence();
    }
    instance.world.fence();
    Ok(())
}

pub(crate) fn aclshmem_quiet(op: &'static str) -> Result<()> {
    instances::get(op)?.quiet()
}
