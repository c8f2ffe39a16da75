// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bootstrap of a process in a job: its rank, the number of ranks, the address of the store, and the secret.
//!
//! Five sources, each of which gives a [`Bootstrap`] for [`rendezvous::join`]:
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
//! # Source of the rank
//! Launchers start each other: torchrun runs under Slurm, and `mpirun` in a Slurm allocation starts its
//! daemons with `srun`, whose variables the ranks then inherit. The innermost launcher set the rank, so the
//! order is `RANK` (torchrun, `mf run`), `OMPI_COMM_WORLD_RANK` (Open MPI), `PMI_RANK` (Hydra),
//! `SLURM_PROCID`, `PMIX_RANK`, `JOB_COMPLETION_INDEX` (Kubernetes). `srun` sets PMI variables, too; they
//! agree with its own, and then it is Slurm. Slurm's count only with a step: the script of a batch job sees
//! `SLURM_PROCID=0` although no ranks are started yet. `WORLD_SIZE` without any rank is a job with automatic
//! ranks.
//!
//! Where two launchers contradict each other and neither is known to be the inner one, the variables of one
//! are left over from elsewhere. That is an error, and so is a rank without a number of ranks: a job of one
//! in their place would be N jobs that know nothing of each other.
//!
//! # Address of the store
//! 1. `MF_CONFIG_STORE_URL`, unchanged.
//! 2. `MASTER_ADDR` and `MASTER_PORT`: torch keeps a store of its own at that port, in the agent or in rank
//!    0, and users count ports up by one for their next job on the host. So ours is `MF_STORE_PORT_OFFSET`
//!    above it (below it where that would leave the range), an offset that such counting does not reach.
//! 3. In a Slurm step on several hosts the first host of the node list, where rank 0 runs unless tasks are
//!    distributed by a host file. The port comes from job and step, in [`DERIVED_PORTS`], below torch's
//!    default and the kernel's range of ports for outgoing connections.
//! 4. Rank 0 chooses port and secret, and hands both on: under Hydra (`PMI_FD`) through the launcher
//!    (`pmi.rs`), among ranks of Open MPI, PMIx or Slurm that are all on one host through a socket named
//!    after their job (`host.rs`).
//!
//! Host names are resolved here (`resolve_host.rs`). When the own name stands for the loopback in rank 0 of a
//! job of several hosts, the others see another address, and the store listens on all. Names of pods exist
//! some time after the pods, so under Kubernetes an unknown name is tried again.
//!
//! `from_variables` is the pure rule; it reads nothing and asks `resolve` for names.

mod address;
mod describe;
mod host;
mod mpi;
pub(crate) mod nodelist;
mod place;
mod pmi;
mod publish_address;
#[cfg(test)]
mod tests;
mod unique;
mod variables;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use mf_base::settings::{self, Settings};
use mf_base::{Error, Kind, Rank, Result, interrupt};
use mf_store::{RankWish, Server};
use mf_tls::{Access, JobSecret};

use crate::rendezvous;
use crate::resolve_host::{self, Resolve};
use crate::url::StoreUrl;
pub use describe::Origin;
#[cfg(feature = "mpi")]
pub use mpi::MpiJob;
pub use mpi::MpiPlace;
pub use publish_address::HandOn;
pub use unique::UniqueId;
use variables::Variables;

const OPERATION: &str = "bootstrap";

/// Ports of stores with an address derived from the number or name of a job.
pub const DERIVED_PORTS: RangeInclusive<u16> = 17_000..=28_999;

/// Longest wait for the name of a pod to appear.
pub const POD_WAIT: Duration = Duration::from_secs(120);
/// Interval between two attempts to resolve it.
const POD_PAUSE: Duration = Duration::from_secs(1);

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
    /// An indexed job of Kubernetes: a rank is a pod.
    Kubernetes,
    /// MPI itself.
    Mpi,
    /// The caller, with a unique id.
    UniqueId,
    /// No launcher: the number of ranks is known, ranks are automatic.
    Nobody,
}

/// Source of the job's secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretOrigin {
    /// No secret.
    None,
    /// The setting `MF_JOB_SECRET`.
    Setting,
    /// The file that `MF_JOB_SECRET_FILE` names.
    File,
    /// A unique id; MPI exchanges one, too.
    UniqueId,
}

/// The place of a process in its job; `bootstrap.rs` has the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bootstrap {
    /// The source of the rank.
    pub launcher: Launcher,
    /// Which variables gave what.
    pub origin: Origin,
    /// The rank. `None`: the store picks.
    pub rank: Option<Rank>,
    /// Number of ranks.
    pub world_size: u32,
    /// The rank within this host, where known.
    pub local_rank: Option<u32>,
    /// Number of ranks on this host, where known.
    pub local_size: Option<u32>,
    /// URL of the store, where known.
    pub store: Option<String>,
    /// Channel by which rank 0 publishes the store's address when no variable has it. `None`: it is not
    /// published.
    pub hand_on: Option<HandOn>,
    /// Name of the job, where known: a store and members of different names refuse each other.
    pub job: Option<String>,
    /// Source of the secret.
    pub secret_origin: SecretOrigin,
    /// The secret that the launcher gave. `None`: the secret of the settings.
    pub secret: Option<JobSecret>,
    /// True if this process may start the store.
    pub start_store: bool,
    /// True if this process runs the store already.
    pub hosts_store: bool,
}

