// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a member of a job: its rank, its connection to the store, its network and its devices.
//!
//! Tenants that name the same store are one member of the job: the first joins it, the others take part, the
//! last one to leave ends the membership.
//!
//! **Order of the end.** A tenant ends its objects (pools, kernels, groups) before it leaves. The last one to
//! leave closes the network, so that no peer reaches this process any more; then the connection to the store,
//! which notifies the others; then the store server, if it runs here, ends with its last client.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::process::Owner;
use mf_base::settings::{Switch, settings};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result};
use mf_bootstrap::{Host, StoreUrl, rendezvous};
use mf_device::host::HostDevice;
use mf_device::{Devices, Report};
use mf_fabric::directory::StoreDirectory;
use mf_fabric::pool;
use mf_fabric::space::{Places, Shape, agree};
use mf_net::choice::Request;
use mf_net::{Directory, Network, carrier};
use mf_store::{Attendance, Server, Started, Store, UserStore, WatchId};

use crate::kernel_barriers::register_barriers;
use crate::live_stats::Viewers;
use crate::metrics::observer::{self, Observer};
use crate::metrics::{Sheet, table};
use crate::registry::Claim;
use crate::{Config, Tenant};

/// State shared by the tenants.
pub(crate) struct Job {
    /// URL of the store, as it is shown.
    place: String,
    world_size: u32,
    device: u16,
    /// The store in this process, as far as it runs here or may come to.
    host: Option<Arc<Host>>,
    store: Option<Arc<dyn Store>>,
    /// The same without the library's own keys.
    user_store: Option<Arc<dyn Store>>,
    devices: Devices,
    /// Announcements to the other members, without the store's replies.
    announcing: Mutex<Option<Announcing>>,
    /// Which addresses were free when the process joined, until a pool is made.
    free: Mutex<Option<agree::Published>>,
    report: Report,
    network: Option<Arc<Network>>,
    /// Membership when this process joined.
    joined: Option<Attendance>,
    /// Serves metrics and records operations, until the job is left.
    observer: Mutex<Option<Arc<Observer>>>,
    /// Publishes figures while the job is viewed.
    viewers: Option<Viewers>,
    /// A store that this process runs for this job alone; it ends after the session.
    _server: Option<Arc<Server>>,
}

/// Announcements of a newcomer: its free addresses, its network card, its watch of viewers. The store has
/// them before all later requests of this member, so a member that finds a later record finds these, too.
struct Announcing {
    published: Started<u64>,
    card: Arc<StoreDirectory>,
    watch: Started<WatchId>,
}

/// The part of one tenant in a job. Dropping it ends that.
pub struct Membership {
    job: Arc<Job>,
    store_url: String,
    create_timeout: Duration,
    control_timeout: Duration,
    claim: Option<Claim>,
    begun: Option<Attendance>,
    has_left: AtomicBool,
    owner: Owner,
}

impl Membership {
    /// Takes part in the job of the configuration; joins it unless another tenant has. At most the init
    /// timeout.
    ///
    /// # Errors
    /// `InvalidParam` configuration, URL or number of the accelerator, or another rank, world size or device
    /// than this process has in the job · `NotExist` no accelerator of the kind that `MF_DEVICE` insists on
    /// · `Duplicated` the rank is taken · `Timeout` no store, or all ranks are taken · `NotConnected` the
    /// port belongs to another program · `InUse` the port is taken and only a store was asked for.
    pub fn begin(tenant: Tenant, config: Config, operation: &'static str) -> Result<Self> {
        let membership = Self::begin_unconfirmed(tenant, config, operation)?;
        membership.confirm()?;
        Ok(membership)
    }

