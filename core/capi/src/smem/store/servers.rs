// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Config store servers that a program makes by hand: by URL (`smem.h`), and as handles
//! (`smem_config_store_api.h`).
//!
//! A URL is served once in a process, for all callers; handles are shares in that server. It ends with
//! `smem_destroy_config_store` or with the handle that is destroyed.

use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_abi::smem::{
    BrokenCallback, BrokenFn, ConfigStoreHandle, LeaderCallback, LeaderFn, LeaderInfo,
    SMEM_STORE_SKIP_RECOVER,
};
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_store::rendezvous::{self, Options};
use mf_store::{Host, Store, StoreUrl};
use mf_tls::Access;

use crate::boundary::{call_program, text};
use crate::last_error;
use crate::process::{PROCESS, prepare};
use crate::smem::bm::leader::{Leadership, is_elective, watch_leadership};

/// How long a server may take to start; with a backend, an election is a part of it.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a guest of our own store searches for it.
pub(crate) const GUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A server of this process.
pub(crate) struct Served {
    url: StoreUrl,
    /// None for clusters that need no server of ours.
    host: Option<Arc<Host>>,
    broken: Arc<Mutex<Option<Broken>>>,
    /// The guest through which the server's process learns who leads, while a callback for that is set.
    guest: Mutex<Option<Arc<dyn Store>>>,
    owner: Owner,
}

#[derive(Clone, Copy)]
struct Broken {
    callback: BrokenFn,
    /// The program's pointer as a number: it is passed back, never followed.
    context: usize,
}

