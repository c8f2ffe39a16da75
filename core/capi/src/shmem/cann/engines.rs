// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Staging buffers of kernels, one per engine. Host functions do not use them; kernels find them in the state
//! record.

use std::ffi::c_int;

use mf_base::Result;
use mf_shmem::cann::codes::bad_value;
use mf_shmem::{Engine, Staging};

use super::{instances, watch};

/// Least staging buffer of the engines of networks.
const LEAST_BYTES: u32 = 128;

macro_rules! engines {
    ($($name:ident = $engine:ident;)*) => { $(
        pub(crate) fn $name(op: &'static str, offset: u64, ub_size: u32, sync_id: u32) -> Result<c_int> {
            set(op, Engine::$engine, Staging { offset, bytes: ub_size, event: sync_id })
        }
    )* };
}

engines! {
    aclshmemx_set_mte_config = Mte;
    aclshmemx_set_sdma_config = Sdma;
    aclshmemx_set_rdma_config = Rdma;
    aclshmemx_set_udma_config = Udma;
    shmem_mte_set_ub_params = Mte;
}

fn set(op: &'static str, engine: Engine, staging: Staging) -> Result<c_int> {
    let instance = instances::get(op)?;
    if matches!(engine, Engine::Rdma | Engine::Udma) && staging.bytes < LEAST_BYTES {
        return Err(bad_value(op, "the staging buffer is too small")
            .with("ub_size", staging.bytes)
            .hint(format!("at least {LEAST_BYTES} bytes")));
    }
    instance.world.set_staging(engine, staging)?;
    instance.keep_staging(engine, staging);
    watch::changed();
    Ok(0)
}

/// There is no such hardware behind functions of the host.
pub(crate) fn util_get_ffts_config(_op: &'static str) -> Result<u64> {
    Ok(0)
}

pub(crate) use util_get_ffts_config as shmemx_get_ffts_config;
