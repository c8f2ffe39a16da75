// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory: objects, their collective calls, and extensions.

pub(crate) mod bootstrap;
pub(crate) mod collective;
pub(crate) mod extensions;
pub(crate) mod init;
pub(crate) mod objects;
mod state;

use std::sync::Arc;

use mf_abi::smem::ShmHandle;
use mf_base::Result;
use mf_device::Devices;
use mf_smem::shm::ShareMemory;

use self::state::STATE;
use crate::part::{self, Part};

/// The part of share memory.
pub(crate) struct Shares;

impl Part for Shares {
    fn name(&self) -> &'static str {
        part::SHARE_MEMORY
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

    fn share(&self, op: &'static str, handle: ShmHandle) -> Option<Result<Arc<ShareMemory>>> {
        Some(state::share(op, handle))
    }
}
