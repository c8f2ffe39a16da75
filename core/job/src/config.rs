// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Configuration of a process in a job: one for all floors and families.

use std::sync::Arc;
use std::time::Duration;

use mf_base::MAX_WORLD_SIZE;
use mf_base::os::interface;
use mf_base::settings::{DeviceChoice, Settings, Switch, launcher_environment};
use mf_base::{Error, Rank, Result};
use mf_bootstrap::{Bootstrap, StoreUrl, UniqueId, rendezvous};
use mf_device::Devices;
use mf_net::carrier::JobOptions;
use mf_store::{RankWish, Server};
use mf_tcp::nic::ListenPatterns;
use mf_tls::Access;
use mf_tls::TlsFiles;

use crate::kernel_barriers::register_barriers;

/// Lowest port that a configuration may ask for.
const PORT_MIN: u16 = 1025;

/// Configuration of a process in a job. The defaults are the C interface's for big memory.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) store_url: String,
    pub(crate) rank: Option<Rank>,
    pub(crate) ordered_ranks: bool,
    /// Options to join the store, except for URL and rank, which are above.
    pub(crate) store: rendezvous::Options,
    pub(crate) create_timeout: Duration,
    pub(crate) data_certificates: Option<TlsFiles>,
    pub(crate) devices: Option<Devices>,
    /// Kind of accelerator. `None`: from the settings.
    pub(crate) device_choice: Option<DeviceChoice>,
    /// True to leave accelerators alone, overriding all settings.
    pub(crate) no_accelerator: bool,
    pub(crate) nic: Option<String>,
    /// A store that this process runs for the job, and ends with its membership.
    pub(crate) server: Option<Arc<Server>>,
}

impl Config {
    /// A job of `world_size` members (1 to 16,384) that meet at `store_url` (see [`mf_bootstrap::StoreUrl`]).
    /// Ranks are automatic, and a member that can starts the store.
    pub fn new(store_url: impl Into<String>, world_size: u32) -> Self {
        let no_url = StoreUrl::Tcp { addresses: Vec::new() };
        Self {
            store_url: store_url.into(),
            rank: None,
            ordered_ranks: false,
            store: rendezvous::Options {
                init_timeout: Duration::from_secs(120),
                request_timeout: Duration::from_secs(900),
                ..rendezvous::Options::new(no_url, world_size)
            },
            create_timeout: Duration::from_secs(120),
            data_certificates: None,
            devices: None,
            device_choice: None,
            no_accelerator: false,
            nic: None,
            server: None,
        }
    }

    /// Takes the place in the job from the launcher (`mf run`, torchrun, Slurm, `mpirun`, Kubernetes).
    ///
    /// # Errors
    /// As for [`Bootstrap::from_env`], and `InvalidParam` when the store's address is not known.
    pub fn from_env() -> Result<Self> {
        Self::from_bootstrap(&Bootstrap::from_env()?)
    }

    /// Like [`from_env`](Self::from_env); without any launcher a job of this process alone, with a store of
    /// its own.
    ///
    /// # Errors
    /// As for [`from_env`](Self::from_env) and [`UniqueId::create`].
    pub fn from_launcher_or_alone() -> Result<Self> {
        if let Some(place) = Bootstrap::from_launcher(&launcher_environment())? {
            return Self::from_bootstrap(&place);
        }
        Self::alone()
    }

    /// A job of this process alone, with a store of its own on loopback; ignores launchers.
    ///
    /// # Errors
    /// As for [`UniqueId::create`].
    pub fn alone() -> Result<Self> {
        // The store has a thread.
        register_barriers();
        let (id, server) = UniqueId::create(Some(interface::loopback()))?;
        let place = Bootstrap::from_unique_id(&id, Some(Rank(0)), 1)?.beside(&server);
        Ok(Self { server: Some(Arc::new(server)), ..Self::from_bootstrap(&place)? })
    }

    /// The place in the job that was found out before, by a unique id or MPI for example.
    ///
    /// # Errors
    /// `InvalidParam` the place of the store is not known.
    pub fn from_bootstrap(bootstrap: &Bootstrap) -> Result<Self> {
        Self::new("", 0).device(bootstrap.device()).place(bootstrap)
    }

    /// Replaces store, world size, rank and secret by a bootstrap's; keeps everything else.
    ///
    /// # Errors
    /// `InvalidParam` the store's address is not known.
    pub fn place(self, bootstrap: &Bootstrap) -> Result<Self> {
        Ok(Self {
            store_url: bootstrap.store_url()?.to_owned(),
            rank: bootstrap.rank,
            store: rendezvous::Options {
                world_size: bootstrap.world_size,
                start_server: bootstrap.start_store,
                hosts_store: bootstrap.hosts_store,
                access: Access {
                    secret: bootstrap.secret.clone(),
                    job: bootstrap.job.clone().unwrap_or_default(),
                    ..self.store.access
                },
                ..self.store
            },
            ..self
        })
    }

