// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_store_*`: the config store by itself, for languages and programs without a pool.
//!
//! A handle is a membership, or a guest, of its own. Null stands for the membership of big memory. All see
//! the same keys, except the library's own.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mf_abi::smem::{
    MFX_RANK_ANY, MFX_RANK_EXACTLY, MFX_RANK_GUEST, MFX_RANK_PREFER, MFX_STORE_ALL_KEYS, MFX_STORE_DYNAMIC,
    MFX_STORE_SKIP_RECOVERY, MFX_STORE_START, StoreHandle, StoreMember, StoreOptions,
};
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Rank, Result};
use mf_bootstrap::rendezvous::{self, Options};
use mf_bootstrap::served::Start;
use mf_bootstrap::{Host, StoreUrl};
use mf_job::process::Handles;
use mf_store::{RankWish, Store, UserStore, WatchId};
use mf_tls::TlsFiles;
use mf_tls::{Access, JobSecret};

use super::servers;
use crate::boundary::{bytes, text};
use crate::part;
use crate::startup::prepare;

/// A membership, and the watches that were set up through it.
pub(crate) struct Session {
    store: Arc<dyn Store>,
    /// The server, as far as it may run here.
    host: Option<Arc<Host>>,
    watches: Watches,
    owner: Owner,
}

/// Watches by the number that callers know.
pub(crate) struct Watches(Mutex<BTreeMap<u64, WatchId>>);

impl Watches {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<u64, WatchId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the watches of an ended membership.
    pub(crate) fn forget(&self) {
        self.locked().clear();
    }

    pub(super) fn add(&self, id: WatchId) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        self.locked().insert(number, id);
        number
    }

    pub(super) fn take(&self, operation: &'static str, number: u64) -> Result<WatchId> {
        self.locked()
            .remove(&number)
            .ok_or_else(|| Error::new(Kind::NotExist, operation).what("unknown watch").with("watch", number))
    }
}

/// Memberships in stores by themselves.
static SESSIONS: Handles<Session, 1024> = Handles::new("store", "mfx_store_connect");
/// Watches through the membership of big memory.
static WATCHES: Watches = Watches::new();

/// Forgets the watches of big memory, after its membership has ended.
pub(super) fn forget_watches_of_big_memory() {
    WATCHES.forget();
}

/// The store of a call.
pub(super) struct Target {
    pub(super) store: Arc<dyn Store>,
    session: Option<Arc<Session>>,
}

impl Target {
    /// Returns the store of a handle, or big memory's for null.
    pub(super) fn from_handle(operation: &'static str, handle: StoreHandle) -> Result<Self> {
        if handle.is_null() {
            let store = Arc::clone(part::big_memory(operation)?.store()?);
            return Ok(Self { store, session: None });
        }
        let session = SESSIONS.get(operation, handle, Kind::InvalidParam)?;
        session.owner.check(operation, "the store was connected by the parent of this process")?;
        Ok(Self { store: Arc::clone(&session.store), session: Some(session) })
    }

    pub(super) fn watches(&self) -> &Watches {
        self.session.as_ref().map_or(&WATCHES, |session| &session.watches)
    }
}

/// A text argument of a call on a store.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn target_and_text<'a>(
    operation: &'static str,
    handle: StoreHandle,
    name: &str,
    argument: *const c_char,
) -> Result<(Target, &'a str)> {
    // SAFETY: the caller passes a C string or null.
    let argument = unsafe { text(operation, name, argument) }?;
    Ok((Target::from_handle(operation, handle)?, argument))
}

/// A timeout without a limit.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 86_400);

pub(super) fn timeout(timeout_ms: u32) -> Duration {
    if timeout_ms == u32::MAX { FOR_EVER } else { Duration::from_millis(u64::from(timeout_ms)) }
}

pub(super) fn deadline(timeout_ms: u32) -> Instant {
    Instant::now() + timeout(timeout_ms)
}

pub(crate) unsafe fn mfx_store_options_init(_op: &'static str, options: *mut StoreOptions) -> Result<()> {
    // SAFETY: not null; the caller passes a struct of this size.
    unsafe { options.write(DEFAULTS) };
    Ok(())
}

