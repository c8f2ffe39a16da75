// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Roster of a process: its members and their listeners.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use mf_base::os::service::Panicked;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_tls::channel::Channels;
use mf_transport::Peer;
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::connection::Connection;
use crate::listen;
use crate::process_core::{Core, FIRST_ID};
use crate::secure::{self, Handshake, Identity};
use crate::shared::Shared;

const OP: &str = "tcp start";

struct Listener {
    socket: Arc<OwnedFd>,
    bound: SocketAddr,
    /// Members that listen here.
    users: usize,
}

/// The members of a process, and their listeners.
pub(crate) struct Roster {
    pub(crate) core: Arc<Core>,
    pub(crate) channels: Arc<Channels>,
    listeners: Mutex<BTreeMap<u64, Listener>>,
    members: RwLock<HashMap<Peer, Arc<Shared>>>,
}

impl Roster {
    /// Makes an empty roster.
    pub(crate) fn new(core: Arc<Core>, channels: Arc<Channels>) -> Self {
        Self { core, channels, listeners: Mutex::default(), members: RwLock::default() }
    }

    /// Adds a member.
    ///
    /// # Errors
    /// `InvalidParam` this process is that member already.
    pub(crate) fn add(&self, member: &Arc<Shared>) -> Result<()> {
        let mut members = self.members.write().unwrap_or_else(PoisonError::into_inner);
        if members.contains_key(&member.me) {
            return Err(Error::invalid(OP, "this process is that member already").with("member", member.me));
        }
        members.insert(member.me, Arc::clone(member));
        Ok(())
    }

    /// Returns the members in this process.
    pub(crate) fn members(&self) -> Vec<Arc<Shared>> {
        self.members.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Returns the member of this name, also one that is leaving.
    pub(crate) fn named(&self, me: Peer) -> Option<Arc<Shared>> {
        self.members.read().unwrap_or_else(PoisonError::into_inner).get(&me).cloned()
    }

    /// Returns the member of this name, unless it is leaving.
    pub(crate) fn member(&self, me: Peer) -> Option<Arc<Shared>> {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner);
        members.get(&me).filter(|member| !member.local.closing.load(Ordering::Acquire)).cloned()
    }

    /// Returns the connection of this id that a member opened.
    pub(crate) fn connection(&self, id: u64) -> Option<(Arc<Shared>, Arc<Connection>)> {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner);
        members.values().find_map(|member| {
            let connection = lock(&member.connections).get(&id).cloned()?;
            Some((Arc::clone(member), connection))
        })
    }

    /// Returns the member that a connection at this listener is for: a member that listens there; if the
    /// wanted one has ended, another of its job, preferably of its rank.
    fn find(&self, wanted: Peer, listener: u64) -> Option<Arc<Identity>> {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner);
        let here = |member: &&Arc<Shared>| {
            member.listeners.contains(&listener) && !member.local.closing.load(Ordering::Acquire)
        };
        let exact = members.get(&wanted).filter(here);
        let any = || {
            let of_job = members.values().filter(|member| member.me.job == wanted.job).filter(here);
            of_job.max_by_key(|member| member.me.rank == wanted.rank)
        };
        exact.or_else(any).map(|member| Arc::clone(&member.identity))
    }

    /// Waits for the handshake of a peer that connected to this listener.
    ///
    /// # Errors
    /// `Failed` when the kernel gives no random numbers.
    pub(crate) fn handshake(self: &Arc<Self>, from: SocketAddr, listener: u64) -> Result<Handshake> {
        let roster = Arc::clone(self);
        secure::accept(move |wanted| roster.find(wanted, listener), &self.channels, from)
    }

    /// Returns the socket of a listener.
    pub(crate) fn listener(&self, id: u64) -> Option<Arc<OwnedFd>> {
        lock(&self.listeners).get(&id).map(|listener| Arc::clone(&listener.socket))
    }

    /// Sets the events of all listeners, which enable or pause accepting.
    pub(crate) fn listen_for(&self, flags: EventFlags) {
        for (id, listener) in &*lock(&self.listeners) {
            let _ = epoll::modify(&self.core.epoll, &listener.socket, EventData::new_u64(*id), flags);
        }
    }

    /// Listens at an address, or uses an existing listener; any port will do for port 0.
    pub(crate) fn listen(&self, address: SocketAddr) -> Result<(u64, SocketAddr)> {
        let mut listeners = lock(&self.listeners);
        let serves = |bound: &SocketAddr| match address.port() {
            0 => {
                SocketAddr::new(bound.ip(), 0) == SocketAddr::new(address.ip(), 0)
                    && same_scope(*bound, address)
            }
            _ => *bound == address,
        };
        if let Some((id, listener)) = listeners.iter_mut().find(|(_, listener)| serves(&listener.bound)) {
            listener.users += 1;
            return Ok((*id, listener.bound));
        }
        let id = (1..FIRST_ID).find(|id| !listeners.contains_key(id)).unwrap_or(FIRST_ID - 1);
        let (socket, bound) = listen::open(address)?;
        epoll::add(&self.core.epoll, &socket, EventData::new_u64(id), EventFlags::IN)
            .map_err(|errno| Error::os(OP, errno))?;
        listeners.insert(id, Listener { socket: Arc::new(socket), bound, users: 1 });
        Ok((id, bound))
    }

    /// Removes one of the members that listen there; the listener ends with the last.
    pub(crate) fn unlisten(&self, id: u64) {
        let mut listeners = lock(&self.listeners);
        let Some(listener) = listeners.get_mut(&id) else { return };
        listener.users -= 1;
        if listener.users == 0
            && let Some(listener) = listeners.remove(&id)
        {
            let _ = epoll::delete(&self.core.epoll, &listener.socket);
        }
    }

    /// Removes the member; called by the progress thread when no state of it is left.
    pub(crate) fn remove(&self, member: &Shared) {
        self.members.write().unwrap_or_else(PoisonError::into_inner).remove(&member.me);
        member.listeners.iter().for_each(|id| self.unlisten(*id));
    }

    /// Handles a panic of the progress thread: operations in flight fail, and later ones are refused.
    pub(crate) fn fail(&self, panicked: &Panicked) {
        self.core.health.fail(panicked);
        // Peers that connect are refused, and do not wait for a hello.
        lock(&self.listeners).clear();
        for member in self.members() {
            for connection in member.all_connections() {
                connection.fail(&member.local, &panicked.to_string());
                *lock(&connection.connecting) = None;
            }
            lock(&member.connections).clear();
        }
        // Members that wait until they have left are not served any more.
        drop(self.core.commands());
    }

    /// Lets the progress thread sleep unless operations are in flight.
    pub(crate) fn unattend(&self) {
        let is_busy = |connection: &Arc<Connection>| connection.is_busy() || connection.is_connecting();
        self.core
            .unattend(|| self.members().iter().any(|member| member.all_connections().iter().any(is_busy)));
    }
}

fn same_scope(one: SocketAddr, other: SocketAddr) -> bool {
    match (one, other) {
        (SocketAddr::V6(one), SocketAddr::V6(other)) => one.scope_id() == other.scope_id(),
        _ => true,
    }
}
