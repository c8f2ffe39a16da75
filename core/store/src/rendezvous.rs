// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the members of a job find each other by a URL: which process starts the store, and which become its
//! clients.
//!
//! | rank | `start_server` | who starts the store |
//! |---|---|---|
//! | given | true | the process of rank 0; when it died, any member whose machine has the address |
//! | automatic | true | any process that can bind the address: the first wins, for all others the port is in use, or the address is not theirs |
//! | either | false | another process |
//!
//! A process that finds the port in use becomes a client at once. The handshake shows whether a store of the
//! job is behind it: a foreign program is an error, a store that runs already (started by the user, or by
//! another object of this process) is not.
//!
//! [`Bootstrap`](crate::Bootstrap) fills the options in from a launcher, a unique id or MPI.
//!
//! With an `etcd://` URL the store runs in the process of the member that is elected in etcd, with a `reg://`
//! URL in that of one that wins the election in the registered backend; the others read the address from etcd
//! or the backend.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Error, Kind, Result, interrupt, log, settings};
use rustls::ClientConfig;

use crate::api::{Member, RankWish};
use crate::backend;
use crate::backend::directory::Directory;
use crate::bootstrap::JobSecret;
use crate::client::{AbsentFn, ClientOptions, after};
use crate::etcd;
use crate::hosting::{Host, HostingPolicy, is_elsewhere, may_begin};
use crate::route;
use crate::server::{Server, ServerOptions};
use crate::tls::{self, Security, TlsFiles};
use crate::url::StoreUrl;
use crate::{Client, Store};

const OPERATION: &str = "store rendezvous";
/// Interval between two reads of a backend.
const LOOK_PAUSE: Duration = Duration::from_millis(50);

/// How to take part in a job.
#[derive(Clone, Debug)]
pub struct Options {
    /// The store of the job.
    pub url: StoreUrl,
    /// Ranks of the job, 1 to [`MAX_WORLD_SIZE`](crate::MAX_WORLD_SIZE); with `only_server` also 0: the
    /// first member decides.
    pub world_size: u32,
    /// The rank of this process.
    pub wish: RankWish,
    /// Number of the device this process uses; orders automatic ranks on one machine.
    pub device: u16,
    /// Whether this process may start the store.
    pub start_server: bool,
    /// Start the store and nothing else: this process is no member.
    pub only_server: bool,
    /// Members join and leave at any time: a store that is started here assigns automatic ranks at once, in
    /// the order of arrival, instead of waiting a moment for the world to be complete.
    pub dynamic: bool,
    /// A store that is started here does not wait for members of one that ran here before.
    pub skip_recovery: bool,
    /// Bounds connecting and ranking.
    pub init_timeout: Duration,
    /// Bounds each later request.
    pub request_timeout: Duration,
    /// Whether the store runs in this process already, started by other means.
    pub hosts_store: bool,
    /// Secret of the job; none: that of the settings.
    pub secret: Option<JobSecret>,
    /// Certificates for this store; none: those of the settings and of [`tls::configure`].
    pub certificates: Option<TlsFiles>,
    /// Plaintext by explicit choice, whatever else is set.
    pub plaintext: bool,
    /// Name of the job; a store and members that have different names refuse each other. Empty: that of the
    /// settings.
    pub job: String,
    /// Timeouts; none: those of the settings.
    pub timing: Option<Timing>,
}

/// How long what the store and its members wait for may take.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Silence of a host, or of the leader of a store, after which it counts as dead.
    pub lease: Duration,
    /// Time to resume for a member whose connection broke.
    pub resume_grace: Duration,
    /// Time to wait for more members before automatic ranks of an incomplete world are assigned.
    pub rank_window: Duration,
    /// For a store that went away to be found again.
    pub reconnect: Duration,
}

impl Timing {
    fn of(options: &Options) -> Result<Self> {
        let settings = settings::settings()?;
        let timing = options.timing.unwrap_or(Self {
            lease: settings.store_lease,
            resume_grace: settings.resume_grace,
            rank_window: settings.rank_window,
            reconnect: settings.store_reconnect,
        });
        Ok(if options.dynamic { Self { rank_window: Duration::ZERO, ..timing } } else { timing })
    }
}

