// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leadership of the store of big memory. A store of one fixed server has no leader: its calls fail.
//!
//! The *bindable* address is the address of the service that runs beside the leader
//! ([`mf_bootstrap::leadership`]).

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use mf_abi::smem::{LeaderChangeCallback, TlsConfig};
use mf_base::os::per_process::PerProcess;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_bootstrap::leadership::{self, LeaderWatch, Leadership, is_elective};
use mf_bootstrap::served::GUEST_TIMEOUT;
use mf_bootstrap::{StoreUrl, rendezvous};
use mf_store::Store;
use mf_tls::Access;

use super::state::STATE;
use crate::boundary::{call_program, present, text};
use crate::startup::prepare;
use crate::tls_options;

/// Room for any numeric address.
const IP_BYTES: usize = 64;
/// Guests of stores that were asked for the address of their leader, by URL.
static GUESTS: PerProcess<BTreeMap<String, Arc<dyn Store>>> = PerProcess::new(BTreeMap::new());
/// The watch of the program's one callback.
static CALLBACK: Mutex<Option<LeaderWatch>> = Mutex::new(None);

/// Returns the store of big memory, if its leader may change.
fn store_with_elections(operation: &'static str) -> Result<Arc<dyn Store>> {
    let single =
        || Error::new(Kind::Failed, operation).what("the store is a single server: it has no leader");
    let context = STATE.current().ok_or_else(|| {
        Error::new(Kind::Failed, operation).what("this process has no store").hint("call smem_bm_init first")
    })?;
    let url = StoreUrl::parse(context.store_url())?;
    if is_elective(&url) { context.whole_store().cloned() } else { Err(single()) }
}

fn check_room(operation: &'static str, ip: *const c_char, ip_len: usize, port: *const u16) -> Result<()> {
    present(operation, "the address", ip)?;
    present(operation, "the port", port)?;
    if ip_len < IP_BYTES {
        return Err(Error::invalid(operation, "the room for the address is too small")
            .with("bytes", ip_len)
            .with("needed", IP_BYTES));
    }
    Ok(())
}

/// # Safety
/// `ip` has room for [`IP_BYTES`] bytes, `port` for a number.
unsafe fn write_address(
    operation: &'static str,
    store: &dyn Store,
    ip: *mut c_char,
    port: *mut u16,
) -> Result<()> {
    let known = Leadership::read(store)?;
    let address = known.address.ok_or_else(|| {
        Error::new(Kind::Failed, operation)
            .what("nobody has published the address of the leader's service")
            .hint("mfx_bm_publish_leader_address in the process that runs it")
    })?;
    let text = address.ip().to_string();
    // SAFETY: the longest numeric address with its terminator has 46 bytes; the caller passes room for 64.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), ip.cast::<u8>(), text.len()) };
    // SAFETY: text and terminator have at most 46 bytes; the caller passes room for 64.
    let end = unsafe { ip.add(text.len()) };
    // SAFETY: text and terminator have at most 46 bytes; the caller passes room for 64.
    unsafe { end.write(0) };
    // SAFETY: the caller passes room for a number.
    unsafe { port.write(address.port()) };
    Ok(())
}

pub(crate) unsafe fn smem_bm_update_store_url(op: &'static str, url: *const c_char) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    let context = STATE.context(op)?;
    leadership::relocate(&**context.store()?, &StoreUrl::parse(url)?)
}

pub(crate) unsafe fn smem_bm_update_store_server(
    op: &'static str,
    ip: *const c_char,
    port: u16,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let address = service_address(op, unsafe { text(op, "the address", ip) }?, port)?;
    leadership::relocate(&*store_with_elections(op)?, &StoreUrl::parse(&StoreUrl::tcp(address).to_string())?)
}

fn service_address(operation: &'static str, ip: &str, port: u16) -> Result<SocketAddr> {
    if port == 0 {
        return Err(Error::invalid(operation, "the port is 0"));
    }
    let ip: IpAddr = ip.parse().map_err(|_| {
        Error::invalid(operation, "the address is not numeric")
            .with("address", format!("\"{}\"", ip.escape_debug()))
    })?;
    Ok(SocketAddr::new(ip, port))
}

