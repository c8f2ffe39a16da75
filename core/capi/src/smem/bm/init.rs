// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_bm.h`: configuration, init and uninit.

use std::ffi::c_char;

use mf_abi::smem::{BmConfig, MFX_BM_INIT_ORDERED_RANKS};
use mf_base::{Error, Rank, Result};
use mf_smem::bm::{Config, Context};

use super::leader;
use super::state::STATE;
use crate::boundary::{array_text, text};
use crate::smem::job_config::{become_current, with_timeouts};
use crate::startup::prepare;
use crate::{part, tls_options};

pub(crate) unsafe fn smem_bm_config_init(_op: &'static str, config: *mut BmConfig) -> Result<()> {
    let defaults = BmConfig {
        init_timeout: 120,
        create_timeout: 120,
        control_operation_timeout: 900,
        start_config_store_server: 1,
        start_config_store_only: 0,
        dynamic_world_size: 0,
        unified_address_space: 1,
        auto_ranking: 1,
        rank_id: 65535,
        flags: 0,
        hcom_url: [0; 64],
        hcom_tls_config: tls_options::OFF,
        store_tls_config: tls_options::OFF,
    };
    // SAFETY: not null; the caller passes a struct of this size.
    unsafe { config.write(defaults) };
    Ok(())
}

pub(crate) unsafe fn smem_bm_init(
    op: &'static str,
    url: *const c_char,
    world_size: u32,
    device: u16,
    config: *const BmConfig,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    let wanted = wanted(op, config, Config::new(url, world_size).device(device))?;
    init(op, config.unified_address_space != 0, || Ok(wanted))
}

/// Adds the struct's values to `known`.
pub(crate) fn wanted(op: &'static str, config: &BmConfig, known: Config) -> Result<Config> {
    let nic = array_text(op, "hcomUrl", &config.hcom_url)?;
    prepare()?;
    let timeouts = [config.init_timeout, config.create_timeout, config.control_operation_timeout];
    Ok(with_timeouts(known, timeouts)
        .rank(Rank(config.rank_id))
        .auto_rank(config.auto_ranking != 0)
        .ordered_ranks(config.flags & MFX_BM_INIT_ORDERED_RANKS != 0)
        .start_store(config.start_config_store_server != 0)
        .start_store_only(config.start_config_store_only != 0)
        .dynamic_world(config.dynamic_world_size != 0)
        .store_certificates(tls_options::of_config(op, &config.store_tls_config)?)
        .data_certificates(tls_options::of_config(op, &config.hcom_tls_config)?)
        .nic(nic))
}

/// Joins the job; again while joined: nothing.
pub(crate) fn init(
    op: &'static str,
    is_unified: bool,
    config: impl FnOnce() -> Result<Config>,
) -> Result<()> {
    prepare()?;
    STATE.begin(op, || {
        if !is_unified {
            return Err(Error::invalid("bm init", "unifiedAddressSpace is false")
                .hint("the address space is always unified"));
        }
        let context = Context::init(config()?)?;
        become_current(context.devices());
        Ok(context)
    })
}

pub(crate) fn mfx_bm_init_launched(op: &'static str) -> Result<()> {
    init(op, true, Config::from_env)
}

pub(crate) fn smem_bm_uninit(op: &'static str, _flags: u32) -> Result<()> {
    leader::forget_callback();
    part::end(op, part::BIG_MEMORY);
    Ok(())
}

pub(crate) fn smem_bm_get_rank_id(op: &'static str) -> Result<u32> {
    Ok(STATE.context(op)?.rank().0)
}
