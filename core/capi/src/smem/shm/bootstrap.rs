// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory in jobs without a URL: by a unique id, or by MPI.

use std::ffi::c_void;

use mf_abi::smem::ShmConfig;
use mf_base::{Rank, Result};
use mf_bootstrap::Bootstrap;
use mf_job::Config;

use super::init;
use crate::bootstrap::{by_id, by_mpi};
use crate::boundary::bytes;

pub(crate) unsafe fn mfx_shm_init_unique_id(
    op: &'static str,
    id: *const c_void,
    id_bytes: u64,
    world_size: u32,
    rank: u32,
    device: u16,
    config: *mut ShmConfig,
) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    // SAFETY: the caller passes so many readable bytes.
    let place = by_id(unsafe { bytes(op, "the id", id, id_bytes) }?, Some(Rank(rank)), world_size)?;
    init_shm(op, config, device, || Ok(place))
}

pub(crate) unsafe fn mfx_shm_init_mpi(op: &'static str, device: u16, config: *mut ShmConfig) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    init_shm(op, unsafe { &*config }, device, || by_mpi(op))
}

fn init_shm(
    op: &'static str,
    config: &ShmConfig,
    device: u16,
    place: impl FnOnce() -> Result<Bootstrap>,
) -> Result<()> {
    let known = Config::new("", 0).device(device);
    init::init(op, || init::wanted(config, known).place(&place()?))
}
