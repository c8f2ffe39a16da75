// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rendezvous of a job's members by a URL: it decides which process starts the store, and which become its
//! clients.
//!
//! | rank | `start_server` | the store is started by |
//! |---|---|---|
//! | given | true | the process of rank 0; when it died, any member on a machine that has the address |
//! | automatic | true | any process that can bind the address: the first wins, for all others the port is in use, or the address is not theirs |
//! | either | false | another process |
//!
//! A process that finds the port in use becomes a client at once. The handshake shows whether a store of the
//! job listens there: a foreign program is an error, a store that runs already (started by the user, or by
//! another object of this process) is not.
//!
//! [`Bootstrap`](crate::Bootstrap) fills the options in from a launcher, a unique id or MPI.
//!
//! With an `etcd://` URL the store runs in the process of the member that is elected in etcd, with a `reg://`
//! URL in the process of the member that wins the election in the registered backend; the others read the
//! address from etcd or the backend.

mod etcd;
mod options;

use std::fmt;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::sync::wait::Deadline;
use mf_base::{Error, Kind, Result, interrupt, log};
use mf_store::{AbsentFn, Client, ClientOptions, Member, RankWish, Server, ServerOptions, Store, Timing};
use mf_tls::{Access, JobSecret, Security};

use crate::backend;
use crate::backend::directory::Directory;
use crate::hosting::{Host, HostingPolicy, is_elsewhere, may_begin};
use crate::route;
use crate::url::StoreUrl;
pub use options::Options;

const OPERATION: &str = "store rendezvous";
/// Interval between two reads of a backend.
const LOOK_PAUSE: Duration = Duration::from_millis(50);

/// Result of [`join`].
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
/// [`Server::start`] and [`Client::connect`].
#[expect(clippy::needless_pass_by_value, reason = "options hold the secret; the caller needs no second copy")]
pub fn join(options: Options) -> Result<Joined> {
    let (host, client) = join_session(&options)?;
    let store = client.map(|client| -> Arc<dyn Store> { Arc::new(client) });
    Ok(Joined { host: Some(host), store })
}

/// Connects to the store as a guest, which cannot start it; `timeout` bounds connecting and each later
/// request.
///
/// # Errors
/// As [`join`].
pub fn visit(url: StoreUrl, access: Access, timeout: Duration) -> Result<Arc<dyn Store>> {
    let joined = join(Options {
        wish: RankWish::Guest,
        start_server: false,
        init_timeout: timeout,
        request_timeout: timeout,
        access,
        ..Options::new(url, 0)
    })?;
    joined.store.ok_or_else(|| Error::new(Kind::NotStarted, OPERATION).what("the store gave no session"))
}

/// Like [`join`], with the session itself, to cut its connection on purpose.
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
            etcd::join(options, endpoints, &prefix)
        }
        StoreUrl::Backend { address, instance } => {
            let (address, instance) = (*address, instance.clone());
            join_backend(options, address, &instance)
        }
    }
}

fn join_tcp(options: &Options, addresses: Vec<SocketAddr>) -> Result<(Arc<Host>, Option<Client>)> {
    let deadline = Deadline::Within(options.init_timeout).instant();
    let security = options.access.security()?;
    let Some(first) = addresses.first().copied() else {
        return Err(Error::invalid(OPERATION, "the url has no address"));
    };
    let candidates = options.url.connect_addresses();
    let template = template(options, first, &security)?;
    // A guest that may start the store is a standby: it does not begin with one.
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
    let timing = options.timing()?;
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
        timing,
        security,
        job: options.access.job()?,
        while_absent,
    })
}

fn template(options: &Options, listen: SocketAddr, security: &Arc<Security>) -> Result<ServerOptions> {
    Ok(ServerOptions {
        skip_recovery: options.skip_recovery,
        job: options.access.job()?,
        timing: options.timing()?,
        ..ServerOptions::new(listen, options.world_size, Arc::clone(security))
    })
}

/// Starts a store of a job of any size with this secret, outside of any rendezvous: on a socket that is
/// bound, or at an address.
pub(crate) fn start_server(place: Listen, secret: JobSecret) -> Result<Server> {
    let access = Access::by_secret(secret);
    let anywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let options = ServerOptions {
        timing: Timing::of_settings()?,
        skip_recovery: true,
        job: access.job()?,
        ..ServerOptions::new(anywhere, 0, access.security()?)
    };
    match place {
        Listen::At(listen) => Server::start(ServerOptions { listen, ..options }),
        Listen::On(socket) => Server::start_on(socket, options),
    }
}

/// Listen address of a store.
pub(crate) enum Listen {
    At(SocketAddr),
    On(OwnedFd),
}

/// Joins a store with a leader that is found through the registered backend.
fn join_backend(
    options: &Options,
    address: SocketAddr,
    instance: &str,
) -> Result<(Arc<Host>, Option<Client>)> {
    let security = options.access.security()?;
    let own = route::towards(address).map_err(|error| {
        Error::new(Kind::Failed, OPERATION)
            .what("no route to the store backend")
            .with("backend", address)
            .source(error)
    })?;
    let template = template(options, SocketAddr::new(own, 0), &security)?;
    let directory = Directory::new(backend::open(address, instance)?, template.timing.lease)?;
    let host = Host::new(HostingPolicy::Elected { directory, own }, template, options.start_server);
    join_elected(options, host, security)
}

/// Joins a store with a leader that `host` finds, or becomes.
fn join_elected(
    options: &Options,
    host: Arc<Host>,
    security: Arc<Security>,
) -> Result<(Arc<Host>, Option<Client>)> {
    let deadline = Deadline::Within(options.init_timeout).instant();
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
