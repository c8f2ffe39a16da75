// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_shm.h`: configuration, init and uninit.

use std::ffi::c_char;

use mf_abi::smem::ShmConfig;
use mf_base::{Rank, Result};
use mf_smem::shm::{Config, Context};

use super::state::STATE;
use crate::boundary::text;
use crate::part;
use crate::smem::job_config::{become_current, with_timeouts};
use crate::startup::prepare;

pub(crate) unsafe fn smem_shm_config_init(_op: &'static str, config: *mut ShmConfig) -> Result<()> {
    let defaults = ShmConfig {
        init_timeout: 120,
        create_timeout: 120,
        control_operation_timeout: 120,
        start_config_store_server: 1,
        flags: 0,
    };
    // SAFETY: not null; the caller passes a struct of this size.
    unsafe { config.write(defaults) };
    Ok(())
}

pub(crate) unsafe fn smem_shm_init(
    op: &'static str,
    url: *const c_char,
    world_size: u32,
    rank: u32,
    device: u16,
    config: *const ShmConfig,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    init(op, || Ok(wanted(config, Config::new(url, world_size).rank(Rank(rank)).device(device))))
}

/// Adds the struct's values to `known`.
pub(crate) fn wanted(config: &ShmConfig, known: Config) -> Config {
    let timeouts = [config.init_timeout, config.create_timeout, config.control_operation_timeout];
    with_timeouts(known, timeouts).start_store(config.start_config_store_server != 0)
}

/// Joins the job; again while joined: nothing.
pub(crate) fn init(op: &'static str, config: impl FnOnce() -> Result<Config>) -> Result<()> {
    prepare()?;
    STATE.begin(op, || {
        let context = Context::init(config()?)?;
        become_current(context.devices());
        Ok(context)
    })
}

pub(crate) fn smem_shm_uninit(op: &'static str, _flags: u32) -> Result<()> {
    part::end(op, part::SHARE_MEMORY);
    Ok(())
}
