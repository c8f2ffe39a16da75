// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of transfers: endpoints by handle, each a guest of its store.

use std::sync::Arc;

use mf_abi::smem::TransHandle;
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Result};
use mf_job::process::{Handles, Owned, Seat};
use mf_smem::trans::Endpoint;

use super::era::Era;

pub(super) static STATE: Seat<Context, Endpoint, 512> =
    Seat::new("smem_trans_init", Handles::new("endpoint", "smem_trans_create"));

/// Proof of `smem_trans_init` in this process, and by which release; endpoints hold everything else.
pub(super) struct Context(pub(super) Owner, pub(super) Era);

impl Owned for Context {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.0.check(operation, "transfers were initialised by the parent of this process")
    }

    fn end(&self) {}
}

/// Returns the endpoint of a handle.
///
/// # Errors
/// `InvalidParam` null, not initialised, stale or made up · `NotInit` made by the parent of this process.
pub(super) fn endpoint(op: &'static str, handle: TransHandle) -> Result<Arc<Endpoint>> {
    let found = STATE.objects.find(handle);
    let endpoint = found.ok_or_else(|| unknown(op, handle))?;
    endpoint.check_process(op)?;
    Ok(endpoint)
}

#[cold]
pub(super) fn unknown(op: &'static str, handle: TransHandle) -> Error {
    STATE.refusal(op, handle, Kind::InvalidParam).as_kind(Kind::InvalidParam)
}
