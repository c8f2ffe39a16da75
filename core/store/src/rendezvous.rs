// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the members of a job find each other, knowing only a URL: who starts the store, and who becomes its client.
//!
//! | rank | `start_server` | who starts the store |
//! |---|---|---|
//! | given | true | the process of rank 0; when it died, any member whose machine has the address |
//! | automatic | true | whoever can bind the address: the first wins, to all others the port is in use, or the address is not theirs |
//! | either | false | somebody else |
//!
//! A port in use turns into a client without any delay. Whether a store of the job is behind it, the hello tells: a
//! foreign program is an error, a store that runs already (made by hand, or by another object of this process) is not.
//!
//! [`Bootstrap`](crate::Bootstrap) fills the options in from a launcher, a unique id or MPI.
//!
//! With an `etcd://` URL there is no store to start: every member is a client of the cluster. With a `reg://` URL the
//! store runs in a member's process, and the registered backend tells the others where.

use std::fmt;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Error, Kind, Result, interrupt, log, settings};

use crate::api::{Member, RankWish};
use crate::backend;
use crate::backend::directory::Directory;
use crate::bootstrap::JobSecret;
use crate::client::{AbsentFn, ClientOptions, after};
use crate::hosting::{Host, Places, is_elsewhere, may_begin};
use crate::route;
use crate::server::{Server, ServerOptions};
use crate::tls::{self, Security, TlsFiles};
use crate::url::StoreUrl;
use crate::{Client, Store};

const OPERATION: &str = "store rendezvous";
/// Between two looks into a backend.
const LOOK_PAUSE: Duration = Duration::from_millis(50);

/// How to take part in a job.
#[derive(Clone, Debug)]
pub struct Options {
    /// The store of the job.
    pub url: StoreUrl,
    /// Ranks of the job, 1 to 1024; with `only_server` also 0: the first member decides.
    pub world_size: u32,
    /// The rank of this process.
    pub wish: RankWish,
    /// Number of the device this process uses; orders automatic ranks on one machine.
    pub device: u16,
    /// Whether this process may start the store.
    pub start_server: bool,
    /// Start the store and nothing else: this process is no member.
    pub only_server: bool,
    /// Members come and go: a store that is started here hands out automatic ranks at once, in the order of arrival,
    /// instead of waiting a moment for the world to be complete.
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
    /// Plaintext by explicit choice, whatever else is said.
    pub plaintext: bool,
    /// Name of the job; a store and members that have different names refuse each other. Empty: that of the settings.
    pub job: String,
}