    /// A given rank instead of an automatic one; rank 0 starts the store.
    #[must_use]
    pub fn rank(mut self, rank: Rank) -> Self {
        self.rank = Some(rank);
        self
    }

    /// `true`: the store hands out the ranks (the default).
    #[must_use]
    pub fn auto_rank(mut self, automatic: bool) -> Self {
        if automatic {
            self.rank = None;
        }
        self
    }

    /// `true`: automatic ranks are given when all members of the world are there, at most the init timeout
    /// later, and follow addresses and devices. `false` (the default): likewise if all members come at once;
    /// otherwise free ranks are given after a moment without a newcomer. In a world that was complete before,
    /// a latecomer gets a free rank at once in either case.
    #[must_use]
    pub fn ordered_ranks(mut self, ordered: bool) -> Self {
        self.ordered_ranks = ordered;
        self
    }

    /// Logical number of the accelerator; ignored without one, but it orders automatic ranks of one host.
    #[must_use]
    pub fn device(mut self, device: u16) -> Self {
        self.store.device = device;
        self
    }

    /// True if this process may start the store (default true).
    #[must_use]
    pub fn start_store(mut self, start: bool) -> Self {
        self.store.start_server = start;
        self
    }

    /// True if the store runs in this process already, started by other means (default false): then this
    /// process does not start one, and ends after the others.
    #[must_use]
    pub fn served_here(mut self, served: bool) -> Self {
        self.store.hosts_store = served;
        self.store.start_server &= !served;
        self
    }

    /// Returns true if the store runs in this process already, started by other means.
    pub fn is_served_here(&self) -> bool {
        self.store.hosts_store
    }

    /// Start the store and nothing else: no rank, no pool (default false).
    #[must_use]
    pub fn start_store_only(mut self, only: bool) -> Self {
        self.store.only_server = only;
        self
    }

    /// Members come and go: ranks are handed out at once instead of waiting for the world to be complete.
    #[must_use]
    pub fn dynamic_world(mut self, dynamic: bool) -> Self {
        self.store.dynamic = dynamic;
        self
    }

    /// Bounds connecting and ranking (default 120 s).
    #[must_use]
    pub fn init_timeout(mut self, timeout: Duration) -> Self {
        self.store.init_timeout = timeout;
        self
    }

    /// Bounds the making of a pool (default 120 s).
    #[must_use]
    pub fn create_timeout(mut self, timeout: Duration) -> Self {
        self.create_timeout = timeout;
        self
    }

    /// Bounds join, leave, extend and barriers (default 900 s).
    #[must_use]
    pub fn control_timeout(mut self, timeout: Duration) -> Self {
        self.store.request_timeout = timeout;
        self
    }

    /// Certificates towards the store. `None`: as calls and settings say.
    #[must_use]
    pub fn store_certificates(mut self, certificates: impl Into<Option<TlsFiles>>) -> Self {
        self.store.access.certificates = certificates.into();
        self
    }

    /// Encrypts connections to members on other hosts, overriding `MF_NET_TLS`. The job's token, which the
    /// store gave to members only, authenticates the peer; the certificates themselves are not shown there.
    #[must_use]
    pub fn data_certificates(mut self, certificates: impl Into<Option<TlsFiles>>) -> Self {
        self.data_certificates = certificates.into();
        self
    }

    /// Uses these devices, instead of `MF_DEVICE` and the device number.
    #[must_use]
    pub fn devices(mut self, devices: Devices) -> Self {
        self.devices = Some(devices);
        self
    }

    /// Uses an accelerator of this kind, overriding `MF_DEVICE`.
    #[must_use]
    pub fn device_choice(mut self, choice: DeviceChoice) -> Self {
        self.device_choice = Some(choice);
        self
    }

    /// Uses no accelerator, overriding `MF_DEVICE`: all memory of this member is host memory.
    #[must_use]
    pub fn without_accelerator(mut self) -> Self {
        self.no_accelerator = true;
        self
    }

    /// Returns true if accelerators are left alone.
    pub fn is_without_accelerator(&self) -> bool {
        self.no_accelerator
    }

    /// Listen address for members on other hosts, in the form of the setting `MF_NIC`: an address, a subnet,
    /// an interface, a comma-separated list of these, or `tcp://host:port` with the port of rank 0 (the port
    /// counts up by rank). Default: that setting. An empty text changes nothing.
    #[must_use]
    pub fn nic(mut self, nic: impl Into<String>) -> Self {
        self.nic = Some(nic.into()).filter(|nic| !nic.trim().is_empty());
        self
    }

    /// Returns true if the rank is given, not automatic, and this process becomes a member at all.
    pub fn names_rank(&self) -> bool {
        self.rank.is_some() && !self.store.only_server
    }