impl Options {
    /// A member of any rank in a job of `world_size`, which may start the store; 30 s for everything.
    pub fn new(url: StoreUrl, world_size: u32) -> Self {
        let timeout = Duration::from_secs(30);
        Self {
            url,
            world_size,
            wish: RankWish::Any,
            device: 0,
            start_server: true,
            only_server: false,
            dynamic: false,
            skip_recovery: false,
            init_timeout: timeout,
            request_timeout: timeout,
            hosts_store: false,
            secret: None,
            certificates: None,
            job: String::new(),
            timing: None,
            plaintext: false,
        }
    }
}

/// What taking part gave.
pub struct Joined {
    /// The store of this process, as far as it may or does run here.
    pub host: Option<Arc<Host>>,
    /// The membership; none with `only_server`.
    pub store: Option<Arc<dyn Store>>,
}

impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Joined")
            .field("host", &self.host)
            .field("member", &self.store.as_ref().map(|store| store.member()))
            .finish()
    }
}

/// Starts the store if it falls to this process, and joins it. Blocks until this process has its rank, at
/// most for `init_timeout`.
///
/// # Errors
/// `InUse` a foreign program has the port of the store that this process should start · `InvalidParam` the
/// store leaves the host and there is neither a secret nor a certificate · else as
/// [`Server::start`](crate::Server::start) and [`Client::connect`].
#[expect(clippy::needless_pass_by_value, reason = "options hold the secret; the caller needs no second copy")]
pub fn join(options: Options) -> Result<Joined> {
    let (host, client) = join_session(&options)?;
    let store = client.map(|client| -> Arc<dyn Store> { Arc::new(client) });
    Ok(Joined { host: Some(host), store })
}

/// As [`join`], with the session itself, whose connection can be cut on purpose.
///
/// # Errors
/// As [`join`].
pub fn join_session(options: &Options) -> Result<(Arc<Host>, Option<Client>)> {
    let (host, client) = join_at(options)?;
    if let Some(Member { rank, .. }) = client.as_ref().map(Store::member)
        && options.wish != RankWish::Guest
    {
        log::set_rank(rank.0);
    }
    Ok((host, client))
}

fn join_at(options: &Options) -> Result<(Arc<Host>, Option<Client>)> {
    match &options.url {
        StoreUrl::Tcp { addresses } => {
            let addresses = addresses.clone();
            join_tcp(options, addresses)
        }
        StoreUrl::Etcd { endpoints, prefix } => {
            let (endpoints, prefix) = (endpoints.clone(), prefix.clone());
            join_etcd(options, endpoints, &prefix)
        }
        StoreUrl::Backend { address, instance } => {
            let (address, instance) = (*address, instance.clone());
            join_backend(options, address, &instance)
        }
    }
}

fn join_tcp(options: &Options, addresses: Vec<SocketAddr>) -> Result<(Arc<Host>, Option<Client>)> {
    let deadline = after(options.init_timeout);
    let security = security_of(options)?;
    let Some(first) = addresses.first().copied() else {
        return Err(Error::invalid(OPERATION, "the url has no address"));
    };
    let candidates = options.url.connect_addresses();
    let template = template(options, first, &security)?;
    // A guest that may start the store stands by: it begins with none.
    let may_start = options.start_server;
    let host = Host::new(HostingPolicy::Fixed(addresses), template, may_start && may_begin(options.wish));
    if options.only_server {
        host.start()?;
        return Ok((host, None));
    }
    let mut busy = None;
    if may_start && may_begin(options.wish) && options.wish != RankWish::Guest {
        match host.start() {
            Ok(()) => {}
            Err(error) if error.kind() == Kind::InUse => busy = Some(error),
            // Another machine has the address: its processes start the store.
            Err(error)
                if options.wish != RankWish::Exactly(mf_base::Rank(0)) && is_elsewhere(&error, first) => {}
            Err(error) => return Err(error),
        }
    }
    let absent = Arc::clone(&host);
    let while_absent = may_start.then(|| -> AbsentFn { Arc::new(move || absent.absent()) });
    let client = connect(options, candidates, &host, security, deadline, while_absent);
    let client = match (client, busy) {
        (Ok(client), _) => client,
        // A given rank 0 was to start the store and found neither a free port nor a store.
        (Err(error), Some(busy))
            if matches!(options.wish, RankWish::Exactly(_)) && error.kind() == Kind::NotConnected =>
        {
            return Err(busy.source(error));
        }
        (Err(error), _) => return Err(error),
    };
    host.allow(may_start);
    Ok((host, Some(client)))
}

