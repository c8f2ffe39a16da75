// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hosting of the store: decides when it is started in this process, and when it ends.
//!
//! A store runs in the process of one member. When that process dies, another member on a machine that has
//! the address starts a new one; the members resume there and send their replicas. The kernel decides between
//! several that try: only one of them can listen.
//!
//! A URL with several addresses lists addresses to which the store may move when a whole machine dies, in
//! order: the store at address *i* is started when all earlier ones have been silent for *i* leases. Two
//! machines that cannot reach each other could both start one. Three rules keep the job in one piece:
//! * a store that takes over needs more than half of the members it should have (the machine's quorum rule);
//! * members carry the term of the store they belong to, so that a store of a lower term finds out and steps
//!   down;
//! * the leader checks the other addresses from time to time, and steps down if there is one of a higher
//!   term, or of the same term at an earlier address.
//!
//! With an `etcd://` URL the process elected in etcd listens on a free port of the interface that leads to
//! the cluster; the others read the address from etcd. See [`etcd`].
//!
//! With a `reg://` URL the address is not fixed: the winner of the election in the backend's [`Directory`]
//! listens on a free port of the interface that leads to the backend, and the others read the address from
//! the directory.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::os::process::Owner;
use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result, warn_limited};
use mf_store::journal::Elected;
use mf_store::{Client, ClientOptions, Listening, LostFn, RankWish, Server, ServerOptions, Store, Timing};

use crate::backend::directory::{Campaign, Directory, Keeper};
use crate::etcd;
use crate::url::reachable;

/// Timeout of a check of another address.
const LOOK_LIMIT: Duration = Duration::from_millis(500);
/// A silence that was noted longer ago than this and two leases belongs to an earlier search; an attempt at
/// several addresses takes some seconds.
const FORGET: Duration = Duration::from_secs(15);

/// The right of this process to run the store of its job, and the store if it does.
pub struct Host {
    places: HostingPolicy,
    template: ServerOptions,
    state: Mutex<HostState>,
    /// Called for members that a server of this host loses.
    on_lost: Mutex<Option<LostFn>>,
    owner: Owner,
}

/// Possible places of a job's store, and the rule that chooses its leader.
pub(crate) enum HostingPolicy {
    /// At these addresses, in order.
    Fixed(Vec<SocketAddr>),
    /// On this machine's interface with this address, when the directory allows it.
    Elected { directory: Arc<Directory>, own: IpAddr },
    /// On this machine's interface that leads to the cluster, when this process is elected there.
    Etcd(Arc<etcd::Directory>),
}

struct HostState {
    server: Option<Server>,
    /// Keeps the leadership of an elected server.
    keeper: Option<Keeper>,
    /// True if this process may start the store at all.
    may_start: bool,
    /// Since when no store has answered, and when that was last noted.
    absent_since: Option<(Instant, Instant)>,
    ended: bool,
}

impl Host {
    /// Creates the right to run the store at one of `places`; `template` gives the other options.
    pub(crate) fn new(places: HostingPolicy, template: ServerOptions, may_start: bool) -> Arc<Self> {
        let state = HostState { server: None, keeper: None, may_start, absent_since: None, ended: false };
        Arc::new(Self {
            places,
            template,
            state: Mutex::new(state),
            on_lost: Mutex::default(),
            owner: Owner::current(),
        })
    }

    /// Starts the store at the first address, for the process that has to do so by the rules of the job.
    pub(crate) fn start(self: &Arc<Self>) -> Result<()> {
        let mut state = lock(&self.state);
        if state.server.is_some() {
            return Ok(());
        }
        if let HostingPolicy::Fixed(addresses) = &self.places
            && let Some(first) = addresses.first()
        {
            state.server = Some(self.serve(*first, addresses.len() > 1)?);
        }
        Ok(())
    }

    /// From now on this process may take over from a store that died.
    pub(crate) fn allow(&self, may_start: bool) {
        lock(&self.state).may_start = may_start;
    }

    /// Returns the address of the store of this process, if it runs here. **Local.**
    pub fn address(&self) -> Option<SocketAddr> {
        lock(&self.state).server.as_ref().filter(|server| !server.stepped_down()).map(Server::address)
    }

    /// Calls `body` with the store of this process, when it runs here.
    pub fn with_server<T>(&self, body: impl FnOnce(&Server) -> T) -> Option<T> {
        lock(&self.state).server.as_ref().map(body)
    }

    /// Sets the callback for members that are lost without leaving, of every server that runs here from now
    /// on.
    ///
    /// # Errors
    /// `NoResources` no threads left.
    pub fn on_member_lost(&self, callback: LostFn) -> Result<()> {
        let state = lock(&self.state);
        *lock(&self.on_lost) = Some(Arc::clone(&callback));
        state.server.as_ref().map_or(Ok(()), |server| server.on_member_lost(callback))
    }