    /// As [`begin`](Self::begin), without waiting until the store has this process's announcements:
    /// [`confirm`](Self::confirm) does, for a tenant that asks the store for more first.
    ///
    /// # Errors
    /// As there.
    pub fn begin_unconfirmed(tenant: Tenant, config: Config, operation: &'static str) -> Result<Self> {
        config.check(operation)?;
        let url = StoreUrl::parse(&config.store_url)?;
        let claim = match config.store.only_server {
            true => None,
            false => Some(Claim::take(tenant, &url, &config, operation)?),
        };
        let join = || Job::join(url, &config, operation);
        let (job, is_new) = match &claim {
            None => (Arc::new(join()?), true),
            Some(claim) => match claim.job() {
                Some(job) => (job, false),
                None => (claim.joined(join()?), true),
            },
        };
        let begun = if is_new { job.joined } else { job.store.as_ref().map(|store| store.attendance()) };
        // A refusal from here on leaves the job.
        let mut membership = Self {
            job,
            store_url: String::new(),
            create_timeout: config.create_timeout,
            control_timeout: config.store.request_timeout,
            claim,
            begun,
            has_left: AtomicBool::new(false),
            owner: Owner::current(),
        };
        membership.job.check(&config, operation)?;
        membership.store_url = config.store_url;
        Ok(membership)
    }

    /// Waits until the store has the announcements of this process. Does nothing the second time.
    ///
    /// # Errors
    /// Those of the store.
    pub fn confirm(&self) -> Result<()> {
        self.job.confirm()
    }

    /// The rank of this process; `u32::MAX` when only the store was started.
    pub fn rank(&self) -> Rank {
        self.job.rank().unwrap_or(Rank(u32::MAX))
    }

    /// Ranks of the job.
    pub fn world_size(&self) -> u32 {
        self.job.world_size
    }

    /// Returns the number of members when this tenant began: one that dies afterwards dies in its time
    /// ([`among_living`](mf_fabric::objects::among_living)).
    ///
    /// # Errors
    /// As [`store`](Self::store).
    pub fn attendance_at_begin(&self, operation: &'static str) -> Result<Attendance> {
        Ok(self.begun.unwrap_or(self.store(operation)?.attendance()))
    }

    /// URL of the store, as it was given.
    pub fn store_url(&self) -> &str {
        &self.store_url
    }

    /// Bounds the making of objects.
    pub fn create_timeout(&self) -> Duration {
        self.create_timeout
    }

    /// Bounds barriers, and what else waits for other members.
    pub fn control_timeout(&self) -> Duration {
        self.control_timeout
    }

    /// The store of the job with all its keys, for what belongs to the library.
    ///
    /// # Errors
    /// `NotStarted` when only the store server was started here.
    pub fn store(&self, operation: &'static str) -> Result<&Arc<dyn Store>> {
        self.job.store.as_ref().ok_or_else(|| {
            Error::new(Kind::NotStarted, operation)
                .what("this process was started as a store only and is not a member")
        })
    }

    /// The store of the job, without the keys of the library ([`mf_store::RESERVED`]).
    ///
    /// # Errors
    /// As [`store`](Self::store).
    pub fn user_store(&self, operation: &'static str) -> Result<&Arc<dyn Store>> {
        self.store(operation)?;
        self.job.user_store.as_ref().ok_or_else(|| Error::new(Kind::NotStarted, operation))
    }

    /// The store in this process, as far as it runs here or may come to.
    pub fn host(&self) -> Option<&Arc<Host>> {
        self.job.host.as_ref()
    }

    /// Returns the address of this process's store server, if it runs here.
    pub fn served_address(&self) -> Option<SocketAddr> {
        self.job.host.as_ref().and_then(|host| host.address())
    }

    /// The devices that this process uses.
    pub fn devices(&self) -> &Devices {
        &self.job.devices
    }

    /// Returns the report of the search for devices.
    pub fn report(&self) -> &Report {
        &self.job.report
    }

