// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stores whose leader may change: several tcp addresses, `reg://`, `etcd://`. For all others the interface
//! defines the answers: there is no leader to move to and none that publishes an address.
//!
//! The *bindable* address is where programs reach the service that runs beside the leader. The program
//! with that service publishes it in the store ([`SERVICE`]); until then it is where the leader listens.

use std::ffi::{c_char, c_void};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use mf_abi::smem::{LeaderChangeCallback, TlsConfig};
use mf_base::{Error, Kind, Result};
use mf_store::{Change, Leader, Lifetime, Store, StoreUrl, WatchId, rendezvous};
use mf_tls::Access;

use crate::boundary::{call_program, present, text};
use crate::process::{PROCESS, prepare};
use crate::smem::store::servers::GUEST_TIMEOUT;
use crate::smem::store::tls;

/// Room for any numeric address.
const IP_BYTES: usize = 64;
/// Key of the address that the leader's service published.
const SERVICE: &str = ".mf/leader/service";

/// Whether another server may come to lead the store.
pub(crate) fn is_elective(url: &StoreUrl) -> bool {
    match url {
        StoreUrl::Tcp { addresses } => addresses.len() > 1,
        StoreUrl::Etcd { .. } | StoreUrl::Backend { .. } => true,
    }
}

/// What is known about who leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leadership {
    /// Where the leader's service is reached.
    pub(crate) address: Option<SocketAddr>,
    /// Whether the leading store runs in this process.
    pub(crate) here: bool,
}

/// Who leads `store`, and the address of the service: `published`, else that of the store.
fn leadership(leader: &Leader, published: Option<SocketAddr>) -> Leadership {
    let listening = leader.place.strip_prefix("tcp://").and_then(|place| place.parse().ok());
    Leadership { address: published.or(listening), here: leader.here }
}

fn published(store: &dyn Store) -> Result<Option<SocketAddr>> {
    Ok(store.get(SERVICE)?.and_then(|entry| address_of(&entry.value)))
}

fn address_of(value: &[u8]) -> Option<SocketAddr> {
    str::from_utf8(value).ok()?.parse().ok()
}

/// Watches that were set up for one callback.
#[derive(Debug)]
pub(crate) struct LeaderWatch([WatchId; 2]);

/// Calls `notify` at once when the leader is known, and whenever it changes.
pub(crate) fn watch_leadership(
    store: &Arc<dyn Store>,
    notify: impl Fn(&Leadership) + Send + Sync + 'static,
) -> Result<LeaderWatch> {
    struct Known {
        leader: Leader,
        published: Option<SocketAddr>,
        reported: Option<Leadership>,
    }
    let known = Arc::new(Mutex::new(Known { leader: store.leader(), published: None, reported: None }));
    let notify = Arc::new(notify);
    let update = move |change: &dyn Fn(&mut Known)| {
        let news = {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut known);
            let now = leadership(&known.leader, known.published);
            let is_known = known.reported.as_ref() == Some(&now);
            known.reported = Some(now.clone());
            (!is_known).then_some(now)
        };
        if let Some(news) = news {
            notify(&news);
        }
    };
    let update = Arc::new(update);
    let (on_leader, on_key) = (Arc::clone(&update), Arc::clone(&update));
    let leader = store.watch_leader(Arc::new(move |leader| {
        on_leader(&|known| known.leader = leader.clone());
    }))?;
    let key = store.watch_key(
        SERVICE,
        Arc::new(move |change| match change {
            Change::Put(entry) => on_key(&|known| known.published = address_of(&entry.value)),
            Change::Removed { .. } => on_key(&|known| known.published = None),
            Change::StoreLost => {}
        }),
    )?;
    // Read after the watch was set up: what comes between the two comes through the watch as well.
    let now = published(&**store)?;
    update(&|known| known.published = known.published.or(now));
    Ok(LeaderWatch([leader, key]))
}

