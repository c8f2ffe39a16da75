// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Network: one member's view of its transports, the routes to others, and its exposed memory.
//!
//! Every member publishes a [`Card`] in the [`Directory`] of its job, under its session: a process has as
//! many as it has memberships, with or without a rank. To reach another member for the first time, a member
//! reads that member's card and introduces it to its transports; connections are opened by the first
//! operation, so idle pairs have none. Processes without a common directory exchange cards by other means
//! ([`Network::start_alone`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use mf_base::log::escaped;
use mf_base::sync::{lock, read, write};
use mf_base::{Error, Kind, Result, Retry};
use mf_transport::{Deadlines, JobId, Peer, Region, SegmentKey, Target, Transport};

use crate::engines::{Engines, Served};
use crate::registry::Contributor;
use crate::registry::KEY_BYTES;
use crate::{Absent, Card, Directory, Member, Opened, Route, Routes};

const OP: &str = "network";

/// The transports of one member.
pub struct Network {
    /// The directory of the job; `None`: peers are introduced one by one.
    directory: Option<Arc<dyn Directory>>,
    me: Peer,
    card: Card,
    served: Arc<Served>,
    transports: Vec<Arc<dyn Transport>>,
    absent: Vec<Absent>,
    timeout: Duration,
    /// Peers that were introduced.
    peers: RwLock<HashMap<Peer, Arc<Routes>>>,
    /// One member is introduced at a time, by one thread.
    introducing: Mutex<()>,
    /// Exposed memory, to restore it after a failure.
    exposed: Mutex<HashMap<SegmentKey, Vec<Region>>>,
}

impl Network {
    /// Starts transports with `open`, which gets this process as a [`Target`] and returns the absent ones,
    /// too, and publishes this process's card: one round trip to the directory.
    ///
    /// # Errors
    /// Errors of `open` and of the directory; `NotExist` when no transport is left.
    pub fn start(
        directory: &Arc<dyn Directory>,
        timeout: Duration,
        open: impl FnOnce(Peer, &Arc<dyn Target>) -> Result<Opened>,
    ) -> Result<Arc<Self>> {
        let member = directory.membership();
        let me = Peer { job: JobId::of(&member.token), rank: member.rank.0, session: member.session };
        let network = Self::make(Some(Arc::clone(directory)), me, timeout, open)?;
        directory.publish(&network.card.encode()?)?;
        Ok(network)
    }

    /// Starts without a directory: `me` is reached by processes that get [`card`](Self::card) by other means,
    /// and reaches peers that are [introduced](Self::introduce).
    ///
    /// # Errors
    /// Errors of `open`; `NotExist` when no transport is left.
    pub fn start_alone(
        me: Peer,
        timeout: Duration,
        open: impl FnOnce(Peer, &Arc<dyn Target>) -> Result<Opened>,
    ) -> Result<Arc<Self>> {
        Self::make(None, me, timeout, open)
    }

    fn make(
        directory: Option<Arc<dyn Directory>>,
        me: Peer,
        timeout: Duration,
        open: impl FnOnce(Peer, &Arc<dyn Target>) -> Result<Opened>,
    ) -> Result<Arc<Self>> {
        let job = me.job;
        let served = Arc::new(Served { engines: Engines::current()?, job });
        let target: Arc<dyn Target> = Arc::clone(&served) as Arc<dyn Target>;
        let (transports, absent) = open(me, &target)?;
        if transports.is_empty() {
            let reasons = absent.iter().map(|absent| format!("{}: {}", absent.name, absent.reason));
            return Err(Error::new(Kind::NotExist, OP)
                .what("no transport opens here")
                .with("reasons", reasons.collect::<Vec<_>>().join("; ")));
        }
        let card = Card {
            session: me.session,
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            pid: std::process::id(),
            addresses: transports.iter().map(|t| (t.name().to_owned(), t.address())).collect(),
        };
        Ok(Arc::new(Self {
            directory,
            me,
            card,
            served,
            transports,
            absent,
            timeout,
            peers: RwLock::default(),
            introducing: Mutex::default(),
            exposed: Mutex::default(),
        }))
    }

    /// This member, as the others name it.
    pub fn me(&self) -> Peer {
        self.me
    }

    /// Returns the card by which others reach this process.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// Its job.
    pub fn job(&self) -> JobId {
        self.me.job
    }