    /// Returns the network to members on other hosts. `None` if all members are on this one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.job.network.as_ref()
    }

    /// Returns this member's knowledge of free addresses, for the others, before all members of the job make
    /// pool `number` together; and in rank 0 the records it has read from the store for that.
    ///
    /// # Errors
    /// As for [`agree::prospect`] · `InvalidParam` a setting.
    pub fn prospect(
        &self,
        operation: &'static str,
        number: u32,
    ) -> Result<(agree::Prospect, Option<agree::Seen>)> {
        let (store, base) = (self.store(operation)?, preferred_base(operation)?);
        let free = lock(&self.job.free).take();
        agree::prospect(&**store, self.devices(), number, base, free, self.rank() == Rank(0))
    }

    /// Returns the settings' options of a pool that this member opens in time, without an own contribution.
    ///
    /// # Errors
    /// `InvalidParam` a setting.
    pub fn pool_options(
        &self,
        operation: &'static str,
        number: u32,
        shape: Shape,
        places: Places,
    ) -> Result<pool::Options> {
        let settings = settings()?;
        *lock(&self.job.free) = None;
        Ok(pool::Options {
            id: number,
            shape,
            places,
            own_bytes: [0; 2],
            given: None,
            given_blocks: Vec::new(),
            numa_node: None,
            together: None,
            preferred_base: preferred_base(operation)?,
            prefault: settings.prefault,
            queue_depth: settings.async_depth as usize,
            network: self.job.network.clone(),
            shared_memory: settings.shared_memory,
            keep_mappings: false,
            groups_follow: false,
            create_timeout: self.create_timeout,
            control_timeout: self.control_timeout,
            engines: Request::default(),
        })
    }

    /// Returns true if this process made it; a forked child did not.
    #[inline]
    pub fn is_own(&self) -> bool {
        self.owner.is_current()
    }

    /// Refuses a forked child: it is no member.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    #[inline]
    pub fn check_process(&self, operation: &'static str) -> Result<()> {
        if self.is_own() { Ok(()) } else { Err(forked(operation)) }
    }

    /// Ends the part of this tenant; the last one ends the membership. Nothing in a forked child, and nothing
    /// the second time.
    pub fn leave(&self) {
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
    fn join(url: StoreUrl, config: &Config, operation: &'static str) -> Result<Self> {
        register_barriers();
        let (devices, report) = devices(config)?;
        let (settings, place) = (settings()?, url.to_string());
        let carrier = config.carrier(&url, settings);
        observer::check(settings)?;
        let joined = rendezvous::join(config.rendezvous(url))?;
        let store = joined.store;
        let here = store.as_ref().map(|store| store.attendance());
        let rank = store.as_ref().map_or(Rank(u32::MAX), |store| store.member().rank);
        let observer = Mutex::new(Observer::current(settings, rank)?);
        let (free, announcing, network, viewers) = match &store {
            Some(store) => {
                let (free, published) =
                    agree::start_publishing(&**store, &devices, preferred_base(operation)?)?;
                let card = StoreDirectory::without_waiting(store);
                let directory: Arc<dyn Directory> = card.clone();
                let network = carrier::join(&directory, &carrier)?;
                let (viewers, watch) = Viewers::start(store)?;
                (Some(free), Some(Announcing { published, card, watch }), network, Some(viewers))
            }
            None => (None, None, None, None),
        };
        let (free, announcing) = (Mutex::new(free), Mutex::new(announcing));
        let (world_size, device, host) = (config.store.world_size, config.store.device, joined.host);
        let user_store = store.as_ref().map(UserStore::shared);
        let _server = config.server.clone();
        Ok(Self {
            place,
            world_size,
            device,
            host,
            store,
            user_store,
            devices,
            announcing,
            free,
            report,
            network,
            joined: here,
            observer,
            viewers,
            _server,
        })
    }

    fn confirm(&self) -> Result<()> {
        let Some(Announcing { published, card, watch }) = lock(&self.announcing).take() else {
            return Ok(());
        };
        published.wait()?;
        card.finish()?;
        let watch = watch.wait()?;
        if let Some(viewers) = &self.viewers {
            viewers.followed(watch);
        }
        Ok(())
    }

    pub(crate) fn rank(&self) -> Option<Rank> {
        self.store.as_ref().map(|store| store.member().rank)
    }

    /// Refuses a tenant that wants to be another member than the process is.
    fn check(&self, config: &Config, operation: &'static str) -> Result<()> {
        let differs = |what: &'static str, here: String, asked: String| {
            Err(Error::invalid(
                operation,
                format!("this process is a member of the job already, with another {what}"),
            )
            .with("is", here)
            .with("asked", asked)
            .with("store", &config.store_url)
            .hint("all that this process does in one job is done by one member: pass the same rank, world size and device"))
        };
        if config.store.world_size != self.world_size {
            return differs("world size", self.world_size.to_string(), config.store.world_size.to_string());
        }
        if let (Some(asked), Some(is)) = (config.rank, self.rank())
            && asked != is
        {
            return differs("rank", is.to_string(), asked.to_string());
        }
        let is_wanted = self.devices.accelerator().is_some() && !config.no_accelerator;
        if is_wanted && config.store.device != self.device {
            return differs("device", self.device.to_string(), config.store.device.to_string());
        }
        Ok(())
    }

    /// The store in this process, as far as it runs here or may come to, and its URL.
    pub(crate) fn host(&self) -> Option<(String, Arc<Host>)> {
        self.host.as_ref().map(|host| (self.place.clone(), Arc::clone(host)))
    }

    /// Adds the counters of this membership. Waits for nothing.
    pub(crate) fn collect(&self, sheet: &mut Sheet) {
        let store_label = || ("store", self.place.clone());
        let rank = self.rank().map(|rank| ("rank", rank.0.to_string()));
        sheet.number(table::JOB, [store_label()].into_iter().chain(rank).collect(), 1);
        let mut number = |metric, value| sheet.number(metric, vec![store_label()], value);
        number(table::JOB_SIZE, u64::from(self.world_size));
        if let Some(store) = &self.store {
            let attendance = store.attendance();
            number(table::JOB_MEMBERS, u64::from(attendance.members));
            number(table::JOB_DEPARTURES, attendance.ends());
            number(table::STORE_CONNECTED, u64::from(store.is_connected()));
            number(table::STORE_TERM, store.leader().term);
        }
        for transport in self.network.iter().flat_map(|network| network.transports()) {
            let labels = || vec![store_label(), ("route", transport.name().to_owned())];
            let usage = transport.usage();
            sheet.number(table::CONNECTIONS, labels(), usage.connections as u64);
            sheet.number(table::TRANSPORT_BYTES, labels(), usage.bytes as u64);
        }
    }

    /// Ends the membership. The store server, if it runs here, goes on until its last client has left it.
    fn close(&self) {
        let observer = lock(&self.observer).take();
        drop(observer);
        if let Some(network) = &self.network {
            network.close();
        }
        if let Some(store) = &self.store {
            if let Some(viewers) = &self.viewers {
                viewers.end(&**store);
            }
            store.close();
        }
        if let Some(host) = &self.host {
            host.linger();
        }
    }
}

#[cold]
#[inline(never)]
fn forked(operation: &'static str) -> Error {
    Error::new(Kind::NotInit, operation)
        .what("the library was initialised by the parent of this process")
        .hint("initialise in the child, or use spawn instead of fork")
}

/// The devices that the configuration or the settings name. A process that only runs the store needs none.
fn devices(config: &Config) -> Result<(Devices, Report)> {
    if let Some(devices) = &config.devices {
        return Ok((devices.clone(), Report::default()));
    }
    let settings = settings()?;
    let huge_pages = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
    let is_without = config.store.only_server || config.no_accelerator;
    let wanted = config.device_choice.unwrap_or(settings.device);
    let choice = if is_without { mf_device::Choice::None } else { wanted };
    mf_device::choose(choice, u32::from(config.store.device), Arc::new(HostDevice::new(huge_pages)))
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
