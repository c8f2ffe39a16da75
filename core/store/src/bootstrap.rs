// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bootstrap of a process in a job: its rank, the number of ranks, the address of the store, and the secret.
//!
//! Five sources, each of which gives a [`Bootstrap`] and from there in [`rendezvous::join`]:
//!
//! | by | rank and size | store | secret |
//! |---|---|---|---|
//! | [`Bootstrap::from_env`] | the launcher's variables | `MF_CONFIG_STORE_URL`, else from the launcher's | the settings |
//! | [`UniqueId`] | the caller | the process that made the id starts it | in the id |
//! | [`Bootstrap::from_loaded_mpi`] | the MPI of the program | rank 0 starts it | rank 0 makes it |
//! | `Bootstrap::from_mpi` (feature `mpi`) | MPI | rank 0 starts it | rank 0 makes it |
//! | [`rendezvous::Options`] by hand | the caller | the caller | the settings |
//!
//! C and Python have the second and the third too, with ids in their compact form.
//!
//! # Who says which rank
//! Launchers start each other: torchrun runs under Slurm, and `mpirun` in a Slurm allocation starts its
//! daemons with `srun`, whose variables the ranks then inherit. The innermost launcher set the rank, so the
//! order is `RANK` (torchrun, `mf run`), `OMPI_COMM_WORLD_RANK` (Open MPI), `PMI_RANK` (Hydra),
//! `SLURM_PROCID`, `PMIX_RANK`. `srun` sets PMI variables, too; they agree with its own, and then it is
//! Slurm. Slurm's count only with a step: the script of a batch job sees `SLURM_PROCID=0` although no ranks
//! are started yet. `WORLD_SIZE` without any rank is a job with automatic ranks.
//!
//! # Where the store is
//! 1. `MF_CONFIG_STORE_URL`, as it stands.
//! 2. `MASTER_ADDR` and `MASTER_PORT`: torch keeps a store of its own at that port, in the agent or in rank
//!    0, and users count ports up by one for their next job on the host. So ours is `MF_STORE_PORT_OFFSET`
//!    above it (below it where that would leave the range), an offset that such counting does not reach.
//! 3. In a Slurm step the first host of the node list, where rank 0 runs unless tasks are distributed by a
//!    host file. The port comes from job and step, in [`DERIVED_PORTS`], below torch's default and the
//!    kernel's range of ports for outgoing connections.
//! 4. Ranks of PMIx that are all on one host: loopback, and a port from the name of the job.
//! 5. Under Hydra (`PMI_FD`) rank 0 chooses port and secret, and the launcher hands both on: `pmi.rs`.
//!
//! Store URLs hold numbers, so host names are resolved here. All ranks have to choose the same address, so of
//! several the lowest is taken, IPv4 before IPv6, and loopback last: the own name often stands for loopback
//! in `/etc/hosts`. When it does for rank 0 of a job of several hosts, the others see another address, and
//! the store listens on all.
//!
//! `from_variables` is the pure rule; it reads nothing and asks `resolve` for names.

mod address;
mod mpi;
pub(crate) mod nodelist;
mod place;
mod pmi;
mod secret;
#[cfg(test)]
mod tests;
mod unique;
mod variables;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use mf_base::settings::{self, Settings};
use mf_base::{Error, Kind, Rank, Result};

use crate::access::Access;
use crate::api::RankWish;
use crate::rendezvous;
use crate::server::Server;
use crate::url::StoreUrl;
#[cfg(feature = "mpi")]
pub use mpi::MpiJob;
pub use mpi::MpiPlace;
pub use secret::JobSecret;
pub use unique::UniqueId;
use variables::Variables;

const OPERATION: &str = "bootstrap";

/// Ports of stores whose address is derived from the number or name of a job.
pub const DERIVED_PORTS: RangeInclusive<u16> = 17_000..=28_999;

/// The source of this process's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Launcher {
    /// torchrun, or a program that sets the same variables, such as `mf run`.
    Torchrun,
    /// Open MPI's `mpirun`.
    OpenMpi,
    /// A launcher with PMI or PMIx, such as Hydra.
    Pmi,
    /// Slurm's `srun`.
    Slurm,
    /// MPI itself.
    Mpi,
    /// The caller, with a unique id.
    UniqueId,
    /// None: the number of ranks is known, ranks are automatic.
    Nobody,
}

/// Source of the job's secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretOrigin {
    /// There is none.
    None,
    /// The setting `MF_JOB_SECRET`.
    Setting,
    /// The file that `MF_JOB_SECRET_FILE` names.
    File,
    /// A unique id; MPI exchanges one, too.
    UniqueId,
}

/// The place of a process in its job; see the [module documentation](self).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bootstrap {
    /// The source of the rank.
    pub launcher: Launcher,
    /// The rank; none: the store picks.
    pub rank: Option<Rank>,
    /// Number of ranks.
    pub world_size: u32,
    /// The rank among those of this host, where known.
    pub local_rank: Option<u32>,
    /// Number of ranks on this host, where known.
    pub local_size: Option<u32>,
    /// URL of the store, where known.
    pub store: Option<String>,
    /// Name of the job, where known: a store and members of different names refuse each other.
    pub job: Option<String>,
    /// Source of the secret.
    pub secret_origin: SecretOrigin,
    /// The secret that the launcher gave; none: that of the settings.
    pub secret: Option<JobSecret>,
    /// Whether this process may start the store.
    pub start_store: bool,
    /// Whether this process runs the store already.
    pub hosts_store: bool,
}

