// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a member of a job: its rank, its connection to the store, its network and its devices.
//!
//! Big memory and share memory in one process are one member of the job when they name the same store:
//! whoever comes first joins it, the other takes part, the last to go says goodbye. One interface joins a
//! store a second time only as another member, as programs do that play several ranks in one process.

mod registry;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::os::process::Owner;
use mf_base::settings::{Switch, settings};
use mf_base::sync::pin;
use mf_base::{Error, Kind, Rank, Result};
use mf_fabric::device::host::HostDevice;
use mf_fabric::device::{self, Devices, Report};
use mf_fabric::space::agree;
use mf_fabric::transport::Network;
use mf_fabric::transport::carrier::{self, JobOptions};
use mf_store::rendezvous::{self, Joined};
use mf_store::{Host, RankWish, Store, StoreUrl, UserStore};

use crate::bm::Config;
use registry::Claim;

/// Who takes part in a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    BigMemory,
    ShareMemory,
}

/// What the interfaces share.
pub(crate) struct Job {
    world_size: u32,
    device: u16,
    /// The store in this process, as far as it runs here or may come to.
    host: Option<Arc<Host>>,
    store: Option<Arc<dyn Store>>,
    /// The same without what is the library's.
    user_store: Option<Arc<dyn Store>>,
    devices: Devices,
    report: Report,
    network: Option<Arc<Network>>,
}

/// The part of one interface in a job. Dropping it ends that.
pub(crate) struct Membership {
    job: Arc<Job>,
    claim: Option<Claim>,
    has_left: AtomicBool,
    owner: Owner,
}

impl Membership {
    /// Takes part in the job of the configuration; joins it unless another interface has. At most the init
    /// timeout.
    pub(crate) fn begin(interface: Interface, config: &Config, operation: &'static str) -> Result<Self> {
        config.check(operation)?;
        let url = StoreUrl::parse(&config.store_url)?;
        let owner = Owner::current();
        if config.start_store_only {
            let job = Arc::new(Job::join(&url, config, operation)?);
            return Ok(Self { job, claim: None, has_left: AtomicBool::new(false), owner });
        }
        let claim = Claim::take(interface, &url, config, operation)?;
        let job = match claim.job() {
            Some(job) => job,
            None => claim.joined(Job::join(&url, config, operation)?),
        };
        let membership = Self { job, claim: Some(claim), has_left: AtomicBool::new(false), owner };
        membership.job.check(config, operation)?;
        Ok(membership)
    }

    pub(crate) fn rank(&self) -> Rank {
        self.job.rank().unwrap_or(Rank(u32::MAX))
    }

    pub(crate) fn world_size(&self) -> u32 {
        self.job.world_size
    }

    pub(crate) fn store(&self, operation: &'static str) -> Result<&Arc<dyn Store>> {
        self.job.store.as_ref().ok_or_else(|| {
            Error::new(Kind::NotStarted, operation)
                .what("this process was started as a store only and is no member")
        })
    }

    /// The store as programs see it.
    pub(crate) fn user_store(&self, operation: &'static str) -> Result<&Arc<dyn Store>> {
        self.store(operation)?;
        self.job.user_store.as_ref().ok_or_else(|| Error::new(Kind::NotStarted, operation))
    }

    pub(crate) fn host(&self) -> Option<&Arc<Host>> {
        self.job.host.as_ref()
    }

    pub(crate) fn served_address(&self) -> Option<SocketAddr> {
        self.job.host.as_ref().and_then(|host| host.address())
    }

    pub(crate) fn devices(&self) -> &Devices {
        &self.job.devices
    }