impl Options {
    /// A member of any rank in a job of `world_size`, which may start the store; 30 s for everything.
    pub fn new(url: StoreUrl, world_size: u32) -> Self {
        let patience = Duration::from_secs(30);
        Self {
            url,
            world_size,
            wish: RankWish::Any,
            device: 0,
            start_server: true,
            only_server: false,
            dynamic: false,
            skip_recovery: false,
            init_timeout: patience,
            request_timeout: patience,
            hosts_store: false,
            secret: None,
            certificates: None,
            job: String::new(),
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

/// Starts the store if it falls to this process, and joins it. Blocks until this process has its rank, at most for
/// `init_timeout`.
///
/// # Errors
/// `InUse` a foreign program has the port of the store that this process should start · `InvalidParam` the store
/// leaves the host and there is neither a secret nor a certificate · else as [`Server::start`](crate::Server::start)
/// and [`Client::connect`].
#[expect(clippy::needless_pass_by_value, reason = "options hold the secret; the caller needs no second copy")]
pub fn join(options: Options) -> Result<Joined> {
    let joined = join_at(&options)?;
    if let Some(Member { rank, .. }) = joined.store.as_ref().map(|store| store.member())
        && options.wish != RankWish::Guest
    {
        log::set_rank(rank.0);
    }
    Ok(joined)
}

fn join_at(options: &Options) -> Result<Joined> {
    match &options.url {
        StoreUrl::Tcp { addresses } => {
            let addresses = addresses.clone();
            join_tcp(options, addresses)
        }
        StoreUrl::Etcd { endpoints, prefix } => {
            let (endpoints, prefix) = (endpoints.clone(), prefix.clone());
            join_etcd(options, endpoints, prefix)
        }
        StoreUrl::Backend { address, instance } => {
            let (address, instance) = (*address, instance.clone());
            join_backend(options, address, &instance)
        }
    }
}

fn join_tcp(options: &Options, addresses: Vec<SocketAddr>) -> Result<Joined> {
    let deadline = after(options.init_timeout);
    let security = security_of(options)?;
    let Some(first) = addresses.first().copied() else {
        return Err(Error::invalid(OPERATION, "the url has no address"));
    };
    let candidates = options.url.connect_addresses();
    let template = template(options, first, &security)?;
    // A guest that may start the store stands by: it begins with none.
    let may_start = options.start_server;
    let host = Host::new(Places::Fixed(addresses), template, may_start && may_begin(options.wish));
    if options.only_server {
        host.start()?;
        return Ok(Joined { host: Some(host), store: None });
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
    Ok(Joined { host: Some(host), store: Some(Arc::new(client)) })
}

fn connect(
    options: &Options,
    candidates: Vec<SocketAddr>,
    host: &Host,
    security: Arc<Security>,
    connect_deadline: Instant,
    while_absent: Option<AbsentFn>,
) -> Result<Client> {
    let settings = settings::settings()?;
    // Elsewhere a successor takes its time: until it is its turn, or an election is over.
    let is_fixed = matches!(options.url, StoreUrl::Tcp { .. }) && candidates.len() == 1;
    Client::connect(ClientOptions {
        candidates,
        successor: if is_fixed { settings.store_lease } else { settings.store_reconnect },
        world_size: options.world_size,
        wish: options.wish,
        device: options.device,
        hosts_store: options.hosts_store || host.address().is_some(),
        connect_deadline,
        request_timeout: options.request_timeout,
        reconnect: settings.store_reconnect,
        lease: settings.store_lease,
        security,
        job: job(options)?,
        while_absent,
    })
}

fn template(options: &Options, listen: SocketAddr, security: &Arc<Security>) -> Result<ServerOptions> {
    let settings = settings::settings()?;
    let rank_window = if options.dynamic { Duration::ZERO } else { settings.rank_window };
    Ok(ServerOptions {
        listen,
        world_size: options.world_size,
        rank_window,
        resume_grace: settings.resume_grace,
        lease: settings.store_lease,
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

/// Who may connect: by what the caller says, else by the settings.
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

/// Starts a store of a job of any size with this secret, outside of any rendezvous: on a socket that is bound, or at an
/// address.
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
fn join_backend(options: &Options, address: SocketAddr, instance: &str) -> Result<Joined> {
    let deadline = after(options.init_timeout);
    let security = security_of(options)?;
    let own = route::towards(address).map_err(|error| {
        Error::new(Kind::Failed, OPERATION)
            .what("no way leads to the store backend")
            .with("backend", address)
            .source(error)
    })?;
    let template = template(options, SocketAddr::new(own, 0), &security)?;
    let directory = Directory::new(backend::open(address, instance)?, template.lease)?;
    let may_start = options.start_server;
    let host = Host::new(Places::Elected { directory, own }, template, may_start);
    let mut candidates = host.absent();
    while candidates.is_none() {
        if Instant::now() >= deadline {
            return Err(Error::new(Kind::Timeout, OPERATION)
                .what("the store backend knows no leader")
                .with("url", &options.url)
                .with("waited_ms", options.init_timeout.as_millis())
                .hint("is a process there that may start the store?"));
        }
        interrupt::sleep(OPERATION, LOOK_PAUSE)?;
        candidates = host.absent();
    }
    if options.only_server {
        return Ok(Joined { host: Some(host), store: None });
    }
    let (absent, candidates) = (Arc::clone(&host), candidates.unwrap_or_default());
    // Also one that may not start the store asks the directory.
    let while_absent: AbsentFn = Arc::new(move || absent.absent());
    let client = connect(options, candidates, &host, security, deadline, Some(while_absent))?;
    Ok(Joined { host: Some(host), store: Some(Arc::new(client)) })
}

#[cfg(feature = "etcd")]
fn join_etcd(options: &Options, endpoints: Vec<String>, prefix: String) -> Result<Joined> {
    use crate::etcd::{EtcdOptions, EtcdStore};

    let settings = settings::settings()?;
    if options.only_server {
        return Err(Error::invalid(OPERATION, "an etcd:// store is not started by us")
            .with("url", &options.url)
            .hint("start the etcd cluster; every member is a client of it"));
    }
    let security = security_of(options)?;
    let tls = etcd_tls(&security, &endpoints)?;
    let store = EtcdStore::join(EtcdOptions {
        endpoints,
        prefix,
        world_size: options.world_size,
        wish: options.wish,
        device: options.device,
        host: crate::client::hello::host(),
        lease: settings.store_lease,
        rank_window: if options.dynamic { Duration::ZERO } else { settings.rank_window },
        connect_deadline: after(options.init_timeout),
        request_timeout: options.request_timeout,
        secret: security.secret().to_vec(),
        tls,
    })?;
    Ok(Joined { host: None, store: Some(Arc::new(store)) })
}

/// Certificates for the connections to etcd. The job secret proves members to each other, not to etcd.
#[cfg(feature = "etcd")]
fn etcd_tls(security: &Security, endpoints: &[String]) -> Result<Option<crate::etcd::EtcdTls>> {
    if let Some(texts) = security.pem_texts()? {
        let (certificate, key) = (texts.chain, texts.key.to_vec());
        return Ok(Some(crate::etcd::EtcdTls { ca: texts.authorities, certificate, key, domain: None }));
    }
    match endpoints.iter().find(|place| !crate::etcd::is_loopback(place)) {
        Some(place) if !security.is_off() => Err(Error::invalid(
            OPERATION,
            "etcd is not on this host, and there are no certificates for it",
        )
        .with("etcd", place)
        .hint("give certificates (MF_STORE_TLS_INFO, mf certs), or choose plaintext by MF_STORE_TLS=off")),
        _ => Ok(None),
    }
}

#[cfg(not(feature = "etcd"))]
fn join_etcd(options: &Options, _endpoints: Vec<String>, _prefix: String) -> Result<Joined> {
    Err(Error::invalid(OPERATION, "this build has no etcd:// stores")
        .with("url", &options.url)
        .hint("build it with the feature mf-store/etcd; that needs protoc (Debian: protobuf-compiler libprotobuf-dev)"))
}
