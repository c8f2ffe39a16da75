// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_bm.h`: configuration, init and uninit.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mf_abi::smem::{BmConfig, MFX_BM_INIT_ORDERED_RANKS, SMEM_TLS_PATH_SIZE, TlsConfig};
use mf_base::{Error, Rank, Result};
use mf_smem::bm::{Config, Context};
use mf_store::tls::TlsFiles;

use crate::boundary::{array_text, text};
use crate::process::{POOLS, context, forget_inherited, lock_context, prepare};
use crate::{leader, store_tls};

pub(crate) unsafe fn smem_bm_config_init(_op: &'static str, config: *mut BmConfig) -> Result<()> {
    let none = [0; SMEM_TLS_PATH_SIZE];
    let tls = TlsConfig {
        enable: 0,
        ca_path: none,
        crl_path: none,
        cert_path: none,
        key_path: none,
        key_pass_path: none,
        package_path: none,
        decrypter_lib_path: none,
    };
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
        hcom_tls_config: tls,
        store_tls_config: tls,
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
    let nic = array_text(op, "hcomUrl", &config.hcom_url)?;
    prepare()?;
    let certificates = store_tls::of_config(op, &config.store_tls_config)?;
    let data_certificates = store_tls::of_config(op, &config.hcom_tls_config)?;
    let rank = (config.auto_ranking == 0).then_some(Rank(config.rank_id));
    init(&Init {
        url,
        world_size,
        device,
        rank,
        ordered_ranks: config.flags & MFX_BM_INIT_ORDERED_RANKS != 0,
        timeouts: [config.init_timeout, config.create_timeout, config.control_operation_timeout],
        unified: config.unified_address_space != 0,
        start_store: config.start_config_store_server != 0,
        store_only: config.start_config_store_only != 0,
        dynamic: config.dynamic_world_size != 0,
        certificates,
        data_certificates,
        nic,
    })
}

/// What both generations of the configuration say.
pub(crate) struct Init<'a> {
    pub(crate) url: &'a str,
    pub(crate) world_size: u32,
    pub(crate) device: u16,
    pub(crate) rank: Option<Rank>,
    /// Automatic ranks wait for the complete world.
    pub(crate) ordered_ranks: bool,
    /// Seconds: init, create, control.
    pub(crate) timeouts: [u32; 3],
    pub(crate) unified: bool,
    pub(crate) start_store: bool,
    pub(crate) store_only: bool,
    pub(crate) dynamic: bool,
    /// Certificates of the configuration; none: as settings and calls say.
    pub(crate) certificates: Option<TlsFiles>,
    /// As `certificates`, for connections between members on different hosts.
    pub(crate) data_certificates: Option<TlsFiles>,
    /// Where to listen for members on other hosts; empty: as settings say.
    pub(crate) nic: &'a str,
}

/// Held by who joins or leaves the job, which takes its time; the membership itself can be asked for
/// meanwhile.
static CHANGING: Mutex<()> = Mutex::new(());

/// Joins the job; again while joined: nothing.
pub(crate) fn init(wanted: &Init<'_>) -> Result<()> {
    prepare()?;
    let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    forget_inherited(&mut lock_context());
    if lock_context().is_some() {
        return Ok(());
    }
    if !wanted.unified {
        return Err(Error::invalid("bm init", "unifiedAddressSpace is false")
            .hint("the address space is always unified"));
    }
    let [init, create, control] = wanted.timeouts.map(|seconds| Duration::from_secs(u64::from(seconds)));
    let mut config = Config::new(wanted.url, wanted.world_size)
        .device(wanted.device)
        .ordered_ranks(wanted.ordered_ranks)
        .start_store(wanted.start_store)
        .start_store_only(wanted.store_only)
        .dynamic_world(wanted.dynamic)
        .init_timeout(init)
        .create_timeout(create)
        .control_timeout(control)
        .nic(wanted.nic);
    if let Some(rank) = wanted.rank {
        config = config.rank(rank);
    }
    if let Some(certificates) = &wanted.certificates {
        config = config.store_certificates(certificates.clone());
    }
    if let Some(certificates) = &wanted.data_certificates {
        config = config.data_certificates(certificates.clone());
    }
    let context = Context::init(config)?;
    *lock_context() = Some(Arc::new(context));
    Ok(())
}

pub(crate) fn mfx_bm_init_launched(_op: &'static str) -> Result<()> {
    prepare()?;
    let mut slot = lock_context();
    if slot.is_none() {
        *slot = Some(Arc::new(Context::init(Config::from_env()?)?));
    }
    Ok(())
}

pub(crate) fn smem_bm_uninit(op: &'static str, _flags: u32) -> Result<()> {
    leader::forget_callback();
    let context = {
        let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
        forget_inherited(&mut lock_context());
        lock_context().take()
    };
    for handle in POOLS.handles() {
        // A forked child leaves alone what is its parent's.
        let is_own = POOLS.get(handle).is_some_and(|pool| pool.check_process(op).is_ok());
        if let Some(pool) = is_own.then(|| POOLS.remove(handle)).flatten() {
            pool.destroy();
        }
    }
    if let Some(context) = context {
        context.shutdown();
    }
    Ok(())
}

pub(crate) fn smem_bm_get_rank_id(op: &'static str) -> Result<u32> {
    Ok(context(op)?.rank().0)
}
