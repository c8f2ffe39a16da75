// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a member of its job.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use mf_base::os::process::Owner;
use mf_base::settings::{Switch, settings};
use mf_base::sync::pin;
use mf_base::{Error, Kind, Rank, Result};
use mf_fabric::device::host::HostDevice;
use mf_fabric::device::{self, Devices, Report};
use mf_fabric::pool::{Options, Pool as FabricPool};
use mf_fabric::space::{Shape, agree};
use mf_fabric::transport::Network;
use mf_fabric::transport::choice::{Machine, Request};
use mf_store::rendezvous::{self, Joined};
use mf_store::{Host, RankWish, Store, StoreUrl};

use super::config::Config;
use super::network;
use super::options::PoolOptions;
use super::pool::Pool;

/// The membership of this process in a job. Dropping it ends all its pools.
pub struct Context {
    config: Config,
    /// The store in this process, as far as it runs here or may come to.
    host: Option<Arc<Host>>,
    store: Option<Arc<dyn Store>>,
    devices: Devices,
    report: Report,
    network: Option<Arc<Network>>,
    pools: Mutex<BTreeMap<u32, Weak<FabricPool>>>,
    owner: Owner,
}

impl Context {
    /// Finds the job and takes a rank in it; starts the store when it is this process's turn. Blocks at most for the
    /// init timeout. Call it before other threads exist when you can: it is cheaper then.
    ///
    /// # Errors
    /// `InvalidParam` configuration, URL or number of the accelerator · `NotExist` no accelerator of the kind that
    /// `MF_DEVICE` insists on · `Duplicated` the rank is taken · `Timeout` no store, or all ranks are
    /// taken · `NotConnected` the port belongs to another program · `InUse` the port is taken and only a store was
    /// asked for.
    pub fn init(config: Config) -> Result<Self> {
        const OP: &str = "bm init";
        config.check()?;
        let url = StoreUrl::parse(&config.store_url)?;
        let (devices, report) = devices(&config)?;
        pin::prepare();
        let joined: Joined = rendezvous::join(rendezvous::Options {
            url: url.clone(),
            world_size: config.world_size,
            wish: config.rank.map_or(RankWish::Any, RankWish::Exactly),
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
        })?;
        let store = joined.store;
        if let Some(store) = &store {
            agree::publish_free(&**store, &devices, preferred_base(OP)?)?;
        }
        let network = match &store {
            Some(store) => network::start(store, &url, &config, settings()?)?,
            None => None,
        };
        Ok(Self {
            config,
            host: joined.host,
            store,
            devices,
            report,
            network,
            pools: Mutex::default(),
            owner: Owner::current(),
        })
    }

    /// The own rank; `u32::MAX` when only the store was started.
    pub fn rank(&self) -> Rank {
        self.store.as_ref().map_or(Rank(u32::MAX), |store| store.member().rank)
    }

    /// Number of ranks of the job.
    pub fn world_size(&self) -> u32 {
        self.config.world_size
    }

    /// The store of the job.
    ///
    /// # Errors
    /// `NotStarted` when only the store server was started here.
    pub fn store(&self) -> Result<&Arc<dyn Store>> {
        self.store.as_ref().ok_or_else(|| {
            Error::new(Kind::NotStarted, "bm store")
                .what("this process was started as a store only and is no member")
        })
    }

    /// URL of the store, as it was given.
    pub fn store_url(&self) -> &str {
        &self.config.store_url
    }

    /// The store in this process, as far as it runs here or may come to.
    pub fn host(&self) -> Option<&Arc<Host>> {
        self.host.as_ref()
    }

    /// Where the store server of this process listens, when it runs here.
    pub fn served_address(&self) -> Option<SocketAddr> {
        self.host.as_ref().and_then(|host| host.address())
    }

    /// The devices that this process uses.
    pub fn devices(&self) -> &Devices {
        &self.devices
    }

    /// How this process reaches members on other hosts; none: all members are on this one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// What was looked for when the devices were chosen, and what came of it.
    pub fn device_report(&self) -> &Report {
        &self.report
    }

    /// Waits until `members` members have entered the barrier `name`; at most for the control timeout. **Collective**
    /// over those members.
    ///
    /// # Errors
    /// `Timeout` names who did not come · `NotConnected` without the store.
    pub fn barrier(&self, name: &str, members: u32) -> Result<()> {
        self.store()?.barrier(name, members, Instant::now() + self.config.control_timeout)
    }

    /// Makes pool `options.id` with this member's segments. Local; others need not call it at the same time.
    ///
    /// # Errors
    /// `InvalidParam` sizes, id, tag or tag rules · `Duplicated` the id is in use in this process · `NotExist` with
    /// `MF_STRICT_ENGINE=1`, when all engines that are asked for are lacking here · those of [`FabricPool::open`].
    pub fn create(&self, mut options: PoolOptions) -> Result<Pool> {
        const OP: &str = "bm create";
        options.check()?;
        if !self.owner.is_current() {
            return Err(Error::new(Kind::NotInit, OP)
                .what("the library was initialised by the parent of this process"));
        }
        let store = Arc::clone(self.store()?);
        let settings = settings()?;
        let engines = options.request()?;
        if settings.strict_engine {
            self.check_engines(&engines)?;
        }
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if pools.get(&options.id).is_some_and(|pool| pool.upgrade().is_some_and(|pool| !pool.is_destroyed()))
        {
            return Err(Error::new(Kind::Duplicated, OP)
                .what("the pool exists in this process")
                .with("id", options.id));
        }
        let pool = FabricPool::open(
            self.devices.clone(),
            store,
            &Options {
                id: options.id,
                shape: Shape { world: self.config.world_size, max_bytes: options.strides() },
                own_bytes: options.own_bytes,
                host_descriptor: options.host_descriptor.take(),
                numa_node: options.numa_node,
                preferred_base: preferred_base(OP)?,
                prefault: settings.prefault,
                queue_depth: settings.async_depth as usize,
                network: self.network.clone(),
                shared_memory: settings.shared_memory,
                create_timeout: self.config.create_timeout,
                control_timeout: self.config.control_timeout,
                engines,
            },
        )?;
        pools.insert(options.id, Arc::downgrade(&pool));
        Ok(Pool::new(pool))
    }

    /// Refuses engines that this machine lacks towards any peer.
    fn check_engines(&self, engines: &Request) -> Result<()> {
        let settings = settings()?;
        let accelerator = self.devices.accelerator.as_ref().map(|device| device.describe());
        Machine::here(accelerator, settings.shared_memory, &settings.transports)?.check(engines)
    }

    /// Leaves and destroys all pools and says goodbye to the store. The store server, if it runs here, goes on until
    /// the last member has left it. A second call changes nothing.
    pub fn shutdown(&self) {
        if !self.owner.is_current() {
            return;
        }
        let pools = std::mem::take(&mut *self.pools.lock().unwrap_or_else(PoisonError::into_inner));
        for pool in pools.into_values().filter_map(|pool| pool.upgrade()) {
            pool.destroy();
        }
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

impl Drop for Context {
    fn drop(&mut self) {
        self.shutdown();
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

/// The base that `MF_ADDRESS_BASE` asks for.
fn preferred_base(operation: &'static str) -> Result<Option<u64>> {
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