const DEFAULTS: StoreOptions = StoreOptions {
    // The size of a small struct.
    #[expect(clippy::cast_possible_truncation, reason = "64")]
    struct_bytes: size_of::<StoreOptions>() as u32,
    world_size: 0,
    wish: MFX_RANK_GUEST,
    rank: 0,
    device_id: 0,
    flags: 0,
    connect_timeout_ms: 120_000,
    request_timeout_ms: 30_000,
    secret: std::ptr::null(),
    secret_bytes: 0,
    tls_info: std::ptr::null(),
    plaintext: 0,
    reserved: 0,
};

pub(crate) unsafe fn mfx_store_connect(
    op: &'static str,
    url: *const c_char,
    options: *const StoreOptions,
) -> Result<StoreHandle> {
    prepare()?;
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", url) }?)?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let options = unsafe { checked(op, options) }?;
    let wish = rank_wish(op, options)?;
    let device = u16::try_from(options.device_id)
        .map_err(|_| Error::invalid(op, "the device is above 65535").with("deviceId", options.device_id))?;
    let joined = rendezvous::join(Options {
        wish,
        device,
        start_server: options.flags & MFX_STORE_START != 0,
        dynamic: options.flags & MFX_STORE_DYNAMIC != 0,
        skip_recovery: options.flags & MFX_STORE_SKIP_RECOVERY != 0,
        init_timeout: timeout(options.connect_timeout_ms),
        request_timeout: timeout(options.request_timeout_ms),
        // SAFETY: the pointers of the options are null or valid, as the header demands.
        access: unsafe { access(op, options) }?,
        ..Options::new(url, options.world_size)
    })?;
    let store =
        joined.store.ok_or_else(|| Error::new(Kind::Failed, op).what("the store gave no membership"))?;
    let session = Arc::new(Session {
        store: if options.flags & MFX_STORE_ALL_KEYS == 0 { UserStore::shared(&store) } else { store },
        host: joined.host,
        watches: Watches::new(),
        owner: Owner::current(),
    });
    SESSIONS.insert(op, Arc::clone(&session)).inspect_err(|_| session.end())
}

/// Returns the options, or the defaults for null.
///
/// # Safety
/// `options` is null, or points to an initialised struct that nobody changes during the call.
unsafe fn checked<'a>(operation: &'static str, options: *const StoreOptions) -> Result<&'a StoreOptions> {
    // SAFETY: the caller vouches for it.
    let options = unsafe { options.as_ref() }.unwrap_or(&DEFAULTS);
    if options.struct_bytes != DEFAULTS.struct_bytes {
        return Err(Error::invalid(operation, "the options have another size than those of this library")
            .with("structBytes", options.struct_bytes)
            .hint("fill them with mfx_store_options_init"));
    }
    if options.connect_timeout_ms == 0 || options.request_timeout_ms == 0 {
        return Err(Error::invalid(operation, "a timeout is 0"));
    }
    Ok(options)
}

pub(crate) unsafe fn mfx_store_serve(
    op: &'static str,
    url: *const c_char,
    options: *const StoreOptions,
    place: *mut c_char,
    capacity: u64,
) -> Result<()> {
    prepare()?;
    // SAFETY: the caller passes a C string.
    let url = StoreUrl::parse(unsafe { text(op, "the store URL", url) }?)?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let options = unsafe { checked(op, options) }?;
    if matches!(url, StoreUrl::Etcd { .. }) {
        return Err(Error::invalid(op, "an etcd store runs in the process that etcd elects")
            .with("url", url)
            .hint("connect as a guest with MFX_STORE_START"));
    }
    let start = Start {
        world_size: options.world_size,
        skip_recovery: options.flags & MFX_STORE_SKIP_RECOVERY != 0,
        timeout: timeout(options.connect_timeout_ms),
        // SAFETY: the pointers of the options are null or valid, as the header demands.
        access: unsafe { access(op, options) }?,
    };
    let served = servers::serve(url, start)?;
    let address = served.host().and_then(|host| host.address());
    let address = address.map_or_else(|| served.url().to_string(), |address| format!("tcp://{address}"));
    // SAFETY: the caller passes so many writable bytes, or null.
    unsafe { write_text(&address, place, capacity) };
    Ok(())
}