/// The membership of big memory, if its store is one whose leader may change.
fn elective_store(operation: &'static str) -> Result<Arc<dyn Store>> {
    let single =
        || Error::new(Kind::Failed, operation).what("the store is a single server: it has no leader");
    let context = PROCESS.big_memory.current().ok_or_else(|| {
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
    let known = leadership(&store.leader(), published(store)?);
    let address = known.address.ok_or_else(|| {
        Error::new(Kind::Failed, operation)
            .what("nobody has published the address of the leader's service")
            .hint("mfx_bm_publish_leader_address in the process that runs it")
    })?;
    let text = address.ip().to_string();
    // SAFETY: the longest numeric address with its terminator has 46 bytes; the caller passes room for 64.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), ip.cast::<u8>(), text.len()) };
    // SAFETY: as above.
    let end = unsafe { ip.add(text.len()) };
    // SAFETY: as above.
    unsafe { end.write(0) };
    // SAFETY: the caller passes room for a number.
    unsafe { port.write(address.port()) };
    Ok(())
}

pub(crate) unsafe fn smem_bm_update_store_url(op: &'static str, url: *const c_char) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    let context = PROCESS.big_memory.context(op)?;
    context.store()?.relocate(&StoreUrl::parse(url)?)
}

pub(crate) unsafe fn smem_bm_update_store_server(
    op: &'static str,
    ip: *const c_char,
    port: u16,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let address = service_address(op, unsafe { text(op, "the address", ip) }?, port)?;
    elective_store(op)?.relocate(&StoreUrl::parse(&StoreUrl::tcp(address).to_string())?)
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
    let context = PROCESS.big_memory.context(op)?;
    context.whole_store()?.set(SERVICE, address.to_string().as_bytes(), Lifetime::Session).map(drop)
}

pub(crate) unsafe fn smem_bm_get_bindable_leader_address(
    op: &'static str,
    ip: *mut c_char,
    ip_len: usize,
    port: *mut u16,
) -> Result<()> {
    check_room(op, ip, ip_len, port)?;
    let store = elective_store(op)?;
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
    let certificates = unsafe { tls.as_ref() }.map_or(Ok(None), |tls| tls::of_config(op, tls))?;
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
    let kept = PROCESS.guests.lock().get(&name).cloned();
    if let Some(kept) = kept.filter(|guest| guest.is_connected()) {
        return Ok(kept);
    }
    let made = rendezvous::visit(url.clone(), access, GUEST_TIMEOUT)?;
    let before = PROCESS.guests.lock().insert(name, Arc::clone(&made));
    // Behind the lock.
    drop(before);
    Ok(made)
}

pub(crate) fn smem_bm_release_leader_address_store(_op: &'static str) -> Result<()> {
    PROCESS.guests.take().into_values().for_each(|guest| guest.close());
    Ok(())
}

/// The watch of the one callback, and the store it belongs to.
pub(crate) type LeaderCallback = (Weak<dyn Store>, LeaderWatch);

pub(crate) fn smem_bm_register_leader_change_callback(
    op: &'static str,
    callback: LeaderChangeCallback,
    user: *mut c_void,
) -> Result<()> {
    PROCESS.big_memory.context(op)?;
    let store = elective_store(op)?;
    forget_callback();
    let Some(callback) = callback else { return Ok(()) };
    let user = user.expose_provenance();
    let first = Mutex::new(true);
    let watch = watch_leadership(&store, move |leader| {
        // What is so at the beginning is no change.
        let began = std::mem::take(&mut *first.lock().unwrap_or_else(PoisonError::into_inner));
        if !began && !leader.here {
            // SAFETY: the program vouches for its function and the context, from any thread, until it sets
            // another.
            call_program("smem_bm_leader_change_cb", || unsafe {
                callback(std::ptr::with_exposed_provenance_mut(user));
            });
        }
    })?;
    *PROCESS.leader_callback.lock().unwrap_or_else(PoisonError::into_inner) =
        Some((Arc::downgrade(&store), watch));
    Ok(())
}

/// Ends the callback of this process; it does not run any more on return.
pub(crate) fn forget_callback() {
    let before = PROCESS.leader_callback.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((store, LeaderWatch(watches))) = before
        && let Some(store) = store.upgrade()
    {
        for watch in watches {
            // It may have ended with the store.
            let _ = store.unwatch(watch);
        }
    }
}