    pub(crate) fn report(&self) -> &Report {
        &self.job.report
    }

    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        self.job.network.as_ref()
    }

    /// Whether this process made it; a forked child did not.
    pub(crate) fn is_own(&self) -> bool {
        self.owner.is_current()
    }

    pub(crate) fn check_process(&self, operation: &'static str) -> Result<()> {
        if self.is_own() {
            return Ok(());
        }
        Err(Error::new(Kind::NotInit, operation)
            .what("the library was initialised by the parent of this process")
            .hint("initialise in the child, or use spawn instead of fork"))
    }

    /// Ends the part of this interface; the last one says goodbye to the store. A second call changes
    /// nothing.
    pub(crate) fn leave(&self) {
        if !self.is_own() || self.has_left.swap(true, Ordering::AcqRel) {
            return;
        }
        match &self.claim {
            Some(claim) => claim.give_back(|| self.job.close()),
            None => self.job.close(),
        }
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Job {
    fn join(url: &StoreUrl, config: &Config, operation: &'static str) -> Result<Self> {
        let (devices, report) = devices(config)?;
        pin::prepare();
        let joined: Joined = rendezvous::join(rendezvous::Options {
            url: url.clone(),
            world_size: config.world_size,
            wish: match config.rank {
                Some(rank) => RankWish::Exactly(rank),
                None if config.ordered_ranks && !config.dynamic_world => RankWish::Ordered,
                None => RankWish::Any,
            },
            device: config.device,
            start_server: config.start_store || config.start_store_only,
            hosts_store: config.hosts_store,
            only_server: config.start_store_only,
            dynamic: config.dynamic_world,
            skip_recovery: false,
            init_timeout: config.init_timeout,
            request_timeout: config.control_timeout,
            certificates: config.certificates.clone(),
            plaintext: false,
            secret: config.secret.clone(),
            job: config.job.clone(),
            timing: None,
        })?;
        let store = joined.store;
        if let Some(store) = &store {
            agree::publish_free(&**store, &devices, preferred_base(operation)?)?;
        }
        let network = match &store {
            Some(store) => join_network(store, url, config)?,
            None => None,
        };
        let (world_size, device, host) = (config.world_size, config.device, joined.host);
        let user_store = store.as_ref().map(UserStore::shared);
        Ok(Self { world_size, device, host, store, user_store, devices, report, network })
    }

    fn rank(&self) -> Option<Rank> {
        self.store.as_ref().map(|store| store.member().rank)
    }

    /// Refuses an interface that wants to be another member than the process is.
    fn check(&self, config: &Config, operation: &'static str) -> Result<()> {
        let differs = |what: &'static str, here: String, asked: String| {
            Err(Error::invalid(
                operation,
                format!("this process is a member of the job already, with another {what}"),
            )
            .with("is", here)
            .with("asked", asked)
            .with("store", &config.store_url)
            .hint("big memory and share memory of one process are one member: pass the same rank, world size and device"))
        };
        if config.world_size != self.world_size {
            return differs("world size", self.world_size.to_string(), config.world_size.to_string());
        }
        if let (Some(asked), Some(is)) = (config.rank, self.rank())
            && asked != is
        {
            return differs("rank", is.to_string(), asked.to_string());
        }
        if self.devices.accelerator().is_some() && config.device != self.device {
            return differs("device", self.device.to_string(), config.device.to_string());
        }
        Ok(())
    }

    /// Says goodbye. The store server, if it runs here, goes on until the last member has left it.
    fn close(&self) {
        if let Some(network) = &self.network {
            network.close();
        }
        if let Some(store) = &self.store {
            store.close();
        }
        if let Some(host) = &self.host {
            host.linger();
        }
    }
}

/// The devices that the configuration or the settings name. A process that only runs the store needs none.
fn devices(config: &Config) -> Result<(Devices, Report)> {
    if let Some(devices) = &config.devices {
        return Ok((devices.clone(), Report::default()));
    }
    let settings = settings()?;
    let huge_pages = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
    let choice = if config.start_store_only { device::Choice::None } else { settings.device };
    device::choose(choice, u32::from(config.device), Arc::new(HostDevice::new(huge_pages)))
}

/// The network of this member, unless it needs none.
fn join_network(store: &Arc<dyn Store>, url: &StoreUrl, config: &Config) -> Result<Option<Arc<Network>>> {
    let settings = settings()?;
    let options = JobOptions {
        is_loopback: url.is_loopback(),
        nic: config.nic.as_deref().unwrap_or(&settings.nic),
        tls: if config.data_certificates.is_some() { Switch::On } else { settings.net_tls },
        settings,
    };
    carrier::join(store, &options)
}

/// The base that `MF_ADDRESS_BASE` asks for.
pub(crate) fn preferred_base(operation: &'static str) -> Result<Option<u64>> {
    let text = settings()?.address_base.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).map(Some).map_err(|_| {
        Error::invalid(operation, "the address base is not a hexadecimal number")
            .with("MF_ADDRESS_BASE", text)
    })
}