impl Bootstrap {
    /// The place that settings and the launcher's variables give. **Local**, and blocks only to resolve a
    /// host name; where rank 0 hands the store's place on **collective** over the ranks, which wait for it at
    /// most 120 s.
    ///
    /// # Errors
    /// `InvalidParam` no launcher (the text lists the variables that were read) · a variable is missing, no
    /// number, or contradicts another · a host name cannot be resolved · `Timeout` rank 0 did not hand the
    /// place on · `Failed`, `NotConnected`, `InUse` it could not.
    pub fn from_env() -> Result<Self> {
        let variables = settings::launcher_environment();
        Self::from_launcher(&variables)?.ok_or_else(|| {
            let url = settings::settings().map(|settings| settings.store_url.clone());
            place::no_launcher(Variables(&variables), &url.unwrap_or_default())
        })
    }

    /// Like [`from_env`](Self::from_env), for `variables` of launchers given by the caller. Returns `None` if
    /// no launcher has set them.
    ///
    /// # Errors
    /// As for `from_env`, without "no launcher".
    pub fn from_launcher(variables: &BTreeMap<String, String>) -> Result<Option<Self>> {
        Self::seen(variables, POD_WAIT)?.map(publish_address::complete).transpose()
    }

    /// Reads the bootstrap from `variables` of launchers, like [`from_launcher`](Self::from_launcher) without
    /// its collective steps: the store's address is not exchanged, so [`store`](Self::store) may lack it.
    /// **Local**; blocks only to resolve a host name: the name of a pod, which may not exist yet, is retried
    /// for `wait`, usually at most [`POD_WAIT`].
    ///
    /// # Errors
    /// `InvalidParam` a variable is missing, not a number, or contradicts another · a host name cannot be
    /// resolved.
    pub fn seen(variables: &BTreeMap<String, String>, wait: Duration) -> Result<Option<Self>> {
        let until = Instant::now() + if place::is_pod(Variables(variables)) { wait } else { Duration::ZERO };
        let resolve = |host: &str| loop {
            match resolve_host::resolve(host) {
                Err(error) if Instant::now() < until => {
                    interrupt::sleep(OPERATION, POD_PAUSE).map_err(|_| error)?;
                }
                resolved => return resolved,
            }
        };
        from_launcher(settings::settings()?, variables, &resolve)
    }

    /// Returns the rank of this process within its host, from `variables` of launchers. `None` if they do not
    /// have it. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` a variable is not a number, or contradicts another.
    pub fn local_rank_of(variables: &BTreeMap<String, String>) -> Result<Option<u32>> {
        Ok(place::find(Variables(variables))?.and_then(|place| place.local_rank))
    }

    /// Returns the secret that rank 0 published together with the store address in `url`. `None` if that
    /// address was not published. **Local.**
    pub fn handed_on_secret(url: &StoreUrl) -> Option<JobSecret> {
        publish_address::secret_of(url)
    }

    /// Returns the bootstrap of a process with a unique id, its rank (`None`: the store picks) and the number
    /// of ranks. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` an impossible rank or number of ranks.
    pub fn from_unique_id(id: &UniqueId, rank: Option<Rank>, world_size: u32) -> Result<Self> {
        place::check("world_size", world_size, "rank", rank.map(|rank| rank.0))?;
        Ok(Self {
            launcher: Launcher::UniqueId,
            origin: Origin::default(),
            rank,
            world_size,
            local_rank: None,
            local_size: None,
            store: Some(format!("tcp://{}", id.address())),
            hand_on: None,
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

    /// Returns the options for [`rendezvous::join`]. `init_timeout` bounds connecting and ranking,
    /// `request_timeout` each later request. The local rank serves as the device number.
    ///
    /// # Errors
    /// `InvalidParam` the store's address is missing, or its URL is wrong.
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
                .what("the address of the job's store is not known")
                .with("place", self.place_text())
                .with("launcher", format!("{:?}", self.launcher))
                .hint(self.store_hint())
        })
    }

    /// The number of the device according to the launcher: the local rank, else 0.
    pub fn device(&self) -> u16 {
        self.local_rank.and_then(|rank| u16::try_from(rank).ok()).unwrap_or(0)
    }
}

/// Pure rule of [`Bootstrap::from_env`]: takes the launcher's `variables`; `resolve` gives the addresses of a
/// host name.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn from_variables(
    settings: &Settings,
    variables: &BTreeMap<String, String>,
    resolve: &Resolve<'_>,
) -> Result<Bootstrap> {
    from_launcher(settings, variables, resolve)?
        .ok_or_else(|| place::no_launcher(Variables(variables), &settings.store_url))
}

fn from_launcher(
    settings: &Settings,
    variables: &BTreeMap<String, String>,
    resolve: &Resolve<'_>,
) -> Result<Option<Bootstrap>> {
    let variables = Variables(variables);
    let Some(place) = place::find(variables)? else { return Ok(None) };
    let store = match settings.store_url.as_str() {
        "" => address::store(variables, &place, settings.store_port_offset, resolve)?,
        url => {
            // Refused here and not only where it is used: the text is about the setting.
            StoreUrl::parse_by(url, resolve)?;
            Some((url.to_owned(), "MF_CONFIG_STORE_URL"))
        }
    };
    let hand_on = if store.is_some() { None } else { publish_address::possible(variables, &place)? };
    let (store, store_origin) = store.unzip();
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
        origin: Origin {
            launcher: place.title,
            rank: place.variable,
            store: store_origin.unwrap_or_default(),
        },
        rank: place.rank.map(Rank),
        world_size: place.world_size,
        local_rank: place.local_rank,
        local_size: place.local_size,
        store,
        hand_on,
        job,
        secret_origin,
        secret: None,
        start_store: true,
        hosts_store: false,
    }))
}
