// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a member of its job.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_bootstrap::Host;
use mf_device::{Devices, Report};
use mf_fabric::pool::{GivenMemory, Options, Pool as FabricPool};
use mf_fabric::space::{Places, Shape, agree};
use mf_job::process::Owned;
use mf_job::{Config, Membership, Tenant};
use mf_net::Network;
use mf_net::choice::{Machine, Request};
use mf_store::Store;

use super::options::PoolOptions;
use super::pool::Pool;

const TENANT: Tenant = Tenant::new("big memory");

/// The membership of this process in a job. Dropping it ends all its pools.
pub struct Context {
    membership: Membership,
    pools: Mutex<BTreeMap<u32, Weak<FabricPool>>>,
}

impl Context {
    /// Joins the job and takes a rank in it; starts the store when it is this process's turn. Blocks at most
    /// for the init timeout. Call it before other threads exist if you can: it is cheaper then. If share
    /// memory of this process is a member of the job already, big memory takes part as that member; network
    /// and certificates stay unchanged.
    ///
    /// # Errors
    /// As for [`Membership::begin`].
    pub fn init(config: Config) -> Result<Self> {
        let membership = Membership::begin_unconfirmed(TENANT, config, "bm init")?;
        Ok(Self { membership, pools: Mutex::default() })
    }

    /// The own rank; `u32::MAX` when only the store was started.
    pub fn rank(&self) -> Rank {
        self.membership.rank()
    }

    /// Number of ranks of the job.
    pub fn world_size(&self) -> u32 {
        self.membership.world_size()
    }

    /// The store of the job, without the keys of the library ([`mf_store::RESERVED`]).
    ///
    /// # Errors
    /// `NotStarted` when only the store server was started here.
    pub fn store(&self) -> Result<&Arc<dyn Store>> {
        self.membership.user_store("bm store")
    }

    /// The store of the job with all its keys, for what belongs to the library.
    ///
    /// # Errors
    /// As [`store`](Self::store).
    pub fn whole_store(&self) -> Result<&Arc<dyn Store>> {
        self.membership.store("bm store")
    }

    /// URL of the store, as it was given.
    pub fn store_url(&self) -> &str {
        self.membership.store_url()
    }

    /// The store in this process, as far as it runs here or may come to.
    pub fn host(&self) -> Option<&Arc<Host>> {
        self.membership.host()
    }

    /// Returns the address of this process's store server, if it runs here.
    pub fn served_address(&self) -> Option<SocketAddr> {
        self.membership.served_address()
    }

    /// The devices that this process uses.
    pub fn devices(&self) -> &Devices {
        self.membership.devices()
    }

    /// Returns the network to members on other hosts. `None` if all members are on this one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.membership.network()
    }

    /// Returns the report of the search for devices.
    pub fn device_report(&self) -> &Report {
        self.membership.report()
    }

    /// Waits until `members` members have entered the barrier `name`; at most for the control timeout.
    /// **Collective** over those members.
    ///
    /// # Errors
    /// `Timeout` names the missing members · `NotConnected` without the store.
    pub fn barrier(&self, name: &str, members: u32) -> Result<()> {
        self.store()?.barrier(name, members, Instant::now() + self.membership.control_timeout())?;
        self.membership.confirm()
    }

    /// Makes pool `options.id` with this member's segments. **Local**; others need not call it at the same
    /// time.
    ///
    /// # Errors
    /// `InvalidParam` sizes, id, tag or tag rules · `Duplicated` the id is in use in this process ·
    /// `NotExist` with `MF_STRICT_ENGINE=1`, if all requested engines are lacking here · as for
    /// [`FabricPool::open`].
    pub fn create(&self, mut options: PoolOptions) -> Result<Pool> {
        const OP: &str = "bm create";
        let number = options.check()?;
        self.membership.check_process(OP)?;
        let store = Arc::clone(self.whole_store()?);
        let engines = options.request()?;
        if settings()?.strict_engine {
            self.check_engines(&engines)?;
        }
        let mut pools = lock(&self.pools);
        if pools.get(&options.id).is_some_and(|pool| pool.upgrade().is_some_and(|pool| !pool.is_destroyed()))
        {
            return Err(Error::new(Kind::Duplicated, OP)
                .what("the pool exists in this process")
                .with("id", options.id));
        }
        let shape = Shape { world: self.world_size(), max_bytes: options.strides() };
        let mut opening = Options {
            own_bytes: options.own_bytes,
            given: options.host_descriptor.take().map(|descriptor| GivenMemory {
                descriptor,
                bytes: options.own_bytes[MemKind::Host.index()],
            }),
            numa_node: options.numa_node,
            engines,
            ..self.membership.pool_options(OP, number.pool(0), shape, Places::all())?
        };
        if options.adopts_max {
            opening.shape = agree::adopt(&*store, opening.id, shape)?;
        }
        let pool = loop {
            let opened = FabricPool::open(self.devices().clone(), Arc::clone(&store), &opening);
            // Another member may have made the pool meanwhile, with another shape.
            let Err(error) = &opened else { break opened? };
            let is_other = options.adopts_max && error.kind() == Kind::InvalidParam;
            let now = if is_other { agree::adopt(&*store, opening.id, shape)? } else { opening.shape };
            if now == opening.shape {
                break opened?;
            }
            opening.shape = now;
        };
        // Their replies came before those of the requests above.
        self.membership.confirm()?;
        pools.insert(options.id, Arc::downgrade(&pool));
        Ok(Pool::new(pool))
    }

    /// Refuses engines that this machine lacks towards any peer.
    fn check_engines(&self, engines: &Request) -> Result<()> {
        let settings = settings()?;
        let accelerator = self.devices().accelerator().map(|device| device.describe());
        Machine::here(accelerator, settings.shared_memory, &settings.transports)?.check(engines)
    }

    /// Leaves and destroys all pools, and leaves the job unless another tenant of this process takes part in
    /// it. The store server, if it runs here, goes on until the last member has left it. A second call
    /// changes nothing.
    pub fn shutdown(&self) {
        if !self.membership.is_own() {
            return;
        }
        let pools = std::mem::take(&mut *lock(&self.pools));
        for pool in pools.into_values().filter_map(|pool| pool.upgrade()) {
            pool.destroy();
        }
        self.membership.leave();
    }
}

impl Owned for Context {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.membership.check_process(operation)
    }

    fn end(&self) {
        self.shutdown();
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.shutdown();
    }
}
