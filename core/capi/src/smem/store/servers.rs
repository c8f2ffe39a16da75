// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Config store servers that a program starts: by URL (`smem.h`), and as handles (`smem_config_store_api.h`).
//!
//! A URL is served once in a process, for all callers; handles are shares in that server. It ends with
//! `smem_destroy_config_store` or with the handle that is destroyed.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

use mf_abi::smem::{
    BrokenCallback, ConfigStoreHandle, LeaderCallback, LeaderFn, LeaderInfo, SMEM_STORE_SKIP_RECOVER,
};
use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::leadership::{Leadership, is_elective};
use mf_bootstrap::served::{Served, Start};
use mf_job::process::Handles;
use mf_store::LostFn;

use super::tls::server_access;
use crate::boundary::{call_program, text};
use crate::startup::prepare;
use crate::{last_error, part};

/// Servers that programs started, by URL.
static SERVED: PerProcess<BTreeMap<String, Arc<Served>>> = PerProcess::new(BTreeMap::new());
/// Shares in the servers of [`SERVED`].
static SERVERS: Handles<Served, 64> = Handles::new("config store server", "smem_config_store_create_server");

/// Returns every server of this process that a program started, once.
pub(crate) fn all() -> Vec<Arc<Served>> {
    let mut found: Vec<Arc<Served>> = SERVED.lock().values().cloned().collect();
    for served in SERVERS.all() {
        let known = found.iter().any(|other| Arc::ptr_eq(other, &served));
        if !known && served.is_own() {
            found.push(served);
        }
    }
    found
}

pub(crate) unsafe fn smem_create_config_store(
    op: &'static str,
    store_url: *const c_char,
    flags: u64,
) -> Result<()> {
    prepare()?;
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", store_url) }?)?;
    if served_by_context(&url) {
        return Ok(());
    }
    serve(url, Start::new(flags & SMEM_STORE_SKIP_RECOVER != 0, server_access())).map(drop)
}

/// Returns true if big memory in this process already runs the store of the URL.
fn served_by_context(url: &StoreUrl) -> bool {
    let StoreUrl::Tcp { addresses } = url else { return false };
    let served = part::current_big_memory().and_then(|context| context.served_address());
    served.is_some_and(|served| addresses.contains(&served))
}

/// The server of `url`, started unless it runs.
pub(super) fn serve(url: StoreUrl, start: Start) -> Result<Arc<Served>> {
    let mut stores = SERVED.lock();
    let name = url.to_string();
    if let Some(served) = stores.get(&name) {
        return Ok(Arc::clone(served));
    }
    let served = Arc::new(Served::start(url, start)?);
    stores.insert(name, Arc::clone(&served));
    Ok(served)
}

pub(crate) unsafe fn smem_destroy_config_store(op: &'static str, store_url: *const c_char) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", store_url) }?)?;
    let served = SERVED.lock().remove(&url.to_string());
    let served = served
        .ok_or_else(|| Error::new(Kind::NotExist, op).what("no store was created here").with("url", url))?;
    // Handles on it are shares in an ended server.
    SERVERS.remove_all(|other| Arc::ptr_eq(other, &served)).for_each(drop);
    served.end();
    Ok(())
}

pub(crate) unsafe fn smem_config_store_create_server(
    op: &'static str,
    store_url: *const c_char,
) -> Result<ConfigStoreHandle> {
    prepare()?;
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", store_url) }?)?;
    SERVERS.insert(op, serve(url, Start::new(false, server_access()))?)
}

pub(crate) unsafe fn smem_config_store_destroy_server(
    op: &'static str,
    store: ConfigStoreHandle,
    store_url: *const c_char,
) -> Result<()> {
    let served = SERVERS.remove(store).ok_or_else(|| unknown(op, store))?;
    SERVED.lock().retain(|_, other| !Arc::ptr_eq(other, &served));
    served.end();
    if !store_url.is_null() {
        // SAFETY: the caller passes a C string.
        let url = StoreUrl::parse(unsafe { text(op, "the store URL", store_url) }?)?;
        let other = SERVED.lock().remove(&url.to_string());
        if let Some(other) = other {
            other.end();
        }
    }
    Ok(())
}

pub(crate) fn smem_config_store_set_server_broken_handler(
    op: &'static str,
    store: ConfigStoreHandle,
    callback: BrokenCallback,
    context: *mut c_void,
) -> Result<()> {
    let served = served(op, store)?;
    let context = context.expose_provenance();
    served.set_on_lost(callback.map(|callback| -> LostFn {
        Arc::new(move |link, rank| {
            // Numbers of connections are never used again; the interface has room for 32 bits of them.
            let link = u32::try_from(link & u64::from(u32::MAX)).unwrap_or(u32::MAX);
            // SAFETY: the program vouches for its function and the context, from any thread, until it sets
            // another.
            call_program("smem_config_store_broken_cb", || unsafe {
                callback(std::ptr::with_exposed_provenance_mut(context), link, rank)
            });
        })
    }))
}

/// 1 is an answer here, not an error: the store has one server, which leads for ever.
pub(crate) fn smem_config_store_set_leader_handler(
    op: &'static str,
    store: ConfigStoreHandle,
    callback: LeaderCallback,
    context: *mut c_void,
) -> Result<i32> {
    if store.is_null() {
        return Err(Error::new(Kind::Failed, op).what("the handle is null"));
    }
    let served = served(op, store)?;
    if !is_elective(served.url()) {
        return Ok(1);
    }
    let context = context.expose_provenance();
    served.set_on_leader(server_access(), callback.map(|callback| leader_callback(callback, context)))?;
    Ok(0)
}

/// Returns a function that reports a leadership to the program.
fn leader_callback(callback: LeaderFn, context: usize) -> impl Fn(&Leadership) + Send + Sync + 'static {
    move |leader| {
        let address = leader.address.map_or_else(String::new, |address| address.to_string());
        let address = last_error::c_text(&address);
        let info = LeaderInfo { is_leader: u8::from(leader.here), bindable_leader_address: address.as_ptr() };
        // SAFETY: the program vouches for its function and the context, from any thread, until it sets
        // another; the text lives through the call.
        call_program("smem_config_store_leader_change_cb", || unsafe {
            callback(std::ptr::with_exposed_provenance_mut(context), &raw const info);
        });
    }
}

fn served(operation: &'static str, store: ConfigStoreHandle) -> Result<Arc<Served>> {
    let served = SERVERS.find(store).filter(|served| served.is_own());
    served.ok_or_else(|| unknown(operation, store))
}

#[cold]
fn unknown(operation: &'static str, store: ConfigStoreHandle) -> Error {
    SERVERS.refusal(operation, store, Kind::InvalidParam)
}
