// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Big memory: pools, copies, and the leadership of their config store.

pub(crate) mod bootstrap;
pub(crate) mod compat2025;
pub(crate) mod copy;
pub(crate) mod init;
pub(crate) mod leader;
pub(crate) mod members;
pub(crate) mod pools;
pub(crate) mod remote;
mod state;

use std::sync::Arc;

use mf_abi::smem::BmHandle;
use mf_base::{Kind, Result};
use mf_device::Devices;
use mf_smem::bm::{Context, Pool};

use self::state::STATE;
use crate::part::{self, Part, Pools};

/// The part of big memory.
pub(crate) struct BigMemory;

impl Part for BigMemory {
    fn name(&self) -> &'static str {
        part::BIG_MEMORY
    }

    fn is_member(&self) -> bool {
        STATE.current().is_some()
    }

    fn end(&self, op: &'static str) {
        STATE.end(op);
    }

    fn devices(&self, op: &'static str) -> Option<Devices> {
        STATE.context(op).ok().map(|context| context.devices().clone())
    }

    fn pools(&self) -> Option<&dyn Pools> {
        Some(self)
    }
}

impl Pools for BigMemory {
    fn current(&self) -> Option<Arc<Context>> {
        STATE.current()
    }

    fn context(&self, op: &'static str) -> Result<Arc<Context>> {
        STATE.context(op)
    }

    fn pool(&self, op: &'static str, handle: BmHandle) -> Result<Arc<Pool>> {
        STATE.object(op, handle, Kind::InvalidParam)
    }
}