impl Bootstrap {
    /// The place that settings and the launcher's variables give. **Local**, and blocks only to resolve a
    /// host name; under a launcher that hands the store's place on (PMI) **collective** over the ranks.
    ///
    /// # Errors
    /// `InvalidParam` no launcher (the text lists the variables that were read) · a variable is missing, no
    /// number, or contradicts another · a host name cannot be resolved · `Failed`, `NotConnected` the
    /// launcher does not hand the place on.
    pub fn from_env() -> Result<Self> {
        let variables = settings::launcher_environment();
        let place = from_variables(settings::settings()?, &variables, &address::resolve)?;
        pmi::complete(place, Variables(&variables))
    }

    /// As [`from_env`](Self::from_env), for `variables` of launchers that the caller has; none: no launcher
    /// has set them.
    ///
    /// # Errors
    /// As there, without "no launcher".
    pub fn from_launcher(variables: &BTreeMap<String, String>) -> Result<Option<Self>> {
        let place = from_launcher(settings::settings()?, variables, &address::resolve)?;
        place.map(|place| pmi::complete(place, Variables(variables))).transpose()
    }

    /// The bootstrap of a process with a unique id, its rank (none: the store picks) and the number of ranks.
    /// **Local.**
    ///
    /// # Errors
    /// `InvalidParam` an impossible rank or number of ranks.
    pub fn from_unique_id(id: &UniqueId, rank: Option<Rank>, world_size: u32) -> Result<Self> {
        place::check("world_size", world_size, "rank", rank.map(|rank| rank.0))?;
        Ok(Self {
            launcher: Launcher::UniqueId,
            rank,
            world_size,
            local_rank: None,
            local_size: None,
            store: Some(format!("tcp://{}", id.address())),
            job: None,
            secret_origin: SecretOrigin::UniqueId,
            secret: Some(id.secret()),
            start_store: false,
            hosts_store: false,
        })
    }

    /// Declares that `server` runs in this process: with automatic ranks it gets rank 0 as a rule.
    #[must_use]
    pub fn beside(mut self, server: &Server) -> Self {
        let served = Some(format!("tcp://{}", server.address()));
        self.hosts_store = self.store == served;
        self
    }

    /// How to take part in the job by [`rendezvous::join`]. `init_timeout` bounds connecting and ranking,
    /// `request_timeout` each later request. The local rank stands for the number of the device.
    ///
    /// # Errors
    /// `InvalidParam` there is no address of the store, or its URL is wrong.
    pub fn options(&self, init_timeout: Duration, request_timeout: Duration) -> Result<rendezvous::Options> {
        Ok(rendezvous::Options {
            wish: self.rank.map_or(RankWish::Any, RankWish::Exactly),
            device: self.device(),
            start_server: self.start_store,
            hosts_store: self.hosts_store,
            init_timeout,
            request_timeout,
            access: Access {
                secret: self.secret.clone(),
                job: self.job.clone().unwrap_or_default(),
                ..Access::default()
            },
            ..rendezvous::Options::new(StoreUrl::parse(self.store_url()?)?, self.world_size)
        })
    }

    /// URL of the store.
    ///
    /// # Errors
    /// `InvalidParam` there is no address.
    pub fn store_url(&self) -> Result<&str> {
        self.store.as_deref().ok_or_else(|| {
            Error::new(Kind::InvalidParam, OPERATION)
                .what("there is no address of the job's store")
                .with("launcher", format!("{:?}", self.launcher))
                .hint(
                    "set MF_CONFIG_STORE_URL=tcp://address:port, or MASTER_ADDR and MASTER_PORT, in all ranks; or use a \
                     unique id; or, under MPI, the cargo feature mpi",
                )
        })
    }

    /// The number of the device according to the launcher: the local rank, else 0.
    pub fn device(&self) -> u16 {
        self.local_rank.and_then(|rank| u16::try_from(rank).ok()).unwrap_or(0)
    }
}

/// The rule behind [`Bootstrap::from_env`]: `variables` are those of the launcher, `resolve` gives the
/// addresses of a host name.
pub(crate) fn from_variables(
    settings: &Settings,
    variables: &BTreeMap<String, String>,
    resolve: &dyn Fn(&str) -> std::io::Result<Vec<IpAddr>>,
) -> Result<Bootstrap> {
    from_launcher(settings, variables, resolve)?
        .ok_or_else(|| place::no_launcher(Variables(variables), &settings.store_url))
}

fn from_launcher(
    settings: &Settings,
    variables: &BTreeMap<String, String>,
    resolve: &dyn Fn(&str) -> std::io::Result<Vec<IpAddr>>,
) -> Result<Option<Bootstrap>> {
    let variables = Variables(variables);
    let Some(place) = place::find(variables)? else { return Ok(None) };
    let store = match settings.store_url.as_str() {
        "" => address::store(variables, &place, settings.store_port_offset, resolve)?,
        url => {
            // Refused here and not only where it is used: the text is about the setting.
            StoreUrl::parse(url)?;
            Some(url.to_owned())
        }
    };
    let secret_origin = if !settings.job_secret.0.is_empty() {
        SecretOrigin::Setting
    } else if !settings.job_secret_file.is_empty() {
        SecretOrigin::File
    } else {
        SecretOrigin::None
    };
    let job = match settings.job_id.as_str() {
        "" => place::job(variables, place.launcher),
        job => Some(job.to_owned()),
    };
    Ok(Some(Bootstrap {
        launcher: place.launcher,
        rank: place.rank.map(Rank),
        world_size: place.world_size,
        local_rank: place.local_rank,
        local_size: place.local_size,
        store,
        job,
        secret_origin,
        secret: None,
        start_store: true,
        hosts_store: false,
    }))
}