    /// The options of the rendezvous at the store. An address that was handed on to this process has its
    /// secret, however the address came here.
    pub(crate) fn rendezvous(&self, url: StoreUrl) -> rendezvous::Options {
        let wish = match self.rank {
            Some(rank) => RankWish::Exactly(rank),
            None if self.ordered_ranks && !self.store.dynamic => RankWish::Ordered,
            None => RankWish::Any,
        };
        let start_server = self.store.start_server || self.store.only_server;
        let mut options = rendezvous::Options { wish, start_server, ..self.store.clone() };
        if options.access.secret.is_none() {
            options.access.secret = Bootstrap::handed_on_secret(&url);
        }
        rendezvous::Options { url, ..options }
    }

    /// Returns the carrier's options for this member.
    pub(crate) fn carrier<'a>(&'a self, url: &StoreUrl, settings: &'a Settings) -> JobOptions<'a> {
        JobOptions {
            is_loopback: url.is_loopback(),
            nic: self.nic.as_deref().unwrap_or(&settings.nic),
            tls: if self.data_certificates.is_some() { Switch::On } else { settings.net_tls },
            settings,
        }
    }

    pub(crate) fn check(&self, operation: &'static str) -> Result<()> {
        let world_size = self.store.world_size;
        if world_size == 0 || world_size > MAX_WORLD_SIZE {
            return Err(Error::invalid(operation, "the world size is out of range")
                .with("world_size", world_size)
                .hint(format!("1 to {MAX_WORLD_SIZE}")));
        }
        if let Some(rank) = self.rank
            && rank.0 >= world_size
        {
            return Err(Error::invalid(operation, "the rank is out of range")
                .with("rank", rank)
                .with("world_size", world_size)
                .hint("ranks count from 0; for an automatic rank ask for one"));
        }
        for (name, timeout) in [
            ("init", self.store.init_timeout),
            ("create", self.create_timeout),
            ("control", self.store.request_timeout),
        ] {
            if timeout.is_zero() {
                return Err(Error::invalid(operation, "a timeout is 0")
                    .with("timeout", name)
                    .hint("1 second or more"));
            }
        }
        let nic = self.nic.as_deref().map(ListenPatterns::parse).transpose()?;
        let ports = nic.iter().flat_map(|nic| nic.patterns.iter().filter_map(|one| one.base_port));
        if let Some(port) = ports.min()
            && port < PORT_MIN
        {
            return Err(Error::invalid(operation, "the port to listen on is reserved")
                .with("port", port)
                .hint(format!("{PORT_MIN} to 65535, or none for a free one")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Membership, Tenant};

    #[test]
    fn impossible_worlds_ranks_and_timeouts_are_refused() {
        let config = |world| Config::new("tcp://127.0.0.1:5000", world);
        config(16_384).check("bm init").unwrap();
        config(2).rank(Rank(1)).check("bm init").unwrap();
        for bad in [
            config(0),
            config(16_385),
            config(2).rank(Rank(2)),
            config(2).init_timeout(Duration::ZERO),
            config(2).create_timeout(Duration::ZERO),
            config(2).control_timeout(Duration::ZERO),
        ] {
            assert!(bad.check("bm init").is_err(), "{bad:?}");
        }
    }

    #[test]
    fn listen_addresses_are_validated_at_once() {
        let config = |nic: &str| Config::new("tcp://127.0.0.1:5000", 1).nic(nic);
        for good in [
            "",
            "  ",
            "tcp://127.0.0.1:10005",
            "tcp://0.0.0.0/0:10005",
            "tcp://[::1]:2000",
            "eth0,10.0.0.0/8",
            "tcp://10.0.0.1:10005;tcp://10.1.0.1:10105",
        ] {
            config(good).check("bm init").unwrap();
        }
        for bad in [
            "udp://127.0.0.1:5000",
            "tcp://127.0.0.1:99999",
            "tcp://127.0.0.1:80",
            "tcp://10.0.0.1:10005;tcp://10.1.0.1:80",
            "10.0.0.0/33",
            "tcp://",
        ] {
            assert_eq!(config(bad).check("bm init").unwrap_err().code(), -2000, "{bad}");
        }
    }

    #[test]
    fn bootstrap_result_becomes_a_configuration() {
        let loopback = [127, 0, 0, 1].into();
        let (id, server) = UniqueId::create(Some(loopback)).unwrap();
        let place = Bootstrap::from_unique_id(&id, Some(Rank(0)), 1).unwrap().beside(&server);
        let config = Config::from_bootstrap(&place).unwrap();
        assert_eq!((config.rank, config.store.world_size), (Some(Rank(0)), 1));
        assert!(
            config.store.hosts_store && !config.store.start_server && config.store.access.secret.is_some()
        );
        config.check("bm init").unwrap();
        let member = Membership::begin(Tenant::new("test"), config, "test init").unwrap();
        assert_eq!(member.rank(), Rank(0));
    }
}