fn rank_wish(operation: &'static str, options: &StoreOptions) -> Result<RankWish> {
    match options.wish {
        MFX_RANK_ANY => Ok(RankWish::Any),
        MFX_RANK_PREFER => Ok(RankWish::Prefer(Rank(options.rank))),
        MFX_RANK_EXACTLY => Ok(RankWish::Exactly(Rank(options.rank))),
        MFX_RANK_GUEST => Ok(RankWish::Guest),
        other => Err(Error::invalid(operation, "unknown wish for a rank")
            .with("wish", other)
            .hint("MFX_RANK_ANY 0, PREFER 1, EXACTLY 2, GUEST 3")),
    }
}

/// Returns the credentials in the options.
///
/// # Safety
/// The pointers of `options` are null or valid, as the header describes.
unsafe fn access(operation: &'static str, options: &StoreOptions) -> Result<Access> {
    let secret = if options.secret.is_null() {
        None
    } else {
        // SAFETY: the caller passes so many readable bytes.
        let bytes = unsafe { bytes(operation, "the secret", options.secret, options.secret_bytes) }?;
        Some(JobSecret::new(bytes))
    };
    let certificates = if options.tls_info.is_null() {
        None
    } else {
        // SAFETY: the caller passes a C string.
        Some(TlsFiles::from_info(unsafe { text(operation, "tlsInfo", options.tls_info) }?)?)
    };
    Ok(Access { secret, certificates, plaintext: options.plaintext != 0, ..Access::default() })
}

pub(crate) fn mfx_store_close(_op: &'static str, handle: StoreHandle) -> Result<()> {
    if let Some(session) = SESSIONS.remove(handle) {
        session.end();
    }
    Ok(())
}

impl Session {
    fn end(&self) {
        if !self.owner.is_current() {
            return;
        }
        self.store.close();
        if let Some(host) = &self.host {
            host.linger();
        }
    }
}

pub(crate) unsafe fn mfx_store_member(
    op: &'static str,
    handle: StoreHandle,
    member: *mut StoreMember,
) -> Result<()> {
    let store = Target::from_handle(op, handle)?.store;
    let (known, leader) = (store.member(), store.leader());
    let result = StoreMember {
        session: known.session,
        term: leader.term,
        rank: known.rank.0,
        world_size: known.world_size,
        connected: u32::from(store.is_connected()),
        is_leader: u32::from(leader.here),
    };
    // SAFETY: not null; the caller passes room for the struct.
    unsafe { member.write(result) };
    Ok(())
}

pub(crate) unsafe fn mfx_store_leader(
    op: &'static str,
    handle: StoreHandle,
    term: *mut u64,
    place: *mut c_char,
    capacity: u64,
) -> Result<()> {
    let leader = Target::from_handle(op, handle)?.store.leader();
    if !term.is_null() {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { term.write(leader.term) };
    }
    // SAFETY: the caller passes so many writable bytes, or null.
    unsafe { write_text(&leader.place, place, capacity) };
    Ok(())
}

/// Writes a text with its terminator, cut to the room.
///
/// # Safety
/// `place` is null, or has `capacity` writable bytes.
unsafe fn write_text(text: &str, place: *mut c_char, capacity: u64) {
    if place.is_null() || capacity == 0 {
        return;
    }
    let room = usize::try_from(capacity).unwrap_or(usize::MAX) - 1;
    let text = text.as_bytes();
    let text = text.get(..text.len().min(room)).unwrap_or_default();
    // SAFETY: the caller passes `capacity` writable bytes, and the text is shorter.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), place.cast::<u8>(), text.len()) };
    // SAFETY: the text and its terminator fit into the room of the caller.
    let end = unsafe { place.add(text.len()) };
    // SAFETY: the text and its terminator fit into the room of the caller.
    unsafe { end.write(0) };
}

pub(crate) unsafe fn mfx_store_has_ended(
    op: &'static str,
    handle: StoreHandle,
    ended: *mut bool,
) -> Result<()> {
    let has_ended = Target::from_handle(op, handle)?.store.has_ended();
    // SAFETY: not null; the caller passes room for a bool.
    unsafe { ended.write(has_ended) };
    Ok(())
}