/// Every server of this process that was made by hand, once.
pub(crate) fn all() -> Vec<Arc<Served>> {
    let mut found: Vec<Arc<Served>> = PROCESS.served.lock().values().cloned().collect();
    for served in PROCESS.servers.all() {
        let known = found.iter().any(|other| Arc::ptr_eq(other, &served));
        if !known && served.owner.is_current() {
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
    serve(url, flags & SMEM_STORE_SKIP_RECOVER != 0).map(drop)
}

/// Whether big memory in this process runs the store of the URL already.
fn served_by_context(url: &StoreUrl) -> bool {
    let StoreUrl::Tcp { addresses } = url else { return false };
    let served = PROCESS.big_memory.current().and_then(|context| context.served_address());
    served.is_some_and(|served| addresses.contains(&served))
}

/// The server of `url`, started unless it runs. A store for a job of any size: the first member says how
/// large it is.
fn serve(url: StoreUrl, skip_recovery: bool) -> Result<Arc<Served>> {
    let mut stores = PROCESS.served.lock();
    let name = url.to_string();
    if let Some(served) = stores.get(&name) {
        return Ok(Arc::clone(served));
    }
    let host = match &url {
        // It runs in the process of the member that is elected.
        StoreUrl::Etcd { .. } => None,
        StoreUrl::Tcp { .. } | StoreUrl::Backend { .. } => start(url.clone(), skip_recovery)?,
    };
    let served = Arc::new(Served {
        url,
        host,
        broken: Arc::default(),
        guest: Mutex::default(),
        owner: Owner::current(),
    });
    stores.insert(name, Arc::clone(&served));
    Ok(served)
}

fn start(url: StoreUrl, skip_recovery: bool) -> Result<Option<Arc<Host>>> {
    let joined = rendezvous::join(Options {
        only_server: true,
        skip_recovery,
        init_timeout: START_TIMEOUT,
        request_timeout: START_TIMEOUT,
        access: server_access(),
        ..Options::new(url, 0)
    })?;
    Ok(joined.host)
}

/// What a server that is made by hand proves itself with.
fn server_access() -> Access {
    lock(&PROCESS.server_access).clone().unwrap_or_default()
}

pub(crate) unsafe fn smem_destroy_config_store(op: &'static str, store_url: *const c_char) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", store_url) }?)?;
    let served = PROCESS.served.lock().remove(&url.to_string());
    let served = served
        .ok_or_else(|| Error::new(Kind::NotExist, op).what("no store was created here").with("url", url))?;
    // Handles on it are shares in what is no more.
    PROCESS.servers.remove_all(|other| Arc::ptr_eq(other, &served)).for_each(drop);
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
    PROCESS.servers.insert(op, serve(url, false)?)
}

pub(crate) unsafe fn smem_config_store_destroy_server(
    op: &'static str,
    store: ConfigStoreHandle,
    store_url: *const c_char,
) -> Result<()> {
    let served = PROCESS.servers.remove(store).ok_or_else(|| unknown(op, store))?;
    PROCESS.served.lock().retain(|_, other| !Arc::ptr_eq(other, &served));
    served.end();
    if !store_url.is_null() {
        // SAFETY: the caller passes a C string.
        let url = StoreUrl::parse(unsafe { text(op, "the store URL", store_url) }?)?;
        let other = PROCESS.served.lock().remove(&url.to_string());
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
    served.set_broken(callback.map(|callback| Broken { callback, context }))
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
    if !is_elective(&served.url) {
        return Ok(1);
    }
    let context = context.expose_provenance();
    served.set_leader(callback.map(|callback| (callback, context)))?;
    Ok(0)
}

impl Served {
    pub(crate) fn url(&self) -> &StoreUrl {
        &self.url
    }

    pub(crate) fn host(&self) -> Option<&Arc<Host>> {
        self.host.as_ref()
    }

    /// Ends the server and everything that calls back, also while shares are still held.
    fn end(&self) {
        self.forget_guest();
        *lock(&self.broken) = None;
        if let Some(host) = &self.host {
            host.stop();
        }
    }

    fn set_broken(&self, wanted: Option<Broken>) -> Result<()> {
        let first = {
            let mut broken = lock(&self.broken);
            std::mem::replace(&mut *broken, wanted).is_none()
        };
        let Some(host) = self.host.as_ref().filter(|_| first && wanted.is_some()) else { return Ok(()) };
        let broken = Arc::clone(&self.broken);
        host.on_member_lost(Arc::new(move |link, rank| {
            // Copied out, so that no lock is held while it runs.
            let wanted = *lock(&broken);
            if let Some(Broken { callback, context }) = wanted {
                // Numbers of connections are never used again; the interface has room for 32 bits of them.
                let link = u32::try_from(link & u64::from(u32::MAX)).unwrap_or(u32::MAX);
                // SAFETY: the program vouches for its function and the context, from any thread, until it
                // sets another.
                call_program("smem_config_store_broken_cb", || unsafe {
                    callback(std::ptr::with_exposed_provenance_mut(context), link, rank)
                });
            }
        }))
    }

    fn set_leader(&self, wanted: Option<(LeaderFn, usize)>) -> Result<()> {
        // An earlier callback is not called any more once its guest has gone.
        self.forget_guest();
        let Some((callback, context)) = wanted else { return Ok(()) };
        let guest = rendezvous::visit(self.url.clone(), server_access(), GUEST_TIMEOUT)?;
        let notify = move |leader: &Leadership| {
            let address = leader.address.map_or_else(String::new, |address| address.to_string());
            let address = last_error::c_text(&address);
            let info =
                LeaderInfo { is_leader: u8::from(leader.here), bindable_leader_address: address.as_ptr() };
            // SAFETY: as for the other callback; the text lives through the call.
            call_program("smem_config_store_leader_change_cb", || unsafe {
                callback(std::ptr::with_exposed_provenance_mut(context), &raw const info);
            });
        };
        watch_leadership(&guest, notify)?;
        *lock(&self.guest) = Some(guest);
        Ok(())
    }

    fn forget_guest(&self) {
        let guest = lock(&self.guest).take();
        if let Some(guest) = guest {
            guest.close();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if self.owner.is_current() {
            self.end();
        }
    }
}

fn served(operation: &'static str, store: ConfigStoreHandle) -> Result<Arc<Served>> {
    let served = PROCESS.servers.find(store).filter(|served| served.owner.is_current());
    served.ok_or_else(|| unknown(operation, store))
}

#[cold]
fn unknown(operation: &'static str, store: ConfigStoreHandle) -> Error {
    PROCESS.servers.refusal(operation, store, Kind::InvalidParam)
}
