// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_bm.h`: configuration, init and uninit.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mf_base::{Error, Rank, Result};
use mf_smem::bm::{Config, Context};
use mf_store::tls::TlsFiles;

use crate::abi::{BmConfig, TlsConfig};
use crate::boundary::{array_text, code, not_null, text, value};
use crate::process::{POOLS, context, forget_inherited, lock_context, prepare};
use crate::{leader, store_tls};

/// `MFX_BM_INIT_ORDERED_RANKS`.
const ORDERED_RANKS: u32 = 1 << 31;

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_bm_config_init(config: *mut BmConfig) -> i32 {
    const OP: &str = "bm config init";
    code(OP, || {
        not_null(OP, "the configuration", config)?;
        let tls = TlsConfig { enable: 0, paths: [[0; 256]; 7] };
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
            hcom_tls_config: tls.clone(),
            store_tls_config: tls,
        };
        // SAFETY: not null; the caller passes a struct of this size.
        unsafe { config.write(defaults) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_bm_init(
    url: *const c_char,
    world_size: u32,
    device: u16,
    config: *const BmConfig,
) -> i32 {
    const OP: &str = "bm init";
    code(OP, || {
        // SAFETY: the caller passes a C string.
        let url = unsafe { text(OP, "the store URL", url) }?;
        not_null(OP, "the configuration", config)?;
        // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
        let config = unsafe { &*config };
        let nic = array_text(OP, "hcomUrl", &config.hcom_url)?;
        prepare()?;
        let certificates = store_tls::of_config(OP, &config.store_tls_config)?;
        let data_certificates = store_tls::of_config(OP, &config.hcom_tls_config)?;
        let rank = (config.auto_ranking == 0).then_some(Rank(config.rank_id));
        init(&Init {
            url,
            world_size,
            device,
            rank,
            ordered_ranks: config.flags & ORDERED_RANKS != 0,
            timeouts: [config.init_timeout, config.create_timeout, config.control_operation_timeout],
            unified: config.unified_address_space != 0,
            start_store: config.start_config_store_server != 0,
            store_only: config.start_config_store_only != 0,
            dynamic: config.dynamic_world_size != 0,
            certificates,
            data_certificates,
            nic,
        })
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

#[unsafe(no_mangle)]
extern "C" fn mfx_bm_init_launched() -> i32 {
    code("bm init", || {
        prepare()?;
        let mut slot = lock_context();
        if slot.is_none() {
            *slot = Some(Arc::new(Context::init(Config::from_env()?)?));
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_uninit(_flags: u32) {
    code("bm uninit", || {
        leader::forget_callback();
        let context = {
            let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
            forget_inherited(&mut lock_context());
            lock_context().take()
        };
        for handle in POOLS.handles() {
            // A forked child leaves alone what is its parent's.
            let is_own = POOLS.get(handle).is_some_and(|pool| pool.check_process("bm uninit").is_ok());
            if let Some(pool) = is_own.then(|| POOLS.remove(handle)).flatten() {
                pool.destroy();
            }
        }
        if let Some(context) = context {
            context.shutdown();
        }
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_rank_id() -> u32 {
    value("bm rank id", u32::MAX, || Ok(context("bm rank id")?.rank().0))
}