    /// Ends hosting and the store that runs here, also with clients connected.
    pub fn stop(&self) {
        let (server, keeper) = {
            let mut state = lock(&self.state);
            state.ended = true;
            (state.server.take(), state.keeper.take())
        };
        drop(server);
        drop(keeper);
    }

    /// Ends hosting: a store that runs here continues until the last client has left. See [`Server::linger`].
    pub fn linger(&self) {
        let (server, keeper) = {
            let mut state = lock(&self.state);
            state.ended = true;
            (state.server.take(), state.keeper.take())
        };
        // As long as it has clients, no other process may be elected.
        match (server, keeper) {
            (Some(server), Some(keeper)) => server.linger_with(Box::new(keeper)),
            (Some(server), None) => server.linger(),
            (None, keeper) => drop(keeper),
        }
    }

    /// No store has answered: starts one if it is the turn of this process. Returns the addresses to try from
    /// now on, if they have changed.
    pub(crate) fn absent(self: &Arc<Self>) -> Option<Vec<SocketAddr>> {
        if !self.owner.is_current() {
            return None;
        }
        match &self.places {
            HostingPolicy::Fixed(addresses) => {
                self.take_turn(addresses);
                None
            }
            HostingPolicy::Elected { directory, own } => self.stand_for_election(directory, *own),
            HostingPolicy::Etcd(directory) => self.stand_in_etcd(directory),
        }
    }

    fn take_turn(self: &Arc<Self>, addresses: &[SocketAddr]) {
        let mut state = lock(&self.state);
        if state.server.as_ref().is_some_and(|server| server.stepped_down()) {
            state.server = None;
        }
        if state.ended || !state.may_start || state.server.is_some() {
            return;
        }
        let now = Instant::now();
        let timeout = self.template.timing.lease.saturating_mul(2) + FORGET;
        // An attempt after a long pause is the first of a new search.
        let since = state.absent_since.filter(|(_, last)| now.duration_since(*last) < timeout);
        let since = since.map_or(now, |(since, _)| since);
        state.absent_since = Some((since, now));
        let silent = now.duration_since(since);
        for (place, address) in addresses.iter().enumerate() {
            let turn = self.template.timing.lease.saturating_mul(u32::try_from(place).unwrap_or(u32::MAX));
            if silent < turn {
                return;
            }
            match self.serve(*address, addresses.len() > 1) {
                Ok(server) => {
                    tracing::info!(%address, "the store was started in this process, none answered");
                    state.server = Some(server);
                    return;
                }
                // Another machine has the address, or another process was faster.
                Err(error) if matches!(error.kind(), Kind::InvalidParam | Kind::InUse) => {}
                Err(error) => {
                    tracing::warn!(%address, %error, "the store could not be started in place of one that died");
                }
            }
        }
    }

    fn serve(self: &Arc<Self>, listen: SocketAddr, quorum: bool) -> Result<Server> {
        let server =
            self.notifies(Server::start(ServerOptions { listen, quorum, ..self.template.clone() })?)?;
        if let HostingPolicy::Fixed(addresses) = &self.places
            && let Some(place) = addresses.iter().position(|address| *address == listen)
            && addresses.len() > 1
        {
            self.watch_for_twins(place);
        }
        Ok(server)
    }

    /// Reads the leader from the directory; without a leader, this process may become it.
    fn stand_for_election(
        self: &Arc<Self>,
        directory: &Arc<Directory>,
        own: IpAddr,
    ) -> Option<Vec<SocketAddr>> {
        let now = Instant::now();
        let silent = |error: &Error| tracing::warn!(%error, "the store backend does not answer");
        if let Some((address, _)) = directory.find(now).inspect_err(silent).ok()? {
            return Some(vec![address]);
        }
        let mut state = lock(&self.state);
        if state.server.as_ref().is_some_and(Server::stepped_down) {
            (state.server, state.keeper) = (None, None);
        }
        if state.ended || !state.may_start || state.server.is_some() {
            return None;
        }
        let failed = |error: &Error| tracing::warn!(%error, "the store could not be started");
        let mut listening = Server::bind(own).inspect_err(failed).ok()?;
        let address = listening.address().inspect_err(failed).ok()?;
        let leadership = match directory.campaign(now, address).inspect_err(silent).ok()? {
            Campaign::Won(leadership) => leadership,
            Campaign::Follow { address, .. } => return Some(vec![address]),
            // The client that calls this pauses between its attempts.
            Campaign::Again(_) => return None,
        };
        // The directory has a record of every leader, the kernel none of those on other hosts.
        listening.has_predecessor = leadership.term() > 1;
        let server = self.lead(listening, None).inspect_err(failed).ok()?;
        let host = Arc::downgrade(self);
        let kept = Keeper::start(Arc::clone(directory), leadership, move |_| step_down(&host));
        let keeper = kept.inspect_err(|error| tracing::warn!(%error, "the store cannot lead")).ok()?;
        (state.server, state.keeper) = (Some(server), Some(keeper));
        Some(vec![address])
    }

