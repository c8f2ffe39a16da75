// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parts of the process: one for each family of functions, the owner of its handles.
//!
//! No family knows another. A family that needs an object of another asks the list of parts. `lib.rs` has the
//! list, in the order in which parts end, and installs it when the loader loads the library.
//!
//! [`mf_job::process`] defines the end of a membership. The last error and the last text of each thread,
//! counters of calls, and the program's functions for log lines and interrupts live as long as the process.

use std::sync::{Arc, OnceLock};

use mf_abi::Symbol;
use mf_abi::smem::{BmHandle, ShmHandle};
use mf_base::{Error, Kind, Result};
use mf_device::Devices;
use mf_smem::bm::{Context, Pool};
use mf_smem::shm::ShareMemory;

/// Calls and errors of one exported function.
pub(crate) type CallCounts = (&'static Symbol, u64, u64);

pub(crate) const BIG_MEMORY: &str = "big memory";
pub(crate) const SHARE_MEMORY: &str = "share memory";
pub(crate) const TRANSFERS: &str = "transfers";

/// A family of functions and the objects that programs hold of it.
pub(crate) trait Part: Sync {
    /// Returns its name, which no other part has.
    fn name(&self) -> &'static str;

    /// Runs when the loader loads the library, before `main`.
    fn load(&self) {}

    /// Returns true if its membership in a job keeps hosted stores alive.
    fn is_member(&self) -> bool {
        false
    }

    /// Ends its objects, then its membership.
    fn end(&self, _op: &'static str) {}

    /// Releases its hold on the part `ended`.
    fn release(&self, _ended: &'static str) {}

    /// Returns the devices that it opened.
    fn devices(&self, _op: &'static str) -> Option<Devices> {
        None
    }

    /// Returns its pools of big memory.
    fn pools(&self) -> Option<&dyn Pools> {
        None
    }

    /// Returns the share memory of a handle.
    fn share(&self, _op: &'static str, _handle: ShmHandle) -> Option<Result<Arc<ShareMemory>>> {
        None
    }

    /// Adds its diagnosis to the error of a failed kernel.
    fn explain_launch(&self, error: Error, _kernel: &str) -> Error {
        error
    }

    /// Returns the counts of its own tables of functions.
    fn calls(&self) -> Vec<CallCounts> {
        Vec::new()
    }
}

/// Big memory, for families that work in its pools or its store.
pub(crate) trait Pools {
    /// Returns the context, also an inherited one in a forked child.
    fn current(&self) -> Option<Arc<Context>>;

    /// Returns the context.
    ///
    /// # Errors
    /// `NotInit` before `smem_bm_init`, and in a forked child.
    fn context(&self, op: &'static str) -> Result<Arc<Context>>;

    /// Returns the pool of a handle.
    ///
    /// # Errors
    /// `InvalidParam` null, stale or made up · `NotInit` not initialised, or created by the parent process.
    fn pool(&self, op: &'static str, handle: BmHandle) -> Result<Arc<Pool>>;
}

static PARTS: OnceLock<&'static [&'static dyn Part]> = OnceLock::new();

/// Installs the parts, in the order in which they end, and loads each. A second call changes nothing.
pub(crate) fn install(parts: &'static [&'static dyn Part]) {
    if PARTS.set(parts).is_ok() {
        parts.iter().for_each(|part| part.load());
    }
}

/// Returns all parts in the order in which they end.
pub(crate) fn all() -> impl Iterator<Item = &'static dyn Part> {
    PARTS.get().copied().unwrap_or_default().iter().copied()
}

/// Ends the part `name`. Earlier parts release it before, later parts after its end.
pub(crate) fn end(op: &'static str, name: &'static str) {
    for part in all() {
        if part.name() == name { part.end(op) } else { part.release(name) }
    }
}

/// Returns true while any part is a member of a job.
pub(crate) fn is_any_member() -> bool {
    all().any(|part| part.is_member())
}

fn pools() -> Option<&'static dyn Pools> {
    all().find_map(|part| part.pools())
}

#[cold]
fn no_part(op: &'static str) -> Error {
    Error::new(Kind::NotInit, op).what("the library has not been loaded completely")
}

/// Returns the context of big memory, also an inherited one in a forked child.
pub(crate) fn current_big_memory() -> Option<Arc<Context>> {
    pools()?.current()
}

/// Returns the context of big memory.
///
/// # Errors
/// As for [`Pools::context`].
pub(crate) fn big_memory(op: &'static str) -> Result<Arc<Context>> {
    pools().ok_or_else(|| no_part(op))?.context(op)
}

/// Returns the pool of a handle.
///
/// # Errors
/// As for [`Pools::pool`].
pub(crate) fn pool(op: &'static str, handle: BmHandle) -> Result<Arc<Pool>> {
    pools().ok_or_else(|| no_part(op))?.pool(op, handle)
}

/// Returns the share memory of a handle.
///
/// # Errors
/// `InvalidParam` null, stale or made up · `NotInit` not initialised, or created by the parent process.
pub(crate) fn share(op: &'static str, handle: ShmHandle) -> Result<Arc<ShareMemory>> {
    all().find_map(|part| part.share(op, handle)).unwrap_or_else(|| Err(no_part(op)))
}

/// Returns the devices of this process, from the first part that has opened any.
///
/// # Errors
/// `NotInit` before all of `smem_bm_init`, `smem_shm_init`, `aclshmemx_init_attr` and `mfx_device_open`.
pub(crate) fn devices(op: &'static str) -> Result<Devices> {
    if let Some(devices) = all().find_map(|part| part.devices(op)) {
        return Ok(devices);
    }
    let none = big_memory(op).err().unwrap_or_else(|| no_part(op));
    Err(none.hint("call smem_shm_init, smem_bm_init, aclshmemx_init_attr or mfx_device_open first"))
}

/// Adds the diagnoses of all parts to the error of a failed kernel.
pub(crate) fn explain_launch(error: Error, kernel: &str) -> Error {
    all().fold(error, |error, part| part.explain_launch(error, kernel))
}
