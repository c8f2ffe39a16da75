// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Endpoint: a name at a store, registered memory, and transfers to and from others by name.
//!
//! `memory`: registered memory; `copies`: blocking transfers; `search`: look-up of processes by name;
//! `direct`: endpoints without a common store.

mod copies;
mod direct;
mod memory;
mod search;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::os::process::Owner;
use mf_base::os::random;
use mf_base::settings::{Switch, settings};
use mf_base::sync::{lock, rcu};
use mf_base::{Error, Rank, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::meeting::Guest;
use mf_fabric::directory::StoreDirectory;
use mf_fabric::endpoint::Endpoint as Registered;
use mf_job::metrics::Observer;
use mf_job::process::Owned;
use mf_net::Network;
use mf_net::carrier::{self, JobOptions};
use mf_store::WatchId;
use mf_tls::Access;

use super::card::{Card, guest_name};
use super::inbox::Inbox;
use super::options::{Options, Role};
use super::peer_down::{Down, PeerDownFn};
use super::peers::Peers;
use super::quant::Quantiser;
use super::started_transfer::Transfers;

pub(super) use copies::check_spans;
use direct::{Direct, without_suffix};
use mf_transport::SegmentKey;

const OP: &str = "transfer";

/// Registered memory under a name, and transfers by name. Cheap to clone; all calls from any thread.
#[derive(Clone)]
pub struct Endpoint(pub(super) Arc<EndpointInner>);

pub(super) struct EndpointInner {
    pub(super) name: String,
    role: Role,
    guest: Guest,
    network: Arc<Network>,
    pub(super) memory: Arc<Registered>,
    /// Notifications to this endpoint.
    pub(super) inbox: Arc<Inbox>,
    /// Started transfers, and their threads.
    pub(super) transfers: Transfers,
    peers: Peers,
    pub(super) quantiser: Quantiser,
    down: Arc<Down>,
    /// The session of each name, as far as the store has reported: reports of an end do not name a session.
    announced: Mutex<HashMap<String, u64>>,
    watch: Mutex<Option<WatchId>>,
    is_ended: AtomicBool,
    /// Its meeting point and its visits. `None`: it meets others at a store.
    direct: Option<Direct>,
    owner: Owner,
    _observer: Option<Arc<Observer>>,
}

impl Endpoint {
    /// Takes the name at the store, and publishes there how this process is reached. Waits for the store, at
    /// most for the init timeout. Others may transfer as soon as it returns.
    ///
    /// # Errors
    /// `InvalidParam` name, URL, nic, timeout or `MF_METRICS` · `Duplicated` another endpoint has the name
    /// · `Timeout`, `NotConnected` there is no store · `NotExist` no accelerator of that number, or with
    /// `MF_STRICT_ENGINE=1` all requested engines are lacking here · as for [`carrier::join_registering`].
    pub fn create(options: Options) -> Result<Self> {
        Self::make(options, None)
    }

    fn make(options: Options, direct: Option<Direct>) -> Result<Self> {
        options.check("trans create")?;
        // It takes the kernel some milliseconds where there are several threads: no transfer is to wait for
        // it.
        rcu::prepare();
        let (settings, url) = (settings()?, StoreUrl::parse(&options.store_url)?);
        let (devices, engines) = options.open_devices()?;
        let quantiser = Quantiser::new(devices.clone(), options.kernels);
        let access = Access { certificates: options.certificates.clone(), ..Access::default() };
        let _observer = Observer::current(settings, Rank(u32::MAX))?;
        let guest = Guest::join(&url, &guest_name(&options.name), b"", &access, options.timeout)
            .map_err(|error| error.with("endpoint", &options.name))?;
        let nic = if options.nic.trim().is_empty() { &settings.nic } else { &options.nic };
        let tls = if options.certificates.is_some() { Switch::On } else { settings.net_tls };
        let join = JobOptions { is_loopback: url.is_loopback(), nic, tls, settings };
        let network = carrier::join_registering(&StoreDirectory::for_store(guest.store()), &join)?;
        let key = SegmentKey(u64::from_le_bytes(random("trans create")?));
        let inbox = Inbox::get_or_create(&options.name);
        let receiver = Arc::clone(&inbox);
        let memory = Registered::open(Arc::clone(&network), devices, key, receiver)?;
        let memory = Arc::new(memory.asking_for(engines, options.engines_are_chosen));
        guest.publish(&Card::new(guest.store().member().session, key).encode())?;
        Ok(Self(Arc::new(EndpointInner {
            name: options.name,
            role: options.role,
            guest,
            network,
            memory,
            inbox,
            transfers: Transfers::default(),
            peers: Peers::default(),
            quantiser,
            down: Arc::default(),
            announced: Mutex::default(),
            watch: Mutex::default(),
            is_ended: AtomicBool::new(false),
            direct,
            owner: Owner::current(),
            _observer,
        })))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns its role.
    pub fn role(&self) -> Role {
        self.0.role
    }

    /// Sets a callback that is called from now on, once for each endpoint that is gone: any endpoint at the
    /// store, or one that this endpoint has transferred with. It runs on a thread of its own, on which
    /// anything may be called. When this returns, the former callback is not called any more, unless the
    /// former callback itself calls this. `None`: no callback.
    ///
    /// # Errors
    /// `NotConnected` the store is lost.
    pub fn set_peer_down_callback(&self, callback: Option<PeerDownFn>) -> Result<()> {
        self.check()?;
        let is_set = callback.is_some();
        self.0.down.set(match self.0.direct {
            Some(_) => callback.map(without_suffix),
            None => callback,
        });
        let mut watch = lock(&self.0.watch);
        if is_set && watch.is_none() {
            let inner = Arc::downgrade(&self.0);
            *watch = Some(self.0.guest.watch(Arc::new(move |news| EndpointInner::notified(&inner, news)))?);
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

impl EndpointInner {
    pub(super) fn check(&self) -> Result<()> {
        self.owner.check(OP, "the endpoint belongs to the parent of this process")?;
        if self.is_over() {
            return Err(Error::invalid(OP, "the endpoint was destroyed"));
        }
        Ok(())
    }

    /// Returns true if it was destroyed.
    pub(super) fn is_over(&self) -> bool {
        self.is_ended.load(Ordering::Acquire)
    }

    fn end(&self) {
        if !self.owner.is_current() || self.is_ended.swap(true, Ordering::AcqRel) {
            return;
        }
        self.transfers.close();
        if let Some(direct) = &self.direct {
            direct.close();
        }
        self.inbox.wake();
        self.down.end();
        self.memory.end();
        self.peers.clear();
        self.network.close();
        self.guest.store().close();
        // Their waits have ended with the network and the store.
        self.transfers.wait();
        if let Some(direct) = &self.direct {
            direct.batches.wait();
        }
    }
}

impl Drop for EndpointInner {
    fn drop(&mut self) {
        self.end();
    }
}
