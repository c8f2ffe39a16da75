// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One endpoint: a name at a store, registered memory, and transfers to and from others by name.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::os::process::Owner;
use mf_base::os::random;
use mf_base::settings::{Switch, settings};
use mf_base::sync::lock;
use mf_base::sync::pin::{self, Inside};
use mf_base::{Error, Kind, Result};
use mf_fabric::device::RawStream;
use mf_fabric::endpoint::{Endpoint as Registered, Reached};
use mf_fabric::transport::carrier::{self, JobOptions};
use mf_fabric::transport::{Network, SegmentKey, Span};
use mf_job::process::Owned;
use mf_store::meeting::{Guest, News};
use mf_store::{Access, StoreUrl, WatchId};

use super::card::{Card, endpoint_name, guest_name};
use super::down::{Down, PeerDownFn};
use super::inbox::Inbox;
use super::options::{Options, Role};
use super::peers::Peers;
use super::quant::Quantiser;
use super::workers::Workers;

const OP: &str = "transfer";
/// How long the store may take to say where an endpoint is. One that dies with its endpoint delays no
/// transfer longer.
const STORE_ANSWERS: Duration = Duration::from_secs(3);

/// Registered memory under a name, and transfers by name. Cheap to clone; all calls from any thread.
#[derive(Clone)]
pub struct Endpoint(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) name: String,
    role: Role,
    guest: Guest,
    network: Arc<Network>,
    pub(super) memory: Arc<Registered>,
    /// What others notify this endpoint of.
    pub(super) inbox: Arc<Inbox>,
    /// Who does transfers that were started.
    pub(super) workers: Workers,
    peers: Peers,
    pub(super) quantiser: Quantiser,
    down: Arc<Down>,
    watch: Mutex<Option<WatchId>>,
    is_ended: AtomicBool,
    owner: Owner,
}

impl Endpoint {
    /// Takes the name at the store, and says there how this process is reached. Waits for the store, at most
    /// for the init timeout. Others may transfer as soon as it returns.
    ///
    /// # Errors
    /// `InvalidParam` name, URL, nic or timeout · `Duplicated` another endpoint has the name · `Timeout`,
    /// `NotConnected` there is no store · `NotExist` no accelerator of that number, or with
    /// `MF_STRICT_ENGINE=1` all engines that are asked for are lacking here · those of
    /// [`carrier::join_registering`].
    pub fn create(options: Options) -> Result<Self> {
        options.check("trans create")?;
        // It takes the kernel some milliseconds where there are several threads: no transfer is to wait for
        // it.
        pin::prepare();
        let (settings, url) = (settings()?, StoreUrl::parse(&options.store_url)?);
        let devices = options.open_devices()?;
        let quantiser = Quantiser::new(devices.clone(), options.kernels);
        let access = Access { certificates: options.certificates.clone(), ..Access::default() };
        let guest = Guest::join(&url, &guest_name(&options.name), b"", &access, options.timeout)
            .map_err(|error| error.with("endpoint", &options.name))?;
        let nic = if options.nic.trim().is_empty() { &settings.nic } else { &options.nic };
        let tls = if options.certificates.is_some() { Switch::On } else { settings.net_tls };
        let join = JobOptions { is_loopback: url.is_loopback(), nic, tls, settings };
        let network = carrier::join_registering(guest.store(), &join)?;
        let key = SegmentKey(u64::from_le_bytes(random("trans create")?));
        let inbox = Inbox::of(&options.name);
        let receiver = Arc::clone(&inbox);
        let memory = Registered::open(Arc::clone(&network), devices, key, receiver)?;
        let memory = Arc::new(memory.asking_for(options.engines));
        guest.publish(&Card::new(guest.store().member().session, key).encode())?;
        Ok(Self(Arc::new(Inner {
            name: options.name,
            role: options.role,
            guest,
            network,
            memory,
            inbox,
            workers: Workers::default(),
            peers: Peers::default(),
            quantiser,
            down: Arc::default(),
            watch: Mutex::default(),
            is_ended: AtomicBool::new(false),
            owner: Owner::current(),
        })))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it is for.
    pub fn role(&self) -> Role {
        self.0.role
    }

    /// How many ranges are registered.
    pub fn registered(&self) -> usize {
        self.0.memory.count()
    }

    /// Lets others access `bytes` at `address`, from the return on. The memory may lie anywhere, and stays
    /// the program's: what is written there by others changes under it. Once more: nothing. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` null, 0 bytes, or over the last address · `NotInit` in a forked child.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        self.check()?;
        self.0.memory.register(address, bytes)
    }

