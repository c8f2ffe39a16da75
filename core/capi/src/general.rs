// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of `smem.h`.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use mf_base::{Error, Kind, Result, log};
use mf_store::{Server, StoreUrl, rendezvous};

use crate::boundary::{code, null, text};
use crate::last_error;
use crate::process::{LEVEL_WAS_SET, lock_context, prepare};

type ExternLogger = extern "C" fn(level: c_int, text: *const c_char);

static LOGGER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static STORES: Mutex<BTreeMap<SocketAddr, Server>> = Mutex::new(BTreeMap::new());

#[unsafe(no_mangle)]
extern "C" fn smem_get_abi_version() -> u32 {
    mf_smem::ABI_VERSION
}

#[unsafe(no_mangle)]
extern "C" fn smem_init(_flags: u32) -> i32 {
    code("smem init", prepare)
}

/// The general part holds nothing of its own: pools end with `smem_bm_uninit`.
#[unsafe(no_mangle)]
extern "C" fn smem_uninit() {}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_create_config_store(store_url: *const c_char, _flags: u64) -> i32 {
    const OP: &str = "create config store";
    code(OP, || {
        prepare()?;
        // SAFETY: the caller passes a C string.
        let url = StoreUrl::parse(unsafe { text(OP, "the store URL", store_url) }?)?;
        let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        let served_by_context =
            lock_context().as_ref().and_then(|context| context.served_address()) == Some(url.address);
        if !served_by_context && !stores.contains_key(&url.address) {
            stores.insert(url.address, serve(OP, url)?);
        }
        Ok(())
    })
}

/// A store for a job of any size: the first member says how large it is.
fn serve(operation: &'static str, url: StoreUrl) -> Result<Server> {
    let at_once = std::time::Duration::from_secs(1);
    let joined = rendezvous::join(rendezvous::Options {
        url,
        world_size: 0,
        rank: None,
        device: 0,
        start_server: true,
        only_server: true,
        dynamic: false,
        init_timeout: at_once,
        request_timeout: at_once,
    })?;
    joined.server.ok_or_else(|| Error::new(Kind::Failed, operation).what("the store did not start"))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_destroy_config_store(store_url: *const c_char) {
    const OP: &str = "destroy config store";
    code(OP, || {
        // SAFETY: the caller passes a C string.
        let url = StoreUrl::parse(unsafe { text(OP, "the store URL", store_url) }?)?;
        let server = STORES.lock().unwrap_or_else(PoisonError::into_inner).remove(&url.address);
        server
            .map(drop)
            .ok_or_else(|| Error::new(Kind::NotExist, OP).what("no store was created here").with("url", url))
    });
}

#[unsafe(no_mangle)]
extern "C" fn smem_set_extern_logger(logger: Option<ExternLogger>) -> i32 {
    const OP: &str = "set logger";
    code(OP, || {
        let logger = logger.ok_or_else(|| null(OP, "the logger"))?;
        // Release pairs with the acquire in `to_logger`.
        LOGGER.store(logger as *mut (), Ordering::Release);
        log::set_sink(to_logger);
        prepare()
    })
}

fn to_logger(level: i32, text: &str) {
    let logger = LOGGER.load(Ordering::Acquire);
    if logger.is_null() {
        return;
    }
    // SAFETY: the only non-null values stored are `ExternLogger`s.
    let logger = unsafe { std::mem::transmute::<*mut (), ExternLogger>(logger) };
    logger(level, last_error::c_text(text).as_ptr());
}

#[unsafe(no_mangle)]
extern "C" fn smem_set_log_level(level: c_int) -> i32 {
    const OP: &str = "set log level";
    code(OP, || {
        if !(0..=5).contains(&level) {
            return Err(Error::invalid(OP, "there is no such level")
                .with("level", level)
                .hint("0 debug, 1 info, 2 warn, 3 error, 4 trace, 5 nothing"));
        }
        LEVEL_WAS_SET.store(true, Ordering::Relaxed);
        log::set_level(level);
        prepare()
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_set_conf_store_tls(enable: bool, _tls_info: *const c_char, _tls_info_len: u32) -> i32 {
    code("set store TLS", || refuse_tls("set store TLS", enable))
}

/// This release speaks plain text only: whoever asks for more is told.
pub(crate) fn refuse_tls(operation: &'static str, enable: bool) -> Result<()> {
    if !enable {
        return Ok(());
    }
    Err(Error::invalid(operation, "TLS is not in this release").hint(
        "switch it off; without it keep the store on loopback, and give the job a secret (MF_JOB_SECRET)",
    ))
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_last_err_msg() -> *const c_char {
    last_error::text()
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_last_err_code() -> i32 {
    last_error::code()
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_and_clear_last_err_msg() -> *const c_char {
    last_error::take()
}