    /// The transports, for people.
    pub fn transports(&self) -> &[Arc<dyn Transport>] {
        &self.transports
    }

    /// When operations must have ended.
    pub fn deadlines(&self) -> Deadlines {
        Deadlines(self.timeout)
    }

    /// Returns all routes to `peer`. Asks the directory the first time.
    ///
    /// # Errors
    /// `NotConnected` the peer has ended, has no transport of ours, or is reached by none, with each one's
    /// reason · errors of the directory.
    pub fn routes(&self, peer: Peer) -> Result<Arc<Routes>> {
        if let Some(routes) = self.known(peer) {
            return Ok(routes);
        }
        let _introducing = lock(&self.introducing);
        if let Some(routes) = self.known(peer) {
            return Ok(routes);
        }
        let card = match &self.directory {
            Some(directory) => directory.look_up(peer.session)?,
            None => None,
        };
        let card = card.map(|card| Card::decode(&card)).transpose()?;
        let card = card.filter(|card| card.session == peer.session);
        let card = card
            .ok_or_else(|| self.unreachable(peer, "the process has ended, or has no network".to_owned()))?;
        self.remember(peer, &card)
    }

    /// Introduces a peer by its card, without a directory. Does nothing for a known peer.
    ///
    /// # Errors
    /// `NotConnected` no transport reaches it, with each one's reason · `InvalidParam` the card is
    /// another's.
    pub fn introduce(&self, peer: Peer, card: &Card) -> Result<Arc<Routes>> {
        if card.session != peer.session {
            return Err(Error::invalid(OP, "the card of a member is another's").with("session", peer.session));
        }
        let _introducing = lock(&self.introducing);
        self.known(peer).map_or_else(|| self.remember(peer, card), Ok)
    }

    fn remember(&self, peer: Peer, card: &Card) -> Result<Arc<Routes>> {
        let routes = Arc::new(self.routes_by(peer, card)?);
        write(&self.peers).insert(peer, Arc::clone(&routes));
        Ok(routes)
    }

    fn routes_by(&self, peer: Peer, card: &Card) -> Result<Routes> {
        let mut routes = Routes { open: Vec::new(), closed: self.absent.clone() };
        let addresses: Arc<[_]> = card.addresses.as_slice().into();
        for transport in &self.transports {
            let name = transport.name();
            let Some((_, address)) = card.addresses.iter().find(|(theirs, _)| theirs == name) else {
                let reason = "the other process does not have it".to_owned();
                routes.closed.push(Absent { name, reason });
                continue;
            };
            match transport.introduce(peer, address).and_then(|()| transport.reach(peer)) {
                Ok(reach) => routes.open.push(Route {
                    transport: Arc::clone(transport),
                    peer,
                    reach,
                    addresses: Arc::clone(&addresses),
                }),
                Err(error) => routes.closed.push(Absent { name, reason: error.to_string() }),
            }
        }
        if routes.open.is_empty() {
            let reasons = routes.closed.iter().map(|closed| format!("{}: {}", closed.name, closed.reason));
            let host = format!(" (pid {} on {})", card.pid, escaped(&card.host));
            return Err(self.unreachable(peer, reasons.collect::<Vec<_>>().join("; ") + &host));
        }
        routes.open.sort_by_key(|route| std::cmp::Reverse(route.reach.score));
        Ok(routes)
    }

    #[cold]
    fn unreachable(&self, peer: Peer, reasons: String) -> Error {
        Error::new(Kind::NotConnected, OP)
            .what("no transport reaches the member")
            .with("rank", peer.rank_fact())
            .with("reasons", reasons)
            .retry(Retry::Later)
            .hint("mf explain shows what was checked")
    }

    /// Opens the connections of both directions to a peer that was introduced, which may not be able to
    /// connect here; and keeps that up. Returns at once.
    pub fn lend(&self, peer: Peer) {
        self.each_open(peer, |transport| transport.lend(peer));
    }

    /// The peer [lends](Self::lend).
    pub fn borrow(&self, peer: Peer) {
        self.each_open(peer, |transport| transport.borrow(peer));
    }