    /// Registers several ranges (address and length), all or none. Where they adjoin a transfer may go over
    /// several. **Local.**
    ///
    /// # Errors
    /// As [`register`](Self::register); `piece` names the range.
    pub fn register_all(&self, ranges: impl IntoIterator<Item = (u64, u64)>) -> Result<()> {
        self.check()?;
        self.0.memory.register_all(ranges)
    }

    /// Takes back what was registered from `address` on. When it returns nothing there is read or written by
    /// others any more, unless it lies in another range that is registered. Waits for copies in
    /// flight.
    ///
    /// # Errors
    /// `NotExist` nothing is registered from there on · `Timeout` a process is stopped in the middle of a
    /// copy: the memory must stay.
    pub fn deregister(&self, address: u64) -> Result<()> {
        self.check()?;
        self.0.memory.withdraw(address)
    }

    /// Memory of zeroes that is registered, and that processes of this host map; aligned to pages. It ends
    /// with [`free`](Self::free), or with the endpoint. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes · `OutOfMemory`, `NoResources`.
    pub fn allocate(&self, bytes: u64) -> Result<u64> {
        self.check()?;
        self.0.memory.allocate(bytes)
    }

    /// Takes back and frees memory of [`allocate`](Self::allocate).
    ///
    /// # Errors
    /// `NotExist` none was allocated at this address · `Timeout` as [`deregister`](Self::deregister); it is
    /// not freed then.
    pub fn free(&self, address: u64) -> Result<()> {
        self.check()?;
        self.0.memory.free(address)
    }

    /// Copies `source` to registered memory of the endpoint `to`. **One-sided.** It is there on return.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one registered range there · `NotConnected` no such endpoint,
    /// or it is gone or does not answer. Part of it may have been written.
    pub fn write(&self, source: &[u8], to: &str, address: u64) -> Result<()> {
        let span = Span { local: source.as_ptr().cast_mut(), address, bytes: source.len() as u64 };
        // SAFETY: the source is a slice that lives during the call, and is only read.
        unsafe { self.transfer(to, &[span], true) }
    }

    /// Fills `destination` from registered memory of the endpoint `from`. **One-sided.**
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn read(&self, destination: &mut [u8], from: &str, address: u64) -> Result<()> {
        let span = Span { local: destination.as_mut_ptr(), address, bytes: destination.len() as u64 };
        // SAFETY: the destination is a slice that lives during the call.
        unsafe { self.transfer(from, &[span], false) }
    }