pub(crate) unsafe fn mfx_bm_publish_leader_address(
    op: &'static str,
    ip: *const c_char,
    port: u16,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let address = service_address(op, unsafe { text(op, "the address", ip) }?, port)?;
    let context = STATE.context(op)?;
    leadership::publish_address(&**context.whole_store()?, address)
}

pub(crate) unsafe fn smem_bm_get_bindable_leader_address(
    op: &'static str,
    ip: *mut c_char,
    ip_len: usize,
    port: *mut u16,
) -> Result<()> {
    check_room(op, ip, ip_len, port)?;
    let store = store_with_elections(op)?;
    // SAFETY: checked above; the caller passes as much room as it says.
    unsafe { write_address(op, &*store, ip, port) }
}

pub(crate) unsafe fn smem_bm_get_bindable_leader_address_by_store_url(
    op: &'static str,
    url: *const c_char,
    tls: *const TlsConfig,
    world_size: u32,
    ip: *mut c_char,
    ip_len: usize,
    port: *mut u16,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", url) }?)?;
    check_room(op, ip, ip_len, port)?;
    if !is_elective(&url) {
        return Err(Error::new(Kind::Failed, op).what("the store is a single server: it has no leader"));
    }
    prepare()?;
    // SAFETY: null, or a struct of this size that nobody changes meanwhile.
    let certificates = unsafe { tls.as_ref() }.map_or(Ok(None), |tls| tls_options::of_config(op, tls))?;
    let guest = guest(&url, Access { certificates, ..Access::default() })?;
    let actual = guest.member().world_size;
    if world_size != 0 && actual != 0 && world_size != actual {
        return Err(Error::invalid(op, "the world size is not that of the store")
            .with("world_size", world_size)
            .with("store_world_size", actual));
    }
    // SAFETY: checked above; the caller passes as much room as it says.
    unsafe { write_address(op, &*guest, ip, port) }
}

/// The guest of `url` that is kept, or a new one.
fn guest(url: &StoreUrl, access: Access) -> Result<Arc<dyn Store>> {
    let name = url.to_string();
    let kept = GUESTS.lock().get(&name).cloned();
    if let Some(kept) = kept.filter(|guest| guest.is_connected()) {
        return Ok(kept);
    }
    let made = rendezvous::visit(url.clone(), access, GUEST_TIMEOUT)?;
    let before = GUESTS.lock().insert(name, Arc::clone(&made));
    // Behind the lock.
    drop(before);
    Ok(made)
}

pub(crate) fn smem_bm_release_leader_address_store(_op: &'static str) -> Result<()> {
    GUESTS.take().into_values().for_each(|guest| guest.close());
    Ok(())
}

pub(crate) fn smem_bm_register_leader_change_callback(
    op: &'static str,
    callback: LeaderChangeCallback,
    user: *mut c_void,
) -> Result<()> {
    STATE.context(op)?;
    let store = store_with_elections(op)?;
    forget_callback();
    let Some(callback) = callback else { return Ok(()) };
    let user = user.expose_provenance();
    let first = Mutex::new(true);
    let watch = leadership::watch(&store, move |leader| {
        // The first report is no change.
        let began = std::mem::take(&mut *lock(&first));
        if !began && !leader.here {
            // SAFETY: the program vouches for its function and the context, from any thread, until it sets
            // another.
            call_program("smem_bm_leader_change_cb", || unsafe {
                callback(std::ptr::with_exposed_provenance_mut(user));
            });
        }
    })?;
    *lock(&CALLBACK) = Some(watch);
    Ok(())
}

/// Ends the callback of this process, which does not run any more on return.
pub(super) fn forget_callback() {
    let before = lock(&CALLBACK).take();
    if let Some(watch) = before {
        watch.end();
    }
}