    fn each_open(&self, peer: Peer, act: impl Fn(&dyn Transport) -> Result<()>) {
        let Some(routes) = self.known(peer) else { return };
        for route in &routes.open {
            if let Err(error) = act(&*route.transport) {
                tracing::debug!("{peer} was forgotten meanwhile: {error}");
            }
        }
    }

    /// Forgets a peer with an ended process: operations in flight to it end.
    pub fn forget(&self, peer: Peer) {
        let known = write(&self.peers).remove(&peer);
        if known.is_some() {
            self.transports.iter().for_each(|transport| transport.forget(peer));
        }
    }

    /// Exposes memory of this process under `key`. Returns the descriptions that others need for it, by
    /// transport. A second call with the same key replaces the regions; removed ones are not used any more
    /// when it returns. When it fails, the exposed memory stays unchanged.
    ///
    /// # Errors
    /// As [`Transport::expose`].
    ///
    /// # Safety
    /// The regions stay mapped and `contributor` valid until [`conceal`](Network::conceal) has returned, or
    /// another call with this key has.
    pub unsafe fn expose(
        &self,
        key: SegmentKey,
        contributor: *const dyn Contributor,
        regions: &[Region],
    ) -> Result<Vec<(String, Vec<u8>)>> {
        let mut exposed = lock(&self.exposed);
        let former = exposed.get(&key);
        // SAFETY: passed on to the caller.
        unsafe { self.served.engines.registry.insert((self.me.job, key), contributor) };
        let mut descriptions = Vec::new();
        for (index, transport) in self.transports.iter().enumerate() {
            // SAFETY: passed on to the caller.
            match unsafe { transport.expose(key, regions) } {
                Ok(description) => descriptions.push((transport.name().to_owned(), description)),
                Err(error) => {
                    for transport in self.transports.iter().take(index) {
                        // SAFETY: these regions were exposed before and not concealed since.
                        unsafe { expose_again(&**transport, key, former.map(Vec::as_slice)) };
                    }
                    if former.is_none() {
                        self.served.engines.registry.remove((self.me.job, key));
                    }
                    return Err(error);
                }
            }
        }
        exposed.insert(key, regions.to_vec());
        Ok(descriptions)
    }

    /// Revokes grants under `key` that are not valid any more; when it returns no access relies on them.
    ///
    /// # Errors
    /// As [`Transport::revoke`].
    pub fn revoke(&self, key: SegmentKey, deadline: Instant) -> Result<()> {
        let mut first = Ok(());
        for transport in &self.transports {
            first = first.and(transport.revoke(key, deadline));
        }
        first
    }

    /// Notifies that a memory file that others may have mapped was freed.
    pub fn file_gone(&self, id: u64) {
        self.transports.iter().for_each(|transport| transport.file_gone(id));
    }

    /// Ends [`expose`](Network::expose); when it returns no input from the network touches that memory.
    pub fn conceal(&self, key: SegmentKey) {
        lock(&self.exposed).remove(&key);
        self.served.engines.registry.remove((self.me.job, key));
        self.transports.iter().for_each(|transport| transport.conceal(key));
    }

    /// Sends a message to the contributor of `member`'s memory.
    ///
    /// # Errors
    /// As [`Transport::send`]; `InvalidParam` too long.
    pub fn send(&self, member: &Member, message: &[u8], deadline: Instant) -> Result<()> {
        let mut framed = Vec::with_capacity(KEY_BYTES + message.len());
        framed.extend_from_slice(&member.key.0.to_le_bytes());
        framed.extend_from_slice(message);
        member.transport.send(member.peer, &framed, deadline)
    }

    /// Ends all transports.
    pub fn close(&self) {
        self.transports.iter().for_each(|transport| transport.close());
    }

    fn known(&self, peer: Peer) -> Option<Arc<Routes>> {
        read(&self.peers).get(&peer).map(Arc::clone)
    }
}

/// Restores the former exposure by one transport, or conceals.
///
/// # Safety
/// The regions are mapped until they are concealed.
unsafe fn expose_again(transport: &dyn Transport, key: SegmentKey, former: Option<&[Region]>) {
    let Some(former) = former else { return transport.conceal(key) };
    // SAFETY: passed on to the caller.
    if let Err(error) = unsafe { transport.expose(key, former) } {
        tracing::warn!("others do not reach this member's memory by {} any more: {error}", transport.name());
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.close();
    }
}