    /// Copies one short span without a wait, where it is known how; visible on return. `None`: it is not, or
    /// the endpoint is gone, and [`transfer`](Self::transfer) finds out the rest. For callers that count
    /// nanoseconds; the name is bytes.
    ///
    /// # Errors
    /// As [`transfer`](Self::transfer).
    ///
    /// # Safety
    /// As [`transfer`](Self::transfer).
    #[inline]
    pub unsafe fn transfer_at_once(
        &self,
        section: Inside<'_>,
        to: &[u8],
        span: &Span,
        is_write: bool,
    ) -> Option<Result<()>> {
        let inner = &*self.0;
        if !inner.owner.is_current() || span.bytes == 0 || span.local.is_null() {
            return None;
        }
        let reached = inner.peers.at_once(section, to)?;
        // SAFETY: passed on to the caller.
        match unsafe { inner.memory.copy_at_once(section, reached, span, is_write) }? {
            Ok(()) => Some(Ok(())),
            // One that has come back in its place is found.
            Err(error) if error.kind() == Kind::NotConnected => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Copies spans between memory here and registered memory of another endpoint, in any order; all are
    /// visible on return. **One-sided.**
    ///
    /// # Errors
    /// As [`write`](Self::write); the text names the piece. Others may have been copied.
    ///
    /// # Safety
    /// Local ranges are valid, for reading or for writing, until this returns.
    pub unsafe fn transfer(&self, to: &str, spans: &[Span], is_write: bool) -> Result<()> {
        self.check()?;
        check_spans(spans)?;
        // SAFETY: passed on to the caller.
        let copy = |reached: &Reached| unsafe { self.0.memory.copy(reached, spans, is_write) };
        self.0.reaching(to, None, copy).map(drop)
    }

    /// As [`transfer`](Self::transfer), when a stream of the accelerator gets there: what the caller puts on
    /// the stream behind it comes after the data is visible. Without an accelerator it is done on return.
    ///
    /// # Errors
    /// As [`transfer`](Self::transfer) for what is found out at once; what fails later is logged ·
    /// `InvalidParam` it is no stream.
    ///
    /// # Safety
    /// As [`transfer`](Self::transfer), until the stream has done it; the stream is the runtime's.
    pub unsafe fn submit(&self, to: &str, spans: Vec<Span>, is_write: bool, stream: RawStream) -> Result<()> {
        self.check()?;
        check_spans(&spans)?;
        if stream.0.is_null() {
            return Err(Error::invalid(OP, "the stream is null"));
        }
        let reached = self.0.found(to)?;
        // SAFETY: passed on to the caller.
        let done = unsafe { self.0.memory.copy_on(&reached, spans, is_write, stream) };
        done.map_err(|error| error_of(error, to))
    }

    /// Calls `callback` from now on, once for each endpoint that is gone: of those at the store, and of those
    /// that this one has transferred with. On a thread of its own, on which anything may be called. When it
    /// returns the former one is not called any more, unless the former one calls this. None: nothing is
    /// called.
    ///
    /// # Errors
    /// `NotConnected` the store is lost.
    pub fn set_peer_down_callback(&self, callback: Option<PeerDownFn>) -> Result<()> {
        self.check()?;
        let is_set = callback.is_some();
        self.0.down.set(callback);
        let mut watch = lock(&self.0.watch);
        if is_set && watch.is_none() {
            let inner = Arc::downgrade(&self.0);
            *watch = Some(self.0.guest.watch(Arc::new(move |news| Inner::notified(&inner, news)))?);
            for card in self.0.guest.cards()? {
                self.0.published(&card.name, &card.bytes);
            }
        }
        Ok(())
    }

    /// Gives the name and all memory back; others get `NotConnected` from now on. Waits for copies that are
    /// in flight. A second call changes nothing.
    pub fn destroy(&self) {
        self.0.end();
    }

    pub(super) fn check(&self) -> Result<()> {
        self.0.check()
    }
}

impl Owned for Endpoint {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.0.owner.check(operation, "the endpoint belongs to the parent of this process")
    }

    fn end(&self) {
        self.0.end();
    }
}

impl Inner {
    pub(super) fn check(&self) -> Result<()> {
        self.owner.check(OP, "the endpoint belongs to the parent of this process")?;
        if self.is_ended.load(Ordering::Acquire) {
            return Err(Error::invalid(OP, "the endpoint was destroyed"));
        }
        Ok(())
    }

    /// How an endpoint is reached. Asks the store for one that is not known.
    pub(super) fn found(&self, name: &str) -> Result<Arc<Reached>> {
        self.peers.known(name).map_or_else(|| self.find(name), Ok)
    }

