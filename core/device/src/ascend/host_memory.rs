// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory registered with the device: pinned, and where the product allows it reachable for kernels.
//!
//! Registration is optional. CANN copies to and from ordinary host memory too, through pinned buffers of its
//! own, so memory that cannot be registered is used as it is, and the reason is among the device's
//! capabilities.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use ascend_acl_sys::Class;
use ascend_acl_sys::raw::types as abi;
use mf_base::sync::lock;
use mf_base::{ByteLen, Result};

use super::cann::{Cann, OrRefused, pointer, refused};
use super::runtime::Runtime;

/// Registered ranges start on such a boundary.
const PAGE_BYTES: usize = 4096;

/// Kind of registration of host memory by this CANN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Kernels can use it, by `aclrtHostRegisterV2`.
    Mapped,
    /// It is only pinned.
    Pinned,
    /// Kernels can use it, by `aclrtHostRegister`.
    Older,
}

/// The host memory that a device knows.
pub(super) struct HostMemory {
    runtime: Arc<Runtime>,
    /// Kind of registration, or the reason that there is none.
    reach: Result<Reach, String>,
    /// Starts of the ranges of pools that were registered by us.
    exposed: Mutex<BTreeSet<u64>>,
    /// Set once a refusal was logged.
    warned: AtomicBool,
}

impl HostMemory {
    /// Probes this CANN with a page of ours.
    pub(super) fn probe(runtime: &Arc<Runtime>) -> Self {
        let reach = runtime.run(|| probe(&runtime.cann)).flatten().map_err(|error| error.to_string());
        Self {
            runtime: Arc::clone(runtime),
            reach,
            exposed: Mutex::default(),
            warned: AtomicBool::new(false),
        }
    }

    /// Describes the registration of pools' memory, or the reason that there is none.
    pub(super) fn describe(&self) -> Result<&'static str, &str> {
        match &self.reach {
            Ok(Reach::Mapped) => Ok("by aclrtHostRegisterV2; kernels can use it"),
            Ok(Reach::Pinned) => Ok("by aclrtHostRegisterV2; pinned for copies, not reachable for kernels"),
            Ok(Reach::Older) => Ok("by aclrtHostRegister; kernels can use it"),
            Err(reason) => Err(reason),
        }
    }

    /// Makes memory of a pool known to the device.
    pub(super) fn expose(&self, address: u64, bytes: u64) {
        let Ok(reach) = self.reach else { return };
        if self.register(reach, address, bytes) {
            lock(&self.exposed).insert(address);
        }
    }

    /// Ends that.
    pub(super) fn conceal(&self, address: u64) {
        if lock(&self.exposed).remove(&address) {
            self.unpin(address);
        }
    }

    /// Pins memory of the program for copies; whether that was done and has to be undone.
    pub(super) fn pin(&self, address: u64, bytes: u64) -> bool {
        match self.reach {
            Ok(Reach::Older) => self.register(Reach::Older, address, bytes),
            Ok(_) => self.register(Reach::Pinned, address, bytes),
            Err(_) => false,
        }
    }

    /// Undoes it.
    pub(super) fn unpin(&self, address: u64) {
        let runtime = &self.runtime;
        // SAFETY: the caller that unpins or conceals a range guarantees that no copy uses it any more.
        let unregister = || unsafe { runtime.cann.acl().unregister_host(pointer(address)) }.or_refused();
        if let Err(error) = runtime.run(unregister).flatten() {
            tracing::warn!("host memory is still registered: {error}");
        }
    }

    fn register(&self, reach: Reach, address: u64, bytes: u64) -> bool {
        if !address.is_multiple_of(PAGE_BYTES as u64) {
            return false;
        }
        let registered = self.runtime.run(|| register(&self.runtime.cann, reach, address, bytes));
        let error = match registered {
            Ok(Ok(())) => return true,
            // A registration by the program itself serves as well.
            Ok(Err(error)) if error.class() == Class::AlreadyRegistered => return false,
            Ok(Err(error)) => refused(error),
            Err(error) => error,
        };
        if !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(bytes = %ByteLen(bytes), "host memory is copied unregistered: {error}");
        }
        false
    }
}

fn register(cann: &Cann, reach: Reach, address: u64, bytes: u64) -> ascend_acl_sys::Result<()> {
    let (acl, at) = (cann.acl(), pointer(address));
    match reach {
        // SAFETY: the caller that registers the range unregisters it before it is unmapped.
        Reach::Mapped => unsafe { acl.register_host_v2(at, bytes, abi::ACL_HOST_REG_MAPPED) },
        // SAFETY: the range stays mapped until the caller that registers it has unregistered it.
        Reach::Pinned => unsafe { acl.register_host_v2(at, bytes, abi::ACL_HOST_REG_PINNED) },
        // SAFETY: the range stays mapped until the caller that registers it has unregistered it.
        Reach::Older => unsafe { acl.register_host(at, bytes, abi::ACL_HOST_REGISTER_MAPPED) }.map(drop),
    }
}

/// Returns the first kind of registration that CANN accepts for one page, or its error for the preferred
/// kind.
fn probe(cann: &Cann) -> Result<Reach> {
    #[repr(align(4096))]
    struct Page([u8; PAGE_BYTES]);
    let page = Box::new(Page([0; PAGE_BYTES]));
    let address = page.0.as_ptr().expose_provenance() as u64;
    let kinds: &[Reach] = match cann.has("aclrtHostRegisterV2") {
        true => &[Reach::Mapped, Reach::Pinned, Reach::Older],
        false => &[Reach::Older],
    };
    let mut first = Ok(Reach::Older);
    for reach in kinds {
        match register(cann, *reach, address, PAGE_BYTES as u64) {
            Ok(()) => {
                // SAFETY: nothing was queued with the page.
                unsafe { cann.acl().unregister_host(pointer(address)) }.or_refused()?;
                return Ok(*reach);
            }
            Err(error) => first = first.and(Err(refused(error))),
        }
    }
    first
}