fn connect(
    options: &Options,
    candidates: Vec<SocketAddr>,
    host: &Host,
    security: Arc<Security>,
    connect_deadline: Instant,
    while_absent: Option<AbsentFn>,
) -> Result<Client> {
    let timing = Timing::of(options)?;
    // Elsewhere a successor takes its time: until it is its turn, or an election is over.
    let is_fixed = matches!(options.url, StoreUrl::Tcp { .. }) && candidates.len() == 1;
    Client::connect(ClientOptions {
        candidates,
        successor: if is_fixed { timing.lease } else { timing.reconnect },
        world_size: options.world_size,
        wish: options.wish,
        device: options.device,
        hosts_store: options.hosts_store || host.address().is_some(),
        connect_deadline,
        request_timeout: options.request_timeout,
        reconnect: timing.reconnect,
        lease: timing.lease,
        security,
        job: job(options)?,
        while_absent,
    })
}

fn template(options: &Options, listen: SocketAddr, security: &Arc<Security>) -> Result<ServerOptions> {
    let timing = Timing::of(options)?;
    Ok(ServerOptions {
        listen,
        world_size: options.world_size,
        rank_window: timing.rank_window,
        resume_grace: timing.resume_grace,
        lease: timing.lease,
        skip_recovery: options.skip_recovery,
        quorum: false,
        guests_only: false,
        security: Arc::clone(security),
        job: job(options)?,
    })
}

fn security_of(options: &Options) -> Result<Arc<Security>> {
    security(options.secret.as_ref(), options.certificates.clone(), options.plaintext)
}

/// Security: by the caller's choice, else by the settings.
pub(crate) fn security(
    secret: Option<&JobSecret>,
    certificates: Option<TlsFiles>,
    plaintext: bool,
) -> Result<Arc<Security>> {
    let secret = match secret {
        Some(secret) => secret.clone(),
        None => JobSecret::from_settings(settings::settings()?)?,
    };
    if plaintext {
        return Security::new(Switch::Off, secret.as_bytes().to_vec(), None);
    }
    tls::configured(secret.as_bytes().to_vec(), certificates)
}

fn job(options: &Options) -> Result<String> {
    Ok(if options.job.is_empty() { settings::settings()?.job_id.clone() } else { options.job.clone() })
}

/// Starts a store of a job of any size with this secret, outside of any rendezvous: on a socket that is
/// bound, or at an address.
pub(crate) fn start_server(place: Listen, secret: &JobSecret) -> Result<Server> {
    let settings = settings::settings()?;
    let anywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let options = ServerOptions {
        rank_window: settings.rank_window,
        resume_grace: settings.resume_grace,
        lease: settings.store_lease,
        skip_recovery: true,
        job: settings.job_id.clone(),
        ..ServerOptions::new(anywhere, 0, tls::configured(secret.as_bytes().to_vec(), None)?)
    };
    match place {
        Listen::At(listen) => Server::start(ServerOptions { listen, ..options }),
        Listen::On(socket) => Server::start_on(socket, options),
    }
}

/// Where a store listens.
pub(crate) enum Listen {
    At(SocketAddr),
    On(OwnedFd),
}