    /// Does something with the process behind a name, once more when that is gone and another one has come in
    /// its place; gives the one that it was done with. `meant`: that one and no other.
    pub(super) fn reaching(
        &self,
        name: &str,
        meant: Option<&Arc<Reached>>,
        body: impl Fn(&Reached) -> Result<()>,
    ) -> Result<Arc<Reached>> {
        let known = meant.cloned().or_else(|| self.peers.known(name));
        let (mut reached, mut is_last) = match known {
            Some(reached) => (reached, meant.is_some()),
            None => (self.find(name)?, true),
        };
        loop {
            let Err(error) = body(&reached) else { return Ok(reached) };
            let is_gone = error.kind() == Kind::NotConnected;
            if is_gone {
                self.lose(name, &reached);
            }
            if !is_gone || is_last {
                return Err(error_of(error, name));
            }
            // It may have come back under its name.
            let session = reached.peer().session;
            (reached, is_last) = (self.find(name)?, true);
            if reached.peer().session == session {
                self.lose(name, &reached);
                return Err(error_of(error, name));
            }
        }
    }

    /// Asks the store for an endpoint. The store may be gone with it.
    #[cold]
    fn find(&self, name: &str) -> Result<Arc<Reached>> {
        let card = self.guest.lookup_by(&guest_name(name), Instant::now() + STORE_ANSWERS);
        let found = card
            .map_err(|error| error.with("endpoint", name.escape_debug()))
            .and_then(|card| self.peers.find(name, card, &self.memory, self.network.job(), &self.down));
        found.map_err(|error| match error.kind() {
            Kind::Timeout => error.as_kind(Kind::NotConnected),
            _ => error,
        })
    }

    /// The endpoint is not reached so any more.
    fn lose(&self, name: &str, reached: &Arc<Reached>) {
        if self.peers.remove(name, reached) {
            self.memory.forget(reached);
            self.down.gone(name, Some(reached.peer().session));
        }
    }

    fn published(&self, guest: &str, card: &[u8]) {
        let Some(name) = endpoint_name(guest).filter(|name| *name != self.name) else { return };
        if let Ok(Some(card)) = Card::decode(card) {
            self.down.seen(name, card.session);
        }
    }

    fn notified(inner: &Weak<Self>, news: &News) {
        let Some(inner) = inner.upgrade() else { return };
        match news {
            News::Published(card) => inner.published(&card.name, &card.bytes),
            News::Gone { name, .. } => {
                let Some(name) = endpoint_name(name).filter(|name| *name != inner.name) else { return };
                if let Some(reached) = inner.peers.known(name) {
                    inner.lose(name, &reached);
                }
                inner.down.gone(name, None);
            }
            News::Lost => {}
        }
    }

    fn end(&self) {
        if !self.owner.is_current() || self.is_ended.swap(true, Ordering::AcqRel) {
            return;
        }
        self.workers.close();
        self.inbox.wake();
        self.down.end();
        self.memory.end();
        self.peers.clear();
        self.network.close();
        self.guest.store().close();
        // What they wait for has ended with the network and the store.
        self.workers.wait();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.end();
    }
}

pub(super) fn check_spans(spans: &[Span]) -> Result<()> {
    let is_bad = |span: &Span| {
        let local = (span.local.addr() as u64).checked_add(span.bytes);
        span.bytes == 0
            || span.local.is_null()
            || span.address == 0
            || local.is_none()
            || span.address.checked_add(span.bytes).is_none()
    };
    let Some(number) = spans.iter().position(is_bad) else {
        return match spans {
            [] => Err(Error::invalid(OP, "there is nothing to transfer")),
            _ => Ok(()),
        };
    };
    let bytes = spans.get(number).map_or(0, |span| span.bytes);
    let error =
        Error::invalid(OP, "a range of 0 bytes, at null or beyond the last address").with("bytes", bytes);
    Err(if spans.len() > 1 { error.with("piece", number) } else { error })
}

/// The error of a transfer, for callers: who does not answer in time is not connected.
fn error_of(error: Error, name: &str) -> Error {
    let error = error.with("endpoint", name.escape_debug());
    if error.kind() == Kind::Timeout { error.as_kind(Kind::NotConnected) } else { error }
}