    /// Reads the leader from etcd; without a leader, this process may become it.
    fn stand_in_etcd(self: &Arc<Self>, directory: &etcd::Directory) -> Option<Vec<SocketAddr>> {
        let failed = |error: &Error| warn_limited!(%error, "the store's leader cannot be read from etcd");
        if let Some(leader) =
            directory.find(Instant::now() + self.template.timing.lease).inspect_err(failed).ok()?
        {
            let is_here = self.address() == Some(leader.address);
            if is_here || !directory.depose_the_dead(leader) {
                return Some(vec![leader.address]);
            }
        }
        let mut state = lock(&self.state);
        if state.server.as_ref().is_some_and(Server::stepped_down) {
            state.server = None;
        }
        if state.ended || !state.may_start || state.server.is_some() {
            return None;
        }
        let elected = || -> Result<Option<Server>> {
            let listening = Server::bind(directory.own_address()?)?;
            let elected = directory.campaign(listening.address()?)?;
            elected.map(|elected| self.lead(listening, Some(elected))).transpose()
        };
        let server = elected().inspect_err(failed).ok()??;
        let address = server.address();
        state.server = Some(server);
        Some(vec![address])
    }

    /// Starts the store of this process, which was elected.
    fn lead(&self, listening: Listening, elected: Option<Elected>) -> Result<Server> {
        self.notifies(Server::lead(listening, self.template.clone(), elected)?)
    }

    /// The server, which notifies of members that are lost.
    fn notifies(&self, server: Server) -> Result<Server> {
        if let Some(callback) = lock(&self.on_lost).clone() {
            server.on_member_lost(callback)?;
        }
        Ok(server)
    }

    /// Checks the other addresses as long as the server runs here.
    fn watch_for_twins(self: &Arc<Self>, place: usize) {
        let host = Arc::downgrade(self);
        let pause = self.template.timing.lease / 5;
        let started = thread::spawn("mf-store-twins", move || {
            loop {
                std::thread::sleep(pause);
                if !look_around(&host, place) {
                    return;
                }
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "no thread to search for a second store");
        }
    }
}

/// Steps down if another store of the job has the better right; false when there is nothing left to watch.
fn look_around(host: &Weak<Host>, place: usize) -> bool {
    let Some(host) = host.upgrade() else { return false };
    let HostingPolicy::Fixed(addresses) = &host.places else { return false };
    let Some((own, own_term)) = host.with_server(|server| (server.address(), server.term())) else {
        return false;
    };
    if addresses.get(place).is_none_or(|address| address.port() != own.port()) {
        return false;
    }
    for (other, address) in addresses.iter().enumerate().filter(|(other, _)| *other != place) {
        let Some(term) = term_at(*address, &host.template) else { continue };
        if term > own_term || (term == own_term && other < place) {
            tracing::warn!(%address, term, own_term, "another store of the job leads, the one in this process ends");
            step_down(&Arc::downgrade(&host));
            return false;
        }
    }
    true
}

/// Ends the server of a host, for another that leads.
fn step_down(host: &Weak<Host>) {
    let server = host.upgrade().and_then(|host| lock(&host.state).server.take());
    drop(server);
}

/// The term of the store at an address, if there is one of this job.
fn term_at(address: SocketAddr, template: &ServerOptions) -> Option<u64> {
    let options = ClientOptions {
        wish: RankWish::Guest,
        connect_deadline: Instant::now() + LOOK_LIMIT,
        request_timeout: LOOK_LIMIT,
        timing: Timing { reconnect: Duration::ZERO, ..template.timing },
        job: template.job.clone(),
        ..ClientOptions::new(reachable(address), 0, Arc::clone(&template.security))
    };
    Client::connect(options).ok().map(|client| client.leader().term)
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("serving", &self.address()).finish_non_exhaustive()
    }
}

/// Returns true if the store's address belongs to another machine, according to `error`.
pub(crate) fn is_elsewhere(error: &Error, address: SocketAddr) -> bool {
    error.kind() == Kind::InvalidParam && !address.ip().is_unspecified()
}

/// Returns true if a process with this wish may start the store before it was a member: of given ranks only
/// 0.
pub(crate) fn may_begin(wish: RankWish) -> bool {
    !matches!(wish, RankWish::Exactly(rank) if rank != Rank(0))
}