/// A store whose leader is found through the registered backend.
fn join_backend(
    options: &Options,
    address: SocketAddr,
    instance: &str,
) -> Result<(Arc<Host>, Option<Client>)> {
    let security = security_of(options)?;
    let own = route::towards(address).map_err(|error| {
        Error::new(Kind::Failed, OPERATION)
            .what("there is no route to the store backend")
            .with("backend", address)
            .source(error)
    })?;
    let template = template(options, SocketAddr::new(own, 0), &security)?;
    let directory = Directory::new(backend::open(address, instance)?, template.lease)?;
    let host = Host::new(HostingPolicy::Elected { directory, own }, template, options.start_server);
    join_elected(options, host, security)
}

/// A store whose leader `host` finds, or becomes.
fn join_elected(
    options: &Options,
    host: Arc<Host>,
    security: Arc<Security>,
) -> Result<(Arc<Host>, Option<Client>)> {
    let deadline = after(options.init_timeout);
    let mut candidates = host.absent();
    while candidates.is_none() {
        if Instant::now() >= deadline {
            return Err(Error::new(Kind::Timeout, OPERATION)
                .what("the store has no leader")
                .with("url", &options.url)
                .with("waited_ms", options.init_timeout.as_millis())
                .hint("is a process there that may start the store?"));
        }
        interrupt::sleep(OPERATION, LOOK_PAUSE)?;
        candidates = host.absent();
    }
    if options.only_server {
        return Ok((host, None));
    }
    let (absent, candidates) = (Arc::clone(&host), candidates.unwrap_or_default());
    // A process that may not start the store reads the directory, too.
    let while_absent: AbsentFn = Arc::new(move || absent.absent());
    let client = connect(options, candidates, &host, security, deadline, Some(while_absent))?;
    Ok((host, Some(client)))
}

/// A store whose leader is elected in etcd.
fn join_etcd(options: &Options, endpoints: Vec<String>, prefix: &str) -> Result<(Arc<Host>, Option<Client>)> {
    let security = security_of(options)?;
    let place = etcd::ClusterAddress { tls: etcd_tls(&security, &endpoints)?, endpoints };
    let unknown = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), 0);
    let template = template(options, unknown, &security)?;
    let directory = etcd::Directory::new(place, prefix, template.lease, security.secret().to_vec());
    // A job on etcd needs no first process, so every member may be elected.
    let may_start = options.start_server || options.wish != RankWish::Guest;
    if may_start {
        security.may_listen(directory.own_address()?)?;
    }
    reach(&directory, after(options.init_timeout))?;
    join_elected(options, Host::new(HostingPolicy::Etcd(directory), template, may_start), security)
}

/// Waits until the cluster answers.
fn reach(directory: &etcd::Directory, deadline: Instant) -> Result<()> {
    let started = Instant::now();
    loop {
        let error = match directory.find(deadline) {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == Kind::Timeout => error,
            Err(error) => return Err(error),
        };
        if Instant::now() >= deadline {
            return Err(Error::new(Kind::NotConnected, OPERATION)
                .what("the etcd cluster cannot be reached")
                .with("waited_ms", started.elapsed().as_millis())
                .source(error));
        }
        interrupt::sleep(OPERATION, LOOK_PAUSE)?;
    }
}

/// Certificates for the connections to etcd. The job secret proves members to each other, not to etcd.
fn etcd_tls(security: &Security, endpoints: &[String]) -> Result<Option<Arc<ClientConfig>>> {
    if let Some(config) = security.for_etcd()? {
        return Ok(Some(config));
    }
    match endpoints.iter().find(|place| !is_loopback(place)) {
        Some(place) if !security.is_off() => Err(Error::invalid(
            OPERATION,
            "etcd is not on this host, and there are no certificates for it",
        )
        .with("etcd", place)
        .hint("give certificates (MF_STORE_TLS_INFO, mf certs), or choose plaintext by MF_STORE_TLS=off")),
        Some(_) => {
            tracing::warn!("the connections to etcd are not encrypted");
            Ok(None)
        }
        None => Ok(None),
    }
}

/// Whether `host:port` is on this host.
fn is_loopback(place: &str) -> bool {
    place.parse::<SocketAddr>().is_ok_and(|place| place.ip().is_loopback()) || place.starts_with("localhost:")
}
